/** The median of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs two sides in turns, so that what else the machine does meets both alike, and divides them round by round.
 * Which side begins changes with each round. The figures of a round are whatever the sides return.
 */
export async function ratioOf(rounds, over, under) {
  const figures = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0 ? over : under;
    const one = await first();
    const two = await (first === over ? under : over)();
    figures.push(first === over ? { over: one, under: two } : { over: two, under: one });
  }
  return spreadOf(
    figures.map((figure) => figure.over / figure.under),
    figures,
  );
}

/** Median, lowest and highest. */
export function spreadOf(numbers, figures = numbers) {
  return {
    median: median(numbers),
    low: Math.min(...numbers),
    high: Math.max(...numbers),
    rounds: numbers.length,
    figures,
  };
}
