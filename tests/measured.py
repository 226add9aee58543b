"""Measures of recordings: `measured("slide", walk)` takes the arrays from the recording."""

import inspect

from twobone.creature import measures


def measured(name, recording, *more):
    """Call a measure with the fields of a recording that it asks for, then with `more`."""
    function = getattr(measures, name)
    fields = [{"contact": "stance"}.get(p, p) for p in inspect.signature(function).parameters]
    known = [getattr(recording, field) for field in fields if hasattr(recording, field)]
    return function(*known, *more)
