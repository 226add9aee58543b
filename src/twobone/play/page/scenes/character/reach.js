// `Limb.reach` and `Limb.controls` of Python for one pose: the rotations that bring the end of a limb to a
// target. The steps and names are those of `pose/reaching.py`, `pose/bending.py` and `pose/transport.py`,
// with all weights 1; the triangle itself comes from solver.js. Tests compare both on random poses.
//
// Of a limb whose end is no descendant of its mid joint, as in rigs with baked controls, the end moves with
// the second bone, as `correct_limb` has it.
import { twobone } from "../../solver.js";
import {
  about,
  axisSquareTo,
  conjugate,
  cross,
  dot,
  halfOf,
  minus,
  multiply,
  nearer,
  plus,
  positive,
  rotate,
  shortestArc,
  size,
  squareTo,
  times,
  unit,
  unitQuaternion,
  upright,
} from "./rotations.js";
import { aboveOf, pathTo, placeBelow, toWorld } from "./skeleton.js";

/** @typedef {import("./rotations.js").Vector} Vector */
/** @typedef {import("./rotations.js").Quaternion} Quaternion */
/** @typedef {import("./skeleton.js").Skeleton} Skeleton */
/** @typedef {import("./skeleton.js").Pose} Pose */
/** @typedef {import("./skeleton.js").World} World */
/** @typedef {{ start: number, mid: number, end: number, isDetached: boolean, midAxis: Vector, direction: Vector, normal: Vector, reach: number }} Limb */
/** @typedef {{ pole?: Vector | null, bend?: "pole" | "rest" | "transport", before?: Vector[] | null, endIsLocal?: boolean, unreachable?: any, fade?: number }} Options */
/** @typedef {{ root: Vector, joint: Vector, end: Vector, above: Quaternion, axis: Vector }} Placed vectors from the root, which is in the world */
/** @typedef {{ axis: Vector, first: Vector, across: Vector, r1: number, r2: number, angle: [number, number], offset: number, isSkew: boolean }} Hinge */
/** @typedef {{ start: Quaternion, mid: [number, number], status: number, sine: number }} Turned */
/** @typedef {{ status: number, sine: number, transported: Vector[], goal: Vector, end: Vector }} Reached */

const EPS = 2 ** -52,
  STRAIGHT = 1e-3,
  FOLLOW = 2,
  TOO_NEAR = 2,
  AMBIGUOUS = 3,
  INVALID = 4;
export const FADE = 0.17364817766693033; // sine of 10 degrees

// --- definition ---------------------------------------------------------------------------

/**
 * Describe a limb by the hinge axis in the space of its mid joint, and by its rest pose.
 * @type {(skeleton: Skeleton, joints: { start: number, mid: number, end: number }, midAxis: Vector) => Limb}
 */
export const limbOf = (skeleton, { start, mid, end }, midAxis) => {
  const rest = toWorld(skeleton, skeleton.rest),
    [root, joint, tip] = [start, mid, end].map((each) => rest.positions[each]);
  let direction = minus(tip, root);
  if (size(direction) === 0) direction = minus(joint, root);
  direction = unit(direction);
  const normal = unit(squareTo(rotate(rest.rotations[mid], midAxis), direction)),
    back = conjugate(aboveOf(skeleton, rest, start));
  const bones = size(minus(joint, root)) + size(minus(tip, joint)),
    isDetached = !pathTo(skeleton, end).includes(mid);
  return {
    start,
    mid,
    end,
    isDetached,
    midAxis: unit(midAxis),
    direction: rotate(back, direction),
    normal: rotate(back, normal),
    reach: bones || 1,
  };
};

