// Speed limits: how much of its speed a body may keep before a leg, knee or its support limits it
// (creature/governor.py).

import { twobone } from "../solver.js";
import { conjugate, dot, minus, plus, rotated } from "./footing.js";
import { maximum, minimum } from "./gait.js";
import { bentBy } from "./posture.js";

/** @import { Anatomy, Place, Point, Pose, Slack, Terrain } from "./types.js" */

export const STRAIGHT = 0.94; // of reach: maximum extension of a leg
export const BRAKE = 0.12; // seconds: how far ahead a body looks; its slack must last at least as long
// Parts of the way from knee to foot at which shins must be above the ground. A body slows down for
// the first two, or the first if its knees point up.
const SHIN = [0.4, 0.7, 0.85, 0.95];
const SPARE = 0.02; // of the leg's length: how far those of legs that turn aside must be above hills there
const BETWEEN = 0.008; // the same for the knees of all legs, and less towards the foot at all points
const INSIDE = 0.04; // of the leg's length: how far beyond its limit a knee in the body's middle is

/**
 * Return infinite slacks of so many legs.
 * @param {number} legs
 * @returns {Slack}
 */
export const unknownSlack = (legs) => {
  const far = Array(legs).fill(Infinity);
  return { legs: far, knees: far, belly: Infinity, least: far };
};

/**
 * Return the knee of a leg.
 * @param {Point} hip
 * @param {Point} foot
 * @param {number[]} bones
 * @param {Point} pole
 * @returns {Point}
 */
export const kneeOf = (hip, foot, bones, pole) => plus(hip, thighOf(hip, foot, bones, pole));

/**
 * Return the way from the hip to the knee of a leg.
 * @param {Point} hip
 * @param {Point} foot
 * @param {number[]} bones
 * @param {Point} pole
 * @returns {Point}
 */
export const thighOf = (hip, foot, [r1, r2], pole) => twobone.reach(minus(foot, hip), r1, r2, { pole }).joint;

/**
 * Return the distances left to the limits for a pose of a body and feet.
 *
 * If `flies` is given, `least` is also the minimum of the heights above the ground of the feet that it
 * selects, of all points of the shins and of how far a knee is outside the body.
 * @param {Terrain} terrain
 * @param {Anatomy} anatomy
 * @param {Pose} pose
 * @param {Point[]} feet
 * @param {boolean[] | null} flies
 * @returns {Slack}
 */
export const slack = (terrain, anatomy, pose, feet, flies = null) => {
  const {
      legs: { reach, minReach },
      length,
      trunk,
    } = anatomy,
    { parts, braking, spare, between } = shinsOf(terrain, anatomy, !flies);
  const legs = feet.map((foot, leg) => {
    const way = minus(foot, pose.hips[leg]),
      away = Math.sqrt(dot(way, way));
    return minimum(STRAIGHT * reach[leg] - away, away - minReach[leg]);
  });
  const thighs = feet.map((foot, leg) => thighOf(pose.hips[leg], foot, anatomy.bones[leg], pose.poles[leg]));
  const shins = feet.map((foot, leg) => {
    const knee = plus(pose.hips[leg], thighs[leg]);
    return parts.map((part) => above(terrain, along(knee, foot, part)));
  });
  const knees = shins.map(([knee, ...points]) =>
    points.slice(0, braking).reduce((high, point) => minimum(high, point - spare), knee),
  );
  const least = legs.map((left, leg) => {
    let found = minimum(left, knees[leg]);
    if (!flies) return found;
    shins[leg].forEach((point, k) => (found = minimum(found, point - between * (1 - parts[k]))));
    if (trunk) found = minimum(found, INSIDE * length * (awayFrom(trunk, inBody(anatomy, pose, thighs[leg], leg)) - 1));
    return flies[leg] ? minimum(found, above(terrain, feet[leg])) : found;
  });
  return { legs, knees, belly: bellyAbove(terrain, anatomy, pose), least };
};

/**
 * Return where shins must be above a terrain, knees first, now or ahead, where bodies will be: parts of the way from
 * knee to foot, the number of those at which a body slows down, their height above the ground and that of the knee, which
 * is less towards the foot. Only on hills it is not 0: at the edge of a step that would keep shins from what they can cross.
 * @param {Terrain} terrain
 * @param {Anatomy} anatomy
 * @param {boolean} isAhead
 */
