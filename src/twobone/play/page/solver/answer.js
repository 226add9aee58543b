// Solve one block of targets with arrays of any library, and apply a policy.
//
// `easy` solves ordinary limbs without scaling; `plain` solves every limb, and `fitted` moves the end
// to the distance that a policy object chose (`blocks.any` does both). They are accurate where
// `is_easy` holds, but their last bits may differ. All engines therefore use `is_easy` to choose
// between them row by row, which gives the same bits in all engines. float32 limbs that are not easy
// but are easy as float64 (`exact.WIDE`) are solved so, and rounded. A status is a float here,
// because not every library supports `where` with integers. The code is pure, as in `formula.py`.
//
// Printed from core/answer.py by `python tools/generate.py`: do not edit.

import { keepWithin } from "./easing.js";
import { FLOAT64 } from "./exact.js";
import * as fitting from "./fitting.js";
import * as formula from "./formula.js";
import * as scaling from "./scaling.js";

/** @typedef {import("./easing.js").Named} Named */
/** @typedef {import("./fitting.js").Fit} Fit */
/** @typedef {import("./formula.js").Solution} Solution */
/** @typedef {import("./scaling.js").ScaledSolution} ScaledSolution */

export const NAN = NaN;

export const REACHED = 0;
export const TOO_FAR = 1;
export const TOO_NEAR = 2;
export const AMBIGUOUS = 3;
export const INVALID = 4; // as in `Status`

export const CLAMP = { word: "clamp", gives: false, signals: false, raises: false, fits: false, perRow: false };

/**
 * Limbs to solve: vectors as tuples of components, and lengths; all arrays broadcast.
 * @typedef {object} Targets
 * @property {number[]} p
 * @property {number} r1
 * @property {number} r2
 * @property {number} side
 * @property {number[]} pole () in the plane
 */

/**
 * The joint, the end and the status.
 * @typedef {object} Answer
 * @property {number[]} joint
 * @property {number[]} end
 * @property {number} status
 */

/**
 * The answer of a named policy, and what a policy object needs.
 * @typedef {object} Plain
 * @property {Answer} answer
 * @property {Targets} targets 1 in place of all numbers of invalid rows
 * @property {boolean} valid
 * @property {ScaledSolution} scaled
 */

/**
 * Return where `easy` is valid, except for a pole parallel to the target direction.
 * @param {Targets} targets
 * @returns {boolean}
 */
export function isEasy(targets) {
  const { p, r1, r2, side, pole } = targets;
  if (pole.length > 0) return formula.isEasyInSpace(p, r1, r2, side, pole);
  return formula.isEasyInPlane(p, r1, r2, side);
}

/**
 * Solve easy limbs with a named policy; `findGap` is as in `formula.py`.
 *
 * Return also where the pole is parallel to the target direction: use `plain` there.
 * @param {Targets} targets
 * @param {Named} policy
 * @param {((a: number[][], b: number[]) => number[][])} [findGap]
 * @returns {[Answer, boolean]}
 */
export function easy(targets, policy, findGap = formula.gap) {
  const solution = easySolution(targets, findGap);
  const joint = formula.place(solution, wOf(solution, policy));
  const end = endOf(solution, targets.p, 1, policy);
  const answer = { joint, end, status: statusOf(solution) };
  return [signal(answer, policy), solution.ambiguous];
}

/**
 * Solve easy limbs, before any policy.
 * @param {Targets} targets
 * @param {((a: number[][], b: number[]) => number[][])} findGap
 * @returns {Solution}
 */
export function easySolution(targets, findGap) {
  const { p, r1, r2, side, pole } = targets;
  if (pole.length > 0) return formula.easyLimbInSpace(p, r1, r2, side, pole, findGap);
  return formula.easyLimbInPlane(p, r1, r2, side, findGap);
}

/**
 * Solve any limb with a named policy.
 * @param {Targets} targets
 * @param {Named} policy
 * @returns {Plain}
 */
export function plain(targets, policy) {
  const { p, r1, r2, side, pole } = targets;
  const valid = scaling.isValid(p, r1, r2, side, pole);
  const sound = onlyValid(valid, targets);
  const scaled = scaling.anyLimb(sound.p, sound.r1, sound.r2, sound.side, sound.pole);
  return { answer: named(scaled, sound.p, policy), targets: sound, valid, scaled };
}

/**
 * Return the targets with 1 in place of all numbers of invalid rows.
 * @param {boolean} valid
 * @param {Targets} targets
 * @returns {Targets}
 */
export function onlyValid(valid, targets) {
  return {
    p: valid ? targets.p : targets.p.map(() => 1),
    r1: valid ? targets.r1 : 1,
    r2: valid ? targets.r2 : 1,
    side: valid ? targets.side : 1,
    pole: valid ? targets.pole : targets.pole.map(() => 1),
  };
}

