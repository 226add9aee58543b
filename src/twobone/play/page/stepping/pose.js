// The trunk in space, from the path, the levels and the rhythm of the legs.
//
// Printed from creature/stepping/pose.py by `python tools/generate.py`: do not edit.

import { keepOff } from "./belly.js";
import { follow, hang } from "./hanging.js";
import { splayed } from "./knees.js";
import { shift } from "./levels.js";
import { GRAVITY, clamp, facing, placed } from "./numbers.js";
import { height } from "./path.js";
import { AT_EASE, MOST_TILT, WITH_GAITS, WITH_KNEES, WITH_SWINGS, clock, settle, sums } from "./rhythm.js";
import { angleOf, footOf, soleOf } from "./soles.js";
import { overFeet } from "./support.js";
import { angleWith, holdOf } from "./thirds.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Frame} Frame */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Sums} Sums */
/** @typedef {import("./records.js").Walk} Walk */

const CROUCH = 0.8; // of the hip per squared radian: an animal that leans sinks so much; taste

const TUCK = 0.22; // of the trunk's length per radian: an arched back draws its ends together; taste

export const SLOW = 0.13;
export const QUICK = 0.21; // shifts of weight per breath: two waves that repeat together late; taste

/**
 * Cosines and sines of the angles of a station.
 * @typedef {object} Tilt
 * @property {Turn} yaw
 * @property {Turn} pitch
 * @property {Turn} roll
 */

/**
 * Return a pose that is still to be filled.
 * @param {Anatomy} animal
 * @returns {Pose}
 */
export function blank(animal) {
  return {
    frames: animal.along.map(() => ({ x: 0, y: 0, z: 0, yaw: 0, pitch: 0, roll: 0 })),
    stands: animal.legs.map(
      () => ({
        hip: { x: 0, y: 0, z: 0 },
        foot: { x: 0, y: 0, z: 0 },
        angle: 0,
        facing: 0,
        pitch: 0,
        roll: 0,
        splay: 0,
        gives: 0,
        down: true,
      }),
    ),
    links: animal.links.map(() => ({ yaw: 0, pitch: 0, roll: 0 })),
    tailYaw: Array.from({ length: animal.tail }, () => 0),
    tailPitch: Array.from({ length: animal.tail }, () => 0),
  };
}

/**
 * Put an animal into its pose after a time, in which what follows the legs moves on.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {((a: number, b: number) => number)} ground
 * @param {number} dt
 * @returns {void}
 */
export function put(animal, walk, pose, ground, dt) {
  const swings = sums(animal, walk);
  bendTrunk(animal, walk, swings, dt);
  overFeet(animal, walk, dt);
  putTrunk(animal, walk, swings, pose);
  const tilts = pose.frames.map((frame) => tiltOf(frame));
  const rate = WITH_SWINGS * clock(animal, walk);
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const stand = pose.stands[i];
    settle(step.angle, angleOf(leg, walk, step), rate, dt);
    settle(step.hold, holdOf(walk, step), rate, dt);
    stand.hip = hipOf(leg, pose.frames[leg.station], tilts[leg.station]);
    stand.foot = footOf(animal, walk, leg, step);
    stand.facing = step.facing;
    stand.down = step.down;
    stand.gives = step.down ? 0 : 4 * step.part * (1 - step.part);
  }
  shift(animal, walk, pose, swings.heave, ground, dt);
  for (let k = 0; k < walk.stations.length; k++) {
    const station = walk.stations[k];
    pose.frames[k].y += station.shift.at;
  }
  keepOff(animal, walk, pose);
  for (let i = 0; i < animal.legs.length; i++) {
    putLeg(animal, walk, pose, i, tilts[animal.legs[i].station]);
    turnKnee(animal, walk, pose, i, ground, dt);
  }
  hang(animal, walk, swings, pose, dt);
  follow(animal, walk, pose, dt);
}

/**
 * Put the hip of a leg on its station, and turn third segment and sole as that lets them.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {number} i
 * @param {Tilt} tilt
 * @returns {void}
 */
export function putLeg(animal, walk, pose, i, tilt) {
  const leg = animal.legs[i];
  const step = walk.steps[i];
  const stand = pose.stands[i];
  const hip = hipOf(leg, pose.frames[leg.station], tilt);
  const angle = step.angle.at;
  const hold = step.hold.at;
  step.hip = hip;
  stand.hip = hip;
  stand.angle = angleWith(animal, leg, hip, stand.foot, angle, hold, step.toes, tilt.yaw);
  const sole = soleOf(leg, step, stand.foot, stand.angle);
  stand.pitch = sole.pitch;
  stand.roll = sole.roll;
}

