// Swings of the feet: when they start, where they land, how high they go (creature/swinging.py).

import { cis } from "./elementary.js";
import { footRotation } from "./carriage.js";
import {
  bears,
  better,
  conjugate,
  distance,
  dot,
  isSudden,
  leanOf,
  leans,
  liftNeeded,
  liftOver,
  minus,
  onGround,
  placeOf,
  plus,
  rotated,
  scaled,
  search,
  withinReach,
} from "./footing.js";
import { footholdsAt } from "./anatomy.js";
import { LOCK, between, glide, maximum, minimum, warp } from "./gait.js";
import { isClear, kneeOf } from "./governor.js";
import { graze, lost, steady } from "./restraint.js";
import { courseAhead, pointsOf, standingSole, standingSwing, swingFraction } from "./state.js";

/** @import { Anatomy, Place, Point, Pose, SwingLeg } from "./types.js" */
/** @import { Strayed } from "./pacing.js" */
/** @import { Feet, State } from "./state.js" */

const STRAY = 0.04; // of the leg's length: a foot farther from its nominal foothold takes a step
const LOST = 2; // of the leg's length: a foot farther from its nominal foothold is put there at once
const HIGHEST = 0.8; // of the leg's length: maximum lift over obstacles
const SHORT = 0.1; // fraction of the usual lift that remains for the shortest steps
const LONG = 1.5; // strides: the lift is in proportion to the step up to this length
const ACROSS = 0.25; // how far inward of its hip a foot whose knee turns aside goes then
const OUT = 0.05; // of the leg's length: if no foothold is near, no foot goes nearer to below its hip
const DEEP = 0.25; // the same under a long body: how far inward of that a foot may stand until it steps
// Of the leg's length: how far a body is expected to lower for a distant foothold, if the ground below leaves room.
const DIP = 0.1;
// Pairs of legs from which on feet hang in the air if they find no ground. With eight legs a body that goes on
// so would often come to where the other legs cannot lift.
const MANY = 5;
const HOVERS = 0.05; // of the leg's length: minimum height above the ground to which a hanging foot goes
const GROPES = 0.6; // of the leg's length: how far it goes at most in one step

/**
 * Where the body will be when a foot lands and stands: the nominal foothold and the hip in the middle
 * of the next stance, and the hip when the foot lands.
 * @typedef {{ foothold: Place, hip: Place, landing: Place }} Ahead
 */
/**
 * Where a foot should land: `good` if the point can be stood on, the lift that the swing needs, and
 * the lean of a foot that stands there.
 * @typedef {{ point: Point, good: boolean, lift: number, lean: Place }} Goal
 */

/**
 * Return how far feet are from their nominal footholds, and which feet should step.
 *
 * A foot that is very far away is first put on its nominal foothold. Since a foot may have been placed
 * beside its foothold on purpose, it should step if the foothold has moved since.
 * @param {State} state
 * @returns {Strayed}
 */
export const stray = (state) => {
  const {
      course,
      anatomy,
      feet,
      footholds: { nominal },
      delay,
    } = state,
    { length } = anatomy;
  const there = courseAhead(course, delay.lead);
  const footholds = footholdsAt(anatomy, course.place, course.facing),
    sought = footholdsAt(anatomy, there.place, there.facing);
  const away = footholds.map((foothold, leg) => {
    const far = distance(minus(placeOf(feet.swing[leg][0]), foothold));
    if (!(far > LOST * length)) return far;
    plant(state, leg, foothold);
    return 0;
  });
  return { distance: away, steps: sought.map((place, leg) => distance(minus(nominal[leg], place)) > STRAY * length) };
};

/**
 * Put a foot on the ground at a foothold, in stance.
 * @param {State} state
 * @param {number} leg
 * @param {Place} foothold
 */
const plant = ({ terrain, feet, footholds, anatomy, course }, leg, foothold) => {
  feet.swing[leg] = standingSwing(onGround(terrain, foothold));
  feet.progress[leg] = 1;
  feet.soles[leg] = standingSole(leans(terrain, foothold, anatomy.length), course.heading);
  footholds.nominal[leg] = foothold;
};

