"""Pictures of docs/robots.md, drawn from results of the library; make_pictures.py calls it."""

import math

import numpy as np

from twobone import robots
from twobone.pictures import canvas
from twobone.pictures import stage as on
from twobone.robots.posture import stand

WIDTH = 560.0  # px: text stays legible on a phone
BASE = 24.0  # px from the bottom of a picture to the baseline of the panels' captions
JOINT = '<joint name="{0}" type="{1}"><parent link="{0}"/><child link="{2}"/>'
JOINT += '<origin xyz="{3}"/><axis xyz="{4}"/></joint>'
AHEAD, LEFT, UP = np.eye(3)  # the axes of a robot: x forward, y to the left, z up
OFFSET = 0.13
LEG = (("0 0 0", AHEAD), (f"0 {OFFSET} 0", LEFT), ("0 0 -0.22", LEFT), ("0 0 -0.2", None))
ARM = (
    ("0 0 0.06", UP),
    ("0.03 0 0.05", -LEFT),
    ("0.13 0 0", -LEFT),
    ("0.13 0 0", -LEFT),
    ("0.1 0 0", None),
)


def limb(steps, rest):
    """Return a limb with joints at these places, about these axes."""
    text = "".join(f'<link name="{i}"/>' for i in range(len(steps) + 1))
    for i, (place, axis) in enumerate(steps):
        kind = "fixed" if axis is None else "continuous"
        turn = " ".join(map(str, UP if axis is None else axis))
        text += JOINT.format(i, kind, i + 1, place, turn)
    return robots.read_urdf(f"<robot>{text}</robot>").limb(str(len(steps)), rest=rest)


def world(point):
    """Return a point of a robot in the world of a stage, whose y is up and z forward."""
    return np.array([point[1], point[2], point[0]])


def joints(made, angles):
    """Return the hips, where the bones of a limb begin, its knee and its tip."""
    rest = dict(zip(made.joint_names, angles, strict=True))
    posed = stand(limb(LEG, [rest[name] for name in made.joint_names]))
    return [world(point) for point in (posed.root, posed.knee, posed.foot)]


def pictures():
    """Return the text of every picture by its file name."""
    return {f"robot-{draw.__name__}.svg": draw() for draw in (axes, front, branches, arm)}


# --- a leg --------------------------------------------------------------------------------


def axes():
    """Draw a leg with its axes."""
    rest = [0.2, -0.35, 1.0]
    made = limb(LEG, rest)
    place = on.stage((160.0, 144.0), 760.0, view=(42.0, 24.0))
    hip, knee, foot = joints(made, rest)
    turned = world([0.0, math.cos(rest[0]), math.sin(rest[0])])
    around = world(AHEAD)
    origin = np.zeros(3)
    parts = [
        on.path(place, "line hushed dashed", -0.1 * around, 0.4 * around),
        on.path(place, "line hushed dashed", hip, hip + 0.09 * turned),
        on.path(place, "line hushed dashed", knee - 0.1 * turned, knee + 0.12 * turned),
        on.path(place, "bone hushed inside", origin, hip),
        on.bones(place, [hip, knee, foot]),
        canvas.square("mark root", place.at(origin), 6.0),
        on.target(place, foot),
    ]
    for start, direction, name in (
        (0.4 * around, around, "a"),
        (hip + 0.09 * turned, turned, "b"),
        (knee + 0.12 * turned, turned, "b"),
    ):
        parts.append(on.arrow(place, "ink", start, direction, 0.04))
        tip = place.at(start + 0.07 * direction)
        parts.append(on.say(on.beside(tip, 0.0, 7.0), "ink", name, classes="symbol"))
    parts.append(on.say(on.beside(place.at(foot), 20.0, 6.0), "target", "foot", anchor="start"))
    return on.page(
        "The axes of a leg",
        "The first joint rotates about an axis a. The thigh and the shin rotate about two parallel"
        " axes b, which are perpendicular to a and rotate with the first joint.",
        (WIDTH, 384.0),
        parts,
    )


