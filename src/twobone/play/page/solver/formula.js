// The formula: the position of the joint between two bones.
//
// Two bones of lengths `r1` and `r2` start at the origin and must end at `p`. With `h = p.p`,
//
//     w = h + r1^2 - r2^2         S = 4 r1^2 h - w^2 = a b
//     a = (r1 + r2)^2 - h         b = h - (r1 - r2)^2
//     x = (w p + q sqrt(S)) / (2 h),   q.p = 0,  q.q = h
//
// This is Inigo Quilez, "simple inverse kinematics", iquilezles.org/articles/simpleik, with a single
// division; the factors of S are after Kahan, "Miscalculating Area and Angles of a Needle-like
// Triangle". `a` is 0 at the maximum reach and `b` at the minimum reach. Near these, where limbs often
// are, both are differences of nearly equal numbers, so they are computed in double words. One such
// subtraction is enough, because the rest follows from `b` without cancellation:
//
//     b = h - (r1 - r2)^2         a = 4 r1 r2 - b         w = b + 2 r1 (r1 - r2)
//
// The code is pure: only `+ - * /`, comparisons, `xp.sqrt` and `xp.where`, each rounded once; no
// branches, no loops over data, no angles. A vector is a tuple of its components, a pair is a number
// and its rounding error (`exact.py`), and `t` holds the constants of the floating-point type. Where
// there is no triangle, the argument of a square root is replaced before the root is taken, so that
// neither values nor gradients can become NaN.
//
// Printed from core/formula.py by `python tools/generate.py`: do not edit.

import * as exact from "./exact.js";
import { FLOAT64 } from "./exact.js";

/** @typedef {import("./exact.js").Split} Split */

/**
 * Quantities that depend on the two lengths alone.
 * @typedef {object} Bones
 * @property {number} r1 first bone
 * @property {number[]} difference r1 - r2
 * @property {number[]} four 4 r1 r2
 * @property {number} maximumReach r1 + r2
 * @property {number} minimumReach |r1 - r2|
 */

/**
 * The triangle of root, joint and target; the plane in which it lies is not determined yet.
 * @typedef {object} Triangle
 * @property {number[]} h p.p
 * @property {number[]} w 2 x.p
 * @property {number[]} area S = a b, 16 times the squared area of the triangle
 * @property {boolean} inside there is a triangle
 * @property {boolean} met the end is on the target
 * @property {boolean} tooFar
 * @property {boolean} tooNear
 * @property {number} straight without a triangle: +1 if the first bone points at the target, -1 away
 * @property {number} r1 length of the first bone
 * @property {number} edge without a triangle: the distance from root to end
 * @property {number[]} a the first factor of S
 * @property {number[]} b the second one
 */

/**
 * A solution before the policy: `x = along p + across q` with `along = w / (2 h)`.
 * @typedef {object} Solution
 * @property {number[]} p the target
 * @property {number[]} q perpendicular to p, of any length
 * @property {number} across factor of q
 * @property {number} root square root in `across`, not the limb's root; without a triangle: sqrt(h)
 * @property {number} inverse an approximation of 1 / (2 h)
 * @property {Triangle} triangle
 * @property {boolean} ambiguous side and pole do not determine the joint
 */

// --- the triangle -------------------------------------------------------------------------

/**
 * Compute what depends on the two lengths alone.
 * @param {number} r1
 * @param {number} r2
 * @returns {Bones}
 */
export function bones(r1, r2) {
  const difference = exact.twoSum(r1, -r2);
  const four = exact.twoProduct(exact.split(4 * r1), exact.split(r2));
  return { r1, difference, four, maximumReach: r1 + r2, minimumReach: magnitude(difference[0]) };
}

/**
 * Return the squares of the components of a target, as pairs.
 * @param {number[]} p
 * @returns {number[][]}
 */
export function squares(p) {
  return p.map((part) => exact.twoSquare(exact.split(part)));
}

/**
 * Return the pairs `h` and `b`, with an error of 2^-104 h.
 *
 * This is accurate enough unless the first bone is thin; see `fineGap`.
 * @param {number[][]} squared
 * @param {number[]} difference
 * @returns {number[][]}
 */
export function gap(squared, difference) {
  const [f, fLow] = difference;
  const [ff, ffLow] = exact.twoSquare(exact.split(f));
  const [h, hLow] = exact.sumOfPairs(squared);
  const [b, lost] = exact.twoSum(h, -ff);
  const bLow = lost + (hLow - (ffLow + 2 * (f * fLow)));
  return [[h, hLow], exact.fastTwoSum(b, bLow)];
}

