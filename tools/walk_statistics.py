"""Statistics of walks: ten seeds of each animal at once, compared with a recorded run.

`python tools/walk_statistics.py` walks each animal on flat and on rough ground, each seed on a
ground and a way of its own, and prints the median and the worst of each figure; names of cases,
`--seconds`, `--roughness` and `--seed` (the first of ten) narrow it. `--record FILE` writes them
as JSON. `--against FILE` repeats a recorded run and exits with 1 if it got worse: if more walks
break a bound than then, or if the median of a figure is worse than the worst walk then. Every
night tools/walk_statistics.json is compared so. Figures are those of recordings, which any walker
makes. The table of docs/walking.md is that of `--seconds 30 --seed 887900 --roughness 0 .15 .25`.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from drawn import depth_of_shins, knees_inside
from measured import measured
from twobone import creature
from twobone.creature import animals
from twobone.creature.journey import BOW, HURRY, record, smooth_signals
from twobone.errors import CreatureError
from twobone.pictures.keyframes import drift_between_keys

COUNT, FPS = 10, 60
SEED = 7001  # of the first of ten grounds and ways: none that anything was tuned on
APART = 150.0  # of the leg's length: how far grounds are from each other along x
PLANE = float(np.arccos(0.95))  # radians by which that of a knee turns in one frame
DIGITS = 4  # significant ones of recorded figures
SHARE = 0.6  # of full speed
ROUGH, STEEP = 0.15, 0.25  # root mean square of rough ground over the leg's length


class Case(NamedTuple):
    """An animal, and what holds for it besides what holds for all."""

    animal: creature.Animal
    feet_down: int
    margin: float | None  # of the leg's length
    drift: float = 0.2  # mm per metre of leg between keys
    lateral: float | None = 0.2  # speed to either side over that forward
    detour: float | None = 1.08  # path over distance
    way: float = 1.0  # metres from the start, in eight seconds or more
    backwards: float = 0.0  # metres in one frame: a body that passed a limit is set back
    grounds: tuple[float, ...] = (0.0, ROUGH)
    share: float = SHARE  # of full speed; a slower walk takes longer, and goes as far


def with_duty(name, duty_factor):
    animal = creature.animal(name)
    return animal._replace(gait=animal.gait.with_duty_factor(duty_factor))


CRAWL = creature.animal("dog").with_gait("crawl")
CASES = {
    "insect": Case(creature.animal("insect"), 3, 0.04),
    "insect at duty factor .75": Case(with_duty("insect", 0.75), 4, 0.10),
    "insect in tripods": Case(with_duty("insect", 0.5), 3, 0.04),
    "spider": Case(creature.animal("spider"), 4, 0.15),
    "spider at duty factor .75": Case(with_duty("spider", 0.75), 6, 0.15),
    "dog": Case(creature.animal("dog"), 2, None, drift=0.5),
    # It has to sway in order not to fall; on hills that wins over its way at times.
    "dog at a crawl": Case(CRAWL, 3, 0.04, 0.2, None, None, way=0.4, grounds=(0.0,)),
    "dog at a crawl on hills": Case(
        CRAWL, 3, 0.035, 1.7, None, None, way=0.3, backwards=1e-3, grounds=(ROUGH,)
    ),
    "bird": Case(creature.animal("bird"), 1, None, lateral=0.35),
    "crab": Case(creature.animal("crab"), 4, 0.15),
    "centipede": Case(creature.animal("centipede"), 13, 0.15),
    # Steep hills, where feet of the centipede hang in the air.
    "insect on steep hills": Case(creature.animal("insect"), 3, 0.05, way=3.0, grounds=(STEEP,)),
    "spider on steep hills": Case(creature.animal("spider"), 4, 0.08, way=3.0, grounds=(STEEP,)),
    "crab on steep hills": Case(creature.animal("crab"), 4, 0.08, way=1.5, grounds=(STEEP,)),
    "dog on steep hills": Case(
        creature.animal("dog"), 2, None, drift=0.5, lateral=0.35, grounds=(STEEP,)
    ),
    # It sways over its feet as much where hills slow it down.
    "bird on steep hills": Case(
        creature.animal("bird"), 1, None, 0.2, None, None, backwards=1e-3, grounds=(STEEP,)
    ),
    "centipede on steep hills": Case(
        creature.animal("centipede"), 8, 0.15, way=0.6, grounds=(STEEP,)
    ),
    # Slow walks have short steps, and still every foot gets over the ground. One of ten may come
    # to a hole in which its foot finds no ground, and stop.
    **{
        f"{name} on steep hills, slowly": Case(
            creature.animal(name), feet, None, 0.5, None, None, way, 1e-3, (STEEP,), share=0.1
        )
        for name, feet, way in (
            *(("insect", 3, 3.0), ("spider", 4, 3.0), ("crab", 4, 1.5)),
            *(("dog", 2, 1.0), ("bird", 1, 1.0), ("centipede", 8, 0.6)),
        )
    },
}


class Grounds(creature.Noise):
    """Noise of several seeds, each around a place of its own on the x axis."""

    def __init__(self, rms, wavelength, seeds, apart):
        super().__init__(rms, wavelength, seeds[0])
        self.parts = [creature.Noise(rms, wavelength, seed) for seed in seeds]
        self.apart = apart

    def height(self, x, z):
        return self._of_parts("height", 1, x, z)[0]

    def slopes(self, x, z):
        return tuple(self._of_parts("slopes", 2, x, z))

    def _of_parts(self, method, count, x, z):
        x, z = np.broadcast_arrays(x, z)
        which = np.clip(np.rint(x / self.apart), 0, len(self.parts) - 1)
        found = np.empty((count, *x.shape))
        for number in np.unique(which):
            here = which == number
            found[:, here] = getattr(self.parts[int(number)], method)(x[here], z[here])
        return found


def places_to_start(animal, ground, apart):
    """Return a place on each ground, (10, 2): the nearest to its middle where the animal fits."""
    return np.stack([nearest_start(animal, ground, apart * n) for n in range(COUNT)])


def nearest_start(animal, ground, x):
    """Return the nearest place to (x, 0) of a spiral on which an animal can stand."""
    for turn in range(100):
        far = 0.5 * animals.length(animal) * turn**0.5
        place = np.array([x + far * np.cos(2.4 * turn), far * np.sin(2.4 * turn)])
        try:
            creature.Walker(animal, ground, position=place)
        except CreatureError:
            continue
        return place
    raise AssertionError("it fits nowhere")


def ten_walkers(animal, roughness, seed):
    """Return a walker for ten animals, each where it can stand on a ground of its own."""
    length = animals.length(animal)
    apart, seeds = APART * length, range(seed, seed + COUNT)
    ground = Grounds(roughness * length, 2.0 * length, seeds, apart) if roughness else 0.0
    places = places_to_start(animal, ground, apart)
    return creature.Walker(animal, ground, count=COUNT, position=places)


def walk_ten(animal, roughness, seconds, seed=SEED, share=SHARE):
    """Return recordings of ten walks at a share of full speed, and what they walked on."""
    walker = ten_walkers(animal, roughness, seed)
    told = [smooth_signals(one) for one in range(seed, seed + COUNT)]
    found = [walker.state]
    for frame in range(round(seconds * FPS)):
        time = frame / FPS
        hurry, bow = (np.array([way[k](time) for way in told]) for k in (0, 1))
        ahead = share * animal.speed * (1.0 + HURRY * hurry)
        walker.step(1 / FPS, np.stack([0.0 * ahead, ahead], -1), BOW * bow)
        found.append(walker.state)
    for n in range(COUNT):
        alone = [creature.WalkerState(*(part[n] for part in stance)) for stance in found]
        yield record(walker, alone, 1 / FPS), walker.terrain


# What figure, the worst of several, what bounds it: a number, or the name of a field of `Case`.
BOUNDS = {
    "slide": (max, 0.0),
    "unreachable": (max, 0),
    "greatest_reach": (max, 0.95),
    "bone_error": (max, 4.0),  # beyond what rounding knees so far out may cost
    "feet_down": (min, "feet_down"),
    "margin": (min, "margin"),
    "depth_of_feet": (max, 0.0),
    "depth_of_knees": (max, 0.0),
    "depth_of_shins": (max, 0.0),  # over the leg's length
    "knees_inside": (max, 0.0),  # fraction of frames with a knee in the body
    "knee_plane_rotation": (max, PLANE),
    "backwards": (max, "backwards"),
    "drift": (max, "drift"),
    "lateral_speed": (max, "lateral"),
    "path_over_distance": (max, "detour"),
    "touch_down_speed": (max, None),
    "peak_acceleration": (max, None),
    "lift": (max, None),  # over the leg's length
    "way": (min, "way"),
}


def figures(walk, ground):
    """Return the figures of a walk that are bounded, by name."""
    found = creature.report(walk, ground)._asdict()
    return {name: found[name] for name in BOUNDS if name in found} | {
        "bone_error": found["bone_error"] - found["knee_rounding"],
        "feet_down": measured("feet_down", walk).least,
        "margin": float(np.min(measured("static_margin", walk)) / np.max(walk.bones.sum(1))),
        "depth_of_shins": depth_of_shins(walk, ground) / np.max(walk.bones.sum(1)),
        "knees_inside": knees_inside(walk),
        "drift": drift_between_keys(walk),
        "lift": float(np.max(walk.feet[..., 1] - walk.ground) / np.max(walk.bones.sum(1))),
        "way": float(np.max(np.linalg.norm(walk.body_position - walk.body_position[0], axis=-1))),
    }


def broken(case, found):
    """Return which bounds some figures of a walk of a case do not hold."""
    wrong = {}
    for name, (worse, bound) in BOUNDS.items():
        bound = getattr(case, bound) if isinstance(bound, str) else bound
        if bound is not None and worse(found[name], bound) != bound:
            wrong[name] = found[name], bound
    return wrong


def statistics(case, ten):
    """Return the median and the worst of each figure of ten walks, and how many break its bound."""
    wrong = [broken(case, found) for found in ten]
    rows = {}
    for name, (worse, _) in BOUNDS.items():
        values = [float(found[name]) for found in ten]
        rows[name] = {
            "median": rounded(np.median(values)),
            "worst": rounded(worse(values)),
            "broken": sum(name in each for each in wrong),
        }
    return rows


def rounded(value):
    """Return a number as it is recorded: with `DIGITS` significant digits."""
    return float(f"{value:.{DIGITS}g}")


def worsened(found, recorded):
    """Yield what got worse, given the statistics of a case now and in a recorded run."""
    for name, (worse, _) in BOUNDS.items():
        now, then = found[name], recorded[name]
        if now["broken"] > then["broken"]:
            yield f"{name}: bound broken by {now['broken']} of {COUNT}, was {then['broken']}"
        if worse(now["median"], then["worst"]) != then["worst"]:
            yield f"{name}: median {now['median']:g}, the worst was {then['worst']:g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CASES)}")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--roughness", type=float, nargs="*")
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--record", type=Path, metavar="FILE", help="write the statistics as JSON")
    files.add_argument("--against", type=Path, metavar="FILE", help="compare with a recorded run")
    told = parser.parse_args()
    names = told.names or list(CASES)
    unknown = set(names) - set(CASES)
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    recorded = json.loads(told.against.read_text(encoding="utf-8")) if told.against else {}
    seconds, seed = recorded.get("seconds", told.seconds), recorded.get("seed", told.seed)
    then = {(row["case"], row["roughness"]): row["figures"] for row in recorded.get("rows", ())}
    rows, worse = [], False
    for name in names:
        case = CASES[name]
        longer = SHARE / case.share
        for roughness in told.roughness or case.grounds:
            walks = walk_ten(case.animal, roughness, longer * seconds, seed, case.share)
            found = statistics(case, [figures(*walk) for walk in walks])
            rows.append({"case": name, "roughness": roughness, "figures": found})
            print(f"{name}, roughness {roughness}: median, worst", flush=True)
            for figure, row in found.items():
                short = f"   bound broken by {row['broken']} of {COUNT}" if row["broken"] else ""
                print(f"    {figure:20}{row['median']:12g}{row['worst']:12g}{short}", flush=True)
            if told.against and (name, roughness) not in then:
                worse = True
                print("  not in the recorded run", flush=True)
            elif told.against:
                for line in worsened(found, then[name, roughness]):
                    worse = True
                    print(f"  worse: {line}", flush=True)
    if told.record:
        lines = ",\n".join(json.dumps(row) for row in rows)
        head = f'"seconds": {seconds}, "seed": {seed}'
        told.record.write_text(f'{{{head}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")
    sys.exit(worse)


if __name__ == "__main__":
    main()
