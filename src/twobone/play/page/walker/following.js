// A head that stays level and looks where the animal goes; a tail or abdomen that lags behind (creature/following.py).
//
// Both are only drawn: nothing else depends on them.

import { cis } from "./elementary.js";
import { dot, minus, plus, timesAxes } from "./footing.js";
import { between, settle } from "./gait.js";
import { idleness } from "./liveliness.js";
import { rotationBetween, rotationOf } from "./posture.js";
import { bounded, oneStep } from "./springs.js";
import { carried } from "./state.js";

/** @import { Anatomy, Point, Pose } from "./types.js" */
/** @import { Ends, State } from "./state.js" */

const LEVEL = 0.8; // fraction of the body's lean that the head does not take
const LOOKS = 6; // per second: rate at which the head turns
const AHEAD = 0.6; // seconds: it looks where the body will be heading after so long
const ASIDE = 0.5; // radians: how far at most
const GLANCES = [0.37, 0.83]; // radians per second: two waves, by which an idle head looks around
const GLANCE = 0.3; // radians
/** @type {[number, number]} */
const LAG = [9, 0.35]; // undamped frequency of tails, in radians per second, and damping ratio
const FARTHEST = 0.4; // of the distance from its pivot to its middle: how far a tail lags at most

/**
 * Return a head that looks ahead and a tail at rest.
 * @param {Anatomy} anatomy
 * @param {Pose} pose
 * @returns {Ends}
 */
export const atRest = (anatomy, pose) => {
  const still = [0, 0, 0];
  return { look: 0, lookRate: 0, lag: still, lagRate: still, middle: middleOf(anatomy, pose), velocity: still };
};

/**
 * Turn the head and let the tail lag; `speed` is that of the footholds.
 * @param {State} state
 * @param {number} dt
 * @param {number} speed
 */
export const follow = (state, dt, speed) => {
  if (!state.animal.liveliness) return;
  const {
      ends,
      feel: { seconds },
    } = state,
    idle = idleness(state, speed);
  let goal = AHEAD * state.course.motion[2];
  if (idle) {
    const [slow, quick] = GLANCES.map((rate) => cis(rate * seconds)[1]);
    goal += GLANCE * idle * slow * quick;
  }
  const [look, lookRate] = settle(ends.look, ends.lookRate, between(goal, -ASIDE, ASIDE), LOOKS, dt);
  // The middle of a tail is a mass on a spring: what the body does to its place, it resists.
  const middle = middleOf(state.anatomy, state.pose),
    velocity = minus(middle, ends.middle).map((/** @type {number} */ part) => part / dt);
  const [lag, lagRate] = oneStep(LAG, ends.lag, minus(ends.lagRate, minus(velocity, ends.velocity)), dt);
  state.ends = { look, lookRate, lag, lagRate, middle, velocity };
};

/**
 * Return where the middle of a tail is that does not lag.
 * @param {Anatomy} anatomy
 * @param {Pose} pose
 */
const middleOf = ({ tail }, pose) => plus(pose.body, timesAxes(plus(tail.pivot, tail.arm), pose.axes));

/**
 * Return the rotations of head and tail in the body's space, quaternions xyzw; `body` is that of the body.
 * @param {State} state
 * @param {number[]} body
 */
export const rotations = (state, body) => {
  const {
      animal: { liveliness },
      course: { heading },
    } = state,
    [x, z, height] = carried(state.suspension);
  if (!liveliness) return { head: [0, 0, 0, 1], tail: [0, 0, 0, 1] };
  const part = 1 - LEVEL * liveliness,
    head = rotationOf([x * part, z * part, height], heading + liveliness * state.ends.look);
  return { head: rotationBetween(body, head), tail: tailOf(state) };
};

/**
 * Return the rotation by which the tail lags: the shortest one that moves the arm so far.
 * @param {State} state
 */
const tailOf = ({
  anatomy: {
    tail: { arm },
  },
  pose,
  ends,
  animal,
}) => {
  const far = Math.sqrt(dot(arm, arm));
  if (!far) return [0, 0, 0, 1];
  const away = pose.axes.map((axis) => dot(axis, ends.lag)),
    size = Math.sqrt(dot(away, away));
  const lag = away.map((part) => animal.liveliness * bounded(part, FARTHEST * far, size));
  /** @param {Point} point */
  const pure = ([x, z, y]) => [x, y, z, 0];
  const end = pure(plus(arm, lag)),
    turn = rotationBetween(end, pure(arm));
  turn[3] += far * Math.sqrt(dot(end, end));
  const whole = Math.sqrt(dot(turn, turn) + turn[3] * turn[3]);
  return turn.map((part) => part / whole);
};
