"""What a walk of `creature.stepping` does wrong, measured frame by frame."""

import math
from dataclasses import dataclass, field

import numpy as np

from twobone.creature import Noise, Slope, Steps
from twobone.creature.stepping import joints, zoo
from twobone.creature.stepping import journey as journeys
from twobone.creature.stepping.numbers import GRAVITY
from twobone.creature.stepping.records import Order

FPS = 60
EPS = np.finfo(np.float64).eps
# Metres per second that are asked for, as `twobone walk` does.
SPEEDS = {
    "insect": 1.85,
    "spider": 1.45,
    "dog": 1.5,
    "bird": 0.9,
    "crab": 1.2,
    "centipede": 0.55,
}


class Blocks:
    """Square blocks of random heights, one leg wide and up to .3 of a leg high."""

    def __init__(self, leg, seed):
        self.size = leg
        self.heights = np.random.default_rng(seed).uniform(-0.15, 0.15, (64, 64)).tolist()

    def height_at(self, x, z):
        u, v = x / self.size, z / self.size
        i, j = math.floor(u), math.floor(v)
        a, b = self._face(u - i), self._face(v - j)
        near = self._at(i, j) * (1.0 - a) + self._at(i + 1, j) * a
        far = self._at(i, j + 1) * (1.0 - a) + self._at(i + 1, j + 1) * a
        return near * (1.0 - b) + far * b

    def _at(self, i, j):
        return self.heights[i % 64][j % 64] * self.size

    def _face(self, t):
        t = min(max((t - 0.96) / 0.04, 0.0), 1.0)
        return t * t * (3.0 - 2.0 * t)


def ground_of(kind, leg, seed):
    """Return the height of a ground as a function of x and z: its name, or a roughness."""
    if kind == "flat":
        return lambda x, z: 0.0
    if kind == "steps":
        return Steps(0.15 * leg, 1.2 * leg).height_at
    if kind == "blocks":
        return Blocks(leg, seed).height_at
    if kind == "slope":
        return Slope(30.0, 97.0 * seed).height_at
    return Noise(float(kind) * leg, 2.0 * leg, seed).height_at


def orders(animal, seed):
    """Return an order as a function of time: speed, direction and turn vary."""
    draw = np.random.default_rng([seed, 1])
    rates, phases = draw.uniform(0.25, 0.9, (3, 3)), draw.uniform(0.0, 2.0 * np.pi, (3, 3))
    most = SPEEDS[animal.name]
    arm = animal.along[-1] - animal.along[0] + 1.2 * abs(animal.legs[0].foot_aside)

    def order(time):
        one, two, three = np.mean(np.sin(rates * time + phases), axis=1).tolist()
        speed = most * (0.65 + 0.35 * one)
        turn = 0.5 * three * min(1.0, most / arm)
        return Order(speed * math.sin(0.5 * two), speed * math.cos(0.5 * two), turn)

    return order


@dataclass
class Walked:
    """Figures of one walk; lengths are over that of a leg."""

    slip: float = 0.0  # of feet that stand, metres
    bones: float = 0.0  # error of their lengths, in eps of the coordinates
    buried: dict = field(default_factory=dict)  # depth of each part, and when
    share: float = 0.0  # speed over what was asked for
    margin: float = math.inf  # of static stability
    down: float = 0.0  # least vertical acceleration of the body, g
    bends: np.ndarray | None = None  # (T, L) angular acceleration of knees
    planes: float = 0.0  # degrees by which the plane of a leg turns in a frame
    slow: float = 0.0  # longest time below .3 of the order, seconds


