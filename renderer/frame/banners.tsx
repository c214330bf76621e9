import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { useWindow } from "../state/store";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import styles from "./banners.module.css";
import { words } from "./words";

const none: readonly string[] = [];

/** What concerns everything in the window: what is wrong with storage now, and what was found wrong at the start. */
export function Banners() {
  const trouble = useWindow((state) => state.list?.host.storage ?? null);
  const warnings = useWindow((state) => state.list?.host.warnings ?? none);
  const [read, setRead] = useState<readonly string[]>(none);
  return (
    <>
      <div role="alert">
        {trouble !== null && (
          <Banner look="trouble">
            <p className={styles.title}>{words.storage[trouble.state].title}</p>
            <p className={styles.detail}>{trouble.detail}</p>
            <p className={styles.outlook}>{words.storage[trouble.state].outlook}</p>
          </Banner>
        )}
      </div>
      <div role="status">
        {warnings
          .filter((warning) => !read.includes(warning))
          .map((warning) => (
            <Banner key={warning} look="warning">
              <p className={styles.detail}>{warning}</p>
              <Button look="small" onClick={() => setRead([...read, warning])}>
                {words.dismiss}
              </Button>
            </Banner>
          ))}
      </div>
    </>
  );
}

function Banner({ look, children }: { readonly look: "trouble" | "warning"; readonly children: ReactNode }) {
  return (
    <div className={clsx(styles.banner, styles[look])}>
      <Icon name="failed" />
      <div className={styles.text}>{children}</div>
    </div>
  );
}
