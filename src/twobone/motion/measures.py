"""Measures of feet and knees: drift, slide, penetration, acceleration; and published ones.

Positions are arrays of shape (T, 3), or (T, N, 3) for several joints, y up, in metres. Contacts of
a joint are pairs of frames `(first, last + 1)`: the second is the one after the last in contact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twobone.errors import ClipError, ShapeError
from twobone.motion import published

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Counts: TypeAlias = NDArray[np.intp]
Pairs: TypeAlias = Sequence[tuple[int, int]] | Counts

LEVEL = [0, 2]  # the horizontal axes
UP = 1
NEARBY = 0.25  # seconds within which steps are compared
SINGLE = 3  # steps that a single wrong frame makes
FARTHEST = 250  # frames: at more than 1,000 a second, steps are compared within fewer seconds
BLOCK = 512  # frames
JOINT, JOINTS, ANY = "(T, 3)", "(T, N, 3)", "(T, 3) or (T, N, 3)"  # shapes of positions


# --- arguments ----------------------------------------------------------------------------


def points(name: str, values: ArrayLike, shape: str = ANY) -> Floats:
    """Return positions as an array of a shape, or raise a `ShapeError`."""
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise ShapeError(name, f"have shape {shape}", None, "no array of numbers") from None
    axes = {JOINT: (2,), JOINTS: (3,), ANY: range(2, 33)}[shape]
    if array.ndim not in axes or array.shape[-1] != 3:
        raise ShapeError(name, f"have shape {shape}", array.shape)
    return array


def alike(**values: Floats) -> list[Floats]:
    """Return arrays with the same number of frames, or raise a `ShapeError`."""
    first, *others = values.items()
    for name, array in others:
        if len(array) != len(first[1]):
            wanted = f"have as many frames as `{first[0]}`, {len(first[1])}"
            raise ShapeError(name, wanted, array.shape)
    return list(values.values())


def rate(name: str, fps: float) -> float:
    """Return a number of frames per second, or raise a `ClipError` if it is not above 0."""
    is_real = isinstance(fps, int | float | np.integer | np.floating)
    if not (is_real and np.isfinite(fps) and fps > 0):
        raise ClipError("the measure", "a number above 0", repr(fps), field=name)
    return float(fps)


def pairs(contacts: Pairs, count: int) -> Counts:
    """Return contacts as an array (N, 2), or raise a `ClipError` if they are not of `count` frames.

    Contacts may be empty.
    """
    wanted = f"contacts (first, last + 1) within the {count} frames"
    try:
        is_array = isinstance(contacts, np.ndarray) and contacts.shape[1:] == (2,)
        known = contacts if is_array else [(first, stop) for first, stop in contacts]
        edges = np.array(known, float).reshape(-1, 2)
    except (TypeError, ValueError):
        raise ClipError("the measure", wanted, repr(contacts), field="contacts") from None
    first, stop = edges.T
    wrong = ~((edges % 1 == 0).all(1) & (first >= 0) & (first <= stop) & (stop <= count))
    if wrong.any():
        came = ", ".join(f"{frame:g}" for frame in edges[wrong.argmax()])
        raise ClipError("the measure", wanted, f"({came})", field="contacts")
    return edges.astype(np.intp)


def in_contact(contacts: Pairs, count: int) -> tuple[Counts, Counts, Counts]:
    """Return the frames of all contacts, where each that is not empty begins, and their sizes."""
    edges = pairs(contacts, count)
    edges = edges[edges[:, 1] > edges[:, 0]]
    sizes = edges[:, 1] - edges[:, 0]
    firsts = np.cumsum(sizes) - sizes
    frames = np.arange(sizes.sum()) + np.repeat(edges[:, 0] - firsts, sizes)
    return frames, firsts, sizes


# --- feet in contact ----------------------------------------------------------------------


def drift(positions: ArrayLike, contacts: Pairs) -> Floats:
    """Return how far a joint in contact is from its mean position over the contact.

    Parameters
    ----------
    positions : array, shape (T, 3)
        Positions of the joint.
    contacts : sequence of (first, last + 1)
        The frames in which it is in contact.

    Returns
    -------
    array, shape (N,)
        The distance in each frame of contact, one contact after the other; in metres.

    Raises
    ------
    ShapeError
        If `positions` has another shape.
    ClipError
        If a contact is not within the T frames.

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.drift([[0, 0, 0], [0, 0, 0], [0, 0, 0.3], [5, 0, 0]], [(0, 3)]).round(3)
    array([0.1, 0.1, 0.2])
    """
    at = points("positions", positions, JOINT)
    frames, firsts, sizes = in_contact(contacts, len(at))
    if not len(frames):
        return np.zeros(0)
    at = at[frames]
    mean = np.add.reduceat(at, firsts, axis=0) / sizes[:, None]
    return _norm(at - np.repeat(mean, sizes, axis=0))


def slide(positions: ArrayLike, contacts: Pairs) -> Floats:
    """Return the horizontal distance that a joint covers during each contact.

    Parameters
    ----------
    positions : array, shape (T, 3)
        Positions of the joint.
    contacts : sequence of (first, last + 1)
        The frames in which it is in contact.

    Returns
    -------
    array, shape (N,)
        The length of the path during each contact, in metres; jitter adds to it.

    Raises
    ------
    ShapeError, ClipError
        As `drift` does.

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.slide([[0, 0, 0], [0, 0, 0.3], [0, 1, 0], [5, 0, 0]], [(0, 3), (3, 4)])
    array([0.6, 0. ])
    """
    at = points("positions", positions, JOINT)[:, LEVEL]
    first, stop = pairs(contacts, len(at)).T
    path = np.concatenate([[0.0], np.cumsum(_norm(np.diff(at, axis=0))), [0.0]])
    return np.where(stop > first, path[stop - 1] - path[first], 0.0)


def penetration(positions: ArrayLike, ground: ArrayLike = 0.0) -> Floats:
    """Return how far joints are below the ground in each frame; 0 if they are above it.

    Parameters
    ----------
    positions : array, shape (T, ..., 3)
        Positions of joints.
    ground : number or array, shape (T, ...)
        The height of the ground below them.

    Returns
    -------
    array, shape (T, ...)
        Depths in metres, 0 or more.

    Raises
    ------
    ShapeError
        If `positions` has another shape, or `ground` does not broadcast to (T, ...).

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.penetration([[0, 0.1, 0], [0, -0.02, 0]])
    array([0.  , 0.02])
    """
    heights = points("positions", positions)[..., UP]
    try:
        levels = np.broadcast_to(np.asarray(ground, np.float64), heights.shape)
    except (TypeError, ValueError):
        wanted = f"be a number or have shape {heights.shape}"
        raise ShapeError("ground", wanted, np.shape(ground)) from None
    return np.maximum(levels - heights, 0.0)


def floating(positions: ArrayLike, contacts: Pairs) -> Floats:
    """Return how far a joint in contact is above its lowest height in all contacts.

    Parameters
    ----------
    positions : array, shape (T, 3)
        Positions of the joint.
    contacts : sequence of (first, last + 1)
        The frames in which it is in contact.

    Returns
    -------
    array, shape (N,)
        The height in each frame of contact, one contact after the other; in metres.

    Raises
    ------
    ShapeError, ClipError
        As `drift` does.

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.floating([[0, 0.1, 0], [0, 0.1, 0], [0, 0.15, 0]], [(0, 1), (2, 3)]).round(3)
    array([0.  , 0.05])
    """
    at = points("positions", positions, JOINT)
    heights = at[in_contact(contacts, len(at))[0], UP]
    return heights - heights.min() if len(heights) else heights


# --- knees --------------------------------------------------------------------------------


def acceleration(positions: ArrayLike, fps: float) -> Floats:
    """Return the size of the acceleration of joints, by second differences.

    Parameters
    ----------
    positions : array, shape (T, ..., 3)
        Positions of joints.
    fps : float
        Frames per second.

    Returns
    -------
    array, shape (T - 2, ...)
        Accelerations in metres per second squared. A pop of a knee shows in the 95th and 99.5th
        percentiles, compared with those of the clip before.

    Raises
    ------
    ShapeError
        If `positions` has another shape.
    ClipError
        If `fps` is not above 0.

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.acceleration([[0, 0, 0], [0, 0, 0], [0, 0, 0.01]], 30).round(3)
    array([9.])
    """
    return _norm(np.diff(points("positions", positions), 2, axis=0)) * rate("fps", fps) ** 2


def steps(positions: ArrayLike) -> Floats:
    """Return the single-frame steps of joints: how far each frame is off the line beside it, twice.

    Parameters
    ----------
    positions : array, shape (T, N, 3)
        Positions of joints.

    Returns
    -------
    array, shape (T, N)
        The sizes of `x[t - 1] - 2 x[t] + x[t + 1]` in metres; 0 in the first and the last frame. A
        single frame that is wrong by 10 mm makes a step of 20 mm.

    Raises
    ------
    ShapeError
        If `positions` has another shape.

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.steps([[[0, 0, 0]], [[0, 0.01, 0]], [[0, 0, 0]]]).ravel().round(3)
    array([0.  , 0.02, 0.  ])
    """
    at = points("positions", positions, JOINTS)
    found = np.zeros(at.shape[:2])
    if len(at) > 2:
        found[1:-1] = _norm(np.diff(at, 2, axis=0))
    return found


def usual_steps(positions: ArrayLike, fps: float) -> Floats:
    """Return how large single-frame steps of joints are around each frame.

    Parameters
    ----------
    positions : array, shape (T, N, 3)
        Positions of joints.
    fps : float
        Frames per second.

    Returns
    -------
    array, shape (T, N)
        The fourth largest of `steps` within a quarter of a second, as a single wrong frame makes
        three large ones; or the largest of the frame and of those beside it, if that is larger. In
        metres. A step in another version of the clip that is much larger is new.

    Raises
    ------
    ShapeError
        If `positions` has another shape.
    ClipError
        If `fps` is not above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import measures
    >>> at = np.zeros((60, 1, 3))
    >>> at[30] = 0.01
    >>> measures.usual_steps(at, 60)[[10, 20, 30, 31, 32], 0].round(3)
    array([0.   , 0.   , 0.035, 0.035, 0.017])
    """
    found = steps(positions)
    reach = min(max(round(NEARBY * rate("fps", fps)), SINGLE), FARTHEST)
    padded = np.pad(found, [(reach, reach), (0, 0)])
    count, window = len(found), 2 * reach + 1
    around = np.zeros_like(found)
    for first in range(0, count, BLOCK):  # all windows at once would be large
        part = padded[first : min(first + BLOCK, count) + 2 * reach]
        windows = np.lib.stride_tricks.sliding_window_view(part, window, axis=0)
        ranked = np.partition(windows, window - 1 - SINGLE, axis=-1)
        around[first : first + BLOCK] = ranked[..., window - 1 - SINGLE]
    own = [padded[reach + k : reach + k + count] for k in (-1, 0, 1)]
    return np.maximum(around, np.maximum.reduce(own))


def extension(start: ArrayLike, mid: ArrayLike, end: ArrayLike) -> Floats:
    """Return how straight limbs are: the distance from start to end, of the length of both bones.

    Parameters
    ----------
    start, mid, end : array, shape (T, ..., 3)
        Positions of the joints of limbs, such as hips, knees and ankles.

    Returns
    -------
    array, shape (T, ...)
        1 for a straight limb; 0 for one without length.

    Raises
    ------
    ShapeError
        If the shapes differ, or are others.

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.extension([[0, 1, 0]], [[0, 0.5, 0]], [[0, 0.5, 0.5]]).round(3)
    array([0.707])
    """
    hip = points("start", start)
    knee, ankle = points("mid", mid), points("end", end)
    for name, joint in (("mid", knee), ("end", ankle)):
        if joint.shape != hip.shape:
            raise ShapeError(name, f"have the shape of `start`, {hip.shape}", joint.shape)
    bones = _norm(knee - hip) + _norm(ankle - knee)
    return _norm(ankle - hip) / np.where(bones > 0.0, bones, 1.0)


# --- published ----------------------------------------------------------------------------


def resampled(positions: ArrayLike, fps: float, to: float) -> Floats:
    """Return positions at another frame rate, interpolated linearly.

    Published measures depend on the frame rate. Their figures can be compared only at the rate for
    which they were published: 20 for `skating_ratio` and `slow_feet`, 30 for `foot_skating` and
    `physical_foot_contact`. `Report` resamples to these.

    Parameters
    ----------
    positions : array, shape (T, ..., 3)
        Positions of joints.
    fps, to : float
        The frames per second of the positions, and of the result.

    Returns
    -------
    array, shape (T2, ..., 3)
        From the first frame on, as many as there is time for.

    Raises
    ------
    ShapeError
        If `positions` has another shape.
    ClipError
        If a rate is not above 0.

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.resampled([[0, 0, 0], [3, 0, 0], [6, 0, 0], [9, 0, 0]], 30, 20)[:, 0]
    array([0. , 4.5, 9. ])
    """
    at = points("positions", positions)
    frames = resampled_frames(len(at), rate("fps", fps), rate("to", to))
    before = np.minimum(frames.astype(np.intp), len(at) - 1)
    after = np.minimum(before + 1, len(at) - 1)
    share = (frames - before).reshape(-1, *[1] * (at.ndim - 1))
    return at[before] + share * (at[after] - at[before])


def resampled_frames(count: int, fps: float, to: float) -> Floats:
    """Return where the frames at another rate are among `count` frames, as fractions of these."""
    last = max(count - 1, 0)
    frames = np.arange(int(np.floor(last * to / fps + 1e-6)) + 1) * (fps / to)
    return np.minimum(frames, last)[: None if count else 0]


def skating_ratio(toes: ArrayLike, fps: float) -> float:
    """Return the skating ratio of GMD: the share of frames in which a low foot moves fast.

    Parameters
    ----------
    toes : array, shape (T, N, 3)
        Positions of both toe joints, the ground at 0.
    fps : float
        Frames per second; the published figures are for 20, see `resampled`.

    Returns
    -------
    float
        The share of frames in which at least one toe joint is lower than 5 cm, in this frame and
        the next, and moves faster than .5 m/s horizontally, both in this step and on average over
        5 steps.

    Raises
    ------
    ShapeError
        If `toes` has another shape.
    ClipError
        If `fps` is not above 0.

    Notes
    -----
    It misses all sliding slower than .5 m/s, which is all of most clips, and takes fast feet that
    swing low for skating. It depends on the height of toe joints above the sole.

    Source: Karunratanakul et al., "Guided Motion Diffusion for Controllable Human Motion
    Synthesis", ICCV 2023.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import measures
    >>> toes = np.zeros((21, 2, 3))
    >>> toes[:, 0, 2] = np.arange(21) * 0.05
    >>> measures.skating_ratio(toes, 20)
    1.0
    """
    at = points("toes", toes, JOINTS)
    return float(published.skating_ratio(at[None], _all_known(at), rate("fps", fps))[0])


def foot_skating(ankles: ArrayLike, toes: ArrayLike) -> float:
    """Return the foot skating of NeMF: horizontal steps of low feet, the more the lower they are.

    Parameters
    ----------
    ankles, toes : array, shape (T, N, 3)
        Positions of ankles and toe joints, the ground at 0.

    Returns
    -------
    float
        The mean of `d (2 - 2^(h / H))` over frames and joints, in centimetres a frame, where `d`
        is the horizontal displacement and `h` the height of a joint below the threshold `H`: 8 cm
        for ankles, 4 cm for toes.

    Raises
    ------
    ShapeError
        If an array has another shape, or they have different numbers of frames.

    Notes
    -----
    It is per frame, so that half the frame rate doubles it; NeMF evaluates clips at 30 frames per
    second (`configs/evaluation.yaml` of its code), see `resampled`. All frames count in
    the mean: a clip with few contacts looks better. It cannot tell a landing foot from a sliding
    one.

    Source: He et al., "NeMF: Neural Motion Fields for Kinematic Animation", NeurIPS 2022, after
    Zhang et al., "Mode-Adaptive Neural Networks for Quadruped Motion Control", SIGGRAPH 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import measures
    >>> still, sliding = np.zeros((3, 1, 3)), np.zeros((3, 1, 3))
    >>> sliding[:, 0, 0] = [0.0, 0.01, 0.02]
    >>> round(measures.foot_skating(still, sliding), 3)
    0.5
    """
    heels, tips = alike(ankles=points("ankles", ankles, JOINTS), toes=points("toes", toes, JOINTS))
    return float(published.foot_skating(heels[None], tips[None], _all_known(heels))[0])


def slow_feet(positions: ArrayLike, threshold: float = 0.002) -> Flags:
    """Return the frames that HumanML3D labels as contact: those in which a joint moves slowly.

    Parameters
    ----------
    positions : array, shape (T, ..., 3)
        Positions of ankles and toe joints.
    threshold : float
        The square of the step to the next frame, in square metres; the published value is 0.002,
        at 20 frames per second, see `resampled`.

    Returns
    -------
    array of bool, shape (T - 1, ...)
        Whether the joint is labelled as in contact.

    Raises
    ------
    ShapeError
        If `positions` has another shape.

    Notes
    -----
    The threshold is a step of 45 mm: 0.9 m/s at 20 frames per second. So it labels as contact all
    sliding feet, and most feet that stand in the air, and depends on the frame rate.

    Source: Guo et al., "Generating Diverse and Natural 3D Human Motions from Text", CVPR 2022.

    Examples
    --------
    >>> from twobone.motion import measures
    >>> measures.slow_feet([[0, 0, 0], [0, 0, 0.04], [0, 0, 0.09]])
    array([ True, False])
    """
    steps = np.diff(points("positions", positions), axis=0)
    return (steps * steps).sum(-1) < threshold


def physical_foot_contact(root: ArrayLike, ankles: ArrayLike, toes: ArrayLike, fps: float) -> float:
    """Return the physical foot contact score (PFC) of EDGE: pushes without a foot that stands.

    Parameters
    ----------
    root : array, shape (T, 3)
        Positions of the hips.
    ankles, toes : array, shape (T, 2, 3)
        Positions of both feet.
    fps : float
        Frames per second; the published figures are for 30, see `resampled`. The steps are those
        from frame to frame, so that half the frame rate multiplies the score by four.

    Returns
    -------
    float
        10,000 times the mean product of three factors: the acceleration of the root, without its
        downward part, as a share of its maximum; and the horizontal steps of the slower joint of
        each foot, in metres a frame.

    Raises
    ------
    ShapeError
        If an array has another shape, or they have different numbers of frames.
    ClipError
        If `fps` is not above 0.

    Notes
    -----
    One foot that stands still makes the product 0, whatever the other one does, so one sliding foot
    is free. It is relative to the largest acceleration, so that one jerk improves the score.

    Source: Tseng et al., "EDGE: Editable Dance Generation From Music", CVPR 2023.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion import measures
    >>> root, feet = np.zeros((4, 3)), np.zeros((4, 2, 3))
    >>> root[:, 0] = feet[:, 0, 0] = feet[:, 1, 0] = [0.0, 0.1, 0.2, 0.4]
    >>> round(measures.physical_foot_contact(root, feet, feet, 30), 3)
    200.0
    """
    body, heels, tips = alike(
        root=points("root", root, JOINT),
        ankles=points("ankles", ankles, JOINTS),
        toes=points("toes", toes, JOINTS),
    )
    for name, joints in (("ankles", heels), ("toes", tips)):
        if joints.shape[1] != 2:
            raise ShapeError(name, "have shape (T, 2, 3)", joints.shape)
    known, rated = _all_known(body), rate("fps", fps)
    feet = heels[None], tips[None]
    return float(published.physical_foot_contact(body[None], feet[0], feet[1], known, rated)[0])


def _all_known(at: Floats) -> Flags:
    return np.ones((1, len(at)), bool)


def _norm(v: Any) -> Floats:
    """Return lengths of vectors on the last axis."""
    return np.sqrt((v * v).sum(-1))
