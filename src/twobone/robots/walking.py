"""Walking: a robot walks as an animal with its measures does, and its legs are solved exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from twobone import rotations
from twobone.core.array_types import NDArray
from twobone.core.exact import FLOAT64
from twobone.core.policies import Status
from twobone.creature import crowd, journey
from twobone.creature.animals import Animal
from twobone.creature.journey import TerrainName
from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.records import Order
from twobone.creature.stepping.standing import TOO_FAR, TOO_NEAR
from twobone.errors import ArrayTypeError, CreatureError
from twobone.files.robot_walks import RobotWalk
from twobone.robots.closed_form import SLACK
from twobone.robots.limb import Leg, Rest
from twobone.robots.posture import Frame, Posture, posture_of, with_steps
from twobone.robots.robot import Robot
from twobone.terrain import arguments
from twobone.terrain.ground import Flat, Ground, HeightFunction, Terrain

ROUNDED = 1e-15  # of the trunk: places of the base that are nearer to each other are the same
USUAL = 0.6  # of full speed: the default
STEPS = (1.0, 0.8, 0.6, 0.45, 0.3)  # of the usual step: tried until all angles are within limits
Poses: TypeAlias = Rest | Mapping[str, Rest]


def walk(
    robot: Robot,
    rest: Poses,
    *,
    seconds: float = journey.SECONDS,
    fps: float = 60.0,
    speed: float | None = None,
    turn: float = 0.0,
    terrain: TerrainName | Ground = "flat",
    foot_radius: float = 0.0,
    forward: str = "x",
    lead_in: float = 0.0,
) -> RobotWalk:
    """Let a robot walk, and return the angles of its joints.

    Four legs crawl, one at a time, so that three feet or more are always on the ground; six or more
    walk in waves. The walk is the one of an animal with the same measures and a stiff trunk, and is
    statically stable: the middle of the feet at rest stays above the feet on the ground.

    Parameters
    ----------
    robot : Robot
    rest : three numbers, or mapping from tips to such
        The angles in which the robot stands, in radians: those of each leg, if they are the same
        for all legs with three joints, or `{tip: angles}` for the legs to walk on. They determine
        where the feet stand, how high the base is, and to which side the knees bend.
    seconds, fps : number
        The length of the walk, and frames per second.
    speed : number, optional
        Metres per second, forward; negative is backward. It is limited to full speed, of which
        three fifths are the default.
    turn : number
        Radians per second, to the left.
    terrain : number, str or terrain
        The ground, as for `creature.walk`, at first below the origin of the base: its z is forward
        and its x to the left. But a function is one of the world's x and y.
    foot_radius : number
        The radius of spherical feet, whose middle the tips are, in metres.
    forward : {"x", "-x", "y", "-y"}
        The axis of the base that points forward; z is up.
    lead_in : number
        Seconds in which the base moves from the rest pose to the first pose of the walk, before the
        walk begins: smoothly, while all feet stand. On level ground the angles are those of `rest`
        at first; on other ground, the base is at first above the feet as it is at rest.

    Returns
    -------
    RobotWalk

    Raises
    ------
    RobotError
        If the robot does not have an even number of legs, at least four, if legs share a joint, or
        `rest` is not a pose in which it can stand.
    CreatureError, ShapeError, ArrayTypeError
        If another argument is invalid; the message names it.

    Notes
    -----
    If a foot cannot be reached within the limits of the joints, the walk is repeated with shorter
    and lower steps, and less speed. Should that not be enough, `status` and `within` tell which
    feet are concerned. `blocked` tells when the robot could not go on, for instance because the
    ground ahead is too high for it: it steps on the spot then.

    Masses, torques and collisions are not considered: the middle of the feet at rest should be
    below the centre of mass.

    Examples
    --------
    >>> from twobone import robots
    >>> robot = robots.read_urdf("go2.urdf")  # doctest: +SKIP
    >>> walk = robots.walk(robot, [0.0, 0.9, -1.8], speed=0.05)  # doctest: +SKIP
    >>> walk.angles.shape  # doctest: +SKIP
    (601, 12)
    """
    if not isinstance(robot, Robot):
        raise ArrayTypeError("robot", "a Robot, as `read_urdf` returns it", arguments.shown(robot))
    radius = arguments.at_least_0("foot_radius", foot_radius)
    fps = arguments.positive("fps", fps)
    seconds = arguments.positive("seconds", seconds)
    frames = arguments.frames("seconds", seconds, fps)
    speed = None if speed is None else arguments.number("speed", speed)
    turn = arguments.number("turn", turn)
    lead = arguments.frames("lead_in", arguments.at_least_0("lead_in", lead_in), fps)
    posture = posture_of(robot, rest, forward)
    ground = _ground(terrain, posture, radius)
    best, fewest = None, None
    for fraction in STEPS:
        anatomy = with_steps(posture.anatomy, fraction)
        ahead = USUAL * anatomy.top_speed if speed is None else speed
        course = _course(anatomy, ground, frames, 1.0 / fps, Order(0.0, ahead, turn))
        found = _solved(posture, course, lead)
        bad = np.count_nonzero((found.status != Status.REACHED) | ~found.within)
        if fewest is None or bad < fewest:
            best, fewest = found, bad
        if not bad:
            break
    assert best is not None
    return best


# --- the ground ---------------------------------------------------------------------------


def _ground(terrain: Any, posture, radius) -> Terrain:
    """Return the ground on which the middles of the feet are, in the axes of the animal."""
    axes, origin = posture.frame
    own = terrain
    if callable(terrain) and not hasattr(terrain, "height") and not isinstance(terrain, type):
        along_x, along_y = axes[:2, [0, 2]]
        function: Any = terrain
        own = HeightFunction(lambda x, z: function(_sum(along_x, x, z), _sum(along_y, x, z)))
    ground = journey.make_terrain(own, Animal(posture.anatomy))
    if isinstance(ground, Flat):
        return Flat(ground.level + radius)
    x, _, z = (origin * [1.0, 1.0, 0.0]) @ axes
    if radius == 0.0 and max(abs(x), abs(z)) <= ROUNDED * np.abs(posture.anatomy.along).max():
        return ground

    def raised(left, ahead):
        """Return the height of a sphere's middle: exact on slopes."""
        place = left + x, ahead + z
        height = ground.height(*place)
        return height + radius / ground.normal(*place)[..., 1] if radius else height

    return HeightFunction(raised)


