// Position and orientation of a body from its heading and the plane it follows (creature/posture.py).

import { cis } from "./elementary.js";
import { dot, rotated, timesAxes } from "./footing.js";

/** @import { Anatomy, Place, Point, Pose } from "./types.js" */

/**
 * Return the axes of a body as rows: left, forward, and up along the normal of a plane.
 * @param {number[]} plane x and z of the normal, and the height
 * @param {Place} turned the factor of the heading, see `facing`
 * @returns {Point[]}
 */
export const axesOf = (plane, turned) => {
  const normal = [plane[0], plane[1], 1],
    size = Math.sqrt(dot(normal, normal)),
    up = normal.map((part) => part / size);
  const both = [up[0], up[1], up[2] + 1];
  const axes = [0, 1].map((i) => both.map((part, j) => (i === j ? 1 : 0) - both[i] * (part / both[2])));
  return [...axes, up].map((axis) => [...rotated(axis, turned), axis[2]]);
};

// Return the rotation of these axes as a quaternion xyzw with w >= 0.
/** @type {(plane: any, heading: number) => number[]} */
export const rotationOf = (plane, heading) => {
  const [x, z] = plane,
    half = cis(-0.5 * heading),
    upright = 1 + Math.sqrt(1 + (x * x + z * z));
  const aside = rotated([z, -x], half);
  const rotation = [aside[0], -upright * half[1], aside[1], upright * half[0]];
  const size = Math.sqrt(dot(rotation, rotation) + rotation[3] * rotation[3]),
    sign = rotation[3] < 0 ? -size : size;
  return rotation.map((part) => part / sign);
};

// Return `inverse(p) q`, the rotation from one to the other; quaternions xyzw. The order is that of Python.
/** @type {(p: number[], q: number[]) => number[]} */
export const rotationBetween = (p, q) => [
  -(p[0] * q[3]) - p[1] * q[2] + p[2] * q[1] + p[3] * q[0],
  p[0] * q[2] - p[1] * q[3] - p[2] * q[0] + p[3] * q[1],
  -(p[0] * q[1]) + p[1] * q[0] - p[2] * q[3] + p[3] * q[2],
  dot(p, q) + p[3] * q[3],
];

/**
 * Return the pose of a body at a height over a plane.
 * @param {Anatomy} anatomy
 * @param {number} height
 * @param {Place} at
 * @param {Place} turned
 * @param {number[]} plane
 * @param {number[]} bend of the trunk
 * @param {Point[]} poles pole vectors of the legs in the body's space
 * @returns {Pose}
 */
export const poseOver = (anatomy, height, at, turned, plane, bend, poles) => {
  const axes = axesOf(plane, turned),
    body = [at[0], at[1], plane[2] + height];
  const hips = anatomy.hips.map(([left, ahead, up], leg) => {
    const own = timesAxes([left, ahead, anatomy.spine ? up + bentBy(anatomy.spine.hips, bend, leg) : up], axes);
    return [body[0] + own[0], body[1] + own[1], body[2] + own[2]];
  });
  return { body, axes, hips, poles: poles.map((pole) => timesAxes(pole, axes)), bend };
};

// Return the height of a point of a trunk that is bent; `shapes` are those of a `Spine`.
/** @type {(shapes: number[][], bend: number[], point: number) => number} */
export const bentBy = (shapes, bend, point) => bend[0] * shapes[0][point] + bend[1] * shapes[1][point];

/**
 * Return a pose raised by a height.
 * @param {Pose} pose
 * @param {number} by
 * @returns {Pose}
 */
export const raised = ({ body, axes, hips, poles, bend }, by) => {
  /** @param {Point} point */
  const up = ([x, z, y]) => [x, z, y + by];
  return { body: up(body), axes, hips: hips.map(up), poles, bend };
};
