"""The shape of an animal: its parts and the radii of its legs, as `creature.Appearance` has them.

Models (`model.py`), films (`scene.py`), SVG pictures (`walking.py`) and the page share it. A
recording without a description is drawn with a plain body and head around its hips.
"""

from typing import NamedTuple

import numpy as np

from twobone.creature.animals import ROUND, body_size
from twobone.creature.appearance import (
    MOST,
    Appearance,
    Capsule,
    Ellipsoid,
    Hock,
    LegRadii,
    fault_of,
    from_rows,
    is_hock,
    radii_of,
)
from twobone.creature.appearance import hocks_of as hocks_of_legs
from twobone.creature.contacts import latest, touch_downs
from twobone.errors import FileError
from twobone.pictures import theme, trunk
from twobone.rotations import multiply, rotate, rotation_vector_to_quaternion, slerp

COLOURS = {
    "body": "#3B4252",
    "light": "#7C8798",
    "accent": theme.JOINT.light,
    "joints": "#5B6678",
    "thighs": theme.FIRST.dark,
    "shins": theme.SECOND.dark,
    "feet": theme.JOINT.light,
}
GROUND = "#C9C4B8"
# Radii, in multiples of the length of the longest leg; those of legs are in `LegRadii`.
FOOT = LegRadii().foot  # of marks around feet
KNEE = LegRadii().knee
# How thick a thigh is at the knee, in multiples of the shin there: where two surfaces that are made
# of triangles coincide, pixels of both show.
KNEECAP = 1.06
SOLE = 0.6  # how far up the shin the centre of a foot's ball is, in multiples of its radius
STILL = np.array([0.0, 0.0, 0.0, 1.0])


class Figure(NamedTuple):
    """The parts of an animal, their pivots and the radii of its legs, as lengths."""

    parts: tuple  # of `Ellipsoid` and `Capsule`, relative to the pivot of their node
    pivots: dict  # (3) for each node but the foot, in the body's space
    legs: tuple  # of `LegRadii`, one for each leg
    leg: float  # the length of the longest leg
    hocks: tuple = ()  # of `Hock`, one for each leg, or None where it is not bent

    def of(self, *nodes):
        """Return the parts of some nodes."""
        return [part for part in self.parts if part.node in nodes]


def make_figure(appearance, radii, leg, hocks):
    """Return the figure of an appearance.

    Parameters
    ----------
    appearance : Appearance
    radii : sequence of LegRadii, or of their numbers
        One for each leg.
    leg : float
        The length of the longest leg.
    hocks : sequence of Hock or None
        One for each leg; None where it is not bent at a hock.
    """
    pivots = {
        "body": np.zeros(3),
        "head": leg * np.array(appearance.head),
        "tail": leg * np.array(appearance.tail),
    }
    parts = tuple(_scaled(part, leg, pivots) for part in appearance.parts)
    legs = tuple(LegRadii(*(leg * np.array(row, np.float64)).tolist()) for row in radii)
    return Figure(parts, pivots, legs, leg, tuple(_scaled_hock(hock, leg) for hock in hocks))


def _scaled_hock(hock, leg):
    return hock and hock._replace(radius=leg * hock.radius, heel=leg * hock.heel)


def _scaled(part, leg, pivots):
    pivot = pivots.get(part.node, np.zeros(3))
    if isinstance(part, Capsule):
        start, end = (leg * np.array(point) - pivot for point in (part.start, part.end))
        return part._replace(start=start, end=end, radii=tuple(leg * r for r in part.radii))
    centre, half = leg * np.array(part.centre) - pivot, leg * np.array(part.half)
    return part._replace(centre=centre, half=half)


def part_in_body(figure, part):
    """Return a part in the body's space, or the foot's, in which neither head nor tail rotates."""
    pivot = figure.pivots.get(part.node, np.zeros(3))
    if isinstance(part, Capsule):
        return part._replace(start=part.start + pivot, end=part.end + pivot)
    return part._replace(centre=part.centre + pivot)


def figure_of_animal(animal):
    """Return the figure of a `creature.Animal`, validated or not."""
    legs = animal.legs
    leg = float(np.max(np.sum(legs.bones, axis=1)))
    appearance = animal.appearance or plain(legs.hips, leg)
    count = len(legs.hips)
    hocks = bent_hocks(hocks_of_legs(appearance, count))
    return make_figure(appearance, radii_of(appearance, count), leg, hocks)


