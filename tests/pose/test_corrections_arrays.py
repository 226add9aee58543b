"""correct_limb for every array library, shape, dtype and bad argument, and its derivatives."""

import itertools
import re

import numpy as np
import pytest

import twobone
from rigs import COUNT, Rig, affine, correct, limbs, missed_by, place, rotation
from twobone import ArrayTypeError, PoseError, ShapeError, Soft, Status, Stretch

EYE = np.eye(4)


def arm(first=(1.0, 0.0, 0.0), second=(0.0, 1.0, 0.0), dtype="float64"):
    """Return the arguments of one limb."""
    joints = [affine(np.eye(3), np.asarray(v, float)) for v in (first, np.add(first, second))]
    return {
        "start": EYE.astype(dtype),
        "mid": joints[0].astype(dtype),
        "end": joints[1].astype(dtype),
        "target": np.array([1.2, 0.5, 0.3], dtype),
        "pole": np.array([0.2, 1.0, 0.1], dtype),
        "mid_axis": np.array([0.0, 0.0, 1.0], dtype),
        "twist": np.array(0.4, dtype),
        "soften": np.array(0.8, dtype),
        "weight": np.array(0.9, dtype),
    }


def as_arguments(rig, target, pole):
    return rig._asdict() | {"target": target, "pole": pole}


# --- libraries ----------------------------------------------------------------------------

