import { beforeEach, describe, expect, test } from "vitest";
import { pilesOf } from "../src/climb/piles";
import {
  CHAIN_LENGTH,
  drawMark,
  firstPool,
  generator,
  matchesRoll,
  mixSalt,
  platterDraws,
  randomBelow,
  secretBefore,
  startPlayerDraws,
} from "../src/fair/draws";
import { saveCommitment, type Violation } from "../src/fair/record";
import { hmac, sha256, toHex } from "../src/fair/sha256";
import { type Piles, type RemainingCards, type SentRoll, Witness } from "../src/fair/witness";
import { witnessFile } from "../src/fair/witness-file";
import type { ClimbView, LogEntry, Reason, SealRoller, StateMessage, View } from "../src/protocol";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const CONTEXT = "foxclover/seal/2 bcdfgh ganz-schoen-clever 2 0";
const LETTERS = "ybgopw";
// The last secret of the first chain in docs/fair-dice-spec.md.
const LAST = "0b40d0494b214a67f0a2a4e9760b04d1d350548e730cfd32459328c97a9c5f40";
const SALT = "000102030405060708090a0b0c0d0e0f";
const KEY = "foxclover-dice/bcdfgh";
const ME = 1;
const OTHER = 0;

/** Return a chain: its commitment, then its secrets. */
function chainOf(last: string): string[] {
  const chain = [last];
  while (chain.length <= CHAIN_LENGTH) {
    chain.unshift(secretBefore(CONTEXT, chain[0] ?? ""));
  }
  return chain;
}

const chains = [chainOf(LAST), chainOf("1".repeat(64)), chainOf("2".repeat(64))];
const secrets = chains[0] ?? [];

beforeEach(() => {
  const store = new Map<string, string>();
  globalThis.localStorage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
    key: (at: number) => [...store.keys()][at] ?? null,
    get length() {
      return store.size;
    },
  } as unknown as Storage;
});

