import { clockOf } from "../../ui/figures";

/** "31 ms" under a tenth of a second, "4.2 s" under ten seconds, "22 s" under a minute, then 1:36 and 1:02:10. */
export function durationOf(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000;
  if (seconds < 0.1) return `${Math.round(seconds * 1_000)} ms`;
  // Truncated, as the clock is: a figure never runs ahead of the time.
  if (seconds < 10) return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`;
  return seconds < 60 ? `${Math.floor(seconds)} s` : clockOf(milliseconds);
}

/** A label of the axis. A range of a few seconds is counted in seconds. */
export function offsetOf(milliseconds: number, range: number): string {
  return range < 6_000 ? `${Math.round(milliseconds / 1_000)} s` : clockOf(milliseconds);
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** The time of day: 14:02:11. */
export function timeOfDay(at: number): string {
  return clock.format(at);
}
