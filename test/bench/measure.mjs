/**
 * Timing for benches: sides are interleaved, so that a slow spell of the machine hits all of them,
 * and told as ratios of medians.
 */

/** The value under which the share `p` of the times lies. */
export function percentile(times, p) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];
}

/**
 * Runs each side once a round, in order.
 *
 * @param {{ rounds: number, warmUp: number, sides: Readonly<Record<string, (round: number) => Promise<unknown>>> }} plan
 * @returns {Promise<Readonly<Record<string, readonly number[]>>>} milliseconds by side, without the rounds that warm up
 */
export async function interleave({ rounds, warmUp, sides }) {
  const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [name, run] of Object.entries(sides)) {
      const start = performance.now();
      await run(round);
      if (round >= warmUp) times[name].push(performance.now() - start);
    }
  }
  return times;
}

const milliseconds = (value) => `${value.toFixed(value < 10 ? 2 : 1)} ms`.padStart(10);

/** One line a side; ratios are against the first. */
export function printTimes(title, times) {
  const [[, base]] = Object.entries(times);
  console.log(`\n${title}`);
  console.log(
    `  ${''.padEnd(26)}${'p50'.padStart(10)}${'p95'.padStart(10)}${'max'.padStart(10)}${'ratio'.padStart(9)}`,
  );
  for (const [name, list] of Object.entries(times)) {
    const ratio = percentile(list, 0.5) / percentile(base, 0.5);
    const columns = [0.5, 0.95, 1].map((p) => milliseconds(percentile(list, p))).join('');
    console.log(`  ${name.padEnd(26)}${columns}${`${ratio.toFixed(2)}x`.padStart(9)}`);
  }
}

/** A bar: what was measured, against what it may be. */
export function judge(name, value, { atMost, unit }) {
  const isMet = value <= atMost;
  console.log(
    `  ${isMet ? 'met ' : 'OVER'} ${name}: ${value.toFixed(2)} ${unit} (at most ${atMost} ${unit})`,
  );
  return isMet;
}
