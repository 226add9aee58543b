"""Contacts: found where feet slide, the same for any units and axes, and written as labels."""

import numpy as np
import pytest

import clip_files
import people
import walkers
from contact_labels import (
    FEET,
    TOES,
    as_flags,
    f1,
    labels,
    labels_until_left,
    precision_and_recall,
)
from twobone import LocalPose, motion
from twobone.errors import ArrayTypeError, ClipError, CreatureError
from twobone.motion import Clip, contacts, find_contacts, find_ground, find_limbs, pin
from twobone.motion.curves import runs
from twobone.motion.sliding import shared_velocity

RATES = pytest.mark.parametrize("every", [1, 4], ids=["120 fps", "30 fps"])
FACTORS = pytest.mark.parametrize("factor", [0.85, 1.0, 1.15])


def found_in(clip):
    return as_flags(find_contacts(clip), len(clip))


@RATES
@FACTORS
def test_contacts_of_a_walk_are_found_where_it_slides(every, factor):
    walk = clip_files.cmu("02_01", every)
    found = found_in(clip_files.stretched(walk, factor))
    assert f1(found, labels(walk), grace=round(0.05 * walk.fps)) >= 0.95
    # Without grace, but without jitter in the labels. They end at a lower speed than contacts.
    assert f1(found, labels(walk, 1 / 60)) >= 0.93
    assert f1(found, found_in(walk)) >= 0.99


@RATES
@pytest.mark.parametrize("name", ["01_01", "02_01", "02_04"])
def test_contacts_last_until_feet_leave_the_ground(name, every):
    clip = clip_files.cmu(name, every)
    precision, recall = precision_and_recall(found_in(clip), labels_until_left(clip))
    assert precision >= 0.9
    assert recall >= 0.92


@pytest.mark.parametrize("name", ["01_01", "02_01", "02_04"])
def test_noise_does_not_cut_contacts_to_pieces(name):
    clip = clip_files.cmu(name, 4)
    found = found_in(clip_files.noisy(clip, 0.2))
    precision, recall = precision_and_recall(found, labels_until_left(clip))
    assert precision >= 0.93
    assert recall >= 0.86


@RATES
@FACTORS
def test_toes_of_a_run_are_found_where_it_slides(every, factor):
    run = clip_files.cmu("09_01", every)
    found = found_in(clip_files.stretched(run, factor))
    assert f1(found, labels(run), feet=TOES) >= 0.88
    assert f1(found, found_in(run), feet=TOES) >= 0.95


@pytest.mark.parametrize("name", ["01_01", "02_04"])
@FACTORS
def test_contacts_of_jumps_are_found_where_they_slide(name, factor):
    jumps = clip_files.cmu(name, 4)
    found = found_in(clip_files.stretched(jumps, factor))
    assert f1(found, labels(jumps)) >= 0.95


def test_fixed_thresholds_find_nothing_where_a_run_slides():
    """What the shared velocity is for: the labels' own thresholds, on the stretched clip."""
    run = clip_files.cmu("09_01", 4)
    slow = labels(clip_files.stretched(run, 1.15))
    assert f1(slow, labels(run)) < 0.5


@pytest.mark.parametrize("factor", [0.0, 0.5, 1.5])
def test_a_walk_on_the_spot_has_contacts_too(factor):
    walk = clip_files.cmu("02_01", 4)
    assert f1(found_in(clip_files.stretched(walk, factor)), labels(walk)) > 0.88


def test_both_forelegs_of_an_animal_made_by_hand_alternate():
    contacts = find_contacts(clip_files.glb(clip_files.HORSE, "Walk"))
    (left,) = contacts["IKFrontLeg.L"]
    (right,) = contacts["IKFrontLeg.R"]
    assert min(left[1] - left[0], right[1] - right[0]) > 10
    assert left[0] >= right[1]


# --- the same in other units and axes -----------------------------------------------------

HALF = 0.5**0.5


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("rotation", "up"),
    [([0, np.sin(0.6), 0, np.cos(0.6)], "y"), ([HALF, 0, 0, HALF], "z")],
    ids=["turned", "z up"],
)
@pytest.mark.parametrize("scale", [1.0, 100.0, 0.01])
def test_contacts_do_not_depend_on_units_or_axes(rotation, up, scale):
    walk = clip_files.stretched(clip_files.cmu("02_01", 4), 1.15)
    other = clip_files.moved(walk, rotation, scale, up)
    assert find_limbs(other) == find_limbs(walk)
    assert find_contacts(other) == find_contacts(walk)


# --- synthetic clips ----------------------------------------------------------------------


