// Double-word arithmetic: exact sums and products as pairs of a rounded value and its error.
//
// Algorithms: Knuth's two_sum, Veltkamp's split, Dekker's two_product and Rump's unit in the first
// place. They use only `+ - *` and, for scaling, `/` and comparisons, so the same source runs on
// floats, NumPy, PyTorch, JAX and SymPy (where every error term is zero). With a fused multiply-add,
// `two_product` is `p = a b` and `fma(a, b, -p)`, with the same bits. A compiler that fuses a product
// with a sum in one place and not in another would compute two different values of `p`; `Real.pin`
// prevents this.
//
// Throughout, `t` is a `Real`, the constants of a floating-point type.
//
// Printed from core/exact.py by `python tools/generate.py`: do not edit.


/**
 * Constants of a floating-point type: for rounding, and for ranges of safe sizes.
 * @typedef {object} Real
 * @property {number} eps spacing of the numbers from 1 on
 * @property {number} splitter Veltkamp's constant, for halves with half of the digits each
 * @property {number} nudge v + nudge v is the next number after v > 0
 * @property {number} digits 1 / eps
 * @property {number} largest
 * @property {number} coarse `power_of_two` first scales numbers beyond coarse or 1/coarse by `step`
 * @property {number} step
 * @property {number} flush scaled to 1, a smaller second bone or pole component counts as 0
 * @property {number} faint scaled to 1, a smaller target component counts as 0: its square underflows
 * @property {number} speck a triangle with S <= speck h r1^2 counts as straight
 * @property {number} near a target nearer than `near` times the longer bone is treated as if it were there
 * @property {number} thin a first bone below 1/thin of the second is treated as about 1/thin of it
 * @property {number} planeSize in the plane, sizes from 1/plane_size to plane_size need no scaling
 * @property {number} planePart nor target components that are zero or at least 1/plane_part
 * @property {number} spaceSize the same in space
 * @property {number} spacePart
 * @property {number} thick nor a first bone of at least 1/thick of the second
 */

export const FLOAT64 = {
  eps: 2.220446049250313e-16,
  splitter: 134217729,
  nudge: 1.1102230246251568e-16,
  digits: 4503599627370496,
  largest: 1.7976931348623157e308,
  coarse: 3.273390607896142e150,
  step: 4.149515568880993e180,
  flush: 3.2033329522929615e-145,
  faint: 1.4916681462400413e-154,
  speck: 6.223015277861142e-61,
  near: 3.2033329522929615e-145,
  thin: 8.452712498170644e270,
  planeSize: 1.2676506002282294e30,
  planePart: 1.6069380442589903e60,
  spaceSize: 1.152921504606847e18,
  spacePart: 1.2089258196146292e24,
  thick: 4,
};

/**
 * A number and its two halves, `whole == high + low`; products of halves are exact.
 * @typedef {object} Split
 * @property {number} whole
 * @property {number} high
 * @property {number} low
 */

/**
 * Return `s, e` with `s + e == a + b` exactly.
 * @param {number} a
 * @param {number} b
 * @returns {number[]}
 */
export function twoSum(a, b) {
  const s = a + b;
  const c = s - a;
  return [s, a - (s - c) + (b - c)];
}

/**
 * Return the same as `twoSum` with fewer operations, for `|a| >= |b|`.
 * @param {number} a
 * @param {number} b
 * @returns {number[]}
 */
export function fastTwoSum(a, b) {
  const s = a + b;
  return [s, b - (s - a)];
}

/**
 * Return `a` with its halves. The gradient passes through `high`, not through the rounding.
 * @param {number} a
 * @returns {Split}
 */
export function split(a) {
  const c = FLOAT64.splitter * a;
  const high = c - (c - a);
  return { whole: a, high, low: a - high };
}

/**
 * Return `p, e` with `p + e == a b` exactly, for two `Split`s.
 *
 * The derivatives are those of `p`: those of its rounding error are 0.
 * @param {Split} a
 * @param {Split} b
 * @returns {number[]}
 */
export function twoProduct(a, b) {
  const p = a.whole * b.whole;
  const e = a.high * b.high - p + a.high * b.low + a.low * b.high + a.low * b.low;
  return [p, e];
}

/**
 * Return `p, e` with `p + e == a a` exactly, for a `Split`.
 * @param {Split} a
 * @returns {number[]}
 */
export function twoSquare(a) {
  const p = a.whole * a.whole;
  const cross = a.high * a.low;
  const e = a.high * a.high - p + (cross + cross) + a.low * a.low;
  return [p, e];
}

/**
 * Return the sum of two or three pairs as one pair, not normalised.
 * @param {number[][]} pairs
 * @returns {number[]}
 */
export function sumOfPairs(pairs) {
  let [[high, low], ...rest] = pairs;
  for (const [otherHigh, otherLow] of rest) {
    /** @type {number} */
    let lost;
    [high, lost] = twoSum(high, otherHigh);
    low = lost + (low + otherLow);
  }
  return [high, low];
}

/**
 * Return the product of two pairs as a pair, not normalised.
 * @param {number[]} u
 * @param {number[]} v
 * @returns {number[]}
 */
export function productOfPairs(u, v) {
  const [p, e] = twoProduct(split(u[0]), split(v[0]));
  return [p, e + (u[0] * v[1] + u[1] * v[0])];
}

/**
 * Return `u / v` of two pairs, almost correctly rounded, given an approximation of `1 / v`.
 *
 * One step of long division: the remainder `u - q v` is divided as well.
 * @param {number[]} u
 * @param {number[]} v
 * @param {number} inverse
 * @returns {number}
 */
export function quotientOfPairs(u, v, inverse) {
  const q = u[0] * inverse;
  const [p, e] = twoProduct(split(q), split(v[0]));
  return q + (u[0] - p - e + (u[1] - q * v[1])) * inverse;
}

/**
 * Return `first + sum(words) + tail` as a pair, as if added with threefold precision.
 *
 * `words` are rounding errors of `first`, smaller by a factor eps, and `tail` is of the size of
 * their rounding errors.
 * @param {number} first
 * @param {number[]} words
 * @param {number} tail
 * @returns {number[]}
 */
export function sumOfWords(first, words, tail) {
  let [high, ...rest] = words;
  for (const word of rest) {
    /** @type {number} */
    let lost;
    [high, lost] = twoSum(high, word);
    tail = tail + lost;
  }
  /** @type {number} */
  let low;
  [high, low] = twoSum(first, high);
  return [high, low + tail];
}

/**
 * Return the largest power of two that is at most `v`, for `v > 0` (Rump's ufp).
 *
 * A fused multiply-add in the return line gives the same bits: `v + nudge v` is far from a tie.
 * The result is a constant for automatic differentiation.
 * @param {number} v
 * @returns {number}
 */
export function powerOfTwo(v) {
  const one = v * 0 + 1;
  const grow = v < 1 / FLOAT64.coarse ? one * FLOAT64.step : v > FLOAT64.coarse ? one / FLOAT64.step : one;
  v = v * grow;
  return (v + FLOAT64.nudge * v - v) * FLOAT64.digits / grow;
}
