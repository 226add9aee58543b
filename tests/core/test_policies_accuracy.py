"""Policies against their curves, evaluated with 120 digits for the given inputs.

What is held here, for like-sized bones and for lopsided ones, for every softness from 1e-6 to
1/2 and every opening from 0 to 180 degrees alike: a joint that a policy placed is within `JOINT`
eps of the first bone's length (as stretched), or `CHAINED` eps after several policies (found 2.0
and 3.6; by climbing 5.0), its end within `END` eps of its own distance (2.2). The first bone keeps
its length to `FIRST` eps (1.2), or that as stretched to `STRETCHED` (1.8; 4.1), the second one to
`SECOND` eps of the longer (3.6; 5.5).
"""

import itertools
import math
from typing import NamedTuple

import mpmath
import numpy as np
import pytest

import twobone
from engines import KERNEL
from families import make
from slow import all_but, slow
from twobone import Limits, Policy, Soft, Status, Stretch
from twobone.core.policies import Chain

JOINT = 6.0
CHAINED = 8.0
END = 4.0
FIRST = 2.5
STRETCHED = 6.0
SECOND = 7.0
OPENING = 4.0
EPS = {np.float64: 2.0**-52, np.float32: 2.0**-23}
BOTH = [*itertools.product(EPS, (2, 3))]
TINY = {np.float64: 5e-324, np.float32: 1e-45}


# --- the curves, written once more --------------------------------------------------------


class Place(NamedTuple):
    """Where the end is put, in exact numbers: on the way, between the edges."""

    d: object
    inner: object
    outer: object
    stretch: object
    met: bool


def eased(left, zone):
    """Return what is left to an edge after Soft's curve."""
    if left >= zone:
        return left
    return max(left + zone, mpmath.mpf(0)) ** 2 / (4 * zone)


def soft(place, policy, bones, distance):
    half = (place.outer - place.inner) / 2
    softness = bones.number(policy.softness)
    outer, inner = min(softness * place.outer, half), min(softness * place.inner, half)
    if place.outer - place.d < outer:
        return place._replace(d=place.outer - eased(place.outer - place.d, outer))
    if place.d - place.inner < inner:
        return place._replace(d=place.inner + eased(place.d - place.inner, inner))
    return place


def stretch(place, policy, bones, distance):
    d = min(max(place.d, place.inner), place.outer)
    if d >= distance or d == 0:
        return place._replace(d=d)
    factor = distance / d
    limit = bones.number(policy.limit)
    return place._replace(d=d, stretch=min(factor, limit), met=factor <= limit)


def limits(place, policy, bones, distance):
    cos2 = mpmath.cos(mpmath.radians(mpmath.mpf(policy.greatest_degrees)) / 2) ** 2
    sin2 = mpmath.sin(mpmath.radians(mpmath.mpf(policy.least_degrees)) / 2) ** 2
    four = 4 * bones.r1 * bones.r2
    outer = mpmath.sqrt(max((bones.r1 + bones.r2) ** 2 - four * cos2, 0))
    inner = mpmath.sqrt((bones.r1 - bones.r2) ** 2 + four * sin2)
    return place._replace(inner=max(place.inner, inner), outer=min(place.outer, outer))


CURVES = {Soft: soft, Stretch: stretch, Limits: limits}


class Bones(NamedTuple):
    r1: object
    r2: object
    dtype: type

    def number(self, v):
        """Return an option as the dtype holds it."""
        return mpmath.mpf(float(self.dtype(v)))


def flat(policy):
    """Return the policies of a chain, and of the chains in it."""
    if not isinstance(policy, Chain):
        return [policy]
    return [each for part in policy.policies for each in flat(part)]


def place_of(policy, p, r1, r2, dtype):
    """Return the `Place` of the end, the bones and the distance of the target."""
    bones = Bones(mpmath.mpf(r1), mpmath.mpf(r2), dtype)
    distance = mpmath.sqrt(mpmath.fsum(mpmath.mpf(part) ** 2 for part in p))
    inner, outer = abs(bones.r1 - bones.r2), bones.r1 + bones.r2
    place = Place(distance, inner, outer, mpmath.mpf(1), False)
    for each in flat(policy):
        place = CURVES[type(each)](place, each, bones, distance)
    return place._replace(d=min(max(place.d, place.inner), place.outer)), bones, distance


