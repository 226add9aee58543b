// The way of the trunk: its middle with the velocity, each station after the one before it.
//
// Printed from creature/stepping/path.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";
import { rangeOf } from "./limbs.js";
import { TINY, clamp, facing, larger, placed, smaller } from "./numbers.js";
import { AT_EASE, WITH_SWINGS, answer, clock, eased, leftToSwing, overOf } from "./rhythm.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Above} Above */
/** @typedef {import("./records.js").Station} Station */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

const FOLDED = 0.5; // of the third segment: the length of it that a folded leg uses; taste

const RESTS = 8; // time constants in which a damped number goes to 3 thousandths of its way: a law

/**
 * Return the distance between hip and foot at which two bones use that part of their reach.
 * @param {Leg} leg
 * @param {number} used
 * @returns {number}
 */
export function reachOf(leg, used) {
  return used * (leg.upper + leg.lower) + leg.third;
}

/**
 * Return the least distance from hip to foot, where two bones keep that part of their reach.
 * @param {Leg} leg
 * @param {number} used
 * @returns {number}
 */
export function foldOf(leg, used) {
  return rangeOf(leg, used, 1).least + FOLDED * leg.third;
}

/**
 * Return a velocity in the world, given to the left and ahead of each station of a trunk.
 * @param {Walk} walk
 * @param {number} aside
 * @param {number} ahead
 * @returns {Above}
 */
export function velocity(walk, aside, ahead) {
  let x = 0;
  let z = 0;
  for (const station of walk.stations) {
    x += aside * station.facing.c + ahead * station.facing.s;
    z += ahead * station.facing.c - aside * station.facing.s;
  }
  return { x: x / walk.stations.length, z: z / walk.stations.length };
}

/**
 * Move the trunk for a time, with the share of a velocity that legs allow.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} vx
 * @param {number} vz
 * @param {number} share
 * @param {number} dt
 * @returns {void}
 */
export function advance(animal, walk, vx, vz, share, dt) {
  // It slows down at once and speeds up at ease.
  const rate = share < walk.slow ? WITH_SWINGS * clock(animal, walk) : AT_EASE;
  walk.slow = eased(walk.slow, share, rate, dt);
  walk.x += vx * walk.slow * dt;
  walk.z += vz * walk.slow * dt;
  turnStations(animal, walk, dt);
  placeStations(animal, walk, dt);
}

/**
 * Turn the station that leads; each other follows the one before it, as a trailer does.
 *
 * Between two, the line has their mean yaw. If both go straight ahead, it turns by their sideways
 * difference: gap (spin + spin before) / 2 = v (yaw before - yaw). What a trunk cannot follow,
 * since it would have to bend more than it can, it turns as a whole.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} dt
 * @returns {void}
 */
export function turnStations(animal, walk, dt) {
  const count = walk.stations.length;
  const forward = walk.ahead.at >= 0;
  const lead = forward ? count - 1 : 0;
  const whole = swinging(animal, walk.ahead.at, walk.turn.at) * walk.slow;
  let spin = walk.turn.at * walk.slow - whole;
  let yaw = walk.stations[lead].yaw;
  let after = yaw + (spin + whole) * dt;
  setYaw(walk, lead, after, dt);
  if (count > 1) {
    const gap = (animal.along[count - 1] - animal.along[0]) / (count - 1);
    const rate = Math.abs(walk.ahead.at) * walk.slow / gap;
    for (let j = 1; j < count; j++) {
      const i = forward ? lead - j : j;
      const was = walk.stations[i].yaw;
      spin = 2 * rate * (yaw - was) - spin;
      const now = was + (spin + whole) * dt;
      after -= clamp(after - now, -animal.bend, animal.bend);
      yaw = was;
      setYaw(walk, i, after, dt);
    }
  }
}

/**
 * Return the yaw rate by which a trunk turns as a whole.
 *
 * It is what is left of a turn when the trunk bends as the way does that it goes, or as it can.
 * @param {Anatomy} animal
 * @param {number} ahead
 * @param {number} turn
 * @returns {number}
 */
export function swinging(animal, ahead, turn) {
  if (animal.span === 0) return turn;
  const most = bends(animal) * Math.abs(ahead) / animal.span;
  return turn - clamp(turn, -most, most);
}

/**
 * Return the angle by which a trunk bends at most, from end to end.
 * @param {Anatomy} animal
 * @returns {number}
 */
export function bends(animal) {
  return (animal.along.length - 1) * animal.bend;
}

/**
 * Turn a station to a yaw.
 * @param {Walk} walk
 * @param {number} i
 * @param {number} yaw
 * @param {number} dt
 * @returns {void}
 */
export function setYaw(walk, i, yaw, dt) {
  const station = walk.stations[i];
  station.spin = (yaw - station.yaw) / dt;
  station.yaw = yaw;
  station.facing = facing(yaw);
}

/**
 * Place the stations along a line through the middle; a part of it has its ends' mean yaw.
 *
 * Where the trunk rises, its stations are nearer to each other, seen from above. With `dt` 0 they
 * have no velocity.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} dt
 * @returns {void}
 */
