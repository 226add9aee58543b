"""Walks of the page's walker beside Python's, on the same grounds with the same commands.

`python tests/page_walks.py` lets all animals walk on all grounds for a minute, ten seeds of each,
and prints where the two differ, if they do; names of animals, `--ground` and `--seconds` narrow it.
"""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

import node_scripts
from twobone import creature
from twobone.creature import animals
from twobone.errors import CreatureError
from twobone.play.animals_table import entry
from walk_bounds import APART, Grounds

COUNT = 10  # walkers of one kind at once, each on a ground and a way of its own
STEP = 1.0 / 120.0
EVERY = 12  # steps between the positions that are compared; contacts are compared at each step
GROUNDS = ("flat", "0.15", "0.25", "slope", "steps")
CODE = """
import { animalOf } from "./walker/anatomy.js";
import { makeGround } from "./walker/ground.js";
import { Walker } from "./walker/walker.js";

const rounded = (state) =>
  [state.bodyPosition, state.bodyRotation, state.headRotation, state.tailRotation,
   ...state.knees, ...state.feet, ...state.footRotation].flat();

const walk = (given, n) => {
  const { put } = given;
  const walker = new Walker(animalOf(given.entry), makeGround(given.grounds[n]), given.starts[n]);
  const contacts = [], places = [rounded(walker.state)];
  for (const { count, velocity, turn, shove } of given.orders[n]) {
    if (shove) walker.shove(shove);
    for (let step = 0; step < count; step++) {
      if (contacts.length === put.step) walker.put(put.positions[n], put.headings[n]);
      walker.step(given.dt, velocity, turn);
      contacts.push([...walker.state.contact, walker.blocked].map(Number).join(""));
      if (contacts.length % given.every === 0) places.push(rounded(walker.state));
    }
  }
  return { contacts, places };
};
export const answer = (given) => given.starts.map((_, n) => walk(given, n));
"""


class Walks(NamedTuple):
    """Some walks of one animal."""

    contacts: list  # for each walk and step, a digit for each foot on the ground and for blocked
    places: np.ndarray  # (walks, frames, numbers): every tenth of a second, all that is drawn


class Difference(NamedTuple):
    """How much two versions of some walks differ."""

    away: float  # the maximum difference of positions, over the leg's length, and of quaternions
    decided: str  # the first step that was decided otherwise, if any


def orders(speed, steps, seed):
    """Return commands for so many steps: velocity and turn for some time, at times a shove."""
    draw, found = np.random.default_rng(seed), []
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
        order = {"count": count, "velocity": (speed * velocity).tolist(), "turn": turn}
        if draw.random() < 0.15:
            order["shove"] = (speed * draw.uniform(-0.6, 0.6, 2)).tolist()
        found.append(order)
        steps -= count
    return found


def grounds(kind, beast, seeds):
    """Return a ground for all walkers, and that of each as the page has it."""
    length = animals.length(beast)
    if kind in ("flat", "slope", "steps"):
        ground = creature.make_terrain(kind, beast)
        return ground, [ground] * len(seeds)
    ground = Grounds(float(kind) * length, 2.0 * length, seeds, APART * length)
    return ground, ground.parts


class Case(NamedTuple):
    """What some walkers of one kind do."""

    beast: creature.Animal
    walker: creature.Walker
    given: dict  # the same for the page


