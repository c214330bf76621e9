import {
  type BaseContext,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { FaceParts } from "../face-parts";
import { commonCapabilities, serverInstructions } from "../server/common-methods";

/** The first revision with tasks, and the last with sessions. */
const withTasks = "2025-11-25";

const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

const toolList = z.array(z.looseObject({ execution: z.unknown() }));

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** A server of the SDK, for one session; it adds what the SDK has no part for. */
export class LegacyServer extends Server {
  readonly #dropped: (id: RequestId) => void;

  /** `dropped` hears of the requests that their client cancelled. */
  constructor(parts: FaceParts, dropped: (id: RequestId) => void) {
    super(
      { name: "simmer", title: "Simmer", version: parts.version },
      { capabilities: commonCapabilities(parts, { tasks }), instructions: serverInstructions },
    );
    this.#dropped = dropped;
  }

  /** Whether the revision that was agreed on has tasks. */
  get hasTasks(): boolean {
    return this.getNegotiatedProtocolVersion() === withTasks;
  }

  /** What a handler asks goes on the stream of its own request, where somebody reads; the SDK would choose the GET stream. */
  protected override buildContext(base: BaseContext, info?: MessageExtraInfo): ServerContext {
    const context = super.buildContext(base, info);
    const { elicitInput, requestSampling } = context.mcpReq;
    const own = { relatedRequestId: base.mcpReq.id };
    const mcpReq: ServerContext["mcpReq"] = {
      ...context.mcpReq,
      elicitInput: (params, options) => elicitInput(params, { ...options, ...own }),
      requestSampling: (params, options) => requestSampling(params, { ...options, ...own }),
    };
    return { ...context, mcpReq };
  }

  /** Runs in the constructor of the base class too, before this one has its fields: they are only read in the wrapper. */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked = super._wrapHandler(method, handler);
    return async (request, context) => {
      const drop = () => this.#dropped(context.mcpReq.id);
      context.mcpReq.signal.addEventListener("abort", drop, { once: true });
      try {
        // The SDK knows no tool result that is a task.
        if (method === "tools/call" && request.params?.task !== undefined && this.hasTasks)
          return await handler(request, context);
        const result = await checked(this.hasTasks ? request : ignoringTask(request), context);
        // Only now: the revision is agreed on by `initialize` itself.
        return this.hasTasks ? result : this.#withoutTasks(method, result);
      } finally {
        context.mcpReq.signal.removeEventListener("abort", drop);
      }
    };
  }

  /** A revision that has no tasks is told of none. */
  #withoutTasks(method: string, result: Result): Result {
    if (method === "initialize") {
      const { tasks: _, ...capabilities } = this.getCapabilities();
      return { ...result, capabilities };
    }
    if (method !== "tools/list") return result;
    return { ...result, tools: toolList.parse(result.tools).map(({ execution: _, ...tool }) => tool) };
  }
}

/** 2025-11-25: whoever has no tasks ignores that one is asked for, however it is asked. */
function ignoringTask(request: JSONRPCRequest): JSONRPCRequest {
  const { task: _, ...params } = request.params ?? {};
  return request.params === undefined ? request : { ...request, params };
}
