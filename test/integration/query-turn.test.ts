/**
 * The stored turn that is the query: it is sent once, as the one who asks said it. And one that is
 * cut.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Composition, ContextEngine, TurnInput } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine } from '../support/engines.ts';

const MANIFEST = `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: notes }
spec:
  layers: { system: { text: "S" }, recent: { limit: 50 }, semantic: { top_k: 5 } }
  budget: { total_tokens: 1000 }
`;

describe('the turn that is the query', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-query-turn-'));
  let engine: ContextEngine;
  beforeAll(async () => {
    writeFileSync(join(folder, 'notes.yaml'), MANIFEST);
    engine = await openEngine({ manifests: folder, embedder: 'off' });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });
  const composed = async (turns: readonly TurnInput[], query: string): Promise<Composition> => {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'notes' });
    await engine.append(scope, turns);
    return engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query,
      permission_profile: LOCAL_PROFILE,
      trace: true,
    });
  };
  const said = ({ messages }: Composition): readonly string[] =>
    messages('openai')
      .slice(1)
      .map(({ role, content }) => `${role}: ${content}`);

  it('is not sent twice, whatever blanks stand around it', async () => {
    for (const [content, query] of [
      ['yes', 'yes'],
      ['yes ', 'yes'],
      ['yes', '\n yes'],
    ] as const)
      for (const role of ['user', 'human', 'customer']) {
        const composition = await composed(
          [
            { role: 'user', content: 'Hi.' },
            { role, content },
          ],
          query,
        );
        expect(said(composition)).toEqual(['user: Hi.', `user: ${query}`]);
        expect(composition.text).not.toContain('yes');
        expect(composition.trace?.dropped.map(({ reason }) => reason)).toContain('is_query');
      }
  });

  it('is none of an assistant or a tool that said the same', async () => {
    const asked = { role: 'user', content: 'Say the word to confirm: delete' };
    const deleted = await composed([asked, { role: 'assistant', content: 'delete' }], 'delete');
    expect(said(deleted)).toEqual([
      'user: Say the word to confirm: delete',
      'assistant: delete',
      'user: delete',
    ]);
    const call = { id: 'a', name: 'count', arguments: {} };
    const counted = await composed(
      [
        { role: 'user', content: 'How many?' },
        { role: 'assistant', content: '', metadata: { tool_calls: [call] } },
        { role: 'tool', content: '42', metadata: { tool_call_id: 'a' } },
      ],
      '42',
    );
    expect(said(counted)).toEqual(['user: How many?', 'assistant: null', 'tool: 42', 'user: 42']);
  });

  it('says who asks, where several people speak', async () => {
    const turns = [
      { role: 'user', author: 'Bob', content: 'I live in Rome.' },
      { role: 'user', author: 'Dana', content: 'I live in Oslo.' },
      { role: 'user', author: 'Dana', content: 'Where do I live?' },
    ];
    const both = await composed(turns, 'Where do I live?');
    expect(both.asked_by).toBe('Dana');
    expect(said(both)).toEqual([
      'user: Bob: I live in Rome.',
      'user: Dana: I live in Oslo.',
      'user: Dana: Where do I live?',
    ]);
    const alone = await composed(turns.slice(1), 'Where do I live?');
    expect(said(alone)).toEqual(['user: I live in Oslo.', 'user: Where do I live?']);
    const unstored = await composed(turns.slice(0, 2), 'Where do I live?');
    expect(unstored).not.toHaveProperty('asked_by');
    expect(said(unstored).at(-1)).toBe('user: Where do I live?');
  });

  it('leaves no fence open where a turn before it is cut', async () => {
    const lines = Array.from({ length: 600 }, (_, at) => `  const a${at} = ${at};`).join('\n');
    for (const role of ['user', 'assistant']) {
      const content = `see:\n- item\n  \`\`\`js\n${lines}\n  \`\`\`\nend`;
      const composition = await composed([{ role, content }], 'and now?');
      const sent = String(composition.messages('openai')[1]?.content);
      expect(composition.items.some(({ truncated }) => truncated)).toBe(true);
      expect(sent).toMatch(/^see:\n- item\n {2}```js\n[\s\S]*…\n {2}```$/);
    }
    const whole = await composed([{ role: 'user', content: 'a\n```js\nb' }], 'and now?');
    expect(whole.messages('openai')[1]?.content).toBe('a\n```js\nb');
  });

  it('is the newest: an earlier turn that said the same stays', async () => {
    const turns = ['yes', 'Sure?', 'yes'].map((content, at) => ({
      role: at === 1 ? 'assistant' : 'user',
      content,
    }));
    expect(said(await composed(turns, 'yes'))).toEqual([
      'user: yes',
      'assistant: Sure?',
      'user: yes',
    ]);
    expect(said(await composed(turns.slice(0, 2), 'yes'))).toEqual([
      'user: yes',
      'assistant: Sure?',
      'user: yes',
    ]);
  });
});
