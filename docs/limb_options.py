"""Pictures of options in docs/limbs.md: end rotation, weights, reach, matrices, aiming."""

import itertools
import math

import numpy as np
from limb_figure import (
    BASE,
    FORWARD,
    LEG,
    LIMB,
    OUT,
    REST,
    STRAIGHT,
    UP,
    WIDTH,
    about,
    at,
    foot,
    ground,
    leg,
    matrix,
    multiply,
    positions,
    rotated,
)

import twobone
from twobone.pictures import canvas
from twobone.pictures import stage as on
from twobone.pose import LocalPose, Skeleton

# --- the end ------------------------------------------------------------------------------


def end():
    """Draw the three kinds of `end_rotation`."""
    parts, target = [], at(0.2, 0.32)
    uphill = about([1.0, 0.0, 0.0], -24.0)
    given = (
        (100.0, "world", '"world"'),
        (280.0, "local", '"local"'),
        (460.0, uphill, "quaternion"),
    )
    for x, rotation, word in given:
        place = on.stage((x, 152.0), 220.0, centre=at(0.12, 0.5))
        new = LIMB.reach(REST, target, pole=FORWARD, end_rotation=rotation).pose
        sole = positions(new)[2] + rotated(
            LEG.to_global(new).rotations[3], np.array([0.0, -0.07, 0.0])
        )
        along = rotated(LEG.to_global(new).rotations[3], FORWARD)
        if word != '"local"':
            parts.append(ground(place, sole - 0.14 * along, sole + 0.26 * along))
        parts += [leg(place, new), on.target(place, target), on.code((x, 288.0 - BASE), word)]
    return on.page(
        "The rotation of the end",
        "The same target three times: the foot stays level; it keeps its rotation relative to the"
        " shin; it takes the rotation of a slope.",
        (WIDTH, 288.0),
        parts,
    )


def weights():
    """Draw each weight from 0 to 1."""
    parts, steps = [], (0.0, 0.25, 0.5, 0.75, 1.0)
    target = at(0.42, 0.36)
    place = on.stage((90.0, 160.0), 210.0, centre=at(0.12, 0.5))
    ends = []
    for weight in steps:
        new = LIMB.reach(REST, target, pole=FORWARD, position_weight=weight).pose
        ends.append(positions(new)[2])
        last = weight == 1.0
        parts.append(
            leg(place, new) if last else on.faint(place, positions(new), 0.3 + 0.4 * weight)
        )
    parts.append(on.path(place, "line hushed dotted", *ends))
    parts += [canvas.circle("mark second", place.at(e), 3.5) for e in ends[:-1]]
    parts += [on.target(place, target), on.code((94.0, 320.0 - BASE), "position")]

    place = on.stage((280.0, 160.0), 210.0, centre=at(0.12, 0.5))
    up, near = about([1.0, 0.0, 0.0], -40.0), at(0.16, 0.25)
    for weight in steps:
        new = LIMB.reach(REST, near, pole=FORWARD, end_rotation=up, rotation_weight=weight).pose
        last = weight == 1.0
        parts.append(foot(place, new, classes="mark hushed" if last else "line hushed"))
    parts += [
        on.bones(place, positions(new)),
        on.target(place, near),
        on.code((280.0, 320.0 - BASE), "rotation"),
    ]

    place = on.stage((470.0, 142.0), 210.0, view=(50.0, 30.0), centre=at(0.1, 0.5))
    for weight in steps:
        new = LIMB.reach(REST, at(0.0, 0.4), pole=OUT, pole_weight=weight).pose
        last = weight == 1.0
        parts.append(
            leg(place, new) if last else on.faint(place, positions(new), 0.3 + 0.4 * weight)
        )
    parts.append(on.arrow(place, "across", positions(new)[1] + 0.06 * OUT, OUT, 0.2))
    parts += [on.target(place, at(0.0, 0.4)), on.code((466.0, 320.0 - BASE), "pole")]
    return on.page(
        "Three weights",
        "Position: the end moves on a straight line to the target. Rotation: the foot rotates from"
        " its rotation relative to the shin to the one asked for. Pole: the knee rotates from its"
        " rest pose towards the pole.",
        (WIDTH, 320.0),
        parts,
    )