/** The hinge axis that a rest pose shows; null if the limb is straight or folded there. @type {(world: World, joints: { start: number, mid: number, end: number }) => Vector | null} */
export const hingeOf = (world, { start, mid, end }) => {
  const first = minus(world.positions[mid], world.positions[start]),
    second = minus(world.positions[end], world.positions[mid]);
  const axis = cross(second, first);
  return size(axis) <= STRAIGHT * size(first) * size(second)
    ? null
    : unit(rotate(conjugate(world.rotations[mid]), axis));
};
/** The hinge axis of a limb that moves from its line towards a direction as it bends; null if they are parallel. @type {(world: World, joints: { start: number, mid: number, end: number }, towards: Vector) => Vector | null} */
export const hingeTowards = (world, { start, mid, end }, towards) => {
  const line = minus(world.positions[end], world.positions[start]),
    axis = cross(line, towards);
  return size(axis) <= STRAIGHT * size(line) * size(towards)
    ? null
    : unit(rotate(conjugate(world.rotations[mid]), axis));
};

// --- describe -----------------------------------------------------------------------------

const placed = (/** @type {Skeleton} */ skeleton, /** @type {Limb} */ limb, /** @type {World} */ world) => {
  const root = world.positions[limb.start];
  return {
    root,
    joint: minus(world.positions[limb.mid], root),
    end: minus(world.positions[limb.end], root),
    above: aboveOf(skeleton, world, limb.start),
    axis: unit(rotate(world.rotations[limb.mid], limb.midAxis)),
  };
};
// The unit vector from the root to a goal; at the root, that of the rest pose.
/** @type {(limb: Limb, above: Quaternion, goal: Vector) => Vector} */
const directionTo = (limb, above, goal) =>
  size(goal) === 0 ? rotate(above, limb.direction) : times(1 / size(goal), goal);

/** The target and the pole that reproduce the present pose of a limb. @type {(skeleton: Skeleton, limb: Limb, world: World) => { target: Vector, pole: Vector }} */
export const controlsOf = (skeleton, limb, world) => {
  const { root, end, above, axis } = placed(skeleton, limb, world),
    direction = directionTo(limb, above, end);
  return { target: plus(root, end), pole: cross(unit(squareTo(axis, direction)), direction) };
};

// --- the plane to bend in -----------------------------------------------------------------

// The normal of the rest pose's plane, rotated to the goal by the shortest arc.
/** @type {(limb: Limb, above: Quaternion, direction: Vector) => Vector} */
const restNormal = (limb, above, direction) => {
  const atRest = rotate(above, limb.direction),
    normal = rotate(above, limb.normal);
  return rotate(shortestArc(atRest, direction, cross(normal, atRest)), normal);
};
// The weight of a pole by its angle: 0 along the target direction, 1 from `fade` on.
/** @type {(sine: number, fade: number) => number} */
const poleInfluence = (sine, fade) => {
  const x = Math.min(sine / fade, 1);
  return x * x * (3 - 2 * x);
};
/** @type {(direction: Vector, pole: Vector, fallback: Vector, fade: number) => { normal: Vector, sine: number }} */
const bendingNormal = (direction, pole, fallback, fade) => {
  const across = cross(direction, pole),
    sine = size(across),
    influence = poleInfluence(sine, fade);
  return { normal: plus(times(influence / positive(sine), across), times(1 - influence, fallback)), sine };
};
// One step of parallel transport: the plane of the frame before follows the target by the shortest arc,
// and the pole by at most FOLLOW radians while the target moves by the reach of the limb. `distance` is that
// of the target in units of the reach, `pull` 0 without a pole.
/** @type {(before: Vector[], now: { direction: Vector, pole: Vector, pull: number, distance: number, fade: number }) => Vector} */
const transportStep = ([normal, oldDirection, oldPole], { direction, pole, pull, distance, fade }) => {
  const arc = shortestArc(oldDirection, direction, cross(normal, oldDirection));
  const transported = unit(squareTo(rotate(arc, normal), direction));
  const perpendicular = cross(direction, transported),
    across = cross(direction, pole);
  const motion = size(cross(direction, oldDirection)) * Math.min(distance, 1) + size(cross(pole, oldPole));
  const most = FOLLOW * motion * poleInfluence(size(across), fade) * pull;
  const c = dot(transported, across),
    s = dot(perpendicular, across),
    isNear = c > 0 && Math.abs(s) <= most * c;
  const step = isNear ? s : s < 0 ? -most : most;
  return unit(plus(times(isNear ? c : 1, transported), times(step, perpendicular)));
};

