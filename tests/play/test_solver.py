"""The page's solver gives the same bits as Python: golden vectors, all families, policies."""

import math

import numpy as np
import pytest

import goldens
import twobone
from families import FAMILIES, make, make_bits
from goldens import ANSWER, assert_same, golden
from twobone import Limits, Soft, Status, Stretch

WORDS = ("clamp", "stretch", "nan")
FAULTS = (math.nan, math.inf, -math.inf)

both_sizes = pytest.mark.parametrize("size", [2, 3])


@pytest.fixture
def solver(modules):
    """Return a function that runs an expression in which `twobone` is the solver of the page."""
    return lambda expression, given=None: modules({"solver": "twobone"}, expression, given)


def answers(solver, given, unreachable="clamp"):
    return goldens.answers(lambda rows: solver(f"({ANSWER})(given)", rows), given, unreachable)


def limbs(size, count, seed, names=(*FAMILIES, "bits")):
    """Return limbs of some families, mixed; "bits" are random bit patterns."""
    rng = np.random.default_rng(seed)
    each = -(-count // len(names))
    kinds = [
        make_bits(np.float64, size, each, rng)
        if name == "bits"
        else make(name, np.float64, size, each, rng)
        for name in names
    ]
    order = rng.permutation(each * len(kinds))[:count]
    words = ("target", "r1", "r2", "side", "pole")
    joined = zip(words, zip(*kinds, strict=True), strict=True)
    return {word: np.concatenate(v)[order] for word, v in joined if v[0] is not None}


def at_the_brinks(size, count, seed):
    """Return limbs whose numbers lie where another way of computing begins, or just beside."""
    rng = np.random.default_rng(seed)
    brinks, shape = [0, 60, 80, 100, 200, 300, 480, 500, 511, 600], (count, 2 * size + 2)

    def powers(*shape):
        return rng.choice(brinks, shape) * rng.choice([-1, 1], shape)

    power = np.where(rng.random(shape) < 0.7, 0, powers(*shape)) + rng.integers(-2, 3, shape)
    power[:, : size + 2] += powers(count, 1)
    power[:, size + 2 :] += powers(count, 1)
    digits = np.where(rng.random(shape) < 0.5, rng.uniform(1.0, 2.0, shape), 1.0)
    values = np.ldexp(digits, np.clip(power, -1022, 1022))
    values[:, :size] *= rng.choice([-1.0, 1.0, 1.0, 0.0], (count, size))
    given = {"target": values[:, :size], "r1": values[:, size], "r2": values[:, size + 1]}
    given["side"] = rng.choice([-1.0, 1.0], count)
    return given | ({"pole": values[:, size + 2 :]} if size == 3 else {})


def shares(least, greatest):
    """Return limits as the page takes them, with Python's sines."""
    limits = Limits(least, greatest)
    return {"least": limits.least._asdict(), "greatest": limits.greatest._asdict()}


# --- the same bits ------------------------------------------------------------------------


@both_sizes
@pytest.mark.parametrize("word", WORDS)
def test_the_page_answers_the_golden_vectors(solver, word, size):
    given, want = golden(size, word)
    assert len(given["r1"]) > 50
    assert_same(answers(solver, given, word), want)


@pytest.mark.sampled(4)
@both_sizes
@pytest.mark.parametrize("word", WORDS)
def test_limbs_of_all_families_have_the_same_bits(solver, word, size):
    given = limbs(size, 5_000, seed=1)
    want = twobone.reach(**given, unreachable=word)
    assert {Status.REACHED, Status.TOO_FAR, Status.TOO_NEAR} <= set(want.status.tolist())
    assert_same(answers(solver, given, word), want)


@pytest.mark.sampled(5)
@both_sizes
@pytest.mark.parametrize("word", WORDS)
def test_limbs_at_the_brinks_have_the_same_bits(solver, word, size):
    given = at_the_brinks(size, 4_000, seed=6)
    assert_same(answers(solver, given, word), twobone.reach(**given, unreachable=word))


POLICIES = {
    "soft": (Soft(0.1), {"soft": 0.1}),
    "very soft": (Soft(0.9), {"soft": 0.9}),
    "hardly soft": (Soft(1e-9), {"soft": 1e-9}),
    "stretch": (Stretch(1.2), {"stretch": 1.2}),
    "stretch on and on": (Stretch(math.inf), {"stretch": math.inf}),
    "limits": (Limits(30, 150), {"limits": shares(30, 150)}),
    "opens only": (Limits(90, 180), {"limits": shares(90, 180)}),
    "hardly opens": (Limits(0, 1e-6), {"limits": shares(0, 1e-6)}),
    "hardly closes": (Limits(179.999, 180), {"limits": shares(179.999, 180)}),
    "opens by halves": (Limits(10, 85), {"limits": shares(10, 85)}),
    "closes by halves": (Limits(95, 170), {"limits": shares(95, 170)}),
    "stiff": (Limits(75, 75), {"limits": shares(75, 75)}),
    "limits and soft": (Limits(20, 160) | Soft(0.2), {"limits": shares(20, 160), "soft": 0.2}),
    "soft and stretch": (Soft(0.2) | Stretch(1.1), {"soft": 0.2, "stretch": 1.1}),
    "limits and stretch": (
        Limits(5, 120) | Stretch(2.0),
        {"limits": shares(5, 120), "stretch": 2.0},
    ),
    "all": (
        Limits(10, 170) | Soft(0.05) | Stretch(1.3),
        {"limits": shares(10, 170), "soft": 0.05, "stretch": 1.3},
    ),
    "none": ("clamp", {"limits": None, "soft": None, "stretch": None}),
    "raise": ("clamp", "raise"),
}


@pytest.mark.sampled(3)
@both_sizes
@pytest.mark.parametrize("name", POLICIES)
def test_policies_have_the_same_bits(solver, name, size):
    policy, options = POLICIES[name]
    given = limbs(size, 1_500, seed=2)
    want = twobone.reach(**given, unreachable=policy)
    if not isinstance(policy, str):
        clamped = twobone.reach(**given)
        assert np.sum(np.any(want.end != clamped.end, axis=-1)) > 200  # it moves something
    assert_same(answers(solver, given, options), want)


@both_sizes
def test_limits_in_degrees_differ_by_rounding_at_most(solver, size):
    given = limbs(size, 5_000, 3, ("generic", "extended", "folded", "out_of_reach", "one_bone"))
    policy = Limits(25, 140) | Soft(0.1) | Stretch(1.3)
    options = {"limits": [25, 140], "soft": 0.1, "stretch": 1.3}
    joint, end, status = answers(solver, given, options)
    want = twobone.reach(**given, unreachable=policy)
    slack = 4.0 * 2.0**-52 * (given["r1"] + np.linalg.norm(want.end, axis=-1))[:, None]
    assert np.all(np.abs(joint - want.joint) <= slack)
    assert np.all(np.abs(end - want.end) <= slack)
    assert np.array_equal(status, want.status)


def test_a_right_angle_in_degrees_is_exact(solver):
    half = {"sin2": 0.5, "cos2": 0.5}
    assert solver("twobone.halfAngle(90)") == half
    given, options = limbs(2, 500, seed=4), {"limits": [90, 90]}
    assert_same(answers(solver, given, options), twobone.reach(**given, unreachable=Limits(90, 90)))


# --- what is invalid, ambiguous, or no limb at all ----------------------------------------


def with_faults(size):
    """Return limbs of which each has one number at fault, or at the brink of it."""
    given = limbs(size, 200, 5, ("generic",))
    row = iter(range(200))
    for name in ("target", "pole")[: size - 1]:
        for part in range(size):
            for fault in FAULTS:
                given[name][next(row), part] = fault
    for name in ("r1", "r2"):
        for fault in (*FAULTS, -1.0, -5e-324, 0.0, -0.0, 5e-324):
            given[name][next(row)] = fault
    for fault in (*FAULTS, 0.0, -0.0, 2.0, 0.5, 1.0 + 2.0**-52):
        given["side"][next(row)] = fault
    at_root = [next(row), next(row)]
    given["target"][at_root] = 0.0
    given["r1"][at_root] = given["r2"][at_root] = 1.5
    if size == 3:
        given["pole"][[at_root[0], next(row)]] = 0.0
        given["pole"][150:] = -3.0 * given["target"][150:]
    return given


@both_sizes
@pytest.mark.parametrize("unreachable", [*WORDS, "soft and stretch"])
def test_what_is_invalid_or_ambiguous_is_so_here_too(solver, unreachable, size):
    given = with_faults(size)
    policy, options = unreachable, unreachable
    if unreachable == "soft and stretch":
        policy, options = POLICIES[unreachable]
    want = twobone.reach(**given, unreachable=policy)
    assert {Status.AMBIGUOUS, Status.INVALID} <= set(want.status.tolist())
    assert_same(answers(solver, given, options), want)


def test_statuses_have_the_same_names_and_order(solver):
    assert solver("twobone.STATUS") == [status.name for status in Status]


def test_an_answer_shares_no_memory_with_the_question(solver):
    text = """(() => {
        const target = [1, 1], {joint, end} = twobone.reach(target, 1, 1);
        end[0] = joint[0] = 7;
        return [target, joint, end];
    })()"""
    assert solver(text) == [[1, 1], [7, 1], [7, 1]]


@pytest.mark.parametrize(
    "call",
    [
        "[1], 1, 1",
        "[1, 1, 1, 1], 1, 1",
        "[1, 1, 1], 1, 1",
        "[1, 1], 1, 1, {pole: [0, 1, 0]}",
        "[1, 1, 1], 1, 1, {pole: [0, 1]}",
        "[1, 1], 1, 1, {unreachable: 'clam'}",
        "[1, 1], 1, 1, {unreachable: 'toString'}",
        "[1, 1], 1, 1, {unreachable: {soft: 0}}",
        "[1, 1], 1, 1, {unreachable: {soft: 1}}",
        "[1, 1], 1, 1, {unreachable: {soft: NaN}}",
        "[1, 1], 1, 1, {unreachable: {stretch: 0.9}}",
        "[1, 1], 1, 1, {unreachable: {limits: [60, 50]}}",
        "[1, 1], 1, 1, {unreachable: {limits: [0, 181]}}",
        "[1, 1], 1, 1, {unreachable: {limits: [-1, 90]}}",
    ],
)
def test_shapes_and_policies_that_make_no_sense_throw(solver, call):
    text = (
        f"(() => {{ try {{ twobone.reach({call}); }} catch (error) {{ return error.name; }} }})()"
    )
    assert solver(text) == "RangeError"
