/** A code that a capture failed with, as its reader needs it: what happened, and what to do. */
import { CODES } from '../codes/code-table.ts';
import type { CaptureFailure } from './methods/capture-surface.ts';

/** What an error said is not kept, for words of turns: a capture by hand says it again. */
const AGAIN =
  'Run `contextengine capture --scope SCOPE` (or `engine.capture`): it ends with the error in full.';
const READ_IT = 'Read the piece of the turn, and `remember` what it says, should it be kept.';

const FIXES: Readonly<Record<string, string>> = {
  'CAPTURE.BUDGET_SPENT':
    'Wait for the next day (UTC), or raise `writing.cost_budget_usd_per_day` of the manifest.',
  'CAPTURE.BUSY': 'Nothing: it goes on once the other worker is done.',
  'CAPTURE.REVIEWS_WAIT': 'Settle some of what waits: `contextengine approvals list`.',
  'CAPTURE.ANSWER_UNUSABLE':
    'Run `contextengine capture --retry --scope SCOPE` (or `engine.capture` with `retry`): it asks ' +
    'the model again. Else read the piece of the turn, and `remember` what it says.',
  'CAPTURE.UNREADABLE': READ_IT,
  'INFERENCE.UNAVAILABLE':
    'Check the address, model, key and quota of the `extractor` or embedder; nothing is lost. ' +
    `${AGAIN}`,
  'INFERENCE.REFUSED':
    'Check the key of the `extractor` or embedder; nothing is lost. ' +
    'Run `contextengine capture --scope SCOPE` (or `engine.capture`) once it is right.',
  'PERMISSION.DENIED':
    'Run `contextengine work` with a profile that may write the scopes of `writing.into`.',
  conflict: READ_IT,
};
const CONFLICT = 'another version of the same memory was written first';

export function failureOf(code: string): CaptureFailure {
  const facts = Object.hasOwn(CODES, code) ? CODES[code as keyof typeof CODES] : null;
  const message =
    facts?.meaning ?? (code === 'conflict' ? CONFLICT : 'it failed for no known code');
  return {
    code,
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    fix: fixOf(code),
  };
}

const fixOf = (code: string): string => (Object.hasOwn(FIXES, code) && FIXES[code]) || AGAIN;
