"""Ray casting: the pixels that see a solid, its depth and normals there, and soft shadows.

Each pixel has four rays at the corners of a rotated square, so that edges of any direction are
antialiased.
"""

from typing import NamedTuple

import numpy as np

from twobone.pictures.scene import Cone

# Offsets, in columns and rows, of the rays of a pixel.
CORNERS = np.array([[0.125, -0.375], [0.375, 0.125], [-0.125, 0.375], [-0.375, -0.125]])
NEAR = 0.02  # minimum depth of what is drawn, in distances of the camera from the animal
BLOCK = 4000  # pixels at a time, to fit the cache
STEPS = 6  # of Newton's method


class Hits(NamedTuple):
    """The n pixels of which at least one ray sees a solid."""

    rows: np.ndarray  # (n)
    columns: np.ndarray
    seen: np.ndarray  # (n, 4), bool
    depth: np.ndarray  # (n, 4); inf where a ray misses the solid


def box(camera, places, radii, margin=1.0):
    """Return rows and columns, as slices, that contain the convex hull of balls.

    None if the hull is outside the picture or too close to the camera.
    """
    places = np.asarray(places)
    if np.min(places[:, 2] - radii) < NEAR * camera.unit:
        return None
    columns, rows = camera.project(places)
    # In perspective, a ball away from the optical axis is seen as an elongated ellipse.
    off = np.hypot(columns - camera.middle[0], rows - camera.middle[1]) / camera.focal
    size = radii * camera.focal / (places[:, 2] - radii) * np.hypot(1.0, off) + margin
    found = []
    for middles, most in ((rows, camera.size[1]), (columns, camera.size[0])):
        low, high = np.min(middles - size), np.max(middles + size)
        low, high = max(int(np.floor(low)), 0), min(int(np.ceil(high)) + 1, most)
        if low >= high:
            return None
        found.append(slice(low, high))
    return tuple(found)


def cast(camera, solid, depth):
    """Cast rays at a solid and return its `Hits`, or None if no ray may hit it.

    `depth` (rows, columns, 4) is the depth seen so far, and is updated.
    """
    places, radii = solid.bounds()
    where = box(camera, places, radii)
    if where is None:
        return None
    rows, columns = _pixels(camera, solid, where)
    if len(rows) == 0:
        return None
    rays = np.empty((3, len(rows), 4), np.float32)
    # Subtract in float64 first; rounding to float32 is then far less than the rays' spacing.
    middle = CORNERS + 0.5 - camera.middle
    rays[0] = columns[:, None] + middle[:, 0].astype(np.float32)
    rays[1] = rows[:, None] + middle[:, 1].astype(np.float32)
    rays[0] /= camera.focal
    rays[1] /= -camera.focal
    rays[2] = 1.0
    meet = _meet_cone if isinstance(solid, Cone) else _meet_lump
    far = np.empty(rays.shape[1:], np.float32)
    for start in range(0, len(far), BLOCK):
        part = slice(start, start + BLOCK)
        far[part] = meet(solid, rays[:, part])
    flat = depth.reshape(-1, 4)  # a view
    index = rows * depth.shape[1] + columns
    before = flat.take(index, axis=0)
    seen = far < before
    flat[index] = np.minimum(far, before)
    some = np.any(seen, axis=1)
    rows, columns, seen, far = rows[some], columns[some], seen[some], far[some]
    return Hits(rows, columns, seen, far)


def _pixels(camera, solid, where):
    """Return rows and columns of pixels that may see a solid; for a bone, those near its axis."""
    rows, columns = (
        np.arange(where[0].start, where[0].stop),
        np.arange(where[1].start, where[1].stop),
    )
    if not isinstance(solid, Cone) or solid.start is solid.end:
        return (part.ravel() for part in np.meshgrid(rows, columns, indexing="ij"))
    places, radii = solid.bounds()
    x, y = camera.project(places)
    size = np.max(radii * camera.focal / (places[:, 2] - radii)) * 1.15 + 1.5
    axis = np.array([x[1] - x[0], y[1] - y[0]])
    length = np.hypot(*axis)
    if length < size:
        return (part.ravel() for part in np.meshgrid(rows, columns, indexing="ij"))
    level = (columns + 0.5 - x[0]) * (axis[1] / length)
    upright = (rows + 0.5 - y[0]) * (axis[0] / length)
    found = np.nonzero(np.abs(upright[:, None] - level) < size)
    return rows[found[0]], columns[found[1]]


