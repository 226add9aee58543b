"""Print C++17: a header for each module, with its names; `py.hpp` has what Python has.

Sequences are vectors, tuples of one type arrays, records structs, function values template
parameters. A struct has `visit`, which calls a function with the name and the value of each field.
Records and lists that change stay with their owner (`ownership.py`), and a second name is a
reference. Records come first, then constants and the declarations of all functions, so that their
order is free. Numbers are double: compile without contraction, so that no product and sum become
one operation.
"""

import ast
import math
import posixpath

from printing.checking import is_literal, type_of_value
from printing.layout import bracket, lines, operands
from printing.ownership import end_of, is_changing, is_place, parts_of, start_of
from printing.printing import ATOM, CHOICE, COMPARISON, UNARY, Printer
from printing.types import (
    CONSTANTS,
    FLAG,
    GONE,
    INTEGER,
    NOTHING,
    NUMBER,
    TEXT,
    Function,
    Optional,
    Record,
    Sequence,
    Tuple,
    described,
)

RESERVED = {
    "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "class", "compl", "const", "continue", "default", "delete", "do", "double", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
    "int", "long", "mutable", "namespace", "new", "not", "not_eq", "operator", "or", "or_eq",
    "private", "protected", "public", "register", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef",
    "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "while", "xor",
    "xor_eq", "alignas", "alignof", "char16_t", "char32_t", "char8_t", "co_await", "co_return",
    "co_yield", "concept", "const_cast", "constexpr", "consteval", "constinit", "decltype",
    "dynamic_cast", "noexcept", "nullptr", "reinterpret_cast", "requires", "static_assert",
    "static_cast", "thread_local", "typeid", "wchar_t",
    "py", "std", "unix", "linux",  # of py.hpp, the library, and GNU's dialect
    "BUFSIZ", "EOF", "FP_NAN", "FP_ZERO", "HUGE_VAL", "INFINITY", "M_E", "M_PI", "NAN", "NULL",
    "RAND_MAX", "EDOM", "ERANGE", "HUGE", "DOMAIN", "SING", "OVERFLOW", "UNDERFLOW", "PLOSS",
    "TLOSS",  # macros
}  # fmt: skip
WORDS_OF_VALUES = {
    "none": "std::nullopt",
    "inf": "py::infinity",
    "nan": "py::nan",
    "pi": repr(math.pi),
}
WORDS = {NUMBER: "double", INTEGER: "py::Int", FLAG: "bool", TEXT: "std::string", NOTHING: "void"}
SCALARS = (NUMBER, INTEGER, FLAG)


