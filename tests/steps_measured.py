"""Walks of animals on grounds of all kinds, and their figures: what tests and benchmarks share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from twobone import creature
from twobone.creature import Noise, Slope, Steps, measures
from twobone.errors import CreatureError
from twobone.terrain.ground import Terrain

FPS = 60
GRAVITY = 9.81
# Metres per second: the most that is asked for.
SPEEDS = {name: make().walking_speed for name, make in creature.ANIMALS.items()}
FACE = 0.04  # of a block: the width of its faces
EDGE = 0.02  # of a leg: the width of the faces of obstacles
SLOW, LATE = 0.3, 1.0  # share of an order; seconds at first that do not count


def _face(t):
    """Return 0 below 0, 1 above 1, and a smooth step between them."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


class ByNumbers(Terrain):
    """Ground whose height is known at two numbers, which is faster for a walker than arrays."""

    def height(self, x, z):
        x, z = np.broadcast_arrays(np.asarray(x, float), z)
        found = [self.height_at(*place) for place in zip(x.flat, z.flat, strict=True)]
        return np.reshape(found, x.shape)


class Blocks(ByNumbers):
    """Square blocks of random heights, one leg wide and up to .3 of a leg high."""

    def __init__(self, leg, seed):
        self.size = leg
        self.heights = np.random.default_rng(seed).uniform(-0.15, 0.15, (64, 64)).tolist()

    def height_at(self, x, z):
        u, v = float(x) / self.size, float(z) / self.size
        i, j = math.floor(u), math.floor(v)
        a, b = _face((u - i - 1.0 + FACE) / FACE), _face((v - j - 1.0 + FACE) / FACE)
        near = self._at(i, j) * (1.0 - a) + self._at(i + 1, j) * a
        far = self._at(i, j + 1) * (1.0 - a) + self._at(i + 1, j + 1) * a
        return near * (1.0 - b) + far * b

    def _at(self, i, j):
        return self.heights[i % 64][j % 64] * self.size


def _bands(z, period, width):
    """Return 1 in bands across z, half a period from the origin, and 0 between them."""
    return _face((0.5 * width - abs(z % period - 0.5 * period)) / EDGE + 1.0)


class Obstacles(ByNumbers):
    """Kerbs, ditches, walls or holes; lengths are over that of a leg."""

    def __init__(self, kind, leg):
        self.kind, self.leg = kind, leg

    def height_at(self, x, z):
        x, z = float(x) / self.leg, float(z) / self.leg
        if self.kind == "kerbs":
            return 0.4 * self.leg * _bands(z, 6.0, 3.0)
        if self.kind == "ditches":
            return -self.leg * _bands(z, 6.0, 0.3)
        if self.kind == "walls":
            return 2.0 * self.leg * _bands(z, 10.0, 0.3)
        return -self.leg * _bands(x, 3.0, 0.5) * _bands(z, 3.0, 0.5)


OBSTACLES = ("kerbs", "ditches", "walls", "holes")


def terrain_of(kind, leg, seed):
    """Return the ground of a name, or hills of a roughness, for legs of a length."""
    if kind == "flat":
        return creature.as_terrain(0.0)
    if kind == "steps":
        return Steps(0.15 * leg, 1.2 * leg)
    if kind == "blocks":
        return Blocks(leg, seed)
    if kind == "slope":
        return Slope(30.0, 97.0 * seed)
    if kind in OBSTACLES:
        return Obstacles(kind, leg)
    return Noise(float(kind) * leg, 2.0 * leg, seed)


def ground_of(kind, leg, seed):
    """Return the height of a ground as a function of the numbers x and z."""
    return terrain_of(kind, leg, seed).height_at


class Orders(NamedTuple):
    """What an animal is told at a time: speed, direction and turn vary."""

    most: float
    turn: float
    rates: np.ndarray
    phases: np.ndarray

    def __call__(self, time: float) -> tuple[float, float, float]:
        """Return velocity to the left and forward, metres per second, and yaw rate."""
        one, two, three = np.mean(np.sin(self.rates * time + self.phases), axis=1).tolist()
        speed = self.most * (0.65 + 0.35 * one)
        return speed * math.sin(0.5 * two), speed * math.cos(0.5 * two), self.turn * three


