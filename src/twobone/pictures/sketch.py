"""One limb as it is drawn: solved, in its plane, in units of its longest bone."""

from typing import NamedTuple

import numpy as np

from twobone.core import policies, solver
from twobone.core.policies import Status
from twobone.errors import ShapeError

FAR = 1.75  # a target beyond this many full reaches stands at the border
BORDER = 1.35  # ... and there the border is


class Limb(NamedTuple):
    """A limb as it is drawn: points in its plane, y up, in units of `unit`."""

    unit: float
    r1: float
    r2: float
    target: np.ndarray | None  # where it is drawn; None if the limb is invalid
    distance: float  # of the target, in the reader's units
    far: bool  # too far away to be drawn where it is
    forward: np.ndarray  # unit vector towards the target
    joint: np.ndarray | None
    other: np.ndarray | None
    end: np.ndarray | None
    status: Status
    in_space: bool
    factors: tuple  # by which the bones are longer than r1 and r2
    place: np.ndarray  # of the joint, in the reader's units
    missed: float  # how far the end stays from the target, in the reader's units
    # What the circles are drawn with: the policy may have moved the end or lengthened bones.
    circles: tuple  # of (centre, radius), for r1 and, unless it is too far away, r2
    q: np.ndarray | None  # the foot point
    meets: bool  # the circles meet

    @property
    def reach(self):
        """Full reach."""
        return self.r1 + self.r2

    @property
    def fold(self):
        """How near to the root the limb can get."""
        return abs(self.r1 - self.r2)


def look_at(target, r1, r2, side, pole, unreachable):
    """Solve one limb and bring it into its plane."""
    target = np.asarray(target, float)
    if target.shape not in ((2,), (3,)):
        raise ShapeError("target", "have shape (2,) or (3,)", target.shape)
    joint, end, status = solver.reach(target, r1, r2, side=side, pole=pole, unreachable=unreachable)
    if np.shape(status):
        raise ShapeError("r1", "be one number, as `r2`, `side` and `pole` are", np.shape(status))
    side = float(side)
    other = solver.solve(target, r1, r2, side=-side, pole=pole, unreachable=unreachable)
    unit = unit_of([float(r1), float(r2)], target)
    with np.errstate(all="ignore"):
        points = [point / unit for point in (joint, other, end)]
        return _in_plane(target, points, unit, float(r1), float(r2), side, Status(int(status)))


def _in_plane(target, points, unit, r1, r2, side, status):
    distance, away, shrunk = _measure(target, unit)
    r1, r2 = (v / unit if is_length(v) else 0.0 for v in (r1, r2))
    forward = np.array([1.0, 0.0])
    if target.size == 3:
        points = _flatten(points, shrunk, side, max(r1, r2))
    elif np.any(shrunk) and status != Status.INVALID:
        forward = shrunk / np.hypot(*shrunk)
    size = r1 + r2 or 1.0
    far = not away <= FAR * size
    drawn = None if status == Status.INVALID else forward * (BORDER * size if far else away)
    factors, place = _factors(points, r1, r2), points[0] * unit
    missed = abs(distance - float(np.hypot(*points[2])) * unit)
    if far and drawn is not None:
        points = _drawn_back(points, away, FAR * size, BORDER * size)
    joint, other, end = (None if drawn is None else _kept(each, FAR * size) for each in points)
    circles, bent = _circles(drawn, joint, end, forward, r1, r2, far)
    q, meets = _foot(circles, forward, bent)
    return Limb(
        unit=unit,
        r1=r1,
        r2=r2,
        target=drawn,
        distance=distance,
        far=far,
        forward=forward,
        joint=joint,
        other=other,
        end=end,
        status=status,
        in_space=target.size == 3,
        factors=factors,
        place=place,
        missed=missed,
        circles=circles,
        q=q,
        meets=meets,
    )


def unit_of(lengths, target):
    """Return the longest bone, or where there is none the size of the target, or 1."""
    longest = max((v for v in lengths if is_length(v)), default=0.0)
    if longest > 0.0:
        return longest
    sizes = [abs(float(v)) for v in np.ravel(target) if np.isfinite(v)]
    return max(sizes, default=0.0) or 1.0


def is_length(v):
    """Say whether a bone can be that long."""
    return bool(np.isfinite(float(v)) and float(v) >= 0.0)


def _measure(target, unit):
    """Return the distance of a target, the same in units, and the target shrunk to size 1."""
    size = float(np.max(np.abs(target)))
    shrunk = target / size if size > 0.0 else target * 0.0
    length = float(np.hypot.reduce(shrunk))
    return size * length, size / unit * length, shrunk


