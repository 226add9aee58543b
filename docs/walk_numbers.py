"""Measure the numbers of docs/walking.md: `python docs/walk_numbers.py` prints all of them.

A test compares the page with `tables`; the rest takes some minutes.
"""

import sys
from pathlib import Path

import numpy as np
from walk_figure import go, with_gait

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import twobone
from drawn import body_parts, depth_of_shins, knees_inside, on_trunk
from twobone import creature
from twobone.creature import animals, measures
from twobone.creature.appearance import Capsule
from twobone.errors import CreatureError
from twobone.pictures.figure import turn_of
from twobone.pictures.keyframes import at_rate, drift_between_keys

ROUGH, SEEDS = 0.15, (1, 2, 3)
KERBS = (0.1, 0.15, 0.2, 0.3, 0.4, -0.1, -0.2, -0.3, -0.4)
STEPS = (0.2, 0.25, 0.3, 0.35, 0.4)
SLOPES = (20, 25, 30, 35, 40, 45)
GROUNDS = {
    **{f"roughness {rough:g}": (rough, SEEDS, 15.0) for rough in (ROUGH, 0.2, 0.25)},
    **{f"steps of {high:g}": (high, (1,), 12.0) for high in STEPS},
    **{f"up {slope}": (slope, (1,), 10.0) for slope in SLOPES},
    **{f"down {slope}": (-slope, (1,), 10.0) for slope in SLOPES},
}


# --- tables of the page -------------------------------------------------------------------


def tables():
    """Return the rows of all tables, as they are on the page."""
    return [*accelerations(), *side_by_side()]


def accelerations():
    """Return rows of the peak acceleration of feet at rising frame rates."""
    found = []
    for fps in (60, 120, 240, 480):
        ours = creature.walk("insect", seconds=4.0, fps=fps, speed=1.2, turn=0.0)
        theirs = creature.original_insect(0.0, 4.0, 1.0 / fps)
        walks = (ours.select(slice(2 * fps, None)), ours, theirs)
        found.append([f"{measures.peak_acceleration(walk.feet, walk.dt):,.0f}" for walk in walks])
    words = ("twobone, steady walk", "twobone, including the start", "original insect")
    return [
        row(word, *values) for word, values in zip(words, zip(*found, strict=True), strict=True)
    ]


def side_by_side():
    """Return rows of a report: our insect and the original, one minute on the same ground."""
    walks, ground = both(ROUGH)
    found = [creature.report(walk, ground) for walk in walks]
    rows = {
        "foot sliding": lambda r: f"{r.slide:g}",
        "feet on the ground, minimum and mean": lambda r: (
            f"{r.least_feet_down}, {r.mean_feet_down:.2f}"
        ),
        "minimum static margin, of the leg length": lambda r: short(r.least_margin_over_leg),
        "maximum reach, of the leg length": lambda r: short(r.greatest_reach, 2),
        "legs out of reach, summed over frames": lambda r: f"{r.unreachable}",
        "touch-down speed at 60 frames per second, m/s": lambda r: f"{r.touch_down_speed:.1f}",
        "foot or knee below the ground, m": lambda r: f"{max(r.depth_of_feet, r.depth_of_knees):g}",
        "body moving backwards, mm per frame": lambda r: short(1e3 * r.backwards, 1),
        "rotation of a knee's plane, degrees per frame": lambda r: (
            f"{np.degrees(r.knee_plane_rotation):.1f}"
        ),
        "peak acceleration of a foot, m/s^2": lambda r: f"{r.peak_acceleration:.0f}",
    }
    return [row(word, *map(write, found)) for word, write in rows.items()]


def both(rough):
    """Return one minute of both insects, and the ground that they walk on."""
    ground = creature.make_terrain(rough, "insect", seed=1)
    ours = creature.walk("insect", terrain=ground, seconds=60.0, seed=1)
    return (ours, creature.original_insect(ground, 60.0)), ground


def row(*cells):
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def short(value, digits=3):
    """Write a number; drop the zero before the decimal point."""
    text = (
        f"{value:.{digits}f}".replace("0.", ".", 1) if abs(value) < 1.0 else f"{value:.{digits}f}"
    )
    return "0" if value == 0.0 else text


# --- other numbers of the page ------------------------------------------------------------


