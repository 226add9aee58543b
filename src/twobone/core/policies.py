"""Policies for unreachable targets, and `Status`.

A policy is a pure function of distances. Named policies are strings. Policy objects (`Soft`,
`Stretch`, `Limits`, your own) map a `Fit`, which holds the distance from root to end, to another
one. They are combined with `|` and applied from left to right.

Parameters of the built-in policies may be arrays, one number a row. Such a policy is solved in two
steps: its arrays become arguments of the limb (`parameters`), and are converted and checked with
the others; then `for_rows` puts them back, ready for the formula. Rows whose parameters are out of
range get a first bone of length NaN, which makes them INVALID in every engine.
"""

from __future__ import annotations

import functools
import itertools
import math
import reprlib
import sys
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal, Self, SupportsInt, TypeAlias

import numpy as np

from twobone.core import arrays, easing, fitting
from twobone.core.array_types import Array, NDArray, Number
from twobone.core.easing import HalfAngle, Named
from twobone.core.half_angles import half_angle, half_angles
from twobone.core.immutable import Immutable
from twobone.errors import ArrayTypeError, PolicyError, ShapeError


class Status(IntEnum):
    """Whether a target was reached, and if not, why.

    `REACHED` and `AMBIGUOUS`: the end is at the target and both bones keep their lengths, up to
    rounding (4 eps of the minimum or maximum reach). If `AMBIGUOUS`, side and pole do not determine
    the joint. `TOO_FAR` and `TOO_NEAR`: the target is not reached, or only because the bones change
    their lengths. `INVALID`: an argument is NaN, infinite or otherwise invalid; the result is NaN.

    Examples
    --------
    >>> import twobone
    >>> twobone.Status(twobone.reach([3.0, 0.0], 1.0, 1.0).status)
    <Status.TOO_FAR: 1>
    """

    if TYPE_CHECKING:  # `IntEnum` accepts `int` only; codes are NumPy scalars or tensors

        def __new__(cls, value: SupportsInt) -> Self: ...

    REACHED = 0
    TOO_FAR = 1
    TOO_NEAR = 2
    AMBIGUOUS = 3
    INVALID = 4


# --- named policies -----------------------------------------------------------------------


NAMED = {
    "clamp": Named("clamp"),
    "stretch": Named("stretch", gives=True),
    "nan": Named("nan", signals=True),
    "raise": Named("raise", raises=True),
}


# --- policy objects -----------------------------------------------------------------------


