"""Bounds on long walks: ten at a time, flat and rough, with turning and changes of speed.

Ten walkers far apart on one ground walk on ten grounds; ways are of ten seeds.
"""

import numpy as np
import pytest

from twobone import creature
from twobone.creature import measures
from twobone.creature.journey import BOW, HURRY, record, ways

COUNT, SECONDS, FPS = 10, 12, 60
SEED = 500  # of grounds and ways: not one that anything was tuned on


def walks(animal, roughness, seconds=SECONDS):
    """Return recordings of ten walks."""
    length = float(np.max(animal.legs.bones.sum(1)))
    ground = creature.Noise(roughness * length, 2.0 * length, SEED) if roughness else 0.0
    places = np.stack([200.0 * length * np.arange(COUNT), np.zeros(COUNT)], -1)
    walker = creature.Walker(animal, ground, count=COUNT, position=places)
    told = [ways(SEED + n) for n in range(COUNT)]
    found = [walker.stance]
    for frame in range(seconds * FPS):
        time = frame / FPS
        hurry, bow = (np.array([way[k](time) for way in told]) for k in (0, 1))
        ahead = 0.6 * animal.speed * (1.0 + HURRY * hurry)
        walker.step(1 / FPS, np.stack([0.0 * ahead, ahead], -1), BOW * bow)
        found.append(walker.stance)
    for n in range(COUNT):
        alone = [creature.Stance(*(part[n] for part in stance)) for stance in found]
        yield record(walker, alone, 1 / FPS), walker.terrain


def with_duty(name, duty):
    animal = creature.animal(name)
    return animal._replace(gait=creature.WaveGait(animal.gait.stride, duty, animal.gait.lift))


CASES = {
    # animal, least feet down, least static margin over the leg's length
    "insect": (creature.animal("insect"), 3, 0.04),
    "insect at duty .75": (with_duty("insect", 0.75), 4, 0.10),
    "insect in tripods": (with_duty("insect", 0.5), 3, 0.04),
    "spider": (creature.animal("spider"), 4, 0.15),
    "spider at duty .75": (with_duty("spider", 0.75), 6, 0.15),
    "dog": (creature.animal("dog"), 3, 0.0),
    "bird": (creature.animal("bird"), 1, None),
    "crab": (creature.animal("crab"), 4, 0.15),
    "centipede": (creature.animal("centipede"), 13, 0.15),
}


@pytest.mark.parametrize("roughness", [0.0, 0.15])
@pytest.mark.parametrize("name", CASES)
def test_walks_hold_their_bounds(name, roughness):
    animal, least_down, least_margin = CASES[name]
    length = float(np.max(animal.legs.bones.sum(1)))
    for walk, ground in walks(animal, roughness):
        assert measures.slip(walk) == 0.0
        assert measures.unreachable(walk) == 0
        assert measures.greatest_reach(walk) <= 0.95
        assert measures.feet_down(walk).least >= least_down
        if least_margin is not None:
            assert np.min(measures.static_margin(walk)) / length >= least_margin
        assert measures.depth_of_feet(walk) <= 0.0
        assert measures.depth_of_knees(walk, ground) <= 0.0
        assert measures.knee_plane_turn(walk) < np.arccos(0.95)
        assert measures.backwards(walk) == 0.0
        assert np.linalg.norm(walk.body_position[-1] - walk.body_position[0]) > 1.5
