import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../src/manifest/formula.ts';
import { SIGNALS, type SignalName, type Signals } from '../../src/model/signals/index.ts';

const NAMES = Object.keys(SIGNALS) as SignalName[];

/** A formula as a tree: what the text means, evaluated without a parser. */
type Tree =
  | { readonly op: 'number'; readonly value: number }
  | { readonly op: 'name'; readonly name: SignalName }
  | { readonly op: '-1'; readonly of: Tree }
  | {
      readonly op: '+' | '-' | '*' | '/' | 'pow' | 'min' | 'max';
      readonly left: Tree;
      readonly right: Tree;
    }
  | { readonly op: 'clamp'; readonly of: Tree };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({
      op: fc.constant('number' as const),
      value: fc.integer({ min: 0, max: 400 }).map((n) => n / 100),
    }),
    fc.record({ op: fc.constant('name' as const), name: fc.constantFrom(...NAMES) }),
    fc.record({ op: fc.constant('-1' as const), of: tie('tree') }),
    fc.record({
      op: fc.constantFrom(
        '+' as const,
        '-' as const,
        '*' as const,
        '/' as const,
        'pow' as const,
        'min' as const,
        'max' as const,
      ),
      left: tie('tree'),
      right: tie('tree'),
    }),
    fc.record({ op: fc.constant('clamp' as const), of: tie('tree') }),
  ),
}));

const PRECEDENCE: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2 };
const precedence = (node: Tree): number => (node.op === '-1' ? 3 : (PRECEDENCE[node.op] ?? 4));
const wrap = (node: Tree, isNeeded: boolean): string =>
  isNeeded ? `(${print(node)})` : print(node);

/** As few parentheses as the grammar needs, so that precedence and grouping are tested. */
function print(node: Tree): string {
  switch (node.op) {
    case 'number':
      return String(node.value);
    case 'name':
      return node.name;
    case '-1':
      return `-${wrap(node.of, precedence(node.of) < 3)}`;
    case 'clamp':
      return `clamp(${print(node.of)})`;
    case 'pow':
    case 'min':
    case 'max':
      return `${node.op}(${print(node.left)}, ${print(node.right)})`;
    default:
      return `${wrap(node.left, precedence(node.left) < precedence(node))} ${node.op}${wrap(node.right, precedence(node.right) <= precedence(node))}`;
  }
}

function evaluate(node: Tree, values: Signals): number {
  switch (node.op) {
    case 'number':
      return node.value;
    case 'name':
      return values[node.name] ?? 0;
    case '-1':
      return -evaluate(node.of, values);
    case 'clamp':
      return Math.min(Math.max(evaluate(node.of, values), 0), 1);
    default: {
      const [a, b] = [evaluate(node.left, values), evaluate(node.right, values)];
      const results = {
        '+': a + b,
        '-': a - b,
        '*': a * b,
        '/': a / b,
        pow: a ** b,
        min: Math.min(a, b),
        max: Math.max(a, b),
      };
      return results[node.op];
    }
  }
}

const signals: fc.Arbitrary<Signals> = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.double({ min: -10, max: 10 }),
);

describe('a formula', () => {
  it('means what its tree means', () => {
    fc.assert(
      fc.property(tree, signals, (node, values) => {
        const text = print(node);
        fc.pre(text.length <= 1000);
        const result = parseFormula(text);
        if (!('formula' in result)) throw new Error(`${text}: ${result.problem.message}`);
        expect(Object.is(result.formula.evaluate(values), evaluate(node, values))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('parses or has one problem with a place, whatever the text', () => {
    const word = fc.constantFrom(
      ...NAMES,
      'pow',
      'min',
      'clamp',
      '(',
      ')',
      ',',
      '+',
      '-',
      '*',
      '/',
      '1',
      '.5',
      '1e9',
      '1e999',
      '.',
      ' ',
      '\n',
      'process',
      'class_boost',
      '__proto__',
      'constructor',
      '😀',
      '=',
      '`',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(word, { maxLength: 40 }).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(text, signals, (formula, values) => {
        const result = parseFormula(formula);
        if ('formula' in result) expect(typeof result.formula.evaluate(values)).toBe('number');
        else {
          expect(result.problem.offset).toBeGreaterThanOrEqual(0);
          expect(result.problem.offset).toBeLessThanOrEqual(formula.length);
          expect(result.problem.fix).not.toBe('');
        }
      }),
      { numRuns: 3000 },
    );
  });
});
