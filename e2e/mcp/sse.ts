/** One frame of an event stream. */
export interface SseFrame {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** The frames of a response until the server ends it; comments are skipped. Throws when it ends inside a frame. */
export async function* sseFrames(response: Response): AsyncGenerator<SseFrame, void> {
  if (response.body === null) return;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of response.body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const frame = frameOf(block);
      if (frame !== undefined) yield frame;
    }
  }
  if (rest.trim() !== "") throw new Error(`The stream ended inside a frame: ${JSON.stringify(rest)}`);
}

/** Undefined for a block without data: a comment, or an id alone. */
function frameOf(block: string): SseFrame | undefined {
  let event = "message";
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (name === "event") event = value ?? "";
    if (name === "id") id = value ?? "";
    if (name === "data") data.push(value ?? "");
  }
  // A priming frame has an id and an empty text.
  return data.join("") === "" ? undefined : { event, id, data: data.join("\n") };
}
