// What stands over and beside the picture of a character: the clip with its slider, the limbs with their
// status, and the numbers of the chosen limb.
import { byId } from "../../elements.js";
import { state } from "../../state/state.js";
import { fields } from "../../panel/fields.js";
import { frames } from "../../stage/frames.js";
import { motion } from "../../stage/motion.js";
import { keep } from "../../panel/keep.js";
import { layout } from "../../panel/layout.js";
import { panel } from "../../panel/panel.js";
import { code } from "./code.js";
import { character } from "./character.js";
import { t } from "../../texts/texts.js";
import { texts } from "./texts.js";

/** @typedef {import("./posing.js").Settings} Settings */
/** @typedef {import("./posing.js").Shown} Shown */

export const characterControls = (() => {
  // --- the clip -----------------------------------------------------------------------------

  const slider = byId("clip-frame", HTMLInputElement),
    clips = byId("clip-name", HTMLSelectElement),
    play = byId("clip-play");
  slider.addEventListener("input", () => character.seek(slider.valueAsNumber));
  clips.addEventListener("change", () => character.chooseClip(clips.selectedIndex));
  play.addEventListener("click", () => motion.set(!motion.isOn()));

  // --- the limbs ----------------------------------------------------------------------------

  const list = byId("limb-list");
  /** @type {{ row: HTMLElement, choose: HTMLButtonElement, mark: Element, words: HTMLElement, free: HTMLButtonElement }[]} */
  let rows = [];
  const button = (/** @type {string} */ words, /** @type {string} */ title, /** @type {() => void} */ act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", title });
    made.textContent = words;
    made.addEventListener("click", act);
    return made;
  };
  character.on(() => {
    const { limbs, clip, source } = character.it();
    rows = limbs.map((limb) => {
      const row = document.createElement("div"),
        words = document.createElement("span"),
        status = document.createElement("p");
      const choose = button(texts.limb(limb.name), t`Show the numbers of this limb: ${texts.limbName(limb.name)}`, () =>
          character.choose(limb),
        ),
        free = button("×", t`Let this limb follow the clip again: ${texts.limbName(limb.name)}`, () =>
          character.release(limb),
        );
      free.setAttribute("aria-label", free.title);
      status.innerHTML = '<svg viewBox="0 0 16 16" aria-hidden="true"><path/></svg>';
      status.append(words);
      row.append(choose, status, free);
      return { row, choose, mark: /** @type {Element} */ (status.querySelector("path")), words, free };
    });
    list.replaceChildren(...rows.map(({ row }) => row));
    clips.replaceChildren(...source.clips.map(({ name }, i) => new Option(texts.clip(name, i), String(i))));
    clips.selectedIndex = character.it().index;
    clips.hidden = source.clips.length < 2;
    slider.max = String(clip.count - 1);
    for (const id of ["clip-play", "clip-frame"]) byId(id).toggleAttribute("disabled", clip.count < 2);
  });

  // --- the expressions ----------------------------------------------------------------------

  /** @type {HTMLInputElement[]} */
  let faces = [];
  character.on(() => {
    faces = (character.it().character.model?.expressions ?? []).map((name, i) => {
      const words = texts.expression(name),
        made = Object.assign(document.createElement("input"), {
          type: "range",
          min: "0",
          max: "1",
          step: "0.01",
          id: `face-${i}`,
          title: t`How strongly the expression is shown: ${words}`,
        });
      made.addEventListener("input", () => {
        character.it().face[i] = made.valueAsNumber;
        frames.redraw();
      });
      made.addEventListener("change", character.commit);
      return made;
    });
    byId("face-fields").replaceChildren(
      ...faces.flatMap((made, i) => {
        const label = Object.assign(document.createElement("label"), { htmlFor: made.id, title: made.title });
        label.textContent = texts.expression(character.it().character.model?.expressions[i] ?? "");
        return [label, made];
      }),
    );
  });
  const showFaces = () =>
    faces.forEach((made, i) => {
      const value = character.it().face[i] ?? 0;
      if (made.valueAsNumber !== value) made.valueAsNumber = value;
      made.setAttribute("aria-valuetext", `${Math.round(100 * value)} %`);
    });

  // --- the numbers of the chosen limb ---------------------------------------------------------

  /** @type {(() => void)[]} */
  const refresh = [];
  // A field for a number: `read` gives it, `write` takes it; a text that is no number is refused.
  const number = (
    /** @type {string} */ title,
    /** @type {{ id: string, read: (shown: Shown) => number, write: (shown: Shown, value: number) => void, least?: number, greatest?: number, step?: (shown: Shown) => number }} */ {
      id,
      read,
      write,
      least = -1e9,
      greatest = 1e9,
      step = () => 1,
    },
  ) => {
    const input = Object.assign(document.createElement("input"), {
      type: "text",
      className: "number",
      id,
      title,
      autocomplete: "off",
      spellcheck: false,
      inputMode: least < 0 ? "text" : "decimal",
    });
    const pretty = (/** @type {number} */ v) => String(Number(v.toPrecision(Math.abs(v) < 1000 ? 3 : 5)) + 0);
    for (const [name, value] of Object.entries({
      role: "spinbutton",
      "aria-label": title,
      "aria-valuemin": least,
      "aria-valuemax": greatest,
      "aria-errormessage": "refused",
    }))
      input.setAttribute(name, String(value));
    const put = (/** @type {number} */ value) => {
      const shown = character.shownOf();
      if (!shown) return;
      const isGood = value >= least && value <= greatest;
      input.setAttribute("aria-invalid", String(!isGood));
      fields.say(
        isGood ? "" : t`${title}: expected a number from ${least} to ${greatest}, got “${fields.cut(input.value)}”.`,
      );
      if (!isGood) return;
      write(shown, value);
      character.commit();
    };
    input.addEventListener("change", () => put(state.number(input.value)));
    input.addEventListener("keydown", (event) => {
      const up = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0,
        shown = character.shownOf();
      if (event.key === "Escape") input.blur();
      if (!up || !shown) return;
      event.preventDefault();
      put(Math.min(greatest, Math.max(least, read(shown) + up * step(shown) * (event.shiftKey ? 10 : 1))));
    });
    input.addEventListener("blur", () => input.setAttribute("aria-invalid", "false"));
    refresh.push(() => {
      const shown = character.shownOf(),
        text = shown ? pretty(read(shown)) : "";
      input.disabled = !shown;
      if (document.activeElement === input && input.getAttribute("aria-valuenow") === text) return;
      if (input.value !== text) input.value = text;
      input.setAttribute("aria-valuenow", text);
    });
    return input;
  };
  const row = (/** @type {string} */ label, /** @type {HTMLElement[]} */ parts) => {
    const made = document.createElement("div"),
      words = document.createElement("span"),
      numbers = document.createElement("div");
    Object.assign(made, { className: "field" });
    words.textContent = label;
    numbers.className = "numbers";
    numbers.append(...parts);
    made.append(words, numbers);
    return made;
  };
  const vector = (/** @type {"target" | "pole"} */ name, /** @type {string} */ title) =>
    [0, 1, 2].map((axis) =>
      number(`${title}, ${"xyz"[axis]}`, {
        id: `limb-${name}-${"xyz"[axis]}`,
        read: (shown) => shown[name][axis],
        write: (shown, value) =>
          character.it().hold(shown.limb, { [name]: shown[name].map((part, i) => (i === axis ? value : part)) }),
        step: (shown) => (name === "pole" ? 0.05 : 0.01 * shown.limb.reach),
      }),
    );
  // Settings belong to a limb that is held: it is taken where it is.
  const set = (/** @type {Shown} */ { limb }, /** @type {Partial<Settings>} */ changes) => {
    const own = character.it().settings(limb);
    Object.assign(own, changes);
    if (own.least > own.greatest)
      Object.assign(own, "least" in changes ? { greatest: own.least } : { least: own.greatest });
    character.it().hold(limb, {});
  };
  const setting = (
    /** @type {"soft" | "least" | "greatest"} */ name,
    /** @type {string} */ title,
    /** @type {number} */ greatest,
    /** @type {number} */ step,
  ) =>
    number(title, {
      id: `limb-${name}`,
      read: ({ limb }) => character.it().settings(limb)[name],
      write: (shown, value) => set(shown, { [name]: value }),
      least: 0,
      greatest,
      step: () => step,
    });
  const choice = (
    /** @type {string} */ id,
    /** @type {string} */ title,
    /** @type {[string, string][]} */ options,
    /** @type {(own: Settings) => string} */ read,
    /** @type {(value: string) => Partial<Settings>} */ write,
  ) => {
    const select = Object.assign(document.createElement("select"), { id, title });
    select.setAttribute("aria-label", title);
    for (const [value, words] of options) select.append(new Option(words, value));
    select.addEventListener("change", () => {
      const shown = character.shownOf();
      if (!shown) return;
      set(shown, write(select.value));
      character.commit();
    });
    refresh.push(() => {
      const chosen = character.chosen();
      select.disabled = !chosen;
      if (chosen) select.value = read(character.it().settings(chosen));
    });
    return select;
  };
  const soft = setting(
      "soft",
      t`Softness: the fraction of the reach over which the limb lags behind the target`,
      0.99,
      0.01,
    ),
    softSlider = Object.assign(document.createElement("input"), {
      type: "range",
      id: "limb-soft-slider",
      min: "0",
      max: "0.5",
      step: "0.01",
      title: soft.title,
    });
  softSlider.setAttribute("aria-label", soft.title);
  softSlider.addEventListener("input", () => {
    const shown = character.shownOf();
    if (shown) set(shown, { soft: softSlider.valueAsNumber });
    if (shown) character.choose(shown.limb);
  });
  softSlider.addEventListener("change", character.commit);
  refresh.push(() => {
    const chosen = character.chosen();
    softSlider.disabled = !chosen;
    if (chosen) softSlider.value = String(character.it().settings(chosen).soft);
    softSlider.setAttribute("aria-valuetext", t`${softSlider.value} of the reach`);
  });
  soft.style.width = "72px";
  soft.style.flex = "none";
  byId("limb-fields").append(
    row(t`Target`, vector("target", t`Target: where the hand or foot should be`)),
    row(t`Pole`, vector("pole", t`Pole: the direction towards which the joint bends`)),
    row(t`Softness`, [softSlider, soft]),
    row(t`Joint angle`, [
      setting("least", t`Minimum joint angle in degrees: 0 is folded`, 180, 1),
      setting("greatest", t`Maximum joint angle in degrees: 180 is straight`, 180, 1),
    ]),
    row(t`Bends`, [
      choice(
        "limb-bend",
        t`What determines the plane in which the limb bends`,
        [
          ["pole", t`Towards the pole`],
          ["rest", t`As in the rest pose`],
          ["transport", t`From the frame before`],
        ],
        ({ bend }) => bend,
        (bend) => ({ bend: /** @type {Settings["bend"]} */ (bend) }),
      ),
    ]),
    row(t`Hand, foot`, [
      choice(
        "limb-end",
        t`The rotation of the hand or foot`,
        [
          ["world", t`Keeps its direction`],
          ["local", t`Turns with the limb`],
        ],
        ({ endIsLocal }) => (endIsLocal ? "local" : "world"),
        (value) => ({ endIsLocal: value === "local" }),
      ),
    ]),
  );
  byId("character-reset").addEventListener("click", () => character.release());

  // --- code ---------------------------------------------------------------------------------

  for (const kind of /** @type {const} */ (["python", "three", "glsl"]))
    keep.texts[`limb-${kind}`] = () => {
      const shown = character.shownOf();
      return shown ? code[kind](character.it(), shown) : texts.none;
    };

  // --- showing ------------------------------------------------------------------------------

  if (layout.isTouched) byId("character-hint").textContent = t`A .glb, .vrm or .bvh file. It stays on this machine.`; // nothing is dropped there
  /** Show what belongs to the scene, and hide what does not. @param {boolean} isHere */
  const arrange = (isHere) => {
    const isIntro = isHere && layout.isIntro();
    for (const [id, isShown] of /** @type {[string, boolean][]} */ ([
      ["transport", isHere],
      ["character-open", isIntro],
      ["character-hint", isIntro],
    ]))
      if (byId(id).hidden === isShown) byId(id).hidden = !isShown;
    byId("face").hidden = !isHere || !faces.length;
  };
  /** The second line of the first screen. */
  const count = () => {
    const shown = character.shownOf();
    return {
      words: shown ? texts.count(shown.limb.name, character.statusOf(shown)) : texts.none,
      status: shown?.isPinned ? shown.word : "",
    };
  };
  /** @param {boolean} isHere */
  const show = (isHere) => {
    if (!isHere) return;
    const { clip, frame } = character.it(),
      at = Math.floor(frame) % clip.count,
      shown = character.shownOf();
    if (document.activeElement !== slider || motion.isOn()) slider.value = String(at);
    panel.put(byId("clip-where"), texts.frame(at, clip.count));
    panel.put(play, motion.isOn() ? texts.pause : texts.play);
    slider.setAttribute("aria-valuetext", texts.frame(at, clip.count));
    if (layout.side() !== "panel") return;
    showFaces();
    character.limbs().forEach((each, i) => {
      const { choose, mark, words, free } = rows[i],
        [kind, path] = panel.MARKS[each.isPinned ? each.word : "REACHED"];
      choose.setAttribute("aria-pressed", String(each.limb === character.chosen()));
      /** @type {HTMLElement} */ (words.parentElement).className = each.isPinned ? `status ${kind}` : "status loose";
      mark.setAttribute("d", each.isPinned ? path : "");
      panel.put(words, character.statusOf(each));
      free.disabled = !each.isPinned;
    });
    panel.put(byId("limb-title-of"), shown ? texts.limb(shown.limb.name) : texts.none);
    for (const each of refresh) each();
  };
  return { arrange, count, show };
})();
