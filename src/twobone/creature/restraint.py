"""What no step may break: bodies slow down before a limit, and what would pass it is taken back."""

from __future__ import annotations

import numpy as np

from twobone.creature import governor
from twobone.creature.carriage import CARRY, FALLS, LEAN, Carriage
from twobone.creature.footing import from_above
from twobone.creature.gait import arch, between, glide
from twobone.creature.polygons import signed_distance
from twobone.creature.posture import placed

SPARE = 0.045  # of the leg's length: how far inside its support polygon a body stays
ROOM = 0.05  # of the leg's length: how far inside the polygon of all its feet
SURE = 1.0 / 15.0  # seconds: how soon a body may come to the edge of its polygon
LEAD = 0.25  # of the leg's length: how far a body on two legs goes ahead of both feet
RECOVERS = 0.05  # of the leg's length: farther beyond its limits a body may do anything
JUMP = 0.03  # of the leg's length: ground that meets the body faster than this is an edge
STANDS = 1e-9  # of full speed: who is slower has no direction
GROUND = ("place", "heading", "motion")
PLANE = ("plane", "leaning", "sway", "swaying")
BODY = (*GROUND, *PLANE)
FEET = ("swing", "progress", "lift")
SPEEDS = ("motion", "leaning", "swaying")  # of a body: less where it is taken back
SLOWER = 0.5
RIM = 0.0045  # of the leg: how far points of the keel stay above edges, for what is between them
ABOVE = 0.012  # of the leg's length: how far above an edge it pushes them
NEAR = 0.06  # of the leg's length: with less below knees or belly it looks for edges
SHARES = np.geomspace(0.01, 1.0, 20)  # of `BRAKE`: when it looks


