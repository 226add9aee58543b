"""Arguments of walks."""

import pytest

from twobone import CreatureError
from twobone.terrain import arguments


def test_the_longest_walk_has_a_million_frames():
    assert arguments.frames("seconds", 1e4, 100.0) == 1_000_000
    assert arguments.frames("seconds", 0.5, 3.0) == 2
    with pytest.raises(CreatureError, match="at most 1,000,000 frames"):
        arguments.frames("seconds", 1e4, 101.0)


def test_a_number_of_too_many_digits_is_shown_by_its_type():
    assert arguments.shown(10**5000) == "int"
