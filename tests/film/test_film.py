"""The film of a walk: what is drawn is where it is, and what is drawn can be played."""

import functools
import io
import sys
import threading
import time
from fractions import Fraction

import numpy as np
import pytest

import apart
import handmade
import twobone
from slow import slow
from twobone import creature
from twobone.creature import Noise
from twobone.errors import ArrayTypeError, FileError, MissingError
from twobone.files import recordings
from twobone.film import encoder, floor, planes, raster, rays, solids, visible
from twobone.film.encoder import Film
from twobone.film.light import Shades, make_light
from twobone.pictures import camera, scene
from twobone.pictures.footprints import footprints, ground_of
from twobone.pictures.scene import Cone, Lump
from twobone.rotations import rotate

SIZE = (320, 180)
WALK = handmade.make_walk(0.5, fps=30)
FLAT = handmade.make_walk(0.5, fps=30, terrain=handmade.flat, sway=0.0)


def written(recording, terrain=None, **options):
    file = io.BytesIO()
    encoder.write_mp4(file, recording, terrain, size=SIZE, **options)
    return file.getvalue()


def points_of(recording):
    return np.concatenate([recording.hips, recording.knees, recording.feet], axis=1)


# --- the file -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played():
    """Return a film as it was written, its stream and its pictures as a player decodes them."""
    av = pytest.importorskip("av", reason="PyAV is not installed: pip install '.[video]'")
    data = written(WALK, handmade.hills)
    with av.open(io.BytesIO(data)) as found:
        [stream] = found.streams
        pictures = [frame.to_ndarray(format="rgb24") for frame in found.decode(video=0)]
        context = stream.codec_context
        facts = dict(rate=stream.average_rate, codec=context.name, pixels=context.pix_fmt)
    return data, facts, pictures


def test_a_film_has_the_recordings_frames_at_its_rate(played):
    _, facts, pictures = played
    assert facts["rate"] == 30
    assert facts["codec"] in ("h264", "mpeg4")
    assert facts["pixels"] == "yuv420p"
    assert [picture.shape for picture in pictures] == [(180, 320, 3)] * len(WALK.time)


@pytest.mark.parametrize(
    ("fps", "asked", "rate", "count"),
    [(60, {}, 30, 15), (25, {}, 25, 12), (50, {}, 25, 13), (60, {"fps": 60}, 60, 30)],
)
def test_a_film_has_at_most_thirty_frames_a_second_unless_told_otherwise(fps, asked, rate, count):
    walk = handmade.make_walk(0.5, fps=fps)
    film = Film(walk, handmade.hills, SIZE, **asked)
    assert (film.rate, len(film)) == (rate, count)
    np.testing.assert_array_equal(film.recording.feet, walk.feet[:: round(fps / rate)])
    assert film.recording.dt == pytest.approx(1.0 / rate)


def test_a_film_has_1280_by_720_pixels():
    assert Film(WALK, handmade.hills).planes(0).shape == (1080, 1280)


def test_heads_and_tails_of_every_second_frame_are_drawn():
    time = np.arange(len(WALK.time))[:, None]
    turns = np.sin(0.02 * time) * [0.0, 1.0, 0.0, 0.0] + np.cos(0.02 * time) * [0.0, 0.0, 0.0, 1.0]
    walk = WALK._replace(dt=1.0 / 60.0, neck=turns[:, None], tail=turns[:, None])
    drawn = Film(walk, handmade.hills, SIZE, fps=30)
    np.testing.assert_array_equal(drawn.recording.neck[:, 0], turns[::2])
    np.testing.assert_array_equal(drawn.recording.tail[:, 0], turns[::2])


def test_what_is_played_is_what_was_drawn(played):
    drawn = Film(WALK, handmade.hills, SIZE)
    for number in (0, 7, 14):
        picture, other = drawn.picture(number).astype(float), played[2][number - 5]
        off = played[2][number] - picture
        assert np.abs(off).mean() < min(4.0, 0.8 * np.abs(other - picture).mean())


def test_colours_are_played_as_they_are(tmp_path):
    av = pytest.importorskip("av", reason="PyAV is not installed: pip install '.[video]'")
    paints = Film(WALK, handmade.hills, SIZE).painter.paints.values()
    colours = np.array([255 * np.sqrt(each) for each in paints])

    class Stripes:
        rate, size = Fraction(25), (32 * len(colours), 64)
        __len__ = lambda self: 2  # noqa: E731

        def planes(self, number):
            linear = np.tile(np.repeat(colours / 255.0, 32, axis=0) ** 2, (64, 1, 1))
            bright, *faint = planes.from_linear(*np.moveaxis(linear, -1, 0))
            parts = [bright, *(part[::2, ::2].reshape(-1, bright.shape[1]) for part in faint)]
            return np.rint(np.concatenate(parts)).astype(np.uint8)

    encoder._encode(av, tmp_path / "stripes.mp4", Stripes(), lambda share: None)
    with av.open(str(tmp_path / "stripes.mp4")) as found:
        frame = next(found.decode(video=0))
        assert (frame.colorspace, frame.color_range) == (1, 1)  # BT.709, from 16 to 235
        seen = frame.to_ndarray(format="rgb24")[32, 16::32].astype(float)
    np.testing.assert_allclose(seen, colours, atol=6.0)