def expected(policy, p, r1, r2, side, pole, dtype):
    """Return joint, end and how much longer the bones are, by the curves."""
    place, bones, distance = place_of(policy, p, r1, r2, dtype)
    d, (r1, r2, _) = place.d, bones
    along, across = mpmath.mpf(0), r1
    if d:
        along = (d * d + r1 * r1 - r2 * r2) / (2 * d)
        across = mpmath.sqrt(max(((r1 + r2) ** 2 - d * d) * (d * d - (r1 - r2) ** 2), 0)) / (2 * d)
    u = [mpmath.mpf(part) / distance for part in p]
    v = square_to(u, pole)
    joint = [place.stretch * (along * a + side * across * b) for a, b in zip(u, v, strict=True)]
    return joint, [place.stretch * d * part for part in u], place.stretch


def square_to(u, pole):
    if pole is None:
        return [-u[1], u[0]]
    pole = [mpmath.mpf(part) for part in pole]
    dot = mpmath.fsum(a * b for a, b in zip(u, pole, strict=True))
    v = [b - dot * a for a, b in zip(u, pole, strict=True)]
    size = mpmath.sqrt(mpmath.fsum(part**2 for part in v))
    return [part / size for part in v]


def distance_in_units(v, w, unit):
    apart = mpmath.sqrt(mpmath.fsum((mpmath.mpf(a) - b) ** 2 for a, b in zip(v, w, strict=True)))
    return float(apart / unit)


# --- every policy, every family -----------------------------------------------------------

POLICIES = [
    Soft(0.5),
    Soft(0.1),
    Soft(0.01),
    Soft(1e-6),
    Stretch(1.25),
    Stretch(math.inf),
    Limits(0, 175),
    Limits(30, 150),
    Limits(90, 90),
    Limits(2, 178),
    Limits(0, 5),
    Limits(0, 1e-3),
    Limits(0, 0),
    Limits(179.9, 180),
    Limits(180, 180),
    Limits(0, 150) | Limits(30, 170),
    Limits(0, 0.01) | Limits(0, 1e-4),
    Limits(179.9, 180) | Limits(179.99, 180) | Soft(0.1),
    Limits(10, 170) | Soft(0.05),
    Soft(0.05) | Stretch(1.25),
    Soft(0.125) | Limits(30, 150),
    Limits(30, 160) | Stretch(1.125),
    Limits(10, 170) | Soft(0.0625) | Stretch(1.125),
]
KINDS = [
    "generic",
    "extended",
    "folded",
    "nearly_equal",
    "lopsided",
    "lopsided_edge",
    "right_angle",
    "near_powers",
    "out_of_reach",
    "exact_edge",
    "any_size",
]
COUNT = 20


def limbs(name, dtype, size, policy, count=COUNT):
    """Return limbs of a family, half of them moved to where the policies have their seams."""
    rng = np.random.default_rng([size, np.dtype(dtype).itemsize, len(repr(policy))])
    target, r1, r2, side, pole = make(name, dtype, size, count, rng)
    softness = max((part.softness for part in flat(policy) if isinstance(part, Soft)), default=0.1)
    moved = 1 + softness * rng.uniform(-1.5, 1.5, count) * (rng.random(count) < 0.5)
    return (target * moved[:, None]).astype(dtype), r1, r2, side, pole


