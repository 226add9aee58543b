// Code that poses a limb of the character as the page does: in Python, for three.js, in GLSL. Each line is a
// string of its own, because lines that begin like a statement or a comment would be taken for one.
import { minus, size } from "./rotations.js";

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

// The bones of a limb where they are: lengths, and the direction from the joint to the elbow.
const bonesOf = (/** @type {Shown} */ { root, joint, end }) => [size(minus(joint, root)), size(minus(end, joint))];

/** @param {Posing} posing @param {Shown} shown */
const python = (posing, { limb, target, pole }) => {
  const { skeleton, clips } = posing.source, { soft, least, greatest, bend, endIsLocal } = posing.settings(limb), { clip } = posing;
  const { names } = skeleton, three = [limb.start, limb.mid, limb.end], isNamed = three.every((joint) => names.indexOf(names[joint]) === names.lastIndexOf(names[joint]));
  const joints = three.map((joint) => (isNamed ? text(names[joint]) : joint)).join(", "), isFile = !posing.character.solids;
  const isAlone = clip.name !== null && clips.filter(({ name }) => name === clip.name).length === 1, chosen = clips.length > 1 ? `, clip=${isAlone ? text(clip.name) : posing.index}` : "";
  const load = [`clip = motion.load(${text(posing.character.name)}${chosen})`, "skeleton = clip.skeleton", `pose = LocalPose(*(part[${Math.round(posing.frame) % clip.count}] for part in clip.pose))  # of one frame`];
  const hasLimits = least > 0 || greatest < 180, policy = soft ? `twobone.Soft(${soft})` : '"clamp"', limits = `twobone.Limits(${least}, ${greatest})`;
  const ahead = [...(limb.isDetached || !isFile ? ["import numpy as np"] : []), "import twobone", `from twobone import LocalPose, ${isFile ? "motion" : "Skeleton"}`];
  const axis = list(limb.limb.midAxis);
  const detached = [
    "# The end is no descendant of the second bone, so the limb is given by matrices.",
    "world = skeleton.to_global(pose)",
    `joints = [skeleton.index(joint) for joint in (${joints})]`,
    "matrices = np.tile(np.eye(4), (3, 1, 1))",
    "matrices[:, :3, :3] = quaternion_to_matrix(world.rotations[joints])",
    "matrices[:, :3, 3] = world.positions[joints]",
    "found = twobone.correct_limb(", "    *matrices,", `    ${list(target)},`, `    pole=${list(pole)},`, `    mid_axis=${axis},`,
    `    unreachable=${hasLimits ? (soft ? `${limits} | ${policy}` : limits) : policy},`, ")",
    "print(found.start, found.mid, twobone.Status(found.status).name)",
  ];
  const attached = [
    `limb = twobone.Limb(skeleton, ${joints}, mid_axis=${axis}${hasLimits ? `, limits=(${least}, ${greatest})` : ""})`,
    "posed = limb.reach(", "    pose,", `    ${list(target)},`, ...(bend === "rest" ? [] : [`    pole=${list(pole)},${bend === "transport" ? '  # for all frames of a clip: bend="transport"' : ""}`]),
    ...(endIsLocal ? ['    end_rotation="local",'] : []), `    unreachable=${policy},`, ")",
    "print(skeleton.to_global(posed.pose).positions[limb.end], twobone.Status(posed.status).name)",
  ];
  return [...ahead, ...(limb.isDetached ? ["from twobone.rotations import quaternion_to_matrix"] : []), "", ...(isFile ? load : madeInPython(posing)), "", ...(limb.isDetached ? detached : attached), ""].join("\n");
};
// The skeleton of the page's own figure as arrays, in the pose that is shown before limbs were taken.
const madeInPython = (/** @type {Posing} */ posing) => {
  const { skeleton } = posing.source, pose = posing.clip.poseAt(posing.frame);
  return [
    `names = ${text(skeleton.names)}`, `parents = ${list(skeleton.parents)}`, `offsets = [${skeleton.rest.translations.map(list).join(", ")}]`,
    "skeleton = Skeleton(parents, offsets, names=names)",
    `rotations = np.array([${pose.rotations.map(list).join(", ")}])`,
    `translations = np.array([${pose.translations.map(list).join(", ")}])`, "pose = LocalPose(rotations, translations)",
  ];
};

