"""Files of a walk: what is read is what was written, and what makes no walk says why."""

import io
import json
import os
import re
import zipfile

import numpy as np
import pytest

import handmade
import twobone
from twobone.errors import ArrayTypeError, FileError
from twobone.files import recordings
from twobone.files.recordings import Recording
from twobone.film.encoder import write_mp4
from twobone.pictures.model import write_glb
from twobone.pictures.walking import write_svg
from twobone.rotations import multiply, rotation_vector_to_quaternion

WALK = handmade.make_walk(0.5)
NOD = np.stack([np.sin(WALK.time), *0.0 * np.ones((2, 30)), np.cos(WALK.time)], axis=-1)
WALK = WALK._replace(
    stations=WALK.stations + np.array([[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]]),
    station_rotations=np.repeat(WALK.station_rotations, 2, axis=1),
    along=np.array([-0.5, 0.5]),
    blocked=WALK.time > 0.3,
    neck=NOD[:, None],
    tail=np.repeat(NOD[:, None] * [-1.0, 1.0, 1.0, 1.0], 3, axis=1),
    foot_rotation=NOD[:, None] * np.ones((len(WALK.bones), 1)),
    body_parts=handmade.PARTS,
    body_pivots=handmade.PIVOTS,
    leg_radii=handmade.RADII,
    neck_links=np.array([[1.0, -1.0, *handmade.PIVOTS[0]]]),
    rest_feet=handmade.HOMES,
    palette=handmade.PALETTE,
)
TRUTHS = ("stance", "blocked")


def assert_same(found, wanted):
    assert type(found) is Recording
    for name, value, other in zip(Recording._fields, found, wanted, strict=True):
        assert np.asarray(value).dtype == (bool if name in TRUTHS else np.float64)
        np.testing.assert_array_equal(value, other, strict=True)


@pytest.mark.parametrize("ending", ["npz", "json", "NPZ"])
def test_what_is_read_is_what_was_written_to_the_bit(tmp_path, ending):
    path = tmp_path / f"walk.{ending}"
    recordings.write_recording(path, WALK)
    assert_same(recordings.read_recording(str(path)), WALK)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_arrays_have_the_names_of_the_fields(tmp_path):
    recordings.write_recording(tmp_path / "walk.npz", WALK)
    with np.load(tmp_path / "walk.npz", allow_pickle=False) as arrays:
        assert set(arrays) == set(Recording._fields)
        assert arrays["dt"].shape == ()
        assert arrays["stance"].dtype == bool
    recordings.write_recording(tmp_path / "walk.json", WALK)
    fields = json.loads((tmp_path / "walk.json").read_text())
    assert set(fields) == {"version", *Recording._fields}
    assert fields["version"] == 2
    assert fields["feet"] == WALK.feet.tolist()


@pytest.mark.parametrize("ending", ["npz", "json"])
def test_a_walk_need_not_say_when_it_was_blocked(tmp_path, ending):
    path = tmp_path / f"walk.{ending}"
    recordings.write_recording(path, WALK._replace(blocked=None))
    assert recordings.read_recording(path).blocked is None
    wrong = WALK._replace(blocked=WALK.blocked[1:])
    with pytest.raises(FileError, match=r"field blocked: expected shape \(T,\), here \(30,\), got"):
        recordings.write_recording(path, wrong)


@pytest.mark.parametrize("ending", ["npz", "json"])
def test_a_walk_describes_the_body_or_not(tmp_path, ending):
    path = tmp_path / f"walk.{ending}"
    plain = WALK._replace(body_parts=None, body_pivots=None, leg_radii=None)
    recordings.write_recording(path, plain)
    assert recordings.read_recording(path).body_parts is None
    with pytest.raises(FileError, match=r"all of body_parts, body_pivots, leg_radii, or none, got"):
        recordings.write_recording(path, WALK._replace(leg_radii=None))
    wrong = {
        "body_parts": WALK.body_parts[:, :11],
        "body_pivots": WALK.body_pivots[:1],
        "leg_radii": WALK.leg_radii[1:],
        "palette": WALK.palette[1:],
        "neck": WALK.neck[1:],
        "neck_links": np.zeros((2, 5)),
        "tail": WALK.tail[..., :3],
        "stations": WALK.stations[:, 1:],
        "station_rotations": WALK.station_rotations[..., 1:],
        "ankles": WALK.ankles[:, 1:],
    }
    for name, value in wrong.items():
        with pytest.raises(FileError, match=f"field {name}: expected shape"):
            recordings.write_recording(path, WALK._replace(**{name: value}))


