/** The first control that has a fault. */
export function firstFaultOf(form: HTMLFormElement | null): HTMLElement | null {
  return form?.querySelector<HTMLElement>("[data-fault] :is(input, select, textarea)") ?? null;
}

/** The fields that hold something which the page cannot give out yet, such as half a date. */
export function unreadableIn(form: HTMLFormElement | null): Set<string> {
  const inputs = [...(form?.querySelectorAll("input") ?? [])].filter(({ validity }) => validity.badInput);
  return new Set(inputs.map(({ name }) => name));
}
