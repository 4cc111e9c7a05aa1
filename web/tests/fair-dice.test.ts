import { beforeEach, describe, expect, test } from "vitest";
import {
  below,
  CHAIN_LENGTH,
  firstPool,
  generator,
  isRolled,
  lots,
  markOf,
  mixed,
  platters,
  secretBefore,
} from "../src/fair/draws";
import { pilesOf } from "../src/fair/piles";
import { type Broken, keepCommitment } from "../src/fair/record";
import { hmac, sha256, toHex } from "../src/fair/sha256";
import { type Left, type Piles, type SentRoll, Witness } from "../src/fair/witness";
import { witnessFile } from "../src/fair/witness-file";
import type { ClimbView, LogEntry, Reason, SealRoller, StateMessage, View } from "../src/protocol";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const CONTEXT = "foxclover/seal/2 bcdfgh ganz-schoen-clever 2 0";
const LETTERS = "ybgopw";
const LAST = "0b40d0494b214a67f0a2a4e9760b04d1d350548e730cfd32459328c97a9c5f40"; // of the chains of docs/fair-dice.md
const SALT = "000102030405060708090a0b0c0d0e0f";
const KEY = "foxclover-dice/bcdfgh";
const ME = 1;
const OTHER = 0;

/** The secrets of a chain behind its commitment. */
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
  expect(secrets[255]).toBe("364ed55b34fe65481631bcb6e33663490dc6c84f28a7c186793375ef1ac553d8");
  expect(secrets[1]).toBe("37e9dc5d64ee8f9ed4d1f6962435e5612423801c20917a5e10472d33d64c9bb8");
  expect(secrets[0]).toBe("275d6974d55d346de76a2b37b72b30426ac031ac53a6f83624a3ce63ab9cae62");
  const pool = mixed(firstPool(CONTEXT), 1, SALT);
  expect(toHex(pool)).toBe("3b95f796aa5f6be29a59a021463bc4f3e388bddb52dbe6fb3891e034367daa9d");
  const rolled = (text: string): boolean =>
    isRolled(text, LETTERS, generator(secrets[1] ?? "", pool));
  expect(rolled("y2b3g6o2p1w1")).toBe(true);
  expect(rolled("y2b3g6o2p1w2")).toBe(false);
  expect(rolled("b2y3g6o2p1w1")).toBe(false); // the same faces, of other dice
  expect(rolled("y2y3g6o2p1w1")).toBe(false);
  expect(
    markOf(
      pool,
      "y2b3g6o2p1w1",
      "0f73e4b3e92d6c853ac1e3a8df6ba3272b1c944379f816d37ccf07a846b422f1",
    ),
  ).toBe("22e7a0217e3e72d3293b37e3354d60fa");
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

const person = (seat: number, salt: string): SealRoller => ({ seat, salt });
const computer = (seat: number): SealRoller => ({ seat });
const saltOf = (number: number): string => number.toString(16).padStart(32, "0");

