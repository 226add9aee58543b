// Draw a list of shapes, in pixels, on a canvas or as SVG.
//
// A shape: {line: [[x, y], ...], close, width, dash, round} or {areas: [[[x, y], ...], ...]}, which all go around in
// the same direction and are filled as one, or {disc: [x, y, r]} or {annulus: [x, y, outer, inner]} or {text, at, size, italic, align}, each with `stroke` or `fill`
// (names of colours) and `alpha`.

/**
 * @typedef {object} Shape
 * @property {number[][]} [line]
 * @property {number[][][]} [areas]
 * @property {boolean} [close]
 * @property {boolean} [round]
 * @property {number} [width]
 * @property {number[]} [dash]
 * @property {number[]} [disc] x, y and the radius
 * @property {number[]} [annulus] x, y and both radii
 * @property {string} [text]
 * @property {number[]} [at]
 * @property {number} [size]
 * @property {boolean} [italic]
 * @property {"left" | "right" | "center"} [align]
 * @property {string} [stroke]
 * @property {string} [fill]
 * @property {number} [alpha]
 * @property {string} [name]
 * @property {boolean} [bold]
 */

export const draw = (() => {
  const NAMES = [
    "ground",
    "reachable",
    "card",
    "line",
    "shade",
    "ink",
    "soft-ink",
    "r1",
    "r2",
    "joint",
    "target",
    "across",
    "amber",
    "red",
    "fog",
    "body",
    "light",
    "joints",
    "edge",
    "r1-ghost",
    "r2-ghost",
    "joint-ghost",
  ];
  /** @type {Record<string, string>} */
  const colours = {};
  /** @type {Record<string, string>} */
  const FONTS = {
    true: '"STIX Two Text", "Cambria Math", Cambria, Georgia, "Liberation Serif", serif',
    false: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  };

  // Colours are defined once, in the style sheet.
  const readColours = () => {
    const style = getComputedStyle(document.documentElement);
    for (const name of NAMES) colours[name] = style.getPropertyValue(`--${name}`).trim();
  };
  /** @type {(name: string) => string} */
  const colour = (name) => colours[name] ?? name;
  // Whether the ground is dark: whether its red is in the lower half.
  const isDark = () => parseInt(colour("ground").slice(1, 3), 16) < 128;

  // A browser takes seconds to draw lines that go far beyond the picture, as those do that pass close
  // to the camera. So lines end this many pixels outside.
  const MARGIN = 4000;
  const BOUNDS = [-MARGIN, 2 * MARGIN];
  /** @type {(line: number[][]) => boolean} */
  const isNear = (line) => line.every((v) => v.every((c) => c >= BOUNDS[0] && c <= BOUNDS[1]));

  // The part of a segment within the bounds, or null (Liang and Barsky's algorithm).
  /** @type {(a: number[], b: number[]) => number[][] | null} */
  const cut = (a, b) => {
    let [from, to] = [0, 1];
    for (const i of [0, 1]) {
      const along = b[i] - a[i],
        [first, last] = BOUNDS.map((v) => (v - a[i]) / along);
      if (along === 0 && (a[i] < BOUNDS[0] || a[i] > BOUNDS[1])) return null;
      if (along !== 0) [from, to] = [Math.max(from, Math.min(first, last)), Math.min(to, Math.max(first, last))];
    }
    /** @type {(t: number) => number[]} */
    const at = (t) => (t === 0 ? a : t === 1 ? b : [0, 1].map((i) => a[i] + t * (b[i] - a[i])));
    return from <= to ? [at(from), at(to)] : null;
  };

  // The lines of a shape within the bounds, each with whether it is closed. Filled ones stay whole.
  /** @type {(shape: Shape & { line: number[][] }) => { line: number[][], close?: boolean }[]} */
  const paths = ({ line, close, fill }) => {
    if (fill || isNear(line)) return [{ line, close }];
    const points = close ? [...line, line[0]] : line,
      parts = [];
    for (let i = 1; i < points.length; i++) {
      const part = cut(points[i - 1], points[i]),
        last = parts.at(-1)?.line;
      if (part && last && last.at(-1) === part[0]) last.push(part[1]);
      else if (part) parts.push({ line: part, close: false });
    }
    return parts;
  };

  /** @type {(ctx: CanvasRenderingContext2D, shape: Shape) => void} */
  const trace = (ctx, shape) => {
    ctx.beginPath();
    if (shape.line) {
      for (const { line, close } of paths({ ...shape, line: shape.line })) {
        line.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
        if (close) ctx.closePath();
      }
    } else if (shape.areas) {
      for (const area of shape.areas) {
        area.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
        ctx.closePath();
      }
    } else if (shape.disc) {
      const [x, y, r] = shape.disc;
      ctx.arc(x, y, Math.max(0, r), 0, 2 * Math.PI);
    } else if (shape.annulus) {
      const [x, y, outer, inner] = shape.annulus;
      ctx.arc(x, y, outer, 0, 2 * Math.PI);
      ctx.moveTo(x + inner, y);
      ctx.arc(x, y, inner, 0, 2 * Math.PI, true);
    }
  };

  /** @type {(size: number, italic?: boolean) => string} */
  const font = (size, italic) => `${italic ? "italic " : ""}${size}px ${FONTS[String(!!italic)]}`;
  const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  /** @type {(text: string, size: number, italic?: boolean) => number} */
  const widthOf = (text, size, italic) => {
    ruler.font = font(size, italic);
    return ruler.measureText(text).width;
  };

  // On an unknown ground, the reachable range is a tint of what lies below it, and a shadow makes that darker.
  /** @type {Record<string, [string, number]>} */
  const TINTS = { reachable: ["ink", 0.06], shade: ["#000000", 0.12] };
  /** @type {(shape: Shape) => Shape} */
  const tinted = (shape) => {
    const [fill, alpha] = TINTS[shape.fill ?? ""] ?? [];
    return alpha ? { ...shape, fill, alpha: alpha * (shape.alpha ?? 1) } : shape;
  };

  // `isClear`: without a ground.
  /** @param {CanvasRenderingContext2D} ctx @param {Shape[]} shapes @param {boolean} isClear */
  const paint = (ctx, shapes, isClear = false) => {
    for (const shape of isClear ? shapes.map(tinted) : shapes) {
      ctx.globalAlpha = shape.alpha ?? 1;
      if (shape.text !== undefined) {
        const [x, y] = shape.at ?? [0, 0];
        ctx.font = font(shape.size ?? 20, shape.italic);
        ctx.textAlign = shape.align ?? "center";
        ctx.textBaseline = "middle";
        ctx.lineJoin = "round";
        // An outline in the colour of the ground keeps text readable where lines cross it.
        ctx.strokeStyle = colour("ground");
        ctx.lineWidth = 4;
        if (isClear) ctx.globalCompositeOperation = "destination-out"; // cut out instead
        ctx.strokeText(shape.text, x, y);
        ctx.globalCompositeOperation = "source-over";
        ctx.fillStyle = colour(shape.fill ?? "ink");
        ctx.fillText(shape.text, x, y);
        continue;
      }
      trace(ctx, shape);
      if (shape.fill) {
        ctx.fillStyle = colour(shape.fill);
        ctx.fill();
      }
      if (shape.stroke) {
        ctx.strokeStyle = colour(shape.stroke);
        ctx.lineWidth = shape.width ?? 1;
        ctx.lineCap = shape.dash ? "butt" : "round";
        ctx.lineJoin = "round";
        ctx.setLineDash(shape.dash ?? []);
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
  };

  // --- SVG ----------------------------------------------------------------------------------

  /** @type {(v: number) => string} */
  const n = (v) => String(Math.round(v * 100) / 100);
  /** @type {Record<string, string>} */
  const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  /** @type {(text: string) => string} */
  const escape = (text) => text.replace(/[&<>"]/g, (c) => ENTITIES[c]);

  /** @param {Shape} shape @param {boolean} isClear */
  const element = (shape, isClear = false) => {
    const attributes = [
      `fill="${shape.fill ? colour(shape.fill) : "none"}"`,
      shape.stroke && !shape.text ? `stroke="${colour(shape.stroke)}" stroke-width="${shape.width ?? 1}"` : "",
      shape.stroke && !shape.dash ? 'stroke-linecap="round" stroke-linejoin="round"' : "",
      shape.dash ? `stroke-dasharray="${shape.dash.join(" ")}"` : "",
      (shape.alpha ?? 1) < 1 ? `opacity="${n(shape.alpha ?? 1)}"` : "",
      shape.name ? `id="${shape.name}"` : "",
    ]
      .filter(Boolean)
      .join(" ");
    if (shape.text !== undefined) {
      const [x, y] = shape.at ?? [0, 0];
      const anchor = { left: "start", right: "end", center: "middle" }[shape.align ?? "center"];
      const style = shape.italic ? ' font-style="italic"' : "";
      const outline = isClear
        ? ""
        : ` stroke="${colour("ground")}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`;
      return `<text x="${n(x)}" y="${n(y)}" ${attributes}${outline} font-family="${escape(FONTS[String(!!shape.italic)])}" font-size="${shape.size ?? 20}"${style} text-anchor="${anchor}" dominant-baseline="central">${escape(shape.text)}</text>`;
    }
    if (shape.disc)
      return `<circle cx="${n(shape.disc[0])}" cy="${n(shape.disc[1])}" r="${n(Math.max(0, shape.disc[2]))}" ${attributes}/>`;
    if (shape.annulus) {
      const [x, y, ...radii] = shape.annulus;
      /** @type {(r: number) => string} */
      const circle = (r) =>
        `M${n(x + r)} ${n(y)}A${n(r)} ${n(r)} 0 1 0 ${n(x - r)} ${n(y)}A${n(r)} ${n(r)} 0 1 0 ${n(x + r)} ${n(y)}Z`;
      return `<path d="${radii.map(circle).join("")}" fill-rule="evenodd" ${attributes}/>`;
    }
    /** @type {(part: { line: number[][], close?: boolean }) => string} */
    const path = ({ line, close }) => `M${line.map(([x, y]) => `${n(x)} ${n(y)}`).join("L")}${close ? "Z" : ""}`;
    const lines = shape.areas
      ? shape.areas.map((line) => ({ line, close: true }))
      : paths({ ...shape, line: shape.line ?? [] });
    return `<path d="${lines.map(path).join("")}" ${attributes}/>`;
  };

  /** @param {Shape[]} shapes @param {number} width @param {number} height @param {string} title @param {{ isClear?: boolean, scale?: number }} options */
  const svg = (shapes, width, height, title, { isClear = false, scale = 1 } = {}) =>
    [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${n(width)} ${n(height)}" width="${n(width * scale)}" height="${n(height * scale)}" role="img" aria-label="${escape(title)}">`,
      ...(isClear ? [] : [`<rect width="100%" height="100%" fill="${colour("ground")}"/>`]),
      ...shapes
        .filter((shape) =>
          [shape.line ?? shape.areas ?? shape.disc ?? shape.annulus ?? shape.at ?? []].flat(3).every(Number.isFinite),
        )
        .map((shape) => element(isClear ? tinted(shape) : shape, isClear)),
      "</svg>",
    ].join("\n");

  return { paint, svg, escape, widthOf, readColours, colour, isDark };
})();
