"""Numbers in options and arguments: the same as in tables, and no others."""

import pytest

from twobone import cli

NO_NUMBERS = ["1_0", "\u0661", "\uff11", "1,5", "0x10", "one", "", "1\xa0"]
SOLVE = ["solve", "1", "1"]
WALK = ["walk", "--report"]


@pytest.mark.parametrize("text", NO_NUMBERS)
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "1", "{}", "--r1", "1", "--r2", "1"],
        [*SOLVE, "--r1", "{}", "--r2", "1"],
        [*SOLVE, "--r1", "1", "--r2", "{}"],
        [*SOLVE, "--r1", "1", "--r2", "1", "--side", "{}"],
        [*SOLVE, "1", "--r1", "1", "--r2", "1", "--pole", "0", "{}", "1"],
        [*SOLVE, "--r1", "1", "--r2", "1", "--unreachable", "soft:{}"],
        [*SOLVE, "--r1", "1", "--r2", "1", "--unreachable", "limits:0:{}"],
        [*WALK, "--seconds", "{}"],
        [*WALK, "--fps", "{}"],
        [*WALK, "--speed", "{}"],
        [*WALK, "--turn", "{}"],
        [*WALK, "--seed", "{}"],
        [*WALK, "--terrain", "{}"],
        [*WALK, "--path", "0,1 {},2"],
        ["bench", "--count", "{}"],
        ["bench", "--seconds", "{}"],
        ["play", "--port", "{}"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[-2:]),
)
def test_what_is_no_number_is_refused_in_one_line(arguments, text, capsys):
    assert cli.run([argument.format(text) for argument in arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("twobone: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["bench", "--seconds", "nan"], "a number from 0 to 60, got 'nan'"),
        (["bench", "--seconds", "61"], "a number from 0 to 60, got '61'"),
        (["bench", "--count", "1" + "0" * 30], "a whole number from 1 to 1000000000000000, got"),
        (["play", "--port", "-1"], "a whole number from 0 to 65535, got '-1'"),
        ([*WALK, "--seed", "-1"], "a whole number from 0, got '-1'"),
        ([*WALK, "--seed", "9" * 5000], "a whole number from 0, got '999"),
        ([*SOLVE, "--side", "1.0"], "a whole number, got '1.0'"),
    ],
)
def test_bounds_are_told(arguments, wanted, capsys):
    assert cli.run(arguments) == 2
    option = next(word for word in arguments if word.startswith("--") and word != "--report")
    assert capsys.readouterr().err.startswith(
        f"twobone: Invalid value for '{option}': expected {wanted}"
    )


def test_lengths_of_no_limb_are_values(capfd):
    for length in ("nan", "inf", "-1"):
        assert cli.run([*SOLVE, "--r1", length, "--r2", "1"]) == 0
        assert capfd.readouterr().out.endswith("INVALID\n")
