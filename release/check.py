"""Stop a release that is not ready; say in one line what is missing.

python release/check.py release [--tag v1.2.3]   # setting, tag, changelog and citation agree
python release/check.py sdist dist/NAME.tar.gz   # it holds all files of the project
"""

import argparse
import re
import subprocess
import sys
import tarfile

import links
from links import PROJECT

ADDRESS = re.compile(r"https://[\w.-]+/[\w.-]+/[\w.-]+")
# Of no use outside of the repository.
LEFT_OUT = (".ci/", ".github/", ".gitignore", ".pre-commit-config.yaml", "noxfile.py")
MADE = ("PKG-INFO",)  # by the build


def check_release(tag):
    """Yield what keeps a release from being made."""
    repository, version = links.repository_setting(), read_version()
    if not repository:
        yield "pyproject.toml: [tool.twobone] repository is empty; set its public address"
        return
    if not ADDRESS.fullmatch(repository):
        yield f"`repository` must be like https://HOST/OWNER/NAME, got {repository!r}"
    if tag is None:
        return
    if tag != f"v{version}":
        yield f"the tag {tag} is not v{version}, the version in src/twobone/__init__.py"
    date = release_date(version)
    if date is None:
        yield f"CHANGELOG.md has no heading `## {version} (YYYY-MM-DD)`"
    cited = citation()
    if cited.get("version") != version or cited.get("date-released") != date:
        yield f"CITATION.cff must say version {version} and the date of CHANGELOG.md, {date}"


def check_sdist(path):
    """Yield how the files of an sdist differ from those of the repository."""
    wanted = {name for name in tracked() if not name.startswith(LEFT_OUT)}
    with tarfile.open(path) as archive:
        found = {member.name.partition("/")[2] for member in archive if member.isfile()}
    for name in sorted(wanted - found):
        yield f"{path} lacks {name}"
    for name in sorted(found - wanted - set(MADE)):
        yield f"{path} has {name}, which is not in the repository"


def tracked():
    """Return the files that git knows."""
    command = ["git", "ls-files"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


# --- what files say -----------------------------------------------------------------------


def read_version():
    text = (PROJECT / "src/twobone/__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]


def release_date(version):
    """Return the date of a version in the changelog, None while it is unreleased."""
    text = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$", text, re.MULTILINE)
    return found[1] if found else None


def citation():
    """Return the plain fields of the citation file."""
    text = (PROJECT / "CITATION.cff").read_text(encoding="utf-8")
    return dict(re.findall(r'^([\w-]+): "?([^"\n]+)"?$', text, re.MULTILINE))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("release").add_argument("--tag")
    commands.add_parser("sdist").add_argument("path")
    options = parser.parse_args(arguments)
    wrong = (
        check_release(options.tag) if options.command == "release" else check_sdist(options.path)
    )
    lines = [f"release/check.py: {line}" for line in wrong]
    print(*lines, sep="\n", file=sys.stderr, end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
