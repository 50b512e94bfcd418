import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetLayer, FittedContext, KeptLayer } from '../../src/budget/budget-layer.ts';
import { createCounter } from '../../src/budget/counter.ts';
import { fitBudget } from '../../src/budget/fit.ts';
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Cut } from '../../src/model/layer.ts';
import { renderContext, renderPart } from '../../src/render/render-context.ts';
import type { RenderItem, RenderOptions } from '../../src/render/render-layer.ts';

const counters = {
  exact: await createCounter('o200k_base'),
  conservative: await createCounter('conservative'),
  gemma3: await createCounter('gemma3'),
  llama2: await createCounter('llama2'),
};
const options: RenderOptions = { format: 'xml', datamark: null, layerNames: [] };
const asPart = (text: string, key: string): RenderItem => ({
  id: String(1 + (Number.parseInt(key.replace(/\D/g, ''), 10) || 0)),
  author: null,
  role: null,
  notes: ['confidence 0.9'],
  group: { date: null },
  text,
});
const render = (layers: readonly KeptLayer[]): string =>
  renderContext(
    layers.map(({ name, items }) => ({
      name,
      parts: items.map((item) => asPart(item.text, item.key)),
    })),
    options,
  ).text;

const word = fc.oneof(
  fc.lorem({ maxCount: 1, mode: 'words' }),
  fc.constantFrom(
    '字',
    '👩‍👩‍👧',
    '</fact>',
    '&',
    '.',
    '!',
    '\n',
    'a'.repeat(90),
    '<open_set>',
    '\u200b',
    '\ud800',
  ),
);
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a'.repeat(20_000), '字'.repeat(9000), 'Short one. '.repeat(2000)),
  },
);
const cut = fc.constantFrom<Cut>('items', 'items', 'oldest', 'sentences');
const layer = (index: number): fc.Arbitrary<BudgetLayer> =>
  fc
    .record({
      rank: fc.integer({ min: 2, max: 4 }),
      cut,
      minTokens: fc.constantFrom(0, 0, 50, 200),
      maxTokens: fc.constantFrom(null, null, 60, 300),
      items: fc.array(fc.tuple(text, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 8 }),
    })
    .map(({ items, ...rest }) => {
      const name = `layer_${index}`;
      return {
        ...rest,
        name,
        items: items.map(([content, bid], i) => ({
          key: `${name}-${i}`,
          text: content,
          bid,
          render: (shown: string) => renderPart(asPart(shown, `${name}-${i}`), options),
        })),
      };
    });
const layers = fc
  .integer({ min: 1, max: 5 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => layer(index))));
const totals = fc.integer({ min: 0, max: 1500 });
const counter = fc.constantFrom(...Object.values(counters));

const keptKeys = (fitted: FittedContext, name?: string): readonly string[] =>
  fitted.layers
    .filter((entry) => name === undefined || entry.name === name)
    .flatMap((entry) => entry.items.map((item) => item.key));

