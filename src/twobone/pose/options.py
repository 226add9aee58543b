"""Options of `Limb.reach`: allowed values, checks, and how a policy applies to a limb."""

import math
from typing import Literal, NamedTuple, TypeAlias, get_args

from twobone.core import arrays, policies
from twobone.core.policies import Chain, Limits, Policy, Soft, Stretch, Unreachable
from twobone.errors import PoseError

Bend: TypeAlias = Literal["pole", "rest", "transport"]
EndRotation: TypeAlias = Literal["world", "local"]
BENDS, END_ROTATIONS = get_args(Bend), get_args(EndRotation)


def may_stretch(policy):
    """Return whether a policy may change the lengths of the bones.

    Policies that only move the end (`Soft`, `Limits`, those that define `place`) never do.
    """
    if not isinstance(policy, Policy):
        return policy.gives
    chain = policy.policies if isinstance(policy, Chain) else (policy,)
    return any(type(part).fit not in (Policy.fit, Soft.fit, Limits.fit) for part in chain)


class LimbPolicy(NamedTuple):
    """How to treat targets that cannot be reached."""

    inner: Unreachable  # the policy that the solver applies
    signals: bool  # NaN where the target is not reached
    raises: bool  # an error where the target is not reached
    stretches: bool  # the bones may change their lengths


def limb_policy(limits, unreachable):
    """Return how to treat targets that cannot be reached; the limb's own limits apply first."""
    policy = policies.resolve(unreachable)
    inner = "clamp" if policy.signals or policy.raises else unreachable
    if limits is not None:
        words = {"clamp": None, "stretch": Stretch(math.inf)}
        rest = words[inner] if isinstance(inner, str) else inner
        inner = limits if rest is None else limits | rest
    return LimbPolicy(inner, policy.signals, policy.raises, may_stretch(policy))


def one_of(words):
    """Return words as an error message lists them: `"a" or "b"`."""
    return " or ".join(f'"{word}"' for word in words)


def bend_of(bend: Bend | None, pole, pole_point) -> Bend:
    """Return the value of `bend`, or its default; raise if it does not fit the pole."""
    if pole is not None and pole_point is not None:
        raise PoseError("pole_point", "be left out when `pole` is given", "both")
    none = pole is None and pole_point is None
    if bend is None:
        return "rest" if none else "pole"
    if not isinstance(bend, str) or bend not in BENDS:
        raise PoseError("bend", f"be {one_of(BENDS)}", repr(bend))
    if none and bend == "pole":
        raise PoseError("pole", 'be given for `bend="pole"`', "none")
    return bend


def sine(name, degrees):
    """Return the sine of an angle given in degrees, which must be above 0 and at most 90."""
    degrees = arrays.to_float(name, degrees)
    if not 0.0 < degrees <= 90.0:
        raise PoseError(name, "be more than 0 and at most 90", repr(degrees))
    return math.sin(math.radians(degrees))
