// The trunk in space, from the path, the levels and the rhythm of the legs.
//
// Printed from creature/stepping/pose.py by `python tools/generate.py`: do not edit.

import { keepOff } from "./belly.js";
import { angleOf } from "./legs.js";
import { shift } from "./levels.js";
import { GRAVITY, clamp, facing } from "./numbers.js";
import { height, placedX, placedZ } from "./path.js";
import { AT_EASE, MOST_TILT, WITH_STEPS, WITH_SWINGS, clock, settle, sums } from "./rhythm.js";
import { overFeet } from "./support.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Frame} Frame */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Sums} Sums */
/** @typedef {import("./records.js").Walk} Walk */

export const CROUCH = 0.8; // of the hip per squared radian: an animal that leans sinks so much; taste

export const TUCK = 0.22; // of the trunk's length per radian: an arched back draws its ends together; taste

export const STILL_HEAD = 0.8; // of the yaw and pitch of the front station, which the head undoes; taste

export const LASH = 9; // radians per second: a link of the tail, if it swings freely; taste

/**
 * Cosines and sines of the angles of a station.
 * @typedef {object} Tilt
 * @property {Turn} yaw
 * @property {Turn} pitch
 * @property {Turn} roll
 */

/**
 * Return the pose of an animal after a time, in which what follows the legs moves on.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {((a: number, b: number) => number)} ground
 * @param {number} dt
 * @returns {Pose}
 */
export function posed(animal, walk, ground, dt) {
  const swings = sums(animal, walk);
  bendTrunk(animal, walk, swings, dt);
  overFeet(animal, walk, dt);
  const pose = trunk(animal, walk, swings);
  const tilts = pose.frames.map((frame) => tiltOf(frame));
  const rate = WITH_SWINGS * clock(animal, walk);
  /** @type {Point} */
  let hip;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    settle(step.angle, angleOf(leg, walk, step), rate, dt);
    hip = hipOf(leg, pose.frames[leg.station], tilts[leg.station]);
    pose.stands[i] = { hip, foot: step.foot, angle: step.angle.at, facing: step.facing, down: step.down };
  }
  shift(animal, walk, pose, swings.heave, ground, dt);
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    pose.frames[k].y += station.shift.at;
  }
  keepOff(animal, walk, pose.frames);
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    hip = hipOf(leg, pose.frames[leg.station], tilts[leg.station]);
    pose.stands[i].hip = hip;
    walk.steps[i].hip = hip;
  }
  follow(animal, walk, pose, dt);
  return pose;
}

/**
 * Move girdles and back with the feet, and lean, bank and rise with the speed.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Sums} swings
 * @param {number} dt
 * @returns {void}
 */
export function bendTrunk(animal, walk, swings, dt) {
  const count = walk.stations.length;
  const rate = WITH_SWINGS * clock(animal, walk);
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    const part = count > 1 ? k / (count - 1) : 0;
    const manner = animal.manner;
    const yaw = manner.pelvisYaw + (manner.shoulderYaw - manner.pelvisYaw) * part;
    settle(station.swing, -0.5 * yaw * swings.apart[k], rate, dt);
    settle(station.drop, 0.5 * manner.drop * walk.vigour * swings.air[k], rate, dt);
  }
  const flex = 0.5 * walk.flex * (swings.fore[0] - swings.fore[count - 1]);
  settle(walk.back, flex, rate, dt);
  const lean = animal.manner.lean * walk.ahead.speed / GRAVITY;
  const bank = animal.manner.bank * walk.ahead.at * walk.turn.at / GRAVITY;
  settle(walk.lean, lean, AT_EASE, dt);
  settle(walk.bank, clamp(bank, -MOST_TILT, MOST_TILT), AT_EASE, dt);
  const rise = animal.gaits[walk.gait].rise * animal.hip * walk.vigour;
  settle(walk.rise, rise, WITH_STEPS * clock(animal, walk), dt);
}

/**
 * Return the stations in space, before they are shifted; legs are still empty.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Sums} swings
 * @returns {Pose}
 */
