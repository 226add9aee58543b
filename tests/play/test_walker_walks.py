"""The page's walker and Python's walk the same way, to the last bit.

Every night `tools/page_walks.py` compares walks of all animals and ten seeds.
"""

import numpy as np
import pytest

import node_scripts
import page_walks
from twobone import creature
from twobone.creature import restraint
from twobone.play.animals_table import entry


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("page")
    node_scripts.copy_of_page(found)
    return found


def assert_same(node, folder, *cases):
    """Compare the walks of cases; in each of them feet leave the ground.

    One call of node walks them all: to start and to compile takes it longer than most walks do.
    """
    found = {}
    for number, other in enumerate(page_walks.by_page(node, folder, cases)):
        walk = page_walks.by_python(cases[number])
        assert any("0" in step[:-1] for step in walk.contacts)
        found[number] = page_walks.difference(walk, other)
    assert found == dict.fromkeys(range(len(cases)), "")


ALL_KINDS = [
    ("insect", "steps", 2.5),
    ("spider", 0.25, 2.0),
    ("dog", 0.15, 2.5),
    ("dog", "steps", 2.5),
    ("bird", 0.15, 2.5),
    ("crab", 0.15, 2.5),
    ("centipede", "slope", 2.0),
]


def test_walks_on_all_kinds_of_ground_have_the_same_bits(node, folder):
    assert_same(node, folder, *(page_walks.case(*kind, 1) for kind in ALL_KINDS))


def test_so_have_walks_of_other_gaits_and_of_stiff_bodies(node, folder):
    crawl = creature.animal("dog").with_gait("crawl").gait
    insect = creature.animal("insect").gait.with_duty_factor(0.62)
    assert_same(
        node,
        folder,
        page_walks.case("dog", "flat", 2.5, 3, gait=crawl, liveliness=0.0),
        page_walks.case("insect", "flat", 2.5, 3, gait=insect, liveliness=0.5),
    )


def test_so_has_a_walk_over_a_bar(node, folder, monkeypatch):
    """Feet whose shins meet its edges rise, also at the far one."""
    climbs, climb = [], restraint._climb
    monkeypatch.setattr(
        restraint, "_climb", lambda *given: (climbs.append(given[2].any()), climb(*given))
    )
    spider, along = creature.animal("spider"), np.arange(-40, 120)[:, None]
    heights = np.where((along > 25) & (along < 50), 1.03, 0.0) + np.zeros(80)
    ground = creature.HeightArray(heights, spacing=0.1, origin=(-4.0, -4.0))
    start = {"position": [0.0, 0.0], "heading": 0.0}
    orders = [{"count": 640, "velocity": [0.0, 0.8 * spider.speed], "turn": 0.0}]
    given = {"kind": ground.formula(), "seed": 0, "start": start, "orders": orders}
    given |= {"entry": entry(spider), "dt": page_walks.STEP, "every": page_walks.EVERY}
    assert_same(node, folder, page_walks.Case(creature.Walker(spider, ground, **start), given))
    assert any(climbs)
