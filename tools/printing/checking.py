"""Infer the type of every expression of a function, and refuse what is outside the subset."""

import ast

from printing.ownership import is_changing
from printing.types import (
    CONSTANTS,
    FLAG,
    INTEGER,
    NOTHING,
    NUMBER,
    PYTHON,
    TEXT,
    Function,
    Optional,
    Record,
    Sequence,
    Tuple,
    annotated,
    described,
    fits,
    joined,
)

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
# Functions of `math` and of Python that the targets have: parameters, and result.
LIBRARY = {
    "math.sqrt": ((NUMBER,), NUMBER),
    "math.floor": ((NUMBER,), INTEGER),
    "math.ceil": ((NUMBER,), INTEGER),
    "math.isnan": ((NUMBER,), FLAG),
    "math.isfinite": ((NUMBER,), FLAG),
    "math.copysign": ((NUMBER, NUMBER), NUMBER),
    "abs": ((NUMBER,), NUMBER),
    "min": ((NUMBER, NUMBER), NUMBER),
    "max": ((NUMBER, NUMBER), NUMBER),
    "float": ((NUMBER,), NUMBER),
    "int": ((NUMBER,), INTEGER),
}
NUMBERS = {"math.inf": NUMBER, "math.nan": NUMBER, "math.pi": NUMBER}
SIMPLE = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript)


