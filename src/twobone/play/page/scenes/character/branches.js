// Chains of joints that could be limbs: branches of a skeleton, their bones and how these move. The same
// as `motion/branches.py`.
import { cross, dot, minus, size } from "./rotations.js";
import { median, range } from "./measures.js";

/** @typedef {import("./skeleton.js").World} World */
/** @typedef {import("./skeleton.js").Skeleton} Skeleton */
/** @typedef {{ frames: World[], clearance: number[][] }} Motion some frames of a clip, y up */

export const FRAMES = 120,
  FARTHEST = 1e60; // frames that are looked at; joints beyond leave a frame out
const LIMB = 0.4,
  HAND = 0.1,
  THICK = 0.5,
  SHORT = 0.06,
  STRAIGHT = 8,
  BENT = 15;

/** Some frames as a motion, without those that have invalid joints. @type {(frames: World[]) => Motion} */
export const motionOf = (frames) => {
  const sound = frames.filter(
    ({ positions, rotations }) =>
      positions.every((v) => v.every((part) => Math.abs(part) < FARTHEST)) &&
      rotations.every((q) => q.every(Number.isFinite)),
  );
  return { frames: sound, clearance: clearanceOf(sound, null) };
};
/** The heights of joints above the lowest of some of them, or of all. @type {(frames: World[], joints: number[] | null) => number[][]} */
export const clearanceOf = (frames, joints) =>
  frames.map(({ positions }) => {
    let lowest = Infinity;
    for (const joint of joints ?? positions.keys()) lowest = Math.min(lowest, positions[joint][1]);
    return positions.map(([, y]) => y - lowest);
  });

/** The distance between two joints in each frame. @type {(motion: Motion, a: number, b: number) => number[]} */
export const distance = ({ frames }, a, b) => frames.map(({ positions }) => size(minus(positions[a], positions[b])));
/** The joint angle at mid in each frame, in degrees; 180 is straight. @type {(motion: Motion, start: number, mid: number, end: number) => number[]} */
const bending = ({ frames }, start, mid, end) =>
  frames.map(({ positions }) => {
    const first = minus(positions[start], positions[mid]),
      second = minus(positions[end], positions[mid]);
    return (Math.atan2(size(cross(first, second)), dot(first, second)) * 180) / Math.PI;
  });

/** The branches that could be limbs, each from its first joint to its tip. @type {(skeleton: Skeleton, motion: Motion) => number[][]} */
export const findChains = ({ parents, order }, motion) => {
  const length = parents.map((parent, joint) => (parent < 0 ? 0 : median(distance(motion, joint, parent))));
  /** @type {number[][]} */
  const branches = parents.map(() => []);
  const extent = parents.map(() => 0),
    second = parents.map(() => 0);
  for (const joint of order.toReversed()) {
    const own = branches[joint].sort((a, b) => length[b] + extent[b] - (length[a] + extent[a]));
    if (own.length) extent[joint] = length[own[0]] + extent[own[0]];
    // The bones to the branches are not counted: those to controls may have any length.
    second[joint] = [0, 0, ...own.map((child) => extent[child])].sort((a, b) => a - b).at(-2) ?? 0;
    if (parents[joint] >= 0) branches[parents[joint]].push(joint);
  }
  const trunk = trunkOf(parents, order, length, second),
    chains = [];
  for (const joint of order)
    if (!trunk.has(joint) && (parents[joint] < 0 || trunk.has(parents[joint]))) {
      const chain = [joint];
      for (let next = branches[joint][0]; next !== undefined; next = branches[next][0]) chain.push(next);
      chains.push(chain);
    }
  return chains;
};
// The joints where branches of the size of limbs divide, and all their ancestors.
/** @type {(parents: number[], order: number[], length: number[], second: number[]) => Set<number>} */
const trunkOf = (parents, order, length, second) => {
  const largest = Math.max(...second),
    before = parents.map(() => 0);
  /** @type {Set<number>} */
  const trunk = new Set();
  for (let joint of order) {
    if (parents[joint] >= 0) before[joint] = before[parents[joint]] + length[joint];
    if (second[joint] > LIMB * largest || (second[joint] > HAND * largest && second[joint] > THICK * before[joint])) {
      before[joint] = 0;
      for (; joint >= 0 && !trunk.has(joint); joint = parents[joint]) trunk.add(joint);
    }
  }
  return trunk;
};

/** The joints of a chain at which bones meet, and its tip; those in `ends` are named as wrists and ankles. @type {(chain: number[], motion: Motion, named: Set<number>, ends: Set<number>) => number[]} */
export const bones = (chain, motion, named, ends) => {
  const sizes = chain.slice(1).map((joint, i) => median(distance(motion, chain[i], joint))),
    least = SHORT * Math.max(0, ...sizes);
  let kept = chain.slice(0, 1);
  sizes.forEach((each, i) => {
    const joint = chain[i + 1],
      last = kept.length - 1;
    if (each > least) kept.push(joint);
    else if (named.has(joint) && !named.has(kept[last])) kept[last] = joint;
  });
  const angles = kept.slice(2).map((end, i) => bending(motion, kept[i], kept[i + 1], end));
  if (Math.max(0, ...angles.map(range)) > BENT) {
    const rigid = new Set(angles.flatMap((angle, i) => (Math.min(...angle) > 180 - STRAIGHT ? kept[i + 1] : [])));
    kept = kept.filter((joint) => !rigid.has(joint) || ends.has(joint));
  }
  return kept;
};
