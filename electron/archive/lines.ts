import { ProblemError } from "../../shared/problem";

export interface Line {
  /** From 1. */
  readonly number: number;
  /** With the line feed, where there is one. */
  readonly bytes: Uint8Array;
}

const lineFeed = 10;
/** In bytes: far more than the largest input that a task can have been made with. */
const longestLine = 256 * 1024 * 1024;

/** Lines end with a line feed, and with nothing else: the texts in them may hold whatever Unicode calls a line's end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  let begun: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const bytes = Buffer.concat([...begun, chunk.subarray(from, end + 1)]);
      yield { number, bytes };
      number += 1;
      [begun, length, from] = [[], 0, end + 1];
    }
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > longestLine) throw new ProblemError("invalid_request", `Line ${number} is too long.`);
  }
  if (length > 0) yield { number, bytes: Buffer.concat(begun) };
}
