"""Pictures of docs/limbs.md, drawn from results of the library; make_pictures.py calls it."""

import math

import limb_options
import numpy as np
from limb_figure import (
    BASE,
    FORWARD,
    LEG,
    LIMB,
    REST,
    STRAIGHT,
    UP,
    WIDTH,
    at,
    ground,
    leg,
    positions,
    rotated,
)

import twobone
from twobone.pictures import canvas
from twobone.pictures import stage as on
from twobone.pose import LocalPose


def pictures():
    """Return the text of every picture by its file name."""
    drawn = (step, axis, pole, comb, fade, *limb_options.DRAWN)
    return {f"limb-{draw.__name__}.svg": draw() for draw in drawn}


# --- quick start --------------------------------------------------------------------------


def step():
    """Draw the foot on a step of the quick start."""
    place = on.stage((236.0, 452.0), 258.0)
    target = at(0.35, 0.27)
    new = LIMB.reach(REST, target, pole=FORWARD).pose
    dim = "bone inside hushed other"
    parts = [
        ground(place, at(-0.62), at(0.2), at(0.2, 0.2), at(0.9, 0.2)),
        on.path(place, dim, at(0.0, 0.98), at(0.01, 1.40)),
        on.path(place, dim, at(0.01, 1.38), at(-0.13, 1.14), at(-0.06, 0.88)),
        canvas.circle("mark hushed other", place.at(at(0.03, 1.54)), 0.1 * 258.0),
        leg(place, REST, ghost=True),
        leg(place, new),
        on.target(place, target),
    ]
    start, mid, tip = (place.at(point) for point in positions(new))
    parts += [
        on.arrow(place, "across", positions(new)[0], FORWARD, 0.36),
        on.say(on.beside(start, 100.0, 5.0), "across", "pole", anchor="start"),
        on.say(on.beside(start, -16.0, 5.0), "ink", "start", anchor="end"),
        on.say(on.beside(mid, 16.0, 5.0), "joint", "mid", anchor="start"),
        on.say(on.beside(tip, 20.0, -6.0), "target", "target", anchor="start"),
    ]
    return on.page(
        "A foot on a step",
        "A leg from its start joint: its end is at a target on a step, and its joint bends towards"
        " the pole. The rest pose is drawn as a ghost; the rest of the figure does not move.",
        (WIDTH, 496.0),
        parts,
    )


# --- the plane it bends in ----------------------------------------------------------------


def axis():
    """Draw the hinge axis of a leg that is straight in its rest pose."""
    parts, rest, lifted = [], LocalPose(STRAIGHT.rotations), at(0.12, 0.42)
    limb = twobone.Limb(STRAIGHT, 1, 2, 3, bend_towards=FORWARD)
    back = twobone.Limb(STRAIGHT, 1, 2, 3, bend_towards=-FORWARD)
    for x, pose in ((150.0, rest), (410.0, limb.reach(rest, lifted).pose)):
        place = on.stage((x, 152.0), 230.0, view=(34.0, 14.0), centre=(-0.1, 0.55, 0.0))
        knee = positions(pose, STRAIGHT)[1]
        hinge = rotated(STRAIGHT.to_global(pose).rotations[2], limb.mid_axis)
        if pose is not rest:
            ghost = back.reach(rest, lifted).pose
            parts.append(on.bones(place, positions(ghost, STRAIGHT), ghost=True))
        parts.append(on.path(place, "circle ink", knee - 0.22 * hinge, knee + 0.22 * hinge))
        parts.append(leg(place, pose, skeleton=STRAIGHT))
        if pose is rest:
            parts.append(on.arrow(place, "across", knee + 0.05 * FORWARD, FORWARD, 0.27))
            end = place.at(knee + 0.33 * FORWARD)
            parts.append(
                on.say(
                    on.beside(end, -38.0, 26.0),
                    "across",
                    "bend_towards",
                    classes="code",
                    anchor="start",
                )
            )
            end = on.beside(place.at(knee - 0.22 * hinge), 4.0, -6.0)
            parts.append(on.say(end, "ink", "mid_axis", classes="code", anchor="start"))
        else:
            parts.append(on.target(place, lifted))
    parts += [
        on.say((150.0, 328.0 - BASE), "hushed", "rest pose"),
        on.say((410.0, 328.0 - BASE), "hushed", "reached"),
    ]
    return on.page(
        "The hinge axis",
        "A leg that is straight in its rest pose could bend both ways. The direction in which the"
        " knee moves defines the axis of the hinge, perpendicular to the leg.",
        (WIDTH, 328.0),
        parts,
    )


