import { memo, useState } from "react";
import type { TaskDetail } from "../../../shared/desktop/rows";
import { Button } from "../../ui/button";
import { PlainText } from "./plain-text";
import styles from "./request-tab.module.css";
import { safeText } from "./safe-text";
import { ScrollPane } from "./scroll-pane";
import { words } from "./words";

/** A longer message is shown in part, until the person wants all of it. */
const longMessage = 20_000;

/** What was asked, as it was asked. */
export const RequestTab = memo(function RequestTab({ messages, options }: Pick<TaskDetail, "messages" | "options">) {
  const shown = Object.entries(options).filter(([, value]) => !isUnset(value));
  return (
    <ScrollPane className={styles.pane}>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a request does not change
        <section key={index} className={styles.message} aria-label={words.roles[message.role]}>
          <h2>{words.roles[message.role]}</h2>
          <Message text={safeText(message.text)} />
        </section>
      ))}
      <section className={styles.message} aria-label={words.options}>
        <h2>{words.options}</h2>
        {shown.length === 0 && <p className={styles.none}>{words.noOptions}</p>}
        {shown.length > 0 && (
          <dl className={styles.options}>
            {shown.map(([name, value]) => (
              <div key={name}>
                <dt>{safeText(name)}</dt>
                <dd>{safeText(typeof value === "string" ? value : JSON.stringify(value, null, 2))}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
    </ScrollPane>
  );
});

function isUnset(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function Message({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(text.length <= longMessage);
  return (
    <div className={styles.text}>
      <PlainText text={isWhole ? text : `${text.slice(0, longMessage)}…`} />
      {!isWhole && (
        <Button look="small" onClick={() => setWhole(true)}>
          {words.showAll}
        </Button>
      )}
    </div>
  );
}
