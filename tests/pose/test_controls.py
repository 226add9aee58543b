"""From poses to handles and back (`controls`), and twist that forearm bones share."""

import numpy as np
import pytest

import twobone
from skeletons import (
    LEG,
    about,
    chain,
    hinged,
    matrix_of,
    places,
    product,
    random_skeleton,
    turn_between,
    turns,
    unit,
)
from twobone import Stretch
from twobone.pose import LocalPose, Skeleton

SEEDS = range(4)
DEGREES = np.arange(-170.0, 171.0, 5.0)


# --- controls ---------------------------------------------------------------------------------


def stirred(limb, pose, rng):
    """Return poses in which the limb itself is turned otherwise, as its hinge allows."""
    rotations = np.array(pose.rotations)
    shape = rotations.shape[:-2]
    for joint in (limb.start, limb.end):
        rotations[..., joint, :] = turns(rng, shape)
    turn = about(limb.mid_axis, rng.uniform(-30.0, 30.0, shape))
    rotations[..., limb.mid, :] = product(limb.skeleton.rotations[limb.mid], turn)
    return LocalPose(rotations)


def assert_reproduces(limb, pose, start, atol=1e-11):
    """From handles to the pose that they were taken from, beginning with another one."""
    controls = limb.controls(pose)
    posed = limb.reach(
        start, controls.target, pole=controls.pole, end_rotation=controls.end_rotation
    )
    for found, wanted in zip(
        places(limb.skeleton, posed.pose), places(limb.skeleton, pose), strict=True
    ):
        np.testing.assert_allclose(found, wanted, atol=atol)


