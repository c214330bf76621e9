import { z } from "zod";
import { type ProblemCode, ProblemError, problems } from "../../shared/problem";
import type { Job } from "../engine/job";

const input = z.object({
  code: z.custom<ProblemCode>((code) => typeof code === "string" && Object.hasOwn(problems, code)),
  detail: z.string(),
});

/**
 * Fails at once with the problem that it is given. A call that cannot begin, by a caller to whom only a task may be
 * answered, becomes a task of this job.
 */
export const refuseJob: Job = {
  name: "refuse",
  async run(context) {
    const { code, detail } = input.parse(context.input);
    throw new ProblemError(code, detail);
  },
};
