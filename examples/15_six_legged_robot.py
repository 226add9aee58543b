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
hips, footholds = roots + COXA * out, roots + (COXA + 0.09) * out
legs = creature.pairs(
    [
        ((hip[0], 0.0, hip[1]), foothold, (FEMUR, TIBIA), (pole[0], 2.0, pole[1]))
        for hip, foothold, pole in zip(hips, footholds, out, strict=True)
    ]
)
body = creature.Body(STANDS, size=(0.14, 0.05, 0.28))
gait = creature.Gait("wave", (0.8, 0.5), stride=0.3)
robot = creature.Animal(body, legs, gait, speed=0.25, name="robot", liveliness=0.0)

ground = creature.make_terrain(0.1, robot, seed=2)  # RMS height: a tenth of the leg's length
walk = creature.walk(robot, terrain=ground, seconds=5.0, seed=2)
found = creature.report(walk, ground)
print(f"{walk.body_position[-1, 2]:.2f} m in {found.seconds:g} s, slide {found.slide:g} m,")
print(f"margin {found.least_margin:.3f} m, reach {found.greatest_reach:.2f} of the leg")
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
