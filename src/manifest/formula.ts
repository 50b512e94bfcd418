/**
 * The language of scoring formulas: `+ - * /`, parentheses, unary minus, `pow min max clamp`,
 * numbers, and the names of `model/signals/`. Parsed once into closures; nothing is ever evaluated
 * as code.
 *
 *     sum     = product (('+' | '-') product)*
 *     product = unary (('*' | '/') unary)*
 *     unary   = '-' unary | primary
 *     primary = number | name | name '(' sum (',' sum)* ')' | '(' sum ')'
 */
import type { Formula } from '../model/manifest.ts';
import {
  isSignalName,
  PENDING_SIGNALS,
  SIGNAL_LIST,
  type SignalName,
  type Signals,
} from '../model/signals/index.ts';
import { type Token, tokensOf } from './formula-lexer.ts';
import { didYouMean } from './suggest.ts';

export interface FormulaProblem {
  readonly code: 'MANIFEST.FORMULA' | 'FEATURE.NOT_LANDED';
  /** UTF-16 units into the formula. */
  readonly offset: number;
  readonly message: string;
  readonly fix: string;
}
export type FormulaResult = { readonly formula: Formula } | { readonly problem: FormulaProblem };

/**
 * Long enough for a reranker of all signals; short enough that a chain of operators cannot exhaust
 * the stack.
 */
export const MAX_FORMULA_LENGTH = 1000;
const MAX_FORMULA_DEPTH = 32;

type Evaluate = (values: Signals) => number;

interface FunctionFacts {
  readonly least: number;
  readonly most: number;
  readonly usage: string;
  readonly apply: (values: readonly number[]) => number;
}

/** NaN and infinities pass through all of them, for the caller to judge. */
const FUNCTIONS: Readonly<Record<string, FunctionFacts>> = {
  pow: {
    least: 2,
    most: 2,
    usage: 'pow(base, exponent)',
    apply: ([base = 0, exponent = 0]) => base ** exponent,
  },
  min: { least: 2, most: 8, usage: 'min(a, b, …)', apply: (values) => Math.min(...values) },
  max: { least: 2, most: 8, usage: 'max(a, b, …)', apply: (values) => Math.max(...values) },
  clamp: {
    least: 1,
    most: 3,
    usage: 'clamp(x) for 0..1, or clamp(x, low, high)',
    apply: ([value = 0, low = 0, high = 1]) => Math.min(Math.max(value, low), high),
  },
};
const FORMULA_FUNCTIONS = Object.keys(FUNCTIONS);
const FORMULA_NAMES: readonly SignalName[] = SIGNAL_LIST.map(({ name }) => name);

/** Parses a formula. Never throws. */
export function parseFormula(text: string): FormulaResult {
  if (text.length > MAX_FORMULA_LENGTH) {
    return {
      problem: {
        code: 'MANIFEST.FORMULA',
        offset: MAX_FORMULA_LENGTH,
        message: `The formula has \`${text.length}\` characters.`,
        fix: `Write it in at most ${MAX_FORMULA_LENGTH}.`,
      },
    };
  }
  const parser: Parser = { tokens: tokensOf(text), index: 0, depth: 0, names: new Set() };
  try {
    const evaluate = sum(parser);
    const rest = peek(parser);
    if (rest.type !== 'end') throw unexpected(rest, 'an operator or the end');
    return { formula: { text, names: [...parser.names], evaluate } };
  } catch (error) {
    if (error instanceof Stop) return { problem: error.problem };
    throw error;
  }
}

interface Parser {
  readonly tokens: readonly Token[];
  index: number;
  depth: number;
  readonly names: Set<string>;
}

