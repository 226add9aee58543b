"""Hocks: where the drawn second bones of legs are bent; and the planes of legs.

The two bones of a leg are solved, from hip to knee and from knee to foot. In a leg with a hock the
second one is drawn as two, shin and metatarsus, which keep their angle to each other.
"""

import numpy as np

from twobone.rotations import frame, multiply, rotate

STRAIGHT = 1e-6  # sine of the knee's angle below which a leg counts as straight
HALF_TURN = np.sqrt([0.5, 0.5, 0.0, 0.0])  # swaps +x and +y


def hock_points(hocks, recording, rotations):
    """Return the places of hocks in the world, (T, L, 3); those of feet where a leg has none.

    Parameters
    ----------
    hocks : sequence of Hock or None
        One for each leg.
    recording : Recording
    rotations : array, shape (T, 4)
        Those of the body, normalized.
    """
    bent = [leg for leg, hock in enumerate(hocks) if hock]
    if not bent:
        return recording.feet
    knees = recording.knees[:, bent]
    shins = recording.feet[:, bent] - knees
    back = (rotations * [-1.0, -1.0, -1.0, 1.0])[:, None]
    second = rotate(back, shins)
    turns = along(second, leg_normals(rotate(back, knees - recording.hips[:, bent]), second))
    sizes = np.linalg.norm(shins, axis=-1, keepdims=True)
    offsets = sizes * np.stack([bones_below(hocks[leg])[0] for leg in bent])
    found = recording.feet.copy()
    found[:, bent] = knees + rotate(rotations[:, None], rotate(turns, offsets))
    return found


def bones_below(hock):
    """Return shin and metatarsus as if the second bone were +y, (2, 3); the second is 0 if none."""
    if not hock:
        return np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    return np.array([[0.0, hock.along, hock.behind], [0.0, 1.0 - hock.along, -hock.behind]])


def lengths_below(hock):
    """Return the lengths of shin and metatarsus, in lengths of the second bone, (2)."""
    return np.linalg.norm(bones_below(hock), axis=-1)


def upwards(points, bend, leg):
    """Return the unit vector along the lowest part of a drawn leg, nearly 0 if it has no length.

    Parameters
    ----------
    points : sequence of arrays, shape (3) or (2)
        Knee, hock and foot, in space or on a page.
    bend : Hock or None
    leg : float
        The length of the longest leg.
    """
    knee, hock, foot = points
    bone = (hock if bend else knee) - foot
    return bone / max(float(np.linalg.norm(bone)), 1e-9 * leg)


def cones_below(points, radii, bend, leg):
    """Return the start, the end and the radii of each cone of a leg below the knee.

    Parameters
    ----------
    points, bend, leg
        As for `upwards`; the radius and the heel of the hock are lengths.
    radii : LegRadii
        As lengths.
    """
    knee, hock, foot = points
    up = upwards(points, bend, leg)
    ankle = foot + radii.ankle * up
    if not bend:
        return [(knee, ankle, (radii.knee, radii.ankle))]
    shin = knee, hock, (radii.knee, bend.radius)
    metatarsus = hock + bend.heel * up, ankle, (bend.radius, radii.ankle)
    return [shin, metatarsus]


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
