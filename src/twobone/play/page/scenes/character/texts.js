// The words of the Character scene that hold numbers and names.
import { t } from "../../texts/texts.js";

/** @type {Record<string, string>} */
const LIMBS = {
  "left leg": t`left leg`,
  "right leg": t`right leg`,
  "left arm": t`left arm`,
  "right arm": t`right arm`,
  "left front leg": t`left front leg`,
  "right front leg": t`right front leg`,
  "left hind leg": t`left hind leg`,
  "right hind leg": t`right hind leg`,
  leg: t`leg`,
  arm: t`arm`,
};
/** The name of a limb, such as "left leg 2", in the language of the page. @param {string} name */
const limbName = (name) => {
  const number = /^(.*?)( \d+)?$/.exec(name);
  return number ? (LIMBS[number[1]] ?? number[1]) + (number[2] ?? "") : name;
};
/** A text with a capital letter. @param {string} text */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** @type {Record<string, string>} */
const STATUS = { REACHED: t`reached`, AMBIGUOUS: t`ambiguous: the pole is parallel to the limb`, INVALID: t`invalid` };

// Expressions of VRM, of both versions; other names are those of the file.
/** @type {Record<string, string>} */
const EXPRESSIONS = {
  neutral: t`neutral`,
  happy: t`happy`,
  joy: t`happy`,
  angry: t`angry`,
  sad: t`sad`,
  sorrow: t`sad`,
  relaxed: t`relaxed`,
  fun: t`relaxed`,
  surprised: t`surprised`,
  blink: t`blink`,
  blinkLeft: t`blink left`,
  blink_l: t`blink left`,
  blinkRight: t`blink right`,
  blink_r: t`blink right`,
  lookUp: t`look up`,
  lookup: t`look up`,
  lookDown: t`look down`,
  lookdown: t`look down`,
  lookLeft: t`look left`,
  lookleft: t`look left`,
  lookRight: t`look right`,
  lookright: t`look right`,
};

export const texts = {
  expression: (/** @type {string} */ name) => (Object.hasOwn(EXPRESSIONS, name) ? capital(EXPRESSIONS[name]) : name),
  limbName,
  limb: (/** @type {string} */ name) => capital(limbName(name)),
  reading: (/** @type {string} */ name) => t`Reading ${name}`,
  loaded: (/** @type {string} */ name, /** @type {number} */ joints, /** @type {number} */ limbs) =>
    limbs
      ? t`${name}: ${joints} joints, ${limbs} limbs.`
      : t`${name}: ${joints} joints, but no limbs were found in this clip.`,
  refused: (/** @type {string} */ name, /** @type {string} */ why) => t`Cannot show ${name}. ${why}`,
  unknown: t`Its name must end in .glb, .vrm or .bvh.`,
  tooLarge: (/** @type {number} */ most) => t`It is larger than ${most} MB.`,
  ofPython: (/** @type {string} */ words) => t`Python says: ${words}`,
  failed: t`Something went wrong while reading it.`,
  many: t`Several files were dropped; drop one.`,
  sample: t`The page’s own figure`,
  // Blender puts the name of the skeleton before that of the clip.
  clip: (/** @type {string | null} */ name, /** @type {number} */ i) => name?.split("|").pop() || t`Clip ${i + 1}`,
  play: t`Play`,
  pause: t`Pause`,
  frame: (/** @type {number} */ frame, /** @type {number} */ count) => t`${frame + 1} of ${count}`,
  target: (/** @type {string} */ limb, /** @type {string} */ at) =>
    limb.includes("arm") ? t`${texts.limb(limb)}, hand: ${at}` : t`${texts.limb(limb)}, foot: ${at}`,
  pole: (/** @type {string} */ limb, /** @type {string} */ at) => t`${texts.limb(limb)}, pole: ${at}`,
  poleLabel: t`pole`,
  follows: t`follows the clip`,
  status: (/** @type {string} */ word, /** @type {number} */ by, /** @type {boolean} */ isSoft) => {
    const amount = by.toPrecision(2);
    if (word === "TOO_FAR") return isSoft ? t`softened: short by ${amount}` : t`too far by ${amount}`;
    if (word === "TOO_NEAR") return isSoft ? t`softened: beyond by ${amount}` : t`too near by ${amount}`;
    return STATUS[word];
  },
  say: (/** @type {string} */ name, /** @type {string} */ limb, /** @type {string} */ status) =>
    `${name}; ${limbName(limb)}: ${status}`,
  count: (/** @type {string} */ limb, /** @type {string} */ status) => `${capital(limbName(limb))}: ${status}.`,
  none: t`No limb is selected`,
};
