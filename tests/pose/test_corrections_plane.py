"""correct_limb in the plane: matrices of three rows, angles out, mirrored parents, both sides."""

import re

import numpy as np
import pytest

import twobone
from rigs import COUNT, SIZES, affine, apply, into, place, unit
from twobone import PoseError, ShapeError, Soft, Status, Stretch


def turn(angle):
    """Return matrices (..., 3, 3) that turn counterclockwise."""
    c, s = np.cos(angle), np.sin(angle)
    return affine(np.stack([c, -s, s, c], axis=-1).reshape(*np.shape(angle), 2, 2))


def sizes(rng, kind):
    if kind == "one":
        return np.ones((COUNT, 2))
    scale = rng.uniform(0.4, 2.5, (COUNT, 2 if kind == "uneven" else 1))
    return scale * (1.0 if kind == "uniform" else rng.choice([-1.0, 1.0], (COUNT, 2)))


def joint(rng, kind, move):
    linear = turn(rng.uniform(-np.pi, np.pi, COUNT))[:, :2, :2] * sizes(rng, kind)[:, None, :]
    return affine(linear, move)


def limbs(seed, start, mid, dtype="float64"):
    """Return matrices of limbs and targets about as far as they reach."""
    rng = np.random.default_rng(seed)
    begin = joint(rng, start, rng.normal(size=(COUNT, 2)))
    between = begin @ joint(rng, mid, unit(rng.normal(size=(COUNT, 2))))
    tip = between @ joint(rng, "uneven", 0.8 * unit(rng.normal(size=(COUNT, 2))))
    local = unit(rng.normal(size=(COUNT, 2))) * rng.uniform(0.0, 2.0, (COUNT, 1))
    target = place(begin) + apply(begin[:, :2, :2], local)
    return tuple(part.astype(dtype) for part in (begin, between, tip, target))


def walk(start, mid, end, found):
    start, mid, end = (np.asarray(matrix, np.float64) for matrix in (start, mid, end))
    new_start = start @ turn(np.asarray(found.start, np.float64))
    new_mid = new_start @ np.linalg.solve(start, mid) @ turn(np.asarray(found.mid, np.float64))
    return new_start, new_mid, new_mid @ np.linalg.solve(mid, end)


def cross(u, v):
    return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]


def missed_by(start, end, target):
    start = np.asarray(start, np.float64)
    return np.linalg.norm(into(start, place(end) - target), axis=-1)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("mid", SIZES)
@pytest.mark.parametrize("start", SIZES)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_end_meets_all_that_it_can_on_the_side_of_the_pole(dtype, start, mid):
    *joints, target = limbs(1, start, mid, dtype)
    pole = np.random.default_rng(2).normal(size=(COUNT, 2)).astype(dtype)
    found = twobone.correct_limb(*joints, target, pole=pole)
    assert found.start.dtype == found.mid.dtype == dtype
    assert found.start.shape == found.mid.shape == found.status.shape == (COUNT,)
    for angle in found[:2]:
        assert np.max(np.abs(angle)) <= np.float64(np.pi).astype(dtype)
    _, knee, end = walk(*joints, found)
    met, eps = found.status == Status.REACHED, np.finfo(dtype).eps
    scale = 1 + np.abs(place(joints[0])).max() / 0.4
    assert np.max(missed_by(joints[0], end, target)[met]) <= 64 * eps * scale
    way, out = target - place(joints[0]), place(knee) - place(joints[0])
    # Which side a mirrored or scaled parent has is a matter of the model, where the pole is.
    same = np.sign(cross(way, out)) == np.sign(cross(way, pole))
    clear = np.abs(cross(unit(way), unit(out))) > 1e-3
    if mid != "uneven":
        assert np.all(same[met & clear])
    assert_statuses(joints, target, found, mid, eps)