def answers(name, dtype, size, policy, count=COUNT):
    """Yield limb by limb what was asked, what came and what the curves say."""
    target, r1, r2, side, pole = limbs(name, dtype, size, policy, count)
    found = twobone.reach(target, r1, r2, side=side, pole=pole, unreachable=policy)
    for i, code in enumerate(found.status):
        if code in (Status.AMBIGUOUS, Status.INVALID) or not np.any(target[i]):
            continue
        way = None if pole is None else pole[i].tolist()
        limb = (target[i].tolist(), float(r1[i]), float(r2[i]), int(side[i]), way)
        yield limb, found.joint[i].tolist(), found.end[i].tolist(), expected(policy, *limb, dtype)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("dtype", "size"), all_but(BOTH, (np.float64, 2)))
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_joint_and_end_are_where_the_curve_says(policy, dtype, size):
    """And both bones keep their lengths, or are stretched alike."""
    bound = CHAINED if isinstance(policy, Chain) else JOINT
    eps = EPS[dtype]
    with mpmath.workdps(120):
        for name in KINDS:
            for limb, joint, end, (want, want_end, stretch) in answers(name, dtype, size, policy):
                unit = eps * stretch * limb[1]
                assert distance_in_units(joint, want, unit) <= bound, (name, limb)
                unit = eps * max(length(want_end), mpmath.mpf(TINY[dtype]))
                assert distance_in_units(end, want_end, unit) <= END, (name, limb)
                r1, r2 = (stretch * mpmath.mpf(r) for r in limb[1:3])
                second = [mpmath.mpf(a) - mpmath.mpf(b) for a, b in zip(end, joint, strict=True)]
                first = FIRST if stretch == 1 else STRETCHED
                assert abs(length(joint) - r1) <= first * eps * r1, (name, limb)
                assert abs(length(second) - r2) <= SECOND * eps * max(r1, r2), (name, limb)


@pytest.mark.parametrize("engine", ["numpy", *slow("compiled")])
@pytest.mark.parametrize(
    "policy",
    [
        Limits(0, 0.0101) | Limits(0, 0.01),
        Limits(0, 1e-3) | Limits(0, 0.99e-3) | Soft(0.1),
        Limits(179.9, 180) | Limits(179.95, 180),
        Limits(179.9, 180) | Limits(179.901, 180) | Soft(0.1),
    ],
    ids=repr,
)
def test_between_edges_that_move_a_little_nothing_cancels(engines, engine, policy):
    """The second limit narrows a range that the first one has left narrow."""
    if engine == "compiled" and KERNEL is None:
        pytest.skip("the kernel is not compiled")
    engines.use(engine)
    rng = np.random.default_rng(3)
    with mpmath.workdps(120):
        for r1, r2 in [(1.0, 1.0), (1.0, 0.7), (1.0, 1.0 + 1e-9), (1.0, 1e-3), (0.3, 1.1)]:
            place, _, _ = place_of(policy, (1.0, 0.0), r1, r2, np.float64)
            parts = np.concatenate([rng.uniform(size=20), 10.0 ** rng.uniform(-10, 0, 20)])
            for part, angle in zip([*parts, *-parts], rng.uniform(0, 6.28, 80), strict=True):
                edge = place.outer if part > 0 else place.inner
                d = float(edge - (place.outer - place.inner) * mpmath.mpf(float(part)))
                target = [d * math.cos(angle), d * math.sin(angle)]
                found = twobone.reach(target, r1, r2, side=1, unreachable=policy)
                want, end, _ = expected(policy, target, r1, r2, 1, None, np.float64)
                unit = EPS[np.float64] * r1
                assert distance_in_units(found.joint.tolist(), want, unit) <= CHAINED
                unit = EPS[np.float64] * length(end)
                assert distance_in_units(found.end.tolist(), end, unit) <= END


def length(v):
    return mpmath.sqrt(mpmath.fsum(mpmath.mpf(part) ** 2 for part in v))


# --- laws of the curves -------------------------------------------------------------------

BONES = [(1.0, 1.0), (1.0, 0.7), (0.3, 1.1), (1.0, 1e-9), (1e-9, 1.0)]


def along_the_way(policy, r1, r2, distances, dtype=np.float64):
    """Return how far the end is for targets along a straight line."""
    target = np.stack([distances, np.zeros_like(distances)], axis=-1).astype(dtype)
    end = twobone.reach(target, dtype(r1), dtype(r2), unreachable=policy).end
    return end[:, 0]


