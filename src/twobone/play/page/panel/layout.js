// What lies over and beside the picture: the bar, the first screen, the tools, and one column at the
// side, which holds either the controls or a lesson.
import { byId } from "../elements.js";
import { state } from "../state/state.js";
import { t } from "../texts/texts.js";
import { mode } from "../state/mode.js";
import { plane } from "../scenes/plane/plane.js";
import { space } from "../scenes/space/space.js";
import { frames } from "../stage/frames.js";
import { sight } from "../stage/sight.js";
import { motion } from "../stage/motion.js";
import { panel } from "./panel.js";

export const layout = (() => {
  const now = state.now;

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

  // Without the column at the side the picture uses words (hand, elbow) instead of symbols.
  plane.look.isPlain = () => side === "" && now.scene === "plane";
  space.look.isPlain = () => side === "" && now.scene === "space";
  space.look.hasLengths = () => side === "panel";

  // --- the first screen ---------------------------------------------------------------------

  const isTouched = matchMedia("(pointer: coarse)").matches; // a phone has no arrow keys
  if (isTouched) byId("character-hint").textContent = t`A .glb, .vrm or .bvh file. It stays on this machine.`; // nothing is dropped there
  /** @type {Record<string, [string, string]>} */
  const LINES = {
    plane: [t`Drag the hand.\nWhere is the elbow?`, t`Derive the answer in seven short steps`],
    space: [t`Drag the hand.\nWhich way to bend?`, t`Five short steps about limbs in space`],
    creature: [
      isTouched ? t`Tap the ground:\nit walks there.` : t`Click the ground:\nit walks there.`,
      t`The circles and the formula of a leg, while it walks`,
    ],
    character: [t`Drag a hand\nor a foot.`, ""], // character/controls.js writes the rest
  };
  /**
   * Say how many places there are for the elbow.
   * @param {any} found the solution, as limb.solve returns it
   */
  const count = (found) => {
    if (found.word === "TOO_FAR") return t`None: too far away by ${found.by.toFixed(2)}.`;
    if (found.word === "TOO_NEAR") return t`None: too near by ${found.by.toFixed(2)}.`;
    if (found.far === 0) return t`Anywhere on a circle: the hand is at the shoulder.`;
    if (found.wide === 3) return t`To any point of the purple circle: drag the pole.`;
    if (found.s * found.far < 0.004 * (now.r1 + now.r2))
      return found.far > Math.max(now.r1, now.r2)
        ? t`One place: the arm is straight.`
        : t`One place: the arm is folded.`;
    return t`Two places: the elbow of this arm, or that of the dashed one.`;
  };
  /** @param {any} found */
  const show = (found) => {
    const line = LINES[now.scene],
      isOpen = side === "" && byId("leg").hidden && !mode.isEmbedded();
    byId("intro").hidden = !isOpen;
    byId("support-hint").hidden = now.scene !== "creature" || !now.polygon;
    panel.put(byId("intro-line"), line[0]);
    byId("intro-why").title = line[1];
    panel.put(byId("intro-why"), now.scene === "creature" ? t`Look at a leg` : t`Show me why`);
    if (!isOpen || !found) return;
    if (now.scene === "creature") {
      panel.put(
        byId("intro-count"),
        isTouched
          ? t`A finger on the ground leads it, and a tap on its body pushes it.`
          : t`Arrow keys lead it, and a click on its body pushes it.`,
      );
      byId("intro-count").dataset.status = "none";
    } else if (state.isLimb()) {
      panel.put(byId("intro-count"), count(found));
      byId("intro-count").dataset.status = found.word;
    }
  };

  // Until somebody takes it, the hand moves by itself; it rests where a pointer comes to take it.
  byId("handles").addEventListener("pointermove", (event) => {
    if (side === "" && event.pointerType === "mouse" && event.movementX ** 2 + event.movementY ** 2 > 0)
      motion.settleDown();
  });

  /** The question of the first screen on one line. */
  const line = () => LINES[now.scene][0].replace("\n", " ");

  return { open, show, line, side: () => side };
})();
