"""The derivatives of a loss that the kernel computes, beside its Jacobians of any limb.

`test_slopes.py` compares the Jacobians with exact ones.
"""

import numpy as np
import pytest

from engines import KERNEL
from twobone import Limits, Soft, Stretch
from twobone.core import derivatives
from twobone.core.arrays import VECTORS

if KERNEL is None:
    pytest.skip("the kernel is not built", allow_module_level=True)

POLICIES = {
    "clamp": "clamp",
    "stretch": "stretch",
    "nan": "nan",
    "Soft": Soft(0.1),
    "Limits, Soft and Stretch": Limits(20, 170) | Soft(0.1) | Stretch(1.2),
}
# Errors by the largest derivative of a row. Results in float32 and what they are compared with are
# rounded to float32, and are sums of up to six terms. In float64, a second bone of a hundredth of
# the first costs three digits.
TOLERANCE = {"float32": 8e-7, "float64": 1e-12}


def limbs(size, dtype, count, seed=1):
    """Return limbs by name: inside, next to both edges, out of reach, and special ones."""
    rng = np.random.default_rng(seed)
    r1 = rng.uniform(0.5, 2.0, count)
    r2 = rng.uniform(0.5, 2.0, count) * 10.0 ** rng.uniform(-2.0, 0.0, count)
    inner, outer = abs(r1 - r2), r1 + r2
    left = 10.0 ** rng.uniform(-17.0, -0.4, count) * (outer - inner)
    distance = np.where(rng.random(count) < 0.5, outer - left, inner + left)
    distance = np.where(rng.random(count) < 0.3, rng.uniform(0.0, 2.0, count) * outer, distance)
    way = rng.normal(size=(count, size))
    target = way / np.linalg.norm(way, axis=-1, keepdims=True) * distance[:, None]
    pole = rng.normal(size=(count, size))
    near = rng.random(count) < 0.2  # poles next to the direction of the target
    pole[near] = target[near] + 10.0 ** rng.uniform(-12, -1, (near.sum(), 1)) * pole[near]
    scale = 10.0 ** rng.choice([0.0, 0.0, 0.0, -30.0, 12.0], count)
    values = {
        "target": target * scale[:, None],
        "r1": r1 * scale,
        "r2": r2 * scale,
        "side": rng.choice([-1.0, 1.0], count),
        "pole": pole,
    }
    values["target"][:8, 0] = 0.0, 0.0, np.nan, np.inf, 1e-40, 1.0, 1.0, 1.0
    values["target"][:2] = 0.0
    values["pole"][1] = 0.0
    values["r1"][5:7] = 0.0, -1.0
    values["side"][7] = 0.5
    return {
        name: value.astype(dtype) for name, value in values.items() if size == 3 or name != "pole"
    }


def jacobians(values, how):
    word, steps = (how, ()) if isinstance(how, str) else ("steps", (how,))
    return KERNEL.slopes[values["target"].shape[-1], word](*values.values(), *steps)


def how_of(policy, dtype):
    return policy if isinstance(policy, str) else np.array(policy._steps(), dtype).reshape(-1)


def assert_pulled(values, how, joint_bar, end_bar, wanted=None):
    """Compare with the product of bars and Jacobians, row by row."""
    size = values["target"].shape[-1]
    names = [name for name in derivatives.NAMES if name in values]
    joint, end = (part.astype("float64") for part in jacobians(values, how))
    wanted = np.einsum("...ij,...i->...j", joint, joint_bar.astype("float64"))
    largest = np.abs(joint).max((-1, -2))
    if end_bar is not None:
        wanted = wanted + np.einsum("...ij,...i->...j", end, end_bar.astype("float64"))
        largest = np.maximum(largest, np.abs(end).max((-1, -2)))
    found = derivatives.pull(values, how, joint_bar, end_bar, names)
    tails = [() if name in ("r1", "r2") else (size,) for name in names]
    parts = [
        part.reshape(*joint.shape[:-2], *(tail or (1,)))
        for part, tail in zip(found, tails, strict=True)
    ]
    assert_near(np.concatenate(parts, axis=-1), wanted, largest)
    (alone,) = derivatives.pull(values, how, joint_bar, None, ["target"])
    wanted = np.einsum("...ij,...i->...j", joint, joint_bar.astype("float64"))[..., :size]
    assert_near(alone, wanted, largest)


