"""Files of version 1 are read: bodies become trunks, hocks become ankles, hostile ones are told."""

import json

import numpy as np
import pytest

import handmade
from twobone.errors import FileError
from twobone.files import first_recordings, recordings
from twobone.rotations import inverse, multiply, rotate, rotation_vector_to_quaternion

MADE = handmade.make_walk(0.5)
LEG = 2.8  # of two bones
PLAIN = {
    name: getattr(MADE, name)
    for name in ("time", "body_position", "body_rotation", "hips", "knees", "feet", "stance")
} | {"bones": MADE.bones[:, :2], "ground": MADE.ground, "dt": MADE.dt}
NOD = rotation_vector_to_quaternion(0.1 * np.sin(MADE.time)[:, None] * [1.0, 0.5, 0.0])
HOCKS = np.array([[0.55, 0.17, 0.026, 0.025]] * 2 + [[0.5, 0.0, 0.02, 0.0]] * 4)
BEND = np.sin(MADE.time)[:, None] * [0.05, 0.1, 0.02, -0.03]
DRAWN = {
    "body_parts": handmade.PARTS,
    "body_pivots": handmade.PIVOTS,
    "leg_radii": np.delete(handmade.RADII, [2, 6, 7], axis=1),
}
ALL = {
    **PLAIN,
    **DRAWN,
    "blocked": MADE.time > 0.3,
    "head_rotation": NOD,
    "tail_rotation": NOD[::-1],
    "foot_rotation": NOD[:, None] * np.ones((6, 1)),
    "body_bend": BEND,
    "leg_hocks": HOCKS,
}


def read(path, fields, ending):
    """Write a file as programs of version 1 did, and read it."""
    path = path / f"walk.{ending}"
    if ending == "npz":
        np.savez_compressed(path, **fields)
    else:
        lists = {name: np.asarray(value).tolist() for name, value in fields.items()}
        path.write_text(json.dumps({"version": 1, **lists}))
    return recordings.read_recording(path)


def test_all_fields_of_version_1_are_tried():
    assert set(ALL) == set(first_recordings.NAMES)


@pytest.mark.parametrize("ending", ["npz", "json"])
def test_a_stiff_body_is_a_station(tmp_path, ending):
    walk = read(tmp_path, PLAIN, ending)
    for name, value in PLAIN.items():
        if name not in ("body_rotation", "bones"):
            np.testing.assert_array_equal(getattr(walk, name), value)
    np.testing.assert_array_equal(walk.station_rotations[:, 0], PLAIN["body_rotation"])
    np.testing.assert_allclose(walk.body_rotation, PLAIN["body_rotation"], atol=1e-15)
    np.testing.assert_array_equal(walk.bones, MADE.bones)
    np.testing.assert_array_equal(walk.ankles, walk.feet)
    np.testing.assert_array_equal(walk.along, [0.0])
    assert (walk.neck, walk.tail, walk.foot_rotation, walk.blocked) == (None,) * 4
    recordings.write_recording(tmp_path / "new.npz", walk)
    np.testing.assert_array_equal(
        recordings.read_recording(tmp_path / "new.npz").stations, walk.stations
    )


def test_head_and_tail_are_links(tmp_path):
    walk = read(tmp_path, ALL, "npz")
    np.testing.assert_array_equal(walk.neck, ALL["head_rotation"][:, None])
    np.testing.assert_array_equal(walk.tail, ALL["tail_rotation"][:, None])
    np.testing.assert_array_equal(walk.foot_rotation, ALL["foot_rotation"])
    np.testing.assert_array_equal(walk.blocked, ALL["blocked"])