class Policy:
    """Base class of policies for unreachable targets: `Soft`, `Stretch`, `Limits` and your own.

    To write a policy, derive from this class and override `place`. It maps the distance from root
    to target to the distance from root to end, given the minimum reach `inner` and the maximum
    reach `outer`. The result is clamped to the reachable range; NaN makes the row INVALID. Use
    `xp.where` and arithmetic, not `if`: the arguments are arrays of the library of the target.

    Examples
    --------
    A policy that never uses the last tenth of the reach:

    >>> import twobone
    >>> class Lazy(twobone.Policy):
    ...     def place(self, xp: Any, distance: Any, inner: Any, outer: Any) -> Any:
    ...         return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)
    >>> twobone.reach([5.0, 0.0], 1.0, 1.0, unreachable=Lazy()).end
    array([1.8, 0. ])

    A policy with a parameter. Frozen dataclasses with equal parameters are equal, so `jax.jit`
    with a static policy traces once for all of them. Objects of other classes equal only
    themselves.

    >>> import dataclasses
    >>> @dataclasses.dataclass(frozen=True)
    ... class UpTo(twobone.Policy):
    ...     fraction: float
    ...     def place(self, xp, distance, inner, outer):
    ...         return xp.where(distance > self.fraction * outer, self.fraction * outer, distance)
    >>> UpTo(0.5), UpTo(0.5) == UpTo(0.5)
    (UpTo(fraction=0.5), True)
    """

    fits = True
    raises = False
    signals = False
    per_row = False

    def place(self, xp: Any, distance: Any, inner: Any, outer: Any) -> Any:
        """Return the distance from root to end."""
        raise PolicyError(f"{type(self).__name__}: a policy must define `place` (or `fit`).")

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        """Return the `Fit` after this policy; by default it is computed with `place`.

        The solver calls it. A `Fit` (`twobone.core.fitting`) holds the reachable range, and how far
        the end is from its edges.
        """
        d = fitting.end_distance(xp, fit)
        came = d * fit.unit
        placed = self.place(xp, came, fit.inner * fit.unit, fit.outer * fit.unit)
        placed = _distances(self, placed, d)
        other = (placed < came) | (placed > came) | (placed != placed)
        placed = placed / fit.unit
        return fit._replace(
            far=xp.where(other, fit.outer - placed, fit.far),
            near=xp.where(other, placed - fit.inner, fit.near),
            moved=fit.moved | other,
        )

    def _steps(self) -> list[tuple[float, ...]] | None:
        """Return what the kernel needs to apply this policy, or None if it cannot.

        It is a kind and four numbers for each policy; see `Step` in the kernel's `loops.hpp`. For
        rows, some of the numbers are arrays.
        """
        return None

    def _leaves(self) -> list[Any]:
        """Return the arrays that are parameters."""
        return []

    def _mapped(self, function: Callable[[Any], Any]) -> Policy:
        """Return a policy with a function applied to each array."""
        return self

    def _prepared(self, library: Any) -> tuple[Policy, Any]:
        """Return the policy with its arrays ready for the formula, and where they are in range.

        Elsewhere they are replaced by numbers that are.
        """
        return self, True

    @reprlib.recursive_repr()
    def __repr__(self) -> str:
        known = [f"{name}={value!r}" for name, value in vars(self).items() if name[0] != "_"]
        return f"{type(self).__name__}({', '.join(known)})"

    def __or__(self, other: Policy) -> Chain:
        if not isinstance(other, Policy):
            raise PolicyError(
                f"{self!r} can be combined with Soft(...), Stretch(...), Limits(...) or another"
                f" Policy object, got {_shown(other)}; named policies cannot be combined."
            )
        return Chain(self, other)

    __ror__ = __or__  # called if the left operand is not a policy: raises


class _Value(Immutable, Policy):
    """An immutable policy that equals others of its class with the same attributes.

    Objects of a derived class may have other attributes, so they equal only themselves. So do
    policies with arrays.
    """

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self) or not self._is_own_class():
            return NotImplemented
        return not (self.per_row or other.per_row) and self._values() == other._values()

    def __hash__(self) -> int:
        if self.per_row or not self._is_own_class():
            return object.__hash__(self)
        return hash((type(self), *self._values()))

    def _values(self):
        return [getattr(self, name) for name in self._set_once]

    def _attributes(self):
        """Return the attributes that may hold arrays, by name."""
        return {name: value for name, value in vars(self).items() if name in self._set_once}

    def _leaves(self) -> list[Any]:
        return _leaves_of(tuple(self._attributes().values()))

    def _mapped(self, function: Callable[[Any], Any]) -> Policy:
        return self._with(
            **{name: _map(function, value) for name, value in self._attributes().items()}
        )

    def _with(self, **given):
        """Return a copy with other values of some attributes, which are not checked."""
        made = object.__new__(type(self))
        for name, value in {**vars(self), **given}.items():
            object.__setattr__(made, name, value)
        made._look_for_arrays()
        return made

    def _look_for_arrays(self):
        object.__setattr__(self, "per_row", any(leaf is not HOLE for leaf in self._leaves()))
        register_pytrees()


class _Hole:
    """Stands for an array in what JAX takes for the structure of a policy."""

    def __repr__(self) -> str:
        return "*"


HOLE = _Hole()


def _all(conditions):
    """Return where all conditions hold; those of numbers were checked before, and are True."""
    arrays = [each for each in conditions if each is not True]  # `torch.jit` knows no array & bool
    return functools.reduce(lambda a, b: a & b, arrays, arrays.pop(0)) if arrays else True


def _leaves_of(value):
    if type(value) is float:
        return []
    if isinstance(value, Policy):
        return value._leaves()
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in _leaves_of(part)]
    return [value]


