"""Every row of the edge table, in the plane and in space, as arrays and as floats."""

import itertools
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import twobone
from twobone import Status

EPS = 2.0**-52
LENGTHS = [(1.0, 1.0), (1.0, 0.3), (0.3, 1.0), (1.6, 1.2), (3e-7, 5e-7), (4e11, 0.7), (0.7, 4e11)]
ANGLES = np.linspace(0.1, 6.2, 23)


def way(angle, size):
    """Return a direction, in the plane or tilted in space."""
    flat = [math.cos(angle), math.sin(angle)]
    return np.array(flat if size == 2 else [flat[0], flat[1] * 0.8, flat[1] * 0.6])


def pole(size):
    return {} if size == 2 else {"pole": [0.3, -0.2, 1.0]}


def reach(target, r1, r2, **options):
    found = twobone.reach(target, r1, r2, **options)
    return found.joint, found.end, Status(found.status)


def length(vector):
    return math.hypot(*vector)


def lengths_hold(joint, end, r1, r2, tolerance=6 * EPS):
    assert abs(length(joint) - r1) <= tolerance * r1
    assert abs(length(end - joint) - r2) <= tolerance * max(r1, r2)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(("r1", "r2"), LENGTHS)
def test_a_target_at_full_reach_is_reached_straight_whatever_the_rounding(r1, r2, size):
    for angle in ANGLES:
        target = (r1 + r2) * way(angle, size)
        for nudge in (1 - EPS, 1.0, 1 + EPS):
            joint, end, status = reach(target * nudge, r1, r2, **pole(size))
            assert status == Status.REACHED
            lengths_hold(joint, end, r1, r2)
            assert length(end - target) <= 6 * EPS * (r1 + r2)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(("r1", "r2"), [(1.0, 0.3), (0.3, 1.0), (1.6, 1.2), (2.0, 0.5)])
def test_a_target_at_the_inner_edge_is_reached_folded_whatever_the_rounding(r1, r2, size):
    for angle in ANGLES:
        target = (r1 - r2) * way(angle, size)
        for nudge in (1 - EPS, 1.0, 1 + EPS):
            joint, end, status = reach(target * nudge, r1, r2, **pole(size))
            assert status == Status.REACHED
            lengths_hold(joint, end, r1, r2)
            assert length(end - target) <= 6 * EPS * (r1 + r2)


@pytest.mark.parametrize("r1", [1.0, 1.6, 0.3])
def test_through_full_reach_the_joint_moves_no_more_than_the_root_demands(r1):
    r2 = 1.2
    steps = (r1 + r2) * (1 + np.arange(-4000, 4000) * 2.0**-50)
    joint = twobone.solve(np.stack([steps, 0 * steps], axis=-1), r1, r2)
    # The height of the joint is the root of 2 r1 r2 left / (r1 + r2), `left` to full reach.
    allowed = 1.1 * np.sqrt(2 * r1 * r2 / (r1 + r2) * np.diff(steps))
    assert np.all(np.abs(np.diff(joint[:, 1])) <= allowed)
    assert np.all(np.abs(np.diff(joint[:, 0])) <= allowed)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(("r1", "r2"), LENGTHS)
def test_a_target_too_far_is_pointed_at_straight(r1, r2, size):
    for angle, factor in itertools.product(ANGLES[:7], (1 + 1e-14, 1.5, 1e9)):
        direction = way(angle, size)
        joint, end, status = reach(factor * (r1 + r2) * direction, r1, r2, **pole(size))
        assert status == Status.TOO_FAR
        np.testing.assert_allclose(joint, r1 * direction, rtol=0, atol=4 * EPS * r1)
        np.testing.assert_allclose(end, (r1 + r2) * direction, rtol=0, atol=8 * EPS * (r1 + r2))


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(("r1", "r2"), [(1.0, 0.3), (0.3, 1.0), (1.6, 1.2), (0.7, 4e11)])
def test_a_target_too_near_is_pointed_at_folded(r1, r2, size):
    for angle, factor in itertools.product(ANGLES[:7], (1 - 1e-14, 0.5, 1e-9)):
        direction = way(angle, size)
        joint, end, status = reach(factor * abs(r1 - r2) * direction, r1, r2, **pole(size))
        assert status == Status.TOO_NEAR
        sign = 1 if r1 > r2 else -1
        np.testing.assert_allclose(joint, sign * r1 * direction, rtol=0, atol=4 * EPS * r1)
        np.testing.assert_allclose(
            end, abs(r1 - r2) * direction, rtol=0, atol=8 * EPS * max(r1, r2)
        )


