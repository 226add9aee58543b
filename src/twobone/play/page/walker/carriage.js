// Carriage of the body: how it follows the plane through its feet, and sways over them (creature/carriage.py).

import { cis } from "./elementary.js";
import { conjugate, dot, facing as facingOf, minus, placeOf, planeThrough, plus, rotated, scaled } from "./footing.js";
import { arch, between, fraction, maximum, minimum, settleAll, warp } from "./gait.js";
import { STRAIGHT, kneeOf, slack, supportAhead } from "./governor.js";
import { bentBy, poseOver, raised, rotationOf } from "./posture.js";
import { carried, courseAhead, flies, legPhases, pointsOf, swingFraction } from "./state.js";

/** @import { Place, Point, Pose, Slack } from "./types.js" */
/** @import { Limits, State } from "./state.js" */

export const FOLLOW = 9; // per second: rate at which the body follows the plane through its feet
export const LEAN = 14; // per second: rate at which it sways over the feet that support it
const INSIDE = 0.09; // of the leg's length: it sways no closer to the edge of the support polygon
const LEAST = 0.05; // of the leg's length: the same for the polygon that bears it at the moment
export const FALLS = 0.5; // of the leg's length per second: maximum speed down if a leg is too straight
// Toes hang by an angle that grows with the height of the foot, so they do not touch the ground.
const TOES = 6; // radians for each leg's length of lift
const HANG = 1.6; // radians, limit of the factor of the angle, which is less than half of it
const KNEES = 0.1; // of the leg's length: the body rises if a knee or a shin is nearer to the ground
const RAISES = 2; // times as much as is missing, since a knee rises less than its hip
const LOW = 0.02; // of the leg's length: minimum clearance below the body before it rises
const HIGHER = 0.5; // of the leg's length: feet seek no ground that is within reach only after the body has risen more
// Times as much as a hip would have to sink for its leg to be no straighter than it may be.
const YIELDS = 5;
const BENDS = 0.25; // of half its length: how far a trunk bends at most

/**
 * Return the pose of the body that follows from its course and suspension.
 * @param {State} state
 * @returns {Pose}
 */
export const poseOf = ({ course, suspension, animal, anatomy, feet }) => {
  const at = plus(course.place, rotated(suspension.sway, course.facing));
  return poseOver(anatomy, animal.body.height, at, course.facing, carried(suspension), suspension.bend, feet.poles);
};

/**
 * Return the distances left to the limits in the current pose.
 * @param {State} state
 * @returns {Slack}
 */
export const slackOf = ({ terrain, anatomy, pose, feet }) => slack(terrain, anatomy, pose, pointsOf(feet), flies(feet));

// --- swaying ------------------------------------------------------------------------------

/**
 * Move the body towards the feet that support it.
 * @param {State} state
 * @param {number} dt
 */
export const swayBody = (state, dt) => {
  if (!state.animal.gait.sway.some(Boolean)) return;
  const [sway, swayRate] = settleAll(state.suspension.sway, state.suspension.swayRate, swayGoal(state), LEAN, dt);
  state.suspension = { ...state.suspension, sway, swayRate };
};

/**
 * Return the sway towards the feet that will support the body.
 * @param {State} state
 * @returns {Place}
 */