class Cpp(Printer):
    """Prints one module in a namespace of its name inside of another."""

    comma = ""
    counter, unused = "py::Int", "i_"

    def __init__(self, program, module, places, namespace):
        super().__init__(program, module, WORDS_OF_VALUES, {"==": "==", "!=": "!="})
        self.places, self.namespace = places, namespace
        self.included = set()
        for name, other in program.modules.items():
            if other.short == module.short and name != module.name:
                raise module.unprintable(module.tree.body[0], f"{name} has the same last name")

    # --- names ----------------------------------------------------------------------------

    def name(self, name):
        return f"{name}_" if name in RESERVED else name

    local = name

    def reference(self, home, name):
        if home is self.module:
            # With its namespace, since `move(list)` could be `std::move`.
            given = self.program.signature(home.name, name)[0] if name in home.functions else {}
            is_near = any(isinstance(each, Sequence | Tuple | Optional) for each in given.values())
            return f"{home.short}::{self.name(name)}" if is_near else self.name(name)
        self.included.add(home.name)
        return f"{home.short}::{self.name(name)}"

    # --- types ----------------------------------------------------------------------------

    def type(self, kind):
        if kind in WORDS:
            return WORDS[kind]
        match kind:
            case Record(module, name):
                return self.reference(self.program.modules[module], name)
            case Tuple(items) if len(set(items)) == 1:
                return f"std::array<{self.type(items[0])}, {len(items)}>"
            case Tuple(items):
                return f"std::tuple<{', '.join(map(self.type, items))}>"
            case Sequence(item):
                return f"py::List<{self.type(item)}>"
            case Optional(value):
                return f"std::optional<{self.type(value)}>"
        raise AssertionError(kind)

    def is_changing(self, kind):
        return is_changing(kind, self.program)

    def parameter(self, name, kind):
        """Return a parameter; what the function changes is passed by reference."""
        own = self.local(name)
        if isinstance(kind, Function):
            return f"const {self._class_of(name)} &{own}"
        if kind in SCALARS:
            return f"{self.type(kind)} {own}"
        if name in self.ownership.changed:
            return f"{self.type(kind)} &{own}"
        if self.bound[name] > 1 or self.ownership.is_parameter_endangered(name):
            return f"{self.type(kind)} {own}"
        return f"const {self.type(kind)} &{own}"

    def _class_of(self, name):
        """Return the name of the template parameter for a function value."""
        made = name.title().replace("_", "")
        taken = any(made in home.records for home in self.program.modules.values())
        return made + "_" * taken

    # --- values ---------------------------------------------------------------------------

    def number(self, value):
        if math.isnan(value):
            return "py::nan"
        if math.isinf(value):
            return "py::infinity" if value > 0 else "-py::infinity"
        if isinstance(value, int):
            return str(value)
        return repr(float(value))

    def value_of_list(self, parts):
        return bracket("{", parts, "}")

    def value_of_record(self, home, name, pairs):
        return bracket(self.reference(home, name) + "{", [text for _, text in pairs], "}")

    def on_subscript(self, node):
        base, kind = self.text(node.value, ATOM), self.kind(node.value)
        if isinstance(node.slice, ast.Slice):
            lower = "0" if node.slice.lower is None else self.text(node.slice.lower)
            upper = "" if node.slice.upper is None else f", {self.text(node.slice.upper)}"
            return f"py::part({base}, {lower}{upper})", ATOM
        if isinstance(node.slice, ast.UnaryOp):  # from the end
            return f"{base}[{base}.size() - {self.text(node.slice.operand)}]", ATOM
        if isinstance(kind, Tuple) and len(set(kind.items)) > 1:
            return f"std::get<{self.text(node.slice)}>({base})", ATOM
        return f"{base}[{self.text(node.slice)}]", ATOM

    def on_binop(self, node):
        if isinstance(node.op, ast.Div):  # of integers, too, Python divides as of numbers
            whole = self.kind(node.left) == INTEGER
            left = f"double({self.text(node.left)})" if whole else self.text(node.left, 12)
            return f"{left} / {self.text(node.right, 13)}", 12
        if isinstance(node.op, ast.Mod):
            return f"py::modulo({self.text(node.left)}, {self.text(node.right)})", ATOM
        return super().on_binop(node)

    def on_name(self, node):
        text, binds = super().on_name(node)
        return (f"*{text}", UNARY) if self.function.is_opened(node) else (text, binds)

    def on_attribute(self, node):
        if self.function.is_opened(node.value):
            return f"{self.local(node.value.id)}->{self.name(node.attr)}", ATOM
        return super().on_attribute(node)

    def on_ifexp(self, node):
        kind = self.kind(node)
        if isinstance(kind, Optional) and not self.function._is_absent(node.test):
            one, other = (
                f"{self.type(kind)}({self.text(each)})" for each in (node.body, node.orelse)
            )
            test = self.condition(node.test, CHOICE + 1)
            return operands([test, f"? {one}", f": {other}"]), CHOICE
        return super().on_ifexp(node)

    def on_compare(self, node):
        if isinstance(node.ops[0], ast.Is | ast.IsNot):
            text = f"{self.text(node.left, ATOM)}.has_value()"
            return (text, ATOM) if isinstance(node.ops[0], ast.IsNot) else (f"!{text}", UNARY)
        return super().on_compare(node)

    def on_tuple(self, node):
        kind = self.kind(node)
        items = kind.items if isinstance(kind, Tuple) else [kind.item] * len(node.elts)
        if any(isinstance(each, ast.Starred) for each in node.elts):
            parts = [
                self.text(each.value)
                if isinstance(each, ast.Starred)
                else f"{self.type(kind)}{{{self.owned(each, kind.item)}}}"
                for each in node.elts
            ]
            if self.is_changing(kind.item):
                self.function.fail(node, "records that change are in one list only")
            return bracket("py::joined(", parts, ")"), ATOM
        parts = [self.owned(each, item) for each, item in zip(node.elts, items, strict=True)]
        return bracket(self.type(kind) + "{", parts, "}"), ATOM

    on_list = on_tuple

    def floor(self, left, right):
        return f"py::floor_divided({left}, {right})", ATOM

    def repeated(self, items, count):
        [item] = items.elts
        return (
            f"{self.type(self.kind(items))}(std::size_t({self.text(count)}), {self.text(item)})",
            ATOM,
        )

    def is_empty(self, node):
        return f"{self.text(node, ATOM)}.empty()"

    def has_items(self, node):
        return f"!{self.text(node, ATOM)}.empty()"

    def square_root(self, node):
        return f"std::sqrt({self.text(node)})"

    def appended(self, base, value):
        return f"{self.text(base, ATOM)}.push_back({self.owned(value, self.kind(base).item)})"

    def argument(self, node, kind):
        return self.converted(node, kind)

    def arguments(self, node, found):
        home, name = found
        changed = self.program.effects.of(home.name, name).changes
        parameters = self.program.parameters(home.name, name)
        given = dict(zip(parameters, node.args, strict=False))
        given |= {each.arg: each.value for each in node.keywords}
        for each, value in given.items():
            if each in changed and not is_place(value):
                self.function.fail(node, f"{each}, which {name} changes, has a name")
        texts = super().arguments(node, found)
        # A template parameter is not found from a default value, so the call has it.
        wanted = [(each, kind) for each, kind in parameters.items() if kind not in GONE]
        missing = [isinstance(kind, Function) for _, kind in wanted[len(texts) :]]
        while any(missing):
            texts.append(self._default_of(home, name, wanted[len(texts)][0]))
            missing.pop(0)
        return texts

    def _default_of(self, home, name, parameter):
        """Return the default value of a parameter of a function of any module."""
        given = home.functions[name].args
        at = [each.arg for each in given.args].index(parameter) - len(given.args)
        return self._default(given.defaults[at], home)

    def converted(self, node, kind):
        """Return a value where one of a type is wanted: C++ is strict about integers."""
        found = self.kind(node)
        if kind == NUMBER and found == INTEGER and not isinstance(node, ast.Constant):
            return f"double({self.text(node)})"
        if isinstance(kind, Sequence) and isinstance(found, Sequence | Tuple):
            items = found.items if isinstance(found, Tuple) else [found.item]
            if any(each != kind.item for each in items):
                self.function.fail(node, f"{described(kind)} is wanted: write float(...)")
            if isinstance(found, Tuple):
                text = self.text(node, ATOM)
                return f"{self.type(kind)}({text}.begin(), {text}.end())"
        return self.text(node, 1)

    # --- owners ---------------------------------------------------------------------------

    def owned(self, node, kind):
        """Return a value that is stored; a list or record that changes has one owner."""
        if not self.is_changing(kind):
            return self.converted(node, kind)
        if isinstance(node, ast.IfExp):
            if is_place(node.body) or is_place(node.orelse):
                self.function.fail(node, "what changes is stored in one place: write `if`")
        elif is_place(node):
            self._refuse_sharing(node)
            return f"std::move({self.text(node)})"
        return self.converted(node, kind)

    def _refuse_sharing(self, node):
        name = node.id if isinstance(node, ast.Name) else ""
        if not name or name in self.function.parameters or self.ownership.alias(node):
            self.function.fail(node, "what changes has one owner, and this has one already")
        if self.ownership.last[name] > end_of(node):
            self.function.fail(node, f"what changes has one owner, and {name} is used again")
        for loop in ast.walk(self.function.node):
            if not isinstance(loop, ast.For | ast.While) or _binds_within(loop, name):
                continue
            if start_of(loop) <= start_of(node) and end_of(node) <= end_of(loop):
                self.function.fail(node, f"what changes has one owner, and {name} has several")

    def record(self, home, name, node):
        pairs = self.fields(Record(home.name, name), self.given(home, name, node))
        return bracket(self.reference(home, name) + "{", [text for _, text in pairs], "}")

    def replaced(self, kind, base, keywords):
        """Return a copy with other fields."""
        fields = self.program.field_types(kind)
        if self.is_changing(kind):
            self.function.fail(base, "a copy would share what changes")
        changes = "; ".join(
            f"changed_.{self.name(each.arg)} = {self.owned(each.value, fields[each.arg])}"
            for each in keywords
        )
        return f"[&](auto changed_) {{ {changes}; return changed_; }}({self.text(base)})"

    def library(self, name, node):
        args = node.args
        if name in ("tuple", "list"):
            if is_place(args[0]) and self.is_changing(self.kind(node).item):
                self.function.fail(node, "a copy would share what changes")
            kind = self.kind(args[0])
            if isinstance(kind, Tuple):
                return self.converted(args[0], self.kind(node)), ATOM
            return getattr(self, "on_" + type(args[0]).__name__.lower())(args[0])
        if name in ("all", "any"):
            return self.mapped(args[0], name), ATOM
        if name == "len":
            return f"py::Int({self.text(args[0], ATOM)}.size())", ATOM
        if name in ("min", "max"):
            one, other = (self.text(each, COMPARISON + 1) for each in args)
            sign = "<" if name == "min" else ">"
            return f"{other} {sign} {one} ? {other} : {one}", CHOICE
        given = ", ".join(self.text(each, 1) for each in args)
        whole = name == "abs" and self.kind(args[0]) == INTEGER
        words = {
            "math.copysign": "std::copysign({})",
            "math.sqrt": "std::sqrt({})",
            "math.floor": "py::floor({})",
            "math.ceil": "(0 - py::floor(-({})))",
            "math.isnan": "std::isnan({})",
            "math.isfinite": "std::isfinite({})",
            "abs": "std::abs({})" if whole else "std::fabs({})",
            "float": "double({})",
            "int": "py::Int({})",
        }
        return words[name].format(given), ATOM

    # --- comprehensions -------------------------------------------------------------------

    def on_generatorexp(self, node):
        if self.is_changing(self.kind(node).item) and is_place(node.elt):
            self.function.fail(node, "what changes has one owner, and this has one already")
        return self.mapped(node, "map"), ATOM

    on_listcomp = on_generatorexp

    def mapped(self, node, method):
        [generator] = node.generators
        items, target = generator.iter, generator.target
        zipped = isinstance(items, ast.Call) and ast.unparse(items.func) == "zip"
        sources = items.args if zipped else [items]
        targets = target.elts if zipped else [target]
        if isinstance(items, ast.Call) and ast.unparse(items.func) == "range":
            [count] = items.args
            sources = [f"py::Count{{{self.text(count)}}}"]
        given, first = [], ""
        for i, one in enumerate(targets):
            if isinstance(one, ast.Name):
                given.append(f"[[maybe_unused]] const auto &{self.local(one.id)}")
            else:
                given.append(f"const auto &each{i}")
                names = ", ".join(self.local(each.id) for each in one.elts)
                first += f"const auto &[{names}] = each{i}; "
        body = f"[&]({', '.join(given)}) {{ {first}return {self.text(node.elt)}; }}"
        texts = [each if isinstance(each, str) else self.text(each) for each in sources]
        return bracket(f"py::{method}(", [*texts, body], ")")

    # --- statements -----------------------------------------------------------------------

    def start(self, node):
        super().start(node)
        self.taken = 0
        self.changed = self.ownership.changed
        for name, kind in self.function.parameters.items():
            if isinstance(kind, Function) or not self.is_changing(kind):
                continue
            if name in self.changed and self.bound[name] > 1:
                self.function.fail(node, f"{name} changes, and then becomes something else")
            if self.ownership.is_parameter_endangered(name):
                self.function.fail(node, f"{name} may be part of what gets another value here")
        self._refuse_changes_inside(node)

    def _refuse_changes_inside(self, node):
        """Refuse calls that change something within an expression: C++ has its own order there."""
        alone = set()
        for each in ast.walk(node):
            match each:
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[value])):
                    alone.add(id(value))
                case ast.Expr(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
                    alone.add(id(value))
                case ast.Return(value=value):
                    alone.add(id(value))
                case ast.If(test=test) | ast.While(test=test):
                    alone |= {id(part) for part in _conditions(test)}
        for call, home, name, _ in self.ownership.calls:
            if id(call) not in alone and self.program.effects.of(home, name).changes:
                self.function.fail(call, f"{name} changes something: it stands alone")

    def declaration(self, name):
        return f"{self.type(self.function.names[name])} {self.local(name)}{{}};"

    def assigned(self, target, value):
        if isinstance(target, ast.Attribute | ast.Subscript):
            return [f"{self.text(target)} = {self.owned(value, self.function.known(target))};"]
        if isinstance(target, ast.Name):
            return [self._named(target, value)]
        kind = self.kind(value)
        if self.is_changing(kind) and is_place(value):
            self.function.fail(target, "the parts of what changes are taken one by one")
        in_turn = self.one_by_one(target, value) if isinstance(value, ast.Tuple) else None
        if in_turn is not None:
            return in_turn
        if isinstance(value, ast.Tuple) and not any(
            isinstance(each, ast.Starred) for each in target.elts
        ):
            names = [self._fresh() for _ in target.elts]
            taken = [
                f"const auto {name} = {self.owned(each, self.kind(each))};"
                for name, each in zip(names, value.elts, strict=True)
            ]
            return taken + [
                text
                for name, one in zip(names, target.elts, strict=True)
                for text in self._unpacked(one, name, None)
            ]
        name = self._fresh()
        only_names = all(isinstance(each, ast.Name) for each in target.elts)
        sign = "&" if is_place(value) and only_names else ""
        return [
            f"const auto {sign}{name} = {self.text(value)};",
            *self._unpacked(target, name, kind),
        ]

    def _named(self, target, value):
        """Return the statement that binds a name: to a value of its own, or to a place."""
        name, own = target.id, self.local(target.id)
        kind = self.function.names[name]
        place, changing = is_place(value), self.is_changing(kind)
        if not place and changing and isinstance(value, ast.IfExp):
            self.owned(value, kind)
        if not place or (not changing and (kind in SCALARS or name in self.declared)):
            return self._bound(name, self.converted(value, kind))
        alias = self.ownership.alias(target)
        several = name in self.declared or self.bound[name] > 1
        endangered = alias is None or self.ownership.endangered(target, alias)
        if not changing and (several or endangered or kind != self.kind(value)):
            return self._bound(name, self.converted(value, kind))
        if several:
            self.function.fail(target, f"{name} changes, and stands for several places")
        if endangered:
            self.function.fail(target, f"{name} stands for what gets another value meanwhile")
        self.declared.add(name)
        word = "" if name in self.changed else "const "
        return f"{word}{self.type(kind)} &{own} = {self.text(value)};"

    def _fresh(self):
        self.taken += 1
        return f"taken{self.taken}"

    def _unpacked(self, target, text, kind):
        """Return the statements that bind names to the parts of a value."""
        if isinstance(target, ast.Name):
            return [] if target.id == "_" else [self._bound(target.id, text)]
        if isinstance(target, ast.Attribute | ast.Subscript):
            return [f"{self.text(target)} = {text};"]
        found = []
        kind = kind or self.kind(target)
        fields = list(self.program.field_types(kind)) if isinstance(kind, Record) else []
        for i, one in enumerate(target.elts):
            if isinstance(one, ast.Starred):
                found.append(self._bound(one.value.id, f"py::part({text}, {i})"))
            elif fields:
                if self.program.field_types(kind)[fields[i]] not in GONE:
                    found += self._unpacked(one, f"{text}.{self.name(fields[i])}", None)
            elif isinstance(kind, Tuple) and len(set(kind.items)) > 1:
                found += self._unpacked(one, f"std::get<{i}>({text})", kind.items[i])
            else:
                item = kind.items[i] if isinstance(kind, Tuple) else kind.item
                found += self._unpacked(one, f"{text}[{i}]", item)
        return found

    def _bound(self, name, text):
        own = self.local(name)
        if name in self.declared:
            return f"{own} = {text};"
        self.declared.add(name)
        kind = self.function.names[name]
        constant = self.bound[name] == 1 and name not in self.changed and not self.is_changing(kind)
        return f"{'const ' * constant}{self.type(kind)} {own} = {text};"

    def augmented(self, node):
        target = self.text(node.target)
        kind = self.kind(node.target)
        if isinstance(kind, Sequence):
            if is_place(node.value) and self.is_changing(kind.item):
                self.function.fail(node, "what changes has one owner, and this has one already")
            return f"py::extend({target}, {self.text(node.value)});"
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
        return f"{target} {sign[type(node.op)]}= {self.text(node.value)};"

    def returned(self, value):
        if value is None:
            return "return;"
        kind = self.function.result
        if isinstance(kind, Tuple) and isinstance(value, ast.Tuple):
            parts = [self.owned(*each) for each in zip(value.elts, kind.items, strict=True)]
            return f"return {bracket(self.type(kind) + '{', parts, '}')};"
        if self.is_changing(kind) and is_place(value):
            name = value.id if isinstance(value, ast.Name) else ""
            if not name or name in self.function.parameters or self.ownership.alias(value):
                self.function.fail(value, "what changes has one owner, and this has one already")
            return f"return {self.text(value)};"
        return f"return {self.converted(value, kind)};"

    def loop(self, node):
        items, target = node.iter, node.target
        self.declared |= set(self.names_in(target))
        called = ast.unparse(items.func) if isinstance(items, ast.Call) else ""
        if called == "range":
            return self.counted(target.id, [self.text(each) for each in items.args], items), []
        if called == "enumerate":
            index, one = target.elts
            source = self.text(items.args[0], ATOM)
            head = self.counted(index.id, [self._length(items.args[0])], items)
            return head, self._taken(node, one, items.args[0], f"{source}[{self.local(index.id)}]")
        if called == "zip":
            index = next(each for each in "ijkn" if each not in self.function.names)
            first = []
            for one, source in zip(target.elts, items.args, strict=True):
                first += self._taken(node, one, source, f"{self.text(source, ATOM)}[{index}]")
            return self.counted(index, [self._length(items.args[0])], items), first
        if isinstance(items, ast.Attribute | ast.Subscript) and not is_place(items):
            self.function.fail(items, "what a loop goes through needs a name")
        if isinstance(target, ast.Name) and target.id != "_":
            how = self._reference(node, target, items)
            return f"for ({how}{self.local(target.id)} : {self.text(items)}) {{", []
        name = self._fresh()
        unused = "[[maybe_unused]] " if isinstance(target, ast.Name) else ""
        return f"for ({unused}const auto &{name} : {self.text(items)}) {{", self._taken(
            node, target, items, name
        )

    def _length(self, node):
        return f"py::Int({self.text(node, ATOM)}.size())"

    def _reference(self, loop, target, source):
        """Return how a loop binds a name to an item: what changes by reference."""
        kind = self.function.known(target)
        changing = self.is_changing(kind)
        if not changing and kind in SCALARS:
            return f"const {self.type(kind)} "
        at = ast.copy_location(ast.Name(target.id, ast.Load()), loop.body[0])
        alias = self.ownership.alias(at)
        endangered = alias is not None and self.ownership.endangered(at, alias)
        if changing and endangered:
            self.function.fail(loop, f"{target.id} stands for what gets another value in the loop")
        if endangered:
            return f"const {self.type(kind)} "
        return f"{'' if target.id in self.changed else 'const '}{self.type(kind)} &"

    def _taken(self, loop, target, source, text):
        if isinstance(target, ast.Name):
            if target.id == "_":
                return []
            return [f"{self._reference(loop, target, source)}{self.local(target.id)} = {text};"]
        name = self._fresh()
        kind = self.function.known(target)
        if self.is_changing(kind):
            self.function.fail(loop, "the parts of what changes are taken one by one")
        self.declared -= set(self.names_in(target))
        return [f"const auto &{name} = {text};", *self._unpacked(target, name, kind)]

    # --- modules --------------------------------------------------------------------------

    def _head(self, node, is_declaration):
        """Return the first part of a function, with its default values if it is declared only."""
        kept = {n: k for n, k in self.function.parameters.items() if k not in GONE}
        used = {
            each.id for part in node.body for each in ast.walk(part) if isinstance(each, ast.Name)
        }
        given = [
            "[[maybe_unused]] " * (name not in used and not is_declaration)
            + self.parameter(name, kind)
            for name, kind in kept.items()
        ]
        defaults = node.args.defaults if is_declaration else []
        for i, default in enumerate(reversed(defaults)):
            if not isinstance(kept.get(node.args.args[-1 - i].arg, Function((), None)), Function):
                given[-1 - i] += f" = {self._default(default)}"
        functions = [name for name, kind in kept.items() if isinstance(kind, Function)]
        named = [f"class {self._class_of(name)}" for name in functions]
        word = f"template <{', '.join(named)}> " if named else "inline "
        result = self.type(self.function.result)
        end = ");" if is_declaration else ") {"
        return bracket(f"{word}{result} {self.name(node.name)}(", given, end)

    def declared_function(self, node):
        self.start(node)
        return lines(self._head(node, True), "", self.width, self.step, "")

    def printed_function(self, node):
        self.start(node)
        self.look_for_clashes()
        text = self._head(node, False)
        told = [f"// {line}".rstrip() for line in self.documentation(node).splitlines()]
        body = self.block(node.body, node.body[0].lineno - 1)
        return [
            *told,
            *lines(text, "", self.width, self.step, ""),
            *self.laid_out(body, 1),
            "}",
            "",
        ]

    def _default(self, node, home=None):
        """Return a default value, written in a module."""
        if is_literal(node) or isinstance(node, ast.Constant):
            return self.value(ast.literal_eval(node))
        where, name = (home or self.module).origin(node)
        found = self.program.modules.get(where)
        if found is None or name not in {**found.functions, **found.constants}:
            self.function.fail(node, "a default is a constant or a name")
        return self.reference(found, name)

    def printed_record(self, name):
        source = self.module.records[name]
        told = [f"// {line}".rstrip() for line in self.documentation(source.node).splitlines()]
        found = [*told, f"struct {name} {{"]
        visits = []
        for field, kind in self.program.field_types(Record(self.module.name, name)).items():
            if kind not in GONE:
                comment = source.fields[field].comment
                text = f"{self.step}{self.type(kind)} {self.name(field)};"
                found.append(text + (f" // {comment}" if comment else ""))
                visits.append(f'{2 * self.step}visitor("{field}", self.{self.name(field)});')
        if visits:
            head = "template <class Self, class Visitor> static void visit"
            found += ["", f"{self.step}{head}(Self &self, Visitor &visitor) {{", *visits]
            found.append(f"{self.step}}}")
        return [*found, "};", ""]

    def printed_constant(self, node):
        found = []
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for each in ast.walk(ast.Tuple(targets)):
            if isinstance(each, ast.Name) and each.id in self.module.constants:
                value = getattr(self.module.live, each.id)
                kind = type_of_value(value, self.program)
                if kind == CONSTANTS:
                    where, _ = self.program.constants
                    kind = Record(where, type(value).__name__)
                word = "constexpr" if kind in SCALARS else "const"
                text = (
                    f"inline {word} {self.type(kind)} {self.name(each.id)} = {self.value(value)};"
                )
                found += lines(text, "", self.width, self.step, "")
        if node.end_lineno in self.module.beside:
            found[-1] += f" // {self.module.beside[node.end_lineno]}"
        return [*found, ""]

    def _sorted(self, records):
        """Return records, each after those that it contains."""
        by_name, found = {node.name: (node, part) for node, part in records}, {}

        def add(name, inside):
            if name in found:
                return
            node, part = by_name[name]
            if name in inside:
                raise self.module.unprintable(node, "a record contains no record of its own kind")
            for kind in parts_of(Record(self.module.name, name), self.program)[1:]:
                if isinstance(kind, Record) and kind.module == self.module.name:
                    add(kind.name, (*inside, name))
            found[name] = node, part

        for name in by_name:
            add(name, ())
        return found.values()

    def printed(self):
        """Return the text of the header."""
        told, source, groups = self.printed_parts()
        kinds = ast.ClassDef, (ast.Assign, ast.AnnAssign), ast.FunctionDef
        records, constants, functions = (
            [(node, part) for node, part in groups if isinstance(node, kind)] for kind in kinds
        )
        declared = [
            line for node in self.module.functions.values() for line in self.declared_function(node)
        ]
        body = [line for _, part in (*self._sorted(records), *constants) for line in part]
        body += [*declared, ""] if declared else []
        body += [line for _, part in functions for line in part]
        while body and not body[-1]:
            body.pop()
        head = [f"// {line}".rstrip() for line in told]
        head += [
            "//",
            f"// Printed from {source} by `python tools/generate.py`: do not edit.",
            "#pragma once",
        ]
        here = posixpath.dirname(self.places[self.module.name]) or "."
        for place in ("py.hpp", *(self.places[name] for name in sorted(self.included))):
            head.append(f'#include "{posixpath.relpath(place, here)}"')
        opened = f"namespace {self.namespace}::{self.module.short} {{"
        return "\n".join([*head, "", opened, "", *body, "}", ""])


def _conditions(test):
    """Yield what a condition evaluates in turn."""
    if isinstance(test, ast.BoolOp):
        for each in test.values:
            yield from _conditions(each)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _conditions(test.operand)
    else:
        yield test


def _binds_within(loop, name):
    """Return whether a loop binds a name anew in each pass."""
    return any(
        isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id == name
        for each in ast.walk(ast.Module(loop.body, []))
    )