@pytest.mark.parametrize(("r1", "r2"), BONES)
@pytest.mark.parametrize("dtype", EPS)
@pytest.mark.parametrize("softness", [0.5, 0.1, 0.01, 1e-6])
def test_a_soft_end_never_passes_the_target_and_never_turns_back(softness, dtype, r1, r2):
    outer, inner, eps = r1 + r2, abs(r1 - r2), EPS[dtype]
    wide = np.linspace(0, 2.5 * outer, 4001)
    seams = [outer + softness * outer * np.linspace(-2, 2, 2001)]
    seams += [inner + softness * inner * np.linspace(-2, 2, 2001)]
    distances = np.unique(np.abs(np.concatenate([wide, *seams])).astype(dtype))[1:]
    d = along_the_way(Soft(softness), r1, r2, distances, dtype)
    assert np.all(np.diff(d) >= -4 * eps * outer)
    middle = max(r1, r2)
    far, near = distances >= middle, distances <= middle
    assert np.all(d[far] <= distances[far] * (1 + 2 * eps))
    assert np.all(d[near] >= distances[near] * (1 - 2 * eps))
    assert np.all(d <= outer * (1 + 2 * eps))
    assert np.all(d >= inner * (1 - 2 * eps))


@pytest.mark.parametrize(("r1", "r2"), BONES)
@pytest.mark.parametrize("softness", [0.5, 0.1, 0.01])
def test_the_speed_of_a_soft_end_has_no_jump(softness, r1, r2):
    outer, inner, half = r1 + r2, abs(r1 - r2), min(r1, r2)
    zones = [(edge, min(softness * edge, half)) for edge in (outer, inner) if edge]
    for edge, zone in zones:
        for seam in (edge - zone, edge + zone):
            step = zone * 2e-4
            d = along_the_way(Soft(softness), r1, r2, seam + step * np.arange(-2, 3))
            before, after = (d[2] - d[0]) / (2 * step), (d[4] - d[2]) / (2 * step)
            noise = 8 * EPS[np.float64] * outer / step
            assert abs(before - after) <= 1.01 * step / zone + noise, (edge, seam)
            assert min(abs(before), abs(before - 1)) <= 1.01 * step / zone + noise


def test_a_soft_end_stops_where_the_curve_says():
    d = along_the_way(Soft(0.125), 1.0, 1.0, np.array([1.75, 2.0, 2.25, 3.0]))
    np.testing.assert_allclose(d, [1.75, 1.9375, 2.0, 2.0], rtol=4 * EPS[np.float64])


@pytest.mark.parametrize("limit", [1.0, 1.1, 3.0, math.inf])
@pytest.mark.parametrize(("r1", "r2"), BONES)
def test_stretched_bones_never_grow_beyond_the_limit(limit, r1, r2):
    target = np.stack([np.geomspace(0.01, 100, 400) * (r1 + r2), np.zeros(400)], axis=-1)
    for policy in (Stretch(limit), Soft(0.1) | Stretch(limit)):
        joint, end, _ = twobone.reach(target, r1, r2, unreachable=policy)
        first, eps = np.hypot(*joint.T), EPS[np.float64]
        met = target[:, 0] <= (r1 + r2) * min(limit, 1e3) * 0.9
        met &= target[:, 0] > abs(r1 - r2) * 1.1
        assert np.all(first <= limit * r1 * (1 + 4 * eps))
        assert np.all(first >= r1 * (1 - 4 * eps))
        assert np.array_equal(end[met], target[met])


@pytest.mark.parametrize("dtype", EPS)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(
    "policy", [Limits(30, 150), Limits(1e-3, 179.999), Limits(90, 90), Limits(1, 179)], ids=repr
)
def test_the_opening_stays_within_its_limits(policy, size, dtype):
    least, greatest = math.radians(policy.least_degrees), math.radians(policy.greatest_degrees)
    with mpmath.workdps(60):
        for name in ("generic", "extended", "folded", "out_of_reach"):
            target, r1, r2, side, pole = limbs(name, dtype, size, policy, 60)
            found = twobone.reach(target, r1, r2, side=side, pole=pole, unreachable=policy)
            rows = zip(
                found.joint.tolist(), found.end.tolist(), r1.tolist(), r2.tolist(), strict=True
            )
            for joint, end, a, b in rows:
                if not 0.1 < a / b < 10:
                    continue
                angle = opening(joint, end)
                # a rounding of the end is seen from the joint under an angle of its own
                slack = OPENING * EPS[dtype] * (1 + max(a, b) / min(a, b))
                assert least - slack <= angle <= greatest + slack, (name, joint, end)


