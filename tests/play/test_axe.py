"""axe-core finds no fault in any scene or lesson (`npm ci --prefix .ci/page`)."""

import itertools
from pathlib import Path

import pytest

from browsing import press

pytestmark = pytest.mark.sampled(3, "nightly")

AXE = Path(__file__).parents[2] / ".ci/page/node_modules/axe-core/axe.min.js"
RUN = "axe.run(document).then((found) => found.violations.map((v) => [v.id, v.nodes[0].html]))"
SIZES = {"light": (1280, 800), "dark": (390, 844)}
SCENES = ["r1=0.8", "scene=space&r1=0.8", "scene=creature", "scene=character", "step=1"]
OTHERS = [
    *("scene=creature&leg=1", "step=3", "step=5", "step=7"),
    *("lesson=space&step=4", "lesson=space&step=5", "lesson=break&step=1", "lesson=break&step=7"),
    *("present=1&r1=0.8", "step=5&present=1", "scene=creature&present=1"),
    *("embed=1", "scene=character&embed=1", "step=3&embed=1"),
]
# Both schemes have the same elements, so scenes have both, and others take turns.
CASES = [*itertools.product(SCENES, SIZES), *zip(OTHERS, itertools.cycle(SIZES), strict=False)]


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci --prefix .ci/page")
@pytest.mark.parametrize(("address", "scheme"), CASES)
def test_axe_finds_nothing(visit, address, scheme):
    size = SIZES[scheme]
    options = {"color_scheme": scheme, "reduced_motion": "reduce", "bypass_csp": True}
    page = visit(address, panel=False, width=size[0], height=size[1], **options)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []
    if not any(word in address for word in ("step", "present", "embed")):
        press(page, "Controls")
        assert page.evaluate(RUN) == []
        press(page, "Embed")
        assert page.evaluate(RUN) == []
