"""Clips that are put on another ground: bodies are lifted, feet lifted and rotated to its slope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twobone.motion import chains, curves, holding, legs, writing
from twobone.motion.chains import Chains, Floats, rotate
from twobone.motion.clip import Clip
from twobone.motion.curves import Flags
from twobone.motion.feet import joints_needed
from twobone.motion.ground import ClipGround, Given, terrain_of
from twobone.motion.holding import Body
from twobone.motion.legs import Legs, Limb
from twobone.motion.writing import Change
from twobone.terrain.ground import Flat

NEAR = 0.15  # of a leg: feet that are higher than that above the ground keep their own slope
AHEAD = 0.06  # seconds; feet rise up to twice as long ahead of a step
SLOW = 0.2  # seconds; the body rises with its lower foot, evenly over twice as long


def conformed(
    clip: Clip,
    limbs: Sequence[Limb],
    on: dict[int, Flags],
    ground: Given,
    conform: Given,
    body: Body,
) -> tuple[Clip, ClipGround]:
    """Return a clip whose limbs in contact are as far above another ground as above their own.

    Parameters
    ----------
    clip : Clip
    limbs : sequence of limbs
        Those that are in contact in some frames.
    on : dict of int to array, shape (T,)
        In which frames joints are in contact.
    ground : number, function, terrain or None
        The clip's own ground; found by default.
    conform : number, function or terrain
        The other one.
    body : {"least", "keep", "follow"}
        With "keep" the body is not lifted.

    Returns
    -------
    Clip
        The clip; feet do not go below the new ground, and are not held yet.
    ClipGround
        The new ground, with the heights at which the joints of feet rest above their own.
    """
    placed = chains.forward(clip, joints_needed(clip.skeleton, limbs))
    own = _own_ground(clip, limbs, placed, ground, on)
    other = ClipGround(terrain_of(conform), clip.up, own.rests)
    at, up = legs.legs_of(placed, limbs), "xyz".index(clip.up)
    toes, _ = legs.stacked(placed, [_toe(limb) for limb in limbs])
    turns, ends, lifts = _feet(clip, limbs, at, toes, own, other)
    shift = np.zeros((3, len(clip)))
    if body != "keep":
        shift[up] = curves.smooth(lifts.min(0), _frames(clip, SLOW))
    hips = legs.shifted(at, shift[:, None])
    size, full = legs.length(ends - hips.start), legs.bones(at)
    # Limbs that are straight in the clip may be as straight as that again.
    usual = np.minimum(size, legs.length(at.end - at.start))
    size = np.maximum(holding.softened(size, full), usual)
    solved = legs.solve(hips, legs.at_distance(hips.start, ends, size))
    change = Change(shift, np.ones(size.shape), solved, turns, turns)
    return writing.write(clip, limbs, placed, at, change), other


def _own_ground(
    clip: Clip, limbs: Sequence[Limb], placed: Chains, ground: Given, on: dict[int, Flags]
) -> ClipGround:
    """Return the ground of a clip, with the heights at which joints of the limbs rest above it.

    A joint rests at the median height of it and its partner while in contact: feet may float, and
    may sink. If no ground is given, the lowest of these joints touches it.
    """
    found = terrain_of(0.0 if ground is None else ground)
    own, rests = ClipGround(found, clip.up), {}
    for pair in _pairs(limbs):
        for kind in ("end", "toe"):
            joints = {getattr(limb, kind): limb for limb in pair}
            joints.pop(None, None)
            heights = [
                own.clearance(placed.positions[joint][:, _frames_of(limb, joint, on, clip)].T)
                for joint, limb in joints.items()
            ]
            if heights:
                rests |= dict.fromkeys(joints, float(np.median(np.concatenate(heights))))
    if ground is not None:
        return ClipGround(found, clip.up, rests)
    level = min(rests.values())
    return ClipGround(Flat(level), clip.up, {joint: rest - level for joint, rest in rests.items()})


def _pairs(limbs: Sequence[Any]) -> list[list[Any]]:
    """Return limbs one by one, but for a left and a right one that were found: these rest alike."""
    found: dict[Any, list[Any]] = {}
    for number, limb in enumerate(limbs):
        alike = (limb.kind, limb.place) if hasattr(limb, "place") else number
        found.setdefault(alike, []).append(limb)
    two = [pair for pair in found.values() if len(pair) == 2]
    return [*two, *([limb] for pair in found.values() if len(pair) != 2 for limb in pair)]


def _frames_of(limb: Limb, joint: int, on: dict[int, Flags], clip: Clip) -> Flags:
    """Return the frames in which a joint is in contact or, if it never is, its limb."""
    none = np.zeros(len(clip), bool)
    flags = {each: on.get(each, none) for each in (limb.end, limb.toe) if each is not None}
    return flags[joint] if flags[joint].any() else np.any([*flags.values()], axis=0)


def _feet(
    clip: Clip, limbs: Sequence[Limb], at: Legs, toes: Floats, own: ClipGround, other: ClipGround
) -> tuple[Floats, Floats, Floats]:
    """Return the rotations (4, L, T) of feet, where ends are (3, L, T), and their lifts (L, T)."""
    up, foot = "xyz".index(clip.up), toes - at.end
    middle = at.end + 0.5 * foot
    rests = [
        np.array([own.rests[joint] for joint in joints])[:, None]
        for joints in ([limb.end for limb in limbs], [_toe(limb) for limb in limbs])
    ]
    above = [
        np.maximum(_above(own, points) - rest, 0.0)
        for points, rest in zip((at.end, toes), rests, strict=True)
    ]
    size = np.median(legs.bones(at), axis=-1, keepdims=True)
    near = 1.0 - curves.ease(np.minimum(*above) / (NEAR * size))
    before, after = (_normals(ground, middle) for ground in (own, other))
    after = legs.direction(curves.smooth(after, _frames(clip, AHEAD)))
    turns = legs.arcs(before, before + near * (after - before))
    turned = rotate(turns, foot)
    ends = middle - 0.5 * turned
    needed = []
    for points, rest, clear in zip((ends, ends + turned), rests, above, strict=True):
        # On a slope a sole is as thick as on level ground, but not along the vertical.
        thick = rest / np.maximum(after[up], legs.TINY)
        needed.append(clear + thick - _above(other, points))
    lifts = np.maximum(*needed)
    least = lifts.min()
    lifts = least + curves.envelope(lifts - least, _frames(clip, AHEAD))
    ends[up] += lifts
    return turns, ends, lifts


def _above(ground: ClipGround, points: Floats) -> Floats:
    """Return how high points (3, L, T) are above a ground."""
    return ground.clearance(np.moveaxis(points, 0, -1))


def _normals(ground: ClipGround, points: Floats) -> Floats:
    return np.moveaxis(ground.normal(np.moveaxis(points, 0, -1)), -1, 0)


def _toe(limb: Limb) -> int:
    return limb.end if limb.toe is None else limb.toe


def _frames(clip: Clip, seconds: float) -> int:
    return max(round(seconds * clip.fps), 1)
