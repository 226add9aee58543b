"""Two circles meet twice: both joints, and how to choose."""

import twobone

target, r1, r2 = [1.2, 0.5], 1.0, 0.8

left, right = twobone.solve_both(target, r1, r2)
print("left of the way: ", left.round(3), " right of it:", right.round(3))

# `side` chooses one: +1 bends to the left of the way from root to target, -1 to the right.
print("side=+1:", twobone.solve(target, r1, r2, side=1).round(3))
print("side=-1:", twobone.solve(target, r1, r2, side=-1).round(3))

# One side for each limb: the knees of a bird and of a human, say.
print(twobone.solve([target, target], r1, r2, side=[1, -1]).round(3))
