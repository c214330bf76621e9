import styles from "./icon.module.css";

/** Shapes of 16 by 16, drawn with one stroke. Those of the statuses differ without their colour. */
const shapes = {
  queued: <circle cx="8" cy="8" r="6" strokeDasharray="2.2 2.5" />,
  loading: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.8v5.4M5.8 8.2 8 10.4l2.2-2.2" />
    </>
  ),
  reading: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M5.4 6.2h5.2M5.4 8.2h5.2M5.4 10.2h3" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.7 5.6v4.8L10.5 8z" fill="currentColor" />
    </>
  ),
  input: (
    <>
      <path
        d="M3.8 2.5h8.4a1.6 1.6 0 0 1 1.6 1.6v6a1.6 1.6 0 0 1-1.6 1.6H9L6 14.2v-2.5H3.8a1.6 1.6 0 0 1-1.6-1.6v-6a1.6 1.6 0 0 1 1.6-1.6z"
        fill="currentColor"
      />
      <path className={styles.cut} d="M6.6 5.9a1.5 1.5 0 1 1 2.2 1.3c-.5.3-.8.5-.8.9M8 9.8v.05" />
    </>
  ),
  cancelling: (
    <>
      <circle cx="8" cy="8" r="6" strokeDasharray="2.2 2.5" />
      <rect x="5.8" y="5.8" width="4.4" height="4.4" rx=".6" fill="currentColor" stroke="none" />
    </>
  ),
  succeeded: (
    <>
      <circle cx="8" cy="8" r="6.75" fill="currentColor" stroke="none" />
      <path className={styles.cut} d="m5.2 8.2 2 2 3.7-4.2" />
    </>
  ),
  failed: (
    <>
      <path d="M5.4 1.6h5.2l3.8 3.8v5.2l-3.8 3.8H5.4l-3.8-3.8V5.4z" fill="currentColor" stroke="none" />
      <path className={styles.cut} d="M8 4.8v3.9M8 11v.05" />
    </>
  ),
  cancelled: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="m4 12 8-8" />
    </>
  ),
  tasks: <path d="M2.5 4 4 5.5 6.5 2.8M2.5 11 4 12.5l2.5-2.7M9 4.5h4.5M9 11.5h4.5" />,
  back: <path d="M9.5 3.5 5 8l4.5 4.5" />,
  check: <path d="m3.5 8.5 3 3 6-7" />,
  close: <path d="m4.5 4.5 7 7M11.5 4.5l-7 7" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M3.5 10.5a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1" />
    </>
  ),
  down: <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />,
  list: <path d="M6 4h7.5M6 8h7.5M6 12h7.5M2.8 4h.05M2.8 8h.05M2.8 12h.05" />,
  plus: <path d="M8 3v10M3 8h10" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  story: (
    <path d="M8 4.2C6.6 3.1 4.8 2.8 2.5 3v9c2.3-.2 4.1.1 5.5 1.2 1.4-1.1 3.2-1.4 5.5-1.2V3C11.2 2.8 9.4 3.1 8 4.2zM8 4.2v9" />
  ),
  text: <path d="M3 4h10M3 8h10M3 12h6" />,
  dark: <path d="M13 9.4A5.5 5.5 0 0 1 6.6 3 5.5 5.5 0 1 0 13 9.4z" />,
  light: (
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1" />
    </>
  ),
  system: (
    <>
      <rect x="2" y="3" width="12" height="8" rx="1.2" />
      <path d="M5.5 13.5h5M8 11v2.5" />
    </>
  ),
} as const;

export type IconName = keyof typeof shapes;

/** Says nothing to a screen reader: words stand beside it, or name its button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {shapes[name]}
    </svg>
  );
}
