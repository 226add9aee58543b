"""Rendering of a frame of a film: ground, shadows, solids and fog.

Light is computed in linear space, with a gamma of 2: values are squares of those on screen.
"""

from typing import NamedTuple

import numpy as np

from twobone.film import rays
from twobone.film.landscape import Landscape
from twobone.pictures import figure, theme

SUN = (-0.62, 0.86, -0.42)  # towards the key light: left of, above and behind the camera
SOFT = 0.11  # widening of shadows per distance from the solid that casts them
KEY, SKY, BOUNCE = 0.78, 0.40, 0.16  # brightness of the lights
WARM, COOL = (1.03, 1.0, 0.95), (0.95, 0.99, 1.06)  # colours of key light and sky
FOG_FROM, FOG_TO = 1.05, 3.0  # in distances of the camera from the animal
GROUND = "#E4DED2"
LINE = "#B5AD9E"
GRID = 0.35  # spacing of the lines on the ground, in lengths of a leg
BAND = 48  # rows at a time, to fit the cache


def linear(colour):
    """Convert a colour, #RRGGBB, to linear light."""
    return np.array([int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)], np.float32) ** 2


PAINTS = {name: linear(colour) for name, colour in figure.COLOURS.items()}


# Of shadows; those of joints add nothing to those of bones.
CASTERS = ("body", "light", "accent", "thighs", "shins")


class Marks(NamedTuple):
    """Marks of L feet on the ground."""

    under: np.ndarray  # (L, 3), in the camera's space: the ground under each foot
    above: np.ndarray  # (L): height of the foot above the ground
    prints: np.ndarray  # (L, 3), in the camera's space: where the foot last was in stance
    rings: np.ndarray  # (L), 0 to 1: strength of the ring around the footprint


