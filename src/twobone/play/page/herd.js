// The Creature panel: animal, ground and gait, and measures of the walk.
import { allOf, byId } from "./elements.js";
import { state } from "./state.js";
import { panel } from "./panel.js";
import { live } from "./live.js";
import { walk } from "./walk.js";
import { creature } from "./creature.js";

export const herd = (() => {
  const now = state.now;
  const { put } = panel;

  const CHOICES = {
    animal: ["Animal", "The animal that walks", { insect: "Insect, 6 legs", spider: "Spider, 8 legs", dog: "Dog, 4 legs", bird: "Bird, 2 legs", crab: "Crab, 8 legs", centipede: "Centipede, 20 legs" }],
    ground: ["Ground", "The ground it walks on; roughness is the root mean square of the heights in percent of the leg length", { flat: "Flat", 0.05: "Rough, 5 %", 0.1: "Rough, 10 %", 0.15: "Rough, 15 %", slope: "Slope, 12°", steps: "Steps" }],
    duty_factor: ["Gait", "The duty factor: the fraction of a gait cycle that a foot is on the ground", { 0: "Adapts to the speed", 0.85: "Duty factor 0.85", 0.75: "Duty factor 0.75", 0.6: "Duty factor 0.6", 0.5: "Duty factor 0.5" }],
  };
  const selects = Object.entries(CHOICES).map(([name, [label, title, options]]) => {
    const row = document.createElement("label"), select = document.createElement("select");
    row.className = "field";
    row.append(Object.assign(document.createElement("span"), { textContent: label }), select);
    Object.assign(select, { id: `choose-${name}`, title });
    // JavaScript lists integer keys before all others, so move "flat" to the front.
    for (const [value, text] of Object.entries(options)) select.append(new Option(text, value));
    if (name === "ground") select.prepend(.../** @type {NodeListOf<HTMLOptionElement>} */ (select.querySelectorAll('[value="flat"]')));
    select.addEventListener("change", () => state.set({ [name]: name === "duty_factor" ? Number(select.value) : select.value }, "view"));
    byId("choices").append(row);
    return { name, select };
  });

  byId("other-ground").addEventListener("click", () => state.set({ seed: now.seed + 1 }, "view"));
  byId("shove").addEventListener("click", () => creature.shove());
  const SHOWS = ["polygon", "paths", "triangles"];
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
    least_feet_down: ["Fewest feet down", "The smallest number of feet on the ground at any time", (v) => v.toFixed(0)],
    least_margin_over_leg: ["Minimum margin", "The static stability margin: how far the centre of the body stays inside the support polygon, in percent of the leg length; with a negative margin the animal would tip over if it stood still", (v) => percent(v).replace("-", "−")],
    greatest_reach: ["Leg extension", "The largest distance from hip to foot in percent of the leg length; 100 % is a straight leg", percent],
    slide: ["Foot sliding", "The largest distance that a foot moves during stance, in metres", metres],
    bone_error: ["Bone length error", "The largest error of the length of a bone, in units of eps times the length", (v) => `${v.toFixed(1)} eps`],
    depth_of_feet: ["Foot penetration", "How deep a foot goes below the ground, in metres", metres],
    depth_of_knees: ["Knee penetration", "How deep a knee goes below the ground, in metres", metres],
    knee_plane_rotation: ["Leg plane rotation", "The largest rotation of the plane of a leg between two frames at 60 frames per second", degrees],
    backwards: ["Backward motion", "The largest movement of the body against its heading between two frames, in metres", metres],
  };
  /** @type {Record<string, HTMLElement>} */
  const lines = {};
  /** @type {(name: string, label: string, title: string) => void} */
  const line = (name, label, title) => {
    const row = document.createElement("div");
    row.title = title;
    row.append(Object.assign(document.createElement("span"), { textContent: label }), Object.assign(document.createElement("span"), { id: `figure-${name}` }));
    byId("figures").append(row);
    lines[name] = /** @type {HTMLElement} */ (row.lastChild);
  };
  line("feet", "Feet down now", "The number of feet on the ground");
  line("margin", "Margin now", "How far the centre of the body is inside the support polygon, in percent of the leg length");
  for (const [name, [label, title]] of Object.entries(FIGURES)) line(name, label, title);

  // Update the figures a few times a second, so that they can be read.
  const PAUSE = 200;
  let told = 0;
  const show = () => {
    const on = now.scene === "creature", recorded = walk.isRecorded(), answers = live.walks();
    for (const section of allOf("[data-scene]")) section.hidden = (section.dataset.scene === "creature") !== on;
    if (!on) return;
    for (const { name, select } of selects) {
      const value = String(recorded ? { animal: walk.animal()?.name, ground: "0.1", duty_factor: 0 }[name] : now[name]);
      if (select.value !== value && document.activeElement !== select) select.value = value;
      select.disabled = !answers;
    }
    byId("other-ground", HTMLButtonElement).disabled = !answers || !Number(now.ground);
    byId("shove", HTMLButtonElement).disabled = !answers || !walk.at();
    for (const name of SHOWS) byId(`show-${name}`).setAttribute("aria-pressed", String(now[name] === 1));
    put(byId("walk-words"), recorded ? "This is a recorded walk. Run twobone play to steer the animal yourself." : answers && !live.isWalkLate() ? "Click the ground to send the animal there, click the animal to push it. W A S D or the arrow keys walk, Q and E walk sideways. Drag or press I J K L to orbit the camera." : "Waiting for Python");
    const at = walk.at(), time = performance.now();
    if (!at || (time - told < PAUSE && !walk.isStill())) return;
    told = time;
    const { margin } = walk.support(), leg = walk.animal().leg, report = walk.report();
    put(lines.feet, `${at.down.filter(Boolean).length} of ${at.down.length}`);
    put(lines.margin, Number.isNaN(margin) ? "no polygon" : percent(margin / leg).replace("-", "−"));
    for (const [name, [, , write]] of Object.entries(FIGURES)) put(lines[name], report?.[name] == null ? "none" : write(report[name]));
    put(byId("figures-title"), recorded ? "Measured over the whole walk" : "Measured over the last four seconds");
  };

  return { show };
})();
