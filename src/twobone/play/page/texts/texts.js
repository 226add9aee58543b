// The language of the page. English texts stand where they are used; every other language is one table
// that translates them, such as german.js.
import { byId } from "../elements.js";
import { german } from "./german.js";

export const texts = (() => {
  /** @type {Record<string, Record<string, string>>} */
  const TABLES = { de: german };
  /** The languages of the page, each by its own name. @type {Record<string, string>} */
  const LANGUAGES = { en: "English", de: "Deutsch" };

  // The address chooses the language; otherwise the browser's preferences do. Modules that run without a
  // page, in tests, speak English.
  const isPage = typeof document !== "undefined";
  const asked = () => new URLSearchParams(location.hash.slice(1)).get("language") ?? "";
  const find = () =>
    [asked(), ...navigator.languages.map((tag) => tag.split("-")[0]), "en"].find((code) =>
      Object.hasOwn(LANGUAGES, code),
    ) ?? "en";
  const language = isPage ? find() : "en",
    table = TABLES[language];
  if (isPage) document.documentElement.lang = language;

  /** Add words of a scene to a language. @param {string} code @param {Record<string, string>} words */
  const learn = (code, words) => Object.assign(TABLES[code], words);

  /** Line breaks and indentation of a source file are not part of a text. @param {string} text */
  const tidy = (text) => text.replace(/\s*\n\s*/g, " ");

  /**
   * Translate a template, such as t`Too far by ${amount}`. A table has it as "Too far by {0}".
   * @param {TemplateStringsArray} parts
   * @param {...any} values
   * @returns {string}
   */
  const t = (parts, ...values) => {
    const english = tidy(parts.raw.reduce((text, part, i) => `${text}{${i - 1}}${part}`)).replaceAll("\\n", "\n");
    return (table?.[english] ?? english).replace(/\{(\d+)\}/g, (_, i) => String(values[i]));
  };

  // --- the texts of HTML --------------------------------------------------------------

  const NAMES = ["title", "aria-label", "content"];
  /** @param {string} text */
  const word = (text) => {
    const inner = tidy(text.trim());
    return inner && table[inner] ? text.replace(text.trim(), table[inner]) : text;
  };
  /** @param {Node} node */
  const translate = (node) => {
    if (node instanceof Text) node.data = word(node.data);
    if (node instanceof DocumentFragment) node.childNodes.forEach(translate);
    if (!(node instanceof Element) || node.matches("script, style")) return;
    for (const name of NAMES) if (node.hasAttribute(name)) node.setAttribute(name, word(node.getAttribute(name) ?? ""));
    // The sentences of these elements contain others, such as keys.
    if (node.hasAttribute("data-sentence")) node.innerHTML = word(node.innerHTML);
    else node.childNodes.forEach(translate);
  };
  if (table) translate(document.documentElement);

  /**
   * Put HTML into the page, translated.
   * @param {string} id of an element
   * @param {"before" | "append"} where before this element, or at its end
   * @param {string} html
   */
  const insert = (id, where, html) => {
    const { content } = Object.assign(document.createElement("template"), { innerHTML: html });
    if (table) translate(content);
    byId(id)[where](content);
  };

  // All texts are made when the page starts, so another language starts it again.
  if (isPage) addEventListener("hashchange", () => find() === language || location.reload());

  return { t, insert, learn, language, LANGUAGES };
})();

export const t = texts.t;
