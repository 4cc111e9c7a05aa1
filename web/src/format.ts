/** Numbers as people write them. */
import { spoken } from "./translate";

export function points(value: number, signed = false): string {
  return new Intl.NumberFormat(spoken.get().language, {
    maximumFractionDigits: 1,
    minimumFractionDigits: 1,
    signDisplay: signed ? "exceptZero" : "auto",
  }).format(value);
}

export function percent(share: number): string {
  return new Intl.NumberFormat(spoken.get().language, {
    style: "percent",
    maximumFractionDigits: 0,
  }).format(share);
}
