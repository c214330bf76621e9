import type { Result } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Task } from "../../../../shared/task";
import type { QuickTool, TaskTool } from "../../../engine/tool";
import { protocolError } from "../errors";
import type { FaceParts } from "../face-parts";
import { modernTask } from "../projection/task-object";
import { newView } from "../projection/task-view";
import { dataResult, failedCall } from "../projection/tool-result";
import { type ExtraTool, isContinued } from "../registration";
import { callDraft } from "../tools/call-draft";
import { checkArguments } from "../tools/check-arguments";
import { findTool } from "../tools/find-tool";
import { type CallState, CallStates, invalidState } from "./call-state";
import type { Exchange } from "./exchange";
import type { PlainCalls } from "./plain-calls";
import { missingTasks } from "./request-capabilities";

/** `task` is a field of the generation before: ignored, whatever it holds. */
export const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

type Arguments = Readonly<Record<string, unknown>>;

/** One call, with all that belongs to its request. */
interface Call extends Exchange {
  readonly name: string;
}

/**
 * `tools/call`. A client that declares the extension gets a task; any other waits for the result of a hidden one, which a
 * retry with answers finds again.
 */
export class ToolCalls {
  readonly #parts: FaceParts;
  readonly #plain: PlainCalls;
  readonly #states: CallStates;

  constructor(parts: FaceParts, plain: PlainCalls) {
    this.#parts = parts;
    this.#plain = plain;
    this.#states = new CallStates(parts.key);
  }

  /** Throws what the protocol calls an error; what goes wrong with the tool is an answer. */
  async call({ name, arguments: args }: z.output<typeof callParams>, exchange: Exchange): Promise<Result> {
    const call = { ...exchange, name };
    const found = findTool(this.#parts.registration, name);
    try {
      const state = await this.#states.of(call.context);
      if (state !== undefined) return await this.#resume(call, state);
      if (found.kind === "extra") return await this.#extra(call, found.tool, args);
      // It is none of ours, and no other tool makes any.
      if (call.context.mcpReq.requestState() !== undefined) throw invalidState();
      return await this.#engine(call, found.tool, args);
    } catch (error) {
      return failedCall(error);
    }
  }

  async #engine(call: Call, tool: QuickTool | TaskTool, args: unknown): Promise<Result> {
    const valid = checkArguments(tool, args);
    if (tool.kind === "task") return await this.#run(call, tool, valid);
    return dataResult(await tool.answer(valid, { models: () => this.#parts.service.models() }));
  }

  async #extra(call: Call, tool: ExtraTool, args: Arguments): Promise<Result> {
    if (tool.taskSupport === "required" && !call.declared.tasks) throw missingTasks();
    const answer = await tool.call(args, call.context);
    return isContinued(answer) ? await this.#engine(call, answer.continuesAs, answer.args) : answer;
  }

  async #run(call: Call, tool: TaskTool, args: Arguments): Promise<Result> {
    const { tasks, answers } = call.declared;
    if (!tasks && tool.taskSupport === "required") throw missingTasks();
    const draft = callDraft(tool, args, { listed: tasks, ttl: null, answers, faceData: null });
    const { task } = await this.#parts.service.create(call.caller, draft);
    return tasks ? this.#created(task) : await this.#wait(call, task.id);
  }

  #created(task: Task): Result {
    const { service, clock } = this.#parts;
    return { resultType: "task", ...modernTask(newView(task, service.progress(task), clock.now())) };
  }

  /** The same call again, with answers to what its task asked. */
  async #resume(call: Call, { tool, task }: CallState): Promise<Result> {
    if (tool !== call.name) throw invalidState();
    try {
      this.#plain.answer(call, task);
    } catch (error) {
      // The tool has done nothing wrong.
      throw protocolError(error, "continue call");
    }
    return await this.#wait(call, task);
  }

  async #wait(call: Call, task: string): Promise<Result> {
    const seal = () => this.#states.seal({ tool: call.name, task }, call.context);
    return await this.#plain.run(call, task, seal);
  }
}
