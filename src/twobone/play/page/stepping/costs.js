// What a foothold costs, from where its leg will stand.
//
// Printed from creature/stepping/costs.py by `python tools/generate.py`: do not edit.

import { buried, slopeUnder, straightest } from "./limbs.js";
import { HUGE, larger, mix, side, smaller } from "./numbers.js";
import { foldOf, reachOf } from "./path.js";
import { SINKS } from "./support.js";
import { CLEARANCE } from "./swings.js";
import { angleWith } from "./thirds.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Above} Above */
/** @typedef {import("./numbers.js").Point} Point */

// What a foothold costs: for each hip's height by which a leg is too long, too short or in the
// ground; for steepness, a change of height or an arc, and a ring. Taste, but for their order.
const LONG = 4;
export const SHORT = 9;
export const BURIED = 30;
const STEEP = 0.5;
export const HIGH = 0.5;
export const FAR = 0.25;

const RAISED = 1.5; // times its depth in the ground, by which the hip of a leg is raised to free it; taste

const RISEN = 0.5; // of that way: how far the hip has come when its foot lands; taste

/**
 * A leg as it will stand: its hip, the angle of its third segment, where its toes point.
 * @typedef {object} Leaning
 * @property {Above} hip
 * @property {number} leastY of the hip, over the crest of the ground below the trunk
 * @property {number} angle on level ground
 * @property {Turn} toes
 * @property {Point} clear by which the leg shall be free of the ground: see `buried`
 */

/**
 * A leg in its next stance: when it lands, when it lifts, and the height that its hip likes.
 * @typedef {object} Stance
 * @property {Leaning} landing
 * @property {Leaning} lifting
 * @property {number} line of the hip, if the foot stands where it stood
 * @property {number} highest of the hip, as far as legs that stand let it rise
 * @property {number} base height of the foot where it stood
 */

/**
 * What a foothold costs, and the least height of the hip with which the leg is free.
 * @typedef {object} Cost
 * @property {number} cost
 * @property {number} hip
 * @property {number} slope angle of the ground that its third segment clears as it lands and lifts
 */

/**
 * Return what a foothold costs which costs that much for its distance.
 *
 * What takes the least time is looked at first, and the rest not where that is more than the best
 * already.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Stance} stance
 * @param {Point} foot
 * @param {number} far
 * @param {number} best
 * @param {((a: number, b: number) => number)} ground
 * @returns {Cost}
 */
export function cost(animal, leg, stance, foot, far, best, ground) {
  let found = far + HIGH * Math.abs(foot.y - stance.base) / animal.hip;
  let hip = foot.y;
  let slope = 0;
  const own = liked(leg, stance, foot);
  if (found < best) {
    found += stretched(animal, leg, foot, own, stance.landing);
    found += stretched(animal, leg, foot, own, stance.lifting);
    if (lacks(animal, leg, foot, own, stance.landing)) {
      found = HUGE;
    }
  }
  if (found < best) {
    const edge = CLEARANCE * animal.hip;
    let steep = Math.abs(ground(foot.x + edge, foot.z) - foot.y);
    steep += Math.abs(ground(foot.x, foot.z + edge) - foot.y);
    found += STEEP * steep / edge;
  }
  if (found < best) {
    const landing = freed(animal, leg, foot, own, stance.landing, ground);
    found += landing.cost;
    hip = landing.hip;
    slope = landing.slope;
  }
  if (found < best) {
    // A tarsus lies towards the hip, and turns about the foot while the leg stands.
    const lifting = freed(animal, leg, foot, own, stance.lifting, ground);
    found += lifting.cost;
    hip = larger(hip, lifting.hip);
    slope = larger(slope, lifting.slope);
  }
  return { cost: found, hip, slope };
}

/**
 * Return the height that a hip would like, if its foot stands there.
 * @param {Leg} leg
 * @param {Stance} stance
 * @param {Point} foot
 * @returns {number}
 */
export function liked(leg, stance, foot) {
  return smaller(stance.line + leg.follows * (foot.y - stance.base), stance.highest);
}

/**
 * Return what a leg costs that is too long or too short, with its hip at such a place.
 *
 * `own` is the height that the hip would like.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} foot
 * @param {number} own
 * @param {Leaning} leaning
 * @returns {number}
 */
export function stretched(animal, leg, foot, own, leaning) {
  const y = larger(own, leaning.leastY);
  const distance = Math.sqrt(squareOf(leaning.hip, foot) + (foot.y - y) * (foot.y - y));
  const most = reachOf(leg, animal.straight);
  const least = foldOf(leg, animal.least);
  const found = LONG * larger(distance - most, 0) + SHORT * larger(least - distance, 0);
  return found / animal.hip;
}

/**
 * Return whether a leg is too short for a foothold, though its hip has sunk.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} foot
 * @param {number} own
 * @param {Leaning} leaning
 * @returns {boolean}
 */
export function lacks(animal, leg, foot, own, leaning) {
  const low = foot.y - larger(own - SINKS * animal.hip, leaning.leastY);
  const reach = reachOf(leg, straightest(animal));
  return squareOf(leaning.hip, foot) + low * low > reach * reach;
}

/**
 * Return the squared distance of a foot from its hip, seen from above.
 * @param {Above} hip
 * @param {Point} foot
 * @returns {number}
 */
export function squareOf(hip, foot) {
  const dx = foot.x - hip.x;
  const dz = foot.z - hip.z;
  return dx * dx + dz * dz;
}

/**
 * Return what a leg costs that is in the ground, or whose hip must rise to free it.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} foot
 * @param {number} own
 * @param {Leaning} leaning
 * @param {((a: number, b: number) => number)} ground
 * @returns {Cost}
 */
export function freed(animal, leg, foot, own, leaning, ground) {
  const y = larger(own, leaning.leastY);
  const below = { x: leaning.hip.x, y: foot.y, z: leaning.hip.z };
  const slope = slopeUnder(leg, below, foot, leaning.toes, ground);
  const angle = leaning.angle + slope;
  const high = { x: leaning.hip.x, y, z: leaning.hip.z };
  let depth = depthOf(animal, leg, high, foot, angle, leaning.toes, leaning.clear, ground);
  let found = 0;
  let hip = foot.y;
  if (depth > 0) {
    const room = side(reachOf(leg, animal.straight), squareOf(leaning.hip, foot));
    const top = smaller(y + RAISED * depth, foot.y + room);
    let left = depth;
    if (top > y) {
      const risen = { x: high.x, y: mix(y, top, RISEN), z: high.z };
      left = depthOf(animal, leg, risen, foot, angle, leaning.toes, leaning.clear, ground);
    }
    if (left < depth) {
      found = HIGH * (top - y);
      depth = left;
      hip = top;
    }
  }
  return { cost: (found + BURIED * depth) / animal.hip, hip, slope };
}

/**
 * Return how deep a leg would be in the ground, as `buried`.
 *
 * Its third segment would have such an angle if it were free.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {number} free
 * @param {Turn} toes
 * @param {Point} clear
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function depthOf(animal, leg, hip, foot, free, toes, clear, ground) {
  const angle = angleWith(animal, leg, hip, foot, free, 1, toes, toes);
  return buried(animal, leg, hip, foot, angle, toes, clear, ground);
}
