"""The page bundled into one HTML file, with its Content-Security-Policy.

It is HTML that one can read: the style sheet, what is on the page, and the modules of the page one
after the other, each as a function. Web servers compress it to a quarter.
"""

import base64
import functools
import hashlib
import importlib.resources
import json
import os
import re
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from twobone.files import atomic
from twobone.play import public_url as public_urls
from twobone.play.linking import BundleError, Linker, libraries, read

CONFIG = '<script id="config" type="application/json">{}</script>'
CHARSET = '<meta charset="utf-8">'

STYLE = re.compile(r'<link\s+rel="stylesheet"\s+href="([\w.-]+)"\s*/?>')
INDENTATION = re.compile(r"\n[ \t]+")  # no element of the page has text in which it counts
SCRIPT = re.compile(r'<script\s+type="module"\s+src="([\w.-]+)"\s*></script>')
COMMENT_OR_STRING = re.compile(r"""/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""", re.DOTALL)
# Tags that make a browser fetch something. The href of an <a> is only followed on a click.
FETCHED = re.compile(
    r"""<(?!a\b)\w+\b[^>]*\s(?:src|srcset|href|data|poster)\s*=\s*(?!["']?(?:data:|\#))[^>]*>""",
    re.IGNORECASE,
)
FETCHED_BY_STYLE = re.compile(r"""@import\b|\burl\(\s*(?!["']?(?:data:|#))""", re.IGNORECASE)

# The newest that the page uses. Without it the script after this one fails.
TOO_OLD = """\
if (!("toSorted" in Array.prototype)) {
  document.body.textContent = "This page needs a browser from 2023 or later.";
}
"""
ENDS = re.compile(r"</script|<!--", re.IGNORECASE)  # what a script in HTML may not contain

# A served page connects to the server under the name it was opened with: 127.0.0.1 or localhost.
# The port is not known when the page is made.
LIVE = "ws://127.0.0.1:* ws://localhost:*"
# It may also fetch a character from there, if the server has one.
WITH_CHARACTER = f"'self' {LIVE}"


class Bundle(NamedTuple):
    """The page and its Content-Security-Policy."""

    html: str
    policy: str


def page_html(config: dict[str, Any] | None = None, public_url: str | None = None) -> str:
    """Return the page as one HTML file that loads no other files.

    Parameters
    ----------
    config : dict, optional
        Settings from the server, such as the address of its socket. Without it the page is
        standalone: its policy forbids all connections.
    public_url : str, optional
        The address at which others can open the page.

    Returns
    -------
    str
        HTML that contains all styles and scripts.

    Examples
    --------
    >>> from twobone.play.bundle import page_html
    >>> page_html().startswith("<!doctype html>")
    True
    """
    return bundle(config, public_url=public_url).html


def export(path: str | os.PathLike[str], *, public_url: str | None = None) -> Path:
    """Write the page to one HTML file, which works from disk and from any web server.

    The file is written completely or not at all.

    Parameters
    ----------
    path : str or Path
        The file to write. An existing file is replaced.
    public_url : str, optional
        The address at which others will open this page, an http or https URL. The page's links and
        embed code use it wherever the page is opened, and search engines are told of it
        (`<link rel="canonical">`).

    Returns
    -------
    Path
        `path` as a Path.

    Raises
    ------
    PageError
        If `public_url` is not such a URL, or has a user name, a password or a part from `#` on.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile, twobone.play
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     twobone.play.export(f"{folder}/page.html").name
    'page.html'

    A page that will be put on a web server can know its address:

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = "https://example.org/page.html"
    ...     page = twobone.play.export(f"{folder}/page.html", public_url=url)
    ...     '<link rel="canonical"' in page.read_text(encoding="utf-8")
    True
    """
    # Opened before the page is made, so that a file that cannot be written is reported at once.
    with atomic.replacing(path) as file:
        file.write(page_html(public_url=public_url).encode())
    return Path(path)


@functools.cache
def _animals():
    from twobone.play.animals_table import animals_table  # imported late: it needs the pictures

    return _json(animals_table())


