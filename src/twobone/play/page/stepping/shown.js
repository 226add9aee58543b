// What is shown of a pose: places of stations and joints, and rotations as quaternions.
//
// Printed from creature/stepping/shown.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";
import { jointsOf } from "./joints.js";
import { behind } from "./limbs.js";
import { facing } from "./numbers.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./joints.js").Joints} Joints */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Stand} Stand */

/**
 * A rotation; 1 is (0, 0, 0, 1).
 * @typedef {object} Quaternion
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {number} w
 */

/**
 * An animal as pictures and recordings have it.
 * @typedef {object} Shown
 * @property {Point[]} stations
 * @property {Quaternion[]} rotations of the stations, in the world
 * @property {Joints[]} joints
 * @property {boolean[]} down which feet stand
 * @property {Quaternion[]} soles of the feet, in the world: 1 is level with toes towards +z
 * @property {Quaternion[]} neck of neck, head, arms and the like, in the space of the front station
 * @property {Quaternion[]} tail of its links, each in the space of the rear station
 */

/**
 * Return what is shown of a pose; knees are computed here.
 * @param {Anatomy} animal
 * @param {Pose} pose
 * @returns {Shown}
 */
export function shown(animal, pose) {
  const legs = animal.legs.length;
  const joints = Array.from({ length: legs }, (_, i) => jointsOf(animal, pose, i));
  const soles = Array.from({ length: legs }, (_, i) => soleOf(animal.legs[i], pose.stands[i], joints[i]));
  return {
    stations: pose.frames.map((frame) => ({ x: frame.x, y: frame.y, z: frame.z })),
    rotations: pose.frames.map((frame) => rotation(frame.yaw, frame.pitch, frame.roll)),
    joints,
    down: pose.stands.map((stand) => stand.down),
    soles,
    neck: pose.links.map((link) => rotation(link.yaw, link.pitch, link.roll)),
    tail: Array.from({ length: animal.tail }, (_, j) => rotation(pose.tailYaw[j], pose.tailPitch[j], 0)),
  };
}

/**
 * Return a rotation: first the left side up, then the nose up, then to the left.
 * @param {number} yaw
 * @param {number} pitch
 * @param {number} roll
 * @returns {Quaternion}
 */
export function rotation(yaw, pitch, roll) {
  const y = facing(0.5 * yaw);
  const x = facing(-0.5 * pitch);
  const z = facing(0.5 * roll);
  return {
    x: y.c * x.s * z.c + y.s * x.c * z.s,
    y: y.s * x.c * z.c - y.c * x.s * z.s,
    z: y.c * x.c * z.s - y.s * x.s * z.c,
    w: y.c * x.c * z.c + y.s * x.s * z.s,
  };
}

/**
 * Return the rotation of a foot; that of a tarsus points away from the body.
 * @param {Leg} leg
 * @param {Stand} stand
 * @param {Joints} joints
 * @returns {Quaternion}
 */
export function soleOf(leg, stand, joints) {
  let yaw = stand.facing;
  if (leg.radial && leg.third > 0) {
    const back = behind(leg, joints.hip, joints.foot, facing(yaw));
    yaw = transcendental.arctangent(-back.s, -back.c);
  }
  return rotation(yaw, stand.pitch, stand.roll);
}
