// An animal that walks at a given velocity: the same walk as that of `twobone.creature.Walker` (creature/walker.py).
//
//     const walker = new Walker(animalOf(entry), makeTerrain(0.15, entry.anatomy.length, 1), { position: [0, 0], heading: 0 });
//     walker.step(1 / 60, [0, 1], 0.2);
//     walker.state.feet
//
// A step is a few functions that replace records of the state (state.js); each module says what it does.

import { anatomyOf } from "./anatomy.js";
import { CreatureError, finite, refuse } from "./arguments.js";
import { brake } from "./braking.js";
import { coefficients, footRotation, settleBody, solved, swayBody } from "./carriage.js";
import { follow, rotations } from "./following.js";
import { plus } from "./footing.js";
import { stir } from "./liveliness.js";
import { advanceGait, ease, fastestTurn, footholdSpeed, limitedOrders, measureDelay, resting } from "./pacing.js";
import { rotationOf } from "./posture.js";
import { hold, kept } from "./restraint.js";
import { pointKnees } from "./knees.js";
import { stand } from "./standing.js";
import { after, carried, flies, legPhases, moving } from "./state.js";
import { starting, stray, swingFeet } from "./swinging.js";

/** @import { Animal, Place, Terrain } from "./types.js" */

export { CreatureError };

const STEP = 1 / 120; // seconds: longer steps are divided
const LONGEST = 3600; // seconds: maximum of one call
const PATIENCE = 1; // seconds without progress after which a walker is blocked

/**
 * The pose of a walker; points are x, y, z, rotations are quaternions xyzw.
 * @typedef {object} WalkerState
 * @property {number[]} bodyPosition
 * @property {number[]} bodyRotation
 * @property {number[][]} hips
 * @property {number[][]} knees
 * @property {number[][]} feet
 * @property {number[][]} poles pole vectors of the legs
 * @property {boolean[]} contact which feet are on the ground
 * @property {number[][]} footRotation identity if level with toes towards +z
 * @property {number[]} headRotation in the body's space
 * @property {number[]} tailRotation in the body's space
 * @property {number[]} bodyBend coefficients of the height of the trunk's middle above the body's z axis
 */

/** @type {(position: any) => Place} */
const where = (position) => /** @type {Place} */ (finite("position", position, 2));
/** @type {(terrain: any) => Terrain} */
const ground = (terrain) =>
  typeof terrain?.height === "function"
    ? terrain
    : refuse("terrain", "be what `makeGround` or `makeTerrain` returns", typeof terrain);

export class Walker {
  /**
   * Stand an animal on the ground; a CreatureError if it cannot stand there.
   * @param {Animal} animal of `animalOf`
   * @param {Terrain} terrain of `makeGround` or `makeTerrain`
   * @param {{ position?: Place, heading?: number }} where
   */
  constructor(animal, terrain, { position = [0, 0], heading = 0 } = {}) {
    const anatomy = anatomyOf(animal),
      cycle = resting(animal, anatomy, 0, animal.gait.dutyFactorAt(0));
    this._state = stand(animal, anatomy, ground(terrain), where(position), finite("heading", heading, 1)[0], cycle);
  }

  /**
   * Walk for a time step. Orders beyond what the animal can do are limited; a CreatureError if one is
   * not finite, as in Python.
   * @param {number} dt seconds, from 0 to 3600
   * @param {number[]} velocity to the left and forward
   * @param {number} turn radians per second, to the left
   */
  step(dt, velocity = [0, 0], turn = 0) {
    finite("dt", dt, 1);
    if (!(dt >= 0 && dt <= LONGEST)) refuse("dt", `be a number of seconds, 0 or more, at most ${LONGEST}`, dt);
    const asked = limitedOrders(this._state, [...finite("velocity", velocity, 2), ...finite("turn", turn, 1)]);
    const pieces = dt > 0 ? Math.max(1, Math.ceil(dt / STEP - 1e-9)) : 0;
    for (let piece = 0; piece < pieces; piece++) this._step(dt / pieces, asked);
  }

  /** @param {number} dt @param {any} asked */
  _step(dt, asked) {
    const state = this._state,
      before = kept(state);
    ease(state, dt, asked);
    brake(state);
    state.course = after(state.course, dt);
    const strayed = stray(state),
      speed = footholdSpeed(state.anatomy, state.course.motion);
    advanceGait(state, dt, asked, speed, strayed);
    const phases = legPhases(state.cycle, state.animal.gait, state.anatomy.pairs);
    swingFeet(state, dt, starting(state, speed, strayed, phases));
    pointKnees(state, before.feet, dt);
    swayBody(state, dt);
    stir(state, dt, speed, phases);
    settleBody(state, dt);
    hold(state, before, dt);
    follow(state, dt, speed);
    measureDelay(state, dt, asked);
  }

  /**
   * Push the body; the legs step to catch up with it.
   * @param {number[]} velocity to the left and forward, added to that of the body
   */
  shove(velocity) {
    const [left, forward] = finite("velocity", velocity, 2),
      { course } = this._state;
    this._state.course = moving(course, plus(course.motion, [left, forward, 0]));
  }

  /**
   * Place the walker elsewhere at once, standing on all its feet. After an error it is where it was.
   * @param {Place} position
   * @param {number} heading
   */
  put(position, heading = 0) {
    const { animal, anatomy, terrain, cycle } = this._state;
    const rest = resting(animal, anatomy, cycle.phase, cycle.dutyFactor);
    this._state = stand(animal, anatomy, terrain, where(position), finite("heading", heading, 1)[0], rest);
  }

  get animal() {
    return this._state.animal;
  }

  // The ground; set it for the steps to come.
  get terrain() {
    return this._state.terrain;
  }

  set terrain(terrain) {
    this._state.terrain = ground(terrain);
  }

  // The length of the longest leg.
  get length() {
    return this._state.anatomy.length;
  }

  // x and z of the body, without sway.
  get place() {
    return this._state.course.place;
  }

  // Radians from +z towards +x.
  get heading() {
    return this._state.course.heading;
  }

  // Velocity to the left and forward, and yaw rate in radians per second.
  get motion() {
    return this._state.course.motion;
  }

  // The maximum turning rate of the animal, in radians per second.
  get fastestTurn() {
    return fastestTurn(this._state);
  }

  // Whether for a second it has moved less than a tenth as fast as it was told to.
  get blocked() {
    return this._state.delay.seconds >= PATIENCE;
  }

  /** @returns {WalkerState} */
  get state() {
    const state = this._state,
      { body, ...legs } = solved(state);
    const bodyRotation = rotationOf(carried(state.suspension), state.course.heading),
      ends = rotations(state, bodyRotation);
    return {
      bodyPosition: body,
      bodyRotation,
      ...legs,
      contact: flies(state.feet).map((each) => !each),
      footRotation: legs.feet.map((_, leg) => footRotation(state, leg)),
      headRotation: ends.head,
      tailRotation: ends.tail,
      bodyBend: coefficients(state),
    };
  }
}
