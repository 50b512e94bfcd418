/** A double of a model: a local HTTP server that speaks chat completions, and answers as it is told. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Piece {
  readonly number: number;
  readonly speaker: string;
  readonly text: string;
}
export interface Question {
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly pieces: readonly Piece[];
  /** All that was sent. */
  readonly text: string;
}
/** The text of the answer, or a whole answer of its own. */
export type Reply = (question: Question, response: ServerResponse) => string | null;

export interface ModelDouble {
  readonly baseUrl: string;
  readonly asked: Question[];
  reply: Reply;
  /** What it says that an answer took. */
  usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  close(): Promise<void>;
}

export const factsOf = (
  facts: readonly Readonly<Record<string, unknown>>[],
  properties: readonly Readonly<Record<string, unknown>>[] = [],
): string => JSON.stringify({ facts, properties });

/** A fact for each piece, in its own words. */
export const echo: Reply = ({ pieces }) =>
  factsOf(
    pieces.map(({ number, speaker, text }) => ({
      segment: number,
      content: `${speaker}: ${text}`,
      class: 'fact',
      subject: speaker,
      confidence: 0.9,
    })),
  );

export const USAGE = { prompt_tokens: 1000, completion_tokens: 500 };

export async function openModelDouble(): Promise<ModelDouble> {
  const asked: Question[] = [];
  const double: Pick<ModelDouble, 'reply' | 'usage'> = { reply: echo, usage: USAGE };
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
    const text = Buffer.concat(parts).toString('utf8');
    const body = JSON.parse(text);
    const [user = ''] = String(body.messages[1].content).split('\n\nYour last answer');
    const { authorization } = request.headers;
    const question = { authorization, body, pieces: JSON.parse(user).pieces, text };
    asked.push(question);
    const content = double.reply(question, response);
    if (content === null) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        choices: [{ message: { role: 'assistant', content } }],
        usage: double.usage,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(double, {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
