import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventsOf } from "../../.scripts/sse.mjs";
import { median, ratioOf, spreadOf } from "./figures.mjs";

const prompt = "Write a long report about bicycles.";
const context = 2_048;

/** Settings that put both sides on the same threads, context and batch. */
export const hostSettings = [
  "--set",
  `models.context=${context}`,
  "--set",
  "models.threads=1",
  "--set",
  "limits.parallel=1",
  "--set",
  "models.gpu=false",
];

/** Tokens per second through the whole path (HTTP create, durable events, SSE) over a bare loop. */
export async function wholePath({ host, modelPath, rounds, tokens }) {
  const bare = fork(fileURLToPath(new URL("bare-loop.mjs", import.meta.url)), [modelPath, String(context)]);
  try {
    await once(bare, "message");
    const runBare = async () => {
      bare.send({ prompt, tokens });
      const [{ count, milliseconds }] = await once(bare, "message");
      if (count !== tokens) throw new Error(`The bare loop stopped after ${count} tokens`);
      return (count * 1_000) / milliseconds;
    };
    const runWhole = async () => {
      const from = performance.now();
      const { created, events } = await follow(host, { input: prompt, temperature: 0, max_output_tokens: tokens });
      const last = await lastOf(events);
      const made = last.response.usage.output_tokens;
      if (made !== tokens) throw new Error(`The task ${created.id} stopped after ${made} tokens`);
      return (made * 1_000) / (performance.now() - from);
    };
    await runBare();
    await runWhole();
    return await ratioOf(rounds, runWhole, runBare);
  } finally {
    bare.disconnect();
    await once(bare, "exit");
  }
}

/** From the cancel being sent to the final event, which comes when the engine is idle; in token times of the same run. */
export async function cancelToIdle({ host, rounds }) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const { created, events } = await follow(host, { input: prompt, temperature: 0 });
    const arrivals = [];
    let cancelledAt;
    for await (const event of events) {
      if (event.type === "response.output_text.delta") arrivals.push(performance.now());
      if (event.type === "response.cancelled") times.push((performance.now() - cancelledAt) / tokenTime(arrivals));
      if (arrivals.length !== 24 + (round % 8) || cancelledAt !== undefined) continue;
      cancelledAt = performance.now();
      void call(host, `/tasks/${created.id}/cancel`, { method: "POST" });
    }
  }
  return spreadOf(times);
}

/** On the slow model a token takes longer than a batch of deltas waits, so each delta but the first is one token. */
function tokenTime(arrivals) {
  return median(arrivals.slice(2).map((at, index) => at - arrivals[index + 1]));
}

async function follow(host, input) {
  const body = JSON.stringify({ type: "response", input: { model: "simmer-slow", ...input } });
  const headers = { "content-type": "application/json" };
  const created = await (await call(host, "/tasks", { method: "POST", headers, body })).json();
  return { created, events: eventsOf(await call(host, `/tasks/${created.id}/events`)) };
}

async function lastOf(events) {
  let last;
  for await (const event of events) last = event;
  return last;
}

async function call({ lmsp, token }, path, options = {}) {
  const headers = { ...options.headers, authorization: `Bearer ${token}` };
  const response = await fetch(`${lmsp}${path}`, { ...options, headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}
