"""Limbs given as matrices, compiled: the bits of the formula, whatever and wherever they are."""

import contextlib
import itertools

import numpy as np
import pytest

import twobone
from engines import KERNEL, engines_as_they_were
from twobone.pose import corrections
from twobone.pose.corrections import correct_limb

pytestmark = [
    pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or not wanted"),
    pytest.mark.usefixtures("engines"),
]
DTYPES = [np.float64, np.float32]
WORDS = ["clamp", "stretch", "nan"]
COUNT = 203  # no multiple of the lanes


# --- limbs --------------------------------------------------------------------------------


def rotations(rng, count):
    q = rng.normal(size=(count, 4))
    x, y, z, w = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def matrices(linear, origin):
    made = np.zeros((len(linear), 4, 4))
    made[:, :3, :3], made[:, :3, 3], made[:, 3, 3] = linear, origin, 1.0
    return made


def scales(rng, count):
    """Return scales of every kind: none, the same in all directions, mirrored, sheared."""
    kind = rng.integers(0, 4, (count, 1))
    same = rng.uniform(0.3, 3.0, (count, 1)) * np.ones(3)
    each = rng.uniform(0.3, 3.0, (count, 3)) * rng.choice([-1.0, 1.0], (count, 3))
    return np.select([kind == 0, kind == 1, kind == 2], [np.ones((count, 3)), same, -same], each)


def rigs(rng, count):
    """Limbs with scales of every kind; hinges square to the bones or not; targets near and far."""
    start = matrices(
        rotations(rng, count) * scales(rng, count)[:, None, :], rng.normal(size=(count, 3))
    )
    angle, none = rng.uniform(0.0, 3.1, count), np.zeros(count)
    flat = np.array([[np.cos(angle), -np.sin(angle), none], [np.sin(angle), np.cos(angle), none]])
    flat = np.concatenate([flat, [[none, none, none + 1.0]]])
    skew = rng.random((count, 1, 1)) < 0.5
    turn = np.where(skew, rotations(rng, count), np.moveaxis(flat, -1, 0))
    stretched = np.where(rng.random((count, 1)) < 0.7, 1.0, scales(rng, count))
    mid = start @ matrices(turn * stretched[:, None, :], [1.0, 0.0, 0.0])
    end = mid @ matrices(rotations(rng, count), [0.8, 0.0, 0.0])
    target = start @ np.append(rng.normal(size=(count, 3)), np.ones((count, 1)), axis=1)[..., None]
    return {
        "start": start,
        "mid": mid,
        "end": end,
        "target": target[:, :3, 0],
        "pole": rng.normal(size=(count, 3)),
        "mid_axis": np.tile([0.0, 0.0, 1.0], (count, 1)),
    }


def seams(rng, count):
    """Limbs of few whole numbers: much is 0, flat, straight, folded, opposite or in one place."""
    limbs = {name: np.tile(np.eye(4), (count, 1, 1)) for name in ("start", "mid", "end")}
    for name in ("start", "mid"):
        turned = rng.permuted(np.tile(np.eye(3), (count, 1, 1)), axis=2)
        plain = rng.random((count, 1, 1)) < 0.7
        limbs[name][:, :3, :3] = np.where(
            plain, np.eye(3), turned * rng.choice([-1.0, 1.0], (count, 3, 3))
        )
    for matrix in limbs.values():
        matrix[:, :3, 3] = rng.choice([0.0, -0.0, 0.0, 1.0, -1.0, 2.0], (count, 3))
    limbs["mid"][:, :3, 3] *= rng.choice([0.0, 1.0, 1.0, 1.0], (count, 1))
    for name in ("target", "pole"):
        limbs[name] = rng.choice([0.0, -0.0, 1.0, -1.0, 3.0], (count, 3))
    axes = np.array(
        [[0, 0, 1], [0, 0, -1], [0, 1, 0], [1, 0, 0], [0.6, 0.8, 0], [0, 0, 2], [0, 0, 0]]
    )
    limbs["mid_axis"] = axes[rng.choice(7, count, p=[0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05])]
    return limbs


