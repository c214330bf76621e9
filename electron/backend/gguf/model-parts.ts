import { existsSync } from "node:fs";
import { basename } from "node:path";
import { GgufError } from "./gguf-error";

export const splitName = /-(\d{5})-of-(\d{5})\.gguf$/;

/** The files of a model, given its first: one, or all parts of a split model. Throws GgufError when one is missing. */
export function partsOf(path: string): readonly string[] {
  const total = splitName.exec(path)?.[2];
  if (total === undefined) return [path];
  const parts = Array.from({ length: Number(total) }, (_, index) => {
    return path.replace(splitName, `-${String(index + 1).padStart(5, "0")}-of-${total}.gguf`);
  });
  const missing = parts.find((part) => !existsSync(part));
  if (missing !== undefined) {
    throw new GgufError(`is incomplete: ${basename(missing)} is missing`, "Download the missing part.");
  }
  return parts;
}