def test_standing_feet_are_in_contact_throughout():
    assert set(map(tuple, find_contacts(people.standing(30)).values())) == {((0, 30),)}


def test_a_clip_without_legs_has_no_contacts():
    assert find_contacts(people.standing(5), limbs=()) == {}


def test_one_frame_is_enough():
    assert find_contacts(people.standing(1))["LeftFoot"] == [(0, 1)]


def test_invalid_frames_are_not_in_contact():
    clip = people.standing(40)
    rotations = clip.pose.rotations.copy()
    rotations[10:20] = np.nan
    broken = clip.with_pose(LocalPose(rotations, clip.pose.translations))
    assert find_contacts(broken)["LeftToeBase"] == [(0, 10), (20, 40)]
    rotations[:] = np.nan
    assert not any(find_contacts(broken, limbs=find_limbs(clip)).values())


def test_a_raised_foot_is_not_in_contact():
    clip = people.standing(60, right_hip=-60.0)
    contacts = find_contacts(clip)
    assert contacts["LeftFoot"] == [(0, 60)]
    assert contacts["RightFoot"] == contacts["RightToeBase"] == []


def test_feet_on_stairs_are_in_contact():
    """Each second the person stands 0.3 m higher; in between the body moves up in 0.2 s."""
    clip = people.standing(200)
    moved = clip.pose.translations.copy()
    moved[:, 0, 1] += 0.3 * np.interp(
        np.arange(200), [0, 50, 56, 100, 106, 200], [0, 0, 1, 1, 2, 2]
    )
    flags = as_flags(find_contacts(clip.with_pose(LocalPose(clip.pose.rotations, moved))), 200)
    assert flags[:48].all()
    assert flags[110:198].all()
    assert not flags[51:55].any()


STEPS = {"ladder": (0.3, 0.0), "low rungs": (0.2, 0.0), "stairs": (0.17, 0.3)}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("slide", [-0.1, 0.0, 0.1])
@pytest.mark.parametrize("down", [False, True])
def test_feet_that_climb_are_in_contact(step, slide, down):
    found = walkers.climb(30, step=step, slide=slide)
    count, names = len(found.clip), list(found.contacts)
    clip, on = found.clip, as_flags(found.contacts, count, names)
    if down:
        clip, on = clip[::-1], on[::-1]
    assert f1(as_flags(find_contacts(clip), count, names), on) > 0.9
    assert pin(clip).report.drift_95.after < 1e-9


@pytest.mark.parametrize("hip", [20.0, 35.0, 50.0])
def test_a_leg_that_is_raised_on_something_higher_is_not_in_contact(hip):
    """The person stands on a box from 1 to 5 s, and raises the right leg from 2 to 4 s."""
    time = np.arange(300) / 50.0
    clip, raised = people.standing(300), people.standing(300, right_hip=-hip)
    rotations = clip.pose.rotations.copy()
    share = np.interp(time, [2.0, 2.3, 3.7, 4.0], [0.0, 1.0, 1.0, 0.0])[:, None, None]
    rotations += share * (raised.pose.rotations - rotations)
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    moved = clip.pose.translations.copy()
    moved[:, 0, 1] += np.interp(time, [1.0, 1.2, 4.8, 5.0], [0.0, 0.4, 0.4, 0.0])
    up = clip.with_pose(LocalPose(rotations, moved))
    at = walkers.positions(up)[:, up.skeleton.index("RightFoot"), 1]
    assert at[150] - at[75] > 0.04
    on = as_flags(find_contacts(up), 300)
    right = [FEET.index("RightFoot"), FEET.index("RightToeBase")]
    high = slice(118, 182) if at[150] - at[75] > 0.2 else slice(0, 0)
    assert not on[high, right].any()
    assert on[65:235, [FEET.index("LeftFoot"), FEET.index("LeftToeBase")]].all()
    assert on[65:95, right].all()
    assert on[205:235, right].all()


def test_a_foot_that_is_raised_in_a_jump_that_floats_is_not_in_contact():
    """The body is in the air for two seconds, and still for half a second at the top."""
    time = np.arange(150) / 50.0
    clip, raised = people.standing(150), people.standing(150, right_hip=50.0)
    rotations = clip.pose.rotations.copy()
    rotations[20:105] = raised.pose.rotations[20:105]
    moved = clip.pose.translations.copy()
    moved[:, 0, 1] += np.interp(time, [0.25, 1.0, 1.5, 2.25], [0.0, 1.5, 1.5, 0.0])
    on = find_contacts(clip.with_pose(LocalPose(rotations, moved)))
    for joint in ("RightFoot", "RightToeBase"):
        assert all(last <= 20 or first >= 105 for first, last in on[joint])


