"""`move_end`: the end is at its target, goes there smoothly, and nothing else moves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clip_files
import people
import walkers
from twobone import LocalPose
from twobone.errors import ArrayTypeError, ClipError, ShapeError
from twobone.motion import Clip, JointPoint, move_end

FPS = 50


def swinging(frames=150, finer=1):
    """Return a person who stands and swings straight arms; with `finer` times as many frames."""
    clip = people.standing(frames * finer)
    clip = Clip(clip.skeleton, clip.pose, FPS * finer)
    rotations = clip.pose.rotations.copy()
    angle = 0.4 * np.sin(np.arange(len(clip)) / clip.fps * 2.0 * np.pi)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        half = 0.25 * np.pi
        down = np.array([0.0, 0.0, -sign * np.sin(half), np.cos(half)])
        swing = np.zeros((len(clip), 4))
        swing[:, 0], swing[:, 3] = np.sin(0.5 * angle), np.cos(0.5 * angle)
        rotations[:, clip.skeleton.index(f"{side}Arm")] = clip_files.multiply(swing, down)
    return clip.with_pose(LocalPose(rotations, clip.pose.translations))


def at(clip, joint):
    return walkers.positions(clip)[:, clip.skeleton.index(joint)]


def jolt(clip, joint):
    """Return the largest change of a joint's acceleration from frame to frame, in m/s2."""
    return np.abs(np.diff(at(clip, joint), 3, axis=0)).max() * clip.fps**2


POINT = [0.25, 1.3, 0.35]


def test_a_hand_is_at_a_point_in_all_frames_and_other_frames_keep_their_bits():
    clip = swinging()
    moved = move_end(clip, "LeftHand", POINT, frames=(60, 90), blend=0.4)
    assert np.abs(at(moved, "LeftHand")[60:90] - POINT).max() < 1e-12
    changed = (moved.pose.rotations != clip.pose.rotations).any(axis=(1, 2))
    assert np.flatnonzero(changed).tolist() == list(range(40, 110))


def test_only_the_three_joints_of_the_limb_change_and_the_hand_keeps_its_rotation():
    clip = swinging()
    moved = move_end(clip, "LeftHand", POINT)
    changed = (moved.pose.rotations != clip.pose.rotations).any(axis=(0, 2))
    names = [name for name, flag in zip(clip.skeleton.names, changed, strict=True) if flag]
    assert names == ["LeftArm", "LeftForeArm", "LeftHand"]
    assert np.array_equal(moved.pose.translations, clip.pose.translations)
    hand = clip.skeleton.index("LeftHand")
    before, after = (
        each.skeleton.to_global(each.pose).rotations[:, hand] for each in (clip, moved)
    )
    assert np.abs(np.abs(np.sum(before * after, axis=-1)) - 1.0).max() < 1e-12


@pytest.mark.parametrize("frames", [(60, 90), (60, 61), (0, 30), (130, 150)])
@pytest.mark.parametrize("joint", ["LeftHand", "LeftForeArm"])
def test_acceleration_is_continuous_also_of_the_elbow_of_a_straight_arm(frames, joint):
    jolts = []
    for finer in (1, 8):
        span = frames[0] * finer, frames[1] * finer
        moved = move_end(swinging(finer=finer), "LeftHand", POINT, frames=span, blend=0.4)
        jolts.append(jolt(moved, joint))
    # Where acceleration jumps, it jumps by as much in shorter frames.
    assert jolts[1] < 0.25 * jolts[0]


def circle(count):
    turn = np.linspace(0.0, 4.0 * np.pi, count)
    return np.array(POINT) + 0.08 * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=-1)


def test_a_path_is_followed_and_comes_to_rest():
    jolts = []
    for finer in (1, 8):
        span, path = (60 * finer, 100 * finer), circle(40 * finer)
        moved = move_end(swinging(finer=finer), "LeftHand", path, frames=span, blend=0.4)
        assert np.abs(at(moved, "LeftHand")[span[0] : span[1]] - path).max() < 1e-12
        jolts.append(jolt(moved, "LeftHand"))
    assert jolts[1] < 0.25 * jolts[0]


def test_a_point_of_another_joint_is_followed():
    clip = swinging()
    turned = clip.pose.rotations.copy()
    turned[:, clip.skeleton.index("Hips")] = [0.0, np.sin(0.3), 0.0, np.cos(0.3)]
    clip = clip.with_pose(LocalPose(turned, clip.pose.translations))
    moved = move_end(clip, "LeftHand", JointPoint("RightForeArm", [0.0, 0.0, 0.1]), frames=(9, 20))
    found = clip.skeleton.to_global(clip.pose)
    elbow = clip.skeleton.index("RightForeArm")
    for frame in (9, 19):
        ahead = clip_files.rotated(found.rotations[frame, elbow], np.array([0.0, 0.0, 0.1]))
        assert (
            np.abs(at(moved, "LeftHand")[frame] - found.positions[frame, elbow] - ahead).max()
            < 1e-12
        )


