// Choice of footholds, lift of a swing over obstacles, and the plane through the feet (creature/footing.py).
//
// Places seen from above are complex numbers x + iz, so a rotation by a heading is a product. Heights
// are along y.

import { cis, horner, turned } from "./elementary.js";
import { GLIDE, arch, between, maximum, minimum, warp } from "./gait.js";

/** @import { Place, Point, Standing, SwingLeg, Terrain } from "./types.js" */

const EIGHT = Array.from({ length: 8 }, (_, k) => turned(k / 8));
const OFFSETS = [[0, 0], ...EIGHT]; // a place and eight around it
const BORDER = [0, 2, 4, 6].map((k) => EIGHT[k]); // of a foot, where the ground under it is sampled
const ASIDE = 0.12; // of the leg's length: distance of alternative footholds from the nominal one
const PAD = 0.03; // of the leg's length: radius of a foot
const STEEP = 0.8; // slope under a foot from which a place is penalised
const STEEPEST = 1.5; // slope: feet lean no further
const UNEVEN = 0.1; // of the leg's length: maximum difference in height under a foot
const TIE = 1e-9; // costs that differ by less are equal, see `least`

/** @type {(first: number, last: number, count: number) => number[]} */
const even = (first, last, count) => {
  const step = (last - first) / (count - 1);
  return Array.from({ length: count }, (_, i) => (i < count - 1 ? i * step + first : last));
};
// Parts of a swing, as from `warp`, at which the ground under it is sampled: how much of its path is
// travelled, and how high it is.
const ALONG = even(0.1, 0.9, 9);
const TRAVELLED = ALONG.map((t) => t * t * t * (10 - 15 * t + 6 * (t * t)));
const HIGH = ALONG.map(arch);
// Where to search for ground if none near the nominal foothold can be stood on.
const WIDE = [0.12, 0.24, 0.36, 0.48, 0.6].flatMap((far) =>
  Array.from({ length: 16 }, (_, k) => scaled(far, turned(k / 16))),
);
// Of the leg's length, times what remains of the swing: how far from the foot ground may then be
// found, and how far from its goal another goal may be.
const FARTHEST = 1;
const NEARER = 33; // how many of them are tried around the foot too, its own place first
// Fractions of the rest of a swing at which the foot must be above the ground, and the weights with
// which `glide` gives its position there.
const REST = [0.02, 0.04, 0.06, ...even(0.08, 0.92, 25), 0.96];
const GLIDES = REST.map((part) => GLIDE[0].map((polynomial) => horner(polynomial, part)));

// --- places and points --------------------------------------------------------------------

// Return the factor that rotates places by a heading, from +z towards +x.
/** @type {(heading: number) => Place} */
export const facing = (heading) => cis(-heading);
// Return the product of two places, as complex numbers.
/** @type {(a: Place, b: Place) => Place} */
export const rotated = (a, b) => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
/** @type {(a: Place) => Place} */
export const conjugate = (a) => [a[0], -a[1]];
/** @type {(u: number[], v: number[]) => number[]} */
export const plus = (u, v) => u.map((part, i) => part + v[i]);
/** @type {(u: number[], v: number[]) => number[]} */
export const minus = (u, v) => u.map((part, i) => part - v[i]);
/** @param {number} factor @param {number[]} u */
export function scaled(factor, u) {
  return u.map((part) => factor * part);
}
/** @type {(point: Point) => Place} */
export const placeOf = (point) => [point[0], point[1]];
/** @type {(place: number[]) => number} */
export const distance = (place) => Math.sqrt(place[0] * place[0] + place[1] * place[1]);
/** @type {(u: Point, v: Point) => number} */
export const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
// Return a mirrored cross product; points are stored as x, z, y.
/** @type {(u: Point, v: Point) => Point} */
export const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
// Return a point times the matrix of three rows.
/** @type {(point: Point, axes: Point[]) => Point} */
export const timesAxes = (point, axes) =>
  [0, 1, 2].map((j) => point[0] * axes[0][j] + point[1] * axes[1][j] + point[2] * axes[2][j]);

// Return how far apart two places are; heights do not count.
/** @type {(a: number[], b: number[]) => number} */
const apart = (a, b) => distance([a[0] - b[0], a[1] - b[1]]);

/**
 * Return the point of the ground at a place.
 * @param {Terrain} terrain
 * @param {Place} place
 * @returns {Point}
 */
export const onGround = (terrain, [x, z]) => [x, z, terrain.height(x, z)];

// Return the index of the first number that is at most `margin` above the smallest. Costs of places
// that are mirror images differ by nothing but rounding; so the choice does not depend on it.
/** @type {(costs: number[], margin: number) => number} */
export const least = (costs, margin) => {
  const most = Math.min(...costs) + margin;
  return costs.findIndex((cost) => cost <= most);
};

// --- how feet lean ------------------------------------------------------------------------

// Return the heights of the ground on the border of a foot at a place.
/** @type {(terrain: Terrain, place: Place, length: number) => number[]} */
const around = (terrain, place, length) =>
  BORDER.map(([x, z]) => terrain.height(place[0] + PAD * length * x, place[1] + PAD * length * z));

