"""Lines and branches that no test reaches: each has a reason in tools/unreached.toml, or a test.

`nox -s coverage` runs the tests under coverage.py and then this program with the report that it
wrote: `python tools/unreached.py report.json`. It exits with 1 if something is not reached and has
no reason, or if something that has a reason is reached, or no longer there; except for entries with
`sometimes = true`, which depend on the machine or on the moment, as races do. A key is the module,
the function and the first line of what is not reached, or both ends of a branch that is not taken.
So it stays the same when other lines move. `--write` adds what has no reason to the file, for a
person to write it, and removes what is reached.
"""

import argparse
import json
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[1]
REASONS = Path(__file__).with_suffix(".toml")
HEAD = """\
# What no test reaches, with the reason why none does: see tools/unreached.py. `nox -s coverage`
# compares it with what the tests reach on Linux, with the kernel, PyTorch and JAX; the slow ones
# too, but not the nightly ones and those in browsers.
"""


class Reason(NamedTuple):
    """Why no test reaches a place, and whether one does on some machines or at some moments."""

    text: str
    sometimes: bool = False


def unreached(report, folder):
    """Return the keys of what is not reached, in order, given a report of coverage.py as JSON."""
    found = {}
    for name, file in sorted(report["files"].items()):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        module = name.removeprefix("src/")
        for function, part in file["functions"].items():
            place = f"{module}: {function}: " if function else f"{module}: "
            found |= dict.fromkeys(f"{place}{what}" for what in of_a_function(part, lines))
    return list(found)


def of_a_function(part, lines):
    """Yield what is not reached in a function: the first line of each run, then branches."""
    missing, statements = set(part["missing_lines"]), part["missing_lines"]
    known = sorted(missing | set(part["executed_lines"]))
    before = {after: line for line, after in pairwise(known)}
    for line in statements:
        if before.get(line) not in missing:  # the rest of a run is not reached for the same reason
            yield text(lines, line)
    for start, end in part.get("missing_branches", ()):
        if start not in missing and end not in missing:
            yield f"{text(lines, start)} -> {text(lines, end) if end > 0 else 'the end'}"


def text(lines, number):
    return " ".join(lines[number - 1].split())


def reasons(table):
    """Return {key: Reason}."""
    return {
        key: Reason(each["reason"], each.get("sometimes", False))
        for each in table["unreached"]
        for key in each["what"]
    }


def as_toml(explained):
    """Return {key: Reason} as the text of the file, with one entry for each reason."""
    keys = {}
    for key, reason in explained.items():
        keys.setdefault(reason, []).append(key)
    parts = [HEAD]
    for reason, what in keys.items():
        rows = "".join(f"    {json.dumps(key, ensure_ascii=False)},\n" for key in what)
        sometimes = "sometimes = true\n" if reason.sometimes else ""
        parts.append(
            f"[[unreached]]\nreason = {json.dumps(reason.text)}\n{sometimes}what = [\n{rows}]\n"
        )
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="what `--cov-report=json:FILE` wrote")
    parser.add_argument("--reasons", type=Path, default=REASONS)
    parser.add_argument(
        "--write", action="store_true", help="bring the keys of the file up to date"
    )
    told = parser.parse_args()
    explained = reasons(tomllib.loads(told.reasons.read_text(encoding="utf-8")))
    report = json.loads(told.report.read_text(encoding="utf-8"))
    found = unreached(report, PROJECT)
    unknown = [key for key in found if key not in explained or not explained[key].text]
    stale = [key for key, reason in explained.items() if key not in found and not reason.sometimes]
    if told.write:
        known = {key: reason for key, reason in explained.items() if key not in stale}
        table = as_toml(known | dict.fromkeys(unknown, Reason("")))
        told.reasons.write_text(table, encoding="utf-8")
    for key in unknown:
        print(f"no test reaches it, and there is no reason: {key}")
    for key in stale:
        print(f"it has a reason, but is reached, or gone: {key}")
    print(f"{len(found)} places are not reached, {len(unknown)} of them without a reason")
    sys.exit(bool(unknown or stale))


if __name__ == "__main__":
    main()
