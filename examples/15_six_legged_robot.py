"""Define a six-legged robot, walk it on rough ground, and export a model and servo angles."""

import sys
import tempfile
from pathlib import Path

import numpy as np

from twobone import creature
from twobone.pictures.model import write_glb

# In metres. A leg has a coxa, which rotates about the vertical, a femur and a tibia. The walker
# knows only femur and tibia: the hip is the end of the coxa in its neutral direction.
COXA, FEMUR, TIBIA, STANDS = 0.05, 0.10, 0.14, 0.10
roots = np.array([[0.06, -0.12], [0.08, 0.0], [0.06, 0.12]])  # of the left coxas: x, z
angles = np.radians([-45.0, 0.0, 45.0])  # their neutral directions: 0 is left, 90 forward
out = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
hips, feet = roots + COXA * out, roots + (COXA + 0.09) * out
legs = [
    leg
    for k in range(3)
    for leg in creature.pair(
        k,  # a pair at each station of the trunk, which is beside its hips
        hip=(hips[k, 0], 0.0),
        foot=(feet[k, 0], feet[k, 1] - hips[k, 1]),
        bones=(FEMUR, TIBIA, 0.0),
        pole=(out[k, 0], 2.0, out[k, 1]),
        radial=True,
    )
]
anatomy = creature.make_anatomy(
    name="robot",
    height=STANDS,
    along=hips[:, 1].tolist(),
    legs=legs,
    gaits=creature.animal("insect").anatomy.gaits,
    belly=0.025,
    manner=creature.Manner(*[0.0] * len(creature.Manner._fields)),  # its body keeps still
)
robot = creature.Animal(anatomy)

ground = creature.make_terrain(0.1, robot, seed=2)  # RMS height: a tenth of the leg's length
walk = creature.walk(robot, terrain=ground, seconds=5.0, speed=0.15, seed=2)
found = creature.report(walk, ground)
print(f"{walk.body_position[-1, 2]:.2f} m in {found.seconds:g} s, slide {found.slide:g} m,")
print(f"margin {found.least_margin:.3f} m, reach {found.greatest_reach:.2f} of the bones")
assert (found.slide, found.unreachable) == (0.0, 0)
assert found.least_feet_down >= 3

path = Path(sys.argv[1]) if sys.argv[1:] else Path(tempfile.mkdtemp()) / "robot.glb"
write_glb(path, walk, ground)
print("written:", path)

# Servo angles: the coxa turns towards the foot; femur and tibia are then two bones in a plane.
servos = creature.servo_angles(walk, COXA, np.repeat(angles, 2))
print(*servos.report(), sep="\n")
servos.save(path.with_suffix(".csv"))
print("written:", path.with_suffix(".csv"))
for k, name in enumerate(("rear", "middle", "front")):
    print(f"{name} left:", np.degrees([part[0, 2 * k] for part in servos[1:]]).round(1))
