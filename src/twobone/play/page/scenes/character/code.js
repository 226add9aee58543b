// Code that poses a limb of the character as the page does: in Python, for three.js, in GLSL. Each line is a
// string of its own, because lines that begin like a statement or a comment would be taken for one.
import { dot, minus, rotate, size, squareTo } from "./rotations.js";

/** @typedef {import("./rotations.js").Vector} Vector */
/** @typedef {import("./posing.js").Posing} Posing */
/** @typedef {import("./posing.js").Shown} Shown */

const short = (/** @type {number} */ v) => String(Number(v.toPrecision(9)) + 0);
const list = (/** @type {number[]} */ v) => `[${v.map(short).join(", ")}]`;
const text = (/** @type {unknown} */ v) => JSON.stringify(v);
const float = (/** @type {number} */ v) => {
  const plain = short(v);
  return /[.e]/.test(plain) ? plain : `${plain}.0`;
};
const vec3 = (/** @type {number[]} */ v) => `vec3(${v.map(float).join(", ")})`;

// The bones of a limb where they are: lengths perpendicular to the hinge, and along it.
/** @type {(posing: Posing, shown: Shown) => { lengths: number[], along: number[] }} */
const bonesOf = ({ world }, { limb, root, joint, end }) => {
  const axis = rotate(world.rotations[limb.mid], limb.limb.midAxis),
    bones = [minus(joint, root), minus(end, joint)];
  return { lengths: bones.map((v) => size(squareTo(v, axis))), along: bones.map((v) => dot(v, axis)) };
};

/** @param {Posing} posing @param {Shown} shown */
const python = (posing, { limb, target, pole }) => {
  const { skeleton, clips } = posing.source,
    { soft, least, greatest, bend, endIsLocal } = posing.settings(limb),
    { clip } = posing;
  const { names } = skeleton,
    three = [limb.start, limb.mid, limb.end],
    isNamed = three.every((joint) => names.indexOf(names[joint]) === names.lastIndexOf(names[joint]));
  const joints = three.map((joint) => (isNamed ? text(names[joint]) : joint)).join(", "),
    isFile = !posing.character.solids;
  const isAlone = clip.name !== null && clips.filter(({ name }) => name === clip.name).length === 1,
    chosen = clips.length > 1 ? `, clip=${isAlone ? text(clip.name) : posing.index}` : "";
  const load = [
    `clip = motion.load(${text(posing.character.name)}${chosen})`,
    "skeleton = clip.skeleton",
    `pose = LocalPose(*(part[${Math.round(posing.frame) % clip.count}] for part in clip.pose))  # of one frame`,
  ];
  const hasLimits = least > 0 || greatest < 180,
    policy = soft ? `twobone.Soft(${soft})` : '"clamp"',
    limits = `twobone.Limits(${least}, ${greatest})`;
  const ahead = [
    ...(limb.isDetached || !isFile ? ["import numpy as np"] : []),
    "import twobone",
    `from twobone import LocalPose, ${isFile ? "motion" : "Skeleton"}`,
  ];
  const axis = list(limb.limb.midAxis);
  const detached = [
    "# The end is no descendant of the second bone, so the limb is given by matrices.",
    "world = skeleton.to_global(pose)",
    `joints = [skeleton.index(joint) for joint in (${joints})]`,
    "matrices = np.tile(np.eye(4), (3, 1, 1))",
    "matrices[:, :3, :3] = quaternion_to_matrix(world.rotations[joints])",
    "matrices[:, :3, 3] = world.positions[joints]",
    "found = twobone.correct_limb(",
    "    *matrices,",
    `    ${list(target)},`,
    `    pole=${list(pole)},`,
    `    mid_axis=${axis},`,
    `    unreachable=${hasLimits ? (soft ? `${limits} | ${policy}` : limits) : policy},`,
    ")",
    "print(found.start, found.mid, twobone.Status(found.status).name)",
  ];
  const attached = [
    `limb = twobone.Limb(skeleton, ${joints}, mid_axis=${axis}${hasLimits ? `, limits=(${least}, ${greatest})` : ""})`,
    "posed = limb.reach(",
    "    pose,",
    `    ${list(target)},`,
    ...(bend === "rest"
      ? []
      : [`    pole=${list(pole)},${bend === "transport" ? '  # for all frames of a clip: bend="transport"' : ""}`]),
    ...(endIsLocal ? ['    end_rotation="local",'] : []),
    `    unreachable=${policy},`,
    ")",
    "print(skeleton.to_global(posed.pose).positions[limb.end], twobone.Status(posed.status).name)",
  ];
  return [
    ...ahead,
    ...(limb.isDetached ? ["from twobone.rotations import quaternion_to_matrix"] : []),
    "",
    ...(isFile ? load : madeInPython(posing)),
    "",
    ...(limb.isDetached ? detached : attached),
    "",
  ].join("\n");
};
// The skeleton of the page's own figure as arrays, in the pose that is shown before limbs were taken.
const madeInPython = (/** @type {Posing} */ posing) => {
  const { skeleton } = posing.source,
    pose = posing.clip.poseAt(posing.frame);
  return [
    `names = ${text(skeleton.names)}`,
    `parents = ${list(skeleton.parents)}`,
    `offsets = [${skeleton.rest.translations.map(list).join(", ")}]`,
    "skeleton = Skeleton(parents, offsets, names=names)",
    `rotations = np.array([${pose.rotations.map(list).join(", ")}])`,
    `translations = np.array([${pose.translations.map(list).join(", ")}])`,
    "pose = LocalPose(rotations, translations)",
  ];
};

