"""Rotations: what each function promises, in all libraries, and what it says to nonsense."""

import json
from pathlib import Path

import numpy as np
import pytest

from rotations_cases import CASES
from twobone import ArrayTypeError, ShapeError, TwoBoneError, rotations
from twobone.errors import LimitsError

X, Y, Z = np.eye(3)
IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
HALF = np.sqrt(0.5)
EPS = {"float64": 2.0**-52, "float32": 2.0**-23}
NAN, INF = float("nan"), float("inf")

# Functions, the trailing shape of each argument, and how many trailing axes come out.
VECTOR, QUATERNION, MATRIX, NUMBER = (3,), (4,), (3, 3), ()
FUNCTIONS = {
    "shortest_arc": ([VECTOR, VECTOR], QUATERNION),
    "frame": ([VECTOR, VECTOR], QUATERNION),
    "look_at": ([VECTOR, VECTOR], QUATERNION),
    "multiply": ([QUATERNION, QUATERNION], QUATERNION),
    "inverse": ([QUATERNION], QUATERNION),
    "normalize": ([QUATERNION], QUATERNION),
    "rotate": ([QUATERNION, VECTOR], VECTOR),
    "nlerp": ([QUATERNION, QUATERNION, NUMBER], QUATERNION),
    "slerp": ([QUATERNION, QUATERNION, NUMBER], QUATERNION),
    "twist_swing": ([QUATERNION, VECTOR], QUATERNION),
    "quaternion_to_matrix": ([QUATERNION], MATRIX),
    "matrix_to_quaternion": ([MATRIX], QUATERNION),
    "quaternion_to_rotation_vector": ([QUATERNION], VECTOR),
    "rotation_vector_to_quaternion": ([VECTOR], QUATERNION),
    "angle_about": ([VECTOR, VECTOR, VECTOR], NUMBER),
    "clamp_angle": ([NUMBER, NUMBER, NUMBER], NUMBER),
}
with_all = pytest.mark.parametrize("name", FUNCTIONS)


def some(name, count, seed=0):
    """Return arguments of a function that make sense to it."""
    rng = np.random.default_rng(seed)
    arguments = [np.asarray(rng.normal(size=(count, *tail))) for tail in FUNCTIONS[name][0]]
    for i, tail in enumerate(FUNCTIONS[name][0]):
        if tail == QUATERNION:
            arguments[i] = unit(arguments[i])
        if tail == MATRIX:
            arguments[i] = rotations.quaternion_to_matrix(rng.normal(size=(count, 4)))
    if name == "clamp_angle":
        angle, least, more = arguments
        arguments = [4.0 * angle, 4.0 * least, 4.0 * least + np.abs(more)]
    return arguments


def call(name, *arguments):
    """Call a function; of a `TwistSwing` return both quaternions as one array's rows."""
    found = getattr(rotations, name)(*arguments)
    return found.swing if name == "twist_swing" else found


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def close(a, b, eps=8.0):
    return np.testing.assert_allclose(a, b, rtol=0, atol=eps * EPS["float64"])


def random_vectors(*shape, seed=1):
    return np.random.default_rng(seed).normal(size=(*shape, 3))


def random_turns(*shape, seed=2):
    return unit(np.random.default_rng(seed).normal(size=(*shape, 4)))


# --- out of vectors -----------------------------------------------------------------------


def test_the_shortest_arc_brings_a_onto_b_about_an_axis_square_to_both():
    a, b = random_vectors(2, 100)
    q = rotations.shortest_arc(a, 7.0 * b)
    close(rotations.rotate(q, unit(a)), unit(b))
    close(np.sum(q[:, :3] * unit(a), axis=1), 0.0)
    assert np.all(q[:, 3] >= 0.0)


def test_the_shortest_arc_of_equal_or_no_vectors_is_the_identity():
    for a, b in [(X, 5.0 * X), (0.0 * X, X), (X, 0.0 * X), (0.0 * X, 0.0 * X)]:
        assert rotations.shortest_arc(a, b).tolist() == IDENTITY.tolist()


