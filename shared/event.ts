import type { Finish, OutputType, Usage } from "./task";

/**
 * One event of a task's output stream. `seq` starts at 0, grows by one and is never used twice: it is the SSE id.
 * A new attempt drops the superseded attempt's events, which leaves a gap; `created` always stays.
 */
export interface TaskEvent {
  readonly taskId: string;
  readonly seq: number;
  readonly rev: number;
  readonly at: number;
  readonly body: EventBody;
}

/**
 * The neutral vocabulary of the stream; each body is one event on the wire of a face that streams.
 * `index` is the item's position in the output. Token ids are stored with the text so that a run can be resumed:
 * an event carries all ids decoded up to it, also those whose text is still held back.
 */
export type EventBody =
  | ({ readonly type: "created" } & ModelSoFar)
  | ({ readonly type: "started"; readonly attempt: number } & ModelSoFar)
  | { readonly type: "item_opened"; readonly index: number; readonly item: OutputItemHead }
  | { readonly type: "part_opened"; readonly index: number; readonly item: OutputItemHead }
  | {
      readonly type: "delta";
      readonly index: number;
      readonly item: OutputItemHead;
      readonly text: string;
      readonly tokens: readonly number[];
    }
  | {
      readonly type: "text_closed";
      readonly index: number;
      readonly item: OutputItemHead;
      readonly text: string;
      readonly tokens: readonly number[];
    }
  | { readonly type: "part_closed"; readonly index: number; readonly item: OutputItemHead; readonly text: string }
  | {
      readonly type: "item_closed";
      readonly index: number;
      readonly item: OutputItemHead;
      readonly text: string;
      /** With the output's last item: it is whole, and a run that comes back has nothing more to write. */
      readonly whole?: WholeOutput;
    }
  /** The last one; the task's outcome says the rest. */
  | { readonly type: "ended" };

/** Set when the task had no model yet: one that is chosen later must not change what was sent before. */
export interface ModelSoFar {
  readonly model?: null;
}

export function modelSoFar({ model }: { readonly model: string | null }): ModelSoFar {
  return model === null ? { model } : {};
}

export interface WholeOutput {
  readonly finish: Finish;
  readonly usage: Usage;
}

export interface OutputItemHead {
  readonly id: string;
  readonly type: OutputType;
}
