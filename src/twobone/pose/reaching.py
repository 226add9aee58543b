"""What a limb of a skeleton does to meet a target: the formulas behind `Limb`.

The tiny language of `quaternions.py`, in the world. A pose is a tuple of rotations and one of
translations, those of the joints that matter: the way down to the end, then what shares twist.
"""

from typing import NamedTuple

from twobone.core import formula, vectors
from twobone.core.exact import Array
from twobone.core.formula import dot
from twobone.pose import bending
from twobone.pose.normalizing import known_in_world, unit_rotation, unit_rotations, where_known
from twobone.rotations import angles, quaternions

FOLLOW = 4.0  # how much faster than target and pole a transported plane may follow the pole


class Plan(NamedTuple):
    """A limb among the joints that matter, by their places in the tuple."""

    parents: tuple
    start: int
    mid: int
    end: int
    twist: tuple  # pairs: joint, share


class Rest(NamedTuple):
    """What the rest pose says, in plain numbers."""

    mid_axis: tuple  # in the space of mid
    way: tuple  # from start to end, in the space above start, a unit vector
    normal: tuple  # of the plane the limb bends in, likewise, square to the way
    bone: tuple  # from mid to end, in the space of mid, a unit vector
    turn: tuple  # of the end, in the space of mid
    twist: tuple  # turns of the joints that share twist, in the space of mid


class Stance(NamedTuple):
    """Where a pose puts the limb in the world."""

    joint: tuple  # from the root
    end: tuple
    root: tuple
    above: tuple  # rotation of what start hangs from
    turned: list  # rotations of all joints that matter
    beside: tuple  # the same beside their parents, as unit quaternions
    known: list  # bool, of all joints that matter: the rotation in the world is known
    rooted: Array  # bool: the root is known
    placed: Array  # bool: and the end


class Wishes(NamedTuple):
    """What is wanted of the limb, as words say it."""

    bend: str
    rides: bool  # the end rides along
    fade: float
    softness: Array = None


class Reached(NamedTuple):
    """What came of a limb that reached."""

    rotations: list  # of start, mid, end and of what shares twist, beside their parents
    sound: Array  # bool: all of them are rotations
    found: bending.Turned
    transported: tuple  # normal, way and pole, for the next frame
    stance: Stance  # the limb as it was


def stand(xp, t, plan, rotations, translations):
    """Return where a pose puts the limb."""
    rotations, known = unit_rotations(xp, t, rotations)
    known = known_in_world(plan.parents, known)
    positions, turned = place(plan.parents, rotations, translations)
    root, parent = positions[plan.start], plan.parents[plan.start]
    return Stance(
        vectors.minus(positions[plan.mid], root),
        vectors.minus(positions[plan.end], root),
        root,
        quaternions.identity(root[0]) if parent < 0 else turned[parent],
        turned,
        rotations,
        known,
        True if parent < 0 else known[parent],
        known[plan.parents[plan.end]],
    )


def place(parents, rotations, translations):
    """Return positions and rotations in the world: lists of vectors and of quaternions."""
    positions, turned = [], []
    for parent, turn, offset in zip(parents, rotations, translations, strict=True):
        if parent >= 0:
            offset = vectors.plus(positions[parent], quaternions.rotate(turned[parent], offset))
            turn = quaternions.multiply(turned[parent], turn)
        positions.append(offset)
        turned.append(turn)
    return positions, turned


def goal_of(xp, stance, target, weight):
    """Return where the end shall be, from the root."""
    goal = vectors.minus(target, stance.root)
    weight = share(xp, weight)
    part = vectors.plus(stance.end, vectors.times(weight, vectors.minus(goal, stance.end)))
    if xp.differentiates:  # a weight of exactly 1 has a derivative too
        goal = tuple(vectors.with_slope(xp, a, b) for a, b in zip(goal, part, strict=True))
    return vectors.choose(xp, weight >= 1.0, goal, part)


def is_goal_known(stance, weight):
    """Say whether a goal is known: all of it is the target's, or the end's place is known."""
    return stance.rooted & (stance.placed | (weight >= 1.0))


def share(xp, weight):
    """Clamp a weight to what it can be; NaN stays."""
    return xp.where(weight > 1.0, 1.0, xp.where(weight < 0.0, 0.0, weight))


