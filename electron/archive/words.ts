import type { Imported } from "./import-archive";

export function tasksIn(count: number): string {
  return count === 1 ? "1 task" : `${count} tasks`;
}

export function saysBackedUp(tasks: number, path: string): string {
  return `Backed up ${tasksIn(tasks)} to ${path}.`;
}

export function saysExported(tasks: number, path: string | null): string {
  return path === null ? `Exported ${tasksIn(tasks)}.` : `Exported ${tasksIn(tasks)} to ${path}.`;
}

export function saysImported({ added, known }: Imported): string {
  const rest = known === 0 ? "" : `; ${tasksIn(known)} of the file ${known === 1 ? "was" : "were"} there already`;
  return `Imported ${tasksIn(added)}${rest}.`;
}
