"""`twobone walk`: simulate a walking animal, save the walk and report its measures."""

import math
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import rich_click as click

from twobone.commands import robot_walk, walk_report, waypoints
from twobone.commands.endings import say
from twobone.commands.numbers import real, whole
from twobone.commands.progress import progress_bar
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE, creatures, gaits, quiet, words, words_from, words_or_files
from twobone.errors import CreatureError
from twobone.files import atomic, recordings, robot_walks
from twobone.files.numbers import is_number
from twobone.film import encoder
from twobone.pictures import keyframes, model, walking
from twobone.pictures.camera import HEIGHT, USUAL, VIEWS, WIDTH
from twobone.terrain.arguments import FARTHEST, MOST_FRAMES

RATE = 60.0  # frames per second
GROUNDS = ("flat", "slope", "steps", "hills")
MODELS = {".glb": model.write_glb, ".svg": walking.write_svg}
FILM = (".mp4",)
# The files that options are about.
NEEDED = {"keys": (".glb",), "camera": FILM, "size": FILM, "rings": FILM, "bones": (*FILM, ".svg")}
KNOWN = (*recordings.WRITERS, *MODELS, ".mp4")  # endings of files with the walk of an animal


@click.command
@click.option(
    "--creature",
    metavar="NAME",
    shell_complete=words_from(creatures),
    default="insect",
    help="The animal: insect, spider, dog, horse, bird, human, crab or centipede.",
)
@click.option(
    "--robot",
    metavar="FILE",
    type=FILE,
    help="URDF file of a robot with four legs or more that is to walk, instead of an"
    " animal. Only --rest, --seconds, --fps, --speed, --turn, --terrain, --forward,"
    " --foot-radius, --lead-in, --out and --quiet apply.",
)
@click.option(
    "--rest",
    multiple=True,
    metavar="ANGLES",
    help="With --robot: the angles of each leg in which the robot stands, in radians, such"
    " as 0,0.9,-1.8; or LINK=ANGLES, once for each leg, if they differ.",
)
@click.option(
    "--forward",
    metavar="AXIS",
    shell_complete=words("x", "-x", "y", "-y"),
    default="x",
    help="With --robot: the axis of the base that points forward: x, -x, y or -y.",
)
@click.option(
    "--foot-radius",
    metavar="R",
    type=real(0.0),
    default=0.0,
    help="With --robot: radius of spherical feet, in metres.",
)
@click.option(
    "--lead-in",
    metavar="SECONDS",
    type=real(0.0),
    default=0.0,
    help="With --robot: time before the walk in which the base moves from the rest pose to"
    " the walk's first pose, while all feet stand.",
)
@click.option(
    "--gait",
    metavar="NAME",
    shell_complete=words_from(gaits),
    help="The gait: wave, ripple, tripod or crawl for six legs and more; walk, trot, pace"
    " or bound for four. Default: the animal's own.",
)
@click.option(
    "--duty-factor",
    metavar="D",
    type=real(),
    help="Fraction of the gait cycle that a foot is on the ground, from 0.15 to 0.95."
    " Default: that of the gait.",
)
@click.option(
    "--liveliness",
    metavar="X",
    type=real(),
    help="How much the body bobs, leans and sways, from 0 to 1. Default: 1.",
)
@click.option(
    "--terrain",
    metavar="GROUND",
    shell_complete=words(*GROUNDS),
    default="flat",
    help="The ground: flat, slope, steps, hills, or a roughness from 0 to 1, such as 0.15: the"
    " root mean square of the height, divided by the length of a leg.",
)
@click.option(
    "--seed",
    metavar="N",
    type=whole(0),
    default=0,
    help="Random seed of rough ground, and of speed and turning where they are not given.",
)
@click.option(
    "--seconds",
    metavar="S",
    type=real(),
    help="Duration in seconds. Default: 10, or until the end of --path.",
)
@click.option(
    "--fps",
    metavar="N",
    type=real(),
    help=f"Frames per second. Default: {RATE:g}; films show {encoder.RATE:g} of them.",
)
@click.option(
    "--keys",
    metavar="N",
    type=real(),
    help="Keys per second of .glb, such as 24 or 30. Default: as --fps.",
)
@click.option(
    "--loop",
    is_flag=True,
    help="Walk one cycle at a steady speed, straight ahead on flat ground, that can be played"
    " again and again. A .glb has it in place, and with root motion. --keys applies to all files.",
)
@click.option(
    "--speed",
    metavar="V",
    type=real(),
    help="Speed in metres per second. Default: about three fifths of the maximum of its slowest"
    " gait.",
)
@click.option(
    "--turn",
    metavar="W",
    type=real(),
    help="Turning rate in radians per second, to the left. Default: small random turns.",
)
@click.option(
    "--path",
    metavar="PATH",
    shell_complete=words_or_files("circle", "eight"),
    help='Path to follow: waypoints in metres, such as "0,5 5,5"; circle; eight; or a file'
    " with columns x and z (.csv, .jsonl, .npy). The animal starts at 0,0 and faces +z;"
    " +x is to its left.",
)
@click.option(
    "--report",
    is_flag=True,
    help="Print measures of the walk beside their bounds.",
)
@click.option(
    "--out",
    "-o",
    multiple=True,
    metavar="FILE",
    type=FILE,
    help="Output file: .npz or .json (recording), .glb (animated model), .mp4 (film) or"
    " .svg (picture); with --robot, .npz or .csv (joint angles). Repeatable.",
)
@click.option(
    "--camera",
    metavar="NAME",
    shell_complete=words(*VIEWS),
    default=USUAL,
    help="From where a film shows the animal: side, front, three-quarter, follow, which is"
    " behind and above it, above, which is high beside it, or top, which is straight above it.",
)
@click.option(
    "--size",
    metavar="WxH",
    default=f"{WIDTH}x{HEIGHT}",
    help=f"Width and height of a film in pixels, such as 1920x1080. Default: {WIDTH}x{HEIGHT}.",
)
@click.option(
    "--rings/--no-rings",
    default=True,
    help="Whether a film shows rings on the ground around feet that stand. Default: --rings.",
)
@click.option(
    "--bones",
    is_flag=True,
    help="Draw the two bones of each leg blue and orange in a film or picture, instead of the"
    " animal's own colours.",
)
@quiet
@click.pass_context
def walk(
    context,
    creature,
    robot,
    rest,
    forward,
    foot_radius,
    lead_in,
    gait,
    duty_factor,
    liveliness,
    terrain,
    seed,
    seconds,
    fps,
    keys,
    loop,
    speed,
    turn,
    path,
    report,
    out,
    camera,
    size,
    rings,
    bones,
    quiet,
):
    """Simulate a walking animal; save the walk or report its measures.

    With --robot, let a robot walk and save the angles of its joints.

    Files are written completely or not at all.

    Exit status: 0 on success, 1 if --report finds a measure of the animal out of bounds, 2 on
    an error.
    """
    out = out or []
    robot_walk.check_options(context, robot, rest)
    if robot is None:
        _check_name("creature", creature, creatures())
    ground = parse_ground(terrain)
    if robot is not None:
        options = _check_options(
            seconds=seconds, fps=RATE if fps is None else fps, speed=speed, turn=turn, path=None
        )
        _check_apart(out, robot_walks.WRITERS)
        more = {
            "terrain": ground,
            "forward": forward,
            "foot_radius": foot_radius,
            "lead_in": lead_in,
        }
        with _naming_options():
            robot_walk.walk_robot(robot, rest, out, quiet, **options, **more)
        return 0
    film = {"fps": encoder.RATE if fps is None else fps, "camera": camera}
    film |= {"size": _parse_size(size), "rings": rings, "bones": bones}
    model_keys = {"loop": True} if loop else {"keys": keys}
    settings = {".glb": model_keys, ".svg": {"bones": bones}, ".mp4": film}
    _check_name("camera", camera, list(VIEWS))
    if gait is not None:
        _check_name("gait", gait, gaits())
    fps = RATE if fps is None else fps
    options = _check_options(seconds=seconds, fps=fps, speed=speed, turn=turn, path=path)
    if path is not None:
        options["path"] = waypoints.read_path(path, _room().make_path, creature)
    if keys is not None and not 0.0 < keys <= keyframes.FASTEST:
        raise CommandError(f"--keys must be above 0, at most {keyframes.FASTEST:g}, got {keys:g}")
    _check_apart(out)
    if loop:
        _check_loop(context)
    if not (out or report):
        raise CommandError("nothing to do: give --out FILE, --report, or both")
    written = {_suffix_of(path) for path in out}
    for name, suffixes in NEEDED.items():
        if written.isdisjoint(suffixes) and robot_walk.is_given(context, name):
            flag = "no-rings" if name == "rings" and not rings else name
            raise CommandError(f"--{flag} needs --out FILE{' or '.join(suffixes)}")
    if ".mp4" in written:
        encoder.load_encoder()
        encoder.rate_of(1.0 / fps)
    # Opened before the walk, so that a file that cannot be written is reported at once.
    with ExitStack() as files, _naming_options():
        opened = [(files.enter_context(atomic.replacing(path)), path) for path in out]
        room = _room()
        animal = _with_gait(room.animal(creature), gait, duty_factor)
        if liveliness is not None:
            animal = animal.with_liveliness(liveliness)
        place = room.make_terrain(ground, animal, seed=seed)
        with progress_bar(quiet) as advance:
            works = [1.0, *(_work(path) for _, path in opened)]
            walked, *written = _split_progress(advance, works)
            if loop:
                recording = room.walk_cycle(animal, speed=speed, fps=fps if keys is None else keys)
                walked(1.0)
            else:
                recording = room.walk(animal, terrain=place, seed=seed, progress=walked, **options)
            for (file, path), progress in zip(opened, written, strict=True):
                _write(file, _suffix_of(path), (recording, place), settings, progress)
    if not quiet:
        _note_limits(recording, {"speed": speed, "turn": turn}, room.Walker(animal))
    if report:
        again = _finer_options(options, recording)
        fine = room.walk(animal, terrain=place, seed=seed, **again)
        lines, broken = walk_report.compare(recording, fine, place, animal)
        print(*lines, sep="\n", flush=True)
        if broken:
            say(f"out of bounds: {', '.join(broken)}")
            return 1
    return 0


