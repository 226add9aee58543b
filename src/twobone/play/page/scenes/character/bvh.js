// BVH files, read as `files/bvh.py` and `motion/from_bvh.py` read them: angles in float64, channels in any
// order, end sites as joints with names of their own, and errors that name a line. BVHLoader of three.js
// rounds to float32, gives all end sites one name, and throws what no reader understands.
import { t } from "../../texts/texts.js";
import { FARTHEST, MOST_JOINTS, Refused, quoted } from "./refused.js";
import { guessMetres, guessUp } from "./guesses.js";
import { multiply, nlerp } from "./rotations.js";
import { skeletonOf } from "./skeleton.js";

/** @typedef {import("./skeleton.js").Pose} Pose */
/** @typedef {{ name: string, parent: number, isEnd: boolean, offset: number[] | null, channels: string[] }} Joint */

const CHANNELS = ["Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"];
const MOST_CHANNELS_TO_JOINTS = 4; // joints for each channel: a file of end sites alone would grow beyond its size
const SHORTEST = 1e-300,
  LONGEST = 1e300; // seconds: the frame rate is finite
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const isNumber = (/** @type {string} */ word) => NUMBER.test(word) && Math.abs(Number(word)) <= FARTHEST;

// The text of a file, and the place up to which it was read.
class Text {
  at = 0;
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
  /** @returns {[string, number]} the next word or brace, and where it is */
  word(/** @type {string} */ wanted) {
    const found = this.find(/[{}]|[^\s{}]+/g);
    if (!found) throw this.error(this.text.length, wanted, t`the end of the file`);
    return [found[0], found.index];
  }
  find(/** @type {RegExp} */ pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = found.index + found[0].length;
    return found;
  }
  number(/** @type {string} */ wanted) {
    const [word, at] = this.word(wanted);
    if (!isNumber(word)) throw this.error(at, wanted, quoted(word));
    return Number(word);
  }
  // The rest of the line, up to a brace.
  line() {
    return (this.find(/[^{}\r\n]*/g)?.[0] ?? "").trim();
  }
  error(/** @type {number} */ at, /** @type {string} */ wanted, /** @type {string} */ came) {
    const line = this.text.slice(0, at).split(/\r\n|\r|\n/).length;
    return new Refused(t`Line ${line}: expected ${wanted}, got ${came}.`);
  }
}

const hierarchy = (/** @type {Text} */ text) => {
  /** @type {Joint[]} */
  const joints = [];
  /** @type {number[]} */
  const open = [];
  const [first, start] = text.word(t`the word HIERARCHY`);
  if (first.toUpperCase() !== "HIERARCHY") throw text.error(start, t`the word HIERARCHY`, quoted(first));
  for (;;) {
    const at = open.at(-1),
      top = at === undefined ? null : joints[at];
    const [word, place] = text.word(t`ROOT, JOINT, End Site, OFFSET, CHANNELS, } or MOTION`),
      kind = word.toUpperCase();
    const isInside = top !== null && !top.isEnd;
    if (kind === "MOTION" && joints.length && !top) return joints;
    if (kind === "OFFSET" && top && !top.offset) {
      top.offset = [0, 1, 2].map(() => text.number(t`a number up to ${FARTHEST}`));
      continue;
    }
    if (kind === "CHANNELS" && isInside && !top.channels.length) {
      const count = text.number(t`the number of channels, 0 to 6`);
      for (let i = 0; i < count; i++) {
        const [given, where] = text.word(t`a channel`),
          name = CHANNELS.find((each) => each.toLowerCase() === given.toLowerCase());
        if (!name || top.channels.includes(name))
          throw text.error(where, t`one of the channels ${CHANNELS.join(", ")}, each once`, quoted(given));
        top.channels.push(name);
      }
      continue;
    }
    if (word === "}" && top?.offset) {
      open.pop();
      continue;
    }
    if (kind === "ROOT" && !top)
      joints.push({ name: text.line(), parent: -1, isEnd: false, offset: null, channels: [] });
    else if (kind === "JOINT" && isInside)
      joints.push({ name: text.line(), parent: open[open.length - 1], isEnd: false, offset: null, channels: [] });
    else if (kind === "END" && isInside) {
      text.line(); // "Site", or a name that no program reads
      joints.push({
        name: `${top.name} End Site`,
        parent: open[open.length - 1],
        isEnd: true,
        offset: null,
        channels: [],
      });
    } else
      throw text.error(
        place,
        top ? (top.offset ? t`JOINT, End Site or }` : "OFFSET") : t`ROOT or MOTION`,
        quoted(word),
      );
    if (!joints[joints.length - 1].name) throw text.error(place, t`the name of a joint`, t`no name`);
    if (joints.length > MOST_JOINTS) throw new Refused(t`The skeleton has more than ${MOST_JOINTS} joints.`);
    const [brace, where] = text.word("{");
    if (brace !== "{") throw text.error(where, "{", quoted(brace));
    open.push(joints.length - 1);
  }
};

