import { isProbe } from "../probe";
import type { Port } from "./port";

/** What Electron gives a utility process to talk to its host. */
export interface UtilityParentPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { readonly data: unknown }) => void): void;
}

/** The channel of a utility process, on its own side. It ends with the process: Electron takes it along with its host. */
export function parentPort(port: UtilityParentPort): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) =>
      port.on("message", ({ data }) => {
        if (!isProbe(data)) listener(data);
      }),
    onClose: () => undefined,
    close: () => process.exit(0),
  };
}
