// Figures that measure the quality of a walk (creature/measures.py, creature/report.py).
//
// Lengths are measured with squares, as no walk on a page is so small that they underflow.

import { twobone } from "../../solver.js";
import { limb } from "../../limb/limb.js";
import { crossOf, hullOf } from "../../stage/hull.js";

/** @import { Anatomy } from "../../stepping/anatomy.js" */
/** @import { Terrain } from "./ground.js" */
/** @import { Stance } from "./walker.js" */
/**
 * What is measured of one pose.
 * @typedef {object} Measured
 * @property {number} boneError the maximum error of a bone's length, in eps of the coordinates
 * @property {number} reach the maximum distance from hip to ankle, over the length of both bones
 * @property {number} down the number of feet on the ground
 * @property {number} margin see `supportOf`
 * @property {number} depthOfFeet the maximum depth of a foot below the ground, 0 if none is below it
 * @property {number} depthOfLegs the same of knees, ankles and other points of the segments below a knee
 * @property {(number[] | null)[]} normals of the planes of the legs; null of a leg that is too straight to have one
 * @property {number[]} ahead the direction of the body's +z seen from above
 */

const { minus, plus, times, dot, size, unit, cross } = limb.vectors;
const STRAIGHT = 1e-6; // sine of the angle at the hip below which a leg is too straight to have a plane
const EPS = 2 ** -52;
const PLACES = 4; // points of a segment below a knee that are compared with the ground, beside its ends

/** @type {(values: number[]) => number} */
const greatest = (values) => values.reduce((most, each) => (most >= each || most !== most ? most : each), 0);
/** @param {number[]} point */
const fromAbove = ([x, , z]) => [x, z];

// --- one pose -----------------------------------------------------------------------------

