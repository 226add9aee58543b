"""Pictures of docs/walking.md that show animals; make_pictures.py calls it."""

import functools

import numpy as np
import walk_plots
from walk_figure import (
    FRONT,
    TRUNK,
    Moment,
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
    turned_back,
    with_gait,
)

import twobone
from twobone import creature
from twobone.creature import measures
from twobone.pictures import canvas, figure
from twobone.pictures import stage as on

BASE = 24.0  # px from the bottom of a picture to the baseline of the panels' captions
PANELS = (98.0, 280.0, 462.0)


def pictures():
    """Return the text of every picture by its file name."""
    drawn = (parade, rough, one_leg, foothold, ditch, body_plane, support, ways, shove, animals)
    names = {draw.__name__.replace("_", "-"): draw for draw in (*drawn, *walk_plots.DRAWN)}
    return {f"walk-{name}.svg": draw() for name, draw in names.items()}


# Animals in the order of their depth, far ones first: the length of their legs and where they are,
# to the right and towards the viewer, in metres of the picture.
PARADE = {
    "crab": (0.62, -2.1, -2.3),
    "spider": (0.78, 1.2, -2.4),
    "insect": (0.85, -0.9, -0.35),
    "bird": (0.95, 2.5, -0.6),
    "centipede": (0.5, -1.75, 1.75),
    "dog": (1.15, 1.75, 2.05),
}
HIGH, LONG = 0.32, 5.2  # metres: root mean square and length of the hills below the parade


def parade():
    """Draw the six animals as they walk over the same hills."""
    ground = creature.Noise(HIGH, LONG, 12)
    place = on.stage((280.0, 210.0), 80.0, view=(78.0, 27.0))
    parts = [hills(place, ground.height, np.zeros(2), 4.4, 4.6)]
    for name, (long, aside, near) in PARADE.items():
        it = _in_parade(name, ground, long, np.array([aside, near]))
        parts += [shadow(place, it, ground.height), animal(place, it)]
    return page(
        "Six animals on hills",
        "A spider, an insect, a crab, a centipede, a dog and a bird walk over the same hills. Each"
        " of their legs is two bones; each foot on the ground has a ring.",
        344.0,
        parts,
        slim=3.5,
    )


def _in_parade(name, ground, long, end):
    """Return an animal that has walked to a point, to the right, with legs of another length."""
    kind, seconds = creature.animal(name), 3.0
    size = float(np.max(kind.legs.bones.sum(axis=1))) / long
    speed = 0.6 * kind.speed
    sideways = name == "crab"

    def height(x, z):
        return size * ground.height(x / size, z / size)

    start = size * end - [speed * (seconds - 0.2), 0.0]
    walker = creature.Walker(kind, height, position=start, heading=0.0 if sideways else 0.5 * np.pi)
    walk = go(walker, seconds, (speed, 0.0) if sideways else speed)
    small = kind._replace(legs=kind.legs._replace(bones=kind.legs.bones / size))
    it = moment(small, walk, -1)
    scaled = {part: getattr(it, part) / size for part in ("position", "hips", "knees", "feet")}
    return it._replace(**scaled)


def rough():
    """Draw an insect on rough ground."""
    insect = creature.animal("insect")
    ground = creature.make_terrain(0.15, insect, seed=4)
    walk = go(creature.Walker(insect, ground), 4.0, 1.0, 0.1, fps=30)
    it = moment(insect, walk, -1)
    place = on.stage((276.0, 168.0), 62.0, view=(52.0, 26.0), centre=it.position)
    parts = [
        hills(place, ground.height, it.position[[0, 2]], 5.2, 5.0),
        shadow(place, it, ground.height),
        animal(place, it),
    ]
    return page(
        "An insect on rough ground",
        "Six legs of two bones each carry a body over hills; each foot on the ground has a ring.",
        344.0,
        parts,
        slim=5.0,
    )


# --- a leg --------------------------------------------------------------------------------


LEGS = {  # hip, foot, pole: (to the right, up) on the page
    "pole forward": ((0.0, 1.0), (0.25, 0.0), (1.0, 0.3)),
    "pole back": ((0.0, 1.0), (0.25, 0.0), (-1.0, 0.0)),
    "pole up": ((-0.45, 0.5), (0.6, 0.0), (0.1, 1.0)),
}


