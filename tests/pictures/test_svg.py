"""Pictures: valid SVG for any values, and what they show is what `twobone` computes."""

import itertools
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import twobone
from slow import all_but, slow
from twobone import Status
from twobone.errors import ShapeError, TwoBoneError, UnreachableError
from twobone.pictures import canvas, labels, theme
from twobone.pictures.svg import LAYERS, diagram, overview

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = ("x", "y", "cx", "cy", "r", "width", "height", "d", "viewBox", "opacity")
PLAIN = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)")

# target, r1, r2: what people draw
TYPICAL = {
    "reached": ([1.2, 0.5], 1.0, 0.8),
    "up": ([-0.5, 1.1], 1.0, 0.8),
    "down": ([0.1, -1.4], 1.0, 0.8),
    "straight": ([1.8, 0.0], 1.0, 0.8),
    "nearly straight": ([1.79, 0.1], 1.0, 0.8),
    "folded": ([0.2, 0.0], 1.0, 0.8),
    "too far": ([2.0, 0.6], 1.0, 0.8),
    "very far": ([20.0, 12.6], 1.0, 0.8),
    "too near": ([0.15, 0.05], 1.0, 0.5),
    "twins at the root": ([0.0, 0.0], 1.0, 1.0),
    "at the root": ([0.0, 0.0], 1.0, 0.6),
    "thin first bone": ([9.8, 2.0], 1.0, 10.0),
    "thin second bone": ([9.8, 2.0], 10.0, 1.0),
}
POLICIES = (
    "clamp",
    "stretch",
    "nan",
    twobone.Soft(0.1),
    twobone.Stretch(limit=1.2),
    twobone.Limits(40, 130),
    twobone.Soft(0.1) | twobone.Stretch(limit=1.2),
)

typical = pytest.mark.parametrize("limb", TYPICAL.values(), ids=TYPICAL)


# --- reading a picture --------------------------------------------------------------------


def parse(text):
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    return root


def of_class(root, *classes):
    """Return the elements that have all classes, in the order they are drawn."""
    wanted = set(classes)
    return [e for e in root.iter() if wanted <= set(e.get("class", "").split())]


def centre(element):
    if element.tag == f"{SVG}rect":
        corner = np.array([float(element.get("x")), float(element.get("y"))])
        return corner + 0.5 * float(element.get("width"))
    return np.array([float(element.get("cx")), float(element.get("cy"))])


def path_points(element):
    """Return the points of a path of straight lines."""
    pairs = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", element.get("d"))
    return np.array(pairs, float)


class Read:
    """A picture read back: px to the reader's units, y up."""

    def __init__(self, text, r1):
        self.root = parse(text)
        (self.origin,) = (centre(e) for e in of_class(self.root, "mark", "root"))
        (circle,) = of_class(self.root, "circle", "first")
        self.scale = float(circle.get("r")) / r1

    def point(self, px):
        return (np.asarray(px) - self.origin) * (1.0, -1.0) / self.scale

    def only(self, *classes):
        (found,) = of_class(self.root, *classes)
        return self.point(centre(found))

    def close(self, point, expected):
        """Say whether two points are the same but for a rounded px."""
        return np.max(np.abs(np.asarray(point) - expected)) * self.scale < 0.02 + 0.01 * self.scale


def all_text(root):
    return " ".join("".join(e.itertext()) for e in root.iter(f"{SVG}text"))


def assert_valid(text):
    """Check that a picture is well-formed, self-contained, and that its numbers are numbers."""
    root = parse(text)
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    _, _, width, height = (float(v) for v in root.get("viewBox").split())
    assert 100 < width < 2000
    assert 100 < height < 2000
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in (
            *("svg", "title", "desc", "style", "rect", "path", "circle", "text", "tspan", "g"),
        )
        for name in NUMBERS:
            for v in re.findall(r"[^\sa-zA-Z,]+", element.get(name, "")):
                parts = PLAIN.findall(v)
                assert "".join(parts) == v, (name, v)
                assert all(abs(float(part)) < 1e5 for part in parts)
            assert not re.search(r"nan|inf", element.get(name, ""), flags=re.IGNORECASE)
    return root


# --- one limb -----------------------------------------------------------------------------


