"""`twobone retarget`: put the motion of a clip on another skeleton."""

import functools
import os
from pathlib import Path

import rich_click as click

from twobone.commands import corpus
from twobone.commands.clips import (
    check_apart,
    clip_inputs,
    clip_name,
    clip_output,
    load_clip,
    motion,
)
from twobone.commands.endings import say
from twobone.commands.jobs import jobs_of, make_folders
from twobone.commands.journal import Journal, digest
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE, quiet, words

HANDS = ("body", "world")
GLTF = (".glb", ".gltf", ".vrm")


@click.command
@clip_inputs
@click.option(
    "--to",
    "character",
    required=True,
    metavar="FILE",
    type=FILE,
    help="The character: any such file; only its skeleton and its model count.",
)
@click.option(
    "--hands",
    metavar="WORD",
    shell_complete=words(*HANDS),
    default="body",
    help="Where hands go: body (arms point to where they do in the clip) or world (hands are where"
    " they are in the clip, scaled).",
)
@click.option(
    "--contacts",
    metavar="FILE",
    type=FILE,
    help="Contacts of the clip as twobone contacts writes them. Default: found.",
)
@click.option(
    "--hold/--no-hold", default=True, help="Whether feet are held in place while on the ground."
)
@clip_output
@clip_name
@corpus.options
@quiet
def retarget(
    inputs,
    character,
    hands,
    contacts,
    hold,
    output,
    clip,
    jobs,
    scheduler,
    measures,
    force,
    quiet,
):
    """Put the motion of a clip on another skeleton, and save it.

    Bones point to where those of the clip do, feet are where the scaled ones are, and are held in
    place while they are on the ground. If OUT and the character are glTF files, the motion becomes
    a further animation of the character, named as the clip; otherwise OUT has a skeleton alone.

    Several files, or folders, are written to the folder OUT, as the same tree, with the suffix of
    the character. If such a run is interrupted, repeat it: what is up to date is skipped.

    Exit status: 0 on success, 1 if some of several files failed, 2 on an error.
    """
    if hands not in HANDS:
        raise CommandError(f"--hands must be {' or '.join(HANDS)}, got {hands!r}")
    how = corpus.How(jobs, scheduler, measures, force, quiet)
    corpus.check(how)
    suffix = Path(character).suffix.lower() if has_model(character) else ".bvh"
    todo, several = jobs_of(inputs, output, suffix=suffix)
    if contacts is not None and several:
        raise CommandError("--contacts belongs to one clip: give one file")
    others = [path for path in (character, contacts) if path is not None]
    check_apart(others, [job.target for job in todo])
    motion().load_all(character)  # an error in it is one error, and not one of each clip
    content = digest(character)
    work = functools.partial(
        put,
        character=os.path.abspath(character),
        content=content,
        options=dict(clip=clip, hands=hands, contacts=contacts, hold=hold),
    )
    if several:
        settings = dict(character=content, clip=clip, hands=hands, hold=hold)
        outcome = corpus.do_all(work, todo, how, Journal(output, "retarget", settings))
    else:
        outcome = corpus.do_one(work, todo[0], how)
    if not quiet and has_model(character) and not has_model(todo[0].target):
        said = f"{todo[0].target} has a skeleton alone"
        say(f"{said}; a .glb file would keep the model of {character}")
    return corpus.tell(outcome, len(todo))


def put(job, character, content, options):
    """Put the motion of a clip on a character, and save it."""
    from twobone.motion.retargeting import retargeted  # imported late, as `motion`

    make_folders(job.outputs)
    loaded = load_clip(str(job.source), options["clip"])
    labels = options["contacts"]
    labels = None if labels is None else motion().read_labels(labels, loaded)
    target, hands, hold = _character(character, content), options["hands"], options["hold"]
    made, report = retargeted(loaded, target, hands, labels, hold=hold)
    made.name = loaded.name or job.source.stem
    motion().save(made, job.target)
    notes = () if report is None else report.warnings
    return corpus.Done([], [corpus.line(job.name, made, notes, report)])


@functools.lru_cache(maxsize=1)
def _character(path, content):
    """Return a character; `content` is the hash of its file."""
    return motion().load_all(path)[0]


def has_model(path):
    """Return whether a file can hold a model."""
    return Path(path).suffix.lower() in GLTF
