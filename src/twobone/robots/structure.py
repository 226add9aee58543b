"""Structure: which axes of a chain meet, are parallel or square, and which closed form that gives.

A limb with six joints has a closed form here if three axes at one end meet in a point, as those of
a hip or of a wrist do, and the other three joints can bring that point to a target by two bones; or
if three axes in the middle are parallel, and the last two meet. A limb may be read from its base or
from its tip: read from the tip, a humanoid's leg is an arm whose wrist is the hip. With seven
joints, three axes meet at both ends, or one joint at an end is given and six remain.

Everything here happens once for each limb, in Python floats.
"""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any, NamedTuple

from twobone.core.vectors import cross, minus, times
from twobone.errors import RobotError
from twobone.robots.chain import Chain, Vector, dot, length, total

MEETS = 1e-4  # of the limb's length, by which axes may miss a point in which they should meet
SQUARE = 1e-4  # radians by which axes may be not parallel or not square
CLOSE = 0.05  # of the length, or radians: what is off by more is not `approximate`
ALMOST = 0.03  # the same, for what is told about a chain
APART = 0.05  # sine of the least angle between axes that meet
THIN = 1e-6  # of the limb's length: shorter bones are none


class View(NamedTuple):
    """The axes of some joints of a chain, read from the base or from the tip.

    All vectors are those while all angles are 0, in axes parallel to those of the base.
    """

    numbers: tuple[int, ...]  # of the joints in the chain
    axes: tuple[Vector, ...]  # an angle rotates by the right-hand rule about these
    points: tuple[Vector, ...]  # one on each axis, from the base, or from the tip
    tip: Vector  # the same of the tip; read from the tip, of the base
    backwards: bool


class Need(NamedTuple):
    """What some axes of a view must do."""

    how: str  # "meet", "parallel" or "square"
    joints: tuple[int, ...]  # of the view


class Kind(NamedTuple):
    """A class of limbs, given by what its axes do."""

    name: str
    needs: tuple[Need, ...]


class Off(NamedTuple):
    """By how much axes miss what they need."""

    how: str
    names: tuple[str, ...]
    amount: float  # metres for axes that meet, otherwise radians
    size: float  # the same, in units of what is allowed


class Fit(NamedTuple):
    """A class, the view of a chain that has it, and by how much it is off."""

    kind: Kind
    view: View
    given: int | None  # the number of the joint whose angle must be given
    offs: tuple[Off, ...]

    @property
    def size(self) -> float:
        """How far the worst need is off, in units of what is allowed."""
        return max(off.size for off in self.offs)

    @property
    def gap(self) -> float:
        """By how many metres axes miss the points in which they should meet."""
        return max((off.amount for off in self.offs if off.how == "meet"), default=0.0)

    @property
    def skew(self) -> float:
        """By how many radians axes are not parallel or not square."""
        return max((off.amount for off in self.offs if off.how != "meet"), default=0.0)


WRIST = Need("meet", (3, 4, 5))
LEG = Kind("leg", (WRIST, Need("parallel", (1, 2)), Need("square", (0, 1))))
CROSSED = Kind("crossed", (WRIST, Need("meet", (0, 1))))
LATE = Kind("late", (WRIST, Need("meet", (1, 2))))
PARALLEL = Kind("parallel", (Need("parallel", (1, 2, 3)), Need("meet", (4, 5))))
SWIVEL = Kind("swivel", (Need("meet", (0, 1, 2)), Need("meet", (4, 5, 6))))
SIX = (LEG, CROSSED, LATE, PARALLEL)
COUNTS = (6, 7)


def fit_of(chain: Chain, approximate=False) -> Fit:
    """Return the class of a chain of six or seven joints.

    Raises
    ------
    RobotError
        If it has none: the message says what is there, and what is missing.
    """
    fits = all_fits(chain)
    good = [fit for fit in fits if fit.size <= 1.0]
    if good:
        return good[0]
    best = min(fits, key=lambda fit: fit.size, default=None)
    if best is not None and approximate and _is_close(chain, best):
        return best
    offs = () if best is None else tuple(off for off in best.offs if off.size > 1.0)
    axes = tuple(
        (off.names[0], off.names[-1], _word(off.how), off.amount)
        for off in offs
        if off.how != "meet"
    )
    told = functools.partial(_refused, chain, best, offs, approximate)
    raise RobotError(told, tip=chain.tip, axes=axes)


