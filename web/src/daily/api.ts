/** Requests of the daily challenge. */
import { askServer } from "../api";
import { deviceToken } from "../me/identity";
import { memory, saveSeats } from "../memory";
import { tablePath } from "../paths";
import type { Board, DailyStarted, Report, Solution, Today, Together, Week } from "../protocol";
import { go } from "../route";
import { seatSecret } from "./day";

async function ask<T>(path: string, body: object = {}): Promise<T> {
  return askServer(`/api/daily${path}`, { token: await deviceToken(), ...body });
}

export const fetchToday = (): Promise<Today> => ask("");
export const fetchLeaderboard = (game: string, day: string, group: string): Promise<Board> =>
  ask("/board", { game, day, ...(group === "" ? {} : { group }) });
export const fetchSolution = (game: string, day: string): Promise<Solution> =>
  ask("/solution", { game, day });
export const createGroup = (name: string): Promise<Today> => ask("/group", { name });
export const joinGroup = (code: string): Promise<Today> => ask("/join", { code });
export const fetchGroupResults = (code: string): Promise<Together> => ask("/together", { code });
export const fetchWeek = (code: string, game: string, day: string): Promise<Week> =>
  ask("/week", { code, game, ...(day === "" ? {} : { day }) });
export const sendReport = (report: Omit<Report, "token">): Promise<object> =>
  ask("/report", report);
export const leaveGroup = (code: string): Promise<Today> => ask("/leave", { code });

/** Start the game of a day, or continue it. */
export async function startDailyGame(day: string, game: string): Promise<void> {
  const { name } = memory.get();
  const seat = seatSecret(await deviceToken(), day, game);
  const { table } = await ask<DailyStarted>("/start", {
    game,
    seat,
    ...(name === "" ? {} : { name }),
  });
  saveSeats(table, [seat]);
  go(tablePath(table));
}
