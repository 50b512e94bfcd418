/** The node and the store of LangGraph. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { contextNode, contextStore } from '../../src/chat/langgraph.ts';
import { chatEngine } from '../support/chat-engine.ts';
import { storedTurns } from '../support/stored-turns.ts';

const loop = chatEngine();

describe('LangGraph', () => {
  it('runs a node that asks with context, and appends a tool loop once', async () => {
    const { scope_block_uuid: scope } = await loop.bound.scopes.create({ type: 'chat_session' });
    await loop.bound.append(scope, [
      { role: 'user', content: 'I live in Bergen.' },
      { role: 'assistant', content: 'Noted.' },
    ]);
    const seen: BaseMessage[][] = [];
    const model = {
      invoke: async (messages: BaseMessage[]) => {
        seen.push(messages);
        return seen.length === 1
          ? new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'weather', args: {} }] })
          : new AIMessage('It rains.');
      },
    };
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', contextNode(loop.bound, { model, scope, intent: 'follow_up' }))
      .addNode('tools', async () => ({
        messages: [new ToolMessage({ content: 'rain', tool_call_id: 'c1' })],
      }))
      .addEdge('__start__', 'model')
      .addConditionalEdges('model', ({ messages }) =>
        (messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : '__end__',
      )
      .addEdge('tools', 'model')
      .compile();
    const { messages } = await graph.invoke({ messages: [new HumanMessage('Weather?')] });
    expect(messages.at(-1)?.text).toBe('It rains.');
    expect(seen[1]?.filter((one) => one.getType() !== 'system').map(({ text }) => text)).toEqual([
      'I live in Bergen.',
      'Noted.',
      'Weather?',
      '',
      'rain',
    ]);
    expect((await storedTurns(loop.bound, scope)).slice(2)).toEqual([
      'user: Weather?',
      'assistant:  [1 calls]',
      'tool: rain',
      'assistant: It rains.',
    ]);
  });

  it('has a store whose items are facts', async () => {
    const store = contextStore(loop.bound);
    await store.put(['memories', 'dana'], 'food', { text: 'Dana is allergic to peanuts.' });
    await store.put(['memories', 'dana'], 'work', { text: 'Dana works in Bergen.', level: 3 });
    await store.put(['memories', 'bo'], 'work', { text: 'Bo works in Oslo.', level: 5 });
    expect((await store.get(['memories', 'dana'], 'food'))?.value).toEqual({
      text: 'Dana is allergic to peanuts.',
    });
    const found = await store.search(['memories', 'dana'], { query: 'allergic to peanuts' });
    expect(found[0]?.key).toBe('food');
    const filtered = await store.search(['memories'], { filter: { level: { $gt: 3 } } });
    expect(filtered.map(({ namespace }) => namespace)).toEqual([['memories', 'bo']]);
    await store.put(['memories', 'dana'], 'work', { text: 'Dana works in Oslo.' });
    const work = await store.get(['memories', 'dana'], 'work');
    expect(work?.value).toEqual({ text: 'Dana works in Oslo.' });
    expect(work && work.createdAt <= work.updatedAt).toBe(true);
    await store.delete(['memories', 'dana'], 'work');
    expect(await store.get(['memories', 'dana'], 'work')).toBeNull();
    expect(await store.get(['nowhere'], 'x')).toBeNull();
    expect(await store.listNamespaces({ prefix: ['memories'], maxDepth: 1 })).toEqual([
      ['memories'],
    ]);
  });

  it('finds a namespace by its key: no wildcard of an id, no title that another gave', async () => {
    const store = contextStore(loop.bound);
    await store.put(['people', 'alice'], 'a', { text: 'Alice likes tea.' });
    expect(await store.search(['people', '*'])).toEqual([]);
    expect(await store.search(['people', 'alice'], { filter: { text: { toString: 1 } } })).toEqual(
      [],
    );
    const title = '["people","alice"]';
    const { scope_block_uuid: forged } = await loop.bound.scopes.create({ type: 'store', title });
    await loop.bound.remember(forged, { content: 'forged', subject: 'f', category: 'langgraph' });
    expect((await store.search(['people', 'alice'])).map(({ key }) => key)).toEqual(['a']);
    expect((await store.search(['people'])).map(({ key }) => key)).toEqual(['a']);
  });

  it('keeps the items of a namespace apart from those that its scope inherits', async () => {
    const store = contextStore(loop.bound);
    const [team, member] = [
      ['teams', 'a'],
      ['teams', 'a', 'dana'],
    ];
    await store.put(team, 'motto', { text: 'Slow is smooth.' });
    await store.put(member, 'desk', { text: 'By the window.' });
    const [outer, inner] = await Promise.all(
      [team, member].map((space) => loop.bound.scopes.find(`langgraph:${JSON.stringify(space)}`)),
    );
    if (!outer || !inner) throw new Error('a namespace has no scope');
    await loop.bound.link(inner, { type: 'inherits', from: inner, to: outer });
    expect(await store.get(member, 'motto')).toBeNull();
    expect((await store.search(member)).map(({ key }) => key)).toEqual(['desk']);
    await store.put(member, 'motto', { text: 'Smooth is fast.' });
    expect((await store.get(team, 'motto'))?.value).toEqual({ text: 'Slow is smooth.' });
    expect((await store.get(member, 'motto'))?.value).toEqual({ text: 'Smooth is fast.' });
    const found = await store.search(member, { query: 'smooth' });
    expect(found[0]?.value).toEqual({ text: 'Smooth is fast.' });
    expect(found.map(({ value }) => value)).not.toContainEqual({ text: 'Slow is smooth.' });
    await store.delete(member, 'motto');
    expect((await store.get(team, 'motto'))?.value).toEqual({ text: 'Slow is smooth.' });
  });

  it('finds an item beside later facts of the same subject', async () => {
    const store = contextStore(loop.bound);
    await store.put(['desks'], 'dana', { text: 'By the window.' });
    const scope = await loop.bound.scopes.find('langgraph:["desks"]');
    if (!scope) throw new Error('the namespace has no scope');
    await loop.bound.remember(scope, { content: 'Dana is on leave.', subject: 'dana' });
    expect((await store.get(['desks'], 'dana'))?.value).toEqual({ text: 'By the window.' });
    await store.put(['desks'], 'dana', { text: 'By the door.' });
    expect((await store.search(['desks'])).map(({ value }) => value)).toEqual([
      { text: 'By the door.' },
    ]);
  });

  it('writes nothing where another scope holds the key of a namespace', async () => {
    const store = contextStore(loop.bound);
    const { scope_block_uuid: scope } = await loop.bound.scopes.getOrCreate({
      type: 'notes',
      key: 'langgraph:["taken"]',
      title: 'Notes',
    });
    await expect(store.put(['taken'], 'a', { text: 'A.' })).rejects.toMatchObject({
      code: 'WRITE.IDEMPOTENCY_CONFLICT',
    });
    expect(await store.get(['taken'], 'a')).toBeNull();
    expect((await loop.bound.facts.list({ scope })).total).toBe(0);
    expect(await store.search([], { query: 'A.' })).not.toContainEqual(
      expect.objectContaining({ namespace: ['taken'] }),
    );
  });
});