class Painter:
    """Renders frames; a frame does not depend on the frames before it."""

    def __init__(self, height, camera, leg):
        self.leg = leg
        self.light = rays.make_light(SUN, SOFT)
        self.landscape = Landscape(height, camera, self.light.direction)
        self.fog = linear(theme.GROUND.light)
        rows, columns = camera.size[1], camera.size[0]
        draw = np.random.default_rng(5)  # dithering, against visible bands in the fog
        self.grain = draw.uniform(0.0, 1.0, (rows, columns, 1)).astype(np.float32)

    def paint(self, camera, solids, marks):
        """Return a picture, (rows, columns, 3) of uint8."""
        casters = [number for number, solid in enumerate(solids) if solid.paint in CASTERS]
        seen = self.landscape.see(camera)
        place = _Places(camera, seen.ahead)
        key = self._shadows(camera, place, seen.light, [solids[number] for number in casters])
        sky = self._hollows(camera, place, seen.hollow, solids, marks)
        rings = self._rings(camera, place, marks)
        picture = np.empty((*seen.ahead.shape, 3), np.float32)
        for top in range(0, len(picture), BAND):
            part = slice(top, top + BAND)
            picture[part] = self._ground(camera, place, part, key[part], sky[part])
        for where, cover in rings:
            picture[where] += cover[..., None] * (PAINTS["feet"] - picture[where])
        self._solids(camera, picture, seen.ahead, solids, casters)
        return self._develop(picture)

    def _develop(self, picture):
        found = np.sqrt(picture, out=picture)
        found *= 255.0
        found += self.grain
        return np.clip(found, 0.0, 255.0, out=found).astype(np.uint8)

    # --- ground ---------------------------------------------------------------------------

    def _shadows(self, camera, place, light, solids):
        key = light.copy()
        took = np.zeros_like(key)
        low, high = place.heights
        for solid in solids:
            middles, radii = solid.bounds()
            # Project the solid along the light onto the lowest and the highest ground.
            direction = self.light.direction
            drops = [np.maximum(middles[:, 1] - level, 0.0) / direction[1] for level in (low, high)]
            fallen = np.concatenate([middles - drop[:, None] * direction for drop in drops])
            wide = np.concatenate([radii + 1.1 * SOFT * drop for drop in drops])
            where = rays.box(camera, fallen, wide)
            if where is not None:
                flat = [place.along(axis, where) for axis in self.light.across]
                dark = rays.shade(self.light, solid, flat, place.along(direction, where))
                took[where] = np.maximum(took[where], dark)
        key *= 1.0 - took
        return key

    def _hollows(self, camera, place, hollow, solids, marks):
        """Return the light of the sky on the ground: less below the body and around feet."""
        sky = hollow.copy()
        lumps = [solid for solid in solids if not isinstance(solid, rays.Cone)]
        self._dim_below(camera, place, sky, max(lumps, key=lambda lump: np.prod(lump.half)))
        size = 2.2 * figure.FOOT * self.leg
        for under, above in zip(marks.under, marks.above, strict=True):
            where = rays.box(camera, under[None], np.array([2.5 * size]))
            if where is not None and above < 3.0 * size:
                away = place.away(under, where) / size
                sky[where] *= 1.0 - 0.55 * np.exp(-away - (max(above, 0.0) / size) ** 2)
        return sky

    def _dim_below(self, camera, place, sky, lump):
        low, _ = place.heights
        lift = max(float(lump.centre[1] - low), 0.0)
        size = np.hypot(lump.half, 0.55 * lift)
        under = lump.centre - [0.0, lift, 0.0]
        where = rays.box(camera, under[None], np.array([2.2 * size.max()]))
        if where is None:
            return
        share = sum(
            (place.along(axis, where) - np.float32(axis @ lump.centre)) ** 2
            / np.float32(half * half)
            for axis, half in zip(lump.axes[[0, 2]], size[[0, 2]], strict=True)
        )
        full = lump.half[0] * lump.half[2] / (size[0] * size[2])
        sky[where] *= 1.0 - 0.75 * full**0.5 * np.exp(-share)

    def _rings(self, camera, place, marks):
        found = []
        size, wide = 2.6 * figure.FOOT * self.leg, 0.22 * figure.FOOT * self.leg
        for spot, share in zip(marks.prints, marks.rings, strict=True):
            grown = size * (1.6 - 0.6 * share)
            where = rays.box(camera, spot[None], np.array([grown + 3.0 * wide]))
            if share <= 0.0 or where is None:
                continue
            away = np.abs(place.away(spot, where) - np.float32(grown))
            # Rings are seen at an angle, so a pixel covers more ground than its width.
            pixel = np.float32(1.2 * spot[2] / camera.focal)
            cover = ((wide - away) / pixel + 0.5).clip(0.0, 1.0)
            found.append((where, cover * np.float32(0.8 * share)))
        return found

    def _ground(self, camera, place, part, key, sky):
        ahead = place.ahead[part]
        lines = self._grid(camera, place, part)
        unit = np.float32(1.0 / camera.unit)
        fog = ((ahead * unit - FOG_FROM) / (FOG_TO - FOG_FROM)).clip(0.0, 1.0)
        clear = (1.0 - fog) ** 2
        # Fainter near the camera too, so that lines are strongest around the animal.
        lines *= clear * (2.4 * unit * ahead - 0.95).clip(0.25, 1.0)
        found = np.empty((*ahead.shape, 3), np.float32)
        base, line = linear(GROUND), linear(LINE)
        for i in range(3):
            lit = np.float32(KEY * WARM[i]) * key + np.float32(SKY * COOL[i]) * sky
            ground = np.float32(base[i]) + lines * np.float32(line[i] - base[i])
            lit *= ground
            lit -= np.float32(self.fog[i])
            lit *= clear
            lit += np.float32(self.fog[i])
            found[..., i] = lit
        return found

    def _grid(self, camera, place, part):
        """Return the fraction of each pixel that is covered by lines on the ground."""
        cell = GRID * self.leg
        ahead = np.minimum(place.ahead[part], np.float32(4.0 * camera.unit))
        pixel = ahead * np.float32(1.0 / camera.focal)
        wide = 0.006 * self.leg
        found = 0.0
        for axis in (0, 2):
            start = camera.place[axis] % cell
            columns = camera.axes[2, axis] + place.columns * camera.axes[0, axis]
            where = (ahead * (columns / cell).astype(np.float32)) + np.float32(start / cell)
            where -= np.rint(where)
            away = np.abs(where, out=where)
            # The extent of a pixel on the ground: sideways, and in depth as it is seen obliquely.
            reach = np.abs(place.steps[part] * columns.astype(np.float32))
            reach += pixel * np.float32(abs(camera.axes[0, axis]))
            cover = (wide - away * np.float32(cell)) / reach + 0.5
            np.clip(cover, 0.0, 1.0, out=cover)
            cover *= np.minimum(2.0 * wide / reach, 1.0)
            found = np.maximum(found, cover)
        return found

    # --- solids ---------------------------------------------------------------------------

    def _solids(self, camera, picture, ahead, solids, casters):
        where = _around(camera, solids)
        depth = np.empty((*ahead.shape, 4), np.float32)  # only the part around the animal is used
        depth[where] = ahead[where][..., None]
        spans = self._spans(solids)
        others = np.zeros(len(solids), bool)
        others[casters] = True
        found = [rays.cast(camera, solid, depth) for solid in solids]
        left = np.ones(ahead.shape, np.float32)
        light = np.zeros_like(picture)
        for number, hits in enumerate(found):
            if hits is None:
                continue
            seen = hits.seen & (hits.depth <= depth[hits.rows, hits.columns])
            count = seen.sum(axis=1)
            some = count > 0
            rows, columns, count = hits.rows[some], hits.columns[some], count[some]
            if len(rows) == 0:
                continue
            far = np.where(seen[some], hits.depth[some], 0.0).sum(axis=1) / count.astype(np.float32)
            colour = self._lit(camera, number, (solids, spans, others), rows, columns, far)
            share = (0.25 * count).astype(np.float32)
            left[rows, columns] -= share
            light[rows, columns] += share[:, None] * colour
        part = picture[where]  # a view
        part *= left[where][..., None]
        part += light[where]

    def _lit(self, camera, number, solids, rows, columns, far):
        """Return the colours of points on a solid."""
        solid = solids[0][number]
        across = ((columns + 0.5 - camera.middle[0]) / camera.focal).astype(np.float32)
        up = ((camera.middle[1] - rows - 0.5) / camera.focal).astype(np.float32)
        points = np.stack([across * far, up * far, far], axis=-1)
        normal = rays.normals(solid, points)
        facing = normal @ self.light.direction
        key = np.clip((facing + 0.12) / 1.12, 0.0, 1.0)
        key *= 1.0 - self._taken(number, solids, points, facing)
        upward = 0.5 + 0.5 * normal[:, 1]
        sight = points / np.sqrt(np.sum(points * points, axis=-1))[:, None]
        rim = (1.0 + np.sum(sight * normal, axis=-1)).clip(0.0, 1.0) ** 3 * upward
        sky = SKY * (0.25 + 0.75 * upward) + 0.22 * rim
        bounce = BOUNCE * (1.0 - upward)
        light = key[:, None] * (1.08 * KEY * np.array(WARM, np.float32)) + sky[:, None] * np.array(
            COOL, np.float32
        )
        light += bounce[:, None] * linear(GROUND)
        return light * PAINTS[solid.paint] + (0.05 * rim)[:, None]

    def _spans(self, solids):
        """Return bounds of each solid along the axes of the light, (n, 3, 2)."""
        found = np.empty((len(solids), 3, 2), np.float32)
        axes = np.array([*self.light.across, self.light.direction])
        for span, solid in zip(found, solids, strict=True):
            middles, radii = solid.bounds()
            flat = middles @ axes.T
            span[:, 0] = np.min(flat - radii[:, None], axis=0)
            span[:, 1] = np.max(flat + radii[:, None], axis=0)
        return found

    def _taken(self, number, solids, points, facing):
        """Return the fraction of the key light that other solids block."""
        solids, spans, casters = solids
        taken = np.zeros(len(points), np.float32)
        lit = np.nonzero(facing > -0.12)[0]
        if len(lit) == 0:
            return taken
        u, v = (points[lit] @ axis for axis in self.light.across)
        height = points[lit] @ self.light.direction
        wide = SOFT * (spans[:, 2, 1] - height.min())
        may = casters & (wide > 0.0)
        for i, flat in enumerate((u, v)):
            may &= (spans[:, i, 1] + wide > flat.min()) & (spans[:, i, 0] - wide < flat.max())
        may[number] = False
        found = taken[lit]
        for other in np.nonzero(may)[0]:
            dark = rays.shade(self.light, solids[other], (u, v), height)
            found = np.maximum(found, dark)
        taken[lit] = found
        return taken


