"""`twobone walk`: an animal walks; its walk goes to files, its measures to standard output."""

import math
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from twobone.commands import walk_report, waypoints
from twobone.commands.endings import say
from twobone.commands.numbers import real, whole
from twobone.commands.streams import CommandError
from twobone.commands.words import Quiet, creatures, words
from twobone.files import atomic, recordings
from twobone.files.numbers import is_number
from twobone.film import encoder
from twobone.pictures import model, walking
from twobone.terrain.arguments import MOST_FRAMES

GROUNDS = ("flat", "slope", "steps")
MODELS = {".glb": model.write_glb, ".svg": walking.write_svg}


def walk(
    creature: Annotated[
        str,
        typer.Option(
            autocompletion=creatures,
            metavar="NAME",
            help="insect, spider, dog, bird, crab or centipede.",
        ),
    ] = "insect",
    terrain: Annotated[
        str,
        typer.Option(
            autocompletion=words(*GROUNDS),
            metavar="GROUND",
            help="flat, slope, steps, or how rough: root mean square of its height over the"
            " length of a leg, such as 0.15.",
        ),
    ] = "flat",
    seed: Annotated[
        int,
        typer.Option(parser=whole(0), metavar="N", help="Of rough ground: another, other hills."),
    ] = 0,
    seconds: Annotated[
        float | None,
        typer.Option(
            parser=real(),
            metavar="S",
            help="How long it walks: 10, or to the end of its path, unless given.",
        ),
    ] = None,
    fps: Annotated[
        float, typer.Option("--fps", parser=real(), metavar="N", help="Frames a second.")
    ] = 60.0,
    speed: Annotated[
        float | None,
        typer.Option(
            parser=real(), metavar="V", help="Metres a second; as is usual for it unless given."
        ),
    ] = None,
    turn: Annotated[
        float | None,
        typer.Option(
            parser=real(), metavar="W", help="Radians a second, to the left; 0 unless given."
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            autocompletion=words("circle", "eight"),
            metavar="PATH",
            help='Where it walks: waypoints in metres, such as "0,5 5,5"; circle, eight; or a file'
            " of two columns, x and z (.csv, .jsonl, .npy). It starts at 0,0 along +z, +x is left.",
        ),
    ] = None,
    report: Annotated[
        bool,
        typer.Option(
            "--report",
            help="Print how well it walked beside the insect of the article, in numbers.",
        ),
    ] = False,
    out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="Where to: .npz, .json; .glb, a model that moves; .mp4, a film; .svg, a picture."
            " May be given again.",
        ),
    ] = None,
    quiet: Quiet = False,
):
    """Let an animal walk, and keep its walk.

    Files are written whole or not at all. With --report the exit code is 1 if a figure of the
    animal is out of its bounds.
    """
    out = out or []
    if not (out or report):
        raise CommandError("nothing to do: give --out FILE, --report, or both")
    ground = parse_ground(terrain)
    options = _check_options(seconds=seconds, fps=fps, speed=speed, turn=turn, path=path)
    if path is not None:
        options["path"] = waypoints.read_path(path, _room().make_path, creature)
    _check_apart(out)
    films = sum(_suffix_of(path) == ".mp4" for path in out)
    if films:
        encoder.load_encoder()
        encoder.rate_of(1.0 / fps)
    # Opened before the walk: what cannot be written is known at once.
    with ExitStack() as files:
        opened = [(files.enter_context(atomic.replacing(path)), path) for path in out]
        room = _room()
        place = room.make_terrain(ground, creature, seed=seed)
        with _progress(quiet) as advance:
            tell = _shares(advance, [1.0, *(_work(path) for _, path in opened)])
            recording = room.walk(
                creature, terrain=place, seed=seed, progress=next(tell), **options
            )
            for file, path in opened:
                _write(file, _suffix_of(path), recording, place, next(tell))
    if not quiet:
        _tell(recording, speed, room.animal(creature) if speed is not None else None)
    if report:
        again = _again(options, recording)
        fine = room.walk(creature, terrain=place, seed=seed, **again)
        lines, broken = walk_report.compare(recording, fine, place, creature)
        print(*lines, sep="\n", flush=True)
        if broken:
            say(f"out of bounds: {', '.join(broken)}")
            return 1
    return 0


