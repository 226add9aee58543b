// The page as a whole: what a frame consists of, keys, address, theme. The other modules listen to the state
// and to events in the order in which they are imported here.
import { texts, t } from "./texts/texts.js"; // first: it translates the page that the others find
import { around, byId } from "./elements.js";
import { twobone } from "./solver.js";
import { state } from "./state/state.js";
import { mode } from "./state/mode.js";
import { limb } from "./limb/limb.js";
import { draw } from "./stage/draw.js";
import { labels } from "./stage/labels.js";
import { frame } from "./stage/frame.js";
import { camera } from "./stage/camera.js";
import { scenes } from "./scenes/scene.js";
import { stage } from "./stage/stage.js";
import { pace } from "./stage/pace.js";
import { frames } from "./stage/frames.js";
import { sight } from "./stage/sight.js";
import { motion } from "./stage/motion.js";
import { orbit } from "./stage/orbit.js";
import { handles } from "./limb/handles.js";
import { fields } from "./panel/fields.js";
import { panel } from "./panel/panel.js";
import { layout } from "./panel/layout.js";
import { lesson } from "./lesson/lesson.js";
import { exactly } from "./limb/exactly.js";
import { methods } from "./limb/methods.js";
import { angles } from "./limb/angles.js";
import { live } from "./state/live.js";
import { picture } from "./stage/picture.js";
import { keep } from "./panel/keep.js";
import { present } from "./lesson/present.js";
import { settings } from "./panel/settings.js";
import { SCENES } from "./scenes/list.js";

// The names that the console of a browser has, and tests: `state.now` is the state, `main.found()` its
// solution as it was drawn last. Those of scenes come by `parts`.
export {
  twobone,
  state,
  mode,
  limb,
  draw,
  labels,
  frame,
  camera,
  stage,
  pace,
  frames,
  sight,
  motion,
  orbit,
  handles,
  fields,
  panel,
  layout,
  lesson,
  exactly,
  methods,
  angles,
  live,
  scenes,
  keep,
  present,
  settings,
  texts,
};

