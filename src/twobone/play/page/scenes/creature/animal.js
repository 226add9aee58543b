// What the page computes of an animal from its entry in the table (play/animals_table.py).

import { QUICK, SLOW } from "../../stepping/pose.js";

/** @import { Anatomy, Leg, Manner } from "../../stepping/anatomy.js" */

/** An entry of the table. @typedef {any} Entry */

const BRISK = 2; // of walking speed: how fast an animal goes at most here, so that the eye follows it; taste

/**
 * The anatomy of an entry with a duty factor and a share of its manner.
 * @param {Entry} entry
 * @param {number} dutyFactor one of those of `limits`; 0 is the animal's own
 * @param {number} liveliness from 0 to 1
 * @returns {Anatomy}
 */
export const anatomyOf = ({ anatomy, limits }, dutyFactor, liveliness) => ({
  ...anatomy,
  gaits: dutyFactor
    ? anatomy.gaits.map((/** @type {object} */ gait) => ({ ...gait, dutyLow: dutyFactor, dutyHigh: dutyFactor }))
    : anatomy.gaits,
  ...limits[dutyFactor],
  manner: /** @type {Manner} */ (
    Object.fromEntries(Object.entries(anatomy.manner).map(([name, value]) => [name, liveliness * Number(value)]))
  ),
});

/**
 * How the middle of an animal moves that stands, as it breathes and shifts its weight (`breathed` and `shifted`): its
 * speed at most, and how far it goes at most. Both are 0 for one that does neither.
 * @param {Anatomy} anatomy
 */
export const restOf = ({ hip, manner: { breath, breathes, shift } }) => ({
  speed: Math.PI * breathes * hip * (breath + (SLOW + QUICK) * shift),
  way: hip * (breath + shift),
});

/** The hips of an animal at rest, x, y and z in the space of its body. @param {Entry} entry @returns {number[][]} */
export const hipsOf = ({ anatomy }) =>
  anatomy.legs.map((/** @type {Leg} */ { aside, up, station }) => [aside, up, anatomy.along[station]]);

const PITCH = (18 * Math.PI) / 180; // for which the distance is chosen

/** Half the diagonal of the ground that an animal covers. @param {Entry} entry @returns {number} */
export const reachOf = ({ box }) => Math.hypot(box.half[0], box.half[2]);

/**
 * The distance from which an animal takes a part of a picture, on average over all directions.
 * @param {Entry} entry
 * @param {number[]} part width and height, over the focal length
 * @returns {number}
 */
export const distanceOf = ({ box }, [width, height]) => {
  const [a, high, c] = box.half,
    wide = (2 / Math.PI) * (a + c), // the mean of half the width
    deep = Math.max(a, c),
    [cos, sin] = [Math.cos(PITCH), Math.sin(PITCH)];
  // The nearest feet are lowest in the picture; its sides are where rays touch a circle around the middle.
  const low = (2 * (high * cos + deep * sin)) / height + deep * cos - high * sin;
  return Math.max(low, Math.hypot(wide, (2 * wide) / width));
};

/** The speeds of an animal: of an easy walk, and the highest here. @param {Entry} entry @param {Anatomy} anatomy */
export const speedsOf = ({ pace }, { topSpeed }) => ({
  easy: Math.min(pace, topSpeed),
  brisk: Math.min(BRISK * pace, topSpeed),
});
