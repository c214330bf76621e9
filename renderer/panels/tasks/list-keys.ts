/** What a key means while the tasks are open. */
export type ListCommand = "next" | "previous" | "first" | "last" | "open" | "cancel" | "search" | "back";

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

interface Where {
  /** A field, a menu or a dialog has the focus. */
  readonly typing: boolean;
  /** The list has the focus, or nothing has. */
  readonly inList: boolean;
}

const anywhere: Readonly<Record<string, ListCommand>> = {
  j: "next",
  k: "previous",
  c: "cancel",
  "/": "search",
  Escape: "back",
};
const inTheList: Readonly<Record<string, ListCommand>> = {
  ArrowDown: "next",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
  Enter: "open",
};

export function listCommandOf(press: Press, where: Where): ListCommand | null {
  if (where.typing || press.ctrlKey || press.metaKey || press.altKey) return null;
  return anywhere[press.key] ?? (where.inList ? inTheList[press.key] : undefined) ?? null;
}
