import { join } from "node:path";
import { type DestinationStream, type LogFn, type Logger, pino, stdSerializers } from "pino";
import type { Settings } from "../shared/settings";
import { RotatingFile } from "./rotating-file";

export interface HostLog {
  readonly log: Logger;
  close(): void;
}

/** What the host has to say to whoever looks after it: on stderr, and in `DIR/logs/simmer.log` with the older ones. */
export function openHostLog(dataDir: string, settings: Settings): HostLog {
  const stderr = pino.destination({ dest: 2, sync: true });
  const aside = pino({ level: "warn" }, stderr);
  const file = new RotatingFile({
    path: join(dataDir, "logs", "simmer.log"),
    maxBytes: settings["logs.max_bytes"],
    files: settings["logs.files"],
    onTrouble: (error) => aside.error({ err: error }, "the log file cannot be written; its lines wait"),
    onRecovery: (lost) => aside.warn({ lost }, "the log file is written again"),
  });
  const both = pino.multistream([
    { level: "trace", stream: stderr },
    { level: "trace", stream: { write: (line) => file.write(line) } },
  ]);
  return { log: discreetLogger(settings["logs.level"], both), close: () => file.close() };
}

/** Fields that hold what nobody should write down, wherever in an entry they are. */
const secret = [
  "authorization",
  "token",
  "tokens",
  "prompt",
  "input",
  "messages",
  "arguments",
  "output",
  "text",
  "body",
];

/**
 * A logger that is safe to hand around. Secrets and what people ask or get are not to be logged in the first place; this
 * is the second line: such fields are hidden, errors lose what they quote, and whatever looks like a token is hidden.
 */
export function discreetLogger(level: string, stream: DestinationStream): Logger {
  return pino(
    {
      level,
      redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "[hidden]" },
      serializers: { err: discreetError, error: discreetError, req: () => "[a request]", res: () => "[an answer]" },
      hooks: {
        streamWrite: hideTokens,
        logMethod(args, method) {
          method.apply(this, withOwnWords(args));
        },
      },
    },
    stream,
  );
}

function discreetError(error: Error): unknown {
  const told = stdSerializers.err(error);
  let { stack } = told;
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    stack = stack.replace(one.message, discreetMessage(one));
  return { ...told, message: discreetMessage(error), stack };
}

/** `JSON.parse` quotes what it could not read, which may be anything. */
function discreetMessage(error: Error): string {
  const [plain = ""] = error instanceof SyntaxError ? error.message.split(/,? \.*"/) : [error.message];
  return plain;
}

/** An error that is logged without a word would be given its own message for one, as it is. */
function withOwnWords(args: Parameters<LogFn>): Parameters<LogFn> {
  const [first, ...rest]: readonly unknown[] = args;
  const error = first instanceof Error ? first : errorIn(first);
  if (error === undefined || typeof rest[0] === "string") return args;
  return [first instanceof Error ? { err: error } : first, discreetMessage(error)];
}

function errorIn(value: unknown): Error | undefined {
  const has = typeof value === "object" && value !== null && "err" in value && value.err instanceof Error;
  return has ? (value.err as Error) : undefined;
}

/** Ours are 43 characters of base64url; others follow the word that announces them. */
function hideTokens(line: string): string {
  return line
    .replace(/\bBearer +[\w.~+/=-]+/gi, "Bearer [hidden]")
    .replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, "[hidden]");
}
