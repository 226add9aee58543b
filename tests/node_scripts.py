"""JavaScript of the page, run in node with values from Python, NaN and infinities included."""

import json
import shutil
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
FAULTS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


def copy_of_page(folder):
    """Copy the modules of the page to a folder in which node takes them as modules."""
    for path in PAGE.rglob("*.js"):
        if "vendor" not in path.parts:
            there = folder / path.relative_to(PAGE)
            there.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, there)
    (folder / "package.json").write_text('{"type": "module"}')
    for vendored in (PAGE / "vendor").iterdir():
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
