// Scaling: solve limbs of any size, detect invalid rows, and resolve ambiguous ones.
//
// Target, longer bone and first bone each have their own power of two as a unit, because their sizes
// may differ by any factor: bones of 1e-300 and 1e300, or a target of 1e-30 for bones of 1. Scaling
// by a power of two is exact. The code is pure, as in `formula.py`.
//
// Printed from core/scaling.py by `python tools/generate.py`: do not edit.

import * as exact from "./exact.js";
import { FLOAT64 } from "./exact.js";
import * as formula from "./formula.js";

/** @typedef {import("./formula.js").Bones} Bones */
/** @typedef {import("./formula.js").Solution} Solution */
/** @typedef {import("./formula.js").Triangle} Triangle */

/**
 * The powers of two in which a limb is measured, and where they had to be bounded.
 * @typedef {object} Units
 * @property {number} target unit of the target
 * @property {number} longer unit of the longer bone
 * @property {number} first unit of the first bone
 * @property {number} distance target / longer, within bounds that do not change the answer
 * @property {number} near the same, at most 8
 * @property {number} thin longer / first, at most t.thin
 * @property {boolean} atRoot the target is at the root
 */

/**
 * Targets so far out of reach that `Units.near` or r1 - r2 was bounded.
 * @typedef {object} FarOutside
 * @property {boolean} there
 * @property {number} along w / (2 h) there, for a joint in units of the target
 */

/**
 * The reachable range: distances from root to target that can be reached.
 *
 * In units of the longer bone.
 * @typedef {object} ReachableRange
 * @property {number[]} outer r1 + r2
 * @property {number[]} inner |r1 - r2|
 * @property {number} width outer - inner, twice the shorter bone
 * @property {number} r1
 * @property {number} r2
 * @property {number[]} difference r1 - r2
 */

/**
 * The solution of any limb before the policy, and the units in which it was computed.
 * @typedef {object} ScaledSolution
 * @property {Solution} solution
 * @property {Units} units
 * @property {ReachableRange} reachable
 * @property {FarOutside} outside
 * @property {boolean} isAlong the pole is along the target direction, so an axis replaces it
 */

/**
 * Return whether all values are finite, lengths not negative, and the side +1 or -1.
 * @param {number[]} p
 * @param {number} r1
 * @param {number} r2
 * @param {number} side
 * @param {number[]} pole
 * @returns {boolean}
 */
export function isValid(p, r1, r2, side, pole) {
  let good = r1 >= 0 && r1 <= FLOAT64.largest && r2 >= 0 && r2 <= FLOAT64.largest;
  good = good && side * side === 1;
  for (const part of [...p, ...pole]) {
    good = good && formula.magnitude(part) <= FLOAT64.largest;
  }
  return good;
}

/**
 * Solve any valid limb; `pole` is () in the plane and a vector in space.
 * @param {number[]} p
 * @param {number} r1
 * @param {number} r2
 * @param {number} side
 * @param {number[]} pole
 * @returns {ScaledSolution}
 */
export function anyLimb(p, r1, r2, side, pole) {
  pole = inUnitsOfItsOwn(pole);
  const size = largestPart(p);
  const atRoot = size === 0;
  if (atRoot) {
    const beginning = start(p, pole);
    p = atRoot ? beginning : p;
  }
  const target = exact.powerOfTwo(largestPart(p));
  p = p.map((part) => part / target);
  const [units, reachable] = scale(target, atRoot, r1, r2);
  const prepared = scaledBones(units, reachable, r1);
  const seen = p.map((part) => withoutTiny(part, FLOAT64.faint));
  const [h, b] = formula.fineGap(formula.squares(seen), prepared.difference);
  let triangle = formula.triangle(h, b, prepared, units.near, units.thin);
  // A target at the root is never too far, and the joint is exactly perpendicular to the
  // direction taken for it.
  const lies = atRoot && triangle.inside;
  triangle = {
    ...triangle,
    tooFar: triangle.tooFar && size > 0,
    w: [lies ? 0 : triangle.w[0], lies ? 0 : triangle.w[1]],
  };
  let solution = solveAnywhere(p, pole, triangle, side);
  const isAlong = solution.ambiguous;
  solution = { ...solution, ambiguous: triangle.inside && (atRoot || isAlong) };
  const outside = farOutside(p, units, reachable, prepared);
  return { solution, units, reachable, outside, isAlong };
}

/**
 * Return the solution; in space, replace a pole along the target direction by an axis.
 * @param {number[]} p
 * @param {number[]} pole
 * @param {Triangle} triangle
 * @param {number} side
 * @returns {Solution}
 */
