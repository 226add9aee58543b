"""Measures of feet: each says what it is meant to say, and the report holds numbers for JSON."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clip_files
import walkers
from twobone import LocalPose
from twobone.errors import ClipError, ShapeError
from twobone.motion import find_contacts, find_limbs, load, measures, pin
from walkers import LEGS, walk


def line(count, step, height=0.0):
    at = np.zeros((count, 3))
    at[:, 0], at[:, 1] = step * np.arange(count), height
    return at


def test_drift_and_slide_are_of_each_span():
    at = line(20, 0.01)
    spans = [(0, 5), (10, 13), (15, 15)]
    assert measures.drift(at, spans).tolist() == pytest.approx(
        [0.02, 0.01, 0.0, 0.01, 0.02, 0.01, 0.0, 0.01]
    )
    assert measures.slide(at, spans).tolist() == pytest.approx([0.04, 0.02, 0.0])
    assert measures.drift(at, []).size == measures.slide(at, []).size == 0


def test_slide_is_along_the_ground_and_drift_in_space():
    at = line(3, 0.0, [0.0, 0.3, 0.0])
    assert measures.slide(at, [(0, 3)]).tolist() == [0.0]
    assert measures.drift(at, [(0, 3)]).max() == pytest.approx(0.2)


def test_penetration_and_floating_are_heights():
    at = line(4, 0.0, [0.0, -0.02, 0.05, 0.01])
    assert measures.penetration(at).tolist() == [0.0, 0.02, 0.0, 0.0]
    assert measures.penetration(at, 0.01).tolist() == pytest.approx([0.01, 0.03, 0.0, 0.0])
    assert measures.floating(at, [(0, 1), (2, 4)]).tolist() == pytest.approx([0.0, 0.05, 0.01])


def test_acceleration_is_in_metres_per_second_squared():
    time = np.arange(50) / 120.0
    at = np.stack([0.0 * time, -0.5 * 9.81 * time**2, 2.0 * time], axis=-1)
    assert measures.acceleration(at, 120).tolist() == pytest.approx([9.81] * 48)


def test_a_straight_limb_has_extension_1():
    at = np.zeros((2, 3)), np.array([[0, -0.4, 0]] * 2), np.array([[0, -0.8, 0], [0.4, -0.4, 0]])
    assert measures.extension(*at).tolist() == pytest.approx([1.0, np.sqrt(0.5)])


def test_the_skating_ratio_misses_slow_sliding():
    def ratio(speed, height):
        toes = np.stack([line(40, speed / 20, height), line(40, 0.0)], axis=1)
        return measures.skating_ratio(toes, 20)

    assert ratio(1.0, 0.02) == 1.0
    assert ratio(0.45, 0.02) == 0.0
    assert ratio(1.0, 0.06) == 0.0
    assert measures.skating_ratio(np.zeros((1, 2, 3)), 20) == 0.0


def test_foot_skating_counts_low_steps_in_centimetres():
    still = np.zeros((11, 2, 3))

    def skating(step, height):
        sliding = np.stack([line(11, step, height)] * 2, axis=1)
        return measures.foot_skating(still, sliding)

    assert skating(0.01, 0.0) == pytest.approx(0.5)  # toes slide 1 cm a frame, ankles do not
    assert skating(0.01, 0.02) == pytest.approx(0.5 * (2.0 - 2.0**0.5))
    assert skating(0.01, 0.04) == 0.0


def test_humanml3d_takes_feet_below_45_mm_a_frame_for_standing():
    assert measures.slow_feet(line(3, 0.044)).all()
    assert not measures.slow_feet(line(3, 0.046)).any()


def test_one_foot_that_stands_makes_the_physical_foot_contact_0():
    root, foot = line(30, 0.0), line(30, 0.02)
    root[:, 0] = 0.001 * np.arange(30) ** 2
    both = np.stack([foot, foot], axis=1)
    one = np.stack([foot, 0.0 * foot], axis=1)
    assert measures.physical_foot_contact(root, both, both, 30) == pytest.approx(4.0)
    assert measures.physical_foot_contact(root, one, one, 30) == 0.0
    assert measures.physical_foot_contact(0.0 * root, both, both, 30) == 0.0
    falling = root[:, [1, 0, 2]] * [1, -1, 1]  # accelerated downwards only
    assert measures.physical_foot_contact(falling, both, both, 30) == 0.0


@pytest.mark.parametrize("values", [[0.0, 1.0], [[0.0, 1.0]], 3.0])
def test_positions_of_another_shape_raise(values):
    with pytest.raises(ShapeError, match=r"`positions` must have shape \(T, 3\), got"):
        measures.drift(values, [])
    with pytest.raises(ShapeError, match=r"`positions` must have shape \(T, 3\) or \(T, N, 3\)"):
        measures.acceleration(values, 30)


FEET, ONE = np.zeros((5, 2, 3)), np.zeros((5, 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: measures.drift(FEET, []),
            r"`positions` must have shape \(T, 3\), got \(5, 2, 3\)",
        ),
        (lambda: measures.drift("feet", []), r"shape \(T, 3\), got no array of numbers"),
        (lambda: measures.floating([[0, 0, 0], [0]], []), "got no array of numbers"),
        (lambda: measures.penetration(FEET, np.zeros(7)), r"`ground` must .* \(5, 2\), got \(7,\)"),
        (lambda: measures.extension(ONE, ONE[:1], ONE), r"`mid` must have the shape of `start`"),
        (
            lambda: measures.skating_ratio(ONE, 20),
            r"`toes` must have shape \(T, N, 3\), got \(5, 3\)",
        ),
        (lambda: measures.foot_skating(FEET, FEET[1:]), "as many frames as `ankles`, 5, got"),
        (lambda: measures.physical_foot_contact(FEET, FEET, FEET, 30), "`root` must have shape"),
        (lambda: measures.physical_foot_contact(ONE[2:], FEET, FEET, 30), "frames as `root`, 3"),
        (lambda: measures.physical_foot_contact(ONE, FEET[:, :1], FEET, 30), r"\(T, 2, 3\), got"),
    ],
)
def test_arrays_that_do_not_fit_raise(call, message):
    with pytest.raises(ShapeError, match=message):
        call()


@pytest.mark.parametrize("measure", [measures.drift, measures.slide, measures.floating])
@pytest.mark.parametrize(
    "contacts",
    [[(0, 9)], [(-1, 3)], [(3, 2)], [(0, 2.5)], [(0, np.nan)], [(0, 1, 2)], [3], 7, ["ab"]],
)
def test_contacts_outside_of_the_frames_raise(measure, contacts):
    with pytest.raises(ClipError, match=r"contacts: expected contacts .* within the 5 frames, got"):
        measure(ONE, contacts)
    assert measure(ONE, [(0, 5), (5, 5)]).max() == 0.0


@pytest.mark.parametrize("fps", [0, -30, np.nan, np.inf, "30", None])
def test_rates_are_above_0(fps):
    for call in (
        lambda: measures.acceleration(ONE, fps),
        lambda: measures.skating_ratio(FEET, fps),
        lambda: measures.physical_foot_contact(ONE, FEET, FEET, fps),
        lambda: measures.resampled(ONE, fps, 20),
        lambda: measures.resampled(ONE, 30, fps),
    ):
        with pytest.raises(ClipError, match="expected a number above 0, got"):
            call()


@given(st.integers(1, 50), st.floats(1, 240), st.floats(1, 240))
def test_resampled_motion_is_that_of_the_same_time(count, fps, to):
    at = line(count, 1.0 / fps)  # moves at 1 m/s, so that x is the time
    found = measures.resampled(at, fps, to)
    np.testing.assert_allclose(found[:, 0], np.arange(len(found)) / to, atol=1e-5)
    assert len(found) == int((count - 1) / fps * to + 1e-6) + 1


# --- the report ---------------------------------------------------------------------------


def test_the_report_has_the_measures_of_both_clips():
    found = walk(stretch=1.15)
    made, _, report = pin(found.clip, found.contacts, LEGS)
    before, after = walkers.positions(found.clip), walkers.positions(made)
    slides = [
        sum(
            measures.slide(at[:, found.clip.skeleton.index(j)], s).sum()
            for j, s in found.contacts.items()
        )
        for at in (before, after)
    ]
    assert report.slide == pytest.approx(slides)
    assert report.drift_95.before > 0.02 > 1e-9 > report.drift_95.after
    knees = walkers.accelerations(made, [leg.mid for leg in LEGS])
    assert report.knee_acceleration_95.after == pytest.approx(np.percentile(knees, 95))
    moved = np.linalg.norm(after - before, axis=-1)
    assert report.body_moved_95 == pytest.approx(np.percentile(moved[:, 0], 95))
    assert report.bones < 1e-9
    assert report.extension.after <= 1.0 + 1e-9
    assert report.foot_skating.after < report.foot_skating.before


@pytest.mark.parametrize("fps", [20, 30, 60, 120])
def test_published_measures_do_not_depend_on_the_frame_rate(fps):
    report, at_20 = (
        pin(found.clip, found.contacts, LEGS).report
        for found in (walk(rate, stretch=2.2) for rate in (fps, 20))
    )
    assert at_20.skating_ratio.before > 0.2
    for name in ("skating_ratio", "foot_skating", "slow_feet", "physical_foot_contact"):
        found, expected = getattr(report, name).before, getattr(at_20, name).before
        assert found == pytest.approx(expected, rel=0.3, abs=0.05), name


# --- a T-pose before the motion -----------------------------------------------------------


@pytest.fixture(scope="module")
def recorded():
    return load(clip_files.path_of("cmu_bvh/02_01.bvh"))


def test_a_t_pose_before_the_motion_is_left_out(recorded):
    limbs = find_limbs(recorded)
    found = {
        name: [(max(a, 3), b) for a, b in spans]
        for name, spans in find_contacts(recorded[1:]).items()
    }
    contacts = {n: [(0, 1), *((a + 1, b + 1) for a, b in spans)] for n, spans in found.items()}
    report = pin(recorded, contacts, limbs).report
    without = pin(recorded[1:], found)
    assert (report.left_out, report.frames) == (1, 344)
    assert (without.report.left_out, without.report.frames) == (0, 343)
    assert report.as_dict()["left_out"] == 1
    for name in ("drift_95", "slide", "penetration", "knee_acceleration_99_5", "foot_skating"):
        old, new = getattr(report, name).before, getattr(without.report, name).before
        assert old == pytest.approx(new, rel=1e-9), name
    old, new = report.footplants[0], without.report.footplants[0]
    assert (old.joint, old.first, old.stop) == (new.joint, new.first + 1, new.stop + 1)


def test_several_frames_of_a_t_pose_are_left_out(recorded):
    frames = np.array([0, 0, 0, 0, *range(1, len(recorded))])
    longer = recorded.with_pose(LocalPose(*(part[frames] for part in recorded.pose)))
    assert pin(longer, {}, find_limbs(longer)).report.left_out == 4


def test_a_t_pose_that_belongs_to_the_motion_is_measured(recorded):
    limbs = find_limbs(recorded)
    only = recorded.with_pose(LocalPose(*(part[[0] * 9] for part in recorded.pose)))
    assert pin(only, {}, limbs).report.left_out == 0
    assert pin(recorded[1:], {}, limbs).report.left_out == 0
    assert pin(recorded[:1], {}, limbs).report.left_out == 0
    # Somebody who stands like this and then moves does not jump.
    share = np.linspace(0.0, 1.0, 60)[:, None, None]
    first, then = (LocalPose(*(part[k] for part in recorded.pose)) for k in (0, 1))
    mixed = LocalPose(*((1 - share) * a + share * b for a, b in zip(first, then, strict=True)))
    assert pin(recorded.with_pose(mixed), {}, limbs).report.left_out == 0
    legs = limbs._replace(arms=())
    assert pin(recorded, {}, legs).report.left_out == 0


def test_the_report_is_json():
    found = walk(stretch=1.15)
    report = pin(found.clip, found.contacts, LEGS).report
    again = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert again["slide"] == {"before": report.slide.before, "after": report.slide.after}
    assert again["footplants"][0]["joint"] == report.footplants[0].joint
    assert again["units"]["lengths"] == "metres"
    one = pin(found.clip, {"left foot": [(0, 9)]}, LEGS).report
    assert one.as_dict()["skating_ratio"] == {"before": None, "after": None}


def test_a_single_wrong_frame_is_a_step_of_twice_its_error_and_makes_no_others_usual():
    at = np.zeros((100, 1, 3))
    at[50, 0, 1] = 0.01
    steps, usual = measures.steps(at)[:, 0], measures.usual_steps(at, 50)[:, 0]
    assert steps[50] == pytest.approx(0.02)
    assert np.flatnonzero(steps).tolist() == [49, 50, 51]
    assert np.flatnonzero(usual).tolist() == [48, 49, 50, 51, 52]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 20, 700])
def test_usual_steps_are_the_fourth_largest_nearby_or_those_beside(count):
    steps_at = np.random.default_rng(1).normal(size=(count, 2, 3))
    steps, usual = measures.steps(steps_at), measures.usual_steps(steps_at, 20)
    padded = np.pad(steps, [(5, 5), (0, 0)])
    for frame in range(count):
        fourth = np.sort(padded[frame : frame + 11], axis=0)[-4]
        beside = steps[max(frame - 1, 0) : frame + 2].max(0)
        assert usual[frame] == pytest.approx(np.maximum(fourth, beside))
