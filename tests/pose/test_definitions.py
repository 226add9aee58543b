"""Definitions of skeletons and limbs: extreme numbers, equal names, and errors that name joints."""

import numpy as np
import pytest

import twobone
from skeletons import chain
from twobone import ArrayTypeError, PoseError, ShapeError, Status
from twobone.pose import Limb, LocalPose, Skeleton

LEG = [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]]
NAMES = ["thigh", "shin", "foot"]
ARM = [[0, 0, 0], [0.3, 0, 0], [0.1, 0, 0], [0.3, 0, 0]]
STRAIGHT = [[0, 1, 0], [0, -0.5, 0], [0, -0.5, 0]]
FOLDED = [[0, 1, 0], [0, -0.5, 0], [0, 0.5, 0]]
TWINS = {  # by index: parents, names and how each joint is referred to
    "under different parents": (
        [-1, 0, 0, 1, 2],
        ["hips", "left", "right", "knee", "knee"],
        ["hips", "left", "right", "left/knee", "right/knee"],
    ),
    "under parents that share a name": (
        [-1, 0, 0, 1, 2],
        ["hips", "arm", "arm", "hand", "hand"],
        ["hips", 1, 2, 3, 4],
    ),
    "one of them a root": ([-1, 0, -1], ["body", "hand", "hand"], ["body", "body/hand", "/hand"]),
    "both roots": ([-1, -1], ["hand", "hand"], [0, 1]),
    "one below the other": ([-1, 0, 1], ["a", "a", "a"], ["/a", "/a/a", "a/a/a"]),
    "a name that looks like the path": ([-1, 0, -1], ["a", "b", "a/b"], ["a", "b", "a/b"]),
}


# --- numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e200, 1e-200, 1e-155], ids=str)
def test_scales_whose_product_is_no_normal_number_are_refused(scale):
    with pytest.raises(PoseError, match=r"`scales` must not overflow or underflow .* at 'shin'"):
        Skeleton([-1, 0, 1], LEG, names=NAMES, scales=[scale, scale, 1.0])
    with pytest.raises(PoseError, match=r"at joint 1\."):
        Skeleton([-1, 0, 1], LEG, scales=[scale, scale, 1.0])
    same = Skeleton([-1, 0, 1], LEG, scales=[scale, 1.0 / scale, scale])  # the last scales nothing
    assert np.all(np.isfinite(same.to_local(same.rest).translations))


@pytest.mark.parametrize("scales", [None, [1e300, 1.0]], ids=str)
def test_a_rest_pose_that_overflows_is_refused(scales):
    with pytest.raises(PoseError, match=r"`offsets` must give finite positions .* at 'foot'"):
        Skeleton([-1, 0], [[1e308, 0, 0], [1e308, 0, 0]], names=["leg", "foot"], scales=scales)


@pytest.mark.parametrize("scales", [None, [], np.zeros((0, 3))], ids=str)
def test_a_skeleton_has_a_joint(scales):
    with pytest.raises(PoseError, match="`parents` must have at least one joint, got none"):
        Skeleton([], np.zeros((0, 3)), scales=scales)


def test_a_joint_without_children_may_have_any_positive_scale():
    skeleton = Skeleton([-1, 0, 1], LEG, scales=[[2, 2, 2], [1, 1, 1], [1, 2, 3]])
    assert skeleton.scales == (2.0, 1.0, 1.0)
    wanted = Skeleton([-1, 0, 1], LEG, scales=[2, 1, 1])
    np.testing.assert_array_equal(skeleton.rest.positions, wanted.rest.positions)
    for wrong in ([1, 1, -2], [1, 0, 1]):
        with pytest.raises(PoseError, match=r"`scales` must be positive and finite, .* for 'foot'"):
            Skeleton([-1, 0, 1], LEG, names=NAMES, scales=[[1, 1, 1], [1, 1, 1], wrong])


def test_a_root_has_no_parent_or_the_parent_minus_1():
    skeleton = Skeleton([None, 0, -1], LEG)
    assert skeleton.parents == (-1, 0, -1)


# --- limbs of length 0 --------------------------------------------------------------------


def test_a_limb_of_length_0_is_invalid():
    """Its plane cannot be rotated to a target; `twobone.reach`, which rotates nothing, can."""
    skeleton = chain(*np.zeros((3, 3)))
    limb = Limb(skeleton, 0, 1, 2, mid_axis=[1, 0, 0])
    translations = np.tile(LEG, (2, 1, 1))
    translations[0, 1:] = 0.0
    pose = LocalPose(np.tile(skeleton.rotations, (2, 1, 1)), translations)
    posed = limb.reach(pose, [0.0, 0.3, 0.2], pole=[0.0, 0.0, 1.0])
    assert posed.status.tolist() == [Status.INVALID, Status.REACHED]
    assert np.all(np.isnan(posed.pose.rotations[0]))
    end = skeleton.to_global(posed.pose).positions[1, 2]  # the bones are those of the pose
    np.testing.assert_allclose(end, [0.0, 0.3, 0.2], atol=1e-15)


