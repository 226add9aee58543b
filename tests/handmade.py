"""A walk made by hand: six legs, feet planted in stance, knees placed by the solver."""

import numpy as np

import twobone
from twobone.files.recordings import Recording
from twobone.rotations import multiply, rotate, rotation_vector_to_quaternion

HIPS = np.array([[x, 0.0, z] for z in (-0.8, 0.0, 0.8) for x in (0.5, -0.5)])
HOMES = HIPS * [3.0, 0.0, 1.5]
BONES = np.array([[1.6, 1.2, 0.0]] * 6)
DUTY, STRIDE = 0.7, 1.2
PHASES = np.array([0.0, 0.5, 1 / 3, 5 / 6, 2 / 3, 1 / 6])
# What an animal looks like: an ellipsoid for a body, turned, and a capsule for a tail.
PARTS = np.array(
    [
        [0.0, 0.0, 3.0, 0.0, 0.01, 0.02, 0.2, 0.1, 0.4, 0.1, 0.2, 0.3],
        [2.0, 1.0, 0.0, 0.0, 0.02, -0.3, 0.0, 0.04, -0.5, 0.07, 0.05, 0.0],
    ]
)
PIVOTS = np.array([[0.0, 0.02, 0.36], [0.0, 0.04, -0.36]])
PALETTE = np.arange(54.0).reshape(9, 2, 3)
RADII = np.tile([0.046, 0.026, 0.016, 0.009, 0.034, 0.017, 0.01, 0.004], (6, 1))


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
    reach = twobone.reach(feet - hips, *BONES.T[:2], pole=pole)
    assert np.all(reach.status == twobone.Status.REACHED)
    return Recording(
        time=time,
        stations=body[:, None],
        station_rotations=rotation[:, None],
        hips=hips,
        knees=hips + reach.joint,
        ankles=feet,
        feet=feet,
        stance=swing == 0,
        bones=BONES,
        ground=ground,
        along=np.zeros(1),
        dt=1 / fps,
    )


def with_ankles(walk, along, behind):
    """Return a walk whose second bones are bent, so that legs have three segments.

    `along` is where they are bent, over their lengths, and `behind` how far, away from the knee;
    one number for each leg. Where it is 0, a leg stays as it is.
    """
    along, behind = np.asarray(along)[:, None], np.asarray(behind)[:, None]
    shins, back = walk.feet - walk.knees, walk.hips - walk.knees
    sizes = np.linalg.norm(shins, axis=-1, keepdims=True)
    away = back - np.sum(back * shins, axis=-1, keepdims=True) / sizes**2 * shins
    away /= np.linalg.norm(away, axis=-1, keepdims=True)
    ankles = walk.knees + along * shins + behind * sizes * away
    bent = behind > 0.0
    second = walk.bones[:, 1:2]
    parts = second * np.hypot(along, behind), second * np.hypot(1.0 - along, behind)
    bones = [np.where(bent, part, usual) for part, usual in zip(parts, (second, 0.0), strict=True)]
    return walk._replace(
        ankles=np.where(bent, ankles, walk.feet),
        bones=np.concatenate([walk.bones[:, :1], *bones], axis=1),
    )


def winding(walk):
    """Return a walk whose trunk has three stations, at its hips, and bends up and down."""
    along, bend = np.array([-0.8, 0.0, 0.8]), 0.2 * np.sin(3 * walk.time)[:, None]
    ends = np.zeros((len(walk.time), 3, 3))
    ends[..., 1], ends[..., 2] = bend * along**2, along
    pitch = np.zeros_like(ends)
    pitch[..., 0] = -np.arctan(2.0 * bend * along)
    turn = walk.station_rotations
    return walk._replace(
        stations=walk.stations + rotate(turn, ends),
        station_rotations=multiply(turn, rotation_vector_to_quaternion(pitch)),
        along=along,
    )


def turned(recording, quaternion, offset):
    """Return a walk elsewhere and the other way round (its ground is not turned with it)."""
    move = lambda points: rotate(quaternion, points) + np.asarray(offset)  # noqa: E731
    return recording._replace(
        stations=move(recording.stations),
        station_rotations=multiply(quaternion, recording.station_rotations),
        hips=move(recording.hips),
        knees=move(recording.knees),
        ankles=move(recording.ankles),
        feet=move(recording.feet),
    )
