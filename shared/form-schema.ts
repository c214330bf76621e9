import { z } from "zod";

/** A form's schema: MCP's flat elicitation schema (2025-11-25), a JSON schema with simple properties only. */
export const formSchema = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.looseObject({ type: z.string() })),
  required: z.array(z.string()).optional(),
});

export type FormSchema = z.output<typeof formSchema>;
