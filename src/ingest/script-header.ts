/** What a script says of itself: its first comment, without the marks. */

/** '' = it begins with something else. A line of `#!` or `'use strict'` stands before it. */
export function scriptHeader(text: string): string {
  const lines = text.split(/\r?\n/);
  let at = 0;
  while (isPreamble(lines[at])) at += 1;
  const first = lines[at]?.trim() ?? '';
  if (first.startsWith('/*')) return unmarked(blockOf(lines.slice(at), '*/'));
  for (const quote of ['"""', "'''"])
    if (first.startsWith(quote)) return unmarked(blockOf(lines.slice(at), quote));
  const mark = ['#', '//', '--'].find((each) => first.startsWith(each));
  if (mark === undefined) return '';
  const end = lines.slice(at).findIndex((line) => !line.trim().startsWith(mark));
  return unmarked(lines.slice(at, end === -1 ? undefined : at + end));
}

const isPreamble = (line: string | undefined): boolean =>
  line !== undefined &&
  (line.trim() === '' || line.startsWith('#!') || /^['"]use strict['"];?$/.test(line.trim()));

/** Up to the line that closes it, the opening line included. */
function blockOf(lines: readonly string[], closing: string): readonly string[] {
  const end = lines.findIndex((line, index) =>
    (index === 0 ? line.trim().slice(closing.length) : line).includes(closing),
  );
  return end === -1 ? [] : lines.slice(0, end + 1);
}

const MARKS = /^\s*(?:\/\*+|\*+\/|\*|\/\/+|#+|--+|"""|''')? ?/;

const unmarked = (lines: readonly string[]): string =>
  lines
    .map((line) =>
      line
        .replace(MARKS, '')
        .replace(/(?:\*\/|"""|''')\s*$/, '')
        .trimEnd(),
    )
    .join('\n')
    .trim();
