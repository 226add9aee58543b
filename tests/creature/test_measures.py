"""Figures of a walk: of recordings made by hand, where each is known, and of broken ones."""

import itertools
import math

import numpy as np
import pytest
from mpmath import mp, mpf, sqrt

from measured import measured
from twobone import rotations
from twobone.creature import Flat, Noise, Slope, measures
from twobone.creature.bounds import bounds
from twobone.creature.polygons import signed_distance
from twobone.creature.report import Bound, Report, as_dt_halves, broken, report, table
from twobone.errors import ArrayTypeError, CreatureError, ShapeError, TwoBoneError
from twobone.files.recordings import Recording
from twobone.pictures.model import write_glb
from twobone.pictures.walking import write_svg

CORNERS = np.array([[2.0, 0, 1], [2, 0, -1], [-2, 0, 1], [-2, 0, -1]])
DT = 0.5


def standing(frames=4, corners=CORNERS):
    """Return an animal whose feet stand at corners: hip 8 above, knee aside, two bones of 5.

    Its trunk has one station.
    """
    legs = len(corners)
    feet = np.tile(np.asarray(corners, float), (frames, 1, 1))
    return Recording(
        time=DT * np.arange(frames),
        stations=np.tile([0.0, 8.0, 0.0], (frames, 1, 1)),
        station_rotations=np.tile([0.0, 0.0, 0.0, 1.0], (frames, 1, 1)),
        hips=feet + np.array([0.0, 8.0, 0.0]),
        knees=feet + np.array([3.0, 4.0, 0.0]),
        ankles=feet.copy(),
        feet=feet,
        stance=np.ones((frames, legs), bool),
        bones=np.tile([5.0, 5.0, 0.0], (legs, 1)),
        ground=feet[..., 1].copy(),
        along=np.zeros(1),
        dt=DT,
    )


def standing_on_tiptoe(frames=4):
    """Return the same animal with a third segment, upright and 2 long."""
    r = standing(frames)
    up = np.array([0.0, 2.0, 0.0])
    return r._replace(
        stations=r.stations + up,
        hips=r.hips + up,
        knees=r.knees + up,
        ankles=r.ankles + up,
        bones=np.tile([5.0, 5.0, 2.0], (4, 1)),
    )


def turned(walk, turns):
    """Return a recording whose body has rotations, one or one a frame."""
    turns = np.broadcast_to(np.asarray(turns, float), (len(walk.time), 4))
    return walk._replace(station_rotations=turns[:, None].copy())


def changed(name, index, value, frames=4):
    """Return a standing animal with one thing changed."""
    r = standing(frames)
    getattr(r, name)[index] = value
    return r


def quaternion(axis, angle):
    axis = np.array(axis) / np.linalg.norm(axis)
    return [*(math.sin(angle / 2) * axis), math.cos(angle / 2)]


# --- an animal that stands ----------------------------------------------------------------


def test_an_animal_that_stands_has_nothing_to_be_ashamed_of():
    found = report(standing(), 0.0)
    assert found == Report(
        seconds=1.5,
        frames=4,
        legs=4,
        leg=10.0,
        slide=0.0,
        bone_error=0.0,
        greatest_reach=0.8,
        unreachable=0,
        least_feet_down=4,
        mean_feet_down=4.0,
        least_margin=1.0,
        least_margin_over_leg=0.1,
        depth_of_feet=0.0,
        depth_of_legs=0.0,
        knee_plane_rotation=0.0,
        knee_acceleration=0.0,
        touch_down_speed=0.0,
        peak_acceleration=0.0,
        speed=0.0,
        least_acceleration=0.0,
        backwards=0.0,
        tilt=0.0,
        bob=0.0,
        sway=0.0,
        roll=0.0,
        pitch=0.0,
        lateral_speed=0.0,
        path_over_distance=0.0,
        jerk=0.0,
    )
    assert math.isnan(report(standing()).depth_of_legs)


def test_a_third_segment_is_a_part_of_the_leg():
    r = standing_on_tiptoe()
    found = report(r, 0.0)
    assert (found.leg, found.bone_error, found.greatest_reach) == (12.0, 0.0, 0.8)
    assert found.least_margin_over_leg == 1.0 / 12.0
    r.ankles[2, 1] += [0.0, 0.25, 0.0]  # the segment is longer by 1/8, the shin shorter
    assert measured("bone_error", r) > 1e14
    assert measured("greatest_reach", r) == 0.8
    r = standing_on_tiptoe()
    r.bones[3, 2] = 2.5
    assert measured("bone_error", r) == pytest.approx(0.5 * 2.0**52 / 2.5)


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_short_recordings_have_figures(frames):
    found = report(standing(frames), 0.0)
    assert found.frames == frames
    assert found.least_margin == (1.0 if frames else math.inf)
    assert found.slide == found.bone_error == found.touch_down_speed == found.backwards == 0.0


