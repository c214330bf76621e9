import phaseStyles from "../../ui/phase.module.css";
import type { PhaseKind } from "./phases";

/** The colours of a kind of phase: those of the status that it shows in lists. */
const tones = {
  queued: phaseStyles.queued,
  loading: phaseStyles.loading,
  reading: phaseStyles.reading,
  generating: phaseStyles.running,
  waiting: phaseStyles.input_required,
  cancelling: phaseStyles.cancelling,
  closed: phaseStyles.cancelled,
} satisfies Record<PhaseKind, string | undefined>;

export function toneOf(kind: PhaseKind): string | undefined {
  return tones[kind];
}