const shinsOf = ({ hasEdges }, { spreads, length }, isAhead) => {
  const braking = spreads ? 2 : 1,
    parts = [0, ...(isAhead || hasEdges ? SHIN.slice(0, braking) : SHIN)];
  return { parts, braking, spare: spreads && !hasEdges ? SPARE * length : 0, between: hasEdges ? 0 : BETWEEN * length };
};

/** @param {Point} knee @param {Point} foot @param {number} part */
const along = (knee, foot, part) => knee.map((from, j) => from + part * (foot[j] - from));

/** @param {Terrain} terrain @param {Point} point */
const above = (terrain, [x, z, y]) => y - terrain.height(x, z);

/**
 * Return whether knee and shin of a leg are within these limits.
 * @param {Terrain} terrain
 * @param {Anatomy} anatomy
 * @param {Point} knee
 * @param {Point} foot
 */
export const isClear = (terrain, anatomy, knee, foot) => {
  const { parts, braking, spare, between } = shinsOf(terrain, anatomy, false);
  return parts.every((part, number) => {
    const least = between * (1 - part);
    return above(terrain, along(knee, foot, part)) > (number && number <= braking ? maximum(least, spare) : least);
  });
};

/**
 * Return the knee of a leg in the body's space, from the way from hip to knee.
 * @param {Anatomy} anatomy
 * @param {Pose} pose
 * @param {Point} thigh
 * @param {number} leg
 * @returns {Point}
 */
export const inBody = ({ hips }, { axes }, thigh, leg) =>
  plus(
    axes.map((axis) => dot(thigh, axis)),
    hips[leg],
  );

/**
 * Return how far a point is from a body's middle: 1 on its surface, 2 at twice its size.
 * @param {number[]} half
 * @param {Point} point
 */
const awayFrom = (half, point) => {
  const parts = point.map((part, j) => part / half[j]).map((part) => part * part);
  return Math.sqrt(Math.sqrt(dot(parts, parts)));
};

/**
 * Return the minimum height above the ground of the points of a keel.
 * @param {Terrain} terrain
 * @param {Anatomy} anatomy
 * @param {Pose} pose
 */
const bellyAbove = (terrain, { underside, spine }, { body: [x, z, y], axes, bend }) => {
  const [[a, b, c], [d, e, f], [g, h, i]] = axes;
  let lowest = Infinity;
  underside.keel.forEach(([left, ahead, high], point) => {
    const up = spine ? high + bentBy(spine.keel, bend, point) : high;
    const under = terrain.height(a * left + d * ahead + g * up + x, b * left + e * ahead + h * up + z);
    lowest = minimum(lowest, c * left + f * ahead + i * up + y - under);
  });
  return lowest;
};

/**
 * Return the fraction of its speed that a body may keep.
 * @param {number[]} now slacks
 * @param {number[]} later slacks after `BRAKE` at the current speed
 */
export const freeFraction = (now, later) => {
  let found = Infinity;
  now.forEach((start, k) => {
    const before = maximum(start, 0),
      after = later[k] - minimum(start, 0);
    found = minimum(found, after < 0 ? before / (before - after) : 1);
  });
  return found;
};

/**
 * Return the distance that a body can move in a direction before leaving the support polygon.
 *
 * It is negative if the polygon lies behind the body, and minus infinity if the line misses it.
 * @param {Place[]} feet relative to the body
 * @param {boolean[]} bears which feet span the polygon
 * @param {Place} direction a unit vector
 */
export const supportAhead = (feet, bears, direction) => {
  const seen = feet.map((foot) => rotated(foot, conjugate(direction)));
  let most = -Infinity;
  seen.forEach(([along, aside], left) => {
    if (!bears[left] || !(aside >= 0)) return;
    seen.forEach(([other, below], right) => {
      if (bears[right] && below < 0) most = maximum(most, (other * aside - along * below) / (aside - below));
    });
  });
  return most;
};

// Return the fraction of its speed that a body may keep with a distance of support ahead, which, less
// `spare`, must last for `seconds`.
/** @type {(ahead: number, spare: number, speed: number, seconds: number) => number} */
export const supportFraction = (ahead, spare, speed, seconds) => {
  const room = maximum(ahead - spare, 0),
    need = speed * seconds;
  return room < need ? room / need : 1;
};
