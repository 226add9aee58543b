"""Labels of contacts of clean clips of CMU, and how well others agree with them."""

import numpy as np

from clip_files import FEET

HEIGHTS = (0.06, 0.05, 0.06, 0.05)  # metres: ankles, toes
TOES = [1, 3]


def labels(clip, smooth=0.0):
    """Return where feet are at rest, shape (T, 4): slow, and close to where they are lowest.

    Slower than 0.15 m/s or 12 % of the body's speed; ankles, toes within 6, 5 cm of their lows.
    Velocities are central differences over one frame each way, or over `smooth` seconds each way.
    """
    index = clip.skeleton.index
    positions = clip.skeleton.to_global(clip.pose).positions * clip.metres
    feet = positions[:, [index(name) for name in FEET]]
    hips = positions[:, index("Hips")][:, [0, 2]]
    speeds = np.linalg.norm(rate(feet, clip.fps, smooth), axis=-1)
    body = np.linalg.norm(rate(hips, clip.fps, smooth), axis=-1)
    low = feet[..., 1] - np.min(feet[..., 1], axis=0)
    return (speeds < np.maximum(0.15, 0.12 * body)[:, None]) & (low < HEIGHTS)


def labels_until_left(clip, smooth=1 / 60):
    """Return where feet are on the ground, shape (T, 4), by two limits for speed and for height.

    A contact begins below 0.12 m/s and 6 cm above the joint's lowest height, and lasts until 0.3
    m/s or 8 cm. Velocities are as in `labels`. These limits are fixed, so a run, whose toes roll
    faster than that, has few of these labels.
    """
    index = clip.skeleton.index
    positions = clip.skeleton.to_global(clip.pose).positions * clip.metres
    feet = positions[:, [index(name) for name in FEET]]
    speeds = np.linalg.norm(rate(feet, clip.fps, smooth), axis=-1)
    low = feet[..., 1] - np.percentile(feet[..., 1], 1, axis=0)
    begins, lasts = (speeds < 0.12) & (low < 0.06), (speeds <= 0.3) & (low <= 0.08)
    on = np.zeros_like(begins)
    for frame in range(len(on)):
        on[frame] = begins[frame] | (on[frame - 1] & lasts[frame] if frame else False)
    return on


def precision_and_recall(found, wanted):
    """Return which share of the found flags is wanted, and which share of the wanted is found."""
    both = np.sum(found & wanted)
    return both / max(1, np.sum(found)), both / max(1, np.sum(wanted))


def rate(values, fps, seconds):
    """Return derivatives of values (T, ...) by central differences."""
    reach = max(1, round(seconds * fps))
    frames = np.arange(len(values))
    before, after = np.maximum(frames - reach, 0), np.minimum(frames + reach, len(values) - 1)
    return (values[after] - values[before]) * (fps / (after - before)).reshape(
        -1, *[1] * (values.ndim - 1)
    )


def as_flags(contacts, frames, names=FEET):
    """Return contacts as flags (T, K)."""
    flags = np.zeros((frames, len(names)), bool)
    for k, name in enumerate(names):
        for first, last in contacts[name]:
            flags[first:last, k] = True
    return flags


def f1(found, wanted, grace=0, feet=slice(None)):
    """Return the F1 score of flags (T, K); errors this many frames from a boundary are forgiven."""
    found, wanted = found[:, feet].copy(), wanted[:, feet]
    for k in range(wanted.shape[1]) if grace else ():
        for boundary in np.flatnonzero(wanted[1:, k] != wanted[:-1, k]) + 1:
            near = slice(max(0, boundary - grace), boundary + grace)
            found[near, k] = wanted[near, k]
    both = np.sum(found & wanted)
    return 2.0 * both / max(1, np.sum(found) + np.sum(wanted))
