// Candidates for limbs: of each branch of a skeleton, the two bones that are most like a limb. The same as
// `motion/candidates.py`.
import { bones, distance, findChains } from "./branches.js";
import { conjugate, minus, rotate, size } from "./rotations.js";
import { median, most, percentile } from "./measures.js";
import { below, pathTo } from "./skeleton.js";

/** @typedef {import("./branches.js").Motion} Motion */
/** @typedef {import("./names.js").Meaning} Meaning */
/** @typedef {import("./names.js").Kind} Kind */
/** @typedef {import("./skeleton.js").Skeleton} Skeleton */
/** @typedef {import("./skeleton.js").World} World */
/** @typedef {{ start: number, mid: number, end: number, chain: number[], isDetached: boolean, roles: number, said: Meaning, lengths: [number, number], size: number, trunk: number }} Candidate */

const RATIO = 4, NEAR_SHIN = 0.4;
/** @type {[Kind, string[]][]} */
const HUMAN_BONES = [["leg", ["UpperLeg", "LowerLeg", "Foot", "Toes"]], ["arm", ["UpperArm", "LowerArm", "Hand"]]];

/** At most one limb for each branch of the skeleton. @type {(skeleton: Skeleton, motion: Motion, says: Meaning[]) => Candidate[]} */
export const fromBranches = (skeleton, motion, says) => {
  const { parents } = skeleton, named = new Set(says.flatMap((said, joint) => (said.role ? joint : [])));
  const chains = findChains(skeleton, motion).map((chain) => bones(chain, motion, named));
  const limbs = chains.map((joints) => attached(joints, motion, says));
  const isFree = parents.map(() => true); // of joints that no chain with a limb has
  chains.forEach((joints, i) => joints.forEach((joint) => (isFree[joint] = !limbs[i].length)));
  /** @type {Candidate[]} */
  const found = [];
  chains.forEach((joints, i) => {
    const elsewhere = parents.map(() => true);
    for (const joint of [...below(skeleton, joints[0]), ...pathTo(skeleton, joints[0])]) elsewhere[joint] = false;
    const foot = withNamedFoot(joints, motion, says, elsewhere.map((each, joint) => each && isFree[joint]), parents);
    let limb = bestOf([...limbs[i], ...(foot ? [foot] : [])]);
    if (limb && limb.end === joints.at(-1) && says[limb.end].role !== "end") limb = withFootAtEnd(limb, motion, says, elsewhere, parents);
    if (limb && ![limb.start, limb.mid].some((joint) => says[joint].isOther)) found.push({ ...limb, trunk: parents[joints[0]] });
  });
  const feet = new Set(found.flatMap(({ isDetached, end }) => (isDetached ? end : [])));
  return found.filter(({ start }) => !feet.has(start));
};

/** A limb of three joints, or null if its bones are too short or too different. @returns {Candidate | null} */
const limbFrom = (/** @type {number[]} */ [start, mid, end], /** @type {number[]} */ chain, /** @type {Motion} */ motion, /** @type {Meaning[]} */ says, isDetached = false) => {
  const first = median(distance(motion, start, mid)), second = median(distance(motion, mid, end));
  if (!(Math.max(first, second) > 0 && Math.max(first, second) <= RATIO * Math.min(first, second))) return null;
  const own = [start, mid, end].map((joint) => says[joint]), kind = most(own.map((said) => said.kind));
  const said = {
    side: most([...chain, end].map((joint) => says[joint].side)),
    place: most([...chain, end].map((joint) => says[joint].place)),
    kind, role: null, isOther: false, words: says[start].words,
  };
  return { start, mid, end, chain, isDetached, roles: rolesOf(own, kind), said, lengths: [first, second], size: first + second, trunk: -1 };
};
/** @type {(joints: number[], motion: Motion, says: Meaning[]) => Candidate[]} */
const attached = (joints, motion, says) => joints.slice(2).flatMap((end, i) => limbFrom([joints[i], joints[i + 1], end], joints, motion, says) ?? []);

