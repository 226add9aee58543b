// How far a leg turns about the line from hip to ankle, where the ground is in its knee's way.
//
// Printed from creature/stepping/knees.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";
import { bent } from "./limbs.js";
import { TINY, between, clamp, cross, facing, larger, length, plus } from "./numbers.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Stand} Stand */

// Of the hip: so near the ground, a knee begins to turn aside: twice the clearance of what plans are
// about, since it turns more slowly than the ground comes.
const NEAR = 0.08;

const WIDEST = 0.8; // radians: a knee turns aside at most so far; taste

/**
 * Return the angle by which a leg must turn for its knee to clear the ground, 0 if it does.
 *
 * The knee goes around a circle whose radius r leads to it now. Where the ground is a plane with
 * the normal n, it has the height h at an angle t for
 *
 *     r . n cos t + (axis x r) . n sin t = r . n + h - height now
 *
 * which is a line that meets a circle. Of the two places, that nearer to the angle `now` is taken.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Stand} stand
 * @param {number} now
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function splayed(animal, leg, stand, now, ground) {
  if (leg.radial) return 0;
  const toes = facing(stand.facing);
  const found = bent(animal, leg, stand.hip, stand.foot, stand.angle, toes);
  const knee = found.knee;
  const there = plus(stand.hip, knee);
  const clear = NEAR * animal.hip;
  const under = ground(there.x, there.z);
  const lacks = under + clear - there.y;
  if (lacks <= 0) return 0;
  const slopeX = (ground(there.x + clear, there.z) - under) / clear;
  const slopeZ = (ground(there.x, there.z + clear) - under) / clear;
  const way = between(stand.hip, found.ankle);
  const square = larger(way.x * way.x + way.y * way.y + way.z * way.z, TINY * TINY);
  const part = (knee.x * way.x + knee.y * way.y + knee.z * way.z) / square;
  const r = { x: knee.x - part * way.x, y: knee.y - part * way.y, z: knee.z - part * way.z };
  const size = Math.sqrt(square);
  const turned = cross(way, r);
  const a = r.y - slopeX * r.x - slopeZ * r.z;
  const b = turned.y / size - slopeX * turned.x / size - slopeZ * turned.z / size;
  const need = a + lacks;
  const left = Math.sqrt(larger(a * a + b * b - need * need, 0));
  const one = transcendental.arctangent(need * b - a * left, need * a + b * left);
  const two = transcendental.arctangent(need * b + a * left, need * a - b * left);
  return clamp(Math.abs(one - now) < Math.abs(two - now) ? one : two, -WIDEST, WIDEST);
}

/**
 * Return a pole that is turned about the way from hip to ankle.
 * @param {Point} pole
 * @param {Point} way
 * @param {number} angle
 * @returns {Point}
 */
export function turnedBy(pole, way, angle) {
  const size = larger(length(way), TINY);
  const turn = facing(angle);
  const s = turn.s / size;
  const across = cross(way, pole);
  return { x: turn.c * pole.x + s * across.x, y: turn.c * pole.y + s * across.y, z: turn.c * pole.z + s * across.z };
}
