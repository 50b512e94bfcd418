/**
 * What `messages(format)` sends of calls of tools. The text shows the beginning of a call, which is
 * what the budget counted; a message can send all of its arguments. The newest calls get what
 * tokens are left, and of the others as much is sent as the text shows, so that every turn of the
 * text is among the messages and they fit as it does.
 */
import type { TokenCounter } from '../budget/counter.ts';
import type { ComposedItem, Warning } from '../model/composition.ts';
import type { ToolCall } from '../model/messages.ts';
import { shortArguments, visibleArguments } from '../render/sent-arguments.ts';
import { LONGEST_NAME } from '../render/sent-name.ts';
import { visibleText } from '../text/visible-text.ts';
import { calledNote, MAX_CALL_CHARS } from './item-parts.ts';

interface Spending {
  readonly counter: TokenCounter;
  /** Tokens that the text leaves. */
  readonly spare: number;
  /** Layers whose items are messages. */
  readonly history: ReadonlySet<string>;
}

/** The items, with `sent_calls` where calls are not sent as they are stored. */
export function withSentCalls(
  items: readonly ComposedItem[],
  { counter, spare, history }: Spending,
): readonly ComposedItem[] {
  let left = Math.max(0, spare);
  const newestFirst = items.toReversed().map((item): ComposedItem => {
    const { turn } = item;
    if (turn === null || !history.has(item.layer)) return item;
    let isCut = false;
    const sent = turn.tool_calls.map((call): ToolCall => {
      const tokens = tokensBeyond(call, counter, left);
      if (tokens <= left) {
        left -= tokens;
        return call;
      }
      isCut = true;
      return shortCall(call, counter);
    });
    return isCut ? { ...item, turn: { ...turn, sent_calls: sent } } : item;
  });
  return newestFirst.toReversed();
}

/** Said of the messages: the receipt is of the text, in which a long call is always cut. */
export function callWarnings(items: readonly ComposedItem[]): readonly Warning[] {
  const turns = items.filter(({ turn }) => turn?.sent_calls !== undefined).length;
  if (turns === 0) return [];
  const shown = turns === 1 ? '`1` turn' : `\`${turns}\` turns`;
  return [
    {
      code: 'HISTORY.CALL_CUT',
      message: `In \`messages()\` calls of tools of ${shown} have shortened arguments.`,
    },
  ];
}

const called = (name: string, json: string): string =>
  `called ${name.slice(0, LONGEST_NAME)} ${json}`;
const shownTokens = (call: ToolCall, counter: TokenCounter): number =>
  counter.count(visibleText(calledNote(call)));

/** What the whole call costs more than what the text shows of it; some number above `left` else. */
function tokensBeyond(call: ToolCall, counter: TokenCounter, left: number): number {
  const note = calledNote(call);
  if (!note.endsWith('…')) return 0;
  const shown = shownTokens(call, counter);
  const whole = called(call.name, JSON.stringify(visibleArguments(call.arguments)));
  return Math.max(0, counter.countUpTo(whole, shown + left) - shown);
}

function shortCall(call: ToolCall, counter: TokenCounter): ToolCall {
  const most = shownTokens(call, counter);
  const isShort = (json: string): boolean => {
    const text = called(call.name, json);
    return text.length <= MAX_CALL_CHARS && counter.count(text) <= most;
  };
  return { ...call, arguments: shortArguments(call.arguments, isShort) };
}
