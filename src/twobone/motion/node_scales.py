"""Node scales that a skeleton cannot have: non-uniform, negative, zero or animated, and shear.

A skeleton's joints are scaled by one positive constant. Below a node of glTF with another scale,
bones change their lengths in the world as they rotate. A clip has this change in its translations:
the positions of all joints in the world are those of the file, and rotations are unchanged.

Let the linear part of a joint's transformation to the world be u Q V, where u is the product of
the scales that the skeleton knows, and Q that of the rotations. Then V is the identity below
nodes of ordinary scale, and a translation t of a child is V t in the clip.
"""

from __future__ import annotations

import numpy as np

from twobone.rotations import quaternion_to_matrix

FLAT = 1e-9  # relative size of an axis that is scaled to nothing


def spaces(parents, order, rotations, stretches):
    """Return V for all joints that have children and for which it is not the identity.

    Parameters
    ----------
    parents : sequence of int
        The parent of each joint; -1 for none.
    order : sequence of int
        All joints, each after its parent.
    rotations : array, shape (T, J, 4)
        Rotations of the joints relative to their parents.
    stretches : dict of int to array, shape (T, 3, 3) or (3, 3)
        What scales the space of a joint beyond the scale that the skeleton knows.

    Returns
    -------
    dict of int to array, shape (T, 3, 3)
    """
    found = {}
    with_children = set(parents)
    for joint in order if stretches else ():
        above, own = found.get(parents[joint]), stretches.get(joint)
        if joint not in with_children or (above is None and own is None):
            continue
        space = np.broadcast_to(np.eye(3), (len(rotations), 3, 3))
        with np.errstate(over="ignore", invalid="ignore"):
            if above is not None:
                rotation = quaternion_to_matrix(rotations[:, joint])
                space = np.swapaxes(rotation, 1, 2) @ above @ rotation
            found[joint] = space if own is None else space @ own
    return found


def to_clip(parents, translations, found):
    """Return translations of nodes as those of a clip."""
    changed = translations.copy()
    for joint, parent in enumerate(parents):
        if parent in found:
            with np.errstate(over="ignore", invalid="ignore"):
                changed[:, joint] = _times(found[parent], translations[:, joint])
    return changed


def to_nodes(parents, translations, found, before):
    """Return translations of a clip as those of nodes; the inverse of `to_clip`.

    Where a scale of 0 hides a joint, its translation is that in `before`.
    """
    changed = translations.copy()
    for joint, parent in enumerate(parents):
        if parent in found:
            spaces = found[parent]
            sizes = np.linalg.svd(spaces, compute_uv=False)
            is_flat = sizes[:, -1] <= FLAT * sizes[:, 0]
            safe = np.where(is_flat[:, None, None], np.eye(3), spaces)
            solved = np.linalg.solve(safe, translations[:, joint, :, None])[..., 0]
            changed[:, joint] = np.where(is_flat[:, None], before[:, joint], solved)
    return changed


def _times(matrices, vectors):
    return np.einsum("tij,tj->ti", matrices, vectors)
