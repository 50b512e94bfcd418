import { describe, expect, it } from 'vitest';
import { ownToolCallsOf, toolCallsOf } from '../../src/model/tool-calls.ts';

const call = { id: 'a', name: 'find', arguments: { at: 1 } };
const wire = { id: 'a', type: 'function', function: { name: 'find', arguments: '{"at":1}' } };

describe('calls of stored metadata', () => {
  it('are read in both forms, and with fields that nobody reads', () => {
    const stored = [wire, { ...call, index: 0 }, { ...call, arguments: '{"at":1}' }];
    expect(toolCallsOf({ tool_calls: stored })).toEqual([call, call, call]);
  });

  it('have no arguments where these are no object', () => {
    const stored = ['[1]', 'at', [1], null, '', undefined].map((given) => ({
      ...call,
      arguments: given,
    }));
    for (const { arguments: given } of toolCallsOf({ tool_calls: stored }))
      expect(given).toEqual({});
  });

  it('are none without id and name', () => {
    const stored = [
      'find',
      null,
      [call],
      { id: 'a' },
      { ...call, id: 1 },
      { id: 'a', function: 1 },
    ];
    expect(toolCallsOf({ tool_calls: stored })).toEqual([]);
    expect(toolCallsOf({ tool_calls: call })).toEqual([]);
    expect(toolCallsOf({})).toEqual([]);
  });

  it('of a text that was rendered before are read as they were', () => {
    const stored = [wire, call, { ...call, arguments: '{"at":1}' }];
    expect(ownToolCallsOf({ tool_calls: stored })).toEqual([call, { ...call, arguments: {} }]);
    expect(ownToolCallsOf({ tool_calls: wire })).toEqual([]);
  });
});
