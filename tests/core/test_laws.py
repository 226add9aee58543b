"""Laws: what must hold between answers, whatever the answers are."""

import numpy as np
import pytest

import twobone
from families import FAMILIES, make
from twobone import Limits, Soft, Status, Stretch

EPS = 2.0**-52
POLICIES = [
    "clamp",
    "stretch",
    Soft(0.1),
    Stretch(limit=1.3),
    Limits(20, 150),
    Soft(0.05) | Stretch(limit=1.2),
    Limits(10, 170) | Soft(0.1),
]
COUNT = 400


@pytest.fixture(params=sorted(FAMILIES))
def family(request):
    return request.param


def limbs(name, size, seed=5):
    target, r1, r2, side, pole = make(name, np.float64, size, COUNT, np.random.default_rng(seed))
    return dict(target=target, r1=r1, r2=r2, side=side) | ({"pole": pole} if size == 3 else {})


def norm(vectors):
    """Return lengths, also of the smallest and largest vectors."""
    return np.hypot.reduce(vectors, axis=-1)


def same(a, b):
    np.testing.assert_array_equal(a.joint, b.joint)
    np.testing.assert_array_equal(a.end, b.end)
    np.testing.assert_array_equal(a.status, b.status)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_scaling_by_a_power_of_two_scales_every_bit(size, policy):
    given = limbs("generic", size) | {"unreachable": policy}
    one = twobone.reach(**given)
    for power in (-700, -30, 3, 650):
        unit = 2.0**power
        scaled = {k: v * unit if k in ("target", "r1", "r2") else v for k, v in given.items()}
        other = twobone.reach(**scaled)
        np.testing.assert_allclose(other.joint / unit, one.joint, rtol=0, atol=20 * EPS)
        np.testing.assert_allclose(other.end / unit, one.end, rtol=0, atol=20 * EPS)
        np.testing.assert_array_equal(other.status, one.status)
    moderate = {k: v * 4.0 if k in ("target", "r1", "r2") else v for k, v in given.items()}
    same(twobone.Reach(one.joint * 4, one.end * 4, one.status), twobone.reach(**moderate))


def test_a_pole_of_any_length_gives_the_same_joint(family):
    given = limbs(family, 3)
    one = twobone.reach(**given)
    for factor in (2.0**-40, 2.0**40):
        other = twobone.reach(**(given | {"pole": given["pole"] * factor}))
        atol = 6 * EPS * np.max(given["r1"]) if family not in ("small",) else 5e-320
        np.testing.assert_allclose(other.joint, one.joint, rtol=1e-9, atol=atol)


def test_mirroring_the_target_and_the_side_mirrors_every_bit_in_the_plane(family):
    given = limbs(family, 2)
    one = twobone.reach(**given)
    for flip in ([1, -1], [-1, 1]):
        mirrored = twobone.reach(
            **(given | {"target": given["target"] * flip, "side": -given["side"]})
        )
        zero = ~given["target"].any(axis=-1)  # taken to lie on +x, which is no mirror image
        np.testing.assert_array_equal((mirrored.joint * flip)[~zero], one.joint[~zero])
        np.testing.assert_array_equal(mirrored.status, one.status)


def test_mirroring_target_and_pole_mirrors_every_bit_in_space(family):
    given = limbs(family, 3)
    one = twobone.reach(**given)
    bent = (one.status != Status.AMBIGUOUS) & given["target"].any(axis=-1)
    for flip in ([1, -1, 1], [-1, -1, -1]):
        mirrored = twobone.reach(
            **(given | {"target": given["target"] * flip, "pole": given["pole"] * flip})
        )
        np.testing.assert_array_equal((mirrored.joint * flip)[bent], one.joint[bent])
        np.testing.assert_array_equal(mirrored.status, one.status)


def test_a_quarter_turn_turns_every_bit(family):
    given = limbs(family, 2)
    turned = np.stack([-given["target"][:, 1], given["target"][:, 0]], axis=-1)
    one, other = twobone.reach(**given), twobone.reach(**(given | {"target": turned}))
    usual = given["target"].any(axis=-1)
    np.testing.assert_array_equal(other.joint[usual, 0], -one.joint[usual, 1])
    np.testing.assert_array_equal(other.joint[usual, 1], one.joint[usual, 0])


def test_exchanging_two_axes_in_space_exchanges_the_parts(family):
    given = limbs(family, 3)
    one = twobone.reach(**given)
    swap = [1, 0, 2]
    other = twobone.reach(
        **(given | {"target": given["target"][:, swap], "pole": given["pole"][:, swap]})
    )
    usual = (one.status != Status.AMBIGUOUS) & given["target"].any(axis=-1)
    reach = np.maximum(given["r1"], 1e-310)[:, None]
    assert np.all(np.abs(other.joint[:, swap] - one.joint)[usual] <= (8 * EPS * reach)[usual])


@pytest.mark.parametrize("size", [2, 3])
def test_turning_the_target_turns_the_joint(size):
    rng = np.random.default_rng(3)
    given = limbs("generic", size)
    one = twobone.reach(**given)
    matrix, _ = np.linalg.qr(rng.normal(size=(size, size)))
    matrix[:, 0] *= np.linalg.det(matrix)
    turned = {k: v @ matrix.T if k in ("target", "pole") else v for k, v in given.items()}
    other = twobone.reach(**turned)
    # Near an edge the turned target's own rounding moves the joint by its root.
    np.testing.assert_allclose(other.joint, one.joint @ matrix.T, rtol=0, atol=1e-6)


