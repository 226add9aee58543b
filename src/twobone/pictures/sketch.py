"""The geometry of one limb as a diagram draws it: solved, in its plane, scaled."""

from typing import NamedTuple

import numpy as np

from twobone.core import arrays, policies, solver
from twobone.core.policies import Status
from twobone.errors import ShapeError

FAR = 1.75  # in maximum reaches; a target beyond is drawn at the border
BORDER = 1.35  # the distance of the border, in maximum reaches


class DrawnLimb(NamedTuple):
    """A limb as it is drawn: points in its plane, y up, divided by `bones.unit`."""

    bones: "DrawnBones"
    target: "DrawnTarget"
    joint: np.ndarray | None
    other: np.ndarray | None  # the joint of the other solution
    end: np.ndarray | None
    construction: "Construction"
    facts: "Facts"


class DrawnBones(NamedTuple):
    """The lengths of both bones, divided by `unit`."""

    unit: float
    r1: float
    r2: float
    factors: tuple  # the lengths as drawn, divided by r1 and r2

    @property
    def reach(self):
        """The maximum reach."""
        return self.r1 + self.r2

    @property
    def least_reach(self):
        """The minimum reach."""
        return abs(self.r1 - self.r2)


class DrawnTarget(NamedTuple):
    """Where the target is drawn."""

    point: np.ndarray | None  # None if the limb is invalid
    far: bool  # it is drawn at the border
    forward: np.ndarray  # the target direction


class Construction(NamedTuple):
    """The construction of the solution, as drawn.

    The circles are not those of the given bones and target where a policy moved the end or
    stretched the bones.
    """

    circles: tuple  # of (centre, radius), for r1 and, unless it is too far away, r2
    q: np.ndarray | None  # the foot point
    meets: bool  # the circles meet


class Facts(NamedTuple):
    """What the picture says in words; lengths are not scaled."""

    status: Status
    distance: float  # of the target from the root
    joint: np.ndarray
    missed: float  # distance of the end from the target
    in_space: bool


def look_at(target, r1, r2, side, pole, unreachable):
    """Solve one limb and return it in its plane, scaled."""
    target = np.asarray(arrays.as_array(arrays.NUMPY, "target", target), float)
    if target.shape not in ((2,), (3,)):
        came = str(target.shape) if target.shape else "a single number"
        raise ShapeError("target", "have shape (2,) or (3,)", target.shape, came)
    joint, end, status = solver.reach(target, r1, r2, side=side, pole=pole, unreachable=unreachable)
    for name, value in policies.parameters(policies.resolve(unreachable)).items():
        raise ShapeError(name, "be a number for one limb, as `r1` and `r2` are", np.shape(value))
    if np.shape(status):
        raise ShapeError("r1", "be one number, as `r2`, `side` and `pole` are", np.shape(status))
    side = float(side)
    other = solver.solve(target, r1, r2, side=-side, pole=pole, unreachable=unreachable)
    unit = unit_of([float(r1), float(r2)], target)
    with np.errstate(all="ignore"):
        points = [point / unit for point in (joint, other, end)]
        bones = [v / unit if is_length(v) else 0.0 for v in (float(r1), float(r2))]
        return _in_plane(target, points, unit, bones, side, Status(int(status)))


def _in_plane(target, points, unit, bones, side, status):
    """Return a limb in its plane; `points` and `bones` are divided by `unit` already."""
    distance, away, shrunk = _measure(target, unit)
    r1, r2 = bones
    forward = np.array([1.0, 0.0])
    if target.size == 3:
        points = _flatten(points, shrunk, side, max(r1, r2))
    elif np.any(shrunk) and status != Status.INVALID:
        forward = shrunk / np.hypot(*shrunk)
    size = r1 + r2 or 1.0
    far = not away <= FAR * size
    drawn = None if status == Status.INVALID else forward * (BORDER * size if far else away)
    lengths = DrawnBones(unit, r1, r2, _factors(points, r1, r2))
    missed = abs(distance - float(np.hypot(*points[2])) * unit)
    facts = Facts(status, distance, points[0] * unit, missed, target.size == 3)
    if far and drawn is not None:
        points = _drawn_back(points, away, FAR * size, BORDER * size)
    joint, other, end = (None if drawn is None else _kept(each, FAR * size) for each in points)
    shown = DrawnTarget(drawn, far, forward)
    return DrawnLimb(
        lengths, shown, joint, other, end, _construct(shown, (joint, end), bones), facts
    )


def unit_of(lengths, target):
    """Return the longest bone's length; if all are 0, the target's largest coordinate, or 1."""
    longest = max((v for v in lengths if is_length(v)), default=0.0)
    if longest > 0.0:
        return longest
    sizes = [abs(float(v)) for v in np.ravel(target) if np.isfinite(v)]
    return max(sizes, default=0.0) or 1.0


def is_length(v):
    """Return whether a number is a valid length of a bone."""
    return bool(np.isfinite(float(v)) and float(v) >= 0.0)


def _measure(target, unit):
    """Return the distance of a target, unscaled and scaled, and the target with largest part 1."""
    size = float(np.max(np.abs(target)))
    shrunk = target / size if size > 0.0 else target * 0.0
    length = float(np.hypot.reduce(shrunk))
    return size * length, size / unit * length, shrunk


