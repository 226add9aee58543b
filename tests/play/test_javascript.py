"""Comments and statements that nobody needs are left out; everything else of a script stays."""

import importlib.resources
import json
import zlib

import numpy as np
import pytest

from twobone.play import bundle, javascript
from twobone.play.linking import Linker, libraries
from twobone.play.packing import to_text

PAGE = importlib.resources.files("twobone.play") / "page"
CODE = r"""/* first */ import { a } from "./a.js"; // last
const b = /** @type {any} */ (a) / 2 / c; /*
  of two lines */ const text = "// no comment" + '/* nor */' + `// ${ /* but */ d({ e: `}` }) }`;
const more = `\` /* nor */`;

    return/**/1; const pattern = /[/*"]\/\/'/g, f = (x) => /`/.test(x), g = h++ / 1./j;
const k = l[0] / m / n, o = (p) / q, r = `${s}` / t / u;
"""
PLAIN = r"""import { a } from "./a.js";
const b = (a) / 2 / c;
const text = "// no comment" + '/* nor */' + `// ${ d({ e: `}` }) }`;
const more = `\` /* nor */`;
return 1; const pattern = /[/*"]\/\/'/g, f = (x) => /`/.test(x), g = h++ / 1./j;
const k = l[0] / m / n, o = (p) / q, r = `${s}` / t / u;
"""
# What would be something else if it were joined.
JOINED = (
    "a + +b - -c; d+ ++e; f < !--g; h / /i/; 1 .toFixed(); typeof j in k; `l ${ m + n }`; o-- > 0"
)
SAME_TOKENS = """
const espree = require("espree"), chunks = [];
const tokens = (code) => JSON.stringify(
  espree.tokenize(code, { ecmaVersion: 2024, sourceType: "module" }).map((v) => [v.type, v.value]));
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  const pairs = JSON.parse(Buffer.concat(chunks).toString());
  console.log(JSON.stringify(pairs.map(([one, other]) => tokens(one) === tokens(other))));
});
"""
UNDEFINED = """
const { Linter } = require("eslint"), { browser } = require("globals"), chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  const globals = { ...browser, __THREE_DEVTOOLS__: true, ANIMALS: true };
  const languageOptions = { sourceType: "script", globals };
  const config = [{ rules: { "no-undef": "error" }, languageOptions }];
  const code = Buffer.concat(chunks).toString();
  const found = new Linter().verify(code, config, { allowInlineConfig: false });
  console.log(JSON.stringify(found.map((v) => v.message)));
});
"""
UNPACK = """
const chunks = [], unpack = ADDRESS;
const textOf = ([textContent, bytes]) => {
  let text;
  const hear = (said) => (text = said.textContent);
  const body = { append: hear, set textContent(v) { text = v; } };
  const packed = { textContent, dataset: { bytes } };
  globalThis.document = { body, getElementById: () => packed, createElement: () => ({}) };
  (0, eval)(`{${unpack}}`);
  return text;
};
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  console.log(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()).map(textOf)));
});
"""


@pytest.fixture(scope="module")
def tools(node_with):
    """Return a function that runs JavaScript with eslint; skip where there is none."""
    node = node_with("espree", "eslint")
    return lambda code, data: json.loads(node(code, data.encode()))


def test_comments_and_indentation_are_left_out():
    assert javascript.without_comments(CODE) == PLAIN
    assert "".join(text for _, text in javascript.tokens(CODE)) == CODE


@pytest.mark.slow
def test_no_token_of_any_script_is_lost(tools):
    paths = [*PAGE.rglob("*.js")]
    assert len(paths) > 40
    codes = [path.read_text(encoding="utf-8") for path in paths] + [CODE.replace("return", "")]
    pairs = [(code, javascript.without_comments(code)) for code in codes]
    assert all("/**" not in plain for _, plain in pairs[:-1])
    pairs += [(code, javascript.without_spaces(plain)) for code, plain in pairs]
    pairs.append((JOINED, javascript.without_spaces(JOINED)))
    assert tools(SAME_TOKENS, json.dumps(pairs)) == [True] * len(pairs)


def test_only_statements_that_are_needed_stay():
    found = javascript.statements(
        "const a=1,b=[2,c];function c(){return{a:`${d}`}}class E extends F{m(){}}"
        "let d=3;class F{static{F.x=1}}E.y=d;start();const g={...h,i:j.k};function*h(){}var k;"
    )
    code = "".join(one.code for one in found)
    assert [sorted(one.declares) for one in found] == [
        ["a", "b"], ["c"], ["E"], ["d"], ["F"], [], [], ["g"], ["h"], ["k"], [],
    ]  # fmt: skip
    assert "".join(one.code for one in javascript.needed(found, found[0].declares)) == (
        "const a=1,b=[2,c];function c(){return{a:`${d}`}}let d=3;start();"
    )
    assert "".join(one.code for one in javascript.needed(found, ["E"])) == (
        "class E extends F{m(){}}let d=3;class F{static{F.x=1}}E.y=d;start();"
    )
    assert "".join(one.code for one in javascript.needed(found, ["g"])) == (
        "start();const g={...h,i:j.k};function*h(){}"
    )
    assert "".join(one.code for one in found) == code


@pytest.mark.slow
def test_every_name_in_the_page_is_defined(tools):
    code = Linker(PAGE, libraries(PAGE)).link("main.js")
    assert "AudioListener" not in code
    assert "WebGLRenderer" in code
    assert tools(UNDEFINED, code + "nowhere();") == ["'nowhere' is not defined."]


def test_the_page_unpacks_every_byte(node):
    rng = np.random.default_rng(7)
    texts = ["", "a", *("".join(map(chr, rng.integers(1, 1000, n))) for n in range(1, 400, 7))]
    packed = [zlib.compress(text.encode(), level) for level in (0, 9) for text in texts]
    pairs = [(to_text(data), len(data)) for data in packed]
    assert {*"".join(text for text, _ in pairs)} == {chr(i) for i in range(32, 127)} - {"<"}
    script = UNPACK.replace("ADDRESS", json.dumps(bundle.unpacking()))
    assert json.loads(node(script, json.dumps(pairs).encode())) == texts * 2


def test_bytes_take_a_fifth_more_characters():
    data = np.random.default_rng(1).bytes(100_000)
    assert len(to_text(data)) < 1.2245 * len(data)
    assert len(to_text(bytes(1000))) <= 1150  # of zeros all pairs have 14 bits
