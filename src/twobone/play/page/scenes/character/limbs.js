// Legs and arms of a clip, found by the names of joints and by how they move. The same as
// `motion/limbs.py`, where the reasons are; tests compare the joints that both find.
import { clearanceOf, distance } from "./branches.js";
import { fromBranches, fromHumanBones } from "./candidates.js";
import { mean, median, percentile, range, total } from "./measures.js";
import { meaning } from "./names.js";
import { dot, minus, plus, size, times } from "./rotations.js";

/** @typedef {import("./branches.js").Motion} Motion */
/** @typedef {import("./candidates.js").Candidate} Candidate */
/** @typedef {import("./skeleton.js").Skeleton} Skeleton */
/** @typedef {import("./names.js").Kind} Kind */
/** @typedef {import("./names.js").Side} Side */
/** @typedef {import("./names.js").Place} Place */
/** @typedef {import("./rotations.js").Vector} Vector */
/** @typedef {{ name: string, kind: Kind, side: Side | null, place: Place | null, start: number, mid: number, end: number, toe: number | null, isDetached: boolean, confidence: number }} FoundLimb */

const ALIKE = 0.1,
  LOW = 0.06,
  NEAR_GROUND = 0.2,
  UPRIGHT = 0.4,
  ABOVE = 0.05,
  OFTEN = 0.25,
  SMALL = 0.4,
  RIGID = 0.02,
  ONE_WAY = 0.5;

/**
 * The legs of a clip, then its arms, each in the order of the skeleton, and where the body faces.
 * @type {(skeleton: Skeleton, motion: Motion, humanBones?: Record<string, number>) => { limbs: FoundLimb[], ahead: Vector | null }}
 */
export const findLimbs = (skeleton, motion, humanBones = {}) => {
  if (!motion.frames.length) return { limbs: [], ahead: null };
  const given = fromHumanBones(humanBones, motion, skeleton.parents.length),
    says = skeleton.names.map(meaning);
  let found = given.length ? given : fromBranches(skeleton, motion, says);
  if (found.length)
    motion = {
      ...motion,
      clearance: clearanceOf(motion.frames, [...new Set(found.flatMap(({ chain, end }) => [...chain, end]))]),
    };
  if (!given.length) found = large(found, motion);
  const partners = partnersOf(found),
    kinds = kindsOf(found, motion),
    legs = [...found.keys()].filter((k) => kinds[k] === "leg");
  /** @type {Map<number, number | null>} */
  const toes = new Map(legs.map((k) => [k, toeOf(found[k], motion, says)]));
  const ahead = found.length ? forward(found, toes, motion) : null,
    sides = sidesOf(found, partners, ahead, motion),
    places = placesOf(found, partners, legs, ahead, motion);
  const limbs = found.map((limb, k) => {
    const kind = kinds[k] ?? "arm",
      { start, mid, end, isDetached } = limb;
    const confidence = given.length ? 1 : confidenceOf(limb, kind, partners[k] !== null, motion);
    return {
      name: "",
      kind,
      side: sides[k],
      place: places.get(k) ?? null,
      start,
      mid,
      end,
      toe: toes.get(k) ?? null,
      isDetached,
      confidence,
    };
  });
  return { limbs: named(limbs), ahead: ahead ? ahead.reduce(plus) : null };
};

// --- what they are ------------------------------------------------------------------------

