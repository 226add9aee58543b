// Reduce three.js to what the page uses (entry.js), and write it into the package with its licence:
//
//     npm ci --prefix tools/vendor_three && node tools/vendor_three/vendor.mjs
//
// `--check` writes nothing and fails if the files in the package are others.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL("./", import.meta.url),
  there = new URL("../../src/twobone/play/page/vendor/three/", here);
const read = (address) => JSON.parse(readFileSync(address, "utf8"));
const { packages } = read(new URL("package-lock.json", here));
const { version, license, exports } = read(new URL("node_modules/three/package.json", here));
const {
  outputFiles: [made],
} = await build({
  entryPoints: [new URL("entry.js", here).pathname],
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "inline",
  target: "es2022",
  write: false,
});
const files = { "three.js": made.contents, LICENSE: readFileSync(new URL("node_modules/three/LICENSE", here)) };
const hash = (data) => createHash("sha256").update(data).digest("hex");
if (!exports["./addons/*"]) throw new Error("three has no addons any more");
const told = {
  package: "three",
  version,
  license,
  source: `three-${version}.tgz of the package on npm`,
  integrity: packages["node_modules/three"].integrity,
  reduced: `by esbuild ${packages["node_modules/esbuild"].version}, to what tools/vendor_three/entry.js exports`,
  modules: {
    three: "three.js",
    "three/addons/controls/OrbitControls.js": "three.js",
    "three/addons/loaders/GLTFLoader.js": "three.js",
  },
  files: Object.fromEntries(Object.entries(files).map(([name, data]) => [name, { sha256: hash(data) }])),
};
files["vendor.json"] = `${JSON.stringify(told, null, 2)}\n`;
for (const [name, data] of Object.entries(files)) {
  const path = new URL(name, there);
  if (!process.argv.includes("--check")) writeFileSync(path, data);
  else if (hash(readFileSync(path)) !== hash(data))
    throw new Error(`${path.pathname} is not what three ${version} gives`);
}
