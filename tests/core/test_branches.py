"""nearest_branch and follow_branch, held against plain loops."""

import math

import numpy as np
import pytest

import twobone
from twobone import ArrayTypeError, PoseError, ShapeError, follow_branch, nearest_branch

SIZES = pytest.mark.parametrize("size", [2, 3])
POLE = {2: None, 3: [0.1, -0.2, 1.0]}


def both(targets, size):
    """Return both answers for targets."""
    return twobone.solve_both(np.asarray(targets, float), 1.0, 0.8, pole=POLE[size])


def wander(seed, size, frames=200, clips=(), step=0.15):
    """Return targets that wander about, through the root and beyond full stretch."""
    rng = np.random.default_rng(seed)
    return np.cumsum(step * rng.normal(size=(frames, *clips, size)), axis=0)


def nearer(pair, joint):
    """Return which of two points is nearer to a third, in plain Python."""
    plus, minus = (math.dist(each, joint) for each in pair)
    return 1.0 if plus <= minus else -1.0


def followed(joints, side, hysteresis):
    """Return joints and sides of one clip, frame by frame, in plain Python."""
    found, sides, old = [], [], None
    for pair in joints.tolist():
        plus, minus = pair
        if old is None:
            old = plus if side > 0 else minus
        own, other = (plus, minus) if side > 0 else (minus, plus)
        if math.dist(other, old) < (1.0 - hysteresis) * math.dist(own, old):
            side, own = -side, other
        if all(map(math.isfinite, own)):
            old = own
        found.append(own)
        sides.append(side)
    return np.array(found), np.array(sides)


# --- the nearest ------------------------------------------------------------------------------


@SIZES
def test_the_nearest_is_that_of_a_loop(size):
    rng = np.random.default_rng(0)
    joints, points = rng.normal(size=(300, 2, size)), rng.normal(size=(300, size))
    found = nearest_branch(joints, points)
    sides = np.array([nearer(pair, point) for pair, point in zip(joints, points, strict=True)])
    assert {-1.0, 1.0} == set(sides)
    np.testing.assert_array_equal(found.side, sides)
    np.testing.assert_array_equal(
        found.joint, np.where(sides[:, None] > 0, joints[:, 0], joints[:, 1])
    )


@SIZES
def test_it_finds_back_the_side_that_was_solved(size):
    targets = wander(1, size)
    for side in (1, -1):
        joint = twobone.solve(targets, 1.0, 0.8, side=side, pole=POLE[size])
        found = nearest_branch(both(targets, size), joint)
        bent = twobone.reach(targets, 1.0, 0.8, pole=POLE[size]).status == twobone.Status.REACHED
        assert np.all(found.side[bent] == side)
        np.testing.assert_array_equal(found.joint, joint)


def test_where_both_are_as_near_or_nothing_is_said_it_is_plus():
    pair = [[1.0, 1.0], [1.0, -1.0]]
    for joint in ([0.0, 0.0], [np.nan, 0.0], [np.inf, 0.0], [5.0, 0.0]):
        found = nearest_branch(pair, joint)
        assert found.side == 1.0
        np.testing.assert_array_equal(found.joint, pair[0])


@pytest.mark.parametrize("size", [1e200, 1e-200, 1e308])
def test_sides_are_numbers_whatever_the_size(size):
    found = nearest_branch([[size, 0.0], [-size, 0.0]], [-size, 0.0])
    assert found.side in (1.0, -1.0)
    followed_ = follow_branch([[[size, 0.0], [-size, 0.0]]] * 3)
    np.testing.assert_array_equal(followed_.side, 1.0)


@pytest.mark.parametrize(
    ("joints", "joint", "shape"),
    [((), (5,), (5,)), ((5,), (), (5,)), ((4, 1), (3,), (4, 3)), ((0,), (), (0,)), ((), (), ())],
)
def test_the_nearest_broadcasts(joints, joint, shape):
    rng = np.random.default_rng(2)
    found = nearest_branch(rng.normal(size=(*joints, 2, 3)), rng.normal(size=(*joint, 3)))
    assert found.joint.shape == (*shape, 3)
    assert found.side.shape == shape