@pytest.mark.parametrize("side", [1, -1])
def test_a_target_at_the_root_of_equal_bones_lies_as_if_on_x_in_the_plane(side):
    for r in (1.0, 0.3, 1e-300, 1e300, 5e-324):
        joint, end, status = reach([0.0, 0.0], r, r, side=side)
        assert joint.tolist() == [0.0, side * r]
        assert end.tolist() == [0.0, 0.0]
        assert status == Status.AMBIGUOUS


@pytest.mark.parametrize("side", [1, -1])
def test_a_target_at_the_root_of_equal_bones_bends_along_the_pole_in_space(side):
    for direction in (
        [0.0, 0.0, 2.0],
        [1.0, 2.0, 2.0],
        [-3e200, 0.0, 4e200],
        [0.6e-300, 0, 0.8e-300],
    ):
        unit = np.array(direction) / max(abs(part) for part in direction)
        unit /= length(unit)
        joint, end, status = reach([0.0, 0.0, 0.0], 2.0, 2.0, pole=direction, side=side)
        np.testing.assert_allclose(joint, side * 2 * unit, rtol=0, atol=8 * EPS)
        assert end.tolist() == [0.0, 0.0, 0.0]
        assert status == Status.AMBIGUOUS


@pytest.mark.parametrize(
    ("r1", "r2", "x"), [(2.0, 0.5, 2.0), (0.5, 2.0, -0.5), (1.0, 1 + EPS, -1.0)]
)
def test_a_target_at_the_root_of_unequal_bones_folds_along_x_in_the_plane(r1, r2, x):
    joint, end, status = reach([0.0, 0.0], r1, r2)
    assert joint.tolist() == [x, 0.0]
    assert end.tolist() == [abs(r1 - r2), 0.0]
    assert status == Status.TOO_NEAR


@pytest.mark.parametrize(
    "direction", [[0.0, 0.0, 2.0], [1.0, 2.0, 3.0], [0.0, -1e-200, 0.0], [0, 0, 0]]
)
def test_a_target_at_the_root_of_unequal_bones_folds_square_to_the_pole_in_space(direction):
    joint, end, status = reach([0.0, 0.0, 0.0], 2.0, 0.5, pole=direction)
    assert abs(np.dot(joint, direction)) <= 4 * EPS * length(direction)
    assert abs(length(joint) - 2.0) <= 4 * EPS
    assert abs(length(end) - 1.5) <= 4 * EPS
    assert status == Status.TOO_NEAR
    if direction == [0, 0, 0]:
        assert joint.tolist() == [2.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "target",
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, -0.4, 1.0], [-1.0, -1.0, -1.0], [1e-5, 1.0, 1e-9]],
)
@pytest.mark.parametrize("factor", [0.0, 1.0, -1.0, 0.1, 1e-200, -7e150])
def test_a_pole_that_is_zero_or_along_the_way_gives_way_to_the_axis_least_along_the_target(
    target, factor
):
    pole = np.multiply(target, factor)
    joint, end, status = reach(target, 1.0, 1.2, pole=pole)
    assert status == Status.AMBIGUOUS
    lengths_hold(joint, end, 1.0, 1.2)
    assert end.tolist() == target
    axis = np.eye(3)[np.argmin(np.abs(target))]
    np.testing.assert_allclose(
        joint, twobone.solve(target, 1.0, 1.2, pole=axis), rtol=0, atol=4 * EPS
    )


def test_a_straight_limb_needs_no_pole_so_nothing_is_ambiguous():
    assert reach([2.0, 0.0, 0.0], 1.0, 1.0, pole=[1.0, 0.0, 0.0])[2] == Status.REACHED
    assert reach([3.0, 0.0, 0.0], 1.0, 1.0, pole=[0.0, 0.0, 0.0])[2] == Status.TOO_FAR
    assert reach([1.0, 0.0, 0.0], 3.0, 2.0, pole=[-2.0, 0.0, 0.0])[2] == Status.REACHED