// How many of three joints are named after their role. "Leg" is a shin after an "UpLeg", and "arm" or
// "shoulder" an upper arm before a forearm.
const rolesOf = (/** @type {Meaning[]} */ own, /** @type {Kind | null} */ kind) => {
  const [start, mid, end] = own.map((said) => (said.kind === kind ? said.role : "other"));
  const isStart = start === "start" || (start === null && mid === "mid"), isMid = mid === "mid" || (mid === null && start === "start");
  return kind === null ? 0 : Number(isStart) + Number(isMid) + Number(end === "end");
};
/** The limb that is named as one, or else of the two longest successive bones. @type {(limbs: Candidate[]) => Candidate | null} */
const bestOf = (limbs) => {
  const longest = Math.max(0, ...limbs.map((limb) => limb.size)), worth = (/** @type {Candidate} */ limb) => limb.roles + limb.size / longest;
  return limbs.reduce((/** @type {Candidate | null} */ best, limb) => (best === null || worth(limb) > worth(best) ? limb : best), null);
};

// A limb with the detached foot that stays near its end, or the limb itself.
/** @type {(limb: Candidate, motion: Motion, says: Meaning[], others: boolean[], parents: number[]) => Candidate} */
const withFootAtEnd = (limb, motion, says, others, parents) => {
  const foot = nearest(motion, ({ positions }, joint) => minus(positions[joint], positions[limb.end]), null, others, NEAR_SHIN * limb.lengths[1]);
  if (foot === null) return limb;
  const chain = [...limb.chain.slice(0, limb.chain.indexOf(limb.end)), ...down(foot, parents)];
  return limbFrom([limb.start, limb.mid, foot], chain, motion, says, true) ?? limb;
};
// The limb whose shin is the tip of a chain, and whose foot is a joint elsewhere: one that is named as
// part of the same leg and stays in place in the space of the shin.
/** @type {(joints: number[], motion: Motion, says: Meaning[], others: boolean[], parents: number[]) => Candidate | null} */
const withNamedFoot = (joints, motion, says, others, parents) => {
  if (joints.length < 2) return null;
  const [start, mid] = joints.slice(-2), own = says[mid];
  if (own.kind !== "leg") return null;
  const allowed = others.map((free, joint) => free && says[joint].kind === "leg" && !says[joint].isOther && says[joint].side === own.side && says[joint].place === own.place);
  if (!allowed.includes(true)) return null;
  const inShin = (/** @type {World} */ { positions, rotations }, /** @type {number} */ joint) => rotate(conjugate(rotations[mid]), minus(positions[joint], positions[mid]));
  const middle = (/** @type {number} */ joint) => [0, 1, 2].map((axis) => median(motion.frames.map((frame) => inShin(frame, joint)[axis])));
  const foot = nearest(motion, inShin, middle, allowed, NEAR_SHIN * median(distance(motion, start, mid)));
  return foot === null ? null : limbFrom([start, mid, foot], [...joints, ...down(foot, parents)], motion, says, true);
};
// The allowed joint with the smallest distances from a middle, if they are mostly small.
/** @type {(motion: Motion, apart: (frame: World, joint: number) => number[], middleOf: ((joint: number) => number[]) | null, allowed: boolean[], farthest: number) => number | null} */
const nearest = (motion, apart, middleOf, allowed, farthest) => {
  /** @type {number | null} */
  let found = null;
  let least = Infinity;
  allowed.forEach((isAllowed, joint) => {
    if (!isAllowed) return;
    const middle = middleOf?.(joint) ?? [0, 0, 0], away = percentile(motion.frames.map((frame) => size(minus(apart(frame, joint), middle))), 75);
    if (away < least) [found, least] = [joint, away];
  });
  return least <= farthest ? found : null;
};
// A joint and its first child, the first child of that, and so on.
/** @type {(joint: number, parents: number[]) => number[]} */
const down = (joint, parents) => {
  const chain = [joint];
  for (let next = parents.indexOf(joint); next >= 0; next = parents.indexOf(next)) chain.push(next);
  return chain;
};

/** The limbs that a VRM file names. @type {(humanBones: Record<string, number>, motion: Motion, count: number) => Candidate[]} */
export const fromHumanBones = (humanBones, motion, count) =>
  /** @type {const} */ (["left", "right"]).flatMap((side) =>
    HUMAN_BONES.flatMap(([kind, parts]) => {
      const [start, mid, end, toe] = parts.map((part) => humanBones[side + part]);
      if ([start, mid, end].includes(/** @type {any} */ (undefined))) return [];
      const said = { side, place: null, kind, role: null, isOther: false, words: "" };
      return limbFrom([start, mid, end], [start, mid, end, ...(toe === undefined ? [] : [toe])], motion, Array(count).fill(said)) ?? [];
    }),
  );