class Checked:
    """A function whose expressions have types: `of(node)`."""

    def __init__(self, program, module, node):
        self.program, self.module, self.node = program, module, node
        self.parameters, self.result = program.signature(module.name, node.name)
        self.names = dict(self.parameters)  # of the function, by name
        self.counters = set()  # names that loops bind
        self._types = {}
        self._present = set()  # optional names that are not None where we are
        self._opened = set()  # uses of such names
        self._block(node.body)
        self._look_for_shadows()
        self._look_for_counters(node, frozenset())

    def of(self, node):
        """Return the type of an expression."""
        return self._types[id(node)]

    def is_opened(self, node):
        """Return whether a name is an optional value that is not None there."""
        return id(node) in self._opened

    def known(self, node):
        """Return the type of an expression that was looked at, or None."""
        kind = self._types.get(id(node))
        return self.names.get(node.id) if kind is None and isinstance(node, ast.Name) else kind

    def fail(self, node, why):
        raise self.module.unprintable(node, why)

    def entity(self, node):
        """Return the printed module and the name of what a name of that module stands for."""
        if isinstance(node, ast.Name) and node.id in self.names:
            return None
        if isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Name):
            return None
        if isinstance(node, ast.Attribute) and node.value.id in self.names:
            return None
        where, name = self.module.origin(node)
        where, name = self.program.stand_ins.get(f"{where}.{name}", (where, name))
        home = self.program.modules.get(where)
        if home is not None and name and self._has(home, name):
            return home, name
        return None

    def _has(self, home, name):
        return name in home.functions or name in home.records or name in home.constants

    # --- statements -----------------------------------------------------------------------

    def _block(self, nodes):
        for node in nodes:
            self._statement(node)

    def _statement(self, node):
        match node:
            case ast.Assign(targets=[target], value=value):
                self._bind(target, self._type(value, self._known(target)))
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                wanted = annotated(node.annotation, self.module, self.program)
                self._want(value, wanted)
                self._name(node.target, name, wanted)
            case ast.AugAssign(target=target, value=value):
                self._augmented(node, target, value)
            case ast.Return(value=None):
                self._accept(node, NOTHING, self.result)
            case ast.Return(value=value):
                self._want(value, self.result)
            case ast.If(test=test, body=body, orelse=orelse):
                self._condition(test)
                kept, (here, there) = set(self._present), _presence(test)
                self._present |= here
                self._block(body)
                after_body, self._present = self._present, kept | there
                self._block(orelse)
                self._present &= kept | there
                if not _leaves(body):
                    self._present &= after_body
                elif _leaves(orelse):
                    self._present = after_body
            case ast.While(test=test, body=body, orelse=[]):
                self._present -= {name for each in body for name in _bound(each)}
                self._condition(test)
                kept = set(self._present)
                self._present |= _presence(test)[0]
                self._block(body)
                self._present = kept
            case ast.For(target=target, iter=items, body=body, orelse=[]):
                self._bind(target, self._each(items))
                self.counters |= _names(target)
                self._present -= {name for each in body for name in _bound(each)}
                kept = set(self._present)
                self._block(body)
                self._present = kept
                self._look_at_loop(node)
            case ast.Break() | ast.Continue() | ast.Pass():
                pass
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Expr(value=ast.Call() as call):
                self._type(call)
            case _:
                self.fail(node, "a statement outside the subset")

    def _known(self, target):
        """Return the type that a target has already, to which a literal must conform."""
        if isinstance(target, ast.Name):
            return self.names.get(target.id)
        if isinstance(target, ast.Attribute | ast.Subscript):
            return self._type(target)
        return None

    def _augmented(self, node, target, value):
        kind = self._type(target)
        if isinstance(kind, Sequence) and isinstance(node.op, ast.Add):
            self._want(value, kind)
            return
        if kind not in (NUMBER, INTEGER):
            self.fail(node, "only numbers and lists change in place")
        allowed = WHOLE[:3] if kind == INTEGER else ARITHMETIC
        if not isinstance(node.op, allowed):
            self.fail(node, "an operator outside the subset")
        self._want(value, kind)

    def _bind(self, target, kind):
        match target:
            case ast.Name(id=name):
                self._name(target, name, kind)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                self._unpack(target, parts, kind)
                self._types[id(target)] = kind
            case ast.Attribute() | ast.Subscript():
                if isinstance(getattr(target, "slice", None), ast.Slice):
                    self.fail(target, "a part of a list is not assigned")
                if self.entity(target.value):
                    self.fail(target, "a constant does not change")
                base = self._type(target.value)
                if isinstance(base, Record) and not base.mutable:
                    self.fail(target, f"a {base.name} does not change")
                self._accept(target, kind, self._type(target))
            case _:
                self.fail(target, "a target outside the subset")

    def _unpack(self, target, parts, kind):
        starred = [each for each in parts if isinstance(each, ast.Starred)]
        if isinstance(kind, Record):
            items = list(self.program.field_types(kind).values())
            if starred:
                self.fail(target, "a record is unpacked into all of its fields")
        elif isinstance(kind, Tuple):
            items = list(kind.items)
        elif isinstance(kind, Sequence):
            items = [kind.item] * (len(parts) - len(starred))
        else:
            self.fail(target, f"{described(kind)} cannot be unpacked")
        if starred and (len(starred) > 1 or parts[-1] is not starred[0]):
            self.fail(target, "a star stands last")
        if starred:
            rest = items[len(parts) - 1 :]
            items = items[: len(parts) - 1]
            item = kind.item if isinstance(kind, Sequence) else rest[0] if rest else None
            if item is None or any(each != item for each in rest):
                self.fail(target, "what a star takes has one type")
            self._bind(starred[0].value, Sequence(item))
            parts = parts[:-1]
        if len(items) != len(parts):
            self.fail(target, f"{len(parts)} names for {len(items)} values")
        for part, item in zip(parts, items, strict=True):
            self._bind(part, item)

    def _name(self, node, name, kind):
        if name == "_":
            return
        self._present.discard(name)
        old = self.names.setdefault(name, kind)
        if old != kind and not fits(kind, old):
            self.fail(node, f"{name} is {described(old)} and becomes {described(kind)}")
        self._types[id(node)] = old

    def _look_for_shadows(self):
        """Refuse local names of functions that are called: targets may not tell them apart."""
        for node in ast.walk(self.node):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
                if name in self.names and name in self.module.functions:
                    self.fail(node, f"{name} is a local name, too")

    def _look_for_counters(self, node, inside):
        """Refuse what a loop binds outside of such a loop: there it does not exist."""
        if isinstance(node, ast.For):
            inside |= _names(node.target)
        if isinstance(node, ast.comprehension | ast.GeneratorExp | ast.ListComp):
            return
        if isinstance(node, ast.Name) and node.id in self.counters - inside:
            self.fail(node, "a name that a loop binds, outside of the loop")
        for each in ast.iter_child_nodes(node):
            self._look_for_counters(each, inside)

    # --- expressions ----------------------------------------------------------------------

    def _want(self, node, wanted):
        self._accept(node, self._type(node, wanted), wanted)

    def _accept(self, node, found, wanted):
        if not fits(found, wanted):
            self.fail(node, f"{described(wanted)} is wanted, and this is {described(found)}")

    def _condition(self, node):
        """Check a condition: a truth value, or a sequence, which holds if it has items."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._condition(node.operand)
            self._types[id(node)] = FLAG
            return
        kind = self._type(node)
        if kind != FLAG and not isinstance(kind, Sequence):
            self.fail(node, f"a condition is a truth value, and this is {described(kind)}")

    def _look_at_loop(self, node):
        """Refuse what changes while a loop goes on: the targets ask again, and Python does not."""
        changed = {name for each in node.body for name in _bound(each)}
        if again := changed & _names(node.target):
            self.fail(node, f"the loop's own {min(again)} changes in it")
        if again := changed & _names(node.iter):
            self.fail(node, f"{min(again)}, which the loop goes through, changes in it")
        called = isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func)
        if called in ("range", "enumerate", "zip"):
            for each in ast.walk(ast.Tuple(node.iter.args)):
                if isinstance(each, ast.Call) and ast.unparse(each.func) != "len":
                    self.fail(node, "what a loop asks for again and again is no call")

    def _each(self, node, is_comprehension=False):
        """Return the type of what a loop goes through, which may be a range or zipped."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name == "range":
                if is_comprehension and len(node.args) != 1:
                    self.fail(node, "a range in a comprehension starts at 0")
                for each in node.args:
                    self._want(each, INTEGER)
                return INTEGER
            if name == "enumerate" and not is_comprehension:
                if len(node.args) != 1 or node.keywords:
                    self.fail(node, "enumerate counts from 0")
                return Tuple((INTEGER, self._item(node.args[0])))
            if name == "zip":
                if [ast.unparse(each) for each in node.keywords] != ["strict=True"]:
                    self.fail(node, "what is zipped has one length: strict=True")
                return Tuple(tuple(self._item(each) for each in node.args))
        return self._item(node)

    def _item(self, node):
        """Return the type of the items of a sequence."""
        kind = self._type(node)
        if isinstance(kind, Tuple) and len(set(kind.items)) == 1:
            return kind.items[0]
        if not isinstance(kind, Sequence):
            self.fail(node, f"{described(kind)} is no sequence")
        return kind.item

    def _type(self, node, wanted=None):
        method = getattr(self, "_on_" + type(node).__name__.lower(), None)
        if method is None:
            self.fail(node, "an expression outside the subset")
        kind = method(node, wanted)
        self._types[id(node)] = kind
        return kind

    def _on_constant(self, node, wanted):
        kinds = {bool: FLAG, int: INTEGER, float: NUMBER, str: TEXT, type(None): NOTHING}
        if type(node.value) not in kinds:
            self.fail(node, "a constant outside the subset")
        return kinds[type(node.value)]

    def _on_name(self, node, wanted):
        if node.id in self.names:
            kind = self.names[node.id]
            if isinstance(kind, Optional) and node.id in self._present:
                self._opened.add(id(node))
                return kind.value
            return kind
        found = self.entity(node)
        if found:
            return self._of_entity(node, *found)
        return self.fail(node, "a name that is not known here")

    def _of_entity(self, node, home, name):
        if name in home.functions:
            parameters, result = self.program.signature(home.name, name)
            return Function(tuple(parameters.values()), result)
        if name in home.constants:
            value = getattr(home.live, name)
            kind = type_of_value(value, self.program)
            if kind is None:
                self.fail(node, "a constant of a type outside the subset")
            return kind
        return self.fail(node, "a record is no value")

    def _on_attribute(self, node, wanted):
        text = ast.unparse(node)
        if text in NUMBERS and "math" not in self.names:
            return NUMBERS[text]
        found = self.entity(node)
        if found:
            return self._of_entity(node, *found)
        base = self._type(node.value)
        if base == CONSTANTS:
            return self._constant(node)
        if isinstance(base, Record):
            fields = self.program.field_types(base)
            if node.attr in fields:
                return fields[node.attr]
        return self.fail(node, f"{described(base)} has no {node.attr}")

    def _constant(self, node):
        """Return the type of a field of the constants."""
        where, name = self.program.constants
        record = type(getattr(self.program.modules[where].live, name)).__name__
        return self.program.field_types(Record(where, record)).get(node.attr, PYTHON)

    def _on_subscript(self, node, wanted):
        base = self._type(node.value)
        if isinstance(node.slice, ast.Slice):
            for part in (node.slice.lower, node.slice.upper):
                if part is not None:
                    self._want(part, INTEGER)
                    if isinstance(part, ast.UnaryOp):
                        self.fail(node, "parts of sequences are counted from their start")
            if node.slice.step or not isinstance(base, Sequence):
                self.fail(node, "parts of sequences have a start and an end")
            return base
        if isinstance(node.slice, ast.UnaryOp) and not is_literal(node.slice):
            self.fail(node, "only constants count from the end")
        if isinstance(base, Tuple) and isinstance(node.slice, ast.Constant):
            self._want(node.slice, INTEGER)
            return base.items[node.slice.value]
        self._want(node.slice, INTEGER)
        if isinstance(base, Sequence):
            return base.item
        if isinstance(base, Tuple) and len(set(base.items)) == 1:
            return base.items[0]
        return self.fail(node, f"{described(base)} has no items")

    def _on_tuple(self, node, wanted):
        if isinstance(wanted, Optional):
            wanted = wanted.value
        if any(isinstance(each, ast.Starred) for each in node.elts):
            first = node.elts[0]
            starred = isinstance(first, ast.Starred)
            wanted = wanted or Sequence(self._item(first.value) if starred else self._type(first))
        if isinstance(wanted, Sequence):
            for each in node.elts:
                if isinstance(each, ast.Starred):
                    self._want(each.value, wanted)
                else:
                    self._want(each, wanted.item)
            return wanted
        items = wanted.items if isinstance(wanted, Tuple) else ()
        if isinstance(wanted, Tuple) and len(items) != len(node.elts):
            self.fail(node, f"{described(wanted)} is wanted")
        kinds = [self._type(each, items[i] if items else None) for i, each in enumerate(node.elts)]
        return wanted if isinstance(wanted, Tuple) else Tuple(tuple(kinds))

    def _on_list(self, node, wanted):
        if isinstance(wanted, Sequence) or any(isinstance(e, ast.Starred) for e in node.elts):
            return self._on_tuple(node, wanted)
        kinds = [self._type(each) for each in node.elts]
        if not kinds or any(each != kinds[0] for each in kinds):
            self.fail(node, "a list has items of one type; say which, if it is empty")
        return Sequence(kinds[0], True)

    def _on_unaryop(self, node, wanted):
        if isinstance(node.op, ast.Not):
            self._condition(node)
            return FLAG
        kind = self._type(node.operand)
        if isinstance(node.op, ast.USub) and kind in (NUMBER, INTEGER):
            return kind
        if isinstance(node.op, ast.Invert) and kind == FLAG:
            return FLAG
        return self.fail(node, f"an operator that {described(kind)} does not have")

    def _on_binop(self, node, wanted):
        if isinstance(node.op, ast.Pow):
            if not (isinstance(node.left, ast.Constant) and is_literal(node.right)):
                self.fail(node, "powers are of constants")
            return NUMBER
        left, right = self._type(node.left), self._type(node.right)
        if isinstance(node.op, ast.BitAnd | ast.BitOr) and left == right == FLAG:
            return FLAG
        if left == right == INTEGER and isinstance(node.op, WHOLE):
            if isinstance(node.op, ast.Mod) and not isinstance(node.right, SIMPLE):
                self.fail(node, "what a number is taken modulo needs a name")
            return INTEGER
        if isinstance(node.op, ast.Mult) and isinstance(left, Sequence) and right == INTEGER:
            one = isinstance(node.left, ast.List) and len(node.left.elts) == 1
            if not one or isinstance(left.item, Sequence | Record):
                self.fail(node, "a list of one number is repeated")
            return left  # [0.0] * n
        if {left, right} <= {NUMBER, INTEGER} and isinstance(node.op, ARITHMETIC):
            return NUMBER
        return self.fail(node, f"an operator between {described(left)} and {described(right)}")

    def _on_boolop(self, node, wanted):
        kept = set(self._present)
        for each in node.values:
            self._condition(each)
            here, there = _presence(each)
            self._present |= here if isinstance(node.op, ast.And) else there
        self._present = kept
        return FLAG

    def _on_compare(self, node, wanted):
        kinds = [self._type(each) for each in (node.left, *node.comparators)]
        for each in node.comparators[:-1]:
            if not isinstance(each, SIMPLE):
                self.fail(node, "what is compared twice needs a name")
        for op, left, right in zip(node.ops, kinds, kinds[1:], strict=False):
            if isinstance(op, ast.Is | ast.IsNot):
                if right != NOTHING or not isinstance(left, Optional):
                    self.fail(node, "`is` compares an optional value with None")
            elif isinstance(op, ast.In | ast.NotIn):
                self.fail(node, "an operator outside the subset")
            elif joined(left, right) not in (NUMBER, INTEGER, TEXT, FLAG):
                self.fail(node, f"{described(left)} is compared with {described(right)}")
        return FLAG

    def _on_ifexp(self, node, wanted):
        if self._is_absent(node.test):
            return self._type(node.orelse, wanted)
        self._condition(node.test)
        kept, (here, there) = set(self._present), _presence(node.test)
        self._present = kept | here
        one = self._type(node.body, wanted)
        self._present = kept | there
        other = self._type(node.orelse, wanted)
        self._present = kept
        return self._joined(node, one, other)

    def _is_absent(self, node):
        """Return whether a condition is a field of the constants that only Python has."""
        return (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and self.names.get(node.value.id) == CONSTANTS
            and self._constant(node) == PYTHON
        )

    def _either(self, node, one, other, wanted):
        return self._joined(node, self._type(one, wanted), self._type(other, wanted))

    def _joined(self, node, one, other):
        kind = joined(one, other)
        if kind is None:
            self.fail(node, f"either {described(one)} or {described(other)}")
        return kind

    def _on_generatorexp(self, node, wanted):
        [generator] = node.generators if len(node.generators) == 1 else [None]
        if generator is None or generator.ifs or generator.is_async:
            self.fail(node, "a comprehension has one `for` and no `if`")
        kept = dict(self.names)
        targets = [each.id for each in ast.walk(generator.target) if isinstance(each, ast.Name)]
        for name in targets:
            self.names.pop(name, None)
        self._bind(generator.target, self._each(generator.iter, True))
        kind = self._type(node.elt, wanted.item if isinstance(wanted, Sequence) else None)
        self.names = kept
        return Sequence(kind, isinstance(node, ast.ListComp))

    _on_listcomp = _on_generatorexp

    # --- calls ----------------------------------------------------------------------------

    def _on_call(self, node, wanted):
        func = node.func
        if isinstance(func, ast.Attribute):
            found = self._method(node, func, wanted)
            if found is not None:
                return found
        name = ast.unparse(func)
        entity = self.entity(func)
        if entity:
            return self._call(node, *entity)
        if isinstance(func, ast.Name) and func.id in self.names:
            return self._call_argument(node, self.names[func.id])
        if name in ("tuple", "list") and len(node.args) == 1:
            self._type(node.args[0], wanted)
            return Sequence(self._item(node.args[0]), name == "list")
        if name in ("all", "any") and isinstance(node.args[0], ast.GeneratorExp):
            self._want(node.args[0], Sequence(FLAG))
            return FLAG
        if name == "len" and len(node.args) == 1:
            self._item(node.args[0])
            return INTEGER
        if name in LIBRARY:
            parameters, result = LIBRARY[name]
            if len(node.args) != len(parameters) or node.keywords:
                self.fail(node, f"{name} takes {len(parameters)} arguments here")
            for each in node.args:
                self._want(each, NUMBER)
            names = ("min", "max", "math.copysign")
            if name in names and not all(isinstance(a, SIMPLE) for a in node.args):
                self.fail(node, f"what {name} takes needs a name")
            if name in ("min", "max", "abs") and all(self.of(a) == INTEGER for a in node.args):
                return INTEGER
            return result
        return self.fail(node, "a function that is not known here")

    def _method(self, node, func, wanted):
        """Return the type of a call of a method, or None if it is none."""
        if self.entity(func) or ast.unparse(func.value) == "math":
            return None
        base = self._type(func.value)
        if base == PYTHON:
            return self._of_arrays(node, func.attr, wanted)
        if base == CONSTANTS and func.attr in ("pin", "constant"):
            return self._type(node.args[0], wanted)
        if isinstance(base, Record) and func.attr == "_replace" and not node.args:
            fields = self.program.field_types(base)
            for each in node.keywords:
                if each.arg not in fields:
                    self.fail(node, f"{base.name} has no {each.arg}")
                self._want(each.value, fields[each.arg])
            return base
        if isinstance(base, Sequence) and func.attr == "append" and len(node.args) == 1:
            self._want(node.args[0], base.item)
            return NOTHING
        return self.fail(node, f"{described(base)} has no method {func.attr} here")

    def _of_arrays(self, node, name, wanted):
        """Return the type of a call of a function of the library of arrays."""
        if name == "where" and len(node.args) == 3:
            self._want(node.args[0], FLAG)
            return self._either(node, *node.args[1:], wanted)
        if name == "sqrt" and len(node.args) == 1:
            self._want(node.args[0], NUMBER)
            return NUMBER
        if name == "constant" and len(node.args) == 1:
            return self._type(node.args[0], wanted)
        if name == "none" and len(node.args) == 1:
            self._want(node.args[0], FLAG)
            return FLAG
        return self.fail(node, "a function of arrays that the targets do not have")

    def _call(self, node, home, name):
        if name in home.records:
            record = Record(home.name, name, home.records[name].mutable)
            self._arguments(node, self.program.field_types(record), home.records[name].fields)
            return record
        if name not in home.functions:
            self.fail(node, "a constant is no function")
        parameters = self.program.parameters(home.name, name)
        result = self.program.signature(home.name, name)[1]
        defaults = home.functions[name].args.defaults
        optional = list(parameters)[len(parameters) - len(defaults) :]
        self._arguments(node, parameters, dict.fromkeys(optional))
        return result

    def _call_argument(self, node, kind):
        if not isinstance(kind, Function):
            self.fail(node, f"{described(kind)} is no function")
        if any(is_changing(each, self.program) for each in (*kind.parameters, kind.result)):
            self.fail(node, "function values take and return what does not change")
        self._arguments(node, dict(enumerate(kind.parameters)), {})
        return kind.result

    def _arguments(self, node, parameters, optional):
        """Check arguments; a record's optional fields are those with a default."""
        given, names = set(), list(parameters)
        if len(node.args) > len(names):
            self.fail(node, f"{len(names)} arguments are wanted")
        for name, value in zip(names, node.args, strict=False):
            if isinstance(value, ast.Starred):
                self.fail(node, "arguments are given one by one")
            self._want(value, parameters[name])
            given.add(name)
        for each in node.keywords:
            if each.arg not in parameters or each.arg in given:
                self.fail(node, f"no parameter {each.arg}, or given twice")
            self._want(each.value, parameters[each.arg])
            given.add(each.arg)
        for name in names:
            default = optional.get(name, False)
            has_default = name in optional and (default is None or default.default is not None)
            if name not in given and not has_default:
                self.fail(node, f"{name} is not given")

    def _on_starred(self, node, wanted):
        return self.fail(node, "a star outside of a list")


