"""What weight, soften and policies make of corrections, measured on the limb walked forwards."""

import numpy as np
import pytest

import twobone
from rigs import (
    COUNT,
    SIZES,
    Rig,
    answer,
    assert_units,
    correct,
    end_distance,
    into,
    limbs,
    place,
    unit,
    walk,
)
from twobone import Limits, Policy, Soft, Status, Stretch


def test_a_weight_goes_straight_from_nothing_to_all():
    rig, target, pole = limbs(14, "uneven", "mirrored", skew=True)
    whole = correct(rig, target, pole)
    for weight in (0.25, 0.5, 0.9):
        found = correct(rig, target, pole, weight=weight)
        assert_units(found)
        np.testing.assert_array_equal(found.status, whole.status)
        for have, all_of in zip(found[:2], whole[:2], strict=True):
            want = unit((1 - weight) * np.array([0.0, 0, 0, 1]) + weight * all_of)
            np.testing.assert_allclose(have, want, rtol=0, atol=8e-16)
    for weight in (0.0, -0.1, -np.inf):
        found = correct(rig, target, pole, weight=weight)
        for q in found[:2]:
            np.testing.assert_array_equal(q, np.tile([0.0, 0.0, 0.0, 1.0], (COUNT, 1)))
    for weight in (1.0, 1.1, np.inf, np.ones(COUNT)):
        found = correct(rig, target, pole, weight=weight)
        for have, want in zip(found[:2], whole[:2], strict=True):
            np.testing.assert_allclose(have, want, rtol=0, atol=8e-16)


def soft_distance(far, reach, share):
    """Return `(L - s) + s (1 - (1 - x / 2s)^2)` with `x = d - (L - s)`; never beyond L."""
    zone = share * reach
    x = np.clip(far - (reach - zone), 0.0, 2 * zone)
    curve = (reach - zone) + zone * (1 - (1 - x / (2 * zone)) ** 2)
    return np.where(far <= reach - zone, far, curve)


@pytest.mark.parametrize("soften", [0.97, 0.8, 0.5])
def test_a_softened_end_follows_a_curve_that_is_smooth_and_never_overshoots(soften):
    mid, end = np.eye(4), np.eye(4)
    mid[:3, 3], end[:3, 3] = [1.0, 0.0, 0.0], [1.0, 1.2, 0.0]
    count, reach = 20001, 2.2
    rig = Rig(np.eye(4), mid, end, np.array([0.0, 0.0, 1.0]))
    far = np.linspace(0.3, 3.5, count)
    target = far[:, None] * np.array([0.6, 0.0, 0.8])
    found = correct(rig, target, [0.0, 1.0, 0.0], soften=soften)
    came = np.linalg.norm(place(walk(rig, found)[2]), axis=-1)
    np.testing.assert_allclose(came, soft_distance(far, reach, 1 - soften), rtol=0, atol=3e-15)
    assert np.all(came <= far + 1e-15)
    assert np.max(came) <= reach + 1e-15
    slope = np.diff(came) / np.diff(far)
    assert np.min(slope) >= -1e-11
    assert np.max(slope) <= 1 + 1e-11
    # C1: a step of the slope would not shrink with the step of the target.
    bend = (far[1] - far[0]) / (2 * (1 - soften) * reach)
    assert np.max(np.abs(np.diff(slope))) <= 1.01 * bend + 1e-10
    late = far - soften * reach
    assert np.all(found.status[late > 1e-12] == Status.TOO_FAR)
    assert np.all(found.status[late < -1e-12] == Status.REACHED)
    # The same as the far edge of the policy, which is also soft at the near one.
    share = min(1 - soften, 0.4)
    found = correct(rig, target, [0.0, 1.0, 0.0], soften=1 - share)
    policy = correct(rig, target, [0.0, 1.0, 0.0], unreachable=Soft(share))
    outer = far > 0.2 + 2 * share * reach
    np.testing.assert_allclose(found.mid[outer], policy.mid[outer], rtol=0, atol=1e-9)


def test_soften_is_clamped_and_may_differ_from_limb_to_limb():
    rig, target, pole = limbs(15, "uniform", "one")
    plain = correct(rig, target, pole)
    for soften in (1.0, 1.5, np.float32(2.0)):
        for have, want in zip(correct(rig, target, pole, soften=soften), plain, strict=True):
            np.testing.assert_array_equal(have, want)
    right = answer(rig, target, pole)
    far = np.linalg.norm(right.goal, axis=-1)
    soften = np.random.default_rng(1).uniform(-0.2, 0.99, COUNT)
    came = end_distance(rig, correct(rig, target, pole, soften=soften))
    want = soft_distance(far, right.outer, 1 - np.clip(soften, 0, 1))
    np.testing.assert_allclose(came, np.maximum(want, right.inner), rtol=0, atol=2e-14)


