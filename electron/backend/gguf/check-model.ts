import { basename } from "node:path";
import { ProblemError } from "../../../shared/problem";
import { architectureOf } from "./architecture";
import { checkHyperParameters } from "./check-hyper-parameters";
import { checkLayout } from "./check-layout";
import { checkPart, checkTogether } from "./check-parts";
import { checkShapes } from "./check-shapes";
import { checkTokenizer } from "./check-tokenizer";
import { GgufError } from "./gguf-error";
import { type GgufHeader, readHeader } from "./gguf-header";
import { GgufReader } from "./gguf-reader";
import { partsOf } from "./model-parts";

export interface ModelPart {
  readonly path: string;
  readonly header: GgufHeader;
}

/**
 * Checks that a model's files are whole and sound, before native code sees them: that code trusts the header, and ends
 * the process over much of what can be wrong with it. Throws ProblemError `model_load_failed`, which names the file,
 * what is wrong with it and what to do; or the system's error for a file that cannot be read.
 */
export function checkFiles(path: string): readonly ModelPart[] {
  const paths = named(path, () => partsOf(path));
  const parts = paths.map((part, index) => named(part, () => checkFile(part, index, paths.length)));
  named(path, () => checkTogether(parts.map(({ header }) => header)));
  return parts;
}

/** Checks what sound files say of their model; the first says it for all. Throws as `checkFiles` does. */
export function checkDescription(parts: readonly ModelPart[]): void {
  const [first] = parts;
  if (first === undefined) return;
  const { path, header } = first;
  named(path, () => {
    using reader = new GgufReader(path);
    const described = checkHyperParameters(header, reader, architectureOf(header));
    const tokens = checkTokenizer(header, reader);
    const tensors = parts.flatMap((part) => part.header.tensors);
    checkShapes(tensors, { ...described, tokens });
  });
}

function checkFile(path: string, index: number, count: number): ModelPart {
  using reader = new GgufReader(path);
  const header = readHeader(reader);
  checkLayout(header, reader.size);
  checkPart(header, index, count);
  return { path, header };
}

function named<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof GgufError)) throw error;
    const detail = `${basename(path)} ${error.message}. ${error.advice}`;
    throw new ProblemError("model_load_failed", detail, { cause: error });
  }
}
