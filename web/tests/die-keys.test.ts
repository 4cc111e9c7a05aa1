import { expect, it } from "vitest";
import { dieKeys } from "../src/clever/die-keys";

it("uses the first letter of each colour, or the next free one", () => {
  expect(dieKeys(["Yellow", "Blue", "Green", "Orange", "Purple", "White"])).toEqual([
    "y",
    "b",
    "g",
    "o",
    "p",
    "w",
  ]);
  expect(dieKeys(["Gelb", "Blau", "Grün", "Orange", "Lila", "Weiß"])).toEqual([
    "g",
    "b",
    "n",
    "o",
    "l",
    "w",
  ]);
  expect(dieKeys(["Zilver", "Geel", "Blauw", "Groen", "Roze", "Wit"])).toEqual([
    "z",
    "g",
    "b",
    "o",
    "e",
    "w",
  ]);
});
