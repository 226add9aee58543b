"""JavaScript as tokens and statements: what is a comment, and which statements need each other."""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<space>\s+)
    |(?P<word>[\w$]+)
    |(?P<sign>\+\+|--|\.\.\.|.)""",
    re.DOTALL | re.VERBOSE,
)
# The rest of a template literal, up to its end or to the expression that it contains.
TEMPLATE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
PATTERN = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
# Signs and words after which a slash divides; after all others it begins a regular expression.
ENDS = {")", "]", "}", "++", "--", "."}
GOES_ON = {
    *("return", "typeof", "instanceof", "in", "of", "new", "delete", "void"),
    *("throw", "case", "do", "else", "yield", "await"),
}
DECLARES = {"const", "let", "var", "class", "function", "async"}


class Token(NamedTuple):
    """A piece of code; `kind` is comment, string, space, word, sign, template or pattern."""

    kind: str
    text: str


def tokens(code: str) -> Iterator[Token]:
    """Split JavaScript into tokens; joined, their texts are the code.

    A slash is taken for the beginning of a regular expression where an operand is expected. That
    is wrong after the parenthesis of an `if` and after a block, where nobody writes one.
    """
    place, last = 0, ""
    braces: list[int] = []  # for each template literal around: braces that are open in it
    while place < len(code):
        found = TOKEN.match(code, place)
        assert found is not None  # the last alternative matches everything
        kind, text = str(found.lastgroup), found[0]
        if text == "`" or (text == "}" and braces and braces[-1] == 0):
            if text == "}":
                braces.pop()
            rest = TEMPLATE.match(code, place + 1)
            kind, text = "template", text + (rest[0] if rest else code[place + 1 :])
            if text.endswith("${"):
                braces.append(0)
        elif text == "/" and _is_operand_next(last) and (rest := PATTERN.match(code, place)):
            kind, text = "pattern", rest[0]
        elif braces and text in "{}":
            braces[-1] += 1 if text == "{" else -1
        place += len(text)
        if kind not in ("comment", "space"):
            last = "(" if text.endswith("${") else text
        yield Token(kind, text)


def _is_operand_next(last):
    """Return whether an operand follows a token, not an operator."""
    if not last or last in GOES_ON:
        return True
    return not (last[-1].isalnum() or last[-1] in "_$\"'`" or last in ENDS)


@functools.lru_cache(maxsize=256)  # a process may make many pages from the same files
def without_comments(code: str) -> str:
    """Return JavaScript without comments, indentation and empty lines; the tokens stay the same."""
    made, before = [""], ""
    for kind, text in tokens(code):
        is_after_word = made[-1][-1:].isalnum() or made[-1][-1:] in ("_", "$")
        if kind not in ("comment", "space"):
            made.append(text)
        elif "\n" in text:
            if made[-1] == " ":
                made.pop()
            if made[-1] != "\n":
                made.append("\n")
        elif is_after_word or (kind == "space" and before != "comment" and made[-1] not in " \n"):
            made.append(" ")
        before = kind
    return "".join(made).strip() + "\n"


@functools.lru_cache(maxsize=256)
def without_spaces(code: str) -> str:
    """Return JavaScript without spaces that separate nothing; line breaks and tokens stay the same.

    Examples
    --------
    >>> from twobone.play.javascript import without_spaces
    >>> without_spaces("return a + +b; // c")
    'return a+ +b;// c'
    """
    made, space = [""], ""
    for kind, text in tokens(code):
        if kind == "space" and "\n" not in text:
            space = text
            continue
        if space and _must_be_apart(made[-1][-1:], text[:1]):
            made.append(space)
        made.append(text)
        space = ""
    return "".join(made)


def _must_be_apart(last, first):
    """Return whether two pieces of code would be others without a space between them."""
    are_words = all(part.isalnum() or part in ("_", "$") for part in (last, first))
    are_signs = last in "+-/" and first in "+-/"
    return are_words or are_signs or (last.isdigit() and first == ".") or last + first == "<!"


class Statement(NamedTuple):
    """A statement of a module, with the names that it declares and those that it mentions."""

    code: str
    declares: frozenset[str]
    mentions: frozenset[str]


@functools.lru_cache(maxsize=16)
def statements(code: str) -> list[Statement]:
    """Split a module into statements, each with the semicolon or brace that ends it."""
    made, now, depth = [], [], 0
    for token in tokens(code):
        now.append(token)
        kind, text = token
        if kind == "template":
            depth += text.endswith("${") - text.startswith("}")
        elif kind == "sign":
            depth += (text in "([{") - (text in ")]}")
            if depth == 0 and (text == ";" or (text == "}" and _ends_with_brace(now))):
                made.append(_statement(now))
                now = []
    return [*made, _statement(now)]


def _significant(found):
    return [token for token in found if token.kind not in ("comment", "space")]


def _ends_with_brace(found):
    return _significant(found)[0].text in ("class", "function", "async")


def _statement(found):
    parts = _significant(found)
    mentions = {
        token.text
        for before, token in zip([Token("", ""), *parts], parts, strict=False)
        if token.kind == "word" and before.text != "."
    }
    code = "".join(token.text for token in found)
    return Statement(code, frozenset(_declared(parts)), frozenset(mentions))


def _declared(parts):
    """Return the names that a statement declares; none if it does anything else."""
    if not parts or parts[0].text not in DECLARES:
        return set()
    if parts[0].text not in ("const", "let", "var"):
        return {next(p.text for p in parts if p.kind == "word" and p.text not in DECLARES)}
    names, depth, is_name = set(), 0, True
    for kind, text in parts[1:]:
        if is_name and kind != "word":
            return set()  # a pattern such as {a, b}
        if is_name:
            names.add(text)
        is_name = depth == 0 and text == ","
        if kind == "template":
            depth += text.endswith("${") - text.startswith("}")
        elif kind == "sign":
            depth += (text in "([{") - (text in ")]}")
    return names


def needed(found: list[Statement], names: Iterable[str]) -> list[Statement]:
    """Return the statements that are needed for some names (tree shaking).

    Statements that only declare something have no other effect, so they are needed only if they
    are mentioned. A statement such as `Name.property = 1;` belongs to the declaration of `Name`.
    All others are needed. Whoever mentions a name that is local elsewhere gets too much, not too
    little.
    """
    owners = {name: i for i, one in enumerate(found) for name in one.declares}
    parts: dict[int, list[int]] = {}
    kept, todo = set(), [owners[name] for name in names if name in owners]
    for i, one in enumerate(found):
        owner = re.match(r"\s*([\w$]+)\s*\.", one.code)
        if one.declares:
            continue
        if owner and owner[1] in owners:
            parts.setdefault(owners[owner[1]], []).append(i)
        else:
            todo.append(i)
    while todo:
        i = todo.pop()
        if i not in kept:
            kept.add(i)
            todo += parts.get(i, [])
            todo += [owners[name] for name in found[i].mentions if name in owners]
    return [one for i, one in enumerate(found) if i in kept]
