"""How a body is carried: over its feet, after the plane through them."""

from __future__ import annotations

from typing import Any

import numpy as np

from twobone.core import solver
from twobone.creature import footing, governor
from twobone.creature.anatomy import XZY, Made
from twobone.creature.animals import Animal
from twobone.creature.footing import facing, from_above
from twobone.creature.gait import EARLY, arch, between, settle
from twobone.creature.posture import placed
from twobone.terrain.ground import Terrain

CARRY = 9.0  # a second: how quickly the body follows its feet
LEAN = 14.0  # a second: how quickly it leans over those that bear it
FALLS = 0.5  # of the leg's length a second: how quickly it comes down for a leg too straight
LOW = 0.02  # of the leg's length: with less below it a body goes higher


class Carriage:
    """The state of walkers, and how their bodies follow from their feet."""

    animal: Animal
    terrain: Terrain
    made: Made
    length: float  # of the longest leg
    breadth: float  # how far the outermost foot is from the middle
    pairs: int  # of legs
    stride: float
    single: bool
    # What a step changes; N walkers of L legs, places and directions seen from above complex:
    place: Any  # (N, 2)
    heading: Any  # (N)
    motion: Any  # (N, 3): to the left and forward; radians a second
    phase: Any  # (N), of the cycle of legs
    duty_factor: Any  # (N)
    hurry: Any  # (N): times their pace
    swing: Any  # (N, L, 4, 3): place, speed, bend, goal of feet; see `glide`
    progress: Any  # (N, L), of the swing; 1: on the ground
    going: Any  # (N): by how much progress goes on in a second
    lift: Any  # (N, L): how high a foot is lifted
    aside: Any  # (N, L): from a home to a better foothold
    aims: Any  # (N, L): footholds for which feet were put where they are, or will be
    over: Any  # (N, L): where hips will be when a foot comes to its goal
    fixed: Any  # (N, L): goals that stay till the foot is there
    held: Any  # (N, L): feet in the air that could not go on
    late: Any  # (N, L): feet in the air that were held up
    stuck: Any  # (N, L): feet that found no ground to go to
    plane: Any  # (N, 3), which the body follows: its lean and its height; and its `goal`
    leaning: Any  # (N, 3), how fast the plane changes
    goal: Any
    sway: Any  # (N), and how fast it changes
    swaying: Any
    reach: Any  # (N), of the leg that is farthest out
    strain: Any  # (N), of the leg that will be
    rise: Any  # (N): how much the body has yet to rise
    floor: Any  # (N): how low and how high the plane may go
    ceiling: Any
    slack: Any  # see `governor`
    left: Any  # what is left until limits: of legs (N, L), of bodies (N)
    waited: Any  # (N): seconds in which orders had no effect
    seeks: Any  # (N, 3): how far its feet then go ahead, to the left and forward, and turned
    # What follows from these:
    at: Any  # (N)
    facing: Any  # (N)
    velocity: Any  # (N)
    stands: Any  # (N, L)
    axes: Any  # (N, 3, 3)
    body: Any  # (N, 3)
    hips: Any  # (N, L, 3)
    shown: Any

    def _look(self):
        """See all from above: views, taken anew since arrays may be others, in a copy say."""
        self.facing = facing(self.heading)
        self.at, self.velocity = from_above(self.place), from_above(self.motion)
        self.stands = from_above(self.swing[:, :, 0])

    def _move(self, dt):
        """Go on with the body, over feet that stay."""
        turn = dt * self.motion[:, 2]
        self.at += dt * self.velocity * self.facing * np.exp(-0.5j * turn)  # on half the turn
        self.heading += turn
        self.facing = facing(self.heading)

    def _homes(self, *there):
        """Return footholds as the body is now, or would be at a place and so turned."""
        at, turned = there or (self.at, self.facing)
        return at[:, None] + turned[:, None] * self.made.footholds

    def _sought(self):
        """Return where footholds are for feet that look for a way: place and rotation."""
        ahead = from_above(self.seeks) * self.facing
        return self.at + ahead, self.facing * np.exp(-1j * self.seeks[:, 2])

    def _phases(self):
        return (self.phase[:, None] - self.animal.gait.offsets(self.pairs, self.duty_factor)) % 1.0

    def _sway(self, dt, rate, share):
        """Go after those feet that bear the body."""
        if any(self.animal.body.sway):
            goal = self._lean(rate, share)
            self.sway, self.swaying = settle(self.sway, self.swaying, goal, LEAN, dt)

    def _lean(self, rate, share):
        """Return how far to lean over the feet that will bear the body when it gets there."""
        # A damped spring is late by 2 over its rate, so it is told that much ahead.
        phases = (self._phases() + (rate * (2.0 / LEAN))[:, None]) % 1.0
        fade = np.maximum(0.5 * (self.duty_factor[:, None] - 0.5), 0.02)
        loads = _smooth((1.0 - phases) / fade) * _smooth((phases - share[:, None]) / fade) + 1e-3
        feet = np.where(self.progress < 1.0, from_above(self.swing[:, :, 3]), self.stands)
        middle = np.add.reduce(loads * feet, 1) / np.add.reduce(loads, 1)
        ahead = self.at + (2.0 / LEAN) * self.velocity * self.facing
        goal = (middle - ahead) * self.facing.conj()
        aside, forward = self.animal.body.sway
        return aside * goal.real + 1j * forward * goal.imag

    def _stand(self):
        """Stand still on all feet, at once."""
        self.reach, self.plane = np.zeros(len(self.at)), np.zeros((len(self.at), 3))
        self.hurry, self.strain = np.ones(len(self.at)), np.zeros(len(self.at))
        self.floor = self.ceiling = np.full(len(self.at), -np.inf)
        self.left = np.full(self.progress.shape, np.inf), np.full(len(self.at), np.inf)
        self.going = np.zeros(len(self.at))
        self.waited, self.seeks = np.zeros(len(self.at)), np.zeros((len(self.at), 3))
        self.held[:] = self.late[:] = self.stuck[:] = False
        self.sway, self.swaying = np.zeros((2, len(self.at)), np.complex128)
        if any(self.animal.body.sway):
            self.sway = self._lean(np.zeros(len(self.at)), EARLY * (1.0 - self.duty_factor))
        for _ in range(2):  # only who stands knows how high it may go
            self._settle_body(np.inf)
        self.left = self._slack()
        self._solve()

    def _settle_body(self, dt):
        """Follow the plane through the feet; at once where dt is infinite."""
        body, feet = self.animal.body, self.swing[:, :, 0]
        there = footing.plane_through(feet, self.at, self.facing, self.made.stiff)
        there[:, :2] *= body.tilt
        crouch = 3.0 * self.length * np.maximum(self.reach - body.stretch, 0.0)
        there[:, 2] -= np.minimum(crouch, 0.5 * body.height)
        clear = np.maximum(self._clear(), self.floor)
        low = LOW * self.length - self.left[1]  # a narrow obstacle below
        clear = np.where(low > 0.0, np.maximum(clear, self.plane[:, 2] + low), clear)
        self.rise = np.maximum(clear - self.plane[:, 2], 0.0)  # what it lacks, for feet to know
        there[:, 2] = np.maximum(there[:, 2], np.minimum(clear, self.ceiling))
        self.goal = there
        if dt == np.inf:
            self.plane, self.leaning = there, np.zeros_like(there)
        else:
            self.plane, self.leaning = settle(self.plane, self.leaning, there, CARRY, dt)
        self._place_body()
        self._stay_low(FALLS * self.length * dt)
        way = feet - self.hips
        self.reach = np.maximum.reduce(np.sqrt(np.vecdot(way, way)) / self.made.reach, 1)
        # As high as it may go until a leg is nearly straight, as low until one is folded.
        aside = np.abs(from_above(way)) ** 2
        room = np.sqrt(np.maximum(self.made.long**2 - aside, 0.0)) + way[..., 2]
        self.ceiling = self.plane[:, 2] + np.minimum.reduce(room, 1)
        room = np.sqrt(np.maximum(self.made.short**2 - aside, 0.0)) + way[..., 2]
        self.floor = self.plane[:, 2] + np.maximum.reduce(room, 1)
        self._look_ahead()

    def _place_body(self):
        """Put the body and its hips where it stands over the plane."""
        at = self.at + self.sway * self.facing
        self.body, self.axes, self.hips = placed(
            self.made, self.animal.body.height, at, self.facing, self.plane
        )

    def _stay_low(self, most):
        """Bring the body down, by so much at most, where a leg would be too straight."""
        way = self._feet() - self.hips
        long = governor.STRAIGHT * self.made.reach
        aside = np.abs(from_above(way))
        room = np.sqrt(np.maximum(long * long - aside * aside, 0.0)) + way[..., 2]
        lower = np.minimum.reduce(np.where(aside < long, room, 0.0), 1)
        if lower.min() < 0.0:
            lower = np.maximum(np.minimum(lower, 0.0), -most)
            self.plane[:, 2] += lower
            self.leaning[lower < 0.0, 2] = np.minimum(self.leaning[lower < 0.0, 2], 0.0)
            self.body[:, 2] += lower
            self.hips[..., 2] += lower[:, None]

    def _feet(self):
        """Return where feet are."""
        feet = self.swing[:, :, 0].copy()
        feet[..., 2] += self.lift * arch(self.progress)
        return feet

    def _slack(self):
        """Return what is left until limits, for legs, shape (N, L), and for bodies, shape (N)."""
        feet = self._feet()
        left = governor.slack(self.terrain, self.made, self.body, self.axes, self.hips, feet)
        self.slack = left
        flies = self.progress < 1.0
        above = feet[..., 2] - footing.heights(self.terrain, from_above(feet))
        above = np.where(flies, above, np.inf)
        legs = np.minimum(np.minimum(left.legs, left.knees), above)
        return legs, left.belly

    def _look_ahead(self):
        """See how far a leg will be out when its foot, now in the air, comes to its goal.

        A goal that is very far stays as it is, since a body that slows down for it could move
        it deeper still into the hole.
        """
        flies = numbers_of(self.progress < 1.0)
        self.strain = np.zeros(len(self.at))
        if flies.size:
            who, leg = np.divmod(flies, 2 * self.pairs)
            goals = self.swing.reshape(-1, 4, 3)[flies, 3]
            aside = np.abs(from_above(goals) - self.over.take(flies))
            below = self.hips[..., 2].take(flies) - goals[:, 2]
            away, long = np.hypot(aside, below), self.made.long.take(leg)
            np.maximum.at(self.strain, who, away / self.made.reach.take(leg))
            self.fixed.reshape(-1)[flies[away > long]] = True
            room = np.sqrt(np.maximum(long * long - aside * aside, 0.0)) - below
            np.minimum.at(self.ceiling, who, self.plane[:, 2].take(who) + room)

    def _clear(self):
        """Return how high the plane must be so that the body on it passes over the ground."""
        # A damped spring is late by 2 over its rate, so it looks that much ahead.
        at, turned = self._sought()
        ahead = at + (2.0 / CARRY) * self.velocity * self.facing
        places = ahead[:, None] + turned[:, None] * self.made.belly
        under = footing.heights(self.terrain, places)
        leans = (from_above(self.plane)[:, None].conj() * self.made.belly).real
        return np.maximum.reduce(under + leans + self.made.low, 1) - self.animal.body.height

    def _tops(self, feet):
        """Return how high hips will be, for all the body can be told now."""
        return (self.hips[..., 2] + self.rise[:, None]).take(feet)

    def _solve(self):
        """Bend the legs: all that is shown of them, in points x, y, z."""
        feet = self.swing[:, :, 0].take(XZY, -1)
        feet[..., 1] += self.lift * arch(self.progress)
        body, hips = self.body.take(XZY, -1), self.hips.take(XZY, -1)
        poles = (self.made.poles @ self.axes).take(XZY, -1)
        knees = hips + solver.solve(feet - hips, *self.made.bones, side=1.0, pole=poles)
        self.shown = body, hips, knees, feet


def numbers_of(mask: Any) -> Any:
    """Return the numbers of feet that a mask, shape (N, L), chooses."""
    return mask.reshape(-1).nonzero()[0]


def _smooth(t):
    t = between(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)
