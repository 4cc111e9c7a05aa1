import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

type Tab = typeof import("../src/memory");

let stored: Map<string, string>;

/** A tab reads the storage when it opens; changes of other tabs arrive only through the storage. */
async function openTab(): Promise<Tab> {
  vi.resetModules();
  return import("../src/memory");
}

/** Locks as all tabs of a browser share them; `order` notes who holds one. */
function stubLocks(order: string[] = []): void {
  let last: Promise<unknown> = Promise.resolve();
  vi.stubGlobal("navigator", {
    locks: {
      request: (_: string, work: () => Promise<void>) => {
        last = last.then(() => {
          order.push("in");
          return work().then(() => order.push("out"));
        });
        return last;
      },
    },
  });
}

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    get length() {
      return stored.size;
    },
    key: (at: number) => [...stored.keys()][at] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  });
});

afterEach(() => vi.unstubAllGlobals());

describe("two tabs", () => {
  it("keep the seats of both when each joins a table", async () => {
    const [tab, otherTab] = [await openTab(), await openTab()];
    tab.saveSeats("k7m2xq", ["first"]);
    otherTab.saveSeats("bcdfgh", ["second"]);
    tab.saveSeats("bcdfgh", ["third"]);
    expect((await openTab()).memory.get().seats).toEqual({
      k7m2xq: ["first"],
      bcdfgh: ["second", "third"],
    });
  });

  it("keep a new seat when the other tab changes a setting", async () => {
    const [tab, otherTab] = [await openTab(), await openTab()];
    otherTab.saveSeats("k7m2xq", ["secret"]);
    tab.remember({ sound: false });
    otherTab.remember({ name: "Ann" });
    expect((await openTab()).memory.get()).toMatchObject({
      name: "Ann",
      sound: false,
      seats: { k7m2xq: ["secret"] },
    });
  });

  it("add to the values of the other tab in the same setting, one after the other", async () => {
    const [first, second] = [await openTab(), await openTab()];
    const order: string[] = [];
    stubLocks(order);
    await Promise.all([
      first.update(({ guided }) => ({ guided: [...guided, "ganz"] })),
      second.update(({ guided }) => ({ guided: [...guided, "geht"] })),
    ]);
    expect(order).toEqual(["in", "out", "in", "out"]);
    expect((await openTab()).memory.get().guided).toEqual(["ganz", "geht"]);
  });

  it("create one secret of their device when both need it", async () => {
    stubLocks();
    const openIdentity = async (): Promise<typeof import("../src/me/identity")> => {
      vi.resetModules();
      return import("../src/me/identity");
    };
    const [tab, otherTab] = [await openIdentity(), await openIdentity()];
    const [secret, otherSecret] = await Promise.all([tab.deviceToken(), otherTab.deviceToken()]);
    expect(secret).toMatch(/^[\w-]{22}$/);
    expect(otherSecret).toBe(secret);
  });

  it("store at once where the browser has no locks", async () => {
    const tab = await openTab();
    vi.stubGlobal("navigator", {});
    void tab.update(({ guided }) => ({ guided: [...guided, "ganz"] }));
    expect(tab.memory.get().guided).toEqual(["ganz"]);
  });

  it("forget only the given seats", async () => {
    const [tab, otherTab] = [await openTab(), await openTab()];
    tab.saveSeats("k7m2xq", ["refused"]);
    otherTab.saveSeats("k7m2xq", ["granted"]);
    tab.forgetTable("k7m2xq", ["refused"]);
    expect((await openTab()).tokensOf("k7m2xq")).toEqual(["granted"]);
  });

  it("see changes of each other", async () => {
    const heard = new EventTarget();
    vi.stubGlobal("addEventListener", heard.addEventListener.bind(heard));
    const [tab, otherTab] = [await openTab(), await openTab()];
    tab.followOtherTabs();
    otherTab.remember({ theme: "dark" });
    otherTab.saveSeats("k7m2xq", ["secret"]);
    heard.dispatchEvent(Object.assign(new Event("storage"), { key: "foxclover.theme" }));
    expect(tab.memory.get()).toMatchObject({ theme: "dark", seats: { k7m2xq: ["secret"] } });
  });
});