def _flatten(points, shrunk, side, longest):
    """Return points in space as 2-D points: along the target direction, and towards the pole."""
    joint, _, end = points
    forward = shrunk if np.any(shrunk) else end
    size = np.hypot.reduce(forward)
    if not size > 0.0:  # the end is at the root, so there is no target direction
        tall = side * np.hypot.reduce(joint)
        return [np.array([0.0, tall]), np.array([0.0, -tall]), np.zeros(2)]
    forward = forward / size
    up = joint - forward * (joint @ forward)
    tall = np.hypot.reduce(up)
    up = up * (side / tall) if tall > 1e-12 * longest else up * 0.0
    return [np.array([point @ forward, point @ up]) for point in points]


def _factors(points, r1, r2):
    """Return the factors by which both bones are stretched, 1 if they are not."""
    joint, _, end = points
    drawn = ((np.hypot(*joint), r1), (np.hypot(*(end - joint)), r2))
    factors = [float(length / own) if own > 0.0 else 1.0 for length, own in drawn]
    return tuple(1.0 if abs(factor - 1.0) < 0.005 else factor for factor in factors)


def _drawn_back(points, away, most, border):
    """Shrink a stretched limb whose target is drawn at the border, so that it ends there."""
    if not np.hypot(*points[2]) > most:
        return points
    return [point / away * border for point in points]


def _kept(point, most):
    """Return a point that can be drawn, or None."""
    return point if np.hypot(*point) <= most else None


def _construct(target, points, bones):
    """Return the construction; `points` are joint and end.

    The circles of a bent limb go through its joint: if a policy moved the end, the second
    circle is around that end. The second circle of a straight limb is around the target, to
    show that the circles do not meet.
    """
    root, (joint, end), (r1, r2) = np.zeros(2), points, bones
    forward, least = target.forward, 1e-9 * (r1 + r2)
    if joint is not None and end is not None and _is_off(forward, joint, least):
        second = (end, float(np.hypot(*(joint - end))))
        circles, bent = ((root, float(np.hypot(*joint))), second), True
    elif target.point is None or target.far:
        return Construction(((root, r1),), None, False)
    else:
        circles, bent = ((root, r1), (target.point, r2)), False
    return Construction(circles, *_foot(circles, forward, bent))


def _is_off(forward, point, least):
    """Return whether a point is off the line through root and target."""
    return abs(point[0] * forward[1] - point[1] * forward[0]) > least


def _foot(circles, forward, bent):
    """Return the foot point, or None if it is too far to draw, and whether the circles meet."""
    (_, r1), (centre, r2) = circles
    away = float(centre @ forward)
    if away == 0.0:
        return (np.zeros(2), True) if bent else (None, False)
    along = 0.5 * away + 0.5 * (r1 - r2) * ((r1 + r2) / away)
    meets = bent or abs(r1 - r2) * (1.0 - 1e-12) <= away <= (r1 + r2) * (1.0 + 1e-12)
    near = abs(along) <= BORDER * (r1 + r2)
    return (forward * along, meets) if near else (None, False)


# --- the reachable range ------------------------------------------------------------------


class Annulus(NamedTuple):
    """The distances at which targets are reached under a policy, scaled like the limb."""

    inner: float
    outer: float
    edges: tuple  # other radii to draw: limits of the bones' reach, or of the end


TRIED = 2000  # distances at which a policy is tried


def annulus_of(r1, r2, unreachable, limb):
    """Return the annulus of targets that a policy reaches, or None if there is none.

    It is found by trying many distances, because the policy may be a user's own.
    """
    bones = limb.bones
    reach, least_reach = bones.reach, bones.least_reach
    if reach == 0.0 or not (is_length(r1) and is_length(r2)):
        return None
    if not policies.resolve(unreachable).fits:
        return Annulus(least_reach, reach, ())
    most = 1.5 * reach
    radii = np.concatenate([[1e-9 * reach], np.linspace(0.0, most, TRIED + 1)[1:]])
    targets = np.stack([radii, 0.0 * radii], axis=-1)
    _, end, status = solver.reach(targets, bones.r1, bones.r2, unreachable=unreachable)
    met = radii[np.isin(status, (Status.REACHED, Status.AMBIGUOUS))]
    slack = 1.5 * most / TRIED
    inner = _snap(np.min(met, initial=reach), least_reach, slack)
    outer = max(_snap(np.max(met, initial=0.0), reach, slack), inner)
    stops = np.hypot(end[:, 0], end[:, 1])
    edges = {edge for edge in (stops[0], least_reach) if abs(edge - inner) > slack}
    edges |= {edge for edge in (stops[-1], reach) if abs(edge - outer) > slack}
    return Annulus(inner, outer, _distinct(edges, slack))


def _snap(v, to, slack):
    return to if abs(v - to) <= slack else float(v)


def _distinct(radii, slack):
    """Return radii in increasing order, without near duplicates."""
    kept = []
    for radius in sorted(float(v) for v in radii):
        if radius > slack and (not kept or radius - kept[-1] > slack):
            kept.append(radius)
    return tuple(kept)
