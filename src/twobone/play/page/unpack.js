// Unpack and run the scripts of the page, which are stored deflated to keep the file small, as printable
// characters (packing.py). Developer tools show them as twobone.js.
//
// The parser waits for this script, so it waits for the page: DecompressionStream of browsers would let it go on,
// and the page would be empty for whoever waits for its load event, such as a program that takes screenshots.
import { unzlibSync } from "fflate";

try {
  // The newest that the page uses.
  if (!("toSorted" in Array.prototype)) throw new Error("Array.toSorted is missing");
  const { textContent, dataset } = /** @type {HTMLElement} */ (document.getElementById("packed"));
  const text = textContent ?? "",
    packed = new Uint8Array(Number(dataset.bytes));
  // All printable characters but "<" are digits.
  /** @param {number} i */
  const digit = (i) => text.charCodeAt(i) - (text.charCodeAt(i) > 60 ? 33 : 32);
  for (let i = 0, at = 0, bits = 0, count = 0; i < text.length; i += 2) {
    const value = digit(i) + 94 * digit(i + 1);
    bits |= value << count;
    for (count += (value & 8191) > 643 ? 13 : 14; count > 7; count -= 8, bits >>= 8) packed[at++] = bits;
  }
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(unzlibSync(packed));
  document.body.append(script);
} catch (error) {
  document.body.textContent = `This page needs a browser from 2023 or later (${error instanceof Error ? error.message : error}).`;
}
