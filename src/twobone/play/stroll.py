"""An animal that walks on a page: simulated here, a few ticks at each of the page's questions.

The page asks, as often as it draws: how far time has gone, where to go. It is told where the
body and the feet are, and bends the legs by itself. So a page that is hidden or slow costs
nothing, and nobody gets ahead of it.
"""

import functools
from collections import deque
from typing import Any

import numpy as np

from twobone import creature
from twobone.creature import AnimalName
from twobone.errors import PageError
from twobone.pictures.figure import body_parts
from twobone.play.page_state import number, one_of, shown

TICK = 1.0 / 120.0  # seconds: time goes in these
MOST_TICKS = 30  # at a question: a page that slept goes on from where it was
WINDOW, EVERY = 240, 30  # ticks of 1/60 s in a report, and between reports
LOOP, KEYS, TURNS = 16.0, 15, 5e-4  # of a recorded walk: seconds, keys a second, unit of turns
GROUNDS = {
    "flat": "flat", "0.05": 0.05, "0.1": 0.1, "0.15": 0.15, "slope": "slope", "steps": "steps"
}  # fmt: skip
FIGURES = (
    "slide",
    "bone_error",
    "greatest_reach",
    "least_feet_down",
    "least_margin_over_leg",
    "depth_of_feet",
    "depth_of_knees",
    "knee_plane_turn",
    "backwards",
)


