"""Reports of pinned feet: sound and safe HTML that shows what the measures say."""

import base64
import errno
import hashlib
import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clip_files
import walkers
from twobone import LocalPose, Skeleton, motion
from twobone.errors import ArrayTypeError
from twobone.motion import Clip, pin
from twobone.motion.report import Change, Step
from twobone.pictures.feet import axes, html, write_html, write_index
from twobone.pictures.feet.checks import checks
from twobone.pictures.feet.figures import GROUPS
from twobone.pictures.feet.index import figures_of
from twobone.pictures.feet.page import draw
from twobone.pictures.feet.subject import subject_of
from twobone.rotations import multiply

EMPTY = {"meta", "br", "circle", "path", "line", "rect"}
HOSTILE = "<script>alert(1)</script>\"'&\x00\x1b[31m\u202e\ud800\n" + "x" * 5000


class Reader(HTMLParser):
    """Reads a page and raises unless all elements are closed in order."""

    def __init__(self, page):
        super().__init__()
        self.open, self.elements, self.words = [], [], []
        self.feed(page)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def all(self, tag, **wanted):
        found = [attrs for name, attrs in self.elements if name == tag]
        return [a for a in found if all(a.get(key) == value for key, value in wanted.items())]

    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def walk():
    return walkers.walk(30, seconds=2.9, stretch=1.15)


@pytest.fixture(scope="module")
def pinned(walk):
    return pin(walk.clip, walk.contacts, walkers.LEGS)


def drawn(clip, pinned, limbs=walkers.LEGS, name="walk.bvh", asked=None):
    page = draw(clip, pinned, limbs, name, asked or {})
    page.encode()  # no lone surrogates
    assert not re.search(r"\b(nan|inf|infinity)\b", page.lower())
    return Reader(page)


# --- what it shows ------------------------------------------------------------------------


def test_a_report_has_all_its_parts(walk, pinned):
    page = drawn(walk.clip, pinned)
    text = page.text()
    for words in ("Footprints from above", "Heels and toes over time", "Filmstrip", "Measures"):
        assert words in text
    assert "87 frames at 30 per second, 2.9 s; 11 joints" in text
    pictures = page.all("svg", role="img")
    plots, contacts, figures = 4, len(pinned.anchors), 12
    assert len(pictures) == 1 + plots + contacts + figures
    assert len(page.all("title")) == 1 + len(pictures)
    assert len(page.all("desc")) == len(pictures)


def test_the_table_has_every_measure_of_the_report(pinned, walk):
    shown = {figure.field for figures in GROUPS.values() for figure in figures}
    others = {"frames", "left_out", "fps", "footplants"}  # the page tells them in words
    others |= {"ground_velocity", "stays_in_place", "jump_at_end", "legs_in_air", "slid_in_place"}
    assert shown == set(pinned.report._fields) - others
    text = drawn(walk.clip, pinned).text()
    report = pinned.report
    assert f"{1000 * report.drift_95.before:.1f} 0.0" in text
    assert f"\N{MULTIPLICATION SIGN} {ratio_of(report.knee_acceleration_95):.2f}" in text
    assert text.count("Misses:") == text.count("Source:") == len(shown)


def with_steps(walk, pinned, *frames):
    """Return a pinned clip whose report has new steps of the left knee in some frames."""
    steps = tuple(Step("left shin", frame, 0.004, 0.001 * frame) for frame in frames)
    largest = steps[-1] if steps else Step("left shin", 9, 0.004, 0.005)
    report = pinned.report._replace(new_steps=steps, largest_new_step=largest)
    return pinned._replace(report=report)


def test_frames_with_new_steps_are_marked_counted_and_told(walk, pinned):
    page = drawn(walk.clip, with_steps(walk, pinned, 20, 40))
    marks = [path["d"] for path in page.all("path") if path.get("class") == "step"]
    upright = [mark for mark in marks if mark.count("V") == 2]
    assert len(upright) == 4  # height and speed of the left heel and the left toe
    assert f"M{1000 * 20 / 86:.1f} 0V" in upright[0]
    text = page.text()
    assert "2 frames have new steps of a hip, knee or ankle" in text
    assert "the largest is 40 mm (4 mm before, around): left shin , frame 40." in text
    assert "All measures are within the usual range." not in text
    assert "New steps in frames 20, 40." in text
    [meta] = page.all("meta", name="twobone-feet")
    assert json.loads(meta["content"])["steps"] == 2


