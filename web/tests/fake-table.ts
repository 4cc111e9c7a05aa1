/** A small Clever table for tests: its layout, its first states, and a server that says nothing. */
import type {
  CleverLayout,
  CleverMoveView,
  CleverView,
  ServerMessage,
  StateMessage,
} from "../src/protocol";
import type { Transport } from "../src/transport";

const CELL = { row: 0, name: "", minimum: 0, factor: 1, bonus: "", bonus_minimum: 0 };
export const LAYOUT: CleverLayout = {
  kind: "clever",
  game: "ganz-schoen-clever",
  paints: [],
  words: { yellow: "yellow", blue: "blue" },
  levels: [],
  dice: [
    { name: "yellow", letter: "y", area: 0, row: 0 },
    { name: "blue", letter: "b", area: 0, row: 0 },
  ],
  areas: [
    {
      name: "yellow",
      kind: "grid",
      rows: 1,
      columns: 2,
      order: "any",
      circles: false,
      scoring: "groups",
      row_names: [],
      cells: [
        { ...CELL, column: 0, number: 3 },
        { ...CELL, column: 1, number: 6 },
      ],
      lines: [],
      groups: [],
      printed: [],
    },
  ],
  actions: [],
  rewards: [],
  foxes: 0,
};
const VIEW: CleverView = {
  kind: "clever",
  round: 1,
  rounds: 6,
  roll: 1,
  chance: "",
  acting: [0],
  over: false,
  places: [],
  active: 0,
  passive_turn: false,
  dice: [
    { face: 3, lies: "hand" },
    { face: 5, lies: "hand" },
  ],
  fields: [-1, -1, -1],
  follow: [],
  sheets: [
    {
      marks: [[0, 0]],
      written: [[0, 0]],
      won: [[]],
      points: [0],
      foxes: 0,
      fox_points: 0,
      total: 0,
      actions: [],
      heap: [],
      stage: "choose",
      extra_used: [],
    },
  ],
};
const move = (id: number, die: number, cell: number): CleverMoveView => ({
  family: "clever",
  id,
  text: `m${id}`,
  words: `move ${id}`,
  kind: "use",
  die,
  area: 0,
  cell,
  value: 0,
  bonus: "",
});
/** A first state, in which each die fits both fields. */
export const STATE: StateMessage = {
  type: "state",
  table: "bcdfgh",
  seq: 1,
  game: LAYOUT.game,
  you: [0],
  resting: [],
  host: true,
  seats: [
    {
      seat: 0,
      kind: "person",
      name: "Ada",
      named: true,
      level: "",
      open: false,
      connected: true,
      stand_in: false,
      away_since: null,
    },
  ],
  spectators: 0,
  watchers: [],
  view: VIEW,
  acting: [0],
  moves: [{ seat: 0, moves: [move(1, 0, 0), move(2, 0, 1), move(3, 1, 0), move(4, 1, 1)] }],
  prompts: [{ seat: 0, words: "Choose a die." }],
  headline: "",
  rollers: [],
  undo: [],
  scores: [0],
  log_from: 0,
  log: [],
  over: false,
  result: null,
  invitation: null,
  rematch: null,
  deadline: null,
  practice: false,
  daily: null,
  sealing: null,
  typed_dice: false,
  entry: null,
  correct: false,
  pace: 0,
};
/** A bonus whose number the player chooses: 2 or 4. */
export const NUMBER_DUE: StateMessage = {
  ...STATE,
  seq: 2,
  moves: [
    {
      seat: 0,
      moves: [2, 4].map((value, at) => ({
        ...move(11 + at, -1, 0),
        kind: "bonus",
        bonus: "yellow ?",
        value,
      })),
    },
  ],
};
export const AFTER_MOVE: StateMessage = {
  ...STATE,
  seq: 2,
  view: { ...VIEW, roll: 2, sheets: VIEW.sheets.map((sheet) => ({ ...sheet, marks: [[2, 0]] })) },
  moves: [{ seat: 0, moves: [move(6, 1, 1)] }],
  undo: [0],
  log: [{ index: 0, seat: 0, text: "m1", words: "yellow 3", at: 0 }],
};

const REROLL: CleverMoveView = { ...move(9, -1, -1), kind: "reroll", area: -1 };
/** As the first state, with a reroll; then the dice to roll, and the new roll. */
export const BEFORE_REROLL: StateMessage = {
  ...STATE,
  moves: [{ seat: 0, moves: [...(STATE.moves[0]?.moves ?? []), REROLL] }],
};
export const REROLL_DUE: StateMessage = {
  ...STATE,
  seq: 2,
  view: { ...VIEW, chance: "roll" },
  moves: [],
  rollers: [0],
};
export const REROLLED: StateMessage = {
  ...STATE,
  seq: 3,
  view: { ...VIEW, dice: VIEW.dice.map((die) => ({ ...die, face: 6 })) },
};

const sent: { type: string; ref: number; seq?: number }[] = [];
let transport: Transport | null = null;

/** Replaces the module `#backend`. */
export const silentBackend = {
  SITE: false,
  pages: {},
  ask: () => Promise.reject(new Error("no server")),
  probe: () => Promise.resolve(false),
  openTransport: (): Transport => {
    sent.length = 0;
    transport = {
      readyState: WebSocket.OPEN,
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (text) => void sent.push(JSON.parse(text)),
      close: () => undefined,
    };
    return transport;
  },
};

/** Let the page receive a message of the server. */
export const receive = (message: ServerMessage): void =>
  transport?.onmessage?.({ data: JSON.stringify(message) } as MessageEvent<string>);

export const openSocket = (): void => transport?.onopen?.();
export const loseSocket = (): void => transport?.onclose?.();

/** Return the requests of a type that the page has sent. */
export const sentOf = (type: string): { ref: number; seq?: number }[] =>
  sent.filter((message) => message.type === type);

/** Return the ref of the last request of a type. */
export function refOf(type: string): number {
  const request = sentOf(type).at(-1);
  if (!request) {
    throw new Error(`no ${type} was sent`);
  }
  return request.ref;
}
