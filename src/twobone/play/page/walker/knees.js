// Knees: where they point (creature/knees.py). Legs turn them outward where the ground or the body is in the way, and
// the plane of no leg turns fast about it.

import { poseOf } from "./carriage.js";
import { cross, dot, minus, plus, scaled, timesAxes } from "./footing.js";
import { between, maximum, minimum } from "./gait.js";
import { inBody, thighOf } from "./governor.js";
import { pointsOf } from "./state.js";

/** @import { Feet, State } from "./state.js" */
/** @import { Point } from "./types.js" */

const TURNS = 12; // radians per second: how fast the plane of a leg turns about the leg at most
// The same together with the line from hip to foot, unless this line alone turns faster.
const WHOLE = 16;
const NEAR = 0.1; // square of the sine of an angle between pole vector and leg: within it they are close
const CLEAR = 0.12; // of the leg's length: clearance of a knee below which it turns outward
const OUTWARD = 1.7,
  INWARD = -0.7; // of the part of the pole that is forward or back: limits
const FAST = 3; // per second: maximum speed
const BACK = 0.3; // of it: maximum speed of the return
const SETTLES = 20; // steps in which knees find their place when an animal is put on its feet
const TRIED = 0.1; // how much farther out and in the clearance is compared
const BODY = 0.05; // of the leg's length: knees nearer to the body than `CLEAR` less this turn outward
const PARTS = [0, 0.2, 0.5, 0.85]; // of the way from knee to foot: what must be clear
const SURE = 0.01; // of the leg's length: difference from which the knee turns at full speed

/**
 * Point the knees of feet that have moved on.
 * @param {State} state
 * @param {Feet} before the feet before this step
 * @param {number} dt
 */
export const pointKnees = (state, before, dt) => {
  if (state.anatomy.spreads) spreadKnees(state, dt);
  const [cosine, sine] = cosineAndSine(TURNS * dt),
    [whole] = cosineAndSine(WHOLE * dt);
  turnKnees(state, before, cosine, sine, whole);
};

/** Return cosine and sine of almost an angle, of no greater one. @param {number} angle */
const cosineAndSine = (angle) => {
  const half = 0.5 * angle,
    square = half * half;
  return [(1 - square) / (1 + square), (2 * half) / (1 + square)];
};

/**
 * Turn knees towards where they should point, at most by the angle of a cosine and a sine.
 *
 * The plane of a leg turns about the line from hip to foot, from the plane through this line that is nearest
 * to the one in which the leg was. From that one it turns by the angle whose cosine is `whole` at most, or not about
 * the line at all if the line turns it farther. Where the pole vector is close to that line, it is made perpendicular to it, or
 * the body's motion in the rest of the step might turn the plane. The knee of a foot that is out of reach, as after
 * a teleport, points where it should at once.
 * @param {State} state
 * @param {Feet} before
 * @param {number} cosine
 * @param {number} sine
 * @param {number} whole
 */
export const turnKnees = (state, before, cosine, sine, whole) => {
  const {
      anatomy: {
        legs: { reach },
      },
      feet,
      pose: { hips, axes, poles },
    } = state,
    points = pointsOf(feet),
    then = pointsOf(before);
  feet.poles = poleVectors(state, feet.spread).map((wanted, leg) => {
    const way = minus(points[leg], hips[leg]),
      goal = cross(timesAxes(wanted, axes), way);
    const last = cross(poles[leg], minus(then[leg], hips[leg])),
      square = dot(way, way);
    const normal = minus(last, scaled(dot(last, way) / square, way)),
      size = dot(normal, normal),
      bulk = dot(goal, goal);
    const left = (whole * Math.sqrt(dot(last, last))) / Math.sqrt(maximum(size, 1e-300)),
      most = left > cosine ? minimum(left, 1) : cosine;
    const isFar = size > 0 && !(dot(normal, goal) > most * Math.sqrt(size * bulk));
    if (!(square <= reach[leg] * reach[leg]) || (!isFar && !(bulk < NEAR * (square * dot(wanted, wanted)))))
      return wanted;
    const along = way.map((part) => part / Math.sqrt(square)),
      across = normal.map((part) => part / Math.sqrt(size));
    const aside = cross(along, across),
      farthest = left > cosine ? Math.sqrt(1 - most * most) : sine;
    const turned = cross(
      along,
      isFar ? plus(scaled(most, across), scaled(dot(aside, goal) < 0 ? -farthest : farthest, aside)) : goal,
    );
    return axes.map((axis) => dot(turned, axis));
  });
};

/**
 * Return the pole vectors of legs whose knees are turned outward so far, in the body's space.
 * @param {State} state
 * @param {number[]} spread
 * @returns {Point[]}
 */
const poleVectors = ({ anatomy }, spread) =>
  anatomy.poles.map((pole, leg) => pole.map((part, j) => part + spread[leg] * anatomy.outward[leg][j]));

/**
 * Turn knees outward that are near the ground or the body, and others back.
 * @param {State} state
 * @param {number} dt
 */
const spreadKnees = (state, dt) => {
  const { feet } = state,
    { spread } = feet,
    clear = CLEAR * state.anatomy.length,
    left = clearance(state, spread);
  if (left.reduce(minimum) > clear && !spread.some(Boolean)) return;
  const farther = clearance(
      state,
      spread.map((by) => by + TRIED),
    ),
    nearer = clearance(
      state,
      spread.map((by) => by - TRIED),
    );
  feet.spread = spread.map((by, leg) => {
    const side = between((farther[leg] - nearer[leg]) / (SURE * state.anatomy.length), -1, 1);
    const near = between((clear - left[leg]) / (0.5 * CLEAR * state.anatomy.length), 0, 1);
    // Where nothing is in the way, the knee returns.
    const back = between(-by / (FAST * dt), -BACK, BACK) * (1 - near);
    return between(by + FAST * dt * (near * side + back), INWARD, OUTWARD);
  });
};

/**
 * Turn the knees of an animal that has just been put on its feet.
 * @param {State} state
 */
export const settleKnees = (state) => {
  if (state.anatomy.spreads) for (let round = 0; round < SETTLES; round++) spreadKnees(state, 0.05);
  state.feet.poles = poleVectors(state, state.feet.spread);
  state.pose = poseOf(state);
};

/**
 * Return how far knees are from the ground below and the body above.
 * @param {State} state
 * @param {number[]} spread
 */
const clearance = (state, spread) => {
  const { anatomy, pose, feet, animal, terrain } = state,
    half = animal.body.size.map((size) => 0.5 * size);
  const poles = poleVectors(state, spread);
  return pointsOf(feet).map((foot, leg) => {
    const hip = pose.hips[leg],
      pole = timesAxes(poles[leg], pose.axes);
    const thigh = thighOf(hip, foot, anatomy.bones[leg], pole),
      knee = plus(hip, thigh);
    // Of the shins less is needed, the less the nearer to the foot.
    const above = PARTS.map((part) => {
      const [x, z, y] = knee.map((from, j) => from + part * (foot[j] - from));
      return (y - terrain.height(x, z)) / (1 - part);
    });
    // In the body's space: beside the body, or below it.
    const own = inBody(anatomy, pose, thigh, leg);
    const outside = maximum(maximum(Math.abs(own[0]) - half[0], -own[2] - half[1]), Math.abs(own[1]) - half[2]);
    return minimum(above.reduce(minimum), outside + BODY * anatomy.length);
  });
};
