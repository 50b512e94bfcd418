/** Splits a formula into numbers, names and signs, each with its offset. */

export type Token =
  | {
      readonly type: 'number';
      readonly value: number;
      readonly offset: number;
      readonly text: string;
    }
  | {
      readonly type: 'name' | 'sign' | 'end' | 'wrong';
      readonly offset: number;
      readonly text: string;
    };

const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SIGNS = '+-*/(),';

/**
 * Never throws: what is no token is one of type `wrong`, and the list ends there. The last token is
 * always `end` or `wrong`.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < text.length) {
    const char = text.charAt(offset);
    if (/\s/.test(char)) {
      offset += 1;
      continue;
    }
    const token = tokenAt(text, offset);
    tokens.push(token);
    if (token.type === 'wrong') return tokens;
    offset += token.text.length;
  }
  tokens.push({ type: 'end', offset: text.length, text: '' });
  return tokens;
}

function tokenAt(text: string, offset: number): Token {
  const number = match(NUMBER, text, offset);
  if (number !== undefined) {
    const value = Number(number);
    return Number.isFinite(value)
      ? { type: 'number', value, offset, text: number }
      : { type: 'wrong', offset, text: number };
  }
  const name = match(NAME, text, offset);
  if (name !== undefined) return { type: 'name', offset, text: name };
  const char = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return { type: SIGNS.includes(char) ? 'sign' : 'wrong', offset, text: char };
}

function match(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}
