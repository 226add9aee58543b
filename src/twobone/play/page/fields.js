// Number fields. A number counts when it is whole and in range; anything else is refused with a
// message, and the last value that was committed stays in force.
const fields = (() => {
  "use strict";
  const now = state.now, all = [];
  const message = document.getElementById("refused");

  // Rounded, unless the field would refuse that: a softness of 0.99999 is less than 1.
  const shown = (name, v) => {
    const text = String(+(Math.abs(v) < 0.01 ? v.toPrecision(3) : v.toFixed(4)));
    return faultOf(name, text) ? String(v) : text;
  };
  const say = (words) => {
    message.hidden = !words;
    if (message.textContent !== words) message.textContent = words;
    // What has the focus is scrolled clear of the message with its outline, now and when Tab goes on.
    message.parentNode.style.scrollPaddingBottom = `${message.offsetHeight + 8}px`;
  };

  // As much of a text as a message quotes.
  const cut = (text) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
  // What is wrong with a text as the number of a field, in words; "" for nothing.
  const faultOf = (name, text) => {
    const value = state.number(text), { least, greatest, below } = state.range(name);
    if (text.trim() === "") return "a number is missing";
    if (Number.isNaN(value)) return `“${cut(text)}” is not a number${text.includes(",") ? " (write a decimal point, as in 0.5)" : ""}`;
    if (value >= least && value <= greatest) return "";
    return `${cut(text)} is not from ${least} to ${below ? `less than ${below}` : greatest}`;
  };

  // The limb as it was committed last, or as somebody else has changed it since.
  let stands = state.limb(), writing = false;
  state.on((changed, by) => {
    if (writing) return;
    if (changed.length && by === "hand") say("");
    stands = state.limb();
  });
  const set = (changes) => {
    writing = true;
    state.set(changes);
    writing = false;
  };
  // A number on its way to another (the 2 of 20) must not move the other opening for good.
  const changesFor = (name, at, value) => {
    if (name === "least") return { least: value, greatest: Math.max(value, stands.greatest) };
    if (name === "greatest") return { least: Math.min(value, stands.least), greatest: value };
    return { [name]: at === null ? value : now[name].map((part, i) => (i === at ? value : part)) };
  };

  // A field for a number of the limb, or for one of the three of a vector (`at`).
  const make = (name, at, title, options = {}) => {
    const input = document.createElement("input"), short = title.split(":")[0] + (at === null ? "" : ` ${"xyz"[at]}`);
    const { least, greatest } = state.range(name);
    // On a phone the decimal keyboard has no minus.
    Object.assign(input, { type: "text", className: "number", autocomplete: "off", spellcheck: false, inputMode: least < 0 ? "text" : "decimal", title, id: at === null ? name : `${name}-${"xyz"[at]}` });
    for (const [key, value] of Object.entries({ role: "spinbutton", "aria-label": title, "aria-valuemin": least, "aria-valuemax": greatest, "aria-errormessage": "refused" })) input.setAttribute(key, value);
    const partOf = (s) => (at === null ? s[name] : s[name][at]), read = () => partOf(now);
    let edited = false;
    const mark = (fault) => {
      input.setAttribute("aria-invalid", String(fault !== ""));
      say(fault && `${short}: ${fault}. It stays ${shown(name, read())}.`);
      if (fault) input.scrollIntoView({ block: "nearest" });
    };
    const take = () => {
      const fault = faultOf(name, input.value), stays = fault || input.value === shown(name, partOf(stands));
      edited = true;
      // What stands is not exchanged for itself rounded, where a digit is typed and taken back.
      set(changesFor(name, at, stays ? partOf(stands) : state.number(input.value)));
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
    input.addEventListener("input", take);
    input.addEventListener("change", commit);
    // Whoever leaves a refused number sees the one in force; the message stays to say why.
    input.addEventListener("blur", () => {
      commit();
      settle();
    });
    input.addEventListener("keydown", (event) => {
      const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (event.key === "Enter") commit();
      else if (event.key === "Escape" && edited) {
        set(changesFor(name, at, partOf(stands)));
        settle();
        say("");
      } else if (up) {
        event.preventDefault();
        const step = (options.by ?? 0.01) * (event.shiftKey ? 10 : 1);
        input.value = shown(name, Math.min(Math.max(options.max ?? greatest, read()), Math.max(least, read() + up * step)));
        take();
        commit();
      }
    });
    all.push({ input, text: () => shown(name, read()), isEdited: () => edited });
    return input;
  };

  // A field that has the focus but is not typed in shows what the limb is now; its selection stays.
  const show = () => {
    for (const { input, text: textOf, isEdited } of all) {
      const text = textOf();
      if (!isEdited() && input.value !== text) {
        const ends = [input.selectionStart, input.selectionEnd].map((end) => (end === input.value.length ? text.length : end));
        input.value = text;
        if (document.activeElement === input) input.setSelectionRange(...ends);
      }
      if (input.getAttribute("aria-valuenow") !== text) input.setAttribute("aria-valuenow", text);
    }
  };

  // Whether an element is a field with a text of its own, which the browser undoes.
  const isEdited = (element) => all.some((field) => field.input === element && field.isEdited());

  return { make, show, say, cut, isEdited };
})();
