/** Headings without what their links lead to. */

const TARGET_13 = /\](?:\([^()]*\)|\[[^[\]]*\])/g;
/** So in version 13: a target that holds no brackets. */
export const withoutPlainTargets = (text: string): string => text.replace(TARGET_13, ']');

/** `picture` = what is read for one, and for the mark of a note below the text. */
export function withoutTargets(line: string, picture: 'words' | 'nothing'): string {
  if (!line.includes('[')) return line;
  const ends = endsOfBrackets(line);
  const endOfTarget = (at: number): number =>
    line[at] === '(' || line[at] === '[' ? (ends.get(at) ?? at) : at;
  let shown = '';
  for (let at = 0; at < line.length; at += 1) {
    const isPicture = line.startsWith('![', at) || line.startsWith('[^', at);
    const end = isPicture ? ends.get(line[at] === '!' ? at + 1 : at) : undefined;
    if (picture === 'nothing' && end !== undefined) at = endOfTarget(end) - 1;
    else {
      shown += line[at];
      if (line[at] === ']') at = endOfTarget(at + 1) - 1;
    }
  }
  return shown;
}

/** Of each bracket that another closes, the place behind that one. A title may hold any sign. */
function endsOfBrackets(line: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open = { ')': [] as number[], ']': [] as number[] };
  const lastQuote = { '"': line.lastIndexOf('"'), "'": line.lastIndexOf("'") };
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    const isInTarget = line[(open[')'].at(-1) ?? 0) - 1] === ']';
    if (sign === '\\') at += 1;
    else if (sign === '"' || sign === "'") {
      const isTitle = isInTarget && /[ \t]/.test(line[at - 1] ?? '') && lastQuote[sign] > at;
      if (isTitle) at = line.indexOf(sign, at + 1);
    } else if (sign === '(') open[')'].push(at);
    else if (sign === '[') open[']'].push(at);
    else if (sign === ')' || sign === ']') {
      const from = open[sign].pop();
      if (from !== undefined) ends.set(from, at + 1);
    }
  }
  return ends;
}
