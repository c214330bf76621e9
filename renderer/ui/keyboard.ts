/**
 * Whether single letters belong to what has the focus: a field, a menu, a dialog, or what stands
 * where a field was a moment ago (`data-letters`): who still types there must not cancel a task.
 */
export function takesLetters(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest("input, textarea, select, [contenteditable], [role=menu], [role=dialog], [data-letters]") !== null
  );
}