@pytest.mark.parametrize("size", [2, 3])
def test_a_limb_of_one_bone_or_none_is_exact(size):
    direction = np.eye(size)[0] * 0.6 + np.eye(size)[1] * 0.8
    for first, second in ((1.0, 0.0), (0.0, 1.0)):
        for factor, wanted in ((1.0, 0), (2.0, 1), (0.5, 2)):
            joint, end, status = reach(factor * direction, first, second, **pole(size))
            assert status == wanted
            np.testing.assert_allclose(joint, first * direction, rtol=0, atol=2 * EPS)
            np.testing.assert_allclose(end, direction, rtol=0, atol=4 * EPS)
    none = np.zeros(size)
    joint, end, status = reach(none, 0.0, 0.0, **pole(size))
    assert (joint.tolist(), end.tolist(), status) == (none.tolist(), none.tolist(), Status.REACHED)
    joint, end, status = reach(direction, 0.0, 0.0, **pole(size))
    assert (joint.tolist(), end.tolist(), status) == (none.tolist(), none.tolist(), Status.TOO_FAR)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("unit", [5e-324, 1e-320, 1e-300, 1e-160, 1e160, 1e300, 4.9e307])
def test_the_smallest_and_the_largest_numbers_are_as_good_as_any(unit, size):
    target = np.array([3.0, 1.0, 2.0][:size]) * unit
    r1, r2 = 2 * unit, 3 * unit
    joint, end, status = reach(target, r1, r2, **pole(size))
    assert status == Status.REACHED
    assert end.tolist() == target.tolist()
    assert np.all(np.isfinite(joint))
    usual = twobone.solve(np.array([3.0, 1.0, 2.0][:size]), 2.0, 3.0, **pole(size))
    spacing = max(8 * EPS, 5e-324 / unit)
    np.testing.assert_allclose(joint / unit, usual, rtol=0, atol=spacing)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_bones_of_very_different_lengths_keep_the_accuracy_of_the_short_one(dtype):
    most = 2.0**40 if dtype == "float64" else 2.0**20
    one = np.ones((), dtype)
    joint, _, status = reach(np.array([most, 0.0], dtype), one, (most * one).astype(dtype))
    assert status == Status.REACHED
    assert joint.dtype == dtype
    assert abs(float(joint[0]) - 0.5 / most) <= np.finfo(dtype).eps
    assert abs(float(joint[1]) - 1.0) <= np.finfo(dtype).eps


BAD = [math.nan, math.inf, -math.inf]


@pytest.mark.parametrize("size", [2, 3])
def test_invalid_values_give_nan_and_invalid_in_their_row_alone(size):
    good = np.array([1.0, 0.5, 0.25][:size])
    rows = [dict(target=good, r1=1.0, r2=1.0, side=1.0, pole=[0.0, 0.0, 1.0])]
    for bad, place in itertools.product(BAD, range(size)):
        spoiled = good.copy()
        spoiled[place] = bad
        rows.append(rows[0] | {"target": spoiled})
    for name, bad in itertools.product(("r1", "r2"), [*BAD, -1.0, -5e-324]):
        rows.append(rows[0] | {name: bad})
    rows += [rows[0] | {"side": side} for side in (0.0, 2.0, -0.5, *BAD)]
    if size == 3:
        rows += [rows[0] | {"pole": [bad, 0.0, 1.0]} for bad in BAD]
    rows.append(rows[0])
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    if size == 2:
        del columns["pole"]
    found = twobone.reach(**columns)
    alone = twobone.reach(**{name: value[0] for name, value in columns.items()})
    for row in (0, -1):
        assert found.joint[row].tolist() == alone.joint.tolist()
        assert found.status[row] == Status.REACHED
    assert np.all(found.status[1:-1] == Status.INVALID)
    assert np.all(np.isnan(found.joint[1:-1]))
    assert np.all(np.isnan(found.end[1:-1]))


def test_numbers_of_any_size_and_kind_are_floats_or_infinite():
    for target in (
        [10**30, 2**63],
        [Fraction(10**30), Decimal(2**63)],
        np.array([10**30, 2**63], object),
    ):
        want = twobone.solve([1e30, 2.0**63], 1e30, 1.0)
        np.testing.assert_array_equal(twobone.solve(target, 10**30, 1), want)
        assert twobone.solve_xy(*target, 10**30, 1) == tuple(want)
    for huge in (10**400, -(10**400)):
        assert reach([huge, 1], 1.0, 1.0)[2] == Status.INVALID
        assert reach([1, 1], huge, 1.0)[2] == Status.INVALID
        assert np.all(np.isnan(twobone.solve_xy(1.0, huge, 1.0, 1.0)))
        assert np.all(np.isnan(twobone.solve_xy(1.0, 1.0, 1.0, 1.0, huge)))
        assert np.all(np.isnan(twobone.solve_xyz(1.0, 1.0, 1.0, 1.0, 1.0, huge, 0.0, 0.0)))


