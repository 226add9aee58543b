// The character in the page: a small figure made of formulas. It waves, and walks in a circle on two-bone
// legs whose feet stay where they stand.
import { t } from "../../texts/texts.js";
import { limbOf, reach } from "./reach.js";
import { about, conjugate, minus, multiply, plus, rotate, times } from "./rotations.js";
import { aboveOf, placeBelow, skeletonOf, toWorld } from "./skeleton.js";

/** @typedef {import("./rotations.js").Vector} Vector */
/** @typedef {import("./rotations.js").Quaternion} Quaternion */
/** @typedef {import("./skeleton.js").Pose} Pose */

// Metres, y up, facing z. Name, parent, offset; those with a side are there twice.
/** @type {[string, string, Vector][]} */
const MIDDLE = [
  ["Hips", "", [0, 0.93, 0]],
  ["Spine", "Hips", [0, 0.1, 0]],
  ["Chest", "Spine", [0, 0.15, 0]],
  ["Neck", "Chest", [0, 0.25, 0]],
  ["Head", "Neck", [0, 0.09, 0.015]],
  ["HeadTop", "Head", [0, 0.21, 0.015]],
];
/** @type {[string, string, Vector][]} */
const SIDES = [
  ["Shoulder", "Chest", [0.04, 0.19, 0]],
  ["Arm", "Shoulder", [0.13, -0.01, 0]],
  ["ForeArm", "Arm", [0.04, -0.275, -0.015]],
  ["Hand", "ForeArm", [0.01, -0.25, 0.02]],
  ["Fingers", "Hand", [0, -0.1, 0.01]],
  ["UpLeg", "Hips", [0.09, -0.03, 0]],
  ["Leg", "UpLeg", [0, -0.43, 0.015]],
  ["Foot", "Leg", [0, -0.41, -0.02]],
  ["Toe", "Foot", [0, -0.035, 0.15]],
];
const ALL = [
  ...MIDDLE,
  ...["Left", "Right"].flatMap((side) =>
    SIDES.map(([name, parent, [x, y, z]]) => {
      const isMiddle = MIDDLE.some(([other]) => other === parent);
      return /** @type {[string, string, Vector]} */ ([
        side + name,
        isMiddle ? parent : side + parent,
        [side === "Left" ? x : -x, y, z],
      ]);
    }),
  ),
];
const NAMES = ALL.map(([name]) => name),
  at = (/** @type {string} */ name) => NAMES.indexOf(name);
const skeleton = skeletonOf(
  NAMES,
  ALL.map(([, parent]) => at(parent)),
  { rotations: ALL.map(() => [0, 0, 0, 1]), translations: ALL.map(([, , offset]) => offset) },
);
const legs = ["Left", "Right"].map((side) =>
  limbOf(skeleton, { start: at(`${side}UpLeg`), mid: at(`${side}Leg`), end: at(`${side}Foot`) }, [-1, 0, 0]),
);
const HIGH = skeleton.rest.translations[0][1],
  ANKLE = 0.07; // of the hips and of the ankles above the ground

// --- shape --------------------------------------------------------------------------------

// Round cones of the body: from a joint to another, with their radii and the colour of the page.
/** @type {[string, string, number, number, string][]} */
const TRUNK = [
  ["Hips", "Spine", 0.115, 0.105, "body"],
  ["Spine", "Chest", 0.105, 0.13, "body"],
  ["Chest", "Neck", 0.13, 0.05, "body"],
  ["Neck", "Head", 0.045, 0.045, "light"],
];
/** @type {[string, string, number, number, string][]} */
const LIMBS = [
  ["Shoulder", "Arm", 0.07, 0.055, "body"],
  ["Arm", "ForeArm", 0.05, 0.041, "r1"],
  ["ForeArm", "Hand", 0.04, 0.029, "r2"],
  ["Hand", "Fingers", 0.036, 0.022, "light"],
  ["UpLeg", "Leg", 0.078, 0.053, "r1"],
  ["Leg", "Foot", 0.052, 0.035, "r2"],
  ["Foot", "Toe", 0.047, 0.032, "light"],
];
const SHAPE = [
  ...TRUNK,
  ...["Left", "Right"].flatMap((side) =>
    LIMBS.map(
      ([a, b, ra, rb, colour]) =>
        /** @type {[string, string, number, number, string]} */ ([side + a, side + b, ra, rb, colour]),
    ),
  ),
];
const CONES = SHAPE.map(([a, b, ra, rb, colour]) => ({ a: at(a), b: at(b), ra, rb, colour }));

