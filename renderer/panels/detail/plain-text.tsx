import clsx from "clsx";
import { memo } from "react";
import styles from "./plain-text.module.css";
import { piecesOf } from "./safe-text";

/** The page lays out what is near to the eye; a piece is as much as it does at once. */
const pieceLength = 4_000;

interface PlainTextProps {
  readonly text: string;
  readonly note?: string;
  /** Code keeps its lines and scrolls to the side; other text breaks. */
  readonly isCode?: boolean;
}

/** Text as it was written, however much, and however long its lines. */
export function PlainText({ text, note, isCode = false }: PlainTextProps) {
  const pieces = piecesOf(text, pieceLength);
  return (
    <div className={clsx(styles.plain, isCode && styles.code)}>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
        <Piece key={index} text={piece} isOnly={pieces.length === 1} />
      ))}
    </div>
  );
}

const Piece = memo(function Piece({ text, isOnly }: { readonly text: string; readonly isOnly: boolean }) {
  return (
    <pre className={clsx(styles.piece, !isOnly && styles.far)} dir="auto">
      {text}
    </pre>
  );
});