@pytest.mark.sampled(4)
@typical
@pytest.mark.parametrize("side", [1, -1])
def test_the_joint_is_drawn_where_it_is(limb, side):
    read = Read(diagram(*limb, side=side), limb[1])
    joint = twobone.solve(*limb, side=side)
    (found,) = of_class(read.root, "mark", "joint", "edge")
    assert read.close(read.point(centre(found)), joint)


@pytest.mark.parametrize("policy", POLICIES[1:], ids=str)
def test_the_joint_is_drawn_where_a_policy_puts_it(policy):
    limb = ([1.75, 0.3], 1.0, 0.8)
    if policy == "nan":
        limb = ([1.7, 0.3], 1.0, 0.8)
    scale_by = Read(diagram(*limb, show=("circles", "annulus")), 1.0)
    text = diagram(*limb, unreachable=policy, show=("bones",))
    root = parse(text)
    (first,), (second,) = (of_class(root, "bone", thing) for thing in ("first", "second"))
    joint, end, _ = twobone.reach(*limb, unreachable=policy)
    assert scale_by.scale > 0
    first, second = path_points(first), path_points(second)
    assert np.allclose(first[1], second[0])
    drawn = [first[1] - first[0], second[1] - first[0]]
    scale = np.hypot(*drawn[0]) / np.hypot(*joint)
    assert np.allclose(drawn[0] * (1, -1) / scale, joint, atol=1e-3)
    assert np.allclose(drawn[1] * (1, -1) / scale, end, atol=1e-3)


def test_y_points_up():
    text = diagram([1.2, 0.5], 1.0, 0.8)
    read = Read(text, 1.0)
    (joint,) = of_class(read.root, "mark", "joint", "edge")
    assert centre(joint)[1] < read.origin[1]  # the joint is above the root


def test_the_other_answer_is_drawn_where_it_is():
    limb = TYPICAL["reached"]
    read = Read(diagram(*limb), limb[1])
    (ghost,) = of_class(read.root, "other")
    (disc,) = of_class(ghost, "mark", "joint")
    assert read.close(read.point(centre(disc)), twobone.solve(*limb, side=-1))


def test_the_foot_point_is_drawn_where_it_is():
    p, r1, r2 = np.array([1.2, 0.5]), 1.0, 0.8
    read = Read(diagram(p, r1, r2), r1)
    w = p @ p + r1**2 - r2**2
    assert read.close(read.only("mark", "across"), p * w / (2 * p @ p))


def test_both_circles_pass_through_the_joint():
    read = Read(diagram([1.2, 0.5], 1.0, 0.8), 1.0)
    (joint,) = of_class(read.root, "mark", "joint", "edge")
    for thing in ("first", "second"):
        (circle,) = of_class(read.root, "circle", thing)
        away = np.hypot(*(centre(circle) - centre(joint)))
        assert away == pytest.approx(float(circle.get("r")), abs=0.03)


def test_the_line_across_passes_through_both_answers():
    limb = TYPICAL["reached"]
    read = Read(diagram(*limb), limb[1])
    (line,) = of_class(read.root, "line", "across", "dashed")
    a, b = (read.point(px) for px in path_points(line))
    for joint in twobone.solve_both(*limb):
        (ux, uy), (vx, vy) = (joint - a) / np.hypot(*(b - a)), (b - a) / np.hypot(*(b - a))
        assert abs(ux * vy - uy * vx) < 1e-3


def test_the_ring_is_that_of_the_lengths():
    text = diagram([1.2, 0.5], 1.0, 0.8)
    read = Read(text, 1.0)
    (ring,) = of_class(read.root, "ring")
    outer, inner = (float(v) for v in re.findall(r"a([\d.]+) ", ring.get("d")))
    assert outer / read.scale == pytest.approx(1.8, abs=1e-3)
    assert inner / read.scale == pytest.approx(0.2, abs=1e-3)


@pytest.mark.parametrize(
    ("policy", "inner", "outer", "edges"),
    [
        (twobone.Limits(60, 120), 0.9165, 1.5620, [0.2, 1.8]),
        (twobone.Soft(0.1), 0.22, 1.62, [0.2, 1.8]),
        (twobone.Stretch(limit=1.2), 0.2, 1.8, [2.16]),
    ],
    ids=str,
)
def test_the_ring_is_what_the_policy_can_meet(policy, inner, outer, edges):
    limb = ([1.0, 0.2], 1.0, 0.8)
    read = Read(diagram(*limb, unreachable=policy), 1.0)
    (ring,) = of_class(read.root, "ring")
    found = [float(v) / read.scale for v in re.findall(r"a([\d.]+) ", ring.get("d"))]
    assert found == pytest.approx([outer, inner], abs=3e-3)
    dashed = [float(e.get("r")) / read.scale for e in of_class(read.root, "hushed", "dashed")]
    assert dashed == pytest.approx(edges, abs=3e-3)


