import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHost } from "../../.scripts/host-process.mjs";
import { eventsOf } from "../../.scripts/sse.mjs";
import { ratioOf } from "./figures.mjs";
import { hostSettings } from "./speed.mjs";

const share = 0.8;

/**
 * The time of a run that is killed at four fifths of its text and continued, over that of the same run undisturbed. Both
 * include loading the model; the start of the host's process, which costs any program the same, is left out.
 */
export async function resumedRun({ modelsDir, rounds, tokens }) {
  const args = ["--models-dir", modelsDir, ...hostSettings];
  let length = 0;
  const undisturbed = () =>
    inFolder(async (folder) => {
      const host = await startHost(undefined, args, folder);
      const { text, seconds } = await create(host.endpoint, tokens).then((id) => follow(host.endpoint, id));
      length = text;
      await host.stop();
      return seconds;
    });
  const killed = () =>
    inFolder(async (folder) => {
      const first = await startHost(undefined, args, folder);
      const id = await create(first.endpoint, tokens);
      const before = await follow(first.endpoint, id, length * share);
      await first.kill();
      const second = await startHost(undefined, args, folder);
      const after = await follow(second.endpoint, id, Number.POSITIVE_INFINITY, before.last);
      if (before.text + after.text !== length) throw new Error("The continued text is another");
      await second.stop();
      return before.seconds + after.seconds;
    });
  await undisturbed();
  return await ratioOf(rounds, killed, undisturbed);
}

async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "simmer-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function create({ lmsp, token }, tokens) {
  const input = {
    model: "simmer-slow",
    input: "Write a long report about bicycles.",
    temperature: 0,
    max_output_tokens: tokens,
  };
  const response = await fetch(`${lmsp}/tasks`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ type: "response", input, on_restart: "resume" }),
  });
  if (response.status !== 202) throw new Error(`The create answered ${response.status}`);
  return (await response.json()).id;
}

/** Reads until so many characters of text came, or the end: their number, the last event's, and the seconds it took. */
async function follow({ lmsp, token }, id, characters = Number.POSITIVE_INFINITY, after = -1) {
  const from = performance.now();
  const query = after < 0 ? "" : `?starting_after=${after}`;
  const response = await fetch(`${lmsp}/tasks/${id}/events${query}`, { headers: { authorization: `Bearer ${token}` } });
  let text = 0;
  let last = after;
  for await (const event of eventsOf(response)) {
    last = event.sequence_number;
    if (event.type === "response.output_text.delta") text += event.delta.length;
    if (text >= characters) break;
  }
  return { text, last, seconds: (performance.now() - from) / 1_000 };
}
