// Room for the belly: the trunk clears the ground, and stops before what is too high.
//
// Printed from creature/stepping/belly.py by `python tools/generate.py`: do not edit.

import { TINY, facing, larger, smaller } from "./numbers.js";
import { isStiff, topUnder } from "./path.js";
import { WITH_STEPS, clock } from "./rhythm.js";
import { CLEARANCE } from "./swings.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./records.js").Frame} Frame */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Walk} Walk */

export const NINE_TENTHS = 3.9; // time constants in which a damped number goes nine tenths of its way: a law

export const AHEAD = 4; // places on the way of a station at which the ground is looked at

export const ROOM = 0.5; // of the hip: a trunk stops so far before a wall, for its head and its knees; taste

/**
 * Note by how much each station must rise for its belly, now and on its way.
 *
 * It looks as far ahead as it would come while its height changes. Where the ground is too high
 * for its legs to carry it over, it stops before.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {number} heave
 * @param {((a: number, b: number) => number)} ground
 * @param {number[]} up
 * @returns {void}
 */
export function freeBelly(animal, walk, pose, heave, ground, up) {
  const turn = facing(walk.yaw);
  const vx = walk.aside.at * turn.c + walk.ahead.at * turn.s;
  const vz = walk.ahead.at * turn.c - walk.aside.at * turn.s;
  const seconds = foresight(animal, walk);
  const clear = animal.belly + CLEARANCE * animal.hip;
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    const frame = pose.frames[k];
    const top = topUnder(animal, frame.x, frame.z, station.facing, ground);
    station.under = top + animal.belly;
    const most = station.level.at + animal.highest - clear;
    const ux = (vx + walk.turn.at * (station.z - walk.z)) * seconds;
    const uz = (vz - walk.turn.at * (station.x - walk.x)) * seconds;
    const far = Math.sqrt(ux * ux + uz * uz);
    const room = ROOM * animal.hip;
    station.floor = top + clear;
    station.free = 1;
    let lacks = station.floor - (frame.y - heave);
    const coming = larger(station.goal - station.level.at, 0);
    if (far > TINY) {
      for (let n = 0; n < AHEAD; n++) {
        const way = (n + 1) / AHEAD * (far + room);
        const x = frame.x + way / far * ux;
        const z = frame.z + way / far * uz;
        const high = topUnder(animal, x, z, station.facing, ground);
        if (high > most) {
          station.free = larger(n / AHEAD * (far + room) - room, 0) / far;
          break;
        }
        if (way <= far) {
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
 * Keep the belly out of the ground: the one constraint on a pose.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Frame[]} frames
 * @returns {void}
 */
export function keepOff(animal, walk, frames) {
  let most = 0;
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    most = larger(most, station.under - frames[k].y);
    if (!isStiff(animal)) {
      frames[k].y = larger(frames[k].y, station.under);
    }
  }
  if (isStiff(animal)) {
    for (const frame of frames) {
      frame.y += most;
    }
  }
}
