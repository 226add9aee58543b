"""Published measures of generated motion, for batches of joint positions.

Positions are arrays (..., T, J, 3), y up, in metres, with the ground at 0: one result for each
motion. By default joints are those of SMPL, as in HumanML3D. `lengths` (...) has the number of
frames of each motion, if they are padded to T. A motion with NaN or infinity gets NaN, and the
others the bits that they have alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twobone.errors import ShapeError
from twobone.motion import published
from twobone.motion.measures import rate

Floats: TypeAlias = NDArray[np.float64]

ROOT, ANKLES, TOES = 0, (7, 8), (10, 11)  # of SMPL
KIT_TOES = (15, 20)  # of KIT-ML, for `skating_ratio`
BLOCK = 64  # motions that are measured at once: more would leave the cache
SHAPE = "have shape (..., T, J, 3)"


def skating_ratio(
    points: ArrayLike,
    fps: float = 20.0,
    *,
    toes: Sequence[int] = TOES,
    lengths: ArrayLike | None = None,
) -> Floats:
    """Return the foot skating ratio: the share of steps in which a low toe joint moves fast.

    A step skates if a toe joint is lower than 5 cm in both of its frames, and its horizontal speed
    is above .5 m/s, both in this step and on average over the five steps around it, of which those
    outside of the motion count as 0.

    Parameters
    ----------
    points : array, shape (..., T, J, 3)
        Positions of joints in metres, y up, the ground at 0.
    fps : float
        Frames per second. The published figures are for 20; the average is over five steps at any
        rate.
    toes : sequence of int
        The toe joints: (10, 11) of SMPL, `KIT_TOES` of KIT-ML.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        From 0 to 1. OmniControl and GMD publish the mean over all motions.

    Raises
    ------
    ShapeError
        If a shape is another one, or there are no such joints or lengths.
    ClipError
        If `fps` is not above 0.

    Notes
    -----
    It misses all sliding slower than .5 m/s, and depends on the height of toe joints above the
    sole. See `twobone.motion.measures.drift` for one that sees all sliding.

    Source: Karunratanakul et al., "Guided Motion Diffusion for Controllable Human Motion
    Synthesis" (GMD), ICCV 2023; the same in Xie et al., "OmniControl", ICLR 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.zeros((2, 21, 22, 3))
    >>> points[1, :, 10, 2] = np.arange(21) * 0.05  # the left toe moves at 1 m/s
    >>> batch_measures.skating_ratio(points, 20)
    array([0., 1.])
    """

    def measure(toes, known):
        return published.skating_ratio(toes, known, rate("fps", fps))

    return _measured(measure, points, lengths, toes=toes)


def foot_skating(
    points: ArrayLike,
    *,
    ankles: Sequence[int] = ANKLES,
    toes: Sequence[int] = TOES,
    lengths: ArrayLike | None = None,
) -> Floats:
    """Return the foot skating of NeMF: horizontal steps of low feet, the more the lower they are.

    The mean of `d (2 - 2^(h / H))` over steps and joints, where `d` is the horizontal step of a
    joint, `h` its height after it, from 0 to `H`, and `H` 8 cm for ankles and 4 cm for toes.

    Parameters
    ----------
    points : array, shape (..., T, J, 3)
        Positions of joints in metres, y up, the ground at 0, at 30 frames per second: it is per
        step, so that half the frame rate doubles it.
    ankles, toes : sequence of int
        The joints of feet. By default those of SMPL.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        Centimetres a frame.

    Raises
    ------
    ShapeError
        If a shape is another one, or there are no such joints or lengths.

    Notes
    -----
    Source: He et al., "NeMF: Neural Motion Fields for Kinematic Animation", NeurIPS 2022, after
    Zhang et al., "Mode-Adaptive Neural Networks for Quadruped Motion Control", SIGGRAPH 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.zeros((1, 3, 22, 3))
    >>> points[0, :, 10, 0] = [0.0, 0.01, 0.02]
    >>> batch_measures.foot_skating(points).round(3)
    array([0.25])
    """
    return _measured(published.foot_skating, points, lengths, ankles=ankles, toes=toes)


def physical_foot_contact(
    points: ArrayLike,
    fps: float = 30.0,
    *,
    root: int = ROOT,
    ankles: Sequence[int] = ANKLES,
    toes: Sequence[int] = TOES,
    lengths: ArrayLike | None = None,
) -> Floats:
    """Return the physical foot contact score (PFC): pushes of the body without a foot that stands.

    The mean over frames of `a / max(a) * left * right`, where `a` is the size of the acceleration
    of the root without its downward part, and `left` and `right` are the horizontal steps of the
    slower joint of each foot; times 10,000.

    Parameters
    ----------
    points : array, shape (..., T, J, 3)
        Positions of joints in metres, y up.
    fps : float
        Frames per second. The published figures are for 30: steps are those from frame to frame, so
        that half the rate multiplies the score by four.
    root : int
        The joint of the hips.
    ankles, toes : sequence of two int
        The joints of the left and the right foot. By default those of SMPL.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        Square metres, times 10,000. EDGE publishes the mean over all motions.

    Raises
    ------
    ShapeError
        If a shape is another one, or there are no such joints or lengths.
    ClipError
        If `fps` is not above 0.

    Notes
    -----
    One foot that stands still makes the score 0, whatever the other one does. It is relative to the
    largest acceleration, so that one jerk improves it.

    Source: Tseng et al., "EDGE: Editable Dance Generation From Music", CVPR 2023, section 4 and
    `eval/eval_pfc.py` of its code.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.zeros((1, 4, 22, 3))
    >>> points[0, :, [0, 7, 8, 10, 11], 0] = [0.0, 0.1, 0.2, 0.4]
    >>> batch_measures.physical_foot_contact(points, 30).round(3)
    array([200.])
    """
    for name, joints in (("ankles", ankles), ("toes", toes)):
        if np.shape(joints) != (2,):
            raise ShapeError(name, "be two joints", np.shape(joints))

    def measure(root, ankles, toes, known):
        hips = root[:, :, 0]
        return published.physical_foot_contact(hips, ankles, toes, known, rate("fps", fps))

    return _measured(measure, points, lengths, root=[root], ankles=ankles, toes=toes)


def jitter(points: ArrayLike, fps: float, *, lengths: ArrayLike | None = None) -> Floats:
    """Return the jitter: the mean size of the jerk of all joints.

    The mean over frames and joints of `|x[t + 3] - 3 x[t + 2] + 3 x[t + 1] - x[t]| fps^3`.

    Parameters
    ----------
    points : array, shape (..., T, J, 3)
        Positions of joints in metres.
    fps : float
        Frames per second. It depends strongly on the rate: compare at the same one.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        Metres per second cubed. Publications divide by 100 (TransPose) or by 1,000 (PIP).

    Raises
    ------
    ShapeError
        If a shape is another one.
    ClipError
        If `fps` is not above 0.

    Notes
    -----
    Source: Yi et al., "TransPose: Real-time 3D Human Translation and Pose Estimation with Six
    Inertial Sensors", SIGGRAPH 2021, after Flash and Hogan, "The coordination of arm movements",
    1985.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.zeros((1, 4, 22, 3))
    >>> points[0, 3, :, 1] = 0.001
    >>> batch_measures.jitter(points, 20).round(6)
    array([8.])
    """

    def measure(points, known):
        return published.jitter(points, known, rate("fps", fps))

    return _measured(measure, points, lengths)


def acceleration(points: ArrayLike, fps: float, *, lengths: ArrayLike | None = None) -> Floats:
    """Return the mean size of the acceleration of all joints.

    The mean over frames and joints of `|x[t + 2] - 2 x[t + 1] + x[t]| fps^2`.

    Parameters
    ----------
    points : array, shape (..., T, J, 3)
        Positions of joints in metres.
    fps : float
        Frames per second. With 1, it is metres per frame squared, as in many tables.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        Metres per second squared.

    Raises
    ------
    ShapeError
        If a shape is another one.
    ClipError
        If `fps` is not above 0.

    Notes
    -----
    Source: Kanazawa et al., "Learning 3D Human Dynamics from Video" (HMMR), CVPR 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.zeros((1, 3, 22, 3))
    >>> points[0, 2, :, 1] = 0.01
    >>> batch_measures.acceleration(points, 30).round(6)
    array([9.])
    """

    def measure(points, known):
        return published.acceleration(points, known, rate("fps", fps))

    return _measured(measure, points, lengths)


def acceleration_error(
    points: ArrayLike, truth: ArrayLike, fps: float, *, lengths: ArrayLike | None = None
) -> Floats:
    """Return the acceleration error: the mean size of the difference of accelerations.

    Parameters
    ----------
    points, truth : array, shape (..., T, J, 3)
        Positions of joints in metres, and those that they should have.
    fps : float
        Frames per second. With 1, it is metres per frame squared, as in many tables.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        Metres per second squared.

    Raises
    ------
    ShapeError
        If a shape is another one, or both differ.
    ClipError
        If `fps` is not above 0.

    Notes
    -----
    Source: Kanazawa et al., "Learning 3D Human Dynamics from Video" (HMMR), CVPR 2019; as in
    Kocabas et al., "VIBE", CVPR 2020.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.random.default_rng(0).normal(size=(2, 5, 22, 3))
    >>> batch_measures.acceleration_error(points, points + 1.0, 30).round(6)
    array([0., 0.])
    """
    given, wanted = _array("points", points), _array("truth", truth)
    if given.shape != wanted.shape:
        raise ShapeError("truth", f"have the shape of `points`, {given.shape}", wanted.shape)
    return acceleration(given - wanted, fps, lengths=lengths)


def penetration(points: ArrayLike, *, lengths: ArrayLike | None = None) -> Floats:
    """Return the penetration of PhysDiff: how deep the lowest joint is below the ground.

    The mean over frames of the depth beyond a tolerance of 5 mm; 0 in frames above the ground.

    Parameters
    ----------
    points : array, shape (..., T, J, 3)
        Positions of joints in metres, y up, the ground at 0.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        Millimetres. Publications have the mean over all frames of all motions.

    Raises
    ------
    ShapeError
        If a shape is another one.

    Notes
    -----
    PhysDiff takes the lowest vertex of a mesh. This is the form for joints of CLoSD, which misses
    the thickness of soles.

    Source: Yuan et al., "PhysDiff: Physics-Guided Human Motion Diffusion Model", ICCV 2023; for
    joints, Tevet et al., "CLoSD: Closing the Loop between Simulation and Diffusion for
    Multi-Task Character Control", ICLR 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.zeros((1, 2, 22, 3))
    >>> points[0, 1, 10, 1] = -0.025
    >>> batch_measures.penetration(points).round(3)
    array([10.])
    """
    return _measured(published.penetration, points, lengths)


def floating(points: ArrayLike, *, lengths: ArrayLike | None = None) -> Floats:
    """Return the floating of PhysDiff: how high the lowest joint is above the ground.

    The mean over frames of the height beyond a tolerance of 5 mm. Jumps float, too.

    Parameters
    ----------
    points : array, shape (..., T, J, 3)
        Positions of joints in metres, y up, the ground at 0.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        Millimetres. Publications have the mean over all frames of all motions.

    Raises
    ------
    ShapeError
        If a shape is another one.

    Notes
    -----
    As for `penetration`.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.full((1, 2, 22, 3), 0.025)
    >>> batch_measures.floating(points).round(3)
    array([20.])
    """
    return _measured(published.floating, points, lengths)


def sliding(points: ArrayLike, *, lengths: ArrayLike | None = None) -> Floats:
    """Return the skating of PhysDiff: horizontal steps of the lowest joint while it is down.

    The mean over steps of the horizontal step of the joint that is lowest before it, if that is at
    most 5 mm high before and after the step; otherwise the step counts as 0.

    Parameters
    ----------
    points : array, shape (..., T, J, 3)
        Positions of joints in metres, y up, the ground at 0. It is per step, so that half the frame
        rate doubles it; HumanML3D has 20 frames per second.
    lengths : array of int, shape (...), optional
        How many frames each motion has.

    Returns
    -------
    array, shape (...)
        Millimetres a frame. Publications have the mean over all frames of all motions.

    Raises
    ------
    ShapeError
        If a shape is another one.

    Notes
    -----
    As for `penetration`. Where joints are higher than 5 mm, as on soles of any thickness, nothing
    counts. PhysDiff calls the sum of all three Phys-Err.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import batch_measures
    >>> points = np.full((1, 3, 22, 3), 0.1)
    >>> points[0, :, 10] = [[0, 0, 0], [0, 0, 0.01], [0, 0.1, 0.1]]
    >>> batch_measures.sliding(points).round(3)
    array([5.])
    """
    return _measured(published.sliding, points, lengths)


# --- batches ------------------------------------------------------------------------------


def _measured(
    measure: Callable[..., Floats], points: ArrayLike, lengths: Any, **joints: Sequence[int]
) -> Floats:
    """Return a measure of each motion, given the joints that it takes, by name; else all."""
    at = _array("points", points)
    shape, (frames, count) = at.shape[:-3], at.shape[-3:-1]
    known = _known(lengths, shape, frames)
    chosen = {name: _joints(name, each, count) for name, each in joints.items()}
    flat, result = at.reshape(len(known), *at.shape[-3:]), np.zeros(len(known))
    for first in range(0, len(flat), BLOCK):
        some, here = flat[first : first + BLOCK], known[first : first + BLOCK]
        parts = {name: some[:, :, each] for name, each in chosen.items()} or {"points": some}
        made, is_whole = {}, np.ones(len(some), bool)
        for name, part in parts.items():
            finite = np.isfinite(part).all(axis=(2, 3))
            is_whole &= (finite | ~here).all(axis=1)
            made[name] = np.where((finite & here)[..., None, None], part, 0.0).astype(np.float64)
        with np.errstate(all="ignore"):  # numbers may be huge
            found = measure(**made, known=here)
        result[first : first + BLOCK] = np.where(is_whole, found, np.nan)
    return result.reshape(shape)


def _array(name: str, values: ArrayLike) -> NDArray[Any]:
    try:
        array = np.asarray(values)
        array = array if array.dtype.kind == "f" else array.astype(np.float64)
    except (TypeError, ValueError):
        raise ShapeError(name, SHAPE, None, "no array of numbers") from None
    if array.ndim < 3 or array.shape[-1] != 3 or array.shape[-2] == 0:
        raise ShapeError(name, SHAPE, array.shape)
    return array


def _joints(name: str, joints: Sequence[int], count: int) -> list[int]:
    found = np.asarray(joints)
    if found.ndim != 1 or found.dtype.kind not in "iu" or not found.size:
        raise ShapeError(name, "be indices of joints", None, repr(joints))
    if not ((found >= -count) & (found < count)).all():
        raise ShapeError(name, f"be indices of {count} joints", None, repr(joints))
    return found.tolist()


def _known(lengths: Any, shape: tuple[int, ...], frames: int) -> NDArray[np.bool_]:
    """Return which frames each motion has, (N, T)."""
    size = int(np.prod(shape))
    if lengths is None:
        return np.ones((size, frames), bool)
    given = np.asarray(lengths)
    if given.shape != shape or given.dtype.kind not in "iu":
        raise ShapeError("lengths", f"be whole numbers of shape {shape}", given.shape)
    if not ((given >= 0) & (given <= frames)).all():
        raise ShapeError("lengths", f"be from 0 to {frames}", None, repr(lengths))
    return np.arange(frames) < given.reshape(-1, 1)
