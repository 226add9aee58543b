"""Rotations of all joints from their positions: from the root down, limb by limb."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.motion.joints import forks, limbs
from twobone.motion.joints.arcs import (
    TINY,
    about,
    arc,
    between,
    length,
    multiply,
    rotate,
    twist_angles,
    unit,
)
from twobone.pose import tree
from twobone.rotations import quaternion_to_matrix

Floats = NDArray[np.float64]

COINCIDENT = 1e-3  # of the longest bone: joints that are nearer than this are one
SAMPLES = 400  # frames at most that lengths are medians of
FORMS = 100  # frames at most that mean shapes are made of
ROUNDS = 5  # of a trunk that gives way, at most
PULL = 1.5  # of what limbs are too short for: with 1, it takes three times as many rounds
NEGLIGIBLE = 1e-6  # of the longest bone: by how much limbs may be too short for their ends
UNCERTAIN = 5.0  # standard deviations of positions: how far limbs may pull the trunk
NORMAL = 1.4826  # standard deviation over the median deviation, of normal distributions


class Body(NamedTuple):
    """A tree of joints, of which those that coincide are one, and its bones."""

    parents: tuple[int, ...]
    heads: list[int]  # of each joint: the topmost joint that coincides with it
    children: list[list[int]]  # of each head: joints of other places that hang from it
    lengths: Floats  # (J), of the bones from the heads of the parents
    spreads: Floats  # (J), standard deviations of these
    limbs: dict[int, tuple[int, int]]  # of starts: mid and end joint
    rest: Floats | None  # (J, 3), directions at rest


class Solved(NamedTuple):
    """World rotations (J, 4, T) and positions (J, 3, T), and offsets (J, 3) of the rest pose."""

    rotations: Floats
    positions: Floats
    offsets: Floats


def spread_frames(count: int, most: int) -> NDArray[np.intp]:
    """Return at most so many frames, evenly spread over all of them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.intp))


def measured(points, parents, limb_joints, rest) -> Body:
    """Return the body of points (J, 3, T): lengths are medians, over at most 400 frames."""
    some = points[:, :, spread_frames(points.shape[-1], SAMPLES)]
    joints = range(len(parents))
    above = [parent if parent >= 0 else joint for joint, parent in enumerate(parents)]
    longest = float(np.median(_distances(some, joints, above), axis=1).max())
    heads, children = list(joints), [[] for _ in joints]
    for joint in tree.parents_first(parents, None):
        parent = parents[joint]
        if parent < 0:
            continue
        head = heads[parent]
        if np.median(_distances(some, [joint], [head])) <= COINCIDENT * longest:
            heads[joint] = head
        else:
            children[head].append(joint)
    tops = [heads[parent] if parent >= 0 else joint for joint, parent in enumerate(parents)]
    bones = _distances(some, joints, tops)
    lengths = np.median(bones, axis=1)
    spreads = np.std(bones, axis=1)
    found = {}
    for start, mid, end in limb_joints:
        if children[start] == [mid] and children[mid] == [end]:
            found[start] = mid, end
    return Body(tuple(parents), heads, children, lengths, spreads, found, rest)


def _distances(points, some, others):
    apart = points[list(some)] - points[list(others)]
    return np.sqrt((apart * apart).sum(1))


def solve(points: Floats, body: Body, fps: float, ends: Literal["shared", "exact"]) -> Solved:
    """Return the rotations that bring the joints of a body to points (J, 3, T), or near them.

    Each bone is aimed from where its joint really comes to lie at where its child was observed, so
    that errors do not add up. Leaves keep the rotation of their parent, since positions do not say
    how hands, feet and heads are twisted.
    """
    return _Walk(points, body, fps, ends == "exact").solved()


