"""`pin` with limbs and contacts that it finds itself, from file to file."""

import tracemalloc

import numpy as np
import pytest

import clip_files
import walkers
from twobone import LocalPose, Skeleton, motion
from twobone.creature import Slope
from twobone.errors import ArrayTypeError, ClipError
from twobone.motion import Clip, find_contacts, find_limbs, pin
from walkers import FIGURE, LEGS, walk

MM = 0.001


def slid(clip, speed):
    """Return a clip whose root also moves along the third axis: metres per second."""
    moved = clip.pose.translations.copy()
    roots = [joint for joint, parent in enumerate(clip.skeleton.parents) if parent < 0]
    moved[:, roots, 2] += speed / clip.metres * (np.arange(len(clip)) / clip.fps)[:, None]
    return clip.with_pose(LocalPose(clip.pose.rotations, moved))


def drift(clip, anchors, metres):
    """Return distances of held joints from where the anchors are, in metres."""
    at = walkers.positions(clip) / clip.metres
    away = [at[a.first : a.stop, clip.skeleton.index(a.joint)] - a.position for a in anchors]
    return metres * np.linalg.norm(np.concatenate(away), axis=-1)


# --- from file to file --------------------------------------------------------------------


def test_feet_stay_in_a_bvh_file(tmp_path):
    clip = motion.load(clip_files.path_of("cmu_bvh/02_01.bvh"))
    pinned = pin(slid(clip, 0.2))
    motion.save(pinned.clip, tmp_path / "pinned.bvh")
    written = clip_files.bvh(tmp_path / "pinned.bvh")  # neither reader nor kinematics are ours
    assert len(pinned.anchors) >= 8
    assert drift(slid(clip, 0.2), pinned.anchors, clip.metres).max() > 30 * MM
    assert drift(written, pinned.anchors, clip.metres).max() < 1e-6 * MM
    again = motion.load(tmp_path / "pinned.bvh")
    np.testing.assert_allclose(again.pose.rotations, pinned.clip.pose.rotations, atol=1e-12)


def test_feet_stay_in_a_glb_file(tmp_path):
    clip = slid(motion.load(clip_files.path_of(clip_files.FOX), "Walk"), 1.0)
    pinned = pin(clip)
    motion.save(pinned.clip, tmp_path / "pinned.glb")
    written = clip_files.glb(tmp_path / "pinned.glb", "Walk", clip.fps)
    assert {anchor.joint for anchor in pinned.anchors} >= {"b_LeftFoot02_018", "b_RightFoot02_022"}
    assert drift(clip, pinned.anchors, clip.metres).max() > 30 * MM
    assert drift(written, pinned.anchors, clip.metres).max() < 1e-3 * MM  # 32-bit numbers
    assert len(motion.load(tmp_path / "pinned.glb", "Walk")) == len(clip)


@pytest.mark.parametrize(
    ("name", "index", "speed"), [(clip_files.HORSE, 5, 1.0), (clip_files.CHARACTER, 1, 0.3)]
)
def test_feet_detached_from_their_shins_stay_in_a_file(name, index, speed, tmp_path):
    clip = slid(motion.load(clip_files.path_of(name), index), speed)
    assert all(leg.detached for leg in motion.find_limbs(clip).legs)
    pinned = pin(clip)
    motion.save(pinned.clip, tmp_path / "pinned.glb")
    written = motion.load(tmp_path / "pinned.glb", index)
    assert pinned.report.drift_most.before > 50 * MM
    assert drift(written, pinned.anchors, 1.0).max() < 1e-3 * MM
    assert pinned.report.bones < 1e-6


# --- what is found, and what is given -----------------------------------------------------


