"""Roots of trigonometric polynomials in intervals: all of them, however near to each other.

In an interval around `m`, with `t = tan((q - m) / 2)`, a trigonometric polynomial of degree n in q
is a polynomial of degree 2n in t, divided by `(1 + t^2)^n`. Its Bernstein coefficients follow from
2n + 1 of its values. As many roots are in the interval as the coefficients change their signs, or
fewer by an even number (Descartes; Lane and Riesenfeld, "Bounds on a polynomial", BIT 21, 1981). So
none or one change decides, and other intervals are halved; the coefficients of the halves are means
of those of the whole, which costs no digits (de Casteljau). Where the polynomial is so small that
rounding could have changed a sign, it is evaluated again, in that part alone.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from twobone.core.array_types import NDArray

WIDEST = 1.6  # radians: intervals that are wider are cut first
NARROWEST = 1e-10  # radians: in what is narrower, a change of signs that is unclear is a root
LOST = 2.0**-51  # of the greatest value: by how much rounding changes values
COARSE, NOTHING = 64.0, 4.0  # times what is lost: coefficients computed again, and taken as 0
FEWER = 4, 8  # degrees in t that may do for narrow cells
MOST_STEPS = 60  # of Newton's method and halving
CLOSE = 1e-13  # of a cell: how far a root may still be


class Values(NamedTuple):
    """Values of some polynomials in cells."""

    values: NDArray[np.float64]  # (cells, nodes, polynomials)
    noise: NDArray[np.float64]  # the same shape: by how much rounding may have changed them


class Cells(NamedTuple):
    """Intervals, and a polynomial in each. `t` is 1 at the end of what was sampled."""

    rows: NDArray[np.intp]
    which: NDArray[np.intp]  # of the polynomials
    middle: NDArray[np.float64]
    scale: NDArray[np.float64]  # tan of a quarter of the width of what was sampled
    low: NDArray[np.float64]  # t
    high: NDArray[np.float64]
    coefficients: NDArray[np.float64]  # (cells, 2n + 1)
    lost: NDArray[np.float64]  # by how much these may be off

    def of(self, mask) -> Cells:
        """Return some of the cells."""
        parts: list = [part[mask] for part in self]
        return Cells(*parts)

    def angle(self, t):
        """Return the angles of places in the cells."""
        return self.middle + 2.0 * np.arctan(t * self.scale)


def roots_in(
    evaluate: Callable[[NDArray[np.intp], NDArray[np.float64]], Values],
    degree: int,
    rows: NDArray[np.intp],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return all roots of trigonometric polynomials in intervals: their rows, and the angles.

    Roots may be returned twice. Where a polynomial only touches 0, or is 0 up to rounding in some
    part, one or two angles there are returned too.

    Parameters
    ----------
    evaluate : function
        Returns the values of the polynomials for rows (n) and angles, shape (n, nodes).
    degree : int
        The greatest degree of a polynomial.
    rows, low, high : array, shape (n)
        The intervals, and what they are passed as to `evaluate`.
    """
    found: list[tuple[NDArray, NDArray]] = [(rows[:0], low[:0])]
    singles = []
    rows, low, high = _cut(rows, low, high)
    only: NDArray | None = None
    while len(rows):
        cells = _sampled(evaluate, degree, rows, low, high, only)
        nothing = np.abs(cells.coefficients).max(axis=-1) <= NOTHING * cells.lost
        found += [(cells.rows[nothing], cells.angle(t)[nothing]) for t in (cells.low, cells.high)]
        cells = cells.of(~nothing)
        again = [cells.of(slice(0))]
        while len(cells.rows):
            changes, clear = _changes(cells)
            singles.append(cells.of(clear & (changes == 1)))
            cells = cells.of(~clear | (changes > 1))
            narrow = cells.angle(cells.high) - cells.angle(cells.low) < NARROWEST
            found.append((cells.rows[narrow], cells.angle(0.5 * (cells.low + cells.high))[narrow]))
            cells = _halved(cells.of(~narrow))
            coarse = np.abs(cells.coefficients).max(axis=-1) < COARSE * cells.lost
            again.append(cells.of(coarse))
            cells = cells.of(~coarse)
        rows = np.concatenate([each.rows for each in again])
        only = np.concatenate([each.which for each in again])
        low = np.concatenate([each.angle(each.low) for each in again])
        high = np.concatenate([each.angle(each.high) for each in again])
    if singles:
        single = _together(singles)
        found.append((single.rows, single.angle(_only_roots(single))))
    return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])


def _together(cells):
    """Return some cells as one."""
    return Cells(*(np.concatenate(parts) for parts in zip(*cells, strict=True)))


def _cut(rows, low, high):
    """Return intervals of which none is wide."""
    counts = np.ceil((high - low) / WIDEST).astype(int)
    counts = np.maximum(counts, 1)
    place = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    width = np.repeat((high - low) / counts, counts)
    start = np.repeat(low, counts) + place * width
    last = place == np.repeat(counts, counts) - 1
    return np.repeat(rows, counts), start, np.where(last, np.repeat(high, counts), start + width)


