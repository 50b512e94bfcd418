/** What callers write as another API has it, and where it goes: the fix of the error. */

const LOOP =
  'Or let `contextCompletions` of `contextengine/openai` append the exchange (docs/chat-loops.md).';

/** Of messages of OpenAI's chat completions, and of AI SDK's. */
const OF_TURN: Readonly<Record<string, string>> = {
  tool_calls:
    "Write `metadata: { tool_calls }`, as OpenAI has them, and `content: ''` where it is null. " +
    LOOP,
  tool_call_id: `Write \`metadata: { tool_call_id }\`. ${LOOP}`,
  name: 'Write `author`: who said it.',
  refusal: 'Leave it out, or write it as `content`.',
  parts:
    'Write their text as `content`, or append the messages with `appendUiMessages` of ' +
    '`contextengine/ai-sdk` (docs/chat-loops.md).',
};

/** Null where nothing is known of the field. */
export const fixElsewhere = (what: string, field: string): string | null =>
  what === 'turn' && Object.hasOwn(OF_TURN, field) ? (OF_TURN[field] ?? null) : null;

/** Of a field that is no text. */
export function fixNoText(what: string, field: string, value: unknown): string {
  if (what !== 'turn' || field !== 'content') return `Pass a text as \`${field}\`.`;
  if (Array.isArray(value)) return `Pass one text as \`content\`: that of its parts. ${LOOP}`;
  return "Pass a text as `content`: `''` where `metadata.tool_calls` says what was called.";
}
