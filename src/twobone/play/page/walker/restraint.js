// Restraint: feet that must stay on the ground, and undoing of changes that pass a limit (creature/restraint.py).

import { distance, minus, placeOf, plus, rotated, scaled } from "./footing.js";
import { between, maximum, minimum } from "./gait.js";
import { signedDistance } from "./polygons.js";
import { FALLS, headroom, poseOf, raisePlane, slackOf } from "./carriage.js";
import { copyOfFeet, flies, moving, pointsOf } from "./state.js";

/** @import { Place, Pose, Slack } from "./types.js" */
/** @import { Course, Feet, State, Suspension } from "./state.js" */

// Of the leg's length: minimum static margin over the feet in stance, by pairs of legs. Four legs have
// little to spare.
/** @type {Record<number, number>} */
const SPARE = { 2: 0.045, 3: 0.051 };
const MOST_SPARE = 0.081; // for more pairs
const RECOVERS = 0.05; // of the leg's length: farther beyond its limits a body is no longer restrained
export const JUMP = 0.03; // of the leg's length: if the belly loses more height than this, it met an edge
const SLOWER = 0.5; // factor of the speeds of a body that is set back
const RIM = 0.0045; // of the leg's length: clearance of the keel above edges, for the gaps between points
export const ABOVE = 0.012; // of the leg's length: clearance to which the ground pushes up a body
const CLIMBS = 1; // of the leg's length per second: speed at which a foot rises whose leg met an edge
const OVER = 0.3; // of the leg's length: how far above its goal it rises at most
const OUTWARD = 1; // of that speed: how fast it goes away from its hip meanwhile, and its shin with it

/** @type {("swing" | "progress" | "lift" | "soles" | "spread" | "poles")[]} */
const PARTS = ["swing", "progress", "lift", "soles", "spread", "poles"];

/**
 * Return whether the body is far beyond its limits and so is not restrained.
 *
 * An example is a body above which the ground has risen.
 * @param {State} state
 */
export const lost = (state) => {
  const far = -RECOVERS * state.anatomy.length;
  return state.slack.least.reduce(minimum) < far || state.slack.belly < far - graze(state);
};

/**
 * Return how deep the body may sink into crests; if negative, its clearance above edges.
 * @param {State} state
 */
export const graze = ({ anatomy, terrain }) => (terrain.hasEdges ? -RIM * anatomy.length : anatomy.underside.graze);

/**
 * Return whether the body touches the ground, deeper than it may sink into crests.
 * @param {State} state
 */
export const touches = (state) => state.slack.belly < -graze(state);

/**
 * Return whether the body is in the ground, deeper than it may sink into crests.
 * @param {State} state
 */
export const buried = (state) => state.slack.belly < -(maximum(graze(state), 0) + 1e-12 * state.anatomy.length);

// --- feet that may leave the ground -------------------------------------------------------

/**
 * Return which of the feet that would start a swing may do so: the others bear the body.
 * @param {State} state
 * @param {boolean[]} starts
 */
export const steady = (state, starts) => {
  const { progress } = state.feet;
  if (state.anatomy.pairs < 2) return starts.map((start, leg) => start && !(progress[1 - leg] < 1) && !starts[1 - leg]);
  const bear = state.animal.gait.balance === "static" ? bears : enough;
  if (bear(state, starts)) return starts;
  const only = starts.indexOf(true),
    first = starts.map((_, leg) => leg === only);
  return bear(state, first) ? first : starts.map(() => false);
};

/**
 * Return whether half of the feet stay on the ground.
 * @param {State} state
 * @param {boolean[]} starts
 */
const enough = ({ feet, anatomy }, starts) =>
  feet.progress.filter((progress, leg) => !(progress < 1) && !starts[leg]).length >= anatomy.pairs;

/**
 * Return whether the body has enough static margin without the feet that start to swing.
 * @param {State} state
 * @param {boolean[]} starts
 */
const bears = (state, starts) => {
  const { course, suspension, feet } = state,
    middle = plus(course.place, rotated(suspension.sway, course.facing));
  const stay = feet.progress.map((progress, leg) => !(progress < 1) && !starts[leg]);
  const seen = feet.swing.map(([now]) => [now[0] - middle[0], now[1] - middle[1]]);
  return signedDistance([0, 0], seen, stay) >= spareMargin(state) || lost(state);
};