def test_exact_opposites_turn_about_the_given_axis_square_to_them():
    assert rotations.shortest_arc(X, -X, axis=[1.0, 0.0, -3.0]).tolist() == [0.0, 0.0, -1.0, 0.0]
    assert rotations.shortest_arc(1e200 * X, -1e-200 * X, axis=1e-300 * Y).tolist() == [0, 1, 0, 0]
    nearly = rotations.shortest_arc(X, -X, axis=[1.0, 1e-12, 0.0])
    close(nearly, [0.0, 1.0, 0.0, 0.0])


@pytest.mark.parametrize("axis", [None, [0.0, 0.0, 0.0], [-2.0, 0.0, 0.0]])
def test_exact_opposites_turn_about_some_axis_where_none_is_given_that_counts(axis):
    assert rotations.shortest_arc(X, -X, axis=axis).tolist() == [0.0, 0.0, 1.0, 0.0]
    a = random_vectors(50)
    q = rotations.shortest_arc(a, -a, axis=axis and a)
    close(rotations.rotate(q, a), -a, 16.0)
    assert np.all(q[:, 3] == 0.0)


def test_the_axis_counts_for_exact_opposites_only():
    a, b = random_vectors(2, 20)
    q = rotations.shortest_arc(a, b)
    assert np.array_equal(rotations.shortest_arc(a, b, axis=Y), q)
    assert np.array_equal(rotations.shortest_arc(a, b, axis=[NAN, INF, 0.0]), q)


def test_nearly_opposite_and_nearly_equal_vectors_keep_what_little_there_is():
    assert rotations.shortest_arc([1.0, 0.0, 0.0], [1.0, 1e-300, 0.0])[2] == 5e-301
    q = rotations.shortest_arc([1.0, 0.0, 0.0], [-1.0, 1e-300, 0.0])
    close(q[:3], Z)
    assert q[3] == 5e-301


def test_a_frame_brings_x_along_x_and_y_beside_y():
    x, y = random_vectors(2, 100)
    q = rotations.frame(1e200 * x, 1e-200 * y)
    close(rotations.rotate(q, X), unit(x))
    image = rotations.rotate(q, Y)
    close(np.sum(rotations.rotate(q, Z) * unit(y), axis=1), 0.0)
    assert np.all(np.sum(image * y, axis=1) > 0.0)
    assert np.all(q[:, 3] >= 0.0)
    assert rotations.frame(X, Y).tolist() == IDENTITY.tolist()
    close(rotations.frame(Y, Z), [0.5, 0.5, 0.5, 0.5])


def test_a_frame_without_a_second_axis_is_the_shortest_arc():
    x = random_vectors(20)
    for y in (0.0 * x, 2.0 * x, -x):
        q = rotations.frame(x, y)
        assert np.array_equal(q, rotations.shortest_arc(X, x, axis=Y))
    assert rotations.frame(-X, X).tolist() == [0.0, 1.0, 0.0, 0.0]
    assert rotations.frame(0.0 * X, Y).tolist() == IDENTITY.tolist()


def test_looking_points_forward_and_keeps_upright():
    direction, up, forward, local_up = random_vectors(4, 100)
    q = rotations.look_at(direction, up, forward=forward, local_up=local_up)
    close(rotations.rotate(q, unit(forward)), unit(direction))
    side = rotations.rotate(q, unit(np.cross(local_up, forward)))
    close(np.sum(side * unit(up), axis=1), 0.0)
    assert np.all(np.sum(rotations.rotate(q, local_up) * np.cross(side, direction), axis=1) != 0.0)
    share = up - unit(direction) * np.sum(unit(direction) * up, axis=1, keepdims=True)
    assert np.all(np.sum(rotations.rotate(q, local_up) * share, axis=1) > 0.0)


def test_looking_has_the_axes_of_gltf():
    assert rotations.look_at(Z, Y).tolist() == IDENTITY.tolist()
    close(rotations.look_at(X, Y), [0.0, HALF, 0.0, HALF])
    close(rotations.rotate(rotations.look_at(Z, X), Y), X)


