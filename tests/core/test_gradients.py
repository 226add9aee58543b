"""Derivatives: those of the exact answer inside the ring, finite everywhere, bounded with Soft."""

import itertools

import numpy as np
import pytest

import twobone
from twobone import Limits, Soft, Stretch

POLICIES = [
    "clamp",
    "stretch",
    Soft(0.05),
    Stretch(limit=1.2),
    Limits(20, 170),
    Soft(0.05) | Stretch(limit=1.2),
]
ALL_POLICIES = Limits(20, 170) | Soft(0.05) | Stretch(1.2)
LENGTHS = [(1.0, 1.0), (1.6, 1.2), (0.5, 1.0), (1.0, 0.5), (1e-9, 1.0), (1.0, 1e-9)]


@pytest.fixture(params=["torch", "jax"])
def jacobian(request):
    """Return a function: derivatives of `solve(target, r1, r2, pole)` for one limb."""
    if request.param == "torch":
        torch = pytest.importorskip("torch", reason="torch is not installed")

        def of(function, *values):
            values = [torch.tensor(value, dtype=torch.float64) for value in values]
            return [g.numpy() for g in torch.autograd.functional.jacobian(function, tuple(values))]

        return of
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    compiled = {}

    def of(function, *values):
        if function not in compiled:
            compiled[function] = jax.jit(jax.jacrev(function, argnums=tuple(range(len(values)))))
        values = [jax.numpy.asarray(value, dtype="float64") for value in values]
        return [np.asarray(g) for g in compiled[function](*values)]

    return of


def exact_jacobian(target, r1, r2, pole):
    """Differentiate the textbook formula with 80 digits."""
    mpmath = pytest.importorskip("mpmath")
    size = len(target)
    with mpmath.workdps(80):
        values = [
            mpmath.mpf(float(v)) for v in (*target, r1, r2, *(pole if pole is not None else ()))
        ]

        def joint(values):
            p, (a, b), n = values[:size], values[size : size + 2], values[size + 2 :]
            h = sum(v * v for v in p)
            w = h + a * a - b * b
            across = [-p[1], p[0]]
            if n:
                along = sum(u * v for u, v in zip(p, n, strict=True))
                across = [v * h - u * along for u, v in zip(p, n, strict=True)]
                factor = mpmath.sqrt(h / sum(v * v for v in across))
                across = [v * factor for v in across]
            root = mpmath.sqrt(4 * a * a * h - w * w)
            return [(w * u + v * root) / (2 * h) for u, v in zip(p, across, strict=True)]

        step = mpmath.mpf(10) ** -40
        columns = []
        for i, value in enumerate(values):
            up, down = list(values), list(values)
            up[i], down[i] = value + step, value - step
            columns.append(
                [(u - d) / (2 * step) for u, d in zip(joint(up), joint(down), strict=True)]
            )
        return np.array([[float(v) for v in column] for column in columns]).T


def in_plane(target, r1, r2):
    return twobone.solve(target, r1, r2)


def in_space(target, r1, r2, pole):
    return twobone.solve(target, r1, r2, pole=pole)


def inside(size, count=40):
    """Return limbs within the ring, some very near its edges."""
    rng = np.random.default_rng(size)
    for i in range(count):
        r1, r2 = rng.uniform(0.4, 1.6, 2)
        inner, outer = abs(r1 - r2), r1 + r2
        left = 10.0 ** rng.uniform(-9, -0.4) * (outer - inner)
        distance = outer - left if i % 2 else inner + left
        direction = rng.normal(size=size)
        yield distance * direction / np.linalg.norm(direction), r1, r2, rng.normal(size=3)


@pytest.mark.parametrize("size", [2, 3])
def test_inside_the_ring_derivatives_are_those_of_the_exact_answer(jacobian, size):
    for target, r1, r2, pole in inside(size):
        given = (target, r1, r2) if size == 2 else (target, r1, r2, pole)
        found = np.concatenate(
            [g.reshape(size, -1) for g in jacobian(in_plane if size == 2 else in_space, *given)],
            axis=1,
        )
        wanted = exact_jacobian(target, r1, r2, pole if size == 3 else None)
        assert np.max(np.abs(found - wanted)) <= 1e-6 * np.max(np.abs(wanted))


