/** Requests about puzzles. Without a server, the results are stored in the browser. */
import { SITE } from "#backend";
import { askServer } from "../api";
import { deviceToken } from "../me/identity";
import type { AnswerPuzzle, AskPuzzle, PuzzleAnswer, PuzzleQuestion } from "../protocol";
import { readText, writeText } from "../storage";

const recordKey = (game: string): string => `foxclover.puzzles.${game}`;

async function ask<T extends PuzzleAnswer | PuzzleQuestion>(
  path: string,
  body: Omit<AskPuzzle, "token"> | Omit<AnswerPuzzle, "token">,
): Promise<T> {
  const record = SITE ? (readText(recordKey(body.game)) ?? "") : null;
  const answer = await askServer<T>(`/api/puzzles${path}`, {
    token: await deviceToken(),
    ...body,
    ...(record === null ? {} : { record }),
  });
  if (SITE) {
    writeText(recordKey(body.game), answer.you.record);
  }
  return answer;
}

export const fetchPuzzle = (
  game: string,
  which: AskPuzzle["which"],
  name?: string,
): Promise<PuzzleQuestion> => ask("", { game, which, ...(name === undefined ? {} : { name }) });

/** Answer a puzzle; without a move, its solution is shown. */
export const answerPuzzle = (
  { game, id, rated }: Pick<PuzzleQuestion, "game" | "id" | "rated">,
  move: number | null,
  streak: boolean,
): Promise<PuzzleAnswer> =>
  ask("/answer", { game, id, rated, streak, ...(move === null ? {} : { move }) });
