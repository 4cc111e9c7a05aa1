import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchRules } from "../api";
import { Icon } from "../art/icons";
import type { Layout } from "../protocol";
import { locale, sections, translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { Failure } from "../ui/notices";
import { restartCoach } from "./coach";
import { Ratings } from "./ratings";

/** The rules: first what is special about the game, then what its family shares. */
export function RulesDialog({
  layout,
  title,
  credit,
  picture,
  onClose,
}: {
  layout: Layout;
  title: string;
  credit: string;
  picture: JSX.Element;
  onClose: () => void;
}): JSX.Element {
  const { language } = locale.get();
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    fetchRules(language).then(setTexts, setFailure);
  }, [language]);
  const ruleSections = [
    ...sections(texts, `rules.${layout.game}`),
    ...sections(texts, `rules.${layout.kind}`),
  ];
  const restart = (): void => {
    restartCoach(layout.game);
    onClose();
  };
  return (
    <Dialog title={`${title}: ${translate("page.rules")}`} kind="drawer" onClose={onClose}>
      <div class="rules">
        <p class="credit">{credit}</p>
        {picture}
        <button type="button" class="button small" onClick={restart}>
          <Icon name="guide" /> {translate("page.guide.again")}
        </button>
        <Failure text={failure?.message} />
        {ruleSections.map(({ name, title: heading, text }, at) => (
          <details key={name} open={at === 0 || name === "cards"}>
            <summary>{heading}</summary>
            <Paragraphs text={text} />
            {name === "solo" && <Ratings ratings={layout.levels} />}
          </details>
        ))}
      </div>
    </Dialog>
  );
}

/** Paragraphs; lines that start with "- " are items of a list. */
function Paragraphs({ text }: { text: string }): JSX.Element {
  return (
    <>
      {parseBlocks(text).map((block, at) =>
        block.isList ? (
          <ul key={at}>
            {block.lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        ) : (
          <p key={at}>{block.lines[0]}</p>
        ),
      )}
    </>
  );
}

export function parseBlocks(text: string): { isList: boolean; lines: string[] }[] {
  const result: { isList: boolean; lines: string[] }[] = [];
  for (const line of text.split("\n").filter((row) => row !== "")) {
    const isList = line.startsWith("- ");
    const last = result.at(-1);
    if (isList && last?.isList) {
      last.lines.push(line.slice(2));
    } else {
      result.push({ isList, lines: [isList ? line.slice(2) : line] });
    }
  }
  return result;
}
