// The Python that serves the page, by websocket: it may drive the page, hear of each change and
// answer in place of the page's own solver. If it goes, the page says so and tries again.
const live = (() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const config = JSON.parse(byId("config").textContent || "{}");
  const SOON = 250, LATE = 4000;

  // How long a picture waits for Python, and when Python no longer counts as the one that answers.
  const PATIENCE = 120, TOO_LATE = 500, WALK_LATE = 1000;

  let socket = null, wait = SOON, asked = 0, engine = null, byPython = false;
  // When the limb changed to one that Python has not answered yet, and when it was asked last.
  let since = null, askedAt = 0, isLate = false;
  // The last answer, and the limb that it is the answer to.
  let answer = null;
  const open = new Map();

  const say = (text) => {
    if (byId("engine").textContent !== text) byId("engine").textContent = text;
  };
  const choose = (python) => {
    byPython = python && engine !== null;
    since = null;
    isLate = false;
    press();
    main.redraw();
  };
  // What is pressed is who answers, not who was asked to.
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

  // One question at a time is enough: what changes meanwhile is asked when the answer is there.
  let waiting = false, stale = false, asking = false, walkAskedAt = 0;
  // What rests is drawn no more: whether an answer is late is seen once it would be.
  const judgeAfter = (milliseconds) => {
    let timer = null;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(main.redraw, milliseconds + 1);
    };
  };
  const judge = judgeAfter(TOO_LATE), judgeWalk = judgeAfter(WALK_LATE);
  // Where the animal shall walk; false while the last question is open.
  const ask = (question) => {
    if (asking) return false;
    asking = true;
    walkAskedAt = performance.now();
    judgeWalk();
    socket.send(JSON.stringify({ type: "walk", walk: question, id: ++asked }));
    return true;
  };
  const tell = () => {
    if (socket?.readyState !== 1) return;
    since ??= performance.now();
    judge();
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

  const HEARD = {
    hello: ({ engine: told, version, state: given }) => {
      main.redraw();
      engine = { ...told, version };
      wait = SOON;
      byId("by-python").disabled = false;
      if (given) {
        main.settleDown();
        state.set(given, "python");
        state.settle();
        main.arrive();
      }
      tell();
    },
    set: ({ state: given }) => {
      main.settleDown();
      state.set(given, "python");
      state.settle();
      tell();
    },
    answer: ({ id, joint, end, status }) => {
      const parts = (v) => v.map((part) => (part === null ? NaN : part));
      answer = { limb: open.get(id), joint: parts(joint), end: parts(end), status };
      open.clear();
      waiting = false;
      if (isLate && performance.now() - askedAt < PATIENCE) choose(true);
      // A picture that waited for this is drawn at once, before the limb moves on.
      if (given()) main.drawNow();
      else main.redraw();
      if (stale) {
        stale = false;
        tell();
      }
    },
    walk: (message) => {
      asking = false;
      walk.told(message);
      main.redraw();
    },
    error: ({ message }) => {
      waiting = false;
      say(`Python: ${message}`);
      // What failed is not asked again at once.
      if (asking) setTimeout(() => {
        asking = false;
        main.redraw();
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
      if (Object.hasOwn(HEARD, message.type)) HEARD[message.type](message);
    };
    socket.onclose = () => {
      waiting = stale = asking = false;
      engine = answer = null;
      open.clear();
      byId("by-python").disabled = true;
      choose(false);
      say("Python has gone; trying again");
      setTimeout(connect, wait);
      wait = Math.min(LATE, wait * 1.5);
    };
  };

  // The answer to the limb as it is now, if Python is to give it and has.
  const given = () => (byPython && answer && answer.limb === JSON.stringify(state.limb()) ? answer : null);

  const isLater = (milliseconds) => since !== null && performance.now() - since > milliseconds;
  // Whether a picture should wait for an answer that is on its way.
  const isDue = () => byPython && !isLate && since !== null && !isLater(PATIENCE) && !given();
  // Whether Python has not answered for long, whoever solves.
  const isSilent = () => waiting && performance.now() - askedAt > TOO_LATE;
  const isWalkLate = () => asking && performance.now() - walkAskedAt > WALK_LATE;
  // Told of each picture whether it shows Python's answer.
  const note = (isGiven) => {
    if (isGiven) since = null;
    const late = byPython && (isGiven ? false : isLate || isLater(TOO_LATE));
    if (late === isLate) return;
    isLate = late;
    press();
  };

  const show = (found) => {
    if (isLate) return say("Python is slow to answer: this page solves meanwhile");
    if (!engine) {
      if (!config.live) say("Served from a file: no Python here");
      return;
    }
    const words = `Python: ${engine.name}${engine.instructions ? `, ${engine.instructions}` : ""}`;
    if (isSilent()) return say(`${words}. No answer yet`);
    if (!answer || answer.limb !== JSON.stringify(state.limb())) return;
    const p = found.p, s = state.now;
    const own = twobone.reach(p, s.r1, s.r2, { side: s.side, pole: found.wide === 3 ? s.pole : null, unreachable: limb.policyOf(s) });
    const apart = Math.max(...own.joint.map((part, i) => (Number.isNaN(part) && Number.isNaN(answer.joint[i]) ? 0 : Math.abs(part - answer.joint[i]))));
    say(`${words}. Difference: ${apart === 0 ? "0" : apart.toExponential(1)}`);
  };

  state.on((changed, by) => {
    if (by !== "view" && by !== "commit" && by !== "python" && engine) tell();
  });
  if (config.live) connect();
  return { given, isDue, note, show, address, ask, isServed: () => !!config.live, walks: () => engine !== null && socket.readyState === 1, isWalkLate, heard: () => answer?.limb };
})();