def test_looking_without_an_upright_is_the_shortest_arc():
    direction, forward, local_up = random_vectors(3, 20)
    axes = {"forward": forward, "local_up": local_up}
    turn = rotations.shortest_arc(forward, direction, axis=local_up)
    for up in (0.0 * direction, direction, -3.0 * direction):  # 3 is along to rounding
        assert np.array_equal(rotations.look_at(direction, up, **axes), turn)
    up = rotations.look_at(direction, Y, forward=forward, local_up=2.0 * forward)
    assert np.array_equal(up, rotations.shortest_arc(forward, direction))
    assert rotations.look_at(-Z, Z).tolist() == [0.0, 1.0, 0.0, 0.0]
    assert rotations.look_at(0.0 * X, Y).tolist() == IDENTITY.tolist()
    assert rotations.look_at(X, Y, forward=0.0 * X).tolist() == IDENTITY.tolist()


# --- of quaternions -----------------------------------------------------------------------


def test_a_product_turns_by_the_second_first():
    p, q = random_turns(2, 100)
    v = random_vectors(100)
    close(
        rotations.rotate(rotations.multiply(p, q), v),
        rotations.rotate(p, rotations.rotate(q, v)),
        32.0,
    )
    quarter_x, quarter_z = [HALF, 0.0, 0.0, HALF], [0.0, 0.0, HALF, HALF]
    close(rotations.rotate(rotations.multiply(quarter_x, quarter_z), X), Z)


def test_a_quarter_turn_is_counterclockwise():
    for axis, start, end in [(X, Y, Z), (Y, Z, X), (Z, X, Y)]:
        q = [*(HALF * axis), HALF]
        close(rotations.rotate(q, start), end)
        close(rotations.quaternion_to_matrix(q) @ start, end)
        close(rotations.rotation_vector_to_quaternion(0.5 * np.pi * axis), q)
        close(rotations.shortest_arc(start, end), q)
        close(rotations.angle_about(axis, start, end), 0.5 * np.pi)


@pytest.mark.parametrize("size", [1.0, 1e-200, 3.0, 1e200])
def test_the_inverse_of_any_length_undoes(size):
    q = size * random_turns(50)
    close(rotations.multiply(rotations.inverse(q), q), np.tile(IDENTITY, (50, 1)))
    close(rotations.multiply(q, rotations.inverse(q)), np.tile(IDENTITY, (50, 1)))


@pytest.mark.parametrize("size", [5e-324, 1e-200, 3.0, 1e308])
def test_any_length_is_brought_to_1(size):
    q = rotations.normalize(size * np.array([0.0, -1.0, 0.0, 0.0]))
    assert q.tolist() == [0.0, -1.0, 0.0, 0.0]
    close(rotations.normalize(1e-300 * random_turns(50)), random_turns(50))


def test_a_quaternion_of_0_turns_nothing():
    zero = np.zeros(4)
    assert rotations.normalize(zero).tolist() == IDENTITY.tolist()
    assert rotations.inverse(zero).tolist() == zero.tolist()
    assert rotations.rotate(zero, [1.0, 2.0, 3.0]).tolist() == [1.0, 2.0, 3.0]
    assert rotations.quaternion_to_matrix(zero).tolist() == np.eye(3).tolist()
    assert rotations.quaternion_to_rotation_vector(zero).tolist() == [0.0, 0.0, 0.0]


def test_the_length_of_a_quaternion_is_divided_out():
    q, v = random_turns(50), random_vectors(50)
    for size in (1e-200, 2.0, -1e200):
        close(rotations.rotate(size * q, v), rotations.rotate(q, v), 16.0)
        close(rotations.quaternion_to_matrix(size * q), rotations.quaternion_to_matrix(q))
        vectors = rotations.quaternion_to_rotation_vector(size * q)
        close(vectors, rotations.quaternion_to_rotation_vector(q), 16.0)


@pytest.mark.parametrize("blend", [rotations.nlerp, rotations.slerp])
def test_blends_begin_and_end_where_they_should_and_go_the_shorter_way(blend):
    p, q = random_turns(2, 100)
    sign = np.where(np.sum(p * q, axis=1) < 0.0, -1.0, 1.0)[:, None]
    close(blend(p, q, 0.0), p)
    close(blend(p, q, 1.0), sign * q)
    middle = blend(p, q, 0.5)
    close(middle, unit(p + sign * q))
    close(blend(p, -q, 0.3), blend(p, q, 0.3))
    close(np.linalg.norm(blend(p, q, np.linspace(-1, 2, 100)), axis=1), 1.0, 16.0)
    close(blend(p, p, 0.3), p)


