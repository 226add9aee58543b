// The lint of the page's modules: names, unused code, imports, and no circle of imports.
import js from "@eslint/js";
import imports from "eslint-plugin-import-x";
import globals from "globals";
import { readdirSync, readFileSync } from "node:fs";

// The modules of libraries, which linking.py finds by these lists.
const vendor = new URL("../../src/twobone/play/page/vendor/", import.meta.url);
const libraries = readdirSync(vendor).flatMap((name) =>
  Object.keys(JSON.parse(readFileSync(new URL(`${name}/vendor.json`, vendor), "utf8")).modules),
);

export default [
  { ignores: ["**/vendor/**"] },
  js.configs.recommended,
  {
    files: ["**/play/page/**/*.js"],
    plugins: { "import-x": imports },
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, ANIMALS: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    settings: { "import-x/core-modules": libraries },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "import-x/named": "error",
      "import-x/no-cycle": "error",
      "import-x/no-duplicates": "error",
      "import-x/no-self-import": "error",
      "import-x/no-unresolved": "error",
      "import-x/no-mutable-exports": "error",
      "import-x/no-default-export": "error",
      "import-x/first": "error",
    },
  },
];