def _names(target):
    """Return the names that a target binds."""
    return {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}


def _presence(test):
    """Return the names that are not None if a condition holds, and if it does not."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=None)]):
            if isinstance(op, ast.IsNot):
                return {name}, set()
            return (set(), {name}) if isinstance(op, ast.Is) else (set(), set())
        case ast.UnaryOp(op=ast.Not(), operand=each):
            return _presence(each)[::-1]
        case ast.BoolOp(op=op, values=values):
            at = 0 if isinstance(op, ast.And) else 1
            found = set().union(*(_presence(each)[at] for each in values))
            return (found, set()) if at == 0 else (set(), found)
    return set(), set()


def _leaves(block):
    """Return whether what follows a block is not reached from it."""
    return bool(block) and isinstance(block[-1], ast.Return | ast.Break | ast.Continue)


def _bound(node):
    """Yield the names that a statement binds."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id


def is_literal(node):
    """Return whether an expression is a number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return is_literal(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def type_of_value(value, program):
    """Return the type of the value of a constant, or None if it is outside the subset."""
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, float):
        return NUMBER
    if isinstance(value, int):
        return INTEGER
    if isinstance(value, str):
        return TEXT
    name = f"{type(value).__module__}.{type(value).__name__}"
    if name in program.scalars:
        return program.scalars[name]
    home = program.modules.get(type(value).__module__)
    if home is not None and type(value).__name__ in home.records:
        return Record(home.name, type(value).__name__, home.records[type(value).__name__].mutable)
    if isinstance(value, tuple | list) or hasattr(value, "tolist"):
        kinds = [type_of_value(each, program) for each in list(value)]
        if kinds and None not in kinds:
            item = kinds[0]
            for each in kinds[1:]:
                item = item and joined(item, each)
            return Sequence(item) if item else Tuple(tuple(kinds))
    return None
