// Straight lines along a trunk: the nearest to some heights, and the lowest over them.
//
// Printed from creature/stepping/lines.py by `python tools/generate.py`: do not edit.

import { HUGE, clamp, larger, mix, smaller } from "./numbers.js";

/** @typedef {import("./anatomy.js").Anatomy} Anatomy */

/**
 * Heights along a trunk that is straight.
 * @typedef {object} Line
 * @property {number} middle
 * @property {number} slope
 */

/**
 * Return the line that is nearest to the heights of stations, by least squares.
 * @param {Anatomy} animal
 * @param {number[]} heights
 * @returns {Line}
 */
export function fit(animal, heights) {
  const count = heights.length;
  let mean = 0;
  for (let k = 0; k < count; k++) {
    mean += heights[k] / count;
  }
  let products = 0;
  let squares = 0;
  for (let k = 0; k < count; k++) {
    const arm = animal.along[k] - animal.middle;
    products += (heights[k] - mean) * arm;
    squares += arm * arm;
  }
  return { middle: mean, slope: squares > 0 ? products / squares : 0 };
}

/**
 * Return the line over the heights of stations that is lowest in the middle of the trunk.
 *
 * Of all these lines it is the most level one.
 * @param {Anatomy} animal
 * @param {number[]} heights
 * @returns {Line}
 */
export function lineOver(animal, heights) {
  const count = heights.length;
  let middle = -HUGE;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) {
      const back = animal.middle - animal.along[i];
      const fore = animal.along[j] - animal.middle;
      if (back >= 0 && fore >= 0) {
        const part = back > 0 ? back / (back + fore) : 0;
        middle = larger(middle, mix(heights[i], heights[j], part));
      }
    }
  }
  let least = -HUGE;
  let most = HUGE;
  for (let k = 0; k < count; k++) {
    const arm = animal.along[k] - animal.middle;
    if (arm > 0) {
      least = larger(least, (heights[k] - middle) / arm);
    } else if (arm < 0) {
      most = smaller(most, (heights[k] - middle) / arm);
    }
  }
  return { middle, slope: clamp(0, least, most) };
}