def figure_of(recording, hips, leg):
    """Return the figure of a recording.

    Parameters
    ----------
    recording : Recording
        Must be finite.
    hips : array, shape (..., 3)
        Its hips in the body's space, for a plain body.
    leg : float
        The length of the longest leg.

    Raises
    ------
    FileError
        If its description of the body is invalid.
    """
    hocks, bend = hocks_of(recording), recording.body_bend
    if bend is not None and not np.all(np.abs(bend) * leg ** np.arange(4) <= MOST * leg):
        wanted = f"a trunk that is bent by at most {MOST:g} lengths of a leg within one"
        raise FileError("the recording", wanted, "a larger bend", field="body_bend")
    if recording.body_parts is None:
        return make_figure(plain(hips, leg), [LegRadii()] * len(recording.bones), leg, hocks)
    appearance, radii = from_rows(recording.body_parts, recording.body_pivots), recording.leg_radii
    fault = fault_of(appearance)
    if fault:
        wanted = f"`{fault.field}` to {fault.wanted}"
        raise FileError("the recording", wanted, fault.came, field="body_parts")
    if not np.all((radii >= 0.0) & (radii <= MOST)):
        came = radii[(radii < 0.0) | (radii > MOST)].flat[0]
        raise FileError("the recording", f"radii from 0 to {MOST:g}", came, field="leg_radii")
    return make_figure(appearance, radii, leg, hocks)


def hocks_of(recording):
    """Return the hock of each leg of a recording, or None where it is not bent.

    Raises
    ------
    FileError
        If its hocks are invalid.
    """
    if recording.leg_hocks is None:
        return [None] * len(recording.bones)
    for row in recording.leg_hocks:
        if not is_hock(row):
            wanted = f"2 numbers from 0 to 1 and 2 from 0 to {MOST:g} for each leg"
            came = ", ".join(f"{value:g}" for value in row)
            raise FileError("the recording", wanted, came, field="leg_hocks")
    return bent_hocks(Hock(*row) for row in recording.leg_hocks.tolist())


def bent_hocks(hocks):
    """Return hocks, with None for those at which a leg is not bent."""
    return [hock if hock.behind > 0.0 else None for hock in hocks]


def plain(hips, leg):
    """Return a plain body around hips, with a head and eyes that show its front.

    Parameters
    ----------
    hips : array, shape (..., 3)
        The hips in the body's space, in one frame or all frames.
    leg : float
        The length of the longest leg.
    """
    hips = np.reshape(hips, (-1, 3))
    low, high = hips.min(axis=0), hips.max(axis=0)
    centre, half = (low + high) / 2 / leg, body_size(hips, leg) / 2 / leg
    head = np.array([0.5, 0.5, 0.5]) * min(half[0], half[1] * 1.6)
    place = centre + np.array([0.0, 0.25 * half[1], half[2] + 0.3 * head[2]])
    parts = [
        Ellipsoid("body", centre, half, ROUND),
        Ellipsoid("joints", centre + half * [0.0, 0.34, -0.1], half * [0.72, 0.74, 0.8], 3.0),
        Ellipsoid("accent", place, head, node="head"),
    ]
    for side in (1.0, -1.0):
        eye = place + head * [0.55 * side, 0.42, 0.62]
        parts.append(Ellipsoid("body", eye, np.full(3, 0.26 * head[0]), node="head"))
    return Appearance(tuple(parts), head=tuple(centre + half * [0.0, 0.0, 1.0]))


# --- poses --------------------------------------------------------------------------------


def rotations_of(figure, recording, rotations):
    """Return the rotations of all nodes in the world, by name; of feet only if they have parts.

    `rotations` are those of the body, normalized.
    """
    found = node_rotations(figure, recording, rotations)
    return found | ({"foot": foot_rotations(recording, rotations)} if figure.of("foot") else {})


def node_rotations(figure, recording, rotations):
    """Return the rotations of body, head and tail in the world, each (T, 4), by name.

    `rotations` are those of the body, normalized.
    """
    found = {"body": rotations}
    for node in ("head", "tail"):
        own, turn = getattr(recording, f"{node}_rotation"), rotations
        if recording.body_bend is not None:
            _, pitch = trunk.carried(recording.body_bend, figure.pivots[node][2])
            turn = multiply(turn, pitch)
        found[node] = turn if own is None else multiply(turn, unit_rotations(own))
    return found


