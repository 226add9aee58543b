"""CPU time of a frame of a film: `python benchmarks/film.py`

Films of two seconds, 1280 x 720 at 30 frames a second, of animals on flat ground and on ground of
roughness .15. The time is that of all threads of the process, with the encoder and without it.
"""

import argparse
import io
import statistics
import time

import recorded

from twobone import creature
from twobone.film import encoder

ANIMALS = ("insect", "dog", "bird", "centipede")
GROUNDS = ("flat", 0.15)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--creature", action="append", help="an animal; may be repeated")
    parser.add_argument("--seconds", type=float, default=2.0)
    recorded.option(parser)
    options, found = parser.parse_args(), []
    print(f"{'animal':>10}{'ground':>8}{'ms per frame':>14}{'drawing':>10}{'kB':>8}")
    for name in options.creature or ANIMALS:
        for kind in GROUNDS:
            ground = creature.make_terrain(kind, name, seed=1)
            walk = creature.walk(name, terrain=ground, seconds=options.seconds, seed=1)
            whole, size = time_of_a_frame(walk, ground)
            alone = time_of_drawing(walk, ground)
            print(f"{name:>10}{kind!s:>8}{1e3 * whole:14.1f}{1e3 * alone:10.1f}{size / 1e3:8.1f}")
            found.append(
                {"animal": name, "ground": kind, "frame_ms": 1e3 * whole, "kB": size / 1e3}
            )
    if options.json:
        recorded.write(options.json, recorded.machine(), rows=found)


def time_of_a_frame(walk, ground):
    """Return the CPU time and the bytes per frame of a film."""
    file, start = io.BytesIO(), time.process_time()
    encoder.write_mp4(file, walk, ground)
    seconds = time.process_time() - start
    count = len(encoder.Film(walk, ground))
    return seconds / count, file.tell() / count


def time_of_drawing(walk, ground):
    """Return the median CPU time of drawing a frame."""
    film, found = encoder.Film(walk, ground), []
    film.planes(0)
    for frame in range(0, len(film), 3):
        start = time.process_time()
        film.planes(frame)
        found.append(time.process_time() - start)
    return statistics.median(found)


if __name__ == "__main__":
    main()
