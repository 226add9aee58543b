"""Angles of servos: they put the feet where the recording has them, and tell what is too fast."""

import numpy as np
import pytest

from twobone import creature
from twobone.errors import CreatureError, FileError, ShapeError
from twobone.rotations import inverse, rotate

COXA, FEMUR, TIBIA = 0.05, 0.10, 0.14
NEUTRAL = np.radians([-40.0, 0.0, 40.0])


def hexapod(coxa=COXA, third=0.0):
    out = np.stack([np.cos(NEUTRAL), np.sin(NEUTRAL)], axis=-1)
    roots = np.array([[0.06, -0.12], [0.08, 0.0], [0.06, 0.12]])
    hips, feet = roots + coxa * out, roots + (coxa + 0.09) * out
    legs = [
        leg
        for k in range(3)
        for leg in creature.pair(
            k,
            hip=(hips[k, 0], 0.02),
            foot=(feet[k, 0], feet[k, 1] - hips[k, 1]),
            bones=(FEMUR, TIBIA, third),
            pole=(out[k, 0], 2.0, out[k, 1]),
            radial=True,
        )
    ]
    return creature.Animal(
        creature.make_anatomy(
            height=0.1,
            along=hips[:, 1].tolist(),
            legs=legs,
            gaits=creature.animal("insect").anatomy.gaits,
            belly=0.03,
        )
    )


@pytest.fixture(scope="module")
def walk():
    return creature.walk(hexapod(), terrain=0.1, seconds=3.0, speed=0.15, seed=3)


def test_the_angles_put_feet_where_the_recording_has_them(walk):
    found = creature.servo_angles(walk, COXA, np.repeat(NEUTRAL, 2))
    side = np.tile([1.0, -1.0], 3)
    out = np.stack([side * np.cos(np.repeat(NEUTRAL, 2)), np.sin(np.repeat(NEUTRAL, 2))], axis=-1)
    back = inverse(walk.body_rotation)[:, None]
    roots = rotate(back, walk.hips - walk.body_position[:, None])
    roots[..., [0, 2]] -= COXA * out
    out = COXA + FEMUR * np.cos(found.femur) + TIBIA * np.cos(found.femur - found.tibia)
    up = FEMUR * np.sin(found.femur) + TIBIA * np.sin(found.femur - found.tibia)
    feet = roots + np.stack([side * out * np.cos(found.yaw), up, out * np.sin(found.yaw)], axis=-1)
    wanted = rotate(back, walk.feet - walk.body_position[:, None])
    np.testing.assert_allclose(feet, wanted, atol=1e-9)
    assert np.all(found.tibia > 0.0)  # knees are up


def test_a_coxa_of_length_0_starts_at_the_hip():
    walk = creature.walk(hexapod(0.0), seconds=1.0)
    found = creature.servo_angles(walk)
    np.testing.assert_array_equal(found.time, walk.time)
    assert np.all(np.isfinite(found.yaw))
    assert np.abs(found.yaw).max() < np.pi / 2


def test_speeds_are_those_of_the_angles_and_too_fast_ones_are_told(walk):
    found = creature.servo_angles(walk, COXA, np.repeat(NEUTRAL, 2))
    speeds = found.peak_speeds()
    assert speeds.shape == (6, 3)
    assert speeds[4, 1] == np.max(np.abs(np.diff(found.femur[:, 4]))) / walk.dt
    slow, fast = found.report(1e6), found.report(0.5 * float(np.degrees(speeds.max())))
    assert len(slow) == 3
    warnings = [line for line in fast if line.startswith("warning: ")]
    leg, joint = np.unravel_index(np.argmax(speeds), speeds.shape)
    name = ("yaw", "femur", "tibia")[joint]
    assert any(f"{name} of leg {leg} turns at " in line for line in warnings)
    assert len(found.report()) == 3 + np.sum(np.degrees(speeds) > 350.0)
    assert np.all(creature.servo_angles(walk.select(slice(1)), COXA).peak_speeds() == 0.0)


def test_angles_are_saved_as_degrees_in_text_and_as_radians_in_arrays(walk, tmp_path):
    found = creature.servo_angles(walk, COXA)
    found.save(tmp_path / "angles.csv")
    table = np.genfromtxt(tmp_path / "angles.csv", delimiter=",", names=True)
    np.testing.assert_allclose(table["femur_3"], np.degrees(found.femur[:, 3]), atol=1e-3)
    found.save(tmp_path / "angles.npz")
    with np.load(tmp_path / "angles.npz") as data:
        np.testing.assert_array_equal(data["tibia"], found.tibia)
        np.testing.assert_array_equal(data["peak_speeds"], found.peak_speeds())
    with pytest.raises(FileError, match=r"expected a name that ends in \.csv or \.npz"):
        found.save(tmp_path / "angles.txt")


def test_what_has_no_angles_says_why(walk):
    with pytest.raises(CreatureError, match=r"^`recording` must have feet within reach; leg \d"):
        creature.servo_angles(walk._replace(feet=walk.feet - [0.0, 1.0, 0.0]), COXA)
    with pytest.raises(
        ShapeError, match=r"^`neutral` must be a number or have shape \(6,\), got shape \(2,\)"
    ):
        creature.servo_angles(walk, COXA, [0.0, 1.0])
    with pytest.raises(CreatureError, match=r"^`coxa` must be at least 0"):
        creature.servo_angles(walk, -0.1)


def test_legs_with_a_third_segment_are_refused():
    walk = creature.walk("insect", seconds=0.1)
    said = r"^`recording` must have legs without a third segment, got 0\.32 of leg 0\.$"
    with pytest.raises(CreatureError, match=said):
        creature.servo_angles(walk)
