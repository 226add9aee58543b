"""The mesh of a model, and which bones its vertices follow.

A vertex follows the bones on both sides of a joint, so that the mesh bends there smoothly: along
trunk, neck and tail, at shoulders and hips, and at the joints of legs.
"""

from typing import NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.files.recordings import Recording
from twobone.pictures import figure
from twobone.pictures.legs import has_ankle
from twobone.pictures.rig import SEGMENTS, Rig, child_of, way_of
from twobone.pictures.shapes import Shape, ball, capsule, part_shape, sides_of
from twobone.pictures.trunk import AHEAD
from twobone.rotations import quaternion_to_matrix, rotate, shortest_arc

BANDS = 8  # of triangles along what bends
MOST = 4  # bones that a vertex follows
WHOLE = 255  # sum of the weights of a vertex
ROUND = 1.5  # of its radius: how far from a joint of a leg the mesh bends
SHORT = 0.4  # of the length of a segment: the most of that
LINK = 0.3  # of the length of a link: how far from its ends the mesh bends
SHOULDER = 2.0  # radii of a thigh: how far from a hip the trunk follows the thigh, too
PULL = 0.5  # with which weight, at the hip


class Piece(NamedTuple):
    """A part of the mesh in the rest pose, in the world."""

    paint: str
    shape: Shape
    weights: dict[int, NDArray[np.float64]]  # of its vertices, for each bone, (V)


class Surface(NamedTuple):
    """All parts of one colour: a mesh, and for each vertex four bones and their weights."""

    shape: Shape
    bones: NDArray[np.int64]  # (V, 4)
    weights: NDArray[np.int64]  # (V, 4), the sum of a row is 255


def surfaces_of(pieces):
    """Return the surface of each colour."""
    found = {}
    for paint in dict.fromkeys(piece.paint for piece in pieces):
        own = [piece for piece in pieces if piece.paint == paint]
        starts = np.cumsum([0, *(len(piece.shape.points) for piece in own)])
        parts = zip(*(piece.shape for piece in own), strict=True)
        points, normals, triangles = parts
        triangles = [each + start for each, start in zip(triangles, starts, strict=False)]
        shape = Shape(*map(np.concatenate, (points, normals, triangles)))
        bones, weights = map(
            np.concatenate, zip(*(_strongest(p.weights) for p in own), strict=True)
        )
        found[paint] = Surface(shape, bones, weights)
    return found


def _strongest(weights):
    """Return the bones that each vertex follows most, (V, 4), and their weights as integers."""
    numbers = np.array([*weights, *[0] * MOST])
    table = np.stack([*weights.values(), *[0.0 * next(iter(weights.values()))] * MOST], axis=-1)
    order = np.argsort(-table, axis=-1, kind="stable")[:, :MOST]
    chosen = np.take_along_axis(table, order, axis=-1)
    scaled = np.rint(WHOLE * chosen / chosen.sum(axis=-1, keepdims=True)).astype(np.int64)
    scaled[:, 0] += WHOLE - scaled.sum(axis=-1)
    return np.where(scaled > 0, numbers[order], 0), scaled


def chain(values, bones, joints, widths):
    """Return the weights of vertices along a chain of bones.

    Parameters
    ----------
    values : array, shape (V)
        How far along the chain each vertex is.
    bones : sequence of int
    joints : sequence of float
        Where one bone ends and the next begins, increasing; one less than bones.
    widths : sequence of float
        How far from a joint both are followed.
    """
    shares = [np.ones(len(values))]
    for joint, width in zip(joints, widths, strict=True):
        part = np.clip((values - joint) / (2.0 * max(width, 1e-30)) + 0.5, 0.0, 1.0)
        shares.append(part * part * (3.0 - 2.0 * part))
    shares.append(np.zeros(len(values)))
    found: dict[int, NDArray[np.float64]] = {}
    for k, bone in enumerate(bones):
        found[bone] = found.get(bone, 0.0) + shares[k] - shares[k + 1]
    return found


