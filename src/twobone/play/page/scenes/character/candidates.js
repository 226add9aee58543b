// Candidates for limbs: of each branch of a skeleton, the two bones that are most like a limb. The same as
// `motion/candidates.py`.
import { bones, distance, findChains } from "./branches.js";
import { conjugate, minus, rotate, size } from "./rotations.js";
import { counted, median, most, mostOf, percentile } from "./measures.js";
import { pathTo } from "./skeleton.js";

/** @typedef {import("./branches.js").Motion} Motion */
/** @typedef {import("./names.js").Meaning} Meaning */
/** @typedef {import("./names.js").Kind} Kind */
/** @typedef {import("./skeleton.js").Skeleton} Skeleton */
/** @typedef {import("./skeleton.js").World} World */
/** @typedef {{ start: number, mid: number, end: number, chain: number[], isDetached: boolean, roles: number, said: Meaning, lengths: [number, number], size: number, trunk: number }} Candidate */

const RATIO = 4,
  NEAR_SHIN = 0.4,
  MOSTLY = 75,
  MOST_LIMBS = 200;
/** @type {[Kind, string[]][]} */
const HUMAN_BONES = [
  ["leg", ["UpperLeg", "LowerLeg", "Foot", "Toes"]],
  ["arm", ["UpperArm", "LowerArm", "Hand"]],
];

/** At most one limb for each branch of the skeleton. @type {(skeleton: Skeleton, motion: Motion, says: Meaning[]) => Candidate[]} */
export const fromBranches = (skeleton, motion, says) => {
  const { parents } = skeleton,
    named = new Set(says.flatMap((said, joint) => (said.role ? joint : []))),
    ends = new Set(says.flatMap((said, joint) => (said.role === "end" && !said.isOther ? joint : [])));
  const chains = findChains(skeleton, motion).map((chain) => bones(chain, motion, named, ends));
  const limbs = chains.map((joints) => attached(joints, motion, says));
  const isFree = parents.map(() => true); // of joints that no chain with a limb has
  chains.forEach((joints, i) => joints.forEach((joint) => (isFree[joint] = !limbs[i].length)));
  /** @type {Map<string, number[]>} */
  const legs = new Map(); // joints that are named as parts of legs, by side and place
  says.forEach((said, joint) => {
    if (said.kind === "leg" && !said.isOther)
      legs
        .set(legOf(said), legs.get(legOf(said)) ?? [])
        .get(legOf(said))
        ?.push(joint);
  });
  const { place, stop } = subtrees(skeleton);
  /** @type {Candidate[]} */
  const found = [];
  likeliest(chains, limbs, says).forEach((i) => {
    const joints = chains[i],
      [first] = joints,
      path = new Set(pathTo(skeleton, first));
    const isElsewhere = (/** @type {number} */ joint) =>
      (place[joint] < place[first] || place[joint] >= stop[first]) && !path.has(joint);
    const foot = withNamedFoot(joints, motion, says, (joint) => isFree[joint] && isElsewhere(joint), legs, skeleton);
    let limb = bestOf([...limbs[i], ...(foot ? [foot] : [])]);
    if (limb && limb.end === joints.at(-1) && says[limb.end].role !== "end")
      limb = withFootAtEnd(limb, motion, says, isElsewhere, skeleton);
    if (limb && ![limb.start, limb.mid].some((joint) => says[joint].isOther))
      found.push({ ...limb, trunk: parents[joints[0]] });
  });
  const feet = new Set(found.flatMap(({ isDetached, end }) => (isDetached ? end : [])));
  return found.filter(({ start }) => !feet.has(start));
};