def _around(camera, solids):
    """Return rows and columns, as slices, that contain all solids."""
    boxes = [rays.box(camera, *solid.bounds()) for solid in solids]
    boxes = [found for found in boxes if found is not None]
    if not boxes:
        return slice(0, 0), slice(0, 0)
    return tuple(
        slice(min(part[i].start for part in boxes), max(part[i].stop for part in boxes))
        for i in (0, 1)
    )


class _Places:
    """The point of the ground seen in each pixel, in the camera's space."""

    def __init__(self, camera, ahead):
        self.camera = camera
        self.ahead = np.where(np.isfinite(ahead), ahead, np.float32(10.0 * camera.unit))
        width, rows = camera.size
        self.columns = (np.arange(width) + 0.5 - camera.middle[0]) / camera.focal
        self.rows = (camera.middle[1] - np.arange(rows) - 0.5) / camera.focal
        # Heights of the ground near the animal, where its shadows may fall.
        near = self.ahead[::8, ::8]
        levels = near * self.rows[::8, None]
        aside = near * self.columns[::8] / camera.unit
        here = np.hypot(aside, near / camera.unit - 1.05) < 0.4
        levels = levels[here] if np.any(here) else levels
        self.heights = float(levels.min()), float(levels.max())
        # How much farther each row is than the one below it.
        self.steps = np.empty_like(self.ahead)
        np.subtract(self.ahead[:-1], self.ahead[1:], out=self.steps[:-1])
        self.steps[-1] = self.steps[-2]

    def along(self, axis, where):
        """Return the coordinate along an axis of the ground in some pixels."""
        level = axis[0] * self.columns[where[1]] + axis[2]
        upright = axis[1] * self.rows[where[0]]
        found = level.astype(np.float32) + upright.astype(np.float32)[:, None]
        found *= self.ahead[where]
        return found

    def away(self, place, where):
        """Return the horizontal distance from a place to the ground in some pixels."""
        ahead = self.ahead[where]
        across = ahead * self.columns[where[1]].astype(np.float32) - np.float32(place[0])
        return np.hypot(across, ahead - np.float32(place[2]))
