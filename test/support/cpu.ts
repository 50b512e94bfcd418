/**
 * What a call costs of the processor, in ms: a busy machine makes it wait, not work. Bounds on it
 * tell minutes from seconds, not fast from slow.
 */
export function cpuMsOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