def test_forward_and_reverse_derivatives_agree():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    targets = np.array([[1.2, 0.3], [1.9999, 0.0], [2.0, 0.0], [3.0, 1.0], [0.0, 0.0], [1e-9, 0.0]])
    for policy in ("clamp", "stretch", ALL_POLICIES):

        def solve(target, policy=policy):
            return twobone.solve(target, 1.0, 1.0, unreachable=policy)

        forward = jax.vmap(jax.jacfwd(solve))(targets)
        reverse = jax.vmap(jax.jacrev(solve))(targets)
        size = np.max(np.abs(reverse), axis=(1, 2), keepdims=True)
        assert np.all(np.abs(forward - reverse) <= 1e-9 * size)


def seams(size):
    """Return targets on, beside and far from every seam."""
    for r1, r2 in [*LENGTHS, (0.0, 1.0), (1.0, 0.0), (0.0, 0.0)]:
        inner, outer = abs(r1 - r2), r1 + r2
        edges = [edge * (1 + k * 2.0**-52) for edge in (inner, outer) for k in (-3, -1, 0, 1, 3)]
        for distance in (*edges, 0.0, 1e-300, 1e-9, 0.95 * outer, 1.05 * outer, 5.0, 1e150, 1e300):
            for way in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.8, 0.0]):
                yield np.multiply(distance, way)[:size], r1, r2


@pytest.mark.parametrize("policy", [*POLICIES, "nan"], ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_derivatives_are_finite_at_every_seam_in_both_dtypes(size, policy):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    target, r1, r2 = (np.array(v) for v in zip(*seams(size), strict=True))
    for dtype in (torch.float64, torch.float32):
        poles = [[1e-3, 1.0, 0.2], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]] if size == 3 else [None]
        for pole in poles:
            given = [
                torch.tensor(np.clip(v, -3e38, 3e38) if dtype == torch.float32 else v)
                .to(dtype)
                .requires_grad_()
                for v in (target, r1, r2)
            ]
            options = {}
            if pole:
                options["pole"] = torch.tensor(pole, dtype=dtype, requires_grad=True)
            found = twobone.reach(*given, unreachable=policy, **options)
            for part in (*found.joint.unbind(-1), *found.end.unbind(-1)):
                gradients = torch.autograd.grad(
                    part.nan_to_num().sum(),
                    [*given, *options.values()],
                    retain_graph=True,
                    allow_unused=True,
                )
                for gradient in gradients:
                    assert gradient is None or torch.all(torch.isfinite(gradient))


@pytest.mark.parametrize("way", [(3.0, 0.0), (0.0, 3.0), (1.0, 0.0), (2.0, 1.5)])
def test_a_root_changes_no_derivative_of_the_end(way):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    target, root = torch.tensor(way, dtype=torch.float64), torch.zeros(2, dtype=torch.float64)

    def end(target, root):
        return twobone.reach(target, 1.0, 1.0, root=root).end

    plain = torch.autograd.functional.jacobian(lambda p: twobone.reach(p, 1.0, 1.0).end, target)
    by_target, by_root = torch.autograd.functional.jacobian(end, (target, root))
    torch.testing.assert_close(by_target, plain)
    torch.testing.assert_close(by_root, torch.eye(2, dtype=torch.float64) - plain)


def test_invalid_rows_do_not_spoil_the_derivatives_of_others():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    target = torch.tensor(
        [[1.0, 1.0], [np.nan, 0.0], [np.inf, 1.0]], dtype=torch.float64, requires_grad=True
    )
    r1 = torch.tensor([1.0, -1.0, 1.0], dtype=torch.float64, requires_grad=True)
    joint = twobone.solve(target, r1, 1.0)
    gradients = torch.autograd.grad(joint[0].sum(), [target, r1])
    for gradient in gradients:
        assert torch.all(torch.isfinite(gradient[0]))
        assert torch.all(gradient[1:] == 0.0)


def soft_bound(softness, r1, r2, distance):
    """Return a bound on |d(joint)/d(target)| with `Soft(softness)`.

    Turning the target turns the joint: r1 / distance. Moving it outwards in the zone of an
    edge `e`, of half-width `s`, moves the joint by at most sqrt(r1 r2 / (2 s e)), the root's
    slope times that of the end's way, whose product does not depend on where in the zone;
    1.25 covers what is curved. Between the zones a bent limb moves no faster.
    """
    inner, outer = abs(r1 - r2), r1 + r2
    half = min(r1, r2)
    slopes = [
        np.sqrt(r1 * r2 / (2 * min(softness * edge, half) * edge))
        for edge in (inner, outer)
        if edge
    ]
    return r1 / distance + 1.25 * max(slopes)