class Restraint(Carriage):
    """Walkers that stop before a leg, a knee, the body or its support comes to a limit."""

    def _brake(self):
        """Slow down so that no leg, knee, belly or support comes to its limit."""
        if not self.motion.any():
            return
        share = self._share(slice(None), self.motion)  # of all, without copies
        slow = ((share < 1.0) & ~self._lost()).nonzero()[0]
        if slow.size:  # where only the settling of the body comes to a limit, the body may go
            motion = self.motion[slow]
            slow = slow[self._share(slow, motion, settles=False) < 1.0]
        if slow.size:
            self._slow_down(slow)

    def _slow_down(self, slow):
        """Let some turn, since who cannot go on may still turn, and go on as far as that leaves."""
        motion = self.motion[slow]
        turning = motion * [0.0, 0.0, 1.0]
        if turning.any():
            turning *= self._share(slow, turning)[:, None]
            motion[:, 2] = turning[:, 2]
        share = self._share(slow, motion, turning)[:, None]
        self.motion[slow] = turning + share * (motion - turning)
        self.velocity = from_above(self.motion)

    def _share(self, who, motion, granted=None, *, settles=True):
        """Return the share of their motion, beyond what is granted of it, that some may have."""
        flies = self.progress[who] < 1.0
        feet = np.where(flies[..., None], self.swing[who, :, 3], self.swing[who, :, 0])
        slack = governor.Slack(*(part[who] for part in self.slack))
        seconds = np.full(len(motion), governor.BRAKE)
        now = self._joined(who, slack, self.at[who], self.facing[who], feet)
        start, later = now, self._left_in(who, seconds, motion, settles, feet)
        if granted is not None and granted.any():
            start = self._left_in(who, seconds, granted, settles, feet)
        share = governor.free_share(*self._grazing(start, later))
        if self.terrain.has_edges:
            least = np.minimum(now, later)[:, 2 * self.pairs :]  # of knees and belly
            near = (np.minimum.reduce(least, 1) < NEAR * self.length).nonzero()[0]
            if near.size:
                edged = np.arange(len(self.motion))[who][near]
                found = self._till_edge(edged, now[near], motion[near], settles, feet[near])
                share[near] = found
        return np.minimum(share, self._supported(who, from_above(motion), from_above(feet), ~flies))

    def _till_edge(self, who, now, motion, settles, feet):
        """Return the share of `BRAKE` for which some stay within their limits.

        Before an edge what is left does not fade but falls, and may be enough again behind it.
        """
        which = np.repeat(np.arange(len(who)), len(SHARES))
        seconds = governor.BRAKE * np.tile(SHARES, len(who))
        later = self._left_in(who[which], seconds, motion[which], settles, feet[which])
        start, later = self._grazing(now[which], later)
        free = np.logical_and.reduce(later >= np.minimum(start, 0.0), 1)
        free = np.pad(free.reshape(len(who), -1), ((0, 0), (0, 1)))
        return np.append(0.0, SHARES)[np.argmin(free, 1)]  # the last before one is not

    @property
    def graze(self):
        """How deep bodies may sink into crests; below 0, how far they stay above edges."""
        return -RIM * self.length if self.terrain.has_edges else self.made.graze

    def _grazing(self, now, later):
        """Return what is left for bodies that may sink into crests, but not into edges."""
        belly = np.zeros(now.shape[1])
        belly[-1] = self.graze
        crest = later[:, -1:] - now[:, -1:] >= -JUMP * self.length
        return now + belly, later + np.where(crest, belly, np.minimum(belly, 0.0))

    def _left_in(self, who, seconds, motion, settles, feet):
        """Return what is left of some after some seconds: of legs, knees and bellies.

        The body settles on its plane, or stays as it is.
        """
        velocity, turn = from_above(motion), seconds * motion[:, 2]
        at = self.at[who] + seconds * velocity * self.facing[who] * np.exp(-0.5j * turn)
        turned = self.facing[who] * np.exp(-1j * turn)
        plane = self.plane[who]
        if settles:
            goal, fade = self.goal[who], np.exp(-CARRY * seconds)[:, None]
            later = seconds[:, None] * fade
            plane = (fade + CARRY * later) * (plane - goal) + later * self.leaning[who] + goal
            plane[:, 2] -= seconds * (from_above(goal).conj() * velocity).real
        swings = seconds * np.exp(-LEAN * seconds)
        over = at + (self.sway[who] + swings * self.swaying[who]) * turned
        body, axes, hips = placed(self.made, self.animal.body.height, over, turned, plane)
        there = self._feet_in(who, seconds)
        left = governor.slack(self.terrain, self.made, body, axes, hips, there)
        return self._joined(who, left, at, turned, feet)

    def _joined(self, who, left, at, turned, feet):
        """Return what is left of legs, knees and bellies in one array, shape (M, 2 L + 1).

        Of a foot in the air it counts how far the body goes away from where it will land.
        """
        flies = self.progress[who] < 1.0
        drop = self.hips[who, :, 2] - feet[..., 2]
        long = governor.STRAIGHT * self.made.reach
        room = np.sqrt(np.maximum(long * long - drop * drop, 0.0))
        hips = (at + self.sway[who] * turned)[:, None] + turned[:, None] * self.made.under
        legs = np.where(flies, room - np.abs(from_above(feet) - hips), left.legs)
        return np.concatenate([legs, left.knees, left.belly[:, None]], 1)

    def _feet_in(self, who, seconds):
        """Return where feet of some will be after some seconds."""
        swing, progress = self.swing[who], self.progress[who]
        feet = swing[:, :, 0].copy()
        flies = progress < 1.0
        if flies.any():
            made = np.broadcast_to((seconds * self.going[who])[:, None], flies.shape)[flies]
            after = progress[flies] + made
            feet[flies] = glide(swing[flies], np.minimum(made / (1.0 - progress[flies]), 1.0))[:, 0]
            feet[flies, 2] += self.lift[who][flies] * arch(after)
        return feet

    def _supported(self, who, velocity, feet, stands):
        """Return the share of their velocity that bodies may have over their support polygons."""
        speed = np.abs(velocity)
        goes = speed > STANDS * self.animal.speed
        way = np.where(goes, velocity / np.where(goes, speed, 1.0), 1.0) * self.facing[who]
        at = self.at[who] + self.sway[who] * self.facing[who]
        seen = feet - at[:, None]
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

    def _hold(self, before, hips, dt):
        """Take back what would break a limit: of the body, then of feet, then of both."""
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
        # Either the way or the settling of the body may be at fault, or both.
        for names in (GROUND, PLANE, BODY):
            state = after | {name: before[name] for name in names}
            self._take_back(state, BODY, np.logical_or.reduce(legs & ~flies, 1) | belly)
            legs, belly = self._broken(was)
        self.held |= legs
        self._take_back(before, FEET, legs)
        legs, _ = self._broken(was)
        self._carry(legs & (self.progress < 1.0), self.hips - hips)
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

    def _carry(self, feet, way):
        """Let feet that hang in the air and cannot go on go along with their hips."""
        if feet.any():
            self.held |= feet
            self.swing[feet, 0] += way[feet]
            self.left = self._slack()

    def _push_up(self, which, most):
        """Let the ground push up bodies that come into it, by so much at most."""
        by = which * between(ABOVE * self.length - self.left[1], 0.0, most)
        self.plane[:, 2] += by
        self.leaning[which, 2] = np.maximum(self.leaning[which, 2], 0.0)
        self._place_body()
        self.left = self._slack()

    def _lost(self):
        """Return who is far beyond its limits, as when ground rose above it: it may do anything."""
        legs, belly = self.left
        far = -RECOVERS * self.length
        return (np.minimum.reduce(legs, 1) < far) | (belly < far - self.graze)

    def _broken(self, was):
        """Return which legs and bodies are beyond their limits, and were not before."""
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
        """Make parts of the state what they were in another one."""
        if not which.any():
            return
        for name in names:
            getattr(self, name)[which] = state[name][which]
        if names is not FEET:
            self._look()
            self._place_body()
        self.left = self._slack()