def _sampled(evaluate, degree, rows, low, high, only):
    """Return cells with the Bernstein coefficients of polynomials, all or one each."""
    nodes = _nodes(degree)
    middle, scale = 0.5 * (low + high), np.tan(0.25 * (high - low))
    t = scale[:, None] * nodes
    values, noise = evaluate(rows, middle[:, None] + 2.0 * np.arctan(t))
    factor = ((1.0 + t * t) ** degree)[..., None]
    values, noise = values * factor, (noise * factor).max(axis=1)
    if only is None:
        count = values.shape[-1]
        which = np.tile(np.arange(count), len(rows))
        rows, middle, scale = (np.repeat(part, count) for part in (rows, middle, scale))
        values, noise = np.moveaxis(values, 1, 2).reshape(-1, len(nodes)), noise.reshape(-1)
    else:
        which, at = only, np.arange(len(rows))
        values, noise = values[at, :, only], noise[at, only]
    coefficients, lost = _bernstein(degree, values, LOST * np.abs(values).max(axis=-1) + noise)
    ends = np.ones(len(rows))
    return Cells(rows, which, middle, scale, -ends, ends, coefficients, lost)


def _bernstein(degree, values, noise):
    """Return Bernstein coefficients, and by how much they may be off.

    A polynomial of less degree has less of them to lose digits in. It does where the polynomial is
    near it; as near as at the nodes, times the Lebesgue constant.
    """
    every, lebesgue = _fits(degree)
    best, lost = np.empty_like(values), np.full(len(values), math.inf)
    for matrix, there, amplifies in every:
        off = lebesgue * np.abs(values - values @ there.T).max(axis=-1) + amplifies * noise
        better = off < lost
        best = np.where(better[:, None], values @ matrix.T, best)
        lost = np.where(better, off, lost)
    return best, lost


@functools.cache
def _fits(degree):
    """Return what makes Bernstein coefficients of values: a tuple for each degree that may do.

    It has the matrix from values at the nodes to coefficients, that to the values of these, and by
    how much the former amplifies noise. The second result is the Lebesgue constant of the nodes.
    """
    nodes, full = _nodes(degree), 2 * degree
    count = len(nodes)
    every = []
    for fewer in (full, *(each for each in FEWER if each < full)):
        k = np.arange(fewer + 1)
        waves = np.cos(np.arccos(nodes)[:, None] * k)  # Chebyshev polynomials
        fit = waves.T * np.where(k == 0, 1.0, 2.0)[:, None] / count
        matrix = _bernstein_of_chebyshev(fewer, full) @ fit
        every.append((matrix, waves @ fit, np.abs(matrix).sum(axis=-1).max()))
    return every, 2.0 / math.pi * math.log(count) + 1.0


def _nodes(degree):
    """Return the nodes of Chebyshev, in (-1, 1)."""
    count = 2 * degree + 1
    return np.cos(math.pi * (np.arange(count) + 0.5) / count)


def _bernstein_of_chebyshev(fewer, full):
    """Return the matrix from coefficients of Chebyshev polynomials to those of more degree."""
    # T(k) has the coefficients (-1)^(k + i) C(2k, 2i) / C(k, i), and each degree more is a mean.
    columns = []
    for k in range(fewer + 1):
        row = [
            Fraction((-1) ** (k + i) * math.comb(2 * k, 2 * i), math.comb(k, i))
            for i in range(k + 1)
        ]
        for m in range(k, full):
            padded = [Fraction(0), *row, Fraction(0)]
            row = [
                Fraction(i, m + 1) * padded[i] + (1 - Fraction(i, m + 1)) * padded[i + 1]
                for i in range(m + 2)
            ]
        columns.append([float(each) for each in row])
    return np.array(columns).T


def _changes(cells):
    """Return how often the signs of coefficients change, and whether these are clear."""
    found = cells.coefficients
    clear = (np.abs(found) > cells.lost[:, None]).all(axis=-1)
    signs = found > 0.0
    return (signs[:, 1:] != signs[:, :-1]).sum(axis=-1), clear


def _halved(cells):
    """Return both halves of cells."""
    left, right, row = [], [], cells.coefficients.T
    for _ in range(len(row)):
        left.append(row[0])
        right.append(row[-1])
        row = 0.5 * (row[1:] + row[:-1])
    middle = 0.5 * (cells.low + cells.high)
    halves = (
        cells._replace(high=middle, coefficients=np.stack(left, axis=-1)),
        cells._replace(low=middle, coefficients=np.stack(right[::-1], axis=-1)),
    )
    return _together(halves)


def _only_roots(cells):
    """Return the only root in each cell, as t: Newton's method, halving where that leaves it."""
    every = np.empty(len(cells.rows))
    left, lost, at = cells.coefficients.T, cells.lost / COARSE, np.arange(len(every))
    low, high = np.zeros(len(at)), np.ones(len(at))
    # The coefficients, one after the other, are near the polynomial: it begins where they are 0.
    k = ((left[1:] > 0.0) != (left[:-1] > 0.0)).argmax(axis=0)
    one, two = left[k, at], left[k + 1, at]
    x = (k + one / (one - two)) / (len(left) - 1)
    for _ in range(MOST_STEPS):  # unreached: more-steps
        value, slope = _value(left, x)
        before = (value > 0.0) == (left[0] > 0.0)
        low, high = np.where(before, x, low), np.where(before, high, x)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = x - value / slope
        following = np.where((step >= low) & (step <= high), step, 0.5 * (low + high))
        every[at] = following
        moves = (np.abs(following - x) > CLOSE) & (np.abs(value) > lost)
        x, low, high, at = (part[moves] for part in (following, low, high, at))
        left, lost = left[:, moves], lost[moves]
        if not len(at):
            break
    return cells.low + every * (cells.high - cells.low)


def _value(coefficients, x):
    """Return the values and derivatives of polynomials at places in (0, 1)."""
    row = coefficients
    for _ in range(len(row) - 2):
        row = row[:-1] + x * (row[1:] - row[:-1])
    slope = row[1] - row[0]
    return row[0] + x * slope, (len(coefficients) - 1) * slope
