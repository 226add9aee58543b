// A step of time.
//
// Printed from creature/stepping/walking.py by `python tools/generate.py`: do not edit.

import { limited, obey, tick, wait } from "./command.js";
import { lift, mayLift, plan, stray, swing } from "./legs.js";
import { level, moved } from "./levels.js";
import { buried } from "./limbs.js";
import { larger, smaller } from "./numbers.js";
import { advance, velocity } from "./path.js";
import { put } from "./pose.js";
import { WITH_SWINGS, clock, eased } from "./rhythm.js";
import { allowed, beyond, margin } from "./support.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./records.js").Order} Order */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Stand} Stand */
/** @typedef {import("./records.js").Walk} Walk */

export const DT = 0.008333333333333333; // seconds of a step

const SOON = 0.03333333333333333; // how far ahead a leg that stands is freed from the ground; taste

/**
 * Walk for one step of time, to the pose at its end.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {Order} order
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function stepOn(animal, walk, pose, order, ground) {
  const possible = limited(animal, order);
  obey(animal, walk, possible, DT);
  stray(animal, walk);
  tick(animal, walk, possible, DT);
  const v = velocity(walk, walk.aside.at, walk.ahead.at);
  const reach = allowed(animal, walk, v.x, v.z);
  walk.lets = eased(walk.lets, reach, WITH_SWINGS * clock(animal, walk), DT);
  advance(animal, walk, v.x, v.z, shareOf(animal, walk, v.x, v.z, reach), DT);
  swing(animal, walk, ground, DT);
  level(animal, walk, DT);
  put(animal, walk, pose, ground, DT);
  giveUp(animal, walk, pose, ground);
  wait(animal, walk, possible, DT);
}

/**
 * Return the share of a velocity that the legs on the ground allow, until they lift.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} vx
 * @param {number} vz
 * @param {number} reach
 * @returns {number}
 */
export function shareOf(animal, walk, vx, vz, reach) {
  let share = reach;
  if (animal.steady) {
    let cycles = 1;
    for (const step of walk.steps) {
      if (!step.down) {
        cycles = smaller(cycles, 1 - step.phase);
      }
    }
    const seconds = cycles / clock(animal, walk);
    share = smaller(share, margin(animal, walk, -1, vx * seconds, vz * seconds).share);
  }
  for (const station of walk.stations) {
    share = smaller(share, station.free);
  }
  return larger(share, 0);
}

/**
 * Lift legs that cannot reach their foot any longer, or soon have the ground in their way.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function giveUp(animal, walk, pose, ground) {
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    if (step.down && walk.rate > 0) {
      const short = beyond(animal, leg, step, step.hip) > 0;
      if (short || isHindered(animal, walk, pose.stands[i], i, ground)) {
        step.phase = larger(step.phase, walk.duty.at);
        lift(walk, i);
        plan(animal, walk, i, ground);
        pose.stands[i].down = false;
      }
    }
  }
}

/**
 * Return whether a leg that may lift soon has the ground in its way.
 *
 * It is asked in the second half of a stance. Where there is another ground now, feet step onto
 * that one after the other.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Stand} stand
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @returns {boolean}
 */
export function isHindered(animal, walk, stand, i, ground) {
  const leg = animal.legs[i];
  const step = walk.steps[i];
  if (step.phase < 0.5 * walk.duty.at || step.foot.y !== step.under) return false;
  if (!mayLift(animal, walk, i)) return false;
  const hip = moved(walk.stations[leg.station], step.hip, SOON);
  const still = { x: 0, y: 0, z: 0 };
  return buried(animal, leg, hip, step.foot, stand.angle, step.toes, still, ground) > 0;
}
