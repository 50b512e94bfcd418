/**
 * What is wrong with the syntax of a YAML document, where it begins, and what to do. The parser
 * reports a quote or bracket that is not closed where it met the end of it, which may be the end of
 * the file, and then all that it misread because of that.
 */
import {
  type Document,
  isCollection,
  isScalar,
  type ParsedNode,
  visit,
  type YAMLError,
} from 'yaml';

export interface SyntaxProblem {
  /** UTF-16 units from the start of the file. */
  readonly offset: number;
  readonly message: string;
  readonly fix: string;
}

/**
 * The parser goes one level deeper for each. It ends itself where its stack does, some 800 levels
 * down, and V8 ends the process where a regular expression has to be compiled just there: two texts
 * of `[` in one process were enough.
 */
export const MAX_OPEN = 200;
const LIST_MARKS = new RegExp(`^ *(?:[-?] ){${MAX_OPEN + 1}}`, 'm');

/** Where more is open than a manifest ever has; null = nowhere. Quotes are not looked at. */
export function tooDeepAt(text: string): number | null {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '[' || character === '{') open += 1;
    else if (character === ']' || character === '}') open = Math.max(0, open - 1);
    if (open > MAX_OPEN) return at;
  }
  return LIST_MARKS.exec(text)?.index ?? null;
}

type Parsed = Pick<Document.Parsed<ParsedNode>, 'contents' | 'errors' | 'warnings'>;

/** In the order of the parser; without what follows from one that was reported before. */
export function syntaxProblems(document: Parsed, text: string): readonly SyntaxProblem[] {
  const exhausted = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (exhausted) return [toProblem(exhausted, text)];
  const open = firstUnclosed(document, text);
  const problems = [...document.errors, ...document.warnings].filter(
    ({ pos }) => open === null || pos[0] < open.offset,
  );
  const tabs = problems.filter(({ code }) => code === 'TAB_AS_INDENT');
  const own = tabs.length > 0 ? tabs : withoutCascade(problems);
  return [...own.map((problem) => toProblem(problem, text)), ...(open ? [open] : [])];
}

/**
 * A key without its colon runs on into the lines below, which are then read as its value: of what
 * the parser reports from there on, the first alone is so.
 */
function withoutCascade(problems: readonly YAMLError[]): readonly YAMLError[] {
  const [first] = problems.filter(isRunningOn).sort((a, b) => a.pos[0] - b.pos[0]);
  if (first === undefined) return problems;
  return [...problems.filter(({ pos }) => pos[0] < first.pos[0]), first];
}
const isRunningOn = ({ message }: YAMLError): boolean =>
  message.startsWith('Implicit keys need to be on a single line');

/** By the character that opens it: what closes it, and what it is called. */
const CLOSING = {
  '[': { end: ']', name: 'list', inside: ' What is in it is indented further than its key.' },
  '{': { end: '}', name: 'map', inside: ' What is in it is indented further than its key.' },
  '"': { end: '"', name: 'text', inside: '' },
  "'": { end: "'", name: 'text', inside: '' },
} as const;
const isOpening = (character: string | undefined): character is keyof typeof CLOSING =>
  character !== undefined && Object.hasOwn(CLOSING, character);

/** Of several within each other the innermost: that is where the rest was read wrongly. */
function firstUnclosed({ contents, errors }: Parsed, text: string): SyntaxProblem | null {
  const ends = errors.filter(isOfEnd).map(({ pos }) => pos[0]);
  const [first] = ends;
  if (first === undefined || contents === null) return null;
  let found: { readonly offset: number; readonly opening: keyof typeof CLOSING } | null = null;
  visit(contents, (_key, node) => {
    const isFlow = isCollection(node) && node.flow === true;
    if (!isFlow && !isScalar(node)) return;
    const [start, end] = node.range ?? [0, 0];
    const opening = text[start];
    if (!isOpening(opening) || start >= first || end < first) return;
    const isClosed = end - start > 1 && text[end - 1] === CLOSING[opening].end;
    if (!isClosed || end > first) found = { offset: start, opening };
  });
  return found === null ? null : unclosed(found);
}

const isOfEnd = ({ message }: Pick<YAMLError, 'message'>): boolean =>
  message.startsWith('Missing closing') || / and end with a |must end with a /.test(message);

function unclosed({
  offset,
  opening,
}: {
  readonly offset: number;
  readonly opening: keyof typeof CLOSING;
}): SyntaxProblem {
  const { end, name, inside } = CLOSING[opening];
  return {
    offset,
    message: `The ${name} that begins here with \`${opening}\` has no end.`,
    fix: `Write \`${end}\` at its end.${inside}`,
  };
}

function toProblem({ code, message, pos }: YAMLError, text: string): SyntaxProblem {
  const [offset] = pos;
  const [first = message] = message.split('\n');
  const said = code === 'RESOURCE_EXHAUSTION' ? 'Values are nested too deep to be read' : first;
  return {
    offset,
    message: `${said.replace(/\.$/, '')}.`,
    fix: fixOf({ code, said }, text, offset),
  };
}

function fixOf(
  { code, said }: { readonly code: string; readonly said: string },
  text: string,
  offset: number,
): string {
  if (code === 'TAB_AS_INDENT') return 'Indent with spaces.';
  if (code === 'TAG_RESOLVE_FAILED') return 'Remove the tag; manifests hold plain values only.';
  if (code === 'RESOURCE_EXHAUSTION') return 'Nest less.';
  if (said.startsWith('Implicit')) return 'Put a colon and a space after the key.';
  if (code === 'BAD_INDENT') return 'Indent keys of one level alike.';
  const before = text.slice(0, offset).trimEnd().at(-1);
  if (code === 'UNEXPECTED_TOKEN' && (before === "'" || before === '"'))
    return (
      `The text in quotes ends before this, at \`${before}\`: close an earlier quote, or write ` +
      `\`${before === "'" ? "''" : String.raw`\"`}\` for one within the text.`
    );
  return (
    'Correct the YAML at this place; quote texts that contain `:`, `#`, `{`, `[` or begin with ' +
    'a special character.'
  );
}
