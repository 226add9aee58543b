"""The page's walker and Python's walk the same way, to the last bit.

Every night `tools/page_walks.py` compares walks of all animals on all grounds.
"""

import re

import pytest

import node_scripts
import page_walks


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "kind"), [("bird", "steps"), ("crab", 0.25), ("centipede", 0.15)])
def test_walks_have_the_same_bits(node, tmp_path, name, kind):
    node_scripts.copy_of_page(tmp_path)
    assert page_walks.compared(node, tmp_path, name, kind, 2.0, 3) == ""


def test_a_walk_that_differs_is_told(node, tmp_path):
    node_scripts.copy_of_page(tmp_path)
    path = tmp_path / "stepping" / "rhythm.js"
    numbers = re.compile(r"^((?:export )?const \w+ = )(\d[\d.]*);", re.M)
    path.write_text(numbers.sub(r"\g<1>\2 * 1.1;", path.read_text()))
    assert page_walks.compared(node, tmp_path, "dog", "flat", 1.0, 3).startswith(
        "page: from frame "
    )
