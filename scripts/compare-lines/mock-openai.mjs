/**
 * An endpoint that speaks OpenAI's protocol as far as the four need it, and answers by rule: it
 * embeds a text by its words, says `Noted.`, and where it is asked for facts gives the sentences of
 * the user. What it was asked is kept.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const DIMENSIONS = 1536;
const ANSWER = 'Noted.';
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** A word is a dimension, by a sum over its letters. */
function embedding(text) {
  const vector = new Array(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? ['']) {
    let place = 7;
    for (const letter of word) place = (place * 31 + (letter.codePointAt(0) ?? 0)) % DIMENSIONS;
    vector[place] += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const textOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');

/** The messages of either protocol. */
const messagesOf = ({ messages, input }) =>
  messages ?? (typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []));

const lastUser = (body) =>
  textOf(messagesOf(body).findLast(({ role }) => role === 'user')?.content);

const sentencesIn = (text) =>
  (text.match(/\bI (?:prefer|work)[^.?!\n"\\]*/g) ?? []).map((sentence) => `${sentence}.`);

/** The call that makes memory of a sentence of the user, once; else the answer. */
function sayOf(body) {
  const schema = JSON.stringify(body.response_format ?? body.text?.format ?? {});
  const facts = sentencesIn(lastUser(body));
  if (schema.includes('json')) {
    const memory = facts.map((text, index) => ({ id: String(index), text, event: 'ADD' }));
    return { text: JSON.stringify({ facts, memory }) };
  }
  const tool = (body.tools ?? []).map((each) => each.function ?? each)[0];
  const isDone = messagesOf(body).some(
    ({ role, type }) => role === 'tool' || type === 'function_call_output',
  );
  if (tool && facts.length > 0 && !isDone)
    return { call: { name: tool.name, arguments: JSON.stringify({ memory: facts.join('\n') }) } };
  return { text: ANSWER };
}

const toolCall = (call) => ({ index: 0, id: randomUUID(), type: 'function', function: call });

function completion(body) {
  const { text, call } = sayOf(body);
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(call && { tool_calls: [toolCall(call)] }),
  };
  const choice = { index: 0, finish_reason: call ? 'tool_calls' : 'stop' };
  const head = { id: randomUUID(), created: 1, model: body.model };
  if (!body.stream)
    return {
      ...head,
      object: 'chat.completion',
      choices: [{ ...choice, message }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
  const chunk = { ...head, object: 'chat.completion.chunk' };
  return [
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ ...choice, delta: {} }] },
  ];
}

function response(body) {
  const { text, call } = sayOf(body);
  const item = call
    ? {
        type: 'function_call',
        id: randomUUID(),
        call_id: randomUUID(),
        status: 'completed',
        ...call,
      }
    : {
        type: 'message',
        id: randomUUID(),
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
  const head = { id: randomUUID(), object: 'response', created_at: 1, model: body.model };
  const whole = { ...head, status: 'completed', output: [item], usage };
  if (!body.stream) return whole;
  const opened = call ? { ...item, arguments: '' } : { ...item, content: [] };
  const at = { item_id: item.id, output_index: 0 };
  const middle = call
    ? [{ type: 'response.function_call_arguments.delta', ...at, delta: call.arguments }]
    : [{ type: 'response.output_text.delta', ...at, content_index: 0, delta: text }];
  return [
    { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: opened },
    ...middle,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ];
}

function embeddings({ input, encoding_format: format, model }) {
  const data = [input].flat().map((text, index) => {
    const numbers = embedding(text);
    const packed = Buffer.from(new Float32Array(numbers).buffer).toString('base64');
    return { object: 'embedding', index, embedding: format === 'base64' ? packed : numbers };
  });
  return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

const ROUTES = {
  '/v1/embeddings': embeddings,
  '/v1/chat/completions': completion,
  '/v1/responses': response,
};

/** Listens on a port of its own: `asked` holds the bodies of calls of a model, oldest first. */
export async function mockOpenai() {
  const asked = [];
  const server = createServer(async (request, answer) => {
    let text = '';
    for await (const part of request) text += part;
    const route = ROUTES[request.url];
    if (!route) return answer.writeHead(404).end(JSON.stringify({ error: { message: 'no' } }));
    const body = JSON.parse(text);
    if (request.url !== '/v1/embeddings') asked.push(body);
    const said = route(body);
    if (!Array.isArray(said))
      return answer
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(said));
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of said) {
      if (event.type) answer.write(`event: ${event.type}\n`);
      answer.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    return answer.end('data: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
