"""Walks of the page's walker beside Python's, on the same grounds with the same commands.

`python tools/page_walks.py` lets all animals walk on all grounds for a minute, ten seeds of each,
and prints the first step that differs, if there is one. It exits with 1 if any walk differs. That
takes half an hour, or `python tools/page_walks.py dog` four to six minutes for each animal;
`--ground`, `--seconds` and `--seed` (the first of ten) narrow it further.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import node_scripts
from twobone import creature
from twobone.creature import animals
from twobone.errors import CreatureError
from twobone.play.animals_table import entry

COUNT = 10  # seeds
STEP = 1.0 / 120.0
EVERY = 12  # steps between the positions that are compared; contacts are compared at each step
GROUNDS = ("flat", 0.15, "steps", 0.25, "slope")
OTHERS = {"flat": 0.25, 0.15: "slope", "steps": "flat", 0.25: "steps", "slope": 0.15}
CODE = """
import { animalOf } from "./walker/anatomy.js";
import { makeGround, makeTerrain } from "./walker/ground.js";
import { Walker } from "./walker/walker.js";

const drawn = (state) => {
  const { bodyPosition, bodyRotation, headRotation, tailRotation, bodyBend, knees, feet } = state;
  const body = [bodyPosition, bodyRotation, headRotation, tailRotation, bodyBend];
  return [...body, ...knees, ...feet, ...state.footRotation].flat();
};

const groundOf = (kind, length, seed) =>
  kind.kind ? makeGround(kind) : makeTerrain(kind, length, seed);

const walk = ({ entry, kind, seed, start, orders, dt, every }) => {
  const animal = animalOf(entry), { length } = animal.anatomy;
  const walker = new Walker(animal, groundOf(kind, length, seed), start);
  const contacts = [], places = [drawn(walker.state)];
  for (const { count, velocity, turn, shove, put, ground } of orders) {
    if (ground !== undefined) walker.terrain = makeTerrain(ground, length, seed);
    if (shove) walker.shove(shove);
    if (put) walker.put(put.position, put.heading);
    for (let step = 0; step < count; step++) {
      walker.step(dt, velocity, turn);
      contacts.push([...walker.state.contact, walker.blocked].map(Number).join(""));
      if (contacts.length % every === 0) places.push(drawn(walker.state));
    }
  }
  return { contacts, places };
};
export const answer = (cases) => cases.map(walk);
"""


class Walk(NamedTuple):
    """What is compared of a walk."""

    contacts: list[str]  # for each step, a digit for each foot on the ground, and one for blocked
    places: np.ndarray  # (frames, numbers): all that is drawn, every tenth of a second


class Case(NamedTuple):
    """An animal at the start of a walk."""

    walker: creature.Walker
    given: dict[str, Any]  # the same for the page


def case(name, kind, seconds, seed, **changes):
    """Return an animal, with changes to its fields, at the start of a walk on a kind of ground."""
    beast = animals.check(creature.animal(name)._replace(**changes))
    ground, draw = creature.make_terrain(kind, beast, seed=seed), np.random.default_rng(seed)
    start = room(beast, ground, draw)
    orders = commands(beast, ground, round(seconds / STEP), draw)
    # Until it is put elsewhere, another ground is under the animal, which may be above its feet.
    orders[len(orders) // 4]["ground"] = OTHERS[kind]
    for order in orders:
        if "put" in order:
            order["ground"] = kind
    given = {"kind": kind, "seed": seed, "start": start, "orders": orders}
    walker = creature.Walker(beast, ground, **start)
    return Case(walker, {"entry": entry(beast), **given, "dt": STEP, "every": EVERY})


def commands(beast, ground, steps, draw):
    """Return commands for so many steps: velocity and turn for some time, shoves, a new place."""
    found, half = [], steps // 2
    while steps:
        count = min(steps, int(draw.integers(20, 300)))
        velocity, turn = np.array([0.0, draw.uniform(0.3, 1.0)]), 0.0
        kind = draw.integers(8)
        if kind == 0:
            velocity[1] = 0.0
        elif kind == 1:
            velocity = draw.uniform(-0.7, 0.7, 2)
        elif kind == 2:
            velocity[1] *= -0.5
        elif kind < 6:
            turn = float(draw.uniform(-1.0, 1.0))
        order = {"count": count, "velocity": (beast.speed * velocity).tolist(), "turn": turn}
        if draw.random() < 0.15:
            order["shove"] = (beast.speed * draw.uniform(-0.6, 0.6, 2)).tolist()
        if steps > half >= steps - count:
            order["put"] = room(beast, ground, draw)
        found.append(order)
        steps -= count
    return found


def room(beast, ground, draw):
    """Return a place and a heading, at times along an axis, in which the animal can stand."""
    while True:
        place = 3.0 * animals.length(beast) * draw.normal(size=2)
        heading = float(draw.choice([0.0, draw.uniform(-9.0, 9.0)]))
        start = {"position": place.tolist(), "heading": heading}
        try:
            creature.Walker(beast, ground, **start)
        except CreatureError:
            continue
        return start


def by_python(case):
    """Return the walk of a case in Python."""
    walker = case.walker
    contacts, places = [], [drawn(walker.state)]
    for order in case.given["orders"]:
        if "ground" in order:
            walker.terrain = creature.make_terrain(
                order["ground"], walker.animal, seed=case.given["seed"]
            )
        if "shove" in order:
            walker.shove(order["shove"])
        if "put" in order:
            walker.put(**order["put"])
        for _ in range(order["count"]):
            walker.step(STEP, order["velocity"], order["turn"])
            down = [*~walker._state.feet.flies[0], walker.blocked]
            contacts.append("".join("1" if flag else "0" for flag in down))
            if len(contacts) % EVERY == 0:
                places.append(drawn(walker.state))
    return Walk(contacts, np.array(places))


def drawn(state):
    """Return all numbers with which a walker is drawn."""
    ends = state.head_rotation, state.tail_rotation
    parts = state.body_position, state.body_rotation, *ends, state.body_bend
    return np.concatenate(
        [part.reshape(-1) for part in (*parts, state.knees, state.feet, state.foot_rotation)]
    )


def by_page(node, folder, cases):
    """Return the walks of cases by the page's walker, in node."""
    found = node_scripts.run(node, folder, CODE, [case.given for case in cases])
    return [Walk(one["contacts"], np.array(one["places"])) for one in found]


