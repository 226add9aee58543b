"""Solve a five-bar leg with two calls of `solve`, and a delta robot with three."""

import numpy as np

import twobone

# Five bars: two motors at the body, two bones each, and one foot at the end of both. Each chain is
# a limb of two bones in the plane; the knees bend outwards.
HIPS = np.array([[-0.03, 0.0], [0.03, 0.0]])  # metres
THIGH, SHIN = 0.09, 0.16


def five_bar(foot):
    """Return the angles of both motors, from the x axis, and the knees."""
    knees = HIPS + twobone.solve(np.asarray(foot) - HIPS, THIGH, SHIN, side=[-1.0, 1.0])
    away = knees - HIPS
    return np.arctan2(away[:, 1], away[:, 0]), knees


motors, knees = five_bar([0.02, -0.2])
rods = np.linalg.norm([0.02, -0.2] - knees, axis=-1) - SHIN
print("five bars:", np.degrees(motors).round(2), "degrees")
print("rods miss by less than 1e-15 m:", np.abs(rods).max() < 1e-15)

# A delta robot: three motors around a base, each with an arm in a vertical plane through its
# middle, and a rod (two parallel ones in fact) from there to a platform that never rotates. Seen
# along the axis of a motor, the rod is shorter: that is the second bone.
BASE, PLATFORM, UPPER, ROD = 0.2, 0.05, 0.25, 0.5  # metres: radii, arm, rod
AROUND = np.radians([0.0, 120.0, 240.0])


def delta(place):
    """Return the angles of the three motors: 0 is level, positive is down."""
    x, y, z = place
    out = x * np.cos(AROUND) + y * np.sin(AROUND) + PLATFORM - BASE
    beside = -x * np.sin(AROUND) + y * np.cos(AROUND)
    rod = np.sqrt(ROD**2 - beside**2)
    elbow = twobone.solve(np.stack([out, np.full(3, z)], axis=-1), UPPER, rod, side=1)
    return np.arctan2(-elbow[:, 1], elbow[:, 0])


def rods_of(angles, place):
    """Return the lengths of the three rods, by forward kinematics."""
    radius = BASE + UPPER * np.cos(angles)
    ends = np.stack([radius * np.cos(AROUND), radius * np.sin(AROUND), -UPPER * np.sin(angles)], -1)
    turned = np.stack([np.cos(AROUND), np.sin(AROUND), np.zeros(3)], -1)
    return np.linalg.norm(np.asarray(place) + PLATFORM * turned - ends, axis=-1)


place = [0.05, -0.03, -0.5]
angles = delta(place)
print("delta:", np.degrees(angles).round(2), "degrees")
print("rods miss by less than 1e-15 m:", np.abs(rods_of(angles, place) - ROD).max() < 1e-15)
print("in the middle all are the same:", np.ptp(delta([0.0, 0.0, -0.5])) < 1e-12)
