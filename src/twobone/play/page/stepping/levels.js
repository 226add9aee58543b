// How high the trunk is: over its feet, and shifted where belly or legs need room.
//
// Printed from creature/stepping/levels.py by `python tools/generate.py`: do not edit.

import { foresight, freeBelly } from "./belly.js";
import { fit, lineOver } from "./lines.js";
import { GRAVITY, HUGE, TINY, clamp, larger, side, smaller, smooth } from "./numbers.js";
import { foldOf, isStiff, reachOf } from "./path.js";
import { DECIDED, WITH_STEPS, clock, leftToStand, leftToSwing, settle } from "./rhythm.js";
import { USED } from "./support.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Station} Station */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

const PUSH = 1; // of gravity: legs that bear twice the weight accelerate a body up by so much; taste

const FALL = 0.7; // of gravity: a body that sinks falls at most so fast, beside what its legs give; taste

/**
 * Move each station to the height of the ground under its feet, planned footholds included.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} dt
 * @returns {void}
 */
export function level(animal, walk, dt) {
  const count = walk.stations.length;
  const own = Array.from({ length: count }, () => 0);
  const feet = Array.from({ length: count }, () => 0);
  let tipped = 0;
  let width = 0;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    own[leg.station] += step.base;
    feet[leg.station] += 1;
    tipped += step.base * leg.side;
    width += Math.abs(leg.footAside);
  }
  for (let k = 0; k < count; k++) {
    own[k] /= feet[k];
  }
  const fitted = fit(animal, own);
  // Feet are farther apart than the stations over which the line is fitted.
  const slope = animal.tilt / animal.fan * fitted.slope;
  const rate = WITH_STEPS * clock(animal, walk);
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    const line = fitted.middle + slope * (animal.along[k] - animal.middle);
    let near = own[k];
    if (count > 2) {
      const before = k > 0 ? k - 1 : 0;
      const after = k + 1 < count ? k + 1 : k;
      near = (own[before] + 2 * own[k] + own[after]) / 4;
    }
    station.goal = line + animal.limp * (near - line);
    const speed = station.level.speed;
    move(station.level, station.goal, rate, HUGE, FALL * GRAVITY, dt);
    station.sinks = dt > 0 ? (speed - station.level.speed) / dt : 0;
  }
  settle(walk.roll, animal.bank * tipped / width, rate, dt);
}

/**
 * Settle a height that rises at most so fast, and accelerates down by at most `sinks`.
 * @param {Damped} value
 * @param {number} goal
 * @param {number} rate
 * @param {number} fastest
 * @param {number} sinks
 * @param {number} dt
 * @returns {void}
 */
export function move(value, goal, rate, fastest, sinks, dt) {
  const before = value.at;
  const speed = value.speed;
  settle(value, goal, rate, dt);
  if (dt > 0) {
    const most = PUSH * GRAVITY * dt;
    value.speed = clamp(smaller(value.speed, fastest), speed - sinks * dt, speed + most);
    value.at = before + 0.5 * (speed + value.speed) * dt;
  }
}

/**
 * Raise or lower stations, so that the belly clears the ground and legs reach their feet.
 *
 * Where both do not go together, the belly comes first, but the trunk rises no faster than legs
 * that stand allow. Both are looked at now and when they will matter: the belly on its way, a leg
 * when it lifts or lands, at most so far ahead. The heave of a pose is left out: it passes before
 * a shift follows it.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {number} heave
 * @param {((a: number, b: number) => number)} ground
 * @param {number} dt
 * @returns {void}
 */
export function shift(animal, walk, pose, heave, ground, dt) {
  const count = walk.stations.length;
  const least = Array.from({ length: count }, () => -HUGE);
  const down = Array.from({ length: count }, () => 0);
  const rate = WITH_STEPS * clock(animal, walk);
  freeBelly(animal, walk, pose, heave, ground, least);
  for (const station of walk.stations) {
    station.fastest = HUGE;
  }
  let flight = true;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const high = pose.stands[i].hip;
    const hip = { x: high.x, y: high.y - heave, z: high.z };
    flight = flight && !step.down;
    freeLeg(animal, walk, leg, step, hip, least, down);
    const bearer = walk.stations[leg.station];
    if (step.down) {
      bearer.fastest = smaller(bearer.fastest, fastestRise(animal, walk, leg, step.foot, hip));
    } else if (animal.steady && step.part > DECIDED) {
      // It cannot do without the foot that lands; until then, another place may do.
      const later = moved(bearer, hip, leftToSwing(animal, walk, step));
      const there = { x: later.x, y: hip.y, z: later.z };
      const fastest = fastestRise(animal, walk, leg, step.goal, there);
      bearer.fastest = smaller(bearer.fastest, fastest);
    }
  }
  const up = least.map((rise) => larger(rise, 0));
  together(animal, up);
  together(animal, down);
  let rises = false;
  if (isStiff(animal)) {
    let slowest = HUGE;
    for (let k = 0; k < walk.stations.length; k++) {
      const station = walk.stations[k];
      rises = rises || up[k] > 0;
      slowest = smaller(slowest, station.fastest);
    }
    for (const station of walk.stations) {
      station.fastest = slowest;
    }
  }
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    let goal = up[k];
    if (rises || goal > 0) {
      station.floor = larger(station.floor, pose.frames[k].y - heave + goal);
    } else {
      goal = larger(-down[k], smaller(least[k], 0));
      if (flight) {
        goal = smaller(goal, station.shift.at);
      }
    }
    // Both together fall no faster than one may.
    const sinks = clamp(FALL * GRAVITY - station.sinks, 0, FALL * GRAVITY);
    // A leg that cannot reach its foot lifts; it does not press the trunk into another one.
    const room = smaller(rate * (least[k] - station.shift.at), 0);
    move(station.shift, goal, rate, larger(station.fastest, room), sinks, dt);
  }
  if (isStiff(animal)) {
    straighten(animal, walk);
  }
}

