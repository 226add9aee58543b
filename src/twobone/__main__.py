"""The console script: `twobone`, and `python -m twobone`."""

import sys
from importlib.util import find_spec


def main():
    """Run the command line, or say in one line what it needs."""
    missing = [name for name in ("typer", "rich") if find_spec(name) is None]
    if missing:
        sys.exit(
            f"twobone: the command line needs {' and '.join(missing)}: pip install 'twobone[play]'"
        )
    from twobone import cli

    sys.exit(cli.run(sys.argv[1:]))


if __name__ == "__main__":
    main()
