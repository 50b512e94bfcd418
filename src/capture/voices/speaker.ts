/** Who speaks in a turn, and under which name what they say is kept. */
import type { BlockRow } from '../../model/block.ts';
import { visibleText } from '../../text/visible-text.ts';
import { plainText } from '../sentences/plain-text.ts';

export type Speaker = 'person' | 'assistant' | 'machine';

/** As frameworks write them; without a role, such an author is the role: nobody is called so. */
const ROLE_NAMES: ReadonlyMap<string, Speaker> = new Map([
  ['user', 'person'],
  ['human', 'person'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['system', 'machine'],
  ['developer', 'machine'],
  ['tool', 'machine'],
  ['function', 'machine'],
]);

const FAMILIES = 'claude|gemini|llama|mistral|mixtral|qwen|deepseek|grok|gemma|copilot';
/** Behind the name of a family: `claude-3.5-sonnet`. `Claude Monet` is a person. */
const VERSION =
  '(?:[ _-]?(?:v?\\d[\\w.]*|opus|sonnet|haiku|pro|ultra|flash|nano|large|instruct|chat|code|ai))';
const ASSISTANT = new RegExp(
  `^(?:(?:chat ?)?gpt(?:[ _-]?[\\w.]+){0,4}|o\\d(?:-\\w+)?|(?:${FAMILIES})${VERSION}{0,5}|(?:the |my |your |an? )?(?:ai |virtual |digital )?(?:assistant|agent|llm)(?: bot)?(?:[ _#-]?\\d{1,4})?)$`,
);
const BOT =
  /^(?:.*\[bot\]|(?:.*[_-])?bots?(?:[ _#-]?\d{1,4})?|(?:chat|slack|help|support|depend\w{0,4}|discord|telegram)bot|(?:chat|ai|support|help|news|search|web|system|tool|slack|discord|github|ci|service) bot)$/;
const MACHINE =
  /^(?:(?:web|internet|file|code|google|vector|memory)?[ _-]?search|browser|retriever|plugin|webhook|cron|(?:tools?|system|functions?|api|mcp|search)(?:[ _-]\w{1,30}){0,3}|.*[ _-](?:results?|outputs?|tool|search|webhook))$/;

export function speakerOf({ role, author, metadata }: Said): Speaker {
  if (metadata !== undefined && answersCall(metadata)) return 'machine';
  if (role !== null) return ROLE_NAMES.get(role.toLowerCase()) ?? 'machine';
  if (author === null) return 'machine';
  return speakerCalled(plainText(shownName(author)).toLowerCase().slice(0, LONGEST_NAME));
}

type Said = Pick<BlockRow, 'role' | 'author'> & { readonly metadata?: BlockRow['metadata'] };

/**
 * What a tool answered is handed over as a turn of the user in many an API (Anthropic's
 * `tool_result`), with the call that it answers beside it.
 */
const answersCall = (metadata: BlockRow['metadata']): boolean =>
  CALL_KEYS.some((key) => typeof metadata[key] === 'string' && metadata[key] !== '') ||
  KIND_KEYS.some((key) => RESULTS.has(String(metadata[key]).toLowerCase().replaceAll('-', '_')));
const CALL_KEYS = ['tool_call_id', 'tool_use_id', 'toolCallId', 'toolUseId'];
const KIND_KEYS = ['type', 'kind', 'role'];
const RESULTS: ReadonlySet<string> = new Set([
  ...['tool_result', 'tool_results', 'tool_response', 'tool_output', 'tool', 'function'],
  ...['function_call_output', 'function_response', 'mcp_tool_result', 'server_tool_result'],
]);

function speakerCalled(name: string): Speaker {
  const role = ROLE_NAMES.get(name);
  if (role !== undefined) return role;
  if (ASSISTANT.test(name) || BOT.test(name)) return 'assistant';
  return MACHINE.test(name) ? 'machine' : 'person';
}

/** On one line, without what cannot be seen: it stands in sentences. */
export const shownName = (author: string): string =>
  visibleText(author).replaceAll(/\s+/g, ' ').trim();

/**
 * What a statement calls its speaker. An author is whatever the application passes on, so a text
 * that does not look like a name could state or instruct by itself: it stands in no statement.
 */
export function spokenName(author: string | null): string {
  const name = shownName(author ?? '');
  return looksLikeName(name) ? name : UNNAMED;
}
const UNNAMED = 'The user';

function looksLikeName(name: string): boolean {
  if (name === '' || name.length > LONGEST_NAME || MARKS.test(name)) return false;
  const words = name.toLowerCase().split(' ');
  const counted = words.filter((word) => !PARTICLES.has(word));
  return counted.length <= MOST_WORDS && !words.some((word) => NO_NAMES.has(word));
}
const LONGEST_NAME = 60;
const MOST_WORDS = 4;
/** A full stop ends a sentence unless it stands behind an initial or a title: `Dr. A. Lee`. */
const MARKS = /[!?:;<>{}="“”|\\]|[^\s.]{4}\.\s|,[^,]{0,60},/u;
/** `Maria de la Cruz Santos` has three words of a name. */
const PARTICLES: ReadonlySet<string> = new Set(
  'de la le del della da dos das di van von der den zu al el bin ibn ben y e'.split(' '),
);
/** Of sentences and orders. */
const NO_NAMES: ReadonlySet<string> = new Set(
  "i i'm my me we our you your always never must should shall obey ignore don't do not please whenever everyone everybody nobody".split(
    ' ',
  ),
);

/** Else an answer may tell of whom was asked about. */
export const isFirstPerson = ({ plain }: { readonly plain: string }): boolean =>
  FIRST_PERSON.test(plain);
const FIRST_PERSON =
  / (?:i|i'm|i've|i'll|i'd|me|my|mine|myself|we|we're|we've|we'll|we'd|us|our|ours) /;