def one_leg():
    """Draw legs with the same hip and foot and different poles."""
    parts = []
    for x, (word, given) in zip(PANELS, LEGS.items(), strict=True):
        hip, foot, pole = (np.array([0.0, up, ahead]) for ahead, up in given)
        knee = hip + twobone.solve(foot - hip, 0.8, 0.7, pole=pole)
        place = on.stage((x, 148.0), 112.0, centre=(0.0, 0.58, 0.12))
        direction = pole / np.linalg.norm(pole)
        floor = [
            np.array([y, z]) for y, z in ((0.0, -0.66), (0.0, 0.86), (-0.1, 0.86), (-0.1, -0.66))
        ]
        floor = [np.array([0.0, *p]) for p in floor]
        parts += [
            on.solid(place, "ring", *floor),
            on.path(place, "line hushed", *floor[:2]),
            on.arrow(place, "across", hip, direction, 0.42),
            on.bones(place, (hip, knee, foot)),
            on.target(place, foot),
            on.code((x + 2.0, 280.0 - BASE), word),
        ]
        if word == "pole forward":
            at = place.at
            parts += [
                on.say(on.beside(at(hip), -14.0, 4.0), "ink", "hip", anchor="end"),
                on.say(on.beside(at(knee), -14.0, 10.0), "joint", "knee", anchor="end"),
                on.say(on.beside(at(foot), -18.0, -8.0), "target", "foot", anchor="end"),
                on.say(on.beside(at(hip + 0.42 * direction), -6.0, -8.0), "across", "pole"),
            ]
    return page(
        "One leg, three poles",
        "Hip, knee and foot. The knee is forward, back or up, where the pole points.",
        280.0,
        parts,
    )


# --- where it lands -----------------------------------------------------------------------


def foothold():
    """Draw where a foot lands: at its nominal foothold in the middle of the next stance."""
    insect, front = with_gait("insect", 0.66, stride=0.5), 5
    walker = creature.Walker(insect)
    go(walker, 2.5, 1.4, 0.45)
    walk = go(walker, 2.5, 1.4, 0.45, fps=120)
    (_, lifts), (lands, leaves) = stances(walk, front)[1:3]
    heading = float(walker.heading[0]) - 0.45 * (2.5 - lifts / 120)
    walk = turned_back(walk, lifts, heading)
    half = (lands + leaves) // 2
    now, then = moment(insect, walk, lifts - 1), moment(insect, walk, half)
    place = on.stage((196.0, 172.0), 76.0, view=on.ABOVE, centre=now.position)
    lift, land, nominal = (
        place.at(p) for p in (now.feet[front], then.feet[front], foothold_of(insect, now, front))
    )
    middle = place.at(then.position)
    faint = "".join(leg(place, now, k, ring=False) for k in range(6) if k != front)
    parts = [
        f'<g opacity=".22">{faint}{body(place, now, nodes=FRONT)}</g>',
        body(place, then, nodes=TRUNK, ghost=True),
        leg(place, now, front, ring=False),
        on.path(place, "circle hushed", *walk.body_position[lifts - 1 : half : 6], then.position),
        canvas.circle("mark ink", place.at(now.position), 4.0),
        canvas.circle("mark ink", middle, 4.0),
        canvas.line("circle across dashed", middle, land),
        canvas.circle("circle hushed dashed", nominal, 8.0),
        on.path(
            place,
            "circle target",
            *walk.feet[lifts - 1 : lands : 3, front],
            walk.feet[lands, front],
        ),
        on.target(place, then.feet[front]),
        on.say(on.beside(lift, -10.0, 22.0), "hushed", "lifts", anchor="end"),
        on.say(on.beside(nominal, -8.0, 28.0), "hushed", "nominal foothold now", anchor="start"),
        on.say(on.beside(land, 18.0, 6.0), "target", "lands", anchor="start"),
        on.say((396.0, 92.0), "hushed", "body in the middle", anchor="start"),
        on.say((396.0, 112.0), "hushed", "of that stance", anchor="start"),
    ]
    return page(
        "Where a foot lands",
        "Seen from above, an insect turns to the left. Its right front foot lifts and lands where"
        " its nominal foothold will be in the middle of the foot's next stance.",
        352.0,
        parts,
        slim=4.5,
    )


def foothold_of(animal, it, k):
    """Return the nominal foothold of a leg, on level ground."""
    x, z = animal.legs.footholds[k]
    axes = twobone.rotations.rotate(it.rotation, np.eye(3))
    return it.position * [1.0, 0.0, 1.0] + (x * axes[0] + z * axes[2]) * [1.0, 0.0, 1.0]