def limits():
    """Draw the reachable range of a limb with joint limits."""
    parts, size = [], 126.0
    limb = twobone.Limb(LEG, "thigh", "shin", "foot", limits=(60.0, 110.0))
    hip = LEG.rest.positions[1]
    free = positions(REST)
    r1, r2 = (np.linalg.norm(free[i + 1] - free[i]) for i in (0, 1))
    scale = size / (r1 + r2)
    for x, goal in ((142.0, at(0.5, 0.28)), (418.0, at(0.14, 0.74))):
        place = on.stage((x, 144.0), scale, centre=hip)
        narrow = twobone.reach(
            [[1e-9, 0.0], [9.0, 0.0]], r1, r2, unreachable=twobone.Limits(60.0, 110.0)
        ).end[:, 0]
        posed = limb.reach(REST, goal, pole=FORWARD)
        points = positions(posed.pose)
        parts.append(canvas.ring("ring", place.at(hip), *(narrow * scale)))
        parts += [canvas.circle("line hushed dashed", place.at(hip), r * scale) for r in (r1 + r2,)]
        parts.append(on.path(place, "line hushed dotted", points[2], goal))
        parts.append(
            on.angle(
                place,
                "ink",
                on.Angle(points[1], points[0] - points[1], points[2] - points[1]),
                26.0,
                head=False,
            )
        )
        parts += [
            on.bones(place, points),
            canvas.circle("mark second edge", place.at(points[2]), 5.5),
        ]
        parts.append(on.target(place, goal))
        status = twobone.Status(int(posed.status)).name
        parts.append(on.code((x, 320.0 - BASE), status))
    return on.page(
        "Joint limits",
        "The angle of the knee is limited to 60 to 110 degrees, so the reachable range is smaller."
        " A target beyond it is too far, one nearer than it too near; the end goes as near as it"
        " can.",
        (WIDTH, 320.0),
        parts,
    )


# --- the forearm --------------------------------------------------------------------------

FOREARM = Skeleton(
    [-1, 0, 1, 1, 1, 1],
    [[0, 0, 0], [0.3, 0, 0], [0.08, 0, 0], [0.16, 0, 0], [0.24, 0, 0], [0.32, 0, 0]],
)


def twist():
    """Draw a forearm whose hand is rotated, without and with twist bones."""
    parts = []
    fractions = {2: 0.25, 3: 0.5, 4: 0.75}
    for y, given in ((72.0, {}), (208.0, fractions)):
        limb = twobone.Limb(FOREARM, 0, 1, 5, bend_towards=-UP, twist=given)
        place = on.stage((48.0, y), 620.0, view=(90.0, 18.0))
        hand = about([1.0, 0.0, 0.0], -150.0)
        target = np.array([0.62, 0.0, 0.0])
        new = FOREARM.to_global(
            limb.reach(LocalPose(FOREARM.rotations), target, pole=-UP, end_rotation=hand).pose
        )
        start, elbow = new.positions[0], new.positions[1]
        strips = [
            new.positions[j] + np.array([[1], [-1]]) * rotated(new.rotations[j], 0.045 * UP)
            for j in range(1, 6)
        ]
        for (a, b), (c, d) in itertools.pairwise(strips):
            parts.append(on.solid(place, "wash second", a, c, d, b))
        parts += [on.path(place, "line second", *edge) for edge in zip(*strips, strict=True)]
        parts.append(on.bones(place, (start, elbow, new.positions[5])))
        parts += [on.path(place, "circle ink", *pair) for pair in strips]
        shape = [
            [0.0, 0.028, 0.0],
            [0.09, 0.035, 0.0],
            [0.13, 0.02, 0.0],
            [0.13, -0.02, 0.0],
            [0.09, -0.035, 0.0],
            [0.0, -0.028, 0.0],
        ]
        parts.append(
            on.solid(
                place,
                "mark hushed",
                *(new.positions[5] + rotated(new.rotations[5], np.array(shape))),
            )
        )
    parts += [on.code((WIDTH / 2, 136.0), "twist={}"), on.code((WIDTH / 2, 272.0), "twist={...}")]
    return on.page(
        "Forearm twist bones",
        "A hand is rotated by 150 degrees about its forearm. Without twist bones the wrist"
        " takes all of the twist; three twist bones distribute it evenly.",
        (WIDTH, 296.0),
        parts,
    )


