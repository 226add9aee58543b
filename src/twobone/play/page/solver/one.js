// Solve one limb of floats with the policy "clamp".
//
// `solve_xyz` is printed from here: the page and C++ have no arrays, so `if` asks a truth value.
//
// Printed from core/one.py by `python tools/generate.py`: do not edit.

import * as answer from "./answer.js";
import { CLAMP } from "./answer.js";

/** @typedef {import("./answer.js").Targets} Targets */

/**
 * Return the components of the joint.
 * @param {Targets} targets
 * @returns {number[]}
 */
export function joint(targets) {
  if (answer.isEasy(targets)) {
    const [found, isAlong] = answer.easy(targets, CLAMP);
    if (!isAlong) return found.joint;
  }
  const anyLimb = answer.plain(targets, CLAMP);
  return answer.marked(anyLimb.valid, anyLimb.answer).joint;
}

/**
 * Return the joint of a limb in space, as `solveXyz` does.
 * @param {number} px
 * @param {number} py
 * @param {number} pz
 * @param {number} r1
 * @param {number} r2
 * @param {number} nx
 * @param {number} ny
 * @param {number} nz
 * @param {number} side
 * @returns {number[]}
 */
export function jointXyz(px, py, pz, r1, r2, nx, ny, nz, side) {
  const found = joint({ p: [px, py, pz], r1, r2, side, pole: [nx, ny, nz] });
  return [found[0], found[1], found[2]];
}
