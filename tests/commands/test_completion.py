"""Shell completion: subcommands, options and words."""

import pytest
import shellingham

from twobone import cli


@pytest.fixture
def complete(monkeypatch, capfd):
    """Return a function that completes a command line as bash does."""

    def words(line):
        given = line.split(" ")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(given) - 1))
        monkeypatch.setenv("_TWOBONE_COMPLETE", "complete_bash")
        assert cli.run([]) == 0
        printed = capfd.readouterr()
        assert printed.err == ""
        return printed.out.split()

    monkeypatch.setenv("COLUMNS", "80")
    return words


def test_subcommands_and_options_are_completed(complete):
    commands = ["play", "walk", "solve", "pin", "contacts", "limbs", "robot", "bench"]
    assert complete("twobone ") == commands
    assert complete("twobone so") == ["solve"]
    assert {"--r1", "--delimiter", "--quiet"} <= set(complete("twobone solve --"))
    assert complete("twobone solve 1 2 --inp") == ["--input-format"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("walk --creature ", "insect spider dog bird crab centipede"),
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
        ("solve targets", ""),  # files are the shell's
    ],
)
def test_words_are_completed(complete, line, words):
    assert complete(f"twobone {line}") == words.split()


def test_a_word_and_its_help_are_one_line(monkeypatch, capfd):
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "twobone walk --")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("_TWOBONE_COMPLETE", "complete_fish")
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.run([]) == 0
    assert all(line.startswith("--") for line in capfd.readouterr().out.splitlines())


@pytest.mark.parametrize("option", ["--show-completion", "--install-completion"])
class TestShells:
    def test_a_shell_without_completion_is_told(self, option, monkeypatch, capfd, tmp_path):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setattr(shellingham, "detect_shell", lambda: ("dash", "/bin/dash"))
        assert cli.run([option]) == 2
        printed = capfd.readouterr()
        assert printed.out == ""
        assert printed.err.startswith(
            "twobone: no completion for dash; supported shells: bash, zsh, fish"
        )
        assert printed.err.count("\n") == 1
        assert not list(tmp_path.iterdir())

    def test_no_shell_is_told(self, option, monkeypatch, capfd):
        def fail():
            raise shellingham.ShellDetectionFailure

        monkeypatch.setattr(shellingham, "detect_shell", fail)
        assert cli.run([option]) == 2
        printed = capfd.readouterr()
        assert printed.out == ""
        assert printed.err.startswith(
            "twobone: no completion for this shell (it could not be detected); supported"
        )
        assert printed.err.count("\n") == 1

    def test_it_comes_for_bash(self, option, monkeypatch, capfd, tmp_path):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setattr(shellingham, "detect_shell", lambda: ("bash", "/bin/bash"))
        assert cli.run([option]) == 0
        printed = capfd.readouterr()
        installed = "".join(path.read_text() for path in tmp_path.glob(".bash*/*"))
        script = installed if option.startswith("--install") else printed.out
        assert "complete -o default -F _twobone_completion twobone" in script
        assert printed.err == ""
