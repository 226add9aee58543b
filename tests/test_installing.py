"""All texts install the package from where `errors.install_command` does, and name real extras."""

import re
import tomllib
from pathlib import Path

from twobone.errors import INSTALLED_FROM, install_command

PROJECT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
# What is not ours: packages of an environment inside the project, and what was made.
OTHERS = {"vendor", "build", "node_modules", "site", "generated"}
OTHERS |= {path.parent.name for path in PROJECT.glob("*/pyvenv.cfg")}
# The changelog tells what was; the pipelines install what they have just built.
TEXTS = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md", "**/*.py", "**/*.js", "**/*.html")
    for path in PROJECT.glob(pattern)
    if path.name != "CHANGELOG.md"
    and not OTHERS & {*path.parts}
    and path != Path(__file__)
    and not any(part.startswith(".") for part in path.relative_to(PROJECT).parts)
)
INSTALLS = re.compile(r"pip install\s[^\n`]*?['\"]?([\w.-]+)\\?\[(\w+)\\?\]")
NAMES = re.compile(r"\btwobone\\?\[(\w+)\\?\]")


def test_texts_install_from_where_the_package_is():
    wrong = []
    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        wrong += [
            (path.name, found[0])
            for found in INSTALLS.finditer(text)
            if found[1] != INSTALLED_FROM or found[2] not in EXTRAS
        ]
        if INSTALLED_FROM != "twobone":
            wrong += [(path.name, found[0]) for found in NAMES.finditer(text)]
    assert not wrong


def test_the_texts_are_found():
    with_extras = {path.name for path in TEXTS if INSTALLS.search(path.read_text("utf-8"))}
    assert with_extras >= {"README.md", "feet.md", "animals.md", "index.md", "CONTRIBUTING.md"}


def test_the_message_says_where_to_run_the_command():
    assert INSTALLS.search(install_command("play")).groups() == (INSTALLED_FROM, "play")
    assert install_command("play").endswith(" in the source folder") == (INSTALLED_FROM == ".")
