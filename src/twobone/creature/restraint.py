"""What no step may break: bodies slow down before a limit, and what would pass it is taken back."""

from __future__ import annotations

import math

import numpy as np

from twobone.creature import governor
from twobone.creature.carriage import CARRY, LEAN, Carriage
from twobone.creature.footing import from_above
from twobone.creature.polygons import signed_distance
from twobone.creature.posture import placed

SPARE = 0.045  # of the leg's length: how far inside its support polygon a body stays
ROOM = 0.05  # of the leg's length: how far inside the polygon of all its feet
SURE = 1.0 / 15.0  # seconds: how soon a body may come to the edge of its polygon
LEAD = 0.25  # of the leg's length: how far a body on two legs goes ahead of both feet
RECOVERS = 0.05  # of the leg's length: farther beyond its limits a body may do anything
JUMP = 0.03  # of the leg's length: ground that meets the body faster than this is an edge
STANDS = 1e-9  # of full speed: who is slower has no direction
FREE = 1e9  # slack of what has no limit
GROUND = ("place", "heading", "motion")
PLANE = ("plane", "leaning", "sway", "swaying")
BODY = (*GROUND, *PLANE)
FEET = ("swing", "progress", "lift")
SPEEDS = ("motion", "leaning", "swaying")  # of a body: 0 where it is taken back
# What `settle` makes of what a body is away from its goal, and of its speed, after `BRAKE`.
LATER = governor.BRAKE * math.exp(-CARRY * governor.BRAKE)
SOON = math.exp(-CARRY * governor.BRAKE) + CARRY * LATER
SWINGS = governor.BRAKE * math.exp(-LEAN * governor.BRAKE)