def pole():
    """Draw a pole vector and a pole target."""
    parts, point = [], np.array([0.0, 0.5, 0.75])
    for x, word in ((144.0, "pole"), (416.0, "pole_point")):
        place = on.stage((x, 140.0), 226.0, view=(66.0, 24.0), centre=(0.0, 0.38, 0.2))
        if word != "pole":
            parts.append(canvas.circle("mark across", place.at(point), 6.0))
        for where in (-0.4, 0.0, 0.4):
            moved = np.zeros((5, 3))
            moved[0] = [where + 0.1, -0.25, 0.0]
            crouch = LocalPose(LEG.rotations, LEG.offsets + moved)
            given = {"pole": FORWARD} if word == "pole" else {"pole_point": point}
            new = LIMB.reach(crouch, [where, 0.07, 0.0], **given).pose
            knee = positions(new)[1]
            if word == "pole":
                parts.append(on.arrow(place, "across", knee + 0.06 * FORWARD, FORWARD, 0.26))
            else:
                line = place.at(point) - place.at(knee)
                tip = place.at(point) - line * (12.0 / np.hypot(*line))
                parts.append(canvas.line("circle across dashed", place.at(knee), tip))
            parts.append(leg(place, new))
        parts.append(on.code((x, 296.0 - BASE), word))
    return on.page(
        "A pole vector is a direction, a pole target is a point",
        "Three crouching legs side by side: with a pole vector their knees are parallel, with a"
        " pole target they converge on it.",
        (WIDTH, 296.0),
        parts,
    )


# --- where the knee pops ------------------------------------------------------------------

VIEW = (52.0, 30.0)
FAR = 0.62  # distance of targets from the hip


def knees(directions, **given):
    """Return the direction of the knee from the line to the target, and the conditioning."""
    hip = LEG.rest.positions[1]
    posed = LIMB.reach(REST, hip + FAR * directions, **given)
    knee = positions(posed.pose)[:, 1] - hip
    side = knee - np.sum(knee * directions, axis=-1, keepdims=True) * directions
    return side / np.linalg.norm(side, axis=-1, keepdims=True), posed.conditioning


def sphere(count):
    """Return evenly distributed directions."""
    k = np.arange(count) + 0.5
    y, angle = 1.0 - 2.0 * k / count, k * math.pi * (3.0 - math.sqrt(5.0))
    r = np.sqrt(1.0 - y * y)
    return np.stack([r * np.cos(angle), y, r * np.sin(angle)], axis=-1)


def loop(first, second, count):
    """Return directions on a circle through two given ones."""
    middle = first + second + 0.9 * np.cross(first, second)
    middle /= np.linalg.norm(middle)
    across = first - np.dot(first, middle) * middle
    cos, sin = np.dot(first, middle), np.linalg.norm(across)
    across /= sin
    angle = np.radians(290.0) + np.linspace(0.0, 2.0 * math.pi, count)[:, None]
    circle = np.cos(angle) * across + np.sin(angle) * np.cross(middle, across)
    return cos * middle + sin * circle


