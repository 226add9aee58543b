"""Dispatch: check the arguments, and choose how to solve arrays of each library."""

import sys
from typing import Any, NamedTuple

import numpy as np

from twobone.core import arrays, blocks, engine, policies, slopes
from twobone.core.answer import Answer, Targets
from twobone.core.arrays import NUMPY, VECTORS
from twobone.core.easing import Named
from twobone.core.exact import Array, Real
from twobone.core.halves import in_float32
from twobone.core.policies import Policy, Status
from twobone.errors import ArrayTypeError, PolicyError, ShapeError, UnreachableError


def answer_tensors(*arguments, **options):
    """Return an `Answer` if an argument is a tensor of PyTorch and no list; otherwise None.

    For plain tensors this is the short way. It is also the one that `torch.compile` can follow.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    if not any(isinstance(each, torch.Tensor) for each in arguments) and not is_compiling():
        return None
    try:
        from twobone.core import for_torch
    except ImportError:  # an extra is not installed, which `library_of` reports
        return None
    return for_torch.answer_plain(*arguments, **options)


def is_compiling():
    """Return whether PyTorch compiles or exports: it cannot follow the calls of the kernel."""
    torch = sys.modules.get("torch")
    return torch is not None and torch.compiler.is_compiling()


class Checked(NamedTuple):
    """Arguments of one library and dtype, whose shapes fit."""

    t: Real
    values: dict[str, Array]  # by name; there is no `root`
    policy: Policy | Named
    shape: tuple[int, ...]  # of the answer, without the last axis of vectors
    size: int  # of that axis: 2 or 3


@in_float32
@np.errstate(all="ignore")
def answer_for(
    target, r1, r2, side, pole, unreachable, *, root=None, out=None, both=False, whole=False
):
    """Solve targets of any library, and return an `Answer` of arrays.

    With `whole`, ends and statuses are returned too. With `both`, `side` has its own last axis.
    `out` is an `Answer` of the arrays to write to, or None.
    """
    policy = policies.resolve(unreachable)
    arguments = {"target": target, "r1": r1, "r2": r2, "side": side, "pole": pole, "root": root}
    arguments = {
        name: value for name, value in arguments.items() if name in REQUIRED or value is not None
    } | policies.parameters(policy)
    found, library = arrays.plain_arrays(arguments), NUMPY
    if not found:
        library = arrays.library_of(arguments)
        if library.name == "dask":
            _check_no_out(library, out)
            if policy.raises:
                raise PolicyError(UNSEEN)
            return _answer_dask(library, arguments, policy, unreachable, both, whole)
        found = arrays.to_arrays(library, arguments)
    values, t = found
    size = check_vectors(values)
    if both:
        values = {
            name: value
            if name == "side"
            else arrays.insert_axis(value, -2 if name in VECTORS else -1)
            for name, value in values.items()
        }
    shape = _check_shapes(values)
    values, policy = policies.for_rows(library, values, policy)
    root = values.pop("root", None)
    given = values["target"]
    if root is not None:
        values["target"] = given - root
    checked, wanted = Checked(t, values, policy, shape, size), whole or policy.raises
    # `out` may be `target`, which is still needed if a root is added or an error may be raised.
    late = policy.raises or root is not None
    if library is not NUMPY:
        _check_no_out(library, out)
    if library is NUMPY:
        result = _answer_numpy(checked, out, wanted, late)
    else:
        result = answer_by_kernel(library, values, policy, wanted)
        if result is None:
            result = answer_other(library, checked, whole, wanted)
    if policy.raises:
        raise_if_unreachable(library, result.status)
    if root is not None:
        result = _from_root(library, result, root, given, values["target"], shape)
    if out is not None:
        if late:
            for place, part in zip(out, result, strict=True):
                if place is not None:
                    np.asarray(place)[...] = part
        result = out
    return result


def _answer_numpy(checked, out, wanted, late):
    """Solve NumPy arrays; with `late`, `out` is only checked, and not written."""
    t, values, policy, shape, size = checked
    vectors, dtype = (*shape, size), values["target"].dtype
    kinds = {"joint": (vectors, dtype), "end": (vectors, dtype), "status": (shape, np.int8)}
    if out is not None:
        _check_outs(out, kinds)
    given = Answer(None, None, None) if out is None or late else out
    # `asarray`, because indexing a `numpy.matrix` gives matrices.
    result = Answer(
        *(
            None
            if not (wanted or name == "joint")
            else np.empty(*kind)
            if place is None
            else np.asarray(place)
            for place, (name, kind) in zip(given, kinds.items(), strict=True)
        )
    )
    engine.fill(t, values, policy, shape, result)
    return result if not wanted or shape else result._replace(status=result.status[()])


def answer_by_kernel(library, values, policy, whole):
    """Solve arrays of another library with a kernel; return None if there is none for them."""
    if library.name == "torch":
        from twobone.core import for_torch

        return for_torch.answer_tensors(values, policy, whole)
    if library.name == "jax" and engine.KERNEL is not None:
        from twobone.core import for_jax

        return for_jax.answer_arrays(values, policy, whole)
    return None


def answer_compiled(values, how, shape, whole):
    """Solve NumPy arrays with the kernel; `how` is what `engine.how` returns."""
    target = values["target"]
    vectors = np.empty((*shape, target.shape[-1]), target.dtype)
    end, status = (np.empty_like(vectors), np.empty(shape, np.int8)) if whole else (None, None)
    answer = Answer(vectors, end, status)
    engine.fill_compiled(how, values, shape, answer)
    return answer


def answer_other(library, checked, whole, wanted):
    """Solve arrays of a library other than NumPy, by calling the formula on them."""
    t, values, policy, shape, size = checked
    p = arrays.parts(values["target"], size)
    pole = arrays.parts(values["pole"], size) if "pole" in values else ()
    targets = Targets(p, values["r1"], values["r2"], values["side"], pole)
    solve = slopes.any if library.differentiates else blocks.any
    found = solve(library, t, targets, policy)
    return Answer(
        arrays.join(library, found.joint, shape),
        arrays.join(library, found.end, shape) if whole else None,
        arrays.to_codes(library, found.status, shape) if wanted else None,
    )


def _from_root(library, result, root, given, seen, shape):
    """Add the root to an answer; an end that meets the target is the given target, bit for bit."""
    met = library.xp.all(result.end == seen, axis=-1, keepdims=True)
    end = library.where(met, given, result.end + root)
    return Answer(result.joint + root, end, result.status)


def _answer_dask(library, arguments, policy, unreachable, both, whole):
    """Solve dask arrays chunk by chunk, lazily."""
    given = {
        name: _check_chunks(name, arrays.as_array(library, name, value))
        for name, value in arguments.items()
    }
    check_vectors(given)
    _check_shapes({name: value for name, value in given.items() if not (both and name == "side")})

    def chunk(*values):
        given = {"pole": None, **dict(zip(arguments, values, strict=True))}
        given["side"] = [1, -1] if both else given["side"]
        leaves = [given.pop(name) for name in policies.parameters(policy)]
        chosen = policies.with_leaves(policy, leaves) if leaves else unreachable
        found = answer_for(**given, unreachable=chosen, both=both, whole=whole)
        return tuple(np.asarray(part) for part in found) if whole else found.joint

    wanted = Answer._fields if whole else ("joint",)
    return Answer(*arrays.map_chunks(arguments, given, chunk, both=both, outputs=wanted))


UNSEEN = (
    '`unreachable="raise"` needs values: there are none under jit, vmap and similar transforms, nor'
    " in dask before it computes. Use the status that `reach` returns instead."
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


def check_vectors(values):
    """Check the last axes of all vectors, and return their size: 2 or 3."""
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
    """Return the broadcast shape of all arguments, without the last axis of vectors."""
    shapes = {
        name: tuple(value.shape[:-1] if name in VECTORS else value.shape)
        for name, value in values.items()
    }
    return arrays.broadcast_shapes(shapes)


def _check_chunks(name, array):
    """Return a dask array unchanged; raise if it is a list or has chunks of unknown sizes."""
    if isinstance(array, list):
        raise ArrayTypeError(name, "stacked first (`dask.array.stack`)", "a list of dask arrays")
    if any(size != size for size in array.shape):
        raise ShapeError(name, "have known sizes (see `compute_chunk_sizes`)", array.shape)
    return array


def _check_no_out(library, out):
    if out is not None:
        wanted = "left out where the arrays are not NumPy's"
        raise ArrayTypeError("out", wanted, f"one with {library.name} arrays")


def _check_outs(out, kinds):
    """Check the arrays to write to: each alone, and that no two share memory."""
    if out.status is None:
        _check_out("out", out.joint, *kinds["joint"])
        return
    for i, (place, kind) in enumerate(zip(out, kinds.values(), strict=True)):
        _check_out(f"out[{i}]", place, *kind)
        if any(_share_memory(place, other) for other in out[:i]):
            raise ArrayTypeError("out", "arrays that share no memory", "some that overlap")


def _check_out(name, out, shape, dtype):
    if not isinstance(out, np.ndarray):
        raise ArrayTypeError(name, "a NumPy array", type(out).__name__)
    arrays.check_unmasked(name, out)
    if out.dtype != dtype:
        raise ArrayTypeError(name, f"of {np.dtype(dtype)}, the dtype of the result", str(out.dtype))
    if out.shape != shape:
        raise ShapeError(name, f"have shape {shape}", out.shape)
    if not out.flags.writeable:
        raise ArrayTypeError(name, "writeable", "a read-only array")
    if out.size and _repeats(out):
        raise ArrayTypeError(
            name, "an array whose elements do not overlap", "one that overlaps itself"
        )


def _share_memory(a, b):
    """Return whether two arrays share memory; True if it would take long to find out."""
    limit: Any = 1000  # NumPy's type hints know only the special values 0 and -1
    try:
        return np.shares_memory(a, b, max_work=limit)
    except np.exceptions.TooHardError:
        return True


def _repeats(array):
    """Return whether elements of an array may share memory."""
    extent = array.itemsize
    axes = zip(array.strides, array.shape, strict=True)
    for step, count in sorted((abs(step), count) for step, count in axes if count > 1):
        if step < extent:
            return True
        extent += step * (count - 1)
    return False
