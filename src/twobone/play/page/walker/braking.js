// Braking: the body slows down so that no leg, knee, belly or support passes its limit (creature/braking.py).

import { cis, exp } from "./elementary.js";
import { FOLLOW, LEAN } from "./carriage.js";
import { conjugate, distance, minus, placeOf, plus, rotated, scaled } from "./footing.js";
import { arch, glide, maximum, minimum, warp } from "./gait.js";
import {
  BRAKE,
  STRAIGHT,
  freeFraction as freeBetween,
  slack as slackIn,
  supportAhead,
  supportFraction,
} from "./governor.js";
import { signedDistance } from "./polygons.js";
import { poseOver } from "./posture.js";
import { JUMP, graze, lost, spareMargin } from "./restraint.js";
import { moving } from "./state.js";

/** @import { Place, Point, Slack } from "./types.js" */
/** @import { State } from "./state.js" */

const ROOM = 0.05; // of the leg's length: minimum margin in the polygon of all feet
const LEAVES = 0.12; // of the leg's length: how far outside it, ahead and to a side, a body in a dynamic gait may be
const SURE = 1 / 15; // seconds: minimum time until the static margin of a body is used up
const LEAD = 0.25; // of the leg's length: how far a body on two legs may be ahead of both feet
const STANDS = 1e-9; // of full speed: a slower motion has no direction
const NEAR = 0.06; // of the leg's length: knees and bellies nearer to the ground are checked for edges
// Of `BRAKE`: 0, and times at which they are checked. They grow by the same factor, 100 to the power 1/19.
const FRACTIONS = [0, 0.01];
while (FRACTIONS.length < 20) FRACTIONS.push(FRACTIONS[FRACTIONS.length - 1] * 1.2742749857031335);
FRACTIONS.push(1);

/**
 * Reduce the motion so that no leg, knee, belly or support reaches its limit.
 * @param {State} state
 */
export const brake = (state) => {
  const { motion } = state.course;
  if (!motion.some(Boolean) || !(freeFraction(state, motion) < 1) || lost(state)) return;
  // A limit that only the settling of the body reaches must not stop the walk.
  if (freeFraction(state, motion, null, false) < 1) state.course = moving(state.course, slower(state));
};

/**
 * Return the motion with a limited turn, and limited further by what the turn leaves.
 *
 * A body that cannot go on may still be able to turn.
 * @param {State} state
 */
const slower = (state) => {
  const [left, forward, turn] = state.course.motion;
  let turning = [0 * left, 0 * forward, turn];
  if (turn) turning = scaled(freeFraction(state, turning), turning);
  const motion = [left, forward, turning[2]];
  return plus(turning, scaled(freeFraction(state, motion, turning), minus(motion, turning)));
};

/**
 * Return the fraction of a motion, in addition to `granted`, that the body may keep.
 *
 * If `settles`, the body approaches the goal of its plane meanwhile; otherwise the plane stays.
 * @param {State} state
 * @param {number[]} motion
 * @param {number[] | null} granted
 */
const freeFraction = (state, motion, granted = null, settles = true) => {
  const { anatomy, course } = state,
    now = joined(state, state.slack, course.place, course.facing);
  const later = leftAfter(state, BRAKE, motion, settles);
  const start = granted?.some(Boolean) ? leftAfter(state, BRAKE, granted, settles) : now;
  let free = freeBetween(...grazing(state, start, later));
  if (state.terrain.hasEdges) {
    const low = [...now.slice(2 * anatomy.pairs), ...later.slice(2 * anatomy.pairs)]; // knees and belly
    if (low.some((left) => left < NEAR * anatomy.length)) free = tillEdge(state, now, motion, settles);
  }
  return minimum(free, supported(state, motion));
};

/**
 * Return the fraction of `BRAKE` for which the body stays within its limits.
 *
 * At an edge the slack drops at once, and behind a narrow obstacle it is large again, so the slack at
 * the end of `BRAKE` is not enough to know.
 * @param {State} state
 * @param {number[]} now
 * @param {number[]} motion
 * @param {boolean} settles
 */
const tillEdge = (state, now, motion, settles) => {
  for (let i = 1; i < FRACTIONS.length; i++) {
    const [start, later] = grazing(state, now, leftAfter(state, BRAKE * FRACTIONS[i], motion, settles));
    if (!later.every((left, k) => left >= minimum(start[k], 0))) return FRACTIONS[i - 1];
  }
  return 1;
};

/**
 * Return slacks with the depth allowed for crests added to those of the belly.
 *
 * It is not added to a later slack that drops as at an edge.
 * @param {State} state
 * @param {number[]} now
 * @param {number[]} later
 * @returns {[number[], number[]]}
 */
const grazing = (state, now, later) => {
  const last = now.length - 1,
    depth = graze(state),
    drops = !(later[last] - now[last] >= -JUMP * state.anatomy.length);
  return [now.with(last, now[last] + depth), later.with(last, later[last] + (drops ? minimum(depth, 0) : depth))];
};

/**
 * Return the slacks of legs, knees and belly after some time of a motion.
 * @param {State} state
 * @param {number} seconds
 * @param {number[]} motion
 * @param {boolean} settles
 */
