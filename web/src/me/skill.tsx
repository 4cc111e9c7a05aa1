import type { JSX } from "preact";
import { formatLoss } from "../format";
import type { FinishedGame, SkillRating } from "../protocol";
import { translate } from "../translate";
import { Trend } from "./charts";
import { lossText, placeSentence } from "./skill-text";

/** The skill in a game, alone and against others, with its curve. */
export function SkillPanel({
  skills,
  games,
  waiting,
}: {
  skills: readonly SkillRating[];
  games: readonly FinishedGame[];
  waiting: number;
}): JSX.Element {
  return (
    <>
      {skills.map((skill) => (
        <div key={String(skill.several)} class="skill">
          <h3>
            {translate("page.skill")}:{" "}
            {translate(skill.several ? "page.skill.several" : "page.skill.solo")}
          </h3>
          <p>
            <strong>{lossText(skill)}</strong> {placeSentence(skill)}
          </p>
          <p class="hint-line">{translate("page.skill.games", { count: skill.games })}</p>
          {skill.curve.length > 1 && (
            <Trend
              title={translate("page.skill.curve")}
              scores={lossesOf(games, skill)}
              means={skill.curve}
              format={formatLoss}
            />
          )}
        </div>
      ))}
      {waiting > 0 && (
        <p class="hint-line" role="status">
          {translate("page.skill.waiting", { count: waiting })}
        </p>
      )}
    </>
  );
}

/** The loss per decision of each reviewed game, the oldest first. */
const lossesOf = (
  games: readonly FinishedGame[],
  { game, several }: SkillRating,
): readonly number[] =>
  games
    .filter((played) => played.game === game && played.scores.length > 1 === several)
    .flatMap(({ review }) => (review?.decisions ? review.loss / review.decisions : []))
    .reverse();
