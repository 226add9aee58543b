"""Pictures of docs/walking.md that show animals; make_pictures.py calls it."""

import numpy as np
import walk_plots
from walk_figure import (
    FRONT,
    TRUNK,
    animal,
    body,
    go,
    hills,
    hull,
    leg,
    moment,
    outline,
    page,
    profile,
    shadow,
    stances,
)

from twobone import creature
from twobone.creature import measures
from twobone.pictures import canvas
from twobone.pictures import stage as on

BASE = 24.0  # px from the bottom of a picture to the baseline of the panels' captions
PANELS = (98.0, 280.0, 462.0)


def pictures():
    """Return the text of every picture by its file name."""
    drawn = (parade, made, one_leg, footprints, levels, support, ways)
    names = {draw.__name__.replace("_", "-"): draw for draw in (*drawn, *walk_plots.DRAWN)}
    return {f"walk-{name}.svg": draw() for name, draw in names.items()}


# Each animal in a row of its own: px per metre, metres by which it is lower.
ZOO = {
    "insect": (32.0, 0.0),
    "spider": (34.0, 0.0),
    "crab": (42.0, 0.0),
    "dog": (112.0, 0.2),
    "horse": (58.0, 0.4),
    "bird": (78.0, 0.3),
    "human": (62.0, 0.4),
    "centipede": (32.0, 0.0),
}


def parade():
    """Draw all animals, each on hills of its size."""
    return page(
        "Eight animals on hills",
        "Insect, spider, crab, dog, horse, bird, human and centipede walk on hills. A leg has two"
        " bones and a third segment, on which it stands; each foot on the ground has a ring.",
        576.0,
        in_rows({creature.animal(name): place for name, place in ZOO.items()}),
        slim=3.5,
    )


# Measures as in docs/how-to/make-an-animal.md, and px per metre, metres by which it is lower.
MADE = (
    (
        "humanoid",
        (62.0, -0.35),
        {"legs": 2, "hips": 0.92, "hind": (0.445, 0.425, 0.155)} | {"ankles": 0.09, "width": 0.2},
    ),
    (
        "horse",
        (54.0, 0.1),
        {"legs": 4, "hips": 1.25, "trunk": 1.12, "hind": (0.45, 0.44, 0.47)}
        | {"fore": (0.40, 0.44, 0.45), "width": 0.34, "neck_length": 0.85},
    ),
    (
        "giraffe",
        (26.0, 0.0),
        {"legs": 4, "hips": (1.9, 2.3), "trunk": 1.4}
        | {"hind": (0.75, 0.7, 0.7), "fore": (0.75, 0.95, 0.8), "neck_length": 1.9},
    ),
    (
        "lizard",
        (340.0, 0.0),
        {"legs": 4, "hips": 0.06, "trunk": 0.18, "hind": (0.06, 0.06, 0.03)}
        | {"width": 0.06, "stance": 0.18, "tail_length": 0.25},
    ),
    (
        "alien",
        (68.0, 0.1),
        {"legs": 6, "hips": 0.9, "trunk": 1.5, "hind": (0.42, 0.42, 0.25)} | {"width": 0.4},
    ),
    (
        "another alien",
        (90.0, 0.0),
        {"legs": 6, "hips": 0.5, "trunk": 0.8, "hind": (0.5, 0.6)} | {"width": 0.3, "stance": 1.1},
    ),
)


def made():
    """Draw six animals that are made from measures."""
    kinds = {creature.make_animal(name, **measured): place for name, place, measured in MADE}
    return page(
        "Six animals made from measures",
        "A humanoid, a horse, a giraffe, a lizard, an alien with six legs below its trunk and one"
        " with six legs that stand out walk on hills.",
        384.0,
        in_rows(kinds),
        slim=3.5,
    )


