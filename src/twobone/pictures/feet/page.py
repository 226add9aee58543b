"""`write_html`: what pinning changed in a clip, as one HTML file with a table and pictures."""

import twobone
from twobone.files import atomic
from twobone.motion import find_limbs
from twobone.pictures.feet import header, html, sections
from twobone.pictures.feet.checks import checks
from twobone.pictures.feet.figures import table
from twobone.pictures.feet.subject import subject_of


def write_html(file, clip, pinned, limbs=None, *, name="a clip", asked=None):
    """Write what pinning changed in a clip as one HTML file.

    It shows the measures before and after, height and speed of each heel and toe over time, the
    footprints from above, and a filmstrip.

    Parameters
    ----------
    file : path or binary file
        Where to write. A path is written completely or not at all.
    clip : Clip
        The clip before.
    pinned : Pinned
        What `twobone.motion.pin` returned for it.
    limbs : Limbs or sequence of limbs, optional
        The limbs, as for `pin`. By default `find_limbs(clip)`.
    name : str
        Name of the clip, such as that of its file.
    asked : mapping of str to str, optional
        The options that were chosen, to be shown in the header.

    Raises
    ------
    ClipError
        If the anchors of `pinned` do not fit the clip.
    ArrayTypeError
        If `file` is neither a path nor an open binary file.
    OSError
        If the file cannot be written.

    Notes
    -----
    The file has at most about 1 MB, whatever the length of the clip: curves of long clips are
    thinned to the lowest and highest value of each column. Footprints and filmstrip show all of a
    clip up to 4.5 s long, and else the 3 s in which feet slide the most.

    Examples
    --------
    >>> from twobone import motion
    >>> from twobone.pictures.feet import write_html
    >>> clip = motion.load("walk.bvh")  # doctest: +SKIP
    >>> write_html("walk.html", clip, motion.pin(clip), name="walk.bvh")  # doctest: +SKIP
    """
    limbs = find_limbs(clip) if limbs is None else limbs
    made = draw(clip, pinned, limbs, name, asked or {})
    with atomic.opened(file) as opened:
        opened.write(made.encode())


def draw(clip, pinned, limbs, name, asked):
    """Return the text of the report of a pinned clip; see `write_html`."""
    subject = subject_of(clip, pinned, limbs)
    found = checks(pinned.report)
    parts = [
        f"<h1>Pinned feet: {html.name(name)}</h1>",
        header.facts(clip, pinned, subject, asked),
        header.most_important(pinned.report),
        header.remarks(found, pinned.report),
        *sections.feet(subject),
        *sections.film(subject),
        '<section aria-labelledby="measures"><h2 id="measures">Measures</h2>',
        *table(pinned.report),
        "</section>",
        f'<p class="small">twobone {twobone.__version__}</p>',
    ]
    return html.page(f"Pinned feet: {name}", parts, head=header.summary(pinned, found))
