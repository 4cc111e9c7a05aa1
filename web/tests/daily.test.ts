import { describe, expect, it } from "vitest";
import { formatClock, isLate, seatSecret, untilClosed } from "../src/daily/day";

describe("the seat of a day", () => {
  it("has a valid token of its own for each device, day and game", () => {
    const found = new Set<string>();
    for (const device of ["A".repeat(22), "B".repeat(22)]) {
      for (const day of ["2026-11-16", "2026-11-17"]) {
        for (const game of ["ganz-schoen-clever", "geht-noch-was"]) {
          const secret = seatSecret(device, day, game);
          expect(secret).toMatch(/^[\w-]{32}$/);
          expect(secret).toBe(seatSecret(device, day, game));
          found.add(secret);
        }
      }
    }
    expect(found.size).toBe(8);
  });
});

describe("the time left", () => {
  it("is formatted in hours and minutes", () => {
    expect([86_400, 3_599, 60, 0, -5].map(formatClock)).toEqual([
      "24:00",
      "0:59",
      "0:01",
      "0:00",
      "0:00",
    ]);
  });
});

describe("the end of a day", () => {
  it("is one hour after midnight, by the server's clock", () => {
    expect(untilClosed("2026-11-16", { day: "2026-11-16", left: 60 })).toBe(3_660);
    expect(untilClosed("2026-11-16", { day: "2026-11-17", left: 86_400 - 3_599 })).toBe(1);
    expect(untilClosed("2026-11-16", { day: "2026-11-17", left: 86_400 - 3_600 })).toBe(0);
    expect(untilClosed("2026-11-16", { day: "2026-12-01", left: 5 })).toBe(0);
  });

  it("makes later moves late", () => {
    const closed = Date.UTC(2026, 10, 17, 1) / 1000;
    expect([closed - 1, closed].map((moved) => isLate("2026-11-16", moved))).toEqual([false, true]);
  });
});
