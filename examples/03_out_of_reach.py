"""Compare the policies for targets that are out of reach."""

import numpy as np

import twobone

r1, r2 = 1.0, 0.8  # the reachable range is from 0.2 to 1.8
distances = np.array([0.1, 1.0, 1.7, 1.9, 2.5])
targets = np.stack([distances, 0.0 * distances], axis=-1)

policies: list[twobone.Unreachable] = [
    "clamp",
    "stretch",
    "nan",
    twobone.Soft(0.1),
    twobone.Stretch(limit=1.2),
    twobone.Limits(40, 130),
    twobone.Soft(0.1) | twobone.Stretch(limit=1.2),
]
print(f"{'distance of the end, for targets at':38}", *(f"{d:9.1f}" for d in distances))
for policy in policies:
    _, end, status = twobone.reach(targets, r1, r2, unreachable=policy)
    print(f"{policy!s:38}", *(f"{x:9.3f}" for x in end[:, 0]))
    print(" " * 38, *(f"{twobone.Status(code).name:>9}" for code in status))

# "raise" is for programs in which an unreachable target is an error.
try:
    twobone.solve(targets, r1, r2, unreachable="raise")
except twobone.UnreachableError as error:
    print(f"\nraise: {error}")
