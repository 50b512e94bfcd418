/** The beginning of each layer of a context, so that three contexts fit on a few screens. */

const LINES_PER_LAYER = 6;
const LINE_CHARACTERS = 260;
const XML_LAYER = /^<([a-z][a-z0-9_]*)>$/;
const MARKDOWN_LAYER = /^## [a-z][a-z0-9_]*$/;
const LONG_ID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Keeps the marks of the layers and the first lines within each; says how many are left out. Ids are shortened. XML and Markdown alike. */
export function excerpt(text: string): string {
  const shown: string[] = [];
  let closing: string | null = null;
  let inside: string[] = [];
  const finish = (): void => {
    shown.push(...firstLines(inside));
    inside = [];
  };
  for (const line of text.split('\n')) {
    const opened: string | null = closing === null ? layerOpened(line) : null;
    if (opened !== null || (closing === null && MARKDOWN_LAYER.test(line))) {
      finish();
      shown.push(line);
      closing = opened === null ? null : `</${opened}>`;
    } else if (line === closing) {
      finish();
      shown.push(line);
      closing = null;
    } else inside.push(line);
  }
  finish();
  return shown.join('\n');
}

function firstLines(lines: readonly string[]): readonly string[] {
  const written = lines.filter((line) => line.trim() !== '' && line !== '>');
  const kept = written.slice(0, LINES_PER_LAYER).map(shorten);
  const left = written.length - kept.length;
  return left === 0 ? kept : [...kept, `… ${left} more line${left === 1 ? '' : 's'}`];
}

const shorten = (line: string): string => {
  const short = line.replace(LONG_ID, '$1…');
  return short.length <= LINE_CHARACTERS ? short : `${short.slice(0, LINE_CHARACTERS - 1).trimEnd()}…`;
};

const layerOpened = (line: string): string | null => XML_LAYER.exec(line)?.[1] ?? null;
