"""The page's walker and Python's walk the same way: every step is decided alike."""

import pytest

import node_scripts
import page_walks
from slow import slow
from twobone import creature

CLOSE = 1e-9  # of the leg's length, after a minute


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("page")
    node_scripts.copy_of_page(found)
    return found


def differ(node, folder, *given):
    case = page_walks.case(*given)
    walks = page_walks.by_python(case)
    assert any("0" in step[:-1] for step in walks.contacts[0])  # feet are lifted
    return page_walks.difference(case, walks, page_walks.by_page(node, folder, case))


QUICK = [
    ("insect", "steps", 6.0),
    ("spider", "0.25", 4.0),
    ("dog", "0.15", 6.0),
    ("bird", "0.15", 6.0),
    ("crab", "flat", 4.0),
    ("centipede", "slope", 3.0),
]


@pytest.mark.parametrize(("name", "kind", "seconds"), QUICK)
def test_walks_on_all_kinds_of_ground_are_the_same(node, folder, name, kind, seconds):
    found = differ(node, folder, name, kind, seconds, range(1, 4))
    assert found == (pytest.approx(0.0, abs=CLOSE), "")


def test_so_are_walks_with_another_duty_factor(node, folder):
    found = differ(node, folder, "insect", "flat", 3.0, range(3), 0.62)
    assert found == (pytest.approx(0.0, abs=CLOSE), "")


@pytest.mark.parametrize("kind", slow("flat", "0.15", "0.25", "slope", "steps"))
@pytest.mark.parametrize("name", list(creature.ANIMALS))
def test_a_minute_of_ten_seeds_is_the_same(node, folder, name, kind):
    found = differ(node, folder, name, kind, 60.0, range(page_walks.COUNT))
    assert found == (pytest.approx(0.0, abs=CLOSE), "")
