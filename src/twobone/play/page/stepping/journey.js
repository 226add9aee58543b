// A walk in time: steps of one length, and poses at any time between them.
//
// Printed from creature/stepping/journey.py by `python tools/generate.py`: do not edit.

import { mix } from "./numbers.js";
import { blank, put } from "./pose.js";
import { started } from "./standing.js";
import { DT, stepOn } from "./walking.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Journey} Journey */
/** @typedef {import("./records.js").Motion} Motion */
/** @typedef {import("./records.js").Order} Order */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Walk} Walk */

const SAME = 1e-09; // seconds: frames that end so near a step end with it

const PATIENCE = 1; // seconds below a third of the order after which an animal is blocked

/**
 * Return an animal that stands there, with its pose.
 * @param {Anatomy} animal
 * @param {number} x
 * @param {number} z
 * @param {number} yaw
 * @param {((a: number, b: number) => number)} ground
 * @returns {Journey}
 */
export function setOff(animal, x, z, yaw, ground) {
  const walk = started(animal, x, z, yaw, ground);
  const pose = blank(animal);
  put(animal, walk, pose, ground, 0);
  const start = moved(walk);
  return { walk, poses: [mixed(pose, pose, 0), pose], motions: [start, start], last: 1, after: DT };
}

/**
 * Walk for any time, in steps of the same length: the walk is the same at any frame rate.
 * @param {Anatomy} animal
 * @param {Journey} journey
 * @param {Order} order
 * @param {number} dt
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function travel(animal, journey, order, dt, ground) {
  journey.after += dt;
  while (journey.after > DT + SAME) {
    journey.last = 1 - journey.last;
    stepOn(animal, journey.walk, journey.poses[journey.last], order, ground);
    journey.motions[journey.last] = moved(journey.walk);
    journey.after -= DT;
  }
  if (journey.after > DT - SAME) {
    journey.after = DT;
  }
}

/**
 * Return the motion of a trunk after a step, as far as its legs allow.
 * @param {Walk} walk
 * @returns {Motion}
 */
export function moved(walk) {
  const slow = walk.slow;
  const front = walk.stations[walk.stations.length - 1];
  return {
    x: walk.x,
    z: walk.z,
    heading: walk.yaw,
    aside: slow * walk.aside.at,
    ahead: slow * walk.ahead.at,
    turn: slow * walk.turn.at,
    frontX: front.x,
    frontZ: front.z,
    frontHeading: front.yaw,
  };
}

/**
 * Return whether an animal has been kept from doing what it is told.
 * @param {Journey} journey
 * @returns {boolean}
 */
export function isBlocked(journey) {
  return journey.walk.delay >= PATIENCE;
}

/**
 * Return the motion of a trunk at the time to which it has walked.
 * @param {Journey} journey
 * @returns {Motion}
 */
export function motion(journey) {
  const a = journey.motions[1 - journey.last];
  const b = journey.motions[journey.last];
  if (journey.after === DT) return b;
  const part = journey.after / DT;
  return {
    x: mix(a.x, b.x, part),
    z: mix(a.z, b.z, part),
    heading: mix(a.heading, b.heading, part),
    aside: mix(a.aside, b.aside, part),
    ahead: mix(a.ahead, b.ahead, part),
    turn: mix(a.turn, b.turn, part),
    frontX: mix(a.frontX, b.frontX, part),
    frontZ: mix(a.frontZ, b.frontZ, part),
    frontHeading: mix(a.frontHeading, b.frontHeading, part),
  };
}

/**
 * Return the pose at the time to which an animal has walked.
 * @param {Journey} journey
 * @returns {Pose}
 */
export function seen(journey) {
  const last = journey.last;
  if (journey.after === DT) return mixed(journey.poses[last], journey.poses[last], 0);
  return mixed(journey.poses[1 - last], journey.poses[last], journey.after / DT);
}

/**
 * Return the pose between two: a foot that stands in both stays exactly where it is.
 * @param {Pose} a
 * @param {Pose} b
 * @param {number} part
 * @returns {Pose}
 */
export function mixed(a, b, part) {
  const frames = a.frames.map(
    (u, i) => ({
      x: mix(u.x, b.frames[i].x, part),
      y: mix(u.y, b.frames[i].y, part),
      z: mix(u.z, b.frames[i].z, part),
      yaw: mix(u.yaw, b.frames[i].yaw, part),
      pitch: mix(u.pitch, b.frames[i].pitch, part),
      roll: mix(u.roll, b.frames[i].roll, part),
    }),
  );
  const stands = a.stands.map(
    (u, i) => ({
      hip: mixPoints(u.hip, b.stands[i].hip, part),
      foot: mixPoints(u.foot, b.stands[i].foot, part),
      angle: mix(u.angle, b.stands[i].angle, part),
      facing: mix(u.facing, b.stands[i].facing, part),
      pitch: mix(u.pitch, b.stands[i].pitch, part),
      roll: mix(u.roll, b.stands[i].roll, part),
      splay: mix(u.splay, b.stands[i].splay, part),
      gives: mix(u.gives, b.stands[i].gives, part),
      down: u.down && b.stands[i].down,
    }),
  );
  const links = a.links.map(
    (u, i) => ({
      yaw: mix(u.yaw, b.links[i].yaw, part),
      pitch: mix(u.pitch, b.links[i].pitch, part),
      roll: mix(u.roll, b.links[i].roll, part),
    }),
  );
  return {
    frames,
    stands,
    links,
    tailYaw: a.tailYaw.map((u, i) => mix(u, b.tailYaw[i], part)),
    tailPitch: a.tailPitch.map((u, i) => mix(u, b.tailPitch[i], part)),
  };
}

/**
 * Return the point between two.
 * @param {Point} a
 * @param {Point} b
 * @param {number} part
 * @returns {Point}
 */
export function mixPoints(a, b, part) {
  return { x: mix(a.x, b.x, part), y: mix(a.y, b.y, part), z: mix(a.z, b.z, part) };
}
