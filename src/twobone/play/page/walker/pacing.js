// Pace of a walker: how it follows commanded velocities, and how fast its gait cycle advances (creature/pacing.py).

import { exp } from "./elementary.js";
import { conjugate, distance, minus, placeOf, plus, rotated, scaled } from "./footing.js";
import { EARLY, between, maximum, minimum } from "./gait.js";
import { moving } from "./state.js";

/** @import { Cycle, State } from "./state.js" */
/** @import { Anatomy, Animal } from "./types.js" */

const EASE = 5; // per second: rate at which the motion approaches what is asked
const AGILE = 6; // per second: maximum acceleration over full speed
const GENTLE = 0.7; // the same for four legs that do not wait for each other, while they speed up
const SLOW_FROM = 0.88; // of reach: beyond it the walker slows down
const SLOW_TO = 0.95; // of reach: speed falls from full at SLOW_FROM to 0 here
const WAIT = 0.3; // fraction of the gait's rate that remains when a leg is so far out
const LATE = 0.6; // of a stride: the gait is faster while a foot in stance is far from its foothold
const HURRY = 12; // per second: rate at which the gait's rate is adapted
const RESTLESS = 0.25; // strides per second over those of full speed: minimum while a foot is in swing or has strayed
const CALM = 0.15; // the same for a walker told to walk slowly, so that its steps are longer
const CALM_FROM = 0.1,
  CALM_TO = 0.2,
  NEARLY = 0.1; // speeds, and how far from them, over full speed
const NIMBLE = 1.35; // times full speed: maximum speed of the outermost foot due to turning
const SLIPS = 0.2; // of its rate: how fast the gait cycle goes on while a foot waits for the body
const CREEPS = 0.4; // of full speed: maximum at which the body then moves over the feet that are to bear it
const CURVED = 0.6; // fraction of full speed lost at the fastest turn
const SEEKS = 0.3; // seconds without progress after which a walker puts its feet ahead
const AHEAD = 0.2; // of the leg's length: how far ahead at most

/**
 * How far feet are from their nominal footholds, and which of them should take a step.
 * @typedef {{ distance: number[], steps: boolean[] }} Strayed
 */

/**
 * Return the fastest turn the animal can do, in radians per second.
 * @param {State} state
 */
export const fastestTurn = ({ animal, anatomy }) => (NIMBLE * animal.speed) / anatomy.breadth;

/**
 * Return a desired motion limited to what the animal can do.
 * @param {State} state
 * @param {number[]} asked
 */
export const limitedOrders = (state, asked) => {
  const full = state.animal.speed,
    most = fastestTurn(state),
    turn = minimum(maximum(asked[2], -most), most),
    part = turn / most;
  const speed = distance(asked),
    fast = full * (1 - CURVED * (part * part)),
    factor = fast / maximum(speed, fast);
  return [asked[0] * factor, asked[1] * factor, turn];
};

/**
 * Change the motion towards the desired one.
 * @param {State} state
 * @param {number} dt
 * @param {number[]} asked
 */
export const ease = (state, dt, asked) => {
  const { limits, course, animal, anatomy } = state,
    { motion } = course;
  const slow = pace(maximum(limits.reach, limits.strain)),
    follow = 1 - exp(-EASE * dt);
  const wanted = anatomy.balances ? overBearingFeet(state, asked) : asked;
  const change = wanted.map((part, i) => follow * (part * slow - motion[i]));
  let most = AGILE * dt * animal.speed;
  if (anatomy.pairs === 2 && animal.gait.balance === "dynamic" && change[0] * motion[0] + change[1] * motion[1] >= 0)
    most = (GENTLE / AGILE) * most;
  const factor = most / maximum(distance(change), most);
  state.course = moving(course, plus(motion, [change[0] * factor, change[1] * factor, change[2]]));
};

/**
 * Return the desired motion; while a foot waits, it is over the other feet.
 *
 * The body does not go on, or it would leave the polygon that the foot needs in order to lift. It goes
 * towards the middle of the feet that are to bear it, forward or back: there their polygon is wider than
 * below a body that has come too close to its corner, as after short steps.
 * @param {State} state
 * @param {number[]} asked
 */
const overBearingFeet = ({ course, feet, footholds: { waits }, suspension, animal }, asked) => {
  if (!waits.includes(true)) return asked;
  const back = conjugate(course.facing);
  let along = 0,
    count = 0;
  feet.swing.forEach(([now], leg) => {
    if (feet.progress[leg] < 1 || waits[leg]) return;
    along += rotated(minus(placeOf(now), course.place), back)[1];
    count += 1;
  });
  const away = along / maximum(count, 1) - suspension.sway[1],
    most = CREEPS * animal.speed;
  return [0, between(EASE * away, -most, most), 0];
};

// Return the fraction of its pace that a walker keeps; `reach` is the extension of its legs.
/** @type {(v: number) => number} */
const pace = (reach) => between((SLOW_TO - reach) / (SLOW_TO - SLOW_FROM), 0, 1);

/**
 * Return the maximum speed of a nominal foothold over the ground.
 * @param {Anatomy} anatomy
 * @param {number[]} motion
 */
export const footholdSpeed = (anatomy, [left, forward, turn]) => {
  let most = 0;
  for (const [x, z] of anatomy.footholds) most = maximum(most, distance([left + turn * z, forward - turn * x]));
  return most;
};

