// Ankle and knee between a hip and a foot, and whether they are in the ground.
//
// Printed from creature/stepping/limbs.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";
import { HUGE, TINY, facing, larger, mix, smaller } from "./numbers.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Point} Point */

export const OPEN = 1.06; // of the distance between the ends of two bones when folded: their least; taste

export const STRAIGHT = 0.995; // of the reach of two bones: the most that a leg uses; taste

export const SAMPLES = 3; // of the ground below a segment; more find lower edges and cost time

export const SOFT = 0.06; // of the reach of two bones: how far from its limits a leg begins to give way; taste

export const EASY = 0.3; // radians: how far from the way to the hip a third segment begins to give way; taste

export const ROUND = 0.1; // 1 - cosine of an angle below which a root is rounded off to a line; taste

/**
 * Distances from hip to ankle between which two bones bend.
 * @typedef {object} Range
 * @property {number} least
 * @property {number} most
 */

/**
 * Return the range for shares of the reach of two bones.
 * @param {Leg} leg
 * @param {number} least
 * @param {number} most
 * @returns {Range}
 */
export function rangeOf(leg, least, most) {
  const reach = leg.upper + leg.lower;
  const folded = OPEN * Math.abs(leg.upper - leg.lower);
  return { least: larger(folded, least * reach), most: most * reach };
}

/**
 * Return a distance in a range: the same number in its middle, bent smoothly at its ends.
 *
 * Within `soft` of an end it is a parabola that meets both lines with their slopes.
 * @param {number} distance
 * @param {Range} allowed
 * @param {number} soft
 * @returns {number}
 */
export function within(distance, allowed, soft) {
  const over = distance - allowed.most;
  if (over > -soft) {
    if (over >= soft) return allowed.most;
    return distance - (over + soft) * (over + soft) / (4 * soft);
  }
  const under = allowed.least - distance;
  if (under > -soft) {
    if (under >= soft) return allowed.least;
    return distance + (under + soft) * (under + soft) / (4 * soft);
  }
  return distance;
}

/**
 * Return the distance from the origin.
 * @param {Point} p
 * @returns {number}
 */
export function length(p) {
  return Math.sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
}

/**
 * Return the vector from a to b.
 * @param {Point} a
 * @param {Point} b
 * @returns {Point}
 */
export function between(a, b) {
  return { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z };
}

/**
 * Return the vector product.
 * @param {Point} a
 * @param {Point} b
 * @returns {Point}
 */
export function cross(a, b) {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x };
}

/**
 * Return where the third segment lies seen from above: x is `s` and z is `c`.
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {Turn} toes
 * @returns {Turn}
 */
export function behind(leg, hip, foot, toes) {
  if (!leg.radial) return { c: -toes.c, s: -toes.s };
  const dx = hip.x - foot.x;
  const dz = hip.z - foot.z;
  const d = Math.sqrt(dx * dx + dz * dz);
  if (d < TINY) return { c: -toes.c, s: -toes.s };
  return { c: dz / d, s: dx / d };
}

/**
 * Return the ankle: the end of the third segment that rises by an angle from the foot.
 *
 * Where hip and ankle would be nearer or farther than allowed, the segment turns in its plane as
 * far as it needs to, which is the formula of two bones again: the third segment, and the distance
 * to the hip.
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {number} angle
 * @param {Turn} toes
 * @param {Range} allowed
 * @returns {Point}
 */
export function ankleOf(leg, hip, foot, angle, toes, allowed) {
  if (leg.third === 0) return foot;
  const back = behind(leg, hip, foot, toes);
  const up = facing(leg.radial ? angle : aslant(leg, between(foot, hip), angle, back, allowed));
  let wx = leg.third * up.c * back.s;
  let wy = leg.third * up.s;
  let wz = leg.third * up.c * back.c;
  const hx = hip.x - foot.x;
  const hy = hip.y - foot.y;
  const hz = hip.z - foot.z;
  const dx = hx - wx;
  const dy = hy - wy;
  const dz = hz - wz;
  const wanted = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const soft = SOFT * (leg.upper + leg.lower);
  const distance = within(wanted, allowed, soft);
  if (distance !== wanted) {
    const turned = bend({ x: hx, y: hy, z: hz }, leg.third, distance, { x: wx, y: wy, z: wz });
    // The plain formula rounds; the length of a bone is exact.
    const size = leg.third / length(turned);
    wx = size * turned.x;
    wy = size * turned.y;
    wz = size * turned.z;
  }
  return { x: foot.x + wx, y: foot.y + wy, z: foot.z + wz };
}

/**
 * Return the angle of a third segment that leaves a leg below its trunk room to fold.
 *
 * `hip` is seen from the foot. As the foot swings forward below the hip, the segment comes to lie
 * along the way to it, and the ankle too near to it: it stays behind until the hip is far enough.
 * Seen from the side, hip, foot and ankle are a triangle whose angle at the foot, e, has
 *
 *     cos e = (d^2 + r^2 - least^2) / (2 d r)
 *
 * and e = sqrt(2 x) (1 + x / 12) for x = 1 - cos e, nearly. Beyond that triangle x is negative.
 * @param {Leg} leg
 * @param {Point} hip
 * @param {number} angle
 * @param {Turn} back
 * @param {Range} allowed
 * @returns {number}
 */
