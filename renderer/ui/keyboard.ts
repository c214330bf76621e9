/** Whether single letters belong to what has the focus: a field, a menu, a dialog. */
export function takesLetters(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest("input, textarea, select, [contenteditable], [role=menu], [role=dialog]") !== null;
}
