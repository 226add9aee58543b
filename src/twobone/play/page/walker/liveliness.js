// Liveliness: a body that bobs and rolls over its feet, leans into starts and turns, and breathes (creature/liveliness.py).

import { cis } from "./elementary.js";
import { distance, minus, placeOf, plus, scaled } from "./footing.js";
import { arch, between, minimum } from "./gait.js";
import { advance, bounded } from "./springs.js";

/** @import { Anatomy, Place } from "./types.js" */
/** @import { Feel, State } from "./state.js" */

const SPARE = 0.05; // of the leg's length: with less distance to a limit, bodies move less
const IDLE = 0.1; // of full speed: a body that is slower breathes and shifts its weight
const BREATHS = 1.9; // radians per second
const BREATH = 0.006; // of the leg's length: how far a body rises as it breathes in
const CHEST = 0.006; // and how far it leans back, as z of the normal
// Two waves whose periods have no common multiple, so that the motion never seems to repeat.
const SHIFTS = [0.61, 1.07]; // radians per second
const ROCKS = 0.02; // lean towards the side that bears more of the weight, as x of the normal
const APART = [3.1, 5.3]; // seconds per leg's length along x and z: neighbours do not breathe in unison

/**
 * Return what a body feels that stands still at a place.
 * @param {Anatomy} anatomy
 * @param {Place} place
 * @returns {Feel}
 */
export const calm = ({ length }, [x, z]) => ({ seconds: (APART[0] * x + APART[1] * z) / length, velocity: [0, 0] });

/**
 * Move the body by its springs; `speed` is that of the footholds, `phases` are those of the legs.
 * @param {State} state
 * @param {number} dt
 * @param {number} speed
 * @param {number[]} phases
 */
export const stir = (state, dt, speed, phases) => {
  const { liveliness } = state.animal;
  if (!liveliness) return;
  const {
      anatomy,
      suspension,
      slack,
      feet,
      course: { motion },
    } = state,
    { gains } = anatomy;
  const feel = { seconds: state.feel.seconds + dt, velocity: placeOf(motion) },
    before = state.feel.velocity;
  let stiff = [0, 0, 0];
  feet.progress.forEach((progress, leg) => {
    const high = arch(progress);
    stiff = plus(stiff, scaled(high, gains.feet[leg]));
  });
  if (anatomy.pairs > 2) stiff[2] = bob(state, speed, phases);
  const soft = idleGoal(state, feel.seconds, speed);
  soft[0] += gains.turn * motion[1] * motion[2];
  // Close to a limit a body keeps still, so that liveliness does not stop a walk; not by the least
  // slack, which would put a foot just above the ground at one.
  const least = slack.legs.reduce((found, left, leg) => minimum(found, minimum(left, slack.knees[leg])), Infinity);
  const free = between(minimum(least, slack.belly) / (SPARE * anatomy.length), 0, 1);
  const change = minus(feel.velocity, before),
    push = [...change, distance(change)];
  const [rates, speeds] = suspension.springRate;
  const pushed = speeds.map((rate, j) => rate + free * gains.push[j] * push[j]);
  const goal = [scaled(free, stiff), scaled(free, soft)];
  const [spring, springRate] = advance(gains.frequencies, suspension.spring, [rates, pushed], goal, dt);
  const offset = plus(spring[0], spring[1]);
  state.feel = feel;
  state.suspension = {
    ...suspension,
    spring,
    springRate,
    bounce: offset.map(
      (/** @type {number} */ part, /** @type {number} */ j) => liveliness * bounded(part, gains.most[j]),
    ),
  };
};

/**
 * Return the height of a body on many legs, which sinks twice in a gait cycle.
 *
 * Each foot is a wave that is 1 in the middle of its swing and -1 half a cycle later. The waves of two
 * sets of feet differ by 2 in tripods, and by less the more a gait is a wave along the body.
 * @param {State} state
 * @param {number} speed
 * @param {number[]} phases
 */
const bob = (state, speed, phases) => {
  const { sets, sink } = state.anatomy.gains,
    middle = 0.5 * (1 - state.cycle.dutyFactor);
  const turns = phases.reduce((sum, phase, leg) => sum + cis(2 * Math.PI * (phase - middle))[0] * sets[leg], 0);
  return sink * (1 - idleness(state, speed)) * turns * turns;
};

/**
 * Return how much a body behaves as if idle, from 0 to 1; `speed` is that of the footholds.
 * @param {State} state
 * @param {number} speed
 */
export const idleness = ({ animal }, speed) => between(1 - speed / (IDLE * animal.speed), 0, 1);

/**
 * Return the offsets of a body that breathes and shifts its weight while it stands.
 * @param {State} state
 * @param {number} seconds
 * @param {number} speed
 */
const idleGoal = (state, seconds, speed) => {
  const idle = idleness(state, speed);
  if (!idle) return [0, 0, 0];
  const breath = idle * cis(BREATHS * seconds)[1],
    [slow, quick] = SHIFTS.map((rate) => cis(rate * seconds)[1]);
  return [ROCKS * idle * (0.6 * slow + 0.4 * quick), -CHEST * breath, BREATH * state.anatomy.length * breath];
};