export const swayGoal = ({ course, cycle, feet, footholds, animal, anatomy }) => {
  // A critically damped spring lags by 2 over its rate, so the goal is taken that far ahead.
  const phases = legPhases(cycle, animal.gait, anatomy.pairs).map((phase) => fraction(phase + cycle.rate * (2 / LEAN)));
  const fade = maximum(0.5 * (cycle.dutyFactor - 0.5), 0.02),
    swings = swingFraction(cycle);
  const places = feet.swing.map(([now, , , goal], leg) => (feet.progress[leg] < 1 ? goal : now));
  let x = 0,
    z = 0,
    all = 0;
  phases.forEach((phase, leg) => {
    const load = smooth((1 - phase) / fade) * smooth((phase - swings) / fade) + 1e-3;
    x += load * places[leg][0];
    z += load * places[leg][1];
    all += load;
  });
  const ahead = plus(course.place, rotated(scaled(2 / LEAN, placeOf(course.motion)), course.facing));
  const back = conjugate(course.facing),
    [aside, along] = rotated([x / all - ahead[0], z / all - ahead[1]], back);
  const [sideways, forward] = animal.gait.sway,
    goal = [sideways * aside, forward * along];
  if (anatomy.pairs < 2) return goal;
  const seen = places.map((place) => rotated([place[0] - ahead[0], place[1] - ahead[1]], back));
  // A foot that is in the air now does not count, since it may land later than expected.
  const stands = feet.progress.map((progress) => !(progress < 1)),
    [wide, least] = [INSIDE * anatomy.length, LEAST * anatomy.length];
  const first = inside(
    goal,
    seen,
    phases.map((phase, leg) => phase >= swings && stands[leg]),
    wide,
  );
  const { waits } = footholds,
    others = stands.map((stand, leg) => stand && !waits[leg]);
  const second = waits.includes(true) ? inside(first, seen, others, wide) : first;
  // Whatever comes next, the body must not leave the polygon that bears it now.
  return inside(second, seen, stands, least);
};

/**
 * Return a sway that leaves the body inside the polygon of its feet: in its middle if that is narrow.
 * @param {Place} goal
 * @param {Place[]} feet in the body's space
 * @param {boolean[]} bears which feet span the polygon
 * @param {number} most the distance to its edge on either side
 * @returns {Place}
 */
const inside = (goal, feet, bears, most) => {
  const moved = feet.map(([x, z]) => [x, z - goal[1]]);
  let left = supportAhead(moved, bears, [1, 0]),
    right = supportAhead(moved, bears, [-1, 0]);
  // The feet may span a polygon ahead or behind, or two feet a line, whose width is but rounding.
  if (!(left + right > 1e-6 * most)) left = right = Infinity;
  const spare = minimum(most, 0.5 * (left + right));
  return [between(goal[0], spare - right, left - spare), goal[1]];
};

// --- following the plane through the feet -------------------------------------------------

/**
 * Move the body towards the plane through its feet, at once if `dt` is infinite.
 * @param {State} state
 * @param {number} dt
 */
export const settleBody = (state, dt) => {
  const { goal, bend: aim, rise } = planeGoal(state),
    { suspension } = state,
    atOnce = dt === Infinity;
  const [plane, planeRate] = atOnce
    ? [goal, [0, 0, 0]]
    : settleAll(suspension.plane, suspension.planeRate, goal, FOLLOW, dt);
  state.suspension = { ...suspension, plane, planeRate };
  if (state.anatomy.spine) {
    const [bend, bendRate] = atOnce ? [aim, [0, 0]] : settleAll(suspension.bend, suspension.bendRate, aim, FOLLOW, dt);
    state.suspension = { ...state.suspension, bend, bendRate };
  }
  state.pose = poseOf(state);
  stayLow(state, FALLS * state.anatomy.length * dt);
  state.limits = limitsOf(state, atOnce ? state.suspension.plane : goal, aim, rise);
};

/**
 * Return the plane that the body should follow, the bend of its trunk, and how much it will rise for them.
 * @param {State} state
 */
const planeGoal = (state) => {
  const {
      limits,
      anatomy,
      course,
      slack: left,
      suspension: { plane },
    } = state,
    { body } = state.animal,
    { length } = anatomy;
  const fitted = planeThrough(
    state.feet.swing.map(([now]) => now),
    course.place,
    course.facing,
    anatomy.stiff,
  );
  const crouch = minimum(3 * length * maximum(limits.reach - body.stretch, 0), 0.5 * body.height);
  const under = groundBelow(state),
    bend = bestBend(state, under);
  let clear = maximum(clearHeight(state, under, bend), limits.floor);
  const low = LOW * length - left.belly; // positive: a narrow obstacle is close below
  if (low > 0) clear = maximum(clear, plane[2] + low);
  // On the ground the body does not sink for the sake of long legs.
  const ceiling = low > anatomy.underside.graze ? maximum(limits.ceiling, plane[2]) : limits.ceiling;
  const near = KNEES * length - left.knees.reduce(minimum);
  if (near > 0) clear = maximum(clear, plane[2] + RAISES * near);
  const height = maximum(fitted[2] - crouch, minimum(clear, ceiling));
  return {
    goal: [fitted[0] * body.tilt, fitted[1] * body.tilt, height],
    bend,
    rise: between(clear - plane[2], 0, HIGHER * length),
  };
};

