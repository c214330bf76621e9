import { basename } from "node:path";
import {
  getLlama,
  InsufficientMemoryError,
  type Llama,
  type LlamaContext,
  LlamaLogLevel,
  type LlamaModel,
  type LlamaOptions,
} from "node-llama-cpp";
import { ProblemError } from "../../../shared/problem";
import type { ModelSpec } from "../../engine/backend";
import { chooseContext, chooseParallel, chooseThreads } from "./automatic";
import { fingerprintOf } from "./fingerprint";
import { checkGgufFile } from "./gguf-header";
import { GgufError } from "./gguf-reader";
import { LoadedModel, type Log, type ModelHooks } from "./loaded-model";
import { partsOf } from "./model-parts";

/** Starts llama.cpp in this process; its chatter goes to `log`. Nothing is downloaded or compiled. */
export async function startLlama(gpu: boolean, log: Log): Promise<Llama> {
  try {
    return await getLlama(optionsOf(gpu, log));
  } catch (error) {
    const detail = "No model can be loaded: llama.cpp does not run on this machine.";
    throw new ProblemError("model_load_failed", detail, { cause: error });
  }
}

function optionsOf(gpu: boolean, log: Log): LlamaOptions {
  return {
    build: "never",
    skipDownload: true,
    progressLogs: false,
    gpu: gpu ? "auto" : false,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => log(`llama.cpp ${level}: ${message.trimEnd()}`),
  };
}

/** Throws ProblemError `model_load_failed`, or the signal's reason. */
export async function loadModel(
  llama: Llama,
  spec: ModelSpec,
  hooks: ModelHooks,
  signal: AbortSignal,
): Promise<LoadedModel> {
  const file = basename(spec.path);
  let model: LlamaModel | undefined;
  try {
    // Native code trusts the header: a file that was cut or made up ends here instead.
    const parts = partsOf(spec.path);
    for (const part of parts) checkGgufFile(part);
    const origin = { model: await fingerprintOf(parts), engine: llama.llamaCppRelease.release };
    model = await llama.loadModel({
      modelPath: spec.path,
      ...(spec.gpu ? {} : { gpuLayers: 0 }),
      loadSignal: signal,
    });
    const contextLength = chooseContext(spec.contextLength, model.trainContextSize);
    const context = await createContext(llama, model, spec, contextLength, signal);
    const length = Math.min(contextLength, context.contextSize);
    const info = { id: spec.id, contextLength: length, parallel: context.totalSequences };
    return new LoadedModel({ ...hooks, info, model, context, origin });
  } catch (error) {
    await model?.dispose();
    signal.throwIfAborted();
    throw error instanceof ProblemError ? error : loadFailed(file, error);
  }
}

async function createContext(
  llama: Llama,
  model: LlamaModel,
  spec: ModelSpec,
  contextLength: number,
  signal: AbortSignal,
): Promise<LlamaContext> {
  const needed = await model.fileInsights.estimateContextResourceRequirementsV2({
    contextSize: contextLength,
    modelGpuLayers: model.gpuLayers,
    sequences: 1,
  });
  const [ram, vram] = [process.availableMemory(), await llama.getVramState()];
  const parallel = Math.min(
    chooseParallel(spec.parallel, needed.cpuRam, ram),
    needed.gpuVram > 0 ? chooseParallel(spec.parallel, needed.gpuVram, vram.free) : Number.POSITIVE_INFINITY,
  );
  try {
    return await model.createContext({
      // A person's own wish is kept or refused; what we chose may shrink to what fits.
      contextSize: spec.contextLength === null ? { max: contextLength } : contextLength,
      ...(spec.contextLength === null ? {} : { failedCreationRemedy: false as const }),
      sequences: parallel,
      threads: spec.threads ?? chooseThreads(model.size),
      createSignal: signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const detail = `${basename(spec.path)} cannot be loaded: there is not enough memory for a context of ${contextLength} tokens${parallel > 1 ? ` for each of ${parallel} tasks` : ""}. Set a smaller context.`;
    const isMemory = error instanceof InsufficientMemoryError || String(error).includes("Failed to create context");
    throw isMemory ? new ProblemError("model_load_failed", detail, { cause: error }) : error;
  }
}

function loadFailed(file: string, error: unknown): ProblemError {
  const cause = { cause: error };
  if (error instanceof GgufError) return new ProblemError("model_load_failed", `${file} ${error.message}.`, cause);
  if (error instanceof InsufficientMemoryError) {
    return new ProblemError("model_load_failed", `${file} does not fit into the memory of this machine.`, cause);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ProblemError("model_load_failed", `${file} cannot be loaded: ${reason}.`, cause);
}
