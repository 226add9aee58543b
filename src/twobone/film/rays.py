"""Ray casting: where rays from the eye meet solids, and the normals there."""

import numpy as np

from twobone.film.solids import Balls, Cones, Lumps, spread

STEPS = 4  # of Newton's method
BLOCK = 16384  # rays at a time, to fit the cache


def cast(solids, owner, x, y):
    """Return the depths at which rays meet solids first; inf where they miss.

    Parameters
    ----------
    solids : Solids
    owner : array, shape (n)
        The index of the solid for each ray, in ascending order.
    x, y : arrays of float32, shape (n)
        The rays pass through 0, 0, 0 and x, y, 1.
    """
    far = np.empty(len(owner), np.float32)
    # Rays that miss give roots of negative numbers, NaN, which `fmin` ignores.
    with np.errstate(all="ignore"):
        for _, group, part, place in solids.parts(owner):
            meet = _MEET[type(group)]
            if isinstance(group, Lumps) and group.power == 2.0:
                meet = _meet_ellipsoids
            for start in range(0, len(place), BLOCK):
                some = slice(start, start + BLOCK)
                found = meet(group, place[some], x[part][some], y[part][some])
                far[part][some] = np.fmin(found, np.float32(np.inf))
    return far


def dot(a, b):
    """Return the dot products of vectors (3, n), or (3) and (3, n)."""
    found = a[0] * b[0]
    found += a[1] * b[1]
    found += a[2] * b[2]
    return found


def _meet_balls(balls, place, x, y):
    a, b, c, radius = spread(place, balls.middle, balls.radius)
    square = x * x + y * y + 1.0
    along = (x * a + y * b + c) / square
    # Measured from the point nearest to the centre, so nothing cancels for a distant ball.
    a = along * x - a
    b = along * y - b
    c = along - c
    return along - np.sqrt((radius * radius - (a * a + b * b + c * c)) / square)


def _meet_cones(cones, place, x, y):
    """Intersect rays with cones with round ends (Inigo Quilez, "rounded cone intersection")."""
    sx, sy, sz, ax, ay, az, mx, my, mz, r_2, s_2, slant, length, more = spread(
        place,
        cones.start,
        cones.axis,
        cones.start + 0.5 * cones.axis,
        cones.first**2,
        cones.length - cones.last**2,
        cones.slant,
        cones.length,
        cones.less * cones.first,
    )
    square = x * x + y * y + 1.0
    near = (x * mx + y * my + mz) / square  # measured from the point nearest to the middle
    ox, oy, oz = near * x - sx, near * y - sy, near - sz
    ray_axis = x * ax + y * ay + az
    origin_axis = ox * ax + oy * ay + oz * az
    ray_origin = x * ox + y * oy + oz
    origin_2 = ox * ox + oy * oy + oz * oz
    far = np.fmin(
        _first_root(square, ray_origin, origin_2 - r_2),
        _first_root(square, ray_origin - ray_axis, origin_2 - 2.0 * origin_axis + s_2),
    )
    a = slant * square - ray_axis * ray_axis
    b = slant * ray_origin - ray_axis * (origin_axis - more)
    c = slant * origin_2 - origin_axis * (origin_axis - 2.0 * more) - length * r_2
    t = _first_root(a, b, c)
    height = origin_axis - more + t * ray_axis
    # NaN unless it is between the ends: the root of a product of both distances from them.
    height *= slant - height
    t += 0.0 * np.sqrt(height) + 0.0 * np.sqrt(a)
    return near + np.fmin(far, t)


def _first_root(square, half, rest):
    """Return the first root of square t^2 + 2 half t + rest, for square above 0; NaN if none."""
    root = np.sqrt(half * half - square * rest)
    root += half
    root /= square
    return np.negative(root, out=root)


def _to_lump(lumps, place, x, y):
    """Return directions and origins of rays in spaces in which lumps have size 1, (3, n) each."""
    origin = -np.einsum("nij,nj->ni", lumps.matrix, lumps.centre)
    given = spread(place, lumps.matrix.reshape(-1, 9), origin)
    ways = given[0:9:3] * x
    ways += given[1:9:3] * y
    ways += given[2:9:3]
    return ways, given[9:]


def _meet_ellipsoids(lumps, place, x, y):
    ways, origin = _to_lump(lumps, place, x, y)
    square = dot(ways, ways)
    near = -dot(origin, ways) / square
    off = origin + near * ways
    return near - np.sqrt((1.0 - dot(off, off)) / square)


