"""The exact answer: two-bone inverse kinematics in whole numbers of any length.

Every float is a whole number times a power of two, so all sums and products are exact; a
root is taken to `DIGITS` binary digits. Nothing here comes from the package under test: the
triangle is solved by Heron's product and the pole by projection. `test_oracle.py` holds this
against mpmath. Errors are in units of `eps` times a length, but never of less than the
smallest number of the type: below the normal numbers the spacing no longer shrinks.
"""

import math
from typing import NamedTuple

DIGITS = 200
REACHED, TOO_FAR, TOO_NEAR = 0, 1, 2


class Exact(NamedTuple):
    """A joint as whole numbers over `2**shift`, in units of `2**exponent`, and the status."""

    joint: list
    shift: int
    exponent: int
    status: int

    def error(self, joint, unit):
        """Return the distance of a joint from the exact one, in units of the float `unit`."""
        unit_n, unit_d = float(unit).as_integer_ratio()
        power = self.shift - self.exponent
        apart = []
        for have, want in zip(joint, self.joint, strict=True):
            if not math.isfinite(have):
                return math.inf
            n, d = float(have).as_integer_ratio()
            difference = (n << power) - want * d if power >= 0 else n - (want * d << -power)
            apart.append(ratio(difference * unit_d, (d << max(power, 0)) * unit_n))
        return math.hypot(*apart)


def spacing(eps, length):
    """Return `eps * length`, or the smallest number of the type where that is less."""
    return max(eps * float(length), 2.0**-1074 if eps < 1e-10 else 2.0**-149)


def whole(values):
    """Return integers and an exponent: `values == integers * 2**exponent`, exactly."""
    ratios = [float(value).as_integer_ratio() for value in values]
    places = max(q.bit_length() - 1 for _, q in ratios)
    return [n << (places - (q.bit_length() - 1)) for n, q in ratios], -places


