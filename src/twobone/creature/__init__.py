"""Animals that walk on two-bone legs over any terrain."""

from twobone.creature.animals import ANIMALS, Animal, AnimalName, animal
from twobone.creature.appearance import Appearance, Capsule, Ellipsoid, LegRadii, Pivot
from twobone.creature.building import make_anatomy, pair
from twobone.creature.cycles import walk_cycle
from twobone.creature.gaits import GAITS, GaitName
from twobone.creature.journey import TerrainName, make_terrain, record, walk
from twobone.creature.making import make_animal
from twobone.creature.original import original_insect
from twobone.creature.palette import Palette
from twobone.creature.paths import make_path
from twobone.creature.report import Report, report, table
from twobone.creature.servos import ServoAngles, servo_angles
from twobone.creature.stepping.anatomy import Anatomy, Gait, Leg, Link, Manner
from twobone.creature.walker import Walker, WalkerState
from twobone.files.recordings import Recording
from twobone.terrain.ground import Flat, Ground, HeightArray, Noise, Slope, Steps, as_terrain

__all__ = [
    "ANIMALS",
    "GAITS",
    "Anatomy",
    "Animal",
    "AnimalName",
    "Appearance",
    "Capsule",
    "Ellipsoid",
    "Flat",
    "Gait",
    "GaitName",
    "Ground",
    "HeightArray",
    "Leg",
    "LegRadii",
    "Link",
    "Manner",
    "Noise",
    "Palette",
    "Pivot",
    "Recording",
    "Report",
    "ServoAngles",
    "Slope",
    "Steps",
    "TerrainName",
    "Walker",
    "WalkerState",
    "animal",
    "as_terrain",
    "make_anatomy",
    "make_animal",
    "make_path",
    "make_terrain",
    "original_insect",
    "pair",
    "record",
    "report",
    "servo_angles",
    "table",
    "walk",
    "walk_cycle",
]