# --- feet ---------------------------------------------------------------------------------


def test_slip_is_measured_from_where_the_stance_began():
    r = standing(6)
    r.feet[:, 1, 2] += [0.0, 0.25, 0.5, 0.25, 9.25, 9.5]  # creeps, comes back, is lifted
    r.stance[:, 1] = [True, True, True, True, False, True]
    assert measured("slide", r) == 0.5
    r.feet[5, 3, 0] += 0.75
    assert measured("slide", r) == 0.75
    assert measured("slide", changed("feet", (3, 0, 1), 5e-324)) == 5e-324  # not lost in a square


def test_the_report_tells_the_hardest_landing():
    r = standing(5)
    r.stance[:2, :2] = False
    r.feet[:2, 0, 1], r.feet[:2, 1, 1] = 1.0, 0.25
    assert report(r).touch_down_speed == 1.0 / DT


def test_a_foot_in_the_air_does_not_slip():
    r = standing()
    r.stance[1:3, 0] = False
    r.feet[1, 0] += 4.0
    r.feet[2:, 0] += 8.0  # put down elsewhere
    r.feet[3, 0] = r.feet[2, 0]
    assert measured("slide", r) == 0.0


def test_feet_down_are_counted():
    r = standing()
    r.stance[1, :3] = False
    assert measured("feet_down", r) == (1, 13 / 4)


def test_touch_down_speed_is_that_of_the_last_frame():
    r = standing(5)
    r.stance[:, 0] = [True, False, False, True, True]
    r.feet[:, 0, 1] = [0, 2.0, 1.0, 0.0, 0]
    r.stance[:, 2] = [False, False, True, False, True]
    r.feet[:, 2, 2] += [9.0, 3.0, 3.0, 5.0, 8.0]
    np.testing.assert_array_equal(measured("touch_down_speed", r), [0 / DT, 1 / DT, 3 / DT])


def test_a_snap_to_the_ground_is_seen():
    r = changed("feet", (slice(0, 2), 0, 1), 0.25)
    r.stance[:2, 0] = False
    np.testing.assert_array_equal(measured("touch_down_speed", r), [0.25 / DT])


def test_peak_acceleration_is_a_second_difference():
    r = standing(4)
    r.feet[:, 0] = np.outer([0.0, 1.0, 2.0, 3.0], [1, 2, 2])
    assert measured("peak_acceleration", r) == 0.0
    r.feet[2, 1] += [0.0, 0.3, -0.4]
    assert measured("peak_acceleration", r) == pytest.approx(2 * 0.5 / DT**2, rel=1e-15)


@pytest.mark.parametrize(("rate", "soft"), [(60, True), (60, False)])
def test_velocity_that_is_continuous_keeps_its_peak_as_dt_halves(rate, soft):
    """The figures that tell a landing foot from a falling one, as the frames grow finer."""
    peaks, speeds = [], []
    for dt in (1 / rate, 1 / (2 * rate), 1 / (4 * rate)):
        r = standing(int(2 / dt))
        t = np.clip(dt * np.arange(len(r.time)) - 0.5123, 0, 1)
        r.feet[:, 0, 1] = (64 if soft else 1) * (t * (1 - t)) ** (3 if soft else 1)
        r.stance[:, 0] = (t == 0) | (t == 1)
        finer = r._replace(dt=dt)
        peaks.append(measured("peak_acceleration", finer))
        speeds.append(np.max(measured("touch_down_speed", finer)))
    if soft:
        assert peaks == pytest.approx([24, 24, 24], rel=0.05)
        assert speeds[2] < speeds[0] / 4
    else:
        assert peaks[2] > 3 * peaks[0]
        assert min(speeds) > 0.2


def test_depth_is_of_feet_and_of_legs_from_the_knee_down():
    r = changed("feet", (2, 1, 1), -0.25)
    assert measured("depth_of_feet", r) == 0.25
    r.ground[2, 1] = -0.5
    assert measured("depth_of_feet", r) == 0.0
    assert measured("depth_of_feet", changed("feet", (2, 1, 1), -3.0)) == 3.0
    r = standing_on_tiptoe()
    # A ridge below the middle of a shin, which goes from 6 high and 3 aside to the ankle, 2 high.
    ridge = measured("depth_of_legs", r, lambda x, z: np.where(np.abs(x - 4.0) < 0.5, 5.0, 0.0))
    assert ridge == pytest.approx(5.0 - (2.0 + 4.0 * 0.6))
    assert measured("depth_of_legs", r, 1.0) == pytest.approx(0.6)  # a fifth above the foot
    assert measured("depth_of_legs", r, lambda x, z: np.where(x > 4.9, 6.5, 0.0)) == 0.5  # a knee
    assert measured("depth_of_legs", r, Slope(-45, 90)) == pytest.approx(1.6)  # feet at x = 2
    assert measured("depth_of_legs", r, -0.5) == 0.0


