// The state of the page: the limb and the view, changes and undo, and the address that encodes it.

/**
 * @typedef {object} Limb
 * @property {"plane" | "space" | "creature" | "character"} scene
 * @property {number[]} root
 * @property {number[]} target
 * @property {number[]} pole
 * @property {number} r1
 * @property {number} r2
 * @property {1 | -1} side
 * @property {"clamp" | "stretch" | "proportion" | "nan" | "raise"} policy
 * @property {number} limit of the policy "proportion"
 * @property {number} soft
 * @property {number} least joint angle in degrees
 * @property {number} greatest joint angle in degrees
 */
/**
 * @typedef {object} View
 * @property {number} yaw of the camera, in degrees
 * @property {number} pitch
 * @property {number} zoom
 * @property {number[]} at the view of the plane: its centre, and the length of its shorter side
 * @property {"plane" | "space" | "break"} lesson
 * @property {number} step
 * @property {0 | 1} present
 * @property {0 | 1} embed
 * @property {"" | "en" | "de"} language "" is the browser's
 * @property {0 | 1} shortcuts whether single keys are commands
 * @property {string} animal
 * @property {string} ground
 * @property {number} seed
 * @property {number} duty_factor
 * @property {number} liveliness
 * @property {number} leg
 * @property {0 | 1} polygon
 * @property {0 | 1} paths
 * @property {0 | 1} triangles
 */
/** @typedef {Limb & View} State */
/**
 * A check that returns the value, or undefined if it is not valid, and the range of numbers.
 * @typedef {((v: any) => any) & { range?: { least: number, greatest: number, below: number | null } }} Check
 */