def pole_of(stance, pole, pole_point):
    """Return the direction of the pole from the root, or None."""
    return pole if pole_point is None else vectors.minus(pole_point, stance.root)


def way_to(xp, rest, stance, goal):
    """Return the way to the goal, a unit vector; to the root it is that of the rest pose."""
    far = vectors.length(xp, goal)
    at_rest = quaternions.rotate(stance.above, rest.way)
    way = vectors.times(1.0 / vectors.positive(xp, far), goal)
    return vectors.choose(xp, far == 0.0, at_rest, way)


def rest_plane(xp, rest, stance, way):
    """Return the normal of the rest pose, taken to the target by the shortest arc."""
    at_rest, normal = (quaternions.rotate(stance.above, v) for v in (rest.way, rest.normal))
    knee = vectors.cross(normal, at_rest)
    return quaternions.rotate(quaternions.turn_of_units(xp, at_rest, way, knee), normal)


def transport(xp, state, frame, fade):
    """Return the normal of a frame's plane, its way and its pole, given those of the frame before.

    The plane goes along as the way turns, by the shortest turn, and follows the pole where that
    says something, but never much faster than way and pole turn. A frame with NaN changes nothing,
    one whose target is at the root keeps the way; the first one takes its own plane.
    """
    normal, before, old_pole = state
    plane, way, pole, weight, far = frame
    some = dot(plane, plane) + dot(way, way) + dot(pole, pole) + weight
    sound = some == some
    began = dot(normal, normal) > 0.5
    way = vectors.choose(xp, sound & ((far > 0.0) | ~began), way, before)
    pole = vectors.choose(xp, sound, pole, old_pole)
    turn = quaternions.turn_of_units(xp, before, way, vectors.cross(normal, before))
    own = vectors.unit(xp, vectors.square_to(quaternions.rotate(turn, normal), way))
    aside, across = vectors.cross(way, own), vectors.cross(way, pole)
    moved = vectors.length(xp, vectors.minus(way, before))
    moved = moved + vectors.length(xp, vectors.minus(pole, old_pole))
    weight = xp.where(sound, weight, 0.0)
    most = FOLLOW * moved * bending.share_of(xp, vectors.length(xp, across), fade) * weight
    cos, sin = dot(own, across), dot(aside, across)
    near = (cos > 0.0) & (formula.magnitude(xp, sin) <= most * cos)
    step = xp.where(near, sin, xp.where(sin < 0.0, -most, most))
    cos = xp.where(near, cos, 1.0)
    new = vectors.unit(xp, vectors.plus(vectors.times(cos, own), vectors.times(step, aside)))
    new = vectors.choose(xp, began, new, plane)
    return vectors.choose(xp, sound, new, normal), way, pole


def first_planes(
    xp,
    t,
    plan,
    rest,
    wishes,
    *,
    rotations,
    translations,
    target,
    position_weight,
    pole_weight,
    pole=None,
    pole_point=None,
):
    """Return what `transport` needs of a frame: its own plane, way, pole, weight and distance.

    Vectors are in the space above the limb: who turns round takes the plane along.
    """
    stance = stand(xp, t, plan, rotations, translations)
    goal = goal_of(xp, stance, target, position_weight)
    way = way_to(xp, rest, stance, goal)
    plane = rest_plane(xp, rest, stance, way)
    towards = pole_of(stance, pole, pole_point)
    if towards is None:
        towards, pole_weight = way, pole_weight * 0.0
    else:
        towards, pole_weight = vectors.unit(xp, towards), share(xp, pole_weight)
        plane, _ = bending.bend_towards(
            xp, way, towards, plane, bending.Wishes(wishes.fade, pole_weight)
        )
    back = quaternions.conjugate(stance.above)
    plane, way, towards = (
        quaternions.rotate(back, v) for v in (vectors.unit(xp, plane), way, towards)
    )
    pole_weight = where_known(xp, is_goal_known(stance, position_weight), pole_weight)
    return plane, way, towards, pole_weight, vectors.length(xp, goal)


