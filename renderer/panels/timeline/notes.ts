import type { Change } from "./phases";
import { textWidth } from "./text-width";
import { words } from "./words";

/** An answer under the end of a waiting segment. */
export interface Note {
  readonly x: number;
  readonly text: string;
  /** It stands on the left of its dot, for there is no room on the right. */
  readonly isLeft: boolean;
}

const beside = 9;
/** The name that the window's own client has. */
const person = "desktop";

/** When a question was answered, and by whom as far as it is recorded. */
export function answersOf(changes: readonly Change[]): { readonly at: number; readonly text: string }[] {
  return changes.flatMap(({ from, to, at, reason }) =>
    from === "input_required" && to === "running" ? [{ at, text: answerIn(reason) ?? reason ?? words.answered }] : [],
  );
}

/** "You answered", from the reason that the engine gives a move that an answer made; null for any other. */
export function answerIn(reason: string | null): string | null {
  const [, verb, by] = /^(answered|declined|dismissed) by (.+)$/s.exec(reason ?? "") ?? [];
  return verb === undefined || by === undefined ? null : words.answeredBy(by === person ? words.you : by, verb);
}

/** Notes that would touch become one, which counts them. */
export function notesOf(
  answers: readonly { readonly at: number; readonly text: string }[],
  x: (at: number) => number,
  width: number,
): Note[] {
  const places = answers.map(({ at, text }) => noteAt(x(at), text, width));
  const touch = places.some((note, index) => index > 0 && leftOf(note) < rightOf(places[index - 1]) + beside);
  const last = places.at(-1);
  return touch && last !== undefined ? [noteAt(last.x, words.answers(places.length), width)] : places;
}

function noteAt(x: number, text: string, width: number): Note {
  return { x, text, isLeft: x + beside + textWidth(text) > width };
}

const leftOf = ({ x, text, isLeft }: Note) => (isLeft ? x - beside - textWidth(text) : x);
const rightOf = (note: Note | undefined) =>
  note === undefined ? Number.NEGATIVE_INFINITY : leftOf(note) + beside + textWidth(note.text);
