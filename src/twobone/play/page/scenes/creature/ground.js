// Terrains that are formulas: flat ground, a slope, steps, noise, an array (terrain/ground.py).

import { gridHeight, noiseHeight, slopeHeight, stepsHeight } from "../../stepping/heights.js";
import { exponential, turn } from "../../stepping/transcendental.js";
import { finite, refuse } from "./arguments.js";
import { generator } from "./random.js";

/**
 * @typedef {object} Terrain
 * @property {(x: number, z: number) => number} height
 * @property {any} formula its numbers, as `Terrain.formula` in Python
 */

const WAVES = 24;
const SHORTEST = 0.6; // range of the wavelengths of noise, over the one given
const RANGE = 1.4271163556401458; // logarithm of the longest over the shortest
const FACE = 0.04; // fraction of the run of a step that its face takes
const UP = 12; // degrees of a slope

/** @type {Record<string, (formula: any) => Terrain["height"]>} */
const KINDS = {
  flat:
    ({ level }) =>
    () =>
      level,
  slope:
    ({ rise: [alongX, alongZ] }) =>
    (x, z) =>
      slopeHeight(alongX, alongZ, x, z),
  steps:
    ({ rise, run, face }) =>
    (_, z) =>
      stepsHeight(rise, run, face, z),
  noise: ({ high, waves }) => {
    const inTurns = waves.map((/** @type {number[]} */ wave) => {
      const [alongX, alongZ, phase] = wave.map((part) => (0.5 * part) / Math.PI);
      return { alongX, alongZ, phase };
    });
    return (x, z) => noiseHeight(inTurns, high, x, z);
  },
  array: ({ heights, spacing, origin }) => {
    const grid = { heights, spacing, x: origin[0], z: origin[1] };
    return (x, z) => gridHeight(grid, x, z);
  },
};

/**
 * Return the terrain of a formula, as `Terrain.formula` in Python gives it; a CreatureError if its kind is
 * unknown or a number is not finite.
 * @param {any} formula
 * @returns {Terrain}
 */
export const makeGround = (formula) => {
  const { kind, ...numbers } = formula;
  if (!Object.hasOwn(KINDS, kind)) refuse("kind", `be one of ${Object.keys(KINDS).join(", ")}`, kind);
  for (const [name, value] of Object.entries(numbers)) finite(name, value);
  return { height: KINDS[kind](formula), formula };
};

/**
 * Return a terrain whose features fit the size of an animal, as `make_terrain` in Python; a CreatureError
 * if a number is not finite.
 * @param {number | "flat" | "slope" | "steps"} kind a number is the roughness
 * @param {number} length of the animal's longest leg
 * @param {number} seed of rough ground
 */
export const makeTerrain = (kind, length, seed = 0) => {
  const up = turn(UP * (Math.PI / 180));
  if (kind === "slope") return makeGround({ kind, rise: [0, up.s / up.c] });
  if (kind === "steps") return makeGround({ kind, rise: 0.15 * length, run: 1.2 * length, face: FACE });
  if (kind === "flat" || kind === 0) return makeGround({ kind: "flat", level: 0 });
  return makeGround(noiseOf(kind * length, 2 * length, seed));
};

/**
 * Return the formula of smooth rough ground, as `Noise` in Python.
 * @param {number} rms root mean square of the height
 * @param {number} wavelength approximate distance from hill to hill
 * @param {number} seed
 */
export const noiseOf = (rms, wavelength, seed) => {
  finite("rms", rms, 1);
  if (!Number.isInteger(seed) || seed < 0) refuse("seed", seed < 0 ? "be at least 0" : "be a whole number", seed);
  const draw = generator(seed),
    list = (/** @type {(i: number) => any} */ value) => Array.from({ length: WAVES }, (_, i) => value(i));
  const order = draw.permutation(WAVES),
    fractions = list(draw.random).map((part, i) => (order[i] + part) / WAVES);
  const lengths = fractions.map((part) => wavelength * SHORTEST * exponential(RANGE * part));
  const directions = list(draw.random).map((part, i) => turn((Math.PI * (i + part)) / WAVES));
  const phases = list(() => draw.uniform(0, Math.PI));
  const waves = list((/** @type {number} */ i) => {
    const along = Math.PI / lengths[i];
    return [along * directions[i].s, along * directions[i].c, phases[i]].map((part) => 2 * part);
  });
  return { kind: "noise", high: rms * Math.sqrt(2 / WAVES), waves };
};
