/** A regular expression in its parts. */
export type Part =
  | { readonly kind: "one"; readonly is: (point: string) => boolean }
  | { readonly kind: "edge"; readonly at: "start" | "end" }
  | { readonly kind: "row"; readonly parts: readonly Part[] }
  | { readonly kind: "either"; readonly parts: readonly Part[] }
  | { readonly kind: "many"; readonly part: Part; readonly least: number; readonly most: number | null };

/** What stands at a place of a valid pattern: one character of some kind, a bracket, or what repeats it. */
const tokens = {
  escape:
    /\\(?:[pP]\{[^}]*\}|x[\da-fA-F]{2}|u\{[\da-fA-F]+\}|(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|u[\da-fA-F]{4}|c[a-zA-Z]|.)/suy,
  // In a class only an escape can hold its end.
  class: /\[(?:\\.|[^\]\\])*\]/suy,
  group: /\((?:\?:|\?<[\p{ID_Start}$_][\p{ID_Continue}$]*>)?/uy,
  count: /\{(\d+)(,(\d*))?\}/uy,
} as const;

/** Throws nothing: the parts, or in words what the pattern has that is not understood. */
export function parsePattern(source: string): Part | string {
  try {
    new RegExp(source, "u");
  } catch {
    return "is no regular expression"; // in whose words that is said does not matter to who asked
  }
  const [strange] = /\(\?(?!:|<[^=!])[^)]{0,2}|\\(?:[bB]|[1-9]|k<)/u.exec(withoutLiterals(source)) ?? [];
  return strange === undefined ? new Reader(source).all() : `has ${strange}, which is not understood here`;
}

/** Classes, escaped backslashes and brackets hide what only looks like syntax. */
function withoutLiterals(source: string): string {
  return source.replaceAll(/\\[\\[]|\[(?:\\.|[^\]\\])*\]/gsu, "_");
}

/** Reads a valid pattern from left to right. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  all(): Part {
    const ways = [this.#row()];
    while (this.#skip("|")) ways.push(this.#row());
    return ways.length === 1 && ways[0] !== undefined ? ways[0] : { kind: "either", parts: ways };
  }

  #row(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source.charAt(this.#at)))
      parts.push(this.#repeated(this.#part()));
    return { kind: "row", parts };
  }

  #part(): Part {
    if (this.#skip("^")) return { kind: "edge", at: "start" };
    if (this.#skip("$")) return { kind: "edge", at: "end" };
    if (this.#take(tokens.group) !== undefined) {
      const inside = this.all();
      this.#skip(")");
      return inside;
    }
    const [one] = this.#take(tokens.escape) ?? this.#take(tokens.class) ?? this.#take(/./suy) ?? [""];
    return { kind: "one", is: oneOf(one) };
  }

  /** How often it repeats; that it does so unwillingly (`?`) changes nothing about whether it fits. */
  #repeated(part: Part): Part {
    const [least, most] = this.#counts();
    this.#skip("?");
    return least === 1 && most === 1 ? part : { kind: "many", part, least, most };
  }

  #counts(): readonly [number, number | null] {
    if (this.#skip("*")) return [0, null];
    if (this.#skip("+")) return [1, null];
    if (this.#skip("?")) return [0, 1];
    const [, least, comma, most] = this.#take(tokens.count) ?? [];
    if (least === undefined) return [1, 1];
    if (comma === undefined) return [Number(least), Number(least)];
    return [Number(least), most ? Number(most) : null];
  }

  #skip(sign: string): boolean {
    if (!this.#source.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  #take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#source) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

/** One character is what the engine's own expressions are quick and exact at. */
function oneOf(source: string): (point: string) => boolean {
  const one = new RegExp(`^${source}$`, "u");
  return (point) => one.test(point);
}
