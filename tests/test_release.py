"""A release: addresses made of one setting, checks that stop it, and the workflow that makes it."""

import importlib
import io
import re
import tarfile
from pathlib import Path

import pytest

import twobone

PROJECT = Path(__file__).parents[1]
WORKFLOW = PROJECT / ".github/workflows/release.yml"
ADDRESS = "https://forge.example/owner/name"


@pytest.fixture(autouse=True)
def beside_the_scripts(monkeypatch):
    if not (PROJECT / "release").exists():
        pytest.skip("only an installed package, no project around it")
    monkeypatch.syspath_prepend(str(PROJECT / "release"))


@pytest.fixture
def links():
    return importlib.import_module("links")


@pytest.fixture
def check():
    return importlib.import_module("check")


def readme():
    return (PROJECT / "README.md").read_text(encoding="utf-8")


# --- one setting --------------------------------------------------------------------------


def test_without_an_address_there_are_no_urls_and_readme_stays_as_it_is(links, monkeypatch):
    monkeypatch.setattr(links, "repository_setting", lambda: "")
    made = links.dynamic_metadata({}, {"version": "1.2.3"})
    assert made["urls"] == {}
    assert made["readme"] == {"content-type": "text/markdown", "text": readme()}


def test_all_urls_are_made_of_the_address_and_the_version(links, monkeypatch):
    monkeypatch.setattr(links, "repository_setting", lambda: ADDRESS)
    made = links.dynamic_metadata({}, {"version": "1.2.3"})
    assert made["urls"] == {
        "Source": ADDRESS,
        "Documentation": f"{ADDRESS}/tree/v1.2.3/docs",
        "Changelog": f"{ADDRESS}/blob/v1.2.3/CHANGELOG.md",
        "Issues": f"{ADDRESS}/issues",
    }
    assert f"]({ADDRESS}/raw/v1.2.3/docs/pictures/page.png)" in made["readme"]["text"]


def test_every_link_of_readme_becomes_absolute_and_leads_to_a_file(links):
    text = links.absolute(readme(), ADDRESS, "1.2.3")
    targets = re.findall(r"\]\(([^)]*)\)", text)
    ours = [target for target in targets if target.startswith(ADDRESS)]
    assert all(target.startswith("https://") for target in targets)
    assert len(ours) >= 20
    for target in ours:
        kind, version, path = target.removeprefix(f"{ADDRESS}/").split("/", 2)
        path = path.partition("#")[0]
        assert version == "v1.2.3"
        assert (PROJECT / path).is_dir() == (kind == "tree"), target
        assert (PROJECT / path).exists(), target
        assert (kind == "raw") == path.endswith((".png", ".svg")), target
    before = rf"{ADDRESS}/(?:raw|blob|tree)/v1\.2\.3/(?:README\.md(?=#))?"
    assert re.sub(before, "", text) == readme()


def test_only_links_are_made_absolute(links):
    text = "[a](docs) [b](https://x.org) [c](#d) ![e](docs/pictures/page.png) [![f](g.svg)](h.md)"
    assert links.absolute(f"{text}\n```\n[a](docs)\n```\n", "A", "1") == (
        "[a](A/tree/v1/docs) [b](https://x.org) [c](A/blob/v1/README.md#d)"
        " ![e](A/raw/v1/docs/pictures/page.png) [![f](A/raw/v1/g.svg)](A/blob/v1/h.md)"
        "\n```\n[a](docs)\n```\n"
    )


def test_the_setting_is_empty_or_an_address(links, check):
    setting = links.repository_setting()
    assert setting == "" or check.ADDRESS.fullmatch(setting)


# --- checks -------------------------------------------------------------------------------


@pytest.fixture
def ready(links, check, monkeypatch):
    """Make everything ready for version 1.2.3."""
    monkeypatch.setattr(links, "repository_setting", lambda: ADDRESS)
    monkeypatch.setattr(check, "read_version", lambda: "1.2.3")
    monkeypatch.setattr(check, "release_date", lambda version: "2030-01-31")
    cited = {"version": "1.2.3", "date-released": "2030-01-31"}
    monkeypatch.setattr(check, "citation", lambda: cited)
    return check


def test_a_release_that_is_ready_passes(ready, capsys):
    assert ready.main(["release", "--tag", "v1.2.3"]) == 0
    assert ready.main(["release"]) == 0
    assert capsys.readouterr().err == ""


