// The picture of a scene: its 2D shapes over a WebGL rendering, on the screen, for a file, for a recording.
import { byId } from "../elements.js";
import { mode } from "../state/mode.js";
import { draw } from "./draw.js";
import { scenes } from "../scenes/scene.js";
import { stage } from "./stage.js";
import { pace } from "./pace.js";
import { frames } from "./frames.js";
import { sight } from "./sight.js";
import { frame } from "./frame.js";

export const picture = (() => {
  const { size, isShown } = sight;
  const place = byId("picture"),
    ink = byId("ink", HTMLCanvasElement);
  let solid = byId("solid", HTMLCanvasElement);
  const pen = /** @type {CanvasRenderingContext2D} */ (ink.getContext("2d"));
  // How scenes in space are drawn: with WebGL, unless it is missing or hopelessly slow, or as someone has chosen.
  /** @type {"auto" | "solid" | "flat"} */
  let chosen = "auto";
  // Whether WebGL draws (null: not tried yet), and whether it could, so that its frames are timed.
  /** @type {boolean | null} */
  let lit = null;
  let isPaced = false;
  const isTooSlow = () => lit === false && isPaced;
  /** Whether what moves is drawn more coarsely than what is at rest. */
  const isCoarse = () => (lit === true && stage.isCoarse()) || isTooSlow();

  /** @type {(withSolids: boolean) => import("./draw.js").Shape[]} */
  const shapes = (withSolids) => scenes.shown().shapes(withSolids);

  // --- on the screen ------------------------------------------------------------------------

  /** @type {(words: string) => void} */
  const paint = (words) => {
    ink.setAttribute("aria-label", words);
    if (!isShown()) return;
    const { width, height } = size(),
      density = Math.min(2, devicePixelRatio || 1) * mode.scale();
    if (ink.width !== Math.round(width * density) || ink.height !== Math.round(height * density)) {
      ink.width = Math.round(width * density);
      ink.height = Math.round(height * density);
    }
    const scene = scenes.shown(),
      isSolid = scene.orbit !== null,
      isEmpty = scene.isEmpty();
    if (isSolid && lit === null) begin();
    const isBest = isAtRest;
    isAtRest = false;
    clearTimeout(timer);
    // Show the canvas before drawing on it: without a layout it has no size.
    solid.hidden = !(isSolid && lit) || isEmpty;
    if (!solid.hidden) {
      const began = performance.now();
      scene.render(solid, isBest);
      // A machine that draws full quality in time needs no less in motion.
      if (isBest && stage.isCoarse())
        stage.whenDrawn(() => {
          if (performance.now() - began > pace.SMOOTH) return;
          stage.refine();
          pace.restart();
        });
    }
    if (isSolid && !isEmpty && isTooSlow() && performance.now() - triedAt > AGAIN) tryAgain();
    if (isSolid && !isBest && isCoarse()) timer = setTimeout(settle, REST);
    place.classList.toggle("orbits", isSolid);
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.clearRect(0, 0, width, height);
    const inked = shapes(lit === true);
    draw.paint(pen, inked);
    ink.style.opacity = inked.length ? "1" : "0"; // a transparent layer costs nothing to composite
  };
  // When nothing has moved for a while, the picture is drawn once at full quality.
  const REST = 200; // milliseconds: a pause, not the time between two frames of a hand
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isAtRest = false;
  const settle = () => {
    if (frames.isDue()) return; // a frame that is late; the next one begins the pause
    isAtRest = true;
    frames.redraw();
  };

  // --- whether WebGL can draw ---------------------------------------------------------------

  // Where WebGL was hopelessly slow, one frame of it is drawn out of sight from time to time; if that is fast, WebGL
  // draws again. Milliseconds: a machine that is still slow stutters once in this time, which is bearable.
  const AGAIN = 30_000;
  let triedAt = -Infinity;
  const tryAgain = () => {
    const began = (triedAt = performance.now());
    scenes.shown().render(solid, false, [solid.width, solid.height]);
    stage.whenDrawn(() => {
      if (!isTooSlow() || performance.now() - began > pace.HOPELESS) return;
      lit = true;
      pace.restart();
      frames.redraw();
    });
  };
  // Look anew whether WebGL can draw: in another scene, in a page that is shown again.
  const retry = () => {
    triedAt = -Infinity;
    if (lit === false && !isPaced) lit = null;
    frames.redraw();
  };
  document.addEventListener("visibilitychange", () => document.hidden || retry());
  /** Choose how to draw; "auto" leaves it to the page. @param {"auto" | "solid" | "flat"} how */
  const choose = (how) => {
    chosen = how;
    stage.refine();
    pace.restart();
    lit = null;
    frames.redraw();
  };

  // Phones may drop the WebGL context and restore it later.
  const watch = () => {
    solid.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      stage.forget();
      isPaced = lit = false;
      frames.redraw();
    });
    solid.addEventListener("webglcontextrestored", () => {
      lit = null;
      frames.redraw();
    });
  };
  watch();
  const begin = () => {
    // A canvas whose context is lost, and has not been restored until now, never gets another one.
    if (stage.context()?.isContextLost()) {
      const fresh = /** @type {HTMLCanvasElement} */ (solid.cloneNode());
      solid.replaceWith(fresh);
      solid = fresh;
      watch();
    }
    isPaced = lit = chosen !== "flat" && start();
  };
  const start = () => {
    try {
      return stage.start(solid);
    } catch (error) {
      console.warn(`WebGL2 is not available, drawing with lines: ${/** @type {Error} */ (error).message}`);
      return false;
    }
  };
  // Count the time of a frame in motion, in milliseconds; it decides how the next ones are drawn.
  /** @type {(milliseconds: number) => void} */
  const count = (milliseconds) => {
    if (!scenes.shown().orbit || !isPaced) return;
    const was = lit;
    lit = pace.count(milliseconds, lit === true) || chosen === "solid";
    if (was && !lit) triedAt = performance.now();
  };

  // --- for files and recordings -------------------------------------------------------------

  // Compose ground, solids and ink on one canvas, for a PNG (at full quality) or a recording.
  /** @type {(canvas: HTMLCanvasElement, keepSize?: boolean) => void} */
  const compose = (canvas, keepSize = false) => {
    if (!solid.hidden && isShown()) scenes.shown().render(solid, !keepSize);
    // Video encoders need even sizes.
    const [w, h] = [ink.width - (ink.width % 2), ink.height - (ink.height % 2)];
    if (!keepSize && (canvas.width !== w || canvas.height !== h)) [canvas.width, canvas.height] = [w, h];
    const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    ctx.fillStyle = draw.colour("ground");
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    if (!w || !h) return;
    const k = Math.min(canvas.width / w, canvas.height / h);
    ctx.setTransform(k, 0, 0, k, (canvas.width - k * w) / 2, (canvas.height - k * h) / 2);
    if (!solid.hidden) ctx.drawImage(solid, 0, 0, ink.width, ink.height);
    ctx.drawImage(ink, 0, 0);
    ctx.resetTransform();
  };

  // A picture for a slide: drawn on 853 x 480 pixels, so that letters are as large as on a slide.
  const SLIDE = { pixels: [1920, 1080], scale: 2.25 };
  /**
   * Call a function while everything is drawn in the size of a slide and in the colours of a theme.
   * @template T
   * @param {{isSlide: boolean, theme: string}} how
   * @param {(size: {width: number, height: number, scale: number}) => T} work
   */
  const drawnAs = ({ isSlide, theme }, work) => {
    const root = document.documentElement.dataset,
      was = root.theme,
      scene = scenes.shown(),
      views = [frame, scene.view],
      kept = views.map((view) => ({ ...view }));
    const paint = (/** @type {string | undefined} */ name) => {
      root.theme = name;
      draw.readColours();
    };
    const { width, height } = size(),
      scale = isSlide ? SLIDE.scale : Math.min(2, devicePixelRatio || 1) * mode.scale();
    const box = isSlide ? { width: SLIDE.pixels[0] / scale, height: SLIDE.pixels[1] / scale } : { width, height };
    root.still = ""; // no transition of buttons from theme to theme
    if (isSlide) root.slide = "";
    paint(theme || was);
    if (isSlide) {
      Object.assign(frame, box, { free: { left: 0, top: 0, ...box } });
      scene.resize(false);
    }
    try {
      return work({ ...box, scale });
    } finally {
      views.forEach((view, i) => Object.assign(view, kept[i]));
      delete root.slide;
      paint(was);
      delete root.still;
      frames.drawNow();
    }
  };
  /** The picture as SVG. @param {{isSlide: boolean, theme: string, isClear: boolean}} how @param {string} title */
  const toSvg = (how, title) =>
    drawnAs(how, ({ width, height, scale }) =>
      draw.svg(shapes(false), width, height, title, { isClear: how.isClear, scale: how.isSlide ? scale : 1 }),
    );
  /** The picture on a canvas. Without a ground it is drawn with lines. @param {{isSlide: boolean, theme: string, isClear: boolean}} how */
  const toCanvas = (how) =>
    drawnAs(how, ({ width, height, scale }) => {
      const canvas = Object.assign(document.createElement("canvas"), {
        width: Math.round(width * scale),
        height: Math.round(height * scale),
      });
      const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")),
        isSolid = !solid.hidden && !how.isClear;
      if (isSolid) {
        scenes.shown().render(solid, true, [canvas.width, canvas.height]);
        ctx.drawImage(solid, 0, 0, canvas.width, canvas.height);
      } else if (!how.isClear) {
        ctx.fillStyle = draw.colour("ground");
        ctx.fillRect(0, 0, canvas.width, canvas.height);
      }
      ctx.scale(scale, scale);
      draw.paint(ctx, shapes(isSolid), how.isClear);
      return canvas;
    });

  return {
    shapes,
    paint,
    count,
    compose,
    toSvg,
    toCanvas,
    choose,
    retry,
    isTooSlow,
    isCoarse,
    isLit: () => lit,
    chosen: () => chosen,
  };
})();
