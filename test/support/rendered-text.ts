/**
 * A strict parser of what the renderer writes, from its grammar: any line out of place is an error.
 */

export interface ParsedItem {
  readonly id: string;
  readonly author: string | null;
  readonly role: string | null;
  readonly notes: readonly string[];
  readonly text: string;
  readonly group: Readonly<Record<string, string>>;
}
export interface ParsedLayer {
  readonly name: string;
  /** Words of the manifest that stand before the items. */
  readonly trusted: string;
  readonly hasGap: boolean;
  readonly items: readonly ParsedItem[];
}

export interface ParseOptions {
  readonly layerNames: readonly string[];
  /** Layers that may begin with words of the manifest. */
  readonly trustedLayers?: ReadonlySet<string>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'].concat([
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
]);
const SPOKEN = /^\[([a-z]{0,2}\d+(?:\.\d+)?)\]( .*)$/;
const UNSPOKEN = /^#([a-z]{0,2}\d+(?:\.\d+)?)(?: (.*))?$/;
const VALUE = /^([a-z]{0,2}\d+(?:\.\d+)?) (.*)$/;
const GAP = '(earlier turns are not shown)';
const DATE = new RegExp(`^(?:(\\d{1,2}) )?(${MONTHS.join('|')})(?: (\\d{4}))?$`);
const SUBJECT = /^@([\p{L}\p{N}][\p{L}\p{N}\p{M} ._'’-]*):$/u;
const SCHEME = '[a-z][a-z0-9+.-]*://';
const BLANK = '[\\p{Zs}\\t]';
const LONG_MONTH =
  '(?:January|February|March|April|June|July|August|Sept|September|October|November|December)';
/** A date as a head has it, and as a reader takes it for one. */
const LIKE_A_DATE =
  `(?:(?:\\d{1,2}${BLANK}+)?(?:${MONTHS.join('|')})\\b|\\d{1,2}${BLANK}+${LONG_MONTH}\\b|` +
  `${LONG_MONTH}(?=[\\p{Zs}\\t,]*(?:\\d|;|$))|` +
  '\\d{4}[-/.]\\d{1,2}(?:[-/.]\\d{1,2})?(?![\\p{L}\\p{N}]))';
const LIKE_A_HEAD = new RegExp(`^(?:(?:about|type|title|source) |${LIKE_A_DATE})`, 'iu');
const ID = '[a-z]{0,2}\\d+(?:\\.\\d+)?';
/** What a line of ours begins with, as it reads behind blanks too. */
const READS_AS_OURS =
  `(?:#${ID}(?:[\\p{Zs}\\t:(]|$)|\\[${BLANK}*${ID}${BLANK}*\\]|` +
  `${ID} (?:\\([^\\n]*\\) )?"?[^\\s=]+ = |` +
  `@${BLANK}*(?:${SCHEME}|${LIKE_A_DATE}|(?:about|type|title|source)${BLANK}|` +
  `[^\\s:;][^\\n]*[:：]${BLANK}*$|$)|\\(earlier turns are not shown\\)${BLANK}*$)`;
const URI = new RegExp(`^${SCHEME}`);
/** Behind the backslashes that make it harmless. */
const ESCAPED = new RegExp(`^(${BLANK}*)\\\\(?=\\\\*${READS_AS_OURS})`, 'iu');
const FORGED = new RegExp(`^${BLANK}*${READS_AS_OURS}`, 'iu');

/** A text, read from the left; `take` fails where the grammar does not go on. */
class Cursor {
  at = 0;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  take(pattern: RegExp): RegExpExecArray | null {
    const sticky = new RegExp(pattern.source, `y${pattern.flags.replace('y', '')}`);
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.text);
    if (match) this.at = sticky.lastIndex;
    return match;
  }
  value(bare: RegExp): string {
    const quoted = this.take(/"(?:[^"\\\n]|\\.)*"/);
    if (quoted) return JSON.parse(quoted[0]) as string;
    const plain = this.take(bare);
    if (!plain) throw new Error(`no value at ${this.at} of ${this.text}`);
    return plain[0];
  }
}