class Restraint(Carriage):
    """Walkers that stop before a leg, a knee, the body or its support comes to a limit."""

    def _brake(self):
        """Slow down so that no leg, knee, belly or support comes to its limit."""
        if not self.motion.any():
            return
        share = self._share(self.motion)
        slow = ((share < 1.0) & ~self._lost()).nonzero()[0]
        if not slow.size:
            return
        # Where only the settling of the body comes to a limit, it stops and the body may go.
        share = np.maximum(share, self._share(self.motion, settles=False))
        # Who cannot go on may still turn: a mean of both is as safe as they are.
        turning = self.motion * [0.0, 0.0, 1.0]
        turns = self._share(turning)[slow, None] * turning[slow]
        share = share[slow, None]
        self.motion[slow] = share * (share * self.motion[slow]) + (1.0 - share) * turns
        self.velocity = from_above(self.motion)

    def _share(self, motion, *, settles=True):
        """Return the share of a motion that bodies may have."""
        velocity, turn = from_above(motion), governor.BRAKE * motion[:, 2]
        at = self.at + governor.BRAKE * velocity * self.facing * np.exp(-0.5j * turn)
        turned = self.facing * np.exp(-1j * turn)
        flies = self.progress < 1.0
        feet = np.where(flies[..., None], self.swing[:, :, 3], self.swing[:, :, 0])
        now, later = self.slack, self._left_later(velocity, at, turned, feet, settles)
        edge = later.belly - now.belly < -JUMP * self.length
        bellies = now.belly + self.made.graze, later.belly + np.where(edge, 0.0, self.made.graze)
        # Of a foot in the air it counts how far the body goes away from where it will land.
        drop = self.hips[..., 2] - feet[..., 2]
        long = governor.STRAIGHT * self.made.reach
        room = np.sqrt(np.maximum(long * long - drop * drop, 0.0))
        places = from_above(feet)

        def joined(left, belly, at, turned):
            hips = (at + self.sway * turned)[:, None] + turned[:, None] * self.made.under
            legs = np.where(flies, room - np.abs(places - hips), left.legs)
            knees = np.where(flies, FREE, left.knees)
            return np.concatenate([legs, knees, belly[:, None]], 1)

        share = governor.free_share(
            joined(now, bellies[0], self.at, self.facing), joined(later, bellies[1], at, turned)
        )
        return np.minimum(share, self._supported(velocity, places, ~flies))

    def _left_later(self, velocity, at, turned, feet, settles):
        """Return what is left after `BRAKE`, as the body settles on its plane or stays as it is."""
        plane = self.plane.copy()
        if settles:
            plane = SOON * (self.plane - self.goal) + LATER * self.leaning + self.goal
            plane[:, 2] -= governor.BRAKE * (from_above(self.goal).conj() * velocity).real
        at = at + (self.sway + SWINGS * self.swaying) * turned
        body, axes, hips = placed(self.made, self.animal.body.height, at, turned, plane)
        return governor.slack(self.terrain, self.made, body, axes, hips, feet)

    def _supported(self, velocity, feet, stands):
        """Return the share of their velocity that bodies may have over their support polygons."""
        speed = np.abs(velocity)
        goes = speed > STANDS * self.animal.speed
        way = np.where(goes, velocity / np.where(goes, speed, 1.0), 1.0) * self.facing
        seen = feet - (self.at + self.sway * self.facing)[:, None]
        if self.pairs < 2:  # no polygon: a foot, or where it will be, is not behind
            ahead = np.maximum.reduce((seen * way.conj()[:, None]).real, 1)
            return governor.support_share(ahead, -LEAD * self.length, speed, governor.BRAKE)
        soon = governor.support_ahead(seen, np.ones_like(stands), way)
        share = governor.support_share(soon, ROOM * self.length, speed, governor.BRAKE)
        if self.pairs < 3:  # which stand by swaying
            return share
        now = governor.support_ahead(seen, stands, way)
        return np.minimum(share, governor.support_share(now, SPARE * self.length, speed, SURE))

    def _steady(self, starts):
        """Return which feet may leave the ground with the body over those that then bear it."""
        if self.pairs < 2:
            return starts & ((self.progress >= 1.0) & ~starts)[:, ::-1]
        first = starts & (np.cumsum(starts, 1) == 1)
        both = self._bear(starts)[:, None]
        return starts & (both | (first & self._bear(first)[:, None]))

    def _bear(self, starts):
        """Return whether bodies stand, and may go on, without some of their feet."""
        found = np.ones(len(starts), bool)
        who = np.logical_or.reduce(starts, 1).nonzero()[0]
        if who.size:
            at = (self.at + self.sway * self.facing)[who]
            bears = (self.progress[who] >= 1.0) & ~starts[who]
            seen = np.ascontiguousarray(self.stands[who] - at[:, None])
            corners = seen[..., None].view(np.float64)
            margin = signed_distance(np.zeros((len(who), 2)), corners, bears)
            found[who] = (margin >= SPARE * self.length) | self._lost()[who]
        return found

    def _kept(self):
        """Return copies of what a step changes."""
        return {name: getattr(self, name).copy() for name in BODY + FEET}

    def _hold(self, before):
        """Take back what would break a limit: of the body, then of feet, then of both."""
        was, self.held = self.left, np.zeros_like(self.held)
        self.left = self._slack()
        legs, belly = self._broken(was)
        if not (legs.any() or belly.any()):
            return
        flies = (self.progress < 1.0) | (before["progress"] < 1.0)
        after = self._kept()
        before |= {name: np.zeros_like(before[name]) for name in SPEEDS}
        # Either the way or the settling of the body may be at fault, or both.
        for names in (GROUND, PLANE, BODY):
            state = after | {name: before[name] for name in names}
            self._take_back(state, BODY, np.logical_or.reduce(legs & ~flies, 1) | belly)
            legs, belly = self._broken(was)
        self.held |= legs
        self._take_back(before, FEET, legs)
        legs, belly = self._broken(was)
        self._take_back(before, BODY, np.logical_or.reduce(legs, 1) | belly)
        legs, _ = self._broken(was)
        self.held |= legs
        self._take_back(before, FEET, legs)
        legs, belly = self._broken(was)
        rest = (np.logical_or.reduce(legs, 1) | belly)[:, None] & flies
        self.held |= rest
        self._take_back(before, FEET, rest)
        self.held &= self.progress < 1.0
        self.late |= self.held

    def _lost(self):
        """Return who is far beyond its limits, as when ground rose above it: it may do anything."""
        legs, belly = self.left
        far = -RECOVERS * self.length
        return (np.minimum.reduce(legs, 1) < far) | (belly < far - self.made.graze)

    def _broken(self, was):
        """Return which legs and bodies are beyond their limits, and were not before."""
        far, tiny = -RECOVERS * self.length, 1e-12 * self.length
        legs, belly = self.left
        legs_then, belly_then = was
        steep = belly < belly_then - JUMP * self.length
        least = np.where(steep, 0.0, -self.made.graze)
        bad = belly < np.minimum(belly_then, least) - tiny
        return (
            (legs < np.minimum(legs_then, 0.0) - tiny) & (legs_then > far),
            bad & (belly_then > far - self.made.graze),
        )

    def _take_back(self, state, names, which):
        """Make parts of the state what they were in another one."""
        if not which.any():
            return
        for name in names:
            getattr(self, name)[which] = state[name][which]
        if names is not FEET:
            self._look()
            self._place_body()
        self.left = self._slack()
