"""Nodes: their tree, their names, and their transformations as rotation, translation and scale."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twobone.files.gltf.document import Document
from twobone.files.gltf.members import Member
from twobone.rotations import matrix_to_quaternion

SQUARE = 1e-5  # cosine between the axes of a matrix that has no shear, in float32


class Transform(NamedTuple):
    """The transformation of a node: p -> translation + rotation * stretch * p."""

    rotation: np.ndarray  # xyzw, of length 1
    translation: np.ndarray
    stretch: np.ndarray  # (3, 3): the scale on its diagonal, and the shear of a matrix


class Nodes:
    """The nodes of a document.

    Attributes
    ----------
    members : Member
        The array "nodes".
    parents : list of int
        The index of each node's parent; -1 for none.
    order : list of int
        All nodes, each after its parent, children in the order of the file.

    Raises
    ------
    ClipError
        If a child does not exist, a node has two parents, or is its own ancestor.
    """

    def __init__(self, document: Document) -> None:
        self.members = document.root.array("nodes")
        count = len(self.members)
        self.parents = [-1] * count
        children = []
        for index, node in enumerate(self.members):
            children.append(node.indices("children", count))
            for child in children[-1]:
                if self.parents[child] >= 0:
                    came = f"nodes {self.parents[child]} and {index} for node {child}"
                    node.member("children").fail("one parent for each node", came)
                self.parents[child] = index
        self.order: list[int] = []
        waiting = [index for index in reversed(range(count)) if self.parents[index] < 0]
        while waiting:
            self.order.append(waiting.pop())
            waiting += reversed(children[self.order[-1]])
        if len(self.order) < count:
            lost = min(set(range(count)) - set(self.order))
            came = f"node {lost}, which is its own ancestor"
            self.members[lost].member("children").fail("a tree", came)

    def name(self, index: int) -> str:
        """Return the name of a node."""
        return self.members[index].string("name", None) or f"node_{index}"

    def ancestors(self, index: int) -> list[int]:
        """Return a node and all nodes above it."""
        found = []
        while index >= 0:
            found.append(index)
            index = self.parents[index]
        return found

    def transform(self, index: int) -> Transform:
        """Return the transformation of a node at rest."""
        node = self.members[index]
        if node.has("matrix"):
            return _decomposed(node)
        rotation = np.array(node.numbers("rotation", 4, (0.0, 0.0, 0.0, 1.0)))
        length = np.linalg.norm(rotation / max(np.abs(rotation).max(), 1e-300))
        if not length:
            node.member("rotation").fail("a quaternion of length 1")
        rotation = rotation / np.abs(rotation).max() / length
        translation = np.array(node.numbers("translation", 3, (0.0, 0.0, 0.0)))
        return Transform(rotation, translation, np.diag(node.numbers("scale", 3, (1.0, 1.0, 1.0))))


def _decomposed(node: Member) -> Transform:
    """Return the transformation of a node with a matrix.

    The stretch is diagonal if the axes of the matrix are perpendicular. Otherwise it is the
    symmetric factor of the polar decomposition.
    """
    identity = np.eye(4).ravel().tolist()
    matrix = np.array(node.numbers("matrix", 16, identity)).reshape(4, 4).T
    if not np.array_equal(matrix[3], [0.0, 0.0, 0.0, 1.0]):
        node.member("matrix").fail("an affine matrix", "another last row")
    linear, translation = matrix[:3, :3], matrix[:3, 3]
    unit = max(np.abs(linear).max(), 1e-300)
    lengths = np.linalg.norm(linear / unit, axis=0)
    if lengths.min() > 1e-9:
        axes = linear / unit / lengths
        if np.abs(axes.T @ axes - np.eye(3)).max() < SQUARE:
            sign = np.sign(np.linalg.det(axes))
            rotation = matrix_to_quaternion(sign * axes)
            return Transform(rotation, translation, np.diag(sign * lengths * unit))
    left, sizes, right = np.linalg.svd(linear / unit)
    sign = 1.0 if np.linalg.det(left @ right) > 0.0 else -1.0
    stretch = sign * unit * (right.T * sizes) @ right
    return Transform(matrix_to_quaternion(sign * left @ right), translation, stretch)
