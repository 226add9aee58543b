"""Compute both solutions, or choose one with `side`."""

import twobone

target, r1, r2 = [1.2, 0.5], 1.0, 0.8

# The circle around the root and the circle around the target meet in two points.
left, right = twobone.solve_both(target, r1, r2)
print("left:", left.round(3), " right:", right.round(3))

# `side` chooses one of them, as seen from the root towards the target: +1 is left, -1 right.
print("side=+1:", twobone.solve(target, r1, r2, side=1).round(3))
print("side=-1:", twobone.solve(target, r1, r2, side=-1).round(3))

# Each limb can have its own side, such as the knees of a bird and of a human.
print(twobone.solve([target, target], r1, r2, side=[1, -1]).round(3))
