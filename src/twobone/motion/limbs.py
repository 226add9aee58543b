"""Legs and arms of a clip, found by the names of joints and by how they move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from twobone.errors import ClipError
from twobone.motion import branches, candidates, joint_names
from twobone.motion.branches import Motion
from twobone.motion.candidates import Candidate
from twobone.motion.clip import Clip
from twobone.motion.joint_names import Kind, Meaning, Place, Side

ALIKE = 0.1  # so much may the bones of a left and a right limb differ
LOW = 0.06  # of the leg: a joint of the foot this far above its lowest joint touches the ground
HEEL = 0.2  # of the leg: ends lower than this above the toes touch the ground, too
NEAR_GROUND = 0.2  # of the leg: feet are this close to the lowest joint of all limbs, often
UPRIGHT = 0.4  # of the leg: hips are mostly this far above feet
ABOVE = 0.05  # and those of spiders, whose knees are the highest, by this much
OFTEN = 0.25  # of the frames: limbs that stand more often than this may be legs
SMALL = 0.4  # of the largest leg: limbs smaller than this need names
RIGID = 0.02  # of the limb: bones change their lengths by at most so much
ONE_WAY = 0.5  # toes point forward if they all point the same way and are level (1), or almost


class FoundLimb(NamedTuple):
    """A leg or an arm: two bones that can be solved, and what touches the ground.

    Joints are indices of the clip's skeleton.
    """

    name: str  # such as "left leg", "right front leg", "left leg 2"
    kind: Kind  # "leg" or "arm"; forelegs that walk are legs, whatever their names
    side: Side | None  # "left" or "right"
    place: Place | None  # "front" or "hind", of the legs of quadrupeds
    start: int  # hip or shoulder
    mid: int  # knee or elbow
    end: int  # ankle, hock or wrist: the end of the second bone
    toe: int | None  # the joint beyond the end that touches the ground first; None if there is none
    heel: bool  # whether the end touches the ground: not in legs that stand on their toes
    detached: bool  # whether the end is not a descendant of `mid`, but moves with its bone
    confidence: float  # 0 to 1

    @property
    def contacts(self) -> tuple[int, ...]:
        """The joints that touch the ground: the heel (`end`), the toe, or both; none of an arm."""
        if self.kind == "arm":
            return ()
        heel = (self.end,) if self.heel or self.toe is None else ()
        return heel if self.toe is None else (*heel, self.toe)


class Limbs(NamedTuple):
    """The limbs of a clip. Legs are in the order of the skeleton, and so are arms."""

    legs: tuple[FoundLimb, ...]
    arms: tuple[FoundLimb, ...]


@np.errstate(all="ignore")  # poses may hold anything
def find_limbs(clip: Clip) -> Limbs:
    """Find the legs and arms of a clip.

    Candidates are the branches of the skeleton; in each, two successive bones are chosen by the
    names of their joints and by their lengths, and over the motion: the rest pose is not used.
    Names of the common conventions are known (Mixamo, CMU, Rokoko, SMPL, Unreal, 3ds Max, Rigify,
    VRM, ASF, MikuMikuDance). Limbs whose names say nothing are found if there is a pair of equal
    ones: legs are those whose tips are mostly near the lowest joint of the body, with the
    body above them. This also makes legs of an animal's forelegs that are named as arms, and of
    the arms of somebody who crawls throughout the clip.

    Of legs with three long bones, as those of dogs or spiders, two are solved (`start`, `mid`,
    `end`); the part from `end` to `toe` is to keep its angle. Feet that are not descendants of
    the shin, as in rigs with baked controls, are the joints that stay near the shin's end
    throughout.

    Parameters
    ----------
    clip : Clip
        Any clip. If it has an attribute `human_bones`, a dictionary from VRM's names of bones to
        joints (indices or names), these are taken.

    Returns
    -------
    Limbs
        Legs and arms; both may be empty. `confidence` is 1 if names and motion agree entirely,
        and at most 0.65 if names say nothing.

    Notes
    -----
    Sides of limbs without names assume that the toes, or else the movement of the body, point
    forward.

    Examples
    --------
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip, find_limbs
    >>> offsets = [[0, 0.9, 0]] + 2 * [[0.1, 0, 0], [0, -0.45, 0], [0, -0.4, 0], [0, -0.05, 0.15]]
    >>> offsets[5][0] = -0.1
    >>> names = ["Hips"] + [side + part for side in ("Left", "Right")
    ...                     for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
    >>> parents = [-1, 0, 1, 2, 3, 0, 5, 6, 7]
    >>> person = Skeleton(parents, offsets, names=names)
    >>> clip = Clip(person, LocalPose([person.rotations] * 60), fps=30)
    >>> limbs = find_limbs(clip)
    >>> [leg.name for leg in limbs.legs]
    ['left leg', 'right leg']
    >>> leg = limbs.legs[0]
    >>> names[leg.start], names[leg.mid], names[leg.end], names[leg.toe], leg.confidence
    ('LeftUpLeg', 'LeftLeg', 'LeftFoot', 'LeftToeBase', 1.0)
    """
    motion = branches.sample(clip)
    if not len(motion.positions):
        return Limbs((), ())
    given = candidates.from_human_bones(clip, motion)
    names = clip.skeleton.names or [""] * len(clip.skeleton.parents)
    says = [joint_names.meaning(name) for name in names]
    found = given or candidates.from_branches(clip, motion, says)
    motion = _above_limbs(motion, found)
    if not given:
        found = _large(found, motion)
    partners = _partners(found)
    kinds = _kinds(found, motion)
    legs = [k for k, kind in enumerate(kinds) if kind == "leg"]
    toes = {k: _toe(found[k], motion, says) for k in legs}
    sides = _sides(found, partners, toes, motion)
    places = _places(found, partners, legs, toes, motion)
    out = []
    for k, limb in enumerate(found):
        kind, toe = kinds[k] or "arm", toes.get(k)
        sure = 1.0 if given else _confidence(limb, kind, partners[k] is not None, motion)
        heel = kind == "leg" and _has_heel(limb, toe, motion)
        joints = limb.start, limb.mid, limb.end, toe
        out.append(FoundLimb("", kind, sides[k], places.get(k), *joints, heel, limb.detached, sure))
    return _named(out)


# --- what they are ------------------------------------------------------------------------


def _above_limbs(motion: Motion, limbs: list[Candidate]) -> Motion:
    """Return the motion with clearances above the lowest joint of all limbs.

    Other joints, such as a root that stays behind at the origin, may be lower.
    """
    if not limbs:
        return motion
    joints = sorted({joint for limb in limbs for joint in (*limb.chain, limb.end)})
    heights = motion.positions[..., 1]
    return motion._replace(clearance=heights - np.min(heights[:, joints], axis=1, keepdims=True))


def _large(limbs: list[Candidate], motion: Motion) -> list[Candidate]:
    """Return the limbs that are named, or have a kind and are not much smaller than the legs."""
    kinds = _kinds(limbs, motion)
    legs = [limb.size for limb, kind in zip(limbs, kinds, strict=True) if kind == "leg"]
    least = SMALL * max(legs, default=0.0)
    return [
        limb
        for limb, kind in zip(limbs, kinds, strict=True)
        if limb.said.kind or (kind and limb.size >= least)
    ]


def _partners(limbs: list[Candidate]) -> list[int | None]:
    """Return for each limb the index of the equal one on the other side of the body."""
    costs = []
    for k, a in enumerate(limbs):
        for other in range(k + 1, len(limbs)):
            b = limbs[other]
            sides = {a.said.side, b.said.side}
            differ = max(abs(x - y) / max(x, y) for x, y in zip(a.lengths, b.lengths, strict=True))
            if differ > ALIKE or (len(sides) == 1 and None not in sides):
                continue
            costs.append((a.said.words != b.said.words, a.trunk != b.trunk, differ, k, other))
    partners: list[int | None] = [None] * len(limbs)
    for *_, a, b in sorted(costs):
        if partners[a] is None and partners[b] is None:
            partners[a], partners[b] = b, a
    return partners


def _kinds(limbs: list[Candidate], motion: Motion) -> list[Kind | None]:
    """Return what each limb is; None if neither its names nor its motion make it a leg or an arm.

    Limbs named as legs are legs. Limbs named as arms are legs if the body walks on them: if it is
    rather level, and they often stand. Of the others, pairs that often stand are legs.
    """
    partners = _partners(limbs)
    kinds: list[Kind | None] = [limb.said.kind for limb in limbs]
    alone = not any(kinds) and all(partner is None for partner in partners)
    for k, partner in enumerate(partners):
        if kinds[k] is None and (partner is not None or alone):
            stands = _stand(limbs, (k, partner), motion, UPRIGHT if alone else ABOVE)
            kinds[k] = "leg" if stands else None if alone else "arm"
    hips = [limb.start for k, limb in enumerate(limbs) if kinds[k] == "leg"]
    for k, limb in enumerate(limbs):
        if limb.said.kind == "arm" and _stand(limbs, (k, partners[k]), motion, UPRIGHT) and hips:
            body = motion.positions[:, limb.start] - np.mean(motion.positions[:, hips], axis=1)
            steep = np.abs(body[:, 1]) > np.hypot(body[:, 0], body[:, 2])
            kinds[k] = "arm" if np.mean(steep) > 0.5 else "leg"
    return kinds


def _stand(limbs, pair, motion, least) -> bool:
    """Return whether a limb and its partner, if it has one, often stand."""
    each = [_stands(limbs[k], motion, least) for k in pair if k is not None]
    return float(np.mean(each)) > OFTEN


def _stands(limb, motion, least) -> float:
    """Return the fraction of frames in which the tip of a limb is low, and its start above it."""
    tip = [limb.end, *limb.chain[limb.chain.index(limb.end) + 1 :]]
    low = np.min(motion.clearance[:, tip], axis=1)
    above = motion.clearance[:, limb.start] - low
    return float(np.mean((low < NEAR_GROUND * limb.size) & (above > least * limb.size)))


def _lowest(joint, motion) -> float:
    return float(np.percentile(motion.clearance[:, joint], 5))


def _toe(limb: Candidate, motion: Motion, says: list[Meaning]) -> int | None:
    """Return the first joint beyond the end that is named as a toe or comes down to the ground."""
    beyond = limb.chain[limb.chain.index(limb.end) + 1 :]
    lows = np.percentile(motion.clearance[:, beyond], 5, axis=0).tolist()
    low = [k for k, height in enumerate(lows) if height < min(lows) + LOW * limb.size]
    named = [k for k, joint in enumerate(beyond) if says[joint].role == "toe"]
    return beyond[(named or low)[0]] if beyond else None


def _has_heel(limb: Candidate, toe: int | None, motion: Motion) -> bool:
    if toe is None:
        return True
    return _lowest(limb.end, motion) < _lowest(toe, motion) + HEEL * limb.size


def _confidence(limb: Candidate, kind: Kind, paired: bool, motion: Motion) -> float:
    """Return how sure a limb is: 0.65 at most by its motion, 0.35 by its names."""
    rigid = all(
        np.ptp(branches.distance(motion, a, b)) < RIGID * limb.size
        for a, b in ((limb.start, limb.mid), (limb.mid, limb.end))
    )
    moves = (_stands(limb, motion, ABOVE) > OFTEN) == (kind == "leg")
    named = 0.15 * (limb.said.kind is not None) + 0.2 * limb.roles / 3
    return round(0.2 + 0.2 * paired + 0.1 * rigid + 0.15 * moves + named, 2)


# --- where they are -----------------------------------------------------------------------


def _forward(limbs, toes, motion):
    """Return where a body faces in each frame: unit vectors (T, 3), or None if that is not known.

    That is where its toes point or, if they point everywhere or there are none, where it moves.
    """
    feet = [
        motion.positions[:, toe] - motion.positions[:, limbs[k].end]
        for k, toe in toes.items()
        if toe is not None
    ]
    level = np.array([1.0, 0.0, 1.0])
    if feet:
        ahead = np.sum(feet, axis=0) * level
        size = np.sum(np.linalg.norm(feet, axis=-1), axis=0)
        if np.median(_length(ahead)[:, 0]) > ONE_WAY * np.median(size) > 0.0:
            return ahead / np.maximum(_length(ahead), 1e-300)
    starts = np.mean([motion.positions[:, limb.start] for limb in limbs], axis=0) * level
    moved = np.gradient(starts, axis=0) if len(starts) > 1 else 0.0 * starts
    if np.sum(_length(moved)) < 2.0 * np.median([limb.size for limb in limbs]):
        return None
    return moved / np.maximum(_length(moved), 1e-300)


def _length(vectors):
    return np.linalg.norm(vectors, axis=-1, keepdims=True)


def _sides(limbs, partners, toes, motion) -> list[Side | None]:
    sides: list[Side | None] = [limb.said.side for limb in limbs]
    unknown = [k for k, side in enumerate(sides) if side is None and partners[k] is not None]
    ahead = _forward(limbs, toes, motion) if unknown else None
    if ahead is None:
        return sides
    left = np.stack([ahead[:, 2], 0.0 * ahead[:, 1], -ahead[:, 0]], axis=-1)
    for k in unknown:
        apart = motion.positions[:, limbs[k].mid] - motion.positions[:, limbs[partners[k]].mid]
        sides[k] = "left" if np.sum(apart * left) > 0.0 else "right"
    return sides


def _places(limbs, partners, legs, toes, motion) -> dict[int, Place]:
    """Return front or hind for legs: by their names, or for the two pairs of a quadruped."""
    named = {k: limbs[k].said.place for k in legs if limbs[k].said.place}
    if len(legs) != 4 or len(named) == 4:
        return named
    arms = {k for k in legs if limbs[k].said.kind == "arm"}
    if len(arms) == 2:
        return {k: "front" if k in arms else "hind" for k in legs}
    ahead = _forward(limbs, toes, motion)
    if ahead is None:
        return named
    starts = {k: np.sum(motion.positions[:, limbs[k].start] * ahead) for k in legs}
    centre = sum(starts.values()) / 4.0
    pairs = [(k, partners[k]) for k in legs]
    if any(partner not in starts for _, partner in pairs):
        return named
    return {k: "front" if starts[k] + starts[p] > 2.0 * centre else "hind" for k, p in pairs}


def given_legs(clip: Clip, limbs: Limbs | Sequence[FoundLimb] | None) -> list[FoundLimb]:
    """Return the legs among limbs, or raise if they are not those of such a clip.

    By default those that are found.
    """
    given: Any = find_limbs(clip) if limbs is None else limbs
    try:
        legs = [limb for limb in getattr(given, "legs", given) if limb.kind == "leg"]
        most = {leg.name: max(leg.start, leg.mid, leg.end, leg.toe or 0) for leg in legs}
    except (AttributeError, TypeError) as error:
        raise ClipError("the limbs", "what `find_limbs` returns", repr(limbs)) from error
    count = len(clip.skeleton.parents)
    for name, joint in most.items():
        if joint >= count:
            raise ClipError("the limbs", f"joints below {count}", joint, field=name)
    return legs


def _named(limbs: list[FoundLimb]) -> Limbs:
    """Return limbs with names; those that would share one are numbered."""
    names = [
        " ".join(part for part in (limb.side, limb.place, limb.kind) if part) for limb in limbs
    ]
    for name, count in Counter(names).items():
        if count > 1:
            places = [k for k, each in enumerate(names) if each == name]
            for number, k in enumerate(places, 1):
                names[k] = f"{name} {number}"
    found = [limb._replace(name=name) for limb, name in zip(limbs, names, strict=True)]
    legs = tuple(limb for limb in found if limb.kind == "leg")
    return Limbs(legs, tuple(limb for limb in found if limb.kind == "arm"))
