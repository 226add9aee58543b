// The body over the feet that stand: its margin, and how it moves towards their middle.
//
// Printed from creature/stepping/support.py by `python tools/generate.py`: do not edit.

import { HUGE, TINY, damp, facing, larger, smaller, smooth } from "./numbers.js";
import { placedX, placedZ } from "./path.js";
import { clock, settle } from "./rhythm.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Walk} Walk */

export const FOLLOW = 3.9;

export const MARGIN = 0.06; // of a leg: how far inside each edge the body stays; the bar of .05, and some room

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
  for (let i = 0; i < walk.steps.length; i++) {
    const a = walk.steps[i];
    for (let j = 0; j < walk.steps.length; j++) {
      const b = walk.steps[j];
      if (i !== j && i !== without && j !== without && a.down && b.down) {
        const ex = b.foot.x - a.foot.x;
        const ez = b.foot.z - a.foot.z;
        const length = Math.sqrt(ex * ex + ez * ez);
        if (length > TINY) {
          const nx = -ez / length;
          const nz = ex / length;
          if (allBeyond(walk, without, a.foot, nx, nz)) {
            const d = (x - a.foot.x) * nx + (z - a.foot.z) * nz - MARGIN * animal.reach;
            const out = -(ux * nx + uz * nz);
            inside = smaller(inside, d);
            if (out > TINY && d < out) {
              share = smaller(share, larger(d, 0) / out);
            }
          }
        }
      }
    }
  }
  return { inside, share };
}

/**
 * Return whether all feet that stand are on the side of a line to which (nx, nz) points.
 *
 * The line goes through a foot.
 * @param {Walk} walk
 * @param {number} without
 * @param {Point} foot
 * @param {number} nx
 * @param {number} nz
 * @returns {boolean}
 */
export function allBeyond(walk, without, foot, nx, nz) {
  for (let k = 0; k < walk.steps.length; k++) {
    const step = walk.steps[k];
    if (k !== without && step.down) {
      const beyond = (step.foot.x - foot.x) * nx + (step.foot.z - foot.z) * nz;
      if (beyond < -TINY) return false;
    }
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
    const thereX = placedX(station.x, station.facing, leg.footAside, leg.footAhead);
    const thereZ = placedZ(station.z, station.facing, leg.footAside, leg.footAhead);
    restX += (thereX - walk.x) / count;
    restZ += (thereZ - walk.z) / count;
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