def test_a_film_plays_before_all_of_it_has_come(played):
    data = played[0]
    assert data[4:8] == b"ftyp"
    assert 0 < data.index(b"moov") < data.index(b"mdat")


def test_a_film_is_whole_or_not_there(tmp_path):
    pytest.importorskip("av", reason="PyAV is not installed")
    path = tmp_path / "walk.mp4"
    path.write_bytes(b"before")

    def stop(share):
        raise KeyboardInterrupt

    short = handmade.make_walk(0.1, fps=20)
    with pytest.raises(KeyboardInterrupt):
        encoder.write_mp4(path, short, handmade.hills, progress=stop)
    assert path.read_bytes() == b"before"
    shares = []
    encoder.write_mp4(path, short, progress=shares.append)
    assert path.read_bytes()[4:8] == b"ftyp"
    assert shares == [0.5, 1.0]
    assert len(list(tmp_path.iterdir())) == 1


def test_without_pyav_the_error_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(
        MissingError, match=r"a film \(\.mp4\) needs av: pip install '\.\[video\]' in the"
    ):
        encoder.write_mp4(tmp_path / "walk.mp4", WALK)
    assert not list(tmp_path.iterdir())


def test_few_pictures_wait_for_the_encoder():
    class Counted:
        drawn = 0

        def __len__(self):
            return 200

        def planes(self, number):
            self.drawn += 1
            return number

    counted = Counted()
    pictures = encoder._draw(counted)
    assert [next(pictures) for _ in range(10)] == list(range(10))
    assert counted.drawn <= 20
    assert list(pictures) == list(range(10, 200))


def test_nobody_draws_pictures_of_a_film_that_was_given_up():
    class Slow:
        begun, ended = [], []
        is_drawn = threading.Event()

        def __len__(self):
            return 200

        def planes(self, number):
            if number == 0:
                return number
            self.begun.append(number)
            self.is_drawn.set()
            time.sleep(0.02)
            self.ended.append(number)

    slow = Slow()
    pictures = encoder._draw(slow)
    next(pictures)
    assert slow.is_drawn.wait(10.0)
    pictures.close()
    begun, ended = len(slow.begun), len(slow.ended)
    time.sleep(0.05)
    assert len(slow.begun) == begun == ended


def test_pictures_are_drawn_under_the_callers_error_state():
    class States:
        def __len__(self):
            return 20

        def planes(self, number):
            return np.geterr()["divide"]

    with np.errstate(divide="raise"):
        assert set(encoder._draw(States())) == {"raise"}


def test_a_thread_that_outlives_the_main_thread_draws_a_film():
    code = """
import threading
def late():
    threading.main_thread().join()
    from twobone.film import encoder
    class Numbers:
        planes = staticmethod(str)
        def __len__(self):
            return 6
    print(*encoder._draw(Numbers()))
threading.Thread(target=late).start()
"""
    assert apart.printed(code) == ["0 1 2 3 4 5"]


# --- the picture --------------------------------------------------------------------------


def test_the_animal_is_where_the_camera_says():
    drawn = Film(painted(FLAT, feet="#C2410C"), handmade.flat, (640, 360))
    red = np.sqrt(drawn.painter.paints["feet"])
    found = 0
    for number in (0, 8):
        picture = drawn.picture(number) / 255.0
        view = drawn.camera(number)
        feet = [solid for solid in drawn.animal.solids(number, view) if solid.paint == "feet"]
        # The solids are where the recording has the feet, half hidden by the shin at most.
        soles = np.array([solid.start for solid in feet])
        off = np.linalg.norm(soles - view.to_space(FLAT.feet[number]), axis=-1)
        np.testing.assert_allclose(off, 0.6 * 0.026 * 2.8, rtol=1e-3)
        for column, row in zip(*view.project(soles), strict=True):
            pixel = picture[int(row), int(column)]
            found += pixel[0] > 1.8 * pixel[2] and abs(pixel[1] / pixel[0] - red[1] / red[0]) < 0.15
    assert found >= 9  # of 12: some are behind a shin


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [(1280, 720), (360, 640)], ids=["wide", "tall"])
@pytest.mark.parametrize("view", camera.VIEWS)
@pytest.mark.parametrize(
    "name", ["spider", *slow(*(each for each in creature.ANIMALS if each != "spider"))]
)
def test_the_animal_takes_the_share_of_the_width_or_height_that_is_chosen(name, view, size):
    walk = creature.walk(name, seconds=1.5, fps=20, turn=0.0)
    film = Film(walk, handmade.flat, size, camera=view)
    boxes = []
    for number, points in enumerate(film.animal.bounds(np.arange(len(film)))):
        seen = film.camera(number)
        places = np.stack(seen.project(seen.to_space(points)), axis=-1) / size
        boxes.append([places.min(axis=0), places.max(axis=0)])
    low, high = np.swapaxes(boxes, 0, 1)
    chosen = np.median(np.max((high - low) / camera.FILL, axis=1))
    if chosen < 0.92:  # one that sets off, or swings its legs, would be cut off if it were nearer
        assert min(np.min(low), np.min(1.0 - high)) < 3.0 * camera.EDGE
    else:
        assert chosen == pytest.approx(1.0, abs=0.08)  # tails and legs swing
    np.testing.assert_allclose(np.median(0.5 * (low + high), axis=0), (0.5, 0.53), atol=0.03)


