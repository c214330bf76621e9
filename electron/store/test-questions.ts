import { describe, expect, it } from "vitest";
import type { Question } from "../../shared/question";
import type { TaskStore } from "../engine/store";
import { sampleEvent, sampleQuestion, sampleTask } from "./sample";

const form: Question["body"] = {
  type: "form",
  message: "Which \u0000 \ud83d style?",
  schema: { type: "object", properties: { style: { type: "string", enum: ["short", "long"] } }, required: ["style"] },
};
const accepted: NonNullable<Question["answered"]> = {
  answer: { action: "accept", content: { style: "short", "": ['"\ud800'] } },
  by: "caller \u0000",
  at: 2_000,
};
const declined: NonNullable<Question["answered"]> = { answer: { action: "decline" }, by: "person", at: 3_000 };

/** The part of the contract about what jobs ask; `reopened` closes the store and opens it again. */
export function describeQuestions(store: () => TaskStore, reopened: () => TaskStore): void {
  const insert = (...ids: string[]) => ids.map((id) => store().insert(sampleTask(id), null, null));
  const add = (question: Question) => {
    store().addQuestion(question);
    return question;
  };

  describe("questions", () => {
    it("come back as they were asked, per task and oldest first, whatever their times say", () => {
      insert("t1", "t2");
      const first = add(sampleQuestion("t1", "q9", { body: form, key: "", to: ["caller", "person"], askedAt: 9 }));
      const other = add(
        sampleQuestion("t2", "q5", { body: { type: "sampling", request: { maxTokens: 1, list: [null] } } }),
      );
      const second = add(sampleQuestion("t1", "q1", { key: "a\u0000\ud83d", to: [], askedAt: 8 }));
      const third = add(sampleQuestion("t1", '"q\ud800', { answered: declined }));
      expect(store().questions("t1")).toEqual([first, second, third]);
      expect([reopened().questions("t1"), store().questions("t2")]).toEqual([[first, second, third], [other]]);
      expect(store().questions("nobody")).toEqual([]);
    });

    it("are answered once: the first answer is kept, the next does nothing", () => {
      insert("t1");
      const [open, asked] = [add(sampleQuestion("t1", "q1")), add(sampleQuestion("t1", "q2", { body: form }))];
      expect(store().answerQuestion("q2", accepted)).toEqual({ ...asked, answered: accepted });
      expect(store().answerQuestion("q2", declined)).toBeUndefined();
      expect(reopened().answerQuestion("q2", declined)).toBeUndefined();
      expect(store().questions("t1")).toEqual([open, { ...asked, answered: accepted }]);
      expect(store().answerQuestion("q1", declined)).toEqual({ ...open, answered: declined });
    });

    it("that nobody asked cannot be answered", () => {
      insert("t1");
      add(sampleQuestion("t1", "q1"));
      expect(["q", "Q1", "q1\u0000", "t1"].map((id) => store().answerQuestion(id, declined))).toEqual(
        Array(4).fill(undefined),
      );
      expect(store().questions("t1")).toEqual([sampleQuestion("t1", "q1")]);
    });

    it("must be new, and of a task", () => {
      insert("t1", "t2");
      const first = add(sampleQuestion("t1", "q1"));
      for (const taskId of ["t1", "t2"])
        expect(() => store().addQuestion(sampleQuestion(taskId, "q1", { body: form }))).toThrow(Error);
      expect(() => store().addQuestion(sampleQuestion("nobody", "q2"))).toThrow(Error);
      expect([store().questions("t1"), store().questions("t2")]).toEqual([[first], []]);
    });

    it("outlive the attempt that asked them, open and answered", () => {
      insert("t1");
      const [open, asked] = [add(sampleQuestion("t1", "q1")), add(sampleQuestion("t1", "q2"))];
      store().answerQuestion("q2", accepted);
      store().addEvents([sampleEvent("t1", 0), sampleEvent("t1", 1)]);
      store().dropAttempt("t1");
      expect(store().questions("t1")).toEqual([open, { ...asked, answered: accepted }]);
    });

    it("go with their task, and no other's do", () => {
      insert("t1", "t2");
      add(sampleQuestion("t1", "q1"));
      const kept = add(sampleQuestion("t2", "q2"));
      store().remove("t1");
      insert("t1");
      expect([reopened().questions("t1"), store().questions("t2")]).toEqual([[], [kept]]);
      expect(store().answerQuestion("q1", declined)).toBeUndefined();
    });

    it("do not touch the task, and are not held by reference", () => {
      const [task] = insert("t1");
      const content = { style: "short" };
      const to: ("caller" | "person")[] = ["caller"];
      store().addQuestion(sampleQuestion("t1", "q1", { to }));
      to.push("person");
      const answered = { answer: { action: "accept", content }, by: "a", at: 1 } as const;
      expect(store().answerQuestion("q1", answered)?.to).toEqual(["caller"]);
      content.style = "long";
      expect(store().questions("t1")[0]?.answered?.answer).toEqual({ action: "accept", content: { style: "short" } });
      expect(store().task("t1")).toEqual(task);
    });
  });
}
