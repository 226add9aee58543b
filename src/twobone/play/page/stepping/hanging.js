// What hangs on the trunk: neck, head, arms, ears and tail, as damped springs.
//
// Printed from creature/stepping/hanging.py by `python tools/generate.py`: do not edit.

import { GRAVITY, TINY, clamp, facing, smaller, smooth, wrapped } from "./numbers.js";
import { AT_EASE, MOST_TILT, settle } from "./rhythm.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Sums} Sums */
/** @typedef {import("./records.js").Walk} Walk */

const RUNS = 0.55; // the duty factor below which an animal begins to run; at half of it it does; taste

const SELDOM = 0.17;
const OFTEN = 0.29; // glances per breath of the first link, in two waves; others more

const ABRUPT = 4; // by which these waves are cut off: an animal looks somewhere for a while; taste

// Of a step: how long the head of a bird is held still in space (Frost, J. Exp. Biol. 74, 1978).
const HELD = 0.6;

const MOST_HELD = 0.3; // of the hip: half the way that a head can be held behind; taste

const NODS = 40; // radians per second: how soon a neck feels that its bearer rises; taste

const LASH = 14; // radians per second: a link of the tail, if it swings freely; taste

/**
 * Let neck, head, arms and the like follow what bears them, with goals of their own.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Sums} swings
 * @param {Pose} pose
 * @param {number} dt
 * @returns {void}
 */
export function hang(animal, walk, swings, pose, dt) {
  const count = walk.stations.length;
  const front = walk.stations[count - 1];
  const frame = pose.frames[count - 1];
  const look = clamp(animal.manner.look * walk.turn.at, -MOST_TILT, MOST_TILT);
  settle(walk.look, look, AT_EASE, dt);
  sway(walk.frontHigh, frame.y, NODS, dt);
  const rises = walk.frontHigh.speed / Math.sqrt(GRAVITY * animal.hip);
  const runs = running(walk);
  const nod = (walk.vigour.at - runs) * nodded(walk);
  const held = (walk.vigour.at - runs) * heldBack(animal, walk);
  for (let i = 0; i < animal.links.length; i++) {
    const link = animal.links[i];
    const own = walk.links[i];
    let yaw = front.swing.at;
    let pitch = frame.pitch;
    let roll = frame.roll;
    if (link.parent >= 0) {
      const bearer = walk.links[link.parent];
      yaw = bearer.yaw.at;
      pitch = bearer.pitch.at;
      roll = bearer.roll.at;
    }
    yaw = link.twist * yaw + link.look * walk.look.at;
    if (link.glance > 0 && walk.vigour.at < 1 - TINY) {
      yaw += link.glance * glanced(walk, i + 1);
    }
    let swung = link.swing * (1 + link.pump * runs);
    swung *= link.leg >= 0 ? swings.ahead[link.leg] : 0;
    sway(own.yaw, yaw, link.quick, dt);
    swung += link.bobs * rises + link.run * runs - link.nod * nod + link.holds * held;
    swung -= link.trails * walk.feltAhead.speed / GRAVITY;
    sway(own.pitch, link.tip * pitch + swung, link.quick, dt);
    const rolled = link.tip * roll - link.trails * walk.feltAside.speed / GRAVITY;
    sway(own.roll, rolled, link.quick, dt);
    pose.links[i] = {
      yaw: own.yaw.at - front.swing.at,
      pitch: own.pitch.at - frame.pitch,
      roll: own.roll.at - frame.roll,
    };
  }
}

/**
 * Return how much of a run a gait is, 0 to 1: the less of a cycle feet stand, the more.
 * @param {Walk} walk
 * @returns {number}
 */
export function running(walk) {
  return walk.vigour.at * smooth(2 * (1 - walk.duty.at / RUNS));
}

/**
 * Return to where an animal that stands turns a link, -1 to 1: here and there for a while.
 * @param {Walk} walk
 * @param {number} rate
 * @returns {number}
 */
export function glanced(walk, rate) {
  const turns = 2 * Math.PI * walk.breath * rate;
  const waves = facing(SELDOM * turns).s + facing(OFTEN * turns).s;
  return (1 - walk.vigour.at) * clamp(ABRUPT * waves, -1, 1);
}

/**
 * Return a wave, -1 to 1, that begins to rise when each of the two front feet lands.
 * @param {Walk} walk
 * @returns {number}
 */
export function nodded(walk) {
  const landed = walk.phase - walk.steps[walk.steps.length - 1].offset.at;
  return facing(4 * Math.PI * landed).s;
}

/**
 * Return how far behind its middle a head is that is held still in space, of the hip.
 *
 * In each step it goes back as fast as the body goes on, and while both feet stand it is thrust
 * forward, by a cubic that begins and ends with the speed at which it goes back.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @returns {number}
 */
export function heldBack(animal, walk) {
  if (walk.beat.at <= 0) return 0;
  const landed = walk.phase - walk.steps[walk.steps.length - 1].offset.at;
  const part = wrapped(2 * landed - (walk.duty.at - 0.5)) + 0.5 * (1 - HELD);
  const most = smaller(0.25 * HELD * walk.ahead.at / (walk.beat.at * animal.hip), MOST_HELD);
  if (part > 1 - HELD || part < 0) {
    const begun = part > 0 ? part - (1 - HELD) : part + HELD;
    return most * (2 * begun / HELD - 1);
  }
  const t = part / (1 - HELD);
  const steep = 2 * (1 - HELD) / HELD;
  return most * (1 - 2 * smooth(t) + steep * t * (1 - t) * (1 - 2 * t));
}

/**
 * Let the tail swing after the pelvis, and its end stay behind as that goes up and down.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {number} dt
 * @returns {void}
 */
export function follow(animal, walk, pose, dt) {
  const manner = animal.manner;
  let yaw = manner.wag * walk.stations[0].swing.at + walk.feltAside.speed / GRAVITY;
  const high = pose.frames[0].y;
  sway(walk.tailHigh, high, LASH, dt);
  const whipped = manner.whip * (high - walk.tailHigh.at) / animal.hip;
  let pitch = pose.frames[0].pitch - manner.streams * running(walk);
  pitch += clamp(whipped, -MOST_TILT, MOST_TILT);
  for (let j = 0; j < walk.tailYaw.length; j++) {
    sway(walk.tailYaw[j], yaw, LASH, dt);
    sway(walk.tailPitch[j], pitch, LASH, dt);
    yaw = walk.tailYaw[j].at;
    pitch = walk.tailPitch[j].at;
    pose.tailYaw[j] = yaw - walk.stations[0].swing.at;
    pose.tailPitch[j] = pitch - pose.frames[0].pitch;
  }
}

/**
 * Move a spring damped by half of the critical amount, by a symplectic step.
 *
 * Without time, or if it is not `quick`, it is at its goal at once.
 * @param {Damped} value
 * @param {number} goal
 * @param {number} quick
 * @param {number} dt
 * @returns {void}
 */
export function sway(value, goal, quick, dt) {
  if (dt > 0 && quick > 0) {
    value.speed += quick * (quick * (goal - value.at) - value.speed) * dt;
    value.at += value.speed * dt;
  } else {
    value.at = goal;
    value.speed = 0;
  }
}
