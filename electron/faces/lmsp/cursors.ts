import { ProblemError } from "../../../shared/problem";

/**
 * Where a reader of events stands: the number of the last event it has, -1 for none. An EventSource reconnects to the
 * same URL with a newer `Last-Event-ID`, so the header wins over the query.
 */
export function eventCursor(header: string | readonly string[] | undefined, query: string | undefined): number {
  const given = header ?? query;
  if (given === undefined) return -1;
  const number = typeof given === "string" && /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  const name = header === undefined ? "starting_after" : "Last-Event-ID";
  throw new ProblemError("invalid_request", `${name}: must be the number of an event`);
}

/** The place in a list after which the next page begins; opaque to clients. */
export function listCursor(row: number): string {
  return Buffer.from(String(row)).toString("base64url");
}

export function rowOfListCursor(cursor: string): number {
  const row = Number(Buffer.from(cursor, "base64url").toString());
  if (Number.isSafeInteger(row) && listCursor(row) === cursor) return row;
  throw new ProblemError("invalid_request", "cursor: is not a cursor of this list");
}
