"""The public address of a page: what is accepted, and what it becomes in the page."""

import html
import re

import pytest

import twobone
from twobone import cli
from twobone.errors import PageError
from twobone.play import bundle, public_url
from visitors import request

GOOD = (
    "https://example.org", "https://example.org/page.html", "http://example.org:8080/a/b/",
    "HTTPS://Example.org/%C3%A4", "https://xn--bcher-kva.example/", "https://[2001:db8::1]:8443/p",
    "https://example.org/?page=7&lang=en", "http://localhost:8000/page.html", "https://192.0.2.7/",
    "https://example.org./it's(1);~a/[b]/@me",
)  # fmt: skip
BAD = (
    "", "page.html", "/page.html", "//example.org/", "example.org/page.html", "https:", "https://",
    "https:example.org", "https:///page.html", "javascript:alert(1)", "JaVaScRiPt:alert(1)",
    "data:text/html,hello", "file:///home/me/page.html", "ftp://example.org/", "blob:https://a.org/",
    'https://example.org/"><script>alert(1)</script>', "https://example.org/'><x", "https://a.org/`",
    "https://a.org/a b", " https://a.org/", "https://a.org/\n", "java\tscript:alert(1)",
    "https://a\t.org/", "https://a.org\\@b.org/", "https:\\\\a.org/", "https://a.org/\x00",
    "https://a.org/\x7f", "https://a.org/\u2028", "https://a.org/\u202egpj", "https://a.org/{x}",
    "https://a.org:0/", "https://a.org:65536/", "https://a.org:x/", "https://a.org:/",
    "https://a..org/", "https://-a.org/", "https://.org/", "https://[zz]/", "https://[::1/",
    "https://a.org/%", "https://a.org/%zz",
)  # fmt: skip


@pytest.mark.parametrize("url", GOOD)
def test_an_address_that_others_can_open_is_the_canonical_one(url):
    assert public_url.check(url) == url
    [found] = re.findall('<link rel="canonical" href="([^"<>]*)">', public_url.link(url))
    assert html.unescape(found) == url


@pytest.mark.parametrize("url", [*BAD, None, 5, b"https://a.org/", ["https://a.org/"]])
def test_what_is_no_address_on_the_web_is_refused(url):
    with pytest.raises(PageError, match="`public_url` must be an http or https URL such as"):
        public_url.link(url)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://me:secret@example.org/", "have no user name or password, got one with @"),
        ("https://me@example.org/", "have no user name or password"),
        ("https://example.org/#step=3", "have no #, after which the page keeps its state"),
        ("https://example.org/" + "x" * 2000, "have at most 2000 characters, got 2020"),
        ("https://bücher.example/", "be ASCII: write the host in Punycode"),
        ("https://example.org/ä", "other characters as in %C3%A4"),
    ],
)
def test_an_error_says_what_is_wrong_with_an_address(url, said):
    with pytest.raises(PageError, match=re.escape(said)) as info:
        public_url.check(url)
    assert "secret" not in str(info.value)


def test_the_link_is_the_only_difference_and_the_policy_stays():
    plain, known = bundle.bundle({}), bundle.bundle({}, public_url="https://example.org/")
    assert known.policy == plain.policy
    link = '<link rel="canonical" href="https://example.org/">\n'
    assert known.html.replace(link, "") == plain.html


def test_it_is_written_by_export_and_served(tmp_path, state_home):
    link = '<link rel="canonical" href="https://example.org/ik.html">'
    path = twobone.play.export(tmp_path / "page.html", public_url="https://example.org/ik.html")
    assert link in path.read_text(encoding="utf-8")
    with twobone.play(port=0, open_browser=False, public_url="https://example.org/ik.html") as page:
        assert link in request(page.address).text


def test_a_bad_address_writes_and_serves_nothing(tmp_path, state_home):
    with pytest.raises(PageError):
        twobone.play.export(tmp_path / "page.html", public_url="javascript:alert(1)")
    assert not list(tmp_path.glob("*.html"))
    with pytest.raises(PageError):
        twobone.play(port=0, open_browser=False, public_url="javascript:alert(1)")


def test_the_command_takes_it_and_names_its_option_in_errors(tmp_path, capsys):
    path = tmp_path / "page.html"
    run = lambda *words: cli.run(["play", *map(str, words)])  # noqa: E731
    assert run("--export", path, "--public-url", "https://example.org/ik.html") == 0
    assert 'rel="canonical" href="https://example.org/ik.html"' in path.read_text(encoding="utf-8")
    assert run("--export", tmp_path / "no.html", "--public-url", "javascript:alert(1)") == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "'--public-url': it must be an http or https URL" in printed.err
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "no.html").exists()
