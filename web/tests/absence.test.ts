import { expect, it } from "vitest";
import { duration } from "../src/table/absence";

it.each([
  [0, "<1 min"],
  [59, "<1 min"],
  [60, "1 min"],
  [7_300, "2 hr"],
  [200_000, "2 days"],
])("formats %s seconds as %s", (seconds, words) => {
  expect(duration(seconds, "en")).toBe(words);
});
