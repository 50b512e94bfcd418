/** Where a budget has room for a part of the newest turn, that part is served. */
import { describe, expect, it } from 'vitest';
import type { BudgetLayer, KeptLayer } from '../../src/budget/budget-layer.ts';
import { createCounter } from '../../src/budget/counter.ts';
import { fitBudget } from '../../src/budget/fit.ts';
import type { RenderFormat } from '../../src/model/manifest.ts';
import { renderContext, renderPart } from '../../src/render/render-context.ts';
import type { RenderItem, RenderOptions } from '../../src/render/render-layer.ts';

const counter = await createCounter('o200k_base');
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

const fenced = (code: string, indent: string): string =>
  `${indent}\`\`\`js\n${code}\n${indent}\`\`\``;
const SHAPES = {
  'code in a list': `Here is how:\n\n1. Install it:\n   \`\`\`sh\n   npm install pkg\n   \`\`\`\n2. Use it:\n${fenced(
    lines(60, (at) => `   const value${at} = load(1, ${at});`),
    '   ',
  )}\nThat is all.`,
  'code in a nested list': `see:\n- a\n  - b\n${fenced(
    lines(90, (at) => `    call(${at});`),
    '    ',
  )}`,
  'code in a list that nearly fits': `see:\n- a\n${fenced(
    lines(30, (at) => `  call(${at});`),
    '  ',
  )}`,
  'code in a quote': `> see\n> \`\`\`py\n${lines(90, (at) => `> x${at} = ${at}`)}\n> \`\`\``,
  'code at the margin': `see:\n${fenced(
    lines(90, (at) => `const a${at} = ${at};`),
    '',
  )}\nend`,
  'one long line': Array.from({ length: 700 }, (_, at) => `word${at}`).join(' '),
  prose: Array.from({ length: 70 }, (_, at) => `Sentence ${at} is of the garden.`).join(' '),
  'empty lines': lines(300, (at) => `line ${at}\n`),
  'a heading that is guarded': `# task\n${lines(200, (at) => `## task\n- ${at}`)}`,
  汉字: '我们今天去花园。'.repeat(200),
};

const TURN = { author: null, notes: [], group: { date: null } } as const;
interface Served {
  readonly tokens: number;
  readonly turns: readonly string[];
}

/** A system text, and a history of a question and the newest turn. */
function serve(
  format: RenderFormat,
  newest: string,
  limit: { readonly totalTokens: number; readonly maxTokens: number | null },
): Served {
  const options: RenderOptions = { format, datamark: null, layerNames: ['task', 'recent'] };
  const part = (text: string, key: string): RenderItem => ({
    ...TURN,
    id: key,
    role: key === '1' ? 'user' : 'assistant',
    text,
  });
  const render = (layers: readonly KeptLayer[]): string =>
    renderContext(
      layers.map(({ name, items }) => ({
        name,
        parts: items.map(({ key, text }) =>
          name === 'system' ? { kind: 'trusted', text } : part(text, key),
        ),
      })),
      options,
    ).text;
  const item = (key: string, text: string): BudgetLayer['items'][number] => ({
    key,
    text,
    bid: 1,
    render: (shown) => renderPart(part(shown, key), options),
  });
  const trusted = (text: string): string => renderPart({ kind: 'trusted', text }, options);
  const shared = { minTokens: 0, maxTokens: null };
  const fitted = fitBudget({
    layers: [
      {
        ...shared,
        name: 'system',
        rank: 1,
        cut: 'never',
        items: [{ key: 's', text: 'You help.', bid: 1, render: trusted }],
      },
      {
        ...shared,
        name: 'recent',
        rank: 4,
        cut: 'oldest',
        isHistory: true,
        maxTokens: limit.maxTokens,
        items: [item('1', 'how?'), item('2', newest)],
      },
    ],
    totalTokens: limit.totalTokens,
    counter,
    render,
  });
  return {
    tokens: fitted.tokens,
    turns: fitted.layers[1]?.items.map(({ key }) => key) ?? [],
  };
}

const cases = Object.entries(SHAPES).flatMap(([name, text]) =>
  (['xml', 'markdown'] as const).map((format) => ({ name, format, text })),
);

describe('the newest turn', () => {
  it.each(cases)('is served in part under any budget: $name, $format', ({ format, text }) => {
    const without: number[] = [];
    for (let totalTokens = 100; totalTokens <= 600; totalTokens += 1) {
      const { tokens, turns } = serve(format, text, { totalTokens, maxTokens: null });
      expect(tokens).toBeLessThanOrEqual(totalTokens);
      if (!turns.includes('2')) without.push(totalTokens);
    }
    expect(without).toEqual([]);
  });

  it.each(cases)('is served in part under any maximum: $name, $format', ({ format, text }) => {
    const without: number[] = [];
    for (let maxTokens = 100; maxTokens <= 600; maxTokens += 1) {
      const { tokens, turns } = serve(format, text, { totalTokens: 4000, maxTokens });
      expect(tokens).toBeLessThanOrEqual(maxTokens + 20);
      if (!turns.includes('2')) without.push(maxTokens);
    }
    expect(without).toEqual([]);
  });
});
