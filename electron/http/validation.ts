import type { FastifySchemaCompiler } from "fastify";
import type { core } from "zod";
import { safeParse } from "zod";
import { ProblemError } from "../../shared/problem";

/** Validates a request by its zod schema; the first fault becomes the problem, and its detail begins with the field. */
export const validatorCompiler: FastifySchemaCompiler<core.$ZodType> =
  ({ schema }) =>
  (data) => {
    const result = safeParse(schema, data);
    return result.success ? { value: result.data } : { error: firstFault(result.error, "body") };
  };

/** The first fault as a problem; its detail begins with the field, `whole` when it is not about one. */
export function firstFault(error: core.$ZodError, whole: string): ProblemError {
  const issue = nearest(error.issues[0] as core.$ZodIssue, []);
  const code = issue.problem === "unsupported_parameter" ? "unsupported_parameter" : "invalid_request";
  return new ProblemError(code, `${fieldName(issue.path) || whole}: ${issue.message}`);
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly problem: unknown;
}

/** Where a value may take several shapes, the fault that lies deepest belongs to the shape that was meant. */
function nearest(issue: core.$ZodIssue, parent: readonly PropertyKey[]): Fault {
  const path = [...parent, ...issue.path];
  const problem = issue.code === "custom" ? issue.params?.problem : undefined;
  let best: Fault = { path, message: issue.message, problem };
  if (issue.code !== "invalid_union") return best;
  for (const [first] of issue.errors) {
    const fault = first && nearest(first, path);
    if (fault !== undefined && fault.path.length > best.path.length) best = fault;
  }
  return best;
}

function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return name.replace(/^\./, "");
}
