/** A number as people write it: thousands may be set apart, a comma may stand for the point of a fraction. */
export function numberIn(text: string): number | null {
  const plain = text.trim().replaceAll(/(?<=\d)[,\s](?=\d{3}\b)/g, "");
  return plain === "" ? null : Number(plain.replace(",", "."));
}
