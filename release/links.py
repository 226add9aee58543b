"""Addresses made of one setting: URLs of the metadata, and README as the package index shows it.

The setting is `repository` under [tool.twobone] in pyproject.toml, the address of the project on
GitHub. While it is empty the metadata has no URLs and README keeps its relative links.
scikit-build-core calls `dynamic_metadata` whenever it builds: see [[tool.dynamic-metadata]].
"""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
ABSOLUTE = re.compile(r"[a-z]+:")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def dynamic_metadata(settings, project):
    """Return `urls` and `readme` for the metadata of a build."""
    del settings
    repository, version = repository_setting(), project["version"]
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    return {
        "urls": urls(repository, version),
        "readme": {"content-type": "text/markdown", "text": absolute(text, repository, version)},
    }


def repository_setting():
    """Return the address of the repository; empty while there is none."""
    with open(PROJECT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["tool"]["twobone"]["repository"]


def urls(repository, version):
    """Return the URLs of the metadata by their names; those of a version lead to its tag."""
    if not repository:
        return {}
    return {
        "Source": repository,
        "Documentation": f"{repository}/tree/v{version}/docs",
        "Changelog": f"{repository}/blob/v{version}/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def absolute(text, repository, version):
    """Return README with links and pictures that work everywhere: those of the version's tag."""
    if not repository:
        return text

    def replace(match):
        picture, words, target = match.groups()
        # A picture may stand in the words of a link.
        words = LINK.sub(replace, words)
        if target.startswith("#"):  # the package index gives headings no names
            target = f"README.md{target}"
        if not ABSOLUTE.match(target):
            target = f"{repository}/{_kind(picture, target)}/v{version}/{target}"
        return f"{picture}[{words}]({target})"

    parts = FENCE.split(text)
    parts[::2] = [LINK.sub(replace, part) for part in parts[::2]]
    return "".join(parts)


def _kind(picture, target):
    """Return how GitHub shows it: a picture as it is, a folder as a list, a file as a page."""
    if picture:
        return "raw"
    path = target.partition("#")[0]
    return "tree" if (PROJECT / path).is_dir() else "blob"