// The limbs that are named, or have a kind and are not much smaller than the legs.
const large = (/** @type {Candidate[]} */ limbs, /** @type {Motion} */ motion) => {
  const kinds = kindsOf(limbs, motion),
    least = SMALL * Math.max(0, ...limbs.map((limb, k) => (kinds[k] === "leg" ? limb.size : 0)));
  return limbs.filter((limb, k) => limb.said.kind || (kinds[k] && limb.size >= least));
};
// For each limb the index of the equal one on the other side of the body.
const partnersOf = (/** @type {Candidate[]} */ limbs) => {
  /** @type {number[][]} */
  const costs = [];
  limbs.forEach((a, k) =>
    limbs.slice(k + 1).forEach((b, i) => {
      const differ = Math.max(...a.lengths.map((x, at) => Math.abs(x - b.lengths[at]) / Math.max(x, b.lengths[at])));
      if (differ > ALIKE || (a.said.side !== null && a.said.side === b.said.side)) return;
      costs.push([Number(a.said.words !== b.said.words), Number(a.trunk !== b.trunk), differ, k, k + 1 + i]);
    }),
  );
  costs.sort((u, v) => u.reduce((sign, each, i) => sign || each - v[i], 0));
  /** @type {(number | null)[]} */
  const partners = limbs.map(() => null);
  for (const [, , , a, b] of costs)
    if (partners[a] === null && partners[b] === null) [partners[a], partners[b]] = [b, a];
  return partners;
};
// What each limb is; null if neither its names nor its motion make it a leg or an arm.
const kindsOf = (/** @type {Candidate[]} */ limbs, /** @type {Motion} */ motion) => {
  const partners = partnersOf(limbs),
    kinds = limbs.map((limb) => limb.said.kind);
  const alone = kinds.every((kind) => kind === null) && partners.every((partner) => partner === null);
  partners.forEach((partner, k) => {
    if (kinds[k] === null && (partner !== null || alone))
      kinds[k] = stand(limbs, [k, partner], motion, alone ? UPRIGHT : ABOVE) ? "leg" : alone ? null : "arm";
  });
  const hips = limbs.flatMap((limb, k) => (kinds[k] === "leg" ? limb.start : []));
  limbs.forEach((limb, k) => {
    if (limb.said.kind !== "arm" || !hips.length || !stand(limbs, [k, partners[k]], motion, UPRIGHT)) return;
    const steep = motion.frames.map(({ positions }) => {
      const [x, y, z] = minus(
        positions[limb.start],
        times(1 / hips.length, hips.map((hip) => positions[hip]).reduce(plus)),
      );
      return Number(Math.abs(y) > Math.hypot(x, z));
    });
    kinds[k] = mean(steep) > 0.5 ? "arm" : "leg";
  });
  return kinds;
};
// Whether a limb and its partner, if it has one, often stand.
/** @type {(limbs: Candidate[], pair: (number | null)[], motion: Motion, least: number) => boolean} */
const stand = (limbs, pair, motion, least) =>
  mean(pair.flatMap((k) => k ?? []).map((k) => stands(limbs[k], motion, least))) > OFTEN;
// The fraction of frames in which the tip of a limb is low, and its start above it.
/** @type {(limb: Candidate, motion: Motion, least: number) => number} */
const stands = (limb, { clearance }, least) => {
  const tip = [limb.end, ...limb.chain.slice(limb.chain.indexOf(limb.end) + 1)];
  return mean(
    clearance.map((heights) => {
      const low = Math.min(...tip.map((joint) => heights[joint]));
      return Number(low < NEAR_GROUND * limb.size && heights[limb.start] - low > least * limb.size);
    }),
  );
};
/** @type {(joint: number, motion: Motion) => number} */
const lowest = (joint, { clearance }) =>
  percentile(
    clearance.map((heights) => heights[joint]),
    5,
  );
// The first joint beyond the end that is named as a toe or comes down to the ground.
/** @type {(limb: Candidate, motion: Motion, says: import("./names.js").Meaning[]) => number | null} */
const toeOf = (limb, motion, says) => {
  const beyond = limb.chain.slice(limb.chain.indexOf(limb.end) + 1),
    lows = beyond.map((joint) => lowest(joint, motion));
  const low = beyond.filter((_, k) => lows[k] < Math.min(...lows) + LOW * limb.size),
    toes = beyond.filter((joint) => says[joint].role === "toe");
  return (toes.length ? toes : low)[0] ?? null;
};
// How sure a limb is: 0.65 at most by its motion, 0.35 by its names.
/** @type {(limb: Candidate, kind: Kind, isPaired: boolean, motion: Motion) => number} */
const confidenceOf = (limb, kind, isPaired, motion) => {
  const isRigid = [
    [limb.start, limb.mid],
    [limb.mid, limb.end],
  ].every(([a, b]) => range(distance(motion, a, b)) < RIGID * limb.size);
  const moves = stands(limb, motion, ABOVE) > OFTEN === (kind === "leg"),
    isNamed = 0.15 * Number(limb.said.kind !== null) + (0.2 * limb.roles) / 3;
  return (
    Math.round((0.2 + 0.2 * Number(isPaired) + 0.1 * Number(isRigid) + 0.15 * Number(moves) + isNamed) * 100) / 100
  );
};