/**
 * Return the gait cycle of a walker that stands still.
 * @param {Animal} animal
 * @param {Anatomy} anatomy
 * @param {number} phase
 * @param {number} dutyFactor
 * @returns {Cycle}
 */
export const resting = ({ speed }, { stride }, phase, dutyFactor) => {
  const least = (RESTLESS * speed) / stride;
  return { phase, dutyFactor, hurry: 1, rate: 0, least, swingRate: 0 };
};

/**
 * Advance the gait cycle; `asked` is the desired motion, `speed` that of the footholds.
 * @param {State} state
 * @param {number} dt
 * @param {number[]} asked
 * @param {number} speed
 * @param {Strayed} strayed
 */
export const advanceGait = (state, dt, asked, speed, strayed) => {
  const was = state.cycle.least,
    wanted = leastRate(state, footholdSpeed(state.anatomy, asked));
  const least = was + (1 - exp(-HURRY * dt)) * (wanted - was);
  const { rate, hurry, waits } = gaitRate(state, dt, least, speed, strayed),
    cycles = dt * rate;
  // The cycle stops until a late foot has landed.
  const found = advanced(state, waits ? 0 : cycles, speed / state.animal.speed);
  const { phase, dutyFactor } = state.anatomy.balances ? slipped(state, found) : found;
  state.cycle = { phase, dutyFactor, hurry, rate, least, swingRate: cycles / (EARLY * (1 - dutyFactor) * dt) };
};

/**
 * Return the minimum of the gait's rate for footholds that should move at a speed.
 * @param {State} state
 * @param {number} told
 */
const leastRate = ({ animal: { speed: full }, anatomy }, told) => {
  const away = maximum(maximum(CALM_FROM * full - told, told - CALM_TO * full), 0);
  const calm = maximum(1 - away / (NEARLY * full), 0);
  return (RESTLESS * full - calm * ((RESTLESS - CALM) * full)) / anatomy.stride;
};

/**
 * Return the rate of the gait cycle, how much it hurries, and whether it waits for a foot.
 * @param {State} state
 * @param {number} dt
 * @param {number} least
 * @param {number} speed
 * @param {Strayed} strayed
 */
const gaitRate = ({ cycle, feet, footholds, anatomy, limits }, dt, least, speed, strayed) => {
  let restless = false,
    waits = false,
    behind = 0;
  feet.progress.forEach((progress, leg) => {
    const flies = progress < 1;
    if (strayed.steps[leg] || flies) restless = true;
    if (!flies) behind = maximum(behind, strayed.distance[leg]);
    footholds.late[leg] = footholds.late[leg] && flies;
    if (footholds.late[leg]) waits = true;
  });
  const rate = maximum((cycle.dutyFactor * speed) / anatomy.stride, least * (restless ? 1 : 0));
  // The swings advance with the gait cycle, so its rate must not jump.
  const goal = between(behind / (LATE * anatomy.stride), 1, 1.4) * (WAIT + (1 - WAIT) * pace(limits.strain));
  const hurry = cycle.hurry + (1 - exp(-HURRY * dt)) * (goal - cycle.hurry);
  return { rate: rate * hurry, hurry, waits };
};

/**
 * Return phase and duty factor of a cycle that advances more slowly while a foot waits for the body.
 *
 * It does not stop: if the body cannot get over the other feet, it is another foot's turn.
 * @param {State} state
 * @param {{ phase: number, dutyFactor: number }} found
 */
const slipped = ({ cycle, footholds }, { phase, dutyFactor }) => {
  if (!footholds.waits.includes(true)) return { phase, dutyFactor };
  return {
    phase: cycle.phase + SLIPS * (phase - cycle.phase),
    dutyFactor: cycle.dutyFactor + SLIPS * (dutyFactor - cycle.dutyFactor),
  };
};

/**
 * Return the phase after so many cycles, and the duty factor closer to that of the speed, a fraction of full speed.
 * @param {State} state
 * @param {number} cycles
 * @param {number} speed
 */
const advanced = ({ cycle, animal, anatomy }, cycles, speed) => {
  const change = animal.gait.dutyFactorAt(speed) - cycle.dutyFactor;
  const most = (0.3 / anatomy.steepness) * cycles; // so that no leg's phase ever decreases
  return { phase: cycle.phase + cycles, dutyFactor: cycle.dutyFactor + maximum(minimum(change, most), -most) };
};

/**
 * Measure how long commands have had no effect, and then put footholds ahead of the body.
 *
 * From feet that stand farther ahead the body may rise over an obstacle, or get out of a hole.
 * @param {State} state
 * @param {number} dt
 * @param {number[]} asked
 */
export const measureDelay = (state, dt, asked) => {
  const { length, breadth } = state.anatomy,
    { lead, seconds } = state.delay,
    follow = 1 - exp(-EASE * dt);
  /** @param {number[]} motion */
  const size = (motion) => distance(motion) + breadth * Math.abs(motion[2]);
  const told = size(asked),
    goes = size(state.course.motion);
  const waited = told > 0.02 * state.animal.speed && goes < 0.1 * told ? seconds + dt : 0;
  const share = (AHEAD * length * between(waited / SEEKS - 1, 0, 1)) / maximum(told, 1e-300);
  state.delay = { seconds: waited, lead: plus(lead, scaled(follow, minus(scaled(share, asked), lead))) };
};