def test_depth_of_a_belly_is_that_of_the_deepest_station():
    r = standing()
    stations = np.array([[[0.0, 8.0, -1.0], [0.0, 7.0, 0.0]]])
    assert measures.depth_of_belly(stations, 0.5, 0.0) == 0.0
    assert measures.depth_of_belly(stations, 7.5, 0.0) == 0.5
    assert measures.depth_of_belly(stations, 0.5, lambda x, z: np.where(z < -0.5, 8.0, 0.0)) == 0.5
    assert measured("depth_of_belly", r, 1.0, 7.5) == 0.5
    with pytest.raises(CreatureError, match="`belly` must be at least 0"):
        measures.depth_of_belly(stations, -1.0, 0.0)


# --- legs ---------------------------------------------------------------------------------


def test_bone_error_is_exact():
    r = standing()
    up = math.ulp(8.0)  # a thigh of (3, 4 + ulp): longer by 4/5 of that; coordinates are up to 8
    r.hips[1, 2, 1] += up
    assert measured("bone_error", r) == pytest.approx(0.8 * up / (2.0**-52 * 8), rel=1e-12)
    r = changed("ankles", (3, 0, 0), 2.0 - math.ulp(1.0))  # the other bone: by 3/5 of it
    r.feet[3, 0] = r.ankles[3, 0]
    assert measured("bone_error", r) == pytest.approx(0.6 / 5, rel=1e-12)
    r = standing()
    r.bones[1, 1] = 4.0
    assert measured("bone_error", r) == pytest.approx(2.0**52 / 5.0, rel=1e-15)
    r.bones[1, 1] = 10.0
    assert measured("bone_error", r) == pytest.approx(0.5 * 2.0**52, rel=1e-15)


def test_bone_error_is_that_of_many_digits():
    rng = np.random.default_rng(7)
    for _ in range(40):
        r = standing(1, rng.normal(size=(1, 3)))
        hip, knee = rng.normal(size=(2, 3)) * 10
        bone = float(np.linalg.norm(hip - knee)) * (1 + rng.integers(-3, 4) * 2.0**-52)
        r.hips[0, 0], r.knees[0, 0], r.ankles[0, 0], r.feet[0, 0] = hip, knee, hip, hip
        r.bones[0] = bone, bone, 0.0
        ends = list(zip(hip, knee, strict=True))
        size = max(*np.abs(hip), *np.abs(knee), bone)
        with mp.workdps(60):
            square = sum((mpf(float(a)) - mpf(float(b))) ** 2 for a, b in ends)
            want = float(abs(sqrt(square) - mpf(bone)) / (mpf(2) ** -52 * mpf(size)))
        assert measured("bone_error", r) == pytest.approx(want, rel=1e-9, abs=1e-9)


def test_far_from_the_origin_bones_are_as_exact_as_coordinates():
    r = standing(1, CORNERS + np.array([0.0, 0.0, 2.0**30]))
    assert measured("bone_error", r) == 0.0
    r.knees[0, 1, 2] += 2.0**-22  # one unit in the last place, square to the bone
    assert measured("bone_error", r) < 1.0
    r.hips[0, 1, 1] += 2.0**-22
    assert measured("bone_error", r) == pytest.approx(0.8, rel=0.01)


def test_bones_of_no_length_have_no_error_of_their_own():
    r = standing()
    r.bones[0, 1] = 0.0
    assert measured("bone_error", r) == 2.0**52
    r.knees[:, 0] = r.ankles[:, 0]
    r.bones[0, 0] = 8.0
    assert measured("bone_error", r) == 0.0


def test_reach_and_ankles_that_cannot_be_reached():
    r = standing()
    r.ankles[2, 1, 1] = -2.0
    assert measured("greatest_reach", r) == 1.0
    assert measured("unreachable", r) == 0
    r.ankles[1, 1, 1] = -2.0 - 1e-13  # rounding
    assert measured("unreachable", r) == 0
    r.ankles[1, 1, 1] = -2.5
    assert measured("greatest_reach", r) == 1.05
    r.ankles[1, 2, 1] = -2.001
    assert measured("unreachable", r) == 2
    r.bones[0] = 1.0, 9.5, 7.0  # and in all frames ankle 0 is nearer than 8.5
    assert measured("unreachable", r) == 2 + 4


