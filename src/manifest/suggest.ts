/** A fix for a wrong name. */
import { nearest } from '../codes/suggest.ts';

export { nearest } from '../codes/suggest.ts';

/** The nearest of the known names if there is one, and the list of what there is. */
export function didYouMean(name: string, known: readonly string[]): string {
  const hit = nearest(name, known);
  if (known.length === 0) return 'Remove it.';
  const list = `Use one of ${known
    .slice(0, 24)
    .map((entry) => `\`${entry}\``)
    .join(', ')}${known.length > 24 ? ', …' : ''}.`;
  return hit === undefined ? list : `Did you mean \`${hit}\`? ${list}`;
}
