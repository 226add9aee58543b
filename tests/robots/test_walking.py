"""Walks of robots: every foot is reached within limits and stays where it stands."""

import csv

import numpy as np
import pytest

import robot_files
from robot_files import many_tips
from slow import all_but, slow
from twobone import ArrayTypeError, CreatureError, FileError, RobotError, Status, robots, rotations
from twobone.creature import HeightArray, Slope
from twobone.files.robot_walks import write_robot_walk
from twobone.robots import RobotWalk
from twobone.robots.posture import posture_of

MIRRORED = {
    f"{name}_foot": [0.0, 0.6 * side, -1.2 * side]
    for name, side in (("LF", 1), ("RF", -1), ("LH", -1), ("RH", 1))
}
ROBOTS = {  # text of a file, and a rest pose
    "go2": (robot_files.quadruped, [0.0, 0.9, -1.8]),
    "go1": (robot_files.small_quadruped, [0.0, 0.9, -1.8]),
    "anymal": (robot_files.large_quadruped, MIRRORED),
    "hexapod": (robot_files.hexapod, [0.0, -0.3, 0.0]),
}


def feet_of(text, walk):
    """Return the feet in the world, (T, L, 3), by forward kinematics that share no code with us."""
    found = []
    for i, tip in enumerate(walk.feet):
        three = slice(3 * i, 3 * i + 3)
        tips = many_tips(text, tip, walk.joint_names[three], walk.angles[:, three])
        found.append(rotations.rotate(walk.base_rotation, tips) + walk.base_position)
    return np.stack(found, axis=1)


def slide(feet, stance):
    """Return how far a foot moves while it stands, at most."""
    worst = 0.0
    for place, stands in zip(feet.transpose(1, 0, 2), stance.T, strict=True):
        bounds = np.flatnonzero(np.diff(np.concatenate([[0], stands.astype(int), [0]])))
        for start, stop in bounds.reshape(-1, 2):
            away = place[start:stop] - place[start]
            worst = max(worst, float(np.linalg.norm(away, axis=1).max()))
    return worst


def check(text, walk):
    """Check what holds for every walk; return the feet in the world."""
    feet = feet_of(text, walk)
    assert (walk.status == Status.REACHED).all()
    assert walk.within.all()
    assert slide(feet, walk.stance) <= 1e-12
    assert walk.stance.sum(axis=1).min() >= 3
    assert np.abs(np.linalg.norm(walk.base_rotation, axis=1) - 1.0).max() < 1e-15
    for tip, low, high in limits_of(text, walk):
        angles = walk.angles[:, walk.joint_names.index(tip)]
        assert angles.min() >= low - 1e-12
        assert angles.max() <= high + 1e-12
    return feet


def test_feet_do_not_move_on_robots_whose_axes_are_rounded_to_12_digits():
    """Published files write quarter turns so; targets missed by 4e-12 moved the feet."""
    text = robot_files.large_quadruped()
    for side in ("1", "-1"):
        text = text.replace(f'axis xyz="0 {side} 0"', f'axis xyz="5e-12 {side} 3e-12"')
    robot = robots.read_urdf(text)
    assert 1e-12 < robot.leg("LF_foot").skew < 1e-11
    walk = robots.walk(robot, MIRRORED, seconds=3.0, speed=0.1)
    assert slide(check(text, walk), walk.stance) < 2e-15


def limits_of(text, walk):
    robot = robots.read_urdf(text)
    for tip in walk.feet:
        limb = robot.limb(tip)
        yield from ((name, *pair) for name, pair in zip(limb.joint_names, limb.limits, strict=True))


