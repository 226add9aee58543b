"""Walks towards ditches, holes, cliffs, walls and borders of islands; the worst of every figure.

`python tools/walk_crossings.py` walks each animal towards each obstacle straight ahead, aslant,
backwards, sideways and turning, and prints the worst figures; names of animals narrow it. Then a
spider goes towards a bar, and a dog towards a kerb, from many distances: not all of them get over.
`--record FILE` writes as JSON what breaks a bound and how many walks cross; `--against FILE` exits
with 1 if more does, or fewer cross. All of it takes more than ten minutes.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from measured import measured
from twobone import creature
from twobone.creature import animals
from twobone.creature.journey import record
from twobone.pictures.figure import figure_of_animal
from twobone.pictures.trunk import UP, carried
from twobone.rotations import rotate
from walk_statistics import PLANE

FPS = 60
DEPTH = 3.0  # of the leg's length
THICK = 0.15  # of the leg's length: how thick a wall is
ROOM = 0.3  # of the leg's length: how far the feet are from an obstacle at first
STILL = 1e-3  # of the leg's length: how far a body that stands moves in a second


class Obstacle(NamedTuple):
    """Something in the way of an animal; sizes are shares of the leg's length."""

    kind: str  # ditch, hole, cliff, wall or island
    size: float  # width; height of a cliff (down if negative) or wall; room on an island


OBSTACLES = [
    *(Obstacle("ditch", width) for width in (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)),
    *(Obstacle("hole", width) for width in (0.2, 0.5, 1.0)),
    *(Obstacle("cliff", height) for height in (-DEPTH, -0.5, 0.3, 0.6, 2.0)),
    *(Obstacle("wall", height) for height in (0.2, 0.5, 2.0)),
    *(Obstacle("island", room) for room in (0.02, 0.3)),
]


class Approach(NamedTuple):
    """How an animal goes towards an obstacle."""

    name: str
    way: complex  # aside and forward: where it is told to go, of its speed
    turn: float = 0.0  # radians over the whole walk
    aslant: float = 0.0  # radians by which the obstacle is turned
    speed: float = 0.8  # of full speed


APPROACHES = [
    Approach("straight", 1j),
    Approach("aslant", 1j, aslant=0.6, speed=1.0),
    Approach("backwards", -1j, speed=0.6),
    Approach("turning", 1j, turn=1.0),
    Approach("sideways", 1.0 + 0j, aslant=-0.2, speed=0.6),
]


class Course(creature.as_terrain(0.0).__class__.__base__):
    """Lanes along z, far from each other, with an obstacle each."""

    def __init__(self, lanes, length, breadth):
        self.kinds = np.array([obstacle.kind for obstacle, _ in lanes])
        self.sizes = np.array([obstacle.size for obstacle, _ in lanes]) * length
        self.length, self.breadth = length, breadth
        self.apart = 4.0 * breadth + 12.0 * length
        wide = np.where(np.isin(self.kinds, ["ditch", "hole"]), 0.5 * self.sizes, 0.0)
        aslant = np.array([approach.aslant for _, approach in lanes])
        self.away = (breadth + ROOM * length + wide) / np.cos(aslant)
        ways = np.array([approach.way for _, approach in lanes])
        self.ways = ways / np.abs(ways)
        self.normals = self.ways * np.exp(1j * aslant)
        self.starts = self.apart * np.arange(len(lanes)) + 0j

    def height(self, x, z):
        x, z = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(z, np.float64))
        lane = np.clip(np.rint(x / self.apart), 0, len(self.starts) - 1).astype(int)
        from_start = x + 1j * z - self.starts[lane]
        from_it = from_start - (self.away * self.ways)[lane]
        along = (from_it * self.normals[lane].conj()).real
        kind, size = self.kinds[lane], self.sizes[lane]
        deep = -DEPTH * self.length
        return np.select(
            [
                (kind == "ditch") & (np.abs(along) < 0.5 * size),
                (kind == "hole") & (np.abs(from_it) < 0.5 * size),
                (kind == "island") & (np.abs(from_start) > self.breadth + size),
                (kind == "cliff") & (along > 0.0),
                (kind == "wall") & (np.abs(along) < 0.5 * THICK * self.length),
            ],
            [deep, deep, deep, size, size],
            0.0,
        )


