"""Trees of joints: validation of a skeleton's parents, names, numbers and scales."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import NDArray
from twobone.errors import ArrayTypeError, PoseError, ShapeError

UNIFORM = 1e-5  # how far the scales of a joint along its axes may differ: files round to float32


def parents_of(parents: Any) -> tuple[int, ...]:
    """Return the parents as a tuple of indices; -1 for a joint without a parent."""
    try:
        found = tuple(-1 if parent is None else operator.index(parent) for parent in parents)
    except TypeError as error:
        wanted = "be a sequence of indices, -1 or None for a joint without a parent"
        raise PoseError("parents", wanted, repr(parents)) from error
    if not found:
        raise PoseError("parents", "have at least one joint", "none")
    return found


def names_of(names: Any, count: int) -> tuple[str, ...] | None:
    """Return the names of joints as a tuple; None if there are none."""
    if names is None:
        return None
    if isinstance(names, str):
        raise ArrayTypeError("names", "a sequence of strings", repr(names))
    names = tuple(names) if hasattr(names, "__iter__") else (names,)
    for name in names:
        if not isinstance(name, str):
            raise ArrayTypeError("names", "strings", type(name).__name__)
    if len(names) != count:
        raise PoseError("names", f"be {count} names", str(len(names)))
    return names


def described(joint: int, label: str | int, name: str | None) -> str:
    """Return how an error message refers to a joint; its label is as `Skeleton.label` has it."""
    if isinstance(label, str):
        return repr(label)
    return f"joint {joint}" + ("" if name is None else f" ({name!r})")


def near_names(name: str, names: Sequence[str]) -> str:
    """Return up to three of the names that resemble one, as text; "" if none does."""
    from difflib import get_close_matches  # slow to import, and needed for errors only

    plain = {own.lower(): own for own in reversed(names)}
    wanted = name.lower()
    found = [own for low, own in plain.items() if low.endswith(wanted) and wanted]  # a prefix
    found += [plain[low] for low in get_close_matches(wanted, plain)]
    return " or ".join(repr(own) for own in list(dict.fromkeys(found))[:3])


def parents_first(parents: tuple[int, ...], names: Sequence[str] | None) -> tuple[int, ...]:
    """Return the joints in an order in which each comes after its parent."""

    def shown(joint: int) -> str:
        return described(joint, joint, None if names is None else names[joint])

    count = len(parents)
    for joint, parent in enumerate(parents):
        if not -1 <= parent < count:
            wanted = f"be indices below {count}, or -1"
            raise PoseError("parents", wanted, f"{parent} for {shown(joint)}")
    if all(parent < joint for joint, parent in enumerate(parents)):
        return tuple(range(count))
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(parent, []).append(joint)
    order = children.get(-1, [])[:]
    for joint in order:  # it grows while it is read
        order += children.get(joint, [])
    if len(order) < count:
        lost = min(set(range(count)) - set(order))
        raise PoseError("parents", "form a tree", f"{shown(lost)}, which is its own ancestor")
    return tuple(order)


def constants(name: str, values: Any) -> NDArray[np.float64]:
    """Return an argument as a new array, which keeps no derivatives."""
    try:
        return np.array(arrays.as_array(arrays.NUMPY, name, values), np.float64)
    except ArrayTypeError as error:
        if error.__cause__ is None or arrays.library_of({name: values}) is arrays.NUMPY:
            raise
        wanted = "constant: an array on the CPU, without derivatives"
        raise ArrayTypeError(name, wanted, type(values).__name__) from error


def rows(
    name: str, values: Any, shape: tuple[int, ...], shown: Callable[[int], str]
) -> NDArray[np.float64]:
    """Return an argument with a row for each joint as a finite array of the given shape."""
    array = constants(name, values)
    if array.shape != shape:
        raise ShapeError(name, f"have shape {shape}", array.shape)
    for joint, part in np.argwhere(~np.isfinite(array))[:1]:
        raise PoseError(name, "be finite", f"{array[joint, part]} for {shown(int(joint))}")
    return array


def rotations_of(rotations: Any, count: int, shown: Callable[[int], str]) -> NDArray[np.float64]:
    """Return the rotations of joints as unit quaternions, by default the identity."""
    if rotations is None:
        return np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    found = rows("rotations", rotations, (count, 4), shown)
    largest = np.max(np.abs(found), axis=1, keepdims=True)
    if not np.all(largest > 0.0):
        came = f"0 for {shown(int(np.argmin(largest)))}"
        raise PoseError("rotations", "not have length 0", came)
    # Scaling by a power of two is exact, and then no square overflows or underflows.
    found = np.ldexp(found, -np.frexp(largest)[1])
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def own_scales(
    scales: Any, parents: tuple[int, ...], shown: Callable[[int], str]
) -> tuple[float, ...]:
    """Return the scales of joints as positive numbers."""
    array, count = constants("scales", scales), len(parents)
    if array.shape not in ((count,), (count, 3)):
        raise ShapeError("scales", f"have shape ({count},) or ({count}, 3)", array.shape)
    array, with_children = array.reshape(count, -1), set(parents)
    for joint, axis in np.argwhere(~(np.isfinite(array) & (array > 0.0)))[:1]:
        came = f"{array[joint, axis]} for {shown(int(joint))}"
        raise PoseError("scales", "be positive and finite", came)
    for joint in np.flatnonzero(np.ptp(array, axis=1) > UNIFORM * array[:, 0]).tolist():
        if joint in with_children:  # the scale of a joint without children scales nothing
            wanted = "be the same along all axes, because others shear what is rotated"
            raise PoseError("scales", wanted, f"{array[joint].tolist()} for {shown(joint)}")
    return tuple(array[:, 0].tolist())


def scales_of(
    scales: Any, parents: tuple[int, ...], order: tuple[int, ...], shown: Callable[[int], str]
) -> tuple[tuple[float, ...] | None, tuple[float, ...] | None]:
    """Return the scales of joints, and those of the spaces of their parents; None if not given."""
    if scales is None:
        return None, None
    own = own_scales(scales, parents, shown)
    return own, parent_scales(own, parents, order, shown)


def parent_scales(
    scales: tuple[float, ...],
    parents: tuple[int, ...],
    order: tuple[int, ...],
    shown: Callable[[int], str],
) -> tuple[float, ...] | None:
    """Return the scale of the space that each joint's offset is given in; None if all are 1."""
    if all(scale == 1.0 for scale in scales):
        return None
    world = list(scales)
    for joint in order:
        if parents[joint] >= 0:
            world[joint] *= world[parents[joint]]
    with_children = set(parents)
    for joint in order:
        # The inverse must be finite too, for poses that go from the world to the parents.
        is_normal = sys.float_info.min <= world[joint] < math.inf
        if joint in with_children and not is_normal:
            wanted = "not overflow or underflow when multiplied along the tree"
            raise PoseError("scales", wanted, f"{world[joint]} at {shown(joint)}")
    return tuple(1.0 if parent < 0 else world[parent] for parent in parents)
