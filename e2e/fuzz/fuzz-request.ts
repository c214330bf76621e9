/** One request as it was generated. It is JSON, so that it can be written to a file and sent again. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  readonly framing: Framing;
  readonly damage: readonly Damage[];
  readonly delivery: Delivery;
}

/** How the head says where the body ends; all but the first two say it wrong. */
export const framings = [
  "length",
  "chunked",
  "unsaid",
  "too short",
  "too long",
  "two lengths",
  "length and chunked",
  "chunked twice",
  "bad chunk",
  "odd length",
] as const;
export type Framing = (typeof framings)[number];

/** A change of the bytes; places are shares of the whole, from 0 to 1. */
export type Damage =
  | { readonly kind: "set"; readonly at: number; readonly byte: number }
  | { readonly kind: "insert"; readonly at: number; readonly text: string }
  | { readonly kind: "remove"; readonly at: number; readonly length: number }
  | { readonly kind: "repeat"; readonly at: number; readonly length: number; readonly times: number };

/** How the bytes go out. `by` is how the connection is cut: by a FIN, or by a RST. */
export type Delivery =
  | { readonly kind: "whole" }
  /** From this place on, a byte now and then. */
  | { readonly kind: "dribbled"; readonly from: number }
  | { readonly kind: "cut"; readonly at: number; readonly by: "fin" | "rst" }
  /** All is sent, and the caller leaves so many milliseconds later. */
  | { readonly kind: "left"; readonly after: number; readonly by: "fin" | "rst" };

/** Whether it is a whole HTTP message, so that it must have an answer. */
export function isWhole({ method, headers, body, framing, damage, delivery }: FuzzRequest): boolean {
  const saysMore = headers.some(([name]) => name === "transfer-encoding" || name === "content-length");
  const isFramed = !saysMore && (body === null || framing === "length" || framing === "chunked");
  return isFramed && damage.length === 0 && delivery.kind === "whole" && method !== "CONNECT";
}

/** `fill` puts what is known of the host in place of what the generated text names. */
export function bytesOf(request: FuzzRequest, fill: (text: string) => string): Buffer {
  const { method, target, headers, framing, damage } = request;
  const body = request.body === null ? null : Buffer.from(fill(request.body));
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const head = [...lines.map(fill), ...(body === null ? [] : framingLines[framing](body.length))];
  const framed = body === null ? Buffer.alloc(0) : framedBody(framing, body);
  return damage.reduce(damaged, Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), framed]));
}

const framingLines = {
  length: (size) => [`content-length: ${size}`],
  chunked: () => ["transfer-encoding: chunked"],
  unsaid: () => [],
  "too short": (size) => [`content-length: ${Math.floor(size / 2)}`],
  "too long": (size) => [`content-length: ${size + 100}`],
  "two lengths": (size) => [`content-length: ${size}`, `content-length: ${size + 1}`],
  "length and chunked": (size) => [`content-length: ${size}`, "transfer-encoding: chunked"],
  "chunked twice": () => ["transfer-encoding: chunked", "transfer-encoding: identity, chunked"],
  "bad chunk": () => ["transfer-encoding: chunked"],
  "odd length": (size) => [`content-length: +${size}`],
} as const satisfies Record<Framing, (size: number) => readonly string[]>;

function framedBody(framing: Framing, body: Buffer): Buffer {
  const size = framing === "bad chunk" ? "fffffffffffffffff" : body.length.toString(16);
  if (!["chunked", "length and chunked", "chunked twice", "bad chunk"].includes(framing)) return body;
  if (body.length === 0) return Buffer.from("0\r\n\r\n");
  return Buffer.concat([Buffer.from(`${size};name=value\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
}

function damaged(bytes: Buffer, damage: Damage): Buffer {
  const at = Math.floor(damage.at * bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  if (damage.kind === "set") return Buffer.concat([before, Buffer.from([damage.byte]), after.subarray(1)]);
  if (damage.kind === "insert") return Buffer.concat([before, Buffer.from(damage.text, "latin1"), after]);
  if (damage.kind === "remove") return Buffer.concat([before, after.subarray(damage.length)]);
  const repeated = Array.from({ length: damage.times }, () => after.subarray(0, damage.length));
  return Buffer.concat([before, ...repeated, after]);
}
