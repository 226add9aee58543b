"""The public solver functions: solve, solve_both, reach, solve_xy and solve_xyz."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import answer, arrays, dispatch, engine, one
from twobone.core.answer import Targets
from twobone.core.array_types import (
    A,
    AnyArray,
    Array,
    ArrayLike,
    Arrays,
    C,
    F,
    Mixed,
    NDArray,
    Of,
    X,
)
from twobone.core.arrays import FLOATS
from twobone.core.exact import FLOAT64
from twobone.core.policies import Unreachable
from twobone.errors import ArrayTypeError


class Reach(NamedTuple, Of[X, C]):
    """The result of `reach`.

    The status of a single limb is a NumPy scalar, `numpy.int8`.
    """

    joint: X  # shape (..., d), the point between the bones
    end: X  # shape (..., d), where the second bone really ends
    status: C  # shape (...), codes of `Status`


@overload
def solve(
    target: ArrayLike[F],
    r1: ArrayLike[F],
    r2: ArrayLike[F],
    *,
    side: ArrayLike[F] = 1,
    pole: ArrayLike[F] | None = None,
    unreachable: Unreachable = "clamp",
    out: NDArray[F] | None = None,
) -> NDArray[F]: ...
@overload
def solve(
    target: Arrays[A],
    r1: Mixed[A],
    r2: Mixed[A],
    *,
    side: Mixed[A] = 1,
    pole: Mixed[A] | None = None,
    unreachable: Unreachable = "clamp",
    out: None = None,
) -> A: ...
@overload
def solve(
    target: ArrayLike[Any],
    r1: Arrays[A],
    r2: Mixed[A],
    *,
    side: Mixed[A] = 1,
    pole: Mixed[A] | None = None,
    unreachable: Unreachable = "clamp",
    out: None = None,
) -> A: ...
@overload
def solve(
    target: ArrayLike[Any],
    r1: ArrayLike[Any],
    r2: Arrays[A],
    *,
    side: Mixed[A] = 1,
    pole: ArrayLike[Any] | None = None,
    unreachable: Unreachable = "clamp",
    out: None = None,
) -> A: ...
@overload
def solve(
    target: ArrayLike[Any],
    r1: ArrayLike[Any],
    r2: Mixed[A],
    *,
    side: Mixed[A] = 1,
    pole: Arrays[A],
    unreachable: Unreachable = "clamp",
    out: None = None,
) -> A: ...
def solve(
    target: AnyArray,
    r1: AnyArray,
    r2: AnyArray,
    *,
    side: AnyArray = 1,
    pole: AnyArray | None = None,
    unreachable: Unreachable = "clamp",
    out: NDArray[Any] | None = None,
) -> NDArray[Any] | Array:
    """Place the joint of two bones, the first of which is fixed at the origin.

    Parameters
    ----------
    target : array, shape (..., 2) or (..., 3)
        Where the second bone must end, in the units of `r1` and `r2`.
    r1, r2 : number or array, shape (...)
        Lengths of the first bone, from the root at the origin to the joint, and of the second,
        from the joint to the end.
    side : +1, -1 or array, shape (...)
        Which of the two solutions to return. In the plane, +1 is to the left of the direction
        from root to target (with x to the right and y up); in space, +1 is towards the pole.
    pole : array, shape (..., 3)
        The pole vector: the direction towards which the joint bends. Required in space and not
        allowed in the plane. Its length does not matter.
    unreachable : str or Policy
        What to do with a target out of reach. "clamp": the bones keep their lengths, and the
        limb is straight or folded towards the target. "stretch": the bones change their lengths;
        the end is at the target, and the joint on the line from root to target. "nan": the joint
        is NaN. "raise": raise an error. Or a policy object: `Soft`, `Stretch`, `Limits`, your own
        `Policy`, or several combined with `|`.
    out : ndarray, shape (..., d), optional
        Array into which the joint is written, NumPy only. It may be `target` itself. With "raise"
        it is written only if all targets can be reached.

    Returns
    -------
    array, shape (..., 2) or (..., 3)
        The joint. All arguments broadcast, vectors by their batch axes. The arguments also
        determine the array library, device and dtype of the result; see Notes.

    Raises
    ------
    ShapeError
        If a vector does not have 2 or 3 components, shapes do not broadcast, or a pole is missing
        in space or given in the plane.
    ArrayTypeError
        If an argument does not hold floats or integers, or libraries or devices are mixed.
    PolicyError
        If `unreachable` is not a policy, or is "raise" where values are not available: under jit
        and vmap, and in dask.
    UnreachableError
        With `unreachable="raise"`, if targets cannot be reached or are invalid.

    Notes
    -----
    Except with "raise", no value raises: rows with NaN or infinite values, negative lengths or a
    side other than +1 and -1 become NaN. For a target at the root, the target direction is taken
    to be +x, or in space a direction perpendicular to the pole. A pole that is zero or parallel to
    the target direction is replaced by the coordinate axis along which the target has its smallest
    component. `reach` returns a status that reports these cases.

    Arrays determine the dtype of the result, including arrays without axes. Numbers, NumPy scalars
    and lists adapt to it: each number, such as a Python integer of any length or a `Fraction`, is
    rounded once, and becomes infinite if it is too large for the dtype. Lists
    may hold arrays of PyTorch or JAX, which are stacked with their gradients. (Such lists may also
    hold numbers, but type checkers then report an error.)

    Mixed dtypes are promoted by the rules of the library. NumPy: float32 with float64 is float64,
    also for arrays without axes. PyTorch: as `torch.result_type`, so tensors with axes decide
    before tensors without; NumPy arrays adapt to tensors of floats. JAX: as
    `jax.numpy.result_type`, where NumPy arrays count as arrays, and arrays that were made of Python
    numbers adapt. Integers alone become the library's default type. float16 and bfloat16 of PyTorch
    and JAX are computed in float32, and the result, also of derivatives, is rounded to their type;
    NumPy's float16 raises.

    Gradients (PyTorch, JAX) are those of the exact solution inside the reachable range. On its
    edges, where the solution has no gradient, they are those of the clamped limb. They are finite
    everywhere.

    Source: Inigo Quilez, "simple inverse kinematics", iquilezles.org/articles/simpleik.

    Examples
    --------
    >>> import twobone
    >>> twobone.solve([1.0, 1.0], 1.0, 1.0)
    array([0., 1.])
    >>> twobone.solve([[1.0, 1.0], [3.0, 0.0]], 1.0, 1.0, side=-1)
    array([[1., 0.],
           [1., 0.]])
    >>> twobone.solve([1.0, 1.0, 0.0], 1.0, 1.0, pole=[0.0, 1.0, 0.0])
    array([0., 1., 0.])
    """
    if _is_plain(target):
        joint = engine.fast_path(target, r1, r2, side, pole, unreachable, out)
        if joint is not None:
            return joint
    elif out is None:
        found = dispatch.answer_tensors(target, r1, r2, side, pole, unreachable)
        if found is not None:
            return found.joint
    place = None if out is None else answer.Answer(out, None, None)
    return dispatch.answer_for(target, r1, r2, side, pole, unreachable, out=place).joint


@overload
def solve_both(
    target: ArrayLike[F],
    r1: ArrayLike[F],
    r2: ArrayLike[F],
    *,
    pole: ArrayLike[F] | None = None,
    unreachable: Unreachable = "clamp",
) -> NDArray[F]: ...
@overload
def solve_both(
    target: Arrays[A],
    r1: Mixed[A],
    r2: Mixed[A],
    *,
    pole: Mixed[A] | None = None,
    unreachable: Unreachable = "clamp",
) -> A: ...
@overload
def solve_both(
    target: ArrayLike[Any],
    r1: Arrays[A],
    r2: Mixed[A],
    *,
    pole: Mixed[A] | None = None,
    unreachable: Unreachable = "clamp",
) -> A: ...
@overload
def solve_both(
    target: ArrayLike[Any],
    r1: ArrayLike[Any],
    r2: Arrays[A],
    *,
    pole: ArrayLike[Any] | None = None,
    unreachable: Unreachable = "clamp",
) -> A: ...
@overload
def solve_both(
    target: ArrayLike[Any],
    r1: ArrayLike[Any],
    r2: Mixed[A],
    *,
    pole: Arrays[A],
    unreachable: Unreachable = "clamp",
) -> A: ...
def solve_both(
    target: AnyArray,
    r1: AnyArray,
    r2: AnyArray,
    *,
    pole: AnyArray | None = None,
    unreachable: Unreachable = "clamp",
) -> NDArray[Any] | Array:
    """Return both solutions for the joint of two bones.

    Parameters
    ----------
    target, r1, r2, pole, unreachable
        As for `solve`.

    Returns
    -------
    array, shape (..., 2, d)
        `[..., 0, :]` is side +1, `[..., 1, :]` is side -1.

    Raises
    ------
    ShapeError, ArrayTypeError, PolicyError, UnreachableError
        As for `solve`.

    Examples
    --------
    >>> import twobone
    >>> twobone.solve_both([1.0, 1.0], 1.0, 1.0)
    array([[0., 1.],
           [1., 0.]])
    """
    found = None
    if not _is_plain(target):
        found = dispatch.answer_tensors(target, r1, r2, 1, pole, unreachable, both=True)
    if found is None:
        found = dispatch.answer_for(target, r1, r2, [1, -1], pole, unreachable, both=True)
    return found.joint


@overload
def reach(
    target: ArrayLike[F],
    r1: ArrayLike[F],
    r2: ArrayLike[F],
    *,
    side: ArrayLike[F] = 1,
    pole: ArrayLike[F] | None = None,
    unreachable: Unreachable = "clamp",
    root: ArrayLike[F] | None = None,
    out: tuple[NDArray[F], NDArray[F], NDArray[np.int8]] | None = None,
) -> Reach[NDArray[F], NDArray[np.int8]]: ...
@overload
def reach(
    target: Arrays[A],
    r1: Mixed[A],
    r2: Mixed[A],
    *,
    side: Mixed[A] = 1,
    pole: Mixed[A] | None = None,
    unreachable: Unreachable = "clamp",
    root: Mixed[A] | None = None,
    out: None = None,
) -> Reach[A, A]: ...
@overload
def reach(
    target: ArrayLike[Any],
    r1: Arrays[A],
    r2: Mixed[A],
    *,
    side: Mixed[A] = 1,
    pole: Mixed[A] | None = None,
    unreachable: Unreachable = "clamp",
    root: Mixed[A] | None = None,
    out: None = None,
) -> Reach[A, A]: ...
@overload
def reach(
    target: ArrayLike[Any],
    r1: ArrayLike[Any],
    r2: Arrays[A],
    *,
    side: Mixed[A] = 1,
    pole: ArrayLike[Any] | None = None,
    unreachable: Unreachable = "clamp",
    root: Mixed[A] | None = None,
    out: None = None,
) -> Reach[A, A]: ...
@overload
def reach(
    target: ArrayLike[Any],
    r1: ArrayLike[Any],
    r2: Mixed[A],
    *,
    side: Mixed[A] = 1,
    pole: Arrays[A],
    unreachable: Unreachable = "clamp",
    root: Mixed[A] | None = None,
    out: None = None,
) -> Reach[A, A]: ...
@overload
def reach(
    target: ArrayLike[Any],
    r1: ArrayLike[Any],
    r2: ArrayLike[Any],
    *,
    side: Mixed[A] = 1,
    pole: ArrayLike[Any] | None = None,
    unreachable: Unreachable = "clamp",
    root: Arrays[A],
    out: None = None,
) -> Reach[A, A]: ...
def reach(
    target: AnyArray,
    r1: AnyArray,
    r2: AnyArray,
    *,
    side: AnyArray = 1,
    pole: AnyArray | None = None,
    unreachable: Unreachable = "clamp",
    root: AnyArray | None = None,
    out: tuple[NDArray[Any], NDArray[Any], NDArray[np.int8]] | None = None,
) -> Reach[Any, Any]:
    """Place the joint, and return also where the second bone really ends, and a status.

    Parameters
    ----------
    target, r1, r2, side, pole, unreachable
        As for `solve`.
    root : array, shape (..., d), optional
        Where the first bone is fixed; the origin by default. `target`, `joint` and `end` are
        positions in the same frame as `root`; `pole` remains a direction. If `target - root`
        overflows the dtype, the row is INVALID. A joint or an end that overflows is infinite.
    out : (ndarray, ndarray, ndarray), optional
        Arrays into which joint, end and status are written, NumPy only: two of the shape and dtype
        of the result, and one of shape (...) and dtype int8. For millions of targets, memory that
        is allocated anew costs more than the solution. With "raise" they are written only if all
        targets can be reached; with `root`, temporary arrays are allocated.

    Returns
    -------
    Reach
        `joint` and `end`, shape (..., d), and `status`, shape (...), with the codes of `Status`.
        Inside the reachable range, a reached `end` equals the target bit for bit.

    Raises
    ------
    ShapeError, ArrayTypeError, PolicyError, UnreachableError
        As for `solve`.

    Examples
    --------
    >>> import twobone
    >>> joint, end, status = twobone.reach([[1.0, 1.0], [3.0, 0.0]], 1.0, 1.0)
    >>> end
    array([[1., 1.],
           [2., 0.]])
    >>> [twobone.Status(s).name for s in status]
    ['REACHED', 'TOO_FAR']

    A root other than the origin:

    >>> twobone.reach([3.0, 2.0], 1.0, 1.0, root=[2.0, 1.0]).joint
    array([2., 2.])
    """
    found = None
    if not _is_plain(target):
        if out is None:
            options = {"root": root, "whole": True}
            found = dispatch.answer_tensors(target, r1, r2, side, pole, unreachable, **options)
    elif root is None and out is None:
        found = engine.fast_reach(target, r1, r2, side, pole, unreachable)
    if found is None:
        place = None if out is None else _three(out)
        options = {"root": root, "out": place, "whole": True}
        found = dispatch.answer_for(target, r1, r2, side, pole, unreachable, **options)
    return Reach(*found)


def _is_plain(target):
    """Return whether the kernel may solve a target at once."""
    kind = type(target)
    return kind is np.ndarray or (kind in arrays.LISTS and not dispatch.is_compiling())


def _three(out):
    """Return the `out` of `reach` as an `Answer`."""
    if not isinstance(out, tuple | list) or len(out) != 3:
        came = type(out).__name__ if not isinstance(out, tuple | list) else f"{len(out)}"
        raise ArrayTypeError("out", "three NumPy arrays: joint, end and status", came)
    return answer.Answer(*out)


PLAIN = (int, float)  # types of `side` that need no conversion


@engine.compiled
def solve_xy(px: float, py: float, r1: float, r2: float, side: float = 1) -> tuple[float, float]:
    """Place one joint in the plane with Python floats, for control loops.

    A target out of reach does not raise: the limb is straight or folded towards it, as with
    `unreachable="clamp"` of `solve`. There is no status; use `reach` if you need one.

    Parameters
    ----------
    px, py : float
        The target; the root is the origin.
    r1, r2 : float
        Lengths of the first and the second bone.
    side : +1 or -1
        +1 is to the left of the direction from root to target (with x to the right and y up).

    Returns
    -------
    x, y : float
        The joint, bit for bit the result of `solve`. NaN for invalid values: NaN, infinity, a
        negative length, or a side other than +1 and -1.

    Raises
    ------
    ArrayTypeError
        If an argument is not a number.

    Examples
    --------
    >>> import twobone
    >>> twobone.solve_xy(1.0, 1.0, 1.0, 1.0)
    (0.0, 1.0)

    A target that is too far:

    >>> twobone.solve_xy(5.0, 0.0, 1.0, 1.0)
    (1.0, 0.0)
    """
    # Checking types is as fast as calling `float()`, which would accept strings.
    if not (type(px) is type(py) is type(r1) is type(r2) is float and type(side) in PLAIN):
        px, py, r1, r2, side = arrays.to_floats(px=px, py=py, r1=r1, r2=r2, side=side)
    return one.joint(FLOATS, FLOAT64, Targets((px, py), r1, r2, side, ()))


@engine.compiled
def solve_xyz(
    px: float,
    py: float,
    pz: float,
    r1: float,
    r2: float,
    nx: float,
    ny: float,
    nz: float,
    side: float = 1,
) -> tuple[float, float, float]:
    """Place one joint in space with Python floats, for control loops.

    A target out of reach does not raise: the limb is straight or folded towards it, as with
    `unreachable="clamp"` of `solve`. There is no status; use `reach` if you need one. A pole that
    is zero or parallel to the target direction is replaced: see the notes of `solve`.

    Parameters
    ----------
    px, py, pz : float
        The target; the root is the origin.
    r1, r2 : float
        Lengths of the first and the second bone.
    nx, ny, nz : float
        The pole vector: the direction towards which the joint bends.
    side : +1 or -1
        +1 bends towards the pole, -1 away from it.

    Returns
    -------
    x, y, z : float
        The joint, bit for bit the result of `solve`. NaN for invalid values: NaN, infinity, a
        negative length, or a side other than +1 and -1.

    Raises
    ------
    ArrayTypeError
        If an argument is not a number.

    Examples
    --------
    >>> import twobone
    >>> twobone.solve_xyz(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0)
    (0.0, 1.0, 0.0)
    """
    plane = type(px) is type(py) is type(r1) is type(r2) is float and type(side) in PLAIN
    if not (plane and type(pz) is type(nx) is type(ny) is type(nz) is float):
        px, py, pz, r1, r2, nx, ny, nz, side = arrays.to_floats(
            px=px, py=py, pz=pz, r1=r1, r2=r2, nx=nx, ny=ny, nz=nz, side=side
        )
    return one.joint(FLOATS, FLOAT64, Targets((px, py, pz), r1, r2, side, (nx, ny, nz)))
