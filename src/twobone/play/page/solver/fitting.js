// Fit: place the end of a limb at the distance that a policy chooses.
//
// Lengths are in units of the longer bone. The code is pure, as in `formula.py`.
//
// Printed from core/fitting.py by `python tools/generate.py`: do not edit.

import * as exact from "./exact.js";
import { FLOAT64 } from "./exact.js";
import * as formula from "./formula.js";

/** @typedef {import("./scaling.js").ReachableRange} ReachableRange */
/** @typedef {import("./scaling.js").ScaledSolution} ScaledSolution */

/**
 * The distance from root to end along the target direction, in units of the longer bone.
 *
 * The distance is stored as its differences `far` and `near` to both edges of the reachable
 * range, because near an edge the joint moves as the square root of that difference. A policy
 * may narrow the range: `outer` and `inner` are its edges, `r1 + r2` and `|r1 - r2|` the maximum
 * and minimum reach of the bones. The distance of each edge from both of these is stored as a
 * difference of squares. One of the two could be computed from the other, but digits would cancel
 * if the joint can hardly open or hardly close.
 * @typedef {object} Fit
 * @property {number} distance from root to target, unchanged by policies
 * @property {number} far outer - distance of the end
 * @property {number} near distance of the end - inner
 * @property {number} outer
 * @property {number} inner
 * @property {number} width outer - inner
 * @property {number} outerRest (r1 + r2)^2 - outer^2
 * @property {number} outerOver outer^2 - (r1 - r2)^2
 * @property {number} innerRest inner^2 - (r1 - r2)^2
 * @property {number} innerUnder (r1 + r2)^2 - inner^2
 * @property {number} stretch factor on both bones where not `met`
 * @property {boolean} moved a policy changed the distance or the bones
 * @property {boolean} met `moved`, but the bones stretch so that the end meets the target
 * @property {ReachableRange} reachable of the bones, before any policy
 * @property {number} unit the unit of the longer bone, a power of two
 * @property {number} fine largest power of two that is at most the width
 */

/**
 * Return the `Fit` before any policy, with differences computed in double words.
 * @param {ScaledSolution} scaled
 * @returns {Fit}
 */
export function fitTarget(scaled) {
  const solution = scaled.solution;
  const units = scaled.units;
  const reachable = scaled.reachable;
  const [h, low] = exact.sumOfPairs(formula.squares(solution.p));
  const root = Math.sqrt(h);
  const [square, squareLow] = exact.twoSquare(exact.split(root));
  const rootLow = (h - square + (low - squareLow)) / (root + root);
  let unit = formula.least(units.target / units.longer, farthest());
  unit = units.atRoot ? 0 : unit;
  const d = root * unit;
  const dLow = rootLow * unit;
  const zero = d * 0;
  const four = 4 * reachable.r1 * reachable.r2 + zero;
  return {
    distance: d,
    far: pairDifference(reachable.outer, [d, dLow]),
    near: pairDifference([d, dLow], reachable.inner),
    outer: reachable.outer[0] + zero,
    inner: reachable.inner[0] + zero,
    width: reachable.width + zero,
    outerRest: zero,
    outerOver: four,
    innerRest: zero,
    innerUnder: four,
    stretch: zero + 1,
    moved: zero > 0,
    met: zero > 0,
    reachable,
    unit: units.longer,
    fine: exact.powerOfTwo(reachable.width > 0 ? reachable.width : 1),
  };
}

/**
 * Return the largest distance that does not overflow, in units of the longer bone.
 * @returns {number}
 */
export function farthest() {
  return 0.25 * FLOAT64.largest;
}

/**
 * Return `u - v` of two pairs, rounded once.
 * @param {number[]} u
 * @param {number[]} v
 * @returns {number}
 */
export function pairDifference(u, v) {
  const [high, lost] = exact.twoSum(u[0], -v[0]);
  return high + (lost + (u[1] - v[1]));
}

/**
 * Return the distance from root to end before the bones stretch.
 * @param {Fit} fit
 * @returns {number}
 */
export function endDistance(fit) {
  return fit.far < fit.near ? fit.outer - fit.far : fit.inner + fit.near;
}

/**
 * Return the joint and the end of a limb whose end is at the distance of a `Fit`.
 *
 * Both bones are scaled by `stretch`, or, where `met`, so that the end meets the target.
 * @param {ScaledSolution} scaled
 * @param {Fit} fit
 * @returns {number[][]}
 */
export function limbAt(scaled, fit) {
  let [joint, length, safe] = bent(scaled, fit);
  joint = asLongAs(joint, scaled.reachable.r1 * scaled.units.thin);
  return stretched(scaled, fit, joint, length, safe);
}

/**
 * Return the joint in units of the first bone, before the bones stretch.
 *
 * The formula is that of `formula.py`, with `a` and `b` from the differences to the edges. Return
 * also the length of the scaled target, and the distance of the end, or 1 where it is at the root.
 * @param {ScaledSolution} scaled
 * @param {Fit} fit
 * @returns {[number[], number, number]}
 */
export function bent(scaled, fit) {
  const solution = scaled.solution;
  const units = scaled.units;
  const reachable = scaled.reachable;
  const a = fit.outerRest + fit.far * (2 * fit.outer - fit.far);
  const b = fit.innerRest + fit.near * (2 * fit.inner + fit.near);
  const w = b + 2 * (reachable.r1 * reachable.difference[0]);
  const d = endDistance(fit);
  const apart = d > FLOAT64.near || d !== d; // d is NaN where a policy returned NaN
  const safe = apart ? d : 1;
  let along = apart ? w / (safe + safe) : 0;
  // With the end at the root, the first bone is perpendicular to the target direction:
  // a = 4 r1^2, b / d^2 = 1.
  const bends = a > 0 && (b > 0 || d <= FLOAT64.near);
  const root = Math.sqrt(bends ? a : 1) * Math.sqrt(bends && apart ? b : 1);
  let across = bends ? root / (safe + safe) : 0;
  const length = Math.sqrt(formula.dot(solution.p, solution.p));
  const toP = 1 / length;
  const toQ = 1 / Math.sqrt(formula.dot(solution.q, solution.q));
  along = along * units.thin * toP;
  across = across * units.thin * toQ;
  const joint = solution.p.map((p, i) => along * p + across * solution.q[i]);
  return [joint, length, safe];
}

/**
 * Return joint and end after the bones stretch; the arguments are what `bent` returns.
 * @param {ScaledSolution} scaled
 * @param {Fit} fit
 * @param {number[]} joint
 * @param {number} length
 * @param {number} safe
 * @returns {number[][]}
 */
export function stretched(scaled, fit, joint, length, safe) {
  const solution = scaled.solution;
  const units = scaled.units;
  const d = endDistance(fit);
  const toP = 1 / length;
  // This order of products avoids overflow and underflow.
  const factor = fit.met ? length / safe / units.thin : 1;
  const unit = fit.met ? units.target : units.first;
  const end = solution.p.map((p) => d * toP * p * units.longer * fit.stretch);
  return [joint.map((part) => part * factor * unit * fit.stretch), end];
}

/**
 * Correct a vector whose length is `length` to rounding, to nearly full accuracy.
 * @param {number[]} v
 * @param {number} length
 * @returns {number[]}
 */
export function asLongAs(v, length) {
  const [vv, low] = exact.sumOfPairs(formula.squares(v));
  const [square, squareLow] = exact.twoSquare(exact.split(length));
  const sound = square > 0;
  let excess = (vv - square + (low - squareLow)) / (sound ? square + square : 1);
  excess = sound ? excess : 0;
  return v.map((part) => part - excess * part);
}
