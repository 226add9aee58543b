// Small functions of numbers, and records that the other modules share.
//
// Printed from creature/stepping/numbers.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";

/** @typedef {import("./transcendental.js").Turn} Turn */

export const GRAVITY = 9.81; // metres per second squared, a law

export const TINY = 1e-09; // metres, or of 1: differences below it are those of rounding

const FLAT = 0.2; // of a leg: what is left of its height or length, where it does not reach; taste

export const HUGE = 1e30; // more than any length or cost

/**
 * A place: y is up, +z forward, +x to the left.
 * @typedef {object} Point
 * @property {number} x
 * @property {number} y
 * @property {number} z
 */

/**
 * A place or a vector, seen from above.
 * @typedef {object} Above
 * @property {number} x
 * @property {number} z
 */

/**
 * A number that follows a goal without overshoot, and its rate of change per second.
 * @typedef {object} Damped
 * @property {number} at
 * @property {number} speed
 */

/**
 * Return a place that is given to the left and ahead of another, which faces so.
 * @param {number} x
 * @param {number} z
 * @param {Turn} turn
 * @param {number} aside
 * @param {number} ahead
 * @returns {Above}
 */
export function placed(x, z, turn, aside, ahead) {
  return { x: x + aside * turn.c + ahead * turn.s, z: z - aside * turn.s + ahead * turn.c };
}

/**
 * Return cosine and sine of an angle in radians, with the same bits in every language.
 * @param {number} angle
 * @returns {Turn}
 */
export function facing(angle) {
  return transcendental.turn(angle);
}

/**
 * Return the smaller number.
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
export function smaller(a, b) {
  return b < a ? b : a;
}

/**
 * Return the larger number.
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
export function larger(a, b) {
  return b > a ? b : a;
}

/**
 * Return the number from `low` to `high` that is nearest to x.
 * @param {number} x
 * @param {number} low
 * @param {number} high
 * @returns {number}
 */
export function clamp(x, low, high) {
  return x < low ? low : x > high ? high : x;
}

/**
 * Return the number between two; the same one if they are equal.
 * @param {number} a
 * @param {number} b
 * @param {number} part
 * @returns {number}
 */
export function mix(a, b, part) {
  return a + part * (b - a);
}

/**
 * Return the same angle from -1/2 to 1/2 turns.
 * @param {number} turns
 * @returns {number}
 */
export function wrapped(turns) {
  return turns - (Math.floor(turns + 0.5) + 0);
}

/**
 * Return 0 up to 0, 1 from 1, and between them a cubic with level ends (smoothstep).
 * @param {number} t
 * @returns {number}
 */
export function smooth(t) {
  const s = t < 0 ? 0 : t > 1 ? 1 : t;
  return s * s * (3 - 2 * s);
}

/**
 * Return the distance from the origin.
 * @param {Point} p
 * @returns {number}
 */
export function length(p) {
  return Math.sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
}

/**
 * Return the vector from a to b.
 * @param {Point} a
 * @param {Point} b
 * @returns {Point}
 */
export function between(a, b) {
  return { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z };
}

/**
 * Return the vector product.
 * @param {Point} a
 * @param {Point} b
 * @returns {Point}
 */
export function cross(a, b) {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x };
}

/**
 * Return the sum of two vectors.
 * @param {Point} a
 * @param {Point} b
 * @returns {Point}
 */
export function plus(a, b) {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
}

/**
 * Return a side of a right triangle, from its longest side and the square of another.
 *
 * It is at least `FLAT` of the longest, even where there is no such triangle.
 * @param {number} longest
 * @param {number} square
 * @returns {number}
 */
export function side(longest, square) {
  const least = FLAT * longest;
  return Math.sqrt(larger(longest * longest - square, least * least));
}

/**
 * Move a number to its goal, critically damped, for a time.
 *
 * Exact but for the exponential, whose rational approximation is within 1e-3 (Lowe, Critically
 * damped ease-in/ease-out smoothing, Game Programming Gems 4). The rate is the inverse of the time
 * constant, per second.
 * @param {Damped} value
 * @param {number} goal
 * @param {number} rate
 * @param {number} dt
 * @returns {void}
 */
export function damp(value, goal, rate, dt) {
  const k = rate * dt;
  const decay = 1 / (1 + k + 0.48 * k * k + 0.235 * k * k * k);
  const away = value.at - goal;
  const step = (value.speed + rate * away) * dt;
  value.at = goal + (away + step) * decay;
  value.speed = (value.speed - rate * step) * decay;
}