def test_limbs_and_contacts_are_found_unless_given():
    clip = walk(stretch=1.15).clip
    limbs, contacts = motion.find_limbs(clip), motion.find_contacts(clip)
    made = pin(clip)
    assert made.anchors
    for given in ((contacts, limbs), (contacts, limbs.legs), (None, limbs), (None, limbs.legs)):
        other = pin(clip, *given)
        np.testing.assert_array_equal(other.clip.pose.rotations, made.clip.pose.rotations)
    assert walkers.drift(made.clip, contacts).max() < 1e-9


def test_contacts_are_found_on_the_ground_that_is_given():
    clip = walk(stretch=1.15).clip
    ramp = Slope(8.0)
    contacts = motion.find_contacts(clip, ground=ramp)
    assert contacts != motion.find_contacts(clip)
    made, expected = pin(clip, ground=ramp), pin(clip, contacts, ground=ramp)
    assert made.anchors == expected.anchors


def test_a_walk_in_place_travels_as_far_as_its_steps_if_the_body_follows():
    clip = walk(30, stretch=0.0, speed=0.9).clip
    for body, expected in ("least", 0.0), ("follow", 0.9 * (len(clip) - 1) / 30):
        hips = walkers.positions(pin(clip, body=body).clip)[:, 0, 2]
        assert hips[-1] - hips[0] == pytest.approx(expected, abs=5 * MM)


def test_limbs_of_ones_own_need_contacts():
    with pytest.raises(ClipError, match="field contacts: expected contacts, unless limbs are"):
        pin(walk().clip, limbs=LEGS)


def test_without_limbs_nothing_changes():
    clip = Clip(Skeleton([-1], [[0, 0, 0]]), LocalPose([[[0, 0, 0, 1]]] * 9), 30)
    made = pin(clip)
    assert made.clip is clip
    assert made.anchors == []


def test_joints_without_names_are_given_by_their_indices_as_text():
    found = walk(stretch=1.15)
    nameless = Clip(Skeleton(FIGURE.parents, FIGURE.offsets), found.clip.pose, found.clip.fps)
    contacts = {str(FIGURE.index(name)): spans for name, spans in found.contacts.items()}
    made = pin(nameless, contacts, LEGS)
    expected = pin(found.clip, found.contacts, LEGS)
    np.testing.assert_array_equal(made.clip.pose.rotations, expected.clip.pose.rotations)


@pytest.mark.parametrize("kind", ["terrain", "object", "found"])
def test_ground_can_be_all_that_find_ground_takes(kind):
    found = walk(stretch=1.15)
    slope = Slope(3.0)
    grounds = {"terrain": slope, "found": motion.find_ground(found.clip, slope)}

    class Own:
        def height(self, x, z):
            return slope.height(x, z)

    ground = grounds.get(kind, Own())
    made = pin(found.clip, found.contacts, LEGS, ground=ground)
    expected = pin(found.clip, found.contacts, LEGS, ground=slope.height)
    np.testing.assert_array_equal(made.clip.pose.rotations, expected.clip.pose.rotations)


@pytest.mark.parametrize("scale", [1e-9, 1e12, 1e60])
def test_units_can_be_of_any_size(scale):
    found = walk(stretch=1.15)
    clip = clip_files.moved(found.clip, [0.0, 0.0, 0.0, 1.0], scale)
    made = pin(clip, found.contacts, LEGS)
    assert walkers.drift(made.clip, found.contacts).max() < 1e-9


def test_another_ground_raises():
    found = walk()
    with pytest.raises(ArrayTypeError, match="ground"):
        pin(found.clip, found.contacts, LEGS, ground="grass")


def test_long_clips_take_less_than_twice_the_memory_of_their_poses():
    clip = clip_files.cmu("02_01")
    pose = LocalPose(*(np.tile(part, (20, 1, 1)) for part in clip.pose))
    long = clip.with_pose(pose)
    limbs = find_limbs(long)
    contacts = find_contacts(long, limbs)
    tracemalloc.start()
    try:
        made = pin(long, contacts, limbs)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(made.clip) == len(long)
    assert most < 2.0 * sum(part.nbytes for part in pose)  # half of it are the new poses
