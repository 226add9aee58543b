"""JavaScript of the page, run in node with values from Python, NaN and infinities included."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np

import twobone

PAGE = Path(twobone.__file__).parent / "play" / "page"
READ = """
const chunks = [], faults = ["NaN", "Infinity", "-Infinity"];
const read = (_, value) => (faults.includes(value) ? Number(value) : value);
const isFault = (value) => typeof value === "number" && !isFinite(value);
const written = (_, value) => (isFault(value) ? String(value) : value);
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
  const { answer } = await import(ADDRESS);
  const found = await answer(JSON.parse(Buffer.concat(chunks).toString(), read));
  process.stdout.write(JSON.stringify(found, written));
});
"""
# Answers one question after the other: a line of the input is a module and its argument.
SERVE = """
import { createInterface } from "node:readline";
const faults = ["NaN", "Infinity", "-Infinity"];
const read = (_, value) => (faults.includes(value) ? Number(value) : value);
const isFault = (value) => typeof value === "number" && !isFinite(value);
const written = (_, value) => (isFault(value) ? String(value) : value);
console.log = console.error; // the output is for answers
for await (const line of createInterface({ input: process.stdin })) {
  const [address, given] = JSON.parse(line, read), said = {};
  try {
    said.found = await (await import(address)).answer(given);
  } catch (error) {
    said.error = error.stack;
  }
  process.stdout.write(`${JSON.stringify(said, written)}\\n`);
}
"""
# What modules find of a browser where there is none: elements that show and do nothing, and a
# canvas whose letters have no width.
NOTHING = """
const nothing = () => {
  const own = new Map([["textContent", ""], ["then", undefined]]);
  return new Proxy(class {}, {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return (hint) => (hint === "string" ? "" : 0);
      if (name === Symbol.iterator) return () => [][Symbol.iterator]();
      if (!own.has(name)) own.set(name, nothing());
      return own.get(name);
    },
    set: (_, name, value) => Boolean(own.set(name, value)),
    apply: nothing,
    construct: nothing,
  });
};
class Kind { static [Symbol.hasInstance]() { return true; } }
const kinds = "Element,HTMLElement,SVGElement,HTMLInputElement,HTMLSelectElement,HTMLButtonElement,"
  + "HTMLCanvasElement,HTMLTextAreaElement,HTMLAnchorElement,HTMLDialogElement";
for (const kind of kinds.split(",")) globalThis[kind] = Kind;
Object.assign(globalThis, {
  document: nothing(), Option: nothing(), ResizeObserver: nothing(), history: nothing(),
  location: { hash: "", href: "file:///page.html", protocol: "file:", hostname: "" },
  window: globalThis, devicePixelRatio: 1,
  getComputedStyle: nothing(), requestAnimationFrame: () => 0, cancelAnimationFrame: () => {},
  addEventListener: () => {}, matchMedia: () => ({ matches: false, addEventListener: () => {} }),
  ANIMALS: TABLE,
});
// From version 21 on, node has one that cannot be assigned.
const value = { languages: ["en"] };
Object.defineProperty(globalThis, "navigator", { value, configurable: true });
"""
FAULTS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


def copy_of_page(folder, page=PAGE):
    """Copy the modules of the page to a folder in which node takes them as modules."""
    for path in page.rglob("*.js"):
        if "vendor" not in path.parts:
            there = folder / path.relative_to(page)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, there)
    (folder / "package.json").write_text('{"type": "module"}')
    for vendored in (page / "vendor").iterdir():
        there = folder / "node_modules" / vendored.name
        shutil.copytree(vendored, there)
        told = json.loads((vendored / "vendor.json").read_text())
        names = {name.replace(told["package"], ".", 1): at for name, at in told["modules"].items()}
        names = {name: f"./{at}" for name, at in names.items()}
        package = {"name": told["package"], "type": "module", "exports": names}
        (there / "package.json").write_text(json.dumps(package))


def run(node, folder, code, given):
    """Return what `answer(given)` returns, the function that a module exports; see `_plain`."""
    path = folder / "answer.js"
    path.write_text(code, encoding="utf-8")
    script = READ.replace("ADDRESS", json.dumps(path.as_uri()))
    return _read(json.loads(node(script, json.dumps(_plain(given)).encode())))


class Modules:
    """The modules of the page in one node, which many tests ask.

    A module is the same for all of them; "state?1" is one of its own, with a word that no other
    test has.
    """

    def __init__(self, folder, animals=None, page=PAGE):
        """With a table of animals, modules that need a page find one on which nothing is."""
        copy_of_page(folder, page)
        self._folder, self._count = folder, 0
        page = NOTHING.replace("TABLE", json.dumps(animals)) if animals else ""
        (folder / "serve.mjs").write_text(
            SERVE.replace("const faults", f"{page}const faults", 1), encoding="utf-8"
        )
        self._node = subprocess.Popen(
            [shutil.which("node"), "serve.mjs"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __call__(self, imports, expression, given=None, before=""):
        """Return an expression of `given`, in which modules' names are known.

        `imports` has the names by the module, as in {"scenes/character/bvh": "readBvh"}; `before`
        is code that runs first.
        """
        lines = []
        for at, names in imports.items():
            path, mark, own = at.partition("?")
            lines.append(f'import {{ {names} }} from "./{path}.js{mark}{own}";')
        lines += [before, f"export const answer = async (given) => ({expression});"]
        self._count += 1
        path = self._folder / f"question_{self._count}.js"
        path.write_text("\n".join(lines), encoding="utf-8")
        self._node.stdin.write(f"{json.dumps([path.as_uri(), _plain(given)])}\n")
        self._node.stdin.flush()
        said = json.loads(self._node.stdout.readline())
        assert "error" not in said, said["error"]
        return _read(said.get("found"))

    def add(self, at, code):
        """Add a module that the page does not have."""
        path = self._folder / f"{at}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")

    def text(self, at):
        """Return the code of a module of the page."""
        return (PAGE / f"{at}.js").read_text(encoding="utf-8")

    def close(self):
        self._node.communicate()


def _plain(value):
    """Return arrays and records as lists and objects; complex numbers are [real, imaginary]."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind == "c":
            value = np.stack([value.real, value.imag], -1)
        return _plain(value.tolist())
    if isinstance(value, float) and not np.isfinite(value):
        return str(value).replace("inf", "Infinity").replace("nan", "NaN")
    return value


def _read(value):
    if isinstance(value, list):
        return [_read(each) for each in value]
    if isinstance(value, dict):
        return {name: _read(each) for name, each in value.items()}
    return FAULTS.get(value, value) if isinstance(value, str) else value