/** @param {Posing} posing @param {Shown} shown */
const three = (posing, { limb, target, pole }) => {
  const { skeleton } = posing.source,
    { soft, least, greatest, endIsLocal } = posing.settings(limb),
    [start, mid, end] = [limb.start, limb.mid, limb.end].map((joint) => text(plain(skeleton.names[joint])));
  return [
    "// Two-bone inverse kinematics for three.js: bend start and mid so that end meets a target.",
    "// After iquilezles.org/articles/simpleik; target and pole are in the world, the pole is a direction.",
    "// The joint rotates about its hinge alone, an axis in the space of mid that need not be perpendicular to the",
    "// bones. (Python also blends a pole within 10 degrees of the line to the target with the rest pose.)",
    'import { MathUtils, Matrix4, Quaternion, Vector3 } from "three";',
    "",
    "export function solveLimb(start, mid, end, target, pole, hinge, { soft = 0, least = 0, greatest = 180, keepEnd = true } = {}) {",
    "  for (const bone of [start, end]) bone.updateWorldMatrix(true, false);",
    "  start.updateMatrixWorld(true);",
    "  const at = (bone) => new Vector3().setFromMatrixPosition(bone.matrixWorld);",
    "  const turned = (bone) => bone.getWorldQuaternion(new Quaternion());",
    "  const turn = (bone, change) => {",
    "    const above = bone.parent ? turned(bone.parent).invert() : new Quaternion();",
    "    bone.quaternion.copy(above.multiply(change).multiply(turned(bone)));",
    "    bone.updateMatrixWorld(true);",
    "  };",
    "  const root = at(start), knee = at(mid), tip = at(end), kept = turned(end), inMid = mid.worldToLocal(tip.clone());",
    "",
    "  // The limb in the plane perpendicular to its hinge; what is along the hinge stays as it is.",
    "  const axis = hinge.clone().normalize().applyQuaternion(turned(mid)), p = target.clone().sub(root);",
    "  const first = knee.clone().sub(root).projectOnPlane(axis), second = tip.clone().sub(knee).projectOnPlane(axis);",
    "  const r1 = first.length(), r2 = second.length(), offset = tip.clone().sub(root).dot(axis);",
    "",
    "  // How far the end can be, within the limits of the joint angle; near that it slows down.",
    "  const reach = (degrees) => Math.sqrt(Math.max(0, r1 * r1 + r2 * r2 - 2 * r1 * r2 * Math.cos(MathUtils.degToRad(degrees))));",
    "  const inner = reach(least), outer = reach(greatest), zone = Math.min(soft * outer, (outer - inner) / 2);",
    "  let d = Math.sqrt(Math.max(0, p.lengthSq() - offset * offset));",
    "  if (zone > 0 && d > outer - zone) d = outer - Math.max(outer + zone - d, 0) ** 2 / (4 * zone);",
    "  d = MathUtils.clamp(d, inner, outer);",
    "",
    "  // Bend the joint: the angle from the first bone to the second, by the law of cosines.",
    "  const now = Math.atan2(axis.dot(first.clone().cross(second)), first.dot(second));",
    "  const bend = -Math.acos(MathUtils.clamp((d * d - r1 * r1 - r2 * r2) / (2 * r1 * r2), -1, 1));",
    "  turn(mid, new Quaternion().setFromAxisAngle(axis, bend - now));",
    "",
    "  // Turn the limb to the target, and its hinge perpendicular to target and pole.",
    "  const along = p.lengthSq() > 0 ? p.normalize() : new Vector3(0, -1, 0), line = mid.localToWorld(inMid.clone()).sub(root);",
    "  const basis = (x, n) => {",
    "    x = x.clone().normalize();",
    "    const z = n.clone().projectOnPlane(x).normalize();",
    "    return new Matrix4().makeBasis(x, z.clone().cross(x), z);",
    "  };",
    "  const wanted = basis(along, along.clone().cross(pole));",
    "  turn(start, new Quaternion().setFromRotationMatrix(wanted.multiply(basis(line, axis).transpose())));",
    "  // In some rigs the end is not below mid.",
    "  if (!mid.getObjectById(end.id)) end.position.copy(end.parent.worldToLocal(mid.localToWorld(inMid)));",
    "  end.updateMatrixWorld(true);",
    "  if (keepEnd) turn(end, kept.multiply(turned(end).invert()));",
    "}",
    "",
    `// This limb of ${posing.character.name}, in each frame after the mixer:`,
    `// solveLimb(model.getObjectByName(${start}), model.getObjectByName(${mid}), model.getObjectByName(${end}),`,
    `//   new Vector3(${target.map(short).join(", ")}), new Vector3(${pole.map(short).join(", ")}), new Vector3(${limb.limb.midAxis.map(short).join(", ")}),`,
    `//   { soft: ${soft}, least: ${least}, greatest: ${greatest}, keepEnd: ${!endIsLocal} });`,
    "",
  ].join("\n");
};
const plain = (/** @type {string} */ name) => name.replace(/\s/g, "_").replace(/[[\].:/]/g, "");

