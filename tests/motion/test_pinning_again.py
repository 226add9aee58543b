"""The result of `pin` does not change when it is pinned again, and its loops are loops still."""

import itertools
from typing import get_args

import numpy as np
import pytest

import clip_files
import walkers
from twobone import LocalPose, motion
from twobone.motion import Clip, find_contacts, find_limbs, loops, pin
from twobone.motion.holding import Body, Reaching

MM = 0.001
FILES = [
    clip_files.CHARACTER,
    clip_files.DAB,
    clip_files.FOX,
    clip_files.FOX_2,
    clip_files.HORSE,
    clip_files.JUMPS,
    clip_files.SPIDER,
    *(f"cmu_bvh/{name}.bvh" for name in ("01_01", "02_01", "02_04", "09_01")),
]
BODIES = pytest.mark.parametrize("body", get_args(Body))


def in_turn(names, *cases):
    """Parametrise a test with cases and, in turn, ways to hold the body: each way once."""
    several = itertools.cycle(cases)
    table = [(*each, body) for each, body in zip(several, get_args(Body), strict=False)]
    return pytest.mark.parametrize((*names, "body"), table)


def check(clip, *ways):
    """Pin a clip twice in some ways, with the contacts that are found in it, and compare.

    A way is a body and a reach.
    """
    limbs = find_limbs(clip)
    contacts = find_contacts(clip, limbs)
    was = loops.find_loop(clip, limbs.legs)
    for body, reach in ways:
        made = pin(clip, contacts, limbs, body=body, reach=reach)
        again = pin(made.clip, contacts, limbs, body=body, reach=reach)
        at, then = walkers.positions(made.clip), walkers.positions(again.clip)
        moved = float(np.percentile(np.linalg.norm(then - at, axis=-1), 95))
        may_miss = reach == "soft" or (body == "keep" and reach == "exact")
        assert moved < 0.1 * MM or (may_miss and made.report.missed_most > 0.0), (body, reach)
        now = loops.find_loop(made.clip, limbs.legs)
        assert was is None or was.period == now.period, (body, reach)


@pytest.mark.sampled(3)
@in_turn(("name", "clip"), (clip_files.FOX_2, "Bark"), (clip_files.HORSE, "Walk"))
def test_a_clip_that_is_pinned_again_stays_as_it_is(name, clip, body):
    for source in motion.load_all(clip_files.path_of(name)):
        if source.name.endswith(clip):
            check(source, (body, "exact"))


@pytest.mark.sampled(3)
@in_turn(
    ("name", "clip", "fps"),
    (clip_files.SPIDER, "Attack", 25),
    (clip_files.CHARACTER, "Idle_Shoot", 60),
)
def test_a_body_that_does_not_quite_come_back_does_not_travel(name, clip, fps, body):
    source = clip_files.glb(clip_files.path_of(name), clip, fps)
    assert not loops.find_loop(source, find_limbs(source).legs).travel.any()
    check(source, (body, "exact"))


@pytest.mark.sampled(3)
@in_turn(("name",), ("No",), ("Yes",))
def test_three_frames_of_a_clip_that_stands_are_a_loop_that_does_not_travel(name, body):
    clips = motion.load_all(clip_files.path_of(clip_files.CHARACTER))
    check(next(clip for clip in clips if clip.name.endswith(f"|{name}"))[1:4], (body, "exact"))


@pytest.mark.sampled(3)
@in_turn(("side",), ("Left",), ("Right",))
def test_a_horse_that_stands_stays_as_it_is_at_any_rate(side, body):
    source = motion.load(
        clip_files.path_of(clip_files.HORSE), f"AnimalArmature|Idle_HitReact_{side}"
    )
    at = np.arange(0.0, len(source) - 1.0, 24.0 / 25.0)  # of frames, so the last one is missed
    frames, part = at.astype(int), (at % 1.0)[:, None, None]
    rotations, translations = (
        (1.0 - part) * values[frames] + part * values[frames + 1] for values in source.pose
    )
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    pose = LocalPose(rotations, translations)
    check(Clip(source.skeleton, pose, 25.0, metres=source.metres), (body, "exact"))


@pytest.mark.sampled(3)
@BODIES
def test_a_loop_that_ends_in_flight_a_frame_before_its_first_one_remains_one(body):
    source = motion.load(clip_files.path_of(clip_files.FOX), "Run")[:-1]
    check(source, (body, "exact"))


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_all_clips_that_are_pinned_again_stay_as_they_are(name):
    """Each clip in one way, the next clip in the next way: 64 clips, nine ways."""
    ways = list(itertools.product(get_args(Body), get_args(Reaching)))
    for number, source in enumerate(motion.load_all(clip_files.path_of(name)), FILES.index(name)):
        check(source, ways[number % len(ways)])
