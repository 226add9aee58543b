"""Rotations of poses need not have length 1: the same answers as for those that do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twobone
from skeletons import LEG, hinged, matrix_of, norm, places, random_skeleton, turns, unit
from twobone import Status, Stretch
from twobone.pose import GlobalPose, LocalPose, Skeleton
from twobone.rotations import multiply

RNG = np.random.default_rng(0)
ARM, JOINTS = random_skeleton(RNG, between=1)
BONE = ARM.parents.index(JOINTS[1], JOINTS[2])  # hangs from mid, beside the end
LIMB = twobone.Limb(ARM, *JOINTS, twist={BONE: 0.4})
PLAIN = twobone.Limb(ARM, *JOINTS)
COUNT, FRAMES = len(ARM.parents), 12
TURNED = [*JOINTS, BONE]
BESIDE = [j for j in range(COUNT) if j not in ARM.path(JOINTS[2]) and j != BONE]
POSE = hinged(ARM, LIMB, RNG, (FRAMES,))
PLACES = places(ARM, POSE)[0]
BONES = np.diff(PLACES[:, JOINTS], axis=1)
FAR = np.linspace(1.02, 0.98, FRAMES) * norm(BONES).sum(-1)
FAR *= np.linspace(0.5, 1.0, FRAMES)
TARGET = PLACES[:, LIMB.start] + unit(RNG.normal(size=(FRAMES, 3))) * FAR[:, None]
POLE = RNG.normal(size=3)
HAND = turns(RNG, (FRAMES,))

EACH = np.exp(RNG.uniform(np.log(0.3), np.log(3.0), (FRAMES, COUNT, 1)))
LEAST, MOST = 2.0**-1021, 2.0**1023
LENGTHS = {
    "1.01": 1.01,
    "-1.1": -1.1,
    "1 + 1e-7": 1.0 + 1e-7,
    "each joint its own": EACH,
    "tiny and huge": RNG.choice([LEAST, 1e-200, 1e-160, 1.0, 1e160, 1e200, MOST], EACH.shape),
}


@pytest.fixture(params=LENGTHS)
def length(request):
    return LENGTHS[request.param]


def same_turns(found, wanted, atol=2e-13):
    np.testing.assert_allclose(matrix_of(found), matrix_of(wanted), atol=atol)


def in_world(pose, kind):
    """Return a local pose as one of a kind, in the world by way of unit rotations."""
    return pose if kind is LocalPose else ARM.to_global(pose)


# --- the same answers ---------------------------------------------------------------------

WORDS = {
    "rest": {},
    "pole": {"pole": POLE},
    "pole point": {"pole_point": POLE},
    "transport": {"pole": POLE, "bend": "transport"},
    "local": {"end_rotation": "local"},
    "given": {"pole": POLE, "end_rotation": HAND},
    "weights": {
        "pole": POLE,
        "end_rotation": HAND,
        "position_weight": 0.8,
        "rotation_weight": 0.3,
        "pole_weight": 0.6,
    },
    "stretch": {"pole": POLE, "unreachable": Stretch(1.3)},
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("limb", [LIMB, PLAIN], ids=["twist", "plain"])
@pytest.mark.parametrize("words", WORDS)
def test_a_limb_reaches_as_with_unit_rotations(words, limb, length):
    wanted = limb.reach(POSE, TARGET, **WORDS[words])
    posed = limb.reach(LocalPose(length * POSE.rotations), TARGET, **WORDS[words])
    np.testing.assert_array_equal(posed.status, wanted.status)
    np.testing.assert_allclose(posed.conditioning, wanted.conditioning, atol=1e-13)
    np.testing.assert_allclose(posed.transported, wanted.transported, atol=1e-12)
    same_turns(posed.pose.rotations[:, JOINTS[:2]], wanted.pose.rotations[:, JOINTS[:2]])
    if words != "local" or limb.twist:  # else the end is not touched
        same_turns(posed.pose.rotations[:, LIMB.end], wanted.pose.rotations[:, LIMB.end])
    if limb.twist:
        same_turns(posed.pose.rotations[:, BONE], wanted.pose.rotations[:, BONE])
    if words == "stretch":
        np.testing.assert_allclose(posed.pose.translations, wanted.pose.translations, atol=1e-12)


@pytest.mark.parametrize("kind", [LocalPose, GlobalPose])
@pytest.mark.parametrize("bend", ["rest", "pole", "transport"])
def test_what_is_reached_is_on_the_target(bend, kind, length):
    """Forward kinematics by matrices, of unit rotations where nothing was turned."""
    pose = in_world(POSE, kind)
    pose = pose._replace(rotations=length * pose.rotations)
    posed = LIMB.reach(pose, TARGET, pole=POLE, bend=bend, end_rotation=HAND)
    assert np.sum(posed.status == Status.REACHED) > 8
    there = posed.status == Status.REACHED
    if kind is GlobalPose:
        np.testing.assert_allclose(posed.pose.positions[there, LIMB.end], TARGET[there], atol=1e-12)
        same_turns(posed.pose.rotations[:, LIMB.end], HAND)
        return
    rotations = POSE.rotations.copy()
    rotations[:, TURNED] = posed.pose.rotations[:, TURNED]
    positions, turned = places(ARM, LocalPose(rotations))
    np.testing.assert_allclose(positions[there, LIMB.end], TARGET[there], atol=1e-12)
    np.testing.assert_allclose(turned[:, LIMB.end], matrix_of(HAND), atol=1e-12)


def test_turned_joints_come_back_with_length_1_and_all_others_to_the_bit(length):
    given = length * POSE.rotations
    posed = LIMB.reach(LocalPose(given), TARGET, pole=POLE)
    np.testing.assert_allclose(norm(posed.pose.rotations[:, TURNED]), 1.0, rtol=1e-15)
    others = [joint for joint in range(COUNT) if joint not in TURNED]
    np.testing.assert_array_equal(posed.pose.rotations[:, others], given[:, others])
    riding = PLAIN.reach(LocalPose(given), TARGET, end_rotation="local")
    assert np.all(riding.status <= Status.TOO_FAR)
    np.testing.assert_array_equal(riding.pose.rotations[:, LIMB.end], given[:, LIMB.end])


def test_a_pose_in_the_world_keeps_what_does_not_hang_from_the_limb_to_the_bit(length):
    pose = in_world(POSE, GlobalPose)
    given = GlobalPose(pose.positions, length * pose.rotations)
    posed = LIMB.reach(given, TARGET, pole=POLE)
    wanted = LIMB.reach(pose, TARGET, pole=POLE)
    below = ARM.below(LIMB.start)
    kept = [joint for joint in range(COUNT) if joint not in below]
    np.testing.assert_array_equal(posed.pose.rotations[:, kept], given.rotations[:, kept])
    np.testing.assert_array_equal(posed.pose.positions[:, kept], given.positions[:, kept])
    np.testing.assert_allclose(posed.pose.positions, wanted.pose.positions, atol=1e-12)
    same_turns(posed.pose.rotations[:, below], wanted.pose.rotations[:, below])
    np.testing.assert_allclose(norm(posed.pose.rotations[:, below]), 1.0, rtol=1e-14)


@pytest.mark.parametrize("words", ["rest", "pole", "given", "stretch"])
def test_with_weights_of_0_not_a_bit_of_any_length_changes(words, length):
    weights = dict.fromkeys(("position_weight", "rotation_weight", "pole_weight"), 0.0)
    given = length * POSE.rotations
    posed = LIMB.reach(LocalPose(given), TARGET, **(WORDS[words] | weights))
    assert np.all(posed.status == Status.REACHED)
    np.testing.assert_array_equal(posed.pose.rotations, given)


def test_poses_there_and_back(length):
    wanted = ARM.to_global(POSE)
    found = ARM.to_global(LocalPose(length * POSE.rotations))
    np.testing.assert_allclose(found.positions, PLACES, atol=1e-13)
    same_turns(found.rotations, wanted.rotations)
    np.testing.assert_allclose(norm(found.rotations), 1.0, rtol=1e-14)
    wanted = ARM.to_local(wanted)
    found = ARM.to_local(GlobalPose(PLACES, length * found.rotations))
    np.testing.assert_allclose(found.translations, wanted.translations, atol=1e-13)
    same_turns(found.rotations, wanted.rotations)
    np.testing.assert_allclose(norm(found.rotations), 1.0, rtol=1e-14)


@pytest.mark.parametrize("kind", [LocalPose, GlobalPose])
def test_handles_are_those_of_unit_rotations(kind, length):
    pose = in_world(POSE, kind)
    wanted = LIMB.controls(pose)
    found = LIMB.controls(pose._replace(rotations=length * pose.rotations))
    np.testing.assert_allclose(found.target, wanted.target, atol=1e-13)
    np.testing.assert_allclose(found.pole, wanted.pole, atol=1e-12)
    same_turns(found.end_rotation, wanted.end_rotation)


def test_the_rotation_that_the_end_takes_may_have_any_length_too(length):
    length = length[:, 0] if np.ndim(length) else length
    for weight in (0.3, 1.0):
        options = {"pole": POLE, "rotation_weight": weight}
        wanted = LIMB.reach(POSE, TARGET, end_rotation=HAND, **options)
        found = LIMB.reach(POSE, TARGET, end_rotation=length * HAND, **options)
        np.testing.assert_array_equal(found.status, wanted.status)
        same_turns(found.pose.rotations, wanted.pose.rotations)


def test_frame_by_frame_lengths_do_not_matter(length):
    wanted = LIMB.reach(POSE, TARGET, pole=POLE, bend="transport")
    rotations = length * POSE.rotations
    posed = LIMB.reach(LocalPose(rotations[0]), TARGET[0], pole=POLE)
    for i in range(1, FRAMES):
        before = posed
        posed = LIMB.reach(
            LocalPose(rotations[i]), TARGET[i], pole=POLE, bend="transport", before=before
        )
        same_turns(posed.pose.rotations[TURNED], wanted.pose.rotations[i, TURNED], atol=1e-11)


def test_a_clip_that_was_kept_in_float32_meets_its_targets_in_float64():
    """Its rotations are off by 3e-8: six digits too much for who takes them as they are."""
    stored = POSE.rotations.astype("float32").astype("float64")
    assert np.max(np.abs(norm(stored) - 1.0)) > 1e-8
    posed = LIMB.reach(LocalPose(stored), TARGET, pole=POLE)
    there = posed.status == Status.REACHED
    ends = places(ARM, posed.pose)[0][:, LIMB.end]
    np.testing.assert_allclose(ends[there], TARGET[there], atol=1e-13)


def test_the_smallest_and_the_largest_numbers_are_rotations_too():
    for dtype, least, most in (("float32", 2.0**-149, 2.0**127), ("float64", 5e-324, 2.0**1023)):
        for size in (least, most):
            rotations = np.array([[size, 0.0, 0.0, size]] * 4, dtype)
            found = LEG.to_global(LocalPose(rotations)).rotations
            np.testing.assert_allclose(found[0], [0.5**0.5, 0.0, 0.0, 0.5**0.5], rtol=1e-7)


@pytest.mark.parametrize(
    "factor", [1.01, EACH, 1e-30, 1e30, 2.0**-126], ids=["1", "2", "3", "4", "5"]
)
def test_float32_rotations_may_have_any_length(factor):
    rotations = (factor * POSE.rotations).astype("float32")
    target, pole = TARGET.astype("float32"), POLE.astype("float32")
    posed = LIMB.reach(LocalPose(rotations), target, pole=pole)
    assert posed.pose.rotations.dtype == np.float32
    there = posed.status == Status.REACHED
    assert there.sum() > 8
    joined = POSE.rotations.copy()
    joined[:, TURNED] = posed.pose.rotations[:, TURNED]
    ends = places(ARM, LocalPose(joined))[0][:, LIMB.end]
    np.testing.assert_allclose(ends[there], TARGET[there], atol=3e-5)
    found = ARM.to_global(LocalPose(rotations))
    np.testing.assert_allclose(found.positions, PLACES, atol=2e-5)
    same_turns(found.rotations, ARM.to_global(POSE).rotations, atol=1e-5)


def test_lists_may_have_any_length():
    rotations = (3.0 * LEG.rotations).tolist()
    found = LEG.to_global(LocalPose(rotations))
    np.testing.assert_array_equal(found.positions, LEG.rest.positions)
    limb = twobone.Limb(LEG, 0, 1, 2)
    found = limb.reach(LocalPose(rotations), [0, 0.3, 0.2]).pose.rotations
    wanted = limb.reach(LocalPose(LEG.rotations), [0, 0.3, 0.2]).pose.rotations
    np.testing.assert_array_equal(found[:3], wanted[:3])


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e-160, 0.7, 1e160, 1e200, 1.7e308])
def test_a_skeleton_may_rest_in_rotations_of_any_length(size):
    given = size * np.array([[0.0, 0.0, 0.6, 0.8], [0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5]])
    skeleton = Skeleton([-1, 0, 1], np.eye(3), rotations=given)
    np.testing.assert_allclose(norm(skeleton.rotations), 1.0, atol=4e-16)
    atol = 1e-3 if size < 1e-300 else 1e-15  # which has few digits
    np.testing.assert_allclose(skeleton.rotations, given / size, atol=atol)


# --- bits ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rotations_that_are_unit_but_for_rounding_go_in_as_they_are(dtype):
    rng = np.random.default_rng(3)
    q = turns(rng, (500, 4)).astype(dtype)
    q = q * (1.0 + rng.integers(-12, 13, (500, 4, 1)) * np.finfo(dtype).eps).astype(dtype)
    found = LEG.to_global(LocalPose(q)).rotations
    turned = q[:, 0]
    for joint in range(4):
        turned = turned if joint == 0 else multiply(turned, q[:, joint])
        np.testing.assert_array_equal(found[:, joint], turned)


def test_a_row_does_not_depend_on_the_lengths_of_others():
    """Alone, in Python floats, and among others that are unit, long or beyond all squares."""
    rng = np.random.default_rng(4)
    size = np.array([1.0, 1.0 + 1e-7, 0.3, 1e-170, 1e-320, 1e200])[rng.integers(0, 6, (90, 4, 1))]
    q = size * turns(rng, (90, 4))
    target = LEG.offsets[0] + 0.4 * rng.normal(size=(90, 3))
    limb = twobone.Limb(LEG, 0, 1, 2, twist={})
    many = limb.reach(LocalPose(q), target, pole=POLE)
    there = LEG.to_global(LocalPose(q))
    for row in range(90):
        alone = limb.reach(LocalPose(q[row]), target[row], pole=POLE)
        np.testing.assert_array_equal(alone.pose.rotations, many.pose.rotations[row])
        alone = LEG.to_global(LocalPose(q[row]))
        np.testing.assert_array_equal(alone.positions, there.positions[row])
        np.testing.assert_array_equal(alone.rotations, there.rotations[row])


# --- what is no rotation ------------------------------------------------------------------

NONE = {
    "zero": [0.0, 0.0, 0.0, 0.0],
    "minus zero": [-0.0, 0.0, -0.0, 0.0],
    "NaN": [np.nan] * 4,
    "one NaN": [0.0, np.nan, 0.0, 1.0],
    "infinite": [0.0, 0.0, 0.0, np.inf],
    "minus infinite": [-np.inf, 1.0, 2.0, 3.0],
}
BAD, KEPT = [1, 3, 4, 6, 7, 10], [0, 2, 5, 8, 9, 11]


def broken(rotations, joint):
    """Return rotations of which some rows have none for a joint, each row another kind."""
    found = np.array(rotations)
    found[BAD, joint] = list(NONE.values())
    return found


def assert_invalid(posed, rows=BAD):
    """All that is turned is NaN in these rows, and no other row is INVALID."""
    assert np.flatnonzero(posed.status == Status.INVALID).tolist() == rows
    assert np.all(np.isnan(posed.pose.rotations[rows][:, TURNED]))


@pytest.mark.parametrize("joint", range(COUNT))
def test_what_is_no_rotation_counts_in_the_limb_and_above_it_alone(joint):
    rotations = 1.2 * POSE.rotations
    wanted = LIMB.reach(LocalPose(rotations), TARGET, pole=POLE)
    given = broken(rotations, joint)
    found = LIMB.reach(LocalPose(given), TARGET, pole=POLE)
    others = [other for other in range(COUNT) if other not in TURNED]
    np.testing.assert_array_equal(found.pose.rotations[:, others], given[:, others])
    rows = slice(None)
    if joint in ARM.path(LIMB.end):
        assert_invalid(found)
        rows = KEPT
    np.testing.assert_array_equal(found.status[rows], wanted.status[rows])
    turned, want = (posed.pose.rotations[rows][:, TURNED] for posed in (found, wanted))
    np.testing.assert_array_equal(turned, want)


@pytest.mark.parametrize("joint", range(COUNT))
def test_in_a_pose_of_the_world_too(joint):
    pose = in_world(POSE, GlobalPose)
    wanted = LIMB.reach(pose, TARGET, pole=POLE)
    given = pose._replace(rotations=broken(pose.rotations, joint))
    found = LIMB.reach(given, TARGET, pole=POLE)
    rows, clear = slice(None), [other for other in range(COUNT) if other not in ARM.below(joint)]
    if joint in ARM.path(LIMB.end):
        assert_invalid(found)
        rows, clear = KEPT, slice(None)
    np.testing.assert_array_equal(found.status[rows], wanted.status[rows])
    for have, want in zip(found.pose, wanted.pose, strict=True):
        np.testing.assert_array_equal(have[rows][:, clear], want[rows][:, clear])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", [LocalPose, GlobalPose])
@pytest.mark.parametrize("words", WORDS)
def test_of_0_no_more_is_known_than_of_nan(words, kind):
    """Nor are other rows touched."""
    pose = in_world(POSE, kind)
    for joint in (0, *TURNED):
        found = []
        for value in (0.0, np.nan):
            rotations = pose.rotations.copy()
            rotations[BAD, joint] = value
            broken_pose = pose._replace(rotations=rotations)
            posed = LIMB.reach(broken_pose, TARGET, **WORDS[words])
            turned = posed.pose.rotations[:, TURNED]
            place = posed.pose[0] if kind is GlobalPose else posed.pose.translations
            found.append((turned, place, *posed[1:], *LIMB.controls(broken_pose)))
        for zero, nan in zip(*found, strict=True):
            if zero is None:  # no translations
                continue
            known = ~np.isnan(zero)
            np.testing.assert_array_equal(zero[known], nan[known])
            assert np.all(known[KEPT])


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("words", ["local", "world"])
def test_what_is_no_rotation_is_invalid_whatever_the_weights(words, weight):
    """Also in joints that would have been left alone; what is replaced anyway does not count."""
    names = ("position_weight", "rotation_weight", "pole_weight")
    weights = dict.fromkeys(names, weight)
    for joint in TURNED if weight == 0.0 else JOINTS:
        given = LocalPose(broken(POSE.rotations, joint))
        assert_invalid(LIMB.reach(given, TARGET, end_rotation=words, **weights))
    given = LocalPose(broken(POSE.rotations, LIMB.end))
    posed = PLAIN.reach(given, TARGET, end_rotation=words, **weights)
    assert np.flatnonzero(posed.status == Status.INVALID).tolist() == BAD


@pytest.mark.parametrize("weight", [0.5, 1.0, np.ones(3)], ids=str)
def test_no_conditioning_is_known_below_what_is_no_rotation(weight):
    skeleton = Skeleton([-1, 0, 1, 2], [[0, 0, 0], [0, 1, 0], [0, -0.5, 0.01], [0, -0.5, 0]])
    limb = twobone.Limb(skeleton, 1, 2, 3, mid_axis=[1.0, 0.0, 0.0])
    rotations = skeleton.rotations.copy()
    rotations[0] = 0.0
    posed = limb.reach(LocalPose(rotations), [0.1, 0.3, 0.2], position_weight=weight)
    assert np.all(posed.status == Status.INVALID)
    assert np.all(np.isnan(posed.conditioning))


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0])
def test_an_end_cannot_take_what_is_no_rotation(weight):
    hand = broken(HAND[:, None], 0)[:, 0]
    posed = LIMB.reach(POSE, TARGET, end_rotation=hand, rotation_weight=weight)
    wanted = LIMB.reach(POSE, TARGET, end_rotation=HAND, rotation_weight=weight)
    assert_invalid(posed)
    np.testing.assert_array_equal(posed.pose.rotations[KEPT], wanted.pose.rotations[KEPT])


def assert_unknown(found, wanted, lost):
    """Some joints are NaN in the rows that have no rotation, and nothing else is touched."""
    unknown = np.zeros(wanted.shape[:2], bool)
    unknown[np.ix_(BAD, lost)] = True
    np.testing.assert_array_equal(found[~unknown], wanted[~unknown])
    assert np.all(np.isnan(found[unknown]))


@pytest.mark.parametrize("joint", range(COUNT))
def test_below_what_is_no_rotation_nothing_is_known(joint):
    """The joint itself has a place; what hangs from it has none."""
    wanted = ARM.to_global(POSE)
    found = ARM.to_global(LocalPose(broken(POSE.rotations, joint)))
    assert_unknown(found.rotations, wanted.rotations, ARM.below(joint))
    assert_unknown(found.positions, wanted.positions, ARM.below(joint)[1:])


@pytest.mark.parametrize("joint", range(COUNT))
def test_beside_what_is_no_rotation_nothing_is_known(joint):
    there = in_world(POSE, GlobalPose)
    wanted = ARM.to_local(there)
    found = ARM.to_local(there._replace(rotations=broken(there.rotations, joint)))
    children = [child for child, parent in enumerate(ARM.parents) if parent == joint]
    assert_unknown(found.rotations, wanted.rotations, [joint, *children])
    assert_unknown(found.translations, wanted.translations, children)


def test_a_frame_with_no_rotation_is_passed_over_by_those_after_it():
    rotations = broken(POSE.rotations, 0)
    found = LIMB.reach(LocalPose(rotations), TARGET, pole=POLE, bend="transport")
    wanted = LIMB.reach(LocalPose(rotations[KEPT]), TARGET[KEPT], pole=POLE, bend="transport")
    np.testing.assert_array_equal(found.pose.rotations[KEPT], wanted.pose.rotations)
    np.testing.assert_array_equal(found.transported[KEPT], wanted.transported)
    assert_invalid(found)
    posed = LIMB.reach(LocalPose(rotations[:1]), TARGET[:1], pole=POLE, bend="transport")
    posed = posed._replace(transported=posed.transported[0])
    for i in range(1, FRAMES):
        pose = LocalPose(rotations[i])
        posed = LIMB.reach(pose, TARGET[i], pole=POLE, bend="transport", before=posed)
        np.testing.assert_allclose(posed.transported, found.transported[i], atol=1e-12)
        np.testing.assert_allclose(posed.pose.rotations, found.pose.rotations[i], atol=1e-12)


# --- derivatives --------------------------------------------------------------------------


def positions_of(rotations):
    """Return what gradients are taken of: the places that a reach and a hand lead to."""
    posed = LIMB.reach(
        LocalPose(rotations), TARGET[0], pole=POLE, end_rotation=HAND[0], rotation_weight=0.6
    )
    there = ARM.to_global(posed.pose)
    back = ARM.to_local(GlobalPose(there.positions, rotations))
    return there.positions, back.translations


FACTORS = RNG.normal(size=(2, COUNT, 3))
POINTS = {
    "unit": POSE.rotations[0],
    "simple": np.tile([0.0, 0.0, 0.0, 1.0], (COUNT, 1)),
    "half and half": np.tile([0.5, -0.5, 0.5, 0.5], (COUNT, 1)),
    "long": EACH[0] * POSE.rotations[0],
}


@pytest.mark.parametrize("point", POINTS)
def test_derivatives_are_those_of_rotations_over_their_length(point):
    """Along a quaternion nothing changes, so there is no derivative: of unit ones neither."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    q = POINTS[point]
    leaf = torch.tensor(q, requires_grad=True)
    found = sum(
        (v * torch.tensor(f)).sum() for v, f in zip(positions_of(leaf), FACTORS, strict=True)
    )
    found.backward()
    gradient = leaf.grad.numpy()
    assert norm(gradient).max() > 0.1
    np.testing.assert_allclose(np.sum(gradient * q, axis=-1), 0.0, atol=1e-13)
    step = 1e-6
    for at in np.ndindex(q.shape):
        sums = []
        for sign in (1.0, -1.0):
            moved = q.copy()
            moved[at] += sign * step
            values = positions_of(moved)
            sums.append(sum(np.sum(v * f) for v, f in zip(values, FACTORS, strict=True)))
        slope = (sums[0] - sums[1]) / (2.0 * step)
        assert gradient[at] == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_forward_derivatives_are_those_too():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    ad = torch.autograd.forward_ad
    for q in (torch.tensor(POINTS["simple"]), torch.tensor(POINTS["long"])):
        with ad.dual_level():
            dual = ARM.to_global(LocalPose(ad.make_dual(q, q))).positions
            np.testing.assert_allclose(ad.unpack_dual(dual).tangent, 0.0, atol=1e-14)