def test_the_knee_plane_rotations_with_the_knee():
    r = standing()
    angles = [0.0, 0.1, 0.4, 0.35]
    r.knees[:, 0] = r.feet[:, 0] + [[3 * math.cos(a), 4.0, 3 * math.sin(a)] for a in angles]
    assert measured("knee_plane_rotation", r) == pytest.approx(0.3, rel=1e-12)
    r.knees[2, 0] = r.feet[2, 0] + [0.0, 4.0, 0.0]  # straight: keeps the plane it had
    assert measured("knee_plane_rotation", r) == pytest.approx(0.25, rel=1e-12)
    r.knees[2, 0, 0] += 3e-6  # sine 7.5e-7
    assert measured("knee_plane_rotation", r) == pytest.approx(0.25, rel=1e-12)
    r.knees[2, 0, 0] -= 8e-6  # sine 1.25e-6, to the other side
    assert measured("knee_plane_rotation", r) == pytest.approx(math.pi - 0.1, rel=1e-6)


def test_a_leg_without_a_plane_does_not_turn_into_one():
    r = standing()
    r.knees[:2, 0] = r.feet[:2, 0] + [0.0, 4.0, 0.0]
    assert measured("knee_plane_rotation", r) == 0.0
    assert measured("knee_plane_rotation", r._replace(knees=r.hips)) == 0.0
    r.knees[0, 0, 2] += 3e-6  # hardly bent, and out of the plane that comes
    assert measured("knee_plane_rotation", r) == 0.0


def test_a_knee_that_flips_over_turns_by_half_a_turn():
    r = changed("knees", (2, 3, 0), -2.0 - 3.0)
    assert measured("knee_plane_rotation", r) == pytest.approx(math.pi, rel=1e-15)


def test_the_acceleration_of_a_knee_is_that_of_its_angle():
    r = standing_on_tiptoe(4)
    angles = np.array([1.0, 1.1, 1.3, 1.2])
    away = np.stack([np.sin(angles), np.cos(angles), 0.0 * angles], -1)
    r.hips[:, 2] = r.knees[:, 2] + 5.0 * np.array([0.0, 1.0, 0.0])
    r.ankles[:, 2] = r.knees[:, 2] + 5.0 * away
    found = measured("knee_acceleration", r)
    assert found.shape == (2, 4)
    np.testing.assert_allclose(found[:, 2], [0.1 / DT**2, -0.3 / DT**2])
    np.testing.assert_allclose(found[:, [0, 1, 3]], 0.0, atol=1e-12)


# --- the body -----------------------------------------------------------------------------


def test_the_margin_is_to_the_nearest_edge():
    r = standing(5)
    r.stations[:, 0, [0, 2]] = [[0, 0], [1.5, 0.25], [2, 1], [0, 1.5], [5, 5]]
    np.testing.assert_allclose(
        measured("static_margin", r), [1, 0.5, 0, -0.5, -5], rtol=0, atol=1e-15
    )


def test_the_margin_counts_only_feet_on_the_ground():
    r = standing(6)
    r.stations[:, 0, 2] = 0.25
    r.stance[1, 0] = False  # three feet: beyond the diagonal from (-2, 1) to (2, -1)
    r.stance[2, :2] = False
    r.stance[3] = [True, False, False, True]  # two: the diagonal from (2, 1) to (-2, -1)
    r.stance[4, :3] = False
    r.stance[5] = False
    diagonal = 0.5 / math.sqrt(5)
    want = [0.75, -diagonal, -2, -diagonal, -math.hypot(2, 1.25), -math.inf]
    np.testing.assert_allclose(measured("static_margin", r), want, rtol=1e-14)


def by_hand(point, feet):
    """Return the margin by walking around the hull."""

    def segment(a, b):
        t = np.clip(np.dot(point - a, b - a) / max(np.dot(b - a, b - a), 1e-300), 0, 1)
        return np.linalg.norm(point - a - t * (b - a))

    away = min((segment(a, b) for a, b in itertools.combinations(feet, 2)), default=math.inf)
    away = min([away, *(np.linalg.norm(point - a) for a in feet)], default=math.inf)
    sides = []
    for a, b in itertools.permutations(feet, 2):

        def cross(p, a=a, b=b):
            return (b - a)[0] * (p - a)[1] - (b - a)[1] * (p - a)[0]

        if all(cross(c) >= -1e-12 for c in feet):  # an edge, the hull to its left
            sides.append((cross(point) > 0, segment(a, b)))
    inside = len(feet) >= 3 and sides and all(left for left, _ in sides)
    return min(distance for _, distance in sides) if inside else -away


