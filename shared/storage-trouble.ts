import { z } from "zod";

/** What is wrong where the tasks are kept. */
export const storageTroubleSchema = z.strictObject({
  /** `shut`: no task can be read or made. `failing`: nothing new can be kept. */
  state: z.enum(["shut", "failing"]),
  /** What is wrong and what to do. */
  detail: z.string(),
});
export type StorageTrouble = z.output<typeof storageTroubleSchema>;
