"""State of walkers: the records that a step of time replaces.

There are N walkers with L legs each. Places and directions seen from above are complex numbers,
points are stored as x, z, y (see `footing`). A step replaces records and does not change them, so
earlier ones can be kept to undo it. Only the arrays of `Feet` and `Footholds` change in place,
because a step changes few feet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.array_types import NDArray
from twobone.core.elementary import CIRCLE, cis
from twobone.creature.anatomy import Anatomy
from twobone.creature.animals import Animal
from twobone.creature.few import some
from twobone.creature.footing import facing, from_above, rotated
from twobone.creature.gait import EARLY, Gait, arch, warp
from twobone.creature.governor import Slack
from twobone.creature.posture import Pose
from twobone.terrain.ground import Terrain


class Course(NamedTuple):
    """Where bodies are on the ground, and how they move over it."""

    place: NDArray[np.complex128]  # (N): x + iz
    heading: NDArray[np.float64]  # (N): radians from +z towards +x
    facing: NDArray[np.complex128]  # (N): rotation by `heading`, see `footing.facing`
    motion: NDArray[np.float64]  # (N, 3): velocity to the left and forward, yaw rate (radians/s)

    @classmethod
    def at(cls, place, heading, motion) -> Course:
        """Return the course of bodies at places (complex) with a heading and a motion."""
        return cls(place, heading, facing(heading), motion)

    def moving(self, motion) -> Course:
        """Return the course with another motion."""
        return Course(self.place, self.heading, self.facing, motion)

    def after(self, dt) -> Course:
        """Return the course after bodies have moved for a time."""
        if engine.KERNEL is not None:
            return engine.KERNEL.course_after(Course, self, dt, CIRCLE)
        place, heading, faces, motion = self
        turn = dt * motion[:, 2]
        # The mean heading during the step is that after half the turn.
        way = rotated(rotated(dt * self.velocity, faces), cis(-0.5 * turn))
        return Course.at(place + way, heading + turn, motion)

    def ahead(self, lead):
        """Return place and facing moved by `lead`, shape (N, 3): left, forward, and an angle."""
        if not some(lead):
            return self.place, self.facing
        there = self.place + rotated(from_above(lead), self.facing)
        return there, rotated(self.facing, cis(-lead[:, 2]))

    @property
    def velocity(self) -> NDArray[np.complex128]:
        """The velocity in the space of the body, shape (N)."""
        return from_above(self.motion)


class Suspension(NamedTuple):
    """How bodies hang over their feet."""

    plane: NDArray[np.float64]  # (N, 3): lean and height of the plane that the body follows
    plane_rate: NDArray[np.float64]  # (N, 3): rate of change of `plane`, per second
    sway: NDArray[np.complex128]  # (N): offset of the body, in its own space
    sway_rate: NDArray[np.complex128]  # (N): rate of change of `sway`, per second
    bend: NDArray[np.float64]  # (N, 2): how far the trunk is bent, see `anatomy.Spine`
    bend_rate: NDArray[np.float64]  # (N, 2): rate of change of `bend`, per second
    spring: NDArray[np.float64]  # (N, 2, 3): offsets of the stiff and the soft spring of `springs`
    spring_rate: NDArray[np.float64]  # (N, 2, 3): rate of change of `spring`, per second
    bounce: NDArray[np.float64]  # (N, 3): by how much they change the plane over which the body is

    @classmethod
    def still(cls, n) -> Suspension:
        """Return the suspension of N level bodies at rest."""
        level, middle, straight = np.zeros((n, 3)), np.zeros(n, np.complex128), np.zeros((n, 2))
        spring = np.zeros((n, 2, 3))
        # Adding -0.0 changes no bit, not even the sign of a zero.
        springs = spring, spring, np.full((n, 3), -0.0)
        return cls(level, level, middle, middle, straight, straight, *springs)

    @property
    def carried(self) -> NDArray[np.float64]:
        """The plane over which the body is, with its bounce; shape (N, 3)."""
        return self.plane + self.bounce


class Feel(NamedTuple):
    """What makes bodies lively besides their feet."""

    seconds: NDArray[np.float64]  # (N): the time in which they breathe
    velocity: NDArray[np.complex128]  # (N): that of the body in its own space, a step ago


class Ends(NamedTuple):
    """How heads and tails move, see `following`."""

    look: NDArray[np.float64]  # (N): radians to the left by which the head looks aside
    look_rate: NDArray[np.float64]  # (N): rate of change of `look`, per second
    lag: NDArray[np.float64]  # (N, 3): offset of the middle of the tail
    lag_rate: NDArray[np.float64]  # (N, 3): rate of change of `lag`, per second
    middle: NDArray[np.float64]  # (N, 3): where it is without the offset, a step ago
    velocity: NDArray[np.float64]  # (N, 3): of `middle`


class Feet(NamedTuple):
    """Where feet are, and how they move through the air."""

    swing: NDArray[np.float64]  # (N, L, 4, 3): position, velocity, acceleration, goal; see `glide`
    progress: NDArray[np.float64]  # (N, L): fraction of the time of the swing; 1 is in stance
    lift: NDArray[np.float64]  # (N, L): height of the swing
    soles: NDArray[np.float64]  # (N, L, 2, 3): lean (x and z, see `footing.leans`) and heading of
    # the foot now, and those with which it will stand on its goal
    spread: NDArray[np.float64]  # (N, L): how far the knee is turned outward, see `knees`
    poles: NDArray[np.float64]  # (N, L, 3): pole vectors of the legs in the body's space

    @classmethod
    def standing(cls, points, leans, heading, poles) -> Feet:
        """Return feet in stance at points (N, L, 3), with leans (N, L) and headings (N).

        `poles` are those of the legs, of a shape that broadcasts to that of the points.
        """
        swing = np.zeros((*points.shape[:2], 4, 3))
        swing[:, :, [0, 3]] = points[:, :, None]
        soles = standing_soles(leans, heading[:, None])
        nothing = np.zeros(points.shape[:2])
        poles = np.broadcast_to(poles, points.shape).copy()
        return cls(swing, nothing + 1.0, nothing, soles, nothing.copy(), poles)

    def copy(self) -> Feet:
        """Return feet that do not change with these."""
        if engine.KERNEL is not None:
            return engine.KERNEL.copied(Feet, self)
        return Feet(*(part.copy() for part in self))

    @property
    def flies(self) -> NDArray[np.bool]:
        """Which feet are in swing, shape (N, L)."""
        if engine.KERNEL is not None:
            return engine.KERNEL.flies(self.progress)
        return self.progress < 1.0

    @property
    def places(self) -> NDArray[np.complex128]:
        """Where the feet are seen from above, shape (N, L); a view."""
        return from_above(self.swing[:, :, 0])

    @property
    def flat(self) -> NDArray[np.float64]:
        """The swings of the feet of all walkers, shape (N L, 4, 3); a view."""
        return self.swing.reshape(-1, 4, 3)

    @property
    def flat_soles(self) -> NDArray[np.float64]:
        """The soles of the feet of all walkers, shape (N L, 2, 3); a view."""
        return self.soles.reshape(-1, 2, 3)

    def points(self) -> NDArray[np.float64]:
        """Return the positions of the feet with the lift of their swings, shape (N, L, 3)."""
        if engine.KERNEL is not None:
            return engine.KERNEL.foot_points(self)
        points = self.swing[:, :, 0].copy()
        points[..., 2] += self.lift * arch(warp(self.progress))
        return points


def standing_soles(leans, heading) -> NDArray[np.float64]:
    """Return the soles of feet that stand, (..., 2, 3), with leans (...) and headings."""
    soles = np.empty((*leans.shape, 2, 3))
    from_above(soles)[...] = leans[..., None]
    soles[..., 2] = heading[..., None]
    return soles


class Footholds(NamedTuple):
    """The choice of footholds, and what keeps feet from reaching them."""

    nominal: NDArray[np.complex128]  # (N, L): nominal footholds for which the goals were chosen
    offset: NDArray[np.complex128]  # (N, L): from a nominal foothold to a better one near it
    hips: NDArray[np.complex128]  # (N, L): places of the hips when the feet reach their goals
    fixed: NDArray[np.bool]  # (N, L): the goal does not change until the foot has landed
    stuck: NDArray[np.bool]  # (N, L): the foot found no ground to step to
    held: NDArray[np.bool]  # (N, L): a limit kept the swing from advancing in the last step
    late: NDArray[np.bool]  # (N, L): the swing has been held since it began
    waits: NDArray[np.bool]  # (N, L): the foot should lift, but the others do not bear the body yet
    hangs: NDArray[np.bool]  # (N, L): the foot found no ground, and steps in the air meanwhile

    @classmethod
    def at(cls, nominal) -> Footholds:
        """Return the footholds of feet that stand on their nominal footholds (N, L)."""
        no = [np.zeros(nominal.shape, bool) for _ in range(6)]
        return cls(nominal, np.zeros_like(nominal), nominal.copy(), *no)


class Cycle(NamedTuple):
    """The gait cycle."""

    phase: NDArray[np.float64]  # (N), in cycles
    duty_factor: NDArray[np.float64]  # (N): fraction of a cycle that a foot is on the ground
    hurry: NDArray[np.float64]  # (N): factor of `rate`, 1 in an undisturbed walk
    rate: NDArray[np.float64]  # (N): cycles per second
    least: NDArray[np.float64]  # (N): minimum of `rate` while a foot is in swing or has strayed
    swing_rate: NDArray[np.float64]  # (N): progress per second of feet in swing

    @property
    def swing_fraction(self) -> NDArray[np.float64]:
        """The fraction of a cycle that a swing takes, shape (N)."""
        return EARLY * (1.0 - self.duty_factor)

    def leg_phases(self, gait: Gait, pairs: int) -> NDArray[np.float64]:
        """Return the cycles since each leg should have left the ground, shape (N, L)."""
        if engine.KERNEL is not None:
            return engine.KERNEL.leg_phases(self, gait.line(pairs))
        return (self.phase[:, None] - gait.offsets_at(self.duty_factor, pairs)) % 1.0


class Delay(NamedTuple):
    """How long commands have had no effect, and what is done about it."""

    seconds: NDArray[np.float64]  # (N): for which the walker has moved much less than it was told
    lead: NDArray[np.float64]  # (N, 3): offset of the footholds: left, forward, angle in radians


class Limits(NamedTuple):
    """What legs and ground allow a body in its pose; the next step goes by it."""

    goal: NDArray[np.float64]  # (N, 3): the plane that `Suspension.plane` approaches
    bend: NDArray[np.float64]  # (N, 2): the bend that `Suspension.bend` approaches
    rise: NDArray[np.float64]  # (N): how much the body has still to rise
    floor: NDArray[np.float64]  # (N): minimum height of the plane, above which no leg is folded
    ceiling: NDArray[np.float64]  # (N): maximum height of the plane, below which no leg is straight
    reach: NDArray[np.float64]  # (N): maximum extension of a leg, as a fraction of its reach
    strain: NDArray[np.float64]  # (N): the same for the legs in swing when they land

    @classmethod
    def unknown(cls, n) -> Limits:
        """Return the limits of bodies whose pose is not yet known, which allow everything."""
        nothing, low = np.zeros(n), np.full(n, -np.inf)
        return cls(np.zeros((n, 3)), np.zeros((n, 2)), nothing, low, low, nothing, nothing)


@dataclass(slots=True)
class State:
    """The state of N walkers of one kind, and what it depends on."""

    animal: Animal
    anatomy: Anatomy  # of the animal
    terrain: Terrain
    course: Course
    suspension: Suspension
    feel: Feel
    ends: Ends
    feet: Feet
    footholds: Footholds
    cycle: Cycle
    delay: Delay
    pose: Pose  # follows from course and suspension
    limits: Limits
    slack: Slack  # distances to the limits in this pose

    def rows(self, which) -> State:
        """Return a copy of the state of those walkers that indices or a mask select."""
        return State(
            self.animal,
            self.anatomy,
            self.terrain,
            rows(self.course, which),
            rows(self.suspension, which),
            rows(self.feel, which),
            rows(self.ends, which),
            rows(self.feet, which),
            rows(self.footholds, which),
            rows(self.cycle, which),
            rows(self.delay, which),
            rows(self.pose, which),
            rows(self.limits, which),
            rows(self.slack, which),
        )


def rows(record, which):
    """Return the rows of all arrays of a record that indices, a mask or a slice select."""
    return type(record)(*(part[which] for part in record))


def mixed(now, then, which):
    """Return a record with the rows that a mask selects taken from another record."""
    parts = [part.copy() for part in now]
    for part, earlier in zip(parts, then, strict=True):
        part[which] = earlier[which]
    return type(now)(*parts)


def flat_indices(mask) -> NDArray[np.intp]:
    """Return the indices, among the feet of all walkers, that a mask (N, L) selects."""
    return mask.reshape(-1).nonzero()[0]