def test_the_animal_takes_as_much_of_a_picture_of_any_size():
    walk = creature.walk("spider", seconds=0.2, fps=20)
    small, large = (Film(walk, handmade.flat, size).camera(2) for size in (SIZE, (1920, 1080)))
    np.testing.assert_allclose(small.place, large.place, rtol=1e-6)
    assert large.focal == pytest.approx(6.0 * small.focal)


def painted(walk, **colours):
    """Return a walk whose animal has other colours."""
    pairs = [
        (each, each) if isinstance(each, str) else each for each in creature.Palette(**colours)
    ]
    numbers = [[[int(one[i : i + 2], 16) for i in (1, 3, 5)] for one in pair] for pair in pairs]
    return walk._replace(palette=np.array(numbers, float))


def test_a_film_shows_the_colours_of_the_animal_or_of_bones():
    green = painted(FLAT, **dict.fromkeys(creature.Palette._fields, "#00A000"))
    own, bones = (Film(green, handmade.flat, SIZE, bones=each, rings=False) for each in (0, 1))
    for film, is_blue in ((own, False), (bones, True)):
        red, grass, blue = np.moveaxis(film.picture(4).astype(float), -1, 0)
        assert np.sum((grass > 1.5 * red) & (grass > 1.5 * blue)) > 200
        assert bool(np.sum((blue > 1.5 * red) & (blue > grass)) > 50) == is_blue


def test_rings_can_be_left_out():
    ringed, plain = (Film(painted(FLAT), handmade.flat, SIZE, rings=each) for each in (True, False))
    red = [
        np.sum(film.picture(4)[..., 0] > 1.3 * film.picture(4)[..., 2].astype(float))
        for film in (ringed, plain)
    ]
    assert red[0] > 50 + red[1]


@pytest.mark.parametrize(
    "size", [(0, 0), (1281, 720), (30, 30), (8194, 720), (640,), 5, "ab", None]
)
def test_sizes_that_no_film_has_are_errors(size):
    wanted = "`size` must be width and height in pixels, even numbers from 32 to 8192, got"
    with pytest.raises(twobone.CreatureError, match=wanted):
        Film(FLAT, handmade.flat, size)


def test_a_picture_is_the_same_whenever_it_is_drawn():
    first, second = Film(WALK, handmade.hills, SIZE), Film(WALK, handmade.hills, SIZE)
    backwards = [second.picture(number) for number in (9, 3)][::-1]
    for number, other in zip((3, 9), backwards, strict=True):
        np.testing.assert_array_equal(first.picture(number), other)
    assert np.any(first.picture(3) != first.picture(9))


def test_ground_in_the_shadow_of_the_body_is_darker():
    drawn = Film(FLAT, handmade.flat, SIZE)
    view, painter = drawn.camera(4), drawn.painter
    none = np.zeros((0, 3))
    marks = floor.Marks(none, np.zeros(0), none, np.zeros(0))
    solids = drawn.animal.solids(4, view)
    body = solids[0]
    lift = view.place[1] + body.centre[1]  # over ground at 0
    light = painter.light(view).direction
    fallen = body.centre - lift / light[1] * light
    column, row = (int(part) for part in view.project(fallen))
    lit = planes.to_rgb(painter.paint(view, solids[:1], marks)).astype(int)
    far = body._replace(centre=body.centre + np.array([-40.0, 0.0, 0.0], np.float32))
    bare = planes.to_rgb(painter.paint(view, [far], marks)).astype(int)
    assert np.all(lit[row, column] < bare[row, column] - 60)
    # The light comes from the left: as far to the left of the body there is no shadow.
    under = view.project(body.centre - [0.0, lift, 0.0])
    other = int(2 * under[0] - column)
    assert np.all(lit[row, other] > bare[row, other] - 30)


