// Handles of root, target, joint, pole and bone lengths, dragged by pointer or moved by keys. Each is
// a button, so that Tab reaches it and screen readers announce it.
import { around, blur, byId } from "../elements.js";
import { DIMENSIONS } from "../state/schema.js";
import { state } from "../state/state.js";
import { t } from "../texts/texts.js";
import { limb } from "./limb.js";
import { mode } from "../state/mode.js";
import { scenes } from "../scenes/scene.js";
import { frames } from "../stage/frames.js";
import { sight } from "../stage/sight.js";
import { orbit } from "../stage/orbit.js";
import { layout } from "../panel/layout.js";

export const handles = (() => {
  const { plus, minus, times, dot, size, unit, cross } = limb.vectors;
  const now = state.now;
  const { tidy, toPixels, toWorld } = sight;

  const box = byId("handles"),
    picture = byId("picture");
  const STEP = 0.01;
  /** @type {(old: number[], v: number[]) => number[]} */
  const vector = (old, v) => old.map((part, i) => (i < v.length ? tidy(v[i]) : part));

  const wide = () => DIMENSIONS[now.scene] ?? 2;
  /** @type {(name: string) => number[]} */
  const of = (name) => now[name].slice(0, wide());
  const direction = () => {
    const p = minus(of("target"), of("root"));
    return size(p) > 0 ? unit(p) : of("root").map((_, i) => (i ? 0 : 1));
  };
  // Dragging the joint sets both bone lengths and the side.
  /** @type {(v: number[]) => void} */
  const moveJoint = (v) => {
    const p = minus(of("target"), of("root")),
      x = minus(v, of("root"));
    let aside = p[0] * x[1] - p[1] * x[0];
    if (wide() === 3) aside = dot(x, cross(cross(p, now.pole), p));
    const known = Math.abs(aside) > 1e-9 * (dot(p, p) + dot(x, x));
    state.set({ r1: tidy(size(x)), r2: tidy(size(minus(v, of("target")))), side: known ? Math.sign(aside) : now.side });
  };

  // Each handle: its title, its position, what a drag does, its colour.
  /** @type {Record<string, [string, (found: any) => number[], (v: number[]) => void, string]>} */
  const KINDS = {
    target: [t`Target`, () => of("target"), (v) => state.set({ target: vector(now.target, v) }), "target"],
    root: [t`Root`, () => of("root"), (v) => state.set({ root: vector(now.root, v) }), "ink"],
    joint: [t`Joint`, (found) => plus(of("root"), found.joint), moveJoint, "joint"],
    r1: [
      t`Length of the first bone`,
      () => minus(of("root"), times(now.r1, direction())),
      (v) => state.set({ r1: tidy(size(minus(v, of("root")))) }),
      "r1",
    ],
    r2: [
      t`Length of the second bone`,
      () => plus(of("target"), times(now.r2, direction())),
      (v) => state.set({ r2: tidy(size(minus(v, of("target")))) }),
      "r2",
    ],
    pole: [
      t`Pole`,
      () => scenes.limb().poleTip?.(now) ?? [NaN],
      (v) => state.set({ pole: vector(now.pole, unit(minus(v, now.root))) }),
      "soft-ink",
    ],
  };
  const LENGTHS = ["r1", "r2"];

  /** @type {any} */
  let found = null;
  /**
   * What a pointer holds.
   * @type {{ name: string, id: number, at: number[], onBackground: boolean, grab: number[], from: number[], slack: number, moved: boolean, before: import("../state/state.js").Limb, time: number } | null}
   */
  let held = null;
  /** @type {Record<string, HTMLButtonElement>} */
  const buttons = {};

  // --- dragging -----------------------------------------------------------------------------

  /** @type {number[]} */
  const costs = [];
  // A handle keeps its offset to the pointer; a press on the background brings the target to it.
  /** @type {(name: string, event: PointerEvent, onBackground?: boolean) => void} */
  const begin = (name, event, onBackground = false) => {
    const at = KINDS[name][1](found),
      [x, y] = toPixels(at),
      from = mode.at(event);
    held = {
      name,
      id: event.pointerId,
      at,
      onBackground,
      grab: onBackground ? [0, 0] : [x - from[0], y - from[1]],
      from,
      slack: onBackground ? 8 : 3,
      moved: false,
      before: state.limb(),
      time: event.timeStamp,
    };
    picture.classList.add("busy");
  };
  /** @type {(event: PointerEvent) => void} */
  const drag = (event) => {
    if (!held || held.id !== event.pointerId) return;
    const began = performance.now();
    // A tap does not move a handle.
    const to = mode.at(event);
    if (!held.moved && Math.hypot(to[0] - held.from[0], to[1] - held.from[1]) < held.slack) return;
    held.moved = true;
    held.at = toWorld(plus(to, held.grab), held.at);
    KINDS[held.name][2](held.at);
    costs.push(performance.now() - began);
    if (costs.length > 2000) costs.shift();
  };
  // Only the pointer that started the drag ends it.
  /** @type {(event: PointerEvent) => void} */
  const drop = (event) => {
    if (!held || (event && event.pointerId !== held.id)) return;
    const { name, moved } = held;
    state.commit();
    release();
    // A handle dropped out of the picture or under a button could not be grabbed again.
    if (moved && !sight.isInSight(KINDS[name][1](limb.solve(now)))) sight.fit();
  };
  const release = () => {
    held = null;
    picture.classList.remove("busy");
  };
  // A second finger turns a drag that has just begun into a pinch: undo the drag.
  /** @type {(event: PointerEvent) => void} */
  const cancel = (event) => {
    if (held?.moved && event.timeStamp - held.time < 300) state.set(held.before);
    else if (held?.moved) state.commit();
    if (held) release();
  };

  /** @type {(name: string) => HTMLButtonElement} */
  const make = (name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.id = `handle-${name}`;
    button.className = `handle ${LENGTHS.includes(name) ? "small-hit knob" : ""}${name === "pole" ? "knob" : ""}`;
    button.style.color = `var(--${KINDS[name][3]})`;
    button.setAttribute("aria-roledescription", t`handle`);
    button.addEventListener("pointerdown", (event) => {
      if (event.button || held) return;
      event.preventDefault();
      event.stopPropagation();
      button.focus(/** @type {FocusOptions} */ ({ preventScroll: true, focusVisible: false }));
      button.setPointerCapture(event.pointerId);
      begin(name, event);
    });
    button.addEventListener("pointermove", drag);
    button.addEventListener("pointerup", drop);
    button.addEventListener("pointercancel", drop);
    button.addEventListener("lostpointercapture", drop);
    button.addEventListener("keydown", (event) => press(name, event));
    box.append(button);
    return button;
  };

  /** @type {Record<string, number[]>} */
  const ARROWS = {
    ArrowLeft: [-1, 0, 0],
    ArrowRight: [1, 0, 0],
    ArrowUp: [0, 1, 0],
    ArrowDown: [0, -1, 0],
    PageUp: [0, 0, -1],
    PageDown: [0, 0, 1],
  };
  // In space, map the arrow keys to the axes closest to the right and the depth of the picture, so
  // that a key changes one coordinate.
  /** @type {(v: number[]) => number[]} */
  const alongAxes = ([x, y, z]) => {
    const quarter = scenes.shown().orbit ? ((Math.round(now.yaw / 90) % 4) + 4) % 4 : 0;
    const [c, s] = [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ][quarter];
    return [c * x + s * z, y, c * z - s * x];
  };
  /** @type {(name: string, event: KeyboardEvent) => void} */
  const press = (name, event) => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = STEP * (event.shiftKey ? 10 : 1) * (now.r1 + now.r2 || 1);
    if (LENGTHS.includes(name)) {
      state.set({ [name]: Math.max(0, tidy(now[name] + step * (arrow[0] + arrow[1] + arrow[2]))) });
    } else {
      const at = KINDS[name][1](found);
      KINDS[name][2](plus(at, times(step * (name === "pole" ? 5 : 1), alongAxes(arrow).slice(0, at.length))));
    }
    state.commit();
  };

  // --- the background: bring the target to the pointer, pan and zoom the plane (orbit.js: space) ----

  // All fingers on the picture, handles included; `pinch` lasts from the second finger until all are up.
  /** @type {Map<number, number[]>} */
  const touches = new Map();
  /** @type {{ spread: number, middle: number[] } | null} */
  let pinch = null;
  const measure = () => {
    const [a, b] = [...touches.values()];
    return { spread: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1, middle: times(0.5, plus(a, b)) };
  };
  picture.addEventListener(
    "pointerdown",
    (event) => {
      if (event.pointerType !== "touch" || !scenes.isLimb()) return;
      touches.set(event.pointerId, mode.at(event));
      // A handle that has moved stays with its finger.
      if (touches.size < 2 || (held?.moved && !held.onBackground)) return;
      const first = held?.id;
      cancel(event);
      pinch = measure();
      if (first !== undefined && scenes.shown().orbit) orbit.adopt(first, mode.toClient(touches.get(first) ?? [0, 0]));
    },
    true,
  );
  picture.addEventListener("pointerdown", (event) => {
    if (!scenes.isLimb() || event.button || around(event, ".handle")) return;
    event.preventDefault();
    blur();
    picture.setPointerCapture(event.pointerId);
    if (pinch || held || scenes.shown().orbit) return;
    begin("target", event, true);
    // A finger may be the first of a pinch.
    if (event.pointerType !== "touch") place(event);
  });
  /** @type {(event: PointerEvent) => void} */
  const place = (event) => {
    if (!held) return;
    held.moved = true;
    drag(event);
  };
  picture.addEventListener("pointermove", (event) => {
    if (touches.has(event.pointerId)) touches.set(event.pointerId, mode.at(event));
    if (pinch) {
      if (touches.size < 2 || scenes.shown().orbit) return;
      const { spread, middle } = measure();
      zoom(spread / pinch.spread, pinch.middle, middle);
      pinch = { spread, middle };
    } else if (held?.onBackground) drag(event);
  });
  for (const kind of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"]))
    picture.addEventListener(kind, (event) => {
      touches.delete(event.pointerId);
      if (!touches.size) pinch = null;
      else if (pinch && touches.size > 1) pinch = measure();
      if (!held?.onBackground || held.id !== event.pointerId) return;
      if (kind === "pointerup" && !held.moved) place(event);
      drop(event);
    });
  // Zoom so that the point under `from` appears under `to`; a camera that orbits stays where it points.
  /** @type {(factor: number, from: number[], to?: number[]) => void} */
  const zoom = (factor, from, to = from) => {
    const scene = scenes.shown();
    if (scene.orbit) return orbit.zoom(factor);
    scene.zoom(factor, from, to);
    frames.redraw();
  };
  picture.addEventListener(
    "wheel",
    (event) => {
      if (scenes.shown().orbit) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), mode.at(event));
    },
    { passive: false },
  );

  // --- showing ------------------------------------------------------------------------------

  /** @type {(v: number) => string} */
  const number = (v) => (Math.abs(v) < 5e-4 ? "0" : v.toFixed(3)).replace("-", "−");
  // The first screen and the lessons are about the hand (and the pole) only.
  /** @type {(name: string) => boolean} */
  const isHidden = (name) => layout.side() !== "panel" && name !== "target" && name !== "pole";
  /** @type {(solved: any) => void} */
  const show = (solved) => {
    found = solved;
    for (const [name, [title, where]] of Object.entries(KINDS)) {
      const button = (buttons[name] ??= make(name));
      const at = scenes.isLimb() ? where(solved) : [NaN],
        hidden = isHidden(name) || !Number.isFinite(at[0]);
      if (button.hidden !== hidden) button.hidden = hidden;
      if (hidden) continue;
      const [x, y] = toPixels(at);
      const k = mode.scale();
      button.style.transform = `translate(${(k * x).toFixed(1)}px, ${(k * y).toFixed(1)}px)${k > 1 ? ` scale(${k.toFixed(2)})` : ""}`;
      const value = LENGTHS.includes(name)
        ? number(now[name])
        : (name === "pole" ? now.pole : at).map((part) => number(part)).join(", ");
      button.setAttribute(
        "aria-label",
        `${name === "target" && layout.side() !== "panel" && (solved.met || solved.arrives) ? t`Hand` : title}: ${value}`,
      );
    }
  };

  // The target comes last so that it lies on top; Tab goes from root to target.
  for (const name of ["root", "r1", "joint", "r2", "pole", "target"]) buttons[name] = make(name);
  return { show, costs, zoom, holding: () => held !== null };
})();
