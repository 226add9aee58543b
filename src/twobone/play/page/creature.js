// The animal in the picture: a camera that goes with it, what frame.js shall draw, all of it as
// shapes, and the hand that leads it.
const creature = (() => {
  "use strict";
  const { plus, minus, times, dot, size, unit } = limb.vectors;
  const now = state.now;
  const picture = document.getElementById("picture");

  // --- the camera ---------------------------------------------------------------------------

  const view = { centre: [0, 0.6, 0], reach: 3 };
  let seen = null, last = 0;
  // Between body and ground, so that long legs have their feet in the picture.
  const spot = () => plus(walk.at().place, [0, -Math.max(0.15 * walk.animal().leg, 0.38 * walk.animal().height), 0]);
  // It comes after the animal softly, so that a step does not shake the picture.
  const follow = (time) => {
    const animal = walk.animal(), at = walk.at();
    if (!at) return;
    const away = size(minus(spot(), view.centre));
    view.reach = Math.max(0.62 * Math.max(...animal.footholds.map(([x, z]) => 2 * Math.hypot(x, z))), 1.2 * animal.height);
    const share = seen === animal && away < 3 * animal.leg ? 1 - Math.exp(-Math.min(0.1, (time - last) / 1000) * 3.5) : 1;
    view.centre = plus(view.centre, times(share, minus(spot(), view.centre)));
    [seen, last] = [animal, time];
  };
  const ZOOMS = [0.35, 3];
  // Never under the ground: it looks from higher up where a hill is in its place.
  const zoom = () => Math.min(ZOOMS[1], Math.max(ZOOMS[0], now.zoom));
  const camera = () => {
    for (let pitch = Math.max(5, now.pitch); ; pitch += 3) {
      const cam = space.camera({ ...now, pitch, zoom: zoom() }, view);
      if (pitch > 80 || !walk.ground() || cam.eye[1] > land.height(walk.ground(), cam.eye[0], cam.eye[2]) + 0.05 * cam.far) return cam;
    }
  };
  const isCalm = () => !walk.at() || size(minus(spot(), view.centre)) < 1e-3 * view.reach;

  // --- what there is ------------------------------------------------------------------------

  const on = ([x, , z], above = 0) => [x, land.height(walk.ground(), x, z) + above, z];
  const path = (points, r, colour) => points.slice(1).map((b, i) => ({ a: points[i], b, r, colour }));
  // A line from place to place that lies on the ground.
  const laid = (a, b, above) => {
    const count = Math.ceil(size(minus(b, a)) / (0.12 * walk.animal().leg)) + 1;
    return Array.from({ length: count + 1 }, (_, i) => on(plus(times(1 - i / count, a), times(i / count, b)), above));
  };
  const ring = (centre, r, above) =>
    Array.from({ length: 13 }, (_, i) => on(plus(centre, [r * Math.cos((i * Math.PI) / 6), 0, r * Math.sin((i * Math.PI) / 6)]), above));

  const legs = () => {
    const { hips, knees, feet } = walk.at(), leg = walk.animal().leg, solids = [];
    const bone = (a, b, ra, rb, colour) => solids.push({ a, b, ra: ra * leg, rb: rb * leg, colour });
    hips.forEach((hip, i) => {
      bone(hip, knees[i], 0.034, 0.026, "r1");
      bone(knees[i], feet[i], 0.026, 0.012, "r2");
      bone(hip, hip, 0.042, 0.042, "joints");
      bone(knees[i], knees[i], 0.036, 0.036, "joints");
      bone(feet[i], feet[i], 0.02, 0.02, "joint");
    });
    return solids;
  };
  const boxes = () => {
    const { place, turned } = walk.at(), axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((v) => walk.turn(turned, v));
    return walk.animal().body.map(({ half, centre, power, paint }) => ({
      half, power, axes, centre: plus(place, walk.turn(turned, centre)), colour: paint === "head" ? "joint" : paint,
    }));
  };
  const marks = () => {
    const { place, feet, down } = walk.at(), leg = walk.animal().leg, thin = 0.006 * leg, high = 0.018 * leg;
    const wires = [];
    feet.forEach((foot, i) => down[i] && wires.push(...path(ring(foot, 0.055 * leg, high), thin, "soft-ink")));
    if (now.polygon) {
      const { hull, margin } = walk.support(), colour = margin >= 0 ? "target" : "amber";
      hull.forEach((a, i) => wires.push(...path(laid(a, hull[(i + 1) % hull.length], high), 1.3 * thin, colour)));
      wires.push(...path(ring(place, 0.025 * leg, high), 2 * thin, colour));
    }
    if (now.paths)
      for (const trail of walk.trails())
        for (let i = 1; i < trail.length; i++) if (trail[i][3] - trail[i - 1][3] < 150) wires.push({ a: trail[i - 1], b: trail[i], r: thin, colour: "across" });
    if (walk.goal()) wires.push(...path(ring(walk.goal(), 0.16 * leg, high), 1.5 * thin, "target"), ...path(ring(walk.goal(), 0.05 * leg, high), 1.5 * thin, "target"));
    return wires;
  };
  // The far end of the ground is in fog: see `range` in frame.js.
  const parts = (best = false) => {
    const far = camera().far;
    return { solids: legs(), boxes: boxes(), wires: marks(), glass: [], floor: 0, land: land.around(walk.ground(), view.centre, far + 5.2 * view.reach, best || frame.isRound() ? 112 : 64) };
  };

  // --- all of it as shapes ------------------------------------------------------------------

  const boxOutline = ({ half, axes, centre, power }, to) => {
    const points = [];
    for (let i = 0; i <= 8; i++)
      for (let j = 0; j < 16; j++) {
        const a = (i / 8 - 0.5) * Math.PI, b = (j * Math.PI) / 8;
        const v = [Math.cos(a) * Math.cos(b), Math.sin(a), Math.cos(a) * Math.sin(b)], k = v.reduce((sum, part) => sum + Math.abs(part) ** power, 0) ** (-1 / power);
        points.push(to(v.reduce((sum, part, axis) => plus(sum, times(part * k * half[axis], axes[axis])), centre)));
      }
    return walk.hullOf(points, 1);
  };
  const shapes = (solid) => {
    if (!walk.at()) return [{ text: live.isServed() ? "Waiting for Python" : "Here is no walk: open the page by twobone play", at: [space.view.width / 2, space.view.height / 2], size: 16, fill: "soft-ink" }];
    const cam = camera(), to = (v) => space.project(cam, v).slice(0, 2), deep = (v) => -dot(minus(v, cam.eye), cam.back);
    const all = [], { hips, knees, feet } = walk.at();
    if (!solid) {
      const cell = view.reach / 2, [cx, , cz] = view.centre.map((v) => Math.round(v / cell) * cell);
      for (let i = -7; i <= 7; i++)
        for (const along of [0, 2]) {
          const line = Array.from({ length: 29 }, (_, k) => on(along ? [cx + (k / 2 - 7) * cell, 0, cz + i * cell] : [cx + i * cell, 0, cz + (k / 2 - 7) * cell])).filter((v) => deep(v) > 0.1 * cam.far);
          if (line.length > 1) all.push({ line: line.map(to), stroke: "line", alpha: 0.9 * (1 - Math.abs(i) / 8) });
        }
      for (const { a, b, r, colour } of marks()) if (deep(a) > 0.1 * cam.far) all.push({ line: [to(a), to(b)], stroke: colour, width: Math.max(1, 2 * r * space.project(cam, a)[2]) });
      const things = legs().map((v) => [deep(times(0.5, plus(v.a, v.b))), v]);
      for (const box of boxes()) things.push([deep(box.centre), box]);
      for (const [, v] of things.sort((u, w) => w[0] - u[0])) {
        if (v.half) all.push({ line: boxOutline(v, to), close: true, fill: v.colour });
        else if (v.a === v.b) all.push({ disc: [...to(v.a), v.ra * space.project(cam, v.a)[2]], fill: v.colour });
        else all.push({ line: [to(v.a), to(v.b)], stroke: v.colour, width: (v.ra + v.rb) * space.project(cam, v.a)[2] });
      }
    }
    if (now.triangles)
      hips.forEach((hip, i) => {
        all.push({ line: [hip, knees[i], feet[i]].map(to), close: true, fill: "across", alpha: 0.16 });
        all.push({ line: [hip, feet[i]].map(to), stroke: "across", width: 1.5, dash: [5, 4] });
      });
    return all;
  };

  // --- the hand that leads it ---------------------------------------------------------------

  const rayOf = ([x, y]) => {
    const cam = camera(), k = (cam.lens * space.view.height) / 2;
    const way = plus(plus(times((x - space.view.width / 2) / k, cam.right), times((space.view.height / 2 - y) / k, cam.up)), times(-1, cam.back));
    return { from: cam.eye, way: unit(way), far: cam.far };
  };
  // The place on the ground under some pixels, or null for the sky.
  const groundAt = (pixels) => {
    const { from, way, far } = rayOf(pixels), most = 4 * far, step = far / 60, above = (t) => plus(from, times(t, way));
    const over = (t) => above(t)[1] - on(above(t))[1];
    for (let t = 0.2 * far; t < most; t += step)
      if (over(t) < 0) {
        let [low, high] = [t - step, t];
        for (let i = 0; i < 24; i++) over((low + high) / 2) < 0 ? (high = (low + high) / 2) : (low = (low + high) / 2);
        return on(above(high));
      }
    return null;
  };
  const isOnBody = (pixels) => {
    const at = walk.at(), cam = camera(), [x, y, k] = space.project(cam, at.place), [half] = walk.animal().body.map((v) => v.half);
    return Math.hypot(pixels[0] - x, pixels[1] - y) < Math.max(14, k * Math.max(half[0], half[1], 0.6 * half[2]));
  };
  // A push away from the eye, in the axes of the body, or to one side where the eye is above.
  const shove = (way = null) => {
    const at = walk.at();
    if (!at || walk.isRecorded()) return;
    const flat = way ?? times(-1, camera().back), level = unit([flat[0], 0, flat[2]]);
    walk.push([1.6 * dot(level, walk.turn(at.turned, [1, 0, 0])), 1.6 * dot(level, walk.turn(at.turned, [0, 0, 1]))]);
    main.redraw();
  };
  const lead = (event) => {
    const place = walk.at() && !walk.isRecorded() && groundAt([event.clientX, event.clientY]);
    if (!place) return;
    main.wander(false);
    walk.lead(place);
    main.redraw();
  };

  // One finger leads, two turn the camera; a mouse turns it by a drag and leads by a click.
  const touches = new Map();
  let moved = false, spread = 0, pinched = false, goal = null;
  const isOurs = (event) => now.scene === "creature" && !event.target.closest("#lesson, #tools");
  const orbit = (dx, dy) => handles.orbit(-0.4 * dx, 0.4 * dy);
  picture.addEventListener("pointerdown", (event) => {
    if (!isOurs(event) || event.button > 1) return;
    event.preventDefault();
    document.activeElement?.blur();
    picture.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, [event.clientX, event.clientY]);
    pinched = touches.size > 1;
    // A second finger makes a camera's turn of what began as leading.
    if (!pinched) goal = walk.goal();
    else if (walk.goal() !== goal) walk.lead(goal);
    moved = pinched || event.button === 1;
    spread = 0;
  });
  picture.addEventListener("pointermove", (event) => {
    const from = touches.get(event.pointerId);
    if (!from || now.scene !== "creature") return;
    const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
    if (!moved && Math.hypot(dx, dy) < 4) return;
    moved = true;
    touches.set(event.pointerId, [event.clientX, event.clientY]);
    if (touches.size > 1) {
      const [a, b] = [...touches.values()], wide = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (spread) handles.zoom(wide / spread, [0, 0]);
      spread = wide;
      orbit(dx / 2, dy / 2);
    } else if (pinched) return; // the finger that is left leads nobody
    else if (event.pointerType === "touch" && !walk.isRecorded()) lead(event);
    else orbit(dx, dy);
  });
  for (const kind of ["pointerup", "pointercancel"])
    picture.addEventListener(kind, (event) => {
      if (!touches.delete(event.pointerId) || moved || kind === "pointercancel" || now.scene !== "creature" || !walk.at()) return;
      if (isOnBody([event.clientX, event.clientY])) shove();
      else lead(event);
    });

  const say = () => {
    const at = walk.at();
    return at ? `An animal that walks, ${walk.animal().name}: ${at.down.filter(Boolean).length} of ${at.down.length} feet on the ground` : "Nothing walks here";
  };

  return { say, ZOOMS, zoom, view, camera, follow, isCalm, parts, shapes, shove, groundAt };
})();
