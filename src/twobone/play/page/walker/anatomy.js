// Animals and their geometry, from the table that Python makes (play/animals_table.py).

import { plus, rotated } from "./footing.js";
import { Gait } from "./gait.js";
import { frequenciesOf } from "./springs.js";

/** @import { Anatomy, Animal, Place } from "./types.js" */

/**
 * Return the animal of an entry of the table.
 * @returns {Animal}
 */
/** @type {(entry: any) => any} */
export const animalOf = (entry) => ({ ...entry, gait: new Gait(entry.gait) });

/**
 * Return the animal with another duty factor: one, or those at rest and at full speed.
 * @param {Animal} animal
 * @param {number | number[]} dutyFactor
 */
export const withDutyFactor = (animal, dutyFactor) => ({ ...animal, gait: animal.gait.withDutyFactor(dutyFactor) });

/**
 * Return the geometry of an animal: that of the table, with what follows from the gait.
 * @param {Animal} animal
 * @returns {Anatomy}
 */
export const anatomyOf = ({ anatomy, gait, speed }) => {
  const { length, footholds } = anatomy,
    pairs = footholds.length / 2;
  return {
    ...anatomy,
    stride: gait.stride * length,
    pairs,
    steepness: gait.steepness(pairs),
    balances: pairs === 2 && gait.balance === "static" && gait.sway.some(Boolean),
    spaced: !gait.neighboursSwingTogether(pairs),
    gains: { ...anatomy.gains, frequencies: frequenciesOf(gait, speed, length) },
  };
};

/**
 * Return the nominal footholds of a body at a place with a facing.
 * @param {Anatomy} anatomy
 * @param {Place} place
 * @param {Place} facing
 */
export const footholdsAt = ({ footholds }, place, facing) =>
  footholds.map((foothold) => plus(place, rotated(facing, foothold)));
