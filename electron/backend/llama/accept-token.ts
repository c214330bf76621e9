import type { Llama, LlamaGrammarEvaluationState } from "node-llama-cpp";

/**
 * Moves a grammar past a token that was written before. The library has no public way to do so but to sample the token
 * anew; what it calls itself for that is called here. The version is pinned, and the resume tests fail when it is gone.
 */
export function acceptToken(llama: Llama, grammar: LlamaGrammarEvaluationState, token: number): void {
  const { _bindings: bindings } = llama as unknown as Bindings;
  const { _state: state } = grammar as unknown as { readonly _state: unknown };
  bindings.AddonSampler.acceptGrammarEvaluationStateToken(state, token);
}

interface Bindings {
  readonly _bindings: {
    readonly AddonSampler: { acceptGrammarEvaluationStateToken(state: unknown, token: number): void };
  };
}
