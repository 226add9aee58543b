"""Rendering of the floor: light, shadows, fog, the grid and the rings around feet.

Nearly all of it is smooth, so it is computed in half the size of the picture. In full size there
are only the lines of the grid, the rings and the depth, which is extrapolated from the depth and
its slope in the middle of four pixels.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from twobone.film import planes
from twobone.film.raster import rasterize, rectangle
from twobone.film.solids import repeated
from twobone.pictures import figure

SOFT = 0.11  # widening of shadows per distance from the solid that casts them
KEY, SKY = 0.78, 0.40  # brightness of the lights
WARM, COOL = (1.03, 1.0, 0.95), (0.95, 0.99, 1.06)  # colours of key light and sky
FOG_FROM, FOG_TO = 1.05, 3.0  # in distances of the camera from the animal
GROUND = "#E4DED2"
GRID = 0.35  # spacing of the lines on the ground, in lengths of a leg
LINE = 0.006  # half their width, in the same unit
DARK = 0.22  # by which lines are darker than the ground
CONTACT = 0.4, 0.9  # shares of both lights that a foot takes from the ground right below it
ROUND = 2.5  # how far that reaches, in sizes of a mark around a foot
BULKY = 0.1  # least volume of a solid that dims the sky, in multiples of the largest
SAMPLE = 8  # pixels from one point of the ground to the next, where a few are enough
TILE = 8  # pixels: side of the squares of ground that are tested together for shadows
BAND = 72  # rows at a time, to fit the cache
SIDES = (np.float32(-1.0), np.float32(1.0))  # of the rows or columns of a square of four
FAINT = 0.1  # of 255: lines that darken the ground by less are not drawn


def linear(colour):
    """Convert a colour, #RRGGBB, to linear light."""
    return np.array([int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)], np.float32) ** 2


class Marks(NamedTuple):
    """Marks of L feet on the ground."""

    under: np.ndarray  # (L, 3), in the camera's space: the ground under each foot
    above: np.ndarray  # (L): height of the foot above the ground
    prints: np.ndarray  # (L, 3), in the camera's space: where the foot last was in stance
    rings: np.ndarray  # (L), 0 to 1: strength of the ring around the footprint


class Window(NamedTuple):
    """A rectangle of values in the picture in full size."""

    values: np.ndarray  # (rows, columns)
    top: int
    left: int

    def index(self, rows, columns):
        """Return the flat index of pixels inside."""
        return (rows - self.top) * self.values.shape[1] + (columns - self.left)


