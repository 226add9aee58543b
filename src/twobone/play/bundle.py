"""The page as one file: styles and scripts written into it, and what it may do (its policy).

Scripts go in deflated, and without the comments that fill a line: a page with names that tell
something is then smaller than a minified one, and a browser's tools show what we wrote.
"""

import base64
import functools
import hashlib
import importlib.resources
import json
import os
import re
import zlib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from twobone.errors import TwoBoneError
from twobone.files import atomic

CONFIG = '<script id="config" type="application/json">{}</script>'
CHARSET = '<meta charset="utf-8">'

STYLE = re.compile(r'<link\s+rel="stylesheet"\s+href="([\w.-]+)"\s*/?>')
SCRIPT = re.compile(r'<script\s+src="([\w.-]+)"\s*></script>')
COMMENT_OR_STRING = re.compile(r"""/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""", re.DOTALL)
# What a browser would fetch by itself. An <a href> is followed by people only.
FETCHED = re.compile(
    r"""<(?!a\b)\w+\b[^>]*\s(?:src|srcset|href|data|poster)\s*=\s*(?!["']?(?:data:|\#))[^>]*>""",
    re.IGNORECASE,
)
FETCHED_BY_STYLE = re.compile(r"""@import\b|\burl\(\s*(?!["']?(?:data:|#))""", re.IGNORECASE)

# The port is that of the page when it is served; a page that was opened by its other name
# calls by that name.
LIVE = "ws://127.0.0.1:* ws://localhost:*"


class BundleError(TwoBoneError):
    """The sources of the page cannot be made one file: a mistake of whoever wrote them."""


class Bundle(NamedTuple):
    """The page, and its Content-Security-Policy."""

    html: str
    policy: str


def page_html(config: dict[str, Any] | None = None) -> str:
    """Return the page as one file that asks for nothing else.

    Parameters
    ----------
    config : dict, optional
        What the server tells the page, such as the address of its socket. Without it the page
        stands alone: its policy forbids it every connection, and it has a walk to play.

    Returns
    -------
    str
        HTML with all styles and scripts in it.

    Examples
    --------
    >>> from twobone.play.bundle import page_html
    >>> page_html().startswith("<!doctype html>")
    True
    """
    return bundle(config, recording=_recorded() if config is None else None).html


def export(path: str | os.PathLike[str]) -> Path:
    """Write the page as one file, whole or not at all; it opens from disk and from any host.

    Parameters
    ----------
    path : str or Path
        Where to. A file that is there is replaced.

    Returns
    -------
    Path
        The same.

    Examples
    --------
    >>> import tempfile, twobone.play
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     twobone.play.export(f"{folder}/page.html").name
    'page.html'
    """
    html = page_html()
    with atomic.replacing(path) as file:
        file.write(html.encode())
    return Path(path)


@functools.cache
def _recorded():
    from twobone.play import stroll  # its room is opened when an animal is to walk

    return stroll.recorded()


def bundle(
    config: dict[str, Any] | None = None, folder: Traversable | None = None, recording: Any = None
) -> Bundle:
    """Return the page and its policy.

    `folder` is where its sources are, ours by default; `recording` a walk that it plays where
    there is no Python.
    """
    folder = folder or importlib.resources.files("twobone.play") / "page"
    page = _read(folder, "index.html")
    _check_page(page)
    page = STYLE.sub(lambda tag: f"<style>\n{_style(folder, tag[1])}</style>", page)
    names = SCRIPT.findall(page)
    code = _plain("\n".join(_read(folder, name) for name in names))
    if recording is not None:
        code = f"const recording = {_json(recording)};\n{code}"
    code += "//# sourceURL=twobone.js\n"
    unpack = _plain(_read(importlib.resources.files("twobone.play") / "page", "unpack.js"))
    page = SCRIPT.sub("", page, len(names) - 1)
    page = SCRIPT.sub(lambda _: f"{_packed(code)}\n<script>{unpack}</script>", page)
    policy = _policy([unpack, code], "'none'" if config is None else LIVE)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page = page.replace(CHARSET, f"{CHARSET}\n{meta}", 1)
    if config is not None:
        page = page.replace(CONFIG, CONFIG.replace("{}", _json(config)), 1)
    return Bundle(page, policy)


def _check_page(page):
    for needed in (CHARSET, CONFIG):
        if page.count(needed) != 1:
            raise BundleError(f"index.html must have {needed} once, has it {page.count(needed)}x")
    left = FETCHED.search(SCRIPT.sub("", STYLE.sub("", page)))
    if left:
        raise BundleError(f"index.html asks for what cannot be written into it: {left[0]}")


def _style(folder, name):
    text = _read(folder, name)
    text = COMMENT_OR_STRING.sub(lambda m: "" if m[0].startswith("/*") else m[0], text)
    left = FETCHED_BY_STYLE.search(text)
    if left:
        raise BundleError(f"{name} asks for another file: {text[left.start() :][:60]!r}")
    return _without_indents(text).replace("</style", r"<\/style")


def _packed(code):
    """Return scripts as an element that only holds them, a third of their size."""
    text = base64.b64encode(zlib.compress(code.encode(), 9)).decode()
    return f'<script id="packed" type="application/octet-stream">{text}</script>'


def _plain(code):
    """Return a script without comments that fill a line, and without indents."""
    lines = code.splitlines()
    return _without_indents("\n".join(v for v in lines if not v.lstrip().startswith("//")))


def _without_indents(text):
    return "".join(f"{line.strip()}\n" for line in text.splitlines() if line.strip())


def _read(folder, name):
    try:
        return (folder / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BundleError(f"the page has no {name}") from None


def _json(config):
    # A "<" could end the element.
    text = json.dumps(config, allow_nan=False, separators=(",", ":"))
    return text.replace("<", r"\u003c")


def _policy(scripts, connect):
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    # Scripts are those that were here when the page was made, and no others. Styles may stand in
    # attributes, which have no hash; since nothing can be fetched they can tell nobody anything.
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
