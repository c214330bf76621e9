import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Icon } from "../../ui/icon";
import styles from "./empty-state.module.css";
import { type Sample, samples } from "./samples";
import { words } from "./words";

/** Before anything has run: three tasks that run on the built-in model with one click. */
export function EmptyState() {
  const toy = useWindow((state) => state.models.find(({ embedded }) => embedded));
  const url = useWindow((state) => state.list?.host.url ?? null);
  return (
    <section className={styles.empty} aria-labelledby="nothing-yet">
      <div className={styles.column}>
        <h1 id="nothing-yet" className={styles.title}>
          {words.empty.title}
        </h1>
        <p className={styles.text}>{words.empty.text}</p>
        <ul className={styles.samples}>
          {samples.map((sample, index) => (
            <SampleLine key={sample.task.prompt} sample={sample} isFirst={index === 0} model={toy?.id ?? null} />
          ))}
        </ul>
        <p className={styles.note}>{toy === undefined ? words.empty.noToy : words.empty.toy}</p>
        {url !== null && (
          <p className={styles.address}>
            {words.empty.orElse} <code>{url}</code>
            <CopyButton text={url} label={words.empty.copyAddress} />
          </p>
        )}
      </div>
    </section>
  );
}

interface SampleLineProps {
  readonly sample: Sample;
  readonly isFirst: boolean;
  readonly model: string | null;
}

function SampleLine({ sample, isFirst, model }: SampleLineProps) {
  const session = useSession();
  const isBusy = useWindow((state) => state.creating);
  return (
    <li className={styles.sample}>
      <Icon name={sample.icon} />
      <span className={styles.what}>
        <span className={styles.prompt}>{sample.task.prompt}</span>
        <span className={styles.shows}>{sample.shows}</span>
      </span>
      <Button
        look={isFirst ? "primary" : "plain"}
        aria-label={words.empty.runSample(sample.task.prompt)}
        disabled={isBusy}
        onClick={() => void session.create({ ...sample.task, model })}
      >
        {words.empty.run}
      </Button>
    </li>
  );
}
