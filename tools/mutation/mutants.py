"""Mutants of Python source: every small change of its syntax tree that a test should notice.

Each changes one place in one function: a sign, an operator, a comparison, a number, a condition,
the order of two arguments; or it leaves out a term, an argument, a call or a statement.
"""

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

OPPOSITES = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Mult],
    ast.Mod: [ast.FloorDiv],
    ast.Pow: [ast.Mult],
    ast.BitAnd: [ast.BitOr],
    ast.BitOr: [ast.BitAnd],
    ast.BitXor: [ast.BitAnd],
    ast.LShift: [ast.RShift],
    ast.RShift: [ast.LShift],
    ast.And: [ast.Or],
    ast.Or: [ast.And],
    # `<` becomes `>`, not `<=`: for most floating-point numbers that differs nowhere that matters.
    ast.Lt: [ast.Gt],
    ast.LtE: [ast.GtE],
    ast.Gt: [ast.Lt],
    ast.GtE: [ast.LtE],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
NAMES = {
    one: other
    for pair in (
        ("min", "max"),
        ("minimum", "maximum"),
        ("argmin", "argmax"),
        ("any", "all"),
        ("logical_or", "logical_and"),
        ("floor", "ceil"),
        ("sin", "cos"),
        ("plus", "minus"),
        ("least", "greatest"),
        ("zeros", "ones"),
        ("startswith", "endswith"),
    )
    for one, other in (pair, pair[::-1])
}
# A call of these without the call has another type: it fails at once, and tests nothing.
TYPES = {"len", "isinstance", "range", "enumerate", "zip", "getattr", "hasattr", "type", "super"}
VALUES = (ast.BinOp, ast.Call, ast.Name, ast.Attribute, ast.Subscript)
ENOUGH = 16  # characters of source that tell a reader which expression was meant
CONTEXT = 40  # characters before and after a change that a key keeps of a long expression


class Mutant(NamedTuple):
    key: str  # module, function, what stood there and what stands there now: no line numbers
    kind: str
    line: int
    span: tuple[int, int]  # bytes of the source that change
    text: str  # what stands there now

    def of(self, source: str) -> str:
        """Return the source of the module with this change."""
        whole, (start, end) = source.encode(), self.span
        return (whole[:start] + self.text.encode() + whole[end:]).decode()


def of(source: str, module: str) -> Iterator[Mutant]:
    """Yield each mutant of a module's source, in the order of the source."""
    tree = ast.parse(source)
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    seen: Counter[str] = Counter()
    for path, function in _places(tree):
        node = path[-1]
        for kind, new in _changes(node, path):
            shown, changed = _shown(path, new)
            key = f"{module}.{function}: {shown} -> {changed}"
            seen[key] += 1
            if seen[key] > 1:
                key += f" #{seen[key]}"
            text = ast.unparse(new)
            if isinstance(node, ast.expr):
                text = f"({text})"
            else:  # a statement of several lines keeps its indentation
                text = text.replace("\n", "\n" + " " * node.col_offset)
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            yield Mutant(key, kind, node.lineno, (start, end), text)


def _places(tree):
    """Yield the path to each node that may change, and the function or class that it is in."""

    def walk(node, path, function):
        path = [*path, node]
        if isinstance(node, (ast.expr, ast.stmt)):
            yield path, function or "<module>"
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            function = f"{function}.{node.name}".lstrip(".")
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _says(child):
                    yield from walk(child, path, function)

    yield from walk(tree, [], "")


def _says(node):
    """Return whether a node is text for people, of types or an import."""
    return (
        isinstance(node, (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom))
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    )


