"""Shapes as SVG, in node: lines end beyond the picture, areas are one, and no number is none."""

import re

import pytest

# The module measures texts with a canvas, which node does not have: it gets one that it never uses.
DRAW = """(async () => {
  globalThis.document = { createElement: () => ({ getContext: () => null }) };
  try {
    const { draw } = await import("./stage/draw.js");
    return given.map((shape) => draw.svg([shape], 400, 300, `<"it" & more>`));
  } finally {
    delete globalThis.document;
  }
})()"""


def drawn(modules, shape):
    return modules({}, DRAW, [shape])[0]


@pytest.mark.parametrize(
    ("line", "close", "wanted"),
    [
        ([[0, 0], [10, 5]], False, "M0 0L10 5"),
        ([[0, 0], [10, 5], [3, 9]], True, "M0 0L10 5L3 9Z"),
        ([[-1e6, 5], [1e6, 5]], False, "M-4000 5L8000 5"),
        ([[1, 1], [1, 1e7], [2, 1e7], [2, 1]], False, "M1 1L1 8000M2 8000L2 1"),
        ([[0, 0], [100, 0], [100, 1e7]], True, "M0 0L100 0L100 8000M0.08 8000L0 0"),
        ([[1e5, 0], [1e6, 5]], False, ""),
        ([[1e5, 1e5], [1e5, 1e6]], False, ""),
        ([[0, 1e5], [1e5, 0]], False, ""),
    ],
)  # fmt: skip
def test_a_line_ends_beyond_the_picture(modules, line, close, wanted):
    """A browser takes a minute for dashes a million pixels long, such as from within a bone."""
    shape = {"line": line, "close": close, "stroke": "ink"}
    assert re.findall(r' d="([^"]*)"', drawn(modules, shape)) == [wanted]
    [filled] = re.findall(r' d="([^"]*)"', drawn(modules, shape | {"fill": "ink"}))
    assert re.fullmatch("M[^M]*L[^M]*", filled)  # what is filled stays whole


def test_areas_are_one_path(modules):
    square = [[[0, 0], [20, 0], [20, 20], [0, 20]], [[10, 10], [30, 10], [30, 30], [10, 30]]]
    svg = drawn(modules, {"areas": square, "fill": "ink", "alpha": 0.5})
    assert 'd="M0 0L20 0L20 20L0 20ZM10 10L30 10L30 30L10 30Z"' in svg
    assert 'opacity="0.5"' in svg


@pytest.mark.parametrize(
    "shape",
    [
        {"disc": [1, 2, float("inf")], "fill": "ink"},
        {"line": [[0, 0], [float("nan"), 1]], "stroke": "ink"},
        {"text": "x", "at": [float("inf"), 0]},
    ],
)
def test_what_lies_without_end_is_left_out(modules, shape):
    svg = drawn(modules, shape)
    assert "Infinity" not in svg
    assert "NaN" not in svg
    assert svg.count("<") == 3  # the picture, its ground, and its end


def test_texts_are_escaped(modules):
    svg = drawn(modules, {"text": "<b>&", "at": [1, 2], "size": 9})
    assert "&lt;b&gt;&amp;</text>" in svg
    assert 'aria-label="&lt;&quot;it&quot; &amp; more&gt;"' in svg
