"""The command line: `twobone` and its commands `play`, `walk`, `solve`, `pin` and others.

Only results go to standard output. `commands/endings.py` lists the exit codes.
"""

from importlib import import_module

import rich_click as click

import twobone
from twobone.commands import completion, endings

NAMES = (
    *("play", "walk", "solve", "joints", "pin", "move", "retarget", "contacts", "limbs"),
    *("robot", "bench"),
)
HELP = {  # how rich-click prints help
    "padding_helptext_first_line": (0, 0, 1, 0),  # a blank line after each paragraph
    "text_paragraph_linebreaks": "\n\n",
    # Arguments are listed as the usage names them, without their names in Python.
    "option_groups": {
        f"{completion.NAME} *": [
            {"name": "Arguments", "column_types": ["required", "metavar", "help"]}
        ]
    },
}


class Commands(click.RichGroup):
    """The commands; each is imported when it is first needed, so that the others start faster."""

    def list_commands(self, ctx):
        """Return the names in the order of the help."""
        return list(NAMES)

    def get_command(self, ctx, cmd_name):
        """Import a command, or all of them if there is none of this name: click compares them."""
        for name in (cmd_name,) if cmd_name in NAMES else NAMES:
            if name not in self.commands:
                module = import_module(f"twobone.commands.{name}")
                self.add_command(getattr(module, name))
        return super().get_command(ctx, cmd_name)


def run(arguments):
    """Run the command line; return its exit code."""
    return endings.end(lambda: _run(_split_pole(arguments)))


def _run(arguments):
    if completion.is_asked():
        return completion.answer(start)
    # `start.main` would catch exceptions and exit by itself; `endings` does that here.
    with start.make_context(completion.NAME, arguments) as context:
        return start.invoke(context)


def _split_pole(arguments):
    """Rewrite `--pole 0,1,0` and `--pole=0,1,0` as `--pole 0 1 0`."""
    plain = []
    for argument in arguments:
        named = argument.startswith("--pole=")
        value = argument.removeprefix("--pole=")
        if (named or plain[-1:] == ["--pole"]) and "," in value:
            plain += ["--pole"] * named + value.split(",")
        else:
            plain.append(argument)
    return plain


# --- twobone ------------------------------------------------------------------------------


def _print_version(context, option, wanted):
    if wanted and not context.resilient_parsing:
        print(f"twobone {twobone.__version__} (engine: {twobone.engine().name})")
        context.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"show_default": True, "rich_help_config": HELP},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and the engine in use, and exit.",
)
@completion.options
@click.pass_context
def start(context):
    """Two-bone inverse kinematics: find the joint between two bones, given a target.

    `twobone COMMAND --help` lists the arguments and options of a command.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())
