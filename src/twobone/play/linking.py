"""ES modules linked into one script.

A page whose policy names its scripts by their hashes cannot import modules: an inline module has no
address, and an address of a blob would have to be allowed as a whole. So each module becomes a
function that is called once, with the modules that it imports called before it. Modules must not
import each other in a circle.

Only what the page uses is understood: imports of names, of a whole module or of nothing, exported
lists, also from another module, and one exported constant, class or function in a statement.
Exports are read when a module has run, so a module must not export a variable that changes later.
"""

import hashlib
import json
import posixpath
import re
from importlib.resources.abc import Traversable
from typing import NamedTuple

from twobone.errors import TwoBoneError

START = r"(?:^|(?<=[;}\n]))\s*"  # of a statement
NAMES = r"\{([^{}]*)\}"
FROM = r"""["']([^"']+)["']\s*;?"""
# import * as all from, import {names} from, import, export {names} from
DEPENDS = re.compile(
    rf"{START}(?:import\s*(?:(?:\*\s*as\s+([\w$]+)|{NAMES})\s*from\s*)?"
    rf"|export\s*{NAMES}\s*from\s*){FROM}"
)
EXPORT = re.compile(rf"{START}export\s*{NAMES}\s*;?")
EXPORT_ONE = re.compile(
    rf"{START}export\s+(?=(?:const|var|class|(?:async\s+)?function)\s+([\w$]+))"
)
# Comments with lines of their own, and types. Without them the page is a quarter smaller.
COMMENTS = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
TYPES = re.compile(r"/\*\* @(?:type|param|returns)\b[^*\n]*\*/ ?")  # within a line
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
    return Library(
        told["package"],
        told["version"],
        licence,
        folder,
        told["modules"],
        hashes,
    )


class Import(NamedTuple):
    """An import of a module from another: some names, with those they get, or everything."""

    variable: str
    names: list[tuple[str, str]]
    everything: str | None


class Module(NamedTuple):
    """The code of a module without its imports and exports, which are values of names."""

    variable: str
    library: Library | None
    imports: list[Import]
    exports: dict[str, str]
    code: str


class Linker:
    """Modules joined to one script, without types and comments that have lines of their own."""

    def __init__(self, folder: Traversable, libraries: list[Library]):
        self._folder = folder
        self._libraries = libraries
        self._modules: dict[str, Module] = {}  # in the order in which they must run
        self._open: list[str] = []

    def link(self, name: str) -> str:
        """Return the code of a module of the page, after that of the modules that it imports.

        Modules are strict, so a script that has this code begins with "use strict". The console of
        a browser has the names that the module exports.
        """
        first = self._add(name, None)
        made = [_script(module, self._modules) for module in self._modules.values()]
        exports = ", ".join(self._modules[first].exports)
        return "".join(made) + (f"const {{ {exports} }} = {first};\n" if exports else "")

    def _import(self, specifier, name, library):
        """Add the module that module `name` imports; return it."""
        if specifier.startswith(("./", "../")):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), specifier))
            if path.startswith("../"):
                raise BundleError(f"{name} imports {specifier}, which is outside its folder")
            return self._modules[self._add(path, library)]
        for one in self._libraries:
            if specifier in one.modules:
                return self._modules[self._add(one.modules[specifier], one)]
        raise BundleError(f"no library of the page has a module {specifier!r}")

    def _add(self, name, library):
        """Add a module, unless it is there already; return its variable."""
        if library and name not in library.hashes:
            raise BundleError(f"vendor.json of {library.name} has no hash of {name}")
        variable = _variable(f"{library.name}/{name}" if library else name)
        if variable in self._open:
            raise BundleError(f"modules import each other: {' -> '.join([*self._open, variable])}")
        if variable in self._modules:
            return variable
        text = read(library.folder if library else self._folder, name)
        if library is None:
            text = TYPES.sub("", COMMENTS.sub("", text))
        self._open.append(variable)
        module = Module(variable, library, [], {}, "")
        text = _linked(text, module, lambda specifier: self._import(specifier, name, library))
        self._open.pop()
        if left := ANY.search(text):
            what = left[0].strip()
            raise BundleError(f"{name} has an import or export of an unknown kind: {what!r}")
        self._modules[variable] = module._replace(code=text.strip())
        return variable


def _linked(text, module, import_):
    """Return the code of a module without imports and exports; add these to `module`."""

    def depends(found):
        everything, names, exported, specifier = found.groups()
        other = import_(specifier)
        for name, _ in _pairs(names or exported or ""):
            if name not in other.exports:
                raise BundleError(f"{specifier} exports no {name}")
        module.imports.append(Import(other.variable, _pairs(names or ""), everything))
        for name, to in _pairs(exported or ""):
            module.exports[to] = f"{other.variable}.{name}"
        return ""

    def export_names(found):
        module.exports.update({to: name for name, to in _pairs(found[1])})
        return ""

    def export_one(found):
        module.exports[found[1]] = found[1]
        return "\n"

    text = DEPENDS.sub(depends, text)
    text = EXPORT.sub(export_names, text)
    return EXPORT_ONE.sub(export_one, text)


def _script(module, modules):
    """Return the code of a module as a call of a function."""
    lines = []
    for variable, names, everything in module.imports:
        if names:
            pairs = (name if name == own else f"{name}: {own}" for name, own in names)
            lines.append(f"const {{ {', '.join(pairs)} }} = {variable};")
        if everything:
            used = set(re.findall(rf"\b{re.escape(everything)}\.([\w$]+)", module.code))
            if left := sorted(used - set(modules[variable].exports)):
                raise BundleError(f"{variable} exports no {left[0]}")
            lines.append(f"const {everything} = {variable};")
    told = ", ".join(f"{name}: {value}" for name, value in module.exports.items())
    text = "\n".join([*lines, module.code, f"return {{ {told} }};"])
    return f"const {module.variable} = (() => {{\n{text}\n}})();\n"


def _variable(path):
    """Return a variable for a module, $stage$draw for stage/draw.js; different paths differ."""
    return "$" + re.sub(
        r"[^a-zA-Z0-9]",
        lambda v: {"/": "$", ".": "_"}.get(v[0], f"_{ord(v[0]):x}_"),
        path.removesuffix(".js"),
    )


def _pairs(text):
    """Return the names of `a as b, c` with those they get: (a, b), (c, c)."""
    words = [part.split() for part in text.split(",") if part.strip()]
    return [(one[0], one[-1]) for one in words]


def read(folder, name):
    try:
        return (folder / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BundleError(f"no file {name} among the sources of the page") from None
