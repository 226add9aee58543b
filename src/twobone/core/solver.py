"""solve, solve_both, reach: the public way in."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import answer, arrays, dispatch, engine, policies
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


class Reach(NamedTuple, Of[X, C]):
    """Where a limb really is: `joint` and `end`, shape (..., d), and `status`, shape (...).

    The status of a single limb is one of NumPy's numbers, `numpy.int8`.
    """

    joint: X
    end: X
    status: C


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
    """Place the joint of two bones hinged at the origin.

    Parameters
    ----------
    target : array, shape (..., 2) or (..., 3)
        Where the second bone must end, in the units of `r1` and `r2`.
    r1, r2 : number or array, shape (...)
        Lengths of the first bone, which hangs from the origin, and of the second.
    side : +1, -1 or array, shape (...)
        Which of the two answers: in the plane +1 bends to the left of the way from root to
        target (y up), in space towards the pole.
    pole : array, shape (..., 3)
        In space, and only there: the direction, from the root, towards which the joint
        bends. Its length does not matter.
    unreachable : str or Policy
        What to do with a target out of reach. "clamp": straight or folded towards it, the
        bones keep their lengths; "stretch": the joint goes to the foot point on the line to
        the target, the bones give; "nan"; "raise"; or `Soft`, `Stretch`, `Limits`, a
        `Policy` of your own, several joined with `|`.
    out : ndarray, shape (..., d), optional
        NumPy only: where to write the joint. It may be `target` itself. With "raise" it is
        written to only if all targets can be reached.

    Returns
    -------
    array, shape (..., 2) or (..., 3)
        The joint; kind of array, dtype and device are those of `target`. All arguments
        broadcast, vectors by their leading axes.

    Raises
    ------
    ShapeError
        If a vector has not 2 or 3 parts, shapes do not broadcast, a target in space comes
        without a pole or one in the plane with a pole.
    ArrayTypeError
        If an argument is not of floats or integers, or libraries or devices are mixed.
    PolicyError
        If `unreachable` names no policy, or is "raise" where there are no values to see: under
        jit and vmap, and in dask.
    UnreachableError
        With `unreachable="raise"`, naming the rows.

    Notes
    -----
    Without "raise" no value raises: NaN, infinite and negative ones give NaN in their row. A target
    at the root is taken to lie on +x (in space square to the pole) and a pole along the target
    line is replaced by the axis of coordinates least along the target; see `reach` for the
    status that says so.

    Numbers, NumPy's scalars too, and lists adapt to the dtype of the arrays, of which those
    without axes count as any other; a number too large for that dtype is infinite. Lists may
    hold arrays of PyTorch and JAX: they are stacked, and derivatives pass. (Numbers may stand
    among them, but type checkers want all items to be arrays.)

    Gradients (PyTorch, JAX) are those of the exact answer inside the ring. On its edges, where
    the answer has none, they are those of the clamped limb. They are finite everywhere.

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
    joint = engine.short_way(target, r1, r2, side, pole, unreachable, out)
    if joint is not None:
        return joint
    return dispatch.answer_for(target, r1, r2, side, pole, unreachable, out=out).joint


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
    """Place the joint of two bones in both ways.

    Parameters
    ----------
    target, r1, r2, pole, unreachable
        As for `solve`.

    Returns
    -------
    array, shape (..., 2, d)
        `[..., 0, :]` is side +1, `[..., 1, :]` side -1.

    Examples
    --------
    >>> import twobone
    >>> twobone.solve_both([1.0, 1.0], 1.0, 1.0)
    array([[0., 1.],
           [1., 0.]])
    """
    return dispatch.answer_for(target, r1, r2, [1, -1], pole, unreachable, both=True).joint


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
) -> Reach[Any, Any]:
    """Place the joint, and say where the end really is and what became of the target.

    Parameters
    ----------
    target, r1, r2, side, pole, unreachable
        As for `solve`.
    root : array, shape (..., d), optional
        Where the first bone is fixed; the origin by default. With a root, `target`, `joint`
        and `end` are positions in its space. The pole stays a direction. Where `target - root`
        is too large for the dtype the row is INVALID; a joint or an end that is too large
        is infinite.

    Returns
    -------
    Reach
        `joint` and `end`, shape (..., d); `status`, shape (...), of `Status` codes. `end` is
        the target itself, to the bit, where it is reached within the ring.

    Raises
    ------
    ShapeError, ArrayTypeError, PolicyError, UnreachableError
        As `solve` does.

    Examples
    --------
    >>> import twobone
    >>> joint, end, status = twobone.reach([[1.0, 1.0], [3.0, 0.0]], 1.0, 1.0)
    >>> end
    array([[1., 1.],
           [2., 0.]])
    >>> [twobone.Status(s).name for s in status]
    ['REACHED', 'TOO_FAR']
    """
    return Reach(
        *dispatch.answer_for(target, r1, r2, side, pole, unreachable, root=root, whole=True)
    )


@engine.compiled
def solve_xy(px: float, py: float, r1: float, r2: float, side: float = 1) -> tuple[float, float]:
    """Place one joint in the plane, in Python floats: for control loops.

    Parameters
    ----------
    px, py : float
        The target; the root is the origin.
    r1, r2 : float
        Lengths of the first and the second bone.
    side : +1 or -1
        +1 bends to the left of the way from root to target.

    Returns
    -------
    x, y : float
        The joint, the same bits as `solve(..., unreachable="clamp")`; NaN for invalid values.

    Examples
    --------
    >>> import twobone
    >>> twobone.solve_xy(1.0, 1.0, 1.0, 1.0)
    (0.0, 1.0)
    """
    # Looking at the types is no slower than `float()`, which takes strings too.
    if not (type(px) is type(py) is type(r1) is type(r2) is float and type(side) in PLAIN):
        px, py, r1, r2, side = arrays.to_floats(px=px, py=py, r1=r1, r2=r2, side=side)
    return _one(Targets((px, py), r1, r2, side, ()))


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
    """Place one joint in space, in Python floats: for control loops.

    Parameters
    ----------
    px, py, pz : float
        The target; the root is the origin.
    r1, r2 : float
        Lengths of the first and the second bone.
    nx, ny, nz : float
        The pole: the direction towards which the joint bends.
    side : +1 or -1
        +1 bends towards the pole, -1 away from it.

    Returns
    -------
    x, y, z : float
        The joint, the same bits as `solve(..., unreachable="clamp")`; NaN for invalid values.

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
    return _one(Targets((px, py, pz), r1, r2, side, (nx, ny, nz)))


# --- one limb ------------------------------------------------------------------------------

CLAMP = policies.NAMED["clamp"]
PLAIN = (int, float)  # what a side may be as it is: it is compared with 1, then multiplied


def _one(targets):
    """Answer one limb of Python floats."""
    if answer.is_easy(FLOATS, FLOAT64, targets):
        result, along = answer.easy(FLOATS, FLOAT64, targets, CLAMP)
        if not along:
            return result.joint
    return answer.any(FLOATS, FLOAT64, targets, CLAMP).joint
