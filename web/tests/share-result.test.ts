import { expect, it } from "vitest";
import { resultText, type SharedResult } from "../src/table/share-result";

const SOLO: SharedResult = {
  title: "Ganz schön clever",
  day: "Daily challenge, 19 November 2026, place 2 of 9",
  rating: "Rating 7 of 9: masterly.",
  points: "248 points",
  skill: "",
  players: [{ name: "Me", points: 248, place: 1 }],
  parts: [
    { name: "yellow", words: "Yellow", points: 60, colour: "#f2c335" },
    { name: "blue", words: "Blue", points: 31, colour: "#3a74c4" },
    { name: "level 5", words: "Level 5", points: 1, colour: "" },
    { name: "foxes", words: "Foxes", points: 0, colour: "" },
  ],
  link: "https://play.example/daily",
};

it("a solo result has game, day, place, points, rating, squares of the areas, and the link", () => {
  expect(resultText(SOLO).split("\n")).toEqual([
    "Ganz schön clever · Daily challenge, 19 November 2026, place 2 of 9",
    "248 points · Rating 7 of 9: masterly.",
    "🟨🟨🟨🟨🟨🟨 60",
    "🟦🟦🟦🟦 31",
    "🔶 1",
    "https://play.example/daily",
  ]);
});

it("a result of several lists them by place, and the skill below", () => {
  const players = [
    { name: "Me", points: 201, place: 2 },
    { name: "Bo", points: 233, place: 1 },
  ];
  expect(
    resultText({ ...SOLO, players, skill: "Skill: Medium" })
      .split("\n")
      .slice(1, 3),
  ).toEqual(["1. Bo 233, 2. Me 201", "Skill: Medium"]);
});