/**
 * Return the heights of the ground that the body must clear.
 * @param {State} state
 */
const groundBelow = ({ course, delay, terrain, anatomy: { underside } }) => {
  // A critically damped spring lags by 2 over its rate, so the ground is taken that far ahead.
  const { place, facing } = courseAhead(course, delay.lead);
  const ahead = plus(place, rotated(scaled(2 / FOLLOW, placeOf(course.motion)), course.facing));
  return underside.belly.map((point) => {
    const own = rotated(facing, point);
    return terrain.height(ahead[0] + own[0], ahead[1] + own[1]);
  });
};

/**
 * Return the bend of the trunk that follows the ground; where legs are too straight it bends towards their feet.
 * @param {State} state
 * @param {number[]} under heights of the ground
 */
const bestBend = ({ anatomy: { spine, legs }, suspension, feet, pose }, under) => {
  if (!spine) return suspension.bend;
  const most = BENDS * spine.half,
    high = pose.hips.map((hip, leg) => {
      const [x, z, y] = minus(feet.swing[leg][0], hip);
      return maximum(-(Math.sqrt(maximum(legs.long[leg] * legs.long[leg] - (x * x + z * z), 0)) + y), 0);
    });
  /** @type {(heights: number[], weights: number[]) => number} */
  const sum = (heights, weights) => heights.reduce((found, height, i) => found + height * weights[i], 0);
  return spine.fit.map((weights, way) =>
    between(sum(under, weights) - YIELDS * sum(high, spine.pull[way]), -most, most),
  );
};

/**
 * Return the height that the plane needs for the body to clear the ground.
 * @param {State} state
 * @param {number[]} under heights of the ground
 * @param {number[]} bend
 */
const clearHeight = ({ animal, anatomy: { underside, spine }, suspension: { plane } }, under, bend) => {
  let most = -Infinity;
  underside.belly.forEach((point, i) => {
    const needed = under[i] + (plane[0] * point[0] + plane[1] * point[1]) + underside.low[i];
    most = maximum(most, spine ? needed - bentBy(spine.belly, bend, i) : needed);
  });
  return most - animal.body.height;
};

/**
 * Lower the body, by at most `most`, if a leg would be too straight.
 * @param {State} state
 * @param {number} most
 */
const stayLow = (state, most) => {
  const lower = headroom(state);
  if (!(lower < 0)) return;
  const by = maximum(lower, -most);
  raisePlane(state, by);
  state.pose = raised(state.pose, by);
};

/**
 * Return how far the body can rise until a leg is too straight; negative if one is.
 *
 * It is 0 if a foot is out of reach at any height.
 * @param {State} state
 */
export const headroom = ({ feet, pose, anatomy }) => {
  let least = Infinity;
  pointsOf(feet).forEach((point, leg) => {
    const [x, z, y] = minus(point, pose.hips[leg]),
      long = STRAIGHT * anatomy.legs.reach[leg],
      apart = x * x + z * z;
    least = minimum(least, apart < long * long ? Math.sqrt(maximum(long * long - apart, 0)) + y : 0);
  });
  return least;
};

/**
 * Raise the plane by a height, negative to lower it; the pose stays as it is.
 * @param {State} state
 * @param {number} by
 */
export const raisePlane = (state, by) => {
  const {
    plane: [x, z, y],
    planeRate: [a, b, speed],
  } = state.suspension;
  // Not back at once.
  state.suspension = { ...state.suspension, plane: [x, z, y + by], planeRate: [a, b, by * speed < 0 ? 0 : speed] };
};

