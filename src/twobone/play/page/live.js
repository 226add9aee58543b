// The websocket to the Python process that serves the page. Python may change the page and lead its
// animal, is told of every change and step, and can solve in place of the page. A lost connection is
// reopened.
import { byId } from "./elements.js";
import { twobone } from "./solver.js";
import { state } from "./state.js";
import { t } from "./texts.js";
import { limb } from "./limb.js";
import { frames } from "./frames.js";
import { sight } from "./sight.js";
import { motion } from "./motion.js";

export const live = (() => {
  const config = JSON.parse(byId("config").textContent || "{}");
  const SOON = 250, LATE = 4000; // milliseconds until reconnecting, at first and at most

  // Milliseconds: how long a frame waits for Python's answer, when Python no longer counts as the
  // solver, the pause between two steps that it is told of.
  const PATIENCE = 120, TOO_LATE = 500, PAUSE = 15;

  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {{ name: string, instructions: string | null, version: string } | null} */
  let engine = null;
  let wait = SOON, asked = 0, byPython = false;
  // When the limb changed to one that Python has not answered yet, and when Python was last asked.
  /** @type {number | null} */
  let since = null;
  let askedAt = 0, isLate = false;
  // The last answer, with the limb that it belongs to.
  /** @type {{ limb: string | undefined, joint: number[], end: number[], status: number } | null} */
  let answer = null;
  /** @type {Map<number, string>} */
  const open = new Map();

  /** @type {(text: string) => void} */
  const say = (text) => {
    if (byId("engine").textContent !== text) byId("engine").textContent = text;
  };
  /** @type {(python: boolean) => void} */
  const choose = (python) => {
    byPython = python && engine !== null;
    since = null;
    isLate = false;
    press();
    frames.redraw();
  };
  // The pressed button is the solver in use, not the one that was chosen.
  const press = () => {
    const python = byPython && !isLate;
    byId("by-page").setAttribute("aria-pressed", String(!python));
    byId("by-python").setAttribute("aria-pressed", String(python));
  };
  byId("by-page").addEventListener("click", () => choose(false));
  byId("by-python").addEventListener("click", () => {
    choose(true);
    tell();
  });

  // Only one question is open at a time; changes made meanwhile are sent after the answer.
  let waiting = false, stale = false;
  // A limb at rest is not redrawn, so schedule a frame that notices a late answer.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const checkLater = () => {
    clearTimeout(timer);
    timer = setTimeout(frames.redraw, TOO_LATE + 1);
  };
  // Tell Python of the animal's last step, if it wants to know and has received the one before.
  let receiveLead = (/** @type {any} */ _orders) => {}, wantsSteps = false, telling = false, toldAt = 0;
  /** @type {(step: () => object) => void} */
  const tellStep = (step) => {
    const time = performance.now();
    if (!wantsSteps || telling || time - toldAt < PAUSE || socket?.readyState !== 1) return;
    telling = true;
    toldAt = time;
    socket.send(JSON.stringify({ type: "step", step: step(), id: ++asked }));
  };
  /** @type {(orders: any) => void} */
  const lead = (orders) => {
    wantsSteps ||= orders.steps === true;
    receiveLead(orders);
  };
  const tell = () => {
    if (socket?.readyState !== 1) return;
    since ??= performance.now();
    checkLater();
    if (waiting) {
      stale = true;
      return;
    }
    const limb = state.limb();
    open.set(++asked, JSON.stringify(limb));
    waiting = true;
    askedAt = performance.now();
    socket.send(JSON.stringify({ type: "state", state: limb, id: asked }));
  };

  /** @type {Record<string, (message: any) => void>} */
  const HANDLERS = {
    hello: ({ engine: told, version, state: given, lead: orders }) => {
      frames.redraw();
      engine = { ...told, version };
      wait = SOON;
      byId("by-python", HTMLButtonElement).disabled = false;
      if (given) {
        motion.settleDown();
        state.set(given, "python");
        state.settle();
        sight.arrive();
      }
      if (orders) lead(orders);
      tell();
    },
    set: ({ state: given }) => {
      motion.settleDown();
      state.set(given, "python");
      state.settle();
      tell();
    },
    answer: ({ id, joint, end, status }) => {
      /** @type {(v: (number | null)[]) => number[]} */
      const parts = (v) => v.map((part) => (part === null ? NaN : part));
      answer = { limb: open.get(id), joint: parts(joint), end: parts(end), status };
      open.clear();
      waiting = false;
      if (isLate && performance.now() - askedAt < PATIENCE) choose(true);
      // Draw a frame that waited for this answer at once, before the limb changes.
      if (given()) frames.drawNow();
      else frames.redraw();
      if (stale) {
        stale = false;
        tell();
      }
    },
    lead,
    step: () => {
      telling = false;
    },
    error: ({ message }) => {
      waiting = false;
      say(`Python: ${message}`);
      // Wait before telling more steps if one failed.
      if (telling) setTimeout(() => {
        telling = false;
      }, 1000);
    },
  };

  const address = () => {
    const url = new URL(config.live, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.hash = "";
    return url.href;
  };
  const connect = () => {
    socket = new WebSocket(address());
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (Object.hasOwn(HANDLERS, message.type)) HANDLERS[message.type](message);
    };
    socket.onclose = () => {
      waiting = stale = telling = wantsSteps = false;
      engine = answer = null;
      open.clear();
      byId("by-python", HTMLButtonElement).disabled = true;
      choose(false);
      say(t`Lost the connection to Python; reconnecting`);
      setTimeout(connect, wait);
      wait = Math.min(LATE, wait * 1.5);
    };
  };

  // Python's answer for the current limb, if Python is the chosen solver and has answered; else null.
  const given = () => (byPython && answer && answer.limb === JSON.stringify(state.limb()) ? answer : null);

  /** @type {(milliseconds: number) => boolean} */
  const isLater = (milliseconds) => since !== null && performance.now() - since > milliseconds;
  // Whether a frame should wait for an answer that is on its way.
  const isDue = () => byPython && !isLate && since !== null && !isLater(PATIENCE) && !given();
  // Whether Python has not answered for a while, whichever solver is chosen.
  const isSilent = () => waiting && performance.now() - askedAt > TOO_LATE;
  // Note for each frame whether it shows Python's answer.
  /** @type {(isGiven: boolean) => void} */
  const note = (isGiven) => {
    if (isGiven) since = null;
    const late = byPython && (isGiven ? false : isLate || isLater(TOO_LATE));
    if (late === isLate) return;
    isLate = late;
    press();
  };

  /** @type {(found: any) => void} */
  const show = (found) => {
    if (isLate) return say(t`Python is slow to answer; this page solves meanwhile`);
    if (!engine) {
      if (!config.live) say(t`Not connected to Python`);
      return;
    }
    const words = `Python: ${engine.name}${engine.instructions ? `, ${engine.instructions}` : ""}`;
    if (isSilent()) return say(t`${words}. No answer yet`);
    if (!answer || answer.limb !== JSON.stringify(state.limb())) return;
    const p = found.p, s = state.now, theirs = answer.joint;
    const own = twobone.reach(p, s.r1, s.r2, { side: s.side, pole: found.wide === 3 ? s.pole : null, unreachable: limb.policyOf(s) });
    const apart = Math.max(...own.joint.map((part, i) => (Number.isNaN(part) && Number.isNaN(theirs[i]) ? 0 : Math.abs(part - theirs[i]))));
    say(t`${words}. Difference: ${apart === 0 ? "0" : apart.toExponential(1)}`);
  };

  state.on((changed, by) => {
    if (by !== "view" && by !== "commit" && by !== "python" && engine) tell();
  });
  if (config.live) connect();
  return { given, isDue, note, show, address, tellStep,
    // Say who takes the orders for the animal.
    onLead: (/** @type {(orders: any) => void} */ receive) => {
      receiveLead = receive;
    },
    // The file of a character that Python serves: {name, path}; undefined if there is none.
    character: () => config.character,
    isServed: () => !!config.live, isOpen: () => engine !== null && socket?.readyState === 1, heard: () => answer?.limb };
})();
