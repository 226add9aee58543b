// What the name of a joint says: its side, its place, and its role in a leg or an arm. The same as
// `motion/joint_names.py`; a test compares them on the words of both.

/** @typedef {"leg" | "arm"} Kind */
/** @typedef {"left" | "right"} Side */
/** @typedef {"front" | "hind"} Place */
/** @typedef {"start" | "mid" | "end" | "toe"} Role */
/** @typedef {{ side: Side | null, place: Place | null, kind: Kind | null, role: Role | null, isOther: boolean, words: string }} Meaning */

/** @type {Record<string, Side>} */
const SIDES = { left: "left", l: "left", right: "right", r: "right" };
/** @type {Record<string, Place>} */
const PLACES = { front: "front", fore: "front", hind: "hind", back: "hind", rear: "hind" };
/** @type {[Kind, Role | null, string][]} */
const WORDS = [
  ["leg", "start", "upperleg legupper upleg thigh femur hip"],
  ["leg", "mid", "lowerleg leglower lowleg shin calf knee tibia"],
  ["leg", "end", "foot ankle legankle legfoot hock hoof paw tarsus"],
  ["leg", "toe", "toe toes toebase ball"],
  ["leg", null, "leg"],
  ["arm", "start", "upperarm armupper uparm humerus"],
  ["arm", "mid", "forearm lowerarm armlower elbow radius"],
  ["arm", "end", "hand wrist fist"],
  ["arm", null, "shoulder arm"],
];
/** @type {Map<string, { kind: Kind, role: Role | null }>} */
const ROLES = new Map(
  WORDS.flatMap(([kind, role, words]) =>
    words.split(" ").map((word) => /** @type {[string, { kind: Kind, role: Role | null }]} */ ([word, { kind, role }])),
  ),
);
const OTHERS = new Set(
  "breast cape cloth ctrl ear eye finger hair head index jaw middle neck pinky pole ring skirt spine tail target thumb tongue weapon wing".split(
    " ",
  ),
);
const IN_JAPANESE = [
  ["左", " left "],
  ["右", " right "],
  ["足首", " ankle "],
  ["つま先", " toe "],
  ["ひざ", " knee "],
  ["足", " thigh "],
  ["ひじ", " elbow "],
  ["手首", " wrist "],
  ["腕", " upper arm "],
];
const ONE_LETTER = /^([lr])(hip|femur|tibia|foot|toes|humerus|radius|wrist|hand|ankle|knee)/;

/** The words of a name in lower case, without digits and namespaces. @type {(name: string) => string[]} */
export const split = (name) => {
  name = name.slice(name.lastIndexOf(":") + 1);
  for (const [japanese, english] of IN_JAPANESE) name = name.replaceAll(japanese, english);
  name = name.replace(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, a = "", b = "", c = "") => `${a}${c} ${b}`);
  const out = [];
  for (const word of (name.match(/[A-Za-z]+/g) ?? []).map((each) => each.toLowerCase())) {
    const found = ONE_LETTER.exec(word);
    if (word === "arm" && out.at(-1) === "fore") out[out.length - 1] = "forearm";
    else if (found) out.push(found[1], word.slice(1));
    else out.push(word);
  }
  return out;
};

// Kind and role; two words, such as "lower leg", count before one.
const roleOf = (/** @type {string[]} */ words) => {
  const pairs = words.slice(1).map((word, i) => words[i] + word);
  const found = [...pairs, ...words].flatMap((word) => ROLES.get(word) ?? []);
  return found.find(({ role }) => role !== null) ?? found[0] ?? { kind: null, role: null };
};

/** @type {(name: string) => Meaning} */
export const meaning = (name) => {
  const words = split(name),
    isSide = (/** @type {string} */ word) => Object.hasOwn(SIDES, word),
    isPlace = (/** @type {string} */ word) => Object.hasOwn(PLACES, word);
  const side = words.find(isSide),
    place = words.find(isPlace);
  return {
    side: side ? SIDES[side] : null,
    place: place ? PLACES[place] : null,
    ...roleOf(words.filter((word) => !isSide(word) && !isPlace(word))),
    isOther: words.some((word) => OTHERS.has(word)),
    words: words.filter((word) => !isSide(word)).join(" "),
  };
};