/**
 * Return which feet start a swing now; `speed` is that of the footholds, `phases` are those of the legs.
 * @param {State} state
 * @param {number} speed
 * @param {Strayed} strayed
 * @param {number[]} phases
 */
export const starting = (state, speed, strayed, phases) => {
  const flies = state.feet.progress.map((progress) => progress < 1),
    moves = speed > 0.02 * state.animal.speed;
  const soon = 0.5 * swingFraction(state.cycle);
  let starts = phases.map((phase, leg) => phase < soon && !flies[leg] && (strayed.steps[leg] || moves));
  const { anatomy, footholds } = state;
  if (anatomy.balances) footholds.waits.fill(false);
  // A foot under the body that has found no ground, or is far under it, does not wait for its turn: its knee would be in the body.
  if (mayHang(state))
    starts = starts.map((start, leg) => start || (!flies[leg] && isUnder(state, leg, footholds.stuck[leg] ? 0 : DEEP)));
  if (!starts.includes(true)) return starts;
  // Neighbours on the same side never swing at the same time.
  if (anatomy.spaced)
    starts = starts.map(
      (start, leg) =>
        start && !(flies[leg + 2] && !footholds.hangs[leg + 2]) && !(flies[leg - 2] && !footholds.hangs[leg - 2]),
    );
  if (!starts.includes(true)) return starts;
  const able = steady(state, starts);
  if (anatomy.balances) footholds.waits = starts.map((start, leg) => start && !able[leg]);
  return able;
};

/**
 * Start new swings, choose goals and advance all feet in swing.
 * @param {State} state
 * @param {number} dt
 * @param {boolean[]} starts
 */
export const swingFeet = (state, dt, starts) => {
  const { feet, footholds, cycle } = state;
  starts.forEach((start, leg) => {
    if (!start) return;
    feet.progress[leg] = 0;
    footholds.fixed[leg] = false;
  });
  const aims = feet.progress.map((progress, leg) => (progress < LOCK && !footholds.fixed[leg]) || footholds.held[leg]);
  aims.forEach((seeks, leg) => {
    if (!seeks) return;
    const ahead = lookAhead(state, leg);
    if (starts[leg]) liftFoot(state, leg, ahead);
    footholds.hips[leg] = ahead.landing;
    if (footholds.held[leg]) swingAnew(state, leg);
    // A hanging foot seeks ground before each of its steps in the air.
    if (!footholds.hangs[leg] || feet.progress[leg] === 0) aim(state, leg, starts[leg], ahead);
    if (footholds.hangs[leg]) grope(state, leg, ahead);
  });
  fly(feet, (dt * cycle.rate) / swingFraction(cycle), state.course.heading);
  footholds.hangs.forEach((hangs, leg) => {
    if (!hangs || feet.progress[leg] < 1) return;
    feet.progress[leg] = 0;
    feet.lift[leg] = state.animal.gait.lift * state.anatomy.length;
  });
};

/**
 * Return foothold and hip in the middle of the next stance of a leg, and its hip at landing.
 * @param {State} state
 * @param {number} leg
 * @returns {Ahead}
 */
const lookAhead = ({ course, cycle, anatomy, feet, delay }, leg) => {
  const { motion, facing } = course,
    rate = maximum(cycle.rate, cycle.least);
  const rest = (0.5 * cycle.dutyFactor) / rate,
    ahead = ((1 - feet.progress[leg]) * swingFraction(cycle)) / rate + rest;
  const half = cis(-0.5 * motion[2] * ahead),
    velocity = placeOf(motion);
  const middle = rotated(facing, half); // mean heading until then
  let there = rotated(middle, half),
    place = plus(course.place, scaled(ahead, rotated(middle, velocity)));
  const hip = plus(place, rotated(there, anatomy.hipPlaces[leg])),
    landing = minus(hip, scaled(rest, rotated(there, velocity)));
  if (delay.lead.some(Boolean)) {
    // not for `landing`: the body may not follow
    const sought = courseAhead(course, delay.lead);
    place = plus(place, minus(sought.place, course.place));
    there = rotated(there, rotated(sought.facing, conjugate(facing)));
  }
  return {
    foothold: plus(place, rotated(there, anatomy.footholds[leg])),
    hip: plus(place, rotated(there, anatomy.hipPlaces[leg])),
    landing,
  };
};

