"""The rotations of one body, copied to another of other proportions and rest pose.

Both bodies are compared as they stand. What a joint is rotated from there, in the world, the other
body's joint of the same role is rotated as well, after its bones were turned to the directions that
they have in the first one. Quaternions have components last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from twobone.motion import legs
from twobone.motion.bodies import Figure, axes
from twobone.motion.chains import Floats
from twobone.motion.limbs import FoundLimb
from twobone.rotations import inverse, matrix_to_quaternion, multiply, rotate, slerp

LEVEL = np.array([1.0, 0.0, 1.0])
UP = np.array([0.0, 1.0, 0.0])
NONE = np.array([0.0, 0.0, 0.0, 1.0])
STEEP = 0.98  # sine of the steepest foot that can be turned to be flat


def rotations(source: Figure, other: Figure, turned: Floats) -> dict[int, Floats]:
    """Return the rotations (T, 4), y up, of the joints of the other body that have a role.

    `turned` (T, J, 4) are those of the source, y up.
    """
    a, b = source.parts, other.parts
    moved = multiply(turned, inverse(source.standing.rotations))
    lean = matrix_to_quaternion(axes(source.standing, a) @ axes(other.standing, b).T)
    rest = multiply(lean, other.standing.rotations)
    made = {joint: multiply(moved[:, a.hips[-1]], rest[joint]) for joint in b.hips}
    chains = (
        ((a.hips[-1], *a.spine), (b.hips[0], *b.spine)),
        ((a.chest, *a.neck), (b.chest, *b.neck)),
    )
    for from_, to in chains:
        for joint, turn in _along(source, other, moved, from_, to):
            made.setdefault(joint, multiply(turn, rest[joint]))
    for mine, theirs in zip(a.collars, b.collars, strict=True):
        for place, joint in enumerate(theirs):
            like = mine[min(place, len(mine) - 1)] if mine else a.chest
            made[joint] = multiply(moved[:, like], rest[joint])
    for mine, theirs in zip((*a.legs, *a.arms), (*b.legs, *b.arms), strict=True):
        made |= _limb(source, other, moved, mine, theirs, lean)
    for mine, theirs in zip(a.legs, b.legs, strict=True):
        made |= _foot(source, other, moved, mine, theirs, lean)
    return made


def arcs(v: Floats, w: Floats) -> Floats:
    """Return the shortest rotations (..., 4) from directions (..., 3) to others."""
    return np.moveaxis(legs.arcs(np.moveaxis(v, -1, 0), np.moveaxis(w, -1, 0)), 0, -1)


def _limb(
    source: Figure, other: Figure, moved: Floats, mine: FoundLimb, theirs: FoundLimb, lean: Floats
) -> dict[int, Floats]:
    """Return the rotations of a limb: its bones point to where those of the source do."""
    made, aligned = {}, lean
    a, b = (mine.start, mine.mid, mine.end), (theirs.start, theirs.mid, theirs.end)
    for k in range(3):
        if k < 2:
            bone = source.standing.positions[a[k + 1]] - source.standing.positions[a[k]]
            own = other.standing.positions[b[k + 1]] - other.standing.positions[b[k]]
            aligned = multiply(arcs(rotate(aligned, own), bone), aligned)
        standing = multiply(aligned, other.standing.rotations[b[k]])
        made[b[k]] = multiply(moved[:, a[k]], standing)
    return made


def _foot(
    source: Figure, other: Figure, moved: Floats, mine: FoundLimb, theirs: FoundLimb, lean: Floats
) -> dict[int, Floats]:
    """Return the rotations of a foot and its toes: flat where those of the source are flat."""
    flat, aligned = NONE, lean
    if mine.toe is not None:
        bone = source.standing.positions[mine.toe] - source.standing.positions[mine.end]
        drop = source.rests[mine.toe] - source.rests[mine.end]
        flat = arcs(bone, at_height(bone, np.asarray(drop)))
        if theirs.toe is not None:
            own = other.standing.positions[theirs.toe] - other.standing.positions[theirs.end]
            aligned = multiply(arcs(rotate(lean, own) * LEVEL, bone * LEVEL), lean)
    made = {}
    toe = mine.end if mine.toe is None else mine.toe
    for joint, like in ((theirs.end, mine.end), (theirs.toe, toe)):
        if joint is not None:
            turn = multiply(moved[:, like], inverse(flat))
            made[joint] = multiply(turn, multiply(aligned, other.standing.rotations[joint]))
    return made


def at_height(bone: Floats, rise: Floats) -> Floats:
    """Return bones (..., 3), y up, of the same length and heading that rise by so much (...)."""
    size = np.linalg.norm(bone, axis=-1)
    rise = np.clip(rise, -STEEP * size, STEEP * size)
    level = bone * LEVEL
    wide = np.maximum(np.linalg.norm(level, axis=-1), legs.TINY)
    return level * (np.sqrt(size * size - rise * rise) / wide)[..., None] + rise[..., None] * UP


def _along(
    source: Figure, other: Figure, moved: Floats, from_: Sequence[int], to: Sequence[int]
) -> Iterator[tuple[int, Floats]]:
    """Yield the joints of a chain, and the rotation that a chain has at the same part of it."""
    parts, own = _fractions(source, from_), _fractions(other, to)
    for joint, part in zip(to, own, strict=True):
        after = min(int(np.searchsorted(parts, part)), len(parts) - 1)
        before = max(after - 1, 0)
        step = parts[after] - parts[before]
        share = (part - parts[before]) / step if step > 0.0 else 1.0
        yield joint, slerp(moved[:, from_[before]], moved[:, from_[after]], min(share, 1.0))


def _fractions(figure: Figure, joints: Sequence[int]) -> Floats:
    """Return how far down a chain its joints are: 0 for the first, 1 for the last."""
    bones = np.diff(figure.standing.positions[[*joints]], axis=0)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(bones, axis=-1))])
    if not lengths[-1] > 0.0:
        return np.linspace(0.0, 1.0, len(joints))
    return lengths / lengths[-1]
