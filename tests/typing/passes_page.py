# pyright: strict
"""The page, driven by a script."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import twobone
from twobone.creature import Steps, WalkerState, animal
from twobone.play import Step, export

with twobone.play(port=0, open_browser=False) as page:
    assert_type(page, twobone.Page)
    assert_type(page.target, tuple[float, ...])
    assert_type(page.r1, float)
    assert_type(page.side, int)
    page.target = (1.2, 0.4)
    page.target = np.array([1.2, 0.4])
    page.root = [0, 0]
    page.scene = "space"
    page.side = -1
    page.policy = "proportion"
    page.r1 = 2
    page.update(r1=1.0, r2=1.0, side=-1, target=(1.0, 1.0), scene="plane")
    assert_type(page.answer().joint, NDArray[np.float64])
    page.on_change(lambda page: print(page.target, page.answer().joint))

    @page.on_change
    def tell(page: twobone.Page) -> None:
        print(page.address, page.pages, page.errors)

    page.animal = "dog"
    page.animal = animal("dog").with_liveliness(0)
    page.animal = None
    page.terrain = Steps(0.1, 1.0)
    page.terrain = 0.5
    page.terrain = lambda x, z: 0.1 * np.sin(x)
    page.lead()
    page.lead(1)
    page.lead((0.2, 0.8), turn=0.3)
    page.shove(np.array([1.0, 0.0]))

    @page.on_step
    def follow(page: twobone.Page, step: Step) -> None:
        assert_type(step.state, WalkerState)
        assert_type(step.seconds, float)
        page.lead(0.0 if step.blocked else 1.0)

    assert_type(page.wait_for_page(timeout=0.1), bool)
    page.wait()
page.close()
assert_type(export("page.html"), Path)
