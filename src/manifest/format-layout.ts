/**
 * The last touches on a document that the `yaml` package has written: brackets without inner
 * spaces, comments of neighbouring lines in a column.
 */
import { Lexer } from 'yaml';

/** Comments are not pushed beyond it. */
const MAX_COLUMN = 140;

/** Marks that the lexer puts between slices of the text. */
const MARKS: readonly string[] = ['\u0002', '\u0018', '\u001f'];

interface Line {
  /** Without its comment and the space before it. */
  readonly body: string;
  /** The comment behind the body; empty where there is none, or where the line is nothing else. */
  readonly comment: string;
}

export function layOut(text: string): string {
  return alignComments(linesOf(text))
    .join('\n')
    .replace(/(?<!\n)\n*$/, '\n');
}

/** All comments of a text, in order. */
export const commentsOf = (text: string): readonly string[] =>
  tokensOf(text)
    .filter(({ isComment }) => isComment)
    .map(({ source }) => source.trim());

interface Token {
  readonly source: string;
  readonly isComment: boolean;
}

/**
 * The slices of a text; a scalar is a slice of its own, so that a `#` or `[` in it is a character.
 */
function tokensOf(text: string): readonly (Token & { readonly isScalar: boolean })[] {
  const tokens: (Token & { readonly isScalar: boolean })[] = [];
  let isScalar = false;
  for (const source of new Lexer().lex(text)) {
    if (!isScalar && MARKS.includes(source)) {
      isScalar = source === '\u001f';
      continue;
    }
    tokens.push({ source, isScalar, isComment: !isScalar && source.startsWith('#') });
    isScalar = false;
  }
  return tokens;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let body = '';
  let comment = '';
  const end = (): void => {
    const isTrailing = comment !== '' && body.trim() !== '';
    lines.push(
      isTrailing ? { body: body.trimEnd(), comment } : { body: `${body}${comment}`, comment: '' },
    );
    body = '';
    comment = '';
  };
  const tokens = tokensOf(text);
  for (const [index, { source, isScalar, isComment }] of tokens.entries()) {
    if (isComment) comment = source.trimEnd();
    else if (
      !isScalar &&
      isInnerSpace(source, tokens[index - 1]?.source, tokens[index + 1]?.source)
    )
      continue;
    else {
      const [head = '', ...rest] = source.split('\n');
      body += head;
      for (const part of rest) {
        end();
        body = part;
      }
    }
  }
  end();
  return lines;
}

/** Space at the beginning of a line is its indentation. */
const isInnerSpace = (source: string, before = '\n', after = ''): boolean =>
  /^ +$/.test(source) && !before.endsWith('\n') && (before === '[' || after === ']');

/**
 * A run of lines with comments shares one column, as far as the longest line of the run lets it.
 */
function alignComments(lines: readonly Line[]): readonly string[] {
  const written: string[] = [];
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && lines[end]?.comment !== '') end++;
    const run = lines.slice(start, Math.max(end, start + 1));
    const column = Math.max(...run.map(({ body }) => body.length));
    const isFitting = run.every(({ comment }) => column + 1 + comment.length <= MAX_COLUMN);
    for (const { body, comment } of run)
      written.push(comment === '' ? body : `${isFitting ? body.padEnd(column) : body} ${comment}`);
    start += run.length;
  }
  return written;
}