def test_a_bent_trunk_has_stations_along_its_curve(tmp_path):
    walk = read(tmp_path, {**PLAIN, "body_bend": BEND}, "json")
    np.testing.assert_allclose(walk.along, [-0.8, 0.0, 0.8], atol=1e-12)  # those of the hips
    back = inverse(PLAIN["body_rotation"])[:, None]
    seen = rotate(back, walk.stations - PLAIN["body_position"][:, None])
    curve = [np.polynomial.Polynomial(row) for row in BEND]
    heights = [each(walk.along) for each in curve]
    np.testing.assert_allclose(seen[..., 0], 0.0, atol=1e-12)
    np.testing.assert_allclose(seen[..., 1], heights, atol=1e-12)
    np.testing.assert_allclose(seen[..., 2] - walk.along, 0.0, atol=1e-12)
    ahead = rotate(multiply(back, walk.station_rotations), np.array([0.0, 0.0, 1.0]))
    slopes = [each.deriv()(walk.along) for each in curve]
    np.testing.assert_allclose(ahead[..., 1] / ahead[..., 2], slopes, atol=1e-12)


def test_a_bent_trunk_with_hips_in_one_place_has_one_station(tmp_path):
    hips = PLAIN["body_position"][:, None] + np.zeros((6, 1))
    walk = read(tmp_path, {**PLAIN, "hips": hips, "body_bend": BEND}, "npz")
    assert walk.stations.shape == (30, 1, 3)
    height = np.linalg.norm(walk.body_position - PLAIN["body_position"], axis=-1)
    np.testing.assert_allclose(height, np.abs(BEND[:, 0]), atol=1e-12)


def test_a_hock_is_an_ankle(tmp_path):
    walk = read(tmp_path, {**PLAIN, "leg_hocks": HOCKS}, "json")
    np.testing.assert_array_equal(walk.ankles[:, 2:], walk.feet[:, 2:])
    np.testing.assert_array_equal(walk.bones[2:], MADE.bones[2:])
    shin, below = 1.2 * np.hypot(0.55, 0.17), 1.2 * np.hypot(0.45, 0.17)
    np.testing.assert_allclose(walk.bones[:2], [[1.6, shin, below]] * 2, rtol=1e-12)
    hips, knees, ankles, feet = (
        getattr(walk, name)[:, :2] for name in ("hips", "knees", "ankles", "feet")
    )
    np.testing.assert_allclose(np.linalg.norm(ankles - knees, axis=-1), shin, rtol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(feet - ankles, axis=-1), below, rtol=1e-9)
    # It is in the plane of the leg, on the side of the second bone where the hip is.
    normal = np.cross(knees - hips, feet - knees)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    np.testing.assert_allclose(np.sum((ankles - knees) * normal, axis=-1), 0.0, atol=1e-9)
    second = feet - knees
    away = np.cross(np.cross(second, hips - knees), second)
    assert np.all(np.sum((ankles - knees) * away, axis=-1) > 0.0)


def test_a_straight_leg_keeps_the_side_of_its_hock(tmp_path):
    knees = PLAIN["knees"].copy()
    straight = slice(10, 20)
    hips, feet = PLAIN["hips"][straight], PLAIN["feet"][straight]
    knees[straight] = hips + 1.6 / 2.8 * (feet - hips)
    walk = read(tmp_path, {**PLAIN, "knees": knees, "leg_hocks": HOCKS}, "npz")
    steps = np.linalg.norm(np.diff(walk.ankles[10:20, :2], axis=0), axis=-1)
    assert np.max(steps) < 0.1
    folded = {**PLAIN, "knees": PLAIN["feet"], "feet": PLAIN["feet"], "leg_hocks": HOCKS}
    assert np.all(np.isfinite(read(tmp_path, folded, "json").ankles))


def test_a_leg_that_is_never_bent_has_its_hock_behind(tmp_path):
    level = np.tile([0.0, 0.0, 0.0, 1.0], (30, 1))
    knees = PLAIN["hips"] - [0.0, 1.6, 0.0]
    straight = {"body_rotation": level, "knees": knees, "feet": knees - [0.0, 1.2, 0.0]}
    walk = read(tmp_path, {**PLAIN, **straight, "leg_hocks": HOCKS}, "npz")
    wanted = knees[:, :2] - 1.2 * np.array([0.0, 0.55, 0.17])
    np.testing.assert_allclose(walk.ankles[:, :2], wanted, atol=1e-9)


