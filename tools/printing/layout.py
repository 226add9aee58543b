"""Break long lines: brackets one item a line, then operators one operand a line.

Texts carry marks for where they may be broken. They are made by `bracket` and `operands`, and
`lines` takes them out again.
"""

OPEN, CLOSE, BREAK, INFIX = "\ue000", "\ue001", "\ue002", "\ue003"
SHORT = 16  # breaking a bracket that is shorter helps little


def bracket(left, items, right, pad=""):
    """Return items in brackets, separated by commas."""
    if not items:
        return left + right
    inside = BREAK.join([f"{item}," for item in items[:-1]] + [items[-1]])
    return f"{left}{OPEN}{pad}{inside}{pad}{CLOSE}{right}"


def operands(items):
    """Return operands, each but the first with its operator before it."""
    return f"{INFIX}{BREAK.join(items)}{CLOSE}"


def flat(text):
    """Return a text as one line."""
    for mark in (OPEN, CLOSE, INFIX):
        text = text.replace(mark, "")
    return text.replace(BREAK, " ")


def lines(text, indent, width, step="  ", comma=","):
    """Return the lines of a text; `comma` follows the last item of a broken bracket."""
    if len(indent) + len(flat(text)) <= width:
        return [indent + flat(text)]
    groups = list(_groups(text))
    if not groups:
        return [indent + flat(text)]
    start, end = max(groups, key=lambda group: _rank(text, *group))
    head, items, tail = text[:start], _items(text[start + 1 : end]), text[end + 1 :]
    again = (width, step, comma)
    if text[start] == INFIX:
        found = lines(head + items[0], indent, *again)
        for item in items[1:-1]:
            found += lines(item, indent + step, *again)
        return found + lines(items[-1] + tail, indent + step, *again)
    found = [indent + flat(head)]
    for item in items:
        found += lines(item.strip(), indent + step, *again)
    if not flat(items[-1]).startswith("..."):
        found[-1] += comma
    return found + lines(tail, indent, *again)


def _rank(text, start, end):
    """Return what makes a group the one to break: operators last, and the longest bracket."""
    size = len(flat(text[start:end]))
    return size > SHORT, text[start] == OPEN, size


def _groups(text):
    """Yield start and end of the outermost groups that have something to break."""
    depth = start = 0
    for at, mark in enumerate(text):
        if mark in (OPEN, INFIX):
            if depth == 0:
                start = at
            depth += 1
        elif mark == CLOSE:
            depth -= 1
            if depth == 0 and (text[start] == OPEN or len(_items(text[start + 1 : at])) > 1):
                yield start, at


def _items(text):
    """Return the items of a group."""
    depth, items = 0, [""]
    for mark in text:
        depth += (mark in (OPEN, INFIX)) - (mark == CLOSE)
        if mark == BREAK and depth == 0:
            items.append("")
        else:
            items[-1] += mark
    return items