def test_slerp_goes_at_an_even_pace_and_beyond():
    axis = unit(np.array([1.0, -2.0, 3.0]))
    weight = np.array([-2.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 10.0])
    angles = 1.0 + weight * 0.3
    p, q, *_ = (rotations.rotation_vector_to_quaternion(axis * angle) for angle in (1.0, 1.3))
    wanted = rotations.rotation_vector_to_quaternion(axis * angles[:, None])
    close(rotations.slerp(p, q, weight), wanted, 32.0)


def test_slerp_of_0_is_the_first_to_the_bit_and_small_turns_stay_in_proportion():
    p, q = random_turns(2, 20)
    assert np.array_equal(rotations.slerp(p, q, 0.0), p)
    small = [1e-200, 0.0, 0.0, 1.0]
    assert rotations.slerp(IDENTITY, small, 0.25)[0] == 0.25e-200
    assert rotations.nlerp(IDENTITY, small, 0.25)[0] == 0.25e-200


def test_nlerp_is_a_straight_line_brought_to_length_1():
    p, q = IDENTITY, np.array([HALF, 0.0, 0.0, HALF])
    for weight in (0.3, 2.0, -1.0):
        close(rotations.nlerp(p, q, weight), unit((1.0 - weight) * p + weight * q))


def test_twist_and_swing_make_the_turn_again():
    q, axis = random_turns(100), random_vectors(100)
    twist, swing = rotations.twist_swing(q, 1e-200 * axis)
    close(rotations.multiply(swing, twist), q)
    close(np.cross(twist[:, :3], unit(axis)), 0.0)
    close(np.sum(swing[:, :3] * unit(axis), axis=1), 0.0)
    assert np.all(swing[:, 3] >= 0.0)
    for turns in (twist, swing):
        close(np.linalg.norm(turns, axis=1), 1.0)


def test_a_turn_about_the_axis_is_all_twist_and_one_square_to_it_all_swing():
    half = rotations.rotation_vector_to_quaternion([0.0, 0.0, 0.8])
    twist, swing = rotations.twist_swing(half, -2.0 * Z)
    close(twist, half)
    close(swing, IDENTITY)
    twist, swing = rotations.twist_swing(half, Y)
    assert twist.tolist() == IDENTITY.tolist()
    close(swing, half)


def test_a_swing_by_a_half_turn_has_no_twist():
    for q in ([1.0, 0.0, 0.0, 0.0], [0.6, -0.8, 0.0, 0.0]):
        twist, swing = rotations.twist_swing(q, Z)
        assert twist.tolist() == IDENTITY.tolist()
        assert swing.tolist() == q
    twist, swing = rotations.twist_swing([0.6, 0.0, 0.0, -0.8], [0.0, 0.0, 0.0])
    assert twist.tolist() == IDENTITY.tolist()
    assert swing.tolist() == [0.6, 0.0, 0.0, -0.8]


def test_a_whole_turn_is_a_twist():
    twist, swing = rotations.twist_swing(-IDENTITY, Z)
    assert twist.tolist() == (-IDENTITY).tolist()
    assert swing.tolist() == IDENTITY.tolist()


# --- from one kind to another -------------------------------------------------------------


def test_a_matrix_has_the_images_of_the_axes_as_columns():
    q, v = random_turns(50), random_vectors(50)
    matrix = rotations.quaternion_to_matrix(q)
    close((matrix @ v[..., None])[..., 0], rotations.rotate(q, v), 16.0)
    close(matrix @ np.swapaxes(matrix, -1, -2), np.tile(np.eye(3), (50, 1, 1)))
    assert np.all(np.linalg.det(matrix) > 0.0)


@pytest.mark.parametrize("factor", [1.0, 3.0, 1e-300, 1e300])
def test_matrices_give_back_the_quaternion_whatever_their_scale(factor):
    q = random_turns(200)
    q[:40] *= [1.0, 1e-9, 1e-9, 1e-9]
    q[40:80] *= [1e-9, 1.0, 1e-9, 1e-9]
    q[80:120] *= [1e-9, 1e-9, 1.0, 1e-9]
    q = unit(q)
    found = rotations.matrix_to_quaternion(factor * rotations.quaternion_to_matrix(q))
    assert np.all(found[:, 3] >= 0.0)
    close(found, q * np.where(q[:, 3:] < 0.0, -1.0, 1.0))


