/** Waits for what `begin` begins; the undo that it returns is called at the end. Rejects with `signal.reason`. */
export async function until<T>(
  signal: AbortSignal,
  begin: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void,
): Promise<T> {
  signal.throwIfAborted();
  let undo: (() => void) | undefined;
  let leave: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      undo = begin(resolve, reject);
    });
  } finally {
    if (leave !== undefined) signal.removeEventListener("abort", leave);
    undo?.();
  }
}
