import { expect, test } from "vitest";
import { weekText } from "../src/daily/week-text";
import { lossText, placeSentence, placeText } from "../src/me/skill-text";
import type { WeekMember } from "../src/protocol";
import { resultText } from "../src/table/share-result";

const place = (weaker: string, stronger: string) => ({ loss: 1.234, error: 0.1, weaker, stronger });

function member(name: string, points: number, loss: number | null, ranks: number[]): WeekMember {
  return {
    name,
    tag: "abcd",
    you: false,
    scores: [],
    losses: [],
    points,
    place: ranks[0] ?? 0,
    skill: loss === null ? null : { ...place("easy", "medium"), loss },
    skill_place: ranks[1] ?? null,
    rating: null,
  };
}

test("a skill is described by the computer players around it", () => {
  const found = [
    ["easy", "medium"],
    ["easy", "easy"],
    ["", "random"],
    ["strong", ""],
    ["", ""],
  ].map(([weaker = "", stronger = ""]) => [
    placeSentence(place(weaker, stronger)),
    placeText(place(weaker, stronger)),
  ]);
  // Tests have no texts: keys stand for them.
  expect(found).toEqual([
    ["page.skill.between", "page.skill.place.between"],
    ["page.skill.like", "page.skill.place.like"],
    ["page.skill.below", "page.skill.place.below"],
    ["page.skill.above", "page.skill.place.above"],
    ["", ""],
  ]);
  expect(lossText({ ...place("", ""), error: null })).toBe("page.skill.figure.first");
});

test("a shared week has both orders, and only members with a skill in the second", () => {
  const text = weekText(
    {
      game: "g",
      days: ["2026-11-16", "2026-11-22"],
      members: [
        member("Ada", 300, 2, [1, 2]),
        member("Bo", 200, 1, [2, 1]),
        member("Eve", 0, null, [3]),
      ],
      reviewing: 0,
    },
    "Ganz schön clever",
    "https://example.org/daily",
  );
  const lines = text.split("\n");
  expect(lines[0]).toContain("Ganz schön clever · ");
  expect(lines.at(-1)).toBe("https://example.org/daily");
  expect(lines).toHaveLength(4);
});

test("a shared result has the skill of its player, if it is known", () => {
  const result = {
    title: "Ganz schön clever",
    day: "1 May",
    rating: "",
    points: "210 points",
    skill: "",
    players: [{ name: "Ada", points: 210, place: 1 }],
    parts: [],
    link: "https://play.example",
  };
  const plays = "plays like medium, 1.90 points lost per decision";
  expect(resultText(result).split("\n")).toHaveLength(3);
  expect(resultText({ ...result, skill: plays }).split("\n")[2]).toBe(plays);
});
