import { ProblemError } from "../../shared/problem";
import type { Answerer, QuestionBody } from "../../shared/question";
import type { Task } from "../../shared/task";

/** Whether a person is at a window of this host, and with that to whom a question can go. */
export class People {
  #windows = 0;

  /** A window is there that can show questions; the result takes it away. */
  attach(): () => void {
    this.#windows += 1;
    let attached = true;
    return () => {
      if (attached) this.#windows -= 1;
      attached = false;
    };
  }

  /** Throws ProblemError `no_person` or `nobody_to_ask`: a question that nobody can answer is never asked. */
  whoAnswers(task: Task, body: QuestionBody, to: "anyone" | "person"): readonly Answerer[] {
    const person: Answerer[] = this.#windows > 0 && body.type === "form" ? ["person"] : [];
    const caller: Answerer[] = to === "anyone" && task.answers.includes(body.type) ? ["caller"] : [];
    const answerers = [...caller, ...person];
    if (answerers.length > 0) return answerers;
    if (to === "person")
      throw new ProblemError("no_person", "No window of Simmer is open here, so there is no person to ask; open it.");
    throw new ProblemError("nobody_to_ask", `Nobody can ${needs[body.type]}.`);
  }
}

const needs = {
  form: "answer the task's question: the client that made it cannot, and no window of Simmer is open here",
  sampling: "write the text that the task needs: the client that made it lends no model",
  roots: "name the folders that the task needs: the client that made it tells none",
} as const satisfies Record<QuestionBody["type"], string>;
