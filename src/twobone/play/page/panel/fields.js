// Number fields. A text that is not a number, or is out of range, is rejected with a message, and the
// last committed value stays.
import { byId } from "../elements.js";
import { state } from "../state/state.js";
import { t } from "../texts/texts.js";

export const fields = (() => {
  const now = state.now;
  /** @type {{ input: HTMLInputElement, text: () => string, isEdited: () => boolean, finish: () => boolean }[]} */
  const all = [];
  const message = byId("refused");

  // Round a number for display, unless the field would reject the result: a softness of 0.99999 is
  // less than 1.
  /** @type {(name: string, v: number) => string} */
  const shown = (name, v) => {
    const text = String(+(Math.abs(v) < 0.01 ? v.toPrecision(3) : v.toFixed(4)));
    return faultOf(name, text) ? String(v) : text;
  };
  /** @type {(words: string) => void} */
  const say = (words) => {
    message.hidden = !words;
    if (message.textContent !== words) message.textContent = words;
    // The message covers the bottom of the panel: keep the focused element and its outline above it.
    /** @type {HTMLElement} */ (message.parentElement).style.scrollPaddingBottom = `${message.offsetHeight + 8}px`;
  };

  // Shorten a text that a message quotes.
  /** @type {(text: string) => string} */
  const cut = (text) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
  // Say what is wrong with a text as the number of a field; "" if nothing is.
  /** @type {(name: string, text: string) => string} */
  const faultOf = (name, text) => {
    const value = state.number(text),
      { least, greatest, below } = state.range(name);
    if (text.trim() === "") return t`a number is missing`;
    if (Number.isNaN(value))
      return text.includes(",")
        ? t`“${cut(text)}” is not a number (write a decimal point, as in 0.5)`
        : t`“${cut(text)}” is not a number`;
    if (value >= least && value <= greatest) return "";
    return below
      ? t`${cut(text)} is not at least ${least} and less than ${below}`
      : t`${cut(text)} is not between ${least} and ${greatest}`;
  };

  // The limb as last committed, or as changed since by anything but these fields.
  let committed = state.limb(),
    writing = false;
  state.on((changed, by) => {
    if (writing) return;
    if (changed.length && by === "hand") say("");
    committed = state.limb();
  });
  /** @type {(changes: Record<string, any>) => void} */
  const set = (changes) => {
    writing = true;
    state.set(changes);
    writing = false;
  };
  // Typing 20 passes through 2: such a number must not move the other joint limit permanently.
  /** @type {(name: string, at: number | null, value: number) => Record<string, any>} */
  const changesFor = (name, at, value) => {
    if (name === "least") return { least: value, greatest: Math.max(value, committed.greatest) };
    if (name === "greatest") return { least: Math.min(value, committed.least), greatest: value };
    return {
      [name]:
        at === null
          ? value
          : now[name].map((/** @type {number} */ part, /** @type {number} */ i) => (i === at ? value : part)),
    };
  };

  // Make a field for a number of the limb, or for component `at` of a vector.
  /** @param {string} name @param {number | null} at @param {string} title @param {{ by?: number, max?: number }} options */
  const make = (name, at, title, options = {}) => {
    const input = document.createElement("input"),
      short = title.split(":")[0] + (at === null ? "" : ` ${"xyz"[at]}`);
    const { least, greatest } = state.range(name);
    // The decimal keyboard of a phone has no minus sign.
    Object.assign(input, {
      type: "text",
      className: "number",
      autocomplete: "off",
      spellcheck: false,
      inputMode: least < 0 ? "text" : "decimal",
      title,
      id: at === null ? name : `${name}-${"xyz"[at]}`,
    });
    for (const [key, value] of Object.entries({
      role: "spinbutton",
      "aria-label": title,
      "aria-valuemin": least,
      "aria-valuemax": greatest,
      "aria-errormessage": "refused",
    }))
      input.setAttribute(key, String(value));
    /** @type {(s: Record<string, any>) => number} */
    const partOf = (s) => (at === null ? s[name] : s[name][at]);
    const read = () => partOf(now);
    let edited = false;
    /** @type {(fault: string) => void} */
    const mark = (fault) => {
      input.setAttribute("aria-invalid", String(fault !== ""));
      say(fault && t`${short}: ${fault}. The value stays ${shown(name, read())}.`);
      if (fault) input.scrollIntoView({ block: "nearest" });
    };
    const take = () => {
      const fault = faultOf(name, input.value),
        stays = fault || input.value === shown(name, partOf(committed));
      edited = true;
      // Typing a digit and deleting it must not replace the committed value by its rounded display.
      set(changesFor(name, at, stays ? partOf(committed) : state.number(input.value)));
      mark(fault);
      return fault;
    };
    const settle = () => {
      edited = false;
      input.setAttribute("aria-invalid", "false");
      input.value = shown(name, read());
    };
    const commit = () => {
      if (!edited || take()) return;
      state.commit();
      settle();
    };
    const discard = () => {
      set(changesFor(name, at, partOf(committed)));
      settle();
      say("");
    };
    // Before an undo or redo: commit the text, or discard it if it is not a number that the field accepts.
    const finish = () => {
      commit();
      const rejected = edited;
      if (rejected) discard();
      return !rejected;
    };
    input.addEventListener("input", take);
    input.addEventListener("change", commit);
    // On leaving a rejected number the field shows the value in force; the message stays.
    input.addEventListener("blur", () => {
      commit();
      settle();
    });
    input.addEventListener("keydown", (event) => {
      const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (event.key === "Enter") commit();
      else if (event.key === "Escape" && edited) discard();
      else if (up) {
        event.preventDefault();
        const step = (options.by ?? 0.01) * (event.shiftKey ? 10 : 1);
        input.value = shown(
          name,
          Math.min(Math.max(options.max ?? greatest, read()), Math.max(least, read() + up * step)),
        );
        take();
        commit();
      }
    });
    all.push({ input, text: () => shown(name, read()), isEdited: () => edited, finish });
    return input;
  };

  // Show the current limb, also in a focused field that is not being edited; its selection stays.
  const show = () => {
    for (const { input, text: textOf, isEdited } of all) {
      const text = textOf();
      if (!isEdited() && input.value !== text) {
        const [start, end] = [input.selectionStart, input.selectionEnd].map((at) =>
          at === input.value.length ? text.length : at,
        );
        input.value = text;
        if (document.activeElement === input) input.setSelectionRange(start, end);
      }
      if (input.getAttribute("aria-valuenow") !== text) input.setAttribute("aria-valuenow", text);
    }
  };

  // Finish the editing of an element, if it is a field; return false if its text was discarded.
  /** @type {(element: EventTarget | null) => boolean} */
  const finish = (element) => all.every((field) => field.input !== element || field.finish());

  return { make, show, say, cut, finish };
})();
