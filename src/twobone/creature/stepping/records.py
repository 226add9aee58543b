"""What changes while an animal walks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from twobone.core.transcendental import Turn
from twobone.creature.stepping.numbers import Above, Damped, Point


class Order(NamedTuple):
    """What is asked for: velocity to the left and forward, metres per second, and yaw rate."""

    aside: float = 0.0
    ahead: float = 0.0
    turn: float = 0.0


@dataclass(slots=True)
class Station:
    """A place of the trunk that bears legs."""

    yaw: float
    facing: Turn  # of the yaw
    fastest: float  # metres per second: how fast the legs that stand let it rise
    x: float = 0.0
    z: float = 0.0
    ux: float = 0.0  # velocity
    uz: float = 0.0
    spin: float = 0.0  # yaw rate
    level: Damped = field(default_factory=Damped)  # height of the ground under its feet
    goal: float = 0.0  # to which its level moves
    sinks: float = 0.0  # acceleration of its level, down
    shift: Damped = field(default_factory=Damped)  # of its height, for belly and legs
    under: float = 0.0  # least height with which its belly is not in the ground
    floor: float = 0.0  # the same with a clearance, also for what comes
    free: float = 1.0  # share of its velocity with which it comes to no ground that is too high
    swing: Damped = field(default_factory=Damped)  # yaw of the girdle, from the legs
    drop: Damped = field(default_factory=Damped)  # roll of the girdle


@dataclass(slots=True)
class Course:
    """A way of one coordinate of least jerk, from place, velocity and acceleration to a goal.

    It comes to rest there, with another acceleration. Time is the part of the swing, 0 to 1.
    """

    start: float = 0.0
    place: float = 0.0
    velocity: float = 0.0
    acceleration: float = 0.0
    brake: float = 0.0  # its acceleration at the goal


class Lie(NamedTuple):
    """How the ground lies under a foot."""

    pitch: float = 0.0  # up at its toes
    roll: float = 0.0  # up at its left side


@dataclass(slots=True)
class Step:
    """A leg: where it is in its cycle, its foot, and the plan of its swing."""

    phase: float  # cycles since it should have landed, 0 to 1
    offset: Damped  # phase of the animal at which it should land
    facing: float  # yaw of the foot
    toes: Turn  # of that
    foot: Point = field(default_factory=Point)
    goal: Point = field(default_factory=Point)  # where it lands
    stood: Point = field(default_factory=Point)  # where it stood before
    hip: Point = field(default_factory=Point)  # at the end of the last step of time
    down: bool = True  # it stands
    since: float = 1.0  # cycles since it landed
    stray: float = 0.0  # how far from rest the foot would be; a lot without ground under it
    # Of its swing.
    gate: float = 1.0  # phase at which it lifted
    part: float = 0.0  # what is over of it, 0 to 1
    x: Course = field(default_factory=Course)
    y: Course = field(default_factory=Course)
    z: Course = field(default_factory=Course)
    base: float = 0.0  # height of the foot without the arc
    # Of its height over that: a stride, what earlier plans left, and what the last plan added.
    low: float = 0.0
    over: Course = field(default_factory=Course)
    high: float = 0.0
    # Of its foothold.
    want: Above = field(default_factory=Above)  # that of the plan before it looked at the ground
    lost: bool = False  # there was none, and it steps where it stood
    cost: float = 0.0  # 0 to 2: what it costs more than a good one
    under: float = 0.0  # height of the ground there
    least_hip: float = 0.0  # height of the hip with which the leg is not in the ground there
    slope: float = 0.0  # angle of the ground under the third segment, where it stands or will
    slope_before: float = 0.0  # where it stood before
    lie: Lie = field(default_factory=Lie)  # of its sole, where it stands or will
    lie_before: Lie = field(default_factory=Lie)  # where it stood before
    # Of its bones.
    angle: Damped = field(default_factory=Damped)  # of the third segment over the ground, if free
    hold: Damped = field(default_factory=Damped)  # how much the bones above decide its angle
    splay: Damped = field(default_factory=Damped)  # by which its plane turns for its knee


@dataclass(slots=True)
class Hanging:
    """How a link hangs, over a trunk that is level and straight."""

    yaw: Damped = field(default_factory=Damped)
    pitch: Damped = field(default_factory=Damped)
    roll: Damped = field(default_factory=Damped)


@dataclass(slots=True)
class Walk:
    """An animal on its way."""

    x: float  # of the trunk's middle
    z: float
    yaw: float
    duty: Damped
    vault: Damped  # as those of a gait
    flex: Damped
    stations: list[Station]
    steps: list[Step]
    links: list[Hanging]
    tail_yaw: list[Damped]
    tail_pitch: list[Damped]
    # What it shall do, and does.
    asked: Order = field(default_factory=Order)  # to which the next three go
    aside: Damped = field(default_factory=Damped)  # velocity in its own space, and its rate
    ahead: Damped = field(default_factory=Damped)
    turn: Damped = field(default_factory=Damped)
    # The first two, damped: their rates are the acceleration of the body.
    felt_aside: Damped = field(default_factory=Damped)
    felt_ahead: Damped = field(default_factory=Damped)
    stops: bool = True  # it shall come to rest
    moving: bool = False  # it goes, or shall go
    calm: float = 1.0  # share of the order that it follows, less on bad ground
    slow: float = 1.0  # share of the velocity that its legs allow
    lets: float = 1.0  # the same, of the reach of legs alone
    delay: float = 0.0  # seconds since it last did a third of what is asked for
    # Its gait, and the clock of its steps.
    gait: int = 0  # index
    blend: float = 0.0  # place in the gait's range of speeds, 0 to 1
    phase: float = 0.0  # of the cycle, 0 to 1
    rate: float = 0.0  # cycles per second; 0: it stands
    beat: Damped = field(default_factory=Damped)  # without jumps, for the forces of the feet
    vigour: Damped = field(default_factory=Damped)  # 0 standing to 1: scales what the body does
    # Its body.
    roll: Damped = field(default_factory=Damped)  # of the ground under the feet
    back: Damped = field(default_factory=Damped)  # bend of the back
    lean: Damped = field(default_factory=Damped)  # pitch forward, of the gait
    bank: Damped = field(default_factory=Damped)  # roll in a curve
    rise: Damped = field(default_factory=Damped)  # height of the gait
    balance_x: Damped = field(default_factory=Damped)  # of the body over the feet that stand
    balance_z: Damped = field(default_factory=Damped)
    look: Damped = field(default_factory=Damped)  # yaw of the head, into a curve
    front_high: Damped = field(default_factory=Damped)  # height of the front station
    tail_high: Damped = field(default_factory=Damped)  # of its end, which follows the pelvis
    breath: float = 0.0  # breaths that it has taken
    idle: float = 0.0  # share of the time until the next small step
    fidgets: int = 0  # small steps that it has begun
    fidget: int = -1  # the leg that shall make one; -1: none


@dataclass(slots=True)
class Frame:
    """A station of the trunk in space."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0
    pitch: float = 0.0  # nose up
    roll: float = 0.0  # left side up


