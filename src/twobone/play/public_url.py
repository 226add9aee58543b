"""The public address of the page: checked before it is written into links and embed code."""

import html
import re
from urllib.parse import urlsplit

from twobone.errors import PageError
from twobone.play.page_state import shown

LONGEST = 2000  # characters; some proxies and mail programs cut longer addresses
WANTED = "be an http or https URL such as https://example.org/page.html"
# The characters of RFC 3986 without #. A browser would read \ as / and drop tabs and line breaks.
CHARACTERS = re.compile(r"[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]+", re.ASCII)
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
HOST = re.compile(rf"{LABEL}(?:\.{LABEL})*\.?|\[[0-9A-Fa-f:.]+\]", re.ASCII)
PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def check(url: str) -> str:
    """Return a public address if it is safe to write into links.

    Parameters
    ----------
    url : str
        The address at which the page will be opened by others.

    Returns
    -------
    str
        The same address.

    Raises
    ------
    PageError
        If it is not an absolute http or https URL, or has a user name, a password or a part from
        `#` on, where the page keeps its state.

    Examples
    --------
    >>> from twobone.play.public_url import check
    >>> check("https://example.org/page.html")
    'https://example.org/page.html'
    """
    if not isinstance(url, str):
        raise PageError("public_url", WANTED, shown(url))
    if "#" in url:
        raise PageError("public_url", "have no #, after which the page keeps its state", shown(url))
    if len(url) > LONGEST:
        raise PageError("public_url", f"have at most {LONGEST} characters", f"{len(url)}")
    if url.isprintable() and " " not in url and not url.isascii():
        wanted = "be ASCII: write the host in Punycode, and other characters as in %C3%A4"
        raise PageError("public_url", wanted, shown(url))
    if not CHARACTERS.fullmatch(url) or PERCENT.search(url):
        raise PageError("public_url", WANTED, shown(url))
    try:
        parts = urlsplit(url)
        is_good = parts.port != 0  # raises ValueError unless it is a port number
    except ValueError:
        is_good = False
        parts = urlsplit("")
    if not is_good or parts.scheme not in ("http", "https"):
        raise PageError("public_url", WANTED, shown(url))
    if "@" in parts.netloc:
        raise PageError("public_url", "have no user name or password", "one with @")
    host = parts.netloc.removesuffix(f":{parts.port}")
    if not HOST.fullmatch(host):
        raise PageError("public_url", WANTED, shown(url))
    return url


def link(url: str) -> str:
    """Return the `<link>` of a page that names its public address."""
    return f'<link rel="canonical" href="{html.escape(check(url))}">'
