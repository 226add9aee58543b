"""The animal that walks on a page: simulated in Python, a few time steps per request of the page.

Each time the page draws a frame it sends how much time has passed and where to go. The reply
has the body and the feet; the page solves the legs itself. So a page that is hidden or slow
costs nothing, and the simulation never runs ahead of it.
"""

import functools
from collections import deque
from typing import Any

import numpy as np

from twobone import creature
from twobone.creature import AnimalName, Capsule
from twobone.creature.walker import STEP
from twobone.errors import PageError
from twobone.pictures.figure import SOLE, figure_of_animal, part_in_body, turn_of
from twobone.pictures.keyframes import without_flips
from twobone.play.page_state import number, one_of, shown
from twobone.rotations import inverse, quaternion_to_matrix, rotate

MOST_TICKS = 30  # per request; a page that was suspended does not catch up
WINDOW, EVERY = 240, 30  # frames of 1/60 s in a report, and between reports
# A recorded walk: its duration in seconds, keys per second, and the unit of quaternion components.
LOOP, KEYS, TURNS = 16.0, 15, 5e-4
ENDS = ("head", "tail")  # of the body, which rotate in its space
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
    "knee_plane_rotation",
    "backwards",
)


class Stroll:
    """The animal of one page."""

    def __init__(self):
        self.asked = None  # the current animal, ground, seed and duty factor
        self.walker: Any = None
        self.past: deque = deque(maxlen=WINDOW + 1)
        self.ticks = 0

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Walk on as a request says, and return the reply; `asked` is as `check` returns it."""
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
            self.walker.step(STEP, velocity, asked["turn"])
            self._remember()
        return {**told, **place_of(self.walker.state), **self._report(asked["ticks"])}

    def _begin(self, choice):
        """Put a new animal on new ground, at the place and heading of the one before."""
        name, ground, seed, duty_factor = choice
        beast = creature.animal(name)
        if duty_factor:
            beast = beast._replace(gait=beast.gait.with_duty_factor(duty_factor))
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
        """Return measures of the last four seconds, twice a second; otherwise nothing."""
        before, now = (self.ticks - ticks) // (2 * EVERY), self.ticks // (2 * EVERY)
        if now == before or len(self.past) < 3:
            return {}
        recording = creature.record(self.walker, self.past, 2.0 * STEP)
        return {"report": figures(recording, self.walker.terrain)}


# --- replies ------------------------------------------------------------------------------


def describe(beast: Any) -> dict[str, Any]:
    """Return the data with which the page solves and draws the legs and the body of an animal."""
    figure = figure_of_animal(beast)
    legs = {name: np.asarray(getattr(beast.legs, name)).tolist() for name in beast.legs._fields}
    parts = [part_in_body(figure, part) for part in figure.parts]
    return {
        "name": beast.name, "speed": beast.speed, "height": beast.body.height, "leg": figure.leg,
        **legs, "radii": [radii._asdict() for radii in figure.legs], "sole": SOLE,
        "parts": [_listed(part) for part in parts], "extent": _extent(parts),
        "pivots": {name: figure.pivots[name].tolist() for name in ENDS},
    }  # fmt: skip


def _extent(parts):
    """Return how far a body extends horizontally from its middle."""
    ends = [
        np.hypot(point[0], point[2])
        for part in parts
        if part.node != "foot"
        for point in ((part.start, part.end) if isinstance(part, Capsule) else (part.centre,))
    ]
    return float(max(*ends, parts[0].half[0], parts[0].half[2]))


def _listed(part):
    """Return a part of an animal as values for JSON; the axes of an ellipsoid are rows."""
    found = {name: np.asarray(value).tolist() for name, value in part._asdict().items()}
    if "turn" in found:
        found["axes"] = quaternion_to_matrix(turn_of(part)).T.tolist()
        del found["turn"]
    return found


def place_of(stance: Any) -> dict[str, Any]:
    """Return the body, head, tail and feet of a pose, and which feet are in stance.

    The poles are in the world: knees may turn aside, see `creature.spreading`.
    """
    return {
        **{name: getattr(stance, f"{name}_rotation").tolist() for name in ENDS},
        "place": stance.body_position.tolist(),
        "turned": stance.body_rotation.tolist(),
        "feet": stance.feet.tolist(),
        "down": stance.stance.tolist(),
        "soles": stance.foot_rotation.tolist(),
        "poles": (stance.knees - stance.hips).tolist(),
    }


def figures(recording: Any, terrain: Any) -> dict[str, Any]:
    """Return the measures of a report that the page shows, with None for those not finite."""
    found = creature.report(recording, terrain)._asdict()
    values = {name: float(found[name]) for name in FIGURES}
    return {name: value if np.isfinite(value) else None for name, value in values.items()}


def recorded(name: AnimalName = "insect", ground: str = "0.1", seed: int = 1) -> dict[str, Any]:
    """Return a walk for a page without Python, as rounded values stored as differences.

    The columns are position and rotation of the body, then the feet, then the rotations of head
    and tail, then, if feet have parts, their rotations and the poles in the body's space. The body
    moves so evenly that its columns are second differences; the others are first differences. Knees
    are not included: the page solves the legs.
    """
    beast = creature.animal(name)
    terrain = creature.make_terrain(GROUNDS[ground], beast, seed=seed)
    whole = creature.walk(beast, terrain=terrain, seconds=LOOP, fps=4 * KEYS, seed=seed)
    walked = whole._replace(
        **{
            name: getattr(whole, name)[::4]
            for name in ("body_position", "body_rotation", "hips", "knees", "feet", "foot_rotation")
        }
    )
    ends = [without_flips(getattr(whole, f"{name}_rotation")[::4]) / TURNS for name in ENDS]
    unit = 5e-4 * describe(beast)["leg"]
    body = np.column_stack(
        [walked.body_position / unit, without_flips(walked.body_rotation) / TURNS]
    )
    feet = walked.feet.reshape(len(walked.feet), -1) / unit
    columns = [body, feet, *ends]
    if figure_of_animal(beast).of("foot"):
        rotations = np.asarray(walked.foot_rotation).swapaxes(0, 1)
        turns = [without_flips(one) for one in rotations]
        back = inverse(walked.body_rotation)[:, None]
        poles = rotate(back, walked.knees - walked.hips).reshape(len(feet), -1)
        columns += [np.concatenate(turns, -1) / TURNS, poles / unit]
    columns = np.rint(np.column_stack(columns)).astype(int)
    columns = np.diff(columns, axis=0, prepend=0)
    columns[:, :7] = np.diff(columns[:, :7], axis=0, prepend=0)
    told = {"animal": describe(beast), "ground": terrain.formula(), "dt": 4 * whole.dt}
    scale = {"unit": unit, "turns": TURNS, "report": figures(whole, terrain)}
    return {**told, **scale, "columns": columns.T.tolist()}


# --- requests -----------------------------------------------------------------------------


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


def _duty_factor(name, value):
    return None if value == 0 else number(0.5, 0.95)(name, value)


@functools.cache
def _checks():
    return {
        "animal": one_of(tuple(creature.ANIMALS)),
        "ground": one_of(tuple(GROUNDS)),
        "seed": _whole(2**31),
        "duty_factor": _duty_factor,
        "ticks": _whole(MOST_TICKS),
        "velocity": _pair(1),  # to the left and forward, in multiples of the maximum speed
        "turn": number(-4, 4),  # radians per second
        "shove": _pair(4),  # in multiples of the maximum speed
    }


def check(asked: Any) -> dict[str, Any]:
    """Check a request of a page and return it with numbers converted.

    Raises
    ------
    PageError
        If a field is missing, unknown or invalid.
    """
    checks = _checks()
    if not isinstance(asked, dict) or asked.keys() != checks.keys():
        raise PageError("walk", f"be an object with {', '.join(checks)}", shown(asked))
    return {name: check_one(name, asked[name]) for name, check_one in checks.items()}
