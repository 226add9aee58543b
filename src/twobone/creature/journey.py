"""Whole walks: make a terrain, let an animal walk on it, record the walk."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import ArrayLike
from twobone.creature import animals, measures, paths
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.appearance import to_rows
from twobone.creature.stepping import command
from twobone.creature.stepping.numbers import facing
from twobone.creature.walker import Walker, WalkerState
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.files.recordings import Recording
from twobone.terrain import arguments
from twobone.terrain.ground import Ground, Noise, Slope, Steps, Terrain, as_terrain

HURRY = 0.35  # of the speed: amplitude of its random changes
BOW = 0.35  # radians per second: amplitude of random turns
USUAL = 0.6  # of the highest speed of the slowest gait: the default speed
SECONDS = 10.0  # default length of a walk
REST = 0.5  # seconds that a walk goes on after the animal stands at the end of its path
STILL = 5e-4  # of the leg's length: a body that moves less between frames stands
STOPPED = 2.0  # seconds: a walk along a path ends when the animal has been blocked for so long
RINGS, RING = 12, 0.4  # around the origin, and their distance over the leg's length: where to start
DETOUR = 0.8  # radians: how far an animal turns on the spot that wanders and is blocked
TURNS = 0.7  # of the fastest turn of its slowest gait: how fast
SOON = 8.0  # seconds after a turn: if it is blocked again, it steps back and turns further
BACK = 1.0  # seconds: how long it steps back

TerrainName: TypeAlias = Literal["flat", "slope", "steps", "hills"]


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
    """Let an animal walk and return a recording.

    It starts at the origin or, if it cannot stand there, as near to it as it can.

    Parameters
    ----------
    creature : str or Animal
        The name of an animal in `ANIMALS`, or your own.
    terrain : number, str or terrain
        A number from 0 to 1 is the roughness: the root mean square height over the leg's length
        (elsewhere, as in `Walker`, a number is a height). A string is "flat", "slope",
        "steps" or "hills". Or your own terrain, see `as_terrain`.
    seconds : number, optional
        Length of the walk; by default ten seconds. With a `path`, the default is to end when the
        animal has stood at the end for half a second, has been blocked for two seconds, or has
        taken about three times as long as the path needs. At most 20,000.
    fps : number
        Frames per second. At most 1,000,000 frames in total.
    speed : number, optional
        Units of length per second, forward; to the left for an animal that walks `sideways`, as a
        crab. By default three fifths of the highest speed of the animal's slowest gait, varied by
        up to 35 % as `seed` determines.
    turn : number, optional
        Radians per second, to the left. By default gentle turns to both sides, up to 0.35, as
        `seed` determines; where the animal is blocked, it turns aside on the spot, and if it soon
        is blocked again, it steps back first. Must be omitted if there is a `path`. Like `speed`,
        it is limited to what the animal can do; see `Walker.step`.
    path : array, shape (K, 2), optional
        Waypoints, x and z. The animal walks to one after the other, and stops at the last. It
        rounds corners in arcs that miss them by a fifth of its size, and slows down for them if it
        must; at corners of 120 degrees and more it turns on the spot. With a path, the speed does
        not vary at random. See `make_path`.
    seed : int
        Determines rough ground and the default speed and turns.
    progress : callable, optional
        Called after each frame with the fraction that is done, from 0 to 1.

    Returns
    -------
    Recording
        Its field `blocked` tells in which frames the animal was kept from going on; see
        `Walker.blocked`.

    Raises
    ------
    CreatureError, ShapeError, ArrayTypeError
        If an argument is invalid; the message names it.

    Examples
    --------
    >>> from twobone import creature
    >>> creature.walk(seconds=1.0).feet.shape
    (61, 6, 3)

    Another animal on rough ground:

    >>> recording = creature.walk("spider", terrain=0.1, seconds=0.5, seed=1)
    >>> recording.feet.shape
    (31, 8, 3)

    Along a path:

    >>> recording = creature.walk(path=[[1.0, 1.0]])
    >>> recording.body_position[-1, [0, 2]].round(1)
    array([1., 1.])
    """
    animal, seed = animals.as_animal(creature), arguments.seed(seed)
    if not (progress is None or callable(progress)):
        raise ArrayTypeError("progress", "a function of a fraction", arguments.shown(progress))
    seconds = None if seconds is None else arguments.positive("seconds", seconds)
    fps = arguments.positive("fps", fps)
    walker = _start(animal, make_terrain(terrain, animal, seed=seed))
    if path is None:
        orders = _wander(seed, walker, speed, turn)
        frames = arguments.frames("seconds", seconds or SECONDS, fps)
        found = _go(walker, orders, frames, fps, progress)
    else:
        pursuit = _pursue(path, walker, speed, turn)
        found = _follow(pursuit, seconds, fps, progress)
    states, blocked = zip(*found, strict=True)
    return record(walker, states, 1.0 / fps, blocked=blocked)


def _start(animal, terrain):
    """Return a walker at the origin or, if it cannot stand there, as near to it as it can.

    Where there is no room within some leg lengths, raise an error about the terrain.
    """
    try:
        return Walker(animal, terrain)
    except CreatureError as error:
        if error.name != "position":
            raise
        came = error.came
    for ring in range(1, RINGS + 1):
        for way in (facing(math.tau * k / 8.0) for k in range(8)):
            away = ring * RING * animal.length
            try:
                return Walker(animal, terrain, position=[away * way.c, away * way.s])
            except CreatureError:
                continue
    raise CreatureError("terrain", "let the animal stand where it starts", came)


def _wander(seed, walker, speed, turn):
    """Return a function from time to speed and turn: those given, or random ones of a seed.

    Where no turn is given, an animal that is blocked turns aside.
    """
    if speed is not None:
        speed = arguments.number("speed", speed)
    if turn is not None:
        turn = arguments.number("turn", turn)
    hurry, bow = smooth_signals(seed)
    pace = USUAL * walker.animal.walking_speed if speed is None else speed
    arm = command.arm_of(walker.animal.anatomy)
    detour = Detour(walker.animal.walking_speed / arm)

    course = np.array([1.0, 0.0] if walker.animal.anatomy.sideways else [0.0, 1.0])

    def orders(time):
        ahead, around = pace * (1.0 if speed is not None else 1.0 + HURRY * hurry(time)), turn
        if turn is None:
            around = BOW * bow(time)
            ahead, around = detour.order(time, walker.blocked, pace) or (ahead, around)
        return ahead * course, around

    return orders


class Detour:
    """The orders of an animal that is blocked: it turns on the spot, alternately left and right.

    If it soon is blocked again, it steps back first and turns further than before, so that it tries
    one way after the other, on both sides of the one that was blocked.
    """

    def __init__(self, fastest):
        self.rate = -TURNS * fastest
        self.turns = self.end = -np.inf  # times when it begins to turn, and stops
        self.tries = 0

    def order(self, time, blocked, pace):
        """Return velocity and turn at a time, None if the animal may go on."""
        if time >= self.end and blocked:
            self.tries = self.tries + 1 if time < self.end + SOON else 1
            self.rate = -self.rate
            self.turns = time + (BACK if self.tries > 1 else 0.0)
            self.end = self.turns + self.tries * DETOUR / abs(self.rate)
        if time >= self.end:
            return None
        return (-0.5 * pace, 0.0) if time < self.turns else (0.0, self.rate)


def _pursue(path, walker, speed, turn):
    """Return the `Pursuit` that leads a walker along a path."""
    if turn is not None:
        raise CreatureError("turn", "be omitted if there is a path", str(turn))
    pace = (
        USUAL * walker.animal.walking_speed if speed is None else arguments.positive("speed", speed)
    )
    return paths.Pursuit(path, walker, pace)


def _follow(pursuit, seconds, fps, progress):
    """Walk along a path; return the state of each frame and whether the walker was blocked."""
    name = "path" if seconds is None else "seconds"
    frames = arguments.frames(name, pursuit.longest() if seconds is None else seconds, fps)
    stood, before, stopped = 0, pursuit.walker.state.body_position, 0

    def ended(state):
        nonlocal stood, before, stopped
        stopped = stopped + 1 if pursuit.walker.blocked else 0
        moved = np.abs(state.body_position - before)[[0, 2]].max() > STILL * pursuit.walker.length
        before = state.body_position
        stood = stood + 1 if pursuit.there and np.all(state.stance) and not moved else 0
        return stood >= REST * fps or stopped >= STOPPED * fps

    def orders(time):
        return pursuit.orders()

    if seconds is not None:
        return _go(pursuit.walker, orders, frames, fps, progress)
    tell = None if progress is None else lambda done: progress(max(done, pursuit.fraction))
    return _go(pursuit.walker, orders, frames, fps, tell, ended)


def _go(walker, orders, frames, fps, progress, ended=None):
    """Walk some frames, or until `ended(state)` is true; `orders(time)` gives velocity and turn.

    Return the state of each frame and whether the walker was blocked.
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
    states: Iterable[WalkerState],
    dt: float,
    *,
    blocked: Sequence[bool] | None = None,
) -> Recording:
    """Make a recording from the states of a walker.

    Parameters
    ----------
    walker : Walker
        The walker that had these states; its bones and its terrain are recorded.
    states : sequence of WalkerState
        `walker.state`, frame by frame; at least one. If the walker is several animals, the states
        of one of them.
    dt : float
        Seconds between frames.
    blocked : sequence of bool, optional
        `walker.blocked`, frame by frame; as many as states.

    Returns
    -------
    Recording

    Raises
    ------
    CreatureError
        If `dt` is not a positive number, or there are no states.
    ShapeError, ArrayTypeError
        If the states are not those of one such walker, or `blocked` is not a boolean for each.

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
    if not isinstance(walker, Walker):
        raise ArrayTypeError("walker", "a Walker", arguments.shown(walker))
    states = _checked_states(states, walker.animal.anatomy)
    joined = WalkerState(*(np.stack(parts) for parts in zip(*states, strict=True)))
    feet, anatomy = joined.feet, walker.animal.anatomy
    time = dt * np.arange(len(states), dtype=np.float64)
    stops = None if blocked is None else measures.checked(time=time, blocked=blocked)[1]
    recording = Recording(
        time=time,
        **joined._asdict(),
        bones=np.array([(leg.upper, leg.lower, leg.third) for leg in anatomy.legs]),
        ground=walker.terrain.height(feet[..., 0], feet[..., 2]),
        along=np.array(anatomy.along),
        rest_feet=np.array(
            [
                (leg.foot_aside, -anatomy.height, anatomy.along[leg.station] + leg.foot_ahead)
                for leg in anatomy.legs
            ]
        ),
        dt=dt,
        blocked=stops,
    )
    if not joined.tail.shape[1]:
        recording = recording._replace(tail=None)
    if walker.animal.appearance is None:
        return recording
    anatomy = walker.animal.anatomy
    rows = to_rows(walker.animal.appearance, len(anatomy.legs), anatomy.links)
    return recording._replace(
        body_parts=rows.parts,
        body_pivots=rows.pivots,
        leg_radii=rows.radii,
        neck_links=rows.links,
        palette=rows.palette,
    )


def _checked_states(states, anatomy):
    """Return states as a list; raise if they are not those of one walker of such an anatomy."""
    wanted = "a sequence of WalkerState"
    try:
        states = list(states)
    except TypeError:
        raise ArrayTypeError("states", wanted, arguments.shown(states)) from None
    legs, stations, tail = len(anatomy.legs), len(anatomy.along), anatomy.tail
    shapes = {
        "stations": (stations, 3),
        "station_rotations": (stations, 4),
        **dict.fromkeys(("hips", "knees", "ankles", "feet"), (legs, 3)),
        "stance": (legs,),
        "foot_rotation": (legs, 4),
        "neck": (len(anatomy.links), 4),
        "tail": (tail, 4),
    }
    for number, state in enumerate(states):
        if not isinstance(state, WalkerState):
            raise ArrayTypeError("states", wanted, f"{arguments.shown(state)} as state {number}")
        for name, shape in shapes.items():
            part = getattr(state, name)
            if not isinstance(part, np.ndarray) or part.dtype.kind not in "fb":
                came = f"{arguments.shown(part)} as {name} of state {number}"
                raise ArrayTypeError("states", "arrays of a walker", came)
            if part.shape != shape:
                raise ShapeError(
                    "states",
                    f"have {name} of shape {shape}, those of one such walker",
                    part.shape,
                    f"shape {part.shape} as state {number}",
                )
    if not states:
        raise CreatureError("states", "have at least one state", "none")
    return states


def make_terrain(
    kind: TerrainName | Ground, creature: AnimalName | Animal = "insect", *, seed: int = 0
) -> Terrain:
    """Make a terrain whose features fit the size of an animal.

    Parameters
    ----------
    kind : number, str or terrain
        A number from 0 to 1 is the roughness: the root mean square height over the leg's length,
        of hills two leg's lengths long. "flat" is level, "slope" rises by 12 degrees, "steps" has
        steps of 0.15 leg's lengths, "hills" are 20 leg's lengths long with a root mean square of
        0.4. Any other terrain is returned as by `as_terrain`.
    creature : str or Animal
        The name of an animal in `ANIMALS`, or your own.
    seed : int
        Determines rough ground and hills.

    Returns
    -------
    Terrain

    Raises
    ------
    CreatureError, ArrayTypeError
        If there is no such terrain or animal, or the roughness is out of range.

    Examples
    --------
    >>> from twobone import creature
    >>> creature.make_terrain("slope")
    Slope(12.0, heading_degrees=0.0)
    >>> creature.make_terrain(0.1, "crab", seed=3)
    Noise(0.17400000000000002, 3.48, seed=3)
    """
    animal, seed = animals.as_animal(creature), arguments.seed(seed)
    length = animal.length
    if isinstance(kind, str):
        kinds = {
            "flat": 0.0,
            "slope": Slope(12.0),
            "steps": Steps(0.15 * length, 1.2 * length),
            "hills": Noise(0.4 * length, 20.0 * length, seed),
        }
        if kind not in kinds:
            wanted = f"be one of {', '.join(kinds)} or a roughness"
            raise CreatureError("terrain", wanted, repr(kind))
        return as_terrain(kinds[kind])
    if not arguments.is_number(kind):
        return as_terrain(kind)
    roughness = arrays.to_float("terrain", kind)
    if not 0.0 <= roughness <= 1.0:
        wanted = "be a roughness from 0 to 1 of the leg's length"
        raise CreatureError("terrain", wanted, arguments.shown(kind))
    return Noise(roughness * length, 2.0 * length, seed) if roughness else as_terrain(0.0)


def smooth_signals(seed):
    """Return two random smooth functions of time with values from -1 to 1."""
    draw = np.random.default_rng(seed)

    def signal():
        rates, phases = draw.uniform(0.25, 0.9, 3), draw.uniform(0.0, 2.0 * np.pi, 3)
        return lambda time: float(np.mean(np.sin(rates * time + phases)))

    return signal(), signal()
