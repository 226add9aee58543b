// Handles of the Character scene: the targets of hands and feet, and the poles of the limbs that were taken
// or chosen. Each is a button, so that Tab reaches it; arrow keys move it.
import { byId } from "../../elements.js";
import { mode } from "../../state/mode.js";
import { motion } from "../../stage/motion.js";
import { sight } from "../../stage/sight.js";
import { limb as planar } from "../../limb/limb.js";
import { character } from "./character.js";
import { isHere } from "./here.js";
import { t } from "../../texts/texts.js";
import { texts } from "./texts.js";

/** @typedef {import("./posing.js").Shown} Shown */
/** @typedef {import("./posing.js").PosedLimb} PosedLimb */

export const characterHandles = (() => {
  const { plus, minus, times, unit } = planar.vectors;
  const box = byId("character-handles"),
    picture = byId("picture"),
    STEP = 0.01,
    SLACK = 3;
  /** @type {Record<string, number[]>} */
  const ARROWS = {
    ArrowLeft: [-1, 0, 0],
    ArrowRight: [1, 0, 0],
    ArrowUp: [0, 1, 0],
    ArrowDown: [0, -1, 0],
    PageUp: [0, 0, -1],
    PageDown: [0, 0, 1],
  };
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  /** @type {{ key: string, id: number, at: number[], grab: number[], from: number[], moved: boolean } | null} */
  let held = null;
  /** @type {number[]} */
  const costs = [];

  const up = () => character.it().source.up;
  const shownOf = (/** @type {string} */ key) => /** @type {Shown} */ (character.limbs()[Number(key.split("-")[1])]);
  const isPole = (/** @type {string} */ key) => key.startsWith("pole");
  const placeOf = (/** @type {string} */ key) =>
    isPole(key) ? character.view.poleTip(shownOf(key)) : shownOf(key).target;
  // Put what a handle moves somewhere.
  const move = (/** @type {string} */ key, /** @type {number[]} */ at) => {
    const { limb, joint } = shownOf(key);
    character.it().hold(limb, isPole(key) ? { pole: unit(minus(at, joint)) } : { target: at });
    character.choose(limb);
  };

  const drag = (/** @type {PointerEvent} */ event) => {
    if (held?.id !== event.pointerId) return;
    const began = performance.now(),
      to = mode.at(event);
    if (!held.moved && Math.hypot(to[0] - held.from[0], to[1] - held.from[1]) < SLACK) return;
    held.moved = true;
    held.at = character.view.toWorld(plus(to, held.grab), held.at, up());
    move(held.key, held.at);
    costs.push(performance.now() - began);
    if (costs.length > 2000) costs.shift();
  };
  const drop = (/** @type {PointerEvent} */ event) => {
    if (held?.id !== event.pointerId) return;
    const { moved } = held;
    held = null;
    picture.classList.remove("busy");
    if (moved) character.commit();
  };
  const press = (/** @type {string} */ key, /** @type {KeyboardEvent} */ event) => {
    const arrow = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" || event.key === "Backspace") character.release(shownOf(key).limb);
    else if (!arrow) return;
    else {
      const step = STEP * (event.shiftKey ? 10 : 1) * (isPole(key) ? 5 : 1) * shownOf(key).limb.reach;
      move(key, plus(placeOf(key), times(step, character.view.toAxes(arrow, up()))));
      character.commit();
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const make = (/** @type {string} */ key) => {
    const button = document.createElement("button");
    Object.assign(button, {
      type: "button",
      id: `character-${key}`,
      className: `handle ${isPole(key) ? "knob small-hit" : "ring"}`,
    });
    button.style.color = `var(--${isPole(key) ? "soft-ink" : "target"})`;
    button.setAttribute("aria-roledescription", t`handle`);
    button.addEventListener("pointerdown", (event) => {
      if (event.button || held) return;
      event.preventDefault();
      event.stopPropagation();
      button.focus({ preventScroll: true });
      button.setPointerCapture(event.pointerId);
      const at = placeOf(key),
        [x, y] = character.view.toPixels(at, up()),
        from = mode.at(event);
      held = { key, id: event.pointerId, at, grab: [x - from[0], y - from[1]], from, moved: false };
      character.choose(shownOf(key).limb);
      picture.classList.add("busy");
    });
    button.addEventListener("pointermove", drag);
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"]))
      button.addEventListener(kind, drop);
    button.addEventListener("keydown", (event) => press(key, event));
    button.addEventListener("focus", () => character.choose(shownOf(key).limb));
    box.append(button);
    buttons.set(key, button);
    return button;
  };
  // Another character, or another clip, has other limbs.
  character.on(() => {
    held = null;
    picture.classList.remove("busy");
    box.replaceChildren();
    buttons.clear();
    // The poles come first, so that targets lie on top; Tab goes from limb to limb.
    character.it().limbs.forEach((_, i) => ["pole", "limb"].forEach((kind) => make(`${kind}-${i}`)));
  });

  const number = (/** @type {number} */ v) => (Math.abs(v) < 5e-4 ? "0" : v.toPrecision(3)).replace("-", "−");
  /** @param {boolean} isHere */
  const show = (isHere) => {
    if (box.hidden === isHere) box.hidden = !isHere;
    if (!isHere) return;
    const { width, height } = sight.size(),
      k = mode.scale();
    for (const [key, button] of buttons) {
      const shown = shownOf(key);
      if (!shown) continue;
      const at = placeOf(key),
        [x, y] = character.view.toPixels(at, up()),
        isAway = x < -40 || y < -40 || x > width + 40 || y > height + 40;
      const hidden = isAway || (isPole(key) && !(shown.isPinned || shown.limb === character.chosen()));
      if (button.hidden !== hidden && !(hidden && held?.key === key)) button.hidden = hidden;
      if (hidden) continue;
      button.style.transform = `translate(${(k * x).toFixed(1)}px, ${(k * y).toFixed(1)}px)${k > 1 ? ` scale(${k.toFixed(2)})` : ""}`;
      if (motion.isOn() && button !== document.activeElement && button.ariaLabel) continue; // names need not move
      const place = (isPole(key) ? shown.pole : at).map(number).join(", ");
      button.setAttribute(
        "aria-label",
        isPole(key) ? texts.pole(shown.limb.name, place) : texts.target(shown.limb.name, place),
      );
      button.classList.toggle("loose", !isPole(key) && !shown.isPinned);
    }
  };
  picture.addEventListener("pointerdown", (event) => {
    if (
      isHere() &&
      document.activeElement instanceof HTMLElement &&
      !(event.target instanceof Element && event.target.closest("button, input, select"))
    )
      document.activeElement.blur();
  });
  return { show, costs, holding: () => held !== null };
})();
