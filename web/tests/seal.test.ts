import { beforeEach, describe, expect, test } from "vitest";
import type { ClimbView, LogEntry, StateMessage, View } from "../src/protocol";
import {
  below,
  emptyCup,
  generator,
  isRolled,
  lots,
  platters,
  secretBefore,
  stirred,
} from "../src/seal/draws";
import { keepAnchor } from "../src/seal/keep";
import { pilesOf } from "../src/seal/piles";
import { hmac, sha256, toHex } from "../src/seal/sha256";
import { type Left, type Piles, Witness } from "../src/seal/witness";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const TITLE = "foxclover/seal/1 bcdfgh ganz-schoen-clever 2 0";
const LETTERS = "ybgopw";
const LAST = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const SALT = { seat: 1, salt: "000102030405060708090a0b0c0d0e0f" };

const secrets = [LAST];
for (let draw = 1023; draw >= 0; draw -= 1) {
  secrets.unshift(secretBefore(TITLE, secrets[0] ?? ""));
}

beforeEach(() => {
  const store = new Map<string, string>();
  globalThis.localStorage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  } as unknown as Storage;
});

test("SHA-256 and HMAC give the published values", () => {
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

test("the vectors of docs/fair-dice.md", () => {
  expect(secrets[1023]).toBe("c083197fdba07e9e38f4ac59917c597bdce055d5cc1f395e8d94f3975b141cc2");
  expect(secrets[1]).toBe("4e90026c195f41545fcf5e91a32d003da15dc76ec2931d7c9c52b0206ab28cc3");
  expect(secrets[0]).toBe("bffd65efce1b2dbcc62d73b0ef6517a1e3f960f77fd27b186186d21141987ee7");
  const cup = stirred(emptyCup(TITLE), SALT);
  expect(toHex(cup)).toBe("7a07641afaa4c3e841abb31d8b6c8df5670965a0f2a792590620d6adc3b6a99e");
  const rolled = (text: string): boolean =>
    isRolled(text, LETTERS, generator(secrets[1] ?? "", cup));
  expect(rolled("y3b5g6o6p1w2")).toBe(true);
  expect(rolled("y3b5g6o6p1w3")).toBe(false);
  expect(rolled("b3y5g6o6p1w2")).toBe(false); // the same faces, of other dice
  expect(rolled("y3y5g6o6p1w2")).toBe(false);
});

test("a number below a bound is drawn again where it would favour some", () => {
  const numbers = [0, 2 ** 32 - 1];
  expect(below(() => numbers.shift() ?? 0, 6)).toBe(5);
});

/** The page at this table; its views are the dice they show. */
const witnessOf = (piles: Piles | null = null): Witness =>
  new Witness("bcdfgh", {
    letters: LETTERS,
    shown: (view) => (Array.isArray(view) ? (view as string[]) : []),
    piles,
  });

/** What an honest server says of draws with these salts. */
function honest(salts: { seat: number; salt: string }[][], first = 0): LogEntry[] {
  let cup = emptyCup(TITLE);
  return salts.map((some, at) => {
    cup = some.reduce(stirred, cup);
    const secret = secrets[at + 1] ?? "";
    const digits = below(generator(secret, cup), 36);
    const text = `y${1 + (digits % 6)}b${1 + Math.floor(digits / 6)}`;
    return {
      index: first + at,
      seat: -1,
      text,
      words: "",
      at: 0,
      seal: { draw: at + 1, secret, salts: some },
    };
  });
}

function state(log: LogEntry[], part: Partial<StateMessage> = {}): StateMessage {
  return {
    table: "bcdfgh",
    game: "ganz-schoen-clever",
    seats: [{}, {}],
    you: [1],
    acting: [],
    seq: log.length,
    log,
    log_from: 0,
    sealing: { title: TITLE, anchor: secrets[0] },
    ...part,
  } as StateMessage;
}

describe("the witness", () => {
  const rounds = [[SALT], [{ seat: 0, salt: "f".repeat(32) }], []];

  test("finds every draw of an honest server right, whole or in parts", () => {
    const log = honest(rounds);
    const whole = witnessOf();
    whole.see(state(log), log);
    expect(whole.testimony.get()).toEqual({ sealed: true, draws: 3, broken: null });
    const parts = witnessOf();
    parts.see(state(log.slice(0, 1)), log.slice(0, 1));
    parts.see(state(log.slice(1), { log_from: 1 }), log);
    parts.see(state(log), log);
    expect(parts.testimony.get()).toEqual({ sealed: true, draws: 3, broken: null });
  });

  const lies: Record<string, (log: LogEntry[]) => unknown> = {
    roll: (log) => Object.assign(log[1]!, { text: log[1]!.text === "y6b6" ? "y1b1" : "y6b6" }),
    chain: (log) => Object.assign(log[1]!.seal!, { secret: LAST }),
    missing: (log) => delete log[2]!.seal,
  };
  for (const [broken, lie] of Object.entries(lies)) {
    test(`breaks the seal for a wrong ${broken}, and it stays broken`, () => {
      const log = honest(rounds);
      lie(log);
      const witness = witnessOf();
      witness.see(state(log), log);
      expect(witness.testimony.get().broken).toBe(broken);
      expect(witnessOf().testimony.get().broken).toBe(broken);
    });
  }

  test("knows a draw that was left out, an anchor of another chain, another table and an end of the sealing", () => {
    const log = honest(rounds);
    const look = (some: LogEntry[], part: Partial<StateMessage> = {}): string | null => {
      localStorage.setItem("foxclover-seals", "{}");
      keepAnchor("bcdfgh", secrets[0] ?? "");
      const witness = witnessOf();
      witness.see(state(some, part), some);
      return witness.testimony.get().broken;
    };
    expect(look([log[0]!, log[2]!])).toBe("chain");
    expect(look(log, { sealing: { title: TITLE, anchor: LAST } })).toBe("anchor");
    expect(
      look(log, {
        sealing: { title: TITLE.replace("bcdfgh", "kmnpqr"), anchor: secrets[0] ?? "" },
      }),
    ).toBe("anchor");
    expect(look(log, { sealing: null })).toBe("anchor");
    expect(look(log)).toBe(null);
  });

  test("keeps the server to what it said once, also after a reload", () => {
    const log = honest(rounds);
    const witness = witnessOf();
    witness.see(state(log), log);
    const other = honest([[SALT], [], []]);
    for (const later of [witnessOf(), witness]) {
      later.see(state(other), other);
      expect(later.testimony.get().broken).toBe("changed");
    }
  });

  test("sees to it that the dice on the table are those of the draws", () => {
    const log = honest(rounds);
    const dice = log[2]!.text.match(/../g) ?? [];
    const look = (shown: string[]): string | null => {
      localStorage.setItem("foxclover-seals", "{}");
      const witness = witnessOf();
      witness.see(state(log, { view: shown as unknown as View }), log);
      return witness.testimony.get().broken;
    };
    expect(look(dice)).toBe(null);
    expect(look([dice[1] ?? ""])).toBe(null);
    expect(look([`y${(Number(dice[0]?.charAt(1)) % 6) + 1}`])).toBe("roll");
    expect(look(["w1"])).toBe("roll");
  });

  test("waits for secrets that others must not know yet", () => {
    const log = honest(rounds);
    const witness = witnessOf();
    const hidden: LogEntry = { index: 2, seat: -1, text: "card 5", words: "", at: 0 };
    const waits = (acting: number[]): void =>
      witness.see(state([hidden], { log_from: 2, acting }), [log[0]!, log[1]!, hidden]);
    witness.see(state(log.slice(0, 2)), log.slice(0, 2));
    waits([0]);
    expect(witness.testimony.get()).toEqual({ sealed: true, draws: 2, broken: null });
    witness.see(state([log[2]!], { log_from: 2 }), log);
    expect(witness.testimony.get()).toEqual({ sealed: true, draws: 3, broken: null });
    waits([]);
    expect(witness.testimony.get().broken).toBe("missing");
  });

  test("takes no dice without their secret, and forgets none when more is played", () => {
    const log = honest(rounds);
    delete log[1]!.seal;
    const witness = witnessOf();
    witness.see(state(log.slice(0, 2), { acting: [0] }), log.slice(0, 2));
    expect(witness.testimony.get().broken).toBe("missing");
    localStorage.setItem("foxclover-seals", "{}");
    const card: LogEntry = { ...log[1]!, text: "card 5" };
    const later = witnessOf();
    later.see(state([log[0]!, card], { acting: [0] }), [log[0]!, card]);
    later.see(state([], { log_from: 2 }), [log[0]!, card]);
    expect(later.testimony.get().broken).toBe("missing");
  });

  test("demands the salt of each own roll, and sends the same one until it stands in the log", () => {
    const witness = witnessOf();
    const salt = witness.roll(1, 1);
    witness.answered(1, null);
    expect(witness.roll(2, 1)).toBe(salt);
    witness.answered(2, 2);
    const log = honest([[SALT, { seat: 1, salt }]]);
    witness.see(state(log, { seq: 2 }), log);
    expect(witness.testimony.get().broken).toBe(null);
    const next = witness.roll(3, 1);
    expect(next).not.toBe(salt);
    witness.answered(3, 4);
    const without = honest([[SALT, { seat: 1, salt }], []]);
    witness.see(state(without, { seq: 4 }), without);
    expect(witness.testimony.get().broken).toBe("salt");
  });

  test("demands that the salt of its hello stands before the next draw", () => {
    const witness = witnessOf();
    witness.hello();
    witness.see(state([]), []);
    const log = honest([[]]);
    witness.see(state(log), log);
    expect(witness.testimony.get().broken).toBe("salt");
  });

  test("says nothing where dice are not sealed", () => {
    const witness = witnessOf();
    witness.see(state([], { sealing: null }), []);
    expect(witness.testimony.get()).toEqual({ sealed: false, draws: 0, broken: null });
  });
});

test("a roll is checked in less than 5 ms", () => {
  const log = honest([[SALT], [SALT], [SALT], [SALT], [SALT]]);
  const witness = witnessOf();
  witness.see(state(log), log);
  const began = performance.now();
  witness.see(state(log), log);
  expect((performance.now() - began) / 5).toBeLessThan(5);
});

test("ties are served in the order of the rules, and everybody is in a lot", () => {
  expect(platters("y1b4g4o2p4w6")).toEqual(["=ybo", "=ygo", "=yop"]);
  expect(platters("y4b4g4o4p1w6")).toEqual(["=ybp", "=ygp", "=bgp", "=yop", "=bop", "=gop"]);
  expect(lots(2)).toEqual(["begins 1", "begins 2"]);
});

describe("what cards are drawn from", () => {
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

  /** A table of two with these scored cards of the first seat on level 2, and of the second on level 3. */
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
    told: string[] | null,
    left: Left = {},
    seen: { view: ClimbView; mover: number } | null = null,
  ): unknown => {
    const found = piles.drawnFrom(text, told && told.map((name) => `card ${name}`), 2, left, seen);
    return found && [found.from.join().replaceAll("card ", ""), found.left["green"]?.join()];
  };

  test("a fresh pile has all cards but those dealt, and nobody leaves one out", () => {
    expect(draw("card 4", ["3", "4", "5", "6", "7"])).toEqual(["3,4,5,6,7", "3,5,6,7"]);
    for (const told of [
      ["4", "5", "6", "7"],
      ["2", "3", "4", "5", "6", "7"],
      ["4", "3", "5", "6", "7"],
    ]) {
      expect(draw("card 4", told)).toBe(null);
    }
  });

  test("what is left is counted along, and no pile is built anew before it is used up", () => {
    expect(draw("card 3", null, { green: ["3", "5"], red: [] })).toEqual(["3,5", "5"]);
    expect(draw("card 3", ["3"], { green: ["3", "5"] })).toBe(null);
    expect(draw("card 4", ["4", "1"], { green: [] })).toBe(null); // out of order
    expect(draw("card 4", ["1", "4"], { green: [] })).toEqual(["1,4", "1"]);
  });

  test("a pile built anew before one's eyes has the cards that the rules give", () => {
    const told = (names: string[], view: ClimbView, mover = 0): unknown =>
      draw(`card ${names[0]}`, names, { green: [] }, { view, mover }) !== null;
    expect(told(["3", "4", "5"], table(["5", "4", "3", "1"]))).toBe(true);
    expect(told(["3", "5"], table(["5", "4", "3", "1"]))).toBe(false);
    expect(told(["3", "4"], table(["1", "3", "4"], ["5", "6", "7"], [], 1))).toBe(true);
    expect(told(["6", "7"], table(["1", "3", "4"], ["5", "6", "7"], [], 1), 1)).toBe(true);
    expect(told(["3", "4"], table(["1", "3", "4"], ["5", "6", "7"], [], 1), 1)).toBe(false);
    expect(told(["6"], table(["1", "3", "4"], [], ["6", "5"]))).toBe(true);
    expect(told(["5"], table(["1", "3", "4"], [], ["6", "5"]))).toBe(false);
  });

  test("all cards are somewhere, and under a pile lies none that was scored last", () => {
    const log = (...texts: string[]): LogEntry[] =>
      texts.map((text, index) => ({ index, seat: 0, text, words: "", at: 0 }));
    const left = { green: ["3"], red: ["91"] };
    expect(piles.addUp(table(["1", "4", "2"], ["6", "7"], ["5"]), left, log("card 5"))).toBe(true);
    expect(
      piles.addUp(
        table(["1", "4", "2"], ["6", "7"], ["5"]),
        left,
        log("card 5", "score 5", "turn in 5"),
      ),
    ).toBe(true);
    expect(
      piles.addUp(table(["1", "4", "2"], ["6", "7"], ["5"]), left, log("card 5", "score 5")),
    ).toBe(false);
    expect(piles.addUp(table(["1", "4", "2"], ["6", "7"], []), left, [])).toBe(false);
    expect(piles.addUp(table(["1", "4", "2"], ["6", "7", "5"], ["5"]), left, log("card 5"))).toBe(
      false,
    );
  });
});