def ditch():
    """Draw footholds beside a ditch."""

    def gap(x, z):
        return np.where((z > 2.625) & (z < 2.975), -2.0, 0.0) + 0.0 * x

    insect = creature.animal("insect")
    drawn = figure.figure_of_animal(insect)
    walker = creature.Walker(insect, gap)
    place = on.stage((280.0, 156.0), 72.0, view=on.ABOVE, centre=(0.0, 0.0, 2.8))
    edge = [[x, 0.0, z] for x, z in ((-2.0, 2.625), (-2.0, 2.975), (2.0, 2.975), (2.0, 2.625))]
    parts, marks = [on.solid(place, "mark hushed other", *edge)], []
    down = walker.state.stance
    for _ in range(700):
        walker.step(1 / 120, 0.8)
        it = walker.state
        if 2.7 < it.body_position[2] < 2.7 + 0.8 / 120:
            parts.append(f'<g opacity=".3">{animal(place, Moment(*it[:6], drawn), ring=False)}</g>')
        for k in np.flatnonzero(it.stance & ~down):
            foot, aside = it.feet[k], complex(walker._state.footholds.offset[0, k])  # x + iz
            if abs(foot[2] - 2.8) < 3.6:
                marks.append(canvas.circle("mark target", place.at(foot), 4.0))
            if aside:
                plain = place.at(foot - [aside.real, 0.0, aside.imag])
                moved = place.at(foot) - plain
                size = np.hypot(*moved)
                tip = place.at(foot) - 5.0 * moved / size
                marks.append(canvas.circle("circle too-far", plain, 4.5))
                marks.append(canvas.arrow("circle too-far", tip, moved / size, size - 9.5))
        down = it.stance
    parts += marks
    for x, thing, mark, word in (
        (60.0, "target", "mark", "where feet stand"),
        (316.0, "too-far", "circle", "where footholds would be"),
    ):
        parts.append(canvas.circle(f"{mark} {thing}", (x, 339.0), 4.5))
        parts.append(on.say((x + 14.0, 344.0), thing, word, anchor="start"))
    return page(
        "Footprints beside a ditch",
        "Footprints of an insect that crosses a ditch, from above. Footholds in the ditch or on its"
        " edge are replaced by footholds beside it.",
        368.0,
        parts,
    )


# --- the body -----------------------------------------------------------------------------


def body_plane():
    """Draw bodies and the planes through their feet."""

    def hill(x, z):
        return 1.15 * np.exp(-(((z - 5.6) / 2.0) ** 2)) + 0.1 * np.sin(2.3 * z) + 0.0 * x

    insect = with_gait("insect", 0.8)
    walker = creature.Walker(insect, hill, position=(0.0, 0.5))
    walk = go(walker, 24.0, 0.4)
    place = on.stage((280.0, 130.0), 41.0, centre=(0.0, 1.0, 6.0))
    parts = [profile(place, hill, -0.8, 12.8, deep=1.5, count=120)]
    for z in (1.7, 5.6, 9.6):
        away = np.abs(walk.body_position[:, 2] - z) + np.where(walk.stance.all(1), 0.0, 9.0)
        it = moment(insect, walk, int(np.argmin(away)))
        parts += [animal(place, it, nodes=FRONT), _through(place, it)]
    return page(
        "The body follows its feet",
        "An insect before, on and behind a hill: its body has the height and tilt of a plane"
        " through the feet, dashed.",
        232.0,
        parts,
        slim=4.0,
    )


def _through(place, it):
    """Draw the plane through the feet as a line, seen from the side."""
    feet = it.feet
    a, b = np.linalg.lstsq(np.stack([np.ones(len(feet)), feet[:, 2]], -1), feet[:, 1], rcond=None)[
        0
    ]
    ends = it.position[2] + np.array([-1.9, 1.9])
    return on.path(place, "circle across dashed", *([0.0, a + b * z, z] for z in ends))


@functools.cache
def _dog(gait):
    dog = creature.animal("dog").with_gait(gait)
    walker = creature.Walker(dog)
    go(walker, 4.0, 0.8 * dog.speed)
    return dog, go(walker, 4.0, 0.8 * dog.speed, fps=120)