// Return | |v| - r | over eps times the largest coordinate, or r if that is more, for v = end - start, in double-word
// arithmetic, as (|v|^2 - r^2) / (|v| + r).
/** @type {(start: number[], end: number[], bone: number) => number} */
const lengthError = (start, end, bone) => {
  const { split, twoSquare, twoSum } = twobone.exact;
  const squares = start.map((from, i) => squareOf(twoSum(end[i], -from)));
  const square = sumOf(squares),
    [other, lost] = twoSquare(split(bone)),
    [high, low] = sumOf([square, [-other, -lost]]);
  const scale = Math.max(bone, ...start.map(Math.abs), ...end.map(Math.abs));
  return Math.abs((high + low) / (Math.sqrt(square[0]) + bone)) / (EPS * scale);
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
 * Return the support polygon, which may have less than three corners, and the static margin: how far the middle of the
 * body is inside it, negative outside.
 * @param {Stance} stance
 */
export const supportOf = ({ feet, down, place }) => {
  const points = feet.filter((_, i) => down[i]),
    around = hullOf(points, 2),
    hull = around.length ? around : points.slice(0, 1);
  const edges = hull.map((u, i) => edgeOf(fromAbove(u), fromAbove(hull[(i + 1) % hull.length]), fromAbove(place))),
    inside = hull.length < 3 ? -1 : Math.min(...edges.map((edge) => edge.inside));
  return { hull, margin: inside >= 0 ? inside : -Math.min(...edges.map((edge) => edge.away)) };
};

/**
 * Return how far a point is on the inner side of the line of an edge, and how far from the edge.
 * @type {(u: number[], v: number[], at: number[]) => { inside: number, away: number }}
 */
const edgeOf = (u, v, at) => {
  const way = minus(v, u),
    square = dot(way, way) || 1,
    part = Math.min(1, Math.max(0, dot(minus(at, u), way) / square));
  return { inside: crossOf(u, v, at, 1) / Math.sqrt(square), away: size(minus(at, plus(u, times(part, way)))) };
};

/** @type {(points: number[][], terrain: Terrain) => number} */
const depth = (points, { height }) => greatest(points.map(([x, y, z]) => height(x, z) - y));
/** The points of a segment that are compared with the ground. @type {(start: number[], end: number[]) => number[][]} */
const placesOf = (start, end) =>
  Array.from({ length: PLACES + 1 }, (_, k) => plus(start, times(k / (PLACES + 1), minus(end, start))));

/** @type {(hip: number[], knee: number[], ankle: number[]) => number[] | null} */
const normalOf = (hip, knee, ankle) => {
  const thigh = minus(knee, hip),
    way = minus(ankle, hip),
    normal = cross(thigh, way);
  return size(normal) <= STRAIGHT * size(thigh) * size(way) ? null : unit(normal);
};

/** @type {(pose: Stance, anatomy: Anatomy, terrain: Terrain) => Measured} */
const measured = (pose, { legs }, terrain) => {
  const { hips, knees, ankles, feet, down, turned } = pose,
    [x, y, z, w] = turned;
  return {
    boneError: greatest(
      legs.flatMap(({ upper, lower, third }, i) => [
        lengthError(hips[i], knees[i], upper),
        lengthError(knees[i], ankles[i], lower),
        third > 0 ? lengthError(ankles[i], feet[i], third) : 0,
      ]),
    ),
    reach: greatest(legs.map(({ upper, lower }, i) => size(minus(ankles[i], hips[i])) / (upper + lower))),
    down: down.filter(Boolean).length,
    margin: supportOf(pose).margin,
    depthOfFeet: depth(feet, terrain),
    depthOfLegs: depth(
      legs.flatMap((_, i) => [...placesOf(knees[i], ankles[i]), ...placesOf(ankles[i], feet[i])]),
      terrain,
    ),
    normals: legs.map((_, i) => normalOf(hips[i], knees[i], ankles[i])),
    ahead: unit([2 * (x * z + w * y), w * w - x * x - y * y + z * z]),
  };
};

// --- a walk -------------------------------------------------------------------------------

/** Return the maximum distance of a foot in stance from where the stance began. @param {Stance[]} poses */
const slide = (poses) =>
  greatest(
    poses[0].feet.flatMap((_, leg) => {
      let began = -1;
      return poses.map(({ feet, down }, i) => {
        began = down[leg] ? (began < 0 ? i : began) : -1;
        return began < 0 ? 0 : size(minus(feet[leg], poses[began].feet[leg]));
      });
    }),
  );

/** Return the maximum rotation of the plane of a leg between two poses, in radians. @param {Measured[]} found */
const kneePlaneRotation = (found) =>
  greatest(
    found[0].normals.flatMap((_, leg) => {
      /** @type {number[] | null} */
      let last = null;
      return found.map(({ normals }) => {
        const before = last,
          now = normals[leg];
        // A leg that is too straight keeps its last normal.
        last = now ?? last;
        return before && now ? Math.atan2(size(cross(before, now)), dot(before, now)) : 0;
      });
    }),
  );

/** Return the maximum step of the body against its heading. @type {(poses: Stance[], found: Measured[]) => number} */
const backwards = (poses, found) =>
  greatest(
    poses.slice(1).map(({ place }, i) => {
      const ahead = unit(plus(found[i].ahead, found[i + 1].ahead));
      return -dot(minus(fromAbove(place), fromAbove(poses[i].place)), ahead);
    }),
  );

/** What is known of poses: each is measured many times, on the same ground. @type {WeakMap<Stance, Measured>} */
const known = new WeakMap();

/**
 * Return the measures of a walk that the page shows, by the names of Python's report; those that are
 * not finite are null.
 * @param {Stance[]} poses
 * @param {Anatomy} anatomy
 * @param {Terrain} terrain
 * @returns {Record<string, number | null>}
 */
export const figures = (poses, anatomy, terrain) => {
  const found = poses.map((pose) => {
    const each = known.get(pose) ?? measured(pose, anatomy, terrain);
    known.set(pose, each);
    return each;
  });
  const all = {
    slide: slide(poses),
    bone_error: greatest(found.map(({ boneError }) => boneError)),
    greatest_reach: greatest(found.map(({ reach }) => reach)),
    least_feet_down: Math.min(...found.map(({ down }) => down)),
    least_margin_over_leg: Math.min(...found.map(({ margin }) => margin)) / anatomy.reach,
    depth_of_feet: greatest(found.map(({ depthOfFeet }) => depthOfFeet)),
    depth_of_legs: greatest(found.map(({ depthOfLegs }) => depthOfLegs)),
    knee_plane_rotation: kneePlaneRotation(found),
    backwards: backwards(poses, found),
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, Number.isFinite(value) ? value : null]));
};
