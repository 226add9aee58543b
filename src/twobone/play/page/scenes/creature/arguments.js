// Validation of arguments: finite numbers, as terrain/arguments.py, with the same messages.

const FARTHEST = 1e9; // maximum absolute value of numbers, so that squares and sums stay finite

/** An argument of a walker or a terrain is invalid, or a walker cannot stand where it was put. */
export class CreatureError extends Error {}

/** @type {(name: string, wanted: string, came: unknown) => never} */
export const refuse = (name, wanted, came) => {
  throw new CreatureError(`\`${name}\` must ${wanted}, got ${came}.`);
};

/**
 * Return the numbers of an argument, one or an array of them; a CreatureError if any is not finite or
 * beyond +-1e9, or if there are others than `count`.
 * @param {string} name
 * @param {any} value
 * @param {number} [count]
 * @returns {number[]}
 */
export const finite = (name, value, count) => {
  const found = Array.isArray(value) ? value.flat(2) : [value];
  const odd = found.find((each) => typeof each !== "number");
  if (odd !== undefined || found.includes(undefined)) refuse(name, "be numbers", odd === null ? "null" : typeof odd);
  if (!found.every(Number.isFinite)) refuse(name, "be finite", "NaN or infinity");
  const largest = found.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  if (largest > FARTHEST) refuse(name, "be at most 1e+09", String(largest));
  if (count !== undefined && (Array.isArray(value) ? found.length : 1) !== count)
    refuse(name, `be ${count === 1 ? "a number" : `${count} numbers`}`, String(found.length));
  return found;
};