def comb():
    """Draw where the knee points for all directions of the target, for each `bend`."""
    parts, wide = [], 40.0
    sine = 0.5 * math.sin(math.radians(wide))  # where pole and rest pose have equal weight
    beside = math.sqrt(1.0 - sine * sine) * FORWARD + sine * UP
    above = LEG.rest.positions[1] - LEG.rest.positions[3]
    above = above / np.linalg.norm(above)
    for x, word in ((98.0, "pole"), (280.0, "rest"), (462.0, "transport")):
        place = on.stage((x, 106.0), 82.0, view=VIEW)
        parts.append(canvas.circle("ring", place.at(np.zeros(3)), 82.0))
        if word == "transport":
            spread = loop(beside, above, 145)
            parts.append(on.path(place, "line hushed", *spread))
            side, long = knees(spread, bend="transport")[0], 0.24
            spread, side = spread[::4], side[::4]
        else:
            spread = sphere(560)
            spread = spread[[place.toward(v) > 0.1 for v in spread]]
            given = {"pole": FORWARD, "fade_degrees": wide} if word == "pole" else {}
            side, long = knees(spread, **given)[0], 0.16
        hairs = [
            canvas.path_data(place.at(v), place.at(v + long * s))
            for v, s in zip(spread, side, strict=True)
        ]
        roots = [canvas.status_shape(0, place.at(v), 1.4) for v in spread]
        parts.append(f'<path class="line across" d="{"".join(hairs)}"/>')
        parts.append(f'<path class="mark across" d="{"".join(roots)}"/>')
        if word == "transport":
            for v, s in ((spread[0], side[0]), (spread[-1], side[-1])):
                parts.append(on.path(place, "bone inside across", v, v + 1.4 * long * s))
            parts.append(canvas.circle("mark ink", place.at(spread[0]), 4.0))
        jumps = {"pole": (beside,), "rest": (above,), "transport": (beside, above)}[word]
        dashed = " dashed other" if word == "transport" else ""
        parts += [canvas.circle(f"circle joint{dashed}", place.at(jump), 11.0) for jump in jumps]
        parts.append(on.code((x, 240.0 - BASE), f'"{word}"'))
    return on.page(
        "Where the knee points, for all directions of the target",
        "Each hair is on a sphere around the hip, at the direction of a target, and points to where"
        ' the knee is. With "pole" and "rest" there is a whorl; with "transport" the hairs follow a'
        " loop through both whorls without a jump, and do not match where the loop closes.",
        (WIDTH, 240.0),
        parts,
    )


def fade():
    """Plot where the knee points as a target passes through the pole's axis."""
    left, right, top, bottom, low, high = 88.0, 528.0, 44.0, 220.0, 248.0, 296.0
    angles = np.linspace(-60.0, 60.0, 241)
    directions = np.radians(angles)
    directions = np.stack([np.sin(directions), 0.0 * angles, np.cos(directions)], axis=-1)

    def px(x, fraction, y0=top, y1=bottom):
        return left + (x + 60.0) / 120.0 * (right - left), y1 - fraction * (y1 - y0)

    parts = []
    for x in (-60, -30, 0, 30, 60):
        parts.append(canvas.line("line hushed other", px(x, 1.0), px(x, 0.0, low, high)))
        sign = "\N{MINUS SIGN}" if x < 0 else ""
        parts.append(
            on.say((px(x, 0.0)[0], high + 22.0), "hushed", f"{sign}{abs(x)}\N{DEGREE SIGN}")
        )
    for level, word in ((1.0, "right"), (0.5, "up"), (0.0, "left")):
        parts.append(canvas.line("line hushed other", px(-60, level), px(60, level)))
        parts.append(on.say((left - 12.0, px(0, level)[1] + 5.0), "joint", word, anchor="end"))
    for level, word in ((1.0, "1"), (0.0, "0")):
        parts.append(
            canvas.line("line hushed other", px(-60, level, low, high), px(60, level, low, high))
        )
        parts.append(
            on.say((left - 12.0, px(0, level, low, high)[1] + 5.0), "across", word, anchor="end")
        )
    for degrees, classes in ((1.0, "dashed"), (10.0, ""), (40.0, "dotted")):
        side, sine = knees(directions, pole=FORWARD, fade_degrees=degrees)
        across = np.cross(directions, UP)
        heading = np.degrees(np.arctan2(np.sum(side * across, axis=-1), side[:, 1]))
        points = [px(x, 0.5 + h / 180.0) for x, h in zip(angles, heading, strict=True)]
        parts.append(canvas.line(f"circle joint {classes}", *points))
        full = px(degrees, 1.0)
        parts.append(canvas.circle("mark joint", full, 3.0))
        parts.append(on.say((full[0] + 3.0, top - 12.0), "joint", f"{degrees:.0f}\N{DEGREE SIGN}"))
    points = [px(x, s, low, high) for x, s in zip(angles, sine, strict=True)]
    parts.append(canvas.line("circle across", *points))
    word = px(0, 0.6, low, high)
    parts.append(on.say(word, "across", "conditioning", classes="code halo"))
    return on.page(
        "How a pole fades",
        "A target passes through the axis of the pole. Above: where the knee points, for"
        " fade_degrees of 1, 10 and 40; the smaller, the faster the knee rolls."
        " Below: the conditioning, the sine of the angle between pole and target direction.",
        (WIDTH, 336.0),
        parts,
    )
