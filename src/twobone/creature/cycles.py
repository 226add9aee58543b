"""Walk cycles: one cycle of a steady gait, for clips that play again and again."""

from __future__ import annotations

import numpy as np

from twobone.core import solver
from twobone.creature import animals, journey
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.stepping import command
from twobone.creature.stepping.numbers import GRAVITY
from twobone.creature.walker import Walker, WalkerState
from twobone.errors import CreatureError
from twobone.files.recordings import Recording, mean_rotation
from twobone.rotations import rotate
from twobone.terrain import arguments

FINE = 1.0 / 120.0  # seconds: a step of a walker, and how exactly it is seen when feet land
SETTLES, AGAIN = 8, 3  # of the slowest cycles: until a walk is steady; after a change of its pace
SEEN = 12  # cycles from which the mean one is made
TRIES = 12  # to find a pace whose cycle lasts a whole number of frames
NEAR = 5e-4  # how nearly
LEAST, MOST = 4, 10_000  # frames of a cycle


def walk_cycle(
    creature: AnimalName | Animal = "insect", *, speed: float | None = None, fps: float = 60
) -> Recording:
    """Return one cycle of an animal that walks straight ahead on level ground, at a steady speed.

    A walker looks at its feet 120 times a second, so no two of its cycles are alike to the last
    bit. This is the mean of twelve, with legs solved again: its bones have their lengths, feet that
    stand do not slide, and the pose of the last frame is that of the first.

    Parameters
    ----------
    creature : str or Animal
        The name of an animal in `ANIMALS`, or your own.
    speed : float, optional
        In units of length per second; the cycle has it to within .3 %. By default three fifths of
        the highest speed of its slowest gait.
    fps : float
        Frames per second. A cycle lasts a whole number of frames, at least 4.

    Returns
    -------
    Recording
        It goes along +z, and begins when the first leg lands, to within a frame. Its last frame is
        its first, moved by the way of a cycle; on average the body is above the line of constant
        speed from the origin.

    Raises
    ------
    CreatureError, ArrayTypeError
        If there is no such animal, it stands or cannot go at such a `speed`, or `fps` is not 4 to
        10,000 frames a cycle.

    Examples
    --------
    >>> from twobone import creature
    >>> cycle = creature.walk_cycle("dog", speed=0.9, fps=30)
    >>> frames = len(cycle.time) - 1
    >>> way = cycle.body_position[-1, 2] - cycle.body_position[0, 2]
    >>> round(float(way * 30 / frames), 2)
    0.9
    >>> bool(np.all(cycle.stance[-1] == cycle.stance[0]))
    True
    """
    animal = animals.check(animals.as_animal(creature))
    fps = arguments.positive("fps", fps)
    speed = journey.USUAL * animal.walking_speed if speed is None else speed
    speed = arguments.positive("speed", speed)
    anatomy = animal.anatomy
    # Slower animals stand, see `command.tick`.
    least = 2.0 * command.STILL * min(np.sqrt(GRAVITY * anatomy.hip), animal.top_speed)
    if not least <= speed <= animal.top_speed:
        wanted = f"be from {least:.2g} to {animal.top_speed:.3g}"
        raise CreatureError("speed", wanted, f"{speed:g}")
    pace, frames, walker = speed, 0, Walker(animal)
    for number in range(TRIES):
        # Until its gait is steady, and its first leg lands.
        walker.step((AGAIN if number else SETTLES) / anatomy.slowest, pace)
        _go_on_to_landing(walker, pace)
        period, travel = _period(walker, pace)
        if not LEAST <= period * fps <= MOST:
            wanted = f"be from {LEAST / period:.3g} to {MOST / period:.3g}, for {LEAST} to {MOST}"
            raise CreatureError("fps", f"{wanted} frames of a cycle", f"{fps:g}")
        frames = frames or round(period * fps)
        # The way of a cycle shall be that of so many frames at the speed.
        ratio = speed * frames / fps / travel
        if abs(ratio - 1.0) <= NEAR:
            break
        if ratio > 1.0 and pace == animal.top_speed:
            frames -= 1  # it cannot go farther in a cycle
            ratio = speed * frames / fps / travel
        pace = min(pace * ratio, animal.top_speed)
    states = _sampled(walker, pace, period / frames, SEEN * frames)
    return _mean_cycle(walker, states, frames, travel, 1.0 / fps)


def _go_on_to_landing(walker, pace):
    """Let a walker go until its first leg lands; return the seconds, or those of a long cycle."""
    longest, steps, was = 2.0 / walker.animal.anatomy.slowest, 0, True
    while steps * FINE < longest:  # unreached: no-landing
        walker.step(FINE, pace)
        steps += 1
        stands = bool(walker.state.stance[0])
        if stands and not was:
            break
        was = stands
    return steps * FINE