@pytest.mark.parametrize("size", [1e-300, 1e-150, 1e150, 1e300])
def test_derivatives_of_tiny_and_huge_rotations_are_finite(size):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    leaf = torch.tensor(size * POSE.rotations[0], requires_grad=True)
    ARM.to_global(LocalPose(leaf)).positions.sum().backward()
    one = torch.tensor(POSE.rotations[0], requires_grad=True)
    ARM.to_global(LocalPose(one)).positions.sum().backward()
    np.testing.assert_allclose(size * leaf.grad, one.grad, atol=1e-12)


@pytest.mark.parametrize("joint", range(4))
@pytest.mark.parametrize("bend", ["pole", "rest", "transport"])
def test_rotations_that_are_0_leave_all_derivatives_finite(bend, joint):
    """Those of what rows share, too: a clip of a joint that was not tracked has such rows."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    limb = twobone.Limb(LEG, 0, 1, 2, twist={})
    rng = np.random.default_rng(12)
    rotations, hands = turns(rng, (5, 4)), turns(rng, (5,))
    rotations[[1, 3], joint] = 0.0
    hands[4] = 0.0
    leaves = {
        "rotations": torch.tensor(rotations, requires_grad=True),
        "offsets": torch.tensor(LEG.offsets, requires_grad=True),
        "target": torch.tensor([0.1, 0.4, 0.3], dtype=torch.float64, requires_grad=True),
        "pole": torch.tensor([0.3, 0.2, 1.0], dtype=torch.float64, requires_grad=True),
        "hands": torch.tensor(hands, requires_grad=True),
    }
    rotations, offsets, target, pole, hands = leaves.values()
    pose = LocalPose(rotations, offsets)
    options = {"pole": pole, "end_rotation": hands, "unreachable": Stretch(1.2)}
    posed = limb.reach(pose, target, bend=bend, **options)
    there = GlobalPose(offsets, rotations)
    again = limb.reach(there, target, bend=bend, **options)
    found = [
        *posed.pose,
        posed.conditioning,
        posed.transported,
        again.conditioning,
        again.transported,
    ]
    found += [*LEG.to_global(pose), *LEG.to_local(there)]
    found += [*limb.controls(pose), *limb.controls(there)]
    sum(v[torch.isfinite(v)].sum() for v in found).backward()
    for name, leaf in leaves.items():
        assert torch.isfinite(leaf.grad).all(), name
        assert torch.any(leaf.grad != 0.0), name


# --- anything at all ----------------------------------------------------------------------


def exact_turn(q):
    """Return the matrix of a quaternion of any length, its parts in units of the largest."""
    return matrix_of(np.ldexp(q, -np.frexp(np.max(np.abs(q)))[1]))


PARTS = st.floats(-1.0, 1.0).filter(lambda v: v == 0.0 or abs(v) > 1e-3)
QUATERNIONS = st.tuples(PARTS, PARTS, PARTS, PARTS).filter(any)
CHAINS = st.lists(st.tuples(QUATERNIONS, st.integers(-1000, 1000)), min_size=4, max_size=4)


@settings(max_examples=60)
@given(CHAINS)
def test_any_lengths_at_all(chain):
    rotations = np.array([np.ldexp(q, power) for q, power in chain])
    position, turned, found = np.zeros(3), np.eye(3), LEG.to_global(LocalPose(rotations))
    for joint in range(4):
        position = position + turned @ LEG.offsets[joint]
        turned = turned @ exact_turn(rotations[joint])
        np.testing.assert_allclose(found.positions[joint], position, atol=1e-14)
        np.testing.assert_allclose(matrix_of(found.rotations[joint]), turned, atol=1e-14)
    again = LEG.to_global(LocalPose(found.rotations * [[1.0], [0.0], [0.0], [0.0]]))
    np.testing.assert_array_equal(again.rotations[0], found.rotations[0])
