/**
 * An agent with tools: it looks an order up, and writes down what it learns of the customer. The
 * whole loop of calls and results is one exchange in the ledger.
 */
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai';
import type { BoundEngine, ScopeUuid } from 'contextengine';
import { contextMiddleware } from 'contextengine/ai-sdk';
import { z } from 'zod';

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];
export interface Agent {
  readonly engine: BoundEngine;
  /** The conversation. */
  readonly scope: ScopeUuid;
  /** What is known of the customer; the conversation inherits from it. */
  readonly customer: ScopeUuid;
  readonly model: Model;
  readonly statusOf: (order: string) => Promise<string>;
}

export async function answer(agent: Agent, message: string): Promise<string> {
  const { engine, scope, customer, model, statusOf } = agent;
  const order_status = tool({
    description: 'The status of an order by its number.',
    inputSchema: z.object({ order: z.string() }),
    execute: ({ order }) => statusOf(order),
  });
  const remember = tool({
    description: 'Writes one lasting fact about the customer down.',
    inputSchema: z.object({ fact: z.string() }),
    execute: async ({ fact }) => {
      await engine.remember(customer, { content: fact, class: 'preference' });
      return 'written down';
    },
  });
  const { text } = await generateText({
    model: wrapLanguageModel({
      model,
      middleware: contextMiddleware(engine, { scope, intent: 'follow_up' }),
    }),
    system: 'You answer questions about orders.',
    prompt: message,
    tools: { order_status, remember },
    stopWhen: stepCountIs(5),
  });
  return text;
}