function parseNotes(cursor: Cursor): string[] {
  const notes: string[] = [];
  if (!cursor.take(/ ?\(/)) return notes;
  do notes.push(cursor.value(/[^\s"\\(),][^"(),\n]*/));
  while (cursor.take(/, /));
  if (!cursor.take(/\)/)) throw new Error(`notes do not end: ${cursor.text}`);
  return notes;
}

/** An item that nobody says: its notes and its text, which may stand on the lines below. */
function parseUnspoken(line: string): { readonly notes: string[]; readonly lines: string[] } {
  const cursor = new Cursor(line);
  const notes = line.startsWith('(') ? parseNotes(cursor) : [];
  if (notes.length === 0) return { notes, lines: [line] };
  if (cursor.at === line.length) return { notes, lines: [] };
  if (!cursor.take(/ /)) throw new Error(`no blank: ${line}`);
  return { notes, lines: [line.slice(cursor.at)] };
}

function parseHead(line: string): Pick<ParsedItem, 'author' | 'role' | 'notes'> & {
  readonly first: string | null;
} {
  const cursor = new Cursor(line);
  let author: string | null = null;
  let role: string | null = null;
  cursor.take(/ /);
  const isQuoted = line.startsWith(' "');
  const name = cursor.value(/[\p{L}\p{N}][\p{L}\p{N}\p{M} ._'’-]*?(?=\/|:| \()/u);
  if (!isQuoted && ['user', 'assistant', 'system', 'tool'].includes(name)) role = name;
  else {
    author = name;
    if (cursor.take(/\//)) role = cursor.take(/[a-z]+/)?.[0] ?? null;
  }
  const notes = parseNotes(cursor);
  if (!cursor.take(/:/)) throw new Error(`no colon behind the head: ${line}`);
  const first = cursor.take(/ /) ? line.slice(cursor.at) : null;
  if (first === null && cursor.at < line.length) throw new Error(`no blank: ${line}`);
  return { author, role, notes, first };
}

function parseGroup(line: string, above: Readonly<Record<string, string>>): Record<string, string> {
  const group: Record<string, string> = {};
  if (line === '@') return group;
  const subject = SUBJECT.exec(line)?.[1];
  if (subject !== undefined && !LIKE_A_HEAD.test(subject)) return { about: subject };
  const cursor = new Cursor(line.slice(1));
  const date = DATE.exec(cursor.text.split('; ', 1)[0] ?? '');
  if (date) {
    const year = date[3] ?? above['date']?.slice(0, 4);
    if (year === undefined) throw new Error(`no year: ${line}`);
    const month = String(MONTHS.indexOf(date[2] ?? '') + 1).padStart(2, '0');
    group['date'] = [year, month, ...(date[1] ? [date[1].padStart(2, '0')] : [])].join('-');
    cursor.at = date[0].length;
    if (!cursor.take(/; /) && cursor.at < cursor.text.length) throw new Error(`head: ${line}`);
  }
  while (cursor.at < cursor.text.length) {
    const isAddress = URI.test(cursor.text.slice(cursor.at));
    const name = isAddress ? 'source' : cursor.take(/(about|type|title|source) /)?.[1];
    if (name === undefined) throw new Error(`no field at ${cursor.at}: ${line}`);
    group[name] = cursor.value(/[^\s"\\;][^";\n]*/);
    if (!cursor.take(/; /) && cursor.at < cursor.text.length) throw new Error(`head: ${line}`);
  }
  return group;
}

/**
 * Who is known by name has the role of before. Among users alone nobody says it; a name says it
 * once more behind the first turn of each other name in another role.
 */
function withRole<T extends Pick<ParsedItem, 'author' | 'role'>>(
  head: T,
  roles: Map<string, string>,
): T {
  const { author } = head;
  if (author === null) return head;
  const isOfUsers = [...roles.values()].every((each) => each === 'user');
  const above = roles.get(author) ?? (isOfUsers ? 'user' : null);
  if (head.role === above) throw new Error(`a role that is known: ${author}/${above}`);
  const role = head.role ?? above;
  if (role === null) throw new Error(`a name that says no role among others: ${author}`);
  if (role !== 'user' && !roles.has(author))
    for (const [name, each] of roles) if (each === 'user') roles.delete(name);
  roles.set(author, role);
  return { ...head, role: role === 'user' ? null : role };
}

interface OpenItem extends Omit<ParsedItem, 'text'> {
  readonly lines: string[];
}

function parseBody(lines: readonly string[], mayBeTrusted: boolean): Omit<ParsedLayer, 'name'> {
  const trusted: string[] = [];
  const items: OpenItem[] = [];
  let group: Record<string, string> = {};
  const roles = new Map<string, string>();
  let hasGap = false;
  let hasHead = false;
  for (const line of lines) {
    const spoken = SPOKEN.exec(line);
    const unspoken = UNSPOKEN.exec(line);
    const isOfValues = 'about' in group && !('date' in group);
    const value = isOfValues ? VALUE.exec(line) : null;
    if (line === GAP) {
      if (items.length > 0 || hasGap) throw new Error('a mark behind an item');
      hasGap = true;
    } else if (line.startsWith('@') && isGroup(line)) {
      group = parseGroup(line, group);
      hasHead = true;
    } else if (value) {
      const cursor = new Cursor(value[2] ?? '');
      const notes = parseNotes(cursor);
      if (notes.length > 0) cursor.take(/ /);
      const rest = cursor.text.slice(cursor.at);
      const text = rest.startsWith('"') ? (JSON.parse(rest) as string) : rest;
      const [id = ''] = [value[1]];
      items.push({ id, author: null, role: null, notes, lines: [text], group });
    } else if (spoken) {
      const { first, ...head } = withRole(parseHead(spoken[2] ?? ''), roles);
      items.push({ id: spoken[1] ?? '', ...head, lines: first === null ? [] : [first], group });
    } else if (unspoken) {
      const [, id = '', rest] = unspoken;
      const { notes, lines: own } =
        rest === undefined ? { notes: [], lines: [] } : parseUnspoken(rest);
      items.push({ id, author: null, role: null, notes, lines: own, group });
    } else if (items.length > 0 && !isOfValues) items.at(-1)?.lines.push(unescaped(line));
    else if (mayBeTrusted && items.length === 0 && !hasHead && !hasGap) trusted.push(line);
    else throw new Error(`what is this: ${line}`);
  }
  return {
    trusted: trusted.map((line) => `${line}\n`).join(''),
    hasGap,
    items: items.map(({ lines: text, ...rest }) => ({ ...rest, text: text.join('\n') })),
  };
}

const isGroup = (line: string): boolean =>
  line === '@' ||
  SUBJECT.test(line) ||
  /^@(?:about|type|title|source) /.test(line) ||
  URI.test(line.slice(1)) ||
  DATE.test(line.slice(1).split('; ')[0] ?? '');
function unescaped(line: string): string {
  if (FORGED.test(line)) throw new Error(`reads as ours: ${line}`);
  return line.replace(ESCAPED, '$1');
}

export function parseXml(source: string, options: ParseOptions): ParsedLayer[] {
  const names = options.layerNames.join('|');
  const tag = new RegExp(`<\\s*/?\\s*(?:${names})(?![a-z0-9_])`, 'gi');
  const undo = new RegExp(`&((?:amp;)*)lt;(?=\\s*/?\\s*(?:${names})(?![a-z0-9_]))`, 'gi');
  const plain = (body: string): string => {
    if (body.search(tag) >= 0) throw new Error(`a tag in a body: ${body}`);
    return body.replace(undo, (_, more: string) => (more === '' ? '<' : `&${more.slice(4)}lt;`));
  };
  return parseLayers(source, options, {
    opens: (line) => new RegExp(`^<(${names})>$`).exec(line)?.[1],
    closes: (line, name) => line === `</${name}>`,
    plain,
  });
}

export function parseMarkdown(source: string, options: ParseOptions): ParsedLayer[] {
  const names = options.layerNames.join('|');
  const opens = (line: string): string | undefined => new RegExp(`^## (${names})$`).exec(line)?.[1];
  return parseLayers(source, options, {
    opens,
    closes: (line, _name, next) => line === '' && (next === undefined || opens(next) !== undefined),
    plain: (body) => plainMarkdown(body, options.layerNames),
  });
}

/** Signs that show a text otherwise, or that number or decorate it; a reader sees the name alone. */
function nameIn(text: string): string {
  const shown = text
    .replace(/<!--(?:[^-]|-(?!->))*(?:-->)?|(?:<|&(?:amp;)*lt;)\/?[a-z][^<>]*>/gi, '')
    .replace(/\](?:\([^()]*\)|\[[^[\]]*\])/g, ']')
    .replace(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Number(code) % 0x110000))
    .replace(/&(?:lt|gt|amp);/gi, ' ')
    .replace(/[\\*~`\p{Cf}]+/gu, '')
    .replace(/^(?:[^\p{L}\p{N}]|\d{1,9}[.)])+/u, '')
    .trimEnd();
  return shown
    .replace(/\{[^{}]*\}$/, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+$/u, '');
}

/** A body of Markdown without what was escaped in it; one that heads a layer is an error. */
function plainMarkdown(body: string, names: readonly string[]): string {
  const isName = (text: string): boolean => names.some((name) => nameIn(name) === nameIn(text));
  const heads = (line: string, above: string): boolean => {
    const text = line.replace(/^(?:[\p{Zs}\t>]|[-+*][\p{Zs}\t]|\d{1,9}[.)][\p{Zs}\t])*/u, '');
    if (text.startsWith('#')) return isName(text);
    return /^[ \t>]*(?:=+|-+)[ \t]*$/.test(line) && isName(above);
  };
  const lines = body.split('\n');
  const plain = lines
    .map((line, at) => {
      const above = lines[at - 1] ?? '';
      if (heads(line, above)) throw new Error(`heads a layer: ${line}`);
      return line.startsWith('\\') && heads(line.replace(/^\\+/, ''), above) ? line.slice(1) : line;
    })
    .join('\n');
  return plain.replace(
    /(?:<|&((?:amp;)*)lt;)(h[1-6](?:[\s/][^<>]*)?>)(?=((?:(?!(?:<|&(?:amp;)*lt;)\/?h[1-6](?:[\s/][^<>]*)?>).){0,400}))/gis,
    (whole, ...parts: readonly (string | undefined)[]) => {
      const [escapes, tag = '', behind = ''] = parts;
      const ends = [...behind.matchAll(/<\/?[a-z][^<>]*>|\n|$/gi)].map(({ index }) => index);
      if (!ends.some((end) => isName(behind.slice(0, end)))) return whole;
      if (escapes === undefined) throw new Error(`heads a layer: ${whole}`);
      return `${escapes === '' ? '<' : `&${escapes.slice(4)}lt;`}${tag}`;
    },
  );
}

interface Frame {
  readonly opens: (line: string) => string | undefined;
  readonly closes: (line: string, name: string, next: string | undefined) => boolean;
  /** A body without what the format escaped in it. */
  readonly plain: (body: string) => string;
}

function parseLayers(source: string, options: ParseOptions, frame: Frame): ParsedLayer[] {
  const parsed: ParsedLayer[] = [];
  const lines = source.split('\n');
  if (lines.pop() !== '') throw new Error('the text does not end with a line');
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    const name = frame.opens(line);
    if (name === undefined) throw new Error(`no layer opens: ${line}`);
    const end = lines.findIndex((other, at) => frame.closes(other, name, lines[at + 1]));
    if (end < 0) throw new Error(`${name} does not close`);
    const body = frame
      .plain(
        lines
          .splice(0, end + 1)
          .slice(0, -1)
          .join('\n'),
      )
      .split('\n');
    parsed.push({ name, ...parseBody(body, options.trustedLayers?.has(name) ?? false) });
  }
  return parsed;
}
