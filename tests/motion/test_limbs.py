"""Limbs: found by names and by motion, in people, quadrupeds and spiders, and never an error."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import clip_files
import people
from twobone import LocalPose, Skeleton
from twobone.motion import Clip, candidates, find_contacts, find_ground, find_limbs, load
from twobone.motion.branches import find_chains, sample
from twobone.motion.joint_names import meaning
from twobone.motion.t_pose import is_t_pose


def joints_of(clip, limb):
    names = clip.skeleton.names
    joints = (limb.start, limb.mid, limb.end, limb.toe)
    return [None if joint is None else names[joint] for joint in joints]


def table(clip):
    """Return the joints of each limb by its name."""
    limbs = find_limbs(clip)
    return {limb.name: joints_of(clip, limb) for limb in (*limbs.legs, *limbs.arms)}


def nameless(clip):
    return clip_files.renamed(clip, [f"j{k}" for k in range(len(clip.skeleton.parents))])


def indices(limbs):
    return {(limb.start, limb.mid, limb.end) for limb in limbs}


# --- people -------------------------------------------------------------------------------

PARTS = ("UpLeg", "Leg", "Foot", "ToeBase"), ("Arm", "ForeArm", "Hand")
PERSON = {
    f"{side.lower()} {kind}": [side + part for part in parts] + ([None] if kind == "arm" else [])
    for side in ("Left", "Right")
    for kind, parts in zip(("leg", "arm"), PARTS, strict=True)
}


@pytest.mark.parametrize("name", ["01_01", "02_01", "02_04", "09_01"])
def test_limbs_of_cmu(name):
    clip = clip_files.cmu(name, 4)
    assert table(clip) == PERSON
    limbs = find_limbs(clip)
    assert {limb.confidence for limb in (*limbs.legs, *limbs.arms)} == {1.0}
    assert all(leg.heel and not leg.detached for leg in limbs.legs)


def test_limbs_named_after_joints_instead_of_bones():
    found = table(clip_files.bvh(clip_files.JUMPS))
    assert found["left leg"] == ["LeftHip", "LeftKnee", "LeftAnkle", "LeftToe"]
    assert found["right arm"] == ["RightShoulder", "RightElbow", "RightWrist", None]


def test_limbs_where_z_is_up():
    assert table(clip_files.bvh(clip_files.DAB, up="z")) == PERSON


@pytest.mark.parametrize("name", ["02_01", "09_01"])
def test_legs_without_names_are_found_by_motion(name):
    clip = clip_files.cmu(name, 4)
    named, found = find_limbs(clip), find_limbs(nameless(clip))
    assert indices(found.legs) == indices(named.legs)
    assert [leg.toe for leg in found.legs] == [leg.toe for leg in named.legs]
    assert [leg.side for leg in found.legs] == ["left", "right"]
    assert all(leg.confidence <= 0.65 for leg in found.legs)


def test_human_bones_of_vrm_are_taken():
    clip = nameless(people.standing(3))
    leg = {"leftUpperLeg": 1, "leftLowerLeg": 2, "leftFoot": 3, "leftToes": "j4"}
    clip.human_bones = {**leg, "rightUpperArm": 12, "rightLowerArm": 999, "rightHand": 14}
    (found,) = find_limbs(clip).legs
    assert found[:8] == ("left leg", "leg", "left", None, 1, 2, 3, 4)
    assert found.confidence == 1.0
    assert find_limbs(clip).arms == ()


def test_human_bones_without_length_are_no_limb():
    clip = nameless(people.standing(3))
    clip.human_bones = {"leftUpperLeg": 1, "leftLowerLeg": 2, "leftFoot": 2}
    others = nameless(people.standing(3))
    assert find_limbs(clip) == find_limbs(others)


def test_a_joint_that_never_bends_lies_inside_a_bone():
    """Rigify splits thighs in two; the second half has the name of the first and a number."""
    names = ["hips"]
    parents, offsets = [-1], [[0.0, 0.9, 0.0]]
    for side, x in (("L", 0.1), ("R", -0.1)):
        for part, offset in (
            ("thigh", [x, 0.0, 0.0]),
            ("thigh.001", [0.0, -0.2, 0.0]),
            ("shin", [0.0, -0.2, 0.0]),
            ("foot", [0.0, -0.4, 0.0]),
            ("toe", [0.0, -0.05, 0.15]),
        ):
            stem, _, number = part.partition(".")
            names.append(f"DEF-{stem}.{side}" + (f".{number}" if number else ""))
            parents.append(0 if stem == "thigh" and not number else len(names) - 2)
            offsets.append(offset)
    body = Skeleton(parents, offsets, names=names)
    rotations = np.tile(body.rotations, (20, 1, 1))
    bend = np.linspace(0.0, 0.4, 20)
    rotations[:, body.index("DEF-shin.L")] = np.stack(
        [np.sin(bend), 0 * bend, 0 * bend, np.cos(bend)], axis=-1
    )
    found = table(Clip(body, LocalPose(rotations), 30.0))
    assert found["left leg"] == ["DEF-thigh.L", "DEF-shin.L", "DEF-foot.L", "DEF-toe.L"]


def test_of_joints_at_the_same_place_the_one_named_after_its_role_is_kept():
    old = people.skeleton()
    thigh, helper = old.index("LeftUpLeg"), len(old.names)
    offsets = np.concatenate([old.offsets, old.offsets[[thigh]]])
    offsets[thigh] = 0.0
    parents = [helper if joint == thigh else parent for joint, parent in enumerate(old.parents)]
    body = Skeleton([*parents, 0], offsets, names=[*old.names, "helper"])
    clip = Clip(body, LocalPose(np.tile(body.rotations, (5, 1, 1))), 30.0)
    assert table(clip)["left leg"] == PERSON["left leg"]


def test_a_wrist_that_never_bends_is_the_end_of_an_arm():
    """Fingers go on in line with the forearm, as after retargeting to a model with fingers."""
    old = people.skeleton()
    hand = old.index("LeftHand")
    names = [*old.names, "LeftHandMiddle1", "LeftHandMiddle_end"]
    parents = [*old.parents, hand, len(old.parents)]
    offsets = np.concatenate([old.offsets, [[0.1, 0.0, 0.0], [0.08, 0.0, 0.0]]])
    body = Skeleton(parents, offsets, names=names)
    rotations = np.tile(body.rotations, (20, 1, 1))
    bend = np.linspace(0.0, 0.8, 20)
    elbow = np.stack([0 * bend, np.sin(bend), 0 * bend, np.cos(bend)], axis=-1)
    rotations[:, body.index("LeftForeArm")] = elbow
    found = table(Clip(body, LocalPose(rotations), 30.0))
    assert found["left arm"] == ["LeftArm", "LeftForeArm", "LeftHand", None]


# --- animals ------------------------------------------------------------------------------


@pytest.mark.parametrize("animation", ["Walk", "Survey", "Run"])
def test_arms_that_an_animal_walks_on_are_legs(animation):
    clip = clip_files.glb(clip_files.FOX, animation)
    found = table(clip)
    assert found["left hind leg"] == [
        "b_LeftLeg01_015",
        "b_LeftLeg02_016",
        "b_LeftFoot01_017",
        "b_LeftFoot02_018",
    ]
    assert found["right front leg"] == [
        "b_RightUpperArm_06",
        "b_RightForeArm_07",
        "b_RightHand_08",
        None,
    ]
    assert len(find_limbs(clip).legs) == 4


@pytest.mark.parametrize("animation", ["Walk", "Run", "Sneak", "Idle"])
def test_digitigrade_legs_stand_on_their_toes(animation):
    clip = clip_files.glb(clip_files.FOX_2, animation)
    limbs = find_limbs(clip)
    hind = [leg for leg in limbs.legs if leg.place == "hind"]
    assert [joints_of(clip, leg)[:3] for leg in hind] == [
        [f"Back_Leg_{part}_{side}" for part in ("Upper", "Lower", "Ankle")] for side in "LR"
    ]
    assert not any(leg.heel for leg in hind)
    assert all(leg.contacts == (leg.toe,) for leg in hind)
    assert len(limbs.legs) == 4
    assert limbs.arms == ()


def test_a_spider_has_eight_legs():
    clip = clip_files.glb(clip_files.SPIDER, "Walk")
    legs = find_limbs(clip).legs
    assert [joints_of(clip, leg) for leg in legs] == [
        [f"leg_{leg}_{part}_{side}" for part in ("1", "2", "3", "tip")]
        for side in "lr"
        for leg in "abcd"
    ]
    assert [leg.name for leg in legs[:4]] == [f"left leg {k}" for k in (1, 2, 3, 4)]
    assert not any(leg.heel for leg in legs)


@pytest.mark.parametrize("animation", ["Walk", "Gallop", "Idle"])
def test_feet_of_a_horse_are_found_though_they_hang_under_the_root(animation):
    clip = clip_files.glb(clip_files.HORSE, animation)
    legs = find_limbs(clip).legs
    assert {leg.name: joints_of(clip, leg)[:3] for leg in legs} == {
        f"{side} {place} leg": [
            f"{part}UpperLeg.{end}",
            f"{part}LowerLeg.{end}",
            f"IK{part}Leg.{end}",
        ]
        for side, end in (("left", "L"), ("right", "R"))
        for place, part in (("front", "Front"), ("hind", "Back"))
    }
    assert all(leg.detached for leg in legs)


@pytest.mark.parametrize("animation", ["Walk", "Run", "Idle", "Wave"])
def test_feet_of_a_person_are_found_though_they_hang_under_the_root(animation):
    found = table(clip_files.glb(clip_files.CHARACTER, animation))
    assert found["left leg"] == ["UpperLeg.L", "LowerLeg.L", "Foot.L", "Foot.L_end"]
    assert found["right leg"] == ["UpperLeg.R", "LowerLeg.R", "Foot.R", "Foot.R_end"]
    assert len(found) == 4


@pytest.mark.parametrize(
    ("file", "animation"),
    [
        (clip_files.FOX, "Walk"),
        (clip_files.SPIDER, "Walk"),
        (clip_files.HORSE, "Walk"),
        (clip_files.CHARACTER, "Idle"),
    ],
)
def test_legs_of_animals_without_names_are_found_by_motion(file, animation):
    clip = clip_files.glb(file, animation)
    assert indices(find_limbs(nameless(clip)).legs) == indices(find_limbs(clip).legs)


def test_legs_without_names_have_places_if_the_body_moves():
    named = clip_files.glb(clip_files.FOX, "Walk")
    clip, (leg, *_) = nameless(named), find_limbs(named).legs
    translations = clip.pose.translations.copy()
    reach = np.linalg.norm(clip.skeleton.offsets[[leg.mid, leg.end]], axis=-1).sum()
    translations[:, 0, 2] += np.linspace(0.0, 5.0 * reach, len(clip))
    moved = clip.with_pose(clip.pose._replace(translations=translations))
    places = {leg.mid: leg.place for leg in find_limbs(moved).legs}
    assert places == {leg.mid: leg.place for leg in find_limbs(named).legs}
    assert sorted(places.values()) == ["front", "front", "hind", "hind"]


def test_four_legs_that_are_no_two_pairs_have_no_places():
    parents, offsets, names = [-1], [[0.0, 1.5, 0.0]], ["Hips"]
    legs = (
        ("Left", 0.2, 1.0, 1.0),
        ("Right", -0.2, 1.0, 1.0),
        ("", 0.3, 0.8, -1),
        ("", 0.0, 1.2, 0),
    )
    for number, (side, x, size, z) in enumerate(legs):
        for part, offset in (
            ("UpLeg", [x, 0.0, z]),
            ("Leg", [0.0, -0.4 * size, 0.0]),
            ("Foot", [0.0, -0.4 * size, 0.0]),
            ("Toe", [0.0, -0.05, 0.15]),
        ):
            parents.append(0 if part == "UpLeg" else len(names) - 1)
            names.append(f"{side}{part}{'' if side else number}")
            offsets.append(offset)
    body = Skeleton(parents, offsets, names=names)
    found = find_limbs(Clip(body, LocalPose(np.tile(body.rotations, (5, 1, 1))), 30.0)).legs
    assert [leg.name for leg in found] == ["left leg", "right leg", "leg 1", "leg 2"]


def without(clip, ending):
    """Return a clip without the joints, all of them tips, whose names end in some way."""
    old = clip.skeleton
    keep = [k for k, name in enumerate(old.names) if not name.endswith(ending)]
    skeleton = Skeleton(
        [-1 if old.parents[k] < 0 else keep.index(old.parents[k]) for k in keep],
        old.offsets[keep],
        names=[old.names[k] for k in keep],
        rotations=old.rotations[keep],
        scales=[old.scales[k] for k in keep],
    )
    pose = LocalPose(*(part[:, keep] for part in clip.pose))
    return Clip(skeleton, pose, clip.fps)


@pytest.mark.parametrize("animation", ["Walk", "Gallop"])
def test_shins_without_joints_at_their_ends_still_find_their_feet(animation):
    found = table(without(clip_files.glb(clip_files.HORSE, animation), "_end"))
    assert found == {
        f"{side} {place} leg": [f"{part}UpperLeg.{end}", f"{part}LowerLeg.{end}", *foot]
        for side, end in (("left", "L"), ("right", "R"))
        for place, part, foot in (
            ("front", "Front", (f"IKFrontLeg.{end}", f"FF.{end}")),
            ("hind", "Back", (f"IKBackLeg.{end}", f"FFB.{end}")),
        )
    }
    found = table(without(clip_files.glb(clip_files.CHARACTER, "Walk"), "_end"))
    assert found["left leg"] == ["UpperLeg.L", "LowerLeg.L", "Foot.L", None]


def test_a_foot_that_goes_elsewhere_is_no_end_of_a_shin():
    clip = without(clip_files.glb(clip_files.CHARACTER, "Walk"), "_end")
    foot, other = (clip.skeleton.index(f"Foot.{side}") for side in "LR")
    translations = clip.pose.translations.copy()
    length = np.linalg.norm(clip.skeleton.offsets[clip.skeleton.index("LowerLeg.L")])
    translations[:, foot, 0] += np.linspace(-1.5 * length, 1.5 * length, len(clip))
    limbs = find_limbs(clip.with_pose(clip.pose._replace(translations=translations)))
    assert foot not in [leg.end for leg in limbs.legs]
    assert other in [leg.end for leg in limbs.legs]


# --- names --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "side", "kind", "role"),
    [
        (
            "mixamorig:LeftUpLeg thigh_l Bip01_L_Thigh DEF-thigh.L lfemur L_Hip",
            "left",
            "leg",
            "start",
        ),
        (
            "mixamorig:RightForeArm lowerarm_r RightElbow rradius DEF-forearm.R",
            "right",
            "arm",
            "mid",
        ),
        ("calf_l shin.L ltibia LeftLowerLeg LeftKnee", "left", "leg", "mid"),
        ("foot_r RightAnkle rfoot Bip01_R_Foot", "right", "leg", "end"),
        ("ball_l LeftToeBase Bip01_L_Toe0 toe.L", "left", "leg", "toe"),
        ("\u5de6\u3072\u3056", "left", "leg", "mid"),
        ("\u53f3\u8155", "right", "arm", "start"),
    ],
)
def test_names_of_common_conventions(names, side, kind, role):
    for name in names.split():
        said = meaning(name)
        assert (said.side, said.kind, said.role) == (side, kind, role), name


def test_names_that_say_nothing():
    assert meaning("Bone.017")[:4] == (None, None, None, None)
    assert meaning("PoleTarget.L").is_other
    assert meaning("Back_Leg_Lower_R").place == "hind"
    assert meaning("LeftForeArm").place is None


def test_fingers_are_part_of_an_arm():
    clip = people.standing(2)
    old = clip.skeleton
    hand = old.index("LeftHand")
    parents = [*old.parents, hand, len(old.parents), hand, len(old.parents) + 2]
    offsets = np.concatenate([old.offsets, [[0.08, 0, 0.02], [0.05, 0, 0]] * 2])
    skeleton = Skeleton(parents, offsets)
    motion = sample(Clip(skeleton, LocalPose([skeleton.rotations]), 30.0))
    chains = find_chains(skeleton.parents, motion)
    assert [chain[0] for chain in chains if hand in chain] == [old.index("LeftArm")]
    assert sorted(chain[0] for chain in chains) == [1, 5, 9, 12, 15]


# --- anything -----------------------------------------------------------------------------

NUMBERS = st.floats(-1e6, 1e6) | st.floats(allow_nan=True, allow_infinity=True)
NAMES = st.sampled_from(
    """Hips LeftUpLeg LeftLeg LeftFoot RightUpLeg RightLeg RightFoot Foot.L UpperLeg.L LowerLeg.L
    LeftArm LeftForeArm LeftHand tail_1 j1 j2 IKFoot.R PoleTarget.L""".split()  # noqa: SIM905
) | st.text(max_size=6)


@st.composite
def clips(draw):
    """Any valid clip: its skeleton is finite, its poses may be anything."""
    count = draw(st.integers(1, 9))
    parents = [draw(st.integers(-1, joint - 1)) for joint in range(count)]
    offsets = draw(hnp.arrays(float, (count, 3), elements=st.floats(-10, 10)))
    names = draw(st.none() | st.lists(NAMES, min_size=count, max_size=count))
    frames = draw(st.integers(1, 12))
    rotations = draw(hnp.arrays(float, (frames, count, 4), elements=NUMBERS))
    if draw(st.booleans()):
        rotations = np.tile([0.0, 0.0, 0.0, 1.0], (frames, count, 1))
    translations = np.tile(offsets, (frames, 1, 1))
    if draw(st.booleans()):
        translations = draw(hnp.arrays(float, (frames, count, 3), elements=NUMBERS))
    skeleton = Skeleton(parents, offsets, names=names)
    pose = LocalPose(rotations, translations)
    fps = draw(st.floats(1e-3, 1e4))
    return Clip(skeleton, pose, fps, up=draw(st.sampled_from("yz")))


@given(clips())
@settings(max_examples=100, deadline=None)
def test_any_clip_has_an_answer(clip):
    limbs = find_limbs(clip)
    count = len(clip.skeleton.parents)
    for limb in (*limbs.legs, *limbs.arms):
        assert len({limb.start, limb.mid, limb.end, limb.toe}) == 4
        assert all(0 <= joint < count for joint in (limb.start, limb.mid, limb.end))
        assert 0.0 <= limb.confidence <= 1.0
    ground = find_ground(clip, limbs=limbs)
    assert np.isfinite(ground.height([0.0, 0.0, 0.0]))
    for spans in find_contacts(clip, limbs).values():
        assert all(0 <= first < last <= len(clip) for first, last in spans)
        assert spans == sorted(spans)


# --- many joints --------------------------------------------------------------------------


def chain_of(count):
    """Return a skeleton that is one chain."""
    return [joint - 1 for joint in range(count)], [[0, 1, 0]] + [[0, -0.1, 0]] * (count - 1)


def legs_of(count):
    """Return a skeleton of legs alone, all from one joint."""
    parents, offsets = [-1], [[0, 1, 0]]
    for leg in range(count // 3):
        first = len(parents)
        parents += [0, first, first + 1]
        offsets += [[np.cos(leg), 0, np.sin(leg)], [0, -0.5, 0.01], [0, -0.5, -0.01]]
    return parents, offsets


def tree_of(count):
    """Return a skeleton of which each joint has two children."""
    parents = [(joint - 1) // 2 for joint in range(count)]
    return parents, [[joint % 2 - 0.5, -1, 0.1 * (joint % 3)] for joint in range(count)]


def seconds(skeleton):
    clip = Clip(skeleton, LocalPose(np.tile(skeleton.rotations, (8, 1, 1))), fps=30)
    before = time.process_time()
    find_limbs(clip)
    return time.process_time() - before


@pytest.mark.sampled(6)
@pytest.mark.parametrize("names", [None, "LeftLeg"])
@pytest.mark.parametrize("make", [chain_of, legs_of, tree_of])
def test_eight_times_as_many_joints_take_no_square_of_the_time(make, names):
    few, many = (
        Skeleton(*made, names=names and [names] * len(made[0])) for made in (make(250), make(2000))
    )
    # 8 if the time is proportional to the joints, 64 if to their square.
    assert seconds(many) < 24.0 * seconds(few)


@pytest.mark.slow
def test_of_very_many_limbs_the_named_and_the_longest_are_found():
    parents, offsets = legs_of(3 * 300)
    for joint in range(1, len(parents), 3):
        offsets[joint + 1] = [0, -0.5 - 1e-4 * joint, 0.01]
    names = [f"bone{joint}" for joint in range(len(parents))]
    names[1:4] = ["LeftUpLeg", "LeftLeg", "LeftFoot"]
    skeleton = Skeleton(parents, offsets, names=names)
    legs = find_limbs(Clip(skeleton, LocalPose([skeleton.rotations] * 9), 30)).legs
    starts = [leg.start for leg in legs]
    longest = range(len(parents) - 3 * (candidates.MOST_LIMBS - 1), len(parents), 3)
    assert set(starts) <= {1, *longest}
    assert 1 in starts
    assert len(starts) >= candidates.MOST_LIMBS - 1  # one may have no partner


def test_a_t_pose_has_level_arms_and_straight_legs():
    clip = load(clip_files.path_of("cmu_bvh/02_01.bvh"))
    limbs = find_limbs(clip)
    at = clip.skeleton.to_global(LocalPose(*(part[[0, 60]] for part in clip.pose))).positions
    assert is_t_pose(at[0], limbs, "y")
    assert not is_t_pose(at[1], limbs, "y")  # it walks
    bent = at[0].copy()
    bent[limbs.arms[0].mid, 2] += 5.0
    assert not is_t_pose(bent, limbs, "y")
    raised = at[0].copy()
    raised[limbs.arms[0].mid, 1] += 4.0
    raised[limbs.arms[0].end, 1] += 8.0
    assert not is_t_pose(raised, limbs, "y")
    left, right = limbs.arms
    same_side = at[0].copy()
    same_side[[right.start, right.mid, right.end]] = at[0][[left.start, left.mid, left.end]]
    assert not is_t_pose(same_side, limbs, "y")
    assert not is_t_pose(np.full_like(at[0], np.nan), limbs, "y")
    assert not is_t_pose(at[0], limbs._replace(arms=()), "y")


def test_legs_alone_have_joints_that_touch_the_ground():
    limbs = find_limbs(people.standing(20))
    assert all(leg.contacts for leg in limbs.legs)
    assert [arm.contacts for arm in limbs.arms] == [(), ()]