def test_a_given_ground_decides_what_is_near():
    clip = people.standing(30)
    sunk = find_contacts(clip, ground=lambda x, z: np.where(x > 0.0, 0.0, -5.0))
    assert sunk["LeftFoot"] == [(0, 30)]
    assert find_contacts(clip, ground=0.0) == find_contacts(clip, ground=-0.01)


@pytest.mark.parametrize(
    ("ground", "error"), [("floor", ArrayTypeError), (np.nan, CreatureError), ([1], ArrayTypeError)]
)
def test_an_invalid_ground_is_refused(ground, error):
    with pytest.raises(error, match="`ground` must be"):
        find_contacts(people.standing(3), ground=ground)


def test_limbs_of_another_clip_are_refused():
    clip = people.standing(3)
    legs = [leg._replace(toe=99) for leg in find_limbs(clip).legs]
    with pytest.raises(
        ClipError, match="the limbs, field left leg: expected joints below 17, got 99"
    ):
        find_contacts(clip, limbs=legs)


@pytest.mark.parametrize("limbs", [5, "legs", [(1, 2, 3, None)], walkers.LEGS, [None]])
def test_limbs_that_were_not_found_are_refused(limbs):
    with pytest.raises(ClipError, match="the limbs: expected what `find_limbs` returns, got"):
        find_contacts(people.standing(3), limbs=limbs)
    with pytest.raises(ClipError, match="the limbs: expected what `find_limbs` returns, got"):
        find_ground(people.standing(3), limbs=limbs)


def test_joints_without_names_are_called_by_their_index():
    clip = people.standing(10)
    assert set(find_contacts(clip_files.renamed(clip, None))) == {"3", "4", "7", "8"}


def test_runs_of_flags():
    assert runs(np.array([], bool)).tolist() == []
    assert runs(np.array([True, False, True, True])).tolist() == [[0, 1], [2, 4]]


def test_a_fast_swinging_foot_does_not_shift_the_shared_velocity():
    velocities = np.zeros((90, 4, 2))
    velocities[:, :2] = [0.3, -0.1]
    velocities[:, 2] = [3.0, 0.0]
    velocities[:, 3] = np.linspace(-2, 2, 90)[:, None]
    shared = shared_velocity(velocities, np.ones((90, 4)), np.full(90, 0.15), 30.0)
    assert np.max(np.abs(shared - [0.3, -0.1])) < 0.03


def test_without_feet_near_the_ground_nothing_is_shared():
    shared = shared_velocity(np.ones((30, 2, 2)), np.zeros((30, 2)), np.ones(30), 30.0)
    assert shared.tolist() == [[0.0, 0.0]] * 30


def test_clips_of_any_rate_have_contacts():
    for fps in (1e-3, 1.0, 24.0, 1e5):
        clip = people.standing(50)
        clip = Clip(clip.skeleton, clip.pose, fps)
        assert find_contacts(clip)["LeftFoot"] == [(0, 50)]


def test_feet_are_those_of_the_labels():
    assert set(FEET) == set(find_contacts(people.standing(3)))


# --- clips whose feet are held already ----------------------------------------------------


@pytest.mark.sampled(4)
@RATES
@pytest.mark.parametrize("name", ["01_01", "02_01", "02_04", "09_01"])
def test_contacts_of_a_pinned_clip_are_those_it_was_pinned_with(name, every):
    clip = clip_files.stretched(clip_files.cmu(name, every), 1.15)
    contacts = find_contacts(clip)
    pinned = pin(clip, contacts)
    plants = {joint: [] for joint in contacts}
    for joint, first, last, _ in pinned.anchors:
        plants[joint].append((first, last))
    assert find_contacts(pinned.clip) == plants
    again = pin(pinned.clip).clip
    moved = walkers.positions(again) - walkers.positions(pinned.clip)
    assert np.abs(moved).max() < 1e-9


@pytest.mark.parametrize(
    ("file", "name"),
    [("cmu_bvh/02_04.bvh", None), (clip_files.FOX, "Walk"), (clip_files.SPIDER, "Walk")],
    ids=["BVH", "GLB", "eight legs in place"],
)
def test_contacts_of_a_pinned_file_are_those_it_was_pinned_with(file, name, tmp_path):
    source = clip_files.path_of(file)
    pinned = pin(motion.load(source, name))
    target = tmp_path / source.name
    motion.save(pinned.clip, target)
    found = find_contacts(motion.load(target, name))
    spans = [(joint, *span) for joint, each in found.items() for span in each]
    assert sorted(spans) == sorted(plant[:3] for plant in pinned.anchors)