def case(name, kind, seconds, seeds, duty_factor=None):
    """Return walkers at the start of their walks, one for each seed."""
    beast = animals.check(creature.animal(name))
    if duty_factor:
        beast = beast._replace(gait=beast.gait.with_duty_factor(duty_factor))
    ground, parts = grounds(kind, beast, seeds)
    length, draw, n = animals.length(beast), np.random.default_rng(seeds[0]), len(seeds)
    middles = np.stack([APART * length * np.arange(n), np.zeros(n)], -1)
    headings = draw.uniform(-3.0, 3.0, n)
    headings[0] = 0.0  # along an axis, where there are most ties
    places, put = (
        np.array([room(beast, ground, *there, draw) for there in zip(middles, turns, strict=True)])
        for turns in (headings, -headings)
    )
    steps = round(seconds / STEP)
    walker = creature.Walker(beast, ground, count=n, position=places, heading=headings)
    given = {
        "entry": entry(beast),
        "grounds": [part.formula() for part in parts],
        "starts": [
            {"position": place, "heading": heading}
            for place, heading in zip(places, headings, strict=True)
        ],
        "orders": [orders(beast.speed, steps, seed) for seed in seeds],
        "put": {"step": steps // 2, "positions": put, "headings": -headings},
        "dt": STEP,
        "every": EVERY,
    }
    return Case(beast, walker, given)


def room(beast, ground, middle, heading, draw):
    """Return a place near another where the animal can stand."""
    while True:
        place = middle + animals.length(beast) * draw.normal(size=2)
        try:
            creature.Walker(beast, ground, position=place, heading=heading)
        except CreatureError:
            continue
        return place


def by_python(case):
    """Return the walks of a case in Python."""
    walker, given = case.walker, case.given
    told = [
        np.concatenate(
            [np.tile([*order["velocity"], order["turn"]], (order["count"], 1)) for order in of_one]
        )
        for of_one in given["orders"]
    ]
    shoves: dict = {}
    for n, of_one in enumerate(given["orders"]):
        at = 0
        for order in of_one:
            if "shove" in order:
                shoves.setdefault(at, np.zeros((len(told), 2)))[n] = order["shove"]
            at += order["count"]
    contacts, places = [[] for _ in told], [drawn(walker)]
    for step, asked in enumerate(np.stack(told, 1)):
        if step in shoves:
            walker.shove(shoves[step])
        if step == given["put"]["step"]:
            walker.put(given["put"]["positions"], given["put"]["headings"])
        walker.step(STEP, asked[:, :2], asked[:, 2])
        down = np.column_stack([~walker._state.feet.flies, walker.blocked]).astype(int)
        for found, flags in zip(contacts, down.tolist(), strict=True):
            found.append("".join(map(str, flags)))
        if (step + 1) % EVERY == 0:
            places.append(drawn(walker))
    return Walks(contacts, np.stack(places, 1))


def drawn(walker):
    """Return all numbers with which walkers are drawn, one row for each."""
    state = walker.state
    parts = (
        *(state.body_position, state.body_rotation, state.head_rotation, state.tail_rotation),
        *(state.knees, state.feet, state.foot_rotation),
    )
    return np.concatenate([part.reshape(len(state.feet), -1) for part in parts], 1)


def by_page(node, folder, case):
    """Return the walks of a case by the page's walker, in node."""
    found = node_scripts.run(node, folder, CODE, case.given)
    return Walks([one["contacts"] for one in found], np.array([one["places"] for one in found]))


def difference(case, walks, others):
    """Return how much two versions of the walks of a case differ."""
    decided = [
        f"walk {n}, step {step}: {one} and {other}"
        for n, (these, those) in enumerate(zip(walks.contacts, others.contacts, strict=True))
        for step, (one, other) in enumerate(zip(these, those, strict=True))
        if one != other
    ]
    away = np.abs(walks.places - others.places)
    legs, body = case.beast.legs.hips.shape[0], 3 + 3 * 4
    for points in (slice(0, 3), slice(body, body + 6 * legs)):
        away[..., points] /= animals.length(case.beast)
    return Difference(float(np.max(away)), decided[0] if decided else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("animals", nargs="*", default=list(creature.ANIMALS))
    parser.add_argument("--ground", action="append", choices=GROUNDS, help="may be repeated")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1, help="the first of ten")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        node_scripts.copy_of_page(folder)
        for animal in options.animals:
            for ground in options.ground or GROUNDS:
                seeds = range(options.seed, options.seed + COUNT)
                one = case(animal, ground, options.seconds, seeds)
                found = difference(one, by_python(one), by_page(_node, folder, one))
                print(f"{animal:10} {ground:6} {found.away:9.1e}  {found.decided}", flush=True)


def _node(code, data):
    command = [shutil.which("node") or "node", "-e", code]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


if __name__ == "__main__":
    main()
