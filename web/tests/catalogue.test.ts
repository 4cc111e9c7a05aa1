import { expect, it } from "vitest";
import english from "../../src/foxclover/locale/en/page.json";
import puzzle from "../../src/foxclover/locale/en/puzzle.json";
import review from "../../src/foxclover/locale/en/review.json";

const sources = Object.values(
  import.meta.glob<string>("../src/**/*.{ts,tsx}", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);
const text = sources.join("\n");
const literal = new Set([...text.matchAll(/"(page\.[\w.-]+)"/g)].map((match) => match[1] ?? ""));
const built = [
  ...new Set([...text.matchAll(/`(page\.[\w.-]*)\$\{/g)].map((match) => match[1] ?? "")),
];
const keys = [
  ...Object.keys(english),
  ...Object.keys({ ...review, ...puzzle }).filter((key) => key.startsWith("page.")),
];

it("contains every text that the page uses", () => {
  expect(literal.size).toBeGreaterThan(80);
  expect([...literal].filter((key) => !keys.includes(key))).toEqual([]);
  expect(built.filter((prefix) => !keys.some((key) => key.startsWith(prefix)))).toEqual([]);
});

it("contains no unused text", () => {
  const used = (key: string): boolean =>
    literal.has(key) ||
    literal.has(key.replace(/\.one$/, "")) ||
    built.some((prefix) => key.startsWith(prefix));
  expect(keys.filter((key) => !used(key))).toEqual([]);
});
