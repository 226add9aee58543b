"""correct_limb against an answer found by another way, and walked forwards, with every scale."""

import numpy as np
import pytest

import twobone
from rigs import (
    COUNT,
    SIZES,
    Rig,
    affine,
    answer,
    assert_units,
    correct,
    end_at,
    end_distance,
    into,
    limbs,
    missed_by,
    place,
    random_rotation,
    random_targets,
    rotation,
    sizes,
    turned,
    unit,
    walk,
    widened,
)
from slow import slow
from twobone import Status

DTYPES = ("float64", "float32")
FADE = 0.18  # sine above which the pole has its full say


def sine_of(rig, target, pole):
    way = unit(into(rig.start, target - place(rig.start)))
    return np.linalg.norm(np.cross(way, unit(into(rig.start, pole))), axis=-1)


# --- against the oracle -------------------------------------------------------------------


@pytest.mark.parametrize("skew", [False, True], ids=["square", "skew"])
@pytest.mark.parametrize("mid", SIZES[:3])
@pytest.mark.parametrize("start", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_with_every_scale_the_turns_are_those_of_the_oracle(dtype, start, mid, skew):
    rig, target, pole = limbs(1, start, mid, dtype, skew=skew)
    found = correct(rig, target, pole)
    assert found.start.dtype == found.mid.dtype == dtype
    assert_units(found)
    eps, wide = np.finfo(dtype).eps, widened(rig)
    target, pole = target.astype(np.float64), pole.astype(np.float64)
    right = answer(wide, target, pole)
    far = np.linalg.norm(right.goal, axis=-1)
    beyond = np.where(far > right.outer, 1, np.where(far < right.inner, 2, 0))
    edge = 64 * eps * right.outer
    clear = (np.abs(far - right.outer) > edge) & (np.abs(far - right.inner) > edge)
    assert np.count_nonzero(clear) > 0.99 * COUNT
    np.testing.assert_array_equal(found.status[clear], beyond[clear])
    assert {0, 1, 2} <= set(found.status.tolist())
    assert np.max(missed_by(wide, found, target)[found.status == 0]) <= 24 * eps
    # The turn's own error is that of its cosine, which near the edges is the root of eps.
    inside = clear & (np.abs(far - right.outer) > 1e-3) & (np.abs(far - right.inner) > 1e-3)
    np.testing.assert_allclose(
        rotation(found.mid)[inside], right.mid[inside], rtol=0, atol=5e4 * eps
    )
    sure = inside & (sine_of(wide, target, pole) > FADE) & (right.inner > 1e-2 * right.outer)
    sure &= far > 1e-2
    assert np.count_nonzero(sure) > COUNT / 2
    np.testing.assert_allclose(
        rotation(found.start)[sure], right.start[sure], rtol=0, atol=5e4 * eps
    )


@pytest.mark.sampled(4)
@pytest.mark.parametrize("skew", [False, True], ids=["square", "skew"])
@pytest.mark.parametrize("start", SIZES)
@pytest.mark.parametrize("dtype", ["float32", *slow("float64")])
def test_an_uneven_mid_moves_its_end_on_an_ellipse_and_meets_all_that_can_be_met(
    dtype, start, skew
):
    rig, target, pole = limbs(2, start, "uneven", dtype, skew=skew)
    found = correct(rig, target, pole)
    assert_units(found)
    eps, wide = np.finfo(dtype).eps, widened(rig)
    target = target.astype(np.float64)
    met = found.status == Status.REACHED
    assert np.max(missed_by(wide, found, target)[met]) <= 128 * eps
    angles = np.linspace(0, 2 * np.pi, 1000, endpoint=False)[:, None] + np.zeros(COUNT)
    distances = np.linalg.norm(end_at(wide, angles), axis=-1)
    least, most = np.min(distances, axis=0), np.max(distances, axis=0)
    far = np.linalg.norm(into(wide.start, target - place(wide.start)), axis=-1)
    can = (far > least) & (far < most)
    assert np.count_nonzero(can) > COUNT / 4
    np.testing.assert_array_equal(found.status[can], Status.REACHED)
    slack = 1e-4 * most
    assert np.all(found.status[far > most + slack] == Status.TOO_FAR)
    assert np.all(found.status[far < least - slack] == Status.TOO_NEAR)
    # Where it does not reach, no angle brings the end nearer to the target.
    end, more = end_distance(wide, found), 64 * eps * most
    for beyond, extreme, sign in ((far > most, most, 1), (far < least, least, -1)):
        assert np.count_nonzero(beyond) > 0
        assert np.all((sign * (end - extreme) >= -more)[beyond])
        assert np.all((np.abs(end - extreme) <= slack)[beyond])


@pytest.mark.parametrize("mid", SIZES)
@pytest.mark.parametrize("start", SIZES)
def test_the_hinge_turns_about_its_axis_alone(start, mid):
    rig, target, pole = limbs(3, start, mid, skew=True)
    found = correct(rig, target, pole, twist=0.3, weight=0.7)
    across = np.cross(found.mid[:, :3], rig.mid_axis)
    assert np.max(np.abs(across)) <= 4e-16


@pytest.mark.parametrize("start", SIZES)
def test_the_joint_lies_on_the_side_of_the_pole(start):
    """In the space of `start`, where bones turn: half planes are straight in any scale."""
    rig, target, pole = limbs(4, start, "mirrored")
    found = correct(rig, target, pole)
    _, mid, _ = walk(rig, found)
    way = unit(into(rig.start, target - place(rig.start)))
    pole, knee = unit(into(rig.start, pole)), into(rig.start, place(mid) - place(rig.start))
    clear = np.linalg.norm(np.cross(way, pole), axis=-1) > FADE
    normal = unit(np.cross(way, pole))
    assert np.max(np.abs(np.sum(normal * knee, axis=-1))[clear]) <= 1e-14
    towards = np.sum(np.cross(normal, way) * knee, axis=-1)
    met = clear & (found.status == Status.REACHED)
    assert np.count_nonzero(met) > COUNT / 3
    assert np.min(towards[met]) > 0


@pytest.mark.parametrize("start", SIZES)
def test_without_a_pole_the_limb_keeps_its_plane(start):
    rig, target, _ = limbs(5, start, "uniform")
    found = correct(rig, target)
    met = found.status == Status.REACHED
    assert np.max(missed_by(rig, found, target)[met]) <= 24 * np.finfo(float).eps
    # The shortest turn from the way it has to the way it is to have: about what is square to both.
    opened = found._replace(start=np.tile([0.0, 0.0, 0.0, 1.0], (COUNT, 1)))
    came = unit(into(rig.start, place(walk(rig, opened)[2]) - place(rig.start)))
    way = unit(into(rig.start, target - place(rig.start)))
    cosine = np.sum(came * way, axis=-1)
    np.testing.assert_allclose(2 * found.start[:, 3] ** 2 - 1, cosine, rtol=0, atol=1e-13)


def test_a_twist_turns_the_whole_limb_about_the_way():
    rig, target, pole = limbs(6, "uneven", "mirrored", skew=True)
    twist = np.random.default_rng(0).uniform(-7, 7, COUNT)
    plain, found = correct(rig, target, pole), correct(rig, target, pole, twist=twist)
    way = unit(into(rig.start, target - place(rig.start)))
    want = turned(way, twist) @ rotation(plain.start)
    np.testing.assert_allclose(rotation(found.start), want, rtol=0, atol=2e-14)
    np.testing.assert_array_equal(found.mid, plain.mid)
    np.testing.assert_array_equal(found.status, plain.status)


def test_joints_between_ride_along_and_so_do_those_below():
    """Corrections are multiplied onto local matrices of a chain of seven; all the rest stays."""
    rng = np.random.default_rng(7)
    local = [
        affine(
            random_rotation(rng, COUNT) * sizes(rng, COUNT, "uniform")[:, None, :],
            rng.normal(size=(COUNT, 3)),
        )
        for _ in range(7)
    ]

    def models():
        found = [local[0]]
        for matrix in local[1:]:
            found.append(found[-1] @ matrix)
        return found

    before, axis = models(), unit(rng.normal(size=(COUNT, 3)))
    rig = Rig(before[1], before[3], before[5], axis)
    target, pole = random_targets(rng, rig), rng.normal(size=(COUNT, 3))
    found = correct(rig, target, pole)
    local[1] = local[1] @ affine(rotation(found.start))
    local[3] = local[3] @ affine(rotation(found.mid))
    after = models()
    met = found.status == Status.REACHED
    assert np.count_nonzero(met) > COUNT / 8
    np.testing.assert_allclose(place(after[5])[met], target[met], rtol=0, atol=2e-13)
    for joint, want in zip((1, 3, 5), walk(rig, found), strict=True):
        np.testing.assert_allclose(after[joint], want, rtol=0, atol=1e-12)


# --- near the edges -----------------------------------------------------------------------


@pytest.mark.parametrize("left", [0.0, 1e-15, 1e-12, 1e-8, 1e-4])
@pytest.mark.parametrize("edge", ["outer", "inner"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_at_the_edges_of_the_ring_the_end_is_as_near_as_inside(dtype, edge, left):
    rig, _, pole = limbs(8, "uniform", "one")
    rig = widened(Rig(*(part.astype(dtype) for part in rig)))
    right = answer(rig, place(rig.end), pole)
    far = right.outer * (1 - left) if edge == "outer" else right.inner * (1 + left)
    way = unit(np.random.default_rng(9).normal(size=(COUNT, 3)))
    target = place(rig.start) + (rig.start[:, :3, :3] @ (way * far[:, None])[..., None])[..., 0]
    eps = np.finfo(dtype).eps
    given = Rig(*(part.astype(dtype) for part in rig))
    found = correct(given, target.astype(dtype), pole.astype(dtype))
    assert_units(found)
    # The target itself has rounding errors, those of the place of start and more.
    size = np.linalg.norm(place(rig.start), axis=-1) / right.outer + 1
    missed = missed_by(rig, found, target.astype(dtype).astype(np.float64))
    scale = np.cbrt(np.abs(np.linalg.det(rig.start[:, :3, :3])))
    assert np.max(missed / (1 + size / scale)) <= 24 * eps


@pytest.mark.parametrize("side", [1, -1])
def test_for_a_straight_limb_the_axis_says_which_way_it_bends(side):
    start, mid, end = np.eye(4), np.eye(4), np.eye(4)
    mid[:3, 3], end[:3, 3] = [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]
    rig = Rig(start, mid, end, np.array([0.0, 0.0, side]))
    for target in ([1.0, 0.0, 0.0], [1.5, 0.5, 0.0], [0.5, 0.0, 0.0]):
        found = correct(rig, target)
        assert found.status == Status.REACHED
        assert missed_by(rig, found, target) <= 4e-16
        # A positive turn opens, so this one was negative.
        assert found.mid[:3] @ rig.mid_axis < -0.1
    # With a pole the plane rolls until the joint is on its side, whatever the axis.
    found = correct(rig, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    np.testing.assert_allclose(place(walk(rig, found)[1]), [0.5, 0, np.sqrt(0.75)], atol=1e-15)


def test_a_target_at_the_root_folds_the_limb():
    rig, _, pole = limbs(10, "uneven", "one")
    found = correct(rig, place(rig.start), pole)
    assert np.all(found.status == Status.TOO_NEAR)
    right = answer(rig, place(rig.end), pole)
    np.testing.assert_allclose(end_distance(rig, found), right.inner, rtol=0, atol=1e-14)
    # Bones of one length: the end comes to the root, the joint is towards the pole.
    mid, end = np.eye(4), np.eye(4)
    mid[:3, 3], end[:3, 3] = [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]
    rig, axis = Rig(np.eye(4), mid, end, None), [0.0, 0.0, 1.0]
    for towards in ([0.0, 1.0, 0.0], [1.0, 2.0, 3.0]):
        found = twobone.correct_limb(*rig[:3], [0.0, 0.0, 0.0], pole=towards, mid_axis=axis)
        assert found.status == Status.AMBIGUOUS
        _, knee, tip = walk(rig, found)
        np.testing.assert_allclose(place(tip), 0, rtol=0, atol=4e-16)
        np.testing.assert_allclose(place(knee), unit(np.array(towards)), rtol=0, atol=1e-15)


@pytest.mark.parametrize("lift", [0.5, -0.5])
@pytest.mark.parametrize("goal", [0.25, -0.25, 1e-9, -0.4])
def test_a_skew_limb_folds_onto_its_hinge_and_turns_that_to_the_target(lift, goal):
    """Bones of one length beside the hinge: folded, the end lies on the axis, and has no plane."""
    mid, end = affine(np.eye(3), [1.0, 0.0, 0.0]), affine(np.eye(3), [1.0, 1.0, lift])
    rig = Rig(np.eye(4), mid, end, np.array([0.0, 0.0, -1.0]))
    for pole in (None, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]):
        found = correct(rig, [0.0, 0.0, goal], pole)
        assert found.status == Status.TOO_NEAR
        assert_units(found)
        tip = place(walk(rig, found)[2])
        np.testing.assert_allclose(tip, [0, 0, np.copysign(0.5, goal)], rtol=0, atol=4e-16)


def test_a_pole_along_the_way_is_ambiguous_and_keeps_the_plane():
    rig, target, _ = limbs(11, "uneven", "mirrored")
    own = correct(rig, target)
    for along in (1.0, -3.0, 0.0):
        found = correct(rig, target, along * (target - place(rig.start)))
        met = own.status == Status.REACHED
        assert np.all(found.status[met] == Status.AMBIGUOUS)
        np.testing.assert_array_equal(found.status[~met], own.status[~met])
        np.testing.assert_allclose(rotation(found.start), rotation(own.start), atol=1e-13)
        np.testing.assert_array_equal(found.mid, own.mid)


def test_nearer_than_ten_degrees_the_own_plane_fades_in():
    """The limb's own plane opposite to the pole's: what the pole says is weighed, 3 s^2 - 2 s^3."""
    mid, end = np.eye(4), np.eye(4)
    mid[:3, 3], end[:3, 3] = [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]
    rig, target = Rig(np.eye(4), mid, end, np.array([0.0, 0.0, 1.0])), np.array([1.0, 0.5, 0.0])
    way = unit(target)
    own = unit(place(walk(rig, correct(rig, target))[1]))
    aside = np.cross(way, np.cross(own, way))
    for degrees in (89.0, 10.5, 9.5, 7.0, 3.0, 0.5):
        angle, sine = np.radians(degrees), np.sin(np.radians(degrees))
        pole = np.cos(angle) * way + sine * np.cross(way, unit(aside))
        knee = place(walk(rig, correct(rig, target, pole))[1])
        share = min(sine / np.sin(np.radians(10.0)), 1.0)
        share = share * share * (3 - 2 * share)
        wanted = share * np.cross(way, unit(aside)) + (1 - share) * unit(aside)
        knee = knee - (knee @ way) * way
        np.testing.assert_allclose(unit(knee), unit(wanted), rtol=0, atol=1e-14)


def test_sizes_whose_squares_are_numbers_make_no_difference():
    """Fourth powers of 1e-120 and 1e120 are none, and are not asked for."""
    for dtype, powers in (("float64", (-120, -60, 60, 120)), ("float32", (-15, -8, 8, 14))):
        for mid in ("one", "uneven"):
            rig, target, pole = limbs(12, "uniform", mid)
            root = place(rig.start).copy()
            for matrix in rig[:3]:
                matrix[:, :3, 3] -= root
            target = target - root
            want = correct(rig, target, pole)
            for power in powers:
                scale = 2.0 ** round(power * np.log2(10))
                big = [matrix.copy() for matrix in rig[:3]]
                for matrix in big:
                    matrix[:, :3, 3] *= scale
                big = Rig(*(part.astype(dtype) for part in (*big, rig.mid_axis)))
                found = correct(big, (target * scale).astype(dtype), pole.astype(dtype))
                same = found.status == want.status
                assert np.count_nonzero(same) >= COUNT - 2
                atol = 3e-13 if dtype == "float64" else 2e-3
                for have, right in zip(found[:2], want[:2], strict=True):
                    off = np.abs(rotation(have) - rotation(right))[same]
                    assert np.quantile(off, 0.99) <= atol


@pytest.mark.parametrize("size", [1e-100, 1e-30, 1e30, 1e100])
def test_the_size_of_a_start_makes_no_difference(size):
    rig, target, pole = limbs(13, "mirrored", "one")
    root, want = place(rig.start), correct(rig, target, pole)
    shrink = np.diag([size, size, size, 1.0]) @ affine(np.eye(3), -root)
    small = Rig(*(shrink @ matrix for matrix in rig[:3]), rig.mid_axis)
    found = correct(small, (target - root) * size, pole)
    np.testing.assert_array_equal(found.status, want.status)
    np.testing.assert_allclose(rotation(found.mid), rotation(want.mid), rtol=0, atol=1e-7)
