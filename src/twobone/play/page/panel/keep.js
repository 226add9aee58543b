// Export: the limb as link, code or JSON, the picture as SVG, PNG or video.
import { allOf, around, byId } from "../elements.js";
import { DIMENSIONS } from "../state/schema.js";
import { state } from "../state/state.js";
import { t } from "../texts/texts.js";
import { limb } from "../limb/limb.js";
import { draw } from "../stage/draw.js";
import { frames } from "../stage/frames.js";
import { picture } from "../stage/picture.js";
import { angles } from "../limb/angles.js";
import { live } from "../state/live.js";
import { scenes } from "../scenes/scene.js";

export const keep = (() => {
  const now = state.now;
  /** @type {(text: string) => void} */
  const said = (text) => {
    byId("said").textContent = text;
  };

  // --- the numbers as text ------------------------------------------------------------------

  /** @type {(v: number[]) => string} */
  const list = (v) => `[${v.join(", ")}]`;
  const wide = () => DIMENSIONS[now.scene] ?? 2;
  const policyInPython = () => {
    const policy = limb.policyOf(now);
    if (typeof policy === "string") return `"${policy}"`;
    const { limits, soft, stretch } = policy;
    return [
      limits && `twobone.Limits(${limits.join(", ")})`,
      soft && `twobone.Soft(${soft})`,
      stretch && `twobone.Stretch(limit=${stretch})`,
    ]
      .filter(Boolean)
      .join(" | ");
  };
  const python = () =>
    [
      "import numpy as np",
      "import twobone",
      "",
      "reached = twobone.reach(",
      `    ${list(now.target.slice(0, wide()))},`,
      `    ${now.r1},`,
      `    ${now.r2},`,
      `    side=${now.side},`,
      ...(wide() === 3 ? [`    pole=${list(now.pole)},`] : []),
      `    root=${list(now.root.slice(0, wide()))},`,
      `    unreachable=${policyInPython()},`,
      ")",
      "print(reached.joint, twobone.Status(reached.status).name)",
      "",
      `first = reached.joint - ${list(now.root.slice(0, wide()))}`,
      "second = reached.end - reached.joint",
      ...(wide() === 3
        ? ["bend = np.arctan2(np.linalg.norm(np.cross(first, second)), first @ second)  # 0 is straight"]
        : [
            "shoulder = np.arctan2(first[1], first[0])  # from +x, counterclockwise",
            "bend = np.arctan2(first[0] * second[1] - first[1] * second[0], first @ second)  # 0 is straight",
          ]),
      ...(wide() === 3 ? ["angles = np.array([bend])"] : ["angles = np.array([shoulder, bend])"]),
      'print(np.degrees(angles), "degrees,", angles, "radians")',
      "",
    ].join("\n");

  /** @type {(v: number) => string} */
  const float = (v) => (Number.isInteger(v) && Math.abs(v) < 1e21 ? `${v}.0` : String(v));
  const glsl = () => {
    const d = wide(),
      vec = `vec${d}`,
      make = (/** @type {number[]} */ v) => `${vec}(${v.slice(0, d).map(float).join(", ")})`;
    const across =
      d === 3
        ? [
            "    // The part of the pole perpendicular to p, as long as p; if the pole is parallel to p, any perpendicular.",
            "    vec3 m = pole - u * dot(u, pole);",
            "    if (dot(m, m) <= 1e-12 * dot(pole, pole)) m = axis(u) - u * dot(u, axis(u));",
            "    m *= inversesqrt(dot(m, m)) * sqrt(h);",
          ]
        : ["    vec2 m = vec2(-p.y, p.x);"];
    const somewhere =
      d === 3 ? "dot(pole, pole) > 0.0 ? normalize(cross(pole, axis(pole))) : vec3(1.0, 0.0, 0.0)" : "vec2(1.0, 0.0)";
    const axis = [
      "// The coordinate axis that is least parallel to v.",
      "vec3 axis(vec3 v) {",
      "    vec3 a = abs(v);",
      "    if (a.x <= a.y && a.x <= a.z) return vec3(1.0, 0.0, 0.0);",
      "    return a.y <= a.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);",
      "}",
      "",
    ];
    const policy = limb.policyOf(now);
    const pole = d === 3 ? ", vec3 pole" : "";
    return [
      "// Two-bone inverse kinematics, after iquilezles.org/articles/simpleik",
      ...(policy === "clamp"
        ? []
        : [`// This code clamps unreachable targets; the policy of the page is ${policyInPython()}`]),
      ...(d === 3 ? axis : []),
      `${vec} joint(${vec} p, float r1, float r2, float side${pole}) {`,
      "    float h = dot(p, p);",
      "    // A target at the root has no direction: use an arbitrary one.",
      `    ${vec} u = h > 1e-30 ? p * inversesqrt(h) : ${somewhere};`,
      "    // Clamp the target to the reachable range, where the limb is straight or folded.",
      "    float d = clamp(sqrt(h), abs(r1 - r2), r1 + r2);",
      "    d = max(d, 1e-15);",
      "    p = d * u;",
      "    h = d * d;",
      ...across,
      "    float w = h + r1 * r1 - r2 * r2;",
      "    float s = side * sqrt(max(4.0 * r1 * r1 * h - w * w, 0.0));",
      "    return (w * p + s * m) / (2.0 * h);",
      "}",
      "",
      ...(d === 3
        ? [
            "// The angle of the second bone from the first in radians, 0 is straight; both points seen from the root.",
            "float bend(vec3 elbow, vec3 end) {",
            "    return atan(length(cross(elbow, end - elbow)), dot(elbow, end - elbow));",
            "}",
          ]
        : [
            "// The angles in radians: of the first bone from +x, of the second from the first; both points seen from the root.",
            "vec2 angles(vec2 elbow, vec2 end) {",
            "    vec2 second = end - elbow;",
            "    return vec2(atan(elbow.y, elbow.x), atan(elbow.x * second.y - elbow.y * second.x, dot(elbow, second)));",
            "}",
          ]),
      "",
      `${vec} x() {`,
      `    ${vec} root = ${make(now.root)};`,
      `    return root + joint(${make(now.target)} - root, ${float(now.r1)}, ${float(now.r2)}, ${float(now.side)}${d === 3 ? `, ${make(now.pole)}` : ""});`,
      "}",
      "",
    ].join("\n");
  };
  /** @type {(found: any) => string} */
  const json = (found) => {
    /** @type {(v: number[]) => (number | null)[]} */
    const safe = (v) => v.map((part) => (Number.isFinite(part) ? part : null));
    const { plus } = limb.vectors,
      radians = angles.of(found);
    /** @type {(unit: (v: number) => number) => Record<string, number | null>} */
    const each = (unit) => Object.fromEntries(Object.entries(radians).map(([name, v]) => [name, safe([unit(v)])[0]]));
    return JSON.stringify(
      {
        ...state.limb(),
        joint: safe(plus(found.root, found.joint)),
        end: safe(plus(found.root, found.end)),
        status: found.word,
        angles: { degrees: each(angles.degrees), radians: each((v) => v) },
      },
      null,
      2,
    );
  };
  // Whether others can open an address: not that of a file, of this machine or of its network, and not
  // one that Python serves, because its token lets anyone control the page.
  const NEARBY =
    /^([^.]*|.*\.(localhost|local|internal|lan|home|test)|(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\..*|\[.*)\.?$/i;
  /** @type {(where: { protocol: string, hostname: string }) => boolean} */
  const isPublic = ({ protocol, hostname }) => /^https?:$/.test(protocol) && !NEARBY.test(hostname) && !live.isServed();
  // Leave out the query, which may hold a secret.
  // The public address of the page, as Python was told it or as it was opened; "" if it has none.
  const home = (where = location) =>
    /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="canonical"]'))?.href ??
    (isPublic(where) ? where.origin + where.pathname : "");
  const link = (where = location) => `${home(where)}#${state.write({ present: 0, embed: 0 })}`;
  const embed = (where = location) => {
    const address = `${home(where) || "page.html"}#${state.write({ present: 0, embed: 1 })}`;
    return `<iframe src="${draw.escape(address)}" title="${t`Two-bone inverse kinematics, interactive`}" width="100%" height="480" style="border: 0" loading="lazy"></iframe>`;
  };
  /** @type {Record<string, () => string>} */
  const TEXTS = { link: () => link(), python, glsl, json: () => json(frames.found()) };

  // Without access to the clipboard (as in a file opened from disk) the text is shown to be copied by hand.
  /** @type {(kind: string) => Promise<void>} */
  const copy = async (kind) => {
    const text = TEXTS[kind](),
      box = byId("copied", HTMLTextAreaElement);
    box.value = text;
    box.hidden = false;
    if (!(await toClipboard(box))) said(t`Press Ctrl+C to copy`);
    else said(text.startsWith("#") ? t`Copied the state only: append it to the address of a twobone page` : t`Copied`);
  };
  // Copy the text of a box; select it and return false if the clipboard refuses.
  /** @type {(box: HTMLTextAreaElement) => Promise<boolean>} */
  const toClipboard = async (box) => {
    try {
      await navigator.clipboard.writeText(box.value);
      return true;
    } catch {
      box.focus();
      box.select();
      return false;
    }
  };
  // While a text or a file is made, the message about the one before is not there.
  for (const button of allOf("[data-save]")) button.addEventListener("click", () => said(""));
  byId("panel").addEventListener("click", (event) => {
    const button = around(event, "[data-copy]");
    if (!(button instanceof HTMLElement)) return;
    said("");
    copy(button.dataset.copy ?? "");
  });

  // --- the picture --------------------------------------------------------------------------

  /** @type {(blob: Blob, name: string) => void} */
  const save = (blob, name) => {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(blob);
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
    said(t`Saved ${name}`);
  };
  const title = () => scenes.shown().caption(frames.found());
  // What is chosen: the size, the theme ("" is that of the screen), and whether there is a ground.
  const how = () => {
    const [theme, ground] = byId("save-ground", HTMLSelectElement).value.split(" ");
    return { isSlide: byId("save-size", HTMLSelectElement).value === "slide", theme, isClear: ground === "clear" };
  };
  const saveSvg = () => save(new Blob([picture.toSvg(how(), title())], { type: "image/svg+xml" }), "twobone.svg");
  // The picture of a lesson's step as it is, for a slide.
  /** @type {(name: string) => void} */
  const saveSlide = (name) =>
    save(
      new Blob([picture.toSvg({ isSlide: true, theme: "", isClear: false }, title())], { type: "image/svg+xml" }),
      name,
    );
  const savePng = () =>
    picture
      .toCanvas(how())
      .toBlob(
        (/** @type {Blob | null} */ blob) =>
          blob ? save(blob, "twobone.png") : said(t`The browser recorded no picture`),
        "image/png",
      );

  // --- recording ---------------------------------------------------------------------------

  const KINDS = ["video/mp4;codecs=avc1", "video/mp4", "video/webm;codecs=vp9", "video/webm"];
  // A video, in milliseconds: the time between the encoder's chunks, how long to wait for the first one.
  const PART = 100,
    PATIENCE = 5000;
  /** @type {HTMLCanvasElement | null} */
  let film = null;
  /** @type {(() => void) | null} */
  let recording = null;

  // Start or stop recording.
  /** @type {(button: HTMLElement) => void} */
  const record = (button) => {
    if (recording) return recording();
    film = document.createElement("canvas");
    picture.compose(film);
    const name = button.textContent;
    /** @type {(blob?: Blob | null, file?: string) => void} */
    const end = (blob, file) => {
      film = recording = null;
      button.setAttribute("aria-pressed", "false");
      button.textContent = name;
      if (blob) save(blob, file ?? "");
    };
    try {
      recording = video(film, end);
    } catch (error) {
      end();
      return said(t`This browser cannot record video: ${/** @type {Error} */ (error).message}`);
    }
    button.setAttribute("aria-pressed", "true");
    button.textContent = t`Stop`;
    said(t`Recording`);
    frames.redraw();
  };

  // Record a canvas until the function that this returns is called; `end` takes the file.
  /** @type {(canvas: HTMLCanvasElement, end: (blob: Blob | null, file: string) => void) => () => void} */
  const video = (canvas, end) => {
    if (!window.MediaRecorder) throw new Error(t`it has no MediaRecorder`);
    if (!canvas.captureStream) throw new Error(t`it has no captureStream`);
    const type = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    if (!type) throw new Error(t`it can write neither MP4 nor WebM`);
    /** @type {Blob[]} */
    const made = [];
    const recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 8e6 });
    // An encoder stopped before its first frame would leave an empty file, so wait for that frame.
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let stopping;
    let failed = "";
    const stop = () => recorder.state !== "inactive" && recorder.stop();
    recorder.ondataavailable = ({ data }) => {
      if (data.size) made.push(data);
      if (stopping && made.length) stop();
    };
    recorder.onerror = ({ error }) => {
      failed = error?.message || t`the encoder failed`;
      stop();
    };
    recorder.onstop = () => {
      clearTimeout(stopping);
      end(made.length ? new Blob(made, { type }) : null, `twobone.${type.startsWith("video/mp4") ? "mp4" : "webm"}`);
      if (failed) said(t`The recording ended early: ${failed}`);
      else if (!made.length) said(t`The browser recorded no picture`);
    };
    recorder.start(PART);
    return () => {
      if (made.length) stop();
      else stopping ??= setTimeout(stop, PATIENCE);
    };
  };

  /** @type {Record<string, (button: HTMLElement) => void>} */
  const SAVES = { svg: saveSvg, png: savePng, video: (button) => record(button) };
  for (const button of allOf("[data-save]"))
    button.addEventListener("click", () => SAVES[button.dataset.save ?? ""](button));

  return { texts: TEXTS, link, home, embed, toClipboard, saveSlide, film: () => film };
})();
