"""Standing walkers: put animals on all their feet where the ground has room for them."""

from __future__ import annotations

import numpy as np

from twobone.creature import footing
from twobone.creature.anatomy import Anatomy
from twobone.creature.animals import Animal
from twobone.creature.carriage import settle_body, slack_of, sway_goal
from twobone.creature.following import at_rest
from twobone.creature.footing import HipsAhead, SwingLegs
from twobone.creature.governor import Slack
from twobone.creature.knees import settle_knees
from twobone.creature.liveliness import calm
from twobone.creature.posture import bent, pose_over
from twobone.creature.restraint import ABOVE, buried, push_up, touches
from twobone.creature.state import (
    Course,
    Cycle,
    Delay,
    Feet,
    Footholds,
    Limits,
    State,
    Suspension,
)
from twobone.errors import CreatureError
from twobone.terrain.ground import Terrain

CREST = 0.6  # of the leg's length: how far bodies are raised over crests
# The limits of a body's height follow from its pose, and the bend of a trunk from both.
ROUNDS = 3  # in which a body finds its place
BEYOND = 0.01  # of the leg's length: how far legs may be beyond their limits


def stand(
    animal: Animal, anatomy: Anatomy, terrain: Terrain, place, heading, cycle: Cycle
) -> State:
    """Return walkers that stand still at places (N, 2), in a phase of the gait cycle.

    Their feet are on the nominal footholds or, if these cannot be reached, near them. Raise a
    CreatureError if a walker cannot stand there.
    """
    at = footing.from_above(np.array(place, np.float64, order="C"))
    course = Course.at(at, np.array(heading, np.float64), np.zeros((len(at), 3)))
    nominal = anatomy.footholds_at(course.place, course.facing)
    points = footing.on_ground(terrain, nominal)
    state = _on(animal, anatomy, terrain, course, cycle, points)
    short = np.minimum.reduce(state.slack.least, 1) < 0.0
    if short.any():
        points = _reachable(state, short)
        state = _on(animal, anatomy, terrain, course, cycle, points)
    deep = _unfit(state) | touches(state)
    if deep.any():
        points = _nearer(state, deep)
        state = _on(animal, anatomy, terrain, course, cycle, points)
        push_up(state, deep & touches(state), np.inf)
    wanted = "be where the ground leaves room for its knees and body"
    _refuse(state, _unfit(state) | buried(state), wanted, lambda who: _why_unfit(state.slack, who))
    return state


def _on(animal, anatomy, terrain, course, cycle, points):
    """Return walkers whose feet stand on points (N, L, 3)."""
    n, nominal = len(points), anatomy.footholds_at(course.place, course.facing)
    leans = footing.leans(terrain, footing.from_above(points), anatomy.length)
    feet = Feet.standing(points, leans, course.heading, anatomy.poles)
    suspension, height = Suspension.still(n), animal.body.height
    level, bend = suspension.plane, suspension.bend
    pose = pose_over(anatomy, height, course.place, course.facing, level, bend, feet.poles)
    state = State(
        animal=animal,
        anatomy=anatomy,
        terrain=terrain,
        course=course,
        suspension=suspension,
        feel=calm(anatomy, course.place),
        ends=at_rest(anatomy, pose),
        feet=feet,
        footholds=Footholds.at(nominal),
        cycle=cycle,
        delay=Delay(np.zeros(n), level),
        pose=pose,
        limits=Limits.unknown(n),
        slack=Slack.unknown(nominal.shape),
    )
    if any(animal.gait.sway):
        state.suspension = state.suspension._replace(sway=sway_goal(state))
    for _ in range(ROUNDS):
        settle_body(state, np.inf)
    settle_knees(state)
    state.slack, state.ends = slack_of(state), at_rest(anatomy, state.pose)
    return state


