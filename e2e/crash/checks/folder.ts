import type { Check } from "./evidence";

/** All that a data folder may hold when its host stopped in order and nothing is unfinished. */
const named = [
  /^simmer\.db(-wal|-shm)?$/,
  /^lock\.db$/,
  /^endpoint\.json$/,
  /^settings\.json$/,
  /^audit\.log(\.\d+)?$/,
  /^logs\/[^/]+$/,
];

export const noOrphanFiles: Check = ({ files }) =>
  files.filter((file) => !named.some((name) => name.test(file))).map((file) => `the file ${file} was left behind`);

export const soundDatabase: Check = ({ stored }) => stored.damage.map((found) => `the database is damaged: ${found}`);