@pytest.mark.parametrize("turn", [0.1, *slow(0.0)])
@pytest.mark.parametrize("name", all_but(ROBOTS, "go2"))
def test_robots_walk(name, turn):
    make, rest = ROBOTS[name]
    text = make()
    robot = robots.read_urdf(text)
    walk = robots.walk(robot, rest, seconds=4.0, turn=turn)
    feet = check(text, walk)
    assert walk.feet == tuple(robot.limbs)
    assert walk.joint_names == tuple(
        name for limb in robot.limbs.values() for name in limb.joint_names
    )
    assert walk.time.tolist() == pytest.approx(np.arange(241) / 60.0)
    assert walk.angles.shape == (241, 3 * len(walk.feet))
    # It walks: every foot steps, forward and to the left.
    assert (np.diff(walk.stance.astype(int), axis=0) == 1).any(axis=0).all()
    moved = feet[-1].mean(axis=0) - feet[0].mean(axis=0)
    assert moved[0] > 0.08
    yaw = 2.0 * np.arctan2(walk.base_rotation[-1, 2], walk.base_rotation[-1, 3])
    assert yaw == pytest.approx(4.0 * turn, abs=0.1)
    assert not turn or moved[1] > 0.01
    # On level ground, at 0, and in the rest pose's height and orientation.
    assert np.abs(feet[..., 2][walk.stance]).max() < 1e-12
    assert feet[..., 2].min() > -1e-12
    stands = [limb.forward_kinematics(rest_of(rest, tip))[2] for tip, limb in robot.limbs.items()]
    assert np.abs(walk.base_position[:, 2] + np.mean(stands)).max() < 0.005
    assert np.abs(walk.base_rotation[:, :2]).max() < 1e-12
    # One branch: angles do not jump.
    assert np.abs(np.diff(walk.angles, axis=0)).max() * 60.0 < 20.0


def rest_of(rest, tip):
    return rest[tip] if isinstance(rest, dict) else rest


@pytest.mark.parametrize("name", ["anymal", *slow("go2", "hexapod")])
def test_the_middle_of_the_base_stays_above_the_feet_that_stand(name):
    make, rest = ROBOTS[name]
    text = make()
    walk = robots.walk(robots.read_urdf(text), rest, seconds=3.0)
    feet = feet_of(text, walk)
    for base, places, stands in zip(walk.base_position, feet, walk.stance, strict=True):
        away = places[stands, :2] - base[:2]
        ways = np.sort(np.arctan2(away[:, 1], away[:, 0]))
        between = np.diff(ways, append=ways[0] + 2.0 * np.pi)
        assert between.max() < np.pi  # from the middle, feet are seen on all sides


def margin_of(text, walk, robot):
    """Return the least distance of the middle of the base to the edges of the feet that stand.

    It is over the length of a leg, negative outside.
    """
    reach = max(sum(robot.leg(tip).bones) for tip in walk.feet)
    angles = np.linspace(0.0, 2.0 * np.pi, 360, endpoint=False)
    ways = np.stack([np.cos(angles), np.sin(angles)])
    found = []
    for base, places, stands in zip(
        walk.base_position, feet_of(text, walk), walk.stance, strict=True
    ):
        found.append(((places[stands, :2] - base[:2]) @ ways).max(axis=0).min())
    return min(found) / reach


@pytest.mark.parametrize(
    ("name", "speed", "turn", "least"),
    [
        ("go2", None, 0.0, 0.08),
        *slow(
            ("go2", -0.04, 0.0, 0.055),
            ("go2", None, 0.2, 0.055),
            ("go2", 0.01, 0.0, 0.08),
            ("go1", None, 0.0, 0.08),
            ("anymal", None, 0.0, 0.11),
            ("hexapod", None, 0.2, 0.35),
        ),
    ],
)
def test_the_base_keeps_a_margin(name, speed, turn, least):
    make, rest = ROBOTS[name]
    robot = robots.read_urdf(make())
    walk = robots.walk(robot, rest, seconds=8.0, fps=30, speed=speed, turn=turn)
    assert margin_of(make(), walk, robot) > least


def test_a_robot_that_shall_be_slow_lifts_its_feet():
    robot = robots.read_urdf(robot_files.quadruped())
    walk = robots.walk(robot, [0.0, 0.9, -1.8], seconds=8.0, fps=30, speed=0.01)
    assert (np.diff(walk.stance.astype(int), axis=0) == 1).any(axis=0).all()
    assert 0.06 < walk.base_position[-1, 0] < 0.12