// --- clips --------------------------------------------------------------------------------

const FPS = 30;
const wave = (/** @type {number} */ turns, late = 0) => Math.sin(2 * Math.PI * (turns - late));
const smooth = (/** @type {number} */ v) => v * v * (3 - 2 * v);
const turn = (/** @type {Vector} */ axis, /** @type {number} */ angle) =>
  about(axis, [Math.cos(angle / 2), Math.sin(angle / 2)]);
const X = [1, 0, 0],
  Y = [0, 1, 0],
  Z = [0, 0, 1];

/** A pose with the hips somewhere, some joints turned, and both ankles placed with their soles turned. @type {(hips: Vector, heading: Quaternion, turned: Record<string, Quaternion>, feet: { ankle: Vector, sole: Quaternion }[]) => Pose} */
const posed = (hips, heading, turned, feet) => {
  const pose = {
    rotations: skeleton.rest.rotations.map((q) => q.slice()),
    translations: skeleton.rest.translations.map((v) => v.slice()),
  };
  for (const [name, q] of Object.entries(turned)) pose.rotations[at(name)] = q;
  pose.translations[0] = hips;
  pose.rotations[0] = multiply(heading, pose.rotations[0]);
  const world = toWorld(skeleton, pose);
  legs.forEach((leg, i) => {
    reach(skeleton, leg, pose, world, feet[i].ankle, {
      pole: rotate(heading, [i ? -0.12 : 0.12, 0, 1]),
      unreachable: { soft: 0.02 },
    });
    pose.rotations[leg.end] = multiply(conjugate(aboveOf(skeleton, world, leg.end)), feet[i].sole);
    placeBelow(skeleton, pose, world, leg.end);
  });
  return pose;
};

// Standing on both feet, the weight going from one to the other, and waving the right hand.
const WAVE = 150;
const waving = (/** @type {number} */ frame) => {
  const t = frame / WAVE,
    sway = wave(2 * t),
    lift = smooth(Math.min(1, Math.max(0, 3.2 * Math.sin(Math.PI * t) - 0.4)));
  const hips = [0.035 * sway, HIGH - 0.025 - 0.012 * wave(4 * t, 0.1), 0.01 * wave(t)];
  const feet = [0.13, -0.13].map((x) => ({ ankle: [x, ANKLE, 0], sole: turn(Y, x > 0 ? 0.16 : -0.16) }));
  return posed(
    hips,
    turn(Z, 0.03 * sway),
    {
      Spine: turn(Z, -0.05 * sway),
      Chest: multiply(turn(Y, 0.1 * wave(t)), turn(X, 0.02 * wave(3 * t))),
      Head: multiply(turn(Y, 0.16 * wave(t, 0.1)), turn(Z, -0.1 * lift)),
      LeftArm: multiply(turn(Z, 0.1 + 0.03 * sway), turn(X, 0.06 * wave(2 * t, 0.2))),
      LeftForeArm: turn(X, -0.3 - 0.05 * wave(2 * t, 0.3)),
      RightArm: multiply(turn(Z, -0.1 - 1.2 * lift), turn(X, -0.15 - 0.4 * lift)),
      RightForeArm: multiply(turn(X, -0.3 - 0.1 * lift), turn(Z, lift * (-1.55 + 0.5 * wave(8 * t)))),
      RightHand: turn(Z, 0.25 * lift * wave(8 * t, 0.15)),
    },
    feet,
  );
};

// Five steps of each foot around a circle: a foot stands for 62 % of a cycle, and then swings to the place
// where it stands next.
const WALK = 165,
  CYCLES = 5,
  STRIDE = 0.96,
  STANCE = 0.62,
  RADIUS = (CYCLES * STRIDE) / (2 * Math.PI);
