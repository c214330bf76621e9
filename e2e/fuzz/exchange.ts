import { connect, type Socket } from "node:net";
import type { Delivery } from "./fuzz-request";

/** `closed`: the server ended the connection; `left`: we did; `silent`: nothing came for far too long. */
export type ExchangeEnd = "closed" | "left" | "silent";

export interface Received {
  readonly bytes: Buffer;
  readonly end: ExchangeEnd;
}

export interface Patience {
  /** Milliseconds that an answer may go on before its reader leaves. */
  readonly stream: number;
  /** Whether the reader leaves after that also when nothing has come: the answer is one that may take long. */
  readonly mayWait: boolean;
  /** Whether the server may be waiting for the rest of the request: then we end our side. */
  readonly mayStarve: boolean;
}

/** Milliseconds. Nothing in a host that works takes so long. */
const silence = 15_000;
const starving = 150;
const dribble = 20;

/** One connection: sends `bytes` as `delivery` says, and takes what comes until either side ends it. */
export function exchange(port: number, bytes: Buffer, delivery: Delivery, patience: Patience): Promise<Received> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const timers: NodeJS.Timeout[] = [];
    const after = (time: number, work: () => void) => void timers.push(setTimeout(work, time));
    let end: ExchangeEnd = "closed";
    const leave = (why: ExchangeEnd) => {
      end = why;
      socket.destroy();
    };
    socket.on("data", (chunk: Buffer) => {
      if (chunks.push(chunk) === 1) after(patience.stream, () => leave("left"));
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => undefined); // a reset is one way to be closed
    socket.on("close", () => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ bytes: Buffer.concat(chunks), end });
    });
    after(silence, () => leave("silent"));
    if (patience.mayWait) after(patience.stream, () => leave("left"));
    if (patience.mayStarve && delivery.kind === "whole") after(starving, () => socket.end());
    deliver(socket, bytes, delivery, after);
  });
}

function deliver(socket: Socket, bytes: Buffer, delivery: Delivery, after: (time: number, work: () => void) => void) {
  const cut = (by: "fin" | "rst") => (by === "fin" ? socket.end() : socket.resetAndDestroy());
  const upTo = (share: number) => bytes.subarray(0, Math.floor(share * bytes.length));
  if (delivery.kind === "cut") socket.write(upTo(delivery.at), () => cut(delivery.by));
  else if (delivery.kind === "dribbled") {
    socket.write(upTo(delivery.from));
    const next = (at: number) => {
      if (at >= bytes.length || !socket.writable) return;
      socket.write(bytes.subarray(at, at + 1));
      after(dribble, () => next(at + 1));
    };
    next(Math.floor(delivery.from * bytes.length));
  } else {
    socket.write(bytes);
    if (delivery.kind === "left") after(delivery.after, () => cut(delivery.by));
  }
}
