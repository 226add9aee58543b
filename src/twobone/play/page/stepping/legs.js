// Legs that lift with a plan, swing along it and land.
//
// Printed from creature/stepping/legs.py by `python tools/generate.py`: do not edit.

import { choose } from "./footholds.js";
import { moved } from "./levels.js";
import { HUGE, clamp, facing, larger, smaller } from "./numbers.js";
import { ahead, atRest, leftToGo, resting, wanted } from "./path.js";
import { ASTRAY, DECIDED, WITH_SWINGS, catchUp, clock, eased, leftToSwing, other } from "./rhythm.js";
import { LANDED, lieOf, liftOver } from "./soles.js";
import { beyond, lowest, margin } from "./support.js";
import { aim, fromHere, goesOn, highest, liftedBy, planned } from "./swings.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./records.js").Walk} Walk */

const BRIEFEST = 0.3333333333333333; // of a swing: the least of it that a foot which lifts late takes; taste

const LOW = 0.35; // of the arc of a stride: that of a step on the spot; taste

const SAMPLES = 66; // of the ground below a swing: one in about .02 of a leg of a long one

/**
 * Move all legs on in their cycles: they lift, swing and land.
 *
 * A leg that may not lift when it is due does so later, in the first half of its swing. An animal
 * that stops lifts only feet that will be astray; at once where its trunk is nearly at rest, and
 * one of a pair after the other.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {((a: number, b: number) => number)} ground
 * @param {number} dt
 * @returns {void}
 */
export function swing(animal, walk, ground, dt) {
  const duty = walk.duty.at;
  const isThere = leftToGo(animal, walk) < ASTRAY * animal.hip;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const station = walk.stations[leg.station];
    let late = catchUp(walk.phase - step.offset.at - step.phase);
    if (walk.stops) {
      late = larger(late, 0); // it need not be in its turn
    }
    const was = step.phase;
    step.phase += walk.rate * dt * (1 + late);
    if (step.down) {
      step.since += walk.rate * dt;
      const stood = step.since > LANDED * duty;
      const early = step.phase < 0.5 + 0.5 * duty && stood;
      let due = step.phase >= duty && (was < duty || early);
      if (walk.stops) {
        const astray = step.stray > ASTRAY * animal.hip;
        due = astray && (due || (isThere && stood && walk.steps[other(i)].down));
        due = due || i === walk.fidget;
        if (due) {
          step.phase = duty; // it does not wait for its turn
        }
      }
      if (due) {
        if (mayLift(animal, walk, i)) {
          if (i === walk.fidget) {
            walk.fidget = -1;
          }
          lift(walk, i);
          plan(animal, walk, i, ground);
        } else {
          step.phase = duty; // it waits
        }
      }
    } else if (step.phase >= 1) {
      const soon = briefest(walk) / clock(animal, walk);
      if (beyond(animal, leg, step, step.hip) <= 0) {
        land(walk, i);
      } else if (beyond(animal, leg, step, moved(station, step.hip, soon)) <= 0) {
        step.phase = was; // it waits until its hip has come near
      } else {
        step.phase = duty; // it looks for another foothold, from where it is
        step.stood = step.goal;
        lift(walk, i);
        plan(animal, walk, i, ground);
      }
    }
    if (step.phase >= 1) {
      step.phase -= 1;
    }
    if (!step.down) {
      fly(animal, walk, i, ground);
      step.facing = eased(step.facing, station.yaw, WITH_SWINGS * clock(animal, walk), dt);
      step.toes = facing(step.facing);
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
  for (const j of [i - 2, i + 2, other(i)]) {
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
  step.phase = smaller(step.phase, 1 - briefest(walk));
  step.gate = step.phase;
  step.over = { start: 0, place: 0, velocity: 0, acceleration: 0, brake: 0 };
  step.high = 0;
  step.part = 0;
  step.slopeBefore = step.slope;
  step.lieBefore = step.lie;
  step.x = { start: 0, place: step.foot.x, velocity: 0, acceleration: 0, brake: 0 };
  step.y = { start: 0, place: step.foot.y, velocity: 0, acceleration: 0, brake: 0 };
  step.z = { start: 0, place: step.foot.z, velocity: 0, acceleration: 0, brake: 0 };
}

/**
 * Return the cycles that a foot is in the air at the least.
 * @param {Walk} walk
 * @returns {number}
 */
export function briefest(walk) {
  return BRIEFEST * (1 - walk.duty.at);
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
 *
 * An animal that stays over its feet also plans again if the foothold will be out of reach, as its
 * trunk rises: it cannot do without the foot. Others lose more speed by it than they gain.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function fly(animal, walk, i, ground) {
  const leg = animal.legs[i];
  const step = walk.steps[i];
  const part = clamp((step.phase - step.gate) / (1 - step.gate), 0, 1);
  step.part = part;
  if (part < DECIDED) {
    const near = ASTRAY * animal.hip;
    const want = wanted(animal, leg, walk, step);
    const dx = want.x - step.want.x;
    const dz = want.z - step.want.z;
    let again = dx * dx + dz * dz > near * near;
    if (animal.steady) {
      const station = walk.stations[leg.station];
      const hip = moved(station, step.hip, leftToSwing(animal, walk, step));
      const low = { x: hip.x, y: lowest(animal, leg, walk, step), z: hip.z };
      again = again || beyond(animal, leg, step, low) > 0;
    }
    if (again) {
      planAgain(animal, walk, i, ground);
    }
  }
  const foot = planned(step, step.goal, part);
  step.base = foot.y;
  step.foot = { x: foot.x, y: foot.y + liftedBy(step, part), z: foot.z };
}

/**
 * Choose another foothold for a leg in the air, from where it is.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function planAgain(animal, walk, i, ground) {
  const step = walk.steps[i];
  step.x = fromHere(step.x, step.goal.x, step.part);
  step.y = fromHere(step.y, step.goal.y, step.part);
  step.z = fromHere(step.z, step.goal.z, step.part);
  step.over = goesOn(step);
  step.high = 0;
  plan(animal, walk, i, ground);
}

/**
 * Let an animal notice another ground: where it is not under a foot, this has to step.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function meet(animal, walk, ground) {
  for (let i = 0; i < walk.steps.length; i++) {
    const step = walk.steps[i];
    step.under = ground(step.goal.x, step.goal.z);
    if (!step.down && step.part < DECIDED) {
      planAgain(animal, walk, i, ground);
    }
  }
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
  if (step.part === 0) {
    const stride = animal.lift * animal.hip * animal.gaits[walk.gait].lift;
    step.low = stride * (LOW + (1 - LOW) * walk.vigour.at);
  }
  choose(animal, walk, i, ground);
  step.lie = lieOf(animal, walk, i, ground);
  aim(step, step.goal, walk.duty.at);
  const lifted = liftOver(animal, walk, i, step.goal, step.slope, SAMPLES, ground);
  step.high = smaller(lifted, highest(animal, step));
}

/**
 * Measure how far feet are from where they would be at rest, when the trunk has come to it.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {void}
 */
export function stray(animal, walk) {
  const seconds = walk.stops ? resting(animal) : 0;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const there = ahead(animal, walk, walk.stations[leg.station], seconds);
    const rest = atRest(leg, there.x, there.z, there.turn);
    const dx = rest.x - step.foot.x;
    const dz = rest.z - step.foot.z;
    step.stray = step.foot.y === step.under ? Math.sqrt(dx * dx + dz * dz) : HUGE;
  }
}
