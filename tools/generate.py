"""Print what the page has of the formulas in Python: `python tools/generate.py`

`--check` writes nothing and says which files would change.
"""

import argparse
import importlib
import math
import os
import sys
from pathlib import Path
from typing import NamedTuple, get_args

from printing.cpp import Cpp
from printing.javascript import JavaScript
from printing.source import Module, Program
from printing.types import CONSTANTS, FLAG, NUMBER, Sequence
from twobone.play.schema import DIMENSIONS, FINEST, LIMB, VIEW, WIDEST, Field, Scene

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "src" / "twobone" / "play" / "page"
KERNEL = PROJECT / "src" / "kernel"
SUPPORT = Path(__file__).parent / "printing" / "py.hpp"
CORE = "twobone.core."
TRANSCENDENTAL = f"{CORE}transcendental"
# What the page has of the solver, by module, with the names that only Python has.
SOLVER = {
    "exact": ("Array", "as_it_is", "FLOAT32", "WIDE"),
    "formula": (),
    "scaling": (),
    "fitting": (),
    "easing": (),
    "answer": (),
    "one": (),
}


class Package(NamedTuple):
    """Where the modules of a package are printed: as JavaScript, and as C++."""

    page: Path
    kernel: Path
    others: tuple[str, ...]  # modules of other packages that are printed beside them
    left_out: dict[str, tuple[str, ...]]  # by module, the names that only Python has
    joints: str  # a header by hand that has `joint_xyz` for C++; "": the solver is printed too
    read: tuple[str, ...] = ()  # constants that JavaScript by hand reads


PACKAGES = {
    "twobone.creature.stepping": Package(
        PAGE / "stepping",
        KERNEL / "stepping",
        ("twobone.terrain.heights",),
        {},
        "../joint.hpp",
        ("FITS", "QUICK", "SLOW"),
    )
}


def printed():
    """Return all printed files by path."""
    files = {
        PAGE / "state" / "schema.js": schema(),
        PAGE / "scenes" / "list.js": scenes(get_args(Scene)),
    }
    program = solver()
    places = {name: f"solver/{module.short}.js" for name, module in program.modules.items()}
    for name, text in printed_as(JavaScript, program, places).items():
        files[PAGE / name] = text
    return files | printed_packages(PACKAGES)


def solver(others=()):
    """Return the modules of the solver, and others."""
    modules = {CORE + name: Module(CORE + name, frozenset(out)) for name, out in SOLVER.items()}
    scalars = {
        f"{CORE}exact.Array": NUMBER,
        f"{CORE}exact.Flag": FLAG,
        f"{CORE}exact.Real": CONSTANTS,
        f"{CORE}answer.Parts": Sequence(NUMBER),
    }
    modules |= {each.name: each for each in others}
    stand_ins = {f"{CORE}solver.solve_xyz": (f"{CORE}one", "joint_xyz")}
    return Program(modules, scalars, (f"{CORE}exact", "FLOAT64"), stand_ins)


def printed_as(language, program, places, *rest):
    """Return the text of each module of a program, by its place."""
    return {
        places[name]: language(program, module, places, *rest).printed()
        for name, module in program.modules.items()
    }


def printed_packages(packages):
    """Return all modules of packages by path: as JavaScript and as C++.

    `core/transcendental.py` is printed beside them, and for C++ the solver in a folder, unless it
    is the kernel's; so they may import these, and `solve_xyz`. What else they import is not
    printed.
    """
    files = {}
    for name, package in packages.items():
        folder = Path(importlib.import_module(name).__file__).parent
        stems = sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")
        own = [
            Module(f"{name}.{stem}", frozenset(package.left_out.get(stem, ()))) for stem in stems
        ]
        own += [Module(each) for each in (*package.others, TRANSCENDENTAL)]
        program = solver(own)
        beside = {each.name for each in own}
        near = os.path.relpath(PAGE / "solver", package.page).replace(os.sep, "/")
        for where, suffix, far, language, rest in (
            (package.page, ".js", near, JavaScript, (frozenset(package.read),)),
            (package.kernel, ".hpp", "solver", Cpp, (f"twobone::{folder.name}",)),
        ):
            places = {
                each: f"{'' if each in beside else far + '/'}{module.short}{suffix}"
                for each, module in program.modules.items()
            }
            if language is Cpp and package.joints:
                places[f"{CORE}one"] = package.joints
            is_all = language is Cpp and not package.joints
            for each, text in printed_as(language, program, places, *rest).items():
                if is_all or each in (places[one] for one in beside):
                    files[where / each] = text
        files[package.kernel / SUPPORT.name] = SUPPORT.read_text(encoding="utf-8")
    return files


