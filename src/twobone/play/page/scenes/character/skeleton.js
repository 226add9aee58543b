// Skeletons and their poses, as in `pose/skeleton.py`: joints with parents, rotations relative to these,
// and where the joints are in the world. Scales of a file are in the translations.
import { IDENTITY, multiply, plus, rotate } from "./rotations.js";

/** @typedef {import("./rotations.js").Vector} Vector */
/** @typedef {import("./rotations.js").Quaternion} Quaternion */
/** @typedef {{ rotations: Quaternion[], translations: Vector[] }} Pose relative to the parents */
/** @typedef {{ rotations: Quaternion[], positions: Vector[] }} World */
/** @typedef {{ names: string[], parents: number[], order: number[], rest: Pose, children: number[][] }} Skeleton */

/** @type {(names: string[], parents: number[], rest: Pose) => Skeleton} */
export const skeletonOf = (names, parents, rest) => {
  /** @type {number[][]} */
  const children = parents.map(() => []);
  parents.forEach((parent, joint) => parent >= 0 && children[parent].push(joint));
  const order = parents.flatMap((parent, joint) => (parent < 0 ? [joint] : []));
  for (let i = 0; i < order.length; i++) order.push(...children[order[i]]);
  const inOrder = parents.every((parent, joint) => parent < joint);
  return { names, parents, rest, children, order: inOrder ? parents.map((_, joint) => joint) : order };
};

/** Where a pose puts all joints. @type {(skeleton: Skeleton, pose: Pose) => World} */
export const toWorld = ({ parents, order }, { rotations, translations }) => {
  /** @type {World} */
  const world = { rotations: [], positions: [] };
  for (const joint of order) placeJoint(world, joint, parents[joint], rotations[joint], translations[joint]);
  return world;
};
/** Place one joint below a parent that is placed already. @type {(world: World, joint: number, parent: number, rotation: Quaternion, translation: Vector) => void} */
const placeJoint = (world, joint, parent, rotation, translation) => {
  const above = parent < 0 ? null : world.rotations[parent];
  world.rotations[joint] = above ? multiply(above, rotation) : rotation;
  world.positions[joint] = above ? plus(world.positions[parent], rotate(above, translation)) : translation;
};
/** Place a joint and its descendants anew. @type {(skeleton: Skeleton, pose: Pose, world: World, joint: number) => void} */
export const placeBelow = ({ parents, children }, pose, world, top) => {
  const waiting = [top];
  for (let joint = waiting.pop(); joint !== undefined; joint = waiting.pop()) {
    placeJoint(world, joint, parents[joint], pose.rotations[joint], pose.translations[joint]);
    waiting.push(...children[joint]);
  }
};

/** The joints from the top of the skeleton down to one. @type {(skeleton: Skeleton, joint: number) => number[]} */
export const pathTo = ({ parents }, joint) => {
  const path = [];
  for (; joint >= 0; joint = parents[joint]) path.unshift(joint);
  return path;
};
/** A joint and its descendants. @type {(skeleton: Skeleton, joint: number) => number[]} */
export const below = ({ children }, joint) => {
  const found = [joint];
  for (let i = 0; i < found.length; i++) found.push(...children[found[i]]);
  return found;
};
/** The rotation of the parent of a joint. @type {(skeleton: Skeleton, world: World, joint: number) => Quaternion} */
export const aboveOf = ({ parents }, world, joint) => (parents[joint] < 0 ? IDENTITY : world.rotations[parents[joint]]);
