// The page as a whole: drawing at most once per frame, automatic motion, keys, address, theme.
const main = (() => {
  "use strict";
  const now = state.now;
  const byId = (id) => document.getElementById(id);
  const picture = byId("picture"), ink = byId("ink"), solid = byId("solid");
  const pen = ink.getContext("2d");
  const quiet = matchMedia("(prefers-reduced-motion: reduce)"), night = matchMedia("(prefers-color-scheme: dark)");

  let found = null, due = false, lit = null, wandering = false, began = 0, last = null, shade = 1, isPaced = false, wandered;
  const times = [];

  // --- drawing ------------------------------------------------------------------------------

  // The size of the drawing; a presented one is enlarged.
  const size = () => ({ width: picture.clientWidth / mode.scale(), height: picture.clientHeight / mode.scale() });
  // A page in a hidden iframe has no size: do not draw or fit anything until it has one.
  const isShown = () => picture.clientWidth > 0 && picture.clientHeight > 0;
  // Each scene: its 2D shapes, and the WebGL rendering below them.
  const SCENES = {
    plane: { shapes: () => plane.shapes(now, found) },
    space: { shapes: (solid) => space.shapes(now, found, solid), render: (best, size) => stage.render(solid, space.camera(now), space.parts(now, found), space.view.reach, best, size) },
    creature: { shapes: (solid) => creature.shapes(solid), render: (best, size) => walk.at() && stage.render(solid, creature.camera(), creature.parts(best), creature.view.reach, best, size) },
  };
  const shapes = (withSolids) => SCENES[now.scene].shapes(withSolids);

  const redraw = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(onFrame);
  };
  const onFrame = (time) => {
    due = false;
    const walking = now.scene === "creature" && walk.isThere() && !(walk.isStill() && creature.isCalm());
    const moving = wandering || walking || keep.film() !== null;
    // Do not count the pause before a motion, or in a hidden tab, as a slow frame.
    if (moving && last !== null && now.scene !== "plane" && isPaced) lit = pace.count(time - last, lit);
    last = moving ? time : null;
    if (now.scene === "creature") {
      fade(walk.step(time) ?? 1);
      creature.follow(time);
      if (!walking) walk.rest();
    } else if (wandering && !live.isDue()) wander(time);
    // While Python solves, the frame is drawn when its answer arrives (live.js).
    if (now.scene === "creature" || !live.isDue()) drawNow();
    if (moving || live.isDue()) redraw();
  };
  const drawNow = () => {
    const start = performance.now();
    const given = live.given();
    found = limb.solve(now, given);
    live.note(given !== null);
    if (isShown()) paintPicture();
    ink.setAttribute("aria-label", now.scene === "creature" ? creature.say() : `A limb in ${now.scene === "space" ? "space" : "the plane"}: ${limb.say(now, found)}`);
    handles.show(found);
    panel.show(found);
    angles.show(found);
    lesson.show(found);
    layout.show(found);
    present.show();
    live.show(found);
    herd.show();
    // A recording cannot change its size.
    if (keep.film()) compose(keep.film(), true);
    times.push(performance.now() - start);
    if (times.length > 2000) times.shift();
  };
  const paintPicture = () => {
    const { width, height } = size(), density = Math.min(2, devicePixelRatio || 1) * mode.scale();
    if (ink.width !== Math.round(width * density) || ink.height !== Math.round(height * density)) {
      ink.width = Math.round(width * density);
      ink.height = Math.round(height * density);
    }
    const { render } = SCENES[now.scene];
    if (render && lit === null) isPaced = lit = startFrame();
    // Show the canvas before drawing on it: without a layout it has no size.
    solid.hidden = !(render && lit) || (now.scene === "creature" && !walk.at());
    if (!solid.hidden) render();
    picture.classList.toggle("space", now.scene !== "plane");
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.clearRect(0, 0, width, height);
    const inked = shapes(lit);
    draw.paint(pen, inked);
    ink.style.opacity = inked.length ? shade : 0; // a transparent layer costs nothing to composite
  };
  // Phones may drop the WebGL context and restore it later.
  solid.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    isPaced = lit = false;
    redraw();
  });
  solid.addEventListener("webglcontextrestored", () => {
    lit = null;
    redraw();
  });
  const startFrame = () => {
    try {
      return stage.start(solid);
    } catch (error) {
      console.warn(`WebGL2 is not available, drawing with lines: ${error.message}`);
      return false;
    }
  };
  // Compose ground, solids and ink on one canvas, for a PNG (at full quality) or a recording.
  const compose = (canvas, keepSize = false) => {
    if (!solid.hidden && isShown()) SCENES[now.scene].render(!keepSize);
    // Video encoders need even sizes.
    const [w, h] = [ink.width - (ink.width % 2), ink.height - (ink.height % 2)];
    if (!keepSize && (canvas.width !== w || canvas.height !== h)) [canvas.width, canvas.height] = [w, h];
    const ctx = canvas.getContext("2d");
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
    const root = document.documentElement.dataset, was = root.theme, views = [plane.view, space.view], kept = views.map((view) => ({ ...view }));
    const paint = (/** @type {string | undefined} */ name) => {
      root.theme = name;
      draw.readColours();
    };
    const { width, height } = size(), scale = isSlide ? SLIDE.scale : Math.min(2, devicePixelRatio || 1) * mode.scale();
    const box = isSlide ? { width: SLIDE.pixels[0] / scale, height: SLIDE.pixels[1] / scale } : { width, height };
    root.still = ""; // no transition of buttons from theme to theme
    if (isSlide) root.slide = "";
    paint(theme || was);
    if (isSlide) {
      for (const view of views) Object.assign(view, box);
      plane.view.free = { left: 0, top: 0, ...box };
      if (now.at[2] > 0) plane.see(now.at);
      else plane.fit(now);
    }
    try {
      return work({ ...box, scale });
    } finally {
      views.forEach((view, i) => Object.assign(view, kept[i]));
      delete root.slide;
      paint(was);
      delete root.still;
      drawNow();
    }
  };
  /** The picture as SVG. @param {{isSlide: boolean, theme: string, isClear: boolean}} how @param {string} title */
  const toSvg = (how, title) =>
    drawnAs(how, ({ width, height, scale }) => draw.svg(shapes(false), width, height, title, { isClear: how.isClear, scale: how.isSlide ? scale : 1 }));
  /** The picture on a canvas. Without a ground it is drawn with lines. @param {{isSlide: boolean, theme: string, isClear: boolean}} how */
  const toCanvas = (how) =>
    drawnAs(how, ({ width, height, scale }) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * scale), height: Math.round(height * scale) });
      const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), isSolid = !solid.hidden && !how.isClear;
      if (isSolid) {
        SCENES[now.scene].render(true, [canvas.width, canvas.height]);
        ctx.drawImage(solid, 0, 0, canvas.width, canvas.height);
      } else if (!how.isClear) {
        ctx.fillStyle = draw.colour("ground");
        ctx.fillRect(0, 0, canvas.width, canvas.height);
      }
      ctx.scale(scale, scale);
      draw.paint(ctx, shapes(isSolid), how.isClear);
      return canvas;
    });

  const measure = () => {
    if (!isShown()) return;
    mode.fit(picture.clientWidth, picture.clientHeight);
    for (const view of [plane.view, space.view]) Object.assign(view, size());
    plane.view.free = layout.freeArea(size());
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
    redraw();
  };
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
    drawNow();
  }).observe(picture);

  // Moving the window to another screen may change the pixel density alone.
  const watchDensity = () =>
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => {
      redraw();
      watchDensity();
    }, { once: true });
  watchDensity();

  // --- automatic motion of the target -------------------------------------------------------

  const wander = (time) => {
    began ||= time;
    const t = (time - began) / 1000, reach = now.r1 + now.r2 || 1;
    const swing = [0.82 * Math.sin(0.9 * t + 0.9), 0.66 * Math.sin(1.31 * t + 0.6), 0.6 * Math.sin(0.71 * t + 0.4)];
    state.set({ target: now.root.map((part, i) => handles.tidy(part + reach * swing[i])) }, "wander");
    wandered = state.limb();
  };
  const setWandering = (on) => {
    const was = wandering;
    wandering = on;
    walk.wander(on && now.scene === "creature");
    byId("wander").setAttribute("aria-pressed", String(on));
    if (on) {
      began = 0;
      wandered = now.scene === "creature" ? undefined : state.limb();
      redraw();
    } else if (was) state.commit(wandered); // without the change that ended it, which is an undo step of its own
  };
  // A recorded walk fades out at its end and in at its beginning.
  const fade = (opacity) => {
    shade = solid.style.opacity = opacity;
  };
  // Stop the automatic motion of the limb; the animal may go on.
  const settleDown = () => wandering && now.scene !== "creature" && setWandering(false);

  // --- keys, address, theme -----------------------------------------------------------------

  // Changes of yaw and pitch in degrees.
  const ORBITS = { j: [5, 0], l: [-5, 0], i: [0, 5], k: [0, -5] };
  addEventListener("keydown", (event) => {
    if (event.target.closest?.("dialog")) return;
    const key = event.key.toLowerCase(), letter = key.length === 1;
    // In the panel, arrow keys scroll and select; letters steer the animal from there too.
    const inPanel = event.target.closest?.("#panel"), drives = now.scene === "creature" && walk.isKey(key) && (letter || !inPanel);
    const typing = event.target.matches?.("input:not([type=range]), textarea") || (!drives && event.target.matches?.("select"));
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
      // A browser's own undo would join what was typed before and after a commit.
      event.preventDefault();
      settleDown();
      if (fields.finish(event.target)) (key === "y" || event.shiftKey ? state.redo : state.undo)();
    } else if (event.ctrlKey || event.metaKey || event.altKey || typing) {
      return;
    } else if (drives && walk.press(key)) {
      event.preventDefault();
      setWandering(false);
      redraw();
    } else if (now.scene === "creature" && key === "x") creature.shove();
    else if (key === "f" && now.scene !== "creature") panel.flip();
    else if (key === "0") fit();
    else if (ORBITS[key] && now.scene !== "plane") orbit.turn(...ORBITS[key].map((step) => (event.shiftKey ? 3 : 1) * step));
    else if (key === "+" || key === "=") handles.zoom(1.2, [size().width / 2, size().height / 2]);
    else if (key === "-") handles.zoom(1 / 1.2, [size().width / 2, size().height / 2]);
    else if (key === "escape" && !mode.isEmbedded()) layout.side() === "lesson" ? lesson.close() : layout.open("");
    else if (key === " " && !event.target.closest?.("button:not(.handle), a, #lesson-scroll")) {
      event.preventDefault();
      setWandering(!wandering);
    }
  });
  addEventListener("keyup", (event) => walk.release(event.key.toLowerCase()));
  addEventListener("blur", () => walk.release());
  // The address holds the state, so the skip link must not change it.
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    layout.open("panel");
    byId("panel").focus();
  });
  picture.addEventListener("pointerdown", (event) => now.scene === "creature" || event.target.closest(".over") || settleDown(), true);
  byId("wander").addEventListener("click", () => setWandering(!wandering));
  byId("fit").addEventListener("click", fit);

  let written = null, seen = location.hash;
  const writeAddress = () => {
    written = null;
    if (location.hash !== seen) return; // it was changed by hand, and hashchange will read it
    const text = state.write();
    try {
      history.replaceState(null, "", text ? `#${text}` : location.href.split("#")[0]);
    } catch {
      location.hash = text;
    }
    seen = location.hash;
  };
  const take = (text) => {
    const refused = [];
    state.set(state.read(text, refused), "address");
    state.settle();
    const list = refused.join(", ");
    if (list) layout.open("panel"); // the message is there
    const words = list && `Ignored in the address, because it is not valid: ${fields.cut(list)}`;
    fields.say(words);
    present.say(words);
  };
  const readAddress = () => {
    seen = location.hash;
    const text = seen.slice(1);
    if (text === state.write()) return;
    settleDown();
    take(text);
    arrive();
  };
  addEventListener("hashchange", readAddress);
  document.addEventListener("visibilitychange", () => {
    last = null;
  });

  const paintTheme = (theme) => {
    document.documentElement.dataset.theme = theme;
    draw.readColours();
    redraw();
  };
  let chosen = null;
  byId("theme").addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    paintTheme(chosen);
  });
  night.addEventListener("change", () => chosen ?? paintTheme(night.matches ? "dark" : "light"));

  // Whether a point of the world is in the picture and not covered by a button.
  const isInSight = (v) => {
    const [x, y] = handles.toPixels(v), { width, height } = size();
    return x >= 0 && y >= 0 && x <= width && y <= height && !document.elementFromPoint(x * mode.scale(), y * mode.scale())?.closest("#tools, #bar, .over");
  };
  // If a number, an undo or a script moves the limb out of sight or makes it a dot, fit the view.
  const MOVES = ["root", "target", "r1", "r2"], DOT = 24;
  const isLimbInSight = () => {
    const { root, joint, far } = limb.solve(now);
    if (Math.max(now.r1, now.r2, far) * handles.scale() < DOT) return false;
    return [now.root, now.target, limb.vectors.plus(root, joint)].every((v) => isInSight(v) || Number.isNaN(v[0]));
  };
  let moved = false;

  state.on((changed, by) => {
    if (by === "hand" && wandering && !changed.includes("scene")) setWandering(false);
    const moves = changed.some((name) => MOVES.includes(name));
    if (moves && by === "hand" && !handles.holding()) moved = true;
    const ends = by === "commit" && moved;
    if (by === "commit") moved = false;
    if (changed.includes("scene")) enter(by);
    else if ((ends || (moves && (by === "undo" || by === "python"))) && now.scene !== "creature" && !isLimbInSight()) fit();
    if (by !== "wander") {
      clearTimeout(written);
      written = setTimeout(writeAddress, 250);
    }
    redraw();
  });

  // Entering the Creature scene starts the walk; the target of the limb stays where it is.
  let wasCreature = false;
  const enter = (by) => {
    if (by !== "address" && now.scene === "space") state.set({ zoom: 1 }, "view");
    fade(1);
    walk.rest();
    if (now.scene === "creature") setWandering(!quiet.matches);
    else if (wasCreature) setWandering(false);
    wasCreature = now.scene === "creature";
    arrive();
  };

  const start = () => {
    paintTheme(night.matches ? "dark" : "light");
    const text = location.hash.slice(1);
    if (text) take(text);
    wasCreature = now.scene === "creature";
    arrive();
    drawNow();
    // A link shows the state it holds; without one, the target moves until someone takes it.
    if ((!text || now.scene === "creature") && !quiet.matches) setWandering(true);
  };

  return { start, redraw, drawNow, fit, arrive, isInSight, wander: setWandering, found: () => found, size, shapes, compose, toSvg, toCanvas, settleDown, times, isLit: () => lit };
})();
main.start();