# --- intersections of rays and solids -----------------------------------------------------


def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _meet_ball(centre, radius, rays, square):
    """Intersect rays with a ball; `square` is the dot product of each ray with itself."""
    along = _dot(rays, centre) / square
    # Measured from the point nearest to the centre, so nothing cancels for a distant ball.
    off = along * rays - centre[:, None, None]
    left = (radius * radius - _dot(off, off)) / square
    return np.where(left >= 0.0, along - np.sqrt(np.maximum(left, 0.0)), np.inf)


def _meet_cone(solid, rays):
    """Intersect rays with a cone with round ends (Inigo Quilez, "rounded cone intersection")."""
    square = _dot(rays, rays)
    start, end, (r, s) = solid.start, solid.end, solid.radii
    far = _meet_ball(start, r, rays, square)
    if start is end:
        return far
    far = np.minimum(far, _meet_ball(end, s, rays, square))
    axis = end - start
    length, less = float(axis @ axis), r - s
    slant = length - less * less
    if slant <= 0.0:  # one end contains the other
        return far
    first = _dot(rays, (start + end) / 2) / square  # measured from the point nearest to its middle
    origin = first * rays - start[:, None, None]
    ray_axis, origin_axis = _dot(rays, axis), _dot(origin, axis)
    ray_origin, origin_2 = _dot(rays, origin), _dot(origin, origin)
    a = slant * square - ray_axis * ray_axis
    b = slant * ray_origin - origin_axis * ray_axis + ray_axis * less * r
    c = slant * origin_2 - origin_axis**2 + 2.0 * origin_axis * less * r - length * r * r
    root = b * b - a * c
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (-np.sqrt(np.maximum(root, 0.0)) - b) / a
        height = origin_axis - r * less + t * ray_axis
        good = (root >= 0.0) & (height > 0.0) & (height < slant) & (a > 0.0)
        return np.minimum(far, np.where(good, first + t, np.inf))


def _meet_lump(solid, rays):
    """Intersect rays with |x|^p + |y|^p + |z|^p = 1, by Newton's method.

    The solid is convex, so steps from outside never pass its surface.
    """
    matrix = (solid.axes / solid.half[:, None]).tolist()
    scaled = [a * rays[0] + b * rays[1] + c for a, b, c in matrix]  # rays have z = 1
    origin = (solid.axes @ -solid.centre / solid.half).tolist()
    # Start where the ray enters the solid's bounding box.
    near, beyond = np.full_like(rays[0], -np.inf), np.full_like(rays[0], np.inf)
    for part, start in zip(scaled, origin, strict=True):
        inverse = 1.0 / np.where(np.abs(part) > 1e-9, part, np.float32(1e-9))
        middle, half = -start * inverse, np.abs(inverse)
        near, beyond = np.maximum(near, middle - half), np.minimum(beyond, middle + half)
    meets = near < beyond
    t = near[meets]
    scaled = np.stack([part[meets] for part in scaled])
    origin, power = np.array(origin, np.float32), solid.power
    for _ in range(STEPS):
        place = t * scaled
        place += origin[:, None]
        steep = _steep(place, power)
        value, fall = _dot(steep, place), _dot(steep, scaled)
        value -= 1.0
        some = (fall < 0.0) | (value <= 0.0)  # the other rays miss the solid
        fall *= power
        t -= np.maximum(value, 0.0, out=value) / np.minimum(fall, -1e-9, out=fall)
        if not np.all(some):
            meets[meets] = some
            t, scaled = t[some], scaled[:, some]
    far = np.full(meets.shape, np.inf, rays.dtype)
    far[meets] = _near_enough(origin, t, scaled, power)
    return far


def _steep(place, power):
    """Return |x|^(p-1) with the sign of x; integer powers by products, which are much faster."""
    if power == 2.0:
        return place
    if power == 3.0:
        return np.abs(place) * place
    if power == 4.0:
        return place * place * place
    return np.copysign(np.abs(place) ** (power - 1.0), place)


def _near_enough(origin, t, scaled, power):
    """Drop rays that narrowly miss the solid, for which Newton's method has not converged."""
    place = origin[:, None] + t * scaled
    return np.where(_dot(_steep(place, power), place) < 1.02, t, np.inf)


