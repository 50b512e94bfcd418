/**
 * Stored turns as messages that every provider accepts: a result stands behind its call, a call
 * has its result, and nothing stored becomes a system message. Who speaks is written by us alone:
 * a line of a text that would read as that gets a backslash in front of it. Nothing is sent that
 * cannot be seen.
 */
import type { ToolCall } from '../model/messages.ts';
import { visibleText } from '../text/visible-text.ts';
import { shownAuthor } from './lines.ts';
import { ITEM_ROLES } from './render-layer.ts';
import { visibleArguments } from './sent-arguments.ts';
import { callIds, LONGEST_NAME, sentName } from './sent-name.ts';

/** A stored turn. */
export interface MessageTurn {
  readonly role: string | null;
  readonly author: string | null;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Of a tool's answer: the call that it answers. */
  readonly toolCallId: string | null;
}

export type SpokenTurn =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
      readonly kind: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    };

/**
 * In order. A turn that says nothing and calls nothing is left out, and so is the result of a tool
 * whose call is not there ({@link strayResults}): it is nobody's word.
 */
export const spokenTurns = (turns: readonly MessageTurn[], asked?: Asked): readonly SpokenTurn[] =>
  readTurns(turns, asked).spoken;

/** The query, and who asks: null = nobody knows. */
export interface Asked {
  readonly query: string;
  readonly askedBy: string | null;
}

/** The query as it was asked; among several people it is named as their turns are. */
export function askedText(turns: readonly MessageTurn[], asked: Asked): string {
  const naming = namingOf(turns, asked);
  const { query, askedBy } = asked;
  return naming.hasSeveral && askedBy !== null ? userText(turnOf(asked), naming) : query;
}

const turnOf = ({ query, askedBy }: Asked): MessageTurn => ({
  role: 'user',
  author: askedBy,
  text: query,
  toolCalls: [],
  toolCallId: null,
});

/** Places of the results that stand behind no call of theirs, as where the history begins. */
export const strayResults = (turns: readonly MessageTurn[]): ReadonlySet<number> =>
  readTurns(turns).stray;

function readTurns(
  turns: readonly MessageTurn[],
  asked?: Asked,
): {
  readonly spoken: readonly SpokenTurn[];
  readonly stray: ReadonlySet<number>;
} {
  const stray = new Set<number>();
  const naming = namingOf(turns, asked);
  const idOf = callIds();
  const spoken: SpokenTurn[] = [];
  for (let at = 0; at < turns.length; at++) {
    const turn = turns[at];
    if (turn === undefined) continue;
    if (turn.role === 'tool') {
      stray.add(at);
      continue;
    }
    if (turn.role !== 'assistant') {
      pushUnlessBlank(spoken, { kind: 'user', text: userText(turn, naming) });
      continue;
    }
    const results = resultsAfter(turns, at);
    // An id of two calls is that of the first: providers refuse the second.
    const answered = turn.toolCalls.filter(
      ({ id }, index) =>
        results.has(id) && turn.toolCalls.findIndex((each) => each.id === id) === index,
    );
    const unanswered = turn.toolCalls.filter((call) => !answered.includes(call));
    const text = [escaped(visibleText(turn.text), CALLED), ...unanswered.map(calledText)].filter(
      (part) => !isBlank(part),
    );
    const calls = answered.map((call) => ({
      ...call,
      id: idOf(call.id),
      name: sentName(call.name),
      arguments: visibleArguments(call.arguments),
    }));
    pushUnlessBlank(spoken, { kind: 'assistant', text: text.join('\n'), calls });
    for (const [index, { id: callId, name }] of calls.entries())
      spoken.push({
        kind: 'tool',
        callId,
        name,
        text: visibleText(results.get(answered[index]?.id ?? '')?.text ?? ''),
      });
    while (answered.length > 0 && isResultOf(turns[at + 1], results)) at++;
  }
  return { spoken, stray };
}

const isUser = ({ role }: MessageTurn): boolean => role === 'user' || role === null;
const isBlank = (text: string): boolean => text.trim() === '';

function pushUnlessBlank(spoken: SpokenTurn[], turn: SpokenTurn): void {
  if (!isBlank(turn.text) || (turn.kind === 'assistant' && turn.calls.length > 0))
    spoken.push(turn);
}

