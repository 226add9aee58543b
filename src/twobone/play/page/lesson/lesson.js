// A lesson: steps that one scrolls through in the column at the side. Each step moves the limb into its
// pose, shows its parts of the picture, keeps the numbers in its sentences current, and ends with a
// task. Each lesson is in the folder of its scene.
import { around, byId } from "../elements.js";
import { VIEW } from "../state/schema.js";
import { state } from "../state/state.js";
import { t } from "../texts/texts.js";
import { limb } from "../limb/limb.js";
import { mode } from "../state/mode.js";
import { scenes } from "../scenes/scene.js";
import { frames } from "../stage/frames.js";
import { motion } from "../stage/motion.js";
import { sight } from "../stage/sight.js";
import { panel } from "../panel/panel.js";
import { layout } from "../panel/layout.js";

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} html sentences, with what `live`, `scrub` and `term` of this file return
 * @property {string} [alt] what the picture shows, for those who cannot see it
 * @property {Record<string, any>} pose fields of the state that the step starts from
 * @property {string} [parts] parts of the picture that are drawn, thin ones for what is less important: "line circle-r1:thin"
 * @property {boolean} [hasWords] whether the picture has words (elbow) instead of symbols (x)
 * @property {number} [room] the radius around the root that the picture shows; default: the maximum reach
 * @property {(pen: any) => void} [draw] draws what else belongs in the picture
 * @property {(s: any, found: any) => number[] | null} [snap] where a dragged target comes to lie
 * @property {{words: string, reply: string, isDone: (s: any, found: any, memory: any) => boolean}} task
 * @property {(s: any, found: any, section: HTMLElement) => void} [show] updates what else is in the text
 * @property {(memory: any) => void} [enter] prepares what `isDone` remembers
 */
/**
 * @typedef {object} Lesson
 * @property {string} scene
 * @property {Step[]} steps
 * @property {Record<string, (s: any, found: any) => string>} live numbers and words in the sentences
 * @property {Record<string, Scrub>} scrubs numbers that are dragged
 */
/**
 * @typedef {object} Scrub
 * @property {string} label what the number is, for screen readers
 * @property {string} colour
 * @property {number} least
 * @property {number} greatest
 * @property {number} by the change for one arrow key, and for four pixels of a drag
 * @property {number} [digits] after the decimal point
 * @property {(value: string) => string} say the number with its unit, for screen readers
 * @property {(s: any) => number} get
 * @property {(value: number) => void} set
 */

