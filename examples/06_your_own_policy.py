"""Define a policy: an arm that slows down and stops in front of an obstacle."""

import numpy as np

import twobone


class Shy(twobone.Policy):
    """Approach a distance smoothly within a margin, and never reach it."""

    def __init__(self, distance, margin):
        self.distance = distance
        self.margin = margin

    def place(self, xp, distance, inner, outer):
        start = self.distance - self.margin
        over = xp.where(distance > start, distance - start, 0.0)
        # over / (1 + over / margin) starts with slope 1 and stays below the margin.
        return xp.where(distance > start, start + over / (1.0 + over / self.margin), distance)

    def __repr__(self):
        return f"Shy({self.distance}, {self.margin})"


distances = np.linspace(0.8, 2.4, 9)
targets = np.stack([distances, 0.0 * distances], axis=-1)
for policy in (Shy(1.5, 0.3), Shy(1.5, 0.3) | twobone.Limits(60, 180)):
    _, end, status = twobone.reach(targets, 1.0, 0.8, unreachable=policy)
    print(policy)
    for distance, x, code in zip(distances, end[:, 0], status, strict=True):
        print(f"  target at {distance:.1f}, end at {x:.3f}  {twobone.Status(code).name}")
