import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProblemError } from "../../shared/problem";
import type { Backend, GenerateRequest, GenerationStep, ModelSpec } from "../engine/backend";

/** A backend under test, and what it can be asked for. */
export interface Tested {
  readonly backend: Backend;
  /** Serves at least `parallel` tasks at once. */
  readonly model: ModelSpec;
  /** What `model` answers at length: at least 50 tokens, better many more. */
  readonly request: GenerateRequest;
  readonly parallel: number;
  /** Its load fails. */
  readonly broken: ModelSpec;
  /** Whether the models run in another process. */
  readonly apart: boolean;
  /** Ends what `open` began besides the backend. */
  dispose?(): Promise<void>;
}

type Piece = Extract<GenerationStep, { type: "piece" }>;
type Ended = Extract<GenerationStep, { type: "ended" }>;

const never = new AbortController().signal;

/** What every backend must do. `open` starts a fresh one. */
export function describeBackend(name: string, open: () => Promise<Tested>): void {
  describe(name, () => {
    let tested: Tested;
    let backend: Backend;

    beforeEach(async () => {
      tested = await open();
      backend = tested.backend;
    });

    afterEach(async () => {
      await backend.close();
      await tested.dispose?.();
    });

    const limited = (maxTokens: number): GenerateRequest => ({
      ...tested.request,
      options: { ...tested.request.options, maxTokens },
    });

    describe("load", () => {
      it("says what the model can take, again and without another load", async () => {
        const info = await backend.load(tested.model, never);
        expect(info.id).toBe(tested.model.id);
        expect(info.contextLength).toBeGreaterThan(0);
        expect(info.parallel).toBeGreaterThanOrEqual(tested.parallel);
        expect(await backend.load(tested.model, never)).toEqual(info);
        expect(await backend.stats()).toMatchObject({ loads: 1, loaded: [tested.model.id] });
      });

      it("is shared by those who ask at the same time", async () => {
        const infos = await Promise.all([1, 2, 3, 4].map(() => backend.load(tested.model, never)));
        expect(new Set(infos.map((info) => JSON.stringify(info))).size).toBe(1);
        expect((await backend.stats()).loads).toBe(1);
      });

      it("goes on for the others when one caller aborts", async () => {
        const leaver = new AbortController();
        const left = backend.load(tested.model, leaver.signal);
        const stayed = backend.load(tested.model, never);
        leaver.abort(new Error("left"));
        await expect(left).rejects.toBe(leaver.signal.reason);
        expect((await stayed).id).toBe(tested.model.id);
        expect((await backend.stats()).loads).toBe(1);
      });

      it("is over when its only caller has aborted, and works the next time", async () => {
        const leaver = new AbortController();
        const left = backend.load(tested.model, leaver.signal);
        leaver.abort(new Error("left"));
        await expect(left).rejects.toBe(leaver.signal.reason);
        expect((await backend.load(tested.model, never)).id).toBe(tested.model.id);
        expect((await backend.stats()).loaded).toEqual([tested.model.id]);
      });

      it("is not begun for a caller that has aborted already", async () => {
        const signal = AbortSignal.abort(new Error("too late"));
        await expect(backend.load(tested.model, signal)).rejects.toBe(signal.reason);
        expect((await backend.stats()).loads).toBe(0);
      });

      it("of a broken model fails for all who asked, by name, and leaves the others alone", async () => {
        await backend.load(tested.model, never);
        const failed = await Promise.allSettled([1, 2].map(() => backend.load(tested.broken, never)));
        for (const result of failed) {
          expect(result).toMatchObject({ status: "rejected", reason: { problem: { code: "model_load_failed" } } });
          expect(problemOf(result).problem.detail).toContain(tested.broken.id);
        }
        expect((await backend.stats()).loaded).toEqual([tested.model.id]);
        expect((await collect(backend.generate(limited(3), never))).ended.reason).toBe("max_tokens");
      });
    });

    describe("unload", () => {
      it("frees the model, which can be loaded again", async () => {
        await backend.load(tested.model, never);
        await backend.unload(tested.model.id);
        expect((await backend.stats()).loaded).toEqual([]);
        await backend.load(tested.model, never);
        expect((await collect(backend.generate(limited(3), never))).ended.reason).toBe("max_tokens");
      });

      it("of what is not loaded is no error", async () => {
        await backend.unload(tested.model.id);
        await backend.unload("no-such-model");
        expect((await backend.stats()).loaded).toEqual([]);
      });

      it("waits until nothing generates with the model", async () => {
        await backend.load(tested.model, never);
        const steps = backend.generate(limited(20), never)[Symbol.asyncIterator]();
        await firstPiece(steps);
        const unloaded = backend.unload(tested.model.id).then(() => backend.stats());
        expect((await drain(steps)).at(-1)).toMatchObject({ type: "ended", reason: "max_tokens" });
        expect(await unloaded).toMatchObject({ generating: 0, generatedTokens: 20, loaded: [] });
      });
    });

    describe("generate", () => {
      beforeEach(async () => {
        await backend.load(tested.model, never);
      });

      it("reads, writes and ends, with usage that counts each token", async () => {
        const { steps, pieces, ended, text } = await collect(backend.generate(limited(30), never));
        const reading = steps.filter((step) => step.type === "reading");
        expect(reading.at(-1)).toMatchObject({ read: ended.usage.inputTokens, total: ended.usage.inputTokens });
        expect(steps.findIndex((step) => step.type === "piece")).toBeGreaterThanOrEqual(reading.length);
        expect(steps.indexOf(ended)).toBe(steps.length - 1);
        expect(ended).toMatchObject({ reason: "max_tokens", usage: { outputTokens: 30 } });
        expect(pieces.flatMap((piece) => piece.tokens)).toHaveLength(30);
        expect(text).not.toBe("");
        expect(pieces.every((piece) => !/\p{Surrogate}/u.test(piece.text))).toBe(true);
      });

      it("streams: the first text is there while the rest is still to be written", async () => {
        const caller = new AbortController();
        const steps = backend.generate(tested.request, caller.signal)[Symbol.asyncIterator]();
        await firstPiece(steps);
        expect((await backend.stats()).generating).toBe(1);
        caller.abort(new Error("enough"));
        await expect(drain(steps)).rejects.toBe(caller.signal.reason);
      });

      it("writes the same greedily and with the same seed", async () => {
        const greedy = { ...limited(12), options: { ...limited(12).options, temperature: 0 } };
        const seeded = { ...limited(12), options: { ...limited(12).options, temperature: 0.8, seed: 7 } };
        for (const request of [greedy, seeded]) {
          const { text } = await collect(backend.generate(request, never));
          expect((await collect(backend.generate(request, never))).text).toBe(text);
        }
      });

      it("ends before a stop string, and shows none of it", async () => {
        const greedy = { ...limited(40), options: { ...limited(40).options, temperature: 0 } };
        const { text } = await collect(backend.generate(greedy, never));
        const middle = Math.floor(text.length / 2);
        const stop = [...text.slice(middle)].slice(0, 4).join("");
        const stopped = await collect(
          backend.generate({ ...greedy, options: { ...greedy.options, stop: [stop] } }, never),
        );
        expect(stopped.ended.reason).toBe("stop_string");
        expect(stopped.text).toBe(text.slice(0, text.indexOf(stop)));
      });

      it("stops when it is aborted: nothing is computed any more and the slot is free", async () => {
        for (let round = 0; round < 3; round++) {
          const caller = new AbortController();
          const steps = backend.generate(tested.request, caller.signal)[Symbol.asyncIterator]();
          await firstPiece(steps);
          caller.abort(new Error("enough"));
          await expect(drain(steps)).rejects.toBe(caller.signal.reason);
          const { generating, generatedTokens } = await backend.stats();
          expect(generating).toBe(0);
          await pause();
          expect((await backend.stats()).generatedTokens).toBe(generatedTokens);
        }
        expect((await collect(backend.generate(limited(5), never))).ended.reason).toBe("max_tokens");
        expect((await backend.stats()).loads).toBe(1);
      });

      it("stops when its reader goes away", async () => {
        for await (const step of backend.generate(tested.request, never)) if (step.type === "piece") break;
        const { generating, generatedTokens } = await backend.stats();
        expect(generating).toBe(0);
        await pause();
        expect((await backend.stats()).generatedTokens).toBe(generatedTokens);
      });

      it("is not begun for a caller that has aborted already", async () => {
        const signal = AbortSignal.abort(new Error("too late"));
        await expect(collect(backend.generate(tested.request, signal))).rejects.toBe(signal.reason);
        expect(await backend.stats()).toMatchObject({ generating: 0, readTokens: 0, generatedTokens: 0 });
      });

      it("serves several at once, and one that aborts does not disturb the others", async () => {
        const caller = new AbortController();
        const others = Array.from({ length: tested.parallel - 1 }, () => collect(backend.generate(limited(40), never)));
        const steps = backend.generate(tested.request, caller.signal)[Symbol.asyncIterator]();
        await firstPiece(steps);
        caller.abort(new Error("enough"));
        await expect(drain(steps)).rejects.toBe(caller.signal.reason);
        for (const { ended } of await Promise.all(others)) {
          expect(ended).toMatchObject({ reason: "max_tokens", usage: { outputTokens: 40 } });
        }
        expect((await backend.stats()).generating).toBe(0);
      });

      it("refuses a prompt that does not fit, with the numbers, and goes on serving", async () => {
        const { contextLength } = await backend.load(tested.model, never);
        const text = "word ".repeat(contextLength * 2);
        const long = { ...tested.request, messages: [{ role: "user", text }] } as const;
        const failed = await Promise.allSettled([collect(backend.generate(long, never))]);
        expect(failed).toMatchObject([{ reason: { problem: { code: "context_length_exceeded" } } }]);
        expect(problemOf(failed[0]).problem.detail).toContain(String(contextLength));
        expect((await collect(backend.generate(limited(3), never))).ended.reason).toBe("max_tokens");
      });

      it("goes on behind the tokens of a snapshot, with the very steps of a run without interruption", async () => {
        for (const sampling of [{ temperature: 0 }, { temperature: 0.9, seed: 11 }]) {
          const request = { ...limited(30), options: { ...limited(30).options, ...sampling } };
          const whole = await collect(backend.generate(request, never));
          const tokens = whole.pieces.flatMap((piece) => piece.tokens);
          for (const kept of [1, 13, 29, 30]) {
            const before = (await backend.stats()).generatedTokens;
            const snapshot = { tokens: tokens.slice(0, kept), file: null };
            const resumed = await collect(backend.generate({ ...request, snapshot }, never));
            expect(resumed.pieces).toEqual(whole.pieces);
            expect(resumed.ended).toEqual(whole.ended);
            expect((await backend.stats()).generatedTokens - before).toBe(30 - kept);
          }
        }
      });

      it("says how much of a text that goes on is read, prompt and tokens together", async () => {
        const whole = await collect(backend.generate(limited(20), never));
        const tokens = whole.pieces.flatMap((piece) => piece.tokens).slice(0, 10);
        const { steps } = await collect(backend.generate({ ...limited(20), snapshot: { tokens, file: null } }, never));
        const total = whole.ended.usage.inputTokens + tokens.length;
        expect(steps.filter(({ type }) => type === "reading").at(-1)).toEqual({ type: "reading", read: total, total });
      });

      it("fails for a model that is not loaded", async () => {
        await expect(collect(backend.generate({ ...tested.request, model: "no-such-model" }, never))).rejects.toThrow();
      });
    });

    describe("stats", () => {
      it("begin at zero, and name the process", async () => {
        const idle = { generating: 0, generatedTokens: 0, readTokens: 0, loads: 0, loaded: [] };
        expect(await backend.stats()).toMatchObject(idle);
        await backend.load(tested.model, never);
        const { pid } = await backend.stats();
        expect(pid === process.pid).toBe(!tested.apart);
        expect(pid).toBeGreaterThan(0);
      });

      it("count what was read and written", async () => {
        await backend.load(tested.model, never);
        const { ended } = await collect(backend.generate(limited(10), never));
        expect(await backend.stats()).toMatchObject({
          readTokens: ended.usage.inputTokens,
          generatedTokens: 10,
          generating: 0,
        });
      });
    });

    describe("close", () => {
      it("ends what runs, takes nothing more, and may be called twice", async () => {
        await backend.load(tested.model, never);
        const steps = backend.generate(tested.request, never)[Symbol.asyncIterator]();
        await firstPiece(steps);
        const rest = drain(steps).then(
          () => "ended",
          () => "failed",
        );
        await Promise.all([backend.close(), backend.close()]);
        expect(await rest).toBe("failed");
        await expect(backend.load(tested.model, never)).rejects.toThrow();
        await expect(collect(backend.generate(tested.request, never))).rejects.toThrow();
        await backend.close();
      });
    });
  });
}