def _tell(recording, speed, animal):
    """Tell what kept an animal from doing what it was told to."""
    if animal is not None and abs(speed) > animal.speed:
        say(f"--speed {speed:g} is more than it can do: it goes at {animal.speed:g} m/s at most")
    if recording.blocked is not None and recording.blocked.any():
        frame = int(recording.blocked.argmax())
        x, _, z = recording.body_position[frame]
        say(
            f"blocked by the ground after {recording.time[frame]:.1f} s"
            f" at x = {x:.2f}, z = {z:.2f}: it finds no foothold or no way for its body"
        )


def _again(options, recording):
    """Return how to walk the same way at twice the frames a second, for some seconds."""
    seconds = min(walk_report.FINE, (len(recording.time) - 1) * recording.dt)
    return {**options, "seconds": seconds, "fps": 2.0 * options["fps"]}


def parse_ground(text):
    """Return the ground that a text names: a word, or a number, the roughness."""
    if text in GROUNDS:
        return text
    rough = float(text) if is_number(text) else math.nan
    if not 0.0 <= rough <= 1.0:
        raise CommandError(
            f"--terrain must be {', '.join(GROUNDS)} or a roughness from 0 to 1, got {text!r}"
        )
    return rough


def _check_options(*, seconds, fps, path, **others):
    """Return those that were given, once they make sense."""
    lengths = {"seconds": seconds, "fps": fps, "speed": others["speed"] if path else None}
    for name, value in lengths.items():
        if value is not None and not (math.isfinite(value) and value > 0.0):
            raise CommandError(f"--{name} must be above 0 and finite, got {value}")
    if path is not None and others["turn"] is not None:
        raise CommandError("--turn and --path exclude each other: the path says where it turns")
    if seconds is None and path is None:
        seconds = 10.0
    if seconds is not None and seconds * fps > MOST_FRAMES:
        raise CommandError(
            f"--seconds {seconds:g} at --fps {fps:g} are more than {MOST_FRAMES:,} frames"
        )
    if seconds is not None and round(seconds * fps) < 1:
        raise CommandError(f"--seconds {seconds:g} at --fps {fps:g} are less than one frame")
    given = {name: value for name, value in others.items() if value is not None}
    for name, value in given.items():
        if not math.isfinite(value):
            raise CommandError(f"--{name} must be finite, got {value}")
    return given | {"fps": fps} | ({} if seconds is None else {"seconds": seconds})


def _check_apart(out):
    seen = set()
    for path in out:
        _suffix_of(path)
        place = Path(path).resolve()
        if place in seen:
            raise CommandError(f"--out {path} is given twice")
        seen.add(place)


def _suffix_of(path):
    return recordings.suffix_of(path, (*recordings.WRITERS, *MODELS, ".mp4"))


def _write(file, suffix, recording, terrain, progress):
    """Write a recording to an open file in the format of a suffix."""
    if suffix in recordings.WRITERS:
        recordings.WRITERS[suffix](file, recording)
    elif suffix in MODELS:
        MODELS[suffix](file, recording, terrain)
    else:
        encoder.write_mp4(file, recording, terrain, progress=progress)
    progress(1.0)


def _work(path):
    """Return how long a file takes, in walks: a film draws each frame."""
    return 40.0 if _suffix_of(path) == ".mp4" else 0.1


def _shares(advance, works):
    """Yield a function for each piece of work, that tells how far all of it is."""
    done, total = 0.0, sum(works)
    for work in works:
        yield lambda share, done=done, work=work: advance((done + share * work) / total)
        done += work
    advance(1.0)


def _room() -> Any:
    """Open the room only when an animal is to walk: other commands do without it."""
    from twobone import creature

    return creature


@contextmanager
def _progress(quiet):
    """Show on a terminal how far it is: takes the share that is done."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.percentage:3.0f} %"), BarColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda share: bar.update(task, completed=share)
