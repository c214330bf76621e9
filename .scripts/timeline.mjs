const width = 44;

/**
 * The stations of a task as bars on one scale: [{ status, at }] in order, `at` in milliseconds.
 * The last one is the end: it takes no time.
 */
export function timeline(stations) {
  const start = stations[0].at;
  const whole = Math.max(1, stations.at(-1).at - start);
  return stations.map(({ status, at }, index) => {
    const next = stations[index + 1];
    const left = Math.min(width - 1, Math.round(((at - start) / whole) * width));
    if (next === undefined) return `  ${status.padEnd(11)}${" ".repeat(width)}  after ${duration(at - start)}`;
    const length = Math.max(1, Math.min(width - left, Math.round(((next.at - at) / whole) * width)));
    const bar = `${" ".repeat(left)}${"█".repeat(length)}`.padEnd(width);
    return `  ${status.padEnd(11)}${bar}  ${duration(next.at - at)}`;
  });
}

export function duration(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}
