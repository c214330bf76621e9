import { z } from "zod";
import { restartPolicies } from "../lifecycle";
import { snapshotSchema } from "./feed";
import { personAnswerSchema, questionSchema } from "./questions";
import { taskDetailSchema } from "./rows";

const id = z.strictObject({ id: z.string().min(1).max(64) });

export const newTaskSchema = z.strictObject({
  prompt: z.string().trim().min(1).max(4_000_000),
  system: z.string().max(4_000_000).default(""),
  /** Null takes the default model. */
  model: z.string().min(1).nullable().default(null),
  maxTokens: z.int().min(1).max(1_000_000).nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
  /** A JSON schema as the person typed it; null writes plain text. */
  schema: z.record(z.string(), z.json()).nullable().default(null),
  onRestart: z.enum(restartPolicies).default("fail"),
});
export type NewTask = z.input<typeof newTaskSchema>;

const modelSchema = z.strictObject({
  id: z.string(),
  sizeBytes: z.number(),
  embedded: z.boolean(),
  contextLength: z.number().nullable(),
  default: z.boolean(),
  loaded: z.boolean(),
  /** Why it is not loaded any more; null when it may be. */
  putAside: z.string().nullable(),
});
export type ModelRow = z.output<typeof modelSchema>;

const clientName = z.strictObject({ name: z.string().min(1).max(100) });
/** Told once, by the call that made it: only its hash is kept. */
const newTokenSchema = z.strictObject({ token: z.string() });

const clientSchema = z.strictObject({
  name: z.string(),
  /** What it can call with now: nothing, a token of this run of the host, or one that lasts. */
  token: z.enum(["none", "run", "lasting"]),
  createdAt: z.number(),
  lastSeenAt: z.number().nullable(),
});

export const themes = ["system", "light", "dark"] as const;
const preferencesSchema = z.strictObject({ theme: z.enum(themes) });
export type Preferences = z.output<typeof preferencesSchema>;

/**
 * All that the window may ask of the main process, in one object: both ends derive their side from it, each checks
 * what arrives, and nothing else is reachable from a page.
 */
export const contract = {
  /** The whole list and the state of the host; the feed goes on from its `rev`. */
  snapshot: { input: z.null(), output: snapshotSchema },
  /** Everything of one task; from then on the feed carries its output, changes and samples, until another is watched. */
  watch: { input: id, output: taskDetailSchema },
  unwatch: { input: z.null(), output: z.null() },
  create: { input: newTaskSchema, output: id },
  cancel: { input: id, output: z.null() },
  /** The question with the answer that counts from now on; refused when somebody else was first. */
  answer: {
    input: id.extend({ questionId: z.string().min(1).max(64), answer: personAnswerSchema }),
    output: questionSchema,
  },
  models: { input: z.null(), output: z.array(modelSchema) },
  /** Every client that owns tasks or may call, the window too. */
  clients: { input: z.null(), output: z.array(clientSchema) },
  createClient: { input: clientName, output: newTokenSchema },
  /** The old token is void, and what was opened with it has ended, when this is answered. */
  rotateClient: { input: clientName, output: newTokenSchema },
  /** So here; the client stays as the owner of its tasks. */
  revokeClient: { input: clientName, output: z.null() },
  /** Has a model tried again that was put aside. */
  forgiveModel: { input: z.strictObject({ model: z.string().min(1).max(4_096) }), output: z.null() },
  preferences: { input: z.null(), output: preferencesSchema },
  setPreferences: { input: preferencesSchema, output: z.null() },
  copy: { input: z.strictObject({ text: z.string().max(50_000_000) }), output: z.null() },
} as const satisfies Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>;

export type CallName = keyof typeof contract;
export type Input<Name extends CallName> = z.input<(typeof contract)[Name]["input"]>;
export type Output<Name extends CallName> = z.output<(typeof contract)[Name]["output"]>;

/** An expected failure crosses as its problem, so that the window can say what is wrong and what to do. */
export type Answer<Name extends CallName> =
  | { readonly ok: true; readonly value: Output<Name> }
  | { readonly ok: false; readonly problem: { readonly code: string; readonly detail: string } };

/** What the preload puts on the page as `window.simmer`. */
export interface DesktopBridge {
  call<Name extends CallName>(name: Name, input: Input<Name>): Promise<Answer<Name>>;
  /** Hears the feed; the result stops it. */
  onFeed(listener: (message: unknown) => void): () => void;
  /** Hears commands of the menu, such as `new-task`; the result stops it. */
  onCommand(listener: (command: string) => void): () => void;
}