def bundle(
    config: dict[str, Any] | None = None,
    folder: Traversable | None = None,
    public_url: str | None = None,
) -> Bundle:
    """Return the page and its policy.

    `folder` contains its sources, by default those of the package. `public_url` is its canonical
    address.
    """
    folder = folder or importlib.resources.files("twobone.play") / "page"
    page = INDENTATION.sub("\n", read(folder, "index.html"))
    _check_page(page)
    sheets = [STYLE.findall(page)[0], *_sheets_of_scenes(folder)]
    style = "".join(_style(folder, name) for name in sheets)
    page = STYLE.sub(lambda _: f"<style>\n{style}</style>", page)
    known = libraries(folder)
    code = Linker(folder, known).link(SCRIPT.findall(page)[0])
    if re.search(r"\bANIMALS\b", code):
        code = f"const ANIMALS = {_animals()};\n{code}"
    scripts = [f"\n{TOO_OLD}", f'\n"use strict";\n{code}//# sourceURL=twobone.js\n']
    for text in scripts:
        if left := ENDS.search(text):
            raise BundleError(f"a script with {left[0]!r} cannot be in a page")
    elements = "\n".join(f"<script>{text}</script>" for text in scripts)
    page = SCRIPT.sub(lambda _: f"{_licences(known)}{elements}", page)
    connect = "'none'" if config is None else WITH_CHARACTER if "character" in config else LIVE
    policy = _policy(scripts, connect)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    head = [CHARSET, meta, *([] if public_url is None else [public_urls.link(public_url)])]
    page = page.replace(CHARSET, "\n".join(head), 1)
    if config is not None:
        page = page.replace(CONFIG, CONFIG.replace("{}", _json(config)), 1)
    return Bundle(page, policy)


def _check_page(page):
    for needed in (CHARSET, CONFIG):
        if page.count(needed) != 1:
            count = page.count(needed)
            raise BundleError(f"index.html must have {needed} exactly once, got {count} times")
    left = FETCHED.search(SCRIPT.sub("", STYLE.sub("", page)))
    if left:
        raise BundleError(f"index.html must load nothing but its styles and script, got {left[0]}")
    for kind, what in ((STYLE, "style sheet"), (SCRIPT, "script, a module")):
        if (count := len(kind.findall(page))) != 1:
            raise BundleError(f"index.html must have exactly one {what}, got {count}")


def _sheets_of_scenes(folder):
    """Return the style sheets that scenes have in their folders, in the order of their names."""
    scenes = folder / "scenes"
    names = sorted(one.name for one in scenes.iterdir()) if scenes.is_dir() else []
    sheets = [f"scenes/{name}/style.css" for name in names]
    return [sheet for sheet in sheets if (folder / sheet).is_file()]


def _style(folder, name):
    text = read(folder, name)
    text = COMMENT_OR_STRING.sub(lambda m: "" if m[0].startswith("/*") else m[0], text)
    left = FETCHED_BY_STYLE.search(text)
    if left:
        came = text[left.start() :][:60]
        raise BundleError(f"{name} must not load other files, got {came!r}")
    text = "".join(f"{line.strip()}\n" for line in text.splitlines() if line.strip())
    return text.replace("</style", r"<\/style")


def _licences(known):
    """Return a comment with the licences of all libraries, which they demand in every copy."""
    if not known:
        return ""
    text = "\n".join(f"{one.name} {one.version}\n\n{one.licence}" for one in known)
    if "--" in text:
        raise BundleError("a licence with -- cannot be in a comment")
    return f"<!--\nThis page contains\n\n{text}-->\n"


def _whole(value):
    """Return a value for JSON with 2 for 2.0, which is the same number in JavaScript."""
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(each) for each in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if is_whole and str(value) != "-0.0" else value


def _json(config):
    # "<" is escaped, because "</script>" in a string would end the element.
    text = json.dumps(_whole(config), allow_nan=False, separators=(",", ":"))
    return text.replace("<", r"\u003c")


def _policy(scripts, connect):
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    # Only the scripts bundled here may run. Inline styles are allowed, because style attributes
    # cannot be listed by hash; they cannot leak anything, as the page may fetch nothing.
    parts = {
        "default-src": "'none'",
        "script-src": " ".join(f"'sha256-{text}'" for text in hashes) or "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data: blob:",
        "media-src": "blob:",
        "connect-src": connect,
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())
