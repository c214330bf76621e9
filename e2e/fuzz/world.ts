/** What a text may name of the host: `{{task 3}}` is one of the tasks that are known, whichever. */
const kinds = {
  task: /\btask_[0-9A-HJKMNP-TV-Z]{26}\b/g,
  question: /\bq_[0-9A-HJKMNP-TV-Z]{26}\b/g,
  cursor: /(?<="next_?[cC]ursor":")[\w-]+/g,
  state: /(?<="requestState":")[^"]+/g,
} as const;
/** `asked`: the id of a request that the server made. */
type Kind = keyof typeof kinds | "session" | "asked";

const remembered = 64;

/** What a client has learned of the host, from its answers alone. */
export class World {
  readonly #fixed: Readonly<Record<string, string>>;
  readonly #known = new Map<Kind, string[]>();

  /** `fixed` are texts with one meaning, such as `token`. */
  constructor(fixed: Readonly<Record<string, string>>) {
    this.#fixed = fixed;
  }

  fill(text: string): string {
    return text.replace(/\{\{(\w+)(?: (\d+))?\}\}/g, (_all, name: string, index = "0") => {
      const known = this.#known.get(name as Kind) ?? [];
      return this.#fixed[name] ?? known[Number(index) % known.length] ?? `no-${name}`;
    });
  }

  /** Takes what an answer names. */
  read(text: string): void {
    for (const [kind, pattern] of Object.entries(kinds))
      for (const [found] of text.matchAll(pattern)) this.add(kind as Kind, found);
  }

  all(kind: Kind): readonly string[] {
    return this.#known.get(kind) ?? [];
  }

  forget(kind: Kind): void {
    this.#known.delete(kind);
  }

  add(kind: Kind, value: string): void {
    const known = this.#known.get(kind) ?? [];
    this.#known.set(kind, known);
    if (known.includes(value)) return;
    known.push(value);
    // The oldest are forgotten, but for sessions, which somebody has to end.
    if (known.length > remembered && kind !== "session") known.shift();
  }
}