def test_a_matrix_that_mirrors_or_flattens_is_no_rotation():
    for matrix in (-np.eye(3), np.diag([1.0, -1.0, 1.0]), np.zeros((3, 3)), np.diag([1, 1, 0])):
        assert np.all(np.isnan(rotations.matrix_to_quaternion(matrix)))


def test_a_matrix_that_is_no_rotation_still_gives_a_unit_quaternion():
    sheared = np.eye(3) + 0.3 * random_vectors(20, 3)
    sheared = sheared[np.linalg.det(sheared) > 0.1]
    assert len(sheared) > 5
    close(np.linalg.norm(rotations.matrix_to_quaternion(sheared), axis=1), 1.0)


def test_rotation_vectors_there_and_back():
    r = random_vectors(100) * np.geomspace(1e-320, 1.0, 100)[:, None]
    r = r / np.maximum(1.0, np.linalg.norm(r, axis=1, keepdims=True) / 3.0)
    found = rotations.quaternion_to_rotation_vector(rotations.rotation_vector_to_quaternion(r))
    np.testing.assert_allclose(found, r, rtol=16 * EPS["float64"], atol=2e-323)


def test_rotation_vectors_beyond_half_a_turn_are_turns_too():
    axis = unit(np.array([2.0, -1.0, 2.0]))
    for angle in (3.5, 2.0 * np.pi, 7.0, 100.0):
        q = rotations.rotation_vector_to_quaternion(angle * axis)
        close(q, [*(np.sin(angle / 2) * axis), np.cos(angle / 2)], 100.0)
        back = rotations.quaternion_to_rotation_vector(q)
        close(back, np.remainder(angle + np.pi, 2 * np.pi) * axis - np.pi * axis, 200.0)
    huge = rotations.rotation_vector_to_quaternion([1.5e308, 1.5e308, -1.5e308])
    close(np.linalg.norm(huge), 1.0)


def test_a_half_turn_is_about_its_vector_part():
    for q in ([0.0, 0.6, -0.8, 0.0], [0.0, -0.6, 0.8, 0.0]):
        found = rotations.quaternion_to_rotation_vector(q)
        close(found, np.pi * np.array(q[:3]))
    assert rotations.quaternion_to_rotation_vector(-IDENTITY).tolist() == [0.0, 0.0, 0.0]


# --- a hinge ------------------------------------------------------------------------------


def test_angles_are_signed_and_see_only_what_is_square_to_the_axis():
    axis, a = random_vectors(2, 100)
    wanted = np.linspace(-3.1, 3.1, 100)
    q = rotations.rotation_vector_to_quaternion(unit(axis) * wanted[:, None])
    b = rotations.rotate(q, a) * 1e200 + axis * 1e200
    close(rotations.angle_about(1e-300 * axis, a - 0.5 * axis, b), wanted, 100.0)
    close(rotations.angle_about(-axis, a, b), -wanted, 100.0)


@pytest.mark.parametrize("xp", ["numpy", "torch", "jax.jit"], indirect=True)
def test_half_a_turn_is_pi_and_never_its_opposite(xp):
    axis, a = np.array([Z, -Z]), np.array([X, -X])[:, None]
    b = np.array([[-1.0, 0.0, 3.0], [-1.0, -0.0, 0.0], [-2.0, 0.0, -0.0]])[:, None, None]
    b = b * np.array([[[1.0]], [[-1.0]]])
    found = xp.compiled(rotations.angle_about)(xp(axis), xp(a), xp(b))
    assert np.all(xp.back(found) == np.pi)


def test_an_angle_of_nothing_is_0():
    for axis, a, b in [(Z, Z, X), (Z, X, -3.0 * Z), (0.0 * Z, X, Y), (Z, 0.0 * X, Y), (Z, X, X)]:
        assert rotations.angle_about(axis, a, b) == 0.0
    axis, other = random_vectors(2, 50)
    along = axis * np.linspace(-3.0, 3.0, 50)[:, None]  # to rounding, which says nothing
    assert np.any(np.cross(axis, along) != 0.0)
    assert np.all(rotations.angle_about(axis, along, other) == 0.0)
    assert np.all(rotations.angle_about(axis, other, along) == 0.0)


