// Figures that measure the quality of a walk (creature/measures.py, creature/report.py).
//
// A figure is a function of frames, the states of a walker; points are x, y and z there. Lengths are
// measured with squares, as no walk on a page is so small that they underflow.

import { twobone } from "../solver.js";
import { beginnings } from "./contacts.js";
import { dot, minus, plus } from "./footing.js";
import { maximum } from "./gait.js";
import { signedDistance } from "./polygons.js";

/** @import { Terrain } from "./types.js" */
/**
 * @typedef {object} Frame
 * @property {number[]} bodyPosition
 * @property {number[]} bodyRotation
 * @property {number[][]} hips
 * @property {number[][]} knees
 * @property {number[][]} feet
 * @property {boolean[]} contact
 */

const STRAIGHT = 1e-6; // sine of the angle at the hip below which a leg is too straight to have a plane
const EPS = 2 ** -52;

/** @type {(v: number[]) => number} */
const size = (v) => Math.sqrt(v.reduce((sum, part) => sum + part * part, 0));
/** @type {(values: number[]) => number} */
const greatest = (values) => values.reduce(maximum, 0);
/** @type {(v: number[]) => number[]} */
const unit = (v) => {
  const length = size(v);
  return v.map((part) => (part === 0 && length === 0 ? 0 : part / length));
};
/** @type {(u: number[], v: number[]) => number[]} */
const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
/** @param {number[]} point */
const fromAbove = ([x, , z]) => [x, z];
/** @type {(frames: Frame[], value: (frame: Frame, leg: number) => number) => number[]} */
const eachLeg = (frames, value) => frames.flatMap((frame) => frame.feet.map((_, leg) => value(frame, leg)));

/**
 * Return the maximum distance of a foot in stance from where the stance began.
 * @param {Frame[]} frames
 */
export const slide = (frames) =>
  greatest(
    frames[0].feet.flatMap((_, leg) => {
      const starts = beginnings(frames.map(({ contact }) => contact[leg]));
      return starts.map((start, i) => (start < 0 ? 0 : size(minus(frames[i].feet[leg], frames[start].feet[leg]))));
    }),
  );

/** @param {Frame[]} frames */
export const leastFeetDown = (frames) => Math.min(...frames.map(({ contact }) => contact.filter(Boolean).length));

/**
 * Return the maximum error of a bone's length, in units of eps times that length.
 * @param {Frame[]} frames
 * @param {number[][]} bones
 */
export const boneError = (frames, bones) =>
  greatest(
    eachLeg(frames, ({ hips, knees, feet }, leg) => {
      const [r1, r2] = bones[leg];
      return maximum(lengthError(hips[leg], knees[leg], r1), lengthError(knees[leg], feet[leg], r2));
    }),
  );

// Return | |v| - r | over eps r for v = end - start, in double-word arithmetic, as (|v|^2 - r^2) / (|v| + r).
/** @type {(start: number[], end: number[], bone: number) => number} */
const lengthError = (start, end, bone) => {
  const { split, twoSquare, twoSum } = twobone.exact;
  const squares = start.map((from, i) => squareOf(twoSum(end[i], -from)));
  const square = sumOf(squares),
    [other, lost] = twoSquare(split(bone)),
    [high, low] = sumOf([square, [-other, -lost]]);
  return Math.abs((high + low) / (Math.sqrt(square[0]) + bone)) / (EPS * bone);
};

/**
 * Return the square of a pair as a pair, without the square of its error.
 * @param {number[]} pair
 */
const squareOf = ([high, low]) => {
  const [square, lost] = twobone.exact.twoSquare(twobone.exact.split(high)),
    twice = high * low;
  return [square, lost + (twice + twice)];
};

// Return the sum of pairs as a pair, not normalised.
/** @type {(pairs: number[][]) => number[]} */
const sumOf = ([first, ...rest]) =>
  rest.reduce(([high, low], other) => {
    const [sum, lost] = twobone.exact.twoSum(high, other[0]);
    return [sum, lost + (low + other[1])];
  }, first);

/**
 * Return the maximum of |foot - hip| / (r1 + r2).
 * @param {Frame[]} frames
 * @param {number[][]} bones
 */
export const greatestReach = (frames, bones) =>
  greatest(
    eachLeg(frames, ({ hips, feet }, leg) => size(minus(feet[leg], hips[leg])) / (bones[leg][0] + bones[leg][1])),
  );

/**
 * Return the minimum static margin: the distance of the body from the edge of the support polygon.
 * @param {Frame[]} frames
 */
export const leastMargin = (frames) =>
  Math.min(
    ...frames.map(({ bodyPosition, feet, contact }) =>
      signedDistance(fromAbove(bodyPosition), feet.map(fromAbove), contact),
    ),
  );

/**
 * Return the maximum depth of points, such as feet, below a terrain.
 * @param {number[][]} points
 * @param {Terrain} terrain
 */
export const depth = (points, terrain) => greatest(points.map(([x, y, z]) => terrain.height(x, z) - y));

/**
 * Return the maximum rotation of the plane of a leg between two frames, in radians.
 * @param {Frame[]} frames
 */
export const kneePlaneRotation = (frames) =>
  greatest(
    frames[0].feet.flatMap((_, leg) => {
      /** @type {number[] | null} */
      let last = null;
      return frames.map(({ hips, knees, feet }) => {
        const thigh = minus(knees[leg], hips[leg]),
          way = minus(feet[leg], hips[leg]),
          normal = cross(thigh, way);
        // A leg that is too straight keeps its last normal.
        if (size(normal) <= STRAIGHT * size(thigh) * size(way)) return 0;
        const before = last,
          now = (last = unit(normal));
        return before ? Math.atan2(size(cross(before, now)), dot(before, now)) : 0;
      });
    }),
  );

/**
 * Return the maximum step of the body against its heading.
 * @param {Frame[]} frames
 */
export const backwards = (frames) =>
  greatest(
    frames.slice(1).map(({ bodyPosition, bodyRotation }, i) => {
      const ahead = unit(plus(aheadOf(frames[i].bodyRotation), aheadOf(bodyRotation)));
      const step = minus(fromAbove(bodyPosition), fromAbove(frames[i].bodyPosition));
      return -(step[0] * ahead[0] + step[1] * ahead[1]);
    }),
  );

/**
 * Return the direction of the body's +z seen from above.
 * @param {number[]} rotation
 */
const aheadOf = ([x, y, z, w]) => unit([2 * (x * z + w * y), w * w - x * x - y * y + z * z]);

/**
 * Return the measures of a walk that the page shows, by the names of Python's report; those that are
 * not finite are null.
 * @param {Frame[]} frames
 * @param {number[][]} bones r1 and r2 of each leg
 * @param {Terrain} terrain
 * @returns {Record<string, number | null>}
 */
export const figures = (frames, bones, terrain) => {
  const leg = bones.reduce((sum, [r1, r2]) => sum + (r1 + r2), 0) / bones.length;
  const found = {
    slide: slide(frames),
    bone_error: boneError(frames, bones),
    greatest_reach: greatestReach(frames, bones),
    least_feet_down: leastFeetDown(frames),
    least_margin_over_leg: leastMargin(frames) / leg,
    depth_of_feet: depth(
      frames.flatMap(({ feet }) => feet),
      terrain,
    ),
    depth_of_knees: depth(
      frames.flatMap(({ knees }) => knees),
      terrain,
    ),
    knee_plane_rotation: kneePlaneRotation(frames),
    backwards: backwards(frames),
  };
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => [name, Number.isFinite(value) ? value : null]),
  );
};
