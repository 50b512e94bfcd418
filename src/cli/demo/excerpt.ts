/** The beginning of each layer of a context, so that three contexts fit on a few screens. */

const LINES_PER_LAYER = 5;
const LINE_CHARACTERS = 180;
const OPENING = /^<([a-z][a-z0-9_]*)(?:\s[^>]*)?>$/;

/** Keeps the tags of the layers and the first lines within each; says how many lines are left out. Text that is not in a layer stays. */
export function excerpt(text: string): string {
  const shown: string[] = [];
  let layer: string | null = null;
  let inside: string[] = [];
  for (const line of text.split('\n')) {
    const opened: string | undefined = layer === null ? OPENING.exec(line)?.[1] : undefined;
    if (opened !== undefined) {
      layer = opened;
      shown.push(line);
    } else if (layer !== null && line === `</${layer}>`) {
      shown.push(...firstLines(inside), line);
      inside = [];
      layer = null;
    } else if (layer === null) shown.push(shorten(line));
    else inside.push(line);
  }
  return [...shown, ...firstLines(inside)].join('\n');
}

function firstLines(lines: readonly string[]): readonly string[] {
  const kept = lines.slice(0, LINES_PER_LAYER).map(shorten);
  const left = lines.length - kept.length;
  return left === 0 ? kept : [...kept, `… ${left} more line${left === 1 ? '' : 's'}`];
}

const shorten = (line: string): string => (line.length <= LINE_CHARACTERS ? line : `${line.slice(0, LINE_CHARACTERS - 1).trimEnd()}…`);
