"""The languages of the page: every text is translated, and the page can be switched."""

import importlib.resources
import json
import re
from html.parser import HTMLParser

import pytest

from browsing import address, button, visit_again

PAGE = importlib.resources.files("twobone.play") / "page"
# Names, symbols and keys, which are the same in every language.
SAME = {
    "twobone",
    "\N{MULTIPLICATION SIGN}",
    "X",
    "F",
    "Esc",
    "Python",
    "GLSL",
    "three.js",
    "JSON",
    "SVG",
    "PNG",
}

# Print the table of german.js, the templates of all modules that `t` translates, and the words in
# messages about files that are no such templates.
TEXTS = r"""
const ts = require("typescript"), fs = require("fs"), path = require("path");
const tidy = (text) => text.replace(/\s*\n\s*/g, " ").replaceAll("\\n", "\n");
const modules = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? (entry.name === "vendor" ? [] : modules(path.join(folder, entry.name)))
  : entry.name.endsWith(".js") ? [path.join(folder, entry.name)] : []);
const used = [], table = {}, bare = [];
const says = ["Refused", "refuse", "damaged", "index", "error", "word", "number"];
const readers = ["bvh.js", "gltf.js", "gltf_check.js", "files.js"];
for (const file of modules(process.argv[1])) {
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "t") {
      const { template } = node, { head, templateSpans } = template;
      const add = (text, { literal }, i) => `${text}{${i}}${literal.rawText}`;
      used.push(tidy(head ? templateSpans.reduce(add, head.rawText) : template.rawText));
    }
    const callee = (node.expression?.name ?? node.expression)?.text;
    if (readers.includes(path.basename(file)) && node.arguments && says.includes(callee)) {
      const search = (part) => {
        if (ts.isTaggedTemplateExpression(part)) return;
        const isText = ts.isStringLiteral(part) || ts.isTemplateHead(part)
          || ts.isNoSubstitutionTemplateLiteral(part);
        if (isText && /[a-z]{2}/.test(part.text)) bare.push(part.text);
        ts.forEachChild(part, search);
      };
      node.arguments.forEach(search);
    }
    if (path.basename(file) === "german.js" && ts.isPropertyAssignment(node))
      table[node.name.text] = node.initializer.text;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.ES2023, true));
}
console.log(JSON.stringify({ used, table, bare }));
"""


def tidy(text):
    return re.sub(r"\s*\n\s*", " ", text.strip())


class Texts(HTMLParser):
    """Collect what texts.js translates in HTML."""

    def __init__(self):
        super().__init__()
        self.found = []
        self._unread = 0

    def handle_starttag(self, tag, attrs):
        self._unread += tag in ("script", "style")
        kept = [value for name, value in attrs if name in ("title", "aria-label")]
        if ("name", "description") in attrs:
            kept.append(dict(attrs)["content"])
        self.found.extend(map(tidy, kept))

    def handle_endtag(self, tag):
        self._unread -= tag in ("script", "style")

    def handle_data(self, data):
        if not self._unread and tidy(data):
            self.found.append(tidy(data))


def texts_of_html():
    sentence = re.compile(r"(<(\w+)[^>]*\bdata-sentence\b[^>]*>)(.*?)(</\2>)", re.DOTALL)
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    for path in (PAGE / "scenes").rglob("html.js"):
        html += "".join(re.findall("`(.*?)`", path.read_text(encoding="utf-8"), re.DOTALL))
    parser = Texts()
    parser.feed(sentence.sub(r"\1\4", html))
    return {*parser.found, *(tidy(found[3]) for found in sentence.finditer(html))}


@pytest.fixture(scope="module")
def texts(node_with):
    node = node_with("typescript")
    told = json.loads(node(f"process.argv[1] = {json.dumps(str(PAGE))};{TEXTS}"))
    return {*told["used"], *texts_of_html()}, told["table"], told["bare"]


def test_every_text_of_the_page_is_translated_and_nothing_else(texts):
    used, table, _ = texts
    assert used - set(table) <= SAME
    assert set(table) <= used


def test_messages_about_files_are_translated_too(texts):
    assert texts[2] == []


def test_texts_have_curly_quotes_and_apostrophes(texts):
    used, table, _ = texts
    for text in {*used, *table.values()}:
        words = re.sub(r"<code>.*?</code>|<[^>]*>", "", text)
        assert not re.search("[\"'`]", words), words


def test_translations_have_the_values_of_their_texts(texts):
    for english, german in texts[1].items():
        values = [sorted(re.findall(r"\{\d+\}", text)) for text in (english, german)]
        assert values[0] == values[1], english
        tags = [sorted(re.findall(r"</?\w+", text)) for text in (english, german)]
        assert tags[0] == tags[1], english


def test_the_page_speaks_the_language_of_the_browser_and_of_its_address(visit):
    page = visit("", locale="de-AT", panel=False)
    page.get_by_text("Zieh die Hand.\nWo ist der Ellbogen?").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    page = visit("language=en", locale="de-AT", panel=False)
    assert page.locator("html").get_attribute("lang") == "en"
    page = visit("", locale="fr-FR", panel=False)
    assert button(page, "Show me why").is_visible()


def test_choosing_a_language_keeps_the_limb(visit):
    page = visit("target=-0.5,0.6,0.35")
    page.get_by_label("Language").select_option(label="Deutsch")
    page.get_by_role("img", name="Eine Gliedmaße in der Ebene: Erreicht").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    assert address(page) == {"target": "-0.5,0.6,0.35", "language": "de"}


ALL_TEXTS = r"""() => {
  const isCode = "script, style, textarea, code, td, kbd, .lines, .mono, #language";
  const found = new Set();
  const shown = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walker = document.createTreeWalker(document.body, shown);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element)
      for (const name of ["title", "aria-label"]) found.add(node.getAttribute(name) ?? "");
    else if (!node.parentElement.closest(isCode)) found.add(node.data);
  }
  const tidy = [...found].map((text) => text.replace(/\s+/g, " ").trim());
  return tidy.filter((text) => /\p{L}{3}/u.test(text));
}"""
# Texts that are the same in German: names, terms of the field, and what is code.
EQUAL = re.compile(
    r"twobone|Python|GLSL|JSON|SVG|PNG|Video|Link|Export|Status|FABRIK|CCD|Clip|float(32|64)|Hand.*|"
    r"three\.js|simple inverse kinematics|TOO_\w+|REACHED|AMBIGUOUS"
)


@pytest.mark.slow
def test_no_text_of_the_german_page_is_english(visit):
    states = ("scene=plane", "scene=space", "scene=creature", "scene=character", "step=1")
    states += ("lesson=space&scene=space&step=1", "lesson=break&step=1")
    english, german = set(), set()
    for language, found in (("en", english), ("de", german)):
        page = visit(f"language={language}", width=900, height=500)
        for state in states:
            visit_again(page, f"{state}&language={language}")
            page.wait_for_timeout(500)
            found |= set(page.evaluate(ALL_TEXTS))
    assert len(english) > 300
    assert sorted(text for text in english & german if not EQUAL.fullmatch(text)) == []
