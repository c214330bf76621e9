import { Tabs } from "radix-ui";
import { useState } from "react";
import type { TaskDetail } from "../../../shared/desktop/rows";
import { Button } from "../../ui/button";
import { QuestionArea } from "../question/question-area";
import { Timeline } from "../timeline/timeline";
import { answerOf } from "./answer";
import { ChangesTab } from "./changes-tab";
import { Head } from "./head";
import { LiveFigures } from "./live-figures";
import { OutputTab } from "./output-tab";
import { ProblemBox } from "./problem-box";
import { RequestTab } from "./request-tab";
import styles from "./task-detail-panel.module.css";
import { UsageTab } from "./usage-tab";
import { words } from "./words";

export interface TaskDetailPanelProps {
  readonly detail: TaskDetail;
  readonly now: number;
  readonly onCancel: () => void;
  /** Copies a text; false, or a promise of it, says that it could not. */
  readonly onCopy: (text: string) => unknown;
}

/** One task: what it is, where its time went, what it wrote. Give it a `key` of the task's id. */
export function TaskDetailPanel({ detail, now, onCancel, onCopy }: TaskDetailPanelProps) {
  const { row, changes, samples, firstTokenAt } = detail;
  const [tab, setTab] = useState<string>("output");
  const [isRaw, setRaw] = useState(false);
  return (
    <article className={styles.panel}>
      <Head row={row} now={now} output={answerOf(detail)} onCancel={onCancel} onCopy={onCopy} />
      <QuestionArea detail={detail} now={now} onCopy={onCopy} />
      {row.problem !== null && <ProblemBox problem={row.problem} model={row.model} />}
      <Timeline
        changes={changes}
        samples={samples}
        firstTokenAt={firstTokenAt}
        status={row.status}
        now={now}
        reading={row.reading}
        problem={row.problem}
      />
      <Tabs.Root className={styles.tabs} value={tab} onValueChange={setTab}>
        <div className={styles.bar}>
          <Tabs.List className={styles.names}>
            <Name value="output" />
            <Name value="request" />
            <Name value="changes" count={changes.length} />
            <Name value="usage" />
          </Tabs.List>
          <LiveFigures row={row} />
          {tab === "output" && (
            <Button
              look="small"
              aria-pressed={isRaw}
              title={words.rawHint}
              className={styles.raw}
              onClick={() => setRaw(!isRaw)}
            >
              {words.raw}
            </Button>
          )}
        </div>
        {/* The output stays while another tab is shown: where the person was in it is kept. */}
        <Tabs.Content value="output" className={styles.content} forceMount tabIndex={-1} hidden={tab !== "output"}>
          <OutputTab detail={detail} now={now} isRaw={isRaw} />
        </Tabs.Content>
        <Tabs.Content value="request" className={styles.content} tabIndex={-1}>
          <RequestTab messages={detail.messages} options={detail.options} />
        </Tabs.Content>
        <Tabs.Content value="changes" className={styles.content} tabIndex={-1}>
          <ChangesTab changes={changes} />
        </Tabs.Content>
        <Tabs.Content value="usage" className={styles.content} tabIndex={-1}>
          <UsageTab detail={detail} now={now} />
        </Tabs.Content>
      </Tabs.Root>
    </article>
  );
}

function Name({ value, count }: { readonly value: keyof typeof words.tabs; readonly count?: number }) {
  return (
    <Tabs.Trigger value={value} className={styles.name}>
      {words.tabs[value]}
      {count !== undefined && <small>{count}</small>}
    </Tabs.Trigger>
  );
}