def scenes(names):
    """Return the list of scenes as JavaScript; each has a folder of its name."""
    found = [
        "// All scenes, in the order of their buttons.",
        "//",
        "// Printed from play/schema.py by `python tools/generate.py`: do not edit.",
        *(f'import {{ scene as {name} }} from "./{name}/scene.js";' for name in names),
        "",
        '/** @type {Record<import("./scene.js").Name, import("./scene.js").Given>} */',
        f"export const SCENES = {{ {', '.join(names)} }};",
        "",
    ]
    return "\n".join(found)


def schema(limb=LIMB):
    """Return the fields of the page's state as JavaScript."""
    found = [
        "// The fields of the page's state: defaults and limits.",
        "//",
        "// Printed from play/schema.py by `python tools/generate.py`: do not edit.",
        "",
        *FIELD,
        *_typed("Limb", limb),
        *_typed("View", VIEW),
        f"export const FINEST = {_value(FINEST)};",
        f"export const WIDEST = {_value(WIDEST)};",
        "",
        "/** Of the limb in a scene, if they are not 2. @type {Record<string, number>} */",
        f"export const DIMENSIONS = {{ {_pairs(DIMENSIONS.items())} }};",
        "",
        *_fields("LIMB", limb),
        *_fields("VIEW", VIEW),
    ]
    return "\n".join(found)


FIELD = """\
/**
 * One of some words or numbers, or a number, a whole one or several between limits.
 * @typedef {object} Field
 * @property {any} default
 * @property {any[]} [choices]
 * @property {number} [least]
 * @property {number} [greatest]
 * @property {boolean} [isBelow] a number must be less than `greatest`, not equal
 * @property {boolean} [isWhole]
 * @property {number} [count] of numbers, 1 if it is not said
 */
""".splitlines()


def _typed(name, fields):
    kinds = [
        f" * @property {{{_type(each)}}} {key} {each.note}".rstrip() for key, each in fields.items()
    ]
    return ["/**", f" * @typedef {{object}} {name}", *kinds, " */", ""]


def _type(field):
    if field.choices and any(isinstance(each, str) for each in field.choices):
        return " | ".join(map(_value, field.choices)) if len(field.choices) < 6 else "string"
    if field.choices and len(field.choices) == 2:
        return " | ".join(map(_value, field.choices))
    return "number" if field.count == 1 else "number[]"


def _fields(name, fields):
    lines = [f"  {key}: {_field(each)}," for key, each in fields.items()]
    return ["/** @type {Record<string, Field>} */", f"export const {name} = {{", *lines, "};", ""]


def _field(field):
    pairs = [("default", field.default)]
    names = {"is_below": "isBelow", "is_whole": "isWhole"}
    for name, usual in Field._field_defaults.items():
        if name != "note" and getattr(field, name) != usual:
            pairs.append((names.get(name, name), getattr(field, name)))
    return f"{{ {_pairs(pairs)} }}"


def _pairs(pairs):
    return ", ".join(f"{name}: {_value(value)}" for name, value in pairs)


def _value(value):
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return JavaScript.value(None, value) if isinstance(value, str | bool) else _number(value)


def _number(value):
    if abs(value) == math.inf:
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value).replace("e+", "e").removesuffix(".0")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say which files would change")
    options = parser.parse_args()
    changed = []
    for path, text in printed().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed.append(str(path.relative_to(PROJECT)))
            if not options.check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    print("\n".join(changed) or "nothing changes")
    if options.check and changed:
        sys.exit(1)


if __name__ == "__main__":
    main()