def opening(joint, end):
    """Return the angle at the joint between root and end."""
    back = [-mpmath.mpf(part) for part in joint]
    on = [mpmath.mpf(a) - mpmath.mpf(b) for a, b in zip(end, joint, strict=True)]
    dot = mpmath.fsum(a * b for a, b in zip(back, on, strict=True))
    cross = mpmath.sqrt(max(length(back) ** 2 * length(on) ** 2 - dot**2, 0))
    return mpmath.atan2(cross, dot)


def test_limits_reach_exactly_as_far_as_their_angles_say():
    for degrees in (10.0, 60.0, 120.0, 170.0):
        end = twobone.reach([5.0, 0.0], 1.0, 0.5, unreachable=Limits(0, degrees)).end
        want = math.sqrt(1.25 - math.cos(math.radians(degrees)))
        assert end[0] == pytest.approx(want, rel=1e-15)


# --- where a policy may put an end, and how bones may stretch ------------------------------


class AtTheRoot(Policy):
    def place(self, xp, distance, inner, outer):
        return 0.0 * distance


class ShortOfReach(Policy):
    def place(self, xp, distance, inner, outer):
        return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("policy", [AtTheRoot(), Limits(0, 0)], ids=repr)
@pytest.mark.parametrize("size", [5e-324, 1e-300, 1.0, 1e300])
def test_an_end_put_at_the_root_leaves_the_joint_square_to_the_way(size, policy, side):
    target = np.multiply(size, [1.0, 1.0])
    joint, end, status = twobone.reach(target, size, size, side=side, unreachable=policy)
    assert end.tolist() == [0.0, 0.0]
    assert status == Status.TOO_FAR
    assert np.hypot(*(joint / size)) == pytest.approx(1.0, abs=2 * EPS[np.float64]) or size < 1e-320
    assert side * joint[1] >= 0 >= side * joint[0]


@pytest.mark.parametrize("size", [1e-310, 1e-200, 1.0, 1e200])
def test_your_own_policy_is_told_true_distances(size):
    seen = []

    class Listen(Policy):
        def place(self, xp, distance, inner, outer):
            seen.append([float(v) for v in (distance, inner, outer)])
            return distance

    for distance in (0.0, 1.25 * size):
        twobone.reach([distance, 0.0], size, 0.5 * size, unreachable=Listen())
        assert seen.pop() == [distance, size - 0.5 * size, size + 0.5 * size]


def test_your_own_policy_may_treat_limbs_of_every_size_and_targets_however_far():
    for size in (1e-300, 1.0, 1e300):
        for distance in (0.95 * 2 * size, 1e307):
            _, end, status = twobone.reach([distance, 0.0], size, size, unreachable=ShortOfReach())
            assert end[0] == pytest.approx(1.8 * size, rel=1e-15)
            assert status == Status.TOO_FAR
        joint, end, status = twobone.reach([0.0, 0.0], size, size, unreachable=ShortOfReach())
        assert (joint.tolist(), end.tolist()) == ([0.0, size], [0.0, 0.0])
        assert status == Status.AMBIGUOUS


