/** Whatever JSON can say: what is stored, sent and compared. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Deep enough for any real document; what walks a value by recursion is safe up to here. */
const deepest = 200;

/** Whether no object occurs twice in a value, and none lies too deep. Only what JSON has is looked into. */
export function isTree(value: unknown): boolean {
  const seen = new Set<object>();
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const objects = level.filter(isContainer);
    if (depth > deepest || objects.some((one) => seen.size === seen.add(one).size)) return false;
    level = objects.flatMap((one): unknown[] => Object.values(one));
  }
  return true;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
