"""The ground of a clip: heights and normals in its axes, and where feet rest."""

import numpy as np
import pytest

import clip_files
import people
from twobone import LocalPose
from twobone.creature import Flat, Slope
from twobone.errors import ShapeError
from twobone.motion import find_contacts, find_ground
from twobone.motion.ground import gap_below_feet
from twobone.motion.limbs import Limbs


def test_level_ground_is_found_below_the_feet():
    clip = people.standing(20)
    ground = find_ground(clip)
    assert ground.height([3.0, 1.0, 4.0]) == pytest.approx(0.03)
    rests = {clip.skeleton.names[joint]: rest for joint, rest in ground.rests.items()}
    assert rests == pytest.approx(
        {"LeftFoot": 0.06, "LeftToeBase": 0.0, "RightFoot": 0.06, "RightToeBase": 0.0}
    )


def test_single_frames_with_feet_in_the_ground_do_not_move_it():
    clip = people.standing(300)
    moved = clip.pose.translations.copy()
    moved[[50, 51], 0, 1] -= 0.5
    assert find_ground(clip.with_pose(LocalPose(clip.pose.rotations, moved))).height(
        [0, 0, 0]
    ) == pytest.approx(0.03)


def test_a_foot_that_is_never_down_rests_as_the_other():
    clip = people.standing(20, right_hip=-60.0)
    rests = find_ground(clip).rests
    index = clip.skeleton.index
    assert rests[index("RightFoot")] == rests[index("LeftFoot")]


def test_the_ground_of_cmu_is_where_its_tips_are():
    for name in ("01_01", "02_01", "02_04", "09_01"):
        clip = clip_files.cmu(name, 4)
        height = find_ground(clip).height([0.0, 0.0, 0.0]) * clip.metres
        assert -0.02 < height < 0.08


def test_functions_get_the_level_axes_and_give_heights_and_normals():
    points = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    clip = people.standing(2)
    ground = find_ground(clip, lambda x, z: 0.5 * x + 0.1 * z)
    assert ground.height(points) == pytest.approx([0.8, 0.0])
    assert ground.clearance(points) == pytest.approx([1.2, 0.0])
    normal = np.array([-0.5, 1.0, -0.1]) / np.sqrt(1.26)
    assert ground.normal(points) == pytest.approx(np.array([normal, normal]))
    clip.up = "z"
    ground = find_ground(clip, lambda x, y: 0.5 * x + 0.1 * y)
    assert ground.height(points) == pytest.approx([0.7, 0.0])
    assert ground.clearance(points) == pytest.approx([2.3, 0.0])
    assert ground.normal(points)[0] == pytest.approx(normal[[0, 2, 1]])


def test_a_terrain_is_taken_as_it_is():
    clip = people.standing(2)
    slope = Slope(10.0)
    assert find_ground(clip, slope).terrain is slope
    assert isinstance(find_ground(clip, 0.5).terrain, Flat)
    found = find_ground(clip)
    assert find_ground(clip, found) is found


def test_points_that_are_not_finite_have_no_height():
    ground = find_ground(people.standing(2), lambda x, z: 0.0 * x)
    heights = ground.height([[np.nan, 0.0, 0.0], [np.inf, 0.0, 0.0], [1.0, np.nan, 0.0]])
    assert np.isnan(heights).tolist() == [True, True, False]


def test_points_of_another_shape_are_refused():
    with pytest.raises(ShapeError, match=r"`points` must have shape \(\.\.\., 3\), got \(2,\)"):
        find_ground(people.standing(2)).height([0.0, 0.0])


def test_a_ground_that_was_found_is_ground_again_and_shows_what_it_is():
    clip = people.standing(20)
    found = find_ground(clip)
    again = find_ground(clip, ground=found)
    assert (repr(again), again.rests) == (repr(found), found.rests)
    assert repr(found) == f"ClipGround({found.terrain!r}, 'y')"
    assert find_contacts(clip, ground=found) == find_contacts(clip)


def test_without_legs_there_is_no_gap():
    clip = people.standing(20)
    assert gap_below_feet(clip, 0.5, Limbs((), ())) == 0.0
