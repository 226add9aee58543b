"""Swings of the feet: when they start, where they land, how high they go.

`feet`, `starts` and `flies` are flat indices into the feet of all walkers, as `numbers_of` returns
them.
"""

from __future__ import annotations

import numpy as np

from twobone.core import solver
from twobone.creature import footing
from twobone.creature.carriage import numbers_of
from twobone.creature.footing import from_above
from twobone.creature.gait import LOCK, glide
from twobone.creature.restraint import Restraint
from twobone.errors import CreatureError

STRAY = 0.04  # of the leg's length: a foot farther from its nominal foothold takes a step
RESTLESS = 0.25  # of the gait's rate at full speed: minimum while a foot is in swing or has strayed
LOST = 2.0  # of the leg's length: a foot farther from its nominal foothold is put there at once
HIGHEST = 5.0  # times the usual lift: maximum lift over obstacles
DIP = 0.1  # of the leg's length: how far a body is expected to lower for a distant foothold


class Swinging(Restraint):
    """Walkers whose feet step towards their nominal footholds."""

    def _begin(self):
        """Stand on all feet, on the nominal footholds or, if these cannot be reached, near them."""
        self._stand()
        lost = np.minimum.reduce(self.left[0], 1) < 0.0
        if lost.any():
            self._find_stand(lost)
            self._stand()
        self._refuse(self._lost(), "be where the ground leaves room for its knees and body")

    def _find_stand(self, lost):
        """Move feet whose nominal footholds cannot be stood on to ground near them.

        `lost` selects the walkers.
        """
        footholds = self._nominal_footholds()
        points = self.swing[:, :, 0].reshape(-1, 3)
        level = np.median(self.swing[:, :, 0, 2], 1)
        hips = self.at[:, None] + self.facing[:, None] * self.anatomy.under
        tops = level[:, None] + self.animal.body.height + self.anatomy.hips[:, 2]
        legs = footing.SwingLegs(
            self.swing.reshape(-1, 4, 3),
            np.zeros(len(points)),
            hips.reshape(-1),
            hips.reshape(-1),
            tops.reshape(-1),
            np.tile(self.anatomy.bears, len(footholds)),
            np.concatenate([hips.reshape(-1, 1).view(np.float64), tops.reshape(-1, 1)], 1),
            np.zeros(len(points)),
            np.zeros(len(points)),
            np.full(len(points), np.inf),
        )
        good, _ = footing.bears(self.terrain, points[:, None], legs, self.length)
        feet = (~good[:, 0] & np.repeat(lost, 2 * self.pairs)).nonzero()[0]
        if feet.size:
            found = footing.search(
                self.terrain, footholds.take(feet), legs.select(feet), self.length
            )
            bad = np.isin(np.arange(len(footholds)), feet[~found[1]] // (2 * self.pairs))
            self._refuse(bad, "be where all feet find ground within reach")
            self.swing.reshape(-1, 4, 3)[feet[:, None], [0, 3]] = found[0][:, None]

    def _refuse(self, which, wanted):
        """Raise a CreatureError for the first walker that `which` selects."""
        if which.any():
            x, z = self.place[np.argmax(which)].tolist()
            raise CreatureError("position", wanted, f"({x:g}, {z:g})")

    def _strayed(self):
        """Return the distances of feet from their nominal footholds, and which feet should step.

        Feet that are very far away are first put on their nominal footholds. Since a foot may have
        been placed beside its foothold on purpose, it should step if the foothold has moved since.
        """
        footholds = self._nominal_footholds()
        away = np.abs(self.stands - footholds)
        if away.max() > LOST * self.length:
            lost = away > LOST * self.length
            self._plant(lost, footholds)
            away[lost] = 0.0
        sought = self._nominal_footholds(*self._sought())
        return away, np.abs(self.aims - sought) > STRAY * self.length

    def _plant(self, which, footholds):
        """Put feet on the ground at the given footholds, in stance."""
        planted = np.zeros((np.count_nonzero(which), 4, 3))
        planted[:, [0, 3]] = footing.on_ground(self.terrain, footholds[which])[:, None]
        self.swing[which], self.progress[which] = planted, 1.0
        self.aims[which] = footholds[which]

    def _starts(self, swing_fraction, wanted):
        """Return the feet that start a swing now."""
        starts = (self._phases() < 0.5 * swing_fraction[:, None]) & (self.progress >= 1.0) & wanted
        if not np.count_nonzero(starts):
            return numbers_of(starts)
        # Neighbours on the same side never swing at the same time.
        swings = np.zeros((len(starts), starts.shape[1] + 4), bool)
        swings[:, 2:-2] = self.progress < 1.0
        return numbers_of(self._steady(starts & ~swings[:, 4:] & ~swings[:, :-4]))

    def _swing_feet(self, starts, advance, rate, swing_fraction):
        """Start new swings, choose goals and advance all feet in swing.

        `advance` is the progress of each walker's swings in this step, `rate` the rate of its gait
        in cycles per second.
        """
        self.progress.reshape(-1)[starts] = 0.0
        self.fixed.reshape(-1)[starts] = False
        aims = numbers_of((self.progress < LOCK) & ~self.fixed | self.held)
        if aims.size:
            plain, under, over = self._footholds(rate, swing_fraction)
            if starts.size:
                self._lift_feet(starts, plain.take(starts), over.take(starts))
            self.over.reshape(-1)[aims] = over.take(aims)
            self._swing_anew(self.held)
            self._aim(aims, starts, plain.take(aims), under.take(aims), over.take(aims))
        flies = numbers_of(self.progress < 1.0)
        if flies.size:
            self._fly(flies, advance.take(flies // (2 * self.pairs)))

    def _footholds(self, rate, swing_fraction):
        """Return footholds and hips in the middle of the next stance, and hips at landing.

        All are places seen from above. The footholds are the nominal ones.
        """
        rate = np.maximum(rate, RESTLESS * self.animal.speed / self.stride)
        left = (1.0 - self.progress) * swing_fraction[:, None]
        rest = 0.5 * self.duty_factor[:, None] / rate[:, None]
        ahead = left / rate[:, None] + rest
        half = np.exp(-0.5j * self.motion[:, 2:] * ahead)  # half the turn until then
        middle = self.facing[:, None] * half  # mean heading until then
        velocity, there = middle * self.velocity[:, None], middle * half
        place = self.at[:, None] + ahead * velocity
        lands = place + there * self.anatomy.under - rest * self.velocity[:, None] * there
        if self.seeks.any():  # not for `lands`, since the blocked body may not follow
            at, turned = self._sought()
            place += (at - self.at)[:, None]
            there *= (turned * self.facing.conj())[:, None]
        return place + there * self.anatomy.footholds, place + there * self.anatomy.under, lands

    def _lift_feet(self, feet, plain, over):
        """Choose footholds near the plain (nominal) ones, and the lift of the swings."""
        start, leg = self.swing.reshape(-1, 4, 3)[feet, 0], feet % (2 * self.pairs)
        near, far = self.anatomy.near.take(leg), self.anatomy.long.take(leg)
        legs = footing.Standing(start, over, self._tops(feet), near, far)
        aside = footing.better(self.terrain, plain, self.length, legs)
        there = footing.on_ground(self.terrain, plain + aside)
        clearance = self.animal.gait.lift * self.length
        self.aside.reshape(-1)[feet] = aside
        self.lift.reshape(-1)[feet] = footing.lift_over(self.terrain, start, there, clearance)

    def _swing_anew(self, held):
        """Restart the swings of held feet from where the feet are."""
        if held.any():
            feet = self._feet()[held]
            self.swing[held, 0], self.progress[held], self.lift[held] = feet, 0.0, 0.0
            self.swing[held, 1:3] = 0.0  # the goal stays in case none better is found

    def _aim(self, feet, starts, plain, under, over):
        """Choose the goals of feet, within reach of the future hips.

        If the new goal of a foot in the air cannot be stood on, the foot keeps its previous goal,
        or else searches for another one. A foot that was about to start and finds none stays on the
        ground.
        """
        leg, swings = feet % (2 * self.pairs), self.swing.reshape(-1, 4, 3)
        tops = self._tops(feet)
        goals = footing.within_reach(
            self.terrain, plain + self.aside.take(feet), under, tops, self.anatomy.used.take(leg)
        )
        progress, lift = self.progress.take(feet), self.lift.take(feet)
        highest = HIGHEST * self.animal.gait.lift * self.length
        legs = footing.SwingLegs(
            swings[feet],
            progress,
            over,
            under,
            tops - DIP * self.length,
            self.anatomy.bears.take(leg),
            self.hips.reshape(-1, 3)[feet],
            self.anatomy.min_reach.take(leg),
            lift,
            np.where(progress == 0.0, highest, lift),  # the lift is chosen when a swing starts
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
                legs.select(seeks),
                self.length,
                self._room_for(feet[seeks]),
            )
            goals[seeks], good[seeks], lifts[seeks] = found
            anew = seeks[progress[seeks] == 0.0]  # their lift was chosen for the rejected goal
            self.lift.reshape(-1)[feet[anew]] = self.animal.gait.lift * self.length
            good |= keeps
            self.aside.reshape(-1)[feet[seeks]] = from_above(found[0]) - plain[seeks]
        self.stuck.reshape(-1)[feet] = ~good
        self.progress.reshape(-1)[feet[starts & ~good]] = 1.0
        feet, goals, lifts, aims = feet[good], goals[good], lifts[good], plain[good]
        self.aims.reshape(-1)[feet] = aims
        swings[feet, 3] = goals
        begins = self.progress.take(feet) == 0.0
        feet, lifts = feet[begins], lifts[begins]
        self.lift.reshape(-1)[feet] = np.maximum(self.lift.take(feet), lifts)

    def _room_for(self, feet):
        """Return a function that tells for which points the knees would be above the ground."""
        who, leg = np.divmod(feet, 2 * self.pairs)
        hips, bones = self.hips[who, leg][:, None], self.anatomy.bones[:, leg, None]
        poles = (self.anatomy.poles @ self.axes)[who, leg][:, None]

        def clear(points):
            knees = hips + solver.solve(points - hips, *bones, side=1.0, pole=poles)
            return knees[..., 2] > footing.heights(self.terrain, from_above(knees))

        return clear

    def _fly(self, feet, advance):
        """Advance feet along their swings; those that complete them land."""
        swings, progress = self.swing.reshape(-1, 4, 3), self.progress.take(feet)
        swing, fraction = swings.take(feet, 0), advance / (1.0 - progress)
        swing[:, :3] = glide(swing, np.minimum(fraction, 1.0))
        progress += advance
        lands = fraction >= 1.0
        if np.count_nonzero(lands):
            swing[lands, 0], swing[lands, 1:3], progress[lands] = swing[lands, 3], 0.0, 1.0
        swings[feet] = swing
        self.progress.reshape(-1)[feet] = progress