export const lesson = (() => {
  const now = state.now;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");

  /** @type {Record<string, Lesson>} */
  const lessons = {};
  /** In their order. @type {string[]} */
  const NAMES = VIEW.lesson.choices ?? [];
  /**
   * Add a lesson; called once by each file of texts.
   * @param {string} name
   * @param {Lesson} what
   */
  const add = (name, what) => {
    lessons[name] = what;
  };

  // --- pieces of a sentence -----------------------------------------------------------------

  /** A number or a word that is kept current; see Lesson.live. @param {string} name */
  const live = (name) => `<span class="live" data-live="${name}"></span>`;
  /** A number that is dragged to the left and right; see Lesson.scrubs. @param {string} name */
  const scrub = (name) => `<span class="scrub" data-scrub="${name}"></span>`;
  /**
   * A thing in the picture, in its colour; the rest of the picture grows pale while it is pointed at.
   * @param {string} parts of the picture
   * @param {string} colour
   * @param {string} words
   */
  const term = (parts, colour, words) => `<b class="term c-${colour}" data-part="${parts}">${words}</b>`;
  /** A short formula, which no line break divides. @param {string} html */
  const whole = (html) => `<span class="whole">${html}</span>`;
  /** A number in a sentence. @param {number} v @param {number} digits */
  const number = (v, digits = 2) =>
    Number.isFinite(v) ? (Math.abs(v) < 0.5 * 10 ** -digits ? 0 : v).toFixed(digits).replace("-", "−") : t`none`;

  // --- where we are -------------------------------------------------------------------------

  const scroller = byId("lesson-scroll");
  /** @type {HTMLElement[]} */
  let sections = [];
  let built = "",
    shown = "",
    touched = false,
    isAsked = false;
  /** @type {any} */
  let memory = {};
  /** @type {Set<string>} */
  const solved = new Set();

  const isOpen = () => now.step > 0 && scenes.isLimb() && lessons[now.lesson] !== undefined;
  const count = () => lessons[now.lesson].steps.length;
  const at = () => Math.min(now.step, count());
  /** @returns {Step | null} */
  const step = () => (isOpen() ? lessons[now.lesson].steps[at() - 1] : null);
  /** @param {number} n */
  const key = (n) => `${now.lesson}/${n}`;

  /**
   * Open a lesson at its first step, or at another.
   * @param {string} name
   * @param {number} n
   */
  const open = (name, n = 1) => {
    motion.settleDown();
    state.commit();
    isAsked = true;
    // A lesson is about a limb: from another thing it leads to the scene of its own.
    if (!scenes.isLimb()) state.set({ scene: lessons[name].scene }, "lesson");
    state.set({ lesson: name, step: n }, "view");
    frames.drawNow();
    byId("lesson-scroll").focus({ preventScroll: true });
  };
  /**
   * Open a lesson at a step, with a limb of its own instead of the step's.
   * @param {string} name
   * @param {number} n
   * @param {Record<string, any>} pose fields of the state
   */
  const openWith = (name, n, pose) => {
    isAsked = false;
    shown = "";
    state.set({ ...pose, scene: lessons[name].scene });
    state.set({ lesson: name, step: n }, "view");
    state.commit();
    frames.drawNow();
    byId("lesson-scroll").focus({ preventScroll: true });
  };
  const close = () => {
    if (!now.step) return;
    posing.stop();
    scrolling.stop();
    state.set({ step: 0 }, "view");
    state.commit();
    frames.drawNow();
  };
  /** @param {number} n */
  const go = (n) => {
    // After the last step comes the next lesson.
    const names = NAMES,
      following = names[names.indexOf(now.lesson) + 1];
    if (n > count()) return following ? open(following) : close();
    isAsked = true;
    state.set({ step: Math.max(1, n) }, "view");
  };

  // --- motion to the pose of a step ---------------------------------------------------------

  const DURATION = 500; // milliseconds
  /** A motion from 0 to 1, which slows down; at its end at once if less motion is preferred. */
  const makeMotion = () => {
    let moving = 0;
    const stop = () => {
      cancelAnimationFrame(moving);
      moving = 0;
    };
    /** @param {(t: number) => void} put */
    const start = (put) => {
      stop();
      if (quiet.matches || document.hidden) return put(1);
      /** @type {number | null} */
      let start = null;
      /** @param {number} time */
      const frame = (time) => {
        start ??= time;
        const t = Math.min(1, (time - start) / DURATION);
        moving = t < 1 ? frames.next(frame) : 0;
        put(1 - (1 - t) ** 3);
      };
      put(0);
      moving = frames.next(frame);
    };
    return { start, stop, isOn: () => moving !== 0 };
  };
  const posing = makeMotion(),
    scrolling = makeMotion();
  /** @template T @param {T} a @param {T} b @param {number} t @returns {T} */
  const mix = (a, b, t) =>
    /** @type {any} */ (
      Array.isArray(a) && Array.isArray(b)
        ? a.map((v, i) => v + t * (b[i] - v))
        : typeof a === "number" && typeof b === "number"
          ? a + t * (b - a)
          : b
    );
  /** Move the limb and the view to a pose. @param {Record<string, any>} pose */
  const moveTo = (pose) => {
    posing.stop();
    // A side, a policy or a scene has nothing in between.
    const names = Object.keys(pose).filter((name) => typeof pose[name] !== "string" && name !== "side");
    state.set(Object.fromEntries(Object.entries(pose).filter(([name]) => !names.includes(name))), "lesson");
    const from = Object.fromEntries(names.map((name) => [name, structuredClone(now[name])]));
    const approach = scenes.limb().approach(pose);
    posing.start((t) => {
      state.set(
        Object.fromEntries(names.map((name) => [name, t === 1 ? pose[name] : mix(from[name], pose[name], t)])),
        "lesson",
      );
      approach(t);
      frames.redraw();
    });
  };
  // Whoever takes something in the picture stops the motion.
  addEventListener("pointerdown", (event) => around(event, "#picture, .scrub") && posing.stop(), true);

  // --- numbers that are dragged -------------------------------------------------------------

  /** @param {HTMLElement} element @param {Scrub} given */
  const makeScrub = (element, { label, colour, least, greatest, by, get, set }) => {
    element.classList.add(`c-${colour}`);
    element.tabIndex = 0;
    element.title = t`Drag to the left or right, or use the arrow keys`;
    for (const [name, value] of Object.entries({
      role: "slider",
      "aria-label": label,
      "aria-valuemin": least,
      "aria-valuemax": greatest,
    }))
      element.setAttribute(name, String(value));
    /** @param {number} v */
    const change = (v) => {
      posing.stop();
      touched = true;
      set(Math.min(greatest, Math.max(least, Number((Math.round(v / by) * by).toFixed(6)))));
      frames.redraw();
    };
    /** @type {{id: number, x: number, value: number} | null} */
    let held = null;
    element.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      element.setPointerCapture(event.pointerId);
      element.focus({ preventScroll: true });
      held = { id: event.pointerId, x: event.clientX, value: get(now) };
    });
    element.addEventListener(
      "pointermove",
      (event) => held?.id === event.pointerId && change(held.value + (by * (event.clientX - held.x)) / 4),
    );
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"])
      element.addEventListener(kind, () => {
        if (held) state.commit();
        held = null;
      });
    element.addEventListener("keydown", (event) => {
      const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!sign && event.key !== "Home" && event.key !== "End") return;
      event.preventDefault();
      event.stopPropagation();
      change(sign ? get(now) + sign * by * (event.shiftKey ? 10 : 1) : event.key === "Home" ? least : greatest);
      state.commit();
    });
  };

  // --- the text -----------------------------------------------------------------------------

  const build = () => {
    const { steps, scrubs } = lessons[now.lesson];
    built = now.lesson;
    shown = "";
    scroller.scrollTop = 0;
    scroller.innerHTML = steps
      .map(
        ({ title, html, task }, i) => `<section class="step" aria-labelledby="step-${i + 1}">
      <h2 id="step-${i + 1}"><span>${i + 1}</span>${title}</h2>${html}
      <div class="task"><p><svg viewBox="0 0 24 24" aria-hidden="true"><path class="open" d="M6 22V4h13l-3 4.5 3 4.5H6"/><path class="done" d="m7 12.5 3.5 3.5L17 9m5 3a10 10 0 1 1-20 0 10 10 0 0 1 20 0"/></svg><span><b class="unseen">${t`Task:`} </b>${task.words}</span></p><p class="reply">${task.reply}</p></div>
    </section>`,
      )
      .join("");
    sections = /** @type {HTMLElement[]} */ ([...scroller.children]);
    // Whoever takes a number or a button of another step that is in sight goes to that step, with this limb.
    sections.forEach((section, i) =>
      section.addEventListener("focusin", () => {
        if (i === at() - 1) return;
        isScrolled = true;
        isAsked = false;
        state.set({ step: i + 1 }, "view");
      }),
    );
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (scroller.querySelectorAll("[data-scrub]")))
      makeScrub(element, scrubs[element.dataset.scrub ?? ""]);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (scroller.querySelectorAll("[data-part]"))) {
      element.addEventListener("pointerenter", () => point(element.dataset.part ?? ""));
      element.addEventListener("pointerleave", () => point(""));
    }
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (scroller.querySelectorAll("[data-act]")))
      button.addEventListener("click", () => {
        touched = true;
        acts[button.dataset.act ?? ""]();
        frames.redraw();
      });
    byId("lesson-dots").innerHTML = steps
      .map((_, i) => `<li><button type="button" data-step="${i + 1}"></button></li>`)
      .join("");
    for (const button of byId("lesson-dots").querySelectorAll("button"))
      button.addEventListener("click", () => go(Number(button.dataset.step)));
    for (const name of NAMES) byId(`lesson-${name}`).setAttribute("aria-pressed", String(name === now.lesson));
  };
  /** What buttons in the text do. @type {Record<string, () => void>} */
  const acts = { flip: () => panel.flip() };

  /** @type {Set<string> | null} */
  let pointed = null;
  /** @param {string} parts */
  const point = (parts) => {
    pointed = parts ? new Set(parts.split(" ")) : null;
    frames.redraw();
  };
  /** The parts of the picture, and whether they are thin. @type {Map<string, boolean>} */
  let drawn = new Map();
  /** How strongly a part of the picture is drawn. @param {string} name */
  const alpha = (name) => (pointed?.has(name) ? 1 : drawn.has(name) ? (pointed ? 0.3 : 1) : 0);

  /** Name a step for screen readers. @param {number} n */
  const nameOf = (n) => {
    const { title } = lessons[now.lesson].steps[n - 1];
    return solved.has(key(n)) ? t`Step ${n}: ${title}, task done` : t`Step ${n}: ${title}`;
  };
  const enter = () => {
    const n = at(),
      { pose, parts, enter: prepare } = lessons[now.lesson].steps[n - 1];
    const before = sections.findIndex((section) => section.classList.contains("now")) + 1;
    // A link shows the limb that it holds.
    const isKept = !isAsked && state.isPosed();
    shown = key(n);
    touched = false;
    memory = {};
    prepare?.(memory);
    drawn = new Map(
      (parts ?? "").split(" ").map((each) => {
        const [name, how] = each.split(":");
        return [name, how === "thin"];
      }),
    );
    pointed = null;
    if (before && before !== n) {
      if (sections[before - 1].contains(document.activeElement)) scroller.focus({ preventScroll: true });
      preview(before);
    }
    sections.forEach((section, i) => {
      section.classList.toggle("now", i === n - 1);
      // A screen reader reads the current step alone: the numbers of others are not those of this limb.
      section.ariaHidden = String(i !== n - 1);
      for (const each of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("button, [data-scrub]")))
        each.tabIndex = i === n - 1 ? 0 : -1;
    });
    for (const button of byId("lesson-dots").querySelectorAll("button")) {
      const i = Number(button.dataset.step);
      button.setAttribute("aria-label", nameOf(i));
      button.classList.toggle("solved", solved.has(key(i)));
      if (i === n) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    byId("lesson-heard").textContent = t`Step ${n} of ${count()}: ${lessons[now.lesson].steps[n - 1].title}`;
    const back = byId("lesson-back", HTMLButtonElement);
    // Disabling the focused button would drop the focus, so move it first.
    if (n === 1 && document.activeElement === back) byId("lesson-next").focus();
    back.disabled = n === 1;
    const names = NAMES,
      following = names[names.indexOf(now.lesson) + 1];
    byId("lesson-next").textContent =
      n < count() ? t`Next` : following ? byId(`lesson-${following}`).textContent : t`Done`;
    byId("lesson-next").classList.toggle("primary", solved.has(shown));
    if (!isScrolled) scrollTo(n);
    isScrolled = false;
    if (!isKept) moveTo(pose);
  };

  // --- scrolling ----------------------------------------------------------------------------

  let isScrolled = false,
    known = 0; // where the text was when it was last looked at, or put
  const isMoved = () => Math.abs(scroller.scrollTop - known) > 2;
  /** @param {number} top */
  const put = (top) => {
    scroller.scrollTop = top;
    known = scroller.scrollTop;
  };
  /** @param {number} n */
  const topOf = (n) => (n === 1 ? 0 : sections[n - 1].offsetTop + 1);
  /** @param {number} n */
  const scrollTo = (n) => {
    scrolling.stop();
    if (mode.isPresented()) return; // only one step is there
    const from = scroller.scrollTop;
    // The text may grow meanwhile, since its numbers follow the limb.
    scrolling.start((t) => put(mix(from, topOf(n), t)));
  };
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"])
    scroller.addEventListener(kind, scrolling.stop, { passive: true });
  scroller.addEventListener(
    "scroll",
    () => {
      if (!isMoved() || mode.isPresented() || !isOpen() || built !== now.lesson) return;
      scrolling.stop();
      known = scroller.scrollTop;
      const line = scroller.scrollTop + 0.4 * scroller.clientHeight;
      const isEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
      const n = isEnd ? sections.length : Math.max(1, sections.filter((section) => section.offsetTop <= line).length);
      if (n === at()) return;
      isScrolled = true;
      go(n);
    },
    { passive: true },
  );

  // --- every frame --------------------------------------------------------------------------

  /** @param {any} found */
  const show = (found) => {
    if (!isOpen()) {
      if (layout.side() === "lesson") layout.open("");
      shown = built = "";
      return;
    }
    const here = lessons[now.lesson];
    if (now.scene !== here.scene) {
      // The step is part of the view, but the scene is part of the limb: undo and Python follow it.
      state.set({ scene: here.scene }, "lesson");
      found = limb.solve(now);
    }
    if (built !== now.lesson) {
      build();
      here.steps.forEach((_, i) => preview(i + 1));
    }
    layout.open("lesson");
    if (shown !== key(at())) {
      enter();
      found = limb.solve(now);
    }
    fill(at(), now, found);
    const section = sections[at() - 1],
      { task } = here.steps[at() - 1];
    if (touched && !posing.isOn() && task.isDone(now, found, memory)) solve();
    section.classList.toggle("solved", solved.has(shown));
    panel.put(
      /** @type {HTMLElement} */ (section.querySelector(".task b")),
      solved.has(shown) ? t`Task, done:` : t`Task:`,
    );
  };
  /** Bring the numbers of a step up to date. @param {number} n @param {any} s a state @param {any} found its solution */
  const fill = (n, s, found) => {
    const here = lessons[now.lesson],
      section = sections[n - 1];
    here.steps[n - 1].show?.(s, found, section);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-live]")))
      panel.put(element, here.live[element.dataset.live ?? ""](s, found));
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-scrub]"))) {
      const { get, say, digits = 2 } = here.scrubs[element.dataset.scrub ?? ""],
        text = number(get(s), digits);
      panel.put(element, text);
      element.setAttribute("aria-valuenow", String(get(s)));
      element.setAttribute("aria-valuetext", say(text));
    }
  };
  /** Give a step that is not the current one the numbers of the pose that it starts from. @param {number} n */
  const preview = (n) => {
    const s = { ...now, ...lessons[now.lesson].steps[n - 1].pose };
    fill(n, s, limb.solve(s));
  };
  /** Scroll until the reply to the current task is in sight, unless a number in the text is being dragged. */
  const reveal = () => {
    const reply = sections[at() - 1].querySelector(".reply");
    if (!reply || mode.isPresented() || scroller.querySelector(".scrub:active")) return;
    const below = reply.getBoundingClientRect().bottom + 12 - scroller.getBoundingClientRect().bottom;
    if (below > 0) scroller.scrollBy({ top: below, behavior: quiet.matches ? "auto" : "smooth" });
  };
  const solve = () => {
    if (solved.has(shown)) return;
    solved.add(shown);
    const n = at(),
      button = byId("lesson-dots").querySelector(`[data-step="${n}"]`);
    button?.classList.add("solved");
    button?.setAttribute("aria-label", nameOf(n));
    byId("lesson-next").classList.add("primary");
    reveal();
    byId("lesson-heard").textContent = t`Task done. ${sections[n - 1].querySelector(".reply")?.textContent}`;
  };

  // A change by hand, and the places to which a dragged target snaps.
  let isSnapping = false;
  state.on((/** @type {string[]} */ changed, /** @type {string} */ by) => {
    if (by === "address") {
      isAsked = false;
      shown = "";
    } else if (changed.includes("scene") && by !== "lesson" && isOpen() && now.scene !== lessons[now.lesson].scene) {
      state.set({ step: 0 }, "view"); // undo or Python has left the scene of the lesson
    }
    if (by !== "hand" || !changed.length || isSnapping || !isOpen()) return;
    touched = true;
    const target = changed.includes("target") && step()?.snap?.(now, limb.solve(now));
    if (!target) return;
    isSnapping = true;
    state.set({ target });
    isSnapping = false;
  });

  // What the picture of the limb is during a lesson, and without one.
  const look = {
    isLesson: isOpen,
    hasWords: () => step()?.hasWords === true,
    hasParts: () => step()?.parts !== undefined && step()?.parts !== "",
    alpha,
    isThin: (/** @type {string} */ part) => isOpen() && drawn.get(part) === true && !pointed?.has(part),
    room: () => (motion.isOn() ? null : (step()?.room ?? null)), // a target that moves by itself goes everywhere
    draw: (/** @type {any} */ pen) => step()?.draw?.(pen),
  };

  motion.on((isOn) => {
    if (isOn && step()?.room !== undefined) sight.arrive();
  });
  byId("lesson-close").addEventListener("click", close);
  byId("lesson-back").addEventListener("click", () => go(at() - 1));
  byId("lesson-next").addEventListener("click", () => go(at() + 1));
  for (const name of NAMES) byId(`lesson-${name}`).addEventListener("click", () => open(name));
  byId("lesson-open").addEventListener("click", () => open(scenes.shown().lesson));

  return {
    add,
    look,
    live,
    scrub,
    term,
    whole,
    number,
    acts,
    open,
    openWith,
    close,
    show,
    isOpen,
    isMoving: posing.isOn,
    isSolved: (/** @type {string} */ name, /** @type {number} */ n) => solved.has(`${name}/${n}`),
    memory: () => memory,
    go,
    at,
    names: () => NAMES,
    title: () => step()?.title ?? "",
    alt: () => step()?.alt ?? "",
    count: (/** @type {string} */ name) => lessons[name].steps.length,
    // Show the current step where all steps are below each other again.
    scroll: () => put(topOf(at())),
  };
})();
