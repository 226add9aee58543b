// Unpack and run the scripts of the page, which are stored deflated to keep the file small, as printable
// characters (packing.py). Developer tools show them as twobone.js.
(async () => {
  try {
    const { textContent, dataset } = /** @type {HTMLElement} */ (document.getElementById("packed"));
    const text = textContent ?? "", packed = new Uint8Array(Number(dataset.bytes));
    // All printable characters but "<" are digits.
    /** @param {number} i */
    const digit = (i) => text.charCodeAt(i) - (text.charCodeAt(i) > 60 ? 33 : 32);
    for (let i = 0, at = 0, bits = 0, count = 0; i < text.length; i += 2) {
      const value = digit(i) + 94 * digit(i + 1);
      bits |= value << count;
      for (count += (value & 8191) > 643 ? 13 : 14; count > 7; count -= 8, bits >>= 8) packed[at++] = bits;
    }
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.body.append(script);
  } catch (error) {
    document.body.textContent = `This page needs a browser from 2023 or later (${error instanceof Error ? error.message : error}).`;
  }
})();
