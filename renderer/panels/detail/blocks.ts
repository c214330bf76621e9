/** A stretch of the output that is rendered on its own, and never again once another follows it. */
export interface Block {
  readonly kind: "markdown" | "code" | "plain";
  /** With the line ends; all blocks together are the text. */
  readonly text: string;
}

/** A larger block would take longer to parse than a frame may take: it is shown as it was written. */
const largestBlock = 8_000;
/** So many marks at the beginning of a line, or before one, nest deeper than anyone reads. */
const tooDeep = /^(?:(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])[ \t]*){12}| {24,}(?:>|[-*+]|\d{1,9}[.)]))/;
/** What may pair up: the time to find the pairs grows with the square of their number. */
const mark = /[[\]*_`~<&]/g;
const mostMarks = 800;
/** Each bracket that never closes is looked for to the end of the block. */
const mostOpen = 30;

const fenceStart = /^( *)(`{3,}(?=[^`]*$)|~{3,})/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const indented = /^(?: {2,}|\t)/;

interface Open {
  lines: string[];
  isList: boolean;
  isCode: boolean;
  isDeep: boolean;
  fence: string | null;
  isEnded: boolean;
}

/** Splits Markdown at blank lines; a list, and a fence with all that is in it, stay whole. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Open | null = null;
  for (const line of text.split(/(?<=\n)/)) {
    if (open !== null && begins(open, line)) {
      blocks.push(blockOf(open));
      open = null;
    }
    open ??= { lines: [], isList: listItem.test(line), isCode: false, isDeep: false, fence: null, isEnded: false };
    take(open, line);
  }
  if (open !== null) blocks.push(blockOf(open));
  return blocks;
}

/** Whether a line is the first of another block. */
function begins(open: Open, line: string): boolean {
  if (open.fence !== null || line.trim() === "") return false;
  const fence = fenceStart.exec(line);
  if (fence !== null && (fence[1]?.length ?? 0) < 2) return true;
  if (!open.isEnded) return false;
  return !(open.isList && (indented.test(line) || listItem.test(line)));
}

function take(open: Open, line: string): void {
  const fence = fenceStart.exec(line)?.[2] ?? null;
  open.isDeep ||= tooDeep.test(line);
  if (open.fence !== null) {
    if (closes(open.fence, line)) {
      open.fence = null;
      open.isEnded = open.isCode;
    }
  } else if (fence !== null) {
    open.isCode = open.lines.length === 0 && !open.isList;
    open.fence = fence;
    open.isEnded = false;
  } else open.isEnded = line.trim() === "";
  open.lines.push(line);
}

function closes(fence: string, line: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length);
}

function blockOf({ lines, isCode, isDeep }: Open): Block {
  const text = lines.join("");
  if (isCode) return { kind: "code", text };
  const isHard = isDeep || text.length > largestBlock || countOf(mark, text) > mostMarks || openIn(text) > mostOpen;
  return { kind: isHard ? "plain" : "markdown", text };
}

const openIn = (text: string) => countOf(/\[/g, text) - countOf(/\]/g, text);

function countOf(sign: RegExp, text: string): number {
  return text.match(sign)?.length ?? 0;
}

/** What stands between the fences of a code block, and the language it names. */
export function codeOf(text: string): { readonly language: string; readonly code: string } {
  const lines = text.replace(/\n+$/, "").split("\n");
  const [, , fence = "```"] = fenceStart.exec(lines[0] ?? "") ?? [];
  const language = (lines[0] ?? "").trim().slice(fence.length).trim();
  const isClosed = lines.length > 1 && closes(fence, lines.at(-1) ?? "");
  return { language, code: lines.slice(1, isClosed ? -1 : undefined).join("\n") };
}
