import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type Server,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { QuestionType } from "../../../../shared/question";
import { answersOf, type DeclaredCapabilities, declaresTasks, tasksExtension } from "../projection/capabilities";

/** What one request declares: nothing is remembered from one to the next. */
export interface RequestCapabilities {
  readonly tasks: boolean;
  readonly answers: readonly QuestionType[];
}

/** `server` serves this one request. */
export function requestCapabilities(server: Server): RequestCapabilities {
  return capabilities(server.getClientCapabilities());
}

/** What a body declares that has yet to be served, or is served by nobody but us. */
export function bodyCapabilities(body: unknown): RequestCapabilities {
  return capabilities(bodySchema.safeParse(body).data?.params._meta[CLIENT_CAPABILITIES_META_KEY]);
}

/** SEP-2663: whoever does not declare the extension gets nothing of it. */
export function missingTasks(): MissingRequiredClientCapabilityError {
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  const message = `Missing required client capability: the request must declare the extension ${tasksExtension}`;
  return new MissingRequiredClientCapabilityError({ requiredCapabilities }, message);
}

const record = z.record(z.string(), z.unknown()).optional();
const declaredSchema = z.object({ elicitation: record, sampling: record, roots: record, extensions: record });
const bodySchema = z.object({
  params: z.object({ _meta: z.object({ [CLIENT_CAPABILITIES_META_KEY]: declaredSchema }) }),
});

function capabilities(declared: DeclaredCapabilities | undefined): RequestCapabilities {
  return { tasks: declaresTasks(declared), answers: answersOf(declared) };
}