def front():
    """Draw the two angles of the first joint, seen along its axis."""
    made = limb(LEG, [0.0, 0.8, -1.6])
    place = on.stage((200.0, 150.0), 720.0, view=on.FRONT)
    foot = np.array([0.0, 0.28, -0.15])
    found = made.solve_all(foot).angles[[0, 2], 0]
    at, centre = world(foot), np.zeros(3)
    parts = [
        canvas.circle("circle hushed", place.at(centre), OFFSET * 720.0),
        on.path(place, "line ink dashed", centre, at),
    ]
    for i, angle in enumerate(found):
        hip = world([0.0, OFFSET * math.cos(angle), OFFSET * math.sin(angle)])
        drawn = on.path(place, "bone inside ink", centre, hip)
        drawn += on.path(place, "bone inside across", hip, at)
        drawn += canvas.circle("mark ink edge", place.at(hip), 6.0)
        parts.append(drawn if i == 0 else f'<g class="other">{drawn}</g>')
        if i == 0:
            marked = on.Angle(centre, world(LEFT), hip)
            parts.append(on.angle(place, "joint", marked, 56.0))
            middle = place.at(0.5 * (hip + at))
            parts.append(on.say(on.beside(middle, 14.0, 8.0), "across", "s", classes="symbol"))
            middle = place.at(0.55 * hip)
            parts.append(on.say(on.beside(middle, 4.0, -12.0), "ink", "d", classes="symbol"))
    parts += [
        on.path(place, "line hushed dashed", centre, 0.21 * world(LEFT)),
        on.say(on.beside(place.at(0.21 * world(LEFT)), 12.0, 5.0), "hushed", "b", classes="symbol"),
        on.say(on.beside(place.at(0.55 * at), -12.0, 22.0), "ink", "r", classes="symbol"),
        canvas.square("mark root", place.at(centre), 6.0),
        on.say(on.beside(place.at(centre), -12.0, -10.0), "ink", "a", classes="symbol"),
        on.target(place, at),
        on.say(on.beside(place.at(at), 20.0, 6.0), "target", "foot", anchor="start"),
    ]
    return on.page(
        "The first joint",
        "Seen along the first axis, the foot is at the distance r from it. The leg leaves the axis"
        " at the distance d and at a right angle, so that the rest of the way is s. There are two"
        " such angles: the other one is drawn faint.",
        (WIDTH, 312.0),
        parts,
    )


def branches():
    """Draw the four solutions of a leg."""
    made = limb(LEG, [0.0, 0.8, -1.6])
    foot = np.array([0.1, 0.17, -0.26])
    found = made.solve_all(foot)
    parts = []
    for i, angles in enumerate(found.angles):
        x, y = 110.0 + 280.0 * (i % 2), 84.0 + 262.0 * (i // 2)
        place = on.stage((x, y), 500.0, view=(40.0, 31.0))
        points = joints(made, angles)
        parts += [
            on.path(place, "line hushed dashed", -0.1 * world(AHEAD), 0.2 * world(AHEAD)),
            on.path(place, "bone hushed inside", np.zeros(3), points[0]),
            on.bones(place, points),
            canvas.square("mark root", place.at(np.zeros(3)), 6.0),
            on.target(place, world(foot)),
            on.code((x + 50.0, y + 162.0), f"branch {i}"),
        ]
    return on.page(
        "Four solutions",
        "The four branches of a leg for the same foot: with the knee to the front and to the back,"
        " and both with the first joint rotated so that the leg leaves the axis on the other side.",
        (WIDTH, 532.0),
        parts,
    )


# --- an arm -------------------------------------------------------------------------------


def arm():
    """Draw an arm, whose last bone the pitch determines."""
    made = limb(ARM, [0.0, 0.9, -0.8, -0.9])
    pitch = -1.1
    tip = np.array([0.22, 0.0, 0.05])
    solved = made.solve_all(tip, pitch=pitch).angles
    place = on.stage((120.0, 280.0), 980.0, view=on.SIDE)
    parts = [
        on.path(place, "line hushed", world([-0.06, 0, 0]), world([0.4, 0, 0])),
        on.path(place, "bone hushed inside", world([0, 0, 0]), world([0, 0, 0.11])),
        on.path(place, "bone hushed inside", world([0, 0, 0.11]), world([0.03, 0, 0.11])),
    ]
    tool = np.array([math.cos(pitch), 0.0, math.sin(pitch)])
    wrist = tip - 0.1 * tool
    for i in (1, 0):
        lift = solved[i, 1]
        shoulder = np.array([0.03, 0.0, 0.11])
        elbow = shoulder + 0.13 * np.array([math.cos(lift), 0.0, math.sin(lift)])
        points = [world(point) for point in (shoulder, elbow, wrist)]
        parts.append(on.bones(place, points, ghost=i == 1))
    parts += [
        on.path(place, "bone joint inside", world(wrist), world(tip)),
        canvas.circle("mark ink edge", place.at(world(wrist)), 7.0),
        on.path(place, "line hushed dashed", world(wrist), world(wrist + 0.11 * AHEAD)),
        on.angle(place, "joint", on.Angle(world(wrist), world(AHEAD), world(tool)), 52.0),
        on.target(place, world(tip)),
        on.say(on.beside(place.at(world(wrist)), 62.0, 30.0), "joint", "pitch", anchor="start"),
        on.say(on.beside(place.at(world(tip)), 20.0, 6.0), "target", "tip", anchor="start"),
        on.say(on.beside(place.at(world(wrist)), 4.0, -18.0), "ink", "p", classes="symbol"),
    ]
    return on.page(
        "An arm",
        "The pitch determines the direction of the last bone. Its other end, the target of the two"
        " bones before, follows from the tip; both elbows are possible.",
        (WIDTH, 330.0),
        parts,
    )
