// The solver in JavaScript: arguments, and policies folded into one. The formulas are printed from
// those of Python (solver/*.js), so every result equals that of `twobone.reach` bit for bit. The only
// exception: the sines of limits given in degrees may differ in their last bit between browsers.
//
//     twobone.reach([1, 1], 1, 1)                            a target in the plane
//     twobone.reach([1, 1, 0], 1, 1, {pole: [0, 1, 0]})      in space
//     twobone.reach([3, 0], 1, 1, {side: -1, unreachable: {limits: [0, 150], soft: 0.1}})
import * as answer from "./solver/answer.js";
import * as easing from "./solver/easing.js";
import { split, twoSquare, twoSum } from "./solver/exact.js";
import { farthest, fitTarget } from "./solver/fitting.js";

/** @typedef {import("./solver/answer.js").Answer} Answer */
/** @typedef {import("./solver/answer.js").Targets} Targets */
/** @typedef {import("./solver/easing.js").HalfAngle} HalfAngle */
/** @typedef {import("./solver/easing.js").Named} Named */
/** @typedef {import("./solver/fitting.js").Fit} Fit */
/** @typedef {(fit: Fit) => Fit} Step */

const STATUS = ["REACHED", "TOO_FAR", "TOO_NEAR", "AMBIGUOUS", "INVALID"];

/** @type {Record<string, Named>} */
const NAMED = {
  clamp: answer.CLAMP,
  stretch: { ...answer.CLAMP, word: "stretch", gives: true },
  nan: { ...answer.CLAMP, word: "nan", signals: true },
  raise: { ...answer.CLAMP, word: "raise", raises: true },
};

// Return the policy that `unreachable` describes: a name, or an object of limits, soft and stretch,
// which are steps.
/** @type {(unreachable: any) => { named: Named, steps: Step[] }} */
const resolve = (unreachable) => {
  if (typeof unreachable === "string" && Object.hasOwn(NAMED, unreachable))
    return { named: NAMED[unreachable], steps: [] };
  if (typeof unreachable !== "object") throw new RangeError(`No policy "${unreachable}".`);
  const { limits = null, soft = null, stretch = null } = unreachable || {};
  /** @type {Step[]} */
  const steps = [];
  if (limits !== null) steps.push(limitsOf(limits));
  if (soft !== null) steps.push(softOf(soft));
  if (stretch !== null) steps.push(stretchOf(stretch));
  return { named: NAMED.clamp, steps };
};

// Return the squared sine and cosine of half a joint angle.
/** @type {(degrees: number) => HalfAngle} */
const halfAngle = (degrees) => ({ sin2: sin2Half(degrees), cos2: sin2Half(180 - degrees) });

// Return sin^2(angle / 2), exactly 1/2 for a right angle.
/** @type {(degrees: number) => number} */
const sin2Half = (degrees) => {
  const sine = Math.sin((degrees * (Math.PI / 180)) / 2);
  return degrees === 90 ? 0.5 : sine * sine;
};

// `limits` is [least, greatest] in degrees, or {least, greatest} as `halfAngle` returns them.
/** @type {(limits: any) => Step} */
const limitsOf = (limits) => {
  if (Array.isArray(limits)) {
    const [low, high] = limits;
    if (!(0 <= low && low <= high && high <= 180))
      throw new RangeError("Limits: wanted 0 <= least <= greatest <= 180.");
    limits = { least: halfAngle(low), greatest: halfAngle(high) };
  }
  return (fit) => easing.narrow(fit, limits.least, limits.greatest);
};

/** @type {(softness: number) => Step} */
const softOf = (softness) => {
  if (!(0 < softness && softness < 1)) throw new RangeError("Soft: wanted between 0 and 1.");
  return (fit) => easing.soft(fit, softness);
};

/** @type {(limit: number) => Step} */
const stretchOf = (limit) => {
  if (!(limit >= 1)) throw new RangeError("Stretch: wanted at least 1.");
  return (fit) => easing.stretch(fit, limit, limit === Infinity ? Infinity : farthest());
};

// Solve any limb with any policy.
/** @type {(targets: Targets, policy: { named: Named, steps: Step[] }) => Answer} */
const any = (targets, { named, steps }) => {
  const { answer: plain, targets: sound, valid, scaled } = answer.plain(targets, named);
  if (!steps.length || !valid) return answer.marked(valid, plain);
  const chosen = steps.reduce((fit, step) => step(fit), fitTarget(scaled));
  return answer.fitted(scaled, chosen, sound.p, plain);
};

// Solve a limb: return the joint, the end and the status, an index of STATUS. Unreachable targets
// and invalid values do not throw; wrong shapes and policies do. "raise" is treated as "clamp",
// and the caller checks the status.
/** @type {(target: Iterable<number>, r1: number, r2: number, options?: { side?: number, pole?: any, unreachable?: any }) => Answer} */
const reach = (target, r1, r2, { side = 1, pole = null, unreachable = "clamp" } = {}) => {
  const p = Array.from(target, Number),
    policy = resolve(unreachable);
  const towards = pole ? Array.from(pole, Number) : [];
  if (p.length !== 2 && p.length !== 3) throw new RangeError("target: wanted 2 or 3 numbers.");
  if ((pole ? towards.length : 2) !== p.length)
    throw new RangeError("pole: wanted 3 numbers in space, none in the plane.");
  const targets = { p, r1: Number(r1), r2: Number(r2), side: Number(side), pole: towards };
  if (!policy.steps.length && answer.isEasy(targets)) {
    const [found, isAlong] = answer.easy(targets, policy.named);
    if (!isAlong) return found;
  }
  return any(targets, policy);
};

export const twobone = { reach, halfAngle, STATUS, exact: { twoSum, twoSquare, split } };
