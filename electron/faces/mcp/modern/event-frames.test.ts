import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventFrames, messageFrame, messageOf } from "./event-frames";

async function framesOf(chunks: readonly Uint8Array[]): Promise<string[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const frames = new EventFrames(stream);
  const all: string[] = [];
  for (let frame = await frames.next(); frame !== undefined; frame = await frames.next()) all.push(frame);
  return all;
}

describe("the frames of an event stream", () => {
  it("are found wherever the stream was cut, also within a character", async () => {
    const wanted = [
      messageFrame({ id: 1, result: { text: "本地模型 🦙" } }),
      ": keep-alive\n\n",
      messageFrame({ id: 2 }),
    ];
    const bytes = new TextEncoder().encode(wanted.join(""));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.slice(at[index], end));
        expect(await framesOf(chunks)).toEqual(wanted);
      }),
    );
  });

  it("hold one message each", () => {
    expect(messageOf(messageFrame({ id: 1 }))).toEqual({ jsonrpc: "2.0", id: 1 });
  });

  it("end where the stream ends, and what was cut short is none", async () => {
    expect(await framesOf([new TextEncoder().encode("data: 1\n\ndata: 2\n")])).toEqual(["data: 1\n\n"]);
  });
});
