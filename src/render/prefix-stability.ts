/**
 * The share of leading UTF-8 bytes that two successive compositions have in common, of the longer one: what a provider's prompt cache can keep.
 * 1 = the same text.
 */
export function prefixStability(previous: string, next: string): number {
  const [a, b] = [Buffer.from(previous, 'utf8'), Buffer.from(next, 'utf8')];
  const longer = Math.max(a.length, b.length);
  let common = 0;
  while (common < longer && a[common] === b[common]) common++;
  return longer === 0 ? 1 : common / longer;
}
