import styles from "./key-cap.module.css";

const onMac = /Mac/.test(navigator.platform);

/** `mod` is the key for commands: Cmd on a Mac, Ctrl elsewhere. */
export function KeyCap({ keys }: { readonly keys: string }) {
  return (
    <span className={styles.key} aria-hidden="true">
      {keys.replace("mod+", onMac ? "⌘" : "Ctrl+").replace("Enter", onMac ? "↵" : "Enter")}
    </span>
  );
}
