import type { MessagePort } from "node:worker_threads";
import type { Port } from "./port";

/** A port of a MessageChannel. */
export function messagePort(port: MessagePort): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => port.on("message", listener),
    onClose: (listener) => port.once("close", listener),
    close: () => port.close(),
  };
}
