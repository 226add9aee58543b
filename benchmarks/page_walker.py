"""Time the steps of the page's walker in node: `python benchmarks/page_walker.py`

Each animal walks, turns and is pushed for some seconds. A frame of the page at 60 per second has
two steps and reads the pose once, and has 16,700 microseconds for all that it does. CPU times are
those of the process, of half a second together: to ask for them takes as long as a leg.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import recorded

from twobone.play import bundle
from twobone.play.animals_table import animals_table

PAGE = Path(bundle.__file__).parent / "page"
KINDS = ("flat", 0.15, "steps")
CODE = """
import { anatomyOf } from "./scenes/creature/animal.js";
import { makeTerrain } from "./scenes/creature/ground.js";
import { Walker } from "./scenes/creature/walker.js";

const TOGETHER = 30; // frames
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const measure = (entry, kind, frames) => {
  const anatomy = anatomyOf(entry, 0, 1), ground = makeTerrain(kind, anatomy.reach, 1);
  const walker = new Walker(anatomy, ground, [0, 0], 0), times = [];
  const run = (count) => {
    let start = cpu();
    for (let frame = 0; frame < count; frame++) {
      if (frame % 300 === 200) walker.shove([0.4 * entry.pace, 0]);
      walker.step(1 / 60, { velocity: [0, 0.8 * entry.pace], turn: 0.5 * Math.sin(0.01 * frame) });
      if (!walker.pose.feet.length) throw new Error("no feet");
      if ((frame + 1) % TOGETHER) continue;
      times.push((cpu() - start) / TOGETHER);
      start = cpu();
    }
  };
  run(300);  // until it is compiled
  times.length = 0;
  run(frames);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { mean, most: Math.max(...times) };
};
const given = JSON.parse(process.argv[2]);
for (const [name, entry] of Object.entries(given.animals))
  for (const kind of given.kinds)
    console.log(JSON.stringify({ name, kind, ...measure(entry, kind, given.frames) }));
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="of each walk")
    recorded.option(parser)
    options, found = parser.parse_args(), []
    given = {"animals": animals_table(), "kinds": KINDS, "frames": round(60 * options.seconds)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "page"
        shutil.copytree(PAGE, folder, ignore=shutil.ignore_patterns("vendor"))
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "measure.js").write_text(CODE)
        command = ["node", str(folder / "measure.js"), json.dumps(given)]
        print(f"{'':12}{'ground':>8}{'mean':>10}{'slowest':>12}  microseconds a frame")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                row = json.loads(line)
                found.append(row)
                print(f"{row['name']:12}{row['kind']:>8}{row['mean']:10.0f}{row['most']:12.0f}")
    if options.json:
        recorded.write(options.json, recorded.machine(), frames=found)


if __name__ == "__main__":
    main()
