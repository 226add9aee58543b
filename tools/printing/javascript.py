"""Print JavaScript: ES modules with JSDoc, whose names are in camelCase."""

import ast
import math
import posixpath

from printing.checking import is_literal
from printing.layout import bracket, lines, operands
from printing.printing import ATOM, CHOICE, COMPARISON, Printer, reads
from printing.types import (
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
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
    "default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally",
    "for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let",
    "new", "null", "package", "private", "protected", "public", "return", "static", "super",
    "switch", "this", "throw", "typeof", "undefined", "var", "void", "while", "with", "yield",
}  # fmt: skip
INDICES = "ijkn"
WORDS_OF_VALUES = {"none": "null", "inf": "Infinity", "nan": "NaN", "pi": "Math.PI"}
WORDS = {"number": "number", "integer": "number", "flag": "boolean", "text": "string"}


class JavaScript(Printer):
    """Prints one module; `places` are the paths of all printed modules.

    `read` are the constants that JavaScript by hand reads, None for all. Engines look up what a
    module exports each time, so other constants are exported only if another module has them.
    """

    def __init__(self, program, module, places, read=None):
        super().__init__(program, module, WORDS_OF_VALUES, {"==": "===", "!=": "!=="})
        self.places = places
        self.read = read
        self.imported = {}  # names, or None for a whole module, by module
        self.records = set()  # of other modules, in types
        self.swapped = {}  # names of a comprehension that stand for items
        self.indices = set()  # of the comprehensions around

    # --- names ----------------------------------------------------------------------------

    def name(self, name):
        if name.isupper() or name[:1].isupper():
            return name
        head, *rest = name.strip("_").split("_")
        made = head + "".join(part[:1].upper() + part[1:] for part in rest)
        return f"{made}_" if made in RESERVED else made

    local = name

    def shown(self, name):
        if name.endswith(".py"):
            return name
        return ".".join(map(self.name, name.split(".")))

    def reference(self, home, name):
        """Return how a name of a module is written here, and import it."""
        if home is self.module:
            return self.name(name)
        names = self.imported.setdefault(home.name, set())
        if self.module.imports.get(name) == (home.name, name) or name == self.program.constants[1]:
            names.add(name)
            return self.name(name)
        names.add(None)
        if name.startswith("_"):
            raise self.module.unprintable(home.functions[name], "private to its module")
        if self.function is not None and home.short in self.function.names:
            self.function.fail(self.function.node, f"{home.short} is a local and a module")
        return f"{home.short}.{self.name(name)}"

    # --- values ---------------------------------------------------------------------------

    def number(self, value):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        text = repr(value if isinstance(value, int) else float(value)).replace("e+", "e")
        return text.removesuffix(".0")

    def value_of_list(self, parts):
        return bracket("[", parts, "]")

    def value_of_record(self, home, name, pairs):
        return bracket("{", [f"{self.name(field)}: {text}" for field, text in pairs], "}", " ")

    def on_name(self, node):
        if node.id in self.swapped:
            return self.swapped[node.id], ATOM
        return super().on_name(node)

    def on_subscript(self, node):
        base = self.text(node.value, ATOM)
        if isinstance(node.slice, ast.Slice):
            lower = "0" if node.slice.lower is None else self.text(node.slice.lower)
            upper = "" if node.slice.upper is None else f", {self.text(node.slice.upper)}"
            return f"{base}.slice({lower}{upper})", ATOM
        if isinstance(node.slice, ast.UnaryOp):  # from the end
            return f"{base}[{base}.length - {self.text(node.slice.operand)}]", ATOM
        return f"{base}[{self.text(node.slice)}]", ATOM

    def on_tuple(self, node):
        return bracket("[", [self.text(each, 1) for each in node.elts], "]"), ATOM

    on_list = on_tuple

    def on_starred(self, node):
        return f"...{self.text(node.value, ATOM)}", ATOM

    def floor(self, left, right):
        return f"(Math.floor({left} / {right}) + 0)", ATOM  # no -0

    def repeated(self, items, count):
        [item] = items.elts
        return f"new Array({self.text(count)}).fill({self.text(item)})", ATOM

    def is_empty(self, node):
        return f"{self.text(node, ATOM)}.length === 0"

    def has_items(self, node):
        return f"{self.text(node, ATOM)}.length > 0"

    def square_root(self, node):
        return f"Math.sqrt({self.text(node)})"

    def appended(self, base, value):
        return f"{self.text(base, ATOM)}.push({self.text(value)})"

    def record(self, home, name, node):
        pairs = self.fields(Record(home.name, name), self.given(home, name, node))
        return bracket("{", [self.pair(field, text) for field, text in pairs], "}", " ")

    def replaced(self, kind, base, keywords):
        pairs = [self.pair(each.arg, self.text(each.value, 1)) for each in keywords]
        return bracket("{", [f"...{self.text(base, ATOM)}", *pairs], "}", " ")

    def pair(self, field, text):
        key = self.name(field)
        return key if key == text else f"{key}: {text}"

    def library(self, name, node):
        args = node.args
        if name in ("tuple", "list") and not isinstance(args[0], ast.GeneratorExp):
            return f"{self.text(args[0], ATOM)}.slice()", ATOM
        if name in ("tuple", "list", "float"):
            return getattr(self, "on_" + type(args[0]).__name__.lower())(args[0])
        if name in ("all", "any"):
            text, _ = self.mapped(args[0], "every" if name == "all" else "some")
            return text, ATOM
        if name == "len":
            return f"{self.text(args[0], ATOM)}.length", ATOM
        if name in ("min", "max"):  # Python's: the first of equals, and of what is not ordered
            one, other = (self.text(each, COMPARISON + 1) for each in args)
            sign = "<" if name == "min" else ">"
            return f"{other} {sign} {one} ? {other} : {one}", CHOICE
        if name == "math.isnan":
            return bracket("Number.isNaN(", [self.text(args[0])], ")"), ATOM
        if name == "math.isfinite":
            return bracket("Number.isFinite(", [self.text(args[0])], ")"), ATOM
        word = {"int": "trunc"}.get(name, name.rpartition(".")[2])
        if word == "copysign":
            size, sign = (self.text(each, COMPARISON + 1) for each in args)
            negative = f"{sign} < 0 || Object.is({sign}, -0)"
            return f"{negative} ? -Math.abs({size}) : Math.abs({size})", CHOICE
        text = bracket(f"Math.{word}(", [self.text(args[0])], ")")
        return (f"({text} + 0)", ATOM) if word in ("trunc", "floor", "ceil") else (text, ATOM)

    # --- comprehensions -------------------------------------------------------------------

    def on_generatorexp(self, node):
        return self.mapped(node, "map")

    def on_listcomp(self, node):
        text, binds = self.mapped(node, "map")
        [generator] = node.generators
        copies = ast.unparse(node.elt) == ast.unparse(generator.target)
        return (f"{text}.slice()", ATOM) if copies else (text, binds)

    def mapped(self, node, method):
        [generator] = node.generators
        element, target, items = node.elt, generator.target, generator.iter
        own = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
        if method == "map" and self._is_where(element) and not own & reads(element.args[0]):
            # The same condition for all items: it is asked once.
            parts = [self._branch(node, each) for each in element.args[1:]]
            test = self.text(element.args[0], CHOICE + 1)
            return operands([test, f"? {parts[0]}", f": {parts[1]}"]), CHOICE
        if isinstance(items, ast.Call) and ast.unparse(items.func) == "range":
            [count] = items.args
            given = "()" if target.id == "_" else f"(_, {self.local(target.id)})"
            head = f"Array.from({{ length: {self.text(count)} }}, {given} => "
            return f"{head}{self.body_of(element)})", ATOM
        zipped = isinstance(items, ast.Call) and ast.unparse(items.func) == "zip"
        sources = items.args if zipped else [items]
        targets = target.elts if zipped else [target]
        for one, source in zip(targets, sources, strict=True):
            same = isinstance(one, ast.Name) and isinstance(element, ast.Name)
            if method == "map" and same and one.id == element.id:
                return getattr(self, "on_" + type(source).__name__.lower())(source)
        taken = {*self.function.names, *own, *reads(element), *self.indices}
        index = next(each for each in INDICES if each not in taken)
        swapped = {}
        for one, source in zip(targets[1:], sources[1:], strict=True):
            if not isinstance(source, ast.Name | ast.Attribute | ast.Subscript):
                self.function.fail(source, "what is zipped has a name")
            swapped[one.id] = f"{self.text(source, ATOM)}[{index}]"
        kept = self.swapped, self.indices
        self.swapped = {n: each for n, each in self.swapped.items() if n not in own} | swapped
        self.indices = {*self.indices, index}
        body = self.body_of(element)
        self.swapped, self.indices = kept
        pattern = self.pattern(targets[0]) if own & reads(element) or swapped else ""
        head = f"({pattern}, {index})" if swapped else f"({pattern})"
        return bracket(f"{self.text(sources[0], ATOM)}.{method}(", [f"{head} => {body}"], ")"), ATOM

    def body_of(self, element):
        text = self.text(element, CHOICE)
        return f"({text})" if text.startswith("{") else text

    def _is_where(self, node):
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "where"
        )

    def _branch(self, node, element):
        made = ast.copy_location(ast.GeneratorExp(element, node.generators), node)
        text, binds = self.mapped(made, "map")
        return f"({text})" if binds <= CHOICE else text

    def pattern(self, target):
        if isinstance(target, ast.Name):
            return "" if target.id == "_" else self.local(target.id)
        if isinstance(target, ast.Starred):
            return f"...{self.pattern(target.value)}"
        if isinstance(self.kind(target), Record):
            return self._pattern_of(target, self.kind(target))
        return f"[{', '.join(map(self.pattern, target.elts))}]".replace(", ]", "]")

    # --- statements -----------------------------------------------------------------------

    def declaration(self, name):
        return f"/** @type {{{self.type(self.function.names[name])}}} */\nlet {self.local(name)};"

    def assigned(self, target, value):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            parts = self.one_by_one(target, value)
            if parts is not None:
                return parts
        kind = self.kind(value)
        if isinstance(target, ast.Tuple) and isinstance(kind, Record):
            return self._unpacked(target, kind, value)
        return self._bound(target, self.text(value), value)

    def _pattern_of(self, target, kind):
        """Return a pattern for the fields of a record."""
        fields = self.program.field_types(kind)
        pairs = []
        for part, (field, field_kind) in zip(target.elts, fields.items(), strict=True):
            if field_kind not in GONE and not (isinstance(part, ast.Name) and part.id == "_"):
                key, own = self.name(field), self.pattern(part)
                pairs.append(key if key == own else f"{key}: {own}")
        return bracket("{", pairs, "}", " ")

    def _unpacked(self, target, kind, value):
        names = [each for each in self.names_in(target) if each != "_"]
        if any(name in self.declared for name in names):
            self.function.fail(target, "a record is unpacked into new names")
        self.declared |= set(names)
        word = "const" if all(self.bound[name] == 1 for name in names) else "let"
        return [f"{word} {self._pattern_of(target, kind)} = {self.text(value)};"]

    def _bound(self, target, text, value):
        if isinstance(target, ast.Attribute | ast.Subscript):
            return [f"{self.text(target)} = {text};"]
        if text == self.pattern(target):
            return []  # it only stops gradients
        names = [each for each in self.names_in(target) if each != "_"]
        fresh = [name for name in names if name not in self.declared]
        self.declared |= set(names)
        if fresh and len(fresh) == len(names):
            word = "const" if all(self.bound[name] == 1 for name in names) else "let"
            wanted = isinstance(target, ast.Name) and self._is_vague(value)
            note = (
                f"/** @type {{{self.type(self.function.names[names[0]])}}} */\n" if wanted else ""
            )
            return [f"{note}{word} {self.pattern(target)} = {text};"]
        return [*map(self.declaration, fresh), f"{self.pattern(target)} = {text};"]

    def _is_vague(self, value):
        """Return whether TypeScript must be told a type: that of what is filled later."""
        if isinstance(value, ast.List):
            return not value.elts or any(map(self._is_vague, value.elts))
        if not isinstance(value, ast.Call):
            return False
        found = self.function.entity(value.func)
        if not found or found[1] not in found[0].records:
            return False
        parts = [*value.args, *(each.value for each in value.keywords)]
        return found[0].records[found[1]].mutable or any(map(self._is_vague, parts))

    def augmented(self, node):
        target = self.text(node.target)
        if isinstance(node.value, ast.List | ast.Tuple):
            return bracket(
                f"{target}.push(", [self.text(each, 1) for each in node.value.elts], ");"
            )
        if isinstance(self.kind(node.target), Sequence):
            return f"{target}.push(...{self.text(node.value, ATOM)});"
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
        if type(node.op) not in sign:
            self.function.fail(node, "an operator that does not change in place")
        return f"{target} {sign[type(node.op)]}= {self.text(node.value)};"

    def returned(self, value):
        return "return;" if value is None else f"return {self.text(value)};"

    def loop(self, node):
        items, target = node.iter, node.target
        self.declared |= set(self.names_in(target))
        called = ast.unparse(items.func) if isinstance(items, ast.Call) else ""
        if called == "range":
            return self.counted(target.id, [self.text(each) for each in items.args], items), []
        if called == "enumerate":
            index, one = target.elts
            source = self.text(items.args[0], ATOM)
            head = self.counted(index.id, [f"{source}.length"], items)
            return head, [f"const {self.pattern(one)} = {source}[{self.local(index.id)}];"]
        if called == "zip":
            index = next(each for each in INDICES if each not in self.function.names)
            first, sources = [], [self.text(each, ATOM) for each in items.args]
            for one, source in zip(target.elts, sources, strict=True):
                first.append(f"const {self.pattern(one)} = {source}[{index}];")
            return self.counted(index, [f"{sources[0]}.length"], items), first
        return f"for (const {self.pattern(target)} of {self.text(items)}) {{", []

    # --- modules --------------------------------------------------------------------------

    def type(self, kind):
        """Return a type as JSDoc writes it."""
        if kind in (NUMBER, INTEGER, FLAG, TEXT):
            return WORDS[kind.name]
        if kind == NOTHING:
            return "void"
        match kind:
            case Record(module, name):
                if module != self.module.name:
                    self.records.add((module, name))
                return name
            case Tuple(items) if len(set(items)) == 1:  # as TypeScript infers `[a, b]`
                return self.type(Sequence(items[0]))
            case Tuple(items):
                return f"[{', '.join(map(self.type, items))}]"
            case Sequence(item):
                text = self.type(item)
                return f"({text})[]" if " " in text and text[0] not in "[{" else f"{text}[]"
            case Optional(value):
                return f"{self.type(value)} | null"
            case Function(parameters, result):
                shown = [self.type(each) for each in parameters if each not in GONE]
                named = ", ".join(f"{'abcdefgh'[i]}: {each}" for i, each in enumerate(shown))
                return f"(({named}) => {self.type(result)})"
        raise AssertionError(kind)

    def printed_function(self, node):
        self.start(node)
        self.look_for_clashes()
        given, notes = [], []
        defaults = node.args.defaults
        first = len(node.args.args) - len(defaults)
        for i, (name, kind) in enumerate(self.function.parameters.items()):
            if kind in GONE:
                continue
            own = self.local(name)
            if i >= first:
                given.append(f"{own} = {self._default(defaults[i - first])}")
                notes.append(f" * @param {{{self.type(kind)}}} [{own}]")
            else:
                given.append(own)
                notes.append(f" * @param {{{self.type(kind)}}} {own}")
        notes.append(f" * @returns {{{self.type(self.function.result)}}}")
        text = self.documentation(node).replace("*/", "* /")
        told = [f" * {line}".rstrip() for line in text.splitlines()]
        word = "function" if node.name.startswith("_") else "export function"
        head = bracket(f"{word} {self.name(node.name)}(", given, ") {")
        body = self.block(node.body, node.body[0].lineno - 1)
        body = [(depth, part) for depth, text in body for part in text.split("\n")]
        return [
            *["/**", *told, *notes, " */"],
            *lines(head, "", self.width, self.step),
            *self.laid_out(body, 1),
            "}",
            "",
        ]

    def _default(self, node):
        if is_literal(node) or isinstance(node, ast.Constant):
            return self.value(ast.literal_eval(node))
        where, name = self.module.origin(node)
        home = self.program.modules.get(where)
        if home is None or name not in {**home.functions, **home.constants}:
            self.function.fail(node, "a default is a constant or a name")
        return self.reference(home, name)

    def printed_record(self, name):
        source = self.module.records[name]
        told = [f" * {line}".rstrip() for line in self.documentation(source.node).splitlines()]
        found = ["/**", *told, f" * @typedef {{object}} {name}"]
        for field, kind in self.program.field_types(Record(self.module.name, name)).items():
            if kind not in GONE:
                comment = source.fields[field].comment
                found.append(
                    f" * @property {{{self.type(kind)}}} {self.name(field)} {comment}".rstrip()
                )
        return [*found, " */", ""]

    def printed_constant(self, node):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        found = []
        for each in ast.walk(ast.Tuple(targets)):
            if isinstance(each, ast.Name) and each.id in self.module.constants:
                value = self.value(getattr(self.module.live, each.id))
                word = "export const" if self._is_read(each.id) else "const"
                text = f"{word} {each.id} = {value};"
                found += lines(text, "", self.width, self.step)
        if node.end_lineno in self.module.beside:
            found[-1] += f" // {self.module.beside[node.end_lineno]}"
        return [*found, ""]

    def _is_read(self, constant):
        """Return whether another module may read a constant."""
        others = [each for each in self.program.modules.values() if each is not self.module]
        is_own = not any((self.module.name, constant) in each.named for each in others)
        return self.read is None or constant in self.read or not is_own

    def printed(self):
        """Return the text of the module."""
        told, source, groups = self.printed_parts()
        body = [line for _, part in groups for line in part]
        while body and not body[-1]:
            body.pop()
        head = [f"// {line}".rstrip() for line in told]
        head += ["//", f"// Printed from {source} by `python tools/generate.py`: do not edit.", ""]
        if not (self.module.functions or self.module.constants):
            body += ["", "export {};"]  # only types, which would make it no module
        return "\n".join([*head, *self._imports(), *body, ""])

    def _imports(self):
        found = []
        here = posixpath.dirname(self.places[self.module.name])
        for name, names in sorted(self.imported.items()):
            place = posixpath.relpath(self.places[name], here or ".")
            place = place if place.startswith(".") else f"./{place}"
            short = self.program.modules[name].short
            if None in names:
                found.append(f'import * as {short} from "{place}";')
            listed = ", ".join(self.name(each) for each in sorted(filter(None, names)))
            if listed:
                found.append(f'import {{ {listed} }} from "{place}";')
        found += [""] * bool(found)
        for name, record in sorted(self.records):
            place = posixpath.relpath(self.places[name], here or ".")
            place = place if place.startswith(".") else f"./{place}"
            found.append(f'/** @typedef {{import("{place}").{record}}} {record} */')
        return [*found, ""]
