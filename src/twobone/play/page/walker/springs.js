// Damped springs with exact steps (creature/springs.py).

import { cis, exp } from "./elementary.js";
import { minus } from "./footing.js";

// Undamped frequencies, and damping ratios, of the stiff spring, a multiple of the frequency of steps
// at full speed, and of the soft one, in radians per second.
export const STIFF = [1.2, 0.7],
  SOFT = [8, 0.4];

// Return the undamped frequencies of both springs for an animal with a gait.
/** @type {(gait: import("./gait.js").Gait, speed: number, length: number) => number[]} */
export const frequenciesOf = (gait, speed, length) => {
  const cycles = (gait.dutyFactorAt(1) * speed) / (gait.stride * length);
  return [STIFF[0] * 4 * Math.PI * cycles, SOFT[0]];
};

// Return the coefficients of the exact solution of `x'' = -2 z w x' - w^2 x` after a time: those of x
// and x' in x, then those in x'. `frequency` is w, and `damping`, which must be below 1, is z.
/** @type {(frequency: number, damping: number, dt: number) => number[]} */
const coefficients = (frequency, damping, dt) => {
  const turns = frequency * Math.sqrt(1 - damping * damping),
    fade = exp(-damping * frequency * dt),
    way = cis(turns * dt);
  const cosine = fade * way[0],
    sine = (fade * way[1]) / turns;
  const shift = damping * frequency * sine;
  return [cosine + shift, sine, -frequency * frequency * sine, cosine - shift];
};

// Return offsets and rates of both springs, lists of two lists, after a time step.
/** @type {(frequencies: number[], offset: number[][], rate: number[][], goal: number[][], dt: number) => number[][][]} */
export const advance = (frequencies, offset, rate, goal, dt) => {
  const found = [0, 1].map((i) =>
    stepped(coefficients(frequencies[i], [STIFF, SOFT][i][1], dt), offset[i], rate[i], goal[i]),
  );
  return [found.map(([there]) => there), found.map(([, speed]) => speed)];
};

// Return offsets and rates after a time step of springs whose goal is 0, given their frequency and damping.
/** @type {(spring: number[], offsets: number[], rates: number[], dt: number) => number[][]} */
export const oneStep = ([frequency, damping], offsets, rates, dt) =>
  stepped(
    coefficients(frequency, damping, dt),
    offsets,
    rates,
    offsets.map(() => 0),
  );

/** @type {(coefficients: number[], offsets: number[], rates: number[], goals: number[]) => number[][]} */
const stepped = ([a, b, c, d], offsets, rates, goals) => {
  const away = minus(offsets, goals);
  return [away.map((v, i) => goals[i] + a * v + b * rates[i]), away.map((v, i) => c * v + d * rates[i])];
};

// Return an offset that stays below a bound; a small one hardly changes. `size` is that of the vector
// of which it is a part.
/** @type {(offset: number, most: number, size?: number) => number} */
export const bounded = (offset, most, size = offset) => {
  const over = size / most;
  return offset / Math.sqrt(1 + over * over);
};