def _map(function, value):
    if type(value) is float:
        return value
    if isinstance(value, Policy):
        return value._mapped(function)
    if isinstance(value, tuple):
        parts = [_map(function, part) for part in value]
        return type(value)(*parts) if isinstance(value, HalfAngle) else tuple(parts)
    return function(value)


class Chain(_Value):
    """Several policies, applied one after the other; created with `|`."""

    policies: tuple[Policy, ...]
    _set_once = ("policies",)

    def __init__(self, *policies: Policy) -> None:
        flat = [
            part
            for each in policies
            for part in (each.policies if isinstance(each, Chain) else (each,))
        ]
        for policy in flat[:-1]:
            if isinstance(policy, Stretch):
                raise PolicyError(
                    f"{policy!r} must come last in a chain, and only once: it stretches the bones"
                    " from where the other policies put the end."
                )
        limits = [policy for policy in flat if isinstance(policy, Limits)]
        least = [each.least_degrees for each in limits]
        least = max([0.0, *(number for number in least if type(number) is float)])
        greatest = [each.greatest_degrees for each in limits]
        if any(type(number) is float and number < least for number in greatest):
            raise PolicyError(f"No joint angle satisfies all of {', '.join(map(repr, limits))}.")
        self.policies = tuple(flat)
        self._look_for_arrays()

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        for policy in self.policies:
            fit = policy.fit(xp, fit)
        return fit

    def _steps(self) -> list[tuple[float, ...]] | None:
        found = []
        for policy in self.policies:
            steps = policy._steps()
            if steps is None:
                return None
            found += steps
        return found

    def _prepared(self, library: Any) -> tuple[Policy, Any]:
        pairs = [policy._prepared(library) for policy in self.policies]
        conditions = [each for _, each in pairs]
        limits = [policy for policy in self.policies if isinstance(policy, Limits)]
        conditions += [
            one.least_degrees <= other.greatest_degrees
            for one, other in itertools.permutations(limits, 2)
            if one.per_row or other.per_row
        ]
        return self._with(policies=tuple(policy for policy, _ in pairs)), _all(conditions)

    def __repr__(self) -> str:
        return " | ".join(repr(policy) for policy in self.policies)


class Soft(_Value):
    """Approach the edges of the reachable range smoothly, so that the joint never snaps straight.

    Let `outer` be the maximum reach, `far = outer - distance` for the distance of the target, and
    `s = softness * outer` (at most half the width of the range). Up to the distance `outer - s`
    the end is at the target. From there to `outer + s` it is `(far + s)^2 / (4 s)` short of the
    maximum reach, and beyond it is at the maximum reach. The distance of the end is a C1 and
    monotone function of that of the target and never exceeds it; the end slows down, so that the
    velocity of the joint stays bounded. The same holds at the minimum reach `inner`, with
    `s = softness * inner`. The animation program Spine uses this curve.

    Parameters
    ----------
    softness : number or array, shape (...)
        The fraction of the reach in which the end lags behind, in (0, 1). An array has a number for
        each row: see Notes.

    Notes
    -----
    A target in the soft zone is not reached, so its status is TOO_FAR (or TOO_NEAR).

    Arrays of NumPy, PyTorch and JAX broadcast with `r1` and the other numbers of a row, and take
    part in derivatives and in the choice of the dtype. A row whose number is NaN or out of range is
    INVALID; a plain number out of range raises. Policies of numbers are values: equal ones are
    equal. One with arrays equals only itself, and is a pytree of JAX.

    Examples
    --------
    >>> import numpy as np
    >>> import twobone
    >>> twobone.reach([2.0, 0.0], 1.0, 1.0, unreachable=twobone.Soft(0.1)).end
    array([1.95, 0.  ])
    >>> soft = twobone.Soft(np.array([0.1, 0.2]))
    >>> twobone.reach([2.0, 0.0], 1.0, 1.0, unreachable=soft).end
    array([[1.95, 0.  ],
           [1.9 , 0.  ]])
    """

    softness: Any  #: The fraction of the reach in which the end lags behind: a float, or an array.
    _set_once = ("softness",)

    def __init__(self, softness: Parameter) -> None:
        self.softness = _parameter("Soft", "softness", softness)
        if type(self.softness) is float and not 0.0 < self.softness < 1.0:
            raise PolicyError(f"Soft: `softness` must lie between 0 and 1, got {self.softness}.")
        self._look_for_arrays()

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        return easing.soft(xp, fit, self.softness)

    def _steps(self) -> list[tuple[float, ...]] | None:
        return [(0.0, self.softness, 0.0, 0.0, 0.0)] if type(self) is Soft else None

    def _prepared(self, library: Any) -> tuple[Policy, Any]:
        if not self.per_row:
            return self, True
        good = (self.softness > 0.0) & (self.softness < 1.0)
        return self._with(softness=library.where(good, self.softness, 0.5)), good

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.softness!r})"