@pytest.mark.parametrize("legs", [2, 3, 4, 6, 8, 22])
def test_the_margin_is_that_of_a_walk_around_the_hull(legs):
    rng = np.random.default_rng(legs)
    feet, points = rng.normal(size=(60, legs, 2)), rng.normal(size=(60, 2))
    counted = rng.random((60, legs)) < 0.7
    want = [by_hand(p, f[c]) for p, f, c in zip(points, feet, counted, strict=True)]
    np.testing.assert_allclose(signed_distance(points, feet, counted), want, rtol=0, atol=1e-12)
    assert legs < 4 or np.sum(np.array(want) > 0) > 5


def test_feet_in_a_line_hold_nothing():
    line = np.array([[[0.1, 0.3], [1.1, 2.3], [2.1, 4.3], [0.6, 1.3]]])
    everyone = np.ones((1, 4), bool)
    for point, want in (([0.6, 1.3], 0.0), ([5.1, 10.3], -math.hypot(3, 6)), ([0.1, 2.8], None)):
        found = signed_distance(np.array([point]), line, everyone)[0]
        assert found == pytest.approx(-math.sqrt(1.25) if want is None else want, abs=1e-14)
    rng = np.random.default_rng(8)
    start, way = rng.normal(size=(2, 2000, 1, 2))
    for legs, beyond in ((2, 0.5), (3, 3.0), (6, -1.0)):
        share = np.sort(rng.random((2000, legs, 1)), axis=1)
        share[:, 0], share[:, -1] = 0.0, 1.0
        found = signed_distance(
            (start + beyond * way)[:, 0], start + share * way, np.ones((2000, legs), bool)
        )
        away = max(beyond - 1.0, -beyond, 0.0) * np.linalg.norm(way[:, 0], axis=-1)
        np.testing.assert_allclose(found, -away, rtol=1e-13, atol=1e-14)
        assert np.all(found <= 0)
    together = np.tile([3.0, 4.0], (1, 5, 1))
    assert signed_distance(np.zeros((1, 2)), together, np.ones((1, 5), bool))[0] == -5.0


def test_blocks_of_the_margin_do_not_matter():
    rng = np.random.default_rng(3)
    feet, points = rng.normal(size=(1000, 30, 2)), rng.normal(size=(1000, 2))
    counted = rng.random((1000, 30)) < 0.7
    whole = signed_distance(points, feet, counted)
    one = [signed_distance(*(v[[t]] for v in (points, feet, counted)))[0] for t in (0, 73, 74, 999)]
    np.testing.assert_array_equal(whole[[0, 73, 74, 999]], one)


def test_velocity_is_seen_by_the_animal():
    r = standing(3)
    r.stations[:, 0, [0, 2]] = [[0.0, 0.0], [1.0, 0.5], [1.0, 2.5]]
    np.testing.assert_allclose(measured("velocity", r), np.array([[1.0, 0.5], [0.0, 2.0]]) / DT)
    east = turned(r, quaternion([0, 1, 0], math.pi / 2))  # heading +x; +z is to its right
    np.testing.assert_allclose(
        measured("velocity", east), np.array([[-0.5, 1.0], [-2.0, 0.0]]) / DT, atol=1e-12
    )


def test_acceleration_of_the_body_is_that_upwards_of_the_middle_of_its_stations():
    r = standing(4)
    r = r._replace(
        stations=np.repeat(r.stations, 2, axis=1),
        station_rotations=np.repeat(r.station_rotations, 2, axis=1),
        along=np.array([-1.0, 1.0]),
    )
    r.stations[:, 1, 1] += [0.0, 0.2, 0.2, -0.4]
    np.testing.assert_allclose(measured("vertical_acceleration", r), np.array([-0.1, -0.3]) / DT**2)
    assert report(r).least_acceleration == pytest.approx(-0.3 / DT**2)


def test_backwards_is_against_the_heading():
    r = standing(5)
    r.stations[:, 0, 2] = [0, 1.0, 0.75, 0.25, 3.0]
    assert measured("backwards", r) == 0.5
    about = turned(r, quaternion([0, 1, 0], math.pi))
    assert measured("backwards", about) == pytest.approx(2.75, rel=1e-14)
    sideways = turned(r, quaternion([0, 1, 0], math.pi / 2))
    assert measured("backwards", sideways) == pytest.approx(0, abs=1e-15)
    to_the_left = standing(2)
    to_the_left.stations[1, 0, 0] = -0.5  # heading +x: that is back
    to_the_left = turned(to_the_left, quaternion([0, 1, 0], math.pi / 2))
    assert measured("backwards", to_the_left) == pytest.approx(0.5, rel=1e-14)