@pytest.mark.parametrize(
    "caster",
    [
        Cone("thighs", np.array([-1.0, 2.0, 5.0]), np.array([1.0, 2.0, 5.0]), (0.1, 0.1)),
        Lump("body", np.array([0.0, 2.0, 5.0]), np.eye(3), np.array([1.0, 0.1, 0.1]), 3.0),
    ],
    ids=["bone", "body"],
)
def test_solids_cast_shadows(caster):
    light = make_light([0.0, 1.0, 0.0], 0.1)
    points = np.array([[0.0, 1.0, 5.0], [0.0, 1.0, 5.5], [0.0, 3.0, 5.0], [1.1, 1.5, 5.0]])
    shades = Shades(light, solids.Solids([caster]))
    taken = shades.dark(np.zeros(4, int), light.coordinates(points.T.astype(np.float32)))
    assert taken[0] > 0.9
    assert taken[1] == taken[2] == 0.0  # beside it, and above it
    assert 0.1 < taken[3] < 0.9  # at its end the shadow is half


def test_a_ball_casts_a_round_shadow():
    light, middle = make_light([0.0, 1.0, 0.0], 0.1), np.array([0.0, 2.0, 5.0])
    shades = Shades(light, solids.Solids([Cone("joints", middle, middle, (0.5, 0.5))]))
    points = np.array([[0, 1, 5], [0.2, 1, 5.2], [0.5, 1, 5.5], [0, 3, 5]], np.float32)
    taken = shades.dark(np.zeros(4, int), light.coordinates(points.T))
    assert min(taken[:2]) > 0.9
    assert taken[2] == taken[3] == 0.0  # beside it, and above it


def test_shadows_of_thin_bones_are_faint_where_pixels_are_wide():
    """On ground seen at a low angle they would be rows of dots otherwise."""
    light = make_light([0.0, 1.0, 0.0], 0.1)
    bone = Cone("shins", np.array([-9.0, 0.2, 5.0]), np.array([9.0, 0.2, 5.0]), (0.05, 0.05))
    shades = Shades(light, solids.Solids([bone]))
    points = np.zeros((3, 400), np.float32)
    points[2] = np.linspace(4.0, 6.0, 400)
    owner, places = np.zeros(400, int), light.coordinates(points)
    sharp = shades.dark(owner, places)
    wide = shades.dark(owner, places, np.full(400, 0.3, np.float32))
    assert sharp.max() > 0.9
    assert wide.max() < 0.3
    assert np.count_nonzero(wide) > 3 * np.count_nonzero(sharp)
    assert 0.3 < wide.sum() / sharp.sum() < 1.0


def test_rings_are_for_feet_that_stand():
    drawn = Film(FLAT, handmade.flat, SIZE)
    share, last = drawn.rings, drawn.prints
    long = np.array([np.all(FLAT.stance[max(0, t - 4) : t + 1], axis=0) for t in range(15)])
    assert np.all(share[long] == 1.0)
    gone = np.array([~np.any(FLAT.stance[max(0, t - 4) : t + 1], axis=0) for t in range(15)])
    assert np.any(gone[4:])
    assert np.all(share[4:][gone[4:]] == 0.0)
    assert np.all(last[FLAT.stance] == np.nonzero(FLAT.stance)[0])


def test_the_far_is_fog():
    drawn = Film(WALK, handmade.hills, SIZE)
    picture = drawn.picture(2) / 255.0
    np.testing.assert_allclose(picture[0].mean(axis=0), np.sqrt(drawn.painter.fog), atol=0.015)
    assert np.ptp(picture[-60:].mean(axis=-1)) > 0.2


@pytest.mark.parametrize("name", [camera.USUAL, "top"])
def test_lines_of_the_grid_are_where_they_belong_and_have_their_width(name):
    """In some rows of the picture; those of "top" are not along lines."""
    drawn = Film(FLAT, handmade.flat, camera=name)
    view = drawn.camera(0)
    picture = drawn.picture(0)[..., 1].astype(float)
    cell = floor.GRID * drawn.animal.leg
    found = []
    for row in (640, 660, 700) if name == camera.USUAL else (20, 60, 692):
        across = (np.arange(1280) + 0.5 - view.middle[0]) / view.focal
        up = (view.middle[1] - row - 0.5) / view.focal
        rays = view.axes[2] + across[:, None] * view.axes[0] + up * view.axes[1]
        place = view.place[[0, 2]] - rays[:, [0, 2]] * (view.place[1] / rays[:, 1:2])
        off = np.abs(place / cell - np.rint(place / cell)) * cell / (0.006 * drawn.animal.leg)
        line, ground = np.min(off, axis=1) < 0.5, np.min(off, axis=1) > 3.0
        found.append(picture[row, ground].min() - picture[row, line].max())
        assert line.sum() > 4
    assert min(found) > 10.0


# --- ground and rays ----------------------------------------------------------------------


def tilted(view, degrees):
    """Return a camera that looks down by so much, at what another one sees in the middle."""
    turn = rotate_about_x(degrees)
    axes = turn @ view.axes
    place = view.place + view.unit * (view.axes[2] - axes[2])
    return view._replace(axes=axes, place=place, middle=tuple(0.5 * np.array(view.size)))