def scaled_root(n, digits=DIGITS):
    """Return `root, shift` with `root * 2**-shift` the root of `n`, to `digits` digits."""
    shift = max(0, digits - n.bit_length() // 2)
    return math.isqrt(n << (2 * shift)), shift


def exact_joint(p, r1, r2, side, pole=None, *, gives=False):
    """Return the `Exact` joint.

    The status knows no tolerance. Ambiguous and invalid limbs are not for this oracle. With
    `gives` the joint of a target out of reach is the foot point.
    """
    parts, exponent = whole([*p, r1, r2, *(pole if pole is not None else ())])
    size = len(p)
    p, (a1, a2), pole = parts[:size], parts[size : size + 2], parts[size + 2 :]
    h = sum(part * part for part in p)
    left, over = (a1 + a2) ** 2 - h, h - (a1 - a2) ** 2
    shift = DIGITS + max(h.bit_length() // 2 - a1.bit_length(), 0)
    w = h + a1 * a1 - a2 * a2
    if left < 0 or over < 0:
        status = TOO_FAR if left < 0 else TOO_NEAR
        sign = -1 if left >= 0 and a1 < a2 else 1
        root, more = scaled_root(h)
        top, bottom, up = (w, 2 * h, shift) if gives else (sign * a1, root, shift + more)
        return Exact([((top * part) << up) // bottom for part in p], shift, exponent, status)
    across, root, more = _across(p, pole, side, h, left * over)
    joint = [
        (((w * a) << more) + root * b) * (1 << shift) // ((2 * h) << more)
        for a, b in zip(p, across, strict=True)
    ]
    return Exact(joint, shift, exponent, REACHED)


def _across(p, pole, side, h, product):
    """Return `v, root, more` such that `root * 2**-more * v / (2 h)` leads across to the joint."""
    if not pole:
        root, more = scaled_root(product)
        return [-side * p[1], side * p[0]], root, more
    across = _towards(p, pole, h)
    squared = sum(part * part for part in across)
    extra = max(0, 2 * DIGITS - (product * h).bit_length() + squared.bit_length())
    extra += extra % 2
    root = math.isqrt(((product * h) << extra) // squared)
    return [side * part for part in across], root, extra // 2


def _towards(p, pole, h):
    """Return the part of the pole square to the target, times `h`."""
    along = sum(a * b for a, b in zip(p, pole, strict=True))
    return [b * h - a * along for a, b in zip(p, pole, strict=True)]


def error_in_eps(joint, p, r1, r2, side, pole=None, *, eps, gives=False):
    """Return the distance of a joint from the exact one over `eps r1`, and the exact status."""
    exact = exact_joint(p, r1, r2, side, pole, gives=gives)
    return exact.error(joint, spacing(eps, r1)), exact.status


def length_error_in_eps(v, length, *, eps):
    """Return `||v| - length|` over `eps length`."""
    (allowed, a, *parts), _ = whole([spacing(eps, length), length, *v])
    root, shift = scaled_root(sum(part * part for part in parts))
    return ratio(abs(root - (a << shift)), allowed << shift)


def end_error_in_eps(end, p, r1, r2, *, eps):
    """Return how far an end is from where the straight or folded limb ends, over `eps` edge.

    The edge is the nearer one: full reach for a target farther than the longer bone is long.
    """
    (*p, a1, a2), exponent = whole([*p, r1, r2])
    h = sum(part * part for part in p)
    edge = a1 + a2 if h > max(a1, a2) ** 2 else abs(a1 - a2)
    root, more = scaled_root(h)
    exact = [((edge * part) << (DIGITS + more)) // root for part in p]
    eps_n, eps_d = eps.as_integer_ratio()
    unit = ratio((edge * eps_n) << max(exponent, 0), eps_d << max(-exponent, 0))
    unit = max(unit, spacing(eps, 0.0))
    return Exact(exact, DIGITS, exponent, REACHED).error(end, unit)


def is_within(p, r1, r2, slack=0.0):
    """Say whether a target is within the outer and within the inner edge.

    The radius of the outer edge is taken `1 + slack` times as large, of the inner `1 - slack`.
    """
    (*p, a1, a2), _ = whole([*p, r1, r2])
    n, d = float(slack).as_integer_ratio()
    h = sum(part * part for part in p) * d * d
    return h <= ((a1 + a2) * (d + n)) ** 2, h >= ((a1 - a2) * (d - n)) ** 2


def is_strictly_within(p, r1, r2):
    """Say whether a target is inside the ring and on neither edge."""
    (*p, a1, a2), _ = whole([*p, r1, r2])
    h = sum(part * part for part in p)
    return (a1 - a2) ** 2 < h < (a1 + a2) ** 2


def turn(joint, p, pole=None):
    """Return on which side a joint lies: +1 left of the way or towards the pole, -1, or 0."""
    if pole is None:
        (px, py), _ = whole(p)
        (x, y), _ = whole(joint)
        lean = px * y - py * x
    else:
        (p, _), (pole, _), (x, _) = whole(p), whole(pole), whole(joint)
        towards = _towards(p, pole, sum(part * part for part in p))
        lean = sum(a * b for a, b in zip(x, towards, strict=True))
    return (lean > 0) - (lean < 0)


def bend_in_eps(p, r1, r2, *, eps):
    """Return how far the exact joint is from the line to the target, over `eps r1`; 0 outside."""
    (*p, a1, a2, allowed), _ = whole([*p, r1, r2, spacing(eps, r1)])
    h = sum(part * part for part in p)
    product = ((a1 + a2) ** 2 - h) * (h - (a1 - a2) ** 2)
    if product <= 0 or h > (a1 + a2) ** 2:
        return 0.0
    return math.sqrt(ratio(product, 4 * h * allowed * allowed))


def ratio(n, d):
    """Return `n / d` of whole numbers of any length as a float; infinite where it is too large."""
    if n == 0:
        return 0.0
    cut_n, cut_d = max(abs(n).bit_length() - 500, 0), max(d.bit_length() - 500, 0)
    try:
        return math.ldexp((abs(n) >> cut_n) / (d >> cut_d), cut_n - cut_d)
    except OverflowError:
        return math.inf
