import { type Part, parsePattern } from "./pattern-parts";

/** Beyond these a pattern or a text is refused, so that checking one stays a matter of milliseconds. */
const mostNodes = 400;
export const longestText = 5_000;

/**
 * A regular expression from somebody else. The engine's own backtracks, and takes forever over some patterns; this
 * follows all ways at once, so that the time is bounded by the length of the text. Without what needs backtracking:
 * looking around and referring back.
 */
export class Pattern {
  readonly #start: Node;

  private constructor(start: Node) {
    this.#start = start;
  }

  /** The pattern; or in words why it cannot be checked. */
  static read(source: string): Pattern | string {
    const part = parsePattern(source);
    if (typeof part === "string") return part;
    const budget = { left: mostNodes };
    const start = nodesOf(part, { kind: "found" }, budget);
    return budget.left < 0 ? "is too large" : new Pattern(start);
  }

  /** Whether it occurs anywhere in the text, as JSON schema has it; a very long text has none. */
  isIn(text: string): boolean {
    if (text.length > longestText) return false;
    const points = [...text];
    let reached = new Set<Node>();
    for (const [index, point] of [...points, undefined].entries()) {
      const edges = { start: index === 0, end: point === undefined };
      const here = new Set<Node>();
      for (const node of reached) reach(node, edges, here);
      reach(this.#start, edges, here);
      const steps = [...here];
      if (steps.some((node) => node.kind === "found")) return true;
      reached = new Set(steps.flatMap((node) => (node.kind === "one" && point && node.is(point) ? [node.next] : [])));
    }
    return false;
  }
}

type Node =
  | { readonly kind: "found" }
  | { readonly kind: "one"; readonly is: (point: string) => boolean; readonly next: Node }
  | { readonly kind: "edge"; readonly at: "start" | "end"; readonly next: Node }
  | { readonly kind: "fork"; readonly ways: Node[] };

/** What leads through a part on to `next`. Built from the end, so that only a loop is completed afterwards. */
function nodesOf(part: Part, next: Node, budget: { left: number }): Node {
  budget.left -= 1;
  if (budget.left < 0) return next;
  switch (part.kind) {
    case "one":
      return { kind: "one", is: part.is, next };
    case "edge":
      return { kind: "edge", at: part.at, next };
    case "row":
      return part.parts.reduceRight((after, one) => nodesOf(one, after, budget), next);
    case "either":
      return { kind: "fork", ways: part.parts.map((one) => nodesOf(one, next, budget)) };
    case "many":
      return repeated(part, next, budget);
  }
}

function repeated({ part, least, most }: Extract<Part, { kind: "many" }>, next: Node, budget: { left: number }): Node {
  let after = next;
  if (most === null) {
    const loop: Node = { kind: "fork", ways: [next] };
    loop.ways.push(nodesOf(part, loop, budget));
    after = loop;
  }
  for (let optional = (most ?? least) - least; optional > 0 && budget.left >= 0; optional -= 1)
    after = { kind: "fork", ways: [next, nodesOf(part, after, budget)] };
  for (let required = least; required > 0 && budget.left >= 0; required -= 1) after = nodesOf(part, after, budget);
  return after;
}

/** Adds all that can be reached without reading on; each node once, so loops of nothing end. */
function reach(from: Node, edges: { readonly start: boolean; readonly end: boolean }, reached: Set<Node>): void {
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    if (node.kind === "fork") open.push(...node.ways);
    if (node.kind === "edge" && edges[node.at]) open.push(node.next);
  }
}