def foot_rotations(recording, rotations):
    """Return the rotations of feet in the world, (T, L, 4).

    If the recording does not have them, a foot in stance keeps the rotation that the body had when
    it landed, and in swing it rotates to that of its next stance.
    """
    if recording.foot_rotation is not None:
        return unit_rotations(recording.foot_rotation)
    stance, frames = recording.stance, np.arange(len(recording.time))[:, None]
    legs = np.arange(stance.shape[1])
    last = latest(stance)  # of all frames: the last one in stance, the first one coming
    coming = np.minimum.accumulate(np.where(stance, frames, frames[-1])[::-1], axis=0)[::-1]
    held = rotations[latest(touch_downs(stance))]
    share = (frames - last) / np.maximum(coming - last, 1)
    share = share * share * (3.0 - 2.0 * share)
    return slerp(held[last, legs], held[coming, legs], share)


def turn_of(part):
    """Return the rotation of an ellipsoid in its node's space."""
    return rotation_vector_to_quaternion(np.array(part.turn, np.float64))


def unit_rotations(rotations):
    """Normalize quaternions without overflow; a zero quaternion becomes the identity."""
    largest = np.max(np.abs(rotations), axis=-1, keepdims=True)
    found = np.where(largest > 0.0, rotations / np.where(largest > 0.0, largest, 1.0), STILL)
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


def hips_in_body(recording, rotations, most=np.inf):
    """Return the hips in the body's space, (T, L, 3), limited to a distance."""
    back = rotations * [-1.0, -1.0, -1.0, 1.0]
    hips = rotate(back[:, None], recording.hips - recording.body_position[:, None])
    return np.clip(hips, -most, most)


# --- outlines -----------------------------------------------------------------------------


class Pose(NamedTuple):
    """An animal in one frame."""

    places: dict  # for each node, the places (3) and rotations (4) at which its parts are
    bend: np.ndarray | None  # (4), of the trunk, as in `Recording`; None if it is stiff
    hips: np.ndarray  # (L, 3)
    knees: np.ndarray
    feet: np.ndarray

    def places_of(self, part):
        """Return the places (3) and rotations (4) of the space in which a part is given."""
        places = self.places[part.node]
        if self.bend is None or part.node != "body":
            return places
        offset, turn = trunk.moved(self.bend, along_of(part))
        return [(at + rotate(body, offset), multiply(body, turn)) for at, body in places]


def along_of(part):
    """Return how far forward the middle of a part is, in its space."""
    middle = 0.5 * np.add(part.start, part.end) if isinstance(part, Capsule) else part.centre
    return float(np.asarray(middle)[2])


def pose_of(figure, recording, rotations, frame):
    """Return the pose of a recording in one frame; `rotations` are as from `rotations_of`."""
    body, bend = rotations["body"][frame], recording.body_bend
    bend = None if bend is None else bend[frame]
    places = {}
    for node, pivot in figure.pivots.items():
        if bend is not None and node != "body":
            pivot = pivot + trunk.carried(bend, pivot[2])[0] * trunk.UP
        at = recording.body_position[frame] + rotate(body, pivot)
        places[node] = [(at, rotations[node][frame])]
    feet = recording.feet[frame]
    if "foot" in rotations:
        places["foot"] = list(zip(feet, rotations["foot"][frame], strict=True))
    return Pose(places, bend, recording.hips[frame], recording.knees[frame], feet)


def outline(part, place, rotation, axes, count=24):
    """Return the outline of a part seen along a direction.

    Parameters
    ----------
    part : Ellipsoid or Capsule
    place, rotation : array, shape (3) and (4)
        Of its node in the world.
    axes : array, shape (2, 3)
        The directions to the right and up on the page; orthonormal.
    count : int

    Returns
    -------
    array, shape (count, 2)
        Points along `axes`, counter-clockwise.
    """
    angles = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    flat = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    if isinstance(part, Capsule):
        start, end = (place + rotate(rotation, np.stack([part.start, part.end]))) @ axes.T
        return capsule_outline(start, end, part.radii, flat)
    turn = multiply(rotation, turn_of(part))
    # The farthest point of the surface in each direction, from the gradient of |x/a|^p + ...
    ahead = rotate(turn * [-1.0, -1.0, -1.0, 1.0], flat @ axes) * part.half
    power = max(part.power, 1.05)
    steep = np.abs(ahead) ** (power / (power - 1.0))
    sizes = np.sum(steep, axis=-1, keepdims=True) ** (1.0 / power)
    points = np.sign(ahead) * np.abs(ahead) ** (1.0 / (power - 1.0)) / sizes * part.half
    return (place + rotate(turn, points) + rotate(rotation, part.centre)) @ axes.T


def capsule_outline(start, end, radii, flat):
    """Return the outline of two discs; `flat` are the directions of its points."""
    farther = end @ flat.T + radii[1] > start @ flat.T + radii[0]
    radius = np.where(farther, radii[1], radii[0])[:, None]
    return np.where(farther[:, None], end, start) + radius * flat