def test_a_limb_in_space_is_drawn_in_its_own_plane():
    p, pole = np.array([1.0, 0.4, 0.3]), np.array([0.0, 2.0, 0.1])
    text = diagram(p, 1.0, 0.8, pole=pole, side=-1)
    read = Read(text, 1.0)
    joint = twobone.solve(p, 1.0, 0.8, pole=pole, side=-1)
    forward = p / np.linalg.norm(p)
    up = pole - forward * (pole @ forward)
    up /= np.linalg.norm(up)
    (found,) = of_class(read.root, "mark", "joint", "edge")
    assert read.close(read.point(centre(found)), [joint @ forward, joint @ up])
    assert read.close(read.only("mark", "target"), [np.linalg.norm(p), 0.0])
    assert "plane of the limb" in all_text(read.root)


@pytest.mark.parametrize(
    ("limb", "status", "said"),
    [
        (([1.2, 0.5], 1.0, 0.8), Status.REACHED, "reached"),
        (([2.04, 0.0], 1.0, 0.8), Status.TOO_FAR, "too far by 0.24"),
        (([0.1, 0.0], 1.0, 0.5), Status.TOO_NEAR, "too near by 0.40"),
        (([0.0, 0.0], 1.0, 1.0), Status.AMBIGUOUS, "ambiguous"),
        (([np.nan, 0.0], 1.0, 1.0), Status.INVALID, "invalid"),
        (([1.0, 0.0], 1.0, -1.0), Status.INVALID, "invalid"),
    ],
)
def test_a_status_is_a_word_a_shape_and_a_colour(limb, status, said):
    root = parse(diagram(*limb))
    assert said in all_text(root)
    (mark,) = of_class(root, "mark", theme.css_class(status))
    corners = len(theme.MARKS[status].corners)
    assert len(re.findall("[ML]", mark.get("d"))) == max(corners, 1)
    assert theme.MARKS[status].colour.light in root.find(f"{SVG}style").text


def test_bones_that_give_say_by_how_much():
    text = all_text(parse(diagram([2.0, 0.0], 1.0, 1.0, unreachable=twobone.Stretch(limit=2))))
    assert "1.00" in text
    root = parse(diagram([2.2, 0.0], 1.0, 1.0, unreachable=twobone.Stretch(limit=2)))
    assert [e.text for e in of_class(root, "factor")] == ["1.10", "1.10"]


def test_a_far_target_stands_at_the_border_with_an_arrow():
    root = parse(diagram([1e6, 1e6], 1.0, 0.8))
    assert of_class(root, "circle", "target")[-1].tag == f"{SVG}path"
    near = parse(diagram([1.2, 0.5], 1.0, 0.8))
    assert all(e.tag == f"{SVG}circle" for e in of_class(near, "circle", "target"))


def test_a_limb_stretched_to_a_far_target_is_drawn_short_but_told_in_full():
    limb = ([20.0, 0.0], 1.0, 0.8)
    root = parse(diagram(*limb, unreachable="stretch"))
    joint = twobone.solve(*limb, unreachable="stretch")
    assert "by" not in all_text(root)  # the end is on the target
    assert f"({joint[0]:.2f}, 0.00)" in root.find(f"{SVG}desc").text
    assert [e.text for e in of_class(root, "factor")] == [
        f"{joint[0]:.2f}",
        f"{(20.0 - joint[0]) / 0.8:.2f}",
    ]


# --- layers -------------------------------------------------------------------------------

SIGNS = {
    "annulus": ("ring",),
    "circles": ("circle", "second"),
    "direction": ("line", "hushed"),
    "across": ("line", "across", "dashed"),
    "foot": ("mark", "across"),
    "triangle": ("wash",),
    "other": ("other",),
    "bones": ("bone", "first"),
    "labels": ("symbol", "target"),
    "words": ("number",),
}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_shows_its_own_and_nothing_else(layer):
    root = parse(diagram([1.2, 0.5], 1.0, 0.8, show=[layer]))
    shown = [name for name, classes in SIGNS.items() if of_class(root, *classes)]
    # the other answer is drawn with bones of its own
    assert set(shown) - ({"bones"} if layer == "other" else set()) == {layer}


