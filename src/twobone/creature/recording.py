"""A recording: what a walk was, frame by frame."""

from typing import NamedTuple

import numpy as np


class Recording(NamedTuple):
    """A walk of one animal with L legs, in T frames.

    y is up and +z forward, so that +x is to the left of an animal that looks along +z.
    """

    time: np.ndarray  # (T), seconds
    body_position: np.ndarray  # (T, 3)
    body_rotation: np.ndarray  # (T, 4), quaternions xyzw
    hips: np.ndarray  # (T, L, 3), where each leg is fixed to the body
    knees: np.ndarray  # (T, L, 3)
    feet: np.ndarray  # (T, L, 3)
    stance: np.ndarray  # (T, L), bool: the foot is on the ground
    bones: np.ndarray  # (L, 2), lengths
    ground: np.ndarray  # (T, L), height of the terrain under each foot
    dt: float  # seconds between frames