/** @param {Posing} posing @param {Shown} shown */
const three = (posing, { limb, target, pole }) => {
  const { skeleton } = posing.source, { soft, least, greatest, endIsLocal } = posing.settings(limb), [start, mid, end] = [limb.start, limb.mid, limb.end].map((joint) => text(plain(skeleton.names[joint])));
  return [
    "// Two-bone inverse kinematics for three.js: bend start and mid so that end meets a target.",
    "// After iquilezles.org/articles/simpleik; target and pole are in the world, the pole is a direction.",
    "// The joint bends in the plane of the pole, as if its hinge were perpendicular to both bones.",
    'import { MathUtils, Matrix4, Quaternion, Vector3 } from "three";',
    "",
    "export function solveLimb(start, mid, end, target, pole, { soft = 0, least = 0, greatest = 180, keepEnd = true } = {}) {",
    "  start.updateWorldMatrix(true, false);",
    "  start.updateMatrixWorld(true);",
    "  const at = (bone) => new Vector3().setFromMatrixPosition(bone.matrixWorld);",
    "  const turned = (bone) => bone.getWorldQuaternion(new Quaternion());",
    "  const root = at(start), knee = at(mid), tip = at(end), kept = turned(end);",
    "  const r1 = root.distanceTo(knee), r2 = knee.distanceTo(tip), p = target.clone().sub(root);",
    "",
    "  // How far the end can be, within the limits of the joint angle; near that it slows down.",
    "  const reach = (degrees) => Math.sqrt(Math.max(0, r1 * r1 + r2 * r2 - 2 * r1 * r2 * Math.cos(MathUtils.degToRad(degrees))));",
    "  const inner = reach(least), outer = reach(greatest), zone = Math.min(soft * outer, (outer - inner) / 2);",
    "  let d = p.length();",
    "  if (zone > 0 && d > outer - zone) d = outer - Math.max(outer + zone - d, 0) ** 2 / (4 * zone);",
    "  d = Math.max(1e-9, MathUtils.clamp(d, inner, outer));",
    "",
    "  // The joint: along the line to the target, and across it towards the pole.",
    "  const along = p.lengthSq() > 0 ? p.normalize() : new Vector3(0, -1, 0);",
    "  const across = pole.clone().addScaledVector(along, -pole.dot(along)).normalize();",
    "  const q = (d * d + r1 * r1 - r2 * r2) / (2 * d), s = Math.sqrt(Math.max(0, r1 * r1 - q * q));",
    "  const joint = root.clone().addScaledVector(along, q).addScaledVector(across, s), goal = root.clone().addScaledVector(along, d);",
    "",
    "  // Turn the first bone and with it the plane of the limb, then the second bone.",
    "  const bend = knee.sub(root), second = tip.clone().sub(at(mid)), normal = new Vector3().crossVectors(bend, second);",
    "  if (normal.length() < 1e-6 * r1 * r2) normal.crossVectors(pole, bend); // a straight limb shows no plane",
    "  const basis = (x, n) => {",
    "    x = x.clone().normalize();",
    "    const z = n.clone().addScaledVector(x, -n.dot(x)).normalize();",
    "    return new Matrix4().makeBasis(x, z.clone().cross(x), z);",
    "  };",
    "  const turn = (bone, change) => {",
    "    const above = bone.parent ? turned(bone.parent).invert() : new Quaternion();",
    "    bone.quaternion.copy(above.multiply(change).multiply(turned(bone)));",
    "    bone.updateMatrixWorld(true);",
    "  };",
    "  const wanted = basis(joint.clone().sub(root), across.clone().cross(along));",
    "  turn(start, new Quaternion().setFromRotationMatrix(wanted.multiply(basis(bend, normal).transpose())));",
    "  const from = at(end).sub(at(mid)).normalize(), to = goal.sub(at(mid)).normalize();",
    "  turn(mid, new Quaternion().setFromUnitVectors(from, to));",
    "  if (keepEnd) turn(end, kept.multiply(turned(end).invert()));",
    "}",
    "",
    `// This limb of ${posing.character.name}, in each frame after the mixer:`,
    `// solveLimb(model.getObjectByName(${start}), model.getObjectByName(${mid}), model.getObjectByName(${end}),`,
    `//   new Vector3(${target.map(short).join(", ")}), new Vector3(${pole.map(short).join(", ")}),`,
    `//   { soft: ${soft}, least: ${least}, greatest: ${greatest}, keepEnd: ${!endIsLocal} });`,
    "",
  ].join("\n");
};
const plain = (/** @type {string} */ name) => name.replace(/\s/g, "_").replace(/[[\].:/]/g, "");

/** @param {Posing} posing @param {Shown} shown */
const glsl = (posing, shown) => {
  const { limb, root, target, pole } = shown, [r1, r2] = bonesOf(shown).map(float), { soft, least, greatest } = posing.settings(limb);
  return [
    `// The joint of this limb of ${posing.character.name}, after iquilezles.org/articles/simpleik`,
    "vec3 joint(vec3 root, vec3 target, vec3 pole, float r1, float r2, float inner, float outer, float soft, out vec3 end) {",
    "    vec3 p = target - root;",
    "    float d = length(p), zone = min(soft * outer, 0.5 * (outer - inner));",
    "    vec3 along = d > 0.0 ? p / d : vec3(0.0, -1.0, 0.0);",
    "    if (zone > 0.0 && d > outer - zone) { float left = max(outer + zone - d, 0.0); d = outer - left * left / (4.0 * zone); }",
    "    d = max(clamp(d, inner, outer), 1e-6);",
    "    vec3 m = pole - along * dot(pole, along);  // towards the pole, perpendicular to the line",
    "    float q = (d * d + r1 * r1 - r2 * r2) / (2.0 * d);",
    "    end = root + d * along;",
    "    return root + q * along + sqrt(max(r1 * r1 - q * q, 0.0)) * m * inversesqrt(max(dot(m, m), 1e-12));",
    "}",
    "",
    "// The distance from root to end at a joint angle in degrees.",
    "float reach(float degrees_, float r1, float r2) {",
    "    return sqrt(max(r1 * r1 + r2 * r2 - 2.0 * r1 * r2 * cos(radians(degrees_)), 0.0));",
    "}",
    "",
    "vec3 x(out vec3 end) {",
    `    float r1 = ${r1}, r2 = ${r2};`,
    `    return joint(${vec3(root)}, ${vec3(target)}, ${vec3(pole)}, r1, r2, reach(${float(least)}, r1, r2), reach(${float(greatest)}, r1, r2), ${float(soft)}, end);`,
    "}",
    "",
  ].join("\n");
};

export const code = { python, three, glsl };
