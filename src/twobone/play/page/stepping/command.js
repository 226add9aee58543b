// What is asked for becomes a velocity, a gait, and the rate of its clock.
//
// Printed from creature/stepping/command.py by `python tools/generate.py`: do not edit.

import { GRAVITY, HUGE, TINY, clamp, damp, larger, smaller, wrapped } from "./numbers.js";
import { swinging, velocity } from "./path.js";
import { ASTRAY, AT_EASE, ENOUGH, WITH_GAITS, WITH_STEPS, answer, clock, eased, settle } from "./rhythm.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./records.js").Order} Order */
/** @typedef {import("./records.js").Walk} Walk */

const CAREFUL = 0.6; // footholds that cost 1 each slow the walk to 1 / (1 + .6); taste

const STILL = 0.02; // of sqrt(g hip), or of a lower top speed: who is, and shall be, slower stands; taste

// When an animal that stands makes a small step, and with which leg.
const SOONEST = 0.5; // of the mean time between two: the least; the most is this and 1; taste

const GOLDEN = 0.618; // the golden section: its multiples, without whole parts, come in no pattern; a law

/**
 * Return what an animal can do of an order: the same direction, at most at its top speed.
 * @param {Anatomy} animal
 * @param {Order} order
 * @returns {Order}
 */
export function limited(animal, order) {
  const speed = speedOf(animal, order);
  if (speed <= animal.topSpeed) return order;
  const share = animal.topSpeed / speed;
  return { aside: share * order.aside, ahead: share * order.ahead, turn: share * order.turn };
}

/**
 * Return how far from its middle the feet of an animal are.
 * @param {Anatomy} animal
 * @returns {number}
 */
export function armOf(animal) {
  return 0.5 * animal.span + Math.abs(animal.legs[0].footAside);
}

/**
 * Return the speed of the feet; a turn adds how fast they go around the middle.
 * @param {Anatomy} animal
 * @param {Order} order
 * @returns {number}
 */
export function speedOf(animal, order) {
  const around = aroundOf(animal, order.ahead, order.turn);
  return Math.sqrt(order.aside * order.aside + order.ahead * order.ahead + around * around);
}

/**
 * Return the speed of the outermost feet from a turn, of an animal that goes ahead.
 * @param {Anatomy} animal
 * @param {number} ahead
 * @param {number} turn
 * @returns {number}
 */
export function aroundOf(animal, ahead, turn) {
  const whole = swinging(animal, ahead, turn);
  return Math.abs(turn * animal.legs[0].footAside) + 0.5 * animal.span * Math.abs(whole);
}

/**
 * Move the velocity to what is asked for, less on bad ground, as quickly as the animal can.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Order} order
 * @param {number} dt
 * @returns {void}
 */
export function obey(animal, walk, order, dt) {
  let squares = 0;
  for (const step of walk.steps) {
    squares += step.cost * step.cost;
  }
  const rough = Math.sqrt(squares / walk.steps.length);
  walk.calm = eased(walk.calm, 1 / (1 + CAREFUL * rough), AT_EASE, dt);
  const calm = walk.calm;
  const asked = { aside: calm * order.aside, ahead: calm * order.ahead, turn: calm * order.turn };
  walk.asked = asked;
  walk.stops = sizeOf(animal, order) <= still(animal);
  const rate = answer(animal);
  const most = animal.strong * GRAVITY;
  follow(walk.aside, asked.aside, rate, most, dt);
  follow(walk.ahead, asked.ahead, rate, most, dt);
  follow(walk.feltAside, walk.aside.at, AT_EASE, GRAVITY, dt);
  follow(walk.feltAhead, walk.ahead.at, AT_EASE, GRAVITY, dt);
  // Shoulders and hips, half a hip's height from the middle, accelerate as much in a turn.
  follow(walk.turn, asked.turn, rate, 2 * most / animal.hip, dt);
}