# --- from frame to frame ------------------------------------------------------------------------


@SIZES
@pytest.mark.parametrize("hysteresis", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("side", [1, -1])
def test_following_is_that_of_a_loop(size, hysteresis, side):
    joints = both(wander(3, size), size)
    found = follow_branch(joints, side=side, hysteresis=hysteresis)
    joint, sides = followed(joints, side, hysteresis)
    np.testing.assert_array_equal(found.side, sides)
    np.testing.assert_array_equal(found.joint, joint)
    changes = np.count_nonzero(np.diff(sides))
    # In space a side is one towards the pole, and joints do not change over.
    assert (changes > 0) == (size == 2 and hysteresis < 1.0)
    assert sides[0] == side


@SIZES
def test_clips_are_followed_each_on_its_own(size):
    joints = both(wander(4, size, clips=(5, 2)), size)
    side = np.random.default_rng(4).choice([-1, 1], (5, 2))
    found = follow_branch(joints, side=side, hysteresis=0.2)
    assert found.joint.shape == (200, 5, 2, size)
    assert found.side.shape == (200, 5, 2)
    for clip in np.ndindex(5, 2):
        joint, sides = followed(joints[:, *clip], side[clip], 0.2)
        np.testing.assert_array_equal(found.joint[:, *clip], joint)
        np.testing.assert_array_equal(found.side[:, *clip], sides)


def test_a_target_through_the_root_changes_the_side_and_the_joint_stays():
    targets = np.stack([np.linspace(0.4, -0.4, 40), np.full(40, 0.001)], axis=-1)
    joints = twobone.solve_both(targets, 1.0, 1.0)
    found = follow_branch(joints)
    assert np.count_nonzero(np.diff(found.side)) == 1
    assert np.linalg.norm(np.diff(found.joint, axis=0), axis=-1).max() < 0.2
    kept = follow_branch(joints, hysteresis=1.0).joint
    assert np.linalg.norm(np.diff(kept, axis=0), axis=-1).max() > 1.9


def test_noise_about_full_stretch_makes_no_flicker():
    """Without hysteresis the side changes again and again; the more of it, the less."""
    rng = np.random.default_rng(5)
    noise = rng.normal(size=(500, 2)) * [0.002, 0.05]
    joints = both(noise + np.array([1.8, 0.0]), 2)
    changes = [
        np.count_nonzero(np.diff(follow_branch(joints, hysteresis=h).side))
        for h in (0.0, 0.5, 0.9, 1.0)
    ]
    assert changes[0] > 50
    assert changes[0] > changes[1] > 2 * changes[2]
    assert changes[3] == 0


def test_hysteresis_is_the_share_by_which_the_other_must_be_nearer():
    """Of distances 1 and .8 the other is nearer by a fifth."""
    frames = np.array([[[0.0, 0.0], [9.0, 9.0]], [[1.0, 0.0], [0.0, 0.8]]])
    assert follow_branch(frames, hysteresis=0.19).side.tolist() == [1.0, -1.0]
    assert follow_branch(frames, hysteresis=0.21).side.tolist() == [1.0, 1.0]


@SIZES
@pytest.mark.parametrize("broken", [[0], [0, 1, 2], [60, 61], [199]], ids=str)
def test_frames_with_nan_keep_the_side_and_what_they_are_compared_with(size, broken):
    targets = wander(6, size, step=0.05)
    targets[broken] = np.nan
    joints = both(targets, size)
    found = follow_branch(joints, side=-1, hysteresis=0.1)
    kept = np.delete(np.arange(200), broken)
    joint, sides = followed(joints[kept], -1, 0.1)
    np.testing.assert_array_equal(found.side[kept], sides)
    np.testing.assert_array_equal(found.joint[kept], joint)
    assert np.all(np.isnan(found.joint[broken]))
    assert np.all(np.abs(found.side) == 1.0)
    inner = [frame for frame in broken if frame > 0]
    before = np.array(inner, int) - 1
    np.testing.assert_array_equal(found.side[inner], found.side[before])


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (1,)], ids=str)
def test_few_frames_and_none(xp, shape):
    if xp.name == "jax.jit":
        pytest.skip("as jax: nothing is compiled")
    found = follow_branch(xp(np.ones((*shape, 2, 3))))
    assert tuple(found.joint.shape) == (*shape, 3)
    assert tuple(found.side.shape) == shape