def test_all_layers_are_shown_if_none_is_asked_for():
    root = parse(diagram([1.2, 0.5], 1.0, 0.8))
    assert all(of_class(root, *classes) for classes in SIGNS.values())


def test_an_unknown_layer_is_answered_with_those_there_are():
    with pytest.raises(
        TwoBoneError, match="No layer 'circle' for `show`; there are annulus, circles"
    ):
        diagram([1.2, 0.5], 1.0, 0.8, show=["circle"])


@pytest.mark.parametrize(
    "limb",
    [([[1.0, 0.0]], 1.0, 1.0), ([1.0, 0.0], [1.0, 2.0], 1.0), (1.0, 1.0, 1.0)],
)
def test_a_diagram_is_of_one_limb(limb):
    with pytest.raises(ShapeError):
        diagram(*limb)


def test_a_diagram_is_of_one_parameter():
    with pytest.raises(ShapeError, match="`softness` must be a number for one limb"):
        diagram([1.0, 0.0], 1.0, 1.0, unreachable=twobone.Soft(np.array([0.1])))


def test_a_tensor_without_axes_is_no_number():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    with pytest.raises(ShapeError, match=r"`softness` must be a number for one limb, .*got \(\)"):
        diagram([1.0, 0.0], 1.0, 1.0, unreachable=twobone.Soft(torch.tensor(0.1)))


def test_raise_raises():
    with pytest.raises(UnreachableError):
        diagram([3.0, 0.0], 1.0, 1.0, unreachable="raise")
    with pytest.raises(UnreachableError):
        overview([[3.0, 0.0]], 1.0, 1.0, unreachable="raise")


# --- labels -------------------------------------------------------------------------------


def label_boxes(root):
    """Return text, centre and half size of all symbols, as small as they can be."""
    for element in of_class(root, "symbol"):
        text = "".join(element.itertext())
        x, y = float(element.get("x")), float(element.get("y"))
        yield text, np.array([x, y - 6.0]), np.array([2.5 * len(text) + 1.5, 6.0])


@pytest.mark.parametrize("side", slow(1, -1))
@typical
def test_labels_meet_neither_each_other_nor_a_bone(limb, side):
    for policy in ("clamp", "stretch", twobone.Soft(0.1)):
        root = parse(diagram(*limb, side=side, unreachable=policy))
        boxes = list(label_boxes(root))
        assert len({text for text, _, _ in boxes}) == len(boxes) >= 4
        for (one, a, u), (two, b, v) in itertools.combinations(boxes, 2):
            assert np.any(np.abs(a - b) > u + v), f"{one} meets {two}"
        for bone in (e for e in of_class(root, "bone") if "gaps" not in e.get("class")):
            ends = path_points(bone)
            points = ends[0] + np.linspace(0, 1, 200)[:, None] * (ends[1] - ends[0])
            for text, a, u in boxes:
                met = np.all(np.abs(points - a) < u + 2.0, axis=-1)
                assert not np.any(met), f"{text} meets a bone"


@pytest.mark.parametrize("corner", [(2.0, 2.0), (98.0, 2.0), (2.0, 78.0), (98.0, 78.0)])
def test_a_label_in_a_corner_stays_on_the_page(corner):
    frame = canvas.Frame((50.0, 50.0), 1.0, 100.0, 100.0)
    outward = np.subtract(corner, (50.0, 40.0))
    label = labels.Label("target", "p", "", ((corner, outward, 5.0),))
    text = labels.place_labels([label], np.array([corner]), frame, 20.0)
    root = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{text}</svg>')
    ((_, middle, half),) = label_boxes(root)
    assert np.all(middle - half >= 0.0)
    assert np.all(middle + half <= (100.0, 80.0))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", all_but(POLICIES, "clamp"), ids=str)
@typical
def test_nothing_is_clipped(limb, policy):
    root = parse(diagram(*limb, unreachable=policy))
    _, _, width, height = (float(v) for v in root.get("viewBox").split())
    boxes = [(a, u) for _, a, u in label_boxes(root)]
    boxes += [(centre(e), float(e.get("r"))) for e in root.iter(f"{SVG}circle")]
    for point, half in boxes:
        assert np.all(point - half >= 0.0)
        assert np.all(point + half <= (width, height))