export const main = (() => {
  const now = state.now;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)"),
    night = matchMedia("(prefers-color-scheme: dark)");

  // --- frames -------------------------------------------------------------------------------

  /** @type {number | null} */
  let last = null; // when the last frame of a motion was drawn
  /** @type {number[]} */
  const times = []; // milliseconds that frames took to solve and draw
  /** @type {(time: number) => void} */
  const advance = (time) => {
    const scene = scenes.shown(),
      isMoving = scene.isMoving();
    const moving = motion.isOn() || isMoving || keep.film() !== null;
    // Do not count the pause before a motion, or in a hidden tab, as a slow frame.
    if (moving && last !== null) picture.count(time - last);
    last = moving ? time : null;
    scene.step(time, isMoving);
    // While Python solves the limb, the frame is drawn when its answer arrives (live.js).
    if (!scenes.isLimb() || !live.isDue()) frames.drawNow();
    if (moving || live.isDue()) frames.redraw();
    else if (scene.isBreathing()) frames.redrawSoon();
  };
  let began = 0;
  const solve = () => {
    began = performance.now();
    const given = live.given();
    live.note(given !== null);
    return limb.solve(now, given);
  };
  /** @type {(found: any) => void} */
  const show = (found) => {
    const scene = scenes.shown();
    scene.solve();
    picture.paint(scene.say(found));
    handles.show(found);
    panel.show(found);
    angles.show(found);
    lesson.show(found);
    layout.show(found);
    present.show();
    live.show();
    scenes.each((each, isHere) => each.show(isHere));
    settings.show();
    // A recording cannot change its size.
    const film = keep.film();
    if (film) picture.compose(film, true);
    times.push(performance.now() - began);
    if (times.length > 2000) times.shift();
  };

  // Moving the window to another screen may change the pixel density alone.
  const watchDensity = () =>
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      "change",
      () => {
        frames.redraw();
        watchDensity();
      },
      { once: true },
    );
  watchDensity();

  // --- keys, address, theme -----------------------------------------------------------------

  // Changes of yaw and pitch in degrees.
  /** @type {Record<string, [number, number]>} */
  const ORBITS = { j: [5, 0], l: [-5, 0], i: [0, 5], k: [0, -5] };
  addEventListener("keydown", (event) => {
    if (around(event, "dialog")) return;
    const key = event.key.toLowerCase(),
      letter = key.length === 1;
    if (letter && !now.shortcuts && !event.ctrlKey && !event.metaKey) return;
    // In the panel, arrow keys scroll and select; letters lead what is shown from there too.
    const inPanel = around(event, "#panel"),
      scene = scenes.shown(),
      leads = scene.holds(key),
      drives = leads && (letter || !inPanel);
    const typing = around(event, "input:not([type=range]), textarea") || (!drives && around(event, "select"));
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
      // A browser's own undo would join what was typed before and after a commit.
      event.preventDefault();
      motion.settleDown();
      if (fields.finish(event.target)) (key === "y" || event.shiftKey ? state.redo : state.undo)();
    } else if (event.ctrlKey || event.metaKey || event.altKey || typing) {
      return;
    } else if (drives) {
      event.preventDefault();
      scene.press(key);
    } else if (!leads && scene.press(key)) return;
    else if (key === "0") sight.fit();
    else if (ORBITS[key] && scene.orbit)
      orbit.turn((event.shiftKey ? 3 : 1) * ORBITS[key][0], (event.shiftKey ? 3 : 1) * ORBITS[key][1]);
    else if (key === "+" || key === "=") handles.zoom(1.2, [sight.size().width / 2, sight.size().height / 2]);
    else if (key === "-") handles.zoom(1 / 1.2, [sight.size().width / 2, sight.size().height / 2]);
    else if (key === "escape" && !mode.isEmbedded()) layout.side() === "lesson" ? lesson.close() : layout.open("");
    else if (key === " " && !around(event, "button:not(.handle), a, #lesson-scroll")) {
      event.preventDefault();
      motion.set(!motion.isOn());
    }
  });
  byId("panel-open").addEventListener("click", () => {
    if (layout.side() === "panel") return layout.open("");
    lesson.close();
    layout.open("panel");
    byId("panel").focus();
  });
  // The address holds the state, so the skip link must not change it.
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    layout.open("panel");
    byId("panel").focus();
  });
  byId("picture").addEventListener("pointerdown", () => scenes.isLimb() && motion.settleDown(), true);
  byId("wander").addEventListener("click", () => motion.set(!motion.isOn()));
  motion.on((isOn) => byId("wander").setAttribute("aria-pressed", String(isOn)));
  byId("fit").addEventListener("click", sight.fit);

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let written;
  let seen = location.hash;
  const writeAddress = () => {
    written = undefined;
    if (location.hash !== seen) return; // it was changed by hand, and hashchange will read it
    const text = state.write();
    try {
      history.replaceState(null, "", text ? `#${text}` : location.href.split("#")[0]);
    } catch {
      location.hash = text;
    }
    seen = location.hash;
  };
  /** @type {(text: string) => void} */
  const take = (text) => {
    /** @type {string[]} */
    const refused = [];
    state.set(state.read(text, refused), "address");
    state.settle();
    const list = refused.join(", ");
    if (list) layout.open("panel"); // the message is there
    const words = list && t`Ignored in the address, because it is not valid: ${fields.cut(list)}`;
    fields.say(words);
    present.say(words);
  };
  const readAddress = () => {
    seen = location.hash;
    const text = seen.slice(1);
    if (text === state.write()) return;
    motion.settleDown();
    take(text);
    sight.arrive();
  };
  addEventListener("hashchange", readAddress);
  document.addEventListener("visibilitychange", () => {
    last = null;
  });

  /** @type {(theme: "light" | "dark") => void} */
  const paintTheme = (theme) => {
    document.documentElement.dataset.theme = theme;
    draw.readColours();
    frames.redraw();
  };
  /** @type {"light" | "dark" | null} */
  let chosen = null;
  byId("theme").addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    paintTheme(chosen);
  });
  night.addEventListener("change", () => chosen ?? paintTheme(night.matches ? "dark" : "light"));

  // If a number, an undo or a script moves the limb out of sight or makes it a dot, fit the view.
  const MOVES = ["root", "target", "r1", "r2"];
  let moved = false;

  state.on((changed, by) => {
    if (by === "hand" && motion.isOn() && !changed.includes("scene")) motion.set(false);
    const moves = changed.some((name) => MOVES.includes(name));
    if (moves && by === "hand" && !handles.holding()) moved = true;
    const ends = by === "commit" && moved;
    if (by === "commit") moved = false;
    if (changed.includes("scene")) enter(by);
    else if ((ends || (moves && (by === "undo" || by === "python"))) && scenes.isLimb() && !sight.isLimbInSight())
      sight.fit();
    if (by !== "wander") {
      clearTimeout(written);
      written = setTimeout(writeAddress, 250);
    }
    frames.redraw();
  });

  // The view fits what words and controls leave free, so these come first.
  const arrive = () => {
    layout.show(frames.found());
    sight.arrive();
  };
  // Entering a scene that is not about the limb starts its motion; the target of the limb stays where it is.
  let wasMoving = false;
  /** @type {(by: string) => void} */
  const enter = (by) => {
    scenes.shown().enter(by);
    pace.refresh();
    picture.retry();
    if (!scenes.isLimb()) motion.set(!quiet.matches);
    else if (wasMoving) motion.set(false);
    wasMoving = !scenes.isLimb();
    arrive();
  };

  const start = () => {
    scenes.add(SCENES);
    panel.offer();
    orbit.follow();
    frames.begin({ solve, show, advance });
    paintTheme(night.matches ? "dark" : "light");
    const text = location.hash.slice(1);
    if (text) take(text);
    wasMoving = !scenes.isLimb();
    arrive();
    advance(performance.now()); // so that the first picture has what moves
    scenes.each((scene) => {
      scene.start();
      Object.assign(globalThis, scene.parts);
    });
    // A link shows the state it holds; without one, the target moves until someone takes it.
    if ((!text || !scenes.isLimb()) && !quiet.matches) motion.set(true);
  };

  return {
    start,
    times,
    ...frames,
    ...picture,
    wander: motion.set,
    settleDown: motion.settleDown,
    fit: sight.fit,
    arrive: sight.arrive,
    isInSight: sight.isInSight,
    size: sight.size,
  };
})();
main.start();