/** The indices of all chains, or of those that are named and longest if there are many. @type {(chains: number[][], limbs: Candidate[][], says: Meaning[]) => number[]} */
const likeliest = (chains, limbs, says) => {
  const all = [...chains.keys()];
  if (all.length <= MOST_LIMBS) return all;
  const isNamed = chains.map((joints) => Number(joints.some((joint) => says[joint].kind))),
    sizes = limbs.map((own) => own.reduce((longest, { size }) => Math.max(longest, size), 0));
  return all
    .sort((a, b) => isNamed[a] - isNamed[b] || sizes[a] - sizes[b])
    .slice(-MOST_LIMBS)
    .sort((a, b) => a - b);
};
/** The place of each joint, and where its descendants stop, if each is before its own. @type {(skeleton: Skeleton) => { place: number[], stop: number[] }} */
const subtrees = ({ parents, order }) => {
  const count = parents.map(() => 1),
    place = parents.map(() => 0),
    free = parents.map(() => 0);
  for (const joint of order.toReversed()) if (parents[joint] >= 0) count[parents[joint]] += count[joint];
  let root = 0;
  for (const joint of order) {
    place[joint] = parents[joint] < 0 ? root : free[parents[joint]];
    if (parents[joint] < 0) root += count[joint];
    else free[parents[joint]] += count[joint];
    free[joint] = place[joint] + 1;
  }
  return { place, stop: place.map((each, joint) => each + count[joint]) };
};
const legOf = (/** @type {Meaning} */ { side, place }) => `leg ${side} ${place}`;
/** How often the names of a chain say each side, and each place. @type {(chain: number[], says: Meaning[]) => { sides: Map<any, number>, places: Map<any, number> }} */
const countedIn = (chain, says) => ({
  sides: counted(chain.map((joint) => says[joint].side)),
  places: counted(chain.map((joint) => says[joint].place)),
});

/** A limb of three joints, or null if its bones are too short or too different. @returns {Candidate | null} */
const limbFrom = (
  /** @type {number[]} */ [start, mid, end],
  /** @type {number[]} */ chain,
  /** @type {Motion} */ motion,
  /** @type {Meaning[]} */ says,
  isDetached = false,
  { sides, places } = countedIn(chain, says),
) => {
  const first = median(distance(motion, start, mid)),
    second = median(distance(motion, mid, end));
  if (!(Math.max(first, second) > 0 && Math.max(first, second) <= RATIO * Math.min(first, second))) return null;
  const own = [start, mid, end].map((joint) => says[joint]),
    kind = most(own.map((said) => said.kind));
  const said = {
    side: mostOf(sides, says[end].side), // the end counts twice
    place: mostOf(places, says[end].place),
    kind,
    role: null,
    isOther: false,
    words: says[start].words,
  };
  return {
    start,
    mid,
    end,
    chain,
    isDetached,
    roles: rolesOf(own, kind),
    said,
    lengths: [first, second],
    size: first + second,
    trunk: -1,
  };
};
/** @type {(joints: number[], motion: Motion, says: Meaning[]) => Candidate[]} */
const attached = (joints, motion, says) => {
  const names = countedIn(joints, says);
  return joints
    .slice(2)
    .flatMap((end, i) => limbFrom([joints[i], joints[i + 1], end], joints, motion, says, false, names) ?? []);
};

// How many of three joints are named after their role. "Leg" is a shin after an "UpLeg", and "arm" or
// "shoulder" an upper arm before a forearm.
const rolesOf = (/** @type {Meaning[]} */ own, /** @type {Kind | null} */ kind) => {
  const [start, mid, end] = own.map((said) => (said.kind === kind ? said.role : "other"));
  const isStart = start === "start" || (start === null && mid === "mid"),
    isMid = mid === "mid" || (mid === null && start === "start");
  return kind === null ? 0 : Number(isStart) + Number(isMid) + Number(end === "end");
};
/** The limb that is named as one, or else of the two longest successive bones. @type {(limbs: Candidate[]) => Candidate | null} */
const bestOf = (limbs) => {
  const longest = limbs.reduce((most, { size }) => Math.max(most, size), 0),
    worth = (/** @type {Candidate} */ limb) => limb.roles + limb.size / longest;
  return limbs.reduce(
    (/** @type {Candidate | null} */ best, limb) => (best === null || worth(limb) > worth(best) ? limb : best),
    null,
  );
};