def test_the_knees_bend_as_at_rest():
    text = robot_files.large_quadruped()
    walk = robots.walk(robots.read_urdf(text), MIRRORED, seconds=3.0)
    for i, tip in enumerate(walk.feet):
        knees = walk.angles[:, 3 * i + 2]
        assert (np.sign(knees) == np.sign(MIRRORED[tip][2])).all()


def test_the_base_starts_at_the_origin_and_rests():
    walk = robots.walk(robots.read_urdf(robot_files.hexapod()), [0.0, -0.3, 0.0], seconds=0.1)
    assert np.abs(walk.base_position[0, :2]).max() < 1e-12
    assert walk.base_rotation[0].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert walk.angles[0].reshape(6, 3) == pytest.approx(
        np.tile([0.0, -0.3, 0.0], (6, 1)), abs=1e-6
    )


@pytest.mark.slow
def test_a_base_that_is_not_in_the_middle_starts_at_the_origin():
    text = robot_files.hexapod()
    moved = text.replace(
        "</robot>", robot_files.joint("up", "start", "base", "0.3 0.2 0.1", kind="fixed")
    )
    moved = f'{moved}<link name="start"/></robot>'
    rest = [0.0, -0.3, 0.0]
    there = robots.walk(robots.read_urdf(moved), rest, seconds=1.5, turn=0.3)
    here = robots.walk(robots.read_urdf(text), rest, seconds=1.5, turn=0.3)
    check(moved, there)
    assert np.abs(there.base_position[0, :2]).max() < 1e-12
    assert np.abs(there.angles - here.angles).max() < 1e-9


@pytest.mark.slow
def test_legs_in_another_order():
    text, robot = robot_files.quadruped(), robots.read_urdf(robot_files.quadruped())
    rest = [0.0, 0.9, -1.8]
    plain = robots.walk(robot, rest, seconds=1.5)
    tips = ("RR_foot", "FL_foot", "FR_foot", "RL_foot")
    other = robots.walk(robot, dict.fromkeys(tips, rest), seconds=1.5)
    assert other.feet == tips
    order = [plain.feet.index(tip) for tip in tips]
    assert (other.stance == plain.stance[:, order]).all()
    for name in plain.joint_names:
        ours, theirs = (each.angles[:, each.joint_names.index(name)] for each in (plain, other))
        assert np.abs(ours - theirs).max() < 1e-12
    names = robot.limb("FL_foot").joint_names
    by_joint = {**dict.fromkeys(tips, rest), "FL_foot": dict(zip(names, rest, strict=True))}
    assert (robots.walk(robot, by_joint, seconds=1.5).angles == other.angles).all()
    check(text, other)