/**
 * Return the limits of the body in its pose; `goal` and `rise` are those of `planeGoal`.
 *
 * A goal of a foot that will be nearly out of reach is fixed: otherwise the body would slow down for
 * it, and that could move the goal still deeper into the hole.
 * @param {State} state
 * @param {number[]} goal
 * @param {number[]} bend
 * @param {number} rise
 * @returns {Limits}
 */
const limitsOf = ({ feet, footholds, pose, anatomy: { legs }, suspension: { plane } }, goal, bend, rise) => {
  let reach = -Infinity,
    up = Infinity,
    down = -Infinity,
    strain = 0,
    landed = Infinity;
  pose.hips.forEach((hip, leg) => {
    const [now, , , end] = feet.swing[leg],
      way = minus(now, hip),
      apart = way[0] * way[0] + way[1] * way[1];
    const long = legs.long[leg] * legs.long[leg],
      short = legs.short[leg] * legs.short[leg];
    // The body may rise until a leg is nearly straight, and sink until one is folded.
    reach = maximum(reach, Math.sqrt(dot(way, way)) / legs.reach[leg]);
    up = minimum(up, Math.sqrt(maximum(long - apart, 0)) + way[2]);
    down = maximum(down, Math.sqrt(maximum(short - apart, 0)) + way[2]);
    if (!(feet.progress[leg] < 1)) return;
    const x = end[0] - footholds.hips[leg][0],
      z = end[1] - footholds.hips[leg][1],
      below = hip[2] - end[2];
    const square = x * x + z * z,
      away = Math.sqrt(square + below * below);
    strain = maximum(strain, away / legs.reach[leg]);
    if (away > legs.long[leg]) footholds.fixed[leg] = true;
    landed = minimum(landed, plane[2] + (Math.sqrt(maximum(long - square, 0)) - below));
  });
  return { goal, bend, rise, floor: plane[2] + down, ceiling: minimum(plane[2] + up, landed), reach, strain };
};

// --- the pose that others see -------------------------------------------------------------

/**
 * Return the bend of the trunk as coefficients of its height along it; 0 if it is stiff.
 * @param {State} state
 */
export const coefficients = ({
  anatomy: { spine },
  suspension: {
    bend: [arch, curve],
  },
}) => {
  if (!spine) return [0, 0, 0, 0];
  const { half } = spine,
    square = half * half;
  return [-0.5 * arch, (-1.5 * curve) / half, (1.5 * arch) / square, (2.5 * curve) / half / square];
};

/**
 * Return body, hips, knees, feet and the pole vectors of the legs, x, y, z.
 * @param {State} state
 */
export const solved = ({ feet, pose, anatomy }) => {
  /** @param {Point} point */
  const inOrder = ([x, z, y]) => [x, y, z];
  const [hips, points, poles] = [pose.hips, pointsOf(feet), pose.poles].map((all) => all.map(inOrder));
  const knees = hips.map((hip, leg) => kneeOf(hip, points[leg], anatomy.bones[leg], poles[leg]));
  return { body: inOrder(pose.body), hips, knees, feet: points, poles };
};

/**
 * Return the rotation of a foot as a quaternion xyzw.
 *
 * The sole is rotated about the vertical by the heading of the foot, then by the shortest arc from
 * upright to the normal of the ground. In the air the toes hang down.
 * @param {State} state
 * @param {number} leg
 */
export const footRotation = ({ feet, anatomy }, leg) => {
  const [sole] = feet.soles[leg],
    heading = sole[2];
  const lean = rotated(sole, conjugate(facingOf(heading))),
    [x, y, z, w] = rotationOf(lean, heading);
  const along = warp(feet.progress[leg]);
  const down = minimum((TOES * feet.lift[leg]) / anatomy.length, HANG) * arch(along) * (1 - along);
  const [cosine, sine] = cis(0.5 * down);
  return [w * sine + x * cosine, y * cosine + z * sine, z * cosine - y * sine, w * cosine - x * sine];
};

/** @type {(v: number) => number} */
const smooth = (value) => {
  const t = between(value, 0, 1);
  return t * t * (3 - 2 * t);
};
