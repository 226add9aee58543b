// What is set for a reader rather than for a limb: the language, whether single keys are commands, and how scenes
// in space are drawn.
import { byId } from "../elements.js";
import { texts, t } from "../texts/texts.js";
import { state } from "../state/state.js";
import { picture } from "../stage/picture.js";

export const settings = (() => {
  const now = state.now;
  const language = byId("language", HTMLSelectElement);
  const shortcuts = byId("shortcuts", HTMLInputElement);

  for (const [code, name] of Object.entries(texts.LANGUAGES)) {
    const option = new Option(name, code, false, code === texts.language);
    option.lang = code;
    language.append(option);
  }
  // The address keeps the state of the page, which starts again in the other language.
  language.addEventListener("change", () => {
    state.set({ language: language.value }, "view");
    location.hash = state.write();
  });
  shortcuts.addEventListener("change", () => state.set({ shortcuts: Number(shortcuts.checked) }, "view"));

  // It is about this machine, so no address has it.
  const drawing = byId("drawing", HTMLSelectElement);
  drawing.addEventListener("change", () =>
    picture.choose(/** @type {ReturnType<typeof picture.chosen>} */ (drawing.value)),
  );

  const show = () => {
    const isFlat = picture.isLit() === false && picture.chosen() !== "flat";
    const words = !isFlat
      ? ""
      : picture.isTooSlow()
        ? t`Flat for now: WebGL is too slow here.`
        : t`Flat: WebGL is not available here.`;
    if (byId("drawing-words").textContent !== words) byId("drawing-words").textContent = words;
    shortcuts.checked = now.shortcuts === 1;
  };
  return { show };
})();
