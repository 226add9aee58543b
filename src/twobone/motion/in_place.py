"""Clips in place, as on a treadmill: the velocity of the ground below a body that stays."""

from __future__ import annotations

import numpy as np

from twobone.motion import legs
from twobone.motion.chains import Floats
from twobone.motion.feet import Feet

FAST = 0.4  # limbs a second: feet in contact that are slower do not walk
EVEN = 0.6  # of their velocity: half of the feet in contact are closer to it
STAYS = 0.2  # of it: the body moves by less
LONG = 0.25  # seconds of contact that are needed, unless the clip is a loop


def ground_velocity(feet: Feet, loop: bool) -> Floats:
    """Return the velocity (3,) of feet in contact below a body that stays, in units a second.

    It is 0 for all other clips: those whose body moves, or whose feet slide in several directions.
    """
    found = [np.zeros((3, 0))]
    for points, held in (
        (feet.legs.end, feet.ends.held),
        (feet.legs.end + feet.foot, feet.toes.held),
    ):
        pairs = held[:, 1:] & held[:, :-1]
        found.append(np.diff(points, axis=-1)[:, pairs] * feet.fps)
    velocities = np.concatenate(found, axis=-1)
    count = velocities.shape[-1]
    if not count or (count < LONG * feet.fps and not loop):
        return np.zeros(3)
    velocities[feet.up] = 0.0
    velocity = velocities.mean(-1)
    speed = float(np.sqrt(velocity @ velocity))
    apart = float(np.median(legs.length(velocities - velocity[:, None])))
    body = feet.legs.start.mean(1)
    went = (body[:, -1] - body[:, 0]) * feet.fps / (body.shape[-1] - 1)
    went[feet.up] = 0.0
    walks = speed > FAST * float(np.median(legs.bones(feet.legs)))
    stays = float(np.sqrt(went @ went)) < STAYS * speed
    return velocity if walks and stays and apart < EVEN * speed else np.zeros(3)
