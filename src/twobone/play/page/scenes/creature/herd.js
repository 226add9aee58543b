// The Creature panel: animal, ground, gait, the leg that is looked at, and measures of the walk.
import { byId } from "../../elements.js";
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { panel } from "../../panel/panel.js";
import { steering } from "./steering.js";
import { walk } from "./walk.js";
import { leg } from "./leg.js";
import { creatureInput } from "./input.js";

export const herd = (() => {
  const now = state.now;
  const { put } = panel;

  const CHOICES = {
    animal: [
      t`Animal`,
      t`The animal that walks`,
      {
        insect: t`Insect, 6 legs`,
        spider: t`Spider, 8 legs`,
        dog: t`Dog, 4 legs`,
        horse: t`Horse, 4 legs`,
        bird: t`Bird, 2 legs`,
        human: t`Human, 2 legs`,
        crab: t`Crab, 8 legs`,
        centipede: t`Centipede, 20 legs`,
      },
    ],
    ground: [
      t`Ground`,
      t`The ground it walks on; roughness is the root mean square of the heights in percent of the leg length`,
      {
        flat: t`Flat`,
        0.05: t`Rough, 5 %`,
        0.1: t`Rough, 10 %`,
        0.15: t`Rough, 15 %`,
        0.2: t`Rough, 20 %`,
        0.25: t`Rough, 25 %`,
        slope: t`Slope, 12°`,
        steps: t`Steps`,
      },
    ],
    duty_factor: [
      t`Gait`,
      t`The duty factor: the fraction of a gait cycle that a foot is on the ground`,
      {
        0: t`Adapts to the speed`,
        0.85: t`Duty factor 0.85`,
        0.75: t`Duty factor 0.75`,
        0.6: t`Duty factor 0.6`,
        0.5: t`Duty factor 0.5`,
      },
    ],
    liveliness: [
      t`Liveliness`,
      t`How much the body bobs, leans and sways with its steps`,
      { 1: t`Full`, 0.5: t`Half`, 0: t`None` },
    ],
  };
  // What Python has given is a choice too, as long as it holds.
  /** @type {Record<string, "animal" | "terrain">} */
  const GIVEN = { animal: "animal", ground: "terrain" };
  const PYTHON = "python";
  const selects = Object.entries(CHOICES).map(([name, [label, title, options]]) => {
    const row = document.createElement("label"),
      select = document.createElement("select");
    row.className = "field";
    row.append(Object.assign(document.createElement("span"), { textContent: label }), select);
    Object.assign(select, { id: `choose-${name}`, title });
    // JavaScript lists integer keys before all others, so move "flat" to the front.
    for (const [value, text] of Object.entries(options)) select.append(new Option(text, value));
    if (name === "ground")
      select.prepend(.../** @type {NodeListOf<HTMLOptionElement>} */ (select.querySelectorAll('[value="flat"]')));
    if (name === "liveliness")
      select.prepend(.../** @type {NodeListOf<HTMLOptionElement>} */ (select.querySelectorAll('[value="1"]')));
    select.addEventListener("change", () => {
      if (GIVEN[name]) walk.dismiss(GIVEN[name]);
      state.set({ [name]: typeof now[name] === "number" ? Number(select.value) : select.value }, "view");
    });
    byId("choices").append(row);
    return { name, select };
  });

  const chooseLeg = document.createElement("select");
  Object.assign(chooseLeg, {
    id: "choose-leg",
    title: t`A leg to look at: its circles, its pole and its numbers. A click on a leg does the same`,
  });
  const legRow = document.createElement("label");
  legRow.className = "field";
  legRow.append(Object.assign(document.createElement("span"), { textContent: t`Look at` }), chooseLeg);
  byId("choices").append(legRow);
  chooseLeg.addEventListener("change", () => leg.open(Number(chooseLeg.value) - 1));
  /** @type {any} */
  let listed = null;
  const showLegs = () => {
    const animal = walk.animal();
    if (animal && listed !== animal) {
      listed = animal;
      chooseLeg.replaceChildren(
        new Option(t`No leg`, "0"),
        ...leg.names(animal).map((name, i) => new Option(name, String(i + 1))),
      );
    }
    chooseLeg.value = String(leg.index() + 1);
  };

  byId("other-ground").addEventListener("click", () => state.set({ seed: now.seed + 1 }, "view"));
  byId("shove").addEventListener("click", creatureInput.shove);
  const SHOWS = ["polygon", "paths", "triangles", "bones"];
  for (const name of SHOWS)
    byId(`show-${name}`).addEventListener("click", () => state.set({ [name]: now[name] ? 0 : 1 }, "view"));

  // --- figures ------------------------------------------------------------------------------

  /** @type {(v: number) => string} */
  const percent = (v) => `${(100 * v).toFixed(1)} %`;
  /** @type {(v: number) => string} */
  const metres = (v) => (v === 0 ? "0" : v.toExponential(1)).replace("-", "−");
  /** @type {(v: number) => string} */
  const degrees = (v) => `${((v * 180) / Math.PI).toFixed(1)}°`;
  // Each figure: its label, what it measures, how it is written.
  /** @type {Record<string, [string, string, (v: number) => string]>} */
  const FIGURES = {
    least_feet_down: [
      t`Fewest feet down`,
      t`The smallest number of feet on the ground at any time`,
      (v) => v.toFixed(0),
    ],
    least_margin_over_leg: [
      t`Minimum margin`,
      t`The static stability margin: how far the centre of the body stays inside the support polygon, in percent of the leg length; with a negative margin the animal would tip over if it stood still`,
      (v) => percent(v).replace("-", "−"),
    ],
    greatest_reach: [
      t`Leg extension`,
      t`The largest distance from hip to ankle in percent of both bones; 100 % is a straight leg`,
      percent,
    ],
    slide: [t`Foot sliding`, t`The largest distance that a foot moves during stance, in metres`, metres],
    bone_error: [
      t`Bone length error`,
      t`The largest error of the length of a bone, in units of eps times the coordinates of its ends`,
      (v) => `${v.toFixed(1)} eps`,
    ],
    depth_of_feet: [t`Foot penetration`, t`How deep a foot goes below the ground, in metres`, metres],
    depth_of_legs: [
      t`Leg penetration`,
      t`How deep a leg goes below the ground between knee and foot, in metres`,
      metres,
    ],
    knee_plane_rotation: [
      t`Leg plane rotation`,
      t`The largest rotation of the plane of a leg between two frames at 60 frames per second`,
      degrees,
    ],
    backwards: [
      t`Backward motion`,
      t`The largest movement of the body against its heading between two frames, in metres`,
      metres,
    ],
  };
  /** @type {Record<string, HTMLElement>} */
  const lines = {};
  /** @type {(name: string, label: string, title: string) => void} */
  const line = (name, label, title) => {
    const row = document.createElement("div");
    row.title = title;
    row.append(
      Object.assign(document.createElement("span"), { textContent: label }),
      Object.assign(document.createElement("span"), { id: `figure-${name}` }),
    );
    byId("figures").append(row);
    lines[name] = /** @type {HTMLElement} */ (row.lastChild);
  };
  line("feet", t`Feet down now`, t`The number of feet on the ground`);
  line(
    "margin",
    t`Margin now`,
    t`How far the centre of the body is inside the support polygon, in percent of the leg length`,
  );
  for (const [name, [label, title]] of Object.entries(FIGURES)) line(name, label, title);

  // Update the figures a few times a second, so that they can be read.
  const PAUSE = 200;
  const HELP = t`Click the ground to send the animal there, click its body to push it, click a leg to look at it. W A S D or the arrow keys walk, Q and E walk sideways. Drag or press I J K L to orbit the camera.`;
  let told = 0;
  /** @param {boolean} isHere */
  const show = (isHere) => {
    leg.show();
    if (!isHere) return;
    for (const { name, select } of selects) {
      const isGiven = GIVEN[name] !== undefined && walk.isGiven(GIVEN[name]),
        value = isGiven ? PYTHON : String(now[name]);
      const option = /** @type {HTMLOptionElement | null} */ (select.querySelector(`[value="${PYTHON}"]`)),
        words = name === "animal" ? t`${walk.animal()?.name}, from Python` : t`From Python`;
      if (!isGiven) option?.remove();
      else if (!option) select.append(new Option(words, PYTHON));
      else put(option, words);
      if (select.value !== value && document.activeElement !== select) select.value = value;
    }
    showLegs();
    byId("other-ground", HTMLButtonElement).disabled = walk.isGiven("terrain") || !Number(now.ground);
    for (const name of SHOWS) byId(`show-${name}`).setAttribute("aria-pressed", String(now[name] === 1));
    put(byId("walk-words"), walk.problem() || (steering.isLed() ? t`Python leads the animal. ` : "") + HELP);
    const at = walk.at(),
      time = performance.now();
    // Measures cost more than a step, so they are computed only where they can be read.
    if (!at || byId("panel").hidden || (time - told < PAUSE && !walk.isStill())) return;
    told = time;
    const { hull, margin } = walk.support(),
      report = walk.report();
    put(lines.feet, t`${at.down.filter(Boolean).length} of ${at.down.length}`);
    put(lines.margin, hull.length < 3 ? t`no polygon` : percent(margin / walk.animal().length).replace("-", "−"));
    for (const [name, [, , write]] of Object.entries(FIGURES))
      put(lines[name], report?.[name] == null ? t`none` : write(report[name]));
  };

  return { show };
})();
