/** A stretch of time that runs or ran, in milliseconds, without a unit: `0:07`, `1:36`, `1:02:10`. */
export function clockOf(milliseconds: number): string {
  const all = Math.max(0, Math.floor(milliseconds / 1_000));
  const [hours, minutes, seconds] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

const two = (number: number) => String(number).padStart(2, "0");
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Tokens per second; a tenth says nothing where hundreds are written. */
export function rateOf(tokensPerSecond: number): string {
  return `${tokensPerSecond < 100 ? tenths.format(tokensPerSecond) : whole.format(tokensPerSecond)} tok/s`;
}

const exact = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/** A figure with all its digits. */
export function figureOf(number: number): string {
  return exact.format(number);
}

export function countOf(number: number): string {
  return whole.format(number);
}

export function percentOf(part: number, of: number): number {
  return of > 0 ? Math.min(100, Math.floor((part * 100) / of)) : 0;
}

/** `next`, `2nd`, `3rd`, `11th`: a place in the queue, counted from 1. */
export function placeOf(place: number): string {
  if (place === 1) return "next";
  const teens = place % 100 > 10 && place % 100 < 14;
  const ending = teens ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}