/**
 * Choose a foothold near the nominal one, and the lift of the swing.
 * @param {State} state
 * @param {number} leg
 * @param {Ahead} ahead
 */
const liftFoot = (state, leg, ahead) => {
  const { anatomy, terrain, feet, footholds } = state,
    { length, legs } = anatomy,
    plain = ahead.foothold,
    [start] = feet.swing[leg];
  const offset = better(terrain, plain, length, {
    stood: start,
    hips: ahead.landing,
    top: topOf(state, leg),
    near: legs.near[leg],
    far: legs.long[leg],
  });
  const goal = plus(plain, offset),
    step = distance(minus(goal, placeOf(start))) / anatomy.stride;
  const clearance = state.animal.gait.lift * length * between(step / LONG, SHORT, 1);
  footholds.offset[leg] = offset;
  feet.lift[leg] = liftOver(terrain, start, onGround(terrain, goal), clearance, HIGHEST * length);
};

/**
 * Restart the swing of a held foot from where it is.
 * @param {State} state
 * @param {number} leg
 */
const swingAnew = (state, leg) => {
  const { feet } = state,
    [now, then] = feet.soles[leg],
    still = [0, 0, 0];
  const point = pointsOf(feet)[leg],
    lean = leanOf(footRotation(state, leg));
  feet.soles[leg] = [[...lean, now[2]], then];
  feet.progress[leg] = 0;
  feet.lift[leg] = 0;
  feet.swing[leg] = [point, still, still, feet.swing[leg][3]]; // the goal stays in case none better is found
};

/**
 * Choose the goal of a foot, within reach of the future hip.
 *
 * If the new goal of a foot in the air cannot be stood on, the foot keeps its previous goal, or else
 * searches for another one. A foot that was about to start and finds none stays on the ground, or
 * hangs: see `isHanging`.
 * @param {State} state
 * @param {number} leg
 * @param {boolean} starts
 * @param {Ahead} ahead
 */
const aim = (state, leg, starts, ahead) => {
  const { terrain, anatomy, feet, footholds } = state,
    { length, legs } = anatomy,
    held = footholds.held[leg];
  const own = legOf(state, leg, ahead);
  const sought = plus(ahead.foothold, footholds.offset[leg]);
  const point = withinReach(terrain, sought, ahead.hip, topOf(state, leg), legs.used[leg]);
  /** @type {Goal} */
  let goal = { point, ...bears(terrain, point, own, length) };
  goal.good &&= !isSudden(point, own, length);
  let hangs = false;
  if (!goal.good || held) {
    goal = reconsidered(state, leg, own, ahead.foothold, starts, held, { ...goal, good: goal.good || lost(state) });
    hangs = !goal.good && isHanging(state, leg, starts);
    if (starts && !goal.good && !hangs) feet.progress[leg] = 1;
  }
  footholds.hangs[leg] = hangs;
  footholds.stuck[leg] = !goal.good;
  if (!goal.good) return;
  footholds.nominal[leg] = ahead.foothold;
  feet.swing[leg] = feet.swing[leg].with(3, goal.point);
  feet.soles[leg] = feet.soles[leg].with(1, [...goal.lean, feet.soles[leg][1][2]]);
  if (feet.progress[leg] === 0) feet.lift[leg] = maximum(feet.lift[leg], goal.lift);
};

/**
 * Return a leg that needs ground for its foot.
 * @param {State} state
 * @param {number} leg
 * @param {Ahead} ahead
 * @returns {SwingLeg}
 */
