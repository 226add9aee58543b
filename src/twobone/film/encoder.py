"""`write_mp4`: a walk as a film, drawn by `paint.py` and encoded by PyAV."""

from __future__ import annotations

import functools
import math
import operator
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from twobone.core.engine import THREADS
from twobone.creature import contacts
from twobone.errors import ArrayTypeError, CreatureError, FileError, MissingError
from twobone.files import atomic
from twobone.files.recordings import Recording, check
from twobone.film import paint, planes
from twobone.film.floor import Marks
from twobone.pictures import camera as cameras
from twobone.pictures import scene
from twobone.pictures.footprints import ground_of
from twobone.terrain.arguments import positive, shown
from twobone.terrain.ground import Ground, ground_of_walk

RATE = 30.0  # frames per second
SLOWEST, FASTEST = 1.0, 240.0  # frames per second
MOST_LEGS = 256
LEAST, MOST = 32, 8192  # px; the least that shows an animal, and the most that players decode
KEPT = 30 << 20  # bytes; below the 32 MiB up to which the C library adapts
FADE = 0.12  # seconds in which the ring around a foot fades in and out
# Half of the time that "veryfast" takes. This rate makes up for what "superfast" loses: the error
# is that of "veryfast" at 18, for files that are a fifth larger.
QUALITY = {"crf": "21", "preset": "superfast", "x264-params": "subme=0:me=dia:b-adapt=0:weightp=0"}


def write_mp4(
    file: str | os.PathLike[str] | BinaryIO,
    recording: Recording,
    terrain: Ground | None = None,
    *,
    size: tuple[int, int] = (cameras.WIDTH, cameras.HEIGHT),
    fps: float = RATE,
    camera: str = cameras.USUAL,
    rings: bool = True,
    bones: bool = False,
    progress: Callable[[float], object] | None = None,
) -> None:
    """Write a walk as an MP4 film. A browser can play it while it loads.

    Parameters
    ----------
    file : path or binary file
        Where to write. A path is written completely or not at all.
    recording : Recording
        Finite, with 1 to 240 frames per second.
    terrain : terrain, callable or 0, optional
        As for `twobone.creature.report`. By default a smooth surface through the
        footprints.
    size : (int, int)
        Width and height in pixels: even numbers from 32 to 8192.
    fps : float
        The most frames per second. If the recording has more, the film shows every second or
        every n-th of them.
    camera : str
        From where the camera sees the animal: `"side"`, `"front"`, `"three-quarter"`, `"follow"`,
        from behind and above, `"above"`, from high beside it, or `"top"`, from straight above it.
        It moves with the animal, and turns with it except for `"three-quarter"`, which keeps its
        direction.
    rings : bool
        Whether there are rings on the ground around feet that stand.
    bones : bool
        Whether the two bones of legs are blue and orange, as in diagrams, instead of the animal's
        own colours.
    progress : callable, optional
        Called with the fraction done, from 0 to 1.

    Raises
    ------
    MissingError
        If PyAV is not installed (the extra `video`).
    FileError
        If a field of the recording is invalid.
    CreatureError
        If the terrain returns heights that are not finite, or is a number other than 0; if `fps`
        is not positive, `size` is out of range, or `camera` is unknown.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.film.encoder import write_mp4
    >>> walk = creature.walk("dog", seconds=4)
    >>> write_mp4("dog.mp4", walk)  # doctest: +SKIP
    >>> write_mp4("behind.mp4", walk, camera="follow", fps=60)  # doctest: +SKIP
    >>> write_mp4("large.mp4", walk, size=(1920, 1080), rings=False)  # doctest: +SKIP
    """
    if not (progress is None or callable(progress)):
        raise ArrayTypeError("progress", "a function of a fraction", shown(progress))
    av = load_encoder()
    film = Film(recording, terrain, size, fps=fps, camera=camera, rings=rings, bones=bones)
    # To move the index to the start, FFmpeg reads its own output again, so it needs a real file.
    with atomic.opened(file) as opened, tempfile.TemporaryDirectory(prefix="twobone-") as folder:
        path = Path(folder) / "walk.mp4"
        _encode(av, path, film, progress or (lambda fraction: None))
        with open(path, "rb") as done:
            shutil.copyfileobj(done, opened)


def load_encoder() -> Any:
    """Import and return PyAV, or raise `MissingError`, which says how to install it."""
    try:
        import av
    except ImportError:
        raise MissingError("a film (.mp4)", "av", "video") from None
    return av


def rate_of(dt):
    """Return the frame rate of a film as a fraction, or raise if it is out of bounds."""
    if not SLOWEST <= 1.0 / dt * (1.0 + 1e-9) <= FASTEST * (1.0 + 2e-9):
        wanted = f"1/{FASTEST:g} to {1 / SLOWEST:g} seconds for a film"
        raise FileError("the recording", wanted, f"{dt:g}", field="dt")
    return Fraction(1.0 / dt).limit_denominator(1001)


