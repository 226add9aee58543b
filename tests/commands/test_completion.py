"""Shell completion: subcommands, options and words."""

import os
import shutil
import subprocess
import sys

import pytest

import twobone
from twobone import cli
from twobone.commands import completion


@pytest.fixture
def complete(monkeypatch, capfd):
    """Return a function that completes a command line as the script of bash does."""

    def words(line):
        given = line.split(" ")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(given) - 1))
        monkeypatch.setenv("_TWOBONE_COMPLETE", "bash_complete")
        assert cli.run([]) == 0
        printed = capfd.readouterr()
        assert printed.err == ""
        kinds_and_words = [line.split(",", 1) for line in printed.out.splitlines() if line]
        return [word if kind == "plain" else kind for kind, word in kinds_and_words]

    return words


def test_subcommands_and_options_are_completed(complete):
    commands = [
        "play",
        "walk",
        "solve",
        "joints",
        "pin",
        "move",
        "retarget",
        "contacts",
        "limbs",
        "robot",
        "bench",
    ]
    assert complete("twobone ") == commands
    assert complete("twobone so") == ["solve"]
    assert {"--r1", "--delimiter", "--quiet"} <= set(complete("twobone solve --"))
    assert complete("twobone solve 1 2 --inp") == ["--input-format"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("walk --creature ", "insect spider dog horse bird human crab centipede"),
        ("walk --creature c", "crab centipede"),
        ("walk --terrain s", "slope steps"),
        ("walk --path ", "circle eight"),
        ("solve --format ", "csv jsonl npy"),
        ("solve --input-format j", "jsonl"),
        ("solve --unreachable s", "stretch soft: stretch:"),
        ("solve --delimiter ", ", ; tab"),
        ("solve --side ", "+1 -1"),
        ("pin --body ", "least keep follow"),
        ("pin --reach s", "soft stretch"),
        ("retarget --hands ", "body world"),
        ("walk --path p", "file"),  # the shell completes the names of files
        ("solve targets", "file"),
        ("solve 1 2 --output a", "file"),
        ("walk --seed ", ""),
        ("--show-completion ", "bash zsh fish"),
    ],
)
def test_words_are_completed(complete, line, words):
    assert complete(f"twobone {line}") == words.split()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_word_and_its_help_are_complete(shell, monkeypatch, capfd):
    monkeypatch.setenv("COMP_WORDS", "twobone walk --s")
    monkeypatch.setenv("COMP_CWORD", {"zsh": "2", "fish": "--s"}[shell])
    monkeypatch.setenv("_TWOBONE_COMPLETE", f"{shell}_complete")
    assert cli.run([]) == 0
    printed = capfd.readouterr().out
    form = {"zsh": "plain\n{}\n{}", "fish": "plain,{}\t{}"}[shell]
    assert form.format("--speed", "Speed in metres per second. Default: about") in printed


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_commands_options_words_and_files(tmp_path):
    """Load the script that is printed into bash, and let it ask the command."""
    source = os.path.dirname(os.path.dirname(twobone.__file__))
    command = tmp_path / "twobone"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m twobone "$@"\n')
    command.chmod(0o755)
    script = """
        eval "$(twobone --show-completion bash)" || exit 1
        complete -p twobone | grep -q -- "-F _twobone_completion twobone" || exit 2
        compopt() { echo compopt "$@"; }  # may be called only while bash completes
        for line in "so" "walk --creature c" "solve --unreach" "pin a"
        do
            COMP_WORDS=(twobone $line) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
            _twobone_completion twobone
            echo "${COMPREPLY[@]}"
        done
    """
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    search = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": path, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "solve\ncrab centipede\n--unreachable\ncompopt -o default\n\n"


@pytest.mark.parametrize("option", ["--show-completion", "--install-completion"])
class TestShells:
    def test_a_shell_without_completion_is_told(self, option, monkeypatch, capfd, tmp_path):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("SHELL", "/bin/dash")
        for words, came in (([], "'dash' from $SHELL"), (["tcsh"], "'tcsh'")):
            assert cli.run([option, *words]) == 2
            printed = capfd.readouterr()
            assert printed.out == ""
            assert printed.err == (
                f"twobone: Invalid value for '{option}': expected bash, zsh or fish, got {came}\n"
            )
        assert not list(tmp_path.iterdir())

    def test_no_shell_is_told(self, option, monkeypatch, capfd):
        monkeypatch.delenv("SHELL", raising=False)
        assert cli.run([option]) == 2
        printed = capfd.readouterr()
        assert printed.out == ""
        assert printed.err.endswith("expected bash, zsh or fish, got '' from $SHELL\n")

    @pytest.mark.parametrize(
        ("shell", "wanted"),
        [
            ("bash", "complete -o nosort -F _twobone_completion twobone"),
            ("zsh", "#compdef twobone"),
            ("fish", "complete --no-files --command twobone"),
        ],
    )
    def test_it_comes_for_a_shell(self, option, shell, wanted, monkeypatch, capfd, tmp_path):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("SHELL", f"/bin/{shell}")
        given = cli.run([option]), capfd.readouterr()
        named = cli.run([option, shell]), capfd.readouterr()
        assert given == named
        code, printed = given
        assert (code, printed.err) == (0, "")
        script = tmp_path / completion.PLACES[shell].script
        assert script.exists() == option.startswith("--install")
        assert wanted in (script.read_text() if script.exists() else printed.out)


@pytest.mark.parametrize("before", [b"", b"alias ll='ls -l'\n", b"alias ll='ls -l'  # caf\xe9"])
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_what_a_shell_runs_when_it_starts_is_kept_and_gets_one_line(
    shell, before, monkeypatch, tmp_path
):
    monkeypatch.setenv("HOME", str(tmp_path))
    place = completion.PLACES[shell]
    start = tmp_path / place.start
    start.write_bytes(before)
    for _ in range(2):
        assert cli.run(["--install-completion", shell]) == 0
    assert start.read_bytes().splitlines() == [*before.splitlines(), place.line.encode()]
