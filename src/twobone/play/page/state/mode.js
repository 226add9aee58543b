// How the page is shown: whole, presented on a wall, or embedded in another page. The address says
// which. A presented picture is drawn larger: `scale` pixels of the screen for each of a drawing.
import { byId } from "../elements.js";
import { state } from "./state.js";

export const mode = (() => {
  const now = state.now,
    picture = byId("picture");
  let scale = 1;

  /** @returns {"whole" | "present" | "embed"} */
  const name = () => (now.embed ? "embed" : now.present ? "present" : "whole");

  // A drawing of this size has bones, marks and letters that can be seen from the back row.
  const WIDTH = 620,
    HEIGHT = 520,
    LARGEST = 4;
  /**
   * Choose the scale for a picture of some size on the screen.
   * @param {number} width
   * @param {number} height
   */
  const fit = (width, height) => {
    scale = name() === "present" ? Math.min(LARGEST, Math.max(1, Math.min(width / WIDTH, height / HEIGHT))) : 1;
  };

  return {
    name,
    fit,
    isWhole: () => name() === "whole",
    isPresented: () => name() === "present",
    isEmbedded: () => name() === "embed",
    scale: () => scale,
    // Where a pointer is in the drawing, and the same backwards.
    /** @param {{clientX: number, clientY: number}} event */
    at: ({ clientX, clientY }) => {
      const { left, top } = picture.getBoundingClientRect();
      return [(clientX - left) / scale, (clientY - top) / scale];
    },
    /** @param {number[]} pixels */
    toClient: ([x, y]) => {
      const { left, top } = picture.getBoundingClientRect();
      return [x * scale + left, y * scale + top];
    },
  };
})();
