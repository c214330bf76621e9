import { basename } from "node:path";
import {
  GgufInsights,
  getLlama,
  InsufficientMemoryError,
  type Llama,
  type LlamaContext,
  LlamaLogLevel,
  type LlamaModel,
  type LlamaModelOptions,
  type LlamaOptions,
  readGgufFileInfo,
} from "node-llama-cpp";
import { ProblemError } from "../../../shared/problem";
import type { ModelSpec } from "../../engine/backend";
import { checkDescription, checkFiles } from "../gguf/check-model";
import { chooseThreads } from "./automatic";
import { fingerprintOf } from "./fingerprint";
import { freeMemory } from "./free-memory";
import { LoadedModel, type Log, type ModelHooks } from "./loaded-model";
import { type MemoryPlan, type Needs, planMemory } from "./memory-plan";

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
  let model: LlamaModel | undefined;
  try {
    // Native code trusts the header, the library's estimates included: a hostile file ends here instead.
    const parts = checkFiles(spec.path);
    const insights = await readInsights(llama, spec.path, signal);
    checkDescription(parts);
    const origin = { model: await fingerprintOf(parts.map(({ path }) => path)), engine: llama.llamaCppRelease.release };
    const beforehand = await planBeforehand(llama, spec, insights);
    signal.throwIfAborted();
    model = await llama.loadModel({ modelPath: spec.path, gpuLayers: gpuLayersFor(spec), loadSignal: signal });
    // How the layers were shared out with a GPU is known only now.
    const plan = model.gpuLayers > 0 ? await planBeside(llama, spec, model) : beforehand;
    const context = await createContext(model, spec, plan, signal);
    const contextLength = Math.min(plan.contextLength, context.contextSize);
    const info = { id: spec.id, contextLength, parallel: context.totalSequences };
    return new LoadedModel({ ...hooks, info, model, context, origin });
  } catch (error) {
    await model?.dispose();
    signal.throwIfAborted();
    throw error instanceof ProblemError ? error : loadFailed(basename(spec.path), error);
  }
}

/** What the library makes of files that were checked; it knows what its llama.cpp can read. */
async function readInsights(llama: Llama, path: string, signal: AbortSignal): Promise<GgufInsights> {
  const info = await readGgufFileInfo(path, { sourceType: "filesystem", logWarnings: false, signal });
  const insights = await GgufInsights.from(info, llama);
  if (insights.isSupportedByLlamaCpp) return insights;
  const detail = `${basename(path)} is built in a way (${info.metadata.general.architecture}) that this version of Simmer does not know. Choose another model, or update Simmer.`;
  throw new ProblemError("model_load_failed", detail);
}

/** Where a GPU takes part, only what could fit with no layer of it there, or with all, is known beforehand. */
async function planBeforehand(llama: Llama, spec: ModelSpec, insights: GgufInsights): Promise<MemoryPlan> {
  const free = await freeMemory(llama);
  const shared = spec.gpu && !free.isUnified ? free.vram : 0;
  return planMemory(spec, needsOf(spec, insights, 0, insights.modelSize, llama.supportsMmap), {
    ...free,
    ram: free.ram + shared,
  });
}

/** The model is in memory: mapped weights still count, others are gone from what is free. */
async function planBeside(llama: Llama, spec: ModelSpec, model: LlamaModel): Promise<MemoryPlan> {
  return planMemory(spec, needsOf(spec, model.fileInsights, model.gpuLayers, 0, true), await freeMemory(llama));
}

function needsOf(
  spec: ModelSpec,
  insights: GgufInsights,
  gpuLayers: number,
  weights: number,
  areMapped: boolean,
): Needs {
  return {
    file: basename(spec.path),
    trained: insights.trainContextSize ?? Number.POSITIVE_INFINITY,
    weights,
    areMapped,
    async context(contextSize, sequences) {
      const options = { contextSize, sequences, modelGpuLayers: gpuLayers };
      const { cpuRam, gpuVram } = await insights.estimateContextResourceRequirementsV2(options);
      return { ram: cpuRam, vram: gpuVram };
    },
  };
}

/** A context that was asked for leaves as many layers to the GPU as fit beside it. */
function gpuLayersFor({ gpu, contextLength }: ModelSpec): NonNullable<LlamaModelOptions["gpuLayers"]> {
  if (!gpu) return 0;
  return contextLength === null ? "auto" : { fitContext: { contextSize: contextLength } };
}

async function createContext(
  model: LlamaModel,
  spec: ModelSpec,
  { contextLength, parallel }: MemoryPlan,
  signal: AbortSignal,
): Promise<LlamaContext> {
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
    // The estimate said otherwise; somebody else was faster to take the memory.
    const detail = `${basename(spec.path)} cannot be loaded: there is not enough memory for a context of ${contextLength} tokens${parallel > 1 ? ` for each of ${parallel} tasks` : ""}. Set a smaller context.`;
    const isMemory = error instanceof InsufficientMemoryError || String(error).includes("Failed to create context");
    throw isMemory ? new ProblemError("model_load_failed", detail, { cause: error }) : error;
  }
}

function loadFailed(file: string, error: unknown): ProblemError {
  const cause = { cause: error };
  if (error instanceof InsufficientMemoryError) {
    return new ProblemError("model_load_failed", `${file} does not fit into the memory of this machine.`, cause);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ProblemError("model_load_failed", `${file} cannot be loaded: ${reason}.`, cause);
}
