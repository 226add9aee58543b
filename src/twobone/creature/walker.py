"""Walkers: animals that go where they are told, on legs that `twobone.solve` bends.

A foot on the ground stays where it was put, to the last bit. All else follows from feet: when
one leaves the ground it makes for where its home will be in the middle of the next stance, and
the body's height and tilt are those of a plane through the feet.

One walker costs as much as NumPy is called, so it is called seldom: places seen from above are
complex numbers and points lie as x, z, y (see `footing`), what does not change is prepared once
(`Made`), and what only who looks on needs is made at the end of a step (`_solve`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core import solver
from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import animals, footing, governor
from twobone.creature.anatomy import SLOW_FROM, XZY, made
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.arguments import finite, forward, like
from twobone.creature.footing import facing, from_above
from twobone.creature.gait import EARLY, LOCK, arch, between, glide, settle
from twobone.creature.polygons import signed_distance
from twobone.creature.posture import placed, rotation_of
from twobone.creature.terrain import Ground, as_terrain
from twobone.errors import CreatureError

STEP = 1.0 / 120.0  # seconds: longer steps are taken in pieces
EASE = 5.0  # a second: how quickly speed follows what is asked
CARRY = 9.0  # a second: how quickly the body follows its feet
LEAN = 14.0  # a second: how quickly it leans over those that bear it
SLOW_TO = 0.95  # of reach: from SLOW_FROM on it slows down, here to nothing
WAIT = 0.3  # of their pace is left to legs while one goes as far as that, till the body comes after
STRAY = 0.04  # of the leg's length: a foot farther from home steps, also when it stands
RESTLESS = 0.25  # of the pace at full speed: the least while a foot is in the air or away
LATE = 0.6  # of a stride: legs go faster while a foot stands farther from home, as at a start
HURRY = 12.0  # a second: how quickly they do
LONGEST = 3600.0  # seconds in one step
LOST = 2.0  # of the leg's length: a foot farther from home is put there at once
NIMBLE = 1.35  # times full speed: how fast the outermost foot may go round as it turns
SLIM = 0.3  # of the leg's length: no animal counts as narrower, and turns faster
CURVED = 0.6  # of full speed is lost at the fastest turn
AGILE = 6.0  # a second: how quickly speed changes at most, over full speed
SPARE = 0.045  # of the leg's length: how far inside its support polygon a body stays
ROOM = 0.05  # of the leg's length: how far inside the polygon of all its feet
SURE = 1.0 / 15.0  # seconds: how soon a body may come to the edge of its polygon
HIGHEST = 5.0  # times the usual height: how high feet are lifted over obstacles
RECOVERS = 0.05  # of the leg's length: farther beyond its limits a body may do anything
JUMP = 0.03  # of the leg's length: ground that meets the body faster than this is an edge
LEAD = 0.25  # of the leg's length: how far a body on two legs goes ahead of both feet
PATIENCE = 1.0  # seconds: who does not get on for so long is blocked
LOW = 0.01  # of the leg's length: with less below it a body goes higher
DIP = 0.1  # of the leg's length: how much bodies come down for feet that go far
FREE = 1e9  # slack of what has no limit


GROUND = ("place", "heading")
BODY = (*GROUND, "plane", "leaning", "sway", "swaying")
FEET = ("swing", "progress", "lift")
LATE_BY = governor.SHARES * governor.BRAKE
# What `settle` makes of what a body is away from its goal, and of its speed, so much later.
SOON = np.exp(-CARRY * LATE_BY) * (1.0 + CARRY * LATE_BY)
LATER = np.exp(-CARRY * LATE_BY) * LATE_BY
SWINGS = np.exp(-LEAN * LATE_BY) * LATE_BY


class Stance(NamedTuple):
    """Where walkers are: arrays of shape (N, ...), without N for a single one."""

    body_position: NDArray[np.float64]  # (N, 3)
    body_rotation: NDArray[np.float64]  # (N, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (N, L, 3)
    knees: NDArray[np.float64]
    feet: NDArray[np.float64]
    stance: NDArray[np.bool]  # (N, L), bool: the foot is on the ground


class Walker:
    """An animal on some ground, or many of them.

    Parameters
    ----------
    animal : Animal or str
        What walks: one of `ANIMALS` or your own.
    terrain : terrain, callable or number
        What it walks on; see `as_terrain`.
    count : int, optional
        How many walk, all at once; their arrays then have a first axis. They start at
        `position`, shape (count, 2).
    position : array, shape (2) or (count, 2)
        x and z.
    heading : number or array, shape (count)
        Radians from +z towards +x, to the left.

    Notes
    -----
    y is up, +z forward, +x to the left. The same orders lead to the same walk, to the bit. Steps
    of time longer than 1/120 s are taken in pieces: at 30, 60 and 120 frames a second a walk
    is the same to the bit too; at 144 bodies are within .2 % of the leg's length of it and feet
    within 3 %, and do not drift apart.

    Nothing that is done to a walker stops it: carried off by `put`, on ground that rises above it,
    after seconds in one step, it gets back on its feet. Until then legs may be straight and feet
    out of reach, and a recording's `measures` tell so.

    Animals with six legs or more are stable while they stand still at any moment of their
    walk; four are by swaying; two fall like all who walk on two legs, if one asks for statics:
    they are carried by a body that goes on.

    Examples
    --------
    >>> from twobone.creature import Walker
    >>> walker = Walker("insect")
    >>> for _ in range(60):
    ...     walker.step(1 / 60, 1.0)
    >>> bool(walker.stance.body_position[2] > 0.5)
    True
    """

    def __init__(
        self,
        animal: AnimalName | Animal,
        terrain: Ground = 0.0,
        *,
        count: int | None = None,
        position: ArrayLike[Any] = (0.0, 0.0),
        heading: ArrayLike[Any] = 0.0,
    ) -> None:
        self.animal = animals.check(animals.as_animal(animal))
        self.terrain = as_terrain(terrain)
        self.single = count is None
        if not (count is None or (type(count) is int and count > 0)):
            raise CreatureError("count", "be a whole number above 0", repr(count))
        n = count or 1
        self.made = made(self.animal)
        self.length = animals.length(self.animal)
        self.pairs = len(self.made.homes) // 2
        self.breadth = max(SLIM * self.length, float(np.max(np.abs(self.made.homes))))
        self.stride = self.animal.gait.stride * self.length
        self.place, self.heading = np.empty((n, 2)), np.empty(n)
        self._stand_at(position, heading)
        self.motion = np.zeros((n, 3))  # left and forward; radians a second
        self.phase = np.zeros(n)
        self.duty = np.full(n, self.animal.gait.duty_at(0.0))
        self.swing = np.zeros((n, 2 * self.pairs, 4, 3))  # place, speed, bend, goal: see `glide`
        self._look()
        self.swing[:, :, [0, 3]] = footing.on_ground(self.terrain, self._homes())[:, :, None]
        self.progress = np.ones((n, 2 * self.pairs))  # of the swing; 1: on the ground
        self.fixed = np.zeros(self.progress.shape, bool)  # aims that stay till the foot is there
        self.held = np.zeros(self.progress.shape, bool)  # feet in the air that could not go on
        self.late = np.zeros(self.progress.shape, bool)  # feet in the air that were held up
        self.stuck = np.zeros(self.progress.shape, bool)  # feet that found no ground to go to
        self.lift = np.zeros(self.progress.shape)
        self.aside = np.zeros(self.progress.shape, np.complex128)  # to a better foothold
        self.aims = self._homes()  # homes for which feet were put where they are, or will be
        self.over = self._homes()  # where hips will be when a foot comes to its goal
        self._begin()

    def __repr__(self):
        count = "" if self.single else f", count={len(self.place)}"
        return f"Walker({self.animal.name!r}, {self.terrain!r}{count})"

    # --- what one asks of it ------------------------------------------------------------

    def step(self, dt: float, velocity: ArrayLike[Any] = 0.0, turn: ArrayLike[Any] = 0.0) -> None:
        """Walk on.

        Parameters
        ----------
        dt : float
            Seconds.
        velocity : number or array, shape (2) or (count, 2)
            Forward, or to the left and forward, in units of length a second.
        turn : number or array, shape (count)
            Radians a second, to the left.

        Raises
        ------
        CreatureError
            If a number is not finite or beyond 1e9, or the ground has no heights.
        """
        seconds = finite("dt", dt)
        if seconds.shape or not 0.0 <= seconds <= LONGEST:
            wanted = f"be a number of seconds, 0 or more, at most {LONGEST:g}"
            raise CreatureError("dt", wanted, str(seconds))
        asked = np.empty(self.motion.shape)
        asked[:, :2] = like("velocity", forward(finite("velocity", velocity)), asked[:, :2])
        asked[:, 2] = like("turn", finite("turn", turn), asked[:, 2])
        self._limit(asked)
        pieces = max(1, math.ceil(float(seconds) / STEP - 1e-9))
        for _ in range(pieces if seconds > 0.0 else 0):
            self._step(float(seconds) / pieces, asked)
        self._solve()

    @property
    def blocked(self) -> bool | NDArray[np.bool]:
        """Whether ground that it cannot cross keeps it from going on; an array if it is many.

        For a second it went less than a tenth as fast as it was told to.
        """
        found = self.waited >= PATIENCE
        return bool(found[0]) if self.single else found

    def _wait(self, dt, asked):
        """Count for how long orders had no effect."""
        told, goes = (
            np.hypot(motion[:, 0], motion[:, 1]) + self.breadth * np.abs(motion[:, 2])
            for motion in (asked, self.motion)
        )
        waits = (told > 0.02 * self.animal.speed) & (goes < 0.1 * told)
        self.waited = np.where(waits, self.waited + dt, 0.0)

    def _limit(self, asked):
        """Bring orders down to what the animal can do."""
        full = self.animal.speed
        most = NIMBLE * full / self.breadth
        asked[:, 2] = np.minimum(np.maximum(asked[:, 2], -most), most)
        speed = np.hypot(asked[:, 0], asked[:, 1])
        fast = full * (1.0 - CURVED * (asked[:, 2] / most) ** 2)
        asked[:, :2] *= (fast / np.maximum(speed, fast))[:, None]

    def shove(self, velocity: ArrayLike[Any]) -> None:
        """Push the body: it gets a velocity, to the left and forward, and its legs step after it.

        Parameters
        ----------
        velocity : array, shape (2) or (count, 2)
        """
        push = forward(finite("velocity", velocity))
        self.motion[:, :2] += like("velocity", push, self.motion[:, :2])

    def put(self, position: ArrayLike[Any], heading: ArrayLike[Any] = 0.0) -> None:
        """Put it elsewhere at once; it stands there on all its feet."""
        self._stand_at(position, heading)
        self.motion[:] = 0.0
        self._look()
        self._plant(np.ones(self.progress.shape, bool), self._homes())
        self._begin()

    def _begin(self):
        """Stand on all feet, at home or, where there is a ditch, beside it."""
        self._stand()
        lost = np.minimum.reduce(self.left[0], 1) < 0.0
        if lost.any():
            self._find_stand(lost)
            self._stand()

    def _find_stand(self, lost):
        """Put feet of some walkers beside their homes where these do not bear them."""
        homes = self._homes()
        points = self.swing[:, :, 0].reshape(-1, 3)
        level = np.median(self.swing[:, :, 0, 2], 1)
        hips = self.at[:, None] + self.facing[:, None] * self.made.under
        tops = level[:, None] + self.animal.body.height + self.made.hips[:, 2]
        legs = footing.Legs(
            self.swing.reshape(-1, 4, 3),
            np.zeros(len(points)),
            hips.reshape(-1),
            hips.reshape(-1),
            tops.reshape(-1),
            np.tile(self.made.bears, len(homes)),
            np.concatenate([hips.reshape(-1, 1).view(np.float64), tops.reshape(-1, 1)], 1),
            np.zeros(len(points)),
            np.zeros(len(points)),
            np.inf,
        )
        good, _ = footing.bears(self.terrain, points[:, None], legs, self.length)
        feet = (~good[:, 0] & np.repeat(lost, 2 * self.pairs)).nonzero()[0]
        if feet.size:
            found = footing.search(self.terrain, homes.take(feet), legs.some(feet), self.length)
            none = (~found[1]).nonzero()[0]
            if none.size:
                x, z = self.place[feet[none[0]] // (2 * self.pairs)].tolist()
                wanted = "be where all feet find ground within reach"
                raise CreatureError("position", wanted, f"({x:g}, {z:g})")
            self.swing.reshape(-1, 4, 3)[feet[:, None], [0, 3]] = found[0][:, None]

    def _stand_at(self, position, heading):
        self.place[:] = like("position", finite("position", position), self.place)
        self.heading[:] = like("heading", finite("heading", heading), self.heading)

    @property
    def stance(self) -> Stance:
        """Where it is: a `Stance`."""
        body, hips, knees, feet = self.shown
        rotation = rotation_of(self.plane, self.heading)
        found = Stance(body, rotation, hips, knees, feet, self.progress >= 1.0)
        return Stance(*(part[0] for part in found)) if self.single else found

    # --- a short step of time ---------------------------------------------------------------

    def _look(self):
        """See all from above: views, taken anew since arrays may be others, in a copy say."""
        self.facing = facing(self.heading)
        self.at, self.velocity = from_above(self.place), from_above(self.motion)
        self.stands = from_above(self.swing[:, :, 0])

    def _step(self, dt, asked):
        self._look()
        before = self._kept()
        self._ease(dt, asked)
        self._brake()
        self._move(dt)
        (strayed, away), full = self._strayed(), self.animal.speed
        flies, by = self.progress < 1.0, self._fastest()
        restless = np.logical_or.reduce(away | flies, 1)
        rate = np.maximum(self.duty * by, RESTLESS * full * restless) / self.stride
        # Feet in the air go on as the cycle does, so its pace must not jump.
        late = np.maximum.reduce(strayed * ~flies, 1) / (LATE * self.stride)
        goal = between(late, 1.0, 1.4) * (WAIT + (1.0 - WAIT) * pace(self.strain))
        self.hurry += (1.0 - math.exp(-HURRY * dt)) * (goal - self.hurry)
        rate *= self.hurry
        cycles = dt * rate
        self.late &= flies
        waits = np.logical_or.reduce(self.late, 1)  # for a foot that takes longer than it should
        self._go_on(np.where(waits, 0.0, cycles), by / full)
        share = EARLY * (1.0 - self.duty)  # of a cycle that a foot is in the air
        starts = self._starts(share, away | (by > 0.02 * full)[:, None])
        self._swing_feet(starts, cycles / share, rate, share)
        self._sway(dt, rate, share)
        self._settle_body(dt)
        self._hold(before)
        self._wait(dt, asked)

    def _ease(self, dt, asked):
        """Change speed towards what is asked."""
        slow = pace(np.maximum(self.reach, self.strain))
        follow = 1.0 - math.exp(-EASE * dt)
        change = follow * (asked * slow[:, None] - self.motion)
        most = AGILE * dt * self.animal.speed
        change[:, :2] *= (most / np.maximum(np.hypot(change[:, 0], change[:, 1]), most))[:, None]
        self.motion += change

    def _brake(self):
        """Slow down so that no leg, knee, belly or support comes to its limit."""
        share = self._share(self.motion)
        slow = ((share < 1.0) & ~self._lost()).nonzero()[0]
        if not slow.size:
            return
        # Who cannot go on may still turn: a mean of both is as safe as they are.
        turning = self.motion * [0.0, 0.0, 1.0]
        turns = self._share(turning)[slow, None] * turning[slow]
        share = share[slow, None]
        self.motion[slow] = share * (share * self.motion[slow]) + (1.0 - share) * turns
        self.velocity = from_above(self.motion)

    def _share(self, motion):
        """Return the share of a motion that bodies may have."""
        velocity = from_above(motion)
        count, legs = self.progress.shape
        later = governor.SHARES * governor.BRAKE
        turns = np.exp(-1j * motion[:, 2:] * later)
        turned = self.facing[:, None] * turns
        at = self.at[:, None] + later * (velocity * self.facing)[:, None] * np.sqrt(turns)
        plane = (
            SOON[:, None] * (self.plane - self.goal)[:, None]
            + LATER[:, None] * self.leaning[:, None]
        )
        plane += self.goal[:, None]
        plane[..., 2] -= later * (from_above(self.goal).conj() * velocity).real[:, None]
        over = at + self.sway[:, None] * turned
        at += (self.sway[:, None] + SWINGS * self.swaying[:, None]) * turned
        body, axes, hips = placed(
            self.made,
            self.animal.body.height,
            at.reshape(-1),
            turned.reshape(-1),
            plane.reshape(-1, 3),
        )
        flies = self.progress < 1.0
        feet = np.where(flies[..., None], self.swing[:, :, 3], self.swing[:, :, 0])
        many = np.repeat(feet, len(later), 0)
        left = governor.slack(self.terrain, self.made, body, axes, hips, many)
        # Of a foot in the air it counts how far the body goes away from where it will land.
        over = over[:, :, None] + turned[:, :, None] * self.made.under
        drop = self.hips[..., 2] - feet[..., 2]
        room = np.maximum((governor.STRAIGHT * self.made.reach) ** 2 - drop * drop, 0.0)
        away = np.sqrt(room)[:, None] - np.abs(from_above(feet)[:, None] - over)
        many = np.repeat(flies, len(later), 0)
        left.legs[many] = away.reshape(many.shape)[many]
        left.knees[many] = FREE
        belly = left.belly.reshape(count, -1)
        steep = np.diff(belly, append=belly[:, -1:]) < -JUMP * self.length
        later_steep = np.roll(steep, 1, 1)
        left = left._replace(
            belly=(belly + np.where(later_steep, 0.0, self.made.graze)).reshape(-1)
        )
        share = governor.free_share(left.all().reshape(count, len(later), -1))
        return np.minimum(share, self._supported(velocity, from_above(feet), ~flies))

    def _supported(self, velocity, feet, stands):
        """Return the share of their velocity that bodies may have over their support polygons."""
        speed = np.abs(velocity)
        way = np.where(speed > 0.0, velocity / np.where(speed > 0.0, speed, 1.0), 1.0) * self.facing
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

    def _move(self, dt):
        """Go on with the body, over feet that stay."""
        turn = dt * self.motion[:, 2]
        self.at += dt * self.velocity * self.facing * np.exp(-0.5j * turn)  # on half the turn
        self.heading += turn
        self.facing = facing(self.heading)

    def _homes(self):
        """Return homes as the body is now."""
        return self.at[:, None] + self.facing[:, None] * self.made.homes

    def _strayed(self):
        """Return how far feet are from home, and which should go there; bring those that are lost.

        A foot may stand beside its home: what counts is how far that has gone since.
        """
        homes = self._homes()
        away = np.abs(self.stands - homes)
        if away.max() > LOST * self.length:
            lost = away > LOST * self.length
            self._plant(lost, homes)
            away[lost] = 0.0
        return away, np.abs(self.aims - homes) > STRAY * self.length

    def _plant(self, which, homes):
        """Put feet on the ground at home."""
        planted = np.zeros((np.count_nonzero(which), 4, 3))
        planted[:, [0, 3]] = footing.on_ground(self.terrain, homes[which])[:, None]
        self.swing[which], self.progress[which] = planted, 1.0
        self.aims[which] = homes[which]

    def _fastest(self):
        """Return how fast the ground goes by under the fastest foot."""
        turning = self.motion[:, 2:] * self.made.whirl
        return np.maximum.reduce(np.abs(self.velocity[:, None] + turning), 1)

    def _go_on(self, cycles, speed):
        """Go on in the cycle of legs, and change the duty to that of a share of full speed."""
        self.phase += cycles
        change = self.animal.gait.duty_at(speed) - self.duty
        most = 0.3 / self.pairs * cycles  # so that no leg's phase ever goes back
        self.duty += np.maximum(np.minimum(change, most), -most)

    def _phases(self):
        return (self.phase[:, None] - self.animal.gait.offsets(self.pairs, self.duty)) % 1.0

    # --- feet in the air; `feet` are numbers of feet, those of all walkers counted on -----------

    def _starts(self, share, wanted):
        """Return the feet that leave the ground now."""
        starts = (self._phases() < 0.5 * share[:, None]) & (self.progress >= 1.0) & wanted
        if not np.count_nonzero(starts):
            return _feet(starts)
        # Neighbours on a side never swing together.
        swings = np.zeros((len(starts), starts.shape[1] + 4), bool)
        swings[:, 2:-2] = self.progress < 1.0
        return _feet(self._steady(starts & ~swings[:, 4:] & ~swings[:, :-4]))

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

    def _swing_feet(self, starts, made, rate, share):
        """Go on with all that are in the air, by some progress of theirs; some start now."""
        self.progress.reshape(-1)[starts] = 0.0
        self.fixed.reshape(-1)[starts] = False
        aims = _feet((self.progress < LOCK) & ~self.fixed | self.held)
        if aims.size:
            plain, under, over = self._footholds(rate, share)
            if starts.size:
                self._lift_feet(starts, plain.take(starts), over.take(starts))
            self.over.reshape(-1)[aims] = over.take(aims)
            self._swing_anew(self.held)
            self._aim(aims, starts, plain.take(aims), under.take(aims), over.take(aims))
        flies = _feet(self.progress < 1.0)
        if flies.size:
            self._fly(flies, made.take(flies // (2 * self.pairs)))

    def _footholds(self, rate, share):
        """Return homes and hips as they will be in the middle of the next stance, from above.

        And hips as they will be when it begins, as feet land.
        """
        rate = np.maximum(rate, RESTLESS * self.animal.speed / self.stride)
        left = (1.0 - self.progress) * share[:, None]
        rest = 0.5 * self.duty[:, None] / rate[:, None]
        ahead = left / rate[:, None] + rest
        half = np.exp(-0.5j * self.motion[:, 2:] * ahead)  # of the turn until then
        middle = self.facing[:, None] * half  # on the way there
        way, there = middle * self.velocity[:, None], middle * half
        place = self.at[:, None] + ahead * way
        under, back = place + there * self.made.under, rest * self.velocity[:, None] * there
        return place + there * self.made.homes, under, under - back

    def _lift_feet(self, feet, plain, over):
        """Choose footholds near plain ones, and how high to lift feet on the way there."""
        start, leg = self.swing.reshape(-1, 4, 3)[feet, 0], feet % (2 * self.pairs)
        near, far = self.made.near.take(leg), self.made.long.take(leg)
        legs = footing.Standing(start, over, self._tops(feet), near, far)
        aside = footing.better(self.terrain, plain, self.length, legs)
        there = footing.on_ground(self.terrain, plain + aside)
        clearance = self.animal.gait.lift * self.length
        self.aside.reshape(-1)[feet] = aside
        self.lift.reshape(-1)[feet] = footing.lift_over(self.terrain, start, there, clearance)

    def _swing_anew(self, held):
        """Let feet that could not go on in the air begin a swing where they are."""
        if held.any():
            feet = self._feet()[held]
            self.swing[held] = 0.0
            self.swing[held, 0], self.progress[held], self.lift[held] = feet, 0.0, 0.0

    def _aim(self, feet, starts, plain, under, over):
        """Choose where feet will land, within reach of where hips will be.

        A foot in the air whose goal turns bad keeps the goal it had, or looks for another one; a
        foot on the ground that finds none stays there.
        """
        leg, swings = feet % (2 * self.pairs), self.swing.reshape(-1, 4, 3)
        tops = self._tops(feet)
        goals = footing.within_reach(
            self.terrain, plain + self.aside.take(feet), under, tops, self.made.used.take(leg)
        )
        clearance = self.animal.gait.lift * self.length
        legs = footing.Legs(
            swings[feet],
            self.progress.take(feet),
            over,
            under,
            tops - DIP * self.length,
            self.made.bears.take(leg),
            self.hips.reshape(-1, 3)[feet],
            self.made.fold.take(leg),
            self.lift.take(feet),
            HIGHEST * clearance,
        )
        good, lifts = (
            part[:, 0] for part in footing.bears(self.terrain, goals[:, None], legs, self.length)
        )
        good |= self._lost().take(feet // (2 * self.pairs))
        starts, held = np.isin(feet, starts), self.held.take(feet)
        if not (good & ~held).all():
            old = footing.bears(self.terrain, swings[feet, 3][:, None], legs, self.length)
            keeps = old[0][:, 0] & ~good & ~starts & ~held
            goals[keeps], lifts[keeps] = swings[feet[keeps], 3], old[1][keeps, 0]
            seeks = (held | ~(good | keeps)).nonzero()[0]
            found = footing.search(
                self.terrain,
                plain[seeks],
                legs.some(seeks),
                self.length,
                self._room_for(feet[seeks]),
            )
            goals[seeks], good[seeks], lifts[seeks] = found
            good |= keeps
            self.aside.reshape(-1)[feet[seeks]] = from_above(found[0]) - plain[seeks]
        self.stuck.reshape(-1)[feet] = ~good
        self.progress.reshape(-1)[feet[starts & ~good]] = 1.0
        feet, goals, lifts, aims = feet[good], goals[good], lifts[good], plain[good]
        self.aims.reshape(-1)[feet] = aims
        swings[feet, 3] = goals
        self._raise(feet, lifts)

    def _room_for(self, feet):
        """Return what says of points whether knees are above the ground with feet there."""
        who, leg = np.divmod(feet, 2 * self.pairs)
        hips, bones = self.hips[who, leg][:, None], self.made.bones[:, leg, None]
        poles = (self.made.poles @ self.axes)[who, leg][:, None]

        def clear(points):
            knees = hips + solver.solve(points - hips, *bones, side=1.0, pole=poles)
            return knees[..., 2] > footing.heights(self.terrain, from_above(knees))

        return clear

    def _raise(self, feet, lifts):
        """Lift feet higher where their way asks it, without a jump."""
        more = np.maximum(lifts - self.lift.take(feet), 0.0)
        feet, more = feet[more > 0.0], more[more > 0.0]
        if feet.size:
            progress, swings = self.progress.take(feet), self.swing.reshape(-1, 4, 3)
            for order in range(3):
                swings[feet, order, 2] -= more * _rise(progress, order)
            self.lift.reshape(-1)[feet] += more

    def _tops(self, feet):
        """Return how high hips will be, for all the body can be told now."""
        return (self.hips[..., 2] + self.rise[:, None]).take(feet)

    def _fly(self, feet, made):
        """Go on through the air, by some progress; land at the end."""
        swings, progress = self.swing.reshape(-1, 4, 3), self.progress.take(feet)
        swing, share = swings.take(feet, 0), made / (1.0 - progress)
        swing[:, :3] = glide(swing, np.minimum(share, 1.0))
        progress += made
        lands = share >= 1.0
        if np.count_nonzero(lands):
            swing[lands, 0], swing[lands, 1:3], progress[lands] = swing[lands, 3], 0.0, 1.0
        swings[feet] = swing
        self.progress.reshape(-1)[feet] = progress

    # --- the body ---------------------------------------------------------------------------

    def _sway(self, dt, rate, share):
        """Go after those feet that bear the body."""
        if any(self.animal.body.sway):
            goal = self._lean(rate, share)
            self.sway, self.swaying = settle(self.sway, self.swaying, goal, LEAN, dt)

    def _lean(self, rate, share):
        """Return how far to lean over the feet that will bear the body when it gets there."""
        # A damped spring is late by 2 over its rate, so it is told that much ahead.
        phases = (self._phases() + (rate * (2.0 / LEAN))[:, None]) % 1.0
        fade = np.maximum(0.5 * (self.duty[:, None] - 0.5), 0.02)
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
        self.waited = np.zeros(len(self.at))  # seconds
        self.held[:] = self.late[:] = self.stuck[:] = False
        self.sway, self.swaying = np.zeros((2, len(self.at)), np.complex128)
        if any(self.animal.body.sway):
            self.sway = self._lean(np.zeros(len(self.at)), EARLY * (1.0 - self.duty))
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
        self._stay_low()
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

    def _stay_low(self):
        """Bring the body down where a leg would be too straight."""
        way = self._feet() - self.hips
        long = governor.STRAIGHT * self.made.reach
        aside = np.abs(from_above(way))
        room = np.sqrt(np.maximum(long * long - aside * aside, 0.0)) + way[..., 2]
        lower = np.minimum.reduce(np.where(aside < long, room, 0.0), 1)
        if lower.min() < 0.0:
            lower = np.minimum(lower, 0.0)
            self.plane[:, 2] += lower
            self.leaning[lower < 0.0, 2] = np.minimum(self.leaning[lower < 0.0, 2], 0.0)
            self.body[:, 2] += lower
            self.hips[..., 2] += lower[:, None]

    # --- what no step may break -------------------------------------------------------------

    def _feet(self):
        """Return where feet are."""
        feet = self.swing[:, :, 0].copy()
        feet[..., 2] += self.lift * arch(self.progress)
        return feet

    def _slack(self):
        """Return what is left until limits, for legs, shape (N, L), and for bodies, shape (N)."""
        left = governor.slack(
            self.terrain, self.made, self.body, self.axes, self.hips, self._feet()
        )
        feet = self._feet()
        flies = self.progress < 1.0
        above = feet[..., 2] - footing.heights(self.terrain, from_above(feet))
        above = np.where(flies, above, np.inf)
        legs = np.minimum(np.minimum(left.legs, left.knees), above)
        return legs, left.belly

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
        for names in (GROUND, BODY):
            self._take_back(before, names, np.logical_or.reduce(legs & ~flies, 1) | belly)
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

    def _take_back(self, before, names, which):
        """Make parts of the state what they were."""
        if not which.any():
            return
        for name in names:
            getattr(self, name)[which] = before[name][which]
        if names is not FEET:
            self.motion[which] = 0.0
            self._look()
            self._place_body()
        if names is BODY:
            self.leaning[which], self.swaying[which] = 0.0, 0.0
        self.left = self._slack()

    def _look_ahead(self):
        """See how far a leg will be out when its foot, now in the air, comes to its goal.

        A goal that is very far stays as it is, since a body that slows down for it could move
        it deeper still into the hole.
        """
        flies = _feet(self.progress < 1.0)
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
        ahead = self.at + (2.0 / CARRY) * self.velocity * self.facing
        places = ahead[:, None] + self.facing[:, None] * self.made.belly
        under = footing.heights(self.terrain, places)
        leans = (from_above(self.plane)[:, None].conj() * self.made.belly).real
        return np.maximum.reduce(under + leans + self.made.low, 1) - self.animal.body.height

    def _solve(self):
        """Bend the legs: all that is shown of them, in points x, y, z."""
        feet = self.swing[:, :, 0].take(XZY, -1)
        feet[..., 1] += self.lift * arch(self.progress)
        body, hips = self.body.take(XZY, -1), self.hips.take(XZY, -1)
        poles = (self.made.poles @ self.axes).take(XZY, -1)
        knees = hips + solver.solve(feet - hips, *self.made.bones, side=1.0, pole=poles)
        self.shown = body, hips, knees, feet


def _rise(progress, order):
    """Return the arch of a swing or a derivative of it, in the time that is left of the swing."""
    t = between(progress, 0.0, 1.0)
    s, turn = t * (1.0 - t), 1.0 - 2.0 * t
    value = (s**3, 3.0 * s**2 * turn, 6.0 * s * turn**2 - 6.0 * s**2)[order]
    return 64.0 * value * (1.0 - t) ** order


def pace(reach):
    """Return the share of its pace that a walker keeps with its legs so far out."""
    return between((SLOW_TO - reach) / (SLOW_TO - SLOW_FROM), 0.0, 1.0)


def _feet(mask):
    """Return the numbers of feet that a mask, shape (N, L), chooses."""
    return mask.reshape(-1).nonzero()[0]


def _smooth(t):
    t = between(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)
