"""Smooth curves through uncertain values: the Whittaker smoother, solved in vectorised steps.

A curve x minimises the sum of `weights (x - values)^2 + rests x^2` over all frames, and of
`stiffness (x[t - 1] - 2 x[t] + x[t + 1] + bends[t])^2` over all but the first and the last. Where a
value is uncertain it has a small weight, and the curve is smooth rather than close to it.

Source: Whittaker, "On a new method of graduation", 1923; Eilers, "A perfect smoother", 2003.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twobone.motion.curves import Flags

Floats = NDArray[np.float64]

LARGEST = 1e12  # weight of a value that is met; larger ones would only lose digits
LEAST = 1e-12  # of a rest, for the same reason


def smoother(
    values: Floats,
    weights: Floats,
    rests: Floats,
    bends: Floats | None = None,
    stiffness: Floats | None = None,
) -> Floats:
    """Return the curves (C, L, T) through values of this shape.

    Parameters
    ----------
    values : array, shape (C, L, T)
        The values; C components of L curves over T frames.
    weights : array, shape (L, T)
        How much values count, relative to second differences; 0 where a value is not known.
    rests : array, shape (L, T)
        How strongly curves are drawn to 0.
    bends : array, shape (C, L, T), optional
        Second differences that are added to those of the curve, such as of a motion that it
        corrects; the first and the last are not used.
    stiffness : array, shape (L, T), optional
        How much second differences count; by default 1.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion.whittaker import smoother
    >>> values, weights = np.array([[[0.0, 0.0, 3.0, 0.0, 0.0]]]), np.full((1, 5), 0.1)
    >>> smoother(values, weights, np.zeros((1, 5))).round(2)
    array([[[0.5 , 0.64, 0.72, 0.64, 0.5 ]]])
    """
    weights = np.minimum(weights, LARGEST)
    pulls = weights * values
    inner = np.ones_like(weights) if stiffness is None else stiffness.copy()
    inner[..., [0, -1]] = 0.0
    if bends is not None:
        pulls = pulls - _second_transposed(inner * bends)
    main = weights + np.maximum(rests, np.where(weights > 0.0, 0.0, LEAST)) + 4.0 * inner
    main[..., :-1] += inner[..., 1:]
    main[..., 1:] += inner[..., :-1]
    first, second = np.zeros_like(main), np.zeros_like(main)  # to the next frame, and the one after
    first[..., :-1] = -2.0 * (inner[..., :-1] + inner[..., 1:])
    second[..., :-2] = inner[..., 1:-1]
    return _solve(main, first, second, pulls)


def _second_transposed(bends: Floats) -> Floats:
    """Return the transpose of taking second differences, applied to them (..., T)."""
    out = -2.0 * bends
    out[..., :-1] += bends[..., 1:]
    out[..., 1:] += bends[..., :-1]
    return out


def _solve(main: Floats, first: Floats, second: Floats, right: Floats) -> Floats:
    """Solve symmetric systems with five diagonals (L, T)."""
    count = main.shape[-1]
    pad = count % 2
    main = np.pad(main, [(0, 0), (0, pad)], constant_values=1.0)
    first, second = (np.pad(each, [(0, 0), (0, pad)]) for each in (first, second))
    right = np.pad(np.moveaxis(right, 0, -1), [(0, 0), (0, pad), (0, 0)])
    # Pairs of frames are blocks, so that the system has three diagonals of blocks.
    blocks = (count + pad) // 2
    diagonal = np.zeros((len(main), blocks, 2, 2))
    diagonal[..., 0, 0], diagonal[..., 1, 1] = main[:, ::2], main[:, 1::2]
    diagonal[..., 0, 1] = diagonal[..., 1, 0] = first[:, ::2]
    upper = np.zeros_like(diagonal)
    upper[..., 0, 0], upper[..., 1, 1] = second[:, ::2], second[:, 1::2]
    upper[..., 1, 0] = first[:, 1::2]
    found = _reduce(diagonal, upper, right.reshape(len(main), blocks, 2, -1))
    return np.moveaxis(found.reshape(len(main), 2 * blocks, -1)[:, :count], -1, 0)


def _reduce(diagonal: Floats, upper: Floats, right: Floats) -> Floats:
    """Solve by cyclic reduction: every second block is eliminated, until one is left.

    It is a Cholesky factorisation in another order, and as accurate; all blocks of a round are
    computed at once.
    """
    blocks = diagonal.shape[1]
    if blocks == 1:
        return np.matmul(_inverse(diagonal), right)
    odd = blocks // 2
    back = _inverse(diagonal[:, 1::2])
    left = upper[:, 0 : 2 * odd : 2]  # from the block before each odd one to it
    next_ = upper[:, 1::2]  # from each odd one to the block after it; the last may have none
    after = (blocks - 1) // 2
    left_back = np.matmul(left, back)
    next_back = np.matmul(np.swapaxes(next_[:, :after], -1, -2), back[:, :after])
    right_odd = right[:, 1::2]
    kept, pulls = diagonal[:, ::2].copy(), right[:, ::2].copy()
    kept[:, :odd] -= np.matmul(left_back, np.swapaxes(left, -1, -2))
    kept[:, 1:] -= np.matmul(next_back, next_[:, :after])
    pulls[:, :odd] -= np.matmul(left_back, right_odd)
    pulls[:, 1:] -= np.matmul(next_back, right_odd[:, :after])
    across = np.zeros_like(kept)
    across[:, :after] = -np.matmul(left_back[:, :after], next_[:, :after])
    found = np.empty_like(right)
    found[:, ::2] = even = _reduce(kept, across, pulls)
    rest = right_odd - np.matmul(np.swapaxes(left, -1, -2), even[:, :odd])
    rest[:, :after] -= np.matmul(next_[:, :after], even[:, 1:])
    found[:, 1::2] = np.matmul(back, rest)
    return found


def _inverse(m: Floats) -> Floats:
    """Return the inverses of symmetric matrices (..., 2, 2)."""
    a, b, c = m[..., 0, 0], m[..., 0, 1], m[..., 1, 1]
    out = np.empty_like(m)
    out[..., 0, 0], out[..., 1, 1] = c, a
    out[..., 0, 1] = out[..., 1, 0] = -b
    return out / (a * c - b * b)[..., None, None]


def variances(values: Floats, on: Flags) -> Floats:
    """Return how uncertain values (C, L, T) are in the frames (L, T) that are `on`: variances.

    They are those of noise with the second differences that the values have, the largest of the
    three that a frame is part of. So single-frame errors are uncertain, and so are the frames
    beside them. Where fewer than three frames follow each other, nothing is known, and it is 0.
    """
    found = np.zeros(on.shape)
    if on.shape[-1] < 3:
        return found
    three = on[:, 2:] & on[:, 1:-1] & on[:, :-2]
    square = (np.diff(values, 2, axis=-1) ** 2).sum(0) / (6.0 * len(values))
    square = np.where(three, square, 0.0)
    for first in range(3):
        part = found[:, first : first + square.shape[-1]]
        np.maximum(part, square, out=part)
    return found