/**
 * Return the same as `gap` with an error of 2^-158 h, as a thin first bone requires.
 * @param {number[][]} squared
 * @param {number[]} difference
 * @returns {number[][]}
 */
export function fineGap(squared, difference) {
  const [f, fLow] = difference;
  const [ff, ffLow] = exact.twoSquare(exact.split(f));
  const [fe, feLow] = exact.twoProduct(exact.split(2 * f), exact.split(fLow));
  const [h, hLow] = exact.sumOfPairs(squared);
  let [[total, low], ...rest] = squared;
  const words = [low];
  /** @type {number} */
  let lost;
  for (const [square, squareLow] of rest) {
    [total, lost] = exact.twoSum(total, square);
    words.push(squareLow, lost);
  }
  [total, lost] = exact.twoSum(total, -ff);
  words.push(lost, -ffLow, -fe);
  const [b, bLow] = exact.sumOfWords(total, words, -(feLow + fLow * fLow));
  return [[h, hLow], exact.twoSum(b, bLow)];
}

/**
 * Compute the triangle from the pairs `h` and `b`; the latter is `gap`.
 *
 * `near` is the unit of the target over that of the longer bone, `thin` the unit of the longer
 * bone over that of the first one, both powers of two. `h` and `bones.difference` are in units of
 * the target, `bones.maximumReach` and `bones.minimumReach` in units of the longer bone.
 * @param {number[]} h
 * @param {number[]} gap
 * @param {Bones} bones
 * @param {number} [near]
 * @param {number} [thin]
 * @returns {Triangle}
 */
export function triangle(h, gap, bones, near = 1, thin = 1) {
  const [f, fLow] = bones.difference;
  const [four, fourLow] = bones.four;
  // A target beyond an edge by at most 4 eps of its radius (8 eps of its square) is REACHED.
  const small = gap[0] < -8 * FLOAT64.eps * (f * f);
  const b = thin * gap[0];
  const bLow = thin * gap[1];
  const square = near * near;
  const [left, lost] = exact.twoSum(four, -(square * b));
  const [a, aLow] = exact.fastTwoSum(left, lost + (fourLow - square * bLow));
  const large = a < -8 * FLOAT64.eps * (bones.maximumReach * bones.maximumReach) * thin;
  const [c, cLow] = exact.twoProduct(exact.split(2 * bones.r1), exact.split(f));
  const w = [c + near * b, near * bLow + (cLow + 2 * (bones.r1 * fLow))];
  const extended = a <= 0;
  const one = f * 0 + 1;
  const straight = extended || f >= 0 ? one : -one;
  const edge = extended ? bones.maximumReach : bones.minimumReach;
  const met = a >= 0 && b >= 0;
  const sound = [met ? b : 1, met ? bLow : 0];
  const area = exact.productOfPairs([a, aLow], sound);
  const inside = met && area[0] > FLOAT64.speck * (h[0] * (bones.r1 * bones.r1));
  return {
    h,
    w,
    area,
    inside,
    met,
    tooFar: large,
    tooNear: small,
    straight,
    r1: bones.r1,
    edge,
    a: [a, aLow],
    b: [b, bLow],
  };
}

// --- the solution in its plane ------------------------------------------------------------

/**
 * Return the solution in the plane: `q = perp(p)`, `q.q = h`; side +1 bends to the left.
 * @param {number[]} p
 * @param {Triangle} triangle
 * @param {number} side
 * @returns {Solution}
 */
export function solveInPlane(p, triangle, side) {
  const [px, py] = p;
  const root = rootOf(triangle, triangle.area[0] + triangle.area[1]);
  const double = twice(triangle.h);
  const inverse = 1 / double[0];
  const across = exact.quotientOfPairs([root, root * 0], double, inverse);
  return { p, q: [-side * py, side * px], across, root, inverse, triangle, ambiguous: triangle.h[0] < 0 };
}

/**
 * Return the solution in space; side +1 bends along `m`, perpendicular to `p`.
 *
 * `x = w / (2 h) p + sqrt(a b / (4 h m.m)) m`, for `m` of any length. Both quotients use the same
 * division.
 * @param {number[]} p
 * @param {number[]} m
 * @param {Triangle} triangle
 * @param {number} side
 * @returns {Solution}
 */