class Places:
    """The point of the ground seen in each pixel, in the space of a camera of half the size."""

    def __init__(self, camera, ahead):
        self.camera = camera
        self.ahead = np.where(np.isfinite(ahead), ahead, np.float32(10.0 * camera.unit))
        width, rows = camera.size
        self.columns = ((np.arange(width) + 0.5 - camera.middle[0]) / camera.focal).astype("f4")
        self.rows = ((camera.middle[1] - np.arange(rows) - 0.5) / camera.focal).astype("f4")
        # Differences from the middle of a pixel to the middles of its quarters.
        self.down, self.across = _slope(self.ahead, 0), _slope(self.ahead, 1)

    def sample(self):
        """Return points of the ground near the animal, where its shadows may fall, (3, n)."""
        rows, columns = (np.arange(0, size, SAMPLE) for size in self.ahead.shape)
        rows, columns = (part.reshape(-1) for part in np.meshgrid(rows, columns, indexing="ij"))
        points = self.at(rows, columns)
        unit = self.camera.unit
        ahead = _upright(self.camera, points - [[0.0], [0.0], [1.05 * unit]])
        here = np.hypot(ahead[0], ahead[2]) < 0.4 * unit
        return points[:, here] if np.any(here) else points

    def at(self, rows, columns):
        """Return the points in some pixels, (3, n)."""
        ahead = self.ahead.reshape(-1).take(rows * self.ahead.shape[1] + columns)
        return np.stack([ahead * self.columns[columns], ahead * self.rows[rows], ahead])

    def within(self, where):
        """Return the points in a rectangle of pixels, (3, rows, columns)."""
        ahead = self.ahead[where]
        return np.stack([ahead * self.columns[where[1]], ahead * self.rows[where[0], None], ahead])

    def full(self, where):
        """Return the depth in full size, as a `Window`; `where` starts and ends at even numbers."""
        half = tuple(slice(part.start // 2, part.stop // 2) for part in where)
        ahead, down, across = (part[half] for part in (self.ahead, self.down, self.across))
        found = np.empty(tuple(part.stop - part.start for part in where), np.float32)
        for row, below in enumerate(SIDES):
            level = ahead + below * down
            np.subtract(level, across, out=found[row::2, 0::2])
            np.add(level, across, out=found[row::2, 1::2])
        return Window(found, where[0].start, where[1].start)


def _upright(camera, points):
    """Return points (3, ...) of a camera's space: to the right, up as in the world, and ahead."""
    if not camera.is_tilted():
        return points
    return np.tensordot(camera.upright().astype(np.float32), points, 1)


def _slope(values, axis):
    """Return a quarter of the difference to a neighbour along an axis; the smaller in size."""
    step = np.float32(0.25) * np.diff(values, axis=axis)
    found = np.empty_like(values)
    # Views of which the first axis is that of the differences.
    out, step = np.moveaxis(found, axis, 0), np.moveaxis(step, axis, 0)
    out[0], out[-1] = step[0], step[-1]
    size = np.abs(step)
    np.copysign(np.minimum(size[:-1], size[1:]), step[:-1], out=out[1:-1])
    return found


# --- light --------------------------------------------------------------------------------


def shadows(places, shades, which):
    """Return the fraction of the key light that solids block, in each pixel.

    Parameters
    ----------
    places : Places
    shades : Shades
    which : array
        Indices of the solids that cast shadows, in ascending order.
    """
    took = np.zeros(places.ahead.shape, np.float32)
    where = _shaded(places, shades, which)
    if where is None:
        return took
    points = shades.light.coordinates(places.within(where))
    # Half the depth of the ground in a pixel, which is large where it is seen at a low angle.
    blur = 2.0 * np.abs(places.down[where])
    tiles = _tiled(np.concatenate([points, blur[None]]))
    low, high = tiles.min(axis=-1).reshape(4, -1), tiles.max(axis=-1).reshape(4, -1)
    tile, owner = shades.near(which, low[:3], high[:3], high[3])
    size = tiles.shape[-1]
    some = tiles.reshape(4, -1, size)[:, tile]
    dark = shades.dark(np.repeat(owner, size), some[:3].reshape(3, -1), some[3].reshape(-1))
    dark = dark.reshape(-1, size)
    found = np.zeros((tiles[0].size // size, size), np.float32)
    for begin, end in itertools.pairwise(np.searchsorted(owner, [*which, len(shades.solids)])):
        part = tile[begin:end]  # each tile once
        found[part] = np.maximum(found[part], dark[begin:end])
    took[where] = _untiled(found.reshape(tiles.shape[1:]))[: len(blur), : blur.shape[1]]
    return took


def _shaded(places, shades, which):
    """Return a rectangle of the picture that contains all shadows, or None."""
    direction = shades.light.direction.astype(np.float64)
    middles, radii = shades.solids.middles[which], shades.solids.radii[which]
    upright = places.camera.upright()
    ground = _upright(places.camera, places.sample())[1]
    heights, fall = middles @ upright[1], float(direction @ upright[1])
    # Project the solids along the light onto the lowest and the highest ground.
    drops = [np.maximum(heights - end, 0.0) / fall for end in _ends(ground)]
    fallen = np.concatenate([middles - drop[..., None] * direction for drop in drops], axis=1)
    wide = np.concatenate([radii + 1.1 * SOFT * drop for drop in drops], axis=1)
    return rectangle(places.camera, fallen, wide)


def _ends(values):
    return float(values.min()), float(values.max())


def _tiled(values):
    """Return pictures (n, rows, columns) as tiles, (n, down, across, pixels of a tile)."""
    _, rows, columns = values.shape
    values = np.pad(values, ((0, 0), (0, -rows % TILE), (0, -columns % TILE)), "edge")
    down, across = (size // TILE for size in values.shape[1:])
    tiles = values.reshape(-1, down, TILE, across, TILE).swapaxes(2, 3)
    return tiles.reshape(-1, down, across, TILE * TILE)


def _untiled(tiles):
    """Return tiles as a picture again."""
    down, across, _ = tiles.shape
    tiles = tiles.reshape(down, across, TILE, TILE).swapaxes(1, 2)
    return tiles.reshape(down * TILE, across * TILE)


def dim(places, lights, solids, marks, leg):
    """Darken the light of the sky on the ground, below the body, and both lights around feet."""
    key, sky = lights
    _dim_below(places, sky, *_bulk(solids))
    size = 2.2 * figure.FOOT * leg
    near = np.nonzero(marks.above < 3.0 * size)[0]
    pixels = rasterize(
        places.camera, marks.under[near, None], np.full((len(near), 1), ROUND * size), margin=0.0
    )
    under = marks.under[near].astype(np.float32)[pixels.owner].T
    off = _upright(places.camera, places.at(pixels.rows, pixels.columns) - under)
    above = (np.maximum(marks.above[near], 0.0) / size).astype(np.float32)[pixels.owner]
    away = np.sqrt(off[0] * off[0] + off[2] * off[2])
    # It ends at the edge of these pixels.
    dark = np.exp(-away / np.float32(size)) - np.float32(math.exp(-ROUND))
    dark = np.maximum(dark, np.float32(0.0)) * np.exp(-above * above)
    index = pixels.rows * places.camera.size[0] + pixels.columns
    for light, share in ((key, CONTACT[0]), (sky, CONTACT[1])):
        np.multiply.at(light.reshape(-1), index, 1.0 - np.float32(share) * dark)


def _bulk(solids):
    """Return the middle of large solids and their second moments, (3) and (3, 3), by volume."""
    middles, radii = solids.middles, solids.radii
    centre = middles.mean(axis=1)
    off = middles - centre[:, None]
    # For the balls of `Lump.bounds`, this is about the size of the lump along its axes.
    spread = 2.0 * np.swapaxes(off, 1, 2) @ off / off.shape[1]
    spread += np.mean(radii * radii, axis=1)[:, None, None] * np.eye(3)
    volume = np.sqrt(np.linalg.det(spread))
    volume *= volume >= BULKY * volume.max()
    share = volume / max(volume.sum(), 1e-300)
    middle = share @ centre
    off = centre - middle
    return middle, np.einsum("n,nij->ij", share, spread) + 3.0 * (share * off.T) @ off


def _dim_below(places, sky, centre, spread):
    """Darken the sky below a body, which is treated as an upright cylinder."""
    camera, upright = places.camera, places.camera.upright()
    centre, spread = upright @ centre, upright @ spread @ upright.T
    low = float(_upright(camera, places.sample())[1].min())
    lift = max(float(centre[1] - low), 0.0)
    spread = spread[np.ix_([0, 2], [0, 2])]
    grown = spread + (0.55 * lift) ** 2 * np.eye(2)
    # The ellipse of the shadow is inside the hull of two discs around its foci.
    (small, large), ways = np.linalg.eigh(grown)
    focus = 2.2 * np.sqrt(large - small) * np.array([ways[0, 1], 0.0, ways[1, 1]])
    under = centre - [0.0, lift, 0.0]
    discs = np.stack([under - focus, under + focus])
    where = rectangle(camera, discs[None] @ upright, np.full((1, 2), 2.2 * small**0.5))
    if where is None:
        return
    x, _, z = _upright(camera, places.within(where))
    x -= np.float32(centre[0])
    z -= np.float32(centre[2])
    (a, b), (_, d) = np.linalg.inv(grown).astype(np.float32)
    share = -a * x * x - (2.0 * b) * x * z - d * z * z
    full = (np.linalg.det(spread) / np.linalg.det(grown)) ** 0.25
    sky[where] *= 1.0 - np.float32(0.75 * full) * np.exp(share, out=share)


# --- colour -------------------------------------------------------------------------------


class Floor:
    """Paints the floor into planes.

    Parameters
    ----------
    leg : float
        The length of the animal's longest leg.
    fog : array, shape (3)
        Linear light.
    grain : array
        From 0 to 1, for each pixel: dithering, against visible bands in the fog.
    """

    def __init__(self, leg, fog, grain):
        self.leg, self.fog = leg, fog
        self.grain = [grain[row::2, column::2].copy() for row in (0, 1) for column in (0, 1)]

    def paint(self, places, lights, crests, out):
        """Paint the floor, given the fractions of both lights on it, and `Seen.crests`."""
        bright, colours = planes.split(out)
        key, sky = lights
        shape = places.ahead.shape
        clear = np.empty(shape, np.float32)
        base = np.empty((3, *shape), np.float32)
        bands = [slice(top, top + BAND) for top in range(0, shape[0], BAND)]
        for part in bands:
            clear[part] = self._clear(places, part)
            base[:, part] = self._colours(key[part], sky[part], clear[part])
        for values in base:
            _smooth(values, *crests)
        rows = _quartered(base[0], 0)
        for part in bands:
            for target, values in zip(colours, base[1:], strict=True):
                np.copyto(target[part], values[part] + self.grain[0][part], casting="unsafe")
            lines = self._lines(places, part, clear[part] * clear[part] * base[0][part])
            for row, level in enumerate(rows):
                for column, values in enumerate(_quartered(level[part], 1)):
                    values += self.grain[2 * row + column][part]
                    if lines is not None:
                        values -= lines[2 * row + column]
                    target = bright[2 * part.start + row : 2 * part.stop : 2, column::2]
                    np.copyto(target, values, casting="unsafe")

    def _clear(self, places, part):
        """Return how little fog there is, from 0 to 1."""
        unit = np.float32(1.0 / ((FOG_TO - FOG_FROM) * places.camera.unit))
        clear = np.float32(FOG_TO / (FOG_TO - FOG_FROM)) - places.ahead[part] * unit
        np.clip(clear, 0.0, 1.0, out=clear)
        clear *= clear
        return clear

    def _colours(self, key, sky, clear):
        lit = []
        for base, fog, warm, cool in zip(linear(GROUND), self.fog, WARM, COOL, strict=True):
            light = np.float32(KEY * warm * base) * key
            light += np.float32(SKY * cool * base) * sky
            light -= np.float32(fog)
            light *= clear
            light += np.float32(fog)
            lit.append(light)
        return planes.from_linear(*lit)

    def _lines(self, places, part, shade):
        """Return how much darker the lines of the grid make pixels, (4, rows, columns).

        The first axis is for the quarters of pixels. None if no line is visible.
        """
        shade *= np.float32(DARK)
        if shade.max() < 0.5:
            return None
        camera = places.camera
        cell = GRID * self.leg
        wide = np.float32(LINE / GRID)
        ahead, down, across = (
            values[part] for values in (places.ahead, places.down, places.across)
        )
        # Fainter near the camera too, so that lines are strongest around the animal.
        amount = (np.float32(2.4 / camera.unit) * ahead - np.float32(0.95)).clip(0.25, 1.0)
        amount *= shade
        dark = np.zeros((4, amount.size), np.float32)
        visible = amount > FAINT
        for axis in (0, 2):
            side = camera.axes[0, axis] / cell
            step = (camera.axes[2, axis] / cell + places.columns * side).astype(np.float32)
            rise = camera.axes[1, axis] / cell
            if rise:  # the camera is tilted
                step = step + (places.rows[part, None] * rise).astype(np.float32)
            # In cells: the place in the middle of four pixels, and the differences to each.
            place = ahead * step
            place += np.float32((camera.place[axis] % cell) / cell)
            below = down * step
            if rise:
                below -= ahead * np.float32(0.25 * rise / camera.focal)
            aside = across * step
            aside += ahead * np.float32(0.25 * side / camera.focal)
            # How much of a cell half a pixel covers, across its lines.
            half = np.abs(below)
            half += np.abs(aside)
            away = place - np.rint(place)
            np.abs(away, out=away)
            away -= half
            away -= half
            at = np.flatnonzero(visible & (away < wide))
            place, below, aside, half, strength = (
                values.reshape(-1).take(at) for values in (place, below, aside, half, amount)
            )
            pixels = np.float32(0.5) / half
            most = wide * pixels
            strength *= np.minimum(2.0 * most, 1.0)
            most += np.float32(0.5)
            most *= strength
            pixels *= strength
            for quarter, (row, column) in enumerate(itertools.product(SIDES, SIDES)):
                away = place + row * below
                away += column * aside
                away -= np.rint(away)
                np.abs(away, out=away)
                away *= pixels
                np.subtract(most, away, out=away)
                np.minimum(away, strength, out=away)
                dark[quarter, at] = np.maximum(dark[quarter].take(at), away, out=away)
        return dark.reshape(4, *amount.shape)


def _smooth(values, rows, columns, rise):
    """Antialias crests: mix the pixels below and above them, by how far they rise between both."""
    below, above = values[rows, columns], values[rows - 1, columns]
    more = below - above
    values[rows - 1, columns] = above + np.maximum(rise, 0.0) * more
    values[rows, columns] = below + np.minimum(rise, 0.0) * more


def _quartered(values, axis):
    """Return values at both quarters of each pixel along an axis, interpolated linearly."""
    step = np.float32(0.25) * np.diff(values, axis=axis)
    low, high = values.copy(), values.copy()
    if axis == 0:
        low[1:] -= step
        high[:-1] += step
    else:
        low[:, 1:] -= step
        high[:, :-1] += step
    return low, high


def rings(camera, ahead, marks, leg):
    """Return pixels of rings around feet, and how much of each they cover, from 0 to 1.

    Parameters
    ----------
    camera : Camera
        Of the picture in full size.
    ahead : Window
        The depth of the ground. It contains all rings.
    marks : Marks
    leg : float
        The length of the animal's longest leg.
    """
    size, wide = 2.6 * figure.FOOT * leg, 0.22 * figure.FOOT * leg
    some = marks.rings > 0.0
    spots, share = marks.prints[some], marks.rings[some]
    grown = size * (1.6 - 0.6 * share)
    pixels = rasterize(camera, spots[:, None], (grown + 3.0 * wide)[:, None])
    near = ahead.values.reshape(-1).take(ahead.index(pixels.rows, pixels.columns))
    # Rings are seen at an angle, so a pixel covers more ground than its width.
    pixel = 1.2 * spots[:, 2] / camera.focal
    given = np.stack([*spots.T, grown, pixel, 0.8 * share]).astype(np.float32)
    x, y, z, grown, pixel, share = repeated(pixels.owner, given)
    x -= near * ((pixels.columns + 0.5 - camera.middle[0]) / camera.focal).astype(np.float32)
    y -= near * ((camera.middle[1] - pixels.rows - 0.5) / camera.focal).astype(np.float32)
    z -= near
    x, _, z = _upright(camera, np.stack([x, y, z]))
    away = np.abs(np.sqrt(x * x + z * z) - grown)
    cover = ((np.float32(wide) - away) / pixel + np.float32(0.5)).clip(0.0, 1.0)
    return pixels, cover * share
