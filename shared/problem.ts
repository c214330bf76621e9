/**
 * The one error vocabulary. A face translates it once at its border (RFC 9457 for LMSP).
 * `status` is the HTTP status, also kept in a failed task's error.
 */
export const problems = {
  invalid_request: { status: 400, title: "The request is not valid" },
  unsupported_parameter: { status: 400, title: "A parameter is not supported" },
  idempotency_key_required: { status: 400, title: "An idempotency key is required" },
  model_required: { status: 400, title: "A model must be named" },
  context_length_exceeded: { status: 400, title: "The prompt does not fit into the context" },
  unauthorized: { status: 401, title: "A valid token is required" },
  forbidden: { status: 403, title: "This origin may not call" },
  not_found: { status: 404, title: "There is nothing here" },
  task_not_found: { status: 404, title: "The task does not exist" },
  model_not_found: { status: 404, title: "The model does not exist" },
  client_not_found: { status: 404, title: "The client does not exist" },
  question_not_found: { status: 404, title: "The question does not exist" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  request_timeout: { status: 408, title: "The request was not sent in time" },
  client_exists: { status: 409, title: "There is a client of that name" },
  nobody_to_ask: { status: 409, title: "There is nobody to ask" },
  no_person: { status: 409, title: "There is no person at the window" },
  question_answered: { status: 409, title: "The question has been answered" },
  task_not_cancelable: { status: 409, title: "The task has already ended" },
  event_history_expired: { status: 410, title: "The events are no longer kept" },
  payload_too_large: { status: 413, title: "The request is too large" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  idempotency_key_reused: { status: 422, title: "The idempotency key was used for another request" },
  queue_full: { status: 429, title: "The queue is full" },
  rate_limited: { status: 429, title: "Too many requests" },
  headers_too_large: { status: 431, title: "The request's headers are too large" },
  internal: { status: 500, title: "Something went wrong in Simmer" },
  server_restarted: { status: 503, title: "The service restarted before the task ended" },
  model_load_failed: { status: 503, title: "The model could not be loaded" },
  not_resumable: { status: 503, title: "The run could not be continued" },
  backend_crashed: { status: 503, title: "The inference process ended unexpectedly" },
  storage_failed: { status: 507, title: "The task could not be stored" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

export interface Problem {
  readonly code: ProblemCode;
  /** What is wrong and what to do, in one or two sentences; never a stack or a secret. */
  readonly detail: string;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number;
}

/** An expected failure. Anything else that is thrown is a bug and becomes `internal`. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(code: ProblemCode, detail: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = "ProblemError";
    this.problem =
      options.retryAfter === undefined ? { code, detail } : { code, detail, retryAfter: options.retryAfter };
  }
}

/** The problem that an error means; a bug tells the outside nothing but that there was one. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { code: "internal", detail: "An unexpected error happened; the log of the host has the details." };
}

/** The disk or the database failed, now: what could not be stored may be tried again later. */
export function isStorageFailure(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.problem.code === "storage_failed";
}