def all_fits(chain):
    """Return the fits of all classes of a chain with six or seven joints, the preferred ones first.

    Classes whose axes cannot meet because they are parallel are left out.
    """
    count = len(chain.joints)
    if count == 6:
        wanted = [(kind, range(6), back, None) for back in (False, True) for kind in SIX]
    else:
        wanted = [(SWIVEL, range(7), False, None)]
        for back in (True, False):
            wanted += [(kind, range(6), back, 6) for kind in SIX]
            wanted += [(kind, range(1, 7), back, 0) for kind in SIX]
    known = {}  # what has been measured
    found = (
        _fit(chain, kind, view_of(chain, numbers, backwards), given, known)
        for kind, numbers, backwards, given in wanted
    )
    return [fit for fit in found if fit is not None]


def view_of(chain, numbers, backwards):
    """Return the view of some joints of a chain."""
    points = [total(chain.offsets[: i + 1]) for i in numbers]
    axes = [snapped(chain.joints[i].axis) for i in numbers]
    tip = total(chain.offsets)
    if not backwards:
        return View(tuple(numbers), tuple(axes), tuple(points), tip, False)
    axes = [tuple(-part + 0.0 for part in axis) for axis in reversed(axes)]
    points = [minus(point, tip) for point in reversed(points)]
    opposite = tuple(-part + 0.0 for part in tip)
    return View(tuple(numbers)[::-1], tuple(axes), tuple(points), opposite, True)


def snapped(v):
    """Return a coordinate axis if a vector equals it up to rounding."""
    if sorted(map(abs, v))[1] <= 2.0**-52:
        return tuple(float(round(part)) for part in v)
    return v


def _fit(chain, kind, view, given, known):
    size, offs = size_of(chain), []
    for need in kind.needs:
        at = need.how, tuple(view.numbers[i] for i in need.joints)
        if at not in known:
            known[at] = _off(chain, view, need, size)
        off = known[at]
        if off is None:
            return None
        offs.append(off)
    return Fit(kind, view, given, tuple(offs)) if _has_bones(view, kind, size) else None


def size_of(chain):
    """Return the sum of the distances from joint to joint, and to the tip."""
    return math.fsum(map(length, chain.offsets[1:]))


def _off(chain, view, need, size):
    names = tuple(chain.joints[view.numbers[i]].name for i in need.joints)
    axes = [view.axes[i] for i in need.joints]
    if need.how == "meet":
        if any(length(cross(a, b)) < APART for a, b in itertools.pairwise(axes)):
            return None
        amount = gap_of(axes, [view.points[i] for i in need.joints])
        return Off(need.how, names, amount, amount / (MEETS * size) if size else math.inf)
    amount = max(_angle(axes[0], other, need.how) for other in axes[1:])
    return Off(need.how, names, amount, amount / SQUARE)


def _angle(one, two, how):
    """Return by how many radians two unit axes are not parallel or not square."""
    sin, cos = length(cross(one, two)), abs(dot(one, two))
    return math.atan2(sin, cos) if how == "parallel" else math.atan2(cos, sin)


def meeting_point(axes, points):
    """Return the point nearest to some axes."""
    # The sum of the projections across each axis: a matrix and, beside it, what they do to points.
    rows = []
    for i in range(3):
        row = [math.fsum(float(i == j) - axis[i] * axis[j] for axis in axes) for j in range(3)]
        pairs = zip(axes, points, strict=True)
        right = math.fsum(point[i] - axis[i] * dot(axis, point) for axis, point in pairs)
        rows.append([*row, right])
    return _solved(rows)