export function solveInSpace(p, m, triangle, side) {
  const mm = exact.sumOfPairs(squares(m));
  const below = exact.productOfPairs(triangle.h, mm);
  const double = triangle.h[0] + triangle.h[0];
  const both = 1 / (double * below[0]);
  const root = rootOf(triangle, exact.quotientOfPairs(triangle.area, below, both * double));
  const q = m.map((part) => side * part);
  return { p, q, across: 0.5 * root, root, inverse: both * below[0], triangle, ambiguous: triangle.h[0] < 0 };
}

/**
 * Return the square root of `under`, or of `h` where there is no triangle.
 * @param {Triangle} triangle
 * @param {number} under
 * @returns {number}
 */
export function rootOf(triangle, under) {
  return Math.sqrt(triangle.inside ? under : triangle.h[0] + triangle.h[1]);
}

/**
 * Return the joint `w / (2 h) p + across q` for a pair `w`.
 * @param {Solution} solution
 * @param {number[]} w
 * @returns {number[]}
 */
export function place(solution, w) {
  const along = exact.quotientOfPairs(w, twice(solution.triangle.h), solution.inverse);
  const across = solution.triangle.inside ? solution.across : 0;
  return solution.p.map((p, i) => along * p + across * solution.q[i]);
}

/**
 * Return the `w` that keeps the length of the first bone where there is no triangle.
 * @param {Solution} solution
 * @returns {number[]}
 */
export function straightAlong(solution) {
  const w = 2 * solution.triangle.straight * solution.triangle.r1 * solution.root;
  return [w, w * 0];
}

/**
 * Return a pair times 2.
 * @param {number[]} pair
 * @returns {number[]}
 */
export function twice(pair) {
  return [pair[0] + pair[0], pair[1] + pair[1]];
}

/**
 * Return `m = h pole - (p.pole) p`, perpendicular to `p`; each component is rounded once.
 * @param {number[]} p
 * @param {number[]} pole
 * @param {number[]} h
 * @returns {number[]}
 */
export function towards(p, pole, h) {
  const splitP = p.map((part) => exact.split(part));
  const splitPole = pole.map((part) => exact.split(part));
  const products = splitP.map((a, i) => exact.twoProduct(a, splitPole[i]));
  const [d, dLow] = exact.sumOfPairs(products);
  const splitH = exact.split(h[0]);
  const splitD = exact.split(d);
  return splitPole.map((part, i) => rejected(part, splitP[i], splitH, splitD, h[1], dLow));
}

/**
 * Return `h part - d along`, for pairs `h` and `d`, rounded once.
 * @param {Split} part
 * @param {Split} along
 * @param {Split} h
 * @param {Split} d
 * @param {number} hLow
 * @param {number} dLow
 * @returns {number}
 */
export function rejected(part, along, h, d, hLow, dLow) {
  const [u, uLow] = exact.twoProduct(part, h);
  const [v, vLow] = exact.twoProduct(along, d);
  const [s, lost] = exact.twoSum(u, -v);
  return s + (lost + (uLow - vLow + (part.whole * hLow - along.whole * dLow)));
}

/**
 * Return the dot product in working precision.
 * @param {number[]} u
 * @param {number[]} v
 * @returns {number}
 */
export function dot(u, v) {
  let [first, ...rest] = u.map((a, i) => a * v[i]);
  for (const product of rest) {
    first = first + product;
  }
  return first;
}

/**
 * Return whether the pole is zero or within 4 eps of the line through root and target.
 * @param {number[]} m
 * @param {number[]} h
 * @param {number[]} pole
 * @returns {boolean}
 */
export function isAlong(m, h, pole) {
  return dot(m, m) <= 16 * FLOAT64.eps * FLOAT64.eps * (h[0] * h[0] * dot(pole, pole));
}

/**
 * Return the coordinate axis along which `v` is smallest, the first of equals.
 * @param {number[]} v
 * @returns {number[]}
 */
export function leastAxis(v) {
  const [first, second] = isLeast(v);
  const zero = magnitude(v[0]) * 0;
  const one = zero + 1;
  return [first ? one : zero, first ? zero : second ? one : zero, first ? zero : second ? zero : one];
}

/**
 * Return `v x e`, where `e` is the `leastAxis` of `v`.
 * @param {number[]} v
 * @returns {number[]}
 */
export function crossLeastAxis(v) {
  const [x, y, z] = v;
  const [first, second] = isLeast(v);
  const zero = x * 0;
  return [first ? zero : second ? -z : y, first ? z : second ? zero : -x, first ? -y : second ? x : zero];
}