def walked(name, kind, seconds, seed):
    """Let an animal walk for a time, and measure every frame."""
    animal = zoo.ANIMALS[name]()
    ground, order = ground_of(kind, animal.reach, seed), orders(animal, seed)
    journey = journeys.set_off(animal, 0.0, 0.0, 0.0, ground)
    found, walk = Walked(), journey.walk
    before, heights, knees, normals, slow, done, asked = None, [], [], [], 0.0, 0.0, 0.0
    for frame in range(round(seconds * FPS)):
        time = frame / FPS
        wanted = order(time)
        speed = math.hypot(wanted.aside, wanted.ahead)
        x, z, yaw = walk.x, walk.z, walk.yaw
        journeys.travel(animal, journey, wanted, 1.0 / FPS, ground)
        pose = journeys.seen(journey)
        c, s = math.cos(yaw), math.sin(yaw)
        aside, ahead = (walk.x - x) * c - (walk.z - z) * s, (walk.x - x) * s + (walk.z - z) * c
        along = (aside * wanted.aside + ahead * wanted.ahead) / speed
        if time > 1.0:
            done, asked = done + along, asked + speed / FPS
        slow = slow + 1.0 / FPS if along * FPS < 0.3 * speed else 0.0
        found.slow = max(found.slow, slow)
        legs = [joints.joints_of(animal, pose, i) for i in range(len(animal.legs))]
        _check_legs(found, animal, legs, pose, before, ground, time)
        for station in pose.frames:
            depth = ground(station.x, station.z) - (station.y - animal.belly)
            _note(found, "belly", depth / animal.reach, time)
        heights.append(np.mean([station.y for station in pose.frames]))
        points = np.array(legs)
        upper, lower = points[:, 0] - points[:, 1], points[:, 2] - points[:, 1]
        size = np.linalg.norm(upper, axis=1) * np.linalg.norm(lower, axis=1)
        knees.append(np.arccos(np.clip(np.sum(upper * lower, axis=1) / size, -1.0, 1.0)))
        normals.append(np.cross(upper, lower))
        if len(legs) >= 6:
            middle = np.mean([(station.x, station.z) for station in pose.frames], axis=0)
            inside = _margin(points[[stand.down for stand in pose.stands], 3][:, [0, 2]] - middle)
            found.margin = min(found.margin, inside / animal.reach)
        before = pose, legs
    found.share = done / asked
    found.down = float(np.min(np.diff(heights, 2))) * FPS * FPS / GRAVITY
    found.bends = np.abs(np.diff(knees, 2, axis=0)) * FPS * FPS
    found.planes = _turned(np.array(normals))
    return found


def _check_legs(found, animal, legs, pose, before, ground, time):
    for i, (joint, leg) in enumerate(zip(legs, animal.legs, strict=True)):
        lengths = (leg.upper, leg.lower, leg.third)
        size = EPS * max(1.0, *(abs(part) for point in joint for part in point))
        for a, b, length in zip(joint[:-1], joint[1:], lengths, strict=True):
            found.bones = max(found.bones, abs(math.dist(a, b) - length) / size)
        if before and pose.stands[i].down and before[0].stands[i].down:
            found.slip = max(found.slip, math.dist(before[1][i].foot, joint.foot))
        _note(found, "foot", _depth(ground, joint.foot, joint.ankle) / animal.reach, time)
        _note(found, "shin", _depth(ground, joint.ankle, joint.knee) / animal.reach, time)


def _note(found, part, depth, time):
    found.buried[part] = max(found.buried.get(part, (-math.inf, 0.0)), (depth, time))


def _depth(ground, a, b):
    """Return how deep the segment between two points is in the ground."""
    return max(
        ground(a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)) - (a.y + t * (b.y - a.y))
        for t in (0.0, 0.25, 0.5, 0.75, 1.0)
    )


def _margin(feet):
    """Return how far the origin is inside the convex hull of points, negative outside.

    It is the least distance over all directions in which the hull ends.
    """
    if len(feet) < 3:
        return -math.inf
    angles = np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False)
    return float(np.min(np.max(feet @ np.array([np.cos(angles), np.sin(angles)]), axis=0)))


def _turned(normals):
    """Return the most by which a plane turns in a frame, in degrees; straight legs have none."""
    size = np.linalg.norm(normals, axis=-1, keepdims=True)
    units = normals / np.where(size > 0.0, size, 1.0)
    cosines = np.sum(units[1:] * units[:-1], axis=-1)
    bent = np.minimum(size[1:], size[:-1])[..., 0] > 1e-9
    return float(np.degrees(np.max(np.arccos(np.clip(cosines, -1.0, 1.0)) * bent)))
