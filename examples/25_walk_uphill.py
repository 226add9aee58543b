"""Put a walk that was made on level ground on a hill, and mend feet that float above it."""

import numpy as np

import twobone
from twobone import LocalPose, Skeleton, motion
from twobone.creature import Noise

leg = [[0, -0.42, 0.01], [0, -0.42, -0.01], [0, -0.06, 0.14]]
offsets = [[0, 0.85, 0], [0.1, 0, 0], *leg, [-0.1, 0, 0], *leg]
names = ["hips", *(f"{part}_{side}" for side in "lr" for part in ("thigh", "shin", "foot", "toe"))]
person = Skeleton([-1, 0, 1, 2, 3, 0, 5, 6, 7], offsets, names=names)

# A walk of three seconds whose feet sink and float by up to 3 cm.
time = np.arange(90) / 30
translations = np.tile(person.offsets, (90, 1, 1))
translations[:, 0, 2] = 0.9 * time
pose = LocalPose(np.tile(person.rotations, (90, 1, 1)), translations)
for side, x, later in ("l", 0.1, 0.0), ("r", -0.1, 0.5):
    step, phase = np.divmod(time + later, 1.0)
    t = np.clip((phase - 0.6) / 0.4, 0.0, 1.0)
    z = 0.9 * (step - later + 0.3 + t * t * (3.0 - 2.0 * t))
    ankle = np.stack([x + 0.0 * t, 0.08 + 0.1 * np.sin(np.pi * t) ** 2, z], axis=-1)
    limb = twobone.Limb(person, *(f"{part}_{side}" for part in ("thigh", "shin", "foot")))
    pose = limb.reach(pose, ankle, end_rotation=[0, 0, 0, 1]).pose
translations[:, 0, 1] += 0.03 * np.sin(3.0 * time)
walk = motion.Clip(person, LocalPose(pose.rotations, translations), 30)

hill, contacts = Noise(0.06, 1.5, seed=4), motion.find_contacts(walk)
for name, conform in ("pinned", None), ("on level ground", 0.0), ("on a hill", hill):
    clip = motion.pin(walk, contacts, ground=0.0, conform=conform).clip
    toes, heights = person.to_global(clip.pose).positions, []
    for side in "lr":
        for first, last in contacts[f"toe_{side}"]:
            x, y, z = toes[first:last, person.index(f"toe_{side}")].T
            heights += [y - (hill.height(x, z) if conform is hill else 0.0)]
    low, high = np.concatenate(heights).min(), np.concatenate(heights).max()
    print(f"{name}: toes in contact are {low:.3f} to {high:.3f} m above the ground")
