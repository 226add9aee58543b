// What the page computes of an animal from its entry in the table (play/animals_table.py).

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

/** The hips of an animal at rest, x, y and z in the space of its body. @param {Entry} entry @returns {number[][]} */
export const hipsOf = ({ anatomy }) =>
  anatomy.legs.map((/** @type {Leg} */ { aside, up, station }) => [aside, up, anatomy.along[station]]);

/** How far the farthest foot at rest is from the middle. @param {Entry} entry @returns {number} */
export const breadthOf = ({ anatomy }) =>
  Math.max(
    ...anatomy.legs.map((/** @type {Leg} */ { footAside, footAhead, station }) =>
      Math.hypot(footAside, anatomy.along[station] + footAhead),
    ),
  );

/** The speeds of an animal: of an easy walk, and the highest here. @param {Entry} entry @param {Anatomy} anatomy */
export const speedsOf = ({ pace }, { topSpeed }) => ({
  easy: Math.min(pace, topSpeed),
  brisk: Math.min(BRISK * pace, topSpeed),
});
