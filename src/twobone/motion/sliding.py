"""The velocity that feet on the ground share: how fast a whole clip slides over its ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WINDOW = 0.35  # seconds
SAMPLES = 60.0  # per second: velocities that are compared
ANSWERS = 30.0  # per second: velocities that are found; the others are interpolated
GUESSES = 32  # at most, per answer
STEPS = 5  # of mean shift
CALM = 0.02  # of two equally frequent velocities the lower is taken; weight per bandwidth
LEAST = 0.5  # weight of the samples that a velocity needs
BLOCK = 1 << 20  # differences at once


def shared_velocity(
    velocities: NDArray[np.float64],
    weights: NDArray[np.float64],
    bandwidth: NDArray[np.float64],
    fps: float,
) -> NDArray[np.float64]:
    """Return the velocity that most feet near the ground share, for each frame.

    In each window of 0.35 s it is the mode of the velocities: the densest of them, and from there
    five steps of mean shift. So a foot that swings low over the ground does not count, as it would
    in a mean.

    Parameters
    ----------
    velocities : array, shape (T, K, 2)
        Level velocities of the joints of feet.
    weights : array, shape (T, K)
        How much each counts, from 0 (high above the ground) to 1 (on it).
    bandwidth : array, shape (T)
        Differences that are small: the standard deviation of the kernel.
    fps : float
        Frames per second.

    Returns
    -------
    array, shape (T, 2)
        Interpolated where no foot is near the ground; 0 if none ever is.

    Notes
    -----
    Source of mean shift: D. Comaniciu and P. Meer, "Mean shift: a robust approach toward feature
    space analysis", IEEE Transactions on Pattern Analysis and Machine Intelligence 24 (2002).

    Examples
    --------
    Two feet slide at 0.2 along the first axis, a third one swings:

    >>> from twobone.motion.sliding import shared_velocity
    >>> velocities = np.zeros((60, 3, 2)) + np.array([[0.2, 0], [0.2, 0], [2, 0]])
    >>> shared_velocity(velocities, np.ones((60, 3)), np.full(60, 0.15), 30.0)[30].round(6)
    array([0.2, 0. ])
    """
    frames = len(velocities)
    step = max(1, int(fps / SAMPLES))
    apart = max(1, int(fps / ANSWERS) // step)
    half = max(1, round(0.5 * WINDOW * fps / step))
    centres = np.arange(0, -(-frames // step), apart)
    windows = _windows(velocities[::step], half)[centres]  # (N, K, 2, W)
    near = _windows(weights[::step], half)[centres]  # (N, K, W)
    count = near.shape[1] * near.shape[2]
    found = np.zeros((len(centres), 2))
    support = np.zeros(len(centres))
    block = max(1, BLOCK // (count * min(count, GUESSES)))
    for first in range(0, len(centres), block):
        part = slice(first, first + block)
        samples = np.moveaxis(windows[part], 2, -1).reshape(-1, count, 2)
        band = bandwidth[::step][centres[part]]
        found[part], support[part] = _modes(samples, near[part].reshape(-1, count), band)
    enough = support > LEAST
    if not np.any(enough):
        return np.zeros((frames, 2))
    times = (centres * step)[enough]
    every = np.arange(frames)
    return np.stack([np.interp(every, times, found[enough, axis]) for axis in (0, 1)], axis=-1)


def _windows(values: NDArray[np.float64], half: int) -> NDArray[np.float64]:
    """Return a view of the values around each frame on a new last axis; 0 beyond both ends."""
    none = np.zeros((half, *values.shape[1:]))
    padded = np.concatenate([none, values, none])
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1, axis=0)


def _modes(samples, weights, band):
    """Return the mode of each row of samples (N, M, 2), and the weight that supports it."""
    rows = np.arange(len(samples))
    # Every other sample or so is a guess: windows hold each foot about 20 times.
    guesses = slice(None, None, -(-samples.shape[1] // GUESSES))
    square = -0.5 / band[:, None] ** 2
    apart = samples[:, guesses, None] - samples[:, None]
    density = np.exp(square[:, None] * np.einsum("ngmi,ngmi->ngm", apart, apart))
    density = np.einsum("ngm,nm->ng", density, weights)
    speed = np.linalg.norm(samples[:, guesses], axis=-1)
    density *= np.exp(-CALM * speed / band[:, None]) * (weights[:, guesses] > 0.0)
    mode = samples[:, guesses][rows, np.argmax(density, axis=1)]
    support = np.zeros(len(samples))
    for _ in range(STEPS):
        apart = samples - mode[:, None]
        near = weights * np.exp(square * np.einsum("nmi,nmi->nm", apart, apart))
        support = np.sum(near, axis=1)
        moved = np.einsum("nm,nmi->ni", near, samples) / np.maximum(support, 1e-300)[:, None]
        mode = np.where(support[:, None] > 0.0, moved, mode)
    return mode, support
