"""`pin(conform=...)`: feet rest on another ground, on its slope, and swing clear of it."""

import numpy as np
import pytest

import people
import walkers
from twobone import LocalPose
from twobone.creature import Noise, Slope, Steps
from twobone.motion import Clip, find_contacts, pin
from twobone.rotations import rotate
from walkers import LEGS, NAMES

MM = 0.001
REST = {"foot": walkers.ANKLE, "toes": walkers.ANKLE + walkers.FOOT[1]}
TERRAINS = [Slope(8), Slope(-8), Slope(12, heading_degrees=90), Noise(0.04, 1.5, seed=4)]


def on(clip, contacts, **options):
    return pin(clip, contacts, LEGS, **{"ground": 0.0, **options})


def heights_in_contact(clip, contacts, terrain):
    """Yield the height above a terrain of each joint while it is held, and its name."""
    at = walkers.positions(clip)
    for name, spans in contacts.items():
        for first, last in spans:
            x, y, z = at[first:last, NAMES.index(name)].T
            yield name, y - terrain.height(x, z), terrain.normal(x, z)[..., 1]


@pytest.mark.parametrize("terrain", TERRAINS, ids=repr)
def test_feet_in_contact_rest_on_the_ground_and_stay(terrain):
    walk = walkers.walk(60)
    made = on(walk.clip, walk.contacts, conform=terrain)
    count = 0
    for name, heights, steep in heights_in_contact(made.clip, walk.contacts, terrain):
        # Along the normal of the ground, joints are as high as above level ground.
        assert np.abs(heights * steep - REST[name.split()[1]]).max() < 2 * MM
        count += 1
    assert count > 8
    assert walkers.drift(made.clip, walk.contacts).max() < 1e-6 * MM
    assert np.abs(walkers.bones(made.clip) - walkers.bones(walk.clip)).max() < 1e-9
    assert made.report.missed_most < 1e-9


@pytest.mark.parametrize("terrain", [*TERRAINS, Steps(0.1, 0.5)], ids=repr)
def test_feet_swing_clear_of_the_ground(terrain):
    walk = walkers.walk(60)
    made = on(walk.clip, walk.contacts, conform=terrain)
    at = walkers.positions(made.clip)
    for leg in LEGS:
        for joint in (leg.end, leg.toe):
            x, y, z = at[:, joint].T
            assert (y - terrain.height(x, z)).min() > -MM
        x, y, z = at[:, leg.end].T
        assert (y - terrain.height(x, z)).max() > walkers.ANKLE + 0.07


def test_soles_are_parallel_to_the_slope():
    walk = walkers.walk(60)
    slope = Slope(12, heading_degrees=90)  # it rises along x, beside the way
    made = on(walk.clip, walk.contacts, conform=slope).clip
    turned = made.skeleton.to_global(made.pose).rotations
    flat = walk.clip.skeleton.to_global(walk.clip.pose).rotations
    for leg in LEGS:
        for first, last in walk.contacts[NAMES[leg.end]]:
            middle = (first + last) // 2
            level = rotate(flat[middle, leg.end] * [-1, -1, -1, 1], np.array([0.0, 1.0, 0.0]))
            sole = rotate(turned[middle, leg.end], level)
            assert sole @ slope.normal(0.0, 0.0) > np.cos(np.radians(1.0))


def test_the_body_rises_with_its_feet_and_knees_stay_smooth():
    walk = walkers.walk(60)
    made = on(walk.clip, walk.contacts, conform=Slope(8)).clip
    before, after = (walkers.positions(clip)[:, 0] for clip in (walk.clip, made))
    rise = np.tan(np.radians(8)) * after[:, 2]
    assert np.abs(after[:, 1] - before[:, 1] - rise).max() < 0.06
    knees = [leg.mid for leg in LEGS]
    old, new = (walkers.accelerations(clip, knees) for clip in (walk.clip, made))
    assert np.percentile(new, 99) < 2.0 * np.percentile(old, 99)
    kept = on(walk.clip, walk.contacts, conform=Slope(2), body="keep").clip
    assert np.array_equal(walkers.positions(kept)[:, 0], before)


