"""The documentation builds as README says, with and without a network."""

import functools
import http.server
import os
import re
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
COMMAND = "sphinx-build -W docs site"
HEAD = (
    "# Sphinx inventory version 2\n# Project: {}\n# Version: \n"
    "# The remainder of this file is compressed using zlib.\n"
)
NOWHERE = "http://127.0.0.1:9"  # a proxy that refuses every connection


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        pass


def inventory(project, names):
    """Return what a site says of its names, as Sphinx writes it."""
    return HEAD.format(project).encode() + zlib.compress(names.encode())


def build(conf, source, builder, proxy):
    """Build documents that have one page, with the configuration in a folder."""
    pytest.importorskip("sphinx", reason="sphinx is not installed")
    (source / "index.md").write_text("# Title\n\n{py:func}`numpy.sqrt`\n", encoding="utf-8")
    networks = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), proxy)
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-c", str(conf), "-b", builder]
    return subprocess.run(
        [*command, str(source), str(source / "out")],
        env=os.environ | networks | {"no_proxy": "127.0.0.1" if not proxy else ""},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_without_a_network_there_is_no_warning(tmp_path):
    done = build(PROJECT / "docs", tmp_path, "dummy", NOWHERE)
    assert done.returncode == 0, done.stderr


def test_with_a_network_names_are_links(tmp_path):
    served = tmp_path / "served"
    served.mkdir()
    names = "numpy.sqrt py:function 1 sqrt.html#$ -\n"
    (served / "objects.inv").write_bytes(inventory("NumPy", names))
    handler = functools.partial(Quiet, directory=str(served))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    conf = tmp_path / "conf"
    conf.mkdir()
    (conf / "conf.py").write_text(
        f"import runpy\ndocs = runpy.run_path({str(PROJECT / 'docs/conf.py')!r})\n"
        "extensions = ['myst_parser', 'sphinx.ext.intersphinx']\n"
        f"intersphinx_mapping = {{'numpy': ({url!r}, docs['intersphinx_mapping']['numpy'][1])}}\n",
        encoding="utf-8",
    )
    source = tmp_path / "source"
    source.mkdir()
    try:
        done = build(conf, source, "html", "")
    finally:
        server.shutdown()
        server.server_close()
    assert done.returncode == 0, done.stderr
    page = (source / "out/index.html").read_text(encoding="utf-8")
    assert f'href="{url}/sqrt.html#numpy.sqrt"' in page


def test_the_inventory_for_want_of_a_network_has_no_names():
    assert (PROJECT / "docs/empty.inv").read_bytes() == inventory("none", "")


def test_the_pipeline_builds_with_the_command_of_the_documents():
    for name in ("README.md", "CONTRIBUTING.md", "docs/conf.py"):
        text = (PROJECT / name).read_text(encoding="utf-8")
        assert re.findall(r"sphinx-build [^`]*", text) == [COMMAND], name
    pipeline = PROJECT / "noxfile.py"
    if pipeline.exists():  # not in the sdist
        words = ", ".join(f'"{word}"' for word in COMMAND.split())
        assert f"session.run({words})" in pipeline.read_text(encoding="utf-8")
