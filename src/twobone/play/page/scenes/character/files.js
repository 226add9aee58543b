// Files of characters: dropped on the page, chosen in a dialog, or given by the Python process that serves
// the page. A file is read completely before anything changes; if it cannot be shown, a message says why.
import { byId } from "../../elements.js";
import { state } from "../../state/state.js";
import { readBvh } from "./bvh.js";
import { readGltf } from "./gltf.js";
import { Refused } from "./refused.js";
import { character } from "./character.js";
import { isHere } from "./here.js";
import { sample } from "./sample.js";
import { texts } from "./texts.js";

export const files = (() => {
  const MOST = 128; // megabytes
  const chooser = byId("character-file", HTMLInputElement),
    said = byId("character-said"),
    drop = byId("character-drop");
  let latest = 0;

  const LONG = 6000; // milliseconds that a message stays which says that all is well
  let fading = 0;
  const say = (/** @type {string} */ words, isRefused = false, isShort = false) => {
    clearTimeout(fading);
    if (isShort) fading = setTimeout(() => (said.hidden = true), LONG);
    said.textContent = words;
    said.dataset.refused = String(isRefused);
    said.hidden = !words;
  };
  /** Show the contents of a file. @param {string} name @param {() => Promise<ArrayBuffer>} contents @param {number} size */
  const open = async (name, contents, size) => {
    const mine = ++latest;
    state.set({ scene: "character", step: 0 });
    say(texts.reading(name));
    try {
      const suffix = name.toLowerCase().split(".").pop() ?? "";
      if (!["glb", "vrm", "bvh"].includes(suffix)) throw new Refused(texts.unknown);
      if (size > MOST * 2 ** 20) throw new Refused(texts.tooLarge(MOST));
      const buffer = await contents();
      // Let the words appear before the work begins.
      await new Promise((done) => setTimeout(done));
      const { source, model } = suffix === "bvh" ? { source: readBvh(buffer), model: null } : await readGltf(buffer);
      if (mine !== latest) return model?.dispose(); // another file came meanwhile
      character.take({ name, source, model });
      say(texts.loaded(name, source.skeleton.names.length, character.it().limbs.length), false, true);
    } catch (error) {
      if (mine === latest) say(texts.refused(name, error instanceof Refused ? error.message : texts.failed), true);
      if (!(error instanceof Refused)) console.warn(error);
    }
  };
  const openFile = (/** @type {File} */ file) => open(file.name, () => file.arrayBuffer(), file.size);

  for (const id of ["character-open", "character-choose"]) byId(id).addEventListener("click", () => chooser.click());
  byId("character-sample").addEventListener("click", () => {
    latest++;
    character.take({ name: texts.sample, ...sample() });
    say("");
  });
  chooser.addEventListener("change", () => {
    const [file] = chooser.files ?? [];
    if (file) openFile(file);
    chooser.value = "";
  });
  // A file may be dropped in every scene; the whole page takes it.
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.hidden = true;
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop.hidden = true;
    const given = event.dataTransfer?.files ?? [];
    if (given.length > 1) {
      state.set({ scene: "character", step: 0 });
      say(texts.many, true);
    } else if (given[0]) openFile(given[0]);
  });

  state.on((changed) => {
    if (changed.includes("scene") && !isHere()) say("");
  });
  /** Show the file that Python serves beside the page. @param {{ name: string, path: string }} given */
  const fetched = ({ name, path }) =>
    open(
      name,
      async () => {
        const answer = await fetch(path);
        if (!answer.ok) throw new Refused(texts.ofPython((await answer.text()).trim()));
        return answer.arrayBuffer();
      },
      0,
    );

  return { open, openFile, fetched };
})();
