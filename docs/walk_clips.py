"""Measure the dog's gait beside those of animated animals: `python docs/walk_clips.py`

It prints a table of docs/walking_measurements.md. The clips are in `../shared/clips`; where they
are not, the table has our animals alone. `--json benchmarks/animated.json` records it, for
benchmarks/tables.py.
"""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from walk_figure import go

from twobone import creature, motion
from twobone.creature import contacts, measures
from twobone.rotations import matrix_to_quaternion

CLIPS = Path(__file__).resolve().parents[2] / "shared" / "clips"
FOX, HORSE = "mesh2motion_glb/fox-animations.glb", "quaternius_glb/animals_pack_Horse.glb"
REAL = {
    "fox, walk": (FOX, "Walk"),
    "fox, run": (FOX, "Run"),
    "horse, walk": (HORSE, "AnimalArmature|Walk"),
}
SPEEDS = (0.2, 0.3, 0.6, 0.9, 1.2, 1.5)  # m/s, of our dog
OURS = (0.3, 1.2, 4.6)  # m/s, of our dog beside clips
SECONDS, FPS, GRAVITY = 12.0, 30, 9.81
LOW, BACK = 0.25, 0.25  # see `_on_ground`


class Feet(NamedTuple):
    """What is measured, for T frames of four legs: hind left, hind right, fore left, fore right."""

    hips: np.ndarray  # (T, 4, 3), in metres
    feet: np.ndarray  # (T, 4, 3)
    contact: np.ndarray  # (T, 4)
    dt: float
    cycle: float  # seconds


class Measured(NamedTuple):
    """Measures of a gait. Lengths are over the height of the hips."""

    duty_factor: float
    fore_lag: float  # of a cycle, by which fore feet follow the hind feet of their side
    froude: float  # v^2 / (g L)
    stride: float  # distance of a cycle
    lateral: float  # speed to the side over that forward
    path: float  # length of the body's path over distance
    bob: float
    sway: float
    roll: float  # degrees
    pitch: float
    jerk: float  # root mean square, over L times the cube of the rate of cycles
    foot_speed: float  # the greatest of a foot, over that of the body


ROWS = {
    "duty factor": ("duty_factor", 2),
    "fore foot after hind foot, of a cycle": ("fore_lag", 2),
    "Froude number": ("froude", 2),
    "distance of a cycle, over the height of the hips": ("stride", 2),
    "lateral over forward speed": ("lateral", 2),
    "path over distance": ("path", 3),
    "bob, over the height of the hips": ("bob", 3),
    "sway": ("sway", 3),
    "roll, degrees": ("roll", 1),
    "pitch, degrees": ("pitch", 1),
    "jerk of the body, hip heights per cycle cubed": ("jerk", 0),
    "peak speed of a foot, over that of the body": ("foot_speed", 1),
}


def ours(speed, name="dog"):
    """Return the feet of a steady walk of one of our animals with four legs."""
    walker = creature.Walker(name)
    go(walker, 4.0, speed)
    walk = go(walker, SECONDS, speed, fps=FPS)
    lands = np.flatnonzero(contacts.touch_downs(walk.stance)[1:, 0])
    cycle = float(np.mean(np.diff(lands))) * walk.dt
    return Feet(walk.hips, walk.feet, walk.stance, walk.dt, cycle)


def animated(path, name):
    """Return the feet of a clip that loops in place, over ground that stands still."""
    clip = motion.load(CLIPS / path, name)
    points = clip.skeleton.to_global(clip.pose).positions[:-1]  # the last frame is the first
    order = [("hind", "left"), ("hind", "right"), ("front", "left"), ("front", "right")]
    legs = {(leg.place, leg.side): leg for leg in motion.find_limbs(clip).legs}
    chosen = [legs[key] for key in order]
    hips = points[:, [leg.start for leg in chosen]]
    feet = points[:, [leg.end if leg.toe is None else leg.toe for leg in chosen]]
    dt, count = 1.0 / clip.fps, len(points)
    contact, velocity = _on_ground(hips, feet, dt)
    times = round(SECONDS / (count * dt))
    hips, feet, contact = (np.concatenate([part] * times) for part in (hips, feet, contact))
    went = -velocity * dt * np.arange(len(feet))[:, None, None]
    return Feet(hips + went, feet + went, contact, dt, count * dt)


