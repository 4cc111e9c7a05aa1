import { beforeAll, describe, expect, it } from "vitest";
import { previewMoves } from "../src/clever/preview";
import type { CleverLayout, CleverMoveView, CleverPreview } from "../src/protocol";
import { locale } from "../src/translate";

const LAYOUT = { kind: "clever", areas: [], dice: [], words: {} } as unknown as CleverLayout;

function words(moves: Pick<CleverMoveView, "die" | "area" | "cell">[]): string | undefined {
  const legal = moves.map(
    (move, id): CleverMoveView => ({
      family: "clever",
      id,
      text: "",
      words: "",
      kind: "use",
      value: 0,
      bonus: "",
      ...move,
    }),
  );
  const previews = legal.map(
    ({ id }): CleverPreview => ({
      family: "clever",
      id,
      points: 3,
      cells: [],
      platter: [],
      bonuses: [],
    }),
  );
  return previewMoves(LAYOUT, legal, previews)?.words;
}

describe("the preview of several moves", () => {
  beforeAll(() =>
    locale.set({
      language: "en",
      texts: {
        "page.preview.fields": "{count} fields",
        "page.preview.dice": "{count} dice fit",
        "page.preview.numbers": "{count} numbers",
        "page.preview.points": "+{count}",
      },
    }),
  );

  it("of one die counts their fields", () => {
    expect(
      words([
        { die: 0, area: 0, cell: 0 },
        { die: 0, area: 0, cell: 9 },
      ]),
    ).toBe("2 fields · +3");
  });

  it("into one field counts the dice that fit", () => {
    expect(
      words([
        { die: 0, area: 0, cell: 9 },
        { die: 5, area: 0, cell: 9 },
      ]),
    ).toBe("2 dice fit · +3");
  });

  it("of one die into one field counts their numbers", () => {
    expect(
      words([
        { die: 0, area: 4, cell: 2 },
        { die: 0, area: 4, cell: 2 },
        { die: 0, area: 4, cell: 2 },
      ]),
    ).toBe("3 numbers · +3");
  });
});
