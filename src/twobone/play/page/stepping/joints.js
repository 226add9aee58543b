// The joints of a pose: knees by `twobone.solve_xyz`.
//
// Printed from creature/stepping/joints.py by `python tools/generate.py`: do not edit.

import * as one from "../solver/one.js";
import { turnedBy } from "./knees.js";
import { ankleOf, poleOf, rangeOf, within } from "./limbs.js";
import { facing } from "./numbers.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Pose} Pose */

/**
 * The points of a leg.
 * @typedef {object} Joints
 * @property {Point} hip
 * @property {Point} knee
 * @property {Point} ankle
 * @property {Point} foot
 */

/**
 * Return the joints of a leg in a pose.
 *
 * A foot in the air that its leg cannot reach gives way; one that stands does not move.
 * @param {Anatomy} animal
 * @param {Pose} pose
 * @param {number} i
 * @returns {Joints}
 */
export function jointsOf(animal, pose, i) {
  const leg = animal.legs[i];
  const stand = pose.stands[i];
  const hip = stand.hip;
  let foot = stand.foot;
  const allowed = rangeOf(leg, animal.least, 0.5 * (1 + animal.straight));
  let ankle = ankleOf(leg, hip, foot, stand.angle, facing(stand.facing), allowed);
  let x = ankle.x - hip.x;
  let y = ankle.y - hip.y;
  let z = ankle.z - hip.z;
  const distance = Math.sqrt(x * x + y * y + z * z);
  if (!stand.down && distance > 0) {
    // Only beyond what a leg that stands uses, so that no foot jumps as it lifts or lands.
    const left = 0.25 * (1 - animal.straight);
    const soft = left * (leg.upper + leg.lower);
    const held = within(distance, rangeOf(leg, 0, 1 - left), soft);
    if (held !== distance) {
      const size = held / distance;
      foot = { x: foot.x + (size - 1) * x, y: foot.y + (size - 1) * y, z: foot.z + (size - 1) * z };
      ankle = { x: hip.x + size * x, y: hip.y + size * y, z: hip.z + size * z };
      x = size * x;
      y = size * y;
      z = size * z;
    }
  }
  const way = { x, y, z };
  const pole = turnedBy(poleOf(leg, facing(pose.frames[leg.station].yaw), way), way, stand.splay);
  const found = one.jointXyz(x, y, z, leg.upper, leg.lower, pole.x, pole.y, pole.z, 1);
  const knee = { x: hip.x + found[0], y: hip.y + found[1], z: hip.z + found[2] };
  return { hip, knee, ankle, foot };
}