def _check_loop(context):
    """Raise if an option is given that a loop does not have."""
    for name in ("terrain", "seed", "seconds", "turn", "path", "report"):
        if robot_walk.is_given(context, name):
            raise CommandError(f"--loop and --{name} exclude each other")


def _note_limits(recording, given, walker):
    """Say the top speed, and if speed or turn were limited to it, or the animal was blocked."""
    say(f"top speed of the {walker.animal.name}: {walker.top_speed:.3g} m/s")
    for name, most, unit in (
        ("speed", walker.top_speed, "m/s"),
        ("turn", walker.fastest_turn, "rad/s"),
    ):
        if given[name] is not None and abs(given[name]) > most:
            say(f"--{name} {given[name]:g} exceeds this animal's maximum of {most:.3g} {unit}")
    if recording.blocked is not None and recording.blocked.any():
        frame = int(recording.blocked.argmax())
        x, _, z = recording.body_position[frame]
        say(
            f"blocked after {recording.time[frame]:.1f} s at x = {x:.2f}, z = {z:.2f}: no foothold"
            " in reach, no room for the body, or it would lose its balance"
        )


def _finer_options(options, recording):
    """Return the options that repeat the beginning of a walk at twice the frame rate."""
    seconds = min(walk_report.FINE, (len(recording.time) - 1) * recording.dt)
    return {**options, "seconds": seconds, "fps": 2.0 * options["fps"]}


