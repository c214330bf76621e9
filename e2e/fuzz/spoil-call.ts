import fc from "fast-check";
import type { ApiCall } from "./api-call";
import { type Damage, type Delivery, type FuzzRequest, framings } from "./fuzz-request";
import { hostileText, written } from "./hostile-json";
import { spoiled, spoils } from "./spoil-json";

type Header = readonly [name: string, value: string];
type Head = Pick<ApiCall, "method" | "target" | "headers">;
type Twist = (head: Head) => Head;

const usual: readonly Header[] = [
  ["host", "{{host}}"],
  ["authorization", "Bearer {{token}}"],
  ["connection", "close"],
];

/** Requests of an API whose valid calls are these: some as they are, most with something wrong about them. */
export function spoiledRequests(calls: fc.Arbitrary<ApiCall>): fc.Arbitrary<FuzzRequest> {
  const parts = fc.record({
    call: calls,
    spoils: fc.oneof(fc.constant([]), spoils),
    twists: seldom(fc.array(twist, { minLength: 1, maxLength: 2 }), []),
    text: seldom(textTwist, same),
    framing: seldom(fc.constantFrom(...framings), "length"),
    damage: seldom(fc.array(damage, { minLength: 1, maxLength: 4 }), []),
    delivery,
  });
  return parts.map(({ call, spoils, twists, text, framing, damage, delivery }) => {
    const type: Header[] = call.body === undefined ? [] : [["content-type", "application/json"]];
    const head: Head = { ...call, headers: [...usual, ...type, ...call.headers] };
    const { method, target, headers } = twists.reduce((now, change) => change(now), head);
    const body = call.body === undefined ? null : text(written(spoiled(call.body, spoils)));
    return { method, target, headers, body, framing, damage, delivery };
  });
}

function seldom<T>(arbitrary: fc.Arbitrary<T>, otherwise: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });
}

const same = (text: string) => text;

const textTwist = fc.constantFrom<((text: string) => string)[]>(
  same,
  () => "",
  () => " \n",
  () => "nonsense",
  (text) => text.slice(0, text.length / 2),
  (text) => `${text}${text}`,
  (text) => `\ufeff${text}`,
  (text) => `// comment\n${text}`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll('"', '"\0'),
  (text) => `[${text},${text}]`,
  (text) => `[${Array.from({ length: 100 }, () => text).join(",")}]`,
  (text) => `${" ".repeat(60_000)}${text}`,
);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY", "get", "FOO"];

const oddTarget = fc.oneof(
  fc.constantFrom(
    "*",
    "/",
    "//",
    "/..",
    "/lmsp/v1/../../mcp",
    "/lmsp/v1//tasks",
    "/%",
    "/%ff%fe",
    "/lmsp/v1/tasks/%00",
    "/lmsp/v1/tasks/__proto__",
    "http://evil.example/lmsp/v1/tasks",
    "http://{{host}}/lmsp/v1/tasks",
    "/lmsp/v1/tasks?limit=%E0%A4%A",
    "/lmsp/v1/tasks?__proto__[x]=1",
    "/lmsp/v1/tasks#fragment",
    "/mcp?x=1",
    "/mcp/",
    "/tasks with space",
    "/openapi.json",
  ),
  fc.constantFrom(500, 9_000, 20_000).map((length) => `/lmsp/v1/tasks/${"a".repeat(length)}`),
  hostileText.map((text) => `/lmsp/v1/tasks/${text}`),
  hostileText.map((text) => `/lmsp/v1/tasks?cursor=${text}`),
);

const oddHeader: fc.Arbitrary<Header> = fc.oneof(
  fc.constantFrom<Header[]>(
    ["authorization", "Bearer {{token}}"],
    ["authorization", "Basic AAAA"],
    ["host", "evil.example"],
    ["origin", "http://evil.example"],
    ["origin", "null"],
    ["content-type", "text/plain"],
    ["content-type", "application/json; charset=utf-16"],
    ["content-type", "application/json; charset=utf-8; boundary=x"],
    ["content-type", "multipart/form-data; boundary="],
    ["content-type", ";"],
    ["content-encoding", "gzip"],
    ["accept", "image/png"],
    ["accept", "text/event-stream;q=0"],
    ["accept", ""],
    ["expect", "100-continue"],
    ["expect", "a-miracle"],
    ["upgrade", "h2c"],
    ["connection", "upgrade, keep-alive"],
    ["te", "trailers, deflate;q=x"],
    ["transfer-encoding", "gzip, chunked"],
    ["content-length", "-1"],
    ["content-length", "1, 1"],
    ["idempotency-key", "key"],
    ["idempotency-key", "\u00e9"],
    ["last-event-id", "-1"],
    ["last-event-id", "99999999999999999999"],
    ["mcp-session-id", "{{session 1}}"],
    ["mcp-session-id", "none"],
    ["mcp-protocol-version", "1999-01-01"],
    ["mcp-protocol-version", "2025-11-25"],
    ["mcp-protocol-version", "2026-07-28"],
    ["mcp-method", "tasks/list"],
    ["x-large", "x".repeat(20_000)],
    ["__proto__", "x"],
    ["x-bad\0", "x"],
    [" x-space ", "x"],
    ["x-fold", "a\r\n b"],
    ["x-inject", "a\r\ncontent-length: 0"],
    ["", ""],
  ),
  fc.tuple(
    fc.constantFrom("user-agent", "last-event-id", "idempotency-key", "mcp-name", "accept", "cookie"),
    hostileText,
  ),
);

const twist: fc.Arbitrary<Twist> = fc.oneof(
  fc.constantFrom(...methods).map(
    (method): Twist =>
      (head) => ({ ...head, method }),
  ),
  oddTarget.map(
    (target): Twist =>
      (head) => ({ ...head, target }),
  ),
  oddHeader.map(
    (header): Twist =>
      (head) => ({ ...head, headers: [...head.headers, header] }),
  ),
  oddHeader.map(
    (header): Twist =>
      (head) => ({ ...head, headers: [...head.headers.filter(([name]) => name !== header[0]), header] }),
  ),
  fc.nat(20).map(
    (at): Twist =>
      (head) => ({ ...head, headers: head.headers.toSpliced(at % head.headers.length, 1) }),
  ),
  fc.constant<Twist>((head) => ({
    ...head,
    headers: [...head.headers, ...Array.from({ length: 3_000 }, (_, index): Header => [`x-${index}`, "x"])],
  })),
);

/** Places as shares of the whole. */
const place = fc.nat(1_000).map((thousandths) => thousandths / 1_000);

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), at: place, byte: fc.nat(255) }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: place,
    text: fc.oneof(
      fc.constantFrom(
        "\r\n",
        "\r\n\r\n",
        "\n",
        "\0",
        " ",
        ":",
        "GET / HTTP/1.1\r\nhost: x\r\n\r\n",
        "\xff\xfe",
        "0\r\n\r\n",
      ),
      fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 30 }),
    ),
  }),
  fc.record({ kind: fc.constant("remove" as const), at: place, length: fc.nat(40) }),
  fc.record({ kind: fc.constant("repeat" as const), at: place, length: fc.nat(200), times: fc.nat(5) }),
);

const cutBy = fc.constantFrom("fin" as const, "rst" as const);

const delivery: fc.Arbitrary<Delivery> = fc.oneof(
  { weight: 80, arbitrary: fc.constant({ kind: "whole" as const }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("cut" as const), at: place, by: cutBy }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("left" as const), after: fc.nat(60), by: cutBy }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("dribbled" as const), from: place }) },
);
