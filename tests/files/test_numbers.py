"""What is a number in tables and options."""

import pytest

from twobone.files.numbers import is_number


@pytest.mark.parametrize("text", ["1", "-1", "+.5", "1.", "1e-3", " 1 ", "nan", "-inf", "1e999"])
def test_numbers_are_those_of_other_programs(text):
    assert is_number(text)


@pytest.mark.parametrize("text", ["1_0", "\u0661", "\uff11", "1,5", "0x10", "one", "", "1\xa0"])
def test_what_only_python_reads_is_no_number(text):
    assert not is_number(text)
