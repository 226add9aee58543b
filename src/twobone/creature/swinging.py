"""Swings of the feet: when they start, where they land, how high they go.

`feet` and `starts` are flat indices into the feet of all walkers, as `flat_indices` returns them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twobone.core import engine, solver
from twobone.core.array_types import NDArray
from twobone.core.elementary import CIRCLE, cis
from twobone.creature import footing, governor
from twobone.creature.anatomy import MANY
from twobone.creature.carriage import foot_rotations
from twobone.creature.few import greatest, some
from twobone.creature.footing import HipsAhead, SwingLegs, distance, from_above, rotated
from twobone.creature.gait import EARLY, GLIDE, LOCK, between, glide, warp
from twobone.creature.pacing import Strayed
from twobone.creature.restraint import graze, lost, steady
from twobone.creature.state import State, flat_indices, standing_soles

STRAY = 0.04  # of the leg's length: a foot farther from its nominal foothold takes a step
LOST = 2.0  # of the leg's length: a foot farther from its nominal foothold is put there at once
HIGHEST = 0.8  # of the leg's length: maximum lift over obstacles
SHORT = 0.1  # fraction of the usual lift that remains for the shortest steps
# Strides: the lift is in proportion to the step up to this length. In a steady walk a foot goes a
# stride over the duty factor, 1.4 to 2 strides.
LONG = 1.5
OUT = 0.05  # of the leg's length: if no foothold is near, no foot goes nearer to below its hip
ACROSS = 0.25  # the same for legs whose knees turn aside: how far inward of its hip a foot goes
DEEP = 0.25  # the same under a long body: how far inward of `OUT` a foot may stand until it steps
# Of the leg's length: how far a body is expected to lower for a distant foothold, if the ground
# below leaves room for that.
DIP = 0.1
HOVERS = 0.05  # of the leg's length: minimum height above the ground to which a hanging foot goes
GROPES = 0.6  # of the leg's length: how far it goes at most in one step


class Ahead(NamedTuple):
    """Where bodies will be when feet land and stand; places seen from above, complex."""

    footholds: NDArray[np.complex128]  # nominal ones, in the middle of the next stance
    hips: NDArray[np.complex128]  # then
    landing: NDArray[np.complex128]  # hips when the feet land


class Goals(NamedTuple):
    """Where M feet should land."""

    points: NDArray[np.float64]  # (M, 3)
    good: NDArray[np.bool]  # (M): the point can be stood on
    lift: NDArray[np.float64]  # (M): height of the swing that it needs
    leans: NDArray[np.complex128]  # (M): of a foot that stands there, see `footing.leans`


class Aims(NamedTuple):
    """M feet that need a point to land on."""

    feet: NDArray[np.intp]  # (M)
    plain: NDArray[np.complex128]  # (M): nominal footholds
    legs: SwingLegs
    starts: NDArray[np.bool]  # (M): the foot is about to leave the ground
    held: NDArray[np.bool]  # (M): a limit kept the swing from advancing in the last step


def stray(state: State) -> Strayed:
    """Return how far feet are from their nominal footholds, and which feet should step.

    Feet that are very far away are first put on their nominal footholds. Since a foot may have
    been placed beside its foothold on purpose, it should step if the foothold has moved since.
    """
    length = state.anatomy.length
    distance, steps = _stray(state)
    if greatest(distance) > LOST * length:
        far = distance > LOST * length
        footholds = state.anatomy.footholds_at(state.course.place, state.course.facing)
        _plant(state, far, footholds[far])
        distance, steps = _stray(state)
        distance[far] = 0.0
    return Strayed(distance, steps)


def _stray(state):
    """Return how far feet are from their nominal footholds, and which feet should step."""
    anatomy, course, nominal = state.anatomy, state.course, state.footholds.nominal
    here, far = (course.place, course.facing), STRAY * anatomy.length
    sought = course.ahead(state.delay.lead)
    if engine.KERNEL is not None:
        swing, footholds = state.feet.swing, anatomy.footholds
        return engine.KERNEL.stray(swing, nominal, *here, *sought, footholds, far)
    distance = footing.distance(state.feet.places - anatomy.footholds_at(*here))
    return distance, footing.distance(nominal - anatomy.footholds_at(*sought)) > far


def _plant(state, which, footholds):
    """Put the feet that a mask selects on the ground at footholds, in stance."""
    planted = np.zeros((len(footholds), 4, 3))
    planted[:, [0, 3]] = footing.on_ground(state.terrain, footholds)[:, None]
    state.feet.swing[which], state.feet.progress[which] = planted, 1.0
    leans = footing.leans(state.terrain, footholds, state.anatomy.length)
    heading = state.course.heading[which.nonzero()[0]]
    state.feet.soles[which] = standing_soles(leans, heading)
    state.footholds.nominal[which] = footholds


def starting(state: State, speed, strayed: Strayed, phases):
    """Return the feet that start a swing now.

    `speed` is that of the footholds, `phases` are those of the legs.
    """
    still = 0.02 * state.animal.speed
    if engine.KERNEL is not None:
        given = phases, state.cycle.duty_factor, state.feet.progress, strayed.steps, speed
        starts = engine.KERNEL.starting(*given, still, EARLY)
    else:
        flies, wanted = state.feet.flies, strayed.steps | (speed > still)[:, None]
        starts = (phases < 0.5 * state.cycle.swing_fraction[:, None]) & ~flies & wanted
    if _may_hang(state):
        starts = starts | _standing_under(state)
    if state.anatomy.balances:
        state.footholds.waits[:] = False
    if not some(starts):
        return flat_indices(starts)
    if state.anatomy.spaced:
        starts = _apart(starts, state.feet.flies & ~state.footholds.hangs)
    able = steady(state, starts)
    if state.anatomy.balances:
        state.footholds.waits[:] = starts & ~able
    return flat_indices(able)


def _apart(starts, flies):
    """Return the starts without those of feet whose neighbours on the same side swing."""
    swings = np.zeros((len(starts), starts.shape[1] + 4), bool)
    swings[:, 2:-2] = flies
    return starts & ~swings[:, 4:] & ~swings[:, :-4]


def swing_feet(state: State, dt: float, starts) -> None:
    """Start new swings, choose goals and advance all feet in swing."""
    feet, footholds = state.feet, state.footholds
    if starts.size:
        feet.progress.reshape(-1)[starts] = 0.0
        footholds.fixed.reshape(-1)[starts] = False
        lift_feet(state, starts, look_ahead(state, starts))
    aims = aiming(state)
    if aims.size:
        ahead = look_ahead(state, aims)
        footholds.hips.reshape(-1)[aims] = ahead.landing
        swing_anew(state, footholds.held)
        seeking = aims, ahead
        if some(footholds.hangs):
            # A hanging foot seeks ground before each of its steps in the air.
            seeks = ~footholds.hangs.take(aims) | (feet.progress.take(aims) == 0.0)
            seeking = aims[seeks], Ahead(*(part[seeks] for part in ahead))
        aim(state, seeking[0], starts, seeking[1])
        if some(footholds.hangs):
            hangs = footholds.hangs.take(aims)
            grope(state, aims[hangs], Ahead(*(part[hangs] for part in ahead)))
    _fly(state, dt)
    if some(footholds.hangs):
        ends = footholds.hangs & ~feet.flies
        feet.progress[ends], feet.lift[ends] = 0.0, state.animal.gait.lift * state.anatomy.length


def aiming(state: State):
    """Return the feet in swing whose goals may still change."""
    progress, fixed, held = state.feet.progress, state.footholds.fixed, state.footholds.held
    if engine.KERNEL is not None:
        return engine.KERNEL.aiming(progress, fixed, held, LOCK)
    return flat_indices((progress < LOCK) & ~fixed | held)


def look_ahead(state: State, feet) -> Ahead:
    """Return where some feet will stand, and where hips will be then and as the feet land."""
    anatomy = state.anatomy
    if engine.KERNEL is not None and not some(state.delay.lead):
        given = Ahead, feet, state.feet.progress, state.cycle, state.course
        places = anatomy.hip_places, anatomy.footholds
        return engine.KERNEL.feet_ahead(*given, *places, EARLY, CIRCLE)
    return Ahead(*(part.take(feet) for part in look_ahead_of_all(state)))


def look_ahead_of_all(state: State) -> Ahead:
    """Return what `look_ahead` does for all feet; the arrays have shape (N, L)."""
    course, cycle, anatomy = state.course, state.cycle, state.anatomy
    rate = np.maximum(cycle.rate, cycle.least)
    left = (1.0 - state.feet.progress) * cycle.swing_fraction[:, None]
    rest = 0.5 * cycle.duty_factor / rate
    ahead = left / rate[:, None] + rest[:, None]
    half = cis(-0.5 * course.motion[:, 2:] * ahead)  # half the turn until then
    velocity = course.velocity[:, None]
    middle = rotated(course.facing[:, None], half)  # mean heading until then
    there = rotated(middle, half)
    place = course.place[:, None] + ahead * rotated(middle, velocity)
    landing = place + rotated(there, anatomy.hip_places)
    landing -= rest[:, None] * rotated(there, velocity)
    if some(state.delay.lead):  # not for `landing`: the body may not follow
        sought, turned = course.ahead(state.delay.lead)
        place += (sought - course.place)[:, None]
        there = rotated(there, rotated(turned, course.facing.conj())[:, None])
    footholds, hips = rotated(there, anatomy.footholds), rotated(there, anatomy.hip_places)
    return Ahead(place + footholds, place + hips, landing)


def lift_feet(state: State, feet, ahead: Ahead) -> None:
    """Choose footholds near the nominal ones, and the lift of the swings."""
    anatomy, plain = state.anatomy, ahead.footholds
    start, leg = state.feet.flat[feet, 0], feet % (2 * anatomy.pairs)
    near, far = anatomy.legs.near.take(leg), anatomy.legs.long.take(leg)
    legs = footing.Standing(start, ahead.landing, _tops(state, feet), near, far)
    offset = footing.better(state.terrain, plain, anatomy.length, legs)
    there = footing.on_ground(state.terrain, plain + offset)
    step = footing.distance(plain + offset - from_above(start)) / anatomy.stride
    clearance = state.animal.gait.lift * anatomy.length * between(step / LONG, SHORT, 1.0)
    state.footholds.offset.reshape(-1)[feet] = offset
    lift = footing.lift_over(state.terrain, start, there, clearance, HIGHEST * anatomy.length)
    state.feet.lift.reshape(-1)[feet] = lift


def swing_anew(state: State, held) -> None:
    """Restart the swings of held feet from where the feet are."""
    if some(held):
        feet = state.feet
        points = feet.points()[held]
        from_above(feet.soles)[..., 0][held] = footing.lean_of(foot_rotations(state)[held])
        feet.swing[held, 0], feet.progress[held], feet.lift[held] = points, 0.0, 0.0
        feet.swing[held, 1:3] = 0.0  # the goal stays in case none better is found


def aim(state: State, feet, starts, ahead: Ahead) -> None:
    """Choose the goals of feet, within reach of the future hips.

    If the new goal of a foot in the air cannot be stood on, the foot keeps its previous goal, or
    else searches for another one. A foot that was about to start and finds none stays on the
    ground, or hangs: see `_hanging`.
    """
    plain, swings = ahead.footholds, state.feet.flat
    goals = _nominal_goals(state, feet, ahead)
    held, hangs = state.footholds.held.take(feet), False
    if np.count_nonzero(goals.good) < len(feet) or some(held):
        starting = np.zeros(state.feet.progress.size, bool)
        starting[starts] = True
        who = feet // (2 * state.anatomy.pairs)
        goals = goals._replace(good=goals.good | lost(state).take(who))
        aims = Aims(feet, plain, _sought(state, feet, ahead)[3], starting.take(feet), held)
        _reconsider(state, aims, goals)
        hangs = _hanging(state, aims, goals.good)
        state.feet.progress.reshape(-1)[feet[aims.starts & ~goals.good & ~hangs]] = 1.0
    state.footholds.hangs.reshape(-1)[feet] = hangs
    if engine.KERNEL is not None:
        swing, progress, lift, soles, *_ = state.feet
        kept = state.footholds.stuck, state.footholds.nominal
        engine.KERNEL.set_goals(feet, goals, plain, *kept, swing, soles, progress, lift)
        return
    points, good, lift, leans = goals
    state.footholds.stuck.reshape(-1)[feet] = ~good
    if np.count_nonzero(good) < len(feet):
        feet, lift, plain = feet[good], lift[good], plain[good]
        points, leans = points[good], leans[good]
    state.footholds.nominal.reshape(-1)[feet] = plain
    swings[feet, 3] = points
    from_above(state.feet.flat_soles[:, 1])[feet] = leans
    begins = state.feet.progress.take(feet) == 0.0
    if some(begins):
        feet, lift = feet[begins], lift[begins]
        state.feet.lift.reshape(-1)[feet] = np.maximum(state.feet.lift.take(feet), lift)


def _nominal_goals(state, feet, ahead):
    """Return the goals of feet at or beside nominal footholds, or nearer to the hips.

    A goal is not good either if it is far from the previous one and the foot would have to hurry.
    """
    terrain, length = state.terrain, state.anatomy.length
    if engine.KERNEL is not None:
        given, soles = _seekers(state, feet, ahead), footing.soles_of(length)
        far = footing.FARTHEST * length
        goals = engine.KERNEL.goals(Goals, terrain.for_kernel(), *given, *soles, far)
        if goals is not None:  # no foothold is out of reach
            return goals
    better, tops, reach, legs = _sought(state, feet, ahead)
    points = footing.within_reach(terrain, better, ahead.hips, tops, reach)
    good, lift, leans = (
        part[:, 0] for part in footing.bears(terrain, points[:, None], legs, length)
    )
    return Goals(points, good & ~footing.is_sudden(points, legs, length), lift, leans)


def _hanging(state, aims, good):
    """Return which feet hang in the air because they find no ground to stand on.

    They are those that a limit holds in the air, and those on the ground whose legs are straight,
    which would stop the body, or under the body, where their knees would be in it.
    """
    anatomy, feet = state.anatomy, aims.feet
    if not _may_hang(state):
        return np.zeros(len(feet), bool)
    to_feet = _to_feet(state, feet)
    far = np.sqrt(footing.dot(to_feet, to_feet))
    straight = far > anatomy.legs.long.take(feet % (2 * anatomy.pairs))
    leaves = aims.starts & (straight | (_depth_under(state, feet) > 0.0))
    return ~good & (aims.held | state.footholds.hangs.take(feet) | leaves)


def _may_hang(state: State) -> bool:
    """Return whether feet of these animals hang in the air where they find no ground.

    Animals with few legs need all of them. Where the ground has edges no foot hangs, or a long body
    would go over the edge of a cliff until it almost falls.
    """
    return state.anatomy.pairs >= MANY and not state.terrain.has_edges


def _standing_under(state):
    """Return which feet, (N, L), stand under the body and have found no ground, or stand far under.

    They do not wait for their turn: the knee would be in the body.
    """
    stands = ~state.feet.flies
    feet = flat_indices(stands)
    deep = np.where(state.footholds.stuck.take(feet), 0.0, DEEP * state.anatomy.length)
    stands.reshape(-1)[feet] = _depth_under(state, feet) > deep
    return stands


def _depth_under(state, feet):
    """Return how far inward of where they may be feet are, under the body; else less than 0."""
    out, least = _outward(state, feet)
    return least - footing.dot(_to_feet(state, feet), out)


def _to_feet(state, feet):
    """Return the ways from the hips of feet to them, shape (M, 3)."""
    return state.feet.flat[feet, 0] - state.pose.hips.reshape(-1, 3)[feet]


def grope(state: State, feet, ahead: Ahead) -> None:
    """Choose goals in the air for hanging feet: where they would stand if the ground were level.

    They keep above the ground and come no nearer to their hips than other feet. If that is not
    possible they keep their goals, or stay where they are.
    """
    terrain, anatomy, swings = state.terrain, state.anatomy, state.feet.flat
    length, lifts = anatomy.length, state.feet.lift.reshape(-1)
    *_, legs = _sought(state, feet, ahead)
    points = footing.on_ground(terrain, ahead.landing + (ahead.footholds - ahead.hips))
    stand = state.animal.body.height + anatomy.hips[feet % (2 * anatomy.pairs), 2]
    points[:, 2] = np.maximum(points[:, 2] + HOVERS * length, legs.hips.height - stand)
    now = swings[feet, 0]
    way, most = points - now, GROPES * length * (1.0 - legs.progress)
    points = now + np.minimum(most / (np.sqrt(footing.dot(way, way)) + 1e-300), 1.0)[:, None] * way
    need, free = (part[:, 0] for part in footing.lift_needed(terrain, points[:, None], legs))
    good, begins = free & (need <= legs.max_lift), legs.progress == 0.0
    stays = np.where(begins[:, None], now, swings[feet, 3])
    swings[feet, 3] = np.where(good[:, None], points, stays)
    far = between(footing.distance(from_above(points) - from_above(now)) / anatomy.stride, 0.0, 1.0)
    lift = np.where(good, np.maximum(state.animal.gait.lift * length * far, need), 0.0)
    lifts[feet] = np.where(begins, lift, legs.lift)
    state.footholds.fixed.reshape(-1)[feet] = False


def _reconsider(state, aims, goals):
    """Replace goals that cannot be stood on, and those of held feet, by previous or found ones."""
    feet, plain, legs, starts, held = aims
    terrain, length, swings = state.terrain, state.anatomy.length, state.feet.flat
    keeps = ~goals.good & ~starts & ~held
    had = keeps.nonzero()[0]
    points = swings[feet[had], 3]
    old = footing.bears(terrain, points[:, None], legs.select(had), length)
    keeps[had] = stays = old.good[:, 0]
    goals.points[keeps] = points[stays]
    goals.lift[keeps], goals.leans[keeps] = old.lift[stays, 0], old.leans[stays, 0]
    seeks = (held | ~(goals.good | keeps)).nonzero()[0]
    clear = _room_for(state, feet[seeks])
    found = Goals(*footing.search(terrain, plain[seeks], legs.select(seeks), length, clear))
    for part, new in zip(goals, found, strict=True):
        part[seeks] = new
    goals.good[keeps] = True
    anew = seeks[legs.progress[seeks] == 0.0]  # their lift was chosen for the rejected goal
    state.feet.lift.reshape(-1)[feet[anew]] = state.animal.gait.lift * length
    state.footholds.offset.reshape(-1)[feet[seeks]] = from_above(found.points) - plain[seeks]


def _sought(state, feet, ahead):
    """Return the places to which feet should go, and the legs.

    Also return the expected heights of the hips, and how far from them the feet may stand.
    """
    if engine.KERNEL is not None:
        better, tops, reach, swing, progress, lift, most, now, height, *reaches = (
            engine.KERNEL.aims(*_seekers(state, feet, ahead))
        )
        hips = HipsAhead(now, ahead.landing, ahead.hips, height)
        return better, tops, reach, SwingLegs(swing, progress, lift, most, hips, *reaches)
    limits, hips, (_, progress, lift, *_) = state.anatomy.legs, state.pose.hips, state.feet
    highest, deepest = HIGHEST * state.anatomy.length, DIP * state.anatomy.length
    leg, tops = feet % (2 * state.anatomy.pairs), _tops(state, feet)
    dip = between(_room_to_sink(state), 0.0, deepest).take(feet // (2 * state.anatomy.pairs))
    hips = HipsAhead(hips.reshape(-1, 3)[feet], ahead.landing, ahead.hips, tops - dip)
    progress, lift = progress.take(feet), lift.take(feet)
    legs = SwingLegs(
        swing=state.feet.flat[feet],
        progress=progress,
        lift=lift,
        max_lift=np.where(progress == 0.0, highest, lift),  # it is chosen when a swing starts
        hips=hips,
        max_reach=limits.landing.take(leg),
        min_reach=limits.passing.take(leg),
    )
    better = ahead.footholds + state.footholds.offset.take(feet)
    return better, tops, limits.used.take(leg), legs


def _seekers(state, feet, ahead):
    """Return what the kernel needs for `_sought`."""
    limits, length = state.anatomy.legs, state.anatomy.length
    here = state.footholds.offset, state.feet, state.pose.hips, state.limits.rise
    far = limits.used, limits.landing, limits.passing, HIGHEST * length, DIP * length
    return feet, ahead, *here, _room_to_sink(state), *far


def _room_to_sink(state):
    """Return by how much bodies may lower: one on a crest will soon be past it."""
    return state.slack.belly + 2.0 * graze(state)


def _tops(state, feet):
    """Return the expected heights of the hips of feet, after the body has risen."""
    return (state.pose.hips[..., 2] + state.limits.rise[:, None]).take(feet)


def _outward(state, feet):
    """Return where outward of the hips is, unit vectors (M, 3), and how far out feet must be."""
    anatomy = state.anatomy
    who, leg = np.divmod(feet, 2 * anatomy.pairs)
    way = (anatomy.footholds - anatomy.hip_places)[leg]
    far, axes = distance(way), state.pose.axes[who]
    aside, along = ((part / np.maximum(far, 1e-300))[:, None] for part in (way.real, way.imag))
    return aside * axes[:, 0] + along * axes[:, 1], np.minimum(OUT * anatomy.length, 0.5 * far)


def _room_for(state, feet):
    """Return a function that tells for which points there is room for the knees.

    They and the shins must be above the ground, as `hold` wants, or a foot would be held before it
    lands, again and again. If knees point up, the foot must not go under the body, where the line
    from the hip to the foot would come close to the pole and the knee would turn fast. If knees
    turn aside, the foot must not go far across to the other side: the knee would be in the body.
    """
    anatomy = state.anatomy
    who, leg = np.divmod(feet, 2 * anatomy.pairs)
    hips, bones = state.pose.hips[who, leg][:, None], anatomy.bones[:, leg, None]
    poles = state.pose.poles[who, leg][:, None]
    sides = np.sign(anatomy.hip_places.real)[leg][:, None]
    out, least = (part[:, None] for part in _outward(state, feet))

    def clear(points):
        to_feet = points - hips
        knees = hips + solver.solve(to_feet, *bones, side=1.0, pole=poles)
        above = governor.is_clear(state.terrain, anatomy, knees, points)
        if anatomy.spreads:
            seen = rotated(from_above(to_feet), state.course.facing.conj()[who][:, None])
            return above & (seen.real * sides > -ACROSS * anatomy.length)
        return above & (footing.dot(to_feet, out) > least)

    return clear


def _fly(state, dt):
    """Advance feet in the air along their swings; those that complete them land.

    They take the heading of the body.
    """
    feet, cycle, heading = state.feet, state.cycle, state.course.heading
    if engine.KERNEL is not None:
        given = feet.swing, feet.progress, feet.soles, cycle, heading
        engine.KERNEL.fly(*given, dt, EARLY, GLIDE)
        return
    advance = dt * cycle.rate / cycle.swing_fraction
    flies = flat_indices(feet.flies)
    who = flies // feet.progress.shape[1]
    feet.flat_soles[flies, 1, 2], advance = heading.take(who), advance.take(who)
    swings, progress = feet.flat, feet.progress.take(flies)
    swing, now = swings.take(flies, 0), warp(progress)
    lands = advance >= 1.0 - progress
    progress += advance
    then = warp(progress)
    swing[:, :3] = glide(swing, (then - now) / (1.0 - now))
    soles = feet.flat_soles.take(flies, 0)
    soles[:, 0] += _turned(now, then)[:, None] * (soles[:, 1] - soles[:, 0])
    if some(lands):
        swing[lands, 0], swing[lands, 1:3], progress[lands] = swing[lands, 3], 0.0, 1.0
        soles[lands, 0] = soles[lands, 1]
    swings[flies], feet.flat_soles[flies] = swing, soles
    feet.progress.reshape(-1)[flies] = progress


def _turned(now, then):
    """Return how much of the remaining rotation of its sole a foot makes on its way.

    For a goal that stays, the rotation as a whole is `3 t^2 - 2 t^3`: it begins and ends at rest.
    """
    left, later = ((1.0 - t) * (1.0 - t) * (1.0 + 2.0 * t) for t in (now, then))
    return 1.0 - later / left
