// An animated GIF: the 256 most frequent colours, and LZW compression (GIF89a specification,
// appendix F).
const gif = (() => {
  "use strict";
  const CLEAR = 256, END = 257, FULL = 4096;

  // Colours are binned by five bits each of red, green and blue. A bin counts its pixels and sums their
  // colours, so that the mean of a bin with a single colour is that colour.
  const collect = () => ({ count: new Float64Array(1 << 15), sum: new Float64Array(3 << 15), frames: [] });
  const add = (film, { data }) => {
    const bins = new Uint16Array(data.length / 4);
    for (let i = 0, at = 0; at < bins.length; i += 4, at++) {
      const bin = ((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3);
      bins[at] = bin;
      film.count[bin]++;
      for (let k = 0; k < 3; k++) film.sum[3 * bin + k] += data[i + k];
    }
    film.frames.push(bins);
  };

  const palette = ({ count, sum }) => {
    const used = [];
    count.forEach((n, bin) => n && used.push(bin));
    used.sort((a, b) => count[b] - count[a]);
    const colour = (bin) => [0, 1, 2].map((k) => sum[3 * bin + k] / count[bin]);
    const chosen = used.slice(0, 256).map(colour), index = new Uint8Array(1 << 15);
    used.forEach((bin, i) => {
      if (i < 256) {
        index[bin] = i;
        return;
      }
      const [r, g, b] = colour(bin);
      let best = Infinity;
      chosen.forEach(([x, y, z], j) => {
        const off = (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
        if (off < best) [best, index[bin]] = [off, j];
      });
    });
    return { chosen, index };
  };

  // Codes of growing size, in blocks of at most 255 bytes. `table` maps a pair of code and colour to a
  // code, tagged with the round in which it was set, so that it never needs to be cleared.
  const table = new Int32Array(FULL << 8);
  let round = 0;
  const compress = (bins, index, bytes) => {
    let size = 9, next = END + 1, held = 0, bits = 0, block = [];
    const flush = () => {
      if (block.length) bytes.push(block.length, ...block);
      block = [];
    };
    const put = (code) => {
      held |= code << bits;
      for (bits += size; bits >= 8; bits -= 8, held >>>= 8) {
        block.push(held & 255);
        if (block.length === 255) flush();
      }
    };
    round++;
    put(CLEAR);
    let code = index[bins[0]];
    for (let i = 1; i < bins.length; i++) {
      const colour = index[bins[i]], key = (code << 8) | colour;
      if (table[key] >> 12 === round) {
        code = table[key] & 4095;
        continue;
      }
      put(code);
      if (next < FULL) {
        if (next === 1 << size) size++;
        table[key] = (round << 12) | next++;
      } else {
        put(CLEAR);
        [size, next] = [9, END + 1];
        round++;
      }
      code = colour;
    }
    put(code);
    put(END);
    if (bits) block.push(held & 255);
    flush();
    bytes.push(0);
  };

  // Return the collected frames as a GIF that loops forever; `pause` is in hundredths of a second.
  const encode = async (film, width, height, pause) => {
    const { chosen, index } = palette(film), parts = [];
    const word = (v) => [v & 255, v >> 8];
    const text = (s) => [...s].map((c) => c.charCodeAt(0));
    const colours = Array.from({ length: 256 }, (_, i) => (chosen[i] ?? [0, 0, 0]).map(Math.round)).flat();
    parts.push(Uint8Array.from([...text("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0, ...colours]));
    parts.push(Uint8Array.from([0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0]));
    for (const bins of film.frames) {
      const bytes = [0x21, 0xf9, 4, 0, ...word(pause), 0, 0, 0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0, 8];
      compress(bins, index, bytes);
      parts.push(Uint8Array.from(bytes));
      // Let the page respond between frames.
      await new Promise((done) => setTimeout(done));
    }
    parts.push(Uint8Array.from([0x3b]));
    return new Blob(parts, { type: "image/gif" });
  };

  return { collect, add, encode };
})();
