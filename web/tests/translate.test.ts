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
  it("fills values in and knows the singular", () => {
    expect(fill(TEXTS, "a.some", { count: 3, name: "Ann" })).toBe("3 foxes of Ann");
    expect(fill(TEXTS, "a.some", { count: 1, name: "Ann" })).toBe("one fox of Ann");
  });

  it("shows the key of a text that is missing and leaves unknown values", () => {
    expect(fill(TEXTS, "a.none", {})).toBe("a.none");
    expect(fill(TEXTS, "a.some", { count: 2 })).toBe("2 foxes of {name}");
  });
});

it("prefers the first language of the browser that we speak", () => {
  expect(preferredLanguage(["fr-FR", "nl-BE", "de"])).toBe("nl");
  expect(preferredLanguage(["fr"])).toBe("en");
});

it("finds the sections of one game and makes lists of their points", () => {
  const [goal, ...others] = sections(TEXTS, "rules.x");
  expect(others).toEqual([]);
  expect(goal).toMatchObject({ name: "goal", title: "Goal" });
  expect(parseBlocks(goal?.text ?? "")).toEqual([
    { isList: false, lines: ["One."] },
    { isList: true, lines: ["two", "three"] },
  ]);
});

it("writes dates as the browser's own region does, in the language that is spoken", () => {
  const written = (regions: readonly string[]): string =>
    dateFormat({ dateStyle: "short", timeZone: "UTC" }, regions).format(0);
  expect(written(["de-DE", "en-GB", "en-US"])).toBe("01/01/1970");
  expect(written(["nl-NL"])).toBe("1/1/70");
});