@dataclass(slots=True)
class Stand:
    """A leg of a pose, before its joints are computed."""

    hip: Point = field(default_factory=Point)
    foot: Point = field(default_factory=Point)
    angle: float = 0.0  # of the third segment
    facing: float = 0.0
    pitch: float = 0.0  # of the sole: up at its toes
    roll: float = 0.0  # up at its left side
    splay: float = 0.0  # angle by which the knee turns about the way to the ankle
    gives: float = 0.0  # 0 to 1: how early a foot in the air gives way that its leg cannot reach
    down: bool = True


class Angles(NamedTuple):
    """A rotation: left side up, then nose up, then to the left."""

    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0


@dataclass(slots=True)
class Pose:
    """An animal at one moment."""

    frames: list[Frame]
    stands: list[Stand]
    links: list[Angles]  # in the space of the front station
    tail_yaw: list[float]  # of each link, in the space of the rear station
    tail_pitch: list[float]


@dataclass(slots=True)
class Sums:
    """What the legs do to the trunk."""

    ahead: list[float]  # of each leg: how far ahead of its place at rest its foot is, of the hip
    fore: list[float]  # the mean of those of each station
    apart: list[float]  # by which the left foot is ahead of the right
    air: list[float]  # load of the right side over the left
    heave: float = 0.0  # up, metres
    pitch: float = 0.0  # nose up, radians
    roll: float = 0.0  # left side up
    sway: float = 0.0  # to the left, metres


class Motion(NamedTuple):
    """Where a trunk is, and how it moves over the ground."""

    x: float
    z: float
    heading: float
    aside: float  # velocity in its own space
    ahead: float
    turn: float
    front_x: float  # of its front station
    front_z: float
    front_heading: float


@dataclass(slots=True)
class Journey:
    """A walk, and its poses and motions before and after the last step."""

    walk: Walk
    poses: list[Pose]
    motions: list[Motion]
    last: int  # which of the two is the later
    after: float  # seconds from the earlier pose to the time to which it has walked
