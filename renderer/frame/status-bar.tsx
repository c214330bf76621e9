import clsx from "clsx";
import { useMemo } from "react";
import { activityOf } from "../state/select-rows";
import { useWindow } from "../state/store";
import { CopyButton } from "../ui/copy-button";
import { countOf, rateOf } from "../ui/figures";
import { Icon } from "../ui/icon";
import { problemsOf } from "./problems";
import styles from "./status-bar.module.css";
import { words } from "./words";

export function StatusBar() {
  const host = useWindow((state) => state.list?.host);
  const problems = host === undefined ? [] : problemsOf(host);
  return (
    <footer className={clsx(styles.bar, problems.length > 0 && styles.down)}>
      {host === undefined ? (
        <span>{words.starting}</span>
      ) : (
        <>
          {host.url !== null && host.endpointProblem === null && (
            <Endpoint url={host.url} isWell={problems.length === 0} />
          )}
          {problems.map((problem) => (
            <span key={problem} className={styles.problem} title={problem}>
              <Icon name="failed" />
              <span className={styles.reason}>{problem}</span>
            </span>
          ))}
          {problems.length === 0 && <Models names={host.loadedModels} />}
        </>
      )}
      <Figures />
    </footer>
  );
}

function Endpoint({ url, isWell }: { readonly url: string; readonly isWell: boolean }) {
  return (
    <span className={styles.endpoint}>
      {isWell && <i className={styles.led} />}
      {url.replace(/^https?:\/\//, "")}
      <CopyButton text={url} label={words.copyAddress} />
    </span>
  );
}

function Models({ names }: { readonly names: readonly string[] }) {
  const text = names.length === 0 ? words.noModel : names.join(", ");
  return (
    <span className={styles.models} title={text}>
      {text}
    </span>
  );
}

function Figures() {
  const rows = useWindow((state) => state.list?.rows);
  const { running, queued, rate } = useMemo(() => activityOf(rows?.values() ?? []), [rows]);
  if (rows === undefined) return null;
  const counts = [
    ...(running > 0 ? [words.running(countOf(running))] : []),
    ...(queued > 0 ? [words.queued(countOf(queued))] : []),
  ];
  return (
    <span className={styles.figures}>
      {rate > 0 && <span>{rateOf(rate)}</span>}
      <span>{counts.length > 0 ? counts.join(" · ") : words.idle}</span>
    </span>
  );
}
