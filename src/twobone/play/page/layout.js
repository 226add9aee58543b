// What lies over and beside the picture: the bar, the first screen, the tools, and one column at the
// side, which holds either the controls or a lesson.
const layout = (() => {
  "use strict";
  const now = state.now;
  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  // --- the column at the side ---------------------------------------------------------------

  /** @typedef {"" | "panel" | "lesson"} Side */
  /** @type {Side} */
  let side = "";

  /**
   * Open the controls or the lesson in the column at the side, or close it with "".
   * @param {Side} name
   */
  const open = (name) => {
    if (name === side || (name === "panel" && !mode.isWhole())) return;
    const had = byId(side || "panel").contains(document.activeElement), before = side;
    side = name;
    document.body.dataset.side = name;
    for (const each of ["panel", "lesson"]) byId(each).hidden = each !== name;
    byId("panel-open").setAttribute("aria-expanded", String(name === "panel"));
    show(main.found());
    main.arrive();
    // The focus must not stay on something that is hidden now.
    if (before && had && !name) byId(before === "panel" ? "panel-open" : "intro-why").focus();
  };
  byId("panel-open").addEventListener("click", () => {
    if (side === "panel") return open("");
    lesson.close();
    open("panel");
    byId("panel").focus();
  });
  byId("panel-close").addEventListener("click", () => open(""));

  // Without the column at the side the picture uses words (hand, elbow) instead of symbols.
  plane.look.isPlain = () => side === "" && now.scene === "plane";

  // --- the first screen ---------------------------------------------------------------------

  /** @type {Record<string, [string, string]>} */
  const LINES = {
    plane: ["Drag the hand.\nWhere is the elbow?", "Derive the answer in seven short steps"],
    space: ["Drag the hand.\nWhich way to bend?", "Five short steps about limbs in space"],
  };
  /**
   * Say how many places there are for the elbow.
   * @param {any} found the solution, as limb.solve returns it
   */
  const count = (found) => {
    if (found.word === "TOO_FAR") return `None: too far away by ${found.by.toFixed(2)}.`;
    if (found.word === "TOO_NEAR") return `None: too near by ${found.by.toFixed(2)}.`;
    if (found.far === 0) return "Anywhere on a circle: the hand is at the shoulder.";
    if (found.wide === 3) return "Anywhere on the purple circle; the pole decides.";
    if (found.s * found.far < 0.004 * (now.r1 + now.r2)) return `One place: the arm is ${found.far > Math.max(now.r1, now.r2) ? "straight" : "folded"}.`;
    return "Two places: here, and the dashed one.";
  };
  /** @param {any} found */
  const show = (found) => {
    const line = LINES[now.scene], isOpen = side === "" && line !== undefined && !mode.isEmbedded();
    byId("intro").hidden = !isOpen;
    if (!isOpen || !found) return;
    panel.put(byId("intro-line"), line[0]);
    panel.put(byId("intro-count"), count(found));
    byId("intro-count").dataset.status = found.word;
    byId("intro-why").title = line[1];
  };
  byId("intro-why").addEventListener("click", () => lesson.open(now.scene));

  // Until somebody takes it, the hand moves by itself; it rests where a pointer comes to take it.
  byId("handles").addEventListener("pointermove", (event) => {
    if (side === "" && event.pointerType === "mouse" && event.movementX ** 2 + event.movementY ** 2 > 0) main.settleDown();
  });

  // --- the part of the picture that is free -------------------------------------------------

  /**
   * The part of the picture that the bar, the first screen and the tools leave free, in pixels.
   * @param {{width: number, height: number}} size of the picture
   */
  const freeArea = ({ width, height }) => {
    const free = { left: 0, top: 0, width, height }, origin = byId("stage").getBoundingClientRect();
    /** @param {string} id */
    const box = (id) => {
      const rect = byId(id).getBoundingClientRect();
      const [left, right, top, bottom] = [rect.left - origin.left, rect.right - origin.left, rect.top - origin.top, rect.bottom - origin.top].map((v) => v / mode.scale());
      return rect.width ? { left, right, top, bottom } : null;
    };
    let left = 0, top = 0, bottom = height;
    const clear = (/** @type {ReturnType<typeof box>} */ rect) => {
      if (!rect) return;
      if (rect.bottom < height / 2) top = Math.max(top, rect.bottom);
      else if (rect.top > height / 2) bottom = Math.min(bottom, rect.top);
    };
    clear(box("bar"));
    clear(box("tools"));
    const line = box("intro-line");
    if (line && line.right < width / 2) left = line.right;
    else for (const id of ["intro-line", "intro-count", "intro-why"]) clear(box(id));
    if (bottom - top < 120 || width - left < 120) return free;
    return { left, top, width: width - left, height: bottom - top };
  };

  /** The question of the first screen on one line; "" if the scene has none. */
  const line = () => (LINES[now.scene]?.[0] ?? "").replace("\n", " ");

  return { open, show, freeArea, line, side: () => side };
})();
