"""The modules to print: their functions, records, constants and comments."""

import ast
import importlib
import io
import tokenize
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from printing.checking import Checked
from printing.ownership import Effects
from printing.types import GONE, annotated


class UnprintableError(Exception):
    """A module is outside the subset; the message starts with file and line."""


@dataclass
class Field:
    """A field of a record."""

    annotation: ast.expr
    default: ast.expr | None
    comment: str


@dataclass
class RecordSource:
    """A NamedTuple, or a dataclass with slots."""

    node: ast.ClassDef
    fields: dict[str, Field]
    mutable: bool


@dataclass
class Module:
    """A source file. `left_out` are the names of what only Python has."""

    name: str
    left_out: frozenset[str] = frozenset()
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    records: dict[str, RecordSource] = field(default_factory=dict)
    constants: dict[str, ast.stmt] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)

    def __post_init__(self):
        self.live = importlib.import_module(self.name)
        self.path = Path(self.live.__file__)
        text = self.path.read_text(encoding="utf-8")
        self.tree = ast.parse(text)
        self.above, self.beside = _comments(text)
        for node in self.tree.body:
            self._add(node)

    @property
    def short(self):
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    @cached_property
    def named(self):
        """Return module and name of everything that is named in the module."""
        return {self.origin(node) for node in ast.walk(self.tree)}

    def unprintable(self, node, why):
        """Return an error about a node."""
        shown = ast.unparse(node).partition("\n")[0]
        return UnprintableError(f"{self.path}:{node.lineno}: {why}: {shown[:80]}")

    def origin(self, node):
        """Return the module and the name of what a name or `module.name` stands for."""
        if isinstance(node, ast.Name):
            where, name = self.imports.get(node.id, (self.name, node.id))
            return (where, name) if name else (node.id, None)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            where, name = self.imports.get(node.value.id, (None, None))
            if where:
                return (f"{where}.{name}" if name else where), node.attr
        return None, None

    def _add(self, node):
        match node:
            case ast.Import():
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = alias.name, None
            case ast.ImportFrom():
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = node.module, alias.name
            case ast.FunctionDef():
                if node.name not in self.left_out:
                    if node.decorator_list or node.name in self.functions:
                        raise self.unprintable(node, "a function is written once, undecorated")
                    self.functions[node.name] = node
            case ast.ClassDef():
                if node.name not in self.left_out:
                    self.records[node.name] = self._record(node)
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias"), value=value):
                self.aliases[node.target.id] = value
            case ast.AnnAssign() | ast.Assign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for name in ast.walk(ast.Tuple(targets)):
                    if isinstance(name, ast.Name) and name.id not in self.left_out:
                        if not name.id.isupper():
                            raise self.unprintable(node, "constants have names in capitals")
                        self.constants[name.id] = node
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case _:
                raise self.unprintable(node, "a module has functions, records and constants only")

    def _record(self, node):
        named = [ast.unparse(base) for base in node.bases] == ["NamedTuple"]
        slotted = [ast.unparse(each) for each in node.decorator_list] == ["dataclass(slots=True)"]
        if named == slotted:
            raise self.unprintable(node, "a record is a NamedTuple or a dataclass(slots=True)")
        fields = {}
        for each in node.body:
            if isinstance(each, ast.AnnAssign):
                comment = self.beside.get(each.lineno, "")
                made = f"field(default_factory={ast.unparse(each.annotation)})"
                if isinstance(each.value, ast.Call) and ast.unparse(each.value) != made:
                    raise self.unprintable(each, "what a field makes anew is of its own type")
                fields[each.target.id] = Field(each.annotation, each.value, comment)
            elif isinstance(each, ast.FunctionDef) and each.name == "__repr__":
                continue  # how Python shows a record
            elif not isinstance(each, ast.Expr):
                raise self.unprintable(each, "a record has fields and no methods")
        return RecordSource(node, fields, slotted)


@dataclass
class Program:
    """All modules that are printed together.

    `scalars` are types by the full names of aliases and classes; `constants` is the full name of
    the constants that every value of the type `types.CONSTANTS` is. `stand_ins` are functions of
    Python alone by full name, with the module and name of the printed function in their place.
    """

    modules: dict[str, Module]
    scalars: dict[str, object]
    constants: tuple[str, str] = ("", "")
    stand_ins: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self):
        self._checked = {}
        self.effects = Effects(self)

    def checked(self, module, name):
        """Return a function with the types of its expressions."""
        if (module, name) not in self._checked:
            home = self.modules[module]
            self._checked[module, name] = Checked(self, home, home.functions[name])
        return self._checked[module, name]

    def field_types(self, record):
        """Return the types of the fields of a record by name."""
        home = self.modules[record.module]
        fields = home.records[record.name].fields
        return {name: annotated(each.annotation, home, self) for name, each in fields.items()}

    def parameters(self, module, name):
        """Return the types of what a call gives; a stand-in gets nothing that only Python has."""
        found = self.signature(module, name)[0]
        if (module, name) not in self.stand_ins.values():
            return found
        return {each: kind for each, kind in found.items() if kind not in GONE}

    def signature(self, module, name):
        """Return the types of the parameters of a function by name, and that of its result."""
        home = self.modules[module]
        node = home.functions[name]
        rest = node.args
        if rest.vararg or rest.kwarg or rest.kwonlyargs or rest.posonlyargs:
            raise home.unprintable(node, "parameters are named one by one")
        parameters = {}
        for each in rest.args:
            if each.annotation is None:
                raise home.unprintable(node, f"the parameter {each.arg} has no type")
            parameters[each.arg] = annotated(each.annotation, home, self)
        if node.returns is None:
            raise home.unprintable(node, "the result has no type")
        return parameters, annotated(node.returns, home, self)


def _comments(text):
    """Return comments by line: those with a line of their own, and those beside code.

    Those about tests of Python (tools/unreached.py) say nothing of what is printed.
    """
    above, beside = {}, {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("# unreached: "):
            alone = not token.line[: token.start[1]].strip()
            # A backslash at the end would join the next line to the comment in C++.
            (above if alone else beside)[token.start[0]] = token.string[1:].rstrip("\\ ").strip()
    return above, beside
