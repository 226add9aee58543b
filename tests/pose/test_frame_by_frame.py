"""A plane transported from frame to frame, a call for each: what games do."""

import numpy as np
import pytest

import twobone
from twobone import LocalPose, PoseError, ShapeError, Skeleton

OFFSETS = [[0, 1, 0], [0.1, 0, 0], [0, -0.5, 0.02], [0, -0.45, -0.02]]
SKELETON = Skeleton([-1, 0, 1, 2], OFFSETS)
LIMB = twobone.Limb(SKELETON, 1, 2, 3)
POLE = [0.0, 0.0, 1.0]


def clips(frames=50, count=4):
    """Return poses and targets of some clips, the targets past the pole and back."""
    rng = np.random.default_rng(7)
    rotations = np.tile(SKELETON.rotations, (frames, count, 1, 1))
    rotations += 0.02 * rng.normal(size=rotations.shape)
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    a = np.linspace(0.0, 6.0, frames)[:, None] + np.arange(count)
    target = np.stack([0.5 * np.sin(a), 0.5 * np.cos(1.3 * a), 0.5 * np.sin(0.7 * a)], axis=-1)
    return rotations, target + np.array([0.1, 1.0, 0.0])


def transport(rotations, target, before):
    return LIMB.reach(LocalPose(rotations), target, pole=POLE, bend="transport", before=before)


def test_a_call_a_frame_gives_what_one_call_for_all_does():
    rotations, target = clips()
    whole = LIMB.reach(LocalPose(rotations), target, pole=POLE, bend="transport")
    first = LIMB.reach(LocalPose(rotations[:1]), target[:1], pole=POLE, bend="transport")
    posed = first._replace(transported=first.transported[0])
    for i in range(1, len(target)):
        posed = transport(rotations[i], target[i], posed)
        np.testing.assert_allclose(posed.pose.rotations, whole.pose.rotations[i], atol=1e-13)
        np.testing.assert_allclose(posed.transported, whole.transported[i], atol=1e-13)


@pytest.mark.parametrize("what", ["at the root", "not a number", "without a pole's weight"])
def test_a_frame_that_says_nothing_is_passed_over_as_in_one_call_for_all(what):
    rotations, target = clips()
    weight = np.ones(target.shape[:2])
    frames = slice(20, 23)
    if what == "at the root":
        target[frames] = SKELETON.offsets[:2].sum(axis=0)
    elif what == "not a number":
        target[frames, 1:] = np.nan
    else:
        weight[frames, ::2] = np.nan
    for pole in (None, POLE):
        wishes = {"pole": pole, "bend": "transport"}
        rotations[:, :, 0] = SKELETON.rotations[0]  # so that the root is where it is at rest
        whole = LIMB.reach(LocalPose(rotations), target, pole_weight=weight, **wishes)
        posed = LIMB.reach(LocalPose(rotations[:1]), target[:1], **wishes)
        posed = posed._replace(transported=posed.transported[0])
        for i in range(1, len(target)):
            wishes |= {"pole_weight": weight[i], "before": posed}
            posed = LIMB.reach(LocalPose(rotations[i]), target[i], **wishes)
            np.testing.assert_allclose(posed.pose.rotations, whole.pose.rotations[i], atol=1e-13)
            np.testing.assert_allclose(posed.transported, whole.transported[i], atol=1e-13)


def test_a_game_may_begin_with_any_bend():
    rotations, target = clips()
    posed = LIMB.reach(LocalPose(rotations[0]), target[0], pole=POLE)
    plain = posed
    for i in range(1, len(target)):
        posed = transport(rotations[i], target[i], posed)
        assert np.all(posed.status <= twobone.Status.TOO_NEAR)
    again = transport(rotations[0], target[0], plain)  # nothing moved, so nothing turns
    np.testing.assert_allclose(again.pose.rotations, plain.pose.rotations, atol=1e-13)


def test_one_limb_needs_no_axes():
    rotations, target = clips()
    first = LIMB.reach(LocalPose(rotations[0, 0]), target[0, 0], pole=POLE)
    posed = transport(rotations[1, 0], target[1, 0], first)
    assert posed.transported.shape == (3, 3)
    assert posed.pose.rotations.shape == (4, 4)


def test_before_is_what_reach_returned_and_goes_with_carry():
    rotations, target = clips()
    pose = LocalPose(rotations[0])
    with pytest.raises(PoseError, match="`before` must be a result of `reach`"):
        transport(rotations[0], target[0], "the frame before")
    first = LIMB.reach(pose, target[0], pole=POLE)
    with pytest.raises(PoseError, match="bend='pole'"):
        LIMB.reach(pose, target[0], pole=POLE, before=first)
    with pytest.raises(ShapeError, match="before"):
        transport(rotations[0], target[0], first._replace(transported=np.ones((2, 4))))


@pytest.mark.parametrize("pose", [LocalPose, SKELETON.to_global], ids=["local", "global"])
def test_before_is_one_frame_not_a_clip(pose):
    """Its batch axes broadcast to those of pose and target, and add none."""
    rotations, target = clips()
    rotations = [LocalPose(r) for r in (rotations[:, 0], rotations[:, 0][0], rotations[0])]
    clip, one, four = (pose(each) if pose is not LocalPose else each for each in rotations)
    whole = LIMB.reach(clip, target[:, 0], bend="transport")
    single = LIMB.reach(one, target[0, 0])

    def following(pose, target, before):
        return LIMB.reach(pose, target, bend="transport", before=before).status.shape

    assert following(one, target[1, 0], single) == ()
    assert following(one, target[1], single) == following(four, target[1, 0], single) == (4,)
    first = single._replace(transported=single.transported[None])
    assert following(four, target[1], first) == (4,)
    for posed in (whole, first):
        shape = posed.transported.shape[:-2]
        with pytest.raises(ShapeError, match="`before` must be the result of one frame") as caught:
            following(one, target[1, 0], posed)
        assert str(shape) in str(caught.value)
    with pytest.raises(ShapeError, match=r"`before` must broadcast with .*, got \(50,\)"):
        following(four, target[1], whole)  # 50 frames beside 4 limbs
    with pytest.raises(ShapeError, match="`before` must be the result of one frame"):
        following(four, target[1], whole._replace(transported=whole.transported[:, None]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_poses_that_are_fed_back_keep_rotations_of_length_1(dtype):
    """Else lengths off by a rounding error grow with every frame, those of the end fivefold."""
    arm = Skeleton([-1, 0, 1, 2, 3, 2], [*OFFSETS[:3], [0, -0.2, 0], [0, -0.2, 0], [0, -0.1, 0]])
    limb = twobone.Limb(arm, 1, 2, 4, bend_towards=POLE, twist={3: 0.5, 5: 0.3})
    pose = LocalPose((1.001 * arm.rotations).astype(dtype))
    for i in range(100):
        hand = [np.sin(0.05 * i), 0.0, 0.0, np.cos(0.05 * i)]
        target = np.array([0.1, 0.4 + 0.1 * np.sin(0.1 * i), 0.1], dtype)
        posed = limb.reach(pose, target, end_rotation=np.array(hand, dtype))
        long = np.linalg.norm(posed.pose.rotations[1:], axis=-1)
        np.testing.assert_allclose(long, 1.0, atol=4.0 * np.finfo(dtype).eps)
        pose = posed.pose
