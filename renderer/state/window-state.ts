import type { ModelRow, Preferences } from "../../shared/desktop/contract";
import type { TaskDetail } from "../../shared/desktop/rows";
import type { AnswerDraft } from "./answer-draft";
import type { TaskList } from "./apply-feed";
import { type Draft, emptyDraft } from "./draft";

/** Something that went wrong with a call, until the person closes it. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly code: string;
}

/** Everything the window shows. Only the session changes it. */
export interface WindowState {
  /** Null until the first snapshot is there. */
  readonly list: TaskList | null;
  readonly selected: string | null;
  /** The selected task in full; null while it is read. */
  readonly detail: TaskDetail | null;
  /** Which of the two a narrow window shows. */
  readonly pane: "list" | "detail";
  readonly models: readonly ModelRow[];
  readonly theme: Preferences["theme"];
  readonly notices: readonly Notice[];
  readonly query: string;
  readonly composing: boolean;
  /** A new task as far as it is written; kept when the form is closed. */
  readonly draft: Draft;
  /** A task was asked for and its answer is awaited. */
  readonly creating: boolean;
  /** What a screen reader says next of the tasks. */
  readonly announced: string;
  /** What a screen reader says at once: the question that came last. */
  readonly asked: string;
  /** Answers as far as they are written, by question; kept when another task is looked at. */
  readonly answers: ReadonlyMap<string, AnswerDraft>;
  /** Questions whose answer is on its way. */
  readonly sending: ReadonlySet<string>;
}

export const initialState: WindowState = {
  list: null,
  selected: null,
  detail: null,
  pane: "list",
  models: [],
  theme: "system",
  notices: [],
  query: "",
  composing: false,
  draft: emptyDraft,
  creating: false,
  announced: "",
  asked: "",
  answers: new Map(),
  sending: new Set(),
};