def test_what_is_too_large_for_the_dtype_is_infinite_without_a_warning(xp):
    for target, options in (
        (xp([1.0, 1.0], "float32"), {"r1": 1e300}),
        (xp([1.0, 1.0], "float32"), {"r1": 10**400}),
        (xp([3e38, 0.0], "float32"), {"root": [-3e38, 0.0]}),
        (xp([1e308, 0.0]), {"root": [-1e308, 0.0]}),
        (xp([1.0, 0.0]), {"root": [math.inf, 0.0]}),
    ):
        found = twobone.reach(target, **{"r1": 1.0, "r2": 1.0} | options)
        assert int(found.status) == Status.INVALID
        assert np.all(np.isnan(xp.back(found.joint)))
        assert np.all(np.isnan(xp.back(found.end)))
    found = twobone.reach(xp([1e308, 1e308]), 1e308, 1e308, root=[0.0, 1e308])
    assert int(found.status) == Status.REACHED
    assert xp.back(found.joint)[1] == math.inf


def test_dask_is_silent_about_what_is_too_large_too():
    da = pytest.importorskip("dask.array", reason="dask is not installed")
    target = da.from_array(np.array([[3e38, 0.0], [1.0, 1.0]], np.float32), chunks=1)
    root = np.array([-3e38, 0.0], np.float32)
    assert twobone.reach(target, 1.0, 1.0, root=root).status.compute().tolist() == [4, 1]
    assert twobone.reach(target, 1e300, 1.0).status.compute().tolist() == [4, 4]


def test_floats_answer_every_edge_with_the_bits_of_arrays():
    numbers = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 1e-300, 1e300, 5e-324, math.nan, math.inf, 1 + EPS]
    lengths = [0.0, 1.0, 0.5, 2.0, 1e-300, 1e300, -1.0, math.nan]
    rows = np.array(list(itertools.product(numbers, numbers, lengths, lengths)))
    joints = twobone.solve(rows[:, :2], rows[:, 2], rows[:, 3])
    assert_same_floats([twobone.solve_xy(*row) for row in rows.tolist()], joints)
    rows = np.array(list(itertools.product(numbers, numbers, lengths[:5], numbers, numbers[:6])))
    targets = np.stack([rows[:, 0], np.full(len(rows), 0.5), rows[:, 1]], axis=-1)
    poles = np.stack([rows[:, 3], rows[:, 4], np.zeros(len(rows))], axis=-1)
    joints = twobone.solve(targets, rows[:, 2], 1.0, pole=poles)
    limbs = zip(targets.tolist(), rows[:, 2].tolist(), poles.tolist(), strict=True)
    found = [twobone.solve_xyz(*p, r1, 1.0, *pole) for p, r1, pole in limbs]
    assert_same_floats(found, joints)


def assert_same_floats(found, wanted):
    """See that numbers are equal, and zeros of one sign; NaN equals NaN."""
    np.testing.assert_array_equal(found, wanted)
    zero = wanted == 0.0
    np.testing.assert_array_equal(np.signbit(found)[zero], np.signbit(wanted)[zero])


@pytest.mark.parametrize("size", [2, 3])
def test_a_limb_without_length_is_at_the_root_as_the_documents_say(size):
    pole = None if size == 2 else [0.0, 0.0, 1.0]
    targets = np.eye(size)[:2] * [[0.0], [1.0]]
    for unreachable in ("clamp", "nan"):
        found = twobone.reach(targets, 0.0, 0.0, pole=pole, unreachable=unreachable)
        assert found.status.tolist() == [Status.REACHED, Status.TOO_FAR]
        assert not np.any(found.joint[: 1 if unreachable == "nan" else 2])
        assert not np.any(found.end[: 1 if unreachable == "nan" else 2])
    page = Path(__file__).parents[2] / "docs/edge-cases.md"
    row = "| both bones have length 0 | REACHED at the root, TOO_FAR elsewhere |"
    assert row in page.read_text(encoding="utf-8")
