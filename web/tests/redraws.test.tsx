// @vitest-environment happy-dom
import { options, render } from "preact";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "../src/connection";
import { loadFamily } from "../src/family";
import { memory } from "../src/memory";
import type { GameInfo, Refused } from "../src/protocol";
import { Table } from "../src/table/table";
import { locale } from "../src/translate";
import {
  AFTER_MOVE,
  BEFORE_REROLL,
  LAYOUT,
  NUMBER_DUE,
  openSocket,
  REROLL_DUE,
  REROLLED,
  receive,
  refOf,
  STATE,
  sentOf,
} from "./fake-table";

vi.mock("#backend", async () => (await import("./fake-table")).silentBackend);

const GAME = { key: LAYOUT.game, name: "Ganz schön clever" } as GameInfo;

let redraws = 0;
const app = document.createElement("div");

/** Return the number of redraws that something causes, including its effects and timers. */
async function redrawsOf(act: () => void): Promise<number> {
  redraws = 0;
  act();
  await vi.advanceTimersByTimeAsync(1_000);
  return redraws;
}

function click(selector: string): void {
  const found = app.querySelector<HTMLElement>(selector);
  expect(found, selector).not.toBeNull();
  found?.click();
}

function answerPreview(id: number): void {
  receive({
    type: "preview",
    ref: refOf("preview"),
    seq: sentOf("preview").at(-1)?.seq ?? 0,
    seat: 0,
    moves: [{ family: "clever", id, points: 7, cells: [], platter: [], bonuses: [] }],
  });
}

beforeAll(() => loadFamily("clever"));

beforeEach(async () => {
  vi.useFakeTimers();
  memory.set({ ...memory.get(), sound: false }); // there is no sound here
  options.debounceRendering = (flush) =>
    queueMicrotask(() => {
      redraws += 1;
      flush();
    });
  document.body.append(app);
  const connection = new Connection("bcdfgh", LAYOUT);
  render(<Table connection={connection} game={GAME} strengths={[]} layout={LAYOUT} />, app);
  openSocket();
  await redrawsOf(() => receive(STATE));
  await vi.dynamicImportSettled(); // parts that the table loads later are shown before a test begins
  await vi.advanceTimersByTimeAsync(1_000);
});

afterEach(() => {
  render(null, app);
  vi.useRealTimers();
});

describe("redraws", () => {
  it("one chooses a die", async () => {
    expect(await redrawsOf(() => click("button[data-die='0']"))).toBe(1);
    expect(app.querySelector("button[data-die='0']")?.getAttribute("aria-pressed")).toBe("true");
  });

  it("two make a move: the board is disabled, then the new state is shown", async () => {
    await redrawsOf(() => click("button[data-die='0']"));
    const sending = await redrawsOf(() => click("button.cell.lit"));
    expect(app.querySelector("button.cell.lit")).toBeNull();
    const acknowledged = await redrawsOf(() =>
      receive({ type: "ack", ref: refOf("move"), seq: 2 }),
    );
    const shown = await redrawsOf(() => receive(AFTER_MOVE));
    expect(app.querySelector(".cell.crossed")).not.toBeNull();
    const previewed = await redrawsOf(() => answerPreview(6));
    expect([sending, acknowledged, shown, previewed]).toEqual([1, 0, 1, 0]);
  });

  it("a number is chosen first and played by its confirmation; the field stays chosen", async () => {
    await redrawsOf(() => receive(NUMBER_DUE));
    await redrawsOf(() => click("button.cell.lit"));
    await redrawsOf(() => click(".number-button[data-key='2']"));
    expect(app.querySelector(".number-button")).toBeNull();
    await redrawsOf(() => click(".confirm + .button"));
    await redrawsOf(() => click(".number-button[data-key='4']"));
    expect(sentOf("move")).toEqual([]);
    await redrawsOf(() => click(".confirm"));
    expect(sentOf("move")).toEqual([expect.objectContaining({ move: 12 })]);
  });

  it("two reroll: the dice are rolled before anything else is shown", async () => {
    const die = (): string | undefined => app.querySelector("[data-die='0']")?.innerHTML;
    await redrawsOf(() => receive(BEFORE_REROLL));
    const before = die();
    expect(await redrawsOf(() => click(".button.move-reroll"))).toBe(1);
    expect(app.querySelector(".button.move-reroll")?.textContent).toContain("page.sure.reroll");
    expect(sentOf("move")).toEqual([]);
    const sending = await redrawsOf(() => click(".button.move-reroll"));
    const acknowledged = await redrawsOf(() =>
      receive({ type: "ack", ref: refOf("move"), seq: 2 }),
    );
    const between = await redrawsOf(() => receive(REROLL_DUE));
    expect(sentOf("roll").map(({ seq }) => seq)).toEqual([2]);
    const rolling = await redrawsOf(() => receive({ type: "ack", ref: refOf("roll"), seq: 3 }));
    const shown = await redrawsOf(() => receive(REROLLED));
    expect([sending, acknowledged, between, rolling, shown]).toEqual([1, 0, 0, 0, 1]);
    expect(die()).not.toBe(before);
  });

  it("a refused roll shows the state after the move, and why", async () => {
    await redrawsOf(() => receive(BEFORE_REROLL));
    await redrawsOf(() => click(".button.move-reroll"));
    click(".button.move-reroll");
    receive({ type: "ack", ref: refOf("move"), seq: 2 });
    receive(REROLL_DUE);
    const refused: Refused = {
      type: "refused",
      ref: refOf("roll"),
      seq: 2,
      reason: "internal",
      words: "No.",
    };
    await redrawsOf(() => receive(refused));
    expect(app.querySelector(".button.roll")).not.toBeNull();
    expect(app.textContent).toContain("No.");
    expect(sentOf("roll").length).toBe(1);
  });

  it("none shows a pong", async () => {
    expect(await redrawsOf(() => receive({ type: "pong", ref: 0 }))).toBe(0);
  });

  it("show everything in another language, also parts that nothing else redraws", async () => {
    const roundBar = (): string | null | undefined =>
      app.querySelector(".rounds")?.getAttribute("aria-label");
    expect(roundBar()).toBe("common.round");
    const count = await redrawsOf(() =>
      locale.set({ language: "nl", texts: { "common.round": "Ronde {round} van {rounds}" } }),
    );
    expect([count, roundBar()]).toEqual([1, "Ronde 1 van 6"]);
    locale.set({ language: "en", texts: {} });
  });
});
