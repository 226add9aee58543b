"""ES modules linked into one script.

A page whose policy names its scripts by their hashes cannot import modules: an inline module has no
address, and an address of a blob would have to be allowed as a whole. So each module becomes a
function that is called once, with the modules that it imports called before it.

Only what the page uses is understood: imports of names or of a whole module, exported lists, also
from another module, and one exported constant, class or function in a statement. Exports are read
when a module has run, so a module must not export a variable that changes later.
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
    """Return the libraries in `folder`/vendor; an error says which file was changed."""
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
    """Modules and scripts in the order in which they must run.

    `parts` contains their code, and whether it is that of a library.
    """

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
        variable = self._add(name, self._folder, None)
        if exports := ", ".join(self._exports[variable]):
            self.parts.append((f"const {{ {exports} }} = {variable};", False))

    def _import(self, specifier, folder, library):
        """Add the module that an import names; return the variable that has its exports."""
        if specifier.startswith("./"):
            return self._add(specifier[2:], folder, library)
        for one in self._libraries:
            if specifier in one.modules:
                return self._add(one.modules[specifier], one.folder, one)
        raise BundleError(f"no library of the page has a module {specifier!r}")

    def _add(self, name, folder, library):
        """Add a module or a script, unless it is there already; return its variable."""
        if library and name not in library.hashes:
            raise BundleError(f"vendor.json of {library.name} has no hash of {name}")
        variable = "module_" + re.sub(r"\W", "_", f"{library.name}_{name}" if library else name)
        if variable in self._open:
            raise BundleError(f"modules import each other: {' -> '.join([*self._open, variable])}")
        if variable in self._exports:
            return variable
        text = read(folder, name)
        exports = self._exports[variable] = {}
        if ANY.search(text):
            self._open.append(variable)
            text = self._linked(text, exports, lambda v: self._import(v, folder, library))
            self._open.pop()
            if left := ANY.search(text):
                what = left[0].strip()
                raise BundleError(f"{name} has an import or export of an unknown kind: {what!r}")
            told = ", ".join(f"{name}: {value}" for name, value in exports.items())
            text = f'"use strict";\n{text}\nreturn {{ {told} }};'
            text = f"const {variable} = (() => {{\n{text}\n}})();"
        self.parts.append((text, library is not None))
        return variable

    def _linked(self, text, exports, import_):
        """Return the code of a module without imports and exports; add these to `exports`."""

        def pairs(found):
            """Import from a module; return its variable and the names that are wanted."""
            other = import_(found[2])
            for name, _ in _pairs(found[1]):
                if name not in self._exports[other]:
                    raise BundleError(f"{found[2]} exports no {name}")
            return other, _pairs(found[1])

        def import_names(found):
            other, names = pairs(found)
            return f"const {{ {', '.join(f'{name}: {own}' for name, own in names)} }} = {other};"

        def export_from(found):
            other, names = pairs(found)
            exports.update({to: f"{other}.{name}" for name, to in names})
            return ""

        def export_names(found):
            exports.update({to: name for name, to in _pairs(found[1])})
            return ""

        def export_one(found):
            exports[found[1]] = found[1]
            return "\n"

        text = IMPORT_ALL.sub(lambda found: f"const {found[1]} = {import_(found[2])};", text)
        text = IMPORT.sub(import_names, text)
        text = EXPORT_FROM.sub(export_from, text)
        text = EXPORT.sub(export_names, text)
        return EXPORT_ONE.sub(export_one, text)


def _pairs(text):
    """Return the names of `a as b, c` with those they get: (a, b), (c, c)."""
    words = [part.split() for part in text.split(",") if part.strip()]
    return [(one[0], one[-1]) for one in words]


def read(folder, name):
    try:
        return (folder / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BundleError(f"no file {name} among the sources of the page") from None