def assert_statuses(joints, target, found, mid, eps):
    """The ring is what is between the least and the greatest distance over all turns of mid."""
    start, between, end = (np.asarray(matrix, np.float64) for matrix in joints)
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)[:, None] + np.zeros(COUNT)
    tip = np.linalg.solve(start, between) @ turn(angles) @ np.linalg.solve(between, end)
    distance = np.linalg.norm(place(tip), axis=-1)
    least, most = distance.min(axis=0), distance.max(axis=0)
    far = np.linalg.norm(into(start, target - place(start)), axis=-1)
    slack = 1e-3 * most if mid == "uneven" else 2e-5 + 64 * eps * most
    can = (far > least) & (far < most)
    assert np.count_nonzero(can) > COUNT / 4
    assert np.all(found.status[can] == Status.REACHED)
    assert np.all(found.status[far > most + slack] == Status.TOO_FAR)
    assert np.all(found.status[far < least - slack - 1e-2] == Status.TOO_NEAR)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("mid", SIZES[:3])
@pytest.mark.parametrize("start", SIZES)
def test_without_a_pole_the_axis_says_in_which_sense_a_turn_opens(start, mid, side):
    *joints, target = limbs(3, start, mid)
    found = twobone.correct_limb(*joints, target, mid_axis=side)
    met = found.status == Status.REACHED
    assert np.count_nonzero(met) > COUNT / 4
    _, _, end = walk(*joints, found)
    assert np.max(missed_by(joints[0], end, target)[met]) <= 1e-13
    more = found._replace(mid=found.mid + side * 1e-4)
    before, after = (
        np.linalg.norm(into(joints[0], place(walk(*joints, f)[2]) - place(joints[0])), axis=-1)
        for f in (found, more)
    )
    bent = met & (before < 1.7) & (before > 0.3)
    assert np.all(after[bent] > before[bent])


def test_the_pole_outweighs_the_axis_and_along_the_way_the_axis_decides():
    *joints, target = limbs(4, "mirrored", "mirrored")
    pole = np.random.default_rng(5).normal(size=(COUNT, 2))
    want = twobone.correct_limb(*joints, target, pole=pole)
    for side in (1, -1):
        found = twobone.correct_limb(*joints, target, pole=pole, mid_axis=side)
        for have, right in zip(found, want, strict=True):
            np.testing.assert_array_equal(have, right)
    joints, target = [np.eye(3)] * 3, np.array([1.0, 0.5])
    joints[1], joints[2] = affine(np.eye(2), [1.0, 0.0]), affine(np.eye(2), [1.0, 1.0])
    for side, along in ((1, 1.0), (-1, -2.0), (1, 0.0)):
        own = twobone.correct_limb(*joints, target, mid_axis=side)
        found = twobone.correct_limb(*joints, target, mid_axis=side, pole=along * target)
        assert own.status == Status.REACHED
        assert found.status == Status.AMBIGUOUS
        assert (found.start, found.mid) == (own.start, own.mid)
    # Without either, the side on which the joint is, whatever is mirrored below it.
    for x, mirror in ((1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)):
        joints[1] = affine(np.diag([1.0, mirror]), [x, 0.0])
        joints[2] = affine(np.eye(2), [x, 1.0])
        found = twobone.correct_limb(*joints, target, pole=target)
        knee = place(walk(*joints, found)[1])
        assert np.sign(cross(target, knee)) == -x


@pytest.mark.parametrize("side", [1, -1])
def test_a_straight_limb_bends_as_the_axis_says(side):
    joints = [affine(np.eye(2), [x, 0.0]) for x in (0.0, 1.0, 2.0)]
    for target in ([1.0, 0.0], [0.3, 1.0], [-1.5, 0.0], [0.0, 0.0]):
        found = twobone.correct_limb(*joints, target, mid_axis=side)
        assert found.status == (Status.REACHED if any(target) else Status.AMBIGUOUS)
        _, _, end = walk(*joints, found)
        np.testing.assert_allclose(place(end), target, rtol=0, atol=5e-16)
        if any(target):  # folded by a half turn, which goes either way
            assert np.sign(found.mid) == -side


