"""Derivatives of rotations: finite everywhere, and those of the answer away from seams."""

import numpy as np
import pytest

from twobone import rotations

X, Y, Z = np.eye(3)
ZERO = np.zeros(3)
HALF = np.sqrt(0.5)
IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
RNG = np.random.default_rng(21)


def turns(count):
    q = RNG.normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def vectors(count):
    return RNG.normal(size=(count, 3))


def swing_and_twist(q, axis):
    found = rotations.twist_swing(q, axis)
    return found.twist + 2.0 * found.swing


def turn_about(a, b, axis):
    return rotations.shortest_arc(a, b, axis=axis)


def looking(direction, up, forward, local_up):
    return rotations.look_at(direction, up, forward=forward, local_up=local_up)


FUNCTIONS = {
    "shortest_arc": turn_about,
    "frame": rotations.frame,
    "look_at": looking,
    "multiply": rotations.multiply,
    "inverse": rotations.inverse,
    "normalize": rotations.normalize,
    "rotate": rotations.rotate,
    "nlerp": rotations.nlerp,
    "slerp": rotations.slerp,
    "twist_swing": swing_and_twist,
    "quaternion_to_matrix": rotations.quaternion_to_matrix,
    "matrix_to_quaternion": rotations.matrix_to_quaternion,
    "quaternion_to_rotation_vector": rotations.quaternion_to_rotation_vector,
    "rotation_vector_to_quaternion": rotations.rotation_vector_to_quaternion,
    "angle_about": rotations.angle_about,
    "clamp_angle": rotations.clamp_angle,
}

P, Q = turns(6), turns(6)
A, B, C, D = vectors(6), vectors(6), vectors(6), vectors(6)
SMALL = 1e-9 * vectors(6)
NEAR = np.c_[SMALL, np.ones(6)]  # the smallest turns whose length rounds to 1
WEIGHT = np.array([0.0, 1.0, 0.3, 0.5, -0.7, 1.8])

# Smooth places, of which some look like seams: there derivatives are those of differences.
SMOOTH = {
    "shortest_arc": [(A, B, C), (A, 3.0 * A, C), (A, -A + 0.5 * np.cross(A, P[:, :3]), C)],
    "frame": [(A, B), (np.tile(X, (6, 1)), np.tile(Y, (6, 1)))],
    "look_at": [(A, B, C, D)],
    "multiply": [(P, Q)],
    "inverse": [(P,), (3.0 * P,)],
    "normalize": [(P,), (0.1 * P,)],
    "rotate": [(P, A)],
    "nlerp": [(P, Q, WEIGHT), (P, P, WEIGHT)],
    "slerp": [(P, Q, WEIGHT), (P, P, WEIGHT), (P, -P, WEIGHT), (P, P + 1e-9 * Q, WEIGHT)],
    "twist_swing": [(P, A)],
    "quaternion_to_matrix": [(P,)],
    "matrix_to_quaternion": [(rotations.quaternion_to_matrix(P),)],
    "quaternion_to_rotation_vector": [(P,), (NEAR,), (np.tile(IDENTITY, (6, 1)),)],
    "rotation_vector_to_quaternion": [(A,), (SMALL,), (0.0 * A,), (np.pi * P[:, :3],), (9.0 * A,)],
    "angle_about": [(A, B, C), (A, B, B), (A, B, 2.0 * B + 0.5 * A)],
    "clamp_angle": [
        (np.array([0.5, 3.0, -3.0, 7.0, 9.0, -20.0]), np.full(6, -1.0), np.full(6, 1.2))
    ],
}

# Places with no derivative, where one must be finite all the same.
SEAMS = {
    "shortest_arc": [
        (a, b, axis)
        for a, b in [(X, X), (X, -X), (ZERO, X), (X, ZERO), (ZERO, ZERO), (A[0], -A[0]), (X, Y)]
        for axis in (ZERO, X, Y)
    ],
    "frame": [(x, y) for x in (X, -X, ZERO, Z) for y in (X, -X, ZERO, Y)],
    "look_at": [
        *((d, u, Z, lu) for d in (Z, -Z, ZERO) for u in (Z, Y, ZERO) for lu in (Y, Z, ZERO)),
        *((d, u, ZERO, Y) for d in (Z, ZERO) for u in (Y, ZERO)),
    ],
    "multiply": [(0.0 * IDENTITY, IDENTITY), (IDENTITY, IDENTITY)],
    "inverse": [(0.0 * IDENTITY,), (IDENTITY,)],
    "normalize": [(0.0 * IDENTITY,), (IDENTITY,)],
    "rotate": [(IDENTITY, ZERO), (0.0 * IDENTITY, X), (np.array([1.0, 0, 0, 0]), X)],
    "nlerp": [
        (p, q, w)
        for p in (IDENTITY, 0.0 * IDENTITY)
        for q in (IDENTITY, -IDENTITY, np.array([1.0, 0, 0, 0]), 0.0 * IDENTITY)
        for w in (0.0, 0.5, 1.0)
    ],
    "slerp": [
        (p, q, w)
        for p in (IDENTITY, 0.0 * IDENTITY)
        for q in (IDENTITY, -IDENTITY, np.array([1.0, 0, 0, 0]), 0.0 * IDENTITY)
        for w in (0.0, 0.5, 1.0, 2.0)
    ],
    "twist_swing": [
        (q, n)
        for q in (IDENTITY, np.array([1.0, 0, 0, 0]), np.array([0, 0, 1.0, 0]), 0.0 * IDENTITY)
        for n in (X, Z, ZERO)
    ],
    "quaternion_to_matrix": [(IDENTITY,), (0.0 * IDENTITY,), (np.array([1.0, 0, 0, 0]),)],
    "matrix_to_quaternion": [
        (np.diag(d),) for d in ([1.0, 1, 1], [1.0, -1, -1], [-1.0, 1, -1], [-1.0, -1, 1])
    ],
    "quaternion_to_rotation_vector": [
        (q,) for q in (IDENTITY, -IDENTITY, np.array([0.6, 0.8, 0, 0]), 0.0 * IDENTITY)
    ],
    "rotation_vector_to_quaternion": [(ZERO,), (np.pi * X,), (2.0 * np.pi * Y,), (1e-300 * X,)],
    "angle_about": [
        (n, a, b) for n in (Z, ZERO) for a in (X, Z, ZERO) for b in (X, -X, Y, Z, ZERO)
    ],
    "clamp_angle": [
        (np.array(v), np.array(low), np.array(high))
        for v in (0.0, 1.0, np.pi, -np.pi)
        for low, high in [(0.0, 1.0), (0.0, 0.0), (-np.inf, np.inf), (-np.pi, np.pi)]
    ],
}


