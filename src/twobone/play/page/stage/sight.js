// What of the world is in sight: the size of the picture, the view that fits it, and the way between
// points of the world and pixels.
import { byId } from "../elements.js";
import { state } from "../state/state.js";
import { limb } from "../limb/limb.js";
import { mode } from "../state/mode.js";
import { draw } from "./draw.js";
import { scenes } from "../scenes/scene.js";
import { frame } from "./frame.js";
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
  const toPixels = (v) => scenes.limb().toPixels(v);
  /** @param {number[]} pixels @param {number[]} like a point of the same depth */
  const toWorld = (pixels, like) => scenes.limb().toWorld(pixels, like);
  // Pixels per unit; in space, at the root.
  const scale = () => scenes.limb().scale();
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
    const rect = byId(id).getBoundingClientRect(),
      origin = picture.getBoundingClientRect();
    const [left, right, top, bottom] = [
      rect.left - origin.left,
      rect.right - origin.left,
      rect.top - origin.top,
      rect.bottom - origin.top,
    ].map((v) => v / mode.scale());
    return rect.width ? { left, right, top, bottom } : null;
  };
  // Where the words and controls leave less than the least height to the picture, it is longer than the window.
  const isLong = () => picture.clientHeight > byId("stage").clientHeight;

  // --- fitting the view ---------------------------------------------------------------------

  /** Find out how large the picture is, and which part of it nothing covers. */
  const measure = () => {
    if (!isShown()) return;
    mode.fit(picture.clientWidth, picture.clientHeight);
    const { left, top, right, bottom } = box("free") ?? { left: 0, top: 0, right: size().width, bottom: size().height };
    Object.assign(frame, size(), { free: { left, top, width: right - left, height: bottom - top } });
    picture.classList.toggle("long", isLong());
  };
  const fit = () => {
    state.set({ zoom: 1, at: [0, 0, 0] }, "view");
    arrive();
  };
  // Show a scene with the view given in the address, or fitted if the address gives none.
  const arrive = () => {
    measure();
    fitted = isShown();
    scenes.shown().fit();
    frames.redraw();
  };
  let fitted = false;
  const observer = new ResizeObserver(() => {
    if (!isShown()) return;
    if (!fitted) {
      draw.readColours(); // Firefox computes no styles in a hidden iframe
      return arrive();
    }
    measure();
    scenes.shown().resize(picture.classList.contains("busy"));
    frames.drawNow();
  });
  observer.observe(picture);
  observer.observe(byId("free"));

  // --- what is in sight ---------------------------------------------------------------------

  // Whether a point of the world is in the picture and not covered by what lies over it.
  /** @param {number[]} v */
  const isInSight = (v) => {
    const [x, y] = toPixels(v),
      { width, height } = size(),
      [left, top] = mode.toClient([x, y]),
      over = document.elementFromPoint(left, top);
    return x >= 0 && y >= 0 && x <= width && y <= height && (!over || picture.contains(over));
  };
  // Whether the whole limb is, and large enough to be seen.
  const DOT = 24;
  const isLimbInSight = () => {
    const { root, joint, far } = limb.solve(now);
    if (Math.max(now.r1, now.r2, far) * scale() < DOT) return false;
    return [now.root, now.target, limb.vectors.plus(root, joint)].every((v) => isInSight(v) || Number.isNaN(v[0]));
  };

  return {
    box,
    size,
    measure,
    isLong,
    isShown,
    toPixels,
    toWorld,
    scale,
    tidy,
    fit,
    arrive,
    isInSight,
    isLimbInSight,
  };
})();
