"""`write_mp4`: a walk as a film, drawn by `paint.py` and encoded by PyAV."""

from __future__ import annotations

import functools
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
from twobone.errors import ArrayTypeError, FileError, MissingError
from twobone.files import atomic
from twobone.files.recordings import Recording, check
from twobone.film import paint
from twobone.pictures import camera, scene
from twobone.pictures.footprints import ground_of
from twobone.terrain.arguments import shown
from twobone.terrain.ground import Ground, ground_of_walk

SLOWEST, FASTEST = 1.0, 240.0  # frames per second
MOST_LEGS = 256
FADE = 0.12  # seconds in which the ring around a foot fades in and out
QUALITY = {"crf": "18", "preset": "veryfast"}


def write_mp4(
    file: str | os.PathLike[str] | BinaryIO,
    recording: Recording,
    terrain: Ground | None = None,
    *,
    size: tuple[int, int] = (camera.WIDTH, camera.HEIGHT),
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
        Width and height in pixels; both even.
    progress : callable, optional
        Called with the fraction done, from 0 to 1.

    Raises
    ------
    MissingError
        If PyAV is not installed (the extra `video`).
    FileError
        If a field of the recording is invalid.
    CreatureError
        If the terrain returns heights that are not finite, or is a number other than 0.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.film.encoder import write_mp4
    >>> write_mp4("dog.mp4", creature.walk("dog", seconds=4))  # doctest: +SKIP
    """
    if not (progress is None or callable(progress)):
        raise ArrayTypeError("progress", "a function of a fraction", shown(progress))
    av = load_encoder()
    film = Film(recording, terrain, size)
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
        Width and height in px; even.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.film.encoder import Film
    >>> film = Film(creature.walk("dog", seconds=0.1), size=(320, 180))
    >>> len(film), film.picture(3).shape
    (7, (180, 320, 3))
    """

    def __init__(self, recording, terrain=None, size=(camera.WIDTH, camera.HEIGHT)):
        recording = check(recording, finite=True)
        if len(recording.bones) > MOST_LEGS:
            wanted = f"at most {MOST_LEGS} rows (legs) for a film"
            raise FileError("the recording", wanted, len(recording.bones), field="bones")
        self.rate = rate_of(recording.dt)
        span = camera.span_of(recording)
        if terrain is None:
            terrain = ground_of(recording, scene.leg_of(recording, span))
        height = ground_of_walk(terrain).height
        most = camera.FAR * span

        def level(x, z):
            found = height(np.ravel(x), np.ravel(z)).reshape(np.shape(x))
            return np.clip(found, -most, most)

        self.recording, self.size = recording, size
        self.camera = camera.follow(recording, level, size)
        self.animal = scene.Animal(recording, span)
        self.painter = paint.Painter(level, self.camera(0), self.animal.leg)
        self.rings, self.prints = _rings(recording)

    def __len__(self):
        return len(self.recording.time)

    def picture(self, frame):
        """Return a frame as an RGB array of uint8, (height, width, 3)."""
        view = self.camera(frame)
        recording = self.recording
        under = recording.feet[frame].copy()
        under[:, 1] = recording.ground[frame]
        above = recording.feet[frame, :, 1] - recording.ground[frame]
        legs = np.arange(len(under))
        prints = recording.feet[self.prints[frame], legs]
        marks = paint.Marks(view.to_space(under), above, view.to_space(prints), self.rings[frame])
        return self.painter.paint(view, self.animal.solids(frame, view), marks)


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
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame = frame.reformat(format="yuv420p", dst_colorspace="ITU709")
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
    """Yield all pictures in order; a few are drawn at a time, in threads."""
    helpers = min(4, os.cpu_count() or 1)
    waiting = deque()
    try:
        for frame in range(len(film)):
            waiting.append(THREADS.begin(functools.partial(film.picture, frame), helpers))
            if len(waiting) > helpers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for picture in waiting:
            picture.withdraw()