class Stroll:
    """One page's animal, from question to question."""

    def __init__(self):
        self.asked = None  # animal, ground, seed and duty factor as they are
        self.walker: Any = None
        self.past: deque = deque(maxlen=WINDOW + 1)
        self.ticks = 0

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Walk on as asked, and say where it is; `asked` is checked."""
        choice = tuple(asked[name] for name in ("animal", "ground", "seed", "duty_factor"))
        told = {}
        if choice != self.asked:
            self._begin(choice)
            told = {
                "animal": describe(self.walker.animal),
                "ground": self.walker.terrain.formula(),
            }
        full = self.walker.animal.speed
        if any(asked["shove"]):
            self.walker.shove(full * np.array(asked["shove"]))
        velocity = full * np.array(asked["velocity"])
        for _ in range(asked["ticks"]):
            self.walker.step(TICK, velocity, asked["turn"])
            self._remember()
        return {**told, **place_of(self.walker.state), **self._report(asked["ticks"])}

    def _begin(self, choice):
        """Put an animal on some ground, where the one before it has been."""
        name, ground, seed, duty_factor = choice
        beast = creature.animal(name)
        if duty_factor:
            beast = beast._replace(
                gait=creature.WaveGait(beast.gait.stride, duty_factor, beast.gait.lift)
            )
        there = {}
        if self.walker is not None:
            there = {"position": self.walker.place[0], "heading": self.walker.heading[0]}
        terrain = creature.make_terrain(GROUNDS[ground], beast, seed=seed)
        self.walker = creature.Walker(beast, terrain, **there)
        self.asked = choice
        self.past.clear()
        self.ticks = 0

    def _remember(self):
        if self.ticks % 2 == 0:
            self.past.append(self.walker.state)
        self.ticks += 1

    def _report(self, ticks):
        """Return the figures of the last seconds, twice a second."""
        before, now = (self.ticks - ticks) // (2 * EVERY), self.ticks // (2 * EVERY)
        if now == before or len(self.past) < 3:
            return {}
        recording = creature.record(self.walker, self.past, 2.0 * TICK)
        return {"report": figures(recording, self.walker.terrain)}


# --- what a page is told ------------------------------------------------------------------


def describe(beast: Any) -> dict[str, Any]:
    """Return an animal as the page needs it to bend its legs and to draw it."""
    legs = beast.legs
    leg = float(np.max(legs.bones.sum(1)))
    parts = {name: np.asarray(getattr(legs, name)).tolist() for name in legs._fields}
    body = [part._asdict() for part in body_parts(legs.hips, leg)]
    return {
        "name": beast.name, "speed": beast.speed, "height": beast.body.height, "leg": leg,
        **parts, "body": [{k: np.asarray(v).tolist() for k, v in one.items()} for one in body],
    }  # fmt: skip


def place_of(stance: Any) -> dict[str, Any]:
    """Return where an animal is."""
    return {
        "place": stance.body_position.tolist(),
        "turned": stance.body_rotation.tolist(),
        "feet": stance.feet.tolist(),
        "down": stance.stance.tolist(),
    }


def figures(recording: Any, terrain: Any) -> dict[str, Any]:
    """Return those figures of a report that the page shows; None for what is not finite."""
    found = creature.report(recording, terrain)._asdict()
    values = {name: float(found[name]) for name in FIGURES}
    return {name: value if np.isfinite(value) else None for name, value in values.items()}


def recorded(name: AnimalName = "insect", ground: str = "0.1", seed: int = 1) -> dict[str, Any]:
    """Return a walk for a page without Python, as differences of whole numbers.

    Columns are place, rotation and feet; bodies go so evenly that theirs are differences of
    differences. Knees are no part of it: the page bends the legs.
    """
    beast = creature.animal(name)
    terrain = creature.make_terrain(GROUNDS[ground], beast, seed=seed)
    whole = creature.walk(beast, terrain=terrain, seconds=LOOP, fps=4 * KEYS, seed=seed)
    walked = whole._replace(
        **{name: getattr(whole, name)[::4] for name in ("body_position", "body_rotation", "feet")}
    )
    unit = 5e-4 * describe(beast)["leg"]
    body = np.column_stack([walked.body_position / unit, _without_flips(walked) / TURNS])
    feet = walked.feet.reshape(len(walked.feet), -1) / unit
    columns = np.rint(np.column_stack([body, feet])).astype(int)
    columns = np.diff(columns, axis=0, prepend=0)
    columns[:, :7] = np.diff(columns[:, :7], axis=0, prepend=0)
    told = {"animal": describe(beast), "ground": terrain.formula(), "dt": 4 * whole.dt}
    scale = {"unit": unit, "turns": TURNS, "report": figures(whole, terrain)}
    return {**told, **scale, "columns": columns.T.tolist()}


def _without_flips(walked):
    """Return rotations none of which is the other quaternion of the one before it."""
    turned = walked.body_rotation
    products = np.sum(turned[1:] * turned[:-1], axis=1)
    return turned * np.cumprod(np.where(np.append(1.0, products) < 0.0, -1.0, 1.0))[:, None]


# --- what a page asks ---------------------------------------------------------------------


def _pair(limit):
    check_part = number(-limit, limit)

    def check_pair(name, value):
        if not isinstance(value, list) or len(value) != 2:
            raise PageError(name, "be 2 numbers", shown(value))
        return [float(check_part(name, part)) for part in value]

    return check_pair


def _whole(most):
    check_number = number(0, most)

    def check_whole(name, value):
        if check_number(name, value) != int(value):
            raise PageError(name, "be a whole number", shown(value))
        return int(value)

    return check_whole


def _duty(name, value):
    return None if value == 0 else number(0.5, 0.95)(name, value)


@functools.cache
def _checks():
    return {
        "animal": one_of(tuple(creature.ANIMALS)),
        "ground": one_of(tuple(GROUNDS)),
        "seed": _whole(2**31),
        "duty_factor": _duty,
        "ticks": _whole(MOST_TICKS),
        "velocity": _pair(1),  # to the left and forward, of full speed
        "turn": number(-4, 4),  # radians a second
        "shove": _pair(4),  # of full speed
    }


def check(asked: Any) -> dict[str, Any]:
    """Return a question of a page once it makes sense, or raise a `PageError`."""
    checks = _checks()
    if not isinstance(asked, dict) or asked.keys() != checks.keys():
        raise PageError("walk", f"be an object with {', '.join(checks)}", shown(asked))
    return {name: check_one(name, asked[name]) for name, check_one in checks.items()}