def test_a_clip_without_new_steps_is_told_its_largest_one(walk, pinned):
    report = pinned.report._replace(knee_acceleration_99_5=Change(1.0, 1.0))
    page = drawn(walk.clip, with_steps(walk, pinned._replace(report=report)))
    assert not [path for path in page.all("path") if path.get("class") == "step"]
    assert (
        "All measures are within the usual range. The step that grew most is 5 mm (4 mm before,"
        " around): left shin , frame 9." in page.text()
    )


def ratio_of(change):
    return change.after / change.before


def test_units_and_what_was_asked_are_told(walk, pinned):
    clip = Clip(walk.clip.skeleton, walk.clip.pose, 30, metres=0.0254, guessed=["metres"])
    text = drawn(clip, pin(clip, walk.contacts, walkers.LEGS), asked={"body": "keep"}).text()
    assert "0.0254 m (guessed; if it is wrong, so are the lengths here); y is up" in text
    assert "body keep" in text
    assert "guessed" not in drawn(walk.clip, pinned).text()


def test_bands_are_where_joints_are_held(walk, pinned):
    page = draw(walk.clip, pinned, walkers.LEGS, "", {})
    bands = re.findall(r'class="band" d="([^"]*)"', page)
    subject = subject_of(walk.clip, pinned, walkers.LEGS)
    last = len(walk.clip) - 1
    for data, track in zip(bands, subject.tracks, strict=True):
        found = [(float(x), float(w)) for x, w in re.findall(r"M([\d.]+) 0h([\d.]+)v", data)]
        bars = [(x * last / 1000, (x + width) * last / 1000) for x, width in found]
        held = walk.contacts[track.label]
        expected = [(max(a - 0.5, 0.0), min(b - 0.5, last)) for a, b in held if b > a]
        np.testing.assert_allclose(bars, expected, atol=0.02)


def test_each_contact_tells_how_far_its_joint_was_and_is_from_its_place(walk, pinned):
    text = drawn(walk.clip, pinned).text()
    arrow = "\N{RIGHTWARDS ARROW}"
    told = re.findall(rf"frames (\d+)\N{{EN DASH}}(\d+) (\d+) {arrow} (\d+) mm", text)
    expected = [
        (str(e.first), str(e.stop - 1), f"{1000 * e.drift.before:.0f}", "0")
        for e in pinned.report.footplants
    ]
    assert sorted(told) == sorted(expected)


def test_paths_from_above_end_where_joints_do(walk, pinned):
    page = draw(walk.clip, pinned, walkers.LEGS, "", {})
    above = page[page.index("<title>Footprints from above") :]
    above = above[: above.index("</svg>")]
    subject = subject_of(walk.clip, pinned, walkers.LEGS)
    for classes, side in (("path", "before"), ("now", "after")):
        paths = re.findall(rf'class="{classes}" d="M([^"]*)"', above)
        ends = [float(data.split("L")[-1].split()[0]) for data in paths]
        # The walk goes along z, to the right: px and metres differ by a scale and an origin.
        ahead = [getattr(track, side)[-1, 2] for track in subject.tracks]
        scale, origin = np.polyfit(ahead, ends, 1)
        assert scale > 100.0
        np.testing.assert_allclose(np.polyval([scale, origin], ahead), ends, atol=0.2)


def with_root(clip, rotations, shift):
    """Return a clip whose root is turned and shifted, frame by frame."""
    turned, moved = clip.pose.rotations.copy(), clip.pose.translations.copy()
    turned[:, 0] = multiply(rotations, turned[:, 0])
    moved[:, 0] += shift
    return clip.with_pose(LocalPose(turned, moved))


def test_a_body_that_turns_is_followed(walk):
    half = np.linspace(0.0, 3.0, len(walk.clip))
    turns = np.stack([0.0 * half, np.sin(half), 0.0 * half, np.cos(half)], axis=-1)
    clip = with_root(walk.clip, turns, 0.0)
    legs = motion.find_limbs(walk.clip).legs
    text = drawn(clip, pin(clip, walk.contacts, legs), legs).text()
    assert "The pictures follow the body, and turn with it." in text
    assert "the ticks on the ground stay in place" not in text


def test_figures_of_a_body_that_moves_far_are_drawn_at_one_place(walk, pinned):
    still = np.tile([0.0, 0.0, 0.0, 1.0], (len(walk.clip), 1))
    words = "The body moved far: the figure before is drawn where the one after is."
    assert words not in drawn(walk.clip, pinned).text()
    moved = pinned._replace(clip=with_root(pinned.clip, still, [5.0, 0.0, 0.0]))
    assert words in drawn(walk.clip, moved).text()


