/** Numbers as people write them. */
import { locale } from "./translate";

export function points(value: number, signed = false): string {
  return new Intl.NumberFormat(locale.get().language, {
    maximumFractionDigits: 1,
    minimumFractionDigits: 1,
    signDisplay: signed ? "exceptZero" : "auto",
  }).format(value);
}

export function percent(share: number): string {
  return new Intl.NumberFormat(locale.get().language, {
    style: "percent",
    maximumFractionDigits: 0,
  }).format(share);
}
