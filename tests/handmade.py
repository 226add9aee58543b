"""A walk made by hand: six legs, feet planted in stance, knees placed by the solver."""

import numpy as np

import twobone
from twobone.files.recordings import Recording
from twobone.rotations import multiply, rotate, rotation_vector_to_quaternion

HIPS = np.array([[x, 0.0, z] for z in (-0.8, 0.0, 0.8) for x in (0.5, -0.5)])
HOMES = HIPS * [3.0, 0.0, 1.5]
BONES = np.array([[1.6, 1.2]] * 6)
DUTY, STRIDE = 0.7, 1.2
PHASES = np.array([0.0, 0.5, 1 / 3, 5 / 6, 2 / 3, 1 / 6])


def hills(x, z):
    """Return the height of some smooth ground."""
    return 0.12 * np.sin(1.1 * x + 0.3) * np.cos(0.8 * z)


def flat(x, z):
    """Return the height of level ground."""
    return np.zeros(np.broadcast_shapes(np.shape(x), np.shape(z)))


def make_walk(seconds=2.0, fps=60, speed=0.8, terrain=hills, sway=0.1):
    """Return a recording: the body goes along z, nods and leans a little."""
    time = np.arange(round(seconds * fps)) / fps
    cycle = time[:, None] * (speed / STRIDE) + PHASES
    count, share = np.floor(cycle), cycle % 1.0
    swing = np.clip((share - DUTY) / (1 - DUTY), 0.0, 1.0)
    glide = 10 * swing**3 - 15 * swing**4 + 6 * swing**5
    # In the middle of its stance a foot is at home.
    steps = (count - PHASES + DUTY / 2 + glide) * STRIDE
    x = np.broadcast_to(HOMES[:, 0], steps.shape)
    z = HOMES[:, 2] + steps
    ground = terrain(x, z)
    feet = np.stack([x, ground + 0.35 * 64 / 4 * (swing * (1 - swing)) ** 3, z], axis=-1)
    body = np.stack([0.1 * np.sin(time), 0.9 + 0.05 * np.sin(3 * time), speed * time], axis=-1)
    turns = sway * np.stack([np.sin(2 * time), np.sin(0.7 * time), np.sin(3 * time)], axis=-1)
    rotation = rotation_vector_to_quaternion(turns)
    hips = body[:, None] + rotate(rotation[:, None], HIPS)
    pole = rotate(rotation[:, None], np.array([0.3, 1.0, 0.0]) * np.sign(HIPS[:, :1] + [[0, 9, 9]]))
    reach = twobone.reach(feet - hips, *BONES.T, pole=pole)
    assert np.all(reach.status == twobone.Status.REACHED)
    return Recording(
        time, body, rotation, hips, hips + reach.joint, feet, swing == 0, BONES, ground, 1 / fps
    )


def turned(recording, quaternion, offset):
    """Return a walk elsewhere and the other way round (its ground is not turned with it)."""
    move = lambda points: rotate(quaternion, points) + np.asarray(offset)  # noqa: E731
    return recording._replace(
        body_position=move(recording.body_position),
        body_rotation=multiply(quaternion, recording.body_rotation),
        hips=move(recording.hips),
        knees=move(recording.knees),
        feet=move(recording.feet),
    )
