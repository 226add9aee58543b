"""Pictures of docs/walking.md that plot the motion of feet; walk_pictures.py calls it."""

import itertools

import numpy as np
import walk_clips
from walk_figure import Plot, go, leg, moment, outline, page, stances, with_gait

import twobone
from twobone import creature
from twobone.creature import measures
from twobone.pictures import canvas
from twobone.pictures import stage as on

FEET = ("left front", "middle", "rear", "right front", "middle", "rear")
ROWS = (
    4,
    2,
    0,
    5,
    3,
    1,
)  # the leg of each row, by its number: pairs from rear to front, left first


def swing():
    """Draw the swing of a foot."""
    insect, front = with_gait("insect", 0.66), 4
    walker = creature.Walker(insect)
    go(walker, 2.0, 1.2)
    walk = go(walker, 2.0, 1.2, fps=120)
    (_, lifts), (lands, _) = stances(walk, front)[1:3]
    foot = walk.feet[lifts - 1 : lands + 1, front]
    place = on.stage((280.0, 256.0), 124.0, centre=(0.0, 0.0, 0.5 * (foot[0, 2] + foot[-1, 2])))
    floor = [np.array([0.0, 0.0, z]) for z in (foot[0, 2] - 1.2, foot[-1, 2] + 1.2)]
    parts = [
        on.solid(place, "ring", *floor, *(p - np.array([0.0, 0.16, 0.0]) for p in floor[::-1])),
        on.path(place, "line hushed", *floor),
    ]
    for progress in (0.0, 0.5, 1.0):
        it = moment(insect, walk, lifts - 1 + round(progress * (lands - lifts + 1)))
        ghost = leg(place, it, front, ring=False)
        parts.append(f'<g opacity=".35">{ghost}</g>')
    parts.append(on.path(place, "line target", *foot))
    parts += [canvas.circle("mark target", place.at(p), 3.2) for p in foot[::2]]
    ends = place.at(foot[0]), place.at(foot[-1])
    parts += [canvas.circle("circle target", end, 8.0) for end in ends]
    parts += [
        on.say(on.beside(ends[0], -16.0, -8.0), "hushed", "lifts at rest", anchor="end"),
        on.say(on.beside(ends[1], 16.0, -8.0), "hushed", "lands at rest", anchor="start"),
    ]
    return page(
        "A swing", "The path of a foot from the side, with a dot every 1/60 s.", 312.0, parts
    )


def landing():
    """Plot height, speed and acceleration of a foot, ours beside the original insect's."""
    fps, parts = 240, []
    insect, speed = with_gait("insect", 0.66, lift=0.3 / 2.8), 1.5
    walker = creature.Walker(insect)
    go(walker, 2.0, speed)
    shown = {
        "twobone": (go(walker, 2.0, speed, fps=fps), 4),
        "the original insect": (creature.original_insect(0.0, 6.0, 1.0 / fps, speed), 1),
    }
    for (left, right), (word, (walk, k)) in zip(
        ((96.0, 316.0), (332.0, 552.0)), shown.items(), strict=True
    ):
        (_, lifts), (lands, _) = stances(walk, k)[1:3]
        few = fps // 15
        foot = walk.feet[lifts - few : lifts + 5 * few, k]
        time = (np.arange(len(foot)) - few) / fps
        speeds = np.linalg.norm(np.gradient(foot, 1.0 / fps, axis=0), axis=-1)
        pulls = np.linalg.norm(np.diff(foot, n=2, axis=0), axis=-1) * fps**2
        rows = {
            "height": (48.0, 104.0, foot[:, 1], 0.3, "target", time),
            "speed": (136.0, 208.0, speeds, 10.0, "first", time),
            "acceleration": (240.0, 328.0, np.minimum(pulls, 250.0), 250.0, "joint", time[1:-1]),
        }
        for name, (top, bottom, values, most, thing, at) in rows.items():
            plot = Plot((left, top, right, bottom), (time[0], time[-1]), (0.0, most))
            parts += [plot.level(0.0), plot.curve(f"circle {thing}", at, values)]
            if word == "twobone":
                parts.append(
                    on.say((left - 8.0, bottom), thing, name, anchor="end", classes="small")
                )
        for moment_ in (0.0, (lands - lifts) / fps):
            whole = Plot((left, 40.0, right, 328.0), (time[0], time[-1]), (0.0, 1.0))
            parts.append(whole.upright(moment_, "line hushed other dashed"))
        parts.append(on.say((0.5 * (left + right), 24.0), "ink", word))
    return page(
        "How a foot lifts and lands",
        "Height, speed and acceleration of a foot during one swing. Ours rise from 0 and return"
        " to 0; those of the original insect jump when it lifts and when it lands.",
        344.0,
        parts,
    )