/** @param {Posing} posing @param {Shown} shown */
const glsl = (posing, shown) => {
  const { limb, root, target, pole } = shown,
    { lengths, along } = bonesOf(posing, shown),
    [r1, r2] = lengths.map(float),
    { soft, least, greatest } = posing.settings(limb);
  return [
    `// The joint of this limb of ${posing.character.name}, after iquilezles.org/articles/simpleik`,
    "// r1, r2: the lengths of the bones in the plane perpendicular to the hinge of the joint; aside: along it.",
    "vec3 joint(vec3 root, vec3 target, vec3 pole, float r1, float r2, vec2 aside, float inner, float outer, float soft, out vec3 end) {",
    "    vec3 p = target - root;",
    "    float offset = aside.x + aside.y, d = sqrt(max(dot(p, p) - offset * offset, 0.0)), zone = min(soft * outer, 0.5 * (outer - inner));",
    "    vec3 along = dot(p, p) > 0.0 ? normalize(p) : vec3(0.0, -1.0, 0.0);",
    "    if (zone > 0.0 && d > outer - zone) { float left = max(outer + zone - d, 0.0); d = outer - left * left / (4.0 * zone); }",
    "    d = max(clamp(d, inner, outer), 1e-6);",
    "    vec3 n = cross(along, pole);  // the hinge is perpendicular to target and pole",
    "    n *= inversesqrt(max(dot(n, n), 1e-12));",
    "    float far = length(vec2(d, offset));",
    "    vec3 u = (d * along - offset * n) / far, axis = (offset * along + d * n) / far, m = cross(axis, u);",
    "    float q = (d * d + r1 * r1 - r2 * r2) / (2.0 * d);",
    "    end = root + far * along;",
    "    return root + q * u + sqrt(max(r1 * r1 - q * q, 0.0)) * m + aside.x * axis;",
    "}",
    "",
    "// The distance from root to end at a joint angle in degrees.",
    "float reach(float degrees_, float r1, float r2) {",
    "    return sqrt(max(r1 * r1 + r2 * r2 - 2.0 * r1 * r2 * cos(radians(degrees_)), 0.0));",
    "}",
    "",
    "vec3 x(out vec3 end) {",
    `    float r1 = ${r1}, r2 = ${r2};`,
    `    return joint(${vec3(root)}, ${vec3(target)}, ${vec3(pole)}, r1, r2, vec2(${along.map(float).join(", ")}), reach(${float(least)}, r1, r2), reach(${float(greatest)}, r1, r2), ${float(soft)}, end);`,
    "}",
    "",
  ].join("\n");
};

export const code = { python, three, glsl };
