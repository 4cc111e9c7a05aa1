import { expect, it } from "vitest";
import { dieLetters } from "../src/clever/die-keys";

it("takes the first letter of each colour, and the next free one where two begin alike", () => {
  expect(dieLetters(["Yellow", "Blue", "Green", "Orange", "Purple", "White"])).toEqual([
    "y",
    "b",
    "g",
    "o",
    "p",
    "w",
  ]);
  expect(dieLetters(["Gelb", "Blau", "Grün", "Orange", "Lila", "Weiß"])).toEqual([
    "g",
    "b",
    "n",
    "o",
    "l",
    "w",
  ]);
  expect(dieLetters(["Zilver", "Geel", "Blauw", "Groen", "Roze", "Wit"])).toEqual([
    "z",
    "g",
    "b",
    "o",
    "e",
    "w",
  ]);
});