def test_what_is_out_of_range_is_pointed_out(walk):
    assert checks(pin(walk.clip, walk.contacts, walkers.LEGS).report) == []
    far = walkers.walk(30, seconds=2.9, stretch=1.6)
    missing = pin(far.clip, far.contacts, walkers.LEGS, body="keep")
    worst = max(missing.report.footplants, key=lambda plant: plant.missed)
    said = checks(missing.report)
    assert f"frames {worst.first} to {worst.stop - 1}" in said[0]
    assert said[0].startswith("Feet miss their places by up to")
    text = drawn(far.clip, missing).text()
    assert "Look at: Feet miss their places" in text


def test_axes_of_the_file_do_not_matter(walk, pinned):
    rotations, translations = (values.copy() for values in walk.clip.pose)
    translations[:, 0] = translations[:, 0] @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    half = 0.5**0.5
    turn = np.array([half, 0.0, 0.0, half])  # by 90 degrees about x: y up becomes z up
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    scaled = Skeleton(walkers.PARENTS, np.array(walkers.OFFSETS) * 100, names=walkers.NAMES)
    clip = Clip(scaled, LocalPose(rotations, translations * 100), 30, up="z", metres=0.01)
    subject = subject_of(clip, pin(clip, walk.contacts, walkers.LEGS), walkers.LEGS)
    other = subject_of(walk.clip, pinned, walkers.LEGS)
    for one, two in zip(subject.tracks, other.tracks, strict=True):
        np.testing.assert_allclose(one.before, two.before, atol=1e-9)
        np.testing.assert_allclose(one.after, two.after, atol=1e-6)
    assert subject.leg == pytest.approx(other.leg)
    assert subject.floor == pytest.approx(other.floor)


# --- safe ---------------------------------------------------------------------------------


def test_nothing_is_loaded_and_nothing_runs(walk, pinned):
    text = draw(walk.clip, pinned, walkers.LEGS, "", {})
    page = Reader(text)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "image", "use", "a"}
    for _, attrs in page.elements:
        assert not {"style", "href", "src"} & attrs.keys()
        assert not any(name.startswith("on") for name in attrs)
    [policy] = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    sheet = re.search("<style>(.*?)</style>", text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}';" in policy["content"]
    assert "url(" not in sheet
    assert "@import" not in sheet
    assert "//" not in text.replace("<!doctype html>", "")


def test_names_are_escaped_and_short():
    names = [f"{name}{HOSTILE}" for name in walkers.NAMES]
    hostile = walkers.walk(30, seconds=2.0, stretch=1.15)
    skeleton = Skeleton(walkers.PARENTS, walkers.OFFSETS, names=names)
    clip = Clip(skeleton, hostile.clip.pose, 30)
    contacts = {f"{name}{HOSTILE}": spans for name, spans in hostile.contacts.items()}
    made = pin(clip, contacts, walkers.LEGS)
    page = draw(clip, made, walkers.LEGS, HOSTILE, {HOSTILE: HOSTILE})
    read = Reader(page)
    assert not read.all("script")
    assert "<script>alert(1)" in read.text()  # as words
    assert not set("\x00\x1b\u202e\ud800") & set(page)
    assert len(page) < 300_000


@given(st.text(st.characters(), max_size=300))
def test_any_text_can_be_shown(value):
    shown = html.text(value)
    shown.encode()
    assert not set("<>\"'\n") & set(shown)
    assert Reader(f"<bdi>{shown}</bdi>").words in ([], [shown_plain(value)])


def shown_plain(value):
    kept = "".join(c if c.isprintable() else "\ufffd" for c in value)
    return kept if len(kept) <= 120 else f"{kept[:60]} … {kept[-60:]}"


# --- any clip -----------------------------------------------------------------------------


def test_a_clip_without_contacts_is_shown(walk):
    page = drawn(walk.clip, pin(walk.clip, {}, walkers.LEGS))
    assert "No contacts: nothing was pinned." in page.text()
    assert len(page.all("svg", role="img")) == 1 + 4 + 12


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_few_frames_are_enough(walk, frames):
    pose = LocalPose(*(values[:frames] for values in walk.clip.pose))
    clip = walk.clip.with_pose(pose)
    contacts = {"left foot": [(0, frames)], "right toes": [(0, 1)]}
    page = drawn(clip, pin(clip, contacts, walkers.LEGS))
    assert f"{frames} frames at" in page.text()
    for attrs in page.all("path", **{"class": "was"}) + page.all("path", **{"class": "now"}):
        assert "L" in attrs["d"] or "H" in attrs["d"]  # even one frame is a line that one sees


