"""Options of `Limb.reach`: words, checks, and what a policy asks of a limb."""

import math
from typing import Literal, NamedTuple, TypeAlias, get_args

from twobone.core import arrays, policies
from twobone.core.policies import Chain, Limits, Policy, Soft, Stretch, Unreachable
from twobone.errors import PoseError

Bend: TypeAlias = Literal["pole", "rest", "transport"]
EndRotation: TypeAlias = Literal["world", "local"]
BENDS, END_ROTATIONS = get_args(Bend), get_args(EndRotation)


def may_stretch(policy):
    """Say whether bones may give: not with policies that only say where the end is put."""
    if not isinstance(policy, Policy):
        return policy.gives
    chain = policy.policies if isinstance(policy, Chain) else (policy,)
    return any(type(part).fit not in (Policy.fit, Soft.fit, Limits.fit) for part in chain)


class Reaction(NamedTuple):
    """What to do with what cannot be reached."""

    inner: Unreachable  # what the solver is told
    signals: bool
    raises: bool
    stretches: bool


def reaction(limits, unreachable):
    """Return what to do with what cannot be reached, the limb's limits first."""
    policy = policies.resolve(unreachable)
    inner = "clamp" if policy.signals or policy.raises else unreachable
    if limits is not None:
        words = {"clamp": None, "stretch": Stretch(math.inf)}
        rest = words[inner] if isinstance(inner, str) else inner
        inner = limits if rest is None else limits | rest
    return Reaction(inner, policy.signals, policy.raises, may_stretch(policy))


def one_of(words):
    """Return words as a message names them."""
    return " or ".join(f'"{word}"' for word in words)


def bend_of(bend: Bend | None, pole, pole_point) -> Bend:
    """Return what says in which plane a limb bends."""
    if pole is not None and pole_point is not None:
        raise PoseError("pole_point", "be left out where there is a `pole`", "both")
    none = pole is None and pole_point is None
    if bend is None:
        return "rest" if none else "pole"
    if not isinstance(bend, str) or bend not in BENDS:
        raise PoseError("bend", f"be {one_of(BENDS)}", repr(bend))
    if none and bend == "pole":
        raise PoseError("pole", 'be given for `bend="pole"`', "none")
    return bend


def sine(name, degrees):
    """Return the sine of an option in degrees."""
    degrees = arrays.to_float(name, degrees)
    if not 0.0 < degrees <= 90.0:
        raise PoseError(name, "be more than 0 and at most 90", repr(degrees))
    return math.sin(math.radians(degrees))
