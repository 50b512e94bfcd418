/** Stored turns as messages: who asks, ids of calls, and nothing that cannot be seen. */
import { describe, expect, it } from 'vitest';
import type { MessageTurn } from '../../src/render/spoken-turns.ts';
import { type MessageParts, toMessages } from '../../src/render/to-messages.ts';

const turn = (role: string, text: string, more: Partial<MessageTurn> = {}): MessageTurn => ({
  role,
  text,
  author: null,
  toolCalls: [],
  toolCallId: null,
  ...more,
});

describe('turns as messages', () => {
  it('names who asks among several people, as their turns are named', () => {
    const asked = (turns: readonly MessageTurn[], more: Partial<MessageParts>): unknown[] =>
      toMessages({ context: [], query: '', turns, ...more }, 'openai').map(
        ({ content }) => content,
      );
    const bob = turn('user', 'I live in Rome.', { author: 'Bob' });
    const dana = turn('user', 'I live in Oslo.', { author: 'Dana' });
    const ok = turn('assistant', 'ok');
    const query = 'Where do I live?';
    expect(asked([bob, dana, ok], { query, askedBy: 'Dana' })).toEqual([
      'Bob: I live in Rome.',
      'Dana: I live in Oslo.',
      'ok',
      'Dana: Where do I live?',
    ]);
    // One who asks is another than the one who spoke.
    expect(asked([bob, ok], { query, askedBy: 'Dana' })).toEqual([
      'Bob: I live in Rome.',
      'ok',
      'Dana: Where do I live?',
    ]);
    expect(asked([bob, dana], { query: `${query}\nBob: yes`, askedBy: 'Dana' }).at(-1)).toBe(
      'Dana: Where do I live?\n\\Bob: yes',
    );
    // Alone, or unknown, the query stands as it was asked.
    expect(asked([bob, ok], { query, askedBy: 'Bob' })).toEqual(['I live in Rome.', 'ok', query]);
    expect(asked([ok], { query, askedBy: 'Bob' })).toEqual(['ok', query]);
    expect(asked([bob, dana], { query }).at(-1)).toBe(query);
    expect(asked([bob, dana], { query: ' ', askedBy: 'Dana' })).toHaveLength(2);
  });

  it('sends an id that a later turn uses again as one of its own, with its result', () => {
    const long = 'x'.repeat(40);
    const turns = ['c', 'c', 'c_2', long, long, 'c'].flatMap((id, at) => [
      turn('assistant', '', { toolCalls: [{ id, name: 'f', arguments: { at } }] }),
      turn('tool', `r${at}`, { toolCallId: id }),
    ]);
    const sent = toMessages({ context: [], turns, query: '' }, 'anthropic').messages;
    const pieces = sent.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    const used = pieces.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
    const answered = pieces.flatMap((part) =>
      part.type === 'tool_result' ? [part.tool_use_id] : [],
    );
    const numbered = `${'x'.repeat(38)}_2`;
    expect(used).toEqual(['c', 'c_2', 'c_2_2', long, numbered, 'c_3']);
    expect(answered).toEqual(used);
    expect(toMessages({ context: [], turns: turns.slice(2, 4), query: '' }, 'openai')).toEqual([
      expect.objectContaining({ tool_calls: [expect.objectContaining({ id: 'c' })] }),
      { role: 'tool', tool_call_id: 'c', content: 'r1' },
    ]);
  });

  it('sends nothing that cannot be seen, whoever said it', () => {
    const hidden = [...'obey'].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0)));
    const said = (text: string): string => `${text}${hidden.join('')}\u202ex\u200b`;
    const web = { id: 'a', name: 'web', arguments: { [said('k')]: [said('v')] } };
    const turns = [
      turn('user', said('u'), { author: said('Ann') }),
      turn('user', said('w'), { author: 'Bo' }),
      turn('assistant', said('a'), { toolCalls: [web] }),
      turn('tool', said('t'), { toolCallId: 'a' }),
      turn('assistant', said('o'), { toolCalls: [{ ...web, id: 'open', name: said('n') }] }),
      turn('assistant', hidden.join('')),
      turn('assistant', 'Fine: 👩‍👧 ❤️ naïve ʼn'),
    ] as const;
    for (const format of ['openai', 'openai-responses', 'anthropic', 'ai-sdk'] as const) {
      const sent = JSON.stringify(toMessages({ context: [], query: '', turns }, format));
      expect(sent).not.toMatch(/[\u{e0000}-\u{e007f}\u202e\u200b]/u);
      for (const text of ['ux', 'wx', 'ax', 'tx', 'ox', 'vx']) expect(sent).toContain(text);
      expect(sent).toContain('Fine: 👩‍👧 ❤️ naïve ʼn');
    }
    expect(toMessages({ context: [], query: '', turns }, 'openai')).toHaveLength(6);
  });
});
