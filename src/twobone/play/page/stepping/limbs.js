// Ankle and knee between a hip and a foot, and whether they are in the ground.
//
// Printed from creature/stepping/limbs.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";
import { TINY, between, facing, larger, length, mix, plus, smaller } from "./numbers.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Point} Point */

const OPEN = 1.06; // of the distance between the ends of two bones when folded: their least; taste

const STRAIGHT = 0.995; // of the reach of two bones: the most that a leg uses; taste

const SAMPLES = 6; // of the ground below a segment; more find lower edges and cost time

export const SOFT = 0.06; // of the reach of two bones: how far before its ends a leg begins to give way; taste

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
 * Return the most of its reach that a leg uses: all of it, where others wait for its foot.
 * @param {Anatomy} animal
 * @returns {number}
 */
export function straightest(animal) {
  return animal.waits ? STRAIGHT : 0.5 * (1 + animal.straight);
}

/**
 * Return the distances from hip to ankle between which the bones of a pose bend.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @returns {Range}
 */
export function bending(animal, leg) {
  return rangeOf(leg, animal.least, straightest(animal));
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
 * The segment is in a plane with the hip, and turns there as far as the two bones need it to.
 * Foot, hip and ankle are a triangle whose angle at the foot, e, has
 *
 *     cos e = (d^2 + r^2 - distance^2) / (2 d r)
 *
 * for the way d from foot to hip, the length r of the segment, and the distance of hip and ankle,
 * which alone moves the knee: so that is what nears the ends of its range smoothly.
 * Below its trunk, the segment stays behind the way to the hip; that of a leg which stands out is
 * above it.
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
  const dx = hip.x - foot.x;
  const dz = hip.z - foot.z;
  let high = hip.y - foot.y;
  const away = dx * back.s + dz * back.c;
  let over = { c: 1, s: 0 };
  if (high > 0) {
    const aside = dx * back.c - dz * back.s;
    const rise = Math.sqrt(high * high + aside * aside);
    over = { c: high / rise, s: aside / rise };
    high = rise;
  }
  let up = facing(angle);
  const square = away * away + high * high;
  if (square > TINY) {
    const way = Math.sqrt(square);
    const rest = square + leg.third * leg.third;
    const above = leg.radial ? 1 : -1;
    const nearest = Math.abs(way - leg.third);
    const inside = above * (away * up.s - high * up.c) > 0;
    let free = rest - 2 * leg.third * (away * up.c + high * up.s);
    free = inside ? Math.sqrt(larger(free, 0)) : nearest;
    const soft = smaller(SOFT * (leg.upper + leg.lower), smaller(way, leg.third));
    let held = within(free, allowed, soft);
    // Where the leg is too short or too long, the segment lies along the way.
    const room = smaller(allowed.most - nearest, way + leg.third - allowed.least);
    held = within(held, { least: nearest, most: way + leg.third }, smaller(soft, larger(room, 0)));
    if (held !== free || !inside) {
      const c = (rest - held * held) / (2 * way * leg.third);
      const s = above * Math.sqrt(larger(1 - c * c, 0));
      up = { c: (away * c - high * s) / way, s: (high * c + away * s) / way };
    }
  }
  const rises = leg.third * up.s;
  return {
    x: foot.x + leg.third * up.c * back.s + rises * over.s * back.c,
    y: foot.y + rises * over.c,
    z: foot.z + leg.third * up.c * back.c - rises * over.s * back.s,
  };
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
 * It is that of the leg at rest, turned with the leg the shortest way: its plane turns over only
 * where the leg points against its rest. For unit vectors u to the ankle at rest and d to it now,
 * the pole p becomes p - p . (u + d) / (1 + u . d) (u + d), and something along d; here times a
 * positive number.
 * @param {Leg} leg
 * @param {Turn} turn
 * @param {Point} ankle
 * @returns {Point}
 */
export function poleOf(leg, turn, ankle) {
  const x = leg.poleAside * turn.c + leg.poleAhead * turn.s;
  const y = leg.poleUp;
  const z = leg.poleAhead * turn.c - leg.poleAside * turn.s;
  const ux = leg.ankleAside * turn.c + leg.ankleAhead * turn.s;
  const uy = leg.ankleUp;
  const uz = leg.ankleAhead * turn.c - leg.ankleAside * turn.s;
  const size = larger(length(ankle), TINY);
  const sx = ux + ankle.x / size;
  const sy = uy + ankle.y / size;
  const sz = uz + ankle.z / size;
  const along = x * sx + y * sy + z * sz;
  const near = ux * sx + uy * sy + uz * sz;
  return { x: near * x - along * sx, y: near * y - along * sy, z: near * z - along * sz };
}

/**
 * A leg that bends as in plans; the knee is seen from the hip.
 * @typedef {object} Bent
 * @property {Point} ankle
 * @property {Point} knee
 */

/**
 * Return ankle and knee of a leg; the arguments are those of `ankleOf`.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {number} angle
 * @param {Turn} toes
 * @returns {Bent}
 */
export function bent(animal, leg, hip, foot, angle, toes) {
  const ankle = ankleOf(leg, hip, foot, angle, toes, bending(animal, leg));
  const way = between(hip, ankle);
  return { ankle, knee: bend(way, leg.upper, leg.lower, poleOf(leg, toes, way)) };
}

/**
 * Return how deep a leg below its knee is in the ground, or would be if its joints moved.
 *
 * The foot stays, and ankle and knee move by `clear`. The other arguments are those of `ankleOf`.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Point} hip
 * @param {Point} foot
 * @param {number} angle
 * @param {Turn} toes
 * @param {Point} clear
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function buried(animal, leg, hip, foot, angle, toes, clear, ground) {
  const found = bent(animal, leg, hip, foot, angle, toes);
  const ankle = plus(found.ankle, clear);
  const knee = plus(plus(hip, found.knee), clear);
  const deep = leg.third > 0 ? sunken(foot, ankle, ground) : 0;
  return larger(deep, sunken(ankle, knee, ground));
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
