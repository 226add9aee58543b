"""Entry point of the command line: `twobone` and `python -m twobone`."""

import sys
from importlib.util import find_spec

from twobone.errors import install_command


def main():
    """Run the command line, or print in one line which packages it needs."""
    missing = [name for name in ("click", "rich_click", "rich") if find_spec(name) is None]
    if missing:
        needed = " and ".join(missing).replace("_", "-")
        sys.exit(f"twobone: the command line needs {needed}: {install_command('play')}")
    from twobone import cli

    sys.exit(cli.run(sys.argv[1:]))


if __name__ == "__main__":
    main()
