// What is set for a reader rather than for a limb: the language, and whether single keys are commands.
import { byId } from "./elements.js";
import { texts } from "./texts.js";
import { state } from "./state.js";

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

  const show = () => {
    shortcuts.checked = now.shortcuts === 1;
  };
  return { show };
})();