def test_a_clip_without_legs_is_shown():
    stick = Skeleton([-1, 0], [[0, 0, 0], [0, 1, 0]])
    clip = Clip(stick, LocalPose([stick.rotations] * 5), 30)
    page = drawn(clip, pin(clip, {}, []), limbs=[])
    assert "No legs were found" in page.text()
    dot = Skeleton([-1], [[0, 0, 0]])
    clip = Clip(dot, LocalPose([dot.rotations]), 30)
    drawn(clip, pin(clip, {}, []), limbs=[])


@pytest.mark.slow
def test_many_limbs_are_cut_off_and_told():
    legs = 40
    parents, offsets, limbs, names = [-1], [[0, 1, 0]], [], ["root"]
    for leg in range(legs):
        first = len(parents)
        parents += [0, first, first + 1]
        offsets += [[0, 0, 0.1 * leg], [0, -0.5, 0.05], [0, -0.45, -0.05]]
        names += [f"{part} {leg}" for part in ("hip", "knee", "foot")]
        limbs.append(SimpleNamespace(start=first, mid=first + 1, end=first + 2, toe=None))
    skeleton = Skeleton(parents, offsets, names=names)
    clip = Clip(skeleton, LocalPose([skeleton.rotations] * 1000), 30)
    contacts = {f"foot {leg}": [(0, 1000)] for leg in range(legs)}
    page = draw(clip, pin(clip, contacts, limbs), limbs, "", {})
    assert "and 28 more" in Reader(page).text()
    assert len(page) < 1_000_000


@pytest.mark.parametrize("size", [1e-12, 1e7, 1e80])
def test_sizes_of_any_magnitude_are_drawn(walk, size):
    offsets = np.array(walkers.OFFSETS) * size
    pose = LocalPose(walk.clip.pose.rotations, walk.clip.pose.translations * size)
    clip = Clip(Skeleton(walkers.PARENTS, offsets, names=walkers.NAMES), pose, 30)
    page = drawn(clip, pin(clip, walk.contacts, walkers.LEGS))
    for attrs in page.all("path"):
        numbers = [float(v) for v in re.findall(r"-?[\d.]+", attrs["d"])]
        assert len(numbers) < 3000
        assert np.max(np.abs(numbers), initial=0.0) <= 99999.0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_random_poses_and_labels_are_drawn(seed, frames):
    random = np.random.default_rng(seed)
    rotations = random.normal(size=(frames, len(walkers.NAMES), 4))
    translations = np.tile(walkers.OFFSETS, (frames, 1, 1)) + random.normal(size=(frames, 1, 3))
    clip = Clip(walkers.FIGURE, LocalPose(rotations, translations), 30)
    edges = np.sort(random.integers(0, frames + 1, 4)).tolist()
    contacts = {"left foot": [(edges[0], edges[1])], "right toes": [(edges[2], edges[3])]}
    drawn(clip, pin(clip, contacts, walkers.LEGS))


@pytest.mark.parametrize(("file", "name"), [(clip_files.FOX, "Run")])
def test_an_animal_is_shown(file, name):
    clip = motion.load(clip_files.path_of(file), name)
    limbs = motion.find_limbs(clip)
    page = drawn(clip, pin(clip, None, limbs), limbs)
    assert "left front leg" in page.text()
    assert "Seen from its right" in page.text()


# --- long clips ---------------------------------------------------------------------------


def test_extremes_of_long_curves_are_kept():
    values = np.sin(np.arange(100_000) * 0.01)
    values[[777, 55_555]] = 9.0, -9.0
    frames, thin = axes.thinned(values, 300)
    assert len(thin) == len(frames) == 600
    assert (thin.max(), thin.min()) == (9.0, -9.0)
    assert abs(frames[thin.argmax()] - 777) < 100_000 / 300
    assert np.all(np.diff(frames) > 0)
    every = axes.thinned(values[:600], 300)
    np.testing.assert_array_equal(every[1], values[:600])


@given(st.floats(1e-8, 1e12), st.integers(1, 10))
def test_steps_are_round_and_few(length, most):
    step = axes.round_step(length, most)
    assert length / step <= 1.001 * most
    assert f"{step:.0e}"[0] in "125"
    assert length / step > most / 2.6


