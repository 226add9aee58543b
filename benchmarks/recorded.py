"""Recorded runs: what a script measured, on which machine and when, in benchmarks/NAME.json.

A list is written with one element a line, so that two runs can be compared line by line.
README's numbers are made of these files by tables.py.
"""

import datetime
import json
import os
import platform
from pathlib import Path

from twobone.commands import bench_rows as rows

HERE = Path(__file__).parent
DIGITS = 4  # significant digits; further ones differ from run to run


def option(parser):
    """Add the option that says where a run is recorded."""
    parser.add_argument("--json", type=Path, help="write the measurements to this file")


def machine(**more):
    """Return the machine, the versions and the date of a measurement."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        **rows.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        **more,
    }


def write(path, about, **found):
    """Write a run as JSON; floats are rounded to `DIGITS` significant digits."""
    parts = [f'"machine": {_text(about)}']
    for name, value in found.items():
        if isinstance(value, list):
            lines = ",\n".join(_text(_rounded(each)) for each in value)
            parts.append(f'"{name}": [\n{lines}\n]')
        else:
            parts.append(f'"{name}": {_text(_rounded(value))}')
    Path(path).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def read(name):
    """Return the recorded run of a script."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def _text(value):
    return json.dumps(value, ensure_ascii=False)


def _rounded(value):
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value