// A limb with the detached foot that stays near its end, or the limb itself.
/** @type {(limb: Candidate, motion: Motion, says: Meaning[], isOther: (joint: number) => boolean, skeleton: Skeleton) => Candidate} */
const withFootAtEnd = (limb, motion, says, isOther, skeleton) => {
  const others = [...says.keys()].filter(isOther);
  const foot = nearest(
    motion,
    ({ positions }, joint) => minus(positions[joint], positions[limb.end]),
    null,
    others,
    NEAR_SHIN * limb.lengths[1],
  );
  if (foot === null) return limb;
  const chain = [...limb.chain.slice(0, limb.chain.indexOf(limb.end)), ...down(foot, skeleton)];
  return limbFrom([limb.start, limb.mid, foot], chain, motion, says, true) ?? limb;
};
// The limb whose shin is the tip of a chain, and whose foot is a joint elsewhere: one that is named as
// part of the same leg and stays in place in the space of the shin.
/** @type {(joints: number[], motion: Motion, says: Meaning[], isOther: (joint: number) => boolean, legs: Map<string, number[]>, skeleton: Skeleton) => Candidate | null} */
const withNamedFoot = (joints, motion, says, isOther, legs, skeleton) => {
  if (joints.length < 2) return null;
  const [start, mid] = joints.slice(-2),
    own = says[mid];
  if (own.kind !== "leg") return null;
  const allowed = (legs.get(legOf(own)) ?? []).filter(isOther);
  if (!allowed.length) return null;
  const inShin = (/** @type {World} */ { positions, rotations }, /** @type {number} */ joint) =>
    rotate(conjugate(rotations[mid]), minus(positions[joint], positions[mid]));
  const middle = (/** @type {number} */ joint) =>
    [0, 1, 2].map((axis) => median(motion.frames.map((frame) => inShin(frame, joint)[axis])));
  const foot = nearest(motion, inShin, middle, allowed, NEAR_SHIN * median(distance(motion, start, mid)));
  return foot === null ? null : limbFrom([start, mid, foot], [...joints, ...down(foot, skeleton)], motion, says, true);
};
// The allowed joint with the smallest distances from a middle, if they are mostly small.
/** @type {(motion: Motion, apart: (frame: World, joint: number) => number[], middleOf: ((joint: number) => number[]) | null, allowed: number[], farthest: number) => number | null} */
const nearest = ({ frames }, apart, middleOf, allowed, farthest) => {
  const tooMany = frames.length - Math.floor((MOSTLY / 100) * (frames.length - 1));
  /** @type {number | null} */
  let found = null;
  let least = Infinity;
  for (const joint of allowed) {
    const middle = middleOf?.(joint) ?? [0, 0, 0],
      away = [];
    let far = 0;
    for (let i = 0; i < frames.length && far < tooMany; i++) {
      away.push(size(minus(apart(frames[i], joint), middle)));
      far += Number(away[i] > farthest);
    }
    if (far >= tooMany) continue; // most of the others are too far away, which few frames show
    const mostly = percentile(away, MOSTLY);
    if (mostly < least) [found, least] = [joint, mostly];
  }
  return least <= farthest ? found : null;
};
// A joint and its first child, the first child of that, and so on.
/** @type {(joint: number, skeleton: Skeleton) => number[]} */
const down = (joint, { children }) => {
  const chain = [joint];
  for (let [next] = children[joint]; next !== undefined; [next] = children[next]) chain.push(next);
  return chain;
};

/** The limbs that a VRM file names. @type {(humanBones: Record<string, number>, motion: Motion, count: number) => Candidate[]} */
export const fromHumanBones = (humanBones, motion, count) =>
  /** @type {const} */ (["left", "right"]).flatMap((side) =>
    HUMAN_BONES.flatMap(([kind, parts]) => {
      const [start, mid, end, toe] = parts.map((part) => humanBones[side + part]);
      if ([start, mid, end].includes(/** @type {any} */ (undefined))) return [];
      const said = { side, place: null, kind, role: null, isOther: false, words: "" };
      return (
        limbFrom(
          [start, mid, end],
          [start, mid, end, ...(toe === undefined ? [] : [toe])],
          motion,
          Array(count).fill(said),
        ) ?? []
      );
    }),
  );
