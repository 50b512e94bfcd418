/**
 * JSON from people: errors name the line and column, which `JSON.parse` does not
 * promise.
 */

import { ContextEngineError, type ErrorCode } from '../codes/errors.ts';

export interface JsonPlace {
  readonly file: string;
  readonly code: ErrorCode;
  /** Line of the file on which the text begins; default 1. */
  readonly line?: number;
}

/** Parses, or throws the code of `place` with `file:line:column`. */
export function parseJsonText(text: string, place: JsonPlace): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const at = jsonErrorAt(text);
    const before = text.slice(0, at).split('\n');
    const line = (place.line ?? 1) + before.length - 1;
    const found =
      at >= text.length
        ? 'the end of the text'
        : `\`${text.slice(at, at + 12).split('\n')[0] ?? ''}\``;
    throw new ContextEngineError(place.code, {
      message: `Malformed JSON: ${found} is not expected here.`,
      fix: 'Correct the JSON at this place.',
      where: { file: place.file, line, column: (before.at(-1)?.length ?? 0) + 1 },
      cause,
    });
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** What may come next: a value, a key, or what follows a value inside `{` or `[`. */
type Expected = 'value' | 'value_or_end' | 'key' | 'key_or_end' | 'colon' | 'after';

/**
 * Offset of the first character that no JSON text could have there; the length when it ends too
 * soon.
 */
export function jsonErrorAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let at = 0;
  let expected: Expected = 'value';
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const hit = pattern.exec(text);
    if (hit) at = pattern.lastIndex;
    return hit !== null;
  };
  for (;;) {
    take(SPACE);
    const character = text[at];
    if (character === undefined) return at;
    const isClosing =
      (character === '}' && open.at(-1) === '{') || (character === ']' && open.at(-1) === '[');
    if (
      isClosing &&
      (expected === 'after' || expected === 'value_or_end' || expected === 'key_or_end')
    ) {
      open.pop();
      at += 1;
      expected = 'after';
    } else if (expected === 'after') {
      if (character !== ',' || open.length === 0) return at;
      at += 1;
      expected = open.at(-1) === '{' ? 'key' : 'value';
    } else if (expected === 'colon') {
      if (character !== ':') return at;
      at += 1;
      expected = 'value';
    } else if (expected === 'key' || expected === 'key_or_end') {
      if (!take(STRING)) return at;
      expected = 'colon';
    } else if (character === '{' || character === '[') {
      open.push(character);
      at += 1;
      expected = character === '{' ? 'key_or_end' : 'value_or_end';
    } else {
      if (!take(STRING) && !take(SCALAR)) return at;
      expected = 'after';
    }
  }
}
