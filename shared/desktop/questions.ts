import { z } from "zod";
import { formSchema } from "../form-schema";

const answeredSchema = z.strictObject({
  action: z.enum(["accept", "decline", "cancel"]),
  /** The client that gave it; null when the person did. */
  by: z.string().nullable(),
  at: z.number(),
});

/** A question of a task. What is asked of the caller alone is told without its content: nobody answers it here. */
export const questionSchema = z.strictObject({
  id: z.string(),
  taskId: z.string(),
  askedAt: z.number(),
  body: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("form"), message: z.string(), schema: formSchema }),
    z.strictObject({ type: z.literal("sampling") }),
    z.strictObject({ type: z.literal("roots") }),
  ]),
  /** Whether the person may answer it, and whether the task's caller may. */
  forPerson: z.boolean(),
  forCaller: z.boolean(),
  /** Null while it is open. */
  answered: answeredSchema.nullable(),
});
export type QuestionView = z.output<typeof questionSchema>;

/** A form's content: by field, what MCP lets an answer hold (2025-11-25, ElicitResult). */
const answerContentSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]),
);
export type AnswerContent = z.output<typeof answerContentSchema>;

/** What the person answers. The content is checked by the question's schema where it is stored. */
export const personAnswerSchema = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("accept"), content: answerContentSchema }),
  z.strictObject({ action: z.literal("decline") }),
  z.strictObject({ action: z.literal("cancel") }),
]);
export type PersonAnswer = z.output<typeof personAnswerSchema>;
