"""Limbs and skeletons computed by the kernel's programs have the bits of NumPy."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import limb_programs
from engines import KERNEL
from slow import all_but
from twobone import GlobalPose, Limb, LocalPose, Policy, Skeleton, Soft, Stretch

pytestmark = pytest.mark.skipif(KERNEL is None, reason="no kernel")
NAMES = ["hips", "thigh", "twist", "shin", "carpal", "foot", "toes"]
OFFSETS = [[0, 1, 0], [0.1, -0.1, 0], [0, -0.2, 0], [0, -0.45, 0.03], [0, -0.215, -0.015]]
OFFSETS += [[0, -0.215, -0.015], [0, -0.05, 0.1]]
PARENTS = [-1, 0, 1, 1, 3, 4, 5]
FRAMES = 2 * limb_programs.MANY


def body(**options):
    return Skeleton(PARENTS, OFFSETS, names=NAMES, **options)


def clip(dtype, seed=3):
    """Return poses, some with quaternions that are not of length 1, 0, or NaN; and targets."""
    rng = np.random.default_rng(seed)
    rotations = rng.normal(size=(FRAMES, len(NAMES), 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    rotations *= rng.choice([1.0, 1.0, 1.01, 3.0], size=(FRAMES, len(NAMES), 1))
    rotations[3, 1] = 0.0
    rotations[4, 2] = np.nan
    rotations[5, 3] *= 1e-30
    translations = np.array(OFFSETS) + 0.01 * rng.normal(size=(FRAMES, len(NAMES), 3))
    target = 0.6 * rng.normal(size=(FRAMES, 3))
    target[6] = np.inf
    return *(v.astype(dtype) for v in (rotations, translations, target)), rng


def flat(result):
    if isinstance(result, tuple):
        return [array for part in result for array in flat(part)]
    return [] if result is None else [np.asarray(result)]


def assert_same_bits(found, wanted):
    for one, other in zip(flat(found), flat(wanted), strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        if one.dtype.kind == "f":
            known = one == one
            assert np.array_equal(np.signbit(one[known]), np.signbit(other[known]))


def both_ways(engines, compute, holder):
    """Return what is computed with programs, and without the kernel."""
    for _ in range(limb_programs.SINGLE):
        found = compute()
    assert any(limb_programs.are_programs(holder))
    with engines.using("numpy"):
        return found, compute()


BENDS = [("rest", None), ("pole", "pole"), ("pole", "pole_point"), ("transport", "pole")]
BENDS += [("transport", None)]
KINDS = list(itertools.product(["float32", "float64"], ["world", "local", "array"]))
POLICIES = ["clamp", "stretch", "nan", Soft(0.1) | Stretch(1.2)]


# Each way to bend with one kind of the rest, and each kind once: they do not depend on each other.
TOGETHER = [(*BENDS[k % len(BENDS)], *kind) for k, kind in enumerate(KINDS)]


@pytest.mark.parametrize(("bend", "pole", "dtype", "end_rotation"), all_but(TOGETHER, TOGETHER[3]))
def test_limbs_have_the_same_bits(engines, bend, pole, end_rotation, dtype):
    rotations, translations, target, rng = clip(dtype)
    limbs = [
        Limb(body(), "thigh", "shin", "foot", limits=(20.0, 170.0)),
        Limb(
            body(scales=[2.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0]),
            "hips",
            "shin",
            "toes",
            bend_towards=[0.0, 0.0, 1.0],
        ),
    ]
    options = {} if pole is None else {pole: rng.normal(size=(FRAMES, 3)).astype(dtype)}
    if end_rotation == "array":
        options["end_rotation"] = rng.normal(size=(FRAMES, 4)).astype(dtype)
    else:
        options["end_rotation"] = end_rotation
    for name in ("position_weight", "rotation_weight", "pole_weight"):
        options[name] = rng.choice([-1.0, 0.0, 0.3, 1.0, 2.0, np.nan], FRAMES).astype(dtype)
    poses = [LocalPose(rotations), LocalPose(rotations, translations), LocalPose(rotations[0])]
    for limb, policy, pose in itertools.product(limbs, POLICIES, poses):
        both = both_ways(
            engines,
            lambda: limb.reach(pose, target, bend=bend, unreachable=policy, **options),  # noqa: B023
            limb,
        )
        assert_same_bits(*both)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_kinematics_have_the_same_bits(engines, dtype):
    rotations, translations, *_ = clip(dtype)
    for scales in (None, [2.0, 1.0, 3.0, 0.5, 1.0, 1.0, 1.0]):
        skeleton = body(scales=scales)
        limb = Limb(skeleton, "thigh", "shin", "foot")
        for pose in (LocalPose(rotations), LocalPose(rotations, translations)):
            found, wanted = both_ways(engines, lambda: skeleton.to_global(pose), skeleton)  # noqa: B023
            assert_same_bits(found, wanted)
            assert_same_bits(
                *both_ways(engines, lambda: skeleton.to_local(wanted), skeleton)  # noqa: B023
            )
            for each in (pose, wanted):
                assert_same_bits(*both_ways(engines, lambda: limb.controls(each), limb))  # noqa: B023


def test_one_pose_and_one_frame_at_a_time_have_the_same_bits(engines):
    rotations, _, target, _ = clip("float64")
    limb = Limb(body(), "thigh", "shin", "foot")

    def walk():
        found, posed = [], None
        for i in range(12):
            posed = (
                limb.reach(LocalPose(rotations[i]), target[i], bend="transport", before=posed)
                if posed
                else limb.reach(LocalPose(rotations[i]), target[i])
            )
            found += [posed, limb.skeleton.to_global(posed.pose)]
        return tuple(found)

    assert_same_bits(*both_ways(engines, walk, limb))


def test_a_limb_solved_as_often_as_it_likes_keeps_few_programs():
    rotations, _, target, _ = clip("float64")
    limb = Limb(body(), "thigh", "shin", "foot")
    for i in range(3 * limb_programs.MOST_KEPT):
        limb.reach(LocalPose(rotations), target, unreachable=Soft(0.1 + 0.001 * i))
    assert 0 < len(limb._programs.kept) <= limb_programs.MOST_KEPT


class Own(Policy):
    def place(self, xp, distance, inner, outer):
        return 0.9 * distance


def test_the_third_pose_and_the_hundredth_have_the_bits_of_the_first():
    rotations, _, target, _ = clip("float64")
    limb = Limb(body(), "thigh", "shin", "foot")
    found = [
        limb.reach(LocalPose(rotations[0]), target[0]) for _ in range(2 * limb_programs.SINGLE)
    ]
    for each in found:
        assert_same_bits(each, found[0])
    assert limb_programs.are_programs(limb)[0]


def test_the_oldest_program_goes_first():
    rotations, _, target, _ = clip("float64")
    limb = Limb(body(), "thigh", "shin", "foot")
    policies = [Soft(0.1 + 0.01 * i) for i in range(limb_programs.MOST_KEPT + 1)]
    for policy in policies:
        for _ in range(limb_programs.BATCH):
            limb.reach(LocalPose(rotations), target, unreachable=policy)
    kept = [key[0][0].inner for key in limb._programs.kept]
    assert kept == policies[1:]
    assert all(limb_programs.are_programs(limb))


class Strange(Own):
    """A policy that no one else may compare."""

    def __init__(self, asked):
        self.asked = asked

    def __hash__(self):
        return hash(Soft(0.1))

    def __eq__(self, other):
        self.asked.append(other)
        raise ValueError("not comparable")


def test_policies_of_ones_own_are_never_compared_nor_kept():
    rotations, _, target, _ = clip("float64")
    limb, asked = Limb(body(), "thigh", "shin", "foot"), []
    wanted = limb.reach(LocalPose(rotations), target, unreachable=Own())
    for _ in range(limb_programs.BATCH):
        limb.reach(LocalPose(rotations), target, unreachable=Soft(0.1))
        found = limb.reach(LocalPose(rotations), target, unreachable=Strange(asked))
        assert_same_bits(found, wanted)
    assert asked == []
    assert len(limb._programs.kept) == 1


def test_what_cannot_be_traced_stays_with_numpy(engines):
    rotations, _, target, _ = clip("float64")
    twisted = Limb(body(), "thigh", "shin", "foot", twist={"carpal": 0.5})
    plain = Limb(body(), "thigh", "shin", "foot")
    for limb, policy in ((twisted, "clamp"), (plain, Own())):
        found = limb.reach(LocalPose(rotations), target, unreachable=policy)
        assert not any(limb_programs.are_programs(limb))
        with engines.using("numpy"):
            wanted = limb.reach(LocalPose(rotations), target, unreachable=policy)
        assert_same_bits(found, wanted)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_copies_work(copied):
    rotations, _, target, _ = clip("float64")
    limb = Limb(body(), "thigh", "shin", "foot")
    found = limb.reach(LocalPose(rotations), target)
    other = copied(limb)
    assert_same_bits(other.reach(LocalPose(rotations), target), found)
    assert_same_bits(
        copied(limb.skeleton).to_global(LocalPose(rotations)),
        limb.skeleton.to_global(LocalPose(rotations)),
    )


def test_batches_of_any_shape_have_the_same_bits(engines):
    rotations, _, target, _ = clip("float64")
    limb = Limb(body(), "thigh", "shin", "foot")
    shaped = rotations.reshape(FRAMES // 4, 1, 4, len(NAMES), 4)
    pole = np.linspace([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], 5)[:, None]
    for pose in (LocalPose(shaped), LocalPose(shaped[:0])):
        goal = target[:4]
        assert_same_bits(
            *both_ways(engines, lambda: limb.reach(pose, goal, pole=pole), limb)  # noqa: B023
            if pose.rotations.size
            else (limb.reach(pose, goal, pole=pole),) * 2
        )
    assert isinstance(limb.skeleton.to_global(LocalPose(shaped)), GlobalPose)


# --- prepared calls -----------------------------------------------------------------------------

KINDS = {
    "local": {},
    "pole": {"pole": [0.0, 0.0, 1.0]},
    "weights": {"pole_point": [0.0, 0.0, 1.0], "position_weight": 0.5},
    "policy": {"unreachable": Soft(0.05) | Stretch(limit=1.1), "end_rotation": "local"},
    "global": {},
    "next frame": {"bend": "transport", "pole": [0.0, 0.0, 1.0]},
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
def test_after_prepare_no_call_records_a_program(kind):
    """Otherwise the eighth call for one pose takes as long as a frame of a game."""
    skeleton, options = body(), dict(KINDS[kind])
    leg = Limb(skeleton, "thigh", "shin", "foot")
    pose = LocalPose(skeleton.rotations)
    if kind == "next frame":
        options["before"] = leg.reach(pose, [0.0, 0.2, 0.1], pole=[0.0, 0.0, 1.0])
    given = skeleton.to_global(pose) if kind == "global" else pose
    skeleton.prepare(pose)
    skeleton.prepare(skeleton.to_global(pose))
    leg.prepare(given, [0.0, 0.3, 0.0], **options)

    with limb_programs.no_program_is_recorded():
        for frame in range(20):
            posed = leg.reach(given, [0.0, 0.2, 0.01 * frame], **options)
            weight = frame / 19  # the last one is 1
            leg.reach(given, [0.0, 0.2, 0.0], **options | {"position_weight": weight})
            leg.controls(given)
            skeleton.to_local(skeleton.to_global(pose))
            if kind == "next frame":
                options["before"] = posed