@pytest.mark.parametrize(("forward", "axis"), [("-y", 1), *slow(("x", 0), ("-x", 0), ("y", 1))])
def test_forward(forward, axis):
    text = robot_files.quadruped()
    walk = robots.walk(robots.read_urdf(text), [0.0, 0.9, -1.8], seconds=3.0, forward=forward)
    feet = check(text, walk)
    moved = (feet[-1].mean(axis=0) - feet[0].mean(axis=0)) * (-1.0 if forward[0] == "-" else 1.0)
    assert moved[axis] > 0.05
    assert abs(moved[1 - axis]) < 0.02
    assert walk.base_rotation[0].tolist() == [0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("forward", ["x", "-x", "y", "-y"])
def test_the_left_of_a_robot_is_not_mirrored(forward):
    robot = robots.read_urdf(robot_files.quadruped())
    left, up, ahead = posture_of(robot, [0.0, 0.9, -1.8], forward).frame.axes.T
    assert np.cross(up, ahead).tolist() == left.tolist()
    assert up.tolist() == [0.0, 0.0, 1.0]
    assert ahead["xy".index(forward[-1])] == (-1.0 if forward[0] == "-" else 1.0)


@pytest.mark.slow
def test_speed_is_limited_and_may_be_negative():
    text, rest = robot_files.quadruped(), [0.0, 0.9, -1.8]
    robot = robots.read_urdf(text)
    back = robots.walk(robot, rest, seconds=5.0, speed=-0.03)
    check(text, back)
    assert back.base_position[-1, 0] == pytest.approx(-0.15, abs=0.05)
    fast = robots.walk(robot, rest, seconds=5.0, speed=10.0)
    check(text, fast)
    assert fast.base_position[-1, 0] < 0.5
    assert np.abs(np.diff(fast.angles, axis=0)).max() * 60.0 < 15.0


# --- from the rest pose -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["go2", "hexapod"])
def test_a_lead_in_begins_with_the_rest_pose_and_ends_with_the_walk(name):
    make, rest = ROBOTS[name]
    text = make()
    robot = robots.read_urdf(text)
    plain = robots.walk(robot, rest, seconds=0.5)
    walk = robots.walk(robot, rest, seconds=0.5, lead_in=1.0)
    feet = check(text, walk)
    assert walk.time.tolist() == pytest.approx(np.arange(91) / 60.0)
    assert walk.angles[0] == pytest.approx(np.tile(rest, len(walk.feet)), abs=1e-12)
    assert walk.base_rotation[0].tolist() == [0.0, 0.0, 0.0, 1.0]
    for part, whole in zip(plain, walk, strict=True):
        if np.shape(part)[:1] == (31,) and part is not plain.time:
            np.testing.assert_allclose(whole[60:], part, rtol=0, atol=1e-12)
    assert walk.stance[:60].all()
    assert not walk.blocked.any()
    assert np.abs(feet[:61] - feet[0]).max() < 1e-12
    # Smoothly: it starts and ends at rest, and is fastest in the middle.
    speed = np.linalg.norm(np.diff(walk.base_position[:61], axis=0), axis=1) * 60.0
    assert speed[[0, 59]].max() < 0.01 * speed[30] + 1e-12
    away = np.linalg.norm(plain.base_position[0] - walk.base_position[0])
    assert speed.max() <= 1.9 * away + 1e-12


def test_a_lead_in_on_a_slope_starts_above_the_feet():
    text = robot_files.quadruped()
    robot = robots.read_urdf(text)
    walk = robots.walk(
        robot, [0.0, 0.9, -1.8], seconds=0.1, terrain=Slope(8.0), lead_in=0.5, fps=30.0
    )
    feet = check(text, walk)
    assert len(walk.time) == 15 + 4
    assert np.abs(feet[:16] - feet[0]).max() < 1e-12
    assert np.abs(np.diff(walk.angles, axis=0)).max() < 0.1
    stands = [robot.leg(tip).forward_kinematics([0.0, 0.9, -1.8]) for tip in walk.feet]
    above = feet[0].mean(axis=0) - np.mean(stands, axis=0)
    assert walk.base_position[0] == pytest.approx(above, abs=1e-12)


def test_a_lead_in_brings_the_base_to_the_walk():
    """A hexapod that rests is not quite where its walk on a slope begins."""
    walk = robots.walk(
        robots.read_urdf(robot_files.hexapod()),
        ROBOTS["hexapod"][1],
        seconds=0.1,
        terrain=Slope(8.0),
        lead_in=0.5,
        fps=30.0,
    )
    base = walk.base_position[:16]  # 0.5 s, and the first frame of the walk
    way = base[-1] - base[0]
    assert np.linalg.norm(way) > 1e-3
    done = (base - base[0]) @ way / (way @ way)
    np.testing.assert_allclose(base, base[0] + done[:, None] * way, rtol=0, atol=1e-15)
    assert np.all(np.diff(done) > 0.0)


# --- the ground ---------------------------------------------------------------------------


@pytest.mark.slow
def test_on_rough_ground_feet_stand_on_it():
    def ground(x, y):
        return 0.02 * np.sin(5.0 * x) + 0.03 * np.cos(4.0 * y)

    text = robot_files.quadruped()
    robot = robots.read_urdf(text)
    for forward in ("x", "-y"):
        walk = robots.walk(robot, [0.0, 0.9, -1.8], seconds=2.5, terrain=ground, forward=forward)
        feet = check(text, walk)
        above = feet[..., 2] - ground(feet[..., 0], feet[..., 1])
        assert np.abs(above[walk.stance]).max() < 1e-12
        assert above.min() > -1e-12


@pytest.mark.parametrize("make", [robot_files.quadruped, *slow(robot_files.hexapod)])
def test_spherical_feet_touch_a_slope(make):
    text, radius = make(), 0.02
    rest = ROBOTS["go2" if make is robot_files.quadruped else "hexapod"][1]
    walk = robots.walk(
        robots.read_urdf(text), rest, seconds=3.0, terrain=Slope(10.0), foot_radius=radius
    )
    feet = check(text, walk)
    slope = np.radians(10.0)  # upward along z of the terrain, which is the robot's x
    distance = feet[..., 2] * np.cos(slope) - feet[..., 0] * np.sin(slope)
    assert distance[walk.stance] == pytest.approx(radius, abs=1e-9)
    assert distance.min() > radius - 1e-9


def test_spherical_feet_on_level_ground():
    text = robot_files.quadruped()
    walk = robots.walk(robots.read_urdf(text), [0.0, 0.9, -1.8], seconds=1.0, foot_radius=0.022)
    assert check(text, walk)[..., 2][walk.stance] == pytest.approx(0.022, abs=1e-12)


@pytest.mark.slow
def test_terrains_as_animals_have_them():
    heights = np.zeros((9, 9))
    heights[6:] = 0.03  # farther ahead: rows are along z of the terrain
    text = robot_files.quadruped()
    ground = HeightArray(heights, 0.2, origin=(-0.8, -0.8))
    walk = robots.walk(
        robots.read_urdf(text), [0.0, 0.9, -1.8], seconds=6.0, speed=0.06, terrain=ground
    )
    feet = check(text, walk)
    found = feet[..., 2] - ground.height(feet[..., 1], feet[..., 0])
    assert np.abs(found[walk.stance]).max() < 1e-12
    assert feet[-1, :2, 2].min() > 0.01


# --- what cannot be -----------------------------------------------------------------------


@pytest.mark.slow
def test_steps_get_shorter_within_limits():
    """With the usual steps, the thighs would pass these limits."""
    text = robot_files.quadruped().replace(
        'lower="-1.5708" upper="3.4907"', 'lower="0.65" upper="1.3"'
    )
    walk = robots.walk(robots.read_urdf(text), [0.0, 0.9, -1.8], seconds=4.0)
    check(text, walk)
    assert walk.base_position[-1, 0] > 0.02


@pytest.mark.slow
def test_what_limits_do_not_allow_is_told():
    text = robot_files.quadruped().replace('"-1.0472" upper="1.0472"', '"-0.1" upper="0.1"')
    walk = robots.walk(robots.read_urdf(text), [0.0, 0.9, -1.8], seconds=2.5)
    assert not walk.within.all()
    hips = walk.angles[:, ::3]
    assert ((np.abs(hips) <= 0.1 + 1e-9) == walk.within).all()
    assert (walk.status == Status.REACHED).all()
    assert slide(feet_of(text, walk), walk.stance) <= 1e-12


@pytest.mark.slow
def test_a_walk_that_is_blocked_is_told():
    def wall(x, y):
        return np.where(x > 0.35, 0.5, 0.0 * y)

    text = robot_files.quadruped()
    walk = robots.walk(
        robots.read_urdf(text), [0.0, 0.9, -1.8], seconds=6.0, speed=0.1, terrain=wall, lead_in=0.5
    )
    check(text, walk)
    first = int(np.argmax(walk.blocked))
    assert 90 < first < 300  # it is not blocked before it has not moved for a second
    assert walk.blocked.sum() > 60
    # It steps on the spot: the base sways, but does not go on.
    ahead = walk.base_position[walk.blocked, 0]
    assert np.ptp(ahead) < 0.05
    assert abs(ahead[:120].mean() - ahead[-120:].mean()) < 0.01


@pytest.mark.parametrize(
    ("make", "rest", "options", "error", "words"),
    [
        ("quadruped", [0, 0.2, -0.4], {}, RobotError, "FL_foot: `rest` must be within the limits of"
         " its joints, got -0.4 for FL_calf_joint"),
        ("quadruped", [0, 2.9, -1.0], {}, RobotError, "the feet are below the hips"),
        ("large_quadruped", [0, 0, 0.01], {}, RobotError, "must bend the knee more"),
        ("quadruped", [0, 0.9], {}, RobotError, "must be 3 finite angles"),
        ("quadruped", [0, 0.9, -1.8], {"forward": "z"}, RobotError, "`forward` must be one of x,"),
        ("quadruped", [0, 0.9, -1.8], {"forward": ["x"]}, RobotError, "must be one of x, -x, y"),
        ("quadruped", {"FL_foot": [0, 0.9, -1.8]}, {}, RobotError, "this has 1: FL_foot"),
        ("quadruped", {"FL": [0, 0.9, -1.8]}, {}, RobotError, "`tip` must be a link of the robot"),
        ("desk_arm", [0, 0, 0], {}, RobotError, "at least four; this has 0"),
        ("desk_arm", {"tip": [0] * 5}, {}, RobotError, "tip: a robot walks on legs with three"),
        ("planar", {"foot": [0.2, 0.3]}, {}, RobotError, "foot: a robot walks on legs with three"),
        ("quadruped", [0, 0.9, -1.8], {"foot_radius": -1}, CreatureError, "`foot_radius` must be"),
        ("quadruped", [0, 0.9, -1.8], {"lead_in": -1}, CreatureError, "`lead_in` must be at least"),
        ("quadruped", [0, 0.9, -1.8], {"lead_in": np.nan}, CreatureError, "`lead_in` must be fin"),
        ("quadruped", [0, 0.9, -1.8], {"seconds": 0}, CreatureError, "`seconds` must be positive"),
        ("quadruped", [0, 0.9, -1.8], {"speed": np.nan}, CreatureError, "`speed` must be finite"),
        ("quadruped", [0, 0.9, -1.8], {"terrain": lambda x, y: np.where(x > 0.0, -5.0, 0.0 * y)},
         CreatureError, "`terrain` must let all feet stand where the robot starts"),
        ("quadruped", [0, 0.9, -1.8], {"terrain": "sea"}, CreatureError, "`terrain` must be one"),
        ("quadruped", [0, 0.9, -1.8], {"terrain": Slope}, ArrayTypeError, "the class Slope"),
    ],
)  # fmt: skip
def test_what_is_refused(make, rest, options, error, words):
    robot = robots.read_urdf(getattr(robot_files, make)())
    with pytest.raises(error) as caught:
        robots.walk(robot, rest, **options)
    assert words in str(caught.value)


def test_only_robots_walk():
    with pytest.raises(ArrayTypeError, match="`robot` must be a Robot"):
        robots.walk("go2.urdf", [0.0, 0.9, -1.8])


def test_legs_of_two_bases():
    rear = [f'name="{name}_hip_joint" type="revolute"><parent link=' for name in ("RL", "RR")]
    text = robot_files.quadruped()
    for each in rear:
        text = text.replace(f'{each}"base"', f'{each}"other"')
    free = robot_files.joint("free", "base", "other", "0 0 0", kind="floating")
    text = text.replace("</robot>", f'<link name="other"/>{free}</robot>')
    with pytest.raises(RobotError, match="must have the same base; these have base, other"):
        robots.walk(robots.read_urdf(text), [0.0, 0.9, -1.8])


def test_legs_that_are_exactly_straight():
    text = robot_files.quadruped().replace('upper="-0.83776"', 'upper="0"')
    with pytest.raises(RobotError, match="must bend the knee more"):
        robots.walk(robots.read_urdf(text), [0.0, 0.0, 0.0])


def test_legs_that_share_a_joint():
    toe = robot_files.joint("toe", "FL_calf", "FL_toe", "0.02 0 -0.213", kind="fixed")
    text = robot_files.quadruped().replace("</robot>", f'<link name="FL_toe"/>{toe}</robot>')
    rest = {tip: [0.0, 0.9, -1.8] for tip in ("FL_foot", "FL_toe", "RL_foot", "RR_foot")}
    with pytest.raises(RobotError, match="FL_foot and FL_toe share the joint 'FL_hip_joint'"):
        robots.walk(robots.read_urdf(text), rest)


# --- files --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def go2():
    robot = robots.read_urdf(robot_files.quadruped())
    return robots.walk(robot, [0.0, 0.9, -1.8], seconds=0.5, fps=30)


def test_npz_has_every_field(go2, tmp_path):
    write_robot_walk(tmp_path / "walk.npz", go2)
    with np.load(tmp_path / "walk.npz", allow_pickle=False) as found:
        assert set(found.files) == set(RobotWalk._fields)
        for name, value in go2._asdict().items():
            assert np.array_equal(found[name], np.array(value)), name
    with open(tmp_path / "open", "wb") as file:
        write_robot_walk(file, go2)
    assert (tmp_path / "open").read_bytes()[:2] == b"PK"


def test_csv_has_a_row_for_each_frame(go2, tmp_path):
    write_robot_walk(tmp_path / "walk.csv", go2)
    with open(tmp_path / "walk.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(go2.time)
    for name, column in zip(go2.joint_names, go2.angles.T, strict=True):
        assert [float(row[name]) for row in rows] == column.tolist()
    base = [[float(row[f"base_{axis}"]) for axis in ("x", "y", "z")] for row in rows]
    assert base == go2.base_position.tolist()
    turned = [[float(row[f"base_q{axis}"]) for axis in "xyzw"] for row in rows]
    assert turned == go2.base_rotation.tolist()
    assert [float(row["time"]) for row in rows] == go2.time.tolist()
    stance = [[row[f"{foot}_stance"] == "true" for foot in go2.feet] for row in rows]
    assert stance == go2.stance.tolist()
    assert {(row["status"], row["within"]) for row in rows} == {("REACHED", "true")}
    status, within = go2.status.copy(), go2.within.copy()
    status[3, 2], within[4, 1] = Status.TOO_FAR, False
    write_robot_walk(tmp_path / "walk.csv", go2._replace(status=status, within=within))
    with open(tmp_path / "walk.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [rows[i]["status"] for i in (2, 3, 4)] == ["REACHED", "TOO_FAR", "REACHED"]
    assert [rows[i]["within"] for i in (3, 4, 5)] == ["true", "false", "true"]
    assert {row["blocked"] for row in rows} == {"false"}
    write_robot_walk(tmp_path / "walk.csv", go2._replace(blocked=go2.time > 0.4))
    with open(tmp_path / "walk.csv", newline="") as file:
        told = [row["blocked"] == "true" for row in csv.DictReader(file)]
    assert told == (go2.time > 0.4).tolist()


def test_files_that_cannot_be_written(go2, tmp_path):
    with pytest.raises(FileError, match=r"a name that ends in \.npz or \.csv"):
        write_robot_walk(tmp_path / "walk.txt", go2)
    with pytest.raises(ArrayTypeError, match="`walk` must be a RobotWalk"):
        write_robot_walk(tmp_path / "walk.npz", tuple(go2))
    with pytest.raises(ArrayTypeError, match="a path or an open binary file"):
        write_robot_walk(3, go2)
    assert not list(tmp_path.iterdir())
