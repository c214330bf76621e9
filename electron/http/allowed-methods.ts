import type { RegisteredRoute } from "./app";

/** The methods of the routes that have this path, for `Allow`; empty when there is no such path. */
export function allowedMethods(routes: readonly RegisteredRoute[], path: string): string[] {
  const methods = routes.filter(({ url }) => matches(url, path)).map(({ method }) => method);
  return [...new Set(methods)].sort();
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(":") ? given[index] !== "" : part === given[index]))
  );
}