def _reachable(state, short):
    """Return points for all feet; those that cannot be stood on are moved to ground near them.

    `short` selects the walkers with a foot out of reach.
    """
    level = np.median(state.feet.swing[:, :, 0, 2], 1)
    points, lacks = _found(state, short, level, state.anatomy.legs.landing)
    who, leg = lacks.nonzero()
    wanted = "be where all feet find ground within reach"
    why = lambda first: f"leg {leg[who == first][0]} finds no ground"  # noqa: E731
    _refuse(state, np.logical_or.reduce(lacks, 1), wanted, why)
    return points


def _nearer(state, deep):
    """Return points for all feet, from which legs can raise bodies that are in the ground.

    Where an animal stands on a crest, its feet have to be nearer to its hips, and so on higher
    ground. `deep` selects the walkers whose bodies are in the ground.
    """
    length = state.anatomy.length
    rise = np.maximum(state.limits.rise, ABOVE * length - state.slack.belly)
    level = state.suspension.plane[:, 2] + rise
    return _found(state, deep & (rise < CREST * length), level, state.anatomy.legs.long)[0]


def _found(state, which, level, reach):
    """Return points for all feet, and which of them find no ground within reach, (N, L).

    The feet of walkers that a mask selects that cannot be stood on, if the plane under the body is
    as high as `level`, are moved to ground near them.
    """
    anatomy, terrain, course = state.anatomy, state.terrain, state.course
    nominal, swing = state.footholds.nominal, state.feet.flat.copy()
    points, count = swing[:, 0], len(swing)
    hips = course.place[:, None] + footing.rotated(course.facing[:, None], anatomy.hip_places)
    tops = level[:, None] + state.animal.body.height + anatomy.hips[:, 2]
    if anatomy.spine is not None:
        tops = tops + bent(anatomy.spine.hips, state.suspension.bend)
    now = np.concatenate([hips.reshape(-1, 1).view(np.float64), tops.reshape(-1, 1)], 1)
    legs = SwingLegs(
        swing=swing,
        progress=np.zeros(count),
        lift=np.zeros(count),
        max_lift=np.full(count, np.inf),
        hips=HipsAhead(now, hips.reshape(-1), hips.reshape(-1), tops.reshape(-1)),
        max_reach=np.tile(reach, len(nominal)),
        min_reach=np.zeros(count),
    )
    good = footing.bears(terrain, points[:, None], legs, anatomy.length).good
    feet = (~good[:, 0] & np.repeat(which, nominal.shape[1])).nonzero()[0]
    lacks = np.zeros(count, bool)
    if feet.size:
        found = footing.search(terrain, nominal.take(feet), legs.select(feet), anatomy.length)
        lacks[feet] = ~found[1]
        points[feet[found[1]]] = found[0][found[1]]
    return points.reshape(*nominal.shape, 3), lacks.reshape(nominal.shape)


def _unfit(state):
    """Return which walkers stand with a knee in the ground, or a leg too straight or too folded."""
    tiny, most = 1e-12 * state.anatomy.length, BEYOND * state.anatomy.length
    bad = (state.slack.knees < -tiny) | (state.slack.legs < -most)
    return np.logical_or.reduce(bad, 1)


def _refuse(state, which, wanted, why):
    """Raise a CreatureError for the first walker that `which` selects; `why(who)` explains."""
    if which.any():
        who = int(np.argmax(which))
        place = state.course.place[who]
        came = f"({place.real:g}, {place.imag:g}), where {why(who)}"
        raise CreatureError("position", wanted, came)


def _why_unfit(slack, who):
    """Return what is too low or out of reach where a walker stands, and how far."""
    depths = {"the body": -float(slack.belly[who]), "a knee": -float(slack.knees[who].min())}
    deep = [f"{part} would be {depth:.3g}" for part, depth in depths.items() if depth > 0.0]
    if deep:
        return " and ".join(deep) + " too low"  # a shin on hills needs a clearance
    leg = int(np.argmin(slack.legs[who]))
    much = -float(slack.legs[who, leg])
    return f"leg {leg} would be too straight or too folded, by {much:.3g}"
