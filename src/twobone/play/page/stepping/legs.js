// Legs that lift with a plan, swing along it and land.
//
// Printed from creature/stepping/legs.py by `python tools/generate.py`: do not edit.

import { choose } from "./footholds.js";
import { clamp, damp, larger, mix, smaller, smooth } from "./numbers.js";
import { placedX, placedZ, wanted } from "./path.js";
import { ASTRAY, DECIDED, WITH_SWINGS, catchUp, clock, eased } from "./rhythm.js";
import { margin } from "./support.js";
import { HIGHEST, aim, arc, at, fromHere, liftOver } from "./swings.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

export const LANDED = 0.3; // of a stance: how long a foot rolls onto the ground, and stays there at least; taste

export const BRIEFEST = 0.1; // of a cycle: the least time in the air; taste

export const LOW = 0.35; // of the arc of a stride: that of a step on the spot; taste

export const SAMPLES = 66; // of the ground below a swing: one in about .02 of a leg of a long one

/**
 * Move all legs on in their cycles: they lift, swing and land.
 *
 * A leg that may not lift when it is due does so later, in the first half of its swing.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {((a: number, b: number) => number)} ground
 * @param {number} dt
 * @returns {void}
 */
export function swing(animal, walk, ground, dt) {
  const duty = walk.duty.at;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const late = catchUp(walk.phase - step.offset - step.phase);
    const was = step.phase;
    step.phase += walk.rate * dt * (1 + late);
    if (step.down) {
      step.since += walk.rate * dt;
      const early = step.phase < 0.5 + 0.5 * duty && step.since > LANDED * duty;
      const due = step.phase >= duty && (was < duty || early);
      if (due && (walk.moving || step.stray > ASTRAY * animal.hip)) {
        if (mayLift(animal, walk, i)) {
          lift(walk, i);
          plan(animal, walk, i, ground);
        } else {
          step.phase = duty; // it waits
        }
      }
    } else if (step.phase >= 1) {
      land(walk, i);
    }
    if (step.phase >= 1) {
      step.phase -= 1;
    }
    if (!step.down) {
      fly(animal, walk, i, ground, dt);
      const station = walk.stations[leg.station];
      step.facing = eased(step.facing, station.yaw, WITH_SWINGS * clock(animal, walk), dt);
    }
  }
}

/**
 * Return whether a leg may lift: its neighbours stand, and so would the animal.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @returns {boolean}
 */
export function mayLift(animal, walk, i) {
  if (!animal.waits) return true;
  const count = walk.steps.length;
  for (const j of [i - 2, i + 2, i + 1 - 2 * ((i % 2 + 2) % 2)]) {
    if (j >= 0 && j < count && !walk.steps[j].down) return false;
  }
  if (animal.steady) return margin(animal, walk, i, 0, 0).inside > 0;
  return true;
}

/**
 * Let a foot leave the ground.
 * @param {Walk} walk
 * @param {number} i
 * @returns {void}
 */
export function lift(walk, i) {
  const step = walk.steps[i];
  step.down = false;
  step.gate = smaller(step.phase, 1 - BRIEFEST);
  step.lift.at = 0;
  step.lift.speed = 0;
  step.high = 0;
  step.part = 0;
  step.slopeBefore = step.slope;
  step.x = { start: 0, place: step.foot.x, velocity: 0, acceleration: 0 };
  step.y = { start: 0, place: step.foot.y, velocity: 0, acceleration: 0 };
  step.z = { start: 0, place: step.foot.z, velocity: 0, acceleration: 0 };
}

/**
 * Put a foot down on its goal.
 * @param {Walk} walk
 * @param {number} i
 * @returns {void}
 */
export function land(walk, i) {
  const step = walk.steps[i];
  step.down = true;
  step.since = 0;
  step.foot = step.goal;
  step.stood = step.goal;
  step.base = step.goal.y;
}

/**
 * Move a foot along its plan, and plan again if where it wants to land has moved.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @param {number} dt
 * @returns {void}
 */
export function fly(animal, walk, i, ground, dt) {
  const leg = animal.legs[i];
  const step = walk.steps[i];
  const part = clamp((step.phase - step.gate) / (1 - step.gate), 0, 1);
  step.part = part;
  if (part < DECIDED) {
    const near = ASTRAY * animal.hip;
    const rest = wanted(animal, leg, walk, step);
    const dx = placedX(rest.x, rest.turn, leg.footAside, leg.footAhead) - step.wantX;
    const dz = placedZ(rest.z, rest.turn, leg.footAside, leg.footAhead) - step.wantZ;
    if (dx * dx + dz * dz > near * near) {
      step.x = fromHere(step.x, step.goal.x, part);
      step.y = fromHere(step.y, step.goal.y, part);
      step.z = fromHere(step.z, step.goal.z, part);
      plan(animal, walk, i, ground);
    }
  }
  step.base = at(step.y, step.goal.y, part);
  const x = at(step.x, step.goal.x, part);
  const z = at(step.z, step.goal.z, part);
  // An arc that must be higher than it was planned becomes so without a jump of the foot.
  damp(step.lift, step.high, WITH_SWINGS * clock(animal, walk), dt);
  step.foot = { x, y: step.base + step.lift.at * arc(part), z };
}

/**
 * Choose a foothold, and the height of the swing which clears the ground on the way.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function plan(animal, walk, i, ground) {
  const step = walk.steps[i];
  choose(animal, walk, i, ground);
  const goal = step.goal;
  aim(step, goal, walk.duty.at);
  const gait = animal.gaits[walk.gait];
  let lifted = animal.lift * animal.hip * gait.lift * (LOW + (1 - LOW) * walk.vigour);
  lifted = larger(lifted, liftOver(animal, step, goal, SAMPLES, ground));
  step.high = larger(step.high, smaller(lifted, HIGHEST * animal.hip));
  if (step.part === 0) {
    step.lift.at = step.high;
  }
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

/**
 * Measure how far feet are from where they would be at rest.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {void}
 */
export function stray(animal, walk) {
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const station = walk.stations[leg.station];
    const dx = placedX(station.x, station.facing, leg.footAside, leg.footAhead) - step.foot.x;
    const dz = placedZ(station.z, station.facing, leg.footAside, leg.footAhead) - step.foot.z;
    step.stray = Math.sqrt(dx * dx + dz * dz);
  }
}
