// An animal on its way, with the walker that is printed from Python (page/stepping), in arrays as the page has them.
import { shove } from "../../stepping/command.js";
import { jointsOf } from "../../stepping/joints.js";
import { isBlocked, motion, seen, setOff, travel } from "../../stepping/journey.js";
import { poleOf } from "../../stepping/limbs.js";
import { between, facing } from "../../stepping/numbers.js";
import { shown } from "../../stepping/shown.js";
import { FITS, misfit } from "../../stepping/standing.js";
import { limb } from "../../limb/limb.js";

/** @import { Anatomy } from "../../stepping/anatomy.js" */
/** @import { Terrain } from "./ground.js" */
/**
 * A velocity to the left and forward, and a turning rate to the left in radians per second.
 * @typedef {{ velocity: number[], turn: number }} Order
 */
/**
 * The pose of an animal in the world; rotations are quaternions xyzw. See `WalkerState` in Python.
 * @typedef {object} Stance
 * @property {number[]} place the middle of the stations
 * @property {number[]} turned their mean rotation
 * @property {number[][]} stations points of the trunk's line, from rear to front
 * @property {number[][]} rotations of the stations
 * @property {number[][]} hips
 * @property {number[][]} knees
 * @property {number[][]} ankles
 * @property {number[][]} feet
 * @property {boolean[]} down which feet are on the ground
 * @property {number[][]} soles rotations of the feet
 * @property {number[][]} neck rotations of its links, in the space of the front station
 * @property {number[][]} tail rotations of its links, each in the space of the rear station
 */

const { plus, times, dot, unit } = limb.vectors;
/** @type {(p: { x: number, y: number, z: number }) => number[]} */
const xyz = ({ x, y, z }) => [x, y, z];
/** @type {(q: { x: number, y: number, z: number, w: number }) => number[]} */
const xyzw = ({ x, y, z, w }) => [x, y, z, w];

/**
 * The rotation a part of the way from one to another that is near it, along the shorter way.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} part from 0 to 1
 */
export const blended = (from, to, part) =>
  unit(plus(times(1 - part, from), times(dot(from, to) < 0 ? -part : part, to)));

export class Walker {
  /**
   * Stand an animal on the ground, even if it does not fit there.
   * @param {Anatomy} anatomy
   * @param {Terrain} ground
   * @param {number[]} place x and z
   * @param {number} heading radians from +z towards +x
   */
  constructor(anatomy, ground, [x, z], heading) {
    this.anatomy = anatomy;
    this.ground = ground;
    this.journey = setOff(anatomy, x, z, heading, ground.height);
  }

  /** Whether it can stand as it does. */
  get fits() {
    return misfit(this.anatomy, this.journey.walk, seen(this.journey), this.ground.height) === FITS;
  }

  /** Walk for some seconds. @param {number} dt @param {Order} order */
  step(dt, { velocity: [aside, ahead], turn }) {
    travel(this.anatomy, this.journey, { aside, ahead, turn }, dt, this.ground.height);
  }

  /** Add to the velocity of the body, to the left and forward. @param {number[]} velocity */
  shove([aside, ahead]) {
    shove(this.anatomy, this.journey.walk, aside, ahead);
  }

  get place() {
    const { x, z } = motion(this.journey);
    return [x, z];
  }

  get heading() {
    return motion(this.journey).heading;
  }

  /** The heading of its front, which the rest of a trunk that bends follows. */
  get lead() {
    return motion(this.journey).frontHeading;
  }

  /** Its velocity in the world. */
  get velocity() {
    const { aside, ahead, heading } = motion(this.journey),
      c = Math.cos(heading),
      s = Math.sin(heading);
    return [aside * c + ahead * s, 0, ahead * c - aside * s];
  }

  /** Whether it has been kept from doing what it is told. */
  get blocked() {
    return isBlocked(this.journey);
  }

  /** Whether it stands, and shall stand. */
  get stands() {
    return this.journey.walk.rate === 0;
  }

  /** The pole of a leg in the world: the direction in which its knee points. @param {number} i */
  pole(i) {
    const pose = seen(this.journey),
      leg = this.anatomy.legs[i],
      { hip, ankle } = jointsOf(this.anatomy, pose, i);
    return unit(xyz(poleOf(leg, facing(pose.frames[leg.station].yaw), between(hip, ankle))));
  }

  /** @returns {Stance} */
  get pose() {
    const { stations, rotations, joints, down, soles, neck, tail } = shown(this.anatomy, seen(this.journey));
    const turns = rotations.map(xyzw),
      places = stations.map(xyz);
    return {
      place: times(1 / places.length, places.reduce(plus)),
      turned: unit(turns.reduce((sum, each) => plus(sum, times(dot(each, turns[0]) < 0 ? -1 : 1, each)))),
      stations: places,
      rotations: turns,
      hips: joints.map(({ hip }) => xyz(hip)),
      knees: joints.map(({ knee }) => xyz(knee)),
      ankles: joints.map(({ ankle }) => xyz(ankle)),
      feet: joints.map(({ foot }) => xyz(foot)),
      down,
      soles: soles.map(xyzw),
      neck: neck.map(xyzw),
      tail: tail.map(xyzw),
    };
  }
}
