"""Solve an arm that a rig mirrors with a negative scale: both sides get the same corrections."""

import numpy as np

import twobone


def moved(x, y, z):
    """Return the matrix of a translation, for column vectors."""
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def turned(q):
    """Return the rotation matrix of a quaternion xyzw."""
    x, y, z, w = q
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix = np.eye(4)
    matrix[:3, :3] += 2 * w * cross + 2 * cross @ cross
    return matrix


shoulder, elbow, wrist = moved(0.2, 1.4, 0), moved(0.5, 1.4, 0), moved(0.77, 1.4, 0)
target, pole = np.array([0.35, 1.1, 0.35]), np.array([0.5, -1.0, -0.5])

for side, mirror in (("left", np.eye(4)), ("right", np.diag([-1.0, 1.0, 1.0, 1.0]))):
    start, mid, end = mirror @ shoulder, mirror @ elbow, mirror @ wrist  # joint to model
    there = mirror[:3, :3] @ target
    found = twobone.correct_limb(
        start, mid, end, there, pole=mirror[:3, :3] @ pole, mid_axis=[0.0, 1.0, 0.0]
    )
    # Multiply each local rotation by its correction on the right, as in a scene graph.
    start_new = start @ turned(found.start)
    mid_new = start_new @ np.linalg.inv(start) @ mid @ turned(found.mid)
    hand = (mid_new @ np.linalg.inv(mid) @ end)[:3, 3]
    print(f"{side:5}: shoulder {found.start.round(3)}, elbow {found.mid.round(3)}")
    print(f"       hand {hand.round(3)}, target {there}  {twobone.Status(int(found.status)).name}")
