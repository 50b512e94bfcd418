import { describe, expect, it } from 'vitest';
import { toMessages } from '../../src/render/to-messages.ts';

const parts = {
  text: '<system>\nS\n</system>\n<recent>\nR\n</recent>\n',
  staticLength: '<system>\nS\n</system>\n'.length,
  query: 'What now?',
};

describe('toMessages', () => {
  it.each(['openai', 'ai-sdk'] as const)('%s: a system message and the query', (format) => {
    expect(toMessages(parts, format)).toEqual([
      { role: 'system', content: parts.text },
      { role: 'user', content: 'What now?' },
    ]);
  });

  it('anthropic: cache_control stands after the static blocks', () => {
    expect(toMessages(parts, 'anthropic')).toEqual({
      system: [
        { type: 'text', text: '<system>\nS\n</system>\n', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: '<recent>\nR\n</recent>\n' },
      ],
      messages: [{ role: 'user', content: 'What now?' }],
    });
  });

  it('leaves out what is blank', () => {
    expect(toMessages({ text: '', staticLength: 0, query: ' ' }, 'openai')).toEqual([]);
    expect(toMessages({ ...parts, staticLength: 0, query: '' }, 'anthropic')).toEqual({
      system: [{ type: 'text', text: parts.text }],
      messages: [],
    });
    expect(toMessages({ ...parts, staticLength: parts.text.length }, 'anthropic').system).toHaveLength(1);
  });
});
