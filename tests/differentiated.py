"""Limbs at which derivatives are compared, and automatic differentiation of the whole formula.

Unlike those of `derivative_cases.py`, most of these limbs are random, or special in the core alone.
"""

import functools
import itertools

import numpy as np
import pytest

from twobone import Limits, Soft, Stretch
from twobone.core import answer, blocks, policies
from twobone.core.arrays import Library
from twobone.core.exact import FLOAT64

POLICIES = [
    "clamp",
    "stretch",
    "nan",
    Soft(0.05),
    Stretch(limit=1.2),
    Stretch(limit=float("inf")),
    Limits(20, 170),
    Limits(20, 170) | Soft(0.05) | Stretch(1.2),
]
LENGTHS = [(1.0, 1.0), (1.6, 1.2), (0.5, 1.0), (1.0, 0.5), (1e-9, 1.0), (1.0, 1e-9)]
NO_LENGTHS = [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
ARGUMENTS = ("target", "r1", "r2", "side", "pole")
NAMES = ("target", "r1", "r2", "pole")  # those with derivatives


def joined(rows, size):
    """Return arrays by name from a list of limbs."""
    columns = zip(*rows, strict=True)
    values = {name: np.array(column) for name, column in zip(ARGUMENTS, columns, strict=True)}
    values["target"] = values["target"][:, :size]
    if size == 2:
        del values["pole"]
    return values


def random_limbs(size, count, seed=0):
    """Return limbs anywhere, many of them very near an edge of the reachable range."""
    rng = np.random.default_rng(seed)
    r1, r2 = rng.uniform(0.3, 2.0, (2, count))
    inner, outer = abs(r1 - r2), r1 + r2
    left = 10.0 ** rng.uniform(-12, -0.4, count) * (outer - inner)
    beside = [outer - left, inner + left, outer + left, inner - left, rng.uniform(0, 4, count)]
    way = rng.normal(size=(count, 3))
    way /= np.linalg.norm(way[:, :size], axis=-1, keepdims=True)
    distance = np.abs(np.choose(rng.integers(0, len(beside), count), beside))
    side, pole = rng.choice([-1.0, 1.0], count), rng.normal(size=(count, 3))
    return joined(list(zip(distance[:, None] * way, r1, r2, side, pole, strict=True)), size)


def special_limbs(size):
    """Return limbs at kinks and jumps: edges, axes, the root, parallel poles, missing bones."""
    ways = ([1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.8, 0.0], [1e-200, 1.0, 0.0])
    poles = ([1e-3, 1.0, 0.2], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.6, 0.8, 0.0])
    rows = []
    for r1, r2 in LENGTHS + NO_LENGTHS:
        inner, outer = abs(r1 - r2), r1 + r2
        edges = [edge * (1 + k * 2.0**-52) for edge in (inner, outer) for k in (-3, -1, 0, 1, 3)]
        distances = (*edges, 0.0, 1e-300, 1e-9, 0.5 * outer, 1.05 * outer, 5.0, 1e150, 1e300)
        for distance, way, pole in itertools.product(distances, ways, poles):
            rows.append(
                (np.multiply(way, distance), r1, r2, 1.0 - 2.0 * (len(rows) % 3 == 0), pole)
            )
    return joined(rows, size)


def nearly_parallel(target, pole):
    """Return where a target not at the root is parallel to a pole within 4 roundings of float32."""
    target, pole = (
        v / np.maximum(np.max(np.abs(v), axis=-1, keepdims=True), 1e-300) for v in (target, pole)
    )
    across = np.linalg.norm(np.cross(target, pole), axis=-1)
    sizes = np.linalg.norm(target, axis=-1) * np.linalg.norm(pole, axis=-1)
    return (across <= 4.0 * np.finfo(np.float32).eps * sizes) & (sizes > 0.0)


# --- PyTorch's automatic differentiation ----------------------------------------------------


@functools.cache
def torch_library():
    """Return PyTorch as a `Library` whose roots are rounded correctly.

    `torch.sqrt` is not: the last bit of one root in seventy moves limbs across an edge.
    """
    torch = pytest.importorskip("torch", reason="torch is not installed")

    def sqrt(v):
        root = torch.from_numpy(np.sqrt(v.detach().numpy()))
        safe = torch.where(root > 0.0, root, 1.0)
        return root + torch.where(root > 0.0, (v - v.detach()) / (safe + safe), 0.0)

    def where(condition, a, b):
        return torch.where(torch.as_tensor(condition), a, b)

    return Library(name="torch", sqrt=sqrt, where=where, constant=lambda v: v.detach())


def by_torch(values, policy, formula=blocks.any):
    """Return the same as `slopes`, by automatic differentiation of a formula."""
    library = torch_library()
    import torch

    given = {
        name: torch.tensor(value, dtype=torch.float64, requires_grad=name != "side")
        for name, value in values.items()
    }
    p = given["target"].unbind(-1)
    pole = given["pole"].unbind(-1) if "pole" in given else ()
    targets = answer.Targets(p, given["r1"], given["r2"], given["side"], pole)
    real = FLOAT64._replace(constant=library.constant)
    found = formula(library, real, targets, policies.resolve(policy))
    wanted = [given[name] for name in NAMES if name in given]
    rows = []
    for part in (*found.joint, *found.end):
        gradients = torch.autograd.grad(part.sum(), wanted, retain_graph=True, allow_unused=True)
        columns = [
            torch.zeros_like(value) if gradient is None else gradient
            for value, gradient in zip(wanted, gradients, strict=True)
        ]
        count = len(values["r1"])
        rows.append(np.concatenate([c.numpy().reshape(count, -1) for c in columns], axis=-1))
    return np.stack(rows, axis=-2)


def assert_close(found, wanted, tolerance, whole=None):
    """Compare each row by the size of its largest derivative, or of that of the `whole` limb."""
    off = np.max(np.abs(found - wanted), axis=(-2, -1))
    size = np.max(np.abs(wanted if whole is None else whole), axis=(-2, -1))
    wrong = np.flatnonzero(~(off <= tolerance * size))
    assert not len(wrong), (len(wrong), wrong[:3], found[wrong[:1]], wanted[wrong[:1]])
