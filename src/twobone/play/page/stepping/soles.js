// How a foot lies: its third segment and its sole, on the ground and in the air.
//
// Printed from creature/stepping/soles.py by `python tools/generate.py`: do not edit.

import * as transcendental from "./transcendental.js";
import { clamp, facing, larger, mix, smooth } from "./numbers.js";
import { DECIDED, MOST_TILT } from "./rhythm.js";
import { CLEARANCE, arc, liftedBy, planned, risenBy, skewed } from "./swings.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./records.js").Lie} Lie */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

export const LANDED = 0.3; // of a stance: how long a foot rolls onto the ground, and stays there at least; taste

// Of a swing: when toes rise for a landing on the heel, when they sink, and how long both last.
const RISES = 0.45;
const SINKS = 0.75;
const TURNS = 0.25;

const UNPEELED = 0.5; // of a swing: how long a foot that has peeled off takes to turn back; taste

const SOLE = 0.35; // of the third segment: how far around a foot the ground is looked at; taste

const LEAD = 0.12; // of a swing: by how much earlier the angle of a foot turns, as it is damped

const KICKED = 1; // skew of the arc of a kick: its top is at .3 of a swing, and it ends softly

/**
 * Return how the ground lies under the foothold of a foot that faces as the trunk.
 *
 * Toes rise with the ground ahead where that is steeper than on average.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @returns {Lie}
 */
export function lieOf(animal, walk, i, ground) {
  const goal = walk.steps[i].goal;
  const turn = walk.stations[animal.legs[i].station].facing;
  const d = larger(CLEARANCE * animal.hip, SOLE * animal.legs[i].third);
  const ahead = ground(goal.x + d * turn.s, goal.z + d * turn.c);
  const behind = ground(goal.x - d * turn.s, goal.z - d * turn.c);
  const left = ground(goal.x + d * turn.c, goal.z - d * turn.s);
  const right = ground(goal.x - d * turn.c, goal.z + d * turn.s);
  const rises = larger(ahead - behind, 2 * (ahead - goal.y));
  return {
    pitch: clamp(transcendental.arctangent(rises, 2 * d), -MOST_TILT, MOST_TILT),
    roll: clamp(transcendental.arctangent(left - right, 2 * d), -MOST_TILT, MOST_TILT),
  };
}

/**
 * Return where a foot is: in the air it kicks up behind, and rolls over its heel to land.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {Leg} leg
 * @param {Step} step
 * @returns {Point}
 */
export function footOf(animal, walk, leg, step) {
  if (step.down) return step.foot;
  const kick = animal.gaits[walk.gait].kick * animal.hip * walk.vigour.at * skewed(step.part, KICKED);
  const up = facing(walk.vigour.at * leg.land * toesUp(leg, step, step.goal, step.part));
  const back = leg.heel * (1 - up.c);
  const x = step.foot.x - back * step.toes.s;
  const z = step.foot.z - back * step.toes.c;
  return { x, y: step.foot.y + kick + leg.heel * up.s, z };
}

/**
 * Return the height of another arc with which a foot clears the ground on its way to a goal.
 *
 * A heel that trails behind it clears the ground, too; it will land on such a slope.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {Point} goal
 * @param {number} slope
 * @param {number} samples
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function liftOver(animal, walk, i, goal, slope, samples, ground) {
  const leg = animal.legs[i];
  const step = walk.steps[i];
  let lifted = 0;
  const clear = CLEARANCE * animal.hip;
  for (let n = 0; n < samples; n++) {
    const part = (n + 2) / (samples + 2);
    if (part > step.part) {
      const foot = planned(step, goal, part);
      let lacks = ground(foot.x, foot.z) - foot.y;
      if (leg.heel > 0 && part > UNPEELED) {
        const up = walk.vigour.at * leg.land * toesUp(leg, step, goal, part);
        const rolled = facing(up);
        const third = facing(leg.rest - up + slope * smooth(part / DECIDED));
        const back = leg.heel * (1 - rolled.c) + leg.third * third.c;
        const under = ground(foot.x - back * step.toes.s, foot.z - back * step.toes.c);
        const high = leg.heel * rolled.s + leg.third * third.s;
        lacks = larger(lacks, under - foot.y - high);
      }
      lacks -= liftedBy(step, part);
      lifted = larger(lifted, lacks / risenBy(step, 1, part) + clear);
    }
  }
  return lifted;
}

/**
 * Return how far toes are up for a landing on the heel, 0 to 1, at a part of a swing.
 *
 * Who steps down by the length of a heel or more lands on the toes.
 * @param {Leg} leg
 * @param {Step} step
 * @param {Point} goal
 * @param {number} part
 * @returns {number}
 */
export function toesUp(leg, step, goal, part) {
  const stepsDown = leg.heel > 0 ? smooth((step.stood.y - goal.y) / leg.heel) : 1;
  return (1 - stepsDown) * (smooth((part - RISES) / TURNS) - smooth((part - SINKS) / TURNS));
}

/**
 * Return how the sole of a foot lies, given the `footOf` a leg: as the ground while it stands.
 *
 * In the air it turns with the third segment, which has that angle above the ground, as far as
 * there is room below: toes and heel reach half as far as that segment is long. Toes rise only for
 * a landing on the heel.
 * @param {Leg} leg
 * @param {Step} step
 * @param {Point} foot
 * @param {number} angle
 * @returns {Lie}
 */
export function soleOf(leg, step, foot, angle) {
  if (step.down || leg.third === 0) return step.lie;
  const turned = smooth(step.part / DECIDED);
  const most = transcendental.arctangent(larger(foot.y - step.base, 0), 0.5 * leg.third);
  const bent = leg.rest + mix(step.slopeBefore, step.slope, turned) - angle;
  const rises = leg.heel > 0 ? most : 0;
  return {
    pitch: mix(step.lieBefore.pitch, step.lie.pitch, turned) + clamp(bent, -most, rises),
    roll: mix(step.lieBefore.roll, step.lie.roll, turned),
  };
}

/**
 * Return the angle of the third segment above the ground: it lands, rolls, peels off, curls.
 * @param {Leg} leg
 * @param {Walk} walk
 * @param {Step} step
 * @returns {number}
 */
export function angleOf(leg, walk, step) {
  const duty = walk.duty.at;
  const vigour = walk.vigour.at;
  /** @type {number} */
  let bent;
  if (!step.down) {
    const part = step.part;
    const turned = smooth(part / DECIDED);
    let stretched = smooth(2 * part - 1);
    if (leg.heel > 0) {
      stretched = toesUp(leg, step, step.goal, part + LEAD);
    }
    bent = leg.peel * (1 - smooth(part / UNPEELED)) + leg.curl * arc(part) - leg.land * stretched;
    return leg.rest + vigour * bent + mix(step.slopeBefore, step.slope, turned);
  }
  let landed = 1;
  let left = 0;
  if (walk.rate > 0) {
    if (leg.heel === 0) {
      landed = smooth(step.since / (LANDED * duty));
    }
    left = step.phase < duty ? step.phase / duty : 1;
  }
  bent = landed * leg.peel * smooth(2 * left - 1) - (1 - landed) * leg.land;
  return leg.rest + vigour * bent + step.slope;
}
