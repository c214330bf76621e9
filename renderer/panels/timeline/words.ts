import type { PhaseKind } from "./phases";

/** What the timeline says. */
export const words = {
  timeline: "Timeline",
  phases: "Phases",
  kinds: {
    queued: "Queued",
    loading: "Loading",
    reading: "Reading",
    generating: "Generating",
    waiting: "Waiting",
    cancelling: "Cancelling",
    closed: "Closed",
  } satisfies Record<PhaseKind, string>,
  attempt: (number: number) => `Attempt ${number}`,
  earlier: (count: number) => `+ ${count} earlier`,
  fewer: "Show fewer",
  interrupted: "interrupted",
  /** Why an attempt began, by what the engine records. */
  causes: {
    "service restarted": { gap: "Simmer restarted", lane: "after restart" },
    "inference process lost": { gap: "Inference process ended", lane: "after crash" },
    "inference process replaced": { gap: "Inference process replaced", lane: "replaced" },
  } as Readonly<Record<string, { readonly gap: string; readonly lane: string }>>,
  noCause: { gap: "Started again", lane: "started again" },
  answered: "Answered",
  answers: (count: number) => `${count} answers`,
  firstToken: "First token",
  total: "Total",
  from: "From",
  to: "To",
  now: "now",
  duration: "Duration",
  tokens: "Tokens",
  speed: "Speed",
  read: "Read",
  many: (count: number) => `× ${count}`,
  endedWithHost: "until the restart",
  soFar: (total: string) => `so far ${total}`,
  inAll: (total: string) => `${total} in all`,
  attempts: (count: number) => `${count} attempts`,
} as const;