export function trunk(animal, walk, swings) {
  const count = walk.stations.length;
  const turn = facing(walk.yaw);
  const x = walk.balanceX.at + swings.sway * turn.c;
  const z = walk.balanceZ.at - swings.sway * turn.s;
  const lean = walk.lean.at;
  const crouch = CROUCH * animal.hip * lean * lean;
  /** @type {Frame[]} */
  const frames = [];
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    const a = k + 1 < count ? k + 1 : k;
    const b = k > 0 ? k - 1 : 0;
    let tilt = 0;
    if (count > 1) {
      const up = height(walk.stations[a]) - height(walk.stations[b]);
      tilt = up / (animal.along[a] - animal.along[b]);
    }
    const end = count > 1 ? 2 * k / (count - 1) - 1 : 0;
    const tuck = -TUCK * animal.span * end * walk.back.at;
    frames.push({
      x: station.x + x + tuck * station.facing.s,
      y: animal.height + station.level.at + walk.rise.at + swings.heave - crouch
        + (animal.along[k] - animal.middle) * (swings.pitch - lean),
      z: station.z + z + tuck * station.facing.c,
      yaw: station.yaw + station.swing.at,
      pitch: tilt + swings.pitch - lean - walk.back.at * end,
      roll: walk.roll.at + swings.roll - walk.bank.at + station.drop.at,
    });
  }
  const origin = { x: 0, y: 0, z: 0 };
  const stands = animal.legs.map(() => ({ hip: origin, foot: origin, angle: 0, facing: 0, down: true }));
  const links = walk.tailYaw.length;
  const tailYaw = Array.from({ length: links }, () => 0);
  const tailPitch = Array.from({ length: links }, () => 0);
  return { frames, stands, headYaw: 0, headPitch: 0, tailYaw, tailPitch };
}

/**
 * Return the rotation of a station.
 * @param {Frame} frame
 * @returns {Tilt}
 */
export function tiltOf(frame) {
  return { yaw: facing(frame.yaw), pitch: facing(frame.pitch), roll: facing(frame.roll) };
}

/**
 * Return the hip of a leg that a station bears.
 * @param {Leg} leg
 * @param {Frame} frame
 * @param {Tilt} tilt
 * @returns {Point}
 */
export function hipOf(leg, frame, tilt) {
  const aside = leg.aside * tilt.roll.c - leg.up * tilt.roll.s;
  const up = leg.aside * tilt.roll.s + leg.up * tilt.roll.c;
  const ahead = -up * tilt.pitch.s;
  return {
    x: placedX(frame.x, tilt.yaw, aside, ahead),
    y: frame.y + up * tilt.pitch.c,
    z: placedZ(frame.z, tilt.yaw, aside, ahead),
  };
}

/**
 * Let the head look where the animal goes, and the tail swing after the pelvis.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {number} dt
 * @returns {void}
 */
export function follow(animal, walk, pose, dt) {
  const count = walk.stations.length;
  const front = walk.stations[count - 1];
  let yaw = clamp(animal.manner.look * walk.turn.at, -MOST_TILT, MOST_TILT);
  settle(walk.look, yaw, AT_EASE, dt);
  pose.headYaw = walk.look.at - STILL_HEAD * front.swing.at;
  pose.headPitch = -STILL_HEAD * pose.frames[count - 1].pitch;
  yaw = animal.manner.wag * walk.stations[0].swing.at;
  let pitch = pose.frames[0].pitch;
  for (let j = 0; j < walk.tailYaw.length; j++) {
    walk.tailYaw[j] = lash(walk.tailYaw[j].at, walk.tailYaw[j].speed, yaw, dt);
    walk.tailPitch[j] = lash(walk.tailPitch[j].at, walk.tailPitch[j].speed, pitch, dt);
    yaw = walk.tailYaw[j].at;
    pitch = walk.tailPitch[j].at;
    pose.tailYaw[j] = yaw - walk.stations[0].swing.at;
    pose.tailPitch[j] = pitch - pose.frames[0].pitch;
  }
}

/**
 * Return a spring damped by half of the critical amount after a time, by a symplectic step.
 * @param {number} place
 * @param {number} speed
 * @param {number} goal
 * @param {number} dt
 * @returns {Damped}
 */
export function lash(place, speed, goal, dt) {
  const acceleration = LASH * (LASH * (goal - place) - speed);
  const faster = speed + acceleration * dt;
  return { at: place + faster * dt, speed: faster };
}