def test_who_looks_up_or_leans_goes_back_as_its_heading_says():
    r = standing(2)
    r.stations[1, 0] = 0.3 * np.array([math.sin(0.4), 0.0, math.cos(0.4)])
    for axis in ([1, 0, 0], [0, 0, 1]):
        level, turn = quaternion([0, 1, 0], 0.4 + math.pi), quaternion(axis, 1.2)
        both = rotations.multiply(np.array(level), np.array(turn))
        found = measured("backwards", turned(r, both))
        assert found == pytest.approx(0.3, rel=1e-14)


def test_a_leg_that_is_quite_folded_reaches_its_foot():
    for far, bones in ((0.0, (5.0, 5.0)), (3.0, (8.0, 5.0)), (3.0, (5.0, 8.0))):
        r = standing()
        r.hips[...], r.bones[:, :2] = r.feet + np.array([far, 0.0, 0.0]), bones
        assert measured("unreachable", r) == 0
        r.hips[..., 0] = r.feet[..., 0] + far - 1e-9
        assert measured("unreachable", r) == (16 if far else 0)


def test_a_turn_while_going_sideways_is_no_step_back():
    """Half of it is before the heading in the middle, half behind; up and down does not count."""
    r = standing(2)
    r.station_rotations[0, 0], r.station_rotations[1, 0] = (
        quaternion([0, 1, 0], a) for a in (-0.3, 0.3)
    )
    r.stations[1, 0] = [1.0, -5.0, 0.0]
    assert measured("backwards", r) == pytest.approx(0, abs=1e-15)


def test_tilt_is_the_angle_to_the_vertical():
    r = standing()
    r.station_rotations[2, 0] = quaternion([1, 0, 0], -0.3)
    assert measured("tilt", r) == pytest.approx(0.3, rel=1e-14)
    r.station_rotations[1, 0] = quaternion([0, 1, 0], 2.0)
    assert measured("tilt", r) == pytest.approx(0.3, rel=1e-14)
    q = np.random.default_rng(4).normal(size=(4, 4))
    up = rotations.rotate(rotations.normalize(q), np.array([0.0, 1.0, 0.0]))
    want = np.max(np.arccos(up[:, 1]))
    assert measures.tilt(q) == pytest.approx(want, rel=1e-12)
    longer = 3.0 * np.array([quaternion([1, 0, 1], 2.5)])  # of any length
    assert measures.tilt(longer) == pytest.approx(2.5, rel=1e-14)


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e-160, 3.0, 1e160, 1e200, 1.7e308])
def test_the_length_of_the_bodys_rotation_does_not_matter(size):
    position = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -0.25], [0.0, 0.0, 0.5]])
    on_its_back = np.tile([size, 0.0, 0.0, size], (3, 1))
    assert measures.tilt(on_its_back) == pytest.approx(math.pi / 2, rel=1e-15)
    level = np.tile([0.0, 0.0, 0.0, size], (3, 1))
    assert measures.tilt(level) == 0.0
    assert measures.backwards(position, level) == 0.25


def waving(fps=60, seconds=6.0, rate=2.5):
    """Return a body that goes along a bend at 1 m/s, and the wave that is added to its motion."""
    time = np.arange(round(seconds * fps)) / fps
    heading = 0.2 * time
    position = np.stack(
        [5.0 * (1.0 - np.cos(heading)), 1.0 + 0.1 * time, 5.0 * np.sin(heading)], -1
    )
    rotation = np.stack([0 * time, np.sin(heading / 2), 0 * time, np.cos(heading / 2)], -1)
    return position, rotation, np.sin(2 * np.pi * rate * time), heading, 1.0 / fps


def test_how_a_body_waves_is_measured_beside_its_way():
    position, rotation, wave, heading, dt = waving()
    aside = np.stack([np.cos(heading), 0.0 * heading, -np.sin(heading)], -1)
    assert measures.bob(position, dt) == pytest.approx(0.0, abs=1e-6)
    assert measures.sway(position, rotation, dt) == pytest.approx(0.0, abs=1e-4)
    assert measures.path_over_distance(position, dt) == pytest.approx(1.0, abs=1e-5)
    assert measures.lateral_speed(position, rotation) == pytest.approx(0.0, abs=1e-6)
    bobs = position + 0.03 * wave[:, None] * [0.0, 1.0, 0.0]
    assert measures.bob(bobs, dt) == pytest.approx(0.03, rel=0.05)
    assert measures.sway(bobs, rotation, dt) < 1e-4
    sways = position + 0.05 * wave[:, None] * aside
    assert measures.sway(sways, rotation, dt) == pytest.approx(0.05, rel=0.05)
    assert measures.bob(sways, dt) < 1e-6
    aside_speed = 0.05 * 2.5 * 2 * np.pi * 2 / np.pi  # mean of a sine's magnitude
    assert measures.lateral_speed(sways, rotation) == pytest.approx(aside_speed, rel=0.02)
    assert measures.path_over_distance(sways, dt) > 1.1
    wanted = 0.03 * (2 * np.pi * 2.5) ** 3 / 2**0.5
    assert measures.jerk(bobs, dt) == pytest.approx(wanted, rel=0.03)


