import { describe, expect, it } from "vitest";
import { arrange, FLAT, NARROW } from "../src/climb/arrange";
import type { TermLayout } from "../src/protocol";

const equal = (dice: string): TermLayout => ({ kind: "equal", dice, value: 0 });
const exact: TermLayout = { kind: "exact", dice: "W", value: 4 };

describe("the size of a condition", () => {
  it("is one die for one die", () => {
    expect(arrange([[exact]], NARROW)).toEqual([1, 1]);
  });
  it("grows downwards on upright cards and sideways on others", () => {
    expect(arrange([[equal("WWW")]], NARROW)).toEqual([2, 2]);
    expect(arrange([[equal("WWW")]], FLAT)).toEqual([3, 1]);
  });
  it("has a line for each group that does not fit beside another one", () => {
    expect(arrange([[equal("WW"), equal("WW")]], NARROW)).toEqual([2, 2]);
    expect(arrange([[exact, exact, exact]], NARROW)).toEqual([2, 2]);
  });
  it("includes the separator between alternatives", () => {
    expect(arrange([[equal("RR")], [equal("BB")]], NARROW)).toEqual([2.5, 2]);
  });
});