class Film:
    """The frames of a film of a walk, drawn on request and independent of each other.

    Parameters
    ----------
    recording : Recording
    terrain : terrain, callable or 0, optional
        As for `write_mp4`.
    size : (int, int)
        Width and height in px.
    fps, camera, rings, bones
        As for `write_mp4`.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.film.encoder import Film
    >>> film = Film(creature.walk("dog", seconds=0.1), size=(320, 180))
    >>> len(film), film.picture(3).shape
    (4, (180, 320, 3))
    """

    def __init__(
        self,
        recording,
        terrain=None,
        size=(cameras.WIDTH, cameras.HEIGHT),
        *,
        fps=RATE,
        camera=cameras.USUAL,
        rings=True,
        bones=False,
    ):
        check_camera(camera)
        size = check_size(size)
        recording = _thinned(check(recording, finite=True), positive("fps", fps))
        if len(recording.bones) > MOST_LEGS:
            wanted = f"at most {MOST_LEGS} rows (legs) for a film"
            raise FileError("the recording", wanted, len(recording.bones), field="bones")
        self.rate = rate_of(recording.dt)
        self.animal = scene.Animal(recording)
        if terrain is None:
            terrain = ground_of(recording, self.animal.leg)
        height = ground_of_walk(terrain).height
        most = scene.FAR * self.animal.span

        def level(x, z):
            found = height(np.ravel(x), np.ravel(z)).reshape(np.shape(x))
            return np.clip(found, -most, most)

        self.recording, self.size = recording, size
        self.camera = cameras.follow(self.animal, level, size, camera)
        shape = self.animal.figure
        self.painter = paint.Painter(level, self.camera(0), shape.with_bones() if bones else shape)
        strength, self.prints = _rings(recording)
        self.rings = strength if rings else np.zeros_like(strength)

    def __len__(self):
        return len(self.recording.time)

    def picture(self, frame):
        """Return a frame as an RGB array of uint8, (height, width, 3)."""
        return planes.to_rgb(self.planes(frame))

    def planes(self, frame):
        """Return a frame as video has it, see `planes.py`."""
        view = self.camera(frame)
        recording = self.recording
        under = recording.feet[frame].copy()
        under[:, 1] = recording.ground[frame]
        above = recording.feet[frame, :, 1] - recording.ground[frame]
        legs = np.arange(len(under))
        prints = recording.feet[self.prints[frame], legs]
        marks = Marks(view.to_space(under), above, view.to_space(prints), self.rings[frame])
        return self.painter.paint(view, self.animal.solids(frame, view), marks)


def check_camera(camera):
    """Raise unless the name of a camera is known."""
    if not (isinstance(camera, str) and camera in cameras.VIEWS):
        *names, last = cameras.VIEWS
        raise CreatureError("camera", f"be {', '.join(names)} or {last}", shown(camera))


def check_size(size):
    """Return width and height as ints, or raise unless they are even and within the limits."""
    try:
        given = [operator.index(side) for side in size]
    except TypeError:
        given = []
    if len(given) == 2 and all(LEAST <= side <= MOST and side % 2 == 0 for side in given):
        return given[0], given[1]
    wanted = f"be width and height in pixels, even numbers from {LEAST} to {MOST}"
    raise CreatureError("size", wanted, shown(size))


def _thinned(recording, fps):
    """Return a recording of every n-th frame, so that there are at most `fps` a second."""
    rate_of(recording.dt)
    step = math.ceil(1.0 / (recording.dt * fps) * (1.0 - 1e-9))
    if step <= 1:
        return recording
    return recording.select(slice(None, None, step))._replace(dt=step * recording.dt)


def _rings(recording):
    """Return the strength of each foot's ring, (T, L), and the frame of its last stance, (T, L)."""
    stance = recording.stance
    width = max(1, round(FADE / recording.dt))
    before = np.pad(stance.astype(np.float64), ((width, 0), (0, 0)), "edge")
    total = np.cumsum(np.pad(before, ((1, 0), (0, 0))), axis=0)
    return (total[width + 1 :] - total[1:-width]) / width, contacts.latest(stance)


# --- encoding -----------------------------------------------------------------------------


def _encode(av, path, film, progress):
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as out:
        stream = _add_stream(av, out, film)
        for number, picture in enumerate(_draw(film)):
            frame = av.VideoFrame.from_ndarray(picture, format="yuv420p")
            frame.pts, frame.time_base = number, 1 / film.rate
            out.mux(stream.encode(frame))
            progress((number + 1) / len(film))
        out.mux(stream.encode(None))


def _add_stream(av, out, film):
    """Add a video stream: H.264 if FFmpeg supports it, else MPEG-4."""
    best = "libx264" in av.codecs_available
    options = QUALITY if best else {"q:v": "3"}
    stream = out.add_stream("libx264" if best else "mpeg4", rate=film.rate, options=options)
    stream.width, stream.height = film.size
    stream.pix_fmt = "yuv420p"
    stream.time_base = 1 / film.rate
    context = stream.codec_context
    # Declare BT.709 with limited range (16 to 235), which players assume anyway.
    context.color_primaries = context.color_trc = context.colorspace = 1
    context.color_range = 1
    return stream


def _draw(film):
    """Yield the planes of all pictures in order; a few are drawn at a time, in threads."""
    # The GNU C library returns large arrays to the system when they are freed, and clears their
    # pages when they are needed again. Freeing one that is larger than all others, and was never
    # written to, makes it keep them; that is a fifth of the time.
    np.empty(KEPT, np.uint8)
    helpers = min(4, os.cpu_count() or 1)
    waiting = deque()
    try:
        for frame in range(len(film)):
            waiting.append(THREADS.begin(functools.partial(film.planes, frame), helpers))
            if len(waiting) > helpers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for picture in waiting:
            picture.withdraw()