/**
 * Return an answer whose invalid rows are NaN and INVALID.
 * @param {boolean} valid
 * @param {Answer} answer
 * @returns {Answer}
 */
export function marked(valid, answer) {
  return {
    joint: valid ? answer.joint : answer.joint.map(() => NAN),
    end: valid ? answer.end : answer.end.map(() => NAN),
    status: valid ? answer.status : INVALID,
  };
}

/**
 * Apply a named policy.
 * @param {ScaledSolution} scaled
 * @param {number[]} p
 * @param {Named} policy
 * @returns {Answer}
 */
export function named(scaled, p, policy) {
  const solution = scaled.solution;
  const units = scaled.units;
  let joint = formula.place(solution, wOf(solution, policy));
  const end = endOf(solution, p, units.longer, policy);
  if (policy.gives) {
    // Where the bones stretch, the unit of the first bone no longer applies.
    const unit = solution.triangle.inside ? units.first : units.longer / units.thin;
    const outside = scaled.outside.along;
    const along = solution.p.map((part) => outside * part * units.target);
    joint = choose(scaled.outside.there, along, joint.map((part) => part * unit));
    if (units.atRoot && scaled.outside.there) {
      const folded = named(scaled, p, CLAMP).joint;
      joint = choose(units.atRoot && scaled.outside.there, folded, joint);
    }
  } else {
    joint = joint.map((part) => part * units.first);
  }
  return signal({ joint, end, status: statusOf(solution) }, policy);
}

/**
 * Apply a policy object: `chosen` is its `Fit`, `plain` the answer where it moves nothing.
 * @param {ScaledSolution} scaled
 * @param {Fit} chosen
 * @param {number[]} p
 * @param {Answer} plain
 * @returns {Answer}
 */
export function fitted(scaled, chosen, p, plain) {
  const fit = keepWithin(chosen);
  if (!fit.moved) return plain;
  const [joint, end] = fitting.limbAt(scaled, fit);
  const d = fitting.endDistance(fit);
  const slack = 4 * FLOAT64.eps * formula.greatest(fit.inner, d);
  let status = fit.distance - d > slack ? TOO_FAR : plain.status;
  status = d - fit.distance > slack ? TOO_NEAR : status;
  status = d === d ? status : INVALID;
  return {
    joint: choose(fit.moved, joint, plain.joint),
    end: choose(fit.moved, choose(fit.met, p, end), plain.end),
    status: fit.moved ? status : plain.status,
  };
}

/**
 * Return `w`; without a triangle, the value with which the first bone keeps its length.
 * @param {Solution} solution
 * @param {Named} policy
 * @returns {number[]}
 */
export function wOf(solution, policy) {
  const triangle = solution.triangle;
  if (policy.gives) return triangle.w;
  const [w, wLow] = formula.straightAlong(solution);
  return [triangle.inside ? triangle.w[0] : w, triangle.inside ? triangle.w[1] : wLow];
}

/**
 * Return the end of the second bone.
 * @param {Solution} solution
 * @param {number[]} p
 * @param {number} unit
 * @param {Named} policy
 * @returns {number[]}
 */
export function endOf(solution, p, unit, policy) {
  if (policy.gives) return p;
  const triangle = solution.triangle;
  const along = triangle.edge * solution.root / triangle.h[0];
  return choose(triangle.met, p, solution.p.map((part) => along * part * unit));
}

/**
 * Return the status before a policy object.
 * @param {Solution} solution
 * @returns {number}
 */
export function statusOf(solution) {
  const reached = solution.triangle.h[0] * 0;
  let status = solution.ambiguous ? reached + AMBIGUOUS : reached;
  status = solution.triangle.tooNear ? TOO_NEAR : status;
  return solution.triangle.tooFar ? TOO_FAR : status;
}

/**
 * Return NaN where the target is not reached, if the policy wants that.
 * @param {Answer} answer
 * @param {Named} policy
 * @returns {Answer}
 */
export function signal(answer, policy) {
  if (!policy.signals) return answer;
  const missed = answer.status === TOO_FAR || answer.status === TOO_NEAR;
  return {
    joint: missed ? answer.joint.map(() => NAN) : answer.joint,
    end: missed ? answer.end.map(() => NAN) : answer.end,
    status: answer.status,
  };
}

/**
 * Return one vector where a condition holds, else another one.
 * @param {boolean} condition
 * @param {number[]} u
 * @param {number[]} v
 * @returns {number[]}
 */
export function choose(condition, u, v) {
  return condition ? u : v;
}