test("SHA-256 and HMAC return the published values", () => {
  expect(toHex(sha256(bytes("")))).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  expect(toHex(sha256(bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")))).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
  expect(toHex(sha256(bytes("a".repeat(1000))))).toBe(
    "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
  );
  expect(toHex(hmac(bytes("Jefe"), bytes("what do ya want for nothing?")))).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
  expect(
    toHex(
      hmac(
        new Uint8Array(131).fill(0xaa),
        bytes("Test Using Larger Than Block-Size Key - Hash Key First"),
      ),
    ),
  ).toBe("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
});

test("the test vectors of docs/fair-dice-spec.md", () => {
  expect(secrets[255]).toBe("364ed55b34fe65481631bcb6e33663490dc6c84f28a7c186793375ef1ac553d8");
  expect(secrets[1]).toBe("37e9dc5d64ee8f9ed4d1f6962435e5612423801c20917a5e10472d33d64c9bb8");
  expect(secrets[0]).toBe("275d6974d55d346de76a2b37b72b30426ac031ac53a6f83624a3ce63ab9cae62");
  const pool = mixSalt(firstPool(CONTEXT), 1, SALT);
  expect(toHex(pool)).toBe("3b95f796aa5f6be29a59a021463bc4f3e388bddb52dbe6fb3891e034367daa9d");
  const rolled = (text: string): boolean =>
    matchesRoll(text, LETTERS, generator(secrets[1] ?? "", pool));
  expect(rolled("y2b3g6o2p1w1")).toBe(true);
  expect(rolled("y2b3g6o2p1w2")).toBe(false);
  expect(rolled("b2y3g6o2p1w1")).toBe(false); // the same faces, of other dice
  expect(rolled("y2y3g6o2p1w1")).toBe(false);
  expect(
    drawMark(
      pool,
      "y2b3g6o2p1w1",
      "0f73e4b3e92d6c853ac1e3a8df6ba3272b1c944379f816d37ccf07a846b422f1",
    ),
  ).toBe("22e7a0217e3e72d3293b37e3354d60fa");
});

test("a number below a bound is drawn again where it would be biased", () => {
  const numbers = [0, 2 ** 32 - 1];
  expect(randomBelow(() => numbers.shift() ?? 0, 6)).toBe(5);
});

/** A witness of this table; views are lists of dice. */
const witnessOf = (piles: Piles | null = null): Witness =>
  new Witness("bcdfgh", {
    letters: LETTERS,
    shownDice: (view) => (Array.isArray(view) ? (view as string[]) : []),
    piles,
  });

const person = (seat: number, salt: string): SealRoller => ({ seat, salt });
const computer = (seat: number): SealRoller => ({ seat });
const saltOf = (number: number): string => number.toString(16).padStart(32, "0");

/** The log entries that an honest server publishes for these rollers. */
function honestLog(rollers: SealRoller[]): LogEntry[] {
  let pool = firstPool(CONTEXT);
  return rollers.map((roller, at) => {
    pool = roller.salt === undefined ? pool : mixSalt(pool, roller.seat, roller.salt);
    const chain = Math.floor(at / CHAIN_LENGTH);
    const secret = chains[chain]?.[(at % CHAIN_LENGTH) + 1] ?? "";
    const digits = randomBelow(generator(secret, pool), 36);
    const text = `y${1 + (digits % 6)}b${1 + Math.floor(digits / 6)}`;
    const next = at % CHAIN_LENGTH === 0 ? { next: chains[chain + 1]?.[0] ?? "" } : {};
    return {
      index: at,
      seat: -1,
      text,
      words: "",
      at: 0,
      seal: { draw: at + 1, secret, roller: { ...roller }, ...next },
    };
  });
}

function state(log: LogEntry[], part: Partial<StateMessage> = {}): StateMessage {
  const seats = [{ kind: "person" }, { kind: "person" }];
  const sealing = { context: CONTEXT, commitment: secrets[0] ?? "" };
  return {
    table: "bcdfgh",
    game: "ganz-schoen-clever",
    seats,
    you: [ME],
    resting: [],
    rollers: [ME],
    acting: [],
    seq: log.length,
    log,
    log_from: 0,
    sealing,
    practice: false,
    typed_dice: false,
    daily: null,
    ...part,
  } as StateMessage;
}

/** Show a whole log to a witness. */
function show(
  witness: Witness,
  log: LogEntry[],
  part: Partial<StateMessage> = {},
): Violation | null {
  witness.observe(state(log, part), log);
  return witness.report.get().broken;
}

function requestRoll(witness: Witness, ref = 1, seat = ME): SentRoll {
  const sent = witness.roll(ref, seat);
  if (!sent) {
    throw new Error("the dice are not sealed");
  }
  return sent;
}

/** A witness that has seen one roll of the other player and must roll now. */
function waitingPage(part: Partial<StateMessage> = {}): Witness {
  const witness = witnessOf();
  show(witness, honestLog([person(OTHER, SALT)]), part);
  return witness;
}

const INTACT = { sealed: true, unprovable: false, broken: null, overtaken: 0, elsewhere: false };

describe("the witness", () => {
  const rounds = [person(OTHER, SALT), person(OTHER, "f".repeat(32)), computer(OTHER)];

  test("accepts every draw of an honest server, at once or one by one", () => {
    const log = honestLog(rounds);
    const whole = witnessOf();
    show(whole, log);
    expect(whole.report.get()).toEqual({ ...INTACT, draws: 3 });
    const parts = witnessOf();
    show(parts, log.slice(0, 1), { rollers: [OTHER] });
    parts.observe(
      state(log.slice(1, 2), {
        log_from: 1,
        rollers: [OTHER],
        seats: [{ kind: "computer" }, { kind: "person" }] as StateMessage["seats"],
      }),
      log.slice(0, 2),
    );
    parts.observe(state(log.slice(2), { log_from: 2 }), log);
    show(parts, log);
    expect(parts.report.get()).toEqual({ ...INTACT, draws: 3 });
  });

  const falsifications: Record<string, (log: LogEntry[]) => unknown> = {
    roll: (log) => Object.assign(log[1]!, { text: log[1]!.text === "y6b6" ? "y1b1" : "y6b6" }),
    chain: (log) => Object.assign(log[1]!.seal!, { secret: LAST }),
    missing: (log) => delete log[2]!.seal,
    salt: (log) => delete log[0]!.seal!.roller!.salt,
  };
  for (const [broken, falsify] of Object.entries(falsifications)) {
    test(`breaks the seal for a wrong ${broken}, and it stays broken`, () => {
      const log = honestLog(rounds);
      falsify(log);
      expect(show(witnessOf(), log)).toBe(broken);
      expect(witnessOf().report.get().broken).toBe(broken);
    });
  }

  test("detects a missing draw, another chain, another table and the end of fair dice", () => {
    const log = honestLog(rounds);
    const reportOf = (some: LogEntry[], part: Partial<StateMessage> = {}): string | null => {
      localStorage.removeItem(KEY);
      saveCommitment("bcdfgh", CONTEXT, secrets[0] ?? "");
      return show(witnessOf(), some, part);
    };
    expect(reportOf([log[0]!, log[2]!])).toBe("chain");
    expect(reportOf(log, { sealing: { context: CONTEXT, commitment: LAST } })).toBe("commitment");
    expect(
      reportOf(log, {
        sealing: { context: CONTEXT.replace("bcdfgh", "kmnpqr"), commitment: secrets[0] ?? "" },
      }),
    ).toBe("commitment");
    expect(reportOf(log, { sealing: null })).toBe("commitment");
    expect(reportOf(log)).toBe(null);
  });

  test("follows a chain to the next one, whose commitment came with the first draw", () => {
    const many = Array.from({ length: 2 * CHAIN_LENGTH + 1 }, (_, at) => person(OTHER, saltOf(at)));
    const log = honestLog(many);
    expect(show(witnessOf(), log)).toBe(null);
    for (const [at, falsify] of [
      [CHAIN_LENGTH, { secret: LAST }],
      [0, { next: LAST }],
      [1, { next: LAST }],
    ] as const) {
      localStorage.removeItem(KEY);
      const falsified = log.map((entry, index) =>
        index === at ? { ...entry, seal: { ...entry.seal!, ...falsify } } : entry,
      );
      expect(show(witnessOf(), falsified)).toBe("chain");
    }
    localStorage.removeItem(KEY);
    show(witnessOf(), log.slice(0, 1));
    expect(
      show(
        witnessOf(),
        log.map((entry, index) =>
          index === 0 ? { ...entry, seal: { ...entry.seal!, next: LAST } } : entry,
        ),
      ),
    ).toBe("changed");
  });

  test("detects changed draws, also after a reload", () => {
    const log = honestLog(rounds);
    const witness = witnessOf();
    show(witness, log);
    const other = honestLog([person(OTHER, SALT), computer(OTHER), computer(OTHER)]);
    for (const later of [witnessOf(), witness]) {
      expect(show(later, other)).toBe("changed");
    }
  });

  test("compares the dice on the table with the draws", () => {
    const log = honestLog(rounds);
    const dice = log[2]!.text.match(/../g) ?? [];
    const reportOf = (shownDice: string[]): string | null => {
      localStorage.removeItem(KEY);
      return show(witnessOf(), log, { view: shownDice as unknown as View });
    };
    expect(reportOf(dice)).toBe(null);
    expect(reportOf([dice[1] ?? ""])).toBe(null);
    expect(reportOf([`y${(Number(dice[0]?.charAt(1)) % 6) + 1}`])).toBe("roll");
    expect(reportOf(["w1"])).toBe("roll");
  });

  test("waits for the secrets of hidden cards", () => {
    const log = honestLog(rounds);
    const witness = witnessOf();
    const hidden: LogEntry = { index: 2, seat: -1, text: "card 5", words: "", at: 0 };
    const waits = (acting: number[]): void =>
      witness.observe(state([hidden], { log_from: 2, acting }), [log[0]!, log[1]!, hidden]);
    show(witness, log.slice(0, 2));
    waits([0]);
    expect(witness.report.get()).toEqual({ ...INTACT, draws: 2 });
    witness.observe(state([log[2]!], { log_from: 2 }), log);
    expect(witness.report.get()).toEqual({ ...INTACT, draws: 3 });
    waits([]);
    expect(witness.report.get().broken).toBe("missing");
  });

  test("rejects dice without their secret, also when more moves follow", () => {
    const log = honestLog(rounds);
    delete log[1]!.seal;
    expect(show(witnessOf(), log.slice(0, 2), { acting: [0] })).toBe("missing");
    localStorage.removeItem(KEY);
    const card: LogEntry = { ...log[1]!, text: "card 5" };
    const later = witnessOf();
    later.observe(state([log[0]!, card], { acting: [0] }), [log[0]!, card]);
    later.observe(state([], { log_from: 2 }), [log[0]!, card]);
    expect(later.report.get().broken).toBe("missing");
  });

  test("reports other dice as unprovable, except practice dice", () => {
    const witness = witnessOf();
    show(witness, [], { sealing: null, practice: true });
    expect(witness.report.get()).toEqual({ ...INTACT, sealed: false, draws: 0 });
    show(witness, [], { sealing: null });
    expect(witness.report.get()).toEqual({ ...INTACT, sealed: false, unprovable: true, draws: 0 });
    expect(witness.roll(1, ME)).toBe(null);
  });
});

describe("a roll request", () => {
  const first = person(OTHER, SALT);

  test("contains the known pool and a new salt", () => {
    const witness = waitingPage();
    const sent = requestRoll(witness);
    expect(sent.pool).toBe(toHex(mixSalt(firstPool(CONTEXT), OTHER, SALT)));
    expect(show(witness, honestLog([first, person(ME, sent.salt)]))).toBe(null);
    expect(requestRoll(witness, 2).salt).not.toBe(sent.salt);
  });

  test("is the same after a refusal, a lost connection, a reload and in another tab", () => {
    const witness = waitingPage({ you: [ME, OTHER], rollers: [ME, OTHER] });
    const sent = requestRoll(witness);
    witness.refused(1, "too_fast");
    expect(requestRoll(witness, 2)).toEqual(sent);
    witness.reconnected();
    show(witness, honestLog([first]), { you: [ME, OTHER], rollers: [ME, OTHER] });
    // The same seat, although another one is given.
    expect(requestRoll(witness, 3, OTHER)).toEqual(sent);
    const tab = witnessOf();
    show(tab, honestLog([first]), { you: [ME, OTHER], rollers: [ME, OTHER] });
    expect(requestRoll(tab)).toEqual(sent);
    expect(show(tab, honestLog([first, person(ME, sent.salt)]))).toBe(null);
    expect(show(witness, honestLog([first, person(ME, sent.salt)]))).toBe(null);
  });

  test("is sent again only while the roll is due", () => {
    const witness = waitingPage();
    const { salt } = requestRoll(witness);
    witness.reconnected();
    show(witness, honestLog([first]));
    expect(witness.shouldResendRoll()).toBe(true);
    witness.reconnected();
    show(witness, honestLog([first, person(ME, salt)]));
    expect(witness.shouldResendRoll()).toBe(false);
  });

  test("breaks the seal if the server uses another salt", () => {
    const others: [SealRoller, Violation][] = [
      [person(ME, saltOf(7)), "request"], // an invented salt of the own seat
      [person(OTHER, saltOf(7)), "request"], // of another seat
      [computer(ME), "request"], // the own salt is missing
      [person(ME, SALT), "salt"], // an old salt
    ];
    for (const [roller, broken] of others) {
      localStorage.removeItem(KEY);
      const witness = waitingPage();
      requestRoll(witness);
      expect(show(witness, honestLog([first, roller]))).toBe(broken);
    }
  });

  test("breaks the seal if the server claims another pool", () => {
    const witness = waitingPage();
    requestRoll(witness);
    witness.refused(1, "stale" satisfies Reason);
    expect(witness.report.get().broken).toBe(null);
    requestRoll(witness, 2);
    witness.refused(2, "other_pool");
    expect(witness.report.get().broken).toBe("request");
  });

  test("may be late, which the page reports", () => {
    const together = { rollers: [OTHER, ME] };
    const faster = waitingPage(together);
    requestRoll(faster);
    expect(show(faster, honestLog([first, person(OTHER, saltOf(7))]))).toBe(null);
    expect(faster.report.get().overtaken).toBe(1);
    localStorage.removeItem(KEY);
    const away = waitingPage();
    requestRoll(away);
    away.reconnected();
    expect(show(away, honestLog([first, computer(ME)]))).toBe(null);
    expect(away.report.get().overtaken).toBe(1);
    show(witnessOf(), honestLog([first, computer(ME)]));
    expect(away.report.get().overtaken).toBe(1);
  });
});

describe("a roll of an own seat without a request", () => {
  const first = person(OTHER, SALT);

  test("breaks the seal until the player confirms another device", () => {
    const witness = waitingPage();
    const log = honestLog([first, person(ME, saltOf(7)), person(ME, saltOf(8))]);
    expect(show(witness, log.slice(0, 2))).toBe("foreign");
    witness.rolledElsewhere();
    expect(witness.report.get()).toMatchObject({ broken: null, elsewhere: true });
    expect(show(witness, log)).toBe(null);
  });

  test("is accepted before and after the page holds the seat", () => {
    const log = honestLog([first, person(ME, saltOf(7)), person(ME, saltOf(8))]);
    const late = witnessOf();
    show(late, log.slice(0, 2), { rollers: [OTHER] });
    expect(late.report.get().broken).toBe(null);
    localStorage.removeItem(KEY);
    const left = waitingPage();
    expect(show(left, log, { you: [] })).toBe(null);
    expect(show(left, log)).toBe(null); // the seat is held again
  });
});

describe("a roll of other players", () => {
  const first = person(OTHER, SALT);
  const computerFirst = [{ kind: "computer" }, { kind: "person" }] as StateMessage["seats"];

  test("must come from the seat that is due", () => {
    const cases: [number, StateMessage["seats"] | undefined, SealRoller, Violation | null][] = [
      [OTHER, undefined, person(OTHER, saltOf(7)), null],
      [OTHER, undefined, computer(OTHER), "salt"], // a person's roll without a request
      [OTHER, computerFirst, computer(OTHER), null],
      [OTHER, computerFirst, person(OTHER, saltOf(7)), "salt"], // invented for a computer player
      [ME, undefined, person(OTHER, saltOf(7)), "salt"], // not due to roll
      [OTHER, undefined, person(OTHER, SALT), "salt"], // used before
    ];
    for (const [to, seats, roller, broken] of cases) {
      localStorage.removeItem(KEY);
      const part = { rollers: [to], ...(seats ? { seats } : {}) };
      expect(show(waitingPage(part), honestLog([first, roller]), part)).toBe(broken);
    }
  });

  test("has a salt only for rolls", () => {
    const log = honestLog([first, person(OTHER, saltOf(7))]);
    log[1] = { ...log[1]!, text: "=ybg" };
    expect(show(waitingPage({ rollers: [OTHER] }), log)).toBe("salt");
  });
});

test("the witness file contains the requests and the draws", () => {
  const witness = waitingPage();
  const { salt } = requestRoll(witness);
  show(witness, honestLog([person(OTHER, SALT), person(ME, salt)]));
  const file = JSON.parse(witnessFile("bcdfgh")) as Record<string, unknown>;
  expect(file).toMatchObject({
    format: "foxclover witness 1",
    context: CONTEXT,
    commitment: secrets[0],
    requests: [{ draw: 2, seat: ME, salt }],
    held: [{ seat: ME, first: 2, last: 2 }],
  });
  expect(file["marks"]).toHaveLength(2);
});

test("only the last tables are stored, and the old format is deleted", () => {
  localStorage.setItem("foxclover-seals", "{}");
  for (let number = 0; number < 50; number += 1) {
    saveCommitment(`table${number}`, CONTEXT, LAST);
  }
  expect(localStorage.length).toBe(40);
  expect(localStorage.getItem("foxclover-seals")).toBe(null);
});

test("checking a roll takes less than 5 ms", () => {
  const log = honestLog(Array.from({ length: 150 }, (_, at) => person(OTHER, saltOf(at))));
  const witness = witnessOf();
  witness.observe(state(log), log);
  const began = performance.now();
  witness.observe(state(log), log);
  expect((performance.now() - began) / log.length).toBeLessThan(5);
});

test("tied platters are in the order of the rules, and every seat can start", () => {
  expect(platterDraws("y1b4g4o2p4w6")).toEqual(["=ybo", "=ygo", "=yop"]);
  expect(platterDraws("y4b4g4o4p1w6")).toEqual(["=ybp", "=ygp", "=bgp", "=yop", "=bop", "=gop"]);
  expect(startPlayerDraws(2)).toEqual(["begins 1", "begins 2"]);
});

describe("the card piles", () => {
  const card = (
    name: string,
    start = "",
  ): { name: string; colour: "red" | "green"; start: string } => ({
    name,
    colour: name.startsWith("9") ? "red" : "green",
    start,
  });
  const piles = pilesOf([
    card("1", "A"),
    card("2", "B"),
    ...["3", "4", "5", "6", "7", "91"].map((name) => card(name)),
    card("3b"),
  ]);
  const scored = (names: string[], times = 1): { card: string; times: number }[] =>
    names.map((name) => ({ card: name, times }));

  /** A table of two: the first seat has scored cards on level 2, the second on level 3. */
  const table = (
    mine: string[],
    others: string[] = [],
    under: string[] = [],
    multipliers = 4,
  ): ClimbView =>
    ({
      multipliers,
      piles: [
        { colour: "green", shuffled: 0, under },
        { colour: "red", shuffled: 1, under: [] },
      ],
      players: [
        [[], mine],
        [[], [], others],
      ].map((levels) => ({
        waiting: [],
        levels: levels.map((names) => ({ active: [], scored: scored(names) })),
      })),
    }) as unknown as ClimbView;
  const draw = (
    text: string,
    announced: string[] | null,
    left: RemainingCards = {},
    seen: { view: ClimbView; mover: number } | null = null,
  ): unknown => {
    const found = piles.drawCandidates(
      text,
      announced?.map((name) => `card ${name}`) ?? null,
      2,
      left,
      seen,
    );
    return found && [found.from.join().replaceAll("card ", ""), found.left["green"]?.join()];
  };

  test("a new pile has all cards except the dealt ones", () => {
    expect(draw("card 4", ["3", "4", "5", "6", "7"])).toEqual(["3,4,5,6,7", "3,5,6,7"]);
    for (const announced of [
      ["4", "5", "6", "7"],
      ["2", "3", "4", "5", "6", "7"],
      ["4", "3", "5", "6", "7"],
    ]) {
      expect(draw("card 4", announced)).toBe(null);
    }
  });

  test("drawn cards are removed, and no pile is rebuilt before it is empty", () => {
    expect(draw("card 3", null, { green: ["3", "5"], red: [] })).toEqual(["3,5", "5"]);
    expect(draw("card 3", ["3"], { green: ["3", "5"] })).toBe(null);
    expect(draw("card 4", ["4", "1"], { green: [] })).toBe(null); // out of order
    expect(draw("card 4", ["1", "4"], { green: [] })).toEqual(["1,4", "1"]);
  });

  test("a rebuilt pile has the cards that the rules require", () => {
    const announced = (names: string[], view: ClimbView, mover = 0): unknown =>
      draw(`card ${names[0]}`, names, { green: [] }, { view, mover }) !== null;
    expect(announced(["3", "4", "5"], table(["5", "4", "3", "1"]))).toBe(true);
    expect(announced(["3", "5"], table(["5", "4", "3", "1"]))).toBe(false);
    expect(announced(["3", "4"], table(["1", "3", "4"], ["5", "6", "7"], [], 1))).toBe(true);
    expect(announced(["6", "7"], table(["1", "3", "4"], ["5", "6", "7"], [], 1), 1)).toBe(true);
    expect(announced(["3", "4"], table(["1", "3", "4"], ["5", "6", "7"], [], 1), 1)).toBe(false);
    expect(announced(["6"], table(["1", "3", "4"], [], ["6", "5"]))).toBe(true);
    expect(announced(["5"], table(["1", "3", "4"], [], ["6", "5"]))).toBe(false);
  });

  test("every card is somewhere, and no scored card is under a pile", () => {
    const log = (...texts: string[]): LogEntry[] =>
      texts.map((text, index) => ({ index, seat: 0, text, words: "", at: 0 }));
    const left = { green: ["3"], red: ["91"] };
    expect(piles.isComplete(table(["1", "4", "2"], ["6", "7"], ["5"]), left, log("card 5"))).toBe(
      true,
    );
    expect(
      piles.isComplete(
        table(["1", "4", "2"], ["6", "7"], ["5"]),
        left,
        log("card 5", "score 5", "turn in 5"),
      ),
    ).toBe(true);
    expect(
      piles.isComplete(table(["1", "4", "2"], ["6", "7"], ["5"]), left, log("card 5", "score 5")),
    ).toBe(false);
    expect(piles.isComplete(table(["1", "4", "2"], ["6", "7"], []), left, [])).toBe(false);
    expect(
      piles.isComplete(table(["1", "4", "2"], ["6", "7", "5"], ["5"]), left, log("card 5")),
    ).toBe(false);
  });
});
