// Terrains that are formulas: flat ground, a slope, steps, noise (terrain/landforms.py, creature/journey.py).

import { finite, refuse } from "./arguments.js";
import { COSINE, cis, exp, nearest, turned } from "./elementary.js";
import { between } from "./gait.js";
import { generator } from "./random.js";

/** @import { Terrain } from "./types.js" */

const WAVES = 24;
const SHORTEST = 0.6; // range of the wavelengths of noise, over the one given
const RANGE = 1.4271163556401458; // logarithm of the longest over the shortest
const FACE = 0.04; // fraction of the run of a step that its face takes

// Return a terrain, given its height and slopes at places, its formula, and whether it may have edges.
/** @type {(formula: any, hasEdges: boolean, height: (x: number, z: number) => number, slopes: (x: number, z: number) => number[]) => Terrain} */
const terrain = (formula, hasEdges, height, slopes) => ({
  hasEdges,
  height,
  slopes,
  normal: (x, z) => {
    const [a, b] = slopes(x, z),
      size = Math.sqrt(a * a + 1 + b * b);
    return [(0 - a) / size, 1 / size, (0 - b) / size];
  },
  formula: () => formula,
});

/** @type {(formula: any) => Terrain} */
const flat = (formula) =>
  terrain(
    formula,
    false,
    () => formula.level,
    () => [0, 0],
  );

/** @type {(formula: any) => Terrain} */
const slope = (formula) => {
  const [a, b] = formula.rise;
  return terrain(
    formula,
    false,
    (x, z) => a * x + b * z,
    () => [a, b],
  );
};

/** @type {(formula: any) => Terrain} */
const steps = (formula) => {
  const { rise, run, face } = formula;
  /** @type {(z: number) => number[]} */
  const onStairs = (z) => {
    const runs = z / run,
      step = Math.floor(runs);
    return [step, between((runs - step - 0.5) / face + 0.5, 0, 1)];
  };
  /** @type {(x: number, z: number) => number} */
  const height = (_, z) => {
    const [step, t] = onStairs(z);
    return rise * (step + t * t * (3 - 2 * t));
  };
  /** @type {(x: number, z: number) => number[]} */
  const slopes = (_, z) => {
    const t = onStairs(z)[1];
    return [0, (rise / (face * run)) * 6 * t * (1 - t)];
  };
  return terrain(formula, true, height, slopes);
};

/** @type {(formula: any) => Terrain} */
const noise = (formula) => {
  const { high, waves } = formula;
  // In turns, and halves of the angles.
  const turns = waves.map((/** @type {number[]} */ wave) => wave.map((part) => (0.5 * part) / Math.PI)).flat(),
    halves = waves.map((/** @type {number[]} */ wave) => wave.map((part) => 0.5 * part));
  /** @type {(x: number, z: number) => number} */
  const height = (x, z) => {
    let total = 0;
    for (let i = 0; i < turns.length; i += 3) {
      const turn = turns[i] * x + turns[i + 1] * z + turns[i + 2],
        rest = turn - nearest(turn),
        square = rest * rest;
      let cosine = COSINE[10];
      for (let power = 9; power >= 0; power--) cosine = cosine * square + COSINE[power];
      total += cosine;
    }
    return high * total;
  };
  /** @type {(x: number, z: number) => number[]} */
  const slopes = (x, z) => {
    let left = 0,
      ahead = 0;
    for (const [a, b, c] of halves) {
      const tangent = Math.tan(a * x + b * z + c),
        sine = tangent * (2 / (tangent * tangent + 1));
      left += a * sine;
      ahead += b * sine;
    }
    return [-2 * high * left, -2 * high * ahead];
  };
  return terrain(formula, false, height, slopes);
};