def test_feet_that_float_and_sink_are_put_on_level_ground():
    walk = walkers.walk(60, stretch=1.1)
    time = np.arange(len(walk.clip)) / 60
    moved = walk.clip.pose.translations.copy()
    moved[:, 0, 1] += 0.4 + 0.03 * np.sin(0.7 * np.pi * time)
    clip = walk.clip.with_pose(LocalPose(walk.clip.pose.rotations, moved))
    floor = Slope(0)
    errors = []
    for options in ({}, {"conform": 0.0}):
        made = pin(clip, walk.contacts, **options).clip
        errors.append(
            max(
                np.ptp([np.median(heights - REST[name.split()[1]]) for name, heights in each])
                for each in [[(n, h) for n, h, _ in heights_in_contact(made, walk.contacts, floor)]]
            )
        )
        assert walkers.drift(made, walk.contacts).max() < 1e-6 * MM
    assert errors[0] > 30 * MM
    assert errors[1] < MM


def test_z_up_and_a_function_as_ground():
    walk = walkers.walk(60)
    half = 0.5**0.5
    rotations, translations = (part.copy() for part in walk.clip.pose)
    root = rotations[:, 0].copy()
    rotations[:, 0] = np.stack(
        [
            half * (root[:, 0] + root[:, 3]),
            half * (root[:, 1] - root[:, 2]),
            half * (root[:, 2] + root[:, 1]),
            half * (root[:, 3] - root[:, 0]),
        ],
        axis=-1,
    )
    x, y, z = translations[:, 0].T
    translations[:, 0] = np.stack([x, -z, y], axis=-1)
    clip = Clip(walk.clip.skeleton, LocalPose(rotations, translations), 60, up="z")
    made = on(clip, walk.contacts, conform=lambda x, y: 0.1 * y).clip
    level = on(walk.clip, walk.contacts, conform=lambda x, z: -0.1 * z).clip
    x, y, z = np.moveaxis(walkers.positions(level), -1, 0)
    assert np.abs(walkers.positions(made) - np.stack([x, -z, y], axis=-1)).max() < 1e-6


def test_legs_without_toes_rest_on_their_ends():
    walk = walkers.walk(60)
    feet = [leg._replace(toe=None) for leg in LEGS]
    contacts = {name: spans for name, spans in walk.contacts.items() if "toes" not in name}
    made = pin(walk.clip, contacts, feet, ground=0.0, conform=Slope(8))
    count = 0
    for _, heights, steep in heights_in_contact(made.clip, contacts, Slope(8)):
        assert np.abs(heights * steep - REST["foot"]).max() < 2 * MM
        count += 1
    assert count > 4


def test_what_is_not_in_contact_stays_and_no_contacts_change_nothing():
    clip = people.standing(60)
    contacts = {"LeftFoot": [(0, 60)], "LeftToeBase": [(0, 60)]}
    made = pin(clip, contacts, ground=0.0, conform=0.02, body="keep").clip
    changed = (made.pose.rotations != clip.pose.rotations).any(axis=(0, 2))
    names = [name for name, flag in zip(clip.skeleton.names, changed, strict=True) if flag]
    assert set(names) <= {"LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"}
    assert names
    none = pin(clip, {}, conform=0.05).clip
    assert np.array_equal(none.pose.rotations, clip.pose.rotations)


def test_contacts_are_found_on_the_clips_own_ground():
    walk = walkers.walk(60)
    terrain = Noise(0.04, 1.5, seed=4)
    made = pin(walk.clip, conform=terrain)
    assert len(made.anchors) == sum(map(len, find_contacts(walk.clip).values()))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("frames", [1, 2, 5])
@pytest.mark.parametrize("body", ["least", "keep", "follow"])
@pytest.mark.parametrize("reach", ["exact", "soft", "stretch"])
def test_short_clips_and_all_options(frames, body, reach):
    clip = walkers.walk(60).clip[:frames]
    contacts = {NAMES[joint]: [(0, frames)] for leg in LEGS for joint in (leg.end, leg.toe)}
    made = on(clip, contacts, conform=Slope(8), body=body, reach=reach)
    assert np.isfinite(made.clip.pose.rotations).all()
    assert np.isfinite(made.clip.pose.translations).all()