const legOf = (state, leg, ahead) => {
  const {
      anatomy: { length, legs },
      feet,
    } = state,
    progress = feet.progress[leg],
    lift = feet.lift[leg];
  // A body that may sink into crests will soon be past the one that it is on.
  const dip = between(state.slack.belly + 2 * graze(state), 0, DIP * length);
  return {
    swing: feet.swing[leg],
    progress,
    lift,
    maxLift: progress === 0 ? HIGHEST * length : lift, // it is chosen when a swing starts
    hips: { now: state.pose.hips[leg], landing: ahead.landing, middle: ahead.hip, height: topOf(state, leg) - dip },
    maxReach: legs.landing[leg],
    minReach: legs.passing[leg],
  };
};

/**
 * Return whether feet hang in the air where they find no ground. Animals with few legs need all of them. Where the
 * ground has edges no foot hangs, or a long body would go over the edge of a cliff until it almost falls.
 * @param {State} state
 */
const mayHang = ({ anatomy, terrain }) => anatomy.pairs >= MANY && !terrain.hasEdges;

/**
 * Return whether a foot is under the body, or so deep under it, in lengths of the leg.
 * @param {State} state
 * @param {number} leg
 * @param {number} deep
 */
const isUnder = ({ anatomy, feet, pose }, leg, deep = 0) =>
  outward(pose, anatomy, leg, feet.swing[leg][0]) < -deep * anatomy.length;

/**
 * Return whether a foot that finds no ground to stand on hangs in the air.
 *
 * It does if a limit holds it in the air, or if it is on the ground and its leg is straight, which
 * would stop the body, or under the body, where its knee would be in it.
 * @param {State} state
 * @param {number} leg
 * @param {boolean} starts
 */
const isHanging = (state, leg, starts) => {
  const { anatomy, feet, footholds, pose } = state;
  if (!mayHang(state)) return false;
  const way = minus(feet.swing[leg][0], pose.hips[leg]);
  return (
    footholds.held[leg] ||
    footholds.hangs[leg] ||
    (starts && (Math.sqrt(dot(way, way)) > anatomy.legs.long[leg] || isUnder(state, leg)))
  );
};

/**
 * Choose a goal in the air for a hanging foot: where it would stand if the ground were level.
 *
 * It keeps above the ground and comes no nearer to its hip than other feet. If that is not possible it
 * keeps its goal, or stays where it is.
 * @param {State} state
 * @param {number} leg
 * @param {Ahead} ahead
 */
const grope = (state, leg, ahead) => {
  const { terrain, anatomy, animal, feet, footholds } = state,
    { length } = anatomy,
    own = legOf(state, leg, ahead);
  const [x, z, ground] = onGround(terrain, plus(ahead.landing, minus(ahead.foothold, ahead.hip)));
  const stand = animal.body.height + anatomy.hips[leg][2],
    [now] = feet.swing[leg];
  const way = minus([x, z, maximum(ground + HOVERS * length, own.hips.height - stand)], now);
  const most = GROPES * length * (1 - own.progress),
    part = minimum(most / (Math.sqrt(dot(way, way)) + 1e-300), 1);
  const point = plus(now, scaled(part, way)),
    { lift, free } = liftNeeded(terrain, point, own);
  const good = free && lift <= own.maxLift,
    begins = own.progress === 0;
  if (good || begins) feet.swing[leg] = feet.swing[leg].with(3, good ? point : now);
  const far = between(distance(minus(placeOf(point), placeOf(now))) / anatomy.stride, 0, 1);
  if (begins) feet.lift[leg] = good ? maximum(animal.gait.lift * length * far, lift) : 0;
  footholds.fixed[leg] = false;
};

/**
 * Return the previous goal or one that is found in place of a goal that cannot be stood on, or of that of a held foot.
 * @param {State} state
 * @param {number} leg
 * @param {SwingLeg} own
 * @param {Place} plain the nominal foothold
 * @param {boolean} starts
 * @param {boolean} held
 * @param {Goal} goal
 * @returns {Goal}
 */
