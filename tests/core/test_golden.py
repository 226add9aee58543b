"""The same bits from every engine: golden vectors, and whatever shape the arrays have."""

import json
from pathlib import Path

import numpy as np
import pytest

import twobone
from families import FAMILIES, make
from oracle import exact_joint, spacing
from twobone import Status
from twobone.core import engine, one
from twobone.core.arrays import FLOATS
from twobone.core.exact import FLOAT64

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES = {2: "plane", 3: "space"}

both_sizes = pytest.mark.parametrize("size", [2, 3])


def golden(size):
    """Return the table as a dictionary of columns."""
    table = json.loads((GOLDEN / f"{NAMES[size]}.json").read_text())
    columns = dict(zip(table["columns"], zip(*table["rows"], strict=True), strict=True))
    return {name: _values(column) for name, column in columns.items()}


def _values(column):
    if name_like(column[0]):
        return np.array(column)
    return np.array([v if isinstance(v, int) else float.fromhex(v) for v in column], float)


def name_like(value):
    return isinstance(value, str) and value in ("clamp", "stretch", "nan")


def vectors(table, *prefixes, size):
    """Return the parts of vectors joined: "p" for the target, "" for the joint."""
    return [np.stack([table[f"{p}{part}"] for part in "xyz"[:size]], axis=-1) for p in prefixes]


def asked(table, size):
    """Return the arguments of `reach`."""
    (target,) = vectors(table, "p", size=size)
    given = {"target": target, "r1": table["r1"], "r2": table["r2"], "side": table["side"]}
    return given | ({"pole": vectors(table, "n", size=size)[0]} if size == 3 else {})


def rows_of(given, rows):
    return {name: value[rows] for name, value in given.items()}


def assert_same(have, want, message=""):
    """Every number the same; NaN equals NaN, and -0.0 equals 0.0."""
    np.testing.assert_array_equal(have, want, err_msg=str(message))


# --- the golden vectors -------------------------------------------------------------------


@both_sizes
@pytest.mark.parametrize("word", ["clamp", "stretch", "nan"])
def test_numpy_answers_the_golden_vectors(word, size):
    table = golden(size)
    rows = table["unreachable"] == word
    table = {name: column[rows] for name, column in table.items()}
    assert len(table["r1"]) > 50
    joint, end = vectors(table, "", "end_", size=size)
    found = twobone.reach(**asked(table, size), unreachable=word)
    assert_same(found.joint, joint)
    assert_same(found.end, end)
    assert_same(found.status, table["status"])


@both_sizes
@pytest.mark.parametrize("chunk", [1, 7, 613])
def test_numpy_answers_the_golden_vectors_in_pieces_of_any_size(chunk, size):
    table = golden(size)
    joint, end = vectors(table, "", "end_", size=size)
    given, words = asked(table, size), table["unreachable"]
    for start in range(0, len(words), chunk if chunk > 1 else 17):
        rows = slice(start, start + chunk)
        word = words[start]
        if np.any(words[rows] != word):
            continue
        found = twobone.reach(**rows_of(given, rows), unreachable=str(word))
        assert_same(found.joint, joint[rows], start)
        assert_same(found.end, end[rows], start)
        assert_same(found.status, table["status"][rows], start)


@both_sizes
def test_python_floats_answer_the_golden_vectors(size):
    table = golden(size)
    rows = table["unreachable"] == "clamp"
    table = {name: column[rows] for name, column in table.items()}
    (joint,) = vectors(table, "", size=size)
    assert_same(by_floats(asked(table, size)), joint)


def test_the_function_that_is_printed_answers_the_golden_vectors():
    table = golden(3)
    rows = table["unreachable"] == "clamp"
    table = {name: column[rows] for name, column in table.items()}
    given, (joint,) = asked(table, 3), vectors(table, "", size=3)
    columns = [given[name] for name in ("target", "r1", "r2", "pole", "side")]
    found = [one.joint_xyz(FLOATS, FLOAT64, *row) for row in np.column_stack(columns).tolist()]
    assert_same(found, joint)


@both_sizes
def test_the_golden_joints_are_exact_to_the_last_bits(size):
    table = golden(size)
    rows = (table["unreachable"] == "clamp") & (table["status"] == Status.REACHED)
    given, joint = rows_of(asked(table, size), rows), vectors(table, "", size=size)[0][rows]
    checked = 0
    for i, p in enumerate(given["target"].tolist()):
        pole = given["pole"][i].tolist() if size == 3 else None
        if any(p) and not (pole and sine(p, pole) < 1e-6):
            r1, side = float(given["r1"][i]), int(given["side"][i])
            exact = exact_joint(p, r1, given["r2"][i], side, pole)
            assert exact.error(joint[i].tolist(), spacing(2.0**-52, r1)) <= 2.5, (p, r1, pole)
            checked += 1
    assert checked > 500


