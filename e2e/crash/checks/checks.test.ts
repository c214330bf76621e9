import { describe, expect, it } from "vitest";
import { checkRound, checks } from "./checks";
import { checkLeft } from "./left";
import { type Doctored, soundEvidence } from "./sound-evidence";

type Spoil = (evidence: Doctored) => void;

const rowOf = ({ stored }: Doctored, id: string) => only(stored.tasks.filter((task) => task.id === id));
const finalOf = ({ final }: Doctored, id: string) => only([final.get(id)].filter((task) => task !== undefined));
const readingsOf = ({ recorded }: Doctored, id: string) => recorded.readings.filter(({ taskId }) => taskId === id);

function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error("There is none");
  return item;
}

/** What each check must find, and in which round it must find it. */
const spoiled: readonly [keyof typeof checks, string, RegExp, Spoil][] = [
  ["clientsMetNoFault", "a 500", /500/, ({ recorded }) => recorded.broken.push("the create: 500")],
  ["soundDatabase", "a damaged page", /page 7/, ({ stored }) => stored.damage.push("page 7 is never used")],
  ["tasksKept", "a lost task", /t-retry is gone/, (e) => e.stored.tasks.splice(1, 1)],
  [
    "tasksKept",
    "another input",
    /input of t-fail/,
    (e) => Object.assign(rowOf(e, "t-fail"), { input: { messages: [] } }),
  ],
  [
    "tasksKept",
    "another policy",
    /policy of t-resume/,
    (e) => Object.assign(rowOf(e, "t-resume"), { onRestart: "fail" }),
  ],
  ["tasksKept", "another owner", /belongs to bob/, (e) => Object.assign(rowOf(e, "t-fail"), { client: "bob" })],
  ["oneTaskPerCreate", "a twin", /made 2 tasks/, (e) => e.stored.tasks.push({ ...rowOf(e, "t-retry"), id: "t-twin" })],
  [
    "oneTaskPerCreate",
    "a key that points elsewhere",
    /the key of t-retry/,
    (e) => Object.assign(rowOf(e, "t-retry"), { key: "other" }),
  ],
  ["legalPaths", "a step back", /illegal step/, (e) => spoilChange(e, "t-fail", 3, { to: "loading" })],
  ["legalPaths", "a leap", /a leap to/, (e) => rowOf(e, "t-fail").changes.splice(1, 1)],
  ["legalPaths", "an attempt that shrinks", /attempt 1 after 2/, (e) => spoilChange(e, "t-retry", 6, { attempt: 1 })],
  [
    "legalPaths",
    "a restart without an attempt",
    /attempt 1 after 1/,
    (e) => spoilChange(e, "t-retry", 3, { attempt: 1 }),
  ],
  ["legalPaths", "a revision that is used twice", /no new revision/, (e) => spoilChange(e, "t-fail", 2, { rev: 2 })],
  [
    "legalPaths",
    "a status off the path",
    /another end/,
    (e) => Object.assign(rowOf(e, "t-fail"), { status: "failed" }),
  ],
  ["wholeHistories", "a gap", /a gap in the history of t-fail/, (e) => finalOf(e, "t-fail").frames.splice(2, 1)],
  ["wholeHistories", "a gap in the last attempt", /t-retry/, (e) => finalOf(e, "t-retry").frames.splice(2, 1)],
  ["wholeHistories", "no first event", /no event 0/, (e) => finalOf(e, "t-retry").frames.shift()],
  ["wholeHistories", "two ends", /2 final events/, (e) => spoilFrame(e, "t-fail", 2, "response.completed")],
  ["wholeHistories", "the wrong end", /failed at the end/, (e) => spoilFrame(e, "t-fail", 3, "response.failed")],
  [
    "wholeHistories",
    "a second beginning",
    /two beginnings/,
    (e) => spoilFrame(e, "t-resume", 2, "response.in_progress"),
  ],
  ["wholeHistories", "another text", /another text/, (e) => Object.assign(finalOf(e, "t-fail"), { text: "Lies." })],
  ["wholeHistories", "an event that is not stored", /other events/, (e) => rowOf(e, "t-fail").events.pop()],
  ["readAsKept", "an event left out", /a gap for reader 0/, (e) => readingsOf(e, "t-fail")[0]?.frames.splice(1, 1)],
  [
    "readAsKept",
    "an event sent twice",
    /has already/,
    (e) => Object.assign(readingsOf(e, "t-retry")[1] ?? {}, { after: 4 }),
  ],
  ["readAsKept", "another text than kept", /event 2 is not/, (e) => respell(readingsOf(e, "t-fail")[0], 2)],
  ["readAsKept", "another last attempt", /event 5 is not/, (e) => respell(readingsOf(e, "t-retry")[1], 1)],
  ["readAsKept", "numbers that fall", /do not grow/, (e) => readingsOf(e, "t-retry")[0]?.frames.reverse()],
  ["readAsKept", "a stream without an end", /without a final/, (e) => readingsOf(e, "t-fail")[0]?.frames.pop()],
  [
    "oneEventPerNumber",
    "a number used again",
    /is both/,
    (e) => {
      const again = structuredClone(readingsOf(e, "t-retry")[0]);
      respell(again, 2);
      if (again !== undefined) e.recorded.readings.push(again);
    },
  ],
  [
    "everythingEnded",
    "a task that nobody runs",
    /still running/,
    (e) => Object.assign(rowOf(e, "t-fail"), { status: "running" }),
  ],
  [
    "everythingEnded",
    "an end without an outcome",
    /with null/,
    (e) => Object.assign(rowOf(e, "t-fail"), { outcome: null }),
  ],
  ["everythingEnded", "a log without an end", /exactly one end/, (e) => rowOf(e, "t-plain").events.pop()],
  ["endsWithReason", "a cancel by nobody", /by nobody/, (e) => e.recorded.told.splice(1, 2)],
  ["endsWithReason", "a resume task that failed", /failed: /, (e) => fail(e, "t-model", "server_restarted")],
  ["endsWithReason", "a failure without a reason", /failed: /, (e) => fail(e, "t-fail", "internal")],
  [
    "endsWithReason",
    "a cancelled task that came back",
    /came back/,
    (e) => Object.assign(rowOf(e, "t-resume"), { outcome: rowOf(e, "t-fail").outcome }),
  ],
  [
    "endsWithReason",
    "a cancel that was refused and done",
    /after all/,
    (e) => e.recorded.told.push({ what: "too late", taskId: "t-resume" }),
  ],
  [
    "heardIsTrue",
    "a status off the path",
    /heard/,
    (e) => e.recorded.told.push({ what: "status", taskId: "t-fail", status: "cancelling" }),
  ],
  [
    "heardIsTrue",
    "an end that was not",
    /heard/,
    (e) => e.recorded.told.push({ what: "status", taskId: "t-fail", status: "failed" }),
  ],
  ["completeTexts", "a text that is cut", /not "/, (e) => Object.assign(finalOf(e, "t-retry"), { text: "one" })],
  [
    "completeTexts",
    "a call that is not stored",
    /answered call/,
    (e) => Object.assign(rowOf(e, "t-plain"), { responseId: "r" }),
  ],
  ["answersKept", "a lost answer", /answer to t-model/, (e) => Object.assign(rowOf(e, "t-model"), { questions: [] })],
  [
    "answersKept",
    "a question asked twice",
    /asked twice/,
    (e) => rowOf(e, "t-model").questions.push(...rowOf(e, "t-model").questions),
  ],
  [
    "answersKept",
    "another result",
    /result of t-person/,
    (e) => Object.assign(rowOf(e, "t-person"), { outcome: rowOf(e, "t-fail").outcome }),
  ],
  ["noOrphanFiles", "a draft", /endpoint.json.ab.tmp/, ({ files }) => files.push("endpoint.json.ab.tmp")],
  ["noOrphanFiles", "a snapshot of an ended task", /t-fail.kv/, ({ files }) => files.push("snapshots/t-fail.kv")],
];

describe("the checks of a round", () => {
  it("find nothing where all is well", () => {
    expect(checkRound(soundEvidence())).toEqual([]);
    const { recorded, stored } = soundEvidence();
    expect(checkLeft(recorded, stored)).toEqual([]);
  });

  it.each(spoiled)("%s finds %s", (name, _, finding, spoil) => {
    const evidence = soundEvidence();
    spoil(evidence);
    expect(checks[name](evidence).join("\n")).toMatch(finding);
  });

  it("each find something", () => {
    expect(new Set(spoiled.map(([name]) => name))).toEqual(new Set(Object.keys(checks)));
  });
});

describe("the check of what a kill left", () => {
  it("finds an event that was read and is not stored", () => {
    const { recorded, stored } = soundEvidence();
    stored.tasks[0]?.events.pop();
    expect(checkLeft(recorded, stored)).toEqual([expect.stringContaining("events 3 of t-fail")]);
  });

  it("finds a number that a retry could give again", () => {
    const evidence = soundEvidence();
    Object.assign(rowOf(evidence, "t-retry"), { lastSeq: 5 });
    expect(checkLeft(evidence.recorded, evidence.stored)).toEqual([expect.stringContaining("events 6 of t-retry")]);
  });

  it("finds a lost task and a damaged file", () => {
    const { recorded, stored } = soundEvidence();
    expect(checkLeft(recorded, { damage: ["page 7"], tasks: stored.tasks.slice(1) })).toHaveLength(2);
  });
});

function spoilChange(evidence: Doctored, id: string, index: number, change: object): void {
  Object.assign(rowOf(evidence, id).changes[index] ?? {}, change);
}

function spoilFrame(evidence: Doctored, id: string, index: number, event: string): void {
  Object.assign(finalOf(evidence, id).frames[index] ?? {}, { event });
}

function respell(reading: Doctored["recorded"]["readings"][number] | undefined, index: number): void {
  Object.assign(reading?.frames[index] ?? {}, { raw: "id: 2\nevent: response.output_text.delta\ndata: {}" });
}

function fail(evidence: Doctored, id: string, code: "server_restarted" | "internal"): void {
  Object.assign(rowOf(evidence, id), { status: "failed", outcome: { kind: "error", problem: { code, detail: "" } } });
}