describe('fitBudget', () => {
  it('never exceeds the budget nor a maximum of a layer, and says what it did', () => {
    let cutRuns = 0;
    const runs = 200;
    fc.assert(
      fc.property(layers, totals, counter, (input, totalTokens, tokenCounter) => {
        const fitted = fitBudget({ layers: input, totalTokens, counter: tokenCounter, render });
        expect(tokenCounter.count(fitted.text)).toBe(fitted.tokens);
        expect(fitted.tokens).toBeLessThanOrEqual(totalTokens);
        for (const [index, entry] of fitted.layers.entries()) {
          const source = input[index];
          if (source === undefined) throw new Error('a layer came out that did not go in');
          if (source.maxTokens !== null)
            expect(tokenCounter.count(render([entry]))).toBeLessThanOrEqual(source.maxTokens);
          expect(entry.tokens).toBeLessThanOrEqual(entry.budget);
          expect(
            [
              ...entry.items.map((item) => item.key),
              ...entry.dropped.map((item) => item.key),
            ].sort(),
          ).toEqual(source.items.map((item) => item.key).sort());
          for (const item of entry.items) {
            const original = source.items.find(({ key }) => key === item.key)?.text ?? '';
            expect(item.text).toBe(item.kept === null ? original : original.slice(0, item.kept));
          }
        }
        expect(fitted.text).toBe(render(fitted.layers.filter((entry) => entry.items.length > 0)));
        if (
          fitted.layers.some(
            (entry) => entry.dropped.length > 0 || entry.items.some((item) => item.kept !== null),
          )
        )
          cutRuns++;
      }),
      { numRuns: runs },
    );
    // a law about cutting proves little if nothing is cut
    expect(cutRuns).toBeGreaterThan(runs / 2);
  });

  it('is deterministic, and blind to the order of layers', () => {
    fc.assert(
      fc.property(layers, totals, (input, totalTokens) => {
        const run = (some: readonly BudgetLayer[]): FittedContext =>
          fitBudget({ layers: some, totalTokens, counter: counters.exact, render });
        const once = run(input);
        expect(run(input)).toEqual(once);
        const reversed = run(input.toReversed());
        expect([...keptKeys(reversed)].sort()).toEqual([...keptKeys(once)].sort());
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the minimum for a layer that can fill it, whatever more important layers want', () => {
    const small = fc.array(fc.lorem({ maxCount: 8, mode: 'words' }), {
      minLength: 30,
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        small,
        small,
        fc.integer({ min: 400, max: 900 }),
        (greedy, modest, totalTokens) => {
          const build = (name: string, rank: number, texts: readonly string[]): BudgetLayer => ({
            name,
            rank,
            cut: 'items',
            minTokens: rank === 5 ? 200 : 0,
            maxTokens: null,
            items: texts.map((content, i) => ({
              key: `${name}${i}`,
              text: content,
              bid: 0.5,
              render: (shown) => renderPart(asPart(shown, `${name}${i}`), options),
            })),
          });
          const fitted = fitBudget({
            layers: [build('greedy', 2, greedy), build('modest', 5, modest)],
            totalTokens,
            counter: counters.exact,
            render,
          });
          const least = fitted.layers[1];
          const largest = Math.max(
            ...modest.map((content, i) =>
              counters.exact.count(renderPart(asPart(content, `modest${i}`), options)),
            ),
          );
          expect(least?.budget).toBeGreaterThanOrEqual(200);
          expect(least?.tokens).toBeGreaterThan(200 - largest);
          expect(fitted.layers[0]?.tokens).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps one run of newest turns, and cuts text to a beginning', () => {
    fc.assert(
      fc.property(layers, totals, (input, totalTokens) => {
        const fitted = fitBudget({ layers: input, totalTokens, counter: counters.exact, render });
        for (const [index, entry] of fitted.layers.entries()) {
          const source = input[index];
          if (source === undefined || entry.items.length === 0) continue;
          const keys = source.items.map((item) => item.key);
          const kept = entry.items.map((item) => item.key);
          if (source.cut === 'oldest') expect(kept).toEqual(keys.slice(-kept.length));
          if (source.cut === 'sentences') expect(kept).toEqual(keys.slice(0, kept.length));
          if (source.cut !== 'items')
            expect(entry.items.filter((item) => item.kept !== null).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('with more tokens, the first rank loses nothing that it kept before its first gap', () => {
    fc.assert(
      fc.property(layer(0), totals, fc.integer({ min: 1, max: 400 }), (only, totalTokens, more) => {
        const before = fitBudget({ layers: [only], totalTokens, counter: counters.exact, render });
        const after = fitBudget({
          layers: [only],
          totalTokens: totalTokens + more,
          counter: counters.exact,
          render,
        });
        const served = only.cut === 'oldest' ? only.items.toReversed() : only.items;
        const kept = new Set(keptKeys(before));
        const gap = served.findIndex((item) => !kept.has(item.key));
        const inOrder = served.slice(0, gap < 0 ? served.length : gap).map((item) => item.key);
        expect(keptKeys(after)).toEqual(expect.arrayContaining(inOrder));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps layers that are never cut, or says both numbers', () => {
    fc.assert(
      fc.property(layers, text, totals, (others, content, totalTokens) => {
        const system: BudgetLayer = {
          name: 'system',
          rank: 1,
          cut: 'never',
          minTokens: 0,
          maxTokens: null,
          items: [
            {
              key: 's',
              text: content,
              bid: 1,
              render: (shown) => renderPart(asPart(shown, 's'), options),
            },
          ],
        };
        const alone = counters.exact.count(
          render([{ name: 'system', items: [{ key: 's', text: content, kept: null, tokens: 0 }] }]),
        );
        try {
          const fitted = fitBudget({
            layers: [system, ...others],
            totalTokens,
            counter: counters.exact,
            render,
          });
          expect(fitted.layers[0]?.items[0]?.text).toBe(content);
          expect(fitted.tokens).toBeLessThanOrEqual(totalTokens);
        } catch (error) {
          if (!(error instanceof ContextEngineError)) throw error;
          expect(error.code).toBe('BUDGET.STATIC_TOO_LONG');
          expect(error.message).toContain(`\`${alone}\``);
          expect(error.message).toContain(`\`${totalTokens}\``);
          expect(alone).toBeGreaterThan(totalTokens);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('holds for a renderer whose parts do not add up', () => {
    // the cost of a layer grows with the square of its items, which no sum of parts foresees
    const frame = (count: number): string => 'tail '.repeat(count * count);
    const sloppy = (kept: readonly KeptLayer[]): string =>
      `prefix${kept.map(({ name, items }) => `${name} ${items.map((item) => item.text).join('')} ${frame(items.length)}`).join('')}`;
    fc.assert(
      fc.property(layers, totals, (input, totalTokens) => {
        const bare = input.map((entry) => ({
          ...entry,
          items: entry.items.map((item) => ({ ...item, render: (shown: string) => shown })),
        }));
        try {
          const fitted = fitBudget({
            layers: bare,
            totalTokens,
            counter: counters.exact,
            render: sloppy,
          });
          expect(counters.exact.count(fitted.text)).toBeLessThanOrEqual(totalTokens);
          for (const [index, entry] of fitted.layers.entries()) {
            if (entry.items.length > 0)
              expect(counters.exact.count(sloppy([entry]))).toBeLessThanOrEqual(
                input[index]?.maxTokens ?? totalTokens,
              );
          }
        } catch (error) {
          if (!(error instanceof ContextEngineError)) throw error;
          expect(totalTokens).toBeLessThan(10); // the frame alone is longer
        }
      }),
      { numRuns: 60 },
    );
  });
});