# --- any values ---------------------------------------------------------------------------

EXTREME = (0.0, 5e-324, 1e-300, 1.0, 1e300, 1.7e308, np.inf, np.nan)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("r1", all_but([*EXTREME, -1.0], 0.0, 1e-300, 1.7e308))
def test_extreme_values_never_make_an_invalid_diagram(r1):
    rng = np.random.default_rng(1)
    for r2, x in itertools.product(EXTREME, EXTREME):
        policy = POLICIES[rng.integers(len(POLICIES))]
        y = EXTREME[rng.integers(len(EXTREME))] * rng.choice([1.0, -1.0])
        assert_valid(diagram([x, y], r1, r2, unreachable=policy))


def test_extreme_values_in_space_never_make_an_invalid_diagram():
    rng = np.random.default_rng(2)
    for _ in range(150):
        target, pole = rng.choice(EXTREME, (2, 3)) * rng.choice([1.0, -1.0], (2, 3))
        r1, r2 = rng.choice(EXTREME, 2)
        side = rng.choice([1.0, -1.0, 0.0, np.nan])
        assert_valid(diagram(target, r1, r2, pole=pole, side=side))


@pytest.mark.parametrize("size", [2, 3])
def test_extreme_values_never_make_an_invalid_overview(size):
    rng = np.random.default_rng(3)
    for policy in POLICIES[:5]:
        targets = rng.choice(EXTREME, (60, size)) * rng.choice([1.0, -1.0], (60, size))
        r1, r2 = rng.choice(EXTREME, (2, 60))
        pole = rng.normal(size=3) if size == 3 else None
        for lengths in ((r1, r2), (1.0, 0.7), (0.0, 0.0), (1e300, 1e-300), (np.nan, -1.0)):
            text = overview(targets, *lengths, pole=pole, unreachable=policy)
            root = assert_valid(text)
            counts = re.findall(r"([\d,]+) (?:reached|too|ambiguous|invalid)", all_text(root))
            assert sum(int(count) for count in counts) == 60


@pytest.mark.sampled(8)
@pytest.mark.parametrize("power", [900, *slow(-900, -30, 30)])
@typical
def test_a_picture_is_the_same_at_any_size(limb, power):
    """Scaled by a power of two everything is drawn at the same place; only the numbers differ."""
    factor = 2.0**power
    target, r1, r2 = limb
    large = diagram(np.array(target) * factor, r1 * factor, r2 * factor)
    shapes = [
        [
            line
            for line in text.splitlines()
            if not line.startswith(("<desc>", '<path class="mark '))
        ]
        for text in (diagram(*limb), large)
    ]
    # The last line before the end holds the words, whose numbers differ.
    assert shapes[0][:-2] == shapes[1][:-2]


