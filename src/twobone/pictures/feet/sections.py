"""The sections of a report with pictures, and the words and legends that explain them."""

from twobone.pictures.feet import html
from twobone.pictures.feet.above import above
from twobone.pictures.feet.closeups import closeups
from twobone.pictures.feet.filmstrip import filmstrip
from twobone.pictures.feet.plots import plots
from twobone.pictures.feet.subject import WHOLE

WAS, NOW = '<path class="was" d="M3 8H29"/>', '<path class="now" d="M3 8H29"/>'
AIR, SLID = '<path class="path" d="M3 8H29"/>', '<path class="slid" d="M4 8H28"/>'
STEP = '<path class="step" d="M16 1V15"/>'
HELD = '<rect class="band" x="2" y="3" width="28" height="10"/>'
DISCS, RINGS = (
    f'<circle class="{kind}" cx="10" cy="8" r="6"/><circle class="{kind}" cx="24" cy="8" r="4"/>'
    for kind in ("disc", "hollow")
)
FROM = '<path class="was" d="M8 8H29"/><circle class="start" cx="6" cy="8" r="4"/>'
PLACE = '<circle class="ring" cx="16" cy="8" r="6"/>'
ENDS = '<circle class="disc" cx="16" cy="8" r="3.5"/>'
OLD = '<path class="limb old" d="M3 8H29"/>'
NEW = "".join(
    f'<path class="limb {bone}" d="M{x} 8h8"/>'
    for bone, x in (("first", 3), ("second", 12), ("joint", 21))
)


def feet(subject):
    """Return the footprints, each contact, and the plots of heels and toes."""
    if not subject.tracks:
        return ["<h2>Feet</h2><p>No legs were found, so there are no plots of feet.</p>"]
    return [
        '<section aria-labelledby="prints"><h2 id="prints">Footprints from above</h2>',
        *_footprints(subject),
        *_contacts(subject),
        "</section>",
        '<section aria-labelledby="feet"><h2 id="feet">Heels and toes over time</h2>',
        *_curves(subject),
        "</section>",
    ]


def _footprints(subject):
    picture, step = above(subject)
    first, last = subject.close
    right = "goes to the right."
    if subject.faces is not None:
        right = "faces to the right, on average."
    return [
        f"<p>{_part(subject)} The body {right}</p>",
        html.legend(
            (AIR, "path before, in the air"),
            (SLID, "before, in contact"),
            (NOW, "path after"),
            (DISCS, "held: heel, toe"),
            (RINGS, "held: heel, toe of the right side"),
        ),
        '<figure><div class="scroll" tabindex="0" role="region" aria-label="Footprints">',
        picture,
        f"</div><figcaption>Squares of {step:g} m; frames {first} to {last - 1}.</figcaption>",
        "</figure>",
    ]


def _contacts(subject):
    cells, step, left_out = closeups(subject)
    if not cells:
        return []
    more = f" {left_out} more slid less." if left_out else ""
    return [
        "<h3>Each contact, enlarged</h3>",
        "<p>From above: how far a heel or toe is from its mean position in the contact before,"
        f" and from the place where it is held after. Squares of {1000.0 * step:.3g} mm.{more}</p>",
        html.legend(
            (FROM, "before, from its first frame"),
            (PLACE, "mean position; where it is held"),
            (ENDS, "after"),
        ),
        *cells,
    ]


def _curves(subject):
    rows, columns = plots(subject)
    frames = len(subject.before)
    thin = ""
    if frames > 2 * columns:
        thin = (
            f" Curves of the whole clip are thinned: each of {columns} columns shows the lowest and"
            f" the highest value of about {frames / columns:.0f} frames."
        )
    return [
        "<p>Heights are above the lowest joint in contact before. Speeds are along the ground;"
        f" faster swings are cut off, so that sliding shows.{thin}</p>",
        html.legend(
            (WAS, "before"),
            (NOW, "after"),
            (HELD, "in contact: held in place"),
            *([(STEP, "a hip, knee or ankle makes a new step")] if any(subject.steps) else []),
        ),
        *rows,
    ]


def film(subject):
    """Return the filmstrip."""
    strip = filmstrip(subject)
    said = ["From the side."]
    if subject.faces is not None:
        said = ["Seen from its right; limbs of the left are fainter."]
    if strip.step:
        said.append(
            "The pictures follow the body; the ticks on the ground stay in place,"
            f" {strip.step:g} m apart."
        )
    else:
        said.append("The pictures follow the body, and turn with it.")
    if strip.together:
        said.append("The body moved far: the figure before is drawn where the one after is.")
    return [
        '<section aria-labelledby="film"><h2 id="film">Filmstrip</h2>',
        f"<p>{_part(subject)} {' '.join(said)}</p>",
        html.legend(
            (OLD, "before"),
            (NEW, "after: first bone, second bone, foot"),
            ('<circle class="ring" cx="16" cy="8" r="4.5"/>', "where a heel or toe is held"),
        ),
        *strip.cells,
        "</section>",
    ]


def _part(subject):
    """Say which part of the clip is shown."""
    if subject.close == (0, len(subject.before)):
        return "All of the clip."
    first, last = subject.close
    seconds = (last - first) / subject.before.fps
    return (
        f"The clip is longer than {WHOLE:g} s: these are the {seconds:.3g} s, frames {first} to"
        f" {last - 1}, in which feet in contact slide the most."
    )
