import { describe, expect, it } from 'vitest';
import type { BudgetLayer, FitInput, KeptLayer } from '../../src/budget/budget-layer.ts';
import { createCounter } from '../../src/budget/counter.ts';
import { fitBudget } from '../../src/budget/fit.ts';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { cpuMsOf } from '../support/cpu.ts';

const counter = await createCounter('o200k_base');
/** One token a word, two a tag line: numbers that a reader can add up. */
const render = (layers: readonly KeptLayer[]): string =>
  layers
    .map(
      ({ name, items }) =>
        `<${name}>\n${items.map((item) => `<i>${item.text}\n`).join('')}</${name}>\n`,
    )
    .join('');
const shown = (text: string): string => `<i>${text}\n`;
const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

function layerOf(
  name: string,
  texts: readonly string[],
  options: Partial<BudgetLayer> & { readonly bids?: readonly number[] } = {},
): BudgetLayer {
  const { bids, ...rest } = options;
  return {
    name,
    rank: 5,
    cut: 'items',
    minTokens: 0,
    maxTokens: null,
    items: texts.map((text, i) => ({
      key: `${name}${i}`,
      text,
      bid: bids?.[i] ?? 0.5,
      render: shown,
    })),
    ...rest,
  };
}
const run = (layers: readonly BudgetLayer[], totalTokens: number, input: Partial<FitInput> = {}) =>
  fitBudget({ layers, totalTokens, counter, render, ...input });
const keys = (layers: readonly { readonly items: readonly { readonly key: string }[] }[]) =>
  layers.map((layer) => layer.items.map((item) => item.key));

function failure(attempt: () => unknown): ContextEngineError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ContextEngineError) return error;
    throw error;
  }
  throw new Error('expected a failure');
}

