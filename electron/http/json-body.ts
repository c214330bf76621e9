import type { FastifyInstance, FastifyRequest } from "fastify";
import { ProblemError } from "../../shared/problem";

/** Deep enough for any real schema; what walks a body by recursion is safe below it. */
const deepest = 200;

/**
 * Bodies are JSON in UTF-8 and nothing else. Bytes that are no UTF-8 are refused rather than replaced, keys that would
 * reach a prototype are refused, and so is a nesting that only serves to exhaust a stack.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    checkEncoding(request);
    void parse(request, decode(bytes as Buffer), (error, body) => {
      if (error === null && isTooDeep(body))
        done(new ProblemError("invalid_request", "The JSON is nested too deeply."));
      else done(error, body);
    });
  });
}

function checkEncoding({ headers }: FastifyRequest): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers["content-type"] ?? "")?.[1];
  const encoding = headers["content-encoding"] ?? "identity";
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset))
    throw new ProblemError("unsupported_media_type", "Send the request body in UTF-8.");
  if (encoding.toLowerCase() !== "identity")
    throw new ProblemError("unsupported_media_type", "Send the request body without Content-Encoding.");
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ProblemError("invalid_request", "The request body is not valid UTF-8.", { cause: error });
  }
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((entry) => (typeof entry === "object" && entry !== null ? Object.values(entry) : []));
  }
  return false;
}