class Found(NamedTuple):
    """What came of a walk; lengths over the leg's."""

    reach: float
    bones: float  # eps beyond rounding
    belly: float  # depth in the ground
    knee: float
    foot: float
    slide: float
    plane: float  # radians by which that of a knee turns in a frame
    least_down: int
    margin: float
    way: float  # along the order
    crossed: bool
    still: bool  # it stands at the end, on all its feet
    margin_at_the_end: float
    braking: float  # greatest change of the body's velocity in a frame, of full speed


def walk_lanes(name, lanes, seconds=None):
    """Return what came of an animal's walks, and the recordings, all walked at once."""
    animal = creature.animal(name)
    length = animals.length(animal)
    breadth = breadth_of(animal)
    course = Course(lanes, length, breadth)
    walker = creature.Walker(
        animal,
        course,
        count=len(lanes),
        position=np.stack([course.starts.real, course.starts.imag], -1),
    )
    speeds = np.array([approach.speed for _, approach in lanes]) * animal.speed
    if seconds is None:
        seconds = (4.0 * breadth + 3.0 * length) / float(np.min(speeds))
    velocity = (speeds * course.ways)[:, None].view(np.float64)
    turn = np.array([approach.turn for _, approach in lanes]) / seconds
    found = [walker.state]
    for _ in range(round(seconds * FPS)):
        walker.step(1 / FPS, velocity, turn)
        found.append(walker.state)
    for n in range(len(lanes)):
        alone = [creature.WalkerState(*(part[n] for part in stance)) for stance in found]
        recording = record(walker, alone, 1 / FPS)
        yield look_at(recording, course, animal, course.starts[n], course.ways[n]), recording


def breadth_of(animal):
    """Return how far feet and head are from the middle."""
    wide, high, long = animal.body.size
    head = 0.5 * long + 0.4 * min(wide, 1.6 * high)
    return max(head, float(np.max(np.hypot(*animal.legs.footholds.T))))


def belly(recording, ground, animal):
    """Return how deep the underside of the body, as it is drawn, is in the ground."""
    body = figure_of_animal(animal._replace(appearance=None)).parts[0]
    x, z = np.meshgrid(np.linspace(-0.9, 0.9, 7), np.linspace(-0.9, 0.9, 15))
    left = np.maximum(0.0, 1.0 - x**4 - z**4)
    below = np.stack([x, -(left**0.25), z], -1)[left > 0.0] * body.half + body.centre
    if recording.body_bend is not None:
        heights, _ = carried(recording.body_bend[:, None], below[:, 2])
        below = below + heights[..., None] * UP
    turned = rotate(recording.body_rotation[:, None], below)
    points = recording.body_position[:, None] + turned
    return float(np.max(ground.height(points[..., 0], points[..., 2]) - points[..., 1]))


def look_at(recording, ground, animal, start, way):
    length = animals.length(animal)
    report = creature.report(recording, ground)
    place = recording.body_position[:, [0, 2]] @ [1.0, 1.0j] - start
    along = (place * np.conj(way)).real
    velocity = np.diff(place) * FPS
    margin = measured("static_margin", recording) / length
    last = recording.body_position[-FPS:]
    footholds = breadth_of(animal)
    return Found(
        report.greatest_reach,
        report.bone_error - report.knee_rounding,
        max(0.0, belly(recording, ground, animal)) / length,
        report.depth_of_knees / length,
        report.depth_of_feet / length,
        report.slide,
        report.knee_plane_rotation,
        report.least_feet_down,
        float(np.min(margin)),
        float(along[-1]) / length,
        bool(along[-1] > 2.0 * footholds + 1.0 * length),
        bool(np.all(recording.stance[-FPS:]) and np.max(np.ptp(last, axis=0)) < STILL * length),
        float(margin[-1]),
        float(np.max(np.abs(np.diff(velocity)))) / animal.speed,
    )


def broken(found):
    """Return what of a walk is out of bounds."""
    most = {"reach": 0.95, "bones": 4.0, "belly": 0.0, "knee": 0.0, "foot": 1e-12, "slide": 0.0}
    most["plane"] = PLANE
    return {
        name: getattr(found, name) for name, bound in most.items() if getattr(found, name) > bound
    }


