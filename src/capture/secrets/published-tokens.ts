/**
 * Tokens in the formats of providers: by the published rules of secretlint (`published/`) and by
 * the table beside this file. Ordinary talk has no word of their length and none of their
 * keywords, so that it costs two looks.
 */
import { readFileSync } from 'node:fs';
import { ContextEngineError } from '../../codes/errors.ts';
import { strangeIn } from './randomness.ts';
import { TOKEN_FORMATS } from './token-formats.ts';

interface PublishedRule {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly pattern: string;
  readonly flags: string;
}

export interface TokenRule {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly expression: RegExp;
  /** Words may stand in this form as well. */
  readonly isLoose: boolean;
}

/** No token of a rule is shorter. */
const LONG_WORD = /\S{16}/;
/** What one match may read, which bounds the time of every rule; tokens are shorter than half. */
const BLOCK = 4096;
const STEP = BLOCK / 2;
/** A token of a loose form has so many characters that are no words. */
const LEAST_STRANGE = 10;

let shared: readonly TokenRule[] | undefined;

/** Read at the first call. */
export function tokenRules(): readonly TokenRule[] {
  shared ??= [
    ...publishedRules().map(({ id, keywords, pattern, flags }) => ({
      id,
      keywords,
      expression: new RegExp(pattern, flags),
      isLoose: false,
    })),
    ...TOKEN_FORMATS.map(({ pattern, ...format }) => ({
      ...format,
      expression: new RegExp(pattern),
    })),
  ];
  return shared;
}

export function hasPublishedToken(text: string): boolean {
  if (!LONG_WORD.test(text)) return false;
  const said = text.toLowerCase();
  const rules = tokenRules().filter(({ keywords }) => hasOne(said, keywords));
  if (rules.length === 0) return false;
  for (let from = 0; from === 0 || from + STEP < text.length; from += STEP) {
    const block = text.slice(from, from + BLOCK);
    if (rules.some((rule) => matches(block, rule))) return true;
  }
  return false;
}

const hasOne = (said: string, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => said.includes(keyword));

function matches(block: string, { expression, isLoose }: TokenRule): boolean {
  const found = expression.exec(block)?.[0];
  return found !== undefined && (!isLoose || strangeIn(found) >= LEAST_STRANGE);
}

/** Throws `INFERENCE.UNAVAILABLE` where the file of the package is damaged. */
function publishedRules(): readonly PublishedRule[] {
  try {
    const file = readFileSync(new URL('./published/rules.json', import.meta.url), 'utf8');
    return (JSON.parse(file) as { readonly rules: readonly PublishedRule[] }).rules;
  } catch (cause) {
    throw new ContextEngineError('INFERENCE.UNAVAILABLE', {
      message:
        'The rules by which capture knows secrets cannot be read: ' +
        `\`${cause instanceof Error ? cause.message : String(cause)}\`.`,
      fix:
        'Install contextengine again. In a bundle, keep `published/` beside the module that ' +
        'reads it, or mark contextengine as external.',
      cause,
    });
  }
}
