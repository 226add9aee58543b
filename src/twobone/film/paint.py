"""Rendering of a frame of a film: ground, shadows, solids and fog.

Light is computed in linear space, with a gamma of 2: values are squares of those on screen.
"""

import numpy as np

from twobone.film import floor, planes, rays, visible
from twobone.film.landscape import Landscape
from twobone.film.light import Shades, make_light
from twobone.film.raster import rectangle
from twobone.film.solids import Solids, spread
from twobone.pictures import figure, theme

SUN = (-0.62, 0.86, -0.42)  # towards the key light: left of, above and behind the first camera
BOUNCE = 0.16  # brightness of the light that the ground reflects
SMALL = 0.12  # smallest extent of a solid that casts a shadow, in lengths of a leg
TILE = 16  # px; fragments in a tile are tested together for shadows

RING = floor.linear(theme.JOINT.light)


class Painter:
    """Renders frames; a frame does not depend on the frames before it.

    Parameters
    ----------
    height : callable
        `height(x, z)`: the height of the ground.
    camera : Camera
        The camera of the first frame, from which the direction of the light is chosen.
    animal : Figure
        Its colours, and the length of its longest leg, are used.
    """

    def __init__(self, height, camera, animal):
        self.leg = leg = animal.leg
        self.paints = {name: floor.linear(pair.light) for name, pair in animal.colours.items()}
        self.fog = floor.linear(theme.GROUND.light)
        axes = camera.upright() @ camera.axes
        self.sun = axes.T @ (np.array(SUN) / np.linalg.norm(SUN))  # in the world
        self.landscape = Landscape(height, camera.unit, self.sun)
        draw = np.random.default_rng(5)
        grain = draw.uniform(0.0, 1.0, camera.size[::-1]).astype(np.float32)
        self.floor = floor.Floor(leg, self.fog, grain)

    def light(self, camera):
        """Return the key light, in a camera's space."""
        return make_light(camera.axes @ self.sun, floor.SOFT)

    def paint(self, camera, solids, marks):
        """Return the planes of a picture, see `planes.py`."""
        solids = Solids(solids)
        shades = Shades(self.light(camera), solids)
        casters = np.nonzero(_extent(solids) > SMALL * self.leg)[0]
        half = camera.halved()
        seen = self.landscape.see(half)
        places = floor.Places(half, seen.ahead)
        key = seen.light * (1.0 - floor.shadows(places, shades, casters))
        floor.dim(places, (key, seen.hollow), solids, marks, self.leg)
        out = planes.new(camera.size)
        self.floor.paint(places, (key, seen.hollow), seen.crests, out)
        self._animal(camera, places, (solids, shades, casters), marks, out)
        return out

    # --- the animal -----------------------------------------------------------------------

    def _animal(self, camera, places, animal, marks, out):
        """Paint rings and solids over the floor."""
        solids, shades, casters = animal
        spots = np.repeat(marks.prints[:, None], 6, axis=1)
        wide = np.full(spots.shape[:2], 5.0 * figure.FOOT * self.leg)
        where = rectangle(
            camera,
            np.concatenate([solids.middles, spots]),
            np.concatenate([solids.radii, wide]),
        )
        if where is None:
            return
        ahead = places.full(where)
        pixels, share = floor.rings(camera, ahead, marks, self.leg)
        index = ahead.index(pixels.rows, pixels.columns)
        _lay(out, where, index, share, planes.from_linear(*(float(part) for part in RING)))
        found = visible.find(camera, solids, ahead)
        index = ahead.index(found.rows, found.columns)
        colour = planes.from_linear(*self._lit(camera, solids, shades, casters, found))
        _lay(out, where, index, found.share, colour)

    def _lit(self, camera, solids, shades, casters, found):
        """Return the colours of fragments, (3, n), as linear light."""
        across, up = camera.rays()
        points = np.empty((3, len(found.depth)), np.float32)
        np.multiply(across.take(found.columns), found.depth, out=points[0])
        np.multiply(up.take(found.rows), found.depth, out=points[1])
        points[2] = found.depth
        normal = rays.normals(solids, found.owner, points)
        facing = rays.dot(shades.light.direction, normal)
        key = np.clip((facing + 0.12) / 1.12, 0.0, 1.0)
        key *= 1.0 - _taken(shades, casters, found, points, facing)
        upward = 0.5 + 0.5 * rays.dot(camera.axes[:, 1].astype(np.float32), normal)
        toward = rays.dot(points, normal) / np.sqrt(rays.dot(points, points))
        rim = (1.0 + toward).clip(0.0, 1.0)
        rim *= rim * rim * upward
        sky = floor.SKY * (0.25 + 0.75 * upward) + 0.22 * rim
        bounce = BOUNCE * (1.0 - upward)
        paints = spread(found.owner, np.array([self.paints[paint] for paint in solids.paints]))
        lights = zip(floor.WARM, floor.COOL, floor.linear(floor.GROUND), paints, strict=True)
        rim *= 0.05
        return [
            (np.float32(1.08 * floor.KEY * warm) * key + np.float32(cool) * sky + ground * bounce)
            * paint
            + rim
            for warm, cool, ground, paint in lights
        ]


