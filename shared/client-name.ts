/** The person at the window. It has no token: nothing can call over the network in its name. */
export const desktopClient = "desktop";
/** Whoever may read `endpoint.json`. */
export const localClient = "local";

export const clientNamePattern = /^[A-Za-z0-9._-]{1,64}$/;

/** Why a client cannot be called this, to follow "it "; undefined when it can. */
export function clientNameFault(name: string): string | undefined {
  if (!clientNamePattern.test(name))
    return `must be 1 to 64 letters, digits, dots, hyphens or underscores, not "${name.slice(0, 100)}"`;
  if (name === desktopClient || name === localClient) return `cannot be "${name}": Simmer uses that name`;
  return undefined;
}
