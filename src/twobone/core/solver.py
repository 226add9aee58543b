"""solve, solve_both, reach: the public way in."""

from typing import NamedTuple

import numpy as np

from twobone.core import answer, arrays, engine, policies
from twobone.core.answer import Answer, Targets
from twobone.core.arrays import FLOATS, NUMPY, VECTORS
from twobone.core.exact import FLOAT64, Array
from twobone.core.policies import Policy, Status
from twobone.errors import ArrayTypeError, PolicyError, ShapeError, UnreachableError


class Reach(NamedTuple):
    """Where a limb really is: `joint` and `end`, shape (..., d), and `status`, shape (...)."""

    joint: Array
    end: Array
    status: Array


def solve(
    target: Array,
    r1: Array,
    r2: Array,
    *,
    side: Array = 1,
    pole: Array = None,
    unreachable: str | Policy = "clamp",
    out: np.ndarray | None = None,
) -> Array:
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
    hold arrays of PyTorch and JAX: they are stacked, and derivatives pass.

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
    return _answer(target, r1, r2, side, pole, unreachable, out=out).joint


def solve_both(
    target: Array,
    r1: Array,
    r2: Array,
    *,
    pole: Array = None,
    unreachable: str | Policy = "clamp",
) -> Array:
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
    return _answer(target, r1, r2, [1, -1], pole, unreachable, both=True).joint


def reach(
    target: Array,
    r1: Array,
    r2: Array,
    *,
    side: Array = 1,
    pole: Array = None,
    unreachable: str | Policy = "clamp",
    root: Array = None,
) -> Reach:
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
    return Reach(*_answer(target, r1, r2, side, pole, unreachable, root=root, whole=True))


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


# --- the way from arguments to an answer --------------------------------------------------

CLAMP = policies.NAMED["clamp"]
PLAIN = (int, float)  # what a side may be as it is: it is compared with 1, then multiplied


def _one(targets):
    """Answer one limb of Python floats."""
    if answer.is_easy(FLOATS, FLOAT64, targets):
        result, along = answer.easy(FLOATS, FLOAT64, targets, CLAMP)
        if not along:
            return result.joint
    return answer.any(FLOATS, FLOAT64, targets, CLAMP).joint


@np.errstate(all="ignore")
def _answer(
    target, r1, r2, side, pole, unreachable, *, root=None, out=None, both=False, whole=False
):
    """Answer targets of any library: an `Answer` of whole arrays.

    `whole`: ends and statuses are wanted too. `both`: `side` has an axis of its own.
    """
    policy = policies.resolve(unreachable)
    arguments = {"target": target, "r1": r1, "r2": r2, "side": side, "pole": pole, "root": root}
    arguments = {
        name: value for name, value in arguments.items() if name in REQUIRED or value is not None
    }
    found, library = arrays.plain_arrays(arguments), NUMPY
    if not found:
        library = arrays.library_of(arguments)
        if library.name == "dask":
            return _answer_dask(library, arguments, policy, unreachable, out, both, whole)
        found = arrays.to_arrays(library, arguments)
    values, t = found
    size = _check_vectors(values)
    if both:
        values = {
            name: value
            if name == "side"
            else arrays.insert_axis(value, -2 if name in VECTORS else -1)
            for name, value in values.items()
        }
    shape = _check_shapes(values)
    root = values.pop("root", None)
    given = values["target"]
    if root is not None:
        values["target"] = given - root
    wanted = whole or policy.raises
    if library is not NUMPY:
        _check_no_out(library, out)
    if library is NUMPY:
        result = _answer_numpy(t, values, policy, shape, size, out, wanted)
    elif seen := engine.views(library, values, policy):
        found = _answer_numpy(t, seen, policy, shape, size, None, wanted)
        result = Answer(*(arrays.from_numpy(library, part) for part in found))
    else:
        result = _answer_other(library, t, values, policy, shape, size, whole, wanted)
    if policy.raises:
        raise_if_unreachable(library, result.status)
    if root is not None:
        result = _from_root(library, result, root, given, values["target"], shape)
    if out is not None:
        if policy.raises:  # only now is it sure that nothing is
            np.asarray(out)[...] = result.joint
        result = result._replace(joint=out)
    return result


def _answer_numpy(t, values, policy, shape, size, out, wanted):
    def space():
        return np.empty((*shape, size), dtype)

    dtype = values["target"].dtype
    if out is not None:
        _check_out(out, (*shape, size), dtype)
    # A plain array, since parts of a matrix are matrices.
    joint = space() if out is None or policy.raises else np.asarray(out)
    result = Answer(joint, None, None)
    if wanted:
        result = Answer(joint, space(), np.empty(shape, np.int8))
    engine.fill(t, values, policy, shape, result)
    return result if not wanted or shape else result._replace(status=result.status[()])


