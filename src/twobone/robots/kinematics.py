"""Forward kinematics of chains, their Jacobians, and Newton's method for axes that are not square.

These use the axes and offsets as the file has them, not those of the closed form.
"""

from typing import Any, NamedTuple

from twobone.core import batches, vectors
from twobone.core.formula import dot, largest, magnitude
from twobone.core.vectors import cross
from twobone.robots.chain import IDENTITY
from twobone.rotations import angles

STEPS = 2
MOST = 0.25  # radians by which a step may rotate a joint
FLAT = 2.0**-26  # the tip's velocities are in one plane if their volume is less, for unit lengths


def forward(xp, chain, found):
    """Return the position of the tip."""
    v = chain.offsets[-1]
    for joint, angle, offset in zip(
        chain.joints[::-1], found[::-1], chain.offsets[-2::-1], strict=True
    ):
        v = vectors.plus(angles.rotated_about(xp, joint.axis, angle, v), offset)
    return v


def pose(xp, chain, found):
    """Return the position of the tip, and the rotation from its pose while all angles are 0.

    The rotation is a matrix, a tuple of rows.
    """
    v, columns = chain.offsets[-1], IDENTITY
    for joint, angle, offset in zip(
        chain.joints[::-1], found[::-1], chain.offsets[-2::-1], strict=True
    ):
        v = vectors.plus(angles.rotated_about(xp, joint.axis, angle, v), offset)
        columns = [angles.rotated_about(xp, joint.axis, angle, each) for each in columns]
    return v, tuple(zip(*columns, strict=True))


def twists(xp, chain, found):
    """Return the derivative of the tip's pose with respect to each angle.

    Each is the velocity of the tip, and then its angular velocity.
    """
    v, columns = chain.offsets[-1], []
    for joint, angle, offset in zip(
        chain.joints[::-1], found[::-1], chain.offsets[-2::-1], strict=True
    ):
        v = angles.rotated_about(xp, joint.axis, angle, v)
        columns = [
            (
                *angles.rotated_about(xp, joint.axis, angle, each[:3]),
                *angles.rotated_about(xp, joint.axis, angle, each[3:]),
            )
            for each in columns
        ]
        columns.append((*cross(joint.axis, v), *joint.axis))
        v = vectors.plus(v, offset)
    return columns[::-1]


def damped(xp, columns, wanted, damping):
    """Return the angular velocities `q` that minimise `|J q - wanted|^2 + damping^2 |q|^2`.

    `columns` are those of `J`. q = J^T (J J^T + d^2)^-1 w = (J^T J + d^2)^-1 J^T w, of which the
    smaller matrix is solved for.
    """
    short, wide = _shorter(columns, wanted)
    matrix = _products(short)
    for row in matrix:
        row[-1] = row[-1] + damping * damping
    lower = cholesky(xp, matrix)
    y = list(wanted) if wide else [dot(column, wanted) for column in columns]
    count = len(y)
    for i in range(count):
        y[i] = (y[i] - sum(lower[i][k] * y[k] for k in range(i))) / lower[i][i]
    for i in reversed(range(count)):
        y[i] = (y[i] - sum(lower[k][i] * y[k] for k in range(i + 1, count))) / lower[i][i]
    return tuple(dot(column, tuple(y)) for column in columns) if wide else tuple(y)


def damped_near(xp, columns, wanted, damping):
    """Return `damped` velocities, damped only where the least pivot is below `damping` squared."""
    pivots = [row[-1] * row[-1] for row in cholesky(xp, _products(_shorter(columns, wanted)[0]))]
    least = pivots[0]
    for pivot in pivots[1:]:
        least = xp.where(pivot < least, pivot, least)
    missing = damping * damping - least
    more = xp.sqrt(xp.where(missing > 0.0, missing, 0.0)) if damping else 0.0
    return damped(xp, columns, wanted, more)


def _shorter(columns, wanted):
    """Return the rows or the columns of a matrix, whichever are fewer, and whether it is rows."""
    wide = len(wanted) <= len(columns)
    return (list(zip(*columns, strict=True)) if wide else columns), wide


def _products(vectors):
    """Return the lower triangle of the dot products of vectors."""
    return [[dot(u, v) for v in vectors[: i + 1]] for i, u in enumerate(vectors)]


def cholesky(xp, matrix):
    """Return the lower triangle whose product with its transposed one is a matrix.

    Numbers under a root that rounding made 0 or less are the smallest positive ones.
    """
    lower = []
    for i, row in enumerate(matrix):
        found = []
        for k in range(i):
            left = row[k] - sum(found[j] * lower[k][j] for j in range(k))
            found.append(left / lower[k][k])
        left = row[i] - sum(part * part for part in found)
        found.append(xp.sqrt(xp.where(left > 1e-300, left, 1e-300)))
        lower.append(found)
    return lower


