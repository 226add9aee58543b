// Gaits: when each leg swings, and the trajectory of a foot through the air (creature/gait.py).

import { exp, horner, nearest } from "./elementary.js";

/** @import { Point } from "./types.js" */

export const EARLY = 0.96; // a swing takes this fraction of its time slot, so it ends before the next may start
export const LOCK = 0.75; // fraction of a swing after which its foothold no longer changes
export const WARP = 0.5;

// The larger and the smaller number; NaN if one of them is, as in NumPy.
/** @type {(a: number, b: number) => number} */
export const maximum = (a, b) => (a >= b || a !== a ? a : b);
/** @type {(a: number, b: number) => number} */
export const minimum = (a, b) => (a <= b || a !== a ? a : b);
/** @type {(value: number, least: number, greatest: number) => number} */
export const between = (value, least, greatest) => minimum(maximum(value, least), greatest);

// Return a number modulo 1, from 0 to 1, as Python does: `%` keeps the sign.
/** @type {(v: number) => number} */
export const fraction = (value) => {
  const rest = value % 1;
  return rest < 0 ? rest + 1 : rest === 0 ? 0 : rest;
};

// --- when legs swing ----------------------------------------------------------------------

/**
 * When each leg steps, how far and how high: see the class in Python. `offsets` has one or two
 * entries, for rest and full speed: the phases of all legs, or what the name of a gait stands for.
 * A `lag` of null is that of a wave, 1 - duty factor.
 */
export class Gait {
  /**
   * @param {{ offsets: (number[] | { lag: number | null, right: number, dutyFactor: number })[], dutyFactor: number[],
   *   stride: number, lift: number, sway: number[], balance: string }} given
   */
  constructor({ offsets, dutyFactor, stride, lift, sway, balance }) {
    this.offsets = offsets;
    this.dutyFactor = dutyFactor;
    this.stride = stride;
    this.lift = lift;
    this.sway = sway;
    this.balance = balance;
  }

  /** @param {number} speedFraction the speed divided by full speed */
  dutyFactorAt(speedFraction) {
    const [slow, fast] = this.dutyFactor;
    return slow + (fast - slow) * between(speedFraction, 0, 1);
  }

  // Return the phase at which each leg leaves the ground, for legs in pairs from rear to front.
  /** @param {number} dutyFactor @param {number} pairs */
  offsetsAt(dutyFactor, pairs) {
    if (this._isWave()) return legs(pairs, (rank, side) => fraction(rank * (1 - dutyFactor) + 0.5 * side));
    const [slow, fast] = this._anchors(),
      [start, change] = this._rows(pairs);
    const along = slow === fast ? 0 : between((dutyFactor - slow) / (fast - slow), 0, 1);
    return start.map((phase, leg) => fraction(phase + change[leg] * along));
  }

  // Return by how many cycles at most an offset changes if the duty factor changes by 1.
  /** @param {number} pairs */
  steepness(pairs) {
    const [slow, fast] = this._anchors();
    if (this._isWave() || slow === fast) return pairs;
    const change = this._rows(pairs)[1].map(Math.abs);
    return Math.max(pairs, Math.max(...change) / Math.abs(fast - slow));
  }

  // Return whether swings of neighbours on one side overlap, at rest or at full speed.
  /** @param {number} pairs */
  neighboursSwingTogether(pairs) {
    return this.dutyFactor.some((dutyFactor) => {
      const offsets = this.offsetsAt(dutyFactor, pairs);
      return offsets.slice(2).some((phase, leg) => {
        const apart = Math.abs(fraction(phase - offsets[leg] + 0.5) - 0.5);
        return apart < 0.8 * (1 - dutyFactor);
      });
    });
  }

  /** @param {number | number[]} dutyFactor one, or those at rest and at full speed */
  withDutyFactor(dutyFactor) {
    const [slow, fast] = Array.isArray(dutyFactor) ? dutyFactor : [dutyFactor, dutyFactor];
    const { offsets } = this,
      [first] = offsets,
      own = slow === fast && offsets.length === 2 && Array.isArray(first);
    const given = own ? [this.offsetsAt(slow, first.length / 2)] : offsets;
    return new Gait({ ...this, offsets: given, dutyFactor: [slow, fast] });
  }

  _isWave() {
    const [first] = this.offsets;
    return this.offsets.length === 1 && !Array.isArray(first) && first.lag === null;
  }

