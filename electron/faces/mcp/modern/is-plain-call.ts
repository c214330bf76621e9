import { z } from "zod";
import type { McpRegistration } from "../registration";
import { bodyCapabilities } from "./request-capabilities";

const callSchema = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) });

/** Whether the answer to this body is what a hidden task comes to, which may take any time. */
export function isPlainCall({ tools }: McpRegistration, body: unknown): boolean {
  const name = callSchema.safeParse(body).data?.params.name;
  const tool = name === undefined ? undefined : tools.find((one) => one.name === name);
  return tool?.kind === "task" && tool.taskSupport !== "required" && !bodyCapabilities(body).tasks;
}
