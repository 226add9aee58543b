// How a foot lies: its third segment and its sole, on the ground and in the air.
//
// Printed from creature/stepping/soles.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";
import { clamp, mix, smooth } from "./numbers.js";
import { DECIDED, MOST_TILT } from "./rhythm.js";
import { CLEARANCE, arc } from "./swings.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./records.js").Lie} Lie */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

export const LANDED = 0.3; // of a stance: how long a foot rolls onto the ground, and stays there at least; taste

/**
 * Return how the ground lies under the foothold of a foot that faces as the trunk.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @returns {Lie}
 */
export function lieOf(animal, walk, i, ground) {
  const goal = walk.steps[i].goal;
  const turn = walk.stations[animal.legs[i].station].facing;
  const d = CLEARANCE * animal.hip;
  const ahead = ground(goal.x + d * turn.s, goal.z + d * turn.c);
  const behind = ground(goal.x - d * turn.s, goal.z - d * turn.c);
  const left = ground(goal.x + d * turn.c, goal.z - d * turn.s);
  const right = ground(goal.x - d * turn.c, goal.z + d * turn.s);
  return {
    pitch: clamp(transcendental.arctangent(ahead - behind, 2 * d), -MOST_TILT, MOST_TILT),
    roll: clamp(transcendental.arctangent(left - right, 2 * d), -MOST_TILT, MOST_TILT),
  };
}

/**
 * Return how the sole of a foot lies: as the ground while it stands.
 *
 * In the air it turns with the third segment, as far as there is room below: toes and heel reach
 * half as far as that segment is long.
 * @param {Leg} leg
 * @param {Step} step
 * @returns {Lie}
 */
export function soleOf(leg, step) {
  if (step.down || leg.third === 0) return step.lie;
  const over = smooth(step.part / DECIDED);
  const most = transcendental.arctangent(step.foot.y - step.base, 0.5 * leg.third);
  const bent = leg.rest + mix(step.slopeBefore, step.slope, over) - step.angle.at;
  return {
    pitch: mix(step.lieBefore.pitch, step.lie.pitch, over) + clamp(bent, -most, most),
    roll: mix(step.lieBefore.roll, step.lie.roll, over),
  };
}

/**
 * Return the angle of the third segment above the ground: it lands, rolls, peels off, curls.
 * @param {Leg} leg
 * @param {Walk} walk
 * @param {Step} step
 * @returns {number}
 */
export function angleOf(leg, walk, step) {
  const duty = walk.duty.at;
  const vigour = walk.vigour;
  /** @type {number} */
  let bent;
  if (!step.down) {
    const part = step.part;
    const over = smooth(part / DECIDED);
    bent = leg.peel * (1 - over) + leg.curl * arc(part) - leg.land * smooth(2 * part - 1);
    return leg.rest + vigour * bent + mix(step.slopeBefore, step.slope, over);
  }
  let landed = 1;
  let left = 0;
  if (walk.rate > 0) {
    landed = smooth(step.since / (LANDED * duty));
    left = step.phase < duty ? step.phase / duty : 1;
  }
  bent = landed * leg.peel * smooth(2 * left - 1) - (1 - landed) * leg.land;
  return leg.rest + vigour * bent + step.slope;
}