def clock():
    """Print the cycles per second of an insect's legs, and by how much they speed up at a start."""
    for speed in (0.2, 0.4, 0.8, 1.2, 1.8):
        walker = creature.Walker("insect")
        hurry = max(float(_step(walker, speed).hurry[0]) for _ in range(180))
        phase = walker._state.cycle.phase[0]
        go(walker, 4.0, speed)
        cycles = (walker._state.cycle.phase[0] - phase) / 4.0
        print(f"{speed} m/s: {cycles:.2f} cycles per second, {hurry=:.2f}")


def _step(walker, speed):
    walker.step(1 / 60, speed)
    return walker._state.cycle


def liveliness():
    """Print how bodies move on level ground, without liveliness and with it."""
    for name in creature.ANIMALS:
        for lively in (0.0, 1.0):
            animal = creature.animal(name)._replace(liveliness=lively)
            found = creature.report(creature.walk(animal, seconds=10.0, seed=1))
            roll, pitch = np.degrees([found.roll, found.pitch])
            print(
                f"{name:10}{lively:g}: bob {100 * found.bob:.1f} % of the leg, roll {roll:.2f},"
                f" pitch {pitch:.2f} degrees, lateral over forward {found.lateral_speed:.2f},"
                f" path over distance {found.path_over_distance:.2f}, jerk {found.jerk:.0f}"
            )


def sway():
    """Print a dog's minimum margin at a start and in a steady walk, with and without sway."""
    for word, leans in (("no sway", (0.0, 0.0)), ("sway", None)):
        walker = creature.Walker(with_gait("dog", 0.88, sway=leans))
        starts, goes = (least_margin(go(walker, t, 0.1)) / 0.8 for t in (4.0, 8.0))
        print(
            f"crawling dog, {word}: {starts:.3f} of the leg at a start, {goes:.3f} in a steady walk"
        )


def least_margin(walk):
    """Return the minimum static margin of a recording, in metres."""
    return float(measures.static_margin(walk.body_position, walk.feet, walk.stance).min())


def belly(walk, ground):
    """Return how deep the underside of the drawn body was below the ground, in metres."""
    parts = body_parts(walk)
    below = np.concatenate([on_trunk(walk, part, surface(part)) for part in parts], axis=1)
    turned = twobone.rotations.rotate(walk.body_rotation[:, None], below)
    points = walk.body_position[:, None] + turned
    deep = ground.height(points[..., 0], points[..., 2]) - points[..., 1]
    return max(0.0, float(np.max(deep)))


def surface(part):
    """Return points on the lower half of a part, in the body's space."""
    around, down = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 24), np.linspace(0.1, 0.5 * np.pi, 6))
    ways = np.stack([np.cos(around) * np.cos(down), -np.sin(down), np.sin(around) * np.cos(down)])
    ways = ways.reshape(3, -1).T
    if isinstance(part, Capsule):
        ends = zip((part.start, part.end), part.radii, strict=True)
        return np.concatenate([end + radius * ways for end, radius in ends])
    ways /= np.sum(np.abs(ways) ** part.power, -1, keepdims=True) ** (1.0 / part.power)
    return part.centre + twobone.rotations.rotate(turn_of(part), ways * part.half)


def steady_feet():
    """Print the peak speed of feet over that of the body, and how high they are lifted."""
    for name in creature.ANIMALS:
        animal, found = creature.animal(name), []
        for share in (0.05, 0.1, 0.2, 0.6, 1.0):
            speed = share * animal.speed
            way = animal.gait.stride * animals.length(animal) / animal.gait.duty_factor_at(share)
            cycle = way / speed  # in seconds; steps at the start are longer than later ones
            walk = creature.walk(name, seconds=3.0 * cycle, fps=120, speed=speed, turn=0.0)
            walk = walk.select(slice(round(240 * cycle), None))
            speed = np.linalg.norm(np.diff(walk.feet, axis=0), axis=-1) / walk.dt
            body = np.diff(walk.body_position[:, [0, 2]], axis=0) / walk.dt
            found.append(np.max(speed) / np.mean(np.linalg.norm(body, axis=-1)))
        lift = np.max(walk.feet[..., 1]) / animals.length(animal)
        speeds = ", ".join(f"{each:.1f}" for each in found)
        print(f"{name}: {speeds} at .05, .1, .2, .6 and 1 of full speed; lift {lift:.2f}")