def sine(u, v):
    u, v = (np.array(w) / (np.hypot.reduce(w) or 1.0) for w in (u, v))
    return float(np.linalg.norm(np.cross(u, v)))


@both_sizes
def test_the_golden_vectors_know_every_status(size):
    table = golden(size)
    wanted = {1, 2, 3, 4} | {0}
    assert set(table["status"].tolist()) == wanted


# --- arrays and floats --------------------------------------------------------------------


def by_floats(given):
    """Answer row by row with Python floats."""
    solve = twobone.solve_xy if given["target"].shape[-1] == 2 else twobone.solve_xyz
    columns = [given["target"], given["r1"], given["r2"], given.get("pole"), given["side"]]
    columns = [column for column in columns if column is not None]
    return np.array([solve(*row) for row in np.column_stack(columns).tolist()])


def random_limbs(size, count, seed=3):
    """Return limbs of all families, mixed, so that easy and hard rows stand side by side."""
    rng = np.random.default_rng(seed)
    each = -(-count // len(FAMILIES))
    parts = zip(*(make(name, np.float64, size, each, rng) for name in FAMILIES), strict=True)
    names = ("target", "r1", "r2", "side", "pole")
    order = rng.permutation(each * len(FAMILIES))[:count]
    joined = zip(names, parts, strict=True)
    return {k: np.concatenate(part)[order] for k, part in joined if part[0] is not None}


@both_sizes
def test_arrays_and_python_floats_give_the_same_bits(size):
    given = random_limbs(size, 10_000)
    assert_same(by_floats(given), twobone.solve(**given))


# --- the shape of the arrays makes no bit of difference -----------------------------------


@both_sizes
@pytest.mark.parametrize("count", [engine.BLOCK - 1, engine.BLOCK, engine.BLOCK + 1, 40_001])
def test_where_a_block_ends_makes_no_difference(count, size):
    given = random_limbs(size, count, seed=count)
    whole = twobone.reach(**given)
    for start in (0, 1, engine.BLOCK // 2, count - 9):
        rows = slice(start, start + 1000)
        part = twobone.reach(**rows_of(given, rows))
        assert_same(part.joint, whole.joint[rows])
        assert_same(part.end, whole.end[rows])
        assert_same(part.status, whole.status[rows])


@both_sizes
def test_the_layout_in_memory_makes_no_difference(size):
    given = random_limbs(size, 3 * engine.BLOCK)
    want = twobone.solve(**given)
    fortran = {name: np.asfortranarray(value) for name, value in given.items()}
    assert_same(twobone.solve(**fortran), want)
    backwards = {name: value[::-1] for name, value in given.items()}
    assert_same(twobone.solve(**backwards), want[::-1])
    wide = {name: np.repeat(value, 2, axis=0)[::2] for name, value in given.items()}
    assert_same(twobone.solve(**wide), want)
    shaped = {name: value.reshape(3, 64, -1, *value.shape[1:]) for name, value in given.items()}
    assert_same(twobone.solve(**shaped), want.reshape(3, 64, -1, size))
    swapped = {name: value.astype(value.dtype.newbyteorder(">")) for name, value in given.items()}
    assert_same(twobone.solve(**swapped), want)
    out = np.full((2 * len(want), size), np.nan)
    assert_same(twobone.solve(**given, out=out[::2]), want)
    assert_same(out[::2], want)


@both_sizes
def test_broadcasting_makes_no_difference(size):
    given = random_limbs(size, 150)
    want = {name: value for name, value in given.items() if name != "target"}
    grid = twobone.solve(given["target"][:, None], **{k: v[None] for k, v in want.items()})
    for i in range(0, 150, 7):
        full = {name: np.array(np.broadcast_to(v[i], v.shape)) for name, v in want.items()}
        assert_same(grid[:, i], twobone.solve(given["target"], **full))
        single = {name: v[i] for name, v in want.items()}
        assert_same(grid[:, i], twobone.solve(given["target"], **single))
        plain = {name: v[i].tolist() for name, v in want.items()}
        assert_same(grid[:, i], twobone.solve(given["target"], **plain))


@both_sizes
def test_one_limb_gives_the_same_bits_as_many(size):
    given = random_limbs(size, 300)
    many = twobone.reach(**given)
    for i in range(300):
        found = twobone.reach(**{name: value[i] for name, value in given.items()})
        assert_same(found.joint, many.joint[i])
        assert_same(found.end, many.end[i])
        assert found.status == many.status[i]


@both_sizes
def test_both_answers_are_those_of_either_side(size):
    given = random_limbs(size, 3000)
    given.pop("side")
    both = twobone.solve_both(**given)
    assert_same(both[:, 0], twobone.solve(**given, side=1))
    assert_same(both[:, 1], twobone.solve(**given, side=-1))
