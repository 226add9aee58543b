"""A robot leg: one foot in Python floats beside arc cosines by hand, one target, and batches.

`python benchmarks/robots.py` takes ten seconds. Both sides of each ratio are measured alternately.
"""

import math
import statistics
import timeit

import numpy as np

import twobone
from twobone import robots

JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>'
JOINT += '<origin xyz="{4}"/><axis xyz="{5}"/><limit lower="{6}" upper="{7}"/></joint>'
LINKS = ("base", "hip", "thigh", "calf", "foot")
ROUNDS = 15
ROWS = 20_000


def leg():
    """Return a leg with the measures of a Go2."""
    text = "".join(f'<link name="{name}"/>' for name in LINKS)
    text += JOINT.format("a", "revolute", "base", "hip", "0.1934 -0.0465 0", "1 0 0", -1.05, 1.05)
    text += JOINT.format("b", "revolute", "hip", "thigh", "0 -0.0955 0", "0 1 0", -1.57, 3.49)
    text += JOINT.format("c", "revolute", "thigh", "calf", "0 0 -0.213", "0 1 0", -2.72, -0.84)
    text += JOINT.format("d", "fixed", "calf", "foot", "0 0 -0.213", "1 0 0", 0, 0)
    return robots.read_urdf(f"<robot>{text}</robot>").leg("foot")


def by_hand(x, y, z, d=-0.0955, r1=0.213, r2=0.213):
    """Return the angles of the same leg by the law of cosines, as most code does."""
    x -= 0.1934
    y += 0.0465
    s = math.sqrt(max(y * y + z * z - d * d, 0.0))
    q1 = math.atan2(z, y) + math.atan2(s, d)
    cosine = (x * x + s * s - r1 * r1 - r2 * r2) / (2.0 * r1 * r2)
    q3 = -math.acos(max(-1.0, min(1.0, cosine)))
    q2 = math.atan2(-x, s) - math.atan2(r2 * math.sin(q3), r1 + r2 * math.cos(q3))
    return q1, q2, q3


def alternately(functions, number):
    """Return the median time of each function in microseconds."""
    times = [[] for _ in functions]
    for _ in range(ROUNDS):
        for taken, function in zip(times, functions, strict=True):
            taken.append(timeit.timeit(function, number=number) / number * 1e6)
    return [statistics.median(taken) for taken in times]


def main():
    limb, foot = leg(), (0.2, -0.14, -0.3)
    apart = max(abs(a - b) for a, b in zip(limb.solve_xyz(*foot), by_hand(*foot), strict=True))
    assert apart < 1e-12
    ours, hand = alternately([lambda: limb.solve_xyz(*foot), lambda: by_hand(*foot)], 5000)
    print(f"one foot, Python floats: solve_xyz {ours:.2f} us, by hand {hand:.2f} us,", end=" ")
    print(f"{ours / hand:.2f} times")
    target = np.array(foot)
    one, every = alternately([lambda: limb.reach(target), lambda: limb.solve_all(target)], 300)
    print(f"one foot, an array: reach {one:.1f} us, solve_all {every:.1f} us")
    low, high = limb.limits.T
    feet = limb.forward_kinematics(np.random.default_rng(1).uniform(low, high, (ROWS, 3)))
    pole = np.array([0.0, 0.0, 1.0])
    batch, points = alternately(
        [lambda: limb.solve_all(feet), lambda: twobone.reach(feet, 0.213, 0.213, pole=pole)], 1
    )
    batch, points = batch / ROWS / 4 * 1e3, points / ROWS * 1e3
    print(f"{ROWS:,} feet: solve_all {batch:.0f} ns a row and branch,", end=" ")
    print(f"twobone.reach {points:.1f} ns a row, {batch / points:.1f} times")


if __name__ == "__main__":
    main()