def test_mirroring_everything_mirrors_the_answer():
    *joints, target = limbs(6, "uneven", "uniform")
    pole = np.random.default_rng(7).normal(size=(COUNT, 2))
    mirror = np.diag([-1.0, 1.0, 1.0])
    want = twobone.correct_limb(*joints, target, pole=pole)
    found = twobone.correct_limb(
        *(mirror @ matrix for matrix in joints), target * [-1, 1], pole=pole * [-1, 1]
    )
    # Local spaces ride along, so local turns are the same.
    np.testing.assert_array_equal(found.status, want.status)
    np.testing.assert_allclose(np.exp(1j * found.mid), np.exp(1j * want.mid), rtol=0, atol=1e-7)
    np.testing.assert_allclose(np.exp(1j * found.start), np.exp(1j * want.start), atol=1e-7)


def test_weight_takes_a_share_of_the_angles_and_policies_apply():
    *joints, target = limbs(8, "mirrored", "one")
    whole = twobone.correct_limb(*joints, target, mid_axis=1)
    for weight, share in ((0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (2.0, 1.0), (-1.0, 0.0)):
        found = twobone.correct_limb(*joints, target, mid_axis=1, weight=weight)
        np.testing.assert_array_equal(found.start, share * whole.start)
        np.testing.assert_array_equal(found.mid, share * whole.mid)
        np.testing.assert_array_equal(found.status, whole.status)
    missed = whole.status != Status.REACHED
    assert np.any(missed)
    found = twobone.correct_limb(*joints, target, mid_axis=1, unreachable="nan")
    np.testing.assert_array_equal(np.isnan(found.start), missed)
    np.testing.assert_array_equal(np.isnan(found.mid), missed)
    np.testing.assert_array_equal(found.status, whole.status)
    with pytest.raises(twobone.UnreachableError):
        twobone.correct_limb(*joints, target, mid_axis=1, unreachable="raise")
    far = np.linalg.norm(into(joints[0], target - place(joints[0])), axis=-1)
    for options in ({"soften": 0.8}, {"unreachable": Soft(0.2)}):
        found = twobone.correct_limb(*joints, target, mid_axis=1, **options)
        came = np.linalg.norm(
            into(joints[0], place(walk(*joints, found)[2]) - place(joints[0])), axis=-1
        )
        x = np.clip(far - 0.8 * 1.8, 0.0, 0.72)
        outer = far > 1.0
        want = np.where(x > 0, 0.8 * 1.8 + 0.36 * (1 - (1 - x / 0.72) ** 2), far)
        np.testing.assert_allclose(came[outer], want[outer], rtol=0, atol=1e-14)
        assert np.all(found.status[far > 0.8 * 1.8 + 1e-9] == Status.TOO_FAR)


def test_rows_have_the_same_bits_alone_and_nan_stays_in_its_row():
    *joints, target = limbs(9, "uneven", "mirrored")
    pole = np.random.default_rng(10).normal(size=(COUNT, 2))
    given = dict(zip(("start", "mid", "end"), joints, strict=True))
    given |= {"target": target, "pole": pole, "weight": np.linspace(0, 1, COUNT)}
    given["soften"] = np.linspace(0.5, 1, COUNT)
    whole = twobone.correct_limb(**given)
    for row in range(0, COUNT, 3):
        alone = twobone.correct_limb(**{name: value[row] for name, value in given.items()})
        for have, want in zip(alone, whole, strict=True):
            assert have == want[row]
    places = [(n, at) for n, v in given.items() for at in np.ndindex(v.shape[1:])]
    places = [(n, at) for n, at in places if n != "end" or at[1] == 2 or at[0] == 2]
    for row, (name, at) in enumerate(places):
        given[name] = given[name].copy()
        given[name][(row, *at)] = np.nan
    found = twobone.correct_limb(**given)
    assert np.all(found.status[: len(places)] == Status.INVALID)
    assert np.all(np.isnan(found.start[: len(places)]))
    for have, want in zip(found, whole, strict=True):
        np.testing.assert_array_equal(have[len(places) :], want[len(places) :])
    for row in range(len(places)):
        alone = twobone.correct_limb(**{name: value[row] for name, value in given.items()})
        assert alone.status == Status.INVALID
        assert np.isnan(alone.start)
        assert np.isnan(alone.mid)


def test_every_library_answers_as_numpy_does(xp):
    *joints, target = limbs(11, "mirrored", "uniform")
    pole = np.random.default_rng(12).normal(size=(COUNT, 2))
    names = ("start", "mid", "end", "target", "pole")
    given = dict(zip(names, (*joints, target, pole), strict=True))
    options = {"unreachable": Stretch(limit=1.1), "weight": 0.5}
    want = twobone.correct_limb(**given, **options)
    solve = xp.compiled(lambda given: twobone.correct_limb(**given, **options))
    found = solve({name: xp(value) for name, value in given.items()})
    assert type(found.start) is type(xp(target))
    np.testing.assert_array_equal(xp.back(found.status), want.status)
    for have, right in zip(found[:2], want[:2], strict=True):
        turned = np.exp(2j * xp.back(have)) - np.exp(2j * right)
        np.testing.assert_allclose(turned, 0, rtol=0, atol=1e-7)
        assert np.median(np.abs(turned)) <= 1e-15


SEAMS = [
    ([2.0, 0.0], 1), ([3.0, 0.0], 1), ([0.0, 0.0], 1), ([1.0, 1.0], 1), ([-1.0, -1.0], -1),
    ([1.0, 0.0], -1), ([0.5, 0.1], 1),
]  # fmt: skip


@pytest.mark.parametrize(("target", "side"), SEAMS)
def test_derivatives_are_finite(target, side):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    joints = [affine(np.eye(2), v) for v in ([0.0, 0.0], [1.0, 0.0], [1.0, 1.0])]
    for options in ({"mid_axis": side}, {"pole": torch.tensor(target, dtype=torch.float64)}):

        def angles(*values, options=options):
            return torch.stack(twobone.correct_limb(*values, **options)[:2])

        values = tuple(torch.tensor(np.array(v)) for v in (*joints, target))
        found = torch.autograd.functional.jacobian(angles, values)
        assert all(bool(torch.isfinite(each).all()) for each in found)


ERRORS = [
    ({"mid_axis": 0.5}, PoseError, "`mid_axis` must have length 1, got a different length"),
    ({}, PoseError, "`mid_axis` must be given, +1 or -1, if there is no `pole`, got neither"),
    ({"mid_axis": 1, "twist": 0.1}, PoseError, "`twist` must be left out in the plane"),
    ({"mid_axis": [0, 0, 1]}, PoseError, "`mid_axis` must have length 1, got a different length"),
    ({"pole": [0, 0, 1]}, ShapeError, "`pole` must have shape (..., 2), got (3,)"),
    ({"mid_axis": 1, "target": [1, 0, 0]}, ShapeError, "`target` must have shape (..., 2), got"),
    ({"mid_axis": 1, "start": np.diag([0, 1, 1])}, PoseError, "`start` must be invertible"),
    ({"mid_axis": 1, "end": np.ones((3, 3))}, PoseError, "`end` must have 0, 0, 1 as its last"),
]


@pytest.mark.parametrize(("given", "kind", "message"), ERRORS)
def test_errors_name_the_argument(given, kind, message):
    joints = dict(zip(("start", "mid", "end"), [np.eye(3)] * 3, strict=True))
    with pytest.raises(kind, match=re.escape(message)):
        twobone.correct_limb(**(joints | {"target": [1.0, 0.0]} | given))


def test_a_scale_of_zero_turns_nothing():
    joints = [np.diag([0.0, 0.0, 1.0]), affine(np.eye(2), [1, 0]), affine(np.eye(2), [1, 1])]
    found = twobone.correct_limb(*joints, [1.0, 0.0], mid_axis=1)
    assert (found.start, found.mid, found.status) == (0.0, 0.0, Status.INVALID)
