"""Limits of a walk: bodies slow down before a limit, and changes that pass one are undone."""

from __future__ import annotations

import numpy as np

from twobone.creature import governor
from twobone.creature.carriage import FALLS, FOLLOW, LEAN, Carriage
from twobone.creature.footing import from_above
from twobone.creature.gait import arch, between, glide
from twobone.creature.polygons import signed_distance
from twobone.creature.posture import placed

SPARE = 0.045  # of the leg's length: minimum static margin over the feet in stance
ROOM = 0.05  # of the leg's length: minimum margin in the polygon of all feet
SURE = 1.0 / 15.0  # seconds: minimum time until a body reaches the edge of its support polygon
LEAD = 0.25  # of the leg's length: how far a body on two legs may be ahead of both feet
RECOVERS = 0.05  # of the leg's length: farther beyond its limits a body is no longer restrained
JUMP = 0.03  # of the leg's length: if the belly loses more height than this, it met an edge
STANDS = 1e-9  # of full speed: a slower motion has no direction
GROUND = ("place", "heading", "motion")
PLANE = ("plane", "leaning", "sway", "swaying")
BODY = (*GROUND, *PLANE)
FEET = ("swing", "progress", "lift")
SPEEDS = ("motion", "leaning", "swaying")  # multiplied by SLOWER when a body is set back
SLOWER = 0.5
RIM = 0.0045  # of the leg's length: clearance of the keel above edges, for the gaps between points
ABOVE = 0.012  # of the leg's length: clearance to which the ground pushes up a body
NEAR = 0.06  # of the leg's length: knees and bellies nearer to the ground are checked for edges
FRACTIONS = np.geomspace(0.01, 1.0, 20)  # of `BRAKE`: times at which they are checked


