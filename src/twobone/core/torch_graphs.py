"""PyTorch: functions that Dynamo, which compiles and exports, takes into its graph as they are.

Dynamo cannot follow functions that inspect arguments of many kinds and record formulas. It need
not: `call` runs them once with tensors without values, and the operators that they call are what
is compiled. The arguments of such a call may only be tensors, numbers, words and tuples of them.
"""

import sys

import torch
from torch._subclasses import FakeTensor

from twobone.core.policies import Chain, Limits, Soft, Stretch
from twobone.errors import PolicyError, TwoBoneError

PARTS = {
    Soft: ("softness",),
    Stretch: ("limit",),
    Limits: ("least_degrees", "greatest_degrees"),
}


@torch.compiler.allow_in_graph
def call(module, function, unreachable, *arguments):
    """Return the arrays that a function of a module returns; `unreachable` is `told`."""
    try:
        return _run(module, function, unreachable, *arguments)  # pyright: ignore[reportCallIssue]
    except TwoBoneError as error:
        if not any(isinstance(value, FakeTensor) for value in arguments):
            raise
        # Dynamo answers this by leaving the graph: then the same call raises the same error again.
        raise NotImplementedError(repr(error)) from error


@torch.compiler.disable  # outside of a graph, functions called here would come here again
def _run(module, function, unreachable, *arguments):
    return getattr(sys.modules[module], function)(policy_of(unreachable), *arguments)


def is_known(unreachable):
    """Return whether `told` can tell of a policy."""
    return isinstance(unreachable, str) or all(type(part) in PARTS for part in _parts(unreachable))


def _parts(unreachable):
    return unreachable.policies if type(unreachable) is Chain else (unreachable,)


def told(unreachable):
    """Return a policy as words and numbers."""
    if isinstance(unreachable, str):
        return unreachable
    if not is_known(unreachable):
        raise PolicyError(  # unreached: dynamo
            "`unreachable`: torch.compile and torch.export know the policies of twobone only, got "
            f"{type(unreachable).__name__}; use it without them."
        )
    found = []
    for policy in _parts(unreachable):
        numbers = [getattr(policy, name) for name in PARTS[type(policy)]]
        found.append((type(policy).__name__, *numbers))
    return tuple(found)


def policy_of(unreachable):
    """Return the policy of which `told` has told."""
    if isinstance(unreachable, str):
        return unreachable
    kinds = {kind.__name__: kind for kind in PARTS}
    first, *others = (kinds[name](*numbers) for name, *numbers in unreachable)
    for policy in others:
        first = first | policy
    return first