def rotate_about_x(degrees):
    s, c = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    return np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])


@pytest.mark.parametrize("tilt", [0.0, 25.0, 60.0, 90.0])
def test_what_is_seen_of_ground_lies_on_it(tilt):
    terrain = Noise(0.4, 5.0, seed=2)
    drawn = Film(WALK, terrain, SIZE)
    view = drawn.camera(5).halved()
    view = tilted(view, tilt) if tilt else view
    seen = drawn.painter.landscape.see(view)
    rows, columns = np.nonzero(seen.ahead < 2.5 * view.unit)
    assert len(rows) > 0.5 * seen.ahead.size
    ahead = seen.ahead[rows, columns].astype(float)
    across = (columns + 0.5 - view.middle[0]) / view.focal * ahead
    up = (view.middle[1] - rows - 0.5) / view.focal * ahead
    x, y, z = (np.stack([across, up, ahead], axis=-1) @ view.axes + view.place).T
    off = np.abs(terrain.height(x, z) - y)
    assert np.quantile(off, 0.98) < 0.02  # all but crests
    # Nothing stands between: halfway to the eye the ground is below the ray.
    for share in (0.3, 0.6, 0.9):
        place = view.place + share * (np.stack([x, y, z], axis=-1) - view.place)
        above = place[:, 1] - terrain.height(place[:, 0], place[:, 2])
        assert np.quantile(above, 0.02) > -0.02
    facing = terrain.normal(x, z) @ view.axes.T @ drawn.painter.light(view).direction
    np.testing.assert_allclose(seen.light[rows, columns], np.maximum(facing, 0.0), atol=0.12)


def test_crests_of_hills_are_antialiased_where_they_are():
    terrain = Noise(0.4, 5.0, seed=2)
    drawn = Film(WALK, terrain, (1280, 720))
    view = drawn.camera(5).halved()
    seen = drawn.painter.landscape.see(view)
    rows, columns, rise = seen.crests
    near = np.nonzero(seen.ahead[rows, columns] < 1.5 * view.unit)[0][::5]
    assert len(near) > 20
    rows, columns, rise = rows[near], columns[near], rise[near]
    assert np.abs(rise).max() <= 0.5
    assert np.ptp(rise) > 0.6
    before, behind = seen.ahead[rows, columns], seen.ahead[rows - 1, columns]
    ahead = np.linspace(0.9 * before, np.minimum(0.5 * (before + behind), 1.1 * before), 200).T

    def meets(rows):
        """Return whether rays meet the hill in front, not the one behind it."""
        across = ((columns + 0.5 - view.middle[0]) / view.focal)[:, None] * ahead
        up = ((view.middle[1] - rows) / view.focal)[:, None] * ahead
        x, y, z = np.moveaxis(np.stack([across, up, ahead], -1) @ view.axes + view.place, -1, 0)
        return np.any(y < terrain.height(x, z), axis=1)

    assert np.mean(meets(rows - rise + 0.5)) > 0.85
    assert np.mean(meets(rows - rise - 0.3)) < 0.1


def view_of():
    return camera.Camera(np.zeros(3), np.eye(3), 30.0, (16.0, 12.0), (32, 24), 5.0)


def cone_distance(solid, points):
    """Return the signed distance to a round cone (Quilez, "distance functions")."""
    way = solid.end - solid.start
    length = np.sqrt(way @ way)
    off = points - solid.start
    y = off @ way / length
    x = np.sqrt(np.maximum(np.sum(off * off, -1) - y * y, 0.0))
    r, s = solid.radii
    b = (r - s) / length
    a = np.sqrt(1.0 - b * b)
    k = -b * x + a * y
    body = a * x + b * y - r
    return np.where(
        k < 0.0, np.hypot(x, y) - r, np.where(k > a * length, np.hypot(x, y - length) - s, body)
    )


def lump_distance(solid, points):
    """Return a measure that is 0 on a lump and grows outwards."""
    place = np.abs((points - solid.centre) @ solid.axes.T / solid.half)
    return np.sum(place**solid.power, axis=-1) ** (1.0 / solid.power) - 1.0


TURN = np.linalg.qr(np.array([[1.0, 0.4, 0.2], [-0.3, 1.0, 0.5], [0.1, -0.6, 1.0]]))[0]
MIDDLE = np.array([0.2, -0.1, 5.0])
SOLIDS = {
    "ball": (
        Cone("a", MIDDLE, MIDDLE, (1.1, 1.1)),
        lambda solid, points: np.linalg.norm(points - MIDDLE, axis=-1) - 1.1,
    ),
    "ellipsoid": (
        Lump("a", np.array([-0.2, 0.1, 5.5]), TURN, np.array([1.4, 0.3, 0.8]), 2.0),
        lump_distance,
    ),
    "bone": (
        Cone("a", np.array([-1.5, 0.5, 6.0]), np.array([1.2, -0.8, 4.5]), (0.5, 0.2)),
        cone_distance,
    ),
    "bone towards us": (
        Cone("a", np.array([0.2, 0.1, 7.0]), np.array([0.3, 0.2, 4.0]), (0.3, 0.6)),
        cone_distance,
    ),
    "body": (
        Lump("a", np.array([0.3, -0.2, 5.5]), TURN, np.array([1.2, 0.5, 0.8]), 4.0),
        lump_distance,
    ),
    "head": (
        Lump("a", np.array([-0.3, 0.2, 5.0]), TURN, np.array([0.4, 0.5, 0.8]), 2.2),
        lump_distance,
    ),
}


