// Where a foot lands: the place it wants, or a better one near it.
//
// Printed from creature/stepping/footholds.py by `python tools/generate.py`: do not edit.

import { topUnder } from "./belly.js";
import { BURIED, FAR, HIGH, SHORT, cost, depthOf, liked, squareOf } from "./costs.js";
import { heightAt, moved, together } from "./levels.js";
import { HUGE, clamp, facing, larger, length, mix, placed, smaller } from "./numbers.js";
import { ahead, foldOf, isStiff, lasting, reachOf, wanted } from "./path.js";
import { clock, leftToStand, leftToSwing, other } from "./rhythm.js";
import { liftOver } from "./soles.js";
import { CLEARANCE, aim, highest, liftedBy, planned, risenBy } from "./swings.js";

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./anatomy.js").Anatomy} Anatomy */
/** @typedef {import("./anatomy.js").Leg} Leg */
/** @typedef {import("./costs.js").Stance} Stance */
/** @typedef {import("./numbers.js").Point} Point */
/** @typedef {import("./path.js").Seen} Seen */
/** @typedef {import("./records.js").Step} Step */
/** @typedef {import("./records.js").Walk} Walk */

// Places that are compared: rings around the one that is wanted. Taste.
const RINGS = 4;

const DIRECTIONS = 8; // of the places of a ring

const APART = 0.1; // of a leg: between rings

const NOWHERE = 3; // a foothold that costs so much is none; taste

const SWING = 14; // places below a swing that are looked at to choose it; taste

const LATE = 3; // of them, the last: there the leg is nearly as it lands, with the ground behind it; taste

const GOOD = 0.35; // a foothold that costs less is taken before the next ring is looked at

/**
 * Choose where a foot lands: its goal, what that costs, and the slope below its third segment.
 *
 * Places in rings around the one that is wanted are compared until one is good.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {((a: number, b: number) => number)} ground
 * @returns {void}
 */
export function choose(animal, walk, i, ground) {
  const leg = animal.legs[i];
  const step = walk.steps[i];
  const station = walk.stations[leg.station];
  step.want = wanted(animal, leg, walk, step);
  const landing = leftToSwing(animal, walk, step);
  const first = ahead(animal, walk, station, landing);
  const stance = stanceOf(animal, leg, walk, step, first, ground);
  const size = APART * (leg.upper + leg.lower + leg.third);
  // On its own side of the trunk, and of the other foot of the pair, where the trunk goes across
  // that; legs of one that turns may cross.
  const beside = walk.steps[other(i)].goal;
  let across = asideOf(leg, station.facing, beside.x - station.x, beside.z - station.z);
  across -= leg.side * walk.aside.at * lasting(animal, walk, landing);
  const own = animal.wide * Math.abs(leg.footAside);
  const least = larger(own, across + 2 * own);
  let best = NOWHERE;
  let ring = 0;
  while (ring <= RINGS && best > larger(GOOD, FAR * ring)) {
    const count = ring === 0 ? 1 : DIRECTIONS;
    for (let j = 0; j < count; j++) {
      const around = facing(2 * Math.PI * j / DIRECTIONS);
      let x = step.want.x + size * ring * around.s;
      let z = step.want.z + size * ring * around.c;
      const inward = larger(least - asideOf(leg, first.turn, x - first.x, z - first.z), 0);
      x += inward * leg.side * first.turn.c;
      z -= inward * leg.side * first.turn.s;
      const foot = { x, y: ground(x, z), z };
      const found = cost(animal, leg, stance, foot, FAR * ring, best, ground);
      if (found.cost < best) {
        const swing = swung(animal, walk, i, stance, foot, found.slope, best - found.cost, ground);
        if (found.cost + swing < best) {
          best = found.cost + swing;
          step.goal = foot;
          step.leastHip = found.hip;
          step.slope = found.slope;
        }
      }
    }
    ring += 1;
  }
  step.lost = best === NOWHERE;
  if (step.lost) {
    // A leg in the air keeps its plan; another one steps where it stood.
    best = 0;
    if (step.part === 0) {
      step.goal = { x: step.stood.x, y: ground(step.stood.x, step.stood.z), z: step.stood.z };
      step.leastHip = step.goal.y;
      step.slope = step.slopeBefore;
    }
  }
  step.under = step.goal.y;
  // A foothold that costs no more than two rings is as good as any.
  step.cost = clamp(best - 2 * FAR, 0, 2);
}

/**
 * Return how far a way leads to the side of a leg, for one who faces so.
 * @param {Leg} leg
 * @param {Turn} turn
 * @param {number} x
 * @param {number} z
 * @returns {number}
 */
export function asideOf(leg, turn, x, z) {
  return (x * turn.c - z * turn.s) * leg.side;
}

