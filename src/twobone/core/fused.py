"""Moderate limbs in one short formula each for values and derivatives, which a compiler can fuse.

`blocks.any` is too long for the compilers of accelerators. The formulas here are those of
`answer.easy` and of `easy_pull` in the kernel (`pull.hpp`), but hold for more limbs: float32 limbs
are scaled by powers of two, and the gap is the fine one, so that the first bone may be thin.
Derivatives are computed in float64.
"""

from twobone.core import answer, exact, formula, scaling, vectors
from twobone.core.answer import Answer, Targets
from twobone.core.exact import FLOAT32, FLOAT64

# Limbs whose parts differ by more than these factors are not moderate. In float32, after scaling:
# the least product is the low word of h m.m, 2^-126 for a pole 4 eps beside the target direction.
SINGLE = FLOAT32._replace(
    plane_size=2.0**10,
    plane_part=2.0**40,
    space_size=2.0**10,
    space_part=2.0**40,
    thick=2.0**10,
)
DOUBLE = FLOAT64._replace(thick=2.0**20)

# The same for derivatives in float64, which see the edges where the values see them.
SINGLE_SLOPES = FLOAT64._replace(eps=FLOAT32.eps, speck=FLOAT32.speck)
DOUBLE_SLOPES = FLOAT64

MOST_SCALED = 2.0**100  # units beyond this or its inverse might have an inverse that is subnormal


def solve(xp, t, targets, policy):
    """Solve moderate limbs with a named policy; return the answer, and where limbs are not."""
    if t.eps == FLOAT64.eps:
        found, along = answer.easy(xp, t, targets, policy, formula.fine_gap)
        return found, xp.where(answer.is_easy(xp, t, targets), along, True)
    unit, is_fine, targets = scaled(xp, t, targets)
    found, along = answer.easy(xp, t, targets, policy, formula.fine_gap)
    joint, end = vectors.times(unit, found.joint), vectors.times(unit, found.end)
    hard = xp.where(is_fine & answer.is_easy(xp, t, targets), along, True)
    return Answer(joint, end, found.status), hard


def scaled(xp, t, targets):
    """Return a power of two, whether it has an inverse, and limbs divided by it.

    The pole has a unit of its own.
    """
    p, r1, r2, side, pole = targets
    sizes = (scaling.largest_part(xp, p), r1, r2)
    unit = exact.power_of_two(xp, t, formula.largest(xp, sizes))
    to_unit, good = 1.0 / unit, _is_fine(unit)
    if pole:
        unit_of_pole = exact.power_of_two(xp, t, scaling.largest_part(xp, pole))
        pole, good = vectors.times(1.0 / unit_of_pole, pole), good & _is_fine(unit_of_pole)
    p = vectors.times(to_unit, p)
    return unit, good, Targets(p, to_unit * r1, to_unit * r2, side, pole)


def _is_fine(unit):
    return (unit >= 1.0 / MOST_SCALED) & (unit <= MOST_SCALED)


def pull(xp, t, targets, policy, joint_bar, end_bar):
    """Return the derivatives of a loss by target, r1, r2 and pole, given those by joint and end.

    The names are those of `pull.hpp`. `joint_bar` or `end_bar` may be None.
    """
    p, r1, r2, side, pole = targets
    bones = formula.bones(xp, t, r1, r2)
    h, b = formula.fine_gap(t, formula.squares(t, p), bones.difference)
    triangle = formula.triangle(xp, t, h, b, bones)
    inside, met, straight = triangle.inside, triangle.met, triangle.straight
    f, h, b = bones.difference[0], triangle.h[0], triangle.b[0]
    to_h, d = 1.0 / h, xp.sqrt(h)
    to_d = d * to_h
    zero, one = h * 0.0, h * 0.0 + 1.0
    # The triangle and its derivatives.
    x = 0.5 * triangle.w[0] * to_d
    y = 0.5 * xp.sqrt(xp.where(inside, (triangle.area[0] + triangle.area[1]) * to_h, 1.0))
    to_y = 1.0 / y
    rest = 0.5 * (b - 2.0 * (r2 * f)) * to_h
    by_x = rest, r1 * to_d, -(r2 * to_d)
    if policy.gives:
        z_to_d, z_by_r1, z_by_r2, met = one, zero, zero, h >= 0.0
    else:
        x = xp.where(inside, x, straight * r1)
        by_x = (
            xp.where(inside, by_x[0], zero),
            xp.where(inside, by_x[1], straight),
            xp.where(inside, by_x[2], zero),
        )
        z_to_d = xp.where(met, one, triangle.edge * to_d)
        extended = triangle.a[0] <= 0.0
        z_by_r1 = xp.where(met, zero, straight)
        z_by_r2 = xp.where(met, zero, xp.where(extended, one, -straight))
    turned = xp.where(inside, -(x * to_y), zero)
    y_by_r1 = xp.where(inside, r1 * rest * to_y, zero)
    y = xp.where(inside, y, zero)
    x_to_d, y_to_d = x * to_d, y * to_d
    # The directions.
    e = vectors.times(to_d, p)
    along_pole = turn = zero
    n = ()
    if pole:
        along_pole = formula.dot(p, pole)
        m = formula.towards(t, p, pole, triangle.h)
        to_length = side / xp.sqrt(formula.dot(m, m))
        u = vectors.times(to_length, m)
        n = vectors.cross(e, u)
        turn = y * to_length  # by h times this
    else:
        u = -(side * e[1]), side * e[0]
    by_d = by_u = by_n = by_r1 = by_r2 = by_pole = zero
    if joint_bar is not None:
        along, across = formula.dot(joint_bar, e), formula.dot(joint_bar, u)
        by_axis = along + across * turned
        by_d = by_axis * by_x[0]
        by_u = across * x_to_d - along * y_to_d
        by_r1 = along * by_x[1] + across * y_by_r1
        by_r2 = by_axis * by_x[2]
        if pole:
            beside = formula.dot(joint_bar, n)
            by_n = beside * (x_to_d - turn * along_pole)
            by_pole = beside * (turn * h)
    if end_bar is not None:
        along, across = formula.dot(end_bar, e), formula.dot(end_bar, u)
        by_d = by_d + xp.where(met, along, zero)
        by_u = by_u + across * z_to_d
        by_r1 = by_r1 + along * z_by_r1
        by_r2 = by_r2 + along * z_by_r2
        if pole:
            by_n = by_n + formula.dot(end_bar, n) * z_to_d
    found = [by_d, by_u, by_n, by_r1, by_r2, by_pole]
    if policy.signals:
        missed = triangle.too_far | triangle.too_near
        found = [xp.where(missed, zero, each) for each in found]
    by_d, by_u, by_n, by_r1, by_r2, by_pole = found
    by_target = vectors.plus(vectors.times(by_d, e), vectors.times(by_u, u))
    if not pole:
        return by_target, by_r1, by_r2, ()
    by_target = vectors.plus(by_target, vectors.times(by_n, n))
    return by_target, by_r1, by_r2, vectors.times(by_pole, n)
