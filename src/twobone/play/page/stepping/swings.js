// The way of a foot through the air: a minimum-jerk course, and arcs over the ground.
//
// Printed from creature/stepping/swings.py by `python tools/generate.py`: do not edit.

import { clamp, larger } from "./numbers.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Course} Course */
/** @typedef {import("./records.js").Step} Step */

// Accelerations of a foot as it lifts and lands, in ways per squared swing by (1 - duty). Taste.
const PUSH = 6;
const BRAKE = 8;

const SKEW = 0.4; // of the arc of a stride: 0 is highest in the middle of a swing, 1 at .3 of it; taste

export const HIGHEST = 0.9; // of the hip: a foot steps and swings at most so much higher than it stood; taste

export const CLEARANCE = 0.04; // of the hip: between the ground and a leg, a swinging foot or a belly; taste

/**
 * The coefficients of a course, from the first power on.
 * @typedef {object} Quintic
 * @property {number} c1
 * @property {number} c2
 * @property {number} c3
 * @property {number} c4
 * @property {number} c5
 */

/**
 * Let a foot that lifts set off to a goal.
 *
 * It sets off fast and brakes late, the more the longer it is in the air: so it is not far ahead
 * of its body before it lands.
 * @param {Step} step
 * @param {Point} goal
 * @param {number} duty
 * @returns {void}
 */
export function aim(step, goal, duty) {
  if (step.part === 0) {
    pushOff(step.x, goal.x, 1 - duty);
    pushOff(step.y, goal.y, 1 - duty);
    pushOff(step.z, goal.z, 1 - duty);
  }
}

/**
 * Give a course its accelerations, for the share of a cycle that a foot is in the air.
 * @param {Course} course
 * @param {number} goal
 * @param {number} air
 * @returns {void}
 */
export function pushOff(course, goal, air) {
  course.acceleration = PUSH * air * (goal - course.place);
  course.brake = -BRAKE * air * (goal - course.place);
}

/**
 * Return how much higher a foot must swing to clear the ground on its way to a goal.
 * @param {Anatomy} animal
 * @param {Step} step
 * @param {Point} goal
 * @param {number} samples
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function liftOver(animal, step, goal, samples, ground) {
  let lifted = 0;
  const clear = CLEARANCE * animal.hip;
  for (let n = 0; n < samples; n++) {
    const part = (n + 2) / (samples + 2);
    if (part > step.part) {
      const foot = planned(step, goal, part);
      const needs = ground(foot.x, foot.z) - foot.y - (step.low - clear) * arc(part);
      lifted = larger(lifted, needs / skewed(part, 0));
    }
  }
  return lifted;
}

/**
 * Return the place of a foot at a part of its swing, without the arc.
 * @param {Step} step
 * @param {Point} goal
 * @param {number} part
 * @returns {Point}
 */
export function planned(step, goal, part) {
  return { x: at(step.x, goal.x, part), y: at(step.y, goal.y, part), z: at(step.z, goal.z, part) };
}

/**
 * Return the height of a stride over its greatest: steep at first, level at both ends.
 * @param {number} part
 * @returns {number}
 */
export function arc(part) {
  return skewed(part, SKEW);
}

/**
 * Return the height of a stride, and what the ground adds to it: mostly late, so not skewed.
 * @param {number} low
 * @param {number} more
 * @param {number} part
 * @returns {number}
 */
export function raised(low, more, part) {
  return low * arc(part) + more * skewed(part, 0);
}

/**
 * Return an arc from 0 to 1 to 0 with level ends, the earlier the more it is skewed.
 * @param {number} part
 * @param {number} skew
 * @returns {number}
 */
export function skewed(part, skew) {
  let s = part * (1 + skew - skew * part);
  s = s * (1 - s);
  return 16 * s * s;
}

/**
 * Return the place on a course at a part of the swing.
 * @param {Course} course
 * @param {number} goal
 * @param {number} part
 * @returns {number}
 */
export function at(course, goal, part) {
  const s = clamp((part - course.start) / (1 - course.start), 0, 1);
  return course.place + along(quintic(course, goal), s);
}

/**
 * Return how far a course has gone at a part of its time.
 * @param {Quintic} c
 * @param {number} s
 * @returns {number}
 */
export function along(c, s) {
  return s * (c.c1 + s * (c.c2 + s * (c.c3 + s * (c.c4 + s * c.c5))));
}

/**
 * Return the coefficients of a course, from its state to that at the goal (Flash and Hogan).
 * @param {Course} course
 * @param {number} goal
 * @returns {Quintic}
 */
export function quintic(course, goal) {
  const time = 1 - course.start;
  const v = course.velocity * time;
  const a = course.acceleration * time * time;
  const b = course.brake * time * time;
  const d = goal - course.place;
  return {
    c1: v,
    c2: 0.5 * a,
    c3: 10 * d - 6 * v - 1.5 * a + 0.5 * b,
    c4: -15 * d + 8 * v + 1.5 * a - b,
    c5: 6 * d - 3 * v - 0.5 * a + 0.5 * b,
  };
}

/**
 * Return a course that goes on from where another one is.
 * @param {Course} course
 * @param {number} goal
 * @param {number} part
 * @returns {Course}
 */
export function fromHere(course, goal, part) {
  const c = quintic(course, goal);
  const time = 1 - course.start;
  const s = clamp((part - course.start) / time, 0, 1);
  const place = course.place + along(c, s);
  const slope = c.c1 + s * (2 * c.c2 + s * (3 * c.c3 + s * (4 * c.c4 + s * 5 * c.c5)));
  const curve = 2 * c.c2 + s * (6 * c.c3 + s * (12 * c.c4 + s * 20 * c.c5));
  return { start: part, place, velocity: slope / time, acceleration: curve / (time * time), brake: course.brake };
}
