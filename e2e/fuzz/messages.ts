import type { HttpAnswer } from "./http-answer";

/** The JSON of an answer, or of the events in it that are whole. */
export function messagesIn({ headers, body, isWhole }: HttpAnswer): unknown[] {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream"))
    return body
      .split("\n\n")
      .slice(0, -1)
      .flatMap((frame) => /^data: ?(.+)$/m.exec(frame)?.[1] ?? [])
      .map((data): unknown => JSON.parse(data));
  if (!isWhole || body === "" || !/^application\/(?:problem\+)?json/.test(type)) return [];
  return [JSON.parse(body)].flat();
}