# --- reach, handles, branches -------------------------------------------------------------


def policies():
    """Draw three policies near the maximum reach."""
    parts, hip = [], LEG.rest.positions[1]
    out = np.array([0.0, -0.86, 0.51]) / np.hypot(0.86, 0.51)
    given = (
        (84.0, "clamp", '"clamp"'),
        (264.0, twobone.Soft(0.1), "Soft(0.1)"),
        (444.0, twobone.Stretch(1.15), "Stretch(1.15)"),
    )
    for x, policy, word in given:
        place = on.stage((x - 44.0, 36.0), 244.0, centre=hip)
        shown = []
        for far in np.linspace(0.78, 0.99, 8):
            goal = hip + far * out
            pose = LIMB.reach(REST, goal, pole=FORWARD, unreachable=policy).pose
            shown.append((goal, positions(pose)))
        for goal, points in shown[:-1]:
            parts.append(on.faint(place, points, 0.6))
            parts.append(canvas.circle("mark target other", place.at(goal), 3.0))
        goal, points = shown[-1]
        if np.linalg.norm(points[2] - goal) > 0.01:
            parts.append(on.path(place, "line hushed dotted", points[2], goal))
        parts += [
            on.bones(place, points),
            canvas.circle("mark second edge", place.at(points[2]), 5.5),
        ]
        parts += [on.target(place, goal), on.code((x + 16.0, 304.0 - BASE), word)]
    return on.page(
        "Near the maximum reach",
        "A target moves away in equal steps. With clamp the knee pops straight in the last of them;"
        " with Soft the end lags behind and the knee moves evenly; with Stretch the bones become"
        " longer.",
        (WIDTH, 304.0),
        parts,
    )


def controls():
    """Draw the target, the pole and the end rotation of a pose."""
    parts, still = [], [0.0, 0.0, 0.0, 1.0]
    straight = LocalPose(np.array([still, about([1, 0, 0], -32.0), still, still, still]))
    bent = LocalPose(
        np.array(
            [still, about([1, 0, 0], -62.0), about([1, 0, 0], 74.0), about([1, 0, 0], 14.0), still]
        )
    )
    cases = (
        (LEG, bent, LIMB),
        (STRAIGHT, straight, twobone.Limb(STRAIGHT, 1, 2, 3, bend_towards=FORWARD)),
    )
    for x, (skeleton, pose, limb) in zip((128.0, 384.0), cases, strict=True):
        place = on.stage((x - 20.0, 36.0), 240.0, centre=skeleton.rest.positions[1])
        found = limb.controls(pose)
        points = positions(pose, skeleton)
        parts.append(on.arrow(place, "across", points[1], found.pole, 0.26))
        parts += [leg(place, pose, skeleton=skeleton), on.target(place, found.target)]
        toe = rotated(found.end_rotation, FORWARD)
        parts.append(on.arrow(place, "ink", found.target + 0.2 * toe, toe, 0.1))
        if skeleton is LEG:
            tip, ahead = place.at(points[1] + 0.26 * found.pole), place.at(found.target + 0.3 * toe)
            parts.append(on.say(on.beside(tip, 8.0, 5.0), "across", "pole", anchor="start"))
            parts.append(on.say(on.beside(ahead, 8.0, 10.0), "ink", "end_rotation", anchor="start"))
            parts.append(
                on.say(
                    on.beside(place.at(found.target), -18.0, 2.0), "target", "target", anchor="end"
                )
            )
    return on.page(
        "Target, pole and end rotation of a pose",
        "The target, the pole and the rotation of the end that reproduce the pose of a leg; a"
        " straight leg has a pole too.",
        (WIDTH, 296.0),
        parts,
    )


