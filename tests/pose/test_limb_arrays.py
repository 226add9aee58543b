"""Limb for whole batches: shapes, libraries, dtypes, NaN, gradients, and errors that name."""

import numpy as np
import pytest

import twobone
from skeletons import LEG, chain, hinged, places, turn_between, turns
from twobone import ArrayTypeError, PolicyError, PoseError, ShapeError, Soft, Status, Stretch
from twobone.pose import GlobalPose, LocalPose

LIMB = twobone.Limb(LEG, "hip", "knee", "foot")
STRAIGHT = chain([0, 1, 0], [0, -0.5, 0], [0, -0.45, 0])
POSE = LocalPose(LEG.rotations)

# --- shapes -----------------------------------------------------------------------------------

SHAPES = [
    # pose, translations, target, pole, end_rotation, weight -> all
    ((), None, (), (), (), (), ()),
    ((), None, (5,), (), (), (), (5,)),
    ((5,), None, (), (), (), (), (5,)),
    ((6, 1), None, (4,), (), (), (), (6, 4)),
    ((6, 4), (4,), (4,), (6, 1), (), (6, 4), (6, 4)),
    ((4,), (6, 1), (), (4,), (6, 4), (), (6, 4)),
    ((), None, (), (3, 1), (2,), (), (3, 2)),
    ((0,), None, (), (), (), (), (0,)),
    ((3, 1), None, (0,), (), (), (), (3, 0)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_everything_broadcasts(shapes):
    rng = np.random.default_rng(1)
    pose, moved, target, pole, wanted, weight, shape = shapes
    rotations = hinged(LEG, LIMB, rng, pose).rotations
    translations = None if moved is None else LEG.offsets + 0.01 * rng.normal(size=(*moved, 4, 3))
    given = {
        "target": LEG.offsets[0] + 0.4 * rng.normal(size=(*target, 3)),
        "pole": rng.normal(size=(*pole, 3)),
        "end_rotation": turns(rng, wanted),
        "position_weight": rng.uniform(0.5, 1.0, weight),
    }
    found = LIMB.reach(LocalPose(rotations, translations), **given)
    assert found.pose.rotations.shape == (*shape, 4, 4)
    assert found.status.shape == found.conditioning.shape == shape
    whole = LIMB.reach(
        LocalPose(
            np.broadcast_to(rotations, (*shape, 4, 4)),
            None if moved is None else np.broadcast_to(translations, (*shape, 4, 3)),
        ),
        **{
            name: np.broadcast_to(value, (*shape, *value.shape[value.ndim - tail :]))
            for (name, value), tail in zip(given.items(), (1, 1, 1, 0), strict=True)
        },
    )
    np.testing.assert_array_equal(found.pose.rotations, whole.pose.rotations)
    stretched = LIMB.reach(LocalPose(rotations, translations), **given, unreachable="stretch")
    assert stretched.pose.translations.shape == (*shape, 4, 3)


def test_a_row_does_not_depend_on_the_batch():
    """The same bits alone, in Python floats, and among many, in blocks."""
    rng = np.random.default_rng(2)
    pose = hinged(LEG, LIMB, rng, (5000,))
    target = LEG.offsets[0] + 0.5 * rng.normal(size=(5000, 3))
    many = LIMB.reach(pose, target, pole=[0.1, 0.2, 1.0])
    for row in (0, 1, 2047, 2048, 4999):
        alone = LIMB.reach(LocalPose(pose.rotations[row]), target[row], pole=[0.1, 0.2, 1.0])
        np.testing.assert_array_equal(alone.pose.rotations, many.pose.rotations[row])
        assert alone.status == many.status[row]


def test_lists_and_integers_will_do():
    found = LIMB.reach(LocalPose(LEG.rotations.tolist()), [0, 0, 0], pole=(0, 0, 1))
    wanted = LIMB.reach(POSE, np.zeros(3), pole=np.array([0.0, 0.0, 1.0]))
    np.testing.assert_array_equal(found.pose.rotations, wanted.pose.rotations)


def test_nothing_is_written_into_arguments():
    rng = np.random.default_rng(3)
    pose = LocalPose(hinged(LEG, LIMB, rng, (4,)).rotations, np.tile(LEG.offsets, (4, 1, 1)))
    given = {
        "target": rng.normal(size=(4, 3)),
        "pole": rng.normal(size=3),
        "end_rotation": turns(rng),
    }
    before = [np.array(value) for value in (*pose, *given.values())]
    for unreachable in ("stretch", "nan", Soft(0.2)):
        LIMB.reach(pose, **given, unreachable=unreachable)
        LIMB.reach(LEG.to_global(pose), **given, unreachable=unreachable)
    for value, kept in zip((*pose, *given.values()), before, strict=True):
        np.testing.assert_array_equal(value, kept)


# --- kinds of poses and arrays ------------------------------------------------------------------


@pytest.mark.parametrize("unreachable", ["clamp", "stretch"])
def test_a_global_pose_in_is_a_global_pose_out(unreachable):
    rng = np.random.default_rng(4)
    pose = hinged(LEG, LIMB, rng, (3, 5))
    target = LEG.offsets[0] + rng.normal(size=(5, 3))
    options = {"pole": rng.normal(size=3), "unreachable": unreachable}
    local = LIMB.reach(pose, target, **options)
    found = LIMB.reach(LEG.to_global(pose), target, **options)
    assert isinstance(local.pose, LocalPose)
    assert isinstance(found.pose, GlobalPose)
    positions, turned = places(LEG, local.pose)
    np.testing.assert_allclose(found.pose.positions, positions, atol=1e-12)
    np.testing.assert_allclose(places(LEG, LEG.to_local(found.pose))[1], turned, atol=1e-12)
    np.testing.assert_array_equal(found.status, local.status)


def test_every_library_reaches_alike(xp):
    """All options in one call, so that there is one thing to compile; rotations of any length."""
    rng = np.random.default_rng(5)
    parents, offsets = (
        [-1, 0, 1, 2, 2],
        [[0, 1, 0], [0, 0, 0.1], [0.3, 0, 0.02], [0.1, 0, 0], [0.3, 0, 0]],
    )
    arm = twobone.Skeleton(parents, offsets, rotations=turns(rng, (5,)))
    limb = twobone.Limb(arm, 1, 2, 4, limits=(20, 160), twist={3: 0.5})
    pose = hinged(arm, limb, rng, (12,))
    pose.rotations[:11] *= rng.choice([1e-200, 0.4, 0.99, 1.01, 3.0, 1e200], (11, 5, 1))
    pose.rotations[[0, 1, 2], [0, 2, 4]] = 0.0
    given = {
        "target": np.array([0.0, 1.0, 0.0]) + 0.5 * rng.normal(size=(12, 3)),
        "pole": rng.normal(size=3),
        "end_rotation": 1.5 * turns(rng, (12,)),
        "position_weight": rng.uniform(0.0, 1.0, 12),
        "rotation_weight": np.array(0.7),
        "pole_weight": np.array(0.6),
    }

    def reach(rotations, given):
        posed = limb.reach(LocalPose(rotations), unreachable=Soft(0.1) | Stretch(1.3), **given)
        return *posed.pose, posed.status, posed.conditioning

    wanted = reach(pose.rotations, given)
    assert np.flatnonzero(wanted[2] == Status.INVALID).tolist() == [0, 1, 2]
    assert len(set(wanted[2].tolist())) > 2
    arrays = {name: xp(value) for name, value in given.items()}
    found = xp.compiled(reach)(xp(pose.rotations), arrays)
    for have, want in zip(found, wanted, strict=True):
        assert type(have) is type(xp(0.0))
        np.testing.assert_allclose(xp.back(have), want, atol=1e-11)


def test_vmap_goes_row_by_row():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rng = np.random.default_rng(13)
    rotations = 1.3 * hinged(LEG, LIMB, rng, (6,)).rotations
    rotations[[1, 2], [0, 3]] = 0.0
    target = LEG.offsets[0] + 0.5 * rng.normal(size=(6, 3))

    def reach(rotations, target):
        posed = LIMB.reach(LocalPose(rotations), target, pole=[0.1, 0.2, 1.0])
        there = LEG.to_global(LocalPose(rotations))
        return posed.pose.rotations, posed.status, *there, *LEG.to_local(there)

    given = torch.tensor(rotations), torch.tensor(target)
    # Under `vmap` the formula runs, without it the kernel: last bits may differ.
    for have, want in zip(torch.func.vmap(reach)(*given), reach(*given), strict=True):
        np.testing.assert_allclose(have, want, rtol=0.0, atol=1e-14)


def test_raise_and_nan_in_every_library(xp):
    if xp.name == "jax.jit":
        pytest.skip("values cannot raise where they are compiled")
    pose = LocalPose(xp(LEG.rotations))
    with pytest.raises(twobone.UnreachableError, match="row 1: TOO_FAR"):
        LIMB.reach(pose, xp([[0, 0.5, 0.1], [0, 9, 0]]), unreachable="raise")


@pytest.mark.parametrize("bend", ["pole", "rest", "transport"])
def test_float32_stays_float32(bend):
    rng = np.random.default_rng(6)
    rotations = hinged(LEG, LIMB, rng, (200,)).rotations.astype("float32")
    wide = LocalPose(rotations.astype("float64"))
    target = (LEG.offsets[0] + 0.35 * rng.normal(size=(200, 3))).astype("float32")
    pole = np.array([0.1, 0.2, 1.0], "float32")
    posed = LIMB.reach(LocalPose(rotations), target, pole=pole, bend=bend, unreachable="stretch")
    assert posed.pose.rotations.dtype == posed.pose.translations.dtype == np.float32
    assert posed.conditioning.dtype == np.float32
    assert posed.status.dtype == np.int8
    positions, turned = places(LEG, posed.pose)
    assert np.abs(positions[:, 2] - target).max() < 3e-6
    if bend != "transport":
        exact = places(
            LEG, LIMB.reach(wide, target, pole=pole, bend=bend, unreachable="stretch").pose
        )
        clear = posed.conditioning > 0.3
        assert np.degrees(turn_between(turned, exact[1]))[clear].max() < 0.1


def test_a_conditioning_of_1_without_a_pole_and_0_on_its_axis():
    assert LIMB.reach(POSE, [0.0, 0.5, 0.1]).conditioning == 1.0
    found = LIMB.reach(POSE, LEG.offsets[0] + [0.0, 0.0, 0.5], pole=[0.0, 0.0, 2.0])
    assert found.conditioning == 0.0
    assert found.status == Status.AMBIGUOUS
    assert np.all(np.isfinite(found.pose.rotations))
    aside = LIMB.reach(POSE, LEG.offsets[0] + [0.0, 0.3, 0.4], pole=[0.0, 0.0, -2.0])
    assert aside.conditioning == pytest.approx(0.6, abs=1e-15)
    resting = LIMB.reach(POSE, LEG.offsets[0] + [0.0, 0.3, 0.4], pole=[0, 0, -2.0], bend="rest")
    assert resting.conditioning == pytest.approx(0.6, abs=1e-15)


# --- NaN --------------------------------------------------------------------------------------

BROKEN = [
    "target",
    "pole",
    "end_rotation",
    "position_weight",
    "rotation_weight",
    "pole_weight",
    "pose",
]


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("what", BROKEN)
def test_nan_and_infinity_stay_in_their_rows(what, value):
    if what.endswith("weight") and value == np.inf:
        pytest.skip("an infinite weight is clamped to 1")
    rng = np.random.default_rng(7)
    given = {
        "target": LEG.offsets[0] + 0.4 * rng.normal(size=(6, 3)),
        "pole": rng.normal(size=(6, 3)),
        "end_rotation": turns(rng, (6,)),
        "position_weight": np.full(6, 0.9),
        "rotation_weight": np.full(6, 0.9),
        "pole_weight": np.full(6, 0.9),
        "pose": hinged(LEG, LIMB, rng, (6,)).rotations,
    }

    def reach(given):
        return LIMB.reach(
            LocalPose(given["pose"]), **{n: v for n, v in given.items() if n != "pose"}
        )

    wanted = reach(given)
    given[what] = np.array(given[what])
    given[what][[2, 5]] = value
    found = reach(given)
    kept = [0, 1, 3, 4]
    np.testing.assert_array_equal(found.pose.rotations[kept], wanted.pose.rotations[kept])
    np.testing.assert_array_equal(found.status[kept], wanted.status[kept])
    assert np.all(found.status[[2, 5]] == Status.INVALID)
    assert np.all(np.isnan(found.pose.rotations[[2, 5], :3]))
    if what != "pose":
        np.testing.assert_array_equal(found.pose.rotations[:, 3], given["pose"][:, 3])


# --- gradients ----------------------------------------------------------------------------------

ROOT = STRAIGHT.offsets[0]
SEAMS = {  # from the root
    "at rest, straight": [0.0, -0.95, 0.0],
    "beyond full stretch": [0.0, -2.0, 0.0],
    "at the root": [0.0, 0.0, 0.0],
    "near the root": [0.0, 1e-9, 0.0],
    "opposite to rest": [0.0, 0.5, 0.0],
    "along the pole": [0.0, 0.0, 0.6],
    "against the pole": [0.0, 0.0, -0.6],
    "on the inner edge": [0.05, 0.0, 0.0],
    "inside": [0.3, -0.4, 0.2],
}


@pytest.mark.parametrize("bend", ["pole", "rest", "transport"])
def test_gradients_are_finite_at_every_seam(bend):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    limb = twobone.Limb(STRAIGHT, 0, 1, 2, bend_towards=[0, 0, 1], limits=(0, 180))
    for unreachable in ("clamp", "stretch", Soft(0.05)):
        target = torch.tensor(ROOT + list(SEAMS.values()), requires_grad=True)
        rotations = torch.tensor(
            np.tile(STRAIGHT.rotations, (len(SEAMS), 1, 1)), requires_grad=True
        )
        pole = torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True)
        weights = [
            torch.ones(len(SEAMS), dtype=torch.float64, requires_grad=True) for _ in range(3)
        ]
        names = ("position_weight", "rotation_weight", "pole_weight")
        posed = limb.reach(
            LocalPose(rotations),
            target,
            pole=pole,
            bend=bend,
            unreachable=unreachable,
            **dict(zip(names, weights, strict=True)),
        )
        assert torch.isfinite(posed.pose.rotations).all()
        posed.pose.rotations.sum().backward()
        for name, leaf in (("target", target), ("pose", rotations), ("pole", pole)):
            if leaf.grad is not None:
                bad = ~torch.isfinite(leaf.grad.reshape(len(leaf), -1)).all(-1)
                rows = (
                    [list(SEAMS)[i] for i in np.flatnonzero(bad)] if name != "pole" else bad.any()
                )
                assert not torch.any(bad), (name, unreachable, rows)
        assert all(w.grad is None or torch.isfinite(w.grad).all() for w in weights)


@pytest.mark.parametrize("bend", ["pole", "rest"])
def test_gradients_are_those_of_finite_differences(bend):
    """Of the pose as well: turning mid off its hinge makes the hinge skew, from 0 on."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rng = np.random.default_rng(9)
    pose = hinged(LEG, LIMB, rng)
    target = LEG.offsets[0] + np.array([0.3, -0.4, 0.3])

    def knee_and_toes(target, rotations):
        rotations = rotations / (rotations * rotations).sum(-1)[..., None] ** 0.5
        options = {"pole": [0.4, 0.1, 1.0]} if bend == "pole" else {}
        posed = LIMB.reach(LocalPose(rotations), target, end_rotation="local", **options)
        return LEG.to_global(posed.pose).positions

    leaves = (
        torch.tensor(target, requires_grad=True),
        torch.tensor(pose.rotations, requires_grad=True),
    )
    factors = rng.normal(size=(4, 3))
    (knee_and_toes(*leaves) * torch.tensor(factors)).sum().backward()
    step = 1e-6
    for leaf, value in zip(leaves, (target, pose.rotations), strict=True):
        slopes = np.zeros(value.shape)
        for at in np.ndindex(value.shape):
            sums = []
            for sign in (1.0, -1.0):
                moved = np.array(value)
                moved[at] += sign * step
                args = (moved, pose.rotations) if leaf is leaves[0] else (target, moved)
                sums.append(np.sum(knee_and_toes(*args) * factors))
            slopes[at] = (sums[0] - sums[1]) / (2.0 * step)
        np.testing.assert_allclose(leaf.grad, slopes, rtol=1e-6, atol=1e-8)


# --- errors -----------------------------------------------------------------------------------


def limb(*joints, skeleton=LEG, **options):
    return twobone.Limb(skeleton, *(joints or ("hip", "knee", "foot")), **options)


def reach(target=(0.0, 0.5, 0.1), pose=POSE, **options):
    return LIMB.reach(pose, target, **options)


ERRORS = {
    "no skeleton": (lambda: limb(skeleton="leg"), ArrayTypeError, "`skeleton` must be a Skeleton"),
    "unknown joint": (
        lambda: limb("hip", "kne", "foot"),
        PoseError,
        r"`mid` must be .*: hip, knee, foot, toes \(did you mean 'knee'\?\), got 'kne'",
    ),
    "wrong order": (
        lambda: limb("foot", "knee", "hip"),
        PoseError,
        "`start` must be an ancestor of 'knee', got 'foot'",
    ),
    "mid and end the same": (
        lambda: limb("hip", "knee", "knee"),
        PoseError,
        "`mid` must be an ancestor of 'knee'",
    ),
    "axis too long": (
        lambda: limb(mid_axis=[1, 1, 0]),
        PoseError,
        "`mid_axis` must have length 1, got 1.4",
    ),
    "axis of 2": (lambda: limb(mid_axis=[1, 0]), ShapeError, r"`mid_axis` must have shape \(3,\)"),
    "axis NaN": (lambda: limb(mid_axis=[np.nan, 0, 0]), PoseError, "`mid_axis` must be finite"),
    "axis a word": (lambda: limb(mid_axis="x"), ArrayTypeError, "`mid_axis`"),
    "both": (
        lambda: limb(mid_axis=[1, 0, 0], bend_towards=[0, 0, 1]),
        PoseError,
        "`bend_towards` must be left out when `mid_axis` is given",
    ),
    "no length": (
        lambda: limb(bend_towards=[0, 0, 0]),
        PoseError,
        r"`bend_towards` must not have length 0, got \[0.0, 0.0, 0.0\]",
    ),
    "axis along the limb": (
        lambda: limb(0, 1, 2, skeleton=STRAIGHT, mid_axis=[0, 1, 0]),
        PoseError,
        r"`mid_axis` must not point along the limb, got \[0.0, 1.0, 0.0\]",
    ),
    "limits one": (
        lambda: limb(limits=90),
        PoseError,
        "`limits` must be the minimum and maximum .*, got 90",
    ),
    "limits wrong": (lambda: limb(limits=(120, 30)), PoseError, r"`limits` .* got \(120, 30\)"),
    "limits beyond": (lambda: limb(limits=(0, 200)), PoseError, r"from 0 to 180, got \(0, 200\)"),
    "limits NaN": (lambda: limb(limits=(0, np.nan)), PoseError, "`limits`"),
    "twist elsewhere": (
        lambda: limb(twist={"toes": 0.5}),
        PoseError,
        "`twist` must name children of 'knee', got 'toes'",
    ),
    "twist a list": (
        lambda: limb(twist=["toes"]),
        PoseError,
        r"`twist` must be a dictionary, .*\['toes'\]",
    ),
    "twist NaN": (
        lambda: limb(twist={"foot": np.nan}),
        PoseError,
        "`twist` must have finite fractions",
    ),
    "twist a word": (
        lambda: limb(twist={"foot": "half"}),
        ArrayTypeError,
        "`twist` must be a number",
    ),
    "twist unknown": (lambda: limb(twist={"roll": 0.5}), PoseError, "got 'roll'"),
    "twist of the end": (
        lambda: limb(twist={"foot": 0.5}),
        PoseError,
        "not name the end, .*'foot'",
    ),
    "no target": (lambda: reach(None), ArrayTypeError, "`target` .* got NoneType"),
    "no weight": (lambda: reach(position_weight=None), ArrayTypeError, "`position_weight` .* None"),
    "two poles": (
        lambda: reach(pole=[0, 0, 1], pole_point=[0, 0, 1]),
        PoseError,
        "`pole_point` must be left out when `pole` is given",
    ),
    "no pole": (lambda: reach(bend="pole"), PoseError, '`pole` must be given for `bend="pole"`'),
    "bend unknown": (
        lambda: reach(bend="hint"),
        PoseError,
        """`bend` must be "pole" or "rest" or "transport", got 'hint'""",
    ),
    "end rotation unknown": (
        lambda: reach(end_rotation="World"),
        PoseError,
        """`end_rotation` must be "world" or "local" or quaternions, got 'World'""",
    ),
    "end rotation of 3": (
        lambda: reach(end_rotation=[0, 0, 1]),
        ShapeError,
        r"\(..., 4\), got \(3,\)",
    ),
    "target of 2": (lambda: reach([0, 1]), ShapeError, r"`target` must have shape \(..., 3\)"),
    "pole of 2": (lambda: reach(pole=[0, 1]), ShapeError, r"`pole` must have shape \(..., 3\)"),
    "axes": (
        lambda: reach(np.zeros((5, 3)), pole=np.zeros((4, 3))),
        ShapeError,
        r"`pole` must broadcast with the others",
    ),
    "weight a word": (lambda: reach(pole_weight="all"), ArrayTypeError, "`pole_weight`"),
    "no fade": (
        lambda: reach(fade_degrees=0),
        PoseError,
        "`fade_degrees` must be more than 0 and at most 90",
    ),
    "fade beyond": (lambda: reach(fade_degrees=91), PoseError, "`fade_degrees` .* got 91.0"),
    "one frame": (
        lambda: reach(bend="transport"),
        ShapeError,
        '`target` must have an axis of frames .* as `before`; solve the very first with `bend="po',
    ),
    "policy unknown": (lambda: reach(unreachable="snap"), PolicyError, "'snap'"),
    "another skeleton's": (
        lambda: reach(pose=LocalPose(STRAIGHT.rotations)),
        ShapeError,
        r"`rotations` must have shape \(..., 4, 4\), got \(3, 4\)",
    ),
    "no pose": (
        lambda: reach(pose=LEG.rotations),
        ArrayTypeError,
        "`pose` must be a LocalPose or a Glob",
    ),
    "no pose for controls": (lambda: LIMB.controls(3), ArrayTypeError, "`pose` .* got int"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_what_was_wrong(case):
    do, kind, message = ERRORS[case]
    with pytest.raises(kind, match=message):
        do()


def test_dask_is_refused():
    dask = pytest.importorskip("dask.array", reason="dask is not installed")
    with pytest.raises(ArrayTypeError, match=r"`target` .* got one of dask"):
        reach(dask.zeros(3))


# --- translations that the limb does not change -------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"unreachable": "stretch"}], ids=str)
def test_lists_give_arrays_in_every_part_of_the_pose(options):
    found = reach(pose=LocalPose(LEG.rotations.tolist(), LEG.offsets.tolist()), **options)
    assert isinstance(found.pose.translations, np.ndarray)
    np.testing.assert_array_equal(found.pose.translations, LEG.offsets)


@pytest.mark.parametrize("kinds", [("asarray", "tensor"), ("tensor", "asarray")], ids=str)
def test_a_pose_of_two_libraries_is_returned_in_one(kinds):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    make = {"asarray": np.asarray, "tensor": torch.tensor}
    parts = [
        make[kind](part) for kind, part in zip(kinds, (LEG.rotations, LEG.offsets), strict=True)
    ]
    found = reach(pose=LocalPose(*parts)).pose
    assert type(found.rotations) is type(found.translations) is torch.Tensor
    found = reach(torch.tensor([0.0, 0.5, 0.1]), pose=LocalPose(LEG.rotations, LEG.offsets)).pose
    assert type(found.rotations) is type(found.translations) is torch.Tensor


def test_a_global_pose_of_arrays_is_returned_in_the_library_of_the_target():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    shin = twobone.Limb(LEG, "knee", "foot", "toes", bend_towards=[1, 0, 0])  # the hip is kept
    target = torch.tensor([0.0, 0.2, 0.1]).double().requires_grad_()
    for pose in (LEG.rest, GlobalPose(*(part.tolist() for part in LEG.rest))):
        found = shin.reach(pose, target).pose
        assert type(found.rotations) is type(found.positions) is torch.Tensor
        wanted = shin.reach(LEG.rest, target.detach().numpy()).pose
        for have, want in zip(found, wanted, strict=True):
            np.testing.assert_allclose(have.detach(), want, atol=1e-15)
    found.positions[-1].sum().backward()
    assert target.grad.tolist() != [0.0, 0.0, 0.0]


def test_both_parts_of_a_pose_have_one_dtype():
    whole = np.array([[0, 1, 0], [0, -1, 0], [0, -1, 0], [0, 0, 1]])  # integers
    found = reach(pose=LocalPose(LEG.rotations.astype(np.float32), whole), target=[0, 0, 0.5]).pose
    assert found.rotations.dtype == found.translations.dtype == np.float32


def test_a_result_shares_no_memory_with_the_arguments(xp):
    if xp.name == "jax.jit":
        pytest.skip("as jax: nothing is compiled")
    rotations, translations = xp(LEG.rotations), xp(LEG.offsets)
    found = reach(xp(np.array([0.0, 0.5, 0.1])), pose=LocalPose(rotations, translations)).pose
    assert found.translations is not translations
    if xp.name in ("numpy", "torch"):
        found.translations[0, 0] = 7.0
        found.rotations[3, 0] = 7.0
    np.testing.assert_array_equal(xp.back(translations), LEG.offsets)
    np.testing.assert_array_equal(xp.back(rotations), LEG.rotations)


def test_derivatives_pass_through_translations_that_are_returned():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    translations = torch.tensor(LEG.offsets, requires_grad=True)
    found = reach(torch.tensor([0.0, 0.5, 0.1]).double(), LocalPose(LEG.rotations, translations))
    found.pose.translations[0, 1].backward()
    assert translations.grad[0].tolist() == [0.0, 1.0, 0.0]
    assert not translations.grad[1:].any()
