// The formulas of the policies: each maps a `Fit`, which holds the distance of the end, to another.
//
// The code is pure, as in `formula.py`. What a policy is called, and which parameters it takes, is in
// `policies.py`.
//
// Printed from core/easing.py by `python tools/generate.py`: do not edit.

import { FLOAT64 } from "./exact.js";
import * as fitting from "./fitting.js";
import * as formula from "./formula.js";

/** @typedef {import("./fitting.js").Fit} Fit */
/** @typedef {import("./scaling.js").ReachableRange} ReachableRange */

/**
 * A policy that is chosen by a string; implemented in `answer.py`.
 * @typedef {object} Named
 * @property {string} word
 * @property {boolean} gives the bones change length: joint at the foot point, end at the target
 * @property {boolean} signals NaN where the target is not reached
 * @property {boolean} raises
 * @property {boolean} fits a policy object, with a method `fit`
 * @property {boolean} perRow some parameters are arrays
 */

/**
 * Squared sine and cosine of half a joint angle.
 * @typedef {object} HalfAngle
 * @property {number} sin2
 * @property {number} cos2
 */

/**
 * Clamp the end to the reachable range.
 * @param {Fit} fit
 * @returns {Fit}
 */
export function keepWithin(fit) {
  const over = fit.far < 0;
  const under = fit.near < 0;
  return {
    ...fit,
    far: over ? 0 : under ? fit.width : fit.far,
    near: over ? fit.width : under ? 0 : fit.near,
    moved: fit.moved || over || under,
  };
}

/**
 * Approach the edges of the reachable range smoothly.
 * @param {Fit} fit
 * @param {number} softness
 * @returns {Fit}
 */
export function soft(fit, softness) {
  const half = 0.5 * fit.width;
  const [far, slow] = ease(fit, fit.far, formula.least(softness * fit.outer, half));
  const [near, fast] = ease(fit, fit.near, formula.least(softness * fit.inner, half));
  return {
    ...fit,
    far: fast ? fit.width - near : far,
    near: slow ? fit.width - far : near,
    moved: fit.moved || slow || fast,
  };
}

/**
 * Return the difference to an edge after easing, and where easing changed it.
 * @param {Fit} fit
 * @param {number} left
 * @param {number} zone
 * @returns {[number, boolean]}
 */
export function ease(fit, left, zone) {
  const eased = left < zone && zone > 0;
  let inside = eased ? left + zone : 0;
  inside = (inside > 0 ? inside : 0) / fit.fine; // gradients square the zone
  const curve = inside * inside / (4 * (zone > 0 ? zone / fit.fine : 1)) * fit.fine;
  return [eased ? curve : left, eased];
}

/**
 * Stretch both bones in proportion to reach a far target, up to a limit, then clamp.
 *
 * A distance capped at `fitting.farthest` exceeds any finite limit: `farthest` is that distance,
 * or infinite where there is no limit.
 * @param {Fit} fit
 * @param {number} limit
 * @param {number} farthest
 * @returns {Fit}
 */
export function stretch(fit, limit, farthest) {
  fit = keepWithin(fit);
  const d = fitting.endDistance(fit);
  // An end at the root stays there.
  const short = fit.moved && d < fit.distance && d > FLOAT64.near;
  const factor = (short ? fit.distance : 1) / (short ? d : 1);
  const met = short && factor <= limit && fit.distance < farthest;
  return { ...fit, stretch: short && !met ? limit : fit.stretch, met };
}

/**
 * Keep the joint angle between two angles, by narrowing the reachable range.
 * @param {Fit} fit
 * @param {HalfAngle} least
 * @param {HalfAngle} greatest
 * @returns {Fit}
 */
export function narrow(fit, least, greatest) {
  const reachable = fit.reachable;
  const four = 4 * reachable.r1 * reachable.r2;
  // An earlier policy may have narrowed the range already: the narrower edges apply.
  const outerRest = formula.greatest(four * greatest.cos2, fit.outerRest);
  const outerOver = formula.least(four * greatest.sin2, fit.outerOver);
  const innerRest = formula.greatest(four * least.sin2, fit.innerRest);
  const innerUnder = formula.least(four * least.cos2, fit.innerUnder);
  const lower = outerRest > fit.outerRest || outerOver < fit.outerOver;
  const higher = innerRest > fit.innerRest || innerUnder < fit.innerUnder;
  const outer = lower ? edge(reachable, outerOver, outerRest) : fit.outer;
  const inner = higher ? edge(reachable, innerRest, innerUnder) : fit.inner;
  // The edges move by a difference of squares over a sum, from the smaller squares of the two
  // representations: no cancellation.
  const hardlyOpens = outerOver < outerRest;
  const hardlyCloses = innerUnder < innerRest;
  let less = hardlyOpens ? fit.outerOver - outerOver : outerRest - fit.outerRest;
  let more = hardlyCloses ? fit.innerUnder - innerUnder : innerRest - fit.innerRest;
  less = less / positive(fit.outer + outer);
  more = more / positive(fit.inner + inner);
  const square = hardlyOpens ? outerOver - innerRest : innerUnder - outerRest;
  let width = formula.greatest(square, 0) / positive(outer + inner);
  width = lower || higher ? width : fit.width;
  // The difference to the nearer edge is the more accurate one; the other follows from it.
  const low = fit.near < fit.far;
  const far = fit.far - less;
  const near = fit.near - more;
  return {
    ...fit,
    far: low ? width - near : far,
    near: low ? near : width - far,
    outer,
    inner,
    width,
    outerRest,
    outerOver,
    innerRest,
    innerUnder,
  };
}

/**
 * Return an edge: its square is minimum reach^2 + over, and maximum reach^2 - under.
 * @param {ReachableRange} reachable
 * @param {number} over
 * @param {number} under
 * @returns {number}
 */
export function edge(reachable, over, under) {
  const inner = reachable.inner[0];
  const outer = reachable.outer[0];
  const square = over < under ? inner * inner + over : outer * outer - under;
  return square > 0 ? Math.sqrt(positive(square)) : 0;
}

/**
 * Return `v`, or 1 where it is not positive, for use under a root or as a divisor.
 * @param {number} v
 * @returns {number}
 */
export function positive(v) {
  return v > 0 ? v : 1;
}
