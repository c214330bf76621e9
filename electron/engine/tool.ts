import type { z } from "zod";
import type { Json } from "../../shared/json";
import type { ModelListing, UnnamedModel } from "./models";

/** How an agent sees a job, or a question that is answered at once. Every protocol with tools shows these. */
export type Tool = TaskTool | QuickTool;

interface ToolHead {
  /** snake_case; never changed once published. */
  readonly name: string;
  readonly title: string;
  /** Tells a model what it does and when to use it. */
  readonly description: string;
  /** An object; unknown fields are refused. */
  readonly input: z.ZodObject;
  /** Of the structured result, for a tool that has one. */
  readonly output?: z.ZodObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** Runs as a task. */
export interface TaskTool extends ToolHead {
  readonly kind: "task";
  /** `required`: too long for a call that waits. */
  readonly taskSupport: "optional" | "required";
  /** The job that runs it. */
  readonly job: string;
  /** The task that these arguments, valid by `input`, ask for. */
  draft(args: Readonly<Record<string, unknown>>): ToolDraft;
}

export interface ToolDraft {
  readonly title: string;
  /** What the job reads. */
  readonly input: Json;
  /** The model that was asked for; null when none was. */
  readonly model: string | null;
  /** Without one: refuse when none can be chosen, let the job ask, or run without a model. */
  readonly unnamedModel: UnnamedModel;
}

/** Answers at once and is never a task. */
export interface QuickTool extends ToolHead {
  readonly kind: "quick";
  answer(
    args: Readonly<Record<string, unknown>>,
    context: { models(): Promise<readonly ModelListing[]> },
  ): Promise<Json>;
}