def limits():
    """Print what goes wrong on each ground, over the leg length: the worst of some seeds."""
    for name in creature.ANIMALS:
        length = animals.length(creature.animal(name))
        for word, (size, seeds, seconds) in GROUNDS.items():
            found, refused = [], 0
            for seed in seeds:
                ground = land(word, size, length, seed)
                turn = None if len(seeds) > 1 else 0.0
                try:
                    walk = creature.walk(
                        name, terrain=ground, seconds=seconds, seed=seed, turn=turn
                    )
                except CreatureError:  # there is no room for the animal where it starts
                    refused += 1
                else:
                    found.append(faults(walk, ground))
            print(f"{name:10}{word:16}", end="")
            if refused:
                print(f" cannot start on {refused} of {len(seeds)} grounds;", end="")
            if found:
                out, feet, knees, deep, inside, margin, distance = np.max(found, axis=0)
                print(
                    f" out of reach {out:4g}, below ground: foot {feet / length:.3f},"
                    f" knee or shin {knees / length:.3f}, belly {deep / length:.3f};"
                    f" knees in the body {100 * inside:.1f} %;"
                    f" margin {-margin:.3f}, distance {-distance:.1f} m",
                    end="",
                )
            print(flush=True)


def kerbs():
    """Print how many of 16 get over a kerb, each from its own distance, and how deep shins cut it.

    The heights of the kerb and of what is cut off it are fractions of the leg length.
    """
    for name in creature.ANIMALS:
        animal = creature.animal(name)
        length = animals.length(animal)
        edge = 1.5 * length
        starts = np.array([[0.0, (0.05 * each - 0.5) * length] for each in range(16)])
        for high in KERBS:

            def kerb(x, z, edge=edge, high=high * length):
                return np.where(z > edge, high, 0.0) + 0.0 * x

            walker = creature.Walker(animal, kerb, count=len(starts), position=starts)
            deep = 0.0
            for _ in range(20 * 60):
                walker.step(1 / 60, 0.6 * animal.speed)
                deep = max(deep, depth_of_shins(walker.state, walker.terrain))
            over = np.count_nonzero(walker.place[:, 1] > edge + length)
            print(
                f"{name:10} kerb of {high:4}: {over:2} of 16, shins {deep / length:.3f}", flush=True
            )


def faults(walk, ground):
    """Return what goes wrong in a walk: the greater, the worse."""
    report = creature.report(walk, ground)
    knees = max(report.depth_of_knees, depth_of_shins(walk, ground))
    distance = np.hypot(*(walk.body_position[-1] - walk.body_position[0])[[0, 2]])
    return (
        report.unreachable,
        report.depth_of_feet,
        knees,
        belly(walk, ground),
        knees_inside(walk),
        -report.least_margin_over_leg,
        -distance,
    )


def land(word, size, length, seed):
    """Return the terrain of a row of `GROUNDS`."""
    if word.startswith("roughness"):
        return creature.Noise(size * length, 2.0 * length, seed)
    if word.startswith("steps"):
        return creature.Steps(size * length, 1.2 * length)
    return creature.Slope(float(size))


def twice_as_rough():
    """Print how both insects walk at twice the roughness."""
    walks, ground = both(2.0 * ROUGH)
    for word, walk in zip(("twobone", "original"), walks, strict=True):
        found = creature.report(walk, ground)
        print(
            f"{word}: {found.unreachable:,} of {walk.stance.size:,} legs out of reach,"
            f" knees {found.depth_of_knees:.2f} m below ground"
        )


def keys():
    """Print how far planted feet move between the keys of a glTF model, in mm per metre of leg."""
    for name in creature.ANIMALS:
        walk = creature.walk(name, terrain=0.1, seconds=10.0)
        drifts = (f"{drift_between_keys(at_rate(walk, rate)):.3f}" for rate in (60, 30, 24))
        print(f"{name}: {', '.join(drifts)} at 60, 30 and 24 keys per second")


def main():
    for line in tables():
        print(line)
    for show in (clock, steady_feet, liveliness, sway, twice_as_rough, keys, kerbs, limits):
        print(f"\n{show.__doc__}")
        show()


if __name__ == "__main__":
    main()
