// A character: a figure of the page, or a file that somebody drops.
import "./german.js"; // first: the others find their words in it
import "./html.js"; // first: the others find its elements
import { live } from "../../state/live.js";
import { stage } from "../../stage/stage.js";
import { t } from "../../texts/texts.js";
import { character } from "./character.js";
import { characterControls } from "./controls.js";
import { files } from "./files.js";
import { characterHandles } from "./handles.js";

/** @import { Given } from "../scene.js" */

/** @type {Given} */
export const scene = {
  name: t`Character`,
  title: t`A figure, or a file of yours, whose hands and feet are dragged`,
  line: t`Drag a hand\nor a foot.`,
  orbit: { least: -5, zooms: [0.2, 12], isStrict: false, isLed: false },
  history: character.history,
  shapes: character.shapes,
  render: (canvas, isBest, size) =>
    stage.render(canvas, character.camera(), character.parts(), character.view.box.reach, isBest, size),
  say: character.say,
  fit: character.fit,
  start: () => {
    const given = live.served("character");
    if (given) files.fetched(given);
  },
  step: character.step,
  solve: character.solve,
  count: characterControls.count,
  arrange: characterControls.arrange,
  show: (isHere) => {
    characterHandles.show(isHere);
    characterControls.show(isHere);
  },
  parts: { character, characterControls, characterHandles, files },
};