// The four nodes near a place along an axis, their weights and the derivatives of these; `place` is in
// units of the spacing. Nodes beyond the border are replaced by those of the border.
/** @type {(place: number, count: number) => { nodes: number[], weights: number[], slopes: number[] }} */
const four = (place, count) => {
  const clipped = between(place, -2, count + 1),
    cell = Math.floor(clipped),
    t = clipped - cell;
  return {
    nodes: [-1, 0, 1, 2].map((k) => between(cell + k, 0, count - 1)),
    weights: [
      0.5 * t * ((2 - t) * t - 1),
      0.5 * (t * t * (3 * t - 5) + 2),
      0.5 * t * ((4 - 3 * t) * t + 1),
      0.5 * t * t * (t - 1),
    ],
    slopes: [0.5 * ((4 - 3 * t) * t - 1), 0.5 * t * (9 * t - 10), 0.5 * ((8 - 9 * t) * t + 1), 0.5 * t * (3 * t - 2)],
  };
};

// An array of heights, interpolated by a bicubic Catmull-Rom spline: `HeightArray` of terrain/ground.py.
/** @type {(formula: { kind: string, heights: number[][], spacing: number, origin: number[] }) => Terrain} */
const array = (formula) => {
  const { heights, spacing, origin } = formula;
  /** @type {(x: number, z: number) => ReturnType<typeof four>[]} */
  const cells = (x, z) => [
    four((x - origin[0]) / spacing, heights[0].length),
    four((z - origin[1]) / spacing, heights.length),
  ];
  /** @type {(rows: number[], along: number[], columns: number[], across: number[]) => number} */
  const sum = (rows, along, columns, across) => {
    let total = 0;
    for (let i = 0; i < 4; i++) {
      let line = 0;
      for (let j = 0; j < 4; j++) line += across[j] * heights[rows[i]][columns[j]];
      total += along[i] * line;
    }
    return total;
  };
  /** @type {(x: number, z: number) => number} */
  const height = (x, z) => {
    const [column, row] = cells(x, z);
    return sum(row.nodes, row.weights, column.nodes, column.weights);
  };
  /** @type {(x: number, z: number) => number[]} */
  const slopes = (x, z) => {
    const [column, row] = cells(x, z);
    return [
      sum(row.nodes, row.weights, column.nodes, column.slopes) / spacing,
      sum(row.nodes, row.slopes, column.nodes, column.weights) / spacing,
    ];
  };
  // It has edges if it is steeper than 45 degrees between two neighbours.
  /** @type {(a: number, b: number) => boolean} */
  const isSteep = (a, b) => Math.abs(a - b) > spacing;
  const hasEdges = heights.some((row, i) =>
    row.some((v, j) => (j > 0 && isSteep(v, row[j - 1])) || (i > 0 && isSteep(v, heights[i - 1][j]))),
  );
  return terrain(formula, hasEdges, height, slopes);
};

/** @type {Record<string, (formula: any) => Terrain>} */
const KINDS = { flat, slope, steps, noise, array };

/**
 * Return the terrain of a formula, as `Terrain.formula` in Python gives it; a CreatureError if its kind is
 * unknown or a number is not finite.
 * @type {(formula: any) => Terrain}
 */
export const makeGround = (formula) => {
  const { kind, ...numbers } = formula;
  if (!Object.hasOwn(KINDS, kind)) refuse("kind", `be one of ${Object.keys(KINDS).join(", ")}`, kind);
  for (const [name, value] of Object.entries(numbers)) finite(name, value);
  return KINDS[kind](formula);
};

/**
 * Return a terrain whose features fit the size of an animal, as `make_terrain` in Python; a CreatureError
 * if a number is not finite.
 * @param {number | "flat" | "slope" | "steps"} kind a number is the roughness
 * @param {number} length of the animal's longest leg
 * @param {number} seed of rough ground
 */
export const makeTerrain = (kind, length, seed = 0) => {
  const [along, up] = turned(12 / 360);
  if (kind === "slope") return makeGround({ kind, rise: [0, up / along] });
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
  const lengths = fractions.map((part) => wavelength * SHORTEST * exp(RANGE * part));
  const directions = list(draw.random).map((part, i) => cis((Math.PI * (i + part)) / WAVES));
  const phases = list(() => draw.uniform(0, Math.PI));
  const waves = list((/** @type {number} */ i) => {
    const along = Math.PI / lengths[i];
    return [along * directions[i][1], along * directions[i][0], phases[i]].map((part) => 2 * part);
  });
  return { kind: "noise", high: rms * Math.sqrt(2 / WAVES), waves };
};