CHOICES = {
    "plain": ({}, ("uneven", "one", False)),
    "all at once": (
        {"twist": 0.7, "soften": 0.9, "unreachable": Soft(0.1) | Stretch(limit=1.1)},
        ("mirrored", "uneven", True),
    ),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("choice", CHOICES)
def test_every_library_answers_as_numpy_does(xp, choice, dtype):
    options, (start, mid, skew) = CHOICES[choice]
    once = {"jax": ("plain", "float32"), "jax.jit": ("all at once", "float64")}
    if once.get(xp.name, (choice, dtype)) != (choice, dtype):
        pytest.skip("one compilation is enough: it takes seconds")
    given = as_arguments(*limbs(1, start, mid, dtype, skew=skew))
    if options:
        given |= {"pole": given["pole"][0], "weight": np.array([[0.7], [1.0]], dtype)}
    want = twobone.correct_limb(**given, **options)
    solve = xp.compiled(lambda given: twobone.correct_limb(**given, **options))
    found = solve({name: xp(value, dtype) for name, value in given.items()})
    assert type(found.start) is type(xp(given["target"], dtype))
    status = xp.back(found.status)
    edge = status != want.status  # a rounding error away from an edge
    assert np.count_nonzero(edge) <= 2
    eps = np.finfo(dtype).eps
    for name in ("start", "mid"):
        have, right = xp.back(getattr(found, name)), getattr(want, name)
        assert have.dtype == dtype
        assert have.shape == right.shape
        off = np.max(np.abs(rotation(have) - rotation(right)), axis=(-2, -1))[~edge]
        assert np.median(off) <= 8 * eps
        assert np.quantile(off, 0.98) <= 2e3 * eps
        assert np.max(off) <= 8 * np.sqrt(eps)


def test_vmap_goes_row_by_row():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    given = as_arguments(*limbs(2, "mirrored", "uniform"))
    want = twobone.correct_limb(**given)
    rows = {name: torch.tensor(value) for name, value in given.items()}
    found = torch.func.vmap(lambda rows: twobone.correct_limb(**rows))(rows)
    np.testing.assert_array_equal(found.status, want.status)
    np.testing.assert_allclose(found.mid, want.mid, rtol=0, atol=1e-8)


def test_float32_stays_float32_and_integers_and_lists_become_float64():
    given = arm(dtype="float32")
    found = twobone.correct_limb(**given | {"weight": 0.9, "twist": 1, "soften": np.float64(0.8)})
    assert found.start.dtype == found.mid.dtype == np.float32
    assert found.status.dtype == np.int8
    wide = twobone.correct_limb(**given | {"mid": given["mid"].astype("float64")})
    assert wide.start.dtype == np.float64
    plain = arm()
    plain = {name: plain[name] for name in ("start", "mid", "end", "pole", "mid_axis")}
    want = twobone.correct_limb(**plain, target=[1.0, 1.0, 1.0])
    for kind in (lambda v: v.astype(int), lambda v: v.tolist(), lambda v: v.astype(">f8")):
        same = {name: kind(value) for name, value in plain.items() if name != "pole"}
        found = twobone.correct_limb(**same, target=[1, 1, 1], pole=plain["pole"].tolist())
        assert found.start.dtype == np.float64
        for have, right in zip(found, want, strict=True):
            np.testing.assert_array_equal(have, right)


SHAPES = [
    # start, mid, end, target, pole, mid_axis, twist, soften, weight -> status
    ((), (), (), (), (), (), (), (), (), ()),
    ((5,), (), (), (), (), (), (), (), (), (5,)),
    ((), (), (), (5,), (), (), (), (), (), (5,)),
    ((), (), (), (), (), (), (5,), (), (), (5,)),
    ((), (), (), (), (), (), (), (5,), (), (5,)),
    ((), (), (), (), (), (), (), (), (5,), (5,)),
    ((), (), (), (), (5,), (), (), (), (3, 1), (3, 5)),
    ((2, 1), (4,), (), (3, 1, 1), (), (2, 4), (), (), (), (3, 2, 4)),
    ((1,), (1,), (1,), (1,), (1,), (1,), (1,), (1,), (1,), (1,)),
    ((0,), (), (), (), (), (), (), (), (), (0,)),
    ((), (), (), (3, 0), (), (), (), (0,), (3, 1), (3, 0)),
    ((1,), (), (), (), (), (), (), (), (0,), (0,)),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("shapes", SHAPES)
def test_leading_axes_broadcast(xp, shapes):
    if xp.name.startswith("jax"):
        pytest.skip("every shape would be compiled anew: see the test above")
    *leads, shape = shapes
    rng, one = np.random.default_rng(3), arm()
    given = {}
    for (name, value), lead in zip(one.items(), leads, strict=True):
        given[name] = np.broadcast_to(value, (*lead, *value.shape)).copy()
        if name in ("target", "pole", "twist", "soften"):
            given[name] += rng.uniform(-0.1, 0.1, given[name].shape)
    found = twobone.correct_limb(**{name: xp(value) for name, value in given.items()})
    assert tuple(found.start.shape) == tuple(found.mid.shape) == (*shape, 4)
    assert tuple(found.status.shape) == shape
    for at in np.ndindex(shape):
        row = {}
        for name, value in given.items():
            tail = one[name].shape
            row[name] = np.broadcast_to(value, (*shape, *tail))[at]
        want = twobone.correct_limb(**row)
        np.testing.assert_allclose(xp.back(found.start)[at], want.start, rtol=0, atol=1e-13)
        np.testing.assert_allclose(xp.back(found.mid)[at], want.mid, rtol=0, atol=1e-13)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("mid", ["mirrored", "uneven"])
def test_a_row_has_the_same_bits_alone_and_in_any_batch(mid, dtype):
    """Alone it is computed in Python floats, in a batch in blocks of NumPy's arrays."""
    rig, target, pole = limbs(4, "uneven", mid, dtype, skew=True)
    given = as_arguments(rig, target, pole)
    rng = np.random.default_rng(5)
    for name, low, high in (("twist", -9, 9), ("soften", 0.5, 1), ("weight", 0, 1)):
        given[name] = rng.uniform(low, high, COUNT).astype(dtype)
    given["target"][::50] = place(rig.start)[::50]
    given["pole"][::40] = (target - place(rig.start))[::40]
    given["target"][::30] = np.nan
    given["pole"][::70] = np.nan
    whole = twobone.correct_limb(**given)
    many = {name: np.concatenate([value] * 12) for name, value in given.items()}
    many = twobone.correct_limb(**many)
    back = {name: value[::-1] for name, value in given.items()}
    back = twobone.correct_limb(**back)
    for have, again, reverse in zip(whole, many, back, strict=True):
        for part in np.split(again, 12):
            np.testing.assert_array_equal(part, have)
        np.testing.assert_array_equal(reverse[::-1], have)
    for row in range(0, COUNT, 3):
        alone = twobone.correct_limb(**{name: value[row] for name, value in given.items()})
        assert alone.start.dtype == dtype
        for have, want in zip(alone, whole, strict=True):
            np.testing.assert_array_equal(have, want[row])


def test_arguments_are_not_written_to():
    given = as_arguments(*limbs(6, "uneven", "uneven", skew=True))
    given |= {"twist": np.full(COUNT, 0.2), "weight": np.full(COUNT, 1.5)}
    given["soften"] = np.full(COUNT, -1.0)
    before = {name: value.copy() for name, value in given.items()}
    for value in given.values():
        value.flags.writeable = False
    for policy in ("clamp", "stretch", "nan", Soft(0.1)):
        twobone.correct_limb(**given, unreachable=policy)
    for name, value in given.items():
        np.testing.assert_array_equal(value, before[name])


# --- bad values ---------------------------------------------------------------------------


def bad_places():
    for name, value in arm().items():
        for at in np.ndindex(value.shape):
            # The end's own rotation has no part in it.
            if name != "end" or at[1] == 3 or at[0] == 3:
                yield name, at


KINDS = {"square": ((0, 1, 0), 1.0), "skew": ((0, 1, 0.4), 1.0), "uneven": ((0, 1, 0), 2.0)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_stay_in_their_rows(bad, kind):
    """In every number of every argument, alone and in a batch."""
    second, scale = KINDS[kind]
    one = arm(second=second)
    one["mid"][0, 0] = scale
    places = [
        (name, at)
        for name, at in bad_places()
        if np.isnan(bad) or name not in ("weight", "soften")  # clamped
    ]
    given = {
        name: np.broadcast_to(value, (len(places) + 2, *value.shape)).copy()
        for name, value in one.items()
    }
    want = twobone.correct_limb(**one)
    for row, (name, at) in enumerate(places):
        given[name][(row, *at)] = bad
    found = twobone.correct_limb(**given)
    assert np.all(found.status[:-2] == Status.INVALID)
    for have, right in zip(found[:2], want[:2], strict=True):
        assert np.all(np.isnan(have[:-2]))
        np.testing.assert_array_equal(have[-2:], [right, right])
    for row in range(len(places)):
        alone = twobone.correct_limb(**{name: value[row] for name, value in given.items()})
        assert alone.status == Status.INVALID
        assert np.all(np.isnan(alone.start))
        assert np.all(np.isnan(alone.mid))


def test_of_the_end_only_the_place_counts():
    given = arm()
    want = twobone.correct_limb(**given)
    given["end"][:3, :3] = np.nan
    for have, right in zip(twobone.correct_limb(**given), want, strict=True):
        np.testing.assert_array_equal(have, right)


def test_a_scale_of_zero_corrects_nothing(xp):
    if xp.name.startswith("jax"):
        pytest.skip("one compilation of each is enough")
    given = {name: np.stack([value] * 4) for name, value in arm().items()}
    given["start"][0, :3, :3] = 0.0
    given["mid"][1, :3, :3] = 0.0
    given["mid"][2, :3, 3] = given["end"][2, :3, 3] = 0.0  # bones of no length
    found = twobone.correct_limb(**{name: xp(value) for name, value in given.items()})
    status = xp.back(found.status)
    assert status.tolist() == [Status.INVALID] * 3 + [Status.REACHED]
    for q in found[:2]:
        np.testing.assert_array_equal(xp.back(q)[:3], np.tile([0.0, 0.0, 0.0, 1.0], (3, 1)))
        assert np.all(np.abs(xp.back(q)[3]) < 1)


@pytest.mark.parametrize("bones", [((0, 0, 0), (1, 0, 0)), ((1, 0, 0), (0, 0, 0))])
def test_a_bone_of_no_length_leaves_one_that_points(bones):
    given = arm(*bones) | {"twist": 0.0, "soften": 1.0, "weight": 1.0}
    for target, status in (([0, 0, 1], 0), ([0, 0, 3], 1), ([0.1, 0.2, 0], 2)):
        found = twobone.correct_limb(**given | {"target": np.array(target, float)})
        assert found.status == status
        rig = Rig(given["start"], given["mid"], given["end"], given["mid_axis"])
        way = np.array(target) / np.linalg.norm(target)
        assert missed_by(rig, found, way) <= 1e-15


# --- errors -------------------------------------------------------------------------------


def changed(**parts):
    given = arm()
    for name, (at, value) in parts.items():
        given[name] = given[name].copy()
        given[name][at] = value
    return given


LAST_ROW = "have 0, 0, 0, 1 as its last row (points are columns, `M @ [x, y, z, 1]`)"
FLAT = "be invertible, got a singular matrix"
ERRORS = [
    (
        arm() | {"mid_axis": [0, 0, 0.7]},
        PoseError,
        "`mid_axis` must have length 1, got a different",
    ),
    (arm() | {"mid_axis": [0, 0, 0]}, PoseError, "`mid_axis` must have length 1, got a different"),
    (
        arm() | {"mid_axis": [0, 0, 1.01]},
        PoseError,
        "`mid_axis` must have length 1, got a different",
    ),
    (
        arm() | {"mid_axis": None},
        PoseError,
        "`mid_axis` must be given, shape (..., 3), got nothing",
    ),
    (changed(start=((0, 0), 0.0)), PoseError, f"`start` must {FLAT}"),
    (changed(mid=((0, slice(3)), 0.0)), PoseError, f"`mid` must {FLAT}"),
    (changed(mid=((slice(3), 1), [1.0, 0.0, 0.0])), PoseError, f"`mid` must {FLAT}"),
    (changed(start=((3, 3), 2.0)), PoseError, f"`start` must {LAST_ROW}, got a different row"),
    (changed(mid=((3, 0), 1.0)), PoseError, f"`mid` must {LAST_ROW}, got a different row"),
    (arm() | {"end": arm()["end"].T}, PoseError, f"`end` must {LAST_ROW}, got a different row"),
    (
        arm() | {"start": np.eye(3), "twist": 0.0},
        ShapeError,
        "`mid` must have shape (..., 3, 3), got (4, 4)",
    ),
    (arm() | {"mid": np.eye(3)}, ShapeError, "`mid` must have shape (..., 4, 4), got (3, 3)"),
    (arm() | {"end": EYE[:3]}, ShapeError, "`end` must have shape (..., 4, 4), got (3, 4)"),
    (arm() | {"start": 1.0}, ShapeError, "`start` must have shape (..., 4, 4), got ()"),
    (arm() | {"target": [1.0, 2.0]}, ShapeError, "`target` must have shape (..., 3), got (2,)"),
    (arm() | {"pole": [1.0]}, ShapeError, "`pole` must have shape (..., 3), got (1,)"),
    (arm() | {"mid_axis": 1.0}, ShapeError, "`mid_axis` must have shape (..., 3), got ()"),
    (arm() | {"weight": np.ones(3), "twist": np.ones(2)}, ShapeError, "must broadcast"),
    (arm() | {"target": None}, ArrayTypeError, "`target` must be of float32, float64 or integers"),
    (arm() | {"start": None}, ArrayTypeError, "`start` must be of float32, float64 or integers"),
    (arm() | {"end": None}, ArrayTypeError, "`end` must be of float32, float64 or integers"),
    (arm() | {"weight": "1"}, ArrayTypeError, "`weight` must be of float32, float64 or integers"),
    (arm() | {"pole": EYE[0] > 0}, ArrayTypeError, "`pole` must be of float32, float64 or inte"),
    (arm() | {"unreachable": "soft"}, twobone.PolicyError, "No policy 'soft'"),
    (arm() | {"target": [9, 9, 9], "unreachable": "raise"}, twobone.UnreachableError, "TOO_FAR"),
]


@pytest.mark.parametrize(("given", "kind", "message"), ERRORS, ids=[e[2][:40] for e in ERRORS])
def test_errors_name_the_argument(given, kind, message):
    with pytest.raises(kind, match=re.escape(message)) as caught:
        twobone.correct_limb(**given)
    assert isinstance(caught.value, twobone.TwoBoneError)
    if kind in (PoseError, ShapeError, ArrayTypeError) and message.startswith("`"):
        assert caught.value.name == message.split("`")[1]


def test_an_error_says_in_which_row():
    given = arm() | {"start": np.tile(EYE, (2, 5, 1, 1))}
    given["start"][1, 3, 0, 0] = 0.0
    with pytest.raises(PoseError, match=r"singular matrix in row \(1, 3\)") as caught:
        twobone.correct_limb(**given)
    assert caught.value.rows == [(1, 3)]


def test_where_values_are_not_looked_at_a_fault_is_an_invalid_row():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    given = {name: np.stack([value] * 4) for name, value in arm().items()}
    given["mid_axis"][0] = [0, 0, 0.7]
    given["start"][1, 0, 0] = 0.0
    given["mid"][2, 3, 0] = 1.0
    found = twobone.correct_limb(**{name: torch.tensor(v) for name, v in given.items()})
    assert found.status.tolist() == [Status.INVALID] * 3 + [Status.REACHED]
    assert torch.isnan(found.start[:3]).all()
    assert torch.isfinite(found.start[3]).all()


def test_libraries_do_not_mix_and_dask_is_told_what_to_do():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    jax = pytest.importorskip("jax", reason="jax is not installed")
    da = pytest.importorskip("dask.array", reason="dask is not installed")
    given = arm()
    with pytest.raises(ArrayTypeError, match=r"torch|jax"):
        twobone.correct_limb(
            **given | {"target": torch.ones(3), "pole": jax.numpy.asarray([0.0, 1.0, 0.0])}
        )
    for name in ("start", "target", "weight"):
        lazy = da.from_array(np.asarray(given[name]))
        with pytest.raises(ArrayTypeError, match=rf"`{name}` must be .*map_blocks.* of dask"):
            twobone.correct_limb(**given | {name: lazy})


# --- derivatives --------------------------------------------------------------------------


@pytest.mark.parametrize("row", range(2))
@pytest.mark.parametrize(("mid", "skew"), [("one", False), ("mirrored", True), ("uneven", True)])
def test_inside_derivatives_are_finite_differences(mid, skew, row):
    """By places, by turns of `start` and by all that is no matrix."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rig, target, pole = limbs(7, "mirrored", mid, skew=skew)
    row = np.flatnonzero(correct(rig, target, pole).status == Status.REACHED)[row]
    start, mid, end = (torch.tensor(matrix[row]) for matrix in rig[:3])
    axis = torch.tensor(rig.mid_axis[row])

    def corrections(moves, turn, target, pole, twist, weight):
        small = torch.zeros(3, 4, dtype=torch.float64)
        moved = [
            matrix + torch.cat([torch.cat([small[:, :3], move[:, None]], 1), 0 * matrix[3:]])
            for matrix, move in zip((start, mid, end), moves, strict=True)
        ]
        zero = 0 * turn[0]
        skewed = [zero, -turn[2], turn[1], turn[2], zero, -turn[0], -turn[1], turn[0], zero]
        turned = torch.linalg.matrix_exp(torch.stack(skewed).reshape(3, 3))
        moved[0] = torch.cat(
            [torch.cat([turned @ moved[0][:3, :3], moved[0][:3, 3:]], 1), moved[0][3:]]
        )
        options = {"pole": pole, "mid_axis": axis, "twist": twist, "weight": weight}
        found = twobone.correct_limb(*moved, target, **options)
        return torch.cat([found.start, found.mid])

    values = [np.zeros((3, 3)), np.zeros(3), target[row], pole[row], np.array(0.3), np.array(0.6)]
    values = tuple(torch.tensor(value) for value in values)
    found = torch.autograd.functional.jacobian(corrections, values)
    for i, (value, have) in enumerate(zip(values, found, strict=True)):
        want, step = torch.zeros(8, value.numel(), dtype=torch.float64), 1e-6
        for j in range(value.numel()):
            ends = []
            for sign in (1, -1):
                moved = value.clone().reshape(-1)
                moved[j] += sign * step
                ends.append(corrections(*values[:i], moved.reshape(value.shape), *values[i + 1 :]))
            want[:, j] = (ends[0] - ends[1]) / (2 * step)
        scale = max(1.0, float(want.abs().max()))
        np.testing.assert_allclose(have.reshape(8, -1), want, rtol=0, atol=1e-6 * scale**2)


SEAMS = {
    "at full reach": {"target": [2.0, 0.0, 0.0]},
    "beyond": {"target": [3.0, 0.0, 0.0]},
    "at the root": {"target": [0.0, 0.0, 0.0]},
    "folded": {"mid": [2.0, 0.0, 0.0], "end": [2.0, 1.0, 0.0], "target": [0.6, 0.8, 0.0]},
    "nearer than folded": {"mid": [2.0, 0.0, 0.0], "end": [2.0, 1.0, 0.0], "target": [0.1, 0, 0]},
    "straight": {"end": [2.0, 0.0, 0.0]},
    "where it is": {"target": [1.0, 1.0, 0.0]},
    "opposite": {"target": [-1.0, -1.0, 0.0], "pole": None},
    "pole along the way": {"target": [0.0, 1.5, 0.0]},
    "pole at ten degrees": {"target": [np.sin(np.radians(10)), np.cos(np.radians(10)), 0.0]},
    "no pole": {"pole": [0.0, 0.0, 0.0]},
    "no first bone": {"mid": [0.0, 0.0, 0.0]},
    "no second bone": {"end": [1.0, 0.0, 0.0]},
    "no bones": {"mid": [0.0, 0.0, 0.0], "end": [0.0, 0.0, 0.0]},
    "hinge along the bones": {"mid": [0.0, 0.0, 1.0], "end": [0.0, 0.0, 2.0]},
    "skew and too near": {"end": [1.0, 1.0, 0.5], "target": [0.0, 0.0, 0.25]},
}
POLICIES = ["clamp", "stretch", Soft(0.1)]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("with_pole", [True, False])
def test_derivatives_are_finite_at_every_seam(with_pole, policy):
    """All seams are rows of a batch, with each weight and scale."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rows, told = [], []
    for seam, weight, scale in itertools.product(SEAMS, (0.0, 1.0), ([1, 1, 1, 1], [1, 3, 1, 1])):
        given = arm() | {
            "weight": np.array(weight),
            "soften": np.array(1.0),
            "twist": np.array(0.0),
        }
        given |= {"pole": np.array([0.0, 1.0, 0.0])}
        for name, value in SEAMS[seam].items():
            if name in ("mid", "end"):
                given[name][:3, 3] = value
            else:
                given[name] = None if value is None else np.array(value)
        given["mid"] = given["mid"] @ np.diag(np.array(scale, float))
        if (given["pole"] is not None) == with_pole:
            rows.append({name: value for name, value in given.items() if value is not None})
            told.append((seam, weight, scale))
    given = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    for found in derivatives_with(torch, given, tuple(set(given) - {"mid_axis"}), policy):
        bad = np.flatnonzero(~np.isfinite(found).reshape(len(rows), -1).all(axis=1))
        assert not bad.size, [told[row] for row in bad]


def derivatives_with(torch, given, names, policy):
    """Return derivatives of each number of the corrections, (rows, 8, ...) for each name."""
    given = {name: torch.tensor(value) for name, value in given.items()}

    def corrections(*values):  # summed over the rows, none of which depends on another
        named = dict(zip(names, values, strict=True))
        found = twobone.correct_limb(**given | named, unreachable=policy)
        return torch.cat([found.start, found.mid], dim=-1).sum(0)

    found = torch.autograd.functional.jacobian(corrections, tuple(given[n] for n in names))
    return [each.transpose(0, 1).numpy() for each in found]
