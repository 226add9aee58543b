"""The plain formulas that limbs are made of: the same answers, a little less exact."""

import numpy as np
import pytest

from climb_rotations import climb
from formula_arguments import FLOAT64, FLOATS, NUMPY, QUATERNION, VECTOR, answer
from rotations_cases import CASES, Case, of_the_vector, quaternion_and_vector, relative, unit_first
from rotations_oracle import rotate, shortest_arc
from twobone import rotations
from twobone.rotations import quaternions

RNG = np.random.default_rng(31)
A, B, C = RNG.normal(size=(3, 100, 3))
P = rotations.normalize(RNG.normal(size=(100, 4)))


def parts(v):
    return tuple(v.T)


def close(have, want, eps=16.0):
    have = np.stack(np.broadcast_arrays(*have), -1) if isinstance(have, tuple) else have
    np.testing.assert_allclose(have, want, rtol=0, atol=eps * 2.0**-52)


def plain_turn(a, b):
    axis = np.zeros(3)
    return answer(
        quaternions.shortest_arc, QUATERNION, a=(a, VECTOR), b=(b, VECTOR), axis=(axis, VECTOR)
    )


def plain_rotate(q, v):
    return answer(
        lambda xp, t, q, v: quaternions.rotate(q, v), VECTOR, q=(q, QUATERNION), v=(v, VECTOR)
    )


def moderate_vectors(rng, count, dtype):
    a, b = CASES["shortest_arc"].make(rng, 3 * count, dtype)
    fine = [np.all((np.abs(v) < 1e3) & ((np.abs(v) > 1e-3) | (v == 0)), axis=1) for v in (a, b)]
    return tuple(v[fine[0] & fine[1]][:count] for v in (a, b))


def keep_moderate(a, b):
    return tuple(
        np.where(np.abs(v) < 1e-3, 0, np.clip(v, -1e3, 1e3)).astype(v.dtype) + x_for_nothing(v)
        for v in (a, b)
    )


def x_for_nothing(v):
    """Return +x for rows of 0, 0 for others."""
    return np.where(np.any(np.abs(v) >= 1e-3, axis=1)[:, None], 0, [1, 0, 0]).astype(v.dtype)


PLAIN = {
    "shortest_arc": Case(
        plain_turn, moderate_vectors, shortest_arc, relative, 4.0, 600, tidy=keep_moderate
    ),
    "rotate": Case(
        plain_rotate, quaternion_and_vector, rotate, of_the_vector, 8.0, tidy=unit_first
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_plain_turns_are_nearly_as_exact(name, dtype):
    worst, where = climb(PLAIN[name], dtype, 0.3)
    assert worst <= PLAIN[name].bound, where


def test_a_plain_turn_between_opposites_is_about_the_axis_or_some_other():
    for axis, want in [((0.0, 0.0, 3.0), (0, 0, 1, 0)), ((2.0, 0.0, 0.0), (0, 0, 1, 0))]:
        found = quaternions.shortest_arc(FLOATS, FLOAT64, (1.0, 0.0, 0.0), (-2.0, 0.0, 0.0), axis)
        assert found == want
    assert (
        quaternions.shortest_arc(FLOATS, FLOAT64, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), axis)[3] == 1.0
    )


def test_half_of_an_angle():
    angle = np.linspace(-3.14, 3.14, 100)
    half = quaternions.half_of(NUMPY, 3.0 * np.cos(angle), 3.0 * np.sin(angle))
    close(half.cos, np.cos(angle / 2))
    close(half.sin, np.sin(angle / 2))
    assert quaternions.half_of(FLOATS, 0.0, 0.0) == (1.0, 0.0)
    assert quaternions.half_of(FLOATS, -1.0, 0.0) == (0.0, 1.0)
    assert np.all(np.isnan(quaternions.half_of(NUMPY, np.float64(np.nan), np.float64(1.0))))


def test_blends_begin_at_the_identity():
    identity = np.array([0.0, 0.0, 0.0, 1.0])
    for weight in (0.0, 0.3, 1.0):
        close(quaternions.blend(NUMPY, weight, parts(P)), rotations.nlerp(identity, P, weight))


def test_the_small_words():
    close(quaternions.conjugate(parts(P)), rotations.inverse(P))
    assert np.all(quaternions.upright(NUMPY, parts(P))[3] >= 0.0)
    assert quaternions.identity(1.0) == (0.0, 0.0, 0.0, 1.0)
