"""correct_aim against a frame built from vectors, with every scale, in every library."""

import re

import numpy as np
import pytest

import twobone
from conftest import LIBRARIES_AND_TYPES
from rigs import (
    COUNT,
    SIZES,
    affine,
    apply,
    into,
    place,
    random_rotation,
    rotation,
    sizes,
    square_to,
    turned,
    unit,
)
from twobone import ArrayTypeError, PoseError, ShapeError, Status

DTYPES = ("float64", "float32")
STILL = np.array([0.0, 0.0, 0.0, 1.0])


def joints(seed, kind):
    """Return the arguments of an aim: all of them."""
    rng = np.random.default_rng(seed)
    linear = random_rotation(rng, COUNT) * sizes(rng, COUNT, kind)[:, None, :]
    joint = affine(linear, rng.normal(size=(COUNT, 3)))
    local = unit(rng.normal(size=(COUNT, 3))) * rng.uniform(0.5, 3.0, (COUNT, 1))
    given = {
        "joint": joint,
        "target": place(joint) + apply(linear, local),
        "forward": rng.normal(size=(COUNT, 3)) * 10.0 ** rng.uniform(-3, 3, (COUNT, 1)),
        "up": rng.normal(size=(COUNT, 3)) * 10.0 ** rng.uniform(-3, 3, (COUNT, 1)),
        "pole": rng.normal(size=(COUNT, 3)) * 10.0 ** rng.uniform(-3, 3, (COUNT, 1)),
        "offset": 0.4 * rng.normal(size=(COUNT, 3)),
    }
    return given, local


def typed(given, dtype):
    return {name: np.asarray(value).astype(dtype) for name, value in given.items()}


def wide(given):
    return {name: value.astype(np.float64) for name, value in given.items()}


def assert_units(q):
    eps = np.finfo(q.dtype).eps
    assert np.max(np.abs(np.linalg.norm(q.astype(np.float64), axis=-1) - 1)) <= 4 * eps
    assert np.all(q[..., 3] >= 0)


def way_of(given):
    """Return the unit vector to the target in the space of the joint."""
    return unit(into(given["joint"], given["target"] - place(given["joint"])))


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_axis_points_and_up_is_towards_the_pole(dtype, kind):
    given, _ = joints(1, kind)
    del given["offset"]
    given = typed(given, dtype)
    found = twobone.correct_aim(**given)
    assert found.correction.dtype == dtype
    assert_units(found.correction)
    assert np.all(found.status == Status.REACHED)
    given, eps = wide(given), np.finfo(dtype).eps
    turn, way = rotation(found.correction), way_of(given)
    # The target is near the joint beside the places of both: rounding of the difference counts.
    far = np.linalg.norm(given["target"] - place(given["joint"]), axis=-1)
    lost = (1 + np.linalg.norm(place(given["joint"]), axis=-1) / far)[:, None] * 10
    off = np.abs(apply(turn, unit(given["forward"])) - way)
    assert np.max(off / lost) <= 4 * eps
    up, pole = apply(turn, unit(given["up"])), unit(into(given["joint"], given["pole"]))
    up, pole = square_to(up, way), square_to(pole, way)
    clear = np.minimum(np.linalg.norm(up, axis=-1), np.linalg.norm(pole, axis=-1)) > 0.05
    assert np.max(np.abs(unit(up) - unit(pole))[clear]) <= 1e4 * eps


@pytest.mark.parametrize("kind", SIZES)
def test_without_up_the_joint_turns_the_shortest_way(kind):
    given, _ = joints(2, kind)
    for name in ("up", "pole", "offset"):
        del given[name]
    found = twobone.correct_aim(**given)
    forward, way = unit(given["forward"]), way_of(given)
    cosine = np.sum(forward * way, axis=-1)
    np.testing.assert_allclose(2 * found.correction[:, 3] ** 2 - 1, cosine, rtol=0, atol=2e-15)
    np.testing.assert_allclose(apply(rotation(found.correction), forward), way, atol=3e-15)


