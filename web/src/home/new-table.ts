/** Creates tables. */
import { createTable } from "../api";
import { saveCommitment } from "../fair/record";
import { memory, saveSeats } from "../memory";
import { tablePath } from "../paths";
import type { GameInfo, SeatWish, TableOptions } from "../protocol";
import { go } from "../route";
import { preloadTable } from "../table/lazy";
import { locale } from "../translate";

export type QuickStart = "alone" | "computer" | "friends" | "here";

/** Return the suggested strength: the middle one. */
export function defaultStrength(strengths: readonly string[]): string {
  return strengths[Math.floor(strengths.length / 2)] ?? "";
}

export async function openTable(
  game: GameInfo,
  seats: SeatWish[],
  options: TableOptions = {},
  days = 0,
): Promise<void> {
  preloadTable(game.kind);
  const created = await createTable({
    game: game.key,
    language: locale.get().language,
    pace: memory.get().pace,
    ...(days > 0 ? { days } : {}),
    options,
    seats,
  });
  if (created.sealing) {
    saveCommitment(created.table, created.sealing.context, created.sealing.commitment);
  }
  saveSeats(
    created.table,
    created.seats.map((seat) => seat.token),
  );
  go(tablePath(created.table), { invites: seats.some((seat) => seat.kind === "friend") });
}

/** Create a table for one or two players with default options and go there. */
export function openDefaultTable(
  game: GameInfo,
  quickStart: QuickStart,
  strengths: readonly string[],
): Promise<void> {
  const { name } = memory.get();
  const ownSeat: SeatWish = { kind: "me", ...(name === "" ? {} : { name }) };
  const others: Record<QuickStart, SeatWish[]> = {
    alone: [],
    computer: [{ kind: "computer", level: defaultStrength(strengths) }],
    friends: [{ kind: "friend" }],
    here: [{ kind: "here" }],
  };
  return openTable(game, [ownSeat, ...others[quickStart]]);
}
