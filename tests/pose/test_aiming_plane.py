"""correct_aim in the plane: angles, whatever mirrors the joint."""

import numpy as np
import pytest

import twobone
from twobone import PoseError, Status

COUNT = 500


def joints(rng):
    """Return matrices (n, 3, 3): turned, moved, scaled unevenly and mirrored."""
    angle, scale = rng.uniform(-3, 3, COUNT), rng.uniform(0.5, 2.0, (COUNT, 1, 2))
    scale *= rng.choice([-1.0, 1.0], (COUNT, 1, 2))
    matrices = np.tile(np.eye(3), (COUNT, 1, 1))
    matrices[:, :2, :2] = scale * turn(angle)
    matrices[:, :2, 2] = rng.normal(size=(COUNT, 2))
    return matrices


def turn(angle):
    cos, sin = np.cos(angle), np.sin(angle)
    return np.moveaxis(np.array([[cos, -sin], [sin, cos]]), -1, 0)


@pytest.mark.parametrize("reach", [0.0, 0.3])
def test_the_axis_points_at_the_target_from_where_it_begins(reach):
    rng = np.random.default_rng(5)
    joint, target = joints(rng), rng.normal(size=(COUNT, 2)) * 3.0
    forward, offset = rng.normal(size=(2, COUNT, 2)) * [[[1.0]], [[reach]]]
    aim = twobone.correct_aim(joint, target, forward=forward, offset=offset)
    linear = joint[:, :2, :2] @ turn(aim.correction)
    eye = np.einsum("nij,nj->ni", linear, offset) + joint[:, :2, 2]
    way, axis = target - eye, np.einsum("nij,nj->ni", linear, forward)
    size = np.linalg.norm(way, axis=1) * np.linalg.norm(axis, axis=1)
    met = aim.status == Status.REACHED
    across = way[:, 0] * axis[:, 1] - way[:, 1] * axis[:, 0]
    assert np.sum(met) > 0.8 * COUNT
    assert np.abs(across / size)[met].max() < 1e-13
    assert np.sum(way * axis, axis=1)[met].min() > 0.0
    assert np.all(aim.correction[~met] == 0.0)


def test_a_half_turn_a_direction_and_a_weight():
    assert twobone.correct_aim(np.eye(3), [-1.0, 0.0], forward=[1.0, 0.0]).correction == np.pi
    slope = twobone.correct_aim(np.eye(3), direction=[-1.0, 1.0], forward=[0.0, 1.0], weight=0.5)
    np.testing.assert_allclose(slope.correction, np.pi / 8, rtol=1e-15)


def test_nothing_twists_or_rolls_in_the_plane():
    with pytest.raises(PoseError, match="`twist` must be left out in the plane"):
        twobone.correct_aim(np.eye(3), [1.0, 0.0], forward=[1.0, 0.0], twist=1.0)
    with pytest.raises(PoseError, match="`up` must be left out in the plane"):
        twobone.correct_aim(np.eye(3), [1.0, 0.0], forward=[1.0, 0.0], up=[0, 1], pole=[0, 1])