/**
 * Return the speed below which an animal stands.
 * @param {Anatomy} animal
 * @returns {number}
 */
export function still(animal) {
  return STILL * smaller(Math.sqrt(GRAVITY * animal.hip), animal.topSpeed);
}

/**
 * Return the size of an order; a turn counts as the speed of a hip's height around it.
 * @param {Anatomy} animal
 * @param {Order} order
 * @returns {number}
 */
export function sizeOf(animal, order) {
  return Math.abs(order.aside) + Math.abs(order.ahead) + Math.abs(order.turn) * animal.hip;
}

/**
 * Move a velocity to a goal, with an acceleration of at most `most`.
 * @param {Damped} value
 * @param {number} goal
 * @param {number} rate
 * @param {number} most
 * @param {number} dt
 * @returns {void}
 */
export function follow(value, goal, rate, most, dt) {
  const was = value.at;
  damp(value, goal, rate, dt);
  value.at = clamp(value.at, was - most * dt, was + most * dt);
  value.speed = clamp(value.speed, -most, most);
}

/**
 * Add to the velocity of a body; the sum is at most its top speed.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} aside
 * @param {number} ahead
 * @returns {void}
 */
export function shove(animal, walk, aside, ahead) {
  const order = { aside: walk.aside.at + aside, ahead: walk.ahead.at + ahead, turn: 0 };
  const possible = limited(animal, order);
  walk.aside.at = possible.aside;
  walk.ahead.at = possible.ahead;
}

/**
 * Return the speed of the feet over the ground, which the gait depends on.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function pace(animal, walk) {
  return speedOf(animal, { aside: walk.aside.at, ahead: walk.ahead.at, turn: walk.turn.at });
}

/**
 * Choose the gait of the speed, and move its clock.
 *
 * A cycle is c hip Fr^(1/4) long, with Froude's number Fr = v^2 / (g hip) (Alexander and Jayes,
 * 1983): so its rate is sqrt(g / hip) Fr^(1/4) / c. It is higher where stances would be too long.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Order} order
 * @param {number} dt
 * @returns {void}
 */
export function tick(animal, walk, order, dt) {
  const root = Math.sqrt(GRAVITY * animal.hip);
  const speed = pace(animal, walk);
  changeGait(animal, walk, speed / root, dt);
  walk.moving = speed > still(animal) || !walk.stops;
  fidget(animal, walk, dt);
  let stepping = walk.moving || walk.fidget >= 0;
  for (const step of walk.steps) {
    stepping = stepping || !step.down || step.stray > ASTRAY * animal.hip;
  }
  if (stepping && walk.rate === 0) {
    setOff(animal, walk, order);
  }
  if (stepping) {
    const duty = walk.duty.at;
    let wanted = Math.sqrt(GRAVITY / animal.hip * speed / root) / animal.stride;
    // Who shall stand puts its feet together as in its slowest gait at its highest speed.
    const brisk = Math.sqrt(GRAVITY / animal.hip * animal.gaits[0].high) / animal.stride;
    wanted = larger(wanted, walk.stops ? brisk : animal.slowest);
    wanted = larger(wanted, duty * speed / animal.travel);
    wanted = larger(wanted, duty * Math.abs(walk.aside.at) / animal.across);
    walk.rate = eased(walk.rate, smaller(wanted, animal.fastest), AT_EASE, dt);
  } else {
    walk.rate = 0;
  }
  // The body moves in full from a stance of half a hip's height on.
  const stance = walk.slow * speed * walk.duty.at / clock(animal, walk);
  const vigour = walk.moving ? smaller(1, 2 * stance / animal.hip) : 0;
  damp(walk.vigour, vigour, AT_EASE, dt);
  walk.phase += walk.rate * dt;
  walk.phase -= (Math.floor(walk.phase) + 0);
  shiftOffsets(animal, walk, dt);
}