def _extent(solids):
    """Return how large each solid is."""
    middles, radii = solids.middles, solids.radii[..., None]
    wide = np.max(middles + radii, axis=1) - np.min(middles - radii, axis=1)
    return np.max(wide, axis=-1)


def _taken(shades, casters, found, points, facing):
    """Return the fraction of the key light that other solids block, for each fragment."""
    taken = np.zeros(len(facing), np.float32)
    lit = np.nonzero(facing > -0.12)[0]
    if len(lit) == 0:
        return taken
    tile = _tiles(found.owner[lit], found.rows[lit], found.columns[lit])
    order = np.argsort(tile, kind="stable")
    tile, order = tile[order], lit[order]
    places = shades.light.coordinates(points.take(order, axis=1))
    start = np.nonzero(np.diff(tile, prepend=-1))[0]
    stop = np.append(start[1:], len(order))
    low = np.minimum.reduceat(places, start, axis=1)
    high = np.maximum.reduceat(places, start, axis=1)
    tiles, others = shades.near(casters, low, high)
    alien = others != found.owner[order[start]][tiles]
    tiles, others = tiles[alien], others[alien]
    count = (stop - start)[tiles]
    if count.sum() == 0:
        return taken
    first = np.cumsum(count) - count
    index = np.arange(count.sum()) + np.repeat(start[tiles] - first, count)
    dark = shades.dark(np.repeat(others, count), places.take(index, axis=1))
    np.maximum.at(taken, order[index], dark)
    return taken


def _tiles(owner, rows, columns):
    """Return a number for each fragment: those of one solid in one square have the same.

    Small numbers, because NumPy sorts those of 16 bits much faster.
    """
    rows, columns = rows // TILE, columns // TILE
    rows, columns = rows - rows.min(), columns - columns.min()
    found = (owner * (rows.max() + 1) + rows) * (columns.max() + 1) + columns
    return found.astype(np.uint16) if found.max() < 1 << 16 else found


def _lay(out, where, index, share, colour):
    """Lay parts of pixels over planes.

    Parameters
    ----------
    out : array
        Planes.
    where : (slice, slice)
        The rectangle of the picture to which `index` (n) refers.
    share : array, shape (n)
        The fraction of its pixel that each part covers.
    colour : sequence
        Brightness and both colours, of each part or of all.
    """
    # Only squares of four pixels are blended of which some part is covered, in their order.
    (top, left), wide = (part.start for part in where), where[1].stop - where[1].start
    rows, columns = index // wide, index % wide
    square = rows // 2 * (wide // 2) + columns // 2
    is_covered = np.zeros((where[0].stop - where[0].start) // 2 * (wide // 2), bool)
    is_covered[square] = True
    squares = np.nonzero(is_covered)[0]
    place = np.empty(len(is_covered), np.intp)
    place[squares] = np.arange(len(squares))
    quarter = 4 * place.take(square) + 2 * (rows % 2) + columns % 2
    cover, bright, *faint = (
        np.bincount(quarter, weights, 4 * len(squares)).astype(np.float32).reshape(-1, 4)
        for weights in (share, *(share * part for part in colour))
    )
    plane, colours = planes.split(out)
    rows, columns = top // 2 + squares // (wide // 2), left // 2 + squares % (wide // 2)
    first = 2 * (rows * plane.shape[1] + columns)
    corners = first[:, None] + np.array([0, 1, plane.shape[1], plane.shape[1] + 1])
    _blend(plane.reshape(-1), corners, cover, bright)
    middles, cover = rows * colours.shape[2] + columns, cover.mean(axis=1)
    for target, values in zip(colours, faint, strict=True):
        _blend(target.reshape(-1), middles, cover, values.mean(axis=1))


def _blend(target, places, cover, colour):
    """Blend a colour, multiplied by `cover`, into places of a plane."""
    found = target.take(places) * (1.0 - cover)
    found += colour
    found += 0.5
    target[places] = np.clip(found, 0.0, 255.0, out=found).astype(np.uint8)
