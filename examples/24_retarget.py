"""Put the walk of a tall person on a child."""

import numpy as np

from twobone import LocalPose, Skeleton, motion

sides = {"Left": 1.0, "Right": -1.0}
parts = ("UpLeg", "Leg", "Foot", "ToeBase", "Arm", "ForeArm", "Hand")
names = ["Hips", *(side + part for side in sides for part in parts)]


def body(thigh, shin, shoulders):
    """Return a skeleton in a T-pose."""
    offsets = [[0, thigh + shin + 0.08, 0]]
    for x in sides.values():
        offsets += [[0.09 * x, 0, 0], [0, -thigh, 0.01], [0, -shin, -0.01], [0, -0.06, 0.13]]
        offsets += [[0.18 * x, shoulders, 0], [0.28 * x, 0, 0], [0.25 * x, 0, 0]]
    parents = [-1, 0, 1, 2, 3, 0, 5, 6, 0, 8, 9, 10, 0, 12, 13]
    return Skeleton(parents, offsets, names=names)


# A walk of three seconds: each foot is down for 60 % of a second. Arms are stretched out.
tall, child, time = body(0.48, 0.46, 0.55), body(0.24, 0.25, 0.35), np.arange(90) / 30
translations = np.tile(tall.offsets, (90, 1, 1))
translations[:, 0, 1:] = np.stack([0.97 + 0.0 * time, 0.9 * time], axis=-1)
walk = motion.Clip(tall, LocalPose(np.tile(tall.rotations, (90, 1, 1)), translations), 30)
for (side, x), later in zip(sides.items(), (0.0, 0.5), strict=True):
    step, t = np.divmod(time + later, 1.0)
    t = np.clip((t - 0.6) / 0.4, 0.0, 1.0)
    z = 0.9 * (step - later + 0.3 + t * t * (3.0 - 2.0 * t))
    path = np.stack([0.09 * x + 0.0 * t, 0.08 + 0.1 * np.sin(np.pi * t) ** 2, z], axis=-1)
    walk = motion.move_end(walk, f"{side}Foot", path)
made = motion.retarget(walk, child)
at = child.to_global(made.pose).positions
print(
    f"hips {at[:, 0, 1].mean():.3f} m above the ground walk {np.ptp(at[:, 0, 2]):.2f} m, not 2.67"
)
for name, spans in motion.find_contacts(walk).items():
    drift = max(np.ptp(at[a:b, child.index(name)], axis=0).max() for a, b in spans)
    print(f"{name}: {len(spans)} contacts, moves by {1000 * drift:.6f} mm in them")
