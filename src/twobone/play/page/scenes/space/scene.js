// An arm in space, with a pole.
import "./german.js"; // first: the others find their words in it
import { frames } from "../../stage/frames.js";
import { camera } from "../../stage/camera.js";
import { stage } from "../../stage/stage.js";
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { limb } from "../../limb/limb.js";
import { limbScene } from "../../limb/scene.js";
import { layout } from "../../panel/layout.js";
import { lesson } from "../../lesson/lesson.js";
import { space } from "./space.js";
import "./lesson.js";

/** @import { Given } from "../scene.js" */

const now = state.now;
const here = () => space.camera(now);
space.look.isPlain = () => layout.side() === "";
space.look.hasLengths = () => layout.side() === "panel";

/** @type {Given} */
export const scene = {
  ...limbScene,
  name: t`Space`,
  title: t`A limb in space, which bends towards a pole vector`,
  line: t`Drag the hand.\nWhich way to bend?`,
  why: { words: t`Show me why`, title: t`Five short steps about limbs in space`, act: () => lesson.open("space") },
  lesson: "space",
  orbit: { least: -20, zooms: [0.1, 20], isStrict: false, isLed: false },
  limb: {
    toPixels: (v) => camera.project(here(), v),
    toWorld: (pixels, like) => camera.unproject(here(), pixels, like),
    scale: () => camera.project(here(), now.root)[2],
    poleTip: space.poleTip,
    approach: () => (t) => {
      if (t === 1) space.fit(now);
    },
  },
  shapes: (isLit) => space.shapes(now, frames.found(), isLit),
  render: (canvas, isBest, size) =>
    stage.render(canvas, here(), space.parts(now, frames.found()), space.view.reach, isBest, size),
  say: (found) => limb.describe(now, found, lesson.alt(), () => true),
  fit: () => space.fit(now),
  enter: (by) => {
    if (by !== "address") state.set({ zoom: 1 }, "view");
  },
  parts: { space },
};
