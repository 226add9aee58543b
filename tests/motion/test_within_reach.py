"""Anchors beside the body, which no height of the hips brings into reach, are moved into reach."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clip_files
import walkers
from twobone import LocalPose, Skeleton, motion
from twobone.motion import Clip, find_contacts, find_limbs, pin
from twobone.motion.within_reach import nearest

MM = 0.001
NAMES = ["hips", "thigh", "shin", "foot", "toes"]
OFFSETS = [[0.0, 0.3, 0.0], [0.0, 0.0, 0.0], [0.5, 0.1, 0.0], [0.5, -0.3, 0.0], [0.1, -0.05, 0.0]]
LIMBS = [walkers.Leg(1, 2, 3, 4)]
FRAMES = 91
FEET = {"foot": [(0, 70)], "toes": [(0, FRAMES)]}  # the foot rolls off in the end


def swaying(by=0.1, up="y"):
    """Return a clip of a leg that reaches far to the side of a body that sways by so much."""
    skeleton = Skeleton([-1, 0, 1, 2, 3], OFFSETS, names=NAMES)
    translations = np.tile(OFFSETS, (FRAMES, 1, 1))
    phase = 2.0 * np.pi * np.arange(FRAMES) / FRAMES
    translations[:, 0, 0] += by * np.sin(phase)
    translations[:, 0, 2] += by * np.cos(2.0 * phase)
    rotations = np.tile(skeleton.rotations, (FRAMES, 1, 1))
    if up == "z":
        translations[:, 0] = translations[:, 0] @ [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
        rotations[:, 0] = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
    return Clip(skeleton, LocalPose(rotations, translations), 30, up=up)


def moved(clip, other):
    return np.linalg.norm(walkers.positions(clip) - walkers.positions(other), axis=-1)


# --- pinning ------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ["least", "follow"])
@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("ground", [None, lambda x, z: 0.05 * np.sin(3.0 * x) + 0.1 * z])
def test_feet_beside_the_body_reach_their_anchors(ground, up, body):
    clip = swaying(up=up)
    made, _, report = pin(clip, FEET, LIMBS, ground, body)
    assert report.missed_most < 0.001 * MM
    assert walkers.drift(made, FEET).max() < 0.001 * MM
    assert np.abs(walkers.bones(made) - walkers.bones(clip)).max() < 1e-12
    assert moved(pin(made, FEET, LIMBS, ground, body).clip, made).max() < 0.01 * MM


def test_feet_are_moved_along_the_ground_as_little_as_possible():
    clip = swaying()
    kept = pin(clip, FEET, LIMBS, body="keep")
    made = pin(clip, FEET, LIMBS)
    assert kept.report.missed_most > 10 * MM
    pairs = zip(made.anchors, kept.anchors, strict=True)
    heel, toe = (np.subtract(one.position, other.position) for one, other in pairs)
    assert np.abs(heel - toe).max() < 0.1 * MM  # the body takes some of their jitter
    assert abs(heel[1]) < 1e-9
    assert np.linalg.norm(heel) < kept.report.missed_most + 5 * MM
    hips = [walkers.positions(each.clip)[:, 0, 1] for each in (made, kept)]
    assert np.abs(hips[0] - hips[1]).max() < 1 * MM


def test_feet_that_reach_no_place_in_all_frames_miss_their_anchors():
    made, anchors, report = pin(swaying(by=1.2), FEET, LIMBS)
    assert np.isfinite(made.pose.rotations).all()
    assert len(anchors) == 2
    assert report.missed_most > 0.3


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["Bite", "Jump", "Idle", "Death 2"])
def test_pinning_a_spider_whose_feet_are_out_of_reach_again_moves_nothing(name):
    clip = motion.load(clip_files.path_of(clip_files.SPIDER), name)
    limbs = find_limbs(clip)
    contacts = find_contacts(clip, limbs)
    made, _, report = pin(clip, contacts, limbs)
    again = pin(made, contacts, limbs).clip
    assert report.missed_most < 0.01 * MM
    assert moved(again, made).max() < 0.01 * MM


# --- discs --------------------------------------------------------------------------------

numbers = st.floats(-1.0, 1.0)
discs = st.lists(st.tuples(numbers, numbers, st.floats(0.0, 2.0)), min_size=1, max_size=12)


@settings(max_examples=200)
@given(discs=discs, angles=st.integers(0, 1000))
def test_the_nearest_point_is_in_all_discs_and_no_other_is_nearer(discs, angles):
    x, y, radii = np.array(discs).T
    point = nearest(np.stack([x, y]), radii)
    grid = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, 81)] * 2)).reshape(2, -1)
    away = np.hypot(grid[0] - x[:, None], grid[1] - y[:, None])
    inside = (away <= radii[:, None]).all(0)
    if point is None:
        assert not (away <= radii[:, None] - 1e-6).all(0).any()
    else:
        assert (np.hypot(x - point[0], y - point[1]) <= radii + 1e-8).all()
        sizes = np.hypot(*grid[:, inside])
        assert not len(sizes) or np.hypot(*point) <= sizes.min() + 1e-6


@pytest.mark.parametrize(
    ("centres", "radii", "expected"),
    [
        ([(0, 0)], [0], (0, 0)),
        ([(3, 4)], [1], (2.4, 3.2)),
        ([(3, 4)], [0], (3, 4)),
        ([(1, 0), (1, 0)], [0.5, 0.5], (0.5, 0)),
        ([(1, 1), (1, -1)], [1, 1], (1, 0)),  # they touch
        ([(3, 0), (0, 0)], [1, 1], None),
        ([(0, 0), (0, 0)], [0, 0], (0, 0)),
    ],
)
def test_the_nearest_point_of_a_few_discs(centres, radii, expected):
    point = nearest(np.array(centres, float).T, np.array(radii, float))
    if expected is None:
        assert point is None
    else:
        assert point == pytest.approx(expected, abs=1e-4)