@pytest.fixture(params=["torch", "jax"])
def jacobian(request):
    """Return a function: derivatives of every part of the answers by every part of an argument.

    Rows are many and independent, so that a derivative of the sum of a part is that of each.
    """
    package = pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    return of_torch if request.param == "torch" else of_jax(package)


def of_torch(name, dtype, *arguments):
    import torch

    given = [torch.tensor(v, dtype=getattr(torch, dtype), requires_grad=True) for v in arguments]
    found = FUNCTIONS[name](*given)
    found = found.reshape(len(arguments[0]), -1)
    parts = [
        torch.autograd.grad(found[:, i].sum(), given, retain_graph=True)
        for i in range(found.shape[1])
    ]
    return [np.stack([part[k].numpy() for part in parts], 1) for k in range(len(given))]


def of_jax(jax):
    """Return the derivatives by JAX, not compiled: compiling takes seconds, each time."""
    jax.config.update("jax_enable_x64", True)

    def of(name, dtype, *arguments):
        size = len(arguments[0])
        given = [np.concatenate([v] + [v[:1]] * (ROWS - size)).astype(dtype) for v in arguments]
        given = [jax.numpy.asarray(v) for v in given]
        found, pull = jax.vjp(FUNCTIONS[name], *given)
        parts = []
        for at in np.ndindex(found.shape[1:]):
            one = np.zeros(found.shape, dtype)
            one[(slice(None), *at)] = 1.0
            parts.append(pull(jax.numpy.asarray(one)))
        return [np.stack([np.asarray(p[k]) for p in parts], 1)[:size] for k in range(len(given))]

    return of


ROWS = 36  # one shape for all


def differences(name, k, *arguments):
    """Return central differences of the answers of NumPy by argument `k`, of the fourth order."""
    step = 1e-3
    columns = []
    flat = arguments[k].reshape(len(arguments[k]), -1)
    for i in range(flat.shape[1]):
        total = 0.0
        for count, weight in [(1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0)]:
            moved = flat.copy()
            moved[:, i] += count * step
            given = [*arguments[:k], moved.reshape(arguments[k].shape), *arguments[k + 1 :]]
            total = total + weight * FUNCTIONS[name](*given)
        columns.append((total / (12.0 * step)).reshape(len(flat), -1))
    found = np.stack(columns, -1)
    return found.reshape(*found.shape[:2], *arguments[k].shape[1:])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_are_those_of_the_answer(jacobian, name):
    for arguments in SMOOTH[name]:
        found = jacobian(name, "float64", *arguments)
        for k in range(len(arguments)):
            if name == "shortest_arc" and k == 2:
                assert np.all(found[k] == 0.0)
                continue
            wanted = differences(name, k, *arguments)
            size = max(1.0, np.max(np.abs(wanted)))
            assert found[k].shape == wanted.shape
            assert np.max(np.abs(found[k] - wanted)) <= 1e-6 * size, (arguments, k)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_are_finite_at_every_seam(jacobian, name, dtype):
    if dtype == "float32" and jacobian is not of_torch:
        dtype = "float64"  # JAX takes its time for every type; the formula is the same
    arguments = [np.array(v, float) for v in zip(*SEAMS[name], strict=True)]
    assert len(arguments[0]) <= ROWS
    for found in jacobian(name, dtype, *arguments):
        assert np.all(np.isfinite(found)), np.argwhere(~np.isfinite(found))[:3]


def test_half_turns_turn_on_when_a_vector_moves_on(jacobian):
    """Beside exact opposites the derivative along the turn is that of the turn itself."""
    angle = 3.0
    b = np.array([[np.cos(angle), np.sin(angle), 0.0]])
    _, by_b, _ = jacobian("shortest_arc", "float64", X[None], b, Z[None])
    along = np.array([-np.sin(angle), np.cos(angle), 0.0])
    wanted = [0.0, 0.0, 0.5 * np.cos(angle / 2), -0.5 * np.sin(angle / 2)]
    np.testing.assert_allclose(by_b[0] @ along, wanted, atol=1e-13)