def straight(rng, count):
    """Targets at the root, at the ends of reach or opposite; bones of no length, vague poles."""
    limbs = rigs(rng, count)
    root, knee, tip = (limbs[name][:, :3, 3] for name in ("start", "mid", "end"))
    along, kind = tip - root, rng.integers(0, 7, (count, 1))
    share = np.select([kind == 0, kind == 1, kind == 2, kind == 3], [0.0, 1.0, -1.0, 1.8], 0.7)
    limbs["target"] = root + share * np.where(kind == 3, knee - root, along)
    limbs["pole"] = np.where(kind == 4, limbs["target"] - root, limbs["pole"])
    limbs["end"][:, :3, 3] = np.where(kind == 5, knee, tip)
    limbs["mid"][:, :3, 3] = np.where(kind == 6, root, knee)
    return limbs


def nonsense(rng, count):
    """Here and there a number that means nothing, or is too large or too small to compute with."""
    limbs = rigs(rng, count)
    bad = [np.nan, np.inf, -np.inf, 0.0, 1e-30, 1e30, 1e19, 1e-22, 1e-42, 1e200, 1e-200, 3e38]
    for value in limbs.values():
        struck = rng.random(count) < 0.1
        rows = value.reshape(count, -1)  # a view
        rows[struck, rng.integers(0, 4 * rows.shape[1] // 5, count)[struck]] = rng.choice(
            bad, struck.sum()
        )
    sizes = np.select(
        [rng.random((count, 1)) < 0.1, rng.random((count, 1)) < 0.1], [1e12, 1e-12], 1.0
    )
    for name in ("start", "mid", "end"):
        limbs[name][:, :3] *= sizes[..., None]
    limbs["target"] *= sizes
    limbs["start"][rng.random(count) < 0.05, :3, :3] = 0.0
    limbs["mid"][rng.random(count) < 0.05, :3, 1] = 0.0
    for name in ("start", "mid", "end"):
        limbs[name][rng.random(count) < 0.02, 3, rng.integers(0, 4)] = 1.5
    return limbs


FAMILIES = {family.__name__: family for family in (rigs, seams, straight, nonsense)}
NUMBERS = np.array([0.0, -0.0, 1.0, 0.5, -0.3, 1.5, 0.97, np.pi, 1e-9, np.nan, np.inf])


def options(rng, count):
    """Return options of every combination, numbers or arrays."""
    for names in itertools.product(*[[None, name] for name in ("twist", "soften", "weight")]):
        values = {name: rng.choice(NUMBERS, count) for name in names if name}
        yield {
            name: value if rng.random() < 0.7 else float(value[0]) for name, value in values.items()
        }


def cast(values, dtype):
    with np.errstate(all="ignore"):
        return {
            name: value if isinstance(value, float) else np.ascontiguousarray(value, dtype)
            for name, value in values.items()
        }


# --- who answers --------------------------------------------------------------------------


@contextlib.contextmanager
def by(name):
    """Let an engine answer; see what is at fault instead of raising it."""
    seen = []
    with engines_as_they_were() as engines, pytest.MonkeyPatch.context() as patch:
        engines.use(name)
        patch.setattr(corrections, "raise_fault", lambda library, faults, found: seen.append(found))
        yield seen


def answer(name, limbs, **options):
    """Return both turns, the status and what is at fault."""
    with by(name) as faults:
        return (*correct_limb(**limbs, **options), *faults)


def assert_same_bits(found, wanted):
    for part, want in zip(found, wanted, strict=True):
        part, want = np.atleast_1d(part), np.atleast_1d(want)
        assert (part.dtype, part.shape) == (want.dtype, want.shape)
        kind = {8: np.uint64, 4: np.uint32, 1: np.uint8}[want.dtype.itemsize]
        same = np.ascontiguousarray(part).view(kind) == np.ascontiguousarray(want).view(kind)
        if want.dtype.kind == "f":
            same |= np.isnan(part) & np.isnan(want)
        assert np.all(same), np.argwhere(~same)[:3]


# --- the bits -----------------------------------------------------------------------------


@pytest.mark.sampled(7)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_instruction_set_gives_the_bits_of_the_formula(family, dtype, instruction_set):
    rng = np.random.default_rng([5, len(family)])
    limbs = cast(FAMILIES[family](rng, COUNT), dtype)
    for wishes, word in zip(options(rng, COUNT), itertools.cycle(WORDS), strict=False):
        wishes = cast(wishes, dtype) | {"unreachable": word}
        assert_same_bits(answer("compiled", limbs, **wishes), answer("numpy", limbs, **wishes))
        without = limbs | {"pole": None}
        assert_same_bits(answer("compiled", without, **wishes), answer("numpy", without, **wishes))


def test_the_families_see_every_status_and_every_fault():
    statuses, faults = set(), set()
    for family in FAMILIES.values():
        _, _, status, fault = answer("compiled", family(np.random.default_rng(3), 1000))
        statuses |= set(status.tolist())
        faults |= set(fault.tolist())
    assert statuses == set(twobone.Status)
    assert faults == {0, *corrections.FAULTS}


class Lazy(twobone.Policy):
    """A policy of one's own."""

    def place(self, xp, distance, inner, outer):
        return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "policy",
    [
        twobone.Soft(0.2),
        twobone.Limits(40, 130) | twobone.Stretch(limit=1.2),
        Lazy(),
    ],
)
def test_policies_of_every_kind_give_the_bits_of_the_formula(policy, dtype):
    for family in FAMILIES.values():
        limbs = cast(family(np.random.default_rng(7), COUNT), dtype)
        for wishes in ({}, {"soften": 0.8, "weight": 0.3, "twist": 1.0}):
            wishes = wishes | {"unreachable": policy}
            assert_same_bits(answer("compiled", limbs, **wishes), answer("numpy", limbs, **wishes))
        one = {name: value[0] for name, value in limbs.items()}
        wanted = [part[0] for part in answer("compiled", limbs, unreachable=policy)]
        assert_same_bits(answer("compiled", one, unreachable=policy), wanted)


