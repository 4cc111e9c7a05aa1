import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

vi.mock("#backend", () => ({ SITE: false }));

const pageEvents = new EventTarget();
const address = new URL("http://here/t/k7m2xq/0");
const written = vi.fn((_state: unknown, _title: string, path: string) => {
  address.pathname = path;
});
const pushed = vi.fn((_state: unknown, _title: string, path: string) => {
  address.pathname = path;
});
let route: typeof import("../src/route");

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.clearAllMocks();
  address.pathname = "/t/k7m2xq/0";
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("location", address);
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("history", { state: null, replaceState: written, pushState: pushed });
  vi.stubGlobal("addEventListener", pageEvents.addEventListener.bind(pageEvents));
  route = await import("../src/route");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a replay", () => {
  it("shows every moment and changes the address rarely", () => {
    for (let at = 1; at <= 300; at += 1) {
      route.replace(`/t/k7m2xq/${at}`);
      expect(route.route.get()).toMatchObject({ code: "k7m2xq", moment: at });
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(400);
    expect(address.pathname).toBe("/t/k7m2xq/300");
    expect(written.mock.calls.length).toBeLessThan(100); // in 30 s
  });

  it("is left with its last moment in the history", () => {
    route.replace("/t/k7m2xq/1");
    route.replace("/t/k7m2xq/2");
    route.go("/t/k7m2xq/mistakes");
    expect(written.mock.lastCall?.[2]).toBe("/t/k7m2xq/2");
    expect(pushed.mock.lastCall?.[2]).toBe("/t/k7m2xq/mistakes");
    vi.advanceTimersByTime(1_000);
    expect(address.pathname).toBe("/t/k7m2xq/mistakes");
  });

  it("is at the same moment after a reload", () => {
    route.replace("/t/k7m2xq/1");
    route.replace("/t/k7m2xq/2");
    pageEvents.dispatchEvent(new Event("pagehide"));
    expect(address.pathname).toBe("/t/k7m2xq/2");
  });

  it("keeps its address from the page that the back button shows", () => {
    route.replace("/t/k7m2xq/1");
    route.replace("/t/k7m2xq/2");
    address.pathname = "/";
    pageEvents.dispatchEvent(new Event("popstate"));
    vi.advanceTimersByTime(1_000);
    expect([address.pathname, route.route.get()]).toEqual(["/", { page: "home" }]);
  });
});
