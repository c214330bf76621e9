import { describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import { LmspClient, refusal } from "../lmsp-client";
import { slowModelFolder } from "../slow-model";

describe("the limits, lowered", () => {
  it("refuse what does not fit into the queue, and leave nothing half-created", async () => {
    const set = { "limits.queue_per_client": 2, "limits.parallel": 1 };
    await using host = await HostProcess.start({ modelsDir: await slowModelFolder(), set });
    const lmsp = new LmspClient(host.endpoint);
    const body = { type: "response", input: { model: "simmer-slow", input: "Write a long report about bees." } };
    await lmsp.until((await lmsp.create(body.input)).id, "running");
    const answers = await Promise.all(Array.from({ length: 6 }, () => lmsp.post("/tasks", body)));
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(4);
    for (const answer of refused) {
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await refusal(answer)).toEqual([429, "queue_full"]);
    }
    const { data } = (await (await lmsp.request("/tasks?limit=100")).json()) as { data: unknown[] };
    expect(data).toHaveLength(3);
  });

  it("refuse a client that asks too often, and let it in again later", async () => {
    await using host = await HostProcess.start({ set: { "limits.requests_per_second": 5, "limits.request_burst": 5 } });
    const lmsp = new LmspClient(host.endpoint);
    const answers = await Promise.all(Array.from({ length: 12 }, () => lmsp.request("/tasks")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const [refused] = answers.filter(({ status }) => status !== 200);
    const wait = Number(refused?.headers.get("retry-after"));
    expect(refused && (await refusal(refused))).toEqual([429, "rate_limited"]);
    await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
    expect((await lmsp.request("/tasks")).status).toBe(200);
  });

  it("refuse a body that is too large", async () => {
    await using host = await HostProcess.start({ set: { "limits.body_bytes": 2_000 } });
    const lmsp = new LmspClient(host.endpoint);
    const answer = await lmsp.post("/tasks", { type: "response", input: { input: "x".repeat(3_000) } });
    expect(await refusal(answer)).toEqual([413, "payload_too_large"]);
  });

  it("let the events of an ended task go, but neither the task nor the events of one that lives", async () => {
    const modelsDir = await slowModelFolder();
    await using host = await HostProcess.start({ modelsDir, set: { "retention.events": 200 } });
    const lmsp = new LmspClient(host.endpoint);
    const living = await lmsp.create({ model: "simmer-slow", input: "Write a long report about bees." });
    const ended = await lmsp.create({ model: "simmer-demo", input: "What is the capital of Japan?" });
    await lmsp.until(ended.id, "succeeded");
    for (let tries = 0; (await lmsp.events(ended.id)).status === 200 && tries < 100; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await refusal(await lmsp.events(ended.id))).toEqual([410, "event_history_expired"]);
    expect((await lmsp.task(ended.id)).status).toBe("succeeded");
    expect((await lmsp.events(living.id)).status).toBe(200);
  });
});
