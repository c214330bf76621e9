import clsx from "clsx";
import phaseStyles from "../../ui/phase.module.css";
import { safeText } from "../detail/safe-text";
import styles from "./note-marks.module.css";
import type { Note } from "./notes";

/** Who answered, under the end of the stretch that waited for it. */
export function NoteMarks({ notes }: { readonly notes: readonly Note[] }) {
  return (
    <div className={clsx(styles.notes, phaseStyles.input_required)}>
      {notes.map(({ x, text, isLeft }) => (
        <span key={x} className={styles.note} data-left={isLeft} style={{ left: x }}>
          {safeText(text)}
        </span>
      ))}
    </div>
  );
}