def turn_joints(
    xp,
    t,
    solve,
    plan,
    rest,
    wishes,
    *,
    rotations,
    translations,
    target,
    position_weight,
    rotation_weight,
    pole_weight,
    pole=None,
    pole_point=None,
    plane=None,
    transported=None,
    end_rotation=None,
):
    """Return what comes of a limb: a `Reached`.

    Joints that are not turned keep their rotations to the bit. `transported` and a `plane` come
    from the frames before; they are in the space above the limb, as is what the next frame gets.
    """
    stance = stand(xp, t, plan, rotations, translations)
    goal = goal_of(xp, stance, target, position_weight)
    pole_weight, rotation_weight = share(xp, pole_weight), share(xp, rotation_weight)
    towards = pole_of(stance, pole, pole_point)
    way = way_to(xp, rest, stance, goal)
    last = None
    if transported is not None:
        plane, last = (
            quaternions.rotate(stance.above, plane),
            quaternions.rotate(stance.above, transported[1]),
        )
    else:
        plane = rest_plane(xp, rest, stance, way)
    axis = vectors.unit(xp, quaternions.rotate(stance.turned[plan.mid], rest.mid_axis))
    pulls = towards if wishes.bend == "pole" else None
    limb = bending.Task(stance.joint, stance.end, goal, axis, pulls, plane, last=last)
    found = bending.turn_limb(
        xp, t, solve, limb, bending.Wishes(wishes.fade, pole_weight, softness=wishes.softness)
    )
    if towards is not None and wishes.bend != "pole":
        found = found._replace(sine=bending.sine_of(xp, goal, towards))
    start, mid = turned_joints(xp, plan, rest, stance, found)
    world = quaternions.multiply(found.start, stance.turned[plan.mid])
    world = quaternions.multiply(world, bending.about(rest.mid_axis, found.mid))
    wanted, known = stance.turned[plan.end], stance.known[plan.end]
    if end_rotation is not None:
        wanted, some = unit_rotation(xp, t, end_rotation)
        known = known & some
    pose = stance.beside, translations
    end, twist = turn_end(xp, plan, rest, wishes, pose, world, wanted, rotation_weight)
    if transported is None:
        normal = vectors.square_to(quaternions.rotate(found.start, axis), way)
        seen = vectors.unit(xp, normal), way, way if towards is None else vectors.unit(xp, towards)
        back = quaternions.conjugate(stance.above)
        transported = tuple(quaternions.rotate(back, v) for v in seen)
        transported = where_known(xp, stance.placed, transported)
    clear = is_goal_known(stance, position_weight)
    found = found._replace(sine=where_known(xp, clear, found.sine))
    still = (position_weight <= 0.0) & (pole_weight <= 0.0)
    all_still = still & (rotation_weight <= 0.0)
    joints = [plan.start, plan.mid, plan.end, *(joint for joint, _ in plan.twist)]
    kept = [still, still, *[all_still] * (1 + len(twist))]
    new, given = [], []
    for joint, keeps, q in zip(joints, kept, (start, mid, end, *twist), strict=True):
        new.append(vectors.choose(xp, keeps, stance.beside[joint], q))
        given.append(vectors.choose(xp, keeps, rotations[joint], q))
    if wishes.rides and not plan.twist:
        given[2] = rotations[plan.end]
    return Reached(given, known & all_rotations(new), found, transported, stance)


def all_rotations(turned):
    """Say whether all are unit quaternions, and none is NaN."""
    first, *rest = (dot(q, q) > 0.5 for q in turned)
    for sound in rest:
        first = first & sound
    return first


def turned_joints(xp, plan, rest, stance, found):
    """Return the rotations of start and mid beside their parents."""
    start = quaternions.multiply(found.start, stance.turned[plan.start])
    start = quaternions.multiply(quaternions.conjugate(stance.above), start)
    mid = quaternions.multiply(stance.beside[plan.mid], bending.about(rest.mid_axis, found.mid))
    return of_length_1(xp, start), of_length_1(xp, mid)


def of_length_1(xp, q):
    """Return a turn without what its length is off by; NaN stays.

    A product is off by all that its factors are: who feeds poses back would see that grow.
    """
    square = dot(q, q)
    return vectors.times(1.0 / xp.sqrt(xp.where(square > 0.5, square, 1.0)), q)


