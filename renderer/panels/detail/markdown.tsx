import { Component, memo, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { type Block, blocksOf, codeOf } from "./blocks";
import styles from "./markdown.module.css";
import { PlainText } from "./plain-text";
import { ScrollPane } from "./scroll-pane";
import { words } from "./words";

/**
 * What a model wrote, as Markdown. Nothing in it can run, load or lead anywhere: HTML stays text, a link is its words,
 * an image its description. Finished blocks are not rendered again while more comes.
 */
export function Markdown({ text, isLive }: { readonly text: string; readonly isLive: boolean }) {
  return (
    <div className={styles.markdown} data-live={isLive}>
      {blocksOf(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
        <BlockView key={index} kind={block.kind} text={block.text} />
      ))}
    </div>
  );
}

const BlockView = memo(function BlockView({ kind, text }: Block) {
  if (kind === "code") return <Code {...codeOf(text)} />;
  if (kind === "plain") return <PlainText text={text} note={words.plain} />;
  return (
    <Guard fallback={<PlainText text={text} />}>
      <div className={styles.block} dir="auto">
        <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={nowhere}>
          {text}
        </ReactMarkdown>
      </div>
    </Guard>
  );
});

const plugins = [remarkGfm];
const nowhere = () => "";

const heading =
  (level: number) =>
  ({ children }: { readonly children?: ReactNode }) => (
    // One level of headings: what a model skips must not make the page's outline skip it.
    <h2 data-level={level}>{children}</h2>
  );

/** Only what a text needs; no element keeps an address or an id. */
const components: Components = {
  a: ({ children }) => <span className={styles.link}>{children}</span>,
  img: ({ alt }) => <span className={styles.image}>{`[${alt || words.image}]`}</span>,
  input: ({ checked }) => <Check isDone={checked === true} />,
  li: ({ children }) => <li>{children}</li>,
  table: ({ children }) => (
    <ScrollPane className={styles.table}>
      <table>{children}</table>
    </ScrollPane>
  ),
  pre: ({ children }) => (
    <ScrollPane className={styles.pre}>
      <pre>{children}</pre>
    </ScrollPane>
  ),
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
};

function Check({ isDone }: { readonly isDone: boolean }) {
  return (
    <span role="img" aria-label={isDone ? words.done : words.toDo} className={styles.check}>
      {isDone ? "☑" : "☐"}
    </span>
  );
}

function Code({ language, code }: { readonly language: string; readonly code: string }) {
  return (
    <ScrollPane className={styles.code}>
      {language !== "" && <span className={styles.language}>{language.slice(0, 40)}</span>}
      <PlainText text={code} isCode />
    </ScrollPane>
  );
}

/** What cannot be rendered is shown as it was written, and takes nothing else with it. */
class Guard extends Component<{ readonly fallback: ReactNode; readonly children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