def test_roll_and_pitch_are_told_apart():
    _, rotation, wave, _, dt = waving()
    for axis, name in ((2, "roll"), (0, "pitch")):
        half = 0.05 * wave
        turn = np.zeros_like(rotation)
        turn[:, axis], turn[:, 3] = np.sin(half), np.cos(half)
        turned = rotations.multiply(rotation, turn)
        for each in ("roll", "pitch"):
            found = getattr(measures, each)(turned, dt)
            assert found == pytest.approx(0.1 if each == name else 0.0, rel=0.05, abs=1e-3)


def test_motion_of_less_than_two_seconds_has_no_amplitude():
    position, rotation, _, _, dt = waving(seconds=1.9)
    assert measures.bob(position, dt) == measures.roll(rotation, dt) == 0.0


# --- what is wrong ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("feet", "slide peak_acceleration depth_of_feet bone_error least_margin"),
        ("ankles", "bone_error greatest_reach knee_plane_rotation knee_acceleration"),
        ("knees", "bone_error knee_plane_rotation knee_acceleration"),
        ("hips", "bone_error greatest_reach"),
        ("stations", "least_margin backwards bob sway speed path_over_distance jerk"),
        ("stations", "least_acceleration lateral_speed"),
        ("station_rotations", "tilt backwards sway roll pitch lateral_speed"),
        ("ground", "depth_of_feet"),
    ],
)
def test_a_nan_is_not_passed_over(name, figures):
    r = standing()
    getattr(r, name)[2] = math.nan
    found = report(r)
    for figure in figures.split():
        assert math.isnan(getattr(found, figure)), figure
    assert report(changed("ankles", (1, 2), math.nan)).unreachable == 1
    deep = changed("knees", (1, 2), math.nan)
    assert math.isnan(report(deep, 0.0).depth_of_legs)


def test_what_is_no_recording_is_named():
    r = standing()
    with pytest.raises(ArrayTypeError, match="`recording` must be a Recording, got tuple"):
        report(tuple(r))
    for name in ("hips", "ground", "station_rotations", "stance"):
        short = r._replace(**{name: getattr(r, name)[:3]})
        with pytest.raises(ShapeError, match=rf"`{name}` must have shape \(T, .* got \(3"):
            report(short)
    with pytest.raises(ArrayTypeError, match=r"`stance` must be of type bool, got int"):
        report(r._replace(stance=r.stance.astype(int)))
    with pytest.raises(ArrayTypeError, match=r"`feet` must"):
        report(r._replace(feet="feet"))
    with pytest.raises(ShapeError, match=r"`time` must have shape \(T\)"):
        report(r._replace(time=0.0))
    with pytest.raises(CreatureError, match=r"`dt` must be positive, got 0\.0"):
        report(r._replace(dt=0.0))


def test_measures_leave_the_recording_alone():
    r = standing()
    fields = {name: value for name, value in r._asdict().items() if isinstance(value, np.ndarray)}
    for value in fields.values():
        value.flags.writeable = False
    report(r, Noise(0.1, 1.0))
    plain = Recording(**{name: value.tolist() for name, value in fields.items()}, dt=DT)
    assert report(plain, 0.0) == report(r, 0.0)


@pytest.mark.parametrize("number", [0.3, -1, np.float32(2.0)])
def test_a_number_is_not_taken_for_the_ground_of_a_walk(number, tmp_path):
    """In `walk` it is a roughness, and everywhere else a height."""
    r = standing()
    message = (
        r"`terrain` must be the terrain of the walk: for a roughness, what `make_terrain` returned"
        r" for it; for level ground at that height, `Flat\("
    )
    for use in (
        lambda: report(r, number),
        lambda: write_glb(tmp_path / "walk.glb", r, number),
        lambda: write_svg(tmp_path / "walk.svg", r, number),
    ):
        with pytest.raises(CreatureError, match=message):
            use()
    assert not list(tmp_path.iterdir())
    assert report(r, 0) == report(r, Flat(0.0))
    assert report(r, Flat(9.0)).depth_of_legs > 0.0 == report(r, 0).depth_of_legs


# --- tables -------------------------------------------------------------------------------


def test_a_report_is_a_table():
    r = standing()
    r.station_rotations[2, 0] = quaternion([1, 0, 0], math.radians(12.5))
    text = str(report(r))
    lines = [line.split() for line in text.splitlines()]
    assert len(lines) == len(Report._fields) - 5  # of which a recording does not tell
    assert lines[0] == ["length", "1.5", "s"]
    assert ["tilt", "of", "the", "body", "12.5", "degrees"] in lines
    assert ["leg", "under", "ground", "-", "m"] in lines
    assert "NaN" in str(report(changed("feet", (1, 2), math.nan)))