# --- names --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", TWINS)
def test_each_joint_has_a_label_that_finds_it(case):
    parents, names, labels = TWINS[case]
    skeleton = Skeleton(parents, np.zeros((len(parents), 3)), names=names)
    assert [skeleton.label(joint) for joint in range(len(parents))] == labels
    assert [skeleton.index(label) for label in labels] == list(range(len(parents)))


def test_joints_that_share_a_name_are_shown_apart():
    twins = Skeleton([-1, 0, 1, 1], ARM, names=["a", "b", "c", "a"])
    limb = Limb(twins, 0, 1, 3, bend_towards=[0, 0, 1], twist={2: 0.3})
    assert repr(twins) == "Skeleton(4 joints: /a, b, c, b/a)"
    assert repr(limb) == "Limb('/a', 'b', 'b/a', mid_axis=(0.0, -1.0, 0.0), twist={'c': 0.3})"
    twins = Skeleton([-1, 0, 1, 1], ARM, names=["a", "b", "c", "c"])
    limb = Limb(twins, "a", "b", 3, bend_towards=[0, 0, 1], twist={2: 0.3})
    assert repr(twins) == "Skeleton(4 joints: a, b, joint 2 ('c'), joint 3 ('c'))"
    assert repr(limb) == "Limb('a', 'b', 3, mid_axis=(0.0, -1.0, 0.0), twist={2: 0.3})"


def test_a_name_or_path_of_several_joints_is_told_with_the_joints():
    _, names, _ = TWINS["under different parents"]
    skeleton = Skeleton([-1, 0, 0, 1, 2], np.zeros((5, 3)), names=names)
    wanted = "must name one joint, got 'knee', which could be 'left/knee' or 'right/knee'"
    with pytest.raises(PoseError, match=wanted):
        skeleton.index("knee")
    parents, names, _ = TWINS["under parents that share a name"]
    skeleton = Skeleton(parents, np.zeros((5, 3)), names=names)
    with pytest.raises(PoseError, match="got 'arm/hand', which could be 3 or 4"):
        skeleton.index("arm/hand")
    many = Skeleton([-1] * 9, np.zeros((9, 3)), names=["x"] * 9)
    with pytest.raises(PoseError, match=r"could be 0, 1, 2, 3, 4, 5, \.\.\. or 8"):
        many.index("x")


def test_a_twist_joint_is_named_once():
    arm = Skeleton([-1, 0, 1, 1], ARM, names=["upper", "lower", "roll", "hand"])
    for twist in ({"roll": 0.3, 2: 0.6}, {2: 0.3, "lower/roll": 0.6}):
        with pytest.raises(PoseError, match=r"`twist` must name each joint once, got .* and .*"):
            Limb(arm, 0, 1, 3, bend_towards=[0, 0, 1], twist=twist)


# --- errors -------------------------------------------------------------------------------


def leg(offsets=LEG, start="thigh", mid="shin", end="foot", **options):
    return Limb(Skeleton([-1, 0, 1], offsets, names=NAMES), start, mid, end, **options)


def arm(twist):
    names = ["upper", "lower", "roll", "hand"]
    skeleton = Skeleton([-1, 0, 1, 1], ARM, names=names)
    return Limb(skeleton, "upper", "lower", "hand", bend_towards=[0, 0, 1], twist=twist)


def bones_of_length_0(**options):
    return Limb(chain(*np.zeros((3, 3))), 0, 1, 2, **options)