def _flatten(points, shrunk, side, longest):
    """Return points in space as (along the way, across it towards the pole)."""
    joint, _, end = points
    forward = shrunk if np.any(shrunk) else end
    size = np.hypot.reduce(forward)
    if not size > 0.0:  # the end is back at the root: only how far across is known
        tall = side * np.hypot.reduce(joint)
        return [np.array([0.0, tall]), np.array([0.0, -tall]), np.zeros(2)]
    forward = forward / size
    up = joint - forward * (joint @ forward)
    tall = np.hypot.reduce(up)
    up = up * (side / tall) if tall > 1e-12 * longest else up * 0.0
    return [np.array([point @ forward, point @ up]) for point in points]


def _factors(points, r1, r2):
    """Return by how much both bones give, 1 where they do not."""
    joint, _, end = points
    drawn = ((np.hypot(*joint), r1), (np.hypot(*(end - joint)), r2))
    factors = [float(length / own) if own > 0.0 else 1.0 for length, own in drawn]
    return tuple(1.0 if abs(factor - 1.0) < 0.005 else factor for factor in factors)


def _drawn_back(points, away, most, border):
    """Shrink a straight limb that ends on a target far away, as the way to the target is."""
    if not np.hypot(*points[2]) > most:
        return points
    return [point / away * border for point in points]


def _kept(point, most):
    """Return a point that can be drawn, or None."""
    return point if np.hypot(*point) <= most else None


def _circles(target, joint, end, forward, r1, r2, far):
    """Return both circles, and whether the limb bends; a bent limb shows its own construction.

    Where a policy put the end of a bent limb elsewhere, the second circle is around that end;
    where the limb is straight it stays around the target, to show that the circles miss.
    """
    root = np.zeros(2)
    if joint is not None and end is not None and _is_off(forward, joint, 1e-9 * (r1 + r2)):
        second = (end, float(np.hypot(*(joint - end))))
        return ((root, float(np.hypot(*joint))), second), True
    if target is None or far:
        return ((root, r1),), False
    return ((root, r1), (target, r2)), False


def _is_off(forward, point, least):
    """Say whether a point is off the way."""
    return abs(point[0] * forward[1] - point[1] * forward[0]) > least


def _foot(circles, forward, bent):
    """Return the foot point where it is near enough to be drawn, and whether the circles meet."""
    if len(circles) < 2:
        return None, False
    (_, r1), (centre, r2) = circles
    away = float(centre @ forward)
    if away == 0.0:
        return (np.zeros(2), True) if bent else (None, False)
    along = 0.5 * away + 0.5 * (r1 - r2) * ((r1 + r2) / away)
    meets = bent or abs(r1 - r2) * (1.0 - 1e-12) <= away <= (r1 + r2) * (1.0 + 1e-12)
    near = abs(along) <= BORDER * (r1 + r2)
    return (forward * along, meets) if near else (None, False)


# --- the ring -----------------------------------------------------------------------------


class Ring(NamedTuple):
    """From where to where targets are met, and the edges at which the end stops; in units."""

    inner: float
    outer: float
    edges: tuple  # radii other than those two


TRIED = 2000  # distances at which a policy is asked


def ring_of(r1, r2, unreachable, limb):
    """Ask the policy where targets are met: it may be one of the reader's own."""
    reach, fold = limb.reach, limb.fold
    if reach == 0.0 or not (is_length(r1) and is_length(r2)):
        return None
    if not policies.resolve(unreachable).fits:
        return Ring(fold, reach, ())
    most = 1.5 * reach
    radii = np.concatenate([[1e-9 * reach], np.linspace(0.0, most, TRIED + 1)[1:]])
    targets = np.stack([radii, 0.0 * radii], axis=-1)
    _, end, status = solver.reach(targets, limb.r1, limb.r2, unreachable=unreachable)
    met = radii[np.isin(status, (Status.REACHED, Status.AMBIGUOUS))]
    slack = 1.5 * most / TRIED
    inner = _snap(np.min(met, initial=reach), fold, slack)
    outer = max(_snap(np.max(met, initial=0.0), reach, slack), inner)
    stops = np.hypot(end[:, 0], end[:, 1])
    edges = {edge for edge in (stops[0], fold) if abs(edge - inner) > slack}
    edges |= {edge for edge in (stops[-1], reach) if abs(edge - outer) > slack}
    return Ring(inner, outer, _distinct(edges, slack))


def _snap(v, to, slack):
    return to if abs(v - to) <= slack else float(v)


def _distinct(radii, slack):
    """Return radii in order, none twice."""
    kept = []
    for radius in sorted(float(v) for v in radii):
        if radius > slack and (not kept or radius - kept[-1] > slack):
            kept.append(radius)
    return tuple(kept)