const onCircle = (/** @type {number} */ cycles, aside = 0) => {
  const angle = (cycles * STRIDE) / RADIUS,
    far = RADIUS - aside;
  return { place: [far * Math.sin(angle), 0, far * Math.cos(angle)], heading: turn(Y, angle + Math.PI / 2) };
};
const walking = (/** @type {number} */ frame) => {
  const cycles = (CYCLES * frame) / WALK,
    { place, heading } = onCircle(cycles),
    swing = wave(cycles, -0.22);
  const feet = [0.085, -0.085].map((aside, i) => {
    const own = cycles - i / 2,
      step = Math.floor(own),
      phase = own - step,
      stands = phase < STANCE;
    const share = stands ? 0 : smooth((phase - STANCE) / (1 - STANCE)),
      stood = step + i / 2 + STANCE / 2,
      spot = onCircle(stood + share, aside);
    // The heel comes down first, and rises last.
    const late = stands ? Math.max(0, (phase / STANCE - 0.68) / 0.32) : Math.max(0, 1 - 2.2 * share),
      early = stands ? Math.max(0, 1 - phase / 0.1) : Math.max(0, (share - 0.55) / 0.45);
    const pitch = 0.62 * smooth(late) - 0.3 * early,
      high = stands ? 0 : 0.075 * Math.sin(Math.PI * share);
    const up = 0.17 * Math.sin(Math.max(0, pitch)) + 0.03 * Math.max(0, -pitch),
      ahead = 0.05 * (1 - Math.cos(pitch));
    return {
      ankle: plus(spot.place, plus([0, ANKLE + up + high, 0], rotate(spot.heading, [0, 0, ahead]))),
      sole: multiply(spot.heading, turn(X, pitch)),
    };
  });
  const hips = plus(
    place,
    plus([0, HIGH - 0.028 + 0.02 * wave(2 * cycles, 0.37), 0], rotate(heading, [0.022 * wave(cycles, 0.06), 0, 0])),
  );
  const arm = (/** @type {number} */ s) => multiply(turn(Z, 0.1 * s), turn(X, -0.05 + 0.42 * s * swing)),
    bend = (/** @type {number} */ s) => turn(X, -0.42 + 0.22 * s * swing);
  return posed(
    hips,
    multiply(heading, multiply(turn(Y, -0.12 * swing), turn(Z, 0.03 * wave(cycles, 0.06)))),
    {
      Spine: multiply(turn(X, 0.05), turn(Y, 0.11 * swing)),
      Chest: multiply(turn(Y, 0.11 * swing), turn(Z, -0.05)),
      Head: multiply(turn(Y, 0.1 - 0.1 * swing), turn(X, -0.04)),
      LeftArm: arm(1),
      RightArm: arm(-1),
      LeftForeArm: bend(1),
      RightForeArm: bend(-1),
    },
    feet,
  );
};

const mix = (
  /** @type {Vector[]} */ positions,
  /** @type {string} */ a,
  /** @type {string} */ b,
  /** @type {number} */ share,
) => plus(times(1 - share, positions[at(a)]), times(share, positions[at(b)]));

/** Round cones and balls of the figure in a pose. @param {import("./skeleton.js").World} world */
const solids = ({ positions }) => [
  ...CONES.map(({ a, b, ra, rb, colour }) => ({ a: positions[a], b: positions[b], ra, rb, colour })),
  ...[
    ["LeftForeArm", 0.043],
    ["RightForeArm", 0.043],
    ["LeftLeg", 0.056],
    ["RightLeg", 0.056],
  ].map(([name, r]) => ({ a: positions[at(String(name))], r: Number(r), colour: "joint" })),
  // The skull and the jaw.
  { a: mix(positions, "Head", "HeadTop", 0.5), r: 0.105, colour: "light" },
  { a: mix(positions, "Head", "HeadTop", 0.15), r: 0.075, colour: "light" },
  {
    a: minus(positions[at("Hips")], times(0.03, Y)),
    b: plus(positions[at("Hips")], times(0.04, Y)),
    ra: 0.11,
    rb: 0.11,
    colour: "body",
  },
];

/** The sample: its skeleton, its clips and its shape. */
export const sample = () => ({
  source: {
    skeleton,
    up: /** @type {"y"} */ ("y"),
    metres: 1,
    humanBones: {},
    clips: [
      { name: t`Wave`, count: WAVE, fps: FPS, poseAt: (/** @type {number} */ frame) => waving(frame) },
      { name: t`Walk`, count: WALK, fps: FPS, poseAt: (/** @type {number} */ frame) => walking(frame) },
    ],
  },
  solids,
  floor: 0,
});
