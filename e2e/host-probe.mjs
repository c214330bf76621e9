// Loaded into a host before its own code; tells the process that started it what it uses, whenever it asks.
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on("message", (message) => {
  if (message !== "measure") return;
  const loopDelay = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
  delay.reset();
  // Weak references and finalizers are done with only by the second one.
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    const { heapUsed, rss, external, arrayBuffers } = process.memoryUsage();
    process.send({ heapUsed, rss, external, arrayBuffers, loopDelay, resources: process.getActiveResourcesInfo() });
  });
});
// The host ends as if nobody watched.
process.channel.unref();