@pytest.mark.parametrize("ending", ["npz", "json"])
def test_a_walk_need_not_tell_its_colours(tmp_path, ending):
    path = tmp_path / f"walk.{ending}"
    recordings.write_recording(path, WALK._replace(palette=None))
    assert recordings.read_recording(path).palette is None


@pytest.mark.parametrize("ending", ["npz", "json"])
def test_a_walk_need_not_tell_how_neck_and_tail_are(tmp_path, ending):
    path = tmp_path / f"walk.{ending}"
    recordings.write_recording(path, WALK._replace(neck=None, tail=None))
    found = recordings.read_recording(path)
    assert found.neck is None
    assert found.tail is None
    assert b"tail" not in path.read_bytes()


def test_the_body_is_the_mean_of_the_stations():
    turned = multiply(WALK.station_rotations, rotation_vector_to_quaternion([[0.2, 0, 0]] * 2))
    turned[:, 0] = multiply(
        WALK.station_rotations[:, 0], rotation_vector_to_quaternion([-0.2, 0, 0])
    )
    turned[:, 1] *= -1.0  # it means the same rotation
    walk = WALK._replace(station_rotations=turned)
    middle = handmade.make_walk(0.5)
    np.testing.assert_allclose(walk.body_position, middle.body_position, atol=1e-15)
    np.testing.assert_allclose(walk.body_rotation, middle.body_rotation, atol=1e-15)
    huge = WALK._replace(station_rotations=1e300 * WALK.station_rotations)
    np.testing.assert_allclose(huge.body_rotation, middle.body_rotation, atol=1e-15)


@pytest.mark.parametrize("along", [[0.5, -0.5], [0.0, 0.0], [np.nan, 0.5]])
def test_stations_are_from_rear_to_front(along):
    with pytest.raises(FileError, match="field along: expected finite numbers that increase, got"):
        recordings.check(WALK._replace(along=np.array(along)))


def test_nan_is_kept_in_arrays_and_refused_in_text(tmp_path):
    feet = WALK.feet.copy()
    feet[3, 2, 1] = np.nan
    recordings.write_recording(tmp_path / "walk.npz", WALK._replace(feet=feet))
    assert_same(recordings.read_recording(tmp_path / "walk.npz"), WALK._replace(feet=feet))
    with pytest.raises(FileError, match="field feet: expected finite numbers, got nan"):
        recordings.write_recording(tmp_path / "walk.json", WALK._replace(feet=feet))
    assert not (tmp_path / "walk.json").exists()


def test_arrays_of_other_kinds_of_number_are_read(tmp_path):
    small = {name: np.asarray(value, ">f4") for name, value in WALK._asdict().items()}
    small |= {name: getattr(WALK, name) for name in TRUTHS}
    small["knees"] = np.asfortranarray(small["knees"])
    np.savez(tmp_path / "walk.npz", **small, more=np.zeros(3))
    found = recordings.read_recording(tmp_path / "walk.npz")
    np.testing.assert_array_equal(found.knees, WALK.knees.astype(np.float32))
    assert found.knees.dtype == np.float64


def test_an_open_file_gets_arrays():
    file = io.BytesIO()
    recordings.write_recording(file, WALK)
    with np.load(io.BytesIO(file.getvalue())) as arrays:
        np.testing.assert_array_equal(arrays["feet"], WALK.feet)


@pytest.mark.parametrize("name", ["walk", "walk.gltf", "walk.mp4.", "npz"])
def test_other_endings_name_those_there_are(tmp_path, name):
    with pytest.raises(FileError, match=r"ends in \.npz or \.json, got "):
        recordings.write_recording(tmp_path / name, WALK)
    assert not list(tmp_path.iterdir())


def test_a_model_is_not_read(tmp_path):
    with pytest.raises(FileError, match=r"ends in \.npz or \.json, got '\.glb'"):
        recordings.read_recording(tmp_path / "walk.glb")


