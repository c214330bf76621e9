import { damaged, GgufError } from "./gguf-error";
import type { GgufHeader } from "./gguf-header";
import { valueTypes } from "./value-types";

/**
 * Checks that the file is part `index` of a model in `count` files, as its name says: llama.cpp goes by what the header
 * says, and ends the process over a part number of another type. Throws GgufError.
 */
export function checkPart({ values }: GgufHeader, index: number, count: number): void {
  const said = values.get("split.count");
  const parts = said?.kind === "number" && said.type === valueTypes.u16 ? said.number : undefined;
  if (said !== undefined && parts === undefined) throw damaged("it does not say of how many parts its model is");
  if ((parts ?? 1) <= 1 && count === 1) return;
  if (parts !== count) {
    const advice = "Give the file back the name that it was downloaded with, or download it again.";
    throw new GgufError(`says that its model has ${parts ?? 1} parts, and its name says ${count}`, advice);
  }
  const number = values.get("split.no");
  const isRight = number?.kind === "number" && number.type === valueTypes.u16 && number.number === index;
  if (!isRight) throw damaged(`it does not say that it is part ${index + 1} of ${count}`);
}

/** Checks the parts of a model together: no tensor twice, and as many as the first part announces. Throws GgufError. */
export function checkTogether(parts: readonly GgufHeader[]): void {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return;
  const tensors = parts.flatMap((part) => part.tensors);
  if (new Set(tensors.map(({ name }) => name)).size < tensors.length) {
    throw damaged("two of its parts have the same tensor");
  }
  const announced = first.values.get("split.tensors.count");
  const count = announced?.kind === "number" && announced.type === valueTypes.i32 ? announced.number : undefined;
  if (count === tensors.length) return;
  throw new GgufError(
    `is incomplete or damaged: it announces ${count ?? "no"} tensors, and its parts have ${tensors.length}`,
    "Download all parts again.",
  );
}