def _answer_other(library, t, values, policy, shape, size, whole, wanted):
    """Answer arrays of any library but NumPy, by the formula itself."""
    p = arrays.parts(values["target"], size)
    pole = arrays.parts(values["pole"], size) if "pole" in values else ()
    targets = Targets(p, values["r1"], values["r2"], values["side"], pole)
    found = answer.any(library, t, targets, policy)
    return Answer(
        arrays.join(library, found.joint, shape),
        arrays.join(library, found.end, shape) if whole else None,
        arrays.to_codes(library, found.status, shape) if wanted else None,
    )


def _from_root(library, result, root, given, seen, shape):
    """Bring an answer back to the space of the root; a target that was met stays what it was."""
    if result.end is None:
        return Answer(result.joint + root, None, None)
    met = library.xp.all(result.end == seen, axis=-1, keepdims=True)
    end = library.where(met, given, result.end + root)
    return Answer(result.joint + root, end, result.status)


def _answer_dask(library, arguments, policy, unreachable, out, both, whole):
    """Answer dask arrays chunk by chunk, lazily."""
    _check_no_out(library, out)
    if policy.raises:
        raise PolicyError(UNSEEN)
    given = {
        name: _check_chunks(name, arrays.as_array(library, name, value))
        for name, value in arguments.items()
    }
    _check_vectors(given)
    _check_shapes({name: value for name, value in given.items() if not (both and name == "side")})

    def chunk(*values):
        given = dict(zip(arguments, values, strict=True))
        if both:
            given.pop("side")
            return solve_both(**given, unreachable=unreachable)
        if whole:
            return tuple(np.asarray(part) for part in reach(**given, unreachable=unreachable))
        return solve(**given, unreachable=unreachable)

    wanted = Reach._fields if whole else ("joint",)
    return Answer(*arrays.map_chunks(arguments, given, chunk, both=both, outputs=wanted))


UNSEEN = (
    '`unreachable="raise"` must see values: there are none under jit, vmap and their like, nor'
    " in dask before it computes. The status that `reach` returns says the same."
)


def raise_if_unreachable(library, status):
    try:
        codes = arrays.concrete(library, status)
    except Exception as error:
        raise PolicyError(UNSEEN) from error
    missed = (codes != Status.REACHED) & (codes != Status.AMBIGUOUS)
    if np.any(missed):
        rows = np.argwhere(missed)
        statuses = [Status(int(code)) for code in np.asarray(codes)[missed].reshape(-1)]
        raise UnreachableError(rows, statuses, np.size(codes))


# --- checks -------------------------------------------------------------------------------

REQUIRED = ("target", "r1", "r2", "side")


def _check_vectors(values):
    """Return 2 or 3, the size of all vectors."""
    shape = values["target"].shape
    if not shape or shape[-1] not in (2, 3):
        raise ShapeError("target", "have shape (..., 2) or (..., 3)", shape)
    size = shape[-1]
    if size == 2 and "pole" in values:
        raise ShapeError(
            "pole", "be left out in the plane, where `side` chooses", values["pole"].shape
        )
    if size == 3 and "pole" not in values:
        raise ShapeError("pole", "be given, shape (..., 3), for a target in space", None, "nothing")
    for name in VECTORS[1:]:
        if name in values and (not values[name].shape or values[name].shape[-1] != size):
            raise ShapeError(
                name, f"have shape (..., {size}) as the target has", values[name].shape
            )
    return size


def _check_shapes(values):
    """Return the shape that all arguments have in common, vectors without their last axis."""
    shapes = {
        name: tuple(value.shape[:-1] if name in VECTORS else value.shape)
        for name, value in values.items()
    }
    return arrays.broadcast_shapes(shapes)


def _check_chunks(name, array):
    """Return what dask can align: a single array whose chunks have known sizes."""
    if isinstance(array, list):
        raise ArrayTypeError(name, "stacked first (`dask.array.stack`)", "a list of dask arrays")
    if any(size != size for size in array.shape):
        raise ShapeError(name, "have known sizes (see `compute_chunk_sizes`)", array.shape)
    return array


def _check_no_out(library, out):
    if out is not None:
        wanted = "left out where the arrays are not NumPy's"
        raise ArrayTypeError("out", wanted, f"one beside {library.name} arrays")


def _check_out(out, shape, dtype):
    if not isinstance(out, np.ndarray):
        raise ArrayTypeError("out", "a NumPy array", type(out).__name__)
    arrays.check_unmasked("out", out)
    if out.dtype != dtype:
        raise ArrayTypeError("out", f"of {dtype}, as the answer is", str(out.dtype))
    if out.shape != shape:
        raise ShapeError("out", f"have shape {shape}", out.shape)
    if not out.flags.writeable:
        raise ArrayTypeError("out", "writeable", "a read-only array")
    if out.size and _repeats(out):
        raise ArrayTypeError("out", "an array with a place for every number", "one that repeats")


def _repeats(array):
    """Say whether two places of an array are one, or at least entangled."""
    extent = array.itemsize
    axes = zip(array.strides, array.shape, strict=True)
    for step, count in sorted((abs(step), count) for step, count in axes if count > 1):
        if step < extent:
            return True
        extent += step * (count - 1)
    return False