/**
 * Return whether the first component is smallest, and otherwise whether the second is.
 * @param {number[]} v
 * @returns {boolean[]}
 */
export function isLeast(v) {
  const [x, y, z] = v.map((part) => magnitude(part));
  return [x <= y && x <= z, y <= z];
}

// --- ordinary limbs, without scaling ------------------------------------------------------

/**
 * Solve limbs for which `isEasyInPlane` holds; `findGap` is `gap` or `fineGap`.
 * @param {number[]} p
 * @param {number} r1
 * @param {number} r2
 * @param {number} side
 * @param {((a: number[][], b: number[]) => number[][])} [findGap]
 * @returns {Solution}
 */
export function easyLimbInPlane(p, r1, r2, side, findGap = gap) {
  const prepared = bones(r1, r2);
  const [h, b] = findGap(squares(p), prepared.difference);
  return solveInPlane(p, triangle(h, b, prepared), side);
}

/**
 * Solve limbs for which `isEasyInSpace` holds, except where the result is `ambiguous`.
 * @param {number[]} p
 * @param {number} r1
 * @param {number} r2
 * @param {number} side
 * @param {number[]} pole
 * @param {((a: number[][], b: number[]) => number[][])} [findGap]
 * @returns {Solution}
 */
export function easyLimbInSpace(p, r1, r2, side, pole, findGap = gap) {
  const prepared = bones(r1, r2);
  const [h, b] = findGap(squares(p), prepared.difference);
  let m = towards(p, pole, h);
  const along = isAlong(m, h, pole);
  m = along ? m.map(() => 1) : m;
  const found = triangle(h, b, prepared);
  return { ...solveInSpace(p, m, found, side), ambiguous: along };
}

/**
 * Return whether limbs are finite and accurate without scaling.
 * @param {number[]} p
 * @param {number} r1
 * @param {number} r2
 * @param {number} side
 * @returns {boolean}
 */
export function isEasyInPlane(p, r1, r2, side) {
  return isEasy(p, r1, r2, side, FLOAT64.planeSize, FLOAT64.planePart, FLOAT64.thick);
}

/**
 * Return the same in space, except that a pole along the target direction is not detected.
 * @param {number[]} p
 * @param {number} r1
 * @param {number} r2
 * @param {number} side
 * @param {number[]} pole
 * @returns {boolean}
 */
export function isEasyInSpace(p, r1, r2, side, pole) {
  const finePole = isEasyVector(pole, FLOAT64.spaceSize, FLOAT64.spacePart);
  return finePole && isEasy(p, r1, r2, side, FLOAT64.spaceSize, FLOAT64.spacePart, FLOAT64.thick);
}

/**
 * Return whether target and bones have moderate sizes and the first bone is not thin.
 * @param {number[]} p
 * @param {number} r1
 * @param {number} r2
 * @param {number} side
 * @param {number} size
 * @param {number} part
 * @param {number} thick
 * @returns {boolean}
 */
export function isEasy(p, r1, r2, side, size, part, thick) {
  const small = 1 / size;
  const sound = thick * r1 >= r2 && side * side === 1;
  const moderate = r1 >= small && r1 <= size && r2 >= small && r2 <= size;
  return sound && moderate && isEasyVector(p, size, part);
}

/**
 * Return whether the largest component is moderate and none is tiny but nonzero.
 * @param {number[]} v
 * @param {number} size
 * @param {number} part
 * @returns {boolean}
 */
export function isEasyVector(v, size, part) {
  const sizes = v.map((each) => magnitude(each));
  let good = largest(sizes) >= 1 / size;
  for (const each of sizes) {
    good = good && each <= size && (each >= 1 / part || each === 0);
  }
  return good;
}

// --- scalar functions ---------------------------------------------------------------------

/**
 * Return `|v|`.
 * @param {number} v
 * @returns {number}
 */
export function magnitude(v) {
  return v < 0 ? -v : v;
}

/**
 * Return the smaller of two numbers.
 * @param {number} u
 * @param {number} v
 * @returns {number}
 */
export function least(u, v) {
  return u < v ? u : v;
}

/**
 * Return the larger of two numbers.
 * @param {number} u
 * @param {number} v
 * @returns {number}
 */
export function greatest(u, v) {
  return u > v ? u : v;
}

/**
 * Return the largest of several numbers.
 * @param {number[]} sizes
 * @returns {number}
 */
export function largest(sizes) {
  let [first, ...rest] = sizes;
  for (const size of rest) {
    first = greatest(first, size);
  }
  return first;
}