def normals(solid, points):
    """Return unit normals of a solid at points (n, 3) on it."""
    if isinstance(solid, Cone):
        found = _cone_normals(solid, points)
    else:
        place = (points - solid.centre) @ solid.axes.T / solid.half
        found = np.copysign(np.abs(place) ** (solid.power - 1.0), place) / solid.half @ solid.axes
    return found / np.maximum(np.linalg.norm(found, axis=-1, keepdims=True), 1e-30)


def _cone_normals(solid, points):
    start, axis, (r, s) = solid.start, solid.end - solid.start, solid.radii
    off = points - start
    length, less = float(axis @ axis), r - s
    slant = length - less * less
    if slant <= 0.0 or solid.start is solid.end:
        return off
    # The surface normal goes through this point of the axis.
    along = off @ axis
    aside = np.sqrt(np.maximum(np.sum(off * off, axis=-1) - along * along / length, 0.0))
    share = np.clip((along - aside * np.sqrt(length / slant) * less) / length, 0.0, 1.0)
    return off - share[:, None] * axis


# --- shadows ------------------------------------------------------------------------------


class Light(NamedTuple):
    """A distant light: its direction and two axes perpendicular to it, in the camera's space."""

    direction: np.ndarray  # (3), a unit vector towards the light
    across: np.ndarray  # (2, 3)
    soft: float  # widening of shadows per distance from the solid that casts them


def make_light(direction, soft):
    """Return the light that comes from a direction."""
    direction = np.asarray(direction, np.float64) / np.linalg.norm(direction)
    aside = np.cross(direction, [0.0, 0.0, 1.0])  # the light is never parallel to the camera's axis
    aside /= np.linalg.norm(aside)
    across = np.stack([aside, np.cross(direction, aside)])
    return Light(direction.astype(np.float32), across.astype(np.float32), soft)


def shade(light, solid, flat, height):
    """Return the fraction of the light that a solid blocks at points, 0 to 1.

    `flat` is two arrays, the coordinates of the points along `light.across`; `height` is those
    along `light.direction`.
    """
    if isinstance(solid, Cone):
        return _cone_shade(light, solid, flat, height)
    # A solid is treated as an ellipsoid, whose outline seen from the light is an ellipse.
    spread = light.across @ (1.1 * solid.half * solid.axes.T)
    turned = np.linalg.inv(np.linalg.cholesky(spread @ spread.T))
    middle, top = light.across @ solid.centre, float(light.direction @ solid.centre)
    (a, _), (b, c) = turned.tolist()
    u, v = flat[0] - middle[0], flat[1] - middle[1]
    share = np.sqrt((a * u) ** 2 + (b * u + c * v) ** 2)
    size = float(1.0 / np.sqrt(a * c))
    return _soften(light, size, share * size, top - height)


def _cone_shade(light, solid, flat, height):
    start, end = light.across @ solid.start, light.across @ solid.end
    top = float(light.direction @ solid.start)
    rise = float(light.direction @ (solid.end - solid.start))
    u, v = flat[0] - start[0], flat[1] - start[1]
    axis = end - start
    length = float(axis @ axis)
    r, s = solid.radii
    if length > 1e-12 * r * r:
        share = u * (axis[0] / length)
        share += v * (axis[1] / length)
        np.clip(share, 0.0, 1.0, out=share)
        u -= share * axis[0]
        v -= share * axis[1]
        r, top = r + share * (s - r), top + share * rise
    u *= u
    v *= v
    u += v
    return _soften(light, r, np.sqrt(u, out=u), top - height)


def _soften(light, size, away, above):
    """Return the soft shadow of a solid at height `above` a point, `away` from its centre."""
    wide = np.maximum(above, 0.0)
    wide *= light.soft
    wide += 0.04 * size
    share = size - away
    share /= wide
    share *= 0.5
    share += 0.5
    np.clip(share, 0.0, 1.0, out=share)
    share *= share * (3.0 - 2.0 * share)
    # A solid thinner than its penumbra covers only a part of the light source.
    share *= np.minimum(1.25 * size / wide, 1.0)
    above = above / size
    above -= 0.3
    share *= np.clip(above, 0.0, 1.0, out=above)
    return share
