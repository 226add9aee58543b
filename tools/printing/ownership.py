"""What a function changes, and which names stand for a place that something else owns.

Python and JavaScript refer to lists and records that change; C++ keeps them in place, in their
owner. So a second name is a reference there. It is one that Python would have, if its place is not
given another value while the name is in use, and if nothing has two owners.

A slot is a field of a record, the items of a type of list, or the length of one.
"""

import ast
from collections import defaultdict
from typing import NamedTuple

from printing.types import Optional, Record, Sequence, Tuple

END = (1 << 30, 0)


def parts_of(kind, program, seen=()):
    """Return a type and all types that its values contain."""
    found = [kind]
    match kind:
        case Record() if kind not in seen:
            for each in program.field_types(kind).values():
                found += parts_of(each, program, (*seen, kind))
        case Tuple(items):
            for each in items:
                found += parts_of(each, program, seen)
        case Sequence(item) | Optional(item):
            found += parts_of(item, program, seen)
    return found


def is_changing(kind, program):
    """Return whether a value of a type may change, or a part of it."""
    return any(
        isinstance(each, Record | Sequence) and each.mutable for each in parts_of(kind, program)
    )


class Alias(NamedTuple):
    """A second name: the expression of its place, and the part of the source where it is used."""

    source: ast.expr
    start: tuple
    end: tuple
    is_loop: bool


class Ownership:
    """What a checked function changes, through which names, and where."""

    def __init__(self, function):
        self.function, self.program = function, function.program
        self.parameters = set(function.parameters)
        self.assigned = defaultdict(int)  # how often a name is bound, but by loops
        self.last = {}  # the end of the last use of a name
        self.aliases = defaultdict(list)
        self.direct = []  # (place, slot, node) of each change in this function
        self.calls = []  # (node, module, name, arguments by parameter)
        for node in ast.walk(function.node):
            self._note(node)
        self.effects = list(self.direct)  # and those of the functions that it calls
        self.changes = {}  # slots by parameter

    # --- what there is --------------------------------------------------------------------

    def _note(self, node):
        match node:
            case ast.Name(ctx=ast.Load()):
                self.last[node.id] = max(self.last.get(node.id, (0, 0)), end_of(node))
            case ast.Assign(targets=[target], value=value):
                self._note_target(target, node)
                if isinstance(target, ast.Name):
                    self._add(target, value, start_of(node), END, False)
            case ast.AnnAssign(target=ast.Name() as target, value=value):
                self._note_target(target, node)
                if value is not None:
                    self._add(target, value, start_of(node), END, False)
            case ast.AugAssign(target=target):
                if isinstance(self.function.known(target), Sequence):
                    self._note_growth(target, node)
                else:
                    self._note_target(target, node)
            case ast.For(target=target, iter=items):
                for one, source in loop_pairs(target, items):
                    self._add(one, source, start_of(node.body[0]), end_of(node), True)
            case ast.ListComp(generators=[each]) | ast.GeneratorExp(generators=[each]):
                for one, source in loop_pairs(each.target, each.iter):
                    self._add(one, source, start_of(node), end_of(node), True)
            case ast.Call(func=ast.Attribute(value=base, attr="append")):
                if isinstance(self.function.known(base), Sequence):
                    self._note_growth(base, node)
            case ast.Call():
                self._note_call(node)

    def _add(self, target, source, start, end, is_loop):
        names = {each.id for each in ast.walk(source) if isinstance(each, ast.Name)}
        for each in ast.walk(target):
            if isinstance(each, ast.Name) and each.id not in names and is_place(source):
                self.aliases[each.id].append(Alias(source, start, end, is_loop))

    def _note_target(self, target, node):
        if isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                self._note_target(each, node)
        elif isinstance(target, ast.Starred):
            self._note_target(target.value, node)
        elif isinstance(target, ast.Name):
            self.assigned[target.id] += 1
        else:
            self.direct.append((target, self.slot(target), node))

    def _note_growth(self, base, node):
        inside = ast.copy_location(ast.Attribute(base, "", ast.Store()), node)
        self.direct.append((inside, ("length", self.function.known(base)), node))

    def _note_call(self, node):
        found = self.function.entity(node.func)
        if not found or found[1] not in found[0].functions:
            return
        home, name = found
        parameters = list(self.program.parameters(home.name, name))
        given = dict(zip(parameters, node.args, strict=False))
        given |= {each.arg: each.value for each in node.keywords}
        self.calls.append((node, home.name, name, given))

    def slot(self, target):
        """Return the slot that an attribute or an item of a list is."""
        base = self.function.known(target.value)
        if isinstance(target, ast.Attribute):
            return "field", getattr(base, "module", ""), getattr(base, "name", ""), target.attr
        return "items", base

    def alias(self, node):
        """Return what the name of a node stands for there, or None."""
        at = start_of(node)
        found = [each for each in self.aliases.get(node.id, ()) if each.start <= at <= each.end]
        return found[-1] if found else None

    def path(self, node):
        """Return the slots on the way to a place, and the names of its owners."""
        match node:
            case ast.IfExp(body=one, orelse=other):
                first, second = self.path(one), self.path(other)
                return first[0] | second[0], first[1] | second[1]
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                if self.function.entity(node):
                    return set(), set()
                slots, owners = self.path(value)
                if not getattr(node, "attr", "item"):  # the length of a list
                    return slots, owners
                length = {("length", self.function.known(value))}
                return slots | {self.slot(node)} | length, owners
            case ast.Name(id=name):
                alias = self.alias(node)
                if alias is None:
                    return set(), {name}
                slots, owners = self.path(alias.source)
                if alias.is_loop:
                    kind = self.function.known(alias.source)
                    slots = slots | {("items", kind), ("length", kind)}
                return slots, owners or {name}
        return set(), set()

    # --- what follows ---------------------------------------------------------------------

    def through(self, place):
        """Return the names through which a place is reached, up to its owner."""
        match place:
            case ast.IfExp(body=one, orelse=other):
                return self.through(one) | self.through(other)
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                return self.through(value)
            case ast.Name(id=name):
                alias = self.alias(place)
                return {name} | (self.through(alias.source) if alias else set())
        return set()

    @property
    def changed(self):
        """The names through which something changes."""
        return {name for place, _, _ in self.effects for name in self.through(place)}

    def dangers(self, owners, start, end):
        """Return the slots of places with one of these owners that change in a part of the source.

        Arguments may be parts of one another.
        """
        found = set()
        for place, slot, node in self.effects:
            if start <= start_of(node) <= end:
                changed = self.path(place)[1]
                if changed & owners or (changed & self.parameters and owners & self.parameters):
                    found.add(slot)
        return found

    def endangered(self, node, alias):
        """Return whether the place of a second name is given another value while it is used."""
        slots, owners = self.path(node)
        end = alias.end if alias.is_loop else self.last.get(node.id, (0, 0))
        again = any(self.assigned[each] + (each in self.parameters) > 1 for each in owners)
        return again or bool(slots & self.dangers(owners, alias.start, end))

    def is_parameter_endangered(self, name):
        """Return whether a place that an argument may be in is given another value."""
        kind = self.function.parameters[name]
        return any(
            kind in parts_of(each, self.program)
            for place, slot, _ in self.effects
            if self.path(place)[1] & self.parameters
            for each in self._held(slot)
        )

    def _held(self, slot):
        """Return the types of what may be lost when a slot changes."""
        if slot[0] == "field":
            return [self.program.field_types(Record(slot[1], slot[2]))[slot[3]]]
        return [slot[1].item] if isinstance(slot[1], Sequence) else []


