"""ES modules linked into one script.

A page whose policy names its scripts by their hashes cannot import modules: an inline module has no
address, and an address of a blob would have to be allowed as a whole. So each module becomes a
function that is called once, with the modules that it imports called before it.

Only what the page uses is understood: imports of names or of a whole module, exported lists, exported
constants, classes and functions, and lists exported from another module. Exports are read when a
module has run, so a module must not export a variable that changes later.
"""

import hashlib
import json
import re
from importlib.resources.abc import Traversable
from typing import NamedTuple

from twobone.errors import TwoBoneError

FROM = r"""from\s*["']([^"']+)["']\s*;?"""
START = r"(?:^|(?<=[;}\n]))\s*"  # of a statement
NAMES = r"\{([^{}]*)\}"
IMPORT_ALL = re.compile(rf"{START}import\s*\*\s*as\s+([\w$]+)\s+{FROM}")
IMPORT = re.compile(rf"{START}import\s*{NAMES}\s*{FROM}")
EXPORT_FROM = re.compile(rf"{START}export\s*{NAMES}\s*{FROM}")
EXPORT = re.compile(rf"{START}export\s*{NAMES}\s*;?")
EXPORT_ONE = re.compile(rf"{START}export\s+(?=(?:const|class|function)\s+([\w$]+))")
ANY = re.compile(rf"{START}(?:import\b(?!\s*\()|export\b)[^\n]{{0,40}}")


class BundleError(TwoBoneError):
    """The sources of the page cannot be bundled: a mistake in those sources."""


class Library(NamedTuple):
    """A library that other people wrote, with the modules that the page may import from it."""

    name: str
    version: str
    licence: str
    folder: Traversable
    modules: dict[str, str]
    hashes: dict[str, str]


def libraries(folder: Traversable) -> list[Library]:
    """Return the libraries in `folder`/vendor, whose files must be as their authors published them."""
    vendor = folder / "vendor"
    if not vendor.is_dir():
        return []
    return [_library(one) for one in sorted(vendor.iterdir(), key=lambda one: one.name)]


def _library(folder):
    told = json.loads((folder / "vendor.json").read_text(encoding="utf-8"))
    hashes = {name: file["sha256"] for name, file in told["files"].items()}
    for name, wanted in hashes.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if found != wanted:
            raise BundleError(
                f"{name} of {told['package']} {told['version']} was changed: "
                f"expected the SHA-256 {wanted}, got {found}"
            )
    licence = (folder / "LICENSE").read_text(encoding="utf-8")
    return Library(told["package"], told["version"], licence, folder, told["modules"], hashes)


class Linker:
    """Modules and scripts in the order in which they must run."""

    def __init__(self, folder: Traversable, libraries: list[Library]):
        self._folder = folder
        self._libraries = libraries
        self._exports: dict[str, dict[str, str]] = {}
        self._open: list[str] = []
        self.parts: list[tuple[str, bool]] = []

    def add(self, name: str) -> None:
        """Add a script of the page, after the modules that it imports.

        What a module of the page exports can be used by the scripts after it, and in the console
        of a browser.
        """
        if self._module(f"./{name}", self._folder, None):
            exports = ", ".join(self._exports[_variable(name)])
            self.parts.append((f"const {{ {exports} }} = {_variable(name)};", False))

    def _module(self, specifier, folder, library):
        """Add a module, unless it is there already; return whether it is new and has exports."""
        if specifier.startswith("./"):
            name = specifier[2:]
        else:
            library = next((v for v in self._libraries if specifier in v.modules), None)
            if library is None:
                raise BundleError(f"no library of the page has a module {specifier!r}")
            folder, name = library.folder, library.modules[specifier]
        if library and name not in library.hashes:
            raise BundleError(f"vendor.json of {library.name} has no hash of {name}")
        variable = _variable(name)
        if variable in self._open:
            raise BundleError(f"modules import each other: {' -> '.join([*self._open, variable])}")
        if variable in self._exports:
            return False
        text = _read(folder, name)
        if not ANY.search(text):
            self._exports[variable] = {}
            self.parts.append((text, library is not None))
            return False
        self._open.append(variable)
        code = self._linked(text, variable, folder, library)
        self._open.pop()
        if left := ANY.search(code):
            raise BundleError(f"{name} has an import or export of an unknown kind: {left[0]!r}")
        exports = ", ".join(f"{name}: {value}" for name, value in self._exports[variable].items())
        code = f'const {variable} = (() => {{\n"use strict";\n{code}\nreturn {{ {exports} }};\n}})();'
        self.parts.append((code, library is not None))
        return bool(exports)

    def _linked(self, text, variable, folder, library):
        exports = {}

        def get(specifier):
            self._module(specifier, folder, library)
            if specifier in (known := {k: v for one in self._libraries for k, v in one.modules.items()}):
                return _variable(known[specifier])
            return _variable(specifier[2:])

        def import_names(found):
            other = get(found[2])
            pairs = [self._known(name, other, found[2]) for name in _pairs(found[1])]
            return f"const {{ {', '.join(f'{name}: {own}' for name, own in pairs)} }} = {other};"

        def export_from(found):
            other = get(found[2])
            for name, to in _pairs(found[1]):
                self._known((name, to), other, found[2])
                exports[to] = f"{other}.{name}"
            return ""

        def export_names(found):
            exports.update({to: name for name, to in _pairs(found[1])})
            return ""

        def export_one(found):
            exports[found[1]] = found[1]
            return "\n"

        text = IMPORT_ALL.sub(lambda found: f"const {found[1]} = {get(found[2])};", text)
        for pattern, act in (
            (IMPORT, import_names),
            (EXPORT_FROM, export_from),
            (EXPORT, export_names),
            (EXPORT_ONE, export_one),
        ):
            text = pattern.sub(act, text)
        self._exports[variable] = exports
        return text

    def _known(self, pair, other, specifier):
        if pair[0] not in self._exports[other]:
            raise BundleError(f"{specifier} exports no {pair[0]}")
        return pair


def _pairs(text):
    """Return the names of `a as b, c` with those they get: (a, b), (c, c)."""
    words = [part.split() for part in text.split(",") if part.strip()]
    return [(one[0], one[-1]) for one in words]


def _variable(name):
    return "module_" + re.sub(r"\W", "_", name)


def _read(folder, name):
    try:
        return (folder / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BundleError(f"no file {name} among the sources of the page") from None