/** Leaves the descent at the first problem; never leaves this file. */
class Stop extends Error {
  readonly problem: FormulaProblem;
  constructor(problem: FormulaProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

const peek = (parser: Parser): Token =>
  parser.tokens[Math.min(parser.index, parser.tokens.length - 1)] ?? {
    type: 'end',
    offset: 0,
    text: '',
  };
function take(parser: Parser): Token {
  const token = peek(parser);
  parser.index += 1;
  return token;
}
function takeSign(parser: Parser, signs: string): string | undefined {
  const token = peek(parser);
  if (token.type !== 'sign' || !signs.includes(token.text)) return undefined;
  parser.index += 1;
  return token.text;
}

function sum(parser: Parser): Evaluate {
  let left = product(parser);
  for (let sign = takeSign(parser, '+-'); sign !== undefined; sign = takeSign(parser, '+-')) {
    const [a, b] = [left, product(parser)];
    left = sign === '+' ? (values) => a(values) + b(values) : (values) => a(values) - b(values);
  }
  return left;
}

function product(parser: Parser): Evaluate {
  let left = unary(parser);
  for (let sign = takeSign(parser, '*/'); sign !== undefined; sign = takeSign(parser, '*/')) {
    const [a, b] = [left, unary(parser)];
    left = sign === '*' ? (values) => a(values) * b(values) : (values) => a(values) / b(values);
  }
  return left;
}

function unary(parser: Parser): Evaluate {
  parser.depth += 1;
  if (parser.depth > MAX_FORMULA_DEPTH)
    throw stop(
      peek(parser),
      `The formula is nested deeper than \`${MAX_FORMULA_DEPTH}\`.`,
      'Remove parentheses that change nothing.',
    );
  const isNegated = takeSign(parser, '-') !== undefined;
  const inner = isNegated ? unary(parser) : primary(parser);
  parser.depth -= 1;
  return isNegated ? (values) => -inner(values) : inner;
}

function primary(parser: Parser): Evaluate {
  const token = take(parser);
  if (token.type === 'number') {
    const { value } = token;
    return () => value;
  }
  if (token.type === 'name')
    return takeSign(parser, '(') === undefined ? signal(parser, token) : call(parser, token);
  if (token.type === 'sign' && token.text === '(') {
    const inner = sum(parser);
    close(parser);
    return inner;
  }
  throw unexpected(token, 'a number, a name or `(`');
}

function signal(parser: Parser, token: Token): Evaluate {
  const name = token.text;
  if (isSignalName(name)) {
    parser.names.add(name);
    return (values) => values[name] ?? 0;
  }
  if ((PENDING_SIGNALS as readonly string[]).includes(name)) {
    throw new Stop({
      code: 'FEATURE.NOT_LANDED',
      offset: token.offset,
      message: `The signal \`${name}\` has not landed in this version.`,
      fix: `Use one of ${FORMULA_NAMES.map((known) => `\`${known}\``).join(', ')}.`,
    });
  }
  if (Object.hasOwn(FUNCTIONS, name))
    throw stop(token, `\`${name}\` is a function.`, `Write \`${FUNCTIONS[name]?.usage}\`.`);
  throw stop(
    token,
    `\`${name.slice(0, 80)}\` is not a name that a formula may use.`,
    didYouMean(name, FORMULA_NAMES),
  );
}

function call(parser: Parser, token: Token): Evaluate {
  const facts = Object.hasOwn(FUNCTIONS, token.text) ? FUNCTIONS[token.text] : undefined;
  if (!facts)
    throw stop(
      token,
      `\`${token.text.slice(0, 80)}\` is not a function of formulas.`,
      didYouMean(token.text, FORMULA_FUNCTIONS),
    );
  const parts = [sum(parser)];
  while (takeSign(parser, ',') !== undefined) parts.push(sum(parser));
  close(parser);
  if (
    parts.length < facts.least ||
    parts.length > facts.most ||
    (token.text === 'clamp' && parts.length === 2)
  ) {
    throw stop(
      token,
      `\`${token.text}\` has \`${parts.length}\` arguments.`,
      `Write \`${facts.usage}\`.`,
    );
  }
  return (values) => facts.apply(parts.map((part) => part(values)));
}

function close(parser: Parser): void {
  const token = take(parser);
  if (token.type !== 'sign' || token.text !== ')') throw unexpected(token, '`)`');
}

const stop = (token: Token, message: string, fix: string): Stop =>
  new Stop({ code: 'MANIFEST.FORMULA', offset: token.offset, message, fix });
const unexpected = (token: Token, wanted: string): Stop =>
  stop(
    token,
    token.type === 'end'
      ? 'The formula ends too early.'
      : `\`${token.text.slice(0, 80)}\` cannot stand here.`,
    `Write ${wanted} at this place; formulas know \`+ - * /\`, parentheses, ` +
      `${FORMULA_FUNCTIONS.join(', ')} and the signals.`,
  );
