// Standing: put an animal on all its feet where the ground has room for it (creature/standing.py).

import { footholdsAt } from "./anatomy.js";
import { refuse } from "./arguments.js";
import { settleBody, slackOf, swayGoal } from "./carriage.js";
import { atRest } from "./following.js";
import { bears, leans, onGround, plus, rotated, search } from "./footing.js";
import { maximum, minimum } from "./gait.js";
import { unknownSlack } from "./governor.js";
import { calm } from "./liveliness.js";
import { bentBy, poseOver } from "./posture.js";
import { ABOVE, buried, pushUp, touches } from "./restraint.js";
import { settleKnees } from "./knees.js";
import { courseAt, footholdsOf, standingFeet, stillSuspension, unknownLimits } from "./state.js";

/** @import { Anatomy, Animal, Place, Point, Terrain } from "./types.js" */
/** @import { Course, Cycle, State } from "./state.js" */

const CREST = 0.6; // of the leg's length: how far bodies are raised over crests
const ROUNDS = 3; // in which a body finds its place: its limits follow from its pose, and the bend of its trunk from both
const BEYOND = 0.01; // of the leg's length: how far legs may be beyond their limits

/**
 * Return a walker that stands still at a place, in a phase of the gait cycle.
 *
 * Its feet are on the nominal footholds or, if these cannot be reached, near them. It is a
 * CreatureError if the walker cannot stand there.
 * @param {Animal} animal
 * @param {Anatomy} anatomy
 * @param {Terrain} terrain
 * @param {Place} place
 * @param {number} heading
 * @param {Cycle} cycle
 * @returns {State}
 */
export const stand = (animal, anatomy, terrain, place, heading, cycle) => {
  const course = courseAt(place, heading, [0, 0, 0]);
  /** @param {Point[]} points */
  const on = (points) => standingOn(animal, anatomy, terrain, course, cycle, points);
  let state = on(footholdsAt(anatomy, course.place, course.facing).map((foothold) => onGround(terrain, foothold)));
  if (state.slack.least.reduce(minimum) < 0) state = on(reachable(state));
  if (isUnfit(state) || touches(state)) {
    state = on(nearer(state));
    if (touches(state)) pushUp(state, Infinity);
  }
  if (isUnfit(state) || buried(state))
    refuseAt(state, "be where the ground leaves room for its knees and body", whyUnfit(state));
  return state;
};

/**
 * Return a walker whose feet stand on points.
 * @param {Animal} animal
 * @param {Anatomy} anatomy
 * @param {Terrain} terrain
 * @param {Course} course
 * @param {Cycle} cycle
 * @param {Point[]} points
 * @returns {State}
 */
const standingOn = (animal, anatomy, terrain, course, cycle, points) => {
  const lean = points.map((point) => leans(terrain, point, anatomy.length)),
    level = [0, 0, 0];
  const feet = standingFeet(points, lean, course.heading, anatomy.poles);
  const suspension = stillSuspension(),
    pose = poseOver(anatomy, animal.body.height, course.place, course.facing, level, suspension.bend, feet.poles);
  /** @type {State} */
  const state = {
    animal,
    anatomy,
    terrain,
    course,
    suspension,
    feet,
    cycle,
    pose,
    feel: calm(anatomy, course.place),
    ends: atRest(anatomy, pose),
    footholds: footholdsOf(footholdsAt(anatomy, course.place, course.facing)),
    delay: { seconds: 0, lead: level },
    limits: unknownLimits(),
    slack: unknownSlack(points.length),
  };
  if (animal.gait.sway.some(Boolean)) state.suspension = { ...state.suspension, sway: swayGoal(state) };
  for (let round = 0; round < ROUNDS; round++) settleBody(state, Infinity);
  settleKnees(state);
  state.slack = slackOf(state);
  state.ends = atRest(anatomy, state.pose);
  return state;
};

/**
 * Return points for all feet; those that cannot be stood on are moved to ground near them.
 * @param {State} state
 */
const reachable = (state) => {
  const heights = state.feet.swing.map(([now]) => now[2]).sort((a, b) => a - b),
    half = heights.length / 2;
  const { points, lacks } = found(state, (heights[half - 1] + heights[half]) / 2, state.anatomy.legs.landing);
  const leg = lacks.indexOf(true);
  if (leg >= 0) refuseAt(state, "be where all feet find ground within reach", `leg ${leg} finds no ground`);
  return points;
};

/**
 * Return points for all feet, from which legs can raise the body that is in the ground.
 *
 * Where an animal stands on a crest, its feet have to be nearer to its hips, and so on higher ground.
 * @param {State} state
 */
const nearer = (state) => {
  const { anatomy, limits, slack, suspension, feet } = state,
    rise = maximum(limits.rise, ABOVE * anatomy.length - slack.belly);
  if (!(rise < CREST * anatomy.length)) return feet.swing.map(([now]) => now);
  return found(state, suspension.plane[2] + rise, anatomy.legs.long).points;
};

/**
 * Return points for all feet, and which of them find no ground within reach.
 *
 * The feet that cannot be stood on, if the plane under the body is as high as `level`, are moved to
 * ground near them.
 * @param {State} state
 * @param {number} level
 * @param {number[]} reach
 */
const found = ({ anatomy, terrain, course, suspension, animal, feet, footholds }, level, reach) => {
  const lacks = feet.swing.map(() => false);
  const points = feet.swing.map((swing, leg) => {
    const hip = plus(course.place, rotated(course.facing, anatomy.hipPlaces[leg]));
    const top = level + animal.body.height + anatomy.hips[leg][2],
      height = anatomy.spine ? top + bentBy(anatomy.spine.hips, suspension.bend, leg) : top;
    const hips = { now: [...hip, height], landing: hip, middle: hip, height };
    const own = { swing, progress: 0, lift: 0, maxLift: Infinity, hips, maxReach: reach[leg], minReach: 0 };
    if (bears(terrain, swing[0], own, anatomy.length).good) return swing[0];
    const better = search(terrain, footholds.nominal[leg], own, anatomy.length);
    lacks[leg] = !better.good;
    return better.good ? better.point : swing[0];
  });
  return { points, lacks };
};

/**
 * Throw a CreatureError.
 * @param {State} state
 * @param {string} wanted
 * @param {string} why
 */
const refuseAt = ({ course: { place } }, wanted, why) =>
  refuse("position", wanted, `(${short(place[0], 6)}, ${short(place[1], 6)}), where ${why}`);

/**
 * Return whether a knee is in the ground, or a leg too straight or too folded.
 * @param {State} state
 */
const isUnfit = ({ slack, anatomy: { length } }) =>
  slack.knees.reduce(minimum) < -1e-12 * length || slack.legs.reduce(minimum) < -BEYOND * length;

/**
 * Return what is too low or out of reach where a walker stands, and how far.
 * @param {State} state
 */
const whyUnfit = ({ slack }) => {
  const depths = { "the body": -slack.belly, "a knee": -slack.knees.reduce(minimum) };
  const deep = Object.entries(depths).flatMap(([part, depth]) =>
    depth > 0 ? [`${part} would be ${short(depth, 3)}`] : [],
  );
  if (deep.length) return `${deep.join(" and ")} too low`;
  const least = slack.legs.reduce(minimum),
    leg = slack.legs.indexOf(least);
  return `leg ${leg} would be too straight or too folded, by ${short(-least, 3)}`;
};

// Return a number with so many digits at most.
/** @type {(value: number, digits: number) => string} */
const short = (value, digits) => String(Number(value.toPrecision(digits)));
