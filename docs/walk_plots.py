"""Pictures of docs/walking.md that plot the motion of feet; walk_pictures.py calls it."""

import itertools

import numpy as np
import walk_clips
from walk_figure import Plot, go, leg, moment, outline, page, stances

import twobone
from twobone import creature
from twobone.pictures import canvas
from twobone.pictures import stage as on

FEET = ("hind left", "hind right", "fore left", "fore right")
GAITS = {"walk": 0.8, "trot": 2.4, "gallop": 4.6}  # m/s, of the dog


def swing():
    """Draw the swing of a dog's foot over a kerb."""

    def kerb(x, z):
        return np.where(z > 2.0, 0.12, 0.0) + 0.0 * x

    dog, fore = creature.animal("dog"), 2
    walk = go(creature.Walker(dog, kerb), 3.5, 1.0, fps=120)
    lifts, lands = next(
        (b, c)
        for (_, b), (c, _) in itertools.pairwise(stances(walk, fore))
        if walk.feet[b - 1, fore, 1] < 0.06 < walk.feet[c, fore, 1]
    )
    foot = walk.feet[lifts - 1 : lands + 1, fore]
    middle = 0.5 * (foot[0, 2] + foot[-1, 2])
    place = on.stage((280.0, 250.0), 330.0, centre=(0.0, 0.0, middle))
    edges = ((middle - 0.75, 0.0), (2.0, 0.0), (2.0, 0.12), (middle + 0.75, 0.12))
    floor = [np.array([0.0, y, z]) for z, y in edges]
    deep = [np.array([0.0, -0.06, z]) for z in (middle + 0.75, middle - 0.75)]
    parts = [
        on.solid(place, "ring", *floor, *deep),
        on.path(place, "line hushed", *floor),
    ]
    for progress in (0.0, 0.4, 1.0):
        it = moment(dog, walk, lifts - 1 + round(progress * (lands - lifts + 1)))
        parts.append(f'<g opacity=".35">{leg(place, it, fore, ring=False)}</g>')
    parts.append(on.path(place, "line target", *foot))
    parts += [canvas.circle("mark target", place.at(p), 3.2) for p in foot[::2]]
    ends = place.at(foot[0]), place.at(foot[-1])
    parts += [canvas.circle("circle target", end, 8.0) for end in ends]
    parts += [
        on.say(on.beside(ends[0], -16.0, 20.0), "hushed", "lifts fast", anchor="end"),
        on.say(on.beside(ends[1], 16.0, 20.0), "hushed", "lands softly", anchor="start"),
    ]
    return page(
        "A swing",
        "The path of a fore foot of the dog over a kerb, from the side, with a dot every 1/60 s.",
        300.0,
        parts,
    )


def gait():
    """Plot when each foot of the dog is on the ground, at three speeds."""
    parts, left, right = [], 104.0, 544.0
    for n, (word, speed) in enumerate(GAITS.items()):
        walk = _steady("dog", speed, 1.2)
        top = 40.0 + 128.0 * n
        plot = Plot((left, top, right, top + 76.0), (0.0, 1.2), (4.0, 0.0))
        for row, name in enumerate(FEET):
            for a, b in stances(walk, row):
                parts.append(_bar(plot, walk.time[a], walk.time[b - 1], row))
            at = (left - 8.0, plot.at(0.0, row + 0.78)[1])
            parts.append(on.say(at, "hushed", name, anchor="end", classes="small"))
        count = walk.stance.sum(1)
        feet = f"{count.min()} to {count.max()} feet on the ground"
        parts.append(on.say((left, top - 10.0), "ink", f"{word}, {speed:g} m/s", anchor="start"))
        parts.append(on.say((right, top - 10.0), "target", feet, anchor="end"))
    return page(
        "Gaits of the dog",
        "1.2 seconds of a walk, a trot and a gallop: bars are feet on the ground.",
        392.0,
        parts,
    )


def _steady(name, speed, seconds, fps=240):
    """Return a steady walk of an animal."""
    walker = creature.Walker(name)
    go(walker, 4.0, speed)
    walk = go(walker, seconds, speed, fps=fps)
    return walk._replace(time=walk.time - walk.time[0])


def _bar(plot, start, stop, row):
    """Draw a stance as a bar."""
    x0, y0 = plot.at(start, row + 0.14)
    x1, y1 = plot.at(stop, row + 0.86)
    return outline("mark target", [(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def heave():
    """Plot how high the trunk of the dog is over a second, at three speeds."""
    parts = []
    for n, (word, speed) in enumerate(GAITS.items()):
        walk = _steady("dog", speed, 1.0, fps=120)
        left = 64.0 + 172.0 * n
        plot = Plot((left, 48.0, left + 144.0, 192.0), (0.0, 1.0), (0.6, 0.8))
        for level in (0.6, 0.7, 0.8):
            parts.append(plot.level(level))
            if n == 0:
                at = (left - 8.0, plot.at(0.0, level)[1] + 4.0)
                parts.append(on.say(at, "hushed", f"{level:g} m", anchor="end", classes="small"))
        for station, thing in ((0, "first"), (1, "second")):
            parts.append(plot.curve(f"circle {thing}", walk.time, walk.stations[:, station, 1]))
        parts.append(on.say((left + 72.0, 28.0), "ink", f"{word}, {speed:g} m/s"))
    parts += [
        on.say((64.0, 216.0), "first", "rear station", anchor="start", classes="small"),
        on.say((160.0, 216.0), "second", "front station", anchor="start", classes="small"),
    ]
    return page(
        "How high the trunk is",
        "Heights of the rear and the front station of the dog's trunk during one second of a walk,"
        " a trot and a gallop.",
        232.0,
        parts,
    )


def landing():
    """Plot height, speed and acceleration of a foot, ours beside the original insect's."""
    fps, parts, speed = 120, [], 1.3
    shown = {
        "twobone": (_steady("insect", speed, 5.0, fps), 4),
        "the original insect": (creature.original_insect(0.0, 6.0, 1.0 / fps, speed), 1),
    }
    for (left, right), (word, (walk, k)) in zip(
        ((96.0, 316.0), (332.0, 552.0)), shown.items(), strict=True
    ):
        (_, lifts), (lands, _) = stances(walk, k)[1:3]
        few = fps // 15
        foot = walk.feet[lifts - few : lands + few, k]
        time = (np.arange(len(foot)) - few) / fps
        speeds = np.linalg.norm(np.gradient(foot, 1.0 / fps, axis=0), axis=-1)
        pulls = np.linalg.norm(np.diff(foot, n=2, axis=0), axis=-1) * fps**2
        rows = {
            "height": (48.0, 104.0, foot[:, 1], 0.4, "target", time),
            "speed": (136.0, 208.0, speeds, 8.0, "first", time),
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
        "Height, speed and acceleration of a foot during one swing. Ours starts and ends at rest;"
        " the speed of the original insect's jumps when it lifts and when it lands.",
        344.0,
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


DRAWN = (servos, swing, landing, gait, heave, dog_gaits)
