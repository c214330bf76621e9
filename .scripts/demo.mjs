// One task from end to end, over HTTP as any other program would do it: create, follow, look at the result.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, styleText } from "node:util";
import { ensureBuilt } from "./built.mjs";
import { startHost } from "./host-process.mjs";
import { eventsOf } from "./sse.mjs";
import { duration, timeline } from "./timeline.mjs";

const { positionals } = parseArgs({ allowPositionals: true });
const prompt = positionals.join(" ") || "Write a long report about bicycles.";

const colourful = process.stdout.isTTY && !process.env.NO_COLOR;
const dim = (text) => (colourful ? styleText("dim", text) : text);
const bold = (text) => (colourful ? styleText("bold", text) : text);

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
try {
  await ensureBuilt();
  const host = await startHost(interrupted.signal);
  await demo(host.endpoint).finally(host.stop);
} catch (error) {
  console.error(interrupted.signal.aborted ? "\nStopped." : error);
  process.exitCode = 1;
}

async function demo({ lmsp, token }) {
  console.log(dim(`Simmer listens at ${lmsp}, with an empty data folder of its own.`));
  console.log(bold(`\n> ${prompt}\n`));
  const created = await call(token, `${lmsp}/tasks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "response", input: { input: prompt, temperature: 0 } }),
  }).then((response) => response.json());
  const watching = watch(token, `${lmsp}/tasks/${created.id}`, { status: created.status, at: performance.now() });
  const [{ task, stations }] = await Promise.all([watching, print(token, new URL(created.events_url, lmsp))]);
  report(task, stations);
  if (task.status !== "succeeded") throw new Error(`The task ended as ${task.status}: ${JSON.stringify(task.error)}`);
}

async function print(token, url) {
  for await (const event of eventsOf(await call(token, url))) {
    if (event.type === "response.output_text.delta") process.stdout.write(event.delta);
  }
}

/** Polls the task to its end and notes when each status was first seen. */
async function watch(token, url, first) {
  const stations = [first];
  for (;;) {
    const task = await call(token, url).then((response) => response.json());
    if (task.status !== stations.at(-1).status) stations.push({ status: task.status, at: performance.now() });
    if (["succeeded", "failed", "cancelled"].includes(task.status)) return { task, stations };
    await sleep(10, undefined, { signal: interrupted.signal });
  }
}

function report(task, stations) {
  console.log(bold(`\n\nTimeline of ${task.id}`));
  console.log(timeline(stations).join("\n"));
  const running = stations.findIndex(({ status }) => status === "running");
  const tokens = task.response?.usage.output_tokens;
  if (running < 0 || tokens === undefined) return;
  const time = stations[running + 1].at - stations[running].at;
  const speed = Math.round((tokens / time) * 1000);
  console.log(dim(`\n${tokens} tokens by ${task.response.model} in ${duration(time)}: ${speed} tokens a second.`));
}

async function call(token, url, options = {}) {
  const headers = { ...options.headers, authorization: `Bearer ${token}` };
  const response = await fetch(url, { ...options, headers, signal: interrupted.signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}
