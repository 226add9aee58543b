"""What commands say when they fail."""

from twobone import cli


def complaint(capsys, command, *arguments):
    """Run a command that fails; return what it says, which is one line."""
    assert cli.run([command, *map(str, arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("twobone: ")
    assert printed.err.count("\n") == 1
    return printed.err
