"""Restraint: feet that must stay on the ground, and undoing of changes that pass a limit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.array_types import NDArray
from twobone.creature.carriage import FALLS, headroom, pose_of, raise_plane, slack_of
from twobone.creature.few import some
from twobone.creature.footing import distance, from_above, rotated
from twobone.creature.gait import between
from twobone.creature.governor import Slack
from twobone.creature.polygons import signed_distance
from twobone.creature.posture import Pose
from twobone.creature.state import Course, Feet, State, Suspension, mixed

# Of the leg's length: minimum static margin over the feet in stance, by pairs of legs. Four legs
# have little to spare.
SPARE = {2: 0.045, 3: 0.051}
MOST_SPARE = 0.081  # for more pairs
RECOVERS = 0.05  # of the leg's length: farther beyond its limits a body is no longer restrained
JUMP = 0.03  # of the leg's length: if the belly loses more height than this, it met an edge
SLOWER = 0.5  # factor of the speeds of a body that is set back
RIM = 0.0045  # of the leg's length: clearance of the keel above edges, for the gaps between points
ABOVE = 0.012  # of the leg's length: clearance to which the ground pushes up a body
CLIMBS = 1.0  # of the leg's length per second: speed at which a foot rises whose leg met an edge
OVER = 0.3  # of the leg's length: how far above its goal it rises at most
OUTWARD = 1.0  # of that speed: how fast it goes away from its hip meanwhile, and its shin with it


def lost(state: State):
    """Return which bodies are far beyond their limits and so are not restrained.

    An example is a body above which the ground has risen.
    """
    slack, far = state.slack, -RECOVERS * state.anatomy.length
    return (np.minimum.reduce(slack.least, 1) < far) | (slack.belly < far - graze(state))


def graze(state: State) -> float:
    """Return how deep bodies may sink into crests; if negative, their clearance above edges."""
    anatomy = state.anatomy
    return -RIM * anatomy.length if state.terrain.has_edges else anatomy.underside.graze


def touches(state: State):
    """Return which bodies touch the ground, deeper than they may sink into crests."""
    return state.slack.belly < -graze(state)


def buried(state: State):
    """Return which bodies are in the ground, deeper than they may sink into crests."""
    deep = max(graze(state), 0.0) + 1e-12 * state.anatomy.length
    return state.slack.belly < -deep


# --- feet that may leave the ground -------------------------------------------------------


def steady(state: State, starts):
    """Return which of the feet that would start a swing may do so: the others bear the body."""
    if state.anatomy.pairs < 2:
        return starts & (~state.feet.flies & ~starts)[:, ::-1]
    bear = _bear if state.animal.gait.balance == "static" else _enough
    both = bear(state, starts)[:, None]
    if both.all():
        return starts
    first = starts & (np.cumsum(starts, 1) == 1) & ~both
    return starts & (both | (first & bear(state, first)[:, None]))


def _enough(state, starts):
    """Return for which bodies half of the feet stay on the ground."""
    stay = np.add.reduce(~state.feet.flies & ~starts, 1)
    return stay >= state.anatomy.pairs


def _bear(state, starts):
    """Return which bodies have enough static margin without the feet that start to swing."""
    found = np.ones(len(starts), bool)
    who = np.logical_or.reduce(starts, 1).nonzero()[0]
    if who.size:
        middle = (state.course.place + rotated(state.suspension.sway, state.course.facing))[who]
        bears = ~state.feet.flies[who] & ~starts[who]
        seen = np.ascontiguousarray(state.feet.places[who] - middle[:, None])
        corners = seen[..., None].view(np.float64)
        margin = signed_distance(np.zeros((len(who), 2)), corners, bears)
        found[who] = (margin >= spare_margin(state)) | lost(state)[who]
    return found


def spare_margin(state: State) -> float:
    """Return the minimum static margin that bodies keep over their feet in stance."""
    return SPARE.get(state.anatomy.pairs, MOST_SPARE) * state.anatomy.length


# --- undoing what passes a limit ----------------------------------------------------------


class BodyState(NamedTuple):
    """The part of the state from which the pose of bodies follows."""

    course: Course
    suspension: Suspension


class Before(NamedTuple):
    """What `hold` needs to know of the state before a step."""

    course: Course
    suspension: Suspension
    feet: Feet
    nominal: NDArray[np.complex128]  # that of `Footholds`
    pose: Pose
    slack: Slack

    def slowed(self) -> BodyState:
        """Return the body with lower speeds, as it is when it is set back."""
        course, suspension = self.course, self.suspension
        rates = {
            "plane_rate": SLOWER * suspension.plane_rate,
            "sway_rate": SLOWER * suspension.sway_rate,
            "bend_rate": SLOWER * suspension.bend_rate,
            "spring_rate": SLOWER * suspension.spring_rate,
        }
        return BodyState(course.moving(SLOWER * course.motion), suspension._replace(**rates))


def kept(state: State) -> Before:
    """Return what to keep of a state to undo a step; feet and footholds are changed in place."""
    feet, nominal = state.feet.copy(), state.footholds.nominal.copy()
    return Before(state.course, state.suspension, feet, nominal, state.pose, state.slack)


def hold(state: State, before: Before, dt: float) -> None:
    """Undo changes of a step that pass a limit: of the body, of the feet, then of both."""
    held = state.footholds.held
    held[:] = False
    state.slack = slack_of(state)
    legs, belly = _broken(state, before)
    if some(belly):
        push_up(state, belly, FALLS * state.anatomy.length * dt)
        legs, belly = _broken(state, before)
    if not (some(legs) or some(belly)):
        return
    flies, starts = state.feet.flies | before.feet.flies, state.feet.flies & ~before.feet.flies
    then, now = before.slowed(), BodyState(state.course, state.suspension)
    # The cause may be the motion of the body, its settling on the plane, or both.
    for body in (
        BodyState(then.course, now.suspension),
        BodyState(now.course, then.suspension),
        then,
    ):
        _put_body(state, body, np.logical_or.reduce(legs & ~flies, 1) | belly)
        legs, belly = _broken(state, before)
    held |= legs
    _put_feet(state, before, legs)
    legs, _ = _broken(state, before)
    _move_with_hips(state, legs & state.feet.flies, state.pose.hips - before.pose.hips)
    legs, belly = _broken(state, before)
    _put_body(state, then, np.logical_or.reduce(legs, 1) | belly)
    legs, _ = _broken(state, before)
    held |= legs
    _put_feet(state, before, legs)
    legs, belly = _broken(state, before)
    # A leg that is broken even so turns its own knee into something.
    rest = (np.logical_or.reduce(legs, 1) | belly)[:, None] & flies | legs
    held |= rest
    _put_feet(state, before, rest, knees=True)
    held &= state.feet.flies
    if state.terrain.has_edges:
        _climb(
            state, before, held | (starts & ~state.feet.flies), CLIMBS * state.anatomy.length * dt
        )
    hangs = state.footholds.hangs
    hangs &= state.feet.flies
    state.footholds.late[:] |= held & ~hangs


def _climb(state, before, which, most):
    """Raise feet that could not go on, or not leave the ground, by at most `most`.

    A shin that leans over an edge would cut it if the foot went on. Once the foot is higher, it
    does not; until then the leg would stay where it is, and so would the body.
    """
    if not some(which):
        return
    kept, feet = state.feet.copy(), state.feet
    points, goals = feet.points()[which], feet.swing[which, 3]
    over = goals[:, 2] + OVER * state.anatomy.length
    by = between(over - points[:, 2], 0.0, most)
    away = points[:, :2] - state.pose.hips[which, :2]
    far = np.maximum(distance(from_above(away)), 1e-300)
    feet.swing[which, 0, :2] += (OUTWARD * by)[:, None] * (away / far[:, None])
    feet.swing[which, 0, 2] += by
    stood = which & ~feet.flies
    feet.progress[stood], feet.lift[stood] = 0.0, 0.0
    state.slack = slack_of(state)
    legs, _ = _broken(state, before)
    fails = legs & which
    if some(fails):
        state.feet = mixed(state.feet, kept, fails)
        state.slack = slack_of(state)
    state.footholds.held[stood & ~fails] = True


def push_up(state: State, which, most: float) -> None:
    """Raise bodies that touch the ground, by at most `most`, until a leg would be too straight."""
    above = ABOVE * state.anatomy.length
    by = np.minimum(between(above - state.slack.belly, 0.0, most), np.maximum(headroom(state), 0.0))
    raise_plane(state, which * by)
    state.pose = pose_of(state)
    state.slack = slack_of(state)


def _broken(state, before):
    """Return which legs and bodies are beyond their limits, and farther than before.

    Those that were far beyond a limit before are not counted, so that they can recover.
    """
    length, deep = state.anatomy.length, graze(state)
    far, tiny, jump = -RECOVERS * length, 1e-12 * length, JUMP * length
    if engine.KERNEL is not None:
        return engine.KERNEL.broken(state.slack, before.slack, far, tiny, jump, deep)
    (legs, belly), (legs_then, belly_then) = (
        (slack.least, slack.belly) for slack in (state.slack, before.slack)
    )
    steep = belly < belly_then - jump
    least = np.where(steep, max(0.0, -deep), -deep)
    bad = belly < np.minimum(belly_then, least) - tiny
    return (
        (legs < np.minimum(legs_then, 0.0) - tiny) & (legs_then > far),
        bad & (belly_then > far - deep),
    )


def _put_body(state, body, which):
    """Give those bodies that a mask (N) selects another course and suspension."""
    if some(which):
        state.course = mixed(state.course, body.course, which)
        state.suspension = mixed(state.suspension, body.suspension, which)
        state.pose = pose_of(state)
        state.slack = slack_of(state)


def _put_feet(state, before, which, *, knees=False):
    """Put those feet that a mask (N, L) selects back to where they were; their knees if told so.

    A knee that turns aside, out of the way, may be what lets the foot go on in the next step.
    """
    if some(which):
        now = state.feet
        state.feet = mixed(state.feet, before.feet, which)
        if not knees:
            state.feet = state.feet._replace(spread=now.spread, poles=now.poles)
        # A foot that has not left the ground after all must try again.
        stays = which & ~before.feet.flies
        state.footholds.nominal[stays] = before.nominal[stays]
        if knees:
            state.pose = pose_of(state)
        state.slack = slack_of(state)


def _move_with_hips(state, which, shift):
    """Move feet in the air that cannot advance along with their hips."""
    if some(which):
        state.footholds.held[which] = True
        state.feet.swing[which, 0] += shift[which]
        state.slack = slack_of(state)