class Stretch(_Value):
    """Lengthen both bones in proportion to meet a far target, up to a limit, then clamp.

    In a chain it comes last. After `Soft`, the bones start to stretch where the end would lag, and
    the end stays at the target throughout the soft zone. A target that is too near is clamped,
    because longer bones do not help.

    Parameters
    ----------
    limit : number or array, shape (...)
        The maximum factor on both lengths, at least 1; `math.inf` for no limit. An array has a
        number for each row, as in `Soft`.

    Examples
    --------
    >>> import twobone
    >>> twobone.reach([2.2, 0.0], 1.0, 1.0, unreachable=twobone.Stretch(limit=1.2)).end
    array([2.2, 0. ])

    A limit for each of two limbs:

    >>> import numpy as np
    >>> stretch = twobone.Stretch(limit=np.array([1.05, 1.2]))
    >>> twobone.reach([2.2, 0.0], 1.0, 1.0, unreachable=stretch).end
    array([[2.1, 0. ],
           [2.2, 0. ]])
    """

    limit: Any  #: The maximum factor on both lengths: a float, or an array.
    _set_once = ("limit",)

    def __init__(self, limit: Parameter) -> None:
        self.limit = _parameter("Stretch", "limit", limit)
        if type(self.limit) is float and not self.limit >= 1.0:
            raise PolicyError(f"Stretch: `limit` must be at least 1, got {self.limit}.")
        self._look_for_arrays()

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        farthest: Any = fitting.farthest(fit.real)
        if self.per_row:
            farthest = xp.where(self.limit == math.inf, self.limit, farthest)
        elif self.limit == math.inf:
            farthest = math.inf
        return easing.stretch(xp, fit.real, fit, self.limit, farthest)

    def _steps(self) -> list[tuple[float, ...]] | None:
        limited = (self.limit < math.inf) * 1.0
        return [(1.0, self.limit, limited, 0.0, 0.0)] if type(self) is Stretch else None

    def _prepared(self, library: Any) -> tuple[Policy, Any]:
        if not self.per_row:
            return self, True
        good = self.limit >= 1.0
        return self._with(limit=library.where(good, self.limit, 1.0)), good

    def __repr__(self) -> str:
        limit = repr(self.limit)
        limit = "float('inf')" if limit == "inf" else limit  # valid Python
        return f"{type(self).__name__}(limit={limit})"