def in_rows(kinds):
    """Draw animals in rows of three: each with its px per metre, metres by which it is lower."""
    parts = []
    for n, (kind, (scale, low)) in enumerate(kinds.items()):
        ground = creature.make_terrain(0.1, kind, seed=4)
        walk = go(creature.Walker(kind, ground), 3.0, 0.6 * kind.walking_speed, fps=30)
        it = moment(kind, walk, -1)
        x, y = PANELS[n % 3], 84.0 + 188.0 * (n // 3)
        centre = it.position - [0.0, low, 0.0]
        place = on.stage((x, y), scale, view=(40.0, 18.0), centre=centre)
        wide = 92.0 / scale
        parts += [
            f'<svg x="{x - 88.0}" y="{y - 84.0}" width="176" height="164"'
            f' viewBox="{x - 88.0} {y - 84.0} 176 164">',
            hills(place, ground.height, it.position[[0, 2]], wide, wide, rows=9, points=20),
            "</svg>",
            shadow(place, it, ground.height),
            animal(place, it),
            on.say((x, y + 92.0), "ink", kind.name),
        ]
    return parts


# --- a leg --------------------------------------------------------------------------------


def one_leg():
    """Draw the hind leg of a dog at three moments of a stance."""
    dog = creature.animal("dog")
    walker = creature.Walker(dog)
    go(walker, 3.0, 1.2)
    walk = go(walker, 2.0, 1.2, fps=120)
    (first, after) = stances(walk, 0)[1]
    parts = []
    for x, (word, share) in zip(
        PANELS, {"it lands": 0.0, "it bears": 0.5, "it peels off": 1.0}.items(), strict=True
    ):
        it = moment(dog, walk, first + round(share * (after - 1 - first)))
        hip, knee, ankle, foot = it.points[0]
        place = on.stage((x, 138.0), 158.0, centre=(0.0, 0.32, 0.5 * (hip + foot)[2]))
        z = 0.5 * (hip + foot)[2]
        floor = [np.array([0.0, 0.0, z + side]) for side in (-0.5, 0.5)]
        parts += [
            on.solid(place, "ring", *floor, *(p - np.array([0.0, 0.06, 0.0]) for p in floor[::-1])),
            on.path(place, "line hushed", *floor),
            on.path(place, "bone ink", ankle, foot),
            on.bones(place, (hip, knee, ankle)),
            canvas.circle("mark ink edge", place.at(ankle), 6.0),
            on.target(place, foot),
            on.say((x, 256.0 - BASE), "ink", word),
        ]
        if share == 0.5:
            at = place.at
            parts += [
                on.say(on.beside(at(hip), -14.0, 4.0), "ink", "hip", anchor="end"),
                on.say(on.beside(at(knee), 14.0, 2.0), "joint", "knee", anchor="start"),
                on.say(on.beside(at(ankle), -14.0, 2.0), "ink", "ankle", anchor="end"),
                on.say(on.beside(at(foot), -18.0, -6.0), "target", "foot", anchor="end"),
            ]
    return page(
        "A leg in a stance",
        "The hind leg of a dog as it lands, bears and peels off. Two bones go from hip to ankle; a"
        " third segment turns about the foot, which does not move.",
        256.0,
        parts,
    )


def footprints():
    """Draw footprints of an insect along a ditch, from above."""
    low, high = 2.4, 3.3

    def ditch(x, z):
        return np.where((z > low) & (z < high), -3.0, 0.0) + 0.0 * x

    insect = creature.animal("insect")
    walk = go(creature.Walker(insect, ditch), 7.0, 1.1)
    place = on.stage((280.0, 150.0), 54.0, view=on.ABOVE, centre=(0.0, 0.0, 2.9))
    sides = [np.array([x, 0.0, z]) for x, z in ((-2.6, low), (2.6, low), (2.6, high), (-2.6, high))]
    parts = [on.solid(place, "ring", *sides)]
    middle = int(np.argmin(np.abs(walk.body_position[:, 2] - 2.9)))
    parts.append(f'<g opacity=".3">{animal(place, moment(insect, walk, middle), ring=False)}</g>')
    for k in range(6):
        for a, _ in stances(walk, k):
            foot = walk.feet[a, k]
            if foot[2] - 1.0 > -1.4 and foot[2] < 7.0:
                parts.append(canvas.circle("mark target", place.at(foot), 4.0))
    return page(
        "Footprints beside a ditch",
        "Footprints of an insect that crosses a ditch, from above: no foot stands in it or on its"
        " edge.",
        300.0,
        parts,
    )


# --- the body -----------------------------------------------------------------------------


def levels():
    """Draw a dog and the line of its trunk before, on and behind a hill."""

    def hill(x, z):
        return 0.34 * np.exp(-(((z - 2.2) / 0.75) ** 2)) + 0.02 * np.sin(7.0 * z) + 0.0 * x

    dog = creature.animal("dog")
    walker = creature.Walker(dog, hill, position=(0.0, 0.0))
    walk = go(walker, 6.0, 0.8)
    place = on.stage((280.0, 132.0), 112.0, centre=(0.0, 0.4, 2.2))
    parts = [profile(place, hill, -0.1, 4.5, deep=0.3, count=140)]
    for z in (0.65, 2.2, 3.75):
        frame = int(np.argmin(np.abs(walk.body_position[:, 2] - z)))
        parts.append(animal(place, moment(dog, walk, frame), nodes=FRONT))
        parts.append(on.path(place, "circle across", *walk.stations[frame]))
    parts.append(on.path(place, "circle across dashed", *walk.stations[::4, 0]))
    return page(
        "Each station follows its own feet",
        "A dog before, on and behind a hill. The line of its trunk has a station over the hind feet"
        " and one over the fore feet; dashed: the way of the rear station.",
        232.0,
        parts,
        slim=4.0,
    )


def support():
    """Draw support polygons at the moments of minimum margin."""
    shown = {
        "insect": (creature.animal("insect"), 38.0),
        "crab": (creature.animal("crab"), 44.0),
        "dog, trotting": (creature.animal("dog").with_gait("trot"), 128.0),
    }
    parts = []
    for x, (word, (kind, scale)) in zip(PANELS, shown.items(), strict=True):
        walker = creature.Walker(kind)
        speed = 0.7 * kind.walking_speed
        go(walker, 3.0, speed)
        walk = go(walker, 2.0, speed, fps=120)
        margin = measures.static_margin(walk.body_position, walk.feet, walk.stance)
        two = np.sum(walk.stance, axis=1) > 1
        frame = int(np.argmin(np.where(two, margin, np.inf)))
        it = moment(kind, walk, frame)
        place = on.stage((x, 116.0), scale, view=on.ABOVE, centre=it.position)
        middle = place.at(it.position)
        down = hull([place.at(foot) for foot in it.feet[it.stance]])
        size = margin[frame] / kind.length
        thing = "target" if size > 0.0 else "too-far"
        parts += [
            f'<g opacity=".22">{body(place, it, nodes=TRUNK)}</g>',
            outline(f"wash {thing}", down),
            outline(f"circle {thing}", down),
            *(leg(place, it, k) for k in range(len(it.points))),
            canvas.line(f"circle {thing}", middle, _nearest(middle, down)),
            canvas.circle(f"mark {thing} edge", middle, 6.0),
            on.say((x, 264.0 - 2.0 * BASE), "ink", word),
            on.say((x, 264.0 - BASE), f"number {thing}", f"{canvas.quantity(size)} of the leg"),
        ]
    return page(
        "Support polygons at their worst moment",
        "From above: the convex hull of the feet on the ground, the middle of the body and its"
        " distance to the nearest edge. An insect and a crab are inside; a dog that trots on two"
        " feet is not.",
        264.0,
        parts,
    )


def _nearest(point, corners):
    """Return the nearest point on the boundary of a polygon."""
    found = []
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        a, b = np.array(a), np.array(b)
        t = np.clip(np.dot(point - a, b - a) / np.dot(b - a, b - a), 0.0, 1.0)
        found.append(a + t * (b - a))
    return min(found, key=lambda p: float(np.hypot(*(p - point))))


# --- directions ---------------------------------------------------------------------------


def ways():
    """Draw animals that turn on the spot, walk sideways and walk backwards."""
    told = {
        "on the spot": ("spider", 3.0, (0.0, 0.0), 0.7),
        "sideways": ("crab", 2.6, (0.9, 0.0), 0.0),
        "backwards": ("insect", 2.2, (0.0, -1.0), 0.15),
    }
    parts = []
    for x, (word, (name, seconds, velocity, turn)) in zip(PANELS, told.items(), strict=True):
        kind = creature.animal(name)
        walk = go(creature.Walker(kind), seconds, velocity, turn)
        first, last = moment(kind, walk, 0), moment(kind, walk, -1)
        centre = 0.5 * (first.position + last.position)
        scale = {"spider": 38.0, "crab": 36.0, "insect": 26.0}[name]
        place = on.stage((x, 128.0), scale, view=on.ABOVE, centre=centre)
        for k in range(len(first.points)):
            prints = [walk.feet[a, k] for a, _ in stances(walk, k)]
            parts.append(on.path(place, "line target other", *prints))
            parts += [canvas.circle("mark target other", place.at(p), 2.4) for p in prints]
        parts += [body(place, first, nodes=TRUNK, ghost=True), animal(place, last)]
        parts.append(on.say((x, 288.0 - BASE), "ink", word))
    return page(
        "On the spot, sideways, backwards",
        "From above: a spider turns, a crab walks to its left, an insect walks backwards. Dashed:"
        " where they started; dots: footprints.",
        288.0,
        parts,
        slim=3.0,
    )