class Body(NamedTuple):
    """What the pieces of an animal are made from."""

    rig: Rig
    shape: figure.Figure
    recording: Recording  # whose first frame is the rest pose
    names: dict[str, int]  # the number of each bone

    def place(self, bone):
        """Return where a bone is in the rest pose, (3)."""
        return self.rig.places[bone][0]

    def moved(self, mesh, bone):
        """Return a mesh that is given in the space of a bone."""
        return moved(mesh, self.place(bone), self.rig.turns[bone][0])

    @property
    def spine(self):
        """The numbers of the bones of the stations."""
        count = len(self.recording.along)
        return [self.names[f"spine_{k}" if k else "body"] for k in range(count)]


def moved(mesh, place, turn):
    """Return a mesh rotated, then moved."""
    return mesh._replace(
        points=rotate(turn, mesh.points) + place, normals=rotate(turn, mesh.normals)
    )


def bind_matrices(rig):
    """Return the matrix of each bone in the rest pose, (J, 4, 4)."""
    found = np.tile(np.eye(4), (len(rig.bones), 1, 1))
    found[:, :3, :3] = quaternion_to_matrix(np.array([turn[0] for turn in rig.turns]))
    found[:, :3, 3] = [place[0] for place in rig.places]
    return found


# --- body, head, tail, feet ---------------------------------------------------------------


def pieces_of(rig, shape, recording, legs):
    """Return the pieces of an animal.

    Parameters
    ----------
    rig : Rig
        Whose first key is the rest pose.
    shape : Figure
    recording : Recording
        Its first frame is the rest pose.
    legs : list
        For each leg its name, and the bones that hold the mesh of its segments.
    """
    body = Body(rig, shape, recording, {bone.name: i for i, bone in enumerate(rig.bones)})
    pieces = [*_trunk(body, legs), *_links(body), *_tail(body)]
    for leg, (name, hold) in enumerate(legs):
        pieces += _leg(body, leg, name, hold)
    return pieces


def _trunk(body, legs):
    """Return the pieces of the trunk, which follow the stations and, near hips, the thighs."""
    along, spine = body.recording.along, body.spine
    offset = body.place(spine[0]) - along[0] * AHEAD
    joints, widths = 0.5 * (along[1:] + along[:-1]), 0.5 * np.diff(along)
    for part in body.shape.of("body"):
        mesh = part_shape(part, body.shape.leg, BANDS)
        weights = chain(mesh.points[:, 2], spine, joints, widths)
        mesh = mesh._replace(points=mesh.points + offset)
        yield Piece(part.paint, mesh, _pulled(body, mesh.points, weights, legs))


def _pulled(body, points, weights, legs):
    """Return weights with those of thighs, near the hips."""
    pulls = {}
    for (name, hold), radii in zip(legs, body.shape.legs, strict=True):
        far = SHOULDER * radii.hip
        away = np.linalg.norm(points - body.place(body.names[f"thigh_{name}"]), axis=-1)
        part = np.clip(1.0 - away / max(far, 1e-30), 0.0, 1.0)
        if np.any(part > 0.0):
            pulls[hold[0]] = PULL * part * part * (3.0 - 2.0 * part)
    total = sum(pulls.values(), np.zeros(len(points)))
    scale = np.minimum(1.0, PULL / np.maximum(total, 1e-30))
    rest = 1.0 - scale * total
    return {bone: rest * own for bone, own in weights.items()} | {
        bone: scale * own for bone, own in pulls.items()
    }


def _links(body):
    """Return the pieces of neck, head, arms and ears, which follow what bears them, too."""
    shape, front = body.shape, body.spine[-1]
    origin = body.place(front) - body.recording.along[-1] * AHEAD
    for node, _ in shape.links:
        way, child = way_of(shape, node), child_of(shape, node)
        size = float(np.linalg.norm(way))
        for part in shape.of(node):
            mesh = part_shape(part, shape.leg, BANDS)
            own = body.names[node]
            bones, joints = [body.rig.bones[own].parent, own], [0.0]
            if child is not None:
                bones, joints = [*bones, body.names[child]], [0.0, size]
            widths = [LINK * size] * len(joints)
            weights = chain(mesh.points @ way / size, bones, joints, widths)
            place = origin + shape.pivots[node]
            yield Piece(part.paint, mesh._replace(points=mesh.points + place), weights)


