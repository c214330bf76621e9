import { z } from "zod";

const count = (fallback: number, max = 1_000_000) => z.number().int().min(1).max(max).default(fallback);
const milliseconds = (fallback: number) => z.number().int().min(1).max(2_147_483_647).default(fallback);

/** Every setting, its bounds and its default: `DIR/settings.json`, and `--set KEY=VALUE` for one run. */
export const settingsSchema = z.strictObject({
  port: z.number().int().min(0).max(65_535).default(4517).describe("The port on 127.0.0.1; 0 is any free one."),
  "models.default": z.string().min(1).nullable().default(null).describe("The model used when a request names none."),
  "models.resident": count(2, 16).describe("How many models stay loaded at once."),
  "models.threads": z
    .number()
    .int()
    .min(1)
    .max(1024)
    .nullable()
    .default(null)
    .describe("Threads per model; null chooses."),
  "models.context": z
    .number()
    .int()
    .min(256)
    .max(1_048_576)
    .nullable()
    .default(null)
    .describe("Context length in tokens; null chooses."),
  "models.gpu": z.boolean().default(true).describe("Use a GPU where there is one."),
  "limits.parallel": z
    .number()
    .int()
    .min(1)
    .max(8)
    .nullable()
    .default(null)
    .describe("Parallel tasks per model; null chooses."),
  "limits.queue_per_client": count(1_000).describe("Waiting tasks of one client."),
  "limits.queue": count(10_000).describe("Waiting tasks in all."),
  "limits.requests_per_second": count(200).describe("Requests per second and client, averaged."),
  "limits.request_burst": count(2_000).describe("Requests that one client may send at once."),
  "limits.streams_per_client": count(64, 10_000).describe("Open event streams of one client."),
  "limits.waiting_results": count(1_000).describe("Calls of one client that wait for the result of an MCP task."),
  "limits.body_bytes": z
    .number()
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(4_194_304)
    .describe("Largest request body."),
  "limits.max_output_tokens": count(1_000_000).describe("The upper bound of max_output_tokens."),
  "limits.request_timeout": milliseconds(30_000).describe("Milliseconds for a whole request to arrive."),
  "retention.events": milliseconds(604_800_000).describe("Milliseconds that events are kept after a task's end."),
  "logs.level": z
    .enum(["fatal", "error", "warn", "info", "debug", "trace"])
    .default("warn")
    .describe("From which weight on the host logs."),
  "logs.max_bytes": z
    .number()
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(10_485_760)
    .describe("Size at which a log file begins anew."),
  "logs.files": count(5, 100).describe("Older files kept of each log."),
  "guard.origins": z.array(z.string().min(1)).default([]).describe("Foreign web origins that may call."),
  "window.theme": z.enum(["system", "light", "dark"]).default("system").describe("The window's colours."),
  "engine.cancel_bound": milliseconds(5_000).describe("Milliseconds until a backend that does not stop is replaced."),
  // Reading a model's file or its template may well keep the process busy for a second or two.
  "engine.hang_bound": z
    .number()
    .int()
    .min(5_000)
    .max(2_147_483_647)
    .default(30_000)
    .describe("Milliseconds until a backend that hangs is replaced."),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingKey = keyof Settings;
