import { expect, it } from "vitest";
import type { Question } from "../../../../shared/question";
import { alice, scripted, TestEngine } from "../../../engine/test-engine";
import type { FaceParts } from "../face-parts";
import { Asking } from "./asking";
import type { OpenSession, Outlet } from "./open-session";
import { Streams } from "./streams";

it("is not asked again on a stream on which nothing can be sent, though it seems to be open", async () => {
  const backend = scripted({ hold: ["tokens"] });
  const engine = new TestEngine(backend);
  const task = await engine.create();
  const body = { type: "roots" } as const;
  const question: Question = { id: "q", taskId: task.id, key: "k", body, to: ["caller"], askedAt: 0, answered: null };
  let asked = 0;
  const dead: Outlet = {
    session: { id: "s", answers: ["roots"], capabilities: {} } as Partial<OpenSession> as OpenSession,
    closed: new AbortController().signal,
    isSlow: () => false,
    tell: () => undefined,
    ask: () => {
      asked += 1;
      return Promise.reject(new Error("Not connected"));
    },
  };
  const streams = new Streams();
  streams.attach(task.id, dead);
  const over = new AbortController();
  const parts = { service: engine.service, clock: engine.clock } as Partial<FaceParts> as FaceParts;
  const asking = new Asking(parts, alice, streams, task, question, over.signal).run();
  await engine.until(() => asked > 0);
  for (let count = 0; count < 5; count += 1) engine.clock.advance(1_500);
  await engine.until(() => true);
  over.abort("no longer needed");
  await expect(asking).rejects.toBe("no longer needed");
  expect(asked).toBe(1);
  await backend.close();
});