interface Collected {
  readonly steps: readonly GenerationStep[];
  readonly pieces: readonly Piece[];
  readonly ended: Ended;
  /** Thinking and answer together. */
  readonly text: string;
}

async function collect(generation: AsyncIterable<GenerationStep>): Promise<Collected> {
  const steps: GenerationStep[] = [];
  for await (const step of generation) steps.push(step);
  const pieces = steps.filter((step) => step.type === "piece");
  const ended = steps.find((step) => step.type === "ended");
  if (ended === undefined) throw new Error("The generation has no end");
  return { steps, pieces, ended, text: pieces.map((piece) => piece.text).join("") };
}

async function firstPiece(steps: AsyncIterator<GenerationStep>): Promise<void> {
  for (;;) {
    const { value, done } = await steps.next();
    if (done === true) throw new Error("The generation ended without a piece");
    if (value.type === "piece") return;
  }
}

async function drain(steps: AsyncIterator<GenerationStep>): Promise<readonly GenerationStep[]> {
  const rest: GenerationStep[] = [];
  for (let next = await steps.next(); next.done !== true; next = await steps.next()) rest.push(next.value);
  return rest;
}

function problemOf(result: PromiseSettledResult<unknown> | undefined): ProblemError {
  if (result?.status === "rejected" && result.reason instanceof ProblemError) return result.reason;
  throw new Error("No problem was thrown");
}

/** Long enough for a token that was still under way to be counted: several turns of this process and of another. */
async function pause(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}