def _period(walker, pace):
    """Return seconds and way of a cycle, of a walker whose first leg has just landed."""
    start = walker.place[0, 1]
    seconds = sum(_go_on_to_landing(walker, pace) for _ in range(SEEN))
    speed = (walker.place[0, 1] - start) / seconds
    return seconds / SEEN, speed * seconds / SEEN


def _sampled(walker, pace, dt, count):
    """Return so many states of a walker, at intervals."""
    found = [walker.state]
    for _ in range(count - 1):
        walker.step(dt, pace)
        found.append(walker.state)
    return found


def _mean_cycle(walker, states, frames, travel, dt):
    """Return the mean of the cycles in states, as a recording of one cycle."""
    joined = {
        name: np.stack([getattr(state, name) for state in states]) for name in WalkerState._fields
    }
    moved = (np.arange(len(states)) / frames * travel)[:, None, None] * [0.0, 0.0, 1.0]
    cycles = {}
    for name, values in joined.items():
        own = values - moved if name in ("stations", "hips", "knees", "ankles", "feet") else values
        cycles[name] = own.reshape(SEEN, frames, *values.shape[1:])
    means = {name: values.mean(axis=0) for name, values in cycles.items()}
    for name in ("station_rotations", "foot_rotation", "neck", "tail"):
        means[name] = mean_rotation(np.moveaxis(cycles[name], 0, -2))
    middle = means["stations"].mean(axis=(0, 1)) * [1.0, 0.0, 1.0]
    for name in ("stations", "knees", "ankles", "feet"):
        means[name] = means[name] - middle
    stance = means["stance"] >= 0.5
    feet = _planted(means["feet"], stance, travel / frames)
    posed = _with_legs(walker, means, feet) | {"stance": stance}
    closed = {name: np.concatenate([posed[name], posed[name][:1]]) for name in posed}
    moved = (np.arange(frames + 1) / frames * travel)[:, None, None] * [0.0, 0.0, 1.0]
    for name in ("stations", "hips", "knees", "ankles", "feet"):
        closed[name] = closed[name] + moved
    for frame in range(1, frames + 1):  # without rounding errors
        stands = closed["stance"][frame] & closed["stance"][frame - 1]
        closed["feet"][frame, stands] = closed["feet"][frame - 1, stands]
    no_third = _bones(walker)[:, 2] == 0.0
    closed["ankles"][:, no_third] = closed["feet"][:, no_third]
    rows = zip(*(closed[name] for name in WalkerState._fields), strict=True)
    return journey.record(walker, [WalkerState(*row) for row in rows], dt)


def _planted(feet, stance, step):
    """Return feet, (T, L, 3), that go back by a step in each frame while they stand on the ground.

    Places are in the space of a body that goes on by a step in each frame.
    """
    feet, frames = feet.copy(), len(feet)
    for leg in range(feet.shape[1]):
        if stance[:, leg].all() or not stance[:, leg].any():
            continue
        first = int(np.argmin(stance[:, leg]))  # a frame of the swing
        order = (first + np.arange(frames)) % frames
        stands = order[stance[order, leg]]
        back = step * np.flatnonzero(stance[order, leg])
        feet[stands, leg, 0] = feet[stands, leg, 0].mean()
        feet[stands, leg, 2] = (feet[stands, leg, 2] + back).mean() - back
        feet[stands, leg, 1] = 0.0
    return feet


def _with_legs(walker, means, feet):
    """Return means of states with feet as given, and legs solved."""
    legs = walker.animal.anatomy.legs
    bones = _bones(walker)
    own = [leg.station for leg in legs]
    offsets = np.array([(leg.aside, leg.up, 0.0) for leg in legs])
    hips = means["stations"][:, own] + rotate(means["station_rotations"][:, own], offsets)
    thirds = means["ankles"] - means["feet"]
    size = np.linalg.norm(thirds, axis=-1, keepdims=True)
    ankles = feet + thirds * (bones[:, 2:] / np.where(size > 0.0, size, 1.0))
    knees = hips + solver.solve(ankles - hips, *bones.T[:2], pole=means["knees"] - hips)
    return means | {"hips": hips, "knees": knees, "ankles": ankles, "feet": feet}


def _bones(walker):
    """Return the lengths of bones, (L, 3)."""
    legs = walker.animal.anatomy.legs
    return np.array([(leg.upper, leg.lower, leg.third) for leg in legs])
