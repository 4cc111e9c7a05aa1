import { expect, test } from "vitest";
import { asMinute, asTime, obstacleOf } from "../src/me/calls";

const able = {
  isSecureContext: true,
  hasPush: true,
  userAgent: "Firefox",
  permission: "default",
} as const;

test("why a browser cannot be called", () => {
  expect(obstacleOf(able)).toBeNull();
  expect(obstacleOf({ ...able, permission: "denied" })).toBe("denied");
  expect(obstacleOf({ ...able, isSecureContext: false })).toBe("insecure");
  expect(obstacleOf({ ...able, hasPush: false, permission: null })).toBe("unsupported");
  expect(obstacleOf({ ...able, hasPush: false, userAgent: "(iPhone; CPU)" })).toBe("install");
});

test("minutes of a day as time and back", () => {
  for (const minute of [0, 61, 22 * 60, 1439]) {
    expect(asMinute(asTime(minute))).toBe(minute);
  }
  expect(asTime(485)).toBe("08:05");
  expect(asMinute("")).toBeNull();
});
