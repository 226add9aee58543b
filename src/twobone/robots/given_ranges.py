"""The intervals of a joint that is given in which all joints are within their limits.

They begin and end where a joint is at a limit, or where branches meet and end. All of these angles
are roots of polynomials (`given_limits`): first those of the three joints that bring the wrist to
its place, then, in the intervals that these leave, those of the three joints whose axes meet. So no
interval is missed. Between two roots nothing changes, and one angle tells.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.core.arrays import NUMPY
from twobone.core.batches import NUMBER, VECTOR
from twobone.core.exact import FLOAT64
from twobone.robots import pose_branches, redundant
from twobone.robots.closed_form import NAN, REACHED, SLACK, is_reached
from twobone.robots.given_limits import DEGREES, Limits, knows
from twobone.robots.intervals import TINY, joined, pairs
from twobone.robots.pose_branches import flat
from twobone.robots.pose_choice import sound_pose
from twobone.robots.pose_limb import pose_of_parts, tail_of_rotation
from twobone.robots.roots import roots_in
from twobone.robots.rows import Output, Task

ROWS = 1024  # at a time: intermediate results fit the cache
NEAR = 1e-7  # radians: edges are within this of their roots, but where roots almost meet
STEPS = 60  # to an edge, at most: halvings to its last digit
EXACT = 2.0**-44  # radians: an angle is at its limit
LAST_DIGITS = 2.0**-51
SCANNED = 256  # angles that are tried if the polynomials are not known


class Parts(NamedTuple):
    """Parts of the span of the given joint."""

    rows: NDArray[np.intp]  # in order
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class Segments(NamedTuple):
    """Parts in each of which nothing changes, one after the other."""

    rows: NDArray[np.intp]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    at: NDArray[np.float64]  # the angle that tells
    inside: NDArray[np.bool_]  # (segments, branches)


def ranges_of(limb, position, rotation):
    """Return the intervals of rows, shape (rows, branches, k, 2).

    If the polynomials are not known, `SCANNED` angles are tried, and an interval between two of
    them may be missed.
    """
    kept, count = limb._codes.kept, len(position)
    if "limits" not in kept:
        kept["limits"] = Limits(limb._problem) if knows(limb._problem) else None
    limits = kept["limits"]
    found = []
    for i in range(0, count, ROWS):
        rows = position[i : i + ROWS], rotation[i : i + ROWS]
        parts = _scanned(limb, *rows) if limits is None else _computed(limb, limits, *rows)
        found.append(_intervals(limb, parts, *rows))
    most = max((part.shape[2] for part in found), default=1)
    whole = np.full((count, len(limb._problem.signs), most, 2), NAN)
    for i, part in enumerate(found):
        whole[i * ROWS : i * ROWS + len(part), :, : part.shape[2]] = part
    return whole


def turns_freely(limb):
    """Return whether the joint that is given has no limits, so that its angles are a circle."""
    return not redundant.is_narrow(*limb.limits[limb._problem.number].tolist())


def _span(limb):
    if turns_freely(limb):
        return -math.pi, math.pi
    return limb.limits[limb._problem.number].tolist()


# --- segments -----------------------------------------------------------------------------


def _computed(limb, limits, position, rotation):
    """Return the segments between all roots."""
    parts = *position.T, *rotation.reshape(len(rotation), -1).T
    count = position.shape[1]
    with np.errstate(all="ignore"):
        pose, valid = sound_pose(NUMPY, FLOAT64, limb._problem, parts[:count], parts[count:])
    place, turn = np.stack(pose.position, -1), np.stack(flat(pose.rotation), -1)
    rows, (low, high) = np.flatnonzero(valid), _span(limb)
    whole = Parts(rows, np.full(len(rows), low), np.full(len(rows), high))
    first = roots_in(limits.evaluate(0, place, turn), DEGREES[0], *whole)
    left = _cut(whole, *first)
    fits = _may_fit(limb, limits, left, position, rotation)
    left = Parts(left.rows[fits], left.low[fits], left.high[fits])
    last = roots_in(limits.evaluate(1, place, turn), DEGREES[1], *_joined(left))
    found = _cut(whole, *last, *left)
    return _tested(limb, found, 0.5 * (found.low + found.high), position, rotation)


def _cut(whole, more, cuts, *ends):
    """Return the parts between all ends and cuts; parts of no length are left out."""
    rows, *angles = whole
    rows, angles = [rows, rows, more], [*angles, cuts]
    if ends:
        rows, angles = [*rows, ends[0], ends[0]], [*angles, *ends[1:]]
    rows, angles = np.concatenate(rows), np.concatenate(angles)
    order = np.lexsort((angles, rows))
    rows, angles = rows[order], angles[order]
    keep = (rows[1:] == rows[:-1]) & (np.diff(angles) >= TINY)
    return Parts(rows[:-1][keep], angles[:-1][keep], angles[1:][keep])


def _joined(parts):
    """Return parts of which those that touch are one."""
    apart = (parts.rows[1:] != parts.rows[:-1]) | (parts.low[1:] != parts.high[:-1])
    first, last = np.append(True, apart), np.append(apart, True)
    some = slice(0, len(parts.rows))
    return Parts(parts.rows[first[some]], parts.low[first[some]], parts.high[last[some]])


def _may_fit(limb, limits, parts, position, rotation):
    """Return whether the first three joints are within their limits in a branch."""
    at = 0.5 * (parts.low + parts.high)
    found = limb.solve_all(position[parts.rows], rotation[parts.rows], swivel=at)
    numbers = [i + (limb._problem.number == 0) for i in limb._problem.six.view.numbers[:3]]
    (low, high), three = limb.limits[numbers].T, found.angles[..., numbers]
    fits = ((three >= low - SLACK) & (three <= high + SLACK)).all(axis=-1)
    # A rotation that the last three do not reach here may be reached elsewhere in this part.
    return (fits & (is_reached(found.status) | (not limits.reaches_all))).any(axis=-1)


def _tested(limb, parts, at, position, rotation):
    found = limb.solve_all(position[parts.rows], rotation[parts.rows], swivel=at)
    inside = found.within & is_reached(found.status)
    return Segments(parts.rows, parts.low, parts.high, at, inside)


def _scanned(limb, position, rotation):
    """Return the segments around angles that are tried."""
    low, high = _span(limb)
    at = np.linspace(low, high, SCANNED)
    cuts = np.array([at[0], *(0.5 * (at[1:] + at[:-1])), at[-1]])
    count = len(position)
    rows = np.repeat(np.arange(count), SCANNED)
    lows, highs, at = (np.tile(part, count) for part in (cuts[:-1], cuts[1:], at))
    return _tested(limb, Parts(rows, lows, highs), at, position, rotation)


# --- edges --------------------------------------------------------------------------------


def _intervals(limb, segments, position, rotation):
    """Return the intervals that segments make together, shape (rows, branches, k, 2)."""
    count, rows = len(position), segments.rows
    first = np.searchsorted(rows, np.arange(count + 1))  # the first segment of each row
    column = np.arange(len(rows)) - first[rows]
    last = first[rows + 1] - 1
    wraps = turns_freely(limb)
    before = np.where(column > 0, np.arange(len(rows)) - 1, last)
    after = np.where(np.arange(len(rows)) < last, np.arange(len(rows)) + 1, first[rows])
    shape = count, max(1, int(column.max(initial=0)) + 1)
    inside = segments.inside
    edges = []
    for other, edge, turn, at_end in (
        (before, segments.low, -math.tau, column == 0),
        (after, segments.high, math.tau, np.arange(len(rows)) == last),
    ):
        stops = (at_end & (not wraps))[:, None]
        ends = inside & (stops | ~inside[other])
        k, branches = np.nonzero(ends & ~stops)
        outside = segments.at[other[k]] + np.where(at_end[k], turn, 0.0)
        margin = _margin(limb, position[rows[k]], rotation[rows[k]], branches)
        values = np.repeat(edge[:, None], inside.shape[1], axis=1)
        values[k, branches] = _edges(margin, segments.at[k], edge[k], outside)
        edges.append((ends, values))
    found = []
    for branch in range(inside.shape[1]):
        padded = []
        for part in (part[:, branch] for each in edges for part in each):
            padded.append(np.zeros(shape, part.dtype))
            padded[-1][rows, column] = part
        starts, lows, ends, highs = padded
        one = pairs(starts, ends, lows, highs, wraps=wraps)
        if wraps:
            every = np.zeros(count, bool)
            every[rows] = True
            np.logical_and.at(every, rows, inside[:, branch])
            one[every, 0] = -math.pi, math.pi
        found.append(one)
    return joined(found)


def _edges(margin, inside, roots, outside):
    """Return where margins become negative, between angles inside and outside, near some roots.

    Where margins are known on both sides, they are 0 there (false position). Where a branch ends,
    that is the root, unless rounding has taken it outside (halving).
    """
    found, every = roots.copy(), np.arange(len(roots))
    y = margin(every, roots)
    left = np.flatnonzero(~(np.abs(y) <= EXACT))
    x, y, inside, outside = roots[left], y[left], inside[left], outside[left]
    near = np.minimum(NEAR, 0.25 * np.abs(outside - inside))
    step = np.copysign(near, outside - inside)
    a, b = x - step, x + step
    f, g = margin(left, a), margin(left, b)
    sound = (f >= 0.0) & ~(g >= 0.0)
    a, b = np.where(sound, a, inside), np.where(sound, b, outside)
    f, g = (np.where(sound, part, NAN) for part in (f, g))
    end, side = sound & np.isnan(g), np.zeros(len(x))
    for _ in range(STEPS):  # unreached: more-steps
        good, now = y >= 0.0, np.where(y >= 0.0, 1.0, -1.0)
        half = np.where(now == side, 0.5, 1.0)  # of the side that stays a second time
        a, b = np.where(good, x, a), np.where(good, b, x)
        f, g = np.where(good, y, f * half), np.where(good, g * half, y)
        done = np.abs(y) <= EXACT
        found[left] = np.where(done, x, a)
        more = ~(done | (good & end) | (np.abs(b - a) <= LAST_DIGITS))
        if not more.any():
            break
        left, end, side = left[more], end[more], now[more]
        a, b, f, g = a[more], b[more], f[more], g[more]
        with np.errstate(all="ignore"):
            x = a + (b - a) * (f / (f - g))
        x = np.where((x - a) * (x - b) < 0.0, x, 0.5 * (a + b))
        y = margin(left, x)
    return found


def _margin(limb, position, rotation, branches):
    """Return by how many radians all other joints are within their limits, in a branch per row.

    The result is a function of numbers of rows and angles of the given joint; it is NaN where the
    branch does not reach.
    """
    problem, rest = limb._problem, limb._rest
    signs = np.array(problem.signs)[branches]
    tails = {"position": VECTOR, "rotation": tail_of_rotation(rotation), "swivel": NUMBER}
    tails["signs"] = VECTOR

    def sound(xp, t, *, position, rotation, swivel, signs):
        pose, valid = sound_pose(xp, t, problem, position, rotation)
        parts = {"position": pose.position, "rotation": flat(pose.rotation)}
        return parts | {"swivel": swivel, "signs": signs}, valid

    def formula(xp, t, *, position, rotation, swivel, signs, slack):
        pose = pose_of_parts(position, rotation)
        found = redundant.raw(xp, t, problem, pose, rest, signs, swivel)
        found = pose_branches.finished(xp, t, problem, pose, found, slack)
        least = math.pi + 0.0 * found.status
        for i, (angle, (low, high)) in enumerate(zip(found.angles, problem.ranges, strict=True)):
            if i != problem.number and redundant.is_narrow(low, high):
                for part in (angle - low, high - angle):
                    least = xp.where(part < least, part, least)
        reached = (found.status == REACHED[0]) | (found.status == REACHED[1])
        return (xp.where(reached, least, NAN),)

    task = Task("margin", sound, formula, (Output((), NAN),))

    def margin(rows, angles):
        given = {"position": position[rows], "rotation": rotation[rows]}
        given |= {"swivel": angles, "signs": signs[rows]}
        return limb._codes.run(task, tails, given)[0]

    return margin
