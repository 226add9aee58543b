// The body over the feet that stand: how far they let it go, and how it moves to their middle.
//
// Printed from creature/stepping/support.py by `python tools/generate.py`: do not edit.

import { straightest } from "./limbs.js";
import { HUGE, TINY, between, damp, facing, larger, length, side, smaller, smooth } from "./numbers.js";
import { atRest, lasting, reachOf } from "./path.js";
import { clock, leftToStand, settle } from "./rhythm.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Station} Station */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

const FOLLOW = 3.9; // per swing: a body goes nine tenths of its way over its feet in one; taste

const MARGIN = 0.06; // of a leg: how far inside each edge the body stays; the bar of .05, and some room

export const SINKS = 0.12; // of the hip: how far a hip may sink until its leg lifts; taste

export const USED = 0.97; // of the reach of a straight leg: how far the body goes over a foot; taste

/**
 * Return the share of a velocity with which each leg that stands reaches until it lifts.
 *
 * A leg without a foothold is not left farther behind; where others wait for it, it is if it does
 * not reach where it stood.
 * A hip at h over its foot, moving by u in that time, stays within R for the share s that solves
 * |foot - hip - s u|^2 = R^2 - h^2.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} vx
 * @param {number} vz
 * @returns {number}
 */
export function allowed(animal, walk, vx, vz) {
  let share = 1;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const station = walk.stations[leg.station];
    if (step.lost
      && lags(leg, station, step.goal, vx, vz)
      && !(animal.waits && beyond(animal, leg, step, step.hip) > 0)) {
      share = 0;
    }
    if (step.down) {
      const seconds = lasting(animal, walk, leftToStand(animal, walk, step));
      const reach = reachOf(leg, USED);
      const high = lowest(animal, leg, walk, step) - step.foot.y;
      const room = side(reach, high * high);
      const ux = (vx + walk.turn.at * (step.hip.z - walk.z)) * seconds;
      const uz = (vz - walk.turn.at * (step.hip.x - walk.x)) * seconds;
      const dx = step.foot.x - step.hip.x;
      const dz = step.foot.z - step.hip.z;
      const a = ux * ux + uz * uz;
      const b = dx * ux + dz * uz;
      const c = dx * dx + dz * dz - room * room;
      if (a > TINY) {
        if (c <= 0) {
          share = smaller(share, (b + Math.sqrt(larger(b * b - a * c, 0))) / a);
        } else if (b <= 0) {
          share = 0;
        }
      }
    }
  }
  return share;
}

/**
 * Return how low a hip may sink until its leg lifts, over the ground below its trunk.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Walk} walk
 * @param {Step} step
 * @returns {number}
 */
export function lowest(animal, leg, walk, step) {
  const least = walk.stations[leg.station].floor + leg.up;
  return larger(step.hip.y - SINKS * animal.hip, smaller(least, step.hip.y));
}

/**
 * Return by how much a leg is too short for its foothold from a hip.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Step} step
 * @param {Point} hip
 * @returns {number}
 */
export function beyond(animal, leg, step, hip) {
  return length(between(step.goal, hip)) - reachOf(leg, straightest(animal));
}

/**
 * Return whether a foot would be farther behind its place at rest if its station moved so.
 * @param {Leg} leg
 * @param {Station} station
 * @param {Point} foot
 * @param {number} ux
 * @param {number} uz
 * @returns {boolean}
 */
export function lags(leg, station, foot, ux, uz) {
  const rest = atRest(leg, station.x, station.z, station.facing);
  return (rest.x - foot.x) * ux + (rest.z - foot.z) * uz > 0;
}

/**
 * How far the body is inside the polygon of the feet that stand, beyond `MARGIN`.
 * @typedef {object} Margin
 * @property {number} inside distance to the nearest edge
 * @property {number} share of a velocity that keeps it there
 */

/**
 * Return the margin of support without a leg, -1 for none, while the body moves by (ux, uz).
 *
 * Two feet make an edge if all others are on one side of them.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} without
 * @param {number} ux
 * @param {number} uz
 * @returns {Margin}
 */
