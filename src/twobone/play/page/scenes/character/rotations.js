// Vectors and quaternions xyzw of a character's joints: the formulas of `rotations/quaternions.py` and
// `core/vectors.py`, for one vector of numbers, with the same order of operations.

/** @typedef {number[]} Vector */
/** @typedef {number[]} Quaternion */

/** @type {(u: Vector, v: Vector) => Vector} */
export const plus = (u, v) => [u[0] + v[0], u[1] + v[1], u[2] + v[2]];
/** @type {(u: Vector, v: Vector) => Vector} */
export const minus = (u, v) => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
/** @type {(s: number, v: Vector) => Vector} */
export const times = (s, v) => [s * v[0], s * v[1], s * v[2]];
/** @type {(u: number[], v: number[]) => number} */
export const dot = (u, v) => {
  let sum = u[0] * v[0];
  for (let i = 1; i < u.length; i++) sum += u[i] * v[i];
  return sum;
};
/** @type {(u: Vector, v: Vector) => Vector} */
export const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
// Return v, or 1 where it is zero or negative, for use under a root or as a divisor.
export const positive = (/** @type {number} */ v) => (v <= 0 ? 1 : v);
export const size = (/** @type {number[]} */ v) => Math.sqrt(dot(v, v));
// Return v / |v|; 0 stays 0.
export const unit = (/** @type {Vector} */ v) => times(1 / positive(size(v)), v);
// Return the component of v perpendicular to a unit axis.
/** @type {(v: Vector, axis: Vector) => Vector} */
export const squareTo = (v, axis) => minus(v, times(dot(v, axis), axis));

export const IDENTITY = [0, 0, 0, 1];
/** @type {(p: Quaternion, q: Quaternion) => Quaternion} */
export const multiply = ([px, py, pz, pw], [qx, qy, qz, qw]) => [
  pw * qx + px * qw + py * qz - pz * qy,
  pw * qy + py * qw + pz * qx - px * qz,
  pw * qz + pz * qw + px * qy - py * qx,
  pw * qw - px * qx - py * qy - pz * qz,
];
/** @type {(q: Quaternion) => Quaternion} */
export const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];
/** @type {(q: Quaternion, v: Vector) => Vector} */
export const rotate = (q, v) => {
  const twice = times(2, cross(q, v));
  return plus(plus(v, times(q[3], twice)), cross(q, twice));
};
/** @type {(q: Quaternion) => Quaternion} */
export const unitQuaternion = (q) => {
  const long = size(q);
  return long > 0 ? q.map((part) => part / long) : IDENTITY.slice();
};
/** @type {(q: Quaternion) => Quaternion} */
export const upright = (q) => (q[3] < 0 ? q.map((part) => -part) : q);
/** The one of q and -q that is nearer to p. @type {(p: Quaternion, q: Quaternion) => Quaternion} */
export const nearer = (p, q) => (dot(p, q) < 0 ? q.map((part) => -part) : q);
/** Interpolate between rotations, normalised. @type {(p: Quaternion, q: Quaternion, share: number) => Quaternion} */
export const nlerp = (p, q, share) => {
  const near = nearer(p, q);
  return unitQuaternion(p.map((part, i) => part + share * (near[i] - part)));
};

// Return v x e, where e is the coordinate axis least parallel to v.
const crossLeastAxis = (/** @type {Vector} */ [x, y, z]) => {
  const [a, b, c] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (a <= b && a <= c) return [0, z, -y];
  return b <= c ? [-z, 0, x] : [y, -x, 0];
};
/** A unit vector perpendicular to a: the direction of an axis without its part along a. @type {(a: Vector, axis: Vector) => Vector} */
export const axisSquareTo = (a, axis) => {
  const given = minus(axis, times(dot(axis, a) / positive(dot(a, a)), a));
  return unit(dot(given, given) > 1e-12 * dot(axis, axis) ? given : crossLeastAxis(a));
};
/** The shortest arc between unit vectors; an axis perpendicular to a serves where they are opposite. @type {(a: Vector, b: Vector, axis: Vector) => Quaternion} */
export const shortestArc = (a, b, axis) => {
  const c = cross(a, b),
    d = dot(a, b),
    large = Math.sqrt(0.5 + 0.5 * Math.abs(d)),
    small = 0.5 / large;
  if (!(d < 0)) return [...times(small, c), large];
  const aside = squareTo(c, a),
    left = dot(aside, aside),
    m = Math.sqrt(positive(left));
  return left <= 2 ** -20 * dot(c, c) ? [...axis, 0] : [...times(large / m, aside), m * small];
};
/** Cosine and sine of half an angle, given its cosine and sine times any positive factor. @type {(c: number, s: number) => [number, number]} */
export const halfOf = (c, s) => {
  const square = c * c + s * s;
  if (square === 0) return [1, 0];
  const large = Math.sqrt(0.5 + 0.5 * (Math.abs(c) / Math.sqrt(square)));
  const small = Math.abs(s) / (Math.sqrt(square) * (large + large)),
    sign = s < 0 ? -1 : 1;
  return c < 0 ? [small, sign * large] : [large, sign * small];
};
/** The rotation about a unit axis by an angle, given cosine and sine of its half. @type {(axis: Vector, half: [number, number]) => Quaternion} */
export const about = (axis, [cos, sin]) => [...times(sin, axis), cos];
