"""A herd that hops over a ground: what changes, is nested, listed, and has second names."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from printed import shapes
from printed.shapes import Point

STANDS, FLIES, RESTS = 0, 1, 2  # modes of an animal
TIRED = "tired"
CELLS = 4  # of a side of the grid


class Record(NamedTuple):
    """What a herd did, by its last part first."""

    new: float  # a word that C++ keeps for itself
    default: list[float]


def stepped(herd: Herd, ground: Callable[[float, float], float], dt: float) -> int:
    """Move a herd, and return how many animals touch the ground."""
    herd.time += dt
    touching = 0
    for animal in herd.animals:
        if animal.mode == RESTS:
            animal.patience -= 1
            if animal.patience <= 0:
                animal.mode = STANDS
            continue
        fly(animal, ground, dt)
        if animal.mode == STANDS:
            touching += 1
            hop(animal, herd)
    for i, row in enumerate(herd.grid):
        for j in range(len(row)):
            row[j] = (row[j] * 3 - i * j - 7) % 11 + (row[j] - 20) // 3
    meet(herd)
    return touching


def fly(animal: Animal, ground: Callable[[float, float], float], dt: float) -> None:
    """Move an animal and its legs."""
    before = animal.place
    body = animal.body
    body.speed -= 9.81 * dt
    settle(body, dt)
    animal.place = Point(before.x + animal.velocity.x * dt, before.y + animal.velocity.y * dt)
    animal.way += shapes.distance(before, animal.place)
    low = ground(animal.place.x, animal.place.y)
    animal.mode = FLIES
    if body.at < low:
        body.at = low
        animal.mode = STANDS
    for leg, side in zip(animal.legs, animal.sides, strict=True):
        push(leg, animal, before, side, ground)
    first = animal.legs[0]
    drag(animal, first.foot, 0.25)
    trail = first.trail
    trail.append(first.foot.x - animal.place.x)
    if len(trail) > 5:
        first.trail = [value * 0.5 for value in first.trail[1:]]


def drag(animal: Animal, goal: Point, share: float) -> None:
    """Pull all feet of an animal to where one of them is."""
    for leg in animal.legs:
        x = leg.foot.x + (goal.x + 0.125 - leg.foot.x) * share
        leg.foot = leg.foot._replace(x=x)


def push(
    leg: Leg,
    animal: Animal,
    before: Point,
    side: float,
    ground: Callable[[float, float], float],
) -> None:
    """Move a foot under its animal."""
    x, y = animal.place
    goal = x + side
    left = abs(goal - leg.foot.x)
    while left > 2.0:
        left /= 2.0
    share = min(left, side) if leg.is_long else max(left, side)
    leg.foot = Point(leg.foot.x + (goal - leg.foot.x) * share * 0.125, before.y + y - before.y)
    spring = leg.spring
    spring.speed += (ground(leg.foot.x, leg.foot.y) - spring.at) * 0.5
    settle(spring, 0.01)


def settle(value: Damped, dt: float) -> None:
    """Move a number on, and slow it down."""
    value.at += value.speed * dt
    value.speed *= 0.999


def hop(animal: Animal, herd: Herd) -> None:
    """Leave the ground, or rest after some hops."""
    animal.hops += 1
    herd.hops += 1
    body = animal.body
    speed, towards = 2.0 + 0.5 * float(animal.hops % 3), -body.speed
    body.speed = math.copysign(speed, towards)
    home = animal.home
    if animal.hops % 7 == 0 and animal.name != TIRED:
        animal.mode, animal.patience = RESTS, 1 + herd.hops % 4
    if home is None:
        animal.home = animal.place
        return
    away = shapes.distance(home, animal.place)
    if away > 3.0 and math.isfinite(away):
        animal.velocity = Point((home.x - animal.place.x) / away, (home.y - animal.place.y) / away)
        animal.home = None if herd.hops % 5 == 0 else home


def meet(herd: Herd) -> None:
    """Let the nearest neighbours of the first animal swap their velocities."""
    nearest = nearest_to(herd, 0)
    if nearest is None:
        return
    part = herd.animals[0]
    map = herd.animals[nearest.index]
    auto = part.velocity
    if nearest.distance < 0.75:
        part.velocity = Point(map.velocity.x + 0.125, map.velocity.y)
        map.velocity = auto
        herd.met.append(nearest)


def forget(herd: Herd) -> float:
    """Let meetings fade, and return how near they were."""
    found = 0.0
    for i, each in enumerate(herd.met):
        herd.met[i] = Neighbour(each.index, each.distance * 0.75)
        found += each.distance
    return found


def nearest_to(herd: Herd, index: int) -> Neighbour | None:
    """Return the animal nearest to one, or None if it is alone."""
    found: Neighbour | None = None
    for other in range(len(herd.animals) - 1, -1, -1):
        if other == index:
            continue
        distance = shapes.distance(herd.animals[other].place, herd.animals[index].place)
        if found is None or distance < found.distance:
            found = Neighbour(other, distance)
        if distance == 0.0:
            break
    return found


def gathered(count: int) -> Herd:
    """Return a herd."""
    animals: list[Animal] = []
    for k in range(count):
        legs: list[Leg] = []
        sides = [0.5 * float(side) - 0.75 for side in range(3 + k % 2)]
        for side in sides:
            leg = Leg(Point(float(k) + side, 0.0), [], is_long=side > 0.0)
            leg.spring.speed = side
            leg.trail.append(side)
            legs.append(leg)
        name = TIRED if k == 1 else "fresh"
        animals.append(
            Animal(
                name,
                Point(0.5 * k, 0.25 * k),
                Point(0.75 - 0.5 * k, 0.125 * k),
                Damped(1.0 + k, 0.0),
                legs,
                sides,
                STANDS,
            )
        )
    grid = [[i * CELLS - j for j in range(CELLS)] for i in range(CELLS)]
    return Herd(animals, grid, [])


def summary(herd: Herd) -> Record:
    """Return what tells two herds apart."""
    found = [herd.time, float(herd.hops), float(len(herd.met))]
    for animal in herd.animals:
        found += [animal.place.x, animal.place.y, animal.body.at, animal.body.speed, animal.way]
        found.append(float(animal.mode))
        for leg in animal.legs:
            found += [leg.foot.x, leg.foot.y, leg.spring.at, leg.spring.speed, *leg.trail]
        if animal.home is not None:
            found.append(1.0)
    for row in herd.grid:
        for cell in row:
            found.append(float(cell))
    longest = longest_way(herd)
    return Record(longest.way, found)


def longest_way(herd: Herd, unused: float = 1.0) -> Longest:
    """Return the way of the animal that went farthest."""
    best = Longest(0.0, -1)
    for i, animal in enumerate(herd.animals):
        if animal.way > best.way:
            best = Longest(animal.way, i)
    return best


def hills(x: float, y: float) -> float:
    """Return the height of a ground of triangles and steps."""
    turns = x * 0.5 - math.floor(x * 0.5)
    ramp = turns if turns < 0.5 else 1.0 - turns
    return 0.25 * ramp + 0.125 * float(math.floor(y) % 3)


def walked(count: int, steps: int) -> list[float]:
    """Return the summary of a herd after some steps."""
    herd = gathered(count)
    touched = 0
    for _ in range(steps):
        now = stepped(herd, hills, 0.008333333333333333)
        touched += now
    near = forget(herd)
    found = summary(herd)
    found.default.append(near)
    first = gathered(count).animals[0].legs[0]
    first.spring.at += found.new
    found.default.append(first.spring.at)
    return [*found.default, found.new, float(touched)]


class Longest(NamedTuple):
    """The longest way."""

    way: float
    index: int


class Neighbour(NamedTuple):
    """Another animal, and how far it is."""

    index: int
    distance: float


@dataclass(slots=True)
class Herd:
    """Animals, and a grid of numbers."""

    animals: list[Animal]
    grid: list[list[int]]
    met: list[Neighbour]
    time: float = 0.0
    hops: int = 0


@dataclass(slots=True)
class Animal:
    """An animal; only its body leaves the ground."""

    name: str
    place: Point  # seen from above
    velocity: Point
    body: Damped
    legs: list[Leg]
    sides: list[float]
    mode: int
    home: Point | None = None
    patience: int = 0
    hops: int = 0
    way: float = 0.0


@dataclass(slots=True)
class Damped:
    """A number, and its rate of change."""

    at: float = 0.0
    speed: float = 0.0


@dataclass(slots=True)
class Leg:
    """A leg that drags behind."""

    foot: Point
    trail: list[float]
    is_long: bool = False
    spring: Damped = field(default_factory=Damped)