def gait():
    """Plot when each foot is on the ground, for three duty factors."""
    parts, left, right = [], 104.0, 544.0
    for n, duty_factor in enumerate((0.8, 0.66, 0.5)):
        insect = with_gait("insect", duty_factor)
        walker = creature.Walker(insect)
        go(walker, 2.5, 1.0)
        begins = walker._state.cycle.phase[0]
        cycles = (begins, begins + 2.5)
        phase, down = [], []
        while not phase or phase[-1] < cycles[1]:
            phase.append(float(walker._state.cycle.phase[0]))
            down.append(walker.state.stance)
            walker.step(1 / 240, 1.0)
        phase, down = np.array(phase), np.array(down)
        top = 40.0 + 168.0 * n
        plot = Plot((left, top, right, top + 108.0), cycles, (6.0, 0.0))
        for row, k in enumerate(ROWS):
            edges = np.flatnonzero(np.diff(down[:, k].astype(int))) + 1
            edges = [0, *edges, len(phase) - 1]
            for a, b in itertools.pairwise(edges):
                if down[a, k] and b > a:
                    parts.append(_bar(plot, phase[a], phase[b], row))
            word = FEET[row]
            parts.append(
                on.say(
                    (left - 8.0, plot.at(0.0, row + 0.78)[1]),
                    "hushed",
                    word,
                    anchor="end",
                    classes="small",
                )
            )
        count = down.sum(1)
        feet = f"{count.min()} to {count.max()}" if count.min() < count.max() else f"{count.min()}"
        parts.append(
            on.say((left, top - 10.0), "ink", f"duty factor {duty_factor:g}", anchor="start")
        )
        parts.append(
            on.say((right, top - 10.0), "target", f"{feet} feet on the ground", anchor="end")
        )
        parts += [_wave(plot, phase, down, side) for side in ((0, 2, 4), (1, 3, 5))]
    return page(
        "Gaits of an insect",
        "Two and a half cycles at three duty factors: bars are feet on the ground. Along each side"
        " the swings run from the rear leg to the front leg; at 0.5 two tripods alternate.",
        520.0,
        parts,
    )