def test_angles_within_the_limits_stay_as_they_are():
    angle = np.array([0.3, 0.3 + 2 * np.pi, 0.3 - 20 * np.pi, 1.0, 0.0])
    assert np.array_equal(rotations.clamp_angle(angle, 0.0, 1.0), angle)
    assert np.array_equal(rotations.clamp_angle(angle, 4 * np.pi, 1.0 + 4 * np.pi), angle)
    assert np.array_equal(rotations.clamp_angle(angle, -np.pi, np.pi), angle)
    assert np.array_equal(rotations.clamp_angle(angle, -50.0, 50.0), angle)


def test_angles_beyond_the_limits_come_to_the_nearer_end():
    assert rotations.clamp_angle(1.5, 0.0, 1.0) == 1.0
    assert rotations.clamp_angle(-1.5, 0.0, 1.0) == 0.0
    assert rotations.clamp_angle(5.0, 0.0, 1.0) == 2 * np.pi  # the end next to it, modulo 2 pi
    assert rotations.clamp_angle(3.0, 0.0, 1.0) == 1.0
    assert rotations.clamp_angle(-3.0, -1.0, 1.0) == -1.0
    assert rotations.clamp_angle(2.0, 1.0, 1.0) == 1.0
    close(rotations.clamp_angle(1.5 + 2 * np.pi, 0.0, 1.0), 1.0 + 2 * np.pi)
    close(rotations.clamp_angle(-39.5, 3.0, 4.0), 4.0 - 14 * np.pi, 32.0)


@pytest.mark.parametrize("turns", [0, 1, -1, 6, -50, 1000])
def test_ends_are_sharp_after_any_number_of_turns(turns):
    off = 2 * np.pi * turns
    for by in (1e-9, 1e-4, 1e-2):
        assert rotations.clamp_angle(off + 1.0 - by, 0.0, 1.0) == off + 1.0 - by
        assert abs(rotations.clamp_angle(off + 1.0 + by, 0.0, 1.0) - (off + 1.0)) < 1e-11
        assert abs(rotations.clamp_angle(off - by, 0.0, 1.0) - off) < 1e-11


def test_clamping_is_nearest_of_all():
    rng = np.random.default_rng(3)
    angle, least = rng.uniform(-30, 30, (2, 500))
    greatest = least + rng.uniform(0, 7, 500)
    found = rotations.clamp_angle(angle, least, greatest)
    turns = 2 * np.pi * np.arange(-12, 13)[:, None]
    allowed = np.clip(angle, least + turns, greatest + turns)
    nearest = np.abs(allowed - angle).min(axis=0)
    # A joint whose limits lie within half a turn to either side cannot pass pi.
    blocked = (least >= -np.pi) & (greatest <= np.pi)
    assert np.sum(blocked) > 5
    wrapped = (angle + np.pi) % (2 * np.pi) - np.pi
    nearest[blocked] = np.abs(np.clip(wrapped, least, greatest) - wrapped)[blocked]
    np.testing.assert_allclose(np.abs(found - angle), nearest, rtol=0, atol=1e-13)
    inside = np.any((found >= least + turns - 1e-13) & (found <= greatest + turns + 1e-13), axis=0)
    assert np.all(inside)


def test_limits_left_out_do_not_bind():
    for limits in ({}, {"least": 3.0}, {"greatest": -3.0}, {"least": -INF}, {"greatest": INF}):
        assert rotations.clamp_angle(0.2, **limits) == 0.2


def test_limits_the_wrong_way_round_raise():
    with pytest.raises(LimitsError, match=r"`least` must not be greater.*got 5\.0 and -5\.0"):
        rotations.clamp_angle(0.2, 5, -5)
    with pytest.raises(TwoBoneError) as caught:
        rotations.clamp_angle(0.2, [0.0, 1.0], [[0.5], [2.0]])
    assert (caught.value.least, caught.value.greatest) == (1.0, 0.5)


