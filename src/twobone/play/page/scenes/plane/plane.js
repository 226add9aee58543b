// The limb in the plane: the view, and the limb as 2D shapes.
import { state } from "../../state/state.js";
import { limb } from "../../limb/limb.js";
import { frame } from "../../stage/frame.js";
import { labels } from "../../stage/labels.js";
import { t } from "../../texts/texts.js";

/** @typedef {import("../../state/state.js").State} State */
/** @typedef {import("../../stage/draw.js").Shape} Shape */

export const plane = (() => {
  const { plus, minus, times, dot, size, unit } = limb.vectors;

  // The centre of the picture in the world, and pixels per unit.
  const view = { centre: [0, 0], scale: 200 };

  /** @type {(v: number[]) => number[]} */
  const toPixels = ([x, y]) => [
    frame.width / 2 + (x - view.centre[0]) * view.scale,
    frame.height / 2 - (y - view.centre[1]) * view.scale,
  ];
  /** @type {(pixels: number[]) => number[]} */
  const toWorld = ([x, y]) => [
    view.centre[0] + (x - frame.width / 2) / view.scale,
    view.centre[1] - (y - frame.height / 2) / view.scale,
  ];

  // What the first screen and the lessons change in the picture; scene.js sets it.
  const look = {
    isPlain: () => false, // words instead of symbols, and the parts of the first screen only
    hasWords: () => false, // words instead of symbols
    isLesson: () => false,
    alpha: (/** @type {string} */ part) => Number(!LESSON_ONLY.has(part)), // how strongly a part is drawn
    isThin: (/** @type {string} */ _part) => false, // whether a part is drawn with thin lines
    room: () => null, // the radius around the root that is shown; null: the maximum reach
    draw: (/** @type {any} */ _pen) => {}, // draws what else belongs in the picture
  };
  const LABEL_ROOM = 28; // pixels from the target
  const LESSON_ONLY = new Set(["triangle", "square", "extra"]);

  // Fit the reachable range, the target and, where they are shown, the handle of the second bone's
  // length or its circle.
  /** @param {State} s */
  const fit = (s) => {
    const reach = look.room() ?? (s.r1 + s.r2 || 1),
      root = s.root.slice(0, 2),
      target = s.target.slice(0, 2);
    const knob = look.isPlain() || look.isLesson() ? target : plus(target, times(s.r2, unit(minus(target, root))));
    const around = look.isLesson() && look.alpha("circle-r2") > 0.3 ? s.r2 : 0;
    /** @type {(i: number, room: number) => number[]} */
    const bounds = (i, room) => [
      Math.min(root[i] - reach, target[i] - Math.max(around, room), knob[i]),
      Math.max(root[i] + reach, target[i] + Math.max(around, room), knob[i]),
    ];
    const { free } = frame,
      share = look.isLesson() ? 0.86 : 0.92;
    /** @type {(room: number) => number[]} */
    const sides = (room) => [0, 1].map((i) => bounds(i, room)).map(([from, to]) => to - from);
    const scaleOf = (/** @type {number[]} */ [wide, high]) => share * Math.min(free.width / wide, free.height / high);
    // The label of a target at the edge needs room.
    const room = LABEL_ROOM / scaleOf(sides(0));
    view.scale = scaleOf(sides(room));
    const [left, right] = bounds(0, room),
      [low, high] = bounds(1, room);
    view.centre = [
      (left + right) / 2 - (free.left + free.width / 2 - frame.width / 2) / view.scale,
      (low + high) / 2 - (frame.height / 2 - free.top - free.height / 2) / view.scale,
    ];
  };
  // The view, for the address: its centre, and the length of its shorter side in the world.
  const seen = () => {
    const size = Math.min(frame.width, frame.height) / view.scale,
      digits = Math.min(15, Math.max(0, 4 - Math.floor(Math.log10(size))));
    return [...view.centre, size].map((v) => Number(v.toFixed(digits)) + 0);
  };
  // The bounds of `scale` within which the address can hold the view.
  const scales = () => [state.WIDEST, state.FINEST].map((size) => Math.min(frame.width, frame.height) / size);
  /** @param {number[]} at its centre, and the length of its shorter side */
  const see = ([x, y, size]) => {
    view.centre = [x, y];
    view.scale = Math.min(frame.width, frame.height) / size;
  };

  // Show somebody's own view, or fit one; not while something is held.
  /** @param {boolean} isHeld */
  const resize = (isHeld) => {
    if (state.now.at[2] > 0) see(state.now.at);
    else if (!isHeld) fit(state.now);
  };
  // Clamp a change from `from` to `to`. A value that is already out of bounds, from an address or a
  // huge limb, does not jump back to them.
  /** @type {(least: number, most: number, from: number, to: number) => number} */
  const within = (least, most, from, to) => Math.min(Math.max(most, from), Math.max(Math.min(least, from), to));
  // Zoom so that the point under `from` appears under `to`.
  /** @type {(factor: number, from: number[], to: number[]) => void} */
  const zoom = (factor, from, to) => {
    const before = toWorld(from),
      [least, most] = scales();
    view.scale = within(least, most, view.scale, view.scale * factor);
    view.centre = plus(view.centre, minus(before, toWorld(to)));
    state.set({ at: seen() }, "view");
  };
  // Move from this view to that of a pose; somebody's own view stays.
  /** @param {Record<string, any>} pose */
  const approach = (pose) => {
    const from = { ...view };
    fit({ ...state.now, ...pose });
    const to = { ...view };
    Object.assign(view, from);
    return (/** @type {number} */ t) => {
      if (state.now.at[2] > 0) return;
      view.centre = plus(from.centre, times(t, minus(to.centre, from.centre)));
      view.scale = from.scale + t * (to.scale - from.scale);
    };
  };

  // The parts of the picture on the first screen, which has words instead of symbols.
  const PLAIN = new Set(["range", "root", "target", "bone-1", "bone-2", "joint", "other", "other-joint", "miss"]);
  const alphaOf = (/** @type {string} */ name) => (look.isPlain() ? Number(PLAIN.has(name)) : look.alpha(name));
  const isDrawn = (/** @type {string} */ name) => alphaOf(name) > 0;

  // Labels stay off these lines.
  const LABEL_FREE = new Set(["bone-1", "bone-2", "other", "line", "target-line"]);
  const CIRCLES = new Set(["range", "circle-r1", "circle-r2"]);
  // Labels are placed in this order, the most important first.
  const RANK = ["x", t`elbow`, "p", t`hand`, t`target`, t`shoulder`, t`or here`, "r₁", "r₂", "q", "s"];

  /** @param {State} s @param {any} found */
  const shapes = (s, found) => {
    const root = s.root.slice(0, 2),
      target = s.target.slice(0, 2),
      p = found.p;
    const joint = plus(root, found.joint),
      end = plus(root, found.end),
      other = plus(root, found.other);
    const foot = plus(root, found.q),
      direction = unit(p),
      across = [-direction[1], direction[0]];
    const [ox, oy] = toPixels(root),
      [tx, ty] = toPixels(target),
      k = view.scale;
    const isPlain = look.isPlain();
    const all = [];
    /** @type {number[][][]} */
    const drawn = []; // the lines that labels stay off, in pixels
    /** @type {number[][]} */
    const circles = []; // and the circles
    /** @type {(name: string, shape: Shape) => void} */
    const add = (name, shape) => {
      const alpha = alphaOf(name);
      if (alpha <= 0) return;
      all.push({ ...shape, alpha: (shape.alpha ?? 1) * alpha });
      if (shape.disc && CIRCLES.has(name) && alpha > 0.5) circles.push(shape.disc);
    };
    /** @type {(name: string, points: number[][], shape: Shape) => void} */
    const line = (name, points, shape) => {
      const pixels = points.map(toPixels);
      if (LABEL_FREE.has(name) && alphaOf(name) > 0) drawn.push(pixels);
      add(name, { line: pixels, ...shape });
    };
    /** @type {(import("../../stage/labels.js").Label & { name: string, off: number[], rings?: number[][] })[]} */
    const names = [];
    const hasWords = isPlain || look.hasWords(),
      thick = isPlain ? 10 : 6;
    /** @type {(name: string, text: string, at: number[], off: number[], fill: string) => unknown} */
    const letter = (name, text, at, off, fill) =>
      names.push({ name, text, at: toPixels(at), off, italic: true, size: 22, fill });
    /** @type {(name: string, text: string, at: number[], off: number[], fill: string) => unknown} */
    const word = (name, text, at, off, fill) => names.push({ name, text, at: toPixels(at), off, size: 16, fill });
    // The same label in words or as a symbol; without a symbol there is none.
    /** @type {(name: string, symbol: string, words: string, at: number[], off: number[], fill: string) => void} */
    const label = (name, symbol, words, at, off, fill) => {
      if (!hasWords) {
        if (symbol) letter(name, symbol, at, off, fill);
      } else if (words) word(name, words, at, times(1.25, off), fill);
    };
    const known = Number.isFinite(joint[0]),
      misses = known && size(minus(end, target)) * k > 6;

    add("range", { annulus: [ox, oy, found.outer * k, found.inner * k], fill: "reachable" });
    for (const r of [found.outer, found.inner])
      if (r > 0) add("range", { disc: [ox, oy, r * k], stroke: "edge", width: 1 });
    // Thin lines are lighter, but as visible as the edges of the range.
    /** @type {(name: string, colour: string, width: number) => Shape} */
    const pen = (name, colour, width) =>
      look.isThin(name) ? { stroke: `${colour}-ghost`, width: width / 2 } : { stroke: colour, width };
    add("circle-r1", { disc: [ox, oy, s.r1 * k], ...pen("circle-r1", "r1", 2) });
    add("circle-r2", { disc: [tx, ty, s.r2 * k], ...pen("circle-r2", "r2", 2) });
    line("target-line", [root, target], { stroke: "edge" });
    if (found.h > 0) {
      // The line extends a little beyond both joints.
      const half = Math.max(found.s * found.far, 0.12 * (s.r1 + s.r2)) + 28 / k;
      line("line", [plus(foot, times(half, across)), minus(foot, times(half, across))], {
        stroke: "across",
        width: 1.5,
        dash: [6, 5],
      });
    }
    if (known) line("triangle", [root, foot, joint], { close: true, fill: "across", alpha: 0.16 });
    if (known && found.s > 0) {
      line("other", [root, other], { stroke: "r1-ghost", width: 4, dash: [9, 8] });
      line("other", [other, end], { stroke: "r2-ghost", width: 4, dash: [9, 8] });
      const [x, y] = toPixels(other);
      add("other-joint", { disc: [x, y, 6], fill: "joint-ghost" });
    }
    if (known) {
      line("bone-1", [root, joint], { stroke: "r1", width: thick });
      line("bone-2", [joint, end], pen("bone-2", "r2", thick));
      if (size(minus(end, target)) * k > 1) line("miss", [end, target], { stroke: "amber", width: 2, dash: [2, 5] });
      // The hand, where the target is somewhere else.
      if (hasWords && misses) add("miss", { disc: [...toPixels(end), 5], fill: "target" });
    }
    if (found.h > 0) {
      const tick = times(5 / k, direction);
      line("foot", [plus(foot, tick), minus(foot, tick)], { stroke: "across", width: 2.5 });
      // The right angle at the foot point, on the side of the triangle.
      const a = times((found.w > 0 ? 10 : -10) / k, direction),
        b = times((10 * s.side) / k, across);
      line("square", [minus(foot, a), plus(minus(foot, a), b), plus(foot, b)], { stroke: "across", width: 1.5 });
    }
    look.draw({
      line,
      word,
      s,
      found,
      root,
      target,
      joint,
      foot,
      across,
      direction,
      k,
      dot: (
        /** @type {string} */ name,
        /** @type {number[]} */ at,
        /** @type {number} */ radius,
        /** @type {Shape} */ shape,
      ) => add(name, { disc: [...toPixels(at), radius], ...shape }),
    });
    // --- marks and labels
    add("root", {
      line: [
        [ox - 6, oy - 6],
        [ox + 6, oy - 6],
        [ox + 6, oy + 6],
        [ox - 6, oy + 6],
      ],
      close: true,
      fill: "ink",
      name: "root",
    });
    add("target", { disc: [tx, ty, 11], stroke: "target", width: 2 });
    add("target", { disc: [tx, ty, 6], fill: "target", name: "target" });
    if (known) {
      const [x, y] = toPixels(joint);
      add("joint", { disc: [x, y, 7], fill: "joint", name: "joint" });
      const aside = times(dot(minus(joint, root), across) < 0 ? -1 : 1, across);
      // A symbol stands beside the line across, which a picture with words does not have.
      const [out, back] = hasWords ? [24, 8] : [16, 20];
      label(
        "joint",
        "x",
        t`elbow`,
        joint,
        [out * aside[0] - back * direction[0], back * direction[1] - out * aside[1]],
        "joint",
      );
      /** @type {(a: number[], b: number[], away: number[]) => number[]} */
      const beside = (a, b, away) => labels.beside(toPixels(a), toPixels(b), [away[0], -away[1]], 20);
      if (s.r1 * k > 60) label("bone-1", "r₁", "", times(0.5, plus(root, joint)), beside(root, joint, aside), "r1");
      if (s.r2 * k > 60) label("bone-2", "r₂", "", times(0.5, plus(joint, end)), beside(joint, end, aside), "r2");
      const inner = [-16 * across[0], 16 * across[1]];
      if (found.h > 0 && found.s * found.far * k > (look.isLesson() ? 16 : 44)) {
        // Close to the root, a q on its side would seem to be its name.
        const isShort = size(found.q) * k < 60,
          out = -22 * s.side;
        label(
          "foot",
          "q",
          "",
          foot,
          isShort
            ? [14 * direction[0] + out * across[0], -14 * direction[1] - out * across[1]]
            : [-18 * direction[0] - inner[0], 18 * direction[1] - inner[1]],
          "across",
        );
        label(
          look.isLesson() ? "triangle" : "line",
          "s",
          "",
          plus(foot, times(0.38 * found.s * found.far * s.side, across)),
          [16 * direction[0], -16 * direction[1]],
          "across",
        );
      } else if (found.h > 0)
        label("foot", "q", "", foot, [22 * across[0] * -s.side, -22 * across[1] * -s.side], "across");
    }
    // What cannot be reached is called the target; the hand is where the arm ends.
    const beyond = found.far > found.outer ? 1 : -1;
    label(
      "target",
      "p",
      misses ? t`target` : t`hand`,
      target,
      found.h > 0 ? times(misses ? beyond : 1, [27 * direction[0], -27 * direction[1]]) : [27, 0],
      "target",
    );
    if (hasWords) {
      if (misses && alphaOf("miss") > 0) word("miss", t`hand`, end, [34 * across[0], -34 * across[1]], "target");
      const away = known ? unit(minus(root, joint)) : [0, -1];
      word("root", t`shoulder`, root, [44 * away[0], -28 * away[1]], "ink");
      if (known && found.s * found.far * k > 24) {
        const aside = times(dot(minus(other, root), across) < 0 ? -1 : 1, across);
        word("other-joint", t`or here`, other, [40 * aside[0], -28 * aside[1]], "soft-ink");
      }
    }
    // Hand and target, close to each other, have little room within the circle around the target.
    const rings = circles.filter(([x, y]) => x !== tx || y !== ty);
    if (misses) for (const each of names) if (each.text === t`hand` || each.text === t`target`) each.rings = rings;
    const marks = [[ox, oy, 8], [tx, ty, 12], ...(known ? [[...toPixels(joint), 8]] : [])];
    const { free, width, height } = frame,
      low = free.top + free.height,
      covers = [
        [0, 0, width, free.top],
        [0, low, width, height],
      ].filter(([, top, , bottom]) => top < bottom);
    for (const { name, ...shape } of labels.place(
      names.sort((a, b) => RANK.indexOf(a.text) - RANK.indexOf(b.text)),
      marks,
      frame,
      drawn,
      covers,
      circles,
      10,
    ))
      if (alphaOf(name ?? "") > 0.2) all.push({ ...shape, alpha: 1 }); // text is never faint
    return all;
  };

  return { view, look, isDrawn, resize, zoom, approach, shapes, toPixels, toWorld };
})();
