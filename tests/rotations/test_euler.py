"""Euler angles: the same rotation to 4 eps, also at gimbal lock, and always the nearest triple."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slow import all_but
from twobone import ArrayTypeError, ShapeError, rotations

EPS = 2.0**-52
ORDERS = ["".join(o) for o in itertools.product("XYZ", repeat=3) if o[0] != o[1] != o[2]]
TAIT_BRYAN = [order for order in ORDERS if len(set(order)) == 3]
PAIRS = ["".join(o) for o in itertools.permutations("XYZ", 2)]
LOCK = np.pi / 2
Q = [0.0, 0.0, 0.0, 1.0]


def lock_of(order):
    """Return the second angle at which the first and the third are about one axis."""
    return LOCK if order in TAIT_BRYAN else 0.0


def exact(angles, order):
    """Return the quaternion of Euler angles in 60 digits, as a product of rotations."""
    with mpmath.workdps(60):
        x, y, z, w = mpmath.mpf(0), mpmath.mpf(0), mpmath.mpf(0), mpmath.mpf(1)
        for angle, axis in zip(angles, order, strict=True):
            half = mpmath.mpf(float(angle)) / 2
            v = [mpmath.sin(half) if letter == axis else mpmath.mpf(0) for letter in "XYZ"]
            a, b, c, d = *v, mpmath.cos(half)
            x, y, z, w = (
                w * a + x * d + y * c - z * b,
                w * b + y * d + z * a - x * c,
                w * c + z * d + x * b - y * a,
                w * d - x * a - y * b - z * c,
            )
        return np.array([x, y, z, w])


def error(q, angles, order):
    """Return how far a quaternion and Euler angles are apart, in eps, exactly."""
    with mpmath.workdps(60):
        given = np.array([mpmath.mpf(float(part)) for part in q])
        given /= mpmath.sqrt(sum(given**2))
        found = exact(angles, order)
        apart = min(max(abs(given - found)), max(abs(given + found)))
        return float(apart / EPS)


def apart(p, q):
    """Return by how many eps rows of quaternions differ, as rotations."""
    return np.minimum(np.abs(p - q).max(axis=-1), np.abs(p + q).max(axis=-1)) / EPS


def triples(order, count, seed=3):
    """Return random triples; half of them are near gimbal lock, by 1 down to 1e-18, or at it."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, (count, 3))
    off = 10.0 ** rng.uniform(-18.0, 0.0, count) * rng.choice([-1, 0, 1], count)
    lock = (2 * rng.integers(-1, 1, count) + 1) * LOCK + (lock_of(order) - LOCK) + off
    angles[::2, 1] = lock[::2]
    return angles


# --- the same rotation --------------------------------------------------------------------


@pytest.mark.parametrize("order", [*ORDERS, *PAIRS, "X", "Y", "Z"])
def test_a_quaternion_is_the_exact_product_to_4_eps(order):
    angles = triples(order, 40)[:, : len(order)]
    quaternions = rotations.euler_to_quaternion(angles, order)
    for one, q in zip(angles, quaternions, strict=True):
        assert error(q, one, order) < 4.0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("near", ["none", "own", "other"])
def test_angles_give_the_rotation_back_to_4_eps(order, near):
    angles = triples(order, 60)
    q = rotations.euler_to_quaternion(angles, order)
    if near == "other":
        angles = angles + np.random.default_rng(4).normal(size=angles.shape)
    found = rotations.quaternion_to_euler(q, order, None if near == "none" else angles)
    for one, back in zip(q, found, strict=True):
        assert error(one, back, order) < 4.0


@pytest.mark.parametrize("order", all_but(ORDERS, "ZYX", "YXY"))
@given(
    q=st.tuples(*[st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e-9, -1e-16, 1e-200])] * 4),
    near=st.tuples(*[st.sampled_from([0.0, LOCK, -LOCK, 1.0, np.pi, -3.0])] * 3),
)
def test_special_quaternions_and_angles_too(order, q, near):
    if not any(q):
        q = Q
    for found in (
        rotations.quaternion_to_euler(q, order),
        rotations.quaternion_to_euler(q, order, near),
    ):
        assert error(q, found, order) < 4.0