const leftAfter = (state, seconds, motion, settles) => {
  const {
      anatomy,
      course,
      suspension,
      limits: { goal, bend: aim },
    } = state,
    turn = seconds * motion[2];
  const fade = exp(-FOLLOW * seconds),
    swings = seconds * exp(-LEAN * seconds),
    later = seconds * fade;
  const way = rotated(rotated(scaled(seconds, placeOf(motion)), course.facing), cis(-0.5 * turn));
  const place = plus(course.place, way),
    turned = rotated(course.facing, cis(-turn));
  let { plane, bend } = suspension;
  if (settles) {
    plane = plane.map(
      (part, j) => (fade + FOLLOW * later) * (part - goal[j]) + later * suspension.planeRate[j] + goal[j],
    );
    bend = bend.map((part, j) => (fade + FOLLOW * later) * (part - aim[j]) + later * suspension.bendRate[j] + aim[j]);
    plane[2] -= seconds * (goal[0] * motion[0] + goal[1] * motion[1]);
  }
  const over = plus(place, rotated(plus(suspension.sway, scaled(swings, suspension.swayRate)), turned));
  const pose = poseOver(
    anatomy,
    state.animal.body.height,
    over,
    turned,
    plus(plane, suspension.bounce),
    bend,
    state.feet.poles,
  );
  return joined(state, slackIn(state.terrain, anatomy, pose, feetIn(state, seconds)), place, turned);
};

/**
 * Return the slacks of legs, knees and belly as one list.
 *
 * The slack of a leg in swing is the horizontal reach left to its goal.
 * @param {State} state
 * @param {Slack} slack
 * @param {Place} place
 * @param {Place} turned
 */
const joined = ({ anatomy, feet, pose, suspension }, slack, place, turned) => {
  const middle = plus(place, rotated(suspension.sway, turned));
  const legs = slack.legs.map((left, leg) => {
    if (!(feet.progress[leg] < 1)) return left;
    const goal = feet.swing[leg][3],
      long = STRAIGHT * anatomy.legs.reach[leg],
      drop = pose.hips[leg][2] - goal[2];
    const room = Math.sqrt(maximum(long * long - drop * drop, 0));
    const hip = plus(middle, rotated(turned, anatomy.hipPlaces[leg]));
    return room - distance([goal[0] - hip[0], goal[1] - hip[1]]);
  });
  return [...legs, ...slack.knees, slack.belly];
};

/**
 * Return the positions of the feet after some seconds.
 * @param {State} state
 * @param {number} seconds
 * @returns {Point[]}
 */
const feetIn = ({ feet, cycle }, seconds) => {
  const advance = seconds * cycle.swingRate;
  return feet.swing.map((swing, leg) => {
    const progress = feet.progress[leg];
    if (!(progress < 1)) return swing[0];
    const now = warp(progress),
      after = warp(progress + advance),
      [[x, z, y]] = glide(swing, (after - now) / (1 - now), 1);
    return [x, z, y + feet.lift[leg] * arch(after)];
  });
};

/**
 * Return the fraction of its motion that the body may keep over its support.
 * @param {State} state
 * @param {number[]} motion
 */
const supported = (state, motion) => {
  const { fraction, seen, speed } = overAllFeet(state, motion);
  if (state.anatomy.pairs < 3) return fraction; // four legs keep their balance by swaying
  const stands = state.feet.progress.map((progress) => !(progress < 1)),
    spare = spareMargin(state);
  const now = signedDistance([0, 0], seen, stands) - spare;
  if (!(now < SURE * speed)) return fraction;
  const way = scaled(SURE, rotated(placeOf(motion), state.course.facing));
  return minimum(fraction, freeBetween([now], [signedDistance(way, seen, stands) - spare]));
};

/**
 * Return the fraction of its motion that the body may keep over all feet and their goals.
 *
 * Also return these seen from the body, and its speed. In a dynamic gait it may be outside them a little.
 * @param {State} state
 * @param {number[]} motion
 */
const overAllFeet = ({ animal, anatomy, course, feet, suspension }, motion) => {
  const { length } = anatomy,
    leaves = animal.gait.balance === "static" ? 0 : LEAVES * length;
  const speed = distance(motion),
    goes = speed > STANDS * animal.speed;
  const direction = rotated(goes ? [motion[0] / speed, motion[1] / speed] : [1, 0], course.facing);
  const middle = plus(course.place, rotated(suspension.sway, course.facing));
  const seen = feet.swing.map(([now, , , goal], leg) => {
    const end = feet.progress[leg] < 1 ? goal : now;
    return [end[0] - middle[0], end[1] - middle[1]];
  });
  const ends = seen.map((place) => rotated(place, conjugate(direction)));
  // Feet that are as wide as the body may be beside them; under two legs is no polygon.
  const wide = leaves
    ? ends.flatMap(([along, aside]) => [
        [along, aside + leaves],
        [along, aside - leaves],
      ])
    : ends;
  const fraction =
    anatomy.pairs < 2
      ? supportFraction(ends.map(([along]) => along).reduce(maximum), -LEAD * length, speed, BRAKE)
      : supportFraction(
          supportAhead(
            wide,
            wide.map(() => true),
            [1, 0],
          ),
          leaves ? -leaves : ROOM * length,
          speed,
          BRAKE,
        );
  return { fraction, seen, speed };
};