describe('fitBudget', () => {
  it('lets what an important layer leaves unused flow down', () => {
    const small = layerOf('small', [words(5)], { rank: 2 });
    const large = layerOf('large', [words(40), words(40), words(40)], { rank: 3 });
    expect(keys(run([small, large], 120).layers)).toEqual([['small0'], ['large0', 'large1']]);
  });

  it('gives rest tokens of equal ranks to the best bid per token', () => {
    const a = layerOf('a', [words(40), words(40)], { bids: [0.9, 0.2] });
    const b = layerOf('b', [words(40), words(40)], { bids: [0.8, 0.7] });
    expect(keys(run([a, b], 160).layers)).toEqual([['a0'], ['b0', 'b1']]);
    expect(keys(run([b, a], 160).layers)).toEqual([['b0', 'b1'], ['a0']]);
  });

  it('gives a reserve back that its layer cannot use', () => {
    const wants = layerOf('wants', [words(60), words(60)], { rank: 2 });
    const reserved = layerOf('reserved', [words(3)], { rank: 5, minTokens: 500 });
    expect(keys(run([wants, reserved], 160).layers)).toEqual([['wants0', 'wants1'], ['reserved0']]);
  });

  it('drops the oldest turns first', () => {
    const recent = layerOf('recent', [words(20), words(20), words(20)], { cut: 'oldest' });
    const [layer] = run([recent], 62).layers;
    expect(layer?.items.map((item) => item.key)).toEqual(['recent1', 'recent2']);
    expect(layer?.dropped).toEqual([{ key: 'recent0', reason: 'budget' }]);
  });

  it('ends a history with the beginning of a turn that is too long for it', () => {
    const turns = [words(20), words(400), words(20), words(20)];
    const history = { cut: 'oldest', isHistory: true } as const;
    const [layer] = run([layerOf('recent', turns, history)], 200).layers;
    expect(layer?.items.map(({ key, kept }) => [key, kept !== null])).toEqual([
      ['recent1', true],
      ['recent2', false],
      ['recent3', false],
    ]);
    expect(layer?.tokens).toBeGreaterThan(180);
    expect(layer?.dropped).toEqual([{ key: 'recent0', reason: 'budget' }]);
    // What is cut for a few words more, or stands whole in another layer, is left out.
    const usual = run([layerOf('recent', Array(9).fill(words(50)), history)], 300).layers[0];
    expect(usual?.items.filter(({ kept }) => kept !== null)).toEqual([]);
    const same = (layer: BudgetLayer, at: number): BudgetLayer => ({
      ...layer,
      items: layer.items.map((item, i) => (i === at ? { ...item, same: 'root' } : item)),
    });
    const [recent, found] = run(
      [
        same(layerOf('recent', turns, { ...history, maxTokens: 150 }), 1),
        same(layerOf('semantic', [words(400)], { rank: 6 }), 0),
      ],
      800,
    ).layers;
    expect(recent?.items.map(({ key }) => key)).toEqual(['recent2', 'recent3']);
    expect(found?.items.map(({ kept }) => kept)).toEqual([null]);
    const [told, beside] = run(
      [
        same(layerOf('recent', turns, { ...history, minTokens: 60 }), 1),
        same(layerOf('semantic', [words(400)], { rank: 4 }), 0),
      ],
      200,
    ).layers;
    expect(told?.items.map(({ key, kept }) => [key, kept !== null])).toEqual([
      ['recent1', true],
      ['recent2', false],
      ['recent3', false],
    ]);
    expect(beside?.items).toEqual([]);
  });

  it('cuts text at the end of a sentence and marks what was kept', () => {
    const text = 'We ship on Friday. The flag stays off until Monday. Nobody deploys on weekends.';
    const [layer] = run([layerOf('task', [text], { cut: 'sentences' })], 22).layers;
    expect(layer?.items[0]).toMatchObject({
      text: 'We ship on Friday. The flag stays off until Monday.',
      kept: 51,
    });
    expect(text.slice(0, 51)).toBe(layer?.items[0]?.text);
  });

  it('truncates only the first item, at a word, when enough is left', () => {
    const one = run([layerOf('semantic', [`${words(200)} end`, words(200)])], 80).layers[0];
    expect(one?.items).toHaveLength(1);
    expect(one?.items[0]?.text).toMatch(/^(word )+word$/);
    expect(one?.items[0]?.kept).toBe(one?.items[0]?.text.length);
    expect(one?.dropped.map((item) => item.key)).toEqual(['semantic1']);
    expect(run([layerOf('semantic', [words(200)])], 40).layers[0]?.dropped).toEqual([
      { key: 'semantic0', reason: 'starved' },
    ]);
  });

  it('serves nothing after a text that it had to cut, where order is all', () => {
    const recent = layerOf('recent', ['ok', words(500)], { cut: 'oldest' });
    expect(keys(run([recent], 200).layers)).toEqual([['recent1']]);
    const task = layerOf('task', [`Short one. Then ${words(100)}`, 'Next.'], { cut: 'sentences' });
    expect(run([task], 60).layers[0]).toMatchObject({
      items: [{ key: 'task0', text: 'Short one.' }],
      dropped: [{ key: 'task1', reason: 'budget' }],
    });
  });

  it('cuts unbroken text between two characters as a reader sees them', () => {
    const family = '👩‍👩‍👧‍👦';
    const [layer] = run([layerOf('semantic', [family.repeat(300)])], 120).layers;
    const kept = layer?.items[0]?.text ?? '';
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length % family.length).toBe(0);
  });

  it('passes over an item that does not fit and says which limit refused it', () => {
    const semantic = layerOf('semantic', [words(10), words(90), words(10)], { maxTokens: 50 });
    const [layer] = run([semantic], 500).layers;
    expect(layer?.items.map((item) => item.key)).toEqual(['semantic0', 'semantic2']);
    expect(layer?.dropped).toEqual([{ key: 'semantic1', reason: 'layer_budget' }]);
    expect(layer?.budget).toBe(50);
  });

  it('takes from the layer that is over its maximum, and from no other', () => {
    // each item costs ten tokens more than it does alone, which only the rendered layer shows
    const costly = (layers: readonly KeptLayer[]): string =>
      layers
        .map(
          ({ name, items }) =>
            `<${name}>\n${items.map((item) => `<i>${item.text}\n${name === 'capped' && items.length > 1 ? words(10) : ''}\n`).join('')}`,
        )
        .join('');
    const capped = layerOf('capped', [words(10), words(10), words(10)], { rank: 2, maxTokens: 50 });
    const other = layerOf('other', [words(10), words(10)], { rank: 5 });
    const { layers } = run([capped, other], 500, { render: costly });
    expect(keys(layers)).toEqual([['capped0'], ['other0', 'other1']]);
  });

  it('names both numbers when what is never cut is too long', () => {
    const system = layerOf('system', [words(100)], { rank: 1, cut: 'never' });
    const error = failure(() => run([system], 50));
    expect(error).toMatchObject({
      code: 'BUDGET.STATIC_TOO_LONG',
      where: { field: 'budget.total_tokens' },
      meta: { limit: 50 },
    });
    const tokens = counter.count(
      render([{ name: 'system', items: [{ key: 's', text: words(100), kept: null, tokens: 0 }] }]),
    );
    expect(error.message).toBe(
      `\`system\` takes \`${tokens}\` tokens and is never cut; \`budget.total_tokens\` is \`50\`.`,
    );
    expect(failure(() => run([{ ...system, maxTokens: 20 }], 500)).message).toContain(
      '`budget.max_per_layer.system` is `20`',
    );
  });

  it('refuses a budget that is no number of tokens', () => {
    for (const total of [-1, 1.5, Number.NaN])
      expect(failure(() => run([], total)).code).toBe('BUDGET.INVALID');
    expect(run([], 0)).toEqual({ layers: [], text: '', tokens: 0 });
  });

  it('does not read a text that cannot fit to its end', () => {
    const huge = layerOf(
      'semantic',
      Array.from({ length: 60 }, (_, i) => `${i}${'a'.repeat(1_000_000)}`),
    );
    const ms = cpuMsOf(() => {
      const fitted = run([huge], 4000);
      expect(fitted.tokens).toBeLessThanOrEqual(4000);
      expect(fitted.layers[0]?.items[0]?.kept).toBeGreaterThan(10_000);
    });
    expect(ms).toBeLessThan(20_000);
  });
});
