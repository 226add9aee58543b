"""Posture of walkers: their state, and how the body follows the plane through its feet."""

from __future__ import annotations

from typing import Any

import numpy as np

from twobone.core import solver
from twobone.creature import footing, governor
from twobone.creature.anatomy import XZY, Anatomy
from twobone.creature.animals import Animal
from twobone.creature.footing import facing, from_above
from twobone.creature.gait import EARLY, arch, between, settle
from twobone.creature.posture import placed
from twobone.terrain.ground import Terrain

FOLLOW = 9.0  # per second: rate at which the body follows the plane through its feet
LEAN = 14.0  # per second: rate at which it sways over the feet that support it
FALLS = 0.5  # of the leg's length per second: maximum speed down if a leg is too straight
LOW = 0.02  # of the leg's length: minimum clearance below the body before it rises


class Carriage:
    """State of walkers, and the pose of their bodies over their feet."""

    animal: Animal
    terrain: Terrain
    anatomy: Anatomy
    length: float  # of the longest leg
    breadth: float  # maximum horizontal distance of a nominal foothold from the body's middle
    pairs: int  # of legs
    stride: float
    single: bool
    # State that a step changes, for N walkers with L legs. Places and directions seen from above
    # are complex numbers:
    place: Any  # (N, 2): x and z of the body
    heading: Any  # (N)
    motion: Any  # (N, 3): velocity to the left and forward, and turn in radians per second
    phase: Any  # (N), of the gait cycle
    duty_factor: Any  # (N)
    hurry: Any  # (N): factor of the rate of the gait cycle
    swing: Any  # (N, L, 4, 3): position, velocity, acceleration and goal of feet; see `glide`
    progress: Any  # (N, L), of the swing from 0 to 1; 1 is in stance
    going: Any  # (N): progress per second of feet in swing
    lift: Any  # (N, L): height of the swing
    aside: Any  # (N, L), complex: offset from a nominal foothold to a better one
    aims: Any  # (N, L), complex: nominal footholds for which the current goals were chosen
    over: Any  # (N, L), complex: places of the hips when a foot reaches its goal
    fixed: Any  # (N, L), bool: the goal does not change until the foot has landed
    held: Any  # (N, L), bool: the swing could not advance in this step
    late: Any  # (N, L), bool: the swing was held at some time
    stuck: Any  # (N, L), bool: the foot found no ground to step to
    plane: Any  # (N, 3): lean and height of the plane that the body follows
    leaning: Any  # (N, 3): rate of change of `plane`
    goal: Any  # (N, 3): the plane that `plane` approaches
    sway: Any  # (N), complex: offset of the body, in its own space
    swaying: Any  # (N), complex: rate of change of `sway`
    reach: Any  # (N): maximum extension of a leg, as a fraction of its reach
    strain: Any  # (N): the same for the legs in swing when they land
    rise: Any  # (N): how much the body has still to rise
    floor: Any  # (N): minimum height of the plane
    ceiling: Any  # (N): maximum height of the plane
    slack: Any  # distances to limits, see `governor.Slack`
    left: Any  # minimum slack of each leg, (N, L), and of each body, (N)
    waited: Any  # (N): seconds for which orders had no effect
    seeks: Any  # (N, 3): offset of the footholds ahead of a blocked body: left, forward, angle
    # Derived from the above:
    at: Any  # (N), complex: view of `place`
    facing: Any  # (N), complex: rotation by `heading`
    velocity: Any  # (N), complex: view of `motion`, in the body's space
    stands: Any  # (N, L), complex: view of the feet's positions
    axes: Any  # (N, 3, 3): see `posture.axes_of`
    body: Any  # (N, 3)
    hips: Any  # (N, L, 3)
    shown: Any  # body, hips, knees and feet in x, y, z

    def _look(self):
        """Update `facing` and the complex views; a copied walker has other arrays to view."""
        self.facing = facing(self.heading)
        self.at, self.velocity = from_above(self.place), from_above(self.motion)
        self.stands = from_above(self.swing[:, :, 0])

    def _move(self, dt):
        """Move and turn the body by its motion; the feet stay where they are."""
        turn = dt * self.motion[:, 2]
        # The mean heading during the step is that after half the turn.
        self.at += dt * self.velocity * self.facing * np.exp(-0.5j * turn)
        self.heading += turn
        self.facing = facing(self.heading)

    def _nominal_footholds(self, *there):
        """Return the nominal footholds of the body as it is, or at a given place and rotation."""
        at, turned = there or (self.at, self.facing)
        return at[:, None] + turned[:, None] * self.anatomy.footholds

    def _sought(self):
        """Return the place and rotation of the body for which footholds are searched.

        They are ahead of a body that is blocked.
        """
        ahead = from_above(self.seeks) * self.facing
        return self.at + ahead, self.facing * np.exp(-1j * self.seeks[:, 2])

    def _phases(self):
        """Return the phase of each leg, (N, L), in cycles since it should have left the ground."""
        return (self.phase[:, None] - self.animal.gait.offsets(self.pairs, self.duty_factor)) % 1.0

    def _sway(self, dt, rate, swing_fraction):
        """Move the body towards the feet that support it."""
        if any(self.animal.body.sway):
            goal = self._lean(rate, swing_fraction)
            self.sway, self.swaying = settle(self.sway, self.swaying, goal, LEAN, dt)

    def _lean(self, rate, swing_fraction):
        """Return the goal of `sway`, towards the feet that will support the body."""
        # A critically damped spring lags by 2 over its rate, so the goal is taken that far ahead.
        phases = (self._phases() + (rate * (2.0 / LEAN))[:, None]) % 1.0
        fade = np.maximum(0.5 * (self.duty_factor[:, None] - 0.5), 0.02)
        loads = (
            _smooth((1.0 - phases) / fade) * _smooth((phases - swing_fraction[:, None]) / fade)
            + 1e-3
        )
        feet = np.where(self.progress < 1.0, from_above(self.swing[:, :, 3]), self.stands)
        middle = np.add.reduce(loads * feet, 1) / np.add.reduce(loads, 1)
        ahead = self.at + (2.0 / LEAN) * self.velocity * self.facing
        goal = (middle - ahead) * self.facing.conj()
        aside, forward = self.animal.body.sway
        return aside * goal.real + 1j * forward * goal.imag

    def _stand(self):
        """Reset the motion and the pose to standing still on all feet."""
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
        for _ in range(2):  # twice, since the limits of the height follow from the pose
            self._settle_body(np.inf)
        self.left = self._slack()
        self._solve()

    def _settle_body(self, dt):
        """Move the body towards the plane through its feet, at once if `dt` is infinite."""
        body, feet = self.animal.body, self.swing[:, :, 0]
        there = footing.plane_through(feet, self.at, self.facing, self.anatomy.stiff)
        there[:, :2] *= body.tilt
        crouch = 3.0 * self.length * np.maximum(self.reach - body.stretch, 0.0)
        there[:, 2] -= np.minimum(crouch, 0.5 * body.height)
        clear = np.maximum(self._clear(), self.floor)
        low = LOW * self.length - self.left[1]  # positive if a narrow obstacle is close below
        clear = np.where(low > 0.0, np.maximum(clear, self.plane[:, 2] + low), clear)
        self.rise = np.maximum(clear - self.plane[:, 2], 0.0)  # expected when footholds are chosen
        there[:, 2] = np.maximum(there[:, 2], np.minimum(clear, self.ceiling))
        self.goal = there
        if dt == np.inf:
            self.plane, self.leaning = there, np.zeros_like(there)
        else:
            self.plane, self.leaning = settle(self.plane, self.leaning, there, FOLLOW, dt)
        self._place_body()
        self._stay_low(FALLS * self.length * dt)
        to_feet = feet - self.hips
        self.reach = np.maximum.reduce(np.sqrt(np.vecdot(to_feet, to_feet)) / self.anatomy.reach, 1)
        # The body may rise until a leg is nearly straight, and sink until one is folded.
        aside = np.abs(from_above(to_feet)) ** 2
        room = np.sqrt(np.maximum(self.anatomy.long**2 - aside, 0.0)) + to_feet[..., 2]
        self.ceiling = self.plane[:, 2] + np.minimum.reduce(room, 1)
        room = np.sqrt(np.maximum(self.anatomy.short**2 - aside, 0.0)) + to_feet[..., 2]
        self.floor = self.plane[:, 2] + np.maximum.reduce(room, 1)
        self._look_ahead()

    def _place_body(self):
        """Compute the pose of the body and its hips from the plane, the place and the sway."""
        at = self.at + self.sway * self.facing
        self.body, self.axes, self.hips = placed(
            self.anatomy, self.animal.body.height, at, self.facing, self.plane
        )

    def _stay_low(self, most):
        """Lower the body, by at most `most`, if a leg would be too straight."""
        to_feet = self._feet() - self.hips
        long = governor.STRAIGHT * self.anatomy.reach
        aside = np.abs(from_above(to_feet))
        room = np.sqrt(np.maximum(long * long - aside * aside, 0.0)) + to_feet[..., 2]
        lower = np.minimum.reduce(np.where(aside < long, room, 0.0), 1)
        if lower.min() < 0.0:
            lower = np.maximum(np.minimum(lower, 0.0), -most)
            self.plane[:, 2] += lower
            self.leaning[lower < 0.0, 2] = np.minimum(self.leaning[lower < 0.0, 2], 0.0)
            self.body[:, 2] += lower
            self.hips[..., 2] += lower[:, None]

    def _feet(self):
        """Return the positions of the feet, with the lift of their swings."""
        feet = self.swing[:, :, 0].copy()
        feet[..., 2] += self.lift * arch(self.progress)
        return feet

    def _slack(self):
        """Return the minimum slack of each leg, shape (N, L), and of each body, shape (N)."""
        feet = self._feet()
        left = governor.slack(self.terrain, self.anatomy, self.body, self.axes, self.hips, feet)
        self.slack = left
        flies = self.progress < 1.0
        above = feet[..., 2] - footing.heights(self.terrain, from_above(feet))
        above = np.where(flies, above, np.inf)
        legs = np.minimum(np.minimum(left.legs, left.knees), above)
        return legs, left.belly

    def _look_ahead(self):
        """Compute the extension of the legs in swing when their feet reach their goals.

        A goal that will be nearly out of reach is fixed: otherwise the body would slow down for it,
        and that could move the goal still deeper into the hole.
        """
        flies = numbers_of(self.progress < 1.0)
        self.strain = np.zeros(len(self.at))
        if flies.size:
            who, leg = np.divmod(flies, 2 * self.pairs)
            goals = self.swing.reshape(-1, 4, 3)[flies, 3]
            aside = np.abs(from_above(goals) - self.over.take(flies))
            below = self.hips[..., 2].take(flies) - goals[:, 2]
            away, long = np.hypot(aside, below), self.anatomy.long.take(leg)
            np.maximum.at(self.strain, who, away / self.anatomy.reach.take(leg))
            self.fixed.reshape(-1)[flies[away > long]] = True
            room = np.sqrt(np.maximum(long * long - aside * aside, 0.0)) - below
            np.minimum.at(self.ceiling, who, self.plane[:, 2].take(who) + room)

    def _clear(self):
        """Return the height that the plane needs for the body to clear the ground."""
        # A critically damped spring lags by 2 over its rate, so the ground is taken that far ahead.
        at, turned = self._sought()
        ahead = at + (2.0 / FOLLOW) * self.velocity * self.facing
        places = ahead[:, None] + turned[:, None] * self.anatomy.belly
        under = footing.heights(self.terrain, places)
        leans = (from_above(self.plane)[:, None].conj() * self.anatomy.belly).real
        return np.maximum.reduce(under + leans + self.anatomy.low, 1) - self.animal.body.height

    def _tops(self, feet):
        """Return the expected heights of the hips of feet, after the body has risen."""
        return (self.hips[..., 2] + self.rise[:, None]).take(feet)

    def _solve(self):
        """Solve for the knees, and store body, hips, knees and feet as points x, y, z."""
        feet = self.swing[:, :, 0].take(XZY, -1)
        feet[..., 1] += self.lift * arch(self.progress)
        body, hips = self.body.take(XZY, -1), self.hips.take(XZY, -1)
        poles = (self.anatomy.poles @ self.axes).take(XZY, -1)
        knees = hips + solver.solve(feet - hips, *self.anatomy.bones, side=1.0, pole=poles)
        self.shown = body, hips, knees, feet


def numbers_of(mask: Any) -> Any:
    """Return the flat indices of the feet that a mask, shape (N, L), selects."""
    return mask.reshape(-1).nonzero()[0]


def _smooth(t):
    t = between(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)