export const state = (() => {
  const LARGEST = 1e6;
  // `below`: an exclusive upper bound for messages; `greatest` is then the largest number below it.
  /** @type {(least: number, greatest: number, below?: number | null) => Check} */
  const isNumber = (least, greatest, below = null) =>
    Object.assign(
      (/** @type {unknown} */ v) => (typeof v === "number" && v >= least && v <= greatest ? v : undefined),
      { range: { least, greatest, below } },
    );
  /** @type {(...words: unknown[]) => (v: unknown) => unknown} */
  const isWord =
    (...words) =>
    (v) =>
      words.includes(v) ? v : undefined;
  /** @type {(isPart: Check) => Check} */
  const threeOf = (isPart) =>
    Object.assign(
      (/** @type {unknown} */ v) =>
        Array.isArray(v) && v.length === 3 && v.every((part) => isPart(part) !== undefined) ? v.map(Number) : undefined,
      { range: isPart.range },
    );
  const isVector = threeOf(isNumber(-LARGEST, LARGEST));
  // The view of the plane: its centre, and the length of its shorter side. 0 fits the limb.
  const FINEST = 1e-9,
    WIDEST = 1e8,
    isWide = threeOf(isNumber(-WIDEST, WIDEST));
  /** @type {Check} */
  const isView = (v) => (isWide(v) && (v[2] === 0 || v[2] >= FINEST) ? isWide(v) : undefined);

  // Each field: its default, and a check that returns the value, or undefined if it is not valid.
  /** @type {Record<string, [any, Check]>} */
  const LIMB = {
    scene: ["plane", isWord("plane", "space", "creature", "character")],
    root: [[0, 0, 0], isVector],
    target: [[0.75, 0.55, 0.35], isVector],
    pole: [[0, 1, 0], isVector],
    r1: [0.8, isNumber(0, LARGEST)],
    r2: [0.6, isNumber(0, LARGEST)],
    side: [1, isWord(1, -1)],
    policy: ["clamp", isWord("clamp", "stretch", "proportion", "nan", "raise")],
    limit: [1.2, isNumber(1, LARGEST)],
    soft: [0, isNumber(0, 1 - 2 ** -53, 1)],
    least: [0, isNumber(0, 180)],
    greatest: [180, isNumber(0, 180)],
  };
  // The view is not part of the limb: Python is not told of it, and undo does not change it.
  /** @type {Record<string, [any, Check]>} */
  const VIEW = {
    yaw: [35, isNumber(-1e4, 1e4)],
    pitch: [18, isNumber(-89, 89)],
    zoom: [1, isNumber(0.05, 50)],
    at: [[0, 0, 0], isView], // see `seen` in plane.js
    lesson: ["plane", isWord("plane", "space", "break")],
    step: [0, isWord(0, 1, 2, 3, 4, 5, 6, 7)], // of the lesson; 0 if none is open
    present: [0, isWord(0, 1)],
    embed: [0, isWord(0, 1)],
    language: ["", isWord("", "en", "de")], // see texts.js; "" is the browser's
    shortcuts: [1, isWord(0, 1)], // whether single keys are commands
    animal: ["insect", isWord("insect", "spider", "dog", "bird", "crab", "centipede")],
    ground: ["0.1", isWord("flat", "0.05", "0.1", "0.15", "0.2", "0.25", "slope", "steps")],
    seed: [1, (v) => (Number.isInteger(v) ? isNumber(0, 1e6)(v) : undefined)],
    duty_factor: [0, isWord(0, 0.5, 0.6, 0.75, 0.85)],
    liveliness: [-1, isWord(-1, 0, 0.5, 1)], // -1: that of the animal
    leg: [0, (v) => (Number.isInteger(v) ? isNumber(0, 64)(v) : undefined)], // that is looked at; 0 is none
    polygon: [1, isWord(0, 1)],
    paths: [0, isWord(0, 1)],
    triangles: [0, isWord(0, 1)],
  };
  const FIELDS = { ...LIMB, ...VIEW };
  /** @type {(fields: Record<string, [unknown, Check]>) => Record<string, any>} */
  const first = (fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, [value]]) => [name, structuredClone(value)]));

  const now = /** @type {State & Record<string, any>} */ (first(FIELDS));
  /** @type {((changed: string[], by: string) => void)[]} */
  const listeners = [];
  /** @type {string[]} */
  let past = [];
  /** @type {string[]} */
  const future = [];
  let kept = "",
    isOwn = false; // whether `kept` was made on this page

  const limb = () => /** @type {Limb} */ (Object.fromEntries(Object.keys(LIMB).map((name) => [name, now[name]])));
  // Whether the limb, apart from its scene, differs from the one to begin with.
  const isPosed = () => Object.keys(LIMB).some((name) => name !== "scene" && !same(now[name], LIMB[name][0]));
  /** @type {(a: unknown, b: unknown) => boolean} */
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  // Change some fields, ignoring values that are not valid. `by` names the cause of the change.
  /** @param {Record<string, any>} changes */
  const set = (changes, by = "hand") => {
    const done = [];
    for (const [name, value] of Object.entries(changes)) {
      const good = Object.hasOwn(FIELDS, name) ? FIELDS[name][1](value) : undefined;
      if (good !== undefined && !same(good, now[name])) {
        now[name] = good;
        done.push(name);
      }
    }
    if (now.least > now.greatest) {
      if (done.includes("least")) now.greatest = now.least;
      else now.least = now.greatest;
      done.push("least", "greatest");
    }
    if (done.length) for (const listener of listeners) listener(done, by);
    return done;
  };

  // --- undo ---------------------------------------------------------------------------------

  // Add an undo step: at the end of a drag, after a key or a number.
  const commit = (then = limb()) => {
    const text = JSON.stringify(then);
    if (text === kept) return;
    keep(text);
    isOwn = true;
    for (const listener of listeners) listener([], "commit");
  };
  /** @param {string} text */
  const keep = (text, isStep = true) => {
    if (isStep) past = [...past, kept].slice(-200);
    future.length = 0;
    kept = text;
  };
  /** @param {string[]} from @param {string[]} to */
  const go = (from, to) => {
    if (!from.length) return;
    to.push(kept);
    isOwn = true;
    kept = from.pop() ?? kept;
    set(JSON.parse(kept), "undo");
    for (const listener of listeners) listener([], "commit");
  };
  // Record a limb from an address or from Python. It is an undo step only if it replaces a limb made on
  // this page, because a script may send many.
  const settle = () => {
    const text = JSON.stringify(limb());
    if (text === kept) return;
    keep(text, isOwn);
    isOwn = false;
  };
  settle();

  /** @typedef {{ undo: () => void, redo: () => void, canUndo: () => boolean, canRedo: () => boolean }} History */
  /** @type {Map<string, History>} */
  const histories = new Map();
  const other = () => histories.get(now.scene);

  // --- the address --------------------------------------------------------------------------

  // Encode the fields that differ from their defaults, some of them changed; numbers keep every bit.
  const write = (changes = {}) => {
    /** @type {Record<string, any>} */
    const all = { ...now, ...changes };
    return Object.keys(FIELDS)
      .filter((name) => !same(all[name], FIELDS[name][0]))
      .map((name) => `${name}=${[all[name]].flat().join(",")}`)
      .join("&");
  };
  // Parse a whole text as a number; NaN if it is not one.
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  /** @type {(text: string) => number} */
  const number = (text) => {
    const plain = text.trim().replace("\u2212", "-");
    return NUMBER.test(plain) ? Number(plain) : NaN;
  };
  // Decode an address. Pairs that are not valid are ignored and added to `refused`.
  /** @param {string} text @param {string[]} refused */
  const read = (text, refused = []) => {
    const found = first(FIELDS);
    try {
      text = decodeURIComponent(text); // messengers percent-encode commas
    } catch {
      // Not valid percent-encoding: read it as it is.
    }
    for (const pair of text.split("&")) {
      const [name, ...rest] = pair.split("="),
        value = rest.join("=");
      if (!Object.hasOwn(FIELDS, name)) continue;
      const like = FIELDS[name][0];
      const given =
        typeof like === "string" ? value : Array.isArray(like) ? value.split(",").map(number) : number(value);
      const good = FIELDS[name][1](given);
      if (good === undefined) refused.push(pair);
      else found[name] = good;
    }
    if (found.least > found.greatest) {
      refused.push(`least=${found.least}&greatest=${found.greatest}`);
      [found.least, found.greatest] = [FIELDS.least[0], FIELDS.greatest[0]];
    }
    return found;
  };

  return {
    FINEST,
    WIDEST,
    now,
    limb,
    isPosed,
    set,
    commit,
    settle,
    write,
    read,
    number,
    range: (/** @type {string} */ name) => FIELDS[name][1].range ?? { least: NaN, greatest: NaN, below: null },
    // Whether the scene is about one limb, the one in this state.
    isLimb: () => now.scene === "plane" || now.scene === "space",
    undo: () => (other() ? other()?.undo() : go(past, future)),
    redo: () => (other() ? other()?.redo() : go(future, past)),
    canUndo: () => other()?.canUndo() ?? past.length > 0,
    canRedo: () => other()?.canRedo() ?? future.length > 0,
    /** Give a scene a history of its own. @param {string} scene @param {History} history */
    keepFor: (scene, history) => histories.set(scene, history),
    /** Call a function after each change. @param {(changed: string[], by: string) => void} listener */
    on: (listener) => {
      listeners.push(listener);
    },
  };
})();
