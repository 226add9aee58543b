"""Write docs/modules.md: `python docs/first_lines.py` lists the first line of every module."""

import ast
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "modules.md"
HEAD = """# Modules

The first line of each module. {doc}`architecture` explains how the packages fit together.
(`python docs/first_lines.py` writes this page.)
"""


def page():
    """Return the text of the page."""
    source = PROJECT / "src" / "twobone"
    parts, folder = [HEAD], None
    for path in sorted(source.rglob("*.py"), key=lambda path: (path.parent, path)):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        if text is None:
            continue  # an empty `__init__.py`
        if path.parent != folder:
            folder = path.parent
            name = folder.relative_to(source).as_posix()
            title = f"`{name}/`" if name != "." else "`twobone`"
            parts.append(f"\n## {title}\n\n| module | what is in it |\n|---|---|\n")
        parts.append(f"| `{path.name}` | {text.splitlines()[0].replace('|', chr(92) + '|')} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
