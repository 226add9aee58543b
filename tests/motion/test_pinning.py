"""`pin`: feet stay, bones keep their lengths, knees do not pop, and nothing else changes."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import walkers
from twobone import LocalPose, Skeleton
from twobone.errors import ClipError
from twobone.motion import Clip, find_contacts, pin
from walkers import FIGURE, LEGS, NAMES, OFFSETS, walk

KNEES = [leg.mid for leg in LEGS]
TOES = [joint for leg in LEGS for joint in (leg.toe, leg.toe + 1)]
MM = 0.001


def pinned(found, **options):
    return pin(found.clip, found.contacts, LEGS, **options)


def test_a_clip_that_jumps_while_its_feet_stand_is_left_as_it_is():
    found = walk(30)
    feet = {name: [(0, 30)] for name in found.contacts}
    still = [part[[0] * 30].copy() for part in found.clip.pose]
    still[1][15:, 0, 2] += 2.0
    made = pin(found.clip.with_pose(LocalPose(*still)), feet, LEGS, body="keep")
    assert made.report.missed_most < 0.02
    assert {(plant.first, plant.stop) for plant in made.anchors} == {(0, 15), (16, 30)}


@pytest.mark.parametrize("fps", [30, 120])
@pytest.mark.parametrize("body", ["least", "follow"])
@pytest.mark.parametrize("reach", ["exact", "stretch"])
def test_planted_joints_stay_where_their_footplants_are(fps, body, reach):
    found = walk(fps, stretch=1.15)
    assert np.percentile(walkers.drift(found.clip, found.contacts), 95) > 30 * MM
    made, anchors, report = pinned(found, body=body, reach=reach)
    assert walkers.drift(made, found.contacts).max() < 1e-9
    at = walkers.positions(made)
    for joint, first, last, position in anchors:
        here = at[first:last, made.skeleton.index(joint)]
        assert np.abs(here - position).max() < 1e-9
    assert report.missed_most < 1e-9


def test_there_is_one_footplant_for_each_span():
    found = walk(stretch=1.15)
    plants = pinned(found).anchors
    spans = {(joint, *span) for joint, each in found.contacts.items() for span in each}
    assert {plant[:3] for plant in plants} == spans


@pytest.mark.parametrize("stretch", [0.85, 1.15])
@pytest.mark.parametrize("fps", [30, 120])
def test_knees_do_not_pop(fps, stretch):
    found = walk(fps, stretch=stretch)
    before = walkers.accelerations(found.clip, KNEES)
    after = walkers.accelerations(pinned(found).clip, KNEES)
    for share in (95, 99.5):
        assert np.percentile(after, share) <= 1.5 * np.percentile(before, share)


@pytest.mark.parametrize("body", ["least", "follow", "keep"])
@pytest.mark.parametrize("reach", ["exact", "soft"])
def test_bones_keep_their_lengths(body, reach):
    found = walk(stretch=1.15)
    made = pinned(found, body=body, reach=reach).clip
    assert np.abs(walkers.bones(made) - walkers.bones(found.clip)).max() < 1e-12


def test_stretched_bones_are_no_shorter_and_hips_stay_up():
    found = walk(stretch=1.3)
    made = pinned(found, body="keep", reach="stretch")
    assert walkers.drift(made.clip, found.contacts).max() < 1e-9
    ratio = walkers.bones(made.clip)[:, 1:] / np.maximum(walkers.bones(found.clip)[:, 1:], 1e-9)
    assert ratio[:, [1, 2, 6, 7]].min() > 1.0 - 1e-12
    assert 1.01 < ratio.max() == pytest.approx(1.0 + made.report.bones)
    assert np.array_equal(walkers.positions(made.clip)[:, 0], walkers.positions(found.clip)[:, 0])


def test_a_body_that_is_kept_makes_feet_miss_and_the_report_says_by_how_much():
    found = walk(stretch=1.3)
    made, anchors, report = pinned(found, body="keep")
    assert np.array_equal(made.pose.translations, found.clip.pose.translations)
    at = walkers.positions(made)
    missed = [
        np.linalg.norm(at[first:last, made.skeleton.index(joint)] - position, axis=-1)
        for joint, first, last, position in anchors
    ]
    assert report.missed_most == pytest.approx(np.concatenate(missed).max())
    assert report.missed_most > 5 * MM
    assert max(plant.missed for plant in report.footplants) == report.missed_most


def test_the_least_body_only_goes_down_and_less_than_10_cm():
    found = walk(stretch=1.15)
    moved = (walkers.positions(pinned(found).clip) - walkers.positions(found.clip))[:, 0]
    assert moved[:, 1].min() > -100 * MM
    assert moved[:, 1].min() < -10 * MM
    assert moved[:, 1].max() < 1 * MM


def test_a_body_that_follows_its_feet_travels_as_far_as_its_steps():
    plain, found = walk(seconds=6.0), walk(seconds=6.0, stretch=1.15)
    made = pinned(found, body="follow").clip
    far = [np.ptp(walkers.positions(clip)[:, 0, 2]) for clip in (plain.clip, made, found.clip)]
    assert far[2] == pytest.approx(1.15 * far[0])
    assert far[1] == pytest.approx(far[0], rel=0.03)


def test_toes_do_not_go_deeper_than_before():
    found = walk(stretch=1.15)
    below = [
        np.maximum(0.02 - walkers.positions(clip)[:, TOES, 1], 0.0)
        for clip in (found.clip, pinned(found, ground=0.02).clip)
    ]
    assert (below[1] - below[0]).max() < 1 * MM


def test_feet_in_the_air_do_not_go_through_the_floor():
    found = walk(stretch=1.0)
    sunk = found.clip.pose.translations.copy()
    sunk[:, 0, 1] += 0.03 * np.sin(np.arange(len(sunk)) / 9.0)
    clip = found.clip.with_pose(LocalPose(found.clip.pose.rotations, sunk))
    low = [
        np.minimum(walkers.positions(c)[:, [*TOES, 3, 8], 1] - 0.02, 0.0)
        for c in (clip, pin(clip, found.contacts, LEGS, ground=0.02).clip)
    ]
    assert low[0].min() < -20 * MM
    assert (low[1] - low[0]).min() > -1 * MM


def deeper(clip, made, joints, floor):
    """Return by how much joints go deeper below the floor than they did before."""
    depths = [np.maximum(floor - walkers.positions(c)[:, joints, 1], 0.0) for c in (clip, made)]
    return (depths[1] - depths[0]).max()


@pytest.mark.parametrize(("lift", "toes_down"), [(0.0, 0.0), (0.0, 0.9), (0.06, 0.7)])
def test_feet_that_shuffle_over_the_floor_do_not_sink_into_it(lift, toes_down):
    found = walk(stretch=1.25, lift=lift)
    rotations = found.clip.pose.rotations.copy()
    for joint in (4, 9):
        rotations[:, joint, 0], rotations[:, joint, 3] = (
            np.sin(toes_down / 2),
            np.cos(toes_down / 2),
        )
    clip = found.clip.with_pose(LocalPose(rotations, found.clip.pose.translations))
    assert deeper(clip, pin(clip, found.contacts, LEGS, ground=0.02).clip, TOES, 0.02) < 1 * MM


def test_a_foot_held_by_its_heel_does_not_push_its_toes_through_the_floor():
    found = walk(seconds=1.0)
    rotations, translations = (values.copy() for values in found.clip.pose)
    rotations[:], translations[:] = rotations[0], translations[0]
    rise = np.linspace(0.0, 0.03, len(rotations))
    translations[:, 0, 1] += rise
    pitch = np.arctan2(rotations[:, 3, 0], rotations[:, 3, 3]) + 0.5 * np.arcsin(rise / 0.14)
    rotations[:, 3, 0], rotations[:, 3, 3] = np.sin(pitch), np.cos(pitch)
    clip = found.clip.with_pose(LocalPose(rotations, translations))
    made = pin(clip, {"left foot": [(0, len(clip))]}, LEGS, ground=0.02).clip
    assert walkers.drift(made, {"left foot": [(0, len(clip))]}).max() < 1e-9
    assert deeper(clip, made, [4], 0.02) < 1 * MM


def test_the_jitter_of_planted_feet_is_given_back_to_the_body():
    found = walk(seconds=1.0, fps=120)
    rotations, translations = (values.copy() for values in found.clip.pose)
    rotations[:], translations[:] = rotations[0], translations[0]
    translations[:, 0] += np.random.default_rng(5).normal(scale=0.002, size=(len(rotations), 3))
    clip = found.clip.with_pose(LocalPose(rotations, translations))
    made = pin(clip, {name: [(0, len(clip))] for name in found.contacts}, LEGS).clip
    before, after = (np.percentile(walkers.accelerations(c, KNEES), 95) for c in (clip, made))
    assert after < 0.2 * before


def test_a_body_that_follows_its_feet_keeps_its_height():
    found = walk(stretch=1.15)
    translations = found.clip.pose.translations.copy()
    translations[:, 0, 1] += 0.01 * np.arange(len(translations)) / 60  # the feet rise by 3 cm
    clip = found.clip.with_pose(LocalPose(found.clip.pose.rotations, translations))
    made = pin(clip, found.contacts, LEGS, body="follow", reach="stretch").clip
    moved = (walkers.positions(made) - walkers.positions(clip))[:, 0, 1]
    assert np.abs(moved).max() < 5 * MM


def test_feet_swing_almost_as_high_as_before():
    found = walk(stretch=1.15)
    highest = [
        np.sort(walkers.positions(clip)[:, 4, 1])[-5:].mean()
        for clip in (found.clip, pinned(found).clip)
    ]
    assert highest[0] - 30 * MM < highest[1] < highest[0] + 5 * MM


def test_knees_do_not_bend_backwards():
    found = walk(stretch=1.3)
    made = pinned(found).clip
    at = walkers.positions(made)
    for leg in LEGS:
        upper, lower = at[:, leg.mid] - at[:, leg.start], at[:, leg.end] - at[:, leg.mid]
        assert np.cross(lower, upper)[:, 0].max() < 1e-9  # the figure walks along z


def test_pinning_again_changes_nothing():
    found = walk(stretch=1.15)
    once = pinned(found).clip
    twice = pin(once, found.contacts, LEGS).clip
    moved = np.linalg.norm(walkers.positions(twice) - walkers.positions(once), axis=-1)
    assert np.percentile(moved, 95) < 0.1 * MM
    assert moved.max() < 1e-9


def test_a_clip_whose_feet_stay_keeps_its_values_bit_for_bit():
    found = walk(seconds=1.2)
    rotations, translations = (values.copy() for values in found.clip.pose)
    rotations[:], translations[:] = rotations[0], translations[0]  # it stands
    clip = found.clip.with_pose(LocalPose(rotations, translations))
    made = pin(clip, {name: [(5, 40)] for name in found.contacts}, LEGS).clip
    assert np.abs(made.pose.rotations - rotations).max() < 1e-12
    assert np.abs(made.pose.translations - translations).max() < 1e-12
    assert np.array_equal(made.pose.rotations[50:], rotations[50:])
    assert np.array_equal(made.pose.rotations[:, 0], rotations[:, 0])


def test_limbs_without_contact_and_all_other_joints_keep_their_values():
    found = walk(stretch=1.15)
    left = {name: spans for name, spans in found.contacts.items() if name.startswith("left")}
    made = pin(found.clip, left, LEGS).clip
    assert np.array_equal(made.pose.rotations[:, 6:], found.clip.pose.rotations[:, 6:])
    assert walkers.drift(made, left).max() < 1e-9
    assert pin(found.clip, {}, LEGS).clip is found.clip


@pytest.mark.parametrize(("held", "free"), [("left foot", "left toes"), ("left toes", "left foot")])
def test_a_foot_held_at_one_joint_pivots_about_it(held, free):
    found = walk(stretch=1.0)
    turning = found.clip.pose.rotations.copy()
    yaw = 0.4 * np.arange(len(turning)) / len(turning)
    turning[:, 0, 1], turning[:, 0, 3] = np.sin(yaw / 2), np.cos(yaw / 2)
    clip = found.clip.with_pose(LocalPose(turning, found.clip.pose.translations))
    made = pin(clip, {held: [(0, 36)]}, LEGS).clip
    assert walkers.drift(made, {held: [(0, 36)]}).max() < 1e-9
    at = walkers.positions(made)[:36]
    assert np.ptp(at[:, clip.skeleton.index(free), 0]) > 10 * MM


def test_sliding_that_is_meant_is_kept():
    found = walk(stretch=1.15)
    name, (first, last) = "left toes", found.contacts["left toes"][1]
    slides = [("left toes", first, last - 1), ("left foot", first - 10, last - 1)]
    made = pinned(found, keep_sliding=slides)
    kept = {
        k: [s for s in v if s[0] < first - 10 or s[0] >= last] for k, v in found.contacts.items()
    }
    kept["right toes"], kept["right foot"] = (
        found.contacts["right toes"],
        found.contacts["right foot"],
    )
    assert walkers.drift(made.clip, kept).max() < 1e-9
    free = walkers.drift(made.clip, {name: [(first, last)]})
    assert free.max() > 0.5 * walkers.drift(found.clip, {name: [(first, last)]}).max()
    assert (name, first, last) not in [plant[:3] for plant in made.anchors]


def test_short_pauses_are_held_but_not_over_sliding_that_is_meant():
    found = walk(fps=120, stretch=1.15)
    first, last = found.contacts["left toes"][1]
    broken = {"left toes": [(first, first + 20), (first + 23, last)]}
    assert [p[1:3] for p in pin(found.clip, broken, LEGS).anchors] == [(first, last)]
    slides = [("left toes", first + 21, first + 21)]
    plants = pin(found.clip, broken, LEGS, keep_sliding=slides).anchors
    assert [p[1:3] for p in plants] == broken["left toes"]


def test_feet_follow_a_slope():
    found = walk(stretch=1.15)
    tilt = 0.15
    translations = found.clip.pose.translations.copy()
    translations[:, 0, 1] += tilt * translations[:, 0, 2]
    clip = found.clip.with_pose(LocalPose(found.clip.pose.rotations, translations))
    made, anchors, _ = pin(clip, found.contacts, LEGS, ground=lambda x, z: tilt * z)
    assert walkers.drift(made, found.contacts).max() < 1e-9
    at = walkers.positions(clip)
    for joint, first, last, (_, y, z) in anchors:
        here = at[first:last, clip.skeleton.index(joint)]
        above = np.maximum(here[:, 1] - tilt * here[:, 2], 0.0)
        assert above.min() - 1 * MM < y - tilt * z < above.max() + 1 * MM


# --- the same feet ------------------------------------------------------------------------


def yawed(clip, angle):
    q = np.array([0.0, np.sin(angle / 2), 0.0, np.cos(angle / 2)])
    turn = np.array(
        [[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]]
    )
    return moved(clip, q, turn)


def moved(clip, q, matrix, **settings):
    rotations, translations = clip.pose.rotations.copy(), clip.pose.translations.copy()
    rotations[:, 0] = products(q, rotations[:, 0])
    translations[:, 0] = translations[:, 0] @ matrix.T
    kept = dict(up=clip.up, metres=clip.metres) | settings
    return Clip(clip.skeleton, LocalPose(rotations, translations), clip.fps, **kept)


def products(p, q):
    v, w = p[:3], p[3]
    vector = w * q[:, :3] + q[:, 3:] * v + np.cross(v, q[:, :3])
    return np.concatenate([vector, (w * q[:, 3] - q[:, :3] @ v)[:, None]], axis=1)


def test_a_clip_that_is_turned_has_the_same_feet_turned():
    found = walk(stretch=1.15)
    turn = np.array([[np.cos(0.7), 0, np.sin(0.7)], [0, 1, 0], [-np.sin(0.7), 0, np.cos(0.7)]])
    made = pin(yawed(found.clip, 0.7), found.contacts, LEGS).clip
    expected = walkers.positions(pinned(found).clip) @ turn.T
    assert np.abs(walkers.positions(made) - expected).max() < 1e-9


def test_a_clip_in_centimetres_has_the_same_feet():
    found = walk(stretch=1.15)
    skeleton = Skeleton(FIGURE.parents, 100.0 * np.array(OFFSETS), names=NAMES)
    pose = LocalPose(found.clip.pose.rotations, 100.0 * found.clip.pose.translations)
    clip = Clip(skeleton, pose, found.clip.fps, metres=0.01)
    made = pin(clip, found.contacts, LEGS)
    expected = pinned(found)
    assert np.abs(walkers.positions(made.clip) - walkers.positions(expected.clip)).max() < 1e-9
    assert made.report.feet_in_air_moved_95 == pytest.approx(expected.report.feet_in_air_moved_95)


def test_a_clip_with_z_up_has_the_same_feet():
    found = walk(stretch=1.15)
    half = np.sqrt(0.5)
    upright = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])  # y to z
    clip = moved(found.clip, np.array([half, 0, 0, half]), upright, up="z")
    made = pin(clip, found.contacts, LEGS)
    expected = pinned(found)
    turned = walkers.positions(expected.clip) @ upright.T
    assert np.abs(walkers.positions(made.clip) - turned).max() < 1e-9
    assert made.report.slide.before == pytest.approx(expected.report.slide.before)


# --- other skeletons ----------------------------------------------------------------------


@pytest.mark.parametrize("parent", [0, -1], ids=["hips", "none"])
@pytest.mark.parametrize("joints", [(3, 8), (3, 4, 8, 9)], ids=["feet", "feet, toes"])
def test_feet_that_do_not_hang_from_the_shin_are_brought_along(joints, parent):
    found = walk(stretch=1.15)
    at, parents = walkers.positions(found.clip), list(FIGURE.parents)
    apart = [parent if joint in joints else each for joint, each in enumerate(parents)]
    translations = found.clip.pose.translations.copy()
    rotations = found.clip.pose.rotations.copy()
    for joint in joints:  # feet are flat, and the hips do not rotate
        translations[:, joint] = at[:, joint] - (at[:, 0] if parent == 0 else 0.0)
        rotations[:, joint] = [0.0, 0.0, 0.0, 1.0]
    clip = Clip(Skeleton(apart, OFFSETS, names=NAMES), LocalPose(rotations, translations), 60)
    made = pin(clip, found.contacts, LEGS).clip
    assert walkers.drift(made, found.contacts).max() < 1e-9
    shins = [
        np.linalg.norm(walkers.positions(c)[:, 3] - walkers.positions(c)[:, 2], axis=-1)
        for c in (clip, made)
    ]
    assert np.abs(shins[1] - shins[0]).max() < 1e-9


def test_legs_of_several_trees_are_lowered_together():
    found = walk(stretch=1.15)
    parents = [-1 if joint in (1, 6) else each for joint, each in enumerate(FIGURE.parents)]
    translations = found.clip.pose.translations.copy()
    at = walkers.positions(found.clip)
    translations[:, [1, 6]] = at[:, [1, 6]]  # the hips do not rotate
    pose = LocalPose(found.clip.pose.rotations, translations)
    clip = Clip(Skeleton(parents, OFFSETS, names=NAMES), pose, 60)
    made = pin(clip, found.contacts, LEGS).clip
    assert walkers.drift(made, found.contacts).max() < 1e-9
    expected = walkers.positions(pinned(found).clip)
    assert np.abs(walkers.positions(made)[:, 1:] - expected[:, 1:]).max() < 1e-6


def test_the_joint_that_moves_the_body_is_the_one_that_moves_in_the_clip():
    found = walk(stretch=1.15)
    names = ["armature", *NAMES]
    parents = [-1, *(parent + 1 for parent in FIGURE.parents)]
    offsets = np.concatenate([[[0.0, 0.0, 0.0]], OFFSETS])
    skeleton = Skeleton(parents, offsets, names=names, scales=[100.0] + [1.0] * len(NAMES))
    rotations, translations = found.clip.pose
    still = np.tile([0.0, 0.0, 0.0, 1.0], (len(rotations), 1, 1))
    pose = LocalPose(
        np.concatenate([still, rotations], axis=1),
        np.concatenate([0.0 * still[..., :3], translations / 100.0], axis=1),
    )
    clip = Clip(skeleton, pose, 60)
    limbs = [walkers.Leg(*(joint + 1 for joint in leg)) for leg in LEGS]
    made = pin(clip, found.contacts, limbs).clip
    assert np.array_equal(made.pose.translations[:, 0], pose.translations[:, 0])
    expected = walkers.positions(pinned(found).clip)
    assert np.abs(walkers.positions(made)[:, 1:] - expected).max() < 1e-9


# --- any labels ---------------------------------------------------------------------------


@st.composite
def labels(draw, frames):
    edges = st.integers(0, frames)
    span = st.tuples(edges, edges).map(lambda pair: tuple(sorted(pair)))
    joints = [NAMES[joint] for leg in LEGS for joint in (leg.end, leg.toe)]
    return {joint: draw(st.lists(span, max_size=4)) for joint in joints}


@pytest.mark.slow
@settings(max_examples=60)
@given(data=st.data(), frames=st.sampled_from([1, 2, 3, 7, 60]), fps=st.sampled_from([12, 30, 120]))
def test_any_labels_give_finite_poses_with_the_bones_they_had(data, frames, fps):
    found = walk(fps=60, seconds=1.0, stretch=1.3)
    pose = LocalPose(*(values[:frames] for values in found.clip.pose))
    clip = Clip(FIGURE, pose, fps)
    body = data.draw(st.sampled_from(["least", "keep", "follow"]))
    reach = data.draw(st.sampled_from(["exact", "soft"]))
    made, anchors, report = pin(clip, data.draw(labels(frames)), LEGS, body=body, reach=reach)
    assert np.isfinite(made.pose.rotations).all()
    assert np.isfinite(made.pose.translations).all()
    assert np.abs(walkers.bones(made) - walkers.bones(clip)).max() < 1e-9
    assert np.isfinite([value for plant in anchors for value in plant.position]).all()
    json.dumps(report.as_dict(), allow_nan=False)


# --- errors -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"contacts": {"left hand": [(0, 1)]}}, "the contacts: expected joints of the skeleton"),
        ({"contacts": {"hips": [(0, 1)]}}, "the end or the toe of a limb, got 'hips'"),
        ({"contacts": {"left foot": [(0, 61)]}}, r"within the 60 frames, got \(0, 61\)"),
        (
            {"contacts": {"left foot": [(5, 2)]}},
            r"field left foot: expected contacts.*got \(5, 2\)",
        ),
        ({"contacts": {"left foot": [(0, 1.5)]}}, r"got \(0, 1.5\)"),
        ({"contacts": {"left foot": 3}}, r"contacts \(first, last \+ 1\), got 3"),
        ({"contacts": [1]}, "a dictionary from joints to contacts .* got list"),
        ({"body": "jump"}, "field body: expected 'keep' or 'least' or 'follow', got 'jump'"),
        ({"reach": "hard"}, "field reach: expected 'exact' or 'soft' or 'stretch', got 'hard'"),
        ({"keep_sliding": [("left foot", 0, 60)]}, r"within 0 and 59, got \(0, 60\)"),
        ({"keep_sliding": [("head", 0, 1)]}, "keep_sliding: expected joints of the skeleton"),
        ({"keep_sliding": [("left foot", 0, 1.5)]}, r"within 0 and 59, got \(0, 1.5\)"),
        ({"keep_sliding": [("left foot", 1)]}, r"expected a sequence of \(joint, first, last\)"),
        ({"keep_sliding": "left foot:0:1"}, r"expected a sequence of \(joint, first, last\)"),
        ({"keep_sliding": [("left shin", 0, 1)]}, "keep_sliding: expected the end or the toe of a"),
        ({"contacts": None, "limbs": 5}, "the limbs: expected what `find_limbs` returns, .* got 5"),
        ({"limbs": [walkers.Leg(1, 2, 99, None)]}, "the limbs: expected joints below 11, got 99"),
        ({"limbs": [walkers.Leg(1, 2, 2, None)]}, r"different indices of joints, got \(1, 2, 2,"),
        ({"limbs": [walkers.Leg(1.0, 2, 3, None)]}, r"different indices of joints, got \(1\.0, 2,"),
        ({"limbs": [5]}, r"the limbs: expected what `find_limbs` returns, or objects .* got \[5\]"),
    ],
)
def test_arguments_that_do_not_fit_the_clip_raise(arguments, message):
    found = walk(seconds=1.0)
    given = dict(contacts={"left foot": [(0, 5)]}, limbs=LEGS) | arguments
    with pytest.raises(ClipError, match=message):
        pin(found.clip, **given)


def test_frames_that_are_far_too_short_raise_before_memory_is_used():
    found = walk(seconds=1.0)
    clip = Clip(FIGURE, found.clip.pose, 1e12)  # as of a file with a wrong frame time
    with pytest.raises(
        ClipError, match="field fps: expected at most 100000 frames per second, got"
    ):
        pin(clip, found.contacts, LEGS)
    with pytest.raises(
        ClipError, match="field fps: expected at most 100000 frames per second, got"
    ):
        find_contacts(clip)


@pytest.mark.parametrize("fps", [0.9, 1e-12])
def test_published_measures_are_not_defined_for_frames_of_more_than_a_second(fps):
    found = walk(seconds=1.0)
    report = pin(Clip(FIGURE, found.clip.pose, fps), found.contacts, LEGS).report
    assert np.isnan([report.skating_ratio, report.foot_skating, report.slow_feet]).all()
    assert np.isnan(report.physical_foot_contact).all()
    assert report.drift_95.after < 1e-9
    at_one = pin(Clip(FIGURE, found.clip.pose, 1.0), found.contacts, LEGS).report
    assert np.isfinite(at_one.skating_ratio).all()


def test_a_clip_with_nan_raises_and_names_the_frame():
    found = walk(seconds=1.0)
    found.clip.pose.rotations[7, 2] = np.nan
    with pytest.raises(ClipError, match=r"field rotations: expected finite numbers.* in frame 7"):
        pinned(found)