def test_soft_and_limits_narrow_what_the_end_does():
    rig, target, pole = limbs(16, "mirrored", "uniform")
    right = answer(rig, target, pole)
    far = np.linalg.norm(right.goal, axis=-1)
    first = np.linalg.norm(into(rig.start, place(rig.mid) - place(rig.start)), axis=-1)
    second = np.linalg.norm(into(rig.start, place(rig.end) - place(rig.mid)), axis=-1)

    def opened(degrees):
        cosine = np.cos(np.radians(degrees))
        return np.sqrt(first**2 + second**2 - 2 * first * second * cosine)

    found = correct(rig, target, pole, unreachable=Limits(40, 130))
    want = np.clip(far, opened(40), opened(130))
    np.testing.assert_allclose(end_distance(rig, found), want, rtol=0, atol=1e-13)
    status = np.where(far > opened(130), 1, np.where(far < opened(40), 2, 0))
    np.testing.assert_array_equal(found.status, status)
    found = correct(rig, target, pole, unreachable=Soft(0.1))
    solved = twobone.reach(np.stack([far, 0 * far], axis=-1), first, second, unreachable=Soft(0.1))
    np.testing.assert_allclose(end_distance(rig, found), solved.end[:, 0], rtol=0, atol=1e-13)
    np.testing.assert_array_equal(found.status, solved.status)


@pytest.mark.parametrize("limit", [np.inf, 1.2])
@pytest.mark.parametrize("start", SIZES)
def test_the_turns_of_stretch_are_those_of_the_longer_bones(start, limit):
    """To make bones longer is up to the caller: translations grow by what the end lacks."""
    rig, target, pole = limbs(17, start, "one")
    target = place(rig.start) + 1.5 * (target - place(rig.start))
    right = answer(rig, target, pole)
    far = np.linalg.norm(right.goal, axis=-1)
    policy = "stretch" if limit == np.inf else Stretch(limit=limit)
    found = correct(rig, target, pole, unreachable=policy)
    np.testing.assert_array_equal(found.status == Status.TOO_FAR, far > right.outer)
    local, hand = np.linalg.solve(rig.start, rig.mid), np.linalg.solve(rig.mid, rig.end)
    more = np.clip(far / right.outer, 1.0, limit)[:, None]
    local[:, :3, 3] *= more
    hand[:, :3, 3] *= more
    longer = Rig(rig.start, rig.start @ local, rig.start @ local @ hand, rig.mid_axis)
    came = into(rig.start, place(walk(longer, found)[2]) - place(rig.start))
    want = right.goal * np.minimum(1.0, limit * right.outer / far)[:, None]
    some = far >= right.inner
    np.testing.assert_allclose(came[some], want[some], rtol=0, atol=2e-14)


def test_nan_and_raise_say_what_is_not_reached():
    rig, target, pole = limbs(18, "uneven", "uniform")
    plain = correct(rig, target, pole)
    missed = plain.status != Status.REACHED
    found = correct(rig, target, pole, unreachable="nan")
    np.testing.assert_array_equal(found.status, plain.status)
    for have, want in zip(found[:2], plain[:2], strict=True):
        assert np.all(np.isnan(have[missed]))
        np.testing.assert_array_equal(have[~missed], want[~missed])
    with pytest.raises(twobone.UnreachableError) as caught:
        correct(rig, target, pole, unreachable="raise")
    assert caught.value.rows == [(int(row),) for row in np.flatnonzero(missed)]
    assert caught.value.total == COUNT
    some = Rig(*(part[~missed] for part in rig))
    found = correct(some, target[~missed], pole[~missed], unreachable="raise")
    np.testing.assert_array_equal(found.mid, plain.mid[~missed])


class Lazy(Policy):
    """Never use the last tenth of the reach."""

    def place(self, xp, distance, inner, outer):
        return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)


def test_a_policy_of_ones_own_says_where_the_end_goes():
    rig, target, pole = limbs(19, "mirrored", "one")
    right = answer(rig, target, pole)
    far = np.linalg.norm(right.goal, axis=-1)
    found = correct(rig, target, pole, unreachable=Lazy())
    want = np.clip(far, right.inner, np.maximum(0.9 * right.outer, right.inner))
    np.testing.assert_allclose(end_distance(rig, found), want, rtol=0, atol=1e-14)
    assert np.all((found.status == 0) == ((far >= right.inner) & (far <= 0.9 * right.outer)))
