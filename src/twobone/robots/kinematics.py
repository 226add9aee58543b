"""Forward kinematics of chains, their Jacobians, and Newton's method for axes that are not square.

These use the axes and offsets as the file has them, not those of the closed form.
"""

from twobone.core import vectors
from twobone.core.formula import dot
from twobone.core.vectors import cross
from twobone.robots.chain import total
from twobone.rotations import angles

STEPS = 2


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


def corrected(xp, limb, found, target):
    """Return angles after at most two Newton steps, and by how much the tip misses then.

    The steps keep pitch and roll of an arm. A step that does not bring the tip nearer is not taken,
    and none is taken where the tip misses by far more than axes that are not square explain.
    """
    chain, g = limb.geometry.chain, limb.geometry
    end, columns = jacobian(xp, chain, found)
    miss = vectors.minus(target, end)
    square = dot(miss, miss)
    far = 100.0 * g.skew * sum(map(_size, chain.offsets[1:]))
    close = square <= far * far
    for _ in range(STEPS):
        step = _step(xp, g, columns, miss)
        moved = vectors.plus(found, step)
        end, other = jacobian(xp, chain, moved)
        left = vectors.minus(target, end)
        now = dot(left, left)
        better = close & (now < square)
        found = vectors.choose(xp, better, moved, found)
        columns = [vectors.choose(xp, better, *both) for both in zip(other, columns, strict=True)]
        miss = vectors.choose(xp, better, left, miss)
        square = xp.where(better, now, square)
    return found, vectors.length(xp, miss)


def _size(v):
    return sum(map(abs, v))


def _step(xp, g, columns, miss):
    """Return the change of the angles that would remove the miss if the limb were linear."""
    count = len(columns)
    if not g.yaw:
        # Out of its plane the tip cannot move: the change in that direction is left out.
        used = [*columns, g.frame[0]]
    elif len(g.signs) == 3:
        first, second, third, fourth = columns[:4]
        back = [-g.signs[2] * sign for sign in g.signs[:2]]
        used = [
            first,
            vectors.plus(second, vectors.times(back[0], fourth)),
            vectors.plus(third, vectors.times(back[1], fourth)),
        ]
    else:
        used = columns
    u, v, w = used
    vw = cross(v, w)
    volume = dot(u, vw)
    volume = xp.where(volume == 0.0, 1.0, volume)
    one, two = dot(miss, vw) / volume, dot(u, cross(miss, w)) / volume
    three = dot(u, cross(v, miss)) / volume
    if not g.yaw:
        return one, two
    if len(g.signs) < 3:
        return one, two, three
    fourth = back[0] * two + back[1] * three
    return (one, two, three, fourth, 0.0 * one)[:count]