ERRORS = {
    "joints in the wrong order": (
        lambda: leg(start="shin", mid="thigh"),
        "`start` must be an ancestor of 'thigh', got 'shin'",
    ),
    "start that is no joint": (
        lambda: leg(start="hip"),
        "`start` must be one of this skeleton's: thigh, shin, foot",
    ),
    "mid that is no joint": (
        lambda: leg(mid="Shin"),
        r"`mid` must be .* \(did you mean 'shin'\?\), got 'Shin'",
    ),
    "end that is no joint": (lambda: leg(end=9), "`end` must be an index below 3, got 9"),
    "twist that is no joint": (lambda: arm({"rolls": 0.5}), r"`twist` must .* mean 'roll'"),
    "twist of a stranger": (
        lambda: arm({"upper": 0.5}),
        "`twist` must name children of 'lower', got 'upper'",
    ),
    "twist that is NaN": (
        lambda: arm({"roll": np.nan}),
        "`twist` must have finite fractions, got nan for 'roll'",
    ),
    "straight": (
        lambda: leg(STRAIGHT),
        "`mid_axis` or `bend_towards` must be given for a limb that is straight in its rest pose",
    ),
    "folded": (
        lambda: leg([[0, 1, 0], [0, -0.5, 0], [0, 0.4, 0]]),
        "`mid_axis` or `bend_towards` must be given for a limb that is folded in its rest pose",
    ),
    "folded with the end at the start": (
        lambda: leg(FOLDED),
        "`mid_axis` must be given for a limb whose end is at its start in its rest pose, got not",
    ),
    "folded with the end at the start, and a direction": (
        lambda: leg(FOLDED, bend_towards=[0, 0, 1]),
        "`mid_axis` must be given for a limb whose end is at its start .*, got `bend_towards`",
    ),
    "bones of length 0": (
        bones_of_length_0,
        "`mid_axis` must be given for a limb whose bones have length 0 in its rest pose",
    ),
    "bones of length 0, and a direction": (
        lambda: bones_of_length_0(bend_towards=[0, 0, 1]),
        "`mid_axis` must be given for a limb whose bones have length 0 .*, got `bend_towards`",
    ),
    "direction of length 0": (
        lambda: leg(STRAIGHT, bend_towards=[0, 0, 0]),
        r"`bend_towards` must not have length 0, got \[0\.0, 0\.0, 0\.0\]",
    ),
    "direction along the limb": (
        lambda: leg(STRAIGHT, bend_towards=[0, 3, 0]),
        r"`bend_towards` must not be parallel to the line from start to end .*, got \[0\.0, 3\.0",
    ),
    "offset that is NaN": (
        lambda: leg([[0, 0, 0], [0, np.nan, 0], [0, 0, 0]]),
        "`offsets` must be finite, got nan for 'shin'",
    ),
    "rotation of length 0": (
        lambda: Skeleton([-1], [[0, 0, 0]], names=["hip"], rotations=[[0, 0, 0, 0]]),
        "`rotations` must not have length 0, got 0 for 'hip'",
    ),
    "own ancestor": (
        lambda: Skeleton([-1, 1, 0], LEG, names=NAMES),
        r"`parents` must form a tree, got joint 1 \('shin'\), which is its own ancestor",
    ),
    "parent that is not there": (
        lambda: Skeleton([-1, 0, 7], LEG, names=NAMES),
        r"`parents` must be indices below 3, or -1, got 7 for joint 2 \('foot'\)",
    ),
    "scale that shears": (
        lambda: Skeleton([-1, 0, 1], LEG, names=NAMES, scales=[[1, 2, 1], [1, 1, 1], [1, 1, 1]]),
        r"`scales` must be the same along all axes, .* got \[1\.0, 2\.0, 1\.0\] for 'thigh'",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_the_joint(case):
    do, message = ERRORS[case]
    with pytest.raises(PoseError, match=message):
        do()


def test_one_string_is_no_list_of_names():
    with pytest.raises(ArrayTypeError, match="`names` must be a sequence of strings, got 'abc'"):
        Skeleton([-1, 0, 1], LEG, names="abc")


@pytest.mark.parametrize("size", [1e-310, 1e-200, 1e200, 1e308], ids=str)
def test_the_direction_of_the_bend_may_have_any_length(size):
    limb = leg(STRAIGHT, bend_towards=[0.0, 0.0, size])
    np.testing.assert_array_equal(limb.mid_axis, [-1.0, 0.0, 0.0])


def test_what_defines_a_limb_has_no_derivatives():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    offsets, axis = (torch.tensor(v, requires_grad=True) for v in (np.array(LEG), np.eye(3)[0]))
    for do in (
        lambda: leg(offsets),
        lambda: leg(list(offsets)),
        lambda: leg(mid_axis=axis),
        lambda: Skeleton([-1, 0, 1], LEG, scales=axis),
    ):
        with pytest.raises(ArrayTypeError, match=r"must be constant: .* without derivatives"):
            do()
    plain = leg(offsets.detach(), mid_axis=axis.detach())
    np.testing.assert_array_equal(plain.skeleton.offsets, LEG)


def test_a_shape_that_is_wrong_is_no_matter_of_constants():
    with pytest.raises(ShapeError, match=r"`offsets` must have shape \(3, 3\), got \(2, 3\)"):
        leg(LEG[:2])
    with pytest.raises(ArrayTypeError, match="`offsets` must be of float32, float64 or integers"):
        leg([["a", "b", "c"]] * 3)


def test_named_by_index_or_name_a_limb_is_the_same():
    by_name, by_index = leg(), leg(start=0, mid=1, end=2)
    assert repr(by_name) == repr(by_index)
    found = twobone.Status(by_name.reach(LocalPose(by_name.skeleton.rotations), [0, 0.3, 0]).status)
    assert found is Status.REACHED
