"""Print C++17: a header for each module, with its names; `support.hpp` has what Python has.

Sequences are vectors, tuples of one type arrays, records structs. What a function changes is passed
by reference, everything else by constant reference. Numbers are double: compile without
contraction, so that no product and sum become one operation.
"""

import ast
import math

from printing.layout import bracket, lines
from printing.printing import ATOM, CHOICE, COMPARISON, Printer
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
)

RESERVED = {
    "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "class", "compl", "const", "continue", "default", "delete", "do", "double", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
    "int", "long", "mutable", "namespace", "new", "not", "not_eq", "operator", "or", "or_eq",
    "private", "protected", "public", "register", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef",
    "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "while", "xor",
    "xor_eq",
}  # fmt: skip
WORDS_OF_VALUES = {"none": "std::nullopt", "inf": "INFINITY", "nan": "NAN", "pi": "M_PI"}
WORDS = {NUMBER: "double", INTEGER: "int", FLAG: "bool", TEXT: "const char *", NOTHING: "void"}
SCALARS = (NUMBER, INTEGER, FLAG, TEXT)


class Cpp(Printer):
    """Prints one module in a namespace of its name inside of another."""

    comma = ""
    counter, unused = "int", "i_"

    def __init__(self, program, module, places, namespace):
        super().__init__(program, module, WORDS_OF_VALUES, {"==": "==", "!=": "!="})
        self.places, self.namespace = places, namespace
        self.included = set()

    # --- names ----------------------------------------------------------------------------

    def name(self, name):
        return f"{name}_" if name in RESERVED else name

    local = name

    def reference(self, home, name):
        if home is self.module:
            return self.name(name)
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
                return f"List<{self.type(item)}>"
            case Optional(value):
                return f"std::optional<{self.type(value)}>"
        raise AssertionError(kind)

    def parameter(self, name, kind):
        """Return a parameter; what the function changes is passed by reference."""
        own = self.local(name)
        if isinstance(kind, Function):
            return f"const {name.title().replace('_', '')} &{own}"
        if kind in SCALARS:
            return f"{self.type(kind)} {own}"
        if name in self.changed:
            return f"{self.type(kind)} &{own}"
        if self.bound[name] > 1:
            return f"{self.type(kind)} {own}"
        return f"const {self.type(kind)} &{own}"

    # --- values ---------------------------------------------------------------------------

    def number(self, value):
        if math.isnan(value):
            return "NAN"
        if math.isinf(value):
            return "INFINITY" if value > 0 else "-INFINITY"
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
            return f"part({base}, {lower}{upper})", ATOM
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
        return super().on_binop(node)

    def on_tuple(self, node):
        kind = self.kind(node)
        if any(isinstance(each, ast.Starred) for each in node.elts):
            parts = [
                self.text(each.value)
                if isinstance(each, ast.Starred)
                else f"{self.type(kind)}{{{self.text(each)}}}"
                for each in node.elts
            ]
            return bracket("joined(", parts, ")"), ATOM
        return bracket(self.type(kind) + "{", [self.text(each) for each in node.elts], "}"), ATOM

    on_list = on_tuple

    def floor(self, left, right):
        return f"int(std::floor(double({left}) / {right}))", ATOM

    def repeated(self, items, count):
        [item] = items.elts
        return f"{self.type(self.kind(items))}({self.text(count)}, {self.text(item)})", ATOM

    def is_empty(self, node):
        return f"{self.text(node, ATOM)}.empty()"

    def has_items(self, node):
        return f"!{self.text(node, ATOM)}.empty()"

    def square_root(self, node):
        return f"std::sqrt({self.text(node)})"

    def appended(self, base, value):
        return f"{self.text(base, ATOM)}.push_back({self.text(value)})"

    def record(self, home, name, node):
        pairs = self.fields(Record(home.name, name), self.given(home, name, node))
        return bracket(self.reference(home, name) + "{", [text for _, text in pairs], "}")

    def replaced(self, kind, base, keywords):
        """Return a copy with other fields."""
        changes = "; ".join(
            f"changed_.{self.name(each.arg)} = {self.text(each.value)}" for each in keywords
        )
        return f"[&](auto changed_) {{ {changes}; return changed_; }}({self.text(base)})"

    def library(self, name, node):
        args = node.args
        if name in ("tuple", "list"):
            return getattr(self, "on_" + type(args[0]).__name__.lower())(args[0])
        if name in ("all", "any"):
            return self.mapped(args[0], name), ATOM
        if name == "len":
            return f"int({self.text(args[0], ATOM)}.size())", ATOM
        if name in ("min", "max"):
            one, other = (self.text(each, COMPARISON + 1) for each in args)
            sign = "<" if name == "min" else ">"
            return f"{other} {sign} {one} ? {other} : {one}", CHOICE
        given = self.text(args[0])
        words = {
            "math.sqrt": "std::sqrt({})",
            "math.floor": "int(std::floor({}))",
            "math.ceil": "int(std::ceil({}))",
            "math.isnan": "std::isnan({})",
            "math.isfinite": "std::isfinite({})",
            "abs": "std::fabs({})",
            "float": "double({})",
            "int": "int({})",
        }
        return words[name].format(given), ATOM

    # --- comprehensions -------------------------------------------------------------------

    def on_generatorexp(self, node):
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
            sources = [f"counted({self.text(count)})"]
        given, first = [], ""
        for i, one in enumerate(targets):
            if isinstance(one, ast.Name):
                given.append(f"const auto &{self.local(one.id)}")
            else:
                given.append(f"const auto &each{i}")
                names = ", ".join(self.local(each.id) for each in one.elts)
                first += f"const auto &[{names}] = each{i}; "
        body = f"[&]({', '.join(given)}) {{ {first}return {self.text(node.elt)}; }}"
        texts = [each if isinstance(each, str) else self.text(each) for each in sources]
        return bracket(f"{method}(", [*texts, body], ")")

    # --- statements -----------------------------------------------------------------------

    def start(self, node):
        super().start(node)
        self.changed = set()  # names through which something changes
        for each in ast.walk(node):
            targets = (
                each.targets if isinstance(each, ast.Assign) else [getattr(each, "target", None)]
            )
            for one in targets if isinstance(each, ast.Assign | ast.AugAssign) else ():
                self._note_change(one, isinstance(each, ast.AugAssign))
            if isinstance(each, ast.Call):
                self._note_call(each)
        self._refuse_aliases(node)

    def _refuse_aliases(self, node):
        """Refuse second names of what changes: here they would be copies, or follow the first."""
        for each in ast.walk(node):
            if not isinstance(each, ast.Assign) or not isinstance(each.targets[0], ast.Name):
                continue
            name, value = each.targets[0].id, each.value
            kind = self.function.names[name]
            if name not in self.changed or not isinstance(kind, Sequence | Record):
                continue
            place = isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.IfExp)
            simple = isinstance(value, ast.Subscript) and isinstance(
                value.slice, ast.Name | ast.Constant
            )
            if place and (isinstance(kind, Sequence) or not simple or self.bound[name] > 1):
                self.function.fail(each, f"{name} changes, and is another name of something")
        for name, kind in self.function.parameters.items():
            if name in self.changed and self.bound[name] > 1 and not isinstance(kind, Function):
                self.function.fail(node, f"{name} changes, and then becomes something else")

    def _note_change(self, target, grows):
        if isinstance(target, ast.Name):
            if grows and isinstance(self.function.names[target.id], Sequence):
                self.changed.add(target.id)
            return
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
            if isinstance(target, ast.Name):
                self.changed.add(target.id)

    def _note_call(self, call):
        """Note what a function that is called may change: records that change, and lists."""
        if isinstance(call.func, ast.Attribute) and call.func.attr == "append":
            self._note_change(ast.Attribute(call.func.value, "", ast.Store()), False)
        for each in call.args:
            kind = self.function._types.get(id(each))
            if isinstance(kind, Record) and kind.mutable and isinstance(each, ast.Name):
                self.changed.add(each.id)

    def declaration(self, name):
        return f"{self.type(self.function.names[name])} {self.local(name)}{{}};"

    def assigned(self, target, value):
        if isinstance(target, ast.Attribute | ast.Subscript):
            return [f"{self.text(target)} = {self.text(value)};"]
        if isinstance(target, ast.Name):
            return [self._bound(target.id, self.text(value))]
        kind = self.kind(value)
        in_turn = self.one_by_one(target, value) if isinstance(value, ast.Tuple) else None
        if in_turn is not None:
            return in_turn
        if isinstance(value, ast.Tuple) and not any(
            isinstance(each, ast.Starred) for each in target.elts
        ):
            names = [self._fresh() for _ in target.elts]
            taken = [
                f"const auto {name} = {self.text(each)};"
                for name, each in zip(names, value.elts, strict=True)
            ]
            return taken + [
                text
                for name, one in zip(names, target.elts, strict=True)
                for text in self._unpacked(one, name, None)
            ]
        name = self._fresh()
        return [f"const auto {name} = {self.text(value)};", *self._unpacked(target, name, kind)]

    def _fresh(self):
        self.taken = getattr(self, "taken", 0) + 1
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
                found.append(self._bound(one.value.id, f"part({text}, {i})"))
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
        through = isinstance(kind, Record) and kind.mutable and self._is_place(text)
        word = "const " if self.bound[name] == 1 and name not in self.changed else ""
        return f"{word if not through else ''}{self.type(kind)} {'&' * through}{own} = {text};"

    def _is_place(self, text):
        return text.replace(".", "").replace("[", "").replace("]", "").replace("_", "").isalnum()

    def augmented(self, node):
        target = self.text(node.target)
        if isinstance(self.kind(node.target), Sequence):
            return f"extend({target}, {self.text(node.value)});"
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
        return f"{target} {sign[type(node.op)]}= {self.text(node.value)};"

    def returned(self, value):
        if value is None:
            return "return;"
        kind = self.function.result
        if isinstance(kind, Tuple) and isinstance(value, ast.Tuple):
            parts = [self.text(each) for each in value.elts]
            return f"return {bracket(self.type(kind) + '{', parts, '}')};"
        return f"return {self.text(value)};"

    def loop(self, node):
        items, target = node.iter, node.target
        self.declared |= set(self.names_in(target))
        called = ast.unparse(items.func) if isinstance(items, ast.Call) else ""
        if called == "range":
            return self.counted(target.id, [self.text(each) for each in items.args], items), []
        if called == "enumerate":
            index, one = target.elts
            source = self.text(items.args[0], ATOM)
            head = self.counted(index.id, [f"int({source}.size())"], items)
            return head, self._taken(one, f"{source}[{self.local(index.id)}]")
        if called == "zip":
            index = next(each for each in "ijkn" if each not in self.function.names)
            sources, first = [self.text(each, ATOM) for each in items.args], []
            for one, source in zip(target.elts, sources, strict=True):
                first += self._taken(one, f"{source}[{index}]")
            return self.counted(index, [f"int({sources[0]}.size())"], items), first
        changes = isinstance(target, ast.Name) and target.id in self.changed
        if isinstance(target, ast.Name):
            word = "auto &" if changes else "const auto &"
            return f"for ({word}{self.local(target.id)} : {self.text(items)}) {{", []
        name = self._fresh()
        return f"for (const auto &{name} : {self.text(items)}) {{", self._taken(target, name)

    def _taken(self, target, text):
        if isinstance(target, ast.Name):
            word = "auto &" if target.id in self.changed else "const auto &"
            return [] if target.id == "_" else [f"{word}{self.local(target.id)} = {text};"]
        names = ", ".join(self.local(each.id) for each in target.elts)
        return [f"const auto &[{names}] = {text};"]

    # --- modules --------------------------------------------------------------------------

    def printed_function(self, node):
        self.start(node)
        self.taken = 0
        kept = {n: k for n, k in self.function.parameters.items() if k not in GONE}
        given = [self.parameter(name, kind) for name, kind in kept.items()]
        defaults = node.args.defaults
        for i, default in enumerate(reversed(defaults)):
            if not isinstance(kept.get(node.args.args[-1 - i].arg, Function((), None)), Function):
                given[-1 - i] += f" = {self._default(default)}"
        functions = [name for name, kind in kept.items() if isinstance(kind, Function)]
        named = [f"class {name.title().replace('_', '')}" for name in functions]
        head = f"template <{', '.join(named)}> " if named else ""
        text = bracket(
            f"{head}inline {self.type(self.function.result)} {self.name(node.name)}(", given, ") {"
        )
        told = [f"// {line}".rstrip() for line in self.documentation(node).splitlines()]
        body = self.block(node.body, node.body[0].lineno - 1)
        return [
            *told,
            *lines(text, "", self.width, self.step, ""),
            *self.laid_out(body, 1),
            "}",
            "",
        ]

    def _default(self, node):
        if isinstance(node, ast.Constant):
            return self.value(node.value)
        return self.reference(self.module, node.id)

    def printed_record(self, name):
        source = self.module.records[name]
        told = [f"// {line}".rstrip() for line in self.documentation(source.node).splitlines()]
        found = [*told, f"struct {name} {{"]
        for field, kind in self.program.field_types(Record(self.module.name, name)).items():
            if kind not in GONE:
                comment = source.fields[field].comment
                text = f"{self.step}{self.type(kind)} {self.name(field)};"
                found.append(text + (f" // {comment}" if comment else ""))
        return [*found, "};", ""]

    def printed_constant(self, node):
        from printing.checking import type_of_value

        found = []
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for each in ast.walk(ast.Tuple(targets)):
            if isinstance(each, ast.Name) and each.id in self.module.constants:
                value = getattr(self.module.live, each.id)
                kind = type_of_value(value, self.program)
                if kind == CONSTANTS:
                    where, _ = self.program.constants
                    kind = Record(where, type(value).__name__)
                text = f"inline const {self.type(kind)} {each.id} = {self.value(value)};"
                found += lines(text, "", self.width, self.step, "")
        if node.end_lineno in self.module.beside:
            found[-1] += f" // {self.module.beside[node.end_lineno]}"
        return [*found, ""]

    def printed(self):
        """Return the text of the header."""
        told, source, body = self.printed_parts()
        head = [f"// {line}".rstrip() for line in told]
        head += [
            "//",
            f"// Printed from {source} by `python tools/generate.py`: do not edit.",
            "#pragma once",
        ]
        head += ['#include "support.hpp"']
        head += [f'#include "{self.places[name]}"' for name in sorted(self.included)]
        opened = f"namespace {self.namespace}::{self.module.short} {{"
        return "\n".join([*head, "", opened, "", *body, "}", ""])