def test_limits_that_nobody_can_see_make_nan():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    function = jax.jit(lambda angle, least: rotations.clamp_angle(angle, least, 1.0))
    assert float(function(0.2, 0.0)) == 0.2
    assert np.isnan(function(0.2, 2.0))


# --- the same in a peer's tests -----------------------------------------------------------

PEERS = Path(__file__).parents[3] / "shared" / "cases" / "peer_cases.json"
REST = {"x": Z, "y": Z, "z": X}  # where the end is at rest, one bone from the hinge


def limit_cases():
    if not PEERS.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"{PEERS} is not there"))]
    suites = json.loads(PEERS.read_text(encoding="utf-8"))["suites"]
    (suite,) = (suite for suite in suites if suite["id"] == "three_joint_limits")
    return [pytest.param(case, id=case["id"]) for case in suite["cases"]]


@pytest.mark.parametrize("case", limit_cases())
def test_a_hinge_with_limits_goes_where_the_peer_has_it(case):
    given = case["inputs"]
    axis, rest = np.eye(3)["xyz".index(given["axis"])], REST[given["axis"]]
    limits = (given.get("min"), given.get("max"))
    target = rotations.rotate(rotations.rotation_vector_to_quaternion(axis * given["target"]), rest)
    angle = rotations.angle_about(axis, rest, target)
    if case["id"] == "three.inverted_limits":  # the peer lets the greatest win; we do not guess
        with pytest.raises(LimitsError):
            rotations.clamp_angle(angle, *limits)
        return
    off = rotations.clamp_angle(angle, *limits) - case["expect"]["angle"]
    assert abs(np.remainder(off + np.pi, 2 * np.pi) - np.pi) <= 1e-6


# --- libraries, shapes, types -------------------------------------------------------------


# Compiling takes seconds: the rest is made of what these are made of.
NARROW = ["shortest_arc", "slerp", "rotation_vector_to_quaternion", "angle_about", "clamp_angle"]
IN_LIBRARIES = [
    (library, dtype, name)
    for library in ("array_api_strict", "torch", "jax.jit")
    for dtype in ("float64", "float32")
    for name in FUNCTIONS
    if library != "jax.jit" or dtype == "float64" or name in NARROW
]


@pytest.mark.parametrize(("xp", "dtype", "name"), IN_LIBRARIES, indirect=["xp"])
def test_all_libraries_agree_and_keep_the_type(xp, name, dtype):
    arguments = [argument.astype(dtype) for argument in some(name, 40)]
    wanted = call(name, *arguments)
    assert wanted.dtype == dtype
    found = xp.compiled(lambda *given: call(name, *given))(*(xp(a, dtype) for a in arguments))
    assert isinstance(found, type(xp(0.0)))
    assert str(found.dtype).endswith(dtype)
    size = np.maximum(1.0, np.abs(wanted))
    assert np.all(np.abs(xp.back(found) - wanted) <= 8 * EPS[dtype] * size)


@with_all
def test_leading_axes_broadcast(name):
    tails, tail = FUNCTIONS[name]
    arguments = some(name, 6)
    whole = call(name, *arguments)
    first, *rest = arguments
    first = first.reshape(2, 3, *tails[0])
    spread = [argument.reshape(2, 3, *t) for argument, t in zip(rest, tails[1:], strict=True)]
    assert np.array_equal(call(name, first, *spread), whole.reshape(2, 3, *tail))
    if rest:
        single = call(name, first[:, :1], *(argument[0] for argument in rest))
        assert single.shape == (2, 1, *tail)
        assert np.array_equal(single[0, 0], whole[0])
    empty = call(name, *(np.zeros((0, *t)) for t in tails))
    assert empty.shape == (0, *tail)


@with_all
def test_lists_of_integers_and_single_numbers_are_arrays(name):
    tails, tail = FUNCTIONS[name]
    ones = [np.ones(t, int).tolist() for t in tails]
    found = call(name, *ones)
    assert found.dtype == np.float64
    assert found.shape == tail


@with_all
def test_no_argument_is_written_to(name):
    arguments = some(name, 5)
    for argument in arguments:
        argument.flags.writeable = False
    call(name, *arguments)