def single(solid):
    """Return a solid, in float32, as all solids of a frame."""
    parts = {
        field: value.astype(np.float32)
        for field, value in solid._asdict().items()
        if isinstance(value, np.ndarray)
    }
    if isinstance(solid, Cone) and solid.start is solid.end:
        parts["end"] = parts["start"]
    return solids.Solids([solid._replace(**parts)])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SOLIDS)
def test_rays_meet_solids_where_they_are(name):
    solid, distance = SOLIDS[name]
    some = single(solid)
    view = view_of()
    rows, columns = (part.reshape(-1) for part in np.indices((24, 32)))
    x = ((columns + 0.5 - 16.0) / 30.0).astype(np.float32)
    y = ((12.0 - rows - 0.5) / 30.0).astype(np.float32)
    depth = rays.cast(some, np.zeros(len(x), int), x, y)
    ways = np.stack([x, y, np.ones_like(y)], axis=-1)
    # By brute force: the first of many places along each ray that is inside.
    ahead = np.linspace(3.0, 8.0, 2000)
    inside = distance(solid, ways[:, None, :] * ahead[:, None]) < 0.0
    first = np.where(inside.any(axis=-1), ahead[inside.argmax(axis=-1)], np.inf)
    seen = np.isfinite(depth)
    assert seen.sum() > 20
    assert np.mean(seen != np.isfinite(first)) < 0.006  # but for rays that graze it
    both = seen & np.isfinite(first)
    assert np.all(np.abs(depth[both] - first[both]) < 0.05)
    np.testing.assert_allclose(distance(solid, ways[seen] * depth[seen][:, None]), 0.0, atol=6e-3)
    # All rays that meet it are through pixels that may see it.
    pixels = raster.rasterize(view, some.middles, some.radii)
    may = np.zeros((24, 32), bool)
    may[pixels.rows, pixels.columns] = True
    assert not np.any(seen & ~may.reshape(-1))
    assert may.sum() < 2.0 * seen.sum() + 70
    # Normals are what the distance grows along.
    points = (ways[both] * depth[both][:, None]).astype(np.float64)
    owner = np.zeros(len(points), int)
    normal = rays.normals(some, owner, points.T.astype(np.float32)).T
    grows = np.stack(
        [
            distance(solid, points + 1e-4 * axis) - distance(solid, points - 1e-4 * axis)
            for axis in np.eye(3)
        ],
        axis=-1,
    )
    grows /= np.linalg.norm(grows, axis=-1, keepdims=True)
    assert np.quantile(np.sum(normal * grows, axis=-1), 0.02) > 0.995


def ball(place, radius):
    place = np.array(place, np.float32)
    return Cone("a", place, place, (radius, radius))


def seen_of(*shown, ground=np.inf):
    """Return the fragments of solids in a small picture."""
    ahead = floor.Window(np.full((24, 32), ground, np.float32), 0, 0)
    return visible.find(view_of(), solids.Solids(shown), ahead)


def test_edges_cover_as_much_of_pixels_as_the_solid_does():
    found = seen_of(ball((0.1, 0.2, 5.0), 1.3))
    # Seen from the middle, a ball is a disc.
    wide = 30.0 * 1.3 / np.sqrt(5.0**2 - 1.3**2)
    assert found.share.sum() == pytest.approx(np.pi * wide**2, rel=0.01)
    inner = np.hypot(found.columns - 16.1, 11.3 - found.rows) < wide - 3.0
    assert np.all(found.share[inner] == 1.0)
    assert set(found.share) == {0.25, 0.5, 0.75, 1.0}


def test_what_is_nearer_hides_what_is_farther():
    near, far = ball((0.0, 0.0, 4.0), 0.5), ball((0.0, 0.0, 6.0), 0.5)
    alone, both = seen_of(near), seen_of(far, near)
    assert set(both.owner) == {1}
    np.testing.assert_array_equal(both.depth, alone.depth)
    assert np.all(seen_of(near, ground=5.0).share == alone.share)
    assert len(seen_of(near, ground=3.4).share) == 0


def test_where_solids_meet_pixels_show_both():
    apart = ball((-0.5, 0.0, 5.0), 0.7), ball((0.5, 0.0, 5.0), 0.7)
    found = seen_of(*apart)
    share = np.zeros((24, 32))
    np.add.at(share, (found.rows, found.columns), found.share)
    assert share.max() == 1.0
    assert np.all(share[10:14, 14:18] == 1.0)
    mixed = found.share[(found.rows == 12) & (found.columns == 15)]
    assert mixed.sum() == 1.0


