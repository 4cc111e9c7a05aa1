import { describe, expect, it } from "vitest";
import { dateFormat } from "../src/format";
import { parseBlocks } from "../src/table/rules";
import { fill, preferredLanguage, sections } from "../src/translate";

const TEXTS = {
  "a.some": "{count} foxes of {name}",
  "a.some.one": "one fox of {name}",
  "rules.x.goal.title": "Goal",
  "rules.x.goal.text": "One.\n- two\n- three",
  "rules.y.goal.title": "Other",
};

describe("fill", () => {
  it("fills in values and uses the singular", () => {
    expect(fill(TEXTS, "a.some", { count: 3, name: "Ann" })).toBe("3 foxes of Ann");
    expect(fill(TEXTS, "a.some", { count: 1, name: "Ann" })).toBe("one fox of Ann");
  });

  it("returns the key of a missing text and keeps unknown values", () => {
    expect(fill(TEXTS, "a.none", {})).toBe("a.none");
    expect(fill(TEXTS, "a.some", { count: 2 })).toBe("2 foxes of {name}");
  });
});

it("prefers the first supported language of the browser", () => {
  expect(preferredLanguage(["fr-FR", "nl-BE", "de"])).toBe("nl");
  expect(preferredLanguage(["fr"])).toBe("en");
});

it("finds the sections of a game and parses their lists", () => {
  const [goal, ...others] = sections(TEXTS, "rules.x");
  expect(others).toEqual([]);
  expect(goal).toMatchObject({ name: "goal", title: "Goal" });
  expect(parseBlocks(goal?.text ?? "")).toEqual([
    { isList: false, lines: ["One."] },
    { isList: true, lines: ["two", "three"] },
  ]);
});

it("formats dates for the browser's region in the language of the page", () => {
  const written = (regions: readonly string[]): string =>
    dateFormat({ dateStyle: "short", timeZone: "UTC" }, regions).format(0);
  expect(written(["de-DE", "en-GB", "en-US"])).toBe("01/01/1970");
  expect(written(["nl-NL"])).toBe("1/1/70");
});