@pytest.mark.parametrize("kind", SIZES)
def test_a_direction_is_a_target_infinitely_far(kind):
    given, _ = joints(3, kind)
    direction = given["target"] - place(given["joint"])
    target = given.pop("target")
    found = twobone.correct_aim(**given, direction=direction)
    del given["offset"]  # which plays no part then
    want = twobone.correct_aim(**given, target=target)
    np.testing.assert_allclose(found.correction, want.correction, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(found.status, want.status)
    again = twobone.correct_aim(**given, direction=1e3 * direction)
    np.testing.assert_allclose(again.correction, found.correction, rtol=0, atol=1e-14)


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_from_an_offset_the_ray_meets_the_target(dtype, kind):
    given, local = joints(4, kind)
    given = typed(given, dtype)
    found = twobone.correct_aim(**given)
    assert_units(found.correction)
    given, eps = wide(given), np.finfo(dtype).eps
    local = into(given["joint"], given["target"] - place(given["joint"]))
    met = found.status == Status.REACHED
    eye = apply(rotation(found.correction), given["offset"])
    looks = apply(rotation(found.correction), unit(given["forward"]))
    along = np.sum((local - eye) * looks, axis=-1)
    aside = np.linalg.norm(local - eye - along[:, None] * looks, axis=-1)
    lost = 1 + np.linalg.norm(place(given["joint"]), axis=-1)
    assert np.max((aside / lost)[met]) <= 64 * eps
    assert np.all(along[met] >= -64 * eps)
    # What it does not meet it cannot: the target is nearer than the ray passes, or behind it.
    far, axis = np.linalg.norm(local, axis=-1), unit(given["forward"])
    start = np.sum(given["offset"] * axis, axis=-1)
    passes = np.linalg.norm(square_to(given["offset"], axis), axis=-1)
    away = (np.linalg.norm(given["offset"], axis=-1) > far) & (start > 0)
    np.testing.assert_array_equal(~met, (passes > far) | away)
    assert 0 < np.count_nonzero(~met) < COUNT / 2
    assert np.all(found.status[~met] == Status.TOO_NEAR)
    np.testing.assert_array_equal(found.correction[~met], np.tile(STILL, (np.sum(~met), 1)))


def test_an_eye_beyond_the_target_cannot_look_at_it():
    for offset, status in (
        ([2.0, 0.0, 0.0], Status.TOO_NEAR),
        ([2.0, 0.5, 0.0], Status.TOO_NEAR),
        ([-2.0, 0.0, 0.0], Status.REACHED),
        ([0.5, 0.0, 0.0], Status.REACHED),
        ([0.0, 1.1, 0.0], Status.TOO_NEAR),
    ):
        aim = twobone.correct_aim(np.eye(4), [0, 1, 0], forward=[1, 0, 0], offset=offset)
        assert aim.status == status, offset


def test_twist_turns_about_the_way_and_weight_goes_there_straight():
    given, _ = joints(5, "mirrored")
    plain = twobone.correct_aim(**given)
    met = plain.status == Status.REACHED
    twist = np.random.default_rng(6).uniform(-7, 7, COUNT)
    found = twobone.correct_aim(**given, twist=twist)
    want = turned(way_of(given), twist) @ rotation(plain.correction)
    np.testing.assert_allclose(rotation(found.correction)[met], want[met], rtol=0, atol=2e-14)
    for weight, share in ((0.3, 0.3), (0.0, 0.0), (-1.0, 0.0), (2.0, 1.0), (1.0, 1.0)):
        found = twobone.correct_aim(**given, weight=weight)
        want = unit((1 - share) * STILL + share * plain.correction)
        np.testing.assert_allclose(found.correction, want, rtol=0, atol=8e-16)
        np.testing.assert_array_equal(found.status, plain.status)
        if share == 0.0:
            np.testing.assert_array_equal(found.correction, np.tile(STILL, (COUNT, 1)))


def test_up_or_pole_along_the_way_cannot_say_how_to_roll():
    given, _ = joints(7, "uneven")
    given.pop("offset")
    own = {name: value for name, value in given.items() if name not in ("up", "pole")}
    want = twobone.correct_aim(**own)
    for name, value in (
        ("up", -2 * given["forward"]),
        ("up", np.zeros(3)),
        ("pole", 3 * (given["target"] - place(given["joint"]))),
        ("pole", np.zeros(3)),
    ):
        found = twobone.correct_aim(**given | {name: value})
        assert np.mean(found.status == Status.AMBIGUOUS) > 0.95
        rest = found.status == Status.AMBIGUOUS
        np.testing.assert_allclose(found.correction[rest], want.correction[rest], atol=2e-15)
        assert set(found.status.tolist()) <= {Status.AMBIGUOUS, Status.REACHED}


@pytest.mark.parametrize("away", [0.0, 1e-17, 1e-16, 3e-16, 1e-15, 1e-12, 1e-8])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_target_opposite_is_half_a_turn_away(dtype, away):
    """Or nearly: the axis is all rounding there, but the quaternion is as long as ever."""
    rng, eps = np.random.default_rng(8), np.finfo(dtype).eps
    forward = unit(rng.normal(size=(2000, 3)))
    direction = -forward + (away * eps / 2.2e-16) * rng.normal(size=(2000, 3))
    forward, direction = forward.astype(dtype), direction.astype(dtype)
    found = twobone.correct_aim(np.eye(4, dtype=dtype), direction=direction, forward=forward)
    assert np.all(found.status == Status.REACHED)
    assert_units(found.correction)
    came = apply(rotation(found.correction), unit(forward.astype(np.float64)))
    np.testing.assert_allclose(came, unit(direction.astype(np.float64)), rtol=0, atol=24 * eps)


def test_a_target_at_the_joint_turns_nothing_and_any_length_will_do():
    aim = twobone.correct_aim(np.eye(4), [0, 0, 0], forward=[1, 0, 0], up=[0, 1, 0], pole=[0, 0, 1])
    assert aim.status == Status.TOO_NEAR
    np.testing.assert_array_equal(aim.correction, STILL)
    given = {"forward": [0.0, 2.0, 0.0], "up": [0.0, 0.0, 1.0], "pole": [0.0, 1.0, 1.0]}
    want = twobone.correct_aim(np.eye(4), [1.0, 1.0, 0.0], **given)
    for power in (1e-300, 1e-200, 1e200, 1e300):
        for name in (*given, "target"):
            values = {"target": [1.0, 1.0, 0.0], **given}
            values[name] = np.multiply(values[name], power)
            found = twobone.correct_aim(np.eye(4), **values)
            assert found.status == Status.REACHED, (name, power)
            np.testing.assert_allclose(found.correction, want.correction, rtol=0, atol=1e-15)


# --- arrays -------------------------------------------------------------------------------


@pytest.mark.parametrize(("xp", "dtype"), LIBRARIES_AND_TYPES, indirect=["xp"])
def test_every_library_answers_as_numpy_does(xp, dtype):
    given, _ = joints(9, "mirrored")
    given = typed(given | {"up": given["up"][0], "twist": 0.3, "weight": [[0.9], [1.0]]}, dtype)
    want = twobone.correct_aim(**given)
    aim = xp.compiled(lambda given: twobone.correct_aim(**given))
    found = aim({name: xp(value, dtype) for name, value in given.items()})
    assert type(found.correction) is type(xp(given["target"], dtype))
    have = xp.back(found.correction)
    assert have.dtype == dtype
    assert have.shape == (2, COUNT, 4)
    np.testing.assert_array_equal(xp.back(found.status), want.status)
    off = np.abs(rotation(have) - rotation(want.correction))
    assert np.quantile(off, 0.99) <= 200 * np.finfo(dtype).eps
    assert np.max(off) <= 1e5 * np.finfo(dtype).eps


SHAPES = [
    # joint, target, forward, up, pole, offset, twist, weight -> status
    ((), (), (), (), (), (), (), (), ()),
    ((5,), (), (), (), (), (), (), (), (5,)),
    ((), (), (5,), (), (), (), (3, 1), (), (3, 5)),
    ((2, 1), (4,), (), (), (3, 1, 1), (), (), (2, 4), (3, 2, 4)),
    ((0,), (), (), (), (), (), (), (), (0,)),
    ((), (), (), (), (), (), (), (0, 1), (0, 1)),
]


@pytest.mark.parametrize("shapes", SHAPES)
def test_leading_axes_broadcast_and_rows_have_the_same_bits_alone(shapes):
    *leads, shape = shapes
    rng, names = np.random.default_rng(10), ("joint", "target", "forward", "up", "pole", "offset")
    one, _ = joints(11, "uneven")
    one = {name: one[name][0] for name in names} | {"twist": np.array(0.2), "weight": np.array(0.7)}
    given = {}
    for (name, value), lead in zip(one.items(), leads, strict=True):
        value = np.broadcast_to(value, (*lead, *value.shape)).copy()
        more = 0.0 if name == "joint" else rng.uniform(0, 0.1, value.shape)
        given[name] = np.array(value + more)
        given[name].flags.writeable = False
    found = twobone.correct_aim(**given)
    assert found.correction.shape == (*shape, 4)
    assert found.status.shape == shape
    for at in np.ndindex(shape):
        row = {n: np.broadcast_to(v, (*shape, *one[n].shape))[at] for n, v in given.items()}
        alone = twobone.correct_aim(**row)
        np.testing.assert_array_equal(found.correction[at], alone.correction)
        assert found.status[at] == alone.status


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_stay_in_their_rows(bad):
    one, _ = joints(12, "uneven")
    one = {name: value[0] for name, value in one.items()}
    one |= {"twist": np.array(0.2), "weight": np.array(0.7), "offset": 0.1 * one["offset"]}
    places = [(name, at) for name, value in one.items() for at in np.ndindex(value.shape)]
    places = [p for p in places if np.isnan(bad) or p[0] != "weight"]
    given = {n: np.broadcast_to(v, (len(places) + 1, *v.shape)).copy() for n, v in one.items()}
    for row, (name, at) in enumerate(places):
        given[name][(row, *at)] = bad
    found = twobone.correct_aim(**given)
    assert found.status[:-1].tolist() == [Status.INVALID] * len(places)
    assert np.all(np.isnan(found.correction[:-1]))
    assert found.status[-1] == Status.REACHED
    np.testing.assert_array_equal(found.correction[-1], twobone.correct_aim(**one).correction)
    for row in range(len(places)):
        alone = twobone.correct_aim(**{name: value[row] for name, value in given.items()})
        assert alone.status == Status.INVALID
        assert np.all(np.isnan(alone.correction))


def test_a_scale_of_zero_corrects_nothing():
    joint = np.stack([np.diag([0.0, 0.0, 0.0, 1.0]), np.eye(4)])
    found = twobone.correct_aim(joint, [1.0, 1.0, 0.0], forward=[1.0, 0.0, 0.0])
    assert found.status.tolist() == [Status.INVALID, Status.REACHED]
    np.testing.assert_array_equal(found.correction[0], STILL)


FLAT = np.diag([1.0, 0.0, 1.0, 1.0])
MOVED = np.eye(4)
MOVED[3, 0] = 1.0
ERRORS = [
    ({"forward": [0, 0, 0]}, PoseError, "`forward` must not have length 0, got 0."),
    ({"joint": FLAT}, PoseError, "`joint` must be invertible, got a singular matrix"),
    ({"joint": MOVED}, PoseError, "`joint` must have 0, 0, 0, 1 as its last row"),
    ({"target": None}, PoseError, "`target` must be given, or `direction` instead, got neither."),
    (
        {"direction": [1, 0, 0]},
        PoseError,
        "`target` must be given, or `direction` instead, got both.",
    ),
    ({"up": [0, 1, 0]}, PoseError, "`pole` must be given with `up`, got nothing."),
    ({"pole": [0, 1, 0]}, PoseError, "`up` must be given with `pole`, got nothing."),
    ({"joint": np.eye(5)}, ShapeError, "`joint` must have shape (..., 4, 4), got (5, 5)."),
    ({"target": [1, 0]}, ShapeError, "`target` must have shape (..., 3), got (2,)."),
    ({"forward": [1, 0]}, ShapeError, "`forward` must have shape (..., 3), got (2,)."),
    ({"offset": 1.0}, ShapeError, "`offset` must have shape (..., 3), got ()."),
    ({"forward": None}, ArrayTypeError, "`forward` must be of float32, float64 or integers"),
    ({"joint": None}, ArrayTypeError, "`joint` must be of float32, float64 or integers"),
    ({"weight": "all"}, ArrayTypeError, "`weight` must be of float32, float64 or integers"),
    ({"twist": np.ones(2), "weight": np.ones(3)}, ShapeError, "must broadcast"),
]


@pytest.mark.parametrize(("given", "kind", "message"), ERRORS)
def test_errors_name_the_argument(given, kind, message):
    whole = {"joint": np.eye(4), "target": [1.0, 0.0, 0.0], "forward": [1.0, 0.0, 0.0]} | given
    with pytest.raises(kind, match=re.escape(message)) as caught:
        twobone.correct_aim(**whole)
    assert isinstance(caught.value, twobone.TwoBoneError)


# --- derivatives --------------------------------------------------------------------------

NAMES = ("joint", "target", "forward", "up", "pole", "offset", "twist", "weight")


def test_inside_derivatives_are_finite_differences():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    one, _ = joints(13, "uneven")
    one |= {"twist": np.full(COUNT, 0.2), "weight": np.full(COUNT, 0.7)}
    for name in ("forward", "up", "pole"):
        one[name] = unit(one[name])
    met = np.flatnonzero(twobone.correct_aim(**one).status == Status.REACHED)
    for row in met[:8]:
        values = [one[name][row] for name in NAMES]

        def aim(*values):
            return twobone.correct_aim(**dict(zip(NAMES, values, strict=True))).correction

        found = torch.autograd.functional.jacobian(aim, tuple(torch.tensor(v) for v in values))
        for i, (value, have) in enumerate(zip(values, found, strict=True)):
            want = np.zeros((4, value.size))
            for j in range(12 if i == 0 else value.size):
                moved = [np.array(value).reshape(-1) for _ in range(2)]
                moved[0][j], moved[1][j] = moved[0][j] + 1e-6, moved[1][j] - 1e-6
                ends = [aim(*values[:i], m.reshape(value.shape), *values[i + 1 :]) for m in moved]
                want[:, j] = (ends[0] - ends[1]) / 2e-6
            have = have.reshape(4, -1).numpy()[:, : 12 if i == 0 else None]
            scale = max(1.0, np.max(np.abs(want)))
            np.testing.assert_allclose(have, want[:, : have.shape[1]], atol=1e-6 * scale**2)


SEAMS = {
    "opposite": {"target": [-1.0, 0.0, 0.0]},
    "where it is": {"target": [1.0, 0.0, 0.0]},
    "at the joint": {"target": [0.0, 0.0, 0.0]},
    "up along the way": {"up": [1.0, 0.0, 0.0]},
    "pole along the way": {"pole": [1.0, 1.0, 0.0]},
    "up opposite to the pole": {"target": [1.0, 0.0, 0.0], "pole": [0.0, -1.0, 0.0]},
    "no up": {"up": [0.0, 0.0, 0.0]},
    "eye that passes": {"target": [1.0, 0.0, 0.0], "offset": [0.0, 1.0, 0.0]},
    "eye outside": {"offset": [0.0, 3.0, 0.0]},
}


@pytest.mark.parametrize("seam", SEAMS)
def test_derivatives_are_finite_at_every_seam(seam):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    given = {
        "joint": np.eye(4),
        "target": [1.0, 1.0, 0.0],
        "forward": [1.0, 0.0, 0.0],
        "up": [0.0, 1.0, 0.0],
        "pole": [0.0, 0.0, 1.0],
        "offset": [0.0, 0.0, 0.0],
        "twist": 0.0,
    } | SEAMS[seam]
    for weight in (0.0, 1.0):
        values = [np.asarray(given[name], float) for name in NAMES[:-1]] + [np.array(weight)]

        def aim(*values):
            return twobone.correct_aim(**dict(zip(NAMES, values, strict=True))).correction

        found = torch.autograd.functional.jacobian(aim, tuple(torch.tensor(v) for v in values))
        assert all(bool(torch.isfinite(each).all()) for each in found)
