/** What a tool answered is nobody's own word, in whatever role an API hands it over. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

const verdictOf = (metadata: Readonly<Record<string, unknown>>, role: string) =>
  [...gatedPieces({ ...turnOf('I live in Rome.', 0, role), metadata }, gating)].map(
    ({ verdict }) => (verdict.isKept ? verdict.class : verdict.reason),
  );

describe('a turn that answers a call', () => {
  it.each([
    { tool_call_id: 'c1' },
    { tool_use_id: 't1' },
    { toolCallId: 'c1' },
    { type: 'tool_result' },
    { type: 'tool-result', toolName: 'crm' },
    { type: 'function_call_output', call_id: 'c1' },
    { role: 'tool' },
  ])('is nobody’s own word: %j', (metadata) => {
    expect(verdictOf(metadata, 'user')).toEqual(['role']);
    expect(verdictOf(metadata, 'tool')).toEqual(['role']);
  });

  it.each([
    {},
    { tool_call_id: '' },
    { type: 'text' },
    { call_id: 'phone-7' },
    { tool_calls: [] },
    { role: 'customer' },
  ])('is none by %j', (metadata) => {
    expect(verdictOf(metadata, 'user')).toEqual(['fact']);
  });
});
