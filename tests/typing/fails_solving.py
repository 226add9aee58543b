# pyright: strict
"""What is wrong in calls of the solver: a checker must say so of each line marked, and no other."""

from __future__ import annotations

import numpy as np

import twobone

target = [1.0, 1.0]
legs = np.zeros((5, 2))

twobone.solve("nonsense", None, object())  # error
twobone.solve("nonsense", 1.0, 1.0)  # error
twobone.solve(target, None, 1.0)  # error
twobone.solve(target, 1.0, object())  # error
twobone.solve(["1.0", "1.0"], 1.0, 1.0)  # error
twobone.solve([1.0, None], 1.0, 1.0)  # error
twobone.solve([[1.0], ["a"]], 1.0, 1.0)  # error
twobone.solve([1.0 + 1.0j, 0.0], 1.0, 1.0)  # error
twobone.solve({"x": 1.0, "y": 1.0}, 1.0, 1.0)  # error
twobone.solve({1.0, 2.0}, 1.0, 1.0)  # error
twobone.solve(np.zeros(2, np.complex128), 1.0, 1.0)  # error
twobone.solve(np.zeros(2, np.bool), 1.0, 1.0)  # error
twobone.solve(target, 1.0)  # error
twobone.solve(target, 1.0, 1.0, -1)  # error
twobone.solve(target, 1.0, 1.0, sid=-1)  # error
twobone.solve(target, 1.0, 1.0, side="left")  # error
twobone.solve(target, 1.0, 1.0, pole="up")  # error
twobone.solve(target, 1.0, 1.0, root=target)  # error
twobone.solve(target, 1.0, 1.0, unreachable="clmap")  # error
twobone.solve(target, 1.0, 1.0, unreachable=0.1)  # error
twobone.solve(target, 1.0, 1.0, unreachable=twobone.Soft)  # error
twobone.solve(legs, 1.0, 1.0, out=target)  # error
twobone.solve_both(target, 1.0, 1.0, side=1)  # error
twobone.solve_both(target, "1.0", 1.0)  # error
twobone.reach(target, 1.0, 1.0, root="origin")  # error
twobone.reach(target, 1.0, 1.0).joints  # error
twobone.reach(legs, 1.0, 1.0, unreachable="strech")  # error
joint, end = twobone.reach(legs, 1.0, 1.0)  # error
joint_as_text: str = twobone.solve(target, 1.0, 1.0)  # error
floats: twobone.Reach[str, str] = twobone.reach(target, 1.0, 1.0)  # error

twobone.solve_xy(1.0, 1.0, 1.0)  # error
twobone.solve_xy("1.0", 1.0, 1.0, 1.0)  # error
x: float = twobone.solve_xy(1.0, 1.0, 1.0, 1.0)  # error
twobone.solve_xyz(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, sides=1)  # error

twobone.Soft("0.1")  # error
twobone.Soft()  # error
twobone.Soft(0.1) | "clamp"  # error
"clamp" | twobone.Soft(0.1)  # error
twobone.Soft(0.1) | 1.2  # error
twobone.Limits(least="20")  # error
twobone.Status.REACHD  # error

twobone.sovle(target, 1.0, 1.0)  # error
twobone.Skelton  # error


def named(word: str) -> None:
    twobone.solve(target, 1.0, 1.0, unreachable=word)  # error


from twobone import sovle  # error
