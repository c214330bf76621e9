import { taskStatuses } from "../../shared/lifecycle";
import type { TaskQuery } from "../engine/store";
import type { SqlValue } from "./connection";
import { taskColumns } from "./task-row";
import { packText } from "./text";

interface Branch {
  readonly from: string;
  readonly terms: readonly string[];
  readonly values: readonly SqlValue[];
}

/**
 * The page as one query. Every combination of what is asked for is a branch that walks an index from its newest entry;
 * the branches are merged and stop at the limit, so rare matches among many tasks cost no more than frequent ones.
 */
export function listing(query: TaskQuery): { readonly sql: string; readonly values: readonly SqlValue[] } | undefined {
  const branches = query.client === undefined ? branchesOfAll(query) : branchesOfClient(query.client, query);
  if (branches.length === 0) return undefined;
  const before = query.beforeRow ?? Number.MAX_SAFE_INTEGER;
  const selects = branches.map(
    ({ from, terms }) => `SELECT row FROM ${from} WHERE ${[...terms, "row < ?"].join(" AND ")}`,
  );
  const rows = `${selects.join(" UNION ALL ")} ORDER BY row DESC LIMIT ?`;
  return {
    sql: `SELECT ${taskColumns} FROM tasks WHERE row IN (${rows}) ORDER BY row DESC`,
    values: [...branches.flatMap(({ values }) => [...values, before]), query.limit],
  };
}

function branchesOfClient(client: string, { jobs, listed, statuses }: TaskQuery): Branch[] {
  const from = `tasks INDEXED BY ${jobs === undefined ? "tasks_by_client" : "tasks_by_job"}`;
  const ofJobs: Branch[] =
    jobs === undefined
      ? [{ from, terms: ["client = ?"], values: [packText(client)] }]
      : distinct(jobs).map((job) => ({
          from,
          terms: ["client = ?", "job = ?"],
          values: [packText(client), packText(job)],
        }));
  const ofListed = spread(ofJobs, "listed = ?", listed === undefined ? [1, 0] : [Number(listed)]);
  return spread(ofListed, "status = ?", statuses === undefined ? taskStatuses : distinct(statuses));
}

function branchesOfAll({ jobs, listed, statuses }: TaskQuery): Branch[] {
  const names = jobs === undefined ? undefined : distinct(jobs).map(packText);
  const rest: Branch = {
    from: statuses === undefined ? "tasks" : "tasks INDEXED BY tasks_by_status",
    terms: [
      ...(names === undefined ? [] : [`job IN (${names.map(() => "?")})`]),
      ...(listed === undefined ? [] : ["listed = ?"]),
    ],
    values: [...(names ?? []), ...(listed === undefined ? [] : [Number(listed)])],
  };
  return statuses === undefined ? [rest] : spread([rest], "status = ?", distinct(statuses));
}

function spread(branches: readonly Branch[], term: string, values: readonly SqlValue[]): Branch[] {
  return branches.flatMap((branch) =>
    values.map((value) => ({ ...branch, terms: [...branch.terms, term], values: [...branch.values, value] })),
  );
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
