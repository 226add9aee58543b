// How an animal starts: it stands on all its feet, if it fits where it is put.
//
// Printed from creature/stepping/standing.py by `python tools/generate.py`: do not edit.

import { choose } from "./footholds.js";
import { land } from "./legs.js";
import { level } from "./levels.js";
import { buried, rangeOf } from "./limbs.js";
import { HUGE, TINY, between, facing, larger, length } from "./numbers.js";
import { atRest, placeStations, reachOf } from "./path.js";
import { blank, put } from "./pose.js";
import { lieOf } from "./soles.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Walk} Walk */

// Why an animal does not fit where it is put.
export const FITS = 0;
const TOO_FAR = 1;
const TOO_NEAR = 2;
const LEG_BURIED = 3;
const BELLY_BURIED = 4;

/**
 * Return an animal that stands on all its feet.
 * @param {Anatomy} animal
 * @param {number} x
 * @param {number} z
 * @param {number} yaw
 * @param {((a: number, b: number) => number)} ground
 * @returns {Walk}
 */
export function started(animal, x, z, yaw, ground) {
  const gait = animal.gaits[0];
  const turn = facing(yaw);
  /** @type {Walk} */
  const walk = {
    x,
    z,
    yaw,
    duty: { at: gait.dutyLow, speed: 0 },
    vault: { at: gait.vault, speed: 0 },
    flex: { at: gait.flex, speed: 0 },
    stations: animal.along.map(
      () => ({
        yaw,
        facing: turn,
        fastest: HUGE,
        x: 0,
        z: 0,
        ux: 0,
        uz: 0,
        spin: 0,
        level: { at: 0, speed: 0 },
        goal: 0,
        sinks: 0,
        shift: { at: 0, speed: 0 },
        under: 0,
        floor: 0,
        free: 1,
        swing: { at: 0, speed: 0 },
        drop: { at: 0, speed: 0 },
      }),
    ),
    steps: gait.offsetsLow.map(
      (at) => ({
        phase: -at - (Math.floor(-at) + 0),
        offset: { at, speed: 0 },
        facing: yaw,
        toes: turn,
        foot: { x: 0, y: 0, z: 0 },
        goal: { x: 0, y: 0, z: 0 },
        stood: { x: 0, y: 0, z: 0 },
        hip: { x: 0, y: 0, z: 0 },
        down: true,
        since: 1,
        stray: 0,
        gate: 1,
        part: 0,
        x: { start: 0, place: 0, velocity: 0, acceleration: 0, brake: 0 },
        y: { start: 0, place: 0, velocity: 0, acceleration: 0, brake: 0 },
        z: { start: 0, place: 0, velocity: 0, acceleration: 0, brake: 0 },
        base: 0,
        low: 0,
        over: { start: 0, place: 0, velocity: 0, acceleration: 0, brake: 0 },
        high: 0,
        want: { x: 0, z: 0 },
        lost: false,
        cost: 0,
        under: 0,
        leastHip: 0,
        slope: 0,
        slopeBefore: 0,
        lie: { pitch: 0, roll: 0 },
        lieBefore: { pitch: 0, roll: 0 },
        angle: { at: 0, speed: 0 },
        hold: { at: 0, speed: 0 },
        splay: { at: 0, speed: 0 },
      }),
    ),
    links: animal.links.map(
      () => ({ yaw: { at: 0, speed: 0 }, pitch: { at: 0, speed: 0 }, roll: { at: 0, speed: 0 } }),
    ),
    tailYaw: Array.from({ length: animal.tail }, () => ({ at: 0, speed: 0 })),
    tailPitch: Array.from({ length: animal.tail }, () => ({ at: 0, speed: 0 })),
    asked: { aside: 0, ahead: 0, turn: 0 },
    aside: { at: 0, speed: 0 },
    ahead: { at: 0, speed: 0 },
    turn: { at: 0, speed: 0 },
    feltAside: { at: 0, speed: 0 },
    feltAhead: { at: 0, speed: 0 },
    stops: true,
    moving: false,
    calm: 1,
    slow: 1,
    lets: 1,
    delay: 0,
    gait: 0,
    blend: 0,
    phase: 0,
    rate: 0,
    beat: { at: 0, speed: 0 },
    vigour: { at: 0, speed: 0 },
    roll: { at: 0, speed: 0 },
    back: { at: 0, speed: 0 },
    lean: { at: 0, speed: 0 },
    bank: { at: 0, speed: 0 },
    rise: { at: 0, speed: 0 },
    balanceX: { at: 0, speed: 0 },
    balanceZ: { at: 0, speed: 0 },
    look: { at: 0, speed: 0 },
    frontHigh: { at: 0, speed: 0 },
    tailHigh: { at: 0, speed: 0 },
    breath: 0,
    idle: 0,
    fidgets: 0,
    fidget: -1,
  };
  const pose = blank(animal);
  placeStations(animal, walk, 0);
  putFeet(animal, walk, ground);
  level(animal, walk, 0);
  // Footholds depend on the height of the trunk, and that on them.
  for (let _ = 0; _ < 3; _++) {
    for (let i = 0; i < animal.legs.length; i++) {
      choose(animal, walk, i, ground);
      walk.steps[i].lie = lieOf(animal, walk, i, ground);
      land(walk, i);
      walk.steps[i].since = 1;
    }
    level(animal, walk, 0);
    put(animal, walk, pose, ground, 0);
    placeStations(animal, walk, 0);
  }
  return walk;
}

/**
 * Put all feet where they are at rest; those in a pit count as if it were filled.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function putFeet(animal, walk, ground) {
  let mean = 0;
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const step = walk.steps[i];
    const station = walk.stations[leg.station];
    const foot = atRest(leg, station.x, station.z, station.facing);
    step.foot = { x: foot.x, y: ground(foot.x, foot.z), z: foot.z };
    step.goal = step.foot;
    step.stood = step.foot;
    step.leastHip = step.foot.y;
    mean += step.foot.y / walk.steps.length;
  }
  for (const step of walk.steps) {
    step.base = larger(step.foot.y, mean);
  }
}

/**
 * Return why an animal cannot stand as it does, or `FITS`.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Pose} pose
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function misfit(animal, walk, pose, ground) {
  for (let j = 0; j < walk.stations.length; j++) {
    const station = walk.stations[j];
    const frame = pose.frames[j];
    if (frame.y < station.under - TINY) return BELLY_BURIED;
  }
  for (let i = 0; i < animal.legs.length; i++) {
    const leg = animal.legs[i];
    const stand = pose.stands[i];
    const distance = length(between(stand.hip, stand.foot));
    if (distance > reachOf(leg, 1)) return TOO_FAR;
    if (distance < rangeOf(leg, animal.least, 1).least - leg.third) return TOO_NEAR;
    const turn = facing(stand.facing);
    const still = { x: 0, y: 0, z: 0 };
    if (buried(animal, leg, stand.hip, stand.foot, stand.angle, turn, still, ground) > 0) {
      return LEG_BURIED;
    }
  }
  return FITS;
}
