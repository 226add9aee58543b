"""Corrections of a motion that never shake it: carried over swings, and robust against noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from twobone.motion import curves, whittaker
from twobone.motion.curves import Flags
from twobone.motion.whittaker import Floats

CALM = 4.0  # legs per second squared: a body accelerates by so much as it walks, g is 11 of it
SURE = 1e-9  # of a leg: positions are no more certain than that, so that what is pinned stays
GONE = 4.25  # a curve drawn to 0 falls to exp(-3) in a time of this over its rate, or 5 %
BEND = 6.0  # the variance of a second difference over that of the noise that it is of
LOOSE = 0.01  # of its weight holds a correction at least, where other paths agree with it
TINY = 1e-12  # of a variance
RATES = 1e-3, 1e2  # per frame; other rates only lose digits


class Steady(NamedTuple):
    """How smooth corrections are: the length of a leg, in units of the clip, and its frame rate."""

    leg: float
    fps: float

    @property
    def bend(self) -> float:
        """The second difference that a correction has as a rule, in units of the clip."""
        return CALM * self.leg / (self.fps * self.fps)

    def variance(self, values: Floats, on: Flags) -> Floats:
        """Return the variance (L, T) of values (C, L, T) where `on` holds, else infinity."""
        sure = (SURE * self.leg) ** 2
        return np.where(on, whittaker.variances(values, on) + sure, np.inf)

    def certainty(self, values: Floats, on: Flags) -> Floats:
        """Return the inverse of that variance; 0 where values are not known."""
        return 1.0 / self.variance(values, on)

    def rest(self, fade: float) -> float:
        """Return how strongly curves are drawn to 0 that are gone in some seconds."""
        return float(np.clip(GONE / (fade * self.fps), *RATES)) ** 4

    def calmed(self, values: Floats) -> Floats:
        """Return values (C, L, T) without their noise."""
        on = np.ones(values.shape[1:], bool)
        weights = self.bend**2 * self.certainty(values, on)
        return whittaker.smoother(values, weights, np.zeros(on.shape))

    def carried(self, values: Floats, on: Flags, fade: float) -> Floats:
        """Continue values (C, L, T), known where `on` holds, through the other frames.

        They fade to 0 in `fade` seconds, or go over into the values after the gap if it is shorter.
        Values that differ from those around them, in single frames, are not carried on.
        """
        weights = self.bend**2 * self.certainty(values, on)
        curve = whittaker.smoother(values, weights, np.where(on, 0.0, self.rest(fade)))
        return np.where(on, values, curve)

    def correction(
        self,
        path: Floats,
        certainty: Floats,
        fade: float,
        others: Sequence[tuple[Floats, Floats]] = (),
    ) -> Floats:
        """Return the correction (3, L, T) with which a path moves more smoothly, where it may be.

        Parameters
        ----------
        path : array, shape (3, L, T)
            The path.
        certainty : array, shape (L, T)
            The inverse of the variance that the correction may have. Where it is 0, it fades away.
        fade : float
            The seconds in which it does.
        others : sequence of (array, shape (3, L, T), array, shape (L, T))
            Other paths that the correction moves, and which should be smooth with it as well; and
            the variance of noise that they have besides that of the path. They count for the share
            of their noise that is the path's. Where all of it is, the correction may be larger.
        """
        on = certainty > 0.0
        square = self.bend**2
        bends, stiffness = np.zeros_like(path), np.ones_like(certainty)
        weights = square * certainty
        if on.shape[-1] > 2:
            inner = np.s_[..., 1:-1]
            three = on[..., 2:] & on[..., 1:-1] & on[..., :-2]
            own = whittaker.variances(path, on)[inner]
            total, sums = np.zeros(three.shape), np.zeros(bends[inner].shape)
            count, agreed = np.full(three.shape, TINY), np.zeros(three.shape)
            for other, noise in others:
                besides = curves.highest(noise, 1)[inner]  # infinite beside frames not known
                share = own / np.maximum(own + besides, TINY * square)
                weight = share * square / (square + BEND * besides)
                total += weight
                sums += weight * np.diff(other, 2, axis=-1)
                count += np.isfinite(besides)
                agreed = np.maximum(agreed, share)
            total, sums = total / count, sums / count
            stiffness[inner] = np.where(three, 1.0 + total, 1.0)
            bends[inner] = np.where(three, (np.diff(path, 2, axis=-1) + sums) / (1.0 + total), 0.0)
            weights[inner] *= np.maximum(1.0 - agreed, LOOSE)
        rests = np.where(on, 0.0, self.rest(fade))
        return whittaker.smoother(np.zeros_like(bends), weights, rests, bends, stiffness)
