"""Legs as they are drawn: the cones of their segments, and the planes of their first two bones."""

import numpy as np

from twobone.pictures import figure
from twobone.rotations import frame, multiply

STRAIGHT = 1e-6  # sine of the knee's angle below which a leg counts as straight
HALF_TURN = np.sqrt([0.5, 0.5, 0.0, 0.0])  # swaps +x and +y
IN_LINE = 0.3  # sine of the ankle's angle below which its way backwards is uncertain


def points_of(recording, number):
    """Return the hip, the knee, the ankle and the foot of each leg in a frame or frames.

    The shape is (L, 4, 3), with the axis of frames, if any, in front.
    """
    parts = recording.hips, recording.knees, recording.ankles, recording.feet
    return np.stack([part[number] for part in parts], axis=-2)


def has_ankle(bones):
    """Return which legs have a third segment, from the lengths of bones (L, 3)."""
    return bones[:, 2] > 0.0


def upwards(points, leg):
    """Return the unit vector along the lowest segment of a leg, nearly 0 if it has no length.

    Parameters
    ----------
    points : array, shape (4, 3) or (4, 2)
        Hip, knee, ankle and foot, in space or on a page; without a third segment, the ankle is the
        foot.
    leg : float
        The length of the longest leg.
    """
    _, knee, ankle, foot = points
    bone = ankle - foot
    bone = bone if np.any(bone) else knee - foot
    return bone / max(float(np.linalg.norm(bone)), 1e-9 * leg)


def backwards(points, leg):
    """Return the unit vector across the lowest segment of a leg, in its plane, away from the knee.

    It becomes shorter where that segment is seen, or is, almost in line with the shin.
    """
    _, knee, ankle, _ = points
    up, shin = upwards(points, leg), ankle - knee
    across = shin - np.dot(shin, up) * up
    least = max(IN_LINE * float(np.linalg.norm(shin)), 1e-9 * leg)
    return across / max(float(np.linalg.norm(across)), least)


def cones_of(points, radii, bent, leg):
    """Return the paint, the start, the end and the radii of each cone of a leg, from the hip on.

    Parameters
    ----------
    points, leg
        As for `upwards`.
    radii : LegRadii
        As lengths.
    bent : bool
        Whether the leg has a third segment.
    """
    hip, knee, ankle, foot = points
    up = upwards(points, leg)
    tip = foot + radii.tip * up  # its round end touches the ground
    thigh = "thighs", hip, knee, (radii.hip, figure.KNEECAP * radii.knee)
    if not bent:
        return [thigh, ("shins", knee, tip, (radii.knee, radii.tip))]
    shin = "shins", knee, ankle, (radii.knee, radii.ankle)
    ends = figure.KNEECAP * radii.ankle, radii.tip
    heel = ankle + radii.heel * up + radii.under * backwards(points, leg)
    return [thigh, shin, ("metatarsi", heel, tip, ends)]


def balls_of(points, radii, leg):
    """Return the paint, the place and the radius of each ball of a leg, without those of radius 0.

    The parameters are those of `cones_of`.
    """
    hip, knee, _, foot = points
    sole = foot + figure.SOLE * radii.foot * upwards(points, leg)
    balls = (
        ("joints", hip, radii.joint),
        ("joints", knee, radii.joint),
        ("feet", sole, radii.foot),
    )
    return [ball for ball in balls if ball[2] > 0.0]


# --- planes of legs -----------------------------------------------------------------------


def along(bone, normal):
    """Return the rotation with +y along a bone and +x along the normal of the leg's plane.

    +z is then the side away from the knee.
    """
    return multiply(frame(bone, normal), HALF_TURN)


def leg_normals(first, second):
    """Return normals of the legs' planes that change continuously, from bones in body space.

    A straight leg keeps its last normal, or else takes the first one to come; a leg that is never
    bent has the normal +x, as if its knee were in front. A leg that bends to the other side keeps
    its normal too, and the angle of its hinge changes sign.
    """
    normals = np.cross(first, second)
    sizes = np.linalg.norm(normals, axis=-1)
    bent = sizes > STRAIGHT * np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    frames = np.where(bent, np.arange(len(bent))[:, None], -1)
    last = np.maximum.accumulate(frames, axis=0)
    last = np.where(last < 0, np.argmax(bent, axis=0), last)
    normals = normals / np.where(bent, sizes, 1.0)[..., None]
    normals = without_flips(np.take_along_axis(normals, last[..., None], axis=0))
    return np.where(np.any(bent, axis=0)[:, None], normals, [1.0, 0.0, 0.0])


def without_flips(vectors):
    """Negate vectors, or quaternions, that point away from the one before."""
    dots = np.sum(vectors[1:] * vectors[:-1], axis=-1, keepdims=True)
    signs = np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=0)
    return np.concatenate([vectors[:1], vectors[1:] * signs])
