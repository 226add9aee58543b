// Room for the belly: the trunk clears the ground, and stops before what is too high.
//
// Printed from creature/stepping/belly.py by `python tools/generate.py`: do not edit.

import { rangeOf } from "./limbs.js";
import { HUGE, TINY, larger, smaller } from "./numbers.js";
import { isStiff, topUnder, velocity } from "./path.js";
import { WITH_STEPS, clock } from "./rhythm.js";
import { CLEARANCE } from "./swings.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Stand} Stand */
/** @typedef {import("./records.js").Walk} Walk */

export const NINE_TENTHS = 3.9; // time constants in which a damped number goes nine tenths of its way: a law

export const AHEAD = 4; // places on the way of a station at which the ground is looked at

export const ROOM = 0.5; // of the hip: a trunk stops so far before a wall, for its head and its knees; taste

/**
 * Note by how much each station must rise for its belly, now and on its way.
 *
 * It looks as far ahead as it comes, as slowly as its legs let it, while its height changes. Where
 * the ground is too high for its legs to carry it over, it stops before.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {number} heave
 * @param {((a: number, b: number) => number)} ground
 * @param {number[]} up
 * @returns {void}
 */
export function freeBelly(animal, walk, pose, heave, ground, up) {
  const v = velocity(walk, walk.aside.at, walk.ahead.at);
  const seconds = foresight(animal, walk);
  const clear = animal.belly + CLEARANCE * animal.hip;
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    const frame = pose.frames[k];
    const top = topUnder(animal, frame.x, frame.z, station.facing, ground);
    station.under = top + animal.belly;
    const most = station.level.at + animal.highest - clear;
    const ux = (v.x + walk.turn.at * (station.z - walk.z)) * seconds;
    const uz = (v.z - walk.turn.at * (station.x - walk.x)) * seconds;
    const far = Math.sqrt(ux * ux + uz * uz);
    const near = walk.slow * far;
    const room = ROOM * animal.hip;
    station.floor = top + clear;
    station.free = 1;
    let lacks = station.floor - (frame.y - heave);
    const coming = larger(station.goal - station.level.at, 0);
    if (far > TINY) {
      for (let n = 0; n < AHEAD; n++) {
        const way = (n + 1) / AHEAD * (near + room);
        const x = frame.x + way / far * ux;
        const z = frame.z + way / far * uz;
        const high = topUnder(animal, x, z, station.facing, ground);
        if (high > most) {
          station.free = larger(n / AHEAD * (near + room) - room, 0) / far;
          break;
        }
        if (way <= near) {
          const rise = smaller(station.level.speed * way / far * seconds, coming);
          lacks = larger(lacks, high + clear - (frame.y - heave + rise));
        }
      }
    }
    up[k] = larger(lacks, 0);
  }
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
