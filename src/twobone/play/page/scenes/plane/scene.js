// An arm in the plane.
import "./german.js"; // first: the others find their words in it
import { frames } from "../../stage/frames.js";
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { limb } from "../../limb/limb.js";
import { limbScene } from "../../limb/scene.js";
import { layout } from "../../panel/layout.js";
import { lesson } from "../../lesson/lesson.js";
import { plane } from "./plane.js";
import "./lesson.js";
import "./breaking.js";

/** @import { Given } from "../scene.js" */

const now = state.now;
// Without the column at the side the picture uses words (hand, elbow) instead of symbols.
const { alpha } = plane.look;
Object.assign(plane.look, lesson.look, {
  isPlain: () => layout.side() === "",
  alpha: (/** @type {string} */ part) => (lesson.look.hasParts() ? lesson.look.alpha(part) : alpha(part)),
});

/** @type {Given} */
export const scene = {
  ...limbScene,
  name: t`Plane`,
  title: t`A limb in the plane, which bends to one side or the other`,
  line: t`Drag the hand.\nWhere is the elbow?`,
  why: { words: t`Show me why`, title: t`Derive the answer in seven short steps`, act: () => lesson.open("plane") },
  lesson: "plane",
  view: plane.view,
  limb: {
    toPixels: plane.toPixels,
    toWorld: plane.toWorld,
    scale: () => plane.view.scale,
    poleTip: null,
    approach: plane.approach,
  },
  shapes: () => plane.shapes(now, frames.found()),
  say: (found) => limb.describe(now, found, lesson.alt(), plane.isDrawn),
  fit: () => plane.resize(false),
  resize: plane.resize,
  zoom: plane.zoom,
  parts: { plane },
};
