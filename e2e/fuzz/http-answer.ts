/** An answer as it came over a connection. */
export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name; the last one counts. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** False when the connection ended, or was left, within it. */
  readonly isWhole: boolean;
}

/**
 * What a server has said on one connection, without the interim answers (1xx). Throws when it is no HTTP. `method` is
 * that of the first request: an answer to HEAD has no body, whatever its head says.
 */
export function answersIn(bytes: Buffer, method: string): HttpAnswer[] {
  const answers: HttpAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return answers; // cut within its head
    const [first = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(first)?.[1] ?? notHttp(first));
    const headers = new Map(lines.map(headerOf));
    const body = isBodiless(status, method) ? nothing : bodyOf(headers, rest.subarray(end + 4));
    rest = rest.subarray(end + 4 + body.length);
    if (status >= 200) answers.push({ status, headers, body: body.text, isWhole: body.isWhole });
  }
  return answers;
}

interface Body {
  readonly text: string;
  /** Bytes on the connection. */
  readonly length: number;
  readonly isWhole: boolean;
}

const nothing: Body = { text: "", length: 0, isWhole: true };

function headerOf(line: string): [string, string] {
  const [, name, value] = /^([!#-'*+.0-9A-Z^-z|~-]+): ?(.*)$/.exec(line) ?? [];
  return name === undefined ? notHttp(line) : [name.toLowerCase(), value ?? ""];
}

function isBodiless(status: number, method: string): boolean {
  return status < 200 || status === 204 || status === 304 || method === "HEAD";
}

function bodyOf(headers: ReadonlyMap<string, string>, bytes: Buffer): Body {
  if (headers.get("transfer-encoding") === "chunked") return chunkedBody(bytes);
  const length = Number(headers.get("content-length") ?? bytes.length);
  const body = bytes.subarray(0, length);
  return { text: body.toString(), length: body.length, isWhole: body.length === length };
}

function chunkedBody(bytes: Buffer): Body {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, Math.max(at, end)).toString("latin1"), 16);
    const next = end + 2 + size + 2;
    const isCut = end < 0 || next > bytes.length;
    if (!isCut) chunks.push(bytes.subarray(end + 2, next - 2));
    if (isCut || size === 0)
      return { text: Buffer.concat(chunks).toString(), length: isCut ? bytes.length : next, isWhole: !isCut };
    at = next;
  }
}

function notHttp(line: string): never {
  throw new Error(`This is no HTTP: ${JSON.stringify(line.slice(0, 200))}`);
}
