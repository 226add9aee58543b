// Guesses of what BVH files do not state: which axis points up, and how long a unit is. The same as
// `motion/guesses.py`.
import { size } from "./rotations.js";
import { mean } from "./measures.js";
import { toWorld } from "./skeleton.js";

/** @typedef {import("./skeleton.js").Skeleton} Skeleton */
/** @typedef {import("./skeleton.js").Pose} Pose */

// The length of a leg in metres, of a person of 1.7 m; the last unit is that of the CMU files.
const LEG = 1.15,
  UNITS = [1, 0.1, 0.01, 0.001, 0.0254, 0.3048, 0.0254 / 0.45],
  NEAR = 1.35;
const FEET = ["foot", "ankle", "toe", "hoof", "paw"];

// The joints that are named as parts of feet.
/** @type {(skeleton: Skeleton) => number[]} */
const feetOf = ({ names }) =>
  names.flatMap((name, joint) => (FEET.some((word) => name.toLowerCase().includes(word)) ? joint : []));
// The length of the bones from the hips to each joint, and whether it is below them; of others, from their root.
/** @type {(skeleton: Skeleton) => { lengths: number[], isBelow: boolean[] }} */
const fromHips = (skeleton) => {
  const { parents, order, rest } = skeleton,
    hips = hipsOf(skeleton),
    lengths = parents.map(() => 0),
    isBelow = parents.map((_, joint) => joint === hips);
  for (const joint of order) {
    if (joint === hips || parents[joint] < 0) continue;
    lengths[joint] = lengths[parents[joint]] + size(rest.translations[joint]);
    isBelow[joint] = isBelow[parents[joint]];
  }
  return { lengths, isBelow };
};
// The first joint from the root down that has several children.
const hipsOf = (/** @type {Skeleton} */ { children, order }) => {
  let joint = order[0];
  while (children[joint].length === 1) [joint] = children[joint];
  return joint;
};
// The positions of all joints in some frames, without those that overflow.
/** @type {(skeleton: Skeleton, poses: Pose[]) => number[][][]} */
const positionsOf = (skeleton, poses) =>
  poses.map((pose) =>
    toWorld(skeleton, pose).positions.map((v) => v.map((part) => Math.max(-1e100, Math.min(1e100, part || 0)))),
  );

/** The axis along which the hips are above the feet, on average. @type {(skeleton: Skeleton, poses: Pose[]) => "y" | "z"} */
export const guessUp = (skeleton, poses) => {
  const hips = hipsOf(skeleton),
    feet = feetOf(skeleton);
  /** @type {(axis: number) => number} */
  const above = (axis) =>
    mean(
      positionsOf(skeleton, poses).map((at) => {
        const apart = at.map((v) => at[hips][axis] - v[axis]);
        return feet.length ? mean(feet.map((joint) => apart[joint])) : Math.max(...apart);
      }),
    );
  return above(2) > above(1) ? "z" : "y";
};
/** The length of a unit in metres, if the skeleton is that of a person of 1.7 m. @type {(skeleton: Skeleton, poses: Pose[], up: "y" | "z") => number} */
export const guessMetres = (skeleton, poses, up) => {
  const { lengths, isBelow } = fromHips(skeleton),
    feet = feetOf(skeleton).filter((joint) => isBelow[joint]);
  const lowestOf = () => {
    const axis = "xyz".indexOf(up),
      counts = skeleton.parents.map(() => 0);
    for (const at of positionsOf(skeleton, poses))
      counts[at.reduce((low, v, joint) => (v[axis] < at[low][axis] ? joint : low), 0)]++;
    return counts.indexOf(Math.max(...counts));
  };
  const leg = Math.max(...(feet.length ? feet : [lowestOf()]).map((joint) => lengths[joint]));
  if (!(leg > 1e-9 && leg < 1e9)) return 1;
  const metres = LEG / leg,
    apart = (/** @type {number} */ unit) => Math.abs(Math.log(unit / metres)),
    unit = UNITS.reduce((best, each) => (apart(each) < apart(best) ? each : best));
  return unit / metres > 1 / NEAR && unit / metres < NEAR ? unit : Number(metres.toPrecision(2));
};