def _meet_powers(lumps, place, x, y):
    """Intersect rays with |x|^p + |y|^p + |z|^p = 1, by Newton's method.

    The solid is convex, so steps from outside never pass its surface. Rays that miss it end far
    away or not near enough.
    """
    power = lumps.power
    ways, origin = _to_lump(lumps, place, x, y)
    start, beyond = _outside(ways, origin, power)
    found = np.full(len(start), np.inf, np.float32)
    some = np.nonzero(start < beyond)[0]
    ways, origin, t = ways.take(some, axis=1), origin.take(some, axis=1), start.take(some)
    for _ in range(STEPS):
        place = t * ways
        place += origin
        steep = _steep(place, power)
        value, fall = dot(steep, place), dot(steep, ways)
        # The method is that for value^(1/p) = 1, which is straighter than value = 1.
        np.maximum(value, 1.0, out=value)
        value -= _root(value, power)
        value /= np.minimum(fall, np.float32(-1e-9), out=fall)
        t -= value
    place = origin + t * ways
    # For rays that narrowly miss the solid the method has not converged.
    t[~(dot(_steep(place, power), place) < 1.02)] = np.inf
    found[some] = t
    return found


_MEET = {Balls: _meet_balls, Cones: _meet_cones, Lumps: _meet_powers}


def _outside(ways, origin, power):
    """Return where rays enter and leave a ball and a box around |x|^p + |y|^p + |z|^p = 1."""
    inverse = 1.0 / ways
    middle, half = -origin * inverse, np.abs(inverse)
    near, beyond = (middle - half).max(axis=0), (middle + half).min(axis=0)
    square = dot(ways, ways)
    closest = -dot(origin, ways) / square
    off = origin + closest * ways
    size = max(1.0, 3.0 ** (1.0 - 2.0 / power))  # the square of the ball's radius
    wide = np.sqrt(np.maximum(np.float32(1.001 * size) - dot(off, off), 0.0) / square)
    return np.maximum(near, closest - wide), np.minimum(beyond, closest + wide)


def _root(value, power):
    """Return value^(1 - 1/p), for values from 1."""
    if power == 4.0:
        return value / np.sqrt(np.sqrt(value))
    return np.exp(np.float32(1.0 - 1.0 / power) * np.log(value))


def _steep(place, power):
    """Return |x|^(p-1) with the sign of x; integer powers by products, which are much faster."""
    if power == 2.0:
        return place
    if power == 3.0:
        return np.abs(place) * place
    if power == 4.0:
        return place * place * place
    # NumPy has fast logarithms and exponentials of float32, but no fast powers.
    size = np.log(np.maximum(np.abs(place), np.float32(1e-12)))
    size *= np.float32(power - 1.0)
    return np.copysign(np.exp(size, out=size), place)


# --- normals ------------------------------------------------------------------------------


def normals(solids, owner, points):
    """Return unit normals (3, n) of solids at points (3, n) on them, in float32.

    `owner` is in ascending order.
    """
    found = np.empty_like(points)
    for _, group, part, place in solids.parts(owner):
        found[:, part] = _FROM[type(group)](group, place, points[:, part])
    found /= np.sqrt(np.maximum(dot(found, found), np.float32(1e-30)))
    return found


def _from_balls(balls, place, points):
    return points - spread(place, balls.middle)


def _from_cones(cones, place, points):
    length = np.maximum(cones.length, 1e-30)
    steep = np.sqrt(length / np.maximum(cones.slant, 1e-9 * length)) * cones.less
    given = spread(place, cones.start, cones.axis, 1.0 / length, steep)
    axis, inverse, steep = given[3:6], given[6], given[7]
    off = points - given[:3]
    along = dot(off, axis)
    aside = np.sqrt(np.maximum(dot(off, off) - along * along * inverse, 0.0))
    # The normal goes through this point of the axis.
    share = np.clip((along - aside * steep) * inverse, 0.0, 1.0)
    off -= share * axis
    return off


def _from_lumps(lumps, place, points):
    given = spread(place, lumps.matrix.reshape(-1, 9), lumps.centre)
    off = points - given[9:]
    scaled = np.stack([dot(given[3 * i : 3 * i + 3], off) for i in range(3)])
    steep = _steep(scaled, lumps.power)
    return np.stack([dot(given[i:9:3], steep) for i in range(3)])


_FROM = {Balls: _from_balls, Cones: _from_cones, Lumps: _from_lumps}