// The numbers of all frames, one row for each.
const numbers = (/** @type {Text} */ text, /** @type {number} */ width) => {
  const count = text.find(/\s*Frames\s*:\s*(\S+)/iy),
    place = text.at,
    time = text.find(/\s*Frame\s+Time\s*:\s*(\S+)/iy);
  if (!count || !time) throw text.error(text.at, t`Frames: and Frame Time:, each with a number`, t`something else`);
  const frames = Number(count[1]),
    seconds = NUMBER.test(time[1]) ? Number(time[1]) : 0;
  if (!(Number.isInteger(frames) && frames > 0))
    throw text.error(place, t`a number of frames, 1 or more`, quoted(count[1]));
  if (!(seconds > SHORTEST && seconds < LONGEST))
    throw text.error(text.at, t`seconds for a frame, between ${SHORTEST} and ${LONGEST}`, quoted(time[1]));
  const lines = text.text.slice(text.at).split(/\r\n|\r|\n/),
    before = text.text.slice(0, text.at).split(/\r\n|\r|\n/).length;
  /** @type {Float64Array[]} */
  const rows = [];
  lines.forEach((line, i) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === "") return;
    const bad = words.find((word) => !isNumber(word));
    if (bad !== undefined)
      throw new Refused(t`Line ${before + i}: expected ${t`a number up to ${FARTHEST}`}, got ${quoted(bad)}.`);
    if (words.length !== width)
      throw new Refused(
        t`Line ${before + i}: expected ${width} numbers in a line, one for each channel, got ${words.length}.`,
      );
    rows.push(Float64Array.from(words, Number));
  });
  if (rows.length !== frames)
    throw new Refused(t`Expected ${frames} lines of numbers, one for each frame, got ${rows.length}.`);
  return { rows, seconds };
};

/** Read a BVH file. @param {ArrayBuffer} buffer */
export const readBvh = (buffer) => {
  let decoded;
  try {
    decoded = new TextDecoder("utf-8", { fatal: true }).decode(buffer);
  } catch {
    throw new Refused(t`This is no BVH file: it is not text in UTF-8.`);
  }
  const text = new Text(decoded),
    joints = hierarchy(text);
  const width = joints.reduce((sum, { channels }) => sum + channels.length, 0);
  if (joints.length > MOST_CHANNELS_TO_JOINTS * width)
    throw new Refused(t`The skeleton has no channels that move its joints.`);
  const { rows, seconds } = numbers(text, width);
  const offsets = joints.map(({ offset }) => /** @type {number[]} */ (offset));
  const rest = { rotations: joints.map(() => [0, 0, 0, 1]), translations: offsets };
  const skeleton = skeletonOf(
    joints.map(({ name }) => name),
    joints.map(({ parent }) => parent),
    rest,
  );
  /** @type {(frame: number) => Pose} */
  const poseOf = (frame) => {
    const row = rows[frame];
    let column = 0;
    /** @type {Pose} */
    const pose = { rotations: [], translations: [] };
    joints.forEach(({ channels }, joint) => {
      const translation = offsets[joint].slice();
      let rotation = [0, 0, 0, 1];
      for (const channel of channels) {
        const axis = "XYZ".indexOf(channel[0]),
          value = row[column++];
        if (channel.endsWith("position")) translation[axis] = value;
        else {
          const half = (value * Math.PI) / 360,
            turn = [0, 0, 0, Math.cos(half)];
          turn[axis] = Math.sin(half);
          rotation = multiply(rotation, turn);
        }
      }
      pose.rotations.push(rotation);
      pose.translations.push(translation);
    });
    return pose;
  };
  const some = evenly(rows.length, 100).map(poseOf),
    up = guessUp(skeleton, some),
    metres = guessMetres(skeleton, some, up);
  return {
    skeleton,
    up,
    metres,
    humanBones: {},
    clips: [{ name: null, count: rows.length, fps: 1 / seconds, poseAt: between(poseOf, rows.length) }],
  };
};

/** At most `most` frames of a clip, spread over it. @type {(count: number, most: number) => number[]} */
export const evenly = (count, most) => {
  const few = Math.min(count, most);
  return [...new Set(Array.from({ length: few }, (_, i) => (few > 1 ? Math.floor((i * (count - 1)) / (few - 1)) : 0)))];
};
/** Poses between frames too. @type {(poseOf: (frame: number) => Pose, count: number) => (frame: number) => Pose} */
export const between = (poseOf, count) => (frame) => {
  const first = Math.max(0, Math.min(count - 1, Math.floor(frame))),
    share = Math.min(1, Math.max(0, frame - first));
  const before = poseOf(first);
  if (share === 0 || first + 1 >= count) return before;
  const after = poseOf(first + 1);
  return {
    rotations: before.rotations.map((q, i) => nlerp(q, after.rotations[i], share)),
    translations: before.translations.map((v, i) =>
      v.map((part, k) => part + share * (after.translations[i][k] - part)),
    ),
  };
};
