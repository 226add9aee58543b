"""Limbs given as matrices, compiled: the bits of the formula, whatever the limbs and wherever they lie."""

import contextlib
import itertools

import numpy as np
import pytest

import twobone
from twobone.core import engine
from twobone.pose import corrections
from twobone.pose.corrections import correct_limb

KERNEL = engine.KERNEL
pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or not wanted")
SETS = KERNEL.instruction_sets() if KERNEL else []
DTYPES = [np.float64, np.float32]
COUNT = 203  # no multiple of the lanes


@pytest.fixture(autouse=True)
def as_it_was():
    """Leave instruction set and threads as they were."""
    before, threads = KERNEL.instruction_set(), twobone.engine().threads
    yield
    KERNEL.use_instruction_set(before)
    twobone.engine(threads=threads)


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
    start = matrices(rotations(rng, count) * scales(rng, count)[:, None, :], rng.normal(size=(count, 3)))
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
        limbs[name][:, :3, :3] = np.where(plain, np.eye(3), turned * rng.choice([-1.0, 1.0], (count, 3, 3)))
    for matrix in limbs.values():
        matrix[:, :3, 3] = rng.choice([0.0, -0.0, 0.0, 1.0, -1.0, 2.0], (count, 3))
    limbs["mid"][:, :3, 3] *= rng.choice([0.0, 1.0, 1.0, 1.0], (count, 1))
    for name in ("target", "pole"):
        limbs[name] = rng.choice([0.0, -0.0, 1.0, -1.0, 3.0], (count, 3))
    axes = np.array([[0, 0, 1], [0, 0, -1], [0, 1, 0], [1, 0, 0], [0.6, 0.8, 0], [0, 0, 2], [0, 0, 0]])
    limbs["mid_axis"] = axes[rng.choice(7, count, p=[0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05])]
    return limbs


def straight(rng, count):
    """Limbs whose targets lie at the root, at the ends of reach, or opposite; poles along the way."""
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
        rows[struck, rng.integers(0, 4 * rows.shape[1] // 5, count)[struck]] = rng.choice(bad, struck.sum())
    sizes = np.select([rng.random((count, 1)) < 0.1, rng.random((count, 1)) < 0.1], [1e12, 1e-12], 1.0)
    for name in ("start", "mid", "end"):
        limbs[name][:, :3] *= sizes[..., None]
    limbs["target"] *= sizes
    limbs["start"][rng.random(count) < 0.05, :3, :3] = 0.0
    limbs["mid"][rng.random(count) < 0.05, :3, 1] = 0.0
    return limbs


FAMILIES = {family.__name__: family for family in (rigs, seams, straight, nonsense)}
NUMBERS = np.array([0.0, -0.0, 1.0, 0.5, -0.3, 1.5, 0.97, np.pi, 1e-9, np.nan, np.inf])


def options(rng, count):
    """Return options of every combination, numbers or arrays."""
    for names in itertools.product(*[[None, name] for name in ("twist", "soften", "weight")]):
        values = {name: rng.choice(NUMBERS, count) for name in names if name}
        yield {name: value if rng.random() < 0.7 else float(value[0]) for name, value in values.items()}


def cast(values, dtype):
    with np.errstate(all="ignore"):
        return {
            name: value if isinstance(value, float) else np.ascontiguousarray(value, dtype)
            for name, value in values.items()
        }


# --- who answers --------------------------------------------------------------------------


@contextlib.contextmanager
def by(kernel):
    """Let this kernel answer, or NumPy; see what is at fault instead of raising it."""
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "KERNEL", kernel)
        patch.setattr(corrections, "raise_fault", lambda given, faults, found: seen.append(found))
        yield seen


def answer(kernel, limbs, **options):
    """Return both turns, the status and what is at fault."""
    with by(kernel) as faults:
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


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_instruction_set_gives_the_bits_of_the_formula(family, dtype):
    rng = np.random.default_rng([5, len(family)])
    limbs = cast(FAMILIES[family](rng, COUNT), dtype)
    for wishes in options(rng, COUNT):
        wishes = cast(wishes, dtype)
        wanted = answer(None, limbs, **wishes)
        for instruction_set in SETS:
            KERNEL.use_instruction_set(instruction_set)
            assert_same_bits(answer(KERNEL, limbs, **wishes), wanted)
