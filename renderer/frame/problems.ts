import type { HostStatus } from "../../shared/desktop/feed";
import { words } from "./words";

/** What is wrong with the host, each fault in words; none when it is well. */
export function problemsOf(host: HostStatus): string[] {
  return [storageProblemOf(host), endpointProblemOf(host), host.inferenceProblem].filter((problem) => problem !== null);
}

function storageProblemOf({ storage }: HostStatus): string | null {
  return storage === null ? null : words.storage[storage.state].title;
}

function endpointProblemOf({ url, endpointProblem }: HostStatus): string | null {
  if (endpointProblem !== null) return words.endpointDown(endpointProblem);
  return url === null ? words.noEndpoint : null;
}