def test_pinning_the_feet_of_eight_legs_in_place_again_moves_nothing():
    pinned = pin(motion.load(clip_files.path_of(clip_files.SPIDER), "Walk"))
    moved = walkers.positions(pin(pinned.clip).clip) - walkers.positions(pinned.clip)
    assert np.abs(moved).max() < 1e-9


@pytest.mark.parametrize("speeds", [(-0.6, -0.7), (-0.1, -0.1)], ids=["uneven", "slow"])
def test_feet_that_move_evenly_but_not_as_on_a_treadmill_are_not_all_that_is_in_contact(speeds):
    time = np.arange(60) / 30.0
    feet = np.zeros((60, 3, 3))
    feet[:, 0, 2], feet[:, 1, 2] = np.outer(speeds, time)
    feet[:, 2, 2] = speeds[0] * time + 0.003 * np.sin(40.0 * time)  # one that nothing holds
    heels = np.zeros(3, bool)
    found = contacts.contacts_of(feet, np.zeros((60, 3)), feet[..., 1], heels, 30.0)
    assert found[:, 2].mean() > 0.9


def test_a_foot_that_nothing_holds_has_contacts_beside_one_that_is_held():
    clip = clip_files.cmu("02_01", 4)
    contacts = find_contacts(clip)
    left = {joint: spans for joint, spans in contacts.items() if joint.startswith("Left")}
    found = find_contacts(pin(clip, left).clip)
    assert f1(as_flags(found, len(clip)), as_flags(contacts, len(clip))) > 0.95


@pytest.mark.parametrize("direction", [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0)], ids=["along", "up"])
def test_a_foot_that_leaves_slowly_is_in_contact_until_it_is_fast_or_high(direction):
    """It stands, leaves at 0.25 legs a second, and is fast after 0.3 s."""
    fps, still, slow = 60.0, 40, 18
    steps = np.repeat([0.0, 0.25 / fps, 2.0 / fps], [still, slow, 40])
    moved = np.cumsum(steps)[:, None] * direction
    moved[:, 0] += 0.0003 * np.sin(np.arange(len(moved)))  # so that it is not frozen
    feet = np.stack([moved, 0.0 * moved], axis=1)
    feet[:, 1, 0] = 0.0003 * np.cos(np.arange(len(moved)))
    toes = np.zeros(2, bool)
    found = contacts.contacts_of(feet, np.zeros((len(feet), 3)), feet[..., 1], toes, fps)
    ((first, last),) = runs(found[:, 0]).tolist()
    assert first == 0
    assert abs(last - (still + slow)) <= 2
    assert found[:, 1].all()


def test_a_foot_that_only_creeps_is_not_in_contact():
    feet = np.zeros((60, 4, 3))
    feet[..., 0] = 0.0003 * np.cos(np.arange(60))[:, None]  # so that none is frozen
    feet[:, 0, 2] = 0.25 * np.arange(60) / 60.0
    toes = np.zeros(4, bool)
    found = contacts.contacts_of(feet, np.zeros((60, 3)), feet[..., 1], toes, 60.0)
    assert not found[:, 0].any()
    assert found[:, 1:].all()


@pytest.mark.parametrize("frame", [0, 30, 59])
def test_no_contact_is_of_a_single_frame(frame):
    feet = np.zeros((60, 2, 3))
    feet[..., 0] = 0.003 * np.cos(np.arange(60))[:, None]  # so that none is frozen
    heights = np.ones((60, 2))
    heights[frame, 0] = heights[:, 1] = 0.0
    found = contacts.contacts_of(feet, np.zeros((60, 3)), heights, np.zeros(2, bool), 15.0)
    assert not found[:, 0].any()
    assert found[:, 1].all()


def test_contacts_of_a_heel_end_where_it_starts_to_rise():
    fps, still, rolls = 120.0, 60, 10
    heights = np.concatenate([np.zeros(still), 0.001 * np.arange(1, rolls + 1)])  # 0.12 a second
    heights = np.concatenate([heights, heights[-1] + 0.02 * np.arange(1, 31)])
    feet = np.zeros((len(heights), 2, 3))
    feet[..., 0] = 0.0003 * np.sin(np.arange(len(heights)))[:, None]  # so that it is not frozen
    feet[..., 1] = heights[:, None]
    heels = np.array([True, False])
    found = contacts.contacts_of(feet, np.zeros((len(feet), 3)), feet[..., 1], heels, fps)
    heel, toe = (runs(found[:, k]).tolist()[0][1] for k in (0, 1))
    assert abs(heel - still) <= 2
    assert abs(toe - (still + rolls)) <= 2