def assert_pushed(values, how, tangents):
    """Compare with the product of Jacobians and tangents, row by row."""
    size = values["target"].shape[-1]
    jacobian = np.concatenate([part.astype("float64") for part in jacobians(values, how)], -2)
    largest = np.abs(jacobian).max((-1, -2))
    ends, place = {}, 0
    for name in derivatives.NAMES:
        parts = 1 if name in ("r1", "r2") else size
        if name in values:
            ends[name] = slice(place, place + parts)
            place += parts
    for names in (list(tangents), ["target"], list(tangents)[1:]):
        wanted = np.zeros(jacobian.shape[:-1])
        for name in names:
            tangent = tangents[name] if name in VECTORS else tangents[name][..., None]
            wanted += np.einsum("...ij,...j->...i", jacobian[..., ends[name]], tangent)
        moving = {name: tangents[name] for name in names}
        joint, end = derivatives.push(values, how, moving, True)
        assert_near(np.concatenate([joint, end], axis=-1), wanted, largest)
        alone, nothing = derivatives.push(values, how, moving, False)
        assert nothing is None
        np.testing.assert_array_equal(alone, joint)


def assert_near(found, wanted, largest):
    """Compare rows with their largest derivative; one too large for the dtype is only finite."""
    assert np.all(np.isfinite(found))
    fits = largest < np.finfo(found.dtype).max
    error = np.abs(found - wanted).max(-1)[fits]
    wrong = ~(error <= TOLERANCE[found.dtype.name] * largest[fits])
    assert not wrong.any(), np.argwhere(wrong)[:5]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [2, 3])
def test_products_are_those_with_the_jacobians(size, dtype, policy, instruction_set):
    how = how_of(POLICIES[policy], dtype)
    values = limbs(size, dtype, 1000)
    joint_bar, end_bar = np.random.default_rng(3).normal(size=(2, 1000, size)).astype(dtype)
    assert_pulled(values, how, joint_bar, end_bar)
    still = values | {name: values[name][20] for name in values if name != "target"}
    assert_pulled(still, how, joint_bar, end_bar)
    for count in (0, 1, 7, 9):  # rows that do not fill a vector
        few = {name: value[10 : 10 + count] for name, value in values.items()}
        assert_pulled(few, how, joint_bar[:count], end_bar[:count])


def tangents_of(values, shape, seed=8):
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(size=shape + values[name].shape[-1:] * (name in VECTORS)).astype(
            values[name].dtype
        )
        for name in derivatives.NAMES
        if name in values
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [2, 3])
def test_products_with_tangents_are_those_with_the_jacobians(size, dtype, policy, instruction_set):
    how = how_of(POLICIES[policy], dtype)
    values = limbs(size, dtype, 1000)
    tangents = tangents_of(values, (1000,))
    assert_pushed(values, how, tangents)
    still = values | {name: values[name][20] for name in values if name != "target"}
    assert_pushed(still, how, tangents)
    for count in (0, 1, 7, 9):  # rows that do not fill a vector
        few = {name: value[10 : 10 + count] for name, value in values.items()}
        assert_pushed(few, how, {name: value[:count] for name, value in tangents.items()})


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("size", [2, 3])
def test_push_is_the_transpose_of_pull(size, policy):
    how = how_of(POLICIES[policy], "float64")
    values = limbs(size, "float64", 2000)
    tangents = tangents_of(values, (2000,))
    bars = np.random.default_rng(9).normal(size=(2, 2000, size))
    pushed = derivatives.push(values, how, tangents, True)
    forwards = sum((bar * part).sum(-1) for bar, part in zip(bars, pushed, strict=True))
    pulled = derivatives.pull(values, how, *bars, list(tangents))
    products = [part * tangent for part, tangent in zip(pulled, tangents.values(), strict=True)]
    back = sum(part.sum(-1) if part.ndim == 2 else part for part in products)
    largest = np.max([np.abs(part).max((-1, -2)) for part in jacobians(values, how)], axis=0)
    error = np.abs(forwards - back)
    assert np.all(error <= TOLERANCE["float64"] * np.maximum(largest, 1.0))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [2, 3])
