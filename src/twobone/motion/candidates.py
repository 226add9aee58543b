"""Candidates for limbs: of each branch of a skeleton, the two bones that are most like a limb."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from twobone.errors import TwoBoneError
from twobone.motion import branches
from twobone.motion.branches import Motion
from twobone.motion.clip import Clip
from twobone.motion.joint_names import Kind, Meaning
from twobone.rotations import inverse, rotate

RATIO = 4.0  # the bones of a limb differ in length by at most this factor
NEAR_SHIN = 0.4  # of the second bone: detached feet stay this close to its end
HUMAN_BONES: dict[Kind, tuple[str, ...]] = {  # VRM
    "leg": ("UpperLeg", "LowerLeg", "Foot", "Toes"),
    "arm": ("UpperArm", "LowerArm", "Hand"),
}


class Candidate(NamedTuple):
    """A limb while it is being found; joints as in `FoundLimb`, and what its names say."""

    start: int
    mid: int
    end: int
    chain: list[int]
    detached: bool
    roles: int  # how many of the three joints are named after their role
    said: Meaning  # by all its joints together
    lengths: tuple[float, float]
    trunk: int = -1  # the joint that the chain branches from

    @property
    def size(self) -> float:
        return sum(self.lengths)


def from_branches(clip: Clip, motion: Motion, says: list[Meaning]) -> list[Candidate]:
    """Return at most one limb for each branch of the skeleton."""
    parents = clip.skeleton.parents
    named = frozenset(joint for joint, said in enumerate(says) if said.role)
    chains = [
        branches.bones(chain, motion, named) for chain in branches.find_chains(parents, motion)
    ]
    limbs = [_attached(joints, motion, says) for joints in chains]
    is_free = np.ones(len(parents), bool)  # of joints that no chain with a limb has
    for joints, own in zip(chains, limbs, strict=True):
        is_free[joints] = not own
    found = []
    for joints, own in zip(chains, limbs, strict=True):
        elsewhere = np.ones(len(parents), bool)
        elsewhere[clip.skeleton.below(joints[0])] = False
        elsewhere[clip.skeleton.path(joints[0])] = False
        foot = _with_named_foot(joints, motion, says, elsewhere & is_free, parents)
        limb = _best([*own, *([] if foot is None else [foot])])
        if limb is not None and limb.end == joints[-1] and says[limb.end].role != "end":
            limb = _with_foot_at_end(limb, motion, says, elsewhere, parents)
        if limb is not None and not any(says[joint].is_other for joint in (limb.start, limb.mid)):
            found.append(limb._replace(trunk=parents[joints[0]]))
    feet = {limb.end for limb in found if limb.detached}
    return [limb for limb in found if limb.start not in feet]


def _limb(three, chain, motion, says, detached=False) -> Candidate | None:
    """Return a limb of three joints, or None if its bones are too short or too different."""
    start, mid, end = three
    first = float(np.median(branches.distance(motion, start, mid)))
    second = float(np.median(branches.distance(motion, mid, end)))
    if not 0.0 < max(first, second) <= RATIO * min(first, second):
        return None
    own = [says[joint] for joint in (start, mid, end)]
    kind = _most(said.kind for said in own)
    roles = _roles(own, kind)
    said = Meaning(
        _most(says[joint].side for joint in (*chain, end)),
        _most(says[joint].place for joint in (*chain, end)),
        kind,
        None,
        False,
        says[start].words,
    )
    return Candidate(start, mid, end, chain, detached, roles, said, (first, second))


def _attached(joints, motion, says) -> list[Candidate]:
    """Return the limbs of a chain: all its pairs of successive bones that could be one."""
    three = zip(joints, joints[1:], joints[2:], strict=False)
    limbs = [_limb(each, joints, motion, says) for each in three]
    return [limb for limb in limbs if limb is not None]


def _roles(own, kind) -> int:
    """Return how many of three joints are named after their role.

    "Leg" is a shin after an "UpLeg", and "arm" or "shoulder" an upper arm before a forearm.
    """
    start, mid, end = (said.role if said.kind == kind else "other" for said in own)
    is_start = start == "start" or (start is None and mid == "mid")
    is_mid = mid == "mid" or (mid is None and start == "start")
    return 0 if kind is None else is_start + is_mid + (end == "end")


def _best(limbs: list[Candidate]) -> Candidate | None:
    """Return the limb that is named as one, or else of the two longest successive bones."""
    longest = max((limb.size for limb in limbs), default=0.0)
    return max(limbs, key=lambda limb: limb.roles + limb.size / longest, default=None)


def _with_foot_at_end(limb, motion, says, others, parents) -> Candidate:
    """Return a limb with the detached foot that stays near its end, or the limb itself."""
    apart = motion.positions - motion.positions[:, [limb.end]]
    foot = _nearest(apart, others, NEAR_SHIN * limb.lengths[1])
    if foot is None:
        return limb
    chain = [*limb.chain[: limb.chain.index(limb.end)], *_down(foot, parents)]
    three = limb.start, limb.mid, foot
    return _limb(three, chain, motion, says, detached=True) or limb


def _with_named_foot(joints, motion, says, others, parents) -> Candidate | None:
    """Return the limb whose shin is the tip of a chain, and whose foot is a joint elsewhere.

    Without a joint at the shin's end, a foot is one that is named as part of the same leg and
    stays in place in the space of the shin.
    """
    if len(joints) < 2:
        return None
    start, mid = joints[-2:]
    own = says[mid]
    alike = [
        said.kind == "leg"
        and not said.is_other
        and (said.side, said.place) == (own.side, own.place)
        for said in says
    ]
    if own.kind != "leg" or not np.any(others & alike):
        return None
    in_shin = _in_space_of(mid, motion)
    size = float(np.median(branches.distance(motion, start, mid)))
    foot = _nearest(in_shin - np.median(in_shin, axis=0), others & alike, NEAR_SHIN * size)
    if foot is None:
        return None
    chain = [*joints, *_down(foot, parents)]
    return _limb((start, mid, foot), chain, motion, says, detached=True)


def _nearest(apart, allowed, most):
    """Return the allowed joint with the smallest distances (T, J, 3), if they are mostly small."""
    away = np.percentile(np.linalg.norm(apart, axis=-1), 75, axis=0)
    away = np.where(allowed, away, np.inf)
    joint = int(np.argmin(away))
    return joint if away[joint] <= most else None


def _in_space_of(joint, motion):
    """Return the positions of all joints in the space of one."""
    apart = motion.positions - motion.positions[:, [joint]]
    return rotate(inverse(motion.rotations[:, [joint]]), apart)


def _down(joint, parents):
    """Return a joint and its first child, the first child of that, and so on."""
    chain = [joint]
    while chain[-1] in parents:
        chain.append(parents.index(chain[-1]))
    return chain


def from_human_bones(clip: Clip, motion: Motion) -> list[Candidate]:
    """Return the limbs that a VRM file names, without those whose joints do not exist."""
    bones: Any = getattr(clip, "human_bones", None)
    if not isinstance(bones, dict):
        return []
    found = []
    for side in ("left", "right"):
        for kind, parts in HUMAN_BONES.items():
            try:
                start, mid, end = (clip.skeleton.index(bones[side + part]) for part in parts[:3])
                toe = bones.get(side + parts[3]) if len(parts) > 3 else None
                chain = [start, mid, end, *([] if toe is None else [clip.skeleton.index(toe)])]
            except (KeyError, TwoBoneError):
                continue
            said = Meaning(side, None, kind, None, False, ())
            limb = _limb((start, mid, end), chain, motion, [said] * len(clip.skeleton.parents))
            if limb is not None:
                found.append(limb)
    return found


def _most(values):
    """Return the most frequent value that is not None, the first of several; None if all are."""
    counts = Counter(value for value in values if value is not None)
    return counts.most_common(1)[0][0] if counts else None