def test_a_side_is_plus_or_minus_1_whatever_came():
    joints = both(wander(7, 2, frames=3, step=0.01), 2)
    assert follow_branch(joints, side=5.0).side.tolist() == [1.0, 1.0, 1.0]
    assert follow_branch(joints, side=-0.5).side.tolist() == [-1.0, -1.0, -1.0]


def test_every_library_chooses_alike(xp):
    joints, size = both(wander(8, 3, 40, (3,)), 3), 3
    point = np.random.default_rng(8).normal(size=(3, size))

    def choose(joints, point):
        return *nearest_branch(joints, point), *follow_branch(joints, side=[1, -1, 1])

    found = xp.compiled(choose)(xp(joints), xp(point))
    for have, want in zip(found, choose(joints, point), strict=True):
        assert type(have) is type(xp(0.0))
        np.testing.assert_array_equal(xp.back(have), want)


def test_float32_stays_float32():
    joints = both(wander(9, 2), 2).astype("float32")
    assert nearest_branch(joints, [0.5, 0.5]).joint.dtype == np.float32
    found = follow_branch(joints)
    assert found.joint.dtype == found.side.dtype == np.float32


def test_gradients_are_those_of_the_answer_that_was_chosen():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    joints = torch.tensor(both(wander(10, 2, 30), 2), requires_grad=True)
    found = follow_branch(joints)
    found.joint.sum().backward()
    chosen = torch.stack([found.side > 0, found.side < 0], dim=-1)[..., None].double()
    np.testing.assert_array_equal(joints.grad, chosen.expand(30, 2, 2))


# --- errors -----------------------------------------------------------------------------------

PAIR = np.ones((2, 2))
ERRORS = {
    "one answer": (
        lambda: nearest_branch([1.0, 2.0], [1.0, 2.0]),
        ShapeError,
        r"`joints` must have shape \(..., 2, 2\) or \(..., 2, 3\), got \(2,\)",
    ),
    "three answers": (lambda: nearest_branch(np.ones((3, 2)), [1, 2]), ShapeError, r"got \(3, 2\)"),
    "four numbers": (lambda: follow_branch(np.ones((5, 2, 4))), ShapeError, r"got \(5, 2, 4\)"),
    "joint of 3": (
        lambda: nearest_branch(PAIR, [1, 2, 3]),
        ShapeError,
        r"`joint` must have shape \(..., 2\), got \(3,\)",
    ),
    "axes": (lambda: nearest_branch(np.ones((4, 2, 2)), np.ones((3, 2))), ShapeError, "broadcast"),
    "words": (lambda: nearest_branch(PAIR, "here"), ArrayTypeError, "`joint`"),
    "no frames' axis": (
        lambda: follow_branch(PAIR),
        ShapeError,
        r"`joints` must have shape \(F, ..., 2, 2\), got \(2, 2\)",
    ),
    "no side": (lambda: follow_branch([PAIR], side=None), ArrayTypeError, "`side` .* NoneType"),
    "hysteresis": (
        lambda: follow_branch([PAIR], hysteresis=1.5),
        PoseError,
        "`hysteresis` must be between 0 and 1, got 1.5",
    ),
    "hysteresis NaN": (lambda: follow_branch([PAIR], hysteresis=np.nan), PoseError, "got nan"),
    "hysteresis a word": (lambda: follow_branch([PAIR], hysteresis="x"), ArrayTypeError, "hyst"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_what_was_wrong(case):
    do, kind, message = ERRORS[case]
    with pytest.raises(kind, match=message):
        do()
