// The websocket to the Python process that serves the page. Python may change the page and lead its
// animal, is told of every change and step, and can solve in place of the page. A lost connection is
// reopened.
import { byId } from "../elements.js";
import { state } from "./state.js";
import { t } from "../texts/texts.js";
import { limb } from "../limb/limb.js";
import { frames } from "../stage/frames.js";
import { sight } from "../stage/sight.js";
import { motion } from "../stage/motion.js";

export const live = (() => {
  const config = JSON.parse(byId("config").textContent || "{}");
  const SOON = 250,
    LATE = 4000; // milliseconds until reconnecting, at first and at most

  // Milliseconds: how long a frame waits for Python's answer, when Python no longer counts as the
  // solver, the pause between two steps that it is told of.
  const PATIENCE = 120,
    TOO_LATE = 500,
    PAUSE = 15;

  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {{ name: string, instructions: string | null, version: string } | null} */
  let engine = null;
  let wait = SOON,
    asked = 0,
    byPython = false;
  // Whether the connection was there before, and what Python has complained of since its last answer.
  let wasOpen = false,
    complaint = "";
  // When the limb changed to one that Python has not answered yet, and when Python was last asked.
  /** @type {number | null} */
  let since = null;
  let askedAt = 0,
    isLate = false;
  // The last answer, with the limb that it belongs to, and how far its joint is from this page's.
  /** @type {{ limb: string, joint: number[], end: number[], status: number, apart: number } | null} */
  let answer = null;
  /** @type {Map<number, string>} */
  const open = new Map();

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
  let waiting = false,
    stale = false;
  // Whether the open question has been left unanswered for long. A timer says so, because a frame that takes long
  // to draw would see the time pass before it could see the answer.
  let isSilent = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @param {boolean} isOpen */
  const setWaiting = (isOpen) => {
    waiting = isOpen;
    isSilent = false;
    clearTimeout(timer);
    if (isOpen)
      timer = setTimeout(() => {
        isSilent = true;
        frames.redraw();
      }, TOO_LATE + 1);
  };
  // Tell Python of the animal's last step, if it wants to know and has received the one before.
  let receiveLead = (/** @type {any} */ _orders) => {},
    wantsSteps = false,
    telling = false,
    toldAt = 0;
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
    if (waiting) {
      stale = true;
      return;
    }
    const limb = state.limb();
    open.set(++asked, JSON.stringify(limb));
    setWaiting(true);
    askedAt = performance.now();
    socket.send(JSON.stringify({ type: "state", state: limb, id: asked }));
  };
  const tellRest = () => {
    if (!stale) return;
    stale = false;
    tell();
  };

  // The largest difference between a coordinate of Python's joint and of this page's, for the limb that was asked
  // about: the limb of the picture may have moved on.
  /** @type {(asked: import("./state.js").State, joint: number[]) => number} */
  const distance = (asked, joint) =>
    Math.max(
      ...limb
        .solve(asked)
        .joint.map((part, i) => (Number.isNaN(part) && Number.isNaN(joint[i]) ? 0 : Math.abs(part - joint[i]))),
    );

  /** @type {Record<string, (message: any) => void>} */
  const HANDLERS = {
    hello: ({ engine: told, version, state: given, lead: orders }) => {
      frames.redraw();
      engine = { ...told, version };
      wasOpen = true;
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
      const asked = open.get(id);
      if (asked === undefined) return;
      answer = {
        limb: asked,
        joint: parts(joint),
        end: parts(end),
        status,
        apart: distance(JSON.parse(asked), parts(joint)),
      };
      complaint = "";
      open.clear();
      setWaiting(false);
      if (isLate && performance.now() - askedAt < PATIENCE) choose(true);
      // Draw a frame that waited for this answer at once, before the limb changes.
      if (given()) frames.drawNow();
      else frames.redraw();
      tellRest();
    },
    lead,
    step: () => {
      telling = false;
      complaint = "";
    },
    error: ({ message }) => {
      // The limb it complains of is solved by the page.
      isLate ||= byPython && waiting;
      press();
      setWaiting(false);
      complaint = message;
      frames.redraw();
      tellRest();
      // Wait before telling more steps if one failed.
      if (telling)
        setTimeout(() => {
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
      setWaiting(false);
      stale = telling = wantsSteps = false;
      engine = answer = null;
      complaint = "";
      open.clear();
      byId("by-python", HTMLButtonElement).disabled = true;
      choose(false);
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
  // Note for each frame whether it shows Python's answer.
  /** @type {(isGiven: boolean) => void} */
  const note = (isGiven) => {
    if (isGiven) since = null;
    const late = byPython && (isGiven ? false : isLate || isSilent || isLater(TOO_LATE));
    if (late === isLate) return;
    isLate = late;
    press();
  };

  // What is true of the connection now, whatever was said before.
  const status = () => {
    if (!config.live) return t`Not connected to Python`;
    if (!engine) return wasOpen ? t`Lost the connection to Python; reconnecting` : t`Connecting to Python`;
    if (complaint) return t`Python says: ${complaint}`;
    if (isLate) return t`Python is slow to answer; this page solves meanwhile`;
    const words = `Python: ${engine.name}${engine.instructions ? `, ${engine.instructions}` : ""}`;
    if (isSilent) return t`${words}. No answer yet`;
    return answer ? t`${words}. Difference: ${answer.apart === 0 ? "0" : answer.apart.toExponential(1)}` : words;
  };
  const show = () => {
    const words = status(),
      shown = byId("engine");
    if (shown.textContent !== words) shown.textContent = words;
  };

  state.on((changed, by) => {
    if (by !== "view" && by !== "commit" && by !== "python" && engine) tell();
  });
  if (config.live) connect();
  return {
    given,
    isDue,
    note,
    show,
    address,
    tellStep,
    // Say who takes the orders for the animal.
    onLead: (/** @type {(orders: any) => void} */ receive) => {
      receiveLead = receive;
    },
    // What else Python serves beside the page, by its name in the configuration; undefined if it does not.
    served: (/** @type {string} */ name) => config[name],
    isServed: () => !!config.live,
    isOpen: () => engine !== null && socket?.readyState === 1,
    heard: () => answer?.limb,
  };
})();
