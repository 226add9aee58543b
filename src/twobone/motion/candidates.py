"""Candidates for limbs: of each branch of a skeleton, the two bones that are most like a limb."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from twobone.errors import TwoBoneError
from twobone.motion import branches
from twobone.motion.branches import Motion
from twobone.motion.clip import Clip
from twobone.motion.joint_names import Kind, Meaning
from twobone.pose import tree
from twobone.rotations import inverse, rotate

RATIO = 4.0  # the bones of a limb differ in length by at most this factor
NEAR_SHIN = 0.4  # of the second bone: detached feet stay this close to its end
MOSTLY = 75  # percent of the frames in which they do
MOST_LIMBS = 200  # that are looked for, a choice: animals with more are not told apart by legs
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
    ends = frozenset(
        joint for joint, said in enumerate(says) if said.role == "end" and not said.is_other
    )
    chains = [
        branches.bones(chain, motion, named, ends)
        for chain in branches.find_chains(parents, motion)
    ]
    limbs = [_attached(joints, motion, says) for joints in chains]
    is_free = np.ones(len(parents), bool)  # of joints that no chain with a limb has
    for joints, own in zip(chains, limbs, strict=True):
        is_free[joints] = not own
    legs: dict[Any, list[int]] = {}  # joints that are named as parts of legs, by side and place
    for joint, said in enumerate(says):
        if said.kind == "leg" and not said.is_other:
            legs.setdefault((said.side, said.place), []).append(joint)
    children = _first_children(parents)
    place, stop = _subtrees(parents)
    found = []
    for k in _likeliest(chains, limbs, says):
        joints, own = chains[k], limbs[k]
        first = joints[0]
        elsewhere = (place < place[first]) | (place >= stop[first])
        elsewhere[clip.skeleton.path(first)] = False
        foot = _with_named_foot(joints, motion, says, elsewhere & is_free, legs, children)
        limb = _best([*own, *([] if foot is None else [foot])])
        if limb is not None and limb.end == joints[-1] and says[limb.end].role != "end":
            limb = _with_foot_at_end(limb, motion, says, elsewhere, children)
        if limb is not None and not any(says[joint].is_other for joint in (limb.start, limb.mid)):
            found.append(limb._replace(trunk=parents[joints[0]]))
    feet = {limb.end for limb in found if limb.detached}
    return [limb for limb in found if limb.start not in feet]


def _likeliest(chains, limbs, says) -> list[int]:
    """Return the indices of all chains, or of those that are named and longest if there are many.

    Each is compared with all joints of the skeleton, so their number is limited.
    """
    if len(chains) <= MOST_LIMBS:
        return list(range(len(chains)))

    def likeliness(k):
        is_named = any(says[joint].kind for joint in chains[k])
        return is_named, max((limb.size for limb in limbs[k]), default=0.0)

    return sorted(sorted(range(len(chains)), key=likeliness)[-MOST_LIMBS:])


def _subtrees(parents):
    """Return the place of each joint, and where its descendants stop, if each is before its own."""
    order = tree.parents_first(parents, None)
    size = np.ones(len(parents), int)
    for joint in reversed(order):
        if parents[joint] >= 0:
            size[parents[joint]] += size[joint]
    place, free = np.zeros(len(parents), int), np.zeros(len(parents) + 1, int)
    for joint in order:  # `free[-1]` is the first free place for a joint without a parent
        parent = parents[joint]
        place[joint] = free[parent]
        free[parent] += size[joint]
        free[joint] = place[joint] + 1
    return place, place + size


def _first_children(parents) -> dict[int, int]:
    children: dict[int, int] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(parent, joint)
    return children


def _counted(chain, says):
    """Return how often the names of a chain say each side, and each place."""
    return [
        Counter(value for value in values if value is not None)
        for values in (
            (says[joint].side for joint in chain),
            (says[joint].place for joint in chain),
        )
    ]


def _limb(three, chain, motion, says, detached=False, counted=None) -> Candidate | None:
    """Return a limb of three joints, or None if its bones are too short or too different.

    `counted` is what `_counted` returns for the chain.
    """
    start, mid, end = three
    first, second = branches.median_lengths(motion, three[:2], three[1:]).tolist()
    if not 0.0 < max(first, second) <= RATIO * min(first, second):
        return None
    own = [says[joint] for joint in (start, mid, end)]
    kind = _most(said.kind for said in own)
    roles = _roles(own, kind)
    sides, places = counted or _counted(chain, says)
    said = Meaning(
        _most_of(sides, says[end].side),  # the end counts twice
        _most_of(places, says[end].place),
        kind,
        None,
        False,
        says[start].words,
    )
    return Candidate(start, mid, end, chain, detached, roles, said, (first, second))


def _attached(joints, motion, says) -> list[Candidate]:
    """Return the limbs of a chain: all its pairs of successive bones that could be one."""
    three, counted = zip(joints, joints[1:], joints[2:], strict=False), _counted(joints, says)
    limbs = [_limb(each, joints, motion, says, counted=counted) for each in three]
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


def _with_foot_at_end(limb, motion, says, others, children) -> Candidate:
    """Return a limb with the detached foot that stays near its end, or the limb itself."""
    most = NEAR_SHIN * limb.lengths[1]
    joints = _mostly_near(motion, limb.end, np.flatnonzero(others), most)
    apart = motion.positions[:, joints] - motion.positions[:, [limb.end]]
    foot = _nearest(apart, joints, most)
    if foot is None:
        return limb
    chain = [*limb.chain[: limb.chain.index(limb.end)], *_down(foot, children)]
    three = limb.start, limb.mid, foot
    return _limb(three, chain, motion, says, detached=True) or limb


def _with_named_foot(joints, motion, says, others, legs, children) -> Candidate | None:
    """Return the limb whose shin is the tip of a chain, and whose foot is a joint elsewhere.

    Without a joint at the shin's end, a foot is one that is named as part of the same leg and
    stays in place in the space of the shin. `legs` are the joints of legs by side and place.
    """
    if len(joints) < 2:
        return None
    start, mid = joints[-2:]
    own = says[mid]
    if own.kind != "leg":
        return None
    alike = [joint for joint in legs.get((own.side, own.place), ()) if others[joint]]
    if not alike:
        return None
    in_shin = _in_space_of(mid, motion, alike)
    most = NEAR_SHIN * float(np.median(branches.distance(motion, start, mid)))
    foot = _nearest(in_shin - np.median(in_shin, axis=0), alike, most)
    if foot is None:
        return None
    chain = [*joints, *_down(foot, children)]
    return _limb((start, mid, foot), chain, motion, says, detached=True)


def _mostly_near(motion, joint, others, most):
    """Return those of other joints that may be near a joint in as many frames as are needed.

    A joint that is too far away in too many frames is left out of the frames that follow.
    """
    count = len(motion.positions)
    too_many = count - math.floor(MOSTLY / 100.0 * (count - 1))
    far = (most * (1.0 + 1e-9)) ** 2
    times = np.zeros(len(others), int)
    for frame in motion.positions:
        apart = frame[others] - frame[joint]
        times += np.einsum("ij,ij->i", apart, apart) > far
        near = times < too_many
        others, times = others[near], times[near]
    return others


def _nearest(apart, joints, most):
    """Return the one of some joints with the smallest distances, if they are mostly small.

    `apart`, shape (T, K, 3), is by how much the joints are away.
    """
    if not len(joints):
        return None
    away = np.percentile(np.linalg.norm(apart, axis=-1), MOSTLY, axis=0)
    least = int(np.argmin(away))
    return int(joints[least]) if away[least] <= most else None


def _in_space_of(joint, motion, others):
    """Return the positions of other joints in the space of one."""
    apart = motion.positions[:, others] - motion.positions[:, [joint]]
    return rotate(inverse(motion.rotations[:, [joint]]), apart)


def _down(joint, children):
    """Return a joint and its first child, the first child of that, and so on."""
    chain = [joint]
    while chain[-1] in children:
        chain.append(children[chain[-1]])
    return chain


def from_human_bones(clip: Clip, motion: Motion) -> list[Candidate]:
    """Return the limbs that a VRM file names, without those whose joints do not exist."""
    bones, found = clip.human_bones, []
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
    return _most_of(Counter(value for value in values if value is not None))


def _most_of(counts, once_more=None):
    """Return the most frequent value, where one may count once more; None if there are none."""
    counts = counts if once_more is None else counts + Counter([once_more])
    return counts.most_common(1)[0][0] if counts else None