@pytest.mark.parametrize(
    ("dtype", "size", "distance"),
    [(np.float64, 1.0, 1e300), (np.float64, 1e-310, 1e308), (np.float32, 1.0, 1e25)],
)
def test_stretch_without_limit_meets_every_target_in_proportion(dtype, size, distance):
    target = np.array([0.6 * distance, 0.8 * distance], dtype)
    limb = target, dtype(size), dtype(size)
    joint, end, status = twobone.reach(*limb, unreachable=Stretch(math.inf))
    np.testing.assert_array_equal(end, target)
    np.testing.assert_allclose(joint, target / 2, rtol=4 * EPS[dtype])
    assert status == Status.TOO_FAR
    joint, end, status = twobone.reach(*limb, unreachable=Stretch(1e6))
    np.testing.assert_allclose(end, 2e6 * size * np.array([0.6, 0.8]), rtol=1e-6)
    np.testing.assert_allclose(joint, end / 2, rtol=1e-6)


@pytest.mark.parametrize("after", [Limits(0, 150), Soft(0.1), Stretch(1.2), ShortOfReach()])
def test_stretch_comes_last_in_a_chain(after):
    for chain in (lambda: Stretch(1.1) | after, lambda: Soft(0.1) | (Stretch(1.1) | after)):
        with pytest.raises(twobone.PolicyError, match="must come last"):
            chain()


def test_a_target_in_the_outer_zone_of_soft_is_too_far_however_like_the_bones():
    for r2 in (1.0, 1 + 2.0**-52, 1 + 2.0**-40, 1 - 2.0**-30):
        found = twobone.reach([[1.95, 0.0], [2.5, 0.0]], 1.0, r2, unreachable=Soft(0.5))
        assert found.status.tolist() == [Status.TOO_FAR] * 2


def test_where_a_policy_moves_nothing_the_direct_answer_stays():
    rng = np.random.default_rng(5)
    target = rng.normal(size=(1000, 2)) * 2
    lengths = rng.uniform(0.5, 1.5, (2, 1000))
    plain = twobone.reach(target, *lengths)
    for policy in (Soft(0.1), Limits(30, 150), Stretch(1.2)):
        found = twobone.reach(target, *lengths, unreachable=policy)
        same = found.status == Status.REACHED
        assert np.count_nonzero(same) > 100
        np.testing.assert_array_equal(found.joint[same], plain.joint[same])
        np.testing.assert_array_equal(found.end[same], target[same])


def test_limits_that_leave_no_opening_are_refused():
    for chain in (
        lambda: Limits(120, 150) | Limits(30, 60),
        lambda: Limits(30, 60) | Soft(0.1) | Limits(61, 90),
    ):
        with pytest.raises(twobone.PolicyError, match="No joint angle satisfies all of Limits"):
            chain()
    assert repr(Limits(30, 60) | Limits(60, 90)) == "Limits(30.0, 60.0) | Limits(60.0, 90.0)"


@pytest.mark.parametrize(("dtype", "opening"), [(np.float64, 1e-150), (np.float32, 1e-17)])
def test_an_end_at_the_root_does_not_stretch(dtype, opening):
    target = np.array([1.0, 0.0], dtype)
    policy = Limits(0, opening) | Stretch(math.inf)
    joint, end, status = twobone.reach(target, 1.0, 1.0, unreachable=policy)
    assert np.hypot(*joint) == 1.0
    assert np.hypot(*end) <= opening
    assert status == Status.TOO_FAR


@pytest.mark.parametrize(("dtype", "size"), [(np.float64, 1e-300), (np.float32, 1e-30)])
def test_a_limit_on_stretching_holds_however_far_the_target(dtype, size):
    far = np.finfo(dtype).max / 2
    for limit in (1e7, float(far)):
        end = twobone.reach(np.array([far, 0], dtype), size, size, unreachable=Stretch(limit)).end
        assert end[0] == pytest.approx(2 * limit * size, rel=1e-6)


def test_a_policy_that_places_an_end_nowhere_makes_its_row_invalid():
    class Nowhere(Policy):
        def place(self, xp, distance, inner, outer):
            return xp.where(distance > outer, math.nan, distance)

    found = twobone.reach([[1.0, 0.0], [3.0, 0.0]], 1.0, 1.0, unreachable=Nowhere())
    assert found.status.tolist() == [Status.REACHED, Status.INVALID]
    assert np.isnan(found.joint).all(axis=1).tolist() == [False, True]