@pytest.mark.sampled(4)
@with_all
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_one_row_alone_has_the_bits_it_has_among_others(name, dtype):
    """Alone it is computed in Python floats; where an angle is taken NumPy has its own atan2."""
    rng = np.random.default_rng(4)
    made = name in CASES and name != "matrix_to_quaternion"
    arguments = CASES[name].make(rng, 200, dtype) if made else some(name, 200)
    arguments = [argument.astype(dtype) for argument in arguments[: len(FUNCTIONS[name][0])]]
    together = call(name, *arguments)
    alone = np.array([call(name, *row) for row in zip(*map(rows_of, arguments), strict=True)])
    assert alone.dtype == dtype
    if name in ("quaternion_to_rotation_vector", "slerp", "angle_about"):
        np.testing.assert_allclose(together, alone, rtol=4 * EPS[dtype], atol=EPS[dtype])
    else:
        assert np.array_equal(together, alone)


def rows_of(argument):
    """Return the rows as arrays, numbers too: those of NumPy's scalars would count as float64."""
    return [np.asarray(row, argument.dtype) for row in argument]


@with_all
@pytest.mark.parametrize("bad", [NAN, INF, -INF])
def test_what_is_no_number_stays_in_its_row(name, bad):
    for k, tail in enumerate(FUNCTIONS[name][0]):
        if name == "clamp_angle" and k and abs(bad) == INF:
            continue  # no limit at all
        for place in np.ndindex(tail):
            arguments = some(name, 3)
            wanted = call(name, *arguments)
            arguments[k] = arguments[k].copy()
            arguments[k][(1, *place)] = bad
            found = call(name, *arguments)
            assert np.all(np.isnan(found[1])), (k, place)
            assert np.array_equal(found[[0, 2]], wanted[[0, 2]])
            alone = call(name, *(argument[1] for argument in arguments))
            assert np.all(np.isnan(alone)), (k, place)


@with_all
def test_wrong_shapes_and_types_name_the_argument(name):
    import inspect

    names = [n for n, p in inspect.signature(getattr(rotations, name)).parameters.items()]
    tails = FUNCTIONS[name][0]
    for k, tail in enumerate(tails):
        good = some(name, 3)
        for wrong in ["text", None] if name != "clamp_angle" or k == 0 else ["text"]:
            arguments = [*good[:k], wrong, *good[k + 1 :]]
            with pytest.raises(ArrayTypeError) as caught:
                call(name, *arguments)
            assert caught.value.name == names[k]
        if tail:
            arguments = [*good[:k], np.ones((3, 2)), *good[k + 1 :]]
            with pytest.raises(ShapeError, match=rf"`{names[k]}` must have shape \(\.\.\., \d"):
                call(name, *arguments)
        if k:
            arguments = [*good[:k], np.ones((2, *tail)), *good[k + 1 :]]
            with pytest.raises(ShapeError, match="broadcast"):
                call(name, *arguments)


@pytest.mark.parametrize("name", ["rotate", "twist_swing", "clamp_angle"])
def test_rows_can_be_mapped(name):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    arguments = some(name, 3)
    found = jax.jit(jax.vmap(lambda *row: call(name, *row)))(*arguments)
    np.testing.assert_allclose(found, call(name, *arguments), rtol=0, atol=1e-14)


def test_dask_is_told_where_to_turn():
    dask = pytest.importorskip("dask.array", reason="dask is not installed")
    with pytest.raises(ArrayTypeError, match="map_blocks"):
        rotations.normalize(dask.ones((2, 4)))


def test_a_keyword_is_an_argument_like_any_other():
    with pytest.raises(ShapeError, match="`axis`"):
        rotations.shortest_arc(X, Y, axis=[1.0, 0.0])
    with pytest.raises(ShapeError, match="`local_up`"):
        rotations.look_at(X, Y, local_up=[1.0, 0.0])
    with pytest.raises(ArrayTypeError, match="`forward`"):
        rotations.look_at(X, Y, forward="z")
    found = rotations.look_at(np.float32(X), np.float32(Y), forward=[[0, 0, 1], [1, 0, 0]])
    assert found.dtype == np.float32
    assert found.shape == (2, 4)
