"""Loops stay closed when they are pinned, and clips in place stay in place."""

import time

import numpy as np
import pytest

import clip_files
import walkers
from slow import slow
from twobone import LocalPose, Skeleton, motion
from twobone.motion import Clip, find_contacts, loops, pin
from walkers import LEGS, walk

MM = 0.001
FEET = [joint for leg in LEGS for joint in (leg.start, leg.mid, leg.end, leg.toe)]


def cycle(fps=60, stretch=1.0, **options):
    """Return a walk of two cycles of a second whose last pose is the first."""
    return walk(fps, 2.0 + 1.0 / fps, stretch, **options)


def gap(clip, joints):
    """Return how far joints are from where they began, but for what they all moved."""
    at = walkers.positions(clip)[:, joints]
    moved = at[-1] - at[0]
    return np.linalg.norm(moved - np.median(moved, axis=0), axis=-1).max()


def drift(clip, anchors, velocity):
    """Return distances of joints from their footplants, on ground that moves: metres."""
    found = []
    for joint, first, last, position in anchors:
        seconds = np.arange(first, last)[:, None] / clip.fps
        ground = np.array(position) * clip.metres + seconds * velocity
        at = walkers.positions(clip)[first:last, clip.skeleton.index(joint)]
        found.append(np.linalg.norm(at - ground, axis=-1))
    return np.concatenate(found)


# --- loops --------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fps", [24, *slow(60)])
@pytest.mark.parametrize("stretch", [0.0, 0.85, 1.15])
@pytest.mark.parametrize("body", ["least", "keep", "follow"])
@pytest.mark.parametrize("contacts", ["given", "found"])
def test_a_loop_stays_closed(fps, stretch, body, contacts):
    found = cycle(fps, stretch)
    assert gap(found.clip, FEET) < 1e-9
    made = pin(found.clip, found.contacts, LEGS, body=body) if contacts == "given" else None
    made = made or pin(found.clip, body=body)
    assert gap(made.clip, FEET) < 1e-9
    assert made.report.drift_95.after < 1e-9 or body == "keep"
    rotations = made.clip.pose.rotations
    assert np.abs((rotations[0] * rotations[-1]).sum(-1)).min() > 1.0 - 1e-9


def test_a_contact_at_both_ends_of_a_loop_is_one():
    found = cycle(stretch=1.15)
    travel = walkers.positions(found.clip)[-1, 0] - walkers.positions(found.clip)[0, 0]
    plants = [plant for plant in pin(*found, LEGS).anchors if plant.joint == "left foot"]
    assert plants[0].first == 0
    assert plants[-1].stop == len(found.clip)
    assert np.array(plants[-1].position) - plants[0].position == pytest.approx(travel)


def test_the_end_of_a_loop_is_in_contact_if_its_beginning_is():
    found = cycle(stretch=1.15)
    count = len(found.clip)
    spans = found.contacts["left foot"]
    found.contacts["left foot"] = [span for span in spans if span[1] < count]
    made = pin(*found, LEGS)
    assert gap(made.clip, FEET) < 1e-9
    assert ("left foot", count - 1, count) in [plant[:3] for plant in made.anchors]


def test_a_loop_that_follows_its_feet_travels_as_far_as_its_steps():
    made = pin(*cycle(stretch=1.15), LEGS, body="follow").clip
    at = walkers.positions(made)
    assert at[-1, 0, 2] - at[0, 0, 2] == pytest.approx(1.8, abs=5 * MM)
    assert np.abs(at[0, 0] - walkers.positions(cycle(stretch=1.15).clip)[0, 0]).max() < 20 * MM


def test_contacts_of_a_loop_are_found_across_its_end():
    found = cycle(24)
    contacts = find_contacts(found.clip)
    whole = find_contacts(walk(24, 6.0).clip)
    for joint, spans in contacts.items():
        later = [(a - 48, b - 48) for a, b in whole[joint] if a < 97 and b > 48]
        assert spans == [(max(a, 0), min(b, 49)) for a, b in later]


