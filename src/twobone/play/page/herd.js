// The controls beside the animal: which one, on what ground, and how well it walks.
const herd = (() => {
  "use strict";
  const now = state.now;
  const byId = (id) => document.getElementById(id);
  const { put } = panel;

  const CHOICES = {
    animal: ["Animal", "What walks", { insect: "Insect, 6 legs", spider: "Spider, 8 legs", dog: "Dog, 4 legs", bird: "Bird, 2 legs", crab: "Crab, 8 legs", centipede: "Centipede, 20 legs" }],
    ground: ["Ground", "What it walks on; roughness is the root mean square of heights over the length of a leg", { flat: "Flat", 0.05: "Rough, 5 %", 0.1: "Rough, 10 %", 0.15: "Rough, 15 %", slope: "Slope, 12°", steps: "Steps" }],
    duty_factor: ["Gait", "How long a foot is on the ground, of a cycle", { 0: "As its speed asks", 0.85: "Slow wave, duty factor .85", 0.75: "Wave, duty factor .75", 0.6: "Fast wave, duty factor .6", 0.5: "Half in the air, duty factor .5" }],
  };
  const selects = Object.entries(CHOICES).map(([name, [label, title, options]]) => {
    const row = document.createElement("label"), select = document.createElement("select");
    row.className = "field";
    row.append(Object.assign(document.createElement("span"), { textContent: label }), select);
    Object.assign(select, { id: `choose-${name}`, title });
    // Numbers as names of options come first and in order: then words.
    for (const [value, text] of Object.entries(options)) select.append(new Option(text, value));
    if (name === "ground") select.prepend(select.querySelector('[value="flat"]'));
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

  const percent = (v) => `${(100 * v).toFixed(1)} %`;
  const metres = (v) => (v === 0 ? "0" : v.toExponential(1)).replace("-", "−");
  const degrees = (v) => `${((v * 180) / Math.PI).toFixed(1)}°`;
  // What it is called, what it is, and how it is written.
  const FIGURES = {
    least_feet_down: ["Fewest feet down", "At any moment", (v) => v.toFixed(0)],
    least_margin_over_leg: ["Least margin", "How far inside its support polygon the body stays, over the length of a leg; below 0 it would fall, if it stood still", (v) => percent(v).replace("-", "−")],
    greatest_reach: ["Greatest reach", "Of the length of a leg: 100 % is a straight one", percent],
    slide: ["Foot sliding", "How far a foot on the ground moves", metres],
    bone_error: ["Error of bones", "Of their length, in units of the last place", (v) => `${v.toFixed(1)} eps`],
    depth_of_feet: ["Feet under ground", "How deep", metres],
    depth_of_knees: ["Knees under ground", "How deep", metres],
    knee_plane_turn: ["Turn of a knee", "The plane of a leg, at most between two pictures of 60 a second", degrees],
    backwards: ["Steps backwards", "How far", metres],
  };
  const lines = {};
  const line = (name, label, title) => {
    const row = document.createElement("div");
    row.title = title;
    row.append(Object.assign(document.createElement("span"), { textContent: label }), Object.assign(document.createElement("span"), { id: `figure-${name}` }));
    byId("figures").append(row);
    lines[name] = row.lastChild;
  };
  line("feet", "Feet down now", "How many feet are on the ground");
  line("margin", "Margin now", "How far inside its support polygon the body is, over the length of a leg");
  for (const [name, [label, title]] of Object.entries(FIGURES)) line(name, label, title);

  // Numbers that change all the time are readable a few times a second.
  const PAUSE = 200;
  let told = 0;
  const show = () => {
    const on = now.scene === "creature", recorded = walk.isRecorded(), answers = live.walks();
    for (const section of document.querySelectorAll("[data-scene]")) section.hidden = (section.dataset.scene === "creature") !== on;
    if (!on) return;
    for (const { name, select } of selects) {
      const value = String(recorded ? { animal: walk.animal()?.name, ground: "0.1", duty_factor: 0 }[name] : now[name]);
      if (select.value !== value && document.activeElement !== select) select.value = value;
      select.disabled = !answers;
    }
    byId("other-ground").disabled = !answers || !Number(now.ground);
    byId("shove").disabled = !answers || !walk.at();
    for (const name of SHOWS) byId(`show-${name}`).setAttribute("aria-pressed", String(now[name] === 1));
    put(byId("walk-words"), recorded ? "A walk that was recorded. Start Python with twobone play, and it walks where you like." : answers && !live.isWalkLate() ? "Click the ground: it goes there. Click the animal: a push. W A S D or arrows walk, Q E go sideways; a drag or I J K L turns the camera." : "Waiting for Python");
    const at = walk.at(), time = performance.now();
    if (!at || (time - told < PAUSE && !walk.isStill())) return;
    told = time;
    const { margin } = walk.support(), leg = walk.animal().leg, report = walk.report();
    put(lines.feet, `${at.down.filter(Boolean).length} of ${at.down.length}`);
    put(lines.margin, Number.isNaN(margin) ? "no polygon" : percent(margin / leg).replace("-", "−"));
    for (const [name, [, , write]] of Object.entries(FIGURES)) put(lines[name], report?.[name] == null ? "none" : write(report[name]));
    put(byId("figures-title"), recorded ? "The whole walk" : "The last four seconds");
  };

  return { show };
})();
