"""Accessors: arrays of numbers of any component type, with strides, normalised or sparse.

Source: Khronos, "glTF 2.0 Specification", 2021, section 3.6.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from twobone.files.gltf.members import Member

if TYPE_CHECKING:
    from twobone.files.gltf.document import Document

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SHAPES = {
    "SCALAR": (),
    "VEC2": (2,),
    "VEC3": (3,),
    "VEC4": (4,),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}


def read(document: Document, accessor: Member) -> np.ndarray:
    """Return the elements of an accessor.

    Returns
    -------
    array, shape (count, ...)
        Of the component type, or float64 if the accessor is normalised. Matrices have their rows
        on the last axis but one, as usual in NumPy. It may be a view of the file's bytes.

    Raises
    ------
    ClipError
        If a count, an index or a type is invalid, or the elements do not fit into the data.
    """
    dtype = np.dtype(COMPONENTS[accessor.choice("componentType", list(COMPONENTS))])
    shape = SHAPES[accessor.choice("type", list(SHAPES))]
    count = accessor.integer("count", least=1)
    if accessor.has("bufferView"):
        values = _elements(document, accessor, dtype, shape, count)
    else:
        if count > document.budget:
            accessor.member("count").fail("a count that fits the size of the file")
        values = np.broadcast_to(np.zeros((), dtype), (count, *shape))
    if accessor.has("sparse"):
        values = _with_sparse(document, accessor.object("sparse"), values)
    if accessor.flag("normalized") and dtype.kind != "f":
        values = np.maximum(values / np.iinfo(dtype).max, -1.0)
    return values


def _elements(document, part, dtype, shape, count):
    """Return elements at the offset of an accessor, or of a part of a sparse one."""
    data, stride = document.view(part)
    start = part.integer("byteOffset", 0)
    size = dtype.itemsize
    if len(shape) == 2:  # columns start at multiples of four bytes
        column = size * shape[0] + -size * shape[0] % 4
        needed = column * (shape[1] - 1) + size * shape[0]
        whole, strides = column * shape[1], (size, column)
    else:
        needed = whole = size * (shape[0] if shape else 1)
        strides = (size,) * len(shape)
    stride = whole if stride is None else stride
    if stride < needed:
        part.member("bufferView").fail(f"a view with a stride from {needed}", f"{stride}")
    if start + stride * (count - 1) + needed > len(data):
        came = f"{count} at {start} of {len(data)} bytes"
        part.member("count" if part.has("count") else "byteOffset").fail(
            "elements inside the buffer view", came
        )
    return np.ndarray((count, *shape), dtype, data, start, (stride, *strides))


def _with_sparse(document, sparse, values):
    """Return a copy of values with those of a sparse accessor in place."""
    count = sparse.integer("count", least=1)
    if count > len(values):
        sparse.member("count").fail(f"at most {len(values)}")
    indices, changed = sparse.object("indices"), sparse.object("values")
    dtype = np.dtype(COMPONENTS[indices.choice("componentType", [5121, 5123, 5125])])
    rows = _elements(document, indices, dtype, (), count).astype(np.int64)
    if np.any(np.diff(rows) <= 0) or rows[-1] >= len(values):
        indices.fail(f"increasing indices below {len(values)}", "others")
    new = _elements(document, changed, values.dtype, values.shape[1:], count)
    values = values.copy()
    values[rows] = new
    return values