def test_a_limb_points_to_a_target_out_of_reach():
    moved = move_end(swinging(), "LeftHand", [5.0, 1.37, 0.0])
    shoulder, elbow, hand = (at(moved, f"Left{part}") for part in ("Arm", "ForeArm", "Hand"))
    assert np.allclose(
        hand - shoulder, np.linalg.norm(hand - shoulder, axis=-1)[:, None] * [1, 0, 0], atol=0.01
    )
    assert np.allclose(np.linalg.norm(elbow - shoulder, axis=-1), 0.28, atol=1e-9)


def test_a_foot_moves_with_its_toes():
    clip = people.standing(60)
    foot, toes = at(clip, "LeftFoot")[0], at(clip, "LeftToeBase")[0]
    step = np.array([0.0, 0.2, 0.1])
    moved = move_end(clip, "LeftFoot", foot + step, frames=(20, 40))
    assert np.allclose(at(moved, "LeftToeBase")[30], toes + step, atol=1e-12)
    assert np.array_equal(at(moved, "RightToeBase"), at(clip, "RightToeBase"))


def test_feet_beside_the_shin_and_toes_are_moved():
    clip = clip_files.glb(clip_files.CHARACTER, "Walk")
    foot = clip.skeleton.index("Foot.L")
    target = at(clip, "Foot.L")[5] + [0.0, 0.1, 0.05]
    moved = move_end(clip, "Foot.L", target, frames=(5, 9), blend=0.1)
    assert np.abs(at(moved, "Foot.L")[5:9] - target).max() < 1e-6
    assert np.array_equal(moved.pose.rotations[0], clip.pose.rotations[0])
    assert clip.skeleton.index("LowerLeg.L") not in clip.skeleton.path(foot)


@settings(max_examples=20, deadline=None)
@given(
    st.tuples(*[st.floats(-3.0, 3.0)] * 3),
    st.integers(0, 58),
    st.floats(0.0, 3.0),
    st.booleans(),
)
def test_bones_keep_their_lengths_whatever_the_target(target, first, blend, is_hand):
    clip = swinging(60)
    end = "RightHand" if is_hand else "RightFoot"
    moved = move_end(clip, end, target, frames=(first, first + 2), blend=blend)
    assert np.isfinite(moved.pose.rotations).all()
    assert np.abs(walkers.bones(moved) - walkers.bones(clip)).max() < 1e-9


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"end": "Head"}, ClipError, "the end of a limb \\(LeftFoot"),
        ({"end": "Hand"}, ClipError, "did you mean '.*'LeftHand'"),
        ({"frames": (5, 5)}, ClipError, "within the 60 frames, got \\(5, 5\\)"),
        ({"frames": (5, 61)}, ClipError, "within the 60 frames"),
        ({"frames": (0.5, 9)}, ClipError, "frames \\(first, last \\+ 1\\)"),
        ({"frames": 7}, ClipError, "frames \\(first, last \\+ 1\\)"),
        ({"blend": -1.0}, ArrayTypeError, "0 or more, got -1.0"),
        ({"target": [0, 1]}, ShapeError, "\\(3,\\) or \\(60, 3\\), got \\(2,\\)"),
        ({"target": "here"}, ArrayTypeError, "`target` must be an array of numbers"),
        ({"target": [0, np.nan, 1]}, ClipError, "target: expected finite numbers"),
        ({"target": JointPoint("LeftForeArm")}, ClipError, "does not move with the limb"),
        ({"target": JointPoint("Nose")}, ClipError, "target: expected joints of the skeleton"),
    ],
)
def test_what_does_not_fit_is_refused(change, error, message):
    arguments = {"end": "LeftHand", "target": POINT} | change
    with pytest.raises(error, match=message):
        move_end(people.standing(60), **arguments)


def test_clips_with_nan_are_refused():
    clip = people.standing(10)
    rotations = clip.pose.rotations.copy()
    rotations[3, 0, 0] = np.nan
    broken = Clip(clip.skeleton, LocalPose(rotations, clip.pose.translations), FPS)
    with pytest.raises(ClipError, match="NaN or infinity"):
        move_end(broken, "LeftHand", POINT)
