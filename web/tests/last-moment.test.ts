// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { momentPath } from "../src/paths";
import { replayPath, saveMoment } from "../src/review/last-moment";

test("a replay opens where the player last looked", () => {
  expect(replayPath("k7m2xq")).toBe(momentPath("k7m2xq", 0));
  saveMoment("k7m2xq", 12);
  saveMoment("k7m2xq", 14);
  saveMoment("other2", 3);
  expect(replayPath("k7m2xq")).toBe(momentPath("k7m2xq", 14));
  expect(replayPath("other2")).toBe(momentPath("other2", 3));
});

test("only the latest games are remembered, and damaged values are dropped", () => {
  localStorage.setItem("foxclover.looked", '{"k7m2xq": 3}');
  expect(replayPath("k7m2xq")).toBe(momentPath("k7m2xq", 0));
  localStorage.setItem("foxclover.looked", "nonsense");
  for (let game = 0; game < 60; game += 1) {
    saveMoment(`game${game}`, game);
  }
  expect(replayPath("game9")).toBe(momentPath("game9", 0));
  expect(replayPath("game59")).toBe(momentPath("game59", 59));
});
