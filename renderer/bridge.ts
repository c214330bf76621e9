import { config } from "zod";
import { type CallName, contract, type DesktopBridge, type Input, type Output } from "../shared/desktop/contract";
import { type Feed, feedSchema } from "../shared/desktop/feed";

// zod would try whether it may compile code, which the page's security policy refuses and reports.
config({ jitless: true });

declare global {
  interface Window {
    readonly simmer: DesktopBridge;
  }
}

/** A call that was refused, with words that a person can act on. */
export class CallProblem extends Error {
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.name = "CallProblem";
    this.code = code;
  }
}

/** What the window asks of the main process and hears from it. */
export interface Bridge {
  /** Throws a CallProblem when it is refused, or when the answer does not keep to the contract. */
  ask<Name extends CallName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
  /** Hears the feed; null is a message that does not keep to the contract. The result stops it. */
  onFeed(listener: (feed: Feed | null) => void): () => void;
  onCommand(listener: (command: string) => void): () => void;
}

/** The only place that touches what the preload put on the page. */
export function openBridge(): Bridge {
  return bridgeOver(window.simmer);
}

export function bridgeOver(desktop: DesktopBridge): Bridge {
  return {
    ask: (name, input) => ask(desktop, name, input),
    onFeed: (listener) => desktop.onFeed((message) => listener(feedSchema.safeParse(message).data ?? null)),
    onCommand: (listener) => desktop.onCommand(listener),
  };
}

async function ask<Name extends CallName>(
  desktop: DesktopBridge,
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  const answer = await desktop.call(name, input);
  if (!answer.ok) throw new CallProblem(answer.problem.code, answer.problem.detail);
  const value = contract[name].output.safeParse(answer.value);
  if (!value.success) throw new CallProblem("internal", `The answer to "${name}" was not understood.`);
  return value.data as Output<Name>;
}
