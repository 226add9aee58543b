"""A walk from beginning to end: an animal, some ground, a way to go, and a recording of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from twobone.core.array_types import ArrayLike
from twobone.creature import animals, paths
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.walker import Walker, WalkerState
from twobone.errors import CreatureError
from twobone.files.recordings import Recording
from twobone.terrain import arguments
from twobone.terrain.ground import Ground, Noise, Slope, Steps, Terrain, as_terrain

HURRY, BOW = 0.35, 0.35  # how far speed changes, and how fast it turns: share, radians a second
SECONDS = 10.0  # unless given
REST = 0.5  # seconds that it stands at the end of a path
STILL = 5e-4  # of the leg's length: what moves less between frames stands
STOPPED = 2.0  # seconds: a walk along a path ends when it has been blocked for so long

TerrainName: TypeAlias = Literal["flat", "slope", "steps"]


def walk(
    creature: AnimalName | Animal = "insect",
    *,
    terrain: TerrainName | Ground = 0.0,
    seconds: float | None = None,
    fps: float = 60,
    speed: float | None = None,
    turn: float | None = None,
    path: ArrayLike[Any] | None = None,
    seed: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Recording:
    """Walk for some seconds and return what came of it.

    Parameters
    ----------
    creature : str or Animal
        One of `ANIMALS`, or your own.
    terrain : number, str or terrain
        A number is the roughness (root mean square) over the leg's length; or "flat", "slope",
        "steps"; or a terrain of your own (see `as_terrain`).
    seconds, fps : number
        How long, and how many frames a second. By default ten seconds, or until it has stood
        half a second at the end of its path, has been blocked for two seconds or has lost too
        much time on the way. At most 1,000,000 frames and 20,000 seconds.
    speed, turn : number, optional
        Units of length a second forward, radians a second to the left. By default three fifths
        of full speed and straight on, both coming and going by a third as `seed` says. More
        than the animal can do is limited to what it can do; see `Walker.step`.
    path : array, shape (K, 2), optional
        Waypoints, x and z, to go to in turn from the origin, and to stand at the last; the
        speed is then even. `make_path` makes some.
    seed : int
        Of the ground and of the way.
    progress : callable, optional
        Called with the share that is done, from 0 to 1.

    Returns
    -------
    Recording
        Its `blocked` tells in which frames the ground kept the animal from going on.

    Raises
    ------
    CreatureError, ShapeError, ArrayTypeError
        Naming what makes no animal, no ground, no path or no number.

    Examples
    --------
    >>> from twobone import creature
    >>> recording = creature.walk("spider", terrain=0.1, seconds=0.5, seed=1)
    >>> recording.feet.shape
    (31, 8, 3)
    """
    animal, seed = animals.as_animal(creature), arguments.seed(seed)
    seconds = None if seconds is None else arguments.positive("seconds", seconds)
    fps = arguments.positive("fps", fps)
    walker = Walker(animal, make_terrain(terrain, animal, seed=seed))
    if path is None:
        orders = _wander(seed, animal, speed, turn)
        frames = arguments.frames("seconds", seconds or SECONDS, fps)
        found = _go(walker, orders, frames, fps, progress)
    else:
        pursuit = _pursue(path, walker, speed, turn)
        found = _follow(pursuit, seconds, fps, progress)
    stances, blocked = zip(*found, strict=True)
    return record(walker, stances, 1.0 / fps, blocked=blocked)


def _wander(seed, animal, speed, turn):
    """Return what to do at each moment: the speed and the turn told, or those of a seed."""
    hurry, bow = ways(seed)
    pace = 0.6 * animal.speed if speed is None else speed

    def orders(time):
        faster = 1.0 if speed is not None else 1.0 + HURRY * hurry(time)
        return pace * faster, BOW * bow(time) if turn is None else turn

    return orders


def _pursue(path, walker, speed, turn):
    """Return what leads a walker along a path."""
    if turn is not None:
        raise CreatureError("turn", "be left out where there is a path", str(turn))
    pace = 0.6 * walker.animal.speed if speed is None else arguments.positive("speed", speed)
    return paths.Pursuit(path, walker, pace)


def _follow(pursuit, seconds, fps, progress):
    """Return the stances of a walk along a path."""
    name = "path" if seconds is None else "seconds"
    frames = arguments.frames(name, pursuit.longest() if seconds is None else seconds, fps)
    stood, before, stopped = 0, pursuit.walker.state.body_position, 0

    def ended(stance):
        nonlocal stood, before, stopped
        stopped = stopped + 1 if pursuit.walker.blocked else 0
        moved = np.max(np.abs(stance.body_position - before)) > STILL * pursuit.walker.length
        before = stance.body_position
        stood = stood + 1 if pursuit.there and np.all(stance.stance) and not moved else 0
        return stood >= REST * fps or stopped >= STOPPED * fps

    def orders(time):
        return pursuit.orders()

    if seconds is not None:
        return _go(pursuit.walker, orders, frames, fps, progress)
    share = None if progress is None else lambda done: progress(max(done, pursuit.share))
    return _go(pursuit.walker, orders, frames, fps, share, ended)


def _go(walker, orders, frames, fps, progress, ended=None):
    """Walk some frames, as orders say of each, or until it has ended.

    Return all stances, each with whether the walker is blocked.
    """
    found = [(walker.state, walker.blocked)]
    for frame in range(frames):
        walker.step(1.0 / fps, *orders(frame / fps))
        found.append((walker.state, walker.blocked))
        if progress is not None:
            progress((frame + 1) / frames)
        if ended is not None and ended(found[-1][0]):
            break
    return found


def record(
    walker: Walker,
    stances: Sequence[WalkerState],
    dt: float,
    *,
    blocked: Sequence[bool] | None = None,
) -> Recording:
    """Return a recording of what one walker's `stance` was, frame by frame.

    Parameters
    ----------
    walker : Walker
        A single one.
    stances : sequence of WalkerState
    dt : float
        Seconds between them.
    blocked : sequence of bool, optional
        What `walker.blocked` was, frame by frame.

    Returns
    -------
    Recording

    Raises
    ------
    CreatureError
        If `dt` is not positive.

    Examples
    --------
    >>> from twobone import creature
    >>> walker, found = creature.Walker("dog"), []
    >>> for _ in range(10):
    ...     walker.step(1 / 60, velocity=0.4)
    ...     found.append(walker.state)
    >>> creature.report(creature.record(walker, found, 1 / 60)).slide
    0.0
    """
    dt = arguments.positive("dt", dt)
    joined = WalkerState(*(np.stack(parts) for parts in zip(*stances, strict=True)))
    ground = walker.terrain.height(joined.feet[..., 0], joined.feet[..., 2])
    bones = np.array(walker.animal.legs.bones, np.float64)
    time = dt * np.arange(len(stances), dtype=np.float64)
    position, rotation, hips, knees, feet, stance = joined
    stops = None if blocked is None else np.array(blocked, bool)
    return Recording(time, position, rotation, hips, knees, feet, stance, bones, ground, dt, stops)


def make_terrain(
    kind: TerrainName | Ground, creature: AnimalName | Animal = "insect", *, seed: int = 0
) -> Terrain:
    """Return ground for an animal, of its size.

    Parameters
    ----------
    kind : number, str or terrain
        As for `walk`.
    creature : str or Animal
    seed : int
        Of rough ground.

    Examples
    --------
    >>> from twobone import creature
    >>> creature.make_terrain(0.1, "dog", seed=3)
    Noise(0.09000000000000001, 1.8, seed=3)
    """
    animal, seed = animals.as_animal(creature), arguments.seed(seed)
    length = animals.length(animal)
    if isinstance(kind, str):
        kinds = {"flat": 0.0, "slope": Slope(12.0), "steps": Steps(0.15 * length, 1.2 * length)}
        if kind not in kinds:
            wanted = f"be one of {', '.join(kinds)} or a roughness"
            raise CreatureError("terrain", wanted, repr(kind))
        return as_terrain(kinds[kind])
    if not arguments.is_number(kind):
        return as_terrain(kind)
    roughness: Any = kind
    if not 0.0 <= roughness <= 1.0:
        wanted = "be a roughness from 0 to 1 of the leg's length"
        raise CreatureError("terrain", wanted, repr(kind))
    return Noise(roughness * length, 2.0 * length, seed) if roughness else as_terrain(0.0)


def ways(seed):
    """Return two smooth functions of time between -1 and 1, of a seed."""
    draw = np.random.default_rng(seed)

    def way():
        rates, phases = draw.uniform(0.25, 0.9, 3), draw.uniform(0.0, 2.0 * np.pi, 3)
        return lambda time: float(np.mean(np.sin(rates * time + phases)))

    return way(), way()