@pytest.mark.parametrize("between", [0, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_handles_give_back_the_pose_they_were_taken_from(seed, between):
    rng = np.random.default_rng(seed)
    skeleton, joints = random_skeleton(rng, between)
    limb = twobone.Limb(skeleton, *joints)
    pose = hinged(skeleton, limb, rng, (40,))
    bent_on = open_ended(limb, pose)
    pose = LocalPose(pose.rotations[bent_on])
    assert len(pose.rotations) > 20
    assert_reproduces(limb, pose, stirred(limb, pose, rng))
    controls = limb.controls(pose)
    np.testing.assert_allclose(np.linalg.norm(controls.pole, axis=-1), 1.0, atol=1e-14)
    positions, turned = places(skeleton, pose)
    np.testing.assert_allclose(controls.target, positions[:, limb.end], atol=1e-13)
    np.testing.assert_allclose(matrix_of(controls.end_rotation), turned[:, limb.end], atol=1e-14)
    # The pole is square to the way, and the knee is on its side.
    way, knee = (positions[:, j] - positions[:, limb.start] for j in (limb.end, limb.mid))
    np.testing.assert_allclose(np.sum(way * controls.pole, axis=-1), 0.0, atol=1e-13)
    assert np.all(np.sum(knee * controls.pole, axis=-1) > 0.0)


def open_ended(limb, pose):
    """Say which limbs are bent as their hinge has it, and not beyond straight or folded."""
    positions, turned = places(limb.skeleton, pose)
    first = positions[:, limb.mid] - positions[:, limb.start]
    second = positions[:, limb.end] - positions[:, limb.mid]
    axis = turned[:, limb.mid] @ limb.mid_axis
    return np.sum(axis * np.cross(second, first), axis=-1) > 0.0


def test_a_straight_limb_has_a_pole_too():
    """Its hinge says which; IK takes over from FK without a turn."""
    rng = np.random.default_rng(8)
    straight = chain([0, 0, 0], [0, -0.5, 0], [0, -0.45, 0])
    limb = twobone.Limb(straight, 0, 1, 2, bend_towards=[0, 0, 1])
    rotations = np.tile(straight.rotations, (30, 1, 1))
    rotations[:, 0], rotations[:, 2] = turns(rng, (30,)), turns(rng, (30,))
    pose = LocalPose(rotations)
    pole = limb.controls(pose).pole
    np.testing.assert_allclose(pole, matrix_of(rotations[:, 0]) @ [0, 0, 1], atol=1e-14)
    assert_reproduces(limb, pose, stirred(limb, pose, rng), atol=1e-7)


def test_handles_of_global_poses_are_the_same():
    limb = twobone.Limb(LEG, "hip", "knee", "foot")
    pose = hinged(LEG, limb, np.random.default_rng(0), (5,))
    for have, want in zip(limb.controls(LEG.to_global(pose)), limb.controls(pose), strict=True):
        np.testing.assert_allclose(have, want, atol=1e-13)


def test_handles_of_a_limb_folded_onto_its_root_are_finite():
    limb = twobone.Limb(chain([0, 0, 0], [0, 1, 0], [0, -1, 0.0]), 0, 1, 2, mid_axis=[1, 0, 0])
    controls = limb.controls(LocalPose(limb.skeleton.rotations))
    assert all(np.all(np.isfinite(part)) for part in controls)
    np.testing.assert_allclose(np.linalg.norm(controls.pole), 1.0)


def test_every_library_has_the_same_handles(xp):
    limb = twobone.Limb(LEG, "hip", "knee", "foot")
    pose = hinged(LEG, limb, np.random.default_rng(1), (5,))
    wanted = limb.controls(pose)
    found = xp.compiled(lambda q: limb.controls(LocalPose(q)))(xp(pose.rotations))
    for have, want in zip(found, wanted, strict=True):
        np.testing.assert_allclose(xp.back(have), want, atol=1e-13)


# --- twist ------------------------------------------------------------------------------------

BONE = unit([0.3, 0.0, -0.01])
SHARES = {"quarter": 0.25, "half": 0.5, "all": 1.0}


def forearm(rotations=None, between=False):
    """Return an arm along +x with three twist bones, and its limb."""
    names = ["upper", "lower", "quarter", "half", "all", "hand"]
    parents = [-1, 0, 1, 1, 1, 4 if between else 1]
    along = np.array([0.3, 0.0, -0.01])
    hand = 0.0 * along if between else along
    offsets = [[0, 1, 0], [0.3, 0, 0.01], 0.3 * along, 0.6 * along, along, hand]
    arm = Skeleton(parents, offsets, names=names, rotations=rotations)
    return arm, twobone.Limb(arm, "upper", "lower", "hand", twist=SHARES)


def twist_of(turn, axis):
    """Return the angle about an axis that leaves the least of a turn: by its matrix, in degrees."""
    u = unit(np.cross(axis, [0.3, 0.5, -0.8]))
    v = np.cross(axis, u)
    m = turn @ np.stack([u, v], axis=-1)
    cos = m[..., 0] @ u + m[..., 1] @ v
    sin = m[..., 0] @ v - m[..., 1] @ u
    return np.degrees(np.arctan2(sin, cos))


def beside(turned, joint, parent):
    """Return the turn of a joint beside another."""
    return np.swapaxes(turned[..., parent, :, :], -1, -2) @ turned[..., joint, :, :]


@pytest.mark.parametrize("between", [False, True], ids=["beside", "between"])
@pytest.mark.parametrize("swing", [0.0, 30.0, 80.0])
def test_forearm_bones_take_their_shares_without_a_flip(swing, between):
    """The hand turns from -170 to 170 degrees about the forearm, and bends as well."""
    arm, limb = forearm(between=between)
    hand = product(about(BONE, DEGREES), about(np.cross(BONE, [0.0, 0.6, 0.8]), swing))
    pose = LocalPose(np.tile(arm.rotations, (len(DEGREES), 1, 1)))
    # The forearm's own turn does not count, only what the hand does beside it.
    there = limb.reach(pose, [0.35, 0.9, -0.2], end_rotation="local").pose
    lower = places(arm, there)[1][:, 1]
    wanted = product(quaternion_of(lower), hand)
    posed = limb.reach(pose, [0.35, 0.9, -0.2], end_rotation=wanted)
    positions, turned = places(arm, posed.pose)
    np.testing.assert_allclose(
        positions[:, 5], np.broadcast_to([0.35, 0.9, -0.2], (69, 3)), atol=1e-12
    )
    np.testing.assert_allclose(turned[:, 5], matrix_of(wanted), atol=1e-12)
    np.testing.assert_allclose(twist_of(beside(turned, 5, 1), BONE), DEGREES, atol=1e-9)
    for name, share in SHARES.items():
        joint = arm.index(name)
        own = beside(turned, joint, 1)
        np.testing.assert_allclose(own @ BONE, np.broadcast_to(BONE, (69, 3)), atol=1e-13)
        np.testing.assert_allclose(twist_of(own, BONE), share * DEGREES, atol=1e-9)
        steps = np.degrees(turn_between(turned[1:, joint], turned[:-1, joint]))
        assert np.all(steps < 5.0 * share + 1e-6)


def quaternion_of(matrices):
    """Return quaternions of rotation matrices that turn by less than 180 degrees."""
    w = 0.5 * np.sqrt(1.0 + np.trace(matrices, axis1=-2, axis2=-1))
    off = matrices - np.swapaxes(matrices, -1, -2)
    return np.stack([off[..., 2, 1], off[..., 0, 2], off[..., 1, 0], 4.0 * w * w], axis=-1) / (
        4.0 * w[..., None]
    )


def test_at_rest_twist_bones_stay_as_they_rest():
    """Turned at rest, all of them: a share of no twist is the rest pose."""
    rng = np.random.default_rng(3)
    arm, limb = forearm(turns(rng, (6,)))
    posed = limb.reach(LocalPose(arm.rotations), arm.rest.positions[5])
    found, wanted = (places(arm, pose)[1] for pose in (posed.pose, LocalPose(arm.rotations)))
    np.testing.assert_allclose(found, wanted, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_shares_are_of_the_twist_beside_rest(seed):
    """Hand, forearm and twist bones are turned at rest in all sorts of ways."""
    rng = np.random.default_rng(seed)
    arm, limb = forearm(turns(rng, (6,)))
    pose = LocalPose(np.tile(arm.rotations, (20, 1, 1)))
    pose.rotations[:, 5] = turns(rng, (20,))  # also the long way round
    target = arm.rest.positions[5] + 0.05 * rng.normal(size=3)
    posed = limb.reach(pose, target, end_rotation=turns(rng, (20,)))
    turned, rest = places(arm, posed.pose)[1], places(arm, LocalPose(arm.rotations))[1]
    bone = unit(arm.rest.positions[5] - arm.rest.positions[1]) @ rest[1]
    change = beside(turned, 5, 1) @ beside(rest, 5, 1).T
    twist = twist_of(change, bone)
    for name, share in SHARES.items():
        joint = arm.index(name)
        own = beside(turned, joint, 1) @ beside(rest, joint, 1).T
        np.testing.assert_allclose(own @ bone, np.broadcast_to(bone, (20, 3)), atol=1e-12)
        np.testing.assert_allclose(twist_of(own, bone), share * twist, atol=1e-8)


def test_a_twist_bone_above_the_hand_lies_on_the_line_to_it():
    """Else its twist would take the hand off the target."""
    offsets = [[0, 0, 0], [0.3, 0, 0.01], [0.1, 0.02, 0], [0.2, -0.02, -0.01]]
    with pytest.raises(twobone.PoseError, match=r"`twist` must name joints on the line .*, got 2"):
        twobone.Limb(chain(*offsets), 0, 1, 3, twist={2: 0.5})
    aside = Skeleton([-1, 0, 1, 1], [*offsets[:3], [0.3, 0, -0.01]])
    limb = twobone.Limb(aside, 0, 1, 3, twist={2: 0.5})  # no hand hangs from this one
    target = [0.35, 0.1, 0.2]
    posed = limb.reach(LocalPose(aside.rotations), target, end_rotation=about([1, 0, 0], 120.0))
    np.testing.assert_allclose(places(aside, posed.pose)[0][3], target, atol=1e-14)


@pytest.mark.parametrize("unreachable", ["clamp", Stretch(9.0)], ids=str)
@pytest.mark.parametrize("moved", ["swung", "hand aside", "bone aside", "all"])
def test_a_twist_bone_above_the_hand_leaves_it_on_the_target_in_any_pose(moved, unreachable):
    """Clips swing and shift such bones by a little, or a lot."""
    rng = np.random.default_rng(4)
    offsets = [[0, 1, 0], [0.3, 0, 0.01], [0.1, 0, 0], [0.1, 0, 0], [0.1, 0, 0]]
    arm = chain(*offsets, rotations=[*turns(rng, (2,)), *np.tile([0, 0, 0, 1.0], (3, 1))])
    axis = unit([0.1, 1.0, 0.2])  # not square to the bones
    limb = twobone.Limb(arm, 0, 1, 4, mid_axis=axis, twist={2: 0.5})
    rotations, shifted = np.tile(arm.rotations, (20, 1, 1)), np.tile(arm.offsets, (20, 1, 1))
    if moved in ("swung", "all"):
        rotations[:, 2:] = turns(rng, (20, 3))
    if moved in ("hand aside", "all"):
        shifted[:, 4] += 0.05 * rng.normal(size=(20, 3))
    if moved in ("bone aside", "all"):
        shifted[:, 2] += 0.05 * rng.normal(size=(20, 3))
    target = arm.rest.positions[0] + 0.33 * unit(rng.normal(size=(20, 3)))
    target *= 1.0 if unreachable == "clamp" else 1.2
    wanted = turns(rng, (20,))
    pose = LocalPose(rotations, shifted)
    posed = limb.reach(pose, target, end_rotation=wanted, unreachable=unreachable)
    positions, turned = places(arm, posed.pose)
    bare = twobone.Limb(arm, 0, 1, 4, mid_axis=axis)
    posed = bare.reach(pose, target, end_rotation=wanted, unreachable=unreachable)
    np.testing.assert_allclose(positions[:, 4], places(arm, posed.pose)[0][:, 4], atol=1e-14)
    np.testing.assert_allclose(turned[:, 4], matrix_of(wanted), atol=1e-14)
    if moved == "swung":  # the bone has its share of what the hand has beside it
        bone = unit(arm.offsets[2])
        hand, share = (twist_of(beside(turned, joint, 1), bone) for joint in (4, 2))
        np.testing.assert_allclose(share, 0.5 * hand, atol=1e-9)


def test_gradients_through_twist_are_finite():
    """At rest, at a half turn, and where the hand is swung over so that there is no twist."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    arm, limb = forearm()
    hands = np.stack(
        [about(BONE, 0.0), about(BONE, 180.0), about([0, 1, 0], 180.0), about(BONE, 170.0)]
    )
    hands = torch.tensor(hands, requires_grad=True)
    pose = LocalPose(torch.tensor(arm.rotations))
    posed = limb.reach(pose, torch.tensor([0.35, 0.9, -0.2]).double(), end_rotation=hands)
    assert torch.isfinite(posed.pose.rotations).all()
    posed.pose.rotations.sum().backward()
    assert torch.isfinite(hands.grad).all()
    assert torch.any(hands.grad != 0.0)