class Limits(_Value):
    """Keep the joint angle, the angle between the bones, within limits.

    A straight limb has a joint angle of 180 degrees, a folded one 0. Limits of the angle narrow the
    reachable range, to `outer^2 = (r1 + r2)^2 - 4 r1 r2 cos^2(greatest / 2)` and `inner^2 =
    (r1 - r2)^2 + 4 r1 r2 sin^2(least / 2)`. The end goes as near to the target as it can.

    Parameters
    ----------
    least_degrees, greatest_degrees : number or array, shape (...)
        Minimum and maximum of the joint angle, 0 <= least <= greatest <= 180. An array has a number
        for each row, as in `Soft`. Where the limits of several policies in a chain leave no angle,
        numbers raise, and rows of arrays are INVALID.

    Examples
    --------
    >>> import twobone
    >>> twobone.reach([2.0, 0.0], 1.0, 1.0, unreachable=twobone.Limits(greatest_degrees=90)).joint
    array([0.70710678, 0.70710678])

    A limit for each of two limbs:

    >>> import numpy as np
    >>> limits = twobone.Limits(greatest_degrees=np.array([60.0, 90.0]))
    >>> twobone.reach([2.0, 0.0], 1.0, 1.0, unreachable=limits).end.round(4)
    array([[1.    , 0.    ],
           [1.4142, 0.    ]])
    """

    least_degrees: Any  #: Minimum of the joint angle: a float, or an array.
    greatest_degrees: Any  #: Maximum of the joint angle: a float, or an array.
    least: Any  #: Squared sine and cosine of half of `least_degrees`; None for an array.
    greatest: Any  #: Squared sine and cosine of half of `greatest_degrees`; None for an array.
    _set_once = ("least_degrees", "greatest_degrees", "least", "greatest")

    def __init__(self, least_degrees: Parameter = 0.0, greatest_degrees: Parameter = 180.0) -> None:
        least = self.least_degrees = _parameter("Limits", "least_degrees", least_degrees)
        greatest = _parameter("Limits", "greatest_degrees", greatest_degrees)
        self.greatest_degrees = greatest
        # Numbers are compared; beside an array, a number is compared with the bounds alone.
        lower = least if type(least) is float else 0.0
        upper = greatest if type(greatest) is float else 180.0
        if not 0.0 <= lower <= upper <= 180.0:
            raise PolicyError(
                "Limits: angles must satisfy 0 <= least_degrees <= greatest_degrees <= 180,"
                f" got {least} and {greatest}."
            )
        self.least = half_angle(least) if type(least) is float else None
        self.greatest = half_angle(greatest) if type(greatest) is float else None
        self._look_for_arrays()

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        return easing.narrow(xp, fit, self.least, self.greatest)

    def _steps(self) -> list[tuple[float, ...]] | None:
        return [(2.0, *self.least, *self.greatest)] if type(self) is Limits else None

    def _attributes(self):
        """Leave out the sines that an array does not have: a None elsewhere is JAX's."""
        found = super()._attributes()
        return {n: v for n, v in found.items() if v is not None or n.endswith("degrees")}

    def _prepared(self, library: Any) -> tuple[Policy, Any]:
        if not self.per_row:
            return self, True
        least, greatest = self.least_degrees, self.greatest_degrees
        good = _all([least >= 0.0, greatest >= least, greatest <= 180.0])
        if type(least) is not float:
            least = library.where(good, least, 0.0)
        if type(greatest) is not float:
            greatest = library.where(good, greatest, 180.0)
        angles = {"least_degrees": least, "greatest_degrees": greatest}
        least, greatest = half_angles(library, least), half_angles(library, greatest)
        return self._with(**angles, least=least, greatest=greatest), good

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.least_degrees!r}, {self.greatest_degrees!r})"


# The type of a parameter, and that of the argument `unreachable`.
Parameter: TypeAlias = Number | NDArray[Any] | Array
Unreachable: TypeAlias = Literal["clamp", "stretch", "nan", "raise"] | Policy


def resolve(unreachable):
    """Return the policy of an argument `unreachable`: a name or a policy object."""
    if isinstance(unreachable, Policy):
        if unreachable.per_row:
            register_pytrees()  # JAX may have been imported since it was made
        return unreachable
    if isinstance(unreachable, str) and unreachable in NAMED:
        return NAMED[unreachable]
    words = ", ".join(f'"{word}"' for word in NAMED)
    raise PolicyError(
        f"No policy {_shown(unreachable)} for `unreachable`; there are {words},"
        " Soft(...), Stretch(...), Limits(...), several combined with |, or your own Policy."
    )


# --- parameters of each row ---------------------------------------------------------------


def parameters(policy):
    """Return the arrays among the parameters of a policy, by name, in the order of its leaves."""
    if not policy.per_row:
        return {}
    found = {}
    chain = policy.policies if isinstance(policy, Chain) else (policy,)
    for place, part in enumerate(chain):
        if isinstance(part, _Value) and part.per_row:
            for name, value in part._attributes().items():
                if _leaves_of(value):
                    found[f"policies[{place}].{name}" if name in found else name] = value
    return found


def with_leaves(policy, leaves):
    """Return a policy with other arrays, in the order of `_leaves`."""
    following = iter(leaves)
    return policy._mapped(lambda _: next(following))


