"""What the targets share: expressions by precedence, statements, comments and blocks."""

import ast
import json
import re

from printing.checking import is_literal
from printing.layout import bracket, lines, operands
from printing.ownership import end_of, start_of
from printing.types import CONSTANTS, FLAG, GONE, INTEGER, PYTHON, Record, Sequence

ATOM, UNARY, TERM, SUM, COMPARISON, BOTH, EITHER, CHOICE, LOWEST = 20, 14, 12, 11, 9, 4, 3, 2, 0
BINARY = {ast.Add: ("+", SUM), ast.Sub: ("-", SUM), ast.Mult: ("*", TERM), ast.Div: ("/", TERM)}
BINARY |= {ast.Mod: ("%", TERM), ast.BitAnd: ("&&", BOTH), ast.BitOr: ("||", EITHER)}
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class Printer:
    """Prints one module; `printed` returns its text."""

    width, step, comma = 120, "  ", ","
    counter, unused = "let", "_"  # how a loop declares its counter, and one without a name

    def __init__(self, program, module, words, equal):
        self.program, self.module = program, module
        self.words = words  # for None and for numbers of `math`
        self.equal = equal  # the signs for `==` and `!=`
        self.function = None  # the checked function that is being printed

    # --- values ---------------------------------------------------------------------------

    def value(self, value):
        """Return the value of a constant."""
        if isinstance(value, bool):
            return str(value).lower()
        if value is None:
            return self.words["none"]
        if isinstance(value, str):
            return json.dumps(value)
        if isinstance(value, int | float):
            return self.number(value)
        name, home = type(value).__name__, self.program.modules.get(type(value).__module__)
        if home is None or name not in home.records:
            return self.value_of_list([self.value(each) for each in list(value)])
        pairs = [
            (field, self.value(getattr(value, field)))
            for field, kind in self.program.field_types(Record(home.name, name)).items()
            if kind not in GONE
        ]
        return self.value_of_record(home, name, pairs)

    def on_constant(self, node):
        return self.value(node.value), ATOM

    def on_attribute(self, node):
        if ast.unparse(node) in ("math.inf", "math.nan", "math.pi"):
            return self.words[node.attr], ATOM
        found = self.function.entity(node)
        if found:
            return self.reference(*found), ATOM
        if self.kind(node.value) == CONSTANTS:
            home, name = self.constants_name()
            return f"{self.reference(home, name)}.{self.name(node.attr)}", ATOM
        return f"{self.text(node.value, ATOM)}.{self.name(node.attr)}", ATOM

    # --- expressions ----------------------------------------------------------------------

    def text(self, node, least=LOWEST):
        """Return an expression, in parentheses if it binds less than `least`."""
        text, binds = getattr(self, "on_" + type(node).__name__.lower())(node)
        return f"({text})" if binds < least else text

    def kind(self, node):
        return self.function.of(node)

    def is_gone(self, node):
        """Return whether an expression has no counterpart in the target."""
        return self.kind(node) in GONE

    def on_name(self, node):
        found = self.function.entity(node)
        if found:
            return self.reference(*found), ATOM
        return self.local(node.id), ATOM

    def on_binop(self, node):
        if isinstance(node.op, ast.Pow):
            value = ast.literal_eval(node.left) ** ast.literal_eval(node.right)
            return self.number(float(value)), ATOM
        if isinstance(node.op, ast.FloorDiv):
            return self.floor(self.text(node.left, TERM), self.text(node.right, TERM + 1))
        if isinstance(self.kind(node.left), Sequence):
            return self.repeated(node.left, node.right)
        if isinstance(node.op, ast.Mod):  # Python's has the sign of the right
            left, right = self.text(node.left, TERM), self.text(node.right, TERM + 1)
            return f"({left} % {right} + {right}) % {right}", TERM
        sign, binds = BINARY[type(node.op)]
        if isinstance(node.op, ast.BitAnd | ast.BitOr):
            parts = [self.text(each, BOTH + 1) for each in _chain(node, type(node.op))]
            return operands([parts[0], *(f"{sign} {part}" for part in parts[1:])]), binds
        left, right = self.text(node.left, binds), self.text(node.right, binds + 1)
        return operands([left, f"{sign} {right}"]), binds

    def on_unaryop(self, node):
        sign = "-" if isinstance(node.op, ast.USub) else "!"
        if sign == "!" and isinstance(self.kind_of_condition(node.operand), Sequence):
            return self.is_empty(node.operand), COMPARISON
        if sign == "!" and self._is_none(node.operand):  # not `!!flag`
            [flag] = node.operand.args
            return getattr(self, "on_" + type(flag).__name__.lower())(flag)
        if sign == "!":
            return sign + self.condition(node.operand, UNARY), UNARY
        if self.kind(node.operand) == INTEGER and not is_literal(node.operand):
            return f"0 - {self.text(node.operand, SUM + 1)}", SUM  # no -0
        return sign + self.text(node.operand, UNARY + 1), UNARY

    def _is_none(self, node):
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "none"
            and self.kind(node.func.value) == PYTHON
        )

    def kind_of_condition(self, node):
        return FLAG if isinstance(node, ast.UnaryOp) else self.kind(node)

    def condition(self, node, least=LOWEST):
        """Return a condition; a sequence is true if it has items."""
        if isinstance(self.kind_of_condition(node), Sequence):
            text = self.has_items(node)
            return f"({text})" if least > COMPARISON else text
        return self.text(node, least)

    def on_boolop(self, node):
        sign, binds = ("&&", BOTH) if isinstance(node.op, ast.And) else ("||", EITHER)
        parts = [self.condition(each, BOTH + 1) for each in node.values]
        return operands([parts[0], *(f"{sign} {part}" for part in parts[1:])]), binds

    def on_compare(self, node):
        parts, left = [], node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.Is | ast.IsNot):
                sign = self.equal["==" if isinstance(op, ast.Is) else "!="]
            else:
                sign = self.equal.get(COMPARE[type(op)], COMPARE[type(op)])
            parts.append(f"{self.text(left, COMPARISON + 1)} {sign} {self.text(right, SUM)}")
            left = right
        if len(parts) == 1:
            return parts[0], COMPARISON
        return operands([parts[0], *(f"&& {part}" for part in parts[1:])]), BOTH

    def on_ifexp(self, node):
        if self.function._is_absent(node.test):
            return getattr(self, "on_" + type(node.orelse).__name__.lower())(node.orelse)
        return self.choice(self.condition(node.test, CHOICE + 1), node.body, node.orelse)

    def choice(self, test, one, other):
        if ast.dump(one) == ast.dump(other):
            return self.text(one, UNARY), UNARY
        first, second = self.text(one, CHOICE + 1), self.text(other, CHOICE)
        return operands([test, f"? {first}", f": {second}"]), CHOICE

    def on_call(self, node):
        func = node.func
        if isinstance(func, ast.Attribute):
            base = None if self.function.entity(func) or self._is_math(func) else func.value
            if base is not None:
                return self.method(node, base, func.attr)
        found = self.function.entity(func)
        if found:
            home, name = found
            if name in home.records:
                return self.record(home, name, node), ATOM
            return bracket(self.reference(home, name) + "(", self.arguments(node, found), ")"), ATOM
        if isinstance(func, ast.Name) and func.id in self.function.names:
            given = [self.text(each, 1) for each in node.args if not self.is_gone(each)]
            return bracket(self.local(func.id) + "(", given, ")"), ATOM
        return self.library(ast.unparse(func), node)

    def _is_math(self, func):
        return ast.unparse(func.value) == "math"

    def method(self, node, base, name):
        kind = self.kind(base)
        if kind == PYTHON:
            return self.of_arrays(node, name)
        if kind == CONSTANTS:
            return getattr(self, "on_" + type(node.args[0]).__name__.lower())(node.args[0])
        if name == "_replace":
            return self.replaced(kind, base, node.keywords), ATOM
        return self.appended(base, node.args[0]), ATOM

    def of_arrays(self, node, name):
        if name == "where":
            return self.choice(self.text(node.args[0], CHOICE + 1), *node.args[1:])
        if name == "sqrt":
            return self.square_root(node.args[0]), ATOM
        if name == "none":
            return "!" + self.text(node.args[0], UNARY), UNARY
        return getattr(self, "on_" + type(node.args[0]).__name__.lower())(node.args[0])

    def arguments(self, node, found):
        """Return the arguments of a call of a printed function by position."""
        home, name = found
        parameters = self.program.parameters(home.name, name)
        given = dict(zip(parameters, node.args, strict=False))
        given |= {each.arg: each.value for each in node.keywords}
        texts = []
        wanted = [each for each, kind in parameters.items() if kind not in GONE]
        last = max((i for i, each in enumerate(wanted) if each in given), default=-1)
        for each in wanted[: last + 1]:
            if each not in given:
                self.function.fail(node, f"{each} is left out before an argument that is given")
            texts.append(self.argument(given[each], parameters[each]))
        return texts

    def argument(self, node, kind):
        """Return an argument of a function."""
        return self.text(node, 1)

    owned = argument  # and what is stored in a list or record

    def fields(self, record, given):
        """Return names and texts of all fields of a record; `given` are nodes by name."""
        home = self.program.modules[record.module]
        found = []
        for name, kind in self.program.field_types(record).items():
            if kind in GONE:
                continue
            if name in given:
                found.append((name, self.owned(given[name], kind)))
            else:
                default = home.records[record.name].fields[name].default
                found.append((name, self.value_of_default(default, kind)))
        return found

    def value_of_default(self, node, kind):
        """Return what a field is that is not given: a constant or a record made of such."""
        if isinstance(node, ast.Call):
            home = self.program.modules[kind.module]
            return self.value_of_record(home, kind.name, self.fields(kind, {}))
        return self.value(ast.literal_eval(node))

    def given(self, home, name, node):
        """Return what a call gives for the fields of a record."""
        fields = list(home.records[name].fields)
        given = dict(zip(fields, node.args, strict=False))
        return given | {each.arg: each.value for each in node.keywords}

    # --- statements -----------------------------------------------------------------------

    def block(self, nodes, last):
        """Return statements as (depth, text) pairs; `last` is the line that ends before them."""
        found = []
        for i, node in enumerate(nodes):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                last = node.end_lineno
                continue
            opens = isinstance(node, ast.For | ast.While | ast.If)
            end = node.lineno if opens else node.end_lineno
            above = [self.module.above.get(line) for line in range(last + 1, end + 1)]
            found += [(0, f"// {comment}") for comment in above if comment is not None]
            try:
                found += self.declared_before(nodes, i)
                made = self.statement(node)
            except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
                raise self.module.unprintable(node, "outside the subset") from error
            beside = self.module.beside.get(node.lineno if opens else node.end_lineno)
            if beside and made:
                at = 0 if opens else -1
                made[at] = (made[at][0], f"{made[at][1]} // {beside}")
            found += made
            last = node.end_lineno
        return found

    def statement(self, node):
        match node:
            case ast.Assign(targets=[target], value=value):
                return [(0, text) for text in self.assigned(target, value)]
            case ast.AnnAssign(target=target, value=value):
                return [(0, text) for text in self.assigned(target, value)]
            case ast.AugAssign():
                return [(0, self.augmented(node))]
            case ast.Return(value=value):
                return [(0, self.returned(value))]
            case ast.If():
                return self.conditional(node, "if")
            case ast.While():
                inside = self.inside_loop(node.body, node.lineno)
                return [(0, f"while ({self.condition(node.test)}) {{"), *inside, (0, "}")]
            case ast.For():
                head, first = self.loop(node)
                inside = self.inside_loop(node.body, node.lineno)
                return [(0, head), *((1, each) for each in first), *inside, (0, "}")]
            case ast.Break():
                return [(0, "break;")]
            case ast.Continue():
                return [(0, "continue;")]
            case ast.Expr(value=ast.Call() as call):
                return [(0, f"{self.text(call)};")]
        return []

    loops = 0  # how many loops are around the statement that is printed

    def counted(self, name, given, items):
        """Return the head of a loop over a range of one to three bounds."""
        own = self.unused if name == "_" else self.local(name)
        low, high, step = [["0", *given, "1"], [*given, "1"], given][len(given) - 1]
        if step not in ("1", "-1"):
            self.function.fail(items, "a loop counts by one")
        sign, go = ("<", "++") if step == "1" else (">", "--")
        return f"for ({self.counter} {own} = {low}; {own} {sign} {high}; {own}{go}) {{"

    def inside_loop(self, nodes, last):
        self.loops += 1
        found = self.inside(nodes, last)
        self.loops -= 1
        return found

    def inside(self, nodes, last):
        return [(depth + 1, text) for depth, text in self.block(nodes, last)]

    def conditional(self, node, word):
        test = self.condition(node.test)
        body = self.inside(node.body, node.lineno)
        leaves = isinstance(node.body[0], ast.Return | ast.Break | ast.Continue)
        short = leaves and len(body) == 1 and len(f"{test}{body[0][1]}") < self.width - 20
        if word == "if" and not node.orelse and short:
            return [(0, f"if ({test}) {body[0][1]}")]
        found = [(0, f"{word} ({test}) {{"), *body]
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            first = self.declared_before(node.orelse, 0)
            if not first:
                return found + self.conditional(node.orelse[0], "} else if")
            nested = [(depth + 1, text) for depth, text in first]
            nested += [(depth + 1, text) for depth, text in self.conditional(node.orelse[0], "if")]
            return [*found, (0, "} else {"), *nested, (0, "}")]
        if node.orelse:
            found += [(0, "} else {"), *self.inside(node.orelse, node.body[-1].end_lineno)]
        return [*found, (0, "}")]

    # --- functions ------------------------------------------------------------------------

    def start(self, node):
        """Begin a function."""
        self.function = self.program.checked(self.module.name, node.name)
        self.ownership = self.program.effects.of(self.module.name, node.name)
        self._look_at_loops(node)
        for place, _, changing in self.ownership.effects:
            if not self.ownership.path(place)[1] <= set(self.function.names):
                self.function.fail(changing, "a constant does not change")
        self.bound = {}  # how often each name is bound
        own = {
            id(name)
            for each in ast.walk(node)
            if isinstance(each, ast.comprehension)
            for name in ast.walk(each.target)
        }
        for each in ast.walk(node):
            if (
                isinstance(each, ast.Name)
                and isinstance(each.ctx, ast.Store)
                and id(each) not in own
            ):
                self.bound[each.id] = self.bound.get(each.id, 0) + 1
        for each in ast.walk(node):
            if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
                grows = isinstance(self.function.names[each.target.id], Sequence)
                self.bound[each.target.id] -= grows  # growing a list does not bind its name
        for name in self.function.parameters:
            self.bound[name] = self.bound.get(name, 0) + 1
        self.declared = set(self.function.parameters)
        self.homes = {}  # for each name, the path to the innermost block with all of its uses
        self._find_homes(node.body, ())

    def _look_at_loops(self, node):
        """Refuse what changes while a loop goes on: the targets ask again, and Python does not."""
        own = self.ownership
        for loop in ast.walk(node):
            if not isinstance(loop, ast.For):
                continue
            for each in ast.walk(loop.iter):
                if not isinstance(each, ast.Name | ast.Attribute | ast.Subscript):
                    continue
                kind = self.function.known(each)
                slots, owners = own.path(each)
                if isinstance(kind, Sequence):
                    slots = slots | {("length", kind)}
                if slots & own.dangers(owners, start_of(loop.body[0]), end_of(loop)):
                    shown = ast.unparse(each)
                    self.function.fail(loop, f"{shown}, which the loop goes through, changes in it")

    def _find_homes(self, block, path):
        for i, node in enumerate(block):
            here = (*path, (id(block), i))
            inner = [name for name in ("body", "orelse") if getattr(node, name, None)]
            for name, part in ast.iter_fields(node):
                if name in inner:
                    continue
                for each in (
                    [part] if isinstance(part, ast.AST) else part if isinstance(part, list) else []
                ):
                    inside = isinstance(node, ast.For) and name == "target"
                    at = (*here, (id(node.body), -1)) if inside else here
                    for used in _used(each):
                        self._use(used, at)
            for name in inner:
                if isinstance(node, ast.If | ast.For | ast.While):
                    self._find_homes(getattr(node, name), here)

    def _use(self, name, path):
        old = self.homes.get(name)
        if old is None:
            self.homes[name] = path
            return
        same = 0
        while same < min(len(old), len(path)) and old[same][0] == path[same][0]:
            same += 1
            if old[same - 1][1] != path[same - 1][1]:
                break
        self.homes[name] = old[:same]

    def declared_before(self, block, i):
        """Return declarations of names that a statement binds inside and that are used after it."""
        node, found = block[i], []
        if not isinstance(node, ast.If | ast.For | ast.While):
            return []
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                home = self.homes.get(each.id)
                here = home and home[-1][0] == id(block) and each.id not in self.declared
                known = each.id in self.function.names and each.id not in self.function.counters
                if here and known and each.id not in found:
                    found.append(each.id)
        self.declared |= set(found)
        for name in found:
            if self.loops and not _binds(node, name):
                self.function.fail(node, f"{name} keeps what an earlier pass of the loop gave it")
        return [(0, self.declaration(name)) for name in found]

    def laid_out(self, pairs, depth=0):
        """Return the lines of statements."""
        found = []
        for inner, text in pairs:
            indent = self.step * (depth + inner)
            if text.startswith("//"):
                found.append(indent + text)
            else:
                code, beside, comment = text.partition(" // ")
                made = lines(code, indent, self.width, self.step, self.comma)
                made[-1] += beside + comment
                found += made
        return found

    def documentation(self, node):
        """Return a docstring with the names of the target."""
        text = ast.get_docstring(node) or ""
        return re.sub(r"`([\w.]+)`", lambda found: f"`{self.shown(found[1])}`", text)

    def shown(self, name):
        """Return a name of the documentation as the target has it."""
        return self.name(name)

    def look_for_clashes(self):
        """Refuse names that would be one in the target."""
        used = {each.id for each in ast.walk(self.function.node) if isinstance(each, ast.Name)}
        used |= set(self.function.names)
        found = {}
        for name in sorted(used):
            if name != "_" and found.setdefault(self.name(name), name) != name:
                self.function.fail(
                    self.function.node, f"{name} and {found[self.name(name)]} would be one name"
                )

    def names_in(self, target):
        return [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]

    def one_by_one(self, target, value):
        """Return assignments in turn, if none changes what a later one reads."""
        if any(isinstance(each, ast.Starred) for each in (*target.elts, *value.elts)):
            return None
        pairs = list(zip(target.elts, value.elts, strict=True))
        for i, (one, _) in enumerate(pairs):
            if any(set(self.names_in(one)) & reads(later) for _, later in pairs[i + 1 :]):
                return None
        return [text for one, each in pairs for text in self.assigned(one, each)]

    def printed_parts(self):
        """Return the lines of the docstring, the module's path, and nodes with their lines."""
        groups, last, above = [], 0, self.module.above
        for node in self.module.tree.body:
            comments = [above[line] for line in range(last + 1, node.lineno) if line in above]
            last = node.end_lineno
            found = self._printed_statement(node)
            rulers = [each for each in comments if each.startswith("---")]
            body = [part for each in rulers for part in (f"// {each}", "")]
            if found:
                body += [f"// {each}" for each in comments if each not in rulers]
            groups.append((node, body + found))
        told = (ast.get_docstring(self.module.tree) or "").splitlines()
        return told, self.module.name.replace(".", "/").removeprefix("twobone/") + ".py", groups

    def _printed_statement(self, node):
        name = getattr(node, "name", None)
        if isinstance(node, ast.FunctionDef) and name in self.module.functions:
            return self.printed_function(node)
        if isinstance(node, ast.ClassDef) and name in self.module.records:
            return self.printed_record(name)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node in self.module.constants.values():
            return self.printed_constant(node)
        return []

    def constants_name(self):
        """Return module and name of the constants."""
        where, name = self.program.constants
        return self.program.modules[where], name


def _binds(node, name):
    """Return whether a statement binds a name whatever happens in it."""
    if isinstance(node, ast.If):
        ways = node.body, node.orelse
        return all(any(_binds(each, name) for each in way) for way in ways)
    if isinstance(node, ast.For | ast.While):
        return False
    return any(
        isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id == name
        for each in ast.walk(node)
    )


def reads(node):
    """Return the names that an expression reads."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _chain(node, kind):
    """Yield the operands of one operator repeated."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, kind):
        yield from _chain(node.left, kind)
        yield node.right
    else:
        yield node


def _used(node):
    """Yield the names that a node uses, but for those of comprehensions."""
    own = {
        name.id
        for each in ast.walk(node)
        if isinstance(each, ast.comprehension)
        for name in ast.walk(each.target)
        if isinstance(name, ast.Name)
    }
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id not in own:
            yield each.id
