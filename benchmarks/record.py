"""Rerun the benchmarks and update README's numbers: `python benchmarks/record.py [NAME ...]`.

Without names all scripts run, which takes some hours on two cores; nothing else should run
on the machine meanwhile. Each writes benchmarks/NAME.json (`speed` also draws
docs/pictures/speed.svg), and tables.py writes README's numbers from these files.
"""

import argparse
import subprocess
import sys

import tables
from recorded import HERE

SCRIPTS = (
    "accuracy",
    "blocks",
    "costs",
    "creature",
    "engines",
    "frames",
    "insects",
    "instructions",
    "limbs",
    "page",
    "pose_limbs",
    "poses",
    "speed",
    "tensors",
    "walks",
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SCRIPTS)}")
    names = parser.parse_args().names or SCRIPTS
    unknown = set(names) - set(SCRIPTS)
    if unknown:
        parser.error(f"no such script: {', '.join(sorted(unknown))}")
    for name in names:
        print(f"\n== {name}", flush=True)
        stored = ["--update"] if name == "instructions" else ["--json", HERE / f"{name}.json"]
        subprocess.run([sys.executable, HERE / f"{name}.py", *stored], check=True)
    tables.main()


if __name__ == "__main__":
    main()