@pytest.mark.parametrize("softness", [0.01, 0.05, 0.3])
@pytest.mark.parametrize(
    ("r1", "r2"), [(1.0, 1.0), (1.6, 1.2), (0.5, 1.0), (1.0, 0.5), (1.0, 0.02)]
)
def test_with_soft_the_derivative_of_the_joint_is_bounded_for_all_targets(softness, r1, r2):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    inner, outer = abs(r1 - r2), r1 + r2
    near = 10.0 ** np.linspace(-16, 0, 300)
    distance = np.concatenate(
        [
            np.linspace(1e-3, 2 * outer, 4000),
            *(
                edge * (1 + sign * k * softness + near * way)
                for edge in (inner, outer)
                if edge
                for sign, k, way in itertools.product((-1, 0, 1), (0, 1), (-1, 1))
            ),
        ]
    )
    distance = distance[distance > 1e-3]
    target = torch.tensor(np.stack([distance, 0 * distance], axis=-1), requires_grad=True)
    joint = twobone.solve(target, r1, r2, unreachable=Soft(softness))
    rows = [
        torch.autograd.grad(part.sum(), target, retain_graph=True)[0] for part in joint.unbind(-1)
    ]
    norm = torch.linalg.matrix_norm(torch.stack(rows, dim=-2), ord=2).numpy()
    assert np.all(norm <= soft_bound(softness, r1, r2, distance))
    # The bound is no idle talk: the clamped joint breaks it.
    joint = twobone.solve(target, r1, r2)
    hard = torch.autograd.grad(joint[:, 1].sum(), target)[0].abs().amax(dim=-1).numpy()
    assert np.any(hard > 100 * soft_bound(softness, r1, r2, distance))


@pytest.mark.parametrize("softness", [0.01, 0.1])
def test_with_soft_the_end_slows_down_as_fast_as_the_root_speeds_up(softness):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    left = 10.0 ** -np.linspace(2, 7, 40)  # to where the limb is straight
    distance = torch.tensor(2.0 * (1 + softness) - left, requires_grad=True)
    target = torch.stack([distance, 0 * distance], dim=-1)
    end = twobone.reach(target, 1.0, 1.0, unreachable=Soft(softness)).end[:, 0]
    joint = twobone.solve(target, 1.0, 1.0, unreachable=Soft(softness))[:, 1]
    end_slope = torch.autograd.grad(end.sum(), distance, retain_graph=True)[0].numpy()
    joint_slope = torch.autograd.grad(joint.sum(), distance)[0].numpy()
    np.testing.assert_allclose(end_slope, left / (4 * softness), rtol=1e-6)
    np.testing.assert_allclose(joint_slope, -np.sqrt(1 / (8 * softness)), rtol=2e-2)


# Each takes seconds, even where it is not compiled: so not every way with every policy and size.
BOTH_WAYS = [("jacfwd", "clamp", 3), ("jacrev", ALL_POLICIES, 2)]


@pytest.mark.parametrize(("mode", "policy", "size"), BOTH_WAYS, ids=repr)
def test_tiny_and_lopsided_limbs_have_finite_derivatives_in_jax_both_ways(mode, policy, size):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)

    def solve(target, r1, r2, pole):
        pole = pole if size == 3 else None
        return twobone.solve(target, r1, r2, pole=pole, unreachable=policy)

    jacobian = jax.vmap(getattr(jax, mode)(solve, argnums=(0, 1, 2, 3)[: size + 1]))
    ways = [(1.02, 0, 0), (1, 0, 0), (0.97, 0.1, 0), (0, 0, 0), (0.6, 0.8, 0), (2, 2, 2)]
    for dtype, thinnest in ((np.float32, (1e-15, 1e-19, 1e-26)), (np.float64, (1e-158, 1e-250))):
        limbs = [((1e-33, 0, 0), 1.0, 1.0), ((1e-13, 0, 0), 1.0, 1.0), ((0, 0, 0), 1e-30, 1e-30)]
        for thin in thinnest:
            limbs += [(way, thin, 1.0) for way in ways] + [(way, 1.0, thin) for way in ways]
            limbs += [(np.multiply(thin, way), thin, thin) for way in ways]
        target, r1, r2 = (np.array(v, dtype) for v in zip(*limbs, strict=True))
        pole = np.tile(np.array([0.1, 1.0, 0.3], dtype), (len(limbs), 1))
        for found in jacobian(target[:, :size], r1, r2, pole):
            bad = ~np.isfinite(np.asarray(found)).reshape(len(limbs), -1).all(axis=1)
            assert not bad.any(), [limb for limb, b in zip(limbs, bad, strict=True) if b]