it.each([
  ["phones", true],
  ["computers", false],
])("sounds on %s: off is %s until a player chooses", async (_, isPhone) => {
  vi.stubGlobal("matchMedia", () => ({ matches: isPhone }));
  expect((await openTab()).memory.get().sound).toBe(!isPhone);
  (await openTab()).remember({ sound: isPhone });
  expect((await openTab()).memory.get().sound).toBe(isPhone);
});

describe("the storage of an earlier version", () => {
  it("is migrated once, seats in their order", async () => {
    stored.set(
      "foxclover",
      '{"name": "Ann", "device": "d", "sound": false, "results": {"ganz 1": [["t", 200]]}, "seats": {"k7m2xq": ["secret", 3], "bcdfgh": ["a", "b"]}}',
    );
    const tab = await openTab();
    expect(tab.memory.get()).toMatchObject({
      name: "Ann",
      device: "d",
      sound: false,
      results: { "ganz 1": [["t", 200]] },
    });
    expect(Object.entries(tab.memory.get().seats)).toEqual([
      ["k7m2xq", ["secret"]],
      ["bcdfgh", ["a", "b"]],
    ]);
    expect(stored.has("foxclover")).toBe(false);
    tab.saveSeats("k7m2xq", []);
    expect(Object.keys((await openTab()).memory.get().seats)).toEqual(["bcdfgh", "k7m2xq"]);
  });

  it("adds its seats but changes no setting while its tab is open", async () => {
    const tab = await openTab();
    tab.remember({ sound: false });
    tab.saveSeats("k7m2xq", ["mine"]);
    stored.set("foxclover", '{"sound": true, "seats": {"bcdfgh": ["theirs"]}}');
    expect((await openTab()).memory.get()).toMatchObject({
      sound: false,
      seats: { bcdfgh: ["theirs"], k7m2xq: ["mine"] },
    });
  });

  it("is ignored if it is damaged", async () => {
    for (const text of [
      "{",
      "7",
      "[]",
      "null",
      '{"seats": 3, "theme": "pink", "language": "xx", "pace": "fast"}',
    ]) {
      stored = new Map([["foxclover", text]]);
      expect((await openTab()).memory.get()).toMatchObject({
        theme: "auto",
        language: null,
        seats: {},
        pace: 900,
      });
    }
  });
});

describe("the browser's storage", () => {
  it("may be full or forbidden: values stay in memory", async () => {
    const refuse = (): never => {
      throw new Error("not here");
    };
    for (const forbidden of [
      { setItem: refuse },
      { setItem: refuse, getItem: refuse, key: refuse },
    ]) {
      vi.stubGlobal(
        "localStorage",
        Object.assign(Object.create(localStorage) as Storage, forbidden),
      );
      const tab = await openTab();
      tab.saveSeats("k7m2xq", ["secret"]);
      tab.remember({ sound: false });
      expect(tab.memory.get()).toMatchObject({ sound: false, seats: { k7m2xq: ["secret"] } });
    }
  });

  it("keeps the data of an earlier version when it is full", async () => {
    stored.set("foxclover", '{"seats": {"k7m2xq": ["secret"]}}');
    localStorage.setItem = () => {
      throw new Error("full");
    };
    expect((await openTab()).tokensOf("k7m2xq")).toEqual(["secret"]);
    expect((await openTab()).tokensOf("k7m2xq")).toEqual(["secret"]);
  });

  it("keeps the tables that were opened last", async () => {
    for (let at = 0; at < 1000; at += 1) {
      stored.set(`foxclover.seat.t${at}.secret`, String(at));
    }
    const tab = await openTab();
    tab.saveSeats("t0", ["another"]);
    tab.saveSeats("new", ["secret"]);
    const kept = Object.keys(tab.memory.get().seats);
    expect([kept.length, kept[0], ...kept.slice(-2)]).toEqual([1000, "t2", "t0", "new"]);
  });
});
