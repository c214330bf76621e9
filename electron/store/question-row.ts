import type { Question } from "../../shared/question";
import type { SqlValue } from "./connection";
import { packText, unpackText } from "./text";

export interface QuestionRow {
  readonly id: string;
  readonly task: string;
  readonly key: string;
  readonly body: string;
  readonly addressees: string;
  readonly asked_at: number;
  readonly answered: string | null;
}

/** The columns of a QuestionRow, in the order of `questionValues`. */
const columns = [
  "id",
  "task",
  "key",
  "body",
  "addressees",
  "asked_at",
  "answered",
] as const satisfies readonly (keyof QuestionRow)[];

export const questionColumns = columns.join(", ");
export const insertQuestion = `INSERT INTO questions (${questionColumns}) VALUES (${columns.map(() => "?")})`;

export function questionValues({ id, taskId, key, body, to, askedAt, answered }: Question): SqlValue[] {
  return [
    packText(id),
    packText(taskId),
    packText(key),
    JSON.stringify(body),
    JSON.stringify(to),
    askedAt,
    answered === null ? null : JSON.stringify(answered),
  ];
}

export function questionOf(row: QuestionRow): Question {
  return {
    id: unpackText(row.id),
    taskId: unpackText(row.task),
    key: unpackText(row.key),
    body: JSON.parse(row.body),
    to: JSON.parse(row.addressees),
    askedAt: row.asked_at,
    answered: row.answered === null ? null : JSON.parse(row.answered),
  };
}
