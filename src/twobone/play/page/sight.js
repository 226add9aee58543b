// What of the world is in sight: the size of the picture, the view that fits it, and the way between
// points of the world and pixels.
import { byId } from "./elements.js";
import { state } from "./state.js";
import { limb } from "./limb.js";
import { mode } from "./mode.js";
import { draw } from "./draw.js";
import { plane } from "./plane.js";
import { space } from "./space.js";
import { frames } from "./frames.js";

export const sight = (() => {
  const now = state.now;
  const picture = byId("picture");

  // The size of the drawing; a presented one is enlarged.
  const size = () => ({ width: picture.clientWidth / mode.scale(), height: picture.clientHeight / mode.scale() });
  // A page in a hidden iframe has no size: do not draw or fit anything until it has one.
  const isShown = () => picture.clientWidth > 0 && picture.clientHeight > 0;

  // --- points and pixels --------------------------------------------------------------------

  /** @param {number[]} v */
  const toPixels = (v) => (now.scene === "space" ? space.project(space.camera(now), v) : plane.toPixels(v));
  /** @param {number[]} pixels @param {number[]} like a point of the same depth */
  const toWorld = (pixels, like) => (now.scene === "space" ? space.unproject(space.camera(now), pixels, like) : plane.toWorld(pixels));
  // Pixels per unit; in space, at the root.
  const scale = () => (now.scene === "space" ? space.project(space.camera(now), now.root)[2] : plane.view.scale);
  // Round to four decimals, or to a tenth of a pixel if that is finer: precise enough for any screen,
  // short enough for an address.
  /** @param {number} v */
  const tidy = (v) => {
    const unit = 10 ** Math.min(12, Math.max(4, Math.ceil(Math.log10(scale())) + 1));
    return Math.round(v * unit) / unit + 0;
  };

  // --- the part of the picture that is free -------------------------------------------------

  /** Where an element lies over the picture, in pixels; null if it is not shown. @param {string} id */
  const box = (id) => {
    const rect = byId(id).getBoundingClientRect(), origin = byId("stage").getBoundingClientRect();
    const [left, right, top, bottom] = [rect.left - origin.left, rect.right - origin.left, rect.top - origin.top, rect.bottom - origin.top].map((v) => v / mode.scale());
    return rect.width ? { left, right, top, bottom } : null;
  };
  /** The part of the picture that the bar, the first screen, the clip and the tools leave free, in pixels. */
  const freeArea = () => {
    const { width, height } = size(), free = { left: 0, top: 0, width, height };
    let left = 0, top = 0, bottom = height;
    const clear = (/** @type {ReturnType<typeof box>} */ rect) => {
      if (!rect) return;
      if (rect.bottom < height / 2) top = Math.max(top, rect.bottom);
      else if (rect.top > height / 2) bottom = Math.min(bottom, rect.top);
    };
    const line = box("intro-line"), isBeside = line !== null && line.right < width / 2, tools = box("tools");
    for (const id of ["bar", "transport"]) clear(box(id));
    // Below the words of the first screen, the tools take nothing from the picture.
    if (!isBeside || (tools && tools.right > width / 2)) clear(tools);
    if (isBeside) left = line.right;
    else for (const id of ["intro-line", "intro-count", "intro-why", "character-open", "character-hint", "support-hint"]) clear(box(id));
    if (bottom - top < 80 || width - left < 120) return free;
    return { left, top, width: width - left, height: bottom - top };
  };

  // --- fitting the view ---------------------------------------------------------------------

  const LOW = 0.85; // of the height of the picture: what an animal of its usual size takes
  const measure = () => {
    if (!isShown()) return;
    mode.fit(picture.clientWidth, picture.clientHeight);
    for (const view of [plane.view, space.view]) Object.assign(view, size());
    const { width, height } = size(), free = freeArea();
    plane.view.free = space.view.free = free;
    // Between the words of the first screen and its button, where these are above and below.
    const isBetween = free.left === 0 && box("intro-line") !== null;
    space.view.down = isBetween ? free.top + (free.height - height) / 2 : 0;
    space.view.clear = isBetween ? free.height : height;
    // In space the limb takes about a quarter of the picture to either side, an animal with long legs more.
    const half = Math.min((now.scene === "creature" ? 0.38 : 0.25) * Math.min(width, height), (width - free.left) / 2);
    space.view.aside = Math.max(0, free.left + half - width / 2);
    // In a low picture, the bar and the tools take a large part of the height.
    space.view.share = Math.min(space.shareOf(width - free.left), isBetween ? 1 : free.height / (LOW * height));
  };
  const fit = () => {
    state.set({ zoom: 1, at: [0, 0, 0] }, "view");
    arrive();
  };
  // Show a scene with the view given in the address, or fitted if the address gives none.
  const arrive = () => {
    measure();
    fitted = isShown();
    if (now.scene === "space") space.fit(now);
    else if (now.scene === "plane" && now.at[2] > 0) plane.see(now.at);
    else if (now.scene === "plane") plane.fit(now);
    for (const listener of listeners) listener();
    frames.redraw();
  };
  /** @type {(() => void)[]} */
  const listeners = [];
  let fitted = false;
  new ResizeObserver(() => {
    if (!isShown()) return;
    if (!fitted) {
      draw.readColours(); // Firefox computes no styles in a hidden iframe
      return arrive();
    }
    const scale = plane.view.scale / Math.min(plane.view.width, plane.view.height);
    measure();
    plane.view.scale = scale * Math.min(plane.view.width, plane.view.height);
    frames.drawNow();
  }).observe(picture);

  // --- what is in sight ---------------------------------------------------------------------

  // Whether a point of the world is in the picture and not covered by a button.
  /** @param {number[]} v */
  const isInSight = (v) => {
    const [x, y] = toPixels(v), { width, height } = size();
    return x >= 0 && y >= 0 && x <= width && y <= height && !document.elementFromPoint(x * mode.scale(), y * mode.scale())?.closest("#tools, #bar, .over");
  };
  // Whether the whole limb is, and large enough to be seen.
  const DOT = 24;
  const isLimbInSight = () => {
    const { root, joint, far } = limb.solve(now);
    if (Math.max(now.r1, now.r2, far) * scale() < DOT) return false;
    return [now.root, now.target, limb.vectors.plus(root, joint)].every((v) => isInSight(v) || Number.isNaN(v[0]));
  };

  return {
    /** Call a function when the view is fitted to a scene. @param {() => void} listener */
    onArrive: (listener) => {
      listeners.push(listener);
    },
    box, size, freeArea, isShown, toPixels, toWorld, scale, tidy, fit, arrive, isInSight, isLimbInSight,
  };
})();
