// The rhythm of the steps: when feet lift and land, how fast the rest follows, what forces do.
//
// Printed from creature/stepping/rhythm.py by `python tools/generate.py`: do not edit.

import { GRAVITY, TINY, clamp, damp, facing, larger, mix, smaller, wrapped } from "./numbers.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Sums} Sums */
/** @typedef {import("./records.js").Walk} Walk */

// How fast a number follows its goal, the inverse of its time constant. All are taste.
export const WITH_GAITS = 2; // per cycle: what does in two cycles, as the order of the steps; forces stay small

export const WITH_STEPS = 9; // per cycle: what goes nine tenths of its way in .43 of a cycle, as heights

export const WITH_SWINGS = 27; // per cycle: what does in .14 of a cycle, as a foot that turns in the air

const ANSWER = 2.2; // time constants in which a damped number goes two thirds of its way: a law

export const WITH_KNEES = 81; // per cycle: what does in .05 of a cycle, as a knee that meets the ground

export const AT_EASE = 7; // per second: what does in half a second, whatever the steps are, as a lean

// When legs hurry, and when they are decided. All are taste.
export const ASTRAY = 0.09; // of the hip: a foot so far from where it should be steps, or plans again

export const DECIDED = 0.6; // of a swing: from here on a foothold stays, and the leg is as it will land

const CATCH = 4; // of its delay: what a leg makes up for in a cycle

const HURRY = 0.5; // of its pace: how much faster or slower a leg may be for that

const SLOWEST = 0.16; // of sqrt(g / hip): cycles per second at the least; slower looks unreal; taste

export const ENOUGH = 0.3333333333333333; // share of its velocity with which an animal is not blocked; taste

const HASTE = 0.2; // of its speed: an animal that slows down by so much is on bad ground; taste

export const MOST_TILT = 0.5; // radians: pitch and roll from the forces, and bank in a curve; taste

const HARMONICS = 6; // of the cycle; the next has an amplitude below a hundredth of the first

/**
 * Return the cycles per second of the steps; for an animal that stands, of its slowest.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function clock(animal, walk) {
  return larger(walk.rate, animal.slowest);
}

/**
 * Return the leg on the other side of a pair.
 * @param {number} i
 * @returns {number}
 */
export function other(i) {
  return i + 1 - 2 * ((i % 2 + 2) % 2);
}

/**
 * Return the rate, per second, with which velocities follow what is asked for.
 * @param {Anatomy} animal
 * @returns {number}
 */
export function answer(animal) {
  return ANSWER / animal.quick;
}

/**
 * Return the seconds until a foot on the ground lifts.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Step} step
 * @returns {number}
 */
export function leftToStand(animal, walk, step) {
  const duty = walk.duty.at;
  const cycles = step.phase < duty ? duty - step.phase : 1 - step.phase + duty;
  return cycles / clock(animal, walk);
}

/**
 * Return the seconds until a foot in the air lands.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Step} step
 * @returns {number}
 */
export function leftToSwing(animal, walk, step) {
  return (1 - step.part) * (1 - step.gate) / clock(animal, walk);
}

/**
 * Return the share of a stance after which the body is over a foot: half of it on bad ground.
 *
 * There, a body ahead of its feet would come to a rise before they do.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function overOf(animal, walk) {
  const calm = clamp(1 - (1 - walk.calm) / HASTE, 0, 1);
  return mix(0.5, animal.gaits[walk.gait].over, calm);
}

/**
 * Return by what share of its pace a leg is faster that is late by so many cycles.
 * @param {number} late
 * @returns {number}
 */
export function catchUp(late) {
  return clamp(CATCH * wrapped(late), -HURRY, HURRY);
}

/**
 * Return a number after a time, in which it went a share of its way to a goal.
 *
 * For a `rate` per second it is the exponential of a first-order lag, to first order in `dt`.
 * @param {number} value
 * @param {number} goal
 * @param {number} rate
 * @param {number} dt
 * @returns {number}
 */
export function eased(value, goal, rate, dt) {
  return value + (goal - value) * smaller(1, rate * dt);
}

/**
 * Move a number to its goal, critically damped; at once if `dt` is 0.
 * @param {Damped} value
 * @param {number} goal
 * @param {number} rate
 * @param {number} dt
 * @returns {void}
 */
export function settle(value, goal, rate, dt) {
  if (dt > 0) {
    damp(value, goal, rate, dt);
  } else {
    value.at = goal;
    value.speed = 0;
  }
}

/**
 * Return how the forces of the feet move the body, and how its feet are placed.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {Sums}
 */
