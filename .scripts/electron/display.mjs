import { spawn } from "node:child_process";
import { once } from "node:events";

/** True where a window can be shown. */
export function hasDisplay() {
  return process.platform !== "linux" || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Starts a display that nobody sees, with a number that is free; `close` ends it. */
export async function virtualDisplay(size = "1600x1200") {
  const screen = ["-screen", "0", `${size}x24`];
  const child = spawn("Xvfb", ["-displayfd", "1", ...screen, "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const number = await Promise.race([
    once(child.stdout, "data").then(([text]) => String(text).trim()),
    ended.then(([code]) => Promise.reject(new Error(`Xvfb ended with ${code}.`))),
  ]);
  const close = async () => {
    child.kill();
    await ended;
  };
  return { display: `:${number}`, close };
}