class _Walk:
    """The rotations and positions of the joints from the root down to where it has come."""

    def __init__(self, points, body, fps, exact):
        self.points, self.body, self.fps, self.exact = points, body, fps, exact
        count = len(body.parents)
        self.rotations = np.zeros((count, 4, points.shape[-1]))
        self.rotations[:, 3] = 1.0
        self.positions = points.copy()
        self.offsets = np.zeros((count, 3))  # from the heads of the parents
        self.turned: dict[int, Floats] = {}  # mid joints of limbs, which their starts decide
        self.longest = float(body.lengths.max())

    def solved(self):
        body, trunk, others = self.body, [], []
        for joint in tree.parents_first(body.parents, None):
            if body.heads[joint] == joint:
                in_limb = any(above in body.limbs for above in self._up_from(joint))
                (others if in_limb else trunk).append(joint)
        for joint in trunk:
            self._visit(joint)
        if self.exact:
            self._give_way(trunk)
        for joint in others:
            self._visit(joint)
        for joint, head in enumerate(body.heads):
            if head != joint:
                self.rotations[joint] = self.rotations[head]
        return Solved(self.rotations, self.positions, self.offsets)

    def _up_from(self, joint):
        """Yield a joint, the one above, and so on up to the root."""
        while joint >= 0:
            yield self.body.heads[joint]
            joint = self.body.parents[self.body.heads[joint]]

    def _give_way(self, trunk):
        """Move the trunk by as little as brings the ends of limbs within reach.

        A limb pulls at the joints from its start up to the root, and one that hangs from the root
        at the whole trunk: their observed positions are moved by what the limb is too short for,
        and the trunk is turned again. Pulls add up, since bones of the trunk do not follow along
        their length. They are limited to what noise explains, so that no stray wrist bends a spine.
        """
        given, whole = self.points, [*trunk, *self.body.limbs]
        pulls = {start: np.zeros_like(given[start]) for start in self.body.limbs}
        most = {start: UNCERTAIN * self._noise(start) for start in pulls}
        for _ in range(ROUNDS):
            short = {start: self._too_short(start) for start in pulls}
            if all(np.max(length(each)) <= NEGLIGIBLE * self.longest for each in short.values()):
                return
            self.points = given.copy()
            for start, each in short.items():
                pull = pulls[start] + PULL * each
                pulls[start] = pull * np.minimum(1.0, most[start] / np.maximum(length(pull), TINY))
                chain = [*self._up_from(start)][:-1]
                self.points[chain if len(chain) > 1 else whole] += pulls[start]
            roots = [joint for joint in trunk if self.body.parents[joint] < 0]
            self.positions[roots] = self.points[roots]
            for joint in trunk:
                self._visit(joint)

    def _too_short(self, start):
        """Return the vectors (3, T) by which a limb misses its end."""
        mid, end = self.body.limbs[start]
        goal = self.points[end] - self.positions[start]
        distance, reach = length(goal), self.body.lengths[mid] + self.body.lengths[end]
        return goal * (np.maximum(distance - reach, 0.0) / np.maximum(distance, TINY))

    def _noise(self, start):
        """Return the standard deviation of the positions of a limb, whatever a few frames do."""
        mid, end = self.body.limbs[start]
        bones = _distances(self.points, [mid, end], [start, mid])
        away = np.median(np.abs(bones - self.body.lengths[[mid, end]][:, None]), axis=1)
        return NORMAL * float(np.hypot(*away)) / 2.0

    def _visit(self, joint):
        """Find the rotation of a joint, and place its children."""
        body = self.body
        children = body.children[joint]
        parent = body.parents[joint]
        above = None if parent < 0 else self.rotations[body.heads[parent]]
        if above is None:
            above = self.rotations[joint]  # still the identity
        if joint in self.turned:
            self.rotations[joint] = self.turned[joint]
        elif not children:
            self.rotations[joint] = above
        elif joint in body.limbs:
            self._turn_limb(joint, above)
        elif len(children) > 1:
            self._turn_fork(joint, above)
            self._share_twist(joint)
        else:
            self._aim(joint, children[0], above)
        for child in children:
            self._place(child, joint)

    def _place(self, child, joint):
        away = rotate(self.rotations[joint], self.offsets[child][:, None])
        self.positions[child] = self.positions[joint] + away

    def _bones(self, joint, above):
        """Return the bones (C, 3, T) to the observed children, and their directions at rest.

        Without a T-pose, these are the mean directions in the space of the joint above; at the
        root, they are those of the first frame.
        """
        children = self.body.children[joint]
        bones = self.points[children] - self.positions[joint]
        if self.body.rest is not None:
            return bones, self.body.rest[children]
        if self.body.parents[joint] < 0:
            return bones, bones[:, :, 0]
        return bones, _means(bones, above)

    def _aim(self, joint, child, above):
        """Turn a joint with one child by the shortest arc, from how the joint above is turned."""
        bones, rest = self._bones(joint, above)
        direction = _unit(rest[0])
        self.offsets[child] = self.body.lengths[child] * direction
        carried = rotate(above, direction[:, None])
        self.rotations[joint] = multiply(arc(carried, unit(bones[0])), above)

    def _turn_fork(self, joint, above):
        body, children = self.body, self.body.children[joint]
        bones, rest = self._bones(joint, above)
        by_frame = np.ascontiguousarray(bones.transpose(2, 0, 1))
        some = by_frame[spread_frames(len(by_frame), FORMS)]
        shape, weights = forks.mean_shape(some, self.longest)
        sizes = body.lengths[children][:, None]
        shape = sizes * unit(shape.T).T
        if body.rest is not None:
            rest = sizes * unit(rest.T).T
        shape = forks.aligned(shape, rest)
        hint = quaternion_to_matrix(above.T)
        found = forks.rotations(shape, by_frame, weights, hint)
        self.rotations[joint] = forks.quaternions(found)
        self.offsets[children] = shape

    def _share_twist(self, fork):
        """Spread the twist of a fork relative to the one above over the joints between them."""
        body, between_them = self.body, []
        joint = fork
        while body.parents[joint] >= 0:
            joint = body.heads[body.parents[joint]]
            is_limb = joint in body.limbs or joint in self.turned
            if is_limb or len(body.children[joint]) != 1:
                break
            between_them.append(joint)
        else:
            return
        if not between_them:
            return
        axis = _unit(self.offsets[fork])
        twist = twist_angles(between(self.rotations[between_them[0]], self.rotations[fork]), axis)
        for n, joint in enumerate(reversed(between_them), 1):
            axis = _unit(self.offsets[body.children[joint][0]])
            share = about(axis, n / (len(between_them) + 1) * twist)
            self.rotations[joint] = multiply(self.rotations[joint], share)

    def _turn_limb(self, start, above):
        body, points = self.body, self.points
        mid, end = body.limbs[start]
        at = self.positions[start]
        noise = float(np.hypot(body.spreads[mid], body.spreads[end])) / 2.0
        known = limbs.Bones(float(body.lengths[mid]), float(body.lengths[end]), noise)
        first = limbs.place(at, points[mid], points[end], known, exact=False)
        second = points[end] - at - first
        if body.rest is None:
            rest = np.stack([_means(each[None], above)[0] for each in (first, second)])
            hinge = None
        else:
            rest, hinge = body.rest[[mid, end]], _hinge_at_rest(body.rest[mid])
        rest = np.stack([_unit(each) for each in rest])
        found = limbs.turn(above, unit(first), unit(second), rest, hinge, known, self.fps)
        if self.exact:
            first = limbs.place(at, points[mid], points[end], known, exact=True)
            found = limbs.swung(found, unit(first), unit(points[end] - at - first), rest)
        self.rotations[start], self.turned[mid] = found
        self.offsets[mid] = known.first * rest[0]
        self.offsets[end] = known.second * rest[1]


def _hinge_at_rest(direction):
    """Return the axis about which a limb of a T-pose bends: knees backward, elbows forward."""
    forward = np.array([0.0, 0.0, 1.0])
    is_leg = abs(direction[1]) > abs(direction[0])
    return np.cross(direction, -forward if is_leg else forward)


def _means(bones, above):
    """Return the mean directions (C, 3) of bones (C, 3, T) in a space; if 0, the first ones."""
    back = np.concatenate([-above[:3], above[3:]])
    inside = np.stack([rotate(back, each) for each in bones])
    mean, first = inside.mean(2), inside[:, :, 0]
    vanishes = _norms(mean) <= 1e-6 * np.maximum(_norms(first), 1e-300)
    return np.where(vanishes[:, None], first, mean)


def _norms(vectors):
    return np.sqrt((vectors * vectors).sum(1))


def _unit(vector):
    size = np.linalg.norm(vector)
    return vector / size if size > 0.0 else np.array([0.0, 1.0, 0.0])