class Restraint(Carriage):
    """Walkers that stop before a leg, a knee, the body or its support reaches a limit."""

    def _brake(self):
        """Reduce the motion so that no leg, knee, belly or support reaches its limit."""
        if not self.motion.any():
            return
        fraction = self._free_fraction(slice(None), self.motion)  # a slice avoids copies
        slow = ((fraction < 1.0) & ~self._lost()).nonzero()[0]
        if slow.size:  # a limit that only the settling of the body reaches must not stop the walk
            motion = self.motion[slow]
            slow = slow[self._free_fraction(slow, motion, settles=False) < 1.0]
        if slow.size:
            self._slow_down(slow)

    def _slow_down(self, slow):
        """Limit the turn of some bodies, then their motion by what the turn leaves.

        A body that cannot go on may still be able to turn.
        """
        motion = self.motion[slow]
        turning = motion * [0.0, 0.0, 1.0]
        if turning.any():
            turning *= self._free_fraction(slow, turning)[:, None]
            motion[:, 2] = turning[:, 2]
        fraction = self._free_fraction(slow, motion, turning)[:, None]
        self.motion[slow] = turning + fraction * (motion - turning)
        self.velocity = from_above(self.motion)

    def _free_fraction(self, who, motion, granted=None, *, settles=True):
        """Return the fraction of its motion, in addition to `granted`, that each body may keep."""
        flies = self.progress[who] < 1.0
        feet = np.where(flies[..., None], self.swing[who, :, 3], self.swing[who, :, 0])
        slack = governor.Slack(*(part[who] for part in self.slack))
        seconds = np.full(len(motion), governor.BRAKE)
        now = self._joined(who, slack, self.at[who], self.facing[who], feet)
        start, later = now, self._left_in(who, seconds, motion, settles, feet)
        if granted is not None and granted.any():
            start = self._left_in(who, seconds, granted, settles, feet)
        fraction = governor.free_fraction(*self._grazing(start, later))
        if self.terrain.has_edges:
            least = np.minimum(now, later)[:, 2 * self.pairs :]  # knees and belly
            near = (np.minimum.reduce(least, 1) < NEAR * self.length).nonzero()[0]
            if near.size:
                edged = np.arange(len(self.motion))[who][near]
                found = self._till_edge(edged, now[near], motion[near], settles, feet[near])
                fraction[near] = found
        return np.minimum(
            fraction, self._supported(who, from_above(motion), from_above(feet), ~flies)
        )

    def _till_edge(self, who, now, motion, settles, feet):
        """Return the fraction of `BRAKE` for which bodies stay within their limits.

        At an edge the slack drops at once, and behind a narrow obstacle it is large again, so the
        slack at the end of `BRAKE` is not enough to know.
        """
        which = np.repeat(np.arange(len(who)), len(FRACTIONS))
        seconds = governor.BRAKE * np.tile(FRACTIONS, len(who))
        later = self._left_in(who[which], seconds, motion[which], settles, feet[which])
        start, later = self._grazing(now[which], later)
        free = np.logical_and.reduce(later >= np.minimum(start, 0.0), 1)
        free = np.pad(free.reshape(len(who), -1), ((0, 0), (0, 1)))
        # `argmin` finds the first time that is not free; take the one before it.
        return np.append(0.0, FRACTIONS)[np.argmin(free, 1)]

    @property
    def graze(self):
        """How deep bodies may sink into crests; if negative, their clearance above edges."""
        return -RIM * self.length if self.terrain.has_edges else self.anatomy.graze

    def _grazing(self, now, later):
        """Return slacks with the depth allowed for crests added to those of the belly.

        It is not added to later slacks that drop as at an edge.
        """
        belly = np.zeros(now.shape[1])
        belly[-1] = self.graze
        crest = later[:, -1:] - now[:, -1:] >= -JUMP * self.length
        return now + belly, later + np.where(crest, belly, np.minimum(belly, 0.0))

    def _left_in(self, who, seconds, motion, settles, feet):
        """Return the slacks of legs, knees and bellies after some seconds of a motion.

        If `settles`, the body approaches the goal of its plane; otherwise the plane stays.
        """
        velocity, turn = from_above(motion), seconds * motion[:, 2]
        at = self.at[who] + seconds * velocity * self.facing[who] * np.exp(-0.5j * turn)
        turned = self.facing[who] * np.exp(-1j * turn)
        plane = self.plane[who]
        if settles:
            goal, fade = self.goal[who], np.exp(-FOLLOW * seconds)[:, None]
            later = seconds[:, None] * fade
            plane = (fade + FOLLOW * later) * (plane - goal) + later * self.leaning[who] + goal
            plane[:, 2] -= seconds * (from_above(goal).conj() * velocity).real
        swings = seconds * np.exp(-LEAN * seconds)
        over = at + (self.sway[who] + swings * self.swaying[who]) * turned
        body, axes, hips = placed(self.anatomy, self.animal.body.height, over, turned, plane)
        there = self._feet_in(who, seconds)
        left = governor.slack(self.terrain, self.anatomy, body, axes, hips, there)
        return self._joined(who, left, at, turned, feet)

    def _joined(self, who, left, at, turned, feet):
        """Return the slacks of legs, knees and bellies as one array, shape (M, 2 L + 1).

        The slack of a leg in swing is the horizontal reach left to the point where it will land.
        """
        flies = self.progress[who] < 1.0
        drop = self.hips[who, :, 2] - feet[..., 2]
        long = governor.STRAIGHT * self.anatomy.reach
        room = np.sqrt(np.maximum(long * long - drop * drop, 0.0))
        hips = (at + self.sway[who] * turned)[:, None] + turned[:, None] * self.anatomy.under
        legs = np.where(flies, room - np.abs(from_above(feet) - hips), left.legs)
        return np.concatenate([legs, left.knees, left.belly[:, None]], 1)

    def _feet_in(self, who, seconds):
        """Return the positions of feet after some seconds."""
        swing, progress = self.swing[who], self.progress[who]
        feet = swing[:, :, 0].copy()
        flies = progress < 1.0
        if flies.any():
            advance = np.broadcast_to((seconds * self.going[who])[:, None], flies.shape)[flies]
            after = progress[flies] + advance
            fraction = np.minimum(advance / (1.0 - progress[flies]), 1.0)
            feet[flies] = glide(swing[flies], fraction)[:, 0]
            feet[flies, 2] += self.lift[who][flies] * arch(after)
        return feet

    def _supported(self, who, velocity, feet, stands):
        """Return the fraction of their velocity that bodies may keep over their support."""
        speed = np.abs(velocity)
        goes = speed > STANDS * self.animal.speed
        direction = np.where(goes, velocity / np.where(goes, speed, 1.0), 1.0) * self.facing[who]
        at = self.at[who] + self.sway[who] * self.facing[who]
        seen = feet - at[:, None]
        if self.pairs < 2:  # no polygon: one foot, or its goal, must not be too far behind
            ahead = np.maximum.reduce((seen * direction.conj()[:, None]).real, 1)
            return governor.support_fraction(ahead, -LEAD * self.length, speed, governor.BRAKE)
        soon = governor.support_ahead(seen, np.ones_like(stands), direction)
        fraction = governor.support_fraction(soon, ROOM * self.length, speed, governor.BRAKE)
        if self.pairs < 3:  # four legs keep their balance by swaying
            return fraction
        now = governor.support_ahead(seen, stands, direction)
        return np.minimum(
            fraction, governor.support_fraction(now, SPARE * self.length, speed, SURE)
        )

    def _steady(self, starts):
        """Return which feet may leave the ground while the body stays over the others."""
        if self.pairs < 2:
            return starts & ((self.progress >= 1.0) & ~starts)[:, ::-1]
        first = starts & (np.cumsum(starts, 1) == 1)
        both = self._bear(starts)[:, None]
        return starts & (both | (first & self._bear(first)[:, None]))

    def _bear(self, starts):
        """Return which bodies have enough static margin without the feet that start to swing."""
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
        """Return copies of the state that a step changes."""
        return {name: getattr(self, name).copy() for name in BODY + FEET}

    def _hold(self, before, hips, dt):
        """Undo changes of this step that pass a limit: of the body, of the feet, then of both."""
        was, self.held = self.left, np.zeros_like(self.held)
        self.left = self._slack()
        legs, belly = self._broken(was)
        if belly.any():
            self._push_up(belly, FALLS * self.length * dt)
            legs, belly = self._broken(was)
        if not (legs.any() or belly.any()):
            return
        flies = (self.progress < 1.0) | (before["progress"] < 1.0)
        after = self._kept()
        before |= {name: SLOWER * before[name] for name in SPEEDS}
        # The cause may be the motion of the body, its settling on the plane, or both.
        for names in (GROUND, PLANE, BODY):
            state = after | {name: before[name] for name in names}
            self._take_back(state, BODY, np.logical_or.reduce(legs & ~flies, 1) | belly)
            legs, belly = self._broken(was)
        self.held |= legs
        self._take_back(before, FEET, legs)
        legs, _ = self._broken(was)
        self._move_with_hips(legs & (self.progress < 1.0), self.hips - hips)
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

    def _move_with_hips(self, feet, shift):
        """Move feet in the air that cannot advance along with their hips."""
        if feet.any():
            self.held |= feet
            self.swing[feet, 0] += shift[feet]
            self.left = self._slack()

    def _push_up(self, which, most):
        """Raise bodies that touch the ground, by at most `most`."""
        by = which * between(ABOVE * self.length - self.left[1], 0.0, most)
        self.plane[:, 2] += by
        self.leaning[which, 2] = np.maximum(self.leaning[which, 2], 0.0)
        self._place_body()
        self.left = self._slack()

    def _lost(self):
        """Return which bodies are far beyond their limits and so are not restrained.

        An example is a body above which the ground has risen.
        """
        legs, belly = self.left
        far = -RECOVERS * self.length
        return (np.minimum.reduce(legs, 1) < far) | (belly < far - self.graze)

    def _broken(self, was):
        """Return which legs and bodies are beyond their limits, and farther than before.

        Those that were far beyond a limit before are not counted, so that they can recover.
        """
        far, tiny = -RECOVERS * self.length, 1e-12 * self.length
        legs, belly = self.left
        legs_then, belly_then = was
        steep = belly < belly_then - JUMP * self.length
        least = np.where(steep, max(0.0, -self.graze), -self.graze)
        bad = belly < np.minimum(belly_then, least) - tiny
        return (
            (legs < np.minimum(legs_then, 0.0) - tiny) & (legs_then > far),
            bad & (belly_then > far - self.graze),
        )

    def _take_back(self, state, names, which):
        """Restore parts of the state from another state, for those that `which` selects."""
        if not which.any():
            return
        for name in names:
            getattr(self, name)[which] = state[name][which]
        if names is not FEET:
            self._look()
            self._place_body()
        self.left = self._slack()