/**
 * Return the minimum static margin that the body keeps over its feet in stance.
 * @param {State} state
 */
export const spareMargin = ({ anatomy }) => (SPARE[anatomy.pairs] ?? MOST_SPARE) * anatomy.length;

// --- undoing what passes a limit ----------------------------------------------------------

/**
 * What `hold` needs to know of the state before a step.
 * @typedef {{ course: Course, suspension: Suspension, feet: Feet, nominal: Place[], pose: Pose, slack: Slack }} Before
 */

/**
 * Return what to keep of a state to undo a step; feet and footholds are changed in place.
 * @param {State} state
 * @returns {Before}
 */
export const kept = ({ course, suspension, feet, footholds, pose, slack }) => ({
  course,
  suspension,
  feet: copyOfFeet(feet),
  nominal: [...footholds.nominal],
  pose,
  slack,
});

/**
 * Return the body with lower speeds, as it is when it is set back.
 * @param {Before} before
 */
const slowed = ({ course, suspension }) => ({
  course: moving(course, scaled(SLOWER, course.motion)),
  suspension: {
    ...suspension,
    planeRate: scaled(SLOWER, suspension.planeRate),
    swayRate: scaled(SLOWER, suspension.swayRate),
    bendRate: scaled(SLOWER, suspension.bendRate),
    springRate: suspension.springRate.map((rates) => scaled(SLOWER, rates)),
  },
});

/**
 * Undo changes of a step that pass a limit: of the body, of the feet, then of both.
 * @param {State} state
 * @param {Before} before
 * @param {number} dt
 */
export const hold = (state, before, dt) => {
  const { footholds } = state;
  /** @type {(which: boolean[]) => void} */
  const holds = (which) => {
    which.forEach((each, leg) => {
      if (each) footholds.held[leg] = true;
    });
  };
  footholds.held.fill(false);
  state.slack = slackOf(state);
  let { legs, belly } = broken(state, before);
  if (belly) {
    pushUp(state, FALLS * state.anatomy.length * dt);
    ({ legs, belly } = broken(state, before));
  }
  if (!belly && !legs.includes(true)) return;
  const inAir = flies(state.feet).map((each, leg) => each || before.feet.progress[leg] < 1);
  const starts = state.feet.progress.map((progress, leg) => progress < 1 && !(before.feet.progress[leg] < 1));
  const then = slowed(before),
    now = { course: state.course, suspension: state.suspension };
  // The cause may be the motion of the body, its settling on the plane, or both.
  for (const body of [
    { course: then.course, suspension: now.suspension },
    { course: now.course, suspension: then.suspension },
    then,
  ]) {
    putBody(state, body, belly || legs.some((each, leg) => each && !inAir[leg]));
    ({ legs, belly } = broken(state, before));
  }
  holds(legs);
  putFeet(state, before, legs);
  ({ legs } = broken(state, before));
  moveWithHips(
    state,
    legs.map((each, leg) => each && state.feet.progress[leg] < 1),
    before.pose,
  );
  ({ legs, belly } = broken(state, before));
  putBody(state, then, belly || legs.includes(true));
  ({ legs } = broken(state, before));
  holds(legs);
  putFeet(state, before, legs);
  ({ legs, belly } = broken(state, before));
  const rest = inAir.map((each, leg) => (each && (belly || legs.includes(true))) || legs[leg]); // it turns its own knee into something
  holds(rest);
  putFeet(state, before, rest, PARTS);
  state.feet.progress.forEach((progress, leg) => {
    footholds.held[leg] = footholds.held[leg] && progress < 1;
  });
  if (state.terrain.hasEdges) {
    const which = footholds.held.map((held, leg) => held || (starts[leg] && !(state.feet.progress[leg] < 1)));
    climb(state, before, which, CLIMBS * state.anatomy.length * dt);
  }
  footholds.held.forEach((held, leg) => {
    footholds.hangs[leg] = footholds.hangs[leg] && state.feet.progress[leg] < 1;
    footholds.late[leg] = footholds.late[leg] || (held && !footholds.hangs[leg]);
  });
};

/**
 * Raise feet that could not go on, or not leave the ground, by at most `most`.
 *
 * A shin that leans over an edge would cut it if the foot went on. Once the foot is higher, it does not;
 * until then the leg would stay where it is, and so would the body.
 * @param {State} state
 * @param {Before} before
 * @param {boolean[]} which
 * @param {number} most
 */