@pytest.mark.parametrize("ending", ["npz", "json"])
def test_what_was_there_stays_where_writing_fails(tmp_path, ending):
    path = tmp_path / f"walk.{ending}"
    path.write_bytes(b"before")
    with pytest.raises(FileError, match="field bones: expected shape"):
        recordings.write_recording(path, WALK._replace(bones=WALK.bones[:, :1]))
    assert path.read_bytes() == b"before"
    assert len(list(tmp_path.iterdir())) == 1


def test_the_error_is_public_and_carries_the_facts():
    with pytest.raises(twobone.FileError) as caught:
        recordings.check(WALK._replace(dt=-1.0), "here")
    error = caught.value
    assert (error.source, error.field, float(error.came)) == ("here", "dt", -1.0)
    assert str(error) == "here, field dt: expected seconds between frames, above 0, got -1.0"


@pytest.mark.parametrize("write", [recordings.write_recording, write_glb, write_svg, write_mp4])
@pytest.mark.parametrize("wrong", [5, None, "walk", [], tuple(WALK)])
def test_what_is_no_recording_is_not_written(tmp_path, write, wrong):
    path = tmp_path / ("walk.npz" if write is recordings.write_recording else "walk")
    with pytest.raises(ArrayTypeError, match=r"^`recording` must be a Recording, got "):
        write(path, wrong)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("write", [recordings.write_recording, write_glb, write_svg])
@pytest.mark.parametrize("wrong", [5, None, [], b"walk.npz"])
def test_what_is_neither_path_nor_file_is_told(write, wrong):
    with pytest.raises(ArrayTypeError, match=r"^`file` must be a path or an open binary file, got"):
        write(wrong, WALK)


@pytest.mark.parametrize("write", [recordings.write_recording, write_glb, write_svg])
def test_a_file_open_for_text_is_told(write):
    with pytest.raises(ArrayTypeError, match=r"a path or an open binary file, got a text file\.$"):
        write(io.StringIO(), WALK)


@pytest.mark.parametrize("wrong", [5, None, [], b"walk.npz", io.BytesIO()])
def test_only_a_path_is_read(wrong):
    with pytest.raises(ArrayTypeError, match=r"^`path` must be a path, got "):
        recordings.read_recording(wrong)


def test_bones_of_negative_length_are_no_walk(tmp_path):
    wrong = WALK._replace(bones=WALK.bones * [1.0, -1.0, 1.0])
    message = r"field bones: expected lengths, 0 or more, got -1\.\d+"
    with pytest.raises(FileError, match=message):
        recordings.write_recording(tmp_path / "walk.npz", wrong)
    path = zipped(tmp_path / "walk.npz", {"bones": wrong.bones})
    with pytest.raises(FileError, match=message):
        recordings.read_recording(path)


# --- hostile arrays -----------------------------------------------------------------------


