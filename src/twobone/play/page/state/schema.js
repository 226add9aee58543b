// The fields of the page's state: defaults and limits.
//
// Printed from play/schema.py by `python tools/generate.py`: do not edit.

/**
 * One of some words or numbers, or a number, a whole one or several between limits.
 * @typedef {object} Field
 * @property {any} default
 * @property {any[]} [choices]
 * @property {number} [least]
 * @property {number} [greatest]
 * @property {boolean} [isBelow] a number must be less than `greatest`, not equal
 * @property {boolean} [isWhole]
 * @property {number} [count] of numbers, 1 if it is not said
 */
/**
 * @typedef {object} Limb
 * @property {"plane" | "space" | "creature" | "character"} scene
 * @property {number[]} root
 * @property {number[]} target
 * @property {number[]} pole
 * @property {number} r1
 * @property {number} r2
 * @property {1 | -1} side
 * @property {"clamp" | "stretch" | "proportion" | "nan" | "raise"} policy
 * @property {number} limit of the policy "proportion"
 * @property {number} soft
 * @property {number} least joint angle in degrees
 * @property {number} greatest joint angle in degrees
 */

/**
 * @typedef {object} View
 * @property {number} yaw of the camera, in degrees
 * @property {number} pitch
 * @property {number} zoom
 * @property {number[]} at the view of the plane: its centre, and the length of its shorter side, 0 to fit
 * @property {"plane" | "space" | "break"} lesson
 * @property {number} step of the lesson; 0 if none is open
 * @property {0 | 1} present
 * @property {0 | 1} embed
 * @property {"" | "en" | "de"} language see texts.js; empty for the browser's
 * @property {0 | 1} shortcuts whether single keys are commands
 * @property {string} animal
 * @property {string} ground
 * @property {number} seed
 * @property {number} duty_factor
 * @property {number} liveliness
 * @property {number} leg that is looked at; 0 is none
 * @property {0 | 1} polygon
 * @property {0 | 1} paths
 * @property {0 | 1} triangles
 * @property {0 | 1} bones whether legs have the colours of first and second bones
 */

export const FINEST = 1e-09;
export const WIDEST = 100000000;

/** Of the limb in a scene, if they are not 2. @type {Record<string, number>} */
export const DIMENSIONS = { space: 3 };

/** @type {Record<string, Field>} */
export const LIMB = {
  scene: { default: "plane", choices: ["plane", "space", "creature", "character"] },
  root: { default: [0, 0, 0], least: -1000000, greatest: 1000000, count: 3 },
  target: { default: [0.75, 0.55, 0.35], least: -1000000, greatest: 1000000, count: 3 },
  pole: { default: [0, 1, 0], least: -1000000, greatest: 1000000, count: 3 },
  r1: { default: 0.8, least: 0, greatest: 1000000 },
  r2: { default: 0.6, least: 0, greatest: 1000000 },
  side: { default: 1, choices: [1, -1] },
  policy: { default: "clamp", choices: ["clamp", "stretch", "proportion", "nan", "raise"] },
  limit: { default: 1.2, least: 1, greatest: 1000000 },
  soft: { default: 0, least: 0, greatest: 1, isBelow: true },
  least: { default: 0, least: 0, greatest: 180 },
  greatest: { default: 180, least: 0, greatest: 180 },
};

/** @type {Record<string, Field>} */
export const VIEW = {
  yaw: { default: 35, least: -10000, greatest: 10000 },
  pitch: { default: 18, least: -89, greatest: 89 },
  zoom: { default: 1, least: 0.05, greatest: 50 },
  at: { default: [0, 0, 0], least: -100000000, greatest: 100000000, count: 3 },
  lesson: { default: "plane", choices: ["plane", "space", "break"] },
  step: { default: 0, choices: [0, 1, 2, 3, 4, 5, 6, 7] },
  present: { default: 0, choices: [0, 1] },
  embed: { default: 0, choices: [0, 1] },
  language: { default: "", choices: ["", "en", "de"] },
  shortcuts: { default: 1, choices: [0, 1] },
  animal: { default: "insect", choices: ["insect", "spider", "dog", "horse", "bird", "human", "crab", "centipede"] },
  ground: { default: "0.1", choices: ["flat", "0.05", "0.1", "0.15", "0.2", "0.25", "slope", "steps"] },
  seed: { default: 1, least: 0, greatest: 1000000, isWhole: true },
  duty_factor: { default: 0, choices: [0, 0.5, 0.6, 0.75, 0.85] },
  liveliness: { default: 1, choices: [0, 0.5, 1] },
  leg: { default: 0, least: 0, greatest: 64, isWhole: true },
  polygon: { default: 1, choices: [0, 1] },
  paths: { default: 0, choices: [0, 1] },
  triangles: { default: 0, choices: [0, 1] },
  bones: { default: 0, choices: [0, 1] },
};
