"""Sphinx: how this documentation is built.

`pip install '.[docs]' && sphinx-build -W docs site` builds it; warnings are errors.
Links to the documentation of Python, NumPy, PyTorch and JAX need a network; without one, those
names are plain text.
"""

import inspect
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import twobone
from twobone.play import bundle, session

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "twobone"
author = "the authors of twobone"
copyright = "the authors of twobone; MIT licence"
version = release = twobone.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build", "pictures/*.md"]
nitpicky = False
default_role = "code"  # docstrings write `name` for code, as Markdown does

# --- text ---------------------------------------------------------------------------------

myst_enable_extensions = ["colon_fence", "dollarmath", "substitution"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# --- reference ----------------------------------------------------------------------------

templates_path = ["_templates"]
autosummary_generate = True
autosummary_imported_members = False
autodoc_typehints = "none"  # the docstrings say it in words; overloads would fill a page
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_use_plots = False

# If the inventory of a project cannot be fetched (None), Sphinx takes the next one, which has no
# names. That is no warning, so the build also works without a network.
INVENTORIES = (None, str(HERE / "empty.inv"))
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", INVENTORIES),
    "numpy": ("https://numpy.org/doc/stable", INVENTORIES),
    "torch": ("https://docs.pytorch.org/docs/stable", INVENTORIES),
    "jax": ("https://docs.jax.dev/en/latest", INVENTORIES),
}
intersphinx_timeout = 10  # seconds; by default a network that drops packets is waited for forever

# --- how it looks -------------------------------------------------------------------------

html_theme = "furo"
# The address of the site, where it is known: canonical links, and those that the page copies.
html_baseurl = os.environ.get("TWOBONE_DOCS_URL", "")
html_title = f"twobone {version}"
html_static_path = ["_static"]
html_css_files = ["twobone.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#00795A",
        "color-brand-content": "#0072B2",
        "color-brand-visited": "#8E4585",
        "color-background-primary": "#FBFAF7",
        "color-foreground-primary": "#1B1F24",
    },
    "dark_css_variables": {
        "color-brand-primary": "#2BD4A0",
        "color-brand-content": "#56B4E9",
        "color-brand-visited": "#CC79A7",
        "color-background-primary": "#14171C",
        "color-foreground-primary": "#E6EAF0",
    },
}

# --- the page, live -----------------------------------------------------------------------


def setup(app):
    """Complete docstrings, and add the interactive page."""
    app.connect("autodoc-process-docstring", _describe_call, priority=100)
    app.connect("autodoc-process-docstring", _escape_bars, priority=100)
    app.connect("autodoc-process-docstring", _add_fields, priority=100)  # before numpydoc's 500
    app.connect("html-page-context", _show_branch, priority=400)  # before furo's 500
    app.connect("build-finished", _export_page)


def _describe_call(app, what, name, thing, options, lines):
    """Document `twobone.play`, a package that can be called, as the function that it calls."""
    if what == "function" and isinstance(thing, ModuleType):
        lines[:] = inspect.getdoc(session.play).splitlines()


def _escape_bars(app, what, name, thing, options, lines):
    """Escape the bars of `|v|`, the length of a vector, which would be substitutions."""
    if name.startswith("twobone.creature.measures."):
        lines[:] = [line.replace("|", r"\|") for line in lines]


def _add_fields(app, what, name, thing, options, lines):
    """Add the fields of a named tuple to its docstring, from the comments beside them."""
    if what != "class" or not hasattr(thing, "_fields") or {"Parameters", "Attributes"} & {*lines}:
        return
    source = inspect.getsource(thing)
    example = lines.index("Examples") if "Examples" in lines else len(lines)
    section = ["", "Attributes", "----------"]
    for field in thing._fields:
        found = re.search(rf"^    {field}: .*?  # (.*)$", source, re.MULTILINE)
        section += [field, f"    {found[1][0].upper()}{found[1][1:]}." if found else ""]
    lines[example:example] = [*section, ""]


def _show_branch(app, pagename, templatename, context, doctree):
    """Show in the sidebar what is around a page, not all pages: most are of single functions."""
    if "toctree" in context:
        whole = context["toctree"]
        context["toctree"] = lambda **options: whole(**options | {"collapse": True})


def _export_page(app, error):
    if error is None and app.builder.format == "html":
        site = app.config.html_baseurl.rstrip("/")
        url = f"{site}/_static/live.html" if site else None
        bundle.export(Path(app.outdir) / "_static" / "live.html", public_url=url)