// Return how a foot leans that stands flat at a place: x and z of the ground's normal with y = 1.
/** @type {(terrain: Terrain, place: Place, length: number) => number[]} */
export const leans = (terrain, place, length) => leanOver(around(terrain, place, length), length);

/** @type {(around: number[], length: number) => number[]} */
const leanOver = ([a, b, c, d], length) => limited([-(a - c) / (2 * PAD * length), -(b - d) / (2 * PAD * length)]);

/**
 * Return the lean of a foot with a rotation xyzw.
 * @param {number[]} rotation
 * @returns {Place}
 */
export const leanOf = ([x, y, z, w]) => {
  const up = maximum(w * w - x * x + y * y - z * z, 0.1);
  return limited([(2 * (x * y - w * z)) / up, (2 * (y * z + w * x)) / up]);
};

/** @type {(lean: number[]) => number[]} */
const limited = (lean) => {
  const over = maximum(distance(lean) / STEEPEST, 1);
  return [lean[0] / over, lean[1] / over];
};

// --- footholds ----------------------------------------------------------------------------

/**
 * Return the offset from a place to the best foothold near it, 0 for the place itself.
 * @param {Terrain} terrain
 * @param {Place} place
 * @param {number} length
 * @param {Standing} leg
 * @returns {Place}
 */
export const better = (terrain, place, length, leg) => {
  const offsets = OFFSETS.map((offset) => scaled(ASIDE * length, offset));
  const tried = offsets.map((offset) => badness(terrain, place, offset, length, leg));
  if (tried.every(({ far }) => far))
    for (const offset of offsets.slice(1)) {
      const twice = scaled(2, offset);
      offsets.push(twice);
      tried.push(badness(terrain, place, twice, length, leg));
    }
  return offsets[
    least(
      tried.map(({ cost }) => cost),
      TIE,
    )
  ];
};

// Return the cost of the foothold at an offset from a place, and whether it is out of reach.
/** @type {(terrain: Terrain, place: Place, offset: Place, length: number, standing: Standing) => { cost: number, far: boolean }} */
const badness = (terrain, place, offset, length, { stood, hips, top, near, far }) => {
  const tried = plus(place, offset),
    middle = terrain.height(tried[0], tried[1]),
    border = around(terrain, tried, length);
  const steep = (border.reduce(maximum) - border.reduce(minimum)) / (2 * PAD * length);
  const jump = Math.abs(middle - stood[2]) / length,
    longer = apart(tried, stood) - apart(place, stood);
  const away = distance([apart(tried, hips), top - middle]),
    over = away - far,
    under = near - away;
  const reach = maximum(maximum(over, under), 0) / length;
  const cost = maximum(steep - STEEP, 0) + 4 * (maximum(jump - 0.35, 0) + reach);
  return { cost: cost + (2 * maximum(longer, 0) + (0.02 / ASIDE) * distance(offset)) / length, far: over > 0 };
};

/**
 * Return whether a foot can stand on a point of the ground, the lift of the swing that it needs, and
 * how it leans there.
 * @param {Terrain} terrain
 * @param {Point} point
 * @param {SwingLeg} leg
 * @param {number} length
 */
export const bears = (terrain, point, leg, length) => {
  const border = around(terrain, point, length),
    { hips, maxReach, maxLift } = leg;
  const uneven = border.reduce(maximum, point[2]) - border.reduce(minimum, point[2]);
  const away = maximum(apart(point, hips.landing), apart(point, hips.middle));
  const drop = hips.height - point[2],
    near = Math.sqrt(away * away + drop * drop) <= maxReach;
  const { lift, free } = liftNeeded(terrain, point, leg);
  const good = uneven <= UNEVEN * length && near && free && lift <= maxLift;
  return { good, lift, lean: leanOver(border, length) };
};

/**
 * Return the lift that a foot needs on its path to a goal, and whether it then keeps clear of its own hip.
 * @param {Terrain} terrain
 * @param {Point} goal
 * @param {SwingLeg} leg
 */
export const liftNeeded = (terrain, goal, { swing, progress, lift, hips, minReach }) => {
  const [at, speed, bend] = swing,
    start = warp(progress),
    lands = [...hips.landing, hips.height];
  let need = -Infinity;
  const path = GLIDES.map(([a, b, c, d], i) => {
    const point = [0, 1, 2].map((j) => a * at[j] + b * speed[j] + c * bend[j] + d * goal[j]);
    const high = arch(start + (1 - start) * REST[i]);
    need = maximum(need, (terrain.height(point[0], point[1]) - point[2]) / high);
    return { point, high };
  });
  const raised = maximum(need, lift);
  const free = path.every(({ point: [x, z, y], high }, i) => {
    const away = [x, z, y + raised * high].map((part, j) => part - (hips.now[j] + REST[i] * (lands[j] - hips.now[j])));
    return !(dot(away, away) < minReach * minReach);
  });
  return { lift: need, free };
};

/**
 * Return whether a foot in the air has too little time left to go to a point instead of its goal.
 * @param {Point} point
 * @param {SwingLeg} leg
 * @param {number} length
 */