def test_the_looks_keep_their_size(tmp_path):
    """They are multiples of the longest leg, which is longer with a hock."""
    walk = read(tmp_path, ALL, "npz")
    leg = float(np.max(walk.bones.sum(axis=1)))
    assert leg > 1.01 * LEG
    scale = LEG / leg
    capsules = handmade.PARTS[:, 2] == 0.0
    wanted = handmade.PARTS.copy()
    wanted[:, 3:9] *= scale
    wanted[capsules, 9:] *= scale
    np.testing.assert_allclose(walk.body_parts, wanted, rtol=1e-15)
    np.testing.assert_allclose(walk.body_pivots, scale * handmade.PIVOTS, rtol=1e-15)
    hip, knee, tip, joint, foot = DRAWN["leg_radii"][0] * scale
    bent = [hip, knee, 0.026 * scale, tip, joint, foot, 0.025 * scale, 0.0]
    np.testing.assert_allclose(walk.leg_radii[0], bent, rtol=1e-12)
    np.testing.assert_allclose(walk.leg_radii[2], [hip, knee, tip, tip, joint, foot, 0.0, 0.0])
    same = read(tmp_path, {**PLAIN, **DRAWN}, "npz")
    np.testing.assert_array_equal(same.body_parts, handmade.PARTS)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"feet": PLAIN["feet"][..., :2]}, r"field feet: expected shape \(T, L, 3\), here \(30, 6"),
        ({"bones": MADE.bones}, r"field bones: expected shape \(L, 2\), here \(6, 2\), got \(6, 3"),
        ({"stance": PLAIN["ground"]}, "field stance: expected true or false, got numbers"),
        ({"body_bend": BEND[:, :3]}, r"field body_bend: expected shape \(T, 4\)"),
        ({"leg_hocks": HOCKS * 2.0}, "field leg_hocks: expected 2 numbers from 0 to 1 and 2 from"),
        ({"leg_hocks": -HOCKS}, "field leg_hocks: expected 2 numbers from 0 to 1 and 2 from 0 to"),
        ({"leg_radii": handmade.RADII}, r"field leg_radii: expected shape \(L, 5\)"),
        ({"dt": 0.0}, "field dt: expected seconds between frames, above 0, got 0.0"),
    ],
)
@pytest.mark.parametrize("ending", ["npz", "json"])
def test_wrong_fields_say_what_is_wrong(tmp_path, ending, changes, message):
    with pytest.raises(FileError, match=message):
        read(tmp_path, {**ALL, **changes}, ending)


def test_missing_fields_are_named(tmp_path):
    few = {name: value for name, value in PLAIN.items() if name not in ("knees", "dt")}
    message = "expected the fields time, body_position, .*, dt, got no knees, dt"
    for ending in ("npz", "json"):
        with pytest.raises(FileError, match=message):
            read(tmp_path, few, ending)
    few = {name: value for name, value in DRAWN.items() if name != "leg_radii"}
    with pytest.raises(FileError, match="all of body_parts, body_pivots, leg_radii, or none"):
        read(tmp_path, {**PLAIN, **few}, "npz")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e300, -1e308])
@pytest.mark.parametrize("name", [*PLAIN, "body_bend", "leg_hocks", "body_parts", "leg_radii"])
def test_numbers_of_any_size_are_read_or_told(tmp_path, name, wrong):
    value = np.array(ALL[name])
    if value.dtype == bool:
        return
    value.flat[0] = wrong
    for ending in ("npz", "json"):
        try:
            read(tmp_path, {**ALL, name: value}, ending)
            field = name if np.isfinite(wrong) or ending == "npz" else "none"
        except FileError as error:
            field = error.field
        assert field in (name, "stations", "ankles", "hips", "along", None)


def test_no_byte_of_an_archive_makes_it_crash(tmp_path):
    np.savez_compressed(tmp_path / "walk.npz", **ALL)
    data = bytearray((tmp_path / "walk.npz").read_bytes())
    random = np.random.default_rng(7)
    wrong = 0
    for place in random.integers(0, len(data), 150).tolist():
        broken = data.copy()
        broken[place] ^= int(random.integers(1, 256))
        (tmp_path / "walk.npz").write_bytes(broken)
        try:
            recordings.read_recording(tmp_path / "walk.npz")
        except FileError:
            wrong += 1
    assert wrong > 100