def _changes(node, path):
    """Yield the kind of each change of a node, and the node in its place."""

    def having(**fields):
        new = copy.copy(node)
        for name, value in fields.items():
            setattr(new, name, value)
        return new

    def without(items, i):
        return [*items[:i], *items[i + 1 :]]

    match node:
        case ast.BinOp(left, op, right):
            for other in OPPOSITES.get(type(op), ()):
                yield "operator", having(op=other())
            if isinstance(op, (ast.Sub, ast.Div)):
                yield "swapped", having(left=right, right=left)
            if isinstance(op, (ast.Mult, ast.Div)):
                yield "sign", having(left=ast.UnaryOp(ast.USub(), left))
            yield "left out", left
            if isinstance(op, (ast.Sub, ast.Div, ast.Pow)):
                return
            yield "left out", right
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield "sign", operand
        case ast.BoolOp(op, values):
            for other in OPPOSITES[type(op)]:
                yield "operator", having(op=other())
            for i in range(len(values)):
                rest = without(values, i)
                yield "left out", rest[0] if len(rest) == 1 else having(values=rest)
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                for other in OPPOSITES[type(op)]:
                    yield "comparison", having(ops=[*ops[:i], other(), *ops[i + 1 :]])
        case ast.Constant(value) if value is True or value is False:
            yield "constant", ast.Constant(not value)
        case ast.Constant(int(value)):
            yield "constant", ast.Constant(value + 1)
            if value > 1:
                yield "constant", ast.Constant(value - 1)
            if value and not isinstance(path[-2], (ast.UnaryOp, ast.Subscript, ast.Slice)):
                yield "sign", ast.UnaryOp(ast.USub(), node)
        case ast.Constant(float() | complex() as value):
            yield "constant", ast.Constant(1.0 if value == 0.0 else 0.0)
            if value and not isinstance(path[-2], ast.UnaryOp):
                yield "sign", ast.UnaryOp(ast.USub(), node)
        case ast.Attribute(attr=name) if name in NAMES:
            yield "function", having(attr=NAMES[name])
        case ast.Name(name) if name in NAMES:
            yield "function", having(id=NAMES[name])
        case ast.Call():
            yield from _changes_of_call(node, having, without)
        case ast.IfExp(test, body, orelse):
            yield "left out", body
            yield "left out", orelse
        case ast.List(elts, ast.Load()) if len(elts) > 1 and not all(map(_is_number, elts)):
            for i in range(len(elts)):
                yield "left out", having(elts=without(elts, i))
        case ast.Tuple(elts, ast.Load()) if isinstance(path[-2], ast.For) and len(elts) > 1:
            for i in range(len(elts)):
                yield "left out", having(elts=without(elts, i))
        case ast.ListComp(generators=[first]) | ast.GeneratorExp(generators=[first]) if first.ifs:
            for i in range(len(first.ifs)):
                changed = copy.copy(first)
                changed.ifs = without(first.ifs, i)
                yield "left out", having(generators=[changed])
        case ast.AugAssign(op=op, value=value):
            for other in OPPOSITES.get(type(op), ()):
                yield "operator", having(op=other())
            if isinstance(op, (ast.Mult, ast.Div)):
                yield "sign", having(value=ast.UnaryOp(ast.USub(), value))
            yield "left out", ast.Pass()
        case ast.If(test, body, orelse):
            yield "condition", having(test=ast.UnaryOp(ast.Not(), test))
            yield "left out", having(test=ast.Constant(False))
        case ast.Return(ast.Name() | ast.Attribute() as value):
            yield "condition", having(value=ast.UnaryOp(ast.Not(), value))
        case ast.Expr(ast.Call()):
            yield "left out", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "left out", ast.Pass()
        case ast.Assign(targets=[ast.Name(name)]) if _assigned_before(name, node, path):
            yield "left out", ast.Pass()


def _changes_of_call(node, having, without):
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    args, keywords = node.args, node.keywords
    for i in range(len(keywords)):
        yield "left out", having(keywords=without(keywords, i))
    for i in range(len(args) - 1):
        one, other = args[i : i + 2]
        if _is_value(one) and _is_value(other) and ast.unparse(one) != ast.unparse(other):
            yield "swapped", having(args=[*args[:i], args[i + 1], args[i], *args[i + 2 :]])
    if name in TYPES or not name.lstrip("_")[:1].islower():
        return
    for i, arg in enumerate(args):
        if isinstance(arg, VALUES) and _is_value(arg):
            yield "sign", having(args=[*args[:i], ast.UnaryOp(ast.USub(), arg), *args[i + 1 :]])
    if keywords:
        return
    if isinstance(node.func, ast.Attribute) and not args:  # z.conj() becomes z
        yield "left out", node.func.value
    elif len(args) <= 4:
        yield from (("left out", arg) for arg in args if _is_value(arg))


def _is_value(node):
    """Return whether an argument is a value: not text, and not the library or the dtype."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str)
    return isinstance(node, (*VALUES, ast.UnaryOp)) and ast.unparse(node) not in ("xp", "t")


def _is_number(node):
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _assigned_before(name, node, path):
    """Return whether a name has a value without this assignment, so that leaving it out may run."""
    functions = [each for each in path if isinstance(each, ast.FunctionDef)]
    if not functions:
        return False
    arguments = {each.arg for each in ast.walk(functions[-1].args) if isinstance(each, ast.arg)}
    return name in arguments or any(
        isinstance(each, ast.Name)
        and each.id == name
        and isinstance(each.ctx, ast.Store)
        and each.lineno < node.lineno
        for each in ast.walk(functions[-1])
    )


def _shown(path, new):
    """Return the source before and after a change, with enough around it to be recognised."""
    old = path[-1]
    if not isinstance(old, ast.expr):
        return _line(old), _line(new)
    for parent in reversed(path[:-1]):
        if len(ast.unparse(old)) >= ENOUGH or not isinstance(parent, ast.expr):
            break
        changed = copy.copy(parent)
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(changed, name, new)
            elif isinstance(value, list) and any(each is old for each in value):
                setattr(changed, name, [new if each is old else each for each in value])
        old, new = parent, changed
    return _around(ast.unparse(old), ast.unparse(new))


def _around(old, new):
    """Return two long texts without most of what they begin and end with alike."""
    least = min(len(old), len(new))
    same = next((i for i in range(least) if old[i] != new[i]), least)
    head = max(same - CONTEXT, 0)
    same = next((i for i in range(least - same) if old[-1 - i] != new[-1 - i]), least - same)
    tail = max(same - CONTEXT, 0)
    begin, end = "…" * bool(head), "…" * bool(tail)
    return tuple(f"{begin}{each[head : len(each) - tail]}{end}" for each in (old, new))


def _line(statement):
    """Return a statement's first line."""
    return ast.unparse(statement).partition("\n")[0]