def test_tangents_may_have_any_strides(size, dtype):
    values = limbs(size, dtype, 60)
    grid = {name: values[name][10:16, None] for name in values} | {
        "target": np.asfortranarray(values["target"].reshape(6, 10, size))[::-1]
    }
    tangents = tangents_of(values, (10, 6))
    tangents = {
        name: np.moveaxis(value, 0, 1)[:, ::-1] if name in VECTORS else value.T
        for name, value in tangents.items()
    }
    for value in (*grid.values(), *tangents.values()):
        value.flags.writeable = False
    assert_pushed(grid, "clamp", tangents)


def test_invalid_rows_and_tangents_stay_in_their_rows():
    values = limbs(3, "float64", 40)
    tangents = tangents_of(values, (40,))
    for part in derivatives.push(values, "clamp", tangents, True):
        assert np.all(np.isfinite(part))
        assert np.all(part[[2, 3, 6, 7]] == 0.0)
    tangents["r1"][11] = np.nan
    for part in derivatives.push(values, "clamp", tangents, True):
        assert set(np.flatnonzero(np.isnan(part).any(axis=-1))) <= {11}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [2, 3])
def test_arrays_may_have_any_strides(size, dtype):
    values = limbs(size, dtype, 60)
    grid = {
        "target": np.asfortranarray(values["target"].reshape(6, 10, size))[::-1],
        "r1": values["r1"][:20:2],
        "r2": values["r2"][:6, None],
        "side": np.broadcast_to(values["side"][20], (6, 10)),
    }
    if size == 3:
        grid["pole"] = values["pole"][30:36, None, ::-1]
    for value in grid.values():
        value.flags.writeable = False
    bars = (
        np.random.default_rng(4).normal(size=(2, 10, size, 6)).astype(dtype).transpose(0, 3, 1, 2)
    )
    assert_pulled(grid, "clamp", *bars)


@pytest.mark.parametrize("size", [2, 3])
def test_invalid_rows_stay_in_their_rows(size):
    values = limbs(size, "float64", 40)
    joint_bar = np.ones((40, size))
    names = [name for name in derivatives.NAMES if name in values]
    found = derivatives.pull(values, "clamp", joint_bar, joint_bar, names)
    for part in found:
        assert np.all(np.isfinite(part))
        assert np.all(part[[2, 3, 6, 7]] == 0.0)
    joint_bar[11] = np.nan
    for part in derivatives.pull(values, "clamp", joint_bar, None, names):
        rows = np.flatnonzero(np.isnan(part.reshape(40, -1)).any(axis=-1))
        assert set(rows) <= {11}


def test_threads_share_the_rows(engines):
    values, bars = limbs(3, "float64", 3000), np.random.default_rng(5).normal(size=(3000, 3))
    values = {name: value.reshape(2, 1500, *value.shape[1:]) for name, value in values.items()}
    values["r2"] = values["r2"][:1]
    bars = bars.reshape(2, 1500, 3)
    tangents = tangents_of(values, (2, 1500)) | {"pole": values["pole"][:1]}
    alone = derivatives.pull(values, "clamp", bars, bars, derivatives.NAMES)
    alone += derivatives.push(values, "clamp", tangents, True)
    for threads in (1, 3):
        engines.share(1000, threads=threads)
        together = derivatives.pull(values, "clamp", bars, bars, derivatives.NAMES)
        together += derivatives.push(values, "clamp", tangents, True)
        for one, other in zip(alone, together, strict=True):
            np.testing.assert_array_equal(one, other)


def test_derivatives_of_the_largest_limbs_are_finite():
    scale = 2.0 ** np.random.default_rng(6).uniform(-1000, 1000, (4, 400))
    values = limbs(3, "float64", 400)
    way, aside = values["target"][20], values["pole"]
    values["target"] = way * scale[0, :, None]
    values["r1"], values["r2"] = scale[1:3]
    values["pole"] = (way + 1e-12 * aside) * scale[3, :, None]
    bars = np.random.default_rng(7).normal(size=(2, 400, 3))
    pushed = derivatives.push(values, "clamp", tangents_of(values, (400,)), True)
    for part in (*derivatives.pull(values, "clamp", *bars, derivatives.NAMES), *pushed):
        assert np.all(np.isfinite(part))
