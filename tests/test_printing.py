"""The printer: printed files are current and compute what Python computes; the subset is kept."""

import importlib
import json
import math
import shutil
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import generate
from goldens import assert_same, golden
from printing.cpp import Cpp
from printing.javascript import JavaScript
from printing.source import Module, Program, UnprintableError
from printing.types import FLAG, NUMBER
from twobone.core.arrays import FLOATS

SCALARS = {"twobone.core.exact.Array": NUMBER, "twobone.core.exact.Flag": FLAG}
NAMES = "printed.shapes", "printed.sample"
NUMBERS = (0.3, -0.3, 1.7, 2.0, -5.25, 0.0, 40.0, math.inf, math.nan)


@pytest.mark.slow
def test_printing_again_changes_nothing():
    for path, text in generate.printed().items():
        assert path.read_text(encoding="utf-8") == text, "run `python tools/generate.py`"


@pytest.mark.slow
def test_a_package_is_printed_as_javascript_and_as_cpp(run_cpp, tmp_path, monkeypatch, capsys):
    package = tmp_path / "strolls"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "legs.py").write_text(
        '"""Legs."""\nfrom strolls.zoo import SPEED\n'
        "from twobone.core.transcendental import sine\n"
        "from twobone.core.solver import solve_xyz\n"
        "def swung(time: float) -> float:\n"
        "    x = SPEED * sine(time)\n"
        "    return solve_xyz(x, 0.1, 0.2, 1.0, 1.5, 0.0, 1.0, 0.0, 1.0)[1]\n",
        encoding="utf-8",
    )
    (package / "zoo.py").write_text(
        '"""Animals."""\nSPEED = 2.0\nLEGS = 4\nEYES = 2\nnames = {"dog": 1}\n', encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(generate, "PROJECT", tmp_path)
    folders = tmp_path / "page" / "strolls", tmp_path / "kernel" / "strolls"
    packages = {
        "strolls": generate.Package(
            *folders, ("printed.shapes",), {"zoo": ("names",)}, "", ("LEGS",)
        )
    }
    monkeypatch.setattr(generate, "printed", lambda: generate.printed_packages(packages))
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    names = {"legs", "shapes", "transcendental", "zoo"}
    wanted = {f"page/strolls/{name}.js" for name in names}
    wanted |= {f"kernel/strolls/{name}.hpp" for name in (*names, "py")}
    wanted |= {f"kernel/strolls/solver/{name}.hpp" for name in generate.SOLVER}
    with pytest.raises(SystemExit):
        generate.main()
    assert set(capsys.readouterr().out.split()) == wanted
    assert not folders[0].exists()
    monkeypatch.setattr(sys, "argv", ["generate.py"])
    generate.main()
    zoo = (folders[0] / "zoo.js").read_text(encoding="utf-8")
    assert [zoo.count(f"export const {each} ") for each in ("SPEED", "LEGS", "EYES")] == [1, 1, 0]
    legs = importlib.import_module("strolls.legs")
    times = (0.1, -2.0, 30.0)
    main = """
    #include <cstdio>
    #include "strolls/legs.hpp"
    int main() { for (double t : {TIMES}) std::printf("%a ", twobone::strolls::legs::swung(t)); }
    """
    main = main.replace("TIMES", ", ".join(map(str, times)))
    found = run_cpp(Program({}, {}), main, "-I", str(tmp_path / "kernel")).decode().split()
    wanted = [legs.swung(time).hex() for time in times]
    assert list(map(hex_of, found)) == wanted
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    generate.main()
    assert capsys.readouterr().out == "nothing changes\n"


def printed(*names):
    """Return modules as JavaScript, by the names of their files."""
    program = Program({name: Module(name) for name in names}, SCALARS)
    places = {name: f"{name.rpartition('.')[2]}.mjs" for name in names}
    return {
        places[name]: JavaScript(program, module, places).printed()
        for name, module in program.modules.items()
    }


# --- the same results ---------------------------------------------------------------------


CALLS = [
    *(("arithmetic", [a, b]) for a in NUMBERS for b in NUMBERS),
    *(("library", [a]) for a in NUMBERS if math.isfinite(a)),
    *(("least", [a, b]) for a in NUMBERS for b in NUMBERS),
    *(("comparisons", [a, b]) for a in NUMBERS for b in NUMBERS),
    ("sequences", [[3.0, 1.0, 2.5]]),
    ("sequences", [[-3.0, 1.0, -2.5, 4.0]]),
    ("sequences", [[1.0, 200.0, 2.5]]),
    ("sequences", [[-1.0]]),
    ("copies", [[1.0, 2.0], [True, True]]),
    ("copies", [[1.5, 2.0], [True, False]]),
    ("copies", [[0.5, 2.0], [False]]),
    ("places", [[[1.0, 2.0], [3.0, 4.0]]]),
    ("search", [[[3.0, 4.0], [1.0, 1.0], [2.0, 0.0], [0.5, 0.0]]]),
    ("search", [[[3.0, 4.0]], 4.0]),
    ("lifted", [0.25]),
    *(("chosen", [flag, a]) for flag in (True, False) for a in (3.0, 0.5, -9.0, 17.0)),
]


def as_python_takes_it(sample, name, given):
    if name in ("search", "places"):
        given = [tuple(sample.Point(*each) for each in given[0]), *given[1:]]
    if name == "sequences":
        given = [tuple(given[0])]
    return [FLOATS, *given] if name in ("sequences", "chosen") else given


def as_text(value):
    """Return a number as JavaScript reads it."""
    return (
        str(value).replace("inf", "Infinity").replace("nan", "NaN")
        if isinstance(value, float)
        else value
    )


def plain(value):
    """Return a value as JSON has it: records as lists, numbers as text with all digits."""
    if hasattr(value, "__slots__") and hasattr(value, "__dataclass_fields__"):
        return [plain(getattr(value, name)) for name in value.__slots__]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [plain(part) for part in value if part is not None]
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if isinstance(value, bool) or value is None:
        return value
    return float(value).hex()


def from_javascript(value):
    if isinstance(value, dict):
        return [from_javascript(part) for part in value.values()]
    if isinstance(value, list):
        return [from_javascript(part) for part in value]
    if isinstance(value, bool) or value is None:
        return value
    return float(value).hex()


WRITE = """
const sign = (v) => (Object.is(v, -0) ? "-0" : String(v));
const text = (_, v) => (typeof v === "number" ? sign(v) : v);
const read = (_, v) => (typeof v !== "string" || (isNaN(Number(v)) && v !== "NaN") ? v : Number(v));
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
  const calls = JSON.parse(Buffer.concat(chunks).toString(), read);
  const sample = await import(ADDRESS), found = [];
  for (const [name, given] of calls) {
    if (name === "search" || name === "places") given[0] = given[0].map(([x, y]) => ({ x, y }));
    found.push(sample[name](...given));
  }
  process.stdout.write(JSON.stringify(found, text));
});
"""


def test_javascript_computes_what_python_computes(node, tmp_path):
    for name, text in printed(*NAMES).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    given = [[name, [as_text(value) for value in values]] for name, values in CALLS]
    script = WRITE.replace("ADDRESS", json.dumps((tmp_path / "sample.mjs").as_uri()))
    found = json.loads(node(script, json.dumps(given).encode()))
    sample = importlib.import_module("printed.sample")
    for (name, values), each in zip(CALLS, found, strict=True):
        wanted = getattr(sample, name)(*as_python_takes_it(sample, name, values))
        assert from_javascript(each) == plain(wanted), (name, values)


SHOW = """
#include <cstdio>
#include <string>
#include "sample.hpp"
using namespace printed;
static void show(double v) { std::printf("\\"%.17g\\"", v); }
static void show(bool v) { std::printf(v ? "true" : "false"); }
static void show(char v) { show(bool(v)); }
static void show(py::Int v) { show(double(v)); }
template <class T> static void show(const std::vector<T> &items) {
  std::printf("[");
  for (std::size_t i = 0; i < items.size(); i++) { if (i) std::printf(","); show(T(items[i])); }
  std::printf("]");
}
static void show(const shapes::Point &v) { show(std::vector<double>{v.x, v.y}); }
template <class First, class... Rest> static void all_of(const First &first, const Rest &...rest) {
  std::printf("[");
  show(first);
  ((std::printf(","), show(rest)), ...);
  std::printf("]");
}
static void show(const sample::Found &v) { all_of(v.place, v.cost, v.count); }
static void show(const sample::Leg &v) { all_of(v.foot, v.is_up, *v.next_to); }
static void show(const std::tuple<double, bool> &v) { all_of(std::get<0>(v), std::get<1>(v)); }
int main() { std::printf("[");
"""


def cpp_literal(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and isinstance(value[0], bool):
        return "py::List<bool>{" + ", ".join(map(cpp_literal, value)) + "}"
    if isinstance(value, list) and isinstance(value[0], list):
        return "py::List<shapes::Point>{" + ", ".join(map(cpp_literal, value)) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(cpp_literal, value)) + "}"
    return {"inf": "INFINITY", "nan": "NAN"}.get(repr(value), repr(value))


@pytest.fixture
def run_cpp(tmp_path):
    """Return a function that compiles printed modules with a main function, and runs it."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("a C++ compiler is not installed")

    def run(program, main, *flags, given=b""):
        places = {name: f"{name.rpartition('.')[2]}.hpp" for name in program.modules}
        for name, module in program.modules.items():
            text = Cpp(program, module, places, "printed").printed()
            (tmp_path / places[name]).write_text(text, encoding="utf-8")
        shutil.copy(generate.SUPPORT, tmp_path)
        (tmp_path / "main.cpp").write_text(main, encoding="utf-8")
        made = tmp_path / "main"
        command = [compiler, *FLAGS, *flags, str(tmp_path / "main.cpp"), "-o", str(made)]
        subprocess.run(command, check=True)
        return subprocess.run([str(made)], input=given, capture_output=True, check=True).stdout

    return run


FLAGS = ["-std=c++17", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]


def program_of(*names):
    return Program({name: Module(name) for name in names}, SCALARS)


def test_cpp_computes_what_python_computes(run_cpp):
    shown = 'std::printf(",");\n'.join(
        f"show(sample::{name}({', '.join(map(cpp_literal, values))}));\n" for name, values in CALLS
    )
    found = json.loads(run_cpp(program_of(*NAMES), SHOW + shown + 'std::printf("]"); }', "-O0"))
    sample = importlib.import_module("printed.sample")
    for (name, values), each in zip(CALLS, found, strict=True):
        wanted = getattr(sample, name)(*as_python_takes_it(sample, name, values))
        assert from_cpp(each) == plain(wanted), (name, values)


def from_cpp(value):
    if isinstance(value, list):
        return [from_cpp(part) for part in value]
    return value if isinstance(value, bool) else float(value).hex()


HERD = "printed.shapes", "printed.herd"
HERDS = [(1, 300), (4, 1500)]  # animals, steps


def bits_of(text):
    return [float(each).hex() for each in json.loads(text)]


@pytest.mark.slow
def test_printed_javascript_has_strict_types(tmp_path):
    page = Path(__file__).parents[1] / ".ci" / "page"
    checker = page / "node_modules" / ".bin" / "tsc"
    if not checker.exists():
        pytest.skip("tsc is not installed: npm ci --prefix .ci/page")
    for name, text in printed(*NAMES, "printed.herd", TRANSCENDENTAL).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = json.loads((page / "tsconfig.json").read_text(encoding="utf-8"))["compilerOptions"]
    del options["paths"]
    config = {"compilerOptions": options, "include": ["*.mjs"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    found = subprocess.run([str(checker), "-p", str(tmp_path)], capture_output=True, text=True)
    assert found.stdout == ""
    assert found.returncode == 0


def test_a_herd_has_the_same_bits_in_javascript(node, tmp_path):
    for name, text in printed(*HERD).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    script = """
    import(ADDRESS).then((herd) => {
      const found = HERDS.map(([count, steps]) => herd.walked(count, steps).map(String));
      process.stdout.write(JSON.stringify(found));
    });
    """
    script = script.replace("HERDS", json.dumps(HERDS))
    found = json.loads(
        node(script.replace("ADDRESS", json.dumps((tmp_path / "herd.mjs").as_uri())))
    )
    herd = importlib.import_module("printed.herd")
    for given, numbers in zip(HERDS, found, strict=True):
        assert bits_of(json.dumps(numbers)) == [each.hex() for each in herd.walked(*given)]


@pytest.mark.slow
def test_a_herd_has_the_same_bits_in_optimised_cpp(run_cpp):
    calls = "".join(f"show(herd::walked({count}, {steps}));\n" for count, steps in HERDS)
    main = """
    #include <cstdio>
    #include "herd.hpp"
    using namespace printed;
    static void show(const py::List<double> &items) {
      for (double each : items) std::printf("%a ", each);
      std::printf("\\n");
    }
    int main() { CALLS }
    """
    found = run_cpp(program_of(*HERD), main.replace("CALLS", calls), "-O2").decode().splitlines()
    herd = importlib.import_module("printed.herd")
    for given, line in zip(HERDS, found, strict=True):
        numbers = [float.fromhex(each).hex() for each in line.split()]
        assert numbers == [each.hex() for each in herd.walked(*given)]


TRANSCENDENTAL = generate.TRANSCENDENTAL
ODD = (0.0, -0.0, 1.0, -1.0, 5e-324, 1e300, 9e8, math.inf, -math.inf, math.nan)


def pairs_of_numbers():
    rng = np.random.default_rng(11)
    near = rng.uniform(-50.0, 50.0, (1500, 2)).tolist()
    far = rng.uniform(-1e4, 1e4, (1500, 2)).tolist()
    return near + far + [[y, x] for y in ODD for x in ODD]


def of_transcendental(pairs):
    """Return what Python computes of pairs of numbers, as text with all digits."""
    module = importlib.import_module(TRANSCENDENTAL)
    found = []
    for y, x in pairs:
        each = (*module.turn(x), module.exponential(x), module.arctangent(y, x))
        found.append([number.hex() for number in each])
    return found


def test_transcendental_functions_have_the_same_bits_in_javascript(node, tmp_path):
    path = tmp_path / "transcendental.mjs"
    path.write_text(printed(TRANSCENDENTAL)["transcendental.mjs"], encoding="utf-8")
    script = """
    const chunks = [];
    process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
      const t = await import(ADDRESS), shown = (v) => (Object.is(v, -0) ? "-0" : String(v));
      const found = JSON.parse(Buffer.concat(chunks).toString()).map(([first, second]) => {
        const [y, x] = [Number(first), Number(second)], { c, s } = t.turn(x);
        return [c, s, t.exponential(x), t.arctangent(y, x)].map(shown);
      });
      process.stdout.write(JSON.stringify(found));
    });
    """
    pairs = pairs_of_numbers()
    given = json.dumps([[as_text(number) for number in pair] for pair in pairs]).encode()
    found = json.loads(node(script.replace("ADDRESS", json.dumps(path.as_uri())), given))
    numbers = [[float(each).hex() for each in row] for row in found]
    assert numbers == of_transcendental(pairs)


def test_transcendental_functions_have_the_same_bits_in_cpp(run_cpp):
    main = """
    #include <cstdio>
    #include "transcendental.hpp"
    using namespace printed::transcendental;
    int main() {
      double y, x;
      while (std::scanf("%lf %lf", &y, &x) == 2) {
        const Turn t = turn(x);
        std::printf("%a %a %a %a\\n", t.c, t.s, exponential(x), arctangent(y, x));
      }
    }
    """
    pairs = pairs_of_numbers()
    given = "".join(f"{y.hex()} {x.hex()}\n" for y, x in pairs).encode()
    found = run_cpp(program_of(TRANSCENDENTAL), main, "-O2", given=given).decode().splitlines()
    numbers = [[hex_of(each) for each in line.split()] for line in found]
    assert numbers == of_transcendental(pairs)


def hex_of(text):
    return "nan" if "nan" in text else float.fromhex(text).hex()


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("word", ["clamp", "stretch", "nan"])
def test_the_solver_answers_the_golden_vectors_in_cpp(run_cpp, word, size):
    main = """
    #include <cstdio>
    #include "answer.hpp"
    using namespace printed;
    int main() {
      auto policy = answer::CLAMP;
      policy.word = "WORD";
      policy.gives = policy.word == "stretch";
      policy.signals = policy.word == "nan";
      double v[10];
      const int width = SIZE == 2 ? 5 : 9;
      for (;;) {
        for (int i = 0; i < width; i++) if (std::scanf("%lf", &v[i]) != 1) return 0;
        double *r = v + SIZE;
        answer::Targets limb{{v, r}, r[0], r[1], r[2], {r + 3, &v[width]}};
        std::optional<answer::Answer> found;
        if (answer::is_easy(limb)) {
          const auto [easy, is_along] = answer::easy(limb, policy, formula::gap);
          if (!is_along) found = easy;
        }
        if (!found) {
          const auto plain = answer::plain(limb, policy);
          found = answer::marked(plain.valid, plain.answer);
        }
        for (double each : found->joint) std::printf("%a ", each);
        for (double each : found->end) std::printf("%a ", each);
        std::printf("%a\\n", found->status);
      }
    }
    """
    given, (joint, end, status) = golden(size, word)
    order = [given[name] for name in ("target", "r1", "r2", "side", "pole") if name in given]
    rows = np.column_stack(order).tolist()
    text = "".join(" ".join(map(float.hex, map(float, row))) + "\n" for row in rows)
    main = main.replace("WORD", word).replace("SIZE", str(size))
    lines = run_cpp(generate.solver(), main, "-O1", given=text.encode()).decode().splitlines()
    found = np.array([[float.fromhex(hex_of(each)) for each in line.split()] for line in lines])
    assert_same((found[:, :size], found[:, size:-1], found[:, -1]), (joint, end, status))


def test_documentation_and_comments_are_printed():
    text = printed(*NAMES)["sample.mjs"]
    assert "// --- records ---" in text
    assert "// of three numbers" in text
    assert " * @property {number} cost of `place`" in text
    assert " * @property {Point | null} nextTo" in text
    assert " * @param {Point[]} places\n * @param {number} [limit]\n * @returns {Found}" in text
    assert "library" not in text.partition("@typedef {object} Found")[2].partition("*/")[0]
    assert '/** @typedef {import("./shapes.mjs").Point} Point */' in text


# --- the subset ---------------------------------------------------------------------------


REFUSED = [
    ("import numpy as np\ndef f(a: float) -> float:\n    return np.sin(a)", 3, "not known"),
    ("def f(a) -> float:\n    return a", 1, "the parameter a has no type"),
    ("def f(a: float):\n    return a", 1, "the result has no type"),
    (
        "def f(a: float) -> float:\n    b = a\n    b = (a, a)\n    return a",
        3,
        "b is float and becomes",
    ),
    ("def f(a: float) -> float:\n    g = lambda: a\n    return a", 2, "outside the subset"),
    (
        "def f(a: float) -> float:\n    try:\n        return a\n    finally:\n        pass",
        2,
        "a statement",
    ),
    ("def f(a: float) -> float:\n    return {a: 1.0}[a]", 2, "outside the subset"),
    ("def f(a: float) -> float:\n    return a % 2.0", 2, "an operator between"),
    ("def f(a: float) -> float:\n    return a ** 2.0", 2, "powers are of constants"),
    ("def f(a: float) -> float:\n    if a:\n        return a\n    return 1.0", 2, "a condition"),
    ("def f(a: float) -> tuple[float, float]:\n    return a", 2, "is wanted, and this is float"),
    ("def f(*a: float) -> float:\n    return 1.0", 1, "parameters are named one by one"),
    ("def f(a: tuple[float, ...]) -> float:\n    return sum(a)", 2, "a function that is not known"),
    ("def f(a: set[int]) -> float:\n    return 1.0", 1, "an annotation outside"),
    ("def f(a: float) -> float:\n    return a if a else 1.0", 2, "a condition is a truth value"),
    (
        "def f(a: list[int]) -> list[int]:\n    return [b for b in a if b > 1]",
        2,
        "no `if`",
    ),
    ("class A:\n    pass", 1, "a record is a NamedTuple"),
    ("class A(NamedTuple):\n    def f(self):\n        pass", 2, "no methods"),
    (
        "class A(NamedTuple):\n    a: float\ndef f(b: A) -> None:\n    b.a = 1.0",
        4,
        "does not change",
    ),
    ("class A(NamedTuple):\n    a: float\ndef f(b: A) -> float:\n    return b.c", 4, "A has no c"),
    ("class A(NamedTuple):\n    a: float\ndef f() -> A:\n    return A()", 4, "a is not given"),
    (
        "from dataclasses import dataclass, field\n@dataclass(slots=True)\nclass A:\n"
        "    a: list[float] = field(default_factory=tuple)",
        4,
        "what a field makes anew is of its own type",
    ),
    ("for i in range(3):\n    pass", 1, "functions, records and constants only"),
    (
        "def f(a: list[int]) -> list[int]:\n    return [b * c for b, c in zip(a, a)]",
        2,
        "one length",
    ),
    ("table = 1.0", 1, "names in capitals"),
    (
        "def f(a: int) -> int:\n    for i in range(a):\n        i += 1\n    return a",
        2,
        "own i changes",
    ),
    ("def f(a: int) -> int:\n    for _ in range(a):\n        a -= 1\n    return a", 2, "a, which"),
    ("def f(a: list[int]) -> int:\n    return a[-len(a)]", 2, "count from the end"),
    ("def f(a: list[int]) -> list[int]:\n    return a[:-1]", 2, "counted from their start"),
    ("def f(a: int) -> int:\n    a %= 3\n    return a", 2, "an operator"),
    ("def f(a_b: int) -> int:\n    aB = a_b\n    return aB", 1, "would be one name"),
    ("def f(a: list[int]) -> None:\n    a[0:1] = [1]", 2, "not assigned"),
    ("A = [1]\ndef f() -> None:\n    A[0] = 2", 3, "a constant does not change"),
    ("def f() -> int:\n    return 1\ndef f() -> int:\n    return 2", 3, "written once"),
    (
        "def f(a: list[int]) -> int:\n    for i, b in enumerate(a, 1):\n        pass\n    return 1",
        2,
        "counts from 0",
    ),
    (
        "def f(n: int) -> int:\n    s = 0\n    for i in range(n):\n        if i == 0:\n"
        "            b = 1\n        s += b\n    return s",
        4,
        "earlier pass of the loop",
    ),
    ("TABLE = {1: 2}\ndef f() -> float:\n    return TABLE[1]", 3, "a constant of a type outside"),
    (
        "def g(a: int) -> int:\n    return a\ndef f(a: int) -> int:\n    g = g(a)\n    return g",
        4,
        "local name",
    ),
    ("def f(a: float) -> float:\n    return min(a + 1.0, a)", 2, "needs a name"),
    ("def f(a: float) -> float:\n    return 0.0 < a * 2.0 < 1.0", 2, "needs a name"),
    ("def f(a: float) -> float:\n    return g(a)", 2, "not known"),
    (
        "def f(a: int) -> int:\n    for i in range(a):\n        pass\n    return i",
        4,
        "outside of the loop",
    ),
    ("def f(a: float) -> float:\n    return f(a, a)", 2, "1 arguments are wanted"),
    (
        "def f(a: list[float] | None) -> float:\n    return a[0]",
        2,
        "list[float] | None has no items",
    ),
    (
        "def f(a: float | None, b: float | None) -> float:\n    if a is not None or b is None:\n"
        "        return 1.0 * a\n    return b",
        3,
        "an operator between",
    ),
    (
        "def f(a: float | None) -> float:\n    if a is None:\n        return 0.0\n"
        "    for _ in range(2):\n        b = 1.0 + a\n        a = None\n    return b",
        5,
        "an operator between",
    ),
    (
        "def f(a: Callable[[list[float]], float]) -> float:\n    return a([1.0])",
        2,
        "function values take and return what does not change",
    ),
    (
        "def f(a: list[float]) -> None:\n    for b in a:\n        a.append(b)",
        2,
        "a, which the loop goes through, changes in it",
    ),
    (
        "def g(a: list[float]) -> None:\n    a.append(1.0)\n"
        "def f(a: list[float]) -> None:\n    for _ in range(len(a)):\n        g(a)",
        4,
        "a, which the loop goes through, changes in it",
    ),
    (
        "def f(a: list[list[float]]) -> None:\n    for i, b in enumerate(a[0]):\n"
        "        a[0] = [b]",
        2,
        "a[0], which the loop goes through, changes in it",
    ),
    (
        "def f(a: float) -> float:\n    return math.copysign(a + 1.0, a)",
        2,
        "what math.copysign takes needs a name",
    ),
]


MADE = """@dataclass(slots=True)
class Foot:
    x: float
