"""An animal that walks on two-bone legs."""

from twobone.creature.animals import ANIMALS, Animal, Body, Legs, animal, pairs
from twobone.creature.gait import WaveGait
from twobone.creature.recording import Recording
from twobone.creature.terrain import as_terrain
from twobone.creature.walker import Stance, Walker

__all__ = [
    "ANIMALS",
    "Animal",
    "Body",
    "Legs",
    "Recording",
    "Stance",
    "Walker",
    "WaveGait",
    "animal",
    "as_terrain",
    "pairs",
]