def _tail(body):
    """Return the pieces of the tail."""
    shape, rear = body.shape, body.spine[0]
    offset = body.place(rear) + shape.pivots["tail"] - body.recording.along[0] * AHEAD
    bones = [body.names[name] for name in body.names if name.startswith("tail")]
    size = float(np.linalg.norm(shape.tail))
    for part in shape.of("tail"):
        mesh = part_shape(part, shape.leg, BANDS)
        weights = {bones[0]: np.ones(len(mesh.points))}
        if size > 0.0:
            link = size / len(bones)
            values = mesh.points @ shape.tail / size
            joints = link * np.arange(len(bones))
            weights = chain(values, [rear, *bones], joints, [0.5 * link] * len(bones))
        yield Piece(part.paint, mesh._replace(points=mesh.points + offset), weights)


# --- legs ---------------------------------------------------------------------------------


def _leg(body, leg, name, hold):
    """Return the pieces of a leg: its segments, balls at joints, and the parts of its foot."""
    shape, radii = body.shape, body.shape.legs[leg]
    lengths = body.recording.bones[leg]
    bent = bool(has_ankle(body.recording.bones)[leg])
    segments = SEGMENTS[: 3 if bent else 2]
    bones = [body.names[f"{part}_{name}"] for part in segments]
    foot, above = body.names[f"foot_{name}"], body.rig.bones[bones[0]].parent
    line = [above, *hold, foot]
    thick = [radii.hip, radii.knee, radii.ankle, radii.tip] if bent else [*radii[:2], radii.tip]
    widths = _widths(thick, lengths)
    for k, (bone, mesh) in enumerate(
        zip(bones, _meshes(lengths, radii, bent, shape.leg), strict=True)
    ):
        own = slice(k, k + 3)
        joints = [0.0, float(lengths[k])]
        if k == 2 and radii.heel + radii.under > 0.0:  # a heel stands out, and does not bend
            joints[0] = -np.inf
        weights = chain(mesh.points[:, 1], line[own], joints, widths[k : k + 2])
        yield Piece("shins" if k else "thighs", body.moved(mesh, bone), weights)
    for paint, bone, joint, mesh in _balls(bones, hold, lengths, radii, shape.leg):
        yield Piece(paint, body.moved(mesh, bone), {joint: np.ones(len(mesh.points))})
    for part in shape.of("foot"):
        mesh = part_shape(part, shape.leg)
        mesh = moved(mesh, body.place(foot), body.recording.foot_rotation[0, leg])
        yield Piece(part.paint, mesh, {foot: np.ones(len(mesh.points))})


def _widths(thick, lengths):
    """Return how far from each joint of a leg its mesh bends."""
    near = [min(lengths[max(k - 1, 0)], lengths[min(k, len(thick) - 2)]) for k in range(len(thick))]
    return [min(ROUND * radius, SHORT * size) for radius, size in zip(thick, near, strict=True)]


def _balls(bones, hold, lengths, radii, leg):
    """Yield the balls of a leg: paint, the bone in whose space each is, what it follows, mesh."""
    ends = radii.hip, figure.KNEECAP * radii.knee  # a ball that is inside of them is not seen
    for bone, joint, end in zip(bones[:2], hold, ends, strict=False):
        if radii.joint > end:
            yield "joints", bone, joint, ball(radii.joint, sides=sides_of(radii.joint, leg))
    if radii.foot > 0.0:
        sole = lengths[len(bones) - 1] - figure.SOLE * radii.foot
        yield "feet", bones[-1], hold[-1], ball(radii.foot, sole, sides_of(radii.foot, leg))


def _meshes(lengths, radii, bent, leg):
    """Return the mesh of each segment of a leg, from its joint along +y."""
    thigh, shin, third = lengths
    knee = figure.KNEECAP * radii.knee
    upper = capsule(thigh, radii.hip, knee, sides_of(max(radii.hip, knee), leg), BANDS)
    sides = sides_of(max(radii.knee, radii.ankle, radii.tip), leg)
    if not bent:
        return [
            upper,
            capsule(max(shin - radii.tip, 0.0), radii.knee, radii.tip, sides, BANDS),
        ]
    heel = np.array([0.0, -radii.heel, radii.under])
    bone = [0.0, max(third - radii.tip, 0.0), 0.0] - heel
    lowest = capsule(float(np.linalg.norm(bone)), radii.ankle, radii.tip, sides, BANDS)
    lowest = moved(lowest, heel, shortest_arc([0.0, 1.0, 0.0], bone))
    return [upper, capsule(shin, radii.knee, radii.ankle, sides, BANDS), lowest]