class Row(NamedTuple):
    """What stands in the way of an animal that starts from several distances."""

    name: str
    height: float  # of the leg's length
    width: float  # of the leg's length
    count: int
    seconds: float
    speed: float  # of full speed


# A bar, and a kerb that does not end.
ROWS = [
    *(Row("spider", height, 0.8, 32, 15.0, 0.8) for height in (1 / 3, 0.5)),
    *(Row("dog", height, np.inf, 16, 8.0, 0.6) for height in (0.15, 0.2, 0.3)),
]


def crossing(row):
    """Return how many animals get over an obstacle, from distances spread over a stride."""
    animal = creature.animal(row.name)
    length = animals.length(animal)
    front = breadth_of(animal) + animal.gait.stride * length
    back = front + row.width * length

    def height(x, z):
        return np.where((z > front) & (z < back), row.height * length, 0.0) + 0.0 * x

    away = np.arange(row.count) / row.count * animal.gait.stride * length
    starts = np.stack([0.0 * away, -away], -1)
    walker = creature.Walker(animal, height, count=row.count, position=starts)
    for _ in range(round(row.seconds * FPS)):
        walker.step(1 / FPS, row.speed * animal.speed)
    beyond = (back if np.isfinite(back) else front) + breadth_of(animal)
    return int(np.count_nonzero(walker.place[:, 1] > beyond))


def worsened(found, recorded):
    """Yield what got worse, given what came of walks now and in a recorded run."""
    for name, wrong in found["broken"].items():
        if more := set(wrong) - set(recorded["broken"].get(name, ())):
            yield f"{name}: {', '.join(sorted(more))} out of bounds"
    for name, count in found["crossing"].items():
        if count < recorded["crossing"].get(name, np.inf):
            yield f"{name}: {count} cross, were {recorded['crossing'].get(name, 'not recorded')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(creature.ANIMALS), metavar="NAME")
    parser.add_argument("--all", action="store_true", help="print each walk")
    parser.add_argument("--only", default="", metavar="TEXT", help="those whose names hold this")
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--record", type=Path, metavar="FILE", help="write what was found as JSON")
    files.add_argument("--against", type=Path, metavar="FILE", help="compare with a recorded run")
    told = parser.parse_args()
    lanes = [
        (obstacle, approach)
        for obstacle in OBSTACLES
        for approach in APPROACHES
        if told.only in f"{obstacle.kind} {obstacle.size} {approach.name}"
    ]
    result = {"broken": {}, "crossing": {}}
    for name in told.names:
        crossed = 0
        for (obstacle, approach), (found, _) in zip(lanes, walk_lanes(name, lanes), strict=True):
            wrong = broken(found)
            crossed += found.crossed
            lane = f"{name} {obstacle.kind} {obstacle.size} {approach.name}"
            if wrong:
                result["broken"][lane] = sorted(wrong)
            if wrong or told.all:
                end = "crosses" if found.crossed else "stands" if found.still else "goes on"
                print(
                    f"{lane:38}{end:8}"
                    f" way {found.way:5.2f} reach {found.reach:.3f} down {found.least_down}"
                    f" margin {found.margin:.3f} {found.margin_at_the_end:.3f}"
                    f" braking {found.braking:.2f}"
                    + "".join(f"  {k} {v:.3g}" for k, v in wrong.items()),
                    flush=True,
                )
        result["crossing"][f"{name}, of {len(lanes)}"] = crossed
    for row in () if told.only else ROWS:
        if row.name in told.names:
            lane = f"{row.name}, {row.height:.2g} high, of {row.count}"
            result["crossing"][lane] = crossing(row)
    for lane, count in result["crossing"].items():
        print(f"{lane}: {count} cross")
    print(f"{len(result['broken'])} walks out of bounds")
    if told.record:
        told.record.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    worse = []
    if told.against:
        worse = list(worsened(result, json.loads(told.against.read_text(encoding="utf-8"))))
    for line in worse:
        print(f"worse: {line}")
    sys.exit(bool(worse))


if __name__ == "__main__":
    main()