@dataclass(slots=True)
class Leg:
    foot: Foot
    place: tuple[float, float]
@dataclass(slots=True)
class Animal:
    legs: list[Leg]
    first: Leg
def grow(a: Foot) -> float:
    a.x += 1.0
    return a.x
"""
# What C++ cannot do as Python does; lines are counted after `MADE`.
REFUSED_BY_CPP = [
    ("def f(a: Animal) -> Leg:\n    return a.legs[0]", 2, "one owner, and this has one already"),
    ("def f(a: Animal) -> Animal:\n    return a", 2, "one owner, and this has one already"),
    ("def f(a: Animal) -> None:\n    a.first = a.legs[0]", 2, "this has one already"),
    ("def f(a: Animal) -> None:\n    a.legs.append(a.first)", 2, "this has one already"),
    ("def f(a: Animal) -> list[Leg]:\n    return [b for b in a.legs]", 2, "this has one already"),
    ("def f(a: Animal) -> list[Leg]:\n    return list(a.legs)", 2, "would share what changes"),
    ("def f(a: Animal, b: Animal) -> None:\n    a.legs += b.legs", 2, "this has one already"),
    ("def f(a: Leg) -> Foot:\n    b = a.foot\n    return b", 3, "this has one already"),
    (
        "def f(a: list[Foot]) -> None:\n    b = Foot(1.0)\n    a.append(b)\n    b.x = 2.0",
        3,
        "b is used again",
    ),
    (
        "def f(a: list[Foot]) -> None:\n    b = Foot(1.0)\n    for _ in range(2):\n"
        "        a.append(b)",
        4,
        "b has several",
    ),
    (
        "def f(a: Leg) -> float:\n    b = a.foot\n    a.foot = Foot(1.0)\n    return b.x",
        2,
        "gets another value meanwhile",
    ),
    (
        "def g(a: Animal) -> None:\n    a.legs = []\n"
        "def f(a: Animal) -> float:\n    b = a.legs[0].foot\n    g(a)\n    return b.x",
        4,
        "gets another value meanwhile",
    ),
    (
        "def f() -> float:\n    a = Leg(Foot(1.0), (1.0, 1.0))\n    b = a.foot\n"
        "    a = Leg(Foot(2.0), (1.0, 1.0))\n    return b.x",
        3,
        "gets another value meanwhile",
    ),
    (
        "def f(a: Animal) -> float:\n    b = a.legs[0]\n"
        "    a.legs.append(Leg(Foot(1.0), (1.0, 1.0)))\n    return b.foot.x",
        2,
        "gets another value meanwhile",
    ),
    (
        "def f(a: Animal, b: Animal) -> float:\n    c = b.first\n"
        "    a.first = Leg(Foot(1.0), (1.0, 1.0))\n    return c.foot.x",
        2,
        "gets another value meanwhile",
    ),
    (
        "def f(a: Animal) -> float:\n    b = a.first\n    b = a.legs[0]\n    return b.foot.x",
        2,
        "stands for several places",
    ),
    (
        "def f(a: Leg, b: Foot) -> float:\n    a.foot = Foot(1.0)\n    return b.x",
        1,
        "b may be part of what gets another value here",
    ),
    ("def f(a: Foot) -> float:\n    return a.x + grow(a)", 2, "grow changes something"),
    ("FOOT = Foot(1.0)\ndef f() -> None:\n    grow(FOOT)", 3, "a constant does not change"),
    (
        "ROWS = [[1.0]]\ndef f() -> None:\n    for a in ROWS:\n        a[0] = 2.0",
        4,
        "a constant does not change",
    ),
    (
        "def g() -> Animal:\n    return Animal([], Leg(Foot(1.0), (1.0, 1.0)))\n"
        "def f() -> float:\n    for a in g().legs:\n        return a.foot.x\n    return 1.0",
        4,
        "what a loop goes through needs a name",
    ),
    ("def f() -> float:\n    return grow(Foot(1.0))", 2, "which grow changes, has a name"),
    (
        "def f(a: list[Foot]) -> None:\n    a[0] = Foot(1.0) if len(a) > 1 else a[1]",
        2,
        "stored in one place",
    ),
    (
        "def f(a: list[float]) -> None:\n    a.append(1.0)\n    a = [2.0]",
        1,
        "and then becomes something else",
    ),
    (
        "def g(a: list[float]) -> float:\n    return a[0]\n"
        "def f(a: list[int]) -> float:\n    return g(a)",
        4,
        "write float",
    ),
]


@pytest.mark.parametrize(("code", "line", "why"), REFUSED_BY_CPP)
def test_what_cpp_cannot_do_is_refused_with_file_and_line(code, line, why, tmp_path):
    code = f"from dataclasses import dataclass\n{MADE}{code}"
    line += MADE.count("\n") + 1

    def print_it(name):
        program = program_of(name)
        Cpp(program, program.modules[name], {name: "outside.hpp"}, "printed").printed()

    refuse(code, line, why, tmp_path, print_it)


@pytest.mark.parametrize(("code", "line", "why"), REFUSED)
def test_what_is_outside_the_subset_is_refused_with_file_and_line(code, line, why, tmp_path):
    refuse(code, line, why, tmp_path, printed)


def refuse(code, line, why, tmp_path, print_it):
    path = tmp_path / "outside.py"
    head = "import math; from collections.abc import Callable; from typing import NamedTuple"
    path.write_text(f"{head}\n{code}", encoding="utf-8")
    made = types.ModuleType("outside")
    made.__file__ = str(path)
    sys.modules["outside"] = made
    try:
        text = path.read_text(encoding="utf-8")
        exec(compile(text, str(path), "exec"), vars(made))
        with pytest.raises(UnprintableError) as error:
            print_it("outside")
    finally:
        del sys.modules["outside"]
    assert str(error.value).startswith(f"{path}:{line + 1}: ")
    assert why in str(error.value)
