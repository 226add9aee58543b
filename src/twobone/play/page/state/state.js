// The state of the page: the limb and the view, changes and undo, and the address that encodes it.

import { FINEST, LIMB, VIEW, WIDEST } from "./schema.js";

/** @typedef {import("./schema.js").Field} Field */
/** @typedef {import("./schema.js").Limb} Limb */
/** @typedef {import("./schema.js").View} View */
/** @typedef {Limb & View} State */
/** @typedef {{ undo: () => void, redo: () => void, canUndo: () => boolean, canRedo: () => boolean }} History */
export const state = (() => {
  /** @type {Record<string, Field>} */
  const FIELDS = { ...LIMB, ...VIEW };
  const LESS_THAN_ONE = 1 - 2 ** -53; // the largest such number

  // The range of the numbers of a field. `below` is an exclusive upper bound, for messages; `greatest`
  // is then the largest number below it.
  /** @type {(name: string) => { least: number, greatest: number, below: number | null }} */
  const range = (name) => {
    const { choices, least = -Infinity, greatest = Infinity, isBelow } = FIELDS[name];
    if (choices) return { least: NaN, greatest: NaN, below: null };
    return isBelow ? { least, greatest: greatest * LESS_THAN_ONE, below: greatest } : { least, greatest, below: null };
  };
  // Return a value that is valid for a field, or undefined.
  /** @type {(name: string, v: any) => any} */
  const checked = (name, v) => {
    const { choices, isWhole, count = 1 } = FIELDS[name],
      { least, greatest } = range(name);
    if (choices) return choices.includes(v) ? v : undefined;
    const isGood = (/** @type {unknown} */ part) =>
      typeof part === "number" && part >= least && part <= greatest && (!isWhole || Number.isInteger(part));
    if (count === 1) return isGood(v) ? v : undefined;
    if (!Array.isArray(v) || v.length !== count || !v.every(isGood)) return undefined;
    return name === "at" && v[2] !== 0 && v[2] < FINEST ? undefined : v.map(Number);
  };
  /** @type {(fields: Record<string, Field>) => Record<string, any>} */
  const first = (fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, structuredClone(field.default)]));

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
  const isPosed = () => Object.keys(LIMB).some((name) => name !== "scene" && !same(now[name], FIELDS[name].default));
  /** @type {(a: unknown, b: unknown) => boolean} */
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  // Change some fields, ignoring values that are not valid. `by` names the cause of the change.
  /** @param {Record<string, any>} changes */
  const set = (changes, by = "hand") => {
    const done = [];
    for (const [name, value] of Object.entries(changes)) {
      const good = Object.hasOwn(FIELDS, name) ? checked(name, value) : undefined;
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

  /** @type {Map<string, History>} */
  const histories = new Map();
  const other = () => histories.get(now.scene);

  // --- the address --------------------------------------------------------------------------

  // Encode the fields that differ from their defaults, some of them changed; numbers keep every bit.
  const write = (changes = {}) => {
    /** @type {Record<string, any>} */
    const all = { ...now, ...changes };
    return Object.keys(FIELDS)
      .filter((name) => !same(all[name], FIELDS[name].default))
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
      const like = FIELDS[name].default;
      const given =
        typeof like === "string" ? value : Array.isArray(like) ? value.split(",").map(number) : number(value);
      const good = checked(name, given);
      if (good === undefined) refused.push(pair);
      else found[name] = good;
    }
    if (found.least > found.greatest) {
      refused.push(`least=${found.least}&greatest=${found.greatest}`);
      [found.least, found.greatest] = [FIELDS.least.default, FIELDS.greatest.default];
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
    range,
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
