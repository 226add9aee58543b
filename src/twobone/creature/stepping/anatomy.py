"""What an animal is made of: numbers only. `zoo` has the animals.

Lengths are metres, angles radians, phases cycles. "Of the hip" means over `Anatomy.hip`, the height
of a standing animal's hips.
"""

from __future__ import annotations

from typing import NamedTuple


class Leg(NamedTuple):
    """A leg of two bones and a third segment, on which it stands."""

    station: int  # of the trunk that bears it, counted from the rear
    side: float  # 1 left, -1 right
    aside: float  # of the hip, from the station, to the left
    up: float  # of the hip, above the line of the trunk
    foot_aside: float  # of the foot at rest, from the station
    foot_ahead: float  # of the foot at rest, ahead of the station
    upper: float  # length of the first bone
    lower: float  # of the second
    third: float  # of the segment between ankle and foot, 0 for none
    pole_aside: float  # where the knee points, in the space of the trunk; a unit vector
    pole_up: float  # the same, up
    pole_ahead: float  # the same, ahead
    rest: float  # angle of the third segment above the ground when standing
    peel: float  # by which it has risen when the foot lifts
    curl: float  # by which it folds more in the middle of a swing
    land: float  # by which it is stretched forward when the foot lands
    radial: bool  # it lies away from the body (a tarsus) and not forward
    share: float  # of the weight that it bears, in any unit
    follows: float  # derived by `zoo`: how far its station rises with the ground under its foot
    heel: float = 0.0  # how far behind the foot its heel is, on which it lands; 0: it has none
    locks: float = 0.0  # share by which its third segment continues the second bone in a stance
    still: float = 0.0  # share by which its first bone keeps its direction, as a bird's thigh
    ankle_aside: float = 0.0  # derived by `zoo`: way from hip to ankle at rest, a unit vector
    ankle_up: float = -1.0  # the same, up
    ankle_ahead: float = 0.0  # the same, ahead


class Gait(NamedTuple):
    """The order and timing of steps over a range of speeds.

    Speeds are over sqrt(g hip), the square root of Froude's number.
    """

    low: float  # slower than this, the gait before is taken
    high: float  # faster than this, the next
    duty_low: float  # fraction of a cycle that a foot stands, at `low`
    duty_high: float  # at `high`
    offsets_low: tuple[float, ...]  # when each leg lands, at `low`
    offsets_high: tuple[float, ...]  # at `high`; in between they change in proportion
    vault: float  # force of a leg over a stance: 0 has one hump (a bounce), 1/3 two (a walk)
    flex: float  # radians by which the back bends, per hip height by which hind feet are ahead
    lift: float  # height of a swing, over `Anatomy.lift`
    rise: float  # of the hip: how much higher the body is than in a stand
    over: float = 0.5  # share of a stance after which the body is over the foot
    kick: float = 0.0  # of the hip: how much higher feet fly early in a swing, behind the body
    lean: float = 0.0  # radians by which the trunk leans forward


class Manner(NamedTuple):
    """How much the body moves along with the legs: choices of taste, 1 is what forces give."""

    heave: float  # up and down
    pitch: float  # nose up and down
    roll: float  # from side to side
    sway: float  # to the side of the feet that stand
    pelvis_yaw: float  # radians per hip height between left and right foot
    shoulder_yaw: float  # the same of the fore feet
    drop: float  # radians by which a girdle sinks on the side in the air
    lean: float  # radians of pitch per g of acceleration, also that of a push
    bank: float  # radians of roll per g of acceleration to the side, as in a curve
    look: float  # seconds ahead that the head looks into a curve
    wag: float  # yaw of the tail over that of the pelvis
    breath: float  # of the hip: how much the trunk sinks as it breathes out
    breathes: float  # breaths per second at rest
    shift: float  # of the hip: how far the weight shifts from side to side at rest
    fidgets: float  # small steps per second at rest
    ripple: float = 0.0  # of the hip: how far each station moves towards its foot that stands
    whip: float = 0.0  # radians by which the tail stays behind, per hip height up or down
    streams: float = 0.0  # radians up at the tail's end, in a run


class Link(NamedTuple):
    """A part that hangs on the front station or on another link: of a neck, an arm, an ear.

    It follows what bears it as a damped spring, with goals of its own.
    """

    node: str  # what it is in an appearance: "head", "arm_left"; see `appearance.NODES`
    parent: int  # the link that bears it, one before it; -1: the front station
    twist: float  # share of the yaw of its bearer: 1 turns as it does, -1 against it
    tip: float  # share of the pitch and roll of its bearer
    look: float  # share of the look into a curve
    leg: int  # whose steps swing it; -1: none
    swing: float  # radians up at its front, per hip height by which that foot is ahead
    run: float  # radians up at its front, in a run
    quick: float  # radians per second, at which it swings freely; 0: it follows at once
    nod: float = 0.0  # radians down at its front after a fore foot has landed, in a walk
    pump: float = 0.0  # how many times more its leg swings it in a run
    glance: float = 0.0  # radians to either side that it turns, from time to time, at rest
    holds: float = 0.0  # radians back per hip height gone, to hold its end still, in a walk
    bobs: float = 0.0  # radians up at its front per speed of its bearer, up, over sqrt(g hip)
    trails: float = 0.0  # radians per g by which its lower end stays behind; below 0 its upper end


class Anatomy(NamedTuple):
    """An animal."""

    name: str  # used in reports
    height: float  # of the trunk's line when it stands
    along: tuple[float, ...]  # z of each station of the trunk, from the rear
    bend: float  # most yaw between two stations
    limp: float  # 0: the trunk is straight; 1: each station is over its own feet
    tilt: float  # share of the ground's slope that it takes
    bank: float  # share of the ground's sideways slope
    belly: float  # how deep the trunk is below its line
    half: float  # half its width; 0: it is so narrow that its middle is enough
    legs: tuple[Leg, ...]  # in pairs, left before right, see `pair`
    gaits: tuple[Gait, ...]  # from the slowest to the fastest
    stride: float  # c of a cycle's length c hip Fr^(1/4) (Alexander and Jayes 1983)
    lift: float  # of the hip: height of a swing
    quick: float  # seconds in which it goes two thirds of the way to an ordered velocity
    strong: float  # most acceleration, in g
    waits: bool  # a leg lifts only while its neighbours stand
    steady: bool  # the body stays over the feet that stand
    balance: float  # share by which it follows their middle
    lead: float  # cycles before a foot lifts, and after it landed, in which it bears less
    straight: float  # most of the reach of two bones that a standing leg uses
    least: float  # least of it, where the third segment gives way
    sideways: bool  # led somewhere, it walks there with one of its sides ahead
    wide: float  # least distance of a foot from the middle, over that at rest
    manner: Manner  # how its body moves along
    links: tuple[Link, ...]  # on the front station, each after the one that bears it
    tail: int  # links
    # Derived by `zoo` from the fields above.
    hip: float  # height of the hips
    middle: float  # mean of `along`
    span: float  # from the rear station to the front one
    fan: float  # how many times as far apart as its stations their feet are, along the trunk
    highest: float  # height of its line over its feet, when all legs are straight
    travel: float  # how far the body goes in the longest stance
    across: float  # the same sideways
    reach: float  # length of the longest leg
    slowest: float  # least cycles per second; slower ones look like slow motion
    fastest: float  # most cycles per second: those of the highest speed of its last gait
    top_speed: float  # the highest speed that gaits and stances allow
