// What is known of a character, whatever its file: its skeleton, its clips, its limbs and their hinges.
import { FRAMES, motionOf } from "./branches.js";
import { findLimbs } from "./limbs.js";
import { axisSquareTo, conjugate, cross, minus, multiply, plus, rotate, size, squareTo, unit } from "./rotations.js";
import { hingeOf, hingeTowards, limbOf } from "./reach.js";
import { toWorld } from "./skeleton.js";

/** @typedef {import("./rotations.js").Vector} Vector */
/** @typedef {import("./skeleton.js").Skeleton} Skeleton */
/** @typedef {import("./skeleton.js").Pose} Pose */
/** @typedef {import("./skeleton.js").World} World */
/** @typedef {import("./limbs.js").FoundLimb} FoundLimb */
/** @typedef {import("./reach.js").Limb} Limb */
/** @typedef {{ name: string | null, count: number, fps: number, poseAt: (frame: number) => Pose }} Clip */
/** @typedef {{ skeleton: Skeleton, up: "y" | "z", metres: number, humanBones: Record<string, number>, clips: Clip[] }} Source */
/** @typedef {FoundLimb & { limb: Limb, reach: number }} PosedLimb */

/** A point of a file with y up. @type {(v: Vector, up: string) => Vector} */
export const yUp = ([x, y, z], up) => (up === "y" ? [x, y, z] : [x, z, -y]);
/** The same backwards. @type {(v: Vector, up: string) => Vector} */
export const fromYUp = ([x, y, z], up) => (up === "y" ? [x, y, z] : [x, -z, y]);

// NumPy rounds halves to even.
const even = (/** @type {number} */ v) => {
  const near = Math.round(v);
  return Math.abs(v % 1) === 0.5 && near % 2 ? near - 1 : near;
};
/** The frames of a clip that are looked at, as in `branches.sample`. @type {(count: number) => number[]} */
export const sampled = (count) => {
  const few = Math.min(count, FRAMES);
  return [...new Set(Array.from({ length: few }, (_, i) => (few > 1 ? even((i * (count - 1)) / (few - 1)) : 0)))];
};
/** Some frames of a clip as a motion, y up. @type {(source: Source, clip: Clip) => import("./branches.js").Motion} */
export const motionIn = ({ skeleton, up }, clip) => {
  const turn = up === "y" ? null : [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  return motionOf(
    sampled(clip.count).map((frame) => {
      const pose = clip.poseAt(frame);
      if (turn) {
        skeleton.parents.forEach((parent, joint) => {
          if (parent >= 0) return;
          pose.rotations[joint] = multiply(turn, pose.rotations[joint]);
          pose.translations[joint] = rotate(turn, pose.translations[joint]);
        });
      }
      return toWorld(skeleton, pose);
    }),
  );
};

const BENT = 1e-3; // mean sine of the angle between the bones: limbs that bend less show no hinge

// The hinge axis of a limb in the space of its mid joint: the usual one over a clip, weighted by how much
// the limb is bent; else that of the rest pose; else knees point forward and elbows back.
/** @type {(source: Source, found: FoundLimb, motion: import("./branches.js").Motion, ahead: Vector | null) => Vector} */
const hinge = ({ skeleton, up }, found, { frames }, ahead) => {
  const { start, mid, end, kind } = found;
  const inMid = (/** @type {World} */ { rotations }, /** @type {Vector} */ v) => rotate(conjugate(rotations[mid]), v),
    bone = (/** @type {World} */ { positions }, /** @type {number} */ a, /** @type {number} */ b) =>
      unit(minus(positions[b], positions[a]));
  const opens = frames.map((frame) => inMid(frame, cross(bone(frame, mid, end), bone(frame, start, mid)))).reduce(plus);
  const rest = toWorld(skeleton, skeleton.rest),
    forward = fromYUp(ahead ?? [0, 0, 1], up);
  const axis =
    size(opens) > BENT * frames.length
      ? opens
      : (hingeOf(rest, found) ??
        hingeTowards(rest, found, kind === "leg" ? forward : forward.map((part) => -part)) ?? [0, 0, 0]);
  const shin = inMid(frames[0], bone(frames[0], mid, end)),
    square = squareTo(axis, shin);
  return size(square) > 1e-6 * size(axis) ? unit(square) : axisSquareTo(shin, [0, 0, 0]);
};

/** The limbs of a clip, and where its body faces. @type {(source: Source, clip: Clip) => { limbs: PosedLimb[], ahead: Vector | null }} */
export const limbsIn = (source, clip) => {
  const motion = motionIn(source, clip),
    { limbs, ahead } = findLimbs(source.skeleton, motion, source.humanBones);
  return {
    ahead,
    limbs: limbs.map((found) => {
      const limb = limbOf(source.skeleton, found, hinge(source, found, motion, ahead)),
        { positions } = motion.frames[0];
      return {
        ...found,
        limb,
        reach:
          size(minus(positions[found.mid], positions[found.start])) +
          size(minus(positions[found.end], positions[found.mid])),
      };
    }),
  };
};
