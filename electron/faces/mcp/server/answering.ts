import {
  ProtocolError,
  type Result,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { ProblemError } from "../../../../shared/problem";
import { protocolError } from "../errors";

/** Fields that we do not read may hold anything: a later revision may have put them there. */
export const anyParams = z.looseObject({});
export const taskParams = z.looseObject({ taskId: z.string() });

/**
 * Answers a method. What the handler throws becomes an error of JSON-RPC that says what could not be done (`doing`, such
 * as "retrieve task"); a bug is told to `onBug` and nobody else.
 */
export function answering<P extends StandardSchemaV1>(
  server: Server,
  onBug: (error: unknown) => void,
  method: string,
  doing: string,
  params: P,
  handler: (params: StandardSchemaV1.InferOutput<P>, context: ServerContext) => Result | Promise<Result>,
): void {
  server.setRequestHandler(method, { params }, async (given, context) => {
    try {
      return await handler(given, context);
    } catch (error) {
      // Whoever left does not hear what became of the call.
      const isExpected =
        error instanceof ProblemError || error instanceof ProtocolError || context.mcpReq.signal.aborted;
      if (!isExpected) onBug(error);
      throw protocolError(error, doing);
    }
  });
}
