// How an animal starts: it stands on all its feet, if it fits where it is put.
//
// Printed from creature/stepping/standing.py by `python tools/generate.py`: do not edit.

import { choose } from "./footholds.js";
import { land } from "./legs.js";
import { level } from "./levels.js";
import { between, buried, length, rangeOf } from "./limbs.js";
import { HUGE, TINY, facing, larger } from "./numbers.js";
import { placeStations, placedX, placedZ, reachOf } from "./path.js";
import { posed } from "./pose.js";
import { lieOf } from "./soles.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./records.js").Pose} Pose */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

// Why an animal does not fit where it is put.
export const FITS = 0;
export const TOO_FAR = 1;
export const TOO_NEAR = 2;
export const LEG_BURIED = 3;
export const BELLY_BURIED = 4;

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
  /** @type {Walk} */
  const walk = {
    x,
    z,
    yaw,
    aside: atRest(0),
    ahead: atRest(0),
    turn: atRest(0),
    asked: { aside: 0, ahead: 0, turn: 0 },
    feltAside: atRest(0),
    feltAhead: atRest(0),
    duty: atRest(gait.dutyLow),
    vault: atRest(gait.vault),
    flex: atRest(gait.flex),
    beat: atRest(0),
    vigour: atRest(0),
    stations: animal.along.map(
      () => ({
        yaw,
        facing: facing(yaw),
        level: atRest(0),
        shift: atRest(0),
        fastest: HUGE,
        swing: atRest(0),
        drop: atRest(0),
        x: 0,
        z: 0,
        ux: 0,
        uz: 0,
        spin: 0,
        goal: 0,
        sinks: 0,
        under: 0,
        floor: 0,
        free: 1,
      }),
    ),
    steps: gait.offsetsLow.map((offset) => legAtRest(offset, yaw)),
    roll: atRest(0),
    back: atRest(0),
    lean: atRest(0),
    bank: atRest(0),
    rise: atRest(0),
    balanceX: atRest(0),
    balanceZ: atRest(0),
    look: atRest(0),
    links: animal.links.map(() => ({ yaw: atRest(0), pitch: atRest(0), roll: atRest(0) })),
    frontHigh: atRest(0),
    tailYaw: Array.from({ length: animal.tail }, () => atRest(0)),
    tailPitch: Array.from({ length: animal.tail }, () => atRest(0)),
    tailHigh: atRest(0),
    delay: 0,
    stops: true,
    calm: 1,
    slow: 1,
    lets: 1,
    gait: 0,
    blend: 0,
    phase: 0,
    rate: 0,
    moving: false,
    breath: 0,
    idle: 0,
    fidgets: 0,
    fidget: -1,
  };
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
    posed(animal, walk, ground, 0);
    placeStations(animal, walk, 0);
  }
  return walk;
}

/**
 * Return a number at rest.
 * @param {number} value
 * @returns {Damped}
 */
export function atRest(value) {
  return { at: value, speed: 0 };
}

/**
 * Return a leg that has stood since ever; `putFeet` tells where.
 * @param {number} offset
 * @param {number} yaw
 * @returns {Step}
 */
export function legAtRest(offset, yaw) {
  const origin = { x: 0, y: 0, z: 0 };
  return {
    phase: -offset - (Math.floor(-offset) + 0),
    offset: atRest(offset),
    foot: origin,
    goal: origin,
    stood: origin,
    x: { start: 0, place: 0, velocity: 0, acceleration: 0, brake: 0 },
    y: { start: 0, place: 0, velocity: 0, acceleration: 0, brake: 0 },
    z: { start: 0, place: 0, velocity: 0, acceleration: 0, brake: 0 },
    lift: atRest(0),
    lie: { pitch: 0, roll: 0 },
    lieBefore: { pitch: 0, roll: 0 },
    angle: atRest(0),
    hold: atRest(0),
    splay: atRest(0),
    facing: yaw,
    hip: origin,
    down: true,
    since: 1,
    under: 0,
    lost: false,
    leastHip: 0,
    base: 0,
    high: 0,
    part: 0,
    gate: 1,
    wantX: 0,
    wantZ: 0,
    stray: 0,
    slope: 0,
    slopeBefore: 0,
    cost: 0,
  };
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
    const footX = placedX(station.x, station.facing, leg.footAside, leg.footAhead);
    const footZ = placedZ(station.z, station.facing, leg.footAside, leg.footAhead);
    step.foot = { x: footX, y: ground(footX, footZ), z: footZ };
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
    const allowed = rangeOf(leg, animal.least, animal.straight);
    const still = { x: 0, y: 0, z: 0 };
    if (buried(leg, stand.hip, stand.foot, stand.angle, turn, allowed, still, ground) > 0) {
      return LEG_BURIED;
    }
  }
  return FITS;
}