def test_a_release_stops_in_one_line_while_there_is_no_address(ready, links, monkeypatch, capsys):
    monkeypatch.setattr(links, "repository_setting", lambda: "")
    assert ready.main(["release", "--tag", "v1.2.3"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "[tool.twobone] repository is empty" in line


@pytest.mark.parametrize(
    "address", ["github", "http://x.org/a/b", f"{ADDRESS}/", "https://x.org/a"]
)
def test_what_is_no_address_of_a_repository_stops_a_release(ready, links, monkeypatch, address):
    monkeypatch.setattr(links, "repository_setting", lambda: address)
    assert ready.main(["release"]) == 1


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("read_version", lambda: "1.2.4", "is not v1.2.4"),
        ("release_date", lambda version: None, "no heading `## 1.2.3"),
        ("citation", lambda: {"version": "1.2.3"}, "CITATION.cff must say"),
        ("citation", dict, "CITATION.cff must say"),
    ],
)
def test_what_does_not_agree_with_the_tag_stops_a_release(
    ready, monkeypatch, capsys, name, value, said
):
    monkeypatch.setattr(ready, name, value)
    assert ready.main(["release", "--tag", "v1.2.3"]) == 1
    assert said in capsys.readouterr().err


def test_the_checks_read_the_files_of_the_project(check, tmp_path, monkeypatch):
    assert check.read_version() == twobone.__version__
    assert check.citation()["version"] == twobone.__version__
    monkeypatch.setattr(check, "PROJECT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(
        "# C\n\n## 1.2.3 (2030-01-31)\n\n## 1.2.2 (unreleased)\n"
    )
    assert check.release_date("1.2.3") == "2030-01-31"
    assert check.release_date("1.2.2") is None
    assert check.release_date("1x2.3") is None


def test_an_sdist_must_have_every_file_and_no_other(check, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(check, "tracked", lambda: ["a.py", "docs/b.md", ".ci/run", ".gitignore"])
    for names, said in (
        (["a.py", "docs/b.md", "PKG-INFO"], ""),
        (["a.py", "PKG-INFO"], "lacks docs/b.md"),
        (["a.py", "docs/b.md", "kernel.so"], "has kernel.so"),
    ):
        path = tmp_path / "x.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name in names:
                archive.addfile(tarfile.TarInfo(f"x-1.0/{name}"), io.BytesIO())
        assert check.main(["sdist", str(path)]) == bool(said)
        assert said in capsys.readouterr().err


# --- the workflow -------------------------------------------------------------------------


def workflow():
    if not WORKFLOW.exists():
        pytest.skip("an sdist: no workflow in it")
    return WORKFLOW.read_text(encoding="utf-8")


def test_every_action_of_every_workflow_is_pinned_to_a_commit():
    assert len(re.findall(r"uses: ", workflow())) >= 10
    for path in WORKFLOW.parent.glob("*.yml"):
        for use in re.findall(r"uses: (.*)", path.read_text(encoding="utf-8")):
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", use), f"{path.name}: {use}"


def test_push_and_pull_request_run_the_tests_on_each_python_that_is_declared():
    workflow()
    text = (WORKFLOW.parent / "tests.yml").read_text(encoding="utf-8")
    declared = re.findall(
        r"Python :: (3\.\d+)", (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    )
    assert re.findall(r'"(3\.\d+)"', re.findall(r"python: \[.*\]", text)[0]) == declared
    assert re.search(r"^on:\n  push:\n  pull_request:\n", text, re.MULTILINE)
    assert set(re.findall(r"^ {6}(\w+): (read|write)$", text, re.MULTILINE)) == {
        ("contents", "read")
    }


def test_the_first_command_of_a_release_is_the_check_of_the_address():
    first = re.search(r"^ +(?:- )?run: (.*)$", workflow(), re.MULTILINE)[1]
    assert first == "python release/check.py release"


def test_only_the_upload_may_ask_for_an_identity():
    head, _, publish = workflow().partition("\n  publish:\n")
    assert "id-token" not in head
    assert "id-token: write" in publish
    assert "if: github.event_name == 'push'" in publish
    assert re.search(
        r'^on:\n  push:\n    tags: \["v\*"\]\n  workflow_dispatch:\n', head, re.MULTILINE
    )
