import type { Task } from "../../shared/task";
import type { ScriptedModel } from "../backend/scripted/script";
import type { GenerateRequest } from "../engine/backend";
import type { ModelListing } from "../engine/models";
import type { TaskDraft } from "../engine/task-service";
import type { TestEngine } from "../engine/test-engine";
import type { TaskTool } from "../engine/tool";

export type Arguments = Readonly<Record<string, unknown>>;

/** What a face makes of a call. */
export function called(tool: TaskTool, args: Arguments): Pick<TaskDraft, "job" | "title" | "input" | "model"> {
  return { ...tool.draft(tool.input.parse(args)), job: tool.job };
}

/** The task, after it has ended. */
export async function ran(engine: TestEngine, tool: TaskTool, args: Arguments): Promise<Task> {
  const { id } = await engine.create(called(tool, { model: "m", ...args }));
  return ended(engine, id);
}

export async function ended(engine: TestEngine, id: string): Promise<Task> {
  await engine.becomes(id, "succeeded", "failed", "cancelled");
  const task = engine.store.task(id);
  if (task === undefined) throw new Error(`The task ${id} is gone`);
  return task;
}

/** A model that answers as `answer` says, and the prompts that it was given. */
export function recording(answer: (prompt: string) => string, script: ScriptedModel = {}) {
  const requests: GenerateRequest[] = [];
  const prompts: string[] = [];
  const model: ScriptedModel = {
    ...script,
    answer: (request) => {
      const prompt = request.messages.at(-1)?.text ?? "";
      requests.push(request);
      prompts.push(prompt);
      return answer(prompt);
    },
  };
  return { model, requests, prompts };
}

export function installed(id: string, more: Partial<ModelListing> = {}): ModelListing {
  const file = { sizeBytes: 4_700_000_000, embedded: false, contextLength: 8192 };
  return { id, ...file, default: false, loaded: false, putAside: null, ...more };
}