export const isSudden = (point, { swing, progress }, length) =>
  progress > 0 && apart(placeOf(point), placeOf(swing[3])) > FARTHEST * length * (1 - progress);

/**
 * Search around a place for ground to stand on: return a point, whether it was found, its lift and lean.
 *
 * `clear`, if given, tells for a point whether the leg itself is clear of the ground.
 * @param {Terrain} terrain
 * @param {Place} place
 * @param {SwingLeg} leg
 * @param {number} length
 * @param {((point: Point) => boolean) | null} clear
 */
export const search = (terrain, place, leg, length, clear = null) => {
  const ring = [[0, 0], ...WIDE.map((offset) => scaled(length, offset))],
    [start] = leg.swing,
    { hips } = leg;
  const leaves = minus(scaled(2, hips.middle), hips.landing);
  const tried = [
    ...ring.map((offset) => plus(place, offset)),
    ...ring.slice(0, NEARER).map((offset) => plus(start, offset)),
  ];
  const choices = tried.map((there, number) => {
    const point = onGround(terrain, there),
      step = apart(there, start),
      longer = step - apart(place, start);
    const over = distance([apart(there, leaves), hips.height - point[2]]) - leg.maxReach;
    return { number, point, step, cost: apart(there, place) + maximum(longer, 0) + 2 * maximum(over, 0) };
  });
  // The cheapest that is good, and the first of those that cost the same: most need not be examined.
  let most = Infinity,
    best = null;
  const farthest = FARTHEST * length * (1 - leg.progress);
  for (const { number, point, step, cost } of choices.slice().sort((a, b) => a.cost - b.cost)) {
    if (cost > most) break;
    if (step > farthest) continue;
    const found = bears(terrain, point, leg, length);
    if (!found.good || (clear && !clear(point))) continue;
    if (!best) most = cost + TIE * length;
    if (!best || number < best.number) best = { number, point, ...found };
  }
  if (best) return { point: best.point, good: true, lift: best.lift, lean: best.lean };
  return { point: choices[0].point, ...bears(terrain, choices[0].point, leg, length), good: false };
};

/**
 * Return the point of the ground at a place, moved towards the hip if it is out of reach.
 *
 * It is moved to no less than three fifths of its distance from below the hip.
 * @param {Terrain} terrain
 * @param {Place} place
 * @param {Place} hip
 * @param {number} top height of the hip
 * @param {number} reach
 * @returns {Point}
 */
export const withinReach = (terrain, place, hip, top, reach) => {
  let point = onGround(terrain, place);
  if (!outOfReach(point, hip, top, reach)) return point;
  const away = minus(place, hip),
    far = distance(away) + 1e-12;
  for (let round = 0; round < 2; round++) {
    // twice, since the ground may have another height at the new place
    const drop = minimum(Math.abs(top - point[2]), reach);
    const part = between(Math.sqrt(reach * reach - drop * drop) / far, 0.6, 1);
    point = onGround(terrain, plus(hip, scaled(part, away)));
  }
  return point;
};

/** @type {(point: Point, hip: Place, top: number, reach: number) => boolean} */
export const outOfReach = (point, hip, top, reach) => {
  const x = point[0] - hip[0],
    z = point[1] - hip[1],
    drop = top - point[2];
  return x * x + z * z + drop * drop > reach * reach;
};

// Return the lift that clears the ground between start and end, if that is at most `most`.
/** @type {(terrain: Terrain, start: Point, end: Point, clearance: number, most: number) => number} */
export const liftOver = (terrain, start, end, clearance, most) => {
  const way = minus(end, start);
  const needs = TRAVELLED.map((part, i) => {
    const [x, z, y] = start.map((from, j) => from + part * way[j]);
    return (terrain.height(x, z) - y) / HIGH[i];
  });
  return minimum(clearance + maximum(needs.reduce(maximum), 0), maximum(most, clearance));
};

// --- the plane through the feet -----------------------------------------------------------

/**
 * Fit a plane to feet by least squares; return its lean, in the space of a body with the rotation
 * `turned`, and its height at the body's place.
 * @param {Point[]} feet
 * @param {Place} place
 * @param {Place} turned
 * @param {number} stiff added to the variances, so that the feet of two legs define a plane too
 */
export const planeThrough = (feet, place, turned, stiff) => {
  const middle = [0, 1, 2].map((j) => feet.reduce((sum, foot) => sum + foot[j], 0) / feet.length);
  let xx = 0,
    zz = 0,
    xz = 0,
    xy = 0,
    zy = 0;
  for (const foot of feet) {
    const x = foot[0] - middle[0],
      z = foot[1] - middle[1],
      y = foot[2] - middle[2];
    xx += x * x;
    zz += z * z;
    xz += x * z;
    xy += x * y;
    zy += z * y;
  }
  xx += stiff;
  zz += stiff;
  const below = xx * zz - xz * xz,
    lean = [(xz * zy - zz * xy) / below, (xz * xy - xx * zy) / below];
  const height = middle[2] + (lean[0] * (middle[0] - place[0]) + lean[1] * (middle[1] - place[1]));
  return [...rotated(lean, conjugate(turned)), height];
};