def zipped(path, changes=(), leave=()):
    """Write a .npz of a good walk with some members changed: arrays, or raw bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in {**WALK._asdict(), **dict(changes)}.items():
            if name not in leave:
                archive.writestr(f"{name}.npy", value if type(value) is bytes else npy(value))
    return path


def npy(value, **options):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(value), **options)
    return file.getvalue()


class Trap:
    def __reduce__(self):
        return os.mkdir, ("trapped",)


CUT = npy(WALK.feet)[:-8]
LIE = npy(WALK.time).replace(b"'shape': (30,), }           ", b"'shape': (99999999999,), }  ")
NEGATIVE = npy(WALK.time).replace(b"(30,)", b"(-1,)")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"feet": np.zeros((30, 6, 2))},
            r"field feet: expected shape \(T, L, 3\), here \(30, 6, 3\)",
        ),
        (
            {"time": WALK.time[:9]},
            r"field stations: expected shape \(T, S, 3\), here \(9, 2, 3\), got",
        ),
        (
            {"time": np.array(0.0)},
            r"field time: expected shape \(T,\), here \(1,\), got a single number",
        ),
        ({"bones": np.zeros((0, 3))}, r"field hips: expected shape \(T, L, 3\), here \(30, 0, 3\)"),
        ({"time": np.zeros(0)}, "field time: expected at least one frame and one leg"),
        (
            {"stance": WALK.ground},
            "field stance: expected true or false, got numbers",
        ),
        ({"ground": WALK.stance}, "field ground: expected numbers, got true or false"),
        (
            {"ground": WALK.ground * 1j},
            "field ground: expected numbers, got complex numbers",
        ),
        ({"dt": np.array(np.nan)}, "field dt: expected seconds between frames, above 0, got nan"),
        ({"dt": np.array([0.1])}, r"field dt: expected a single number, got shape \(1,\)$"),
        (
            {"dt": npy(np.array(Trap(), object), allow_pickle=True)},
            r"field dt: expected numbers, got objects \(a pickle\)",
        ),
        ({"dt": npy(np.array("1"))}, "field dt: expected numbers, got text"),
        ({"feet": CUT}, "field feet: expected 4320 bytes of numbers, got 4312"),
        (
            {"feet": npy(WALK.feet) + b"more"},
            "field feet: expected 4320 bytes of numbers, got 4324",
        ),
        ({"time": LIE}, "field time: expected 799999999992 bytes of numbers, got 240"),
        ({"time": NEGATIVE}, "field time: expected -?[0-9]+ bytes of numbers, got 240"),
        ({"time": b"no array"}, "field time: expected an array, got one without a header"),
        ({"time": b""}, "field time: expected an array, got one without a header"),
    ],
)
def test_arrays_that_make_no_walk_say_what_is_wrong(tmp_path, monkeypatch, changes, message):
    monkeypatch.chdir(tmp_path)
    path = zipped(tmp_path / "walk.npz", changes)
    with pytest.raises(FileError, match=f"walk.npz, {message}"):
        recordings.read_recording(path)
    assert not (tmp_path / "trapped").exists()


def test_missing_fields_are_named(tmp_path):
    path = zipped(tmp_path / "walk.npz", leave=("knees", "dt"))
    with pytest.raises(FileError, match=r"expected the fields time, .*, dt, got no knees, dt"):
        recordings.read_recording(path)


def test_a_small_file_that_unpacks_to_a_giant_is_refused(tmp_path):
    """A zip archive says at its end how large each member will be."""
    path = zipped(tmp_path / "walk.npz")
    data = bytearray(path.read_bytes())
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(b"feet.npy"))
    data[entry + 24 : entry + 28] = (1 << 30).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"expected at most 1073741824 bytes, got 10737\d{5} bytes"):
        recordings.read_recording(path)


def test_no_byte_of_an_archive_makes_it_crash(tmp_path):
    """Any byte may be wrong: then it is a walk, or an error of ours."""
    data = bytearray(zipped(tmp_path / "walk.npz").read_bytes())
    random = np.random.default_rng(6)
    wrong = 0
    for place in random.integers(0, len(data), 150).tolist() + list(range(0, 60, 2)):
        broken = data.copy()
        broken[place] ^= int(random.integers(1, 256))
        (tmp_path / "walk.npz").write_bytes(broken)
        try:
            recordings.read_recording(tmp_path / "walk.npz")
        except FileError:
            wrong += 1
    assert wrong > 100
    for size in [*random.integers(0, len(data), 30).tolist(), 0, 1, 10]:
        (tmp_path / "walk.npz").write_bytes(data[:size])
        cut = "nothing: it is empty" if size == 0 else "one that is truncated or damaged"
        with pytest.raises(FileError, match=rf"expected a \.npz file, got {cut}"):
            recordings.read_recording(tmp_path / "walk.npz")


def test_what_is_no_archive_is_told(tmp_path):
    (tmp_path / "walk.npz").write_text("time, feet")
    message = r"walk.npz: expected a \.npz file, got one that is not a zip archive$"
    with pytest.raises(FileError, match=message):
        recordings.read_recording(tmp_path / "walk.npz")


# --- hostile text -------------------------------------------------------------------------


def text(**changes):
    fields = {name: np.asarray(value).tolist() for name, value in WALK._asdict().items()}
    return json.dumps({"version": 2, **fields, **changes})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "json: expected a recording, got nothing: it is empty"),
        (" \n", "json, line 2, column 1: expected JSON, got invalid text: Expecting value"),
        ("[1,\n 2", "json, line 2, column 3: expected JSON, got invalid text: Expecting ','"),
        ("[" * 100_000, "json: expected JSON, got lists or objects nested too deeply"),
        ("[]", "expected an object with the fields of a recording, got another value"),
        (b'{\n"\xff"}', "json, line 2: expected UTF-8 text, got the byte 0xff"),
        ("{}", "field version: expected 1 or 2, got none: it is missing"),
        (text(version=3), "field version: expected 1 or 2, got 3$"),
        (text(version=None), "field version: expected 1 or 2, got null"),
        (text(version=[1] * 999), r"field version: expected 1 or 2, got \[1.*\.\.\."),
        ('{"version": 1}', "expected the fields time, .*, got no time, body_position, .*, dt"),
        ('{"version": 2}', "expected the fields time, .*, got no time, stations, .*, dt"),
        (text(dt=None), "field dt: expected numbers, got null or other values"),
        (text(dt="0.1"), "field dt: expected numbers, got text"),
        (text(dt={}), "field dt: expected numbers, got null or other values"),
        (text(time=[0.0] * 29 + [float("nan")]), "field time: expected finite numbers, got nan"),
        (
            text(ground=[[1.0] * 6] * 29 + [[1.0] * 5]),
            r"field ground: expected shape \(T, L\), got ro",
        ),
        (text(stance=WALK.ground.tolist()), "field stance: expected true or false, got numbers"),
        (text(feet=[]), r"field feet: expected shape \(T, L, 3\), here \(30, 6, 3\), got \(0,\)"),
        (text(time=[]), "field time: expected at least one frame and one leg"),
        (
            text().replace('"dt": ', '"dt": 1e999, "x": '),
            "field dt: expected finite numbers, got inf",
        ),
        (
            text().replace('"dt": ', '"dt": 1' + "0" * 5000 + ', "x": '),
            "field dt: expected finite numbers",
        ),
    ],
    ids=range(22),
)
def test_text_that_makes_no_walk_says_what_is_wrong(tmp_path, content, message):
    path = tmp_path / "walk.json"
    path.write_bytes(content.encode() if type(content) is str else content)
    with pytest.raises(FileError, match=message) as caught:
        recordings.read_recording(path)
    assert len(str(caught.value)) < 500
    assert re.search("walk.json[:,] ", str(caught.value))


def test_too_much_text_is_not_read(tmp_path):
    path = tmp_path / "walk.json"
    path.touch()
    os.truncate(path, (1 << 28) + 1)  # it takes no room on the disk
    with pytest.raises(FileError, match="expected at most 268435456 bytes of text, got more"):
        recordings.read_recording(path)


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        recordings.read_recording(tmp_path / "walk.npz")
    (tmp_path / "walk.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        recordings.read_recording(tmp_path / "walk.json")


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(FileError, match="expected a file, got a device or a pipe"):
        recordings.read_recording(tmp_path / "pipe.json")


def test_frames_are_selected_from_all_fields_that_have_them():
    walk = handmade.make_walk(1.0)
    turned = np.tile([0.0, 0.0, 0.0, 1.0], (len(walk.time), 1))
    radii = np.ones((len(walk.bones), 7))
    walk = walk._replace(neck=turned[:, None], leg_radii=radii, blocked=walk.stance[:, 0])
    walk = walk._replace(rest_feet=handmade.HOMES)
    part = walk.select(slice(10, 15))
    for name, value in part._asdict().items():
        whole = getattr(walk, name)
        if name in ("bones", "dt", "along", "leg_radii", "rest_feet") or whole is None:
            assert value is whole
        else:
            np.testing.assert_array_equal(value, whole[10:15])


def test_an_encrypted_archive_is_told(tmp_path):
    path = tmp_path / "walk.npz"
    recordings.write_recording(path, WALK)
    data = bytearray(path.read_bytes())
    for head, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):  # of a member, and in the list of them
        for found in re.finditer(re.escape(head), bytes(data)):
            data[found.start() + flags] |= 1
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"expected a .npz file, got one that .* encrypted"):
        recordings.read_recording(path)
