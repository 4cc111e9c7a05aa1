import type { ComponentChildren, VNode } from "preact";
import { expect, it } from "vitest";
import { WaitingCards } from "../src/climb/side";
import type { CardLayout } from "../src/protocol";

const CARD = { name: "33", colour: "green" } as CardLayout;

it("shows the card offered for exchange once, among the waiting cards", () => {
  const cards = new Map([CARD, { ...CARD, name: "34" }].map((card) => [card.name, card]));
  const group = WaitingCards({
    cards,
    waiting: ["34", "33"],
    offered: "33",
    chosen: null,
    hinted: "",
    handleOf: () => null,
  }) as VNode<{ children: ComponentChildren }>;
  const shown = group.props.children as VNode<{ card: CardLayout; offered: boolean }>[];
  expect(shown.map(({ props }) => [props.card.name, props.offered])).toEqual([
    ["34", false],
    ["33", true],
  ]);
});
