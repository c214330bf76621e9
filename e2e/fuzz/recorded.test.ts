import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";
import { FuzzHost } from "./fuzz-host";
import { type FuzzRequest, framings } from "./fuzz-request";

const folder = new URL("recorded/", import.meta.url);
const file = process.env.SIMMER_FUZZ_REPLAY;
/** The one that was asked for, else all that are kept. */
const recorded: readonly string[] =
  file === undefined ? readdirSync(folder).map((name) => fileURLToPath(new URL(name, folder))) : [file];

const share = z.number().min(0).max(1);
const by = z.enum(["fin", "rst"]);
const requestSchema = z.strictObject({
  method: z.string(),
  target: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().nullable(),
  framing: z.enum(framings),
  damage: z.array(
    z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("set"), at: share, byte: z.int() }),
      z.strictObject({ kind: z.literal("insert"), at: share, text: z.string() }),
      z.strictObject({ kind: z.literal("remove"), at: share, length: z.int() }),
      z.strictObject({ kind: z.literal("repeat"), at: share, length: z.int(), times: z.int() }),
    ]),
  ),
  delivery: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("whole") }),
    z.strictObject({ kind: z.literal("dribbled"), from: share }),
    z.strictObject({ kind: z.literal("cut"), at: share, by }),
    z.strictObject({ kind: z.literal("left"), after: z.int(), by }),
  ]),
}) satisfies z.ZodType<FuzzRequest>;
const recordSchema = z.object({ requests: z.array(requestSchema) });

it.each(recorded.map((path) => [basename(path), path]))("sends what was recorded once: %s", async (_name, path) => {
  const { requests } = recordSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  await using host = await FuzzHost.start();
  await host.furnish();
  const judged = await Promise.all(requests.map((request) => host.send(request, 200)));
  await host.calm();
  if (file !== undefined) console.log(judged.map(({ answers }) => answers));
  expect([...judged.flatMap(({ faults }) => faults), ...host.takeFaults()]).toEqual([]);
});