const climb = (state, before, which, most) => {
  if (!which.includes(true)) return;
  const was = copyOfFeet(state.feet),
    { feet, footholds, anatomy, pose } = state,
    points = pointsOf(feet);
  which.forEach((each, leg) => {
    if (!each) return;
    const [now, velocity, acceleration, goal] = feet.swing[leg];
    const by = between(goal[2] + OVER * anatomy.length - points[leg][2], 0, most),
      out = OUTWARD * by;
    const away = minus(placeOf(points[leg]), placeOf(pose.hips[leg])),
      far = maximum(distance(away), 1e-300);
    const moved = [now[0] + out * (away[0] / far), now[1] + out * (away[1] / far), now[2] + by];
    feet.swing[leg] = [moved, velocity, acceleration, goal];
    if (feet.progress[leg] < 1) return;
    feet.progress[leg] = 0;
    feet.lift[leg] = 0;
  });
  state.slack = slackOf(state);
  const { legs } = broken(state, before),
    fails = legs.map((each, leg) => each && which[leg]);
  fails.forEach((each, leg) => {
    if (each) for (const part of PARTS) feet[part][leg] = was[part][leg];
    footholds.held[leg] = footholds.held[leg] || (which[leg] && !each);
  });
  if (fails.includes(true)) state.slack = slackOf(state);
};

/**
 * Raise a body that touches the ground, by at most `most`, until a leg would be too straight.
 * @param {State} state
 * @param {number} most
 */
export const pushUp = (state, most) => {
  const above = ABOVE * state.anatomy.length;
  raisePlane(state, minimum(between(above - state.slack.belly, 0, most), maximum(headroom(state), 0)));
  state.pose = poseOf(state);
  state.slack = slackOf(state);
};

/**
 * Return which legs, and whether the body, are beyond their limits, and farther than before.
 *
 * What was far beyond a limit before is not counted, so that it can recover.
 * @param {State} state
 * @param {Before} before
 */
const broken = (state, { slack: then }) => {
  const {
      slack: now,
      anatomy: { length },
    } = state,
    deep = graze(state),
    far = -RECOVERS * length,
    tiny = 1e-12 * length;
  const legs = now.least.map((least, leg) => least < minimum(then.least[leg], 0) - tiny && then.least[leg] > far);
  const steep = now.belly < then.belly - JUMP * length,
    lowest = steep ? maximum(0, -deep) : -deep;
  return { legs, belly: now.belly < minimum(then.belly, lowest) - tiny && then.belly > far - deep };
};

/**
 * Give the body another course and suspension, if `which`.
 * @param {State} state
 * @param {{ course: Course, suspension: Suspension }} body
 * @param {boolean} which
 */
const putBody = (state, { course, suspension }, which) => {
  if (!which) return;
  state.course = course;
  state.suspension = suspension;
  state.pose = poseOf(state);
  state.slack = slackOf(state);
};

/**
 * Put those feet that `which` selects back to where they were; their knees if `parts` has `spread`.
 *
 * A knee that turns aside, out of the way, may be what lets the foot go on in the next step.
 * @param {State} state
 * @param {Before} before
 * @param {boolean[]} which
 * @param {("swing" | "progress" | "lift" | "soles" | "spread" | "poles")[]} parts
 */
const putFeet = (state, before, which, parts = ["swing", "progress", "lift", "soles"]) => {
  if (!which.includes(true)) return;
  const { feet } = state;
  which.forEach((each, leg) => {
    if (!each) return;
    for (const part of parts) feet[part][leg] = before.feet[part][leg];
    // A foot that has not left the ground after all must try again.
    if (!(before.feet.progress[leg] < 1)) state.footholds.nominal[leg] = before.nominal[leg];
  });
  if (parts.includes("poles")) state.pose = poseOf(state);
  state.slack = slackOf(state);
};

/**
 * Move feet in the air that cannot advance along with their hips.
 * @param {State} state
 * @param {boolean[]} which
 * @param {Pose} before
 */
const moveWithHips = (state, which, before) => {
  if (!which.includes(true)) return;
  which.forEach((each, leg) => {
    if (!each) return;
    const [now, ...rest] = state.feet.swing[leg];
    state.footholds.held[leg] = true;
    state.feet.swing[leg] = [plus(now, minus(state.pose.hips[leg], before.hips[leg])), ...rest];
  });
  state.slack = slackOf(state);
};