/**
 * Return what it costs to swing to a foothold: over what is in its way, below the hip.
 *
 * A leg that comes down behind an edge may be in the ground before it lands: that is looked at
 * only where the rest costs less than `most`.
 * @param {Anatomy} animal
 * @param {Walk} walk
 * @param {number} i
 * @param {Stance} stance
 * @param {Point} foot
 * @param {number} slope
 * @param {number} most
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function swung(animal, walk, i, stance, foot, slope, most, ground) {
  const leg = animal.legs[i];
  const step = walk.steps[i];
  if (step.down) return 0;
  aim(step, foot, walk.duty.at);
  const lifted = liftOver(animal, walk, i, foot, slope, SWING, ground);
  if (lifted > highest(animal, step)) return HUGE;
  const hip = liked(leg, stance, foot);
  const least = foldOf(leg, animal.least);
  const landing = stance.landing;
  const angle = landing.angle + slope;
  let short = 0;
  let found = HIGH * lifted / animal.hip;
  for (let n = 0; n < SWING; n++) {
    const gone = (n + 1) / (SWING + 1);
    const part = mix(step.part, 1, gone);
    const way = planned(step, foot, part);
    const high = way.y + liftedBy(step, part) + risenBy(step, lifted, part);
    const x = mix(step.hip.x, landing.hip.x, gone);
    const y = mix(step.hip.y, hip, gone);
    const z = mix(step.hip.z, landing.hip.z, gone);
    const square = least * least - squareOf({ x, z }, way);
    if (square > 0) {
      const more = larger(high - y + Math.sqrt(square) - short, 0);
      short += more;
      found += SHORT * more / animal.hip;
    }
    if (n >= SWING - LATE && found < most) {
      const raised = { x: way.x, y: high, z: way.z };
      const still = { x: 0, y: 0, z: 0 };
      const toes = landing.toes;
      const deep = depthOf(animal, leg, { x, y, z }, raised, angle, toes, still, ground);
      found += BURIED * deep / animal.hip;
    }
  }
  return found;
}

/**
 * Return how a leg will land, with its station as it is seen then, and how it will lift.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Walk} walk
 * @param {Step} step
 * @param {Seen} first
 * @param {((a: number, b: number) => number)} ground
 * @returns {Stance}
 */
export function stanceOf(animal, leg, walk, step, first, ground) {
  const landing = leftToSwing(animal, walk, step);
  const lifting = landing + walk.duty.at / clock(animal, walk);
  const station = walk.stations[leg.station];
  const last = ahead(animal, walk, station, lifting);
  // The trunk rises before a crest, so it is high enough for both.
  const rolled = facing(walk.roll.at).s;
  const top = larger(
    crest(animal, leg, walk, first, landing, rolled, ground),
    crest(animal, leg, walk, last, lifting, rolled, ground),
  );
  const hip = leg.up + leg.aside * rolled;
  const high = larger(top + animal.belly + CLEARANCE * animal.hip, station.floor) + hip;
  // A foot that lands on its heel has rolled over it when it stands.
  const land = leg.heel === 0 ? leg.land : 0;
  const landed = leg.rest - walk.vigour.at * land;
  const peeled = leg.rest + walk.vigour.at * leg.peel;
  // Until a leg lands, the body stays over the others.
  const x = first.x + walk.balanceX.at;
  const z = first.z + walk.balanceZ.at;
  const lands = placed(x, z, first.turn, leg.aside, 0);
  const lifts = placed(last.x, last.z, last.turn, leg.aside, 0);
  // It comes from above, and leaves upwards and ahead.
  const clear = CLEARANCE * animal.hip;
  const way = { x: last.x - first.x, y: 0, z: last.z - first.z };
  const share = Math.sqrt(0.5) * clear / larger(length(way), clear);
  const above = { x: 0, y: -clear, z: 0 };
  const before = { x: share * way.x, y: -Math.sqrt(0.5) * clear, z: share * way.z };
  return {
    landing: { hip: lands, leastY: high, angle: landed, toes: first.turn, clear: above },
    lifting: { hip: lifts, leastY: high, angle: peeled, toes: first.turn, clear: before },
    line: animal.height + hip + station.level.at + station.shift.at,
    highest: step.down ? HUGE : held(animal, leg, walk, landing, rolled) + hip,
    base: step.base,
  };
}

/**
 * Return how high the legs let the station of one in the air be, which stand when it lands.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Walk} walk
 * @param {number} seconds
 * @param {number} rolled
 * @returns {number}
 */
export function held(animal, leg, walk, seconds, rolled) {
  const station = walk.stations[leg.station];
  let high = animal.highest + station.level.at;
  for (let i = 0; i < animal.legs.length; i++) {
    const bearer = animal.legs[i];
    const step = walk.steps[i];
    const stays = step.down && leftToStand(animal, walk, step) > seconds;
    if (stays && bearer.station === leg.station) {
      const hip = moved(station, step.hip, seconds);
      const top = step.foot.y + heightAt(reachOf(bearer, animal.straight), hip, step.foot);
      high = smaller(high, top - bearer.up - bearer.aside * rolled);
    }
  }
  return high;
}

/**
 * Return how high the ground lets the trunk be where it bears a leg, later.
 * @param {Anatomy} animal
 * @param {Leg} leg
 * @param {Walk} walk
 * @param {Seen} seen
 * @param {number} seconds
 * @param {number} rolled
 * @param {((a: number, b: number) => number)} ground
 * @returns {number}
 */
export function crest(animal, leg, walk, seen, seconds, rolled, ground) {
  if (!isStiff(animal)) return topUnder(animal, seen.x, seen.z, seen.turn, rolled, ground);
  /** @type {number[]} */
  const tops = [];
  for (const station of walk.stations) {
    const x = station.x + station.ux * seconds;
    const z = station.z + station.uz * seconds;
    tops.push(topUnder(animal, x, z, seen.turn, rolled, ground));
  }
  together(animal, tops);
  return tops[leg.station];
}