@pytest.mark.parametrize("place", [(0.0, 0.0, -5.0), (0.0, 0.0, 0.55), (90.0, 0.0, 5.0)])
def test_what_is_behind_the_camera_or_beside_the_picture_is_not_drawn(place):
    assert len(seen_of(ball(place, 0.5)).share) == 0


# --- the camera ---------------------------------------------------------------------------


def test_the_camera_does_not_shake_with_the_body():
    draw = np.random.default_rng(4)
    walk = handmade.make_walk(3.0, fps=30, terrain=handmade.flat)
    shaken = walk.body_position + 0.05 * draw.standard_normal(walk.body_position.shape)
    animal = scene.Animal(walk._replace(stations=shaken[:, None]))
    follow = camera.follow(animal, handmade.flat)
    places = np.array([follow(number).place for number in range(len(walk.time))])
    jerk = np.abs(np.diff(places, n=2, axis=0)).max()
    assert jerk < 0.02 * np.abs(np.diff(shaken, n=2, axis=0)).max()
    gone = places[-1] - places[0]
    assert abs(gone[2] - (walk.body_position[-1, 2] - walk.body_position[0, 2])) < 0.3


@functools.cache
def around_a_circle(animal):
    """Return a walk that turns, and its ground."""
    ground = creature.make_terrain(0.15, animal, seed=2)
    path = creature.make_path("circle", animal)
    return creature.walk(animal, terrain=ground, path=path, seconds=6.0, fps=20.0), ground


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", camera.VIEWS)
@pytest.mark.parametrize("animal", ["insect", *slow("dog", "centipede")])
def test_every_camera_shows_the_whole_animal_in_every_frame(name, animal):
    walk, ground = around_a_circle(animal)
    follow = camera.follow(scene.Animal(walk), ground.height, view=name)
    tall, wide = [], []
    for number, points in enumerate(points_of(walk)):
        view = follow(number)
        columns, rows = view.project(view.to_space(points))
        assert np.all((columns > 0) & (columns < 1280) & (rows > 0) & (rows < 720))
        tall.append(np.ptp(rows) / 720)
        wide.append(np.ptp(columns) / 1280)
    assert np.median(tall) > 0.3 or np.median(wide) > 0.3
    assert np.all(np.array(tall) > 0.08)


@pytest.mark.parametrize(
    ("name", "forward"),
    [
        ("side", (1.0, 0.0)),
        ("front", (0.0, -1.0)),
        ("follow", (0.0, 1.0)),
        ("above", (1.0, 0.0)),
        ("top", (1.0, 0.0)),
    ],
)
def test_cameras_turn_with_the_animal(name, forward):
    """In the camera's space, the animal always faces the same way, smoothly."""
    walk, _ = around_a_circle("insect")
    follow = camera.follow(scene.Animal(walk), handmade.flat, view=name)
    ahead = rotate(walk.body_rotation, np.array([0.0, 0.0, 1.0]))
    axes = np.array([follow(number).axes for number in range(len(walk.time))])
    faced = np.einsum("tij,tj->ti", axes, ahead)[:, [0, 2]]
    assert np.all(faced @ forward > 0.8)
    assert np.mean(faced @ forward) > 0.97
    turned = np.linalg.norm(np.diff(axes[:, 0], axis=0), axis=-1)
    assert turned.sum() > 0.5
    assert np.abs(np.diff(turned)).max() < 0.01


def test_a_picture_of_one_frame_shows_an_animal_from_its_side():
    dog = creature.walk("dog", seconds=0.5, fps=20)
    axes = [
        camera.follow(scene.Animal(walk), handmade.flat, view="side")(0).axes
        for walk in (dog, dog.select(slice(1)))
    ]
    np.testing.assert_allclose(*axes, atol=0.05)


def test_an_unknown_camera_is_an_error_that_lists_all():
    with pytest.raises(twobone.CreatureError, match="`camera` must be side, front, three-quarter"):
        Film(FLAT, handmade.flat, SIZE, camera="below")
    with pytest.raises(twobone.CreatureError, match="above or top, got"):
        encoder.write_mp4(io.BytesIO(), FLAT, handmade.flat, camera=["side"])


def test_the_camera_stays_above_ground():
    def ridge(x, z):
        return np.where(np.hypot(x, z) > 6.0, 30.0, 0.0)

    follow = camera.follow(scene.Animal(FLAT), ridge)
    for number in (0, 14):
        x, y, z = follow(number).place
        assert y > ridge(x, z) + 0.5


# --- ground that is not given -------------------------------------------------------------


