import type { CallToolResult, Result, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Problem, problemOf } from "../../../../shared/problem";
import type { TaskDraft } from "../../../engine/task-service";
import type { QuickTool, TaskTool } from "../../../engine/tool";
import { methodNotFound } from "../errors";
import type { FaceParts } from "../face-parts";
import { legacyTask } from "../projection/task-object";
import { newView } from "../projection/task-view";
import { dataResult, failedCall } from "../projection/tool-result";
import { type ExtraTool, isContinued } from "../registration";
import { type CallTerms, callDraft } from "../tools/call-draft";
import { checkArguments } from "../tools/check-arguments";
import { type FoundTool, findTool } from "../tools/find-tool";
import { type TaskSupport, taskSupportOf } from "../tools/tool-definition";
import { grantedTtl } from "../tools/ttl";
import type { OpenSession } from "./open-session";
import type { PlainCalls } from "./plain-calls";
import { aboutTask } from "./related-task";
import { memoFor } from "./task-memo";

/** What a call says; `ttl` and the arguments are looked at on their own. */
export const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  task: z.looseObject({ ttl: z.unknown().optional() }).optional(),
});

type CallParams = z.output<typeof callParams>;
type Arguments = Readonly<Record<string, unknown>>;

interface Call {
  readonly session: OpenSession;
  readonly context: ServerContext;
  /** How long its task is to be kept; undefined for a plain call. */
  readonly asTask: { readonly ttl: number | null } | undefined;
}

/** `tools/call`, as a task or plain. */
export class ToolCalls {
  readonly #parts: FaceParts;
  readonly #plain: PlainCalls;

  constructor(parts: FaceParts, plain: PlainCalls) {
    this.#parts = parts;
    this.#plain = plain;
  }

  /** Throws what the protocol calls an error; what goes wrong with the tool is an answer. */
  async call(
    { name, arguments: args, task }: CallParams,
    session: OpenSession,
    context: ServerContext,
  ): Promise<Result> {
    const found = findTool(this.#parts.registration, name);
    const asTask = task && { ttl: grantedTtl(task.ttl) };
    checkSupport(name, supportOf(found), asTask !== undefined);
    const call: Call = { session, context, asTask };
    try {
      if (found.kind === "extra") return await this.#extra(found.tool, args, call);
      return await this.#engine(found.tool, args, call);
    } catch (error) {
      const answer = failedCall(error);
      return asTask === undefined ? answer : await this.#refused(name, problemOf(error), call);
    }
  }

  async #engine(tool: QuickTool | TaskTool, args: Arguments, call: Call): Promise<Result> {
    const valid = checkArguments(tool, args);
    return tool.kind === "quick" ? await this.#quick(tool, valid) : await this.#run(tool, valid, call);
  }

  async #quick(tool: QuickTool, args: Arguments): Promise<CallToolResult> {
    return dataResult(await tool.answer(args, { models: () => this.#parts.service.models() }));
  }

  async #extra(tool: ExtraTool, args: Arguments, call: Call): Promise<Result> {
    const answer = await tool.call(args, call.context);
    return isContinued(answer) ? await this.#engine(answer.continuesAs, answer.args, call) : answer;
  }

  async #run(tool: TaskTool, args: Arguments, call: Call): Promise<Result> {
    if (call.asTask !== undefined) return await this.#create(tool.title, callDraft(tool, args, termsOf(call)), call);
    return await this.#plain.run(callDraft(tool, args, termsOf(call)), call.session, call.context);
  }

  /** Whoever asked for a task gets no other answer: what went wrong is that task's result. */
  #refused(name: string, { code, detail }: Problem, call: Call): Promise<Result> {
    const draft = { job: "refuse", title: name, input: { code, detail }, model: null, unnamedModel: "none" } as const;
    return this.#create(name, { ...mcpTerms, ...termsOf(call), ...draft }, call);
  }

  async #create(title: string, draft: TaskDraft, { session }: Call): Promise<Result> {
    const { service, clock } = this.#parts;
    const { task } = await service.create(session.caller, draft);
    const said = `${title} runs as task ${task.id}. Its result comes when it has ended; you can go on meanwhile.`;
    return {
      task: legacyTask(newView(task, service.progress(task), clock.now())),
      _meta: { ...aboutTask(task.id)._meta, "io.modelcontextprotocol/model-immediate-response": said },
    };
  }
}

const mcpTerms = { origin: "mcp", onRestart: "fail", idempotency: null } as const;

function termsOf({ session, context, asTask }: Call): CallTerms {
  return {
    listed: asTask !== undefined,
    ttl: asTask?.ttl ?? null,
    answers: session.answers,
    faceData: memoFor(session, context),
  };
}

function supportOf(found: FoundTool): TaskSupport {
  return found.kind === "engine" ? taskSupportOf(found.tool) : found.tool.taskSupport;
}

/** 2025-11-25, tool-level negotiation; before anything runs. */
function checkSupport(name: string, support: TaskSupport, asTask: boolean): void {
  if (asTask && support === "forbidden")
    throw methodNotFound(`The tool ${name} does not run as a task: call it without "task".`);
  if (!asTask && support === "required")
    throw methodNotFound(`The tool ${name} runs only as a task: call it with "task" in its params.`);
}
