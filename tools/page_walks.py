"""Whether Python, C++ and the page walk with the same bits: the same commands on the same grounds.

`python tools/page_walks.py` lets all animals walk on all grounds for ten minutes, which takes an
hour or two, and prints the first frame that differs, if there is one. It exits with 1 if any walk
differs. `python tools/page_walks.py dog` lets one animal walk; `--ground`, `--seconds` and `--seed`
narrow it further.
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import node_scripts
from twobone import creature
from twobone.core import engine
from twobone.creature import crowd
from twobone.errors import CreatureError
from twobone.play.animals_table import entry

RATE = 50  # frames a second: no part of that of the walker's steps
GROUNDS = ("flat", 0.15, "steps", 0.25, "slope")
DIGITS = 16  # of the hash of a frame
CODE = """
import { createHash } from "node:crypto";
import { anatomyOf } from "./scenes/creature/animal.js";
import { makeTerrain } from "./scenes/creature/ground.js";
import { Walker } from "./scenes/creature/walker.js";
import { motion } from "./stepping/journey.js";

const hashed = (numbers) =>
  createHash("sha256").update(new Float64Array(numbers)).digest("hex").slice(0, DIGITS);
export const answer = ({ entry, kind, seed, start, orders, rate }) => {
  const anatomy = anatomyOf(entry, 0, 1), [x, z, heading] = start;
  const walker = new Walker(anatomy, makeTerrain(kind, anatomy.reach, seed), [x, z], heading);
  const frames = [];
  for (const { count, velocity, turn, shove } of orders) {
    if (shove) walker.shove(shove);
    for (let frame = 0; frame < count; frame++) {
      walker.step(1 / rate, { velocity, turn });
      const { stations, rotations, hips, knees, ankles, feet, soles, ...rest } = walker.pose;
      const points = [stations, rotations, hips, knees, ankles, feet, rest.down.map(Number), soles];
      points.push(rest.neck, rest.tail, Object.values(motion(walker.journey)));
      frames.push(hashed([...points.flat(2), Number(walker.blocked)]));
    }
  }
  return frames;
};
""".replace("DIGITS", str(DIGITS))


def compared(node, folder, name, kind, seconds, seed):
    """Return where the walk of an animal differs from Python's, as text; nothing if it does not."""
    animal, draw = creature.animal(name), np.random.default_rng(seed)
    ground = creature.make_terrain(kind, animal, seed=seed)
    start = room(animal, ground, draw)
    given = {"entry": entry(animal), "kind": kind, "seed": seed, "start": start, "rate": RATE}
    given["orders"] = list(orders(animal, round(seconds * RATE), draw))
    own = list(walked(crowd.Crowd(animal.anatomy, ground, np.array([start])), given["orders"]))
    others = {"page": node_scripts.run(node, folder, CODE, given)}
    if engine.KERNEL is not None:
        compiled = engine.KERNEL.Crowd(animal.anatomy, ground, np.array([start]))
        others["C++"] = list(walked(compiled, given["orders"]))
    return ", ".join(
        f"{who}: from frame {differ[0]} of {len(own)}"
        for who, frames in others.items()
        if (
            differ := [
                i for i, pair in enumerate(zip(own, frames, strict=True)) if len({*pair}) > 1
            ]
        )
    )


def walked(animals, orders):
    """Yield a hash of all numbers of each frame that a crowd of one animal walks."""
    for order in orders:
        if "shove" in order:
            animals.shove(np.array([order["shove"]]))
        told = np.array([[*order["velocity"], order["turn"]]])
        for _ in range(order["count"]):
            animals.travel(1 / RATE, told)
            parts = *animals.shapes(), animals.courses(), animals.blocked()
            numbers = np.concatenate([np.ravel(part).astype("<f8") for part in parts])
            yield hashlib.sha256(numbers).hexdigest()[:DIGITS]


def orders(animal, frames, draw):
    """Yield orders for so many frames: velocity and turn for some time, and shoves."""
    while frames:
        count = min(frames, int(draw.integers(20, 150)))
        velocity = draw.choice([0.0, 0.2, 1.0]) * draw.uniform([-0.5, -0.5], [0.5, 1.0])
        turn = float(draw.choice([0.0, 1.0]) * draw.uniform(-1.0, 1.0))
        found = {"count": count, "velocity": (animal.top_speed * velocity).tolist(), "turn": turn}
        if draw.random() < 0.15:
            found["shove"] = (animal.walking_speed * draw.uniform(-0.6, 0.6, 2)).tolist()
        yield found
        frames -= count


def room(animal, ground, draw):
    """Return a place and a heading in which the animal can stand: x, z and radians."""
    while True:
        x, z = (3.0 * animal.length * draw.normal(size=2)).tolist()
        heading = float(draw.uniform(-3.0, 3.0))
        try:
            creature.Walker(animal, ground, position=(x, z), heading=heading)
        except CreatureError:
            continue
        return [x, z, heading]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("animals", nargs="*", default=list(creature.ANIMALS))
    parser.add_argument("--ground", action="append", choices=[str(kind) for kind in GROUNDS])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    grounds = [kind for kind in GROUNDS if str(kind) in (options.ground or map(str, GROUNDS))]
    count = differ = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        node_scripts.copy_of_page(folder)
        for animal in options.animals:
            for kind in grounds:
                found = compared(_node, folder, animal, kind, options.seconds, options.seed)
                print(f"{animal:10}{kind!s:>6}  {found or 'the same bits'}", flush=True)
                count += 1
                differ += bool(found)
    print(f"{count - differ} of {count} walks have the same bits.")
    sys.exit(differ > 0)


def _node(code, data):
    command = [shutil.which("node") or "node", "-e", code]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


if __name__ == "__main__":
    main()
