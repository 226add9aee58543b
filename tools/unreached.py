"""Lines and branches that no test reaches: a comment names the reason of each, or a test is due.

`nox -s coverage` runs the tests under coverage.py and then this program with the report that it
wrote: `python tools/unreached.py report.json`. A comment `# unreached: NAME` stands at the end of
the line that is not reached (the first of its run) or from which a branch is not taken, or above
it; tools/unreached.toml has the reasons by name. The program exits with 1 if something is not
reached and has no such comment, or is reached and has one; except for the names under `sometimes`,
which depend on the machine or on the moment, as races do.
"""

import argparse
import json
import re
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[1]
REASONS = Path(__file__).with_suffix(".toml")
COMMENT = re.compile(r"#.*\bunreached: ([\w-]+)$")


class Place(NamedTuple):
    """A line that is not reached, or from which a branch is not taken."""

    line: int
    words: str


def unreached(file):
    """Return the places of a file that are not reached: `file` is its part of the report."""
    return sorted(place for part in file["functions"].values() for place in of_a_function(part))


def of_a_function(part):
    """Yield what is not reached in a function: the first line of each run, then branches."""
    missing = set(part["missing_lines"])
    known = sorted(missing | set(part["executed_lines"]))
    before = {after: line for line, after in pairwise(known)}
    for line in part["missing_lines"]:
        if before.get(line) not in missing:  # the rest of a run is not reached for the same reason
            yield Place(line, "is not reached")
    for start, end in part.get("missing_branches", ()):
        if start not in missing and end not in missing:
            yield Place(start, f"never goes on to {f'line {end}' if end > 0 else 'the end'}")


def named(lines):
    """Return the name of the reason at each line that has one: at its end, or in a line above."""
    found = {}
    for number, line in enumerate(lines, 1):
        name = COMMENT.search(line)
        if name and line.lstrip().startswith("#"):
            rest = enumerate(lines[number:], number + 1)
            number = next((n for n, other in rest if not other.lstrip().startswith("#")), number)
        if name:
            found[number] = name[1]
    return found


def faults_of(name, lines, places, table):
    """Yield what is wrong in a module: places without a reason, and reasons without a place."""
    names, at = named(lines), {place.line for place in places}
    for line, words in places:
        if line not in names:
            text = lines[line - 1].strip()
            yield f"{name}:{line}: {words}, and no comment says why: {text}"
    for line, reason in names.items():
        if reason not in table["reasons"]:
            yield f"{name}:{line}: tools/unreached.toml has no reason {reason!r}"
        elif line not in at and reason not in table["sometimes"]:
            yield f"{name}:{line}: it is reached, and its comment says {reason!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="what `--cov-report=json:FILE` wrote")
    told = parser.parse_args()
    table = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    files = json.loads(told.report.read_text(encoding="utf-8"))["files"]
    faults, count = [], 0
    for name, file in sorted(files.items()):
        lines = (PROJECT / name).read_text(encoding="utf-8").splitlines()
        places = unreached(file)
        faults += faults_of(name, lines, places, table)
        count += len(places)
    print(*faults, f"{count} places are not reached; {len(faults)} faults", sep="\n")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