/**
 * Turn the knee of a leg aside where the ground is in its way, and back with less haste.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @param {number} dt
 * @returns {void}
 */
export function turnKnee(animal, walk, pose, i, ground, dt) {
  const splay = walk.steps[i].splay;
  const goal = splayed(animal, animal.legs[i], pose.stands[i], splay.at, ground);
  const rate = Math.abs(goal) > Math.abs(splay.at) ? WITH_KNEES : WITH_SWINGS;
  settle(splay, goal, rate * clock(animal, walk), dt);
  pose.stands[i].splay = splay.at;
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
    settle(station.drop, 0.5 * manner.drop * walk.vigour.at * swings.air[k], rate, dt);
  }
  const flex = 0.5 * walk.flex.at * (swings.fore[0] - swings.fore[count - 1]);
  settle(walk.back, flex, rate, dt);
  const lean = animal.gaits[walk.gait].lean * walk.vigour.at;
  const bank = animal.manner.bank * walk.ahead.at * walk.turn.at / GRAVITY;
  settle(walk.lean, lean, AT_EASE, dt);
  settle(walk.bank, clamp(bank, -MOST_TILT, MOST_TILT), AT_EASE, dt);
  const rise = animal.gaits[walk.gait].rise * animal.hip * walk.vigour.at;
  settle(walk.beat, walk.rate, AT_EASE, dt);
  walk.breath += animal.manner.breathes * (1 + walk.vigour.at) * dt;
  settle(walk.rise, rise, WITH_GAITS * clock(animal, walk), dt);
}

/**
 * Put the stations of the trunk where they are before they are shifted.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Sums} swings
 * @param {Pose} pose
 * @returns {void}
 */
export function putTrunk(animal, walk, swings, pose) {
  const count = walk.stations.length;
  const turn = facing(walk.yaw);
  const sway = swings.sway + shifted(animal, walk);
  const x = walk.balanceX.at + sway * turn.c;
  const z = walk.balanceZ.at - sway * turn.s;
  const lean = walk.lean.at + animal.manner.lean * walk.feltAhead.speed / GRAVITY;
  const bank = walk.bank.at + animal.manner.bank * walk.feltAside.speed / GRAVITY;
  const crouch = CROUCH * animal.hip * lean * lean + breathed(animal, walk);
  for (let k = 0; k < pose.frames.length; k++) {
    const frame = pose.frames[k];
    const station = walk.stations[k];
    const a = k + 1 < count ? k + 1 : k;
    const b = k > 0 ? k - 1 : 0;
    let tilt = 0;
    if (count > 1) {
      const up = height(walk.stations[a]) - height(walk.stations[b]);
      tilt = up / (animal.along[a] - animal.along[b]);
    }
    const end = count > 1 ? 2 * k / (count - 1) - 1 : 0;
    const aside = animal.manner.ripple * animal.hip * walk.vigour.at * swings.air[k];
    const tuck = -TUCK * animal.span * end * walk.back.at;
    const high = animal.height + station.level.at + walk.rise.at + swings.heave - crouch;
    frame.x = station.x + x + tuck * station.facing.s - aside * station.facing.c;
    frame.y = high + (animal.along[k] - animal.middle) * (swings.pitch - lean);
    frame.z = station.z + z + tuck * station.facing.c + aside * station.facing.s;
    frame.yaw = station.yaw + station.swing.at;
    frame.pitch = tilt + swings.pitch - lean - walk.back.at * end;
    frame.roll = walk.roll.at + swings.roll - bank + station.drop.at;
  }
}

/**
 * Return how far the trunk has sunk, as it breathes.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function breathed(animal, walk) {
  return 0.5 * animal.manner.breath * animal.hip * (1 - facing(2 * Math.PI * walk.breath).c);
}

/**
 * Return how far to the left an animal that stands has shifted its weight.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function shifted(animal, walk) {
  const turns = 2 * Math.PI * walk.breath;
  const waves = facing(SLOW * turns).s + facing(QUICK * turns).s;
  return 0.5 * (1 - walk.vigour.at) * animal.manner.shift * animal.hip * waves;
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
  const hip = placed(frame.x, frame.z, tilt.yaw, aside, ahead);
  return { x: hip.x, y: frame.y + up * tilt.pitch.c, z: hip.z };
}
