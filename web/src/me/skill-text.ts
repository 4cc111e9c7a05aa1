/** Skill ratings as text. */
import { formatLoss } from "../format";
import type { SkillPlace, SkillRating } from "../protocol";
import { translate, translateOptional } from "../translate";
import { fetchSkills } from "./api";

const nameOf = (strength: string): string =>
  translateOptional(`server.level.${strength}`) ?? strength;

type Kind = "between" | "like" | "above" | "below";

/** Where a skill is on the scale; null for a game without one. */
function kindOf({ weaker, stronger }: SkillPlace): Kind | null {
  if (weaker === stronger) {
    return weaker === "" ? null : "like";
  }
  if (weaker === "") {
    return "below";
  }
  return stronger === "" ? "above" : "between";
}

const around = ({ weaker, stronger }: SkillPlace): { weaker: string; stronger: string } => ({
  weaker: nameOf(weaker),
  stronger: nameOf(stronger),
});

/** Describe the place of a skill between the computer players as a sentence. */
export function placeSentence(skill: SkillPlace): string {
  const kind = kindOf(skill);
  return kind === null ? "" : translate(`page.skill.${kind}`, around(skill));
}

/** The same in a few words. */
export function placeText(skill: SkillPlace): string {
  const kind = kindOf(skill);
  return kind === null ? "" : translate(`page.skill.place.${kind}`, around(skill));
}

/** Format the loss per decision with its standard error. */
export const lossText = ({ loss, error }: SkillPlace): string =>
  error === null
    ? translate("page.skill.figure.first", { loss: formatLoss(loss) })
    : translate("page.skill.figure", { loss: formatLoss(loss), error: formatLoss(error) });

/** Describe the player's skill in a game for others; an empty text if it is not known. */
export async function describeSkill(game: string, several: boolean): Promise<string> {
  const { skills } = await fetchSkills().catch(() => ({ skills: [] as SkillRating[] }));
  const found = skills.find((skill) => skill.game === game && skill.several === several);
  const place = found ? placeText(found) : "";
  return found && place !== ""
    ? translate("page.skill.shared", { place, loss: formatLoss(found.loss) })
    : "";
}