def test_ground_is_guessed_from_footprints():
    walk = handmade.make_walk(4.0, fps=20)
    found = footprints(walk)
    guessed = ground_of(walk, 2.8).height(found.place[:, 0], found.place[:, 2])
    assert np.abs(guessed - found.place[:, 1]).max() < 0.1
    assert np.ptp(guessed) > 0.15
    assert ground_of(FLAT, 2.8).height(3.0, 4.0) == 0.0


# --- what comes from elsewhere ------------------------------------------------------------


def changed(name, index, value, walk=WALK):
    array = getattr(walk, name).copy()
    array[index] = value
    return walk._replace(**{name: array})


@pytest.mark.parametrize(
    ("walk", "message"),
    [
        (changed("feet", (3, 2, 1), np.nan), "field feet: expected finite numbers, got nan"),
        (
            changed("station_rotations", 3, np.inf),
            "field station_rotations: expected finite numbers, got inf",
        ),
        (
            changed("knees", (3, 2), 1e300),
            "field feet: expected an animal of nonzero size, at most",
        ),
        (WALK._replace(dt=1e-9), "field dt: expected 1/240 to 1 seconds for a film, got 1e-09"),
        (WALK._replace(dt=2.0), "field dt: expected 1/240 to 1 seconds for a film, got 2"),
        (
            WALK._replace(
                **{name: 0.0 * getattr(WALK, name) for name in ("hips", "knees", "ankles", "feet")}
            ),
            "field feet: expected an animal of nonzero size",
        ),
        (
            WALK._replace(
                **{
                    name: np.repeat(getattr(WALK, name), 60, axis=0 if name == "bones" else 1)
                    for name in ("hips", "knees", "ankles", "feet", "stance", "ground", "bones")
                }
            ),
            r"field bones: expected at most 256 rows \(legs\) for a film, got 360",
        ),
    ],
    ids=["nan", "inf", "far", "fast", "slow", "nothing", "many legs"],
)
def test_walks_that_cannot_be_shown_say_why(tmp_path, walk, message):
    fields = {name: value for name, value in walk._asdict().items() if value is not None}
    np.savez(tmp_path / "walk.npz", **fields)
    with pytest.raises(FileError, match=message):
        Film(recordings.read_recording(tmp_path / "walk.npz"), size=SIZE)


@pytest.mark.slow
def test_wild_walks_are_drawn_all_the_same():
    wild = [
        changed("feet", (3, 2), 5e4),
        changed("knees", 3, [0.0, 1.0, -3e5]),
        changed("station_rotations", 3, 0.0),
        changed("station_rotations", 3, 1e300),
        changed("hips", 3, 1e4),
        WALK._replace(bones=WALK.bones * 1e9),
        WALK._replace(bones=0.0 * WALK.bones),
        WALK._replace(ground=WALK.ground + 1e5),
        WALK._replace(stance=~WALK.stance & False),
        WALK.select(slice(1)),
    ]
    for walk in wild:
        drawn = Film(walk, size=(96, 54))
        for number in {0, min(3, len(walk.time) - 1)}:
            assert drawn.picture(number).shape == (54, 96, 3)


def test_ground_that_is_none_or_a_wall_does_no_harm():
    with pytest.raises(twobone.CreatureError, match=r"must return finite heights .* got nan"):
        Film(WALK, lambda x, z: np.where(x > 0.0, np.nan, 0.0), SIZE)
    with pytest.raises(twobone.ArrayTypeError, match="must be a number, a terrain"):
        Film(WALK, "hills", SIZE)
    for wall in (1e300, -1e300, 1e308):
        drawn = Film(WALK, lambda x, z, wall=wall: np.where(z > 3.0, wall, 0.0), (96, 54))
        assert drawn.picture(1).shape == (54, 96, 3)


def test_a_number_is_not_taken_for_the_ground_of_a_walk():
    """In `walk` it is a roughness, and everywhere else a height."""
    with pytest.raises(twobone.CreatureError, match="`terrain` must be the terrain of the walk"):
        Film(WALK, 0.3)


def test_pixels_of_a_film_show_the_ankle():
    walk = painted(creature.walk("dog", seconds=3.0, fps=20), shins="#E69F00", metatarsi="#E69F00")
    other = walk._replace(ankles=walk.ankles + np.array([0.0, 0.4, 0.0]))
    films = [Film(one, handmade.flat, (1280, 720), camera="side") for one in (walk, other)]
    orange = [0, 0]
    for number in range(20, 60, 10):
        for which, film in enumerate(films):
            view = film.camera(number)
            near = view.to_space(walk.ankles[number, [1]])  # of the near hind leg
            [column], [row] = view.project(near)
            red, _, blue = film.picture(number)[int(row), int(column)] / 255.0
            orange[which] += red > 2.0 * blue
    assert orange[0] == 4 > orange[1]


def test_progress_is_a_function(tmp_path):
    with pytest.raises(ArrayTypeError, match="`progress` must be a function of a fraction, got 5"):
        encoder.write_mp4(tmp_path / "walk.mp4", WALK, progress=5)
