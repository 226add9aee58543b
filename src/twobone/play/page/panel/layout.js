// What lies over and beside the picture: the bar, the first screen, the tools, and one column at the
// side, which holds either the controls or a lesson.
import { byId } from "../elements.js";
import { mode } from "../state/mode.js";
import { scenes } from "../scenes/scene.js";
import { frames } from "../stage/frames.js";
import { sight } from "../stage/sight.js";
import { motion } from "../stage/motion.js";
import { panel } from "./panel.js";

export const layout = (() => {
  // --- the column at the side ---------------------------------------------------------------

  /** @typedef {"" | "panel" | "lesson"} Side */
  /** @type {Side} */
  let side = "";

  /**
   * Open the controls or the lesson in the column at the side, or close it with "".
   * @param {Side} name
   */
  const open = (name) => {
    if (name === side || (name === "panel" && !mode.isWhole())) return;
    const had = byId(side || "panel").contains(document.activeElement),
      before = side;
    side = name;
    document.body.dataset.side = name;
    for (const each of ["panel", "lesson"]) byId(each).hidden = each !== name;
    byId("panel-open").setAttribute("aria-expanded", String(name === "panel"));
    show(frames.found());
    sight.arrive();
    // The focus must not stay on something that is hidden now.
    if (before && had && !name) byId(before === "panel" ? "panel-open" : "intro-why").focus();
  };
  byId("panel-close").addEventListener("click", () => open(""));

  // --- the first screen ---------------------------------------------------------------------

  /** Whether the words of the first screen are there. */
  const isIntro = () => side === "" && scenes.shown().hasIntro() && !mode.isEmbedded();
  const isTouched = matchMedia("(pointer: coarse)").matches; // a phone has no arrow keys
  /** Without a solution, the second line stays as it is. @param {import("../scenes/scene.js").Found | null} found */
  const show = (found) => {
    const { line, why, count } = scenes.shown(),
      isOpen = isIntro();
    scenes.each((scene, isHere) => scene.arrange(isHere));
    byId("intro").hidden = !isOpen;
    panel.put(byId("intro-line"), line);
    byId("intro-why").hidden = why === null;
    if (why) {
      byId("intro-why").title = why.title;
      panel.put(byId("intro-why"), why.words);
    }
    if (!isOpen || !found) return;
    const { words, status } = count(found);
    panel.put(byId("intro-count"), words);
    byId("intro-count").dataset.status = status;
  };
  byId("intro-why").addEventListener("click", () => scenes.shown().why?.act());

  // Until somebody takes it, the hand moves by itself; it rests where a pointer comes to take it.
  byId("handles").addEventListener("pointermove", (event) => {
    if (side === "" && event.pointerType === "mouse" && event.movementX ** 2 + event.movementY ** 2 > 0)
      motion.settleDown();
  });

  /** The question of the first screen on one line. */
  const line = () => scenes.shown().line.replace("\n", " ");

  return { open, show, line, isIntro, isTouched, side: () => side };
})();