export function placeStations(animal, walk, dt) {
  const count = walk.stations.length;
  let x = 0;
  let z = 0;
  let sumX = 0;
  let sumZ = 0;
  let yaw = 0;
  const xs = Array.from({ length: count }, () => 0);
  const zs = Array.from({ length: count }, () => 0);
  for (let k = 0; k < count; k++) {
    if (k > 0) {
      const rise = height(walk.stations[k]) - height(walk.stations[k - 1]);
      let gap = animal.along[k] - animal.along[k - 1];
      gap = gap * gap / Math.sqrt(gap * gap + rise * rise);
      const mean = facing(0.5 * (walk.stations[k].yaw + walk.stations[k - 1].yaw));
      x += gap * mean.s;
      z += gap * mean.c;
    }
    xs[k] = x;
    zs[k] = z;
    sumX += x / count;
    sumZ += z / count;
    yaw += walk.stations[k].yaw / count;
  }
  walk.yaw = yaw;
  const turn = facing(yaw);
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    const wasX = station.x;
    const wasZ = station.z;
    station.x = walk.x + xs[k] - sumX + animal.middle * turn.s;
    station.z = walk.z + zs[k] - sumZ + animal.middle * turn.c;
    station.ux = dt > 0 ? (station.x - wasX) / dt : 0;
    station.uz = dt > 0 ? (station.z - wasZ) / dt : 0;
  }
}

/**
 * Return the height of a station over that of level ground.
 * @param {Station} station
 * @returns {number}
 */
export function height(station) {
  return station.level.at + station.shift.at;
}

/**
 * A station as it will be: where it is, and where it faces.
 * @typedef {object} Seen
 * @property {number} x
 * @property {number} z
 * @property {Turn} turn
 */

/**
 * Return a station after some time, if it goes on as now or slows down.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Station} station
 * @param {number} seconds
 * @returns {Seen}
 */
export function ahead(animal, walk, station, seconds) {
  if (seconds === 0) return { x: station.x, z: station.z, turn: station.facing };
  const way = lasting(animal, walk, seconds);
  const turned = station.spin * way;
  const half = facing(0.5 * turned);
  const x = station.x + (station.ux * half.c + station.uz * half.s) * way;
  const z = station.z + (station.uz * half.c - station.ux * half.s) * way;
  return { x, z, turn: facing(station.yaw + turned) };
}

/**
 * Return where the foot of a leg is at rest, beside its station.
 * @param {Leg} leg
 * @param {number} x
 * @param {number} z
 * @param {Turn} turn
 * @returns {Above}
 */
export function atRest(leg, x, z, turn) {
  return placed(x, z, turn, leg.footAside, leg.footAhead);
}

/**
 * Return the seconds in which a trunk would come as far, if it went on as fast as now.
 *
 * Its velocity v follows what is asked for as a critically damped number. Where it becomes slower,
 * along the way that it goes, it is (g + (a + (s + r a) t) exp(-r t)) v, with the share g of v
 * that it shall have, a = 1 - g, the rate r, and the share s by which it changes in a second.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} seconds
 * @returns {number}
 */
export function lasting(animal, walk, seconds) {
  const h = animal.hip * animal.hip;
  const aside = walk.aside.at;
  const forward = walk.ahead.at;
  const turn = h * walk.turn.at;
  const square = aside * aside + forward * forward + turn * walk.turn.at + TINY * TINY;
  const asked = walk.asked;
  let goal = (asked.aside * aside + asked.ahead * forward + asked.turn * turn) / square;
  if (goal >= 1) return seconds;
  goal = larger(goal, 0);
  const away = 1 - goal;
  const change = walk.aside.speed * aside + walk.ahead.speed * forward + walk.turn.speed * turn;
  const rate = answer(animal);
  const push = smaller(change / square, 0) + rate * away;
  const decay = transcendental.exponential(-rate * seconds);
  const damped = away * (1 - decay) + push * ((1 - decay) / rate - seconds * decay);
  return larger(goal * seconds + damped / rate, 0);
}

/**
 * Return where a foot wants to land: it is at rest there when its station is over it.
 *
 * In the middle of a stance, it is the foothold of Raibert (Legged robots that balance, 1986)
 * without its correction. A foot that lands on its heel and lifts from its toes stands later. It
 * need not step again where the trunk comes to rest, if it reaches that place.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Walk} walk
 * @param {Step} step
 * @returns {Above}
 */
export function wanted(animal, leg, walk, step) {
  const station = walk.stations[leg.station];
  const landing = leftToSwing(animal, walk, step);
  let seconds = landing + overOf(animal, walk) * walk.duty.at / clock(animal, walk);
  if (walk.stops) {
    const rest = resting(animal);
    const left = lasting(animal, walk, rest) - lasting(animal, walk, landing);
    if (left * strides(animal, walk) <= 0.5) {
      seconds = rest;
    }
  }
  const there = ahead(animal, walk, station, seconds);
  return atRest(leg, there.x, there.z, there.turn);
}

/**
 * Return over how many of the longest stances a trunk goes in a second.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function strides(animal, walk) {
  return Math.abs(walk.ahead.at) / animal.travel + Math.abs(walk.aside.at) / animal.across;
}

/**
 * Return the seconds in which an animal that stops comes to rest, nearly: see `RESTS`.
 * @param {Anatomy} animal
 * @returns {number}
 */
export function resting(animal) {
  return RESTS / answer(animal);
}

/**
 * Return how far an animal that stops still goes; a turn counts a hip's height from it.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function leftToGo(animal, walk) {
  const speed = Math.abs(walk.aside.at) + Math.abs(walk.ahead.at) + Math.abs(walk.turn.at) * animal.hip;
  return speed * lasting(animal, walk, resting(animal));
}

/**
 * Return whether the stations of a trunk rise and sink together.
 * @param {Anatomy} animal
 * @returns {boolean}
 */
export function isStiff(animal) {
  return animal.limp < 0.5;
}
