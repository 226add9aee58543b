"""The pages of `twobone pin --html`: one for each clip, and a list of them for several."""

import io
from pathlib import Path

from twobone.files import atomic

LIST = "index.html"


def page(name, clip, pinned, limbs, contacts, options):
    """Return the page of a pinned clip."""
    from twobone.pictures.feet import write_html  # imported late: most runs do not need it

    file = io.BytesIO()
    write_html(file, clip, pinned, limbs, name=name, asked=asked_for(contacts, options))
    return file.getvalue()


def write_pages(path, pages):
    """Write the pages of the clips of a file, pairs of name and page.

    A single one is written to `path`. Several are written beside it, numbered, and `path` is a list
    of them.
    """
    from twobone.pictures.feet import write_index

    path, several = Path(path), len(pages) > 1
    paths = [path.with_name(f"{path.stem}.{n}{path.suffix}") for n in range(len(pages))]
    for place, (_, text) in zip(paths if several else [path], pages, strict=True):
        with atomic.replacing(place) as file:
            file.write(text)
    if several:
        write_index(path, [(name, place) for (name, _), place in zip(pages, paths, strict=True)])


def asked_for(contacts, options):
    """Return the options of `twobone pin` as words, by name.

    `contacts` is the file of labels, or None; `options` are those of `twobone.motion.pin`.
    """
    ground = options["ground"]
    asked = {
        "contacts from": "found in the clip" if contacts is None else contacts,
        "ground": "found from the feet" if ground is None else f"{ground:g}, in units of the file",
        "body": options["body"],
        "reach": options["reach"],
    }
    if options["conform"] is not None:
        asked["put on level ground at"] = f"{options['conform']:g}"
    if options["loop"] is not None:
        asked["is a loop"] = "yes" if options["loop"] else "no"
    if options["in_place"] is not None:
        asked["walks in place"] = "yes" if options["in_place"] else "no"
    slides = [
        f"{joint}, frames {first} to {last}" for joint, first, last in options["keep_sliding"]
    ]
    return asked | ({"kept sliding": "; ".join(slides)} if slides else {})


def write_list(folder, jobs):
    """Write the list of the pages of several clips; not if none could be written."""
    from twobone.pictures.feet import write_index

    pages = [(str(job.name), job.html) for job in jobs]
    if any(page.exists() for _, page in pages):
        write_index(Path(folder) / LIST, pages)
