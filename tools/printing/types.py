"""The types of the subset, and how annotations are read."""

import ast
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scalar:
    """A number, an integer, a truth value, text, nothing, or what only Python has."""

    name: str


NUMBER, INTEGER, FLAG = Scalar("number"), Scalar("integer"), Scalar("flag")
TEXT, NOTHING = Scalar("text"), Scalar("nothing")
PYTHON = Scalar("python")  # not printed: the library of arrays, for instance
CONSTANTS = Scalar("constants")  # a record of constants of which the targets have one
BUILT_IN = {"float": NUMBER, "int": INTEGER, "bool": FLAG, "str": TEXT, "None": NOTHING}
GONE = (PYTHON, CONSTANTS)


@dataclass(frozen=True)
class Tuple:
    """A tuple of known length."""

    items: tuple


@dataclass(frozen=True)
class Sequence:
    """A tuple or list of any length; its items have one type. A list may change."""

    item: object
    mutable: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Record:
    """A NamedTuple, or a dataclass with slots, of a printed module."""

    module: str
    name: str
    mutable: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Function:
    """A function that is an argument."""

    parameters: tuple
    result: object


@dataclass(frozen=True)
class Optional:
    """A value, or nothing."""

    value: object


def described(kind):
    """Return a type in words, as Python writes it."""
    match kind:
        case Scalar(name):
            return {v.name: k for k, v in BUILT_IN.items()}.get(name, name)
        case Tuple(items):
            return f"tuple[{', '.join(map(described, items))}]"
        case Sequence(item):
            return f"list[{described(item)}]" if kind.mutable else f"tuple[{described(item)}, ...]"
        case Record(_, name):
            return name
        case Optional(value):
            return f"{described(value)} | None"
    return "a function"


def fits(found, wanted):
    """Return whether a value of one type may stand where another is wanted."""
    if found == wanted or wanted == PYTHON:
        return True
    match found, wanted:
        case (Scalar("integer"), Scalar("number")):
            return True
        case (_, Optional(value)):
            return found == NOTHING or fits(found, value)
        case (Tuple(items), Sequence(item)):
            return all(fits(each, item) for each in items)
        case (Sequence(one), Sequence(other)):
            return fits(one, other)
        case (Tuple(items), Tuple(others)):
            return len(items) == len(others) and all(map(fits, items, others))
        case (Function(), Function()):
            return True
    return False


def joined(one, other):
    """Return the type of a value that has one of two types, or None."""
    if fits(one, other):
        return other
    if fits(other, one):
        return one
    if NOTHING in (one, other):
        return Optional(other if one == NOTHING else one)
    return None


def annotated(node, module, program):
    """Return the type that an annotation names."""
    match node:
        case ast.Constant(value=None):
            return NOTHING
        case ast.Constant(value=str(text)):
            return annotated(ast.parse(text, mode="eval").body, module, program)
        case ast.Name() | ast.Attribute():
            return _named(node, module, program)
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return Optional(annotated(left, module, program))
        case ast.Subscript(
            value=ast.Name(id="Callable"), slice=ast.Tuple(elts=[arguments, result])
        ):
            parameters = [annotated(each, module, program) for each in arguments.elts]
            return Function(tuple(parameters), annotated(result, module, program))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[item, last])):
            first = annotated(item, module, program)
            if isinstance(last, ast.Constant) and last.value is Ellipsis:
                return Sequence(first)
            return Tuple((first, annotated(last, module, program)))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return Tuple(tuple(annotated(each, module, program) for each in items))
        case ast.Subscript(value=ast.Name(id="list" | "Sequence" as name), slice=item):
            return Sequence(annotated(item, module, program), name == "list")
    raise module.unprintable(node, "an annotation outside the subset")


def _named(node, module, program):
    name = ast.unparse(node)
    if name in BUILT_IN:
        return BUILT_IN[name]
    where, own = module.origin(node)
    if (where, own) in (("typing", "Any"), ("builtins", "object")):
        return PYTHON
    known = program.scalars.get(f"{where}.{own}")
    if known is not None:
        return known
    home = program.modules.get(where)
    if home is not None and own in home.records:
        return Record(where, own, home.records[own].mutable)
    if home is not None and own in home.aliases:
        return annotated(home.aliases[own], home, program)
    raise module.unprintable(node, "a type that is not known")
