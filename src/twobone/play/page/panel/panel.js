// The panel beside the picture: number fields for everything that can be dragged, status, formula.
import { allOf, byId } from "../elements.js";
import { state } from "../state/state.js";
import { scenes } from "../scenes/scene.js";
import { t } from "../texts/texts.js";
import { limb } from "../limb/limb.js";
import { motion } from "../stage/motion.js";
import { fields } from "./fields.js";
import { formula } from "../limb/formula.js";

export const panel = (() => {
  const now = state.now;
  const { put, minus, fixed, isStretched } = formula;

  // --- fields -------------------------------------------------------------------------------

  /** @type {(label: string, parts: HTMLElement[], id: string) => HTMLElement} */
  const field = (label, parts, id) => {
    const row = document.createElement("div");
    row.className = "field";
    row.id = `field-${id}`;
    const words = document.createElement("span");
    words.append(label);
    const numbers = document.createElement("div");
    numbers.className = "numbers";
    numbers.append(...parts);
    row.append(words, numbers);
    return row;
  };
  /** @type {(name: string, title: string) => HTMLElement[]} */
  const vector = (name, title) => [0, 1, 2].map((at) => fields.make(name, at, `${title}, ${"xyz"[at]}`));
  const R1 = "<span>r<sub>1</sub></span>",
    R2 = "<span>r<sub>2</sub></span>";

  byId("fields").append(
    field(t`Target`, vector("target", t`Target: where the end of the limb should be`), "target"),
    field(t`Root`, vector("root", t`Root: where the first bone is fixed`), "root"),
    field(t`Pole`, vector("pole", t`Pole: the direction towards which the joint bends`), "pole"),
    field(
      t`Bones`,
      [fields.make("r1", null, t`Length of the first bone`), fields.make("r2", null, t`Length of the second bone`)],
      "bones",
    ),
  );
  const bones = /** @type {HTMLElement} */ (byId("field-bones").firstChild);
  bones.innerHTML = `<i class="c-r1">${R1}</i><i class="c-r2">${R2}</i>`;

  const choice = document.createElement("select");
  choice.id = "policy";
  choice.title = t`What to do with a target that cannot be reached`;
  choice.setAttribute("aria-label", choice.title);
  const POLICIES = {
    clamp: t`Clamp: straight or folded`,
    stretch: t`Stretch: bones change length`,
    proportion: t`Stretch in proportion`,
    nan: t`NaN: no joint`,
    raise: t`Raise an error`,
  };
  for (const [value, text] of Object.entries(POLICIES)) choice.append(new Option(text, value));
  choice.addEventListener("change", () => {
    state.set({ policy: choice.value });
    state.commit();
  });
  const slider = document.createElement("input");
  Object.assign(slider, {
    type: "range",
    id: "soft-slider",
    min: 0,
    max: 0.99,
    step: 0.01,
    title: t`Softness: the fraction of the reach over which the end lags behind the target`,
  });
  slider.setAttribute("aria-label", slider.title);
  slider.addEventListener("input", () => state.set({ soft: slider.valueAsNumber }));
  slider.addEventListener("change", () => state.commit());
  const soft = fields.make(
    "soft",
    null,
    t`Softness: the fraction of the reach over which the end lags behind the target`,
    { max: 0.99 },
  );
  byId("policies").append(
    choice,
    field(
      t`Factor`,
      [fields.make("limit", null, t`Maximum stretch: the factor by which both bones may lengthen`, { by: 0.05 })],
      "limit",
    ),
    field(t`Softness`, [slider, soft], "soft"),
    field(
      t`Joint angle`,
      [
        fields.make("least", null, t`Minimum joint angle in degrees: 0 is folded`, { by: 1 }),
        fields.make("greatest", null, t`Maximum joint angle in degrees: 180 is straight`, { by: 1 }),
      ],
      "limits",
    ),
  );
  soft.style.width = "72px";
  soft.style.flex = "none";

  // --- the formula --------------------------------------------------------------------------

  const showFormula = formula.make(byId("formula"));

  // --- showing ------------------------------------------------------------------------------

  /** @type {Record<string, [string, string]>} */
  const MARKS = {
    REACHED: ["reached", "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2z"],
    TOO_FAR: ["far", "M8 2l7 12H1z"],
    TOO_NEAR: ["near", "M8 14L1 2h14z"],
    AMBIGUOUS: ["ambiguous", "M8 1l7 7-7 7-7-7z"],
    INVALID: ["invalid", "M3 1l5 5 5-5 2 2-5 5 5 5-2 2-5-5-5 5-2-2 5-5-5-5z"],
  };
  /** @type {(v: number) => string} */
  const eps = (v) => {
    const text = Math.abs(v).toFixed(1);
    return text === "0.0" ? "0 eps" : `${minus((v < 0 ? "-" : "+") + text)} eps`;
  };
  /** @type {(v: number) => string} */
  const percent = (v) => (Number.isFinite(v) ? `${minus((v * 2 ** -52 * 100).toFixed(0))} %` : "∞ %");
  /** @type {(errors: number[]) => string} */
  const sayErrors = (errors) =>
    isStretched(errors)
      ? t`Bones stretched by ${errors.map(percent).join(", ")}`
      : t`Length errors: ${errors.map(eps).join(", ")}`;

  // Screen readers announce the status once it has settled: not while a pointer is down, nor during
  // the automatic motion.
  const SETTLED = 600,
    pointers = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let telling;
  let told = "",
    isAutomatic = false;
  state.on((changed, by) => {
    if (changed.length && by !== "view") isAutomatic = by === "wander";
  });
  const speak = () => {
    if (!pointers.size && !isAutomatic) put(byId("heard"), told);
  };
  /** @type {(words: string) => void} */
  const tell = (words) => {
    if (words === told) return;
    clearTimeout(telling);
    telling = setTimeout(speak, told ? SETTLED : 0);
    told = words;
  };
  addEventListener("pointerdown", ({ pointerId }) => pointers.add(pointerId), true);
  for (const kind of /** @type {const} */ (["pointerup", "pointercancel"]))
    addEventListener(
      kind,
      ({ pointerId }) => {
        if (!pointers.delete(pointerId) || pointers.size) return;
        clearTimeout(telling);
        telling = setTimeout(speak, SETTLED);
      },
      true,
    );

  /** @type {(found: any) => void} */
  const show = (found) => {
    const [kind, mark] = MARKS[found.word],
      plain = now.policy === "clamp" || now.policy === "proportion";
    const words = limb.say(now, found),
      raised = now.policy === "raise" && !found.met && found.word !== "INVALID";
    byId("status").className = `status ${kind}`;
    byId("status-mark", SVGElement).setAttribute("d", mark);
    const status = raised ? `UnreachableError: ${words.toLowerCase()}` : words;
    put(byId("status-words"), status);
    tell(status);
    put(byId("errors"), Number.isFinite(found.joint[0]) ? sayErrors(found.errors) : t`No joint: the policy is NaN`);
    fields.show();
    const flat = found.wide === 2;
    for (const name of ["target", "root"]) byId(`${name}-z`).hidden = flat;
    byId("field-pole").hidden = flat;
    byId("field-limit").hidden = now.policy !== "proportion";
    for (const id of ["soft", "least", "greatest", "soft-slider"]) byId(id, HTMLInputElement).disabled = !plain;
    choice.value = now.policy;
    slider.value = String(now.soft);
    slider.setAttribute("aria-valuetext", t`${slider.value} of the reach`);
    put(
      byId("side-words"),
      flat
        ? now.side > 0
          ? t`bends left`
          : t`bends right`
        : now.side > 0
          ? t`towards the pole`
          : t`away from the pole`,
    );
    showFormula(now, found);
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(now.scene === name));
    for (const section of allOf("[data-limb]")) section.hidden = !scenes.isLimb();
    for (const section of allOf("[data-scene]")) section.hidden = section.dataset.scene !== now.scene;
    const [undo, redo] = [byId("undo", HTMLButtonElement), byId("redo", HTMLButtonElement)],
      last = document.activeElement;
    undo.disabled = !state.canUndo();
    redo.disabled = !state.canRedo();
    // A focused button that is now disabled would drop the focus, so move it.
    if (last === undo && undo.disabled) redo.focus();
    else if (last === redo && redo.disabled) undo.focus();
  };

  byId("flip").addEventListener("click", () => flip());
  const flip = () => {
    state.set({ side: -now.side });
    state.commit();
  };

  /** A button for each scene. @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  /** Offer all scenes, once they are there. */
  const offer = () => {
    for (const [scene, { name, title }] of scenes.all) {
      const button = Object.assign(document.createElement("button"), { id: `scene-${scene}`, type: "button", title });
      button.textContent = name;
      button.addEventListener("click", () => {
        state.set({ scene, step: 0 });
        state.commit();
      });
      buttons.set(scene, button);
    }
    byId("scenes").replaceChildren(...buttons.values());
  };
  for (const name of /** @type {const} */ (["undo", "redo"]))
    byId(name).addEventListener("click", () => {
      motion.settleDown();
      state[name]();
    });

  return { MARKS, show, offer, flip, fixed, put };
})();
