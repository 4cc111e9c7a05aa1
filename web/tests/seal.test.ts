import { beforeEach, describe, expect, test } from "vitest";
import type { LogEntry, StateMessage } from "../src/protocol";
import { below, emptyCup, generator, isDrawn, secretBefore, stirred } from "../src/seal/draws";
import { keepAnchor } from "../src/seal/keep";
import { drawnFrom, leftAfter, platters } from "../src/seal/piles";
import { hmac, sha256, toHex } from "../src/seal/sha256";
import { Witness } from "../src/seal/witness";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const TITLE = "foxclover/seal/1 bcdfgh ganz-schoen-clever 2 0";
const LAST = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const SALT = { seat: 1, salt: "000102030405060708090a0b0c0d0e0f" };

const secrets = [LAST];
for (let draw = 1023; draw >= 0; draw -= 1) {
  secrets.unshift(secretBefore(TITLE, secrets[0] ?? ""));
}

beforeEach(() => {
  const store = new Map<string, string>();
  globalThis.localStorage = { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => store.set(key, value) } as unknown as Storage;
});

test("SHA-256 and HMAC give the published values", () => {
  expect(toHex(sha256(bytes("")))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(toHex(sha256(bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")))).toBe("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  expect(toHex(sha256(bytes("a".repeat(1000))))).toBe("41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
  expect(toHex(hmac(bytes("Jefe"), bytes("what do ya want for nothing?")))).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  expect(toHex(hmac(new Uint8Array(131).fill(0xaa), bytes("Test Using Larger Than Block-Size Key - Hash Key First")))).toBe("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
});

test("the vectors of docs/fair-dice.md", () => {
  expect(secrets[1023]).toBe("c083197fdba07e9e38f4ac59917c597bdce055d5cc1f395e8d94f3975b141cc2");
  expect(secrets[1]).toBe("4e90026c195f41545fcf5e91a32d003da15dc76ec2931d7c9c52b0206ab28cc3");
  expect(secrets[0]).toBe("bffd65efce1b2dbcc62d73b0ef6517a1e3f960f77fd27b186186d21141987ee7");
  const cup = stirred(emptyCup(TITLE), SALT);
  expect(toHex(cup)).toBe("7a07641afaa4c3e841abb31d8b6c8df5670965a0f2a792590620d6adc3b6a99e");
  expect(isDrawn("y3b5g6o6p1w2", null, generator(secrets[1] ?? "", cup))).toBe(true);
  expect(isDrawn("y3b5g6o6p1w3", null, generator(secrets[1] ?? "", cup))).toBe(false);
});

test("a number below a bound is drawn again where it would favour some", () => {
  const numbers = [0, 2 ** 32 - 1];
  expect(below(() => numbers.shift() ?? 0, 6)).toBe(5);
});

/** What an honest server says of draws with these salts. */
function honest(salts: { seat: number; salt: string }[][], first = 0): LogEntry[] {
  let cup = emptyCup(TITLE);
  return salts.map((some, at) => {
    cup = some.reduce(stirred, cup);
    const secret = secrets[at + 1] ?? "";
    const digits = below(generator(secret, cup), 36);
    const text = `y${1 + (digits % 6)}b${1 + Math.floor(digits / 6)}`;
    return { index: first + at, seat: -1, text, words: "", at: 0, seal: { draw: at + 1, secret, salts: some } };
  });
}

function state(log: LogEntry[], part: Partial<StateMessage> = {}): StateMessage {
  return { table: "bcdfgh", game: "ganz-schoen-clever", seats: [{}, {}], you: [1], acting: [], seq: log.length, log, log_from: 0, sealing: { title: TITLE, anchor: secrets[0] }, ...part } as StateMessage;
}

describe("the witness", () => {
  const rounds = [[SALT], [{ seat: 0, salt: "f".repeat(32) }], []];

  test("finds every draw of an honest server right, whole or in parts", () => {
    const log = honest(rounds);
    const whole = new Witness("bcdfgh");
    whole.see(state(log), log);
    expect(whole.testimony.get()).toEqual({ sealed: true, draws: 3, broken: null });
    const parts = new Witness("bcdfgh");
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
      const witness = new Witness("bcdfgh");
      witness.see(state(log), log);
      expect(witness.testimony.get().broken).toBe(broken);
      expect(new Witness("bcdfgh").testimony.get().broken).toBe(broken);
    });
  }

  test("knows a draw that was left out, an anchor of another chain, another table and an end of the sealing", () => {
    const log = honest(rounds);
    const look = (some: LogEntry[], part: Partial<StateMessage> = {}): string | null => {
      localStorage.setItem("foxclover-seals", "{}");
      keepAnchor("bcdfgh", secrets[0] ?? "");
      const witness = new Witness("bcdfgh");
      witness.see(state(some, part), some);
      return witness.testimony.get().broken;
    };
    expect(look([log[0]!, log[2]!])).toBe("chain");
    expect(look(log, { sealing: { title: TITLE, anchor: LAST } })).toBe("anchor");
    expect(look(log, { sealing: { title: TITLE.replace("bcdfgh", "kmnpqr"), anchor: secrets[0] ?? "" } })).toBe("anchor");
    expect(look(log, { sealing: null })).toBe("anchor");
    expect(look(log)).toBe(null);
  });

  test("keeps the server to what it said once", () => {
    const log = honest(rounds);
    const witness = new Witness("bcdfgh");
    witness.see(state(log), log);
    const other = honest([[SALT], [], []]);
    witness.see(state(other), other);
    expect(witness.testimony.get().broken).toBe("changed");
  });

  test("waits for secrets that others must not know yet", () => {
    const log = honest(rounds);
    const witness = new Witness("bcdfgh");
    const { seal: _, ...hidden } = log[2]!;
    witness.see(state([log[0]!, log[1]!, hidden], { acting: [0] }), [log[0]!, log[1]!, hidden]);
    expect(witness.testimony.get()).toEqual({ sealed: true, draws: 2, broken: null });
    witness.see(state([log[2]!], { log_from: 2 }), log);
    expect(witness.testimony.get().draws).toBe(3);
  });

  test("demands the salt of each own roll, and sends the same one until it stands in the log", () => {
    const witness = new Witness("bcdfgh");
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
    const witness = new Witness("bcdfgh");
    witness.hello();
    witness.see(state([]), []);
    const log = honest([[]]);
    witness.see(state(log), log);
    expect(witness.testimony.get().broken).toBe("salt");
  });

  test("says nothing where dice are not sealed", () => {
    const witness = new Witness("bcdfgh");
    witness.see(state([], { sealing: null }), []);
    expect(witness.testimony.get()).toEqual({ sealed: false, draws: 0, broken: null });
  });
});

test("a roll is checked in less than 5 ms", () => {
  const log = honest([[SALT], [SALT], [SALT], [SALT], [SALT]]);
  const witness = new Witness("bcdfgh");
  witness.see(state(log), log);
  const began = performance.now();
  witness.see(state(log), log);
  expect((performance.now() - began) / 5).toBeLessThan(5);
});

describe("what is drawn from", () => {
  const card = (name: string, start = ""): { name: string; colour: "red" | "green"; start: string } => ({ name, colour: name.startsWith("9") ? "red" : "green", start });
  const deck = [card("1", "A"), card("2", "B"), card("3"), card("4"), card("5"), card("91"), card("3b")];
  const draw = (text: string, told: string[] | null, before: string[] = [], left: string[][] = []): unknown => drawnFrom({ text, told, players: 1, deck, before, left });

  test("a fresh pile has all cards but those dealt, and nobody leaves one out", () => {
    const pile = ["card 2", "card 3", "card 4", "card 5"];
    expect(draw("card 4", pile)).toBe(pile);
    expect(draw("card 4", ["card 3", "card 4", "card 5"])).toBe(null);
    expect(draw("card 4", ["card 1", ...pile])).toBe(null);
    expect(draw("card 4", ["card 4", "card 2", "card 3", "card 5"])).toBe(null);
    expect(leftAfter([["card 91"]], pile, "card 4")).toEqual([["card 91"], ["card 2", "card 3", "card 5"]]);
  });

  test("what is left is counted along, and a pile built anew has cards that were in play", () => {
    const left = ["card 2", "card 3", "card 5"];
    expect(draw("card 3", null, ["card 4"], [["card 91"], left])).toBe(left);
    expect(draw("card 4", null, ["card 4"], [left])).toBe(null);
    expect(draw("card 4", ["card 1", "card 4"], ["card 4", "card 2"])).toEqual(["card 1", "card 4"]);
    expect(draw("card 4", ["card 4", "card 3"], ["card 4", "card 2"])).toBe(null);
    expect(draw("card 4", ["card 4", "card 4"], ["card 4"])).toBe(null);
  });

  test("ties are served in the order of the rules, and everybody is in a lot", () => {
    expect(platters("y1b4g4o2p4w6")).toEqual(["=ybo", "=ygo", "=yop"]);
    expect(draw("=ygo", ["=ybo", "=ygo", "=yop"], ["y1b4g4o2p4w6"])).toEqual(["=ybo", "=ygo", "=yop"]);
    expect(draw("=ygo", ["=ygo", "=yop"], ["y1b4g4o2p4w6"])).toBe(null);
    expect(draw("begins 1", ["begins 1"])).toEqual(["begins 1"]);
    expect(draw("begins 1", ["begins 1", "begins 2"])).toBe(null);
  });
});