@pytest.mark.parametrize(("name", "clip"), [(clip_files.FOX, "Walk"), (clip_files.FOX, "Run")])
def test_a_loop_in_a_file_stays_closed(name, clip, tmp_path):
    source = motion.load(clip_files.path_of(name), clip)
    motion.save(pin(source).clip, tmp_path / "pinned.glb")
    written = motion.load(tmp_path / "pinned.glb", clip)
    assert len(written) == len(source)
    assert gap(written, range(len(written.skeleton.parents))) < 0.01 * MM


@pytest.mark.slow
def test_a_loop_of_100_000_frames_a_second_is_pinned_in_a_few_seconds():
    found = cycle()
    clip = Clip(found.clip.skeleton, found.clip.pose, 100_000.0)  # windows of 20,000 frames
    start = time.process_time()
    made = pin(clip, found.contacts, LEGS)
    assert time.process_time() - start < 6.0
    assert made.report.drift_95.after < 0.1 * made.report.drift_95.before  # steps of a millisecond


def test_a_loop_over_a_slope_is_pinned_once():
    found, tilt = cycle(stretch=1.15), 0.1
    translations = found.clip.pose.translations.copy()
    translations[:, 0, 1] += tilt * translations[:, 0, 2]
    clip = found.clip.with_pose(LocalPose(found.clip.pose.rotations, translations))
    made = pin(clip, found.contacts, LEGS, ground=lambda x, z: tilt * z)
    assert walkers.drift(made.clip, found.contacts).max() < 1e-9
    level = pin(*found, LEGS, ground=lambda x, z: 0.0 * z)  # not known to be level
    assert walkers.drift(level.clip, found.contacts).max() < 1e-9


def test_sliding_that_is_meant_at_both_ends_of_a_loop_leaves_no_contact():
    found = cycle(stretch=1.15)
    made = pin(found.clip, {"left foot": [(0, 5)]}, LEGS, keep_sliding=[("left foot", 1, 4)])
    assert [plant[:3] for plant in made.anchors] == [("left foot", 0, 1), ("left foot", 120, 121)]
    last = len(found.clip) - 1
    made = pin(found.clip, {"left foot": [(0, 1)]}, LEGS, keep_sliding=[("left foot", last, last)])
    assert made.anchors == []


def test_a_clip_that_ends_in_another_pose_is_no_loop():
    found = cycle()
    assert loops.find_loop(found.clip, LEGS).travel == pytest.approx([0.0, 0.0, 1.8])
    for values in (
        [part[:-5] for part in found.clip.pose],  # it ends elsewhere in the cycle
        [part[:2] for part in found.clip.pose],
        [found.clip.pose.rotations, raised(found.clip)],
    ):
        assert loops.find_loop(found.clip.with_pose(LocalPose(*values)), LEGS) is None


def raised(clip):
    """Return translations of a clip that climbs."""
    translations = clip.pose.translations.copy()
    translations[:, 0, 1] += np.linspace(0.0, 0.2, len(translations))
    return translations


def test_an_armature_that_stays_behind_does_not_matter():
    found = cycle()
    names = ["armature", *found.clip.skeleton.names]
    parents = [-1, *(parent + 1 for parent in found.clip.skeleton.parents)]
    rotations, translations = (np.insert(part, 0, 0.0, axis=1) for part in found.clip.pose)
    rotations[:, 0, 3] = 1.0
    offsets = np.insert(found.clip.skeleton.offsets, 0, 0.0, axis=0)
    clip = Clip(Skeleton(parents, offsets, names=names), LocalPose(rotations, translations), 60)
    limbs = [walkers.Leg(*(joint + 1 for joint in leg)) for leg in LEGS]
    assert loops.find_loop(clip, limbs).travel == pytest.approx([0.0, 0.0, 1.8])