@pytest.mark.parametrize("order", ORDERS)
def test_scipy_agrees(order):
    transform = pytest.importorskip("scipy.spatial.transform", reason="scipy is not installed")
    angles = np.random.default_rng(5).uniform(-np.pi, np.pi, (1000, 3))
    q = rotations.euler_to_quaternion(angles, order)
    assert apart(q, transform.Rotation.from_euler(order, angles).as_quat()).max() < 4.0
    theirs = transform.Rotation.from_quat(q).as_euler(order)
    np.testing.assert_allclose(rotations.quaternion_to_euler(q, order), theirs, atol=1e-12)


def test_the_usual_formula_is_far_less_exact_near_gimbal_lock():
    """A test of the test: an arcsine loses half of the digits, and the error above sees it."""
    q = rotations.euler_to_quaternion([0.3, LOCK - 1e-8, 0.2], "ZYX")
    ours = rotations.quaternion_to_euler(q, "ZYX")
    usual = ours.copy()
    usual[1] = np.arcsin(2.0 * (q[3] * q[1] - q[2] * q[0]))
    assert error(q, ours, "ZYX") < 4.0
    assert error(q, usual, "ZYX") > 1e6


# --- the nearest triple -------------------------------------------------------------------


def every_triple(angles, order):
    """Return the triples that mean the same rotation, up to two turns away."""
    a, b, c = angles
    mirrored = np.pi - b if order in TAIT_BRYAN else -b
    for one in ((a, b, c), (a + np.pi, mirrored, c + np.pi)):
        for turns in itertools.product(range(-2, 3), repeat=3):
            yield np.add(one, 2.0 * np.pi * np.array(turns))


@pytest.mark.parametrize("order", ORDERS)
def test_no_other_triple_is_nearer(order):
    rng = np.random.default_rng(6)
    for angles, near in zip(triples(order, 30), rng.uniform(-5.0, 5.0, (30, 3)), strict=True):
        q = rotations.euler_to_quaternion(angles, order)
        found = rotations.quaternion_to_euler(q, order, near)
        best = min(np.linalg.norm(each - near) for each in every_triple(angles, order))
        assert np.linalg.norm(found - near) <= best + 1e-9


