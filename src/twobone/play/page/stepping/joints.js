// The joints of a pose: knees by `twobone.solve_xyz`.
//
// Printed from creature/stepping/joints.py by `python tools/generate.py`: do not edit.

import * as one from "../solver/one.js";
import { turnedBy } from "./knees.js";
import { SOFT, ankleOf, bending, poleOf, rangeOf, straightest, within } from "./limbs.js";
import { between, facing, length, plus } from "./numbers.js";

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
 * A foot in the air gives way near the end of its leg's reach; one that stands does not move.
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
  /** @type {Point} */
  let way;
  if (!stand.down) {
    way = between(hip, foot);
    const ends = rangeOf(leg, 0, straightest(animal));
    const soft = stand.gives * SOFT * (leg.upper + leg.lower);
    const distance = length(way);
    const held = within(distance, { least: ends.least - leg.third, most: ends.most + leg.third }, soft);
    if (held !== distance && distance > 0) {
      const size = held / distance;
      foot = plus(hip, { x: size * way.x, y: size * way.y, z: size * way.z });
    }
  }
  const ankle = ankleOf(leg, hip, foot, stand.angle, facing(stand.facing), bending(animal, leg));
  way = between(hip, ankle);
  const pole = turnedBy(poleOf(leg, facing(pose.frames[leg.station].yaw), way), way, stand.splay);
  const found = one.jointXyz(way.x, way.y, way.z, leg.upper, leg.lower, pole.x, pole.y, pole.z, 1);
  return { hip, knee: plus(hip, { x: found[0], y: found[1], z: found[2] }), ankle, foot };
}