/**
 * Return how fast a station may be shifted up for a leg that stands to keep its foot in reach.
 *
 * The nearer to the end of its reach, the slower; `hip` is its hip before the shift.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Leg} leg
 * @param {Point} foot
 * @param {Point} hip
 * @returns {number}
 */
export function fastestRise(animal, walk, leg, foot, hip) {
  const bearer = walk.stations[leg.station];
  const top = foot.y + heightAt(reachOf(leg, USED), hip, foot);
  const left = top - hip.y - bearer.shift.at;
  const rises = bearer.level.speed + leg.aside * walk.roll.speed;
  const rate = WITH_STEPS * clock(animal, walk);
  const brakes = Math.sqrt(2 * FALL * GRAVITY * larger(left, 0));
  return smaller(rate * left, brakes) - rises;
}

/**
 * Note by how much the station of a leg must rise or sink for it, now and when it lifts.
 *
 * What a leg in the air needs where it will land counts more and more. Where `least` is below 0,
 * a station may sink so far, and no farther for another leg.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Leg} leg
 * @param {Step} step
 * @param {Point} hip
 * @param {number[]} least
 * @param {number[]} down
 * @returns {void}
 */
export function freeLeg(animal, walk, leg, step, hip, least, down) {
  const at = leg.station;
  const bearer = walk.stations[at];
  let share = 1;
  let foot = step.goal;
  let first = 0;
  /** @type {number} */
  let seconds;
  if (step.down) {
    foot = step.foot;
    seconds = smaller(leftToStand(animal, walk, step), foresight(animal, walk));
    down[at] = larger(down[at], tooHigh(animal, leg, hip, foot));
  } else {
    share = smooth(step.part / DECIDED);
    seconds = leftToSwing(animal, walk, step);
    first = seconds;
  }
  const later = moved(bearer, hip, seconds);
  // It is nearest to its foot in between.
  const u = bearer.ux * bearer.ux + bearer.uz * bearer.uz + TINY;
  const way = (foot.x - hip.x) * bearer.ux + (foot.z - hip.z) * bearer.uz;
  const over = clamp(way / u, first, larger(seconds, foresight(animal, walk)));
  const high = step.down ? hip.y : later.y;
  let lacks = tooLow(animal, leg, moved(bearer, hip, over), foot);
  lacks = larger(lacks, step.leastHip - high);
  least[at] = larger(least[at], smaller(lacks, share * lacks));
  down[at] = larger(down[at], share * tooHigh(animal, leg, later, foot));
}

/**
 * Return a hip after a time, if its station moves on as now.
 * @param {Station} bearer
 * @param {Point} hip
 * @param {number} seconds
 * @returns {Point}
 */
export function moved(bearer, hip, seconds) {
  return { x: hip.x + bearer.ux * seconds, y: hip.y + bearer.level.speed * seconds, z: hip.z + bearer.uz * seconds };
}

/**
 * Return by how much a hip is too high for its leg to reach a foot, in metres; 0 if not.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @returns {number}
 */
export function tooHigh(animal, leg, hip, foot) {
  return larger(hip.y - foot.y - heightAt(reachOf(leg, animal.straight), hip, foot), 0);
}

/**
 * Return by how much a hip is too low for its leg to fold, in metres, less than 0 if not.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @returns {number}
 */
export function tooLow(animal, leg, hip, foot) {
  return heightAt(foldOf(leg, animal.least), hip, foot) - (hip.y - foot.y);
}

/**
 * Return how high a hip is over a foot at a distance from it, or little if it is far away.
 * @param {number} distance
 * @param {Point} hip
 * @param {Point} foot
 * @returns {number}
 */
export function heightAt(distance, hip, foot) {
  const dx = foot.x - hip.x;
  const dz = foot.z - hip.z;
  return side(distance, dx * dx + dz * dz);
}

/**
 * Shift a stiff trunk along a line; of a limp one, neighbours by half as much.
 * @param {Anatomy} animal
 * @param {number[]} shifts
 * @returns {void}
 */
export function together(animal, shifts) {
  const count = shifts.length;
  if (isStiff(animal)) {
    const line = lineOver(animal, shifts);
    for (let k = 0; k < count; k++) {
      shifts[k] = line.middle + line.slope * (animal.along[k] - animal.middle);
    }
  } else if (count > 2) {
    let before = 0;
    for (let k = 0; k < count; k++) {
      const own = shifts[k];
      const after = k + 1 < count ? shifts[k + 1] : own;
      shifts[k] = larger(own, 0.5 * (before + after));
      before = own;
    }
  }
}

/**
 * Move the shifts of a stiff trunk, and their rates, to those of a line.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {void}
 */
export function straighten(animal, walk) {
  const at = fit(animal, walk.stations.map((station) => station.shift.at));
  const speed = fit(animal, walk.stations.map((station) => station.shift.speed));
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    const arm = animal.along[k] - animal.middle;
    station.shift.at = at.middle + at.slope * arm;
    station.shift.speed = speed.middle + speed.slope * arm;
  }
}