def turn_end(xp, plan, rest, wishes, pose, mid, wanted, weight):
    """Return the end's rotation beside its parent, and those of the joints that share its twist.

    `mid` is the rotation of mid in the world, `wanted` that of the end.
    """
    rotations, between, riding = pose[0], [], mid
    joint = plan.parents[plan.end]
    while joint != plan.mid:
        between.append(joint)
        joint = plan.parents[joint]
    for joint in [*between[::-1], plan.end]:
        riding = quaternions.multiply(riding, rotations[joint])
    if wishes.rides:
        end = riding
    else:
        back = quaternions.conjugate(riding)
        end = quaternions.multiply(
            riding, quaternions.blend(xp, weight, quaternions.multiply(back, wanted))
        )
    beside_mid = quaternions.multiply(quaternions.conjugate(mid), end)
    change = quaternions.multiply(beside_mid, quaternions.conjugate(rest.turn))
    twist = [
        quaternions.multiply(angles.share_of_twist(xp, change, rest.bone, share), turn)
        for (_, share), turn in zip(plan.twist, rest.twist, strict=True)
    ]
    twist = [
        twist_above_end(xp, plan, rest, pose, joint, turn) if joint in between else turn
        for (joint, _), turn in zip(plan.twist, twist, strict=True)
    ]
    twist = [of_length_1(xp, turn) for turn in twist]
    new = dict(zip((joint for joint, _ in plan.twist), twist, strict=True))
    parent = mid
    for joint in between[::-1]:
        parent = quaternions.multiply(parent, new.get(joint, rotations[joint]))
    local = of_length_1(xp, quaternions.multiply(quaternions.conjugate(parent), end))
    unchanged = wishes.rides and not plan.twist
    return rotations[plan.end] if unchanged else quaternions.nearer(
        xp, rotations[plan.end], local
    ), twist


def twist_above_end(xp, plan, rest, pose, joint, wanted):
    """Return the rotation of a joint from which the end hangs, with the twist of a wanted one.

    It turns about the line to the end, wherever the pose has that, so that the end stays.
    """
    rotations, translations = pose
    old, line, above = rotations[joint], translations[plan.end], plan.parents[plan.end]
    while above != joint:
        line = vectors.plus(translations[above], quaternions.rotate(rotations[above], line))
        above = plan.parents[above]
    at_end = vectors.length(xp, line) == 0.0
    bone = quaternions.rotate(quaternions.conjugate(old), rest.bone)
    axis = vectors.choose(xp, at_end, bone, vectors.unit(xp, line))
    # What is left of the wanted one has no share along the bone: `a cos = b sin`.
    back = quaternions.conjugate(old)
    a = dot(quaternions.multiply(wanted, back)[:3], rest.bone)
    b = dot(quaternions.multiply(quaternions.multiply(wanted, (*axis, 0.0)), back)[:3], rest.bone)
    half = quaternions.half_of(xp, b * b - a * a, 2.0 * a * b)
    return quaternions.multiply(old, bending.about(axis, half))


def stretch(xp, plan, rest, reached, still, translations):
    """Return the translations of the joints below start, where bones give and not all is still.

    Only what is square to the hinge gives: no stretching closes a distance along its axis.
    """
    stance = reached.stance
    # A twist bone above the end has turned.
    new = dict(zip((joint for joint, _ in plan.twist), reached.rotations[3:], strict=True))
    rotations = tuple(new.get(joint, q) for joint, q in enumerate(stance.beside))
    turned = place(plan.parents, rotations, translations)[1]
    axis = quaternions.rotate(turned[plan.mid], rest.mid_axis)
    first, second = bending.stretch_of(xp, reached.found)
    moved = []
    for joint in range(plan.start + 1, plan.end + 1):
        here = quaternions.rotate(quaternions.conjugate(turned[plan.parents[joint]]), axis)
        more = (first if joint <= plan.mid else second) - 1.0
        offset = translations[joint]
        longer = vectors.plus(offset, vectors.times(more, vectors.square_to(offset, here)))
        longer = where_known(xp, stance.placed, longer)
        moved.append(vectors.choose(xp, still, offset, longer))
    return moved


def controls(xp, t, plan, rest, *, rotations, translations):
    """Return the target, the pole and the end's rotation that give a limb the pose it has."""
    stance = stand(xp, t, plan, rotations, translations)
    way = way_to(xp, rest, stance, stance.end)
    axis = quaternions.rotate(stance.turned[plan.mid], rest.mid_axis)
    normal = vectors.unit(xp, vectors.square_to(axis, way))
    handles = vectors.plus(stance.root, stance.end), vectors.cross(normal, way)
    end = where_known(xp, stance.known[plan.end], stance.turned[plan.end])
    return *where_known(xp, stance.placed, handles), end
