// Room for the belly: the trunk clears the ground, and stops before what is too high.
//
// Printed from creature/stepping/belly.py by `python tools/generate.py`: do not edit.

import { rangeOf } from "./limbs.js";
import { HUGE, TINY, facing, larger, placed, smaller } from "./numbers.js";
import { atRest, isStiff, velocity } from "./path.js";
import { ENOUGH, WITH_STEPS, clock } from "./rhythm.js";
import { SINKS } from "./support.js";
import { CLEARANCE } from "./swings.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Stand} Stand */
/** @typedef {import("./records.js").Walk} Walk */

const NINE_TENTHS = 3.9; // time constants in which a damped number goes nine tenths of its way: a law

const AHEAD = 3; // places on the way of a station at which the ground is looked at

const ROOM = 0.5; // of the hip: a trunk stops so far before a wall, for its head and its knees; taste

/**
 * Note by how much each station must rise at the least for its belly, now and on its way.
 *
 * It looks as far ahead as it comes while its height changes, as slowly as its legs let it, but
 * not so slowly that it would be blocked. It goes on no faster than it can rise to what comes, and
 * stops before ground that is too high for its legs to carry it over: see `isWalled`.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {number} heave
 * @param {((a: number, b: number) => number)} ground
 * @param {number[]} least
 * @returns {void}
 */
export function freeBelly(animal, walk, pose, heave, ground, least) {
  const v = velocity(walk, walk.aside.at, walk.ahead.at);
  const seconds = foresight(animal, walk);
  const clear = animal.belly + CLEARANCE * animal.hip;
  const room = ROOM * animal.hip;
  const rolled = facing(walk.roll.at).s;
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    const frame = pose.frames[k];
    const own = frame.y - heave;
    const top = topUnder(animal, frame.x, frame.z, station.facing, rolled, ground);
    station.under = top + animal.belly;
    const most = station.level.at + animal.highest - clear;
    const ux = (v.x + walk.turn.at * (station.z - walk.z)) * seconds;
    const uz = (v.z - walk.turn.at * (station.x - walk.x)) * seconds;
    const far = Math.sqrt(ux * ux + uz * uz);
    const slow = larger(walk.slow, ENOUGH);
    const near = slow * far;
    station.floor = top + clear;
    station.free = 1;
    let lacks = station.floor - own;
    const coming = larger(station.goal - station.level.at, 0);
    if (far > TINY) {
      for (let n = 0; n < AHEAD; n++) {
        const before = n / AHEAD;
        const part = (n + 1) / AHEAD;
        const x = frame.x + part * near / far * ux;
        const z = frame.z + part * near / far * uz;
        const high = topUnder(animal, x, z, station.facing, rolled, ground);
        const rise = smaller(station.level.speed * part * slow * seconds, coming);
        let need = high + clear - (own + rise);
        lacks = larger(lacks, need);
        need -= station.shift.at + clear - animal.belly;
        if (need > 0) {
          // Legs that hold it down give up, or step up, while it sinks into them.
          const risen = larger(station.fastest * seconds, SINKS * animal.hip);
          station.free = smaller(station.free, before * near / far * risen / need);
        }
        const reach = walk.slow + room / far;
        if (isWalled(animal, walk, k, part * reach * ux, part * reach * uz, most, ground)) {
          station.free = smaller(station.free, larger(before * reach - room / far, 0));
          break;
        }
      }
    }
    least[k] = larger(least[k], lacks);
  }
}

/**
 * Return how high a station must be for the ground across its width.
 *
 * `rolled` is the sine of its roll.
 * @param {Anatomy} animal
 * @param {number} x
 * @param {number} z
 * @param {Turn} turn
 * @param {number} rolled
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function topUnder(animal, x, z, turn, rolled, ground) {
  let top = ground(x, z);
  if (animal.half > 0) {
    const left = placed(x, z, turn, animal.half, 0);
    const right = placed(x, z, turn, -animal.half, 0);
    const up = animal.half * rolled;
    top = larger(top, ground(left.x, left.z) - up);
    top = larger(top, ground(right.x, right.z) + up);
  }
  return top;
}

/**
 * Return whether a station that moves by (x, z), or a foot beside it, comes to such a height.
 *
 * A foot beside which the ground is so high already is left to its footholds. The station rises
 * with the ground there that its feet find where they stand nearest to it.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} k
 * @param {number} x
 * @param {number} z
 * @param {number} most
 * @param {((a: number, b: number) => number)} ground
 * @returns {boolean}
 */
export function isWalled(animal, walk, k, x, z, most, ground) {
  const station = walk.stations[k];
  const top = ground(station.x + x, station.z + z);
  let rises = 0;
  let feet = 0;
  for (const leg of animal.legs) {
    if (leg.station === k) {
      const foot = atRest(leg, station.x, station.z, station.facing);
      if (ground(foot.x + x, foot.z + z) > most && ground(foot.x, foot.z) <= most) return true;
      if (top > most) {
        const aside = animal.wide * leg.footAside;
        const near = placed(station.x + x, station.z + z, station.facing, aside, leg.footAhead);
        rises += ground(near.x, near.z) - station.level.at;
        feet += 1;
      }
    }
  }
  return top > most + larger(rises / larger(feet, 1), 0);
}

/**
 * Return the seconds in which a height goes nine tenths of its way: see `WITH_STEPS`.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function foresight(animal, walk) {
  return NINE_TENTHS / (WITH_STEPS * clock(animal, walk));
}

/**
 * Keep the belly out of the ground and over folded legs: the one constraint on a pose.
 *
 * The hips of the pose are not yet shifted with their stations.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @returns {void}
 */
export function keepOff(animal, walk, pose) {
  const up = Array.from({ length: pose.frames.length }, (_, k) => larger(walk.stations[k].under - pose.frames[k].y, 0));
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const stand = pose.stands[i];
    if (stand.down) {
      const shift = walk.stations[leg.station].shift.at;
      up[leg.station] = larger(up[leg.station], foldedBy(leg, stand) - shift);
    }
  }
  let most = 0;
  for (let k = 0; k < up.length; k++) {
    most = larger(most, up[k]);
  }
  for (let k = 0; k < pose.frames.length; k++) {
    const frame = pose.frames[k];
    frame.y += isStiff(animal) ? most : up[k];
  }
}

/**
 * Return by how much a hip must rise until its leg is folded no further than it can.
 * @param {Leg} leg
 * @param {Stand} stand
 * @returns {number}
 */
export function foldedBy(leg, stand) {
  const least = rangeOf(leg, 0, 1).least - leg.third;
  const dx = stand.hip.x - stand.foot.x;
  const dz = stand.hip.z - stand.foot.z;
  const square = least * least - dx * dx - dz * dz;
  if (least <= 0 || square <= 0) return -HUGE;
  return Math.sqrt(square) - (stand.hip.y - stand.foot.y);
}
