"""A recording: what a walk was, frame by frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twobone.core.array_types import NDArray


class Recording(NamedTuple):
    """A walk of one animal with L legs, in T frames.

    y is up and +z forward, so that +x is to the left of an animal that looks along +z.
    """

    time: NDArray[np.float64]  # (T), seconds
    body_position: NDArray[np.float64]  # (T, 3)
    body_rotation: NDArray[np.float64]  # (T, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (T, L, 3), where each leg is fixed to the body
    knees: NDArray[np.float64]  # (T, L, 3)
    feet: NDArray[np.float64]  # (T, L, 3)
    stance: NDArray[np.bool]  # (T, L), bool: the foot is on the ground
    bones: NDArray[np.float64]  # (L, 2), lengths
    ground: NDArray[np.float64]  # (T, L), height of the terrain under each foot
    dt: float  # seconds between frames
    blocked: NDArray[np.bool] | None = None  # (T), the ground keeps it from going on; if known
