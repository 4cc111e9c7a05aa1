import { expect, test } from "vitest";
import { timesOf } from "../src/table/log";

const at = (text: string): number => new Date(text).getTime() / 1000;
const NOW = new Date("2026-03-04T20:00:00").getTime();

test("lines of one minute share their time", () => {
  const [first, second, third] = timesOf(
    [at("2026-03-04T19:30:05"), at("2026-03-04T19:30:55"), at("2026-03-04T19:31:00")],
    NOW,
  );
  expect(first).toMatch(/30/);
  expect(first).not.toMatch(/Mar/);
  expect(second).toBe("");
  expect(third).toMatch(/31/);
});

test("a game of several days names each day where it starts", () => {
  const times = timesOf(
    [
      at("2026-03-02T09:00:00"),
      at("2026-03-02T09:05:00"),
      at("2026-03-04T09:05:00"),
      at("2026-03-04T09:05:30"),
    ],
    NOW,
  );
  expect(times[0]).toMatch(/2/);
  expect(times[0]).toMatch(/Mar/);
  expect(times[1]).not.toMatch(/Mar/);
  // the same time of another day is shown again
  expect(times[2]).toMatch(/Mar.*05/);
  expect(times[3]).toBe("");
});
