import { describe, expect, it } from "vitest";
import { highlightedZones, moveInto, movesOfCard } from "../src/climb/choice";
import type { ClimbMoveView } from "../src/protocol";

function move(part: Partial<ClimbMoveView>): ClimbMoveView {
  return {
    family: "climb",
    id: 0,
    text: "",
    words: "",
    kind: "build",
    card: "",
    level: -1,
    colour: "",
    option: -1,
    ...part,
  };
}

const building = [
  move({ card: "7", level: 0 }),
  move({ card: "7", level: 1 }),
  move({ card: "8", level: 1 }),
];

describe("dragging cards", () => {
  it("highlights the levels of the chosen card", () => {
    expect(highlightedZones(building, "7")).toEqual(new Set(["active:0", "active:1"]));
  });

  it("highlights a level without a chosen card only if one card can go there", () => {
    expect(highlightedZones(building, null)).toEqual(new Set(["active:0"]));
    expect(moveInto(building, null, "active:0")).toBe(building[0]);
    expect(moveInto(building, null, "active:1")).toBeNull();
  });

  it("distinguishes pushing and scoring by the zone", () => {
    const pushing = [
      move({ kind: "push", card: "7", level: 2 }),
      move({ kind: "score", card: "7", level: 1 }),
    ];
    expect(moveInto(pushing, "7", "active:2")).toBe(pushing[0]);
    expect(moveInto(pushing, "7", "scored:1")).toBe(pushing[1]);
    expect(moveInto(pushing, "7", "scored:2")).toBeNull();
  });
});

it("excludes purchases and exchanges from the moves of a card", () => {
  const moves = [
    move({ kind: "exchange", card: "7" }),
    move({ kind: "fulfil", card: "7" }),
    move({ kind: "buy" }),
  ];
  expect(movesOfCard(moves, "7")).toEqual([moves[1]]);
  expect(movesOfCard(moves, "")).toEqual([]);
});