/** The tool turns right behind an assistant turn that answer its calls, each call once. */
function resultsAfter(turns: readonly MessageTurn[], at: number): ReadonlyMap<string, MessageTurn> {
  const open = new Set(turns[at]?.toolCalls.map((call) => call.id));
  const results = new Map<string, MessageTurn>();
  for (let next = at + 1; next < turns.length; next++) {
    const turn = turns[next];
    if (turn?.role !== 'tool' || turn.toolCallId === null || !open.delete(turn.toolCallId)) break;
    results.set(turn.toolCallId, turn);
  }
  return results;
}

const isResultOf = (
  turn: MessageTurn | undefined,
  results: ReadonlyMap<string, MessageTurn>,
): boolean => turn !== undefined && [...results.values()].includes(turn);

interface Naming {
  /** More than one person speaks, so each turn says who. */
  readonly hasSeveral: boolean;
  /** How a line begins that names one of them. */
  readonly ours: RegExp;
  /** How a line begins that says in which role it is, or what was called. */
  readonly brackets: RegExp;
}

/** Who asks is one of those who speak, if it is known. */
function namingOf(turns: readonly MessageTurn[], asked?: Asked): Naming {
  const roles = turns.flatMap(({ role }) => (role === null ? [] : [role, shownRole(role)]));
  const authors = new Set(turns.filter(isUser).map(({ author }) => author));
  if (authors.size > 0 && asked !== undefined && asked.askedBy !== null) authors.add(asked.askedBy);
  return {
    hasSeveral: authors.size > 1,
    ours: namedBy([...authors].flatMap((author) => (author === null ? [] : namesOf(author)))),
    brackets: bracketsOf([...new Set([...ROLES, ...roles])]),
  };
}

/** Roles that providers know, and those that sound like one of ours. */
const ROLES = [...ITEM_ROLES, 'developer', 'function', 'operator', 'administrator', 'admin'];
const literally = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');

/** A role in brackets, as `userText` writes it, or a call without a result (`calledText`). */
function bracketsOf(roles: readonly string[]): RegExp {
  const role = `(?:${roles.map(literally).join('|') || '(?!)'})`;
  return new RegExp(
    String.raw`^([\p{Zs}\t]*)(?=\\*\([\p{Zs}\t]*(?:${role}[\p{Zs}\t]*[,)]|called[\p{Zs}\t]))`,
    'gimu',
  );
}
const CALLED = bracketsOf([]);
const namedBy = (authors: readonly string[]): RegExp =>
  new RegExp(
    String.raw`^([\p{Zs}\t]*)(?=\\*"?(?:${authors.map(literally).join('|') || '(?!)'})"?[\p{Zs}\t]*[:：])`,
    'gimu',
  );
/** As it was given and as it is written. */
const namesOf = (author: string): readonly string[] => [
  ...new Set([author, shownAuthor(visibleText(author))]),
];

/** A role that is neither is written in the text: stored text never becomes a system message. */
function userText(turn: MessageTurn, naming: Naming): string {
  const { role, author } = turn;
  if (isBlank(turn.text)) return '';
  // One kind of line end, and nothing invisible before a name.
  const [first = '', ...rest] = escaped(visibleText(turn.text), naming.brackets).split('\n');
  const below = rest.length === 0 ? '' : `\n${named(rest.join('\n'), naming)}`;
  const name = author === null ? null : shownAuthor(visibleText(author));
  if (role !== 'user' && role !== null)
    return `(${shownRole(role)}${name === null ? '' : `, ${name}`}) ${first}${below}`;
  if (naming.hasSeveral && name !== null) return `${name}: ${first}${below}`;
  return `${named(first, naming)}${below}`;
}

/** No role ends its brackets. */
const shownRole = (role: string): string =>
  /^[\p{L}\p{N}\p{M}._-]+$/u.test(role) ? role : JSON.stringify(visibleText(role));
const escaped = (text: string, ours: RegExp): string => text.replace(ours, '$1\\');
const named = (text: string, { hasSeveral, ours }: Naming): string =>
  hasSeveral ? escaped(text, ours) : text;

/** A name as tools have one; no other stands bare in a text. */
const BARE_NAME = /^[\p{L}\p{N}\p{M}_.:/-]+$/u;

/** On one line, whatever the name and the arguments hold: both are stored input. */
function calledText({ name, arguments: given }: ToolCall): string {
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  const shown = BARE_NAME.test(name) && short === name ? name : jsonLine(short.toWellFormed());
  return `(called ${shown} with ${jsonLine(visibleArguments(given))}; no result is kept)`;
}

/** JSON leaves line ends of Unicode as they are. */
const jsonLine = (value: unknown): string =>
  visibleText(JSON.stringify(value)).replaceAll('\n', ' ');