  // The duty factors at which the offsets are those at rest and those at full speed.
  _anchors() {
    const found = this.offsets.flatMap((each) => (Array.isArray(each) ? [] : [each.dutyFactor]));
    const slow = found[0],
      fast = found.at(-1) ?? slow;
    return found.length && slow !== fast ? [slow, fast] : this.dutyFactor;
  }

  // The offsets at the first anchor, and their change to the second.
  /** @param {number} pairs */
  _rows(pairs) {
    const anchors = this._anchors();
    const rows = this.offsets.map((each, i) => {
      if (Array.isArray(each)) return each;
      const { lag, right } = each,
        step = lag === null ? 1 - anchors[i] : lag;
      return legs(pairs, (rank, side) => rank * step + (side ? right : 0));
    });
    const first = rows[0],
      last = rows[rows.length - 1],
      short = Array.isArray(this.offsets[0]);
    return [
      first,
      last.map((phase, leg) => {
        const change = phase - first[leg];
        return short ? change - nearest(change) : change; // the short way round
      }),
    ];
  }
}

// Return a value for each leg of so many pairs, given its rank from rear to front and its side: 0 left, 1 right.
/** @type {(pairs: number, value: (rank: number, side: number) => number) => number[]} */
const legs = (pairs, value) => Array.from({ length: 2 * pairs }, (_, leg) => value(leg >> 1, leg & 1));

// --- how a foot flies ---------------------------------------------------------------------

// Polynomials in s, the fraction of the remaining swing by which a foot advances: see creature/gait.py.
const PLACE = [
  [1, 0, 0, -10, 15, -6],
  [0, 1, 0, -6, 8, -3],
  [0, 0, 0.5, -1.5, 1.5, -0.5],
];
const SPEED = [
  [0, 0, -30, 90, -90, 30],
  [1, -1, -18, 50, -47, 15],
  [0, 1, -5.5, 10.5, -8.5, 2.5],
];
const BEND = [
  [0, -60, 300, -540, 420, -120],
  [0, -36, 168, -288, 216, -60],
  [1, -11, 37, -55, 38, -10],
];
const GOAL = [
  [0, 0, 0, 10, -15, 6],
  [0, 0, 30, -90, 90, -30],
  [0, 60, -300, 540, -420, 120],
];
// For position, velocity and acceleration: the polynomials of the weights of the four rows of a swing.
export const GLIDE = [PLACE, SPEED, BEND].map((now, i) => [...now, GOAL[i]]);

/**
 * Advance a foot along the minimum-jerk path to its goal.
 * @param {Point[]} swing position, velocity, acceleration and goal
 * @param {number} by fraction of the remaining time
 * @param {number} rows how many of position, velocity and acceleration to return
 * @returns {Point[]}
 */
export const glide = ([place, speed, bend, goal], by, rows = 3) => {
  const found = [];
  for (let row = 0; row < rows; row++) {
    const [a, b, c, d] = GLIDE[row].map((polynomial) => horner(polynomial, by));
    found.push([0, 1, 2].map((j) => a * place[j] + b * speed[j] + c * bend[j] + d * goal[j]));
  }
  return found;
};

// Return how far along its trajectory a foot is after a fraction of the time of its swing.
/** @type {(v: number) => number} */
export const warp = (progress) => {
  const t = between(progress, 0, 1);
  return t + WARP * t * (1 - t) * (1 - 2 * t);
};

// Return the height of a swing relative to its top.
/** @type {(v: number) => number} */
export const arch = (along) => {
  let t = between(along, 0, 1);
  t = t * (1 - t);
  return 64 * t * t * t;
};

// --- critically damped springs ------------------------------------------------------------

// Return value and speed of a critically damped spring after `dt`; exact for any time step.
/** @type {(value: number, speed: number, goal: number, rate: number, dt: number) => number[]} */
export const settle = (value, speed, goal, rate, dt) => {
  const turn = rate * dt,
    fade = exp(-rate * dt),
    away = value - goal;
  return [goal + fade * (1 + turn) * away + fade * dt * speed, fade * (1 - turn) * speed - fade * rate * turn * away];
};

// Return the same for lists: two lists.
/** @type {(values: number[], speeds: number[], goals: number[], rate: number, dt: number) => number[][]} */
export const settleAll = (values, speeds, goals, rate, dt) => {
  const pairs = values.map((value, i) => settle(value, speeds[i], goals[i], rate, dt));
  return [pairs.map(([value]) => value), pairs.map(([, speed]) => speed)];
};
