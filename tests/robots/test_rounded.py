"""Files that are rounded: limbs of every class reach their poses, also next to singular ones."""

import re

import numpy as np
import pytest

from robot_files import POSE_LIMBS, SEVEN
from twobone import Status, robots

CLASSES = {name: make for name, make in (POSE_LIMBS | SEVEN).items() if "rounded" not in name}
OFF = 1e-5  # metres and radians, about
COUNT = 600


def rounded(text, rng):
    """Return a file whose axes are off at random."""

    def moved(match):
        place = np.array(match[1].split(), float) + OFF * rng.normal(size=3)
        return f'xyz="{" ".join(map(repr, place.tolist()))}" rpy'

    def tilted(match):
        axis = np.array(match[1].split(), float)
        axis = axis / np.linalg.norm(axis) + OFF * rng.normal(size=3)
        return f'axis xyz="{" ".join(map(repr, axis.tolist()))}"'

    return re.sub(r'axis xyz="([^"]*)"', tilted, re.sub(r'xyz="([^"]*)" rpy', moved, text))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CLASSES)
def test_poses_next_to_singular_ones_are_reached(name):
    """One joint is at 0 but for 1e-4 to .1: knees are almost straight, wrists almost in line.

    There exact axes often do not reach a pose that those of the file reach.
    """
    rng = np.random.default_rng(4)
    limb = robots.read_urdf(rounded(CLASSES[name](), rng)).limb("tip")
    assert not limb.approximate
    assert limb.gap > 1e-6
    count = len(limb.joint_names)
    angles = rng.uniform(*limb.limits.clip(-3, 3).T, (COUNT, count))
    near = 10.0 ** rng.uniform(-4.0, -1.0, COUNT) * rng.choice([-1.0, 1.0], COUNT)
    angles[np.arange(COUNT), rng.integers(0, count, COUNT)] = near
    angles = angles.clip(*limb.limits.T)
    given = {"swivel": limb.swivel(angles)} if name in SEVEN else {}
    pose = limb.forward_kinematics(angles)
    found = limb.reach(*pose, near=angles, **given)
    reached = (found.status == Status.REACHED) | (found.status == Status.AMBIGUOUS)
    assert reached.mean() > 0.99
    assert np.linalg.norm(found.end - pose.position, axis=-1)[reached].max() < 2e-9
