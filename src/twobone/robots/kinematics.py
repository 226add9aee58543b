"""Forward kinematics of chains, their Jacobians, and Newton's method for axes that are not square.

These use the axes and offsets as the file has them, not those of the closed form.
"""

from twobone.core import batches, vectors
from twobone.core.formula import dot, largest, magnitude
from twobone.core.vectors import cross
from twobone.robots.chain import total
from twobone.rotations import angles

STEPS = 2
MOST = 0.25  # radians by which a step may rotate a joint


def forward(xp, chain, found):
    """Return the position of the tip."""
    v = chain.offsets[-1]
    for joint, angle, offset in zip(
        chain.joints[::-1], found[::-1], chain.offsets[-2::-1], strict=True
    ):
        v = vectors.plus(angles.rotated_about(xp, joint.axis, angle, v), offset)
    return v


def hip(chain, yaw):
    """Return the first parallel joint, while the angle of the first joint is 0."""
    return total(chain.offsets[: 2 if yaw else 1])


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


def corrected(xp, limb, found, target, signs):
    """Return the angles of a branch after at most two Newton steps, and by how much the tip misses.

    The steps keep pitch and roll of an arm. A step that does not bring the tip nearer, or rotates a
    joint by more than MOST, is not taken, and none is taken where the tip misses by far more than
    axes that are not square explain.
    """
    chain, g = limb.geometry.chain, limb.geometry
    bends = bending(g, signs)
    end, columns = jacobian(xp, chain, found)
    miss = vectors.minus(target, end)
    square = dot(miss, miss)
    far = reasonable(g)
    close = square <= far * far
    for _ in range(STEPS):
        step = _step(xp, g, found, columns, miss, bends)
        moved = vectors.plus(found, step)
        end, other = jacobian(xp, chain, moved)
        left = vectors.minus(target, end)
        now = dot(left, left)
        better = close & (now < square) & (_largest(xp, step) <= MOST)
        found = vectors.choose(xp, better, moved, found)
        columns = [vectors.choose(xp, better, *both) for both in zip(other, columns, strict=True)]
        miss = vectors.choose(xp, better, left, miss)
        square = xp.where(better, now, square)
    return found, vectors.length(xp, miss)


def bending(g, signs):
    """Return the sign of the determinant of a branch's columns, as `_step` uses them."""
    s, side = signs
    return (s if g.yaw else -1.0) * side * g.signs[1]


def reasonable(g):
    """Return by how much a tip can miss its target because axes are not square."""
    return 100.0 * g.skew * sum(map(_size, g.chain.offsets[1:]))


def _largest(xp, step):
    return largest(xp, [magnitude(xp, part) for part in step])


def _size(v):
    return sum(map(abs, v))


def _step(xp, g, found, columns, miss, bends):
    """Return the change of the angles that would remove the miss.

    The limb is taken as linear, but for the one direction in which it is not where it is almost
    straight: there the tip moves only with the square of the knee's angle, and a step that is
    linear would be endless. Along `n = u x v`, which no other joint moves, `dot(n, miss)` is a
    square polynomial of the knee's angle, and `bends` determines which of its roots is taken.
    """
    b = g.chain.joints[1 if g.yaw else 0].axis
    back = [0.0, 0.0]
    if not g.yaw:
        # Out of its plane the tip cannot move: the change in that direction is left out.
        u, (v, w) = g.frame[0], columns
    else:
        u, v, w = columns[:3]
        b = angles.rotated_about(xp, g.chain.joints[0].axis, found[0], b)
    if len(g.signs) == 3:
        back = [-g.signs[2] * sign for sign in g.signs[:2]]
        v = vectors.plus(v, vectors.times(back[0], columns[3]))
        w = vectors.plus(w, vectors.times(back[1], columns[3]))
    one, two, three = solved(xp, (u, v, w), b, g.signs[1], miss, bends)
    if not g.yaw:
        return two, three
    fourth = back[0] * two + back[1] * three
    return (one, two, three, fourth, 0.0 * one)[: len(found)]


def solved(xp, columns, b, sign, miss, bends):
    """Return the steps along three columns that remove a miss: see `_step`."""
    u, v, w = columns
    n = cross(u, v)
    square = _dot(n, n)
    square = xp.where(square == 0.0, 1.0, square)
    of_u, of_v = cross(v, n), cross(n, u)  # products with these, over `square`, are coordinates
    # While the knee turns by 1, the first joint turns by `along`, and the second by `beside`, so
    # that the tip moves along n alone.
    along, beside = -_dot(w, of_u) / square, -_dot(w, of_v) / square
    # The second derivative of the tip then: both bones rotate about axes that are almost b.
    more = sign + 2.0 * beside
    curve = cross(b, [beside * beside * q + more * r for q, r in zip(v, w, strict=True)])
    slope, bent, height = _dot(n, w), _dot(n, curve), _dot(n, miss)
    root = bends * root_of(xp, slope * slope + 2.0 * bent * height)
    # Of the two forms of the root, the one whose terms have the same sign.
    same = slope * bends >= 0.0
    below = xp.where(same, slope + root, bent)
    below = xp.where(below == 0.0, 1.0, below)
    third = xp.where(same, 2.0 * height, root - slope) / below
    half = 0.5 * third * third
    rest = [q - half * r for q, r in zip(miss, curve, strict=True)]
    first = _dot(rest, of_u) / square + along * third
    second = _dot(rest, of_v) / square + beside * third
    return first, second, third


def _dot(u, v):
    """Return the dot product: `formula.dot` takes a third of the time of one target in reach."""
    (a, b, c), (x, y, z) = u, v
    return a * x + b * y + c * z


def root_of(xp, square):
    """Return the square root, and 0 of negative numbers; its derivative there is 0."""
    positive = square > 0.0
    if batches.holds_everywhere(xp, positive):
        return xp.sqrt(square)
    return xp.where(positive, xp.sqrt(xp.where(positive, square, 1.0)), 0.0)
