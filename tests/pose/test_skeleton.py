"""Skeleton, LocalPose, GlobalPose: where joints are, held against products of 4x4 matrices."""

import numpy as np
import pytest

import twobone
from skeletons import LEG, chain, matrix_of, norm, places, product, random_skeleton, turns
from twobone import ArrayTypeError, PoseError, ShapeError
from twobone.pose import GlobalPose, Limb, LocalPose, Skeleton

NAMES = ["hips", "thigh", "shin", "foot"]
OFFSETS = [[0, 1, 0], [0, 0, 0.1], [0, -0.5, 0], [0, -0.45, 0]]


def random_pose(rng, count, shape=()):
    """Return a pose of which everything is turned and moved."""
    return LocalPose(turns(rng, (*shape, count)), rng.normal(size=(*shape, count, 3)))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("shape", [(), (1,), (7,), (2, 3), (0,), (3, 0)], ids=str)
def test_joints_are_where_matrices_put_them(seed, shape):
    rng = np.random.default_rng(seed)
    skeleton, _ = random_skeleton(rng, between=seed % 3)
    count = len(skeleton.parents)
    for pose in random_pose(rng, count, shape), LocalPose(turns(rng, (*shape, count))):
        found = skeleton.to_global(pose)
        positions, turned = places(skeleton, pose)
        assert found.positions.shape == (*shape, count, 3)
        assert found.rotations.shape == (*shape, count, 4)
        np.testing.assert_allclose(found.positions, positions, atol=1e-13)
        np.testing.assert_allclose(matrix_of(found.rotations), turned, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_there_and_back(seed):
    rng = np.random.default_rng(seed)
    skeleton, _ = random_skeleton(rng)
    pose = random_pose(rng, len(skeleton.parents), (4,))
    back = skeleton.to_local(skeleton.to_global(pose))
    np.testing.assert_allclose(back.rotations, pose.rotations, atol=1e-13)
    np.testing.assert_allclose(back.translations, pose.translations, atol=1e-12)
    again = skeleton.to_global(back)
    np.testing.assert_allclose(again.positions, places(skeleton, pose)[0], atol=1e-12)


def test_local_poses_are_beside_the_parent():
    """Without our way there: inverse of the parent's matrix times the joint's."""
    rng = np.random.default_rng(9)
    skeleton, _ = random_skeleton(rng)
    count = len(skeleton.parents)
    given = GlobalPose(rng.normal(size=(count, 3)), turns(rng, (count,)))
    found = skeleton.to_local(given)
    world = matrix_of(given.rotations)
    for joint, parent in enumerate(skeleton.parents):
        back = world[parent].T if parent >= 0 else np.eye(3)
        origin = given.positions[parent] if parent >= 0 else np.zeros(3)
        turn = matrix_of(found.rotations[joint])
        np.testing.assert_allclose(turn, back @ world[joint], atol=1e-14)
        moved = back @ (given.positions[joint] - origin)
        np.testing.assert_allclose(found.translations[joint], moved, atol=1e-13)


def test_the_rest_pose_is_that_of_offsets_and_rotations():
    rng = np.random.default_rng(2)
    rotations = 3.0 * turns(rng, (4,))  # of any length
    skeleton = Skeleton([-1, 0, 1, 2], OFFSETS, rotations=rotations)
    np.testing.assert_allclose(norm(skeleton.rotations), 1.0, atol=1e-15)
    positions, turned = places(skeleton, LocalPose(rotations))
    np.testing.assert_allclose(skeleton.rest.positions, positions, atol=1e-15)
    np.testing.assert_allclose(matrix_of(skeleton.rest.rotations), turned, atol=1e-15)
    assert rotations[0] @ rotations[0] == pytest.approx(9.0)  # what was given stays as it was


def test_several_joints_may_hang_from_nothing():
    skeleton = Skeleton([-1, 0, -1, 2], OFFSETS)
    assert skeleton.path(3) == [2, 3]
    assert skeleton.below(2) == [2, 3]
    np.testing.assert_array_equal(skeleton.rest.positions[3], np.sum(OFFSETS[2:], axis=0))


def test_paths_and_what_hangs_below():
    skeleton = Skeleton([-1, 0, 1, 1, 2, 0], np.zeros((6, 3)))
    assert skeleton.path(4) == [0, 1, 2, 4]
    assert skeleton.path(0) == [0]
    assert skeleton.below(1) == [1, 2, 3, 4]
    assert skeleton.below(5) == [5]


def test_joints_go_by_name_or_index():
    skeleton = chain(*OFFSETS, names=NAMES)
    assert [skeleton.index(name) for name in NAMES] == [0, 1, 2, 3]
    assert skeleton.index(2) == skeleton.index(np.int64(2)) == 2
    by_name = twobone.Limb(skeleton, "thigh", "shin", "foot", bend_towards=[0, 0, 1])
    by_index = twobone.Limb(skeleton, 1, 2, 3, bend_towards=[0, 0, 1])
    assert (by_name.start, by_name.mid, by_name.end) == (1, 2, 3)
    np.testing.assert_array_equal(by_name.mid_axis, by_index.mid_axis)


def test_a_pose_may_have_fewer_axes_in_one_part_than_in_the_other():
    rng = np.random.default_rng(4)
    pose = LocalPose(turns(rng, (5, 4)), rng.normal(size=(4, 3)))
    found = LEG.to_global(pose)
    np.testing.assert_allclose(found.positions, places(LEG, pose)[0], atol=1e-14)
    assert found.positions.shape == (5, 4, 3)


def test_every_library_places_joints_alike(xp):
    """Rotations of any length, one of which is 0."""
    rng = np.random.default_rng(6)
    pose = random_pose(rng, 4, (3, 2))
    size = rng.choice([1e-200, 0.4, 0.99, 1.0, 1.01, 3.0, 1e200], (3, 2, 4, 1))
    size[0, 1, 2] = 0.0

    def there_and_back(rotations, translations, size):
        there = LEG.to_global(LocalPose(rotations, translations))
        long = GlobalPose(there.positions, size * there.rotations)
        return *there, *LEG.to_local(long)

    found = xp.compiled(there_and_back)(*map(xp, (size * pose.rotations, pose.translations, size)))
    pose.rotations[0, 1, 2] = np.nan
    wanted = *LEG.to_global(pose), *pose
    pose.rotations[0, 1, 3] = pose.translations[0, 1, 3] = np.nan  # beside NaN
    for have, want in zip(found, wanted, strict=True):
        assert type(have) is type(xp(0.0))
        np.testing.assert_allclose(xp.back(have), want, atol=1e-13)


def test_float32_stays_float32():
    rng = np.random.default_rng(6)
    pose = LocalPose(*(part.astype("float32") for part in random_pose(rng, 4, (9,))))
    found = LEG.to_global(pose)
    assert found.positions.dtype == found.rotations.dtype == np.float32
    alone = LEG.to_global(LocalPose(pose.rotations))
    assert alone.positions.dtype == np.float32
    back = LEG.to_local(found)
    assert back.rotations.dtype == back.translations.dtype == np.float32
    np.testing.assert_allclose(found.positions, places(LEG, pose)[0], atol=3e-6)


def test_nothing_is_written_into_what_was_given():
    rng = np.random.default_rng(6)
    pose = random_pose(rng, 4, (2,))
    offsets = np.array(OFFSETS, float)
    before = pose.rotations.copy(), pose.translations.copy(), offsets.copy()
    skeleton = chain(*offsets)
    skeleton.to_local(skeleton.to_global(pose))
    assert not np.shares_memory(skeleton.offsets, offsets)
    for have, want in zip((*pose, offsets), before, strict=True):
        np.testing.assert_array_equal(have, want)


def test_nan_stays_in_its_pose():
    rng = np.random.default_rng(6)
    pose = random_pose(rng, 4, (3,))
    pose.rotations[1, 2] = np.nan
    found = LEG.to_global(pose)
    assert np.all(np.isfinite(found.positions[[0, 2]]))
    assert np.all(np.isfinite(found.positions[1, :3]))
    assert np.all(np.isnan(found.positions[1, 3]))


def test_gradients_are_those_of_matrices():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rng = np.random.default_rng(6)
    pose = random_pose(rng, 4)
    rotations, translations = (torch.tensor(part, requires_grad=True) for part in pose)
    LEG.to_global(LocalPose(rotations, translations)).positions[3].sum().backward()
    turned = places(LEG, pose)[1]
    for joint in range(1, 4):
        # To move a joint in the space of its parent moves all below it by the parent's matrix.
        np.testing.assert_allclose(translations.grad[joint], turned[joint - 1].sum(0), atol=1e-14)
    np.testing.assert_array_equal(rotations.grad[3], 0.0)
    assert torch.isfinite(rotations.grad).all()


# --- as files have them -------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_joints_in_any_order_are_where_they_were(seed):
    rng = np.random.default_rng(seed)
    skeleton, _ = random_skeleton(rng, between=seed % 3)
    count = len(skeleton.parents)
    order = rng.permutation(count)
    place = np.argsort(order)  # of each joint in the other skeleton
    parents = [-1 if skeleton.parents[j] < 0 else place[skeleton.parents[j]] for j in order]
    other = Skeleton(parents, skeleton.offsets[order], rotations=skeleton.rotations[order])
    pose = random_pose(rng, count, (4,))
    mixed = LocalPose(pose.rotations[:, order], pose.translations[:, order])
    found, wanted = other.to_global(mixed), skeleton.to_global(pose)
    np.testing.assert_array_equal(found.positions, wanted.positions[:, order])
    np.testing.assert_array_equal(found.rotations, wanted.rotations[:, order])
    back, wanted = other.to_local(found), skeleton.to_local(wanted)
    np.testing.assert_array_equal(back.translations, wanted.translations[:, order])
    assert other.below(int(place[1])) == sorted(place[skeleton.below(1)])


@pytest.mark.parametrize("stretch", [False, True])
def test_a_limb_of_joints_in_any_order_reaches_alike(stretch):
    rng = np.random.default_rng(5)
    order = [3, 1, 0, 2]
    place = np.argsort(order)
    parents = [-1 if LEG.parents[j] < 0 else place[LEG.parents[j]] for j in order]
    other = Skeleton(parents, LEG.offsets[order], rotations=LEG.rotations[order])
    ends = [len(LEG.parents) - 3 + i for i in range(3)]
    limb, same = Limb(LEG, *ends), Limb(other, *(int(place[j]) for j in ends))
    rotations, target = turns(rng, (20, 4)), rng.normal(size=(20, 3))
    options = {"unreachable": twobone.Stretch(limit=3.0) if stretch else "clamp"}
    found = same.reach(LocalPose(rotations[:, order]), target, pole=[0.1, 0.2, 1.0], **options)
    wanted = limb.reach(LocalPose(rotations), target, pole=[0.1, 0.2, 1.0], **options)
    np.testing.assert_array_equal(found.pose.rotations, wanted.pose.rotations[:, order])
    np.testing.assert_array_equal(found.status, wanted.status)
    if stretch:
        np.testing.assert_array_equal(found.pose.translations, wanted.pose.translations[:, order])


def test_equal_names_are_told_apart_by_path_or_index():
    names = ["hips", "left", "right", "knee", "knee", "a/b"]
    skeleton = Skeleton([-1, 0, 0, 1, 2, 0], np.ones((6, 3)), names=names)
    assert [skeleton.index(j) for j in ("left/knee", "right/knee", "hips/right/knee", 4)] == [
        *(3, 4, 4, 4)
    ]
    assert skeleton.index("a/b") == 5  # a name that looks like a path
    with pytest.raises(PoseError, match="got 'knee', which could be"):
        skeleton.index("knee")
    for missing in ("left/foot", "eft/knee", "hips/knee", "/knee"):
        with pytest.raises(PoseError, match=r"must be one of this skeleton's"):
            skeleton.index(missing)


def scaled(rng, count=5):
    """Return a skeleton with scales, and the same one without, in units of the world."""
    parents, scales = list(range(-1, count - 1)), rng.uniform(0.2, 3.0, count)
    above = np.concatenate([[1.0], np.cumprod(scales)[:-1]])
    offsets, rotations = rng.normal(size=(count, 3)), turns(rng, (count,))
    with_scales = Skeleton(parents, offsets, rotations=rotations, scales=scales)
    without = Skeleton(parents, offsets * above[:, None], rotations=rotations)
    return with_scales, without, above[:, None]


@pytest.mark.parametrize("seed", range(3))
def test_scale_is_absorbed_and_given_back(seed):
    rng = np.random.default_rng(seed)
    skeleton, plain, above = scaled(rng)
    np.testing.assert_allclose(skeleton.rest.positions, plain.rest.positions, rtol=1e-14)
    pose = random_pose(rng, 5, (7,))
    in_world = pose._replace(translations=pose.translations * above)
    found = skeleton.to_global(pose)
    np.testing.assert_allclose(found.positions, plain.to_global(in_world).positions, atol=1e-13)
    np.testing.assert_allclose(skeleton.to_local(found).translations, pose.translations, atol=1e-12)


def test_scale_is_that_of_matrices():
    rng = np.random.default_rng(4)
    skeleton, _, _ = scaled(rng)
    pose, matrix = random_pose(rng, 5), np.eye(4)
    for joint in range(5):
        own = np.eye(4)
        own[:3, :3] = matrix_of(pose.rotations[joint]) * skeleton.scales[joint]
        own[:3, 3] = pose.translations[joint]
        matrix = matrix @ own
        there = skeleton.to_global(pose).positions[joint]
        np.testing.assert_allclose(there, matrix[:3, 3], atol=1e-12)


@pytest.mark.parametrize("bend", ["pole", "rest", "transport"])
def test_a_limb_with_scale_reaches_as_one_without(bend):
    rng = np.random.default_rng(6)
    skeleton, plain, above = scaled(rng)
    limbs = [Limb(each, 1, 2, 4) for each in (skeleton, plain)]
    pose, target = random_pose(rng, 5, (20,)), 3.0 * rng.normal(size=(20, 3))
    give = twobone.Stretch(limit=1.5)
    poses = [pose, pose._replace(translations=pose.translations * above)]
    found, wanted = (
        limb.reach(each, target, pole=[0.3, 1.0, 0.2], bend=bend, unreachable=give)
        for limb, each in zip(limbs, poses, strict=True)
    )
    np.testing.assert_array_equal(found.status, wanted.status)
    np.testing.assert_allclose(found.pose.rotations, wanted.pose.rotations, atol=1e-12)
    moved = found.pose.translations * above
    np.testing.assert_allclose(moved, wanted.pose.translations, atol=1e-12)
    np.testing.assert_allclose(limbs[0].controls(pose).target, limbs[1].controls(poses[1]).target)
    still = limbs[0].reach(pose, target, position_weight=0.0, pole_weight=0.0, unreachable=give)
    np.testing.assert_array_equal(still.pose.translations, pose.translations)


# --- errors -------------------------------------------------------------------------------

STILL = [[0.0, 0.0, 0.0, 1.0]]
ERRORS = {
    "parent that is not there": (
        lambda: Skeleton([-1, 3, 0], np.zeros((3, 3))),
        PoseError,
        "`parents` must be indices below 3, or -1, got 3 for joint 1",
    ),
    "own ancestor": (
        lambda: Skeleton([-1, 2, 1], np.zeros((3, 3))),
        PoseError,
        "`parents` must form a tree, got joint 1, which is its own ancestor",
    ),
    "own parent": (lambda: Skeleton([0], np.zeros((1, 3))), PoseError, "got joint 0, which"),
    "scale 0": (
        lambda: Skeleton([-1], np.zeros((1, 3)), scales=[0.0]),
        PoseError,
        r"`scales` must be positive and finite, got 0\.0 for joint 0",
    ),
    "scale that shears": (
        lambda: Skeleton([-1, 0], np.zeros((2, 3)), scales=[[1.0, 2.0, 1.0]] * 2),
        PoseError,
        r"`scales` must be the same along all axes, .* got \[1\.0, 2\.0, 1\.0\] for joint 0",
    ),
    "too few scales": (
        lambda: Skeleton([-1, 0], np.zeros((2, 3)), scales=[1.0]),
        ShapeError,
        r"`scales` must have shape \(2,\) or \(2, 3\), got \(1,\)",
    ),
    "a name of two": (
        lambda: Skeleton([-1, 0], np.zeros((2, 3)), names=["a", "a"]).index("a"),
        PoseError,
        "`joint` must name one joint, got 'a', which could be '/a' or 'a/a'",
    ),
    "parent below -1": (lambda: Skeleton([-2], np.zeros((1, 3))), PoseError, "got -2"),
    "parent no index": (
        lambda: Skeleton([-1, 0.7], np.zeros((2, 3))),
        PoseError,
        r"`parents` must be a sequence of indices, .* got \[-1, 0.7\]",
    ),
    "parents a number": (lambda: Skeleton(3, np.zeros((1, 3))), PoseError, "`parents`.* got 3"),
    "too few offsets": (
        lambda: Skeleton([-1, 0], np.zeros((1, 3))),
        ShapeError,
        r"`offsets` must have shape \(2, 3\), got \(1, 3\)",
    ),
    "ragged offsets": (lambda: Skeleton([-1, 0], [[1, 2, 3], [1, 2]]), ShapeError, "`offsets`"),
    "offsets of words": (lambda: Skeleton([-1], ["abc"]), ArrayTypeError, "`offsets`"),
    "NaN offsets": (
        lambda: Skeleton([-1], [[0.0, np.nan, 0.0]]),
        PoseError,
        "`offsets` must be finite, got nan for joint 0",
    ),
    "too many rotations": (
        lambda: Skeleton([-1], [[0, 0, 0]], rotations=STILL * 2),
        ShapeError,
        r"`rotations` must have shape \(1, 4\), got \(2, 4\)",
    ),
    "rotation of length 0": (
        lambda: Skeleton([-1, 0], np.zeros((2, 3)), rotations=[*STILL, [0, 0, 0, 0]]),
        PoseError,
        "`rotations` must not have length 0, got 0 for joint 1",
    ),
    "too few names": (
        lambda: Skeleton([-1, 0], np.zeros((2, 3)), names=["a"]),
        PoseError,
        "`names` must be 2 names, got 1",
    ),
    "names a number": (
        lambda: Skeleton([-1], np.zeros((1, 3)), names=3),
        ArrayTypeError,
        "`names` must be strings, got int",
    ),
    "names of lists": (
        lambda: Skeleton([-1, 0], np.zeros((2, 3)), names=[["a"], ["b"]]),
        ArrayTypeError,
        "`names` must be strings, got list",
    ),
    "no rotations": (
        lambda: LEG.to_global(LocalPose(None)),
        ArrayTypeError,
        "`rotations` .* got NoneType",
    ),
    "no positions": (
        lambda: LEG.to_local(LEG.rest._replace(positions=None)),
        ArrayTypeError,
        "`positions` .* got NoneType",
    ),
    "unknown name": (
        lambda: chain(*OFFSETS, names=NAMES).index("LeftKnee"),
        PoseError,
        "`joint` must be one of this skeleton's: hips, thigh, shin, foot, got 'LeftKnee'",
    ),
    "a name in another case": (
        lambda: chain(*OFFSETS, names=["mixamorig:Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"]).index(
            "leftupleg"
        ),
        PoseError,
        r"LeftFoot \(did you mean 'LeftUpLeg' or 'LeftLeg'\?\), got 'leftupleg'",
    ),
    "a name without its prefix": (
        lambda: chain(*OFFSETS, names=["rig:Hips", "rig:UpLeg", "rig:Leg", "rig:Foot"]).index(
            "Foot"
        ),
        PoseError,
        r"\(did you mean 'rig:Foot'\?\), got 'Foot'",
    ),
    "no names": (lambda: chain(*OFFSETS).index("hips"), PoseError, "this skeleton has no names"),
    "negative index": (lambda: LEG.index(-1), PoseError, "be an index below 4, got -1"),
    "index too large": (lambda: LEG.index(4), PoseError, "be an index below 4, got 4"),
    "index a float": (lambda: LEG.index(1.0), PoseError, "be a name or an index, got float"),
    "index a bool": (lambda: LEG.index(True), PoseError, "be a name or an index, got bool"),
    "rotations of another skeleton": (
        lambda: LEG.to_global(LocalPose(np.zeros((3, 4)))),
        ShapeError,
        r"`rotations` must have shape \(..., 4, 4\), got \(3, 4\)",
    ),
    "translations of another skeleton": (
        lambda: LEG.to_global(LocalPose(np.zeros((4, 4)), np.zeros((4, 2)))),
        ShapeError,
        r"`translations` must have shape \(..., J, 3\), got \(4, 2\)",
    ),
    "axes that do not broadcast": (
        lambda: LEG.to_global(LocalPose(np.zeros((2, 4, 4)), np.zeros((3, 4, 3)))),
        ShapeError,
        "broadcast",
    ),
    "a tuple": (lambda: LEG.to_global((1, 2)), ArrayTypeError, "`pose` must be a LocalPose"),
    "global for local": (lambda: LEG.to_global(LEG.rest), ArrayTypeError, "LocalPose, got GlobalP"),
    "local for global": (
        lambda: LEG.to_local(LocalPose(LEG.rotations)),
        ArrayTypeError,
        "`pose` must be a GlobalPose, got LocalPose",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_what_was_wrong(case):
    do, kind, message = ERRORS[case]
    with pytest.raises(kind, match=message):
        do()


def test_skeletons_and_limbs_are_shown_by_their_joints():
    offsets = [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01], [0, -0.2, 0]]
    plain = Skeleton([-1, 0, 1, 1], offsets)
    assert repr(plain) == "Skeleton(4 joints with parents -1, 0, 1, 1)"
    assert repr(Limb(plain, 0, 1, 2)) == "Limb(0, 1, 2, mid_axis=(-1.0, 0.0, 0.0))"
    named = Skeleton([-1, 0, 1, 1], offsets, names=["thigh", "shin", "foot", "calf"])
    assert repr(named) == "Skeleton(4 joints: thigh, shin, foot, calf)"
    limb = Limb(named, "thigh", "shin", "foot", limits=(5, 180), twist={"calf": 0.5})
    assert repr(limb) == (
        "Limb('thigh', 'shin', 'foot', mid_axis=(-1.0, 0.0, 0.0), limits=(5.0, 180.0),"
        " twist={'calf': 0.5})"
    )
    many = Skeleton([-1] * 9, np.zeros((9, 3)))
    assert repr(many) == "Skeleton(9 joints with parents -1, -1, -1, -1, -1, -1, ...)"


def test_a_long_list_of_names_is_cut():
    skeleton = Skeleton([-1] * 60, np.zeros((60, 3)), names=[f"joint{i}" for i in range(60)])
    with pytest.raises(PoseError, match=r"joint39, \.\.\., got 'x'"):
        skeleton.index("x")


def test_the_oracle_is_one():
    """Products of matrices are those of quaternions; a quarter turn about z takes x to y."""
    rng = np.random.default_rng(0)
    p, q = turns(rng, (5,)), turns(rng, (5,))
    np.testing.assert_allclose(matrix_of(product(p, q)), matrix_of(p) @ matrix_of(q), atol=1e-14)
    np.testing.assert_allclose(matrix_of([0, 0, 1, 1]) @ [1, 0, 0], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LocalPose(np.eye(3)), r"`rotations` must have shape \(..., J, 4\), got \(3, 3\)"),
        (lambda: LocalPose([0, 0, 0, 1]), r"`rotations` must have shape .*, got \(4,\)"),
        (lambda: LocalPose(np.ones((2, 4)), np.ones(3)), "`translations` must have shape"),
        (
            lambda: LocalPose(np.ones((2, 4)), translations=np.ones((3, 3))),
            "`translations` must have as many joints as `rotations`, 2, got 3",
        ),
        (lambda: GlobalPose(np.ones((2, 4)), np.ones((2, 4))), "`positions` must have shape"),
        (
            lambda: GlobalPose(np.ones((5, 2, 3)), [[0, 0, 0, 1]]),
            "`rotations` must have as many joints as `positions`, 2, got 1",
        ),
        (lambda: LocalPose([[0, 0, 0, 1], [1]]), "`rotations` must be an array, or a list whose"),
    ],
)
def test_poses_check_shapes_when_they_are_made(make, message):
    with pytest.raises(ShapeError, match=message):
        make()


@pytest.mark.parametrize("bad", [np.full((2, 4), 1j), np.full((2, 4), "1"), [[True, 0, 0, 1]]])
def test_poses_check_types_when_they_are_made(bad):
    with pytest.raises(ArrayTypeError, match="`rotations` must be of float32"):
        LocalPose(bad)


def test_poses_are_rebuilt_with_whatever_a_library_puts_into_them():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    rotations = jax.numpy.tile(jax.numpy.asarray([0.0, 0.0, 0.0, 1.0]), (7, 2, 1))
    pose = LocalPose(rotations, rotations[..., :3])
    turned = jax.vmap(lambda each: each, in_axes=(LocalPose(0, 0),), out_axes=-1)(pose)
    assert turned.rotations.shape == (2, 4, 7)
    assert jax.tree.map(np.shape, pose) == ((7, 2, 4), (7, 2, 3))
    assert jax.tree.map(np.isfinite, jax.tree.map(np.asarray, pose)).rotations.all()
    assert jax.tree.map(lambda part: "label", pose).rotations == "label"