def difference(walk, other):
    """Return where two walks differ, as text; nothing if all bits are the same."""
    for step, both in enumerate(zip(walk.contacts, other.contacts, strict=True)):
        if both[0] != both[1]:
            return f"step {step}: on the ground {both[0]} and {both[1]}"
    away = np.max(np.abs(walk.places - other.places), 1)
    if not np.any(away):
        return ""
    return f"step {EVERY * int(np.argmax(away > 0.0))}: {np.max(away):.1e} in the end"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("animals", nargs="*", default=list(creature.ANIMALS))
    parser.add_argument("--ground", action="append", choices=[str(kind) for kind in GROUNDS])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1, help="the first of ten")
    options = parser.parse_args()
    grounds = [kind for kind in GROUNDS if str(kind) in (options.ground or map(str, GROUNDS))]
    count = differ = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        node_scripts.copy_of_page(folder)
        for animal in options.animals:
            for kind in grounds:
                seeds = range(options.seed, options.seed + COUNT)
                cases = [case(animal, kind, options.seconds, seed) for seed in seeds]
                walks = zip(map(by_python, cases), by_page(_node, folder, cases), strict=True)
                for seed, both in zip(seeds, walks, strict=True):
                    found = difference(*both)
                    print(f"{animal:10}{kind!s:>6}{seed:6}  {found or 'the same bits'}", flush=True)
                    count += 1
                    differ += bool(found)
    print(f"{count - differ} of {count} walks have the same bits.")
    sys.exit(differ > 0)


def _node(code, data):
    command = [shutil.which("node") or "node", "-e", code]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


if __name__ == "__main__":
    main()
