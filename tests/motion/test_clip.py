"""Clips: frames are taken out of them as of lists."""

import numpy as np
import pytest

import walkers
from twobone import ArrayTypeError, ClipError, LocalPose
from twobone.motion import Clip


@pytest.fixture(scope="module")
def clip():
    made = walkers.walk(30, seconds=1.0).clip
    settings = dict(up="z", metres=0.01, guessed=["up"], human_bones={"hips": 0}, document="a file")
    return Clip(made.skeleton, made.pose, made.fps, name="Walk", **settings)


def test_a_part_has_these_frames_and_all_settings(clip):
    part = clip[10:25]
    assert len(part) == 15
    for old, new in zip(clip.pose, part.pose, strict=True):
        np.testing.assert_array_equal(new, old[10:25])
    for name in ("skeleton", "fps", "up", "metres", "guessed", "human_bones", "document", "name"):
        assert getattr(part, name) == getattr(clip, name)
    assert len(clip[1:]) == 29
    assert len(clip[-5:]) == 5
    assert len(clip[:1000]) == 30


def test_a_step_keeps_the_speed_of_the_motion(clip):
    half, backwards = clip[::2], clip[::-1]
    assert (half.fps, len(half)) == (15.0, 15)
    assert (backwards.fps, len(backwards)) == (30.0, 30)
    np.testing.assert_array_equal(backwards.pose.rotations, clip.pose.rotations[::-1])


def test_a_clip_has_at_least_one_frame(clip):
    with pytest.raises(ClipError, match=r"at least one of the 30 frames, got none in \[20:10\]"):
        clip[20:10]
    with pytest.raises(ClipError, match=r"got none in \[30:30\]"):
        clip[30:]


def test_single_frames_are_no_clips(clip):
    for index in (0, "walk", None, (1, 2)):
        with pytest.raises(ArrayTypeError, match=r"a slice such as clip\[10:200\]"):
            clip[index]
    with pytest.raises(ArrayTypeError):
        list(clip)  # and iteration does not go on without end


def test_what_a_clip_cannot_have_is_told(clip):
    skeleton, pose = clip.skeleton, clip.pose
    short = LocalPose(pose.rotations, pose.translations[:5])
    with pytest.raises(
        ClipError, match=r"field translations: expected translations of shape \(30, "
    ):
        Clip(skeleton, short, 30.0)
    for fps in (0.0, np.nan):
        with pytest.raises(ClipError, match="field fps: expected a number above 0, got"):
            Clip(skeleton, pose, fps)
    with pytest.raises(ClipError, match="field up: expected 'y' or 'z', got 'x'"):
        Clip(skeleton, pose, 30.0, up="x")