def orders(animal: creature.Animal, seed: int) -> Orders:
    """Return the orders of a seed for an animal."""
    draw = np.random.default_rng([seed, 1])
    rates, phases = draw.uniform(0.25, 0.9, (3, 3)), draw.uniform(0.0, 2.0 * np.pi, (3, 3))
    along, foot = animal.anatomy.along, animal.anatomy.legs[0].foot_aside
    arm = along[-1] - along[0] + 1.2 * abs(foot)
    most = SPEEDS[animal.name]
    return Orders(most, 0.5 * min(1.0, most / arm), rates, phases)


def started(animal: creature.Animal, terrain: creature.Ground) -> creature.Walker:
    """Return a walker at the origin or, if it cannot stand there, at a place near it."""
    for turn in range(200):
        far = 0.5 * animal.length * turn**0.5
        place = far * math.cos(2.4 * turn), far * math.sin(2.4 * turn)
        try:
            return creature.Walker(animal, terrain, position=place)
        except CreatureError:
            continue
    raise AssertionError("it fits nowhere")


def recorded(
    walker: creature.Walker,
    order: Callable[[float], tuple[float, float, float]],
    seconds: float,
) -> creature.Recording:
    """Let a walker walk by orders, and return a recording."""
    states, blocked = [walker.state], [bool(walker.blocked)]
    for frame in range(round(seconds * FPS)):
        aside, ahead, turn = order(frame / FPS)
        walker.step(1.0 / FPS, (aside, ahead), turn)
        states.append(walker.state)
        blocked.append(bool(walker.blocked))
    return creature.record(walker, states, 1.0 / FPS, blocked=blocked)


class Walked(NamedTuple):
    """Figures of one walk; depths and margin are over the length of a leg."""

    slip: float  # of feet that stand, metres
    bones: float  # error of their lengths, in eps of the coordinates
    buried: dict[str, float]  # depth of each part
    share: float  # speed over what was asked for
    margin: float  # least static margin
    down: float  # least vertical acceleration of the body, g
    bends: np.ndarray  # (T, L): angular acceleration of knees
    planes: float  # degrees by which the plane of a leg turns in a frame
    slow: float  # longest time below .3 of the order without being blocked, seconds
    blocked: float  # share of the time

    @property
    def deepest(self) -> tuple[float, str]:
        """Return the depth of the deepest part, and which it is."""
        return max((depth, part) for part, depth in self.buried.items())


def walked(name: creature.AnimalName, kind: str, seconds: float, seed: int) -> Walked:
    """Let an animal walk for a time on a ground, and return the figures of the walk."""
    animal = creature.animal(name)
    terrain, order = terrain_of(kind, animal.length, seed), orders(animal, seed)
    walk = recorded(started(animal, terrain), order, seconds)
    return figures(animal, walk, terrain, np.array([order(time) for time in walk.time[:-1]]))


def figures(
    animal: creature.Animal,
    walk: creature.Recording,
    terrain: creature.Ground,
    told: np.ndarray,
) -> Walked:
    """Return the figures of a recording; `told` (T - 1, 3) is what the animal was told."""
    assert walk.blocked is not None
    leg, dt = animal.length, walk.dt
    position = walk.body_position
    joints = walk.hips, walk.knees, walk.ankles
    deep = {
        "foot": measures.depth_of_feet(walk.feet, walk.ground),
        "leg": measures.depth_of_legs(walk.knees, walk.ankles, walk.feet, terrain),
        "belly": measures.depth_of_belly(walk.stations, animal.anatomy.belly, terrain),
    }
    speed = np.hypot(told[:, 0], told[:, 1])
    velocity = measures.velocity(position, walk.body_rotation, dt)
    done = np.sum(velocity * told[:, :2], axis=1) / speed
    counts = walk.time[1:] > LATE
    return Walked(
        slip=measures.slide(walk.feet, walk.stance),
        bones=measures.bone_error(*joints, walk.feet, walk.bones),
        buried={part: depth / leg for part, depth in deep.items()},
        share=float(np.sum(done[counts]) / np.sum(speed[counts])),
        margin=float(np.min(measures.static_margin(position, walk.feet, walk.stance))) / leg,
        down=float(np.min(measures.vertical_acceleration(position, dt))) / GRAVITY,
        bends=np.abs(measures.knee_acceleration(*joints, dt)),
        planes=math.degrees(measures.knee_plane_rotation(*joints)),
        slow=_longest((done < SLOW * speed) & ~walk.blocked[1:]) * dt,
        blocked=float(np.mean(walk.blocked)),
    )


def _longest(flags):
    """Return the length of the longest run of true values."""
    ends = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return int(np.max(ends[1::2] - ends[::2], initial=0))