export function margin(animal, walk, without, ux, uz) {
  let inside = HUGE;
  let share = 1;
  const turn = facing(walk.yaw);
  const x = walk.x + walk.balanceX.at + animal.middle * turn.s;
  const z = walk.z + walk.balanceZ.at + animal.middle * turn.c;
  const feet = bearing(animal, walk, without);
  for (const a of feet) {
    for (const b of feet) {
      const ex = b.x - a.x;
      const ez = b.z - a.z;
      const size = Math.sqrt(ex * ex + ez * ez);
      if (size > TINY) {
        const nx = -ez / size;
        const nz = ex / size;
        if (allBeyond(feet, a, nx, nz)) {
          const d = (x - a.x) * nx + (z - a.z) * nz - MARGIN * animal.reach;
          const out = -(ux * nx + uz * nz);
          inside = smaller(inside, d);
          if (out > TINY && d < out) {
            share = smaller(share, larger(d, 0) / out);
          }
        }
      }
    }
  }
  return { inside, share };
}

/**
 * Return the feet that bear the body, without that of a leg which lifts, -1 for none.
 *
 * A leg that finds no foothold soon lets go; so may one near the end of its reach, before the leg
 * that lifts has landed.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} without
 * @returns {Point[]}
 */
export function bearing(animal, walk, without) {
  /** @type {Point[]} */
  const feet = [];
  for (let i = 0; i < walk.steps.length; i++) {
    const step = walk.steps[i];
    if (i !== without && step.down && !step.lost) {
      const reach = reachOf(animal.legs[i], USED);
      if (without < 0 || length(between(step.foot, step.hip)) <= reach) {
        feet.push(step.foot);
      }
    }
  }
  return feet;
}

/**
 * Return whether feet are on the side of a line through one to which (nx, nz) points.
 * @param {Point[]} feet
 * @param {Point} foot
 * @param {number} nx
 * @param {number} nz
 * @returns {boolean}
 */
export function allBeyond(feet, foot, nx, nz) {
  for (const each of feet) {
    const inside = (each.x - foot.x) * nx + (each.z - foot.z) * nz;
    if (inside < -TINY) return false;
  }
  return true;
}

/**
 * Move the body towards the middle of the feet that bear it.
 *
 * A foot bears more and more after it has landed, and less and less before it lifts or while it
 * waits to.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} dt
 * @returns {void}
 */
export function overFeet(animal, walk, dt) {
  if (animal.balance === 0) return;
  let weight = 0;
  let x = 0;
  let z = 0;
  let restX = 0;
  let restZ = 0;
  const count = walk.steps.length;
  const duty = walk.duty.at;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    let part = 0;
    if (step.down) {
      part = 1;
      if (walk.rate > 0) {
        part = smooth(smaller(duty - step.phase, step.since) / animal.lead);
      }
    }
    weight += part;
    x += part * (step.foot.x - walk.x);
    z += part * (step.foot.z - walk.z);
    const station = walk.stations[leg.station];
    const rest = atRest(leg, station.x, station.z, station.facing);
    restX += (rest.x - walk.x) / count;
    restZ += (rest.z - walk.z) / count;
  }
  if (weight > 0) {
    const rate = FOLLOW * clock(animal, walk) / (1 - duty);
    drift(walk, walk.balanceX, animal.balance * (x / weight - restX), rate, dt);
    drift(walk, walk.balanceZ, animal.balance * (z / weight - restZ), rate, dt);
  }
}

/**
 * Move the body towards a place over its feet, as slowly as the reach of legs lets it go.
 * @param {Walk} walk
 * @param {Damped} value
 * @param {number} goal
 * @param {number} rate
 * @param {number} dt
 * @returns {void}
 */
export function drift(walk, value, goal, rate, dt) {
  if (dt > 0) {
    damp(value, goal, rate, walk.lets * dt);
  } else {
    settle(value, goal, rate, 0);
  }
}