def _sum(weights, x, z):
    """Return one of the world's coordinates, for places in the axes of the animal."""
    return weights[0] * x + weights[1] * z


# --- the walk -----------------------------------------------------------------------------


class Course(NamedTuple):
    """Where the trunk and the feet of an animal with L legs are, in T frames."""

    dt: float  # seconds between frames
    position: NDArray[np.float64]  # (T, 3), of the origin of the body's space
    rotation: NDArray[np.float64]  # (T, 4), quaternions xyzw
    feet: NDArray[np.float64]  # (T, L, 3)
    stance: NDArray[np.bool]  # (T, L), whether each foot is on the ground
    blocked: NDArray[np.bool]  # (T), whether it is kept from going on


def _course(anatomy: Anatomy, ground: Terrain, frames: int, dt: float, order: Order) -> Course:
    """Return how an animal walks for some frames; raise if it cannot stand where it starts."""
    walker = crowd.crowd_of(anatomy, ground, np.zeros((1, 3)))
    if walker.misfits()[0] in (TOO_FAR, TOO_NEAR):  # collisions are not considered
        raise CreatureError("terrain", "let all feet stand where the robot starts", repr(ground))
    found, blocked = [walker.shapes()], [walker.blocked()]
    for _ in range(frames):
        walker.travel(dt, np.array([order]))
        found.append(walker.shapes())
        blocked.append(walker.blocked())
    shapes = crowd.Shapes(*map(np.concatenate, zip(*found, strict=True)))
    rotation = shapes.station_rotations[:, 0]  # of a stiff trunk
    middle = rotations.rotate(rotation, [0.0, 0.0, anatomy.middle])
    position = shapes.stations.mean(axis=1) - middle
    return Course(dt, position, rotation, shapes.feet, shapes.stance, np.concatenate(blocked))


# --- the angles ---------------------------------------------------------------------------


def _solved(posture: Posture, course: Course, lead: int) -> RobotWalk:
    """Return the walk of a robot, from that of its animal, after a lead-in of some frames."""
    order = np.argsort(posture.order)
    position, rotation, shift = _base(posture.frame, course)
    feet = course.feet[:, order] @ posture.frame.axes.T + shift
    before = _lead_in(posture, lead, position[0], rotation[0], feet[0])
    after: Any = position, rotation, feet, course.stance[:, order], course.blocked
    joined: Any = (np.concatenate(pair) for pair in zip(before, after, strict=True))
    position, rotation, feet, stance, blocked = joined
    targets = rotations.rotate(rotations.inverse(rotation)[:, None], feet - position[:, None])
    found = [_angles(leg, targets[:, i]) for i, leg in enumerate(posture.legs)]
    angles, status, within = zip(*found, strict=True)
    return RobotWalk(
        time=course.dt * np.arange(len(position), dtype=np.float64),
        joint_names=tuple(name for leg in posture.legs for name in leg.joint_names),
        angles=np.concatenate(angles, axis=1),
        base_position=position,
        base_rotation=rotation,
        feet=tuple(leg.tip for leg in posture.legs),
        stance=stance,
        status=np.stack(status, axis=1),
        within=np.stack(within, axis=1),
        blocked=blocked,
    )


def _lead_in(posture: Posture, count: int, position, rotation, feet):
    """Return the base from the rest pose to its first position and rotation; all feet stand.

    The result is position, rotation, feet, stance and blocked, for some frames before the walk.
    """
    stands = [leg.forward_kinematics(leg.rest) for leg in posture.legs]
    start = feet.mean(axis=0) - np.mean(stands, axis=0)
    t = np.arange(count)[:, None] / max(count, 1)
    done = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)  # begins and ends at rest
    stance = np.ones((count, len(feet)), np.bool)
    return (
        start + done * (position - start),
        rotations.slerp([0.0, 0.0, 0.0, 1.0], np.tile(rotation, (count, 1)), done[:, 0]),
        np.tile(feet, (count, 1, 1)),
        stance,
        np.zeros(count, np.bool),
    )


def _base(frame: Frame, course: Course):
    """Return position and rotation of the base, and the world's origin from the animal's."""
    axes, origin = frame
    rotation = np.concatenate([course.rotation[:, :3] @ axes.T, course.rotation[:, 3:]], axis=1)
    shift = origin * [1.0, 1.0, 0.0]  # the animal's origin is below the middle of its feet
    position = course.position @ axes.T + shift
    return position - rotations.rotate(rotation, origin), rotation, shift


def _angles(leg: Leg, targets):
    """Return the angles of a leg with which its tip is at targets (T, 3), status and within.

    The branch is that of the rest pose in all frames, and angles do not jump by whole turns.
    """
    found = leg._all_exactly(targets)  # feet on the ground must not move
    angles = np.unwrap(np.concatenate([leg.rest[None], found.angles[:, 0]]), axis=0)[1:]
    low, high = leg.limits.T
    slack = SLACK * FLOAT64.eps
    within = ((angles >= low - slack) & (angles <= high + slack)).all(axis=1)
    return angles, found.status[:, 0], within
