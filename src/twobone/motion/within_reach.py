"""Anchors out of reach at any height of the hips: the nearest that limbs reach in all frames."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from twobone.motion.footplants import Plants

Floats = NDArray[np.float64]

INSIDE = 1e-9  # of the reach: anchors are brought this far into it, so that rounding is no miss
ROUNDS = 64  # of taking one more frame into account; a few are usual


def moves(contacts: Plants, away: Floats, limits: Floats, up: int) -> Floats:
    """Return by how much to move the anchors of contacts, (3, N), so that limbs reach them.

    They are moved along the ground, as little as possible, to where the limb reaches them in all
    frames of the contact; anchors for which there is no such place are not moved.

    `contacts` are those of feet: heels and toes move together. `away` (3, L, T) is the way from
    the start of a limb to where its end must be, and `limits` (L, T) how far it reaches.
    """
    moved = np.zeros((3, len(contacts.spans)))
    level = [axis for axis in range(3) if axis != up]
    square = limits * limits
    over = contacts.held & ((away * away).sum(0) > square * (1.0 + 4.0 * INSIDE))
    if not over.any():
        return moved
    radii = np.sqrt(np.maximum(square - away[up] ** 2, 0.0)) * (1.0 - INSIDE)
    for n in np.unique(contacts.index[over]).tolist():
        limb, first, stop = contacts.spans[n].tolist()
        point = nearest(-away[level, limb, first:stop], radii[limb, first:stop])
        if point is not None:
            moved[level, n] = point
    return moved


def nearest(centres: Floats, radii: Floats) -> Floats | None:
    """Return the point (2,) nearest to 0 that is in all discs; None if there is none.

    `centres` has shape (2, N), `radii` (N). At most two discs determine the point. They are found
    by adding the disc that the point is farthest outside of, and solving for these three exactly.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion.within_reach import nearest
    >>> nearest(np.array([[3.0, 0.0], [0.0, 4.0]]), np.array([2.0, 5.0]))
    array([1., 0.])
    """
    point, deciding = np.zeros(2), []
    slack = 0.1 * INSIDE * (float(radii.max()) + float(np.abs(centres).max()))
    for _ in range(ROUNDS):
        over = np.hypot(*(centres - point[:, None])) - radii
        worst = int(over.argmax())
        if over[worst] <= slack:
            return point
        best = None
        some = {*deciding, worst}
        for discs in (*combinations(some, 1), *combinations(some, 2)):
            for candidate in _candidates(centres[:, discs], radii[list(discs)]):
                others = list(some - {*discs})
                apart = np.hypot(*(centres[:, others] - candidate[:, None])) - radii[others]
                inside = (apart <= slack).all()
                if inside and (best is None or np.hypot(*candidate) < np.hypot(*best)):
                    best, deciding = candidate, list(discs)
        if best is None:
            return None
        point = best
    return None  # unreached: endless


def _candidates(centres: Floats, radii: Floats) -> list[Floats]:
    """Return the point of a disc that is nearest to 0, or where the circles of two discs meet."""
    first = centres[:, 0]
    if len(radii) == 1:
        size = np.hypot(*first)
        return [first * (1.0 - radii[0] / size)] if size > radii[0] else [np.zeros(2)]
    between = centres[:, 1] - first
    size = np.hypot(*between)
    along = (radii[0] ** 2 - radii[1] ** 2 + size**2) / (2.0 * size) if size > 0.0 else np.inf
    square = radii[0] ** 2 - along**2
    if not square >= 0.0:
        return []
    direction = between / size
    aside = np.sqrt(square) * np.array([-direction[1], direction[0]])
    return [first + along * direction + aside, first + along * direction - aside]
