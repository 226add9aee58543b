// An animal that walks.
import "./german.js"; // first: the others find their words in it
import "./html.js"; // first: the others find its elements
import { byId } from "../../elements.js";
import { stage } from "../../stage/stage.js";
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { layout } from "../../panel/layout.js";
import { creature } from "./creature.js";
import { herd } from "./herd.js";
import { creatureInput } from "./input.js";
import { land } from "./land.js";
import { leg } from "./leg.js";
import { steering } from "./steering.js";
import { walk } from "./walk.js";

/** @import { Given } from "../scene.js" */

const { isTouched } = layout;

/** @type {Given} */
export const scene = {
  name: t`Creature`,
  title: t`A walking animal whose legs are such limbs`,
  line: isTouched ? t`Tap the ground:\nit walks there.` : t`Click the ground:\nit walks there.`,
  why: {
    words: t`Look at a leg`,
    title: t`The circles and the formula of a leg, while it walks`,
    act: creatureInput.lookAtLeg,
  },
  orbit: { least: 5, zooms: [0.35, 3], isStrict: true, isLed: true },
  shapes: creature.shapes,
  render: (canvas, isBest, size) => {
    if (walk.at()) stage.render(canvas, creature.camera(), creature.parts(isBest), creature.view.reach, isBest, size);
  },
  isEmpty: () => !walk.at(),
  say: creature.say,
  enter: walk.rest,
  isMoving: () => !(walk.isStill() && creature.isCalm()),
  isBreathing: walk.breathes,
  step: (time, isMoving) => {
    walk.step(time);
    creature.follow(time);
    if (!isMoving && !walk.breathes()) walk.rest();
  },
  holds: steering.isKey,
  press: (key) => {
    if (steering.isKey(key)) steering.press(key);
    else if (key === "x") creatureInput.shove();
    else if (key === "escape" && leg.index() >= 0) leg.open(-1);
    else return false;
    return true;
  },
  hasIntro: () => byId("leg").hidden,
  count: () => ({
    words: isTouched
      ? t`A finger on the ground leads it, and a tap on its body pushes it.`
      : t`Arrow keys lead it, and a click on its body pushes it.`,
    status: "none",
  }),
  arrange: (isHere) => {
    byId("support-hint").hidden = !isHere || !state.now.polygon;
  },
  show: herd.show,
  parts: { creature, creatureInput, herd, land, leg, steering, walk },
};