export function aslant(leg, hip, angle, back, allowed) {
  const away = hip.x * back.s + hip.z * back.c;
  const aside = hip.x * back.c - hip.z * back.s;
  const square = away * away + hip.y * hip.y;
  const least = allowed.least * allowed.least - aside * aside;
  if (square < TINY) return angle;
  const size = 2 * Math.sqrt(square) * leg.third;
  const x = 1 - (square + leg.third * leg.third - least) / size;
  // The root has no tangent at 0, and the segment would jump there.
  const room = Math.sqrt(2) * x / Math.sqrt(Math.abs(x) + ROUND) * (1 + x / 12);
  const line = transcendental.arctangent(hip.y, away);
  return line + within(angle - line, { least: -HUGE, most: -room }, EASY);
}

/**
 * Return the joint between two bones, by the plain formula of the article.
 *
 * It is for plans and third segments: what a pose shows as a knee is `twobone.solveXyz`.
 * @param {Point} target
 * @param {number} r1
 * @param {number} r2
 * @param {Point} pole
 * @returns {Point}
 */
export function bend(target, r1, r2, pole) {
  const h = larger(target.x * target.x + target.y * target.y + target.z * target.z, TINY * TINY);
  const w = h + r1 * r1 - r2 * r2;
  const area = 4 * r1 * r1 * h - w * w;
  const dot = (pole.x * target.x + pole.y * target.y + pole.z * target.z) / h;
  const mx = pole.x - dot * target.x;
  const my = pole.y - dot * target.y;
  const mz = pole.z - dot * target.z;
  const mm = larger(mx * mx + my * my + mz * mz, TINY * TINY);
  /** @type {number} */
  let along;
  if (area <= 0) {
    // Straight, or folded: the first bone lies along the way to the target, or against it.
    along = w > 0 ? r1 / Math.sqrt(h) : -r1 / Math.sqrt(h);
    return { x: along * target.x, y: along * target.y, z: along * target.z };
  }
  along = w / (2 * h);
  const across = Math.sqrt(area / (4 * h * mm));
  return { x: along * target.x + across * mx, y: along * target.y + across * my, z: along * target.z + across * mz };
}

/**
 * Return the pole of a knee in space, for a trunk that faces so; `ankle` is seen from the hip.
 *
 * A leg that stands out from its trunk bends towards a fixed direction, mostly up. The pole of one
 * below its trunk is that of a leg which hangs down, turned with the leg the shortest way: only
 * there where it points up does its plane turn over. For a unit vector d to the ankle and u down
 * it is p - (p . d) (u + d) / (1 + u . d), here times a positive number.
 * @param {Leg} leg
 * @param {Turn} turn
 * @param {Point} ankle
 * @returns {Point}
 */
export function poleOf(leg, turn, ankle) {
  const x = leg.poleAside * turn.c + leg.poleAhead * turn.s;
  const z = leg.poleAhead * turn.c - leg.poleAside * turn.s;
  if (leg.radial) return { x, y: leg.poleUp, z };
  const size = length(ankle);
  const along = x * ankle.x + z * ankle.z;
  const low = size - ankle.y;
  return { x: size * low * x - along * ankle.x, y: along * low, z: size * low * z - along * ankle.z };
}

/**
 * A leg that bends as in plans; the knee is seen from the hip.
 * @typedef {object} Bent
 * @property {Point} ankle
 * @property {Point} knee
 */

/**
 * Return ankle and knee of a leg; the arguments are those of `ankleOf`.
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {number} angle
 * @param {Turn} toes
 * @param {Range} allowed
 * @returns {Bent}
 */
export function bent(leg, hip, foot, angle, toes, allowed) {
  const ankle = ankleOf(leg, hip, foot, angle, toes, allowed);
  const way = between(hip, ankle);
  return { ankle, knee: bend(way, leg.upper, leg.lower, poleOf(leg, toes, way)) };
}

/**
 * Return how deep a leg below its knee is in the ground, or would be if its joints moved.
 *
 * The foot stays, and ankle and knee move by `clear`. The other arguments are those of `ankleOf`.
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {number} angle
 * @param {Turn} toes
 * @param {Range} allowed
 * @param {Point} clear
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function buried(leg, hip, foot, angle, toes, allowed, clear, ground) {
  const found = bent(leg, hip, foot, angle, toes, allowed);
  const ankle = plus(found.ankle, clear);
  const knee = plus(plus(hip, found.knee), clear);
  const deep = leg.third > 0 ? sunken(foot, ankle, ground) : 0;
  return larger(deep, sunken(ankle, knee, ground));
}

/**
 * Return the sum of two vectors.
 * @param {Point} a
 * @param {Point} b
 * @returns {Point}
 */
export function plus(a, b) {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
}

/**
 * Return how deep a segment is in the ground beyond its point a; 0 if it is not.
 * @param {Point} a
 * @param {Point} b
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function sunken(a, b, ground) {
  let most = 0;
  for (let k = 0; k < SAMPLES; k++) {
    const part = (k + 1) / SAMPLES;
    const high = ground(mix(a.x, b.x, part), mix(a.z, b.z, part));
    most = larger(most, high - mix(a.y, b.y, part));
  }
  return most;
}

/**
 * Return the angle of the ground behind a foot that the third segment must clear, 0 or more.
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {Turn} toes
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function slopeUnder(leg, hip, foot, toes, ground) {
  if (leg.third === 0) return 0;
  const back = behind(leg, hip, foot, toes);
  let most = 0;
  for (let k = 0; k < SAMPLES; k++) {
    const d = (k + 1) / SAMPLES * leg.third;
    most = larger(most, (ground(foot.x + d * back.s, foot.z + d * back.c) - foot.y) / d);
  }
  // Upright is enough: beyond that it would lean over, away from the hip.
  const upright = larger(0.5 * Math.PI - leg.rest, 0);
  return smaller(transcendental.arctangent(most, 1), upright);
}
