import type { Measure } from "../measure";

/** Connections that the test's own clients keep open between their requests. */
export const keptConnections = 4;
/** Bytes of garbage-collected heap that may come and go by compiled code and by caches that are full. */
const heapNoise = 6 * 1024 * 1024;

/** What a host still has at the end that it had not when it was warm, each in words. */
export function leftovers(measures: readonly Measure[]): string[] {
  const most = { connections: keptConnections, descriptors: keptConnections, threads: 0 } as const;
  const names = ["connections", "descriptors", "threads"] as const;
  return [...names.flatMap((name) => moreOf(name, measures, most[name])), ...heapLeftovers(measures)];
}

export function heapLeftovers(measures: readonly Pick<Measure, "heapUsed">[]): string[] {
  return moreOf("heapUsed", measures, heapNoise);
}

function moreOf<Name extends string>(
  name: Name,
  measures: readonly Readonly<Record<Name, number>>[],
  most: number,
): string[] {
  const [base, last] = [measures[0], measures.at(-1)];
  if (base === undefined || last === undefined) throw new Error("Nothing was measured");
  return last[name] - base[name] > most ? [`${name}: ${base[name]} -> ${last[name]}`] : [];
}