def hip(xp, chain, yaw, found):
    """Return the position of the first parallel joint."""
    if not yaw:
        return chain.offsets[0]
    rotated = angles.rotated_about(xp, chain.joints[0].axis, found[0], chain.offsets[1])
    return vectors.plus(rotated, chain.offsets[0])


def jacobian(xp, chain, found):
    """Return the position of the tip, and its derivative with respect to each angle."""
    v, columns = chain.offsets[-1], []
    for joint, angle, offset in zip(
        chain.joints[::-1], found[::-1], chain.offsets[-2::-1], strict=True
    ):
        v = angles.rotated_about(xp, joint.axis, angle, v)
        columns = [angles.rotated_about(xp, joint.axis, angle, each) for each in columns]
        columns.append(cross(joint.axis, v))
        v = vectors.plus(v, offset)
    return v, columns[::-1]


# --- axes that are not square -------------------------------------------------------------
#
# In the frame that the first joint rotates, the tip is at `(b, c, a)`, whatever the angle of that
# joint is. So only the parallel joints are solved for: the tip must have the height `a` and the
# distance from the first axis that the target has. What remains is exact, the first angle.


class Wanted(NamedTuple):
    """Where the tip must be, in the frame that the first joint rotates."""

    radius: Any  # its distance from the first axis; None if there is no first joint
    across: tuple  # the target in b and c
    up: Any


def in_frame(xp, g, bends, end):
    """Return the position of the tip in the frame, from the first axis, before that rotates.

    `bends` are the angles of the parallel joints, and `end` is the tip from the last of them.
    """
    for axis, angle, place in zip(g.hinges[::-1], bends[::-1], g.places[::-1], strict=True):
        end = vectors.plus(angles.rotated_about(xp, axis, angle, end), place)
    return end


def corrected(xp, g, bends, end, wanted, sign, enough):
    """Return angles of the parallel joints after at most two Newton steps, the tip, and its miss.

    The steps keep the pitch of an arm. A step that does not bring the tip nearer, or rotates a
    joint by more than MOST, is not taken, and none is taken where the tip misses by far more than
    axes that are not square explain, or by no more than `enough`.
    """
    x, v, w = slopes(xp, g, bends, end)
    square, far = miss_of(xp, x, wanted), reasonable(g)
    close = square <= far * far
    for _ in range(STEPS):
        if batches.holds_nowhere(xp, close & (square > enough * enough)):
            break
        one, two = step(xp, x, v, w, wanted, sign, g.signs[1])
        turns = (one, two, third(g, one, two)) if len(bends) > 2 else (one, two)
        moved = vectors.plus(bends, turns)
        there = slopes(xp, g, moved, end)
        now = miss_of(xp, there[0], wanted)
        better = close & (square > enough * enough) & (now < square) & is_small(xp, moved, bends)
        bends = vectors.choose(xp, better, moved, bends)
        x, v, w = (vectors.choose(xp, better, *both) for both in zip(there, (x, v, w), strict=True))
        square = xp.where(better, now, square)
    return bends, x, square


def better(xp, g, bends, moved, x, end, wanted):
    """Return other angles of the parallel joints where the tip is nearer to the target with them.

    `x` is the tip without them.
    """
    now = miss_of(xp, in_frame(xp, g, moved, end), wanted)
    nearer = (now < miss_of(xp, x, wanted)) & is_small(xp, moved, bends)
    return vectors.choose(xp, nearer, moved, bends)


def is_small(xp, moved, bends):
    """Return whether no angle changes by more than MOST."""
    return largest(xp, [magnitude(xp, p - q) for p, q in zip(moved, bends, strict=True)]) <= MOST


def miss_of(xp, x, wanted):
    """Return the square of the distance of the tip from the target, with the best first angle."""
    up = wanted.up - x[2]
    if wanted.radius is None:
        aside, along = wanted.across[0] - x[0], wanted.across[1] - x[1]
        return aside * aside + along * along + up * up
    along = wanted.radius - root_of(xp, x[0] * x[0] + x[1] * x[1])
    return along * along + up * up


def bending(g, signs):
    """Return the sign that a branch gives to the determinant of the rows in `step`."""
    s, side = signs
    return (s if g.yaw else 1.0) * side * g.signs[1]


def reasonable(g):
    """Return by how much a tip can miss its target because axes are not square."""
    return 100.0 * g.skew * sum(map(_size, g.chain.offsets[1:]))


def _size(v):
    return sum(map(abs, v))


def third(g, one, two):
    """Return the change of the third parallel angle of an arm that keeps the tool's direction."""
    return -g.signs[2] * (g.signs[0] * one + g.signs[1] * two)