def test_a_report_holds_plain_numbers():
    """NumPy's scalars print as np.True_ and np.float64(...) in a user's session."""
    found = report(standing()._replace(blocked=np.ones(4, bool)), 0.0)
    assert found.blocked == 4 * DT
    assert {type(value) for value in found} == {int, float}


def test_tables_stand_side_by_side():
    lines = table({"ours": report(standing()), "a rather long name": report(standing(7))})
    assert lines[0].split(maxsplit=1) == ["ours", "a rather long name"]
    assert lines[2].split() == ["frames", "4", "7"]
    ends = {line.index("1.5") + 3 for line in lines if line.startswith("length")}
    assert ends == {lines[0].index("ours") + 4}


def test_figures_beyond_their_bounds_are_marked():
    found = report(standing())._replace(drift=0.3, slide=math.nan)
    bounds = {"slide": Bound(most=0.0), "drift": Bound(most=0.2), "tilt": Bound(most=math.pi / 4)}
    bounds |= {"legs": Bound(4, 4), "least_feet_down": Bound(least=3), "depth_of_legs": Bound(0)}
    lines = table({"one": found, "two": report(standing())}, {"one": bounds, "two": {}})
    cells = {line[:36].strip(): line[36:].split() for line in lines}
    assert cells["foot sliding"] == ["NaN", "NO", "0", "m", "0"]
    assert cells["drift of a planted foot between keys"][:3] == ["0.3", "NO", "-"]
    assert cells["tilt of the body"] == ["0", "ok", "0", "degrees", "at", "most", "45"]
    assert cells["feet down, least"] == ["4", "ok", "4", "at", "least", "3"]
    assert cells["leg under ground"][:2] == ["-", "-"]  # of what nobody measured nobody judges
    same = table(
        {"one": found, "two": found}, {"one": bounds, "two": bounds | {"slide": Bound(0, 1)}}
    )
    assert same[5].endswith(" m                       0 (two: at most 1)")


def test_halving_dt_halves_nothing_where_nothing_moves():
    assert all(map(math.isnan, as_dt_halves(standing(), standing(7)).values()))
    r, fine = standing(), standing(7)
    for walk, step in ((r, 1.0), (fine, 0.25)):
        walk.stance[:3, 0] = False
        walk.feet[3:, 0, 0] += step
    found = as_dt_halves(r, fine._replace(dt=DT / 2))
    assert found == {"landing_as_dt_halves": 0.5, "acceleration_as_dt_halves": 1.0}


@pytest.mark.parametrize("wrong", [5, None, [standing()], {"a": 1}, {"a": None}])
def test_what_is_no_report_is_not_tabulated(wrong):
    with pytest.raises(ArrayTypeError, match=r"^`reports` must be a mapping of names to Reports"):
        table(wrong)


@pytest.mark.parametrize("wrong", [5, {}, {"a": 1}, {"a": {"slide": 1}}])
def test_what_are_no_bounds_are_told(wrong):
    with pytest.raises(TwoBoneError, match=r"^`bounds` must "):
        table({"a": report(standing())}, wrong)


def test_bones_of_negative_length_have_no_figures():
    with pytest.raises(CreatureError, match=r"^`bones` must be lengths, 0 or more, got -5\.0\.$"):
        report(changed("bones", (2, 1), -5.0))


def test_what_is_blocked_is_one_value_a_frame():
    with pytest.raises(ShapeError, match=r"^`blocked` must have shape \(T\), here T = 4, "):
        report(standing()._replace(blocked=[True]))


def test_rows_of_different_lengths_are_no_contact():
    with pytest.raises(ArrayTypeError, match="`stance` must be an array of bool, got "):
        report(standing()._replace(stance=[[True], [True, False]]))


def test_what_is_no_walk_has_no_bounds_and_no_ratios():
    fine = standing()
    for call, name in (
        (lambda: as_dt_halves(5, fine), "coarse"),
        (lambda: as_dt_halves(fine, None), "fine"),
        (lambda: bounds(5), "report"),
        (lambda: broken(5, {}), "figures"),
    ):
        with pytest.raises(ArrayTypeError, match=f"^`{name}` must be a Re(port|cording), got "):
            call()
    with pytest.raises(ArrayTypeError, match=r"^`bounds` must be what `bounds.bounds` returns, "):
        broken(report(fine), 5)
    with pytest.raises(CreatureError, match=r"^`ground` must be even, rough or steep, got 'mud'"):
        bounds(report(fine), ground="mud")