def support():
    """Draw support polygons at the moments of minimum margin."""
    insect = with_gait("insect", 0.5)
    walker = creature.Walker(insect)
    go(walker, 2.0, 1.6)
    shown = {
        "insect, tripod": (insect, go(walker, 1.0, 1.6, fps=120), 40.0),
        "dog, crawling": (*_dog("crawl"), 128.0),
        "dog, trotting": (*_dog("trot"), 128.0),
    }
    parts = []
    for x, (word, (kind, walk, scale)) in zip(PANELS, shown.items(), strict=True):
        margin = measures.static_margin(walk.body_position, walk.feet, walk.stance)
        frame = int(np.argmin(margin))
        it = moment(kind, walk, frame)
        place = on.stage((x, 116.0), scale, view=on.ABOVE, centre=it.position)
        middle = place.at(it.position)
        down = hull([place.at(foot) for foot in it.feet[it.stance]])
        size = margin[frame] / float(np.max(kind.legs.bones.sum(1)))
        thing = "target" if size > 0.0 else "too-far"
        parts += [
            f'<g opacity=".22">{body(place, it, nodes=TRUNK)}</g>',
            outline(f"wash {thing}", down),
            outline(f"circle {thing}", down),
            *(leg(place, it, k) for k in range(len(it.hips))),
            canvas.line(f"circle {thing}", middle, _nearest(middle, down)),
            canvas.circle(f"mark {thing} edge", middle, 6.0),
            on.say((x, 264.0 - 2.0 * BASE), "ink", word),
            on.say((x, 264.0 - BASE), f"number {thing}", f"{canvas.quantity(size)} of the leg"),
        ]
    return page(
        "Support polygons at their worst moment",
        "From above: the convex hull of the feet on the ground, the centre of the body and its"
        " distance to the nearest edge. An insect on three feet is well inside; a dog that crawls"
        " stays just inside, one that trots on two feet does not.",
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
        scale = {"spider": 42.0, "crab": 38.0, "insect": 27.0}[name]
        place = on.stage((x, 128.0), scale, view=on.ABOVE, centre=centre)
        for k in range(len(first.hips)):
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


def shove():
    """Draw four moments after a push."""
    spider = creature.animal("spider")
    walk = go(creature.Walker(spider), 2.0, 0.0, shove=(4.0, 0.0))
    parts = []
    for n, frame in enumerate((0, 8, 20, 120)):
        it = moment(spider, walk, frame)
        x, y = (146.0, 414.0)[n % 2], 96.0 + 192.0 * (n // 2)
        place = on.stage((x, y), 53.0, view=(90.0, 20.0), centre=(0.3, 0.7, 0.0))
        parts += [canvas.circle("mark hushed other", place.at(foot), 3.0) for foot in walk.feet[0]]
        parts.append(animal(place, it))
        if frame == 0:
            start = it.position + np.array([-0.35, 0.65, 0.0])
            parts.append(on.arrow(place, "across", start, np.array([1.0, 0.0, 0.0]), 0.9))
        else:
            parts.append(on.path(place, "circle across", walk.body_position[0], it.position))
        parts.append(on.say((x, y + 88.0), "hushed", f"{frame / 60:.2f} s"))
    return page(
        "A push",
        "A spider from the front is pushed sideways; its legs step after its body until all feet"
        " are at their nominal footholds again. Dots: where they were before.",
        392.0,
        parts,
        slim=3.5,
    )


ZOO = {  # px per metre, metres to move up
    "insect": (33.0, 0.0),
    "spider": (36.0, 0.0),
    "crab": (44.0, 0.0),
    "dog": (104.0, 0.1),
    "bird": (92.0, 0.12),
    "centipede": (28.0, 0.0),
}


def animals():
    """Draw the six animals."""
    parts = []
    for n, (name, (scale, low)) in enumerate(ZOO.items()):
        kind = creature.animal(name)
        walk = go(creature.Walker(kind), 2.4, 0.6 * kind.speed)
        it = moment(kind, walk, -1)
        x, y = PANELS[n % 3], 92.0 + 192.0 * (n // 3)
        centre = it.position - [0.0, low, 0.0]
        place = on.stage((x, y), scale, view=(40.0, 18.0), centre=centre)
        parts += [
            shadow(place, it, creature.Flat().height),
            animal(place, it),
            on.say((x, y + 92.0), "ink", name),
        ]
    return page(
        "Six animals",
        "Insect, spider, crab, dog, bird and centipede: bodies on legs of two bones.",
        400.0,
        parts,
        slim=3.5,
    )
