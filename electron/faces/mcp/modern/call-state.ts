import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { invalidParams } from "../errors";
import { abandonedAfter } from "./plain-calls";

/** What a plain call that asked something needs to go on; its client carries it, and can neither read into it nor change it. */
const callStateSchema = z.object({ tool: z.string(), task: z.string() });
export type CallState = z.output<typeof callStateSchema>;

/** Signed, and bound to the client: a state is worth nothing to anybody else, nor after its time. */
export class CallStates {
  readonly #codec: RequestStateCodec;

  constructor(key: Uint8Array) {
    this.#codec = createRequestStateCodec({
      key,
      ttlSeconds: abandonedAfter / 1_000,
      bind: (context) => context.http?.authInfo?.clientId ?? "",
    });
  }

  seal(state: CallState, context: ServerContext): Promise<string> {
    return this.#codec.mint(state, context);
  }

  /** The state that a request carries; undefined when it carries none, or one that is not ours. */
  async of(context: ServerContext): Promise<CallState | undefined> {
    const carried: unknown = context.mcpReq.requestState();
    if (typeof carried !== "string") return undefined;
    try {
      return callStateSchema.parse(await this.#codec.verify(carried, context));
    } catch {
      // Changed, expired, another client's, or of a tool that makes its own.
      return undefined;
    }
  }
}

export function invalidState() {
  return invalidParams("Invalid or expired requestState: call the tool again without it.");
}
