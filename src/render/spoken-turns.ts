/**
 * Stored turns as messages that every provider accepts: a result stands behind its call, a call
 * has its result, and nothing stored becomes a system message.
 */
import type { ToolCall } from '../model/messages.ts';

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

/** In order. A turn that says nothing and calls nothing is left out. */
export function spokenTurns(turns: readonly MessageTurn[]): readonly SpokenTurn[] {
  const hasSeveralAuthors = new Set(turns.filter(isUser).map(({ author }) => author)).size > 1;
  const spoken: SpokenTurn[] = [];
  for (let at = 0; at < turns.length; at++) {
    const turn = turns[at];
    if (turn === undefined) continue;
    if (turn.role !== 'assistant') {
      pushUnlessBlank(spoken, { kind: 'user', text: userText(turn, hasSeveralAuthors) });
      continue;
    }
    const results = resultsAfter(turns, at);
    const answered = turn.toolCalls.filter((call) => results.has(call.id));
    const unanswered = turn.toolCalls.filter((call) => !results.has(call.id));
    const text = [turn.text, ...unanswered.map(calledText)].filter((part) => !isBlank(part));
    pushUnlessBlank(spoken, { kind: 'assistant', text: text.join('\n'), calls: answered });
    for (const call of answered)
      spoken.push({
        kind: 'tool',
        callId: call.id,
        name: call.name,
        text: results.get(call.id)?.text ?? '',
      });
    while (answered.length > 0 && isResultOf(turns[at + 1], results)) at++;
  }
  return spoken;
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

/** A role that is neither is written in the text: stored text never becomes a system message. */
function userText({ role, author, text }: MessageTurn, hasSeveralAuthors: boolean): string {
  if (isBlank(text)) return '';
  if (role === 'user' || role === null)
    return hasSeveralAuthors && author !== null ? `${author}: ${text}` : text;
  return `(${role}${author === null ? '' : `, ${author}`}) ${text}`;
}

const calledText = ({ name, arguments: given }: ToolCall): string =>
  `(called ${name} with ${JSON.stringify(given)}; no result is kept)`;
