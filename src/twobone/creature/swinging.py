"""Feet in the air: which leave the ground, where they go, how high, and where they come down.

`feet` are numbers of feet, those of all walkers counted on.
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

STRAY = 0.04  # of the leg's length: a foot farther from home steps, also when it stands
RESTLESS = 0.25  # of the pace at full speed: the least while a foot is in the air or away
LOST = 2.0  # of the leg's length: a foot farther from home is put there at once
HIGHEST = 5.0  # times the usual height: how high feet are lifted over obstacles
DIP = 0.1  # of the leg's length: how much bodies come down for feet that go far


class Swinging(Restraint):
    """Walkers whose feet step after their footholds."""

    def _begin(self):
        """Stand on all feet, at home or, where there is a ditch, beside it."""
        self._stand()
        lost = np.minimum.reduce(self.left[0], 1) < 0.0
        if lost.any():
            self._find_stand(lost)
            self._stand()
        self._refuse(self._lost(), "be where the ground leaves room for its knees and body")

    def _find_stand(self, lost):
        """Put feet of some walkers beside their footholds where these do not bear them."""
        footholds = self._homes()
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
            np.tile(self.made.bears, len(footholds)),
            np.concatenate([hips.reshape(-1, 1).view(np.float64), tops.reshape(-1, 1)], 1),
            np.zeros(len(points)),
            np.zeros(len(points)),
            np.full(len(points), np.inf),
        )
        good, _ = footing.bears(self.terrain, points[:, None], legs, self.length)
        feet = (~good[:, 0] & np.repeat(lost, 2 * self.pairs)).nonzero()[0]
        if feet.size:
            found = footing.search(self.terrain, footholds.take(feet), legs.some(feet), self.length)
            bad = np.isin(np.arange(len(footholds)), feet[~found[1]] // (2 * self.pairs))
            self._refuse(bad, "be where all feet find ground within reach")
            self.swing.reshape(-1, 4, 3)[feet[:, None], [0, 3]] = found[0][:, None]

    def _refuse(self, which, wanted):
        """Raise if some cannot stand where they are put."""
        if which.any():
            x, z = self.place[np.argmax(which)].tolist()
            raise CreatureError("position", wanted, f"({x:g}, {z:g})")

    def _strayed(self):
        """Return how far feet are from home, and which should go there; bring those that are lost.

        A foot may stand beside its home: what counts is how far that has gone since.
        """
        footholds = self._homes()
        away = np.abs(self.stands - footholds)
        if away.max() > LOST * self.length:
            lost = away > LOST * self.length
            self._plant(lost, footholds)
            away[lost] = 0.0
        return away, np.abs(self.aims - self._homes(*self._sought())) > STRAY * self.length

    def _plant(self, which, footholds):
        """Put feet on the ground at home."""
        planted = np.zeros((np.count_nonzero(which), 4, 3))
        planted[:, [0, 3]] = footing.on_ground(self.terrain, footholds[which])[:, None]
        self.swing[which], self.progress[which] = planted, 1.0
        self.aims[which] = footholds[which]

    def _starts(self, share, wanted):
        """Return the feet that leave the ground now."""
        starts = (self._phases() < 0.5 * share[:, None]) & (self.progress >= 1.0) & wanted
        if not np.count_nonzero(starts):
            return numbers_of(starts)
        # Neighbours on a side never swing together.
        swings = np.zeros((len(starts), starts.shape[1] + 4), bool)
        swings[:, 2:-2] = self.progress < 1.0
        return numbers_of(self._steady(starts & ~swings[:, 4:] & ~swings[:, :-4]))

    def _swing_feet(self, starts, made, rate, share):
        """Go on with all that are in the air, by some progress of theirs; some start now."""
        self.progress.reshape(-1)[starts] = 0.0
        self.fixed.reshape(-1)[starts] = False
        aims = numbers_of((self.progress < LOCK) & ~self.fixed | self.held)
        if aims.size:
            plain, under, over = self._footholds(rate, share)
            if starts.size:
                self._lift_feet(starts, plain.take(starts), over.take(starts))
            self.over.reshape(-1)[aims] = over.take(aims)
            self._swing_anew(self.held)
            self._aim(aims, starts, plain.take(aims), under.take(aims), over.take(aims))
        flies = numbers_of(self.progress < 1.0)
        if flies.size:
            self._fly(flies, made.take(flies // (2 * self.pairs)))

    def _footholds(self, rate, share):
        """Return footholds and hips as they will be in the middle of the next stance, from above.

        And hips as they will be when it begins, as feet land.
        """
        rate = np.maximum(rate, RESTLESS * self.animal.speed / self.stride)
        left = (1.0 - self.progress) * share[:, None]
        rest = 0.5 * self.duty_factor[:, None] / rate[:, None]
        ahead = left / rate[:, None] + rest
        half = np.exp(-0.5j * self.motion[:, 2:] * ahead)  # of the turn until then
        middle = self.facing[:, None] * half  # on the way there
        way, there = middle * self.velocity[:, None], middle * half
        place = self.at[:, None] + ahead * way
        lands = place + there * self.made.under - rest * self.velocity[:, None] * there
        if self.seeks.any():  # the body may come after or not
            at, turned = self._sought()
            place += (at - self.at)[:, None]
            there *= (turned * self.facing.conj())[:, None]
        return place + there * self.made.footholds, place + there * self.made.under, lands

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
            self.swing[held, 0], self.progress[held], self.lift[held] = feet, 0.0, 0.0
            self.swing[held, 1:3] = 0.0  # the goal stays, in case that there is no better one

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
        progress, lift = self.progress.take(feet), self.lift.take(feet)
        highest = HIGHEST * self.animal.gait.lift * self.length
        legs = footing.Legs(
            swings[feet],
            progress,
            over,
            under,
            tops - DIP * self.length,
            self.made.bears.take(leg),
            self.hips.reshape(-1, 3)[feet],
            self.made.fold.take(leg),
            lift,
            np.where(progress == 0.0, highest, lift),  # it is lifted as the swing begins
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
            anew = seeks[progress[seeks] == 0.0]  # not over the way to the goal that was bad
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
        """Return what says of points whether knees are above the ground with feet there."""
        who, leg = np.divmod(feet, 2 * self.pairs)
        hips, bones = self.hips[who, leg][:, None], self.made.bones[:, leg, None]
        poles = (self.made.poles @ self.axes)[who, leg][:, None]

        def clear(points):
            knees = hips + solver.solve(points - hips, *bones, side=1.0, pole=poles)
            return knees[..., 2] > footing.heights(self.terrain, from_above(knees))

        return clear

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