def _solved(rows):
    """Return the solution of three linear equations, by elimination with pivots."""
    for i in range(3):
        best = max(range(i, 3), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for row in rows[i + 1 :]:
            factor = row[i] / rows[i][i]
            for j in range(i, 4):
                row[j] -= factor * rows[i][j]
    x = [0.0, 0.0, 0.0]
    for i in (2, 1, 0):
        left = rows[i][3] - sum(rows[i][j] * x[j] for j in range(i + 1, 3))
        x[i] = left / rows[i][i]
    return tuple(x)


def gap_of(axes, points):
    """Return the distance between two axes, or that of more from the point nearest to all."""
    at = meeting_point(axes, points)
    pairs = zip(axes, points, strict=True)
    away = max(length(cross(axis, minus(at, point))) for axis, point in pairs)
    return 2.0 * away if len(axes) == 2 else away


def from_axis(axis, point, at):
    """Return the vector from an axis to a point, perpendicular to the axis."""
    away = minus(at, point)
    return minus(away, times(dot(away, axis), axis))


def _has_bones(view, kind, size):
    """Return whether both bones have a length."""
    if kind == LEG:
        ends = [view.points[2], _wrist_of(view)]
        bones = [
            from_axis(view.axes[1], view.points[1], ends[0]),
            from_axis(view.axes[2], view.points[2], ends[1]),
        ]
    elif kind == PARALLEL:
        if length(cross(view.axes[0], view.axes[1])) < APART:
            return False
        bones = [from_axis(view.axes[i], view.points[i], view.points[i + 1]) for i in (1, 2)]
    elif kind == LATE:
        at = meeting_point(view.axes[1:3], view.points[1:3])
        bones = [from_axis(view.axes[0], view.points[0], at), minus(_wrist_of(view), at)]
    else:
        elbow = 3 if kind == SWIVEL else 2
        first = meeting_point(view.axes[:elbow], view.points[:elbow])
        last = meeting_point(view.axes[elbow + 1 :], view.points[elbow + 1 :])
        bones = [from_axis(view.axes[elbow], view.points[elbow], end) for end in (first, last)]
    return all(length(bone) > THIN * size for bone in bones)


def _wrist_of(view):
    return meeting_point(view.axes[3:6], view.points[3:6])


# --- words --------------------------------------------------------------------------------

HUMAN = {
    LEG: "three axes that meet at one end, and two parallel ones square to the axis at the other",
    CROSSED: "three axes that meet at one end, and two that meet at the other",
    LATE: "three axes that meet at one end, and the two beside them that meet",
    PARALLEL: "three parallel axes, and two that meet",
    SWIVEL: "three axes that meet at both ends",
}


def kind_in_words(fit):
    """Return what axes do in a class."""
    return HUMAN[fit.kind]


def _word(how):
    return {"meet": "meet", "parallel": "parallel", "square": "perpendicular"}[how]


def in_words(off):
    """Return by how much axes miss what they need."""
    names = listed(off.names)
    if off.how == "meet":
        return f"the axes of {names} must meet, and miss by {_metres(off.amount)}"
    degrees = f"{math.degrees(off.amount):.3g} degrees"
    return f"the axes of {names} must be {_word(off.how)}, and are off by {degrees}"


def listed(names):
    """Return names as parts of a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _metres(amount):
    return f"{amount * 1000.0:.3g} mm" if amount < 0.1 else f"{amount:.3g} m"


def _is_close(chain, fit):
    size = size_of(chain)
    return fit.gap <= CLOSE * size and fit.skew <= CLOSE


def _refused(chain, best, offs, approximate):
    names = ", ".join(joint.name for joint in chain.joints)
    told = f"{chain.tip}: {len(chain.joints)} joints from {chain.base} ({names})"
    there = facts(chain)
    told += f" of which {'; '.join(there)}." if there else " of which no axes meet or are parallel."
    if best is None:
        return f"{told} No class of limbs with a closed form is near."
    told += f" The closest class has {kind_in_words(best)}"
    told += "" if best.given is None else f", with {chain.joints[best.given].name} given"
    told += f": {'; '.join(map(in_words, offs))}."
    if _is_close(chain, best) and not approximate:
        told += " `approximate=True` solves this limb from the nearest limb of that class."
    return told


def facts(chain: Chain) -> list[str]:
    """Return what the axes of a chain do, as parts of a sentence."""
    view, size = view_of(chain, range(len(chain.joints)), False), size_of(chain)
    names = [joint.name for joint in chain.joints]
    found = []
    for how in ("meet", "parallel"):
        for start, stop in _runs(view, how, size):
            off: Any = _off(chain, view, Need(how, tuple(range(start, stop))), size)
            verb = "meet" if how == "meet" else "are parallel"
            exact = off.size <= 1.0
            much = (
                _metres(off.amount) if how == "meet" else f"{math.degrees(off.amount):.2g} degrees"
            )
            miss = "" if exact else f" but for {much}"
            found.append(f"{listed(names[start:stop])} {verb}{miss}")
    return found


def _runs(view, how, size):
    """Yield the longest runs of axes that all meet, or are parallel, at least almost."""
    count, last = len(view.axes), 0
    most = 3 if how == "meet" else count
    for start in range(count - 1):
        if how == "parallel" and start + 1 < last:
            continue  # these are parallel to those before, and so are those after them, or not
        stop = start + 1
        while stop < min(count, start + most) and _joins(view, how, start, stop, size):
            stop += 1
        if stop - start > 1 and stop > last:
            last = stop
            yield start, stop


def _joins(view, how, start, stop, size):
    """Return whether an axis does the same as the axes before it, from a first one on."""
    if how == "parallel":
        return _angle(view.axes[start], view.axes[stop], how) <= ALMOST
    axes, points = view.axes[start : stop + 1], view.points[start : stop + 1]
    if any(length(cross(a, b)) < APART for a, b in itertools.pairwise(axes)):
        return False
    return gap_of(axes, points) <= ALMOST * size
