"""Write docs/modules.md: `python docs/first_lines.py` lists the first line of every module."""

import ast
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "modules.md"
HEAD = """# Modules

What is in each module, by its first line. `python docs/first_lines.py` writes this page.
"""


def page():
    """Return the text of the page."""
    source = PROJECT / "src" / "twobone"
    parts, room = [HEAD], None
    for path in sorted(source.rglob("*.py"), key=lambda path: (len(path.parts) > 1, path)):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        if text is None:
            continue  # the empty door of a room
        if path.parent != room:
            room = path.parent
            name = room.relative_to(source).as_posix()
            title = f"`{name}/`" if name != "." else "`twobone`"
            parts.append(f"\n## {title}\n\n| module | what is in it |\n|---|---|\n")
        parts.append(f"| `{path.name}` | {text.splitlines()[0].replace('|', chr(92) + '|')} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
