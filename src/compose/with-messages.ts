/** Adds the one method that a composition has beside its data; it reads nothing but the data. */
import type { Composition, CompositionData } from '../model/composition.ts';
import type { MessageOptions, MessagesOf } from '../model/messages.ts';
import { strayResults } from '../render/spoken-turns.ts';
import { type MessageParts, toMessages } from '../render/to-messages.ts';
import { closeFence } from '../text/fences.ts';
import { visibleText } from '../text/visible-text.ts';
import { callWarnings } from './sent-calls.ts';
import { strayText } from './stray-results.ts';

export const withMessages = (data: CompositionData, query: string): Composition => ({
  ...data,
  warnings: [...data.warnings, ...callWarnings(data.items)],
  messages: <F extends keyof MessagesOf>(format: F, options?: MessageOptions): MessagesOf[F] =>
    toMessages(partsOf(data, query), format, options),
});

/** Providers cache a prefix from this many tokens on (Anthropic: 1,024, OpenAI: 1,024). */
const LEAST_CACHED_TOKENS = 1024;

function partsOf(data: CompositionData, query: string): MessageParts {
  const history = new Set(data.segments.flatMap((part) => (part.is_history ? [part.layer] : [])));
  const told = data.items.filter((item) => history.has(item.layer) && item.turn !== null);
  const turns = told.map(({ text, truncated, turn }) => ({
    role: turn?.role ?? null,
    author: turn?.author ?? null,
    text: truncated ? cutText(text) : text,
    toolCalls: turn?.sent_calls ?? turn?.tool_calls ?? [],
    toolCallId: turn?.tool_call_id ?? null,
  }));
  const stray = strayResults(turns);
  const results = strayText(
    data,
    told.filter((_, place) => stray.has(place)),
  );
  const isCut = turns.length > 0 && data.warnings.some(({ code }) => code === 'HISTORY.GAP');
  const context = [
    ...contextOf(data),
    // Both change where the history begins anew, and not with each query.
    ...(results === '' ? [] : [{ text: results, isMarked: false, isChanging: false }]),
    ...(isCut ? [AFTER_GAP] : []),
  ];
  return { context, turns, query, askedBy: data.asked_by ?? null };
}

/** As the text has it: fenced code that the cut left open is closed. */
const cutText = (text: string): string => closeFence(visibleText(`${text}…`));

/** The mark of the layer stands with its turns, which are messages here: so it is said apart. */
const AFTER_GAP: MessageParts['context'][number] = {
  text: '(The messages begin in the middle of the conversation: earlier turns are not shown.)\n',
  isMarked: false,
  isChanging: false,
};

/** Up to three pieces: what never changes, what changes slowly, and the rest. */
function contextOf({ text, segments, layers }: CompositionData): MessageParts['context'] {
  const pieces = { never: '', slowly: '', always: '' };
  const tokens = { never: 0, slowly: 0, always: 0 };
  let at = 0;
  let reached: keyof typeof pieces = 'never';
  for (const { layer, length, changes, is_history } of segments) {
    if (!is_history) {
      reached = laterOf(reached, changes);
      pieces[reached] += text.slice(at, at + length);
      tokens[reached] += layers[layer]?.tokens ?? 0;
    }
    at += length;
  }
  return [
    { text: pieces.never, isMarked: tokens.never >= LEAST_CACHED_TOKENS, isChanging: false },
    {
      text: pieces.slowly,
      isMarked: tokens.slowly > 0 && tokens.never + tokens.slowly >= LEAST_CACHED_TOKENS,
      isChanging: false,
    },
    { text: pieces.always, isMarked: false, isChanging: true },
  ];
}

const ORDER = ['never', 'slowly', 'always'] as const;
const laterOf = <T extends (typeof ORDER)[number]>(a: T, b: T): T =>
  ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
