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

const HIGHEST = 0.9; // of the hip: a foot steps and swings at most so much higher than it stood; taste

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
 * Return the place of a foot at a part of its swing, without its arcs.
 * @param {Step} step
 * @param {Point} goal
 * @param {number} part
 * @returns {Point}
 */
export function planned(step, goal, part) {
  return { x: at(step.x, goal.x, part), y: at(step.y, goal.y, part), z: at(step.z, goal.z, part) };
}

/**
 * Return how high a swing is over its course at a part of it.
 * @param {Step} step
 * @param {number} part
 * @returns {number}
 */
export function liftedBy(step, part) {
  const left = step.over.start > 0 ? at(step.over, 0, part) : 0;
  return step.low * arc(part) + left + risenBy(step, step.high, part);
}

/**
 * Return the height of the arc that the last plan added: mostly needed late, so not skewed.
 * @param {Step} step
 * @param {number} high
 * @param {number} part
 * @returns {number}
 */
export function risenBy(step, high, part) {
  const s = (part - step.over.start) / (1 - step.over.start);
  return high * skewed(s, 0);
}

/**
 * Return how a swing goes on, from where it is, without the arc that the last plan added.
 * @param {Step} step
 * @returns {Course}
 */
export function goesOn(step) {
  const time = 1 - step.over.start;
  const s = (step.part - step.over.start) / time;
  const left = fromHere(step.over, 0, step.part);
  const p = s * (1 - s);
  const high = 16 * step.high;
  return {
    start: step.part,
    place: left.place + high * p * p,
    velocity: left.velocity + 2 * high * p * (1 - 2 * s) / time,
    acceleration: left.acceleration + 2 * high * (1 - 6 * p) / (time * time),
    brake: 0,
  };
}

/**
 * Return how high another arc may be: the later it starts, the less, to be no faster.
 * @param {Anatomy} animal
 * @param {Step} step
 * @returns {number}
 */
export function highest(animal, step) {
  const left = HIGHEST * animal.hip - step.low - step.over.place;
  return larger(left, 0) * (1 - step.part) * (1 - step.part);
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
