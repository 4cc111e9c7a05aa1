/** Opens a table and goes there. */
import { createTable } from "../api";
import { keepCommitment } from "../fair/record";
import { keepSeats, memory } from "../memory";
import { tablePath } from "../paths";
import type { GameInfo, SeatWish, TableOptions } from "../protocol";
import { go } from "../route";
import { spoken } from "../translate";

export type Company = "alone" | "computer" | "friends" | "here";

/** The strength that is suggested: the middle one. */
export function usualLevel(levels: readonly string[]): string {
  return levels[Math.floor(levels.length / 2)] ?? "";
}

export async function makeTable(
  game: GameInfo,
  seats: SeatWish[],
  options: TableOptions = {},
): Promise<void> {
  const made = await createTable({
    game: game.key,
    language: spoken.get().language,
    pace: memory.get().pace,
    options,
    seats,
  });
  if (made.sealing) {
    keepCommitment(made.table, made.sealing.context, made.sealing.commitment);
  }
  keepSeats(
    made.table,
    made.seats.map((seat) => seat.token),
  );
  go(tablePath(made.table), { invites: seats.some((seat) => seat.kind === "friend") });
}

/** The usual table for one press: oneself, and nobody, a computer player, a friend or somebody beside one. */
export function makeUsualTable(
  game: GameInfo,
  company: Company,
  levels: readonly string[],
): Promise<void> {
  const { name } = memory.get();
  const me: SeatWish = { kind: "me", ...(name === "" ? {} : { name }) };
  const others: Record<Company, SeatWish[]> = {
    alone: [],
    computer: [{ kind: "computer", level: usualLevel(levels) }],
    friends: [{ kind: "friend" }],
    here: [{ kind: "here" }],
  };
  return makeTable(game, [me, ...others[company]]);
}
