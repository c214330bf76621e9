/**
 * Keeps any string in a TEXT column, which by itself cuts at a NUL and mends lone surrogates. What JSON writes without an
 * escape stays readable as it is, anything else is kept as a JSON string; so no two strings look the same.
 */
export function packText(text: string): string {
  const json = JSON.stringify(text);
  return json.length === text.length + 2 ? text : json;
}

export function unpackText(packed: string): string {
  return packed.startsWith('"') ? JSON.parse(packed) : packed;
}