def branches():
    """Draw a target that passes through the root."""
    parts = []
    goals = np.array([[x, 0.0] for x in np.linspace(1.2, -1.2, 8)])
    both = twobone.solve_both(goals, 1.0, 1.0)
    followed = twobone.follow_branch(both, side=1).joint
    for x, joints, word in ((142.0, both[:, 0], "side=1"), (418.0, followed, "follow_branch")):
        place = on.stage((x, 140.0), 100.0, view=on.FRONT)
        deep = [np.append(v, 0.0) for v in joints]
        ends = [np.append(v, 0.0) for v in goals]
        root = np.zeros(3)
        parts.append(on.path(place, "circle joint dashed", *deep))
        for i, (joint, goal) in enumerate(zip(deep, ends, strict=True)):
            parts.append(on.faint(place, (root, joint, goal), 0.25 + 0.06 * i))
            parts.append(canvas.circle("mark target", place.at(goal), 3.0))
        parts += [on.bones(place, (root, deep[-1], ends[-1])), on.target(place, ends[-1])]
        parts.append(on.code((x, 304.0 - BASE), word))
    return on.page(
        "Which of the two solutions",
        "A target passes through the root from right to left. With a fixed side the joint jumps"
        " from above to below; followed from frame to frame it stays above.",
        (WIDTH, 304.0),
        parts,
    )


# --- matrices -----------------------------------------------------------------------------


def corrections():
    """Draw the two corrections of `correct_limb`."""
    place = on.stage((236.0, 36.0), 300.0, centre=LEG.rest.positions[1])
    still = [0.0, 0.0, 0.0, 1.0]
    pose = np.array([still, about([1, 0, 0], 16.0), about([1, 0, 0], 22.0), still, still])
    pose = LocalPose(pose)
    before = LEG.to_global(pose)
    s, m, e = (matrix(before.positions[j], before.rotations[j]) for j in (1, 2, 3))
    goal = at(0.46, 0.34)
    found = twobone.correct_limb(s, m, e, goal, pole=FORWARD, mid_axis=LIMB.mid_axis)
    new = pose.rotations.copy()
    for joint, q in ((1, found.start), (2, found.mid)):
        new[joint] = multiply(new[joint], q)
    after = LEG.to_global(LocalPose(new))
    old, now = positions(before), positions(after)
    half = pose.rotations.copy()
    half[1] = new[1]
    swung = positions(LocalPose(half))
    parts = [
        on.path(place, "line hushed dotted", swung[1], swung[2]),
        on.bones(place, old, ghost=True),
        on.angle(place, "first", on.Angle(old[0], old[1] - old[0], now[1] - now[0]), 64.0),
        on.angle(place, "second", on.Angle(now[1], swung[2] - now[1], now[2] - now[1]), 64.0),
        on.bones(place, now),
        on.target(place, goal),
        on.say(on.beside(place.at(now[0]), -14.0, 6.0), "ink", "S", anchor="end"),
        on.say(on.beside(place.at(now[1]), 8.0, -14.0), "joint", "M", anchor="start"),
        on.say(on.beside(place.at(now[2]), 16.0, 6.0), "target", "E", anchor="start"),
        on.say(
            on.beside(place.at(now[0]), 40.0, 84.0),
            "first",
            "start",
            anchor="start",
            classes="code",
        ),
        on.say(
            on.beside(place.at(now[1]), 66.0, 50.0), "second", "mid", anchor="start", classes="code"
        ),
    ]
    return on.page(
        "Two corrections",
        "The first rotates the start joint and all of its children; the second rotates the hinge.",
        (WIDTH, 304.0),
        parts,
    )