// --- where they are -----------------------------------------------------------------------

const level = (/** @type {Vector} */ [x, , z]) => [x, 0, z];
const over = (/** @type {Vector} */ v) => times(1 / Math.max(size(v), 1e-300), v);
// Where a body faces in each frame: where its toes point or, if they point everywhere or there are none,
// where it moves. Null if that is not known.
const forward = (
  /** @type {Candidate[]} */ limbs,
  /** @type {Map<number, number | null>} */ toes,
  /** @type {Motion} */ { frames },
) => {
  const feet = [...toes].filter(([, toe]) => toe !== null);
  if (feet.length) {
    const each = frames.map(({ positions }) =>
      feet.map(([k, toe]) => minus(positions[Number(toe)], positions[limbs[k].end])),
    );
    const ahead = each.map((all) => level(all.reduce(plus))),
      sizes = median(each.map((all) => total(all.map(size))));
    if (median(ahead.map(size)) > ONE_WAY * sizes && sizes > 0) return ahead.map(over);
  }
  const starts = frames.map(({ positions }) =>
    level(times(1 / limbs.length, limbs.map(({ start }) => positions[start]).reduce(plus))),
  );
  const last = starts.length - 1,
    at = (/** @type {number} */ i) => starts[Math.max(0, Math.min(last, i))];
  const moved = starts.map((_, i) => times(i > 0 && i < last ? 0.5 : 1, minus(at(i + 1), at(i - 1))));
  return total(moved.map(size)) < 2 * median(limbs.map((limb) => limb.size)) ? null : moved.map(over);
};
/** @type {(limbs: Candidate[], partners: (number | null)[], ahead: Vector[] | null, motion: Motion) => (Side | null)[]} */
const sidesOf = (limbs, partners, ahead, { frames }) =>
  limbs.map(({ said, mid }, k) => {
    const partner = partners[k];
    if (said.side !== null || partner === null || !ahead) return said.side;
    const aside = total(
      frames.map(({ positions }, i) =>
        dot(minus(positions[mid], positions[limbs[partner].mid]), [ahead[i][2], 0, -ahead[i][0]]),
      ),
    );
    return aside > 0 ? "left" : "right";
  });
// Front or hind for legs: by their names, or for the two pairs of a quadruped.
/** @type {(limbs: Candidate[], partners: (number | null)[], legs: number[], ahead: Vector[] | null, motion: Motion) => Map<number, Place>} */
const placesOf = (limbs, partners, legs, ahead, { frames }) => {
  /** @type {Map<number, Place>} */
  const byName = new Map();
  for (const k of legs) if (limbs[k].said.place) byName.set(k, limbs[k].said.place);
  if (legs.length !== 4 || byName.size === 4) return byName;
  const arms = new Set(legs.filter((k) => limbs[k].said.kind === "arm"));
  if (arms.size === 2) return new Map(legs.map((k) => [k, arms.has(k) ? "front" : "hind"]));
  if (!ahead || legs.some((k) => !legs.includes(partners[k] ?? -1))) return byName;
  const starts = new Map(
    legs.map((k) => [k, total(frames.map(({ positions }, i) => dot(positions[limbs[k].start], ahead[i])))]),
  );
  const centre = total([...starts.values()]) / 4;
  return new Map(
    legs.map((k) => [k, (starts.get(k) ?? 0) + (starts.get(partners[k] ?? -1) ?? 0) > 2 * centre ? "front" : "hind"]),
  );
};

// Limbs with names, legs first; those that would share a name are numbered.
const named = (/** @type {FoundLimb[]} */ limbs) => {
  const names = limbs.map(({ side, place, kind }) => [side, place, kind].filter(Boolean).join(" "));
  /** @type {Record<string, number>} */
  const count = Object.fromEntries(names.map((name) => [name, 0]));
  const isShared = (/** @type {string} */ name) => names.filter((each) => each === name).length > 1;
  const found = limbs.map((limb, k) => ({
    ...limb,
    name: isShared(names[k]) ? `${names[k]} ${++count[names[k]]}` : names[k],
  }));
  return [...found.filter(({ kind }) => kind === "leg"), ...found.filter(({ kind }) => kind === "arm")];
};
