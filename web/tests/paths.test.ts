import { describe, expect, it } from "vitest";
import { codeOf, invitationOf, momentPath, parsePath, parseQuery, tablePath } from "../src/paths";

describe("addresses", () => {
  it("are the start page or a table", () => {
    expect(parsePath("/")).toEqual({ page: "home" });
    expect(parsePath(tablePath("k7m2xq"))).toEqual({ page: "table", code: "k7m2xq", moment: null });
    expect(parsePath("/t/K7M2XQ/")).toEqual({ page: "table", code: "k7m2xq", moment: null });
  });

  it("include moments of a finished game", () => {
    expect(parsePath(momentPath("k7m2xq", 37))).toEqual({
      page: "table",
      code: "k7m2xq",
      moment: 37,
    });
    expect(parsePath("/t/k7m2xq/mistakes")).toMatchObject({ moment: "mistakes" });
    expect(parsePath("/look")).toEqual({ page: "transcript" });
    expect(parsePath("/daily")).toEqual({ page: "daily" });
    expect(parsePath("/puzzles")).toEqual({ page: "puzzles", game: null, id: null });
    expect(parsePath("/puzzles/geht-noch-was/0a1b2c3d")).toEqual({
      page: "puzzles",
      game: "geht-noch-was",
      id: "0a1b2c3d",
    });
  });

  it("are parsed below the path of the page", () => {
    expect(parsePath("/games/", "/games/")).toEqual({ page: "home" });
    expect(parsePath("/games/daily", "/games/")).toEqual({ page: "daily" });
    expect(parsePath("/games/t/k7m2xq/3", "/games/")).toMatchObject({ code: "k7m2xq", moment: 3 });
    expect(parsePath("/games/games/", "/games/")).toEqual({ page: "unknown" });
    expect(parsePath("/t/k7m2xq", "/games/")).toMatchObject({ code: "k7m2xq" }); // without proxy
  });

  it("without a server are queries", () => {
    expect(parseQuery("")).toEqual({ page: "home" });
    expect(parseQuery("?me")).toEqual({ page: "me" });
    expect(parseQuery("?look")).toEqual({ page: "transcript" });
    expect(parseQuery("?puzzles")).toEqual({ page: "puzzles", game: null, id: null });
    expect(parseQuery("?puzzles=ganz-schoen-clever&id=0a")).toMatchObject({ id: "0a" });
    expect(parseQuery("?t=K7M2XQ&m=3")).toEqual({ page: "table", code: "k7m2xq", moment: 3 });
  });

  it("that are invalid are recognised", () => {
    for (const path of ["/somewhere", "/t/", "/t/%", "/t/%zz", "/t/a/b"]) {
      expect(parsePath(path)).toEqual({ page: "unknown" });
    }
  });

  it('contain the secret of an invitation after "#"', () => {
    expect(tablePath("k7m2xq", "aB-_9")).toBe("/t/k7m2xq#aB-_9");
    expect(invitationOf("Come: http://127.0.0.1:8000/t/k7m2xq#aB-_9")).toBe("aB-_9");
    expect(invitationOf("k7m2xq")).toBe("");
  });

  it("are found in pasted texts", () => {
    expect(codeOf(" K7M2XQ ")).toBe("k7m2xq");
    expect(codeOf("Come: http://127.0.0.1:8000/t/k7m2xq?from=chat")).toBe("k7m2xq");
    expect(codeOf("k7m-2xq")).toBe("k7m2xq");
    expect(codeOf("  ")).toBe("");
  });
});
