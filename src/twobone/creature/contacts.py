"""Contacts: the spans of frames in which feet are on the ground.

All functions take `contact`, a bool array of shape (T, L): whether each of L feet is on the ground
in each of T frames.
"""

from typing import NamedTuple

import numpy as np

from twobone.core.array_types import NDArray


class Spans(NamedTuple):
    """Runs of frames in which a foot is on the ground, foot by foot; arrays of shape (N)."""

    foot: NDArray[np.intp]
    first: NDArray[np.intp]  # the frame in which it begins
    after: NDArray[np.intp]  # the frame after its last one


def spans(contact: NDArray[np.bool]) -> Spans:
    """Return all spans of contact, foot by foot and in order of time."""
    change = np.diff(np.pad(contact.astype(np.int8), ((1, 1), (0, 0))), axis=0).T
    foot, first = np.nonzero(change > 0)
    return Spans(foot, first, np.nonzero(change < 0)[1])


def touch_downs(contact: NDArray[np.bool]) -> NDArray[np.bool]:
    """Return in which frames a span of contact begins, the first frame included."""
    before = np.zeros_like(contact)
    before[1:] = contact[:-1]
    return contact & ~before


def latest(mask: NDArray[np.bool]) -> NDArray[np.intp]:
    """Return for each frame the last one so far in which `mask` holds; 0 before the first."""
    frames = np.arange(len(mask))[:, None]
    return np.maximum.accumulate(np.where(mask, frames, 0), axis=0)
