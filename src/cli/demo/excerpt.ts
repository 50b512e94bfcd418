/** The beginning of each layer of a context, so that three contexts fit on a few screens. */

const LINES_PER_LAYER = 4;
const LINE_CHARACTERS = 190;
const XML_LAYER = /^<([a-z][a-z0-9_]*)>$/;
const MARKDOWN_LAYER = /^## [a-z][a-z0-9_]*$/;
/** Tag and attributes of an item: `<turn source=…` or `[turn source=…`. */
const ITEM_HEAD = /^([<[][a-z][a-z0-9_]*)((?: [a-z][a-z0-9_]*="[^"]*")+)/;
const LESS_TOLD = / (?:source|id|confidence|collection|type)="[^"]*"/g;
const TIME = / time="(\d{4}-\d{2}-\d{2})(?:T[^"]*)?"/;

/**
 * Keeps the marks of the layers and the first lines within each; says how many are left out. Of an
 * item's attributes the telling ones stay. XML and Markdown alike. Of each of `telling` that is not
 * in it by then, the first line that holds it is added.
 */
export function excerpt(text: string, telling: readonly string[] = []): string {
  const lines = text.split('\n');
  const first = excerptWith(lines, new Set());
  const added = telling.flatMap((words) =>
    first.includes(words) ? [] : lines.filter((line) => line.includes(words)).slice(0, 1),
  );
  return added.length === 0 ? first : excerptWith(lines, new Set(added));
}

function excerptWith(lines: readonly string[], added: ReadonlySet<string>): string {
  const shown: string[] = [];
  let closing: string | null = null;
  let inside: string[] = [];
  const finish = (): void => {
    shown.push(...linesOf(inside, added));
    inside = [];
  };
  for (const line of lines) {
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

function linesOf(lines: readonly string[], added: ReadonlySet<string>): readonly string[] {
  const written = lines.filter((line) => line.trim() !== '' && line !== '>');
  const shown: string[] = [];
  let left = 0;
  const sayLeft = (): void => {
    if (left > 0) shown.push(`… ${left} more line${left === 1 ? '' : 's'}`);
    left = 0;
  };
  for (const [index, line] of written.entries()) {
    if (index < LINES_PER_LAYER || added.has(line)) {
      sayLeft();
      shown.push(shorten(line));
    } else left += 1;
  }
  sayLeft();
  return shown;
}

const shorten = (line: string): string => {
  const short = line.replace(
    ITEM_HEAD,
    (_, tag: string, attributes: string) =>
      `${tag} …${attributes.replace(LESS_TOLD, '').replace(TIME, ' $1')}`,
  );
  return short.length <= LINE_CHARACTERS
    ? short
    : `${short.slice(0, LINE_CHARACTERS - 1).trimEnd()}…`;
};

const layerOpened = (line: string): string | null => XML_LAYER.exec(line)?.[1] ?? null;