@pytest.mark.parametrize("order", ORDERS)
def test_the_angles_of_a_file_come_back_whatever_branch_and_turn_they_are_on(order):
    angles = triples(order, 400) + 2.0 * np.pi * np.random.default_rng(7).integers(-2, 3, (400, 3))
    q = rotations.euler_to_quaternion(angles, order)
    for sign in (1.0, -1.0):
        found = rotations.quaternion_to_euler(sign * q, order, angles)
        np.testing.assert_allclose(found, angles, rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_at_gimbal_lock_both_angles_change_alike(order, side):
    second = side * LOCK + (lock_of(order) - LOCK)
    angles, near = np.array([0.5, second, 0.2]), np.array([0.7, second, 2.0])
    found = rotations.quaternion_to_euler(rotations.euler_to_quaternion(angles, order), order, near)
    first, third = np.abs(found - near)[[0, 2]]
    assert first == pytest.approx(third, abs=1e-14)
    assert found[1] == pytest.approx(second, abs=4 * EPS)
    assert (
        apart(
            rotations.euler_to_quaternion(found, order),
            rotations.euler_to_quaternion(angles, order),
        )
        < 4.0
    )


@pytest.mark.parametrize("order", TAIT_BRYAN)
def test_without_a_neighbour_angles_are_the_conventional_ones(order):
    q = np.random.default_rng(8).normal(size=(1000, 4))
    found = rotations.quaternion_to_euler(q, order)
    assert np.all(np.abs(found[:, [0, 2]]) <= np.pi)
    assert np.all(np.abs(found[:, 1]) <= LOCK)
    locked = rotations.euler_to_quaternion([0.5, LOCK, 0.2], order)
    assert rotations.quaternion_to_euler(locked, order)[2] == 0.0


# --- one and two axes ---------------------------------------------------------------------


@pytest.mark.parametrize("order", [*PAIRS, "X", "Y", "Z"])
def test_fewer_axes_there_and_back(order):
    angles = triples("XYZ", 400)[:, : len(order)]
    angles[1::4, -1] = np.pi
    q = rotations.euler_to_quaternion(angles, order)
    found = rotations.quaternion_to_euler(-q, order, angles)
    np.testing.assert_allclose(found, angles, rtol=0.0, atol=4.0 * EPS)
    assert np.all(np.abs(rotations.quaternion_to_euler(q, order)) <= np.pi + EPS)


def test_one_axis_gives_the_twist():
    q = rotations.euler_to_quaternion([0.4, 0.3], "ZX")
    assert rotations.quaternion_to_euler(q, "Z")[0] == pytest.approx(0.4)
    assert rotations.quaternion_to_euler([1.0, 0.0, 0.0, 0.0], "Z")[0] == 0.0


# --- arrays and errors --------------------------------------------------------------------


def test_every_library(xp):
    angles = xp([[0.3, 0.2, 0.1], [0.3, LOCK, 0.1]])
    q = xp.compiled(lambda angles: rotations.euler_to_quaternion(angles, "ZXY"))(angles)
    back = xp.compiled(lambda q, near: rotations.quaternion_to_euler(q, "ZXY", near))
    np.testing.assert_allclose(xp.back(back(q, angles)), xp.back(angles), atol=1e-14)


def test_float32_stays_float32():
    angles = triples("ZXY", 100).astype(np.float32)
    q = rotations.euler_to_quaternion(angles, "ZXY")
    found = rotations.quaternion_to_euler(q, "ZXY", angles)
    assert found.dtype == q.dtype == np.float32
    back = rotations.euler_to_quaternion(found, "ZXY")
    assert apart(back, q).max() < 4.0 * 2.0**29


def test_gradients_are_finite_at_gimbal_lock():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for b in (LOCK, -LOCK, 0.2):
        q = torch.tensor(rotations.euler_to_quaternion([0.3, b, 0.1], "ZXY"), requires_grad=True)
        for near in (None, [0.3, b, 0.1]):
            (slope,) = torch.autograd.grad(rotations.quaternion_to_euler(q, "ZXY", near).sum(), q)
            assert torch.isfinite(slope).all()


def test_nan_stays_in_its_row_and_0_is_the_identity():
    q = [[np.nan, 0.0, 0.0, 1.0], [0.0] * 4, [np.inf, 0.0, 0.0, 1.0]]
    for order, near in itertools.product(["ZYX", "XYX", "ZX", "Y"], [None, [0.0, 0.0, 0.0]]):
        near = None if near is None else near[: len(order)]
        found = rotations.quaternion_to_euler(q, order, near)
        assert np.isnan(found[[0, 2]]).all()
        assert (found[1] == 0.0).all()


@pytest.mark.parametrize("order", ["zyx", "", "XX", "XYY", "XYZX", "ABC", None])
def test_an_order_that_is_none_is_refused(order):
    with pytest.raises(ArrayTypeError, match="order"):
        rotations.euler_to_quaternion([0.0, 0.0, 0.0], order)
    with pytest.raises(ArrayTypeError, match="order"):
        rotations.quaternion_to_euler(Q, order)


def test_as_many_angles_as_axes():
    with pytest.raises(ShapeError, match=r"\(\.\.\., 2\)"):
        rotations.euler_to_quaternion([0.0, 0.0, 0.0], "XY")
    with pytest.raises(ShapeError, match="near"):
        rotations.quaternion_to_euler(Q, "XYZ", [0.0, 0.0])
