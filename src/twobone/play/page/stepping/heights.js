// Heights of the landforms at one place, in numbers alone.
//
// They have the bits of `Terrain.height`, which takes arrays. A walker asks for a few places at a
// time, for which arrays are slow.
//
// Printed from terrain/heights.py by `python tools/generate.py`: do not edit.


// Added to a number and subtracted again, it rounds it to the nearest whole one, as `numpy.rint`.
const WHOLE = 6755399441055744;

// Of the cosine of t turns, from -1/2 to 1/2, as a polynomial in t^2 that interpolates at
// Chebyshev's nodes, but for the first coefficient, which is 1. The error is below 1e-15.
const COSINE_1 = -19.739208802178684;

const COSINE_2 = 64.93939402266314;

const COSINE_3 = -85.45681720637177;

const COSINE_4 = 60.24464136156249;

const COSINE_5 = -26.426256590531025;

const COSINE_6 = 7.903534122041613;

const COSINE_7 = -1.7143738447256551;

const COSINE_8 = 0.2819245703565778;

const COSINE_9 = -0.03613799133425832;

const COSINE_10 = 0.003359676254891574;

/**
 * A plane wave: turns for each unit of x and z, and its phase in turns.
 * @typedef {object} Wave
 * @property {number} alongX
 * @property {number} alongZ
 * @property {number} phase
 */

/**
 * Heights on a square grid, rows along z.
 * @typedef {object} Grid
 * @property {number[][]} heights
 * @property {number} spacing
 * @property {number} x of the first height
 * @property {number} z
 */

/**
 * Where a place is on an axis of a grid: its cell, and the place in it from 0 to 1.
 * @typedef {object} Nodes
 * @property {number} cell
 * @property {number} part
 */

/**
 * Return the height of an inclined plane through the origin.
 * @param {number} alongX
 * @param {number} alongZ
 * @param {number} x
 * @param {number} z
 * @returns {number}
 */
export function slopeHeight(alongX, alongZ, x, z) {
  return alongX * x + alongZ * z;
}

/**
 * Return the height of a staircase along z; a face takes a fraction of the run.
 * @param {number} rise
 * @param {number} run
 * @param {number} face
 * @param {number} z
 * @returns {number}
 */
export function stepsHeight(rise, run, face, z) {
  const runs = z / run;
  const step = (Math.floor(runs) + 0);
  let t = (runs - step - 0.5) / face + 0.5;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return rise * (step + t * t * (3 - 2 * t));
}

/**
 * Return the height of a sum of plane waves, each `high`.
 * @param {Wave[]} waves
 * @param {number} high
 * @param {number} x
 * @param {number} z
 * @returns {number}
 */
export function noiseHeight(waves, high, x, z) {
  let total = 0;
  for (const wave of waves) {
    const turns = wave.alongX * x + wave.alongZ * z + wave.phase;
    const rest = turns - (turns + WHOLE - WHOLE);
    const u = rest * rest;
    let c = (((COSINE_10 * u + COSINE_9) * u + COSINE_8) * u + COSINE_7) * u + COSINE_6;
    c = (((c * u + COSINE_5) * u + COSINE_4) * u + COSINE_3) * u + COSINE_2;
    total += (c * u + COSINE_1) * u + 1;
  }
  return high * total;
}

/**
 * Return the height of a bicubic Catmull-Rom spline through a grid of heights.
 * @param {Grid} grid
 * @param {number} x
 * @param {number} z
 * @returns {number}
 */
export function gridHeight(grid, x, z) {
  const columns = grid.heights[0].length;
  const rows = grid.heights.length;
  const across = nodesAt((x - grid.x) / grid.spacing, columns);
  const along = nodesAt((z - grid.z) / grid.spacing, rows);
  let total = 0;
  for (let i = 0; i < 4; i++) {
    const row = grid.heights[kept(along.cell + i - 1, rows)];
    let line = 0;
    for (let j = 0; j < 4; j++) {
      line += weight(j, across.part) * row[kept(across.cell + j - 1, columns)];
    }
    total += weight(i, along.part) * line;
  }
  return total;
}

/**
 * Return where a place is on an axis, in units of the spacing; at most two cells outside.
 * @param {number} place
 * @param {number} count
 * @returns {Nodes}
 */
export function nodesAt(place, count) {
  const most = count + 1;
  const clipped = place < -2 ? -2 : place > most ? most : place;
  const cell = (Math.floor(clipped) + 0);
  return { cell, part: clipped - cell };
}

/**
 * Return the node of the border for one beyond it.
 * @param {number} node
 * @param {number} count
 * @returns {number}
 */
export function kept(node, count) {
  return node < 0 ? 0 : node >= count ? count - 1 : node;
}

/**
 * Return the weight of one of the four nodes around a place.
 * @param {number} node
 * @param {number} t
 * @returns {number}
 */
export function weight(node, t) {
  if (node === 0) return 0.5 * t * ((2 - t) * t - 1);
  if (node === 1) return 0.5 * (t * t * (3 * t - 5) + 2);
  if (node === 2) return 0.5 * t * ((4 - 3 * t) * t + 1);
  return 0.5 * t * t * (t - 1);
}