def for_rows(library, values, policy):
    """Return arguments without the parameters of a policy, and the policy ready for the formula.

    `values` are arrays of one library and dtype by name, among them the parameters.
    """
    if not policy.per_row:
        return values, policy
    names = list(parameters(policy))
    policy = with_leaves(policy, [values[name] for name in names])
    policy, good = policy._prepared(library)
    values = {name: value for name, value in values.items() if name not in names}
    values["r1"] = library.where(good, values["r1"], math.nan)
    return values, policy


def register_pytrees():
    """Tell JAX, once it is imported, that policies are pytrees: arrays inside a structure."""
    jax = sys.modules.get("jax")
    if jax is None or REGISTERED or arrays.is_taken_into_graph():
        return
    register = getattr(getattr(jax, "tree_util", None), "register_pytree_node", None)
    if register is None:  # JAX is being imported
        return
    REGISTERED.append(True)
    for kind in (Soft, Stretch, Limits, Chain):
        register(kind, lambda policy: (policy._leaves(), policy._mapped(lambda _: HOLE)), _joined)


REGISTERED: list[bool] = []


def _joined(structure, leaves):
    """Return a policy with the leaves that JAX gives, which may be anything."""
    # A number in the place of an array is the number of all rows: its value does not raise.
    return with_leaves(structure, [np.asarray(v) if type(v) is float else v for v in leaves])


def from_rows(kinds, steps):
    """Return the policy whose `_steps` have these kinds; `steps` has numbers for each row."""
    numbers = []
    for i, kind in enumerate(kinds):
        numbers += [kind, *(steps[..., 5 * i + j] for j in range(1, 5))]
    return from_steps(numbers)


def from_steps(numbers):
    """Return the policy whose `_steps` are given as one list of numbers."""
    found = []
    for i in range(0, len(numbers), 5):
        kind, first, *rest = numbers[i : i + 5]
        if kind == 0.0:
            found.append(Soft(first))
        elif kind == 1.0:
            found.append(Stretch(first))
        else:
            limits = Limits.__new__(Limits)
            limits.least, limits.greatest = HalfAngle(first, rest[0]), HalfAngle(*rest[1:])
            limits._look_for_arrays()
            found.append(limits)
    chain = Chain.__new__(Chain)  # its parts were checked when they were combined
    chain.policies = tuple(found)
    chain._look_for_arrays()
    return chain


def _parameter(policy: str, name: str, value: Any) -> Any:
    """Return a parameter: a float, or an array as it is."""
    try:
        if _is_array(value):
            arrays.check_unmasked(name, value)
            return arrays.checked(name, value)
        return arrays.to_float(name, value) + 0.0  # -0.0 becomes 0.0, which it equals
    except ArrayTypeError as error:
        wanted = error.wanted.replace("a number", "a number or an array")
        raise PolicyError(f"{policy}: `{name}` must be {wanted}, got {error.came}.") from error


def _is_array(value):
    """Return whether a value is an array; one of NumPy without axes is a number.

    One of other libraries may carry derivatives, or have no value while a program is made.
    """
    if isinstance(value, np.ndarray):
        return value.ndim > 0 and value.dtype != object
    return hasattr(value, "dtype") and hasattr(value, "shape") and arrays.is_strong(value)


def _shown(value):
    """Return the `repr` of a value; Python refuses that of very long integers."""
    try:
        return repr(value)
    except ValueError:
        return f"of {type(value).__name__}"


def _distances(policy, placed, given):
    """Return the result of a policy's `place`; raise if its type or shape is invalid."""
    name, wanted = f"{type(policy).__name__}.place", tuple(given.shape)
    if isinstance(placed, int | float):
        return arrays.to_float(name, placed)
    if not hasattr(placed, "dtype"):
        raise PolicyError(f"{name} must return distances, got {type(placed).__name__}.")
    arrays.dtype_name(name, placed)
    shape = tuple(placed.shape)
    if shape[::-1] != wanted[::-1][: len(shape)]:
        raise ShapeError(name, f"return distances of shape {wanted}, that of its arguments", shape)
    return placed
