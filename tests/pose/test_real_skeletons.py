"""Skeletons of mocap clips, beside the project: rig legs and arms by name, pin a foot, look."""

from pathlib import Path

import numpy as np
import pytest

import twobone
from skeletons import about, norm, places, product
from twobone import Status
from twobone.pose import LocalPose, Skeleton

CLIPS = Path(__file__).parents[3] / "shared" / "clips"
FILES = {
    # file, up, forward, joints of a leg and an arm on the left
    "cmu_bvh/02_01.bvh": (1, 2, "LeftUpLeg LeftLeg LeftFoot", "LeftArm LeftForeArm LeftHand"),
    "cmu_bvh/09_01.bvh": (1, 2, "LeftUpLeg LeftLeg LeftFoot", "LeftArm LeftForeArm LeftHand"),
    "animated_drawings_bvh/cmu1_jumping_jacks.bvh": (
        1,
        2,
        "LeftHip LeftKnee LeftAnkle",
        "LeftShoulder LeftElbow LeftWrist",
    ),
}
FRAMES = slice(20, 120)  # the first ones are a T-pose


def read(path, frames):
    """Return the skeleton of a BVH file and some of its poses."""
    names, parents, offsets, channels, open_ = [], [], [], [], []
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    for words in map(str.split, lines):
        if words[0] in ("ROOT", "JOINT"):
            parents.append(next((joint for joint in reversed(open_)), -1))
            names.append(words[1])
            open_.append(len(names) - 1)
        elif words[0] == "End":
            open_.append(None)
        elif words[0] == "OFFSET" and open_[-1] is not None:
            offsets.append([float(word) for word in words[1:]])
        elif words[0] == "CHANNELS":
            channels += [(open_[-1], word) for word in words[2:]]
        elif words[0] == "}":
            open_.pop()
        elif words[0] == "MOTION":
            break
    rows = np.array([line.split() for line in list(lines)[2:][frames] if line.strip()], float)
    skeleton = Skeleton(parents, offsets, names=names)
    rotations = np.tile(skeleton.rotations, (len(rows), 1, 1))
    translations = np.tile(skeleton.offsets, (len(rows), 1, 1))
    for (joint, channel), values in zip(channels, rows.T, strict=True):
        axis = "XYZ".index(channel[0])
        if channel.endswith("position"):
            translations[:, joint, axis] = values
        else:
            turn = about(np.broadcast_to(np.eye(3)[axis], (len(rows), 3)), values)
            rotations[:, joint] = product(rotations[:, joint], turn)
    return skeleton, LocalPose(rotations, translations)


@pytest.fixture(params=FILES)
def clip(request):
    path = CLIPS / request.param
    if not path.exists():
        pytest.skip(f"{path} is not there: clips lie beside the project")
    return (*read(path, FRAMES), *FILES[request.param])


def test_a_straight_leg_asks_which_way_it_bends(clip):
    """Legs of these files are straight but for the last digit of their offsets."""
    skeleton, _, _, _, leg, _ = clip
    with pytest.raises(twobone.PoseError, match=r"`mid_axis` or `bend_towards`.* got neither"):
        twobone.Limb(skeleton, *leg.split())


def test_a_pinned_foot_stays_and_all_else_as_it_was(clip):
    skeleton, pose, _, forward, leg, _ = clip
    limb = twobone.Limb(skeleton, *leg.split(), bend_towards=np.eye(3)[forward])
    before, turned = places(skeleton, pose)
    pin = before[10, limb.end]
    controls = limb.controls(pose)
    posed = limb.reach(pose, pin, pole=controls.pole, bend="transport")
    positions, now = places(skeleton, posed.pose)
    met = posed.status == Status.REACHED
    assert met.sum() > 8
    size = norm(before[0, limb.mid] - before[0, limb.start])
    np.testing.assert_allclose(
        positions[met, limb.end], np.tile(pin, (met.sum(), 1)), atol=1e-9 * size
    )
    # What is not met is at the edge of reach: straight towards the pin, or folded.
    ways = [point - before[:, limb.start] for point in (positions[:, limb.end], pin)]
    np.testing.assert_allclose(
        norm(np.cross(*ways)) / norm(ways[0]) / norm(ways[1]), 0.0, atol=1e-7
    )
    np.testing.assert_allclose(now[:, limb.end], turned[:, limb.end], atol=1e-12)
    below = skeleton.below(limb.start)
    others = [joint for joint in range(len(skeleton.parents)) if joint not in below]
    np.testing.assert_array_equal(positions[:, others], before[:, others])
    steps = [norm(np.diff(p[:, limb.mid], axis=0)).max() for p in (positions, before)]
    assert steps[0] < 4.0 * steps[1]  # no pop: the knee moves about as fast as it did


def test_the_arm_finds_back_to_the_clip_from_the_rest_pose(clip):
    """The hinge of a clip's elbow has noise of its own, so the hand is what is compared."""
    skeleton, pose, _, forward, _, arm = clip
    limb = twobone.Limb(skeleton, *arm.split(), bend_towards=-np.eye(3)[forward])
    before, turned = places(skeleton, pose)
    controls = limb.controls(pose)
    resting = np.array(pose.rotations)
    resting[:, [limb.start, limb.mid, limb.end]] = skeleton.rotations[
        [limb.start, limb.mid, limb.end]
    ]
    posed = limb.reach(
        LocalPose(resting, pose.translations),
        controls.target,
        pole=controls.pole,
        end_rotation=controls.end_rotation,
    )
    positions, now = places(skeleton, posed.pose)
    size = norm(before[0, limb.mid] - before[0, limb.start])
    met = (posed.status == Status.REACHED) | (posed.status == Status.AMBIGUOUS)
    assert met.mean() > 0.9
    np.testing.assert_allclose(positions[met, limb.end], before[met, limb.end], atol=1e-9 * size)
    np.testing.assert_allclose(now[:, limb.end], turned[:, limb.end], atol=1e-11)


def test_a_foot_is_pinned_between_keys_where_rotations_are_not_unit(clip):
    """Halfway between every tenth frame, as players that do not normalise have it."""
    skeleton, pose, _, forward, leg, _ = clip
    limb = twobone.Limb(skeleton, *leg.split(), bend_towards=np.eye(3)[forward])
    middle = LocalPose(*(0.5 * (part[:-10:10] + part[10::10]) for part in pose))
    assert norm(middle.rotations[:, skeleton.path(limb.end)]).min() < 0.999
    before = places(skeleton, middle)[0]
    pins = before[:, limb.end] + 0.05 * (before[:, limb.start] - before[:, limb.end])
    posed = limb.reach(middle, pins, pole=limb.controls(middle).pole)
    assert np.all(posed.status == Status.REACHED)
    ends = places(skeleton, posed.pose)[0][:, limb.end]
    np.testing.assert_allclose(ends, pins, atol=1e-11 * np.abs(before).max())
