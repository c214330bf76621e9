import type { IncomingMessage } from "node:http";

/** Whether a header that may come once came more often: Node takes the first one, or joins them to a new value. */
export function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((one) => one.toLowerCase() === name).length > 1;
}
