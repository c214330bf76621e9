import type { TaskDetail } from "../../../shared/desktop/rows";

/** What a person takes away from a task: its text, or its structured result where it wrote none. */
export function answerOf({ output, data }: Pick<TaskDetail, "output" | "data">): string {
  const text = output
    .filter(({ type }) => type === "message")
    .map((item) => item.text)
    .join("\n\n");
  return text === "" && data !== null ? JSON.stringify(data, null, 2) : text;
}