def _bar(plot, start, stop, row):
    """Draw a stance as a bar."""
    x0, y0 = plot.at(start, row + 0.14)
    x1, y1 = plot.at(stop, row + 0.86)
    return outline("mark target", [(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def _wave(plot, phase, down, side):
    """Connect the middles of successive swings of a side, from rear to front."""
    swings = []
    for k in side:
        edges = np.flatnonzero(np.diff(down[:, k].astype(int)))
        found = [
            (0.5 * (phase[a] + phase[b]), ROWS.index(k) + 0.5)
            for a, b in itertools.pairwise(edges)
            if not down[a + 1, k]
        ]
        swings.append(found)
    drawn = []
    for first in swings[0]:
        wave = [first]
        for later in swings[1:]:
            wave += [s for s in later if 0.0 < s[0] - wave[-1][0] < 0.7][:1]
        if len(wave) == len(side):
            points = [np.array(plot.at(*p)) for p in wave]
            drawn.append(canvas.line("circle across", *points))
            step = points[-1] - points[-2]
            drawn.append(canvas.arrow("circle across", points[-1], step / np.hypot(*step), 1.0))
    return "".join(drawn)


def margin():
    """Plot the static margin of our insect and of the original on the same ground."""
    insect = creature.animal("insect")
    ground = creature.make_terrain(0.15, insect, seed=1)
    ours = creature.walk(insect, terrain=ground, seconds=16.0, seed=1)
    theirs = creature.original_insect(ground, 16.0)
    plot = Plot((64.0, 48.0, 544.0, 224.0), (4.0, 16.0), (-0.1, 0.5))
    parts = [canvas.line("line hushed", plot.at(4.0, 0.0), plot.at(16.0, 0.0))]
    for level, word in ((-0.1, "\N{MINUS SIGN}0.1"), (0.0, "0"), (0.2, "0.2"), (0.4, "0.4")):
        parts += [
            plot.level(level),
            on.say(
                (56.0, plot.at(4.0, level)[1] + 5.0), "hushed", word, anchor="end", classes="small"
            ),
        ]
    for time in (5, 10, 15):
        parts.append(on.say((plot.at(time, 0.0)[0], 248.0), "hushed", f"{time} s", classes="small"))
    for walk, thing in ((theirs, "too-far"), (ours, "target")):
        value = measures.static_margin(walk.body_position, walk.feet, walk.stance) / 2.8
        parts.append(
            plot.curve(f"circle {thing}", walk.time[240:961], np.minimum(value[240:961], 0.5))
        )
    parts += [
        on.say((64.0, 28.0), "target", "twobone", anchor="start"),
        on.say((544.0, 28.0), "too-far", "the original insect", anchor="end"),
    ]
    return page(
        "The static margin over twelve seconds",
        "How far the centre of the body is inside the support polygon, over the leg length, on the"
        " same rough ground: ours stays above 0.1, that of the original insect falls below 0.",
        264.0,
        parts,
    )


def servos():
    """Draw the three servo angles of a leg with a coxa."""
    coxa, femur, tibia, yaw = 0.05, 0.10, 0.14, np.radians(32.0)
    root, foot = np.zeros(3), np.array([0.0, -0.10, 0.165])
    hip = np.array([0.0, 0.0, coxa])
    knee = hip[1:] + twobone.solve((foot - hip)[[2, 1]], femur, tibia)[::-1]
    knee = np.array([0.0, *knee])
    parts = [
        on.say((122.0, 28.0), "ink", "from above"),
        on.say((408.0, 28.0), "ink", "the leg's plane"),
    ]
    above = on.stage((40.0, 198.0), 980.0)
    ahead, aside = np.array([0.0, np.sin(yaw), np.cos(yaw)]), np.array([0.0, 0.0, 1.0])
    parts += [
        on.path(above, "line hushed dashed", root, 0.19 * aside),
        on.angle(above, "across", on.Angle(root, aside, ahead), 90.0),
        on.path(above, "bone second", 0.12 * ahead, 0.165 * ahead),
        on.path(above, "bone first", coxa * ahead, 0.12 * ahead),
        on.path(above, "bone ink", root, coxa * ahead),
        canvas.circle("mark joint edge", above.at(0.12 * ahead), 8.0),
        on.target(above, 0.165 * ahead),
        canvas.square("mark root", above.at(root), 6.0),
        on.say((138.0, 178.0), "across", "yaw", anchor="start"),
    ]
    side = on.stage((268.0, 136.0), 1060.0)
    flat = [hip, 2.2 * hip]
    thigh = (knee - hip) / femur
    parts += [
        on.path(side, "line hushed", foot * [1.0, 1.0, -0.2], foot * [1.0, 1.0, 1.3]),
        on.path(side, "line hushed dashed", *flat),
        on.angle(side, "first", on.Angle(hip, aside, thigh), 46.0),
        on.path(side, "line hushed dashed", knee, knee + 0.06 * thigh),
        on.angle(side, "second", on.Angle(knee, thigh, foot - knee), 36.0),
        on.path(side, "bone ink", root, hip),
        on.bones(side, (hip, knee, foot)),
        on.target(side, foot),
        canvas.square("mark root", side.at(root), 6.0),
        on.say(on.beside(side.at(0.5 * hip), 0.0, 26.0), "ink", "coxa"),
        on.say(on.beside(side.at(hip), 50.0, 24.0), "first", "femur", anchor="start"),
        on.say(on.beside(side.at(knee), 46.0, 0.0), "second", "tibia", anchor="start"),
    ]
    return page(
        "Three servo angles",
        "The coxa rotates towards the foot by the yaw; in the vertical plane of the leg, the femur"
        " is raised from level and the tibia is bent from straight.",
        272.0,
        parts,
    )


SEQUENCES = {0.0: "pace", 0.25: "lateral sequence", 0.5: "trot", 0.75: "diagonal sequence"}


def dog_gaits():
    """Plot the dog's gait at several speeds in the diagrams of Hildebrand and Alexander."""
    found = {speed: walk_clips.measure(walk_clips.ours(speed)) for speed in walk_clips.SPEEDS}
    left = Plot((144.0, 56.0, 312.0, 272.0), (0.45, 0.75), (-0.05, 0.8))
    right = Plot((384.0, 56.0, 552.0, 272.0), (0.0, 0.45), (0.0, 2.0))
    parts = []
    for lag, word in SEQUENCES.items():
        at = left.at(left.x[0], lag)
        parts.append(left.level(lag))
        parts.append(
            on.say((at[0] - 8.0, at[1] + 4.0), "hushed", word, anchor="end", classes="small")
        )
    parts.append(left.upright(0.5, "line hushed other dashed"))
    parts += [right.level(0.0), right.upright(0.0)]
    froude = np.linspace(0.0, right.x[1], 60)
    parts.append(right.curve("circle target", froude, 2.3 * froude**0.3))
    for plot, points in (
        (left, [(each.duty_factor, each.fore_lag) for each in found.values()]),
        (right, [(each.froude, each.stride) for each in found.values()]),
    ):
        parts.append(plot.curve("circle joint", *zip(*points, strict=True)))
        parts += [canvas.circle("mark joint", plot.at(*point), 4.0) for point in points]
        for n in (0, -1):
            x, y = plot.at(*points[n])
            word = f"{walk_clips.SPEEDS[n]:g} m/s"
            place, anchor = ((x + 8.0, y + 12.0), "start") if n == 0 else ((x, y + 20.0), "middle")
            parts.append(on.say(place, "joint", word, anchor=anchor, classes="small"))
    for value in (0.5, 0.6, 0.7):
        x, y = left.at(value, left.y[0])
        parts.append(
            on.say((x, y + 16.0), "hushed", f"{value:g}", anchor="middle", classes="small")
        )
    for value in (0.1, 0.2, 0.3, 0.4):
        x, y = right.at(value, 0.0)
        parts.append(
            on.say((x, y + 16.0), "hushed", f"{value:g}", anchor="middle", classes="small")
        )
    for value in (1.0, 2.0):
        x, y = right.at(0.0, value)
        parts.append(
            on.say((x - 8.0, y + 4.0), "hushed", f"{value:g}", anchor="end", classes="small")
        )
    parts += [
        on.say((228.0, 28.0), "ink", "fore foot after hind foot"),
        on.say((228.0, 312.0), "hushed", "duty factor", anchor="middle", classes="small"),
        on.say((468.0, 28.0), "ink", "distance of a cycle"),
        on.say((468.0, 312.0), "hushed", "Froude number", anchor="middle", classes="small"),
        on.say((544.0, right.at(0.0, 1.92)[1]), "target", "mammals", anchor="end", classes="small"),
    ]
    return page(
        "The dog's gait at six speeds",
        "Left: as it goes faster, the dog's fore feet follow the hind feet by more of a cycle, from"
        " a lateral sequence to a trot. Right: from .6 m/s on, its cycles cover less ground than"
        " those of mammals.",
        328.0,
        parts,
    )


DRAWN = (servos, swing, landing, gait, dog_gaits, margin)