class Effects:
    """The ownership of all functions of a program, with what their calls change."""

    def __init__(self, program):
        self.program, self.found = program, {}

    def of(self, module, name):
        """Return what a function changes."""
        if (module, name) not in self.found:
            self._add(module, name)
            self._settle()
        return self.found[module, name]

    def _add(self, module, name):
        self.found[module, name] = made = Ownership(self.program.checked(module, name))
        for _, home, called, _ in made.calls:
            if (home, called) not in self.found:
                self._add(home, called)

    def _settle(self):
        """Carry changes from functions to their callers until there are no more."""
        again = True
        while again:
            again = False
            for each in self.found.values():
                made = list(each.direct)
                for node, home, name, given in each.calls:
                    for parameter, slots in self.found[home, name].changes.items():
                        if is_place(given.get(parameter)):
                            inside = ast.Attribute(given[parameter], "", ast.Store())
                            inside = ast.copy_location(inside, node)
                            made += [(inside, slot, node) for slot in slots]
                each.effects = made
                changes = defaultdict(set)
                for place, slot, _ in made:
                    for name in each.through(place) & each.parameters:
                        changes[name].add(slot)
                again |= changes != each.changes
                each.changes = changes


def is_place(node):
    """Return whether an expression names what exists already."""
    if isinstance(node, ast.IfExp):
        return is_place(node.body) and is_place(node.orelse)
    while isinstance(node, ast.Attribute | ast.Subscript) and not _is_part(node):
        node = node.value
    return isinstance(node, ast.Name)


def _is_part(node):
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)


def loop_pairs(target, items):
    """Yield what a loop binds, and the sequence from which it comes."""
    called = ast.unparse(items.func) if isinstance(items, ast.Call) else ""
    if called == "enumerate":
        yield target.elts[1], items.args[0]
    elif called == "zip":
        yield from zip(target.elts, items.args, strict=True)
    elif called != "range":
        yield target, items


def start_of(node):
    """Return line and column where a node starts."""
    return node.lineno, node.col_offset


def end_of(node):
    """Return line and column where a node ends."""
    return node.end_lineno, node.end_col_offset