def slopes(xp, g, bends, end):
    """Return the tip in the frame, and its derivatives by the first two angles: see `third`."""
    x, columns = end, []
    for axis, angle, place in zip(g.hinges[::-1], bends[::-1], g.places[::-1], strict=True):
        x = angles.rotated_about(xp, axis, angle, x)
        columns = [angles.rotated_about(xp, axis, angle, each) for each in columns]
        columns.append(cross(axis, x))
        x = vectors.plus(x, place)
    *more, w, v = columns
    for each in more:
        v = vectors.plus(v, vectors.times(third(g, 1.0, 0.0), each))
        w = vectors.plus(w, vectors.times(third(g, 0.0, 1.0), each))
    return x, v, w


def without_value(xp, g, first, bends, end, wanted, reached):
    """Return a Newton step for all angles, less its own value: it is 0, its derivatives are not.

    Added to angles, it makes their derivatives those of the file's own kinematics, by the theorem
    of implicit functions, and for angles almost right those of second order too. Where the tip
    cannot move in every direction, or does not reach its target, there is none.
    """
    constant = xp.constant
    x, v, w = slopes(xp, g, bends, end)
    here, v, w = (tuple(map(constant, each)) for each in (x, v, w))
    y, beside = (1.0, 0.0, 0.0), x[:2]
    if first:
        y = -here[1], here[0], 0.0
        beside = angles.rotated_in_plane(xp, first[0], beside)
    miss = vectors.minus((*wanted.across, wanted.up), (*beside, x[2]))
    miss = tuple(part - constant(part) for part in miss)
    if first:
        miss = (*angles.rotated_in_plane(xp, -constant(first[0]), miss[:2]), miss[2])
    rows = cross(v, w), cross(w, y), cross(y, v)
    volume = dot(y, rows[0])
    sound = volume * volume > FLAT * FLAT * dot(y, y) * dot(v, v) * dot(w, w)
    sound = sound & reached
    volume = xp.where(sound, volume, 1.0)
    yaw, one, two = (xp.where(sound, dot(row, miss) / volume, 0.0) for row in rows)
    turns = (one, two, third(g, one, two)) if len(bends) > 2 else (one, two)
    return (yaw, *turns) if first else turns


def step(xp, x, v, w, wanted, sign, hinge):
    """Return the change of two angles that would bring the tip to its height and its distance.

    These are two equations, for the coordinate `a` of the tip and for half the square of its
    distance from the first axis. Both are linear in the angles but where a knee is straight or the
    tip is beside the first axis: there the tip moves only with the square of an angle, and a linear
    step would be endless. The equation with the greater slopes `(p, q)` is taken as linear. In the
    one direction `(-q, p)` that keeps it, the other one is a polynomial of second degree, and
    `sign` determines which of its roots is taken.
    """
    (b, c, a), (vb, vc, va), (wb, wc, wa) = x, v, w
    height = wanted.up - a
    if wanted.radius is None:
        radius, one, two, other = 1.0, vc, wc, wanted.across[1] - c
    else:
        radius = wanted.radius
        one, two = b * vb + c * vc, b * wb + c * wc
        other = 0.5 * (radius * radius - (b * b + c * c))
    # Heights are multiplied by the radius, and are equations of the same size then.
    p, q, miss = radius * va, radius * wa, radius * height
    flat = p * p + q * q >= one * one + two * two
    sign = xp.where(flat, sign, -sign)
    (p, one), (q, two) = (
        (xp.where(flat, r, s), xp.where(flat, s, r)) for r, s in ((p, one), (q, two))
    )
    miss, left = xp.where(flat, miss, other), xp.where(flat, other, miss)
    square = p * p + q * q
    square = xp.where(square == 0.0, 1.0, square)
    along, shared = miss / square, (one * p + two * q) / square
    slope = p * two - q * one
    # The velocity of the tip in that direction, and its acceleration: it rotates about b.
    tb, tc = p * wb - q * vb, p * wc - q * vc
    here, there = q * q, hinge * p * p - 2.0 * p * q
    bc, ba = -(here * va + there * wa), here * vc + there * wc
    if wanted.radius is not None:
        bc = tb * tb + tc * tc + c * bc
    ba = radius * ba
    bent, beside = xp.where(flat, bc, ba), xp.where(flat, ba, bc)
    bent, rise = bent - shared * beside, left - miss * shared
    under = slope * slope + 2.0 * bent * rise
    root = sign * root_of(xp, under)
    # Of the two forms of the root, the one whose terms have the same sign.
    same = (slope * sign >= 0.0) & (under > 0.0)
    below = xp.where(same, slope + root, bent)
    below = xp.where(below == 0.0, 1.0, below)
    y = xp.where(same, 2.0 * rise, root - slope) / below
    along = along - 0.5 * y * y * beside / square
    return along * p - y * q, along * q + y * p


def root_of(xp, square):
    """Return the square root, and 0 of negative numbers; its derivative there is 0."""
    positive = square > 0.0
    if batches.holds_everywhere(xp, positive):
        return xp.sqrt(square)
    return xp.where(positive, xp.sqrt(xp.where(positive, square, 1.0)), 0.0)
