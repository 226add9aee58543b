// What is solved and what is seen, how both change, and how the address carries them.
const state = (() => {
  "use strict";

  const LARGEST = 1e6;
  // `below`: the bound that a number must stay under, where `greatest` is the last one that does.
  const isNumber = (least, greatest, below = null) =>
    Object.assign((v) => (typeof v === "number" && v >= least && v <= greatest ? v : undefined), { range: { least, greatest, below } });
  const isWord = (...words) => (v) => (words.includes(v) ? v : undefined);
  const threeOf = (isPart) => Object.assign(
    (v) => (Array.isArray(v) && v.length === 3 && v.every((part) => isPart(part) !== undefined) ? v.map(Number) : undefined),
    { range: isPart.range },
  );
  const isVector = threeOf(isNumber(-LARGEST, LARGEST));
  // What the plane may show: the middle, and how much of the world. 0 is all that there is.
  const FINEST = 1e-9, WIDEST = 1e8, isWide = threeOf(isNumber(-WIDEST, WIDEST));
  const isView = (v) => (isWide(v) && (v[2] === 0 || v[2] >= FINEST) ? isWide(v) : undefined);

  // Each field: what it is at first and what may stand in it.
  const LIMB = {
    scene: ["plane", isWord("plane", "space", "creature")],
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
  // What is seen is no part of the limb: Python is not told, and undo leaves it alone.
  const VIEW = {
    yaw: [35, isNumber(-1e4, 1e4)],
    pitch: [18, isNumber(-89, 89)],
    zoom: [1, isNumber(0.05, 50)],
    at: [[0, 0, 0], isView], // see `seen` in plane.js
    step: [0, isWord(0, 1, 2, 3, 4, 5)],
    animal: ["insect", isWord("insect", "spider", "dog", "bird", "crab", "centipede")],
    ground: ["0.1", isWord("flat", "0.05", "0.1", "0.15", "slope", "steps")],
    seed: [1, (v) => (Number.isInteger(v) ? isNumber(0, 1e6)(v) : undefined)],
    duty_factor: [0, isWord(0, 0.5, 0.6, 0.75, 0.85)],
    polygon: [1, isWord(0, 1)],
    paths: [0, isWord(0, 1)],
    triangles: [0, isWord(0, 1)],
  };
  const FIELDS = { ...LIMB, ...VIEW };
  const first = (fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, [value]]) => [name, structuredClone(value)]));

  const now = first(FIELDS);
  const listeners = [];
  let past = [], future = [], kept = "", isOwn = false; // whether `kept` was made here

  const limb = () => Object.fromEntries(Object.keys(LIMB).map((name) => [name, now[name]]));
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  // Change some fields. What makes no sense is left out; `by` says who changed them.
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

  // Remember a limb, as it is at the end of a drag, after a key or a number.
  const commit = (then = limb()) => {
    const text = JSON.stringify(then);
    if (text === kept) return;
    keep(text);
    isOwn = true;
    for (const listener of listeners) listener([], "commit");
  };
  const keep = (text, isStep = true) => {
    if (isStep) past = [...past, kept].slice(-200);
    future = [];
    kept = text;
  };
  const go = (from, to) => {
    if (!from.length) return;
    to.push(kept);
    isOwn = true;
    kept = from.pop();
    set(JSON.parse(kept), "undo");
    for (const listener of listeners) listener([], "commit");
  };
  // What comes by an address or from Python is a step only where it replaces a limb made here: a
  // script may send many.
  const settle = () => {
    const text = JSON.stringify(limb());
    if (text === kept) return;
    keep(text, isOwn);
    isOwn = false;
  };
  settle();

  // --- the address --------------------------------------------------------------------------

  // Only what is not as it was at first; numbers as they are, to the last bit.
  const write = () =>
    Object.keys(FIELDS)
      .filter((name) => !same(now[name], FIELDS[name][0]))
      .map((name) => `${name}=${[].concat(now[name]).join(",")}`)
      .join("&");
  // The number that a text is as a whole; NaN for a text that is none.
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const number = (text) => {
    const plain = text.trim().replace("\u2212", "-");
    return NUMBER.test(plain) ? Number(plain) : NaN;
  };
  // What an address says. What makes no sense is left out, and told in `refused`.
  const read = (text, refused = []) => {
    const found = first(FIELDS);
    try {
      text = decodeURIComponent(text); // messengers encode commas
    } catch {
      // Then it is none of ours, and what can be read is.
    }
    for (const pair of text.split("&")) {
      const [name, ...rest] = pair.split("="), value = rest.join("=");
      if (!Object.hasOwn(FIELDS, name)) continue;
      const like = FIELDS[name][0];
      const given = typeof like === "string" ? value : Array.isArray(like) ? value.split(",").map(number) : number(value);
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
    FINEST, WIDEST, now, limb, set, commit, settle, write, read, number,
    range: (name) => FIELDS[name][1].range,
    undo: () => go(past, future),
    redo: () => go(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    on: (listener) => listeners.push(listener),
  };
})();
