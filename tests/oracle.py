"""The exact answer: two-bone inverse kinematics in whole numbers of any length.

Every float is a whole number times a power of two, so all sums and products are exact; a
root is taken to `DIGITS` binary digits. Nothing here comes from the package under test: the
triangle is solved by Heron's product and the pole by projection. `test_oracle.py` holds this
against mpmath.
"""

import math

DIGITS = 200
REACHED, TOO_FAR, TOO_NEAR = 0, 1, 2


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
    """Return the joint as integers over `2**shift`, in units `2**exponent`, and the status.

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
        if gives:
            return [((w * part) << shift) // (2 * h) for part in p], shift, exponent, status
        sign = -1 if left >= 0 and a1 < a2 else 1
        root, more = scaled_root(h)
        return (
            [((sign * a1 * part) << (shift + more)) // root for part in p],
            shift,
            exponent,
            status,
        )
    if size == 2:
        across = [-p[1], p[0]]
        root, more = scaled_root(left * over)
    else:
        along = sum(a * b for a, b in zip(p, pole, strict=True))
        across = [b * h - a * along for a, b in zip(p, pole, strict=True)]
        squared = sum(part * part for part in across)
        extra = max(0, 2 * DIGITS - (left * over * h).bit_length() + squared.bit_length())
        extra += extra % 2
        root, more = math.isqrt(((left * over * h) << extra) // squared), extra // 2
    joint = [
        (((w * a) << more) + side * root * b) * (1 << shift) // ((2 * h) << more)
        for a, b in zip(p, across, strict=True)
    ]
    return joint, shift, exponent, REACHED


def error_in_eps(joint, p, r1, r2, side, pole=None, *, eps, gives=False):
    """Return the distance of a joint from the exact one over `eps r1`, and the exact status.

    Below the normal numbers the spacing no longer shrinks: `floor` is then what counts.
    """
    exact, shift, exponent, status = exact_joint(p, r1, r2, side, pole, gives=gives)
    floor = 2.0**-1074 if eps < 1e-10 else 2.0**-149
    allowed = max(eps * float(r1), floor)
    (unit_n, unit_d) = allowed.as_integer_ratio()
    total = 0.0
    for have, want in zip(joint, exact, strict=True):
        n, d = float(have).as_integer_ratio()
        # have - want 2^(exponent - shift), over `allowed`, as a ratio of whole numbers
        power = shift - exponent
        difference = (n << power) - want * d if power >= 0 else n - (want * d << -power)
        bottom = d << max(power, 0)
        total += ratio(difference * unit_d, bottom * unit_n) ** 2
    return math.sqrt(total), status


def length_error_in_eps(joint, r1, *, eps):
    """Return `||x| - r1|` over `eps r1`."""
    floor = 2.0**-1074 if eps < 1e-10 else 2.0**-149
    (allowed, length, *parts), _ = whole([max(eps * float(r1), floor), r1, *joint])
    root, shift = scaled_root(sum(part * part for part in parts))
    return ratio(abs(root - (length << shift)), allowed << shift)


def ratio(n, d):
    """Return `n / d` of whole numbers of any length as a float; infinite where it is too large."""
    if n == 0:
        return 0.0
    cut_n, cut_d = max(abs(n).bit_length() - 500, 0), max(d.bit_length() - 500, 0)
    try:
        return math.ldexp((abs(n) >> cut_n) / (d >> cut_d), cut_n - cut_d)
    except OverflowError:
        return math.inf