// --- the rotations ------------------------------------------------------------------------

// Measure a limb in the plane perpendicular to its hinge axis.
/** @type {(at: Placed) => Hinge} */
const measure = ({ joint, end, axis }) => {
  let first = squareTo(joint, axis);
  const second = squareTo(minus(end, joint), axis),
    r1 = size(first),
    r2 = size(second);
  first = times(1 / positive(r1 > 0 ? r1 : r2), r1 > 0 ? first : second);
  const across = cross(axis, first),
    back = -1 / positive(r2),
    offset = dot(end, axis);
  /** @type {[number, number]} */
  const angle = [back * dot(second, first), back * dot(second, across)];
  return { axis, first, across, r1, r2, angle, offset, isSkew: Math.abs(offset) > 8 * EPS * (r1 + r2) };
};
// Half the rotation about the hinge axis that gives the joint the angle of a triangle.
/** @type {(hinge: Hinge, triangle: number[]) => [number, number]} */
const jointRotation = ({ r1, r2, angle: [c, s] }, [x, y, end]) => {
  const beyond = end - x,
    long = positive(r1 * r2),
    cos = (y * y - x * beyond) / long,
    sin = (x * y + y * beyond) / long;
  return halfOf(cos * c + sin * s, sin * c - cos * s);
};
// The unit vector from the root to the end after the rotation of the joint alone.
/** @type {(hinge: Hinge, triangle: number[]) => Vector} */
const directionOfEnd = (hinge, [x, y, end]) => {
  const r1 = size([x, y]),
    inPlane = minus(times(r1 > 0 ? x / r1 : 1, hinge.first), times(y / positive(r1), hinge.across));
  if (!hinge.isSkew && !(end > 2 ** -20 * (hinge.r1 + hinge.r2))) return inPlane;
  return unit(plus(times(end, inPlane), times(hinge.offset, hinge.axis)));
};
// The direction assumed for a target at the root: that of the end, made perpendicular to the pole.
/** @type {(endDirection: Vector, normal: Vector, pole: Vector | null) => Vector} */
const defaultDirection = (endDirection, normal, pole) => {
  if (!pole) return endDirection;
  const aside = squareTo(endDirection, pole),
    across = times(-dot(endDirection, pole), cross(normal, endDirection));
  return unit(dot(aside, aside) <= 2 ** -20 ? across : aside);
};

/** @type {(at: Placed, task: { goal: Vector, pole: Vector | null, normal: Vector, directionAtRoot?: Vector, fade: number, unreachable: any }) => Turned} */
const rotateLimb = (at, { goal, pole, normal, directionAtRoot, fade, unreachable }) => {
  const hinge = measure(at),
    far = size(goal),
    square = (far - hinge.offset) * (far + hinge.offset);
  const d = hinge.isSkew ? (square > 0 ? Math.sqrt(square) : 0) : far;
  const found = twobone.reach([d, 0], hinge.r1, hinge.r2, { unreachable }),
    triangle = [...found.joint, found.end[0]];
  let status = hinge.isSkew && square < 0 ? TOO_NEAR : found.status;
  const endDirection = directionOfEnd(hinge, triangle),
    own = axisSquareTo(endDirection, at.axis);
  const towards = pole && unit(pole);
  const direction =
    far === 0 ? (directionAtRoot ?? defaultDirection(endDirection, own, towards)) : times(1 / far, goal);
  let start = shortestArc(endDirection, direction, own),
    wanted = normal,
    sine = 1;
  const rotated = rotate(start, own);
  if (towards) ({ normal: wanted, sine } = bendingNormal(direction, towards, normal, fade));
  // Both normals are perpendicular to the target direction: only a roll about it is left.
  start = multiply(about(direction, halfOf(dot(rotated, wanted), dot(cross(direction, rotated), wanted))), start);
  if (sine <= 4 * EPS && triangle[1] > 0 && status === 0) status = AMBIGUOUS;
  const isSound =
    hinge.r1 + hinge.r2 > 0 &&
    triangle.every(Number.isFinite) &&
    start.every(Number.isFinite) &&
    dot(start, start) > 0.5;
  return { start: upright(start), mid: jointRotation(hinge, triangle), status: isSound ? status : INVALID, sine };
};