@pytest.mark.slow
def test_long_clips_are_thinned_to_a_megabyte(walk):
    times = 100_000 // len(walk.clip) + 1
    pose = LocalPose(*(np.concatenate([values] * times) for values in walk.clip.pose))
    count = len(walk.clip)
    contacts = {
        joint: [(k * count + a, k * count + b) for k in range(times) for a, b in spans]
        for joint, spans in walk.contacts.items()
    }
    clip = walk.clip.with_pose(pose)
    made = pin(clip, contacts, walkers.LEGS)
    page = draw(clip, made, walkers.LEGS, "", {})
    assert len(page) < 1_000_000
    text = Reader(page).text()
    assert "each of 300 columns shows the lowest and the highest value of about 334 frames" in text
    assert "The clip is longer than 4.5 s: these are the 3 s, frames" in text


def test_the_close_up_is_where_feet_slide_the_most():
    walk = walkers.walk(30, seconds=12.0)
    translations = walk.clip.pose.translations.copy()
    translations[200:230, 0, 2] += np.linspace(0.0, 0.5, 30)
    translations[230:, 0, 2] += 0.5
    clip = walk.clip.with_pose(LocalPose(walk.clip.pose.rotations, translations))
    first, last = subject_of(clip, pin(clip, walk.contacts, walkers.LEGS), walkers.LEGS).close
    assert first < 200 + 20
    assert last > 230 - 20
    assert last - first == 90


def test_it_is_fast(walk):
    times = 30
    pose = LocalPose(*(np.concatenate([values] * times) for values in walk.clip.pose))
    clip = walk.clip.with_pose(pose)
    made = pin(clip, walk.contacts, walkers.LEGS)
    start = time.process_time()
    draw(clip, made, walkers.LEGS, "", {})
    assert time.process_time() - start < 1.5  # 0.1 s on 2,700 frames


# --- files --------------------------------------------------------------------------------


def test_a_file_is_written_completely_or_not_at_all(walk, pinned, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    write_html(path, walk.clip, pinned, walkers.LEGS, name="walk.bvh")
    before = path.read_bytes()
    assert before.startswith(b"<!doctype html>")
    assert before.endswith(b"</html>\n")

    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        write_html(path, walk.clip, pinned, walkers.LEGS)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_clip_gives_the_same_file(walk, pinned, tmp_path):
    for name in ("one", "two"):
        with open(tmp_path / name, "wb") as file:
            write_html(file, walk.clip, pinned, walkers.LEGS)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_what_is_no_file_raises(walk, pinned):
    with pytest.raises(ArrayTypeError, match="a path or an open binary file"):
        write_html(3, walk.clip, pinned, walkers.LEGS)
    with pytest.raises(ArrayTypeError, match="path"):
        write_index(3, [])


def test_an_index_reads_the_figures_of_reports(walk, pinned, tmp_path):
    name = "a b/<i>&\"'#?%.bvh"
    report = tmp_path / "deep" / "j avascript:1#?%\"'.html"
    report.parent.mkdir()
    write_html(report, walk.clip, pinned, walkers.LEGS, name=name)
    figures = figures_of(report)
    assert figures["contacts"] == len(pinned.anchors)
    assert figures["drift_before"] == pinned.report.drift_95.before
    write_index(tmp_path / "index.html", [(name, report), ("none", tmp_path / "none.html")])
    page = Reader((tmp_path / "index.html").read_text())
    [link] = page.all("a")
    assert link["href"] == "./deep/j%20avascript%3A1%23%3F%25%22%27.html"
    assert f"{1000 * pinned.report.drift_95.before:.1f} 0.0" in page.text()
    assert "no report: it could not be pinned" in page.text()


@pytest.mark.parametrize("content", ["", "[]", "{", '{"drift_before": "<b>", "missed": 1e999}'])
def test_an_index_trusts_no_report(tmp_path, content):
    report = tmp_path / "report.html"
    quoted = content.replace('"', "&quot;")
    report.write_text(f'<meta name="twobone-feet" content="{quoted}">')
    assert figures_of(report) == {}
    write_index(tmp_path / "index.html", [("clip", report)])
    assert not Reader((tmp_path / "index.html").read_text()).all("b")


def test_an_index_of_many_is_bounded(tmp_path):
    write_index(tmp_path / "index.html", [("clip", tmp_path / "none")] * 6000)
    text = (tmp_path / "index.html").read_text()
    assert "1000 more are not listed." in text
    assert len(text) < 1_000_000


def test_figures_are_plain_json(walk, pinned):
    page = drawn(walk.clip, pin(walk.clip, {}, walkers.LEGS))
    [meta] = page.all("meta", name="twobone-feet")
    figures = json.loads(meta["content"])
    assert figures["contacts"] == 0
    assert figures["knees"] is None or figures["knees"] > 0