const reconsidered = (state, leg, own, plain, starts, held, goal) => {
  const {
      terrain,
      anatomy: { length },
      animal,
    } = state,
    old = own.swing[3];
  if (!goal.good && !starts && !held) {
    const found = bears(terrain, old, own, length);
    if (found.good) return { point: old, ...found };
  }
  if (goal.good && !held) return goal;
  const found = search(terrain, plain, own, length, (point) => hasRoom(state, leg, point));
  if (own.progress === 0) state.feet.lift[leg] = animal.gait.lift * length; // it was chosen for the rejected goal
  state.footholds.offset[leg] = minus(placeOf(found.point), plain);
  return found;
};

/**
 * Return the expected height of the hip of a leg, after the body has risen.
 * @param {State} state
 * @param {number} leg
 */
const topOf = ({ pose, limits }, leg) => pose.hips[leg][2] + limits.rise;

/**
 * Return whether there is room for knee and shin of a foot on a point: above the ground, and the foot must not
 * go under the body, where the knee would turn fast, or if knees turn aside, not far across its middle.
 * @param {State} state
 * @param {number} leg
 * @param {Point} point
 */
const hasRoom = ({ pose, anatomy, terrain, course }, leg, point) => {
  const hip = pose.hips[leg];
  if (!isClear(terrain, anatomy, kneeOf(hip, point, anatomy.bones[leg], pose.poles[leg]), point)) return false;
  if (anatomy.spreads) {
    const [aside] = rotated(minus(placeOf(point), placeOf(hip)), conjugate(course.facing));
    return aside * Math.sign(anatomy.hipPlaces[leg][0]) > -ACROSS * anatomy.length;
  }
  return outward(pose, anatomy, leg, point) > 0;
};

/**
 * Return how much farther outward of its hip a point is than the feet of a leg must be.
 * @param {Pose} pose
 * @param {Anatomy} anatomy
 * @param {number} leg
 * @param {Point} point
 */
const outward = ({ axes: [left, ahead], hips }, { footholds, hipPlaces, length }, leg, point) => {
  const way = minus(footholds[leg], hipPlaces[leg]),
    far = distance(way),
    [aside, along] = way.map((part) => part / maximum(far, 1e-300));
  return (
    dot(
      minus(point, hips[leg]),
      left.map((part, axis) => aside * part + along * ahead[axis]),
    ) - minimum(OUT * length, 0.5 * far)
  );
};

/**
 * Advance feet in the air along their swings; those that complete them land.
 * @param {Feet} feet
 * @param {number} advance by how much
 * @param {number} heading that of the body, which the feet take
 */
const fly = (feet, advance, heading) => {
  feet.progress.forEach((progress, leg) => {
    if (!(progress < 1)) return;
    const swing = feet.swing[leg],
      [sole, [x, z]] = feet.soles[leg],
      goal = [x, z, heading];
    if (advance >= 1 - progress) {
      // it lands
      feet.swing[leg] = standingSwing(swing[3]);
      feet.soles[leg] = [goal, goal];
      feet.progress[leg] = 1;
      return;
    }
    const now = warp(progress),
      then = warp(progress + advance),
      turn = turned(now, then);
    feet.progress[leg] = progress + advance;
    feet.swing[leg] = [...glide(swing, (then - now) / (1 - now)), swing[3]];
    feet.soles[leg] = [sole.map((part, j) => part + turn * (goal[j] - part)), goal];
  });
};

// Return how much of the remaining rotation of its sole a foot makes on its way. For a goal that stays,
// the rotation as a whole is `3 t^2 - 2 t^3`: it begins and ends at rest.
/** @type {(now: number, then: number) => number} */
const turned = (now, then) => {
  /** @param {number} t */
  const left = (t) => (1 - t) * (1 - t) * (1 + 2 * t);
  return 1 - left(then) / left(now);
};