def _on_ground(hips, feet, dt):
    """Return when feet are on the ground, and the velocity of the ground below a body that stays.

    Feet of animated animals slide and roll. They are on the ground while they are in the lowest
    quarter of their height and go back at a quarter or more of the speed of the ground.
    """
    height = feet[..., 1] - feet[..., 1].min(axis=0)
    low = height < LOW * height.max(axis=0)
    speeds = (np.roll(feet, -1, axis=0) - np.roll(feet, 1, axis=0)) / (2.0 * dt)
    ahead = _axes(hips)[2].mean(axis=0) * [1.0, 0.0, 1.0]
    back = -np.sum(speeds * ahead, axis=-1)
    speed = float(np.median(back[low & (back > 0.0)]))
    return low & (back > BACK * speed), -speed * ahead / np.linalg.norm(ahead)


def _axes(hips):
    """Return the axes of the body, (3, T, 3): left, up, forward, from its hips and shoulders."""
    forward = hips[:, 2:].mean(axis=1) - hips[:, :2].mean(axis=1)
    left = hips[:, [0, 2]].mean(axis=1) - hips[:, [1, 3]].mean(axis=1)
    up = np.cross(forward, left)
    left = np.cross(up, forward)
    return np.stack(
        [part / np.linalg.norm(part, axis=-1, keepdims=True) for part in (left, up, forward)]
    )


def measure(found):
    """Return the measures of a gait."""
    body = found.hips.mean(axis=1)
    turn = matrix_to_quaternion(np.moveaxis(_axes(found.hips), 0, -1))
    tall = float(np.mean(found.hips[:, :2, 1]) - found.feet[..., 1].min())
    went = body[-1, [0, 2]] - body[0, [0, 2]]
    speed = float(np.linalg.norm(went)) / (found.dt * (len(body) - 1))
    steps = np.linalg.norm(np.diff(found.feet, axis=0), axis=-1) / found.dt
    whole = int(len(body) * found.dt / found.cycle) * found.cycle
    wave = np.exp(-2j * np.pi * found.dt * np.arange(len(body)) / found.cycle)[:, None]
    phases = np.sum((found.contact * wave)[: round(whole / found.dt)], axis=0)
    lag = np.angle(np.sum(phases[:2] * np.conj(phases[2:])))
    rate = 1.0 / found.cycle
    return Measured(
        duty_factor=float(np.mean(found.contact)),
        fore_lag=float(lag / (2.0 * np.pi) % 1.0),
        froude=speed**2 / (GRAVITY * tall),
        stride=speed * found.cycle / tall,
        lateral=measures.lateral_speed(body, turn),
        path=measures.path_over_distance(body, found.dt),
        bob=measures.bob(body, found.dt) / tall,
        sway=measures.sway(body, turn, found.dt) / tall,
        roll=float(np.degrees(measures.roll(turn, found.dt))),
        pitch=float(np.degrees(measures.pitch(turn, found.dt))),
        jerk=measures.jerk(body, found.dt) / (tall * rate**3),
        foot_speed=float(np.max(steps)) / speed,
    )


def columns():
    """Return the measures of our dog, and of the clips where there are any, by name."""
    found = {f"our dog, {speed:g} m/s": measure(ours(speed)) for speed in OURS}
    if not CLIPS.is_dir():
        print(f"no clips: {CLIPS} is not there")
        return found
    return {**found, **{word: measure(animated(*clip)) for word, clip in REAL.items()}}


def table(found):
    """Return the rows of a table: what is measured, and the figures of each column."""
    return [
        [word, *(f"{getattr(each, name):.{digits}f}" for each in found.values())]
        for word, (name, digits) in ROWS.items()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write the table to this file")
    options = parser.parse_args()
    found = columns()
    rows = table(found)
    print(*(" | ".join(row) for row in (["", *found], *rows)), sep="\n")
    if options.json:
        lines = ",\n".join(json.dumps(row) for row in rows)
        heads = json.dumps(list(found))
        text = f'{{\n"columns": {heads},\n"rows": [\n{lines}\n]\n}}\n'
        options.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
