// What can be dragged: root, target, joint, pole and the two lengths, by pointer or by keys.
// Each is a button, so that Tab finds it and a screen reader names it.
const handles = (() => {
  "use strict";
  const { plus, minus, times, dot, size, unit, cross } = limb.vectors;
  const now = state.now;

  const box = document.getElementById("handles"), picture = document.getElementById("picture");
  const STEP = 0.01;
  // To four digits after the point, or a tenth of a pixel: as fine as any screen, short enough
  // for an address.
  const tidy = (v) => {
    const scale = now.scene === "space" ? space.project(space.camera(now), now.root)[2] : plane.view.scale;
    const unit = 10 ** Math.min(12, Math.max(4, Math.ceil(Math.log10(scale)) + 1));
    return Math.round(v * unit) / unit + 0;
  };
  const vector = (old, v) => old.map((part, i) => (i < v.length ? tidy(v[i]) : part));

  const wide = () => (now.scene === "space" ? 3 : 2);
  const of = (name) => now[name].slice(0, wide());
  const way = () => {
    const p = minus(of("target"), of("root"));
    return size(p) > 0 ? unit(p) : of("root").map((_, i) => (i ? 0 : 1));
  };
  // Both bones take their lengths from where the joint is dragged, and it stays on that side.
  const moveJoint = (v) => {
    const p = minus(of("target"), of("root")), x = minus(v, of("root"));
    let aside = p[0] * x[1] - p[1] * x[0];
    if (wide() === 3) aside = dot(x, cross(cross(p, now.pole), p));
    const known = Math.abs(aside) > 1e-9 * (dot(p, p) + dot(x, x));
    state.set({ r1: tidy(size(x)), r2: tidy(size(minus(v, of("target")))), side: known ? Math.sign(aside) : now.side });
  };

  // name: what it is called, where it is, what a drag does, and a colour.
  const KINDS = {
    target: ["Target", () => of("target"), (v) => state.set({ target: vector(now.target, v) }), "target"],
    root: ["Root", () => of("root"), (v) => state.set({ root: vector(now.root, v) }), "ink"],
    joint: ["Joint", (found) => plus(of("root"), found.joint), moveJoint, "joint"],
    r1: ["Length of the first bone", () => minus(of("root"), times(now.r1, way())), (v) => state.set({ r1: tidy(size(minus(v, of("root")))) }), "r1"],
    r2: ["Length of the second bone", () => plus(of("target"), times(now.r2, way())), (v) => state.set({ r2: tidy(size(minus(v, of("target")))) }), "r2"],
    pole: ["Pole", () => space.poleTip(now), (v) => state.set({ pole: vector(now.pole, unit(minus(v, now.root))) }), "soft-ink"],
  };
  const LENGTHS = ["r1", "r2"];

  const toPixels = (v) => (now.scene === "space" ? space.project(space.camera(now), v) : plane.toPixels(v));
  const toWorld = (pixels, like) => (now.scene === "space" ? space.unproject(space.camera(now), pixels, like) : plane.toWorld(pixels));

  let found = null, held = null;
  const buttons = {};

  // --- dragging -----------------------------------------------------------------------------

  const costs = [];
  const begin = (name, event) => {
    const at = KINDS[name][1](found), [x, y] = toPixels(at);
    held = { name, id: event.pointerId, at, grab: [x - event.clientX, y - event.clientY], from: [event.clientX, event.clientY], moved: name === "target" && event.currentTarget === picture };
    picture.classList.add("busy");
  };
  const drag = (event) => {
    if (held?.id !== event.pointerId) return;
    const began = performance.now();
    // A tap is no drag: a handle that is only touched stays where it is.
    if (!held.moved && Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) < 3) return;
    held.moved = true;
    const pixels = [event.clientX + held.grab[0], event.clientY + held.grab[1]];
    held.at = toWorld(pixels, held.at);
    KINDS[held.name][2](held.at);
    costs.push(performance.now() - began);
    if (costs.length > 2000) costs.shift();
  };
  // Another finger that lets go lets go of nothing.
  const drop = (event) => {
    if (!held || (event && event.pointerId !== held.id)) return;
    held = null;
    picture.classList.remove("busy");
    state.commit();
  };

  const make = (name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.id = `handle-${name}`;
    button.className = `handle ${LENGTHS.includes(name) ? "small-hit knob" : ""}${name === "pole" ? "knob" : ""}`;
    button.style.color = `var(--${KINDS[name][3]})`;
    button.setAttribute("aria-roledescription", "handle");
    button.addEventListener("pointerdown", (event) => {
      if (event.button || held) return;
      event.preventDefault();
      event.stopPropagation();
      button.focus({ preventScroll: true, focusVisible: false });
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

  const ARROWS = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1] };
  // In space the axis that goes most nearly to the right of the picture, so that numbers stay tidy.
  const seen = ([x, y, z]) => {
    const quarter = now.scene === "space" ? ((Math.round(now.yaw / 90) % 4) + 4) % 4 : 0;
    const [c, s] = [[1, 0], [0, 1], [-1, 0], [0, -1]][quarter];
    return [c * x + s * z, y, c * z - s * x];
  };
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
      KINDS[name][2](plus(at, times(step * (name === "pole" ? 5 : 1), seen(arrow).slice(0, at.length))));
    }
    state.commit();
  };

  // --- the empty picture: the target comes to the pointer, or the camera orbits --------------

  const touches = new Map();
  let orbit = null, pinch = 0;
  const spread = () => {
    const [a, b] = [...touches.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  picture.addEventListener("pointerdown", (event) => {
    if (now.scene === "creature" || event.button || event.target.closest("#lesson, #tools, .handle")) return;
    event.preventDefault();
    document.activeElement?.blur();
    picture.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, [event.clientX, event.clientY]);
    if (touches.size > 1) {
      drop();
      pinch = spread();
    } else if (now.scene === "plane" && !held) {
      begin("target", event);
      held.grab = [0, 0];
      drag(event);
    } else if (now.scene === "space") orbit = [event.clientX, event.clientY];
  });
  picture.addEventListener("pointermove", (event) => {
    if (!touches.has(event.pointerId)) return;
    touches.set(event.pointerId, [event.clientX, event.clientY]);
    if (touches.size > 1) {
      zoom(spread() / (pinch || 1), [picture.clientWidth / 2, picture.clientHeight / 2]);
      pinch = spread();
    } else if (orbit) {
      state.set({ yaw: (now.yaw - 0.4 * (event.clientX - orbit[0])) % 360, pitch: Math.min(85, Math.max(-20, now.pitch + 0.4 * (event.clientY - orbit[1]))) }, "view");
      orbit = [event.clientX, event.clientY];
    } else drag(event);
  });
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"])
    picture.addEventListener(kind, (event) => {
      touches.delete(event.pointerId);
      orbit = null;
      if (event.target === picture) drop(event);
    });
  const zoom = (factor, [x, y]) => {
    if (now.scene !== "plane") {
      const [least, most] = now.scene === "space" ? [0.1, 20] : creature.ZOOMS;
      state.set({ zoom: Math.min(most, Math.max(least, now.zoom * factor)) }, "view");
      return;
    }
    // What lies under the pointer stays there.
    const before = plane.toWorld([x, y]);
    plane.view.scale = Math.min(1e7, Math.max(1e-5, plane.view.scale * factor));
    const after = plane.toWorld([x, y]);
    plane.view.centre = plus(plane.view.centre, minus(before, after));
    main.redraw();
  };
  picture.addEventListener("wheel", (event) => {
    if (event.target.closest("#lesson")) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), [event.clientX, event.clientY]);
  }, { passive: false });

  // --- showing ------------------------------------------------------------------------------

  const number = (v) => (Math.abs(v) < 5e-4 ? "0" : v.toFixed(3)).replace("-", "−");
  const show = (solved) => {
    found = solved;
    for (const [name, [title, where]] of Object.entries(KINDS)) {
      const button = (buttons[name] ??= make(name));
      const at = where(solved), hidden = now.scene === "creature" || (name === "pole" && now.scene === "plane") || !Number.isFinite(at[0]);
      if (button.hidden !== hidden) button.hidden = hidden;
      if (hidden) continue;
      const [x, y] = toPixels(at);
      button.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      const value = LENGTHS.includes(name) ? number(now[name]) : (name === "pole" ? now.pole : at).map(number).join(", ");
      button.setAttribute("aria-label", `${title}: ${value}`);
    }
  };

  // The target comes last, so that it lies on top; Tab walks from root to target all the same.
  for (const name of ["root", "r1", "joint", "r2", "pole", "target"]) buttons[name] = make(name);
  return { show, costs, zoom, tidy, toPixels, holding: () => held !== null };
})();