def test_a_picture_is_the_same_every_time():
    script = (
        "import twobone; from twobone.pictures.svg import diagram, overview\n"
        "class Own(twobone.Policy):\n"
        "    def place(self, xp, distance, inner, outer): return 0.9 * distance\n"
        "print(diagram([1.2, 0.5], 1.0, 0.8, unreachable=Own()))\n"
        "print(overview([[1.2, 0.5], [3.0, 1.0], [9.0, 1.0]], [1.0, 2.0, 3.0], 0.8))\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1
    (text,) = texts
    assert "Own()" in text
    assert "0x" not in text


# --- text ---------------------------------------------------------------------------------

NASTY = "<script>&\"'</title>]]>\x00\x1b\ud800\uffff ende"


def test_titles_are_escaped():
    for text in (
        diagram([1.2, 0.5], 1.0, 0.8, title=NASTY),
        overview([[1.2, 0.5]], 1.0, 0.8, title=NASTY),
    ):
        root = assert_valid(text)
        assert root.find(f"{SVG}title").text == "<script>&\"'</title>]]> ende"
        text.encode("utf-8")


def test_names_of_policies_are_escaped_and_bounded():
    class Nasty(twobone.Policy):
        def place(self, xp, distance, inner, outer):
            return 0.5 * distance

        def __repr__(self):
            return NASTY * 20

    root = assert_valid(diagram([1.2, 0.5], 1.0, 0.8, unreachable=Nasty()))
    said = next(e for e in of_class(root, "number", "hushed"))
    assert "<script>&" in said.text
    assert len(said.text) < 50


def test_the_picture_says_in_words_what_it_shows():
    root = parse(diagram([1.2, 0.5], 1.0, 0.8))
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"  # first child: that is where screen readers look
    said = root.find(f"{SVG}desc").text
    assert "1.30 from the root: reached" in said
    assert "(0.49, 0.87)" in said


def test_nothing_is_fetched_and_nothing_runs():
    for text in (diagram([1.2, 0.5], 1.0, 0.8), overview([[1.2, 0.5]], 1.0, 0.8)):
        assert_valid(text)
        without = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|url\(|@import|@font-face|href|<script|\son\w+=", without)


def test_light_and_dark_follow_the_reader():
    style = parse(diagram([1.2, 0.5], 1.0, 0.8)).find(f"{SVG}style").text
    light, dark = style.split("@media (prefers-color-scheme:dark)")
    for colour in (theme.GROUND, theme.FIRST, theme.TARGET, theme.RING):
        assert colour.light in light
        assert colour.dark in dark
        assert colour.dark not in light


def luminance(colour):
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_colours_stand_out_from_their_ground(ground):
    def contrast(colour):
        pair = sorted(luminance(getattr(c, ground)) for c in (colour, theme.GROUND))
        return (pair[1] + 0.05) / (pair[0] + 0.05)

    assert min(contrast(theme.INK), contrast(theme.HUSHED)) >= 7.0
    marks = [*theme.THINGS.values(), *(mark.colour for mark in theme.MARKS.values())]
    assert min(contrast(colour) for colour in marks) >= 3.0


@pytest.mark.parametrize(
    ("v", "text"),
    [
        *((0.0, "0.00"), (1.0, "1.00"), (0.022, "0.022"), (-1.5, "\N{MINUS SIGN}1.50")),
        *((99.999, "100.00"), (123.4, "123"), (1e300, "1.00e300"), (1e-7, "1.00e\N{MINUS SIGN}7")),
    ],
)
def test_quantities_are_short(v, text):
    assert canvas.quantity(v) == text


@pytest.mark.parametrize(
    ("v", "text"),
    [(-0.001, "0"), (1.5, "1.5"), (2.0, "2"), (np.nan, "0"), (np.inf, "99999"), (100, "100")],
)
def test_numbers_of_px_are_short_and_finite(v, text):
    assert canvas.number(v) == text


# --- many limbs ---------------------------------------------------------------------------


def legend(root):
    pairs = re.findall(r"([\d,]+) (reached|too far|too near|ambiguous|invalid)", all_text(root))
    return {word: int(count.replace(",", "")) for count, word in pairs}


def test_the_legend_counts_every_target():
    rng = np.random.default_rng(4)
    targets = rng.normal(size=(500, 2))
    targets[:3] = np.nan
    targets[3] = 0.0
    root = assert_valid(overview(targets, 1.0, 1.0))
    status = twobone.reach(targets, 1.0, 1.0).status
    counted = {
        theme.MARKS[code].word: int(np.sum(status == code)) for code in Status if code in status
    }
    assert legend(root) == counted
    assert counted["invalid"] == 3
    assert counted["ambiguous"] == 1


def test_limbs_of_an_overview_are_drawn_where_they_are():
    targets = np.array([[1.2, 0.5], [-0.3, 1.4], [2.0, -0.2]])
    root = parse(overview(targets, 1.0, 0.8))
    (origin,) = (centre(e) for e in of_class(root, "mark", "root"))
    joint, end, _ = twobone.reach(targets, 1.0, 0.8)
    firsts = [path_points(e) for e in of_class(root, "bone", "first")]
    seconds = [path_points(e) for e in of_class(root, "bone", "second")]
    scale = np.hypot(*(firsts[0][1] - firsts[0][0])) / 1.0
    for row in range(3):
        assert np.allclose(firsts[row][0], origin, atol=0.06)
        assert np.allclose((firsts[row][1] - origin) * (1, -1) / scale, joint[row], atol=2e-3)
        assert np.allclose((seconds[row][1] - origin) * (1, -1) / scale, end[row], atol=2e-3)


def test_marks_stand_where_the_targets_are():
    targets = np.array([[1.2, 0.5], [2.0, -0.2]])
    root = parse(overview(targets, 1.0, 0.8))
    (origin,) = (centre(e) for e in of_class(root, "mark", "root"))
    (ring,) = of_class(root, "ring")
    scale = float(re.search(r"a([\d.]+) ", ring.get("d")).group(1)) / 1.8
    triangle = path_points(of_class(root, "mark", "too-far")[0])
    middle = np.array([triangle[0, 0], triangle[:, 1] @ [0.7, 0.6, 0.6] / 1.9])
    assert np.allclose((middle - origin) * (1, -1) / scale, targets[1], atol=0.01)


def test_far_targets_of_an_overview_stand_at_the_border_with_an_arrow():
    far = [[50.0, 20.0], [1e300, -1e300], [0.0, -9.0]]
    targets = [[1.2, 0.5], [2.0, 0.0], *far, [np.nan, 0.0]]
    root = assert_valid(overview(targets, 1.0, 0.8))
    assert len(of_class(root, "line", "too-far")) == 3
    _, _, width, height = (float(v) for v in root.get("viewBox").split())
    for mark in of_class(root, "mark", "too-far"):
        points = path_points(mark)
        assert np.all(points > 0.0)
        assert np.all(points < (width, height))


def test_an_overview_in_space_says_how_it_is_seen():
    rng = np.random.default_rng(5)
    for axis, said in enumerate(("along x", "along y", "along z")):
        targets = rng.normal(size=(50, 3)) * 0.5
        targets[:, axis] *= 0.01
        root = assert_valid(overview(targets, 1.0, 0.8, pole=[1.0, 1.0, 1.0]))
        assert f"seen {said}" in all_text(root)
        assert f"seen {said}" in root.find(f"{SVG}desc").text


@pytest.mark.parametrize(
    ("axis", "right", "up"),
    [(0, [0, 0, -1], [0, 1, 0]), (1, [1, 0, 0], [0, 0, -1]), (2, [1, 0, 0], [0, 1, 0])],
    ids=["x", "y", "z"],
)
def test_an_overview_in_space_is_the_view_it_says(axis, right, up):
    """Right, up and the axis that points at the reader make a right-handed frame."""
    assert np.array_equal(np.cross(right, up), np.eye(3)[axis])
    targets, pole = np.roll([[0.01, 1.0, 0.5], [0.0, 0.2, -1.0]], axis, axis=1), [0.5, 1.0, 2.0]
    root = parse(overview(targets, 1.0, 0.8, pole=pole))
    (origin,) = (centre(e) for e in of_class(root, "mark", "root"))
    (ring,) = of_class(root, "ring")
    scale = float(re.search(r"a([\d.]+) ", ring.get("d")).group(1)) / 1.8
    joint = twobone.solve(targets, 1.0, 0.8, pole=pole)
    for row, bone in enumerate(of_class(root, "bone", "first")):
        px = path_points(bone)[1]
        expected = joint[row] @ np.transpose([right, up])
        assert np.allclose((px - origin) * (1, -1) / scale, expected, atol=2e-3)


def test_lengths_may_be_arrays():
    targets = np.array([[1.0, 0.0], [0.5, 0.5], [3.0, 0.0]])
    root = assert_valid(overview(targets, [1.0, 2.0, 1.0], [[0.5], [0.7]]))
    assert sum(legend(root).values()) == 6
    assert "4 different limbs" in all_text(root)


def test_no_targets_are_a_picture_too():
    root = assert_valid(overview(np.zeros((0, 2)), 1.0, 0.8))
    assert legend(root) == {"reached": 0}


def test_of_very_many_targets_some_are_drawn_and_all_are_counted():
    targets = np.random.default_rng(6).normal(size=(10_000, 2))
    text = overview(targets, 1.0, 0.8)
    root = parse(text)
    assert sum(legend(root).values()) == 10_000
    assert "1 of 3 is drawn" in all_text(root)
    assert len(text) < 1_500_000


@pytest.mark.parametrize("draw", [diagram, overview])
@pytest.mark.parametrize("wrong", ["right", None, [[1.0], [1.0, 2.0]], [1.0, "a"]])
def test_what_is_no_target_is_told(draw, wrong):
    with pytest.raises(TwoBoneError, match=r"^`target"):
        draw(wrong, 1.0, 1.0)
