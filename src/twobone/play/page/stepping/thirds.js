// The angle of a third segment where the bones above it decide: of legs that lock, and birds.
//
// Printed from creature/stepping/thirds.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";
import { behind, bend, poleOf } from "./limbs.js";
import { between, facing } from "./numbers.js";
import { arc } from "./swings.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

const UP = 0.5; // of a way back: how far up the ankle below a still thigh points; taste

/**
 * Return how much the bones above decide, 0 to 1: less in the air, where a leg must fold.
 * @param {Walk} walk
 * @param {Step} step
 * @returns {number}
 */
export function holdOf(walk, step) {
  if (step.down) return 1;
  return 1 - walk.vigour.at * arc(step.part);
}

/**
 * Return the angle of the third segment of a leg above the ground, given that if it were free.
 *
 * `hold` is how much the bones above it decide, and `turn` that of the trunk.
 *
 * A leg that locks goes straight from knee to foot. One whose thigh is still has its ankle where
 * shin and third segment meet, from the knee of a leg at rest to the foot.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {number} free
 * @param {number} hold
 * @param {Turn} toes
 * @param {Turn} turn
 * @returns {number}
 */
export function angleWith(animal, leg, hip, foot, free, hold, toes, turn) {
  let angle = free;
  if (leg.third === 0 || (leg.locks === 0 && leg.still === 0)) return angle;
  const back = behind(leg, hip, foot, toes);
  const way = between(hip, foot);
  /** @type {Point} */
  let knee;
  if (leg.locks > 0) {
    knee = bend(way, leg.upper, leg.lower + leg.third, poleOf(leg, turn, way));
    angle += leg.locks * hold * steeper(between(way, knee), back, angle);
  }
  if (leg.still > 0) {
    const thigh = thighOf(animal, leg);
    knee = { x: thigh.z * turn.s, y: thigh.y, z: thigh.z * turn.c };
    const pole = { x: back.s, y: UP, z: back.c };
    const ankle = bend(between(way, knee), leg.third, leg.lower, pole);
    angle += leg.still * hold * steeper(ankle, back, angle);
  }
  return angle;
}

/**
 * Return by how much a way from a foot rises more steeply than an angle, seen from the side.
 * @param {Point} way
 * @param {Turn} back
 * @param {number} angle
 * @returns {number}
 */
export function steeper(way, back, angle) {
  const up = facing(angle);
  const along = way.x * back.s + way.z * back.c;
  return transcendental.arctangent(way.y * up.c - along * up.s, along * up.c + way.y * up.s);
}

/**
 * Return the way from hip to knee of a leg at rest that faces +z, seen from the side.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @returns {Point}
 */
export function thighOf(animal, leg) {
  const up = facing(leg.rest);
  const high = animal.height + leg.up;
  const ankle = { x: 0, y: leg.third * up.s - high, z: leg.footAhead - leg.third * up.c };
  return bend(ankle, leg.upper, leg.lower, poleOf(leg, { c: 1, s: 0 }, ankle));
}