export function solveAnywhere(p, pole, triangle, side) {
  if (pole.length === 0) return formula.solveInPlane(p, triangle, side);
  let m = formula.towards(p, pole, triangle.h);
  const along = formula.isAlong(m, triangle.h, pole);
  if (along) {
    const other = formula.towards(p, formula.leastAxis(p), triangle.h);
    m = along ? other : m;
  }
  return { ...formula.solveInSpace(p, m, triangle, side), ambiguous: along };
}

/**
 * Return the direction taken for a target at the root: +x, or perpendicular to the pole.
 * @param {number[]} p
 * @param {number[]} pole
 * @returns {number[]}
 */
export function start(p, pole) {
  const one = p[0] * 0 + 1;
  if (pole.length === 0) return [one, one * 0];
  const away = formula.crossLeastAxis(pole);
  const none = largestPart(pole) === 0;
  const onX = [one, one * 0, one * 0];
  return none ? onX : away;
}

/**
 * Scale a vector by a power of two so that its largest component is in [1, 2), or 0.
 *
 * Components that are tiny compared with the largest become 0. `()` stays `()`.
 * @param {number[]} pole
 * @returns {number[]}
 */
export function inUnitsOfItsOwn(pole) {
  if (pole.length === 0) return [];
  const size = largestPart(pole);
  const unit = exact.powerOfTwo(size > 0 ? size : 1);
  const scaled = pole.map((part) => part / unit);
  return scaled.map((part) => withoutTiny(part, FLOAT64.flush));
}

/**
 * Return the magnitude of the largest component of a vector.
 * @param {number[]} v
 * @returns {number}
 */
export function largestPart(v) {
  return formula.largest(v.map((part) => formula.magnitude(part)));
}

/**
 * Return `v`, or 0 where its magnitude is below `least`.
 *
 * The value is subtracted, not replaced by 0, so that the derivative with respect to `v` remains
 * 1, as for every other component.
 * @param {number} v
 * @param {number} least
 * @returns {number}
 */
export function withoutTiny(v, least) {
  return v - (formula.magnitude(v) < least ? v : 0);
}

/**
 * Choose powers of two as units, and return them and the reachable range.
 *
 * Ratios too extreme to change the answer are bounded, so that nothing overflows.
 * @param {number} target
 * @param {boolean} atRoot
 * @param {number} r1
 * @param {number} r2
 * @returns {[Units, ReachableRange]}
 */
export function scale(target, atRoot, r1, r2) {
  let longerBone = formula.greatest(r1, r2);
  longerBone = longerBone > 0 ? longerBone : 1;
  const longer = exact.powerOfTwo(longerBone);
  const first = exact.powerOfTwo(r1 > 0 ? r1 : longerBone);
  const thin = formula.least(longer / first, FLOAT64.thin);
  let distance = formula.greatest(formula.least(target / longer, 1 / FLOAT64.near), FLOAT64.near);
  distance = atRoot ? FLOAT64.near : distance;
  const near = formula.least(distance, 8);
  r1 = r1 / first / thin;
  r2 = r2 / longer;
  r2 = withoutTiny(r2, FLOAT64.flush);
  const outer = exact.twoSum(r1, r2);
  const [difference, low] = exact.twoSum(r1, -r2);
  const inner = [formula.magnitude(difference), difference < 0 ? -low : low];
  const reachable = { outer, inner, width: 2 * formula.least(r1, r2), r1, r2, difference: [difference, low] };
  return [{ target, longer, first, distance, near, thin, atRoot }, reachable];
}

/**
 * Return the bones in the units that `triangle` expects, with a bounded `r1 - r2`.
 * @param {Units} units
 * @param {ReachableRange} reachable
 * @param {number} r1
 * @returns {Bones}
 */
export function scaledBones(units, reachable, r1) {
  r1 = r1 / units.first;
  // With the target at the root, the derivative of this quotient is too large for a float.
  const [f, fLow] = reachable.difference.map((part) => (units.atRoot ? part : part) / units.near);
  const tame = formula.magnitude(f) < 8;
  const bounded = f < 0 ? f * 0 - 8 : 8;
  const difference = [tame ? f : bounded, tame ? fLow : 0];
  const four = exact.twoProduct(exact.split(4 * r1), exact.split(reachable.r2));
  return { r1, difference, four, maximumReach: reachable.outer[0], minimumReach: reachable.inner[0] };
}

/**
 * Return which targets are `FarOutside`, and `along` from a formula that cannot overflow.
 * @param {number[]} p
 * @param {Units} units
 * @param {ReachableRange} reachable
 * @param {Bones} bones
 * @returns {FarOutside}
 */
export function farOutside(p, units, reachable, bones) {
  const there = units.distance > 4 || formula.magnitude(bones.difference[0]) > 4;
  const far = units.distance;
  const along = 0.5 + 0.5 * (reachable.difference[0] / far * (reachable.outer[0] / far) / formula.dot(p, p));
  return { there, along };
}
