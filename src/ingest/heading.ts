/** Headings of Markdown: `## Title ##`. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
}

/**
 * The heading that a line is. By hand behind the marks: one expression for all of it is quadratic
 * in a run of blanks.
 */
export function headingOf(line: string): Heading | null {
  const marks = /^(#{1,6})[ \t]/.exec(line)?.[1];
  if (marks === undefined) return null;
  const text = line.slice(marks.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return { level: marks.length, title: text.slice(0, end).trim() };
}

/** The title of the first heading of level 1 that has one. */
export function firstTitle(text: string): string | null {
  for (const line of text.split('\n')) {
    const heading = line.startsWith('# ') || line.startsWith('#\t') ? headingOf(line) : null;
    if (heading && heading.title !== '') return heading.title;
  }
  return null;
}
