# pyright: strict
"""Walks, terrains, animals of one's own, and files of walks."""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

from twobone import creature
from twobone.files.recordings import read_recording, write_recording
from twobone.film.encoder import write_mp4
from twobone.pictures.model import write_glb
from twobone.pictures.svg import diagram, overview
from twobone.pictures.walking import write_svg

Floats = NDArray[np.float64]

walk = creature.walk("insect", terrain=0.15, seconds=4.0)
assert_type(walk, creature.Recording)
assert_type(walk.feet, Floats)
assert_type(walk.stance, NDArray[np.bool])
assert_type(walk.dt, float)
creature.walk("dog", terrain="steps", fps=30, speed=0.3, path=[(0.0, 2.0), (2.0, 2.0)], seed=3)
creature.walk(creature.animal("crab"), terrain=creature.Noise(0.1, 2.0), progress=print)
creature.walk("bird", terrain=lambda x, z: 0.1 * x, turn=0.2)
for name, make in creature.ANIMALS.items():
    assert_type(make(), creature.Animal)
    creature.walk(name, seconds=1)

walker = creature.Walker("spider", creature.Noise(0.2, 4.0, seed=1))
for _ in range(60):
    walker.step(1 / 60, velocity=1.0, turn=0.2)
walker.step(1 / 60, [0.1, 0.5])
walker.shove([0.5, 0.0])
walker.put((0.0, 1.0), heading=0.5)
assert_type(walker.state, creature.WalkerState)
assert_type(walker.state.feet, Floats)
place: Floats = walker.place
many = creature.Walker(creature.animal("insect"), 0.0, count=3, position=np.zeros((3, 2)))
assert_type(creature.record(walker, [walker.state], 1 / 60), creature.Recording)

figures = creature.report(walk, 0.0)
assert_type(figures.slide, float)
assert_type(figures.lines(), list[str])
assert_type(creature.table({"ours": figures}), list[str])
assert_type(creature.original_insect(0.0, seconds=5.0), creature.Recording)
assert_type(creature.make_path("eight", "dog"), Floats)

# --- ground and animals of one's own ------------------------------------------------------

ground = creature.make_terrain(0.1, "dog", seed=3)
assert_type(ground.height([0.0, 1.0], 2.0), Floats)
assert_type(ground.normal(0.0, 0.0), Floats)
hill = creature.HeightArray([[0, 0, 0], [0, 1, 0], [0, 0, 0]], spacing=0.5)
creature.as_terrain(hill)
creature.as_terrain(0.5)


class Bowl:
    """Ground of one's own."""

    def height(self, x: Floats, z: Floats) -> Floats:
        return 0.1 * (x * x + z * z)


creature.Walker("insect", Bowl())

legs = [
    leg
    for station in (0, 1)
    for leg in creature.pair(
        station,
        hip=(0.2, 0.0),
        foot=(0.25, 0.0),
        bones=(0.3, 0.3, 0.0),
        pole=(0.0, 0.0, 1.0),
    )
]
assert_type(legs, list[creature.Leg])
anatomy = creature.make_anatomy(
    height=0.5, along=(-0.4, 0.4), legs=legs, gaits=creature.animal("dog").anatomy.gaits
)
robot = creature.Animal(anatomy)
assert_type(robot.top_speed, float)
assert_type(robot.with_gait("crawl", duty_factor=(0.8, 0.7)), creature.Animal)


def film(name: creature.AnimalName, on: creature.Ground | creature.TerrainName) -> Floats:
    """Say with the names of the room what a function of one's own takes."""
    return creature.walk(name, terrain=on).feet


# --- files --------------------------------------------------------------------------------

write_glb(Path("walk.glb"), walk, ground)
write_svg("walk.svg", walk, 0.0)
write_mp4("walk.mp4", walk, Bowl(), size=(320, 180), progress=lambda share: None)
write_recording("walk.npz", walk)
assert_type(read_recording("walk.npz"), creature.Recording)
assert_type(diagram([1.2, 0.5], 1.0, 0.8, show=("circles", "bones")), str)
assert_type(overview(np.zeros((5, 2)), 1.0, 0.8, side=-1, title="five"), str)
anything: Any = ground.formula()["kind"]