@contextmanager
def _naming_options():
    """Raise an error about a parameter of `creature.walk` as one about the option of that name."""
    try:
        yield
    except CreatureError as error:
        if error.name not in {option.name for option in walk.params}:
            raise  # unreached: other-errors
        option = error.name.replace("_", "-")
        raise CommandError(f"--{option} must {error.wanted}, got {error.came}") from None


def _with_gait(animal, gait, duty_factor):
    """Return an animal with the gait and the duty factor that were given."""
    if gait is None and duty_factor is None:
        return animal
    return animal.with_gait(gait, duty_factor)


def _check_name(option, name, known):
    if name not in known:
        listed = f"{', '.join(known[:-1])} or {known[-1]}"
        raise CommandError(f"--{option} must be {listed}, got {name!r}")


def parse_ground(text):
    """Return the ground given by the value of `--terrain`: a name or a roughness."""
    if text in GROUNDS:
        return text
    rough = float(text) if is_number(text) else math.nan
    if not 0.0 <= rough <= 1.0:
        raise CommandError(
            f"--terrain must be {', '.join(GROUNDS)} or a roughness from 0 to 1, got {text!r}"
        )
    return rough


def _parse_size(text):
    """Return width and height in pixels, given as WxH."""
    sides = text.lower().split("x")
    if len(sides) == 2 and all(side.isascii() and side.isdigit() for side in sides):
        with suppress(CreatureError):
            return encoder.check_size([int(side[:9]) for side in sides])
    least, most = encoder.LEAST, encoder.MOST
    wanted = f"WIDTHxHEIGHT in pixels, even numbers from {least} to {most}"
    raise CommandError(f"--size must be {wanted}, got {text!r}")


