"""Print what the page has of the formulas in Python: `python tools/generate.py`

`--check` writes nothing and says which files would change.
"""

import argparse
import sys
from pathlib import Path

from printing.javascript import JavaScript
from printing.source import Module, Program
from printing.types import CONSTANTS, FLAG, NUMBER, Sequence

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "src" / "twobone" / "play" / "page"
CORE = "twobone.core."
# What the page has of the solver, by module, with the names that only Python has.
SOLVER = {
    "exact": ("Array", "as_it_is", "FLOAT32", "WIDE"),
    "formula": (),
    "scaling": (),
    "fitting": (),
    "easing": (),
    "answer": (),
}


def printed():
    """Return all printed files by path."""
    modules = {CORE + name: Module(CORE + name, frozenset(out)) for name, out in SOLVER.items()}
    scalars = {
        f"{CORE}exact.Array": NUMBER,
        f"{CORE}exact.Flag": FLAG,
        f"{CORE}exact.Real": CONSTANTS,
        f"{CORE}answer.Parts": Sequence(NUMBER),
    }
    program = Program(modules, scalars, (f"{CORE}exact", "FLOAT64"))
    places = {name: f"solver/{module.short}.js" for name, module in modules.items()}
    return {
        PAGE / places[name]: JavaScript(program, module, places).printed()
        for name, module in modules.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say which files would change")
    options = parser.parse_args()
    changed = []
    for path, text in printed().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed.append(str(path.relative_to(PROJECT)))
            if not options.check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    print("\n".join(changed) or "nothing changes")
    if options.check and changed:
        sys.exit(1)


if __name__ == "__main__":
    main()