/** What an honest server says of rolls of these. */
function honest(rollers: SealRoller[]): LogEntry[] {
  let pool = firstPool(CONTEXT);
  return rollers.map((roller, at) => {
    pool = roller.salt === undefined ? pool : mixed(pool, roller.seat, roller.salt);
    const chain = Math.floor(at / CHAIN_LENGTH);
    const secret = chains[chain]?.[(at % CHAIN_LENGTH) + 1] ?? "";
    const digits = below(generator(secret, pool), 36);
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

/** Shows draws to a page, as the whole log. */
function show(witness: Witness, log: LogEntry[], part: Partial<StateMessage> = {}): Broken | null {
  witness.see(state(log, part), log);
  return witness.testimony.get().broken;
}

function rolls(witness: Witness, ref = 1, seat = ME): SentRoll {
  const sent = witness.roll(ref, seat);
  if (!sent) {
    throw new Error("the dice are not sealed");
  }
  return sent;
}

/** A page that has seen the other one roll first, and is to roll. */
function waiting(part: Partial<StateMessage> = {}): Witness {
  const witness = witnessOf();
  show(witness, honest([person(OTHER, SALT)]), part);
  return witness;
}

const fine = { sealed: true, unprovable: false, broken: null, overtaken: 0, elsewhere: false };

describe("the witness", () => {
  const rounds = [person(OTHER, SALT), person(OTHER, "f".repeat(32)), computer(OTHER)];

  test("finds every draw of an honest server right, whole or in parts", () => {
    const log = honest(rounds);
    const whole = witnessOf();
    show(whole, log);
    expect(whole.testimony.get()).toEqual({ ...fine, draws: 3 });
    const parts = witnessOf();
    show(parts, log.slice(0, 1), { rollers: [OTHER] });
    parts.see(
      state(log.slice(1, 2), {
        log_from: 1,
        rollers: [OTHER],
        seats: [{ kind: "computer" }, { kind: "person" }] as StateMessage["seats"],
      }),
      log.slice(0, 2),
    );
    parts.see(state(log.slice(2), { log_from: 2 }), log);
    show(parts, log);
    expect(parts.testimony.get()).toEqual({ ...fine, draws: 3 });
  });

  const lies: Record<string, (log: LogEntry[]) => unknown> = {
    roll: (log) => Object.assign(log[1]!, { text: log[1]!.text === "y6b6" ? "y1b1" : "y6b6" }),
    chain: (log) => Object.assign(log[1]!.seal!, { secret: LAST }),
    missing: (log) => delete log[2]!.seal,
    salt: (log) => delete log[0]!.seal!.roller!.salt,
  };
  for (const [broken, lie] of Object.entries(lies)) {
    test(`breaks the seal for a wrong ${broken}, and it stays broken`, () => {
      const log = honest(rounds);
      lie(log);
      expect(show(witnessOf(), log)).toBe(broken);
      expect(witnessOf().testimony.get().broken).toBe(broken);
    });
  }

  test("knows a draw that was left out, a commitment to another chain, another table and an end of the sealing", () => {
    const log = honest(rounds);
    const look = (some: LogEntry[], part: Partial<StateMessage> = {}): string | null => {
      localStorage.removeItem(KEY);
      keepCommitment("bcdfgh", CONTEXT, secrets[0] ?? "");
      return show(witnessOf(), some, part);
    };
    expect(look([log[0]!, log[2]!])).toBe("chain");
    expect(look(log, { sealing: { context: CONTEXT, commitment: LAST } })).toBe("commitment");
    expect(
      look(log, {
        sealing: { context: CONTEXT.replace("bcdfgh", "kmnpqr"), commitment: secrets[0] ?? "" },
      }),
    ).toBe("commitment");
    expect(look(log, { sealing: null })).toBe("commitment");
    expect(look(log)).toBe(null);
  });

  test("follows a chain to the next one, which was committed to when the first began", () => {
    const many = Array.from({ length: 2 * CHAIN_LENGTH + 1 }, (_, at) => person(OTHER, saltOf(at)));
    const log = honest(many);
    expect(show(witnessOf(), log)).toBe(null);
    for (const [at, lie] of [
      [CHAIN_LENGTH, { secret: LAST }],
      [0, { next: LAST }],
      [1, { next: LAST }],
    ] as const) {
      localStorage.removeItem(KEY);
      const lying = log.map((entry, index) =>
        index === at ? { ...entry, seal: { ...entry.seal!, ...lie } } : entry,
      );
      expect(show(witnessOf(), lying)).toBe("chain");
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

  test("keeps the server to what it said once, also after a reload", () => {
    const log = honest(rounds);
    const witness = witnessOf();
    show(witness, log);
    const other = honest([person(OTHER, SALT), computer(OTHER), computer(OTHER)]);
    for (const later of [witnessOf(), witness]) {
      expect(show(later, other)).toBe("changed");
    }
  });

  test("sees to it that the dice on the table are those of the draws", () => {
    const log = honest(rounds);
    const dice = log[2]!.text.match(/../g) ?? [];
    const look = (shown: string[]): string | null => {
      localStorage.removeItem(KEY);
      return show(witnessOf(), log, { view: shown as unknown as View });
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
    show(witness, log.slice(0, 2));
    waits([0]);
    expect(witness.testimony.get()).toEqual({ ...fine, draws: 2 });
    witness.see(state([log[2]!], { log_from: 2 }), log);
    expect(witness.testimony.get()).toEqual({ ...fine, draws: 3 });
    waits([]);
    expect(witness.testimony.get().broken).toBe("missing");
  });

  test("takes no dice without their secret, and forgets none when more is played", () => {
    const log = honest(rounds);
    delete log[1]!.seal;
    expect(show(witnessOf(), log.slice(0, 2), { acting: [0] })).toBe("missing");
    localStorage.removeItem(KEY);
    const card: LogEntry = { ...log[1]!, text: "card 5" };
    const later = witnessOf();
    later.see(state([log[0]!, card], { acting: [0] }), [log[0]!, card]);
    later.see(state([], { log_from: 2 }), [log[0]!, card]);
    expect(later.testimony.get().broken).toBe("missing");
  });

  test("says nothing of practice dice, and says of others that they cannot be checked", () => {
    const witness = witnessOf();
    show(witness, [], { sealing: null, practice: true });
    expect(witness.testimony.get()).toEqual({ ...fine, sealed: false, draws: 0 });
    show(witness, [], { sealing: null });
    expect(witness.testimony.get()).toEqual({ ...fine, sealed: false, unprovable: true, draws: 0 });
    expect(witness.roll(1, ME)).toBe(null);
  });
});

describe("a roll the page asks for", () => {
  const first = person(OTHER, SALT);

  test("names the pool seen, has a fresh salt, and comes last", () => {
    const witness = waiting();
    const sent = rolls(witness);
    expect(sent.pool).toBe(toHex(mixed(firstPool(CONTEXT), OTHER, SALT)));
    expect(show(witness, honest([first, person(ME, sent.salt)]))).toBe(null);
    expect(rolls(witness, 2).salt).not.toBe(sent.salt);
  });

  test("is repeated as it was, after a refusal, a lost connection, a reload and in another tab", () => {
    const witness = waiting({ you: [ME, OTHER], rollers: [ME, OTHER] });
    const sent = rolls(witness);
    witness.refused(1, "too_fast");
    expect(rolls(witness, 2)).toEqual(sent);
    witness.reconnected();
    show(witness, honest([first]), { you: [ME, OTHER], rollers: [ME, OTHER] });
    expect(rolls(witness, 3, OTHER)).toEqual(sent); // the same seat, whichever is asked
    const tab = witnessOf();
    show(tab, honest([first]), { you: [ME, OTHER], rollers: [ME, OTHER] });
    expect(rolls(tab)).toEqual(sent);
    expect(show(tab, honest([first, person(ME, sent.salt)]))).toBe(null);
    expect(show(witness, honest([first, person(ME, sent.salt)]))).toBe(null);
  });

  test("is sent again only while it has still to be made", () => {
    const witness = waiting();
    const { salt } = rolls(witness);
    witness.reconnected();
    show(witness, honest([first]));
    expect(witness.wantsRollAgain()).toBe(true);
    witness.reconnected();
    show(witness, honest([first, person(ME, salt)]));
    expect(witness.wantsRollAgain()).toBe(false);
  });

  test("breaks the seal if anything else comes of it", () => {
    const others: [SealRoller, Broken][] = [
      [person(ME, saltOf(7)), "request"], // an invented salt in one's own name
      [person(OTHER, saltOf(7)), "request"], // in another's
      [computer(ME), "request"], // one's own left out
      [person(ME, SALT), "salt"], // an old one again
    ];
    for (const [roller, broken] of others) {
      localStorage.removeItem(KEY);
      const witness = waiting();
      rolls(witness);
      expect(show(witness, honest([first, roller]))).toBe(broken);
    }
  });

  test("breaks the seal if the server says that there is another pool", () => {
    const witness = waiting();
    rolls(witness);
    witness.refused(1, "stale" satisfies Reason);
    expect(witness.testimony.get().broken).toBe(null);
    rolls(witness, 2);
    witness.refused(2, "other_pool");
    expect(witness.testimony.get().broken).toBe("request");
  });

  test("may come too late: then the page says so", () => {
    const together = { rollers: [OTHER, ME] };
    const faster = waiting(together);
    rolls(faster);
    expect(show(faster, honest([first, person(OTHER, saltOf(7))]))).toBe(null);
    expect(faster.testimony.get().overtaken).toBe(1);
    localStorage.removeItem(KEY);
    const away = waiting();
    rolls(away);
    away.reconnected();
    expect(show(away, honest([first, computer(ME)]))).toBe(null);
    expect(away.testimony.get().overtaken).toBe(1);
    show(witnessOf(), honest([first, computer(ME)]));
    expect(away.testimony.get().overtaken).toBe(1);
  });
});

describe("a roll in the page's own name that it did not ask for", () => {
  const first = person(OTHER, SALT);

  test("breaks the seal until the person says that they rolled elsewhere", () => {
    const witness = waiting();
    const log = honest([first, person(ME, saltOf(7)), person(ME, saltOf(8))]);
    expect(show(witness, log.slice(0, 2))).toBe("foreign");
    witness.rolledElsewhere();
    expect(witness.testimony.get()).toMatchObject({ broken: null, elsewhere: true });
    expect(show(witness, log)).toBe(null);
  });

  test("is not asked about if it was before the page held the seat, or after", () => {
    const log = honest([first, person(ME, saltOf(7)), person(ME, saltOf(8))]);
    const late = witnessOf();
    show(late, log.slice(0, 2), { rollers: [OTHER] });
    expect(late.testimony.get().broken).toBe(null);
    localStorage.removeItem(KEY);
    const left = waiting();
    expect(show(left, log, { you: [] })).toBe(null);
    expect(show(left, log)).toBe(null); // it has come back since
  });
});

describe("a roll of others", () => {
  const first = person(OTHER, SALT);
  const robot = [{ kind: "computer" }, { kind: "person" }] as StateMessage["seats"];

  test("comes from whom it is to come from", () => {
    const cases: [number, StateMessage["seats"] | undefined, SealRoller, Broken | null][] = [
      [OTHER, undefined, person(OTHER, saltOf(7)), null],
      [OTHER, undefined, computer(OTHER), "salt"], // a person's roll without a request
      [OTHER, robot, computer(OTHER), null],
      [OTHER, robot, person(OTHER, saltOf(7)), "salt"], // invented for a computer player
      [ME, undefined, person(OTHER, saltOf(7)), "salt"], // not to roll
      [OTHER, undefined, person(OTHER, SALT), "salt"], // used before
    ];
    for (const [to, seats, roller, broken] of cases) {
      localStorage.removeItem(KEY);
      const part = { rollers: [to], ...(seats ? { seats } : {}) };
      expect(show(waiting(part), honest([first, roller]), part)).toBe(broken);
    }
  });

  test("has a salt only where somebody rolls", () => {
    const log = honest([first, person(OTHER, saltOf(7))]);
    log[1] = { ...log[1]!, text: "=ybg" };
    expect(show(waiting({ rollers: [OTHER] }), log)).toBe("salt");
  });
});

test("the witness file has what was sent and seen", () => {
  const witness = waiting();
  const { salt } = rolls(witness);
  show(witness, honest([person(OTHER, SALT), person(ME, salt)]));
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

test("only the last tables are kept, and what proved nothing is dropped", () => {
  localStorage.setItem("foxclover-seals", "{}");
  for (let number = 0; number < 50; number += 1) {
    keepCommitment(`table${number}`, CONTEXT, LAST);
  }
  expect(localStorage.length).toBe(40);
  expect(localStorage.getItem("foxclover-seals")).toBe(null);
});

test("a roll is checked in less than 5 ms", () => {
  const log = honest(Array.from({ length: 150 }, (_, at) => person(OTHER, saltOf(at))));
  const witness = witnessOf();
  witness.see(state(log), log);
  const began = performance.now();
  witness.see(state(log), log);
  expect((performance.now() - began) / log.length).toBeLessThan(5);
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
    const found = piles.drawnFrom(text, told?.map((name) => `card ${name}`) ?? null, 2, left, seen);
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