/**
 * Choose the gait of a speed over sqrt(g hip), and move duty factor and forces to its own.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} froude
 * @param {number} dt
 * @returns {void}
 */
export function changeGait(animal, walk, froude, dt) {
  while (walk.gait + 1 < animal.gaits.length && froude > animal.gaits[walk.gait].high) {
    walk.gait += 1;
  }
  while (walk.gait > 0 && froude < animal.gaits[walk.gait].low) {
    walk.gait -= 1;
  }
  const gait = animal.gaits[walk.gait];
  walk.blend = clamp((froude - gait.low) / (gait.high - gait.low), 0, 1);
  const duty = gait.dutyLow + (gait.dutyHigh - gait.dutyLow) * walk.blend;
  const time = walk.rate > 0 ? dt : 0;
  settle(walk.vault, gait.vault, WITH_GAITS * walk.rate, time);
  settle(walk.flex, gait.flex, WITH_GAITS * walk.rate, time);
  settle(walk.duty, duty, WITH_STEPS * walk.rate, time);
}

/**
 * Let an animal that stands make a small step now and then, with one leg after another.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} dt
 * @returns {void}
 */
export function fidget(animal, walk, dt) {
  if (walk.moving) {
    walk.idle = 0;
    walk.fidget = -1;
  } else if (walk.rate === 0) {
    const part = GOLDEN * walk.fidgets;
    walk.idle += animal.manner.fidgets * dt;
    if (walk.idle > SOONEST + part - (Math.floor(part) + 0)) {
      walk.idle = 0;
      const count = walk.steps.length;
      walk.fidget = count - 1 - (walk.fidgets % count + count) % count;
      walk.fidgets += 1;
    }
  }
}

/**
 * Set the clock of an animal that stands, so that the leg which leads steps first.
 *
 * An animal that balances first moves its body, the longer the further that goes.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Order} order
 * @returns {void}
 */
export function setOff(animal, walk, order) {
  const wanted = velocity(walk, order.aside, order.ahead);
  let first = 0;
  let most = -HUGE;
  for (let i = 0; i < walk.steps.length; i++) {
    const step = walk.steps[i];
    let lead = wanted.x * (step.foot.x - walk.x) + wanted.z * (step.foot.z - walk.z);
    if (i === walk.fidget) {
      lead = HUGE;
    }
    if (lead > most + TINY) {
      first = i;
      most = lead;
    }
  }
  walk.phase = walk.steps[first].offset.at + walk.duty.at - animal.balance * animal.lead;
  for (const step of walk.steps) {
    step.phase = walk.phase - step.offset.at;
    step.phase -= (Math.floor(step.phase) + 0);
  }
}

/**
 * Move the offsets of the legs to those of the gait, each the shorter way around the cycle.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} dt
 * @returns {void}
 */
export function shiftOffsets(animal, walk, dt) {
  const gait = animal.gaits[walk.gait];
  for (let i = 0; i < walk.steps.length; i++) {
    const step = walk.steps[i];
    const between = wrapped(gait.offsetsHigh[i] - gait.offsetsLow[i]);
    let goal = gait.offsetsLow[i] + walk.blend * between;
    goal = step.offset.at + wrapped(goal - step.offset.at);
    damp(step.offset, goal, WITH_GAITS * walk.rate, dt);
  }
}

/**
 * Count the seconds in which an animal does less than `ENOUGH` of what it is asked for.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Order} order
 * @param {number} dt
 * @returns {void}
 */
export function wait(animal, walk, order, dt) {
  const arm = armOf(animal);
  let asked = order.aside * order.aside + order.ahead * order.ahead;
  asked += order.turn * order.turn * arm * arm;
  let done = walk.aside.at * order.aside + walk.ahead.at * order.ahead;
  done = walk.slow * (done + walk.turn.at * order.turn * arm * arm);
  if (done >= ENOUGH * asked) {
    walk.delay = 0;
  } else {
    walk.delay += dt;
  }
}