// --- reach --------------------------------------------------------------------------------

/**
 * Bring the end of a limb to a target. `pose` and `world` are changed: the rotations of start, mid and end,
 * and of a detached end its translation too. An invalid limb stays as it is.
 * @type {(skeleton: Skeleton, limb: Limb, pose: Pose, world: World, target: Vector, options?: Options) => Reached}
 */
export const reach = (
  skeleton,
  limb,
  pose,
  world,
  target,
  {
    pole = null,
    bend = pole ? "pole" : "rest",
    before = null,
    endIsLocal = false,
    unreachable = "clamp",
    fade = FADE,
  } = {},
) => {
  const at = placed(skeleton, limb, world),
    goal = minus(target, at.root),
    back = conjugate(at.above);
  const direction = directionTo(limb, at.above, goal),
    own = restNormal(limb, at.above, direction);
  let normal = own,
    directionAtRoot;
  /** @type {Vector[] | null} */
  let state = null;
  if (bend === "transport") {
    const towards = pole ? unit(pole) : direction;
    const alone = pole ? unit(bendingNormal(direction, towards, own, fade).normal) : unit(own);
    const [now, along, aim] = [alone, direction, towards].map((v) => rotate(back, v));
    const along2 = before && size(goal) === 0 ? before[1] : along;
    const moved = before
      ? transportStep(before, {
          direction: along2,
          pole: aim,
          pull: pole ? 1 : 0,
          distance: size(goal) / limb.reach,
          fade,
        })
      : now;
    state = [moved, along2, aim];
    normal = rotate(at.above, moved);
    directionAtRoot = rotate(at.above, along2);
  }
  const found = rotateLimb(at, {
    goal,
    pole: bend === "pole" ? pole : null,
    normal,
    directionAtRoot,
    fade,
    unreachable,
  });
  if (found.status !== INVALID) apply(skeleton, limb, pose, world, { back, found, endIsLocal });
  if (pole && bend !== "pole") found.sine = size(cross(unit(goal), unit(pole)));
  if (!state) {
    const hinge = unit(squareTo(rotate(found.start, at.axis), direction));
    state = [hinge, direction, pole ? unit(pole) : direction].map((v) => rotate(back, v));
  }
  return {
    status: found.status,
    sine: found.sine,
    transported: state,
    goal,
    end: minus(world.positions[limb.end], at.root),
  };
};

/** @type {(skeleton: Skeleton, limb: Limb, pose: Pose, world: World, how: { back: Quaternion, found: Turned, endIsLocal: boolean }) => void} */
const apply = (skeleton, limb, pose, world, { back, found, endIsLocal }) => {
  const { start, mid, end, midAxis } = limb,
    { rotations, translations } = pose;
  const tip = world.rotations[end],
    turnedMid = multiply(multiply(found.start, world.rotations[mid]), about(midAxis, found.mid));
  const inMid = rotate(conjugate(world.rotations[mid]), minus(world.positions[end], world.positions[mid])),
    tipInMid = multiply(conjugate(world.rotations[mid]), tip);
  rotations[start] = unitQuaternion(multiply(back, multiply(found.start, world.rotations[start])));
  rotations[mid] = unitQuaternion(multiply(rotations[mid], about(midAxis, found.mid)));
  placeBelow(skeleton, pose, world, start);
  const parent = skeleton.parents[end],
    above = aboveOf(skeleton, world, end),
    old = rotations[end];
  if (limb.isDetached) {
    const wanted = plus(world.positions[mid], rotate(turnedMid, inMid));
    translations[end] = parent < 0 ? wanted : rotate(conjugate(above), minus(wanted, world.positions[parent]));
    rotations[end] = nearer(
      old,
      unitQuaternion(multiply(conjugate(above), endIsLocal ? multiply(turnedMid, tipInMid) : tip)),
    );
  } else if (!endIsLocal) rotations[end] = nearer(old, unitQuaternion(multiply(conjugate(above), tip)));
  placeBelow(skeleton, pose, world, end);
};
