import type { FastifyRequest } from "fastify";

/** The call as the SDK reads it. The body is left out: it is parsed already, and handed over beside this. */
export function webRequest({ method, url, headers }: FastifyRequest): Request {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of [value].flat()) if (one !== undefined) copy.append(name, one);
  return new Request(new URL(url, "http://localhost"), { method, headers: copy });
}
