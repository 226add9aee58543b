// The presentation, whose slides are the first screen and the steps of the lessons, and what is left
// of the page where it is embedded in another one.
import { allOf, blur, byId } from "../elements.js";
import { state } from "../state/state.js";
import { t } from "../texts/texts.js";
import { mode } from "../state/mode.js";
import { draw } from "../stage/draw.js";
import { frames } from "../stage/frames.js";
import { sight } from "../stage/sight.js";
import { panel } from "../panel/panel.js";
import { layout } from "../panel/layout.js";
import { lesson } from "./lesson.js";
import { scenes } from "../scenes/scene.js";
import { keep } from "../panel/keep.js";

export const present = (() => {
  const now = state.now;
  const root = document.documentElement,
    scroller = byId("lesson-scroll");

  // --- entering and leaving -----------------------------------------------------------------

  const enter = () => {
    layout.open(lesson.isOpen() ? "lesson" : "");
    // Full screen needs a click, so a link opens the presentation in the window.
    document.documentElement.requestFullscreen?.().catch(() => {});
    state.set({ present: 1 }, "view");
    frames.drawNow();
    blur();
  };
  const leave = () => {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    state.set({ present: 0 }, "view");
    frames.drawNow();
    if (lesson.isOpen()) lesson.scroll();
    byId(lesson.isOpen() ? "present-tool" : "panel-open").focus();
  };
  let wasFull = false;
  document.addEventListener("fullscreenchange", () => {
    // The browser takes the first Escape; leave the presentation with the full screen.
    if (wasFull && !document.fullscreenElement && mode.isPresented()) leave();
    wasFull = document.fullscreenElement !== null;
  });
  for (const button of allOf("[data-present]")) button.addEventListener("click", enter);
  byId("strip-leave").addEventListener("click", leave);
  byId("strip-save").addEventListener("click", () => {
    const name = lesson.isOpen() ? `twobone-${now.lesson}-${lesson.at()}.svg` : "twobone.svg";
    keep.saveSlide(name);
    panel.put(byId("strip-said"), t`Saved ${name}`);
  });
  byId("strip-theme").addEventListener("click", () => byId("theme").click());

  // --- slides -------------------------------------------------------------------------------

  const isLast = () =>
    lesson.isOpen() && now.lesson === lesson.names().at(-1) && lesson.at() === lesson.count(now.lesson);
  /** Go to the next slide or the one before. @param {1 | -1} by */
  const go = (by) => {
    const from = document.activeElement,
      names = lesson.names(),
      at = names.indexOf(now.lesson),
      before = names[at - 1];
    if (by > 0 ? isLast() : !lesson.isOpen()) return;
    if (!lesson.isOpen()) lesson.open(scenes.shown().lesson);
    else if (by > 0 || lesson.at() > 1) lesson.go(lesson.at() + by);
    else if (before) lesson.open(before, lesson.count(before));
    else lesson.close();
    frames.drawNow();
    // A lesson takes the focus when it opens; here the keys belong to the slides.
    const to = /** @type {HTMLElement} */ (document.activeElement);
    if (from instanceof HTMLElement && from.matches("#strip button:enabled")) from.focus();
    else if (!to.closest("#strip")) to.blur();
  };
  byId("strip-back").addEventListener("click", () => go(-1));
  byId("strip-next").addEventListener("click", () => go(1));

  /** @type {Record<string, 1 | -1>} */
  const KEYS = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
  // Before the handles, which would take PageUp and PageDown, the keys of clickers.
  addEventListener(
    "keydown",
    (event) => {
      const { key, shiftKey } = event,
        to = event.target instanceof Element ? event.target : root;
      if (!mode.isPresented() || event.ctrlKey || event.metaKey || event.altKey) return;
      const isArrow = key.startsWith("Arrow"),
        isUpright = key === "ArrowUp" || key === "ArrowDown";
      // Arrow keys move what has the focus, lead what is shown, and scroll a text that is too long.
      if (isArrow && to.closest(".handle, .scrub")) return;
      if (isArrow && scenes.shown().holds(key.toLowerCase())) return;
      if (isUpright && lesson.isOpen() && scroller.scrollHeight > scroller.clientHeight + 1) return;
      const by = key === " " && !to.closest("button:not(.handle), a") ? (shiftKey ? -1 : 1) : KEYS[key];
      if (by) go(by);
      else if (key === "Escape") leave();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  // After a drag by a pointer, arrow keys belong to the slides again.
  addEventListener("pointerup", () => {
    const held = document.activeElement;
    if (mode.isPresented() && held instanceof HTMLElement && held.matches(".handle, .scrub")) held.blur();
  });

  // --- the size of the text -----------------------------------------------------------------

  const BASE = [330, 470],
    WIDE = 440,
    LARGEST = 4,
    STEP = 0.05; // pixels of a column at scale 1
  let fitted = "";
  /** Make the text as large as its column allows, with the reply to a task that is done. */
  const fit = () => {
    const wanted = [
      now.lesson,
      now.step,
      now.scene,
      lesson.isSolved(now.lesson, now.step),
      innerWidth,
      innerHeight,
    ].join();
    if (wanted === fitted) return;
    fitted = wanted;
    panel.put(byId("strip-said"), "");
    const isOpen = lesson.isOpen(),
      box = isOpen ? scroller : byId("picture");
    let size = Math.min(
      LARGEST,
      Math.max(
        1,
        Math.min(box.clientWidth / BASE[0], Math.max(box.clientHeight / BASE[1], isOpen ? box.clientWidth / WIDE : 0)),
      ),
    );
    const put = () => root.style.setProperty("--slide", size.toFixed(2));
    put();
    if (isOpen)
      for (; size > 1 && scroller.scrollHeight > scroller.clientHeight; put()) size = Math.max(1, size - STEP);
    scroller.scrollTop = 0;
    if (!isOpen) sight.arrive(); // the line of the first screen takes another part of the picture
  };

  // --- every frame --------------------------------------------------------------------------

  const show = () => {
    const isPresented = mode.isPresented(),
      isEmbedded = mode.isEmbedded();
    if (isPresented) {
      fit();
      panel.put(
        byId("strip-where"),
        lesson.isOpen()
          ? t`${byId(`lesson-${now.lesson}`).textContent}, ${lesson.at()} of ${lesson.count(now.lesson)}`
          : t`Start`,
      );
      const [back, next] = [byId("strip-back", HTMLButtonElement), byId("strip-next", HTMLButtonElement)],
        last = document.activeElement;
      back.disabled = !lesson.isOpen();
      next.disabled = isLast();
      // Disabling the focused button would drop the focus.
      if (last === back && back.disabled) next.focus();
      else if (last === next && next.disabled) back.focus();
    } else if (isEmbedded) {
      panel.put(byId("embed-line"), lesson.isOpen() ? lesson.title() : layout.line());
      const link = byId("embed-link", HTMLAnchorElement),
        to = keep.home() || location.href.split("#")[0];
      link.href = `${to}#${state.write({ embed: 0, present: 0 })}`;
    }
  };
  const change = () => {
    if (root.dataset.mode === mode.name()) return;
    root.dataset.mode = mode.name();
    fitted = "";
    byId("strip").hidden = !mode.isPresented();
    byId("credit").hidden = !mode.isEmbedded();
    if (!mode.isWhole() && layout.side() === "panel") layout.open("");
    draw.readColours();
    sight.arrive();
  };
  state.on((/** @type {string[]} */ changed, /** @type {string} */ by) => {
    if (changed.includes("present") || changed.includes("embed")) change();
    if (changed.length && by === "hand") say("");
  });
  // A wheel over an embedded picture scrolls the page around it, as over one that is longer than the window; with
  // Ctrl it zooms.
  byId("picture").addEventListener(
    "wheel",
    (event) => {
      if ((mode.isEmbedded() || sight.isLong()) && !event.ctrlKey) event.stopPropagation();
    },
    true,
  );

  /** Say over the picture what is wrong with an address: there is no panel. @param {string} words */
  const say = (words) => {
    byId("notice").hidden = !words || mode.isWhole();
    panel.put(byId("notice"), words);
  };

  // --- code that embeds the picture ---------------------------------------------------------

  const dialog = byId("embed", HTMLDialogElement),
    code = byId("embed-code", HTMLTextAreaElement);
  for (const button of allOf("[data-embed]"))
    button.addEventListener("click", () => {
      code.value = keep.embed();
      byId("embed-note").hidden = keep.home() !== "";
      panel.put(byId("embed-said"), "");
      dialog.showModal();
    });
  byId("embed-close").addEventListener("click", () => dialog.close());
  byId("embed-copy").addEventListener("click", async () => {
    panel.put(byId("embed-said"), "");
    const isCopied = await keep.toClipboard(code);
    panel.put(byId("embed-said"), isCopied ? t`Copied` : t`Press Ctrl+C to copy`);
  });

  return { show, say, enter, leave };
})();
