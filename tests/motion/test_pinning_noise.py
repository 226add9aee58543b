"""`pin` does not pass noise and single-frame errors of feet on to hips, knees and ankles."""

import itertools

import numpy as np
import pytest

import clip_files
import pin_steps
import walkers
from pin_steps import ALLOWED, DRIFT
from twobone import LocalPose
from twobone.motion import measures, pin
from walkers import LEGS, walk

MM = 0.001
HIPS, KNEES, ANKLES = ([getattr(leg, kind) for leg in LEGS] for kind in ("start", "mid", "end"))


def rotated(clip, joint, frames, degrees):
    """Return a clip in which a joint is rotated about x in some frames."""
    rotations = clip.pose.rotations.copy()
    half = 0.5 * np.radians(degrees)
    turn = np.array([np.sin(half), 0.0, 0.0, np.cos(half)])
    rotations[frames, joint] = clip_files.multiply(rotations[frames, joint], turn)
    return clip.with_pose(LocalPose(rotations, clip.pose.translations))


def standing(fps, frames=60):
    """Return a clip of standing, with contacts all the time."""
    found = walk(fps, seconds=frames / fps)
    pose = LocalPose(*(part[[0] * frames] for part in found.clip.pose))
    return found.clip.with_pose(pose), {name: [(0, frames)] for name in found.contacts}


def largest_step(clip, joints):
    at = walkers.positions(clip)[:, joints]
    return np.linalg.norm(np.diff(at, 2, axis=0), axis=-1).max()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fps", [24, 30, 60, 120])
@pytest.mark.parametrize("body", ["least", "follow"])
@pytest.mark.parametrize("reach", ["exact", "soft", "stretch"])
def test_a_bad_frame_of_one_foot_does_not_move_the_body(fps, body, reach):
    clip, contacts = standing(fps)
    bad = rotated(clip, LEGS[0].start, 30, 1.5)  # the foot is off by 22 mm
    made = pin(bad, contacts, LEGS, body=body, reach=reach).clip
    assert largest_step(bad, ANKLES) > 40 * MM
    assert largest_step(made, HIPS) < 1 * MM
    assert largest_step(made, ANKLES) < 1 * MM


@pytest.mark.parametrize("fps", [24, 30, 60, 120])
@pytest.mark.parametrize("body", ["least", "follow"])
def test_a_bad_frame_of_both_toes_moves_neither_body_nor_knees(fps, body):
    clip, contacts = standing(fps)
    toes = {name: spans for name, spans in contacts.items() if "toes" in name}
    bad = clip
    for leg in LEGS:
        bad = rotated(bad, leg.end, 30, 8.0)  # the toes are off by 21 mm
    made = pin(bad, toes, LEGS, body=body).clip
    assert largest_step(made, HIPS) < 1 * MM
    assert largest_step(made, KNEES) < 10 * MM
    assert largest_step(made, ANKLES) < 4 * MM


@pytest.mark.parametrize("fps", [24, 30, 60, 120])
def test_the_body_gives_up_the_jitter_that_its_planted_feet_show(fps):
    clip, contacts = standing(fps, frames=120)
    translations = clip.pose.translations.copy()
    translations[:, 0] += np.random.default_rng(3).normal(scale=2 * MM, size=(120, 3))
    noisy = clip.with_pose(LocalPose(clip.pose.rotations, translations))
    made = pin(noisy, contacts, LEGS).clip
    for joints in (HIPS, KNEES):
        assert largest_step(made, joints) < 0.5 * largest_step(noisy, joints)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fps", [24.0, 30.0])
@pytest.mark.parametrize(("file", "kind"), [(clip_files.DAB, "none"), (pin_steps.FILES[3], "feet")])
def test_knees_of_nearly_straight_legs_do_not_pop(file, kind, fps):
    (name, clip), *_ = pin_steps.sources([file])
    case = pin_steps.case_of(name, clip, fps, 1.15, kind, 3)
    made = pin(case.disturbed, case.contacts, case.limbs)
    unit = pin_steps.size_of(case.clean, case.limbs)
    sizes = pin_steps.size(pin_steps.steps(made.clip, case.limbs, unit))
    assert (sizes - pin_steps.allowed(case)).max() < 10 * MM
    assert made.report.drift_95.after < DRIFT


# --- all clips ----------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("fps", "way"),  # the ways take turns
    list(zip(pin_steps.RATES, itertools.cycle(pin_steps.WAYS[:2]), strict=False)),
)
def test_recordings_with_noise_and_glitches_have_few_new_steps(fps, way):
    count = seconds = 0.0
    for seed, (name, clip) in enumerate(pin_steps.sources(pin_steps.FILES[:3])):
        for stretch in (1.0, 1.15):
            case = pin_steps.case_of(name, clip, fps, stretch, "all", seed)
            found, _ = pin_steps.measure(case, *way)
            count, seconds = count + len(found.over), seconds + found.seconds
            assert found.drift < DRIFT
    assert count <= max(ALLOWED * seconds / 60.0, 1.0)


def test_the_report_names_each_frame_with_a_new_step():
    clip, contacts = standing(60)
    feet = {name: [(0, 30)] for name in contacts}
    jumps = rotated(clip, LEGS[0].start, slice(10, 30), 3.0)  # the foot slides, and jumps back
    made = pin(jumps, feet, LEGS)
    at = walkers.positions(made.clip)[:, [*HIPS, *KNEES, *ANKLES]]
    usual = measures.usual_steps(walkers.positions(jumps)[:, [*HIPS, *KNEES, *ANKLES]], 60)
    new = measures.steps(at) > np.maximum(2.0 * usual, 0.001 * 0.84)
    assert [step.frame for step in made.report.new_steps] == np.flatnonzero(new.any(1)).tolist()
    assert made.report.largest_new_step.size >= max(
        (step.size - step.usual for step in made.report.new_steps), default=0.0
    )
