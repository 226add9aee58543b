// A step of time.
//
// Printed from creature/stepping/walking.py by `python tools/generate.py`: do not edit.

import { limited, obey, tick, wait } from "./command.js";
import { lift, plan, stray, swing } from "./legs.js";
import { level } from "./levels.js";
import { larger, smaller } from "./numbers.js";
import { advance, velocity } from "./path.js";
import { put } from "./pose.js";
import { WITH_SWINGS, clock, eased } from "./rhythm.js";
import { allowed, beyond, margin } from "./support.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./records.js").Order} Order */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Walk} Walk */

export const DT = 0.008333333333333333; // seconds of a step

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
 * Lift legs that cannot reach their foot any longer.
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
    if (step.down && walk.rate > 0 && beyond(animal, leg, step, step.hip) > 0) {
      step.phase = larger(step.phase, walk.duty.at);
      lift(walk, i);
      plan(animal, walk, i, ground);
      pose.stands[i].down = false;
    }
  }
}
