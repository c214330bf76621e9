import rateLimit from "@fastify/rate-limit";
import { ProblemError } from "../../shared/problem";
import type { Settings } from "../../shared/settings";
import type { HttpApp } from "./app";

/** Counts the requests of each client, also those that lead nowhere. Goes after the guard, which knows the client. */
export async function limitRates(app: HttpApp, settings: Settings): Promise<void> {
  const burst = settings["limits.request_burst"];
  // The burst in the time in which the average allows as much.
  const timeWindow = Math.ceil((burst / settings["limits.requests_per_second"]) * 1_000);
  await app.register(rateLimit, { global: false, max: burst, timeWindow, keyGenerator: (request) => request.client });
  const count = app.createRateLimit();
  app.addHook("onRequest", async (request) => {
    const limit = await count(request);
    if (!limit.isAllowed && limit.isExceeded)
      throw new ProblemError("rate_limited", `At most ${burst} requests in ${timeWindow / 1_000} s are answered.`, {
        retryAfter: limit.ttlInSeconds,
      });
  });
}