@pytest.mark.parametrize("family", FAMILIES)
def test_one_limb_gets_the_bits_of_a_row_however_it_is_written(family):
    limbs = FAMILIES[family](np.random.default_rng(9), 40)
    for wishes in ({}, {"soften": 0.9, "weight": 0.4}):
        rows = answer("compiled", limbs, **wishes)
        for i in range(40):
            one, wanted = (
                {name: value[i] for name, value in limbs.items()},
                [part[i] for part in rows],
            )
            assert_same_bits(answer("compiled", one, **wishes), wanted)
            lists = {name: value.tolist() for name, value in one.items()}
            assert_same_bits(answer("compiled", lists, **wishes), wanted)
            assert_same_bits(answer("numpy", lists, **wishes), wanted)  # Python floats


# --- wherever numbers lie -----------------------------------------------------------------

LAYOUTS = {
    "backwards": lambda a: a[::-1].copy()[::-1],
    "every second": lambda a: np.repeat(a, 2, axis=0)[::2],
    "columns": np.asfortranarray,
    "byte-swapped": lambda a: a.astype(a.dtype.newbyteorder()),
    "unaligned": lambda a: np.frombuffer(b"?" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
    "parts backwards": lambda a: np.ascontiguousarray(a[..., ::-1])[..., ::-1],
    "transposed": lambda a: np.ascontiguousarray(np.moveaxis(a, 0, -1)).transpose(
        -1, *range(a.ndim - 1)
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_may_lie_anywhere(dtype, layout):
    rng = np.random.default_rng(2)
    limbs = cast(rigs(rng, 101), dtype)
    for wishes in list(options(rng, 101))[::7]:
        wishes = cast(wishes, dtype)
        scattered = {name: LAYOUTS[layout](value) for name, value in limbs.items()}
        found = answer("compiled", scattered, **wishes)
        assert all(part.flags.c_contiguous for part in found)
        assert_same_bits(found, answer("compiled", limbs, **wishes))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("threads", [1, 3])
def test_limbs_broadcast_as_arrays_do_on_any_number_of_threads(engines, threads, dtype):
    engines.share(50, threads=threads)
    limbs = cast(rigs(np.random.default_rng(1), 6), dtype)
    many = {name: value.reshape(2, 3, 1, *value.shape[1:]) for name, value in limbs.items()}
    target = np.random.default_rng(2).normal(size=(3, 71, 3)).astype(dtype)
    one = {name: value[0] for name, value in limbs.items()}
    for wanted_shape, case in {
        (2, 3, 71): many | {"target": target},
        (3, 71): one | {"target": target},
        (71,): one | {"target": target[0]},
        (1, 71): one | {"target": target[:1], "pole": limbs["pole"][:1]},
        (5, 71): one
        | {"target": target[0], "weight": np.linspace(-0.5, 1.5, 5)[:, None].astype(dtype)},
        (6,): limbs | {"pole": one["pole"], "mid_axis": one["mid_axis"]},
        (0,): {name: value[:0] for name, value in limbs.items()},
        (0, 3): {name: value[:, :, 0][:0] for name, value in many.items()},
    }.items():
        found = answer("compiled", case)
        assert found[2].shape == wanted_shape
        assert all(part.flags.c_contiguous for part in found)
        assert_same_bits(found, answer("numpy", case))


# --- what values may not do ---------------------------------------------------------------


def test_bad_values_warn_nobody_not_even_in_the_ufuncs_themselves():
    limbs = list(nonsense(np.random.default_rng(4), 300).values())
    with np.errstate(all="raise"):
        KERNEL.correct_limb(*limbs, 1.0, 0.0, np.nan, np.inf, np.int8(63))
        KERNEL.limb_before(*limbs, 1.0, 0.0, np.nan, np.inf, np.int8(63))
        KERNEL.limb_after(*limbs, 1.0, 0.0, np.nan, np.inf, np.int8(63), *[np.nan] * 4)


def broken(name):
    """Return a limb that is none."""
    limb = {key: value[0] for key, value in rigs(np.random.default_rng(0), 1).items()}
    limb[name] = limb[name].copy()
    limb[name][3 if name == "end" else 2] = 0.0
    return limb


@pytest.mark.parametrize("name", ["start", "mid", "end", "mid_axis"])
@pytest.mark.parametrize("wishes", [{}, {"weight": 0.5}])
def test_limbs_that_are_none_raise_what_the_formula_raises(name, wishes, engines):
    with pytest.raises(twobone.TwoBoneError, match=f"`{name}` must") as found:
        correct_limb(**broken(name), **wishes)
    engines.use("numpy")
    with pytest.raises(twobone.TwoBoneError) as wanted:
        correct_limb(**broken(name), **wishes)
    assert str(found.value) == str(wanted.value)


def test_shapes_that_do_not_fit_raise_as_they_do_in_numpy():
    limb = {name: value[0] for name, value in rigs(np.random.default_rng(0), 1).items()}
    for name, value in (("end", np.eye(3)), ("target", np.ones(2)), ("mid_axis", np.ones((2, 2)))):
        with pytest.raises(twobone.ShapeError, match=f"`{name}` must have shape"):
            correct_limb(**limb | {name: value})
    with pytest.raises(twobone.ShapeError, match="broadcast"):
        correct_limb(**limb | {"target": np.ones((2, 3)), "pole": np.ones((3, 3))})


def test_targets_out_of_reach_raise_where_that_is_asked_for():
    limb = {name: value[0] for name, value in rigs(np.random.default_rng(0), 1).items()}
    limb["target"] = np.array([0.0, 0.0, 1e6])
    with pytest.raises(twobone.UnreachableError, match="TOO_FAR"):
        correct_limb(**limb, unreachable="raise")