def _check_options(*, seconds, fps, path, **others):
    """Return the options that were given, or raise if they are invalid or do not go together."""
    positive = {"seconds": seconds, "fps": fps, "speed": others["speed"] if path else None}
    for name, value in positive.items():
        if value is not None and not (math.isfinite(value) and value > 0.0):
            raise CommandError(f"--{name} must be above 0 and finite, got {value}")
    if path is not None and others["turn"] is not None:
        raise CommandError("--turn and --path exclude each other: the path determines the turns")
    if seconds is None and path is None:
        seconds = 10.0
    if seconds is not None and seconds * fps > MOST_FRAMES:
        raise CommandError(
            f"--seconds {seconds:g} at --fps {fps:g} is more than {MOST_FRAMES:,} frames"
        )
    if seconds is not None and round(seconds * fps) < 1:
        raise CommandError(f"--seconds {seconds:g} at --fps {fps:g} is less than one frame")
    given = {name: value for name, value in others.items() if value is not None}
    for name, value in given.items():
        if not abs(value) <= FARTHEST:
            raise CommandError(f"--{name} must be finite and at most {FARTHEST:g}, got {value:g}")
    return given | {"fps": fps} | ({} if seconds is None else {"seconds": seconds})


def _check_apart(out, known=None):
    seen = set()
    for path in out:
        recordings.suffix_of(path, known or KNOWN)
        place = Path(path).resolve()
        if place in seen:
            raise CommandError(f"--out {path} is given twice")
        seen.add(place)


def _suffix_of(path):
    return recordings.suffix_of(path, KNOWN)


def _write(file, suffix, walked, settings, progress):
    """Write a recording and its terrain to an open file, in the format of a suffix."""
    recording, terrain = walked
    if suffix in recordings.WRITERS:
        recordings.WRITERS[suffix](file, recording)
    elif suffix in MODELS:
        MODELS[suffix](file, recording, terrain, **settings.get(suffix, {}))
    else:
        encoder.write_mp4(file, recording, terrain, **settings[suffix], progress=progress)
    progress(1.0)


def _work(path):
    """Return the estimated time to write a file, in multiples of the time to simulate the walk."""
    return 12.0 if _suffix_of(path) == ".mp4" else 0.1


def _split_progress(advance, works):
    """Yield a progress function for each step of a job; all of them advance one bar.

    `works` is the estimated work of each step. Each function takes the fraction of its own step
    that is done, and calls `advance` with the fraction of the whole job.
    """
    done, total = 0.0, sum(works)
    for work in works:
        yield lambda fraction, done=done, work=work: advance((done + fraction * work) / total)
        done += work


def _room() -> Any:
    """Import `twobone.creature` late: other commands do not need it."""
    from twobone import creature

    return creature