def test_frames_around_a_loop_go_on_in_the_cycles_before_and_after():
    whole = loops.around(5, 4, 6)
    assert whole.frames.tolist() == [2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 1, 2, 3, 0, 1, 2]
    assert whole.cycles.tolist() == [-2, -2, -1, -1, -1, -1, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert whole.own == slice(6, 11)
    whole = loops.around(4, 4, 3)  # the last frame is the one before the first
    assert whole.frames.tolist() == [1, 2, 3, 0, 1, 2, 3, 0, 1, 2]
    assert whole.cycles.tolist() == [-1, -1, -1, 0, 0, 0, 0, 1, 1, 1]
    assert len(loops.around(4, 4, 10**12).frames) == 804  # 100 times as many on either side


# --- loops without the repeated frame -----------------------------------------------------


def open_cycle(fps=60, stretch=1.0, start=0.2, **options):
    """Return a walk of two cycles without the frame that would be the first one again.

    It begins `start` seconds into the cycle.
    """
    found, first = walk(fps, 2.0 + start, stretch, **options), round(start * fps)
    spans = {
        joint: [(max(a - first, 0), b - first) for a, b in spans if b > first]
        for joint, spans in found.contacts.items()
    }
    return walkers.Walk(found.clip[first:], spans)


def played_twice(clip, travel):
    """Return positions (2 T, J, 3) of a clip that is played twice, in metres."""
    at = walkers.positions(clip)
    return np.concatenate([at, at + travel])


def seam(at, joints):
    """Return the largest change of velocity at the seam and that elsewhere, played twice."""
    count = len(at) // 2
    bends = np.linalg.norm(np.diff(at[:, joints], 2, axis=0), axis=-1).max(-1)
    return bends[count - 2 : count].max(), bends[: count - 2].max()


@pytest.mark.parametrize("fps", [24, 60, 240])
@pytest.mark.parametrize("stretch", [0.0, 0.85, 1.0, 1.15])
@pytest.mark.parametrize("start", [0.0, 0.2, 0.37, 0.9])
def test_a_loop_without_its_first_frame_again_is_recognised(fps, stretch, start):
    found = open_cycle(fps, stretch, start)
    loop = loops.find_loop(found.clip, LEGS)
    assert loop.period == len(found.clip) == 2 * fps
    assert loop.travel == pytest.approx([0.0, 0.0, 1.8 * stretch], abs=MM)
    again = loops.find_loop(cycle(fps, stretch).clip, LEGS)
    assert again.period == 2 * fps == len(cycle(fps, stretch).clip) - 1


@pytest.mark.sampled(6)
@pytest.mark.parametrize("fps", [24, *slow(60)])
@pytest.mark.parametrize("stretch", [0.0, 0.85, 1.15])
@pytest.mark.parametrize("body", ["least", "keep", "follow"])
@pytest.mark.parametrize("contacts", ["given", "found"])
def test_a_loop_without_its_first_frame_again_has_no_seam(fps, stretch, body, contacts):
    found = open_cycle(fps, stretch)
    made = pin(*found, LEGS, body=body) if contacts == "given" else pin(found.clip, body=body)
    loop = loops.find_loop(made.clip, LEGS)
    assert loop.period == len(found.clip)
    at_seam, elsewhere = seam(played_twice(made.clip, loop.travel), FEET)
    assert at_seam <= elsewhere + 1e-9
    held = {plant.joint: plant for plant in made.anchors if plant.stop == len(found.clip)}
    assert held
    velocity = np.array(made.report.ground_velocity) * made.report.stays_in_place
    by = loop.travel - velocity * len(found.clip) / fps
    for plant in made.anchors:
        if plant.first == 0:
            end = np.array(held[plant.joint].position)
            assert np.abs(end - plant.position - by).max() < 0.1 * MM
    again = pin(made.clip, found.contacts, LEGS, body=body).clip if contacts == "given" else None
    again = again or pin(made.clip, body=body).clip
    moved = walkers.positions(again) - walkers.positions(made.clip)
    assert np.abs(moved).max() < 0.1 * MM or body == "keep"


# --- loops whose body follows its feet ----------------------------------------------------


def standing(seconds=2.0, fps=30):
    """Return a loop of a figure that stands on its left foot and taps with the right one.

    Both feet slide to and fro with the body, so that their mean velocity while the right one is
    down does not cancel that of the left one alone.
    """
    found = walk(fps, seconds)
    rotations, translations = (values.copy() for values in found.clip.pose)
    rotations[:], translations[:] = rotations[0], translations[0]
    phase = 2.0 * np.pi * np.arange(len(rotations)) / len(rotations)
    translations[:, 0, 2] += 0.01 * np.sin(phase)
    swing = 0.1 * np.sin(phase + 0.5)  # radians
    rotations[:, 6] = clip_files.multiply(
        rotations[:, 6], np.stack([np.sin(swing), 0 * swing, 0 * swing, np.cos(swing)], axis=-1)
    )
    count = len(rotations)
    contacts = {name: [(0, count)] for name in ("left foot", "left toes")}
    contacts |= {name: [(0, count // 4), (count // 2, count)] for name in ("right foot",)}
    return walkers.Walk(found.clip.with_pose(LocalPose(rotations, translations)), contacts)


def test_a_body_that_follows_feet_that_never_leave_the_ground_does_not_travel():
    found = standing()
    assert loops.find_loop(found.clip, LEGS).period == len(found.clip)
    made = pin(*found, LEGS, body="follow").clip
    loop = loops.find_loop(made, LEGS)
    assert loop.period == len(found.clip)
    assert np.abs(loop.travel).max() < 1e-9
    assert walkers.drift(made, found.contacts).max() < 1e-9
    again = pin(made, found.contacts, LEGS, body="follow").clip
    assert np.abs(walkers.positions(again) - walkers.positions(made)).max() < 0.1 * MM


def test_a_body_that_follows_feet_that_stay_for_minutes_stays_with_them():
    found, times = standing(), 100
    count = len(found.clip)
    pose = LocalPose(*(np.tile(values, (times, 1, 1)) for values in found.clip.pose))
    clip = found.clip.with_pose(pose)
    contacts = {
        joint: [(k * count + a, k * count + b) for k in range(times) for a, b in spans]
        for joint, spans in found.contacts.items()
    }
    made = pin(clip, contacts, LEGS, body="follow", loop=False).clip
    hips = walkers.positions(made)[:, 0]
    assert np.abs(hips - hips[0]).max() < 100 * MM  # the right foot alone slides by 75 mm
    assert walkers.drift(made, contacts).max() < 1e-9
    again = pin(made, contacts, LEGS, body="follow", loop=False).clip
    assert np.abs(walkers.positions(again) - walkers.positions(made)).max() < 1e-9


@pytest.mark.parametrize("made_by", [cycle, open_cycle])
def test_a_loop_remains_one_if_its_body_follows_its_feet_and_other_joints_do_not(made_by):
    found = made_by(stretch=1.15)
    old, (rotations, translations) = found.clip.skeleton, found.clip.pose
    skeleton = Skeleton(  # with targets for the knees, as rigs have them, beside the hips
        [-1, *(parent + 1 for parent in old.parents), 0, 0],
        [[0, 0, 0], *old.offsets, [0.1, 0.5, 1], [-0.1, 0.5, 1]],
        names=["armature", *old.names, "left pole", "right pole"],
    )
    turns = np.zeros((len(rotations), len(skeleton.parents), 4))
    turns[..., 3], turns[:, 1:-2] = 1.0, rotations
    places = np.tile(skeleton.offsets, (len(rotations), 1, 1))
    places[:, 1:-2] = translations
    places[:, 0, 2], places[:, 1, 2] = translations[:, 0, 2], 0.0  # the armature travels
    limbs = [walkers.Leg(*(joint + 1 for joint in leg)) for leg in LEGS]
    clip = Clip(skeleton, LocalPose(turns, places), found.clip.fps)
    before = loops.find_loop(clip, limbs)
    after = loops.find_loop(pin(clip, found.contacts, limbs, body="follow").clip, limbs)
    assert before.travel == pytest.approx([0.0, 0.0, 1.15 * 1.8], abs=MM)
    assert after.period == before.period
    assert after.travel == pytest.approx([0.0, 0.0, 1.8], abs=10 * MM)


# --- loops that are said to be loops ------------------------------------------------------


@pytest.mark.parametrize("stretch", [0.0, 1.15])
@pytest.mark.parametrize(("frames", "period"), [(50, 49), (49, 49), (48, 48)])
def test_a_loop_of_a_fraction_of_frames_is_one_if_said_so(stretch, frames, period):
    found = walk(24.4, 4.0, stretch)  # 48.8 frames are two cycles
    clip = found.clip[:frames]
    loop = loops.find_loop(clip, LEGS, True)
    assert loop.period == period
    assert loop.travel == pytest.approx([0.0, 0.0, 1.8 * stretch], abs=0.04)
    spans = {
        joint: [(a, min(b, frames)) for a, b in spans if a < frames]
        for joint, spans in found.contacts.items()
    }
    made = pin(clip, spans, LEGS, loop=True)
    velocity = np.array(made.report.ground_velocity)
    plants = {plant.joint: plant for plant in made.anchors if plant.stop == frames}
    by = loop.travel - velocity * period / clip.fps
    both = [plant for plant in made.anchors if plant.first == 0 and plant.joint in plants]
    assert both
    for plant in both:
        end = np.array(plants[plant.joint].position)
        assert np.abs(end - plant.position - by).max() < 2 * MM  # a fifth of a step is 15 mm
    assert made.report.drift_95.after < 1e-9


def test_a_loop_is_none_if_said_so():
    clip = cycle(stretch=1.15).clip
    assert loops.find_loop(clip, LEGS, False) is None
    found, said = loops.find_loop(clip, LEGS), loops.find_loop(clip, LEGS, True)
    assert (said.travel.tolist(), said.period) == (found.travel.tolist(), found.period)
    assert loops.find_loop(clip[:2], LEGS, True) is None
    whole, alone = pin(clip), pin(clip, loop=False)
    assert not np.array_equal(whole.clip.pose.rotations, alone.clip.pose.rotations)


def test_feet_of_a_loop_with_a_jump_stay_where_it_starts_again():
    source = motion.load(clip_files.path_of(clip_files.FOX_2), "Walk")
    limbs = motion.find_limbs(source)
    assert loops.find_loop(source, limbs.legs) is None
    for loop, least, most in ((None, 25 * MM, 80 * MM), (True, 0.0, 0.01 * MM)):
        made = pin(source, limbs=limbs, loop=loop)
        first = {plant.joint: plant for plant in made.anchors if plant.first == 0}
        last = {plant.joint: plant for plant in made.anchors if plant.stop == len(source)}
        at = walkers.positions(made.clip)[:, [source.skeleton.index(joint) for joint in first]]
        apart = np.linalg.norm(at[-1] - at[0], axis=-1)
        both = [k for k, joint in enumerate(first) if joint in last]
        assert len(both) == 2
        assert least <= apart[both].min() <= apart[both].max() <= most


@pytest.mark.parametrize("clip", ["Gallop", "Gallop_Jump"])
def test_the_report_says_that_a_clip_is_almost_a_loop(clip):
    source = motion.load(clip_files.path_of(clip_files.HORSE), f"AnimalArmature|{clip}")
    report = pin(source).report
    assert report.jump_at_end > 10 * MM
    assert "almost a loop" in report.warnings[-1]
    assert f"{1000 * report.jump_at_end:.0f} mm" in report.warnings[-1]
    for is_loop in (True, False):
        assert pin(source, loop=is_loop).report.jump_at_end == 0.0


def test_the_report_is_silent_about_loops_and_clips_that_end_elsewhere():
    found = cycle(stretch=1.15)
    for clip in (found.clip, found.clip[:-1], found.clip[:90], found.clip[:5]):
        assert pin(clip).report.warnings == ()


def test_contacts_of_a_loop_without_its_first_frame_again_are_found_across_its_end():
    found = open_cycle(24, start=0.0)
    contacts = find_contacts(found.clip)
    whole = find_contacts(walk(24, 6.0).clip)
    for joint, spans in contacts.items():
        later = [(a - 48, b - 48) for a, b in whole[joint] if a < 96 and b > 48]
        assert spans == [(max(a, 0), min(b, 48)) for a, b in later]


def test_a_clip_that_was_cut_near_its_beginning_is_no_loop():
    found = cycle()
    for frames in (115, 110, 90):  # elsewhere in the cycle
        assert loops.find_loop(found.clip[:frames], LEGS) is None
    rotations, translations = found.clip.pose
    astride = rotations.copy()
    astride[:, 1, 2] += np.linspace(0.0, 0.04, len(astride))  # a foot ends 6 cm further outside
    assert loops.find_loop(found.clip.with_pose(LocalPose(astride, translations)), LEGS) is None
    back = [np.concatenate([part[:60], part[58::-1]]) for part in (rotations, translations)]
    back = found.clip.with_pose(LocalPose(*back))  # turns round, and would do so again
    assert loops.find_loop(back[:-1], LEGS) is None
    climbs = found.clip.with_pose(LocalPose(rotations, raised(found.clip)))
    assert loops.find_loop(climbs[:-1], LEGS) is None
    assert loops.find_loop(open_cycle(3).clip, LEGS) is None  # 6 frames do not tell


def test_an_open_loop_of_a_file_keeps_its_seam(tmp_path):
    source = motion.load(clip_files.path_of(clip_files.FOX), "Walk")[:-1]
    assert loops.find_loop(source, motion.find_limbs(source).legs).period == len(source)
    made = pin(source).clip
    legs = [joint for leg in motion.find_limbs(source).legs for joint in (leg.mid, leg.end)]
    before, after = (seam(played_twice(clip, np.zeros(3)), legs) for clip in (source, made))
    assert after[0] <= max(before[0], after[1])


# --- in place -----------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [2.5, 2.0 + 1.0 / 60])
def test_feet_of_a_walk_in_place_are_held_on_ground_that_moves(seconds):
    found = walk(60, seconds, stretch=0.0)
    made = pin(*found, LEGS)
    velocity = np.array(made.report.ground_velocity)
    assert velocity == pytest.approx([0.0, 0.0, -0.9], abs=0.01)
    assert drift(made.clip, made.anchors, velocity).max() < 1e-9
    moved = walkers.positions(made.clip) - walkers.positions(found.clip)
    assert np.abs(moved).max() < 20 * MM  # the cycle is not destroyed
    (warning,) = made.report.warnings
    assert "in place" in warning
    assert "0.90 m/s" in warning
    assert made.report.as_dict()["warnings"] == [warning]


def test_a_clip_that_travels_by_now_is_not_advised_to_travel():
    report = pin(*walk(60, 2.5, stretch=0.0), LEGS, body="follow").report
    assert not report.stays_in_place
    (warning,) = report.warnings
    assert warning.endswith(
        "(feet in contact move at 0.90 m/s, the body does not); the pinned clip travels."
    )
    assert "follow" not in warning


def test_pinning_a_clip_in_place_again_changes_nothing():
    made = pin(walk(60, 2.5, stretch=0.0).clip).clip
    again = pin(made).clip
    assert np.abs(walkers.positions(again) - walkers.positions(made)).max() < 1e-9


def test_feet_of_a_run_in_place_are_held_although_they_move_far_in_a_frame():
    clip = motion.load(clip_files.path_of(clip_files.CHARACTER), "CharacterArmature|Run")
    made = pin(clip)
    velocity = np.array(made.report.ground_velocity)
    assert velocity[2] < -5.0
    assert {plant.stop - plant.first for plant in made.anchors} == {2}
    assert drift(made.clip, made.anchors, velocity).max() < 1e-6


@pytest.mark.parametrize("stretch", [0.5, 1.0, 1.5])
def test_ground_does_not_move_below_a_body_that_does(stretch):
    report = pin(*walk(stretch=stretch), LEGS).report
    assert report.ground_velocity == (0.0, 0.0, 0.0)
    assert report.warnings == ()


def test_ground_does_not_move_below_feet_that_slide_in_several_directions():
    found = walk(60, 3.0, stretch=0.0)
    translations = found.clip.pose.translations.copy()
    translations[:, 0, 2] += 0.9 * np.abs(np.arange(180) - 90.0) / 30.0  # there and back, fast
    clip = found.clip.with_pose(LocalPose(found.clip.pose.rotations, translations))
    assert pin(clip, found.contacts, LEGS).report.ground_velocity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("speed", [0.15, 0.3, 0.9])
def test_a_walk_in_place_can_be_of_any_speed(speed):
    report = pin(*walk(60, 2.0, stretch=0.0, speed=speed), LEGS).report
    assert report.ground_velocity == pytest.approx((0.0, 0.0, -speed), abs=0.01)


def test_feet_of_a_walk_in_place_can_move_unevenly():
    """The body surges in each step, so feet are almost still twice in each."""
    found = walk(60, 2.0, stretch=0.0)
    surge = 0.9 / (4.0 * np.pi) * np.sin(4.0 * np.pi * np.arange(120) / 60.0)
    moved = found.clip.pose.translations.copy()
    moved[:, 0, 2] += surge
    clip = found.clip.with_pose(LocalPose(found.clip.pose.rotations, moved))
    report = pin(clip, found.contacts, LEGS).report
    assert report.ground_velocity == pytest.approx((0.0, 0.0, -0.9), abs=0.2)
    assert report.doubts == ()


def test_a_few_frames_are_enough_for_a_walk_in_place():
    found = walk(30, 0.5, stretch=0.0)
    contacts = {"left foot": [(0, 7)]}
    report = pin(found.clip, contacts, LEGS).report
    assert report.ground_velocity == pytest.approx((0.0, 0.0, -0.9), abs=0.05)


@pytest.mark.parametrize(
    ("file", "name"),
    [(clip_files.FOX_2, "Run"), (clip_files.HORSE, "AnimalArmature|Gallop")],
    ids=["fox", "horse"],
)
def test_runs_that_are_no_loops_are_in_place_too(file, name):
    report = pin(motion.load(clip_files.path_of(file), name)).report
    assert np.linalg.norm(report.ground_velocity) > 5.0
    assert report.slid_in_place == 0.0


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["01_01", "02_01", "02_04", "09_01"])
@pytest.mark.parametrize("factor", [0.7, 1.0, 1.3])
def test_recorded_clips_are_not_in_place(name, factor):
    report = pin(clip_files.stretched(clip_files.cmu(name, 4), factor)).report
    assert not any(report.ground_velocity)
    assert report.doubts == ()


# --- feet that slide below a body that stays ----------------------------------------------


def landing(way=0.3):
    """Return a figure whose feet slide back in 0.4 s, and then stand for two seconds."""
    return walkers.standing(way * np.interp(np.arange(72) / 30.0, [0.0, 0.4], [0.5, -0.5]))


def test_feet_that_slide_while_the_body_stays_are_told():
    found = landing()
    report = pin(*found, LEGS).report
    assert report.ground_velocity == (0.0, 0.0, 0.0)
    assert report.slid_in_place == pytest.approx(0.3, abs=0.05)
    (doubt,) = report.doubts
    assert report.warnings == report.doubts == tuple(report.as_dict()["warnings"])
    assert f"Feet drift by up to {1000 * report.slid_in_place:.0f} mm" in doubt
    for option in ("--in-place", "--body follow", "--no-in-place"):
        assert option in doubt
    assert pin(*landing(0.1), LEGS).report.doubts == ()


def test_who_says_that_feet_slide_below_a_body_that_stays_is_not_told_so():
    found = landing()
    still = pin(*found, LEGS, in_place=False)
    assert still.report.doubts == ()
    assert still.anchors == pin(*found, LEGS).anchors
    assert pin(*found, LEGS, body="follow").report.doubts == ()
    moving = pin(*found, LEGS, in_place=True).report
    assert moving.doubts == ()
    assert moving.ground_velocity[2] < -0.05
    assert pin(*walk(60, 2.5, stretch=0.0), LEGS, in_place=False).report.ground_velocity == (
        0,
        0,
        0,
    )


@pytest.mark.parametrize("stretch", [0.7, 0.85, 1.15, 1.3])
def test_feet_that_slide_below_a_body_that_moves_are_not_told(stretch):
    assert pin(*walk(60, 3.0, stretch=stretch), LEGS).report.doubts == ()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("stretch", [0.0, 1.15])
@pytest.mark.parametrize("made_by", [cycle, open_cycle])
def test_a_loop_with_z_up_has_the_same_contacts_and_feet(stretch, made_by):
    found = made_by(stretch=stretch)
    half = 0.5**0.5
    clip = clip_files.moved(found.clip, [half, 0.0, 0.0, half], 100.0, "z")
    assert find_contacts(clip) == find_contacts(found.clip)
    made, expected = pin(clip), pin(found.clip)
    x, y, z = expected.report.ground_velocity
    assert made.report.ground_velocity == pytest.approx((x, -z, y), abs=1e-9)
    turned = walkers.positions(expected.clip)[..., [0, 2, 1]] * [1.0, -1.0, 1.0]
    assert np.abs(walkers.positions(made.clip) - turned).max() < 1e-9