def aim():
    """Draw a foot on a slope and a hand along a handle."""
    parts = []
    normal = np.array([0.0, math.cos(0.42), -math.sin(0.42)])
    along = np.cross(np.array([1.0, 0.0, 0.0]), normal)
    place = on.stage((142.0, 196.0), 250.0, centre=at(0.1, 0.3))
    touch = at(0.1, 0.24)
    posed = LIMB.reach(REST, touch + 0.07 * normal, pole=FORWARD)
    pose = LEG.to_global(posed.pose)
    found = twobone.correct_aim(
        matrix(pose.positions[3], pose.rotations[3]), direction=normal, forward=UP
    )
    new = posed.pose.rotations.copy()
    new[3] = multiply(new[3], found.correction)
    ghost = foot(place, pose, classes="mark hushed other")
    parts += [
        ground(place, touch - 0.4 * along, touch + 0.42 * along),
        ghost,
        leg(place, LocalPose(new)),
    ]
    parts.append(on.arrow(place, "across", touch + 0.3 * along, normal, 0.22))
    tip = place.at(touch + 0.3 * along + 0.22 * normal)
    parts.append(
        on.say(on.beside(tip, 10.0, 6.0), "across", "direction", classes="code", anchor="start")
    )

    place = on.stage((418.0, 160.0), 250.0, centre=at(0.1, 0.4))
    bar = np.array([0.0, math.cos(0.5), math.sin(0.5)])
    hold = at(0.36, 0.42)
    arm = [at(-0.16, 0.62), at(0.02, 0.30), hold]
    hand = np.array(
        [[0, 0.03, -0.02], [0, 0.03, 0.1], [0, 0.01, 0.13], [0, -0.03, 0.1], [0, -0.03, -0.02]]
    )
    still = np.array([0.0, 0.0, 0.0, 1.0])
    found = twobone.correct_aim(matrix(hold, still), direction=bar, forward=FORWARD)
    parts.append(on.path(place, "bone around hushed other", hold - 0.32 * bar, hold + 0.3 * bar))
    parts.append(on.solid(place, "mark hushed other", *(hold + hand)))
    parts.append(on.bones(place, arm))
    parts.append(on.solid(place, "mark hushed", *(hold + rotated(found.correction, hand))))
    parts.append(on.arrow(place, "across", hold + 0.36 * bar, bar, 0.12))
    parts.append(on.say((142.0, 320.0 - BASE), "hushed", "a foot on a slope"))
    parts.append(on.say((418.0, 320.0 - BASE), "hushed", "a hand along a handle"))
    return on.page(
        "Aiming the last joint",
        "A foot stands on a slope: its up axis is aligned with the normal of the slope."
        " A hand is aligned with a handle.",
        (WIDTH, 320.0),
        parts,
    )


def plane():
    """Draw a limb in the plane and its mirror image."""
    parts = []
    for x, mirror in ((142.0, 1.0), (418.0, -1.0)):
        place = on.stage((x - 112.0 * mirror, 216.0), 126.0, view=on.FRONT)
        base = np.diag([mirror, 1.0, 1.0])
        mid, end = (base @ translation_matrix(*v) for v in ((1.0, 0.0), (1.8, 0.0)))
        goal = base[:2, :2] @ [0.6, 1.15]
        found = twobone.correct_limb(base, mid, end, goal, mid_axis=-1.0)
        s = base @ rotation_matrix(found.start)
        m = s @ np.linalg.inv(base) @ mid @ rotation_matrix(found.mid)
        e = m @ np.linalg.inv(mid) @ end
        old = [np.append(v[:2, 2], 0.0) for v in (base, mid, end)]
        now = [np.append(v[:2, 2], 0.0) for v in (s, m, e)]
        straight = now[1] + (now[1] - now[0])
        parts += [
            on.bones(place, old, ghost=True),
            on.angle(place, "first", on.Angle(now[0], old[1], now[1]), 52.0),
        ]
        parts.append(
            on.path(place, "line hushed dotted", now[1], now[1] + 0.5 * (straight - now[1]))
        )
        bent = on.Angle(now[1], straight - now[1], now[2] - now[1])
        parts.append(on.angle(place, "second", bent, 52.0))
        parts += [on.bones(place, now), on.target(place, np.append(goal, 0.0))]
        angles = [f"{math.degrees(v):+.0f}\N{DEGREE SIGN}" for v in (found.start, found.mid)]
        parts.append(on.code((x, 288.0 - BASE), ", ".join(angles)))
    return on.page(
        "In the plane", "A limb and its mirror image: the same two angles.", (WIDTH, 288.0), parts
    )


def translation_matrix(x, y):
    """Return the 3x3 matrix of a translation."""
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def rotation_matrix(angle):
    """Return the 3x3 matrix of a rotation."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


DRAWN = (end, weights, limits, twist, policies, controls, branches, corrections, aim, plane)