@pytest.mark.parametrize("size", [2, 3])
def test_swapping_the_bones_mirrors_the_joint_on_the_middle_of_the_way(size):
    given = limbs("generic", size)
    one = twobone.reach(**given)
    swapped = given | {"r1": given["r2"], "r2": given["r1"]}
    if size == 2:
        swapped["target"] = -given["target"]
        swapped["side"] = -given["side"]
        other = twobone.solve(**swapped) + given["target"]
    else:
        swapped["target"] = -given["target"]
        other = twobone.solve(**swapped) + given["target"]
    np.testing.assert_allclose(other, one.joint, rtol=0, atol=1e-14)


@pytest.mark.parametrize("size", [2, 3])
def test_both_answers_mirror_each_other_across_the_way_to_the_target(family, size):
    given = limbs(family, size)
    given.pop("side")
    both = twobone.solve_both(**given)
    assert both.shape == (COUNT, 2, size)
    for i, side in enumerate((1, -1)):
        np.testing.assert_array_equal(both[:, i], twobone.solve(**given, side=side))
    unit = np.max(np.abs(given["target"]), axis=-1, keepdims=True)
    unit[unit == 0] = 1.0
    way = given["target"] / unit
    way /= np.linalg.norm(way, axis=-1, keepdims=True) + 1e-300
    r1 = np.maximum(given["r1"], 5e-324)
    across = (both[:, 0] - both[:, 1]) / r1[:, None]
    slack = 8 * EPS + 8 * (5e-324 / r1)
    assert np.all(np.abs(np.sum(across * way, axis=-1)) <= slack)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize(("r1", "r2"), [(1.0, 1.0), (1.6, 1.2), (0.4, 1.0), (1.0, 0.05)])
def test_the_end_goes_farther_when_the_target_does_and_never_past_it(r1, r2, policy):
    distance = np.sort(
        np.concatenate([np.linspace(0, 4, 4001), (r1 + r2) * (1 + np.arange(-9, 9) * EPS)])
    )
    target = np.stack([0.6 * distance, 0.8 * distance], axis=-1)
    found = twobone.reach(target, r1, r2, unreachable=policy)
    end = np.linalg.norm(found.end, axis=-1)
    inner = abs(r1 - r2)
    usual = distance > 0
    assert np.all(np.diff(end[usual]) >= -4 * EPS * 4)
    assert np.all(end[distance > (r1 + r2)] <= distance[distance > (r1 + r2)] * (1 + 4 * EPS))
    if policy != "stretch":
        assert np.all(end[distance < inner] >= distance[distance < inner])
    outside = (found.status == Status.TOO_FAR) | (found.status == Status.TOO_NEAR)
    np.testing.assert_allclose(end[~outside], distance[~outside], rtol=6 * EPS, atol=0)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_the_bones_keep_their_lengths_unless_the_policy_gives(family, size, policy):
    found = twobone.reach(**limbs(family, size), unreachable=policy)
    given = limbs(family, size)
    first, second = norm(found.joint), norm(found.end - found.joint)
    longer = np.maximum(given["r1"], given["r2"])
    gives = policy == "stretch" or "Stretch" in repr(policy)
    kept = (found.status == 0) | (found.status == 3) if gives else np.full(COUNT, True)
    # Where a target counts as reached but for rounding, "stretch" gives by as much.
    slack = 12 * EPS * (longer if policy == "stretch" else given["r1"]) + 1e-323
    assert np.all(np.abs(first - given["r1"])[kept] <= slack[kept])
    assert np.all(np.abs(second - given["r2"])[kept] <= (12 * EPS * longer + 2e-323)[kept])
    if gives and policy != "stretch":
        limit = 1.3 if "1.3" in repr(policy) else 1.2
        with np.errstate(over="ignore"):
            assert np.all(first <= limit * given["r1"] * (1 + 12 * EPS) + 1e-323)
            assert np.all(second <= limit * given["r2"] + 12 * EPS * longer + 1e-323)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_a_bad_row_never_spoils_another(size, policy):
    given = limbs("generic", size)
    one = twobone.reach(**given, unreachable=policy)
    spoiled = {k: v.copy() for k, v in given.items()}
    spoiled["target"][::3] = np.nan
    spoiled["r1"][1::9] = -1.0
    spoiled["target"][5::12] = np.inf
    other = twobone.reach(**spoiled, unreachable=policy)
    bad = np.zeros(COUNT, bool)
    bad[::3], bad[1::9], bad[5::12] = True, True, True
    np.testing.assert_array_equal(other.joint[~bad], one.joint[~bad])
    np.testing.assert_array_equal(other.end[~bad], one.end[~bad])
    assert np.all(np.isnan(other.joint[bad]))
    assert np.all(other.status[bad] == Status.INVALID)


def test_status_is_reached_exactly_when_the_end_is_on_the_target_with_bones_of_their_own_length():
    given = limbs("out_of_reach", 2, seed=8)
    for policy in POLICIES:
        found = twobone.reach(**given, unreachable=policy)
        miss = np.linalg.norm(found.end - given["target"], axis=-1)
        grown = np.abs(np.linalg.norm(found.joint, axis=-1) - given["r1"]) > 1e-9 * given["r1"]
        second = np.linalg.norm(found.end - found.joint, axis=-1)
        grown |= np.abs(second - given["r2"]) > 1e-9 * np.maximum(given["r1"], given["r2"])
        missed = (miss > 1e-12 * (given["r1"] + given["r2"])) | grown
        np.testing.assert_array_equal(found.status != Status.REACHED, missed)