export function sums(animal, walk) {
  const count = walk.stations.length;
  /** @type {Sums} */
  const found = {
    ahead: animal.legs.map(() => 0),
    fore: Array.from({ length: count }, () => 0),
    apart: Array.from({ length: count }, () => 0),
    air: Array.from({ length: count }, () => 0),
    heave: 0,
    pitch: 0,
    roll: 0,
    sway: 0,
  };
  const feet = Array.from({ length: count }, () => 0);
  let weight = 0;
  for (const leg of animal.legs) {
    weight += leg.share;
  }
  const force = harmonics(walk.duty.at, walk.vault.at);
  // Of the hip: how far behind their places at rest feet are in the middle of a stance.
  const stance = walk.ahead.at * walk.duty.at / (clock(animal, walk) * animal.hip);
  const behind = (0.5 - overOf(animal, walk)) * stance;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const at = leg.station;
    const down = sunk(walk.phase - step.offset.at, walk.duty.at, force);
    const load = down * leg.share / weight;
    found.heave -= load;
    found.pitch -= load * animal.along[at];
    found.roll -= load * leg.side;
    found.air[at] -= down * leg.share * leg.side;
    const station = walk.stations[at];
    const dx = step.foot.x - station.x;
    const dz = step.foot.z - station.z;
    const away = dx * station.facing.s + dz * station.facing.c - leg.footAhead;
    const fore = away / animal.hip + behind;
    found.ahead[i] = fore;
    found.fore[at] += fore;
    found.apart[at] += fore * leg.side;
    feet[at] += 1;
  }
  for (let k = 0; k < count; k++) {
    found.fore[k] /= feet[k];
  }
  // The double integral of g at the frequency of the steps, g / (2 pi f)^2. A slow walk would bob
  // without end: added to the square, that of the slowest steps limits it.
  const slowest = SLOWEST * Math.sqrt(GRAVITY / animal.hip);
  const square = walk.beat.at * walk.beat.at + slowest * slowest;
  const size = walk.vigour.at * GRAVITY / (4 * Math.PI * Math.PI * square);
  // Radius of gyration, squared, of a box as long as the trunk and twice as high as its belly.
  let gyration = (animal.span * animal.span + 4 * animal.belly * animal.belly) / 12;
  gyration = larger(gyration, TINY);
  const manner = animal.manner;
  found.sway = -found.roll * size * manner.sway;
  found.heave = found.heave * size * manner.heave;
  found.pitch = clamp(found.pitch * size * manner.pitch / gyration, -MOST_TILT, MOST_TILT);
  found.roll = clamp(found.roll * size * manner.roll / animal.hip, -MOST_TILT, MOST_TILT);
  return found;
}

/**
 * Return the Fourier series of how far the force of a leg lets the body sink.
 *
 * Its mean is 0. The force over a stance is a half sine, and another of three times the frequency
 * which `vault` scales: 0 is the one hump of a bounce, about 1/3 the two of a walk. Its Fourier
 * series, integrated twice, has the coefficients A_k / k^2 with
 *
 *     A_k = 2 cos(pi k d) (1 / (1 - 4 k^2 d^2) + (q / 3) / (1 - 4 k^2 d^2 / 9)) / (1 + q / 3)
 *
 * for a duty factor d, and the weight 1 - k^2 / 49, which lets the series end smoothly. It is in
 * units of g / (2 pi f)^2, and its time is counted from the middle of the stance.
 * @param {number} duty
 * @param {number} vault
 * @returns {number[]}
 */
export function harmonics(duty, vault) {
  const edge = facing(Math.PI * duty);
  const beyond = HARMONICS + 1;
  // Chebyshev's recurrence: cos (k + 1) a = 2 cos a cos k a - cos (k - 1) a.
  let edgeK = edge.c;
  let edgeBefore = 1;
  /** @type {number[]} */
  const found = [];
  for (let n = 0; n < HARMONICS; n++) {
    const k = n + 1;
    const part = hump(k * duty, edgeK, 1) + vault / 3 * hump(k * duty, edgeK, 3);
    const weight = 2 * (1 - k * k / (beyond * beyond)) / (k * k * (1 + vault / 3));
    found.push(weight * part);
    const edgeNext = 2 * edge.c * edgeK - edgeBefore;
    edgeBefore = edgeK;
    edgeK = edgeNext;
  }
  return found;
}

/**
 * Return how far a leg lets the body sink, in units of g / (2 pi f)^2, with its `harmonics`.
 *
 * `cycles` are those since the foot landed, and `duty` is the duty factor.
 * @param {number} cycles
 * @param {number} duty
 * @param {number[]} force
 * @returns {number}
 */
export function sunk(cycles, duty, force) {
  const along = facing(2 * Math.PI * (cycles - 0.5 * duty));
  let height = 0;
  let alongK = along.c;
  let alongBefore = 1;
  for (const part of force) {
    height += part * alongK;
    const alongNext = 2 * along.c * alongK - alongBefore;
    alongBefore = alongK;
    alongK = alongNext;
  }
  return height;
}

/**
 * Return cos(pi u) / (1 - 4 u^2 / n^2) for n = 1 or 3, given the cosine; u is 0 or more.
 *
 * Both are 0 at u = n / 2. With e = 1 - 2 u / n the cosine is +-sin(n pi e / 2), and the quotient
 * near there +-(n pi / 2) / (2 - e), to a relative error of e^2.
 * @param {number} u
 * @param {number} cosine
 * @param {number} n
 * @returns {number}
 */
export function hump(u, cosine, n) {
  const e = 1 - 2 * u / n;
  if (Math.abs(e) < TINY) {
    const limit = 0.5 * Math.PI * n / (2 - e);
    return n < 2 ? limit : -limit;
  }
  return cosine / (e * (2 - e));
}
