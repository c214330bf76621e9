import { z } from "zod";
import { type ProblemCode, problems } from "../../shared/problem";
import type { Received } from "./exchange";
import { type FuzzRequest, isWhole } from "./fuzz-request";
import { answersIn, type HttpAnswer } from "./http-answer";
import { messagesIn } from "./messages";

export interface Judged {
  readonly answers: readonly HttpAnswer[];
  /** What must not be, each in a sentence. */
  readonly faults: readonly string[];
}

const problemSchema = z.strictObject({
  type: z.string().startsWith("urn:lmsp:problem:"),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  code: z.string().refine((code) => Object.hasOwn(problems, code) && code !== "internal"),
});

const rpcError = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  error: z.strictObject({
    code: z.int(),
    message: z.string().min(1),
    data: z.unknown().optional(),
  }),
});

const toolFailure = z.looseObject({
  result: z.looseObject({
    isError: z.literal(true),
    structuredContent: z.looseObject({ code: z.string() }).optional(),
  }),
});

const internalError = -32_603;
/** JSON-RPC has one code for all that is no fault of the request; two of the reasons are no fault of the host either. */
const excuse = z.union([
  z.looseObject({ data: z.looseObject({ code: z.enum(["queue_full", "rate_limited"]) }) }),
  z.looseObject({ message: z.literal("Task was cancelled") }),
]);

/** The codes of what fails by a fault that is not the client's. */
export const ourFaults: readonly string[] = [
  "internal",
  "storage_failed",
  "backend_crashed",
  "model_load_failed",
  "server_restarted",
  "not_resumable",
] satisfies ProblemCode[];

/** Where code lies and how it was called: nobody outside may learn of it. */
const inside = /\n\s+at |node_modules|node:internal|file:\/\/|[\w-]+\.(?:ts|js|mjs):\d+/;

export function tellsOfTheInside(text: string, secrets: readonly string[]): boolean {
  return inside.test(text) || secrets.some((secret) => text.includes(secret));
}

/** What a request came to. `secrets` are texts that no answer may hold. */
export function judge(request: FuzzRequest, received: Received, secrets: readonly string[]): Judged {
  if (received.end === "silent") return { answers: [], faults: ["nothing came for far too long"] };
  try {
    const answers = answersIn(received.bytes, request.method);
    const isMissing = answers.length === 0 && received.end === "closed" && isWhole(request);
    return {
      answers,
      faults: [
        ...(isMissing ? ["the connection was closed without an answer"] : []),
        ...answers.flatMap((answer) => faultsOf(answer, secrets, received.end === "closed" && isWhole(request))),
      ],
    };
  } catch (error) {
    return { answers: [], faults: [String(error)] };
  }
}

function faultsOf(answer: HttpAnswer, secrets: readonly string[], mustBeWhole: boolean): string[] {
  const { status, body, headers, isWhole } = answer;
  const faults: string[] = [];
  if (status >= 500) faults.push(`a client's fault is answered by ${status}: ${body.slice(0, 300)}`);
  if (mustBeWhole && !isWhole) faults.push(`an answer ended early: ${status} ${body.slice(-300)}`);
  if (tellsOfTheInside(body, secrets)) faults.push(`an answer tells of the inside: ${body.slice(0, 1_000)}`);
  if (headers.has("x-injected") || headers.has("access-control-allow-origin"))
    faults.push("a header came that nobody sends");
  if (isWhole && status >= 400 && body !== "") faults.push(...refusalFaults(answer));
  for (const message of messagesIn(answer)) faults.push(...messageFaults(message));
  return faults;
}

/** A refusal is a problem (RFC 9457) or an error of JSON-RPC. */
function refusalFaults({ status, headers, body }: HttpAnswer): string[] {
  const isProblem = headers.get("content-type") === "application/problem+json";
  const schema = isProblem ? problemSchema.refine((problem) => problem.status === status) : rpcError;
  const { error } = schema.safeParse(parsed(body));
  return error === undefined ? [] : [`a refusal has no form: ${status} ${body.slice(0, 300)} (${error.message})`];
}

function messageFaults(message: unknown): string[] {
  const failed = rpcError.safeParse(message).data?.error;
  if (failed?.code === internalError && !excuse.safeParse(failed).success)
    return [`JSON-RPC says that the host failed: ${JSON.stringify(failed)}`];
  const code = toolFailure.safeParse(message).data?.result.structuredContent?.code;
  return code !== undefined && ourFaults.includes(code)
    ? [`a tool failed by a fault of the host: ${JSON.stringify(message)}`]
    : [];
}

/** The JSON-RPC ids of what a server asks in this message, as they are written. */
export function askedIn(message: unknown): string[] {
  const { success, data } = serverRequest.safeParse(message);
  return success ? [JSON.stringify(data.id)] : [];
}

const serverRequest = z.looseObject({ method: z.string(), id: z.union([z.string(), z.number()]) });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // which no schema takes
  }
}
