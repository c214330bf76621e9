import type { TaskRow } from "../../../shared/desktop/rows";
import { timeOfDay } from "../timeline/durations";
import { words } from "./words";

export interface MetaFact {
  readonly name: "client" | "protocol" | "model" | "time" | "id";
  readonly text: string;
  readonly hint?: string;
}

/** Who asked, how, for which model, when; the id last. */
export function metaOf(row: TaskRow, now: number): MetaFact[] {
  const protocol = words.protocols[row.origin];
  const says = row.caller === null ? {} : { hint: words.saysOfItself(row.caller) };
  return [
    { name: "client", text: row.origin === "desktop" ? words.you : row.client, ...says },
    ...(protocol === null ? [] : [{ name: "protocol" as const, text: protocol }]),
    ...(row.model === null ? [] : [{ name: "model" as const, text: row.model }]),
    { name: "time", text: `${timeOfDay(row.createdAt)} ${dayOf(row.createdAt, now)}` },
    { name: "id", text: shortId(row.id), hint: row.id },
  ];
}

const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });

function dayOf(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return words.today;
  return (then.getFullYear() === today.getFullYear() ? day : dayAndYear).format(at);
}

/** The beginning tells the time, the end tells tasks apart. */
function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 9)}…${id.slice(-4)}`;
}
